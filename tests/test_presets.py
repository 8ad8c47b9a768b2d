"""Each preset models a known system; its behaviours are tested with its own limits."""

from itertools import pairwise
from typing import Any

import pytest
from by_eye import faults, texts
from case_files import case_file
from hypothesis import given
from hypothesis import strategies as st

from treepack import Chunk, PackConfig, Source, TreepackError, pack, token_counter
from treepack.presets import Preset

count = token_counter("cl100k_base")


def said(number: int, word: str = "valve") -> str:
    """Return a number of sentences, each of about ten tokens."""
    return " ".join(f"The {word} opens at limit {n} of the range." for n in range(number))


def paragraphs(number: int, word: str = "valve") -> str:
    """Return a number of paragraphs, each of about sixty tokens."""
    return "\n\n".join(said(5, f"{word} {n}") for n in range(number))


ROWS = "".join(f"| R{n} | {n * 7} | bar |\n" for n in range(1, 161))
TABLE = f"| Id | Limit | Unit |\n|---|---|---|\n{ROWS}"
CODE = "```c\n" + "".join(f"write_register({n}, 0x{n:04x});\n" for n in range(90)) + "```"


def overlap(chunk: Chunk) -> str:
    return "".join(segment.text for segment in chunk.segments if segment.role == "overlap")


def test_standards_have_500_tokens_and_repeat_up_to_100_above_a_rule() -> None:
    """Only after a table there is no overlap: half a table is never repeated (law 5)."""
    text = (
        f"# 5 Tests\n\n{paragraphs(20)}\n\n## 5.1 Limits\n\nTable 3: Limits\n\n{TABLE}\n\n"
        f"{paragraphs(12)}\n\n## 5.2 Short\n\nA short clause.\n\n## 5.3 Also short\n\nAnother.\n"
    )
    chunks = pack(Source(text, "s.md"), PackConfig.preset("standards"))
    assert max(chunk.embed_token_count for chunk in chunks) <= 1000
    assert max(count(c.lexical_text) for c in chunks if c.kinds == ("text",)) <= 510
    assert not chunks[0].overlap_tokens
    for before, chunk in pairwise(chunks):
        assert chunk.overlap_tokens or before.tables
        assert chunk.overlap_tokens <= 100
        if chunk.overlap_tokens and not chunk.tables:
            assert chunk.text.startswith(f"{overlap(chunk)}\n\n---\n\n")
    assert sum(chunk.overlap_tokens > 0 for chunk in chunks) > 3
    pieces = [chunk for chunk in chunks if chunk.tables]
    assert len(pieces) > 1
    for chunk in pieces:
        assert chunk.tables[0].caption == "Table 3: Limits"
        assert chunk.text.count("Table 3: Limits") == chunk.text.count("| Id | Limit | Unit |") == 1
    assert faults(chunks) == []


def test_sections_are_apart_and_repeat_their_heading() -> None:
    config = PackConfig.preset("sections")
    assert texts(pack("# A\n\nOne.\n\n# B\n\nTwo.\n", config)) == ["# A\n\nOne.", "# B\n\nTwo."]
    _, *chunks = pack(f"# Manual\n\nIntro.\n\n## Limits {{#l}}\n\n{paragraphs(30)}\n", config)
    assert len(chunks) > 3
    for chunk in chunks:
        assert chunk.text.count("## Limits {#l}\n\nThe valve") == 1
        assert chunk.embed_token_count <= 500
        assert not chunk.overlap_tokens
        assert "## Limits" not in chunk.lexical_text or chunk is chunks[0]
    plain = pack(f"{paragraphs(30)}\n", config)
    assert len(plain) > 3, "without headings, it is cut by size with overlap"
    for before, chunk in pairwise(plain):
        assert 0 < chunk.overlap_tokens <= 100
        assert overlap(chunk).strip() in before.text
        assert chunk.embed_token_count <= 500


