"""Prints chunks with their whole texts, and outline changes, for people at a terminal."""

from collections.abc import Iterator, Sequence
from typing import Final

from rich.cells import cell_len
from rich.text import Text

import treepack
from treepack.cli.terminal.lines import Console, shown, shown_lines
from treepack.cli.terminal.output import UsageProblem
from treepack.cli.terminal.page import summary
from treepack.cli.terminal.preview import lines_of, rows_of
from treepack.display import aligned, counted
from treepack.report.packings import Packing

_LONGEST_TITLE: Final = 60


def print_whole(packing: Packing, label: str) -> None:
    """Print a document's whole outline, then all its chunks with their texts."""
    console, document = Console(), packing.document
    console.rule(Text("outline", style="bold"), align="left")
    console.put(shown(f"read as {document.markup}: {document.markup_reason}", "dim"))
    console.put(shown_lines(document.outline()))
    console.rule(Text("chunks", style="bold"), align="left")
    for chunk in packing.chunks:
        _print_chunk(console, chunk)
    console.put(shown(summary(label, packing.chunks, packing.config.target_tokens), "bold"))


def print_chunk(packing: Packing, label: str, number: int) -> None:
    """Print one chunk with its text.

    Raises:
        UsageProblem: There is no chunk of this number.
    """
    count = len(packing.chunks)
    if not 0 <= number < count:
        there = f"its chunks are 0 to {count - 1}" if count else "it has none"
        msg = f"{label} has no chunk {number}: {there}"
        raise UsageProblem(msg)
    _print_chunk(Console(), packing.chunks[number])


def print_outline_changes(packing: Packing, label: str) -> None:
    """Print a table of the headings that were changed or found, with the reasons."""
    changes = packing.document.outline_changes
    console = Console()
    count = counted(len(changes), "outline change") if changes else "no outline changes"
    title = f"{label}: {count}"
    if packing.config.outline == "trust":
        title += ", because outline is trust"
    console.rule(shown(title, "bold"), align="left")
    if changes:
        for row in _table(changes):
            console.print(row, soft_wrap=True)


def _print_chunk(console: Console, chunk: treepack.Chunk) -> None:
    console.put(_heading(chunk))
    console.put(_body(chunk))
    console.print()


def _table(changes: Sequence[treepack.OutlineChange]) -> Iterator[Text]:
    """Yield rows for terminals of any width: long rows are not wrapped, but long titles are cut."""
    rows = [("line", "old", "new", "title", "reason")]
    for change in changes:
        new = "text" if change.new_level is None else str(change.new_level)
        title = shown(change.title.replace("\n", " "))
        title.truncate(_LONGEST_TITLE, overflow="ellipsis")
        old = str(change.old_level or "none")
        rows.append((str(change.line), old, new, title.plain, change.reason))
    for number, line in enumerate(aligned(rows, width=cell_len)):
        yield shown(line, "" if number else "bold")


def _heading(chunk: treepack.Chunk) -> Text:
    """Return index and breadcrumb, then one line with sizes, lines, kinds and rows."""
    above = chunk.embed_token_count != chunk.token_count
    facts = [
        f"{chunk.token_count} tokens" + f", {chunk.embed_token_count} with breadcrumb" * above,
        lines_of(chunk),
        ", ".join(chunk.kinds),
        *rows_of(chunk),
        "oversize" if chunk.oversize else "",
    ]
    heading = Text()
    heading.append(f"[{chunk.index}] ", style="bold green")
    heading.append_text(shown(" > ".join(chunk.breadcrumb), "bold cyan"))
    heading.append("\n" + " · ".join(fact for fact in facts if fact), style="dim")
    return heading


def _body(chunk: treepack.Chunk) -> Text:
    """Return the text, with everything except the body dimmed."""
    body = Text()
    for segment in chunk.segments:
        body.append_text(shown_lines(segment.text, "" if segment.role == "body" else "dim italic"))
    body.rstrip()
    return body
