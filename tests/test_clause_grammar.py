"""The grammar of lines: which lines begin with a clause number, and which do not."""

import clause_truth
import pytest
from hypothesis import example, given
from strategies import any_text, generated

from treepack.numbers.clause_number import Place
from treepack.numbers.grammar import parse_clause
from treepack.numbers.words import chinese_value
from treepack.roman_numerals import roman_value

POSITIVE = clause_truth.positive_lines()
NEGATIVE = clause_truth.negative_lines()


@pytest.mark.parametrize(("kind", "parts", "line", "place"), POSITIVE)
def test_a_clause_number_is_read(kind: str, parts: str, line: str, place: Place) -> None:
    number = parse_clause(line, place)
    assert number is not None
    assert (number.kind, " ".join(number.parts)) == (kind, parts)


@pytest.mark.parametrize(("line", "place"), NEGATIVE)
def test_a_doubtful_line_is_not_read_as_a_clause(line: str, place: Place) -> None:
    """A false clause sends a reader to the wrong place; a missing one only widens the place."""
    assert parse_clause(line, place) is None


def test_there_are_at_least_300_labelled_lines_of_each_kind() -> None:
    assert len(POSITIVE) >= 300
    assert len(NEGATIVE) >= 300


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
def test_parse_clause_accepts_any_text(text: str) -> None:
    for place in ("heading", "text"):
        number = parse_clause(text, place)
        assert number is None or (number.parts and all(number.parts))


@pytest.mark.parametrize("value", range(1, 200))
def test_roman_numerals_below_200_have_their_value(value: int) -> None:
    tens = ("", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX", "XC")
    ones = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")
    numeral = "C" * (value // 100) + tens[value // 10 % 10] + ones[value % 10]
    assert roman_value(numeral) == roman_value(numeral.lower()) == value


@pytest.mark.parametrize("word", ["", "mix", "did", "civil", "livid", "IIII", "VX", "IC", "XM"])
def test_words_and_malformed_numerals_have_no_roman_value(word: str) -> None:
    assert roman_value(word) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("十", 10), ("十二", 12), ("二十", 20), ("一百二十", 120), ("7", 7), ("２０", 20)),
        *(("一百零五", 105), ("一千零二十", 1020), ("九千九百九十九", 9999), ("两百", 200)),
        *(("二〇", 20), ("一二", 12), ("一〇一", 101), ("二〇二四", 2024), ("12345", 12345)),
        *(("零", 0), ("0", 0), ("", None), ("一x", None), ("2十", None)),
    ],
)
def test_chinese_numerals_have_their_value(text: str, value: int | None) -> None:
    assert chinese_value(text) == value


@pytest.mark.parametrize(
    "number", ["5.1.2.1000", "5.1.2.3.1999", "45.20.1500", "5.32.1100", "5.1a.1500"]
)
def test_a_clause_number_with_a_high_last_component_is_not_a_date(
    number: str,
) -> None:
    assert parse_clause(f"{number} Limits", "heading") is not None
    assert parse_clause(f"{number} Limits", "text") is not None


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("10.7 Beta Products. The provider may end these.", "10.7"),
        ("10.7 Release Date", "10.7"),
        ("10.7 Version Control of documents", "10.7"),
        ("10.7 Release Candidate 1 is out", ""),
        ("10.7 Release", ""),
        ("10.7 Beta 3 is out", ""),
        ("10.7 beta is out", ""),
    ],
)
def test_a_version_word_begins_a_title_only_as_part_of_a_name(line: str, number: str) -> None:
    found = parse_clause(line)
    assert (found.label if found else "") == number


@pytest.mark.parametrize("title", ["「スナップショット」から", "《办法》的适用", "【重点】内容"])
def test_a_title_may_begin_with_an_east_asian_quotation_mark(title: str) -> None:
    found = parse_clause(f"3.3 {title}")
    assert found is not None
    assert found.parts == ("3", "3")
