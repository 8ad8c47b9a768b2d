"""Clauses form a tree in any text, and agree with the truth files of the corpus."""

import os
import random
from itertools import pairwise
from pathlib import Path

import clause_truth
import pytest
from clause_texts import blocks, numbers
from hypothesis import given
from hypothesis import strategies as st
from strategies import any_text, documents, generated

from treepack.clauses.clause import Clauses
from treepack.clauses.walk import find_clauses
from treepack.document.build import parse

CORPUS = os.environ.get("TREEPACK_CORPUS", "")
needs_corpus = pytest.mark.skipif(not CORPUS, reason="TREEPACK_CORPUS names no folder")


# -------------------------------------------------------------------- what always holds


def assert_clauses_form_a_tree(text: str) -> Clauses:
    """Assert that clauses are in source order, inside their parents, not before their section."""
    document = parse(text)
    clauses = find_clauses(document)
    sections = {section.id: section for section in document.root.walk()}
    assert all(one.start <= other.start for one, other in pairwise(clauses))
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


LABELS = ("1.", "2.", "(1)", "(2)", "(a)", "(b)", "(i)", "(ii)", "a)", "b)", "1.1", "1.2", "5.1.")
NAMES = ("Article 1", "Article 2", "§ 3", "Section 2", "ANNEX I", "Annex B", "Chapter II", "Part A")


@st.composite
def legal_texts(draw: st.DrawFn) -> str:
    """Labels of all kinds in any order, at any depth."""
    parts: list[str] = []
    for _ in range(draw(st.integers(1, 25))):
        label = draw(st.sampled_from(LABELS + NAMES))
        form = draw(
            st.sampled_from(["# {}", "## {} Title", "{}", "{} Text.", "- {} Text.", "1. {}"])
        )
        indent = " " * draw(st.sampled_from([0, 0, 0, 3, 4]))
        parts.append(indent + form.format(label))
    return blocks(*parts)


@given(legal_texts())
@generated
def test_clauses_form_a_tree_on_legal_text(text: str) -> None:
    assert_clauses_form_a_tree(text)


@given(st.one_of(documents(), any_text))
@generated
def test_clauses_form_a_tree_on_any_text(text: str) -> None:
    assert_clauses_form_a_tree(text)


@given(legal_texts(), st.randoms())
@generated
def test_the_deepest_clause_around_a_span_is_found(text: str, dice: random.Random) -> None:
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
    rows: list[str] = []

    def write(nodes: list[object], above: str, level: int) -> None:
        for position, node in enumerate(nodes, 1):
            number = f"{above}.{position}" if above else str(position)
            rows.append(f"{'#' * min(level, 6)} {number} Title")
            assert isinstance(node, list)
            write(node, number, level + 1)

    write(tree, "", 1)
    expected = [row.split()[1] for row in rows]
    found = numbers(blocks(*rows)) if rows else []
    assert found == (expected if len(tree) > 1 or any("." in n for n in expected) else [])


# -------------------------------------------------------------------- truth files


@needs_corpus
def test_requirement_ids_of_asvs_are_found() -> None:
    for figure in clause_truth.asvs_figures(Path(CORPUS)):
        assert figure.precision >= 0.99, figure
        assert figure.recall >= 0.99, figure


@needs_corpus
@pytest.mark.parametrize("name", ["gdpr", "ai-act"])
def test_articles_and_points_of_eu_acts_are_found(name: str) -> None:
    articles, points, recitals = clause_truth.eu_act_figures(Path(CORPUS), name)
    assert (articles.precision, articles.recall) == (1, 1), articles
    assert points.precision >= 0.98, points
    assert points.recall >= 0.95, points
    assert (recitals.precision, recitals.recall) == (1, 1), recitals


@needs_corpus
def test_articles_and_points_of_a_un_regulation_are_found() -> None:
    """Six of its notes are taken for points; for its annexes, see `clause_truth.table_ids`."""
    articles, points, _ = clause_truth.eu_act_figures(Path(CORPUS), "un-r155")
    assert (articles.precision, articles.recall) == (1, 1), articles
    assert points.precision >= 0.95, points
    assert points.recall >= 0.98, points


@needs_corpus
def test_printed_section_numbers_are_found() -> None:
    for figure in clause_truth.printed_number_figures(Path(CORPUS)):
        assert figure.precision >= 0.99, figure
        assert figure.recall >= 0.98, figure


@needs_corpus
@pytest.mark.parametrize("name", ["gg", "bdsg_2018", "stgb"])
def test_paths_of_german_law_are_exact(name: str) -> None:
    figure = clause_truth.german_law_figure(Path(CORPUS), name)
    assert figure.expected >= 32
    assert (figure.precision, figure.recall) == (1, 1), figure
