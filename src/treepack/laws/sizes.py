"""Laws 3 and 4: the embedded text stays within the cap, and the counts are true."""

import hashlib
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from treepack.laws.audit_context import BLANK_LINE, SEPARATOR, AuditContext, quoted
from treepack.laws.chunks import AuditedChunk
from treepack.laws.claims.clauses import clauses_named
from treepack.laws.openings import opening
from treepack.laws.reading.blocks import AuditBlock
from treepack.laws.reading.titles import same_title
from treepack.model.chunk import Chunk
from treepack.model.source import BYTE_ORDER_MARK

_ELLIPSIS: Final = "…"
_TABLE_KINDS: Final = ("table",)
_CODE_KINDS: Final = ("fence", "code", "math")


def check_cap(audit: AuditContext) -> None:
    """Check law 3: the embedded text is within the cap, and consists of what it should."""
    if audit.limits.max_tokens is None:
        audit.log.note_unchecked(3, "no cap given")
    for chunk in audit.chunks:
        if chunk.record is not None:
            for reason in _embedding_breaches(audit, chunk, chunk.record):
                audit.add_finding(3, chunk, reason)
        if audit.limits.max_tokens is not None:
            audit.log.count_checked(3)
            for reason in _cap_breaches(audit, chunk, audit.limits.max_tokens):
                audit.add_finding(3, chunk, reason)


def _cap_breaches(audit: AuditContext, chunk: AuditedChunk, cap: int) -> Iterator[str]:
    tokens = audit.count(chunk.record.embed_text if chunk.record else chunk.text)
    if chunk.record is None or not chunk.record.oversize:
        if tokens > cap:
            yield f"{tokens} tokens, but the cap is {cap}: {quoted(chunk.text)}"
    elif tokens <= cap:
        yield f"marked oversize, but its {tokens} tokens are within the cap of {cap}"
    elif not _holds_kept_block(audit, chunk):
        kept = "it is not a single table or code block that may be kept whole"
        yield f"{tokens} tokens, but the cap is {cap}; marked oversize, but {kept}"


def _overlap_text(record: Chunk) -> str:
    return "".join([segment.text for segment in record.segments if segment.role == "overlap"])


def _holds_kept_block(audit: AuditContext, chunk: AuditedChunk) -> bool:
    """Whether a chunk holds a table or code block to be kept, with only headings and a caption."""
    limits = audit.limits
    kinds = {*_TABLE_KINDS * limits.keep_tables, *_CODE_KINDS * limits.keep_code}
    leaves = _leaves_below_headings(audit, chunk)
    for kept in leaves:
        if kept.kind in kinds and kept.end <= chunk.end:
            caption = audit.source.caption_span(kept) or (kept.start, kept.start)
            is_whole = caption[0] >= chunk.start and caption[1] <= chunk.end
            allowed = {(kept.start, kept.end), *([caption] if is_whole else ())}
            return all((leaf.start, leaf.end) in allowed for leaf in leaves)
    return False


def _leaves_below_headings(audit: AuditContext, chunk: AuditedChunk) -> list[AuditBlock]:
    """Return the innermost blocks that a chunk holds some of, without the headings at its start.

    They are in order; a table counts as one.
    """
    leaves: list[AuditBlock] = []
    stack = [*audit.source.blocks_in(chunk.start, chunk.end)][::-1] if chunk.spans else []
    while stack:
        block = stack.pop()
        if block.children and block.kind != "table":
            stack += block.children[::-1]
        elif block.start < chunk.end and chunk.start < block.end:
            leaves += [block] if leaves or block.kind != "heading" else []
    return leaves


