"""Texts whose titles have no markup, and their outlines, for the tests of titles."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from case_files import CASES, parts_of

from treepack import Document, parse
from treepack.model.source import Source, Typography

BODY = (
    "The pump moves water from the lower tank to the upper one, and stops by itself when that\n"
    "tank is full. Nobody has to watch it, although somebody should look at the filter each week.\n"
)


def outline(text: str | Source | Document) -> list[tuple[int, str]]:
    """Return the depth and title of each section."""
    found: list[tuple[int, str]] = []
    waiting = [(0, (text if isinstance(text, Document) else parse(text)).root)]
    while waiting:
        depth, section = waiting.pop()
        if section.heading:
            found.append((depth, section.heading.text))
        waiting += [(depth + 1, child) for child in reversed(section.sections)]
    return found


def titled(*titles: str, body: str = BODY) -> str:
    """Return a text of titles, each over a paragraph."""
    return "".join(f"{title}\n\n{body}\n" for title in titles)


@dataclass
class Written:
    """A text of `titles.txt` with its settings, its lines that are titles, and their outline."""

    text: str
    settings: dict[str, str]
    lines: list[str]
    outline: list[tuple[int, str]]
    typography: list[tuple[int, Typography]]


def written_titles() -> Iterator[Any]:
    """Yield the cases of `titles.txt`, which explains itself how they are written."""
    for name, lines in parts_of("titles.txt"):
        given = (line[2:].partition(" ") for line in lines if line.startswith("@"))
        settings = {setting: value for setting, _, value in given}
        yield pytest.param(written(lines, settings), id=name)


def written(lines: list[str], settings: dict[str, str]) -> Written:
    """Build the text of a case from its lines."""
    at = next((n for n, line in enumerate(lines) if line.startswith("@ for ")), -1) + 1
    values = [value.replace("_", " ") for value in settings.get("for", "_").split()]
    lines = lines[:at] + [line.replace("{}", value) for value in values for line in lines[at:]]
    lines = [line for line in lines if not line.startswith("@")]
    body = (BODY * int(settings.get("body", 1))).strip()
    made = Written("", settings, [], [], [])
    parts: list[str] = []
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        sign, _, rest = line.partition(" ")
        text, _, title = rest.replace("↵", "\n").replace("¶", "\n\n").partition(" => ")
        if size := re.match(r"\{(\w+)\} ", text):
            text = text.removeprefix(size[0])
            is_bold = size[1] == "bold"
            typography = Typography(bold=is_bold, size=None if is_bold else float(size[1]))
            made.typography.append((len("\n\n".join([*parts, ""])), typography))
        if sign not in (".", "+") and "centred" in settings:
            text = "\n".join(row.center(76).rstrip() for row in text.split("\n"))
        text = text.rstrip("\n") if text.strip() else body
        parts.append(text) if sign != "+" else parts.append(f"{parts.pop()}\n{text}")
        if sign[0].isdigit():
            made.lines.append(text)
            made.outline.append((int(sign[0]), title or without_marks(text)))
        if sign not in (".", "+") and "!" not in sign and below[:1] not in (".", "+"):
            parts.append(body)
    made.text = ("\n" if "tight" in settings else "\n\n").join(parts) + "\n"
    return made


def without_marks(lines: str) -> str:
    """Return the words of the lines of a title, without rules, bold type and marks of headings."""
    words = [line for line in lines.split("\n") if re.search(r"\w", line)]
    return " ".join(re.sub(r"\*\*|^#+ ", "", " ".join(words)).split())


MANUAL = titled("1. Scope", "2. Parts", "2.1. Pump", "2.2. Tank", "3. Use", "Appendix A. Spares")
CONTENTS = (CASES / "texts" / "contents.txt").read_text("utf-8")


def pages(*texts: str) -> str:
    """Return pages with a running header and a page number, as a PDF loader gives them."""
    return "\f".join(f"The Pump Manual\n{text}\n{n}" for n, text in enumerate(texts, 3))


SENTENCES = [
    "Water comes in from the left side, and the valve there is closed by hand if it is not wanted",
    "for some days. Nothing else is done.\nCHAPTER\nFilters are washed each week, or when the",
    "flow is slow. Then the lid is taken off.\nA new filter costs little, and a clean one is as",
    "good as a new one. That is all there is to say.",
]
PAGES = pages(*SENTENCES)
CONTRACT = titled("ARTICLE I Water", "Section 1.1 Wells", "ARTICLE II Air")
