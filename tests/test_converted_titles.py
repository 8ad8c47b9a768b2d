"""Titles in markdown that converters make from PDFs: no blank lines, tables among the text."""

import pytest
from title_texts import BODY

from treepack import Document, Source, audit, pack, parse
from treepack.numbers.grammar import parse_clause
from treepack.outline.titles.lines import Line
from treepack.outline.titles.printed import number_alone

TABLE = "| part | size |\n| --- | --- |\n| pump | 12 mm |\n"
TITLES = ("1 Scope", "2 Parts", "2.1 Pump", "2.2 Tank", "3 Use", "4 Repair")


def outline(document: Document) -> list[str]:
    return [section.heading.text for section in document.root.walk() if section.heading]


def converted(*before: str) -> str:
    """Titles with their text, without blank lines; ``before`` has the text above each title."""
    return "".join(
        f"{above}{title}\n{BODY * 4}" for above, title in zip(before, TITLES, strict=True)
    )


def test_text_directly_below_a_table_may_contain_titles() -> None:
    """For markdown, all lines up to the next blank line are table rows with one cell each."""
    text = converted(f"{BODY}\n{TABLE}{BODY}", *[""] * 5)
    document = parse(Source(text, "pump.md"))
    assert outline(document) == list(TITLES)
    chunks = pack(text, max_tokens=64, target_tokens=64)
    assert not audit(text, chunks, max_tokens=64).findings


def test_rows_of_a_table_are_not_titles() -> None:
    rows = "".join(f"| {title} | {BODY[:40]} |\n" for title in TITLES)
    assert outline(parse(Source(f"{BODY}\n{TABLE}{rows}\n{BODY}", "pump.md"))) == []
    open_rows = "".join(f"{title} | {BODY[:40]}\n" for title in TITLES)
    assert outline(parse(Source(f"{BODY}\n{TABLE}{open_rows}\n{BODY}", "pump.md"))) == []
    html = "".join(f"<tr><td>\n{title}\n</td></tr>\n{BODY * 2}" for title in TITLES)
    assert outline(parse(Source(f"{BODY}\n<table>\n{html}</table>\n", "pump.md"))) == []


def test_accidental_heading_markup_is_text_and_hides_no_titles() -> None:
    """Code that a converter mistook for text has lines that begin with a number sign."""
    code = "# include <stdio.h>\n# include <pump.h>\n# include <tank.h>\n"
    text = converted("", code, "", *[f"{BODY * 40}"] * 3) + "# 5 Care\n"
    document = parse(Source(text, "pump.md"))
    assert outline(document) == [*TITLES, "5 Care"]
    reasons = [change.reason for change in document.outline_changes if change.new_level is None]
    assert reasons == ["markup by chance: titles have no markup here"] * 3


def test_heading_markup_as_frequent_as_other_titles_is_not_accidental() -> None:
    marked = "".join(f"# {name}\n{BODY * 4}" for name in ("Pump", "Tank", "Valve", "Relay"))
    text = marked + converted(*[f"{BODY * 40}"] * 6)
    assert outline(parse(Source(text, "pump.md")))[:4] == ["Pump", "Tank", "Valve", "Relay"]


def test_code_lines_that_look_like_headings_break_no_law() -> None:
    code = "# include <stdio.h>\n# include <pump.h>\n"
    text = converted("", code, "", *[f"{BODY * 40}"] * 3)
    assert not audit(text, pack(text)).findings


def test_a_setext_line_below_text_with_a_title_changes_no_heading() -> None:
    """Markdown reads all lines above as one heading, but the title among them ends it."""
    text = converted("", "", "", *[f"{BODY * 40}"] * 3).replace(f"4 Repair\n{BODY * 4}", "")
    text += f"\nuntil then.\n4 Repair\n{BODY * 2}---\n{BODY}"
    document = parse(Source(text, "pump.md"))
    assert "4 Repair" in outline(document)
    assert not any(change.title.startswith("until") for change in document.outline_changes)
    assert not audit(text, pack(text)).findings


def test_marked_headings_between_blank_lines_are_never_accidental() -> None:
    text = "\n".join(f"{title}\n\n{BODY * 3}" for title in ("# Pump", "# Tank", *TITLES))
    assert outline(parse(Source(text, "pump.md")))[:2] == ["Pump", "Tank"]


def test_entries_of_a_torn_table_of_contents_are_not_titles() -> None:
    """Extraction puts the numbers of some entries on lines of their own."""
    entries = "".join(
        f"{number}\n\n{title.upper()} {'.' * 40} {page}\n\n"
        for page, (number, title) in enumerate(title.split(" ", 1) for title in TITLES)
    )
    document = parse(Source(f"{BODY}\n{entries}{BODY * 3}", "pump.txt"))
    assert not any("...." in title or title[0].isdigit() for title in outline(document))


