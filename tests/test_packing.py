"""The rules of packing, one by one, on documents small enough to check by eye.

Tokens are words here, so that every limit can be counted in the text.
"""

import gc
import hashlib
import random
import re
import uuid
from itertools import pairwise
from pathlib import Path
from textwrap import indent

import pytest
from by_eye import letters, nesting, packed, roles, said, some, texts, words
from pydantic import ValidationError

from treepack import Chunks, PackConfig, Packer, Source, audit, pack, parse
from treepack.gc_pause import gc_paused
from treepack.tokens import TokenCounter
from treepack.tokens.counters import EncodingCounter

# -------------------------------------------------------------------- sections


def test_a_document_that_fits_is_one_chunk() -> None:
    text = "Preamble.\n\n# A\n\nText.\n\n## B\n\nMore.\n"
    (chunk,) = packed(text, 100)
    assert chunk.text == text.rstrip()
    assert chunk.breadcrumb == ()
    assert chunk.sections == (("A",), ("A", "B"))


def test_a_section_that_fits_the_cap_is_never_cut() -> None:
    """This holds even above the target: the section's subtree is one unit."""
    inner = f"## B\n\n{some(12, 'b')}\n\n### C\n\n{some(8, 'c')}"
    chunks = packed(f"# A\n\n{some(10, 'a')}\n\n{inner}\n", 25, target_tokens=10)
    assert inner in chunks[-1].text


def test_the_preamble_before_the_first_heading_is_a_chunk_without_breadcrumb() -> None:
    chunks = packed(f"{some(9)}\n\n# A\n\n{some(12)}\n", 16)
    assert texts(chunks) == [some(9), f"# A\n\n{some(12)}"]
    assert [chunk.breadcrumb for chunk in chunks] == [(), ("A",)]


def test_whole_children_are_packed_greedily_up_to_the_cap() -> None:
    children = [f"## {name}\n\n{some(6, name)}" for name in "BCDE"]
    chunks = packed("# A\n\nIntro.\n\n" + "\n\n".join(children) + "\n", 20, target_tokens=10)
    assert texts(chunks) == [
        "# A\n\nIntro.\n\n" + "\n\n".join(children[:2]),
        "\n\n".join(children[2:]),
    ]
    assert [chunk.breadcrumb for chunk in chunks] == [("A",), ("A",)]


def test_own_content_is_packed_up_to_the_target_only() -> None:
    blocks = [some(5, name) for name in "abcd"]
    chunks = packed("# A\n\n" + "\n\n".join(blocks) + "\n", 18, target_tokens=12)
    assert texts(chunks) == [f"# A\n\n{blocks[0]}\n\n{blocks[1]}", f"{blocks[2]}\n\n{blocks[3]}"]


def test_the_tail_of_the_parent_goes_with_whole_children() -> None:
    text = f"# A\n\n{some(9, 'a')}\n\n{some(6, 'b')}\n\n## B\n\n{some(7, 'c')}\n"
    chunks = packed(text, 18, target_tokens=12)
    assert texts(chunks)[-1] == f"{some(6, 'b')}\n\n## B\n\n{some(7, 'c')}"
    assert chunks[-1].breadcrumb == ("A",)
    assert chunks[-1].sections == (("A", "B"),)


def test_the_tail_of_a_section_never_shares_a_chunk_with_a_sibling() -> None:
    """Such a chunk would need two breadcrumbs."""
    text = f"# A\n\n{some(14, 'a')}\n\n{some(3, 'b')}\n\n# B\n\nText.\n"
    chunks = packed(text, 17)
    assert texts(chunks) == [f"# A\n\n{some(14, 'a')}", some(3, "b"), "# B\n\nText."]


def test_packing_goes_on_with_the_siblings_after_a_child_that_was_cut() -> None:
    long = f"## B\n\n{some(15, 'b')}\n\n{some(10, 'c')}"
    short = "## C\n\nText.\n\n## D\n\nText."
    chunks = packed(f"# A\n\n{long}\n\n{short}\n", 20)
    assert texts(chunks)[-1] == short
    assert chunks[-1].breadcrumb == ("A",)


def test_a_last_crumb_joins_the_group_before_it() -> None:
    text = "# A\n\n" + "\n\n".join([*(some(9, name) for name in "abcd"), some(4, "e")]) + "\n"
    assert [words(c.text) for c in packed(text, 24, target_tokens=20)] == [20, 18, 4]
    chunks = packed(text, 24, target_tokens=20, min_tokens=8)
    assert [words(chunk.text) for chunk in chunks] == [20, 22]


def test_a_last_crumb_takes_from_the_group_before_it_where_joining_is_too_much() -> None:
    text = "# A\n\n" + "\n\n".join([some(7, "a"), some(7, "b"), "c0 c1"]) + "\n"
    chunks = packed(text, 16, min_tokens=6)
    assert texts(chunks) == [f"# A\n\n{some(7, 'a')}", f"{some(7, 'b')}\n\nc0 c1"]


def test_sections_of_headings_alone_are_a_chunk_only_if_there_is_nothing_else() -> None:
    assert texts(packed("# A\n\n## B\n\n## C\n", 16)) == ["# A\n\n## B\n\n## C"]


def test_a_heading_shares_its_chunk_with_the_first_of_what_it_heads() -> None:
    chunks = packed(f"# A\n\n## B\n\n### C\n\n{some(30)}\n", 16)
    assert texts(chunks)[0] == f"# A\n\n## B\n\n### C\n\n{some(10)}"
    assert all(not chunk.text.rstrip().endswith("### C") for chunk in chunks)


def test_a_heading_longer_than_the_cap_is_cut_and_its_text_kept_with_the_last_piece() -> None:
    chunks = packed(f"# {some(40)}\n\nText here.\n", 16)
    assert " ".join(" ".join(texts(chunks)).split()) == f"# {some(40)} Text here."
    assert re.search(r"w39\s+Text here\.", chunks[-1].text)


