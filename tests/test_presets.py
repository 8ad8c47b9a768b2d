"""Each preset models a known system; its behaviours are tested with its own limits."""

from itertools import pairwise
from typing import Any

import pytest
from audits import findings_in
from hypothesis import given
from hypothesis import strategies as st

from treepack import Chunk, Chunks, PackConfig, Source, pack
from treepack.errors import UnknownPresetError
from treepack.presets import Preset
from treepack.tokens import token_counter

count = token_counter("cl100k_base")


def sentences(number: int, word: str = "valve") -> str:
    """Return a number of sentences, each of about ten tokens."""
    return " ".join(f"The {word} opens at limit {n} of the range." for n in range(number))


def paragraphs(number: int, word: str = "valve") -> str:
    """Return a number of paragraphs, each of about sixty tokens."""
    return "\n\n".join(sentences(5, f"{word} {n}") for n in range(number))


def table(rows: int) -> str:
    return "| Id | Limit | Unit |\n|---|---|---|\n" + "\n".join(
        f"| R{n} | {n * 7} | bar |" for n in range(1, rows + 1)
    )


def code(lines: int) -> str:
    return "```c\n" + "\n".join(f"write_register({n}, 0x{n:04x});" for n in range(lines)) + "\n```"


def overlap(chunk: Chunk) -> str:
    return "".join(segment.text for segment in chunk.segments if segment.role == "overlap")


# -------------------------------------------------------------------- default


def test_the_default_preset_equals_a_config_without_settings() -> None:
    assert PackConfig.preset("default") == PackConfig()
    config = PackConfig()
    assert (config.target_tokens, config.max_tokens, config.min_tokens) == (512, 1024, 64)
    assert config.overlap_tokens == 0


# -------------------------------------------------------------------- standards

STANDARD = (
    f"# 5 Tests\n\n{paragraphs(20)}\n\n## 5.1 Limits\n\nTable 3: Limits\n\n{table(160)}\n\n"
    f"{paragraphs(12)}\n\n## 5.2 Short\n\nA short clause.\n\n## 5.3 Also short\n\nAnother.\n"
)


@pytest.fixture(scope="module")
def standard() -> Chunks:
    return pack(Source(STANDARD, "s.md"), PackConfig.preset("standards"))


def test_standards_chunks_have_500_tokens_and_never_more_than_1000(standard: Chunks) -> None:
    assert all(chunk.embed_token_count <= 1000 for chunk in standard)
    texts = [chunk for chunk in standard if chunk.kinds == ("text",)]
    assert all(count(chunk.lexical_text) <= 510 for chunk in texts)


def test_standards_repeat_up_to_100_tokens_above_a_rule(standard: Chunks) -> None:
    """Every chunk but the first has an overlap, unless half a table would be repeated (law 5)."""
    assert not standard[0].overlap_tokens
    for before, chunk in pairwise(standard):
        assert chunk.overlap_tokens or before.tables
        assert chunk.overlap_tokens <= 100
        if chunk.overlap_tokens and not chunk.tables:
            assert chunk.text.startswith(f"{overlap(chunk)}\n\n---\n\n")
    assert sum(chunk.overlap_tokens > 0 for chunk in standard) > 3


def test_standards_cut_tables_by_rows_with_header_and_caption(standard: Chunks) -> None:
    pieces = [chunk for chunk in standard if chunk.tables]
    assert len(pieces) > 1
    rows: list[int] = []
    for chunk in pieces:
        (piece,) = chunk.tables
        assert piece.caption == "Table 3: Limits"
        assert chunk.text.count("Table 3: Limits") == 1
        assert chunk.text.count("| Id | Limit | Unit |\n|---|---|---|\n") == 1
        rows.extend(range(piece.row_start, piece.row_end + 1))
    assert rows == list(range(1, 161))


# -------------------------------------------------------------------- sections


def test_the_sections_preset_keeps_short_sections_apart() -> None:
    chunks = pack("# A\n\nOne.\n\n# B\n\nTwo.\n", PackConfig.preset("sections"))
    assert [chunk.text for chunk in chunks] == ["# A\n\nOne.", "# B\n\nTwo."]


def test_every_chunk_of_a_long_section_carries_its_heading() -> None:
    text = f"# Manual\n\nIntro.\n\n## Limits {{#l}}\n\n{paragraphs(30)}\n"
    _, *chunks = pack(text, PackConfig.preset("sections"))
    assert len(chunks) > 3
    for chunk in chunks:
        assert chunk.text.count("## Limits {#l}\n\nThe valve") == 1
        assert chunk.embed_token_count <= 500
        assert not chunk.overlap_tokens
        assert "## Limits" not in chunk.lexical_text or chunk is chunks[0]


def test_a_document_without_headings_is_cut_by_size_with_overlap() -> None:
    chunks = pack(f"{paragraphs(30)}\n", PackConfig.preset("sections"))
    assert len(chunks) > 3
    for before, chunk in pairwise(chunks):
        assert chunk.overlap_tokens
        assert 0 < chunk.overlap_tokens <= 100
        assert overlap(chunk).strip() in before.text
        assert chunk.embed_token_count <= 500


