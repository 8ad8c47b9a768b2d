"""What a `MarkdownWriter` writes parses to the blocks and texts that were written."""

import re
from typing import Any

import pytest
from case_files import case_file
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from strategies import generated

import treepack
from treepack import Document
from treepack.markdown.block_tokens import cell_spans
from treepack.markdown.html_tables import plain_html, read_cells
from treepack.model import blocks as model
from treepack.model.source import Source
from treepack.readers.grids import Cell, count_header_rows, fill
from treepack.readers.inlines import InlinePiece
from treepack.readers.writer import MarkdownWriter

CASES = case_file("parts/written.json")

texts = st.lists(
    st.tuples(st.sampled_from(CASES["words"]), st.sampled_from(("", " ", " ", "\n", "\r\n", "\r"))),
    min_size=1,
    max_size=9,
).map(lambda parts: "".join(word + end for word, end in parts))

Written = tuple[Any, ...]


def flat(text: str) -> str:
    return " ".join(text.replace("\0", "\ufffd").replace("\ufeff", "").split())


def bare(line: str) -> str:
    """Return a line of code without what could be the marker of a quote around it."""
    return flat(line.lstrip("> "))


visible = texts.filter(flat)  # a byte order mark is not text
paragraphs = st.tuples(st.just("paragraph"), visible)
headings = st.tuples(st.just("heading"), st.integers(1, 6), visible)
codes = st.tuples(st.just("code"), st.sampled_from(("", "python")), visible)
tables = st.integers(1, 3).flatmap(
    lambda width: st.tuples(
        st.just("table"),
        st.integers(0, 2),
        st.lists(st.lists(visible, min_size=width, max_size=width), min_size=3, max_size=4),
    )
)
others = st.sampled_from([("rule",), ("math", "x^2\n\n- y"), ("image", "A *plan* [1]")])
leaves = paragraphs | codes | tables | others


def containers(inside: st.SearchStrategy[Written]) -> st.SearchStrategy[Written]:
    blocks = st.lists(inside, min_size=1, max_size=3)
    lists = st.tuples(
        st.just("list"), st.none() | st.integers(0, 120), st.lists(blocks, min_size=1, max_size=3)
    )
    return lists | st.tuples(st.just("quote"), blocks)


ORIGIN = "docx:paragraph 1"  # like a reader's, whose text is known to be markdown
trees = st.lists(headings | st.recursive(leaves, containers, max_leaves=8), max_size=6)


def write(writer: MarkdownWriter, blocks: list[Written]) -> None:
    for block in blocks:
        match block:
            case ("list", start, items):
                writer.open_list(ordered=start is not None, start=start or 0)
                for item in items:
                    writer.open_item()
                    write(writer, item)
                    writer.close()
                writer.close()
            case ("quote", inside):
                writer.open_quote()
                write(writer, inside)
                writer.close()
            case ("table", header_rows, rows):
                writer.table(rows, header_rows, origin=ORIGIN)
            case ("code", language, text):
                writer.code(text, language, ORIGIN)
            case _:
                name, *values = block
                getattr(writer, name)(*values, origin=ORIGIN)


def expected(block: Written) -> Written:
    match block:
        case ("list", start, items):
            marks = [None if start is None else start + n for n in range(len(items))]
            inside = [[*map(expected, item)] for item in items]
            return ("list", list(zip(marks, inside, strict=True)))
        case ("quote", inside):
            return ("quote", [*map(expected, inside)])
        case ("table", header_rows, rows):
            columns = rows[header_rows - 1] if header_rows else ("",) * len(rows[0])
            body = [[flat(cell) for cell in row] for row in rows[header_rows:]]
            return ("table", tuple(map(flat, columns)), body)
        case ("code", language, text):
            cleaned = text.replace("\ufeff", "").replace("\0", "\ufffd")
            lines = re.split(r"\r\n?|\n", cleaned.rstrip())
            while not lines[0].strip():  # blank lines at the ends of code are left out
                lines.pop(0)
            return ("code", language, [bare(line) for line in lines])
        case (("heading" | "paragraph"), *level, text):
            return (block[0], *level, flat(text))
        case _:
            return block[:1]