def _embedding_breaches(audit: AuditContext, chunk: AuditedChunk, record: Chunk) -> Iterator[str]:
    """Yield what is wrong in the embedded text (breadcrumb, blank line, text) or in the overlap."""
    overlap, allowed = _overlap_text(record).strip(), audit.limits.overlap_tokens
    if overlap and (tokens := audit.count(overlap)) > allowed:
        yield f"the overlap has {tokens} tokens, but may have {allowed}: {quoted(overlap)}"
    head = record.embed_text.removesuffix(record.text)
    line = head.removesuffix(BLANK_LINE)
    entries = list(record.breadcrumb)
    shown = _shown_entries(line, entries)
    if not record.embed_text.endswith(record.text):
        ending = quoted(record.embed_text[-60:])
        yield f"the embedded text does not end with the chunk's text, but with {ending}"
    elif head == line != "":
        yield f"the embedded text has no blank line after the breadcrumb {quoted(head)}"
    elif shown is None:
        breadcrumb = quoted(SEPARATOR.join(entries))
        yield f"the embedded text begins with {quoted(line)} instead of the breadcrumb {breadcrumb}"
    else:
        yield from _breadcrumb_breaches(audit, chunk, record, line, set(shown))


def _breadcrumb_breaches(
    audit: AuditContext, chunk: AuditedChunk, record: Chunk, line: str, shown: set[int]
) -> Iterator[str]:
    """Yield what is wrong if a breadcrumb line is shortened without need.

    A line is an unbroken run of entries, so between two needed entries it also shows an entry whose
    heading is in the text.
    """
    entries = record.breadcrumb
    needed = _needed_entries(audit, chunk, entries)
    indexes = needed | shown
    full_line = SEPARATOR.join(entries[min(indexes) : max(indexes) + 1]) if indexes else ""
    is_shortened = needed - shown or (_ELLIPSIS in line and line not in SEPARATOR.join(entries))
    if is_shortened and not _is_context_long(audit, chunk, record, full_line):
        yield f"the breadcrumb {quoted(full_line)} is shortened to {quoted(line)}, although it fits"


def _needed_entries(audit: AuditContext, chunk: AuditedChunk, entries: Sequence[str]) -> set[int]:
    """Return the indexes of the entries that the line must show, because the text does not.

    The text shows an entry if it has the entry's heading (each heading counts for one entry), or if
    it begins with the entry's clause.
    """
    sections = audit.sections_in_text(chunk)
    unclaimed = {id(section): section.title for section in sections if section.title}
    needed: set[int] = set()
    for index in range(len(entries) - 1, -1, -1):
        entry = entries[index]
        matches = (key for key, title in unclaimed.items() if same_title(entry, title))
        match = next(matches, None)
        if match is not None:
            del unclaimed[match]
        elif not (chunk.spans and any(_begins_with_clause(audit, entry, chunk))):
            needed.add(index)
    return needed


def _begins_with_clause(audit: AuditContext, entry: str, chunk: AuditedChunk) -> Iterator[bool]:
    """Yield, for each clause that a breadcrumb entry may name, whether the chunk begins with it."""
    for clause in clauses_named(audit.source, entry, chunk):
        above = audit.source.text[clause.start : chunk.start]  # a no-break space may begin a clause
        yield not above.removeprefix(BYTE_ORDER_MARK).strip()


def _shown_entries(line: str, entries: list[str]) -> range | None:
    """Return the run of entries that a line shows, perhaps shortened; None if it matches no run."""
    for first in range(len(entries) + 1):
        for after in range(len(entries), first - 1, -1):
            full_line = SEPARATOR.join(entries[first:after])
            if full_line == line or (_ELLIPSIS in line and _is_shortened(line, full_line)):
                return range(first, after)
    return None


def _is_shortened(line: str, full_line: str) -> bool:
    """Whether a line is a text with parts of it replaced by an ellipsis."""
    first, *middle, last = line.split(_ELLIPSIS)
    offset = len(first) if full_line.startswith(first) else -1
    for part in middle:
        part_start = full_line.find(part, offset) if offset >= 0 else -1
        offset = part_start + len(part) if part_start >= 0 else -1
    return offset >= 0 and full_line[offset:].endswith(last)


def _is_context_long(audit: AuditContext, chunk: AuditedChunk, record: Chunk, line: str) -> bool:
    """Whether the uncut breadcrumb takes half the cap with the context.

    Text at the beginning of the chunk that must stay with its content counts as context. So does
    the text that closes the previous chunk, if this chunk continues the same block: each piece
    needs room for it, even if it turns out to be the last, which the source closes or leaves open.
    """
    if audit.limits.max_tokens is None:
        return True
    context = [line, BLANK_LINE, *(part.text for part in record.segments if part.role != "body")]
    context += _inseparable_beginning(audit, chunk), _closing_of_previous(audit, chunk)
    # Room to close a row that is cut by cells; that all cells fit turns out too late.
    context += " |" * max((len(entry.columns) for entry in chunk.tables), default=0)
    return audit.exceeds_share(audit.count("".join(context)))


