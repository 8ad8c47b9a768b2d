"""The text of cells: words of lines are put into columns."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from treepack.readers.pdf.line_patterns import before_next, plain_hyphens
from treepack.readers.pdf.lines import PdfLine, Word
from treepack.readers.pdf.order import rows_from_top

_OVER: Final = 3.0  # points that a word may begin before the border of its column


@dataclass(slots=True)
class Fragment:
    """The part of a line that is in one column."""

    column: int
    baseline: float
    low: float
    high: float
    words: list[Word] = field(default_factory=list[Word])

    @property
    def middle(self) -> float:
        """The height of its middle on the page."""
        return (self.low + self.high) / 2


def by_column(lines: Sequence[PdfLine], xs: Sequence[float]) -> list[Fragment]:
    """Return the words of lines by columns: a fragment for each change of column in a line."""
    fragments: list[Fragment] = []
    for line in lines:
        fragment: Fragment | None = None
        for word in line.words:
            begin = word.left + min(_OVER, (word.right - word.left) / 2)
            column = min(max(0, bisect_right(xs, begin) - 1), len(xs) - 2)
            if fragment is None or fragment.column != column:
                fragment = Fragment(column, line.baseline, line.low, line.high)
                fragments.append(fragment)
            fragment.words.append(word)
    return fragments


def cell_text(fragments: Sequence[Fragment]) -> str:
    """Return the text of a cell, with its lines joined."""
    text = ""
    for row in rows_from_top(fragments):
        words = [word for fragment in row for word in fragment.words]
        line = " ".join(word.text for word in sorted(words, key=lambda word: word.left))
        text = f"{before_next(text, line)}{line}".strip()
    return plain_hyphens(text)
