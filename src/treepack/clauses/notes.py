"""Notes at the end of a text, as EUR-Lex prints them; their ``(1)`` is not a clause.

A note's label looks like a paragraph's: ``(1)  OJ L 119``. Two features together identify it: more
than one space follows it, and the text above refers to it with a number in brackets after a word
that does not cite a paragraph: ``risk assessments (1);``.
"""

import re
from collections.abc import Sequence
from typing import Final

from treepack.clauses.labels import ClauseLabel, LabelItem
from treepack.model.source import ANY_LINE_END
from treepack.numbers.words import KIND_OF_WORD, SUB_UNITS, word_set

_NOTE: Final = re.compile(r"\(\d{1,3}\)[ \u00a0\t]{2}")
_NUMBER: Final = re.compile(r"\((\d{1,3})\)")
_WORD: Final = re.compile(r"([^\W\d_]+)[^\w\s()]{0,2}[ \u00a0]?$")
_LONGEST_WORD: Final = 40
_LONE_CALL: Final = re.compile(
    rf"\(\d{{1,3}}\)[ \u00a0\t]*(?:{ANY_LINE_END}[ \u00a0\t]*(?:[\r\n]|\Z)|\Z)"
)
_CITING: Final = frozenset(
    {
        *SUB_UNITS,
        *KIND_OF_WORD,
        *word_set(
            """
        paragraphs subparagraphs subsections points sections articles clauses subclause subclauses
        rules regulations and or to und oder bis et ou y o
        """
        ),
    }
)
"""After these words, a number in brackets is a citation, not a reference to a note."""


def split_notes(
    text: str, labels: Sequence[LabelItem], start: int
) -> tuple[list[LabelItem], int | None]:
    """Separate the labels of a section from those of its notes.

    Args:
        text: The source.
        labels: The labels of one section's own content, in source order.
        start: The start of the text that may refer to the notes.

    Returns:
        The labels of clauses, and the start of the notes (None without notes).
    """
    notes = _trailing_notes(text, labels)
    if not notes:
        return list(labels), None
    first = notes[0].start
    kept = list(labels[: -len(notes)])
    uncalled = {note.number.parts[0] for note in notes} - _called(text, start, first)
    if not uncalled:
        return kept, first
    lone = [
        label for label in kept if isinstance(label, ClauseLabel) and _is_lone_call(text, label)
    ]
    if uncalled != {label.number.parts[0] for label in lone}:
        return list(labels), None
    return [label for label in kept if label not in lone], first


def _trailing_notes(text: str, labels: Sequence[LabelItem]) -> list[ClauseLabel]:
    """Return the labels at the end that are formatted like notes, if they count from 1."""
    notes: list[ClauseLabel] = []
    for label in reversed(labels):
        if not (isinstance(label, ClauseLabel) and _NOTE.match(text, label.start)):
            break
        notes.insert(0, label)
    counted = [str(number) for number in range(1, len(notes) + 1)]
    return notes if [note.number.parts[0] for note in notes] == counted else []


def _is_lone_call(text: str, label: ClauseLabel) -> bool:
    """Whether ``(1)`` is a whole paragraph, like a point's label or a reference to a note."""
    return _LONE_CALL.match(text, label.start) is not None


def _called(text: str, start: int, end: int) -> set[str]:
    """Return the numbers of the notes that a text refers to."""
    called: set[str] = set()
    for number in _NUMBER.finditer(text, start, end):
        at = number.start()
        word = _WORD.search(text[max(start, at - _LONGEST_WORD) : at])
        if word is not None and word[1].casefold() not in _CITING:
            called.add(number[1])
    return called
