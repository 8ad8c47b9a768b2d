"""HTML as a small tree: the only module that uses the HTML parser.

Elements that a browser does not show and permalinks are left out of the tree. Elements that belong
to the page and not to the text (navigation, banners) are marked as furniture.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, NamedTuple

from treepack.errors import SourceError, needs_extra
from treepack.numbers.words import whole_number

try:
    from selectolax.lexbor import (
        LexborDocumentOptions,
        LexborHTMLParser,
        LexborNode,
        SelectolaxError,
    )
except ModuleNotFoundError as error:
    if error.name is None or error.name.partition(".")[0] != "selectolax":
        raise
    raise needs_extra(user="reading HTML", extra="html") from error

_HIDING_STYLE: Final = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_PERMALINK_TEXTS: Final = frozenset({"", "¶", "#", "§", "🔗", "▲", "↑", "[edit]"})
_HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
_FEW_NODES: Final = 32  # a heading, a marker or a short text has few around it
_MOST: Final = 1000  # blocks that are open, and attributes of a tag; browsers nest up to 512
_BLOCK_TAG: Final = re.compile(
    r"<(/?)(address|article|aside|blockquote|center|details|dialog|dir|div|dl|fieldset|figcaption"
    r"|figure|footer|form|header|hgroup|listing|main|menu|nav|ol|optgroup|option|pre|search|section"
    r"|summary|ul)(?=[\s/>])[^>]*>?",
    re.IGNORECASE,
)
_LONG_TAG: Final = re.compile(rf"(<[a-z][^\s/>]*)([^>]{{{4 * _MOST},}})", re.IGNORECASE)
_ATTRIBUTE: Final = re.compile(r"""[^\s/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"']*))?""")
_NOT_SHOWN: Final = (
    "audio, button, canvas, datalist, head, iframe, input, noscript, object, script, select, style,"
    "svg, template, textarea, title, video, [hidden], dialog:not([open]),"
    # Permalinks of headings, links to source code, editing links, line numbers of code, text that
    # shows only under the pointer, and labels of text that is always shown
    ".headerlink, .header-anchor, .heading-anchor, .anchor-link, .anchorjs-link, .hash-link,"
    ".permalink, .pilcrow, .viewcode-link, .mw-editsection, .linenos, .lineno, .linenodiv, .gutter,"
    ".katex-html, .srclink, .selflink, .ttc, .hideme,"
    ":is(h1, h2, h3, h4, h5, h6, [role=heading i]) [aria-hidden=true]"
)
"""What a browser does not show, and signs and numbers that are not part of the text."""

_FURNITURE: Final = (
    "nav, aside, [role=navigation i], [role=banner i], [role=contentinfo i], [role=search i],"
    # Navigation that MediaWiki, DocBook and Doxygen put into the text
    "[role=complementary i], .catlinks, .mw-portlet, .navbox, .vector-dropdown, .navheader,"
    ".navfooter, #titlearea, #nav-path"
)
"""What belongs to the page, wherever it is."""

_OF_THE_PAGE: Final = "header, footer, .footer"
"""What belongs to the page unless it is in a part of the text."""

_OF_A_PART: Final = f":is(article, main, section, [role=main i]) :is({_OF_THE_PAGE})"
"""What is like those, but in a part of the text."""

HEADING_SELECTORS: Final[Mapping[str, Mapping[str, int]]] = {
    "eur-lex": {
        # Official Journal, before and since 2023 (there with "oj-"), and consolidated texts.
        ".doc-ti, .oj-doc-ti, .title-doc-first": 1,
        ".title-doc-last, .title-doc-oj-reference": 0,
        ".ti-section-1, .oj-ti-section-1, .title-division-1": 2,
        '[id*=".sct_"] .ti-section-1, [id*=".sct_"] .oj-ti-section-1': 3,
        '[id*=".sct_"] .title-division-1': 3,
        ".ti-section-2, .oj-ti-section-2, .title-division-2": 0,
        ".ti-art, .oj-ti-art, .title-article-norm": 4,
        ".sti-art, .oj-sti-art, .stitle-article-norm": 0,
        ".title-annex-1": 2,
        ".title-annex-2": 0,
        ".ti-grseq-1, .oj-ti-grseq-1, .title-gr-seq-level-1": 3,
        ".title-gr-seq-level-2": 4,
        ".title-gr-seq-level-3": 5,
    },
    "word": {
        "p.MsoTitle": 1,
        "p.MsoSubtitle": 0,
        **{f"p.AppendixHeading{level}": level for level in range(1, 6)},
        "p.MsoHeading7, p.MsoHeading8, p.MsoHeading9": 6,
    },
    # Not inside a function's description: text after the description would fall under the heading.
    "sphinx": {"section > p.rubric, div.section > p.rubric": 6},
    "doxygen": {".headertitle > .title": 1, "h2.memtitle": 3},
    "haddock": {"#module-header > p.caption": 1},
}
"""Headings other than ``<h1>`` to ``<h6>``, by known generators of HTML, with their levels.

If several match, the last one counts. Level 0 continues the heading right before: "Article 12" and
its title are one heading. Each set uses class names of its own generator, so all can be tried.
"""

