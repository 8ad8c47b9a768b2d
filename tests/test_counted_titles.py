"""Titles of reports: items of a filing, numbered notes, and the titles below each of them."""

import pytest

import treepack
from treepack.model.section import Section
from treepack.readers.html.reader import read_html

TEXT = "<p>The company makes pumps, and sells them in forty countries of the world.</p>" * 2
SIZE = 'style="font-size:{}pt;font-weight:bold"'


def bold(title: str) -> str:
    return f"<p><b>{title}</b></p>{TEXT}"


def larger(title: str, points: int = 14) -> str:
    return f"<p {SIZE.format(points)}>{title}</p><p style='font-size:10pt'>{TEXT[3:]}"


def paths(html: str) -> dict[str, list[str]]:
    """Map each title of a page to the titles above it, the highest first."""
    found: dict[str, list[str]] = {}

    def walk(section: Section, above: list[str]) -> None:
        for inner in section.sections:
            assert inner.heading is not None
            found[inner.heading.text] = above
            walk(inner, [*above, inner.heading.text])

    walk(treepack.parse(read_html(html)).root, [])
    return found


PART = bold("PART I")
ITEMS = [
    "Item 1. Business",
    "Item 1A. Factors of Risk:",
    "Item 2. Disclosure about Places that Prevent Inspections.",
    "Item 3. Notes",
]


def test_items_stand_below_their_part_and_bold_titles_below_their_item() -> None:
    """Readers ask for the parts and items of annual reports."""
    html = bold("Report") + PART
    for item in ITEMS:
        html += bold(item) + bold(f"{item[-4:]} of pumps") + bold(f"{item[-4:]} of valves")
    html += bold("PART II") + bold("Item 5. Market") + bold("Shares") + bold("Item 6. Other")
    found = paths(html)
    for item in ITEMS:
        assert found[item][-1] == "PART I"
        assert found[f"{item[-4:]} of pumps"][-2:] == ["PART I", item]
        assert found[f"{item[-4:]} of valves"][-2:] == ["PART I", item]
    assert found["Shares"][-2:] == ["PART II", "Item 5. Market"]


@pytest.mark.parametrize("points", [14, 12])
def test_a_title_that_is_no_larger_than_that_of_an_item_stands_below_it(points: int) -> None:
    """Sizes show levels only among titles of one kind; a filing prints all titles alike."""
    html = larger("Pump Works", 20) + larger("PART I")
    for item in ITEMS:
        html += larger(item) + larger(f"{item[-4:]} of pumps", points)
    found = paths(html)
    assert [found[f"{item[-4:]} of pumps"][-1] for item in ITEMS] == ITEMS


def test_a_title_as_large_as_that_of_a_bare_number_stands_beside_it() -> None:
    """Papers print the title of their references like the titles of their sections."""
    html = larger("Pumps and Valves", 20)
    html += "".join(larger(f"{n} {title}") for n, title in enumerate(["Scope", "Work", "End"], 1))
    assert paths(html + larger("Thanks to all"))["Thanks to all"] == ["Pumps and Valves"]


def test_items_end_with_a_full_stop_and_may_have_nothing_that_sets_them_apart() -> None:
    """Filings print them like this; a sentence after a number is not a title."""
    items = [
        "Item 1. Business.",
        "Item 1B. Unresolved Comments of the Staff.",
        "Item 2. Properties of Pump Works.",
        "Item 3. The pumps stand in the yard.",
    ]
    found = paths(PART + "".join(f"<p>{item}</p>{TEXT}" for item in items))
    assert list(found) == ["PART I", *items[:3]]


def test_a_known_title_between_two_items_stands_below_the_first() -> None:
    """In most other documents the introduction is on the highest level."""
    html = PART + bold(ITEMS[0]) + bold("INTRODUCTION") + bold("Pumps") + bold(ITEMS[1])
    html += bold("Valves") + bold(ITEMS[2]) + bold("PART II") + bold("Item 5. Market")
    html += bold("PART III") + bold("Item 6. Shares")
    assert paths(html)["INTRODUCTION"] == ["PART I", ITEMS[0]]


NOTES = [f"Note {n} – {title}" for n, title in enumerate(["Basis", "Revenue", "Debt"], 1)]


def notes(between: str = "<p><b>{} in detail</b></p>") -> str:
    return "".join(bold(note) + between.format(note[9:]) + TEXT * 2 for note in NOTES)


def test_titles_that_count_on_with_a_word_of_their_own_hold_the_titles_between_them() -> None:
    """No list of words could name notes, lessons and exercises in all languages."""
    found = paths(PART + bold(ITEMS[0]) + notes() + bold(ITEMS[1]) + bold("Pumps"))
    for note in NOTES:
        assert found[note] == ["PART I", ITEMS[0]]
        assert found[f"{note[9:]} in detail"] == ["PART I", ITEMS[0], note]
    assert found["Pumps"] == ["PART I", ITEMS[1]]
    assert paths(notes().replace("Note", "Lektion"))["Debt in detail"][-1] == "Lektion 3 – Debt"


@pytest.mark.parametrize(
    "html",
    [
        notes(""),  # steps of one list
        "".join(pair for note in NOTES[:2] for pair in (bold(note), bold(f"More {note[-3:]}"))),
        notes().replace("Note 2", "Note 7"),
        notes().replace("Note 2", "Note 4").replace("Note 3", "Note 9"),
        notes() + bold("Another part") + notes(),  # the count restarts below an unnumbered title
        notes().replace("Note", "Of"),
    ],
)
def test_other_titles_with_numbers_hold_nothing(html: str) -> None:
    """If it is not certain that they are chapters, no bold title is put below another."""
    found = paths(bold("Begin") + html + bold("End"))
    assert len(found) >= 5
    assert not any(title in above for above in found.values() for title in found if "–" in title)


def test_what_is_in_brackets_or_has_no_words_is_no_title() -> None:
    """Reports print such lines in bold below each title."""
    html = bold("Income") + bold("(Unaudited)") + bold("________") + bold("Debt")
    assert list(paths(html)) == ["Income", "Debt"]


def test_an_item_of_a_filing_can_be_cited_and_referred_to() -> None:
    """In lower case, "item" means an item of a list."""
    html = PART + "".join(bold(item) for item in ITEMS)
    html += "<p>See Item 1A above, and item 2 of the list.</p>"
    document = treepack.parse(read_html(html))
    (found,) = (each for each in document.references if "tem" in each.text)
    section = next(s for s in document.root.walk() if s.heading and "Risk" in s.heading.text)
    assert (found.text, found.section_id) == ("Item 1A", section.id)
    chunk = treepack.pack(document, max_tokens=32)[-1]
    assert chunk.citation == "Item 3"
    assert [each.text for each in document.references] == ["Item 1A"]