def _inseparable_beginning(audit: AuditContext, chunk: AuditedChunk) -> str:
    """Return the beginning of a chunk that laws 5 and 8 keep together with what follows.

    It holds headings, intros, the caption and header of a table, and fence markers, also in an
    item or a quote; also text that introduces points.
    """
    blocks = audit.source.blocks_in(chunk.start, chunk.end) if chunk.spans else ()
    content = next((block for block in blocks if block.kind != "heading"), None)
    if content is None:
        return audit.source.text[chunk.start : chunk.end] if blocks else ""
    headings = audit.source.text[chunk.start : max(content.start, chunk.start)]
    inseparable = headings + opening(audit, content, chunk.start)
    leaves = _leaves_below_headings(audit, chunk)
    end = max(chunk.start + len(inseparable), leaves[0].start if leaves else 0)
    for leaf, after in pairwise(leaves):
        points = audit.source.points_after(leaf.end)
        if leaf.start <= end and points and points[0] <= after.start:
            end = after.start  # the leaf introduces the points
    return max(inseparable, audit.source.text[chunk.start : end], key=len)


def _closing_of_previous(audit: AuditContext, chunk: AuditedChunk) -> str:
    """Return the text added to close the previous chunk, if this chunk ends with its body.

    The last piece of a table or fence ends like that: the source closes it, or leaves it open.
    """
    index = bisect_left(audit.starts, chunk.start) - 1 if chunk.spans else -1
    previous = audit.ordered_chunks[index].record if index >= 0 else None
    if previous is None or chunk.record is None or chunk.record.segments[-1].role != "body":
        return ""
    return previous.segments[-1].text if previous.segments[-1].role != "body" else ""


def check_counts(audit: AuditContext) -> None:
    """Check law 4: the counts, hash, index and lines of each record are true."""
    if audit.chunks and audit.chunks[0].record is None:
        audit.log.note_unchecked(4, "chunks that are only texts have no counts")
        return
    for chunk in audit.chunks:
        if chunk.record is None:
            continue
        audit.log.count_checked(4)
        for reason in _count_breaches(audit, chunk, chunk.record):
            audit.add_finding(4, chunk, reason)


def _count_breaches(audit: AuditContext, chunk: AuditedChunk, record: Chunk) -> Iterator[str]:
    tokens = audit.count(record.text)
    embedded = tokens if record.embed_text == record.text else audit.count(record.embed_text)
    if record.token_count != tokens:
        yield f"token_count is {record.token_count}, but the text has {tokens} tokens"
    if record.embed_token_count != embedded:
        given = record.embed_token_count
        yield f"embed_token_count is {given}, but the embedded text has {embedded} tokens"
    digest = hashlib.sha256(record.text.encode("utf-8", "surrogatepass")).hexdigest()
    if record.content_hash != digest:
        yield f"content_hash is not the SHA-256 of the text: {quoted(record.text)}"
    overlap = _overlap_text(record)
    counts = {audit.count(text) for text in (overlap, overlap.rstrip(), overlap.strip())}
    if record.overlap_tokens not in counts:
        claim = f"overlap_tokens is {record.overlap_tokens}"
        yield f"{claim}, but the overlap has {max(counts)} tokens"
    if record.index != chunk.expected_index:
        yield f"index is {record.index}, but should be {chunk.expected_index}"
    if not chunk.spans:
        yield f"the chunk has no body: {quoted(record.text)}"
        return
    line_of = audit.source.original_line_of
    first_lines = {line_of(chunk.start), line_of(chunk.raw_start)}
    last_lines = {line_of(chunk.end - 1), line_of(max(chunk.raw_end - 1, 0))}
    start, end = record.lines
    if start not in first_lines or end not in last_lines:
        yield f"lines are {start}-{end}, but should be {min(first_lines)}-{min(last_lines)}"
