"""The numbering model: a stack of open clauses, and where in it each new label belongs.

A label continues a numbering that is open (``(b)`` after ``(a)``, ``5.2`` after ``5.1``,
``Article 6`` after ``Article 5``), begins a deeper one (``(a)`` below ``5.1``), or is none of both
and no clause. A list that is no part of a law, such as the steps of a how-to or the notes at the
foot of a page, is a numbering too, but a hidden one: its labels continue it and are no clauses.

Only if a label fits several numberings, the labels that follow decide: the place with which most of
them, in a row, continue a numbering or begin one. ``(i)`` after ``(h)`` is a letter if ``(j)``
follows and a roman numeral if ``(ii)`` follows.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from treepack.clauses.labels import Label
from treepack.clauses.readings import NUMBERED, Reading, relation
from treepack.numbers.clause_number import ClauseNumber
from treepack.numbers.nesting import SeriesOrder, outline_numbers
from treepack.numbers.words import CITED_BY_NUMBER, DIVISIONS

DIVISIONS_AND_ANNEX: Final = frozenset({*DIVISIONS, "annex"})
FLAT_KINDS: Final = frozenset({"requirement", "recital"})  # they contain only points
_CONTRACT_WORDS: Final = frozenset({"schedule", "exhibit"})  # an annex may also belong to a how-to
_NEUTRAL_KINDS: Final = frozenset({"decimal", "letter", "roman"})  # a how-to has such headings too
_FIRST_PARTS: Final = frozenset({"0", "1", "01"})
_MOST_AHEAD: Final = 40  # labels that are read ahead; the longest lists of the corpus have 30
_MOST_MISSING: Final = 1  # dotted numbers that a law may have repealed between two


@dataclass(slots=True)
class Open:
    """A clause whose end is not yet known.

    Attributes:
        index: Its index among all clauses; -1 if it is the item of a hidden list.
        number: Its label.
        start: Where it begins.
        limit: Where it ends at the latest.
        depth: How many list items contain it; -1 for a heading.
        reading: How its label reads as a member of a numbering; None if it is not relative.
        is_heading: Whether a heading begins it.
        is_main: Whether only divisions are around it; then 1.1 may follow 1.
    """

    index: int
    number: ClauseNumber
    start: int
    limit: int
    depth: int = -1
    reading: Reading | None = None
    is_heading: bool = False
    is_main: bool = False


class Place(NamedTuple):
    """Where a label belongs: the clauses from ``at`` on end, and it is the next one.

    Attributes:
        at: An index in the stack.
        reading: How the label reads there; None if it is not relative.
        is_clause: Whether it is a clause, not the item of a hidden list.
    """

    at: int
    reading: Reading | None = None
    is_clause: bool = True


class Numbering:
    """The open clauses of a document, outermost first.

    Args:
        text: The document's text.
        labels: The labels of all headings and texts, in source order.
    """

    def __init__(self, text: str, labels: Sequence[Label]) -> None:
        self.stack: list[Open] = []
        self.main: Reading | None = None  # the last number that only divisions contain
        self._text = text
        self._labels = labels
        self._starts = [label.start for label in labels]
        headings = [label.number for label in labels if label.is_heading]
        self._headings = {_identity(number) for number in headings}
        only_in_texts = {_identity(label.number) for label in labels} - self._headings
        by_kind = Counter(kind for kind, _ in self._headings)
        by_kind.subtract(kind for kind, _ in only_in_texts)
        self._in_headings = {kind for kind, more in by_kind.items() if more >= 0}
        self._has_legal_headings = any(n.kind in CITED_BY_NUMBER for n in headings)

    @cached_property
    def is_act(self) -> bool:
        """Whether some sections begin with their first subsection: ``1.—(1) The``."""
        return any(
            self._begins_with_point(self._labels[at - 1], [label])
            for at, label in enumerate(self._labels)
            if label.is_on_line and at
        )

    def place(self, label: Label, is_legal: Callable[[], bool]) -> Place | None:
        """Return where a label of a text belongs, or None if it is no clause.

        Args:
            label: The label.
            is_legal: Returns whether the text around it is worded like law.
        """
        is_annexed = any(e.number.kind == "annex" for e in self.stack)
        is_mention = not is_annexed and self._is_mention(label)
        if label.readings:
            return self._place_relative(label, is_legal, is_mention=is_mention)
        if is_mention:
            return None
        is_decimal = label.number.kind == "decimal"
        return self._place_decimal(label) if is_decimal else self._place_named(label)

    def _is_mention(self, label: Label) -> bool:
        """Whether a heading has the number, so that a text only mentions it."""
        identity = kind, parts = _identity(label.number)
        if label.is_alone and kind in CITED_BY_NUMBER and ("decimal", parts) in self._headings:
            return True  # "Section 5.1" in an index
        return identity in self._headings and kind in self._in_headings

    # ---------------------------------------------------------------- (3), a), ii.

    def _place_relative(
        self, label: Label, is_legal: Callable[[], bool], *, is_mention: bool
    ) -> Place | None:
        """Place ``(3)``, ``a)`` or ``ii.``: it continues an open numbering or begins a deeper."""
        top = len(self.stack)
        while top and self.stack[top - 1].depth > label.depth:
            top -= 1
        open_ones = [
            (at, entry, entry.reading)
            for at, entry in reversed([*enumerate(self.stack[:top])])
            if entry.reading and entry.depth == label.depth
        ]
        places: dict[str, list[Place]] = {"next": [], "same": [], "later": [], "no": []}
        for at, entry, before in open_ones:
            for reading in label.readings:
                place = Place(at, reading, entry.index >= 0)
                places[relation(before, reading)].append(place)
        found = places["next"] + ([] if is_mention else self._resumed(label)) + places["same"]
        first = next((reading for reading in label.readings if reading.is_first), None)
        if first:
            found += self._beginnings(label, first, top, is_legal)
        elif not found:
            found = places["later"][:1]
        if not found[1:]:
            return found[0] if found else None
        return self._likeliest(label, [*dict.fromkeys(found)])

    def _resumed(self, label: Label) -> list[Place]:
        """Return the place of the number after the last main one, whose clause may have ended.

        Headings end the clauses of the text above, and a Part may begin; clause 7 follows 6 still.
        """
        (reading, *others), before = label.readings, self.main
        if label.depth or others or before is None or reading.form != before.form:
            return []
        if not 0 < reading.value - before.value <= _MOST_MISSING + 1:
            return []
        at = 0
        while at < len(self.stack) and self.stack[at].number.kind in DIVISIONS_AND_ANNEX:
            at += 1
        is_over = all(
            entry.number.is_relative
            or (entry.number.kind == "decimal" and not entry.is_heading)
            or reading_of_heading(entry.number)
            for entry in self.stack[at:]
        )
        return [Place(at, reading)] if is_over else []

    def _beginnings(
        self, label: Label, first: Reading, top: int, is_legal: Callable[[], bool]
    ) -> list[Place]:
        """Return the places where a numbering may begin: again instead of an open one, or deeper.

        A list in the form of the numbering around it needs a text that introduces it. Without one
        it is a list of notes.
        """
        if not self._may_begin(label, top, is_legal):
            return [Place(top, first, is_clause=False)]
        again = top
        for at in range(top - 1, -1, -1):
            entry = self.stack[at]
            if entry.reading is None:
                break
            if entry.depth == label.depth and entry.reading.form == first.form:
                again = at
                break
        if again == top:
            return [Place(top, first)]
        return [Place(again, first), Place(top, first, self._is_introduced(label))]

    def _may_begin(self, label: Label, top: int, is_legal: Callable[[], bool]) -> bool:
        """Whether ``1.`` or ``(a)`` may begin clauses: in a law, not in the steps of a how-to."""
        ahead = self._ahead(label)
        has_second = _has_second(label, ahead)
        if label.is_doubtful and not has_second:
            return False
        number = label.number
        if ahead and number.kind == "paragraph" and ahead[0].number.kind == "decimal":
            whole, part, *_ = *ahead[0].number.parts, ""
            if whole == number.parts[0] and part in _FIRST_PARTS:
                return True  # 1.1 after 1.
        at = top - 1  # points are as legal as the clause around them
        while at > 0 and self.stack[at].number.is_relative and not self.stack[at].is_heading:
            if self.stack[at].index < 0:
                return False
            at -= 1
        if at < 0 or self.stack[at].index < 0:
            is_outer = number.kind == "paragraph" or number.label.isupper()
            return (
                is_outer
                and at < 0
                and (self._begins_with_point(label, ahead) or (has_second and is_legal()))
            )
        around = self.stack[at].number
        if around.kind in FLAT_KINDS:
            return around.kind == "recital"
        if around.kind in DIVISIONS_AND_ANNEX:
            is_law = self._has_legal_headings or self.is_act or around.word in _CONTRACT_WORDS
            return is_law or (has_second and is_legal())
        is_step = number.kind == "paragraph" and not number.label.startswith("(")
        is_neutral = self.stack[at].is_heading and around.kind in _NEUTRAL_KINDS
        return not (is_step and is_neutral) or (has_second and is_legal())

    def _begins_with_point(self, label: Label, ahead: Sequence[Label]) -> bool:
        """Whether the first point is on the label's line; without a dash, a second must follow."""
        if label.number.kind != "paragraph" or not ahead or not ahead[0].is_on_line:
            return False
        return not ahead[0].is_doubtful or _has_second(ahead[0], self._ahead(ahead[0]))

    def _is_introduced(self, label: Label) -> bool:
        """Whether the text before a label introduces a list: it ends in a colon, not in a stop."""
        return self._text[: label.start].rstrip(" \t\r\n*_")[-1:] in {":", "：", "—", "–", ","}

    def _ahead(self, label: Label) -> Sequence[Label]:
        """Return the labels after one, up to the next heading with a number."""
        first = bisect_left(self._starts, label.start) + 1
        ahead = self._labels[first : first + _MOST_AHEAD]
        heading = next((at for at, later in enumerate(ahead) if later.is_heading), len(ahead))
        return ahead[: heading + 1]

    def _likeliest(self, label: Label, places: Sequence[Place]) -> Place:
        """Return the place that most of the labels ahead fit; in a tie, the first."""
        form = label.readings[0].form.partition(" ")[0]
        later: list[tuple[Reading, ...]] = []
        for other in self._ahead(label):
            if other.depth < label.depth:
                break
            is_same = other.readings and other.depth == label.depth
            if is_same and other.readings[0].form.partition(" ")[0] == form:
                later.append(other.readings)
        outer = [e.reading if e.depth == label.depth else None for e in self.stack]
        counts: list[int] = []
        for place in places:
            assert place.reading is not None, "the label is relative"
            above = [reading for reading in outer[: place.at] if reading]
            counts.append(_count_fitting([*above, place.reading], later))
        return places[counts.index(max(counts))]

    # ---------------------------------------------------------------- 5.1.2

    def _place_decimal(self, label: Label) -> Place | None:
        """Place ``5.1.2``: below 5.1, or after 5.1.1, or as the first of a new numbering."""
        parts = label.number.parts
        for at in range(len(self.stack), 0, -1):
            above = self.stack[at - 1]
            if self._is_prefix(above, parts):
                is_next = len(above.number.parts) == len(parts) - 1 and parts[-1] in _FIRST_PARTS
                is_sure = not label.is_doubtful or (is_next and self._is_continued(label))
                return Place(at) if is_sure else None
            if _follows(above.number.parts, parts):
                is_sure = not label.is_doubtful or len(above.number.parts) == len(parts)
                return Place(at - 1) if is_sure else None
        return None if label.is_doubtful else self._first_decimal(label)

    def _first_decimal(self, label: Label) -> Place | None:
        """Place ``3.1`` where no number is open that it continues; mostly it is a quantity.

        Numbers without a text may be the cells of a broken table, or label the axis of a chart.
        """
        parts = label.number.parts
        at = len(self.stack)
        while at and not (self.stack[at - 1].is_heading or self._is_division(at - 1)):
            at -= 1
        if parts[-1] not in _FIRST_PARTS:
            return None
        if (label.is_alone or not self.stack) and not self._is_continued(label):
            return None
        whole = next((e.reading for e in self.stack[at:] if e.reading), None)
        if whole and whole.form == NUMBERED and parts[0] != str(whole.value + 1):
            return None
        return Place(at)

    def _is_division(self, at: int) -> bool:
        return self.stack[at].number.kind in DIVISIONS_AND_ANNEX

    def _is_continued(self, label: Label) -> bool:
        """Whether a dotted number is continued later: 3.2 or 3.1.1 after 3.1."""
        parts = label.number.parts
        return any(
            _follows(parts, later.number.parts, 0 if label.is_alone else _MOST_MISSING)
            or (later.number.parts[: len(parts)] == parts and later.number.parts != parts)
            for later in self._ahead(label)
        )

    def _is_prefix(self, entry: Open, parts: tuple[str, ...]) -> bool:
        """Whether a dotted number continues the number of an open clause: ``1.1`` below ``1.``."""
        prefix = entry.number.parts
        if entry.number.kind == "annex" and prefix[0].isdigit():
            return False  # 5.1 does not belong to Annex 5
        is_whole = entry.reading is None or (entry.reading.form == NUMBERED and entry.is_main)
        return is_whole and len(prefix) < len(parts) and parts[: len(prefix)] == prefix

    # ---------------------------------------------------------------- Article 5

    def _place_named(self, label: Label) -> Place | None:
        """Place ``Article 5``: it ends the clauses whose word does not rank above its own."""
        at = len(self.stack)
        while at and self._is_ended_by(self.stack[at - 1], label):
            at -= 1
        return Place(at)

    def _is_ended_by(self, entry: Open, label: Label) -> bool:
        above, kind = entry.number, label.number.kind
        if above.is_relative or above.kind == "decimal":
            return above.is_relative or not entry.is_heading
        if kind == "requirement" or above.kind in FLAT_KINDS:
            return above.kind in FLAT_KINDS
        if "annex" in {kind, above.kind}:
            return kind == "annex"
        series, order = self._ranks
        outer, inner = series[entry.start], series[label.start]
        return outer == inner or not order.is_likely_above(outer, inner)

    @cached_property
    def _ranks(self) -> tuple[Mapping[int, object], SeriesOrder]:
        """The series of each named number, by its start, and the rank of the series."""
        named = {
            label.start: label.number
            for label in self._labels
            if not label.number.is_relative and (label.is_heading or label.number.kind != "decimal")
        }
        numbers = outline_numbers([*named.values()])
        series = {at: n.series for at, n in zip(named, numbers, strict=True) if n}
        return series, SeriesOrder(numbers)


