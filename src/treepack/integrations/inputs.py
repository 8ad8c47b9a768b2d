"""Makes one document of a framework's input: formats, pages, and notes of an earlier split.

**Positions** are offsets in the text that was given. A text of another format is converted to
markdown first. Its chunks are nowhere in the text that was given, so they have no positions.
"""

import json
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple

from treepack.clauses.clause import NO_CLAUSES, Clauses
from treepack.clauses.walk import find_clauses
from treepack.config import PackConfig
from treepack.document.build import parse
from treepack.document.document import Document
from treepack.integrations.formats import InputFormat, read_elements, read_text
from treepack.integrations.metadata import (
    BOXES,
    ChunkLabel,
    DocumentName,
    MetadataStyle,
    chunk_metadata,
    front_matter,
    headings_above,
    inherited_metadata,
    is_chunk,
    keys_taken,
    label_of,
    without_conflicts,
)
from treepack.integrations.pages import (
    MARKUP,
    PAGE_KEYS,
    document_key,
    file_name,
    is_element,
    page_numbers,
    shared_metadata,
)
from treepack.model.chunk import body_span
from treepack.model.pages import stitch
from treepack.model.source import Source
from treepack.packing import Chunk, Chunks, Packer


class InputText(NamedTuple):
    """A text with its metadata, as a framework gives it; it may be a chunk of an earlier split."""

    text: str
    metadata: dict[str, Any]
    is_from_split: bool = False


class InputPart(NamedTuple):
    """The part of a document that one of the given texts became.

    ``length`` is that of the given text; None if it was converted from another format.
    """

    start: int
    number: int
    length: int | None


@dataclass(frozen=True)
class InputDocument:
    """A document, or the pages of a file, ready to be packed.

    ``key`` distinguishes it in its chunks' ids; see `document_key`. Chunks that begin in a given
    text inherit its entry of ``metadata_by_text``. ``above`` are the headings above the document,
    if it is a chunk of an earlier split. ``parts`` came from the given texts, in the order of the
    document. ``taken`` are keys of treepack that the given metadata has; see `keys_taken`.
    """

    document: Document
    clauses: Clauses
    key: str
    metadata_by_text: tuple[dict[str, Any], ...]
    above: tuple[str, ...]
    parts: tuple[InputPart, ...]
    taken: frozenset[str]

    def pack(self, config: PackConfig) -> Chunks:
        """Return the chunks; the config may have other limits than the one it was read with."""
        return Packer(config).pack(self.document, clauses=self.clauses)

    def position(self, chunk: Chunk) -> tuple[int, tuple[int, int] | None]:
        """Return the index of the text in which a chunk begins, and the chunk's span there.

        A chunk that repeats a table's header or a fence is not a slice; its span is that of its
        body. If it continues on the next page, the span ends with the first page. The span is None
        if the text was converted from another format.
        """
        start, end = chunk_span(chunk)
        index = bisect_right(self.parts, start, key=attrgetter("start")) - 1
        part = self.parts[max(index, 0)]
        if part.length is None:
            return part.number, None
        return part.number, (start - part.start, min(end - part.start, part.length))

    def label(self, chunk: Chunk) -> ChunkLabel:
        """Return the label that shows a chunk's place; see `label_of`."""
        return label_of(chunk, self.document, self.clauses, self.above)

    def metadata_of(self, chunk: Chunk, style: MetadataStyle) -> dict[str, Any]:
        """Return a chunk's metadata, with a copy of what it inherits; see `chunk_metadata`."""
        inherited = deepcopy(self.metadata_by_text[self.position(chunk)[0]])
        own = self.own_metadata(chunk, self.label(chunk), style)
        return {**front_matter(chunk, style.mode), **inherited, **own}

    def own_metadata(self, chunk: Chunk, label: ChunkLabel, style: MetadataStyle) -> dict[str, Any]:
        """Return what treepack says of a chunk, without what the chunk inherits."""
        values = chunk_metadata(
            chunk, label, self.clauses, DocumentName(self.key, self.document.file), style
        )
        values |= boxes_of(chunk, self.document.source, style)
        return without_conflicts(values, self.taken)


