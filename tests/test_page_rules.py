"""Rules of three dashes directly below a text: page separators, underlines, or thematic breaks."""

import pytest
from title_texts import outline

from treepack import Document, Source, pack, parse

PAGES = (
    "# Pump manual\n\nThis manual describes the pump and all of its parts. It is for all who want",
    "to keep the pump in good order.\n\n## Safety\n\nRead the rules before you start the pump.",
    "## Operation\n\nTurn the pump on. The light is green.",
    "| part | mass |\n|---|---|\n| foot | 2 kg |",
    "## Care\n\n- Clean the filter.\n- Oil the bearing.",
    "The end",
)
TITLES = ["Pump manual", "Safety", "Operation", "Care"]
SEPARATOR = "\n---\n"


def headings(document: Document) -> list[str]:
    return [title for _, title in outline(document)]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("name", ["", "pump.md"])
def test_rules_between_pages_are_page_marks(line_end: str, name: str) -> None:
    """LlamaParse joins pages so; CommonMark reads the last paragraph of each page as a heading."""
    text = SEPARATOR.join(PAGES).replace("\n", line_end)
    document = parse(Source(text, name))
    assert headings(document) == TITLES
    chunks = pack(document, max_tokens=32)
    assert {page for chunk in chunks for page in chunk.pages} == {1, 2, 3, 4, 5, 6}
    assert not any("\n---" in chunk.text.replace("|---", "") for chunk in chunks)
    assert chunks.audit().ok


def test_a_blank_page_between_rules_is_counted() -> None:
    chunks = pack(SEPARATOR.join((*PAGES[:3], "", *PAGES[3:])))
    assert chunks[-1].pages[-1] == len(PAGES) + 1


def test_rules_beside_page_numbers_are_page_marks() -> None:
    """The text result of LlamaParse keeps the printed headers and footers."""
    pages = [
        f"{topic}\n\n{topic} is a part. It lasts for years.\n\nPump manual      {number}"
        for number, topic in enumerate(("Foot", "Valve", "Hose", "Light", "Motor"), 5)
    ]
    document = parse(Source(SEPARATOR.join(pages), "pump.txt"))
    assert [reason for _, _, reason in document.skipped].count("page mark") == len(pages) - 1


def test_rules_below_tables_are_page_marks() -> None:
    slides = [f"# Part {part}\n\n| mass |\n|---|\n| {part} kg |" for part in range(5)]
    assert pack(SEPARATOR.join(slides))[-1].pages == (1, 2, 3, 4, 5)


TITLED = "Pump\n---\n\nIt moves water.\n\nValve\n---\n\nIt opens.\n\nA note.\n---\nNo.\n"


def test_rules_below_titles_are_underlines() -> None:
    document = parse(TITLED)
    assert headings(document) == ["Pump", "Valve", "A note."]
    assert document.skipped == ()


def test_titles_and_text_that_begins_in_lower_case_are_not_pages() -> None:
    text = "".join(f"pump{number}\n---\nstarts pump {number}.\n\n" for number in range(6))
    assert headings(parse(text)) == [f"pump{number}" for number in range(6)]


ENTRIES = "".join(
    f"Q: What does a {part} do?\nA: It is sold alone, so nobody knows.\n---\n"
    for part in ("foot", "valve", "hose", "light", "motor")
)


def test_rules_between_entries_are_thematic_breaks() -> None:
    """Without a sign of pages they are not page marks, but nobody writes such headings."""
    document = parse(f"# Questions\n\n{ENTRIES}")
    assert headings(document) == ["Questions"]
    assert document.skipped == ()
    assert {change.reason for change in document.outline_changes} == {
        "paragraph above a thematic break"
    }
    assert pack(document, max_tokens=24).audit().ok


def test_a_trusted_outline_keeps_headings_above_rules() -> None:
    document = parse(SEPARATOR.join(PAGES), outline="trust")
    assert len(headings(document)) > len(TITLES)
    assert document.skipped == ()
    assert len(headings(parse(ENTRIES, outline="trust"))) == ENTRIES.count("---")


def test_rules_in_code_are_not_page_marks() -> None:
    listing = SEPARATOR.join(
        f"this is a long line of a file that goes on in\nline {n}" for n in "abcd"
    )
    assert parse(f"# Files\n\n```\n{listing}\n```\n").skipped == ()


def test_rules_beside_other_page_marks_are_not_page_marks() -> None:
    text = SEPARATOR.join(PAGES).replace("## Operation", "<!-- page 9 -->\n\n## Operation")
    assert [reason for _, _, reason in parse(text).skipped] == ["page mark"]
    assert pack(text)[-1].pages == (8, 9)
