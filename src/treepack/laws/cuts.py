"""Law 9: a boundary cuts nothing that would have fitted a chunk of its own."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import regex

from treepack.clauses.clause import breadcrumb_clauses
from treepack.laws.audit_context import MOST_CHARACTERS, SLACK, AuditContext, quoted
from treepack.laws.claims.clauses import has_ended, is_between_clauses
from treepack.laws.fences import Code
from treepack.laws.openings import QUOTE_MARKS, headed, lead_of, line_start
from treepack.laws.pieces import AuditedChunk
from treepack.laws.reading import sentences
from treepack.laws.reading.blocks import AuditBlock
from treepack.laws.reading.titles import same_title
from treepack.laws.tables.repeats import repeated_above
from treepack.model.blocks import Span
from treepack.model.source import LINE_END

_CLUSTER: Final = regex.compile(r"\X")
_WINDOW: Final = 2048
_KINDS_OF_LINES: Final = {"fence", "code", "math", "front matter", "lines"}
_KINDS_OF_TEXT: Final = {"paragraph", "heading", "nested heading", "html"}
_OWN_TEXT: Final = "section's own text"
_PARTED: Final = {_OWN_TEXT, "list"}  # these may be cut between clauses
_LATIN_END: Final = "\u0300"
_HEADING_MARK: Final = re.compile(r"#{1,6}[ \t]+")
# What stays with the first word of a block: tags and quote markers, or the marker of a heading.
_FIRST_MARKS: Final = {
    "html": re.compile(r"(?:[\s>]|<[^<>]*>|)*+"),
    "heading": _HEADING_MARK,
    "nested heading": _HEADING_MARK,
}


@dataclass(eq=False, slots=True)
class Unit:
    """Something that a boundary cuts.

    Attributes:
        name: What it is.
        start: First character.
        end: After the last one.
        lead: Where the text begins that must share a chunk with the unit's first character.
        repeated: Text that a chunk with this unit has to repeat: a table header, a fence.
        containers: The items, quotes and other containers around it, whose markers are repeated.
    """

    name: str
    start: int
    end: int
    lead: int
    repeated: str = ""
    containers: Sequence[AuditBlock] = ()


def check_cuts(audit: AuditContext) -> None:
    """Check law 9 at the boundary between each chunk and the next."""
    if audit.limits.max_tokens is None:
        audit.log.unchecked(9, "units above grapheme clusters, because no cap was given")
    for left, right in pairwise(audit.bodies):
        audit.log.checked(9)
        places = {left.raw_end, right.raw_start}
        span = next(filter(None, (_cluster_across(audit.source.text, at) for at in places)), None)
        if span and _fits(audit, left, right, Unit("grapheme cluster", *span, span[0])):
            said = quoted(audit.source.text[slice(*span)])
            audit.breach(9, right, f"a grapheme cluster is cut: {said}", span[0])
        elif audit.limits.max_tokens is not None and not _is_between_parents(left, right):
            _check_units(audit, left, right)


def _is_between_parents(left: AuditedChunk, right: AuditedChunk) -> bool:
    """Whether a boundary lies between two parents, where it is checked with the parents' cap."""
    if left.chunk is None or right.chunk is None:
        return False
    return left.chunk.parent_id != right.chunk.parent_id


def _fits(audit: AuditContext, left: AuditedChunk, right: AuditedChunk, unit: Unit) -> bool:
    return audit.limits.max_tokens is None or _tokens(audit, left, right, unit) is not None


def _check_units(audit: AuditContext, left: AuditedChunk, right: AuditedChunk) -> None:
    """Report the outermost unit that is cut though it fits."""
    for unit in _cut_units(audit, left, right):
        tokens = _tokens(audit, left, right, unit)
        if tokens is None:
            continue
        if unit.name not in _PARTED or not is_between_clauses(audit.source, left, right):
            text = quoted(audit.source.text[unit.start : unit.end])
            where = quoted(audit.source.text[max(left.end - 24, unit.start) : left.end])
            article = "an" if unit.name == "element" else "a"
            size = f"{article} {unit.name} of {tokens} tokens"
            reason = f"{size} would fit into one chunk, but is cut after {where}: {text}"
            audit.breach(9, right, reason)
            return


