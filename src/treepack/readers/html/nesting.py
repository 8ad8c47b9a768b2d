"""Limits how deep a page's elements nest, and how many attributes they have.

The parser's time grows with the number of open elements for each one that begins, and with the
square of a tag's attributes. No page that people made comes near the limits.
"""

import re
from itertools import islice
from typing import Final

_MOST_OPEN: Final = 1000  # elements; browsers nest no deeper than 512
_MOST_ATTRIBUTES: Final = 1000  # of a tag
# Void elements; raw text; elements that another of their kind ends, or that only tables hold.
_NOT_NESTING: Final = (
    "area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr|mspace|none|script|style|"
    "textarea|xmp|iframe|noembed|noframes|noscript|plaintext|html|head|body|p|tr|td|th|"
    "thead|tbody|tfoot|caption|colgroup"
)
_NESTING_TAG: Final = re.compile(
    rf"<(/?)(?!(?:{_NOT_NESTING})[\s/>])([a-z][^\s/>]*)[^>]*>?", re.IGNORECASE
)
# End tags of these may be missing; the kind of each, if another of its kind ends it.
_ENDS_ITSELF: Final = {"li": "li", "dd": "d", "dt": "d", "option": "option", "a": "a"}
_OPTIONAL_END: Final = frozenset({*_ENDS_ITSELF, "optgroup", "rb", "rp", "rt", "rtc"})
_HEADINGS: Final = frozenset(f"h{level}" for level in range(1, 7))  # they stay headings
_HTML_IN_SVG: Final = frozenset({"desc", "foreignobject", "title"})
_LONG_TAG: Final = re.compile(rf"(<[a-z][^\s/>]*)([^>]{{{4 * _MOST_ATTRIBUTES},}})", re.IGNORECASE)
_ATTRIBUTE: Final = re.compile(r"""[^\s/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"']*))?""")


def within_limits(html: str) -> str:
    """Return a page in which tags beyond the limits have become paragraphs, or lost attributes."""
    html = _LONG_TAG.sub(_with_few_attributes, html)
    return _without_deep_tags(html) if html.count("<") > _MOST_OPEN else html


def _with_few_attributes(tag: re.Match[str]) -> str:
    attributes = sum(1 for _ in islice(_ATTRIBUTE.finditer(tag[2]), _MOST_ATTRIBUTES + 1))
    return tag[0] if attributes <= _MOST_ATTRIBUTES else tag[1]


def _without_deep_tags(html: str) -> str:
    """Replace tags that nest too deep by those of paragraphs, which do not nest.

    An end tag counts only if it ends the innermost element, because the parser may ignore others.
    """
    names: list[str] = []  # of the open elements

    def limited(tag: re.Match[str]) -> str:
        name = tag[2].lower()
        if tag[1]:
            last, first = len(names) - 1, max(0, len(names) - _MOST_OPEN)
            inner = range(last, first - 1, -1)
            at = next(
                (at for at in inner if names[at] not in _OPTIONAL_END or names[at] == name), -1
            )
            if at < 0 or names[at] != name:
                return tag[0]
            del names[at:]
            return tag[0] if at < _MOST_OPEN or name in _HEADINGS else "</p>"
        may_be_in_svg = tag[0].endswith("/>") and len(names) <= _MOST_OPEN
        if may_be_in_svg and "svg" in names and _HTML_IN_SVG.isdisjoint(names):
            return tag[0]
        kind = _ENDS_ITSELF.get(name)
        if kind is None or not names or _ENDS_ITSELF.get(names[-1]) != kind:
            names.append(name)
        return tag[0] if len(names) <= _MOST_OPEN or name in _HEADINGS else "<p>"

    return _NESTING_TAG.sub(limited, html)
