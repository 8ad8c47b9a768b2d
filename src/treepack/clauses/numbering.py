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
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import takewhile
from typing import Final, NamedTuple

from treepack.clauses.labels import NEAR, Label, Reading, next_of, relation
from treepack.clauses.naming import OPEN_ENDS
from treepack.numbers.nesting import Series, SeriesOrder, outline_numbers
from treepack.numbers.words import CITED_BY_NUMBER, DIVISIONS

DIVISIONS_AND_ANNEX: Final = frozenset({*DIVISIONS, "annex"})
_NEUTRAL_KINDS: Final = frozenset({"decimal", "letter", "roman"})  # a how-to has such headings too
_CONTRACT_WORDS: Final = frozenset({"schedule", "exhibit"})  # an annex may also belong to a how-to
_FIRST_PARTS: Final = frozenset({"0", "1", "01"})
_MOST_AHEAD: Final = 40  # labels that are read ahead; the longest lists of the corpus have 30
_MOST_MISSING: Final = 1  # numbers that a law may have repealed between two


class Place(NamedTuple):
    """Where a label belongs: the open clauses from index ``at`` on end, and it is the next one.

    Attributes:
        at: An index in the stack.
        reading: How the label reads there; None if it is not relative.
        is_clause: Whether it is a clause, not the item of a hidden list.
    """

    at: int
    reading: Reading | None = None
    is_clause: bool = True


