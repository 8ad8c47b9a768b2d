"""DoclingDocument JSON as markdown, without docling: headings, lists, tables, pictures, pages.

The format (schema 1.x) keeps items in arrays (``texts``, ``tables``, ``pictures``, ``groups``) and
their order and nesting as references (``{"$ref": "#/texts/12"}``), from ``body`` downwards.

Left out: page headers and footers and all that is not in the ``body`` layer, and the text inside
pictures (labels of axes and the like). PDF headings all have level 1; their numbers tell the
levels when the document is built (``outline="auto"``).
"""

import re
import warnings
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final, cast

from treepack.model.source import Source
from treepack.model.typography import Typography
from treepack.readers.docling.items import (
    SCHEMA,
    DoclingItems,
    Item,
    PageSpan,
    is_body,
    typography_of,
)
from treepack.readers.docling.tables import read_table
from treepack.readers.inlines import Inline, Piece, flat
from treepack.readers.json_values import JsonReader, LeftOutPartWarning, PartError, size_of
from treepack.readers.writer import Grid, MarkdownWriter

FORMAT: Final = "DoclingDocument JSON"
DEEPEST: Final = 100
"""Items inside each other; docling's own stay below 20."""

_SNIFFED: Final = 4096  # bytes; the schema's name stands first
_FURNITURE: Final = frozenset({"page_header", "page_footer"})
_LIST_GROUPS: Final = frozenset({"list", "ordered_list"})
_CHECK_BOXES: Final = {"checkbox_selected": "☒", "checkbox_unselected": "☐"}
_ORDERED: Final = re.compile(r"\(?([0-9]{1,9})[.)]?\Z")
_BULLET: Final = re.compile(r"[^\w(]*\Z|o\Z")
_NUMBER_ALONE: Final = re.compile(r"(?:[0-9]{1,3}|[IVXLC]{1,6})\.?\Z")
_CLOSING: Final = re.compile(r"[.,;:!?)\]}»”’]")


def is_docling(document: object) -> bool:
    """Whether a dict or the bytes of a file are a DoclingDocument, by a cheap look."""
    if isinstance(document, bytes):
        head = document[:_SNIFFED].lstrip()
        return head.startswith(b"{") and f'"{SCHEMA}"'.encode() in head
    if not isinstance(document, Mapping):
        return False
    return cast("Item", document).get("schema_name") == SCHEMA


def read_docling(document: Mapping[str, object] | bytes, name: str) -> Source:
    """Read a DoclingDocument.

    Args:
        document: The dict, or the bytes of a JSON file.
        name: The document's name, and for messages.

    Returns:
        The document as markdown. Page marks come from the items' provenance; ``origins`` are the
        items' references, as ``docling:#/texts/12``.

    Raises:
        SourceError: It is no DoclingDocument of version 1, or one that contradicts itself.
    """
    values = JsonReader(name, FORMAT)
    root = values.mapping(values.load(document) if isinstance(document, bytes) else document, "")
    return _Reader(DoclingItems(root, values), size_of(document)).read()


