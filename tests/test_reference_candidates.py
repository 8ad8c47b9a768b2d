"""Where a reference may appear: a quick scan of the text finds what a slow pattern finds."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import any_text, documents, generated

from treepack.references import candidates as module
from treepack.references.candidates import find_candidates, start_of_words

BLANK = r"[ \t\r\n>\u00a0\u202f]"
BEFORE = rf"(?:[^\W\d_]|[.]|{BLANK}){BLANK}"
NUMBER = re.compile(
    rf"[0-9A-Z](?<!\n\n.)(?:(?<={BEFORE}[0-9])|(?<={BEFORE}[A-Z])"
    r"(?:\b|[A-Z]?\.\d|(?<=[IVXLC])[IVXLC]{1,6}\b|(?<=V)\d))"
)
"""The slow pattern: a number after a word and whitespace that does not end in a blank line."""

WORDS = ("Article", "see", "§", "Sec.", "Anhänge", "gemäß", "siehe auch", "the", "TABLE", "in", "x")
BLANKS = (" ", "\u00a0", "\u202f", "\n", "\r\n", "\n> ", "  \n   ", "\n ", "", "\n\n")
NUMBERS = (
    "5",
    "5.1.2",
    "12a",
    "A",
    "A.2",
    "AI.2.1",
    "IV",
    "VIII",
    "V2.1",
    "AB",
    "API",
    "I",
    "Z.1",
    "[7]",
)
AFTER = ("", " ", ".", ",", "\u2014", "x", "日", ")", "\n")
PIECES = st.lists(
    st.tuples(*map(st.sampled_from, (WORDS, BLANKS, NUMBERS, AFTER))).map("".join)
).map(" ".join)


@generated
@given(st.one_of(PIECES, any_text, documents()))
@example("Table V2, Table C1, Article AB, Article AI, Article AI.2, Part XIV")
@example("Article\n\n5, Article\n\n 5, Annex\n\nA")
@example("Annex A–B, Article\u202f5")
def test_the_quick_scan_finds_the_same_cited_numbers_as_the_slow_pattern(text: str) -> None:
    def is_cited(place: int) -> bool:
        return start_of_words(text, place, 0, len(text)) is not None

    numbers = {match.start() for match in NUMBER.finditer(text)}
    places = {
        place for place in find_candidates(text) if text[place].isalnum() and text[place] != "第"
    }
    assert set(filter(is_cited, places)) == set(filter(is_cited, numbers))


@generated
@given(st.one_of(PIECES, any_text))
def test_candidates_are_sorted_and_unique(text: str) -> None:
    places = find_candidates(text)
    assert places == sorted(set(places))


@pytest.mark.parametrize("at_once", [30, 1 << 17])
def test_numbers_in_literal_spans_are_not_places(
    at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_WINDOW", at_once)
    text = "Article 5, `Article 6`, Article 7, `Article 8` and Article 9"
    code = [match.span() for match in re.finditer("`[^`]*`", text)]
    assert [text[place] for place in find_candidates(text, code)] == ["5", "7", "9"]


@generated
@given(st.sampled_from(("Article", "see", "Sec.")), st.sampled_from(BLANKS[:8]), any_text)
def test_the_words_before_a_number_are_found_across_any_whitespace(
    word: str, spaces: str, before: str
) -> None:
    text = f"{before} {word}{spaces}5.1"
    place = len(text) - len("5.1")
    assert place in find_candidates(text)
    assert start_of_words(text, place, 0, len(text)) == place - len(spaces) - len(word)


def test_words_of_the_previous_reference_are_not_used_again() -> None:
    text = "see Article 5.1"
    place = text.index("5")
    assert start_of_words(text, place, 0, len(text)) == text.index("Article")
    assert start_of_words(text, place, text.index("le"), len(text)) is None


def test_a_cue_needs_a_dotted_number() -> None:
    for text, start in (("see 5.1", 0), ("see 5", None), ("see [5.1]", 0), ("see [5]", None)):
        assert start_of_words(text, len("see "), 0, len(text)) == start


@generated
@given(any_text, st.integers(1, 9))
@example("See Table IV and clause 3, see A.2 of B.1", 5)
@example("see XVIIIa x", 5)
def test_candidates_do_not_depend_on_how_much_is_scanned_at_once(text: str, length: int) -> None:
    whole = find_candidates(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_WINDOW", length)
        assert find_candidates(text) == whole