@pytest.mark.parametrize("target", [2, 8, 16])
@pytest.mark.parametrize("tail", ["", "Text here.\n"])
def test_headings_that_fit_no_chunk_together_are_parted_between_headings(
    target: int, tail: str
) -> None:
    headings = [f"{'#' * level} {some(5, f't{level}x')}" for level in range(1, 7)]
    chunks = packed("\n\n".join([*headings, tail]), 16, target_tokens=target)
    for heading in headings:
        assert sum(heading in chunk.text for chunk in chunks) == 1, heading
    assert not tail or chunks[-1].text.startswith("#"), "the last heading goes with its text"


@pytest.mark.parametrize("target", [4, 12, 40])
def test_headings_are_not_cut_for_a_table_that_has_no_room_after_them(target: int) -> None:
    headings = f"# {some(10, 'a')}\n\n## {some(10, 'b')}\n\n### {some(10, 'c')}"
    table = f"| {some(6, 'k')} |\n|---|\n| {some(30, 'v')} |"
    chunks = packed(f"{headings}\n\n{table}\n", 40, target_tokens=target)
    assert texts(chunks)[0] == headings
    assert all("v" in text.split("|---|")[1] for text in texts(chunks)[1:]), "each piece has words"


def test_a_caption_stays_with_its_table_where_the_headings_above_leave_no_room() -> None:
    headings = f"# {some(10, 'a')}\n\n## {some(10, 'b')}\n\n### {some(8, 'c')}"
    table = f"Table 1: {some(2, 'd')}\n\n| {some(4, 'k')} |\n|---|\n| {some(30, 'v')} |"
    chunks = packed(f"{headings}\n\n{table}\n", 40, target_tokens=12)
    assert texts(chunks)[0] == headings
    assert all("Table 1:" in text for text in texts(chunks)[1:])


def test_a_heading_longer_than_the_cap_is_cut_and_the_next_ones_are_not() -> None:
    short = [f"## {some(4, 'a')}", f"### {some(4, 'b')}"]
    chunks = packed("\n\n".join([f"# {some(40)}", *short, "Text here."]) + "\n", 16)
    assert all(any(heading in chunk.text for chunk in chunks) for heading in short)


@pytest.mark.parametrize("gap", ["\n    ", "\n\n"])
@pytest.mark.parametrize("cap", [50, 56, 64])
def test_a_heading_goes_with_the_first_letters_of_a_script_without_blanks(
    cap: int, gap: str
) -> None:
    """Code is not cut inside a word to stay with a heading, but these scripts have no spaces."""
    title = "".join(map(chr, range(0x5165, 0x5171)))
    line = "".join(map(chr, range(0x6765, 0x6795)))
    chunks = packed(f"## {title}{gap}{line}\n", cap, encoding="cl100k_base")
    assert len(chunks) > 1
    assert chunks[0].text.startswith(f"## {title}{gap}{line[0]}")


@pytest.mark.parametrize("cap", [16, 20, 24])
def test_text_that_has_more_tokens_the_shorter_it_is_cut_stays_within_the_cap(cap: int) -> None:
    """A cut can split a token into several, for example one of Thai letters."""

    def pieces(text: str) -> int:
        return len(text) // 4 + 3 * (len(text) % 4 > 0)

    draw = random.Random(cap)  # noqa: S311 - documents, no secrets
    for _ in range(20):
        line = " ".join("x" * draw.randint(1, 12) for _ in range(40))
        for chunk in packed(f"- {line}\n", cap, encoding=pieces):
            assert pieces(chunk.embed_text) <= cap, line


@pytest.mark.parametrize("mark", ["```", "~~~~"])
@pytest.mark.parametrize("before", ["", "Some text.\n\n", "# A heading of words\n\n"])
def test_an_opening_fence_is_never_alone_however_long_the_word_in_it(
    mark: str, before: str
) -> None:
    word = "-".join(f"p{n}" for n in range(12))
    chunks = packed(f"{before}{mark}\n{word}\n{mark}\n", 20, encoding="cl100k_base")
    assert len(chunks) > 1
    for chunk in chunks:
        assert mark not in chunk.text or "p" in chunk.text.split(mark)[1], chunk.text


def test_separate_sections_are_never_put_together() -> None:
    text = "# A\n\nText a.\n\n## B\n\nText b.\n\n## C\n\nText c.\n"
    chunks = packed(text, 100, sections="separate")
    assert texts(chunks) == ["# A\n\nText a.", "## B\n\nText b.", "## C\n\nText c."]


def test_a_separate_section_keeps_the_headings_that_stand_alone_above_it() -> None:
    """The law against orphaned headings wins over the policy."""
    chunks = packed("# A\n\n## B\n\nText b.\n\n## C\n\nText c.\n", 100, sections="separate")
    assert texts(chunks) == ["# A\n\n## B\n\nText b.", "## C\n\nText c."]


def test_a_heading_stays_with_a_quote_though_the_comment_in_it_is_cut() -> None:
    """Unlike a fence or a table, even half a word of a quote parses as a quote."""
    chunks = packed(f"# Head {some(6)}\n\n> <!-- {some(40)} -->\n", 40, target_tokens=20)
    assert texts(chunks)[0].startswith(f"# Head {some(6)}\n\n> <!-- w0 ")


# -------------------------------------------------------------------- breadcrumb and context


def test_the_breadcrumb_begins_with_the_document_and_ends_at_the_deepest_section() -> None:
    text = f"# A\n\n## *B* & `c`\n\n{some(30)}\n"
    chunks = packed(text, 20, name="d.md")
    assert chunks[-1].breadcrumb == ("d.md", "A", "B & c")
    assert chunks[-1].embed_text == "d.md > A > B & c\n\n" + chunks[-1].text


def test_the_embedded_line_leaves_out_headings_that_are_in_the_text() -> None:
    text = f"# A\n\n{some(9, 'a')}\n\n## B\n\n{some(13, 'b')}\n"
    chunks = packed(text, 18, name="d.md")
    assert [chunk.embed_text for chunk in chunks] == [
        f"d.md\n\n# A\n\n{some(9, 'a')}",
        f"d.md > A\n\n## B\n\n{some(13, 'b')}",
    ]
    assert [chunk.breadcrumb for chunk in chunks] == [("d.md", "A"), ("d.md", "A", "B")]


def test_without_anything_to_say_the_embedded_text_is_the_text() -> None:
    (chunk,) = packed("Only words.\n", 16)
    assert chunk.embed_text == chunk.text == "Only words."


