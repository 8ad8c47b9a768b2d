"""Prints a page about a document in a terminal: outline, a line for each chunk, summary."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import dropwhile
from statistics import mean
from typing import Final

from rich.cells import cell_len
from rich.text import Text

from treepack.cli.terminal.lines import Console, shown
from treepack.display import counted, ranged
from treepack.model.chunk import Chunk
from treepack.model.source import LINE_END
from treepack.report.figures import Figures
from treepack.report.packings import Packing
from treepack.report.sections import SectionRow, section_rows

_FRAME: Final = 11
"""Lines of a page besides outline and chunks: heads, blank lines, hint, summary, prompt."""

_LEAST_ROWS: Final = 5
_OUTLINE_SHARE: Final = 0.4
_BAR: Final = 10
_NARROW: Final = 60
_VERY_NARROW: Final = 40
_ROOM_FOR_WORDS: Final = 36
"""If there are this many columns besides number and bar, place and first words are shown."""

_LOOKED_AT: Final = 1000
"""The characters of a chunk in which its first words are searched."""

_HEADING: Final = re.compile(r"[ \t]*#{1,6}[ \t]")
_MARKS: Final = re.compile(r"[*`|]+")
_RULE: Final = re.compile(r"[-=:\s]*")
"""A line without words: a rule, the underline of a title, or the delimiter row of a table."""


@dataclass(frozen=True)
class LineShares:
    """How many lines each part may take; None for as many as it needs."""

    sections: int | None = None
    chunks: int | None = None


def print_page(packing: Packing, label: str) -> None:
    """Print a page about a packed document; on a terminal, the page fits its height."""
    console = Console()
    sections, chunks = list(section_rows(packing)), list(packing.chunks)
    said = summary(label, packing.chunks, packing.config.target_tokens)
    room = _room(console, len(sections), len(chunks), _FRAME + cell_len(said) // console.width)
    _print_head(console, packing, label)
    if sections:
        _print_outline(console, sections, room.sections)
    if chunks:
        _print_rows(console, packing, room.chunks)
    if console.is_terminal and chunks:
        console.put_line(Text("--chunk N prints one chunk, --full prints all", "dim"))
    console.put(shown(said, "bold"))


def print_figures(every: Sequence[tuple[str, Figures]]) -> None:
    """Print a line for each of several packed documents, then a line for all of them."""
    console = Console()
    most = max(len(f"{len(found.sizes):,}") for _, found in every)
    width = _bar_width(console)
    for label, found in every:
        average = round(mean(found.sizes)) if found.sizes else 0
        bar = console.bar(average, found.max_tokens, found.target_tokens, width)
        count = f"{len(found.sizes):>{most},} {'chunk ' if len(found.sizes) == 1 else 'chunks'}"
        room = max(console.width - len(count) - width - 4, 8)
        line = Text(f"{count}  {bar}  ")
        line.append_text(Text(console.fitted(label, room).rstrip(), "cyan"))
        console.put_line(line)
    sizes = [size for _, found in every for size in found.sizes]
    total = f"{counted(len(every), 'document')}: {_sizes(sizes, every[0][1].target_tokens)}"
    console.put_line(
        Text("treepack show FILE shows one document, -o FILE writes the chunks", "dim")
    )
    console.put(Text(total, "bold"))


def summary(label: str, chunks: Sequence[Chunk], target: int) -> str:
    """Return how many chunks a document has, and their sizes; parents are only counted."""
    finest = max((chunk.level for chunk in chunks), default=0)
    sizes = [chunk.embed_token_count for chunk in chunks if chunk.level == finest]
    parents = len(chunks) - len(sizes)
    more = f"; {counted(parents, 'parent')}" if parents else ""
    return f"{label}: {_sizes(sizes, target)}{more}"


def _sizes(sizes: Sequence[int], target: int) -> str:
    said = counted(len(sizes), "chunk")
    if sizes:
        said += f", {min(sizes):,} to {max(sizes):,} tokens, {mean(sizes):,.0f} on average"
        said += f" ({mean(sizes) / target:.0%} of the target)"
    return said


def _room(console: Console, sections: int, chunks: int, frame: int) -> LineShares:
    """Share the lines of a terminal; lines that one part does not need go to the other."""
    if not console.is_terminal:
        return LineShares()
    lines = max(console.height - frame, 2 * _LEAST_ROWS)
    if sections + chunks <= lines:
        return LineShares()
    of_sections = min(sections, max(round(lines * _OUTLINE_SHARE), lines - chunks))
    return LineShares(of_sections, lines - of_sections)


def _print_head(console: Console, packing: Packing, label: str) -> None:
    document = packing.document
    facts: tuple[str, ...] = (
        counted(document.source.line_count, "line"),
        counted(document.root.tokens, "token"),
    )
    found = sum(not change.old_level for change in document.outline_changes)
    if found:
        facts = (*facts, f"{counted(found, 'title')} found")
    if changed := len(document.outline_changes) - found:
        facts = (*facts, counted(changed, "outline change"))
    taken = f"read as {document.markup}: {document.markup_reason}"
    console.put_line(shown(label, "bold"))
    console.put_line(shown(", ".join((*facts, taken)), "dim"))


def _print_outline(console: Console, sections: Sequence[SectionRow], room: int | None) -> None:
    drawn = _fitting(sections, room)
    most = max(section.tokens for section in drawn)
    width = 0 if console.width < _VERY_NARROW else _bar_width(console)
    spans = [console.drawn(ranged(section.first, section.last)) for section in drawn]
    tokens, places = len(f"{most:,}"), max(len("chunks"), *map(len, spans))
    tokens = max(tokens, len("tokens"))
    titles = max(console.width - width - tokens - places - 6, 8)
    head = f"{'Outline':<{titles}}  {'':{width}}  {'tokens':>{tokens}}  {'chunks':>{places}}"
    console.print()
    console.put_line(Text(head, "bold"))
    for section, span in zip(drawn, spans, strict=True):
        indent = "  " * min(section.depth, titles // 6)
        title = section.title or "(empty heading)"
        line = Text(indent + console.fitted(title, titles - len(indent)), "cyan")
        bar = console.bar(section.tokens, most, 0, width)
        line.append(f"  {bar}", "not cyan")
        line.append(f"  {section.tokens:>{tokens},}  {span:>{places}}", "not cyan")
        console.put_line(line)
    if left := len(sections) - len(drawn):
        console.put_line(Text(console.drawn(f"… {left:,} more"), "dim"))


def _fitting(sections: Sequence[SectionRow], room: int | None) -> Sequence[SectionRow]:
    """Return all sections of the highest levels that fit, and the first ones of the next level."""
    if room is None or len(sections) <= room:
        return sections
    depth = 0
    while sum(section.depth <= depth for section in sections) < room:
        depth += 1
    return [section for section in sections if section.depth <= depth][: max(room - 1, 1)]


def _print_rows(console: Console, packing: Packing, room: int | None) -> None:
    """Print a line for each chunk; a full bar means the cap."""
    chunks, config = packing.chunks, packing.config
    kept = len(chunks) if room is None or len(chunks) <= room else max(room - 1, 1)
    numbers = len(str(chunks[-1].index))
    tokens = len(f"{max(chunk.embed_token_count for chunk in chunks):,}")
    tick = console.drawn("┆")
    scale = f"Chunks (full bar: the cap of {config.max_tokens:,}; {tick} the target)"
    console.print()
    console.put_line(Text(scale, "bold"))
    width = _bar_width(console)
    rest = console.width - numbers - tokens - width - 5
    for_places = rest * 2 // 5 if rest >= _ROOM_FOR_WORDS else rest
    places = [_place(chunk, for_places, console.drawn("›")) for chunk in chunks[:kept]]
    for_places = min(for_places, max(map(cell_len, places)))
    for chunk, place in zip(chunks[:kept], places, strict=True):
        cap = config.levels[chunk.level] if config.levels else config.max_tokens
        target = config.target_tokens if cap == config.max_tokens else 0
        size = chunk.embed_token_count
        line = Text(f"{chunk.index:>{numbers}}", "bold green")
        line.append(f" {size:>{tokens},} ", "not bold default")
        bar = console.bar(size, cap, target, width)
        line.append(bar, "not bold red" if size > cap else "not bold default")
        line.append(f"  {console.fitted(place, for_places)}", "not bold cyan")
        if rest - for_places > _ROOM_FOR_WORDS // 2:
            words = console.fitted(_first_words(chunk), rest - for_places - 2)
            line.append(f"  {words}", "not bold default")
        console.put_line(line)
    if kept < len(chunks):
        left = f"… {len(chunks) - kept:,} more"
        console.put_line(Text(console.drawn(left), "dim"))
    console.print()


def _place(chunk: Chunk, room: int, sign: str) -> str:
    """Return the last headings of the breadcrumb, as many as fit."""
    above = chunk.breadcrumb[1:] if chunk.document and chunk.breadcrumb[1:] else chunk.breadcrumb
    place = above[-1] if above else ""
    for part in reversed(above[:-1]):
        longer = f"{part} {sign} {place}"
        if len(longer) > room:
            break
        place = longer
    return place


def _first_words(chunk: Chunk) -> str:
    """Return the beginning of the chunk's own text after its titles, without markdown markup."""
    titles = {*chunk.breadcrumb, *(path[-1] for path in chunk.sections)}
    lines = LINE_END.split(chunk.lexical_text[:_LOOKED_AT])
    texts = dropwhile(lambda line: _HEADING.match(line) or _words(line) in {*titles, ""}, lines)
    found = [_words(line) for line in texts] or [_words(line) for line in lines]
    return " ".join(line for line in found if not _RULE.fullmatch(line))


def _words(line: str) -> str:
    heading = _HEADING.match(line)
    return " ".join(_MARKS.sub(" ", line[heading.end() if heading else 0 :]).split())


def _bar_width(console: Console) -> int:
    return _BAR if console.width >= _NARROW else _BAR // 2
