"""Charts of Word and Docling become tables with their titles: no value is lost in silence."""

from typing import Any

import pytest
from docling_documents import Doc
from docx_files import archive, docx, unpacked

from treepack import Source, pack, read
from treepack.errors import LeftOutWarning
from treepack.readers.docling.reader import read_docling

CHART_SCHEMA = "http://schemas.openxmlformats.org/drawingml/2006/chart"
NEWER_SCHEMA = "http://schemas.microsoft.com/office/drawing/2014/chartex"
DRAWING_SCHEMA = "http://schemas.openxmlformats.org/drawingml/2006/main"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
OFFICE_SCHEMA = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
NAMESPACES = f'xmlns:c="{CHART_SCHEMA}" xmlns:a="{DRAWING_SCHEMA}" xmlns:cx="{NEWER_SCHEMA}"'


def chart_title(text: str) -> str:
    runs = "".join(f"<a:r><a:t>{word}</a:t></a:r>" for word in text.split(" "))
    return f"<c:title><c:tx><c:rich><a:p>{runs}</a:p></c:rich></c:tx></c:title>" if text else ""


def points(values: dict[int, str], wrapped: str = "c:numCache") -> str:
    inside = "".join(f'<c:pt idx="{at}"><c:v>{v}</c:v></c:pt>' for at, v in values.items())
    return f"<{wrapped}>{inside}</{wrapped}>"


def chart_series(name: str, labels: str, values: dict[int, str], kinds: str = "cat val") -> str:
    cat, val = kinds.split()
    named = (
        f"<c:tx><c:strRef><c:strCache><c:pt><c:v>{name}</c:v></c:pt></c:strCache></c:strRef></c:tx>"
    )
    return f"<c:ser>{named}<c:{cat}>{labels}</c:{cat}><c:{val}>{points(values)}</c:{val}></c:ser>"


def word_chart(*of: str, name: str = "Sales", axes: str = "") -> str:
    plot = f"<c:plotArea><c:barChart>{''.join(of)}</c:barChart>{axes}</c:plotArea>"
    return f"<c:chartSpace {NAMESPACES}><c:chart>{chart_title(name)}{plot}</c:chart></c:chartSpace>"


def chart_drawing(prefix: str = "c") -> str:
    return f'<w:r><w:drawing><{prefix}:chart {NAMESPACES} r:id="chart"/></w:drawing></w:r>'


def word_file(part: str | None, body: str = "") -> bytes:
    """A Word document with a chart; if ``part`` is None, the file of the chart is missing."""
    before, after = (f"<w:r><w:t>{text}</w:t></w:r>" for text in ("Before.", "After."))
    body = body or f"<w:p>{before}{chart_drawing()}</w:p><w:p>{after}</w:p>"
    files = unpacked(docx(body))
    relation = f'<Relationship Id="chart" Type="{OFFICE_SCHEMA}/chart" Target="charts/chart1.xml"/>'
    name = "word/_rels/document.xml.rels"
    files[name] = files[name].replace(b"</Relationships>", f"{relation}</Relationships>".encode())
    if part is not None:
        files["word/charts/chart1.xml"] = part.encode()
    return archive(files)


