"""HTML as a small tree: the only module that uses the HTML parser.

Elements that a browser does not show and permalinks are left out of the tree. Elements that belong
to the page and not to the text (navigation, banners) are marked as furniture.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, Protocol, cast

from treepack.errors import MissingExtraError, SourceError
from treepack.readers.html.page_parts import PAGE_PARTS, is_furniture, role_of

try:
    from justhtml import JustHTML, SelectorError
except ModuleNotFoundError as error:
    if error.name is None or error.name.partition(".")[0] != "justhtml":
        raise
    _MESSAGE: Final = 'reading HTML needs its extra: pip install "treepack[html]"'
    raise MissingExtraError(_MESSAGE) from error

_INVISIBLE: Final = frozenset({
    "!doctype", "audio", "button", "canvas", "datalist", "head", "iframe", "input", "noscript",
    "object", "script", "select", "style", "svg", "template", "textarea", "video",
})  # fmt: skip
_PARTS_OF_TEXT: Final = frozenset({"article", "main", "section"})
_RECORDED: Final = _PARTS_OF_TEXT | {"h1", "table"}  # these get a closer look in `_Builder`
_HIDING_STYLE: Final = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
# Permalinks of headings, links to source code, editing links, line numbers of code, text that shows
# only under the pointer, and labels of text that is always shown.
_NON_TEXT_CLASSES: Final = frozenset({
    "headerlink", "header-anchor", "heading-anchor", "anchor-link", "anchorjs-link",
    "hash-link", "permalink", "pilcrow", "viewcode-link", "mw-editsection", "linenos", "lineno",
    "linenodiv", "gutter", "katex-html", "srclink", "selflink", "ttc", "hideme",
})  # fmt: skip
_ROW_GROUPS: Final = frozenset({"thead", "tbody", "tfoot"})
_PERMALINK_TEXTS: Final = frozenset({"", "¶", "#", "§", "🔗", "▲", "↑", "[edit]"})
_HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
_ARIA_LEVEL: Final = re.compile(r"\s*([1-9][0-9]?)\s*")
_DEFAULT_ARIA_LEVEL: Final = 2
# Browsers treat these as comments, the parser as text. Spaces in their place keep all offsets.
_INSTRUCTION: Final = re.compile(r"<\?[^<>]*>")
_MOST_LINK_PARTS: Final = 8
_NO_ATTRIBUTES: Final[Mapping[str, str | None]] = {}
_TITLE: Final = re.compile("<title", re.IGNORECASE)


@dataclass(slots=True)
class Text:
    """A run of text and its offset in the HTML, in characters."""

    data: str
    offset: int


@dataclass(slots=True)
class HtmlElement:
    """An element that is shown.

    Attributes:
        name: The tag's name in lower case.
        offset: The offset of its start tag in the HTML, in characters.
        level: The level of a heading, from 1; 0 continues the previous heading; None for others.
        is_furniture: Whether it belongs to the page and not to the text.
        has_heading: Whether a heading is inside, at any depth.
        has_table: Whether a ``<table>`` is among its children.
    """

    name: str
    attributes: Mapping[str, str | None]
    offset: int
    level: int | None = None
    is_furniture: bool = False
    has_heading: bool = False
    has_table: bool = False
    children: list["HtmlElement | Text"] = field(default_factory=list["HtmlElement | Text"])

    @property
    def classes(self) -> list[str]:
        """The names in the attribute ``class``."""
        return (self.attributes.get("class") or "").split()

    @property
    def elements(self) -> list["HtmlElement"]:
        """The child elements."""
        return [child for child in self.children if isinstance(child, HtmlElement)]

    def first(self, name: str) -> "HtmlElement | None":
        """Return the first child element with this name, or None."""
        return next((child for child in self.elements if child.name == name), None)

    def nodes(self, *, in_text: bool = False) -> "Iterator[HtmlElement | Text]":
        """Yield all descendants in document order, without page furniture if ``in_text``."""
        stack = self.children[::-1]
        while stack:
            node = stack.pop()
            if isinstance(node, Text):
                yield node
            elif not (in_text and node.is_furniture):
                yield node
                stack += node.children[::-1]

    def walk(self, *, in_text: bool = False) -> Iterator["HtmlElement"]:
        """Yield the elements among the `nodes`."""
        return (node for node in self.nodes(in_text=in_text) if isinstance(node, HtmlElement))

    def few_nodes(self, limit: int) -> "list[HtmlElement | Text] | None":
        """Return all `nodes`, or None if there are more than ``limit``."""
        nodes = list(islice(self.nodes(), limit + 1))
        return None if len(nodes) > limit else nodes

    def text(self) -> str:
        """Return all text inside, with its white space; ``<br>`` becomes a line end."""
        nodes = self.nodes()
        return "".join(
            [node.data if isinstance(node, Text) else "\n" * (node.name == "br") for node in nodes]
        )

    def line(self) -> str:
        """Return all text inside, on one line."""
        return " ".join(self.text().split())


@dataclass(slots=True)
class HtmlTableRow:
    """A row: its cells, and the ``<thead>``, ``<tbody>`` or ``<tfoot>`` around it."""

    element: HtmlElement
    cells: list[HtmlElement]
    group: HtmlElement | None

    @property
    def in_head(self) -> bool:
        """Whether the row is in ``<thead>``."""
        return self.group is not None and self.group.name == "thead"

    @property
    def is_header(self) -> bool:
        """Whether the row names columns: it is in ``<thead>``, or has only ``<th>``."""
        return self.in_head or all(cell.name == "th" for cell in self.cells)


def rows_of(table: HtmlElement) -> list[HtmlTableRow]:
    """Return the rows of a table that have cells, without those of nested tables."""
    rows: list[HtmlTableRow] = []
    stack: list[tuple[HtmlElement, HtmlElement | None]] = [(table, None)]
    while stack:
        element, group = stack.pop()
        if element.name == "tr":
            cells = [c for c in element.elements if c.name in ("td", "th")]
            if cells:
                rows.append(HtmlTableRow(element, cells, group))
            continue
        for child in reversed(element.elements):
            if child.name in _ROW_GROUPS:
                stack.append((child, child))
            elif child.name == "tr":
                stack.append((child, group))
    return rows


@dataclass(frozen=True, slots=True)
class HtmlPage:
    """A parsed HTML document.

    Attributes:
        root: Everything that is shown.
        title: The content of ``<title>``, with white space collapsed.
        language: The attribute ``lang`` of the document.
        main_parts: The elements that are marked as the main part, in document order.
        titles: The ``<h1>`` elements that are shown, in document order.
    """

    root: HtmlElement
    title: str
    language: str
    main_parts: Sequence[HtmlElement]
    titles: Sequence[HtmlElement]


def parse_page(html: str, selectors: Sequence[tuple[str, int]]) -> HtmlPage:
    """Parse HTML; like a browser, accept any text as a page.

    CSS selectors give elements levels of headings; if several match, the last one wins.

    Raises:
        SourceError: A selector is not valid CSS.
    """
    if "<?" in html:
        html = _INSTRUCTION.sub(lambda match: " " * len(match[0]), html)
    tree = JustHTML(html, sanitize=False, track_node_locations=True)
    levels: dict[int, int] = {}
    for selector, level in selectors:
        try:
            levels.update((id(node), level) for node in tree.root.query(selector))
        except SelectorError as error:
            msg = f"the heading selector {selector!r} is not a CSS selector: {error}"
            raise SourceError(msg) from error
    root = cast("_Node", tree.root)
    title = _first(root, "title") if _TITLE.search(html) else None
    html_element = _first(root, "html")
    language = (html_element.attrs or {}).get("lang") if html_element is not None else None
    text = "".join(node.data or "" for node in title.children or ()) if title is not None else ""
    builder = _Builder(levels)
    shown = builder.build(root)
    _free_tree(root)
    labels = " ".join(text.split()), language or ""
    return HtmlPage(shown, *labels, builder.main_parts, builder.titles)


class _Node(Protocol):
    """The part of the parser's nodes that is used, so that another parser can replace it."""

    name: str
    data: str | None
    attrs: Mapping[str, str | None] | None
    children: list["_Node"] | None
    origin_offset: int | None