def _cluster_across(text: str, place: int) -> tuple[int, int] | None:
    if not 0 < place < len(text):
        return None
    if text[place] < _LATIN_END and text[place - 1] < _LATIN_END and text[place] != "\n":
        return None
    start, limit = place - 1, max(place - _WINDOW, 0)
    while start > limit and not (text[start] < _LATIN_END and text[start] != "\n"):
        start -= 1
    while start < place:
        # Match a slice: in place, the pattern would look back over all flag emoji before its start.
        match = _CLUSTER.match(text[start : place + _WINDOW])
        assert match is not None, "any character begins a cluster"
        if start + match.end() > place:
            return start, start + match.end()
        start += match.end()
    return None


def _cut_units(audit: AuditContext, left: AuditedChunk, right: AuditedChunk) -> Iterator[Unit]:
    """Yield what a boundary cuts, outermost first: sections, blocks, line, sentence, word."""
    yield from _cut_sections(audit, left.end, right)
    end, start = left.end, right.start
    siblings: Sequence[AuditBlock] = audit.source.blocks
    block: AuditBlock | None = None
    after = 0  # a last child reaches to the end of its holder, over what closes the holder
    while (place := _place_of_cut(siblings, end, start)) is not None:
        holder, block = block, siblings[place]
        after = after if holder and place == len(siblings) - 1 else block.end
        is_row = block.kind == "row"
        # A header that is too long to be repeated may be separated from the delimiter row below.
        is_head = is_row and place == 0 and not block.table.is_html
        if not (is_head and LINE_END.search(audit.source.text, end, start)):
            lead, above = lead_of(audit, block), ""
            if holder is not None and is_row and place > 0:
                lead, above = block.start, _above_row(audit, holder, place)
            yield Unit(block.kind, block.start, after, lead, above, block.containers)
        siblings = block.children
    if block is None:
        return
    if block.kind == "table" and (tie := audit.table(block).tie_across(end, start)):
        number, first, last = tie
        last = after if last == block.children[-1].end else last
        above = _above_row(audit, block, number)
        yield Unit("run of rows tied by a rowspan", first, last, first, above, block.containers)
    for unit in _cut_inside(audit, block, end, start):
        unit.end = after if unit.end == block.end else unit.end
        yield unit


def _above_row(audit: AuditContext, table: AuditBlock, row: int) -> str:
    """Return what a chunk that begins with a row has above it, and what closes the table.

    The first row stays with the header, and the header stays with what introduces the table.
    """
    before = audit.source.text[lead_of(audit, table) : table.start] if row == 1 else ""
    return before + repeated_above(audit, table, row)


def _cut_inside(audit: AuditContext, block: AuditBlock, end: int, start: int) -> Iterator[Unit]:
    """Yield the line, element, tag, sentence and word that a boundary cuts in the deepest block."""
    text = audit.source.text
    widest = MOST_CHARACTERS * (audit.limits.max_tokens or 0)
    is_html = block.kind == "html"
    is_code = is_html and sentences.is_literal(audit.read(sentences.literal_ends, block), end)
    fence = ""
    begun = block.start  # where the text begins that has only markup before it

    def unit(name: str, span: Span) -> Unit:
        begins = _begins(text, block, span[0]) or not text[begun : span[0]].strip(QUOTE_MARKS)
        lead = lead_of(audit, block) if begins else line_start(audit.source, span[0])
        return Unit(name, *span, lead, fence, block.containers)

    if (block.kind in _KINDS_OF_LINES or is_code) and not block.children:
        line, first = (audit.source.line_of(at) - 1 for at in (end - 1, block.start))
        span = audit.source.span_of_lines(line, line + 1)
        fence = "" if line == first else Code(audit.source, block).fences
        if span[1] > start:
            opening = audit.source.span_of_lines(first, first + 1)[1]
            is_near = span[0] - opening <= widest
            if line <= first or (is_near and not text[opening : span[0]].strip()):
                begun = span[0]
            yield unit("line", span)
    elif block.kind in _KINDS_OF_TEXT and not block.children:
        for name, found in _cut_text(audit, block, (end, start), widest):
            yield unit(name, found)
    word = sentences.word_around(text, end, start, widest)
    if word is not None:
        yield unit("word", word)


def _begins(text: str, block: AuditBlock, place: int) -> bool:
    """Whether a block begins at a position, or has only markup before it that stays with it."""
    pattern = _FIRST_MARKS.get(block.kind)
    marks = pattern.match(text, block.start, place) if pattern else None
    return place <= (marks.end() if marks else block.start)


