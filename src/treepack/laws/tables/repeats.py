"""What the pieces of a table repeat, and when that is too long to be repeated."""

from treepack.laws.audit_context import SLACK, AuditContext
from treepack.laws.reading.blocks import AuditBlock
from treepack.markdown.html_tables import read_cells


def header_text(audit: AuditContext, table: AuditBlock) -> str:
    """Return the text of a table's header."""
    header = table.children[0]
    return audit.source.text_of(header)


def is_too_long(audit: AuditContext, table: AuditBlock, repeated: str) -> bool:
    """Whether a repeated text may leave no room for a row in half of the cap.

    The text is counted with the markers of the containers around the table and the intros of the
    lists around it, which are repeated first.
    """
    lists = [item.holder for item in table.containers if item.holder]
    intros = [intro for intro in map(audit.source.intro_before, lists) if intro]
    texts = [audit.source.text_of(intro) for intro in intros]
    repeated = "\n\n".join([*texts, repeated])
    if not table.table.is_html:
        return _exceeds_half_cap(audit, table, repeated, SLACK)
    is_in_body = "<tbody" in audit.source.text[table.start : table.children[0].end].lower()
    row = f"\n<tr><td></td></tr>{'</tbody>' * is_in_body}"
    return _exceeds_half_cap(audit, table, repeated + row, SLACK / 2)


def _exceeds_half_cap(audit: AuditContext, table: AuditBlock, repeated: str, slack: float) -> bool:
    closing = "\n</table>" if table.table.is_html else ""
    tokens = audit.count_inside(table.containers, repeated + closing)
    return audit.exceeds_share(tokens, slack=slack)


def is_too_wide(audit: AuditContext, row: AuditBlock) -> bool:
    """Whether the empty cells of a row may take a quarter of the cap.

    Then the pieces of the row need not have each cell in its own column.
    """
    table = row.table
    empty = " |" * len(table.columns)
    if table.is_html:
        cells = read_cells(audit.source.text, row.start, row.end)
        tags = [(f' colspan="{cell.columns}"' if cell.columns > 1 else "") for cell in cells]
        empty = "".join(f"<td{tag}></td>" for tag in tags)
    return audit.exceeds_share(audit.count(empty), 1 / 4)


def repeated_around_rows(audit: AuditContext, table: AuditBlock) -> str:
    """Return what a chunk with rows of a table must or may repeat above them, and what closes it.

    Args:
        audit: The context.
        table: The table.
    """
    parts = (*audit.captions(table)[1:], header_text(audit, table), table.table.closing)
    return "\n".join(filter(None, parts))