def test_a_breadcrumb_above_half_the_cap_loses_its_outermost_entries() -> None:
    text = f"# {some(7, 'a')}\n\n## {some(7, 'b')}\n\n{some(60)}\n"
    chunks = packed(text, 20)
    assert all(words(chunk.embed_text) <= 20 for chunk in chunks)
    assert chunks[-2].embed_text == f"{some(7, 'b')}\n\n{chunks[-2].text}"
    assert chunks[-2].breadcrumb == (some(7, "a"), some(7, "b")), "the record keeps all of it"
    assert words(chunks[-2].text) == 13, "the body takes what the breadcrumb leaves"


def test_a_heading_that_is_parted_from_a_table_makes_no_room_for_its_header() -> None:
    header = f"| {some(27, 'c')} | b |\n|---|---|"
    text = f"# {some(28, 'h')}\n\n{header}\n| {some(60)} | x |\n"
    first, *pieces = packed(text, 64, name="d.md")
    assert first.embed_text == f"d.md\n\n# {some(28, 'h')}"
    assert all(piece.text.startswith(header) for piece in pieces)


def test_no_heading_is_repeated_before_the_long_header_that_begins_a_piece_of_a_table() -> None:
    """Together they would leave no room for a row; the breadcrumb names the heading."""
    table = f"| {some(27, 'c')} | d |\n|---|---|\n| {some(60)} | x |\n"
    text = f"# {some(28, 'h')}\n\n{said(6)}\n\n{table}"
    pieces = [chunk for chunk in packed(text, 64, repeat_heading=True) if chunk.tables]
    assert len(pieces) > 1
    for chunk in pieces:
        assert "# h0" not in chunk.text
        assert "| w" in chunk.text or " w" in chunk.text


def test_a_long_heading_is_shortened_with_an_ellipsis_in_the_embedded_line() -> None:
    chunks = packed(f"# {some(12, 'a')}\n\n{some(60)}\n", 20)
    line = chunks[-1].embed_text.split("\n\n")[0]
    assert line.endswith("…")
    assert some(12, "a").startswith(line[:-1])
    assert 0 < words(line) <= 10


def test_a_repeated_heading_begins_each_continuation() -> None:
    text = f"# A\n\n## B {{#b}}\n\n{said(8)}\n"
    chunks = packed(text, 20, repeat_heading=True)
    assert len(chunks) > 1
    for chunk in chunks[1:]:
        assert chunk.text.startswith("## B {#b}\n\n")
        assert roles(chunk) == ["heading", "glue", "body"]
        assert chunk.embed_text == "A\n\n" + chunk.text
        assert "## B" not in chunk.lexical_text


# -------------------------------------------------------------------- overlap


def test_a_heading_is_not_repeated_where_a_table_needs_the_room() -> None:
    text = f"# {some(7, 'h')}\n\n{some(4)}\n\n| {some(5)} |\n|---|\n| a b |\n"
    chunks = packed(text, 18, repeat_heading=True)
    assert texts(chunks)[1:] == [f"| {some(5)} |\n|---|\n| a b |"]


def test_an_overlap_is_whole_sentences_of_the_chunk_before() -> None:
    chunks = packed(f"# H\n\n{said(8)}\n", 20, overlap_tokens=7)
    assert len(chunks) > 2
    for before, chunk in pairwise(chunks):
        overlap = chunk.segments[0]
        assert overlap.role == "overlap"
        assert overlap.text.strip() in before.text
        assert re.match(r"Sentence\d", overlap.text)
        assert chunk.has_overlap
        assert chunk.overlap_tokens == words(overlap.text) == 5
        assert overlap.text not in chunk.lexical_text
    assert not chunks[0].has_overlap


def test_an_overlap_separator_stands_on_a_line_of_its_own() -> None:
    chunks = packed(f"# H\n\n{said(8)}\n", 24, overlap_tokens=7, overlap_separator="---")
    overlap, glue, body = chunks[1].segments
    assert (overlap.role, glue.text, body.role) == ("overlap", "\n\n---\n\n", "body")


def test_of_a_sentence_too_long_the_overlap_is_the_last_words() -> None:
    chunks = packed(f"# H\n\n{said(8, 9)}\n", 20, overlap_tokens=5)
    for before, chunk in pairwise(chunks):
        overlap = chunk.segments[0].text
        assert roles(chunk)[0] == "overlap"
        assert words(overlap) == 5
        assert before.text.endswith(overlap.rstrip())


def test_a_sentence_that_fits_is_not_cut_to_leave_room_for_an_overlap() -> None:
    first, second = f"{some(8, 'a').capitalize()}.", f"{some(9, 'b').capitalize()}."
    chunks = packed(f"{first} {second} {first}\n", 10, target_tokens=10, overlap_tokens=4)
    assert [chunk.lexical_text for chunk in chunks] == [first, second, first]


def test_an_overlap_is_never_half_a_row() -> None:
    rows = "".join(f"| r{number} | v{number} |\n" for number in range(12))
    chunks = packed(f"| key | val |\n|---|---|\n{rows}", 40, overlap_tokens=12)
    assert any(chunk.has_overlap for chunk in chunks)
    for chunk in chunks:
        assert chunk.text.startswith("| key | val |\n|---|---|\n")
        for segment in chunk.segments:
            if segment.role == "overlap":
                assert re.fullmatch(r"(\| r\d+ \| v\d+ \|\s*)+", segment.text)


def test_an_overlap_is_never_half_a_fence() -> None:
    code = "```py\n" + "".join(f"line {n} of code\n" for n in range(9)) + "```"
    text = f"{said(4)}\n\n{code}\n\n{said(9)}\n"
    for chunk in packed(text, 30, overlap_tokens=10):
        assert chunk.text.count("```") % 2 == 0


def test_an_overlap_does_not_begin_with_what_would_be_read_as_markdown() -> None:
    """Right after the table the line is HTML, and not an item that contains the quote."""
    code = "".join(f"  > {some(6)}\n" for _ in range(12))
    text = f"<table><tr><td>{some(36)}</td></tr></table>\n- Words:\n\n  > ```\n{code}  > ```\n"
    chunks = packed(text, 40, overlap_tokens=12)
    assert len(chunks) > 2
    assert not any(
        segment.text.startswith("- Words")
        for chunk in chunks
        for segment in chunk.segments
        if segment.role == "overlap"
    )
    report = audit(text, chunks, max_tokens=40, encoding=words, overlap_tokens=12)
    assert report.ok, report.table()


