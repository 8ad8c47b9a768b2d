"""The items of a DoclingDocument: references between them, provenance, what is content."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias, cast

from treepack.model.typography import Typography
from treepack.readers.inlines import Inline, Piece
from treepack.readers.json_values import JsonReader
from treepack.readers.kept import Kept, emphasised, link_target, linked

SCHEMA: Final = "DoclingDocument"
MAJOR_VERSION: Final = 1
_ORDERED: Final = re.compile(r"\(?([0-9]{1,9})[.)]?\Z")
_BULLET: Final = re.compile(r"[^\w(]*\Z|o\Z")
_TEXT_LABELS: Final = frozenset({"text", "paragraph", "list_item", "inline"})

Item: TypeAlias = Mapping[str, object]


class PageSpan(NamedTuple):
    """Where an item stands: the page, and the end of its text there (characters)."""

    page: int
    end: int


class DoclingItems:
    """The items of one document.

    Args:
        root: The document.
        values: Reads its values.

    Raises:
        SourceError: The document is of another schema or version.
    """

    def __init__(self, root: Item, values: JsonReader) -> None:
        _check_schema(root, values)
        self._root = root
        self.values = values
        for key in ("texts", "tables", "pictures", "groups", "key_value_items", "form_items"):
            values.sequence(root.get(key), f"#/{key}")

    def body(self) -> Item:
        """The root of the content."""
        return self.values.mapping(self._root.get("body"), "#/body")

    def metadata(self) -> dict[str, str]:
        """Name and type of the file that was converted, where they are known."""
        origin = self._root.get("origin")
        if origin is None:
            return {}
        record = self.values.mapping(origin, "#/origin")
        found = {key: self.values.text(record, key, "#/origin") for key in ("filename", "mimetype")}
        return {key: text for key, text in found.items() if text}

    def items(self, key: str) -> Iterator[tuple[Item, str]]:
        """The items of one array, each with its reference."""
        return self.values.records(self._root, key, "#")

    def attached_references(self) -> set[str]:
        """Captions and footnotes of tables, pictures and code, written with those."""
        return {
            reference
            for key in ("tables", "pictures", "texts")
            for item, place in self.items(key)
            if is_body(item)
            for part in ("captions", "footnotes")
            for reference in self.references(item, part, place)
        }

    def has_title(self) -> bool:
        """Whether there is a title; section headers, whose levels begin at 1, then go below it."""
        return any(
            item.get("label") == "title" and is_body(item) for item, _ in self.items("texts")
        )

    def references(self, item: Item, key: str, place: str) -> Iterator[str]:
        """The references that an item holds: its children, captions or footnotes."""
        values = self.values
        for record, where in values.records(item, key, place):
            yield reference_in(record, values, where)

    def resolve(self, reference: str, place: str) -> Item:
        """The item that a reference leads to, in any array: new versions add arrays."""
        key, _, number = reference.removeprefix("#/").partition("/")
        array = self._root.get(key)
        is_array = isinstance(array, Sequence) and not isinstance(array, str | bytes)
        if is_array and re.fullmatch("[0-9]{1,9}", number):
            found = cast("Sequence[object]", array)
            if int(number) < len(found):
                return self.values.mapping(found[int(number)], reference)
        raise self.values.fault(place, f"refers to {reference!r}, which is not there")

    def descriptions(self, item: Item, place: str) -> Iterator[str]:
        """What a picture shows, by its annotations."""
        values = self.values
        for annotation, where in values.records(item, "annotations", place):
            if annotation.get("kind") == "description":
                yield values.text(annotation, "text", where)
        meta = values.record(item, "meta", place)  # since schema 1.8
        description = values.record(meta, "description", f"{place}/meta")
        yield values.text(description, "text", f"{place}/meta/description")

    def spans(self, item: Item, place: str) -> Iterator[PageSpan]:
        """Where an item stands, by its provenance."""
        values = self.values
        for record, where in values.records(item, "prov", place):
            ends = values.sequence(record.get("charspan"), f"{where}/charspan")[1:2]
            end = next((end for end in ends if isinstance(end, int)), 0)
            yield PageSpan(values.count(record, "page_no", where), end)

    def inline_texts(self, item: Item, place: str) -> list[Item]:
        """The children of an inline group that have letters or digits, or are groups."""
        children = [
            self.resolve(reference, place) for reference in self.references(item, "children", place)
        ]
        return [child for child in children if any(map(str.isalnum, str(child.get("text", "x"))))]

    def marker(self, item: Item, place: str) -> tuple[int | None, str]:
        """The number of an item in an ordered list, or the label that it begins with."""
        marker = self.values.text(item, "marker", place).strip()
        if match := _ORDERED.match(marker):
            return int(match[1]), ""
        return None, "" if _BULLET.match(marker) else marker

    def graph_texts(self, item: Item, place: str) -> Iterator[str]:
        """The texts of the cells of a form, or of a list of keys and values."""
        values = self.values
        graph = values.record(item, "graph", place)
        for cell, where in values.records(graph, "cells", f"{place}/graph"):
            yield values.text(cell, "text", where)

    def language(self, item: Item, place: str) -> str:
        """The language of code; empty if it is not known."""
        language = self.values.text(item, "code_language", place).casefold()
        return "" if language == "unknown" else language


def _check_schema(root: Item, values: JsonReader) -> None:
    schema, version = root.get("schema_name"), root.get("version")
    place = "schema_name"
    if schema != SCHEMA:
        raise values.fault(place, f"is {schema!r}, not {SCHEMA!r}")
    place = "version"
    if not isinstance(version, str) or version.partition(".")[0] != str(MAJOR_VERSION):
        raise values.fault(place, f"is {version!r}; versions {MAJOR_VERSION}.x can be read")


def typography_of(item: Item) -> Typography:
    """How a text is set, as far as docling says: bold type, and its label."""
    formatting = item.get("formatting")
    label = item.get("label")
    is_bold = isinstance(formatting, Mapping) and (cast("Item", formatting).get("bold") is True)
    style = label if isinstance(label, str) and label not in _TEXT_LABELS else None
    return Typography(bold=is_bold, style=style)


def kept_text(item: Item, text: str, kept: Kept) -> Inline:
    """An item's text with what is kept of its link and its emphasis."""
    parts: list[str | Piece] = [text]
    held = item.get("formatting")
    formatting: Item = cast("Item", held) if isinstance(held, Mapping) else {}
    if kept.emphasis and (formatting.get("bold") is True or formatting.get("italic") is True):
        parts = emphasised(text, "strong" if formatting.get("bold") is True else "em")
    parts = linked(parts, target_of(item, kept))
    return text if all(isinstance(part, str) for part in parts) else parts


def target_of(item: Item, kept: Kept) -> str:
    """Where an item leads as a link; empty where it does not, or links are not kept."""
    target = item.get("hyperlink")
    return link_target(target) if kept.links and isinstance(target, str) else ""


def reference_in(record: Item, values: JsonReader, place: str) -> str:
    """The target of a reference, which some JSON calls ``cref`` instead of ``$ref``."""
    reference = values.text(record, "$ref", place) or values.text(record, "cref", place)
    if not reference:
        raise values.fault(place, "has no '$ref'")
    return reference


def is_body(item: Item) -> bool:
    """Whether an item is content; older versions have no layers."""
    return item.get("content_layer", "body") == "body"
