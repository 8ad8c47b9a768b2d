"""Running headers, footers and page numbers, which are skipped, and printed tables of contents."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Final

from treepack.readers.pdf.line_patterns import (
    LARGER,
    LEADERS,
    MOSTLY,
    NEARLY_ALL,
    PAGE_NUMBER,
    SEVERAL,
    TITLE_LABEL,
    TOC_PAGE_NUMBER,
)
from treepack.readers.pdf.lines import PdfLine, Role
from treepack.readers.pdf.order import lines_by_row, rows_from_top
from treepack.readers.pdf.tables.grid import split_rules

if TYPE_CHECKING:
    from array import array

_NUMBERS: Final = re.compile(r"\d+|\b[ivxlc]+\b")
_NUMBER: Final = re.compile(r"\W*(\d{1,4})\W*")
_LAST_NUMBER: Final = re.compile(r"\s+\d{1,4}$")
_OUTER_NUMBER: Final = re.compile(r"^\d{1,4}\s+|\s+\d{1,4}$")
_NOTE_LINE: Final = re.compile(r"(?:\d{1,3}|[*\u2020\u2021])[.)]?\s*[^\W\d_].*\d")
_NEARBY: Final = (-2, -1, 1, 2)  # page offsets; left and right pages have their own headers
_LARGE: Final = 20.0  # points; a larger number alone is a title


def mark_furniture(
    pages: Sequence[list[PdfLine]],
    labels: Sequence[str],
    size: float,
    rules: Sequence["array[float]"],
) -> None:
    """Mark lines that repeat at one height near the pages' edges, and lone page numbers there.

    Args:
        pages: The lines of all pages.
        labels: The printed number of each page; empty where the PDF has none.
        size: The size of most text in points; larger text may be a title.
        rules: Left, low, right and high of the rules of each page, flat.
    """
    rows_of = [rows_from_top(line for line in page if line.is_text) for page in pages]
    for depth in range(SEVERAL):
        large = _bands(rows_of, depth, lambda row: bool(_large_text(row, size)))
        for (is_top, _), band in large.items():
            texts = [_large_text(row, size) for row in band]
            _mark_repeated(band, texts, _PageNumbers(band, labels), is_top=is_top)
        small = _bands(rows_of, depth, lambda row: not _large(row, size))
        for (is_top, _), band in small.items():
            if not _are_furniture(band, len(pages), labels, is_top=is_top):
                continue
            rest = _outside_tables(band, rows_of, rules, is_top=is_top)
            if len(rest) == len(band) or _are_furniture(rest, len(pages), labels, is_top=is_top):
                for row in rest:
                    _mark_row(row)
    counts = [sum(row[0].role is Role.FURNITURE for row in rows) for rows in rows_of]
    usual = max((n for n, rows in zip(counts, rows_of, strict=True) if n < len(rows)), default=0)
    for rows in rows_of:
        _restore(rows, usual)
        if len(pages) > 1:
            _mark_page_number(rows)


def _bands(
    rows_of: Sequence[Sequence[list[PdfLine]]],
    depth: int,
    is_wanted: Callable[[list[PdfLine]], bool],
) -> dict[tuple[bool, int], list[list[PdfLine]]]:
    """Group the wanted rows at one depth from the pages' edges by edge and by height.

    Labels above titles are left out.
    """
    bands: dict[tuple[bool, int], list[list[PdfLine]]] = defaultdict(list)
    for rows in rows_of:
        for is_top in (True, False):
            row = _row_at(rows, depth, is_top=is_top)
            if row and is_wanted(row) and TITLE_LABEL.fullmatch(_row_text(row)) is None:
                bands[is_top, round(row[0].baseline / 2)].append(row)
    return bands


def _mark_repeated(
    rows: Sequence[list[PdfLine]],
    large: Sequence[str],
    is_numbered: Callable[[list[PdfLine]], bool],
    *,
    is_top: bool,
) -> None:
    """Skip rows at one height whose large text repeats that of earlier rows.

    The first may be the title of what follows, and stays. If most rows are not repeated, they are
    titles of pages, as in slides.
    """
    number = _LAST_NUMBER if is_top else _OUTER_NUMBER  # a page may begin with a numbered title
    texts = [
        number.sub("", text) if is_numbered(row) else text
        for row, text in zip(rows, large, strict=True)
    ]
    at_page = {(row[0].page, text) for row, text in zip(rows, texts, strict=True)}
    repeated = [
        (row, text)
        for row, text in zip(rows, texts, strict=True)
        if any((row[0].page + step, text) in at_page for step in _NEARBY)
    ]
    if len(repeated) < max(SEVERAL, MOSTLY * len(rows)):
        return
    seen = set[str]()
    for row, text in repeated:
        if text in seen:
            _mark_row(row)
        seen.add(text)


def _large(row: Sequence[PdfLine], size: float) -> list[PdfLine]:
    """Return the lines of a row that are larger than text."""
    return [line for line in row if line.size > LARGER * size]


def _large_text(row: Sequence[PdfLine], size: float) -> str:
    """Return a row's large text without a chapter's lone number; empty for most rows."""
    lines = [line for line in _large(row, size) if not _NUMBER.fullmatch(line.text)]
    return _row_text(lines).casefold()


def _outside_tables(
    rows: Sequence[list[PdfLine]],
    rows_of: Sequence[Sequence[list[PdfLine]]],
    rules: Sequence["array[float]"],
    *,
    is_top: bool,
) -> list[list[PdfLine]]:
    """Return the rows that repeat, without those of tables that continue over pages.

    In such a table, the row below the header differs from page to page, and so does the last row. A
    running header between rules is on pages without a table as well.
    """
    inner = [_inner_rule(row, rules[row[0].page], is_top=is_top) for row in rows]
    pairs = list(zip(inner, rows, strict=True))
    texts = {
        next((_row_text(below) for below in rows_of[row[0].page] if below[0].middle < rule), "")
        if is_top
        else _row_text(row)
        for rule, row in pairs
        if rule is not None
    }
    rest = [row for rule, row in pairs if rule is None]
    if len(texts) <= MOSTLY * (len(rows) - len(rest)):
        return list(rows)
    shapes = {_shape(row) for row in rest}
    return [row for rule, row in pairs if rule is None or _shape(row) in shapes]


def _inner_rule(row: Sequence[PdfLine], values: "array[float]", *, is_top: bool) -> float | None:
    """Return the inner one of two rules around a row of cells, if a third rule follows it."""
    if len(row) < 2:  # noqa: PLR2004 - two columns
        return None
    across, _ = split_rules(values)
    left, right = min(line.left for line in row), max(line.right for line in row)
    heights = sorted(rule.at for rule in across if rule.start <= left and right <= rule.end)
    above = [at for at in heights if at > row[0].middle]
    below = [at for at in heights if at < row[0].middle]
    if not above or not below:
        return None
    rule = below[-1] if is_top else above[0]
    has_more = heights[0] < rule if is_top else heights[-1] > rule
    return rule if has_more else None


def _restore(rows: Sequence[list[PdfLine]], usual: int) -> None:
    """Restore a page that was skipped as a whole because it is printed again, such as a form.

    Args:
        rows: Its rows.
        usual: The largest number of furniture rows on pages that have other rows, too. A page with
            only an image between them has no more rows than that.
    """
    if len(rows) > usual and all(row[0].role is Role.FURNITURE for row in rows):
        for line in chain.from_iterable(rows):
            line.role = Role.TEXT


def _row_at(rows: Sequence[list[PdfLine]], depth: int, *, is_top: bool) -> list[PdfLine]:
    """Return the row at this depth from an edge, if all rows further out are furniture."""
    ordered = rows if is_top else rows[::-1]
    outer = ordered[:depth]
    is_edge = all(row[0].role is Role.FURNITURE for row in outer)
    return ordered[depth] if is_edge and depth < len(ordered) else []


def _row_text(row: Sequence[PdfLine]) -> str:
    return " ".join(line.text for line in row)


def _are_furniture(
    rows: Sequence[list[PdfLine]], pages: int, labels: Sequence[str], *, is_top: bool
) -> bool:
    """Whether rows at one height repeat the text of pages nearby, or contain page numbers.

    A heading such as Procedure, which occurs in each chapter and begins some of the pages, is not a
    running header. The last lines of footnotes on amendments look alike, but are not footers.
    """
    is_notes = not is_top and sum(map(_is_note, rows)) > MOSTLY * len(rows)
    if len(rows) < SEVERAL or is_notes:
        return False
    shapes = {(row[0].page, _shape(row)) for row in rows}
    numbered = list(map(_PageNumbers(rows, labels), rows))
    hits = sum(
        is_numbered
        or PAGE_NUMBER.fullmatch(_row_text(row)) is not None
        or any((row[0].page + step, _shape(row)) in shapes for step in _NEARBY)
        for row, is_numbered in zip(rows, numbered, strict=True)
    )
    is_enough = 2 * sum(numbered) >= len(rows) or 4 * len(rows) >= pages or hits == len(rows)
    return hits >= MOSTLY * len(rows) and is_enough


def _is_note(row: Sequence[PdfLine]) -> bool:
    """Whether a row is part of a footnote: one line of a number, words and further numbers."""
    first = min(row, key=lambda line: line.left)
    return len(row) == 1 and _NOTE_LINE.match(first.text) is not None


def _shape(row: Sequence[PdfLine]) -> str:
    """Return a row's text with all numbers replaced by ``#``."""
    return _NUMBERS.sub("#", _row_text(row).casefold())


