"""Law 9: a boundary cuts nothing that would have fitted a chunk of its own."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import regex

from treepack.clauses.clause import clauses_around, named_of
from treepack.laws.audit_context import MOST_CHARACTERS, SLACK, AuditContext, quoted
from treepack.laws.claims.clauses import has_ended, is_between_clauses
from treepack.laws.fences import Code
from treepack.laws.pieces import Piece
from treepack.laws.reading import sentences
from treepack.laws.reading.blocks import Block
from treepack.laws.reading.parsed_source import ParsedSource
from treepack.laws.reading.titles import same_title
from treepack.laws.tables.repeats import repeated_above
from treepack.model.source import LINE_END

_CLUSTER: Final = regex.compile(r"\X")
_WINDOW: Final = 2048
_KINDS_OF_LINES: Final = {"fence", "code", "math", "front matter", "lines"}
_KINDS_OF_TEXT: Final = {"paragraph", "heading", "nested heading", "html"}
_OWN_TEXT: Final = "section's own text"
_PARTED: Final = {_OWN_TEXT, "list"}  # these may be cut between clauses
_LONGEST_LABEL: Final = 12  # characters of a label in a paragraph of its own
_QUOTE_MARKS: Final = " \t>"
_LATIN_END: Final = "\u0300"
_HEADING_MARK: Final = re.compile(r"#{1,6}[ \t]+")
# What is not parted from the first word of a block: tags and marks of quotes, a number sign.
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
        is_first: Whether it is at the beginning of the top-level block that holds it.
        repeated: Text that a chunk with this unit has to repeat: a table header, a fence.
        containers: The items, quotes and other containers around it; a chunk repeats their marks.
        lead: Where its lead-in begins; None if it has none.
    """

    name: str
    start: int
    end: int
    is_first: bool = False
    repeated: str = ""
    containers: Sequence[Block] = ()
    lead: int | None = None


def check_cuts(audit: AuditContext) -> None:
    """Law 9, for the boundary between each chunk and the next."""
    if audit.limits.max_tokens is None:
        audit.log.unchecked(9, "no cap given, so only grapheme clusters were looked at")
    for left, right in pairwise(audit.bodies):
        audit.log.checked(9)
        places = {left.raw_end, right.raw_start}
        span = next(filter(None, (_cluster_across(audit.source.text, at) for at in places)), None)
        if span and _fits(audit, left, right, Unit("grapheme cluster", *span)):
            said = quoted(audit.source.text[slice(*span)])
            audit.breach(9, right, f"a grapheme cluster is cut: {said}", span[0])
        elif audit.limits.max_tokens is not None and not _is_between_parents(left, right):
            _check_units(audit, left, right)


def _is_between_parents(left: Piece, right: Piece) -> bool:
    """Whether a boundary is one of the level above, where it is judged with the cap of that."""
    if left.chunk is None or right.chunk is None:
        return False
    return left.chunk.parent_id != right.chunk.parent_id


def _fits(audit: AuditContext, left: Piece, right: Piece, unit: Unit) -> bool:
    return audit.limits.max_tokens is None or _tokens(audit, left, right, unit) is not None


def _check_units(audit: AuditContext, left: Piece, right: Piece) -> None:
    """Report the outermost unit that is cut though it fits."""
    for unit in _cut_units(audit, left, right):
        tokens = _tokens(audit, left, right, unit)
        if tokens is None:
            continue
        if unit.name not in _PARTED or not is_between_clauses(audit.source, left, right):
            text = quoted(audit.source.text[unit.start : unit.end])
            where = quoted(audit.source.text[max(left.end - 24, unit.start) : left.end])
            reason = f"a {unit.name} of {tokens} tokens that fits is cut after {where}: {text}"
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
        # On a slice: matched in place, the pattern would look back over all flags before its start.
        match = _CLUSTER.match(text[start : place + _WINDOW])
        assert match is not None, "any character begins a cluster"
        if start + match.end() > place:
            return start, start + match.end()
        start += match.end()
    return None


