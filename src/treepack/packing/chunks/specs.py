"""Chunks before they are asked for: where their texts are in the source, without the texts.

The records of a document hold its text two or three times. So the text of a chunk is cut from the
source only when the chunk is asked for. By then the section tree and all other data of packing are
freed.
"""

import copy
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256
from operator import itemgetter
from typing import Any, Final, NamedTuple, Self

from treepack.model.chunk import Chunk, Reference, Segment
from treepack.model.source import Source
from treepack.references.finder import FoundReference, ReferenceFinder

_LENGTH: Final = 4096


class NarrowSource:
    """A long source whose text is kept in UTF-8, which takes less memory than one string.

    A single emoji makes each character of a string take four bytes. The text is kept in parts of a
    fixed number of characters, because offsets count characters, not bytes.
    """

    def __init__(self, source: Source) -> None:
        text = source.text
        self._rest = replace(source, text="")
        self._parts = [
            text[at : at + _LENGTH].encode("utf-8", "surrogatepass")
            for at in range(0, len(text), _LENGTH)
        ]

    def whole(self) -> Source:
        """Return the source as it was."""
        return replace(self._rest, text=_decoded(self._parts))

    def __getitem__(self, span: slice) -> str:
        first = span.start // _LENGTH
        text = _decoded(self._parts[first : span.stop // _LENGTH + 1])
        return text[span.start - first * _LENGTH : span.stop - first * _LENGTH]


def _decoded(parts: Sequence[bytes]) -> str:
    return b"".join(parts).decode("utf-8", "surrogatepass")


class References:
    """The references of one document, shared by its chunks, in this process or in another.

    Two threads may search at once; they find the same.

    Args:
        source: The document's source.
        finder: What else of the document the search needs; freed when it is done.
    """

    def __init__(self, source: Source | NarrowSource, finder: ReferenceFinder) -> None:
        self.source = source
        self._found: ReferenceFinder | tuple[FoundReference, ...] = finder

    def within(self, start: int, end: int) -> tuple[Reference, ...]:
        """Return the references in a span."""
        found = self._found
        if isinstance(found, ReferenceFinder):
            source = self.source
            whole = source.whole() if isinstance(source, NarrowSource) else source
            found = self._found = found.find(whole.text)
        first = bisect_left(found, start, key=itemgetter(0))
        after = bisect_left(found, end, first, key=itemgetter(0))
        return tuple([Reference(*each[2:]) for each in found[first:after]])


class ChunkSpec(NamedTuple):
    """What a chunk's record is made from, with exact counts.

    Attributes:
        segments: The parts of the text; a segment that has a span may lack its text.
        header: What comes before the text in ``embed_text``.
        tokens: Tokens of the text.
        embed_tokens: Tokens of the embed text.
        overlap_tokens: Tokens of the overlap's own text; 0 without an overlap.
        start: Where the chunk's own text begins in the source.
        end: Where it ends.
        values: The other fields of the record, by name.
    """

    segments: tuple[Segment, ...]
    header: str
    tokens: int
    embed_tokens: int
    overlap_tokens: int = 0
    start: int = 0
    end: int = 0
    values: dict[str, Any] = {}  # noqa: RUF012 - a default that is never changed

    def updated(self, **values: Any) -> Self:  # noqa: ANN401 - each field has its own type
        """Return the spec with some values replaced."""
        return self._replace(values=self.values | values)

    def record(self, source: str | NarrowSource, references: References | None) -> Chunk:
        """Make the complete chunk.

        Args:
            source: The text that the chunk is cut from.
            references: The document's references, which are searched when the first is read.
        """
        segments = tuple(
            [
                Segment(each.role, source[span[0] : span[1]], span)
                if (span := each.span) and not each.text
                else each
                for each in self.segments
            ]
        )
        text = lexical = segments[0].text
        if segments[1:]:
            text = "".join([each.text for each in segments])
            lexical = "".join([each.text for each in segments if each.role == "body"])
        computed: dict[str, Any] = {
            "text": text,
            "segments": segments,
            "content_hash": sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
            "embed_text": self.header + text,
            "lexical_text": lexical,
            "token_count": self.tokens,
            "embed_token_count": self.embed_tokens,
            "references": partial(references.within, self.start, self.end) if references else (),
        }
        if self.values["metadata"]:  # each chunk has its own
            computed["metadata"] = copy.deepcopy(self.values["metadata"])
        return Chunk(**(self.values | computed))


def texts_of(segments: Sequence[Segment], source: str) -> list[str]:
    """Return the text of each segment; a segment that has a span is cut from the source."""
    return [source[span[0] : span[1]] if (span := each.span) else each.text for each in segments]
