"""Sorts sizes into classes, which are drawn without a script."""

from bisect import bisect_left
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


def bars(
    sizes: Sequence[int], top: int, classes: int = CLASSES, *, most: int | None = None
) -> list[Bar]:
    """Sort sizes into classes of equal width, from 1 to ``top`` or to the largest size.

    Args:
        sizes: The sizes.
        top: The upper end of the last class.
        classes: The number of classes.
        most: The count that has the full height, unless one is larger; None for the largest count.
    """
    width = max(-(-max([top, *sizes]) // classes), 1)
    counts = [0] * classes
    for size in sizes:
        counts[min(max(size - 1, 0) // width, classes - 1)] += 1
    most = max([*counts, most or 1])
    return [
        Bar(number * width + 1, (number + 1) * width, count, round(100 * count / most))
        for number, count in enumerate(counts)
    ]


def doubling(sizes: Sequence[int], bounds: Sequence[int]) -> list[tuple[str, int]]:
    """Count the sizes above one bound and up to the next, and those above the last bound."""
    counts = [0] * (len(bounds) + 1)
    for size in sizes:
        counts[bisect_left(bounds, size)] += 1
    names = [f"up to {bound:,}" for bound in bounds]
    return list(zip([*names, f"above {bounds[-1]:,}"], counts, strict=True))
