"""Prints chunks with their whole texts, and outline changes, for people at a terminal."""

from collections.abc import Iterator, Sequence
from typing import Final

from rich.cells import cell_len
from rich.text import Text

import treepack
from treepack.cli.terminal.lines import Console, safe_line, safe_lines
from treepack.cli.terminal.output import UsageError
from treepack.cli.terminal.page import summary
from treepack.cli.terminal.preview import lines_of, rows_of
from treepack.display import aligned, counted
from treepack.report.packings import Packing

_LONGEST_TITLE: Final = 60


def print_whole(packing: Packing, label: str) -> None:
    """Print a document's whole outline, then all its chunks with their texts."""
    console, document = Console(), packing.document
    console.rule(Text("outline", style="bold"), align="left")
    console.print_text(safe_line(f"read as {document.markup}: {document.markup_reason}", "dim"))
    console.print_text(safe_lines(document.outline()))
    console.rule(Text("chunks", style="bold"), align="left")
    for chunk in packing.chunks:
        _print_chunk(console, chunk)
    console.print_text(
        safe_line(summary(label, packing.chunks, packing.config.target_tokens), "bold")
    )


def print_chunk(packing: Packing, label: str, number: int) -> None:
    """Print one chunk with its text.

    Raises:
        UsageError: There is no chunk of this number.
    """
    count = len(packing.chunks)
    if not 0 <= number < count:
        there = f"its chunks are 0 to {count - 1}" if count else "it has none"
        msg = f"{label} has no chunk {number}: {there}"
        raise UsageError(msg)
    _print_chunk(Console(), packing.chunks[number])


def print_outline_changes(packing: Packing, label: str) -> None:
    """Print a table of the headings that were changed or found, with the reasons."""
    changes = packing.document.outline_changes
    console = Console()
    count = counted(len(changes), "outline change") if changes else "no outline changes"
    title = f"{label}: {count}"
    if packing.config.outline == "trust":
        title += ", because outline is trust"
    console.rule(safe_line(title, "bold"), align="left")
    if changes:
        for row in _change_rows(changes):
            console.print(row, soft_wrap=True)


def _print_chunk(console: Console, chunk: treepack.Chunk) -> None:
    console.print_text(_heading(chunk))
    console.print_text(_body(chunk))
    console.print()


def _change_rows(changes: Sequence[treepack.OutlineChange]) -> Iterator[Text]:
    """Yield rows for terminals of any width: long rows are not wrapped, but long titles are cut."""
    rows = [("line", "old", "new", "title", "reason")]
    for change in changes:
        new = "text" if change.new_level is None else str(change.new_level)
        title = safe_line(change.title.replace("\n", " "))
        title.truncate(_LONGEST_TITLE, overflow="ellipsis")
        old = str(change.old_level or "none")
        rows.append((str(change.line), old, new, title.plain, change.reason))
    for number, line in enumerate(aligned(rows, width=cell_len)):
        yield safe_line(line, "" if number else "bold")


def _heading(chunk: treepack.Chunk) -> Text:
    """Return index and breadcrumb, then one line with sizes, lines, kinds and rows."""
    tokens = f"{chunk.token_count} tokens"
    if chunk.embed_token_count != chunk.token_count:
        tokens += f", {chunk.embed_token_count} with breadcrumb"
    facts = [
        tokens,
        lines_of(chunk),
        ", ".join(chunk.kinds),
        *rows_of(chunk),
        "oversize" if chunk.oversize else "",
    ]
    heading = Text()
    heading.append(f"[{chunk.index}] ", style="bold green")
    heading.append_text(safe_line(" > ".join(chunk.breadcrumb), "bold cyan"))
    heading.append("\n" + " · ".join(fact for fact in facts if fact), style="dim")
    return heading


def _body(chunk: treepack.Chunk) -> Text:
    """Return the text, with everything except the body dimmed."""
    body = Text()
    for segment in chunk.segments:
        body.append_text(safe_lines(segment.text, "" if segment.role == "body" else "dim italic"))
    body.rstrip()
    return body
