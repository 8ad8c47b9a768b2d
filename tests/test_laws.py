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

from treepack import Chunks, PackConfig, Source, audit, pack
from treepack.tokens import token_counter

laws = settings(max_examples=60)
names = st.sampled_from(("d.md", ""))


def findings_of(text: str, chunks: Chunks, config: PackConfig, name: str) -> list[tuple[int, str]]:
    """Return the law and the message of each finding of the audit."""
    report = audit(text, chunks, config, name=name)
    return [(finding.law, str(finding)) for finding in report.findings]


def promised(found: list[tuple[int, str]], config: PackConfig) -> list[tuple[int, str]]:
    """Return the findings that must not be: laws 5 to 9 are promised at caps of 128 and more."""
    cap = min(config.levels or (config.max_tokens,))
    return [(law, message) for law, message in found if law <= 4 or cap >= 128]


@settings(laws, max_examples=200)
@given(text=any_text, config=configs(), name=names)
def test_the_audit_finds_no_breach(text: str, config: PackConfig, name: str) -> None:
    chunks = pack(Source(text, name), config)
    assert promised(findings_of(text, chunks, config, name), config) == []


@settings(laws, max_examples=150)
@given(text=misnested_documents(), config=configs(), name=names)
def test_the_audit_finds_no_breach_in_a_repaired_outline(
    text: str, config: PackConfig, name: str
) -> None:
    chunks = pack(Source(text, name), config)
    assert promised(findings_of(text, chunks, config, name), config) == []


@settings(laws, max_examples=100)
@given(text=any_text, config=configs())
@example(text="", config=PackConfig())
@example(text=" \r\n\t\u00a0", config=PackConfig())
@example(text="\ufeff\ufeffone", config=PackConfig())
def test_each_character_lies_in_one_body_or_is_listed_as_skipped(
    text: str, config: PackConfig
) -> None:
    """Law 1, without the audit."""
    chunks = pack(Source(text), config)
    bodies = [s.span for c in chunks for s in c.segments if s.role == "body" and s.span]
    assert all(start < end for start, end in bodies)
    assert all(left[1] <= right[0] for left, right in pairwise(bodies))
    skipped = [entry.span for chunk in chunks for entry in chunk.skipped]
    held = bytearray(len(text))
    for start, end in [*bodies, *skipped]:
        assert not any(held[start:end]), "a body and a skipped span do not overlap"
        held[start:end] = b"\1" * (end - start)
    if chunks:
        assert [(at, c) for at, c in enumerate(text) if not (held[at] or c.isspace())] == []


@laws
@given(text=any_text, config=configs())
@example(
    text="::: note\n| k | v |\n|---|---|\n| Group | |\n" + "| r1 | some value |\n" * 5 + ":::\n",
    config=PackConfig(max_tokens=42, target_tokens=42, min_tokens=0),
)
def test_a_chunk_equals_its_segments_and_a_segment_equals_its_span(
    text: str, config: PackConfig
) -> None:
    """Law 2, without the audit: tabs, NBSP and line ends come out as they went in."""
    for chunk in pack(Source(text), config):
        assert "".join(segment.text for segment in chunk.segments) == chunk.text
        for segment in chunk.segments:
            assert segment.text, "no segment is empty"
            if segment.span:
                assert text[slice(*segment.span)] == segment.text
            else:
                assert segment.role != "body", "text of the source has its span"


@laws
@given(text=any_text, config=configs(), name=names)
def test_embedded_text_stays_within_the_cap(text: str, config: PackConfig, name: str) -> None:
    """Law 3, without the audit: only a block kept whole may be larger, and is marked oversize."""
    count = token_counter(config.encoding)
    for chunk in pack(Source(text, name), config):
        is_kept = "keep" in (config.oversize_table, config.oversize_code) and chunk.oversize
        assert is_kept or count(chunk.embed_text) <= config.max_tokens
        assert chunk.embed_text.endswith(chunk.text)


@laws
@given(text=any_text, config=configs(), name=names)
def test_token_counts_match_the_final_texts(text: str, config: PackConfig, name: str) -> None:
    """Law 4, without the audit: token counts do not add up, so the final texts are counted."""
    count = token_counter(config.encoding)
    for chunk in pack(Source(text, name), config):
        assert count(chunk.text) == chunk.token_count
        assert count(chunk.embed_text) == chunk.embed_token_count


@settings(laws, max_examples=30)
@given(text=documents(), cap=st.sampled_from((16, 40, 200)))
def test_a_custom_token_counter_keeps_the_first_four_laws(text: str, cap: int) -> None:
    config = PackConfig(max_tokens=cap, encoding=words)
    chunks = pack(Source(text, "d.md"), config)
    assert [f for f in findings_of(text, chunks, config, "d.md") if f[0] in (1, 2, 3, 4)] == []
