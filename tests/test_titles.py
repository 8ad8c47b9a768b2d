"""Titles without markup, page furniture, and how the audit checks both."""

import itertools
import json
import textwrap
import timeit
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from command_line import run

from treepack import Document, PackConfig, audit, pack, parse
from treepack.errors import HeadingPatternError
from treepack.model.blocks import Heading
from treepack.model.chunk import Chunk
from treepack.model.source import Source
from treepack.model.typography import Typography
from treepack.outline.outlined import HeadingPatternWarning
from treepack.outline.titles import contents, lines
from treepack.outline.titles import finder as titles

BODY = (
    "The pump moves water from the lower tank to the upper one, and stops by itself when that\n"
    "tank is full. Nobody has to watch it, although somebody should look at the filter each week.\n"
)


def outline(text: str | Source | Document) -> list[tuple[int, str]]:
    """Return the depth and title of each section."""
    found: list[tuple[int, str]] = []
    waiting = [(0, (text if isinstance(text, Document) else parse(text)).root)]
    while waiting:
        depth, section = waiting.pop()
        if section.heading:
            found.append((depth, section.heading.text))
        waiting += [(depth + 1, child) for child in reversed(section.sections)]
    return found


def numbered(*titles: str, body: str = BODY) -> str:
    """Return a text of titles, each over a paragraph."""
    return "".join(f"{title}\n\n{body}\n" for title in titles)


THREE = f"{BODY}\n{BODY}\n{BODY}"
MANUAL = numbered("1. Scope", "2. Parts", "2.1. Pump", "2.2. Tank", "3. Use", "Appendix A. Spares")


# -------------------------------------------------------------------- what is found


def test_numbers_that_go_on_from_one_another_are_titles_on_the_level_of_their_depth() -> None:
    assert outline(MANUAL) == [
        (1, "1. Scope"),
        (1, "2. Parts"),
        (2, "2.1. Pump"),
        (2, "2.2. Tank"),
        (1, "3. Use"),
        (1, "Appendix A. Spares"),
    ]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Chapter {} Water", "Section {} Pipes"),
        ("ARTICLE {}\nWATER", "{}.1 Pipes"),
        ("Kapitel {} Wasser", "{}.1 Rohre"),
        ("第{}章 供水", "{}.1 Pipes"),
        ("CHAPITRE {} - EAU", "Article {} - Tuyaux"),
    ],
)
def test_words_of_many_languages_head_what_counts_below_them(first: str, second: str) -> None:
    text = "".join(numbered(first.format(n), second.format(n)) for n in range(1, 5))
    depths = [depth for depth, _ in outline(text)]
    assert depths == [1, 2] * 4


def test_a_label_on_a_line_of_its_own_has_the_line_below_for_its_title() -> None:
    text = numbered("ARTICLE I\nDEFINITIONS", "ARTICLE II\nTERM", "ARTICLE III\nFEES")
    assert outline(text)[0] == (1, "ARTICLE I DEFINITIONS")


def test_a_title_directly_over_its_text_parts_the_paragraph() -> None:
    """PDF loaders give text without blank lines."""
    text = MANUAL.replace("\n\n", "\n")
    assert [title for _, title in outline(text)][:3] == ["1. Scope", "2. Parts", "2.1. Pump"]
    section = parse(text).root.sections[0]
    assert text[section.blocks[0].start :].startswith("The pump")


def test_numbers_begin_anew_below_each_part() -> None:
    text = numbered(
        "Part 1 - Water",
        "Chapter 1 - Wells",
        "Chapter 2 - Pipes",
        "Part 2 - Air",
        "Chapter 1 - Fans",
    )
    text += numbered("Chapter 2 - Ducts", "Part 3 - Fire", "Chapter 1 - Ovens")
    depths = {title: depth for depth, title in outline(text)}
    assert depths["Chapter 1 - Fans"] == depths["Chapter 1 - Ovens"] == depths["Part 2 - Air"] + 1


def test_bold_and_underlined_lines_are_titles_where_they_are_used_as_such() -> None:
    bold = numbered("**Pumps**", "**Tanks**", "**Filters**")
    assert [title for _, title in outline(bold)] == ["Pumps", "Tanks", "Filters"]
    underlined = numbered("Pumps\n*****", "Tanks\n*****", "Filters\n*******")
    assert [title for _, title in outline(underlined)] == ["Pumps", "Tanks", "Filters"]
    evidence = [section.heading for section in parse(underlined).root.sections]
    assert {heading.evidence for heading in evidence if heading} == {"underline"}


CONTENTS = (
    "Contents\n\n"
    "  Preface . . . . . . . . . . . . . 1\n"
    "  1 Water . . . . . . . . . . . . . 2\n"
    "  2 Air . . . . . . . . . . . . . . 7\n"
    "  Words of thanks . . . . . . . . . 9\n"
    "  Index . . . . . . . . . . . . . . 12\n\n"
)


def test_a_list_of_contents_names_titles_and_its_own_lines_are_none() -> None:
    text = CONTENTS + numbered("Preface", "1 Water", "2 Air", "Words of thanks", "Index")
    found = [title for _, title in outline(text)]
    assert found == ["Contents", "Preface", "1 Water", "2 Air", "Words of thanks", "Index"]
    assert text[: parse(text).root.sections[1].start].count(" . . ") > 4


def test_each_found_title_stands_in_the_changes_with_its_reason() -> None:
    document = parse(MANUAL)
    change = document.outline_changes[2]
    assert (change.line, change.title, change.old_level, change.new_level) == (
        11,
        "2.1. Pump",
        0,
        2,
    )
    assert change.reason == "its number continues the previous ones"
    assert len(document.outline_changes) == 6


def test_a_found_title_spans_its_printed_lines_and_says_what_shows_it() -> None:
    heading = parse(MANUAL).root.sections[0].heading
    assert heading is not None
    assert (MANUAL[heading.start : heading.end], heading.evidence) == ("1. Scope", "number")


def test_titles_come_back_from_json() -> None:
    document = parse(MANUAL)
    assert Document.from_json(document.to_json()) == document


def test_a_heading_written_before_there_was_evidence_is_read_as_marked() -> None:
    record = json.loads(parse("# A\n\ntext\n").to_json())
    del record["root"]["sections"][0]["heading"]["evidence"]
    heading = Document.from_json(json.dumps(record)).root.sections[0].heading
    assert heading is not None
    assert heading.evidence == "mark"


PLAIN = ("Water Supply", "Filter Care", "Spare Parts", "Winter Storage", "Source Control")
LONG = " ".join(BODY.split()) * 2  # on one line, of which only the beginning is looked at
SAMPLE = "".join(f"set pump {n} = {{on: {n}}};\nrun(pump, {n});\n" for n in range(6))


@pytest.mark.parametrize(
    ("above", "body", "below"),
    [
        ("", BODY * 2, ""),
        ("", f"{LONG}\n", ""),
        ("", f"Nobody has to watch the pump.\n\n{BODY * 2}", ""),
        ("", f"{BODY}\n{SAMPLE}", ""),
        ("", BODY * 2, numbered("Appendix A. Pipes", "Appendix B. Tanks")),
        (numbered("Water Works"), f"{LONG[:400]}.\n", ""),
    ],
    ids=["wrapped", "long lines", "short first", "much code", "appendices", "short sections"],
)
def test_lines_that_stand_alone_over_text_are_titles(above: str, body: str, below: str) -> None:
    found = [title for _, title in outline(f"{above}{numbered(*PLAIN, body=body)}{below}")]
    assert [title for title in found if title in PLAIN] == [*PLAIN]


