"""The items of a DoclingDocument: their values, their references, and which are content."""

import re
from typing import Annotated, Final, cast

from pydantic import AliasChoices, Field, FiniteFloat

from treepack.errors import SourceError
from treepack.readers.inlines import InlinePiece, has_words
from treepack.readers.json_values import (
    OR_NOTHING,
    JsonPart,
    JsonReader,
    Page,
    Text,
    or_empty,
    with_boxes,
)
from treepack.readers.links_and_emphasis import KeepOptions, emphasised, link_target, linked

SCHEMA: Final = "DoclingDocument"
MAJOR_VERSION: Final = "1"
_FURNITURE: Final = frozenset({"page_header", "page_footer"})
_ORDERED_MARKER: Final = re.compile(r"\(?([0-9]{1,9})[.)]?")

Count = Annotated[int, Field(ge=0)]


class Reference(JsonPart):
    """A reference to an item; some JSON calls it ``cref``."""

    target: Text = Field("", validation_alias=AliasChoices("$ref", "cref"))


class _Formatting(JsonPart):
    bold: bool = False
    italic: bool = False


class _Box(JsonPart):
    left: FiniteFloat = Field(alias="l")
    top: FiniteFloat = Field(alias="t")
    right: FiniteFloat = Field(alias="r")
    bottom: FiniteFloat = Field(alias="b")
    coord_origin: Text = "TOPLEFT"

    @property
    def record(self) -> dict[str, object]:
        sides = [self.left, self.top, self.right, self.bottom]
        return {"bbox": sides, "origin": self.coord_origin}


class _Provenance(JsonPart):
    page_no: Page = None
    charspan: list[int] = Field(default_factory=list[int])
    bbox: Annotated[_Box | None, OR_NOTHING] = None


class TableCell(JsonPart):
    """A cell of a table."""

    text: Text = ""
    row: Count = Field(alias="start_row_offset_idx")
    row_end: Count = Field(alias="end_row_offset_idx")
    column: Count = Field(alias="start_col_offset_idx")
    column_end: Count = Field(alias="end_col_offset_idx")
    column_header: bool = False
    ref: Reference | None = None


class TableData(JsonPart):
    """The cells of a table or of a chart's values."""

    num_rows: Count = 0
    num_cols: Count = 0
    table_cells: list[TableCell] = Field(default_factory=list[TableCell])


class _Annotation(JsonPart):
    kind: object = None
    text: Text = ""
    title: Text = ""
    chart_data: TableData = or_empty(TableData)


class _Meta(JsonPart):  # what annotations were before schema 1.8
    description: _Annotation = or_empty(_Annotation)
    tabular_chart: _Annotation = or_empty(_Annotation)


class _Graph(JsonPart):
    cells: list[_Annotation] = Field(default_factory=list[_Annotation])


class Item(JsonPart):
    """An item of any kind; its place is the reference that points to it."""

    place: Text = ""
    label: Text = ""
    text: Text = ""
    orig: Text = ""
    level: int = 1
    marker: Text = ""
    code_language: Text = ""
    content_layer: Text = "body"
    hyperlink: Text = ""
    formatting: Annotated[_Formatting | None, OR_NOTHING] = None
    children: list[Reference] = Field(default_factory=list[Reference])
    captions: list[Reference] = Field(default_factory=list[Reference])
    footnotes: list[Reference] = Field(default_factory=list[Reference])
    prov: list[_Provenance] = Field(default_factory=list[_Provenance])
    data: TableData = or_empty(TableData)
    annotations: list[_Annotation] = Field(default_factory=list[_Annotation])
    meta: _Meta = or_empty(_Meta)
    graph: _Graph = or_empty(_Graph)

    @property
    def is_content(self) -> bool:
        """Whether it is content; in older versions, without layers, all items are."""
        return self.content_layer == "body" and self.label not in _FURNITURE

    @property
    def origin(self) -> str:
        """What `Source.origins` says of it, with its boxes in points."""
        boxes = [{"page": each.page_no, **each.bbox.record} for each in self.prov if each.bbox]
        return with_boxes(f"docling:{self.place}", boxes)

    @property
    def number(self) -> int | None:
        """The number of an item in an ordered list."""
        match = _ORDERED_MARKER.fullmatch(self.marker.strip())
        return int(match[1]) if match else None

    @property
    def list_label(self) -> str:
        """What an item of a list begins with, if it is neither a number nor a bullet."""
        marker = self.marker.strip()
        is_plain = self.number is not None or marker == "o" or not has_words(marker)
        return "" if is_plain else marker

    @property
    def is_bold(self) -> bool:
        """Whether all of its text is bold."""
        return self.formatting is not None and self.formatting.bold

    def inline(self, keep: KeepOptions) -> list[str | InlinePiece]:
        """Return the text, with its link and its emphasis if they are kept."""
        parts: list[str | InlinePiece] = [self.text or self.orig]
        if self.text and self.label in ("code", "formula"):
            parts = [InlinePiece(self.text, "code" if self.label == "code" else "math")]
        elif keep.emphasis and self.formatting and (self.is_bold or self.formatting.italic):
            parts = emphasised(self.text, "strong" if self.is_bold else "em")
        return linked(parts, link_target(self.hyperlink) if keep.links else "")


class _Origin(JsonPart):
    filename: Text = ""
    mimetype: Text = ""


class _Head(JsonPart):
    schema_name: object = None
    version: object = None
    origin: _Origin = or_empty(_Origin)
    body: Item


class DoclingItems:
    """The items of one document.

    Attributes:
        reader: The reader of the document.
        body: The root of the content.
        metadata: The name and type of the file that was converted, as far as they are known.
        attached: References to what is written with a table, picture or code.
        has_title: Whether there is a title; section headers then go below it, from level 2.

    Raises:
        SourceError: The document has another schema or version.
    """

    def __init__(self, reader: JsonReader, document: object) -> None:
        head = reader.part(_Head, document)
        if head.schema_name != SCHEMA:
            what = f"is {head.schema_name!r}, not {SCHEMA!r}"
            raise reader.fault(place="schema_name", what=what)
        if str(head.version).partition(".")[0] != MAJOR_VERSION:
            what = f"is {head.version!r}, but only {MAJOR_VERSION}.x can be read"
            raise reader.fault(place="version", what=what)
        self.reader = reader
        self.body = head.body.model_copy(update={"place": "#/body"})
        self.metadata = head.origin.model_dump(exclude_defaults=True)
        self._items: dict[str, Item] = {}
        self._faults: dict[str, SourceError] = {}
        for key, array in cast("dict[str, object]", document).items():
            is_of_items = isinstance(array, list) and key.isidentifier()
            for at, value in enumerate(cast("list[object]", array) if is_of_items else ()):
                self._add(f"#/{key}/{at}", value)
        content = [item for item in self._items.values() if item.is_content]
        self.attached = {
            reference.target for item in content for reference in (*item.captions, *item.footnotes)
        }
        self.has_title = any(item.label == "title" for item in content)

    def _add(self, place: str, value: object) -> None:
        """Add an item of any array, because new versions add arrays."""
        try:
            item = self.reader.part(Item, value, place)
        except SourceError as error:
            self._faults[place] = error
        else:
            self._items[place] = item.model_copy(update={"place": place})

    def resolve(self, reference: str, holder: Item) -> Item:
        """Return what an item refers to.

        Raises:
            SourceError: There is no such item, or it has a value of a wrong type.
        """
        if reference not in self._items:
            what = f"refers to {reference!r}, which does not exist"
            raise self._faults.get(reference) or self.reader.fault(holder.place, what)
        return self._items[reference]
