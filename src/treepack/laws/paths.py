"""Laws 7 and 8: where a chunk's text stands in the document, and headings with their content."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from treepack.laws.chunks import AuditedChunk
from treepack.laws.judge import LONGEST_TOKEN, SLACK, Audit, quoted
from treepack.model.blocks import Heading, Table
from treepack.model.chunk import Segment
from treepack.model.section import Section

_LAW_OF_ROLE: Final = {"heading": 7, "caption": 5, "table_header": 5, "fence": 6, "overlap": 1}


def check_paths(audit: Audit) -> None:
    """Check law 7 for each top-level block in each chunk.

    Sections are compared by identity, so sections with the same title are not confused.
    """
    reading = audit.reading
    for chunk in audit.chunks:
        tops = [top for span in chunk.spans for top in reading.tops_in(*span)]
        audit.log.checked[7] += len(tops)
        seen = {id(section) for section in _named_sections(audit, chunk)}
        seen |= {id(each) for span in chunk.shown for each in reading.headings_in(*span)}
        for section in (section for top in tops for section in reading.headed(top.start)):
            title = section.heading.text if section.heading else ""
            if id(section) not in seen and title and title not in chunk.text_before:
                where = "is neither in the breadcrumb nor before the block in the text"
                reason = f"the heading {quoted(title)} above a block {where}"
                audit.find(7, chunk, reason, max(section.start, chunk.start))
            seen.add(id(section))


def _named_sections(audit: Audit, chunk: AuditedChunk) -> Sequence[Section]:
    """Return the sections that the breadcrumb names; log entries that are not above the chunk."""
    if chunk.record is None or not chunk.spans:
        return ()
    entries = [*chunk.record.breadcrumb]
    if entries[:1] == [chunk.record.document]:
        entries.pop(0)
    above = audit.reading.headed(chunk.start, chunk.end)
    clauses = [name for _, name in audit.reading.named(chunk.start, chunk.end)]
    named: list[Section] = []
    for entry in entries:
        titles = [section.heading and section.heading.text for section in above]
        if entry in titles:
            named.append(above[titles.index(entry)])
            above = above[titles.index(entry) + 1 :]
        elif entry not in clauses:
            reason = f"the breadcrumb entry {quoted(entry)} is not above all of the chunk"
            audit.find(7, chunk, reason)
    return named


def check_context(audit: Audit) -> None:
    """Check that what a record repeats is a slice that belongs to what the body is cut from."""
    source = audit.reading.document.source.text
    for chunk in audit.ordered:
        for segment in chunk.segments if len(chunk.segments) > 1 else ():
            law = _LAW_OF_ROLE.get(segment.role) if segment.text.strip() else None
            is_exact = segment.span is None or source[slice(*segment.span)] == segment.text
            if law and is_exact and not _belongs(audit, chunk, segment):  # law 2 has wrong spans
                what = f"what it repeats as {segment.role} does not belong to its body"
                audit.find(law, chunk, f"{what}: {quoted(segment.text)}")


def _belongs(audit: Audit, chunk: AuditedChunk, segment: Segment) -> bool:
    """Whether a segment is from above the body, or from a block around it.

    That is a heading above it; the intro of the list or the points around it; the caption of a
    table in it; the header of a table or the fence around it; the end of the previous chunk.
    """
    reading = audit.reading
    if segment.span is None:  # the parsed text shows what made-up headers and fences make of it
        return segment.role in {"table_header", "fence"}
    start, end = reading.trimmed(*segment.span)
    match segment.role:
        case "overlap":
            before = audit.before(chunk)
            return before is not None and before.raw[0] <= start < chunk.start
        case "heading":
            return _is_above(audit, chunk, start, end)
        case "caption":
            held = [each for _, each in reading.framed_in(chunk.start, chunk.end)]
            captions = [reading.caption(each)[-1] for each in held if isinstance(each, Table)]
            return segment.text.strip() in map(str.strip, captions)
        case _:
            across = [each.block for each in reading.across(chunk.start + 1, chunk.start)]
            kinds = {"table"} if segment.role == "table_header" else {"code", "math", "container"}
            return any(each.start <= start < each.end and each.kind in kinds for each in across)


def _is_above(audit: Audit, chunk: AuditedChunk, start: int, end: int) -> bool:
    """Whether a span is a heading above the body, or introduces the list or points around it."""
    reading = audit.reading
    above = [section.heading for section in reading.headed(chunk.start) if section.heading]
    if any(heading.start <= start and end <= heading.end for heading in above):
        return True
    intro = next(iter(reading.across(end, end - 1)[-1:]), None)
    if intro is None or end != intro.block.end or not reading.introduces(intro, chunk.start):
        return False
    # In plain text, the number of an item comes before its first paragraph.
    return reading.line(intro.block.start) <= start <= reading.ink(intro.block.start)


def check_orphans(audit: Audit) -> None:
    """Check law 8 for the headings at the end of each chunk."""
    audit.log.checked[8] += sum(section.heading is not None for section in audit.reading.sections)
    for left, _ in pairwise(audit.ordered):
        if orphan := _orphan(audit, left):
            reason = f"the heading {quoted(orphan.text)} is separated from its content"
            audit.find(8, left, reason, orphan.start)


def _orphan(audit: Audit, left: AuditedChunk) -> Heading | None:
    """Return the first of the headings that end a chunk and wait for their content, or None.

    Headings one below the other belong together, up to the first content under them. A section
    may have nothing but headings; then only the last one must share its chunk with the next. If
    the headings are too long for one chunk with the first of the content, any cut is allowed.
    """
    reading = audit.reading
    place = next(iter(reading.across(left.end, left.end - 1)), None)
    after = place and place.sibling(1)
    if place is None or after is None or place.block.end > left.end:
        return None
    content = reading.content(after)
    last = reading.section_at(place.block.start)
    orphan, start = None, place.block.start
    while place is not None and isinstance(place.block, Heading) and place.block.end > left.start:
        section = reading.section_at(place.block.start)
        if section.end > after.block.start:
            start = section.start
            is_waiting = content is not None and content.block.start < section.end
            orphan = place.block if is_waiting or section is last else orphan
        place = place.sibling(-1)
    if orphan is None or audit.cap is None:
        return orphan
    if content is None or content.block.start >= reading.section_at(orphan.start).end:
        content = after
    start, block = max(start, left.start), content.block
    is_heading = isinstance(block, Heading)
    text = reading.text[start : block.end if is_heading else block.start]
    text += "" if is_heading else audit.opening(content, block.start, with_unit=True)
    if len(text) > audit.cap * LONGEST_TOKEN:
        return None
    context = sum(audit.sides(left)) + audit.line_tokens(left, start, start + 1)
    context += audit.overlap + SLACK if audit.overlap else 0
    return orphan if audit.count(text) + context + SLACK <= audit.cap else None
