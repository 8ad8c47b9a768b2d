"""The records of elements: those of any parser, and unstructured's (version 0.10 and later).

A ``CompositeElement`` chunk of unstructured is replaced by the elements that it was made of, if it
contains them (``orig_elements``: base64 of zlib of JSON).
"""

import base64
import binascii
import zlib
from itertools import dropwhile
from typing import Annotated, Final, cast

from pydantic import AliasChoices, BeforeValidator, Field, FiniteFloat

from treepack.model.source import Typography
from treepack.numbers.words import letters
from treepack.readers.json_values import (
    OR_NOTHING,
    JsonPart,
    JsonReader,
    Page,
    Text,
    or_empty,
    with_boxes,
)
from treepack.readers.typography import level_of_name
from treepack.readers.writer import MOST_TIMES

LARGEST_ORIGIN: Final = 2**20
"""Bytes that a chunk's original elements may have when unpacked, however small the packed form."""
_CAPTIONS: Final = AliasChoices("caption", "table_caption", "figure_caption")
_TARGETS: Final = AliasChoices("path", "image_path", "image_url", "uri", "url", "src")
_BOLD_TAGS: Final = frozenset({"b", "strong"})
_FontSize = Annotated[float, Field(gt=0, le=1000)]  # points


def _section_path(hierarchy: object) -> object:
    """Return the labels of a hierarchy, outermost section first; what is none stays as it is.

    Names and numbers may be mixed: ``["5 Tests", "5.1"]``. A number that only counts within its
    parent is completed: ``[5, 1, 2]`` is ``5``, ``5.1``, ``5.1.2``, and so is ``"5.1.2"``.
    """
    if isinstance(hierarchy, str):
        parts = hierarchy.strip().removesuffix(".").split(".")
        is_number = all(map(str.isdecimal, parts))
        hierarchy = parts if is_number else hierarchy.split(" > ")
    if not isinstance(hierarchy, list | tuple):
        return hierarchy
    path: list[str] = []
    for entry in cast("list[object]", hierarchy):
        label = " ".join(str(entry).split())
        if path and label.isdecimal() and path[-1].replace(".", "").isdecimal():
            label = f"{path[-1]}.{label}"
        path += [label] if label else []
    return path


_Texts = Annotated[list[Text], BeforeValidator(lambda x: [x] if isinstance(x, str) else x)]
_Path = Annotated[list[Text], BeforeValidator(_section_path)]


class _Coordinates(JsonPart):
    points: list[tuple[FiniteFloat, FiniteFloat]] = Field(min_length=1)
    layout_width: FiniteFloat = 0
    layout_height: FiniteFloat = 0


class Metadata(JsonPart):
    """What is known about an element; values of typography may have any type."""

    page_number: Page = None
    caption: Text = Field("", validation_alias=_CAPTIONS)
    target: Text = Field("", validation_alias=_TARGETS)
    alt: Text = Field("", validation_alias=AliasChoices("alt", "alt_text"))
    language: Text = ""
    text_as_html: Text = ""
    category_depth: int | None = None
    coordinates: Annotated[_Coordinates | None, OR_NOTHING] = None
    is_checked: object = None
    is_continuation: object = None
    orig_elements: object = None
    bold: object = None
    font_size: Annotated[_FontSize | None, OR_NOTHING] = None
    style: object = None
    emphasized_text_contents: object = None
    emphasized_text_tags: object = None


class Record(JsonPart):
    """An element: a plain one has an ``element_type``, one of unstructured a ``type``."""

    element_type: Text = ""
    type: Text = ""
    content: _Texts = Field(validation_alias=AliasChoices("content", "text"))
    section_hierarchy: _Path = Field(default_factory=list[str])
    heading: Text = ""
    page_number: Page = None
    element_id: object = None
    metadata: Metadata = or_empty(Metadata)

    @property
    def text(self) -> str:
        """Its content, with a line for each text."""
        return "\n".join(self.content)

    @property
    def typography(self) -> Typography:
        """How its text is formatted; values of other types are ignored."""
        found = self.metadata
        texts, tags = found.emphasized_text_contents, found.emphasized_text_tags
        bold = ""
        if isinstance(texts, list) and isinstance(tags, list):
            pairs = zip(cast("list[object]", texts), cast("list[object]", tags), strict=False)
            bold = letters("".join([str(text) for text, tag in pairs if tag in _BOLD_TAGS]))
        return Typography(
            bold=found.bold is True or (bool(bold) and bold == letters(self.text)),
            size=found.font_size,
            level=level_of_name(found.style) if isinstance(found.style, str) else None,
        )

    def origin(self, place: str) -> str:
        """Return what `Source.origins` says of it: its place and its box, if that is known."""
        found = self.metadata.coordinates
        if found is None:
            return place
        columns, rows = zip(*found.points, strict=True)
        box = {
            "page": self.page_number or self.metadata.page_number,
            "bbox": [min(columns), min(rows), max(columns), max(rows)],
            "origin": "TOPLEFT",
            "size": [found.layout_width, found.layout_height],
        }
        return with_boxes(place, [box])


class Originals:
    """Replaces chunks by the elements that they were made of.

    If a long element continues in the next chunk, that chunk repeats the element. It is given only
    once.
    """

    def __init__(self, reader: JsonReader) -> None:
        self._reader = reader
        self._last_ids: set[str] = set()

    def of(self, record: Record, place: str) -> list[Record]:
        """Return the elements that a chunk was made of, or else the element itself."""
        packed, place = record.metadata.orig_elements, f"{place}/metadata/orig_elements"
        if isinstance(packed, str):
            packed = self._reader.load(self._unpacked(packed, place))
        if not packed or not isinstance(packed, list):
            return [record]
        entries = enumerate(cast("list[object]", packed))
        records = [self._reader.part(Record, entry, f"{place}/{at}") for at, entry in entries]
        last, self._last_ids = self._last_ids, {str(each.element_id) for each in records}
        if record.metadata.is_continuation is True:
            return list(dropwhile(lambda each: str(each.element_id) in last, records))
        return records

    def _unpacked(self, packed: str, place: str) -> bytes:
        unpacker = zlib.decompressobj()
        most = max(LARGEST_ORIGIN, MOST_TIMES * len(packed))
        try:
            data = unpacker.decompress(base64.b64decode(packed, validate=True), most)
        except (binascii.Error, zlib.error, ValueError) as error:
            raise self._reader.fault(place, f"cannot be unpacked: {error}") from error
        if unpacker.unconsumed_tail:
            raise self._reader.fault(place, f"is larger than {most} bytes when unpacked")
        return data
