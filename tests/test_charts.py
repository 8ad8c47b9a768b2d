"""Charts of Word and Docling become tables with their titles: no value is lost in silence."""

import io
import zipfile
from typing import Any

import pytest
from docling_documents import Doc
from docx_files import archive, docx

from treepack import Source, pack, read
from treepack.errors import LeftOutWarning
from treepack.readers.docling.reader import read_docling

CHART = "http://schemas.openxmlformats.org/drawingml/2006/chart"
NEWER = "http://schemas.microsoft.com/office/drawing/2014/chartex"
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
NAMES = f'xmlns:c="{CHART}" xmlns:a="{DRAWING}" xmlns:cx="{NEWER}"'


def title(text: str) -> str:
    runs = "".join(f"<a:r><a:t>{word}</a:t></a:r>" for word in text.split(" "))
    return f"<c:title><c:tx><c:rich><a:p>{runs}</a:p></c:rich></c:tx></c:title>" if text else ""


def points(values: dict[int, str], wrapped: str = "c:numCache") -> str:
    inside = "".join(f'<c:pt idx="{at}"><c:v>{v}</c:v></c:pt>' for at, v in values.items())
    return f"<{wrapped}>{inside}</{wrapped}>"


def series(name: str, labels: str, values: dict[int, str], kinds: str = "cat val") -> str:
    cat, val = kinds.split()
    named = (
        f"<c:tx><c:strRef><c:strCache><c:pt><c:v>{name}</c:v></c:pt></c:strCache></c:strRef></c:tx>"
    )
    return f"<c:ser>{named}<c:{cat}>{labels}</c:{cat}><c:{val}>{points(values)}</c:{val}></c:ser>"


def chart(*of: str, name: str = "Sales", axes: str = "") -> str:
    plot = f"<c:plotArea><c:barChart>{''.join(of)}</c:barChart>{axes}</c:plotArea>"
    return f"<c:chartSpace {NAMES}><c:chart>{title(name)}{plot}</c:chart></c:chartSpace>"


def drawing(prefix: str = "c") -> str:
    return f'<w:r><w:drawing><{prefix}:chart {NAMES} r:id="chart"/></w:drawing></w:r>'


def word(part: str | None, body: str = "") -> bytes:
    """A Word document with a chart; if ``part`` is None, the file of the chart is missing."""
    said = "<w:r><w:t>{}</w:t></w:r>"
    body = (
        body or f"<w:p>{said.format('Before.')}{drawing()}</w:p><w:p>{said.format('After.')}</w:p>"
    )
    with zipfile.ZipFile(io.BytesIO(docx(body))) as packed:
        files = {name: packed.read(name) for name in packed.namelist()}
    relation = f'<Relationship Id="chart" Type="{OFFICE}/chart" Target="charts/chart1.xml"/>'
    name = "word/_rels/document.xml.rels"
    files[name] = files[name].replace(b"</Relationships>", f"{relation}</Relationships>".encode())
    if part is not None:
        files["word/charts/chart1.xml"] = part.encode()
    return archive(files)


NEWER_CHART = f"""<cx:chartSpace {NAMES}>
    <cx:chartData><cx:data id='0'>
        <cx:strDim type='cat'><cx:lvl><cx:pt idx='0'>a</cx:pt><cx:pt idx='1'>b</cx:pt></cx:lvl>
        </cx:strDim>
        <cx:numDim type='val'><cx:lvl><cx:pt idx='0'>3</cx:pt><cx:pt idx='1'>4</cx:pt></cx:lvl>
        </cx:numDim>
    </cx:data></cx:chartData>
    <cx:chart>
        <cx:title><cx:tx><cx:rich><a:p><a:r><a:t>Tree</a:t></a:r></a:p></cx:rich></cx:tx></cx:title>
        <cx:plotArea><cx:series><cx:tx><cx:txData><cx:v>Size</cx:v></cx:txData></cx:tx></cx:series>
        </cx:plotArea>
    </cx:chart>
</cx:chartSpace>"""


def table(caption: str, *rows: str) -> str:
    header, *body = [f"|{row}|\n" for row in rows]
    rule = "| --- " * (header.count("|") - 1)
    return f"*{caption}*\n\n{header}{rule}|\n{''.join(body)}"


