"""Jupyter notebooks become their markdown and code cells; outputs are left out."""

import re
import warnings
from collections.abc import Iterator, Mapping
from typing import Final, cast

from treepack.model.source import LINE_END, Source
from treepack.readers.json_values import WHOLE, JsonReader, LeftOutPartWarning, PartError
from treepack.readers.writer import MarkdownWriter

FORMAT: Final = "a Jupyter notebook"
_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})([^\r\n]*)")

Cell = Mapping[str, object]


def read_notebook(data: bytes, name: str) -> Source:
    """Read a notebook of nbformat 3 or 4.

    Args:
        data: The bytes of the ``.ipynb`` file.
        name: The document's name, and for messages.

    Returns:
        Markdown cells as they are, code cells as fenced code; ``origins`` are the numbers of
        cells, from 1, as ``ipynb:cell 3``.

    Raises:
        SourceError: It is not a notebook. A broken cell is left out, with a warning.
    """
    values = JsonReader(name, FORMAT)
    root = values.mapping(values.load(data), "")
    writer = MarkdownWriter(name, size=len(data))
    language = _language(root, values)
    for number, (place, entry) in enumerate(_cells(root, values), 1):
        try:
            _write(values.mapping(entry, place), place, f"ipynb:cell {number}", writer, language)
        except PartError as error:
            warnings.warn(f"{error}; it is left out", LeftOutPartWarning, stacklevel=2)
    return writer.source()


def _cells(root: Cell, values: JsonReader) -> Iterator[tuple[str, object]]:
    """The cells, each with its place; nbformat 3 has them in sheets."""
    if "cells" not in root and "worksheets" not in root:
        raise values.fault(WHOLE, "has no 'cells'")
    holders = [(root, "")]
    for at, sheet in enumerate(values.sequence(root.get("worksheets"), "worksheets")):
        place = f"worksheets/{at}"
        holders.append((values.mapping(sheet, place), f"{place}/"))
    for holder, place in holders:
        for at, cell in enumerate(values.sequence(holder.get("cells"), f"{place}cells")):
            yield f"{place}cells/{at}", cell


def _write(cell: Cell, place: str, origin: str, writer: MarkdownWriter, language: str) -> None:
    values = JsonReader(writer.name, FORMAT)
    kind = values.required(cell, "cell_type", place)
    key = "input" if "source" not in cell and "input" in cell else "source"
    text = _text(cell, key, place, values)
    if kind == "markdown":
        writer.raw(_closed(text), origin)
    elif kind == "heading":
        writer.heading(values.whole(cell, "level", place) or 1, text, origin)
    else:
        writer.code(text, language if kind == "code" else "", origin)


def _text(cell: Cell, key: str, place: str, values: JsonReader) -> str:
    """The text of a cell: a string, or a list of lines."""
    lines = cell.get(key)
    if lines is None or isinstance(lines, str):
        return values.text(cell, key, place)
    where = f"{place}/{key}"
    parts = {str(at): line for at, line in enumerate(values.sequence(lines, where))}
    return "".join(values.text(parts, at, where) for at in parts)


def _closed(text: str) -> str:
    """A cell's markdown with its last fence closed, so that the next cell is outside of it."""
    fence = ""
    for line in LINE_END.split(text):
        match = _FENCE.match(line)
        if match is None:
            continue
        marker, info = match.groups()
        if not fence:
            fence = "" if marker[0] == "`" and "`" in info else marker
        elif marker.startswith(fence) and not info.strip():
            fence = ""
    return f"{text}\n{fence}" if fence else text


def _language(root: Cell, values: JsonReader) -> str:
    """The language of the code; Python if the notebook does not say."""
    metadata = values.mapping(root.get("metadata") or {}, "metadata")
    for key, inner in (("language_info", "name"), ("kernelspec", "language")):
        record = metadata.get(key)
        if isinstance(record, Mapping):
            found = values.text(cast("Cell", record), inner, f"metadata/{key}")
            if found:
                return found.casefold()
    return "python"
