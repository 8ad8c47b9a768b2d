r"""An independent judge of chunks: the laws 1 to 9, held against a source and its chunks.

The audit knows the chunk record and counts tokens; beyond that it shares nothing with the packer.
It reads the source by itself, and to know what a chunk's text is, it parses that text.

>>> from treepack.audit import audit
>>> report = audit("# One\n\nText.\n", ["# One\n\n", "Text.\n"], name="one.md", max_tokens=50)
>>> print(report.findings[1])
one.md:1: law 8 (no orphans): chunk 0: the heading "One" is parted from what it heads
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import ModuleType
from typing import Literal, cast

from treepack.audit.case import Case, Limits, Log
from treepack.audit.context import check_context
from treepack.audit.cuts import check_cuts
from treepack.audit.fences import check_fences
from treepack.audit.levels import cap_of, check_levels, split_by_level
from treepack.audit.marks import find_marks
from treepack.audit.orphans import check_orphans
from treepack.audit.outline import apply_changes, recorded_changes
from treepack.audit.paths import check_paths
from treepack.audit.pieces import Piece, text_pieces
from treepack.audit.reading import Reading, front_matter_end
from treepack.audit.report import LAWS, AuditReport, Finding, LawResult
from treepack.audit.rows import check_rows
from treepack.audit.sizes import check_cap, check_counts
from treepack.audit.slices import check_exact, check_nothing_lost
from treepack.document.arguments import text_source
from treepack.document.collector import collector_paused
from treepack.document.source import Source
from treepack.errors import check_choice
from treepack.packing.chunk import Chunk, OutlineChange
from treepack.tokens import token_counter

__all__ = ["LAWS", "AuditReport", "Finding", "LawResult", "audit"]

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


@collector_paused()  # half of the time, where a text has many blocks
def audit(  # noqa: PLR0913 - the settings that the chunks were made with
    source: str | Source,
    chunks: Sequence[Chunk] | Sequence[str],
    *,
    name: str = "",
    max_tokens: int | None = None,
    levels: Sequence[int] | None = None,
    overlap_tokens: int = 0,
    flat_overlap_tokens: int | None = None,
    encoding: str | Callable[[str], int] = "cl100k_base",
    keep_tables: bool = False,
    keep_code: bool = False,
    sections: Literal["pack", "separate"] = "pack",
    outline_changes: Sequence[OutlineChange] | None = None,
) -> AuditReport:
    """Hold the chunks of one document against the laws 1 to 9.

    Args:
        source: The document's text, or a `Source` that holds it. No file is opened: for one, give
            ``read(path)``.
        chunks: Its chunks in order: records, or the plain texts that another tool made.
        name: The document's name, for the findings; that of the source when empty.
        max_tokens: The cap; without it law 3 is not checked, and law 9 hardly.
        levels: The caps of chunks in levels, from the coarsest on. Without them, each of several
            levels is held against its largest chunk.
        overlap_tokens: The most that a chunk may repeat of the one before.
        flat_overlap_tokens: The same in a document without headings, if it differs there.
        encoding: How tokens are counted: an encoding, a model name, or any callable.
        keep_tables: Tables above the cap were to be kept whole.
        keep_code: Code blocks above the cap were to be kept whole.
        sections: ``separate`` when each section was to have chunks of its own.
        outline_changes: Headings that count with another level than the source's, or as paragraphs;
            one that names no heading of the source is a breach of law 7. When None, those that
            chunk records carry; without any, the source's levels are trusted.

    Raises:
        SourceError: The text is one line that looks like the path of a file; ``Source(text)`` says
            that it is the text itself.
        TypeError: An argument has a wrong type.
        ValueError: ``sections`` has a value that it does not take.
    """
    known = text_source(source, name, call="audit", takes="text or a Source", opener="read")
    check_choice("sections", sections, ("pack", "separate"))
    _check_chunks(chunks)
    by_level = _by_level(known.text, chunks, may_overlap=overlap_tokens > 0)
    first = by_level[min(by_level)]
    reading, log = _read(known.text, first, name or known.name)
    changes = recorded_changes(chunks) if outline_changes is None else outline_changes
    apply_changes(reading, changes, log)
    if flat_overlap_tokens is not None and not reading.sections:
        overlap_tokens = flat_overlap_tokens
    count = token_counter(encoding)
    settings = Limits(max_tokens, overlap_tokens, keep_tables, keep_code, sections == "separate")
    for level, pieces in by_level.items():
        case = Case(reading, pieces, count, _limits_of(level, by_level, settings, levels), log)
        for check in _CHECKS:
            check(case)
    check_levels(log, by_level, None if levels is None else len(levels))
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


def _read(text: str, pieces: Sequence[Piece], name: str) -> tuple[Reading, Log]:
    """The source without the page marks that the chunks leave out, and a log for its lines."""
    front_matter = _front_matter_end(text, pieces)
    source = Reading(text, front_matter)
    log = Log(name, source.line_of)
    if marks := find_marks(source, pieces, log):
        source = Reading(text, front_matter, marks)
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


# The package's name is the function's as well: `treepack.audit` is the function, so that
# `import treepack.audit.report as report` looks for the module there.
vars(audit).update(
    (name, each) for name, each in list(globals().items()) if isinstance(each, ModuleType)
)
