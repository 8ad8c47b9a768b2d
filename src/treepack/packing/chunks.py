"""Chunks: what packing a document gives."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import overload

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from treepack.errors import ChunkRecordError
from treepack.packing.chunk import Chunk, OutlineChange


class Chunks(Sequence[Chunk]):
    """The chunks of one document, in source order."""

    def __init__(self, chunks: Iterable[Chunk]) -> None:
        self._chunks = tuple(chunks)

    @overload
    def __getitem__(self, index: int) -> Chunk: ...
    @overload
    def __getitem__(self, index: slice) -> "Chunks": ...
    def __getitem__(self, index: int | slice) -> "Chunk | Chunks":
        if isinstance(index, slice):
            return Chunks(self._chunks[index])
        return self._chunks[index]

    def __len__(self) -> int:
        return len(self._chunks)

    def __iter__(self) -> Iterator[Chunk]:
        return iter(self._chunks)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Chunks) and self._chunks == other._chunks

    def __hash__(self) -> int:
        return hash(tuple(chunk.id for chunk in self._chunks))

    def __repr__(self) -> str:
        return f"<{len(self)} chunks, {sum(c.token_count for c in self)} tokens>"

    @property
    def outline_changes(self) -> tuple[OutlineChange, ...]:
        """The document's headings that did not keep their level; its first chunk carries them."""
        return self._chunks[0].outline_changes if self._chunks else ()

    def to_jsonl(self) -> str:
        """One line of JSON for each chunk, each with a line end."""
        return "".join(f"{_to_json(chunk)}\n" for chunk in self._chunks)

    @classmethod
    def from_jsonl(cls, text: str, *, name: str = "chunks") -> "Chunks":
        """Read what `to_jsonl` wrote.

        Raises:
            ChunkRecordError: A line is no chunk record; the message names it.
        """
        chunks: list[Chunk] = []
        for number, line in enumerate(text.split("\n"), 1):
            if not line.strip():
                continue
            try:
                chunks.append(Chunk.model_validate(json.loads(line)))
            except (ValidationError, json.JSONDecodeError) as error:
                msg = f"{name}, line {number}: not a chunk record: {error}"
                raise ChunkRecordError(msg) from error
        return cls(chunks)

    def outline(self) -> str:
        """A line for each chunk: number, tokens, lines, breadcrumb."""
        rows = [
            f"{chunk.index:>5}  {chunk.token_count:>5} tokens  "
            f"lines {chunk.lines[0]}-{chunk.lines[1]}  {' > '.join(chunk.breadcrumb)}"
            for chunk in self._chunks
        ]
        return "\n".join(rows) + "\n" if rows else ""


def _to_json(chunk: Chunk) -> str:
    try:
        return chunk.model_dump_json()
    except PydanticSerializationError:
        # Lone surrogates have no UTF-8 form; JSON can still escape them.
        return json.dumps(chunk.model_dump())
