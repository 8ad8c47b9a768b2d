"""Laws in text whose lines were torn apart: labels, numbers and dots on their own lines.

PDF loaders write such text. The limits are small, so that each rule meets a cut.
"""

from typing import Literal

import pytest

from treepack import Source, audit, pack, parse
from treepack.clauses.walk import find_clauses

SENTENCE = "The pump moves water from the lower tank to the upper one, and stops by itself. "
Outline = Literal["auto", "trust"]
LIMITS = ((24, 18), (32, 32), (48, 48), (64, 48), (96, 72), (256, 128))


def findings(text: str, name: str = "", outline: Outline = "auto") -> list[str]:
    source = Source(text, name)
    found: list[str] = []
    for cap, target in LIMITS:
        chunks = pack(source, max_tokens=cap, target_tokens=target, outline=outline)
        found += map(str, audit(source, chunks).findings)
    return found


def clause_labels(text: str, outline: Outline = "auto") -> list[str]:
    return [clause.path[-1] for clause in find_clauses(parse(text, outline=outline))]


@pytest.mark.parametrize("letters", ["ab", "abc", "abcde"])
def test_no_label_is_lost_in_a_column_of_labels(letters: str) -> None:
    """The first label was once cut from its introduction, and what came between was dropped."""
    column = "".join(f"{letter})\n\n" for letter in letters)
    text = (
        f"# Annex D\n\nD.1\nTo order parts, or to learn their prices, write to the maker or to a"
        f" shop near you.\n\nExamples:\n\n{column}P16 - E/P 301 = for heat, with a foot\n"
        "P17 - I/SO = for frost, and a frame of steel, twenty bolts\n"
    )
    assert findings(text, "a.txt") == []
    assert findings(text) == []


def test_a_combining_character_after_a_space_is_not_cut_off() -> None:
    rows = "".join(
        f"    x{number} = y{number} and so on and on\n   \u0304 z = {number}\n"
        for number in range(9)
    )
    assert findings(f"{SENTENCE}\n\n{rows}", "a.txt") == []
    terms = "x = \u0338 0, " * 40
    assert findings(f"Where a sign ({terms}) is.\n") == []


@pytest.mark.parametrize(
    "entries",
    [
        ("3.1 The pump", "3.2 The tank ........ 5", "3.3 The pipe ........ 6"),
        ("3.1\nA TITLE ON\nTWO LINES ........ 4", "3.2\nTHE TANK ........ 5", "PIPES ........ 6"),
    ],
)
def test_torn_toc_entries_are_not_clauses(entries: tuple[str, ...]) -> None:
    contents = "\n\n".join(entries)
    text = f"{SENTENCE}\n\n{contents}\n\n{SENTENCE * 3}\n\n{SENTENCE * 3}\n"
    assert clause_labels(text, "trust") == []
    assert findings(text, outline="trust") == []


def test_dots_before_a_figure_do_not_make_a_clause_a_toc_entry() -> None:
    above = "4.1\nThe pump\nruns at\nthe speed\nof the motor:"
    text = f"{above}\n\nMost ........ 20\n\n{SENTENCE}\n\n4.2 Noise\n\n{SENTENCE}\n"
    assert clause_labels(text, "trust") == ["4.1", "4.2"]


PUMP_CONTENTS = (
    "8.1 Duties\n . . . . . . . . 91\n8.2 Records\n \n\n91\n8.3 Repairs\n . . . . . . . . 91\n"
    "8.4 Spare parts\n . . . . . . . . 92\n8.5 Disposal\n \n92\n"
)


def test_table_of_contents_entries_that_lost_their_dots_are_not_clauses() -> None:
    """PDF loaders lose the dots of the last entry on a page, or print only its page number."""
    titles = ("Duties", "Records", "Repairs", "Spare parts", "Disposal")
    body = "".join(
        f"8.{number} {title}\n\nThe owner cares for the pump, and writes down what was done.\n\n"
        for number, title in enumerate(titles, 1)
    )
    text = f"Chapter 8 Pumps\n\n{PUMP_CONTENTS}\nChapter 8 Pumps\n\n{body}"
    document = parse(Source(text, "a.txt"))
    starts = [clause.start for clause in find_clauses(document) if clause.kind == "decimal"]
    assert starts == [text.rindex(f"8.{number} ") for number in range(1, 6)]
    assert findings(text, "a.txt") == []


def test_the_clause_after_a_table_of_contents_is_a_clause() -> None:
    text = f"{PUMP_CONTENTS}\n8.1 Duties\n\n8.1.1 General\n\nThe owner cares for the pump.\n"
    assert clause_labels(text) == ["8.1", "8.1.1"]
