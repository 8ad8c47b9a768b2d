"""Laws 3 and 4: the embedded text stays within the cap; counts and claims of records are true."""

import hashlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Final

from treepack.config import PackConfig
from treepack.laws.chunks import AuditedChunk
from treepack.laws.judge import BLANK_LINE, SEPARATOR, Audit, line_of, quoted
from treepack.laws.report import Log
from treepack.model.blocks import Heading, Span, Table
from treepack.model.chunk import Chunk

_ELLIPSIS: Final = "…"
_QUOTE_MARKERS: Final = " \t\r\n>"


def check_cap(audit: Audit) -> None:
    """Check law 3: the embedded text is within the cap, and consists of what it should."""
    if audit.cap is None:
        audit.log.unchecked[3]["no cap given"] = 1
    else:
        audit.log.checked[3] += len(audit.chunks)
    for chunk in audit.chunks:
        for reason in _cap_breaches(audit, chunk):
            audit.find(3, chunk, reason)
        for reason in _embedding_breaches(audit, chunk, chunk.record) if chunk.record else ():
            audit.find(3, chunk, reason)


def _cap_breaches(audit: Audit, chunk: AuditedChunk) -> Iterator[str]:
    if audit.cap is None:
        return
    tokens = audit.count(chunk.record.embed_text if chunk.record else chunk.text)
    is_marked = chunk.record is not None and chunk.record.oversize
    size = f"{tokens} tokens, but the cap is {audit.cap}"
    if tokens <= audit.cap:
        if is_marked:
            yield f"marked oversize, but its {tokens} tokens are within the cap of {audit.cap}"
    elif not is_marked:
        yield f"{size}: {quoted(chunk.text)}"
    elif _holds_kept_block(audit, chunk):
        audit.log.marks[3]["kept above the cap"] += 1
    else:
        kept = "it is not a single table or code block that may be kept whole"
        yield f"{size}; marked oversize, but {kept}"


def _holds_kept_block(audit: Audit, chunk: AuditedChunk) -> bool:
    """Whether a chunk holds a table or code block to be kept, with only headings and a caption."""
    config, reading = audit.config or PackConfig(), audit.reading
    headings = [top for top in reading.tops_in(chunk.start, chunk.end) if isinstance(top, Heading)]
    for place, block in reading.framed_in(chunk.start, chunk.end):
        kept = (config.oversize_table, config.oversize_code)[not isinstance(block, Table)]
        if kept == "keep" and chunk.start <= reading.ink(block.start) and block.end <= chunk.end:
            spans = [(block.start, place.end), *((each.start, each.end) for each in headings)]
            spans += [(each.block.start, next(each.inside()).block.start) for each in place.holders]
            if isinstance(block, Table) and block.caption_span:
                spans.append(block.caption_span)
            after = chunk.start
            for start, end in (*sorted(spans), (chunk.end, chunk.end)):
                if reading.text[after:start].strip(_QUOTE_MARKERS):
                    return False
                after = max(after, end)
            return True
    return False


def _embedding_breaches(audit: Audit, chunk: AuditedChunk, record: Chunk) -> Iterator[str]:
    """Yield what is wrong in the embedded text (breadcrumb, blank line, text) or in the overlap."""
    overlap = chunk.overlap.strip()
    if audit.config and overlap and (tokens := audit.count(overlap)) > audit.overlap:
        yield f"the overlap has {tokens} tokens, but may have {audit.overlap}: {quoted(overlap)}"
    if not record.embed_text.endswith(record.text):
        ending = quoted(record.embed_text[-60:])
        yield f"the embedded text does not end with the chunk's text, but with {ending}"
        return
    head = record.embed_text.removesuffix(record.text)
    line, entries = head.removesuffix(BLANK_LINE), list(record.breadcrumb)
    entries = entries[1:] if entries[:1] == [record.document] else entries
    shown = _shown(line, entries)
    if head == line != "":
        yield f"the embedded text has no blank line after the breadcrumb {quoted(head)}"
    elif shown is None:
        wanted = quoted(SEPARATOR.join(entries))
        yield f"the embedded text begins with {quoted(line)} instead of the breadcrumb {wanted}"
    elif chunk.spans:
        indexes = {*shown, *_needed(audit, chunk, entries)}
        full = line_of(entries[min(indexes) : max(indexes) + 1]) if indexes else ""
        if line != full and not _is_context_long(audit, chunk, full):
            yield f"the breadcrumb is {quoted(line)}, although {quoted(full)} fits"


