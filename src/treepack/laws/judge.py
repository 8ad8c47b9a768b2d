"""What each check takes: the reading, the chunks of one level, the limits, and the log."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from treepack.config import PackConfig
from treepack.laws.chunks import AuditedChunk
from treepack.laws.reading import Node, Place, Reading
from treepack.laws.report import Log
from treepack.model.blocks import CodeBlock, HtmlBlock, Table, children
from treepack.model.chunk import header_of
from treepack.sentences import sentence_splitter

SLACK: Final = 8
"""Tokens by which the audit is lenient when a law asks whether something would have fitted."""
SEPARATOR: Final = " > "
"""What is between the entries of a breadcrumb."""
BLANK_LINE: Final = "\n\n"
"""What ends a breadcrumb."""
LONGEST_TOKEN: Final = 64
"""Characters; a text with more of them for each token of the cap is too long, without a count."""
_LONGEST_LINE: Final = 80  # characters of several headings in a breadcrumb line
_LONGEST_QUOTE: Final = 48
_QUOTE_MARKERS: Final = re.compile(r"(?<=[\r\n])[ \t>]+")
_NO_BREAK: Final = "\u00a0"
_UNWRAPPED: Final = 200  # characters; nobody wrapped a text with a line of so many
_BREAKS: Final = re.compile(r"[\r\n]+(?=[^\r\n])")


def line_of(entries: Sequence[str]) -> str:
    """Return the breadcrumb line of headings: the last ones, as many as it may have."""
    while entries[1:] and len(SEPARATOR.join(entries)) > _LONGEST_LINE:
        entries = entries[1:]
    return SEPARATOR.join(entries)


@dataclass(eq=False)
class Audit:
    """A document with the chunks of one level.

    Attributes:
        reading: The document.
        chunks: The chunks.
        count: Counts tokens.
        config: The settings of the level; None if they are unknown.
        cap: The cap; None if it is unknown.
        log: Collects the findings.
    """

    reading: Reading
    chunks: Sequence[AuditedChunk]
    count: Callable[[str], int]
    config: PackConfig | None
    cap: int | None
    log: Log

    @cached_property
    def ordered(self) -> list[AuditedChunk]:
        """The chunks that hold some of the source, except those that are out of order."""
        chunks: list[AuditedChunk] = []
        for chunk in self.chunks:
            if chunk.spans and (not chunks or chunks[-1].end <= chunk.start):
                chunks.append(chunk)
        return chunks

    @cached_property
    def _starts(self) -> list[int]:
        return [chunk.start for chunk in self.ordered]

    def before(self, chunk: AuditedChunk) -> AuditedChunk | None:
        """Return the chunk whose body comes before that of a chunk, or None."""
        index = bisect_left(self._starts, chunk.start) - 1
        return self.ordered[index] if index >= 0 else None

    def chunks_with(self, block: Node) -> list[AuditedChunk]:
        """Return the chunks that hold some of a block, in order."""
        first = max(bisect_right(self._starts, block.start) - 1, 0)
        near = self.ordered[first : bisect_left(self._starts, block.end)]
        return [chunk for chunk in near if any(chunk.spans_within(block.start, block.end))]

    def find(self, law: int, chunk: AuditedChunk, reason: str, position: int | None = None) -> None:
        """Log a breach of a law by a chunk, at a position or else where its body begins."""
        if position is None and chunk.spans:
            position = chunk.start
        self.log.find(law, reason, position, chunk.number)

    # ---------------------------------------------------------------- sizes

    @cached_property
    def overlap(self) -> int:
        """The most tokens of the previous chunk that a chunk may repeat."""
        if self.config is None:
            return 0
        flat = self.config.flat_overlap_tokens
        is_flat = flat is not None and not self.reading.document.root.sections
        return (flat or 0) if is_flat else self.config.overlap_tokens

    def count_span(self, start: int, end: int) -> int:
        """Count the tokens of a span of the source, without its page marks."""
        return self.reading.document.tokens.count(start, end)

    def count_inside(self, place: Place, text: str) -> int:
        """Estimate the tokens of lines that are written inside the containers around a block."""
        count, lines = self.count(text) if text else 0, text.count("\n") + 1
        for holder in place.holders:
            start = holder.block.start
            first = next((each.block.start for each in holder.inside()), start)
            count += self.count(self.reading.text[start:first]) + lines * 2
        return count

    def is_above_half(self, tokens: int) -> bool:
        """Whether so many tokens may take more than half of the cap; False without a cap."""
        return self.cap is not None and 2 * (tokens + SLACK) > self.cap

    def sides(self, chunk: AuditedChunk) -> tuple[int, int]:
        """Count the tokens that a chunk repeats before its body ends, and that close it.

        Overlap does not count: no body is cut for it.
        """
        last = max((n for n, each in enumerate(chunk.segments) if each.role == "body"), default=-1)
        parts = chunk.segments[:last], chunk.segments[last + 1 :]
        repeated = (
            "\n".join([each.text for each in part if each.role not in {"body", "overlap"}])
            for part in parts
        )
        before, after = (self.count(text) if text.strip() else 0 for text in repeated)
        return before, after

    def line_tokens(self, chunk: AuditedChunk, start: int, end: int, *, own: bool = True) -> int:
        """Count the tokens of the breadcrumb line of a chunk of a span, or of its own if larger.

        A section needs no entry for itself; then ``own`` is False.
        """
        record = chunk.record
        if record is None:
            return 0
        headed = self.reading.headed(start, end)
        entries = [section.heading.text for section in headed if section.heading]
        entries += [name for _, name in self.reading.named(start)]
        entries = entries if own else entries[:-1]
        # The text may begin with the headings of the last entries, so each length is possible.
        lines = (line_of(entries[:depth]) + BLANK_LINE for depth in range(1, len(entries) + 1))
        tokens = max(map(self.count, lines), default=0)
        return max(tokens, self.count(header_of(record)) if own else 0)

    # ---------------------------------------------------------------- what stays together

    def lead_start(self, place: Place) -> int:
        """Return where the text begins that must share a chunk with a block's first character.

        That text includes the block's intro, and at the top level the headings above. Where it
        comes first in the block around it, it begins where it does for that block.
        """
        place = self._leading(place) or place
        if place.around is None:
            return self.reading.headings_start(place.block.start)
        if place.index == 0:
            return self.lead_start(place.around)
        return self.reading.line_start(place.block.start)

    def _leading(self, place: Place) -> Place | None:
        """Return what introduces a block, unless it takes half the cap: then it may be cut off."""
        minimum = self.config.min_tokens if self.config else 0
        leading = self.reading.leading(place, minimum)
        if leading is None or self.cap is None:
            return leading
        is_long = 2 * self.count_span(leading.block.start, leading.block.end) > self.cap
        return None if is_long else leading

    def opening(self, place: Place, start: int, *, with_unit: bool = False) -> str:
        """Return what stays together where a block, or its rest from ``start`` on, begins.

        That is the markers of items and quotes, a caption or an intro with the first character
        below it, a table's header or the fence of code; ``with_unit`` with the first row or line.
        """
        text, begin = self.reading.text, max(start, place.block.start)
        while inner := children(place.block):
            at = bisect_right(inner, start, key=lambda block: block.end)
            place = Place(inner, min(at, len(inner) - 1), place)
        block, after = place.block, place.sibling(1)
        if self.reading.ink(block.start) < begin:
            return ""
        if after and self._leading(after):
            rest = self.opening(after, after.block.start, with_unit=with_unit)
            return text[begin : after.block.start] + rest
        match block:
            case Table(rows=rows):
                return text[begin : rows[0][1] if rows and with_unit else block.header[1]]
            case CodeBlock(fence=fence):
                line = self.reading.line_span(block.start)[1]
                end = self.reading.line_span(self.reading.ink(line))[1] if with_unit else line
                return f"{text[begin:end]}\n{fence}"
            case _:
                return text[begin : block.start + 1]

    def sentence_starts(self, place: Place) -> list[list[int]]:
        """Return where the sentences of a text begin, by the settings' splitter and by the rules.

        Long sentences that another splitter finds are cut where the rules find ends. If a line is
        so long that nobody wrapped the text, each line begins a sentence.
        """
        start, end, ink = place.block.start, place.block.end, self.reading.ink

        def find() -> list[list[int]]:
            text = self.reading.text[start:end]
            if any(holder.block.kind == "quote" for holder in place.holders):
                text = _QUOTE_MARKERS.sub(lambda match: " " * len(match[0]), text)
            if text.count(_NO_BREAK) > text.count(" "):  # a converter uses them as spaces
                text = text.replace(_NO_BREAK, " ")
            chosen = self.config.sentence_splitter if self.config else "regex"
            lines = [match.end() for match in _BREAKS.finditer(text)]
            longest = max(map(len, _BREAKS.split(text)))
            if longest < _UNWRAPPED or isinstance(place.block, HtmlBlock):
                lines = []
            begins = (
                {*lines, *(begin for begin, _ in splitter.spans(text)[1:])}
                for splitter in map(sentence_splitter, dict.fromkeys([chosen, "regex"]))
            )
            return [[start, *sorted({ink(start + each) for each in found})] for found in begins]

        return self.reading.once("sentences", start, find)


def quoted(text: str) -> str:
    """Return a text on one line, in quotes, shortened if it is long."""
    words = " ".join(text[: 4 * _LONGEST_QUOTE].split())
    if len(words) > _LONGEST_QUOTE or len(text) > 4 * _LONGEST_QUOTE:
        words = words[: _LONGEST_QUOTE - 1] + "…"
    return f'"{words}"'
