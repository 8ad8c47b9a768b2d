"""Clauses that are still open during the walk, and how the numbers below them are cited."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from treepack.clauses.sequences import Reading
from treepack.numbers.clause_number import RELATIVE, ClauseNumber
from treepack.numbers.words import CITED_BY_NUMBER, DIVISIONS, KIND_OF_WORD


@dataclass(slots=True)
class OpenClause:
    """A clause whose end is not yet known."""

    index: int
    number: ClauseNumber
    cited: str
    path: tuple[str, ...]
    annex_prefix: str  # prefix of decimals inside it when cited: empty, or the annex
    limit: int
    depth: int = -1
    reading: Reading | None = None
    is_heading: bool = False
    is_root: bool = False  # whether decimals may continue it: "1." before "1.1"


def cited_number(
    number: ClauseNumber,
    above: OpenClause | None,
    collection: str,
    *,
    has_articles: bool,
    is_section: bool = False,
) -> str:
    """Return the number of a clause as people cite it.

    The components below the parent clause's number are appended in brackets. A dotted number is
    cited alone, or after the annex's name. Legal words are kept only if numbers alone would
    mislead, as in an annex: ``Annex I Section A`` is not the only section A.

    Args:
        number: The clause's label.
        above: The clause around it.
        collection: The word that the section's heading gives to its numbers, such as ``Recital``.
        has_articles: Whether the document has articles (or §), so that a section is a division.
        is_section: Whether it is a section of an act, which is numbered through all divisions.
    """
    bare = number.label.strip("()")
    if number.kind == "decimal":
        return _cited_decimal(number, above)
    if is_section and above and above.number.kind in DIVISIONS and not collection:
        return f"{above.annex_prefix}({bare})" if above.annex_prefix else bare
    if number.kind in RELATIVE:
        before = f"{collection} " if collection else ""
        return f"{above.cited}({bare})" if above else before + bare
    if number.kind == "annex" and above and _is_annex_prefix(above.number, number):
        return ".".join(number.parts)
    label = _capitalized(number)
    if above and above.annex_prefix and number.kind != "annex" and label[0] != "第":
        return f"{above.annex_prefix} {label}"
    return _cited_named(number, label, above, has_articles=has_articles)


def _cited_named(
    number: ClauseNumber, label: str, above: OpenClause | None, *, has_articles: bool
) -> str:
    if label[0] == "§" and above and above.number.kind == "article":
        return f"{above.cited} {label}"  # of a Brazilian law
    is_division = number.kind == "section" and has_articles
    is_bare = number.kind in CITED_BY_NUMBER and not is_division and label[0] not in "§第"
    return _without_word(label) if is_bare else label


def _cited_decimal(number: ClauseNumber, above: OpenClause | None) -> str:
    if above is None:
        return number.label
    is_outer = above.is_heading or above.number.is_relative
    if len(number.parts) == 1 and is_outer and above.number.kind not in DIVISIONS:
        return f"{above.cited}({number.label})"
    annex = above.annex_prefix.rpartition(" ")[2]
    names_annex = number.parts[0] == annex and not annex.isdigit()
    return (
        f"{above.annex_prefix}({number.label})"
        if above.annex_prefix and not names_annex
        else number.label
    )


def is_prefix(entry: OpenClause, parts: tuple[str, ...]) -> bool:
    """Whether a dotted number continues the number of an open clause."""
    prefix = entry.number.parts
    if entry.number.kind == "annex" and prefix[0].isdigit():
        return False  # 5.1 does not belong to Annex 5
    can_continue = entry.is_heading or entry.is_root or not entry.number.is_relative
    return can_continue and len(prefix) < len(parts) and parts[: len(prefix)] == prefix


def is_sibling(before: tuple[str, ...], after: tuple[str, ...]) -> bool:
    """Whether a dotted number may follow another: 5.1.3 or 5.2 after 5.1.2."""
    shared = len(after) - 1
    if len(before) < len(after) or before[:shared] != after[:shared]:
        return False
    if not (after[shared].isdecimal() and before[shared].isdecimal()):
        return False
    return 0 < int(after[shared]) - int(before[shared]) <= MOST_MISSING + 1


def is_next(before: tuple[str, ...], after: tuple[str, ...]) -> bool:
    """Whether a dotted number directly follows another of the same depth: 5.1.3 after 5.1.2."""
    if len(before) != len(after) or not is_sibling(before, after):
        return False
    return int(after[-1]) == int(before[-1]) + 1


def restarted_at(above: Sequence[OpenClause], first: Reading, depth: int) -> int:
    """Return the stack index of the open numbering that starts again, else the stack's length."""
    for at in range(len(above) - 1, -1, -1):
        reading = above[at].reading
        if reading is None:
            break
        form = (reading.wrapper, reading.scheme)
        if above[at].depth == depth and form == (first.wrapper, first.scheme):
            return at
    return len(above)


def open_numberings(above: Sequence[OpenClause], top: int, depth: int) -> list[tuple[int, Reading]]:
    """Return the open numberings that a label may continue, innermost first.

    Args:
        above: The open clauses.
        top: How many of them may contain the label, counted from the outermost.
        depth: How many list items contain the label; its numbering must have the same depth.
    """
    found: list[tuple[int, Reading]] = []
    for at in range(top - 1, -1, -1):
        entry = above[at]
        if entry.reading is not None and entry.depth == depth:
            found.append((at, entry.reading))
        elif entry.is_heading:
            break
    return found


def is_numbered(entry: OpenClause) -> bool:
    """Whether a clause belongs to a running numbering in a text: ``1.`` or ``(1)``, not ``(a)``."""
    return entry.reading is not None and entry.reading.scheme == "number"


MOST_MISSING = 1  # numbers that a running numbering may skip


def _is_annex_prefix(above: ClauseNumber, number: ClauseNumber) -> bool:
    """Whether ``Appendix C.1`` belongs to Appendix C and C.1 is its whole number."""
    shared = len(above.parts)
    return shared < len(number.parts) and number.parts[:shared] == above.parts


def _capitalized(number: ClauseNumber) -> str:
    """Return ``ANNEX III`` as ``Annex III``, ``THE FIRST SCHEDULE`` as ``First Schedule``."""
    label = number.label
    if number.parts[0] not in label:  # the number is a word
        words = re.sub(r"^the ", "", label, flags=re.IGNORECASE).split(" ")
        return " ".join(word.capitalize() if word.isupper() else word for word in words)
    word, space, rest = label.partition(" ")
    return f"{word.capitalize()}{space}{rest}" if space and word.isupper() else label


def _without_word(label: str) -> str:
    """Return ``Article 12`` as ``12``; ``First Section`` stays as it is."""
    word, _, rest = label.partition(" ")
    return rest if rest and word.casefold().rstrip(".") in KIND_OF_WORD else label
