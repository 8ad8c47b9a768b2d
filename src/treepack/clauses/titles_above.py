"""Titles above a numbered clause: emphasised, or as a heading without a number.

Acts print titles of sections this way: a line ``**Duty to keep lights**``, then ``1.—(1) The ...``.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

from treepack.clauses.clause import Clause

_ABOVE: Final = re.compile(
    r"[ ]{0,3}(?:(?P<heading>\#{1,6}[ \t]+)|(?P<mark>\*\*\*|\*\*|__|\*|_))"
    r"(?P<title>[^\W_a-z][^*_#\r\n]{1,110}?)(?(mark)(?P=mark))[ \t#]*"
)
_NUMBERED: Final = re.compile(r"(?:[^\W\d_]+[ \t\u00a0]+)?[\d(§]")
_LONGEST_READ: Final = 200  # characters
_FEWEST: Final = 2  # a single one may be the name of a part
_SENTENCE_ENDS: Final = ".:;,!?"


def with_titles_above(text: str, clauses: Sequence[Clause]) -> tuple[Clause, ...]:
    """Return the clauses of a document, with the titles that are above their numbers.

    Titles count only if at least half of the clauses of a numbering have one: a line above the
    first clause alone may be the title of all. A clause begins with its title, unless the title is
    the heading of a section.

    Args:
        text: The source.
        clauses: The clauses.
    """
    untitled_kinds = [
        (index, clause)
        for index, clause in enumerate(clauses)
        if clause.kind == "paragraph" and not clause.is_heading and clause.path[-1][-1] != ")"
    ]
    titles: dict[int, re.Match[str]] = {}
    for _, group in groupby(untitled_kinds, key=lambda pair: pair[1].parent):
        untitled = [(index, clause) for index, clause in group if not clause.title]
        found = {
            index: match
            for index, clause in untitled
            if (match := _title_above(text, clause.start))
        }
        if len(found) >= max(_FEWEST, len(untitled) / 2):
            titles |= found
    return _titled(clauses, titles) if titles else tuple(clauses)


def _title_above(text: str, start: int) -> re.Match[str] | None:
    """Return the title that fills the line above an offset."""
    low = max(0, start - _LONGEST_READ)
    end = low + len(text[low:start].rstrip())
    if not text[end:start].strip(" \t"):
        return None  # something else begins the line
    line_start = 1 + max(text.rfind("\n", low, end), text.rfind("\r", low, end), low - 1)
    found = _ABOVE.fullmatch(text, line_start, end)
    if found is None or found["title"][-1] in _SENTENCE_ENDS or _NUMBERED.match(found["title"]):
        return None
    return found


def _titled(clauses: Sequence[Clause], titles: Mapping[int, re.Match[str]]) -> tuple[Clause, ...]:
    """Return the clauses with their titles; the previous clauses end where a title begins."""
    new_ends = {
        clauses[index].start: match.start("mark")
        for index, match in titles.items()
        if match["mark"]
    }
    titled: list[Clause] = []
    for index, clause in enumerate(clauses):
        end = new_ends.get(clause.end, clause.end)
        if index in titles:
            match = titles[index]
            start = match.start("mark") if match["mark"] else clause.start
            titled.append(
                replace(
                    clause,
                    start=start,
                    end=end,
                    title=" ".join(match["title"].split()),
                    title_span=match.span("title"),
                )
            )
        else:
            titled.append(replace(clause, end=end) if end != clause.end else clause)
    return tuple(titled)