QUARTERS = points({0: "Q1", 1: "Q2"}, "c:strCache")
AXES = f"<c:catAx>{title('Quarter')}</c:catAx><c:valAx>{title('EUR')}</c:valAx>"


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (
            chart(
                series("North", QUARTERS, {0: "1.5", 1: "2"}),
                series("South", QUARTERS, {1: "4"}),
                axes=AXES,
            ),
            table("Sales (EUR)", " Quarter | North | South ", " Q1 | 1.5 |  ", " Q2 | 2 | 4 "),
        ),
        (
            chart(
                series("A", points({0: "1", 1: "2"}), {0: "10", 1: "20"}, "xVal yVal"),
                series("B", points({0: "7"}), {0: "70"}, "xVal yVal"),
                name="",
                axes=f"<c:valAx>{title('x')}</c:valAx><c:valAx>{title('y')}</c:valAx>",
            ),
            table("y", "  | x |  ", " A | 1 | 10 ", " A | 2 | 20 ", " B | 7 | 70 "),
        ),
        (
            chart(
                series(
                    "N",
                    "<c:multiLvlStrCache>"
                    f"{points({0: 'Q1', 1: 'Q2', 2: 'Q1'}, 'c:lvl')}"
                    f"{points({0: '2024', 2: '2025'}, 'c:lvl')}</c:multiLvlStrCache>",
                    {0: "1", 1: "2", 2: "3"},
                ),
            ),
            table("Sales", "  | N ", " 2024 Q1 | 1 ", " 2024 Q2 | 2 ", " 2025 Q1 | 3 "),
        ),
        (chart(), "Sales\n"),
        (
            NEWER_CHART,
            table("Tree", "  | Size ", " a | 3 ", " b | 4 "),
        ),
    ],
)  # fmt: skip
def test_a_chart_in_word_is_a_table(part: str, expected: str) -> None:
    assert read(word(part), "docx").text == f"Before.\n\n{expected}\nAfter.\n"


def test_a_chart_in_a_cell_is_lines_of_it() -> None:
    cell = f"<w:tc><w:p>{drawing()}</w:p></w:tc><w:tc><w:p><w:r><w:t>b</w:t></w:r></w:p></w:tc>"
    part = chart(series("N", QUARTERS, {0: "1"}))
    text = read(word(part, f"<w:tbl><w:tr>{cell}</w:tr></w:tbl>"), "docx").text
    assert "| Sales<br>; N<br>Q1; 1 | b |" in text


def test_a_chart_of_a_newer_kind_is_taken_and_not_the_note_that_stands_for_it() -> None:
    body = (
        f'<w:p><w:r><mc:AlternateContent><mc:Choice Requires="cx1"><w:drawing>'
        f'<cx:chart {NAMES} r:id="chart"/></w:drawing></mc:Choice><mc:Fallback><w:t>No chart here.'
        "</w:t></mc:Fallback></mc:AlternateContent></w:r></w:p>"
    )
    assert read(word(chart(), body), "docx").text == "Sales\n"


@pytest.mark.parametrize(
    ("part", "said"),
    [
        (None, "word/charts/chart1.xml is not in the file"),
        ("<broken", "is no well-formed XML"),
        (chart(name=""), "has neither title nor values"),
    ],
)
def test_a_chart_that_cannot_be_read_costs_no_document(part: str | None, said: str) -> None:
    with pytest.warns(LeftOutWarning, match=said):
        assert read(word(part), "docx").text == "Before.\n\nAfter.\n"


def test_a_chart_of_many_series_with_few_points_fills_in_no_more_than_they_have() -> None:
    many = [series(f"s{at}", QUARTERS, {at: "1"}) for at in range(2000)]
    text = read(word(chart(*many)), "docx").text
    assert text.count("\n| s") == 2000
    assert len(text) < 100_000


# -------------------------------------------------------------------- Docling


def cell(text: str, row: int, column: int, *, header: bool = False) -> dict[str, Any]:
    return {
        "text": text,
        "start_row_offset_idx": row,
        "end_row_offset_idx": row + 1,
        "start_col_offset_idx": column,
        "end_col_offset_idx": column + 1,
        "column_header": header,
    }