def _nodes(root: _Node) -> Iterator[_Node]:
    """Yield a node and all its descendants, in document order."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(node.children or ()))


def _first(root: _Node, name: str) -> _Node | None:
    """Return the first element with this name, without the parser's slow search by selectors."""
    return next((node for node in _nodes(root) if node.name == name), None)


def _free_tree(root: _Node) -> None:
    """Free the parser's tree, whose nodes refer to their parents.

    Left to the garbage collector, this takes a tenth of the time for a page of many small elements.
    """
    stack = [root]
    while stack:
        if children := stack.pop().children:
            stack += children
            children.clear()


class _Builder:
    """Copies the parser's tree, leaving out what is not shown."""

    def __init__(self, levels: Mapping[int, int]) -> None:
        self.levels = levels
        self.main_parts: list[HtmlElement] = []
        self.titles: list[HtmlElement] = []

    def build(self, node: _Node) -> HtmlElement:
        root = HtmlElement("#root", {}, 0)
        # Node, its parent element, whether it is in a part of the text, whether in a heading
        stack: list[tuple[_Node, HtmlElement, bool, bool]] = [(node, root, False, False)]
        elements_with_parents: list[tuple[HtmlElement, HtmlElement]] = []
        while stack:
            node, parent, in_part, in_heading = stack.pop()
            name = node.name
            if name == "#text":
                _append_text(node, parent)
                continue
            element = parent
            if not name.startswith("#"):
                shown = self._element(node, parent, in_part=in_part, in_heading=in_heading)
                if shown is None:
                    continue
                element = shown
                parent.children.append(element)
                elements_with_parents.append((element, parent))
                if name in _RECORDED or element.attributes:
                    self._record(element, parent)
                    in_part = (
                        in_part or name in _PARTS_OF_TEXT or role_of(element.attributes) == "main"
                    )
                in_heading = in_heading or element.level is not None
            children = node.children or ()
            if len(children) == 1 and children[0].name == "#text":  # the common case
                _append_text(children[0], element)
            else:
                stack += [(child, element, in_part, in_heading) for child in reversed(children)]
        for element, parent in reversed(elements_with_parents):
            if element.has_heading or (element.level and not element.is_furniture):
                parent.has_heading = True
        return root

    def _record(self, element: HtmlElement, parent: HtmlElement) -> None:
        """Record main parts and titles of the page, and which elements have tables as children."""
        name = element.name
        if name == "table":
            parent.has_table = True
        elif name == "h1" and element.level == 1:
            self.titles.append(element)
        if name == "main" or element.attributes.get("role") == "main":
            self.main_parts.append(element)

    def _element(
        self, node: _Node, parent: HtmlElement, *, in_part: bool, in_heading: bool
    ) -> HtmlElement | None:
        """Return the element to show, or None if the node is not shown."""
        name, offset = node.name, node.origin_offset
        if name in _INVISIBLE:
            return None
        attributes = node.attrs or _NO_ATTRIBUTES
        element = HtmlElement(name, attributes, parent.offset if offset is None else offset)
        if attributes or name in PAGE_PARTS:
            element.is_furniture = is_furniture(name, attributes, in_part=in_part)
        aria_level = None
        if attributes:
            if _is_not_text(node, attributes, in_heading=in_heading):
                return None
            aria_level = _aria_level(element)
        if _is_hidden(name, attributes):
            return None
        if not in_heading:
            element.level = self.levels.get(id(node), _HEADINGS.get(name, aria_level))
        return element


