"""Page marks: the lines that may stand in no chunk, because they belong to a page."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

from treepack.laws.audit_context import Log, quoted
from treepack.laws.pieces import Piece
from treepack.laws.reading.parsed_source import LINE_END, ParsedSource
from treepack.model.blocks import Span
from treepack.model.chunk import Skipped

_REASON: Final = "page mark"
_GIVEN: Final = "given page mark"
_FURNITURE: Final = "page furniture"
_BLANKS: Final = " \t\f"
_KNOWN: Final = re.compile(
    r"""
      <!--[ \t]* (?: (?:page|slide) [ \t]* (?:number|no\.?)? [ \t]* [:=#]? [ \t]* \d+
          (?:[ \t]*(?:of|/)[ \t]*\d+)? | new[ _-]?page | page[ _-]?break ) [ \t]*-->
    | \{\d+\}-{20,}
    | ---[ ]end[ ]of[ ]page(?:\.page_number)?[ ]?=[ ]?\d+[ ]---
    | \[\[?page[ ]?\d+(?:[ ]?(?:of|/)[ ]?\d+)?\]\]?
    | --+[ ]?page[ ]?\d+(?:[ ]?(?:of|/)[ ]?\d+)?[ ]?--+
    | --+[ ]\d+[ ]of[ ]\d+[ ]--+
    | ==+[ ]?page[ ]?\d+(?:[ ]?(?:of|/)[ ]?\d+)?[ ]?==+
    | <page_number>[ ]?\d+(?:[ ]?(?:of|/)[ ]?\d+)?[ ]?</page_number>
    | (?:start|end)[ ]of[ ]page:[ ]?\d+
    """,
    re.VERBOSE | re.IGNORECASE,
)
_PRINTED: Final = re.compile(
    r"<!--[ \t]*page(?:header|footer|number)[ \t]*=[ \t]*\"(?:(?!-->).)*\"[ \t]*-->", re.IGNORECASE
)
# One alone may be a heading of a wiki; pages are several, or the first or the second of two.
_BARE: Final = re.compile(
    r"(?:\A|(?<=[\r\n\f\ufeff]))[ ]*==+[ ]?\d+(?:[ ]?(?:of|/)[ ]?\d+)?[ ]?==+[ \t]*(?=[\r\n\f]|\Z)"
)
_DASHES: Final = "-----"


def find_marks(source: ParsedSource, pieces: Sequence[Piece], log: Log) -> list[Span]:
    """The spans that records skip as page marks, in order; a wrong one breaks law 1.

    A mark has its line for itself, a form feed the edge of a line; in code neither is one, as the
    text is written. Those of a pattern that was given are believed to be marks.
    """
    skipped = sorted(
        (entry.span, entry.reason, piece.index)
        for piece in pieces
        for entry in (piece.chunk.skipped if piece.chunk else ())
        if entry.reason in {_REASON, _GIVEN} or is_printed_comment(source.text, entry)
    )
    if not skipped:
        return []
    text = source.text
    codes = [code for code in source.codes if code.kind != "math"]
    starts = [code.start for code in codes]
    found: list[Span] = []
    for span, reason, index in skipped:
        place = bisect_right(starts, span[0]) - 1
        is_code = place >= 0 and span[0] < codes[place].end
        if is_code or not _is_mark(text, *span, reason):
            said = quoted(text[slice(*span)])
            what = _FURNITURE if reason == _FURNITURE else f"a {_REASON}"
            log.found(1, f"skipped as {what}, but is none: {said}", span[0], index)
        elif not found or found[-1][1] <= span[0]:
            found.append(span)
    check_absence(text, pieces, found, log, what="page mark")
    return found


def is_printed_comment(text: str, skipped: Skipped) -> bool:
    """Whether a converter's comment is skipped that says what a page prints at head or foot."""
    span = text[slice(*skipped.span)]
    return skipped.reason == _FURNITURE and span.lstrip(_BLANKS).startswith("<!--")


def known_marks(text: str) -> Iterator[Span]:
    """The lines that hold only page marks, for a text without chunk records."""
    start = int(text.startswith("\ufeff"))
    for match in [*LINE_END.finditer(text), None]:
        end = match.start() if match else len(text)
        if text[start:end].strip() and any(
            _is_mark(text, start, end, reason) for reason in (_REASON, _FURNITURE)
        ):
            yield start, end
        start = match.end() if match else end


def _is_mark(text: str, start: int, end: int, reason: str) -> bool:
    if not 0 <= start < end <= len(text) or LINE_END.search(text, start, end):
        return False
    begins_line = start == 0 or text[start - 1] in "\r\n\ufeff"
    ends_line = end == len(text) or text[end] in "\r\n"
    marks = [mark.strip(" \t") for mark in text[start:end].split("\f")]
    if not any(marks):
        return "\f" in text[start:end] and (begins_line or ends_line)
    if not (begins_line and ends_line):
        return False
    said = [mark for mark in marks if mark]
    if reason == _FURNITURE:
        return all(_PRINTED.fullmatch(mark) for mark in said)
    return reason == _GIVEN or all(
        _is_known(text, mark, end) or _PRINTED.fullmatch(mark) for mark in said
    )


def _is_known(text: str, mark: str, end: int) -> bool:
    if mark == _DASHES:
        return text.rstrip().endswith(("\n" + _DASHES, "\r" + _DASHES))
    if _BARE.fullmatch(mark):
        if mark.strip("= ") in {"1", "2"}:
            return True
        first = None if _BARE.search(text, end) else _BARE.search(text)
        return first is None or first.end() < end
    return _KNOWN.fullmatch(mark) is not None


def check_absence(
    text: str, pieces: Sequence[Piece], marks: Sequence[Span], log: Log, *, what: str
) -> None:
    """Law 1: no chunk shows a page mark or page furniture, neither in its body nor in context."""
    ends = [end for _, end in marks]
    for piece in pieces:
        for start, end in _shown(piece):
            place = bisect_right(ends, start)
            if place < len(marks) and marks[place][0] < end:
                said = quoted(text[slice(*marks[place])])
                reason = f"the {what} {said} is skipped, but stands in its text"
                log.found(1, reason, marks[place][0], piece.index)


def _shown(piece: Piece) -> Iterator[Span]:
    for segment in piece.chunk.segments if piece.chunk else ():
        if segment.span is not None:
            yield segment.span
