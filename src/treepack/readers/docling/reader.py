"""Reads DoclingDocument JSON without docling: headings, lists, tables, pictures, pages.

The format (schema 1.x) keeps items in arrays (``texts``, ``tables``, ``pictures``, ``groups``).
References (``{"$ref": "#/texts/12"}``) give their order and nesting, from ``body`` downwards.

Left out: page headers and footers, everything outside the ``body`` layer, and the text inside
pictures (such as labels of axes). Headings of PDFs all have level 1; their numbers determine the
levels when the document is built (``outline="auto"``).
"""

import warnings
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, compress, groupby, pairwise, product, zip_longest
from operator import itemgetter, not_
from typing import Final

from treepack.errors import LeftOutWarning, SourceError
from treepack.model.source import Source, Typography
from treepack.numbers.words import roman_value
from treepack.readers.docling.items import DoclingItems, Item, Reference, TableCell, TableData
from treepack.readers.grids import Cell, FillLimit
from treepack.readers.inlines import InlinePiece, flat
from treepack.readers.json_values import JsonReader
from treepack.readers.links_and_emphasis import TEXT_ONLY, KeepOptions
from treepack.readers.lists import OpenLists
from treepack.readers.writer import MarkdownWriter

FORMAT: Final = "DoclingDocument JSON"
DEEPEST: Final = 100
"""The deepest nesting of items; docling's own stay below 20."""

