"""Writes elements of any parser as markdown: plain `Element` lists and unstructured's.

A plain element is an `Element`, a dict or any object with the same names. An element of
unstructured is a dict with ``type`` and ``text``, or an object with ``to_dict()``. Both may come as
JSON.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Final, cast

from treepack.model.source import Source
from treepack.model.typography import Typography
from treepack.readers.elements.sections import Sections, section_path
from treepack.readers.elements.texts import list_line, read_table, write_list
from treepack.readers.elements.unstructured import UnstructuredWriter
from treepack.readers.inlines import lines_of
from treepack.readers.json_values import WHOLE, JsonReader, JsonRecord, size_of
from treepack.readers.typography import level_of_name
from treepack.readers.writer import LONGEST_VALUE, MarkdownWriter

FORMAT: Final = "element list"

_FURNITURE: Final = frozenset({"page_header", "page_footer", "header", "footer", "page_number"})
_CAPTIONS: Final = ("caption", "table_caption", "figure_caption")
_LARGEST_FONT_SIZE: Final = 1000  # points
_TARGETS: Final = ("path", "image_path", "uri", "url", "src")


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
            ``bold``, ``font_size`` (points), ``centred`` and ``style`` of a text.
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
        elements' numbers, from 0, such as ``elements:12``.

    Raises:
        SourceError: There is no element, or an element has a value of a wrong type.
    """
    reader = JsonReader(name or (document.document_id if document else "") or "elements", FORMAT)
    loaded = reader.load(elements) if isinstance(elements, bytes) else elements
    if isinstance(loaded, Mapping):
        root = reader.record(cast("object", loaded), WHOLE)
        document = document or _document(root)
        loaded = root.array("elements")
    if isinstance(loaded, str) or not isinstance(loaded, Iterable):
        raise reader.fault(WHOLE, "it is not a list of elements")
    name = name or (document.document_id[:LONGEST_VALUE] if document else "")
    given = list(cast("Iterable[object]", loaded))
    if not given:
        raise reader.fault(WHOLE, "there are no elements: give at least one")
    records = [_record(element, f"element {at}", reader) for at, element in enumerate(given)]
    members = [record.members for record in records]
    size = size_of(elements if isinstance(elements, bytes) else members)
    known = asdict(document) if document else {}
    writer = MarkdownWriter(name, {key: text for key, text in known.items() if text}, size)
    _write_all(records, writer)
    return writer.source()


def _write_all(records: list[JsonRecord], writer: MarkdownWriter) -> None:
    unstructured_writer = UnstructuredWriter(writer, records)
    plain_writer = _PlainWriter(writer)
    for at, record in enumerate(records):
        if "element_type" in record:
            unstructured_writer.end_list()
            plain_writer.write(record, f"elements:{at}")
        elif "type" in record:
            unstructured_writer.write(record, f"elements:{at}")
        else:
            raise record.fault(WHOLE, "has neither 'element_type' nor 'type'")
    unstructured_writer.end_list()


def _record(element: object, place: str, reader: JsonReader) -> JsonRecord:
    """Return an element as a record: a mapping, an object with ``to_dict()``, or any object."""
    to_dict = getattr(element, "to_dict", None)
    if isinstance(element, Mapping):
        return reader.record(cast("object", element), place)
    if callable(to_dict) and not hasattr(element, "element_type"):
        return reader.record(to_dict(), place)
    keys = (key.name for key in fields(Element))
    record = {key: getattr(element, key) for key in keys if hasattr(element, key)}
    if not record:
        raise reader.fault(place, f"should be an element, not {type(element).__name__}")
    return reader.record(record, place)


def _document(root: JsonRecord) -> DocumentMetadata | None:
    if root.get("document") is None:
        return None
    record = root.record("document")
    return DocumentMetadata(*(record.text(key.name) for key in fields(DocumentMetadata)))


class _PlainWriter:
    """Writes plain elements."""

    def __init__(self, writer: MarkdownWriter) -> None:
        self._writer = writer
        self._sections = Sections(writer)

    def write(self, record: JsonRecord, origin: str) -> None:
        """Write one element, after the headings of its sections that are not written yet."""
        kind = record.text("element_type").casefold()
        if not kind:
            raise record.fault(WHOLE, "has no 'element_type'")
        if kind in _FURNITURE:
            return
        content = _content(record)
        metadata = record.record_or_empty("metadata")
        self._writer.page(record.whole_number("page_number"))
        self._enter(record.text("heading"), record, origin)
        text = "\n".join(content)
        match kind:
            case "table":
                self._table(text, metadata, origin)
            case "list" | "list_item":
                lines = [line for item in content for line in lines_of(item)]
                items = [list_line(line) for line in lines if line.strip()]
                write_list(self._writer, items, origin)
            case "figure" | "image" | "picture":
                self._figure(text, metadata, origin)
            case "code":
                self._writer.code(text, metadata.text("language"), origin)
            case "formula" | "equation":
                self._writer.math(text, origin)
            case "heading" | "title":
                self._enter(text, record, origin)
            case _:
                self._writer.paragraphs(text, origin, _typography(metadata))

    def _enter(self, heading: str, record: JsonRecord, origin: str) -> None:
        """Write the headings of an element's sections that are not written yet."""
        hierarchy = record.get("section_hierarchy")
        path = section_path(
            hierarchy if isinstance(hierarchy, str) else record.array("section_hierarchy")
        )
        self._sections.enter(path, heading, origin)

    def _table(self, text: str, metadata: JsonRecord, origin: str) -> None:
        caption = _first_text(metadata, _CAPTIONS)
        table = read_table(text)
        if table is None:
            for paragraph in (caption, text):
                self._writer.paragraphs(paragraph, origin)
            return
        self._writer.table(table.rows, table.header_rows, caption or table.caption, origin)

    def _figure(self, text: str, metadata: JsonRecord, origin: str) -> None:
        caption, target = _first_text(metadata, _CAPTIONS), _first_text(metadata, _TARGETS)
        if target:
            self._writer.image(_first_text(metadata, ("alt", "alt_text")), target, origin)
        for paragraph in (caption, text if text.strip() != caption.strip() else ""):
            self._writer.paragraphs(paragraph, origin)


def _content(record: JsonRecord) -> list[str]:
    key = "content"
    content = record.get(key)
    if content is None:
        raise record.fault(WHOLE, f"has no {key!r}")
    if isinstance(content, str):
        return [content]
    entries = record.array(key)
    if not all(isinstance(entry, str) for entry in entries):
        raise record.fault(key, "should be a string or an array of strings")
    return [str(entry) for entry in entries]


def _first_text(metadata: JsonRecord, keys: Sequence[str]) -> str:
    return next((text for key in keys if (text := metadata.text(key))), "")


def _typography(metadata: JsonRecord) -> Typography:
    """Return how a text is formatted, as its metadata states; values of other types are ignored."""
    size, style = metadata.get("font_size"), metadata.get("style")
    name = style if isinstance(style, str) and style else None
    return Typography(
        bold=metadata.get("bold") is True,
        size=float(size)
        if isinstance(size, int | float) and 0 < size <= _LARGEST_FONT_SIZE
        else None,
        centred=metadata.get("centred") is True,
        level=level_of_name(name) if name else None,
        style=name,
    )
