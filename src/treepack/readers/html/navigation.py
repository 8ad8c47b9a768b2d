"""Which parts of a page are navigation, though no element and no role says so.

A menu stands above the text, holds links to other pages and hardly anything else, and may stand
below the text once more. Links to the page before and the page after lead where ``<link rel>`` in
the page's head says.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias, get_args

from treepack.readers.html.inline import BLOCKS
from treepack.readers.html.tree import Element, Text

# An item or a row alone is part of a list that has to be read as a whole.
_PARTS: Final = frozenset({
    "#root", "html", "body", "li", "dt", "dd", "tr", "thead", "tbody", "tfoot", "pre",
})  # fmt: skip
_WORD: Final = re.compile(r"[^\W_]+")
_MOST_ABOVE: Final = 20  # words above a menu: the name of the site and what it says of itself
_MOST_BELOW: Final = 60  # words below one: who made the page, under which licence
_MOST_LABELS: Final = 0.25  # of the words in the links of a menu, how many may stand beside them
_FEWEST_LINKS: Final = 2
_MOST_NEIGHBOURS: Final = 60  # words in links: titles of the pages before, after and above

_PLACE_HERE: Final = re.compile(r"""\bhref\s*=\s*["']?(\#[^"'\s>]*)""", re.IGNORECASE)
_FEWEST_WAYS_BACK: Final = 3
_DATA: Final = frozenset({"ul", "ol", "dl", "table", "pre"})  # where such a link is an entry
_MOST_OF_WAY_BACK: Final = 12  # nodes of a block with nothing but a link

_Place: TypeAlias = Literal["linked", "inner", "other"]
"""Where words stand: in a link to another page, in one to a place of this page, or outside."""

_Waiting: TypeAlias = tuple[Element | Text, _Place, tuple[int, ...] | None]
"""A node, where its words stand, and what had been met when it was entered, if it was."""


@dataclass(slots=True)
class _Counts:
    """What a walk over a page has met so far.

    Attributes:
        targets: Where the links to other pages lead.
        strange: How many of the targets the walk does not know.
        headings: Headings that are not wholly a link to another page.
        banners: Headings that are: the name of the site.
        words: Words and pictures by where they stand.
    """

    targets: list[str] = field(default_factory=list[str])
    strange: int = 0
    headings: int = 0
    banners: int = 0
    words: dict[_Place, int] = field(default_factory=lambda: dict.fromkeys(get_args(_Place), 0))

    @property
    def unlinked(self) -> int:
        """Words that are in no link to another page."""
        return self.words["inner"] + self.words["other"]

    def now(self) -> tuple[int, ...]:
        """The counts as they are, to tell later what was met since."""
        known = len(self.targets), self.strange, self.headings, self.banners
        return *known, *self.words.values()


@dataclass(frozen=True, slots=True)
class _Block:
    """What was met inside a block; the names are those of `_Counts`."""

    element: Element
    first: int
    targets: int
    strange: int
    headings: int
    banners: int
    linked: int
    inner: int
    other: int

    @property
    def is_menu(self) -> bool:
        """Whether it holds links to other pages and hardly anything else."""
        return (
            self.targets >= _FEWEST_LINKS
            and not self.banners
            and self.inner + self.other <= self.linked * _MOST_LABELS
        )


def mark_navigation(content: Element, relations: frozenset[str], html: str) -> None:
    """Mark menus, links to neighbouring pages and ways back as furniture.

    Args:
        content: What is read of the page.
        relations: Where ``<link>`` in the page's head leads: to the next page, the contents.
        html: The page itself.
    """
    times = Counter(_PLACE_HERE.findall(html))
    if max(times.values(), default=0) >= _FEWEST_WAYS_BACK:
        _mark_ways_back(content)
    known = _mark_menus_above(content)
    if known:
        _mark_menus_below(content, known)
    if relations:
        _mark_neighbours(content, relations)


def _mark_ways_back(content: Element) -> None:
    """Mark blocks that are nothing but the same link to a place of the page again and again.

    Reports say "Table of Contents" on each sheet, some of them as a heading, and manuals "Top".
    """
    found: dict[tuple[str, str], dict[int, Element]] = defaultdict(dict)  # by place of the link
    waiting = [content]
    while waiting:
        element = waiting.pop()
        if element.is_furniture or element.name in _DATA:
            continue
        waiting += element.elements
        if element.name not in BLOCKS and element.level is None:
            continue
        nodes = element.few_nodes(_MOST_OF_WAY_BACK)
        inner = [node for node in nodes or () if isinstance(node, Element)]
        links = [node for node in inner if node.name == "a" and _target(node)]
        if len(links) != 1 or not (target := _target(links[0])).startswith("#"):
            continue
        text = element.line()
        if text and text == links[0].line():
            found[target, text].setdefault(links[0].offset, element)
    for elements in found.values():
        if len(elements) >= _FEWEST_WAYS_BACK:
            for element in elements.values():
                element.is_furniture = True


def _mark_menus_above(content: Element) -> frozenset[str]:
    """Mark the menus above the text, and return where they lead.

    The text begins with a heading or with more words than a site says of itself. A page without
    text is an index, whose links are what it is there for.
    """
    counts, found = _Counts(), list[_Block]()
    for block in _left_blocks(content, counts):
        if block is not None and block.is_menu:
            found.append(block)
        if counts.headings or counts.unlinked > _MOST_ABOVE:
            for menu in found:
                menu.element.is_furniture = True
            return frozenset(
                target
                for menu in found
                for target in counts.targets[menu.first : menu.first + menu.targets]
            )
    return frozenset()


def _mark_menus_below(content: Element, known: frozenset[str]) -> None:
    """Mark the menus below the text that lead where those above it do."""
    counts = _Counts()
    for block in _left_blocks(content, counts, known, backwards=True):
        if counts.headings or counts.unlinked > _MOST_BELOW:
            return
        if block is not None and block.is_menu and not block.strange:
            block.element.is_furniture = True


def _mark_neighbours(content: Element, relations: frozenset[str]) -> None:
    """Mark the smallest blocks that lead to two neighbours of the page, and to little else."""
    counts, done = _Counts(), -1
    for block in _left_blocks(content, counts, relations):
        if block is None or block.first <= done or block.headings or block.banners:
            continue
        if block.linked > _MOST_NEIGHBOURS or block.other > block.linked:
            continue
        if block.strange * 2 >= block.targets:
            continue
        leads = set(counts.targets[block.first : block.first + block.targets])
        if len(leads & relations) >= _FEWEST_LINKS:
            block.element.is_furniture = True
            done = block.first + block.targets - 1


def _left_blocks(
    content: Element,
    counts: _Counts,
    known: frozenset[str] = frozenset(),
    *,
    backwards: bool = False,
) -> Iterator[_Block | None]:
    """Walk over a page and count; yield each block when it is left, and None for all else.

    Args:
        content: What is read of the page.
        counts: What is counted.
        known: Targets of links that are not strange.
        backwards: Whether the walk begins at the end.
    """
    step = 1 if backwards else -1
    waiting: list[_Waiting] = [(content, "other", None)]
    while waiting:
        node, place, before = waiting.pop()
        if isinstance(node, Text):
            counts.words[place] += len(_WORD.findall(node.data))
            yield None
        elif before is None:
            if node.is_furniture:
                continue
            if node.level is not None or node.name in BLOCKS:
                waiting.append((node, place, counts.now()))
            inside = _enter(node, counts, known, place)
            children: list[_Waiting] = [(child, inside, None) for child in node.children[::step]]
            waiting += children
        else:
            met = [after - at for after, at in zip(counts.now(), before, strict=True)]
            block = _Block(node, before[0], *met)
            if node.level is not None:
                is_banner = block.linked > 0 and not (block.inner or block.other)
                counts.banners += is_banner
                counts.headings += not is_banner
            yield None if node.level is not None or node.name in _PARTS else block


def _enter(node: Element, counts: _Counts, known: frozenset[str], place: _Place) -> _Place:
    """Count an element itself; return where the words inside count."""
    if node.name == "img" and (node.attributes.get("alt") or "").strip():
        counts.words[place] += 1
    if node.name != "a" or not (target := _target(node)):
        return place
    if target.startswith(("#", "javascript:")):
        return "inner"
    counts.targets.append(target)
    counts.strange += target not in known
    return "linked"


def _target(link: Element) -> str:
    return (link.attributes.get("href") or "").strip()
