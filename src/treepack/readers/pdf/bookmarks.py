"""The lines that a PDF's bookmarks name become headings, and so do parent bookmarks."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import islice, zip_longest
from typing import Final, NamedTuple

from treepack.numbers.words import letters
from treepack.readers.pdf.line_patterns import NUMBERED_LABEL, TITLE_LABEL, TITLE_NUMBER
from treepack.readers.pdf.lines import PdfLine, Role, mark_heading
from treepack.readers.pdf_worker.messages import Bookmark

_NUMBER: Final = re.compile(r"^(?:\d+(?:\.\d+)*|[A-Z](?:\.\d+)+|[A-Z](?=\.))\.?(?:\s+|$)")
_LETTER: Final = re.compile(r"^[A-Z]\s+")  # of an appendix, or of a name: R packages
_FORMATTER_COMMAND: Final = re.compile(r"\\(?:f(?:\(..|\[\w*\]|[A-Z\d])|[A-Za-z@]+\s?)|F\[\w*\]")
"""Remains of TeX and groff commands in bookmarks."""
_SECTION_NUMBER: Final = re.compile(r"\d+(?:\.\d+)+(?=\.?\s)")
_ROMAN: Final = re.compile(r"^[IVXL]+[.:]?\s+")
_MOST_LINES: Final = 8  # of a heading
_MOST_LOOKED_AT: Final = 60  # lines that begin like a bookmark
_KEY: Final = 3  # letters
_LEAST_RATIO: Final = 0.86
_LEAST_RATIO_IF_NUMBERED: Final = 0.5  # with the same number at the same place
_LEAST_ALIKE: Final = 12  # letters of a title that may be written a little differently
_LARGER: Final = 1.1  # of the size of the text
_LONGEST_LABEL: Final = 30  # characters of a line
_LONGEST_PLAIN: Final = 80  # characters of a sentence that may be a title
_SENTENCE_END: Final = re.compile(r"[^\W\d_]{2}[.;:!?\u3002]+[\"\u201d\u2019)]?(?:\s|$)|\u3002")
_FAR: Final = 45.0  # points between a bookmark's place and its line
_UNKNOWN_DISTANCE: Final = 60.0
_NEAR_RUN_IN: Final = 25.0
_SHORTEST_REST: Final = 12  # characters of what follows a title on its line


class _Match(NamedTuple):
    """Lines that a bookmark may name; a lower rank is better."""

    rank: tuple[bool, bool, bool, float]
    lines: list[PdfLine]


def title_forms(title: str) -> frozenset[str]:
    """Return the letters of a title, both with its number and without it."""
    title = _FORMATTER_COMMAND.sub("", title).strip()
    rest = _NUMBER.sub("", NUMBERED_LABEL.sub("", title))
    forms = (title, rest, _LETTER.sub("", rest), _ROMAN.sub("", rest))
    return frozenset(map(letters, forms)) - {""} or frozenset({"".join(title.split())})


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
        lines = index.best(bookmark) or index.run_in(bookmark)
        if lines:
            is_plain = not lines[0].is_bold and lines[0].size < _LARGER * size
            if not (is_plain and _is_sentence(bookmark.title)):  # it repeats a paragraph
                index.mark(lines, bookmark.level)
                found = True
        elif following and following.level > bookmark.level and not _is_sentence(bookmark.title):
            _insert_heading(bookmark, pages[bookmark.page])
            index.forget(bookmark.page)
            found = True
    return found


def _is_sentence(title: str) -> bool:
    return len(title) > _LONGEST_PLAIN and _SENTENCE_END.search(title) is not None


def _label_of(lines: Sequence[PdfLine], page: Sequence[PdfLine]) -> list[PdfLine]:
    """Return the label of a title: a number to its left, or Chapter 3 in one or two lines above."""
    at = next(at for at, line in enumerate(page) if line is lines[0])
    label: list[PdfLine] = []
    for line in islice((line for line in page[:at][::-1] if not line.is_left_out), 2):
        if not line.is_text or len(line.text) > _LONGEST_LABEL:
            break
        label.insert(0, line)
        text = " ".join(label_line.text for label_line in label)
        is_beside = line.right < lines[0].left and line.low < lines[0].middle < line.high
        is_above = len(text.split()) > 1 and TITLE_LABEL.fullmatch(text)
        if is_above or (is_beside and TITLE_NUMBER.fullmatch(text)):
            return label
    return []


class _LineIndex:
    """The lines of pages, indexed by the letters that they begin with."""

    def __init__(self, pages: Sequence[list[PdfLine]]) -> None:
        self._pages = pages
        self._by_key: dict[int, dict[str, list[int]]] = {}

    def best(self, bookmark: Bookmark) -> list[PdfLine]:
        """Return the lines that a bookmark names best, on its page or a page beside it."""
        best: _Match | None = None
        assert bookmark.page is not None, "others are left out"
        for page in (bookmark.page, bookmark.page + 1, bookmark.page - 1):
            if not 0 <= page < len(self._pages):
                continue
            for at in self._candidates(bookmark, page):
                match = _lines_of(bookmark, self._pages[page], at)
                if match is not None and (best is None or match.rank < best.rank):
                    best = match
            if best is not None and not best.rank[0] and not best.rank[1]:
                break
        return best.lines if best else []

    def run_in(self, bookmark: Bookmark) -> list[PdfLine]:
        """Split off and return the first words of a line, if a bookmark at its place names them."""
        if bookmark.page is None or bookmark.y is None:
            return []
        lines = self._pages[bookmark.page]
        forms = title_forms(bookmark.title)
        for at in self._candidates(bookmark, bookmark.page):
            line = lines[at]
            if not line.is_text or abs(_target_height(line) - bookmark.y) >= _NEAR_RUN_IN:
                continue
            cut = _length_of_title(line.text, forms)
            if cut:
                lines[at : at + 1] = _split_after_title(line, cut)
                self.forget(bookmark.page)
                return [lines[at]]
        return []

    def mark(self, lines: list[PdfLine], level: int) -> None:
        """Make a heading of lines and of the label above or beside them.

        A label without digits, CHAPTER THREE, would hide the title from a search for it. It is
        moved below the heading.
        """
        page = self._pages[lines[0].page]
        label = _label_of(lines, page)
        if label and TITLE_NUMBER.fullmatch(" ".join(line.text for line in label)):
            lines = [*label, *lines]
        elif label:
            at = next(at for at, line in enumerate(page) if line is lines[-1]) + 1
            page[at:at] = label
            del page[(first := page.index(label[0])) : first + len(label)]
            self.forget(lines[0].page)
        mark_heading(lines, level)

    def forget(self, page: int) -> None:
        """Forget the index of a page whose lines have changed."""
        self._by_key.pop(page, None)

    def _candidates(self, bookmark: Bookmark, page: int) -> list[int]:
        """Return the indices of the lines on a page that a bookmark may name."""
        if page not in self._by_key:
            self._by_key[page] = self._keys(page)
        by_key, names = self._by_key[page], title_forms(bookmark.title)
        indices: list[int] = []
        for length in range(_KEY, 0, -1):  # the first line of a title may have only one letter
            keys = {name[:length] for name in names}
            indices += sorted({at for key in keys for at in by_key.get(key, ())})
        return [*dict.fromkeys(indices)][:_MOST_LOOKED_AT]

    def _keys(self, page: int) -> dict[str, list[int]]:
        indices_by_key: dict[str, list[int]] = defaultdict(list)
        for at, line in enumerate(self._pages[page]):
            if line.is_left_out or line.is_toc:
                continue
            for text in title_forms(line.text):
                indices_by_key[text[:_KEY]].append(at)
        return indices_by_key


def _lines_of(bookmark: Bookmark, lines: Sequence[PdfLine], at: int) -> _Match | None:
    """Return the lines from an index on that have a bookmark's text, or None."""
    title, forms = letters(bookmark.title), title_forms(bookmark.title)
    text, used = "", list[PdfLine]()
    similar: _Match | None = None
    following = (line for line in lines[at : at + 4 * _MOST_LINES] if not line.is_left_out)
    for line in islice(following, _MOST_LINES):
        if not line.is_text or (used and abs(line.size - used[-1].size) > 1 and len(text) > 6):  # noqa: PLR2004 - enough letters to recognise a title
            break
        used.append(line)
        text += letters(line.text)
        if not forms.isdisjoint(title_forms(" ".join(used_line.text for used_line in used))):
            return _match(bookmark, used, is_same=True)
        if _is_similar(text, title) or _has_number_and_words(bookmark, used[0], text):
            similar = _match(bookmark, list(used), is_same=False)
        if len(text) > len(title) + _LEAST_ALIKE:
            break
    return similar


