"""Measure the tables of the PDF reader on PDFs whose tables are known.

Run ``python integration_tests/measure_pdf_tables.py [--documents 20] [--first 0] [--keep FOLDER]``
where ``reportlab`` is installed. It writes documents with tables of five kinds, with spans, wrapped
and empty cells, captions and pages between them, and with what is no table: charts, framed texts,
columns with a rule between them, rules around a text. Each document is made of its own number, so
other numbers are other documents: those below 1,000 may be looked at, the others are only measured.

* cells: share of the cells that stand in their row and column with their text
* tables: tables that were found as one; captions: those at their table
* false: words of the tables that are in no true one, as a share of all words
"""

import argparse
import html
import random
import re
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import treepack
from treepack.readers.pdf import read_pdf

# reportlab has no types, and nothing but this measure needs it
_PARTS: Final[Any] = import_module("reportlab.platypus")
_STYLES: Final[Any] = import_module("reportlab.lib.styles")
_COLORS: Final[Any] = import_module("reportlab.lib.colors")
_SHAPES: Final[Any] = import_module("reportlab.graphics.shapes")
_BARS: Final[Any] = import_module("reportlab.graphics.charts.barcharts")
_WORDS: Final = re.findall(
    r"\w+",
    "pump valve flange bolt seal shaft rotor cover base pipe level torque pressure flow heat oil"
    " the of a with for and which is at in to drawn checked closed open worn loose tight each"
    " before after every size number limit value upper lower inner outer steel brass cast",
)
_KINDS: Final = ("grid", "rows", "booktabs", "inner", "shaded")
_WORD: Final = re.compile(r"[^\W_]+")
_ESCAPED: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_CELL: Final = re.compile(r"(?<!\\)\|")
_MOST_SHIFT: Final = 2  # rows

Rows = list[list[str]]


@dataclass
class Table:
    """A table as it was meant to be read.

    Attributes:
        kind: How its rules are drawn.
        rows: Its cells; a cell that spans several slots is in each of them.
        caption: Its caption; empty if there is none.
    """

    kind: str
    rows: Rows
    caption: str = ""


@dataclass
class GeneratedDocument:
    """A generated document, and the tables that it truly has."""

    data: bytes
    tables: list[Table] = field(default_factory=list[Table])
    words: int = 0


# -------------------------------------------------------------------- documents


