"""Sections, subsections, schedules and points in acts and codes of several countries."""

import laws
import pytest
from clause_texts import blocks, numbers, references_of

from treepack import PackConfig, audit, pack
from treepack.clauses.outline_rows import outline
from treepack.clauses.walk import find_clauses
from treepack.document.build import parse
from treepack.numbers.words import KIND_OF_WORD

EU_LAW = blocks(
    "# Regulation on toys",
    "## Recitals",
    "(1) Toys are played with.",
    "(2) Some are sharp.",
    "## CHAPTER I",
    "### Article 1 — Subject matter",
    "1.\u00a0\u00a0\u00a0This Regulation lays down rules.",
    "2.\u00a0\u00a0\u00a0It applies to:",
    "(a)",
    "toys of wood;",
    "(b)",
    "toys of tin:",
    "(i)",
    "painted;",
    "(ii)",
    "bare;",
    "(c)",
    "other toys.",
    "It does not apply to tools.",
    "3.\u00a0\u00a0\u00a0The rules are kept.",
    "### Article 2",
    "Toys are safe.",
    "(a)",
    "always;",
    "Done at Somewhere, 1 May.",
    "(1)",
    "A note on the sources.",
    "ANNEX I",
    "1. First point",
    "(a)",
    "under it",
    "2. Second point",
)


def test_labels_of_eu_law_in_separate_paragraphs_become_points() -> None:
    """454 labels of the AI Act are paragraphs, so a number must carry over to later paragraphs."""
    assert numbers(EU_LAW) == [
        *("Recital 1", "Recital 2", "Chapter I"),
        *("1", "1(1)", "1(2)", "1(2)(a)", "1(2)(b)", "1(2)(b)(i)", "1(2)(b)(ii)", "1(2)(c)"),
        *("1(3)", "2", "2(a)"),
        *("Annex I", "Annex I(1)", "Annex I(1)(a)", "Annex I(2)"),
    ]


def test_a_path_lists_all_labels_from_the_outermost_clause() -> None:
    clause = next(c for c in find_clauses(parse(EU_LAW)) if c.number == "1(2)(b)(ii)")
    assert clause.path == ("CHAPTER I", "Article 1", "2", "(b)", "(ii)")


def test_a_clause_ends_at_the_next_clause_of_its_level_or_above() -> None:
    found = {clause.number: clause for clause in find_clauses(parse(EU_LAW))}
    assert found["1(2)"].end == found["1(3)"].start
    assert found["1(2)(b)"].end == found["1(2)(c)"].start
    assert found["1(2)(b)(ii)"].end == found["1(2)(c)"].start
    assert found["1"].end <= found["2"].start


def test_paragraphs_numbers_and_letters_of_german_law_are_clauses() -> None:
    text = blocks(
        "# Spielzeuggesetz",
        "## Abschnitt 1 - Allgemeines",
        "### § 1 Zweck",
        "(1) Spielzeug ist",
        "1.  aus Holz,",
        "2.  aus Blech, und zwar\n\n    a)  bemalt,\n\n\n    b)  blank,",
        "2a. aus Papier,",
        "3.  aus Stoff.",
        "Werkzeug gehört nicht dazu.",
        "(1a) Eingefügtes gilt.",
        "(2) Satz.",
        "### § 2 (weggefallen)",
        "### § 3a Neues",
        "Ein Satz ohne Absatz.",
    )
    assert numbers(text) == [
        *("Abschnitt 1", "§ 1", "§ 1(1)", "§ 1(1)(1)", "§ 1(1)(2)"),
        *("§ 1(1)(2)(a)", "§ 1(1)(2)(b)", "§ 1(1)(2a)", "§ 1(1)(3)", "§ 1(1a)", "§ 1(2)"),
        *("§ 2", "§ 3a"),
    ]


def test_text_after_a_list_belongs_to_the_outer_clause() -> None:
    """Text after a list, at the outer level, belongs to the outer clause."""
    text = blocks(
        "### § 1 Zweck", "(1) Es gilt", "1.  dies,", "2.  das.", "Sonst nicht.", "(2) Ende."
    )
    found = {clause.number: clause for clause in find_clauses(parse(text))}
    offset = text.index("Sonst")
    assert found["§ 1(1)(2)"].end <= offset < found["§ 1(1)"].end


