"""Running numberings: the ways to read a label such as ``(i)``, and which label may follow it."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from treepack.numbers.heading_numbers import number_value
from treepack.roman_numerals import roman_value

_ALPHABET = 26
_FIRST = (0, 1)
_REMEMBERED = 1024  # labels; most documents have the same few
# The largest gap in a numbering from which clauses were repealed.
_LONGEST_STEP = {"number": 12}
_LONGEST_STEP_OF_LETTERS = 3


class Interpretation(NamedTuple):
    """One way to read a label as a member of a numbering.

    Attributes:
        wrapper: The characters around it: ``()``, ``)``, ``°`` or ``.``.
        scheme: ``number``, ``letter``, ``double`` or ``roman``; capitals have their own schemes.
        value: Its rank in the numbering, from 1.
        suffix: The letter of an inserted label: 5a after 5, ``ba`` after ``b``.
    """

    wrapper: str
    scheme: str
    value: int
    suffix: str = ""


@lru_cache(_REMEMBERED)
def read_as(label: str, part: str) -> tuple[str, tuple[Interpretation, ...]]:
    """Return the characters around a label, and all ways to read it as a member of a numbering.

    Args:
        label: The label, as printed.
        part: Its last component if it is relative; else empty, for a label outside numberings.
    """
    is_bracketed = label[-1] == ")"
    closing = "()" if label[0] == "(" else ")"
    wrapper = "°" if "°" in label else closing if is_bracketed else "."
    return wrapper, _interpretations(part, wrapper) if part else ()


def _interpretations(part: str, wrapper: str) -> tuple[Interpretation, ...]:
    """Return all ways to read the last component of a label."""
    if part[0].isdigit():
        value, suffix = number_value(part)
        return (Interpretation(wrapper, "number", value, suffix),)
    case = "" if part.islower() else "capital "
    letters = part.lower()
    first = ord(letters[0]) - ord("a") + 1
    found: list[Interpretation] = []
    if len(letters) == 1:
        found.append(Interpretation(wrapper, f"{case}letter", first))
    elif len(set(letters)) == 1:
        found.append(Interpretation(wrapper, f"{case}double", first))
        found.append(
            Interpretation(wrapper, f"{case}letter", first + _ALPHABET * (len(letters) - 1))
        )
    elif len(letters) == 2:  # noqa: PLR2004 - an inserted point, such as ba
        found.append(Interpretation(wrapper, f"{case}letter", first, letters[1]))
    if (roman := roman_value(part)) is not None:
        found.append(Interpretation(wrapper, f"{case}roman", roman))
    return tuple(found)


def first_interpretation(options: Sequence[Interpretation]) -> Interpretation | None:
    """Return the reading that begins a numbering (0, 1, a, aa, i), or None."""
    for reading in options:
        if reading.value in _FIRST:
            return None if reading.suffix else reading
    return None


def goes_on(before: Interpretation, after: Interpretation) -> Literal["next", "later", "no"]:
    """Return how a label follows another in one numbering: directly, after a gap, or not at all."""
    wrapper, scheme, value, suffix = before
    if after.wrapper != wrapper or after.scheme != scheme:
        return "no"
    step = after.value - value
    if step < 0 or (step == 0 and after.suffix <= suffix):
        return "next" if after == before else "no"
    if step <= 1:
        return "next"
    return "later" if step <= _LONGEST_STEP.get(scheme, _LONGEST_STEP_OF_LETTERS) else "no"
