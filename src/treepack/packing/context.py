"""What stands before a chunk's own text: breadcrumb line, repeated heading, reopened frames.

All of it follows from the place where the chunk begins, so it is known before the chunk is cut and
budgets are exact. When it would take more than half the cap, it is shortened in a fixed order:
overlap, outermost breadcrumb entries, long heading text. The body is never cut for it.
"""

from bisect import bisect_left, bisect_right
from functools import cached_property
from operator import attrgetter
from typing import Final, NamedTuple

from treepack.config import PackConfig
from treepack.document.blocks import Table
from treepack.document.clause_walk import clause_at
from treepack.document.tree import Document, Section, headings, path_to_content
from treepack.packing.frames import Frame, Part, resume, suspend
from treepack.packing.inventory import Inventory
from treepack.packing.rendering import Form, Label, Rendering, narrowed
from treepack.packing.units import Unit
from treepack.tokens import CountTo

SEPARATOR: Final = " > "
BLANK_LINE: Final = "\n\n"
_ELLIPSIS: Final = "…"
_LEAST_BODY: Final = 6  # tokens: a word, with what begins and ends its row


class Context(NamedTuple):
    """What goes before the body of a chunk that begins at a given place.

    Attributes:
        header: The breadcrumb line with its blank line; empty when there is nothing to say.
        parts: Repeated heading and reopened frames.
        body_start: Where the body goes on in the source behind the parts.
        prefix: The header and the parts as one text.
        count_to: Counts what would be embedded up to an end of the body, with what closes it.
        tokens: Tokens of the breadcrumb line with its blank line, and of the parts.
        glue: Tokens of a long heading or a table's header that the chunk begins with; the
            breadcrumb makes room for it as for a repeated one.
        overlap: Tokens that an overlap with its separator may take.
        room: Tokens that the breadcrumb may take, in whatever form it is shown.
        target: Tokens of a chunk up to which its own content is packed, context and all.
        cap: Tokens that a chunk of several units may have: room is left for the overlap.
    """

    header: str
    parts: tuple[Part, ...]
    body_start: int
    prefix: str
    count_to: CountTo
    tokens: int
    glue: int
    overlap: int
    room: int
    target: int
    cap: int

    @property
    def opening(self) -> str:
        """The parts as one text."""
        return self.prefix[len(self.header) :]