def nested_outline(*steps: str) -> list[tuple[int, str]]:
    """Return depths and titles of a nested outline: three per level, numbered anew under each."""
    marks = {"I": "I II III", "A": "A B C", "1": "1 2 3", "Part A": "A B C", "Chapter 1": "1 2 3"}
    found: list[tuple[int, str]] = []
    words = itertools.cycle(("Water Supply", "Filter Care", "Spare Parts", "Winter Storage"))

    def add(depth: int) -> None:
        for mark in marks[steps[depth]].split() if depth < len(steps) else ():
            word = steps[depth].rpartition(" ")[0]
            found.append((depth + 1, f"{word} {mark}. {next(words)}".strip()))
            add(depth + 1)

    add(0)
    return found


@pytest.mark.parametrize("mark", ["", "## ", "**"])
@pytest.mark.parametrize(
    "steps",
    ["I/A", "I/1", "A/1", "1/A", "I/A/1", "Part A/1", "Chapter 1/A", "Chapter 1/I/A"],
)
def test_numbers_that_begin_anew_stand_below_those_around_them(steps: str, mark: str) -> None:
    expected = nested_outline(*steps.split("/"))
    closing = mark if mark == "**" else ""
    text = numbered(*(f"{mark}{title}{closing}" for _, title in expected), body=BODY * 2)
    assert outline(text) == expected


@pytest.mark.parametrize("word", ["", "Part "])
def test_letters_go_on_through_those_that_are_numerals(word: str) -> None:
    words = zip("ABCDEFGHIJKLM", PLAIN * 3, strict=False)
    letters = [f"{word}{letter}. {title}" for letter, title in words]
    assert outline(numbered(*letters, body=BODY * 3)) == [(1, title) for title in letters]


def test_numerals_of_one_sign_are_no_letters() -> None:
    numerals = [f"Part {numeral}. Pump" for numeral in ("XLVIII", "XLIX", "L", "LI", "LII")]
    assert outline(numbered(*numerals, body=BODY * 3)) == [(1, title) for title in numerals]


def test_letters_that_do_not_nest_leave_other_numbers_their_levels() -> None:
    titles = ["Part I", "Section 1", "Section 2", "Part II", "Section 1", "Section 2"]
    text = numbered(*(f"## {title}. Pump" for title in titles))
    strays = numbered(*(f"## {letter}. Pump" for letter in "FDBECA"))
    depths = [depth for depth, _ in outline(text + strays)]
    assert depths[:6] == [1, 2, 2, 1, 2, 2]


def test_letters_in_brackets_are_not_nested() -> None:
    titles = ["1. Water", "(A) Pump", "(B) Tank", "2. Air", "(A) Fan", "(B) Pipe"]
    assert outline(numbered(*(f"## {t}" for t in titles))) == [(1, title) for title in titles]


def test_letters_after_numbers_are_annexes() -> None:
    titles = ["1. Water", "2. Air", "3. Fire", "A. Pumps", "B. Fans"]
    assert outline(numbered(*titles, body=BODY * 3)) == [(1, title) for title in titles]
    own = ["1. Size", "2. Speed"]
    text = numbered(*(f"**{title}**" for title in [*titles[:4], *own]), body=BODY * 3)
    assert outline(text) == [*((1, title) for title in titles[:4]), *((2, title) for title in own)]


def test_a_larger_line_with_a_bar_is_a_title() -> None:
    titles = ["Water | Report", "Air | Report", "Fire | Report"]
    text = numbered(*titles)
    marks = tuple((text.index(title), Typography(size=18.0)) for title in titles)
    source = replace(Source(text, "a.txt"), typography=marks)
    assert [title for _, title in outline(source)] == titles


def test_questions_that_stand_alone_over_their_answers_are_titles() -> None:
    asked = ("What moves the water?", "Do I have to watch it?", "Who looks at the filter?")
    assert [title for _, title in outline(numbered(*asked, body=BODY * 2))] == [*asked]


def test_a_numbered_title_that_a_reader_escaped_is_a_title() -> None:
    titles = ("1. Scope", "2. Parts", "3. Use", "4. Care")
    text = numbered(*(title.replace(".", "\\.") for title in titles), body=BODY * 3)
    marks = tuple((text.index(f"{at}\\."), Typography(bold=True)) for at in range(1, 5))
    source = replace(Source(text, "a.docx"), typography=marks)
    assert [title for _, title in outline(parse(source, markup="markdown"))] == [*titles]


@pytest.mark.parametrize("escape", ["", "\\"])
def test_entries_without_pages_below_the_word_contents_are_no_titles(escape: str) -> None:
    names = ("Scope", "Parts", "Use", "Care", "Spares")
    entries = "".join(f"{at}{escape}. {name}\n\n" for at, name in enumerate(names, 1))
    titles = [f"{at} {name}" for at, name in enumerate(names, 1)]
    text = f"Table of Contents\n\n{entries}{numbered(*titles)}"
    assert [title for _, title in outline(text)] == ["Table of Contents", *titles]


def test_bold_titles_over_one_long_paragraph_each_are_titles() -> None:
    asked = ("**Pumps**", "**Tanks**", "**Filters**", "**Pipes**")
    text = numbered(*asked, body=BODY.replace("\n", " ") * 3 + "\n")
    assert [title for _, title in outline(text)] == [name.strip("*") for name in asked]


def test_lines_that_stand_alone_are_no_titles_where_titles_are_larger() -> None:
    larger = ("Pumps", "Tanks", "Filters", "Pipes")
    pairs = [part for name in larger for part in (name, f"State of {name}")]
    text = numbered(*pairs, body=BODY * 2)
    marks = tuple((text.index(f"{name}\n\n"), Typography(size=18.0)) for name in larger)
    source = replace(Source(text, "a.txt"), typography=marks)
    assert [title for _, title in outline(source)] == [*larger]
    assert 8 == len(outline(text))


# -------------------------------------------------------------------- what is not a title


NOTICES = numbered(
    "Copyright 1999 Ada Byron", "Copyright 2004 Bob Cyd", "Copyright (c) 2011 Eve", body=BODY * 2
)
BARS = numbered("Name | Type | Sense", "Place | Type | Sense", "Size | Type | Sense", body=BODY * 2)
TABS = numbered(
    "Ada Byron\tPumps", "Bob Cyd\tPipes and tanks", "Eve Fay\tAll the rest", body=BODY * 2
)
CAPTIONS = numbered(
    "Bild 1 - Stufen", "Fig 2 - Ways of the water", "Figura 3 - Niveles", body=BODY * 2
)
AGAIN = numbered(*["Later Work"] * 6, body=BODY * 2)
VALUES = numbered("Return type: Page", "Return type: Outline", "Return type: Matrix", body=BODY * 2)
FEW = MANUAL + numbered("Water Supply", "Filter Care", "Spare Parts", body=BODY * 2)
SPEECH = "".join(
    f"{BODY * 2}\nWho would watch tank {n}?\n\n" if n % 60 == 0 else f"{BODY * 2}\n"
    for n in range(1, 241)
)
ROWS = "".join(f"| {n} | {n * n} |\n" for n in range(9))
LABELS = "".join(f"{title}\n\n| a | b |\n|---|---|\n{ROWS}\n" for title in PLAIN)
STEPS = "".join(f"{n}. Turn the valve.\n" for n in range(1, 9))
LOG = "".join(f"2026-01-0{n} 12:00:0{n} INFO Started worker {n}\n" for n in range(1, 9))
POEM = "".join(f"Roses are red\nViolets are blue {n}\n\n" for n in range(9))
LEADS = "".join(f"**Note {n}.** {BODY}\n" for n in range(5))
TABLE = "".join(f"{n}.{n}   Water   {n * 7}   {n * 3}\n" for n in range(1, 9))
CODE = "".join(f"for (i = {n}; i < 9; i++) {{ run(i); }}\n" for n in range(9))
MAIL = f"From: Ann\nTo: Bob\nSubject: Water\n\n{BODY}\n-- \nAnn\n"


