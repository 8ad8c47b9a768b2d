"""Laws 3 and 4: the embedded text stays within the cap, and the counts are true."""

import hashlib
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import dropwhile, pairwise
from typing import Final

from treepack.laws.audit_context import BLANK_LINE, SEPARATOR, AuditContext, quoted
from treepack.laws.claims.clauses import clauses_named
from treepack.laws.openings import opening
from treepack.laws.pieces import AuditedChunk
from treepack.laws.reading.blocks import AuditBlock
from treepack.laws.reading.titles import same_title
from treepack.model.chunk import Chunk
from treepack.model.source import BYTE_ORDER_MARK

_ELLIPSIS: Final = "…"
_TABLES: Final = ("table",)
_CODES: Final = ("fence", "code", "math")


def check_cap(audit: AuditContext) -> None:
    """Check law 3: the embedded text is within the cap, and consists of what it should."""
    if audit.limits.max_tokens is None:
        audit.log.unchecked(3, "no cap given")
    for piece in audit.pieces:
        if piece.chunk is not None:
            for reason in _embedded(audit, piece, piece.chunk):
                audit.breach(3, piece, reason)
        if audit.limits.max_tokens is not None:
            audit.log.checked(3)
            for reason in _oversize(audit, piece, audit.limits.max_tokens):
                audit.breach(3, piece, reason)


def _oversize(audit: AuditContext, piece: AuditedChunk, cap: int) -> Iterator[str]:
    tokens = audit.count(piece.chunk.embed_text if piece.chunk else piece.text)
    if piece.chunk is None or not piece.chunk.oversize:
        if tokens > cap:
            yield f"{tokens} tokens, but the cap is {cap}: {quoted(piece.text)}"
    elif tokens <= cap:
        yield f"marked oversize, but its {tokens} tokens are within the cap of {cap}"
    elif not _is_kept_block(audit, piece):
        kept = "it is not a single table or code block that may be kept whole"
        yield f"{tokens} tokens, but the cap is {cap}; marked oversize, but {kept}"


def _overlap(chunk: Chunk) -> str:
    return "".join([segment.text for segment in chunk.segments if segment.role == "overlap"])


def _is_kept_block(audit: AuditContext, piece: AuditedChunk) -> bool:
    """Whether a chunk holds a table or code block to be kept, with only headings and a caption."""
    limits = audit.limits
    kinds = {*_TABLES * limits.keep_tables, *_CODES * limits.keep_code}
    held = [*dropwhile(lambda block: block.kind == "heading", _leaves(audit, piece))]
    for kept in held:
        if kept.kind in kinds and kept.end <= piece.end:
            caption = audit.source.caption_span(kept) or (kept.start, kept.start)
            whole = caption[0] >= piece.start and caption[1] <= piece.end
            return all(one is kept or (whole and (one.start, one.end) == caption) for one in held)
    return False


def _leaves(audit: AuditContext, piece: AuditedChunk) -> Iterator[AuditBlock]:
    """Yield the innermost blocks that a chunk holds some of, in order; a table counts as one."""
    waiting = [*audit.source.blocks_in(piece.start, piece.end)][::-1] if piece.spans else []
    while waiting:
        block = waiting.pop()
        if block.children and block.kind != "table":
            waiting += block.children[::-1]
        elif block.start < piece.end and piece.start < block.end:
            yield block


def _embedded(audit: AuditContext, piece: AuditedChunk, chunk: Chunk) -> Iterator[str]:
    """Yield what is wrong in the embedded text (breadcrumb, blank line, text) or in the overlap."""
    overlap, allowed = _overlap(chunk).strip(), audit.limits.overlap_tokens
    if overlap and (tokens := audit.count(overlap)) > allowed:
        yield f"the overlap has {tokens} tokens, but may have {allowed}: {quoted(overlap)}"
    head = chunk.embed_text.removesuffix(chunk.text)
    line = head.removesuffix(BLANK_LINE)
    entries = list(chunk.breadcrumb)
    shown = _shown(line, entries)
    if not chunk.embed_text.endswith(chunk.text):
        ending = quoted(chunk.embed_text[-60:])
        yield f"the embedded text does not end with the chunk's text, but with {ending}"
    elif head == line != "":
        yield f"the embedded text has no blank line after the breadcrumb {quoted(head)}"
    elif shown is None:
        breadcrumb = quoted(SEPARATOR.join(entries))
        yield f"the embedded text begins with {quoted(line)} instead of the breadcrumb {breadcrumb}"
    else:
        yield from _wrong_line(audit, piece, chunk, line, set(shown))


