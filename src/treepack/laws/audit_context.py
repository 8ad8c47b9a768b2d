"""What the checks look at, and the log of what they find."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, TypeVar, cast

from treepack.clauses.clause import breadcrumb_clauses
from treepack.errors import check_choice
from treepack.laws.chunks import AuditedChunk
from treepack.laws.reading.blocks import AuditBlock, AuditSection
from treepack.laws.reading.parsed_source import ParsedSource
from treepack.laws.reading.tables import SourceTable
from treepack.laws.report import LAWS, AuditReport, Finding, LawResult
from treepack.model.chunk import header_of

T = TypeVar("T")

LONGEST_TOKEN: Final = 64
"""Of a token. A text with more characters per token of the cap is too long and is not counted."""
_LONGEST_QUOTE: Final = 48
SLACK: Final = 8
"""Tokens by which the audit is lenient when a law asks whether something would have fitted."""
SEPARATOR: Final = " > "
"""What is between the entries of a breadcrumb."""
BLANK_LINE: Final = "\n\n"
"""What ends a breadcrumb."""
_UNITS: Final = {
    1: "body spans",
    2: "chunks",
    3: "chunks",
    4: "chunks",
    5: "tables",
    6: "code blocks",
    7: "blocks",
    8: "headings",
    9: "boundaries",
}


@dataclass(eq=False)
class AuditLimits:
    """The settings that the chunks were made with.

    Attributes:
        max_tokens: The cap; None if it is unknown.
        overlap_tokens: The most tokens of the previous chunk that a chunk may repeat.
        keep_tables: Whether tables above the cap stay whole.
        keep_code: Whether code blocks above the cap stay whole.
        sections: ``separate`` if each section has chunks of its own.
    """

    max_tokens: int | None
    overlap_tokens: int
    keep_tables: bool
    keep_code: bool
    sections: Literal["pack", "separate"]

    def __post_init__(self) -> None:
        check_choice("sections", self.sections, ("pack", "separate"))


@dataclass(eq=False)
class AuditContext:
    """A document with its chunks.

    Attributes:
        source: The document, as the audit itself reads it.
        chunks: The chunks, as spans of the document.
        count: Counts tokens.
        limits: The settings.
        log: Collects the findings.
    """

    source: ParsedSource
    chunks: Sequence[AuditedChunk]
    count: Callable[[str], int]
    limits: AuditLimits
    log: "Log"

    def __post_init__(self) -> None:
        self._token_counts: dict[tuple[int, int], int] = {}
        self._cached: dict[tuple[object, int], object] = {}

    def add_finding(
        self, law: int, chunk: AuditedChunk, reason: str, position: int | None = None
    ) -> None:
        """Log a breach of a law by a chunk, at a position or else where its body begins."""
        if position is None and chunk.spans:
            position = chunk.start
        self.log.add_finding(law, reason, position, chunk.index)

    @cached_property
    def ordered_chunks(self) -> list[AuditedChunk]:
        """The chunks that hold some of the source, except those that are out of order."""
        chunks: list[AuditedChunk] = []
        for chunk in self.chunks:
            if chunk.spans and (not chunks or chunks[-1].end <= chunk.start):
                chunks.append(chunk)
        return chunks

    @cached_property
    def starts(self) -> list[int]:
        """The offset at which each chunk's body in `ordered_chunks` begins."""
        return [chunk.start for chunk in self.ordered_chunks]

    def chunks_with(self, block: AuditBlock) -> list[AuditedChunk]:
        """Return the chunks that hold some of a block, in order."""
        first = max(bisect_right(self.starts, block.start) - 1, 0)
        near = self.ordered_chunks[first : bisect_left(self.starts, block.end)]
        return [chunk for chunk in near if any(chunk.spans_within(block.start, block.end))]

    def sections_in_text(self, chunk: AuditedChunk) -> list[AuditSection]:
        """Return the sections whose heading, or a part of it, is in a chunk's text."""
        sections: list[AuditSection] = []
        for start, end in [*chunk.context_spans, *chunk.spans]:
            section = self.source.section_at(start)
            if section and section.heading.start < end and start < section.heading.end:
                sections.append(section)
            sections += self.source.sections_between(start + 1, end)
        return sections

    def count_span(self, start: int, end: int) -> int:
        """Count the tokens of a span of the source; counts are cached."""
        if (start, end) not in self._token_counts:
            self._token_counts[start, end] = self.count(self.source.text[start:end])
        return self._token_counts[start, end]

    def exceeds_share(self, tokens: int, share: float = 1 / 2, slack: float = SLACK) -> bool:
        """Whether this many tokens may exceed a share of the cap; False without a cap.

        What a piece repeats may be left out if it takes half of the cap.
        """
        cap = self.limits.max_tokens
        return cap is not None and tokens + slack > cap * share

    def count_inside(self, containers: Sequence[AuditBlock], text: str) -> int:
        """Count the tokens of a text repeated inside containers, with their markers."""
        return self.count(self.source.inside(containers, text)) if text or containers else 0

    def read_cached(self, reader: Callable[[str, AuditBlock], T], block: AuditBlock) -> T:
        """Return what a reader makes of a block; results are cached."""
        key = (reader, id(block))
        if key not in self._cached:
            self._cached[key] = reader(self.source.text, block)
        return cast("T", self._cached[key])

    def table(self, block: AuditBlock) -> SourceTable:
        """Return a table block with its cells read."""
        return self.read_cached(SourceTable, block)

    def captions(self, table: AuditBlock) -> tuple[str, ...]:
        """Return a table's caption as a reader sees it and as written; empty without a caption."""
        caption, span = table.table.caption, table.table.caption_span
        if not caption:
            return ()
        html = self.table(table).html
        span = html.caption if html is not None and span is None else span
        return caption, self.source.text[slice(*span)] if span else caption

    def repeated_tokens(self, chunk: AuditedChunk) -> int:
        """Count the tokens of a chunk besides its body, without overlap.

        Overlap only fills room that is left over: no body is cut for it.
        """
        return sum(self.tokens_by_side(chunk))

    def tokens_by_side(self, chunk: AuditedChunk) -> tuple[int, int]:
        """Like `repeated_tokens`, split in two: before the body ends, and after it (closing)."""
        before: list[str] = []
        after: list[str] = []  # after the last body so far
        for part in chunk.record.segments if chunk.record else ():
            if part.role == "body":
                before, after = before + after, []
            elif part.role != "overlap" and part.text.strip():
                after.append(part.text)
        above, below = ("\n".join(texts) for texts in (before, after))
        return self.count(above) if above else 0, self.count(below) if below else 0

    @cached_property
    def _repeats_headings(self) -> bool:
        """Whether chunks repeat the heading of their section, as far as the chunks show.

        False only if no chunk does so although some could: a chunk with much else to repeat may
        leave the heading out, which proves nothing.
        """
        is_refuted = False
        for chunk in self.ordered_chunks:
            section = self.source.section_at(chunk.start)
            if chunk.record is None or section is None or section.heading.end > chunk.start:
                continue
            segment, heading = chunk.record.segments[0], section.heading
            if segment.role == "heading" and segment.span and segment.span[0] == heading.start:
                return True
            tokens = self.count_span(heading.start, heading.end) + self.repeated_tokens(chunk)
            is_refuted = is_refuted or not self.exceeds_share(tokens, 1 / 4, slack=0)
        return not is_refuted

    def heading_tokens(self, start: int, repeated: int) -> int:
        """Count the tokens of the heading that a chunk beginning at ``start`` would repeat.

        A heading is not repeated if it takes more than half the cap together with the ``repeated``
        tokens below it, such as a fence or a table's header. Item markers are not among these
        tokens, because they may be in the chunk's own text.
        """
        section = self.source.section_at(start) if self._repeats_headings else None
        if section is None or section.heading.end > start:
            return 0
        tokens = self.count_span(section.heading.start, section.heading.end)
        return 0 if self.exceeds_share(tokens + repeated, slack=0) else tokens

    def breadcrumb_tokens(
        self, chunk: AuditedChunk, start: int, end: int, *, is_section: bool
    ) -> int:
        """Count the tokens of the breadcrumb that a chunk of exactly this span would have.

        Args:
            chunk: A chunk of the document; its record has the document's name.
            start: Where the span begins.
            end: Where it ends.
            is_section: Whether the span is a section, which needs no entry for itself.
        """
        record = chunk.record
        if record is None:
            return 0
        entries = [record.document] if record.document in record.breadcrumb[:1] else []
        section = self.source.section_at(start)
        path = [above for above in (section.path if section else ()) if above.end >= end]
        entries += [above.title for above in path[: len(path) - is_section]]
        if record.clauses or record.clause_number:  # otherwise clauses were not looked for
            clauses = breadcrumb_clauses(self.source.clauses.around(start))
            entries += [
                clause.name for clause in clauses if clause.end >= end and not clause.is_heading
            ]
        if not entries:
            return 0
        line = SEPARATOR.join(entries) + BLANK_LINE
        return max(self.count(line), 0 if is_section else self.count(header_of(record)))

    def context_tokens(self, chunk: AuditedChunk, start: int) -> int:
        """Count the breadcrumb, context and overlap tokens for a chunk beginning at ``start``."""
        line = self.breadcrumb_tokens(chunk, start, start + 1, is_section=False)
        overlap = self.limits.overlap_tokens
        return self.repeated_tokens(chunk) + line + (overlap + SLACK if overlap else 0)