class ContextMaker:
    """Makes the context for any unit of one document.

    Args:
        document: The document.
        config: The limits.
        rendering: How a framework shows chunks; None when none does.
    """

    def __init__(
        self, document: Document, config: PackConfig, rendering: Rendering | None = None
    ) -> None:
        self.document = document
        self.config = config
        self.rendering = rendering
        self.reserve = rendering.reserve if rendering else 0
        self._shown: dict[tuple[Label, int], tuple[tuple[Form, ...], int]] = {}
        self.count = document.tokens.count_text
        self.half = config.max_tokens // 2
        self._latest: tuple[tuple[int, int, tuple[Frame, ...]], Context] | None = None
        self._plain: dict[tuple[int, int, tuple[Frame, ...]], Context] = {}
        self._lines: dict[tuple[str, int], tuple[str, int]] = {}
        separator = config.overlap_separator
        self._separator_tokens = self.count(BLANK_LINE * 2 + separator) if separator else 1

    def of(self, unit: Unit) -> Context:
        """The context of a chunk that begins with a unit."""
        key = (unit.start, unit.glued, unit.frames)
        if not unit.frames:
            context = self._plain.get(key)
            if context is None:
                context = self._plain[key] = self._make(unit)
            return context
        if self._latest is None or self._latest[0] != key:
            self._latest = (key, self._make(unit))
        return self._latest[1]

    def forget(self) -> None:
        """Let go of the contexts that were asked for; they are made anew if they are again."""
        self._latest = None
        self._plain.clear()

    def _make(self, unit: Unit) -> Context:
        start, frames, glue = unit.start, unit.frames, self._glue(unit)
        parts, body_start = resume(self.document.source, frames, start) if frames else ([], start)
        above = sections_above(self.document.root, start)
        taken = 0
        opening = "".join([part.text for part in parts])
        if parts:
            taken = self.count(opening + suspend(frames, start, start))
        if self.config.repeat_heading and above:
            parts, above, taken = self._repeat_heading(parts, above, taken)
            opening = "".join([part.text for part in parts])
        cap = self.config.max_tokens
        room = min(self.half, cap - max(_LEAST_BODY, cap // 8) - glue)
        header, tokens = self._line(above, room - taken)
        if self.rendering:
            _, shown = self._show(self._label(start, start + 1), room - taken)
            tokens = max(tokens, shown)
        overlap = 0
        if self.config.overlap_tokens and start > self.document.root.start:
            wanted = self.config.overlap_tokens + self._separator_tokens
            overlap = max(0, min(wanted, self.half - taken - tokens - glue))
        taken_in_all = tokens + taken
        return Context(
            header,
            tuple(parts),
            body_start,
            header + opening,
            self.document.tokens.opened(header + opening, body_start),
            taken_in_all,
            glue,
            overlap,
            room - taken,
            self.config.target_tokens + taken_in_all + glue,
            cap - overlap,
        )

    def shown(self, unit: Unit, end: int) -> tuple[Form, ...]:
        """What a framework puts around a chunk from a unit to ``end``; () without one."""
        if self.rendering is None:
            return ()
        return self._show(self._label(unit.start, end), self.of(unit).room)[0]

    def _label(self, start: int, end: int) -> Label:
        """What the record of a chunk will say of its place; all that is shown is said here."""
        assert self.rendering is not None, "a label is for a framework"
        path = path_to_content(self.document.root, start, end)
        clause = clause_at(self.document.clauses, start, end) if self.config.clauses else None
        table = bisect_right(self._tables, start, key=attrgetter("end"))
        is_there = table < len(self._tables) and self._tables[table].start < end
        return Label(
            (*self.rendering.above, *headings(path)),
            clause.number if clause else None,
            self._tables[table].caption or None if is_there else None,
        )

    @cached_property
    def _tables(self) -> list[Table]:
        return Inventory(self.document).tables

    def _show(self, label: Label, room: int) -> tuple[tuple[Form, ...], int]:
        """The forms with as much of a label as ``room`` takes, and the tokens they add."""
        assert self.rendering is not None, "only a framework shows labels"
        key = (label, room)
        if key not in self._shown:
            forms: tuple[Form, ...] = ()
            tokens = 0
            for less in narrowed(label):
                forms = self.rendering.forms(less)
                tokens = max(self.count(before + behind) for before, behind in forms) - self.reserve
                if tokens <= room:
                    break
            self._shown[key] = (forms, max(tokens, 0))
        return self._shown[key]

    def _glue(self, unit: Unit) -> int:
        index = self.document.tokens
        if unit.glued < 0 or index.estimate(unit.start, unit.glued) < self.half // 4:
            return 0
        tokens = index.count(unit.start, unit.glued)
        return tokens if self.half // 2 < tokens < self.config.max_tokens else 0

    def breadcrumb(self, sections: list[Section]) -> tuple[str, ...]:
        """The document's name and the headings of some sections."""
        names = [self.document.source.name] if self.document.source.name else []
        names.extend(s.heading.text for s in sections if s.heading and s.heading.text)
        return tuple(names)

    def _repeat_heading(
        self, parts: list[Part], above: list[Section], taken: int
    ) -> tuple[list[Part], list[Section], int]:
        heading = above[-1].heading
        assert heading is not None, "only the root has no heading, and it is above nothing"
        # The document may have been parsed with another encoding than it is packed with.
        taken_with_it = taken + self.document.tokens.count(heading.start, heading.end)
        if taken_with_it > self.half:
            return parts, above, taken
        text = self.document.source.text[heading.start : heading.end]
        repeated = [Part("heading", text, (heading.start, heading.end)), Part("glue", BLANK_LINE)]
        return [*repeated, *parts], above[:-1], taken_with_it

    def _line(self, above: list[Section], room: int) -> tuple[str, int]:
        """The breadcrumb line with its blank line within ``room`` tokens, and its tokens."""
        key = (above[-1].id if above else "", room)
        if key not in self._lines:
            self._lines[key] = self._fit_line(list(self.breadcrumb(above)), room)
        return self._lines[key]

    def _fit_line(self, names: list[str], room: int) -> tuple[str, int]:
        while names:
            header = SEPARATOR.join(names) + BLANK_LINE
            tokens = self.count(header)
            if tokens <= room:
                return header, tokens
            if len(names) == 1:
                return self._shorten(names[0], room)
            names = names[1:]
        return "", 0

    def _shorten(self, name: str, room: int) -> tuple[str, int]:
        """As much of a long heading as fits, cut at a word, with an ellipsis behind it."""
        words = name[: 8 * max(room, 0)].split(" ")  # no text of English averages 8 a token
        low, high = 0, len(words) - 1
        while low < high:
            middle = (low + high + 1) // 2
            text = " ".join(words[:middle]) + _ELLIPSIS + BLANK_LINE
            low, high = (middle, high) if self.count(text) <= room else (low, middle - 1)
        if not low:
            return "", 0
        header = " ".join(words[:low]) + _ELLIPSIS + BLANK_LINE
        return header, self.count(header)


def sections_above(root: Section, start: int) -> list[Section]:
    """The sections that ``start`` stands in, behind their headings, outermost first."""
    path: list[Section] = []
    below = root.sections
    while below:
        at = bisect_left(below, start, key=attrgetter("start")) - 1
        if at < 0 or below[at].end <= start:
            break
        heading = below[at].heading
        if heading and heading.end > start:
            break  # a heading that is cut is not above its own second half
        path.append(below[at])
        below = below[at].sections
    return path
