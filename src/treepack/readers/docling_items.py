"""The items of a DoclingDocument: references between them, provenance, what is content."""

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias

from treepack.readers.json_values import JsonReader

SCHEMA: Final = "DoclingDocument"
MAJOR_VERSION: Final = 1

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
        self._arrays = {
            key: values.sequence(root.get(key), f"#/{key}")
            for key in ("texts", "tables", "pictures", "groups", "key_value_items", "form_items")
        }

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
        for at, value in enumerate(self.values.sequence(self._root.get(key), f"#/{key}")):
            place = f"#/{key}/{at}"
            yield self.values.mapping(value, place), place

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
        """A title stands above all section headers, whose levels begin at 1 below it."""
        return any(
            item.get("label") == "title" and is_body(item) for item, _ in self.items("texts")
        )

    def references(self, item: Item, key: str, place: str) -> Iterator[str]:
        """The references that an item holds: its children, captions or footnotes."""
        values = self.values
        for at, entry in enumerate(values.sequence(item.get(key), f"{place}/{key}")):
            where = f"{place}/{key}/{at}"
            reference = values.text(values.mapping(entry, where), "$ref", where)
            if not reference:
                raise values.fault(where, "has no '$ref'")
            yield reference

    def resolve(self, reference: str, place: str) -> Item:
        """The item that a reference leads to."""
        key, _, number = reference.removeprefix("#/").partition("/")
        array = self._arrays.get(key)
        if array is None or not re.fullmatch("[0-9]{1,9}", number) or int(number) >= len(array):
            raise self.values.fault(place, f"refers to {reference!r}, which is not there")
        return self.values.mapping(array[int(number)], reference)

    def spans(self, item: Item, place: str) -> Iterator[PageSpan]:
        """Where an item stands, by its provenance."""
        values = self.values
        for at, entry in enumerate(values.sequence(item.get("prov"), f"{place}/prov")):
            where = f"{place}/prov/{at}"
            record = values.mapping(entry, where)
            ends = values.sequence(record.get("charspan"), f"{where}/charspan")[1:2]
            end = next((end for end in ends if isinstance(end, int)), 0)
            yield PageSpan(values.count(record, "page_no", where), end)


def _check_schema(root: Item, values: JsonReader) -> None:
    schema, version = root.get("schema_name"), root.get("version")
    place = "schema_name"
    if schema != SCHEMA:
        raise values.fault(place, f"is {schema!r}, not {SCHEMA!r}")
    place = "version"
    if not isinstance(version, str) or version.partition(".")[0] != str(MAJOR_VERSION):
        raise values.fault(place, f"is {version!r}; versions {MAJOR_VERSION}.x can be read")


def is_body(item: Item) -> bool:
    """Whether an item is content; older versions have no layers."""
    return item.get("content_layer", "body") == "body"
