"""Reads the markdown and code cells of Jupyter notebooks; outputs are left out."""

import re
import warnings
from collections.abc import Iterator, Mapping
from typing import Final

from treepack.errors import LeftOutWarning
from treepack.model.source import LINE_END, Source
from treepack.readers.json_values import WHOLE, JsonReader, JsonRecord, PartError
from treepack.readers.writer import MarkdownWriter

FORMAT: Final = "a Jupyter notebook"
_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})([^\r\n]*)")


def read_notebook(data: bytes, name: str) -> Source:
    """Read a notebook of nbformat 3 or 4.

    Args:
        data: The bytes of the ``.ipynb`` file.
        name: The document's name, also used in messages.

    Returns:
        Markdown cells as they are, code cells as fenced code; ``origins`` are the numbers of
        cells, from 1, such as ``ipynb:cell 3``.

    Raises:
        SourceError: The file is not a notebook. An invalid cell is left out, with a warning.
    """
    reader = JsonReader(name, FORMAT)
    root = reader.record(reader.load(data), WHOLE)
    writer = MarkdownWriter(name, size=len(data))
    language = _language(root)
    for number, (entry, place) in enumerate(_cells(root), 1):
        try:
            _write_cell(reader.record(entry, place), f"ipynb:cell {number}", writer, language)
        except PartError as error:
            warnings.warn(f"{error}; it is left out", LeftOutWarning, stacklevel=2)
    return writer.source()


def _cells(root: JsonRecord) -> Iterator[tuple[object, str]]:
    """Yield the cells, each with its place; nbformat 3 keeps them in worksheets."""
    if "cells" not in root and "worksheets" not in root:
        raise root.fault(WHOLE, "has no 'cells'")
    for holder in (root, *root.records("worksheets")):
        yield from holder.entries("cells")


def _write_cell(cell: JsonRecord, origin: str, writer: MarkdownWriter, language: str) -> None:
    kind = cell.required("cell_type")
    text = _text(cell, "input" if "source" not in cell and "input" in cell else "source")
    if kind == "markdown":
        writer.raw(_with_closed_fence(text), origin)
    elif kind == "heading":
        writer.heading(cell.whole_number("level") or 1, text, origin)
    else:
        writer.code(text, language if kind == "code" else "", origin)


def _text(cell: JsonRecord, key: str) -> str:
    """Return the text of a cell, which is a string or a list of lines."""
    text = cell.get(key)
    if text is None or isinstance(text, str):
        return cell.text(key)
    lines = {str(at): line for at, line in enumerate(cell.array(key))}
    record = cell.reader.record(lines, cell.place_of(key))
    return "".join(map(record.text, lines))


def _with_closed_fence(text: str) -> str:
    """Return a cell's markdown with an open fence closed, so that the next cell is outside it."""
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


def _language(root: JsonRecord) -> str:
    """Return the language of the code; Python if the notebook names none."""
    metadata = root.record_or_empty("metadata")
    for key, inner in (("language_info", "name"), ("kernelspec", "language")):
        if isinstance(metadata.get(key), Mapping) and (named := metadata.record(key).text(inner)):
            return named.casefold()
    return "python"