@pytest.mark.parametrize("text", [BODY * 9, STEPS, LOG, POEM, LEADS, TABLE, CODE, MAIL])
def test_prose_steps_logs_poems_leads_tables_code_and_mails_have_no_title(text: str) -> None:
    assert outline(text) == []


@pytest.mark.parametrize("text", [NOTICES, BARS, TABS, CAPTIONS, AGAIN, LABELS, SPEECH, VALUES])
def test_notices_rows_repeated_lines_labels_and_few_questions_are_no_titles(text: str) -> None:
    assert outline(text) == []


def test_few_lines_that_stand_alone_beside_many_larger_titles_are_titles_below_them() -> None:
    larger = [f"{name} of the {what}" for what in ("Water", "Air", "Fire") for name in
              ("Pumps", "Tanks", "Filters", "Pipes")]  # fmt: skip
    alone = ("Way of Use", "State of Work", "Kinds of Care")
    names = [*larger[:4], alone[0], *larger[4:8], alone[1], *larger[8:], alone[2]]
    text = numbered(*names, body=BODY * 2)
    marks = tuple((text.index(f"{name}\n\n"), Typography(size=18.0)) for name in larger)
    source = replace(Source(text, "a.txt"), typography=marks)
    found = outline(source)
    assert [title for _, title in found] == names
    depths = dict(zip(names, (depth for depth, _ in found), strict=True))
    assert {depths[name] for name in alone} == {1 + max(depths[name] for name in larger)}


def test_the_items_of_a_list_do_not_part_chapters_that_are_numbered_with_zero() -> None:
    steps = "\n".join(
        f"{n}. {kind} gain crystal" for n, kind in enumerate(("Low", "Mid", "High"), 1)
    )
    names = ("GENERAL DESCRIPTION", "MEMORY ORGANIZATION", "CLOCK SOURCES", "PORTS", "TIMERS")
    titles = [
        title
        for n, name in enumerate(names, 1)
        for title in (f"{n}.0 {name}", f"{n}.1 Overview of it", f"{n}.2 Modes of it")
    ]
    parts = [f"{title}\n{CROWDED}" for title in titles]
    parts[5] += f"{steps}\n{CROWDED}"
    assert [title for _, title in outline("".join(parts))] == titles


CROWDED = (
    "The pump moves water from the lower tank to the upper one, and stops by\n"
    "itself when that tank is full. Nobody has to watch it, although somebody\n"
    "should look at the filter each week, and clean it if it is not clear.\n"
)


def test_capitalised_lines_between_paragraphs_of_a_text_without_blank_lines_are_titles() -> None:
    names = ("Pin Description", "Oscillator Characteristics", "Modes of the Timer", "Filter Care")
    text = CROWDED + "".join(f"{name}\n{CROWDED}" for name in names)
    assert [title for _, title in outline(text)] == [*names]
    lower = CROWDED + "".join(f"{name.capitalize()}\n{CROWDED}" for name in names)
    assert outline(lower) == []
    within = CROWDED + "".join(f"{CROWDED[:140]}\n{name}\n{CROWDED}" for name in names)
    assert outline(within) == []  # the line above ends no sentence
    rows = CROWDED + "".join(f"{name}\n12 bar, 5 l\n{CROWDED}" for name in names)
    assert outline(rows) == []  # no sentence begins on the line below


def test_numbers_of_one_step_that_stand_alone_are_titles_and_items_of_a_list_are_none() -> None:
    names = ("Baud Rate Generator", "Idle Mode", "Power Modes", "Lock Bits", "Clock Drive")
    titles = [f"{n}. {name}" for n, name in enumerate(names, 1)]
    text = CROWDED + "".join(f"{title}\n{CROWDED * 3}" for title in titles)
    assert [title for _, title in outline(text)] == titles
    deep = ("1.1 Speed", "1.2 Start", "2.1 Sleep", "2.2 Wake", "3.1 Low", "3.2 High")
    chapters = CROWDED + "".join(f"{title}\n{CROWDED * 2}" for title in deep)
    steps = (f"{n}. Set of {what} for it" for n, what in enumerate(("rate", "mode", "way"), 1))
    assert outline(CROWDED + "".join(f"{step}\n{CROWDED * 3}" for step in steps)) == []
    items = "".join(f"{title}\n" for title in titles)
    assert [title for _, title in outline(chapters + items + CROWDED)] == [*deep]


def test_letters_below_numerals_are_titles_in_a_text_without_blank_lines() -> None:
    parts = ("A. Error Control", "B. Rate Model")
    titles = [title for n in ("I. PUMPS", "II. PIPES", "III. TANKS") for title in (n, *parts)]
    found = outline(CROWDED + "".join(f"{title}\n{CROWDED * 3}" for title in titles))
    assert found == [(1 + (title in parts), title) for title in titles]


def test_where_contents_name_the_titles_other_capitalised_lines_are_none() -> None:
    names = ("Pin Description", "Oscillator Characteristics", "Modes of the Timer", "Filter Care")
    contents = "".join(f"{name} . . . . . . . {page}\n" for page, name in enumerate(names, 1))
    parts = "".join(f"{name}\n{CROWDED}Way of {name}\n{CROWDED}" for name in names)
    found = [title for _, title in outline(f"Contents\n{contents}{CROWDED}{parts}")]
    assert found == ["Contents", *names]


@pytest.mark.parametrize("end", [";", ","])
def test_bold_parts_of_a_sentence_are_no_titles(end: str) -> None:
    parts = numbered(*(f"**{name} of the water{end}**" for name in ("Sale", "Hire", "Loan", "Use")))
    assert outline(parts) == []
    assert 4 == len(outline(parts.replace(f"{end}**", "**")))


def test_bold_items_that_a_reader_escaped_are_no_titles() -> None:
    items = numbered(*(f"**\\- {name} of the water**" for name in ("Sale", "Hire", "Loan", "Use")))
    assert outline(parse(items, markup="markdown")) == []


def test_bold_signatures_of_functions_are_titles() -> None:
    titles = [f"int pump_{name}(int speed);" for name in ("start", "stop", "check")]
    text = numbered(*(f"**{title}**" for title in titles))
    assert [title for _, title in outline(text)] == titles


def test_numbered_lines_of_a_contract_that_go_on_in_lower_case_are_no_titles() -> None:
    """The other lines are long, so a line of 66 characters is not full; it has no known verb."""
    rest = "ja korjaa sen viipymättä sekä vastaa kaikista kuluista, jotka siitä syntyvät " * 4
    clauses = [
        f"{chapter}.{point}. Omistaja pitää pumppua kunnossa ja puhtaana kaikkina {what}\n{rest}"
        for chapter in (1, 2, 3)
        for point, what in enumerate(("aikoina", "vuosina", "tunteina"), 1)
    ]
    chapters = (f"{n}. LUKU {n}\n\n" + "\n\n".join(clauses[3 * n - 3 : 3 * n]) for n in (1, 2, 3))
    assert [title for _, title in outline("\n\n".join(chapters))] == [
        f"{n}. LUKU {n}" for n in (1, 2, 3)
    ]


def test_where_most_titles_are_numbered_few_lines_that_stand_alone_are_none() -> None:
    assert outline(FEW) == outline(MANUAL)


