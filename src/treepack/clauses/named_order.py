"""Which named clauses contain which, in headings and texts: Parts in Chapters, or the reverse.

No legal word has a fixed rank; the numbers show it (see `treepack.numbers.nesting`).
"""

from collections.abc import Iterable, Mapping
from functools import cached_property

from treepack.clauses.labels import Label, LabelItem
from treepack.numbers.clause_number import RELATIVE, ClauseNumber
from treepack.numbers.nesting import Series, SeriesOrder, outline_numbers


class NamedOrder:
    """The rank of the legal words of one document, learnt at the first question."""

    def __init__(self, headings: Mapping[int, ClauseNumber], labels: Iterable[LabelItem]) -> None:
        """Take the numbers of headings, by their start, and the labels of texts."""
        self._numbers = dict(headings)
        for label in labels:
            if isinstance(label, Label) and label.number.kind not in RELATIVE:
                self._numbers[label.start] = label.number

    def holds(self, above: int, start: int) -> bool:
        """Whether the word of the clause at ``above`` outranks that of the label at ``start``."""
        series, order = self._learnt
        one, other = series[above], series[start]
        return one != other and order.is_likely_above(one, other)

    @cached_property
    def _learnt(self) -> tuple[dict[int, Series], SeriesOrder]:
        starts = sorted(self._numbers)
        numbers = outline_numbers([self._numbers[start] for start in starts])
        series = {
            start: number.series for start, number in zip(starts, numbers, strict=True) if number
        }
        return series, SeriesOrder(numbers)