@pytest.mark.slow
def test_division_words_nest_in_the_order_that_the_law_uses() -> None:
    """Any order is possible, such as Parts in Chapters; the numbers show which one it is."""
    known = set(KIND_OF_WORD) - {"schedule", "anhang", "requirement"}
    tried = 0
    for seed in range(300):
        headings = laws.full_law(seed)
        labels = [" ".join(heading.title.split()[:2]) for heading in headings]
        words = {label.split()[0].casefold().rstrip(".") for label in labels}
        if not words <= known or len(labels) > 300:
            continue
        tried += 1
        text = blocks(*(f"{label}\n\nText of it stands here." for label in labels))
        depths = [len(clause.path) for clause in find_clauses(parse(text))]
        assert depths == [h.level - headings[0].level + 1 for h in headings], seed
    assert tried > 50


_SECTIONS_OF_AN_ACT = [
    ["1", "1(1)", "1(2)", "1(2)(a)", "1(2)(b)", "1(2)(b)(i)", "1(2)(b)(ii)", "1(3)"],
    ["2", "2(1)", "2(2)", "3"],
]


@pytest.mark.parametrize("separator", [".—", ".–", ".--", ". ", " "])
@pytest.mark.parametrize("newlines", ["\n", "\n\n"])
@pytest.mark.parametrize("title", ["{}", "**{}**", "## {}", "_{}_"])
def test_the_first_subsection_may_be_on_the_line_of_its_section(
    separator: str, newlines: str, title: str
) -> None:
    """The next subsections may be lines or paragraphs, below titles of any kind."""
    text = (
        f"# Ferries Act 2019\n\n{title.format('Duty to sail')}\n\n"
        f"1{separator}(1) The operator must keep each sailing.{newlines}"
        f"(2) A sailing may be left out—{newlines}(a) in a storm; or{newlines}"
        f"(b) where the operator—{newlines}(i) has no crew; and{newlines}"
        f"(ii) says so in time.{newlines}"
        f"(3) Subsection (2)(b) does not apply to a sailing under section 2(2).\n\n"
        f"{title.format('Fares')}\n\n"
        f"2{separator}(1) A fare is set each year.{newlines}(2) Children pay half.\n\n"
        f"{title.format('Short title')}\n\n3. This Act may be cited as the Ferries Act 2019.\n"
    )
    document = parse(text, name="ferries.md")
    found = {clause.number: clause for clause in find_clauses(document)}
    assert list(found) == [number for numbers in _SECTIONS_OF_AN_ACT for number in numbers]
    targets = [reference.target for reference in references_of(document) if reference.section_id]
    assert targets == ["1(2)(b)", "2(2)"]
    chunks = pack(text, PackConfig(max_tokens=48))
    assert not audit(text, chunks, PackConfig(max_tokens=48)).findings


@pytest.mark.parametrize("number", ["{}. {}.—", "{}. {}. ", "**{}** **{}**\n\n", "{}  {}\n"])
def test_the_title_of_a_section_may_follow_its_number(number: str) -> None:
    text = (
        "# Ferries Act 2019\n\nBe it enacted pursuant to the subsection below, notwithstanding any "
        "repealed enactment.\n\n"
        f"{number.format(1, 'Duty to sail')}(1) The operator must keep each sailing.\n\n"
        "(2) A sailing may be left out.\n\n"
        f"{number.format(2, 'Fares')}(1) A fare is set each year.\n\n(2) Children pay half.\n"
    )
    clauses = find_clauses(parse(text, name="ferries.md"))
    assert [clause.number for clause in clauses] == ["1", "1(1)", "1(2)", "2", "2(1)", "2(2)"]
    assert [clause.title for clause in clauses if clause.title] == ["Duty to sail", "Fares"]


def test_a_wrapped_line_that_begins_with_a_bracketed_number_is_not_a_clause() -> None:
    text = (
        "# Ferries Act 2019\n\n## Section 1\n\n(1) The operator must sail under subsections\n"
        "(2) and (3) and with the crew named in\n(4) or elsewhere.\n\n(2) A fare is set.\n"
    )
    assert [clause.number for clause in find_clauses(parse(text))] == ["1", "1(1)", "1(2)"]


