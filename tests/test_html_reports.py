"""HTML made for print, such as annual reports: its pages, and columns used only for layout.

In such tables each amount takes three columns: for its currency sign, figure and bracket.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import treepack
from treepack import PackConfig, Source
from treepack.model.blocks import Table
from treepack.readers.html.reader import read_html

CURRENCY_SIGNS = st.sampled_from(["", "$", "€"])
FIGURES = st.sampled_from(["1,234", "(56", "7.8", "—", ""])
BREAK = '<hr style="page-break-after:always">'


def amount_cells(currency: str, figure: str) -> tuple[str, str]:
    """Return the HTML of an amount in three columns, and the text that it shows."""
    end = ")" if figure.startswith("(") else ""
    if not figure:
        return "<td colspan=3>", ""
    if currency:
        return f"<td>{currency}<td>{figure}<td>{end}", currency + figure + end
    return f"<td colspan=2>{figure}<td>{end}", figure + end


def rows_of(html: str) -> list[list[str]]:
    source = read_html(html)
    (table,) = (b for b in treepack.parse(source).root.blocks if isinstance(b, Table))
    lines = source.text[table.start : table.end].splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row in rows if any(cell.strip("-") for cell in row)]


@given(
    st.lists(st.lists(st.tuples(CURRENCY_SIGNS, FIGURES), min_size=2, max_size=3), min_size=1),
    st.data(),
)
def test_an_amount_in_three_columns_becomes_one_cell(
    amounts: list[list[tuple[str, str]]], data: st.DataObject
) -> None:
    """Repeated in three columns, the figures of a report would fill each chunk with copies."""
    width = min(map(len, amounts))
    space = data.draw(st.sampled_from(["", "<td colspan=3>&nbsp;", "<td>"]))
    names = "".join(f"{space}<td colspan=3><b>May {year}</b>" for year in range(width))
    html = f"<table><tr><td colspan=3>{names}"
    expected = [["", *(f"May {year}" for year in range(width))]]
    # One row with a figure in each column, without which two columns may be shown as one
    for number, row in enumerate([[("$", "1")] * width, *amounts]):
        cells = [amount_cells(*cell) for cell in row[:width]]
        html += f"<tr><td colspan=3>item {number}" + "".join(space + cell for cell, _ in cells)
        expected.append([f"item {number}", *(text for _, text in cells)])
    assert rows_of(html + "</table>") == expected


def report_html(pages: int, *, chapter: int = 1) -> str:
    words = "<p>" + "This sentence stands in the report. " * 20 + "It goes on"
    return "".join(
        f"<div>Pump Works Report</div><h2>Part {page}</h2>{(words + '</p>') * chapter}"
        f"<p>and ends on page {page}.</p><div>{page}</div>{BREAK}"
        for page in range(1, pages + 1)
    )


def test_chunks_have_page_numbers_but_no_page_headers() -> None:
    """Styles show where the pages end; the report's repeated name and page numbers are not text."""
    source = read_html(report_html(9))
    assert [page for _, page in source.page_marks] == list(range(1, 10))
    assert "___" not in source.text
    chunks = treepack.pack(source, max_tokens=128)
    assert [c.pages for c in chunks if c.text.startswith("## Part 7")] == [(7,)]
    text = "\n".join(chunk.text for chunk in chunks)
    assert text.count("Pump Works Report") == 1  # without its repetitions
    assert "\n7\n" not in text
    assert treepack.audit(source, chunks, PackConfig(max_tokens=128)).findings == ()
    assert text.count("It goes on") == 9


def test_pages_have_the_numbers_that_are_printed_on_them() -> None:
    """A table of contents and a reader count from the first page that has a number."""
    cover = f"<h1>Report</h1><p>A cover, with words.</p><p>More words.</p>{BREAK}"
    source = read_html(cover * 2 + report_html(9))
    chunks = treepack.pack(source, max_tokens=128)
    assert [c.pages for c in chunks if c.text.startswith("## Part 7")] == [(7,)]
    assert chunks[0].pages == ()
    assert treepack.audit(source, chunks, PackConfig(max_tokens=128)).findings == ()


def test_numbers_that_do_not_increase_with_the_pages_are_ignored() -> None:
    """A year may be printed on each page, too."""
    html = report_html(9).replace("Report</div>", "Report 2026</div>")
    for page in range(1, 10):
        html = html.replace(f"<div>{page}</div>", "<div>Pumps</div>")
    document = treepack.parse(read_html(html))
    assert [page for _, page in document.source.page_marks] == list(range(1, 10))
    assert len(document.skipped) >= 9


def test_pages_separated_by_form_feeds_are_counted() -> None:
    """A page mark in a text states the page's number, or only that the next page begins."""
    pages = "\f".join(f"Pump Works\n\nIt stands here.\n\nOr there.\n\n{n}\n" for n in range(5, 12))
    document = treepack.parse(Source(pages))
    assert [page for _, page in document.source.page_marks] == list(range(1, 8))
    assert document.skipped


@pytest.mark.parametrize(
    "html",
    [
        "<style>p { page-break-after: always }</style><p>a<p>b",
        "<p style='break-inside: avoid'>a<p>b",
        report_html(4, chapter=20),  # chapters that begin on a new page
        f"<p>a<p>b{BREAK}",
    ],
)
def test_styles_that_may_not_mean_pages_give_no_page_marks(html: str) -> None:
    """A citation with a wrong page is worse than one without."""
    assert read_html(html).page_marks == ()


@pytest.mark.parametrize(
    "style",
    ["page-break-before: always", "BREAK-AFTER:PAGE", "color:red;break-before: right"],
)
def test_each_style_for_a_page_break_is_recognised(style: str) -> None:
    """Word puts the style on a line break, and browsers know two names for it."""
    source = read_html(f'<p>one</p><br style="{style}"><p>two</p>')
    assert [source.text[at:][:3] for at, _ in source.page_marks] == ["one", "two"]