def test_an_overlap_reaches_back_over_no_heading() -> None:
    text = f"# A\n\n{some(12, 'a')}.\n\n## B\n\nb.\n\n## C\n\n{some(12, 'c')}.\n"
    for chunk in packed(text, 16, overlap_tokens=4):
        assert "#" not in "".join(s.text for s in chunk.segments if s.role == "overlap")


# -------------------------------------------------------------------- tables

TABLE = "| key | val |\n|:---|---:|\n" + "".join(f"| r{n} | v{n} |\n" for n in range(1, 9))


def test_each_piece_of_a_table_has_the_header_and_knows_its_rows() -> None:
    chunks = packed(TABLE, 26)
    assert len(chunks) > 1
    rows: list[int] = []
    for part, chunk in enumerate(chunks, 1):
        (table,) = chunk.tables
        rows.extend(range(table.row_start, table.row_end + 1))
        assert chunk.text.startswith("| key | val |\n|:---|---:|\n")
        assert re.findall(r"r(\d)", chunk.text) == [
            str(row) for row in range(table.row_start, table.row_end + 1)
        ]
        assert (table.columns, table.row_count) == (("key", "val"), 8)
        assert (table.part, table.parts, table.cell_part) == (part, len(chunks), None)
        assert chunk.kinds == ("table",)
    assert rows == list(range(1, 9))
    assert len({chunk.tables[0].id for chunk in chunks}) == 1
    assert roles(chunks[1])[0] == "table_header"


def test_a_row_above_the_budget_is_cut_by_cells_with_its_key_repeated() -> None:
    long = f"| r1 | {some(9, 'a')} | {some(9, 'b')} |"
    text = f"| key | a | b |\n|---|---|---|\n{long}\n| r2 | x | y |\n"
    chunks = packed(text, 26)
    pieces = [chunk for chunk in chunks if chunk.tables[0].cell_part]
    assert [piece.tables[0].cell_part for piece in pieces] == list(range(1, len(pieces) + 1))
    assert len(pieces) > 1
    for piece in pieces:
        header, marks, row = piece.text.split("\n")
        assert (header, marks) == ("| key | a | b |", "|---|---|---|")
        assert row.startswith("| r1 |")
        assert row.count("|") == 4, "each piece is a row of all columns"
    assert "r2" not in "".join(piece.text for piece in pieces)
    assert chunks[-1].tables[0].cell_part is None


def test_escaped_pipes_part_no_cells() -> None:
    text = f"| k | v |\n|---|---|\n| a \\| b | {some(30)} |\n"
    for chunk in packed(text, 24):
        assert chunk.text.split("\n")[2].startswith("| a \\| b |")


def test_tables_to_be_kept_are_whole_and_marked() -> None:
    chunks = packed(f"# A\n\n{TABLE}\n{some(14)}\n", 20, oversize_table="keep")
    kept = next(chunk for chunk in chunks if chunk.tables)
    assert TABLE.strip() in kept.text
    assert kept.oversize
    assert kept.embed_token_count > 20
    assert not any(chunk.oversize for chunk in chunks if chunk is not kept)


def test_text_before_a_heading_goes_not_before_a_kept_table_with_its_caption() -> None:
    text = f"Crumb.\n\n# A\n\nTable 1: Sizes.\n\n{TABLE}"
    before, kept = packed(text, 20, oversize_table="keep", min_tokens=8)
    assert before.text == "Crumb."
    assert kept.oversize
    assert kept.text.startswith("# A\n\nTable 1")


def test_a_table_that_fits_is_not_called_oversize() -> None:
    (chunk,) = packed(TABLE, 200, oversize_table="keep")
    assert not chunk.oversize


def test_a_line_of_odd_blanks_alone_is_no_chunk() -> None:
    """A no-break space begins a paragraph, but is not text."""
    text = f"\u00a0\n{some(8)}\n{some(8)}\n"
    chunks = packed(text, 8, target_tokens=4, overlap_tokens=2)
    assert all(chunk.text.strip() for chunk in chunks)
    assert len(chunks) == 2


@pytest.mark.parametrize("mark", ["> ", "- "])
def test_a_mark_is_not_parted_from_the_table_that_it_begins(mark: str) -> None:
    """Only a heading, not a marker, may be separated from a table whose first word has no room."""
    lines = ["| k | v |", "|---|---|", f"| {'x' * 50} | y |"]
    following = mark if mark == "> " else "  "
    text = f"# {'Title ' * 4}\n\n{mark}" + f"\n{following}".join(lines)
    heading, first = packed(text, 60, encoding=letters)[:2]
    assert heading.text == f"# {'Title ' * 4}".rstrip()
    assert first.text.startswith(f"{mark}| k | v |\n")


def test_text_before_a_heading_does_not_part_a_list_from_its_lead_in() -> None:
    listed = f"# A\n\nLead-in:\n\n- {some(6)}\n- {some(6)}"
    chunks = packed(f"Some crumb.\n\n{listed}\n\n{some(12)}\n", 18, min_tokens=8)
    assert texts(chunks) == ["Some crumb.", listed, some(12)]


@pytest.mark.parametrize("length", range(6, 12))
def test_no_flag_is_cut_to_leave_some_text_after_a_tag(length: int) -> None:
    cell = f'<td class="{"x" * length}">{"🇩🇪" * 4} b</td>'
    text = f"<table>\n<tr><td>a</td>{cell}</tr>\n</table>\n"
    for chunk in packed(text, 24, encoding=letters):
        assert chunk.text.count("🇩") == chunk.text.count("🇪")


# -------------------------------------------------------------------- code

CODE = "~~~~python title=x\n" + "".join(f"line {n} a b\n" for n in range(9)) + "~~~~"


