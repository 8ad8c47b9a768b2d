"""Reads the source with the claims of records believed, as far as they can be true."""

from collections.abc import Sequence
from dataclasses import replace

from treepack.laws.audit_context import Log, quoted
from treepack.laws.chunks import AuditedChunk
from treepack.laws.claims.headings import found_titles, with_changes
from treepack.laws.claims.pages import find_gaps, find_marks
from treepack.laws.reading.parsed_source import ParsedSource, read_blocks
from treepack.markdown.front_matter import find_front_matter
from treepack.model.blocks import Span
from treepack.model.outline_change import OutlineChange
from treepack.model.source import Source
from treepack.pages.gaps import without_gaps


def read_source(
    source: Source,
    chunks: Sequence[AuditedChunk],
    changes: Sequence[OutlineChange],
    *,
    is_plain: bool,
) -> tuple[ParsedSource, Log]:
    """Read a source without what belongs to pages, with found titles and changed levels.

    Args:
        source: The source.
        chunks: The chunks of its first level.
        changes: Changed levels and found titles.
        is_plain: Whether it is plain text.

    Returns:
        The parsed source, and a log that holds what is wrong with the claims so far.
    """
    log = Log(source.name, lambda position: source.line_at(position) + 1)
    if is_plain:
        log.note_unchecked(7, "whether the text is plain text and not markdown")
    front_matter = None if is_plain else find_front_matter(source.text)
    start = front_matter[0] if front_matter else 0
    gaps = _find_gaps(source, start, chunks, log, is_plain=is_plain)
    view = replace(source, text=without_gaps(source.text, gaps)) if gaps else source
    blocks, titles = read_blocks(view, start, (), is_plain=is_plain)
    if claimed_titles := found_titles(source, gaps, changes, blocks, log):
        blocks, titles = read_blocks(view, start, claimed_titles, is_plain=is_plain)
        headings = set(titles)
        for title in (claimed for claimed in claimed_titles if claimed not in headings):
            reason = f"the found title {quoted(title.text)} is inside another block"
            log.add_finding(7, reason, title.start)
    blocks = with_changes(source, blocks, changes, log)
    return ParsedSource(source, gaps, blocks, titles), log


def _find_gaps(
    source: Source, start: int, chunks: Sequence[AuditedChunk], log: Log, *, is_plain: bool
) -> list[Span]:
    """Return the spans that belong to pages: those that records skip, or all if no chunk exists."""
    if chunks and not any(chunk.record and chunk.record.skipped for chunk in chunks):
        return []
    page_marks = find_marks(source, start, is_plain=is_plain)
    return find_gaps(source, page_marks, chunks, log) if chunks else [*page_marks]
