"""Hierarchical greedy packing: the section tree becomes groups of units, each a chunk's body.

1. A section whose whole subtree fits the cap is one unit, never cut.
2. A section that does not fit gives its own content, then its children, in order.
3. Neighbouring units of one parent are packed greedily from the left: own content up to the target,
   whole child sections up to the cap. A child that had to be cut ends the run; the tail of one
   section never shares a chunk with a sibling of it.
4. A run of many groups is first parted at anchors, which the text alone makes; see `anchors`.
5. A group below the minimum takes from the group before it or joins it, or leads the child behind.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from operator import attrgetter
from typing import Final

from treepack.config import PackConfig
from treepack.document.blocks import Heading, Span
from treepack.document.clause_walk import clause_at
from treepack.document.tree import Document, Section
from treepack.packing.anchors import find_anchors
from treepack.packing.context import Context, ContextMaker
from treepack.packing.frames import Introduced, Row
from treepack.packing.sentences import SentenceFinder
from treepack.packing.sizes import Sizes
from treepack.packing.splitting import Splitter
from treepack.packing.units import Unit
from treepack.packing.words import TextCutter, trimmed
from treepack.sentences import sentence_splitter

Group = list[Unit]

# What cannot interrupt a paragraph: indented code, math, an ordered list that begins behind 1.
_LAZY: Final = re.compile(r"[ ]{4}|[ ]{0,3}(?:\t|\$\$|[0-9]*[02-9][.)])")
# In targets. Of 210 chunks without headings (rows, lines, items, sentences, paragraphs) a paragraph
# in front moves 2 to 6 in the mean with 2, where chunks are 7 to 9 % smaller than greedy ones, and
# 2 to 9 with 3, where they are 4 to 6 % smaller.
_ANCHOR_RADIUS: Final = 2


class Grouper:
    """Groups the units of one document.

    Args:
        document: What to pack.
        config: The limits.
        contexts: Makes the context of any place in the document.
        walls: Offsets, in order, that no group may reach across: where the parents begin.
    """

    def __init__(
        self,
        document: Document,
        config: PackConfig,
        contexts: ContextMaker,
        walls: Sequence[int] = (),
    ) -> None:
        self.document = document
        self.config = config
        self.contexts = contexts
        self.sizes = Sizes(document.tokens, config, contexts, walls)
        self.index = document.tokens
        keep = {"table"} if config.oversize_table == "keep" else set[str]()
        keep |= {"code"} if config.oversize_code == "keep" else set[str]()
        finder = SentenceFinder(document.source, sentence_splitter(config.sentence_splitter))
        cutter = TextCutter(finder, self.sizes)
        self.splitter = Splitter(document.source, self.index, cutter, frozenset(keep))
        self.clauses = document.clauses if config.clauses else ()
        self.groups: list[Group] = []

    def group(self) -> list[Group]:
        """All groups, in source order; of each the first and the last unit at least."""
        root = self.document.root
        if root.start < root.end:
            whole = Unit(root.start, root.end)
            if self.config.sections == "pack" and self.sizes.fits([whole]):
                return [[whole]]
            self._section(root, None)
        return self.groups

    # ---------------------------------------------------------------- sections

    def _section(self, section: Section, lead: int | None) -> None:
        """Pack a section that does not fit as a whole.

        Args:
            section: The section.
            lead: Where text begins that goes before it into its first chunk; None for none.
        """
        run, is_bare = self._own_content(section, lead)
        for child in section.sections:
            if self._take_whole(run, child, is_bare=is_bare):
                is_bare = is_bare and not _has_content(child)
                continue
            self._section(child, self._lead_of(section, run, child, is_bare=is_bare))
            run, is_bare = [], False
        self._finish(run)

    def _own_content(self, section: Section, lead: int | None) -> tuple[list[Group], bool]:
        """The groups of a section's own content, and whether the last is headings alone."""
        heading = section.heading
        start = heading.start if lead is None and heading else lead
        units = self.splitter.units(section.blocks, begun=start)
        if heading and start is not None:
            if not units:
                return [[unit] for unit in self._headings(start, heading, is_alone=True)], True
            first = units[0].with_glue(start)
            if self._has_room(first, heading.end):
                units[0] = first
            else:
                units = self._under_long_headings(start, heading, units)
        if units and self.config.sections == "separate":
            whole = [units[0], units[-1]]
            if self.sizes.fits(whole):
                return [whole], False
        return self._greedy(units), False

    def _headings(self, start: int, last: Heading, *, is_alone: bool) -> list[Unit]:
        """Units of the headings from ``start`` to the last one, as many in each as a chunk holds.

        Only a heading that fits no chunk is cut. Unless the headings are alone, the last unit
        leaves room for some of what it heads.
        """
        done: list[Unit] = []
        unit: Unit | None = None
        for begin, end in self._heading_spans(start, last):
            leaves_room = end == last.end and not is_alone
            longer = self.splitter.text_unit(unit.start if unit else begin, end)
            if unit and not self._holds(longer, leaves_room=leaves_room):
                done.append(unit)
                longer = self.splitter.text_unit(begin, end)
            if not self._holds(longer, leaves_room=leaves_room):
                *pieces, longer = self.splitter.open(longer) or [longer]
                done += pieces
            unit = longer
        assert unit is not None, "there is a last heading"
        return [*done, unit]

    def _heading_spans(self, start: int, last: Heading) -> Iterator[Span]:
        """What begins at ``start``, a heading or the text before one, and each heading after it."""
        first = bisect_right(self._heading_starts, start)
        behind = bisect_right(self._heading_starts, last.start)
        starts = [start, *self._heading_starts[first:behind]]
        for begin, following in pairwise(starts):
            yield begin, trimmed(self.document.source.text, begin, following)
        yield starts[-1], last.end

    @cached_property
    def _heading_starts(self) -> list[int]:
        return [each.heading.start for each in self.document.root.walk() if each.heading]

    def _holds(self, headings: Unit, *, leaves_room: bool) -> bool:
        if leaves_room:
            return self._has_room(headings, headings.end)
        return self.sizes.fits([headings])

    def _under_long_headings(self, start: int, last: Heading, units: list[Unit]) -> list[Unit]:
        """The units of headings that leave no room together; the first block goes with the last.

        Unless the block begins on the next line and would be read as part of what is left of a
        heading that was cut, which is a paragraph.
        """
        *headings, nearest = self._headings(start, last, is_alone=False)
        source = self.document.source
        is_heading = nearest.start <= last.start
        is_apart = source.line_at(units[0].start) - source.line_at(last.end - 1) > 1
        if is_heading or is_apart or not _LAZY.match(source.text, units[0].start):
            return [*headings, units[0].with_glue(nearest.start), *units[1:]]
        return [*headings, nearest._replace(is_torn=True), *units]

    def _take_whole(self, run: list[Group], child: Section, *, is_bare: bool) -> bool:
        """Add a child as one unit, to the last group or as a new one, if it fits whole."""
        if self.config.sections == "separate" and child.sections and _has_content(child):
            return False
        unit = Unit(child.start, child.end)
        if (
            run
            and (is_bare or self.config.sections == "pack")
            and self.sizes.fits([*run[-1], unit])
        ):
            if is_bare:
                run[-1] = [Unit(run[-1][0].start, unit.end)]  # never to be parted again
            else:
                run[-1].append(unit)
            return True
        if is_bare or not self.sizes.fits([unit]):
            return False
        if self.config.sections == "separate":
            self._finish(run)
            run.clear()
        run.append([unit])
        return True

    def _lead_of(
        self, section: Section, run: list[Group], child: Section, *, is_bare: bool
    ) -> int | None:
        """Finish the run before a child that must be cut; what is left over leads the child.

        Headings alone lead, for a heading shares its chunk with the first of what it heads; those
        of other children only where the child's first headings fit behind them. A crumb leads when
        it fits before the child's heading and first block.
        """
        lead: int | None = None
        if is_bare and (child is section.sections[0] or self._may_lead(run[-1][0].start, child)):
            lead = run.pop()[0].start
        else:
            self._even_out(run)
            if len(run) == 1 and self.sizes.is_crumb(run[0]) and child.blocks:
                first = run[0][0]._replace(end=child.blocks[0].end)
                if self.config.sections == "pack" and self.sizes.fits([first]):
                    lead = run.pop()[0].start
        self._finish(run)
        return lead

    def _may_lead(self, start: int, section: Section) -> bool:
        """Whether headings from ``start`` on and those that begin the section behind fit a chunk.

        With room for some of what they head.
        """
        while not section.blocks and section.sections:
            section = section.sections[0]
        heading = section.heading
        return heading is None or self._has_room(Unit(start, heading.end), heading.end)

    def _has_room(self, unit: Unit, end: int) -> bool:
        """Whether a unit's text up to ``end``, its headings, leaves room in the cap."""
        room = self.config.max_tokens - max(2, self.config.max_tokens // 8)
        return self.index.count(unit.start, end) <= room - self.contexts.of(unit).tokens

    # ---------------------------------------------------------------- groups

    def _greedy(self, units: list[Unit]) -> list[Group]:
        """Pack units from the left, opening those that fit no chunk of their own.

        Before an anchor a group ends, whether it is full or not.
        """
        if not units:
            return []
        done: list[Group] = []
        run: list[Group] = []
        stack = units[::-1]
        current: Group = []
        context = self.contexts.of(units[0])
        anchors = self._anchors(units)
        while stack:
            unit = stack.pop()
            if current and unit.start in anchors:
                run.append(current)
                self._even_out(run)
                done.extend(run)
                run, current = [], []
            if current and self._may_add(current, context, unit):
                current.append(unit)
            elif (
                not unit.is_kept
                and not self.sizes.fits([unit])
                and (subs := self.splitter.open(unit))
            ):
                stack.extend(reversed(subs))
                anchors |= self._anchors(subs)
            elif current and (kept := self._up_to_clause(current, unit)) < len(current):
                run.append(current[:kept])
                stack.extend((unit, *reversed(current[kept:])))
                current = []
            else:
                if current:
                    run.append(current)
                current = [unit]
                context = self.contexts.of(unit)
        if current:
            run.append(current)
        return [*done, *run]

    def _anchors(self, units: list[Unit]) -> set[int]:
        radius = _ANCHOR_RADIUS * self.config.target_tokens
        text = self.document.source.text
        return find_anchors(units, text, self.index, radius)

    def _up_to_clause(self, current: Group, unit: Unit) -> int:
        """How many units a group keeps before a unit that it has no room for.

        All of them, but for the beginning of a clause that goes on in the unit and fits a chunk of
        its own: that goes with the rest of the clause, if the group is half full without it.
        """
        clause = clause_at(self.clauses, unit.start, unit.start + 1)
        if clause is None or not current[0].start < clause.start < unit.start:
            return len(current)
        kept = bisect_left(current, clause.start, key=attrgetter("start"))
        size = self.index.estimate(clause.start, clause.end)
        left = self.index.estimate(current[0].start, clause.start)
        is_whole = kept < len(current) and current[kept].start == clause.start
        may_part = is_whole and self._may_share(current[kept], unit)
        is_better = 2 * left >= self.config.target_tokens and size <= self.config.target_tokens
        return kept if may_part and is_better else len(current)

    def _may_add(self, current: Group, context: Context, unit: Unit) -> bool:
        if not self._may_share(current[-1], unit) or self.sizes.crosses(current[0].start, unit.end):
            return False
        size = self.sizes.size(context, current[0], unit)
        return size <= context.cap and (size <= context.target or self.sizes.is_crumb(current))

    def _finish(self, run: list[Group]) -> None:
        self._even_out(run)
        if not self.config.overlap_tokens:  # which alone asks for what is between
            for group in run:
                del group[1:-1]
        self.groups.extend(run)

    def _even_out(self, run: list[Group]) -> None:
        """Let the last group take from the one before it, or join it, when it is too small."""
        if not run[1:] or not self.sizes.is_crumb(run[-1]):
            return
        last, before = run[-1], run[-2]
        if self._may_share(before[-1], last[0]) and self.sizes.fits([*before, *last]):
            run[-2:] = [[*before, *last]]
            return
        while self._may_move(before, last):
            last.insert(0, before.pop())

    def _may_move(self, before: Group, last: Group) -> bool:
        if not before[1:] or not self._may_share(before[-1], last[0]) or before[-1].is_kept:
            return False
        return self.sizes.is_crumb(last) and self.sizes.fits([before[-1], *last])

    def _may_share(self, before: Unit, unit: Unit) -> bool:
        """A row that is cut by cells shares its chunks with no other row of its table.

        What follows a torn table on the next line would become a part of it. A table that is cut
        and stands apart from its caption begins a chunk, so that the caption can stand above it.
        """
        if before.is_torn and not unit.is_torn:
            source = self.document.source
            return source.line_at(unit.start) - source.line_at(before.end - 1) > 1
        if before.frames is unit.frames:  # as for most: none, or the same code or table
            return True
        if any(
            isinstance(frame, Introduced) and frame.is_apart and before.end <= frame.start
            for frame in unit.frames
        ):
            return False
        row_before, row = _cut_row(before), _cut_row(unit)
        if row_before is not None or row is None:
            return row_before is row
        table = unit.frames[unit.frames.index(row) - 1]
        return before.end <= table.start


def _cut_row(unit: Unit) -> Row | None:
    return next((frame for frame in unit.frames if isinstance(frame, Row)), None)


def _has_content(section: Section) -> bool:
    return any(inner.blocks for inner in section.walk())
