"""Law 9: a boundary cuts nothing that would have fitted a chunk of its own."""

from bisect import bisect_left
from collections.abc import Iterator
from itertools import pairwise
from operator import itemgetter
from typing import Final, NamedTuple

import regex

from treepack.graphemes import cluster_end, cluster_start
from treepack.laws.chunks import AuditedChunk
from treepack.laws.codes import fences
from treepack.laws.judge import LONGEST_TOKEN, SLACK, Audit, quoted
from treepack.laws.reading import Place
from treepack.markdown.html_tables import tags
from treepack.model.blocks import CodeBlock, FrontMatter, HtmlBlock, MathBlock, Paragraph, Table
from treepack.model.source import LINE_END

_LONGEST_CLUSTER: Final = 2048
_QUOTE_MARKERS: Final = " \t\r\n>"
# What stays with the first word of a block: tags, markers of quotes and headings, fences.
_LEADING: Final = regex.compile(r"(?:[\s>]|<[^<>]*>|#{1,6}[ \t]|(?:`{3,}|~{3,}|\$\$)[^\r\n]*|)*+")
_BREAK: Final = regex.compile(r"(?:[\r\n]|<br[ \t]*/?>|</\w+>)[\s>]*\Z|[\r\n][ \t>]*[\r\n]")
_WORD: Final = regex.compile(r"\w+")
_WITHOUT_SPACES: Final = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Bopomofo}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
    r"\u30fc\uff70"  # lengthens vowels of Hiragana and Katakana, but belongs to neither script
    r"\p{Tibetan}\p{Yi}\p{Javanese}\p{Balinese}\p{Tai_Le}\p{New_Tai_Lue}\p{Tai_Tham}]"
)


class Unit(NamedTuple):
    """Something that a boundary cuts.

    Attributes:
        name: What it is.
        start: First character.
        end: After the last one.
        lead: Where the text begins that must share a chunk with the unit's first character.
        place: The block that it is, or is in; None for sections.
        repeated: Text that a chunk with this unit has to repeat: a table header, a fence.
    """

    name: str
    start: int
    end: int
    lead: int
    place: Place | None = None
    repeated: str = ""


def check_cuts(audit: Audit) -> None:
    """Check law 9 at the boundary between each chunk and the next."""
    if audit.cap is None:
        audit.log.unchecked[9]["units above grapheme clusters, because no cap was given"] = 1
    for left, right in pairwise(audit.ordered):
        audit.log.checked[9] += 1
        for unit in _units(audit, left, right):
            tokens = _fitting_tokens(audit, left, right, unit)
            if tokens is not None:
                text = quoted(audit.reading.text[unit.start : unit.end])
                where = quoted(audit.reading.text[max(left.end - 24, unit.start) : left.end])
                size = f"a {unit.name} of {tokens} tokens"
                reason = f"{size} would fit into one chunk, but is cut after {where}: {text}"
                audit.find(9, right, reason)
                break


def _units(audit: Audit, left: AuditedChunk, right: AuditedChunk) -> Iterator[Unit]:
    """Yield what a boundary cuts: a grapheme cluster, then all else from the outermost one in."""
    text = audit.reading.text
    for offset in {left.raw[1], right.raw[0]}:
        first = cluster_start(text, offset, max(offset - _LONGEST_CLUSTER, 0))
        if first < offset:
            after = cluster_end(text, first, min(first + _LONGEST_CLUSTER, len(text)))
            yield Unit("grapheme cluster", first, after, first)
    parents = [chunk.record.parent_id for chunk in (left, right) if chunk.record]
    if audit.cap is None or len({*parents}) > 1:  # parents are cut by their own cap
        return
    end, start = left.end, right.start
    yield from _sections(audit, end, start)
    places = audit.reading.across(end, start)
    for place in places:
        name = place.block.kind.replace("_", " ")
        yield Unit(name, place.block.start, place.end, audit.lead_start(place), place)
    if not places:
        return
    if isinstance(places[-1].block, Table):
        yield from _rows(audit, places[-1], places[-1].block, end, start)
    elif not [*places[-1].inside()]:
        yield from _inner_units(audit, places[-1], end, start)


def _sections(audit: Audit, end: int, start: int) -> Iterator[Unit]:
    """Yield the document and the sections that are cut; if they are to be separate, own text."""
    reading = audit.reading
    section = reading.section_at(end - 1)
    if audit.config and audit.config.sections == "separate":
        if section is reading.section_at(start) and section.heading:
            own = [section.heading, *section.blocks]
            lead = reading.headings_start(section.start)
            yield Unit("section's own text", section.start, own[-1].end, lead)
        return
    yield Unit("document", reading.tops[0].start, reading.tops[-1].end, reading.tops[0].start)
    for each in reading.path(end - 1):
        if each.end > start:
            yield Unit("section", each.start, each.end, reading.headings_start(each.start))


