"""Elements of any parser as markdown: plain `Element` lists and unstructured's.

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
from treepack.readers.json_values import WHOLE, JsonReader, size_of
from treepack.readers.typography import level_of_name
from treepack.readers.writer import LONGEST_VALUE, MarkdownWriter

FORMAT: Final = "element list"

_FURNITURE: Final = frozenset({"page_header", "page_footer", "header", "footer", "page_number"})
_CAPTIONS: Final = ("caption", "table_caption", "figure_caption")
_LARGEST_FONT: Final = 1000  # points
_TARGETS: Final = ("path", "image_path", "uri", "url", "src")


@dataclass(frozen=True, slots=True)
class Element:
    """A piece of a document, as any parser can give it.

    Attributes:
        element_type: ``text``, ``table``, ``list`` or ``figure``; also ``heading``, ``code``,
            ``formula`` and ``page_header``, ``page_footer`` (left out). Others are text.
        content: The text. Of a table: markdown, HTML, or lines of ``A | B``. Of a list: a line for
            each item, or the items.
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
    """What is known of a document whose elements are given.

    Attributes:
        document_id: A key that stays the same between runs.
        document_title: Its title.
        document_type: What it is: ``standard``, ``manual`` ...
    """

    document_id: str
    document_title: str = ""
    document_type: str = ""


def read_elements(
    elements: Iterable[object] | bytes,
    name: str = "",
    document: DocumentMetadata | None = None,
) -> Source:
    """Read a list of elements.

    Args:
        elements: The elements in reading order, or JSON: an array, or an object with ``elements``
            and ``document``.
        name: The document's name, and for messages; the document's id when empty.
        document: What is known of the document; goes into the source's metadata.

    Returns:
        The document as markdown, with page marks where elements have pages. ``origins`` are the
        elements' numbers, from 0, as ``elements:12``.

    Raises:
        SourceError: There is no element, or one has a value of a wrong type.
    """
    values = JsonReader(name or (document.document_id if document else "") or "elements", FORMAT)
    loaded = values.load(elements) if isinstance(elements, bytes) else elements
    if isinstance(loaded, Mapping):
        root = cast("Mapping[str, object]", loaded)
        document = document or _document(root.get("document"), values)
        loaded = values.sequence(root.get("elements"), "elements")
    if isinstance(loaded, str) or not isinstance(loaded, Iterable):
        raise values.fault(WHOLE, "is no list of elements")
    name = name or (document.document_id[:LONGEST_VALUE] if document else "")
    given = list(cast("Iterable[object]", loaded))
    if not given:
        raise values.fault(WHOLE, "there are no elements: give one at least")
    records = [_record(element, f"element {at}", values) for at, element in enumerate(given)]
    size = size_of(elements if isinstance(elements, bytes) else records)
    writer = MarkdownWriter(name, _metadata(document), size)
    _write(records, writer, values)
    return writer.source()


def _write(records: list[Mapping[str, object]], writer: MarkdownWriter, values: JsonReader) -> None:
    theirs = UnstructuredWriter(writer, values, records)
    ours = _PlainWriter(writer, values)
    for at, record in enumerate(records):
        place = f"element {at}"
        if "element_type" in record:
            theirs.end_list()
            ours.write(record, place, f"elements:{at}")
        elif "type" in record:
            theirs.write(record, place, f"elements:{at}")
        else:
            raise values.fault(place, "has neither 'element_type' nor 'type'")
    theirs.end_list()


def _record(element: object, place: str, values: JsonReader) -> Mapping[str, object]:
    """An element as a mapping, whatever it is."""
    if isinstance(element, Mapping):
        return cast("Mapping[str, object]", element)
    to_dict = getattr(element, "to_dict", None)
    if callable(to_dict) and not hasattr(element, "element_type"):
        return values.mapping(to_dict(), place)
    keys = (key.name for key in fields(Element))
    record = {key: getattr(element, key) for key in keys if hasattr(element, key)}
    if not record:
        raise values.fault(place, f"is no element but a {type(element).__name__}")
    return record


