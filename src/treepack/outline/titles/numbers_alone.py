"""Section numbers on lines of their own, above their titles: ``4.1``, then ``Scope``."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from treepack.outline.titles.lines import LEAST_TEXT, Line
from treepack.outline.titles.printed import LONGEST_ALONE, PrintedNumber, number_alone
from treepack.outline.titles.toc import is_in_toc

_FEWEST: Final = 3  # such numbers with two components or more
_MOST_STRAY: Final = 4  # such numbers, for each that heads a text


def numbers_alone(
    lines: Sequence[Line],
    numbers: Sequence[PrintedNumber | None],
    indexes: Sequence[int],
    entries: Collection[str],
) -> Mapping[int, PrintedNumber]:
    """Return the section numbers on lines of their own, if several have two components or more.

    Page numbers have one component. Numbers in a table or at the axis of a chart may each be above
    a word. If there are many of them, a number counts only if text begins below its title or the
    table of contents lists the title.

    Args:
        lines: All lines.
        numbers: The number that each line begins with.
        indexes: The indexes of lines on which a title may be.
        entries: The entries of tables of contents, by letters.
    """
    short = [index for index in indexes if len(lines[index].text) <= LONGEST_ALONE]
    alone = {
        index: number
        for index in short
        if (number := number_alone(lines, index))
        if _is_above_title(lines[index], number, numbers[index + 1], entries)
    }
    above_text = {
        index: number
        for index, number in alone.items()
        if is_title_below_in_toc(lines[index], number, entries)
        or any(len(line.text) >= LEAST_TEXT for line in lines[index + 2 : index + 4])
    }
    chosen = alone if _MOST_STRAY * len(above_text) >= len(alone) else above_text
    return chosen if sum(len(number.key) > 1 for number in chosen.values()) >= _FEWEST else {}


def is_title_below_in_toc(line: Line, number: PrintedNumber, entries: Collection[str]) -> bool:
    """Whether contents list the title below a number, with the number or without it."""
    return is_in_toc(entries, f"{line.text} {number.title}", number.title)


def _is_above_title(
    line: Line, number: PrintedNumber, below: PrintedNumber | None, entries: Collection[str]
) -> bool:
    """Whether the line below a number is its title.

    The contents must list the title of a single letter. A title that begins with a word and a
    number does not count: it is an entry of the contents, below the page of another entry.
    """
    if below is not None and below.word:
        return False
    is_letter = isinstance(number.key[0], str) and len(number.key) == 1
    return not is_letter or is_title_below_in_toc(line, number, entries)