def _cut_units(audit: AuditContext, left: Piece, right: Piece) -> Iterator[Unit]:
    """What a boundary cuts, from the outermost on: sections, blocks, lines, sentence, word."""
    yield from _cut_sections(audit, left.end, right)
    end, start = left.end, right.start
    siblings: Sequence[Block] = audit.source.blocks
    is_first = True
    lead: int | None = None
    block: Block | None = None
    after = 0  # what closes a block, or is blank in it, stays with the last inside
    while (place := _place_of_cut(siblings, end, start)) is not None:
        holder, block = block, siblings[place]
        after = after if holder and place == len(siblings) - 1 else block.end
        is_row = block.kind == "row"
        lead_in = audit.leading(block)
        begins = holder is None or place - bool(lead_in) <= int(is_row)
        if begins and lead is None and holder is not None and holder.kind == "container":
            lead = holder.start  # its title and the blank lines below
        elif not begins or lead is None:
            lead = lead_in.start if lead_in else _labels_before(audit.source.text, block)
        is_first = is_first and begins
        repeated = repeated_above(audit, holder, place) if holder is not None and is_row else ""
        # A header that is too long to be repeated may be parted from the rule below it.
        is_head = is_row and place == 0 and not block.table.is_html
        if not (is_head and LINE_END.search(audit.source.text, end, start)):
            unit = Unit(block.kind, block.start, after, is_first, repeated, block.containers, lead)
            yield unit
        siblings = block.children
    if block is None:
        return
    tie = audit.table(block).tie_across(end, start) if block.kind == "table" else None
    if tie is not None:
        above = repeated_above(audit, block, tie[0])
        if is_first and tie[0] == 1:  # headings and lead-in, which are not parted from the table
            begin = audit.glued_start(block.start if lead is None else lead, _WINDOW)
            above = audit.source.text[begin : block.start] + above
        name = "run of rows tied by a rowspan"
        _, first, last = tie
        last = after if last == block.children[-1].end else last
        yield Unit(name, first, last, repeated=above, containers=block.containers)
    for unit in _cut_inside(audit, block, end, start, is_first=is_first):
        unit.containers = block.containers
        begins = unit.is_first or _begins(audit.source.text, block, unit.start)
        unit.lead = (block.start if lead is None else lead) if begins else None
        unit.end = after if unit.end == block.end else unit.end
        yield unit


def _labels_before(text: str, block: Block) -> int | None:
    """Where the paragraphs before a block begin that are only labels; None if there are none.

    Laws that come from HTML have each label in a paragraph of its own, sometimes twice.
    """
    first: int | None = None
    before = block.before
    while before and before.kind == "paragraph" and before.end - before.start <= _LONGEST_LABEL:
        if len(text[before.start : before.end].split()) > 1:
            break
        first, before = before.start, before.before
    return first


def _cut_inside(
    audit: AuditContext, block: Block, end: int, start: int, *, is_first: bool
) -> Iterator[Unit]:
    """The line, element, sentence and word of a block without children that a boundary cuts."""
    text = audit.source.text
    widest = MOST_CHARACTERS * (audit.limits.max_tokens or 0)
    is_html = block.kind == "html"
    is_code = is_html and sentences.is_literal(audit.read(sentences.literal_ends, block), end)
    fence = ""
    begun = block.start  # where the text begins that nothing but marks stands before
    if (block.kind in _KINDS_OF_LINES or is_code) and not block.children:
        line, first = (audit.source.line_of(at) - 1 for at in (end - 1, block.start))
        span = audit.source.span_of_lines(line, line + 1)
        fence = "" if line == first else Code(audit.source, block).fences
        if span[1] > start:
            opening = audit.source.span_of_lines(first, first + 1)[1]
            is_near = span[0] - opening <= widest
            begins = line <= first or (is_near and not text[opening : span[0]].strip())
            begun = span[0] if begins else begun
            yield Unit("line", *span, is_first and begins, fence)
    elif block.kind in _KINDS_OF_TEXT and not block.children:
        for name, found in _cut_text(audit, block, (end, start), widest):
            yield Unit(name, *found, is_first and _begins(text, block, found[0]))
    word = sentences.word_around(text, end, start, widest)
    if word is not None:
        begins = _begins(text, block, word[0]) or not text[begun : word[0]].strip(_QUOTE_MARKS)
        yield Unit("word", *word, is_first and begins, fence)