class _PageNumbers:
    """Distinguishes rows that begin or end with their page's number from those with other numbers.

    A page's number is its label, or rises with the pages; the numbers of lines of code do not.
    """

    def __init__(self, rows: Sequence[list[PdfLine]], labels: Sequence[str]) -> None:
        self._labels = labels
        count = Counter(offset for row in rows for offset in self._offsets(row))
        self._usual = {offset for offset, times in count.items() if times >= SEVERAL}

    def __call__(self, row: Sequence[PdfLine]) -> bool:
        page = row[0].page
        label = self._labels[page] if page < len(self._labels) else ""
        return label in _outermost_words(row) or not self._usual.isdisjoint(self._offsets(row))

    @staticmethod
    def _offsets(row: Sequence[PdfLine]) -> set[int]:
        """Return the page's index minus each outer number, which page numbers keep constant."""
        numbers = (_NUMBER.fullmatch(word) for word in _outermost_words(row))
        return {row[0].page - int(number[1]) for number in numbers if number}


def _outermost_words(row: Sequence[PdfLine]) -> set[str]:
    words = _row_text(sorted(row, key=lambda line: line.left)).split()
    return {*words[:1], *words[-1:]}


def _mark_row(row: Sequence[PdfLine]) -> None:
    for line in row:
        line.role = Role.FURNITURE


