"""Titles directly above their text, and titles that are outdented as in manual pages."""

import pytest
from title_texts import BODY, outline, titled

HEADS = ("Mounting the pump", "How does it run?", "CARE AND OIL", "Spare parts")


def titles_above_text(*titles: str) -> str:
    """Return titles directly above their texts."""
    return "".join(f"{title}\n{BODY}\n{BODY}\n{BODY}\n" for title in titles)


def test_a_short_line_between_a_blank_line_and_its_text_is_a_title() -> None:
    assert [title for _, title in outline(titles_above_text(*HEADS))] == [*HEADS]


@pytest.mark.parametrize(
    "line",
    [
        "Dear Ms Byron,",
        "The pump runs well.",
        "Tables of the pump and of other machines in the whole house",
        "Warning: hot",
    ],
)
def test_the_first_line_of_an_ordinary_paragraph_is_not_a_title(line: str) -> None:
    """The third is nearly as long as the lines below it, so it may have been wrapped."""
    assert (
        outline(
            titles_above_text(
                *[line.replace("pump", pump) for pump in ("pump", "oven", "lamp", "saw")]
            )
        )
        == []
    )


def test_short_lines_above_short_lines_are_not_titles() -> None:
    """Addresses, verses and names are examples."""
    names = ("Ada Byron", "Grace Hopper", "Emmy Noether", "Mary Somerville")
    text = "".join(f"{name}\n3 Garden Street\nLondon\n\n{BODY}\n{BODY}\n" for name in names)
    assert outline(text + BODY) == []


def test_a_line_directly_above_a_list_is_a_title() -> None:
    text = "".join(
        f"{title}\n- one bolt\n- two nuts\n\n{BODY}\n{BODY}\n{BODY}\n" for title in HEADS
    )
    assert [title for _, title in outline(text)] == [*HEADS]


def test_short_lines_are_titles_if_each_paragraph_is_one_line() -> None:
    """Word processors save such texts: without blank lines, and with titles in sentence case."""
    paragraph = " ".join((BODY * 4).split())
    first = "Guide to the pump"
    text = f"{first}\n" + "".join(
        f"{title}\n{paragraph}\n{paragraph}\n" for title in (*HEADS, "Index")
    )
    assert outline(text) == [(1, first), *[(2, title) for title in (*HEADS, "Index")]]
    listed = text.replace(HEADS[2], f"{HEADS[2]}\n- one bolt\n- two nuts")
    assert [title for _, title in outline(listed)] == [first, *HEADS, "Index"]
    led = text.replace(f"{paragraph}\n{HEADS[2]}", f"You need these parts:\n{HEADS[2]}")
    assert [title for _, title in outline(led)] == [first, *HEADS[:2], HEADS[3], "Index"]


@pytest.mark.parametrize("between", ["\n", "\n\n"])
def test_a_number_on_its_own_line_belongs_to_the_title_below_it(between: str) -> None:
    """The text of web pages has them like this if the number has a style of its own."""
    titles = ["1 Scope", "2 Parts", "2.1 Pump", "2.2 Tank", "2.3 Pipes", "3 Use"]
    text = titled(*[title.replace(" ", between) for title in titles])
    assert [title for _, title in outline(text)] == titles
    assert [level for level, _ in outline(text)] == [1, 1, 2, 2, 2, 1]


def test_a_page_number_does_not_belong_to_the_line_below_it() -> None:
    text = "".join(f"{page}\nPump Guide\n{BODY}{BODY}{BODY}\n" for page in range(1, 9))
    assert not any(title[0].isdigit() for _, title in outline(text))


SHORT = "The pump moves water."


def manual_page(*sections: str, body: str = "       ") -> str:
    """Return sections whose titles are outdented, as in printed manual pages."""
    text = "".join(f"{body}{line}\n" for line in BODY.splitlines())
    return "\n".join(f"{section}\n{text}" for section in sections)


def test_outdented_lines_are_titles_and_their_indent_gives_the_level() -> None:
    text = manual_page("NAME", "OPTIONS", "   Matching Control", "   Output Control", "SEE ALSO")
    assert outline(f"PUMP(1)          User Commands          PUMP(1)\n\n{text}")[1:] == [
        (2, "NAME"),
        (2, "OPTIONS"),
        (3, "Matching Control"),
        (3, "Output Control"),
        (2, "SEE ALSO"),
    ]


def test_the_first_title_may_be_indented_more_than_the_others() -> None:
    text = manual_page("   Pump Manual", "NAME", "OPTIONS", "FILES", "SEE ALSO")
    assert outline(text)[0] == (1, "Pump Manual")


@pytest.mark.parametrize("term", ["   --verbose", "   TIME_STYLE", "   number of lines"])
def test_outdented_terms_of_a_list_are_not_titles(term: str) -> None:
    text = manual_page("NAME", "OPTIONS", term, term.replace("e", "i"), "FILES", "SEE ALSO")
    assert [title for _, title in outline(text)] == ["NAME", "OPTIONS", "FILES", "SEE ALSO"]


def test_terms_at_the_indent_of_the_body_are_not_titles() -> None:
    terms = "".join(
        f"       {name} Mode\n              {SHORT}\n\n" for name in ("Fast", "Slow", "Safe")
    )
    text = manual_page("NAME", "OPTIONS", "SEE ALSO").replace("OPTIONS\n", f"OPTIONS\n{terms}")
    assert [title for _, title in outline(text)] == ["NAME", "OPTIONS", "SEE ALSO"]


def test_two_outdented_lines_are_not_enough_to_be_titles() -> None:
    assert outline(manual_page("NAME", "OPTIONS")) == []
    body = manual_page("") * 4
    assert outline(f"{body}\n{manual_page('SYNOPSIS', 'OPTIONS')}\n{body}") == []


def test_outdented_lines_beside_numbered_titles_are_not_titles() -> None:
    text = manual_page(
        "1. Scope", "1.1. Parts", "KICK Ada", "1.2. Use", "PART Byron", "JOIN Ada", "2. Care"
    )
    assert not any(title.isupper() for _, title in outline(text))
