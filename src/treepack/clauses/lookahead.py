"""Uses the labels that follow to decide how to read an ambiguous label."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from treepack.clauses.labels import ClauseLabel, LabelItem
from treepack.clauses.open_clauses import is_next, is_sibling
from treepack.clauses.sequences import Reading, continuation, first_reading
from treepack.model.section import Section
from treepack.numbers.clause_number import ClauseNumber

_MOST_LABELS_READ: Final = 40  # to find the second one of a numbering

Choice: TypeAlias = tuple[int, Reading]
"""An index in the stack of open clauses, and the reading of the label that belongs there."""


def choose(
    label: ClauseLabel,
    entries: Sequence[Choice],
    following: Sequence[LabelItem],
    begin_at: Callable[[Reading], int | None],
) -> Choice | None:
    """Choose how to read a label and where it belongs; None if it is not a clause.

    The label continues an open numbering or begins a new one. If several readings are possible,
    the labels that follow decide.

    Args:
        label: The label.
        entries: The open numberings at the label's depth, innermost first.
        following: The labels after it.
        begin_at: Returns the stack index where a numbering may begin with a reading, or None.
    """
    first, is_unambiguous = first_reading(label.readings), len(label.readings) == 1
    if not entries:  # outside all numberings; most such labels are items of ordinary lists
        at = None if first is None else begin_at(first)
        return None if first is None or at is None else (at, first)
    by_relation: dict[str, list[Choice]] = {"same": [], "next": [], "later": [], "no": []}
    for at, before in entries:
        for reading in label.readings:
            by_relation[continuation(before, reading)].append((at, reading))
    repeats, successors = by_relation["same"], by_relation["next"]
    # "2." of a list in clause 2
    is_inner = bool(repeats and successors) and successors[0][0] > repeats[0][0]
    if repeats and not is_inner and (is_unambiguous or label.is_repeated):
        return repeats[0]
    if successors and is_unambiguous:
        return successors[0]
    choices = successors + repeats
    if first is not None and (at := begin_at(first)) is not None:
        choices.append((at, first))
    if choices:
        return choices[_likeliest(choices, entries, label, following) if choices[1:] else 0]
    if first is not None:
        return None
    return next((choice for choice in by_relation["later"] if choice[1].value != 1), None)


def _likeliest(
    choices: Sequence[Choice],
    entries: Sequence[Choice],
    label: ClauseLabel,
    following: Sequence[LabelItem],
) -> int:
    """Return the index of the choice that most of the following labels fit; in a tie, the first.

    ``(i)`` after (h) is the ninth letter if (j) follows, or another (i) with (ii); it is the first
    roman numeral if (ii) follows. ``(v)`` after (iv) is a letter if (w) comes after (u).
    """
    wrapper = label.wrapper
    later_readings: list[Sequence[Reading]] = []
    for later in following:
        if not isinstance(later, ClauseLabel) or later.depth < label.depth:
            break
        if not later.number.is_relative or later.depth > label.depth:
            continue
        if later.wrapper == wrapper and not later.is_repeated:
            later_readings.append(later.readings)
    outer = entries[::-1]
    stacks = [
        [*(before for index, before in outer if index < at), reading] for at, reading in choices
    ]
    counts = [_fitting_count(stack, later_readings) for stack in stacks]
    return counts.index(max(counts))


def _fitting_count(stack: list[Reading], later_readings: Sequence[Sequence[Reading]]) -> int:
    """Return how many labels in a row continue an open numbering or begin a new one."""
    for count, label_readings in enumerate(later_readings):
        continued = (
            (at, reading)
            for at in range(len(stack) - 1, -1, -1)
            for reading in label_readings
            if continuation(stack[at], reading) == "next"
        )
        at, reading = next(continued, (len(stack), first_reading(label_readings)))
        if reading is None or _is_open(stack[:at], reading):
            return count
        stack[at:] = [reading]
    return len(later_readings)


def _is_open(stack: Sequence[Reading], reading: Reading) -> bool:
    """Whether this numbering is open already: roman numerals do not begin below roman numerals."""
    return any(
        (other.wrapper, other.scheme) == (reading.wrapper, reading.scheme) for other in stack
    )


def begins_decimals(label: ClauseLabel, following: Sequence[LabelItem]) -> bool:
    """Whether the next label is the first below this one: "1.1" after "1. Definitions"."""
    first = following[0] if following else None
    if label.number.kind != "paragraph" or not isinstance(first, ClauseLabel):
        return False
    number, whole = first.number, label.number.parts[0]
    return number.kind == "decimal" and number.parts[:2] in {(whole, "1"), (whole, "01")}


def begins_with_point(label: ClauseLabel, following: Sequence[LabelItem]) -> bool:
    """Whether the first point is on the label's line: ``1.—(1) The``.

    Without the dash, a second point must follow. Only laws and contracts are written like this.
    """
    first = following[0] if following else None
    if (
        label.number.kind != "paragraph"
        or not isinstance(first, ClauseLabel)
        or not first.is_on_line
    ):
        return False
    return not first.is_doubtful or second_follows(first, following[1:])


def has_sections_of_act(labels_by_section: Iterable[Sequence[LabelItem]]) -> bool:
    """Whether a text is an act, because some of its sections begin with their first subsection."""
    return any(
        begins_with_point(label, labels[at + 1 : at + 1 + _MOST_LABELS_READ])
        for labels in labels_by_section
        for at, label in enumerate(labels[:-1])
        if isinstance(label, ClauseLabel)
        and isinstance(first := labels[at + 1], ClauseLabel)
        and first.is_on_line
    )


def second_follows(label: ClauseLabel, following: Sequence[LabelItem]) -> bool:
    """Whether a label that begins a numbering is followed by the second: 2. after 1., B after A."""
    second_readings = {
        Reading(reading.wrapper, reading.scheme, reading.value + 1) for reading in label.readings
    }
    depth = label.depth
    return any(
        isinstance(later, ClauseLabel)
        and later.depth == depth
        and not second_readings.isdisjoint(later.readings)
        for later in following
    )


def is_inside_of(
    before: Reading,
    between: Sequence[Reading],
    label: ClauseLabel,
    following: Sequence[LabelItem],
) -> bool:
    """Whether a numbering that begins again lies inside the open one, which continues after it.

    "1." below "9." is a list in clause 9 if, after "2." and "3.", clause "10." follows.
    """
    expected = label.readings[0].value + 1
    is_over = False
    for follower in following:
        if not isinstance(follower, ClauseLabel) or follower.depth != label.depth:
            continue
        is_over |= any(
            continuation(inner, reading) in {"same", "next"}
            for inner in between
            for reading in follower.readings
        )
        form = (before.wrapper, before.scheme)
        values = {
            reading.value
            for reading in follower.readings
            if (reading.wrapper, reading.scheme) == form
        }
        if expected in values and not is_over:
            expected += 1
        elif before.value + 1 in values:
            return True
    return False


def number_follows(part: str, wrapper: str, following: Sequence[LabelItem]) -> bool:
    """Whether the number ``part`` comes later with this wrapper."""
    return any(
        isinstance(later, ClauseLabel)
        and later.wrapper == wrapper
        and later.number.parts == (part,)
        for later in following
    )


def has_next(
    parts: tuple[str, ...], following: Sequence[LabelItem], *, is_exact: bool = False
) -> bool:
    """Whether a dotted number is continued later: 3.2 or 3.1.1 for 3.1.

    Args:
        parts: The number.
        following: The labels after it.
        is_exact: Whether no number may be missing in between.
    """
    is_continued_by = is_next if is_exact else is_sibling
    return any(
        is_continued_by(parts, later.number.parts) or later.number.parts[: len(parts)] == parts
        for later in following
        if isinstance(later, ClauseLabel) and later.number.parts != parts
    )


def next_heading(
    section: Section, starts: Sequence[int], numbers: Mapping[int, ClauseNumber]
) -> Iterator[ClauseLabel]:
    """Yield the next heading's number as a label if it may continue a numbering: ``2.``."""
    at = bisect_right(starts, section.start)
    number = numbers.get(starts[at]) if at < len(starts) else None
    if number and number.kind == "decimal" and len(number.parts) == 1:
        number = ClauseNumber("paragraph", number.label, number.parts)
        yield ClauseLabel(starts[at], number, 0, starts[at])


def labels_below(
    section: Section,
    starts: Sequence[int],
    numbers: Mapping[int, ClauseNumber],
    labels_by_section: Sequence[Sequence[LabelItem]],
    first: ClauseLabel,
) -> list[LabelItem]:
    """Return the labels of the sections after a section, up to a heading with a number.

    Some licences number (1), (2), (3) continuously through all their sections. A label with the
    number of ``first`` ends the search.

    Args:
        section: The section.
        starts: Where the sections of the document begin.
        numbers: The numbers of the headings, by their start.
        labels_by_section: The labels of each section.
        first: The label that may begin the numbering.
    """
    found: list[LabelItem] = []
    at = bisect_right(starts, section.start)
    while at < len(starts) and starts[at] not in numbers and len(found) < _MOST_LABELS_READ:
        for label in labels_by_section[at]:
            if isinstance(label, ClauseLabel) and label.number == first.number:
                return found
            found.append(label)
        at += 1
    return found
