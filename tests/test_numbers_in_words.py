"""Numbers in words in English, German, French and Spanish: ``Article One``, ``Erster Teil``."""

import pytest
from clause_texts import blocks, numbers

from treepack import pack
from treepack.numbers.grammar import parse_clause


@pytest.mark.parametrize(
    ("title", "kind", "label", "part"),
    [
        ("ARTICLE ONE", "article", "ARTICLE ONE", "1"),
        ("Part Two: The parties", "part", "Part Two", "2"),
        ("**The** First Schedule", "annex", "The First Schedule", "1"),
        ("Schedule the First", "annex", "Schedule the First", "1"),
        ("Erster Abschnitt Allgemeines", "section", "Erster Abschnitt", "1"),
        ("FÜNFTER TEIL", "part", "FÜNFTER TEIL", "5"),
        ("Article premier", "article", "Article premier", "1"),
        ("CHAPITRE DEUXIEME - Des peines", "chapter", "CHAPITRE DEUXIEME", "2"),
        ("Título primero. De la paz", "title", "Título primero", "1"),
        ("CAPÍTULO SEGUNDO", "chapter", "CAPÍTULO SEGUNDO", "2"),
    ],
)
def test_labels_with_numbers_in_words_are_read(
    title: str, kind: str, label: str, part: str
) -> None:
    number = parse_clause(title)
    assert number is not None
    assert (number.kind, number.label, number.parts) == (kind, label, (part,))


@pytest.mark.parametrize(
    "text",
    [
        "First Section of the walk",
        "Second Part of my journey",
        "Third - party goods",
        "Erster Teil der Reise",
        "Article Two applies to all goods",
        "Part time work",
    ],
)
def test_phrases_with_number_words_are_not_labels(text: str) -> None:
    assert parse_clause(text) is None
    assert parse_clause(text, "text") is None


def test_articles_in_words_contain_their_sections_and_are_found() -> None:
    """Schedules begin their own numbering."""
    text = blocks(
        *("# Lamps Act", "ARTICLE ONE", "1.1 The seller delivers.", "ARTICLE TWO"),
        *("2.1 The buyer pays.", "# FIRST SCHEDULE", "1. Red.", "# SECOND SCHEDULE", "1. Blue."),
    )
    assert numbers(text)[:5] == ["One", "1.1", "Two", "2.1", "First Schedule"]
    assert numbers(text)[5:] == ["Second Schedule", "Second Schedule(1)"]
    (chunk,) = pack(text, sections="pack").find("the First Schedule")[:1]
    assert "1. Red." in chunk.text
