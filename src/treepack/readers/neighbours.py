"""Blocks that come one after the other, some of which are one with the block before."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def with_joined(items: Iterable[T], join: Callable[[T, T], T | None]) -> Iterator[T]:
    """The items; where one goes on with the item before it, what both of them are.

    Args:
        items: The items.
        join: Gives what two neighbours are together; None where they stay two.
    """
    held: T | None = None
    for item in items:
        both = None if held is None else join(held, item)
        if held is not None and both is None:
            yield held
        held = item if both is None else both
    if held is not None:
        yield held
