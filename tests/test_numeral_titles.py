"""Titles that are only a numeral or a letter, as in the opinions of courts."""

import textwrap

import pytest
import title_texts

from treepack import Document, Source, pack, parse

SENTENCES = (
    "The owner of the pump asks for the price of a new one from the maker. ",
    "The maker answers that the pump was not cleaned, as the manual demands. ",
    "We hold that a manual binds the owner only where the contract names it. ",
    "No witness has seen the manual before the day of the trial in May. ",
)


def text_of(count: int) -> str:
    return "\n".join(textwrap.wrap("".join(SENTENCES) * count, 62, initial_indent="   "))


def opinion(titles: str, indent: int = 30) -> str:
    parts = [" " * indent + title + "\n" + text_of(2) for title in titles.split()]
    return "\n".join([text_of(1), *parts]) + "\n"


def outline(document: Document) -> list[str]:
    return [f"{depth} {title}" for depth, title in title_texts.outline(document)]


@pytest.mark.parametrize("name", ["", "opinion.txt"])
@pytest.mark.parametrize("indent", [0, 30])
def test_numerals_alone_on_a_line_are_nested_titles(indent: int, name: str) -> None:
    document = parse(Source(opinion("I II A B III", indent), name))
    assert outline(document) == ["1 I", "1 II", "2 A", "2 B", "1 III"]
    for most in (24, 48, 96):
        assert pack(document, max_tokens=most).audit().ok


def test_two_numerals_are_enough() -> None:
    assert outline(parse(Source(opinion("I II"), "a.txt"))) == ["1 I", "1 II"]


def test_numerals_may_end_with_a_full_stop_and_restart_in_the_next_opinion() -> None:
    found = outline(parse(Source(opinion("I. II. III. I. A. B. II."), "a.txt")))
    assert found == ["1 I.", "1 II.", "1 III.", "1 I.", "2 A.", "2 B.", "1 II."]


def test_numerals_in_bold_are_titles() -> None:
    text = "\n\n".join(
        part.strip() for title in ("I", "II", "III") for part in (f"**{title}**", text_of(1))
    )
    assert outline(parse(text)) == ["1 I", "1 II", "1 III"]


def test_the_last_numeral_may_have_only_a_line_of_text() -> None:
    text = (
        opinion("I II III") + "IV\nThe judgment of the court below is reversed in all its parts.\n"
    )
    assert outline(parse(Source(text, "a.txt")))[-1] == "1 IV"


@pytest.mark.parametrize("titles", ["I", "II III", "A B C", "I III", "I I I"])
def test_letters_or_numerals_that_do_not_count_up_are_not_titles(titles: str) -> None:
    """The last one is the pronoun, at the end of a line."""
    assert outline(parse(Source(opinion(titles), "a.txt"))) == []


def test_numerals_in_cells_of_a_table_are_not_titles() -> None:
    cells = "\n".join(f"{numeral}\nlow\n12 kg\nred" for numeral in ("I", "II", "III", "IV"))
    assert outline(parse(Source(f"{text_of(3)}\n{cells}\n{text_of(3)}\n", "a.txt"))) == []


def test_titles_below_numerals_belong_to_them() -> None:
    parts = zip(("I", "II", "III"), ("BACKGROUND", "CLAIMS", "CONCLUSION"), strict=True)
    text = "\n\n".join(f"{numeral}\n\n{title}\n\n{text_of(2)}" for numeral, title in parts)
    assert [title.split()[-1] for title in outline(parse(Source(text, "a.txt")))] == [
        "BACKGROUND",
        "CLAIMS",
        "CONCLUSION",
    ]


def test_a_footnote_below_its_rule_is_not_a_title() -> None:
    notes = "".join(
        f"{text_of(2)}\n——————\n{number} See\n\nthe record, at page {number}.\n"
        for number in range(1, 7)
    )
    assert outline(parse(Source(notes, "a.txt"))) == []


def test_the_end_of_a_sentence_is_not_a_known_title() -> None:
    text = opinion("I II").replace(" II", "\nThe court below comes to this\nconclusion.\n II")
    assert outline(parse(Source(text, "a.txt"))) == ["1 I", "1 II"]


def test_a_numeral_above_a_numbered_title_is_a_title_alone() -> None:
    """The lines of two titles must not overlap."""
    titles = ("A. Background", "B. Trial", "C. Judgment")
    inner = "\n".join(f"{title}\n\n{text_of(2)}\n" for title in titles)
    text = f"I\n\n{inner}\nII\n\n{text_of(3)}\n\nIII\n\n{text_of(3)}\n"
    document = parse(Source(text, "a.txt"))
    assert document.root.end <= len(text)
    assert "I" in [title.split(maxsplit=1)[1] for title in outline(document)]
    assert pack(document, max_tokens=48).audit().ok


def test_the_pronoun_alone_on_a_line_is_not_a_title_beside_numerals() -> None:
    text = f"{opinion('I II')}and so\nI\n{text_of(2)}\n"
    assert outline(parse(Source(text, "a.txt"))) == ["1 I", "1 II"]
