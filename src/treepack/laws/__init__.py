r"""An independent check of chunks against laws 1 to 9; see docs/laws.md.

The audit shares with the packer what no law is about: how a source is read (blocks, tables,
captions, clauses). It never uses the packer's scanner, though. What the laws are about, it finds by
itself: where text is cut, what is lost, what a chunk repeats and what a record claims. It counts
tokens itself, and it parses each chunk's text alone to see what that text is.

The settings come from the caller. From the chunk records, the audit takes only what it can check: a
changed level or a found title (``outline_changes``) that matches no line of the source breaks law
7. Whether such a change is right is not judged. Without changes, the levels in the source count.

============= ======================================================================================
module        what it does
============= ======================================================================================
reading       a package: the source as the checks see it, and each chunk's text parsed alone
claims        a package: what records claim about the source, checked against it
chunks        each chunk with the spans of the source that it holds, and its record if it has one
levels        the chunks of each level, and how parents hold their children
audit_context what each check takes: the parsed source, the chunks, the limits, and the log
slices        laws 1 and 2: nothing lost, exact
sizes         laws 3 and 4: cap, honest counts
tables        law 5: whole rows
fences        law 6: balanced fences
paths         law 7: path
openings      what must stay with the beginning of a block
orphans       law 8: no orphans
cuts          law 9: clean cuts
context       what a chunk holds besides its body
report        findings, and the table of results
============= ======================================================================================

>>> from treepack.laws import audit
>>> report = audit("# One\n\nText.\n", ["# One\n\n", "Text.\n"], name="one.md", max_tokens=50)
>>> print(report.findings[1])
one.md:1: law 8 (no orphans): chunk 0: the heading "One" is separated from its content
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, Protocol, cast, runtime_checkable

from treepack.config import PackConfig
from treepack.errors import check_choice
from treepack.laws.audit_context import AuditContext, AuditLimits
from treepack.laws.chunks import AuditedChunk, chunks_from_texts
from treepack.laws.claims.believed import read_source
from treepack.laws.context import check_context
from treepack.laws.cuts import check_cuts
from treepack.laws.fences import check_fences
from treepack.laws.levels import cap_of, check_levels, split_by_level
from treepack.laws.orphans import check_orphans
from treepack.laws.paths import check_paths
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


@runtime_checkable
class _Packed(Protocol):
    """Chunks that remember what they were cut from and how; this room does not know `Chunks`."""

    origin: object
    config: PackConfig


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
    """Check the chunks of one document against laws 1 to 9.

    Packed `Chunks` remember their settings; if no cap is given, these are used.

    Args:
        source: The document's text, a `Source`, or a `Document`, of which only the source is used.
        chunks: Its chunks in order: records, or texts that another tool made.
        name: The document's name in the findings; the source's own name if empty.
        max_tokens: The cap; without a cap, laws 3 and 9 are checked only in part.
        levels: The cap of each level, largest first; if None, the size of its largest chunk.
        overlap_tokens: The most tokens of the previous chunk that a chunk may repeat.
        flat_overlap_tokens: The same limit for a document without headings, if it differs.
        encoding: How tokens are counted; if None, as in the `Document`, or ``cl100k_base``.
        keep_tables: Whether tables above the cap were to stay whole.
        keep_code: Whether code blocks above the cap were to stay whole.
        sections: ``separate`` if each section was to have chunks of its own.
        outline_changes: Changed levels and found titles; if None, those in the chunk records.
        markup: How the text was read; if None, as the chunk records state, or else ``markdown``.

    Raises:
        SourceError: The text is one line that looks like a file path; give ``Source(text)`` then.
        TypeError, ValueError: An argument has a wrong type or a value that is not allowed.
    """
    is_open = all(given is None for given in (max_tokens, levels, outline_changes, markup))
    if is_open and isinstance(chunks, _Packed) and chunks.origin is not None:
        return audit_packed(source, chunks, chunks.config, name=name)
    named_source = _source_of(source, name)
    count = token_counter(encoding or cast("str", getattr(source, "encoding", "cl100k_base")))
    by_level = _chunks_by_level(named_source.text, chunks, may_overlap=overlap_tokens > 0)
    changes = _outline_changes_of(chunks) if outline_changes is None else outline_changes
    is_plain = _is_plain(chunks, markup)
    parsed, log = read_source(named_source, by_level[min(by_level)], changes, is_plain=is_plain)
    most = overlap_tokens if parsed.sections or flat_overlap_tokens is None else flat_overlap_tokens
    limits = AuditLimits(max_tokens, most, keep_tables, keep_code, sections)
    _check_each_level(AuditContext(parsed, (), count, limits, log), by_level, levels)
    return log.report(len(chunks))


def _source_of(source: "str | Source | Document", name: str) -> Source:
    """Return the source to audit, with its name; of a `Document`, only its source is used."""
    inner_source: object = getattr(source, "source", None)
    given = inner_source if isinstance(inner_source, Source) else source
    takes = "text, a Source or a Document"
    named_source = text_source(given, name, call="audit", takes=takes, opener="read")
    return replace(named_source, name=name or named_source.name)


def _outline_changes_of(chunks: Sequence[Chunk] | Sequence[str]) -> list[OutlineChange]:
    """Return the outline changes in the chunk records; texts of other tools have none."""
    records = (chunk for chunk in chunks if isinstance(chunk, Chunk))
    return [change for chunk in records for change in chunk.outline_changes]


def _check_each_level(
    shared: AuditContext, by_level: dict[int, list[AuditedChunk]], levels: Sequence[int] | None
) -> None:
    """Check the chunks of each level; ``shared`` is the context that all levels share."""
    for level, chunks in by_level.items():
        for chunk in chunks:
            chunk.locate_titles(shared.source.titles)
        limits = _limits_of(level, by_level, shared.limits, levels)
        context = replace(shared, chunks=chunks, limits=limits)
        for check in _CHECKS:
            check(context)
    check_levels(shared.log, by_level, None if levels is None else len(levels))
    shared.source.release()  # its reference cycles would keep it in memory while the GC is paused


def _check_chunks(chunks: object) -> None:
    # A string is also a sequence, but of characters.
    if isinstance(chunks, str | bytes) or not isinstance(chunks, Sequence):
        msg = f"audit takes a list of chunks or of their texts, not {type(chunks).__name__}"
        raise TypeError(msg)
    for number, chunk in enumerate(cast("Sequence[object]", chunks)):
        if not isinstance(chunk, Chunk | str):
            must = "must be a Chunk or a str; Chunk.model_validate(record) makes a Chunk"
            msg = f"chunk {number} is {type(chunk).__name__}, but {must}"
            raise TypeError(msg)


def _chunks_by_level(
    source: str, chunks: Sequence[Chunk] | Sequence[str], *, may_overlap: bool
) -> dict[int, list[AuditedChunk]]:
    """Map each level to its chunks; without levels, all are in level 0."""
    _check_chunks(chunks)
    records = [chunk for chunk in chunks if isinstance(chunk, Chunk)]
    if records and len(records) == len(chunks):
        return split_by_level(source, records)
    texts = [chunk.text if isinstance(chunk, Chunk) else chunk for chunk in chunks]
    return {0: chunks_from_texts(source, texts, may_overlap=may_overlap)}


def _is_plain(
    chunks: Sequence[Chunk] | Sequence[str], markup: Literal["markdown", "plain"] | None
) -> bool:
    """Whether the text was read as plain text: ``markup`` if given, or else the chunk records."""
    check_choice("markup", markup, (None, "markdown", "plain"))
    if markup is not None:
        return markup == "plain"
    return any(isinstance(chunk, Chunk) and chunk.markup == "plain" for chunk in chunks)


def _limits_of(
    level: int,
    by_level: Mapping[int, Sequence[AuditedChunk]],
    limits: AuditLimits,
    levels: Sequence[int] | None,
) -> AuditLimits:
    """Return the limits of one level, with its own cap.

    Above the last level, overlap is allowed only if some chunk of the level has one.
    """
    chunks = by_level[level]
    if levels is not None or len(by_level) > 1:
        limits = replace(limits, max_tokens=cap_of(level, chunks, levels))
    if level != max(by_level) and not any(chunk.has_overlap for chunk in chunks):
        limits = replace(limits, overlap_tokens=0)
    return limits


def audit_packed(
    source: "str | Source | Document",
    chunks: Sequence[Chunk] | Sequence[str],
    config: PackConfig,
    *,
    name: str = "",
    cap: int | Literal["configured"] | None = "configured",
) -> AuditReport:
    """Audit chunks under the limits of the configuration that made them; see `audit`.

    Args:
        source: The text.
        chunks: Its chunks.
        config: The settings.
        name: What findings call the document.
        cap: The cap, if it differs from the settings; None if it is unknown.
    """
    return audit(
        source,
        chunks,
        name=name,
        max_tokens=config.max_tokens if cap == "configured" else cap,
        levels=config.levels,
        overlap_tokens=config.overlap_tokens,
        flat_overlap_tokens=config.flat_overlap_tokens,
        encoding=config.encoding,
        keep_tables=config.oversize_table == "keep",
        keep_code=config.oversize_code == "keep",
        sections=config.sections,
        markup=None if config.markup == "auto" else config.markup,
    )
