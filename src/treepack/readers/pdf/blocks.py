"""Lines become blocks: headings, paragraphs, items, code; paragraphs may continue over pages."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Final

from treepack.readers.inlines import InlinePiece, joined_texts, plain_of
from treepack.readers.neighbours import with_joined
from treepack.readers.pdf.lines import PdfLine, Role
from treepack.readers.pdf.order import SAME_ROW, lines_by_row
from treepack.readers.pdf.tables.finder import FoundTable
from treepack.readers.pdf.wording import (
    BULLET,
    LABEL,
    LETTERED_TITLE,
    NUMBERED_TITLE,
    SOFT_HYPHENS,
    before_next,
    begins_figure_caption,
    may_go_on,
    plain_hyphens,
)

_LEADING: Final = 1.35  # of the usual distance of lines; more begins a paragraph
_OTHER_SIZE: Final = 1.2  # points
_LARGER_TITLE: Final = 0.8  # points
_SHORT_TITLE: Final = 0.85  # of the line below
_SHORT: Final = 0.2  # of the width, which a short last line leaves free
_INDENT: Final = 5.0  # points
_LONGEST_TERM: Final = 80  # characters
_BELOW_TERM: Final = 2.0  # em between the baselines of a term and of its definition
_LARGER: Final = 1.1  # of the size of the text
_SMALL: Final = 0.93  # of the size of the text; footnotes are smaller
_SIDE_NOTE: Final = 0.8  # of the size of the text beside it
_NEAR: Final = 3.0  # em between the baselines of a text and of a note beside it
_WORD: Final = re.compile(r"[^\W\d_]{3}")
_MONO_WIDTH: Final = 0.6  # em; the width of a monospaced character
_NOTE: Final = re.compile(r"(?:\d{1,3}|[*\u2020\u2021\u00a7])\W?\s*(?=\S)")


@dataclass(slots=True)
class Body:
    """The usual size and line distance of a document's text.

    Attributes:
        size: The font size in points.
        gap: Points between two baselines.
    """

    size: float
    gap: float

    def is_exceeded_by(self, line: PdfLine) -> bool:
        """Whether the text is clearly smaller than this line, which may then be a title."""
        return line.size > self.size * _LARGER


@dataclass(slots=True)
class PdfBlock:
    """Lines that belong together.

    Attributes:
        kind: What the lines are.
        lines: The lines; for a table, all lines that it is made of.
        table: The table.
        caption: The lines of the table's caption.
        is_plain: Whether it is not a title, whatever its typography.
    """

    kind: str  # heading, paragraph, term, code, contents or table
    lines: list[PdfLine]
    table: FoundTable | None = None
    caption: list[PdfLine] = field(default_factory=list[PdfLine])
    is_plain: bool = False


def body_of(pages: Sequence[list[PdfLine]]) -> Body:
    """Return the usual size and line distance of the text."""
    sizes, gaps = Counter[float](), Counter[float]()
    for page in pages:
        for line in page:
            if line.is_text and not line.mono:
                sizes[round(line.size * 2) / 2] += line.count
        for one, two in pairwise(page):
            step = one.base - two.base
            if one.is_text and two.is_text and 0 < step < 3 * one.size:
                gaps[round(step * 2) / 2] += min(one.count, two.count)  # cells of tables are short
    size = max(sizes, key=lambda size: sizes[size], default=10.0)
    return Body(size, max(gaps, key=lambda gap: gaps[gap], default=1.2 * size))


def blocks_of(
    pages: Sequence[list[PdfLine]], tables: Sequence[Sequence[FoundTable]], body: Body
) -> Iterator[PdfBlock]:
    """Yield the blocks of a document, in order.

    Args:
        pages: The lines of each page in reading order.
        tables: The tables of each page.
        body: The usual size and line distance of the text.
    """
    term = partial(_term, lefts=_usual_lefts(pages))
    yield from with_joined(_page_blocks(pages, tables, body), term)


def _usual_lefts(pages: Sequence[list[PdfLine]]) -> tuple[float, float]:
    """Return where most text begins on pages with an even index and on those with an odd one."""
    lefts: tuple[Counter[float], Counter[float]] = Counter(), Counter()
    for page in pages:
        for line in page:
            if line.is_text:
                lefts[line.page % 2][round(line.left)] += line.count
    one, two = (max(found, key=lambda left: found[left], default=0.0) for found in lefts)
    return one, two


def _term(held: PdfBlock, block: PdfBlock, lefts: tuple[float, float]) -> PdfBlock | None:
    """Return a term and the indented definition below it as one block; None for other blocks."""
    is_term = _is_defined(held, block, lefts)
    return PdfBlock("term", [*held.lines, *block.lines]) if is_term else None


def _is_defined(held: PdfBlock, block: PdfBlock, lefts: tuple[float, float]) -> bool:
    """Whether a short line at the usual left edge is directly above an indented paragraph."""
    one, two = held.lines[-1], block.lines[0]
    usual = lefts[one.page % 2]
    return (
        held.kind == "paragraph"
        and len(held.lines) == 1
        and block.kind == "paragraph"
        and len(one.text) < _LONGEST_TERM
        and one.page == two.page
        and 0 < one.base - two.base < _BELOW_TERM * two.size
        and one.size < two.size + _OTHER_SIZE
        and one.left > usual - _INDENT
        and min(line.left for line in block.lines) > max(usual, one.left) + _INDENT
        and not BULLET.match(one.text)
        and not BULLET.match(two.text)
        and not LABEL.match(two.text)
    )


def _page_blocks(
    pages: Sequence[list[PdfLine]], tables: Sequence[Sequence[FoundTable]], body: Body
) -> Iterator[PdfBlock]:
    builder = _Builder(body)
    for lines, found in zip(pages, tables, strict=True):
        at_line = {id(line): table for table in found for line in table.lines}
        kept = [line for line in lines if line.role not in {Role.FURNITURE, Role.ROTATED}]
        notes = _footnotes(kept, body)
        shown: set[int] = set()
        for line in kept[: len(kept) - len(notes)]:
            table = at_line.get(id(line))
            if table is None:
                yield from builder.add(line)
            elif id(table) not in shown:
                shown.add(id(table))
                yield from builder.end()
                yield PdfBlock("table", table.lines, table)
        builder.notes += notes
    yield from builder.end()


def _footnotes(lines: Sequence[PdfLine], body: Body) -> list[PdfLine]:
    """Return the lines of footnotes at the end of a page; empty if there are none."""
    start = len(lines)
    while start and lines[start - 1].is_text and lines[start - 1].size < _SMALL * body.size:
        start -= 1
    notes = list(lines[start:])
    is_note = notes and start and _NOTE.match(notes[0].text)
    return notes if is_note and not any(line.mono for line in notes) else []


def _is_beside(text: Sequence[PdfLine], line: PdfLine) -> bool:
    """Whether a line is a side note: smaller words to the left or right of a text."""
    last = text[-1]
    return (
        line.page == last.page
        and line.is_text
        and line.size < _SIDE_NOTE * last.size
        and abs(line.base - last.base) < _NEAR * last.size
        and (line.left > max(each.right for each in text) or line.right < last.left)
        and _WORD.search(line.text) is not None
    )


def _is_title_beside(title: PdfLine, line: PdfLine) -> bool:
    """Whether a line is to the right of a title in the margin, which is bold and larger."""
    is_larger = title.bold and not line.bold and title.size > line.size + _LARGER_TITLE
    return is_larger and title.right < line.left


class _Builder:
    """Puts lines together as blocks.

    Attributes:
        notes: Side notes and footnotes, held until the paragraph before them ends.
    """

    def __init__(self, body: Body) -> None:
        self._body = body
        self._held: list[PdfLine] = []
        self._is_caption = False  # of a figure
        self.notes: list[PdfLine] = []

    def add(self, line: PdfLine) -> Iterator[PdfBlock]:
        """Take a line; yield the blocks that end before it."""
        if self._held and _is_beside(self._held, line):
            self.notes.append(line)
            return
        if not (self._held and self._goes_on(line)):
            yield from self.end()
            self._is_caption = line.is_text and begins_figure_caption("", line.text)
        self._held.append(line)

    def end(self) -> Iterator[PdfBlock]:
        """Yield the held lines as a block, then the notes after it."""
        if self._held:
            held, self._held = self._held, []
            yield PdfBlock(self._kind(held), held)
        if self.notes:
            notes, self.notes = self.notes, []
            inner = _Builder(self._body)
            for line in notes:
                yield from inner.add(line)
            yield from inner.end()

    @staticmethod
    def _kind(lines: Sequence[PdfLine]) -> str:
        if lines[0].role is Role.HEADING:
            return "heading"
        if lines[0].is_contents:
            return "contents"
        return "code" if all(line.mono for line in lines) else "paragraph"

    def _goes_on(self, line: PdfLine) -> bool:  # noqa: PLR0911 - one case after the other
        """Whether a line continues the held lines."""
        last = self._held[-1]
        if line.role is Role.MORE_HEADING:
            return True
        if line.role is Role.HEADING or not last.is_text:
            return False
        if line.is_contents or last.is_contents:
            return line.is_contents and last.is_contents
        step = last.base - line.base
        is_turn = last.page != line.page or step < -SAME_ROW
        if not is_turn and abs(step) < SAME_ROW:
            return not (_is_beside([line], last) or _is_title_beside(last, line))
        if line.mono != last.mono or begins_figure_caption(last.text, line.text):
            return False
        if self._is_caption and (is_turn or self._has_room(line)):
            return False
        if BULLET.match(line.text) or (LABEL.match(line.text) and not line.mono):
            return False
        if is_turn:
            return not line.mono and abs(line.size - last.size) < _OTHER_SIZE and self._flows(line)
        return self._is_below(last, line, step)

    def _has_room(self, line: PdfLine) -> bool:
        """Whether the last held line of a caption had room for the first word of this line."""
        last = self._held[-1]
        width = line.right - line.left
        needed = width * (len(line.text.split()[0]) + 1) / len(line.text)
        return last.right - last.left + needed < max(width, *(e.right - e.left for e in self._held))

    def _flows(self, line: PdfLine) -> bool:
        """Whether a sentence continues over the end of a column or page."""
        if self._held[-1].text.endswith(SOFT_HYPHENS):
            return True
        return may_go_on(self._held[-1].text, line.text)

    def _is_below(self, last: PdfLine, line: PdfLine, step: float) -> bool:
        gap = max(self._body.gap, last.size * 1.1)
        if last.mono:
            return step <= 2 * _LEADING * max(gap, line.size * 1.3)
        if step > _LEADING * gap or abs(line.size - last.size) > _OTHER_SIZE:
            return False
        is_set = line.bold or self._body.is_exceeded_by(line)
        if is_set and NUMBERED_TITLE.match(line.text) and NUMBERED_TITLE.match(self._held[0].text):
            return False
        if line.bold != last.bold and self._is_title_of(last, line):
            return False
        if line.font != last.font and self._is_numbered_title(line):
            return False
        right = max(each.right for each in self._held)
        left = min(each.left for each in self._held)
        is_short = last.right < right - _SHORT * (right - left)
        return not (is_short and line.left > last.left + _INDENT and line.text[:1].isupper())

    def _is_title_of(self, last: PdfLine, line: PdfLine) -> bool:
        """Whether the held lines and this line, of which one is bold, are a title and its text."""
        return all(each.bold == last.bold for each in self._held) and (
            line.text[:1].isupper()
            or NUMBERED_TITLE.match(line.text) is not None
            or last.right < 0.7 * max(line.right, last.right)
        )

    def _is_numbered_title(self, line: PdfLine) -> bool:
        """Whether the held lines are a single short numbered title, above a text that begins."""
        title = self._held[0]
        width = line.right - line.left
        is_short = len(self._held) == 1 and title.right < line.left + _SHORT_TITLE * width
        is_numbered = NUMBERED_TITLE.match(title.text) or LETTERED_TITLE.match(title.text)
        return is_short and is_numbered is not None and line.text[:1].isupper()


# -------------------------------------------------------------------- texts


def code_text(lines: Sequence[PdfLine]) -> str:
    """Return monospaced lines as text, with their indentation."""
    left = min(line.left for line in lines)
    width = max(1.0, _MONO_WIDTH * lines[0].size)
    usual = min(
        (one.base - two.base for one, two in pairwise(lines) if one.base - two.base > SAME_ROW),
        default=1.0,
    )
    written: list[str] = []
    last: PdfLine | None = None
    for row in lines_by_row(lines):
        if last is not None and last.page == row[0].page:
            written += [""] * (last.base - row[0].base > 1.7 * usual)
        text = ""
        for line in sorted(row, key=lambda line: line.left):
            column = round((line.left - left) / width)
            text += " " * max(column - len(text), int(bool(text))) + line.text
        written.append(text.replace("\x02", "-"))
        last = row[-1]
    return "\n".join(written)


def joined(lines: Sequence[PdfLine]) -> list[str | InlinePiece]:
    """Return the text of lines as one, with words joined that are hyphenated at line ends."""
    parts: list[str | InlinePiece] = list(lines[0].parts)
    for line in lines[1:]:
        glue(parts, line.parts)
    return list(map(_plain, joined_texts(parts)))


def glue(parts: list[str | InlinePiece], more: Sequence[str | InlinePiece]) -> None:
    """Append the text of a further line to parts."""
    end, begin = parts[-1], more[0]
    while isinstance(end, str) and not end.strip() and len(parts) > 1:
        parts.pop()
        end = parts[-1]
    if isinstance(end, str) and isinstance(begin, str):
        parts[-1] = before_next(end.rstrip(), begin.lstrip())
        parts += [begin.lstrip(), *more[1:]]
    else:
        parts += [" ", *more]


def _plain(part: str | InlinePiece) -> str | InlinePiece:
    text = plain_hyphens(plain_of(part))
    return text if isinstance(part, str) else InlinePiece(text, part.kind)
