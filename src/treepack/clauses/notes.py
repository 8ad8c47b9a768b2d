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
_BRACKETED_NUMBER: Final = re.compile(r"\((\d{1,3})\)")
_WORD: Final = re.compile(r"([^\W\d_]+)[^\w\s()]{0,2}[ \u00a0]?$")
_LONGEST_WORD: Final = 40
_NOTE_REFERENCE: Final = re.compile(
    rf"\(\d{{1,3}}\)[ \u00a0\t]*(?:{ANY_LINE_END}[ \u00a0\t]*(?:[\r\n]|\Z)|\Z)"
)
"""``(1)`` as a whole paragraph, like a point's label or a reference to a note."""
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
    clause_labels = list(labels[: -len(notes)])
    numbers = {note.number.parts[0] for note in notes}
    unreferenced = numbers - _referenced_numbers(text, start, first)
    if not unreferenced:
        return clause_labels, first
    references = [
        label
        for label in clause_labels
        if isinstance(label, ClauseLabel) and _NOTE_REFERENCE.match(text, label.start)
    ]
    if unreferenced != {label.number.parts[0] for label in references}:
        return list(labels), None
    return [label for label in clause_labels if label not in references], first


def _trailing_notes(text: str, labels: Sequence[LabelItem]) -> list[ClauseLabel]:
    """Return the labels at the end that are formatted like notes, if they count from 1."""
    notes: list[ClauseLabel] = []
    for label in reversed(labels):
        if not (isinstance(label, ClauseLabel) and _NOTE.match(text, label.start)):
            break
        notes.insert(0, label)
    expected = [str(number) for number in range(1, len(notes) + 1)]
    return notes if [note.number.parts[0] for note in notes] == expected else []


def _referenced_numbers(text: str, start: int, end: int) -> set[str]:
    """Return the numbers of the notes that a text refers to."""
    referenced: set[str] = set()
    for number in _BRACKETED_NUMBER.finditer(text, start, end):
        at = number.start()
        word = _WORD.search(text[max(start, at - _LONGEST_WORD) : at])
        if word is not None and word[1].casefold() not in _CITING:
            referenced.add(number[1])
    return referenced
