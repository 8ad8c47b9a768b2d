"""Uses the labels that follow to decide how to read an ambiguous label."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from treepack.clauses.labels import ClauseLabel, LabelItem
from treepack.clauses.open_clauses import is_next, is_sibling
from treepack.clauses.sequences import (
    Interpretation,
    first_interpretation,
    goes_on,
)
from treepack.model.section import Section
from treepack.numbers.clause_number import ClauseNumber

_NEAR: Final = 40  # labels among which the second one of a numbering is looked for


Choice: TypeAlias = tuple[int, Interpretation]
"""An index in the stack of open clauses, and the reading of the label that belongs there."""


def choose(
    label: ClauseLabel,
    options: Sequence[Interpretation],
    entries: Sequence[Choice],
    following: Sequence[LabelItem],
    begun: Callable[[Interpretation], int | None],
) -> Choice | None:
    """Choose how to read a label and where it belongs; None if it is not a clause.

    The label continues an open numbering or begins a new one. If several readings are possible,
    the labels that follow decide.

    Args:
        label: The label.
        options: All ways to read it.
        entries: The open numberings at the label's depth, innermost first.
        following: The labels after it.
        begun: Returns the stack index where a numbering may begin with a reading, or None.
    """
    first = first_interpretation(options)
    if not entries:  # outside all numberings; most such labels are items of ordinary lists
        place = None if first is None else begun(first)
        return None if first is None or place is None else (place, first)
    steps = [(at, way, goes_on(before, way)) for at, before in entries for way in options]
    held = dict(entries)
    same = [(at, way) for at, way, _ in steps if way == held[at]]
    nexts = [(at, way) for at, way, step in steps if step == "next" and way != held[at]]
    is_inner = bool(same and nexts) and nexts[0][0] > same[0][0]  # "2." of a list in clause 2
    if same and not is_inner and (len(options) == 1 or label.is_repeated):
        return same[0]
    if nexts and len(options) == 1:
        return nexts[0]
    choices = nexts + same
    if first is not None and (place := begun(first)) is not None:
        choices.append((place, first))
    if choices:
        return choices[_likeliest(choices, entries, label, following) if choices[1:] else 0]
    later = (choice for choice in steps if choice[2] == "later" and choice[1].value != 1)
    return next(((at, way) for at, way, _ in later), None) if first is None else None


def following_place(entries: Sequence[Choice], reading: Interpretation) -> int | None:
    """Return the stack index where a label with one reading directly continues a numbering.

    Args:
        entries: The open numberings at the label's depth, innermost first.
        reading: The label's reading.

    Returns:
        The index; None if the label continues no numbering, or if an inner one has its number.
    """
    for at, before in entries:
        if before == reading:
            return None
        if goes_on(before, reading) == "next":
            return at
    return None


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
    options: list[Sequence[Interpretation]] = []
    for other in following:
        if not isinstance(other, ClauseLabel) or other.depth < label.depth:
            break
        if not other.number.is_relative or other.depth > label.depth:
            continue
        if other.wrapper == wrapper and not other.is_repeated:
            options.append(other.ways)
    outer = entries[::-1]
    stacks = [[*(before for place, before in outer if place < at), way] for at, way in choices]
    counts = [_taken(stack, options) for stack in stacks]
    return counts.index(max(counts))


def _taken(stack: list[Interpretation], following: Sequence[Sequence[Interpretation]]) -> int:
    """Return how many labels in a row continue an open numbering or begin a new one."""
    for count, options in enumerate(following):
        places = (
            (at, reading)
            for at in range(len(stack) - 1, -1, -1)
            for reading in options
            if reading != stack[at] and goes_on(stack[at], reading) == "next"
        )
        at, reading = next(places, (len(stack), first_interpretation(options)))
        if reading is None or _is_begun(stack[:at], reading):
            return count
        stack[at:] = [reading]
    return len(following)


def _is_begun(stack: Sequence[Interpretation], reading: Interpretation) -> bool:
    """Whether this numbering is open already: roman numerals do not begin below roman numerals."""
    return any((o.wrapper, o.scheme) == (reading.wrapper, reading.scheme) for o in stack)


def begins_decimals(label: ClauseLabel, following: Sequence[LabelItem]) -> bool:
    """Whether the next label is the first below this one: "1.1" after "1. Definitions"."""
    if (
        label.number.kind != "paragraph"
        or not following
        or not isinstance(following[0], ClauseLabel)
    ):
        return False
    number, own = following[0].number, label.number.parts[0]
    return number.kind == "decimal" and number.parts[:2] in {(own, "1"), (own, "01")}


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


def has_sections_of_act(labels: Iterable[Sequence[LabelItem]]) -> bool:
    """Whether a text is an act, because some of its sections begin with their first subsection.

    Args:
        labels: The labels of each section of the document.
    """
    return any(
        begins_with_point(label, own[at + 1 : at + 1 + _NEAR])
        for own in labels
        for at, label in enumerate(own[:-1])
        if isinstance(label, ClauseLabel)
        and isinstance(first := own[at + 1], ClauseLabel)
        and first.is_on_line
    )


def second_follows(label: ClauseLabel, following: Sequence[LabelItem]) -> bool:
    """Whether a label that begins a numbering is followed by the second: 2. after 1., B after A."""
    seconds = {Interpretation(way.wrapper, way.scheme, way.value + 1) for way in label.ways}
    depth = label.depth
    return any(
        isinstance(other, ClauseLabel)
        and other.depth == depth
        and not seconds.isdisjoint(other.ways)
        for other in following
    )


def is_inside_of(
    before: Interpretation,
    between: Sequence[Interpretation],
    label: ClauseLabel,
    following: Sequence[LabelItem],
) -> bool:
    """Whether a numbering that begins again lies inside the open one, which continues after it.

    "1." below "9." is a list in clause 9 if, after "2." and "3.", clause "10." follows.

    Args:
        before: The last number of the open numbering.
        between: The open numberings inside it: A. in clause 9, which the list is part of.
        label: The label that begins again.
        following: The labels after it.
    """
    expected = label.ways[0].value + 1
    is_over = False
    for other in following:
        if not isinstance(other, ClauseLabel) or other.depth != label.depth:
            continue
        is_over |= any(goes_on(one, way) == "next" for one in between for way in other.ways)
        form = (before.wrapper, before.scheme)
        values = {way.value for way in other.ways if (way.wrapper, way.scheme) == form}
        if expected in values and not is_over:
            expected += 1
        elif before.value + 1 in values:
            return True
    return False


def number_follows(part: str, wrapper: str, following: Sequence[LabelItem]) -> bool:
    """Whether the number ``part`` comes later with this wrapper."""
    return any(number.parts == (part,) for number in _with_wrapper(wrapper, following))


def has_next(
    parts: tuple[str, ...], following: Sequence[LabelItem], *, is_exact: bool = False
) -> bool:
    """Whether a dotted number is continued later: 3.2 or 3.1.1 for 3.1.

    Args:
        parts: The number.
        following: The labels after it.
        is_exact: Whether no number may be missing in between.
    """
    continues = is_next if is_exact else is_sibling
    return any(
        continues(parts, other.number.parts) or other.number.parts[: len(parts)] == parts
        for other in following
        if isinstance(other, ClauseLabel) and other.number.parts != parts
    )


def _with_wrapper(wrapper: str, labels: Sequence[LabelItem]) -> Iterator[ClauseNumber]:
    for other in labels:
        if isinstance(other, ClauseLabel) and other.wrapper == wrapper:
            yield other.number


def next_heading(
    section: Section, starts: Sequence[int], numbers: Mapping[int, ClauseNumber]
) -> Iterator[ClauseLabel]:
    """Yield the next heading's number as a label if it may continue the text's numbering: ``2.``.

    Args:
        section: The section after which the heading comes.
        starts: Where the sections of the document begin.
        numbers: The numbers of the headings, by their start.
    """
    at = bisect_right(starts, section.start)
    number = numbers.get(starts[at]) if at < len(starts) else None
    if number and number.kind == "decimal" and len(number.parts) == 1:
        number = ClauseNumber("paragraph", number.label, number.parts)
        yield ClauseLabel(starts[at], number, 0, starts[at])


def labels_below(
    section: Section,
    starts: Sequence[int],
    numbers: Mapping[int, ClauseNumber],
    own: Sequence[Sequence[LabelItem]],
    first: ClauseLabel,
) -> list[LabelItem]:
    """Return the labels of the sections after a section, up to a heading with a number.

    Some licences number (1), (2), (3) continuously through all their sections. A label with the
    number of ``first`` ends the search.

    Args:
        section: The section.
        starts: Where the sections of the document begin.
        numbers: The numbers of the headings, by their start.
        own: The labels of each section.
        first: The label that may begin the numbering.
    """
    found: list[LabelItem] = []
    at = bisect_right(starts, section.start)
    while at < len(starts) and starts[at] not in numbers and len(found) < _NEAR:
        for label in own[at]:
            if isinstance(label, ClauseLabel) and label.number == first.number:
                return found
            found.append(label)
        at += 1
    return found
