"""Reads DoclingDocument JSON without docling: headings, lists, tables, pictures, pages.

The format (schema 1.x) keeps items in arrays (``texts``, ``tables``, ``pictures``, ``groups``).
References (``{"$ref": "#/texts/12"}``) give their order and nesting, from ``body`` downwards.

Left out: page headers and footers, everything outside the ``body`` layer, and the text inside
pictures (such as labels of axes). Headings of PDFs all have level 1; their numbers determine the
levels when the document is built (``outline="auto"``).
"""

import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from treepack.errors import LeftOutWarning
from treepack.model.source import Source
from treepack.model.typography import Typography
from treepack.readers.docling.items import (
    DoclingItems,
    Item,
    PageSpan,
    descriptions,
    is_body,
    language_of,
    marker_of,
    references,
    spans_of,
    target_of,
    text_with_markup,
    typography_of,
)
from treepack.readers.docling.tables import charts_of, read_table
from treepack.readers.grids import Grid
from treepack.readers.inlines import Inline, InlinePiece, as_parts, flat
from treepack.readers.json_values import WHOLE, JsonReader, PartError, size_of
from treepack.readers.links_and_emphasis import TEXT_ONLY, KeepOptions, linked
from treepack.readers.lists import OpenLists
from treepack.readers.writer import MarkdownWriter

FORMAT: Final = "DoclingDocument JSON"
DEEPEST: Final = 100
"""The deepest nesting of items; docling's own stay below 20."""

_FURNITURE: Final = frozenset({"page_header", "page_footer"})
_LIST_GROUPS: Final = frozenset({"list", "ordered_list"})
_CHECK_BOXES: Final = {"checkbox_selected": "☒", "checkbox_unselected": "☐"}
_LONE_NUMBER: Final = re.compile(r"(?:[0-9]{1,3}|[IVXLC]{1,6})\.?\Z")
_CLOSING_PUNCTUATION: Final = re.compile(r"[.,;:!?)\]}»”’]")


def read_docling(
    document: Mapping[str, object] | bytes, name: str, keep: KeepOptions = TEXT_ONLY
) -> Source:
    """Read a DoclingDocument.

    Args:
        document: The dict, or the bytes of a JSON file.
        name: The document's name, also used in messages.
        keep: Whether links and emphasis are kept.

    Returns:
        The document as markdown. Page marks come from the items' provenance; ``origins`` are the
        items' references, such as ``docling:#/texts/12``.

    Raises:
        SourceError: It is not a DoclingDocument of version 1, or it contradicts itself.
    """
    reader = JsonReader(name, FORMAT)
    root = reader.record(reader.load(document) if isinstance(document, bytes) else document, WHOLE)
    return _Reader(DoclingItems(root), name, size_of(document), keep).read()