def read_input(
    texts: Sequence[InputText],
    config: PackConfig,
    input_format: InputFormat = "auto",
    *,
    are_pages: bool = False,
) -> InputDocument:
    """Make one document of a text, or of the pages or elements of a file (``are_pages``).

    With the format ``auto``, each text may have its own.

    Raises:
        TreepackError: A text breaks its format, or the format's extra is not installed.
    """
    all_metadata = [page.metadata for page in texts]
    shared = shared_metadata(all_metadata) if are_pages else inherited_metadata(all_metadata[0])
    by_text = tuple(map(inherited_metadata, all_metadata)) if are_pages else (shared,)
    if are_pages and input_format == "auto" and all(map(is_element, all_metadata)):
        source = read_elements([(page.text, page.metadata) for page in texts])
        origins = ((at, int(origin.rpartition(":")[2])) for at, origin in source.origins)
        parts = tuple(InputPart(at, number, None) for at, number in origins)
        parts = parts or (InputPart(0, 0, None),)  # all elements were left out
        by_text = tuple(
            {**shared, **{key: each[key] for key in PAGE_KEYS if key in each}}
            for each in all_metadata
        )
    else:
        source, parts = _join(texts, input_format, are_pages=are_pages)
    is_markdown = any(part.length is None for part in parts) or shared.get(MARKUP) == "markdown"
    document, clauses = parsed(source, config, file_name(all_metadata[0]), is_markdown=is_markdown)
    above = headings_above(all_metadata[0], document)
    taken = keys_taken(all_metadata[0])
    return InputDocument(document, clauses, document_key(shared), by_text, above, parts, taken)


def parsed(
    source: Source, config: PackConfig, file: str = "", *, is_markdown: bool
) -> tuple[Document, Clauses]:
    """Parse a source, which is markdown if a reader wrote it, and find its clauses."""
    settings = config.parsing
    if settings["markup"] == "auto" and is_markdown:
        settings["markup"] = "markdown"
    document = parse(source, file=file, **settings)
    return document, find_clauses(document) if config.clauses else NO_CLAUSES


def _join(
    texts: Sequence[InputText], input_format: InputFormat, *, are_pages: bool
) -> tuple[Source, tuple[InputPart, ...]]:
    """Return the texts joined into one source with page marks; a single text stays as it is."""
    converted = [
        None
        if page.is_from_split or is_chunk(page.metadata)
        else read_text(page.text, page.metadata, input_format)
        for page in texts
    ]
    pairs = list(zip(texts, converted, strict=True))
    sources = [markdown or Source(page.text) for page, markdown in pairs]
    lengths = [None if markdown else len(page.text) for page, markdown in pairs]
    numbers = page_numbers([page.metadata for page in texts])
    if len(texts) == 1:
        [source] = sources
        if are_pages and not source.page_marks:
            source = replace(source, page_marks=((0, numbers[0]),))
        return source, (InputPart(0, 0, lengths[0]),)
    stitched = stitch([source.text for source in sources], numbers)
    parts = map(InputPart, stitched.starts, range(len(texts)), lengths)
    return Source(stitched.text, page_marks=stitched.marks), tuple(parts)


def chunk_span(chunk: Chunk) -> tuple[int, int]:
    """Return the span of a chunk if it is one slice of the source, else the span of its body."""
    spans = [segment.span for segment in chunk.segments if segment.span]
    start, end = spans[0][0], spans[-1][1]
    if len(spans) == len(chunk.segments) and end - start == len(chunk.text):
        return start, end
    return body_span(chunk)


def origins_of(chunk: Chunk, source: Source) -> list[str]:
    """Return the places of the original that a chunk's body came from, as its reader noted them."""
    places: dict[str, None] = {}
    for start, end in (part.span for part in chunk.segments if part.role == "body" and part.span):
        first = max(0, bisect_right(source.origins, start, key=itemgetter(0)) - 1)
        after = bisect_left(source.origins, end, key=itemgetter(0))
        places.update(dict.fromkeys(place for _, place in source.origins[first:after]))
    return list(places)


def boxes_of(chunk: Chunk, source: Source, style: MetadataStyle) -> dict[str, str]:
    """Return, for ``full`` metadata, the boxes of the items in a chunk on the chunk's pages."""
    if style.mode != "full":
        return {}
    notes = [place.partition(" [{")[2] for place in origins_of(chunk, source)]
    noted = [box for note in filter(None, notes) for box in json.loads("[{" + note)]
    boxes = [box for box in noted if box["page"] in chunk.pages]
    return {BOXES: json.dumps(boxes)} if boxes else {}