COMMONMARK = MarkdownIt("commonmark")


def inline(text: str) -> str:
    """Return the text that CommonMark shows for inline markdown."""
    tokens = COMMONMARK.parseInline(text)[0].children or []
    parts = [" " if t.type in ("softbreak", "hardbreak") else t.content for t in tokens]
    assert not {t.type for t in tokens} & {"link_open", "em_open", "strong_open", "image"}
    return flat("".join(parts))


def inner(text: str) -> str:
    """Return a block's lines without the markers of the containers around it."""
    head, *rest = text.split("\n")
    return "\n".join([head, *(re.sub(r"^[> ]+", "", line) for line in rest)])


def cells(text: str, table: model.Table, row: tuple[int, int]) -> list[str]:
    if table.is_html:
        return [flat(plain_html(text, *cell.content)) for cell in read_cells(text, *row)]
    raw = [
        re.sub(r"(?<!\\)((?:\\\\)*)\|$", r"\1", text[start:end].removeprefix("|").strip()).strip()
        for start, end in cell_spans(text, *row)
    ]
    return [inline(cell.replace("\\|", "|").replace("<br>", " ")) for cell in raw]


def as_read(document: Document, block: model.Block) -> Written:
    text = document.source.text
    content = text[block.start : block.end]
    found: Written
    match block:
        case model.Heading():
            found = ("heading", block.level, block.text)
        case model.Paragraph():
            found = ("paragraph", inline(inner(content)))
        case model.CodeBlock():
            lines = inner(content).split("\n")
            found = ("code", block.info, [bare(line) for line in lines[1:-1]])
        case model.ListBlock():
            numbers = [int(i.marker[:-1]) if block.ordered else None for i in block.items]
            inside = [[as_read(document, b) for b in item.blocks] for item in block.items]
            found = ("list", list(zip(numbers, inside, strict=True)))
        case model.BlockQuote():
            found = ("quote", [as_read(document, b) for b in block.blocks])
        case model.Table():
            rows = [cells(text, block, row) for row in block.rows]
            columns = block.columns or ("",) * len(rows[0])
            found = ("table", tuple(map(flat, columns)), rows)
        case _:  # any other kind that the writer does not write differs from what was written
            found = ({"thematic_break": "rule"}.get(block.kind, block.kind),)
    return found


def read_back(source: Source) -> list[Written]:
    document = treepack.parse(source)
    assert not document.skipped
    blocks = [
        block
        for section in document.root.walk()
        for block in (*([section.heading] if section.heading else []), *section.blocks)
    ]
    return [as_read(document, block) for block in blocks]


@generated
@given(trees)
@example([("paragraph", "---\ntitle: x\n---")])
@example([("heading", 1, "<!--")])
@example([("list", 1, [[("paragraph", "a")]]), ("list", 1, [[("paragraph", "a")]])])
@example([("paragraph", "a\n:--\n|---|\n===")])
@example([("list", None, [[("rule",)], [("list", 7, [[("code", "", "```\n~~~")]])]])])
def test_written_blocks_are_read_back_unchanged(blocks: list[Written]) -> None:
    """Plain text never becomes structure, and structure never becomes text."""
    writer = MarkdownWriter()
    write(writer, blocks)
    source = writer.source()
    for written in (source, Source(source.text, "saved.md")):
        assert [*map(expected, blocks)] == read_back(written)


@pytest.mark.parametrize("text", CASES["unescaped"])
def test_text_is_escaped_only_where_necessary(text: str) -> None:
    """A backslash in a number or a name hurts search."""
    writer = MarkdownWriter()
    writer.paragraph(text)
    assert writer.source().text == text + "\n"