def reading_of_heading(number: ClauseNumber) -> Reading | None:
    """Return how the number of a heading reads as one of a text: ``6 Fees`` before ``7. Term``."""
    is_whole = number.kind == "decimal" and len(number.parts) == 1 and number.parts[0].isdecimal()
    return Reading(NUMBERED, int(number.parts[0])) if is_whole else None


def _identity(number: ClauseNumber) -> tuple[str, tuple[str, ...]]:
    """Return what tells whether two labels are one: a "1." of a text is the heading ``1``."""
    kind = "decimal" if number.kind == "paragraph" and number.label.isdecimal() else number.kind
    return "§" if number.label[0] == "§" else kind, number.parts


def _follows(before: tuple[str, ...], after: tuple[str, ...], missing: int = _MOST_MISSING) -> bool:
    """Whether a dotted number follows another: 5.1.3 or 5.2 after 5.1.2."""
    shared = len(after) - 1
    if len(before) < len(after) or before[:shared] != after[:shared]:
        return False
    if not (after[shared].isdecimal() and before[shared].isdecimal()):
        return False
    return 0 < int(after[shared]) - int(before[shared]) <= missing + 1


def _has_second(label: Label, ahead: Sequence[Label]) -> bool:
    """Whether the second of a numbering follows its first: 2. after 1., B after A."""
    seconds = {Reading(reading.form, reading.value + 1) for reading in label.readings}
    for later in ahead:
        if later.depth == label.depth and later.readings:
            if not seconds.isdisjoint(later.readings):
                return True
            if later.readings == label.readings:
                return False  # it begins again
    return False


def _count_fitting(open_ones: list[Reading], later: Sequence[tuple[Reading, ...]]) -> int:
    """Return how many labels in a row continue an open numbering or begin a new one."""
    for count, readings in enumerate(later):
        continued = (
            (at, reading)
            for at in range(len(open_ones) - 1, -1, -1)
            for reading in readings
            if relation(open_ones[at], reading) == "next"
        )
        first = next((reading for reading in readings if reading.is_first), None)
        at, reading = next(continued, (len(open_ones), first))
        is_open = at == len(open_ones) and reading and reading.form in {r.form for r in open_ones}
        if reading is None or is_open:
            return count
        open_ones[at:] = [reading]
    return len(later)
