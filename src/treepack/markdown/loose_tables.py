"""Tables in pipes as people and converters write them, where GFM is stricter.

GFM allows one header row, and as many delimiters (``---``) as it has cells. Here, all rows in pipes
right above the delimiters are header rows, and the number of delimiters does not matter.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Final

from treepack.markdown.block_tokens import cell_spans, cell_text
from treepack.model.blocks import Block, Paragraph, Span, Table
from treepack.model.source import LINE_END

DELIMITER: Final = re.compile(r"-:?[ \t]*\|")
_DELIMITERS: Final = re.compile(r"[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+(?:[ \t]*:?-+:?[ \t]*)?")
_LINE: Final = re.compile(r"[^\r\n]+")


def with_loose_tables(text: str, blocks: Sequence[Block]) -> list[Block]:
    """Return top-level blocks, with the rows of tables that markdown-it leaves in paragraphs."""
    found: list[Block] = []
    for block in blocks:
        before = found[-1] if found else None
        if isinstance(block, Table) and not block.is_html and isinstance(before, Paragraph):
            found[-1:] = _with_rows_above(text, before, block)
        elif isinstance(block, Paragraph) and text.find("|", block.start, block.end) >= 0:
            found += _parted(text, block)
        else:
            found.append(block)
    return found


def _with_rows_above(text: str, paragraph: Paragraph, table: Table) -> list[Block]:
    """Give a table the rows in pipes at the end of the paragraph that touches it."""
    rows = unquoted_lines(text, paragraph.start, paragraph.end)
    first = _first_row(text, rows, len(rows))
    if first == len(rows) or len(LINE_END.findall(text, paragraph.end, table.start)) != 1:
        return [paragraph, table]
    columns, header = _names(text, rows[first:], table.columns), (rows[first][0], table.header[1])
    count = len(rows) - first + 1
    table = replace(table, start=header[0], header=header, header_rows=count, columns=columns)
    return [*_above(paragraph, rows, first), table]


def _parted(text: str, paragraph: Paragraph) -> list[Block]:
    """Return the table of a paragraph, with the text above it; the paragraph if it has none."""
    lines = unquoted_lines(text, paragraph.start, paragraph.end)
    at = next((at for at, line in enumerate(lines) if _DELIMITERS.fullmatch(text, *line)), 0)
    rows = lines[at + 1 :]
    if not at or not rows or not all("|" in text[slice(*line)] for line in (lines[at - 1], *rows)):
        return [paragraph]
    first = min(_first_row(text, lines, at), at - 1)
    header, columns = (lines[first][0], lines[at][1]), _names(text, lines[first:at], ())
    span = header[0], paragraph.end
    table = Table(*span, paragraph.count, columns, header, tuple(rows), at - first)
    return [*_above(paragraph, lines, first), table]


def unquoted_lines(text: str, start: int, end: int) -> list[Span]:
    """Return the spans of lines, without the markers of quotes."""
    lines = [
        (match.end() - len(match[0].lstrip(" \t>")), match.start() + len(match[0].rstrip()))
        for match in _LINE.finditer(text, start, end)
    ]
    return [line for line in lines if line[0] < line[1]]


def _first_row(text: str, lines: Sequence[Span], after: int) -> int:
    """Return the index of the first of the lines that begin with a pipe, just before ``after``."""
    while after and text[lines[after - 1][0]] == "|":
        after -= 1
    return after


def _above(paragraph: Paragraph, lines: Sequence[Span], count: int) -> list[Block]:
    return [replace(paragraph, end=lines[count - 1][1])] if count else []


def _names(text: str, rows: Sequence[Span], lowest: tuple[str, ...]) -> tuple[str, ...]:
    """Return the name of each column: the lowest cell of the header that is not empty."""
    names = [*lowest]
    for row in reversed(rows):
        spans = [cell_text(text, *cell) for cell in cell_spans(text, *row)]
        cells = [text[start:end] for start, end in spans]
        names += [""] * (len(cells) - len(names)) * (not lowest)
        names = [
            name or cell for name, cell in zip_longest(names, cells[: len(names)], fillvalue="")
        ]
    return tuple(names)
