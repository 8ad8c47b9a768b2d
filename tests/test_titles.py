"""Titles without markup: which lines are titles, and which only look like titles."""

import itertools

import pytest
from function_calls import assert_linear
from title_texts import BODY, CONTENTS, MANUAL, PAGES, outline, titled

from treepack import parse
from treepack.clauses.walk import find_clauses
from treepack.model.source import Source

# -------------------------------------------------------------------- what is found


def test_consecutive_numbers_are_titles_at_the_level_of_their_depth() -> None:
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
def test_chapters_in_many_languages_contain_the_numbered_sections_below(
    first: str, second: str
) -> None:
    text = "".join(titled(first.format(n), second.format(n)) for n in range(1, 5))
    depths = [depth for depth, _ in outline(text)]
    assert depths == [1, 2] * 4


def test_the_line_below_a_label_is_its_title() -> None:
    text = titled("ARTICLE I\nDEFINITIONS", "ARTICLE II\nTERM", "ARTICLE III\nFEES")
    assert outline(text)[0] == (1, "ARTICLE I DEFINITIONS")


def test_a_title_directly_above_its_text_splits_the_paragraph() -> None:
    """PDF loaders give text without blank lines."""
    text = MANUAL.replace("\n\n", "\n")
    assert [title for _, title in outline(text)][:3] == ["1. Scope", "2. Parts", "2.1. Pump"]
    section = parse(text).root.sections[0]
    assert text[section.blocks[0].start :].startswith("The pump")


def test_numbers_may_restart_in_each_part() -> None:
    text = titled(
        "Part 1 - Water",
        "Chapter 1 - Wells",
        "Chapter 2 - Pipes",
        "Part 2 - Air",
        "Chapter 1 - Fans",
    )
    text += titled("Chapter 2 - Ducts", "Part 3 - Fire", "Chapter 1 - Ovens")
    depths = {title: depth for depth, title in outline(text)}
    assert depths["Chapter 1 - Fans"] == depths["Chapter 1 - Ovens"] == depths["Part 2 - Air"] + 1


def test_a_table_of_contents_names_titles_and_its_entries_are_not_titles() -> None:
    text = CONTENTS + titled("Preface", "1 Water", "2 Air", "Words of thanks", "Index")
    found = [title for _, title in outline(text)]
    assert found == ["Contents", "Preface", "1 Water", "2 Air", "Words of thanks", "Index"]
    assert text[: parse(text).root.sections[1].start].count(" . . ") > 4


def test_outline_changes_list_each_found_title_with_its_reason() -> None:
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


def test_a_found_title_has_the_span_of_its_line_and_its_evidence() -> None:
    heading = parse(MANUAL).root.sections[0].heading
    assert heading is not None
    assert (MANUAL[heading.start : heading.end], heading.evidence) == ("1. Scope", "number")


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
        ("", BODY * 2, titled("Appendix A. Pipes", "Appendix B. Tanks")),
        (titled("Water Works"), f"{LONG[:400]}.\n", ""),
    ],
    ids=["wrapped", "long lines", "short first", "much code", "appendices", "short sections"],
)
def test_isolated_lines_above_text_are_titles(above: str, body: str, below: str) -> None:
    found = [title for _, title in outline(f"{above}{titled(*PLAIN, body=body)}{below}")]
    assert [title for title in found if title in PLAIN] == [*PLAIN]


def nested_outline(*numberings: str) -> list[tuple[int, str]]:
    """Return depths and titles of a nested outline: three per level, numbered anew under each."""
    marks = {"I": "I II III", "A": "A B C", "1": "1 2 3", "Part A": "A B C", "Chapter 1": "1 2 3"}
    found: list[tuple[int, str]] = []
    words = itertools.cycle(("Water Supply", "Filter Care", "Spare Parts", "Winter Storage"))

    def add(depth: int) -> None:
        for mark in marks[numberings[depth]].split() if depth < len(numberings) else ():
            word = numberings[depth].rpartition(" ")[0]
            found.append((depth + 1, f"{word} {mark}. {next(words)}".strip()))
            add(depth + 1)

    add(0)
    return found


