"""HTML tables are read the way an HTML5 parser reads them, although only their tags are scanned.

Packer and audit share this reader, so an independent parser judges it.
"""

from collections.abc import Iterator
from typing import Any, TypeAlias

from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from justhtml import JustHTML

from treepack.markdown.html_tables import HtmlRow, plain_html, read_tables

Cell: TypeAlias = tuple[str, bool, int, int]

TEXTS = st.sampled_from(
    [
        "1",
        "16 bar<br>17 bar",
        "<b>k</b> &amp; l",
        "漢字",
        "a &lt; b",
        "<ul><li>x<li>y</ul>",
        "<p>one<p>two",
        "<!-- </td><td> -->z",
        "<a title='x > y'>z</a>",
        "<table><tr><td>in<td>ner</table>",
        "&nbsp;",
        "",
    ]
)
SPANS = st.sampled_from(["", "", "", " colspan=2", ' rowspan="3"', " COLSPAN = '3' class=x"])


@st.composite
def rows(draw: DrawFn, tags: tuple[str, ...]) -> str:
    """A row that may lack its own closing tag or those of its cells, as HTML5 allows."""
    opening = draw(st.sampled_from(["<tr>", "<TR class='a'>", "\n  <tr>\n", "<tr>see below "]))
    cells = [
        f"<{tag}{draw(SPANS)}>{draw(TEXTS)}{draw(st.sampled_from([f'</{tag}>', '']))}"
        for tag in draw(st.lists(st.sampled_from(tags), min_size=1, max_size=4))
    ]
    return opening + "".join(cells) + draw(st.sampled_from(["</tr>", "</tr>\n", ""]))


@st.composite
def tables(draw: DrawFn) -> str:
    """A table with or without caption, head and body elements."""
    caption = draw(st.sampled_from(["", "<caption>Table 1: <i>Limits</i></caption>"]))
    head = "".join(draw(st.lists(rows(("th",)), max_size=2)))
    body = "".join(draw(st.lists(rows(("td", "td", "td", "th")), min_size=1, max_size=5)))
    if draw(st.booleans()):
        head = f"<thead>{head}</thead>" if head else ""
        body = f"<tbody>{body}</tbody>"
    return f"<table>{caption}{head}{body}</table>"


def visible_text(node: Any) -> str:  # noqa: ANN401 - the parser's tree has no types
    return " ".join(node.to_text(separator=" ").split())


def span(node: Any, name: str) -> int:  # noqa: ANN401 - the parser's tree has no types
    return max(1, int((node.attrs or {}).get(name) or 1))


def own_elements(table: Any, name: str) -> Iterator[Any]:  # noqa: ANN401 - the parser's tree has no types
    """Yield a table's elements with a tag name, but not those of tables in its cells."""
    for child in table.children or ():
        if child.name == name:
            yield child
        elif child.name in {"thead", "tbody", "tfoot"}:
            yield from own_elements(child, name)


def as_justhtml_reads(html: str) -> tuple[list[list[Cell]], str]:
    """Return the first table's rows as the other parser reads them, and its caption."""
    table = JustHTML(html).query("table")[0]
    read = [
        [
            (visible_text(cell), cell.name == "th", span(cell, "colspan"), span(cell, "rowspan"))
            for cell in row.children
            if cell.name in {"td", "th"}
        ]
        for row in own_elements(table, "tr")
    ]
    return read, next((visible_text(caption) for caption in own_elements(table, "caption")), "")


@given(tables())
@example("<table><tr><td>a<td>b<tr><td>c</table>")
@example("<table><thead><tr><th>a</thead><tbody><tr><td><table><tr><td>b</table></table>")
def test_html_tables_are_read_like_an_html5_parser_does(html: str) -> None:
    def cells(row: HtmlRow) -> list[Cell]:
        return [
            (plain_html(html, *cell.content), cell.is_header, cell.columns, cell.rows)
            for cell in row.cells
        ]

    expected, caption = as_justhtml_reads(html)
    found = read_tables(html, 0, len(html))
    if not found:  # a table of nothing but header rows is no table for the packer
        assert all(is_header for _, is_header, _, _ in expected[-1])
        return
    table = found[0]
    assert [cells(row) for row in [*table.header_rows, *table.rows]] == expected
    assert plain_html(html, *(table.caption or (0, 0))) == caption