def test_marked_headings_are_left_alone() -> None:
    text = numbered("# Water", "**Hint**", "## Wells", "**Hint**", "## Pipes")
    assert [title for _, title in outline(text)] == ["Water", "Wells", "Pipes"]


def test_numbered_titles_are_found_outside_of_a_few_marked_ones() -> None:
    sections = [f"{n}.{m}. Pump {m}" for n in (1, 2) for m in range(1, 6)]
    text = numbered("# 1. Water", *sections[:5], "# 2. Air", *sections[5:])
    assert len(outline(text)) == 12


def test_with_trust_marks_alone_count() -> None:
    assert outline(parse(MANUAL, outline="trust")) == []
    assert parse(PAGES, outline="trust").outline_changes == ()


# -------------------------------------------------------------------- page furniture


def pages(*texts: str) -> str:
    """Return pages with a running header and a page number, as a PDF loader gives them."""
    return "\f".join(f"The Pump Manual\n{text}\n{n}" for n, text in enumerate(texts, 3))


SENTENCES = [
    "Water comes in from the left side, and the valve there is closed by hand if it is not wanted",
    "for some days. Nothing else is done.\nCHAPTER\nFilters are washed each week, or when the",
    "flow is slow. Then the lid is taken off.\nA new filter costs little, and a clean one is as",
    "good as a new one. That is all there is to say.",
]
PAGES = pages(*SENTENCES)


def furniture(document: Document) -> list[str]:
    skipped = [
        (start, end) for start, end, reason in document.skipped if reason == "page furniture"
    ]
    return [document.source.text[start:end].strip() for start, end in skipped]


def test_running_heads_and_page_numbers_are_skipped() -> None:
    chunks = pack(PAGES)
    said = "".join(chunk.text for chunk in chunks)
    assert said.count("The Pump Manual") == 1  # the first line of all is the title
    assert not any(f"\n{n}" in said for n in range(3, 7))
    assert audit(PAGES, chunks, max_tokens=1024).findings == ()


def test_a_paragraph_that_goes_on_over_a_page_is_one() -> None:
    texts = [PAGES[b.start : b.end] for b in parse(PAGES).root.blocks]
    assert any("by hand if it is not wanted" in text and "for some days" in text for text in texts)
    assert "if it is not wanted\nfor some days." in pack(PAGES)[0].text


def test_a_bare_label_at_the_edge_of_pages_is_no_furniture() -> None:
    text = pages(*(f"CHAPTER\n{'ABCD'[n]}\n{each}" for n, each in enumerate(SENTENCES)))
    assert not any("CHAPTER" in each for each in furniture(parse(text)))


@pytest.mark.parametrize("said", ["The pump is closed.", "7", "The Pump Manual, page"])
def test_the_only_line_of_a_page_is_its_text(said: str) -> None:
    text = "\f".join([said] * 12)
    document = parse(text)
    assert furniture(document) == []
    assert "".join(chunk.text for chunk in pack(document)).count(said) == 12


def test_a_head_behind_many_blanks_is_skipped_with_them() -> None:
    wide = PAGES.replace("The Pump Manual", " " * 1000 + "The Pump Manual")
    skipped = [end - start for start, end, why in parse(wide).skipped if why == "page furniture"]
    assert sum(length > 1000 for length in skipped) == 3  # the first line of all is the title
    assert sum(chunk.text.count("The Pump Manual") for chunk in pack(wide)) == 1


def test_a_row_of_a_table_at_the_edge_of_pages_is_no_furniture() -> None:
    words = ("red", "green", "blue", "brown", "white")
    text = "".join(
        f"<!-- page {page} -->\n\nA {word} lamp is sold here, which burns oil of {word} seeds.\n\n"
        f"It is said that {word} is the best.\n\n"
        f"| Item | Price |\n|---|---|\n| {word} | 1 |\n| Sum | ten |\n\n"
        for page, word in enumerate(words, 1)
    )
    document = parse(Source(text, "d.md"))
    assert {reason for _, _, reason in document.skipped} == {"page mark"}


def test_a_text_without_pages_has_no_furniture() -> None:
    text = PAGES.replace("\f", "\n")
    assert furniture(parse(text)) == []


def test_chunks_know_their_lines_though_line_ends_are_skipped() -> None:
    chunks = pack(PAGES, PackConfig(max_tokens=32, target_tokens=24, min_tokens=0))
    assert audit(PAGES, chunks, max_tokens=32).findings == ()
    assert chunks[-1].lines[1] == PAGES.split("\n").index(SENTENCES[3]) + 1


# -------------------------------------------------------------------- the user's own patterns


PATTERNS = {1: r"^ARTICLE [IVXLC]+", 2: r"^Section \d+(?:\.\d+)*"}
CONTRACT = numbered("ARTICLE I Water", "Section 1.1 Wells", "ARTICLE II Air")


def test_lines_that_a_pattern_names_are_titles_of_its_level() -> None:
    assert outline(parse(CONTRACT, heading_patterns=PATTERNS)) == [
        (1, "ARTICLE I Water"),
        (2, "Section 1.1 Wells"),
        (1, "ARTICLE II Air"),
    ]
    heading = parse(CONTRACT, heading_patterns=PATTERNS).root.sections[0].heading
    assert heading is not None
    assert heading.evidence == "pattern"


@pytest.mark.parametrize("opening", ["<div>", "<!-- Note", "```", "::: note"])
def test_a_line_that_html_or_code_goes_on_to_is_no_title(opening: str) -> None:
    text = f"1. Scope\n\n   All of it.\n\n2. Terms\n\n   {opening}\n   In it.\n3. Duties\n\nMore.\n"
    with pytest.warns(
        HeadingPatternWarning, match=r"line 9, '3\. Duties', is not a title, although .* 1"
    ):
        chunks = pack(text, PackConfig(heading_patterns={1: r"^\d\. "}, levels=(64, 32)))
    assert [change.title for change in chunks.outline_changes] == ["1. Scope", "2. Terms"]
    assert audit(text, chunks, levels=(64, 32)).findings == ()


def test_a_pattern_gives_a_marked_heading_its_level_and_the_audit_agrees() -> None:
    text = CONTRACT.replace("Section", "# Section")
    config = PackConfig(heading_patterns={1: "^ARTICLE", 3: "^Section|# Section"}, max_tokens=64)
    chunks = pack(text, config)
    assert [change.old_level for change in chunks.outline_changes] == [0, 1, 0]
    assert audit(text, chunks, max_tokens=64).findings == ()


@pytest.mark.parametrize(
    "pattern",
    [r"(a+)+b", r"(a|a)*b", r"(\w+\s?)*$", r"\w+\w*x", r".*a.*b.*c", r"(a)\1", r"([a-z]+)*"],
)
def test_a_pattern_that_may_take_long_is_refused_with_its_place(pattern: str) -> None:
    with pytest.raises(HeadingPatternError, match=r"level 2.*may take long, at character \d"):
        parse("text", heading_patterns={2: pattern})
    with pytest.raises(ValueError, match="may take long"):
        PackConfig(heading_patterns={2: pattern})


