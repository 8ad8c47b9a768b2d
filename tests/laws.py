"""Codes of law for tests: divisions in any order, numbered as some country numbers them."""

import random
from dataclasses import dataclass

from case_files import case_table

DIVISIONS: tuple[str, ...] = (*case_table("laws", "divisions"),)
LEAVES = (*DIVISIONS, "§", "Art.", "Clause", "Requirement", "")


@dataclass(frozen=True)
class Heading:
    """A heading of a law: its true level, from 1, and its title."""

    level: int
    title: str


class _Writer:
    """Writes one law, from the first heading to the last."""

    def __init__(self, dice: random.Random, *, is_full: bool) -> None:
        self.dice = dice
        self.is_full = is_full  # no level is skipped, and each division occurs at least twice
        words = dice.sample(DIVISIONS, dice.randint(1, 4))
        self.words = [*words, dice.choice([leaf for leaf in LEAVES if leaf not in words])]
        depth = len(self.words)
        top = dice.randint(1, 2)
        self.levels = (
            list(range(top, top + depth)) if is_full else sorted(dice.sample(range(1, 7), depth))
        )
        # Per word: 0 if its count runs through the whole law, else it restarts in each division.
        self.scopes = [dice.choice((0, place)) for place in range(depth)]
        self.styles = [dice.choice(("number", "number", "roman")) for _ in words] + ["number"]
        is_dotted = not is_full and dice.random() < 0.3
        self.dotted_after = dice.randrange(len(words)) if is_dotted else None
        self.counts = [0] * depth
        self.dotted: dict[tuple[int, ...], int] = {}
        self.headings: list[Heading] = []

    def law(self) -> list[Heading]:
        if self.dice.random() < 0.3 and self.levels[0] > 1:
            self.headings.append(Heading(1, "The Code"))
        self._divide(0)
        return self.headings

    def _divide(self, place: int) -> None:
        for _ in range(self.dice.randint(2 if self.is_full else 1, 4)):
            self._head(place)
            self._note(0.1, self.levels[place] + 1, "Purpose")
            if place + 1 < len(self.words):
                is_whole = self.is_full or self.dice.random() < 0.8
                below = range(place + 1, len(self.words))
                self._divide(place + 1 if is_whole else self.dice.choice(below))
            self._note(0.05, self.levels[place], "Transitional matter")

    def _head(self, place: int) -> None:
        self.counts[place] += 1
        for below in range(place + 1, len(self.words)):
            if self.scopes[below] > place:
                self.counts[below] = 0
        number = f"{self.words[place]} {self._number(place)}".strip()
        self.headings.append(Heading(self.levels[place], f"{number} Words of a title"))

    def _number(self, place: int) -> str:
        if self.dotted_after is not None and place + 1 == len(self.words):
            key = tuple(self.counts[: self.dotted_after + 1])
            self.dotted[key] = self.dotted.get(key, 0) + 1
            return f"{max(key[-1], 1)}.{self.dotted[key]}"
        count = self.counts[place]
        return roman(count) if self.styles[place] == "roman" else str(count)

    def _note(self, share: float, highest: int, title: str) -> None:
        if not self.is_full and highest <= 6 and self.dice.random() < share:
            self.headings.append(Heading(self.dice.randint(highest, 6), title))


def law(seed: int) -> list[Heading]:
    """A law with correct levels: some skipped, some divisions missing, unnumbered headings."""
    return _Writer(random.Random(seed), is_full=False).law()  # noqa: S311 - the same each time


def full_law(seed: int) -> list[Heading]:
    """A law whose numbers alone show how its divisions are nested."""
    return _Writer(random.Random(seed), is_full=True).law()  # noqa: S311 - the same each time


def roman(value: int) -> str:
    """Return a value below 400 as a roman numeral."""
    found = ""
    for sign, worth in (("C", 100), ("XC", 90), ("L", 50), ("XL", 40), ("X", 10), ("IX", 9)):
        found += sign * (value // worth)
        value %= worth
    for sign, worth in (("V", 5), ("IV", 4), ("I", 1)):
        found += sign * (value // worth)
        value %= worth
    return found
