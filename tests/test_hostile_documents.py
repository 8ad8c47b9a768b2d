"""Documents built to expand, or with misplaced values, give a bounded text or a clear error."""

import base64
import json
import zlib
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from typing import Any, Final, TypeAlias

import pytest
from case_files import CASES, case_table
from docling_documents import Doc, cell
from docx_files import abstract, docx, lvl, num, p, related
from hypothesis import given
from hypothesis import strategies as st

from treepack import Chunks, Source, SourceError, TreepackError, pack, read
from treepack.readers.docx.numbering import format_number
from treepack.readers.grids import Cell, fill
from treepack.readers.writer import LONGEST_VALUE, MOST_BYTES, MOST_TIMES, MarkdownWriter

# -------------------------------------------------------------------- what a few bytes become


def numbered_docx(
    form: str, paragraphs: int, number_format: str = "decimal", start: int = 1
) -> bytes:
    """A Word document whose paragraphs are all numbered by one list."""
    level = lvl(0, form, number_format, start=start)
    return docx(p("x", number=(1, 0)) * paragraphs, numbering=abstract(1, level) + num(1, 1))


def docling_with_tables(*tables: dict[str, Any]) -> bytes:
    doc = Doc()
    for data in tables:
        doc.add("tables", label="table", data={"grid": [], **data}, captions=[], footnotes=[])
    return json.dumps(doc.record).encode()


def wide_table(text: str, side: int) -> dict[str, Any]:
    """A table with one cell that spans the whole table."""
    return {"num_rows": side, "num_cols": side, "table_cells": [cell(text, 0, 0, side, side)]}


def spanning_html(rows: int, span: str) -> str:
    return "<table>" + f"<tr><td {span}>abcdefghij" * rows + "</table>"


CELLS_OVER_CELLS: Final = wide_table("y0" * 50, 90)
CELLS_OVER_CELLS["table_cells"] += [cell(f"y{n}" * 50, 0, 0, 90, 90) for n in range(1, 9)]
HTML_IN_ELEMENT: Final = {
    "type": "Table",
    "text": "a",
    "metadata": {"text_as_html": spanning_html(9, "colspan=1000 rowspan=9")},
}
RAGGED: Final = f"<table><tr>{'<td>a' * 900}{'<tr><td>a' * 90}</table>" * 20
LONG_CELL: Final = f"<table><tr><td>a<td colspan=1000>{'y' * 9000}<tr><td>b<td>c</table>"
GROWING: Final[dict[str, Callable[[], tuple[str, bytes | str]]]] = {
    "a long number": lambda: ("docx", numbered_docx("§" * 20_000, 400)),
    "a number many times in a number": lambda: (
        "docx",
        numbered_docx("%1" * 9_000, 400, "upperRoman", 3999),
    ),
    "a number of many signs": lambda: ("docx", numbered_docx("%1", 50, "chicago", 999_999_999)),
    "a long docling cell": lambda: ("docling", docling_with_tables(wide_table("y" * 1_000, 100))),
    "long docling cells": lambda: (
        "docling",
        docling_with_tables(*[wide_table("y" * 90, 100)] * 9),
    ),
    "docling cells one over another": lambda: ("docling", docling_with_tables(CELLS_OVER_CELLS)),
    "wide HTML cells": lambda: ("html", spanning_html(900, "colspan=1000")),
    "high HTML cells": lambda: ("html", spanning_html(900, "rowspan=65534")),
    "many wide HTML tables": lambda: ("html", spanning_html(9, "colspan=1000") * 90),
    "many ragged HTML tables": lambda: ("html", RAGGED),
    "a long text in a wide HTML cell": lambda: ("html", LONG_CELL),
    "HTML tables in an element": lambda: ("elements", json.dumps([HTML_IN_ELEMENT] * 50)),
}


@pytest.mark.parametrize(
    "kind",
    [
        pytest.param(kind, marks=pytest.mark.slow if kind.startswith("many") else ())
        for kind in GROWING
    ],
)
def test_text_expanded_from_a_few_bytes_stays_below_two_million_characters(kind: str) -> None:
    file_format, made = GROWING[kind]()
    data = made if isinstance(made, bytes) else made.encode()
    text = read(data, file_format, name="x").text
    assert "x" in text or "y" in text or "a" in text
    assert len(text) < 2_000_000 + 10 * len(data), len(data)