def _match(bookmark: Bookmark, used: list[PdfLine], *, is_same: bool) -> _Match:
    """Return lines with a rank that states how well they fit a bookmark."""
    first = used[0]
    has_position = bookmark.y is not None and first.page == bookmark.page
    distance = (
        abs(_target_height(first) - (bookmark.y or 0.0)) if has_position else _UNKNOWN_DISTANCE
    )
    order = distance if has_position else -first.size
    return _Match((not is_same, distance > _FAR, first.page != bookmark.page, order), used)


def _is_similar(text: str, title: str, least: float = _LEAST_RATIO) -> bool:
    if len(title) <= _LEAST_ALIKE or abs(len(text) - len(title)) >= (1 - least) * 1.5 * len(title):
        return False
    matcher = SequenceMatcher(None, text, title)
    return matcher.quick_ratio() > least and matcher.ratio() > least


def _has_number_and_words(bookmark: Bookmark, line: PdfLine, text: str) -> bool:
    """Whether a line has a bookmark's number and place, and some of its words.

    If a title has formulas or changes of font, its bookmark may be full of their names.
    """
    number, printed_number = _SECTION_NUMBER.match(bookmark.title), _SECTION_NUMBER.match(line.text)
    if number is None or printed_number is None or number[0] != printed_number[0]:
        return False
    is_near = (
        bookmark.y is not None
        and line.page == bookmark.page
        and abs(_target_height(line) - bookmark.y) < _FAR
    )
    return is_near and _is_similar(text, letters(bookmark.title), _LEAST_RATIO_IF_NUMBERED)