@pytest.mark.parametrize(
    "pattern",
    [
        r"([а-я][а-я]+)+!",
        r"(第第+)+!",
        r"([\u0430-\u044f][а-я]+)+!",
        r"(\u0430\u0430+)+!",
        r"(\N{THAI CHARACTER KO KAI}[ก-ฮ]+)+!",
        r"([ؐ-ۿ]\d+)+!",
        r"([^\x00-\x7f][\U00010400-\U0001044f]+)+!",
        r"(?i)([А-Я][а-я]+)+!",
        r"(?i:([A-Z][a-z]+)+!)",
        r"(?a:(\W[а-я]+)+!)",
        r"(?x) ( [a-z]+ )+ !  # words",
        r"(?x:( [a-z]+ )+!)",
        r"([a-z]+(?#words))+!",
        r"(\B[a-z]+)+!",
        r"[а-я]+[д-ж]*x",
    ],
)
def test_whether_a_pattern_may_take_long_is_known_in_all_scripts(pattern: str) -> None:
    with pytest.raises(HeadingPatternError, match=r"may take long, at character \d"):
        parse("text", heading_patterns={1: pattern})


@pytest.mark.parametrize(
    "pattern",
    [
        r"^(?:[А-Я][а-я]+)+$",
        r"^Статья \d+(\.\d+)*",
        r"第[一二三四五六七八九十]+[章节]",
        r"^§(?: \d+)+",
        r"([\\u]abcd\d+)*",
        r"(?x) ^ Section (\.\d+)* [ ]+ [A-Z]  # the number",
        r"(\bA\d+)*",
    ],
)
def test_a_pattern_of_parts_with_clear_ends_is_accepted_in_all_scripts(pattern: str) -> None:
    parse("text", heading_patterns={1: pattern})


def test_a_pattern_that_is_none_is_refused_with_its_place() -> None:
    with pytest.raises(HeadingPatternError, match="no regular expression at character 3"):
        parse("text", heading_patterns={1: "abc["})
    with pytest.raises(HeadingPatternError, match="levels are from 1"):
        parse("text", heading_patterns={0: "abc"})


def test_patterns_come_from_the_command_line_and_from_settings_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("contract.md").write_text(CONTRACT)
    call = ("show", "contract.md", "--outline-changes")
    shown = run(*call, "--heading-pattern", "1=^Section").stdout
    assert "Section 1.1 Wells" in shown
    assert "ARTICLE" not in shown
    Path("treepack.toml").write_text('[heading_patterns]\n1 = "^Section"\n')
    assert "ARTICLE" not in run(*call).stdout
    assert 'heading_patterns = { 1 = "^Section" }' in run("show", "--show-settings").stdout
    wrong = run(*call, "--heading-pattern", "^Section")
    assert "is not of the form LEVEL=REGEX" in wrong.stderr


# -------------------------------------------------------------------- the laws


def records(text: str, **settings: Any) -> list[Chunk]:  # noqa: ANN401 - any setting
    return list(pack(text, PackConfig(max_tokens=64, target_tokens=48, min_tokens=0, **settings)))


@pytest.mark.parametrize("text", [MANUAL, CONTENTS + MANUAL, PAGES, CONTRACT, pages(*[MANUAL] * 4)])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_the_laws_hold_for_found_titles_and_skipped_furniture(text: str, line_end: str) -> None:
    text = text.replace("\n", line_end)
    assert audit(text, records(text), max_tokens=64).findings == ()


Mutant = Callable[[Sequence[Chunk]], list[Chunk]]


def with_change(**values: Any) -> Mutant:  # noqa: ANN401 - any field
    """Return a mutant that changes the record of the third title that was found."""

    def mutant(chunks: Sequence[Chunk]) -> list[Chunk]:
        changes = list(chunks[0].outline_changes)
        changes[2] = replace(changes[2], **values)
        return [chunks[0].model_copy(update={"outline_changes": tuple(changes)}), *chunks[1:]]

    return mutant


def without_breadcrumb(chunks: Sequence[Chunk]) -> list[Chunk]:
    at = next(n for n, chunk in enumerate(chunks) if len(chunk.breadcrumb) > 1)
    chunk = chunks[at].model_copy(update={"breadcrumb": ()})
    return [*chunks[:at], chunk, *chunks[at + 1 :]]


@pytest.mark.parametrize(
    ("mutant", "said"),
    [
        (with_change(title="2.1. Pumps of all kinds"), "is not what line 11 says"),
        (with_change(line=12), "is not what line 12 says"),
        (with_change(line=999), "there is no such line"),
        (with_change(new_level=None), "has no level"),
        (with_change(reason=" "), "or no reason"),
        (without_breadcrumb, "above a block is neither in the breadcrumb"),
    ],
)
def test_the_audit_finds_titles_that_are_none(mutant: Mutant, said: str) -> None:
    chunks = records(MANUAL)
    assert audit(MANUAL, chunks, max_tokens=64).findings == ()
    findings = audit(MANUAL, mutant(chunks), max_tokens=64).findings
    assert any(said in finding.reason for finding in findings), findings


def test_the_audit_finds_a_title_that_is_parted_from_its_text() -> None:
    changes = pack(MANUAL).outline_changes
    at = MANUAL.index("\n\nThe pump", MANUAL.index("2.1. Pump"))
    texts = [MANUAL[: at + 2], MANUAL[at + 2 :]]
    findings = audit(MANUAL, texts, max_tokens=1024, outline_changes=changes).findings
    assert 8 in {finding.law for finding in findings}


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("Filters are washed each week, or when the", "it has no number and occurs only once"),
        ("closed by hand", "it begins inside a line"),
        ("flow is slow. Then the lid is taken off.\nA new", "it ends inside a line"),
    ],
)
def test_the_audit_finds_text_that_is_skipped_as_furniture(said: str, reason: str) -> None:
    chunks = list(pack(PAGES))
    at = PAGES.index(said)
    skipped = chunks[0].skipped[-1].model_copy(update={"span": (at, at + len(said))})
    assert skipped.reason == "page furniture"
    mutant = chunks[0].model_copy(update={"skipped": (*chunks[0].skipped, skipped)})
    findings = audit(PAGES, [mutant, *chunks[1:]], max_tokens=1024).findings
    assert any(reason in finding.reason for finding in findings), findings


def test_the_audit_finds_a_line_inside_of_a_page_that_is_skipped_as_furniture() -> None:
    text = pages(*(f"{BODY}No. {n}\n{BODY}{BODY}" for n in range(5)))
    chunks = list(pack(text))
    at = text.index("No. 2")
    skipped = chunks[0].skipped[-1].model_copy(update={"span": (at, at + 5)})
    mutant = chunks[0].model_copy(update={"skipped": (*chunks[0].skipped, skipped)})
    findings = audit(text, [mutant, *chunks[1:]], max_tokens=1024).findings
    assert any("it is inside a page" in finding.reason for finding in findings)


# -------------------------------------------------------------------- cost