def _shown(line: str, entries: Sequence[str]) -> range | None:
    """Return the run of entries that a line shows, perhaps shortened; None if it shows no run."""
    for first in range(len(entries) + 1):
        for after in range(first, len(entries) + 1):
            full = SEPARATOR.join(entries[first:after])
            begin, ellipsis, end = line.partition(_ELLIPSIS)
            is_cut = bool(ellipsis) and full.startswith(begin) and full.endswith(end)
            if line == full or is_cut:
                return range(first, after)
    return None


def _needed(audit: Audit, chunk: AuditedChunk, entries: Sequence[str]) -> Iterator[int]:
    """Yield the indexes of the entries that the line must show, because the text does not.

    The text shows the headings in it, each for one entry, and the clause that it begins with.
    """
    found = [each for span in chunk.shown for each in audit.reading.headings_in(*span)]
    titles = [s.heading.text for s in {id(s): s for s in found}.values() if s.heading]
    around = audit.reading.named(chunk.start)
    begins = [name for each, name in around if audit.reading.ink(each.start) == chunk.start]
    for index in range(len(entries) - 1, -1, -1):
        if entries[index] in titles:
            titles.remove(entries[index])
        elif entries[index] not in begins:
            yield index


def _is_context_long(audit: Audit, chunk: AuditedChunk, line: str) -> bool:
    """Whether the whole breadcrumb takes half the cap with the context.

    Text at the beginning that must stay with its content counts too. So does what closes the
    previous chunk, if this one goes on with the same block: each piece needs room for it, even if
    it turns out to be the last, which the source closes.
    """
    reading = audit.reading
    first = next(iter(reading.across(chunk.start + 1, chunk.start)), None)
    first = first and reading.content(first)
    opening = ""
    if first and first.block.start < chunk.end:
        begin = max(first.block.start, chunk.start)
        opening = reading.text[chunk.start : begin] + audit.opening(first, chunk.start)
    before = audit.before(chunk)
    closing = audit.sides(before)[1] if before else 0
    tokens = sum(audit.sides(chunk)) + audit.count(f"{line}{BLANK_LINE}{opening}") + closing
    return audit.cap is None or audit.is_above_half(tokens)


def check_counts(audit: Audit) -> None:
    """Check law 4: the counts, hash and index of each record are true."""
    if not all(chunk.record for chunk in audit.chunks):
        audit.log.unchecked[4]["chunks that are only texts have no counts"] = 1
    for chunk in audit.chunks:
        if chunk.record is not None:
            audit.log.checked[4] += 1
            for reason in _count_breaches(audit, chunk, chunk.record):
                audit.find(4, chunk, reason)


def _count_breaches(audit: Audit, chunk: AuditedChunk, record: Chunk) -> Iterator[str]:
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
    counts = {audit.count(text) for text in (chunk.overlap, chunk.overlap.strip())}
    if record.overlap_tokens not in counts:
        claim = f"overlap_tokens is {record.overlap_tokens}"
        yield f"{claim}, but the overlap has {max(counts)} tokens"
    if not chunk.spans:
        yield f"the chunk has no body: {quoted(record.text)}"


def check_levels(log: Log, chunks: Sequence[AuditedChunk], wanted: int | None) -> None:
    """Check law 4 for ids, indexes, levels and parents, and law 1 for the place of each child.

    The chunks are those of all levels, in order: parents come before their children. ``wanted`` is
    how many levels there should be, if that is known.
    """
    by_id: dict[str, AuditedChunk] = {}
    for chunk in chunks:
        if chunk.record is not None:
            for law, reason in _level_breaches(chunk, chunk.record, by_id, wanted):
                log.find(law, reason, chunk.start if chunk.spans else None, chunk.number)
            by_id[chunk.record.id] = chunk