def _target_height(line: PdfLine) -> float:
    """Return where a bookmark to a line usually leads: a little above it."""
    return line.high + 0.5 * line.size


def _length_of_title(text: str, forms: frozenset[str]) -> int:
    """Return how many characters at the start of a line are the title; 0 if it begins otherwise."""
    longest = max(map(len, forms), default=0)
    is_short = min(map(len, forms), default=0) <= _KEY
    for end in range(1, min(len(text), 4 * longest + 20) + 1):
        if is_short and text[end : end + 1].isalnum():
            continue
        if not forms.isdisjoint({letters(text[:end])} if is_short else title_forms(text[:end])):
            return end
    return 0


def _split_after_title(line: PdfLine, cut: int) -> list[PdfLine]:
    """Split a line into its title and the rest; if the rest is short, return the line as it is."""
    rest = line.text[cut:].lstrip(" .:\u2014\u2013-")
    if len(rest) <= _SHORTEST_REST:
        return [line]
    title = line.text[:cut]
    return [
        replace(line, text=title, parts=[title], count=len(title)),
        replace(line, text=rest, parts=[rest], left=line.left + 1, is_bold=False, count=len(rest)),
    ]


def _insert_heading(bookmark: Bookmark, lines: list[PdfLine]) -> None:
    """Insert a heading that no line contains, at the place where its bookmark leads."""
    height = bookmark.y if bookmark.y is not None else float("inf")
    shown = {Role.TEXT, Role.HEADING}
    at = next(
        (at for at, line in enumerate(lines) if line.role in shown and line.low <= height),
        len(lines),
    )
    page = bookmark.page or 0
    size = lines[0].size if lines else 12.0
    height_or_bottom = 0.0 if bookmark.y is None else bookmark.y
    lines.insert(
        at,
        PdfLine(
            bookmark.title,
            [bookmark.title],
            0.0,
            height_or_bottom,
            0.0,
            height_or_bottom,
            height_or_bottom,
            size,
            is_bold=True,
            is_mono=False,
            font="",
            page=page,
            count=0,
            role=Role.HEADING,
            level=bookmark.level,
        ),
    )
