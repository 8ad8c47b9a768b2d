"""The grammar of lines: which lines begin with a clause number, and which do not."""

import clause_truth
import pytest
from hypothesis import example, given
from strategies import any_text, generated

from treepack.numbers.grammar import parse_clause
from treepack.numbers.words import Place, chinese_value
from treepack.roman_numerals import roman_value


@pytest.mark.parametrize(("kind", "parts", "line", "place"), clause_truth.positive_lines())
def test_a_clause_number_is_read(kind: str, parts: str, line: str, place: Place) -> None:
    number = parse_clause(line, place)
    assert number is not None
    assert (number.kind, " ".join(number.parts)) == (kind, parts)


@pytest.mark.parametrize(("line", "place"), clause_truth.negative_lines())
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


@pytest.mark.parametrize(
    ("line", "label"),
    [
        ("10.7 Beta Products. The provider may end these.", "10.7"),
        ("10.7 Release Date", "10.7"),
        ("10.7 Version Control of documents", "10.7"),
        ("5.1.2.1000 Limits", "5.1.2.1000"),
        ("45.20.1500 Limits", "45.20.1500"),
        ("5.1a.1500 Limits", "5.1a.1500"),
        ("3.3 「スナップショット」から", "3.3"),
        ("3.3 【重点】内容", "3.3"),
        ("(1.1) Details", "(1.1)"),
        ("[1.2.3] Details", "[1.2.3]"),
        ("[1.2.3] - 2024-05-12", ""),
        ("(12.05.2024) Notes", ""),
        ("## 5.1 Scope", "5.1"),
        ("ARTICLE ONE", "ARTICLE ONE"),
        ("**The** First Schedule", "The First Schedule"),
        ("Schedule the First", "Schedule the First"),
        ("FÜNFTER TEIL", "FÜNFTER TEIL"),
        ("Article premier", "Article premier"),
        ("Título primero. De la paz", "Título primero"),
        ("First Section of the walk", ""),
        ("Second Part of my journey", ""),
        ("Erster Teil der Reise", ""),
        ("Article Two applies to all goods", ""),
        ("Part time work", ""),
    ],
)
def test_a_title_has_its_label(line: str, label: str) -> None:
    found = parse_clause(line)
    assert (found.label if found else "") == label


def test_roman_numerals_below_200_have_their_value() -> None:
    tens = ("", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX", "XC")
    ones = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")
    for value in range(1, 200):
        numeral = "C" * (value // 100) + tens[value // 10 % 10] + ones[value % 10]
        assert roman_value(numeral) == roman_value(numeral.lower()) == value
    for word in ("", "mix", "did", "civil", "livid", "IIII", "VX", "IC", "XM"):
        assert roman_value(word) is None, word


def test_chinese_numerals_have_their_value() -> None:
    values = {
        "十": 10,
        "十二": 12,
        "一百二十": 120,
        "7": 7,
        "一百零五": 105,
        "两百": 200,
        "二〇": 20,
    }
    for text, value in (values | {"一〇一": 101, "二〇二四": 2024}).items():
        assert chinese_value(text) == value, text
    assert [chinese_value(text) for text in ("", "一x", "2十")] == [None] * 3
