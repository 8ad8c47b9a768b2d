"""The numbers of clauses: cases with right values, laws on generated texts, and truth files."""

import os
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import clause_truth as truth
import laws
import pytest
from case_files import parts_of
from clause_texts import LAW_WORDS, blocks, numbered, numbers, references_of, table
from function_calls import assert_linear
from hypothesis import given
from hypothesis import strategies as st
from strategies import any_text, documents, generated

from treepack import audit, pack, parse
from treepack.clauses.clause import Clauses
from treepack.clauses.walk import find_clauses
from treepack.numbers.words import KIND_OF_WORD

CORPUS: Final = os.environ.get("TREEPACK_CORPUS", "")
needs_corpus = pytest.mark.skipif(not Path(CORPUS, "law").is_dir(), reason="needs TREEPACK_CORPUS")


def cases() -> Iterator[Any]:
    """A text and its numbers; in the file, a new line and ``¶`` stand for a blank line."""
    for at, (name, lines) in enumerate(parts_of("clauses.txt"), 1):
        text = "\n\n".join(line for line in lines if not line.startswith("->"))
        for sign, meaning in ((" ¶ ", "\n\n"), ("↵", "\n"), ("~", "\u00a0"), ("→", "\t")):
            text = text.replace(sign, meaning)
        expected = [line.removeprefix("->").strip() for line in lines if line.startswith("->")]
        yield pytest.param(text + "\n", " · ".join(expected), id=f"{at} {name}")


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(("text", "expected"), [*cases()])
def test_a_text_has_its_clauses(text: str, expected: str, line_end: str) -> None:
    assert " · ".join(numbers(text.replace("\n", line_end))) == expected


