"""Joins neighbouring blocks that belong together."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def with_joined(items: Iterable[T], join: Callable[[T, T], T | None]) -> Iterator[T]:
    """Yield the items, with neighbours that belong together joined into one.

    Args:
        items: The items.
        join: Returns two neighbours as one item, or None to keep them apart. The first of them may
            be the result of an earlier join.
    """
    held: T | None = None
    for item in items:
        both = None if held is None else join(held, item)
        if held is not None and both is None:
            yield held
        held = item if both is None else both
    if held is not None:
        yield held
