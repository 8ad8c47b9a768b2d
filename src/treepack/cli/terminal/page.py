"""Prints a page about a document in a terminal: outline, a line for each chunk, summary."""

import re
from collections.abc import Sequence
from itertools import dropwhile
from statistics import mean
from typing import Final

from rich.cells import cell_len
from rich.text import Text

from treepack.cli.terminal.lines import Console, safe_line
from treepack.display import counted, ranged
from treepack.model.chunk import Chunk
from treepack.model.source import LINE_END
from treepack.report.figures import Figures
from treepack.report.packings import Packing
from treepack.report.sections import SectionRow, section_rows

_FRAME: Final = 11
"""Lines of a page besides outline and chunks: heads, blank lines, hint, summary, prompt."""

_MIN_ROWS: Final = 5
_OUTLINE_SHARE: Final = 0.4
_BAR_WIDTH: Final = 10
_NARROW: Final = 60
_VERY_NARROW: Final = 40
_MIN_COLUMNS: Final = 36
"""If there are this many columns besides number and bar, place and first words are shown."""

_SEARCHED_CHARACTERS: Final = 1000
"""The characters of a chunk in which its first words are searched."""

_HEADING: Final = re.compile(r"[ \t]*#{1,6}[ \t]")
_MARKUP: Final = re.compile(r"[*`|]+")
_RULE: Final = re.compile(r"[-=:\s]*")
"""A line without words: a rule, the underline of a title, or the delimiter row of a table."""


def print_page(packing: Packing, label: str) -> None:
    """Print a page about a packed document; on a terminal, the page fits its height."""
    console = Console()
    sections, chunks = list(section_rows(packing)), list(packing.chunks)
    summary_line = summary(label, packing.chunks, packing.config.target_tokens)
    section_limit, chunk_limit = _share_lines(
        console, len(sections), len(chunks), _FRAME + cell_len(summary_line) // console.width
    )
    _print_head(console, packing, label)
    if sections:
        _print_outline(console, sections, section_limit)
    if chunks:
        _print_rows(console, packing, chunk_limit)
    if console.is_terminal and chunks:
        console.print_line(Text("--chunk N prints one chunk, --full prints all", "dim"))
    console.print_text(safe_line(summary_line, "bold"))


def print_figures(packed: Sequence[tuple[str, Figures]]) -> None:
    """Print a line for each of several packed documents, then a line for all of them."""
    console = Console()
    count_width = max(len(f"{len(figures.sizes):,}") for _, figures in packed)
    width = _bar_width(console)
    for label, figures in packed:
        average_size = round(mean(figures.sizes)) if figures.sizes else 0
        bar = console.bar(average_size, figures.max_tokens, figures.target_tokens, width)
        noun = "chunk " if len(figures.sizes) == 1 else "chunks"
        count = f"{len(figures.sizes):>{count_width},} {noun}"
        room = max(console.width - len(count) - width - 4, 8)
        line = Text(f"{count}  {bar}  ")
        line.append_text(Text(console.fitted(label, room).rstrip(), "cyan"))
        console.print_line(line)
    sizes = [size for _, figures in packed for size in figures.sizes]
    target = packed[0][1].target_tokens
    total = f"{counted(len(packed), 'document')}: {_size_summary(sizes, target)}"
    console.print_line(
        Text("treepack show FILE shows one document, -o FILE writes the chunks", "dim")
    )
    console.print_text(Text(total, "bold"))


def summary(label: str, chunks: Sequence[Chunk], target: int) -> str:
    """Return how many chunks a document has, and their sizes; parents are only counted."""
    finest = max((chunk.level for chunk in chunks), default=0)
    sizes = [chunk.embed_token_count for chunk in chunks if chunk.level == finest]
    parents = len(chunks) - len(sizes)
    more = f"; {counted(parents, 'parent')}" if parents else ""
    return f"{label}: {_size_summary(sizes, target)}{more}"


def _size_summary(sizes: Sequence[int], target: int) -> str:
    text = counted(len(sizes), "chunk")
    if sizes:
        text += f", {min(sizes):,} to {max(sizes):,} tokens, {mean(sizes):,.0f} on average"
        text += f" ({mean(sizes) / target:.0%} of the target)"
    return text


def _share_lines(
    console: Console, sections: int, chunks: int, frame: int
) -> tuple[int | None, int | None]:
    """Return how many lines outline and chunks may take; None for as many as they need.

    Lines of a terminal that one part does not need go to the other.
    """
    lines = max(console.height - frame, 2 * _MIN_ROWS)
    if not console.is_terminal or sections + chunks <= lines:
        return None, None
    section_lines = min(sections, max(round(lines * _OUTLINE_SHARE), lines - chunks))
    return section_lines, lines - section_lines


def _print_head(console: Console, packing: Packing, label: str) -> None:
    document = packing.document
    facts: tuple[str, ...] = (
        counted(document.source.line_count, "line"),
        counted(document.root.tokens, "token"),
    )
    found_count = sum(not change.old_level for change in document.outline_changes)
    if found_count:
        facts = (*facts, f"{counted(found_count, 'title')} found")
    if changed_count := len(document.outline_changes) - found_count:
        facts = (*facts, counted(changed_count, "outline change"))
    reading = f"read as {document.markup}: {document.markup_reason}"
    console.print_line(safe_line(label, "bold"))
    console.print_line(safe_line(", ".join((*facts, reading)), "dim"))