def test_each_piece_of_code_has_the_original_fence_and_info() -> None:
    chunks = packed(CODE + "\n", 20)
    assert len(chunks) > 1
    for chunk in chunks:
        lines = chunk.text.split("\n")
        assert (lines[0], lines[-1]) == ("~~~~python title=x", "~~~~")
        assert all(line.startswith("line") for line in lines[1:-1])
        assert len(lines) > 2
    assert "".join(c.lexical_text for c in chunks).count("line") == 9


def test_code_is_cut_at_blank_lines_before_lines() -> None:
    groups = [f"{some(3, name)}\n{some(3, name)}" for name in "abc"]
    chunks = packed("```\n" + "\n\n".join(groups) + "\n```\n", 16, target_tokens=11)
    assert texts(chunks) == [f"```\n{group}\n```" for group in groups]


@pytest.mark.parametrize("after", ["", " "])
def test_an_indented_closing_fence_stands_after_some_of_the_code(after: str) -> None:
    text = f"```\n{'a' * 8} {'b' * 4}{after}\n   ```\n"
    (_, last) = packed(text, 22, encoding=letters)
    assert last.text == "```\nbbbb" + after + "\n   ```"


@pytest.mark.parametrize("cap", range(24, 40))
def test_a_closing_fence_in_a_quote_stands_after_some_of_the_code(cap: int) -> None:
    """Even if the quote continues with an empty line, which is no code."""
    text = f"> ```\n> {'a' * 9}({'b' * 9}(\n> ```\n>\n"
    chunks = packed(text, cap, encoding=letters)
    assert all(re.search("[ab(]", chunk.text) for chunk in chunks)


def test_an_unclosed_fence_is_closed_in_each_piece_but_the_last() -> None:
    chunks = packed("```sh\n" + "echo a b c\n" * 9, 18)
    assert all(chunk.text.startswith("```sh\n") for chunk in chunks)
    assert all(chunk.text.endswith("\n```") for chunk in chunks[:-1])


def test_code_to_be_kept_is_whole_and_marked() -> None:
    chunks = packed(f"Intro.\n\n{CODE}\n\nOutro.\n", 16, oversize_code="keep")
    (kept,) = [chunk for chunk in chunks if chunk.oversize]
    assert CODE in kept.text


@pytest.mark.parametrize("between", ["", " and "])
def test_formulas_on_one_line_are_cut_between_two(between: str) -> None:
    """A line of several formulas is closed only at its end: ``$$`` on the next line closes none."""
    formulas = [f"$${some(5, name)}$$" for name in "abcde"]
    line = between.join(formulas)
    chunks = packed(line + "\n", 12)
    assert len(chunks) > 1
    assert all(chunk.text.endswith("$$") for chunk in chunks)
    assert audit(line, chunks, encoding=words, max_tokens=12).ok


@pytest.mark.parametrize("mark", ["+", "-", "#", "12.", "3)", ">x", "```", "~~~", "$$x"])
def test_an_overlap_does_not_begin_with_what_would_be_a_mark(mark: str) -> None:
    text = f"{some(12)} {mark} b c\n```\nCode.\n```\n"
    chunks = packed(text, 16, overlap_tokens=3)
    assert [chunk.overlap_tokens for chunk in chunks] == [0, 2]
    assert chunks[1].text.startswith("b c\n```")


# -------------------------------------------------------------------- lists, quotes, sentences


@pytest.mark.parametrize(
    "text",
    [
        f"- one\n  - two\n\n    {said(6)}\n",
        f"12. one\n\n    * {said(6)}\n",
        f"> - quoted item\n>\n>   {said(6)}\n",
        f"- > {said(6)}\n",
        "- a\n\n  ```\n" + "".join(f"  Sentence{n} code is here\n" for n in range(6)) + "  ```\n",
        "1. a\n   - b\n     - c\n" + "".join(f"     - Sentence{n} in d\n" for n in range(6)),
        f"-\tone\n\n\t{said(6)}\n",
    ],
)
def test_pieces_of_a_nested_item_keep_marker_and_nesting(text: str) -> None:
    """A piece parsed alone nests its text the way the whole document does."""
    chunks = packed(text, 16)
    assert len(chunks) > 1
    for chunk in chunks:
        for word in re.findall(r"Sentence\d", chunk.lexical_text):
            assert nesting(chunk.text, word) == nesting(text, word)


def test_lists_are_cut_between_items() -> None:
    items = [f"- item{n} {some(4)}" for n in range(6)]
    chunks = packed("\n".join(items) + "\n", 18)
    assert texts(chunks) == ["\n".join(items[:3]), "\n".join(items[3:])]


def test_pieces_of_a_quote_keep_its_mark() -> None:
    lines = "\n".join(f"> Sentence{n} {some(4)}." for n in range(8))
    chunks = packed(lines + "\n", 16)
    assert len(chunks) > 1
    assert all(line.startswith(">") for chunk in chunks for line in chunk.text.split("\n"))


@pytest.mark.parametrize("blanks", [" ", "  ", "    "])
def test_the_mark_of_a_quoted_line_goes_with_its_text_and_not_with_the_line_before(
    blanks: str,
) -> None:
    chunks = packed("".join(f">{blanks}Sentence{n} {some(4)}.\n" for n in range(8)), 16)
    assert len(chunks) > 1
    for chunk in chunks:
        assert chunk.text.startswith(">")
        assert not chunk.text.endswith(">")


def test_paragraphs_are_cut_between_sentences() -> None:
    text = "It holds (see Fig. 3). The valve opens at 3.5 bar! Does it? Yes, e.g. at night. End it."
    starts = [chunk.text.split(" ", 1)[0] for chunk in packed(text * 3, 16, target_tokens=5)]
    assert set(starts) <= {"It", "The", "Does", "Yes,", "End"}


def test_cjk_paragraphs_are_cut_between_sentences() -> None:
    sentences = ["这是第一个句子。", "第二个比较长一些！", "真的吗？", "最后一个句子。"]
    chunks = packed("".join(sentences * 3), 20, encoding=letters)
    assert len(chunks) > 1
    assert all(chunk.text[-1] in "。！？" for chunk in chunks)


def test_a_sentence_above_the_budget_is_cut_between_words() -> None:
    chunks = packed(some(50), 16)
    assert " ".join(texts(chunks)) == some(50)