class Numbering:
    """The open clauses of a document, outermost first, and the label that comes next.

    Args:
        text: The document's text.
        labels: The labels of all headings and texts, in source order.
    """

    def __init__(self, text: str, labels: Sequence[Label]) -> None:
        self.stack: list[Label] = []
        self.main: Reading | None = None  # the last number that only divisions contain
        self._text = text
        self._labels = labels
        self._starts = [label.start for label in labels]
        self.is_act = any(each.is_on_line and self._is_point(each) for each in labels)
        headings = [label.number for label in labels if label.heading]
        self._headings = {number.parts for number in headings if number.kind == "decimal"}
        kinds = {number.kind for number in headings}
        self._is_law = self.is_act or not kinds.isdisjoint(CITED_BY_NUMBER)

    def place(self, label: Label, is_legal: Callable[[], bool]) -> Place | None:
        """Return where a label of a text belongs, or None if it is no clause.

        Whether the text around it is that of a law or contract is asked of ``is_legal``.
        """
        if label.readings:
            return self._place_relative(label, is_legal)
        if label.number.kind != "decimal":
            return self._place_named(label)
        is_mention = label.number.parts in self._headings  # as in a table of contents
        is_in_annex = any(entry.number.kind == "annex" for entry in self.stack)
        return None if is_mention and not is_in_annex else self._place_decimal(label)

    def _ahead(self, label: Label) -> Sequence[Label]:
        """Return the labels after one, up to the next heading with a number."""
        first = bisect_left(self._starts, label.start) + 1
        ahead = self._labels[first : first + _MOST_AHEAD]
        heading = next((at for at, later in enumerate(ahead) if later.heading), len(ahead))
        return ahead[: heading + 1]

    # ---------------------------------------------------------------- (3), a), ii.

    def _place_relative(self, label: Label, is_legal: Callable[[], bool]) -> Place | None:
        """Place ``(3)``, ``a)`` or ``ii.``: it continues an open numbering or begins a deeper."""
        top = len(self.stack)
        while top and self.stack[top - 1].depth > label.depth:
            top -= 1
        places: dict[str, list[Place]] = {"next": [], "same": [], "later": [], "no": []}
        for at in range(top - 1, -1, -1):
            entry = self.stack[at]
            if entry.reading and entry.depth == label.depth:
                for reading in label.readings:
                    place = Place(at, reading, entry.index >= 0)
                    places[relation(entry.reading, reading)].append(place)
        found = places["next"]
        resumed = None if found else self._resumed(label)
        found += [resumed] if resumed else places["same"]
        if first := _first_of(label.readings):
            found += self._beginnings(label, first, top, is_legal)
        found = found or places["later"]
        return self._likeliest(label, found) if found[1:] else found[0] if found else None

    def _resumed(self, label: Label) -> Place | None:
        """Return the place of the number after the main one, whose clause may have ended.

        Headings end the clauses of the text above, and a Part may begin; clause 7 follows 6 still.
        """
        before, reading = self.main, label.readings[0]
        is_step = label.depth or label.number.parts in self._headings
        if is_step or before is None or reading.form != before.form:
            return None
        at = 0
        while at < len(self.stack) and self.stack[at].number.kind in DIVISIONS_AND_ANNEX:
            at += 1
        is_next = 0 < reading.value - before.value <= _MOST_MISSING + 1
        return Place(at, reading) if is_next else None

    def _beginnings(
        self, label: Label, first: Reading, top: int, is_legal: Callable[[], bool]
    ) -> list[Place]:
        """Return the places where a numbering may begin: again instead of an open one, or deeper.

        A list in the form of the numbering around it needs a text that introduces it. Without one
        it is a list of notes.
        """
        if not self._may_begin(label, top, is_legal):
            hidden = (at for at in range(top) if self.stack[at].restarts_as(first, label.depth))
            return [Place(next(hidden, top), first, is_clause=False)]
        for at in range(top - 1, -1, -1):
            reading = self.stack[at].reading
            if reading is None:
                break
            if self.stack[at].depth == label.depth and reading.form == first.form:
                start = max(self.stack[-1].start, label.start - NEAR)
                before = self._text[start : label.start].rstrip(" \t\r\n*_")
                is_introduced = before[-1:] in OPEN_ENDS
                inner = top if is_introduced else at + 1
                return [Place(at, first), Place(inner, first, is_introduced)]
        return [Place(top, first)]

    def _may_begin(self, label: Label, top: int, is_legal: Callable[[], bool]) -> bool:
        """Whether ``1.`` or ``(a)`` may begin clauses: in a law, not in the steps of a how-to."""
        at = top - 1  # points are as legal as the clause around them
        while at >= 0 and self.stack[at].index >= 0 and self.stack[at].reading:
            at -= 1
        above = self.stack[at] if at >= 0 else None
        if above and above.index < 0:
            return False
        is_number = label.number.kind == "paragraph"
        is_step = is_number and label.number.label[0] != "("
        is_neutral = above and above.heading and is_step and above.number.kind in _NEUTRAL_KINDS
        is_law = top > 0 and not is_neutral
        if above and above.number.kind in DIVISIONS_AND_ANNEX:
            is_law = self._is_law or above.number.word in _CONTRACT_WORDS
        if is_law and not label.is_doubtful:
            return True
        ahead = self._ahead(label)
        if is_number and ahead and ahead[0].is_on_line and self._is_point(ahead[0]):
            return True  # "1.—(1) The"
        if not _has_second(label, ahead):
            return False
        is_outer = above or is_number or label.number.label.isupper()  # (A) Whereas
        return is_law or (bool(is_outer) and is_legal())

    def _is_point(self, label: Label) -> bool:
        return not label.is_doubtful or _has_second(label, self._ahead(label))

    def _likeliest(self, label: Label, places: Sequence[Place]) -> Place:
        """Return the place that most of the labels ahead fit; in a tie, the first."""
        inside = takewhile(lambda other: other.depth >= label.depth, self._ahead(label))
        later = [each.readings for each in inside if each.depth == label.depth and each.readings]
        outer = [entry.reading if entry.depth == label.depth else None for entry in self.stack]
        counts = [
            _count_fitting([r for r in (*outer[: place.at], place.reading) if r], later)
            for place in places
        ]
        return places[counts.index(max(counts))]

    # ---------------------------------------------------------------- 5.1.2 and Article 5

    def _place_decimal(self, label: Label) -> Place | None:
        """Place ``5.1.2``: below 5.1, or after 5.1.1, or as the first of a new numbering.

        A first one is mostly a quantity. Numbers without a text may be the cells of a broken table,
        or label the axis of a chart.
        """
        parts = label.number.parts
        is_first = parts[-1] in _FIRST_PARTS
        above = [entry.number.parts for entry in self.stack]
        below = [at for at, entry in enumerate(self.stack) if _is_below(entry, parts)]
        after = [at for at, before in enumerate(above) if _follows(before, parts)]
        if below or after:
            is_next = any(len(above[index]) == len(parts) for index in after)
            is_sure = is_next or not label.is_doubtful or (is_first and self._continues(label))
            return Place(below[-1] + 1 if below else after[0]) if is_sure else None
        needs_next = label.is_alone or not self.stack
        if label.is_doubtful or not is_first or (needs_next and not self._continues(label)):
            return None
        at = len(self.stack)
        while at and not (self.stack[at - 1].heading or self.stack[at - 1].number.word):
            at -= 1
        readings = [entry.reading for entry in self.stack[at:] if entry.reading]
        wholes = [reading.value for reading in readings if reading.form.endswith("number")]
        return None if wholes and parts[0] != str(wholes[-1] + 1) else Place(at)

    def _continues(self, label: Label) -> bool:
        """Whether a dotted number is continued later: 3.2 or 3.1.1 after 3.1."""
        parts, missing = label.number.parts, 0 if label.is_alone else _MOST_MISSING
        later = (after.number.parts for after in self._ahead(label))
        return any(
            _follows(parts, after, missing) or (after[: len(parts)] == parts != after)
            for after in later
        )

    def _place_named(self, label: Label) -> Place | None:
        """Place ``Article 5``: it ends the clauses whose word does not rank above its own."""
        at = len(self.stack)
        while at and self._is_ended_by(self.stack[at - 1], label):
            at -= 1
        return Place(at)

    def _is_ended_by(self, entry: Label, label: Label) -> bool:
        above, kind = entry.number, label.number.kind
        if above.is_relative or above.kind == "decimal":
            return above.is_relative or not entry.heading
        if "annex" in {kind, above.kind}:
            return kind == "annex"
        series, order = self._ranks
        outer, inner = series[entry.start], series[label.start]
        return outer == inner or not order.is_likely_above(outer, inner)

    @cached_property
    def _ranks(self) -> tuple[Mapping[int, Series], SeriesOrder]:
        """The series of each named number, by its start, and the rank of the series."""
        named = {label.start: label.number for label in self._labels if not label.readings}
        numbers = outline_numbers([*named.values()])
        series = {at: n.series for at, n in zip(named, numbers, strict=True) if n}
        return series, SeriesOrder(numbers)


