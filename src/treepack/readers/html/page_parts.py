"""Which elements belong to the page and not to the text, and where printed pages end by styles."""

import re
from collections.abc import Mapping
from itertools import pairwise
from statistics import median
from typing import Final

_FURNITURE: Final = frozenset({"nav", "aside"})
_HEAD_AND_FOOT: Final = frozenset({"header", "footer"})  # furniture outside parts of the text
PAGE_PARTS: Final = _FURNITURE | _HEAD_AND_FOOT
"""Tags of elements that may be furniture without any attribute."""

_ROLES: Final = frozenset({"navigation", "banner", "contentinfo", "search", "complementary"})
# Navigation that MediaWiki, DocBook and their imitators put into the text.
_CLASSES: Final = frozenset(
    {"catlinks", "mw-portlet", "navbox", "vector-dropdown", "navheader", "navfooter"}
)
_PAGE_PART_CLASSES: Final = frozenset({"footer"})  # used before HTML5 had an element for it
_IDS: Final = frozenset({"titlearea", "nav-path"})  # Doxygen's; sections have other ids
_PAGE_BREAK: Final = re.compile(
    r"\bbreak-(before|after)\s*:\s*(?:always|page|left|right|recto|verso)\b", re.IGNORECASE
)
_STYLE_WITH_BREAK: Final = re.compile(
    rf"""\bstyle\s*=\s*(?:"[^"<>]{{0,1000}}|'[^'<>]{{0,1000}}){_PAGE_BREAK.pattern}""",
    re.IGNORECASE,
)
_LONGEST_PAGE: Final = 8000  # characters; a dense page in small type holds 6,000


def is_furniture(name: str, attributes: Mapping[str, str | None], *, in_part: bool) -> bool:
    """Return whether an element belongs to the page and not to the text.

    Headers and footers inside a part of the text belong to that part.
    """
    if name in _FURNITURE or (name in _HEAD_AND_FOOT and not in_part):
        return True
    if not attributes:
        return False
    if role_of(attributes) in _ROLES or attributes.get("id") in _IDS:
        return True
    classes = (attributes.get("class") or "").split()
    return not (
        _CLASSES.isdisjoint(classes) and (in_part or _PAGE_PART_CLASSES.isdisjoint(classes))
    )


def role_of(attributes: Mapping[str, str | None]) -> str:
    """Return the role that WAI-ARIA gives an element, in lower case."""
    return (attributes.get("role") or "").lower()


# -------------------------------------------------------------------- printed pages


def has_breaks(html: str) -> bool:
    """Return whether the style of any element makes a printed page end or begin there."""
    return _PAGE_BREAK.search(html) is not None and _STYLE_WITH_BREAK.search(html) is not None


def breaks_of(attributes: Mapping[str, str | None]) -> frozenset[str]:
    """Return on which sides of an element a printed page ends: ``before``, ``after``."""
    style = attributes.get("style") or ""
    return frozenset(match[1].lower() for match in _PAGE_BREAK.finditer(style))


def are_pages(marks: tuple[tuple[int, int], ...], length: int) -> bool:
    """Return whether breaks at (offset, page) marks separate pages, and not longer chapters."""
    offsets = [offset for offset, _ in marks]
    sizes = [after - start for start, after in pairwise([*offsets, length])]
    return len(sizes) > 1 and median(sizes) <= _LONGEST_PAGE
