"""Which elements belong to the page and not to the text, by tag, role, class or id."""

from collections.abc import Mapping
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


def is_furniture(name: str, attributes: Mapping[str, str | None], *, in_part: bool) -> bool:
    """Return whether an element belongs to the page and not to the text.

    Args:
        name: The tag's name in lower case.
        attributes: The element's attributes; some generators mark navigation by class or id.
        in_part: Whether it is in a part of the text, which may have its own header and footer.
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
