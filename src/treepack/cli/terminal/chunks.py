"""Chunks for people to read in a terminal, printed with rich.

Text from a document reaches rich only through `_shown`: without markup, and made `visible`.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

import treepack
from treepack.display import visible, visible_line

_LONGEST_TITLE: Final = 60


def print_document(source: treepack.Source, label: str, config: treepack.PackConfig) -> None:
    """Print a document's outline, then its chunks."""
    document = treepack.parse(source, **config.parsing)
    chunks = treepack.pack(document, config)
    console = _console()
    console.rule(Text("outline", style="bold"), align="left")
    _print(console, _shown(f"taken as {document.markup}: {document.markup_reason}", "dim"))
    _print(console, _shown_lines(document.outline()))
    _print_chunks(console, label, chunks)


def print_outline_changes(source: treepack.Source, label: str, config: treepack.PackConfig) -> None:
    """Print a table of the headings that were changed or found, with the reasons."""
    changes = treepack.parse(source, **config.parsing).outline_changes
    console = _console()
    count = len(changes) or "no"
    title = f"{label}: {count} outline change{'' if len(changes) == 1 else 's'}"
    if config.outline == "trust":
        title += ", because outline is trust"
    console.rule(_shown(title, "bold"), align="left")
    if changes:
        for row in _table(changes):
            _print(console, row)


def print_chunks(label: str, jsonl: str) -> None:
    """Print the chunks of a document, given as JSON lines."""
    _print_chunks(_console(), label, treepack.Chunks.from_jsonl(jsonl))


def _print_chunks(console: Console, label: str, chunks: Sequence[treepack.Chunk]) -> None:
    sizes = [chunk.embed_token_count for chunk in chunks]
    title = f"{label}: {len(chunks)} chunk{'' if len(chunks) == 1 else 's'}"
    if sizes:
        title += f", {min(sizes)} to {max(sizes)} tokens, {sum(sizes) / len(sizes):.0f} on average"
    console.rule(_shown(title, "bold"), align="left")
    for chunk in chunks:
        _print(console, _heading(chunk))
        _print(console, _body(chunk))
        console.print()


def _table(changes: Sequence[treepack.OutlineChange]) -> Iterator[Text]:
    """Rows for terminals of any width: long rows are not wrapped, but long titles are cut."""
    rows = [("line", "old", "new", "title", "reason")]
    for change in changes:
        new = "text" if change.new_level is None else str(change.new_level)
        title = _shown(change.title.replace("\n", " "))
        title.truncate(_LONGEST_TITLE, overflow="ellipsis")
        old = str(change.old_level or "none")
        rows.append((str(change.line), old, new, title.plain, change.reason))
    widths = [max(cell_len(row[column]) for row in rows) for column in range(4)]
    for number, row in enumerate(rows):
        cells = [
            cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=False)
        ]
        yield _shown("  ".join([*cells, row[-1]]), "" if number else "bold")


def _heading(chunk: treepack.Chunk) -> Text:
    """Index and breadcrumb, then one line with sizes, lines, kinds and rows."""
    first, last = chunk.lines
    above = chunk.embed_token_count != chunk.token_count
    facts = [
        f"{chunk.token_count} tokens" + f", {chunk.embed_token_count} with breadcrumb" * above,
        f"line {first}" if first == last else f"lines {first} to {last}",
        ", ".join(chunk.kinds),
        *_rows(chunk),
        "oversize" if chunk.oversize else "",
    ]
    heading = Text()
    heading.append(f"[{chunk.index}] ", style="bold green")
    heading.append_text(_shown(" > ".join(chunk.breadcrumb), "bold cyan"))
    heading.append("\n" + " · ".join(fact for fact in facts if fact), style="dim")
    return heading


def _rows(chunk: treepack.Chunk) -> list[str]:
    return [
        f"rows {table.row_start} to {table.row_end} of {table.row_count}" for table in chunk.tables
    ]


def _body(chunk: treepack.Chunk) -> Text:
    """The text; all parts except the body are dimmed."""
    body = Text()
    for segment in chunk.segments:
        body.append_text(_shown_lines(segment.text, "" if segment.role == "body" else "dim italic"))
    body.rstrip()
    return body


def _print(console: Console, text: Text) -> None:
    console.print(text, soft_wrap=True, highlight=False)


def _console() -> Console:
    return Console(highlight=False, emoji=False, markup=False)


def _shown(text: str, style: str = "") -> Text:
    """A text of a document in one line; rich ignores markup in it."""
    return Text(visible_line(text), style)


def _shown_lines(text: str, style: str = "") -> Text:
    """A text of a document with its lines, whichever line ends it has."""
    return Text(visible(text.replace("\r\n", "\n").replace("\r", "\n")), style)
