"""Titles in plain text books, which have more blank lines above a title than above a paragraph."""

import re

import pytest

from treepack import Source, parse

PARAGRAPH = (
    "The pump moves water from the well to the tank above\n"
    "the house, and it stops as soon as the float in the\n"
    "tank has risen. Its motor needs no care.\n"
)
PARAGRAPHS = f"{PARAGRAPH}\n" * 14


def book(*chapters: str) -> str:
    """Paragraphs, and chapters that each have four blank lines above."""
    return PARAGRAPHS + "".join(f"\n\n\n{chapter}\n\n\n{PARAGRAPHS}" for chapter in chapters)


def headings_with_levels(text: str) -> list[tuple[int, str]]:
    """The level and the text of each heading of a text file."""
    root = parse(Source(text, "book.txt")).root
    return [(found.heading.level, found.heading.text) for found in root.walk() if found.heading]


def titles(text: str) -> list[str]:
    """The headings of a text file."""
    return [text for _, text in headings_with_levels(text)]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_below_wider_gaps_than_paragraphs_are_titles(end: str) -> None:
    text = book("The first winter", "Of ice and rust.", "“Water at last”", "_Of the tank_")
    found = ["The first winter", "Of ice and rust.", "“Water at last”", "Of the tank"]
    assert titles(text.replace("\n", end)) == found
    assert "Of ice and rust." not in titles(re.sub("\n{3,}", "\n\n", text))


def test_only_two_lines_below_wide_gaps_are_not_titles() -> None:
    assert not titles(book("Of ice.", "Of rust."))


@pytest.mark.parametrize(
    "line",
    [
        "Ice, 12, 15",
        "ICE, n. What the pump fears.",
        "Published March, 1909",
        "Copyright 1909 by the Pumps",
        "He saw that it was full",
        "and then the rust",
        f"Of the rust{' of the rust' * 6}",
        f"A line that has another one below\n{PARAGRAPH}",
    ],
)
def test_ordinary_text_below_wide_gaps_is_not_a_title(line: str) -> None:
    found = ["Of ice.", "Of rust.", "Of water."]
    assert titles(book("Of ice.", line, "Of rust.", "Of water.")) == found


def test_wide_gaps_that_are_too_frequent_mark_no_titles() -> None:
    text = book("Of ice.", "Of rust.", "Of water.")
    assert titles(text)
    assert not titles(text.replace(PARAGRAPHS, f"{PARAGRAPH}\n{PARAGRAPH}\n"))


def test_wide_gaps_mark_no_titles_beside_numbered_titles_with_smaller_gaps() -> None:
    numbered = "".join(f"{n}.1 Pumps of the kind {n}\n\n{PARAGRAPHS}" for n in range(1, 7))
    text = book("Of ice.", "Of rust.", "Of water.")
    assert "Of ice." in titles(text)
    assert titles(numbered + text) == [f"{n}.1 Pumps of the kind {n}" for n in range(1, 7)]


def test_a_wider_gap_gives_a_higher_level() -> None:
    section = f"\n\nOf ice.\n\n{PARAGRAPHS}\nOf rust.\n\n{PARAGRAPHS}"
    text = "".join(
        f"\n\n\n\n{title}\n{section.replace('Of', title)}"
        for title in ("Winter", "Spring", "Summer")
    )
    found = headings_with_levels(f"{PARAGRAPHS}{text}")
    assert [text for level, text in found if level == 1] == ["Winter", "Spring", "Summer"]
    assert [text for level, text in found if level == 2][:2] == ["Winter ice.", "Winter rust."]


def test_the_gap_decides_whether_a_title_is_below_or_beside_numbered_chapters() -> None:
    section = f"\n\n{PARAGRAPH}\n\nOf ice.\n\n{PARAGRAPHS}"
    text = "".join(f"\n\n\n\nCHAPTER {n}\n\nWINTER\n{section}" for n in ("I", "II", "III", "IV"))
    found = headings_with_levels(f"{PARAGRAPHS}{text}\n\n\n\nThe end of it\n\n{PARAGRAPH}")
    assert found[:2] == [(1, "CHAPTER I WINTER"), (2, "Of ice.")]
    assert found[-1] == (1, "The end of it")


@pytest.mark.parametrize("title", ["The Widow and her Child.", '"A CERTAIN PARTY"', "I RIDE"])
def test_a_chapter_title_may_have_a_full_stop_quotes_or_a_pronoun(title: str) -> None:
    text = book(*(f"CHAPTER {n}.\n\n{title}" for n in ("I", "II", "III")))
    assert titles(text) == [f"CHAPTER {n}. {title}" for n in ("I", "II", "III")]


def test_a_sentence_below_a_chapter_label_is_not_a_title() -> None:
    text = book(*(f"CHAPTER {n}.\n\nIt was cold." for n in ("I", "II", "III")))
    assert titles(text) == ["CHAPTER I.", "CHAPTER II.", "CHAPTER III."]


def test_roman_numerals_between_blank_lines_begin_chapters() -> None:
    numerals = ["I", "II", "III", "IV", "V", "VI"]
    text = book(*(f"{numeral}\n\nTHE WINTER OF {numeral}" for numeral in numerals))
    assert titles(text) == [f"{numeral} THE WINTER OF {numeral}" for numeral in numerals]
    inside = f"{PARAGRAPH}V\n{PARAGRAPH}X\n{PARAGRAPH}"
    assert titles(inside + text) == titles(text)
    inside = "".join(f"{PARAGRAPH}{numeral}\nTHE LETTER {numeral}\n" for numeral in numerals[:3])
    assert titles(f"{inside}{PARAGRAPH}\n{text}") == titles(text)