def test_words_in_letters_as_wide_as_those_of_cjk_are_cut_between_words() -> None:
    wide = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}
    words = (
        "Optimization of water extraction and alcohol precipitation of polysaccharide by response"
    )
    text = " ".join(word.translate(wide) for word in words.split())
    for cap in range(38, 64):
        chunks = pack(text, max_tokens=cap, target_tokens=cap, min_tokens=1)
        assert text.split() == [word for chunk in chunks for word in chunk.text.split()]


def test_a_word_above_the_budget_is_cut_between_grapheme_clusters() -> None:
    family = "👨\u200d👩\u200d👧\u200d👦"
    chunks = packed(family * 12, 30, encoding=letters)
    assert "".join(texts(chunks)) == family * 12
    assert all(len(chunk.text) % len(family) == 0 for chunk in chunks)


# -------------------------------------------------------------------- the record


def test_ids_are_uuids_and_equal_bodies_are_told_apart_by_occurrence() -> None:
    text = "# A\n\nSame text.\n\n# A\n\nSame text.\n\n# A\n\nSame text.\n"
    chunks = packed(text, 16, sections="separate")
    assert len(chunks) == 3
    assert len({uuid.UUID(chunk.id) for chunk in chunks}) == 3
    fewer = packed(text.replace("# A\n\nSame text.\n\n", "", 1), 16, sections="separate")
    assert [chunk.id for chunk in fewer] == [chunk.id for chunk in chunks[:2]]


def test_the_hash_is_that_of_the_text() -> None:
    (chunk,) = packed("Grüße.\n", 16)
    assert chunk.content_hash == hashlib.sha256("Grüße.".encode()).hexdigest()


def test_kinds_and_lines_say_what_a_chunk_holds() -> None:
    text = (
        "# A\n\ntext\n\n| a |\n|---|\n| 1 |\n\n- x\n\n"
        "```\ny\n```\n\n$$\nz\n$$\n\n> q\n\n![i](j)\n\n<div>\n"
    )
    (chunk,) = packed(text, 100)
    assert set(chunk.kinds) == {"text", "table", "list", "code", "math", "quote", "figure", "html"}
    assert chunk.lines == (1, len(text.rstrip().split("\n")))


def test_front_matter_is_metadata_of_each_chunk_and_listed_as_skipped() -> None:
    text = f"---\ntitle: T\n---\n\n# A\n\n{some(30)}\n"
    chunks = packed(text, 16)
    assert all(chunk.metadata == {"title": "T"} for chunk in chunks)
    assert "title" not in "".join(texts(chunks))
    ((entry,), *others) = [chunk.skipped for chunk in chunks]
    assert (text[slice(*entry.span)], entry.reason) == ("---\ntitle: T\n---", "front matter")
    assert not any(others)


def test_front_matter_can_stay_in_the_text() -> None:
    (chunk,) = packed("---\ntitle: T\n---\n\nText.\n", 16, front_matter="text")
    assert chunk.text == "---\ntitle: T\n---\n\nText."
    assert chunk.metadata == {}


def test_without_clauses_their_fields_are_empty() -> None:
    (chunk,) = packed("# 5.1 Tests\n\nSee 5.2.\n", 16, clauses=False)
    assert (chunk.clause_number, chunk.clause_path, chunk.clauses) == (None, (), ())
    assert (chunk.references, chunk.pages, chunk.parent_id, chunk.level) == ((), (), None, 0)


def test_chunks_go_to_json_lines_and_back() -> None:
    chunks = packed(f"# A\n\n{TABLE}\n{said(9)}\n", 20, overlap_tokens=5)
    lines = chunks.to_jsonl()
    assert lines.count("\n") == len(chunks)
    assert Chunks.from_jsonl(lines) == chunks


# -------------------------------------------------------------------- ways to call


def test_text_path_source_and_document_give_the_same_chunks(tmp_path: Path) -> None:
    text = f"# A\n\n{said(9)}\n"
    path = tmp_path / "d.md"
    path.write_text(text, encoding="utf-8")
    config = PackConfig(max_tokens=32)
    expected = pack(text, config, name="d.md")
    assert pack(path, config) == expected
    assert pack(Source(text, "d.md"), config) == expected
    assert pack(parse(text, name="d.md"), config) == expected
    assert Packer(config).pack(path) == expected


def test_a_name_given_goes_before_the_sources_own() -> None:
    for source in ("Text.", Source("Text.", "old.md"), parse("Text.", name="old.md")):
        (chunk,) = pack(source, name="new.md")
        assert (chunk.document, chunk.breadcrumb) == ("new.md", ("new.md",))
        assert chunk.id == pack("Text.", name="new.md")[0].id


def test_metadata_given_goes_before_the_documents_own() -> None:
    source = Source("---\na: 1\nb: 1\nc: 1\n---\nText.", metadata={"b": 2, "c": 2})
    (chunk,) = pack(source, metadata={"c": 3})
    assert chunk.metadata == {"a": 1, "b": 2, "c": 3}


def test_a_document_keeps_the_encoding_it_was_parsed_with() -> None:
    document = parse("Some text here.", encoding=words)
    assert pack(document)[0].token_count == 3
    assert pack(document, PackConfig())[0].token_count == 4


# -------------------------------------------------------------------- settings


@pytest.mark.parametrize(
    ("settings", "numbers"),
    [
        ({"max_tokens": 15}, ("15", "16")),
        ({"max_tokens": -1}, ("-1", "16")),
        ({"max_tokens": 256, "target_tokens": 300}, ("300", "256")),
        ({"target_tokens": 100, "overlap_tokens": 100}, ("100", "overlap_tokens")),
        ({"target_tokens": 100, "overlap_tokens": 120}, ("120", "100")),
        ({"target_tokens": 100, "min_tokens": 101}, ("101", "100")),
    ],
)
def test_limits_that_make_no_sense_are_refused_with_both_numbers(
    settings: dict[str, int], numbers: tuple[str, str]
) -> None:
    with pytest.raises(ValidationError) as caught:
        PackConfig.model_validate(settings)
    message = caught.value.errors()[0]["msg"]
    assert all(number in message for number in numbers)


