"""Titles in the text of Word files: a line for each paragraph, and lists without markers."""

import pytest
from extracted_texts import PARAGRAPH, titles

SHORT_PARAGRAPH = "Whoever mounts it should first read what the maker says of the ground."


@pytest.mark.parametrize("items", [["Windows Server"], ["Mac OS", "Ubuntu Server"]])
def test_items_without_markers_are_not_titles(items: list[str]) -> None:
    """Every line is between blank lines, so blank lines show nothing."""
    wanted = ["Before you begin", "Care of the pump", "Spare parts"]
    lines = [PARAGRAPH]
    for title in wanted:
        lines += [title, PARAGRAPH, PARAGRAPH, "It runs on these systems:", *items]
        lines += [
            "The last of these needs a licence, as the maker of the pump wrote to us.",
            PARAGRAPH,
        ]
    assert titles("\n\n".join(lines)) == wanted
    spaced = "\n\n".join(f"\n{line}" if line in items else line for line in lines)
    spaced = spaced.replace(PARAGRAPH, "\n\n".join([PARAGRAPH] * 8))
    assert titles(spaced) == wanted


def test_a_list_ends_at_an_item_with_a_marker_or_a_sentence() -> None:
    lines = []
    for title in ("Before you begin", "Care of the pump", "Spare parts"):
        lines += [title, PARAGRAPH, "It runs on these systems:", "- Windows", "- Mac OS"]
    sentence = "It stops at once, as we said above, and needs no care."
    assert titles("\n\n".join([*lines, "The end", sentence])) == [
        "Before you begin",
        "Care of the pump",
        "Spare parts",
        "The end",
    ]


def test_short_lines_are_paragraphs_if_most_end_a_sentence() -> None:
    """Fewer lines are too long for a page than in other texts of this kind."""
    body = "\n".join([PARAGRAPH, *[SHORT_PARAGRAPH + " So it says."] * 5])
    text = f"{body}\nWhy we pump\n{body}\nWhat you need\n{body}"
    assert titles(text) == ["Why we pump", "What you need"]
    assert not titles(text.replace("says.", "says"))


def test_a_row_between_paragraphs_is_not_a_title() -> None:
    found = "".join(
        f"{title}\n{PARAGRAPH}\n{PARAGRAPH}\n" for title in ("Why we pump", "What you need")
    )
    assert titles(f"{PARAGRAPH}\n{found}Option   Definition\n{PARAGRAPH}") == [
        "Why we pump",
        "What you need",
    ]


def test_a_toc_with_few_of_the_titles_does_not_hide_the_others() -> None:
    named = ["Before you begin", "Care of the pump", "Spare parts", "How to mount it", "Costs"]
    others = [
        f"Of the {size} {thing}"
        for size in ("old", "new", "small", "great", "red", "blue")
        for thing in ("pump", "tank", "pipe", "well")
    ]
    contents = "".join(f"{title} ........ {page}\n" for page, title in enumerate(named, 2))

    def found(*wanted: str) -> list[str]:
        body = "".join(f"{title}\n{PARAGRAPH}\n{PARAGRAPH}\n" for title in wanted)
        return titles(f"Contents\n{contents}{PARAGRAPH}\n{body}")[1:]

    assert found(*named, *others) == [*named, *others]
    assert found(*named, *others[:3]) == named


def test_with_few_long_lines_more_lines_must_end_a_sentence() -> None:
    """Here half of the lines end a sentence, and a third of the text is in lines too long."""
    body = "\n".join(
        [PARAGRAPH, *[SHORT_PARAGRAPH + " So it says.", SHORT_PARAGRAPH + " And so it goes"] * 3]
    )
    assert not titles(f"{body}\nWhy we pump\n{body}\nWhat you need\n{body}")
    longer = body.replace("And so", f"{SHORT_PARAGRAPH} And so").replace(
        "So it says", f"{SHORT_PARAGRAPH} So it says"
    )
    text = f"{PARAGRAPH}\n{longer}\n{PARAGRAPH}\n"
    assert titles(f"{text}Why we pump\n{text}What you need\n{text}") == [
        "Why we pump",
        "What you need",
    ]


def test_a_title_may_follow_a_colon_among_wrapped_paragraphs() -> None:
    paragraph = (
        "The pump moves water from the well to the tank\nabove the house, and then it stops.\n"
    )
    text = "".join(
        f"{paragraph}\nIt has these:\n\n{title}\n\n{paragraph}\n"
        for title in ("A Pump", "A Tank", "A Well")
    )
    assert titles(text) == ["A Pump", "A Tank", "A Well"]