def _cut_text(
    audit: AuditContext, block: AuditBlock, cut: tuple[int, int], widest: int
) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield what a boundary inside a text certainly cuts: an HTML element, tag, sentence, line."""
    text, span, is_html = audit.source.text, (block.start, block.end), block.kind == "html"
    tags = audit.read(sentences.text_tags, block) if is_html else ()
    if element := sentences.element_around(text, tags, cut, widest):
        yield "element", element
    if is_html and (tag := sentences.tag_around(text, span, cut[1])):
        yield "tag", tag
    if sentences.ends_cleanly(text, span, cut, is_html=is_html):
        return
    if sentence := sentences.sentence_around(text, span, cut, widest):
        yield "sentence", sentence
    line = audit.source.line_of(cut[0] - 1) - 1
    first, after = audit.source.span_of_lines(line, line + 1)
    if after > cut[1]:
        yield "line", (max(first, block.start), min(after, block.end))


def _place_of_cut(blocks: Sequence[AuditBlock], end: int, start: int) -> int | None:
    """Return the index of the block that is cut between ``end`` and ``start``, or None."""
    place = bisect_right(blocks, end - 1, key=lambda block: block.start) - 1
    return place if place >= 0 and blocks[place].end > start else None


def _cut_sections(audit: AuditContext, end: int, right: AuditedChunk) -> Iterator[Unit]:
    start = right.start
    deepest = audit.source.section_at(end - 1)
    if audit.limits.sections == "separate":
        following = audit.source.section_at(start)
        if deepest is not None and deepest is following:
            below = audit.source.sections_between(deepest.start + 1, deepest.end)
            own_end = below[0].start if below else deepest.end
            yield Unit(_OWN_TEXT, deepest.start, own_end, headed(audit, deepest.start))
        return
    blocks = audit.source.blocks
    yield Unit("document", blocks[0].start, blocks[-1].end, blocks[0].start)
    for section in deepest.path if deepest else ():
        if section.end > start and not has_ended(audit.source, section, right):
            yield Unit("section", section.start, section.end, headed(audit, section.start))


def _point_tokens(audit: AuditContext, right: AuditedChunk, unit: Unit) -> int:
    """Count the tokens of the point that a chunk continues and a breadcrumb names below a clause.

    A chunk that holds more than the rest of the point does not name it. Then the clauses and points
    are counted that a chunk of only this unit would name.
    """
    chunk = right.chunk
    if chunk is None or chunk.clause_continued is None or not chunk.breadcrumb:
        return 0
    section = audit.source.section_at(right.start)
    last = chunk.breadcrumb[-1]
    if last == chunk.document or (section and same_title(last, section.title)):
        around = audit.source.clauses.around(unit.start)
        whole = [clause.name for clause in breadcrumb_clauses(around) if clause.end >= unit.end]
        return audit.count("".join(f" > {name}" for name in whole))
    return audit.count(f" > {chunk.clause_continued}")


def _tokens(audit: AuditContext, left: AuditedChunk, right: AuditedChunk, unit: Unit) -> int | None:
    """Count the tokens of a unit; None if one chunk could not hold it with all its context.

    The estimate is generous: it includes the headings that must come before the unit, the full
    breadcrumb, the larger context of the two chunks, and the overlap.
    """
    assert audit.limits.max_tokens is not None, "asked only where there is a cap"
    room = audit.limits.max_tokens - SLACK // 2
    if audit.limits.overlap_tokens:
        room -= audit.limits.overlap_tokens + SLACK
    if unit.end - unit.lead > room * MOST_CHARACTERS:
        return None
    tokens = audit.count_span(unit.lead, unit.end)
    if tokens > room:
        return None
    repeated = audit.marked_tokens(unit.containers, unit.repeated)
    repeated += audit.heading_tokens(unit.start, audit.count(unit.repeated))
    # The first piece of a block repeats nothing before its body, the last adds nothing after it.
    around = zip(audit.tokens_around(left), audit.tokens_around(right), strict=True)
    context = max(sum(map(max, around)), repeated)
    is_section = unit.name in {"section", "document"}
    line = audit.breadcrumb_tokens(right, unit.start, unit.end, is_section=is_section)
    if not is_section:
        line += _point_tokens(audit, right, unit)
    return tokens if tokens + context + line <= room else None
