"""Lines become blocks: headings, paragraphs, items, code; paragraphs may continue over pages."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from treepack.readers.inlines import InlinePiece, joined_texts
from treepack.readers.neighbours import join_neighbours
from treepack.readers.pdf.line_patterns import (
    APART,
    BULLET,
    LABEL,
    LARGER,
    LETTERED_TITLE,
    LONG,
    NEARLY_ALL,
    NUMBERED_TITLE,
    SHIFT,
    WORD,
    before_next,
    begins_figure_caption,
    may_continue,
    plain_hyphens,
)
from treepack.readers.pdf.lines import PdfLine, Role
from treepack.readers.pdf.order import PROSE, SAME_ROW, lines_by_row
from treepack.readers.pdf.tables.finder import FoundTable

_LEADING: Final = 1.35  # of the usual distance of lines; more begins a paragraph
_NEAR: Final = 3.0  # em between the baselines of a text and of a note beside it
_OTHER_SIZE: Final = 1.2  # points
_SMALL: Final = 0.93  # of the size of the text; footnotes are smaller
_BELOW_TERM: Final = 2.0  # em between the baselines of a term and of its definition
_CODE_SYMBOLS: Final = "[]{}()<>=;_/\\|#$*+&%^~@"
_NOTE: Final = re.compile(r"(?:\d{1,3}|[*\u2020\u2021\u00a7])\W?\s*(?=\S)")


@dataclass(slots=True)
class BodyText:
    """The usual size and line distance of a document's text.

    Attributes:
        size: The font size in points.
        line_distance: Points between two baselines.
    """

    size: float
    line_distance: float

    def is_smaller_than(self, line: PdfLine) -> bool:
        """Whether the text is clearly smaller than this line, which may then be a title."""
        return line.size > self.size * LARGER


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


def ignore_usual_monospace(pages: Sequence[list[PdfLine]]) -> None:
    """Take no line for code if most text is monospaced prose, as in typescripts and transcripts."""
    lines = [line for page in pages for line in page if line.is_text]
    monospaced = [line for line in lines if line.is_mono]
    count = sum(line.count for line in monospaced)
    if 2 * count <= sum(line.count for line in lines):
        return  # the common case
    symbols = sum(line.text.count(sign) for line in monospaced for sign in _CODE_SYMBOLS)
    if 50 * symbols < count:  # code has several times as many
        for line in monospaced:
            line.is_mono = False


def body_of(pages: Sequence[list[PdfLine]]) -> BodyText:
    """Return the usual size and line distance of the text."""
    sizes, gaps = Counter[float](), Counter[float]()
    for page in pages:
        for line in page:
            if line.is_text and not line.is_mono:
                sizes[round(line.size * 2) / 2] += line.count
        for line, next_line in pairwise(page):
            step = line.baseline - next_line.baseline
            if line.is_text and next_line.is_text and 0 < step < 3 * line.size:
                count = min(line.count, next_line.count)  # cells of tables are short
                gaps[round(step * 2) / 2] += count
    size = max(sizes, key=lambda size: sizes[size], default=10.0)
    return BodyText(size, max(gaps, key=lambda gap: gaps[gap], default=1.2 * size))


def blocks_of(
    pages: Sequence[list[PdfLine]], tables: Sequence[Sequence[FoundTable]], body: BodyText
) -> Iterator[PdfBlock]:
    """Yield the blocks of a document, in order; a term and its definition become one block."""
    lefts = _usual_lefts(pages)
    return join_neighbours(
        _page_blocks(pages, tables, body),
        lambda previous, block: (
            PdfBlock("term", [*previous.lines, *block.lines])
            if _are_term_and_definition(previous, block, lefts)
            else None
        ),
    )


def _usual_lefts(pages: Sequence[list[PdfLine]]) -> tuple[float, float]:
    """Return where most text begins on pages with an even index and on those with an odd one."""
    lefts: tuple[Counter[float], Counter[float]] = Counter(), Counter()
    for page in pages:
        for line in page:
            if line.is_text:
                lefts[line.page % 2][round(line.left)] += line.count
    even, odd = (max(counts, key=lambda left: counts[left], default=0.0) for counts in lefts)
    return even, odd


def _are_term_and_definition(
    previous: PdfBlock, block: PdfBlock, lefts: tuple[float, float]
) -> bool:
    """Whether a short line at the usual left edge is directly above an indented paragraph."""
    term, definition = previous.lines[-1], block.lines[0]
    usual = lefts[term.page % 2]
    return (
        previous.kind == "paragraph"
        and len(previous.lines) == 1
        and block.kind == "paragraph"
        and len(term.text) < LONG
        and term.page == definition.page
        and 0 < term.baseline - definition.baseline < _BELOW_TERM * definition.size
        and term.size < definition.size + _OTHER_SIZE
        and term.left > usual - SHIFT
        and min(line.left for line in block.lines) > max(usual, term.left) + SHIFT
        and not BULLET.match(term.text)
        and not BULLET.match(definition.text)
        and not LABEL.match(definition.text)
    )


def _page_blocks(
    pages: Sequence[list[PdfLine]], tables: Sequence[Sequence[FoundTable]], body: BodyText
) -> Iterator[PdfBlock]:
    builder = _BlockBuilder(body)
    for lines, page_tables in zip(pages, tables, strict=True):
        table_of_line = {id(line): table for table in page_tables for line in table.lines}
        shown = [line for line in lines if not line.is_left_out]
        # A file may draw the tables of a page after its footnotes.
        notes = _footnotes([line for line in shown if id(line) not in table_of_line], body)
        note_ids = {id(line) for line in notes}
        yielded: set[int] = set()
        for line in shown:
            table = table_of_line.get(id(line))
            if id(line) in note_ids:
                continue
            if table is None:
                yield from builder.add(line)
            elif id(table) not in yielded:
                yielded.add(id(table))
                yield from builder.end()
                yield PdfBlock("table", table.lines, table)
        builder.notes += notes
    yield from builder.end()


def _footnotes(lines: Sequence[PdfLine], body: BodyText) -> list[PdfLine]:
    """Return the lines of footnotes at the end of a page; empty if there are none."""
    start = len(lines)
    while start and lines[start - 1].is_text and lines[start - 1].size < _SMALL * body.size:
        start -= 1
    notes = list(lines[start:])
    is_note = notes and start and _NOTE.match(notes[0].text)
    return notes if is_note and not any(line.is_mono for line in notes) else []


def _is_side_note(text: Sequence[PdfLine], line: PdfLine) -> bool:
    """Whether a line is a side note: smaller words to the left or right of a text."""
    last = text[-1]
    return (
        line.page == last.page
        and line.is_text
        and line.size < NEARLY_ALL * last.size
        and abs(line.baseline - last.baseline) < _NEAR * last.size
        and (line.left > max(text_line.right for text_line in text) or line.right < last.left)
        and WORD.search(line.text) is not None
    )


def _is_title_beside(title: PdfLine, line: PdfLine) -> bool:
    """Whether a line of prose is to the right of a title in the margin, bold and larger."""
    is_larger = title.is_bold and not line.is_bold and title.size > LARGER * line.size
    return is_larger and title.right < line.left < line.right - PROSE * line.size


class _BlockBuilder:
    """Puts lines together as blocks.

    Attributes:
        notes: Side notes and footnotes, held until the paragraph before them ends.
    """

    def __init__(self, body: BodyText) -> None:
        self._body = body
        self._lines: list[PdfLine] = []
        self._is_caption = False  # of a figure
        self.notes: list[PdfLine] = []

    def add(self, line: PdfLine) -> Iterator[PdfBlock]:
        """Take a line; yield the blocks that end before it."""
        if self._lines and _is_side_note(self._lines, line):
            self.notes.append(line)
            return
        if not (self._lines and self._continues(line)):
            yield from self.end()
            self._is_caption = line.is_text and begins_figure_caption("", line.text)
        self._lines.append(line)

    def end(self) -> Iterator[PdfBlock]:
        """Yield the held lines as a block, then the notes after it."""
        if self._lines:
            lines, self._lines = self._lines, []
            yield PdfBlock(self._kind(lines), lines)
        if self.notes:
            notes, self.notes = self.notes, []
            note_builder = _BlockBuilder(self._body)
            for line in notes:
                yield from note_builder.add(line)
            yield from note_builder.end()

    @staticmethod
    def _kind(lines: Sequence[PdfLine]) -> str:
        if lines[0].role is Role.HEADING:
            return "heading"
        if lines[0].is_toc:
            return "contents"
        return "code" if all(line.is_mono for line in lines) else "paragraph"

    def _continues(self, line: PdfLine) -> bool:  # noqa: PLR0911 - one case after the other
        """Whether a line continues the held lines."""
        last = self._lines[-1]
        if line.role is Role.HEADING_CONTINUED:
            return True
        if line.role is Role.HEADING or not last.is_text:
            return False
        if line.is_toc or last.is_toc:
            return line.is_toc and last.is_toc
        step = last.baseline - line.baseline
        is_next_column = last.page != line.page or step < -SAME_ROW
        if not is_next_column and abs(step) < SAME_ROW:
            return not (_is_side_note([line], last) or _is_title_beside(last, line))
        if line.is_mono != last.is_mono or begins_figure_caption(last.text, line.text):
            return False
        if self._is_caption and (is_next_column or self._had_room(line)):
            return False
        if BULLET.match(line.text) or (LABEL.match(line.text) and not line.is_mono):
            return False
        if is_next_column:
            is_alike = not line.is_mono and abs(line.size - last.size) < _OTHER_SIZE
            return is_alike and may_continue(last.text, line.text)
        return self._continues_below(last, line, step)

    def _had_room(self, line: PdfLine) -> bool:
        """Whether the last held line of a caption had room for the first word of this line."""
        last = self._lines[-1]
        width = line.right - line.left
        needed = width * (len(line.text.split()[0]) + 1) / len(line.text)
        return last.right - last.left + needed < max(
            width, *(earlier.right - earlier.left for earlier in self._lines)
        )

    def _continues_below(self, last: PdfLine, line: PdfLine, step: float) -> bool:
        gap = max(self._body.line_distance, last.size * 1.1)
        if last.is_mono:
            return step <= 2 * _LEADING * max(gap, line.size * 1.3)
        if abs(line.size - last.size) > _OTHER_SIZE:
            return False
        if step > _LEADING * gap and not self._is_loosely_set(line, step):
            return False
        if self._is_title_after_title(line) or self._is_text_after_title(last, line):
            return False
        begins_paragraph = line.left > last.left + SHIFT and line.text[:1].isupper()
        return not (begins_paragraph and self._is_short(last))

    def _is_title_after_title(self, line: PdfLine) -> bool:
        """Whether an emphasised line has a number with dots, or one like the title above it."""
        number = NUMBERED_TITLE.match(line.text)
        if number is None or not (line.is_bold or self._body.is_smaller_than(line)):
            return False
        return "." in number[0] or NUMBERED_TITLE.match(self._lines[0].text) is not None

    def _is_loosely_set(self, line: PdfLine, step: float) -> bool:
        """Whether a line far below the last one continues a paragraph with wide leading.

        Its first lines show it by a sentence that goes on; the others are as far apart as these.
        """
        last = self._lines[-1]
        is_emphasised = line.is_bold or self._body.is_smaller_than(line)
        if is_emphasised or step > APART * last.size or line.face != last.face:
            return False
        if may_continue(last.text, line.text):
            return True
        steps = [upper.baseline - lower.baseline for upper, lower in pairwise(self._lines)]
        is_same = bool(steps) and abs(steps[-1] - step) < SAME_ROW
        return is_same and not self._is_short(last)

    def _is_short(self, last: PdfLine) -> bool:
        """Whether a line ends well before the right edge of the held lines."""
        right = max(earlier.right for earlier in self._lines)
        left = min(earlier.left for earlier in self._lines)
        return last.right < left + NEARLY_ALL * (right - left)

    def _is_text_after_title(self, last: PdfLine, line: PdfLine) -> bool:
        """Whether the held lines are a title by their type or number, and the line is its text."""
        is_upper = line.text[:1].isupper()
        is_numbered = NUMBERED_TITLE.match(last.text) or LETTERED_TITLE.match(last.text)
        if len(self._lines) == 1 and line.font != last.font and is_numbered:
            is_short = last.right < line.left + NEARLY_ALL * (line.right - line.left)
            if is_short and is_upper:
                return True
        return all(earlier.is_bold != line.is_bold for earlier in self._lines) and (
            is_upper
            or NUMBERED_TITLE.match(line.text) is not None
            or last.right < 0.7 * max(line.right, last.right)
        )


# -------------------------------------------------------------------- texts


def code_text(lines: Sequence[PdfLine]) -> str:
    """Return monospaced lines as text, with their indentation."""
    left = min(line.left for line in lines)
    width = max(1.0, 0.6 * lines[0].size)  # of a monospaced character
    steps = (line.baseline - next_line.baseline for line, next_line in pairwise(lines))
    usual_step = min((step for step in steps if step > SAME_ROW), default=1.0)
    code_lines: list[str] = []
    last: PdfLine | None = None
    for row in lines_by_row(lines):
        if last is not None and last.page == row[0].page:
            code_lines += [""] * (last.baseline - row[0].baseline > 1.7 * usual_step)
        text = ""
        for line in sorted(row, key=lambda line: line.left):
            column = round((line.left - left) / width)
            text += " " * max(column - len(text), int(bool(text))) + line.text
        code_lines.append(text.replace("\x02", "-"))
        last = row[-1]
    return "\n".join(code_lines)


def joined_text(lines: Sequence[PdfLine]) -> list[str | InlinePiece]:
    """Return the text of lines as one, with words joined that are hyphenated at line ends."""
    parts: list[str | InlinePiece] = list(lines[0].parts)
    for line in lines[1:]:
        append_line(parts, line.parts)
    return [
        plain_hyphens(part)
        if isinstance(part, str)
        else InlinePiece(plain_hyphens(part.text), part.kind)
        for part in joined_texts(parts)
    ]


def append_line(parts: list[str | InlinePiece], more: Sequence[str | InlinePiece]) -> None:
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