def _level_breaches(
    chunk: AuditedChunk, record: Chunk, by_id: Mapping[str, AuditedChunk], wanted: int | None
) -> Iterator[tuple[int, str]]:
    if record.index != chunk.number:
        yield 4, f"index is {record.index}, but should be {chunk.number}"
    if record.id in by_id:
        yield 4, f"another chunk has the same id: {record.id}"
    if wanted is not None and not 0 <= record.level < wanted:
        yield 4, f"its level is {record.level}, but levels are 0 to {wanted - 1}"
    parent = by_id.get(record.parent_id or "")
    above = parent.record.level if parent and parent.record else -1
    if record.level == 0:
        if record.parent_id is not None:
            yield 4, f"its level is 0, but it has the parent {record.parent_id}"
    elif parent is None or above != record.level - 1:
        yield 4, f"no chunk of the level above has its parent_id: {record.parent_id}"
    elif chunk.spans and not (
        parent.spans and parent.start <= chunk.start <= chunk.end <= parent.end
    ):
        yield 1, f"its body is not inside the body of its parent: {quoted(record.text)}"


# -------------------------------------------------------------------- claims


def check_claims(audit: Audit) -> None:
    """Check law 7 for changed headings and markup, law 4 for lines, pages and clauses."""
    records = [chunk.record for chunk in audit.chunks if chunk.record]
    for chunk in audit.chunks:
        for reason in (
            _claim_breaches(audit, chunk, chunk.record) if chunk.record and chunk.spans else ()
        ):
            audit.find(4, chunk, reason)
    if not any(record.index == 0 for record in records):
        return  # only the document's first chunk says how the source was read
    document, source = audit.reading.document, audit.reading.document.source
    listed = {change for record in records for change in record.outline_changes}
    for change in listed ^ {*document.outline_changes}:
        where = f"the heading {quoted(change.title)} of line {change.line}"
        how = f"level {change.old_level} becomes {change.new_level}, because {change.reason}"
        missing = "source" if change in listed else "record"
        is_line = 1 <= change.line <= source.line_count
        at = source.line_starts[change.line - 1] if is_line else None
        audit.log.find(7, f"{where}: {how}; but the {missing} does not say so", at)
    if document.is_plain != any(record.markup == "plain" for record in records):
        audit.log.find(7, f"the text was read as {document.markup}, but the records differ", 0)


def _claim_breaches(audit: Audit, chunk: AuditedChunk, record: Chunk) -> Iterator[str]:
    """Yield which claims about the body are not true; whitespace around it may count or not."""
    source, clauses = audit.reading.document.source, audit.reading.clauses
    lines = [
        (source.line_at(start) + 1, source.line_at(max(end - 1, 0)) + 1)
        for start in {chunk.start, chunk.raw[0]}
        for end in {chunk.end, chunk.raw[1]}
    ]
    if record.lines not in lines:
        first, last = min(lines)
        yield f"lines are {record.lines[0]}-{record.lines[1]}, but should be {first}-{last}"
    pages = tuple(sorted({*_pages(audit, chunk.spans)}))
    if record.pages != pages:
        yield f"pages are {record.pages}, but should be {pages}"
    claimed = (record.clause_number, record.clause_path, record.clauses)
    first, after = (bisect_left(audit.reading.clause_starts, at) for at in (chunk.start, chunk.end))
    inner = tuple(clause.number for clause in clauses[first:after])
    around = [clauses.cited_at(start, chunk.end) for start in (chunk.raw[0], chunk.start)]
    right = [(each.number, each.path, inner) if each else (None, (), inner) for each in around]
    if claimed not in right:
        yield f"clauses are {claimed}, but should be {right[0]}"


def _pages(audit: Audit, spans: Sequence[Span]) -> Iterator[int]:
    """Yield the pages on which the spans have text; text before the first mark has no page."""
    marks, text = audit.reading.document.source.page_marks, audit.reading.text
    for start, end in spans if marks else ():
        first = max(bisect_right(marks, start, key=itemgetter(0)) - 1, 0)
        for number in range(first, bisect_left(marks, end, key=itemgetter(0))):
            stop = marks[number + 1][0] if number + 1 < len(marks) else end
            if text[max(marks[number][0], start) : min(stop, end)].strip():
                yield marks[number][1]
