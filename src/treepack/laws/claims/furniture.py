"""Page furniture: short lines at the edges of pages, which may stand in no chunk."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from treepack.laws.audit_context import Log, quoted
from treepack.laws.claims.marks import check_absence, is_printed_comment
from treepack.laws.pieces import Piece
from treepack.markdown.page_marks import PAGE_FURNITURE
from treepack.model.blocks import Span
from treepack.model.source import LINE_END, Source

_LONGEST: Final = 130  # characters of a line
_LEAST: Final = 10  # characters of two words that heads share: a document's name
_EDGES: Final = frozenset({"", "\n", "\r", "\f"})  # around a line; nothing is the text's edge
_NEAR: Final = 3  # lines from the edge of a page
_BLANKS: Final = " \t\f\u00a0\ufeff"
_NUMBER: Final = re.compile(r"\d|(?<!\w)[ivxlc]+(?!\w)", re.IGNORECASE)
_LINE_EDGE: Final = re.compile(rf"{LINE_END.pattern}|\f")


class _Line(NamedTuple):
    start: int
    end: int
    page: int
    words: str
    pairs: tuple[str, ...]
    is_numbered: bool


def find_furniture(
    source: Source, marks: Sequence[Span], pieces: Sequence[Piece], log: Log
) -> list[Span]:
    """The spans that records skip as page furniture, in order; a wrong one breaks law 1.

    Args:
        source: The text as it is written, with the pages that its reader knows.
        marks: What is skipped as page marks, and what else is known to be one.
        pieces: The chunks.
        log: Takes the findings.
    """
    skipped = sorted(
        (entry.span, piece.index)
        for piece in pieces
        for entry in (piece.chunk.skipped if piece.chunk else ())
        if entry.reason == PAGE_FURNITURE and not is_printed_comment(source.text, entry)
    )
    if not skipped:
        return []
    lines = list(_lines(source, marks))
    repeats = Counter(said for line in lines for said in {line.words, *line.pairs})
    found: list[Span] = []
    for span, index in skipped:
        breach = _breach(source.text, span, lines, repeats)
        if breach:
            said = quoted(source.text[slice(*span)])
            log.found(1, f"skipped as page furniture, but {breach}: {said}", span[0], index)
        elif not found or found[-1][1] <= span[0]:
            found.append(span)
    check_absence(source.text, pieces, found, log, what=PAGE_FURNITURE)
    return found


def _lines(source: Source, marks: Sequence[Span]) -> Iterator[_Line]:
    """The lines that are neither blank nor page marks, each with the number of marks before it."""
    text, pages = source.text, [start for start, _ in source.page_marks]
    marked = {start for start, end in marks if text[start:end].strip(_BLANKS)}
    edges = sorted({*marked, *pages, *(match.start() for match in re.finditer("\f", text))})
    start = 0
    for match in [*_LINE_EDGE.finditer(text), None]:
        end = match.start() if match else len(text)
        solid = text[start:end].strip(_BLANKS)
        if solid and start not in marked:
            begin = text.find(solid, start)
            words = "".join(char for char in solid.casefold() if char.isalpha())
            parts = solid.split()
            pairs = tuple(" ".join(pair) for pair in (parts[:2], parts[-2:]) if len(parts) > 2)  # noqa: PLR2004 - words
            page = bisect_right(edges, begin)
            is_numbered = _NUMBER.search(solid) is not None
            yield _Line(begin, begin + len(solid), page, words, pairs, is_numbered)
        start = match.end() if match else end


def _breach(text: str, span: Span, lines: Sequence[_Line], repeats: Counter[str]) -> str:
    """Why a span is no furniture; empty if it may be."""
    start, end = span
    if not 0 <= start < end <= len(text):
        return "it is not in the text"
    if text[max(start - 1, 0) : start] not in {*_EDGES, "\ufeff"} and text[start] != "\f":
        return "it begins inside a line"
    if text[end : end + 1] not in _EDGES and text[end - 1] not in _EDGES:
        return "it ends inside a line"
    first = bisect_right(lines, start, key=lambda line: line.end)
    for at in range(first, len(lines)):
        if lines[at].start >= end:
            break
        if reason := _line_breach(at, lines, repeats):
            return reason
    return ""


def _line_breach(at: int, lines: Sequence[_Line], repeats: Counter[str]) -> str:
    line = lines[at]
    if line.end - line.start > _LONGEST:
        return "its line is too long"
    above, below = at - _NEAR, at + _NEAR
    is_edge = above < 0 or below >= len(lines)
    if not is_edge and lines[above].page == lines[below].page:
        return "it is inside a page"
    if line.is_numbered or not line.words:
        return ""
    is_named = any(len(pair) >= _LEAST and repeats[pair] > 2 for pair in line.pairs)  # noqa: PLR2004 - on three pages
    return "" if is_named or repeats[line.words] > 1 else "it has no number and occurs only once"
