"""The lines that a PDF's bookmarks name become headings; so do parent bookmarks without a line."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Final, NamedTuple

from treepack.readers.pdf.blocks import body_of
from treepack.readers.pdf.lines import PdfLine, Role
from treepack.readers.pdf.wording import NUMBERED_LABEL, TITLE_LABEL
from treepack.readers.pdf_worker.messages import Bookmark

_NUMBER: Final = re.compile(r"^(?:\d+(?:\.\d+)*|[A-Z](?:\.\d+)+|[A-Z](?=\.))\.?(?:\s+|$)")
_LETTER: Final = re.compile(r"^[A-Z]\s+")  # of an appendix, or of a name: R packages
_COMMAND: Final = re.compile(r"\\(?:f(?:\(..|\[\w*\]|[A-Z\d])|[A-Za-z@]+\s?)|F\[\w*\]")
"""Remains of TeX and groff commands in bookmarks."""
_SECTION_NUMBER: Final = re.compile(r"\d+(?:\.\d+)+(?=\.?\s)")
_ROMAN: Final = re.compile(r"^[IVXL]+[.:]?\s+")
_NO_LETTERS: Final = re.compile(r"[\W_]+")
_LONGEST_LABEL: Final = 30  # characters of a line
_MOST_LINES: Final = 8  # of a heading
_MOST_LOOKED_AT: Final = 60  # lines that begin like a bookmark
_KEY: Final = 3  # letters
_ALIKE: Final = 0.86
_HARDLY_ALIKE: Final = 0.5  # with the same number at the same place
_LEAST_ALIKE: Final = 12  # letters of a title that may be written a little differently
_FURTHEST: Final = 8  # pages
_LARGER: Final = 1.15  # of the size of the text
_FAR: Final = 45.0  # points between a bookmark's place and its line
_UNKNOWN: Final = 60.0
_RUN_IN: Final = 25.0
_LEAST_REST: Final = 12  # characters of what follows a title on its line


class _Match(NamedTuple):
    """Lines that a bookmark may name; a lower rank is better."""

    rank: tuple[bool, bool, bool, float]
    lines: list[PdfLine]


def letters(text: str) -> str:
    """Return only the letters and digits of a text, case folded and without accents."""
    return _NO_LETTERS.sub("", unicodedata.normalize("NFKD", text).casefold())


def names(title: str) -> frozenset[str]:
    """Return the letters of a title, both with its number and without it."""
    title = _COMMAND.sub("", title).strip()
    rest = _NUMBER.sub("", NUMBERED_LABEL.sub("", title))
    forms = (title, rest, _LETTER.sub("", rest), _ROMAN.sub("", rest))
    return frozenset(map(letters, forms)) - {""} or frozenset({"".join(title.split())})


def match_bookmarks(bookmarks: Sequence[Bookmark], pages: Sequence[list[PdfLine]]) -> None:
    """Make headings of the lines that bookmarks name; insert parent bookmarks without a line.

    Args:
        bookmarks: The outline.
        pages: The lines of all pages; changed in place.
    """
    bookmarks = list(_without_copies(_with_known_pages(bookmarks, len(pages))))
    index = _Index(pages)
    missed: list[tuple[int, Bookmark]] = []
    for at, mark in enumerate(bookmarks):
        match = index.best(mark) or index.run_in(mark) or index.at_edge(mark)
        if match is None:
            missed.append((at, mark))
        else:
            _mark(match.lines, mark.level)
            page = match.lines[0].page
            if _take_label(match.lines, pages[page]):
                index.forget(page)
    above = {at for at, (one, two) in enumerate(pairwise(bookmarks)) if two.level > one.level}
    for at, mark in list(_still_missed(missed, bookmarks, pages, index)):
        if at in above and mark.page is not None:
            _put_in(mark, pages[mark.page])


def _still_missed(
    missed: Sequence[tuple[int, Bookmark]],
    bookmarks: Sequence[Bookmark],
    pages: Sequence[list[PdfLine]],
    index: "_Index",
) -> Iterator[tuple[int, Bookmark]]:
    """Look for titles some pages after their bookmarks' places; yield bookmarks still without one.

    If a program makes a bookmark before the page break above its title, the bookmark leads to the
    previous page. An empty page or a table of contents may come in between, too.
    """
    size = body_of(pages).size if missed else 0.0
    for at, mark in missed:
        later = (each.page for each in bookmarks[at + 1 :] if each.page is not None)
        first = 0 if mark.page is None else mark.page
        end = next((page + 1 for page in later if page > first), len(pages))
        lines = index.further_on(mark, end, _LARGER * size)
        if lines:
            _mark(lines, mark.level)
        else:
            yield at, mark


def _with_known_pages(bookmarks: Sequence[Bookmark], pages: int) -> Iterator[Bookmark]:
    """Yield the bookmarks; those that lead to a page that the file lacks lose their target."""
    for mark in bookmarks:
        is_known = mark.page is None or 0 <= mark.page < pages
        yield mark if is_known else mark._replace(page=None, y=None)


def _without_copies(bookmarks: Iterable[Bookmark]) -> Iterator[Bookmark]:
    """Yield the bookmarks without copies, which an outline with wrongly linked entries produces."""
    seen: set[tuple[str, int | None, float | None]] = set()
    for mark in bookmarks:
        place = mark.title, mark.page, mark.y
        if mark.page is None or mark.y is None or place not in seen:
            seen.add(place)
            yield mark


def _mark(lines: Sequence[PdfLine], level: int) -> None:
    for line in lines:
        line.role, line.level = Role.MORE_HEADING, level
    lines[0].role = Role.HEADING


def _take_label(lines: Sequence[PdfLine], page: list[PdfLine]) -> bool:
    """Put the label above a title, of one or two lines, into the title's section.

    A label with a number, as in Chapter 3, begins the heading. A number in words would hide the
    title from a search, so CHAPTER THREE is moved below the heading.

    Returns:
        Whether lines were moved.
    """
    at = next(at for at, each in enumerate(page) if each is lines[0])
    above: list[PdfLine] = []
    for each in reversed(page[:at]):
        if each.is_left_out:
            continue
        if not each.is_text or len(above) == 2 or len(each.text) > _LONGEST_LABEL:  # noqa: PLR2004 - a label has two lines
            return False
        above.insert(0, each)
        said = " ".join(every.text for every in above)
        if not TITLE_LABEL.fullmatch(said) or len(said.split()) == 1:
            continue
        if NUMBERED_LABEL.fullmatch(said):
            lines[0].role = Role.MORE_HEADING
            _mark(above, lines[0].level)
            return False
        last = next(at for at, each in enumerate(page) if each is lines[-1])
        moved = {id(each) for each in above}
        page[: last + 1] = [each for each in page[: last + 1] if id(each) not in moved] + above
        return True
    return False


class _Index:
    """The lines of pages, indexed by the letters that they begin with."""

    def __init__(self, pages: Sequence[list[PdfLine]]) -> None:
        self._pages = pages
        self._by_key: dict[int, dict[str, list[int]]] = {}

    def best(self, mark: Bookmark) -> _Match | None:
        """Return the lines that a bookmark names best, on its page or a page beside it."""
        best: _Match | None = None
        if mark.page is None:
            return None
        for page in (mark.page, mark.page + 1, mark.page - 1):
            if not 0 <= page < len(self._pages):
                continue
            for at in self._places(mark, page):
                match = _lines_of(mark, self._pages[page], at)
                if match is not None and (best is None or match.rank < best.rank):
                    best = match
            if best is not None and not best.rank[0] and not best.rank[1]:
                break
        return best

    def run_in(self, mark: Bookmark) -> _Match | None:
        """Split off and return the first words of a line, if a bookmark at its place names them."""
        if mark.page is None or mark.y is None:
            return None
        lines = self._pages[mark.page]
        want = names(mark.title)
        for at in self._places(mark, mark.page):
            line = lines[at]
            if not line.is_text or abs(_top(line) - mark.y) >= _RUN_IN:
                continue
            cut = _length_of_title(line.text, want)
            if cut:
                lines[at : at + 1] = _parted(line, cut)
                self.forget(mark.page)
                return _Match((False, False, False, 0.0), [lines[at]])
        return None

    def further_on(self, mark: Bookmark, end: int, size: float) -> list[PdfLine]:
        """Return the first large lines on later pages that have exactly a bookmark's text."""
        if mark.page is None:
            return []
        for page in range(mark.page + 2, min(end, mark.page + 2 + _FURTHEST)):
            for at in self._places(mark, page):
                match = _lines_of(mark, self._pages[page], at)
                if match is not None and not match.rank[0] and match.lines[0].size >= size:
                    return match.lines
        return []

    def at_edge(self, mark: Bookmark) -> _Match | None:
        """Return a line that was marked as furniture, if a bookmark leads there and names it."""
        if mark.page is None or mark.y is None:
            return None
        wanted = names(mark.title)
        for line in self._pages[mark.page]:
            is_near = line.role is Role.FURNITURE and abs(_top(line) - mark.y) < _FAR
            if is_near and not wanted.isdisjoint(names(line.text)):
                line.role = Role.TEXT
                self.forget(mark.page)
                return _Match((False, False, False, 0.0), [line])
        return None

    def forget(self, page: int) -> None:
        """Forget the index of a page whose lines have changed."""
        self._by_key.pop(page, None)

    def _places(self, mark: Bookmark, page: int) -> list[int]:
        """Return the indices of the lines on a page that a bookmark may name."""
        if page not in self._by_key:
            self._by_key[page] = self._keys(page)
        keys = {name[:_KEY] for name in names(mark.title)}
        found = sorted({at for key in keys for at in self._by_key[page].get(key, ())})
        return found[:_MOST_LOOKED_AT]

    def _keys(self, page: int) -> dict[str, list[int]]:
        found: dict[str, list[int]] = defaultdict(list)
        for at, line in enumerate(self._pages[page]):
            if line.is_left_out or line.is_contents:
                continue
            for text in names(line.text):
                for length in range(1, _KEY + 1):  # a first line may have only one or two letters
                    if length == _KEY or len(text) == length:
                        found[text[:length]].append(at)
        return found


