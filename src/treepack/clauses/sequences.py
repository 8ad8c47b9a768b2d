"""Running numberings: the ways to read a label such as ``(i)``, and which label may follow it."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from treepack.numbers.heading_numbers import number_value
from treepack.roman_numerals import roman_value

_ALPHABET = 26
_FIRST_VALUES = (0, 1)
_CACHED_LABELS = 1024  # labels; most documents have the same few
# The largest gap in a numbering from which clauses were repealed.
_LARGEST_GAPS = {"number": 12}
_LARGEST_GAP_OF_LETTERS = 3


class Reading(NamedTuple):
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


@lru_cache(_CACHED_LABELS)
def wrapper_and_readings(label: str, part: str) -> tuple[str, tuple[Reading, ...]]:
    """Return the characters around a label, and all ways to read it as a member of a numbering.

    Args:
        label: The label, as printed.
        part: Its last component if it is relative; else empty, for a label outside numberings.
    """
    is_bracketed = label[-1] == ")"
    closing = "()" if label[0] == "(" else ")"
    wrapper = "°" if "°" in label else closing if is_bracketed else "."
    return wrapper, _readings(part, wrapper) if part else ()


def _readings(part: str, wrapper: str) -> tuple[Reading, ...]:
    """Return all ways to read the last component of a label."""
    if part[0].isdigit():
        number, suffix = number_value(part)
        return (Reading(wrapper, "number", number, suffix),)
    case = "" if part.islower() else "capital "
    letters = part.lower()
    value = ord(letters[0]) - ord("a") + 1
    readings: list[Reading] = []
    if len(letters) == 1:
        readings.append(Reading(wrapper, f"{case}letter", value))
    elif len(set(letters)) == 1:
        readings.append(Reading(wrapper, f"{case}double", value))
        readings.append(Reading(wrapper, f"{case}letter", value + _ALPHABET * (len(letters) - 1)))
    elif len(letters) == 2:  # noqa: PLR2004 - an inserted point, such as ba
        readings.append(Reading(wrapper, f"{case}letter", value, letters[1]))
    if (roman := roman_value(part)) is not None:
        readings.append(Reading(wrapper, f"{case}roman", roman))
    return tuple(readings)


def first_reading(readings: Sequence[Reading]) -> Reading | None:
    """Return the reading that begins a numbering (0, 1, a, aa, i), or None."""
    for reading in readings:
        if reading.value in _FIRST_VALUES:
            return None if reading.suffix else reading
    return None


def continuation(before: Reading, after: Reading) -> Literal["same", "next", "later", "no"]:
    """Return how a label follows another in one numbering: repeated, directly, or after a gap."""
    wrapper, scheme, value, suffix = before
    if after.wrapper != wrapper or after.scheme != scheme:
        return "no"
    gap = after.value - value
    if gap < 0 or (gap == 0 and after.suffix <= suffix):
        return "same" if after == before else "no"
    if gap <= 1:
        return "next"
    return "later" if gap <= _LARGEST_GAPS.get(scheme, _LARGEST_GAP_OF_LETTERS) else "no"
