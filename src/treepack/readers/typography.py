"""Collects how the paragraphs of a document are formatted."""

import re
from collections import Counter
from dataclasses import replace
from typing import Final

from treepack.model.typography import Typography

USUAL: Final = Typography()
"""Nothing unusual."""

# What styles of Word and classes of HTML call headings, in languages with style names of their own.
_WORDS: Final = (
    r"heading|headline|title|titre|titel|t[íi]tulo|titolo|ti[êe]u|(?:ü|ue)berschrift|kop|rubrik|"
    r"overskrift|otsikko|nagłówek|nadpis|заголовок|标题|標題|見出し|제목"
)
_LEVEL_NAME: Final = re.compile(rf"\Ah([1-6])\Z|(?:{_WORDS})[\s_-]*([1-9])\Z", re.IGNORECASE)
# "titles" and "untitled" are not headings; the word may end a longer name, such as "page-title".
_HEADING_NAME: Final = re.compile(
    rf"(?:\A|[\s_-]|(?<=[a-z])(?=[A-Z]))(?:sub)?(?:{_WORDS})\Z", re.IGNORECASE
)


class TypographyNotes:
    """Collects the typography of each paragraph until the usual one is known."""

    def __init__(self) -> None:
        self._found: list[tuple[int, Typography]] = []
        self._sizes: Counter[float] = Counter()  # characters in each size, in points
        self._styles: Counter[str | None] = Counter()  # characters in each style

    def add(self, offset: int, typography: Typography, length: int, *, may_be_title: bool) -> None:
        """Record how a paragraph is formatted.

        Args:
            offset: Where its text begins.
            typography: How it is formatted, with the size of its font even if that is usual.
            length: Its number of characters.
            may_be_title: Whether to report it; if not, it only counts for what is usual.
        """
        self._styles[typography.style] += length
        if typography.size is not None:
            self._sizes[typography.size] += length
        if may_be_title and typography is not USUAL:
            self._found.append((offset, typography))

    def result(self) -> tuple[tuple[int, Typography], ...]:
        """Return the offsets and typography of paragraphs that differ from most of the text."""
        size = max(self._sizes, key=lambda found: (self._sizes[found], found), default=0.0)
        style = max(self._styles, key=lambda found: (self._styles[found], found or ""), default="")
        distinct = {id(found): found for _, found in self._found}.values()  # few in Word files
        shown = {
            found: replace(
                found,
                size=found.size if (found.size or 0.0) > size else None,
                style=found.style if found.style != style else None,
            )
            for found in distinct
        }
        told = {found: unusual for found, unusual in shown.items() if unusual != USUAL}
        if not told:
            return ()
        return tuple((offset, told[found]) for offset, found in self._found if found in told)


def level_of_name(name: str) -> int | None:
    """Return the level in a style's or class's name: ``Titre 2``, ``section-heading-2``, ``h2``.

    ``h2`` gives a level only as the whole name. The result is None if the name gives no level.
    """
    match = _LEVEL_NAME.search(name)
    return int(match[1] or match[2]) if match else None


def means_heading(name: str) -> bool:
    """Return whether the name of a class means a heading."""
    return bool(_HEADING_NAME.search(name)) or level_of_name(name) is not None
