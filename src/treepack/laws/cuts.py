"""Law 9: a boundary cuts nothing that would have fitted a chunk of its own."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import regex

from treepack.clauses.clause import breadcrumb_clauses
from treepack.laws.audit_context import LONGEST_TOKEN, SLACK, AuditContext, quoted
from treepack.laws.chunks import AuditedChunk
from treepack.laws.claims.clauses import has_ended, is_between_clauses
from treepack.laws.fences import Code
from treepack.laws.openings import QUOTE_MARKERS, find_lead_start, headings_start, line_start
from treepack.laws.reading import sentences
from treepack.laws.reading.blocks import AuditBlock
from treepack.laws.reading.titles import same_title
from treepack.laws.tables.repeats import repeated_around_rows
from treepack.model.blocks import Span
from treepack.model.source import LINE_END

_CLUSTER: Final = regex.compile(r"\X")
_LONGEST_CLUSTER: Final = 2048
_LINE_KINDS: Final = {"fence", "code", "math", "front matter", "lines"}
_TEXT_KINDS: Final = {"paragraph", "heading", "nested heading", "html"}
_SECTION_TEXT: Final = "section's own text"
_CUT_AT_CLAUSES: Final = {_SECTION_TEXT, "list"}  # these may be cut between clauses
_FIRST_COMBINING: Final = "\u0300"
_HEADING_MARKER: Final = re.compile(r"#{1,6}[ \t]+")
# What stays with the first word of a block: tags and quote markers, or the marker of a heading.
_LEADING_MARKUP: Final = {
    "html": re.compile(r"(?:[\s>]|<[^<>]*>|)*+"),
    "heading": _HEADING_MARKER,
    "nested heading": _HEADING_MARKER,
}


@dataclass(eq=False, slots=True)
class Unit:
    """Something that a boundary cuts.

    Attributes:
        name: What it is.
        start: First character.
        end: After the last one.
        lead_start: Where the text begins that must share a chunk with the unit's first character.
        repeated: Text that a chunk with this unit has to repeat: a table header, a fence.
        containers: The items, quotes and other containers around it, whose markers are repeated.
    """

    name: str
    start: int
    end: int
    lead_start: int
    repeated: str = ""
    containers: Sequence[AuditBlock] = ()


def check_cuts(audit: AuditContext) -> None:
    """Check law 9 at the boundary between each chunk and the next."""
    if audit.limits.max_tokens is None:
        audit.log.note_unchecked(9, "units above grapheme clusters, because no cap was given")
    for left, right in pairwise(audit.ordered_chunks):
        audit.log.count_checked(9)
        offsets = {left.raw_end, right.raw_start}
        clusters = (_cluster_across(audit.source.text, offset) for offset in offsets)
        span = next(filter(None, clusters), None)
        if span and _fits(audit, left, right, Unit("grapheme cluster", *span, span[0])):
            cluster = quoted(audit.source.text[slice(*span)])
            audit.add_finding(9, right, f"a grapheme cluster is cut: {cluster}", span[0])
        elif audit.limits.max_tokens is not None and not _is_between_parents(left, right):
            _check_units(audit, left, right)


def _is_between_parents(left: AuditedChunk, right: AuditedChunk) -> bool:
    """Whether a boundary lies between two parents, where it is checked with the parents' cap."""
    if left.record is None or right.record is None:
        return False
    return left.record.parent_id != right.record.parent_id


def _fits(audit: AuditContext, left: AuditedChunk, right: AuditedChunk, unit: Unit) -> bool:
    return audit.limits.max_tokens is None or _fitting_tokens(audit, left, right, unit) is not None


def _check_units(audit: AuditContext, left: AuditedChunk, right: AuditedChunk) -> None:
    """Report the outermost unit that is cut though it fits."""
    for unit in _cut_units(audit, left, right):
        tokens = _fitting_tokens(audit, left, right, unit)
        if tokens is None:
            continue
        may_cut = unit.name in _CUT_AT_CLAUSES and is_between_clauses(audit.source, left, right)
        if not may_cut:
            text = quoted(audit.source.text[unit.start : unit.end])
            where = quoted(audit.source.text[max(left.end - 24, unit.start) : left.end])
            size = f"a {unit.name} of {tokens} tokens"
            reason = f"{size} would fit into one chunk, but is cut after {where}: {text}"
            audit.add_finding(9, right, reason)
            return