_CLASSIFIERS: Final = ".classifier"
"""Types of terms, which docutils puts after a sign by its style sheet."""

_LISTINGS: Final = "div.fragment"
"""Listings of code that are not in ``<pre>``: Doxygen's."""


@dataclass(slots=True)
class HtmlElement:
    """An element that is shown.

    Attributes:
        name: The tag's name in lower case.
        level: The level of a heading, from 1; 0 continues the previous heading; None for others.
        is_furniture: Whether it belongs to the page and not to the text.
        has_heading: Whether a heading is inside, at any depth.
        children: Elements and runs of text.
    """

    name: str
    attributes: Mapping[str, str | None] = field(default_factory=dict[str, str | None])
    level: int | None = None
    is_furniture: bool = False
    has_heading: bool = False
    children: list["HtmlElement | str"] = field(default_factory=list["HtmlElement | str"])

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

    def nodes(self, *, in_text: bool = False) -> "Iterator[HtmlElement | str]":
        """Yield all descendants in document order, without page furniture if ``in_text``."""
        stack = self.children[::-1]
        while stack:
            node = stack.pop()
            if isinstance(node, str):
                yield node
            elif not (in_text and node.is_furniture):
                yield node
                stack += node.children[::-1]

    def walk(self, *, in_text: bool = False) -> Iterator["HtmlElement"]:
        """Yield the elements among the `nodes`."""
        return (node for node in self.nodes(in_text=in_text) if isinstance(node, HtmlElement))

    def few_nodes(self, limit: int = _FEW_NODES) -> "list[HtmlElement | str] | None":
        """Return all `nodes`, or None if there are more than ``limit``."""
        nodes = list(islice(self.nodes(), limit + 1))
        return None if len(nodes) > limit else nodes

    def text(self) -> str:
        """Return all text inside, with its white space; ``<br>`` becomes a line end."""
        nodes = self.nodes()
        return "".join(
            [node if isinstance(node, str) else "\n" * (node.name == "br") for node in nodes]
        )


class HtmlTableRow(NamedTuple):
    """A row: its cells, and the ``<thead>``, ``<tbody>``, ``<tfoot>`` or ``<table>`` around it."""

    element: HtmlElement
    cells: list[HtmlElement]
    group: HtmlElement


def rows_of(table: HtmlElement) -> list[HtmlTableRow]:
    """Return the rows of a table that have cells, without those of nested tables."""
    rows: list[HtmlTableRow] = []
    for child in table.elements:
        group = child if child.name in ("thead", "tbody", "tfoot") else table
        for row in group.elements if group is child else [child]:
            cells = [cell for cell in row.elements if cell.name in ("td", "th")]
            if cells and row.name == "tr":
                rows.append(HtmlTableRow(row, cells, group))
    return rows


def parse_page(
    html: str, selectors: Iterable[tuple[str, int]]
) -> tuple[HtmlElement, HtmlElement, dict[str, str]]:
    """Parse HTML; like a browser, accept any text as a page.

    CSS selectors give elements levels of headings; if several match, the last one wins.

    Returns:
        Everything that is shown; the element that holds the text, which is the only main part, or
        else everything; and the page's title and language, as far as it states them.

    Raises:
        SourceError: A selector is not valid CSS.
    """
    # Without events, which copy the content of selected options; they are not shown anyway.
    page = LexborHTMLParser(
        within_limits(html).encode("utf-8", "replace"),
        options=LexborDocumentOptions.WO_EVENTS,
        scripting=True,
    )
    levels = {
        node.mem_id: _aria_level(node)
        for node in page.css("[role=heading i]:not(h1,h2,h3,h4,h5,h6)")
    }
    for selector, level in selectors:
        try:
            levels.update((node.mem_id, level) for node in page.css(selector))
        except SelectolaxError as error:
            msg = f"the heading selector {selector!r} is not a CSS selector: {error}"
            raise SourceError(msg) from error
    title = page.css_first("title")
    known = {
        "title": "" if title is None else " ".join(title.text().split()),
        "language": (page.root and page.root.attributes.get("lang")) or "",
    }
    return *_shown(page, levels), {key: value for key, value in known.items() if value}


