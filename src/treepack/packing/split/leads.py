"""What comes before the points of a clause: introductory texts, and labels that stand alone."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from operator import attrgetter
from typing import Final

from treepack.clauses.clause import Clauses, led_points
from treepack.model.blocks import Block, Paragraph, Span
from treepack.packing.openings import intro_segment
from treepack.packing.pieces import Piece, separate_glue
from treepack.packing.split.text import TextCutter
from treepack.packing.wrappers import IntroWrapper, Wrapper

_START: Final = attrgetter("start")
COLONS: Final = ":："
_SHORT: Final = 48  # the most tokens of a text that is repeated
_LONGEST_LABEL: Final = 12  # characters of a clause's label: ``(viii)``, ``**3.1.2.**``


class Leads:
    """Keeps introductory text, and labels that form their own paragraph, with what follows.

    Args:
        cutter: Knows what fits a chunk.
        clauses: The clauses.
        is_plain: Whether the text is plain text.
        headings: The spans of all headings, in order.

    Attributes:
        led: The points that a text introduces, by where the first of them begins.
    """

    def __init__(
        self, cutter: TextCutter, clauses: Clauses, *, is_plain: bool, headings: Sequence[Span]
    ) -> None:
        self.source = cutter.source
        self.text = cutter.text
        self.cutter = cutter
        self.clauses = clauses
        self.is_plain = is_plain
        self.headings = headings
        self.led_points = led_points(clauses)
        self.labels = frozenset(clauses.starts)

    def label_above(self, block: Block, after: Block) -> int | None:
        """Return where the label begins if ``block`` is only the label of ``after``, or None.

        In laws converted from HTML, a label's text can be in the next paragraph. If labels follow
        each other, as in a column of a table, the text is elsewhere.
        """
        label = self._label_start(block)
        if label is None:
            return None
        below = self._label_start(after)
        return label if below is None or below == label else None

    def _label_start(self, block: Block) -> int | None:
        """Return where a paragraph that is only a clause's label begins, or None.

        If the label is printed twice in a row, it begins at the first of the two.
        """
        start = block.start
        if not isinstance(block, Paragraph) or block.end - start > _LONGEST_LABEL:
            return None
        label = self.text[start : block.end]
        if self.text[max(0, start - 2 * _LONGEST_LABEL) : start].rstrip().endswith(label):
            start = self.text.rindex(label, 0, start)
        return start if start in self.labels and len(label.split()) == 1 else None

    def glue_label(self, pieces: list[Piece], label: int, piece: Piece) -> Piece:
        """Take the label before a piece from the last of ``pieces``, and glue it to the piece.

        Text before the label is separated from it if all three do not fit together.
        """
        before = pieces.pop()
        whole = piece.with_glue(before.start)
        while before.start < label and not self.cutter.fits_cap(whole, whole.end):
            first, before = separate_glue(self.text, before, label)
            pieces.append(first._replace(cut=self.cutter.sentences))  # a heading may come before it
            whole = piece.with_glue(before.start)
        return whole

    def separate_lead(self, piece: Piece) -> list[Piece]:
        """Separate a piece into the texts that introduce a single point, and the point.

        The result is empty if a part is too long for a chunk, if the piece is something else, or if
        only headings come before the point.
        """
        first = bisect_right(self.clauses.starts, piece.start)
        after = bisect_right(self.clauses.starts, piece.text_start)
        glued = (clause.start for clause in reversed(self.clauses[first:after]))
        starts = (*glued, *(wrapper.start for wrapper in reversed(piece.wrappers)))
        point = next((start for start in starts if start in self.led_points), -1)
        after = bisect_right(self.clauses.starts, point)
        is_single = after == len(self.clauses) or self.clauses[after].start >= piece.end
        if not (piece.start < point and is_single) or self._is_headed(piece.start, point):
            return []
        lead, last = separate_glue(self.text, piece, point)
        is_long = last.start < point and not self.cutter.fits_cap(last, last.end)
        parts = [lead, *separate_glue(self.text, last, point)] if is_long else [lead, last]
        return parts if all(self.cutter.fits_cap(part, part.end) for part in parts) else []

    def _is_headed(self, start: int, point: int) -> bool:
        """Whether the text before a point consists of headings, which stay with the point."""
        for number in range(bisect_left(self.headings, (start, 0)), len(self.headings)):
            heading = self.headings[number]
            if heading[0] >= point or self.text[start : heading[0]].strip():
                break
            start = heading[1]
        return not self.text[start:point].strip()

    def wrappers(
        self, blocks: Sequence[Block], first: Block, lead: Block, outer: tuple[Wrapper, ...]
    ) -> list[Wrapper]:
        """Return the wrapper that repeats a short introductory text before each of its points.

        Args:
            blocks: The sibling blocks, which include the points.
            first: The first point.
            lead: The block before it.
            outer: The constructs around the blocks.
        """
        if not isinstance(lead, Paragraph) or not self.is_short(lead):
            return []
        points = self.led_points[first.start]
        line = self.source.line_starts[self.source.line_at(lead.start)]
        # In plain text, an item's number comes before its first paragraph.
        start = line if self.is_plain else lead.start
        belongs_to_clause = points.clause.is_heading or line <= points.clause.start <= lead.start
        if not (points.is_first and belongs_to_clause) and self.text[lead.end - 1] not in COLONS:
            return []  # there is a title in between
        text = self.text[start : lead.end]
        is_multiline = "\n" in text or "\r" in text
        if (outer and is_multiline) or not self.cutter.index.has_no_gap(start, lead.end):
            return []  # its lines have prefixes, or a gap such as a page mark is inside
        last = bisect_right(blocks, points.last, key=_START) - 1
        words = intro_segment("heading", self.text, start, lead.end)
        return [IntroWrapper(first.start, blocks[last].end, words)]

    def is_short(self, intro: Block) -> bool:
        """Whether the text before a list or before points is short enough to be repeated."""
        tokens = self.cutter.index.count(intro.start, intro.end)
        return tokens <= min(_SHORT, self.cutter.cap // 8)
