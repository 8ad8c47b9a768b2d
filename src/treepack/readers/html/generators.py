"""Code and tables that generators such as Doxygen and Javadoc write in ``<div>`` elements.

Each becomes the HTML element with the same meaning, so that the walk need not know about it. Only
pages that contain a telling name are searched.
"""

import re
from typing import Final

from treepack.readers.html.tree import HtmlElement, rows_of

_MOST_SIGNATURE_NODES: Final = 1000  # nodes; sixty parameters have fewer
_GENERATOR_MARKUP: Final = re.compile(
    r"\b(?:fragment|memproto|summary-table|details-table|classifier)\b"
)


def standardise_elements(root: HtmlElement, html: str) -> None:
    """Replace what HTML generators write in their own ways with the usual elements, in place."""
    if not _GENERATOR_MARKUP.search(html):
        return
    has_delimiters = "classifier-delimiter" in html
    for element in root.walk():
        for name in element.classes:
            if name == "fragment":
                _make_code(element)
            elif name == "memproto":
                _make_signature(element)
            elif name in ("summary-table", "details-table"):  # Javadoc's, since version 16
                _make_table(element)
            elif name == "classifier" and not has_delimiters:  # Docutils'; a style sheet adds it
                element.children.insert(0, " : ")
        caption: HtmlElement | None = None
        for child in element.elements:
            if caption and not {"summary-table", "details-table"}.isdisjoint(child.classes):
                element.children.remove(caption)
                caption.name = "caption"
                child.children.insert(0, caption)
            caption = child if child.classes == ["caption"] else None


def _make_code(fragment: HtmlElement) -> None:
    """Make ``<pre>`` of a Doxygen listing, which has a block for each line."""
    fragment.name = "pre"
    fragment.children = list(fragment.elements)  # without the line ends between the lines
    for line in fragment.elements:
        line.children.append("\n")


def _make_signature(box: HtmlElement) -> None:
    """Make ``<pre>`` of a Doxygen declaration, a table with a row for each parameter."""
    lines: list[str] = []
    labels: list[str] = []
    for element in box.few_nodes(_MOST_SIGNATURE_NODES) or ():
        if isinstance(element, str):
            continue
        if "memtemplate" in element.classes:
            lines.append(_line(element))
        elif "mlabel" in element.classes:
            labels.append(f"[{_line(element)}]")
        elif element.name == "table" and "memname" in element.classes:
            rows = (map(_line, row.cells) for row in rows_of(element))
            declarations = (" ".join(filter(None, row)) for row in rows)
            lines += [line.replace("( ", "(").replace(" )", ")") for line in declarations]
    if lines:
        lines += [" ".join(labels)] if labels else []
        box.name = "pre"
        box.children = ["\n".join(lines)]


def _line(element: HtmlElement) -> str:
    return " ".join(element.text().split())


def _make_table(grid: HtmlElement) -> None:
    """Make a table of a flat list of cells with classes for the columns, unless it holds more.

    A heading would lose its level inside a cell.
    """
    if grid.has_heading or any(isinstance(node, str) and node.strip() for node in grid.children):
        return
    captions = [child for child in grid.elements if child.name == "caption"]
    rows: list[HtmlElement] = []
    for cell in grid.elements[len(captions) :]:
        if not rows or "col-first" in cell.classes:
            rows.append(HtmlElement("tr"))
        cell.name = "th" if "table-header" in cell.classes else "td"
        rows[-1].children.append(cell)
    grid.name, grid.children = "table", [*captions, *rows]