def _shown(page: LexborHTMLParser, levels: Mapping[int, int]) -> tuple[HtmlElement, HtmlElement]:
    """Copy the parser's tree without what is not shown; return its root and its main part."""
    hidden = _ids(page, _NOT_SHOWN)
    hidden.update(node.mem_id for node in page.css('a[href*="#"]') if _is_permalink(node))
    styles = ((node, node.attributes["style"] or "") for node in page.css("[style]"))
    hidden.update(node.mem_id for node, style in styles if _HIDING_STYLE.search(style))
    furniture = _ids(page, _FURNITURE) | (_ids(page, _OF_THE_PAGE) - _ids(page, _OF_A_PART))
    listings = _ids(page, _LISTINGS)
    classifiers = _ids(page, _CLASSIFIERS) - _ids(page, f".classifier-delimiter ~ {_CLASSIFIERS}")
    main_ids = _ids(page, "main, [role=main i]")
    main_parts: list[HtmlElement] = []
    root = HtmlElement("#root")
    stack = [] if page.root is None else [(page.root, root)]
    elements_with_parents: list[tuple[HtmlElement, HtmlElement]] = []
    while stack:
        parent_node, parent = stack.pop()
        for node in parent_node.iter(include_text=True):
            if node.is_text_node:
                parent.children.append(node.text_content or "")
                continue
            key = node.mem_id
            if key in hidden or not node.is_element_node:
                continue
            name = "pre" if key in listings else node.tag or ""
            level = levels.get(key, _HEADINGS.get(name))
            element = HtmlElement(name, node.attributes, level, key in furniture)
            if key in classifiers:
                element.children.append(" : ")
            parent.children.append(element)
            elements_with_parents.append((element, parent))
            stack.append((node, element))
            if key in main_ids:
                main_parts.append(element)
    for element, parent in reversed(elements_with_parents):
        if (element.has_heading or element.level) and not element.is_furniture:
            parent.has_heading = True
    is_marked = len(main_parts) == 1 and not main_parts[0].is_furniture
    return root, main_parts[0] if is_marked else root


def _ids(page: LexborHTMLParser, selector: str) -> set[int]:
    return {node.mem_id for node in page.css(selector)}


def _aria_level(node: LexborNode) -> int:
    """Return the level of an element with ``role="heading"``; by default 2, as in WAI-ARIA."""
    return whole_number((node.attributes.get("aria-level") or "").strip()) or 2


def _is_permalink(link: LexborNode) -> bool:
    """Whether a link to a place on a page shows only a sign, or nothing."""
    inside = list(islice(link.traverse(include_text=True), _FEW_NODES))
    if len(inside) == _FEW_NODES or any(node.tag == "img" for node in inside):
        return False
    return link.text().strip() in _PERMALINK_TEXTS


# -------------------------------------------------------------------- limits


def within_limits(html: str) -> str:
    """Return a page in which tags beyond the limits have become paragraphs, or lost attributes.

    The parser's time grows with the number of open blocks for each one that begins, and with the
    square of a tag's attributes. No page that people made comes near the limits.
    """
    html = _LONG_TAG.sub(_with_few_attributes, html)
    return _without_deep_blocks(html) if html.count("<") > _MOST else html


def _with_few_attributes(tag: re.Match[str]) -> str:
    attributes = sum(1 for _ in islice(_ATTRIBUTE.finditer(tag[2]), _MOST + 1))
    return tag[0] if attributes <= _MOST else tag[1]


def _without_deep_blocks(html: str) -> str:
    """Replace the tags of blocks that nest too deep by those of paragraphs, which do not nest.

    An end tag counts only if a block of its name is open, because the parser ignores others.
    """
    opened: Counter[str] = Counter()
    depth = 0

    def limited(tag: re.Match[str]) -> str:
        nonlocal depth
        name = tag[2].lower()
        is_deep = depth > _MOST if tag[1] else depth >= _MOST
        if not tag[1]:
            opened[name] += 1
            depth += 1
        elif opened[name]:
            opened[name] -= 1
            depth -= 1
        return f"<{tag[1]}p>" if is_deep else tag[0]

    return _BLOCK_TAG.sub(limited, html)


def selectors_for(user_selectors: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return the selectors to try on a page: built-in ones first, so that the user's own win."""
    built_in = (pair for selectors in HEADING_SELECTORS.values() for pair in selectors.items())
    return [*built_in, *user_selectors.items()]