def _wrong_line(
    audit: AuditContext, piece: AuditedChunk, chunk: Chunk, line: str, shown: set[int]
) -> Iterator[str]:
    """Yield what is wrong if a breadcrumb line is too long, or shortened without need.

    A line is an unbroken run of entries, so between two needed entries it also shows an entry whose
    heading is in the text.
    """
    most, entries = audit.limits.breadcrumb_tokens, chunk.breadcrumb
    if most is not None and (tokens := audit.count(line)) > most:
        yield f"the breadcrumb has {tokens} tokens, but may have {most}: {quoted(line)}"
    needed = _needed(audit, piece, entries)
    places = needed | shown
    whole = SEPARATOR.join(entries[min(places) : max(places) + 1]) if places else ""
    is_cut = needed - shown or (_ELLIPSIS in line and line not in SEPARATOR.join(entries))
    if is_cut and not _is_context_long(audit, piece, chunk, whole):
        yield f"the breadcrumb {quoted(whole)} is shortened to {quoted(line)}, although it fits"


def _needed(audit: AuditContext, piece: AuditedChunk, entries: Sequence[str]) -> set[int]:
    """Return the indexes of the entries that the line must show, because the text does not.

    The text shows an entry if it has the entry's heading (each heading counts for one entry), or if
    it begins with the entry's clause.
    """
    sections = audit.sections_in_text(piece)
    standing = {id(section): section.title for section in sections if section.title}
    needed: set[int] = set()
    for place in range(len(entries) - 1, -1, -1):
        titled = (at for at, title in standing.items() if same_title(entries[place], title))
        found = next(titled, None)
        if found is not None:
            del standing[found]
        elif not (piece.spans and any(_begins(audit, entries[place], piece))):
            needed.add(place)
    return needed


def _begins(audit: AuditContext, entry: str, piece: AuditedChunk) -> Iterator[bool]:
    """Yield, for each clause that a breadcrumb entry may name, whether the chunk begins with it."""
    for clause in clauses_named(audit.source, entry, piece):
        above = audit.source.text[clause.start : piece.start]  # a no-break space may begin a clause
        yield not above.removeprefix(BYTE_ORDER_MARK).strip()


def _shown(line: str, entries: list[str]) -> range | None:
    """Return the run of entries that a line shows, perhaps shortened; None if it matches no run."""
    for first in range(len(entries) + 1):
        for after in range(len(entries), first - 1, -1):
            whole = SEPARATOR.join(entries[first:after])
            if whole == line or (_ELLIPSIS in line and _is_shortened(line, whole)):
                return range(first, after)
    return None


def _is_shortened(line: str, whole: str) -> bool:
    """Whether a line is a text with parts of it replaced by an ellipsis."""
    first, *middle, last = line.split(_ELLIPSIS)
    place = len(first) if whole.startswith(first) else -1
    for part in middle:
        found = whole.find(part, place) if place >= 0 else -1
        place = found + len(part) if found >= 0 else -1
    return place >= 0 and whole[place:].endswith(last)


def _is_context_long(audit: AuditContext, piece: AuditedChunk, chunk: Chunk, line: str) -> bool:
    """Whether the uncut breadcrumb exceeds its limit, or takes half the cap with the context.

    Text at the beginning of the chunk that must stay with its content counts as context. So does
    the text that closes the previous chunk, if this chunk continues the same block: each piece
    needs room for it, even if it turns out to be the last, which the source closes or leaves open.
    """
    most = audit.limits.breadcrumb_tokens
    if audit.limits.max_tokens is None or (most is not None and audit.count(line) > most):
        return True
    context = [line, BLANK_LINE, *(part.text for part in chunk.segments if part.role != "body")]
    context += _glued(audit, piece), _closing_before(audit, piece)
    # Room to close a row that is cut by cells; that all cells fit turns out too late.
    context += " |" * max((len(entry.columns) for entry in piece.tables), default=0)
    return audit.fills(audit.count("".join(context)))


