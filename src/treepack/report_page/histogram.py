"""Sorts sizes into classes, which are drawn without a script."""

from collections.abc import Sequence
from dataclasses import dataclass

CLASSES = 24


@dataclass(frozen=True)
class Bar:
    """One class of sizes.

    Attributes:
        low: Its smallest size.
        high: Its largest size.
        count: The number of sizes in it.
        height: The count in percent of the largest count.
    """

    low: int
    high: int
    count: int
    height: int


def bars(sizes: Sequence[int], top: int) -> list[Bar]:
    """Sort sizes into classes of equal width, from 1 to ``top`` or to the largest size."""
    width = max(-(-max([top, *sizes]) // CLASSES), 1)
    counts = [0] * CLASSES
    for size in sizes:
        counts[min(max(size - 1, 0) // width, CLASSES - 1)] += 1
    most = max([*counts, 1])
    return [
        Bar(number * width + 1, (number + 1) * width, count, round(100 * count / most))
        for number, count in enumerate(counts)
    ]