class _Reader:
    """Walks the references of one document in reading order."""

    def __init__(self, items: DoclingItems, name: str, size: int, keep: KeepOptions) -> None:
        self._items = items
        self._keep = keep
        self._writer = MarkdownWriter(name, items.metadata(), size)
        self._seen: set[str] = set()
        self._attached_references = items.attached_references()
        self._numbers: dict[str, str] = {}  # of chapters, by the place of the title item
        self._levels_above = 1 if items.has_title() else 0

    def read(self) -> Source:
        self._children(self._items.body(), 0)
        return self._writer.source()

    def _children(self, item: Item, depth: int) -> None:
        self._check_depth(depth, item)
        children = list(self._children_to_write(item))
        for child, next_child in zip(children, [*children[1:], None], strict=False):
            if not self._is_new(child.place):
                continue
            if next_child is not None and self._is_number_of(child, next_child):
                continue
            self._item_or_warning(child, depth + 1)

    def _is_new(self, reference: str) -> bool:
        """Return whether an item is met for the first time; each is written once."""
        is_new = reference not in self._seen
        self._seen.add(reference)
        return is_new

    def _children_to_write(self, item: Item) -> Iterator[Item]:
        """Return the children of an item, without those that are written elsewhere."""
        children = self._referenced_items(item, "children")
        return (child for child in children if child.place not in self._attached_references)

    def _referenced_items(self, item: Item, key: str) -> Iterator[Item]:
        """Yield the items that an item refers to; missing ones are left out, with a warning."""
        for reference in references(item, key):
            try:
                referenced = self._items.resolve(reference, item)
            except PartError as error:
                _warn(error)
            else:
                yield referenced

    def _item_or_warning(self, item: Item, depth: int) -> None:
        """Write an item; if it contradicts itself, warn and leave out the rest of it."""
        depth_before = self._writer.depth
        try:
            self._item(item, depth)
        except PartError as error:
            while self._writer.depth > depth_before:
                self._writer.close()
            _warn(error)

    def _check_depth(self, depth: int, item: Item) -> None:
        if depth > DEEPEST:
            raise item.reader.limit_error(item.place, f"items are nested deeper than {DEEPEST}")

    def _is_number_of(self, item: Item, title: Item) -> bool:
        """Return whether a header is only the number of the next header, which then gets it."""
        pair = (item, title)
        if any(header.get("label") != "section_header" or not is_body(header) for header in pair):
            return False
        number, text = (header.text("text").strip() for header in pair)
        levels = {header.whole_number("level") for header in pair}
        if len(levels) > 1 or not _LONE_NUMBER.match(number) or not text[:1].isalpha():
            return False
        self._numbers[title.place] = number
        return True

    # ---------------------------------------------------------------- items

    def _item(self, item: Item, depth: int) -> None:
        label = item.required("label")
        if not is_body(item) or label in _FURNITURE:
            return
        kind = item.place.removeprefix("#/").partition("/")[0]
        match kind:
            case "texts":
                self._text(item, label, depth)
            case "tables":
                self._table(item)
            case "pictures":
                self._picture(item)
            case "groups":
                self._group(item, label, depth)
            case "field_items" if self._is_line(item):
                self._writer.paragraph(self._inline(item, depth), _origin(item))
            case _ if "graph" in item:
                self._key_values(item)
            case _:  # fields of a form, and what later versions add
                self._unknown_item(item, depth)

    def _text(self, item: Item, label: str, depth: int) -> None:
        writer, origin = self._writer, _origin(item)
        text = item.required("text")
        spans = self._begin_item(item)
        if label == "code":
            self._attached_paragraphs(item, "captions")
            writer.code(text, language_of(item), origin)
        elif label == "formula" and text:
            writer.math(text, origin)
        elif label == "title":
            writer.heading(1, text_with_markup(item, text, self._keep), origin)
        elif label == "section_header":
            level = item.whole_number("level") or 1
            number = self._numbers.pop(item.place, "")
            inline = text_with_markup(item, text, self._keep)
            writer.heading(level + self._levels_above, [f"{number} ", *as_parts(inline)], origin)
        else:
            check_box = _CHECK_BOXES.get(label)
            text = text or item.text("orig")
            inline = text_with_markup(item, text, self._keep)
            inline = [f"{check_box} ", *as_parts(inline)] if check_box else inline
            writer.paragraph(inline, origin, typography_of(item))
        self._mark_pages(text, spans)
        self._children(item, depth)

    def _is_line(self, item: Item) -> bool:
        """Return whether a field consists only of texts, such as its key and its value."""
        children = self._children_to_write(item)
        return all("text" in child and not child.get("children") for child in children)

    def _unknown_item(self, item: Item, depth: int) -> None:
        self._begin_item(item)
        self._writer.paragraph(item.text("text"), _origin(item))
        self._attached_paragraphs(item, "captions")
        self._children(item, depth)

    def _group(self, item: Item, label: str, depth: int) -> None:
        if label in _LIST_GROUPS:
            self._list(item, depth)
        elif label == "inline":
            inline = self._inline(item, depth)
            texts = self._items.inline_texts(item)
            is_bold = all(typography_of(part).bold for part in texts)
            self._writer.paragraph(inline, _origin(item), Typography(bold=is_bold))
        else:
            self._children(item, depth)

    def _inline(self, item: Item, depth: int) -> Inline:
        """Join the texts of an inline group, with the spaces that docling removed."""
        parts: list[str | InlinePiece] = []
        for child in self._referenced_items(item, "children"):
            if not is_body(child) or not self._is_new(child.place):
                continue
            if not parts:
                self._begin_item(child)
            if text := child.text("text"):
                if parts and not _CLOSING_PUNCTUATION.match(text):
                    parts.append(" ")
                parts += self._inline_parts(child, text)
            elif depth < DEEPEST and child.place.startswith("#/groups/"):
                parts += as_parts(self._inline(child, depth + 1))
        return parts

    def _inline_parts(self, item: Item, text: str) -> Sequence[str | InlinePiece]:
        """Return a text of an inline group; code and formulas keep their links too."""
        label = item.get("label")
        if label not in ("code", "formula"):
            return as_parts(text_with_markup(item, text, self._keep))
        piece = InlinePiece(text, "code" if label == "code" else "math")
        return linked([piece], target_of(item, self._keep))

    # ---------------------------------------------------------------- lists

    def _list(self, item: Item, depth: int) -> None:
        self._check_depth(depth, item)
        lists = OpenLists(self._writer)
        for child in self._children_to_write(item):
            if not self._is_new(child.place) or not is_body(child):
                continue
            if child.get("label") != "list_item":
                # goes inside the previous item, if there is one
                self._item_or_warning(child, depth + 1)
                continue
            lists.open_item(0, *marker_of(child))
            self._list_item(child, depth + 1)
        lists.close()

    def _list_item(self, item: Item, depth: int) -> None:
        text = item.text("text")
        spans = self._begin_item(item)
        self._writer.paragraph(
            text_with_markup(item, text, self._keep), _origin(item), typography_of(item)
        )
        self._mark_pages(text, spans)
        self._children(item, depth)

    # ---------------------------------------------------------------- tables, pictures, pages

    def _table(self, item: Item) -> None:
        data = item.record("data")
        self._begin_item(item)
        captions = list(self._attached_texts(item, "captions"))
        self._writer.grid(self._grid(data), " ".join(captions), _origin(item))
        self._attached_paragraphs(item, "footnotes")

    def _grid(self, data: Item) -> Grid:
        return read_table(data, self._writer.fill_limit, self._rich_lines)

    def _rich_lines(self, reference: str, holder: Item, depth: int = 0) -> Iterator[str]:
        """Yield the text of a rich cell: a line for each item, and for each row of a table."""
        if reference in self._seen:
            return
        self._check_depth(depth, holder)
        self._seen.add(reference)
        item = self._items.resolve(reference, holder)
        if not is_body(item):
            return
        if item.get("label") == "list_item":
            yield from self._rich_item(item, depth)
            return
        text = item.text("text")
        if text.strip():
            yield text
        if reference.startswith("#/tables/"):
            for row in self._grid(item.record("data")).rows:
                yield "; ".join([str(cell) for cell in row if cell])
        elif item.get("label") == "inline":
            yield flat(self._inline(item, depth + 1))
        else:
            yield from self._rich_children(item, depth)

    def _rich_item(self, item: Item, depth: int) -> Iterator[str]:
        """Yield the lines of a list item, the first one with its marker."""
        number, label = marker_of(item)
        text = item.text("text")
        lines = [text] if text.strip() else []
        lines += self._rich_children(item, depth)
        for at, line in enumerate(lines):
            marker = label or ("-" if number is None else f"{number}.")
            yield line if at else f"{marker} {line}"

    def _rich_children(self, item: Item, depth: int) -> Iterator[str]:
        for child in references(item, "children"):
            yield from self._rich_lines(child, item, depth + 1)

    def _picture(self, item: Item) -> None:
        self._begin_item(item)
        description = " ".join(filter(None, dict.fromkeys(descriptions(item))))
        self._writer.image(description, item.place, _origin(item))
        self._attached_paragraphs(item, "captions")
        for title, grid in charts_of(item, self._grid, self._writer.fill_limit):
            self._writer.grid(grid, title, _origin(item))
        self._attached_paragraphs(item, "footnotes")

    def _attached_paragraphs(self, item: Item, key: str) -> None:
        for text in self._attached_texts(item, key):
            self._writer.paragraph(text, _origin(item))

    def _attached_texts(self, item: Item, key: str) -> Iterator[str]:
        """Yield captions or footnotes; each is written once, with the first item that has it."""
        for attached in self._referenced_items(item, key):
            text = attached.text("text")
            if text and self._is_new(attached.place):
                yield text

    def _key_values(self, item: Item) -> None:
        """Write the cells of a form, or of a list of keys and values, as lines."""
        lines = [cell.text("text") for cell in item.record_or_empty("graph").records("cells")]
        self._begin_item(item)
        self._writer.paragraph("\n".join(lines), _origin(item))

    def _begin_item(self, item: Item) -> list[PageSpan]:
        """Record the page on which an item begins; return all its pages."""
        try:
            spans = list(spans_of(item))
        except PartError as error:  # its text can still be read
            _warn(error)
            return []
        if spans:
            self._writer.page(spans[0].page)
        return spans

    def _mark_pages(self, text: str, spans: list[PageSpan]) -> None:
        """Set a page mark where each further page of a text begins."""
        for previous, span in pairwise(spans):
            words = len(text[max(0, previous.end) :].split())
            if span.page != previous.page and words:
                self._writer.continue_on_page(span.page, words=words)


def _origin(item: Item) -> str:
    return f"docling:{item.place}"


def _warn(error: PartError) -> None:
    warnings.warn(f"{error}; it is left out", LeftOutWarning, stacklevel=2)
