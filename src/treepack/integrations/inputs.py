"""What a framework gives becomes one document: formats, pages, and what an earlier split noted.

**Positions** are those in the text that was given. A text of another format is packed as the
markdown that is made of it; its chunks stand nowhere in the text that was given, and so have none.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from treepack.config import PackConfig
from treepack.document import Document, Source, parse
from treepack.integrations.formats import InputFormat, read_text
from treepack.integrations.metadata import Style, chunk_span, headings_above, inherited, is_chunk
from treepack.integrations.pages import page_number, shared_metadata, stitch
from treepack.packing import Chunk


@dataclass(frozen=True)
class Given:
    """A text as a framework gives it.

    Attributes:
        text: The text.
        metadata: What the framework knows of it.
        is_piece: Whether the framework knows it for a chunk of an earlier split.
    """

    text: str
    metadata: dict[str, Any]
    is_piece: bool = False


@dataclass(frozen=True)
class Input:
    """A document, or the pages of a file, ready to be packed.

    Attributes:
        document: The document.
        metadata: What its chunks inherit.
        above: The headings above it, where it is a chunk of an earlier split.
        starts: Where each page begins in the document's text.
        lengths: The length of each page as it was given; None where that was another format.
    """

    document: Document
    metadata: dict[str, Any]
    above: tuple[str, ...]
    starts: tuple[int, ...]
    lengths: tuple[int | None, ...]

    def style(self, style: Style) -> Style:
        """How metadata is written: chunks of what was converted are known for chunks by their id.

        They are markdown, and must not be read as the other format when they are split again.
        """
        return replace(style, names_each=True) if None in self.lengths else style

    def place(self, chunk: Chunk) -> tuple[int, tuple[int, int] | None]:
        """The page on which a chunk begins, from 0, and where it stands in the text of that page.

        A chunk that repeats a table's header or a fence is no slice; its place is its body's. Of
        one that goes on over the page's end, it is the part on its first page.
        """
        start, end = chunk_span(chunk)
        page = max(bisect_right(self.starts, start) - 1, 0)
        length = self.lengths[page]
        if length is None:
            return page, None
        begin = self.starts[page]
        return page, (start - begin, min(end - begin, length))


def take_in(
    given: Sequence[Given], config: PackConfig, input_format: InputFormat = "auto"
) -> Input:
    """Make a document of a text, or of the pages of a file.

    Args:
        given: The texts.
        config: How they are to be packed.
        input_format: Of what format they are; each may be of its own.

    Raises:
        SourceError: A text breaks its format.
        MissingExtraError: ``input_format`` needs an extra that is not installed.
    """
    read = [_markdown(page, input_format) for page in given]
    starts: tuple[int, ...] = (0,)
    if len(given) == 1:
        source = read[0] or Source(given[0].text)
        metadata = inherited(given[0].metadata)
    else:
        texts = [made.text if made else page.text for made, page in zip(read, given, strict=True)]
        numbers = [page_number(page.metadata, place) for place, page in enumerate(given, 1)]
        stitched = stitch(texts, numbers)
        source, starts = Source(stitched.text, page_marks=stitched.marks), stitched.starts
        metadata = shared_metadata([page.metadata for page in given])
    document = parse(source, **config.parsing)
    above = headings_above(given[0].metadata, document)
    lengths = [None if made else len(page.text) for made, page in zip(read, given, strict=True)]
    return Input(document, metadata, above, starts, tuple(lengths))


def _markdown(given: Given, input_format: InputFormat) -> Source | None:
    """What is made of a text of another format; None of markdown, as chunks are."""
    if given.is_piece or is_chunk(given.metadata):
        return None
    return read_text(given.text, given.metadata, input_format)
