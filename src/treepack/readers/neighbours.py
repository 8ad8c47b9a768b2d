"""Groups or joins neighbours that belong together."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

_Item = TypeVar("_Item")


def in_groups(
    items: Iterable[_Item], belongs: Callable[[list[_Item], _Item], bool]
) -> list[list[_Item]]:
    """Return the items in groups; ``belongs`` states whether a group takes the next item."""
    groups: list[list[_Item]] = []
    for item in items:
        if groups and belongs(groups[-1], item):
            groups[-1].append(item)
        else:
            groups.append([item])
    return groups


def join_neighbours(
    items: Iterable[_Item], join: Callable[[_Item, _Item], _Item | None]
) -> Iterator[_Item]:
    """Yield the items, with neighbours that belong together joined into one.

    ``join`` returns two neighbours as one, or None; the first may come from an earlier join.
    """
    previous: _Item | None = None
    for item in items:
        joined = None if previous is None else join(previous, item)
        if previous is not None and joined is None:
            yield previous
        previous = item if joined is None else joined
    if previous is not None:
        yield previous