def _lines_of(mark: Bookmark, lines: Sequence[PdfLine], at: int) -> _Match | None:
    """Return the lines from an index on that have a bookmark's text, or None."""
    want, wanted = letters(mark.title), names(mark.title)
    got, used = "", list[PdfLine]()
    alike: _Match | None = None
    for line in _following(lines, at):
        if not line.is_text or (used and abs(line.size - used[-1].size) > 1 and len(got) > 6):  # noqa: PLR2004 - enough letters to recognise a title
            break
        used.append(line)
        got += letters(line.text)
        if not wanted.isdisjoint(names(" ".join(each.text for each in used))):
            return _match(mark, used, is_same=True)
        if _is_alike(got, want) or _is_numbered_alike(mark, used[0], got):
            alike = _match(mark, list(used), is_same=False)
        if len(got) > len(want) + _LEAST_ALIKE:
            break
    return alike


def _match(mark: Bookmark, used: list[PdfLine], *, is_same: bool) -> _Match:
    """Return lines with a rank that states how well they fit a bookmark."""
    first = used[0]
    has_place = mark.y is not None and first.page == mark.page
    far = abs(_top(first) - (mark.y or 0.0)) if has_place else _UNKNOWN
    worth = far if has_place else -first.size
    return _Match((not is_same, far > _FAR, first.page != mark.page, worth), used)


