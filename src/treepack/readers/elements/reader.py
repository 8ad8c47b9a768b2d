"""Writes elements of any parser as markdown: plain `Element` lists and unstructured's.

A plain element is an `Element`, a dict or any object with the same names. An element of
unstructured is a dict with ``type`` and ``text``, or an object with ``to_dict()``. Both may come as
JSON.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Final, TypeAlias, cast

from pydantic import Field

from treepack.markdown.block_tokens import row_cells
from treepack.markdown.html_tables import open_tables, plain_html, read_tables
from treepack.model.source import Source
from treepack.readers.elements.records import Originals, Record
from treepack.readers.grids import Cell
from treepack.readers.inlines import lines_of
from treepack.readers.json_values import JsonPart, JsonReader, Text
from treepack.readers.lists import OpenLists
from treepack.readers.writer import LONGEST_VALUE, MarkdownWriter

FORMAT: Final = "element list"

_FURNITURE: Final = frozenset(
    ["header", "footer", "pagenumber", "pagebreak", "page_header", "page_footer", "page_number"]
)
_CHECK_BOXES: Final = frozenset({"checkbox", "checked", "unchecked"})
_DOCUMENT_KEYS: Final = ("document_id", "document_title", "document_type")
_ITEMS: Final = frozenset({"list_item", "listitem"})
_DELIMITER: Final = re.compile(r"\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\Z")
_BULLETS: Final = frozenset("-*+•‣◦▪●○·–—∙■□➢✓")
_NUMBER: Final = re.compile(r"([0-9]{1,9})[.)]\s+")


TextTable: TypeAlias = tuple[list[list[Cell]], int, str]
"""For each row the cells that begin in it, the number of header rows, and the caption."""
# A label that is only a number: 5, 5.1, A.2, IV, (a), § 5, Annex B. A heading then gives the title.
_NUMBER_LABEL: Final = re.compile(
    r"""(?:\w+[.]?[ ]|§+[ ]?)? \(? (?:[0-9]+[A-Za-z]{0,2} | [A-Z]{1,2} | [IVXLC]+ | [a-z])
        (?:[.-][0-9A-Za-z]{1,4})* [.)]?""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Element:
    """A part of a document, as any parser can give it.

    Attributes:
        element_type: ``text``, ``table``, ``list``, ``figure``, ``heading``, ``code`` or
            ``formula``; ``page_header`` and ``page_footer`` are left out. Other types are text.
        content: The text. For a table: markdown, HTML, or lines of ``A | B``. For a list: the
            items, or a text with a line for each item.
        section_hierarchy: The sections around it, outermost first, by names or numbers.
        heading: The title of the innermost section.
        page_number: Its page.
        metadata: ``caption`` of a table or figure, ``path`` of a figure, ``language`` of code;
            ``bold``, ``font_size`` (points) and ``style`` of a text.
    """

    element_type: str
    content: str | Sequence[str]
    section_hierarchy: str | Sequence[str | int] = ()
    heading: str | None = None
    page_number: int | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class DocumentMetadata:
    """What is known about a document whose elements are given.

    Attributes:
        document_id: A key that stays the same between runs.
        document_title: Its title.
        document_type: Its kind: ``standard``, ``manual`` ...
    """

    document_id: str
    document_title: str = ""
    document_type: str = ""


