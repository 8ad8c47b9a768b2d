"""Which neighbouring pieces may share a chunk without being read as something else."""

import re
from typing import Final

from treepack.markdown.rules import begins_html
from treepack.model.source import Source
from treepack.packing.pieces import Piece
from treepack.packing.wrappers import IntroWrapper, RowWrapper

_FENCE_MARKS: Final = ("```", "~~~")
_FENCE_LINE: Final = re.compile(r"[\r\n][ \t]*(?:`{3,}[^`\r\n]*(?:[\r\n]|\Z)|~{3})")
_OPENERS: Final = "<!?`~"
_TITLE_MARKS: Final = ("!!!", "???")  # of admonitions, to which all indented lines below belong
_HEADING: Final = re.compile(r"<[Hh][1-6][\s>]")
_HOLDER: Final = re.compile(r"[-+*][ \t]|\d{1,9}[.)][ \t]|\[\^[^\]\r\n]+\]:")


class Neighbours:
    """Decides which neighbouring pieces of one document may share a chunk.

    Args:
        source: The document's text.
        is_plain: Whether it is plain text, where no character is markup.
    """

    def __init__(self, source: Source, *, is_plain: bool) -> None:
        self.source = source
        self.text = source.text
        self.is_plain = is_plain
        self._code_starts: set[int] = set()
        self._block_starts: set[int] = set()

    def note_block(self, kind: str, start: int) -> None:
        """Note where code, a container or a block with a tag begins: such a block is not text."""
        (self._code_starts if kind == "code" else self._block_starts).add(start)

    def is_next_line(self, end: int, start: int) -> bool:
        """Whether no blank line separates a text that ends at ``end`` from one at ``start``."""
        return self.source.line_at(start) - self.source.line_at(end - 1) <= 1

    def swallows(self, piece: Piece) -> bool:
        """Whether a piece of text would be read as a block that also takes in the text below it.

        It begins like HTML, an admonition or a code fence, or it is raw HTML with a code fence.
        """
        first = self.text[piece.start : piece.start + 1]
        if first not in _OPENERS and not piece.is_raw:
            return False  # the common case
        if self.is_plain or any(wrapper.is_literal for wrapper in piece.wrappers):
            return False  # such characters have no special meaning there
        if piece.start not in self._block_starts and (
            (first == "<" and not piece.is_raw and self._reads_as_html(piece.start))
            or self.text.startswith(_TITLE_MARKS, piece.start)
        ):
            return True
        return piece.start not in self._code_starts and self._reads_as_fence(piece)

    def _reads_as_fence(self, piece: Piece) -> bool:
        """Whether text has a code fence: at its beginning, or in HTML on any line."""
        if self.text.startswith(_FENCE_MARKS, piece.start):
            return True
        return piece.is_raw and bool(_FENCE_LINE.search(self.text, piece.start, piece.end))

    def _reads_as_html(self, start: int) -> bool:
        """Whether text begins with a tag, but not a heading's, that makes the lines below HTML."""
        if _HEADING.match(self.text, start):
            return False
        # The line's end is looked up, not searched for: a line may be as long as the whole text.
        after = self.source.line_starts[self.source.line_at(start) + 1]
        return begins_html(self.text[start:after].rstrip("\r\n"))

    def can_share(self, before: Piece, piece: Piece) -> bool:
        """Whether two neighbouring pieces may share a chunk; there are seven reasons against it.

        - A row that is cut by cells shares its chunks with no other row of its table.
        - Text on the line after a plain table would be read as part of the table.
        - A cut table whose caption is elsewhere begins a chunk, so that the caption can precede it.
        - Text that reads as the opening of a fence would turn what follows into code.
        - Text that begins with a tag would turn what follows into HTML.
        - Text that begins like an admonition would turn indented code into text.
        - So would a line of HTML that reads as an item or a footnote.
        """
        if self.swallows(before):
            return False
        if before.is_raw and not piece.is_raw:
            is_held = piece.start in self._code_starts and _HOLDER.match(self.text, before.start)
            if is_held or self.is_next_line(before.end, piece.start):
                return False
        if before.wrappers is piece.wrappers:  # the common case: none, or the same code or table
            return True
        if any(
            isinstance(wrapper, IntroWrapper)
            and wrapper.is_detached
            and before.end <= wrapper.start
            for wrapper in piece.wrappers
        ):
            return False
        row_before, row = _cut_row(before), _cut_row(piece)
        if row_before is not None or row is None:
            return row_before is row
        table = piece.wrappers[piece.wrappers.index(row) - 1]
        return before.end <= table.start


def _cut_row(piece: Piece) -> RowWrapper | None:
    return next((wrapper for wrapper in piece.wrappers if isinstance(wrapper, RowWrapper)), None)