_LIST_GROUPS: Final = frozenset({"list", "ordered_list"})
_CHECK_BOXES: Final = {"checkbox_selected": "☒ ", "checkbox_unselected": "☐ "}
_CLOSING_PUNCTUATION: Final = tuple(".,;:!?)]}»”’")


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
        items' references, such as ``docling:#/texts/12``, and their boxes on pages.

    Raises:
        SourceError: It is not a DoclingDocument of version 1, or it contradicts itself.
    """
    reader = JsonReader(name, FORMAT)
    items = DoclingItems(reader, reader.load(document) if isinstance(document, bytes) else document)
    size = len(document if isinstance(document, bytes) else repr(document))
    writer = MarkdownWriter(name, items.metadata, size)
    _Reader(items, writer, keep).children(items.body, 0)
    return writer.source()


class _Reader:
    """Walks the references of one document in reading order."""

    def __init__(self, items: DoclingItems, writer: MarkdownWriter, keep: KeepOptions) -> None:
        self._items = items
        self._writer = writer
        self._keep = keep
        self._seen: set[str] = set()
        self._number = ""  # of a chapter, if it is a header of its own before the title

    # ---------------------------------------------------------------- which items

    def _new(self, references: Sequence[Reference], holder: Item) -> Iterator[Item]:
        """Yield the content that an item refers to, each item once; faults are warned of."""
        for reference in references:
            if reference.target in self._seen:
                continue
            self._seen.add(reference.target)
            try:
                item = self._items.resolve(reference.target, holder)
            except SourceError as error:
                self._warn(error)
            else:
                if item.is_content:
                    yield item

    def children(self, item: Item, depth: int) -> None:
        """Write the children of an item; what stands between list items belongs to the list."""
        self._check_depth(depth, item)
        attached = self._items.attached
        references = [each for each in item.children if each.target not in attached]
        children = list(self._new(references, item))
        lists = OpenLists(self._writer)
        for child, following in zip_longest(children, children[1:]):
            if child.label == "list_item":
                lists.open_item(0, child.number, child.list_label)
            elif item.label not in _LIST_GROUPS:
                lists.close()
            if following is not None and _is_number_of(child, following):
                self._number = f"{child.text.strip()} "
            else:
                self._item(child, depth + 1)
        lists.close()

    def _check_depth(self, depth: int, item: Item) -> None:
        if depth > DEEPEST:
            what = f"items are nested deeper than {DEEPEST}"
            raise self._items.reader.fault(item.place, what)

    # ---------------------------------------------------------------- items

    def _item(self, item: Item, depth: int) -> None:
        kind = item.place.removeprefix("#/").partition("/")[0]
        self._begin(item)
        if kind == "tables":
            captions = [each.text for each in self._new(item.captions, item)]
            self._table(item, item.data, " ".join(captions))
        elif kind == "pictures":
            self._picture(item)
        elif item.label == "inline" or kind == "field_items":
            self._line(item, depth)
        else:
            self._attached_paragraphs(item, item.captions)
            self._text(item)
            self._mark_pages(item)
            self.children(item, depth)
        self._attached_paragraphs(item, item.footnotes)

    def _text(self, item: Item) -> None:
        writer, origin, inline = self._writer, item.origin, item.inline(self._keep)
        match item.label:
            case "code":
                language = item.code_language.casefold()
                writer.code(item.text, "" if language == "unknown" else language, origin)
            case "formula" if item.text:
                writer.math(item.text, origin)
            case "title":
                writer.heading(1, inline, origin)
            case "section_header":
                number, self._number = self._number, ""
                level = item.level + self._items.has_title
                writer.heading(level, [number, *inline], origin)
            case label:
                values = "\n".join([cell.text for cell in item.graph.cells])
                text = [_CHECK_BOXES.get(label, ""), *inline, values]
                writer.paragraph(text, origin, Typography(bold=item.is_bold))

    def _line(self, item: Item, depth: int) -> None:
        """Write the texts of an inline group, or of a field of a form, as one paragraph."""
        children = list(self._new(item.children, item))
        is_text = [bool(child.text) or child.label == "inline" for child in children]
        line = list(compress(children, is_text))
        for first in line[:1]:
            self._begin(first)
        words = [child for child in line if any(map(str.isalnum, child.text))]
        is_bold = bool(words) and all(child.is_bold for child in words)
        self._writer.paragraph(self._inline(line, depth), item.origin, Typography(bold=is_bold))
        for child in compress(children, map(not_, is_text)):
            self._item(child, depth + 1)

    def _inline(self, children: Iterable[Item], depth: int) -> list[str | InlinePiece]:
        """Join texts, with the spaces that docling removed."""
        parts: list[str | InlinePiece] = []
        for child in children:
            self._check_depth(depth, child)
            own = child.inline(self._keep) if child.text else []
            for inner in (own, self._inline(self._new(child.children, child), depth + 1)):
                if parts and inner and not child.text.startswith(_CLOSING_PUNCTUATION):
                    parts.append(" ")
                parts += inner
        return parts

    # ---------------------------------------------------------------- tables and pictures

    def _table(self, item: Item, data: TableData, caption: str) -> None:
        rows, header_rows = self._rows(data, item, 0)
        self._writer.table(rows, header_rows, caption, item.origin)

    def _rows(self, data: TableData, item: Item, depth: int) -> tuple[list[list[Cell]], int]:
        def text_of(cell: TableCell) -> str:
            """Return a cell's text, or that of the items that it refers to, if longer."""
            references = [cell.ref] if cell.ref else []
            lines = [self._lines(each, depth) for each in self._new(references, item)]
            rich = "\n".join(chain.from_iterable(lines))
            return max(cell.text, rich, key=lambda text: len("".join(text.split())))

        return _table_rows(data, text_of, self._writer.fill_limit)

    def _lines(self, item: Item, depth: int) -> list[str]:
        """Return what a rich cell refers to: a line for each item, and for each row of a table."""
        self._check_depth(depth, item)
        if item.label == "inline":
            return [flat(self._inline([item], depth))]
        lines = [item.text] if item.text.strip() else []
        rows, _ = self._rows(item.data, item, depth + 1)
        lines += ["; ".join([str(cell.content) for cell in row if cell.content]) for row in rows]
        for child in self._new(item.children, item):
            lines += self._lines(child, depth + 1)
        if lines and item.label == "list_item":
            bullet = "-" if item.number is None else f"{item.number}."
            lines[0] = f"{item.list_label or bullet} {lines[0]}"
        return lines

    def _picture(self, item: Item) -> None:
        found = [item.meta.description, *item.annotations]
        descriptions = [each.text for each in found if each.kind in (None, "description")]
        description = " ".join(filter(None, dict.fromkeys(descriptions)))
        self._writer.image(description, item.place, item.origin)
        self._attached_paragraphs(item, item.captions)
        charts = [item.meta.tabular_chart, *item.annotations]
        chart = next((each for each in charts if each.chart_data.table_cells), charts[0])
        self._table(item, chart.chart_data, chart.title)
        for each in charts if chart is charts[0] and not chart.chart_data.table_cells else ():
            if str(each.kind).endswith("_chart_data"):
                what = f"the values of its {each.kind} are not read"
                self._warn(self._items.reader.fault(item.place, what))

    def _attached_paragraphs(self, item: Item, references: Sequence[Reference]) -> None:
        """Write captions or footnotes; each is written once, with the first item that has it."""
        for attached in self._new(references, item):
            self._writer.paragraph(attached.text, item.origin)

    # ---------------------------------------------------------------- pages

    def _begin(self, item: Item) -> None:
        """Set the page on which an item begins."""
        for span in item.prov[:1]:
            self._writer.page(span.page_no)

    def _mark_pages(self, item: Item) -> None:
        """Set a page mark where each further page of a text begins."""
        for previous, span in pairwise(item.prov):
            words = len(item.text[max([0, *previous.charspan[1:2]]) :].split())
            if span.page_no not in (None, previous.page_no) and words:
                self._writer.continue_on_page(span.page_no, words=words)

    def _warn(self, error: SourceError) -> None:
        warnings.warn(f"{error}; it is left out", LeftOutWarning, stacklevel=2)