NEWER_CHART = f"""<cx:chartSpace {NAMESPACES}>
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


def table_text(caption: str, *rows: str) -> str:
    header, *body = [f"|{row}|\n" for row in rows]
    rule = "| --- " * (header.count("|") - 1)
    return f"*{caption}*\n\n{header}{rule}|\n{''.join(body)}"


QUARTERS = points({0: "Q1", 1: "Q2"}, "c:strCache")
AXES = f"<c:catAx>{chart_title('Quarter')}</c:catAx><c:valAx>{chart_title('EUR')}</c:valAx>"


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (
            word_chart(
                chart_series("North", QUARTERS, {0: "1.5", 1: "2"}),
                chart_series("South", QUARTERS, {1: "4"}),
                axes=AXES,
            ),
            table_text("Sales (EUR)", " Quarter | North | South ", " Q1 | 1.5 |  ", " Q2 | 2 | 4 "),
        ),
        (
            word_chart(
                chart_series("A", points({0: "1", 1: "2"}), {0: "10", 1: "20"}, "xVal yVal"),
                chart_series("B", points({0: "7"}), {0: "70"}, "xVal yVal"),
                name="",
                axes=f"<c:valAx>{chart_title('x')}</c:valAx><c:valAx>{chart_title('y')}</c:valAx>",
            ),
            table_text("y", "  | x |  ", " A | 1 | 10 ", " A | 2 | 20 ", " B | 7 | 70 "),
        ),
        (
            word_chart(
                chart_series(
                    "N",
                    "<c:multiLvlStrCache>"
                    f"{points({0: 'Q1', 1: 'Q2', 2: 'Q1'}, 'c:lvl')}"
                    f"{points({0: '2024', 2: '2025'}, 'c:lvl')}</c:multiLvlStrCache>",
                    {0: "1", 1: "2", 2: "3"},
                ),
            ),
            table_text("Sales", "  | N ", " 2024 Q1 | 1 ", " 2024 Q2 | 2 ", " 2025 Q1 | 3 "),
        ),
        (word_chart(), "Sales\n"),
        (
            NEWER_CHART,
            table_text("Tree", "  | Size ", " a | 3 ", " b | 4 "),
        ),
    ],
)  # fmt: skip
def test_a_word_chart_becomes_a_table(part: str, expected: str) -> None:
    assert read(word_file(part), "docx").text == f"Before.\n\n{expected}\nAfter.\n"


def test_a_word_chart_in_a_table_cell_becomes_lines_of_the_cell() -> None:
    cells = (
        f"<w:tc><w:p>{chart_drawing()}</w:p></w:tc><w:tc><w:p><w:r><w:t>b</w:t></w:r></w:p></w:tc>"
    )
    part = word_chart(chart_series("N", QUARTERS, {0: "1"}))
    text = read(word_file(part, f"<w:tbl><w:tr>{cells}</w:tr></w:tbl>"), "docx").text
    assert "| Sales<br>; N<br>Q1; 1 | b |" in text


def test_a_newer_word_chart_is_read_instead_of_its_fallback_text() -> None:
    body = (
        f'<w:p><w:r><mc:AlternateContent><mc:Choice Requires="cx1"><w:drawing>'
        f'<cx:chart {NAMESPACES} r:id="chart"/></w:drawing></mc:Choice><mc:Fallback>'
        "<w:t>No chart here.</w:t></mc:Fallback></mc:AlternateContent></w:r></w:p>"
    )
    assert read(word_file(word_chart(), body), "docx").text == "Sales\n"


@pytest.mark.parametrize(
    ("part", "message"),
    [
        (None, "word/charts/chart1.xml is not in the file"),
        ("<broken", "is not well-formed XML"),
        (word_chart(name=""), "has neither title nor values"),
    ],
)
def test_an_unreadable_word_chart_is_left_out_with_a_warning(
    part: str | None, message: str
) -> None:
    with pytest.warns(LeftOutWarning, match=message):
        assert read(word_file(part), "docx").text == "Before.\n\nAfter.\n"


def test_sparse_series_of_a_chart_are_not_padded() -> None:
    many = [chart_series(f"s{at}", QUARTERS, {at: "1"}) for at in range(2000)]
    text = read(word_file(word_chart(*many)), "docx").text
    assert text.count("\n| s") == 2000
    assert len(text) < 100_000


# -------------------------------------------------------------------- Docling


def docling_cell(text: str, row: int, column: int, *, header: bool = False) -> dict[str, Any]:
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
        docling_cell("Year", 0, 0, header=True),
        docling_cell("Sales", 0, 1, header=True),
        docling_cell("2024", 1, 0),
        docling_cell("3", 1, 1),
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
def test_a_docling_chart_becomes_a_table(annotation: dict[str, object], expected: str) -> None:
    source = picture(annotations=[{"title": "Sales", **annotation}])
    assert f"*Sales*\n\n{expected}\nAfter.\n" in source.text
    [made] = pack(source)[0].tables
    assert made.caption == "Sales"


def test_a_docling_chart_in_both_schemas_is_written_once() -> None:
    chart = {"title": "Sales", "chart_data": DATA}
    source = picture(
        meta={"tabular_chart": chart}, annotations=[{"kind": "tabular_chart_data", **chart}]
    )
    assert source.text.count(TABLE) == 1


def test_an_invalid_docling_chart_is_left_out_with_a_warning() -> None:
    with pytest.warns(LeftOutWarning, match="annotations/0/bars"):
        source = picture(annotations=[{"kind": "bar_chart_data", "title": "T", "bars": 3}])
    assert "After." in source.text


@pytest.mark.parametrize("kind", [["bar_chart_data"], {}, 3, None])
def test_an_annotation_of_an_unknown_kind_is_ignored(kind: object) -> None:
    assert picture(annotations=[{"kind": kind, "title": "T"}]).text.startswith("Before.")


@pytest.mark.parametrize("values", [None, 3, [3], [[3]], [{"label": 3, "values": 4}], [{}]])
@pytest.mark.parametrize("kind", ["bar_chart_data", "line_chart_data", "scatter_chart_data"])
@pytest.mark.filterwarnings("ignore::treepack.errors.LeftOutWarning")
def test_invalid_values_of_a_docling_chart_do_not_stop_the_document(
    kind: str, values: object
) -> None:
    fields = dict.fromkeys(("bars", "lines", "points"), values)
    assert picture(annotations=[{"kind": kind, "title": "T", **fields}]).text.endswith("After.\n")


def test_a_docling_chart_without_data_is_left_out_with_a_warning() -> None:
    with pytest.warns(LeftOutWarning, match="chart_data"):
        source = picture(meta={"tabular_chart": {"title": "T"}})
    assert source.text.endswith("After.\n")