def _print_outline(console: Console, sections: Sequence[SectionRow], limit: int | None) -> None:
    fitting = _fitting(sections, limit)
    largest = max(section.tokens for section in fitting)
    bar_width = 0 if console.width < _VERY_NARROW else _bar_width(console)
    spans = [console.encodable(ranged(section.first, section.last)) for section in fitting]
    token_width, range_width = len(f"{largest:,}"), max(len("chunks"), *map(len, spans))
    token_width = max(token_width, len("tokens"))
    title_width = max(console.width - bar_width - token_width - range_width - 6, 8)
    head = (
        f"{'Outline':<{title_width}}  {'':{bar_width}}  "
        f"{'tokens':>{token_width}}  {'chunks':>{range_width}}"
    )
    console.print()
    console.print_line(Text(head, "bold"))
    for section, span in zip(fitting, spans, strict=True):
        indent = "  " * min(section.depth, title_width // 6)
        title = section.title or "(empty heading)"
        line = Text(indent + console.fitted(title, title_width - len(indent)), "cyan")
        bar = console.bar(section.tokens, largest, 0, bar_width)
        line.append(f"  {bar}", "not cyan")
        line.append(f"  {section.tokens:>{token_width},}  {span:>{range_width}}", "not cyan")
        console.print_line(line)
    if omitted := len(sections) - len(fitting):
        console.print_line(Text(console.encodable(f"… {omitted:,} more"), "dim"))


def _fitting(sections: Sequence[SectionRow], limit: int | None) -> Sequence[SectionRow]:
    """Return all sections of the highest levels that fit, and the first ones of the next level."""
    if limit is None or len(sections) <= limit:
        return sections
    depth = 0
    while sum(section.depth <= depth for section in sections) < limit:
        depth += 1
    return [section for section in sections if section.depth <= depth][: max(limit - 1, 1)]


def _print_rows(console: Console, packing: Packing, limit: int | None) -> None:
    """Print a line for each chunk; a full bar means the cap."""
    chunks, config = packing.chunks, packing.config
    row_count = len(chunks) if limit is None or len(chunks) <= limit else max(limit - 1, 1)
    number_width = len(str(chunks[-1].index))
    token_width = len(f"{max(chunk.embed_token_count for chunk in chunks):,}")
    tick = console.encodable("┆")
    scale = f"Chunks (full bar: the cap of {config.max_tokens:,}; {tick} the target)"
    console.print()
    console.print_line(Text(scale, "bold"))
    bar_width = _bar_width(console)
    text_width = console.width - number_width - token_width - bar_width - 5
    heading_width = text_width * 2 // 5 if text_width >= _MIN_COLUMNS else text_width
    headings = [
        _last_headings(chunk, heading_width, console.encodable("›")) for chunk in chunks[:row_count]
    ]
    heading_width = min(heading_width, max(map(cell_len, headings)))
    for chunk, heading in zip(chunks[:row_count], headings, strict=True):
        cap = config.levels[chunk.level] if config.levels else config.max_tokens
        target = config.target_tokens if cap == config.max_tokens else 0
        size = chunk.embed_token_count
        line = Text(f"{chunk.index:>{number_width}}", "bold green")
        line.append(f" {size:>{token_width},} ", "not bold default")
        bar = console.bar(size, cap, target, bar_width)
        line.append(bar, "not bold red" if size > cap else "not bold default")
        line.append(f"  {console.fitted(heading, heading_width)}", "not bold cyan")
        if text_width - heading_width > _MIN_COLUMNS // 2:
            words = console.fitted(_first_words(chunk), text_width - heading_width - 2)
            line.append(f"  {words}", "not bold default")
        console.print_line(line)
    if row_count < len(chunks):
        omitted = f"… {len(chunks) - row_count:,} more"
        console.print_line(Text(console.encodable(omitted), "dim"))
    console.print()


def _last_headings(chunk: Chunk, width: int, separator: str) -> str:
    """Return the last headings of the breadcrumb, as many as fit."""
    headings = chunk.breadcrumb[1:] if chunk.document and chunk.breadcrumb[1:] else chunk.breadcrumb
    joined = headings[-1] if headings else ""
    for heading in reversed(headings[:-1]):
        longer = f"{heading} {separator} {joined}"
        if len(longer) > width:
            break
        joined = longer
    return joined


def _first_words(chunk: Chunk) -> str:
    """Return the beginning of the chunk's own text after its titles, without markdown markup."""
    titles = {*chunk.breadcrumb, *(path[-1] for path in chunk.sections)}
    lines = LINE_END.split(chunk.lexical_text[:_SEARCHED_CHARACTERS])
    text_lines = dropwhile(
        lambda line: _HEADING.match(line) or _plain_words(line) in {*titles, ""}, lines
    )
    words = [_plain_words(line) for line in text_lines] or [_plain_words(line) for line in lines]
    return " ".join(line for line in words if not _RULE.fullmatch(line))


def _plain_words(line: str) -> str:
    heading = _HEADING.match(line)
    return " ".join(_MARKUP.sub(" ", line[heading.end() if heading else 0 :]).split())


def _bar_width(console: Console) -> int:
    return _BAR_WIDTH if console.width >= _NARROW else _BAR_WIDTH // 2
