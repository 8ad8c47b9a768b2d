"""DoclingDocument JSON as markdown, without docling: headings, lists, tables, pictures, pages.

The format (schema 1.x) keeps items in arrays (``texts``, ``tables``, ``pictures``, ``groups``) and
their order and nesting as references (``{"$ref": "#/texts/12"}``), from ``body`` downwards.

Left out: page headers and footers and all that is not in the ``body`` layer, and the text inside
pictures (labels of axes and the like). PDF headings all have level 1; their numbers tell the
levels when the document is built (``outline="auto"``).
"""

import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from treepack.model.source import Source
from treepack.model.typography import Typography
from treepack.readers.docling.items import (
    DoclingItems,
    Item,
    PageSpan,
    is_body,
    kept_text,
    target_of,
    typography_of,
)
from treepack.readers.docling.tables import charts_of, read_table
from treepack.readers.inlines import Inline, Piece, as_inline, as_parts, flat
from treepack.readers.json_values import JsonReader, LeftOutPartWarning, PartError, size_of
from treepack.readers.kept import TEXT_ALONE, Kept, linked
from treepack.readers.lists import OpenLists
from treepack.readers.writer import Grid, MarkdownWriter

FORMAT: Final = "DoclingDocument JSON"
DEEPEST: Final = 100
"""Items inside each other; docling's own stay below 20."""

_FURNITURE: Final = frozenset({"page_header", "page_footer"})
_LIST_GROUPS: Final = frozenset({"list", "ordered_list"})
_CHECK_BOXES: Final = {"checkbox_selected": "☒", "checkbox_unselected": "☐"}
_NUMBER_ALONE: Final = re.compile(r"(?:[0-9]{1,3}|[IVXLC]{1,6})\.?\Z")
_CLOSING: Final = re.compile(r"[.,;:!?)\]}»”’]")


def read_docling(
    document: Mapping[str, object] | bytes, name: str, kept: Kept = TEXT_ALONE
) -> Source:
    """Read a DoclingDocument.

    Args:
        document: The dict, or the bytes of a JSON file.
        name: The document's name, and for messages.
        kept: What is kept of links and emphasis.

    Returns:
        The document as markdown. Page marks come from the items' provenance; ``origins`` are the
        items' references, as ``docling:#/texts/12``.

    Raises:
        SourceError: It is no DoclingDocument of version 1, or one that contradicts itself.
    """
    values = JsonReader(name, FORMAT)
    root = values.mapping(values.load(document) if isinstance(document, bytes) else document, "")
    return _Reader(DoclingItems(root, values), size_of(document), kept).read()


class _Reader:
    """Walks the references of one document in reading order."""

    def __init__(self, items: DoclingItems, size: int, kept: Kept) -> None:
        self._items = items
        self._kept = kept
        self._values = items.values
        self._writer = MarkdownWriter(items.values.name, items.metadata(), size)
        self._seen: set[str] = set()
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
            writer.code(text, self._items.language(item, place), origin)
        elif label == "formula" and text:
            writer.math(text, origin)
        elif label == "title":
            writer.heading(1, kept_text(item, text, self._kept), origin)
        elif label == "section_header":
            level = values.whole(item, "level", place) or 1
            number = self._numbers.pop(place, "")
            shown = kept_text(item, text, self._kept)
            writer.heading(level + self._top, [f"{number} ", *as_parts(shown)], origin)
        else:
            sign = _CHECK_BOXES.get(label)
            text = text or values.text(item, "orig", place)
            shown = kept_text(item, text, self._kept)
            shown = [f"{sign} ", *as_parts(shown)] if sign else shown
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
            texts = self._items.inline_texts(item, place)
            is_bold = all(typography_of(part).bold for part in texts)
            self._writer.paragraph(inline, f"docling:{place}", Typography(bold=is_bold))
        else:
            self._children(item, place, depth)

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
                parts += self._inline_parts(child, text, kinds.get(str(label), ""))
            elif depth < DEEPEST and reference.startswith("#/groups/"):
                inner = self._inline(child, reference, depth + 1)
                parts += as_parts(inner)
        return as_inline(parts)

    def _inline_parts(self, item: Item, text: str, kind: str) -> Sequence[str | Piece]:
        """A text of an inline group; code and formulas that are links are links."""
        if not kind:
            return as_parts(kept_text(item, text, self._kept))
        return linked([_piece(text, kind)], target_of(item, self._kept))

    # ---------------------------------------------------------------- lists

    def _list(self, item: Item, place: str, depth: int) -> None:
        self._check_depth(depth, place)
        lists = OpenLists(self._writer)
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
            number, label = self._items.marker(child, reference)
            lists.open_item(0, number, label)
            self._list_item(child, reference, depth + 1)
        lists.close()

    def _list_item(self, item: Item, place: str, depth: int) -> None:
        text = self._values.text(item, "text", place)
        spans = self._begin(item, place)
        shown = kept_text(item, text, self._kept)
        self._writer.paragraph(shown, f"docling:{place}", typography_of(item))
        self._mark_pages(text, spans)
        self._children(item, place, depth)

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
        number, label = self._items.marker(item, reference)
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
        for title, grid in charts_of(item, place, self._values, self._grid, self._writer.room):
            self._writer.grid(grid, title, f"docling:{place}")
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
        lines = list(self._items.graph_texts(item, place))
        self._begin(item, place)
        self._writer.paragraph("\n".join(lines), f"docling:{place}")

    def _begin(self, item: Item, place: str) -> list[PageSpan]:
        """Note on which page an item begins; return all its pages."""
        try:
            spans = list(self._items.spans(item, place))
        except PartError as error:  # its text is there all the same
            _warn(error)
            return []
        if spans:
            self._writer.page(spans[0].page)
        return spans

    def _mark_pages(self, text: str, spans: list[PageSpan]) -> None:
        """Mark where each further page of a text begins."""
        for before, span in pairwise(spans):
            words = len(text[max(0, before.end) :].split())
            if span.page != before.page and words:
                self._writer.page_within(words, span.page)


def _warn(error: PartError) -> None:
    warnings.warn(f"{error}; it is left out", LeftOutPartWarning, stacklevel=2)


def _piece(text: str, kind: str) -> Piece:
    return Piece(text, "code" if kind == "code" else "math")