@pytest.mark.parametrize("mark", ["", "## ", "**"])
@pytest.mark.parametrize(
    "numberings",
    ["I/A", "I/1", "A/1", "1/A", "I/A/1", "Part A/1", "Chapter 1/A", "Chapter 1/I/A"],
)
def test_restarting_numbers_are_nested_below_the_numbers_around_them(
    numberings: str, mark: str
) -> None:
    expected = nested_outline(*numberings.split("/"))
    closing = mark if mark == "**" else ""
    text = titled(*(f"{mark}{title}{closing}" for _, title in expected), body=BODY * 2)
    assert outline(text) == expected


@pytest.mark.parametrize("word", ["", "Part "])
def test_letters_that_are_also_roman_numerals_continue_the_alphabet(word: str) -> None:
    words = zip("ABCDEFGHIJKLM", PLAIN * 3, strict=False)
    letters = [f"{word}{letter}. {title}" for letter, title in words]
    assert outline(titled(*letters, body=BODY * 3)) == [(1, title) for title in letters]


def test_letters_after_numbers_are_annexes() -> None:
    titles = ["1. Water", "2. Air", "3. Fire", "A. Pumps", "B. Fans"]
    assert outline(titled(*titles, body=BODY * 3)) == [(1, title) for title in titles]
    own = ["1. Size", "2. Speed"]
    text = titled(*(f"**{title}**" for title in [*titles[:4], *own]), body=BODY * 3)
    assert outline(text) == [*((1, title) for title in titles[:4]), *((2, title) for title in own)]


def test_isolated_questions_above_their_answers_are_titles() -> None:
    questions = ("What moves the water?", "Do I have to watch it?", "Who looks at the filter?")
    assert [title for _, title in outline(titled(*questions, body=BODY * 2))] == [*questions]


@pytest.mark.parametrize("escape", ["", "\\"])
def test_table_of_contents_entries_without_page_numbers_are_not_titles(escape: str) -> None:
    names = ("Scope", "Parts", "Use", "Care", "Spares")
    entries = "".join(f"{at}{escape}. {name}\n\n" for at, name in enumerate(names, 1))
    titles = [f"{at} {name}" for at, name in enumerate(names, 1)]
    text = f"Table of Contents\n\n{entries}{titled(*titles)}"
    assert [title for _, title in outline(text)] == ["Table of Contents", *titles]


@pytest.mark.parametrize("label", ["ARTICLE {}", "Kapitel {}", "{}."])
@pytest.mark.parametrize("page", ["", " 4"])
def test_entries_of_contents_without_a_title_are_no_titles(label: str, page: str) -> None:
    names = ("Scope", "Parts", "Use", "Care", "Spares")
    titles = [f"{label.format(at)} {name}" for at, name in enumerate(names, 1)]
    entries = "\n\n".join(f"{title}{page}" for title in titles)
    text = f"These are the rules of the pump.\n\n{entries}\n\n{titled(*titles, body=BODY * 2)}"
    assert [title for _, title in outline(text)] == titles


# -------------------------------------------------------------------- what is not a title


BARS = titled("Name | Type | Sense", "Place | Type | Sense", "Size | Type | Sense", body=BODY * 2)


TABS = titled(
    "Ada Byron\tPumps", "Bob Cyd\tPipes and tanks", "Eve Fay\tAll the rest", body=BODY * 2
)


CAPTIONS = titled(
    "Bild 1 - Stufen", "Fig 2 - Ways of the water", "Figura 3 - Niveles", body=BODY * 2
)


AGAIN = titled(*["Later Work"] * 6, body=BODY * 2)


VALUES = titled("Return type: Page", "Return type: Outline", "Return type: Matrix", body=BODY * 2)


FEW = MANUAL + titled("Water Supply", "Filter Care", "Spare Parts", body=BODY * 2)


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
def test_prose_steps_logs_poems_tables_code_and_mail_have_no_titles(text: str) -> None:
    assert outline(text) == []


@pytest.mark.parametrize("text", [BARS, TABS, CAPTIONS, AGAIN, LABELS, SPEECH, VALUES])
def test_rows_repeated_lines_labels_and_few_questions_are_not_titles(text: str) -> None:
    assert outline(text) == []


