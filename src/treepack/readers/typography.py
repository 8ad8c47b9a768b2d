"""Collects how the paragraphs of a document are formatted."""

import re
from collections import Counter
from dataclasses import replace
from typing import Final

from treepack.model.source import Typography

DEFAULT_TYPOGRAPHY: Final = Typography()
"""Nothing unusual."""

# What styles of Word and classes of HTML call headings, in languages with style names of their own.
_HEADING_WORDS: Final = (
    r"heading|headline|title|titre|titel|t[íi]tulo|titolo|ti[êe]u|(?:ü|ue)berschrift|kop|rubrik|"
    r"overskrift|otsikko|nagłówek|nadpis|заголовок|标题|標題|見出し|제목"
)
_LEVEL_NAME: Final = re.compile(
    rf"\Ah([1-6])\Z|(?:{_HEADING_WORDS})[\s_-]*([1-9])\Z", re.IGNORECASE
)


class TypographyNotes:
    """Collects the typography of each paragraph until the usual one is known."""

    def __init__(self) -> None:
        self._paragraphs: list[tuple[int, Typography]] = []
        self._sizes: Counter[float] = Counter()  # characters in each size, in points

    def add(self, offset: int, typography: Typography, length: int, *, may_be_title: bool) -> None:
        """Record how a paragraph is formatted.

        Args:
            offset: Where its text begins.
            typography: How it is formatted, with the size of its font even if that is usual.
            length: Its number of characters.
            may_be_title: Whether to report it; if not, it only counts for what is usual.
        """
        if typography.size is not None:
            self._sizes[typography.size] += length
        if may_be_title and typography is not DEFAULT_TYPOGRAPHY:
            self._paragraphs.append((offset, typography))

    def result(self) -> tuple[tuple[int, Typography], ...]:
        """Return the offsets and typography of paragraphs that differ from most of the text."""
        size = max(self._sizes, key=lambda size: (self._sizes[size], size), default=0.0)
        unusual: dict[Typography, Typography] = {}
        for found in {typography for _, typography in self._paragraphs}:
            difference = replace(found, size=found.size if (found.size or 0.0) > size else None)
            if difference != DEFAULT_TYPOGRAPHY:
                unusual[found] = difference
        return tuple((offset, unusual[key]) for offset, key in self._paragraphs if key in unusual)


def level_of_name(name: str) -> int | None:
    """Return the level in a style's or class's name: ``Titre 2``, ``section-heading-2``, ``h2``.

    ``h2`` gives a level only as the whole name. The result is None if the name gives no level.
    """
    match = _LEVEL_NAME.search(name)
    return int(match[1] or match[2]) if match else None
