"""Writes chunks as one markdown text for people to read."""

import re
from typing import Final

from treepack.display import counted, one_line
from treepack.packing import Chunk, Chunks

_MARKUP: Final = re.compile(r"([\\`*_\[\]<>#|~$])")


def preview(chunks: Chunks) -> str:
    """Return the texts of the chunks, each after a quote that describes the chunk."""
    return "".join(f"{_heading(chunk)}\n\n{_text(chunk)}\n\n---\n\n" for chunk in chunks)


def _heading(chunk: Chunk) -> str:
    """Return number, breadcrumb and sizes in a quote; a heading would look like the document's."""
    facts = [counted(chunk.embed_token_count, "token"), lines_of(chunk), *rows_of(chunk)]
    breadcrumb = _literal(" › ".join(one_line(part) for part in chunk.breadcrumb))
    return f"> **{chunk.index}** {breadcrumb}  \n> {' · '.join(facts)}"


def lines_of(chunk: Chunk) -> str:
    """Return in words which lines of its document a chunk contains."""
    first, last = chunk.lines
    return f"line {first}" if first == last else f"lines {first} to {last}"


def rows_of(chunk: Chunk) -> list[str]:
    """Return in words which table rows a chunk contains."""
    return [f"rows {part.row_start} to {part.row_end} of {part.row_count}" for part in chunk.tables]


def _text(chunk: Chunk) -> str:
    """Return the text without outer blank lines; lone surrogates, which UTF-8 lacks, become ?."""
    return chunk.text.strip("\r\n").encode("utf-8", "replace").decode("utf-8")


def _literal(text: str) -> str:
    return _MARKUP.sub(r"\\\1", text).encode("utf-8", "replace").decode("utf-8")
