"""The grammar of lines: which lines begin with a clause number, and which do not."""

import laws
import pytest
from case_files import pairs_of
from clause_truth import labelled_lines
from hypothesis import example, given
from strategies import any_text, generated

from treepack.numbers.grammar import parse_clause
from treepack.numbers.words import Place, chinese_value, roman_value


@pytest.mark.parametrize(("row", "place"), labelled_lines("clauses"))
def test_a_clause_number_is_read(row: str, place: Place) -> None:
    kind, parts, line = row.split(" | ", 2)
    number = parse_clause(line, place)
    assert number is not None
    assert (number.kind, " ".join(number.parts)) == (kind, parts)


@pytest.mark.parametrize(("line", "place"), labelled_lines("no clauses"))
def test_a_doubtful_line_is_not_read_as_a_clause(line: str, place: Place) -> None:
    """A false clause sends a reader to the wrong place; a missing one only widens the place."""
    assert parse_clause(line, place) is None


@given(any_text)
@generated
@example("1" * 5000)
@example("1." * 5000)
@example("(" * 5000)
@example("Article " * 2000)
@example("**" * 4000 + "1")
@example("<a" * 3000)
@example("٣.٤ نص")
@example("²")
def test_any_text_is_accepted(text: str) -> None:
    for place in ("heading", "text"):
        number = parse_clause(text, place)
        assert number is None or (number.parts and all(number.parts))


@pytest.mark.parametrize(("line", "label"), pairs_of("clause_titles.txt", "the label of a title"))
def test_a_title_has_its_label(line: str, label: str) -> None:
    found = parse_clause(line)
    assert (found.label if found else "") == label


def test_roman_numerals_below_200_have_their_value() -> None:
    for value in range(1, 200):
        numeral = laws.roman(value)
        assert roman_value(numeral) == roman_value(numeral.lower()) == value
    for word in ("", "mix", "did", "civil", "livid", "IIII", "VX", "IC", "XM"):
        assert roman_value(word) is None, word


def test_chinese_numerals_have_their_value() -> None:
    values = {"十": 10, "十二": 12, "一百二十": 120, "7": 7, "一百零五": 105, "两百": 200}
    for text, value in (values | {"二〇": 20, "一〇一": 101, "二〇二四": 2024}).items():
        assert chinese_value(text) == value, text
    assert [chinese_value(text) for text in ("", "一x", "2十")] == [None] * 3
