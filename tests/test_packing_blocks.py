"""How packing cuts tables, code, lists, quotes and sentences."""

import re

import pytest
from by_eye import letters, nesting, packed, roles, sentences, some, texts, words
from packing_texts import HOLDERS, TABLE, enclosed

from treepack import audit, pack

# -------------------------------------------------------------------- tables


def test_each_piece_of_a_table_has_the_header_and_records_its_rows() -> None:
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


def test_escaped_pipes_do_not_separate_cells() -> None:
    text = f"| k | v |\n|---|---|\n| a \\| b | {some(30)} |\n"
    for chunk in packed(text, 24):
        assert chunk.text.split("\n")[2].startswith("| a \\| b |")


def test_a_kept_table_is_whole_and_marked_as_oversize() -> None:
    chunks = packed(f"# A\n\n{TABLE}\n{some(14)}\n", 20, oversize_table="keep")
    kept = next(chunk for chunk in chunks if chunk.tables)
    assert TABLE.strip() in kept.text
    assert kept.oversize
    assert kept.embed_token_count > 20
    assert not any(chunk.oversize for chunk in chunks if chunk is not kept)


def test_text_before_a_heading_is_not_merged_with_a_kept_table() -> None:
    text = f"Crumb.\n\n# A\n\nTable 1: Sizes.\n\n{TABLE}"
    before, kept = packed(text, 20, oversize_table="keep", min_tokens=8)
    assert before.text == "Crumb."
    assert kept.oversize
    assert kept.text.startswith("# A\n\nTable 1")


def test_a_table_that_fits_is_not_marked_as_oversize() -> None:
    (chunk,) = packed(TABLE, 200, oversize_table="keep")
    assert not chunk.oversize


def test_a_line_of_only_a_no_break_space_is_not_a_chunk() -> None:
    """A no-break space begins a paragraph, but is not text."""
    text = f"\u00a0\n{some(8)}\n{some(8)}\n"
    chunks = packed(text, 8, target_tokens=4, overlap_tokens=2)
    assert all(chunk.text.strip() for chunk in chunks)
    assert len(chunks) == 2


@pytest.mark.parametrize("mark", ["> ", "- "])
def test_a_quote_or_list_marker_is_not_separated_from_its_table(mark: str) -> None:
    """Only a heading, not a marker, may be separated from a table whose first word has no room."""
    lines = ["| k | v |", "|---|---|", f"| {'x' * 50} | y |"]
    following = mark if mark == "> " else "  "
    text = f"# {'Title ' * 4}\n\n{mark}" + f"\n{following}".join(lines)
    heading, first = packed(text, 60, encoding=letters)[:2]
    assert heading.text == f"# {'Title ' * 4}".rstrip()
    assert first.text.startswith(f"{mark}| k | v |\n")


def test_text_before_a_heading_does_not_separate_a_list_from_its_lead_in() -> None:
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


def test_each_piece_of_code_has_the_original_fence_and_info_string() -> None:
    chunks = packed(CODE + "\n", 20)
    assert len(chunks) > 1
    for chunk in chunks:
        lines = chunk.text.split("\n")
        assert (lines[0], lines[-1]) == ("~~~~python title=x", "~~~~")
        assert all(line.startswith("line") for line in lines[1:-1])
        assert len(lines) > 2
    assert "".join(c.lexical_text for c in chunks).count("line") == 9


def test_code_is_cut_at_blank_lines_rather_than_other_lines() -> None:
    groups = [f"{some(3, name)}\n{some(3, name)}" for name in "abc"]
    chunks = packed("```\n" + "\n\n".join(groups) + "\n```\n", 16, target_tokens=11)
    assert texts(chunks) == [f"```\n{group}\n```" for group in groups]


@pytest.mark.parametrize("after", ["", " "])
def test_an_indented_closing_fence_comes_after_some_code(after: str) -> None:
    text = f"```\n{'a' * 8} {'b' * 4}{after}\n   ```\n"
    (_, last) = packed(text, 22, encoding=letters)
    assert last.text == "```\nbbbb" + after + "\n   ```"


@pytest.mark.parametrize("cap", range(24, 40))
def test_a_closing_fence_in_a_quote_comes_after_some_code(cap: int) -> None:
    """Even if the quote continues with an empty line, which is no code."""
    text = f"> ```\n> {'a' * 9}({'b' * 9}(\n> ```\n>\n"
    chunks = packed(text, cap, encoding=letters)
    assert all(re.search("[ab(]", chunk.text) for chunk in chunks)


