"""Laws in text whose lines were torn apart: labels, numbers and dots on their own lines.

PDF loaders write such text. The limits are small, so that each rule meets a cut.
"""

from typing import Literal

import pytest

from treepack import Source, audit, pack, parse
from treepack.numbers.grammar import parse_clause

SENTENCE = "The pump moves water from the lower tank to the upper one, and stops by itself. "
Outline = Literal["auto", "trust"]
LIMITS = ((24, 18), (32, 32), (48, 48), (64, 48), (96, 72), (256, 128))


def findings(text: str, name: str = "", outline: Outline = "auto") -> list[str]:
    source = Source(text, name)
    found: list[str] = []
    for cap, target in LIMITS:
        chunks = pack(source, max_tokens=cap, target_tokens=target, outline=outline)
        found += map(str, audit(source, chunks, max_tokens=cap).findings)
    return found


def clause_labels(text: str, outline: Outline = "auto") -> list[str]:
    return [clause.path[-1] for clause in parse(text, outline=outline).clauses]


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


def test_a_column_of_pin_names_keeps_the_laws() -> None:
    pins = "".join(f"P3.{number}\n\n" for number in range(12))
    assert findings(f"# Port 3\n\nPin\n\nUse\n\n{pins}In\n\nOut\n\nBoth\n") == []


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
        ("3.1", "3.2", "3.3", "The pump ........ 4", "The tank ........ 5", "The pipe ........ 6"),
        ("3.1 The pump", ". . . . . . .", "3.2 The tank", ". . . . . . .", "3.3 Pipes", ". . . ."),
        ("3.1 The pump", *"...", "3.2 The tank .", *"..", "3.3 The pipe .", ".", ". . . . . . ."),
        ("3.1 The pump", "3.2 The tank ........ 5", "3.3 The pipe ........ 6"),
        ("3.1\nA TITLE ON\nTWO LINES ........ 4", "3.2\nTHE TANK ........ 5", "PIPES ........ 6"),
    ],
)
def test_torn_toc_entries_are_not_clauses(entries: tuple[str, ...]) -> None:
    contents = "\n\n".join(entries)
    text = f"{SENTENCE}\n\n{contents}\n\n{SENTENCE * 3}\n\n{SENTENCE * 3}\n"
    assert clause_labels(text, "trust") == []
    assert findings(text, outline="trust") == []


def test_toc_entries_without_dots_above_one_with_dots_are_not_clauses() -> None:
    text = (
        f"{SENTENCE}\n\n1.1 The well\n\n1.2 The pump\n\n1.3 The tank ........ 5\n\n{SENTENCE * 3}\n"
    )
    assert clause_labels(text, "trust") == []
    assert findings(text, outline="trust") == []


@pytest.mark.parametrize("above", ["4.1 Speed", "4.1\nThe pump\nruns at\nthe speed\nof the motor:"])
def test_dots_before_a_figure_do_not_make_a_clause_a_toc_entry(above: str) -> None:
    text = f"{above}\n\nMost ........ 20\n\n{SENTENCE}\n\n4.2 Noise\n\n{SENTENCE}\n"
    assert clause_labels(text, "trust") == ["4.1", "4.2"]


def test_clauses_with_dotted_lines_to_fill_in_are_clauses() -> None:
    text = "4.1 Name of the tenant\n\nName: ............\n\n4.2 Fee\n\nThe fee is due in May.\n"
    assert clause_labels(text) == ["4.1", "4.2"]


def test_chapters_numbered_1_0_to_4_0_follow_each_other() -> None:
    """This holds even if a stray number suggests that not all chapters do."""
    text = "".join(f"{step}.0 PART {step}\n\n{SENTENCE * 4}\n\n" for step in range(1, 5))
    text += f"9.7 volts\n\n4\n\n{SENTENCE}\n"
    assert clause_labels(text, "trust")[:4] == ["1.0", "2.0", "3.0", "4.0"]
    assert findings(text, outline="trust") == []


@pytest.mark.parametrize(
    "line",
    [
        "8.5.3.2 ~Digraph()",
        "8.5.3.2 \u223cDigraph()",
        "8.5.4.7 is_automorphism()",
        "1.4.2 Points on a vector basis",
    ],
)
def test_code_names_and_words_like_units_may_be_titles(line: str) -> None:
    number = parse_clause(line, "heading")
    assert number is not None
    assert number.label == line.split(maxsplit=1)[0]


@pytest.mark.parametrize("line", ["8.5 is open", "8.5 Points (a) and (b)", "8.5 Point 2 holds"])
def test_a_sentence_that_continues_after_a_number_is_not_a_title(line: str) -> None:
    assert parse_clause(line, "text") is None


@pytest.mark.parametrize("whitespace", ["", " ", "\t"])
def test_a_whitespace_line_does_not_become_a_clause_title(whitespace: str) -> None:
    text = (
        f"Section I\nThe Pump G1\n{whitespace}\n\n{SENTENCE}\n\n"
        f"Section II\nThe Tank G2\n{whitespace}\n\n{SENTENCE}\n"
    )
    found = parse(text, outline="trust").clauses
    assert [clause.title for clause in found] == ["", ""]


def test_articles_in_one_paragraph_keep_the_laws_when_paths_leave_no_room() -> None:
    """Web pages of acts have a line for each paragraph; below an item, markdown reads them as one.

    The chunk with an article's end and the next title has no path; the chunk before it has one.
    """
    articles = "".join(
        f"**Artículo {number}. Otorgamiento de pensiones por la discapacidad para el trabajo**\n"
        f"**{number}.1.** En ningún caso se modifica el porcentaje de la reducción por adelanto en"
        " la edad de jubilación ni se puede adelantar por segunda vez.\n"
        for number in range(1, 8)
    )
    assert findings(f"- Normas legales\n{articles}", outline="trust") == []


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
    starts = [clause.start for clause in document.clauses if clause.kind == "decimal"]
    assert starts == [text.rindex(f"8.{number} ") for number in range(1, 6)]
    assert findings(text, "a.txt") == []


def test_the_clause_after_a_table_of_contents_is_a_clause() -> None:
    text = f"{PUMP_CONTENTS}\n8.1 Duties\n\n8.1.1 General\n\nThe owner cares for the pump.\n"
    assert clause_labels(text) == ["8.1", "8.1.1"]
