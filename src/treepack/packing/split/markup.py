"""Markup inside text, which is not cut unless it is longer than a chunk."""

import re
from typing import Final

from treepack.model.blocks import Span

_MARKUP: Final = re.compile(
    r"""</?[A-Za-z][^\s/<>]*+(?:[^<>"']|"[^"<]*"|'[^'<]*'|)*+> | <!--(?:[^-\r\n]|-(?!->)){0,200}-->
    | &(?:\#?[0-9A-Za-z]{1,32});""",
    re.VERBOSE,
)


def insides_of_markup(text: str, start: int, end: int) -> list[Span]:
    """Return the offsets, as spans, where a cut divides a tag, a short comment or an entity."""
    return [(match.start() + 1, match.end()) for match in _MARKUP.finditer(text, start, end)]


def markup_around(text: str, begin: int, offset: int) -> Span | None:
    """Return the span of the markup, from ``begin`` on, that a cut at an offset would divide."""
    for character in "<&":
        start = text.rfind(character, begin, offset)
        match = _MARKUP.match(text, start) if start >= 0 else None
        if match and match.end() > offset:
            return match.span()
    return None