def _following(lines: Sequence[PdfLine], at: int) -> Iterator[PdfLine]:
    """Yield the lines from an index on that a heading may take."""
    taken = 0
    for line in lines[at : at + 4 * _MOST_LINES]:
        if line.is_left_out:
            continue
        yield line
        taken += 1
        if taken == _MOST_LINES:
            return


def _is_alike(got: str, want: str, least: float = _ALIKE) -> bool:
    if len(want) <= _LEAST_ALIKE or abs(len(got) - len(want)) >= (1 - least) * 1.5 * len(want):
        return False
    matcher = SequenceMatcher(None, got, want)
    return matcher.quick_ratio() > least and matcher.ratio() > least


def _is_numbered_alike(mark: Bookmark, line: PdfLine, got: str) -> bool:
    """Whether a line has a bookmark's number and place, and some of its words.

    If a title has formulas or changes of font, its bookmark may be full of their names.
    """
    said, printed = _SECTION_NUMBER.match(mark.title), _SECTION_NUMBER.match(line.text)
    if said is None or printed is None or said[0] != printed[0]:
        return False
    is_near = mark.y is not None and line.page == mark.page and abs(_top(line) - mark.y) < _FAR
    return is_near and _is_alike(got, letters(mark.title), _HARDLY_ALIKE)


def _top(line: PdfLine) -> float:
    """Return where a bookmark to a line usually leads: a little above it."""
    return line.high + 0.5 * line.size


def _length_of_title(text: str, want: frozenset[str]) -> int:
    """Return how many characters at the start of a line are the title; 0 if it begins otherwise."""
    longest = max(map(len, want), default=0)
    is_short = min(map(len, want), default=0) <= _KEY
    for end in range(1, min(len(text), 4 * longest + 20) + 1):
        if is_short and text[end : end + 1].isalnum():
            continue
        if not want.isdisjoint({letters(text[:end])} if is_short else names(text[:end])):
            return end
    return 0


def _parted(line: PdfLine, cut: int) -> list[PdfLine]:
    """Split a line into its title and the rest; if the rest is short, return the line as it is."""
    rest = text_after(line, cut)
    if len(rest) <= _LEAST_REST:
        return [line]
    title = line.text[:cut]
    return [
        replace(line, text=title, parts=[title], count=len(title)),
        replace(line, text=rest, parts=[rest], left=line.left + 1, bold=False, count=len(rest)),
    ]


def text_after(line: PdfLine, cut: int) -> str:
    """Return the text of a line after its title."""
    return line.text[cut:].lstrip(" .:\u2014\u2013-")


def _put_in(mark: Bookmark, lines: list[PdfLine]) -> None:
    """Insert a heading that no line contains, at the place where its bookmark leads."""
    high = mark.y if mark.y is not None else float("inf")
    shown = {Role.TEXT, Role.HEADING}
    at = next(
        (at for at, line in enumerate(lines) if line.role in shown and line.low <= high), len(lines)
    )
    page = mark.page or 0
    size = lines[0].size if lines else 12.0
    place = 0.0 if mark.y is None else mark.y
    lines.insert(
        at,
        PdfLine(
            mark.title,
            [mark.title],
            0.0,
            place,
            0.0,
            place,
            place,
            size,
            bold=True,
            mono=False,
            font="",
            page=page,
            count=0,
            role=Role.HEADING,
            level=mark.level,
        ),
    )
