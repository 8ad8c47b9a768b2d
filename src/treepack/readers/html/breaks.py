"""Where the pages of a printed HTML document end, by its styles: annual reports, laws, Word."""

import re
from itertools import pairwise
from statistics import median
from typing import Final

from treepack.readers.html.tree import HtmlElement

_PAGE_BREAK: Final = re.compile(
    r"\bbreak-(before|after)\s*:\s*(?:always|page|left|right|recto|verso)\b", re.IGNORECASE
)
_STYLE_WITH_BREAK: Final = re.compile(
    rf"""\bstyle\s*=\s*(?:"[^"<>]{{0,1000}}|'[^'<>]{{0,1000}}){_PAGE_BREAK.pattern}""",
    re.IGNORECASE,
)
_LONGEST_PAGE: Final = 8000  # characters; a dense page in small type holds 6,000


def has_breaks(html: str) -> bool:
    """Return whether the style of any element makes a printed page end or begin there."""
    return _PAGE_BREAK.search(html) is not None and _STYLE_WITH_BREAK.search(html) is not None


def breaks_of(element: HtmlElement) -> frozenset[str]:
    """Return on which sides of an element a printed page ends: ``before``, ``after``."""
    style = element.attributes.get("style") or ""
    return frozenset(match[1].lower() for match in _PAGE_BREAK.finditer(style))


def are_pages(marks: tuple[tuple[int, int], ...], length: int) -> bool:
    """Return whether breaks separate pages, and not chapters on new sheets, which are longer.

    Args:
        marks: (offset, page) pairs in rising order.
        length: How long the text is, in characters.
    """
    offsets = [offset for offset, _ in marks]
    sizes = [after - start for start, after in pairwise([*offsets, length])]
    return len(sizes) > 1 and median(sizes) <= _LONGEST_PAGE