def test_a_datasheet_keeps_tables_and_code_whole_and_repeats_up_to_50_tokens() -> None:
    """A block above the cap is a chunk of its own, which is marked as oversize."""
    text = (
        f"# ESP32\n\n{paragraphs(12)}\n\n## GPIO\n\n{paragraphs(9, 'pin')}\n\n### Registers\n\n"
        f"{paragraphs(3)}\n\n{TABLE}\n\n{paragraphs(9, 'bit')}\n\n## Timing\n\n### Code\n\n"
        f"{paragraphs(2)}\n\n{CODE}\n\nShort end.\n\n# Appendix\n\n{paragraphs(9, 'note')}\n"
    )
    chunks = pack(Source(text), PackConfig.preset("datasheet"))
    kept = [chunk for chunk in chunks if chunk.oversize]
    assert [chunk.lexical_text for chunk in kept] == [TABLE.rstrip(), CODE]
    assert min(chunk.embed_token_count for chunk in kept) > 512
    repeated = [chunk.overlap_tokens for chunk in chunks if chunk.overlap_tokens]
    assert len(repeated) > 2
    assert max(repeated) <= 50


def test_retrieval_gives_parents_and_children_within_one_section() -> None:
    short = "\n\n".join(f"## S{n}\n\n{said(2)}" for n in range(4))
    text = f"# A\n\n{short}\n\n## L\n\n{paragraphs(9)}"
    chunks = pack(text, PackConfig.preset("retrieval"), name="a.md")
    parents, children = ([c for c in chunks if c.level == level] for level in (0, 1))
    assert max(chunk.embed_token_count for chunk in parents) <= 400
    assert max(chunk.embed_token_count for chunk in children) <= 75
    assert {child.parent_id for child in children} == {parent.id for parent in parents}
    assert not [chunk for chunk in chunks if chunk.text.count("## ") > 1]
    assert {chunk.breadcrumb[:2] for chunk in chunks} == {("a.md", "A")}
    assert faults(chunks) == []


# -------------------------------------------------------------------- sizes given beside a preset


SIZES_OF_CONFIG = ("max_tokens", "target_tokens", "min_tokens", "overlap_tokens")


@given(
    name=st.sampled_from(["default", "hierarchical", "standards", "sections", "datasheet"]),
    size=st.sampled_from(SIZES_OF_CONFIG),
    tokens=st.integers(16, 3000),
)
def test_any_explicit_size_overrides_a_preset(name: Preset, size: str, tokens: int) -> None:
    """A single size can contradict only sizes of the preset; those that fit stay."""
    changes: dict[str, Any] = {size: tokens}
    if name == "default" and size != "max_tokens":
        changes["max_tokens"] = 3001  # it has no sizes of its own
        changes["target_tokens"] = changes.get("target_tokens", 3001)
    config = PackConfig.preset(name, **changes)
    assert getattr(config, size) == tokens
    for field in (*SIZES_OF_CONFIG, "flat_overlap_tokens"):
        value = getattr(PackConfig.preset(name), field)
        if value and field not in changes and name != "default":
            lowest = min(value, tokens // 2)
            assert lowest <= getattr(config, field) <= max(value, tokens + 1), field


@pytest.mark.parametrize(("name", "given", "expected"), case_file("parts/preset_sizes.json"))
def test_the_sizes_that_are_not_given_fit_the_given_ones(
    name: Any,  # noqa: ANN401 - a preset
    given: dict[str, Any],
    expected: dict[str, Any],
) -> None:
    """A lowered overlap or minimum is at most half of the target."""
    config = PackConfig.preset(name, **given)
    found = {field: getattr(config, field) for field in expected}
    assert found == {n: tuple(v) if isinstance(v, list) else v for n, v in expected.items()}


def test_an_unknown_preset_is_rejected_and_the_error_lists_the_presets() -> None:
    assert PackConfig.preset("default") == PackConfig()
    with pytest.raises(TreepackError, match=r"no preset 'books'.*default, hierarchical"):
        PackConfig.preset("books")  # type: ignore[arg-type]
