"""The quicker pattern of an encoding cuts a text into the same words as tiktoken's own."""

from functools import cache

import pytest
import regex
from case_files import case_table
from hypothesis import example, given
from hypothesis import strategies as st

from treepack.tokens.vocabulary import BUNDLED, definition_of, quick_pattern

NAMES = ("cl100k_base", "o200k_base")

PIECES = case_table("patterns", "pieces")
texts = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


@cache
def official_pattern(name: str) -> str:
    """Return the pattern that comes with tiktoken."""
    pattern = definition_of(name)["pat_str"]
    assert isinstance(pattern, str)
    return pattern


@pytest.mark.parametrize("name", NAMES)
@given(text=texts | st.text(max_size=60))
@example(text="two  blanks before   a word,  a mark  , a number  1 and the end  ")
@example(text="  \n  \n\n   indented\n \t tabs\r\n\r\n   \n")
@example(text="'s it's ''s 'sit 'x' don'T\u017f 'LL 'v")
def test_both_patterns_cut_a_text_into_the_same_words(name: str, text: str) -> None:
    pattern = official_pattern(name)
    words = regex.findall(quick_pattern(pattern), text)
    assert words == regex.findall(pattern, text)
    assert "".join(words) == text


@pytest.mark.parametrize("name", BUNDLED)
def test_each_bundled_encoding_has_a_quick_pattern(name: str) -> None:
    """A tiktoken that changes a pattern must be noticed, because the proof has to be redone."""
    pattern = official_pattern(name)
    assert quick_pattern(pattern) != pattern
    assert quick_pattern(pattern).startswith("(?:")
