"""Which named clauses contain which, in headings and texts: Parts in Chapters, or the reverse.

No legal word has a fixed rank; the numbers show it (see `treepack.numbers.nesting`).
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain

from treepack.clauses.labels import ClauseLabel, LabelItem
from treepack.numbers.clause_number import RELATIVE, ClauseNumber
from treepack.numbers.nesting import Series, SeriesOrder, outline_numbers


class NamedOrder:
    """The rank of the legal words of one document, learnt on first use."""

    def __init__(
        self, headings: Mapping[int, ClauseNumber], labels: Iterable[Sequence[LabelItem]]
    ) -> None:
        """Take the numbers of headings, by their start, and the labels of each section."""
        self._headings = headings
        self._labels = labels

    def holds(self, above: int, start: int) -> bool:
        """Whether the word of the clause at ``above`` outranks that of the label at ``start``."""
        series, order = self._series_and_order
        outer, inner = series[above], series[start]
        return outer != inner and order.is_likely_above(outer, inner)

    @cached_property
    def _series_and_order(self) -> tuple[dict[int, Series], SeriesOrder]:
        numbers = dict(self._headings)
        for label in chain.from_iterable(self._labels):
            if isinstance(label, ClauseLabel) and label.number.kind not in RELATIVE:
                numbers[label.start] = label.number
        starts = sorted(numbers)
        outline = outline_numbers([numbers[start] for start in starts])
        series = {
            start: number.series for start, number in zip(starts, outline, strict=True) if number
        }
        return series, SeriesOrder(outline)
