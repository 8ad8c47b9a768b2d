"""The ways to read a label such as ``(i)`` as a member of a numbering, and what may follow it."""

from functools import lru_cache
from typing import Final, Literal, NamedTuple

from treepack.numbers.heading_numbers import number_value
from treepack.roman_numerals import roman_value

_ALPHABET: Final = 26
_CACHED_LABELS: Final = 1024  # labels; most documents have the same few
# The largest gaps of numbers and of letters from which clauses were repealed, in laws of the corpus.
_LARGEST_GAP: Final = 12
_LARGEST_GAP_OF_LETTERS: Final = 3
NUMBERED: Final = ". number"
"""The form of ``1.``."""


class Reading(NamedTuple):
    """One way to read a label as a member of a numbering.

    Attributes:
        form: The characters around it and its scheme: ``. number``, ``() letter``.
        value: Its rank in the numbering, from 1.
        suffix: The letter of an inserted label: 5a after 5, ``ba`` after ``b``.
    """

    form: str
    value: int
    suffix: str = ""

    @property
    def is_first(self) -> bool:
        """Whether it begins a numbering: 0, 1, a, aa or i."""
        return self.value <= 1 and not self.suffix


@lru_cache(_CACHED_LABELS)
def readings_of(label: str, part: str) -> tuple[Reading, ...]:
    """Return all ways to read a label, as printed, with its last component ``part``."""
    wrapper = ("()" if label[0] == "(" else ")") if label[-1] == ")" else "."
    wrapper = "°" if "°" in label else wrapper
    if part[0].isdigit():
        whole, dot, inserted = part.partition(".")  # (1.1) after (1)
        value, suffix = number_value(whole)
        return (Reading(f"{wrapper} number", value, suffix + dot + inserted),)
    form = f"{wrapper} " if part.islower() else f"{wrapper} capital "
    letters = part.lower()
    value = ord(letters[0]) - ord("a") + 1
    readings: list[Reading] = []
    if len(letters) == 1:
        readings.append(Reading(f"{form}letter", value))
    elif len(set(letters)) == 1:
        readings.append(Reading(f"{form}double", value))
        readings.append(Reading(f"{form}letter", value + _ALPHABET * (len(letters) - 1)))
    elif len(letters) == 2:  # noqa: PLR2004 - an inserted point, such as ba
        readings.append(Reading(f"{form}letter", value, letters[1]))
    if (roman := roman_value(part)) is not None:
        readings.append(Reading(f"{form}roman", roman))
    return tuple(readings)


def relation(before: Reading, after: Reading) -> Literal["same", "next", "later", "no"]:
    """Return how a label follows another in one numbering: repeated, directly, or after a gap."""
    if after.form != before.form:
        return "no"
    gap = after.value - before.value
    if gap < 0 or (gap == 0 and after.suffix <= before.suffix):
        return "same" if after == before else "no"
    if gap <= 1:
        return "next"
    largest = _LARGEST_GAP if after.form.endswith("number") else _LARGEST_GAP_OF_LETTERS
    return "later" if gap <= largest else "no"
