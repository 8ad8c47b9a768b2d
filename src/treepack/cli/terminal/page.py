"""Prints packed documents for people: outline, a line for each chunk, texts, summary.

Text from a document reaches rich only through `safe_line` and `safe_lines`: rich sees no markup in
it, and control characters are made `visible`.
"""

import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import dropwhile
from statistics import mean
from typing import Final, NoReturn

from rich.console import Console as RichConsole
from rich.progress_bar import ProgressBar
from rich.table import Column, Table
from rich.text import Text

from treepack.cli.terminal.output import UsageError
from treepack.config import PackConfig
from treepack.display import counted, ranged, visible, visible_line
from treepack.graphemes import with_line_feeds
from treepack.model.section import OutlineChange
from treepack.model.source import LINE_END, Source
from treepack.packing import Chunk
from treepack.report_page.packing import Packing, SectionRow, facts_of, packed, section_rows

PrintPacking = Callable[[Packing, str], None]
"""Prints something about a packed document, given the name that messages use for it."""

_number = partial(Column, justify="right", no_wrap=True)
_FRAME: Final = 14
"""Lines of a page besides outline and chunks: heads, blank lines, hint, summary, prompt."""

_NUMBERS: Final = 24  # columns for the numbers beside an outline
_MIN_ROWS: Final = 5
_PIPE_WIDTH: Final = 1000  # columns of a pipe: more than a reason needs
_MARKUP: Final = re.compile(r"^[ \t]*#{1,6}[ \t]|^[-=:|\s]+$|[*`|]+")
"""What is left out of a chunk's first words, line by line: marks, underlines, delimiter rows."""


class Console(RichConsole):
    """Standard output for people: without markup, and with an error if a pipe is closed."""

    def __init__(self, width: int | None = None) -> None:
        super().__init__(highlight=False, emoji=False, markup=False, width=width)

    def on_broken_pipe(self) -> NoReturn:
        """Let the command end as it does for any closed pipe; rich would exit with status 1."""
        raise BrokenPipeError

    def print_text(self, text: Text) -> None:
        """Print a text; on a terminal, it is wrapped between words."""
        self.print(text, soft_wrap=not self.is_terminal)


def safe_line(text: str, style: str = "") -> Text:
    """Return a text of a document as one line, in which rich ignores markup."""
    return Text(visible_line(text), style)


def safe_lines(text: str, style: str = "") -> Text:
    """Return a text of a document with its lines, whatever its line ends are."""
    return Text(visible(with_line_feeds(text)), style)


