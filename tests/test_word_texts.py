"""Titles in the text of Word files: a line for each paragraph, and lists without markers."""

import pytest

from treepack import parse

SAID = (
    "The pump moves water from the well to the tank above the house, and it stops as soon as the"
    " float in the tank has risen. Its motor needs no care but a drop of oil in spring."
)
SHORT = "Whoever mounts it should first read what the maker says of the ground."


def titles(text: str) -> list[str]:
    """Return the headings of a text without a name."""
    return [section.heading.text for section in parse(text).root.walk() if section.heading]


@pytest.mark.parametrize("items", [["Windows Server"], ["Mac OS", "Ubuntu Server"]])
def test_items_without_markers_are_no_titles(items: list[str]) -> None:
    """Every line is between blank lines, so blank lines show nothing."""
    wanted = ["Before you begin", "Care of the pump", "Spare parts"]
    lines = [SAID]
    for title in wanted:
        lines += [title, SAID, SAID, "It runs on these systems:", *items]
        lines += ["The last of these needs a licence, as the maker of the pump wrote to us.", SAID]
    assert titles("\n\n".join(lines)) == wanted
    further = "\n\n".join(f"\n{line}" if line in items else line for line in lines)
    further = further.replace(SAID, "\n\n".join([SAID] * 8))
    assert titles(further) == wanted


def test_a_list_ends_at_an_item_with_a_marker_or_a_sentence() -> None:
    lines = []
    for title in ("Before you begin", "Care of the pump", "Spare parts"):
        lines += [title, SAID, "It runs on these systems:", "- Windows", "- Mac OS"]
    said = "It stops at once, as we said above, and needs no care."
    assert titles("\n\n".join([*lines, "The end", said])) == [
        "Before you begin",
        "Care of the pump",
        "Spare parts",
        "The end",
    ]


def test_short_paragraphs_count_as_such_where_most_of_them_end_a_sentence() -> None:
    """Fewer lines are too long for a page than in other texts of this kind."""
    body = "\n".join([SAID, *[SHORT + " So it says."] * 5])
    text = f"{body}\nWhy we pump\n{body}\nWhat you need\n{body}"
    assert titles(text) == ["Why we pump", "What you need"]
    assert not titles(text.replace("says.", "says"))


def test_a_row_between_paragraphs_is_no_title() -> None:
    found = "".join(f"{title}\n{SAID}\n{SAID}\n" for title in ("Why we pump", "What you need"))
    assert titles(f"{SAID}\n{found}Option   Definition\n{SAID}") == ["Why we pump", "What you need"]


def test_contents_that_name_few_of_the_titles_hide_no_others() -> None:
    named = ["Before you begin", "Care of the pump", "Spare parts", "How to mount it", "Costs"]
    others = [
        f"Of the {size} {thing}"
        for size in ("old", "new", "small", "great", "red", "blue")
        for thing in ("pump", "tank", "pipe", "well")
    ]
    contents = "".join(f"{title} ........ {page}\n" for page, title in enumerate(named, 2))

    def found(*wanted: str) -> list[str]:
        body = "".join(f"{title}\n{SAID}\n{SAID}\n" for title in wanted)
        return titles(f"Contents\n{contents}{SAID}\n{body}")[1:]

    assert found(*named, *others) == [*named, *others]
    assert found(*named, *others[:3]) == named


def test_paragraphs_that_samples_miss_show_plain_text() -> None:
    """A long text without markup is examined more closely."""
    items = "".join(f"pump of the kind {number}\n" for number in range(20))
    text = f"{items * 8}" + f"{items}{SAID}\n{SAID}\nWhy we pump\n{SAID}\n" * 12
    found = parse(text)
    assert (found.markup, found.markup_reason) == (
        "plain",
        "24 lines are paragraphs without blank lines between them",
    )
    assert parse(text.replace("\n", "\n\n")).markup == "markdown"
    assert parse(f"**Pumps**\n{text}").markup == "markdown"


@pytest.mark.parametrize(
    ("blanks", "markup"), [(" ", "plain"), ("\u00a0", "plain"), ("  ", "markdown")]
)
def test_a_blank_may_follow_a_paragraph_but_two_break_a_line(blanks: str, markup: str) -> None:
    assert parse(f"{SAID}{blanks}\n" * 12).markup == markup


def test_few_paragraphs_of_one_line_show_nothing() -> None:
    items = "".join(f"Pump of the kind {number}\n" for number in range(300))
    assert parse(f"{items}{SAID}\n" * 4 + SAID).markup == "markdown"
    assert parse(f"Pumps\n{SAID}\n{SAID}\nSo\n").markup == "markdown"
    assert parse(f"Pumps\n{SAID}\n{SAID}\n{SAID}\nSo\n").markup == "plain"


def test_the_fewer_lines_are_too_long_the_more_must_end_a_sentence() -> None:
    """Here half of the lines end a sentence, and a third of the text is in lines too long."""
    body = "\n".join([SAID, *[SHORT + " So it says.", SHORT + " And so it goes"] * 3])
    assert not titles(f"{body}\nWhy we pump\n{body}\nWhat you need\n{body}")
    longer = body.replace("And so", f"{SHORT} And so").replace("So it says", f"{SHORT} So it says")
    text = f"{SAID}\n{longer}\n{SAID}\n"
    assert titles(f"{text}Why we pump\n{text}What you need\n{text}") == [
        "Why we pump",
        "What you need",
    ]


def test_a_title_may_follow_a_colon_where_paragraphs_take_several_lines() -> None:
    said = "The pump moves water from the well to the tank\nabove the house, and then it stops.\n"
    text = "".join(
        f"{said}\nIt has these:\n\n{title}\n\n{said}\n" for title in ("A Pump", "A Tank", "A Well")
    )
    assert titles(text) == ["A Pump", "A Tank", "A Well"]