class Log:
    """Collects findings and counts while the laws are checked."""

    def __init__(self, document: str, line_of: Callable[[int], int]) -> None:
        self._document = printable(document)
        self._line_of = line_of
        self._findings: list[Finding] = []
        self._laws_and_chunks: set[tuple[int, int | None]] = set()
        self._checked: Counter[int] = Counter()
        self._unchecked: dict[int, dict[str, int]] = {}

    def count_checked(self, law: int, number: int = 1) -> None:
        """Add to the number of things that were checked against a law."""
        self._checked[law] += number

    def note_unchecked(self, law: int, reason: str) -> None:
        """Record that a law was not checked, or only in part, and why."""
        self._unchecked.setdefault(law, {})[f"not checked: {reason}"] = 1

    def add_finding(
        self, law: int, reason: str, position: int | None, chunk_index: int | None = None
    ) -> None:
        """Record a breach."""
        line = None if position is None else self._line_of(position)
        finding = Finding(
            law=law, document=self._document, line=line, chunk=chunk_index, reason=printable(reason)
        )
        self._findings.append(finding)
        self._laws_and_chunks.add((law, chunk_index))

    def has_finding(self, law: int, chunk_index: int) -> bool:
        """Whether a breach of this law by this chunk is already recorded."""
        return (law, chunk_index) in self._laws_and_chunks

    def report(self, chunk_count: int) -> AuditReport:
        """Return everything that was recorded as the report of one document."""
        breaches = Counter(finding.law for finding in self._findings)
        laws = tuple(
            LawResult(
                law=law,
                unit=_UNITS[law],
                checked=self._checked[law],
                findings=breaches[law],
                unchecked=self._unchecked.get(law, {}),
            )
            for law in LAWS
        )
        ordered = sorted(self._findings, key=lambda finding: finding.law)
        return AuditReport(documents=1, chunks=chunk_count, laws=laws, findings=tuple(ordered))


def quoted(text: str) -> str:
    """Return a text on one line, in quotes, shortened if it is long."""
    words = " ".join(text[: 4 * _LONGEST_QUOTE].split())
    if len(words) > _LONGEST_QUOTE or len(text) > 4 * _LONGEST_QUOTE:
        words = words[: _LONGEST_QUOTE - 1] + "…"
    return f'"{words}"'


def printable(text: str) -> str:
    """Return a text with lone surrogates and NUL escaped, for every terminal and JSON writer."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8").replace("\0", "\\0")