def test_an_unclosed_fence_is_closed_in_each_piece_but_the_last() -> None:
    chunks = packed("```sh\n" + "echo a b c\n" * 9, 18)
    assert all(chunk.text.startswith("```sh\n") for chunk in chunks)
    assert all(chunk.text.endswith("\n```") for chunk in chunks[:-1])


def test_kept_code_is_whole_and_marked_as_oversize() -> None:
    chunks = packed(f"Intro.\n\n{CODE}\n\nOutro.\n", 16, oversize_code="keep")
    (kept,) = [chunk for chunk in chunks if chunk.oversize]
    assert CODE in kept.text


@pytest.mark.parametrize("between", ["", " and "])
def test_a_line_of_formulas_is_cut_between_formulas(between: str) -> None:
    """A line of several formulas is closed only at its end: ``$$`` on the next line closes none."""
    formulas = [f"$${some(5, name)}$$" for name in "abcde"]
    line = between.join(formulas)
    chunks = packed(line + "\n", 12)
    assert len(chunks) > 1
    assert all(chunk.text.endswith("$$") for chunk in chunks)
    assert audit(line, chunks, encoding=words, max_tokens=12).ok


# -------------------------------------------------------------------- lists, quotes, sentences


@pytest.mark.parametrize(
    "text",
    [
        f"- one\n  - two\n\n    {sentences(6)}\n",
        f"12. one\n\n    * {sentences(6)}\n",
        f"> - quoted item\n>\n>   {sentences(6)}\n",
        f"- > {sentences(6)}\n",
        "- a\n\n  ```\n" + "".join(f"  Sentence{n} code is here\n" for n in range(6)) + "  ```\n",
        "1. a\n   - b\n     - c\n" + "".join(f"     - Sentence{n} in d\n" for n in range(6)),
        f"-\tone\n\n\t{sentences(6)}\n",
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


def test_pieces_of_a_quote_keep_its_marker() -> None:
    lines = "\n".join(f"> Sentence{n} {some(4)}." for n in range(8))
    chunks = packed(lines + "\n", 16)
    assert len(chunks) > 1
    assert all(line.startswith(">") for chunk in chunks for line in chunk.text.split("\n"))


@pytest.mark.parametrize("spaces", [" ", "  ", "    "])
def test_a_quote_marker_stays_with_its_line_and_not_the_previous_one(
    spaces: str,
) -> None:
    chunks = packed("".join(f">{spaces}Sentence{n} {some(4)}.\n" for n in range(8)), 16)
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


def test_text_in_full_width_letters_is_cut_between_words() -> None:
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


# -------------------------------------------------------------------- settings


PROSE = "{}. {mark} not code here."


TABLE_AND_MORE = "<table><tr><td>{}</td></tr>\n</table>\n{mark} b"


@pytest.mark.parametrize("mark", ["```", "~~~~"])
@pytest.mark.parametrize("opening", [PROSE, TABLE_AND_MORE])
def test_fence_characters_in_text_do_not_turn_later_text_into_code(mark: str, opening: str) -> None:
    code = "".join(f"line{n} = {n} ;\n" for n in range(40))
    text = f"{opening.format(some(28), mark=mark)}\n\n{mark}\n{code}{mark}\n\n# Title\n\nText.\n"
    chunks = packed(text, 30, markup="markdown")
    assert audit(text, chunks, max_tokens=30, encoding=words).ok
    for chunk in chunks:
        starts = [line for line in chunk.text.splitlines() if line.startswith(mark)]
        assert len(starts) % 2 == 0 or "line" not in chunk.text
        assert len(starts) % 2 == 0 or "Title" not in chunk.text


@HOLDERS
def test_fence_characters_in_a_container_do_not_turn_later_text_into_code(
    holder: tuple[str, str, str],
) -> None:
    text = enclosed(holder, f"{some(20)}. ``` {some(5)}.\n\n{some(8, 'v')}.")
    chunks = packed(text, 24, markup="markdown")
    assert not any("``` w0" in chunk.text and "v7" in chunk.text for chunk in chunks)
    assert audit(text, chunks, max_tokens=24, encoding=words).ok