def _mark_page_number(rows: Sequence[list[PdfLine]]) -> None:
    """Skip a page number that is alone in the first or the last row of a page."""
    for row in [*rows[:1], *rows[1:][-1:]]:
        if len(row) == 1 and PAGE_NUMBER.fullmatch(row[0].text) and row[0].size < _LARGE:
            _mark_row(row)


# -------------------------------------------------------------------- tables of contents


def mark_toc(pages: Sequence[list[PdfLine]]) -> None:
    """Mark the lines of tables of contents, after page furniture."""
    for page in pages:
        entries = list(_entries(page))
        if len(entries) > SEVERAL:
            for row in entries:
                for line in row:
                    line.is_toc = True


def _entries(page: Sequence[PdfLine]) -> Iterator[list[PdfLine]]:
    """Yield rows with leader dots, or with a number alone at the right edge."""
    lines = [line for line in page if line.is_text]
    if not lines:
        return
    left, right = min(line.left for line in lines), max(line.right for line in lines)
    edge = left + NEARLY_ALL * (right - left)
    for row in lines_by_row(lines):
        last = max(row, key=lambda line: line.right)
        is_apart = len(row) > 1 and last.right > edge and TOC_PAGE_NUMBER.fullmatch(last.text)
        if is_apart or any(LEADERS.search(line.text) for line in row):
            yield row
