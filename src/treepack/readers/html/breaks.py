"""Where the pages of a printed HTML document end, as styles say it: annual reports, laws, Word."""

import re
from typing import Final

from treepack.readers.html.tree import Element

_BREAK: Final = re.compile(
    r"""\bbreak-(before|after)\s*:\s*(?:always|page|left|right|recto|verso)\b""", re.IGNORECASE
)


def has_breaks(html: str) -> bool:
    """Return whether a style of a page says where a printed page ends or begins."""
    return _BREAK.search(html) is not None


def breaks_of(element: Element) -> frozenset[str]:
    """Return on which sides of an element a printed page ends: ``before``, ``after``."""
    style = element.attributes.get("style")
    if not style or "break" not in style:
        return frozenset()
    return frozenset(match[1].lower() for match in _BREAK.finditer(style))