def test_larger_expansion_is_rejected_and_the_error_names_the_limit() -> None:
    page = f'<div class="language-{"x" * 50_000}">' + "<pre>a</pre>" * 5_000
    limit = r"^big\.x: .* 50 times its [0-9,]+ bytes, and than 10,000,000 bytes"
    with pytest.raises(SourceError, match=limit):
        read(page.encode(), "html", name="big.x")


def test_a_writer_accepts_ten_megabytes_or_fifty_times_its_input() -> None:
    """Bytes are counted, not characters."""
    line = "x" * 99_998  # and two line ends
    for size, lines in ((0, MOST_BYTES // 100_000), (400_000, MOST_TIMES * 4)):
        writer = MarkdownWriter("a", size=size)
        for _ in range(lines):
            writer.paragraph(line)
        with pytest.raises(SourceError, match=f"^a: .* 50 times its {size:,} bytes"):
            writer.paragraph(line)
    with pytest.raises(SourceError, match="longer than"):
        MarkdownWriter("a").paragraph("§" * (MOST_BYTES // 2 + 1))


def test_a_cell_too_long_to_repeat_does_not_shift_other_columns() -> None:
    long = "y" * 50_000
    grid = fill([[Cell(long, rows=100), "a"], *([f"b{at}"] for at in range(99))])
    assert [row[1] for row in grid.rows] == ["a", *(f"b{at}" for at in range(99))]
    assert [row[0] for row in grid.rows] == [long, *[""] * 99]


def test_document_metadata_is_cut_to_the_longest_allowed_value() -> None:
    title = "a title that goes on " * 5_000
    core = f'<c xmlns:d="http://purl.org/dc/elements/1.1/"><d:title>{title}</d:title></c>'
    kind = "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties"
    relation = f'<Relationship Id="b" Type="{kind}" Target="c.xml"/>'
    word = related(docx(p("x")), relation, {"c.xml": core}, to="")
    doc = Doc()
    doc.text("a")
    doc.record["origin"]["filename"] = title
    elements = {
        "document": {"document_id": title, "document_title": title},
        "elements": [{"element_type": "text", "content": "x"}],
    }
    made = [
        read(f"<title>{title}</title><p>a".encode(), "html"),
        read(word, "docx"),
        read(json.dumps(doc.record).encode(), "docling"),
        read(json.dumps(elements).encode(), "elements"),
    ]
    for source in made:
        (longest,) = {max(map(len, source.metadata.values()))}
        assert 0 < longest <= LONGEST_VALUE


FORMATS: Final = case_table("hostile_documents", "number_formats")


@pytest.mark.parametrize("number_format", FORMATS)
@pytest.mark.parametrize("value", [0, 1, 26, 780, 9_999, 32_767, 999_999_999])
def test_a_formatted_number_has_at_most_255_characters(number_format: str, value: int) -> None:
    assert len(format_number(value, number_format)) <= 255


def test_original_elements_that_unpack_to_too_much_data_are_rejected() -> None:
    bomb = base64.b64encode(zlib.compress(b"[" + b" " * 5_000_000 + b"]")).decode()
    element = {"type": "CompositeElement", "text": "x", "metadata": {"orig_elements": bomb}}
    with pytest.raises(SourceError, match="is larger than 1048576 bytes when unpacked"):
        read(json.dumps([element]).encode(), "elements")


# -------------------------------------------------------------------- line ends

Maker: TypeAlias = Callable[[str], bytes]

_LINES = st.lists(
    st.sampled_from(
        ("one line", "of a text", "", "  ", "- an item", "1. an item", "a | b", "--- | ---",
         "# no heading", "> no quote", "```", "end.  ")
    ),
    min_size=1,
    max_size=7,
).map("\n".join)  # fmt: skip


def _elements(kind: str, type_: str = "element_type", text_: str = "content") -> Maker:
    return lambda text: json.dumps([{type_: kind, text_: text, "element_id": "a"}]).encode()


def _docling(label: str) -> Maker:
    def made(text: str) -> bytes:
        doc = Doc()
        doc.text(text, label=label)
        doc.table([[text, "b"], ["c", text]])
        return json.dumps(doc.record).encode()

    return made


_KINDS: Final = "text list table code heading formula figure"
_UNSTRUCTURED: Final = "NarrativeText ListItem Title Table CodeSnippet Formula Image"
_LABELS: Final = "text code formula section_header list_item"
_PAGE: Final = "<p>{0}<pre>{0}</pre><table><tr><td>{0}<td>b</table>"
READ_AS: Final[dict[str, tuple[str, Maker]]] = {
    **{kind: ("elements", _elements(kind)) for kind in _KINDS.split()},
    **{kind: ("elements", _elements(kind, "type", "text")) for kind in _UNSTRUCTURED.split()},
    **{f"docling {label}": ("docling", _docling(label)) for label in _LABELS.split()},
    "html": ("html", lambda text: _PAGE.format(text).encode()),
}


@pytest.mark.parametrize("kind", READ_AS)
@given(text=_LINES)
def test_all_line_ends_are_read_the_same(kind: str, text: str) -> None:
    file_format, made = READ_AS[kind]
    sources = [
        read(made(text.replace("\n", end)), file_format, name="a") for end in ("\n", "\r\n", "\r")
    ]
    assert [source.text for source in sources[1:]] == [sources[0].text] * 2


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["text", "table", "heading", "docling text", "html"])
@pytest.mark.parametrize("part", [" ", "\t", "\u2028", " -", "|", "_", "\n ", "# "])
def test_a_long_run_of_one_string_is_read_to_its_end(kind: str, part: str) -> None:
    """A pattern that starts again at each character would not come to the end within hours."""
    file_format, made = READ_AS[kind]
    text = read(made("x" + part * (100_000 // len(part)) + "y"), file_format, name="a").text
    assert "y" in text[-20:]


# -------------------------------------------------------------------- values in the wrong places


_STRANGE: Final[tuple[Any, ...]] = case_table("hostile_documents", "strange")


def _positions(value: Any) -> list[tuple[Any, Any]]:  # noqa: ANN401 - JSON
    """Return the container and the key of each value in JSON, at any depth."""
    found: list[tuple[Any, Any]] = []
    if not isinstance(value, dict | list):
        return found
    for key, inner in [*(value.items() if isinstance(value, dict) else enumerate(value))]:
        found += (value, key), *_positions(inner)
    return found


MADE: Final = {form: CASES.joinpath("read", f"{form}.json") for form in ("docling", "elements")}


def _document(file_format: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(MADE[file_format].read_text(encoding="utf-8"))
    return document


_TRIED: Final[tuple[Any, ...]] = (*_STRANGE, "left out", "twice")
STEP: Final = 4  # each value is tried at each fourth position, so several values at each one
# The other values take the same paths through the readers.
_TRACED: Final[tuple[Any, ...]] = (
    *(None, True, -1, 10**6, 10**300, "\ud800", [{}], "left out", "twice"),
)


@pytest.mark.filterwarnings("ignore::treepack.errors.LeftOutWarning")
@pytest.mark.parametrize(
    "strange",
    [
        pytest.param(value, marks=() if value in _TRACED else pytest.mark.slow, id=repr(value)[:20])
        for value in _TRIED
    ],
)
@pytest.mark.parametrize("file_format", MADE)
def test_a_strange_value_at_any_position_is_read_or_rejected(
    file_format: str,
    strange: Any,  # noqa: ANN401 - any value
) -> None:
    whole = _document(file_format)
    assert len(read(json.dumps(whole).encode(), file_format, name="x").text) > 100
    count = len(_positions(whole))
    first = [*map(repr, _TRIED)].index(repr(strange)) % STEP  # by repr, because 1 == True
    for at in range(first, count, STEP):
        document = _document(file_format)
        holder, key = _positions(document)[at]
        if strange == "left out":
            del holder[key]
        elif strange == "twice" and isinstance(holder, list):
            holder.append(holder[key])
        else:
            holder[key] = strange
        _read_or_reject(json.dumps(document).encode(), file_format)


@pytest.mark.filterwarnings("ignore::treepack.errors.LeftOutWarning")
@given(
    st.lists(st.tuples(st.integers(0, 999), st.sampled_from(_STRANGE)), min_size=2, max_size=6),
    st.sampled_from(sorted(MADE)),
)
def test_strange_values_at_several_positions_are_read_or_rejected(
    changes: list[tuple[int, Any]],
    file_format: str,
) -> None:
    document = _document(file_format)
    for at, strange in changes:
        positions = _positions(document)
        holder, key = positions[at % len(positions)]
        holder[key] = deepcopy(strange)  # a later change may be made inside it
    if source := _read_or_reject(json.dumps(document).encode(), file_format):
        chunks = pack(source)
        assert list(Chunks.from_jsonl(chunks.to_jsonl())) == list(chunks)


def _read_or_reject(data: bytes, file_format: str) -> Source | None:
    with suppress(TreepackError):
        return read(data, file_format, name="x")
    return None
