r"""An independent check of chunks against laws 1 to 9; see docs/laws.md.

How a source is read, no law is about: the audit takes that from one reading, as packing does, and
compares it with what records say. What the laws are about, it finds by itself, written from the
table of laws: what is lost, where text is cut and whether it had to be, what a chunk repeats. It
counts tokens itself, and parses cut tables and code in their chunk's text alone.

========= ======================================================================================
module    what it does
========= ======================================================================================
reading   the source: blocks with their places, sections, clauses, what introduces what
chunks    each chunk with the spans of the source that it holds; its text, parsed alone
judge     what each check takes: reading, chunks, limits, and the log
slices    laws 1 and 2: nothing lost, exact
sizes     laws 3 and 4: cap, honest counts, levels, what records say about the source
tables    law 5: whole rows
codes     law 6: balanced fences
paths     laws 7 and 8: path, no orphans; what a chunk repeats
cuts      law 9: clean cuts
report    findings, marks, and the table of results
========= ======================================================================================

>>> from treepack import PackConfig, audit
>>> config = PackConfig(max_tokens=50)
>>> report = audit("# One\n\nText.\n", ["# One\n\n", "Text.\n"], config, name="one.md")
>>> print(report.findings[1])
one.md:1: law 8 (no orphans): chunk 0: the heading "One" is separated from its content
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, Protocol, cast, runtime_checkable

from treepack.clauses.clause import NO_CLAUSES
from treepack.clauses.walk import find_clauses
from treepack.config import PackConfig, given_or_default
from treepack.document.build import parse
from treepack.document.document import Document, source_or_document
from treepack.laws.chunks import AuditedChunk, chunk_of, located
from treepack.laws.codes import check_fences
from treepack.laws.cuts import check_cuts
from treepack.laws.judge import Audit
from treepack.laws.paths import check_context, check_orphans, check_paths
from treepack.laws.reading import Reading
from treepack.laws.report import LAWS, AuditReport, Finding, LawResult, Log
from treepack.laws.sizes import check_cap, check_claims, check_counts, check_levels
from treepack.laws.slices import check_exact, check_nothing_lost, check_skipped
from treepack.laws.tables import check_rows
from treepack.model.chunk import Chunk
from treepack.model.source import Source
from treepack.tokens import token_counter

__all__ = ["LAWS", "AuditReport", "Finding", "LawResult", "audit"]

_CHECKS: Final[Sequence[Callable[[Audit], None]]] = (
    *(check_nothing_lost, check_skipped, check_exact, check_cap, check_counts, check_claims),
    *(check_context, check_rows, check_fences, check_paths, check_orphans, check_cuts),
)


@runtime_checkable
class _Packed(Protocol):
    """Chunks that remember what they were cut from and how; this room does not know `Chunks`."""

    origin: Source | Document | None
    config: PackConfig


def audit(
    source: str | Source | Document,
    chunks: Sequence[Chunk] | Sequence[str],
    config: PackConfig | None = None,
    *,
    name: str = "",
    has_cap: bool = True,
) -> AuditReport:
    """Check the chunks of one document against laws 1 to 9.

    Args:
        source: The document's text, a `Source`, or the `Document` that was packed.
        chunks: Its chunks in order: records, or texts that another tool made.
        config: The settings that the chunks were made with; if None, those that packed `Chunks`
            remember. Without any, laws 3 and 9 are checked only in part.
        name: The document's name in the findings; the source's own name if empty.
        has_cap: Whether the chunks had to keep the caps of the settings.

    Raises:
        SourceError: The text is one line that looks like a file path; give ``Source(text)`` then.
        TypeError: An argument has a wrong type.
    """
    _check_chunks(chunks)
    if config is not None:
        config = given_or_default(config)
    given = source_or_document(source, name, call="audit")
    if isinstance(chunks, _Packed) and (origin := chunks.origin) is not None:
        config = config or chunks.config
        known = origin.source if isinstance(origin, Document) else origin
        if isinstance(given, Source) and given.text == known.text:
            given = origin  # it may know more, such as pages
    reading = _read(given, [chunk for chunk in chunks if isinstance(chunk, Chunk)], config)
    original = reading.document.source
    log = Log(name or original.name, lambda position: original.line_at(position) + 1)
    audited = _audited(reading, chunks, config)
    by_level: dict[int, list[AuditedChunk]] = {} if audited else {0: []}
    for chunk in audited:
        by_level.setdefault(chunk.record.level if chunk.record else 0, []).append(chunk)
    count = token_counter(config.encoding if config else reading.document.encoding)
    caps = config.levels if config else None
    for level, held in sorted(by_level.items()):
        own = config.at_level(level) if config and caps and level < len(caps) else config
        is_known = has_cap and (caps or len(by_level) == 1)
        of_level = Audit(
            reading, held, count, own, own.max_tokens if own and is_known else None, log
        )
        for check in _CHECKS:
            check(of_level)
    check_levels(log, audited, len(caps) if caps else None)
    return log.report(len(chunks))


def _read(given: Source | Document, records: Sequence[Chunk], config: PackConfig | None) -> Reading:
    """Read the source with the settings, or else as the records say that it was read."""
    if isinstance(given, Document):
        document = given
    else:
        name = given.name or (records[0].document if records else "")
        document = parse(replace(given, name=name), **_parsing(records, config))
    document = document.counted_with(config.encoding) if config else document
    is_named = any(each.clauses or each.clause_number for each in records)
    has_clauses = config.clauses if config else is_named or not records
    return Reading(document, find_clauses(document) if has_clauses else NO_CLAUSES)


def _parsing(records: Sequence[Chunk], config: PackConfig | None) -> dict[str, Any]:
    """Return the settings of `parse`; the markup may depend on a file's name, so records decide."""
    reasons = {skipped.reason for record in records for skipped in record.skipped}
    is_changed = any(record.outline_changes for record in records)
    parsing = config.parsing if config else {"markup": "auto"}
    if config is None:
        parsing["outline"] = "auto" if is_changed or "page furniture" in reasons else "trust"
        has_front_matter = any(reason.startswith("front matter") for reason in reasons)
        parsing["front_matter"] = "metadata" if has_front_matter else "text"
    if not records:
        parsing["outline"] = "trust"  # other tools cannot name titles without markup
    elif parsing["markup"] == "auto":
        is_plain = any(record.markup == "plain" for record in records)
        parsing["markup"] = "plain" if is_plain else "markdown"
    return parsing


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


def _audited(
    reading: Reading, chunks: Sequence[Chunk] | Sequence[str], config: PackConfig | None
) -> list[AuditedChunk]:
    """Return the chunks as spans of the source; if not all are records, as texts that it holds."""
    records = [chunk for chunk in chunks if isinstance(chunk, Chunk)]
    if len(records) == len(chunks):
        return [chunk_of(reading, number, record) for number, record in enumerate(records)]
    texts = [chunk.text if isinstance(chunk, Chunk) else chunk for chunk in chunks]
    return located(reading, texts, may_overlap=config is not None and config.overlap_tokens > 0)
