"""The audit's own reading of plain text: what of it surely belongs together.

Nothing here is shared with `treepack.plain`. Where a text can be read in several ways, as lines
that may be items or wrapped prose, this reading says less:

=========== ====================================================================================
paragraph   lines that are surely prose: it, its sentences and its words are whole if they fit
lines       lines with columns: it and each of its lines are whole if they fit
list item   an item among others of its kind in one run: it is whole if it fits
block       lines that may be laid out, or stick out: it is whole if it fits
loose lines some of which may be items: only words are whole
=========== ====================================================================================
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from treepack.laws.reading.blocks import Block

_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|\Z)")
_MAY_BE_MARKED: Final = re.compile(r"\s*(?:[^\w\s]|o|\(?\w{1,6}[.)])\s+\S")
_BULLET: Final = re.compile(r"([ \t]*[-*+•])[ ]+\S")
_NUMBERED: Final = re.compile(r"([ \t]*)(\d{1,2})([.)])[ ]+\S")
_MAY_BE_LAID_OUT: Final = re.compile(
    r"\S(?:   |.*\t)|[{};\\]\s*\Z|\*/|//|\.\.\.\.|\. \. |____|[\u2500-\u259f]|[|+<#%$>]"
    r"|\A[\s\d\W]*\Z"
)
_COLUMNS: Final = re.compile(r"\S {3,}\S")


class _Line(NamedTuple):
    number: int
    start: int
    text: str

    @property
    def indent(self) -> int:
        return len(self.text) - len(self.text.lstrip())

    @property
    def span(self) -> tuple[int, int]:
        return self.start + self.indent, self.start + len(self.text.rstrip())


class LeadIns:
    """Lines that introduce lists, and how far these go.

    Args:
        text: The text.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._ends: dict[int, int] = {}  # of the lists, by where the lead-ins end

    def is_open(self, span: tuple[int, int], position: int) -> bool:
        """Whether a span is the lead-in of a list that goes on at a position."""
        text = self._text[slice(*span)]
        if not text.endswith((":", "\uff1a")) or "\n" in text or "\r" in text:
            return False
        if span[1] not in self._ends:
            self._ends[span[1]] = self._list_end(span[1])
        return span[1] < position < self._ends[span[1]]

    def _list_end(self, start: int) -> int:
        """Where a line begins, after a blank one, that is further left than the first item."""
        lines = _lines(self._text, start)
        next(lines)  # what is left of the lead-in's own line
        first: _Line | None = None
        before = ""
        for line in lines:
            solid = line.text.strip()
            if first is None:
                first = line if solid else None
            elif line.number == first.number + 1 and not _is_item(first, line):
                return first.start
            elif solid and not before and line.indent < first.indent:
                return line.start
            before = solid
        return len(self._text) if first else start


def _is_item(line: _Line, below: _Line) -> bool:
    """Whether a line has what may be a marker, or sticks out."""
    sticks_out = bool(below.text.strip()) and line.indent < below.indent
    return sticks_out or _MAY_BE_MARKED.match(line.text) is not None


def plain_blocks(text: str) -> list[Block]:
    """The blocks of a plain text, in order; together they hold all that is not blank."""
    found: list[Block] = []
    run: list[_Line] = []
    for line in _lines(text):
        if line.text.strip():
            run.append(line)
        elif run:
            found += _blocks(run)
            run = []
    found += _blocks(run) if run else []
    for block in found:
        block.top = block
    return found


def _lines(text: str, start: int = 0) -> Iterator[_Line]:
    """The lines from an offset on, with numbers from there."""
    start, number = start or int(text.startswith("\ufeff")), 0
    while start < len(text):
        match = _LINE.match(text, start)
        assert match is not None, "no character is a line as well"
        yield _Line(number, start, match[0])
        start, number = match.end(), number + 1


def _blocks(run: Sequence[_Line]) -> Iterator[Block]:
    """The blocks of lines without a blank one between."""
    if any(_MAY_BE_MARKED.match(line.text) for line in run[1:]):
        if heads := _sure_items(run):
            for first, after in zip(heads, [*heads[1:], len(run)], strict=True):
                yield _block("list item", run[first:after])
        else:
            yield _block("loose lines", run)
        return
    indents = {line.indent for line in run}
    columns = sum(_COLUMNS.search(line.text) is not None for line in run)
    may_be_laid_out = any(_MAY_BE_LAID_OUT.search(line.text) for line in run)
    sticks_out = (
        run[0].indent < max(indents) and sum(line.indent == run[0].indent for line in run) > 1
    )
    if not (may_be_laid_out or sticks_out):
        yield _block("paragraph", run)
    elif (
        len(run) > 1
        and columns * 4 >= len(run) * 3
        and len(indents) == 1
        and not (_MAY_BE_MARKED.match(run[0].text))
    ):
        yield _block("lines", run)
    else:
        yield _block("block", run)


def _block(kind: str, lines: Sequence[_Line]) -> Block:
    first, last = lines[0], lines[-1]
    return Block(kind, first.span[0], last.span[1], (first.number, last.number + 1))


def _sure_items(run: Sequence[_Line]) -> list[int]:
    """The lines of a run that begin items, if it surely is a list without inner lists."""
    marked = [place for place, line in enumerate(run) if _MAY_BE_MARKED.match(line.text)]
    if not marked or marked[0] != 0 or any(_MAY_BE_LAID_OUT.search(line.text) for line in run):
        return []
    bullets = {match[1] if (match := _BULLET.match(run[at].text)) else "" for at in marked}
    if len(bullets) == 1 and "" not in bullets:
        return marked
    numbered = [_NUMBERED.match(run[at].text) for at in marked]
    if not all(numbered):
        return []
    kinds = {(match[1], match[3]) for match in numbered if match}
    numbers = [int(match[2]) for match in numbered if match]
    goes_on = numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    return marked if goes_on and len(kinds) == 1 else []
