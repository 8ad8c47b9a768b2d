"""PDFs drawn as `cases/pdf.txt` says, whose text, tables and titles are given there.

A case has pages and what to expect. ``3 pages``, ``prose`` (a paragraph) and ``chapters`` (six,
each a title and a paragraph) begin pages, on each of which the next lines draw:

* ``72,700,14B words / more`` lines of words at x and y, in a size and font; PROSE is a paragraph;
* ``rules 72 400 : 700 680``, ``rule x y x y``, ``grid 72 200 : 700 680``;
* ``up x,y words``, which run upwards, and ``figure x,y words``, a box with words in it;
* ``at 76 200> : 700 | a | b``, cells that begin at 76 and that end at 200; later rows repeat it.

``{n}`` is the page from 1, ``{a;b}`` its own word, ``{name}`` its chapter's, and ``310+23n`` a
position. ``bookmark 1 0 716 words`` has level, page from 0, and height. After ``->``
come expectations: ``·`` separates them, and ``↵`` ends a line.
"""

import re
from pathlib import Path
from typing import Final

import pytest
from pdf_files import PdfPage, pdf_bytes
from pdf_pages import PROSE, markdown, numbers, prose, rows_text, table_text

from treepack import parse, read

pytest.importorskip("pypdfium2")

NAMES: Final = ("Floor", "Pipes", "Bolts", "Torque", "Seals", "Valves")
FILE: Final = Path(__file__).with_name("cases") / "pdf.txt"
CASES: Final = dict(
    case.split("\n", 1) for case in FILE.read_text("utf-8").removeprefix("== ").split("\n== ")
)


def place(text: str, n: int) -> float:
    """Return a position; ``310+23n`` differs on each page."""
    first, step = re.fullmatch(r"(-?[\d.]+)(?:([+-][\d.]+)n)?", text).groups("0")  # type: ignore[union-attr]
    return float(first) + float(step) * n


def filled(text: str, n: int) -> str:
    """Return a line as it is drawn on a page."""
    text = text.replace("{n}", str(n)).replace("{name}", NAMES[(n - 1) % len(NAMES)])
    text = re.sub(r"PROSE\*(\d+)", lambda found: " / ".join(["PROSE"] * int(found[1])), text)
    text = text.replace("PROSE", " / ".join(PROSE))
    return re.sub(r"\{([^{}]*;[^{}]*)\}", lambda found: found[1].split(";")[n - 1], text)


class Drawing:
    """Draws the pages of a case."""

    def __init__(self) -> None:
        self.pages: list[PdfPage] = []
        self.group: list[PdfPage] = []
        self.columns = ""
        self.bookmarks: list[tuple[int, str, int, float]] = []

    def begin(self, count: int, kind: str) -> None:
        """Begin pages."""
        for n in range(1, count + 1):
            page = prose(number=n) if kind.startswith("prose") else PdfPage()
            if kind == "chapters":
                page.text(72, 740, NAMES[n - 1], 14, "B").lines(72, 700, *PROSE)
                page.text(72, 664, f"as the chapter {NAMES[n - 1]} of this manual says.")
            self.group = self.group if n > 1 else []
            self.group.append(page)
        self.pages += self.group

    def draw(self, line: str) -> None:
        """Draw a line of the case on the pages that were begun last."""
        if begun := re.fullmatch(r"(\d+ )?(pages?|proses?|chapters)", line):
            self.begin(int(begun[1] or (6 if begun[2] == "chapters" else 1)), begun[2])
            return
        if line.startswith("bookmark "):
            _, level, page, y, title = line.split(" ", 4)
            self.bookmarks.append(
                (int(level), title.replace("PROSE", " ".join(PROSE)), int(page), float(y))
            )
            return
        if line.startswith("at "):
            self.columns, _, line = line.removeprefix("at ").partition(" : ")
        for n, drawn in enumerate(self.group, 1):
            self.draw_on(drawn, filled(line, n), n)

    def draw_on(self, page: PdfPage, line: str, n: int) -> None:
        """Draw rules, a row of cells, or lines of words."""
        name, _, rest = line.partition(" ")
        if name in {"rules", "grid"}:
            xs, ys = ([place(each, n) for each in half.split()] for half in rest.split(" : "))
            page.rules(*xs, *ys) if name == "rules" else page.grid(xs, ys)
        elif name == "rule":
            page.rule(*(place(each, n) for each in rest.split()))
        elif rest.startswith("|"):
            y, size, font = style(name, n)
            for x, cell in zip(self.columns.split(), cells(rest[1:]), strict=False):
                if x.endswith(">"):
                    numbers(page, y[0], [float(x[:-1])], [cell], size)
                elif cell:
                    page.text(float(x), y[0], cell, size, font)
        elif name in {"up", "figure"}:
            where, _, words = rest.partition(" ")
            left, low = style(where, n)[0]
            if name == "up":
                page.rotated_text(left, low, words)
            else:
                page.figure(left, low, 200, 100, words, 14, "B")
        else:
            at, size, font = style(name, n)
            page.lines(at[0], at[1], *rest.split(" / "), size=size, font=font)


