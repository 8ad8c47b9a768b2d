"""Writes elements of unstructured (its JSON, version 0.10 and later) as markdown.

Left out: headers, footers, page numbers. A ``CompositeElement`` chunk is replaced by the elements
that it was made of, if it contains them (``orig_elements``: base64 of zlib of JSON).
"""

import base64
import binascii
import zlib
from collections.abc import Sequence
from typing import Final, cast

from treepack.model.typography import Typography
from treepack.numbers.words import letters
from treepack.readers.elements.texts import ListLine, list_line, read_table, write_list
from treepack.readers.json_values import WHOLE, JsonRecord
from treepack.readers.writer import MOST_TIMES, MarkdownWriter

LARGEST_ORIGIN: Final = 2**20
"""Bytes that a chunk's original elements may have when unpacked, however small the packed form."""

_ORIGINALS: Final = "orig_elements"
_FURNITURE: Final = frozenset({"Header", "Footer", "PageNumber", "PageBreak"})
_TEXT_KINDS: Final = frozenset(
    {"NarrativeText", "Text", "UncategorizedText", "Paragraph", "CompositeElement"}
)
_BOLD_TAGS: Final = frozenset({"b", "strong"})
_LOWEST_HEADING: Final = 6
_MOST_REPEATED: Final = 50  # elements that a chunk repeats


class UnstructuredWriter:
    """Writes elements one after another; list items are collected into lists.

    Args:
        writer: Where to write.
        records: All elements, in which the titles that others name as their parent are found.
    """

    def __init__(self, writer: MarkdownWriter, records: Sequence[JsonRecord]) -> None:
        self._writer = writer
        self._titles = {
            str(record.get("element_id")): record
            for record in records
            if record.get("type") == "Title" and "element_id" in record
        }
        self._items: list[ListLine] = []
        self._items_origin = ""
        self._last_ids: list[object] = []

    def write(self, record: JsonRecord, origin: str) -> None:
        """Write one element."""
        kind = record.required("type")
        metadata = record.record_or_empty("metadata")
        if "text" not in record:
            raise record.fault(WHOLE, "has no 'text'")
        text = record.text("text")
        if kind in _FURNITURE:
            return
        if _ORIGINALS in metadata and self._write_originals(metadata, origin):
            return
        if kind != "ListItem":
            self.end_list()
        page = metadata.whole_number("page_number")
        if page not in (None, self._writer.current_page):
            self.end_list()
            self._writer.page(page)
        self._write_kind(kind, text, metadata, origin)

    def end_list(self) -> None:
        """Write the list items collected so far."""
        items, self._items = self._items, []
        if items:
            write_list(self._writer, items, self._items_origin)

    # ---------------------------------------------------------------- kinds

    def _write_kind(self, kind: str, text: str, metadata: JsonRecord, origin: str) -> None:
        match kind:
            case "Title":
                self._writer.heading(self._level(metadata), text, origin)
            case "ListItem":
                depth = metadata.whole_number("category_depth")
                self._items_origin = self._items_origin if self._items else origin
                self._items.append(list_line(text, depth or 0))
            case "Table" | "TableChunk":
                self._table(text, metadata, origin)
            case "Image" | "Figure" | "Picture":
                self._image(text, metadata, origin)
            case "CodeSnippet":
                self._writer.code(text, "", origin)
            case "CheckBox" | "Checked" | "Unchecked":
                is_checked = metadata.get("is_checked") is True or kind == "Checked"
                self._writer.paragraph(f"{'☒' if is_checked else '☐'} {text}", origin)
            case _:
                self._writer.paragraphs(text, origin, _typography(kind, text, metadata))

    def _level(self, metadata: JsonRecord) -> int:
        """Return the level of a title: by its depth, or else one more than that of its parent."""
        level, seen = 1, set[str]()
        while (depth := metadata.whole_number("category_depth")) is None:
            parent = metadata.get("parent_id")
            parent_title = self._titles.get(parent) if isinstance(parent, str) else None
            if parent_title is None or parent in seen or level >= _LOWEST_HEADING:
                return level
            seen.add(str(parent))
            level += 1
            metadata = parent_title.record_or_empty("metadata")
        return level + max(0, min(depth, _LOWEST_HEADING))

    def _table(self, text: str, metadata: JsonRecord, origin: str) -> None:
        html = metadata.text("text_as_html")
        table = read_table(html) if html else None
        if table is None or not any(cell.content for row in table.rows for cell in row):
            self._writer.paragraphs(text, origin)
        else:
            self._writer.table(table.rows, table.header_rows, table.caption, origin)

    def _image(self, text: str, metadata: JsonRecord, origin: str) -> None:
        if target := metadata.text("image_url") or metadata.text("image_path"):
            self._writer.image(text, target, origin)
        else:
            self._writer.paragraphs(text, origin)

    # ---------------------------------------------------------------- chunks

    def _write_originals(self, metadata: JsonRecord, origin: str) -> bool:
        """Write the elements that a chunk was made of; return False if it contains none.

        If a long element continues in the next chunk, that chunk repeats the element. It is written
        only once.
        """
        records = _originals(metadata)
        if not records:
            return False
        ids = [record.get("element_id") for record in records]
        repeated = 0
        if metadata.get("is_continuation") is True:
            most = min(len(ids), len(self._last_ids), _MOST_REPEATED)
            sizes = range(most, 0, -1)
            repeated = next((size for size in sizes if self._last_ids[-size:] == ids[:size]), 0)
        self._last_ids = ids
        for record in records[repeated:]:
            inner_metadata = dict(record.record_or_empty("metadata").members)
            inner_metadata.pop(_ORIGINALS, None)
            members = {**record.members, "metadata": inner_metadata}
            self.write(record.reader.record(members, record.place), origin)
        return True


def _originals(metadata: JsonRecord) -> list[JsonRecord]:
    """Return the elements that a chunk was made of, each with its place."""
    place = metadata.place_of(_ORIGINALS)
    value = metadata.get(_ORIGINALS)
    loaded = metadata.reader.load(_unpacked(value, metadata)) if isinstance(value, str) else value
    entries = enumerate(metadata.reader.array(loaded, place))
    return [metadata.reader.record(entry, f"{place}/{at}") for at, entry in entries]


def _unpacked(packed: str, metadata: JsonRecord) -> bytes:
    unpacker = zlib.decompressobj()
    most = max(LARGEST_ORIGIN, MOST_TIMES * len(packed))
    try:
        data = unpacker.decompress(base64.b64decode(packed, validate=True), most)
    except (binascii.Error, zlib.error, ValueError) as error:
        raise metadata.fault(_ORIGINALS, f"cannot be unpacked: {error}") from error
    if unpacker.unconsumed_tail:
        raise metadata.fault(_ORIGINALS, f"is larger than {most} bytes when unpacked")
    return data


def _typography(kind: str, text: str, metadata: JsonRecord) -> Typography:
    """Return how a text is formatted: whether it is all bold, and its category as the style."""
    texts, tags = (metadata.get(f"emphasized_text_{what}") for what in ("contents", "tags"))
    bold = ""
    if isinstance(texts, list) and isinstance(tags, list):
        pairs = zip(cast("list[object]", texts), cast("list[object]", tags), strict=False)
        bold = "".join([str(part) for part, tag in pairs if tag in _BOLD_TAGS])
    is_bold = bool(letters(bold)) and letters(bold) == letters(text)
    return Typography(bold=is_bold, style=None if kind in _TEXT_KINDS else kind)