def _glued(audit: AuditContext, piece: AuditedChunk) -> str:
    """Return the beginning of a chunk that laws 5 and 8 keep together with what follows.

    It holds headings, lead-ins, the caption and header of a table, and fence markers, also in an
    item or a quote; also text that introduces points.
    """
    blocks = audit.source.blocks_in(piece.start, piece.end) if piece.spans else ()
    content = next((block for block in blocks if block.kind != "heading"), None)
    if content is None:
        return audit.source.text[piece.start : piece.end] if blocks else ""
    headings = audit.source.text[piece.start : max(content.start, piece.start)]
    glued = headings + opening(audit, content, piece.start)
    leaves = [*dropwhile(lambda leaf: leaf.kind == "heading", _leaves(audit, piece))]
    end = max(piece.start + len(glued), leaves[0].start if leaves else 0)
    for leaf, after in pairwise(leaves):
        points = audit.source.points_after(leaf.end)
        if leaf.start <= end and points and points[0] <= after.start:
            end = after.start  # the leaf introduces the points
    return max(glued, audit.source.text[piece.start : end], key=len)


def _closing_before(audit: AuditContext, piece: AuditedChunk) -> str:
    """Return the text added to close the previous chunk, if this chunk ends with its body.

    The last piece of a table or fence ends like that: the source closes it, or leaves it open.
    """
    place = bisect_left(audit.starts, piece.start) - 1 if piece.spans else -1
    before = audit.bodies[place].chunk if place >= 0 else None
    if before is None or piece.chunk is None or piece.chunk.segments[-1].role != "body":
        return ""
    return before.segments[-1].text if before.segments[-1].role != "body" else ""


def check_counts(audit: AuditContext) -> None:
    """Check law 4: the counts, hash, index and lines of each record are true."""
    if audit.pieces and audit.pieces[0].chunk is None:
        audit.log.unchecked(4, "chunks that are only texts have no counts")
        return
    for piece in audit.pieces:
        if piece.chunk is None:
            continue
        audit.log.checked(4)
        for reason in _wrong_counts(audit, piece, piece.chunk):
            audit.breach(4, piece, reason)


def _wrong_counts(audit: AuditContext, piece: AuditedChunk, chunk: Chunk) -> Iterator[str]:
    tokens = audit.count(chunk.text)
    embedded = tokens if chunk.embed_text == chunk.text else audit.count(chunk.embed_text)
    if chunk.token_count != tokens:
        yield f"token_count is {chunk.token_count}, but the text has {tokens} tokens"
    if chunk.embed_token_count != embedded:
        given = chunk.embed_token_count
        yield f"embed_token_count is {given}, but the embedded text has {embedded} tokens"
    digest = hashlib.sha256(chunk.text.encode("utf-8", "surrogatepass")).hexdigest()
    if chunk.content_hash != digest:
        yield f"content_hash is not the SHA-256 of the text: {quoted(chunk.text)}"
    overlap = _overlap(chunk)
    counts = {audit.count(text) for text in (overlap, overlap.rstrip(), overlap.strip())}
    if chunk.has_overlap != bool(overlap) or chunk.overlap_tokens not in counts:
        said = f"has_overlap is {chunk.has_overlap} and overlap_tokens {chunk.overlap_tokens}"
        yield f"{said}, but the overlap has {max(counts)} tokens"
    if chunk.index != piece.number:
        yield f"index is {chunk.index}, but should be {piece.number}"
    if not piece.spans:
        yield f"the chunk has no body: {quoted(chunk.text)}"
        return
    line_of = audit.source.printed_line_of
    first = {line_of(piece.start), line_of(piece.raw_start)}
    last = {line_of(piece.end - 1), line_of(max(piece.raw_end - 1, 0))}
    if chunk.lines[0] not in first or chunk.lines[1] not in last:
        yield f"lines are {chunk.lines[0]}-{chunk.lines[1]}, but should be {min(first)}-{min(last)}"
