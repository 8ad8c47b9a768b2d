"""The items of a DoclingDocument: their references, their provenance, and which are content."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias, cast

from treepack.model.typography import Typography
from treepack.readers.inlines import Inline, InlinePiece
from treepack.readers.json_values import WHOLE, JsonRecord
from treepack.readers.links_and_emphasis import KeepOptions, emphasised, link_target, linked

SCHEMA: Final = "DoclingDocument"
MAJOR_VERSION: Final = 1
_ORDERED_MARKER: Final = re.compile(r"\(?([0-9]{1,9})[.)]?\Z")
_BULLET_MARKER: Final = re.compile(r"[^\w(]*\Z|o\Z")
_TEXT_LABELS: Final = frozenset({"text", "paragraph", "list_item", "inline"})

Item: TypeAlias = JsonRecord
"""An item; its place is the reference that points to it."""


class PageSpan(NamedTuple):
    """Where an item is: the page, and the end of its text on that page, in characters."""

    page: int
    end: int


class DoclingItems:
    """The items of one document.

    Raises:
        SourceError: The document has another schema or version.
    """

    def __init__(self, root: JsonRecord) -> None:
        schema, version = (root.get(key) for key in ("schema_name", "version"))
        if schema != SCHEMA:
            raise root.fault(key="schema_name", what=f"is {schema!r}, not {SCHEMA!r}")
        if not isinstance(version, str) or version.partition(".")[0] != str(MAJOR_VERSION):
            what = f"is {version!r}, but only {MAJOR_VERSION}.x can be read"
            raise root.fault(key="version", what=what)
        self._root = root.at("#")
        for key in ("texts", "tables", "pictures", "groups", "key_value_items", "form_items"):
            self._root.array(key)

    def body(self) -> Item:
        """Return the root of the content."""
        return self._root.record("body")

    def metadata(self) -> dict[str, str]:
        """Return the name and type of the file that was converted, as far as they are known."""
        if self._root.get("origin") is None:
            return {}
        origin = self._root.record("origin")
        return {key: text for key in ("filename", "mimetype") if (text := origin.text(key))}

    def attached_references(self) -> set[str]:
        """Return the captions and footnotes that are written with a table, picture or code."""
        return {
            reference
            for key in ("tables", "pictures", "texts")
            for item in self._root.records(key)
            if is_body(item)
            for part in ("captions", "footnotes")
            for reference in references(item, part)
        }

    def has_title(self) -> bool:
        """Return whether there is a title; section headers then go below it, from level 2."""
        texts = self._root.records("texts")
        return any(item.get("label") == "title" and is_body(item) for item in texts)

    def resolve(self, reference: str, item: Item) -> Item:
        """Return what an item refers to, in any array, because new versions add arrays."""
        key, _, number = reference.removeprefix("#/").partition("/")
        array = self._root.get(key)
        is_array = isinstance(array, Sequence) and not isinstance(array, str | bytes)
        if is_array and re.fullmatch("[0-9]{1,9}", number):
            items = cast("Sequence[object]", array)
            if int(number) < len(items):
                return item.reader.record(items[int(number)], reference)
        raise item.fault(WHOLE, f"refers to {reference!r}, which does not exist")

    def inline_texts(self, item: Item) -> list[Item]:
        """Return the children of an inline group that have letters or digits, or no text field."""
        children = [self.resolve(reference, item) for reference in references(item, "children")]
        return [child for child in children if any(map(str.isalnum, str(child.get("text", "x"))))]


def references(item: Item, key: str) -> Iterator[str]:
    """Return the references of an item to its children, captions or footnotes."""
    return map(reference_in, item.records(key))


def reference_in(record: JsonRecord) -> str:
    """Return the target of a reference, which some JSON calls ``cref`` instead of ``$ref``."""
    reference = record.text("$ref") or record.text("cref")
    if not reference:
        raise record.fault(WHOLE, "has no '$ref'")
    return reference


def descriptions(item: Item) -> Iterator[str]:
    """Yield the descriptions of what a picture shows, from its annotations and metadata."""
    for annotation in item.records("annotations"):
        if annotation.get("kind") == "description":
            yield annotation.text("text")
    meta = item.record_or_empty("meta")  # since schema 1.8
    yield meta.record_or_empty("description").text("text")


def spans_of(item: Item) -> Iterator[PageSpan]:
    """Yield where an item is, by its provenance."""
    for record in item.records("prov"):
        ends = record.array("charspan")[1:2]
        end = next((end for end in ends if isinstance(end, int)), 0)
        yield PageSpan(record.count("page_no"), end)


def marker_of(item: Item) -> tuple[int | None, str]:
    """Return the number of an item in an ordered list, or the label that it begins with."""
    marker = item.text("marker").strip()
    if match := _ORDERED_MARKER.match(marker):
        return int(match[1]), ""
    return None, "" if _BULLET_MARKER.match(marker) else marker


def language_of(item: Item) -> str:
    """Return the language of code; empty if it is unknown."""
    language = item.text("code_language").casefold()
    return "" if language == "unknown" else language


def typography_of(item: Item) -> Typography:
    """Return how a text is formatted, as far as docling knows: bold type, and its label."""
    label = item.get("label")
    is_bold = _formatting(item).get("bold") is True
    style = label if isinstance(label, str) and label not in _TEXT_LABELS else None
    return Typography(bold=is_bold, style=style)


def _formatting(item: Item) -> Mapping[str, object]:
    value = item.get("formatting")
    return cast("Mapping[str, object]", value) if isinstance(value, Mapping) else {}


def text_with_markup(item: Item, text: str, keep: KeepOptions) -> Inline:
    """Return an item's text, with its link and its emphasis if they are kept."""
    parts: list[str | InlinePiece] = [text]
    formatting = _formatting(item)
    if keep.emphasis and (formatting.get("bold") is True or formatting.get("italic") is True):
        parts = emphasised(text, "strong" if formatting.get("bold") is True else "em")
    return linked(parts, target_of(item, keep))


def target_of(item: Item, keep: KeepOptions) -> str:
    """Return the target of an item's link; empty if it has none, or if links are not kept."""
    target = item.get("hyperlink")
    return link_target(target) if keep.links and isinstance(target, str) else ""


def is_body(item: Item) -> bool:
    """Return whether an item is content; in older versions, without layers, all items are."""
    return item.get("content_layer", "body") == "body"
