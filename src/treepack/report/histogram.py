"""Sizes in classes, and drawn without any script."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

CLASSES = 24


@dataclass(frozen=True)
class Bar:
    """One class of sizes.

    Attributes:
        low: Its least size.
        high: Its greatest size.
        count: How many sizes are in it.
        height: The count in percent of the largest.
    """

    low: int
    high: int
    count: int
    height: int


def bars(sizes: Sequence[int], top: int, classes: int = CLASSES) -> list[Bar]:
    """Sort sizes into classes of equal width that reach from 1 to ``top`` or to the largest."""
    width = max(-(-max([top, *sizes]) // classes), 1)
    counts = [0] * classes
    for size in sizes:
        counts[min(max(size - 1, 0) // width, classes - 1)] += 1
    most = max([*counts, 1])
    return [
        Bar(number * width + 1, (number + 1) * width, count, round(100 * count / most))
        for number, count in enumerate(counts)
    ]


def doubling(sizes: Sequence[int], bounds: Sequence[int]) -> list[tuple[str, int]]:
    """How many sizes lie up to each bound, beyond the one before; and how many above all."""
    counts = [0] * (len(bounds) + 1)
    for size in sizes:
        counts[bisect_left(bounds, size)] += 1
    names = [f"up to {bound:,}" for bound in bounds]
    return list(zip([*names, f"above {bounds[-1]:,}"], counts, strict=True))