class _Writer:
    """Writes one document, with its number as the random seed."""

    def __init__(self, number: int) -> None:
        self._chance = random.Random(number)  # noqa: S311 - the same documents each time
        names = self._chance.choice(
            [("Helvetica", "Helvetica-Bold"), ("Times-Roman", "Times-Bold")]
        )
        self._font, self._bold = names
        size = self._chance.choice([8, 9, 10, 11])
        self._text: Any = _STYLES.ParagraphStyle("text", fontName=names[0], fontSize=size)
        self._text.leading = size * 1.2
        self._text.spaceAfter = size
        self._size = size
        self.tables: list[Table] = []

    def document(self) -> GeneratedDocument:
        """Return the document."""
        parts: list[Any] = []
        for number in range(1, 7):
            parts += [self._prose() for _ in range(self._chance.randint(1, 3))]
            parts += self._table(number)
            parts += [self._prose(), *self._no_table()]
        held = BytesIO()
        document: Any = _PARTS.SimpleDocTemplate(held, title="Pumps")
        document.build(parts)
        return GeneratedDocument(held.getvalue(), self.tables)

    def _random_words(self, least: int, most: int) -> str:
        words = self._chance.choices(_WORDS, k=self._chance.randint(least, most))
        return " ".join(words).capitalize()

    def _prose(self) -> Any:  # noqa: ANN401 - reportlab has no types
        return _PARTS.Paragraph(self._random_words(30, 70) + ".", self._text)

    def _table(self, number: int) -> list[Any]:
        kind = self._chance.choice(_KINDS)
        columns = self._chance.randint(2, 6)
        count = self._chance.choice([3, 5, 8, 8, 40])
        longest = self._chance.choice([1, 2, 9])
        rows = [[self._random_words(1, 2) for _ in range(columns)]]
        for _ in range(count):
            row = [self._random_words(1, longest if column else 2) for column in range(columns)]
            if kind != "booktabs" and self._chance.random() < 0.2:
                row[self._chance.randrange(1, columns)] = ""
            rows.append(row)
        style: list[Any] = self._rules(kind, len(rows))
        if kind in {"grid", "shaded"} and columns > 3 and self._chance.random() < 0.4:
            rows.insert(0, [rows[0][0], *[self._random_words(1, 2)] * (columns - 1)])
            style = [*self._rules(kind, len(rows)), ("SPAN", (1, 0), (-1, 0))]
            style.append(("SPAN", (0, 0), (0, 1)))
        caption = (
            f"Table {number}: {self._random_words(3, 8)}" if self._chance.random() < 0.6 else ""
        )
        self.tables.append(Table(kind, rows, caption))
        made = self._drawn(rows, style, 2 if ("SPAN", (1, 0), (-1, 0)) in style else 1)
        return self._with_caption(made, caption)

    def _drawn(self, rows: Rows, style: Sequence[Any], header_rows: int) -> Any:  # noqa: ANN401 - reportlab has no types
        width = 440 / len(rows[0])
        cells = [
            [_PARTS.Paragraph(text, self._cell(is_header=at < header_rows)) for text in row]
            for at, row in enumerate(rows)
        ]
        pad = self._chance.choice([2, 4, 6])
        style = [*style, ("VALIGN", (0, 0), (-1, -1), self._chance.choice(["TOP", "MIDDLE"]))]
        style += [(side, (0, 0), (-1, -1), pad) for side in ("LEFTPADDING", "RIGHTPADDING")]
        return _PARTS.Table(
            cells, colWidths=[width] * len(rows[0]), style=style, repeatRows=header_rows
        )

    def _cell(self, *, is_header: bool) -> Any:  # noqa: ANN401 - reportlab has no types
        font = self._bold if is_header else self._font
        return _STYLES.ParagraphStyle(
            "cell", fontName=font, fontSize=self._size, leading=self._size * 1.2
        )

    def _with_caption(self, table: Any, caption: str) -> list[Any]:  # noqa: ANN401 - reportlab has no types
        caption_parts = [_PARTS.Paragraph(caption, self._text)] if caption else []
        below = self._chance.random() < 0.3
        gap = _PARTS.Spacer(1, 4)
        return (
            [table, gap, *caption_parts, _PARTS.Spacer(1, 12)]
            if below
            else [*caption_parts, table, _PARTS.Spacer(1, 12)]
        )

    def _rules(self, kind: str, rows: int) -> list[Any]:
        black, all_over = _COLORS.black, ((0, 0), (-1, -1))
        width = self._chance.choice([0.25, 0.5, 1.0])
        booktabs: list[Any] = [
            ("LINEABOVE", (0, 0), (-1, 0), 2 * width, black),
            ("LINEBELOW", (0, 0), (-1, 0), width, black),
            ("LINEBELOW", (0, rows - 1), (-1, rows - 1), 2 * width, black),
            ("LINEBELOW", (0, "splitlast"), (-1, "splitlast"), 2 * width, black),
        ]
        across: list[Any] = [
            ("LINEABOVE", *all_over, width, black),
            ("LINEBELOW", *all_over, width, black),
        ]
        shade: list[Any] = [("BACKGROUND", (0, 0), (-1, 0), _COLORS.lightgrey)]
        shade += [("GRID", *all_over, width, _COLORS.grey)]
        inner: list[Any] = [*across, ("INNERGRID", *all_over, width, black)]
        kinds: dict[str, list[Any]] = {
            "grid": [("GRID", *all_over, width, black)],
            "rows": across,
            "booktabs": booktabs,
            "inner": inner,
            "shaded": shade,
        }
        return kinds[kind]

    def _no_table(self) -> list[Any]:
        black = _COLORS.black
        style: list[Any]
        match self._chance.randrange(5):
            case 0:
                return [self._chart()]
            case 1:
                style = [("BOX", (0, 0), (-1, -1), 1, black)]
                return [
                    _PARTS.Table(
                        [[_PARTS.Paragraph(self._random_words(30, 60), self._text)]], style=style
                    )
                ]
            case 2:
                two = [
                    _PARTS.Paragraph(self._random_words(60, 80) + ".", self._text) for _ in range(2)
                ]
                style = [("LINEAFTER", (0, 0), (0, 0), 0.5, black)]
                return [_PARTS.Table([two], colWidths=[220, 220], style=style)]
            case 3:
                rules = [_PARTS.HRFlowable(width="100%", spaceAfter=6) for _ in range(3)]
                return [rules[0], self._prose(), rules[1], self._prose(), rules[2]]
            case _:
                return []

    def _chart(self) -> Any:  # noqa: ANN401 - reportlab has no types
        drawing: Any = _SHAPES.Drawing(300, 160)
        chart: Any = _BARS.VerticalBarChart()
        chart.x, chart.y, chart.width, chart.height = 40, 30, 240, 110
        chart.data = [[self._chance.randint(1, 90) for _ in range(5)] for _ in range(2)]
        chart.categoryAxis.categoryNames = [self._random_words(1, 1) for _ in range(5)]
        chart.valueAxis.visibleGrid = 1
        drawing.add(chart)
        return drawing


# -------------------------------------------------------------------- what was read


