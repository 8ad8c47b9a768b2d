"""Reads files of chunk records, each record with the name of its document."""

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, Final, cast

from pydantic import ValidationError

from treepack.cli.inputs.files import STANDARD_INPUT
from treepack.errors import ChunkRecordError, SourceError
from treepack.model.chunk import Chunk

_PARQUET: Final = b"PAR1"  # the first bytes of a Parquet file


@dataclass(frozen=True)
class ChunkRow:
    """A line or row of a chunk file: treepack's own record, or only the text of another tool.

    Attributes:
        document: The document it belongs to; None if the row names no document.
        chunk: The record, or the text.
    """

    document: str | None
    chunk: Chunk | str


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
    try:
        for file in _parquet_files(path) if path.is_dir() else [path]:
            with file.open("rb") as stream:
                # A pipe can be read only once, from its beginning to its end.
                yield from _rows(stream if stream.seekable() else BytesIO(stream.read()), str(file))
    except OSError as error:
        msg = f"cannot read {path}: {error.strerror or error}"
        raise ChunkRecordError(msg) from None


def _parquet_files(folder: Path) -> list[Path]:
    files = sorted(folder.glob("*.parquet"))
    if not files:
        msg = f"the folder {folder} has no .parquet file; give the folder or file of the chunks"
        raise ChunkRecordError(msg)
    return files


def _rows(stream: BinaryIO, name: str) -> Iterator[ChunkRow]:
    is_parquet = stream.read(len(_PARQUET)) == _PARQUET
    stream.seek(0)
    return _table_rows(stream, name) if is_parquet else _line_rows(stream, name)


def _table_rows(stream: BinaryIO, name: str) -> Iterator[ChunkRow]:
    from treepack.integrations.arrow.tables import read_parquet  # noqa: PLC0415 - an extra

    try:
        for number, fields in enumerate(read_parquet(stream), start=1):
            yield _row(fields, f"{name}, row {number}")
    except SourceError as problem:
        msg = f"{name}: {problem}"
        raise ChunkRecordError(msg) from None


def _line_rows(lines: Iterable[bytes], name: str) -> Iterator[ChunkRow]:
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield _row(_fields(line, f"{name}:{number}"), f"{name}:{number}")


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
    if "segments" in row:
        return _record(row, location)
    text, document = row.get("text"), row.get("document")
    if not isinstance(text, str) or not isinstance(document, (str, type(None))):
        expected = 'an object with the strings "text" and, optionally, "document"'
        msg = f"{location}: neither a chunk record nor {expected}"
        raise ChunkRecordError(msg)
    return ChunkRow(document, text)


def _record(row: dict[str, Any], location: str) -> ChunkRow:
    try:
        chunk = Chunk.model_validate(row)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        msg = f"{location}: not a chunk record: {field}: {first['msg']}"
        raise ChunkRecordError(msg) from None
    return ChunkRow(chunk.document, chunk)
