"""Reads the source with the claims of records believed, as far as they can be true."""

from collections.abc import Sequence
from dataclasses import replace

from treepack.laws.audit_context import Log, quoted
from treepack.laws.claims.headings import found_titles, with_changes
from treepack.laws.claims.pages import find_hidden, known_marks
from treepack.laws.pieces import AuditedChunk
from treepack.laws.reading.parsed_source import ParsedSource, read_blocks
from treepack.markdown.front_matter import find_front_matter
from treepack.markdown.page_marks import without_gaps
from treepack.model.blocks import Span
from treepack.model.outline_change import OutlineChange
from treepack.model.source import Source


def read_source(
    known: Source,
    pieces: Sequence[AuditedChunk],
    changes: Sequence[OutlineChange],
    *,
    is_plain: bool,
) -> tuple[ParsedSource, Log]:
    """Read a source without what belongs to pages, with found titles and changed levels.

    Args:
        known: The source.
        pieces: The chunks of its first level.
        changes: Changed levels and found titles.
        is_plain: Whether it is plain text.

    Returns:
        The parsed source, and a log that holds what is wrong with the claims so far.
    """
    log = Log(known.name, lambda position: known.line_at(position) + 1)
    if is_plain:
        log.unchecked(7, "whether the text is plain text and not markdown")
    front_matter = None if is_plain else find_front_matter(known.text)
    start = front_matter[0] if front_matter else 0
    hidden = _hidden(known, start, pieces, log, is_plain=is_plain)
    view = replace(known, text=without_gaps(known.text, hidden)) if hidden else known
    blocks, titles = read_blocks(view, start, (), is_plain=is_plain)
    if claimed := found_titles(known, hidden, changes, blocks, log):
        blocks, titles = read_blocks(view, start, claimed, is_plain=is_plain)
        kept = set(titles)
        for title in (each for each in claimed if each not in kept):
            reason = f"the found title {quoted(title.text)} is inside another block"
            log.found(7, reason, title.start)
    blocks = with_changes(known, blocks, changes, log)
    return ParsedSource(known, hidden, blocks, titles, is_plain=is_plain), log


def _hidden(
    source: Source, start: int, pieces: Sequence[AuditedChunk], log: Log, *, is_plain: bool
) -> list[Span]:
    """Return the spans that belong to pages: those that records skip, or all if no chunk exists."""
    if pieces and not any(piece.chunk and piece.chunk.skipped for piece in pieces):
        return []
    known = known_marks(source, start, is_plain=is_plain)
    return find_hidden(source, known, pieces, log) if pieces else [*known]