def _document(value: object, values: JsonReader) -> DocumentMetadata | None:
    if value is None:
        return None
    record = values.mapping(value, "document")
    keys = (key.name for key in fields(DocumentMetadata))
    return DocumentMetadata(*(values.text(record, key, "document") for key in keys))


def _metadata(document: DocumentMetadata | None) -> dict[str, str]:
    return {key: text for key, text in asdict(document).items() if text} if document else {}


class _PlainWriter:
    """Writes plain elements."""

    def __init__(self, writer: MarkdownWriter, values: JsonReader) -> None:
        self._writer = writer
        self._values = values
        self._sections = Sections(writer)

    def write(self, record: Mapping[str, object], place: str, origin: str) -> None:
        """Write one element after the headings that lead to it."""
        kind = self._values.text(record, "element_type", place).casefold()
        if not kind:
            raise self._values.fault(place, "has no 'element_type'")
        if kind in _FURNITURE:
            return
        content = self._content(record, place)
        metadata = self._values.record(record, "metadata", place)
        self._writer.page(self._values.whole(record, "page_number", place))
        self._enter(self._values.text(record, "heading", place), record, place, origin)
        text = "\n".join(content)
        match kind:
            case "table":
                self._table(text, metadata, place, origin)
            case "list" | "list_item":
                lines = [line for item in content for line in lines_of(item)]
                write_list(
                    self._writer, [list_line(line) for line in lines if line.strip()], origin
                )
            case "figure" | "image" | "picture":
                self._figure(text, metadata, place, origin)
            case "code":
                self._writer.code(text, self._values.text(metadata, "language", place), origin)
            case "formula" | "equation":
                self._writer.math(text, origin)
            case "heading" | "title":
                self._enter(text, record, place, origin)
            case _:
                self._writer.paragraphs(text, origin, _typography(metadata))

    def _content(self, record: Mapping[str, object], place: str) -> list[str]:
        content = record.get("content")
        if content is None:
            raise self._values.fault(place, "has no 'content'")
        if isinstance(content, str):
            return [content]
        entries = self._values.sequence(content, f"{place}/content")
        if not all(isinstance(entry, str) for entry in entries):
            where = f"{place}/content"
            raise self._values.fault(where, "should hold strings only")
        return [str(entry) for entry in entries]

    def _enter(self, heading: str, record: Mapping[str, object], place: str, origin: str) -> None:
        """Write the headings of an element's sections that are not written yet."""
        hierarchy = record.get("section_hierarchy")
        if not isinstance(hierarchy, str):
            hierarchy = self._values.sequence(hierarchy, f"{place}/section_hierarchy")
        self._sections.enter(section_path(hierarchy), heading, origin)

    def _table(self, text: str, metadata: Mapping[str, object], place: str, origin: str) -> None:
        caption = self._first(metadata, _CAPTIONS, place)
        table = read_table(text)
        if table is None:
            for found in (caption, text):
                self._writer.paragraphs(found, origin)
            return
        self._writer.table(table.rows, table.header_rows, caption or table.caption, origin)

    def _figure(self, text: str, metadata: Mapping[str, object], place: str, origin: str) -> None:
        caption = self._first(metadata, _CAPTIONS, place)
        target = self._first(metadata, _TARGETS, place)
        if target:
            self._writer.image(self._first(metadata, ("alt", "alt_text"), place), target, origin)
        for found in (caption, text if text.strip() != caption.strip() else ""):
            self._writer.paragraphs(found, origin)

    def _first(self, metadata: Mapping[str, object], keys: Sequence[str], place: str) -> str:
        texts = (self._values.text(metadata, key, f"{place}/metadata") for key in keys)
        return next((text for text in texts if text), "")


def _typography(metadata: Mapping[str, object]) -> Typography:
    """How a text is set, as far as its parser says; values of other types are ignored."""
    size, style = metadata.get("font_size"), metadata.get("style")
    name = style if isinstance(style, str) and style else None
    return Typography(
        bold=metadata.get("bold") is True,
        size=float(size) if isinstance(size, int | float) and 0 < size <= _LARGEST_FONT else None,
        centred=metadata.get("centred") is True,
        level=level_of_name(name) if name else None,
        style=name,
    )