def _rows(audit: Audit, place: Place, table: Table, end: int, start: int) -> Iterator[Unit]:
    """Yield the row of a table that is cut, or the rows that a rowspan ties together."""
    text = audit.reading.text
    header = audit.reading.trimmed(*table.header)
    if start < header[1] and not LINE_END.search(text, end, start):
        yield Unit("row", *header, audit.lead_start(place), place)
    rows = audit.reading.tied_rows(table)
    at = bisect_left(rows, end, key=itemgetter(0)) - 1
    if at >= 0 and rows[at][1] > start:
        begin, after, first = rows[at]
        above = audit.reading.caption(table)[-1], text[slice(*table.header)]
        repeated = "\n".join([*above, table.closing])
        if first == 0:  # it stays with the header, and the header with what introduces the table
            repeated = text[audit.lead_start(place) : table.start] + repeated
        name = "row" if after == table.rows[first][1] else "run of rows tied by a rowspan"
        yield Unit(name, begin, after, begin, place, repeated)


def _inner_units(audit: Audit, place: Place, end: int, start: int) -> Iterator[Unit]:
    """Yield the sentence, line and word that a boundary cuts in the innermost block."""
    reading, block = audit.reading, place.block
    text, line = reading.text, reading.line_span(end - 1)
    repeated = ""
    if isinstance(block, CodeBlock | MathBlock) and line[0] > block.start:
        repeated = fences(block)
    is_laid_out = isinstance(block, Paragraph) and block.is_laid_out
    is_lines = is_laid_out or isinstance(block, CodeBlock | MathBlock | FrontMatter)
    found = [] if is_lines else _sentences(audit, place, end, start)
    if found is None:
        return
    if line[1] > start and not _BREAK.search(text, max(block.start, end - SLACK), start):
        found.append(("line", max(line[0], block.start), min(line[1], block.end)))
    if end == start and (word := _word(text, end, LONGEST_TOKEN * (audit.cap or 0))):
        found.append(("word", *word))
    for name, first, after in found:
        leading = _LEADING.match(text, block.start, first + _LONGEST_CLUSTER)
        is_first = leading is not None and leading.end() >= first
        lead = audit.lead_start(place) if is_first else reading.line_start(first)
        yield Unit(name, first, place.end if after == block.end else after, lead, place, repeated)


def _sentences(
    audit: Audit, place: Place, end: int, start: int
) -> list[tuple[str, int, int]] | None:
    """Return the sentence around a boundary inside a text; None if a sentence begins there."""
    text, block = audit.reading.text, place.block
    found: list[tuple[str, int, int]] = []
    if isinstance(block, HtmlBlock):
        if text[end - 1] == ">" or text[start] == "<":
            return None
        begin = max(text.rfind("<", block.start, start), block.start)
        tag = next(tags(text, begin, block.end), None)
        found += [("tag", tag.start, tag.end)] if tag and tag.start < end < tag.end else []
    for starts in audit.sentence_starts(place):
        at = bisect_left(starts, end)
        if at < len(starts) and not text[start : starts[at]].strip(_QUOTE_MARKERS):
            return None
        after = starts[at] if at < len(starts) else block.end
        found.append(("sentence", *audit.reading.trimmed(starts[at - 1], after)))
    return found


def _word(text: str, cut: int, reach: int) -> tuple[int, int] | None:
    """Return the run of characters around a cut inside a word; None if no word is cut.

    Underscores before the cut are emphasis markers if punctuation precedes them.
    """
    around = text[cut - 1], text[cut]
    if not all(_WORD.match(each) and not _WITHOUT_SPACES.match(each) for each in around):
        return None
    before = text[max(cut - reach, 0) : cut].rsplit(maxsplit=1)[-1]
    if not _WORD.match(before.rstrip("_")[-1:] or "_"):
        return None
    return cut - len(before), cut + len(text[cut : cut + reach].split(maxsplit=1)[0])


def _fitting_tokens(
    audit: Audit, left: AuditedChunk, right: AuditedChunk, unit: Unit
) -> int | None:
    """Count the tokens of a unit; None if one chunk could not hold it with all its context.

    The estimate is generous: it has the headings that must come before the unit, the whole
    breadcrumb, the larger context of the two chunks, and the overlap.
    """
    if audit.cap is None:
        return audit.count_span(unit.start, unit.end)
    room = audit.cap - SLACK // 2 - (audit.overlap + SLACK if audit.overlap else 0)
    if unit.end - unit.lead > room * LONGEST_TOKEN:
        return None
    tokens = audit.count_span(unit.lead, unit.end)
    if tokens > room:
        return None
    repeated = audit.count_inside(unit.place, unit.repeated) if unit.place else 0
    if audit.config and audit.config.repeat_heading:
        above = audit.reading.headed(unit.start)
        heading = above[-1].heading if above else None
        is_above = heading is not None and heading.end <= unit.start
        repeated += audit.count_span(heading.start, heading.end) if heading and is_above else 0
    # The first piece of a block repeats nothing before its body, the last adds nothing after it.
    around = zip(audit.sides(left), audit.sides(right), strict=True)
    context = max(sum(map(max, around)), repeated)
    line = audit.line_tokens(right, unit.start, unit.end, own=unit.place is not None)
    return tokens if tokens + context + line <= room else None