@pytest.mark.parametrize("cap", [64, 128])
@pytest.mark.parametrize(("text", "expected"), [*cases()])
def test_chunks_of_a_text_keep_the_laws(text: str, expected: str, cap: int) -> None:
    chunks = pack(text, max_tokens=cap, target_tokens=cap // 2, min_tokens=0)
    assert not audit(text, chunks).findings
    found = [number for chunk in chunks for number in chunk.clauses]
    assert " · ".join(found) == expected


def test_a_row_is_a_clause_below_its_section() -> None:
    text = f"# V2 Keys\n\n## V2.1 Words\n\n{table('Any', '2.1.1', '2.1.2')}\n"
    row = find_clauses(parse(text))[-1]
    assert row.path == ("V2", "V2.1", "2.1.2")
    assert text[row.start : row.end] == "| 2.1.2 | Do it. |"


@pytest.mark.parametrize("line", " ¦ ".join(truth.LINES["no clauses anywhere"]).split(" ¦ "))
def test_lookalikes_of_clause_numbers_are_not_clauses_anywhere(line: str) -> None:
    """This holds for a heading, a paragraph, a list item or a table cell in a legal document."""
    rows = table("Any", line, line)
    text = blocks(
        *("# Article 1", "Text.", line, f"- {line}", f"**{line}**", rows, f"## {line}", "Text.")
    )
    assert numbers(text) == ["1"]


# -------------------------------------------------------------------- letters and numerals


@pytest.mark.slow
def test_letters_are_distinguished_from_roman_numerals_in_random_lists() -> None:
    """A list never ends at (v) or (x), which look the same as the romans after (iv) and (ix)."""
    for seed in range(400):
        dice = random.Random(seed)  # noqa: S311 - the same each time
        form = dice.choice(("({})", "{})", "{}."))
        scheme = "roman" if form == "{}." else dice.choice(("roman", "double"))
        case = dice.choice((str.lower, str.upper)) if form != "{}." else str.lower
        lines, paths = ["# Article 5"], ["5"]
        for value in range(1, dice.choice([*range(1, 22), 23, 25, 26]) + 1):
            letter = case(chr(96 + value))
            lines.append(f"{form.format(letter)} words of it;")
            paths.append(f"5({letter})")
            for below in range(1, dice.choice((0, 0, 0, dice.randint(3, 8))) + 1):
                doubled = chr(96 + below) * 2
                inner = case(laws.roman(below).lower() if scheme == "roman" else doubled)
                lines.append(f"{form.format(inner)} words of it;")
                paths.append(f"5({letter})({inner})")
        assert numbers(blocks(*lines)) == paths, seed


# -------------------------------------------------------------------- acts


FERRIES: Final = "\n\n".join(dict(parts_of("legal_texts.txt"))["ferries"]) + "\n"


@pytest.mark.parametrize("separator", [".—", ".–", ".--", ". ", " "])
@pytest.mark.parametrize("newlines", ["\n", "\n\n"])
@pytest.mark.parametrize("title", ["{}", "**{}**", "## {}", "_{}_"])
def test_the_first_subsection_may_be_on_the_line_of_its_section(
    separator: str, newlines: str, title: str
) -> None:
    text = re.sub(r"\[(.*?)\]", lambda match: title.format(match[1]), FERRIES)
    text = text.replace("¦", separator).replace("¶", newlines)
    document = parse(text, name="ferries.md")
    assert [clause.number for clause in find_clauses(document)] == [
        *("1", "1(1)", "1(2)", "1(2)(a)", "1(2)(b)", "1(2)(b)(i)", "1(2)(b)(ii)", "1(3)"),
        *("2", "2(1)", "2(2)", "3"),
    ]
    targets = [reference.target for reference in references_of(document) if reference.section_id]
    assert targets == ["1(2)(b)", "2(2)"]


@pytest.mark.slow
def test_division_words_nest_in_the_order_that_the_law_uses() -> None:
    """Any order is possible, such as Parts in Chapters; the numbers show which one it is."""
    known = set(KIND_OF_WORD) - {"schedule", "anhang", "requirement"}
    tried = 0
    for seed in range(200):
        headings = laws.full_law(seed)
        labels = [" ".join(heading.title.split()[:2]) for heading in headings]
        words = {label.split()[0].casefold().rstrip(".") for label in labels}
        if not words <= known or len(labels) > 300:
            continue
        tried += 1
        text = blocks(*(f"{label}\n\nText of it stands here." for label in labels))
        depths = [len(clause.path) for clause in find_clauses(parse(text))]
        assert depths == [h.level - headings[0].level + 1 for h in headings], seed
    assert tried > 40


# -------------------------------------------------------------------- extents and paths


def assert_clauses_form_a_tree(text: str) -> Clauses:
    """Each clause lies inside its parent, begins in its section, and has its path."""
    document = parse(text)
    clauses = find_clauses(document)
    sections = {section.id: section for section in document.root.walk()}
    for index, clause in enumerate(clauses):
        assert 0 <= clause.start <= clause.end <= len(text)
        assert sections[clause.section_id].start <= clause.start
        assert clause.number
        if clause.parent is None:
            assert len(clause.path) == 1
            continue
        parent = clauses[clause.parent]
        assert clause.parent < index
        assert parent.start <= clause.start <= clause.end <= parent.end
        assert parent.path == clause.path[:-1]
    return clauses


LABELS = ("1.", "2.", "(1)", "(2)", "(a)", "(b)", "(i)", "(ii)", "a)", "b)", "1.1", "1.2", "(1.1)")
NAMES = ("Article 1", "Article 2", "§ 3", "Section 2", "ANNEX I", "Annex B", "Chapter II", "Part A")


@st.composite
def legal_texts(draw: st.DrawFn) -> str:
    """Labels of all kinds in any order, at any depth."""
    forms = ["# {}", "## {} Title", "{}", "{} Text.", "- {} Text.", "1. {}"]
    parts = [LAW_WORDS] if draw(st.booleans()) else []
    for _ in range(draw(st.integers(1, 25))):
        label = draw(st.sampled_from(LABELS + NAMES))
        indent = " " * draw(st.sampled_from([0, 0, 0, 3, 4]))
        parts.append(indent + draw(st.sampled_from(forms)).format(label))
    return blocks(*parts)


@given(st.one_of(legal_texts(), documents(), any_text), st.randoms())
@generated
def test_clauses_form_a_tree_and_the_deepest_around_a_span_is_found(
    text: str, dice: random.Random
) -> None:
    clauses = assert_clauses_form_a_tree(text)
    start = dice.randint(0, len(text))
    end = dice.randint(start, len(text))
    holding = [c for c in clauses if c.start <= start and end <= c.end]
    found = clauses.at(start, end)
    if found is None:
        assert not [c for c in holding if start < c.end]
    else:
        assert found in holding
        assert len(found.path) == max(len(c.path) for c in holding if c.start == found.start)


@given(st.recursive(st.just([]), lambda inner: st.lists(inner, max_size=4), max_leaves=20))
@generated
def test_a_numbered_outline_gives_exactly_its_numbers(tree: list[object]) -> None:
    """Headings that are numbered by their position in a tree give exactly these numbers."""
    expected = [*numbered(tree)]
    rows = [f"{'#' * min(number.count('.') + 1, 6)} {number} Title" for number in expected]
    found = numbers(blocks(*rows)) if rows else []
    assert found == (expected if len(tree) > 1 or any("." in n for n in expected) else [])


@pytest.mark.parametrize("label", ["(i)", "1.", "(a)", "1.1", "Article 1", "§ 1"])
def test_hostile_lists_take_linear_work(label: str) -> None:
    def work(size: int) -> None:
        numbers("# Article 1\n\n" + f"{label} Words of it are here.\n\n" * size)

    assert_linear(work, 100)


# -------------------------------------------------------------------- truth files


@needs_corpus
def test_the_truth_files_are_met() -> None:
    """Of the UN regulation, notes and ids in tables are taken for points."""
    corpus = Path(CORPUS)
    figures = [*truth.asvs_figures(corpus), *truth.printed_number_figures(corpus)]
    figures += [*truth.eu_act_figures(corpus, "gdpr"), *truth.eu_act_figures(corpus, "ai-act")]
    figures += [truth.german_law_figure(corpus, name) for name in ("gg", "bdsg_2018", "stgb")]
    for figure in figures:
        assert (figure.precision, figure.recall) == (1, 1), figure
    articles, points, _ = truth.eu_act_figures(corpus, "un-r155")
    assert (articles.precision, articles.recall) == (1, 1), articles
    assert points.precision >= 0.95, points
    assert points.recall >= 0.98, points