def _is_below(entry: Label, parts: tuple[str, ...]) -> bool:
    """Whether a dotted number continues the number of an open clause: ``1.1`` below ``1.``."""
    prefix = entry.number.parts
    if entry.number.kind == "annex" and prefix[0].isdigit():
        return False  # 5.1 does not belong to Annex 5
    can_continue = entry.is_main or not entry.reading
    return can_continue and len(prefix) < len(parts) and parts[: len(prefix)] == prefix


def _follows(before: tuple[str, ...], after: tuple[str, ...], missing: int = _MOST_MISSING) -> bool:
    """Whether a dotted number follows another: 5.1.3 or 5.2 after 5.1.2."""
    last = len(after) - 1
    if last >= len(before) or before[:last] != after[:last]:
        return False
    are_numbers = after[last].isdecimal() and before[last].isdecimal()
    return are_numbers and 0 < int(after[last]) - int(before[last]) <= missing + 1


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
        for at in range(len(open_ones) - 1, -1, -1):
            follower = next_of(open_ones[at], readings)
            if follower:
                open_ones[at:] = [follower]
                break
        else:
            first = _first_of(readings)
            if first is None:
                return count
            open_ones.append(first)
    return len(later)


def _first_of(readings: Sequence[Reading]) -> Reading | None:
    return next((reading for reading in readings if reading.is_first), None)
