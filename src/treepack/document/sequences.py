"""Running numberings: how a label such as ``(i)`` can be read, and what may come after what."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from treepack.document.clause_number import ClauseNumber
from treepack.document.clause_words import roman_value
from treepack.document.numbering import number_value

_ALPHABET = 26
# The longest step of a numbering where clauses were repealed.
_LONGEST_STEP = {"number": 12}
_LONGEST_STEP_OF_LETTERS = 3


class Reading(NamedTuple):
    """A label as a member of a numbering.

    Attributes:
        wrapper: ``()``, ``)`` or ``.``: what stands around it.
        scheme: ``number``, ``letter``, ``double`` or ``roman``; capitals have schemes of their own.
        value: Its place in the numbering, from 1.
        suffix: A letter of inserted ones: 5a after 5, ``ba`` after ``b``.
    """

    wrapper: str
    scheme: str
    value: int
    suffix: str = ""


def wrapper_of(number: ClauseNumber) -> str:
    """What stands around a label: ``()``, ``)`` or ``.``."""
    label = number.label
    return "." if label[-1] != ")" else "()" if label[0] == "(" else ")"


def readings(number: ClauseNumber, wrapper: str) -> list[Reading]:
    """All ways in which a relative label can be read."""
    part = number.parts[-1]
    if part[0].isdigit():
        value, suffix = number_value(part)
        return [Reading(wrapper, "number", value, suffix)]
    case = "" if part.islower() else "capital "
    letters = part.lower()
    first = ord(letters[0]) - ord("a") + 1
    found: list[Reading] = []
    if len(letters) == 1:
        found.append(Reading(wrapper, f"{case}letter", first))
    elif len(set(letters)) == 1:
        found.append(Reading(wrapper, f"{case}double", first))
        found.append(Reading(wrapper, f"{case}letter", first + _ALPHABET * (len(letters) - 1)))
    elif len(letters) == 2:  # noqa: PLR2004 - an inserted point, such as ba
        found.append(Reading(wrapper, f"{case}letter", first, letters[1]))
    if (roman := roman_value(part)) is not None:
        found.append(Reading(wrapper, f"{case}roman", roman))
    return found


def first_reading(options: Sequence[Reading]) -> Reading | None:
    """Of the ways to read a label, the one that begins a numbering: 1, a, aa, i; or None."""
    first = next((reading for reading in options if reading.value == 1), None)
    return None if first is None or first.suffix else first


def goes_on(before: Reading, after: Reading) -> Literal["next", "later", "no"]:
    """How a label follows another of the same numbering: right behind it, or with a gap."""
    if (before.wrapper, before.scheme) != (after.wrapper, after.scheme):
        return "no"
    if (after.value, after.suffix) <= (before.value, before.suffix):
        return "next" if after == before else "no"
    if after.value - before.value <= 1:
        return "next"
    longest = _LONGEST_STEP.get(after.scheme, _LONGEST_STEP_OF_LETTERS)
    return "later" if after.value - before.value <= longest else "no"
