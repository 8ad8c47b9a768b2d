"""What the pieces of a table repeat, and when it is too long for that."""

from typing import Final

from treepack.laws.audit_context import AuditContext
from treepack.laws.reading.blocks import Block
from treepack.laws.reading.captions import captions_of, unmarked
from treepack.laws.reading.tables import band_of

_SLACK: Final = 8
_HTML_SLACK: Final = 4  # less, for the empty row is counted


def header_of(audit: AuditContext, table: Block) -> str:
    """What stands above the first row of a table, without the marks of its containers."""
    if table.html is not None:
        header = table.children[0]
        return audit.source.text[header.start : header.end]
    start, end = audit.source.span_of_lines(table.lines[0], table.lines[0] + 2)
    return unmarked(audit.source.text[start:end])


def is_long(audit: AuditContext, table: Block, repeated: str) -> bool:
    """Whether what is to be repeated may leave no room for a row in half of the cap.

    Counted with the marks of the containers and the lead-ins of the lists around it, which are
    repeated first.
    """
    lists = [item.holder for item in table.containers if item.holder]
    leads = [lead for lead in map(audit.source.lead_in, lists) if lead]
    repeated = "\n\n".join([*(audit.source.text[e.start : e.end] for e in leads), repeated])
    if table.html is None:
        return _over_half(audit, table, repeated) + _SLACK > 0
    is_in_body = "<tbody" in audit.source.text[table.start : table.children[0].end].lower()
    row = f"\n<tr><td></td></tr>{'</tbody>' * is_in_body}"
    return _over_half(audit, table, repeated + row) + _HTML_SLACK > 0


def is_surely_long(audit: AuditContext, table: Block, repeated: str) -> bool:
    """Whether a text takes more than half the cap, however its tokens are counted."""
    return _over_half(audit, table, repeated) > _SLACK


def _over_half(audit: AuditContext, table: Block, repeated: str) -> float:
    """By how many tokens a text exceeds half the cap; negative without a cap."""
    if audit.limits.max_tokens is None:
        return -2 * _SLACK
    closing = "\n</table>" if table.html is not None else ""
    return audit.marked_tokens(table.containers, repeated + closing) - audit.limits.max_tokens / 2


def is_too_wide(audit: AuditContext, row: Block) -> bool:
    """Whether the empty cells of a row may take a quarter of the cap.

    Then the pieces of the row need not have each cell in its own column.
    """
    if audit.limits.max_tokens is None:
        return False
    if row.row is None:
        empty = " |" * len(row.cells)
    else:
        tags = [
            (f' colspan="{cell.columns}"' if cell.columns > 1 else "") for cell in row.row.cells
        ]
        empty = "".join(f"<td{tag}></td>" for tag in tags)
    return audit.count(empty) + _SLACK > audit.limits.max_tokens / 4


def is_too_deep(audit: AuditContext, row: Block) -> bool:
    """Whether the tables inside the cells of a row may take a quarter of the cap to reopen.

    Then the pieces of the row need not reopen them, and their rows read as rows of the outer one.
    """
    if audit.limits.max_tokens is None:
        return False
    depth = audit.html_row(row).depth
    return depth * audit.count("<table></table>") + _SLACK > audit.limits.max_tokens / 4


def repeated_above(audit: AuditContext, table: Block, row: int) -> str:
    """What a chunk that holds a row of a table, counted from 1, must or may repeat above it."""
    captions = [caption.raw for caption in captions_of(audit.source, table)]
    parts = [max(captions, key=len, default=""), header_of(audit, table)]
    parts += [
        audit.source.text[table.children[band].start : table.children[band].end]
        for band in band_of(audit.bands(table), row)
    ]
    return "\n".join(part for part in parts if part)