def _is_number_of(item: Item, title: Item) -> bool:
    """Return whether a header is only the number of the next header, which then gets it."""
    are_headers = item.label == title.label == "section_header" and item.level == title.level
    number = item.text.strip().removesuffix(".")
    is_number = number.isdecimal() or (number.isupper() and roman_value(number) is not None)
    return are_headers and is_number and title.text.strip()[:1].isalpha()


def _table_rows(
    data: TableData, text_of: Callable[[TableCell], str], limit: FillLimit
) -> tuple[list[list[Cell]], int]:
    """Return for each row the cells that begin in it, and how many rows name the columns.

    Only rows and columns in which a cell begins or ends count; if they have far more places than
    cells, each row has only its cells. A cell that begins in a place of
    another one adds its text to that one. Some versions of docling write a cell once for each place
    that it takes: copies count once.
    """
    cells = sorted(dict.fromkeys(data.table_cells), key=lambda cell: (cell.row, cell.column))
    texts = [text_of(cell) for cell in cells]
    above = _ends([(cell.row, min(cell.row_end, data.num_rows)) for cell in cells])
    left = _ends([(cell.column, min(cell.column_end, data.num_cols)) for cell in cells])
    pairs = list(zip(cells, texts, strict=True))
    others = {cell.row for cell, text in pairs if text.strip() and not cell.column_header}
    headers = {cell.row for cell in cells if cell.column_header} - others
    header_rows = next((at for at, row in enumerate(above) if row not in headers), len(above))
    fillers = max(0, len(above) * len(left) - len(cells))
    limit.cells += len(cells)
    if not limit.take(fillers):
        by_row = groupby(pairs, key=lambda pair: pair[0].row)
        return [[Cell(text) for _, text in row] for _, row in by_row], header_rows
    limit.cells -= len(cells) + fillers  # `fill` counts all of them as cells
    owners: dict[tuple[int, int], tuple[int, int]] = {}  # of each place: where its cell begins
    laid: dict[tuple[int, int], Cell] = {}
    for cell, text in pairs:
        row, column = start = bisect_left(above, cell.row), bisect_left(left, cell.column)
        if start in owners:
            first = laid[owners[start]]
            laid[owners[start]] = replace(first, content=f"{first.content} {text}".strip())
            continue
        right = max(column + 1, bisect_left(left, cell.column_end))
        right = next((at for at in range(column + 1, right) if (row, at) in owners), right)
        below = max(row + 1, bisect_left(above, cell.row_end))
        places = product(range(row + 1, below), range(column, right))
        below = next((at for at, beside in places if (at, beside) in owners), below)
        owners.update(dict.fromkeys(product(range(row, below), range(column, right)), start))
        laid[start] = Cell(text, right - column, below - row)
    places = product(range(len(above)), range(len(left)))
    rows = groupby((place for place in places if owners.get(place, place) == place), itemgetter(0))
    return [[laid.get(place, Cell()) for place in row] for _, row in rows], header_rows


def _ends(spans: Iterable[tuple[int, int]]) -> list[int]:
    """Return the first and last places of spans, each once, in order."""
    return sorted({at for start, end in spans for at in (start, max(start, end - 1))})