def _cluster_across(text: str, offset: int) -> tuple[int, int] | None:
    if not 0 < offset < len(text):
        return None
    if text[offset] != "\n" and max(text[offset - 1 : offset + 1]) < _FIRST_COMBINING:
        return None
    start, limit = offset - 1, max(offset - _LONGEST_CLUSTER, 0)
    while start > limit and not (text[start] < _FIRST_COMBINING and text[start] != "\n"):
        start -= 1
    while start < offset:
        # Match a slice: in place, the pattern would look back over all flag emoji before its start.
        match = _CLUSTER.match(text[start : offset + _LONGEST_CLUSTER])
        assert match is not None, "any character begins a cluster"
        if start + match.end() > offset:
            return start, start + match.end()
        start += match.end()
    return None


def _cut_units(audit: AuditContext, left: AuditedChunk, right: AuditedChunk) -> Iterator[Unit]:
    """Yield what a boundary cuts, outermost first: sections, blocks, line, sentence, word."""
    yield from _cut_sections(audit, left.end, right)
    end, start = left.end, right.start
    siblings: Sequence[AuditBlock] = audit.source.blocks
    block: AuditBlock | None = None
    block_end = 0  # a last child reaches to the end of its holder, over what closes the holder
    while (index := _cut_index(siblings, end, start)) is not None:
        holder, block = block, siblings[index]
        block_end = block_end if holder and index == len(siblings) - 1 else block.end
        is_row = block.kind == "row"
        # A header that is too long to be repeated may be separated from the delimiter row below.
        is_header = is_row and index == 0 and not block.table.is_html
        if not (is_header and LINE_END.search(audit.source.text, end, start)):
            lead_start, repeated = find_lead_start(audit, block), ""
            if holder is not None and is_row and index > 0:
                lead_start, repeated = block.start, _repeated_around_row(audit, holder, index)
            yield Unit(block.kind, block.start, block_end, lead_start, repeated, block.containers)
        siblings = block.children
    if block is None:
        return
    if block.kind == "table" and (tied_rows := audit.table(block).tied_rows_across(end, start)):
        number, first, last = tied_rows
        last = block_end if last == block.children[-1].end else last
        repeated = _repeated_around_row(audit, block, number)
        yield Unit("run of rows tied by a rowspan", first, last, first, repeated, block.containers)
    for unit in _cut_inside(audit, block, end, start):
        unit.end = block_end if unit.end == block.end else unit.end
        yield unit


def _repeated_around_row(audit: AuditContext, table: AuditBlock, row: int) -> str:
    """Return what a chunk that begins with a row has above it, and what closes the table.

    The first row stays with the header, and the header stays with what introduces the table.
    """
    before = audit.source.text[find_lead_start(audit, table) : table.start] if row == 1 else ""
    return before + repeated_around_rows(audit, table)


def _cut_inside(audit: AuditContext, block: AuditBlock, end: int, start: int) -> Iterator[Unit]:
    """Yield the line, tag, sentence and word that a boundary cuts in the deepest block."""
    text = audit.source.text
    max_distance = LONGEST_TOKEN * (audit.limits.max_tokens or 0)
    fences = ""
    first_text = block.start  # where the text begins that has only markup before it

    def unit(name: str, span: Span) -> Unit:
        before = text[first_text : span[0]].strip(QUOTE_MARKERS)
        is_first = not before or _is_at_beginning(text, block, span[0])
        lead_start = (
            find_lead_start(audit, block) if is_first else line_start(audit.source, span[0])
        )
        return Unit(name, *span, lead_start, fences, block.containers)

    if block.kind in _LINE_KINDS and not block.children:
        line, first_line = (audit.source.line_at(offset) for offset in (end - 1, block.start))
        span = audit.source.line_span(line)
        fences = "" if line == first_line else Code(audit.source, block).fences
        if span[1] > start:
            content_start = audit.source.line_span(first_line)[1]
            is_near = span[0] - content_start <= max_distance
            if line <= first_line or (is_near and not text[content_start : span[0]].strip()):
                first_text = span[0]
            yield unit("line", span)
    elif block.kind in _TEXT_KINDS and not block.children:
        for name, found in _cut_text(audit, block, (end, start), max_distance):
            yield unit(name, found)
    word = sentences.word_around(text, end, start, max_distance)
    if word is not None:
        yield unit("word", word)