@pytest.mark.parametrize("below", ["THE PUMP ........... 175", "THE PUMP . . . . . . . 175"])
def test_a_table_of_contents_entry_is_not_the_title_of_the_number_above(below: str) -> None:
    lines = [Line(0, 3, 0, "3.1", 0, is_open=True), Line(4, 30, 1, below, 0, is_open=True)]
    assert number_alone(lines, 0) is None
    lines[1].text = "The pump"
    assert number_alone(lines, 0) is not None


def paragraphs(*titles: str) -> str:
    return "".join(f"{title}\n\n{BODY}\n" for title in titles)


def levels(document: Document) -> list[tuple[int, str]]:
    walked = (section.heading for section in document.root.walk())
    return [(heading.level, heading.text) for heading in walked if heading]


BOLD = ("**2.1 Pump**", "**2.1.1 Inlet**", "**2.2** **Tank**", "# 3 Use", "**3.1 By day**")


def test_bold_numbers_that_continue_marked_ones_are_titles_below_them() -> None:
    """Converters mark headings by font size, and lower titles have the size of the text."""
    document = parse(paragraphs("# Manual", "## 1 Scope", "## 2 Parts", *BOLD))
    assert levels(document)[2:] == [
        (2, "2 Parts"),
        (3, "2.1 Pump"),
        (4, "2.1.1 Inlet"),
        (3, "2.2 Tank"),
        (1, "3 Use"),
        (2, "3.1 By day"),
    ]
    assert {c.reason for c in document.outline_changes} == {
        "its number continues the previous ones"
    }


def test_bold_titles_may_contain_code_and_italics() -> None:
    """Manuals of programs have such titles: the name of what a section is about."""
    bold = ("**2.1** `\\open`", "**2.2** **The** `close` **call**", "**2.3** **With** _**TeX**_")
    found = levels(parse(paragraphs("# Manual", "## 1 Scope", "## 2 Parts", *bold)))
    assert found[3:] == [(3, "2.1 \\open"), (3, "2.2 The close call"), (3, "2.3 With TeX")]
    text = paragraphs("# Manual", "## 1 Scope", "## 2 Parts", "**2.1** `open` is slow.", *bold[1:])
    assert "2.1 open is slow." not in outline(parse(text))


@pytest.mark.parametrize("title", ["\\open", "@property", "#define"])
def test_a_title_may_begin_with_the_symbol_of_a_command(title: str) -> None:
    number = parse_clause(f"2.1 {title}")
    assert number is not None
    assert number.label == "2.1"
    assert parse_clause(f"2.1 {title[0]} 5") is None


def test_many_bold_numbers_are_titles_below_the_marked_ones_they_continue() -> None:
    kinds = ("inlet", "outlet", "valve", "tank", "filter", "lid", "relay", "motor")
    numbers = [f"**{top}.{n} The {kind}**" for top in (1, 2) for n, kind in enumerate(kinds, 1)]
    parts = ("# Manual", "## 1 Scope", *numbers[:8], "## 2 Parts", *numbers[8:])
    found = levels(parse(paragraphs(*parts)))
    assert len(found) == len(parts)
    assert {level for level, title in found if "The" in title} == {3}


def test_bold_numbers_that_continue_no_marked_one_are_text() -> None:
    marked = outline(parse(paragraphs("# Manual", "# Scope", "# Parts", "# Care", "# Use", *BOLD)))
    assert marked == ["Manual", "Scope", "Parts", "Care", "Use", "3 Use"]
    steps = paragraphs("# Manual", "## 1 Scope", "## 2 Parts", "**1. Open it**", "**2. Close it**")
    assert outline(parse(steps)) == ["Manual", "1 Scope", "2 Parts"]


def test_captions_marked_as_headings_are_text_in_converted_documents() -> None:
    table = f"### Table 2. Sizes of pumps\n\n{TABLE}\n{BODY}"
    feet = "".join(f"{BODY * 4}and until the\n\n{n} of 9\n\n" for n in range(1, 10))
    document = parse(f"# Pumps\n\n{BODY}\n{table}\n{feet}")
    assert outline(document) == ["Pumps"]
    assert [c.reason for c in document.outline_changes] == ["caption of a table or a figure"]
    assert outline(parse(f"# Pumps\n\n{table}")) == ["Pumps", "Table 2. Sizes of pumps"]


def test_a_repeated_page_heading_is_not_a_heading_even_inside_a_page() -> None:
    """A picture may leave no page number between two pages."""
    page = f"## **Acme AN10**\n\n{BODY * 3}and until the\n\n"
    pages = "".join(page + (f"{number}\n\n" if number != 5 else "") for number in range(1, 10))
    document = parse(f"# Pumps\n\n{BODY}\n{pages}")
    assert outline(document) == ["Pumps"]


def test_the_first_heading_is_the_title_even_if_it_is_repeated_on_each_page() -> None:
    page = f"# **Acme AN10**\n\n{BODY * 3}and until the\n\n"
    document = parse("".join(f"{page}{number}\n\n" for number in range(1, 10)))
    assert outline(document) == ["Acme AN10"]
