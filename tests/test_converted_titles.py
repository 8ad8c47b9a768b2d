"""Titles in markdown that converters make from PDFs: no blank lines, tables among the text."""

from title_texts import BODY

from treepack import Document, PackConfig, Source, audit, pack, parse

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
    assert not audit(text, chunks, PackConfig(max_tokens=64)).findings


def test_rows_of_a_table_are_not_titles() -> None:
    rows = "".join(f"| {title} | {BODY[:40]} |\n" for title in TITLES)
    assert outline(parse(Source(f"{BODY}\n{TABLE}{rows}\n{BODY}", "pump.md"))) == []
    open_rows = "".join(f"{title} | {BODY[:40]}\n" for title in TITLES)
    assert outline(parse(Source(f"{BODY}\n{TABLE}{open_rows}\n{BODY}", "pump.md"))) == []
    html = "".join(f"<tr><td>\n{title}\n</td></tr>\n{BODY * 2}" for title in TITLES)
    assert outline(parse(Source(f"{BODY}\n<table>\n{html}</table>\n", "pump.md"))) == []
