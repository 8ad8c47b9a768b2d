"""What a document shows: words, headings and tables, independent of how it was read."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

WORD: Final = re.compile(r"[^\W_]+")

Grid = tuple[tuple[str, ...], ...]
"""Rows of cells; each cell is the words of its text with a space between them."""


@dataclass
class Shown:
    """What a document shows.

    Attributes:
        words: Each word with how often it occurs.
        headings: Level and text of each heading, in order.
        tables: The tables that have rows and columns, in order; those inside a cell are its text.
        has_labels: Whether the numbers of list items are in the text of table cells.
        others: How many tables do not count as tables, by the reason.
        pages: The pages of each text, by the text's reference in its document.
    """

    words: "Counter[str]" = field(default_factory=Counter[str])
    headings: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    tables: list[Grid] = field(default_factory=list[Grid])
    has_labels: bool = True
    others: "Counter[str]" = field(default_factory=Counter[str])
    pages: dict[str, set[int]] = field(default_factory=dict[str, set[int]])


def words_in(text: str) -> str:
    """Return the words of a text with a space between them."""
    return " ".join(WORD.findall(text))


def tidy(rows: Sequence[Sequence[str]]) -> Grid:
    """Return a grid of words: empty rows and columns go, a row of one repeated text has it once."""
    width = max((len(row) for row in rows), default=0)
    full = [[words_in(cell) for cell in row] + [""] * (width - len(row)) for row in rows]
    full = [[row[0], *[""] * (width - 1)] if len(set(row)) == 1 else row for row in full]
    full = [row for row in full if any(row)]
    kept = [at for at in range(width) if any(row[at] for row in full)]
    return tuple(tuple(row[at] for at in kept) for row in full)
