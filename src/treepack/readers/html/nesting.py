"""Limits how deep a page's blocks nest, and how many attributes a tag has.

The parser's time grows with the number of open blocks for each one that begins, and with the
square of a tag's attributes. No page that people made comes near the limits.
"""

import re
from collections import Counter
from itertools import islice
from typing import Final

_MOST_OPEN: Final = 1000  # blocks; browsers nest no deeper than 512
_MOST_ATTRIBUTES: Final = 1000  # of a tag
_BLOCK_TAG: Final = re.compile(
    r"<(/?)(address|article|aside|blockquote|center|details|dialog|dir|div|dl|fieldset|figcaption"
    r"|figure|footer|form|header|hgroup|listing|main|menu|nav|ol|optgroup|option|pre|search|section"
    r"|summary|ul)(?=[\s/>])[^>]*>?",
    re.IGNORECASE,
)
_LONG_TAG: Final = re.compile(rf"(<[a-z][^\s/>]*)([^>]{{{4 * _MOST_ATTRIBUTES},}})", re.IGNORECASE)
_ATTRIBUTE: Final = re.compile(r"""[^\s/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"']*))?""")


def within_limits(html: str) -> str:
    """Return a page in which tags beyond the limits have become paragraphs, or lost attributes."""
    html = _LONG_TAG.sub(_with_few_attributes, html)
    return _without_deep_blocks(html) if html.count("<") > _MOST_OPEN else html


def _with_few_attributes(tag: re.Match[str]) -> str:
    attributes = sum(1 for _ in islice(_ATTRIBUTE.finditer(tag[2]), _MOST_ATTRIBUTES + 1))
    return tag[0] if attributes <= _MOST_ATTRIBUTES else tag[1]


def _without_deep_blocks(html: str) -> str:
    """Replace the tags of blocks that nest too deep by those of paragraphs, which do not nest.

    An end tag counts only if a block of its name is open, because the parser ignores others.
    """
    opened: Counter[str] = Counter()
    depth = 0

    def limited(tag: re.Match[str]) -> str:
        nonlocal depth
        name = tag[2].lower()
        is_deep = depth > _MOST_OPEN if tag[1] else depth >= _MOST_OPEN
        if not tag[1]:
            opened[name] += 1
            depth += 1
        elif opened[name]:
            opened[name] -= 1
            depth -= 1
        return f"<{tag[1]}p>" if is_deep else tag[0]

    return _BLOCK_TAG.sub(limited, html)
