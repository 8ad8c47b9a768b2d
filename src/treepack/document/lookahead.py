"""What the labels that come next tell of a label that could be read in two ways."""

from collections.abc import Iterator, Sequence

from treepack.document.clause_number import ClauseNumber
from treepack.document.labels import Label, LabelItem
from treepack.document.open_clauses import is_sibling
from treepack.document.sequences import Reading, wrapper_of


def begins_romans(reading: Reading, label: Label, following: Sequence[LabelItem]) -> bool:
    """Whether ``(i)`` after ``(h)`` begins a list of romans: the next one is ``(ii)``."""
    if reading.scheme != "letter" or label.number.parts[0].casefold() != "i":
        return False
    parts = (number.parts[0].casefold() for number in _set_as(wrapper_of(label.number), following))
    return next((part for part in parts if part in {"ii", "j"}), "") == "ii"


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