def test_blank_lines_at_page_ends_mark_no_titles() -> None:
    found = ["Of ice.", "Of rust.", "Of water."]
    pages = [  # their first and last lines differ; recurring ones would be page furniture
        f"{kind} pumps of {metal} need oil,\nas we said.\n\n{PARAGRAPH}\nOther {kind} pumps do not."
        for kind in ("Old", "New", "Hand", "Great", "Small", "Foot", "Chain", "Rope", "Screw")
        for metal in ("iron", "steel", "brass", "tin")
    ]
    text = ("\n" * 7 + "\f").join(pages)
    assert titles(f"{book(*found)}{text}") == found
    assert titles(f"{book(*found)}\n\n\n\n\fThe tank.\n\n{text}") == found


def test_only_the_widest_gaps_mark_titles_if_many_gaps_are_wide() -> None:
    """Here quotations have two blank lines above."""
    quoted = PARAGRAPHS.replace(f"{PARAGRAPH}\n", f"{PARAGRAPH}\n\n{PARAGRAPH}\n", 7)
    found = ["Of ice.", "Of rust.", "Of water."]
    text = quoted + "".join(f"\n\n\n\n{title}\n\n\n{quoted}" for title in found)
    assert titles(text) == found


def test_numbered_titles_below_wide_gaps_may_end_with_a_full_stop() -> None:
    days = [
        f"{n}. The {name} Day." for n, name in enumerate(("First", "Second", "Third", "Last"), 1)
    ]
    assert titles(book(*days)) == days
    assert not titles(re.sub("\n{3,}", "\n\n", book(*days)))


def test_a_line_equally_near_to_text_and_label_is_not_the_chapter_title() -> None:
    text = book(*(f"CHAPTER {n}.\n\n\nThe Widow and her Child." for n in ("I", "II", "III")))
    assert titles(text)[0] == "CHAPTER I."


def test_a_line_many_lines_below_a_number_or_label_is_not_its_title() -> None:
    kinds = ["Old pumps", "New pumps", "Hand pumps", "Great pumps"]
    found = "".join(f"1.{n}\n\n{kind}\n\n{PARAGRAPHS}" for n, kind in enumerate(kinds, 1))
    assert titles(found) == [f"1.{n} {kind}" for n, kind in enumerate(kinds, 1)]
    assert not any(
        title[0] == "1" for title in titles(re.sub(r"(1\.\d)\n", r"\1" + "\n" * 7, found))
    )
    labels = book(*(f"CHAPTER {n}.{7 * chr(10)}The Widow" for n in ("I", "II", "III")))
    assert titles(labels)[0] == "CHAPTER I."


def test_titles_below_wide_gaps_may_follow_an_underlined_title() -> None:
    text = book("Of ice.", "Of rust.", "Of water.").replace(
        PARAGRAPHS, f"{PARAGRAPHS}Care\n====\n\n", 1
    )
    assert {title for _, title in headings_with_levels(text)} >= {
        "Care",
        "Of ice.",
        "Of rust.",
        "Of water.",
    }


def test_a_label_and_its_number_are_the_title_if_no_title_follows() -> None:
    """A line below could be the title instead: CHAPTER, ONE, THE PUMP."""
    line = PARAGRAPH.replace("\n", " ")
    text = "".join(f"ARTICLE\n\n{n}\n\n{line}\n\n{PARAGRAPHS}" for n in range(1, 5))
    assert titles(text) == [f"ARTICLE {n}" for n in range(1, 5)]
    named = "".join(f"ARTICLE\n\n{n}\n\nOf the pump\n\n{PARAGRAPHS}" for n in range(1, 5))
    assert titles(named) == ["Of the pump"] * 4


def test_a_title_does_not_continue_after_many_blank_lines() -> None:
    tail = "The state of Old Pumps and New Pumps is told above.\n"
    text = book(*(f"{n}. On the Old\n\n\n\nPumps and New" for n in range(1, 5)))
    near = text.replace("Old\n\n\n\nPumps", "Old\nPumps")
    assert "1. On the Old Pumps and New" in titles(near + tail)
    assert "1. On the Old" in titles(text.replace("Old\n", "Old\n\n\n") + tail)


def test_too_few_wide_gaps_leave_the_other_titles_unaffected() -> None:
    text = book("How to begin", "What to buy")
    text += "".join(f"{title}\n\n{PARAGRAPHS}" for title in ("Of the pump", "Of the tank"))
    assert titles(text) == ["How to begin", "What to buy", "Of the pump", "Of the tank"]


def test_a_single_wider_gap_gives_no_separate_level() -> None:
    chapters = [f"{title}\n\n\n{PARAGRAPHS}" for title in ("Winter", "Spring", "Summer", "Autumn")]
    text = "\n\n\n\n".join([PARAGRAPHS, f"\n\n{chapters[0]}", *chapters[1:]])
    assert {level for level, _ in headings_with_levels(text)} == {1}


def test_a_numbered_line_below_a_wide_gap_is_a_title() -> None:
    """A list item is not a title, even if its words are the same."""
    points = "".join(f"{n}. old pumps\n\n{PARAGRAPH}\n" for n in range(1, 6))
    assert not titles(f"{PARAGRAPHS}{points}")
    spaced = points.replace(PARAGRAPH, f"{PARAGRAPHS}\n\n")
    assert titles(f"{PARAGRAPHS}\n\n{spaced}") == [f"{n}. old pumps" for n in range(1, 6)]


def test_a_note_in_brackets_below_a_section_number_is_not_its_title() -> None:
    """A note in brackets below a section number is not the section's title."""
    repealed = "\n\n\n".join(f"§ {n}\n\n(weggefallen)" for n in range(1, 6))
    assert titles(f"{PARAGRAPHS}\n\n{repealed}\n\n\n§ 6\n\n{PARAGRAPHS}")[0] == "§ 1"
