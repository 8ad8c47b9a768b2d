"""Tables of Word documents: merged cells, header rows, cells with content, and captions.

Every document is made here from raw XML.
"""

import pytest
from docx_files import (
    docx,
    num,
    p,
    table,
    tc,
    tr,
)
from docx_texts import LIST, only_table, text_of

from treepack import parse, read
from treepack.model.blocks import Table


def wide(text: str, columns: int = 2, more: str = "") -> str:
    return tc(text, f'<w:gridSpan w:val="{columns}"/>{more}')


BEGUN, GOES_ON = '<w:vMerge w:val="restart"/>', "<w:vMerge/>"


@pytest.mark.parametrize(
    ("rows", "body"),
    [
        # a cell over columns is written once, one over rows in each of them
        (
            [tr("A", "B", "C"), tr(wide("wide"), tc("tall", BEGUN)), tr("x", "y", tc("", GOES_ON))],
            ["| wide |  | tall |", "| x | y | tall |"],
        ),
        ([tr("A", "B", "C"), tr("late", more='<w:gridBefore w:val="2"/>')], ["|  |  | late |"]),
        (
            [
                tr("A", "B", "C"),
                tr(tc("a", BEGUN), wide("b")),
                tr(tc("", GOES_ON), "c", tc("d", BEGUN)),
                tr(wide("e"), tc("", GOES_ON)),
            ],
            ["| a | b |  |", "| a | c | d |", "| e |  | d |"],
        ),
        # a cell that continues nothing is read; a deleted one is not
        ([tr("A", "B"), tr(tc("kept", GOES_ON), tc("gone", "<w:cellDel/>"))], ["| kept |  |"]),
        (
            [
                tr("A", "B"),
                tr("x", "y", more="<w:del/>"),
                tr("h", "i", more="<w:hidden/>"),
                tr("1", "2"),
            ],
            ["| 1 | 2 |"],
        ),
    ],
)
def test_merged_and_deleted_cells_have_their_places(rows: list[str], body: list[str]) -> None:
    assert text_of(table(*rows)).split("\n")[2:-1] == body


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


TEXTS = p("Kop", "berschrift1") + p("Eerste.") + p("Tweede.")
READ = "# Kop\n\nEerste.\n\nTweede.\n"


@pytest.mark.parametrize(
    "rows",
    [
        [tr(tc(TEXTS))],
        [tr(tc(TEXTS), more="<w:tblHeader/>")],  # a frame
        [tr(tc(p("Kop", "berschrift1"))), tr(tc(p("Eerste.") + p("Tweede.")))],
        [tr(tc(p()), tc(TEXTS), tc(p()))],  # beside spacers
        [tr(tc(p())), tr(f"<w:tc>{table(tr(tc(TEXTS)))}</w:tc>")],
    ],
)
def test_a_table_that_only_places_text_is_read_as_text(rows: list[str]) -> None:
    assert text_of(table(*rows)) == READ


@pytest.mark.parametrize(
    "rows",
    [
        [tr("Colours"), tr("red"), tr("blue")],  # single lines
        [tr("Rules", more="<w:tblHeader/>"), tr(tc(p("One.") + p("Two.")))],
        [tr(tc(TEXTS), "1"), tr("x", "2")],  # a heading style in a cell of data
    ],
)
def test_a_column_of_lines_a_marked_header_and_data_stay_tables(rows: list[str]) -> None:
    assert len(only_table(docx(table(*rows)))[1].rows) == len(rows) - 1


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


ROWS = table(tr("A", "B"), tr("1", "2"))
LABELS = [p(f"Tabelle {number} x{number}", "Beschriftung") for number in (1, 2, 3)]
PICTURE = p('<w:r><w:drawing><a:blip r:embed="picture"/></w:drawing></w:r>')


@pytest.mark.parametrize(
    ("body", "captions"),
    [
        ("".join(label + ROWS for label in LABELS), [1, 2, 3]),
        ("".join(ROWS + label for label in LABELS), [1, 2, 3]),
        (LABELS[0] + ROWS + p("x") + ROWS, [1, 0]),
        (p("Abbildung 1: Werte", "Beschriftung") + ROWS, [0]),
    ],
)
def test_a_caption_belongs_to_the_table_below_or_above(body: str, captions: list[int]) -> None:
    blocks = [b for section in parse(read(docx(body), "docx")).root.walk() for b in section.blocks]
    expected = [f"Tabelle {number} x{number}" if number else "" for number in captions]
    assert [block.caption for block in blocks if isinstance(block, Table)] == expected


def test_a_caption_without_a_label_belongs_to_the_table_below_but_not_to_a_picture() -> None:
    caption = p("Eine Ente", "Beschriftung")
    assert only_table(docx(caption + ROWS))[1].caption == "Eine Ente"
    assert only_table(docx(PICTURE + caption + ROWS))[1].caption == ""