def act_in_parts(name: str, mark: str, separator: str) -> str:
    rule = "The operator of a ferry must keep each sailing that a notice names."
    return (
        f"{name}\n\n{mark} PART 1\n\n1{separator}(1) {rule}\n\n"
        f"(2) {rule}\n\n2{separator}(1) {rule}\n\n"
        f"(2) {rule}\n\n{mark} PART 2\n\n3{separator}(1) {rule}\n\n"
        f"(2) Paragraph 1(2) of Schedule 1 applies.\n\n4. {rule}\n\n"
        f"{mark} SCHEDULE 1\n\n1{separator}(1) {rule}\n\n"
        f"(2) {rule}\n\n2{separator}(1) {rule}\n\n(2) As section 1(2) says.\n\n"
        f"{mark} SCHEDULE 2\n\n"
        f"1. {rule}\n\n2. This has effect under paragraph 2(1) of Schedule 1.\n"
    )


@pytest.mark.parametrize("mark", ["", "##"])
@pytest.mark.parametrize("separator", [".—", " "])
def test_sections_are_numbered_across_parts_and_restart_in_each_schedule(
    mark: str, separator: str
) -> None:
    document = parse(act_in_parts("# Ferries Act 2019", mark, separator), name="ferries.md")
    assert [clause.number for clause in find_clauses(document)] == [
        *("Part 1", "1", "1(1)", "1(2)", "2", "2(1)", "2(2)"),
        *("Part 2", "3", "3(1)", "3(2)", "4"),
        *("Schedule 1", "Schedule 1(1)", "Schedule 1(1)(1)", "Schedule 1(1)(2)"),
        *("Schedule 1(2)", "Schedule 1(2)(1)", "Schedule 1(2)(2)"),
        *("Schedule 2", "Schedule 2(1)", "Schedule 2(2)"),
    ]
    targets = [found.target for found in references_of(document) if "(" in found.text]
    assert targets == ["Schedule 1(1)(2)", "1(2)", "Schedule 1(2)(1)"]
    text = document.source.text
    assert not audit(
        text, pack(text, PackConfig(max_tokens=64)), PackConfig(max_tokens=64)
    ).findings


@pytest.mark.parametrize("mark", ["", "## ", "# ", "**"])
def test_a_schedule_is_not_nested_below_the_last_article(mark: str) -> None:
    end = mark.strip() if mark == "**" else ""
    heads = [f"{mark}{name}{end}" for name in ("Article 1", "Article 2", "SCHEDULE 1")]
    text = (
        f"# Convention on buoys\n\n{heads[0]}\n\nEach party keeps buoys.\n\n{heads[1]}\n\n"
        f"They are painted.\n\n{heads[2]}\n\n1 (1) A buoy is red.\n\n(2) A bell is loud.\n"
    )
    document = parse(text, name="buoys.md")
    lines = outline(document, find_clauses(document)).splitlines()
    depths = {
        line.strip().partition(" (")[0]: len(line) - len(line.lstrip())
        for line in lines
        if line.strip().startswith(("Article", "SCHEDULE"))
    }
    assert set(depths) == {"Article 1", "Article 2", "SCHEDULE 1"}
    assert len(set(depths.values())) == 1


_FRENCH_CODE = (
    "# Code des phares\n\n## Titre Ier : Règles\n\n### Chapitre Ier : Définitions\n\n"
    "#### Article L. 121-1\n\nAu sens du présent titre, on entend par « phare » une tour "
    "qui est :\n\n1° Munie d'une lumière ;{newlines}2° Placée :{newlines}a) à terre ; ou{newlines}"
    "b) en mer.\n\n#### Article L. 121-2\n\nLe gardien veille, selon l'article L. 121-1.\n\n"
    "### Chapitre II : Sanctions\n\n#### Article R. 122-1\n\nUne température de\n"
    "90° Celsius suffit. Voir les articles L. 121-2 et R. 122-1.\n"
)


@pytest.mark.parametrize("newlines", ["\n", "\n\n"])
def test_divisions_points_and_references_of_a_french_code_are_recognised(newlines: str) -> None:
    text = _FRENCH_CODE.format(newlines=newlines)
    document = parse(text, name="phares.md")
    assert [clause.number for clause in find_clauses(document)] == [
        *("Titre Ier", "Chapitre Ier", "L. 121-1", "L. 121-1(1°)", "L. 121-1(2°)"),
        *("L. 121-1(2°)(a)", "L. 121-1(2°)(b)", "L. 121-2", "Chapitre II", "R. 122-1"),
    ]
    found = [(each.target, each.section_id is not None) for each in references_of(document)]
    assert found == [("L. 121-1", True), ("L. 121-2", True), ("R. 122-1", True)]
    assert not audit(
        text, pack(text, PackConfig(max_tokens=64)), PackConfig(max_tokens=64)
    ).findings
