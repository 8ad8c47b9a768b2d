"""Charts of Word and Docling become tables with their titles: no value is lost in silence."""

import warnings
from typing import Any

import pytest
from case_files import case_table
from docling_documents import Doc, cell
from docx_files import docx, p, r, related, table, tc, tr

from treepack import Source, pack, read
from treepack.errors import LeftOutWarning
from treepack.readers.docling.reader import read_docling

CHART_SCHEMA = "http://schemas.openxmlformats.org/drawingml/2006/chart"
NEWER_SCHEMA = "http://schemas.microsoft.com/office/drawing/2014/chartex"
DRAWING_SCHEMA = "http://schemas.openxmlformats.org/drawingml/2006/main"
NAMESPACES = f'xmlns:c="{CHART_SCHEMA}" xmlns:a="{DRAWING_SCHEMA}" xmlns:cx="{NEWER_SCHEMA}"'


WORD: dict[str, str] = {
    name: part.replace("<c:chartSpace>", f"<c:chartSpace {NAMESPACES}>")
    for name, part in case_table("charts", "word").items()
}
DRAWING = f'<w:r><w:drawing><c:chart {NAMESPACES} r:id="chart"/></w:drawing></w:r>'


def word_file(part: str | None, body: str = "") -> bytes:
    """A Word document with a chart; if ``part`` is None, the file of the chart is missing."""
    data = docx(body or p(r("Before.") + DRAWING) + p("After."))
    relation = '<Relationship Id="chart" Type="OFFICE/chart" Target="charts/chart1.xml"/>'
    return related(data, relation, {} if part is None else {"word/charts/chart1.xml": part})


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("bars", "Sales (Quarter, EUR)//  | North | South // Q1 | 1.5 |  // Q2 | 2 | 4 "),
        ("scatter", "Sales//  |  |  // A | 1 | 10 // A | 2 | 20 // B | 7 | 70 "),
        ("levels", "Sales//  | N // 2024 Q1 | 1 // Q2 | 2 "),
    ],
)
def test_a_word_chart_becomes_a_table(name: str, expected: str) -> None:
    caption, header, *rows = expected.split("//")
    lines = [f"|{header}|", "| --- " * (header.count("|") + 1) + "|", *(f"|{row}|" for row in rows)]
    table = "\n".join(lines)
    assert (
        read(word_file(WORD[name]), "docx").text == f"Before.\n\n*{caption}*\n\n{table}\n\nAfter.\n"
    )
    assert read(word_file(WORD["empty"]), "docx").text == "Before.\n\n*Sales*\n\nAfter.\n"


def test_a_word_chart_in_a_table_cell_becomes_lines_of_the_cell() -> None:
    body = table(tr(tc(""), tc("b")), tr(f"<w:tc><w:p>{DRAWING}</w:p></w:tc>", tc("b")))
    text = read(word_file(WORD["cell"], body), "docx").text
    assert "| Sales<br>N<br>Q1; 1 | b |" in text


def test_a_chart_is_read_instead_of_its_fallback_text() -> None:
    body = (
        f'<w:p><w:r><mc:AlternateContent><mc:Choice Requires="c14"><w:drawing>'
        f'<c:chart {NAMESPACES} r:id="chart"/></w:drawing></mc:Choice><mc:Fallback>'
        "<w:t>No chart here.</w:t></mc:Fallback></mc:AlternateContent></w:r></w:p>"
    )
    assert read(word_file(WORD["empty"], body), "docx").text == "*Sales*\n"


@pytest.mark.parametrize(
    ("part", "message"),
    [
        (None, "word/charts/chart1.xml is not in the file"),
        ("<broken", "is not well-formed XML"),
        (WORD["without a title"], "has no values that can be read"),
        (f"<cx:chartSpace {NAMESPACES}/>", "has no values that can be read"),  # of Word 2016
    ],
)
def test_an_unreadable_word_chart_is_left_out_with_a_warning(
    part: str | None, message: str
) -> None:
    with pytest.warns(LeftOutWarning, match=message):
        assert read(word_file(part), "docx").text == "Before.\n\nAfter.\n"


def test_sparse_series_of_a_chart_are_not_padded() -> None:
    many = "".join(WORD["one series of many"].replace("{n}", str(at)) for at in range(2000))
    text = read(word_file(WORD["sparse"].replace("{}", many)), "docx").text
    assert text.count("\n| s") == 2000
    assert len(text) < 100_000


AT = [("Year", 0, 0), ("Sales", 0, 1), ("2024", 1, 0), ("3", 1, 1)]
CELLS = [cell(text, row, column, column_header=row == 0) for text, row, column in AT]
DATA = {"num_rows": 2, "num_cols": 2, "table_cells": CELLS}
TABLE = "| Year | Sales |\n| --- | --- |\n| 2024 | 3 |\n"


def picture(**more: Any) -> Source:  # noqa: ANN401 - values of JSON
    doc = Doc()
    doc.text("Before.")
    doc.add("pictures", label="picture", **more)
    doc.text("After.")
    return read_docling(doc.record, "a")


OLDER = {"kind": "tabular_chart_data", "title": "Sales", "chart_data": DATA}
META = {"meta": {"tabular_chart": OLDER}}


@pytest.mark.parametrize("found", [META, {"annotations": [OLDER]}, META | {"annotations": [OLDER]}])
def test_a_docling_chart_becomes_a_table_once(found: dict[str, Any]) -> None:
    source = picture(**found)
    assert source.text == f"Before.\n\n![](#/pictures/0)\n\n*Sales*\n\n{TABLE}\nAfter.\n"
    [made] = pack(source)[0].tables
    assert made.caption == "Sales"


@pytest.mark.parametrize(("found", "warning"), case_table("charts", "without_tables"))
def test_a_docling_chart_without_a_table_does_not_stop_the_document(
    found: dict[str, Any], warning: str
) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", LeftOutWarning)
        text = picture(**found).text
    assert (text[:7], text[-7:]) == ("Before.", "After.\n")
    assert [warning in str(each.message) for each in caught] == [True] * bool(warning)
