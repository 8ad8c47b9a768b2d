"""How the elements around a text mark it: bold, italic, a link; and what of that is kept."""

import re
from collections.abc import Iterable
from itertools import groupby
from typing import Final, NamedTuple

from treepack.readers.html.tree import Element
from treepack.readers.inlines import Piece
from treepack.readers.kept import Kept, link_target, linked, merged

_STRONG: Final = frozenset({"b", "strong"})
_STRONG_STYLE: Final = re.compile(r"font-weight\s*:\s*(?:bold|[6-9]00)", re.IGNORECASE)
_ITALIC: Final = frozenset({"i", "em", "dfn", "cite", "var"})
_ITALIC_STYLE: Final = re.compile(r"font-style\s*:\s*(?:italic|oblique)", re.IGNORECASE)
_STYLED: Final = frozenset({"span", "font", "p", "div", "td"})


class Mark(NamedTuple):
    """How a text is marked.

    Attributes:
        strong: Whether it is bold.
        italic: Whether it is italic; known only where emphasis is kept.
        target: Where the link around it leads; known only where links are kept.
        link: Where that link begins in the HTML, in characters: neighbouring links stay two.
    """

    strong: bool = False
    italic: bool = False
    target: str = ""
    link: int = -1


PLAIN: Final = Mark()


def mark_inside(element: Element, around: Mark, kept: Kept) -> Mark:
    """How text inside an element is marked."""
    if has_bold_style(element):
        around = around._replace(strong=True)
    if kept.emphasis and _has_italic_style(element):
        around = around._replace(italic=True)
    if kept.links and element.name == "a":
        target = link_target(element.attributes.get("href") or "")
        around = around._replace(target=target, link=element.offset if target else -1)
    return around


def has_bold_style(element: Element) -> bool:
    """Whether an element's text is bold."""
    return element.name in _STRONG or bool(
        element.name in _STYLED and _STRONG_STYLE.search(element.attributes.get("style") or "")
    )


def marked(
    runs: Iterable[tuple[str | Piece, Mark]], *, strong: bool, italic: bool
) -> list[str | Piece]:
    """Runs of text as inline content.

    Args:
        runs: Content, and how it is marked.
        strong: Whether bold is written.
        italic: Whether italics are.
    """
    found: list[str | Piece] = []
    for (target, _), linked_runs in groupby(runs, key=lambda run: (run[1].target, run[1].link)):
        inside: list[str | Piece] = []
        for content, mark in linked_runs:
            if not isinstance(content, str):
                inside.append(content)
            elif strong and mark.strong:
                inside.append(Piece(content, "strong"))
            elif italic and mark.italic:
                inside.append(Piece(content, "em"))
            else:
                inside.append(content)
        found += linked(merged(inside), target)
    return found


def _has_italic_style(element: Element) -> bool:
    return element.name in _ITALIC or bool(
        element.name in _STYLED and _ITALIC_STYLE.search(element.attributes.get("style") or "")
    )
