"""Titles without markup: which lines are titles, which only look like titles, and their levels."""

import itertools
from pathlib import Path
from typing import Any

import pytest
from audits import findings_in
from case_files import case_table, parts_of
from function_calls import assert_linear
from title_texts import BODY, CONTENTS, MANUAL, PAGES, Written, outline, titled, written_titles

from treepack import pack, parse
from treepack.clauses.walk import find_clauses
from treepack.model.source import Source


@pytest.mark.parametrize("case", [*written_titles()])
def test_a_text_has_its_titles_and_its_chunks_keep_the_laws(case: Written) -> None:
    settings = case.settings
    markup: Any = settings.get("markup", "auto")
    source = Source(case.text, settings.get("name", ""), typography=tuple(case.typography))
    document = parse(source, markup=markup)
    assert outline(document) == case.outline
    headings = [each.heading for each in document.root.walk() if each.heading]
    spans = [case.text[heading.start : heading.end].strip() for heading in headings]
    assert spans == [line.strip() for line in case.lines]
    if "evidence" in settings:
        assert {heading.evidence for heading in headings} == {settings["evidence"]}
        if case.typography:
            assert all(settings["evidence"] in each.reason for each in document.outline_changes)
    if "levels" in settings:
        assert {str(heading.level) for heading in headings} == {*settings["levels"].split()}
    if "clauses" in settings:
        assert len(find_clauses(document)) == int(settings["clauses"])
    for cap in (32, 64, 256):
        chunks = pack(document, max_tokens=cap, target_tokens=cap // 2, min_tokens=8)
        assert findings_in(chunks) == ()


def test_outline_changes_list_each_found_title_with_its_reason() -> None:
    changes = parse(MANUAL).outline_changes
    assert (changes[2].line, changes[2].title) == (11, "2.1. Pump")
    assert (changes[2].old_level, changes[2].new_level) == (0, 2)
    assert changes[2].reason == "its number continues the previous ones"
    assert len(changes) == 6


def test_outline_trust_uses_markup_alone() -> None:
    assert outline(parse(MANUAL, outline="trust")) == []
    assert parse(PAGES, outline="trust").outline_changes == ()


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


def test_a_few_questions_in_a_long_speech_are_not_titles() -> None:
    question = "Who would watch tank {}?\n\n"
    parts = (BODY * 2 + "\n" + question.format(n) * (n % 60 == 0) for n in range(1, 241))
    assert outline("".join(parts)) == []


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


@pytest.mark.parametrize("label", ["ARTICLE {}", "Kapitel {}", "{}."])
@pytest.mark.parametrize("page", ["", " 4"])
def test_entries_of_contents_without_a_title_are_no_titles(label: str, page: str) -> None:
    titles = [f"{label.format(at)} {name}" for at, name in enumerate(PLAIN, 1)]
    entries = "\n\n".join(f"{title}{page}" for title in titles)
    text = f"These are the rules of the pump.\n\n{entries}\n\n{titled(*titles, body=BODY * 2)}"
    assert [title for _, title in outline(text)] == titles


CLAUSES = titled("1. Terms", "2. Delivery", "3. Price", "4. Warranty", "5. Law", body=BODY * 2)


@pytest.mark.parametrize("labels", case_table("titles", "annexes"))
def test_annexes_after_the_last_clause_are_beside_the_body(labels: list[str]) -> None:
    annexes = "".join(f"{label}\n\nPrices\n\n{BODY}\n" for label in labels)
    found = outline(f"SUPPLY AGREEMENT\n\n{BODY}\n{CLAUSES}{annexes}")
    (level,) = {level for level, title in found if title[0].isdigit()}
    last = found[-len(labels) :]
    assert [each for each, _ in last] == [level] * len(labels)
    assert all(title.startswith(of) for (_, title), of in zip(last, labels, strict=True))


@pytest.mark.parametrize("act", parts_of("acts.txt")[0][1])
def test_acts_of_many_languages_have_chapters_with_articles(act: str) -> None:
    """An article whose text follows its number on the same line is not a heading."""
    chapter, title, text = act.split(" | ")
    label = title.rsplit(" ", 1)[0]
    with_titles = without = ""
    for part in (1, 2, 3):
        with_titles, without = (f"{t}{chapter.format(part)}\n\n" for t in (with_titles, without))
        for number in range(3 * part - 2, 3 * part + 1):
            with_titles += f"{title.format(number)}\n\n{text} {text}\n\n"
            without += f"{label.format(number)} {text}\n\n{text} {text}\n\n{text}\n\n"
    assert [level for level, _ in outline(with_titles)] == [1, 2, 2, 2] * 3
    assert [level for level, _ in outline(without)] == [1, 1, 1]


LIQUIDS = ("wine", "beer", "milk", "juice", "tea")


def test_a_line_atop_only_two_nonadjacent_pages_is_not_page_furniture() -> None:
    def furniture(*headers: str) -> int:
        pages = [
            f"{header}\nWater {liquid} comes in.\nSome {liquid} stays.\n"
            f"Then {liquid} goes out again.\nNobody likes {liquid}.\nMost {liquid} is cold."
            for header, liquid in zip(headers, LIQUIDS, strict=True)
        ]
        skipped = parse("\f".join(pages)).skipped
        return sum(reason == "page furniture" for *_, reason in skipped)

    title = "WATER LICENCE"
    assert furniture(title, "The wine is good.", title, "The tea is good.", "It is over.") == 0
    assert furniture("So it begins.", title, title, "The tea is good.", "It is over.") > 0
    assert furniture(title, "The wine is good.", title, "The tea is good.", title) > 0


def test_rst_and_asciidoc_files_are_read_as_plain_text(tmp_path: Path) -> None:
    for suffix in ("rst", "adoc"):
        path = tmp_path / f"guide.{suffix}"
        path.write_text(titled("Guide\n=====", "Bolts\n-----", "Nuts\n----"))
        chunks = pack(path, max_tokens=64, target_tokens=64, min_tokens=8)
        assert chunks[-1].breadcrumb == (path.name, "Guide", "Nuts")
        assert "plain" == chunks[0].markup


def test_titles_are_found_in_linear_time() -> None:
    def work(size: int) -> None:
        titles = (f"{number}. Pump {number}" for number in range(1, size))
        assert parse(CONTENTS + titled(*titles, body=BODY * 2)).outline_changes

    assert_linear(work, 50)
