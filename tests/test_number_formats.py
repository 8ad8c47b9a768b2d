"""How Word writes numbers in words and in Chinese."""

import pytest

from treepack.readers.docx.number_formats import cardinal_words, chinese, ordinal_words


@pytest.mark.parametrize(
    ("value", "cardinal", "ordinal"),
    [
        (0, "Zero", "Zeroth"),
        (8, "Eight", "Eighth"),
        (20, "Twenty", "Twentieth"),
        (21, "Twenty-One", "Twenty-First"),
        (100, "One Hundred", "One Hundredth"),
        (4_012, "Four Thousand Twelve", "Four Thousand Twelfth"),
        (10**9, "1000000000", "1000000000th"),
    ],
)
def test_numbers_are_written_in_words_up_to_a_size(value: int, cardinal: str, ordinal: str) -> None:
    assert (cardinal, ordinal) == (cardinal_words(value), ordinal_words(value))


@pytest.mark.parametrize(
    ("value", "written"),
    [(0, "〇"), (3, "三"), (10, "十"), (12, "十二"), (20, "二十"), (101, "一百〇一"),
     (1_001, "一千〇一"), (10**9, "1000000000")],
)  # fmt: skip
def test_chinese_numerals_write_a_zero_for_a_gap(value: int, written: str) -> None:
    assert written == chinese(value)