def test_titles_are_found_in_linear_time(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = 0

    def counted(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:  # noqa: ANN401 - any function's
            nonlocal calls
            calls += 1
            return function(*given, **named)

        return call

    for room, name in ((contents, "_leader"), (titles, "_found"), (lines, "_line")):
        monkeypatch.setattr(room, name, counted(getattr(room, name)))
    taken: list[int] = []
    for size in (50, 100, 200):
        calls = 0
        text = CONTENTS + numbered(*(f"{n}. Pump {n}" for n in range(1, size)), body=BODY * 2)
        assert len(parse(text).outline_changes) > size / 2
        taken.append(calls)
    assert taken[2] - taken[1] <= 2 * (taken[1] - taken[0]) + 4


def test_a_reader_of_marked_documents_pays_nothing() -> None:
    """The lines are not even looked at."""
    text = numbered(*(f"# Title {n}" for n in range(9)))
    assert titles.find_titles(Source(text), _blocks(text), ()) == []


def _blocks(text: str) -> list[Heading]:
    return [section.heading for section in parse(text).root.walk() if section.heading]


def set_in(sizes: dict[str, float | None]) -> Source:
    """Return a text as a Word reader gives it: bold titles, some in larger type."""
    body = "The pump is mounted on a level floor, with 30 cm of free space around it.\n\n"
    text = "".join(f"{title}\n\n{body * 2}" for title in sizes)
    typography = tuple(
        (text.index(f"{title}\n"), Typography(bold=True, size=size))
        for title, size in sizes.items()
    )
    return Source(text, "manual.docx", origins=((0, "docx:paragraph 1"),), typography=typography)


def test_bold_paragraphs_of_a_word_file_are_titles() -> None:
    document = parse(set_in({"Pump manual": None, "Care": None, "Spare parts": None}))
    headings = [section.heading for section in document.root.walk() if section.heading]
    assert [heading.text for heading in headings] == ["Pump manual", "Care", "Spare parts"]
    assert {heading.evidence for heading in headings} == {"bold"}


def test_the_larger_font_is_the_higher_title() -> None:
    sizes = {"Pump manual": 20.0, "Mounting": 16.0, "Floor": 13.0, "Care": 16.0, "Oil": 13.0}
    document = parse(set_in({**sizes}))
    headings = [section.heading for section in document.root.walk() if section.heading]
    assert [(heading.text, heading.level) for heading in headings] == [
        *(("Pump manual", 1), ("Mounting", 2), ("Floor", 3), ("Care", 2), ("Oil", 3))
    ]
    assert {heading.evidence for heading in headings} == {"font"}
    assert all("font" in change.reason for change in document.outline_changes)


def test_form_feeds_alone_are_looked_through_as_fast_as_line_ends() -> None:
    """As whitespace before a title, each form feed was once tried with all those after it."""

    def seconds(text: str) -> float:
        return min(timeit.repeat(lambda: titles.find_titles(Source(text), (), ()), number=1))

    assert seconds("\f" * 100_000) < 8 * seconds("\r" * 100_000)
    assert titles._EVIDENCE.search("Text.\n\f \f  1 Scope\n")  # noqa: SLF001 - the first check


def test_numbered_titles_above_long_unwrapped_paragraphs_are_headings() -> None:
    names = ("Position and Scope", "Work Schedule", "Start Date", "Base Salary", "Bonus")
    text = " ".join(["The keeper is told the days and the hours by the office of the port."] * 6)
    lines = [f"{number}. {name}\n\n{text}\n" for number, name in enumerate(names, 1)]
    document = parse(Source("Offer Letter\n\n" + "\n".join(lines), "offer.txt"))
    assert [clause.title for clause in document.clauses] == list(names)


@pytest.mark.parametrize("indent", ["", "    "])
def test_numbered_titles_right_below_long_lines_are_headings_however_all_are_indented(
    indent: str,
) -> None:
    names = ("Definitions.", "Grant.", "Fees.", "Warranty.", "Liability.", "Notices.")
    said = "The keeper shall pay the party that holds the licence of the port for each day. " * 5
    paragraphs = f"{indent}{said.strip()}\n\n{indent}{said.strip()}\n"
    terms = "".join(f"{indent}{n}. {name}\n{paragraphs}" for n, name in enumerate(names, 1))
    document = parse(Source(f"LICENCE OF THE PORT\n\nThe terms follow.\n\n{terms}", "port.txt"))
    assert [clause.title for clause in document.clauses] == [name.rstrip(".") for name in names]


def test_steps_with_short_texts_are_no_headings() -> None:
    names = ("Open the lid", "Turn the key", "Light the lamp", "Close the lid", "Lock it")
    lines = [f"{n}. {name}\n\nUse both hands for this.\n" for n, name in enumerate(names, 1)]
    assert not parse(Source("The lamp\n\n" + "\n".join(lines), "steps.txt")).clauses


def test_a_wrapped_line_that_has_no_room_for_the_next_word_is_no_title() -> None:
    said = (
        "You expressly acknowledge and agree that although the Licensor and each Contributor may "
        "grant the Work to You, nobody gives any warranty for it in this Agreement."
    )
    titles = ["1. Grant.", "2. Termination.", "3. Miscellaneous."]
    text = "".join(
        f"{title}\n\n{textwrap.fill(f'{title[0]}.1 {said}', 76)}\n\n"
        f"{title[0]}.2 Notices. They are given in writing, and each is signed by the Licensor.\n\n"
        for title in titles
    )
    assert "and each\nContributor" in text
    assert [title for _, title in outline(parse(text, name="licence.txt"))] == titles


def test_a_found_title_is_plain_text_in_markdown_and_is_not_in_plain_text() -> None:
    titles = ["**4.1.** Term & Renewal.", "**4.2.** Notices.", "**4.3.** Data Export."]
    text = "".join(f"{title}\n\n(a) {BODY}\n" for title in titles)
    plain = ["4.1. Term & Renewal.", "4.2. Notices.", "4.3. Data Export."]
    assert [title for _, title in outline(parse(text, markup="markdown"))] == plain
    assert "**4.1.** Term & Renewal." in [
        title for _, title in outline(parse(text, markup="plain"))
    ]


def test_a_bold_title_does_not_say_where_its_links_lead() -> None:
    names = ["Import", "Export", "Order"]
    text = "".join(f"**Quotas of the [{name}](api/{name}.md) API**\n\n{BODY}\n" for name in names)
    assert [title for _, title in outline(text)] == [f"Quotas of the {name} API" for name in names]
    assert not pack(text, max_tokens=64).audit().findings


def test_an_underline_behind_a_title_is_no_part_of_it() -> None:
    rule = "The licensor grants the licensee a licence, without any warranty or liability."
    titles = ["1.   APPOINTMENT.      -----------", "2.  SERVICES.", "3.  TERM.  =-=-=-="]
    text = "".join(f"{title}\n\n{title[0]}.1  {rule}\n\n" for title in titles)
    found = [title for _, title in outline(parse(text, name="agreement.txt"))]
    assert found == ["1. APPOINTMENT.", "2. SERVICES.", "3. TERM."]
    assert not pack(Source(text, "agreement.txt"), max_tokens=64).audit().findings


# -------------------------------------------------------------------- lines right above a text

HEADS = ("Mounting the pump", "How does it run?", "CARE AND OIL", "Spare parts")


def headed(*titles: str) -> str:
    """Return titles directly above their texts."""
    return "".join(f"{title}\n{BODY}\n{BODY}\n{BODY}\n" for title in titles)


def test_a_short_line_between_a_blank_line_and_its_text_is_a_title() -> None:
    assert [title for _, title in outline(headed(*HEADS))] == [*HEADS]


@pytest.mark.parametrize(
    "line",
    [
        "Dear Ms Byron,",
        "The pump runs well.",
        "Tables of the pump and of other machines in the whole house",
        "Warning: hot",
    ],
)
def test_another_first_line_of_a_paragraph_is_no_title(line: str) -> None:
    """The third is nearly as long as the lines below it, so it may have been wrapped."""
    assert (
        outline(headed(*[line.replace("pump", pump) for pump in ("pump", "oven", "lamp", "saw")]))
        == []
    )


def test_short_lines_above_short_lines_are_no_titles() -> None:
    """Addresses, verses and names are examples."""
    names = ("Ada Byron", "Grace Hopper", "Emmy Noether", "Mary Somerville")
    text = "".join(f"{name}\n3 Garden Street\nLondon\n\n{BODY}\n{BODY}\n" for name in names)
    assert outline(text + BODY) == []


def test_a_line_right_above_a_list_is_a_title() -> None:
    text = "".join(
        f"{title}\n- one bolt\n- two nuts\n\n{BODY}\n{BODY}\n{BODY}\n" for title in HEADS
    )
    assert [title for _, title in outline(text)] == [*HEADS]


def test_lines_of_a_text_whose_paragraphs_take_one_line_each_are_titles() -> None:
    """Word processors save such texts: without blank lines, and with titles in sentence case."""
    said = " ".join((BODY * 4).split())
    first = "Guide to the pump"
    text = f"{first}\n" + "".join(f"{title}\n{said}\n{said}\n" for title in (*HEADS, "Index"))
    assert outline(text) == [(1, first), *[(2, title) for title in (*HEADS, "Index")]]
    listed = text.replace(HEADS[2], f"{HEADS[2]}\n- one bolt\n- two nuts")
    assert [title for _, title in outline(listed)] == [first, *HEADS, "Index"]
    led = text.replace(f"{said}\n{HEADS[2]}", f"You need these parts:\n{HEADS[2]}")
    assert [title for _, title in outline(led)] == [first, *HEADS[:2], HEADS[3], "Index"]


@pytest.mark.parametrize("between", ["\n", "\n\n"])
def test_numbers_on_lines_of_their_own_belong_to_the_titles_below_them(between: str) -> None:
    """The text of web pages has them like this if the number has a style of its own."""
    titles = ["1 Scope", "2 Parts", "2.1 Pump", "2.2 Tank", "2.3 Pipes", "3 Use"]
    text = numbered(*[title.replace(" ", between) for title in titles])
    assert [title for _, title in outline(text)] == titles
    assert [level for level, _ in outline(text)] == [1, 1, 2, 2, 2, 1]


def test_numbers_of_pages_belong_to_no_line_below_them() -> None:
    text = "".join(f"{page}\nPump Guide\n{BODY}{BODY}{BODY}\n" for page in range(1, 9))
    assert not any(title[0].isdigit() for _, title in outline(text))


SHORT = "The pump moves water."


def manual_page(*sections: str, body: str = "       ") -> str:
    """Return sections whose titles are outdented, as in printed manual pages."""
    said = "".join(f"{body}{line}\n" for line in BODY.splitlines())
    return "\n".join(f"{section}\n{said}" for section in sections)


def test_lines_that_stick_out_of_the_body_are_titles_and_deeper_ones_are_below_them() -> None:
    text = manual_page("NAME", "OPTIONS", "   Matching Control", "   Output Control", "SEE ALSO")
    assert outline(f"PUMP(1)          User Commands          PUMP(1)\n\n{text}")[1:] == [
        (2, "NAME"),
        (2, "OPTIONS"),
        (3, "Matching Control"),
        (3, "Output Control"),
        (2, "SEE ALSO"),
    ]


def test_the_first_title_may_stick_out_less_than_all_others() -> None:
    text = manual_page("   Pump Manual", "NAME", "OPTIONS", "FILES", "SEE ALSO")
    assert outline(text)[0] == (1, "Pump Manual")


@pytest.mark.parametrize("term", ["   --verbose", "   TIME_STYLE", "   number of lines"])
def test_terms_of_a_list_that_stick_out_are_no_titles(term: str) -> None:
    text = manual_page("NAME", "OPTIONS", term, term.replace("e", "i"), "FILES", "SEE ALSO")
    assert [title for _, title in outline(text)] == ["NAME", "OPTIONS", "FILES", "SEE ALSO"]


def test_terms_that_stand_where_the_body_stands_are_no_titles() -> None:
    terms = "".join(
        f"       {name} Mode\n              {SHORT}\n\n" for name in ("Fast", "Slow", "Safe")
    )
    text = manual_page("NAME", "OPTIONS", "SEE ALSO").replace("OPTIONS\n", f"OPTIONS\n{terms}")
    assert [title for _, title in outline(text)] == ["NAME", "OPTIONS", "SEE ALSO"]


def test_two_lines_that_stick_out_may_be_chance() -> None:
    assert outline(manual_page("NAME", "OPTIONS")) == []
    body = manual_page("") * 4
    assert outline(f"{body}\n{manual_page('SYNOPSIS', 'OPTIONS')}\n{body}") == []


def test_lines_that_stick_out_beside_numbered_titles_are_examples() -> None:
    text = manual_page(
        "1. Scope", "1.1. Parts", "KICK Ada", "1.2. Use", "PART Byron", "JOIN Ada", "2. Care"
    )
    assert not any(title.isupper() for _, title in outline(text))


# -------------------------------------------------------------------- acts that were changed


def test_numbers_with_letters_are_titles_beside_those_without() -> None:
    """§ 39 and § 39a once shared a position in the outline, so only one of them was found."""
    labels = [
        "§ 38",
        "§ 39",
        "§ 39a",
        "§ 39b",
        "§ 39c",
        "§ 40",
        "Art. 41",
        "Art. 41 bis",
        "Art. 41 ter",
    ]
    for first, after in ((0, 6), (6, 9)):
        titles = [f"{label} Pipes" for label in labels[first:after]]
        assert outline(numbered("§ 37 Water" if not first else "Art. 40 Water", *titles))[1:] == [
            (1, title) for title in titles
        ]


def test_an_outline_goes_on_after_a_gap() -> None:
    """Repealed sections leave gaps; the outline once began after the gap."""
    titles = [f"§ {number} Pipes" for number in (1, 2, 3, 10, 11, 12, 40, 41, 42)]
    assert outline(numbered(*titles)) == [(1, title) for title in titles]


def test_a_stray_large_number_does_not_end_the_outline() -> None:
    titles = [f"§ {number} Pipes" for number in range(1, 9)]
    text = numbered(*titles[:4]) + "§ 831 Code\n\n" + numbered(*titles[4:])
    assert [title for _, title in outline(text)] == titles


def test_the_first_line_of_a_paragraph_is_no_title_of_the_label_above_it() -> None:
    said = "Lists of the pumps in the store by their owners\nshow which of them are new."
    text = "".join(f"§ {number}\n\n{said}\n\n" for number in range(1, 7))
    assert outline(text) == [(1, f"§ {number}") for number in range(1, 7)]


def test_a_title_below_its_label_may_take_two_lines() -> None:
    title = "Duty to tell owners of pumps about any change of a part or\nof its place in the house"
    text = "".join(f"Article {number}\n\n{title}\n\n{BODY}\n" for number in range(1, 5))
    said = " ".join(title.split())
    assert outline(text) == [(1, f"Article {number} {said}") for number in range(1, 5)]


def test_the_long_name_of_an_act_is_the_title_above_its_sections() -> None:
    name = "Act on the Safety of Pumps, Pipes and Tanks in Houses, Gardens and Works, and Changes"
    name += " of Other Acts (Pump Safety Act 2014)"
    assert outline(f"{name}\n\n" + numbered("§ 1 Scope", "§ 2 Terms", "§ 3 Duties")) == [
        (1, name),
        (2, "§ 1 Scope"),
        (2, "§ 2 Terms"),
        (2, "§ 3 Duties"),
    ]


def test_sections_that_acts_of_the_commonwealth_inserted_are_titles() -> None:
    titles = ["3 Scope", "4 Terms", "4A Meaning of pump", "4AA Meaning of tank", "5 Duties"]
    assert outline(numbered("Part II Water", *titles[:2], "Part IIA Pumps", *titles[2:])) == [
        (1, "Part II Water"),
        *[(2, title) for title in titles[:2]],
        (1, "Part IIA Pumps"),
        *[(2, title) for title in titles[2:]],
    ]


def test_what_only_looks_like_an_inserted_section_is_no_number() -> None:
    """Such a number needs a plain number beside it: 3G does not confirm 4G."""
    text = "".join(f"# {number}G Networks\n\n{BODY}\n" for number in (3, 4, 5))
    assert [*parse(text).clauses] == []
    document = parse(f"# 4 Terms\n\n{BODY}\n# 4A Meaning of pump\n\n{BODY}\n# 5 Use\n\n{BODY}")
    assert [clause.number for clause in document.clauses] == ["4", "4A", "5"]
    headings = [
        "# 3 Scope",
        "# 4 Terms",
        "# 4.1 Pump",
        "# 9 Use",
        "# 10 Care",
        "# 10A Meaning of oil",
    ]
    document = parse("".join(f"{heading}\n\n{BODY}\n" for heading in headings))
    assert "10A" in [clause.number for clause in document.clauses]


def test_a_korean_heading_that_refers_to_an_article_has_no_number() -> None:
    assert [*parse(f"# 제3조에 따른 규정\n\n{BODY}").clauses] == []
    assert [clause.number for clause in parse(f"# 제3조 목적\n\n{BODY}").clauses] == ["제3조"]


def test_divisions_begin_anew_in_each_part() -> None:
    parts = [
        f"Part {part} Pumps\n\n"
        + numbered("Division 1 Feet", "Division 2 Bolts", "Division 3 Nuts")
        for part in (1, 2, 3)
    ]
    assert [level for level, _ in outline("".join(parts))] == [1, 2, 2, 2] * 3


def test_the_articles_of_a_convention_in_an_annex_hide_no_section_of_the_act() -> None:
    sections = [f"{number} Pipes" for number in range(3, 12)]
    articles = [
        f"ARTICLE {number}" for number in ("I", "II", "III", "IV", "V", "VI", "VII", "VIII")
    ]
    more = [f"ARTICLE {number}" for number in ("IX", "X", "XI", "XII", "XIII", "XIV", "XV")]
    text = numbered(*sections, *articles, *more, body=THREE)
    found = [title for _, title in outline(text)]
    assert found == [*sections, *articles, *more]


@pytest.mark.parametrize(
    "title", ["When the fee will be due", "Who may ask for it and when", "Access to houses etc."]
)
def test_a_numbered_line_between_blank_lines_is_a_title_though_it_says_something(
    title: str,
) -> None:
    text = numbered("1. Scope", "2. Terms", f"3. {title}", "4. Use", body=THREE)
    assert (1, f"3. {title}") in outline(text)


def test_a_numbered_sentence_is_no_title_though_it_stands_between_blank_lines() -> None:
    clauses = [f"{n}. The seller shall pay the buyer" for n in range(1, 7)]
    legal = "The party shall keep this agreement, and the licence of the other party hereunder."
    assert outline(numbered(*clauses, body=f"{legal}\n\n{legal}\n\n{legal}\n")) == []
    ended = [f"{n}. It is due then." for n in range(1, 7)]
    assert outline(numbered(*ended, body=THREE)) == []


def test_a_title_in_capitals_below_its_label_may_stand_right_above_its_text() -> None:
    text = "".join(f"ARTICLE {n}\n\nPIPES AND PUMPS\n{BODY}\n" for n in ("I", "II", "III"))
    assert outline(text) == [(1, f"ARTICLE {n} PIPES AND PUMPS") for n in ("I", "II", "III")]


def test_two_names_below_a_label_are_no_title_of_two_lines() -> None:
    text = "".join(f"Article {n}\n\nThe Seller\nAda Byron\n\n{BODY}\n{BODY}\n" for n in range(1, 5))
    assert outline(text) == [(1, f"Article {n}") for n in range(1, 5)]


# -------------------------------------------------------------------- Chinese


def test_an_article_that_goes_on_with_its_text_is_a_clause_and_no_title() -> None:
    """Every article of a Chinese act was once a heading that contained the whole article."""
    said = "用户应当遵守本规定，网络应当及时答复。"
    articles = [f"第{number}条 {said}\n\n{said}" for number in "一二三四五六"]
    chapters = ["第一章 总则", *articles[:3], "第二章 责任", *articles[3:]]
    document = parse(Source("\n\n".join(chapters), "d.txt"))
    assert outline(document.source.text) == [(1, "第一章 总则"), (1, "第二章 责任")]
    assert len(document.clauses) == 2 + len(articles)


def test_lines_that_begin_with_a_chinese_numeral_and_its_comma_are_titles() -> None:
    said = "用户应当遵守本规定，网络应当及时答复。"
    text = "".join(
        f"{number}、{title}\n\n{said}\n\n" for number, title in zip("一二三", "甲乙丙", strict=True)
    )
    assert outline(
        text.replace("甲", "总体要求").replace("乙", "工作职责").replace("丙", "其他")
    ) == [
        (1, "一、总体要求"),
        (1, "二、工作职责"),
        (1, "三、其他"),
    ]


def test_chinese_sections_may_begin_anew_in_a_few_chapters() -> None:
    """In other languages a sentence about Section 1 looks like a new beginning."""
    sections = numbered("第一节 水泵", "第二节 螺栓")
    chapters = [numbered(f"第{number}章 供水") for number in "一二三四五六七八"]
    text = "".join([*chapters[:2], sections, *chapters[2:5], sections, *chapters[5:]])
    assert sum("节" in title for _, title in outline(text)) == 4


@pytest.mark.parametrize(
    ("chapter", "title", "text"),
    [
        (
            "Розділ {} Умови",
            "Стаття {}. Мета",
            "Цей закон регулює відносини між продавцем і покупцем.",
        ),
        (
            "Capitolul {} Dispoziții",
            "Art. {}. Scopul",
            "Prezenta lege reglementează relațiile lor.",
        ),
        ("Hlava {} Obecné", "Článek {} Účel", "Tento zákon upravuje vztahy mezi nimi navzájem."),
        (
            "Bölüm {} Hükümler",
            "Madde {} - Amaç",
            "Bu kanun, alıcı ile satıcı arasındaki ilişkileri düzenler.",
        ),
        ("Κεφάλαιο {} Διατάξεις", "Άρθρο {} Σκοπός", "Ο νόμος ρυθμίζει τις σχέσεις τους."),
        (
            "Chương {} Quy định",
            "Điều {}. Phạm vi",
            "Luật này quy định quan hệ giữa người bán và mua.",
        ),
        ("BAB {} UMUM", "Pasal {} Tujuan", "Undang-undang ini mengatur hubungan antara mereka."),
        ("الفصل {} أحكام", "المادة {} الهدف", "تنظم هذه اللائحة العلاقة بين المورد والمشتري."),
        ("פרק {} הוראות", "סעיף {} מטרה", "חוק זה מסדיר את היחסים בין הספק לקונה."),
        ("제{}장 총칙", "제{}조 목적", "이 법은 공급자와 구매자의 관계를 정한다."),
    ],
)
def test_acts_of_many_languages_have_chapters_with_articles(
    chapter: str, title: str, text: str
) -> None:
    """An article whose text follows its number on the same line is not a heading."""
    label = title.rsplit(" ", 1)[0]
    with_titles = without = ""
    for part in (1, 2, 3):
        with_titles += f"{chapter.format(part)}\n\n"
        without += f"{chapter.format(part)}\n\n"
        for number in range(3 * part - 2, 3 * part + 1):
            with_titles += f"{title.format(number)}\n\n{text} {text}\n\n"
            without += f"{label.format(number)} {text}\n\n{text} {text}\n\n{text}\n\n"
    assert [level for level, _ in outline(with_titles)] == [1, 2, 2, 2] * 3
    assert [level for level, _ in outline(without)] == [1, 1, 1]