def _is_at_beginning(text: str, block: AuditBlock, offset: int) -> bool:
    """Whether a block begins at a position, or has only markup before it that stays with it."""
    pattern = _LEADING_MARKUP.get(block.kind)
    markup = pattern.match(text, block.start, offset) if pattern else None
    return offset <= (markup.end() if markup else block.start)


def _cut_text(
    audit: AuditContext, block: AuditBlock, cut: tuple[int, int], max_distance: int
) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield what a boundary inside a text certainly cuts: a tag, a sentence, a line."""
    text, span, is_html = audit.source.text, (block.start, block.end), block.kind == "html"
    if is_html and (tag := sentences.tag_around(text, span, cut[1])):
        yield "tag", tag
    if sentences.ends_cleanly(text, span, cut, is_html=is_html):
        return
    if sentence := sentences.sentence_around(text, span, cut, max_distance):
        yield "sentence", sentence
    first, after = audit.source.line_span(audit.source.line_at(cut[0] - 1))
    if after > cut[1]:
        yield "line", (max(first, block.start), min(after, block.end))


def _cut_index(blocks: Sequence[AuditBlock], end: int, start: int) -> int | None:
    """Return the index of the block that is cut between ``end`` and ``start``, or None."""
    index = bisect_right(blocks, end - 1, key=lambda block: block.start) - 1
    return index if index >= 0 and blocks[index].end > start else None


def _cut_sections(audit: AuditContext, end: int, right: AuditedChunk) -> Iterator[Unit]:
    start = right.start
    deepest = audit.source.section_at(end - 1)
    if audit.limits.sections == "separate":
        following = audit.source.section_at(start)
        if deepest is not None and deepest is following:
            below = audit.source.sections_between(deepest.start + 1, deepest.end)
            text_end = below[0].start if below else deepest.end
            yield Unit(_SECTION_TEXT, deepest.start, text_end, headings_start(audit, deepest.start))
        return
    blocks = audit.source.blocks
    yield Unit("document", blocks[0].start, blocks[-1].end, blocks[0].start)
    for section in deepest.path if deepest else ():
        if section.end > start and not has_ended(audit.source, section, right):
            yield Unit("section", section.start, section.end, headings_start(audit, section.start))


def _point_tokens(audit: AuditContext, right: AuditedChunk, unit: Unit) -> int:
    """Count the tokens of the point that a chunk continues and a breadcrumb names below a clause.

    A chunk that holds more than the rest of the point does not name it. Then the clauses and points
    are counted that a chunk of only this unit would name.
    """
    record = right.record
    if record is None or record.clause_continued is None or not record.breadcrumb:
        return 0
    section = audit.source.section_at(right.start)
    last = record.breadcrumb[-1]
    if last == record.document or (section and same_title(last, section.title)):
        clauses = audit.source.clauses.around(unit.start)
        names = [clause.name for clause in breadcrumb_clauses(clauses) if clause.end >= unit.end]
        return audit.count("".join(f" > {name}" for name in names))
    return audit.count(f" > {record.clause_continued}")


def _fitting_tokens(
    audit: AuditContext, left: AuditedChunk, right: AuditedChunk, unit: Unit
) -> int | None:
    """Count the tokens of a unit; None if one chunk could not hold it with all its context.

    The estimate is generous: it includes the headings that must come before the unit, the full
    breadcrumb, the larger context of the two chunks, and the overlap.
    """
    assert audit.limits.max_tokens is not None, "asked only where there is a cap"
    room = audit.limits.max_tokens - SLACK // 2
    if audit.limits.overlap_tokens:
        room -= audit.limits.overlap_tokens + SLACK
    if unit.end - unit.lead_start > room * LONGEST_TOKEN:
        return None
    tokens = audit.count_span(unit.lead_start, unit.end)
    if tokens > room:
        return None
    repeated = audit.count_inside(unit.containers, unit.repeated)
    repeated += audit.heading_tokens(unit.start, audit.count(unit.repeated))
    # The first piece of a block repeats nothing before its body, the last adds nothing after it.
    around = zip(audit.tokens_by_side(left), audit.tokens_by_side(right), strict=True)
    context = max(sum(map(max, around)), repeated)
    is_section = unit.name in {"section", "document"}
    line = audit.breadcrumb_tokens(right, unit.start, unit.end, is_section=is_section)
    if not is_section:
        line += _point_tokens(audit, right, unit)
    return tokens if tokens + context + line <= room else None
