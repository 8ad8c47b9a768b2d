"""Titles that bold type, a font or an underline shows."""

from dataclasses import replace

import pytest
from audits import findings_in
from title_texts import BODY, outline, titled

from treepack import pack, parse
from treepack.model.source import Source
from treepack.model.typography import Typography

# -------------------------------------------------------------------- what is found


def test_bold_or_underlined_lines_above_paragraphs_are_titles() -> None:
    bold = titled("**Pumps**", "**Tanks**", "**Filters**")
    assert [title for _, title in outline(bold)] == ["Pumps", "Tanks", "Filters"]
    underlined = titled("Pumps\n*****", "Tanks\n*****", "Filters\n*******")
    assert [title for _, title in outline(underlined)] == ["Pumps", "Tanks", "Filters"]
    evidence = [section.heading for section in parse(underlined).root.sections]
    assert {heading.evidence for heading in evidence if heading} == {"underline"}


def test_a_line_in_larger_type_with_a_bar_is_a_title() -> None:
    titles = ["Water | Report", "Air | Report", "Fire | Report"]
    text = titled(*titles)
    marks = tuple((text.index(title), Typography(size=18.0)) for title in titles)
    source = replace(Source(text, "a.txt"), typography=marks)
    assert [title for _, title in outline(source)] == titles


def test_isolated_lines_are_not_titles_if_titles_are_in_larger_type() -> None:
    larger = ("Pumps", "Tanks", "Filters", "Pipes")
    pairs = [part for name in larger for part in (name, f"State of {name}")]
    text = titled(*pairs, body=BODY * 2)
    marks = tuple((text.index(f"{name}\n\n"), Typography(size=18.0)) for name in larger)
    source = replace(Source(text, "a.txt"), typography=marks)
    assert [title for _, title in outline(source)] == [*larger]
    assert 8 == len(outline(text))


# -------------------------------------------------------------------- what is not a title


@pytest.mark.parametrize("end", [";", ","])
def test_bold_parts_of_a_sentence_are_not_titles(end: str) -> None:
    parts = titled(*(f"**{name} of the water{end}**" for name in ("Sale", "Hire", "Loan", "Use")))
    assert outline(parts) == []
    assert 4 == len(outline(parts.replace(f"{end}**", "**")))


def test_bold_lines_are_not_titles_beside_markdown_headings() -> None:
    text = titled("# Water", "**Hint**", "## Wells", "**Hint**", "## Pipes")
    assert [title for _, title in outline(text)] == ["Water", "Wells", "Pipes"]


# -------------------------------------------------------------------- cost


def word_source(sizes: dict[str, float | None]) -> Source:
    """Return a text as a Word reader gives it: bold titles, some in larger type."""
    body = "The pump is mounted on a level floor, with 30 cm of free space around it.\n\n"
    text = "".join(f"{title}\n\n{body * 2}" for title in sizes)
    typography = tuple(
        (text.index(f"{title}\n"), Typography(bold=True, size=size))
        for title, size in sizes.items()
    )
    return Source(text, "manual.docx", origins=((0, "docx:paragraph 1"),), typography=typography)


def test_bold_paragraphs_of_a_word_file_are_titles() -> None:
    document = parse(word_source({"Pump manual": None, "Care": None, "Spare parts": None}))
    headings = [section.heading for section in document.root.walk() if section.heading]
    assert [heading.text for heading in headings] == ["Pump manual", "Care", "Spare parts"]
    assert {heading.evidence for heading in headings} == {"bold"}


def test_a_larger_font_gives_a_higher_level() -> None:
    sizes = {"Pump manual": 20.0, "Mounting": 16.0, "Floor": 13.0, "Care": 16.0, "Oil": 13.0}
    document = parse(word_source({**sizes}))
    headings = [section.heading for section in document.root.walk() if section.heading]
    assert [(heading.text, heading.level) for heading in headings] == [
        *(("Pump manual", 1), ("Mounting", 2), ("Floor", 3), ("Care", 2), ("Oil", 3))
    ]
    assert {heading.evidence for heading in headings} == {"font"}
    assert all("font" in change.reason for change in document.outline_changes)


def test_a_found_title_loses_its_markup_in_markdown_but_not_in_plain_text() -> None:
    titles = ["**4.1.** Term & Renewal.", "**4.2.** Notices.", "**4.3.** Data Export."]
    text = "".join(f"{title}\n\n(a) {BODY}\n" for title in titles)
    plain = ["4.1. Term & Renewal.", "4.2. Notices.", "4.3. Data Export."]
    assert [title for _, title in outline(parse(text, markup="markdown"))] == plain
    assert "**4.1.** Term & Renewal." in [
        title for _, title in outline(parse(text, markup="plain"))
    ]


def test_a_bold_title_omits_the_targets_of_its_links() -> None:
    names = ["Import", "Export", "Order"]
    text = "".join(f"**Quotas of the [{name}](api/{name}.md) API**\n\n{BODY}\n" for name in names)
    assert [title for _, title in outline(text)] == [f"Quotas of the {name} API" for name in names]
    assert not findings_in(pack(text, max_tokens=64))


def test_an_underline_after_a_title_is_not_part_of_it() -> None:
    rule = "The licensor grants the licensee a licence, without any warranty or liability."
    titles = ["1.   APPOINTMENT.      -----------", "2.  SERVICES.", "3.  TERM.  =-=-=-="]
    text = "".join(f"{title}\n\n{title[0]}.1  {rule}\n\n" for title in titles)
    found = [title for _, title in outline(parse(text, name="agreement.txt"))]
    assert found == ["1. APPOINTMENT.", "2. SERVICES.", "3. TERM."]
    assert not findings_in(pack(Source(text, "agreement.txt"), max_tokens=64))