DATA = {
    "num_rows": 2,
    "num_cols": 2,
    "table_cells": [
        cell("Year", 0, 0, header=True),
        cell("Sales", 0, 1, header=True),
        cell("2024", 1, 0),
        cell("3", 1, 1),
    ],
}
TABLE = "| Year | Sales |\n| --- | --- |\n| 2024 | 3 |\n"
LABELS = {"x_axis_label": "Year", "y_axis_label": "EUR"}


def picture(**more: Any) -> Source:  # noqa: ANN401 - values of JSON
    doc = Doc()
    doc.text("Before.")
    doc.add("pictures", label="picture", **more)
    doc.text("After.")
    return read_docling(doc.record, "a")


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        ({"kind": "tabular_chart_data", "title": "Sales", "chart_data": DATA}, TABLE),
        (
            {"kind": "bar_chart_data", **LABELS, "bars": [{"label": "2024", "values": 3.0}]},
            "| Year | EUR |\n| --- | --- |\n| 2024 | 3 |\n",
        ),
        (
            {
                "kind": "line_chart_data",
                **LABELS,
                "lines": [{"label": "N", "values": [[2023, 1.5], [2024, 2]]}],
            },
            "|  | Year | EUR |\n| --- | --- | --- |\n| N | 2023 | 1.5 |\n| N | 2024 | 2 |\n",
        ),
        (
            {
                "kind": "stacked_bar_chart_data",
                **LABELS,
                "stacked_bars": [{"label": ["2024", "a"], "values": [["N", 1], ["S", 2]]}],
            },
            "|  | Year | EUR |\n| --- | --- | --- |\n| 2024, a | N | 1 |\n| 2024, a | S | 2 |\n",
        ),
        (
            {"kind": "pie_chart_data", "slices": [{"label": "N", "value": 0.5}]},
            "|  |  |\n| --- | --- |\n| N | 0.5 |\n",
        ),
        (
            {"kind": "scatter_chart_data", **LABELS, "points": [{"value": [1, 2.5]}]},
            "| Year | EUR |\n| --- | --- |\n| 1 | 2.5 |\n",
        ),
    ],
)
def test_a_chart_of_docling_is_a_table(annotation: dict[str, object], expected: str) -> None:
    source = picture(annotations=[{"title": "Sales", **annotation}])
    assert f"*Sales*\n\n{expected}\nAfter.\n" in source.text
    [made] = pack(source)[0].tables
    assert made.caption == "Sales"


def test_a_chart_that_both_schemas_say_is_written_once() -> None:
    said = {"title": "Sales", "chart_data": DATA}
    source = picture(
        meta={"tabular_chart": said}, annotations=[{"kind": "tabular_chart_data", **said}]
    )
    assert source.text.count(TABLE) == 1


def test_a_chart_of_docling_that_contradicts_itself_costs_no_document() -> None:
    with pytest.warns(LeftOutWarning, match="annotations/0/bars"):
        source = picture(annotations=[{"kind": "bar_chart_data", "title": "T", "bars": 3}])
    assert "After." in source.text


@pytest.mark.parametrize("kind", [["bar_chart_data"], {}, 3, None])
def test_an_annotation_of_a_strange_kind_is_no_chart(kind: object) -> None:
    assert picture(annotations=[{"kind": kind, "title": "T"}]).text.startswith("Before.")


@pytest.mark.parametrize("said", [None, 3, [3], [[3]], [{"label": 3, "values": 4}], [{}]])
@pytest.mark.parametrize("kind", ["bar_chart_data", "line_chart_data", "scatter_chart_data"])
@pytest.mark.filterwarnings("ignore::treepack.errors.LeftOutWarning")
def test_strange_values_of_a_chart_cost_no_document(kind: str, said: object) -> None:
    marks = dict.fromkeys(("bars", "lines", "points"), said)
    assert picture(annotations=[{"kind": kind, "title": "T", **marks}]).text.endswith("After.\n")


def test_a_chart_without_data_costs_no_document() -> None:
    with pytest.warns(LeftOutWarning, match="chart_data"):
        source = picture(meta={"tabular_chart": {"title": "T"}})
    assert source.text.endswith("After.\n")
