"""Values are dataclasses with slots, equal and hashed by their fields."""

import copy
import pickle
from dataclasses import field, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treepack.values import value


@value
class Place:
    """A value with a field that is not compared."""

    line: int
    note: str = field(default="", compare=False, repr=False)


@value
class Named(Place):
    """A value that adds a field to those it inherits."""

    name: str = "place"


@given(st.integers(), st.text(), st.text())
def test_values_are_equal_and_hash_alike_by_their_compared_fields(
    line: int, note: str, name: str
) -> None:
    first, second = Named(line, note, name), Named(line, "other", name)

    assert first == second
    assert hash(first) == hash(second)
    assert first != Named(line + 1, note, name)
    assert first != Place(line, note)
    assert repr(first) == f"Named(line={line!r}, name={name!r})"


@given(st.integers(), st.text())
def test_values_can_be_pickled_copied_and_replaced(line: int, note: str) -> None:
    first = Named(line, note)

    unpickled = pickle.loads(pickle.dumps(first))  # noqa: S301 - made here
    for copied in (unpickled, copy.deepcopy(first), replace(first)):
        assert (copied, copied.note, type(copied)) == (first, note, Named)
    assert replace(first, line=7) == Named(7)


def test_values_have_no_other_attributes_than_their_fields() -> None:
    first = Named(1)

    assert not hasattr(first, "__dict__")
    with pytest.raises(AttributeError):
        object.__setattr__(first, "other", 1)