def test_unknown_settings_are_refused() -> None:
    with pytest.raises(ValidationError, match="chunk_size"):
        PackConfig.model_validate({"chunk_size": 100})


def test_settings_are_frozen() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        PackConfig().max_tokens = 5  # type: ignore[misc]


def test_limits_not_given_follow_from_the_cap() -> None:
    config = PackConfig(max_tokens=100)
    assert (config.target_tokens, config.min_tokens) == (100, 50)
    assert (PackConfig().target_tokens, PackConfig().min_tokens) == (512, 64)


def test_a_word_that_fills_the_text_is_not_searched_for_its_end_at_each_cut(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """This search once took a third of the time for a megabyte of letters without a space."""
    searched = 0

    class Noted:
        def search(self, text: str, start: int, end: int) -> re.Match[str] | None:
            nonlocal searched
            searched += max(0, min(end, len(text)) - start)
            return re.compile(r"\s").search(text, start, end)

    monkeypatch.setattr("treepack.packing.split.words._BLANK", Noted())
    draw = random.Random(4)  # noqa: S311 - the same each time
    text = "".join(draw.choices("abcdefgh", k=60_000))

    chunks = pack(text, PackConfig(target_tokens=64, max_tokens=128))

    assert len(chunks) > 100
    assert 0 < searched <= 4 * len(text)


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["cl100k_base", len])
def test_what_packing_needs_is_gone_with_its_chunks(encoding: str | TokenCounter) -> None:
    """In a reference cycle, each tree and its counts would stay until the next collection."""
    text = (
        "# A\n\n"
        + "A sentence of words. " * 60
        + "\n\n```\n"
        + "x = 1\n" * 90
        + "```\n\n| a | b |\n|---|---|\n"
        + "| one | two |\n" * 60
        + "\n> quoted\n\n- item\n\n  - inner\n"
        + "\nAll parts:\n\n"
        + "- a part with a name\n\n  - and more of it\n" * 60
    )
    config = PackConfig(target_tokens=64, max_tokens=128, overlap_tokens=16, encoding=encoding)
    pack(text, config)
    gc.collect()
    with gc_paused():
        pack(text, config)
        assert gc.collect() == 0


