"""How packing cuts tables, code, lists, quotes and sentences."""

import re

import pytest
from by_eye import letters, nesting, packed, roles, sentences, some, texts
from packing_texts import TABLE

from treepack import pack

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


def test_text_before_a_heading_does_not_separate_a_list_from_its_lead_in() -> None:
    listed = f"# A\n\nLead-in:\n\n- {some(6)}\n- {some(6)}"
    chunks = packed(f"Some crumb.\n\n{listed}\n\n{some(12)}\n", 18, min_tokens=8)
    assert texts(chunks) == ["Some crumb.", listed, some(12)]


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


@pytest.mark.parametrize("after", ["", " "])
def test_an_indented_closing_fence_comes_after_some_code(after: str) -> None:
    text = f"```\n{'a' * 8} {'b' * 4}{after}\n   ```\n"
    (_, last) = packed(text, 22, encoding=letters)
    assert last.text == "```\nbbbb" + after + "\n   ```"


def test_an_unclosed_fence_is_closed_in_each_piece_but_the_last() -> None:
    chunks = packed("```sh\n" + "echo a b c\n" * 9, 18)
    assert all(chunk.text.startswith("```sh\n") for chunk in chunks)
    assert all(chunk.text.endswith("\n```") for chunk in chunks[:-1])


def test_kept_code_is_whole_and_marked_as_oversize() -> None:
    chunks = packed(f"Intro.\n\n{CODE}\n\nOutro.\n", 16, oversize_code="keep")
    (kept,) = [chunk for chunk in chunks if chunk.oversize]
    assert CODE in kept.text


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
