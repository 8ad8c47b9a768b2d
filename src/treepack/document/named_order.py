"""Which named clauses of a document hold which, in headings and texts: Parts in Chapters, or not.

No word has a fixed place, see `treepack.document.nesting`: how the numbers run tells it.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property

from treepack.document.clause_number import ClauseNumber
from treepack.document.labels import Label, LabelItem
from treepack.document.nesting import Series, SeriesOrder, outline_numbers


class NamedOrder:
    """The order of the words of law of one document, learnt when first asked for."""

    def __init__(self, headings: Mapping[int, ClauseNumber], labels: Iterable[LabelItem]) -> None:
        """Take the numbers of headings, by where they begin, and the labels of texts."""
        self._numbers = dict(headings)
        for label in labels:
            if isinstance(label, Label) and not label.number.is_relative:
                self._numbers[label.start] = label.number

    def holds(self, above: int, start: int) -> bool:
        """Whether the word of the clause at an offset holds that of the label at another."""
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
