"""Reads CSV and TSV as one table: the first row with several cells names the columns."""

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import Final, Literal

from treepack.errors import SourceError
from treepack.model.source import Source
from treepack.readers.decoding import decode
from treepack.readers.writer import MarkdownWriter

DELIMITERS: Final = (",", ";", "\t", "|")
"""The delimiters that are recognised; if several fit equally well, the first wins."""

_SAMPLE_LENGTH: Final = 10_000  # characters that determine the delimiter
_SEPARATOR_LINE: Final = re.compile(r"sep=([,;\t|])[ \t]*(?:\r\n|\n|\r|\Z)", re.IGNORECASE)


def read_csv(
    data: bytes, name: str, *, encoding_errors: Literal["replace", "strict"] = "replace"
) -> Source:
    """Read values that are separated by commas, semicolons, tabs or vertical bars.

    Rows of one cell before the header row, such as a title, become paragraphs. Empty rows are left
    out.

    Args:
        data: The file's bytes.
        name: The document's name, also used in messages.
        encoding_errors: See `treepack.readers.decoding.decode`.

    Returns:
        The table as markdown; ``origins`` are row numbers, from 1, such as ``csv:row 3``.

    Raises:
        SourceError: The file is binary, or a cell is longer than ``csv.field_size_limit`` allows.
    """
    text = decode(data, name, encoding_errors).removeprefix("\ufeff")
    delimiter = ""
    if match := _SEPARATOR_LINE.match(text):
        delimiter, text = match[1], text[match.end() :]
    try:
        rows = list(_rows(text, delimiter or _delimiter_of(text)))
    except csv.Error as error:
        msg = f"{name}: cannot read as CSV: {error}"
        raise SourceError(msg) from error
    return _write(rows, name, len(data))


def _rows(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not empty, each with its number; cells have no outer whitespace."""
    lines = StringIO(text, newline="")  # only CR and LF end a row, and quoted ones are kept
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=True)
    for number, row in enumerate(reader, 1):
        cells = [cell.strip() for cell in row]
        while cells and not cells[-1]:
            cells.pop()
        if cells:
            yield number, cells


def _delimiter_of(text: str) -> str:
    """Return the delimiter that cuts the most rows into the same number of cells, at least two."""
    sample = text[:_SAMPLE_LENGTH]
    if len(text) > _SAMPLE_LENGTH:
        sample = sample[: max(sample.rfind("\n"), sample.rfind("\r")) + 1] or sample
    best, best_count = DELIMITERS[0], 0
    for delimiter in DELIMITERS:
        sizes = (len(row) for _, row in _rows(sample, delimiter))
        counts = Counter(size for size in sizes if size > 1)
        [(_, count)] = counts.most_common(1) or [(0, 0)]
        if count > best_count:
            best, best_count = delimiter, count
    return best


def _write(rows: Sequence[tuple[int, list[str]]], name: str, size: int) -> Source:
    writer = MarkdownWriter(name, size=size)
    first = next((at for at, (_, row) in enumerate(rows) if len(row) > 1), 0)
    for number, (text,) in rows[:first]:
        writer.paragraph(text, f"csv:row {number}")
    table = [row for _, row in rows[first:]]
    if table:
        writer.table(table, 1, origin=f"csv:row {rows[first][0]}")
    return writer.source()