class _Reader:
    """Walks the references of one document in reading order."""

    def __init__(self, items: DoclingItems, size: int) -> None:
        self._items = items
        self._values = items.values
        self._writer = MarkdownWriter(items.values.name, items.metadata(), size)
        self._seen: set[str] = set()
        self._page: int | None = None
        self._attached = items.attached_references()
        self._numbers: dict[str, str] = {}  # of chapters, by the place of the title
        self._top = 1 if items.has_title() else 0

    def read(self) -> Source:
        self._children(self._items.body(), "#/body", 0)
        return self._writer.source()

    def _children(self, item: Item, place: str, depth: int) -> None:
        self._check_depth(depth, place)
        children = list(self._resolved(item, place))
        for (reference, child), after in zip(children, [*children[1:], None], strict=False):
            if reference in self._seen:
                continue
            self._seen.add(reference)
            if after is not None and self._is_number_of(child, reference, *after):
                continue
            self._item_or_warning(child, reference, depth + 1)

    def _resolved(self, item: Item, place: str) -> Iterator[tuple[str, Item]]:
        """The children of an item, without those that are written elsewhere."""
        found = self._found(item, "children", place)
        return (pair for pair in found if pair[0] not in self._attached)

    def _found(self, item: Item, key: str, place: str) -> Iterator[tuple[str, Item]]:
        """The items that an item refers to; missing ones are left out, with a warning."""
        for reference in self._items.references(item, key, place):
            try:
                found = self._items.resolve(reference, place)
            except PartError as error:
                _warn(error)
            else:
                yield reference, found

    def _item_or_warning(self, item: Item, place: str, depth: int) -> None:
        """Write an item; if it contradicts itself, warn and leave out the rest of it."""
        held = self._writer.depth
        try:
            self._item(item, place, depth)
        except PartError as error:
            while self._writer.depth > held:
                self._writer.close()
            _warn(error)

    def _check_depth(self, depth: int, place: str) -> None:
        if depth > DEEPEST:
            raise self._values.limit(place, f"items are nested deeper than {DEEPEST}")

    def _is_number_of(self, item: Item, place: str, title_place: str, title: Item) -> bool:
        """Whether a header is only the number of the next one; that one then gets the number."""
        pair = ((item, place), (title, title_place))
        if any(one.get("label") != "section_header" or not is_body(one) for one, _ in pair):
            return False
        number, text = (self._values.text(one, "text", where).strip() for one, where in pair)
        levels = {self._values.whole(one, "level", where) for one, where in pair}
        if len(levels) > 1 or not _NUMBER_ALONE.match(number) or not text[:1].isalpha():
            return False
        self._numbers[title_place] = number
        return True

    # ---------------------------------------------------------------- items

    def _item(self, item: Item, place: str, depth: int) -> None:
        label = self._values.required(item, "label", place)
        if not is_body(item) or label in _FURNITURE:
            return
        kind = place.removeprefix("#/").partition("/")[0]
        match kind:
            case "texts":
                self._text(item, label, place, depth)
            case "tables":
                self._table(item, place)
            case "pictures":
                self._picture(item, place)
            case "groups":
                self._group(item, label, place, depth)
            case "field_items" if self._is_line(item, place):
                self._writer.paragraph(self._inline(item, place, depth), f"docling:{place}")
            case _ if "graph" in item:
                self._key_values(item, place)
            case _:  # fields of a form, and what later versions add
                self._other(item, place, depth)

    def _text(self, item: Item, label: str, place: str, depth: int) -> None:
        values, writer = self._values, self._writer
        text = values.required(item, "text", place)
        origin = f"docling:{place}"
        spans = self._begin(item, place)
        if label == "code":
            self._captions(item, place)
            writer.code(text, self._language(item, place), origin)
        elif label == "formula" and text:
            writer.math(text, origin)
        elif label == "title":
            writer.heading(1, text, origin)
        elif label == "section_header":
            level = values.whole(item, "level", place) or 1
            number = self._numbers.pop(place, "")
            writer.heading(level + self._top, f"{number} {text}", origin)
        else:
            sign = _CHECK_BOXES.get(label)
            text = text or values.text(item, "orig", place)
            shown = f"{sign} {text}" if sign else text
            writer.paragraph(shown, origin, typography_of(item))
        self._mark_pages(text, spans)
        self._children(item, place, depth)

    def _is_line(self, item: Item, place: str) -> bool:
        """Whether a field is nothing but texts, such as its key and its value."""
        children = [child for _, child in self._resolved(item, place)]
        return all("text" in child and not child.get("children") for child in children)

    def _other(self, item: Item, place: str, depth: int) -> None:
        self._begin(item, place)
        self._writer.paragraph(self._values.text(item, "text", place), f"docling:{place}")
        self._captions(item, place)
        self._children(item, place, depth)

    def _group(self, item: Item, label: str, place: str, depth: int) -> None:
        if label in _LIST_GROUPS:
            self._list(item, place, depth)
        elif label == "inline":
            inline = self._inline(item, place, depth)
            is_bold = all(typography_of(part).bold for part in self._texts_of(item, place))
            self._writer.paragraph(inline, f"docling:{place}", Typography(bold=is_bold))
        else:
            self._children(item, place, depth)

    def _texts_of(self, item: Item, place: str) -> list[Item]:
        """What an inline group holds that has letters, or groups inside it."""
        children = [
            self._items.resolve(reference, place)
            for reference in self._items.references(item, "children", place)
        ]
        return [child for child in children if any(map(str.isalnum, str(child.get("text", "x"))))]

    def _inline(self, item: Item, place: str, depth: int) -> Inline:
        """The texts of an inline group as one, with the blanks that docling removed."""
        parts: list[str | Piece] = []
        for reference, child in self._found(item, "children", place):
            if reference in self._seen or not is_body(child):
                continue
            self._seen.add(reference)
            if not parts:
                self._begin(child, reference)
            text = self._values.text(child, "text", reference)
            if text:
                if parts and not _CLOSING.match(text):
                    parts.append(" ")
                label = child.get("label")
                kinds = {"code": "code", "formula": "math"}
                parts.append(_piece(text, kinds.get(str(label), "")))
            elif depth < DEEPEST and reference.startswith("#/groups/"):
                inner = self._inline(child, reference, depth + 1)
                parts += [inner] if isinstance(inner, str) else inner
        texts = [part for part in parts if isinstance(part, str)]
        return "".join(texts) if len(texts) == len(parts) else parts

    # ---------------------------------------------------------------- lists

    def _list(self, item: Item, place: str, depth: int) -> None:
        self._check_depth(depth, place)
        is_open = is_ordered = False
        for reference, child in self._resolved(item, place):
            if reference in self._seen:
                continue
            self._seen.add(reference)
            if not is_body(child):
                continue
            if child.get("label") != "list_item":
                # inside the item before, if there is one
                self._item_or_warning(child, reference, depth + 1)
                continue
            number, label = self._marker(child, reference)
            if is_open:
                self._writer.close()
            if is_open and is_ordered != (number is not None):
                self._writer.close()
                is_open = False
            if not is_open:
                is_open, is_ordered = True, number is not None
                self._writer.open_list(ordered=is_ordered, start=number or 1)
            self._writer.open_item(number, label)
            self._list_item(child, reference, depth + 1)
        if is_open:
            self._writer.close()
            self._writer.close()

    def _list_item(self, item: Item, place: str, depth: int) -> None:
        text = self._values.text(item, "text", place)
        spans = self._begin(item, place)
        self._writer.paragraph(text, f"docling:{place}", typography_of(item))
        self._mark_pages(text, spans)
        self._children(item, place, depth)

    def _marker(self, item: Item, place: str) -> tuple[int | None, str]:
        """The number of an item in an ordered list, or the label that it begins with."""
        marker = self._values.text(item, "marker", place).strip()
        if match := _ORDERED.match(marker):
            return int(match[1]), ""
        return None, "" if _BULLET.match(marker) else marker

    # ---------------------------------------------------------------- tables, pictures, pages

    def _table(self, item: Item, place: str) -> None:
        data = self._values.mapping(item.get("data"), f"{place}/data")
        self._begin(item, place)
        captions = list(self._attached_texts(item, "captions", place))
        self._writer.grid(self._grid(data, place), " ".join(captions), f"docling:{place}")
        for text in self._attached_texts(item, "footnotes", place):
            self._writer.paragraph(text, f"docling:{place}")

    def _grid(self, data: Item, place: str) -> Grid:
        return read_table(data, f"{place}/data", self._values, self._writer.room, self._rich_text)

    def _rich_text(self, reference: str, place: str) -> str:
        """The text of a rich cell, a line for each item; a table inside a line for each row."""
        return "\n".join(self._rich_lines(reference, place, 0))

    def _rich_lines(self, reference: str, place: str, depth: int) -> Iterator[str]:
        if reference in self._seen:
            return
        self._check_depth(depth, place)
        self._seen.add(reference)
        item = self._items.resolve(reference, place)
        if not is_body(item):
            return
        if item.get("label") == "list_item":
            yield from self._rich_item(item, reference, depth)
            return
        text = self._values.text(item, "text", reference)
        if text.strip():
            yield text
        if reference.startswith("#/tables/"):
            data = self._values.mapping(item.get("data"), f"{reference}/data")
            for row in self._grid(data, reference).rows:
                yield "; ".join([str(cell) for cell in row if cell])
        elif item.get("label") == "inline":
            yield flat(self._inline(item, reference, depth + 1))
        else:
            yield from self._rich_children(item, reference, depth)

    def _rich_item(self, item: Item, reference: str, depth: int) -> Iterator[str]:
        """A list item, its marker before the first of its lines."""
        number, label = self._marker(item, reference)
        text = self._values.text(item, "text", reference)
        lines = [text] if text.strip() else []
        lines += self._rich_children(item, reference, depth)
        for at, line in enumerate(lines):
            marker = label or ("-" if number is None else f"{number}.")
            yield line if at else f"{marker} {line}"

    def _rich_children(self, item: Item, reference: str, depth: int) -> Iterator[str]:
        for child in self._items.references(item, "children", reference):
            yield from self._rich_lines(child, reference, depth + 1)

    def _picture(self, item: Item, place: str) -> None:
        self._begin(item, place)
        found = dict.fromkeys(self._items.descriptions(item, place))
        description = " ".join(text for text in found if text)
        self._writer.image(description, place, f"docling:{place}")
        self._captions(item, place)
        for text in self._attached_texts(item, "footnotes", place):
            self._writer.paragraph(text, f"docling:{place}")

    def _captions(self, item: Item, place: str) -> None:
        for text in self._attached_texts(item, "captions", place):
            self._writer.paragraph(text, f"docling:{place}")

    def _attached_texts(self, item: Item, key: str, place: str) -> Iterator[str]:
        """Captions or footnotes; each is written once, with the first item that has it."""
        for reference, found in self._found(item, key, place):
            text = self._values.text(found, "text", reference)
            if reference not in self._seen and text:
                self._seen.add(reference)
                yield text

    def _key_values(self, item: Item, place: str) -> None:
        """The cells of a form or a list of keys and values, each a line."""
        values = self._values
        graph = values.mapping(item.get("graph") or {}, f"{place}/graph")
        cells = values.sequence(graph.get("cells"), f"{place}/graph/cells")
        where = f"{place}/graph/cells"
        lines = [
            values.text(values.mapping(cell, f"{where}/{at}"), "text", f"{where}/{at}")
            for at, cell in enumerate(cells)
        ]
        self._begin(item, place)
        self._writer.paragraph("\n".join(lines), f"docling:{place}")

    def _language(self, item: Item, place: str) -> str:
        language = self._values.text(item, "code_language", place).casefold()
        return "" if language == "unknown" else language

    def _begin(self, item: Item, place: str) -> list[PageSpan]:
        """Note on which page an item begins; return all its pages."""
        try:
            spans = list(self._items.spans(item, place))
        except PartError as error:  # its text is there all the same
            _warn(error)
            return []
        if spans and spans[0].page != self._page:
            self._page = spans[0].page
            self._writer.page(self._page)
        return spans

    def _mark_pages(self, text: str, spans: list[PageSpan]) -> None:
        """Mark where each further page of a text begins."""
        for before, span in pairwise(spans):
            words = len(text[max(0, before.end) :].split())
            if span.page != before.page and words:
                self._writer.page_within(words, span.page)
                self._page = span.page


def _warn(error: PartError) -> None:
    warnings.warn(f"{error}; it is left out", LeftOutPartWarning, stacklevel=2)


def _piece(text: str, kind: str) -> str | Piece:
    if kind == "code":
        return Piece(text, "code")
    return Piece(text, "math") if kind == "math" else text
