"""A file of chunk records becomes chunks by document."""

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from treepack.cli.files import STANDARD_INPUT
from treepack.errors import ChunkRecordError
from treepack.packing.chunk import Chunk


@dataclass(frozen=True)
class ChunkRow:
    """A line of a chunk file: treepack's own record, or the bare text of another tool.

    Attributes:
        document: The document it belongs to; None when the line does not say.
        chunk: The record, or the text.
    """

    document: str | None
    chunk: Chunk | str


def read_rows(path: Path) -> Iterator[ChunkRow]:
    """Read a file of JSON lines, ``-`` for standard input; blank lines do not count.

    Raises:
        ChunkRecordError: The file cannot be read, or a line is neither a chunk record nor an
            object with a ``text``; the message names file and line.
    """
    if str(path) == STANDARD_INPUT:
        yield from _rows(sys.stdin.buffer, "standard input")
        return
    try:
        with path.open("rb") as lines:
            yield from _rows(lines, str(path))
    except OSError as error:
        msg = f"cannot read {path}: {error.strerror or error}"
        raise ChunkRecordError(msg) from None


def _rows(lines: Iterable[bytes], name: str) -> Iterator[ChunkRow]:
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield _row(line, f"{name}:{number}")


def _row(line: bytes, place: str) -> ChunkRow:
    """Take a line as a chunk record, or else as another tool's chunk if it has a text."""
    try:
        fields: object = json.loads(line)
    except (ValueError, RecursionError) as problem:
        msg = f"{place}: not JSON: {problem}"
        raise ChunkRecordError(msg) from None
    row = cast("dict[str, Any]", fields) if isinstance(fields, dict) else {}
    if "segments" in row:
        return _record(row, place)
    text, document = row.get("text"), row.get("document")
    if not isinstance(text, str) or not isinstance(document, (str, type(None))):
        msg = f'{place}: neither a chunk record nor an object with a "text" (and a "document")'
        raise ChunkRecordError(msg)
    return ChunkRow(document, text)


def _record(row: dict[str, Any], place: str) -> ChunkRow:
    try:
        chunk = Chunk.model_validate(row)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        msg = f"{place}: not a chunk record: {field}: {first['msg']}"
        raise ChunkRecordError(msg) from None
    return ChunkRow(chunk.document, chunk)
