"""The laws that packing keeps on every input, as properties over generated documents.

Laws 1 to 9 are judged by the audit, which shares no code with the packer. A few lines here also
judge the first four, so that the audit is not trusted blindly. Laws 10 and 11 are in
`test_stable_packing.py`, law 12 is in `test_packing_work.py`.
"""

from itertools import pairwise

from by_eye import words
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import any_text, configs, documents, misnested_documents

from treepack import PackConfig, Source, audit, pack, token_counter

laws = settings(max_examples=60)
names = st.sampled_from(("d.md", ""))


def broken(text: str, config: PackConfig, name: str, last_law: int = 9) -> list[str]:
    """Return the findings of the audit; laws 5 to 9 are promised at caps of 128 and more."""
    found = audit(text, pack(Source(text, name), config), config, name=name).findings
    last_law = last_law if min(config.levels or (config.max_tokens,)) >= 128 else 4
    return [str(finding) for finding in found if finding.law <= last_law]


@settings(laws, max_examples=200)
@given(text=any_text, config=configs(), name=names)
def test_the_audit_finds_no_breach(text: str, config: PackConfig, name: str) -> None:
    assert broken(text, config, name) == []


@settings(laws, max_examples=150)
@given(text=misnested_documents(), config=configs(), name=names)
def test_the_audit_finds_no_breach_in_a_repaired_outline(
    text: str, config: PackConfig, name: str
) -> None:
    assert broken(text, config, name) == []


@settings(laws, max_examples=30)
@given(text=documents(), cap=st.sampled_from((16, 40, 200)))
def test_a_custom_token_counter_keeps_the_first_four_laws(text: str, cap: int) -> None:
    assert broken(text, PackConfig(max_tokens=cap, encoding=words), "d.md", last_law=4) == []


@settings(laws, max_examples=100)
@given(text=any_text, config=configs())
@example(text="", config=PackConfig())
@example(text=" \r\n\t\u00a0", config=PackConfig())
@example(text="\ufeff\ufeffone", config=PackConfig())
@example(
    text="::: note\n| k | v |\n|---|---|\n| Group | |\n" + "| r1 | some value |\n" * 5 + ":::\n",
    config=PackConfig(max_tokens=42, target_tokens=42, min_tokens=0),
)
def test_bodies_and_skipped_spans_hold_each_character_once_and_exactly(
    text: str, config: PackConfig
) -> None:
    """Laws 1 and 2, without the audit: tabs, NBSP and line ends come out as they went in."""
    chunks = pack(Source(text), config)
    for chunk in chunks:
        assert "".join(segment.text for segment in chunk.segments) == chunk.text
        for segment in chunk.segments:
            assert segment.text, "no segment is empty"
            assert segment.span or segment.role != "body", "text of the source has its span"
            assert segment.span is None or text[slice(*segment.span)] == segment.text
    bodies = [s.span for c in chunks for s in c.segments if s.role == "body" and s.span]
    assert all(start < end for start, end in bodies)
    assert all(left[1] <= right[0] for left, right in pairwise(bodies))
    held = bytearray(len(text))
    for start, end in [*bodies, *(entry.span for chunk in chunks for entry in chunk.skipped)]:
        assert not any(held[start:end]), "a body and a skipped span do not overlap"
        held[start:end] = b"\1" * (end - start)
    if chunks:
        assert [(at, c) for at, c in enumerate(text) if not (held[at] or c.isspace())] == []


@laws
@given(text=any_text, config=configs(), name=names)
def test_embedded_text_is_counted_and_within_the_cap(
    text: str, config: PackConfig, name: str
) -> None:
    """Laws 3 and 4, without the audit: only a block kept whole may be larger, and is marked."""
    count = token_counter(config.encoding)
    for chunk in pack(Source(text, name), config):
        assert count(chunk.text) == chunk.token_count
        assert count(chunk.embed_text) == chunk.embed_token_count
        is_kept = "keep" in (config.oversize_table, config.oversize_code) and chunk.oversize
        assert is_kept or chunk.embed_token_count <= config.max_tokens
        assert chunk.embed_text.endswith(chunk.text)