def print_page(packing: Packing, label: str, *, is_full: bool = False) -> None:
    """Print a page about a packed document.

    On a terminal, the page fits its height, unless it ``is_full``: then it has all chunks with
    their texts, and the headings that were changed or found, with the reasons.
    """
    console, document = Console(), packing.document
    sections, chunks = list(section_rows(packing)), packing.chunks
    changed = sum(bool(change.old_level) for change in document.outline_changes)
    found = len(document.outline_changes) - changed
    facts = [counted(document.source.line_count, "line"), counted(document.root.tokens, "token")]
    facts += [f"{counted(found, 'title')} found"] * bool(found)
    facts += [counted(changed, "outline change")] * bool(changed)
    console.print_text(safe_line(label, "bold"))
    console.print_text(Text(", ".join(facts), "dim"))
    console.print_text(safe_line(f"read as {document.markup}: {document.markup_reason}", "dim"))
    is_short = console.is_terminal and not is_full
    if is_full and not console.is_terminal:
        console.width = _PIPE_WIDTH
    room = max(console.height - _FRAME, 2 * _MIN_ROWS) if is_short else None
    section_room = room and max(room * 2 // 5, room - len(chunks))
    chunk_room = room and max(room - len(sections), room * 3 // 5)
    if sections:
        outline = _outline_table(_fitting(sections, section_room), console.width - _NUMBERS)
        _print_rows(console, outline, len(sections))
    if is_full:
        if document.outline_changes:
            _print_rows(console, _changes_table(document.outline_changes), 0)
        console.print()
        for chunk in chunks:
            _print_chunk(console, chunk)
    elif chunks:
        _print_rows(console, _chunk_table(chunks[:chunk_room], packing.config), len(chunks))
        console.print()
    if is_short and chunks:
        console.print_text(Text("--chunk N prints one chunk, --full prints all", "dim"))
    parents = len(chunks) - len(packing.sizes)
    more = f"; {counted(parents, 'parent')}" if parents else ""
    print_total(label, packing.sizes, packing.config.target_tokens, more)


def print_chunk(packing: Packing, label: str, number: int) -> None:
    """Print one chunk with its text."""
    count = len(packing.chunks)
    if not 0 <= number < count:
        there = f"its chunks are 0 to {count - 1}" if count else "it has none"
        msg = f"{label} has no chunk {number}: {there}"
        raise UsageError(msg)
    _print_chunk(Console(), packing.chunks[number])


def chunk_sizes(config: PackConfig, source: Source) -> list[int]:
    """Pack a source, and return the tokens of each chunk of the finest level."""
    return packed(source, config).sizes


def print_total(label: str, sizes: Sequence[int], target: int, more: str = "") -> None:
    """Print how many chunks a document has, and their sizes."""
    text = f"{label}: {counted(len(sizes), 'chunk')}"
    if sizes:
        text += f", {min(sizes):,} to {max(sizes):,} tokens, {mean(sizes):,.0f} on average"
        text += f" ({mean(sizes) / target:.0%} of the target)"
    Console().print_text(safe_line(text + more, "bold"))


def _print_rows(console: Console, table: Table, total: int) -> None:
    """Print a table after a blank line, and how many of all rows it leaves out."""
    console.print()
    console.print(table)
    if total > table.row_count:
        console.print_text(Text(f"… {total - table.row_count:,} more", "dim"))


def _fitting(sections: Sequence[SectionRow], room: int | None) -> Sequence[SectionRow]:
    """Return all sections of the highest levels that fit, and the first ones of the next level."""
    if room is None or len(sections) <= room:
        return sections
    depth = sorted(section.depth for section in sections)[room - 1]
    return [section for section in sections if section.depth <= depth][:room]


def _table(*columns: Column, expand: bool = False) -> Table:
    """Return a table without lines."""
    return Table(
        *columns, box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold", expand=expand
    )


def _outline_table(sections: Sequence[SectionRow], width: int) -> Table:
    table = _table(
        Column("Outline", style="cyan", no_wrap=True, overflow="ellipsis", max_width=width),
        *map(_number, ("tokens", "chunks")),
    )
    for section in sections:
        title = safe_line("  " * section.depth + (section.title or "(empty heading)"))
        table.add_row(title, f"{section.tokens:,}", ranged(section.first, section.last))
    return table


def _changes_table(changes: Sequence[OutlineChange]) -> Table:
    texts = Column("title", ratio=2, style="cyan"), Column("reason", ratio=3)
    table = _table(*map(_number, ("line", "old", "new")), *texts)
    for change in changes:
        new = "text" if change.new_level is None else str(change.new_level)
        title = safe_line(" ".join(change.title.split()))
        old = str(change.old_level or "none")
        table.add_row(str(change.line), old, new, title, safe_line(change.reason))
    return table


def _chunk_table(chunks: Sequence[Chunk], config: PackConfig) -> Table:
    """Return a row for each chunk; a full bar means the cap."""
    table = _table(
        *map(_number, ("chunk", "tokens")),
        Column("of the cap", width=10),
        Column("heading", style="cyan", ratio=2, no_wrap=True, overflow="ellipsis"),
        Column("text", ratio=3, no_wrap=True, overflow="ellipsis"),
        expand=True,
    )
    for chunk in chunks:
        cap, size = config.cap(chunk.level), chunk.embed_token_count
        style = "red" if size > cap else "green"
        bar = ProgressBar(cap, size, complete_style=style, finished_style=style)
        place = chunk.breadcrumb[1:] if chunk.document else chunk.breadcrumb
        heading = safe_line(" › ".join((place or chunk.breadcrumb)[-2:]))
        words = safe_line(_first_words(chunk))
        table.add_row(Text(str(chunk.index), "green"), f"{size:,}", bar, heading, words)
    return table


def _first_words(chunk: Chunk) -> str:
    """Return the beginning of the chunk's own text after its titles, without markdown markup."""
    titles = {"", *chunk.breadcrumb, *(path[-1] for path in chunk.sections)}
    lines = LINE_END.split(chunk.lexical_text[:1000])  # more than a line shows
    words = [" ".join(_MARKUP.sub(" ", line).split()) for line in lines]
    pairs = dropwhile(
        lambda pair: pair[1] in titles or pair[0].lstrip().startswith("#"),
        zip(lines, words, strict=True),
    )
    return " ".join(filter(None, [word for _, word in pairs] or words))


def _print_chunk(console: Console, chunk: Chunk) -> None:
    """Print number, breadcrumb and sizes, then the text with all but its body dimmed."""
    facts = [counted(chunk.embed_token_count, "token"), *facts_of(chunk)]
    heading = Text()
    heading.append(f"[{chunk.index}] ", "bold green")
    heading.append_text(safe_line(" > ".join(chunk.breadcrumb), "bold cyan"))
    heading.append_text(safe_lines("\n" + " · ".join(filter(None, facts)), "dim"))
    body = Text()
    for segment in chunk.segments:
        body.append_text(safe_lines(segment.text, "" if segment.role == "body" else "dim italic"))
    body.rstrip()
    console.print_text(heading)
    console.print_text(body)
    console.print()
