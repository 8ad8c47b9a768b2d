"""Where a new numbering may begin in a text, and where an interrupted numbering continues."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from treepack.clauses.labels import ClauseLabel, LabelItem
from treepack.clauses.lookahead import (
    begins_decimals,
    begins_with_point,
    has_next,
    number_follows,
    second_follows,
)
from treepack.clauses.open_clauses import MOST_MISSING, OpenClause, is_numbered, is_sibling
from treepack.clauses.requirement_tables import requirement_rows
from treepack.model.blocks import Table
from treepack.model.section import Section
from treepack.numbers.clause_number import ClauseNumber
from treepack.numbers.heading_numbers import number_of_title, number_value
from treepack.numbers.words import COLLECTIONS, DIVISIONS

DIVISIONS_AND_ANNEX: Final = frozenset({*DIVISIONS, "annex"})
_CONTRACT_WORDS: Final = frozenset({"schedule", "exhibit"})  # an annex may also belong to a how-to
# Headings of these kinds do not show that a text is legal; a how-to may have numbered steps too.
_NEUTRAL_KINDS: Final = frozenset({"decimal", "letter", "roman"})
_FIRST_COMPONENTS: Final = frozenset({"0", "1", "01"})
_NUMBER_ALONE: Final = re.compile(r"[\d.]+[ \t]*(?:[\r\n]|$)")


class Legality(NamedTuple):
    """What shows that a text is a law or a contract.

    Attributes:
        by_headings: Whether headings show it: Article 1, § 2, Section 3.
        by_words: Returns whether the wording shows it; called only if needed.
    """

    by_headings: bool
    by_words: Callable[[], bool]


def can_have_clauses(
    text: str, sections: Sequence[Section], labels_by_section: Sequence[Sequence[LabelItem]]
) -> bool:
    """Whether a document without numbered headings may have clauses.

    Most such documents have no labels, or only those of lists with ``1.`` before each item.
    """
    if not any(labels_by_section):
        return False
    all_labels = [label for section_labels in labels_by_section for label in section_labels]
    if any(map(_shows_numbering, all_labels)):
        return True
    titles = [section.heading.text for section in sections if section.heading]
    if any(map(number_of_title, titles)) or any(t.casefold() in COLLECTIONS for t in titles):
        return True
    tables = (label for label in all_labels if isinstance(label, Table))
    return any(requirement_rows(text, table, ()) for table in tables)


def _shows_numbering(label: LabelItem) -> bool:
    """Whether a label is more than the first of a numbering, which may have no second."""
    if not isinstance(label, ClauseLabel):
        return False
    return (
        label.is_on_line
        or not label.readings
        or any(reading.value != 1 for reading in label.readings)
    )


def can_begin_points(
    label: ClauseLabel,
    following: Sequence[LabelItem],
    above: Sequence[OpenClause],
    legal: Legality,
    later: Callable[[], Sequence[LabelItem]],
) -> bool:
    """Whether ``1.`` or ``(a)`` may begin a numbering: in legal text, not in a how-to's steps.

    Args:
        label: The label.
        following: The labels after it.
        above: The open clauses that may contain it, outermost first.
        legal: What shows that the text is a law or a contract.
        later: Returns the labels after those of the section; called only if no clause is open.
    """
    if not (above or second_follows(label, following)):
        following = [*following, *later()]
    if label.is_doubtful and not second_follows(label, following):
        return False
    if begins_decimals(label, following):
        return True
    # Skip points: a numbering in a point is only as legal as the clause around the point.
    at = len(above) - 1
    while at > 0 and above[at].number.is_relative and not above[at].is_heading:
        at -= 1
    if at < 0:
        is_outer = label.number.kind == "paragraph" or label.number.label.isupper()
        return is_outer and (
            begins_with_point(label, following)
            or (second_follows(label, following) and legal.by_words())
        )
    number = above[at].number
    if number.kind == "requirement":
        return False
    if number.kind in DIVISIONS_AND_ANNEX:
        is_legal = legal.by_headings or number.word in _CONTRACT_WORDS
        return is_legal or (second_follows(label, following) and legal.by_words())
    is_bare = label.wrapper != "()" and label.number.kind == "paragraph"
    is_neutral = above[at].is_heading and is_bare and number.kind in _NEUTRAL_KINDS
    return not is_neutral or (second_follows(label, following) and legal.by_words())


def can_begin_decimals(
    text: str,
    label: ClauseLabel,
    closed: Sequence[OpenClause],
    following: Sequence[LabelItem],
    *,
    is_inside: bool,
) -> bool:
    """Whether ``3.1`` may begin a new decimal numbering; not if it comes between "1." and "2.".

    If no clause is open around it, or no text follows it (a table cell that extraction broke), its
    numbering must be continued. The numbers on the axis of a chart have no text either, but they
    skip numbers: 1.0, 1.2.
    """
    parts = label.number.parts
    if parts[-1] not in _FIRST_COMPONENTS:
        return False
    is_alone = _NUMBER_ALONE.match(text, label.start) is not None
    if (is_alone or not is_inside) and not has_next(parts, following, is_exact=is_alone):
        return False
    interrupted = next((e.reading for e in reversed(closed) if is_numbered(e)), None)
    if interrupted is None:
        return True
    wrapper, value = interrupted.wrapper, number_value(parts[0])[0]
    is_near = 0 < value - interrupted.value <= MOST_MISSING + 1
    return is_near and not number_follows(parts[0], wrapper, following)


def is_next_decimal(
    above: Sequence[OpenClause], label: ClauseLabel, following: Sequence[LabelItem]
) -> bool:
    """Whether a dotted number before a lower-case letter is the next one below an open clause.

    Below 2.1, this is true of ``2.1.1 to pay the rent`` if 2.1.2 comes later, but not of
    ``2.1 million``.
    """
    parts = label.number.parts
    for entry in reversed(above):
        open_parts = entry.number.parts
        if open_parts == parts[:-1]:
            return parts[-1] in _FIRST_COMPONENTS and has_next(parts, following)
        if len(open_parts) == len(parts) and is_sibling(open_parts, parts):
            return True
    return False


def interrupted_at(above: Sequence[OpenClause], label: ClauseLabel) -> int | None:
    """Return the stack index of the heading ``6`` whose numbering ``7.`` continues in its text.

    Some contracts print some titles on lines of their own and let others run into the text. No
    list begins with 7, so the label is the next number after the heading's.
    """
    number = label.number
    if number.kind != "paragraph" or label.wrapper != ".":
        return None
    value = number_value(number.parts[0])[0]
    for at in range(len(above) - 1, -1, -1):
        entry = above[at]
        if entry.reading is not None and is_numbered(entry) and entry.reading.wrapper == ".":
            return None
        if entry.is_heading:
            heading = entry.number
            is_whole = (
                heading.kind == "decimal"
                and len(heading.parts) == 1
                and heading.parts[0].isdecimal()
            )
            if not is_whole or value == 1:
                return None
            return at if 0 < value - int(heading.parts[0]) <= MOST_MISSING + 1 else None
    return None


def numbers_confirmed_by_text(
    labels_by_section: Sequence[tuple[Section, Sequence[LabelItem]]],
    confirmed: Mapping[int, ClauseNumber],
    is_legal: Callable[[Section], bool],
) -> dict[int, ClauseNumber]:
    """Return the numbers of headings that only the running text confirms, by their start.

    ``2. Equipment`` alone among headings may be anything; after a paragraph "1. Purchase." or
    before one that begins with "3. Down Time." it is the clause between them.
    """
    possible = {
        section.start: number
        for section, _ in labels_by_section
        if section.heading
        and section.start not in confirmed
        and (number := number_of_title(section.heading.text))
        and number.kind == "decimal"
        and len(number.parts) == 1
        and number.parts[0].isdecimal()
    }
    if not possible:
        return {}  # the common case
    newly_confirmed: dict[int, ClauseNumber] = {}
    earlier_values: set[int] = set()
    for section, labels in labels_by_section:
        values = [
            number_value(label.number.parts[0])[0]
            for label in labels
            if isinstance(label, ClauseLabel)
            and (label.depth, label.number.kind) == (0, "paragraph")
            and label.wrapper == "."
        ]
        if number := possible.get(section.start):
            value = int(number.parts[0])
            neighbours = (neighbour for neighbour in values if neighbour in {value, value + 1})
            is_last = (
                next(neighbours, value) == value + 1
            )  # a list in a later clause may have the value
            if (is_last or value - 1 in earlier_values) and is_legal(section):
                newly_confirmed[section.start] = number
                earlier_values.add(value)
        earlier_values.update(values)
    return newly_confirmed


def without_repeated_number(
    number: ClauseNumber | None, labels: Sequence[LabelItem]
) -> Sequence[LabelItem]:
    """Return a section's labels without the first one if it only repeats the heading's number.

    Acts print ``9.—(1) The ...`` below the heading ``9. Records``. The item ``1.`` of a list below
    the heading ``1 Scope`` is no such repetition, because ``2.`` follows.
    """
    first = labels[0]
    if number is None or not isinstance(first, ClauseLabel) or first.number.parts != number.parts:
        return labels
    is_plain = first.number.kind == "paragraph" and first.wrapper == "." and not first.depth
    is_list = number.parts[0] in _FIRST_COMPONENTS and second_follows(first, labels[1:])
    return labels[1:] if is_plain and not is_list else labels


def is_filing_number(number: ClauseNumber) -> bool:
    """Whether a document's first number is only the one under which the document was filed.

    Contracts filed with an authority begin with ``Exhibit 10.5``, which nobody cites.
    """
    return number.label.casefold().startswith("exhibit") and len(number.parts) > 1


def below_division(stack: Sequence[OpenClause], at: int) -> int:
    """Return ``at``, or the index after the last division or annex that began in a text."""
    for index in range(len(stack), at, -1):
        if stack[index - 1].number.kind in DIVISIONS_AND_ANNEX:
            return index
    return at
