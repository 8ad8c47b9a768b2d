"""Reads files of chunk records, each record with the name of its document."""

import json
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeAlias, cast

from pydantic import ValidationError

from treepack.cli.inputs.files import STANDARD_INPUT
from treepack.errors import ChunkRecordError, SourceError
from treepack.model.chunk import Chunk

_PARQUET: Final = b"PAR1"  # the first bytes of a Parquet file


ChunkRow: TypeAlias = tuple[str | None, Chunk | str]
"""The document that a line or row names, if any, and treepack's record or another tool's text."""


def read_rows(path: Path) -> Iterator[ChunkRow]:
    """Read what ``treepack pack`` writes: JSON lines, a Parquet file, or a folder of Parquet files.

    The content shows which one it is. ``-`` is standard input. Blank lines are ignored.

    Raises:
        ChunkRecordError: The file cannot be read, or a line or row is not a chunk record and has no
            ``text``; the message names the file and the line.
        MissingExtraError: It is a Parquet file, and the package that reads it is not installed.
    """
    if str(path) == STANDARD_INPUT:
        yield from _rows(BytesIO(sys.stdin.buffer.read()), "standard input")
        return
    files = sorted(path.glob("*.parquet")) if path.is_dir() else [path]
    if not files:
        msg = f"the folder {path} has no .parquet file; give the folder or file of the chunks"
        raise ChunkRecordError(msg)
    try:
        for file in files:
            with file.open("rb") as stream:
                # A pipe can be read only once, from its beginning to its end.
                yield from _rows(stream if stream.seekable() else BytesIO(stream.read()), str(file))
    except OSError as error:
        msg = f"cannot read {path}: {error.strerror or error}"
        raise ChunkRecordError(msg) from None


def _rows(stream: BinaryIO, name: str) -> Iterator[ChunkRow]:
    is_parquet = stream.read(len(_PARQUET)) == _PARQUET
    stream.seek(0)
    if not is_parquet:
        for number, line in enumerate(stream, start=1):
            if line.strip():
                yield _row(_fields(line, f"{name}:{number}"), f"{name}:{number}")
        return
    from treepack.integrations.arrow import read_parquet  # noqa: PLC0415 - an extra

    try:
        for number, fields in enumerate(read_parquet(stream), start=1):
            yield _row(fields, f"{name}, row {number}")
    except SourceError as problem:
        msg = f"{name}: {problem}"
        raise ChunkRecordError(msg) from None


def _fields(line: bytes, location: str) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as problem:
        advice = "chunks are JSON lines or Parquet, as pack writes them"
        msg = f"{location}: not JSON: {problem}; {advice}"
        raise ChunkRecordError(msg) from None


def _row(fields: object, location: str) -> ChunkRow:
    """Read fields as a chunk record, or else as another tool's chunk if they have a text."""
    row = cast("dict[str, Any]", fields) if isinstance(fields, dict) else {}
    text, document = row.get("text"), row.get("document")
    try:
        if "segments" in row:
            chunk = Chunk.model_validate(row)
            return chunk.document, chunk
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        msg = f"{location}: not a chunk record: {field}: {first['msg']}"
        raise ChunkRecordError(msg) from None
    if not isinstance(text, str) or not isinstance(document, (str, type(None))):
        expected = 'an object with the strings "text" and, optionally, "document"'
        msg = f"{location}: neither a chunk record nor {expected}"
        raise ChunkRecordError(msg)
    return document, text