def read_elements(
    elements: Iterable[object] | bytes, name: str = "", document: DocumentMetadata | None = None
) -> Source:
    """Read a list of elements.

    Args:
        elements: The elements in reading order, or JSON: an array, or an object with ``elements``
            and ``document``.
        name: The document's name, also used in messages; if empty, the document's id.
        document: What is known about the document; it becomes the source's metadata.

    Returns:
        The document as markdown, with page marks if elements have pages. ``origins`` are the
        elements' numbers, from 0, such as ``elements:12``, and their boxes on pages.

    Raises:
        SourceError: There is no element, or an element has a value of a wrong type.
    """
    reader = JsonReader(name or (document.document_id if document else "") or "elements", FORMAT)
    given = reader.load(elements) if isinstance(elements, bytes) else elements
    if isinstance(given, Mapping):
        whole = reader.part(_Whole, cast("object", given))
        if document is None and (told := whole.document) is not None:
            document = DocumentMetadata(*(told.get(key) or "" for key in _DOCUMENT_KEYS))
        given = whole.elements
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise reader.fault(place="", what="it is not a list of elements")
    name = name or (document.document_id[:LONGEST_VALUE] if document else "")
    records = [
        _record(element, f"element {at}", reader)
        for at, element in enumerate(cast("Iterable[object]", given))
    ]
    if not records:
        raise reader.fault(place="", what="there are no elements: give at least one")
    size = len(elements if isinstance(elements, bytes) else repr(records))
    known = asdict(document) if document else {}
    writer = MarkdownWriter(name, {key: text for key, text in known.items() if text}, size)
    originals, element_writer = Originals(reader), _Writer(writer)
    for at, record in enumerate(records):
        for element in originals.of(reader.part(Record, record, f"element {at}"), f"element {at}"):
            if not (element.element_type or element.type):
                raise reader.fault(
                    place=f"element {at}", what="has neither 'element_type' nor 'type'"
                )
            element_writer.write(element, element.origin(f"elements:{at}"))
    element_writer.lists.close()
    return writer.source()


def _record(element: object, place: str, reader: JsonReader) -> Mapping[str, object]:
    """Return an element as a record: a mapping, an object with ``to_dict()``, or any object."""
    to_dict = getattr(element, "to_dict", None)
    if callable(to_dict) and not hasattr(element, "element_type"):
        element = to_dict()
    if isinstance(element, Mapping):
        return cast("Mapping[str, object]", element)
    keys = (key.name for key in fields(Element))
    record = {key: getattr(element, key) for key in keys if hasattr(element, key)}
    if not record:
        raise reader.fault(place, f"should be an element, not {type(element).__name__}")
    return record


class _Whole(JsonPart):
    document: dict[str, Text | None] | None = None
    elements: list[object] = Field(default_factory=list[object])


class _Writer:
    """Writes elements one after another; neighbouring list items become lists."""

    def __init__(self, writer: MarkdownWriter) -> None:
        self._writer = writer
        self._sections = Sections(writer)
        self.lists = OpenLists(writer)

    def write(self, element: Record, origin: str) -> None:
        """Write one element, after the headings of its sections that are not written yet."""
        kind = (element.element_type or element.type).casefold()
        if kind in _FURNITURE:
            return
        if kind not in _ITEMS or element.section_hierarchy or element.heading:
            self.lists.close()
        self._writer.page(element.page_number or element.metadata.page_number)
        self._sections.enter(element.section_hierarchy, element.heading, origin)
        writer, metadata, text = self._writer, element.metadata, element.text
        match kind:
            case "table" | "tablechunk":
                self._table(element, origin)
            case "list" | "list_item" | "listitem":
                self._items(element, origin)
            case "figure" | "image" | "picture":
                self._figure(element, origin)
            case "code" | "codesnippet":
                writer.code(text, metadata.language, origin)
            case "formula" | "equation":
                writer.math(text, origin)
            case "heading" | "title" if element.element_type:
                self._sections.enter(element.section_hierarchy, text, origin)
            case "title":
                writer.heading(1 + max(0, metadata.category_depth or 0), text, origin)
            case _:
                box = "☐ " if kind in _CHECK_BOXES else ""
                box = "☒ " if box and (metadata.is_checked is True or kind == "checked") else box
                writer.paragraphs(box + text, origin, element.typography)

    def _table(self, element: Record, origin: str) -> None:
        metadata, text = element.metadata, element.text
        table = read_table(text if element.element_type else metadata.text_as_html)
        if table is None or not any(cell.content for row in table[0] for cell in row):
            self._writer.paragraphs(f"{metadata.caption}\n\n{text}", origin)
        else:
            rows, header_rows, caption = table
            self._writer.table(rows, header_rows, metadata.caption or caption, origin)

    def _items(self, element: Record, origin: str) -> None:
        if not element.element_type:
            depth = element.metadata.category_depth or 0
            write_item(self._writer, self.lists, element.text, origin, depth)
        else:
            for line in filter(str.strip, lines_of(element.text)):
                write_item(self._writer, self.lists, line, origin)

    def _figure(self, element: Record, origin: str) -> None:
        metadata, text = element.metadata, element.text
        if metadata.target:
            self._writer.image(metadata.alt, metadata.target, origin)
        for paragraph in dict.fromkeys([metadata.caption.strip(), text.strip()]):
            self._writer.paragraphs(paragraph, origin)


