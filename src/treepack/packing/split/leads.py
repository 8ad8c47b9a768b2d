"""The texts that introduce the points of a clause or the items of a list."""

from bisect import bisect_right
from collections.abc import Sequence
from operator import attrgetter
from typing import Final

from treepack.clauses.clause import Clauses, led_points
from treepack.model.blocks import Block, Paragraph
from treepack.packing.openings import intro_segment
from treepack.packing.split.text import TextCutter
from treepack.packing.wrappers import IntroWrapper, Wrapper

_START: Final = attrgetter("start")
COLONS: Final = ":："
_SHORT: Final = 48  # the most tokens of a text that is repeated


class Leads:
    """Repeats short introductory texts before what they introduce.

    Args:
        cutter: Knows what fits a chunk.
        clauses: The clauses.
        is_plain: Whether the text is plain text.

    Attributes:
        led_points: The points that a text introduces, by where the first of them begins.
    """

    def __init__(self, cutter: TextCutter, clauses: Clauses, *, is_plain: bool) -> None:
        self.source = cutter.source
        self.text = cutter.text
        self.cutter = cutter
        self.is_plain = is_plain
        self.led_points = led_points(clauses)

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