CROWDED = (
    "The pump moves water from the lower tank to the upper one, and stops by\n"
    "itself when that tank is full. Nobody has to watch it, although somebody\n"
    "should look at the filter each week, and clean it if it is not clear.\n"
)


def test_a_few_isolated_lines_are_not_titles_if_most_titles_are_numbered() -> None:
    assert outline(FEW) == outline(MANUAL)


def test_outline_trust_uses_markup_alone() -> None:
    assert outline(parse(MANUAL, outline="trust")) == []
    assert parse(PAGES, outline="trust").outline_changes == ()


# -------------------------------------------------------------------- cost


def test_titles_are_found_in_linear_time() -> None:
    def work(size: int) -> None:
        titles = (f"{number}. Pump {number}" for number in range(1, size))
        assert parse(CONTENTS + titled(*titles, body=BODY * 2)).outline_changes

    assert_linear(work, 50)


def test_numbered_titles_above_long_unwrapped_paragraphs_are_headings() -> None:
    names = ("Position and Scope", "Work Schedule", "Start Date", "Base Salary", "Bonus")
    text = " ".join(["The keeper is told the days and the hours by the office of the port."] * 6)
    lines = [f"{number}. {name}\n\n{text}\n" for number, name in enumerate(names, 1)]
    document = parse(Source("Offer Letter\n\n" + "\n".join(lines), "offer.txt"))
    assert [clause.title for clause in find_clauses(document)] == list(names)


def test_numbered_steps_with_short_texts_are_not_headings() -> None:
    names = ("Open the lid", "Turn the key", "Light the lamp", "Close the lid", "Lock it")
    lines = [f"{n}. {name}\n\nUse both hands for this.\n" for n, name in enumerate(names, 1)]
    assert not find_clauses(parse(Source("The lamp\n\n" + "\n".join(lines), "steps.txt")))


# -------------------------------------------------------------------- annexes, versions, records

CLAUSES = titled("1. Terms", "2. Delivery", "3. Price", "4. Warranty", "5. Law", body=BODY * 2)


@pytest.mark.parametrize(
    "labels",
    [
        *(("Appendix 1",), ("ANNEX I",), ("EXHIBIT A",), ("THE SCHEDULE",), ("Anlage (zu § 2)",)),
        *(("Anexo I",), ("Annexe 1",), ("Anhang zu § 3",), ("Schedule 1", "Schedule 2")),
        *(("ANNEX I", "ANNEX II", "ANNEX III"), ("Annex A", "Annex B", "Annex C")),
    ],
)
def test_annexes_after_the_last_clause_are_beside_the_body(labels: tuple[str, ...]) -> None:
    annexes = "".join(f"{label}\n\nPrices\n\n{BODY}\n" for label in labels)
    found = outline(f"SUPPLY AGREEMENT\n\n{BODY}\n{CLAUSES}{annexes}")
    (level,) = {level for level, title in found if title[0].isdigit()}
    assert [each for each, _ in found[-len(labels) :]] == [level] * len(labels)
    pairs = zip(found[-len(labels) :], labels, strict=True)
    assert all(title.startswith(label) for (_, title), label in pairs)


def test_versions_of_amended_points_are_no_titles() -> None:
    points = "".join(
        f"{n} - the rule {n} holds everywhere;\n\n{n} - it holds here;   (As amended by Act 5)\n\n"
        for n in ("I", "II", "III")
    )
    acts = "".join(
        f"Art. {n} The lamp is lit at night, as follows:\n\n{points}" for n in range(1, 9)
    )
    assert not [title for _, title in outline(acts) if "hold" in title]


@pytest.mark.parametrize("rule", ["-----", "====="])
@pytest.mark.parametrize(
    "record",
    [
        "第{}条记录：这盏灯在第1号桥上。\n它每天晚上亮到早上。",
        "질문: 등불 {}번을 어떻게 닦습니까? 마른 천으로 닦으세요.",
        "दीपक {} साफ करें। सूखे कपड़े से पोंछें।",
        "Lamp {} is lit at night.\nIt is put out in the morning.",
    ],
)
def test_records_above_rules_are_no_headings(record: str, rule: str) -> None:
    text = "".join(f"{record.format(n)}\n{rule}\n" for n in range(8))
    assert outline(parse(text, markup="markdown")) == []