@pytest.mark.parametrize("sign", ["", "a"])
def test_a_run_of_letters_is_counted_a_few_times_for_each_cut(
    sign: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No cut in it is safe; finding the target by counts alone would take thirteen per piece."""
    letters = random.Random(1).choices("abcdefghijklmnopqrstuvwxyz", k=60_000)  # noqa: S311 - no secret
    text = sign * len(letters) or "".join(letters)
    sent: list[int] = []
    encode = EncodingCounter.encode_piece

    def recorded(counter: EncodingCounter, piece: str) -> list[int]:
        sent.append(len(piece))
        return encode(counter, piece)

    monkeypatch.setattr(EncodingCounter, "encode_piece", recorded)

    assert "".join(chunk.lexical_text for chunk in pack(Source(text))) == text
    assert len(text) < sum(sent) < 6 * len(text)


def test_a_document_is_packed_alike_whatever_encoding_it_was_parsed_with() -> None:
    """Its blocks are counted in another encoding, but only the encoding of packing matters."""
    text = f"## {'試験装置の規格および測定方法' * 2}\n\n" + "A sentence of some words. " * 60
    for cap in range(32, 160, 8):
        config = PackConfig(
            target_tokens=cap, max_tokens=cap, encoding="o200k_base", repeat_heading=True
        )
        assert pack(parse(text, encoding="cl100k_base"), config) == pack(text, config)


PROSE = "{}. {mark} not code here."
TABLE_AND_MORE = "<table><tr><td>{}</td></tr>\n</table>\n{mark} b"


@pytest.mark.parametrize("mark", ["```", "~~~~"])
@pytest.mark.parametrize("opening", [PROSE, TABLE_AND_MORE])
def test_a_mark_of_a_fence_in_text_turns_nothing_after_it_into_code(
    mark: str, opening: str
) -> None:
    code = "".join(f"line{n} = {n} ;\n" for n in range(40))
    text = f"{opening.format(some(28), mark=mark)}\n\n{mark}\n{code}{mark}\n\n# Title\n\nText.\n"
    chunks = packed(text, 30, markup="markdown")
    assert audit(text, chunks, max_tokens=30, encoding=words).ok
    for chunk in chunks:
        starts = [line for line in chunk.text.splitlines() if line.startswith(mark)]
        assert len(starts) % 2 == 0 or "line" not in chunk.text
        assert len(starts) % 2 == 0 or "Title" not in chunk.text


def test_an_overlap_set_apart_does_not_begin_with_a_fence_in_a_quote() -> None:
    text = f"- > {said(5)}\n  >\n  > ```\n  > x\n  > ```\n  >\n  > ````\n  > {some(16)}\n  > ````\n"
    chunks = packed(text, 30, overlap_tokens=12, overlap_separator="***")
    assert len(chunks) > 1
    assert audit(text, chunks, max_tokens=30, overlap_tokens=12, encoding=words).ok
    for chunk in chunks:
        for segment in chunk.segments:
            assert segment.role != "overlap" or not segment.text.startswith("```")


def test_an_overlap_set_apart_is_not_the_mark_that_closes_a_container() -> None:
    """It would open a container, inside which blank lines end the HTML of a table."""
    text = f"::: note\n{some(20)}\n:::\n\n<table>\n\n<tr><td>{some(8)}</td></tr>\n</table>\n"
    chunks = packed(text, 24, overlap_tokens=8, overlap_separator="---")
    assert len(chunks) > 1
    assert not any(":::" in segment.text for segment in chunks[-1].segments)
    assert audit(text, chunks, max_tokens=24, overlap_tokens=8, encoding=words).ok


@pytest.mark.parametrize("size", range(20, 34))
def test_no_text_is_carried_before_a_heading_that_takes_the_room_of_the_path(size: int) -> None:
    text = f"# Guide\n\nText.\n\n## {some(size)}\n\nIntro.\n\n### B\n\n{said(12)}\n"
    chunks = packed(text, 40, name="the-pumps.md", min_tokens=4)
    assert audit(text, chunks, name="the-pumps.md", max_tokens=40, encoding=words).ok


@pytest.mark.parametrize("size", [12, 13, 14])
def test_no_text_is_carried_before_a_lead_in_that_takes_the_room_of_the_name(size: int) -> None:
    text = f"{some(size)}.\n\n# Parts\n\n{some(8)}:\n- {some(20)}. {some(20)}.\n"
    chunks = packed(text, 32, name="all about the pump.md", min_tokens=15)
    assert chunks[0].embed_text.startswith("all about the pump.md\n\n")
    assert audit(text, chunks, name="all about the pump.md", max_tokens=32, encoding=words).ok


@pytest.mark.parametrize("size", range(8, 14))
@pytest.mark.parametrize("overlap", [0, 8, 16])
def test_text_is_carried_before_what_begins_its_chunk_and_not_what_would_begin_another(
    size: int, overlap: int
) -> None:
    """At the beginning of the document no overlap takes room, so the list stays with its lead-in.

    The check whether the text fits before them once assumed that the heading began the chunk.
    """
    text = f"{some(6)}.\n\n# {some(size)}\n\n{some(7)}:\n- {some(20)}. {some(20)}.\n"
    chunks = packed(text, 32, name="d.md", min_tokens=16, overlap_tokens=overlap)
    assert chunks[0].embed_text.startswith("d.md\n\n")
    assert chunks.audit().findings == ()


@pytest.mark.parametrize("size", range(8, 20, 2))
def test_a_point_is_cut_before_it_is_parted_from_the_headings_above_it(size: int) -> None:
    """A lead-in may be separated from its point, but no heading, even if it ends with a colon."""
    headings = f"Section 19: {some(2)}\n=======\n### {some(6)}\n## {some(3)}\n## Use:\n"
    text = f"{headings}(a) {some(size)}, {some(5)}.\n"
    chunks = packed(text, 32, "d.md", repeat_heading=True)
    assert chunks.audit().findings == ()


def test_what_closes_a_fence_takes_the_room_of_a_breadcrumb_once() -> None:
    """The closing fence was once counted twice: with the quotes' markers and with its opening."""
    code = "".join(f"> > > value_{number} = {number}\n" for number in range(3))
    text = f"> Read this first.\n>\n> > > ~~~c title='x'\n{code}"
    chunks = pack(Source(text, "d.md"), max_tokens=32, target_tokens=32, min_tokens=0)
    fence = next(chunk for chunk in chunks if "value_0" in chunk.text)
    assert fence.embed_text.startswith("d.md\n\n")
    assert chunks.audit().findings == ()


def test_a_text_that_is_cut_for_what_closes_it_stays_within_the_cap() -> None:
    """A run of dashes without its last one has more tokens, because no token has that length."""
    for number in range(6, 24):
        text = f"## {'A title ' * number}\n>{'-' * 48}\n>\n"
        for cap in (16, 24, 32, 40, 48):
            chunks = pack(Source(text), max_tokens=cap, target_tokens=8, min_tokens=0)
            assert all(chunk.embed_token_count <= cap for chunk in chunks)
            assert "".join(chunk.lexical_text for chunk in chunks).count("-") == 48


def test_the_audit_wants_a_breadcrumb_before_a_fence_that_leaves_it_room() -> None:
    code = "".join(f"call_{number}()\n" for number in range(20))
    source = f"# Title\n\n{said(6)}\n\n```py\n{code}```\n"
    chunks = packed(source, 36, "d.md")
    place = next(at for at, chunk in enumerate(chunks) if chunk.text.startswith("```py"))
    assert chunks.audit().findings == ()
    text = chunks[place].text
    bare = chunks[place].model_copy(update={"embed_text": text, "embed_token_count": words(text)})
    spoilt = [*chunks[:place], bare, *chunks[place + 1 :]]
    found = audit(source, spoilt, max_tokens=36, encoding=words).findings
    assert {finding.law for finding in found} == {3}


def test_headings_keep_a_lead_in_that_has_no_room_for_its_list_below_them() -> None:
    """Kept with the list, it once left no room for the headings, and the first one was alone."""
    for size in range(16, 34):
        text = f"## A\n### {some(size)}\nThe device needs:\n\n99. {some(60)}\n"
        chunks = packed(text, 40)
        assert chunks[0].text.startswith("## A\n### w0"), size
        assert chunks.audit().findings == (), size


ADMONITION = ("!!! note\n", "    ", "\n")
CONTAINER = ("::: note\n", "", "\n:::\n")
HOLDERS = pytest.mark.parametrize("holder", [ADMONITION, CONTAINER], ids=["!!!", ":::"])


def held(holder: tuple[str, str, str], text: str) -> str:
    """A text inside a construct: its opening, the prefix of each line, its closing."""
    opening, prefix, closing = holder
    return f"{opening}{indent(text, prefix)}{closing}"


@HOLDERS
@pytest.mark.parametrize("separator", [None, "---"])
def test_an_overlap_inside_a_container_is_whole_sentences(
    holder: tuple[str, str, str], separator: str | None
) -> None:
    """An overlap that is set apart comes before the opening of the container."""
    text = held(holder, "\n\n".join([said(4)] * 4))
    chunks = packed(text, 32, markup="markdown", overlap_tokens=5, overlap_separator=separator)
    assert len(chunks) == 4
    sentence, opening = "Sentence3 w0 w1 w2 w3.", holder[0]
    begun = f"{sentence}\n\n---\n\n{opening}" if separator else f"{opening}{holder[1]}{sentence}"
    for chunk in chunks[2:]:
        assert chunk.text.startswith(begun)
        assert chunk.overlap_tokens == 5
    assert audit(text, chunks, max_tokens=32, encoding=words, overlap_tokens=5).ok


@HOLDERS
def test_a_mark_of_a_fence_in_a_container_turns_no_text_below_it_into_code(
    holder: tuple[str, str, str],
) -> None:
    text = held(holder, f"{some(20)}. ``` {some(5)}.\n\n{some(8, 'v')}.")
    chunks = packed(text, 24, markup="markdown")
    assert not any("``` w0" in chunk.text and "v7" in chunk.text for chunk in chunks)
    assert audit(text, chunks, max_tokens=24, encoding=words).ok
