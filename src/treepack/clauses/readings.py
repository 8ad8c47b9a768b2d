"""The ways to read a label such as ``(i)`` as a member of a numbering, and what may follow it."""

from functools import lru_cache
from typing import Final, Literal, NamedTuple

from treepack.numbers.heading_numbers import number_value
from treepack.roman_numerals import roman_value

NUMBERED: Final = ". number"
"""The form of ``1.``."""
_LARGEST_GAP: Final = 3  # of repealed clauses; with 12, in laws, no more points were found


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


@lru_cache(1024)  # most documents have the same few labels
def readings_of(label: str, part: str) -> tuple[Reading, ...]:
    """Return all ways to read a label, as printed, with its last component ``part``."""
    wrapper = ("()" if label[0] == "(" else ")") if label[-1] == ")" else "."
    wrapper = "°" if "°" in label else wrapper
    if part[0].isdigit():
        whole, dot, inserted = part.partition(".")  # (1.1) after (1)
        value, suffix = number_value(whole)
        return (Reading(f"{wrapper} number", value, suffix + dot + inserted),)
    case = "" if part.islower() else "capital-"
    letters = part.lower()
    value, count = ord(letters[0]) - ord("a") + 1, len(letters)
    found = [("letter", value, "")] if count == 1 else []
    if len(set(letters)) == 1 < count:
        found += [("double", value, ""), ("letter", value + 26 * (count - 1), "")]
    if (roman := roman_value(part)) is not None:
        found += [("roman", roman, "")]
    return tuple(Reading(f"{wrapper} {case}{scheme}", at, suffix) for scheme, at, suffix in found)


def relation(before: Reading, after: Reading) -> Literal["same", "next", "later", "no"]:
    """Return how a label follows another in one numbering: repeated, directly, or after a gap."""
    if after.form != before.form:
        return "no"
    gap = after.value - before.value
    if gap < 0 or (gap == 0 and after.suffix <= before.suffix):
        return "same" if after == before else "no"
    if gap <= 1:
        return "next"
    return "later" if gap <= _LARGEST_GAP else "no"


@lru_cache(4096)  # pairs of labels; the same few follow each other in each list
def next_of(before: Reading, readings: tuple[Reading, ...]) -> Reading | None:
    """Return the reading that directly follows another, or None."""
    return next((each for each in readings if relation(before, each) == "next"), None)
