"""Titles of reports: items of a filing, numbered notes, and the titles below each of them."""

import pytest

import treepack
from treepack.model.section import Section
from treepack.readers.html.reader import read_html

TEXT = "<p>The company makes pumps, and sells them in forty countries of the world.</p>" * 2
SIZE = 'style="font-size:{}pt;font-weight:bold"'


def bold(title: str) -> str:
    return f"<p><b>{title}</b></p>{TEXT}"


def large(title: str, points: int = 14) -> str:
    return f"<p {SIZE.format(points)}>{title}</p><p style='font-size:10pt'>{TEXT[3:]}"


def titles_above(html: str) -> dict[str, list[str]]:
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


def test_items_are_below_their_part_and_bold_titles_below_their_item() -> None:
    """Readers ask for the parts and items of annual reports."""
    html = bold("Report") + PART
    for item in ITEMS:
        html += bold(item) + bold(f"{item[-4:]} of pumps") + bold(f"{item[-4:]} of valves")
    html += bold("PART II") + bold("Item 5. Market") + bold("Shares") + bold("Item 6. Other")
    found = titles_above(html)
    for item in ITEMS:
        assert found[item][-1] == "PART I"
        assert found[f"{item[-4:]} of pumps"][-2:] == ["PART I", item]
        assert found[f"{item[-4:]} of valves"][-2:] == ["PART I", item]
    assert found["Shares"][-2:] == ["PART II", "Item 5. Market"]


@pytest.mark.parametrize("points", [14, 12])
def test_a_title_no_larger_than_the_title_of_an_item_is_below_the_item(points: int) -> None:
    """Sizes show levels only among titles of one kind; a filing prints all titles alike."""
    html = large("Pump Works", 20) + large("PART I")
    for item in ITEMS:
        html += large(item) + large(f"{item[-4:]} of pumps", points)
    found = titles_above(html)
    assert [found[f"{item[-4:]} of pumps"][-1] for item in ITEMS] == ITEMS


def test_a_title_as_large_as_a_numbered_title_has_the_same_level() -> None:
    """Papers print the title of their references like the titles of their sections."""
    html = large("Pumps and Valves", 20)
    html += "".join(large(f"{n} {title}") for n, title in enumerate(["Scope", "Work", "End"], 1))
    assert titles_above(html + large("Thanks to all"))["Thanks to all"] == ["Pumps and Valves"]


def test_items_may_be_plain_paragraphs_that_end_with_a_full_stop() -> None:
    """Filings print them like this; a sentence after a number is not a title."""
    items = [
        "Item 1. Business.",
        "Item 1B. Unresolved Comments of the Staff.",
        "Item 2. Properties of Pump Works.",
        "Item 3. The pumps stand in the yard.",
    ]
    found = titles_above(PART + "".join(f"<p>{item}</p>{TEXT}" for item in items))
    assert list(found) == ["PART I", *items[:3]]


def test_a_common_title_between_two_items_is_below_the_first() -> None:
    """In most other documents the introduction is on the highest level."""
    html = PART + bold(ITEMS[0]) + bold("INTRODUCTION") + bold("Pumps") + bold(ITEMS[1])
    html += bold("Valves") + bold(ITEMS[2]) + bold("PART II") + bold("Item 5. Market")
    html += bold("PART III") + bold("Item 6. Shares")
    assert titles_above(html)["INTRODUCTION"] == ["PART I", ITEMS[0]]


NOTES = [f"Note {n} – {title}" for n, title in enumerate(["Basis", "Revenue", "Debt"], 1)]


def notes(between: str = "<p><b>{} in detail</b></p>") -> str:
    return "".join(bold(note) + between.format(note[9:]) + TEXT * 2 for note in NOTES)


def test_titles_numbered_with_any_word_contain_the_titles_between_them() -> None:
    """No list of words could name notes, lessons and exercises in all languages."""
    found = titles_above(PART + bold(ITEMS[0]) + notes() + bold(ITEMS[1]) + bold("Pumps"))
    for note in NOTES:
        assert found[note] == ["PART I", ITEMS[0]]
        assert found[f"{note[9:]} in detail"] == ["PART I", ITEMS[0], note]
    assert found["Pumps"] == ["PART I", ITEMS[1]]
    assert (
        titles_above(notes().replace("Note", "Lektion"))["Debt in detail"][-1] == "Lektion 3 – Debt"
    )


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
def test_other_numbered_titles_contain_no_titles(html: str) -> None:
    """If it is not certain that they are chapters, no bold title is put below another."""
    found = titles_above(bold("Begin") + html + bold("End"))
    assert len(found) >= 5
    assert not any(title in above for above in found.values() for title in found if "–" in title)


def test_bold_lines_in_brackets_or_without_words_are_not_titles() -> None:
    """Reports print such lines in bold below each title."""
    html = bold("Income") + bold("(Unaudited)") + bold("________") + bold("Debt")
    assert list(titles_above(html)) == ["Income", "Debt"]


def test_the_items_of_a_filing_can_be_cited_and_referenced() -> None:
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
