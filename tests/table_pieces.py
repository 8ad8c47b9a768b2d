"""Tables for tests, and what their chunks and pieces contain."""

from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from itertools import pairwise

from by_eye import words
from markdown_it import MarkdownIt

from treepack import Chunk, Chunks, parse
from treepack.model.blocks import Block, ListItem, Table, children

GFM = "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |"


def all_tables(text: str) -> list[Table]:
    """Return all tables of a document, including those in lists and quotes."""

    def inside(block: Block | ListItem) -> Iterator[Table]:
        if isinstance(block, Table):
            yield block
        for child in children(block):
            yield from inside(child)

    sections = parse(text).root.walk()
    return [table for section in sections for block in section.blocks for table in inside(block)]


def segment_texts(chunk: Chunk, role: str) -> list[str]:
    return [segment.text for segment in chunk.segments if segment.role == role]


def row_ranges(chunks: Chunks) -> list[tuple[int, int]]:
    """Return the first and last row of each piece; the chunks have one table."""
    return [(table.row_start, table.row_end) for chunk in chunks for table in chunk.tables]


def assert_pieces_cover_all_rows(chunks: Chunks) -> None:
    """Check that each table's pieces are numbered and that their rows continue to the last one."""
    slices = [table for chunk in chunks for table in chunk.tables]
    for key in {table.id for table in slices}:
        pieces = [table for table in slices if table.id == key]
        assert [piece.part for piece in pieces] == list(range(1, len(pieces) + 1))
        assert {piece.parts for piece in pieces} == {len(pieces)}
        assert pieces[0].row_start <= 1
        assert pieces[-1].row_end == pieces[-1].row_count
        for before, piece in pairwise(pieces):
            is_same_row = before.cell_part is not None and piece.cell_part not in (None, 1)
            assert piece.row_start == before.row_end + (not is_same_row)


def gfm_table(rows: int, width: int = 2, inside: Mapping[str, str] | None = None) -> str:
    """Return a table of rows like ``| r1 | v1 |``; ``inside`` gives the text of named rows."""
    given = inside or {}
    head = "| " + " | ".join(["key", "val", "more", "last"][:width]) + " |\n" + "|---" * width + "|"
    lines = [
        given.get(f"r{n}", "| " + " | ".join([f"r{n}", *(f"v{n}",) * (width - 1)]) + " |")
        for n in range(1, rows + 1)
    ]
    return "\n".join([head, *lines])


HEAD = "<tr><th>a</th><th>b</th></tr>\n"

BODY = "<tr><td>1</td><td>2</td></tr>\n<tr><td>3</td><td>4</td></tr>\n"

_VOID = {"br", "col", "hr", "img"}

_ENDS: dict[str, set[str]] = {  # the open elements that a start tag ends
    "tr": {"td", "th", "tr", "colgroup", "caption"},
    "td": {"td", "th"},
    "th": {"td", "th"},
    "tbody": {"td", "th", "tr", "thead", "tbody", "tfoot"},
    "tfoot": {"td", "th", "tr", "thead", "tbody", "tfoot"},
}

_MAY_STAY_OPEN = {"td", "th", "tr", "tbody", "thead", "tfoot", "li", "p"}


class ParsedPiece(HTMLParser):
    """Reads one piece as a browser would and insists that it is one complete table.

    Attributes:
        rows: The outermost table's rows, each a list of (tag, text).
        columns: For each row, the columns in which its cells begin and, last, its column count.
        caption: The text of its caption.
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.rows: list[list[tuple[str, str]]] = []
        self.columns: list[list[int]] = []
        self.caption = ""
        self.count = 0
        self.feed(text)
        self.close()
        assert not self.open, f"{self.open} stay open in {text!r}"
        assert self.count == 1, f"{self.count} tables in {text!r}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element, and close those that its start tag ends."""
        while self.open and self.open[-1] in _ENDS.get(tag, set()):
            self.open.pop()
        depth = self.open.count("table")
        if tag == "table":
            self.count += depth == 0
        elif depth == 1 and tag == "tr":
            self.rows.append([])
            self.columns.append([0])
        elif depth == 1 and tag in ("td", "th"):
            assert self.open[-1] == "tr", f"a cell in {self.open}"
            self.rows[-1].append((tag, ""))
            self.columns[-1].append(self.columns[-1][-1] + int(dict(attrs).get("colspan") or 1))
        if tag not in _VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close an element; only cells, rows and their groups may close with it."""
        assert tag in self.open, f"</{tag}> closes nothing in {self.open}"
        while (last := self.open.pop()) != tag:
            assert last in _MAY_STAY_OPEN, f"</{tag}> in <{last}>"

    def handle_data(self, data: str) -> None:
        """Add text to the current cell or to the caption."""
        if "caption" in self.open:
            self.caption += data
        elif {"td", "th"} & set(self.open):
            tag, text = self.rows[-1][-1]
            self.rows[-1][-1] = (tag, text + data)
        else:
            assert not data.strip() or "table" not in self.open, f"{data!r} in no cell"


def html_rows(count: int, cell: str = "r{n} word") -> str:
    return "".join(
        f"<tr><td>{cell.format(n=n)}</td><td>v{n} word</td></tr>\n" for n in range(1, count + 1)
    )


def stripped_cells(rows: list[list[tuple[str, str]]]) -> list[list[tuple[str, str]]]:
    return [[(tag, text.strip()) for tag, text in row] for row in rows]


def parsed_rows(text: str) -> list[list[str]]:
    """Return the rows of a text's only GFM table, as markdown-it's own table rule reads them."""
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    assert [token.type for token in tokens].count("table_open") == 1, text
    rows: list[list[str]] = []
    for token, following in pairwise(tokens):
        if token.type == "tr_open":
            rows.append([])
        elif token.type in ("td_open", "th_open"):
            rows[-1].append(following.content)
    return rows


class RecordingCounter:
    """Counts words, and records how many characters it was asked to count."""

    def __init__(self) -> None:
        self.characters = 0

    def __call__(self, text: str) -> int:
        """Count the words of a text."""
        self.characters += len(text)
        return words(text)
