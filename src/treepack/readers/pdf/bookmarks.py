"""The lines that a PDF's bookmarks name become headings, and so do parent bookmarks."""

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import islice, zip_longest
from math import inf
from typing import Final

from treepack.numbers.words import letters
from treepack.readers.pdf.line_patterns import (
    LARGER,
    LONG,
    MOST_EXAMINED,
    MOST_LINES,
    NUMBERED_LABEL,
    TITLE_LABEL,
    TITLE_NUMBER,
)
from treepack.readers.pdf.lines import PdfLine, Role
from treepack.readers.pdf_worker.messages import Bookmark

_NUMBER: Final = re.compile(r"^(?:\d+(?:\.\d+)*|[A-Z](?:\.\d+)*|[IVXL]+:?)\.?(?:\s+|$)")
_LONGEST_LABEL: Final = 30  # characters of a line


def title_forms(title: str) -> frozenset[str]:
    """Return the letters of a title, both with its number and without it."""
    rest = _NUMBER.sub("", NUMBERED_LABEL.sub("", title))
    return frozenset({letters(title), letters(rest)}) - {""} or frozenset({"".join(title.split())})


def match_bookmarks(
    bookmarks: Sequence[Bookmark], pages: Sequence[list[PdfLine]], size: float
) -> bool:
    """Make headings of the lines that bookmarks name; insert parent bookmarks without a line.

    Args:
        bookmarks: The bookmarks; some programs let them lead to pages that the file lacks.
        pages: The lines of all pages.
        size: The size of most text in points.

    Returns:
        Whether there are headings now.
    """
    index = _LineIndex(pages)
    found = False
    for bookmark, following in zip_longest(bookmarks, bookmarks[1:]):
        if bookmark.page is None or not 0 <= bookmark.page < len(pages):
            continue
        lines, is_long = index.best(bookmark), len(bookmark.title) > LONG
        if lines:
            if not is_long or lines[0].is_bold or lines[0].size >= LARGER * size:
                _mark_heading(_label_of(lines, pages[lines[0].page]) + lines, bookmark.level)
                found = True
        elif following and following.level > bookmark.level and not is_long:
            _insert_heading(bookmark, pages[bookmark.page])
            index.forget(bookmark.page)
            found = True
    return found


def _label_of(lines: Sequence[PdfLine], page: Sequence[PdfLine]) -> list[PdfLine]:
    """Return the label of a title: a number to its left, or Chapter 3 in one or two lines above."""
    label: list[PdfLine] = []
    above = page[: page.index(lines[0])][::-1]
    for line in islice((line for line in above if not line.is_left_out), 2):
        if not line.is_text or len(line.text) > _LONGEST_LABEL:
            break
        label.insert(0, line)
        text = " ".join(label_line.text for label_line in label)
        is_beside = line.right < lines[0].left and line.low < lines[0].middle < line.high
        is_label = is_beside or (len(text.split()) > 1 and TITLE_LABEL.fullmatch(text))
        if is_label and TITLE_NUMBER.fullmatch(text):
            return label
    return []


def _mark_heading(lines: Sequence[PdfLine], level: int) -> None:
    """Give the lines of one heading their roles and its level."""
    for line in lines:
        line.role, line.level = Role.HEADING_CONTINUED, level
    lines[0].role = Role.HEADING


class _LineIndex:
    """The lines of pages, indexed by the letters that they begin with."""

    def __init__(self, pages: Sequence[list[PdfLine]]) -> None:
        self._pages = pages
        self._by_key: dict[int, dict[str, list[int]]] = {}

    def best(self, bookmark: Bookmark) -> list[PdfLine]:
        """Return the lines that a bookmark names best, on its page or else on a page beside it.

        These are the nearest to its place, or the largest if no place is known.
        """
        assert bookmark.page is not None, "others are left out"
        if on_page := self._lines_on(bookmark.page, bookmark):
            return min(on_page, key=lambda lines: _distance(bookmark, lines[0]))
        pages = (bookmark.page + 1, bookmark.page - 1)
        beside = (lines for page in pages for lines in self._lines_on(page, bookmark))
        return max(beside, key=lambda lines: lines[0].size, default=list[PdfLine]())

    def _lines_on(self, page: int, bookmark: Bookmark) -> list[list[PdfLine]]:
        """Return the lines of each title on a page that a bookmark may name."""
        if not 0 <= page < len(self._pages):
            return []
        at_lines = self._candidates(bookmark, page)
        found = (_lines_of(bookmark, self._pages[page], at) for at in at_lines)
        return [lines for lines in found if lines]

    def forget(self, page: int) -> None:
        """Forget the index of a page whose lines have changed."""
        self._by_key.pop(page, None)

    def _candidates(self, bookmark: Bookmark, page: int) -> list[int]:
        """Return the indices of the lines on a page that a bookmark may name."""
        if page not in self._by_key:
            self._by_key[page] = self._keys(page)
        keys = {form[:1] for form in title_forms(bookmark.title)}
        return sorted({at for key in keys for at in self._by_key[page][key]})[:MOST_EXAMINED]

    def _keys(self, page: int) -> dict[str, list[int]]:
        indices_by_key: dict[str, list[int]] = defaultdict(list)
        for at, line in enumerate(self._pages[page]):
            if line.is_left_out or line.is_toc:
                continue
            for text in title_forms(line.text):
                indices_by_key[text[:1]].append(at)
        return indices_by_key


def _lines_of(bookmark: Bookmark, lines: Sequence[PdfLine], at: int) -> list[PdfLine]:
    """Return the lines from an index on that have a bookmark's text; empty if they have not."""
    length, forms = len(letters(bookmark.title)), title_forms(bookmark.title)
    text, used = "", list[PdfLine]()
    following = (line for line in lines[at : at + 4 * MOST_LINES] if not line.is_left_out)
    for line in islice(following, MOST_LINES):
        if not line.is_text or (used and abs(line.size - used[-1].size) > 1 and len(text) > 6):  # noqa: PLR2004 - enough letters to recognise a title
            break
        used.append(line)
        text += letters(line.text)
        if not forms.isdisjoint(title_forms(" ".join(used_line.text for used_line in used))):
            return used
        if len(text) > length + _LONGEST_LABEL:
            break
    return []


def _distance(bookmark: Bookmark, line: PdfLine) -> float:
    """Return how far a line is from a bookmark's place; if that is unknown, less for large ones."""
    if bookmark.y is None:
        return -line.size
    return abs(line.high + 0.5 * line.size - bookmark.y)  # it usually leads a little above the line


def _insert_heading(bookmark: Bookmark, lines: list[PdfLine]) -> None:
    """Insert a heading that no line contains, at the place where its bookmark leads."""
    height = inf if bookmark.y is None else bookmark.y
    shown = {Role.TEXT, Role.HEADING}
    at = next(
        (at for at, line in enumerate(lines) if line.role in shown and line.low <= height),
        len(lines),
    )
    y, size = bookmark.y or 0.0, lines[0].size if lines else 12.0
    heading = PdfLine(
        bookmark.title, [bookmark.title], 0.0, y, 0.0, y, y, size, page=bookmark.page or 0
    )
    _mark_heading([heading], bookmark.level)
    lines.insert(at, heading)
