"""Tables for tests, and what their chunks and pieces contain."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from justhtml import JustHTML
from markdown_it import MarkdownIt

from treepack import Chunks

GFM = "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |"
HEAD = "<tr><th>a</th><th>b</th></tr>\n"
BODY = "<tr><td>1</td><td>2</td></tr>\n<tr><td>3</td><td>4</td></tr>\n"


def rows_of(first: int, last: int) -> str:
    return "\n".join(f"| r{n} | v{n} |" for n in range(first, last + 1))


def gfm_table(rows: int) -> str:
    return f"| key | val |\n|---|---|\n{rows_of(1, rows)}"


def html_rows(count: int, cell: str = "r{n} word") -> str:
    return "".join(
        f"<tr><td>{cell.format(n=n)}</td><td>v{n} word</td></tr>\n" for n in range(1, count + 1)
    )


def assert_pieces_cover_all_rows(chunks: Chunks) -> None:
    """Check that each table's pieces are numbered and that their rows continue to the last one."""
    slices = [table for chunk in chunks for table in chunk.tables]
    for key in {table.id for table in slices}:
        pieces = [table for table in slices if table.id == key]
        assert [piece.part for piece in pieces] == list(range(1, len(pieces) + 1))
        assert {piece.parts for piece in pieces} == {len(pieces)}
        assert pieces[0].row_start <= 1
        assert pieces[-1].row_end == pieces[-1].row_count
        for before, piece in pairwise(pieces):
            is_same_row = before.cell_part is not None and piece.cell_part not in (None, 1)
            assert piece.row_start == before.row_end + (not is_same_row)


def parsed_rows(text: str) -> list[list[str]]:
    """Return the rows of a text's only GFM table, as markdown-it's own table rule reads them."""
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    assert [token.type for token in tokens].count("table_open") == 1, text
    rows: list[list[str]] = []
    for token, following in pairwise(tokens):
        if token.type == "tr_open":
            rows.append([])
        elif token.type in ("td_open", "th_open"):
            rows[-1].append(following.content)
    return rows


def html_table(text: str) -> tuple[str, list[list[tuple[str, str]]]]:
    """Return caption and rows, as (tag, text), of a text that must be one complete HTML table."""
    page = JustHTML(text, fragment=True, sanitize=False, collect_errors=True)
    table, *nested = page.query("table")
    assert [str(error) for error in page.errors] == []
    assert len(nested) == len(table.query("table"))
    assert page.to_text().strip() == table.to_text().strip(), "text is not between cells"
    bare = re.sub("<!--.*?-->", "", text.lower())
    assert bare.count("<table") == bare.count("</table>"), text

    def own(node: Any, tags: tuple[str, ...]) -> Iterator[Any]:  # noqa: ANN401 - without types
        for child in node.children or ():
            if child.name in tags:
                yield child
            elif child.name in {"thead", "tbody", "tfoot"}:
                yield from own(child, tags)

    rows = [
        [(cell.name, " ".join(cell.to_text().split())) for cell in own(row, ("td", "th"))]
        for row in own(table, ("tr",))
    ]
    return next((caption.to_text() for caption in own(table, ("caption",))), ""), rows