@pytest.mark.parametrize(
    ("rows", "count"),
    [
        ([["a", "b"], ["1", "2"]], 1),
        ([[Cell("a", rows=2), Cell("b", columns=2)], ["x", "y"], ["1", "2", "3"]], 2),
        ([["", Cell("b", columns=2)], ["a", "x", "y"], ["1", "2", "3"]], 2),
        ([["name", Cell("b", columns=2)], ["Jo", "x", "y"], ["1", "2", "3"]], 1),  # a form
        ([[Cell("title", columns=2)], ["", ""], ["1", "2"]], 1),
        ([["a", "b"]], 0),
        ([], 0),
    ],
)
def test_names_of_columns_below_names_of_groups_are_a_header_row(
    rows: list[list[Cell | str]], count: int
) -> None:
    cells = [[c if isinstance(c, Cell) else Cell(c) for c in row] for row in rows]
    assert count == count_header_rows(cells)


@pytest.mark.parametrize("header_rows", [0, 1, 2])
@pytest.mark.parametrize("caption", ["Modes of operation", "Table 3: A * B", "snake_case"])
def test_a_written_caption_is_read_back(header_rows: int, caption: str) -> None:
    """GFM has no caption; a styled line right before the table is one."""
    writer = MarkdownWriter()
    writer.table([["a", "b"], ["1", "2"], ["3", "4"]], header_rows, caption)
    (*_, table) = treepack.parse(writer.source()).root.blocks
    assert isinstance(table, model.Table)
    assert (caption, header_rows or 1) == (table.caption, table.header_rows)


def test_inline_pieces_keep_their_formatting() -> None:
    """Code, images and superscript digits mean something; their markup is around the text."""
    code, strong = InlinePiece("a`b|c", "code"), InlinePiece(" x ", "strong")
    writer = MarkdownWriter()
    writer.paragraph(["set ", code, "* to 10", InlinePiece("2", "sup"), " ", strong])
    writer.table([[[code]]])
    writer.table([[[code]], ["x"], ["y"]], 2)
    text = writer.source().text
    assert text.startswith("set ``a`b|c``\\* to 10<sup>2</sup> **x**\n")
    assert "| ``a`b\\|c`` |" in text
    assert "<code>a`b|c</code>" in text


def test_the_label_of_an_item_is_written_before_its_text() -> None:
    """Word's and HTML's ``(a)`` and ``iv.`` are not markdown markers, but must not be lost."""
    writer = MarkdownWriter()
    writer.open_list()
    writer.open_item(label="(a)")
    writer.paragraph("text")
    writer.close()
    writer.open_item(label="(b)")
    writer.code("x")
    writer.close()
    writer.open_item(label="(c)")
    writer.close()
    writer.close()
    assert writer.source().text == "- (a) text\n- (b)\n\n  ```\n  x\n  ```\n\n- (c)\n"


def test_page_marks_and_origins_are_kept() -> None:
    """Pages and origins are what a reader of a chunk goes back to; they survive JSON."""
    writer = MarkdownWriter("a.docx", {"author": "x"})
    writer.page(1)
    writer.heading(1, "T", "docx:paragraph 1")
    writer.page(2)
    writer.page(3)
    writer.paragraph("")
    writer.paragraph("p", "docx:paragraph 9")
    writer.paragraph("q", "docx:paragraph 9")
    source = writer.source()
    at = source.text.index("p")
    assert ((0, 1), (at, 3)) == source.page_marks
    assert ((0, "docx:paragraph 1"), (at, "docx:paragraph 9")) == source.origins
    document = treepack.parse(source)
    assert Document.from_json(document.to_json()).source == source


def test_deeply_nested_lists_produce_bounded_output() -> None:
    """Lists nested 20,000 deep are bounded: the markers before a line do not grow with them."""
    writer = MarkdownWriter()
    for _ in range(20_000):
        writer.open_list()
        writer.open_item()
        writer.paragraph("x")
    while writer.depth:
        writer.close()
    text = writer.source().text
    assert text.count("x") == 20_000
    assert len(text) < 1_000_000


def test_huge_spans_do_not_enlarge_a_grid() -> None:
    """A cell may claim 65,534 rows and 1,000 columns; a hundred such cells stay a hundred cells."""
    rows = [[Cell("x", columns=1000, rows=65534)] for _ in range(100)]
    assert sum(map(len, fill(rows).rows)) == 100