def _begins(text: str, block: Block, place: int) -> bool:
    """Whether a block begins at a place, or has only marks before that are not parted from it."""
    pattern = _FIRST_MARKS.get(block.kind)
    marks = pattern.match(text, block.start, place) if pattern else None
    return place <= (marks.end() if marks else block.start)


def _cut_text(
    audit: AuditContext, block: Block, cut: tuple[int, int], widest: int
) -> Iterator[tuple[str, tuple[int, int]]]:
    """What a boundary inside a text surely cuts: an element of HTML, a sentence, a line, a tag."""
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


def _place_of_cut(blocks: Sequence[Block], end: int, start: int) -> int | None:
    """Which of some blocks is cut between ``end`` and ``start``."""
    place = bisect_right(blocks, end - 1, key=lambda block: block.start) - 1
    return place if place >= 0 and blocks[place].end > start else None


def _cut_sections(audit: AuditContext, end: int, right: Piece) -> Iterator[Unit]:
    start = right.start
    deepest = audit.source.section_at(end - 1)
    if audit.limits.sections == "separate":
        following = audit.source.section_at(start)
        if deepest is not None and deepest is following:
            below = audit.source.sections_between(deepest.start + 1, deepest.end)
            own_end = below[0].start if below else deepest.end
            yield Unit(_OWN_TEXT, deepest.start, own_end, is_first=True)
        return
    blocks = audit.source.blocks
    yield Unit("document", blocks[0].start, blocks[-1].end)
    for section in deepest.path if deepest else ():
        if section.end > start and not has_ended(audit.source, section, right):
            yield Unit("section", section.start, section.end, is_first=True)


def _point_tokens(audit: AuditContext, right: Piece, unit: Unit) -> int:
    """Tokens of the point that goes on in a chunk, which a breadcrumb names below a clause.

    A chunk that holds more than the rest of the point does not name it; then it is looked up which
    clauses and points a chunk of only the unit would name.
    """
    chunk = right.chunk
    if chunk is None or chunk.clause_continued is None or not chunk.breadcrumb:
        return 0
    section = audit.source.section_at(right.start)
    last = chunk.breadcrumb[-1]
    if last == chunk.document or (section and same_title(last, section.title)):
        around = clauses_around(audit.source.clauses, unit.start)
        whole = [clause.name for clause in named_of(around) if clause.end >= unit.end]
        return audit.count("".join(f" > {name}" for name in whole))
    return audit.count(f" > {chunk.clause_continued}")


def _tokens(audit: AuditContext, left: Piece, right: Piece, unit: Unit) -> int | None:
    """The tokens of a unit if one chunk could have held it with all its context; else None.

    The count is generous: it includes the headings that must stand before the unit, the full
    breadcrumb, the larger context of the two chunks, and the overlap.
    """
    assert audit.limits.max_tokens is not None, "asked only where there is a cap"
    room = audit.limits.max_tokens - SLACK // 2
    if audit.limits.overlap_tokens:
        room -= audit.limits.overlap_tokens + SLACK
    lead = unit.start if unit.lead is None else unit.lead
    if unit.is_first:
        lead = audit.glued_start(lead, room * MOST_CHARACTERS)
    elif unit.containers:
        lead = _line_start(audit.source, lead)
    if unit.end - lead > room * MOST_CHARACTERS:
        return None
    tokens = audit.count_span(lead, unit.end)
    if tokens > room:
        return None
    repeated = audit.marked_tokens(unit.containers, unit.repeated)
    repeated += audit.heading_tokens(unit.start, audit.count(unit.repeated))
    # The first piece of a block lacks what is repeated before, the last one what closes it.
    around = zip(audit.tokens_around(left), audit.tokens_around(right), strict=True)
    context = max(sum(map(max, around)), repeated)
    is_section = unit.name in {"section", "document"}
    line = audit.breadcrumb_tokens(right, unit.start, unit.end, is_section=is_section)
    if not is_section:
        line += _point_tokens(audit, right, unit)
    return tokens if tokens + context + line <= room else None


def _line_start(source: ParsedSource, place: int) -> int:
    """Where the line of a place begins if nothing but marks of quotes stands before, or the place.

    A chunk has the marks of its first line as they are written, with all their blanks.
    """
    start = source.line_starts[source.line_of(place) - 1]
    return place if source.text[start:place].strip(_QUOTE_MARKS) else start