def _append_text(node: _Node, parent: HtmlElement) -> None:
    if node.data:
        parent.children.append(Text(node.data, node.origin_offset or parent.offset))


def _aria_level(element: HtmlElement) -> int | None:
    """Return the level of an element with ``role="heading"``; by default 2, as in WAI-ARIA."""
    if role_of(element.attributes) != "heading":
        return None
    match = _ARIA_LEVEL.fullmatch(element.attributes.get("aria-level") or "")
    return int(match[1]) if match else _DEFAULT_ARIA_LEVEL


def _is_hidden(name: str, attributes: Mapping[str, str | None]) -> bool:
    if not attributes:
        return name == "dialog"
    if "hidden" in attributes or (name == "dialog" and "open" not in attributes):
        return True
    style = attributes.get("style")
    return bool(style and _HIDING_STYLE.search(style))


def _is_not_text(node: _Node, attributes: Mapping[str, str | None], *, in_heading: bool) -> bool:
    """Whether an element is a permalink, a line number or the like, and not text."""
    classes = attributes.get("class")
    if classes and not _NON_TEXT_CLASSES.isdisjoint(classes.split()):
        return True
    if in_heading and attributes.get("aria-hidden") == "true":
        return True
    if node.name != "a" or "#" not in (attributes.get("href") or ""):
        return False
    return _link_text(node) in _PERMALINK_TEXTS


def _link_text(node: _Node) -> str | None:
    """Return the text of a link, or None if it has many parts or holds an image."""
    parts: list[str] = []
    for inner in _nodes(node):
        if inner.name == "#text":
            parts.append(inner.data or "")
        elif inner.name == "img" or len(parts) > _MOST_LINK_PARTS:
            return None
    return "".join(parts).strip()
