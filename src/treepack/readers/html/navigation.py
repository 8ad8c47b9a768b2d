"""Which parts of a page are navigation, without an element or a role that marks them.

A menu is above the text, holds links to other pages and hardly anything else, and may be repeated
below the text. Links to the previous and the next page have the targets of ``<link rel>`` in the
page's head. Links back to a place of the same page are repeated throughout the text.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias, get_args

from treepack.readers.html.inline import BLOCKS
from treepack.readers.html.tree import HtmlElement, Text

# Never navigation by themselves: an item or a row is judged with its whole list or table.
_NEVER_NAVIGATION: Final = frozenset({
    "#root", "html", "body", "li", "dt", "dd", "tr", "thead", "tbody", "tfoot", "pre",
})  # fmt: skip
_WORD: Final = re.compile(r"[^\W_]+")
_MOST_WORDS_ABOVE: Final = 20  # words above the text: the site's name and what it says of itself
_MOST_WORDS_BELOW: Final = 60  # words below the text: who made the page, under which licence
_LARGEST_LABEL_SHARE: Final = 0.25  # words outside a menu's links, as a share of those inside
_FEWEST_LINKS: Final = 2
_MOST_NEIGHBOUR_WORDS: Final = 60  # words in links: titles of previous, next and parent pages

_INTERNAL_LINK: Final = re.compile(r"""\bhref\s*=\s*["']?(\#[^"'\s>]*)""", re.IGNORECASE)
_FEWEST_BACK_LINKS: Final = 3
_DATA_ELEMENTS: Final = frozenset({"ul", "ol", "dl", "table", "pre"})  # a link in them is an entry
_MOST_BACK_LINK_NODES: Final = 12  # nodes of a block with nothing but a link

_WordKind: TypeAlias = Literal["linked", "inner", "other"]
"""Where words are: in a link to another page, in a link within this page, or in no link."""

_StackEntry: TypeAlias = tuple[HtmlElement | Text, _WordKind, tuple[int, ...] | None]
"""A node, where its words are, and the counts when it was entered; None before that."""


@dataclass(slots=True)
class _Counts:
    """What a walk over a page has met so far.

    Attributes:
        targets: Where the links to other pages lead.
        unknown: How many of the targets are not known.
        headings: Headings other than banners.
        banners: Headings that are only a link to another page: the name of the site.
        words: Words and images with alternative text, by where they are.
    """

    targets: list[str] = field(default_factory=list[str])
    unknown: int = 0
    headings: int = 0
    banners: int = 0
    words: dict[_WordKind, int] = field(
        default_factory=lambda: dict.fromkeys(get_args(_WordKind), 0)
    )

    @property
    def unlinked(self) -> int:
        """Words outside links to other pages."""
        return self.words["inner"] + self.words["other"]

    def snapshot(self) -> tuple[int, ...]:
        """Return the counts so far; later counts minus these are what was met since."""
        known = len(self.targets), self.unknown, self.headings, self.banners
        return *known, *self.words.values()


@dataclass(frozen=True, slots=True)
class _Block:
    """The counts inside a block, named as in `_Counts`; ``first_target`` is an index."""

    element: HtmlElement
    first_target: int
    targets: int
    unknown: int
    headings: int
    banners: int
    linked: int
    internal: int
    other: int

    @property
    def is_menu(self) -> bool:
        """Whether it holds links to other pages and hardly anything else."""
        return (
            self.targets >= _FEWEST_LINKS
            and not self.banners
            and self.internal + self.other <= self.linked * _LARGEST_LABEL_SHARE
        )


def mark_navigation(content: HtmlElement, relations: frozenset[str], html: str) -> None:
    """Mark menus, links to neighbouring pages and ways back as furniture.

    Args:
        content: The part of the page that is read.
        relations: Targets of ``<link>`` in the page's head: the next page, the table of contents.
        html: The page's HTML.
    """
    times = Counter(_INTERNAL_LINK.findall(html))
    if max(times.values(), default=0) >= _FEWEST_BACK_LINKS:
        _mark_back_links(content)
    known = _mark_menus_above(content)
    if known:
        _mark_menus_below(content, known)
    if relations:
        _mark_neighbours(content, relations)


def _mark_back_links(content: HtmlElement) -> None:
    """Mark blocks that hold only a link within the page, if three or more hold the same link.

    Reports have "Table of Contents" on each sheet, some as a heading; manuals have "Top".
    """
    # By target and text, and by offset of the link.
    links_by_target: dict[tuple[str, str], dict[int, HtmlElement]] = defaultdict(dict)
    stack = [content]
    while stack:
        element = stack.pop()
        if element.is_furniture or element.name in _DATA_ELEMENTS:
            continue
        stack += element.elements
        if element.name not in BLOCKS and element.level is None:
            continue
        nodes = element.few_nodes(_MOST_BACK_LINK_NODES)
        inside = [node for node in nodes or () if isinstance(node, HtmlElement)]
        links = [node for node in inside if node.name == "a" and _target(node)]
        if len(links) != 1 or not (target := _target(links[0])).startswith("#"):
            continue
        text = element.line()
        if text and text == links[0].line():
            links_by_target[target, text].setdefault(links[0].offset, element)
    for elements in links_by_target.values():
        if len(elements) >= _FEWEST_BACK_LINKS:
            for element in elements.values():
                element.is_furniture = True


def _mark_menus_above(content: HtmlElement) -> frozenset[str]:
    """Mark the menus above the text, and return the targets of their links.

    The text begins with a heading, or with more words than a site says of itself. A page without
    text is an index, whose links are its content, so nothing is marked.
    """
    counts, menus = _Counts(), list[_Block]()
    for block in _finished_blocks(content, counts):
        if block is not None and block.is_menu:
            menus.append(block)
        if counts.headings or counts.unlinked > _MOST_WORDS_ABOVE:
            for menu in menus:
                menu.element.is_furniture = True
            return frozenset(
                target
                for menu in menus
                for target in counts.targets[menu.first_target : menu.first_target + menu.targets]
            )
    return frozenset()


def _mark_menus_below(content: HtmlElement, known: frozenset[str]) -> None:
    """Mark the menus below the text whose links all lead where links of menus above it lead."""
    counts = _Counts()
    for block in _finished_blocks(content, counts, known, backwards=True):
        if counts.headings or counts.unlinked > _MOST_WORDS_BELOW:
            return
        if block is not None and block.is_menu and not block.unknown:
            block.element.is_furniture = True


def _mark_neighbours(content: HtmlElement, relations: frozenset[str]) -> None:
    """Mark the smallest blocks that link to two related pages or more, and to little else."""
    counts, last_target = _Counts(), -1
    for block in _finished_blocks(content, counts, relations):
        if block is None or block.first_target <= last_target or block.headings or block.banners:
            continue
        if block.linked > _MOST_NEIGHBOUR_WORDS or block.other > block.linked:
            continue
        if block.unknown * 2 >= block.targets:
            continue
        targets = set(counts.targets[block.first_target : block.first_target + block.targets])
        if len(targets & relations) >= _FEWEST_LINKS:
            block.element.is_furniture = True
            last_target = block.first_target + block.targets - 1


def _finished_blocks(
    content: HtmlElement,
    counts: _Counts,
    known: frozenset[str] = frozenset(),
    *,
    backwards: bool = False,
) -> Iterator[_Block | None]:
    """Walk over a page and count; yield each block at its end, and None for texts and headings.

    Args:
        content: The part of the page that is read.
        counts: The counts to update.
        known: Targets of links that do not count as strange.
        backwards: Whether the walk begins at the end.
    """
    step = 1 if backwards else -1
    stack: list[_StackEntry] = [(content, "other", None)]
    while stack:
        node, kind, counts_before = stack.pop()
        if isinstance(node, Text):
            counts.words[kind] += len(_WORD.findall(node.data))
            yield None
        elif counts_before is None:
            if node.is_furniture:
                continue
            if node.level is not None or node.name in BLOCKS:
                stack.append((node, kind, counts.snapshot()))
            inner_kind = _enter(node, counts, known, kind)
            children: list[_StackEntry] = [
                (child, inner_kind, None) for child in node.children[::step]
            ]
            stack += children
        else:
            differences = [
                after - before
                for after, before in zip(counts.snapshot(), counts_before, strict=True)
            ]
            block = _Block(node, counts_before[0], *differences)
            if node.level is not None:
                is_banner = block.linked > 0 and not (block.internal or block.other)
                counts.banners += is_banner
                counts.headings += not is_banner
            yield None if node.level is not None or node.name in _NEVER_NAVIGATION else block


def _enter(node: HtmlElement, counts: _Counts, known: frozenset[str], kind: _WordKind) -> _WordKind:
    """Count an element itself; return where the words inside it are."""
    if node.name == "img" and (node.attributes.get("alt") or "").strip():
        counts.words[kind] += 1
    if node.name != "a" or not (target := _target(node)):
        return kind
    if target.startswith(("#", "javascript:")):
        return "inner"
    counts.targets.append(target)
    counts.unknown += target not in known
    return "linked"


def _target(link: HtmlElement) -> str:
    return (link.attributes.get("href") or "").strip()
