"""What the pieces of a table repeat, and when it is too long for that."""

from typing import Final

from treepack.audit.blocks import Block
from treepack.audit.captions import captions_of, unmarked
from treepack.audit.case import Case
from treepack.audit.tables import band_of

_SLACK: Final = 8


def header_of(case: Case, table: Block) -> str:
    """What stands above the first row of a table, without the marks of what it is nested in."""
    if table.html is not None:
        header = table.children[0]
        return case.source.text[header.start : header.end]
    start, end = case.source.span_of_lines(table.lines[0], table.lines[0] + 2)
    return unmarked(case.source.text[start:end])


def is_long(case: Case, table: Block, repeated: str) -> bool:
    """Whether what is to be repeated takes half of the cap, with the marks of the containers."""
    if case.limits.max_tokens is None:
        return False
    closing = "\n</table>" if table.html is not None else ""
    tokens = case.marked_tokens(table.containers, repeated + closing)
    return tokens + _SLACK > case.limits.max_tokens / 2


def repeated_above(case: Case, table: Block, row: int) -> str:
    """What a chunk that holds a row of a table, counted from 1, must or may repeat above it."""
    captions = [caption.raw for caption in captions_of(case.source, table)]
    parts = [max(captions, key=len, default=""), header_of(case, table)]
    parts += [
        case.source.text[table.children[band].start : table.children[band].end]
        for band in band_of(case.bands(table), row)
    ]
    return "\n".join(part for part in parts if part)
