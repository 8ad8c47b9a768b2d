"""Adds up the records of several documents to one record."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import fields, replace
from itertools import chain
from typing import Any, Final, TypeVar

T = TypeVar("T")

SAME: Final = {"same": True}
"""Metadata of a field that is the same in all records."""


def summed(every: Sequence[T]) -> T:
    """Add up dataclasses of one kind: numbers and counts are added, tuples joined.

    Args:
        every: At least one record; a field that is marked `SAME` is taken from the first.
    """
    first: Any = every[0]
    totals = {
        field.name: _total([getattr(each, field.name) for each in every])
        for field in fields(first)
        if not field.metadata.get("same")
    }
    total: T = replace(first, **totals)
    return total


def _total(values: Sequence[Any]) -> Any:  # noqa: ANN401 - a field may have any type
    match values[0]:
        case tuple():
            return tuple(chain.from_iterable(values))
        case Counter():
            return sum(values, Counter[Any]())
        case _:
            return sum(values)