class _Html(HTMLParser):
    """The cells of HTML tables, and their captions."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: Rows = []
        self.caption = ""
        self._inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a row or a cell."""
        del attrs
        if tag == "tr":
            self.rows.append([])
        elif tag in {"td", "th"}:
            self.rows[-1].append("")
        self._inside = tag if tag in {"td", "th", "caption"} else self._inside

    def handle_endtag(self, tag: str) -> None:
        """End a cell."""
        self._inside = "" if tag == self._inside else self._inside

    def handle_data(self, data: str) -> None:
        """Add text to the current cell or to the caption."""
        if self._inside == "caption":
            self.caption += data
        elif self._inside:
            self.rows[-1][-1] += data


def tables_read(document: treepack.Document) -> Iterator[tuple[Rows, str]]:
    """Yield the tables of a document, each with its caption."""
    text = document.source.text
    before = ""
    for section in document.root.walk():
        for block in section.blocks:
            source = text[block.start : block.end]
            if source.startswith("<table"):
                parser = _Html()
                parser.feed(source)
                yield parser.rows, parser.caption
            elif block.kind == "table":
                lines = [line for line in source.splitlines() if line.startswith("|")]
                rows = [[cell.strip() for cell in _CELL.split(line)[1:-1]] for line in lines]
                rows.pop(1)
                yield [[_ESCAPED.sub(r"\1", cell) for cell in row] for row in rows], before
            before = html.unescape(_ESCAPED.sub(r"\1", source.strip().strip("*_")))


def same_cells(true: Rows, read: Rows) -> int:
    """Return how many cells are in their place, if the rows may be shifted by ``_MOST_SHIFT``."""
    return max(
        sum(
            one == two
            for at, row in enumerate(true)
            if 0 <= at + shift < len(read)
            for one, two in zip(row, read[at + shift], strict=False)
        )
        for shift in range(-_MOST_SHIFT, _MOST_SHIFT + 1)
    )


@dataclass
class Figures:
    """What was counted: for each kind of table the cells and tables, and those that are right."""

    cells: Counter[str] = field(default_factory=Counter[str])
    right: Counter[str] = field(default_factory=Counter[str])
    tables: Counter[str] = field(default_factory=Counter[str])
    whole: Counter[str] = field(default_factory=Counter[str])
    captions: list[bool] = field(default_factory=list[bool])
    false: int = 0
    words: int = 0

    def add(self, made: GeneratedDocument) -> None:
        """Read a document and add to the counts."""
        source = read_pdf(made.data, "made.pdf")
        found = list(tables_read(treepack.parse(source)))
        own: dict[int, list[Table]] = defaultdict(list)
        for table in made.tables:
            counts = [same_cells(table.rows, rows) for rows, _ in found] or [0]
            best = max(range(len(counts)), key=lambda at: counts[at])
            kind, size = table.kind, sum(map(len, table.rows))
            self.cells[kind] += size
            self.right[kind] += counts[best]
            self.tables[kind] += 1
            self.whole[kind] += counts[best] == size
            own[best].append(table)
            if table.caption:
                self.captions.append(bool(found) and found[best][1] == table.caption)
        true = Counter(word for table in made.tables for word in _words(table.rows))
        read_words = Counter(word for rows, _ in found for word in _words(rows))
        self.false += sum((read_words - true).values())
        self.words += len(_WORD.findall(source.text))

    def report(self) -> Iterator[str]:
        """Yield the figures as lines of text."""
        for kind in [*sorted(self.cells), ""]:
            kinds = [kind] if kind else list(self.cells)
            right, cells = (sum(each[k] for k in kinds) for each in (self.right, self.cells))
            whole, tables = (sum(each[k] for k in kinds) for each in (self.whole, self.tables))
            share = f"{right:5}/{cells:<5} {right / max(cells, 1):7.2%}"
            yield f"{kind or 'all':<10} cells {share}  whole {whole:3}/{tables:<3}"
        yield f"captions at their table {sum(self.captions)}/{len(self.captions)}"
        false = self.false / max(self.words, 1)
        yield f"words in false tables {self.false}/{self.words} {false:.2%}"


def _words(rows: Rows) -> list[str]:
    return [word for row in rows for cell in row for word in _WORD.findall(cell)]


def main() -> None:
    """Measure generated documents and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=20)
    parser.add_argument("--first", type=int, default=0, help="the number of the first document")
    parser.add_argument("--keep", type=Path, help="a folder for the documents")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    figures = Figures()
    for number in range(options.first, options.first + options.documents):
        made = _Writer(number).document()
        if options.keep:
            (options.keep / f"{number}.pdf").write_bytes(made.data)
        figures.add(made)
    print("\n".join(figures.report()))


if __name__ == "__main__":
    main()
