"""Tables of contents: their lines are not titles, but evidence for the titles that they list."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, TypeAlias

from treepack.numbers.grammar import has_leader, parse_clause
from treepack.numbers.words import KIND_OF_WORD, letters, letters_of_lines
from treepack.outline.lines import Line
from treepack.outline.shape import CONTENTS_TITLES

_LEADER: Final = re.compile(
    r"(?P<title>.*?\S)\s*(?:(?:\.\s?){3,}|\s{3,}|…+|\t)\s*(?P<page>\d{1,4}|[ivxl]{1,6})"
)
_PAGE_TAIL: Final = re.compile(r"(?P<title>.*[^\d\s])\s+(?P<page>\d{1,4})")
_TITLE_START: Final = re.compile(
    rf"[\W\d]*(?:{'|'.join(sorted(CONTENTS_TITLES, reverse=True))})(?: page\b|\W*\Z)", re.IGNORECASE
)
"""The title of contents, alone or with the head of the column of pages after it."""
_LONGEST: Final = 200  # characters of an entry; the pattern of leaders is quadratic in them
_FEWEST: Final = 4  # entries; three numbers at line ends may be chance


EntryStyle: TypeAlias = tuple[int, bool]
"""The indentation of an entry, and whether dots lead to its page.

The lesser of two styles is the higher level. The text of a PDF has no indentation, but many books
print dots only in lower entries.
"""


Entries: TypeAlias = Mapping[str, EntryStyle]
"""How the first entry of each title is printed in a table of contents, by the title's letters."""


def read_contents(lines: Sequence[Line]) -> Entries:
    """Flag the lines of tables of contents, and return their entries."""
    reader = _ContentsReader(lines)
    found = {*reader.with_leaders(), *reader.rising(), *reader.below_title()}
    entries: dict[str, EntryStyle] = {}
    for index in sorted(found):
        line = lines[index]
        line.is_entry = True
        match = _match_leader(line.text) or _match_page(line.text)
        title = match["title"] if match else line.text
        entries.setdefault(letters(title.rstrip(". ")), (line.indent, has_leader(line.text)))
    entries.pop("", None)
    return entries


def is_listed(entries: Collection[str], *texts: str) -> bool:
    """Whether a table of contents lists any of these texts."""
    return bool(entries) and any(letters(text) in entries for text in texts)


def _match_leader(text: str) -> re.Match[str] | None:
    if len(text) > _LONGEST or not ("   " in text or has_leader(text)):
        return None  # the common case
    return _LEADER.fullmatch(text)


def _match_page(text: str) -> re.Match[str] | None:
    if len(text) > _LONGEST or not text[-1].isdecimal():
        return None  # the common case
    match = _PAGE_TAIL.fullmatch(text)
    if match and match["title"].lstrip("0123456789. ").casefold() in KIND_OF_WORD:
        return None  # "Chapter 1" heads what follows, and "1. Part 1" has no page
    return match


class _ContentsReader:
    """Finds the lines of tables of contents."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        self.paged = [  # few lines
            at for at, line in enumerate(lines) if line.text[-1] in "0123456789ivxl"
        ]

    @cached_property
    def _last_at(self) -> dict[str, int]:
        """The index of the last line with some letters."""
        keys = letters_of_lines([line.text for line in self.lines])
        return {key: index for index, key in enumerate(keys)}

    def with_leaders(self) -> Iterator[int]:
        """Yield lines with leaders and a page that have several other such lines near them."""
        leaders = {
            index
            for index in self.paged
            if (match := _match_leader(self.lines[index].text)) and len(letters(match["title"])) > 1
        }
        for index in leaders:
            near = range(index - _FEWEST, index + _FEWEST + 1)
            if sum(neighbour in leaders for neighbour in near) >= _FEWEST:
                yield index

    def rising(self) -> Iterator[int]:
        """Yield long runs of lines whose page numbers rise."""
        run: list[tuple[int, int]] = []
        for index in [*self.paged, len(self.lines)]:
            text = self.lines[index].text if index < len(self.lines) else ""
            match = _match_page(text) if text else None
            if match is None and text:
                continue
            page = int(match["page"]) if match else -1
            is_next = run and index - run[-1][0] <= 2 and page >= run[-1][1]  # noqa: PLR2004 - at most one other line between
            if not is_next:
                if len(run) >= 2 * _FEWEST:  # nothing but rising pages shows that they are entries
                    yield from range(run[0][0], run[-1][0] + 1)
                run = []
            run.append((index, page))

    def below_title(self) -> Iterator[int]:
        """Yield the lines below the title Contents, as long as they look like entries."""
        lines, after = self.lines, 0
        for index, line in enumerate(lines):
            text = line.text
            if index < after or len(text) > _LONGEST or not _TITLE_START.match(text):
                continue  # the common case
            run: list[int] = []
            after, missed = index + 1, 0
            while after < len(lines) and missed < 2:  # noqa: PLR2004 - lines
                is_entry = self._is_entry(after)
                missed = 0 if is_entry else missed + 1
                if is_entry:
                    run.append(after)
                after += 1
            if len(run) >= _FEWEST:
                yield from range(run[0], run[-1] + 1)

    def _is_entry(self, index: int) -> bool:
        """Whether a line may be an entry."""
        text = self.lines[index].text
        if _match_leader(text) or _match_page(text):
            return True
        return parse_clause(text) is not None and self._last_at[letters(text)] > index
