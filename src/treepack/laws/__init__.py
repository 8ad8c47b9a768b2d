r"""An independent judge of chunks: the laws 1 to 9, held against a source and its chunks.

The audit knows the chunk record and counts tokens; beyond that it shares nothing with the packer.
It reads the source by itself, and to know what a chunk's text is, it parses that text.

>>> from treepack.laws import audit
>>> report = audit("# One\n\nText.\n", ["# One\n\n", "Text.\n"], name="one.md", max_tokens=50)
>>> print(report.findings[1])
one.md:1: law 8 (no orphans): chunk 0: the heading "One" is parted from what it heads
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, cast

from treepack.config import PackConfig
from treepack.errors import check_choice
from treepack.gc_pause import gc_paused
from treepack.laws.case import Case, Limits, Log
from treepack.laws.claims.found_titles import believed_titles
from treepack.laws.claims.furniture import find_furniture
from treepack.laws.claims.marks import find_marks
from treepack.laws.claims.outline import apply_changes, recorded_changes
from treepack.laws.context import check_context
from treepack.laws.cuts import check_cuts
from treepack.laws.fences import check_fences
from treepack.laws.levels import cap_of, check_levels, split_by_level
from treepack.laws.orphans import check_orphans
from treepack.laws.paths import check_paths
from treepack.laws.pieces import Piece, text_pieces
from treepack.laws.reading.front_matter import front_matter_end
from treepack.laws.reading.reading import Reading
from treepack.laws.report import LAWS, AuditReport, Finding, LawResult
from treepack.laws.sizes import check_cap, check_counts
from treepack.laws.slices import check_exact, check_nothing_lost
from treepack.laws.tables.rows import check_rows
from treepack.model.arguments import text_source
from treepack.model.chunk import Chunk
from treepack.model.outline_change import OutlineChange
from treepack.model.source import Source
from treepack.tokens import token_counter

if TYPE_CHECKING:
    from treepack.document.document import Document

__all__ = ["LAWS", "AuditReport", "Finding", "LawResult", "audit", "audit_packed"]

_CHECKS = (
    check_nothing_lost,
    check_exact,
    check_cap,
    check_counts,
    check_context,
    check_rows,
    check_fences,
    check_paths,
    check_orphans,
    check_cuts,
)


@gc_paused()  # half of the time, where a text has many blocks
def audit(  # noqa: PLR0913 - the settings that the chunks were made with
    source: "str | Source | Document",
    chunks: Sequence[Chunk] | Sequence[str],
    *,
    name: str = "",
    max_tokens: int | None = None,
    levels: Sequence[int] | None = None,
    overlap_tokens: int = 0,
    flat_overlap_tokens: int | None = None,
    encoding: str | Callable[[str], int] | None = None,
    keep_tables: bool = False,
    keep_code: bool = False,
    sections: Literal["pack", "separate"] = "pack",
    outline_changes: Sequence[OutlineChange] | None = None,
    markup: Literal["markdown", "plain"] | None = None,
) -> AuditReport:
    """Hold the chunks of one document against the laws 1 to 9.

    Args:
        source: The document's text, or a `Source` or a parsed `Document` that holds it; of a
            document, only its source is believed. No file is opened: for one, give ``read(path)``.
        chunks: Its chunks in order: records, or the plain texts that another tool made.
        name: The document's name, for the findings; that of the source when empty.
        max_tokens: The cap; without it law 3 is not checked, and law 9 hardly.
        levels: The caps of chunks in levels, from the coarsest on. Without them, each of several
            levels is held against its largest chunk.
        overlap_tokens: The most that a chunk may repeat of the one before.
        flat_overlap_tokens: The same in a document without headings, if it differs there.
        encoding: How tokens are counted: an encoding, a model name, or any callable; when None, as
            the `Document` counts, or ``cl100k_base``.
        keep_tables: Tables above the cap were to be kept whole.
        keep_code: Code blocks above the cap were to be kept whole.
        sections: ``separate`` when each section was to have chunks of its own.
        outline_changes: Headings that count with another level than the source's, or as paragraphs,
            and titles that no mark shows; what names no line of the source is a breach of law 7.
            When None, those that chunk records carry; without any, the source's levels are trusted.
        markup: Whether the text is markdown or plain text; what chunk records say when None, and
            markdown without any.

    Raises:
        SourceError: The text is one line that looks like the path of a file; ``Source(text)`` says
            that it is the text itself.
        TypeError: An argument has a wrong type.
        ValueError: ``sections`` or ``markup`` has a value that it does not take.
    """
    # A document is asked for its source alone: what else it knows is not to be believed.
    inner: object = getattr(source, "source", None)
    given = inner if isinstance(inner, Source) else source
    takes = "text, a Source or a Document"
    known = text_source(given, name, call="audit", takes=takes, opener="read")
    if encoding is None:
        encoding = cast("str", getattr(source, "encoding", "cl100k_base"))
    check_choice("sections", sections, ("pack", "separate"))
    check_choice("markup", markup, (None, "markdown", "plain"))
    _check_chunks(chunks)
    by_level = _by_level(known.text, chunks, may_overlap=overlap_tokens > 0)
    first = by_level[min(by_level)]
    is_plain = _is_plain(chunks) if markup is None else markup == "plain"
    changes = recorded_changes(chunks) if outline_changes is None else outline_changes
    reading, log = _read(known.text, first, name or known.name, changes, is_plain=is_plain)
    apply_changes(reading, changes, log)
    for piece in (piece for pieces in by_level.values() for piece in pieces):
        piece.note_titles(list(reading.titles.values()))
    if flat_overlap_tokens is not None and not reading.sections:
        overlap_tokens = flat_overlap_tokens
    count = token_counter(encoding)
    settings = Limits(max_tokens, overlap_tokens, keep_tables, keep_code, sections == "separate")
    for level, pieces in by_level.items():
        case = Case(reading, pieces, count, _limits_of(level, by_level, settings, levels), log)
        for check in _CHECKS:
            check(case)
    check_levels(log, by_level, None if levels is None else len(levels))
    reading.release()
    for piece in (piece for pieces in by_level.values() for piece in pieces):
        piece.release()
    return log.report(len(chunks))


def _check_chunks(chunks: object) -> None:
    # A string is a sequence as well, of letters.
    if isinstance(chunks, str | bytes) or not isinstance(chunks, Sequence):
        msg = f"audit takes a sequence of chunks or of their texts, not {type(chunks).__name__}"
        raise TypeError(msg)
    for number, chunk in enumerate(cast("Sequence[object]", chunks)):
        if not isinstance(chunk, Chunk | str):
            kind = type(chunk).__name__
            msg = (
                f"chunk {number} is {kind}, but must be a Chunk (Chunk.model_validate) or its text"
            )
            raise TypeError(msg)


def _by_level(
    source: str, chunks: Sequence[Chunk] | Sequence[str], *, may_overlap: bool
) -> dict[int, list[Piece]]:
    """The chunks of each level as pieces; without any chunk there is one level without pieces."""
    records = [chunk for chunk in chunks if isinstance(chunk, Chunk)]
    if records and len(records) == len(chunks):
        return split_by_level(source, records)
    texts = [chunk.text if isinstance(chunk, Chunk) else chunk for chunk in chunks]
    return {0: text_pieces(source, texts, may_overlap=may_overlap)}


def _is_plain(chunks: Sequence[Chunk] | Sequence[str]) -> bool:
    """Whether chunk records say that the text was taken as plain text."""
    return any(isinstance(chunk, Chunk) and chunk.markup == "plain" for chunk in chunks)


def _read(
    text: str,
    pieces: Sequence[Piece],
    name: str,
    changes: Sequence[OutlineChange],
    *,
    is_plain: bool,
) -> tuple[Reading, Log]:
    """The source without what belongs to its pages and with found titles; a log for its lines."""
    front_matter = 0 if is_plain else _front_matter_end(text, pieces)
    source = Reading(text, front_matter, is_plain=is_plain)
    log = Log(name, source.printed_line_of)
    if is_plain:
        log.unchecked(7, "whether the text is plain")
    marks = find_marks(source, pieces, log)
    hidden = sorted([*marks, *find_furniture(source, pieces, marks, log)])
    if hidden:
        source = Reading(text, front_matter, hidden, is_plain=is_plain)
    if titles := believed_titles(source, changes, log):
        source = Reading(text, front_matter, hidden, titles, is_plain=is_plain)
    return source, log


def _limits_of(
    level: int,
    by_level: Mapping[int, Sequence[Piece]],
    settings: Limits,
    levels: Sequence[int] | None,
) -> Limits:
    """The settings of one level: each has its own cap, and only the last one surely overlaps."""
    pieces = by_level[level]
    if levels is not None or len(by_level) > 1:
        settings = replace(settings, max_tokens=cap_of(level, pieces, levels))
    if level != max(by_level) and not any(piece.has_overlap for piece in pieces):
        settings = replace(settings, overlap_tokens=0)
    return settings


def _front_matter_end(source: str, pieces: Sequence[Piece]) -> int:
    """Where the front matter ends, if there is some; records that skipped it are believed."""
    first = next((piece.chunk for piece in pieces if piece.chunk and piece.chunk.skipped), None)
    is_skipped = first is not None and any("front matter" in s.reason for s in first.skipped)
    return front_matter_end(source, certain=is_skipped)


def audit_packed(
    source: str | Source, chunks: Sequence[Chunk], config: PackConfig, *, name: str = ""
) -> AuditReport:
    """Audit chunks under the limits of the configuration that made them; see `audit`."""
    return audit(
        source,
        chunks,
        name=name,
        max_tokens=config.max_tokens,
        levels=config.levels,
        overlap_tokens=config.overlap_tokens,
        flat_overlap_tokens=config.flat_overlap_tokens,
        encoding=config.encoding,
        keep_tables=config.oversize_table == "keep",
        keep_code=config.oversize_code == "keep",
        sections=config.sections,
    )
