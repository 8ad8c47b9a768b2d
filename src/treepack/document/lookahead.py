"""What the labels that come next tell of a label that could be read in two ways."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias

from treepack.document.clause_number import ClauseNumber
from treepack.document.labels import Label, LabelItem
from treepack.document.open_clauses import is_sibling
from treepack.document.sequences import Reading, first_reading, goes_on, readings, wrapper_of

_MARKS: Final = 8  # characters between a label and the same again: blanks, emphasis, line ends


Choice: TypeAlias = tuple[int, Reading]
"""A place in the stack of open clauses, and how the label is read that takes it."""


def choose(  # noqa: PLR0913, PLR0917 - a label and all that may tell how it is read
    label: Label,
    options: Sequence[Reading],
    entries: Sequence[Choice],
    following: Sequence[LabelItem],
    begun: Callable[[Reading], int | None],
    is_repeated: Callable[[int], bool],
) -> Choice | None:
    """How a label is read, and the place that it then takes; None if it is no clause's.

    It goes on with an open numbering, or begins one; where it could do several of these, what comes
    next tells.

    Args:
        label: The label.
        options: All ways to read it.
        entries: The open numberings at the label's depth, from the innermost out.
        following: The labels after it.
        begun: Says at which place a numbering may begin with a reading; None for nowhere.
        is_repeated: Says whether the label is that of a place, printed twice.
    """
    steps = [(at, way, goes_on(before, way)) for at, before in entries for way in options]
    held = dict(entries)
    same = [(at, way) for at, way, _ in steps if way == held[at]]
    if same and (len(options) == 1 or is_repeated(same[0][0])):
        return same[0]
    nexts = [(at, way) for at, way, step in steps if step == "next" and way != held[at]]
    if nexts and len(options) == 1:
        return nexts[0]
    choices = nexts + same
    first = first_reading(options)
    if first is not None and (place := begun(first)) is not None:
        choices.append((place, first))
    if choices:
        return choices[_likeliest(choices, entries, label, following) if choices[1:] else 0]
    later = (choice for choice in steps if choice[2] == "later" and choice[1].value != 1)
    return next(((at, way) for at, way, _ in later), None) if first is None else None


def _likeliest(
    choices: Sequence[Choice],
    entries: Sequence[Choice],
    label: Label,
    following: Sequence[LabelItem],
) -> int:
    """The choice that lets most of the labels come next in turn; the first where all are alike.

    ``(i)`` after (h) is the ninth letter where (j) comes, or another (i) with (ii); it is the first
    roman numeral where (ii) comes. ``(v)`` after (iv) is a letter where (w) comes after (u).
    """
    wrapper = wrapper_of(label.number)
    options: list[list[Reading]] = []
    before = label
    for other in following:
        if not isinstance(other, Label) or other.depth < label.depth:
            break
        if not other.number.is_relative or other.depth > label.depth:
            continue
        if wrapper_of(other.number) == wrapper and not _is_printed_twice(before, other):
            options.append(readings(other.number, wrapper))
        before = other
    outer = entries[::-1]
    stacks = [[*(before for place, before in outer if place < at), way] for at, way in choices]
    counts = [_taken(stack, options) for stack in stacks]
    return counts.index(max(counts))


def _is_printed_twice(before: Label, label: Label) -> bool:
    """Whether a label comes again with nothing but marks between, as converters print some."""
    own = before.number.label
    return own == label.number.label and label.start - before.start <= len(own) + _MARKS


def _taken(stack: list[Reading], following: Sequence[Sequence[Reading]]) -> int:
    """How many labels, one after the other, go on with an open numbering or begin one."""
    for count, options in enumerate(following):
        places = (
            (at, reading)
            for at in range(len(stack) - 1, -1, -1)
            for reading in options
            if reading != stack[at] and goes_on(stack[at], reading) == "next"
        )
        at, reading = next(places, (len(stack), first_reading(options)))
        if reading is None or _is_begun(stack[:at], reading):
            return count
        stack[at:] = [reading]
    return len(following)


def _is_begun(stack: Sequence[Reading], reading: Reading) -> bool:
    """Whether the numbering of a reading is open: romans do not begin again below romans."""
    return any((o.wrapper, o.scheme) == (reading.wrapper, reading.scheme) for o in stack)


def begins_decimals(label: Label, following: Sequence[LabelItem]) -> bool:
    """Whether the next label is the first below this one: "1.1" behind "1. Definitions"."""
    if label.number.kind != "paragraph" or not following or not isinstance(following[0], Label):
        return False
    number, own = following[0].number, label.number.parts[0]
    return number.kind == "decimal" and number.parts[:2] in {(own, "1"), (own, "01")}


def is_to_come(part: str, wrapper: str, following: Sequence[LabelItem]) -> bool:
    """Whether a numbering comes to a number later on."""
    return any(number.parts == (part,) for number in _set_as(wrapper, following))


def has_next(parts: tuple[str, ...], following: Sequence[LabelItem]) -> bool:
    """Whether a dotted number has company behind it: 3.2 or 3.1.1 for 3.1."""
    return any(
        is_sibling(parts, other.number.parts) or other.number.parts[: len(parts)] == parts
        for other in following
        if isinstance(other, Label) and other.number.parts != parts
    )


def _set_as(wrapper: str, labels: Sequence[LabelItem]) -> Iterator[ClauseNumber]:
    for other in labels:
        if isinstance(other, Label) and wrapper_of(other.number) == wrapper:
            yield other.number