# -------------------------------------------------------------------- datasheet

DATASHEET = (
    f"# ESP32\n\n{paragraphs(12)}\n\n## GPIO\n\n{paragraphs(9, 'pin')}\n\n### Registers\n\n"
    f"{paragraphs(3)}\n\n{table(160)}\n\n{paragraphs(9, 'bit')}\n\n## Timing\n\n### Code\n\n"
    f"{paragraphs(2)}\n\n{code(90)}\n\nShort end.\n\n# Appendix\n\n{paragraphs(9, 'note')}\n"
)
CHIP = {"doc_id": "esp32-ds", "type": "datasheet", "chip": "ESP32"}


@pytest.fixture(scope="module")
def datasheet() -> Chunks:
    return pack(Source(DATASHEET), PackConfig.preset("datasheet"), metadata=CHIP)


@pytest.mark.parametrize("block", [table(160), code(90)], ids=["table", "code"])
def test_no_table_and_no_code_block_of_a_datasheet_is_cut(datasheet: Chunks, block: str) -> None:
    """A block above the cap is a chunk of its own, which is marked as oversize."""
    (kept,) = [chunk for chunk in datasheet if block in chunk.text]
    assert kept.oversize
    assert kept.embed_token_count > 512
    assert kept.lexical_text == block


def test_a_datasheet_repeats_up_to_50_tokens(datasheet: Chunks) -> None:
    repeated = [chunk for chunk in datasheet if chunk.overlap_tokens]
    assert len(repeated) > 2
    assert all(0 < chunk.overlap_tokens <= 50 for chunk in repeated)


# -------------------------------------------------------------------- presets in general


def test_a_preset_accepts_changed_settings() -> None:
    config = PackConfig.preset("datasheet", max_tokens=800, oversize_code="split")
    assert (config.max_tokens, config.target_tokens) == (800, 512)
    assert (config.oversize_table, config.oversize_code) == ("keep", "split")


def test_an_unknown_preset_is_rejected_and_the_error_lists_the_presets() -> None:
    with pytest.raises(UnknownPresetError, match=r"no preset 'books'.*default, standards"):
        PackConfig.preset("books")  # type: ignore[arg-type]


# -------------------------------------------------------------------- retrieval


def test_retrieval_chunks_are_parents_and_children_within_one_section() -> None:
    short = "\n\n".join(f"## S{n}\n\n{sentences(2)}" for n in range(4))
    chunks = pack(f"# A\n\n{short}\n\n## L\n\n{paragraphs(9)}", PackConfig.preset("retrieval"))
    parents, children = ([c for c in chunks if c.level == level] for level in (0, 1))
    assert max(chunk.embed_token_count for chunk in parents) <= 400
    assert max(chunk.embed_token_count for chunk in children) <= 75
    assert {child.parent_id for child in children} == {parent.id for parent in parents}
    assert not [chunk for chunk in chunks if chunk.text.count("## ") > 1]


def test_retrieval_breadcrumbs_have_no_document_name_and_the_laws_hold() -> None:
    chunks = pack(f"# A\n\n{paragraphs(9)}", PackConfig.preset("retrieval"), name="a.md")
    assert {chunk.breadcrumb for chunk in chunks} == {("A",)}
    assert {chunk.document for chunk in chunks} == {"a.md"}
    assert not findings_in(chunks)


def test_explicit_sizes_override_those_of_retrieval() -> None:
    assert PackConfig.preset("retrieval", max_tokens=60).levels == (400, 60)
    assert PackConfig.preset("retrieval", max_tokens=500).levels == (500,)
    assert PackConfig.preset("retrieval", levels=(900, 200)).max_tokens == 200
    flat = PackConfig.preset("retrieval", levels=None)
    assert (flat.levels, flat.target_tokens, flat.max_tokens) == (None, 400, 400)
    assert PackConfig.preset("retrieval", levels=None, max_tokens=300).target_tokens == 300


# -------------------------------------------------------------------- sizes given beside a preset


@given(
    name=st.sampled_from(["default", "standards", "sections", "datasheet"]),
    size=st.sampled_from(["max_tokens", "target_tokens", "min_tokens", "overlap_tokens"]),
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
    for field, value in PackConfig.preset(name):
        if field.endswith("_tokens") and value and field not in changes and name != "default":
            lowest = min(value, tokens // 2)
            assert lowest <= getattr(config, field) <= max(value, tokens + 1), field


def test_a_smaller_cap_lowers_the_sizes_that_no_longer_fit() -> None:
    """In that case overlap and minimum are at most half of the target."""
    config = PackConfig.preset("standards", max_tokens=300)
    assert (config.target_tokens, config.min_tokens, config.overlap_tokens) == (300, 100, 100)
    config = PackConfig.preset("standards", max_tokens=64)
    assert (config.target_tokens, config.min_tokens, config.overlap_tokens) == (64, 32, 32)
    config = PackConfig.preset("sections", max_tokens=64)
    assert (config.target_tokens, config.flat_overlap_tokens) == (64, 32)