def style(text: str, n: int) -> tuple[list[float], float, str]:
    """Return the position, size and font that a word such as ``72,700,14B`` gives."""
    *parts, last = text.split(",")
    if found := re.fullmatch(r"(\d*)([FBIMS])", last):
        return [place(each, n) for each in parts], float(found[1] or 10), found[2]
    return [place(each, n) for each in (*parts, last)], 10, "F"


def cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.split("|")]


class Read:
    """A PDF and what is read from it; each method checks one kind of expectation."""

    def __init__(self, drawing: Drawing) -> None:
        self.pages = drawing.pages
        source = read(pdf_bytes(*drawing.pages, bookmarks=drawing.bookmarks))
        self.text = source.text
        found = [part.heading for part in parse(source).root.walk() if part.heading]
        self.headings = [(heading.level, heading.text) for heading in found]

    def times(self, least: int, most: int, values: list[str]) -> None:
        """Each text is read so often."""
        counts = [self.text.count(value) for value in values]
        assert all(least <= count <= most for count in counts), (values, counts, self.text)

    def lines(self, values: list[str]) -> None:
        """These are lines of the text."""
        assert {*values} <= {*self.text.splitlines()}

    def titles(self, values: list[str]) -> None:
        """These are all headings."""
        assert values == [title for _, title in self.headings]

    def some_titles(self, values: list[str]) -> None:
        """These are headings."""
        assert {*values} <= {title for _, title in self.headings}

    def levels(self, values: list[str]) -> None:
        """These are all headings with their levels."""
        assert values == [f"{level} {title}" for level, title in self.headings]

    def no_headings(self, _: list[str]) -> None:
        """There is no heading."""
        assert not self.headings

    def order(self, values: list[str]) -> None:
        """These texts are read once and in this order."""
        self.times(1, 1, values)
        assert sorted(values, key=self.text.index) == values

    def rows(self, values: list[str]) -> None:
        """These are rows of a table."""
        found = [cells(line[1:-1]) for line in rows_text(*self.pages).splitlines()]
        assert all(cells(value) in found for value in values), found

    def table(self, values: list[str]) -> None:
        """These are all rows of the only table."""
        assert markdown([*map(cells, values)]) == table_text(*self.pages)

    def no_table(self, _: list[str]) -> None:
        """There is no table."""
        assert not table_text(*self.pages)


TIMES: Final = {
    "has": (1, 10**9),
    "lacks": (0, 0),
    "at_most_once": (0, 1),
    "once": (1, 1),
    "three_times": (3, 3),
    "four_times": (4, 4),
}


@pytest.mark.parametrize("claim", CASES)
def test_a_pdf_is_read_as_its_case_says(claim: str) -> None:
    lines = CASES[claim].splitlines()
    drawing = Drawing()
    for line in lines:
        if line and not line.startswith("->"):
            drawing.draw(line)
    found = Read(drawing)
    for line in lines:
        if line.startswith("-> "):
            kind, _, values = line.removeprefix("-> ").replace("↵", "\n").partition(": ")
            name = kind.replace(" ", "_")
            if name in TIMES:
                found.times(*TIMES[name], values.split(" · "))
            else:
                getattr(found, name)(values.split(" · "))
