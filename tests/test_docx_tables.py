"""Tables of Word documents: merged cells, header rows, cells with content, and captions.

Every document is made here from raw XML.
"""

import pytest
from docx_files import (
    docx,
    field,
    h,
    num,
    p,
    r,
    table,
    tc,
    tr,
)
from docx_texts import LIST, only_table, text_of

from treepack import parse
from treepack.model.blocks import Table
from treepack.readers.docx.reader import read_docx


def test_cells_merged_with_hmerge_are_read() -> None:
    """Word 97 wrote ``hMerge``; a cell may also continue one above that does not exist."""
    wide = tc("wide", '<w:hMerge w:val="restart"/>') + tc("", "<w:hMerge/>")
    row = f"<w:tr>{wide}{tc('lost', '<w:vMerge/>')}{tc('gone', '<w:cellDel/>')}</w:tr>"
    text = text_of(table(tr("A", "B", "C", "D"), row))
    assert text.split("\n")[2] == "| wide | wide |  |  |"


def test_a_cell_merged_down_from_the_header_does_not_shift_its_neighbours() -> None:
    merge_start, merged = '<w:vMerge w:val="restart"/>', "<w:vMerge/>"
    wide = '<w:gridSpan w:val="2"/>'
    head = f"<w:tr>{tc('a', merge_start)}{tc('b', wide)}</w:tr>"
    row = f"<w:tr>{tc('', merged)}{tc('c')}{tc('d', merge_start)}</w:tr>"
    last = f"<w:tr>{tc('e', wide)}{tc('', merged)}</w:tr>"
    assert text_of(table(head, row, last)) == (
        "| a | b |  |\n| --- | --- | --- |\n| a | c | d |\n| e | e | d |\n"
    )


# -------------------------------------------------------------------- tables


def test_the_text_of_a_merged_cell_is_repeated_in_every_cell_it_covers() -> None:
    data = docx(
        table(
            tr("A", "B", "C"),
            tr(tc("wide", '<w:gridSpan w:val="2"/>'), tc("tall", '<w:vMerge w:val="restart"/>')),
            tr("x", "y", tc("", "<w:vMerge/>")),
            tr("late", more='<w:gridBefore w:val="2"/>'),
        )
    )
    text, found = only_table(data)
    assert found.columns == ("A", "B", "C")
    assert text.split("\n")[2:5] == [
        "| wide | wide | tall |",
        "| x | y | tall |",
        "|  |  | late |",
    ]


def test_several_marked_header_rows_are_read_as_header_rows() -> None:
    mark = "<w:tblHeader/>"
    data = docx(
        table(
            tr(
                tc("Class", '<w:vMerge w:val="restart"/>'),
                tc("Limit", '<w:gridSpan w:val="2"/>'),
                more=mark,
            ),
            tr(tc("", "<w:vMerge/>"), "Min", "Max", more=mark),
            tr("A", "1", "2"),
        )
    )
    _, found = only_table(data)
    assert (found.header_rows, len(found.rows)) == (2, 1)
    assert found.columns == ("Class", "Min", "Max")


def test_an_unmarked_header_with_a_vertically_merged_cell_has_two_rows() -> None:
    data = docx(
        table(
            tr(tc("Class", '<w:vMerge w:val="restart"/>'), tc("Limit", '<w:gridSpan w:val="2"/>')),
            tr(tc("", "<w:vMerge/>"), "Min", "Max"),
            tr("A", "1", "2"),
            tr("B", "3", "4"),
        )
    )
    assert only_table(data)[1].header_rows == 2


def test_a_table_without_first_row_formatting_has_no_header() -> None:
    text = text_of(table(tr("a", "b"), tr("c", "d"), look='<w:tblLook w:val="0480"/>'))
    assert text == "|  |  |\n| --- | --- |\n| a | b |\n| c | d |\n"


def test_deleted_and_hidden_rows_are_left_out() -> None:
    text = text_of(
        table(
            tr("A", "B"),
            tr("x", "y", more="<w:del/>"),
            tr("h", "i", more="<w:hidden/>"),
            tr("1", "2"),
        )
    )
    assert text == "| A | B |\n| --- | --- |\n| 1 | 2 |\n"


def test_a_table_with_one_cell_is_read_as_its_content() -> None:
    assert text_of(table(tr(tc(h(1, "a") + p("x"))))) == "# a\n\nx\n"


def test_lists_lines_and_tables_inside_a_cell_are_read() -> None:
    inner = table(tr("p", "q"), tr("r", "s"))
    cell = tc(p("one", number=(1, 0)) + p("two", number=(1, 0)) + inner + p())
    text = text_of(table(tr("A", "B"), tr(cell, "x")), numbering=LIST + num(1, 1))
    assert text.split("\n")[2] == "| 1. one<br>2. two<br>p; q<br>r; s | x |"


def test_rows_and_cells_in_content_controls_are_read() -> None:
    control = "<w:sdt><w:sdtContent>{}</w:sdtContent></w:sdt>"
    row = f"<w:tr>{control.format(tc('1'))}{tc('2')}</w:tr>"
    text = text_of(table(tr("A", "B"), control.format(row)))
    assert text == "| A | B |\n| --- | --- |\n| 1 | 2 |\n"


SEQUENCE = p(r("Tabelle ") + field("SEQ Tabelle", r("1")) + r(": Grenzwerte"), "Beschriftung")


@pytest.mark.parametrize("is_above", [True, False])
def test_a_caption_paragraph_belongs_to_the_adjacent_table(is_above: bool) -> None:  # noqa: FBT001 - a parameter
    rows = table(tr("A", "B"), tr("1", "2"))
    _, found = only_table(docx(SEQUENCE + rows if is_above else rows + SEQUENCE))
    assert found.caption == "Tabelle 1: Grenzwerte"


def test_captions_below_tables_stay_with_their_own_table() -> None:
    rows = table(tr("A", "B"), tr("1", "2"))
    captions = [p(f"Table {number} x{number}", "Beschriftung") for number in (1, 2, 3)]
    source = read_docx(docx("".join(rows + caption for caption in captions)), "a.docx")
    blocks = [block for section in parse(source).root.walk() for block in section.blocks]
    found = [block.caption for block in blocks if isinstance(block, Table)]
    assert found == ["Table 1 x1", "Table 2 x2", "Table 3 x3"]


def test_a_figure_caption_is_not_taken_for_a_table_caption() -> None:
    figure = p("Abbildung 1: Eine Ente", "Beschriftung")
    assert text_of(figure + table(tr("A", "B"), tr("1", "2"))).startswith(
        "Abbildung 1: Eine Ente\n\n| A"
    )
