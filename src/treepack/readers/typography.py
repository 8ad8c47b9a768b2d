"""What readers say of how paragraphs were set, gathered over a document."""

import re
from collections import Counter
from dataclasses import replace
from typing import Final

from treepack.model.typography import Typography

USUAL: Final = Typography()
"""Nothing to say."""

# What Word and makers of HTML call headings, in the languages that name their own styles.
_WORDS: Final = (
    r"heading|headline|title|titre|titel|t[íi]tulo|titolo|ti[êe]u|(?:ü|ue)berschrift|kop|rubrik|"
    r"overskrift|otsikko|nagłówek|nadpis|заголовок|标题|標題|見出し|제목"
)
_LEVEL_NAME: Final = re.compile(rf"\Ah([1-6])\Z|(?:{_WORDS})[\s_-]*([1-9])\Z", re.IGNORECASE)
# "titles" or "untitled" are none; a title may be the last word of a longer name.
_HEADING_NAME: Final = re.compile(
    rf"(?:\A|[\s_-]|(?<=[a-z])(?=[A-Z]))(?:sub)?(?:{_WORDS})\Z", re.IGNORECASE
)


class TypographyNotes:
    """Keeps the typography of each paragraph until it is known what is usual."""

    def __init__(self) -> None:
        self._found: list[tuple[int, Typography]] = []
        self._sizes: Counter[float] = Counter()  # characters that are set in each, in points
        self._styles: Counter[str | None] = Counter()  # and in each style

    def add(self, offset: int, typography: Typography, length: int, *, may_be_title: bool) -> None:
        """Note how a paragraph was set.

        Args:
            offset: Where its text begins.
            typography: How it was set, with the size of its letters even if that is the usual one.
            length: Its characters.
            may_be_title: Whether this is told; if not, its size and style only tell what is usual.
        """
        self._styles[typography.style] += length
        if typography.size is not None:
            self._sizes[typography.size] += length
        if may_be_title and typography is not USUAL:
            self._found.append((offset, typography))

    def result(self) -> tuple[tuple[int, Typography], ...]:
        """The typography of each paragraph, without the size and style of most of the text."""
        size = max(self._sizes, key=lambda found: (self._sizes[found], found), default=0.0)
        style = max(self._styles, key=lambda found: (self._styles[found], found or ""), default="")
        distinct = {id(found): found for _, found in self._found}.values()  # in Word files, few
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
    """The level that the name of a style or class says: ``Titre 2``, ``section-heading-2``, ``h2``.

    A class of one letter and a digit is a level only if it is all of the name.
    """
    match = _LEVEL_NAME.search(name)
    return int(match[1] or match[2]) if match else None


def means_heading(name: str) -> bool:
    """Whether the name of a class means a heading."""
    return bool(_HEADING_NAME.search(name)) or level_of_name(name) is not None
