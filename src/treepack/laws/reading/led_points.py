"""Paragraphs that lead to points which are paragraphs: "provided that:" above ``(a)`` and ``(b)``.

A chunk may repeat such a text before a point. It must stand directly above the first point, and its
list of points must not be over: it is over where the numbering of the text itself goes on, where
the points begin again, at a heading, and after the last paragraph with a label.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from operator import attrgetter
from typing import Final, NamedTuple

from treepack.laws.reading.blocks import Block
from treepack.laws.reading.parsed_source import ParsedSource
from treepack.model.blocks import Span

_LABEL: Final = re.compile(
    r"(?:[\s>*_\\]|<[^<>\r\n]{0,80}>|)*+(?:\([*_]{0,3}(?P<inner>\d{1,3}[a-z]{0,2}|[^\W\d_]{1,6})[*_]{0,3}\)"
    r"|(?P<number>\d{1,3}[a-z]{0,2}(?:\.\d{1,3}|)*+)(?P<sign>\\?[.)]|°|)|(?P<letter>[^\W\d_]{1,6})"
    r"(?P<mark>\\?[.)])|(?P<dashed>[IVXLC]{1,7})(?=[ \u00a0]{1,3}[-–—]))(?=[\s*_<]|$)"
)
_MARKS: Final = re.compile(r"(?:[^\S\r\n]|>|(?:[-+*]|\d{1,9}[.)])[ \t])*")
_RUN: Final = re.compile(r"\S[^\r\n]*+(?:(?:\r\n?|\n)[^\S\r\n]*+\S[^\r\n]*+)*")
_LINE_END: Final = re.compile(r"[^\S\r\n]*+(?:\r\n?|\n)")
_LEADS: Final = frozenset(":：,–—")
_ROMANS: Final = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii")
_ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz"


class _Label(NamedTuple):
    """The label of a paragraph: its form, such as ``a()`` for ``(c)``, and its number."""

    form: str
    number: str


class LedPoints:
    """The texts of one document that lead to points, and how far these go.

    Args:
        source: The document.
    """

    def __init__(self, source: ParsedSource) -> None:
        self._source = source
        self._ends: dict[Span, int] = {}  # of the points, by the texts that lead to them

    def is_open(self, span: Span, position: int) -> bool:
        """Whether a span is a paragraph that leads to points, which go on at a position.

        Args:
            span: The paragraph, without blanks around it.
            position: Where the chunk's own text begins.
        """
        if span not in self._ends:
            self._ends[span] = self._end(span)
        return span[1] < position < self._ends[span]

    def _end(self, span: Span) -> int:
        """Where the last point ends to which a span leads; its own end if it leads to none."""
        text, end = self._source.text, span[1]
        leads = text[end - 1] in _LEADS or text[end - 1].isalnum()
        first: _Label | None = None
        before: _Label | None = None
        is_next = False  # whether the first label may be the next of the text's own numbering
        own = _label(text, *span)
        for after in self._following(span) if leads else ():
            label = _label(text, after.start, after.end) if after.kind != "heading" else None
            if first is None:
                first = label
                is_next = own is not None and first is not None and _follows(own, first)
                if first is None or (is_next and first.number != "i"):
                    return end
            elif is_next and label:
                if label.number != "ii":
                    return end  # (i) was the letter after (h)
                is_next = False
            elif after.kind == "heading":
                return end
            elif label and label != before and _is_over(own, first, label):
                return end  # a converter may print a label twice
            if label:
                end, before = after.end, label
        return end

    def _following(self, span: Span) -> Iterator[Block]:
        """The blocks after a paragraph with this span, of its level; none if there is none."""
        if self._source.is_plain:
            yield from self._runs(span)
            return
        siblings: Sequence[Block] = self._source.blocks
        while siblings:
            at = bisect_right(siblings, span[0], key=attrgetter("start")) - 1
            block = siblings[max(at, 0)]
            if block.kind == "paragraph" and span in {
                (block.start, block.end),
                without_marks(self._source.text, block),
            }:
                yield from siblings[at + 1 :]
                return
            siblings = block.children

    def _runs(self, span: Span) -> Iterator[Block]:
        """The lines after a span of whole lines in a plain text, up to each blank one."""
        text = self._source.text
        line = max(text.rfind("\n", 0, span[0]), text.rfind("\r", 0, span[0])) + 1
        if text[line : span[0]].strip() or _RUN.fullmatch(text, *span) is None:
            return
        line_end = _LINE_END.match(text, span[1])
        for run in _RUN.finditer(text, line_end.end()) if line_end else ():
            yield Block("paragraph", run.start(), run.end(), (0, 0))


def labels_before(text: str, siblings: Sequence[Block], place: int) -> int | None:
    """Where the paragraphs before a block begin that are only labels; None if there are none.

    Laws that come from HTML have each label in a paragraph of its own, sometimes twice.

    Args:
        text: The source.
        siblings: The blocks of one level.
        place: The place of the block among them.
    """
    first = place
    while first > 0 and _is_label(text, siblings[first - 1]):
        first -= 1
    return siblings[first].start if first < place else None


def _is_label(text: str, block: Block) -> bool:
    found = _LABEL.match(text, block.start, block.end) if block.kind == "paragraph" else None
    return found is not None and not text[found.end() : block.end].strip("*_ ")


def without_marks(text: str, block: Block) -> Span:
    """A paragraph of one line without the marks of the containers around it."""
    marks = _MARKS.match(text, block.start, block.end)
    return marks.end() if marks else block.start, block.end


def _is_over(own: _Label | None, first: _Label, label: _Label) -> bool:
    """Whether a label is none of the points: the first again, or the next of the text above."""
    if label == first or own is None:
        return label == first
    return _follows(own, label) or (own.form != first.form and own.form == label.form)


def _follows(own: _Label, label: _Label) -> bool:
    """Whether a label is the next after another, of the same form."""
    if own.form != label.form:
        return False
    if own.number.isdecimal() and label.number.isdecimal():
        return int(label.number) == int(own.number) + 1
    return (own.number, label.number) in {*pairwise(_ROMANS), *pairwise(_ALPHABET)}


def _label(text: str, start: int, end: int) -> _Label | None:
    """The label that a paragraph begins with; None without one."""
    found = _LABEL.match(text, start, end)
    if found is None:
        return None
    number = found["inner"] or found["number"] or found["letter"] or found["dashed"]
    if found["number"] and not (found["sign"] or "." in number):
        return None
    sign = "()" if found["inner"] else (found["sign"] or found["mark"] or ".").lstrip("\\")
    kind = "1" if number[0].isdigit() else "A" if number[0].isupper() else "a"
    return _Label(f"{kind}{sign}", number.casefold())
