"""Code, tables and terms that generators such as Doxygen and Javadoc write in ``<div>`` elements.

Each becomes the HTML element with the same meaning, so that the walk need not know about it. Only
pages that contain a telling name are searched.
"""

import re
from collections.abc import Callable, Mapping
from typing import Final

from treepack.readers.html.page_parts import role_of
from treepack.readers.html.tree import HtmlElement, Text, rows_of

_ROLES: Final = {
    "table": "table", "grid": "table", "treegrid": "table", "row": "tr", "cell": "td",
    "gridcell": "td", "columnheader": "th", "rowheader": "th", "caption": "caption",
}  # fmt: skip
"""WAI-ARIA roles that make tables of any elements, with the HTML elements of the same meaning."""

_ROW_GROUP_ROLES: Final = frozenset({"rowgroup", "presentation", "none"})
_GRID_CLASSES: Final = frozenset({"summary-table", "details-table"})  # Javadoc since 16
_MOST_SIGNATURE_NODES: Final = 1000  # nodes; sixty parameters have fewer
_GENERATOR_MARKUP: Final = re.compile(
    r"""\b(?:fragment|memproto|classifier|summary-table|details-table)\b
        | \brole\s*=\s*["']?(?:table|grid|treegrid)\b""",
    re.VERBOSE | re.IGNORECASE,
)


def standardise_elements(root: HtmlElement, html: str) -> None:
    """Replace what HTML generators write in their own ways with the usual elements, in place."""
    if not _GENERATOR_MARKUP.search(html):
        return
    stack = [root]
    while stack:
        element = stack.pop()
        for name in element.classes:
            if name in _BY_CLASS:
                _BY_CLASS[name](element)
        if element.name == "dt":
            _separate_classifiers(element)
        if element.children:
            _make_tables(element)
            stack += element.elements


def _make_tables(parent: HtmlElement) -> None:
    """Turn child elements that are tables by role or class into ``<table>`` elements."""
    children: list[HtmlElement | Text] = []
    for child in parent.children:
        rows = _rows_in(child) if isinstance(child, HtmlElement) else None
        if not rows:
            children.append(child)
            continue
        assert isinstance(child, HtmlElement), "only elements have rows"
        child.name, child.children, child.has_table = "table", [*rows], False
        parent.has_table = True
        previous = next((c for c in reversed(children) if not _is_blank(c)), None)
        if isinstance(previous, HtmlElement) and previous.classes == ["caption"]:  # Javadoc's
            children.remove(previous)
            previous.name = "caption"
            child.children.insert(0, previous)
        children.append(child)
    parent.children = children


def _rows_in(element: HtmlElement) -> list[HtmlElement] | None:
    """Return the rows and the caption of an element that is a table by class or role, or None.

    An element with other content is not a table. Nor is an element with a heading, because the
    heading would lose its level inside a cell.
    """
    if element.name == "table" or element.has_heading:
        return None
    if not _GRID_CLASSES.isdisjoint(element.classes):
        return _rows_of_grid(element)
    if _ROLES.get(role_of(element.attributes)) == "table":
        return _rows_by_role(element)
    return None


def _rows_of_grid(grid: HtmlElement) -> list[HtmlElement] | None:
    """Return the rows of a Javadoc table, a flat list of cells with classes for the columns."""
    if (cells := _only_elements(grid)) is None:
        return None
    rows: list[HtmlElement] = []
    for cell in cells:
        if not rows or "col-first" in cell.classes:
            rows.append(HtmlElement("tr", {}, cell.offset))
        cell.name = "th" if "table-header" in cell.classes else "td"
        rows[-1].children.append(cell)
    return rows


def _rows_by_role(table: HtmlElement) -> list[HtmlElement] | None:
    """Return the rows and the caption of a table by roles, whose rows may be in groups."""
    rows: list[HtmlElement] = []
    stack = [table]
    while stack:
        element = stack.pop()
        name = _ROLES.get(role_of(element.attributes))
        if name == "caption":
            rows.append(HtmlElement(name, {}, element.offset, children=element.children))
            continue
        if (inner := _only_elements(element)) is None:
            return None
        if name == "tr":
            names = (_ROLES.get(role_of(cell.attributes), "td") for cell in inner)
            cells = zip(names, inner, strict=True)
            row = [HtmlElement(n, {}, cell.offset, children=cell.children) for n, cell in cells]
            rows.append(HtmlElement("tr", {}, element.offset, children=[*row]))
        elif element is table or role_of(element.attributes) in _ROW_GROUP_ROLES:
            stack += inner[::-1]
        else:
            return None
    return rows


def _only_elements(element: HtmlElement) -> list[HtmlElement] | None:
    """Return the child elements, or None if there is text beside them."""
    has_text = any(isinstance(node, Text) and not _is_blank(node) for node in element.children)
    return None if has_text else element.elements


def _is_blank(node: HtmlElement | Text) -> bool:
    return isinstance(node, Text) and not node.data.strip()


def _make_code(fragment: HtmlElement) -> None:
    """Make ``<pre>`` of a Doxygen listing, which has a block for each line."""
    fragment.name = "pre"
    fragment.children = list(fragment.elements)  # without the line ends between the lines
    for line in fragment.elements:
        line.children.append(Text("\n", line.offset))


def _make_signature(box: HtmlElement) -> None:
    """Make ``<pre>`` of a Doxygen declaration, a table with a row for each parameter."""
    nodes = box.few_nodes(_MOST_SIGNATURE_NODES)
    lines: list[str] = []
    labels: list[str] = []
    for element in nodes or ():
        if isinstance(element, Text):
            continue
        if "memtemplate" in element.classes:
            lines.append(element.line())
        elif "mlabel" in element.classes:
            labels.append(f"[{element.line()}]")
        elif element.name == "table" and "memname" in element.classes:
            rows = ([cell.line() for cell in row.cells] for row in rows_of(element))
            declarations = (" ".join(filter(None, row)) for row in rows)
            lines += [line.replace("( ", "(").replace(" )", ")") for line in declarations]
    if lines:
        lines += [" ".join(labels)] if labels else []
        box.name = "pre"
        box.children = [Text("\n".join(lines), box.offset)]


def _separate_classifiers(term: HtmlElement) -> None:
    """Put a colon before a term's classifiers, which Docutils separates only by style sheet."""
    previous_classes: list[str] = []
    for node in term.elements:
        if "classifier" in node.classes and "classifier-delimiter" not in previous_classes:
            node.children.insert(0, Text(" : ", node.offset))
        previous_classes = node.classes


_BY_CLASS: Final[Mapping[str, Callable[[HtmlElement], None]]] = {
    "fragment": _make_code,
    "memproto": _make_signature,
}