# -------------------------------------------------------------------- texts with tables and lists


def read_table(text: str) -> TextTable | None:
    """Read a text as a table; return None if it is not a table.

    The lines before the delimiter row are header rows. Without one, the first line names the
    columns, as in the ``A | B`` lines that parsers write.
    """
    if "<table" in text.lower():
        return _from_html(text)
    lines = [line.strip() for line in lines_of(text) if line.strip()]
    if not any("|" in line for line in lines):
        return None
    delimiter = next((at for at, line in enumerate(lines) if _DELIMITER.match(line)), None)
    rows = [_cells(line) for at, line in enumerate(lines) if at != delimiter]
    return rows, int(len(rows) > 1) if delimiter is None else delimiter, ""


def _cells(line: str) -> list[Cell]:
    cells = row_cells(line)
    first, last = int(line.startswith("|")), len(cells) - (not cells[-1])
    return [Cell(cell.strip()) for cell in cells[first:last]]


def _from_html(text: str) -> TextTable | None:
    tables = read_tables(text, 0, len(text))
    if len(tables) != 1 or open_tables(text, 0, len(text)):
        return None
    (table,) = tables
    rows = [*table.header_rows, *table.rows]
    in_head = sum(row.in_head for row in rows)  # no cell reaches out of <thead>
    cells = [
        [
            Cell(
                plain_html(text, *cell.content),
                cell.columns,
                min(cell.rows, in_head - at) if row.in_head else cell.rows,
            )
            for cell in row.cells
        ]
        for at, row in enumerate(rows)
    ]
    caption = plain_html(text, *table.caption) if table.caption else ""
    return cells, len(table.header_rows), caption


def write_item(
    writer: MarkdownWriter, lists: OpenLists, text: str, origin: str, depth: int | None = None
) -> None:
    """Write a list item; if no depth is given, its indentation is the depth."""
    indent = text.expandtabs(4)
    text = text.strip()
    number = _NUMBER.match(text)
    is_bullet = text[:1] in _BULLETS and text[1:2].isspace()
    lists.open_item(
        len(indent) - len(indent.lstrip()) if depth is None else depth,
        int(number[1]) if number else None,
    )
    writer.paragraph(text[number.end() if number else is_bullet :], origin)


# -------------------------------------------------------------------- section hierarchies


class Sections:
    """The open sections and their headings.

    An element without a hierarchy and heading stays in the section of the previous element, because
    markdown has no way to leave all sections.
    """

    def __init__(self, writer: MarkdownWriter) -> None:
        self._writer = writer
        self._open: list[tuple[str, str]] = []  # label and title

    def enter(self, path: Sequence[str], heading: str, origin: str) -> None:
        """Write the headings that lead from the current section to that of an element.

        Args:
            path: The labels of the element's sections.
            heading: The title of the innermost section, or of a further section inside it.
            origin: Where the element came from.
        """
        wanted = _titled(path, " ".join(heading.split()))
        shared = 0
        for (label, title), known in zip(wanted, self._open, strict=False):
            if known != (label, title or known[1]):
                break
            wanted[shared] = known
            shared += 1
        if not wanted or shared == len(wanted) == len(self._open):
            return
        # Back in an outer section, its heading is written again.
        for at in range(min(shared, len(wanted) - 1), len(wanted)):
            label, title = wanted[at]
            before = self._open[at] if at < len(self._open) else ("", "")
            # A section that continues keeps its title.
            title = title or (before[1] if before[0] == label else label)
            wanted[at] = label, title
            self._writer.heading(at + 1, title, origin)
        self._open = wanted


def _titled(path: Sequence[str], heading: str) -> list[tuple[str, str]]:
    """Return labels with titles; a title is empty if only the label is known."""
    wanted = [(label, "") for label in path]
    label = path[-1] if path else ""
    if not heading:
        return wanted
    if label and (label == heading or label.endswith(f" {heading}")):
        wanted[-1] = (label, label)
    elif label and re.match(rf"{re.escape(label.rstrip('.'))}[.:]?\s", heading):
        wanted[-1] = (label, heading)
    elif _NUMBER_LABEL.fullmatch(label):
        wanted[-1] = (label, f"{label} {heading}")
    else:
        wanted.append((heading, heading))
    return wanted
