"""Clauses as values, once the beginnings and ends of all are known: with titles and lead-ins."""

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from treepack.clauses.clause import Clause
from treepack.clauses.titles import plain_title, run_in_title, title_of_heading
from treepack.model.blocks import Heading
from treepack.numbers.words import ClauseKind

Draft: TypeAlias = tuple[int, str, tuple[str, ...], ClauseKind, str, int | None]
"""A clause without its end: start, number, path, kind, section, parent."""

_POINTS: Final = frozenset({"paragraph", "letter", "roman"})
_NUMBERED: Final = _POINTS | {"decimal"}
_COLONS: Final = frozenset(":：")
_UNFINISHED: Final = frozenset(",–—") | _COLONS


def finished(
    text: str, drafts: Sequence[Draft], ends: Sequence[int], headings: Mapping[int, Heading]
) -> tuple[Clause, ...]:
    """Return the clauses of a document.

    Args:
        text: The source.
        drafts: The clauses in source order.
        ends: Where each ends.
        headings: The headings that begin some of them, by the index of the clause.
    """
    found: list[Clause] = []
    leads: dict[int, str] = {}  # the signs in which clauses lead to their points, by index
    for place, (draft, end) in enumerate(zip(drafts, ends, strict=True)):
        start, _, path, kind, _, parent = draft
        heading, label, lead = headings.get(place), path[-1], ""
        if parent is not None and kind in _POINTS:
            if parent not in leads:
                leads[parent] = _lead(text, found[parent], headings.get(parent), start)
            lead = leads[parent]
        if heading:
            span = title_of_heading(text, heading.start, heading.end, label)
        else:
            is_in_sentence = bool(lead) and lead not in _COLONS
            span = run_in_title(text, start, end, label, is_in_sentence=is_in_sentence)
        title = plain_title(text, span) if span else ""
        rest = (title, span, heading is not None, bool(lead))
        found.append(Clause(start, end, *draft[1:], *rest))
    return tuple(found)


def _lead(text: str, clause: Clause, heading: Heading | None, first: int) -> str:
    """Return the sign in which a clause leads to its points; empty if it does not.

    It leads to them if its own text, which ends where the first point begins, ends in a colon or a
    comma. The text of a numbered clause also does if it ends in a word: it may be no title.
    """
    start = heading.end if heading else clause.start + len(clause.path[-1])
    if clause.title_span:
        start = max(start, clause.title_span[1])
    own = text[start:first].rstrip()[-1:]
    is_text = not heading and clause.kind in _NUMBERED
    return own if own in _UNFINISHED or (is_text and own.isalnum()) else ""
