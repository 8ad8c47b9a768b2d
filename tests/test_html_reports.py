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


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        # two values in one row make two columns, and a name above both is written once
        ("<tr><td>Size<td colspan=2>Limit<tr><td>A<td>1<td>2", ["Size|Limit|", "A|1|2"]),
        ("<tr><td>A<td><td>5<td>)<tr><td colspan=2>B<td>(6<td>)", ["A|5)", "B|(6)"]),
        ("<tr><td>A<td>x<td><tr><td>B<td><td>y", ["A|x|", "B||y"]),  # nothing spans both
        ("<tr><td>A<td>5<td>%<tr><td>B<td>6<td>%", ["A|5%", "B|6%"]),
        ("<tr><td>A<td>$<td>5<tr><td>B<td>$<td>6", ["A|$5", "B|$6"]),
        ("<tr><td>A<td><b>$</b><td><b>5</b><tr><td>B<td><td>6", ["A|**$5**", "B|6"]),
        ("<tr><td>A<td>X<td>X<tr><td>B<td>X<td>X", ["A|X|X", "B|X|X"]),  # equal, but two
        (
            "<tr><td>A<td>x<td><td>5<td>%<tr><td>B<td><td>y<td>6<td>%",
            ["A|x||5%", "B||y|6%"],
        ),
        ("<tr><td>$<td>%<tr><td>1<td>2", ["$|%", "1|2"]),  # symbols that name columns
        ("<tr><td>A<td>1<td>(2)<tr><td>B<td>3<td>(4)", ["A|1|(2)", "B|3|(4)"]),
    ],
)
def test_layout_columns_are_merged_into_one(rows: str, expected: list[str]) -> None:
    """A cell over both or a column of symbols makes them one; two values in a row disprove it."""
    assert ["|".join(row) for row in rows_of(f"<table>{rows}</table>")] == expected


@pytest.mark.parametrize(
    ("rows", "header"),
    [
        ("<tr><td><td>2023<td>2022<tr><td>Sales<td>1<td>2", "|2023|2022"),
        (
            (
                "<tr><td><td colspan=2>Year ended May 31,<tr><td>(in millions)<td><b>2023</b><td>"
                "2022<tr><td>Sales<td>1<td>2"
            ),
            "(in millions)|Year ended May 31, 2023|Year ended May 31, 2022",
        ),
        ("<tr><td><b>Part</b><td><b>Price</b><tr><td>A<td>1", "Part|Price"),
        ("<tr><td><b>Part</b><td>Price<tr><td>A<td>1", "|"),
        ("<tr><td><td>1<td>2<tr><td>Sales<td>3<td>4", "||"),  # figures are not names
        ("<tr><td><td>f(x)<tr><td>int<td>g(x)<tr><td>int<td>h(x)", "|"),
        ("<tr><td><td>f(x)<tr><td><td>The first.<tr><td>int<td>g(x)<tr><td><td>Too.", "|"),
        ("<tr><td><b>A</b><td><b>1</b><tr><td><b>B</b><td><b>2</b>", "A|1"),
        ("<tr><td><b>A</b><td><td><b>1</b><tr><td><b>B</b><td><td><b>2</b>", "A|1"),
        ("<tr><td>(in millions)<td>2023<td>2022", "||"),  # names above no rows
        (
            (
                "<tr><td><td>f<td>g<tr><td><td>The first.<td>It runs."
                "<tr><td>int<td>h<td>i<tr><td><td>The next.<td>It stands."
            ),
            "||",
        ),
        ("<tr><td>1<td><b>a</b><tr><td>2<td><b>b</b>", "|"),
        ("<tr><td colspan=2><b>Part I</b><tr><td>1<td>a", "|"),  # a title over the whole width
    ],
)
def test_first_rows_that_look_like_a_header_name_the_columns(rows: str, header: str) -> None:
    """A table that is cut repeats its header, but the tables of reports mark no row as header."""
    html = f"<table>{rows}</table>"
    first = read_html(html).text.splitlines()[0]
    assert "|".join(cell.strip() for cell in first.strip("|").split("|")) == header


def test_a_table_used_to_place_one_row_becomes_a_line() -> None:
    """Reports lay out titles and page footers in tables of one row."""
    title = '<td style="width:10%"><b>Item 1A.</b><td style="width:90%"><div><b>Risks</b></div>'
    assert read_html(f"<table><tr>{title}</table>").text == "**Item 1A. Risks**\n"
    old = "<tr><td width=20%>ITEM 2.<td>PROPERTIES"
    assert read_html(f"<table>{old}</table>").text == "ITEM 2. PROPERTIES\n"
    assert "| a |" in read_html("<table width=100%><tr><td>a<td>b</table>").text
    named = '<th style="width:1%">a<td>b'
    assert "| a |" in read_html(f"<table><tr>{named}</table>").text
    row = '<td style="width:1%">a<td><p>b<p>c'
    assert "| a |" in read_html(f"<table><tr>{row}</table>").text


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
