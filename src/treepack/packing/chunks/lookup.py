"""Finds chunks by their place: a clause, a page, a line, an offset."""

import re
from collections.abc import Iterator
from typing import Final

from treepack.model.chunk import Chunk
from treepack.numbers.words import KIND_OF_WORD, letters
from treepack.numbers.written_out import NUMBER_WORDS

_WORD_BEFORE: Final = re.compile(r"\A(?:[^\W\d_]+\.?|§+)\s+(?=\S*\d)")
"""A word before a number that names the kind of clause: ``Article 21(3)``, ``§ 433``."""


def holds_clause(chunk: Chunk, name: str) -> bool:
    """Whether a chunk holds a part of a clause: its beginning, a later part, or a clause inside it.

    Args:
        chunk: The chunk.
        name: How the clause is cited, such as ``21(3)`` or ``Article 21(3)``.
    """
    wanted = _bare(name)
    return any(_is_within(_bare(number), wanted) for number in _clauses(chunk))


def is_at(chunk: Chunk, page: int | None, line: int | None, offset: int | None) -> bool:
    """Whether a chunk's own text is on a page, on a line and at an offset; None matches all."""
    first, last = chunk.lines
    return (
        (page is None or page in chunk.pages)
        and (line is None or first <= line <= last)
        and (offset is None or any(start <= offset < end for start, end in _spans(chunk)))
    )


def _clauses(chunk: Chunk) -> Iterator[str]:
    yield from chunk.clauses
    yield chunk.clause_number or ""
    yield chunk.clause_continued or ""


def _spans(chunk: Chunk) -> Iterator[tuple[int, int]]:
    for segment in chunk.segments:
        if segment.role == "body" and segment.span is not None:
            yield segment.span


def _bare(name: str) -> str:
    """Return a citation without whitespace and without the word before its number."""
    head, bracket, components = name.partition("(")
    words = head.casefold().removeprefix("the ").split()
    if any(letters(word) in NUMBER_WORDS for word in words):  # "Article Two", "the First Schedule"
        words = words[words[0] in KIND_OF_WORD :]
        return "".join([*words, bracket, *components.split()])
    return "".join(_WORD_BEFORE.sub("", name.strip()).replace(",", " ").split())


def _is_within(name: str, outer: str) -> bool:
    """Whether a clause is the outer one or inside it: 21(3)(a) is inside 21(3), but not 2."""
    rest = name.removeprefix(outer)
    if not outer or rest == name:
        return False
    return not rest or not (outer[-1].isalnum() and rest[0].isalnum())
