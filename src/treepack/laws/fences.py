"""Law 6: each piece of a code block is a code block, with the marker and the end of the whole."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from treepack.laws.audit_context import AuditContext, quoted
from treepack.laws.pieces import Piece
from treepack.laws.reading.blocks import Block

_SLACK: Final = 8
_NAMES: Final = {"fence": "code block", "code": "indented code", "math": "math block"}


@dataclass(eq=False)
class Code:
    """A code block with its content, line by line.

    Attributes:
        block: The block.
        lines: The content without the indentation of what it is nested in.
        first: The line of the source that the first of them stands in, from 0.
        is_closed: Whether a fence has its closing marker.
    """

    block: Block
    lines: list[str]
    first: int
    is_closed: bool

    @classmethod
    def of(cls, block: Block) -> "Code":
        """Read the parser's token."""
        assert block.token is not None, "code has a token"
        assert block.token.map is not None, "a block knows its lines"
        lines = block.token.content.split("\n")
        if lines[-1] == "":
            lines.pop()
        is_fence = block.kind == "fence"
        first, after = block.token.map
        is_closed = not is_fence or after - first - 2 == len(lines)
        return cls(block, lines, first + is_fence, is_closed)

    @property
    def info(self) -> str:
        """What stands after the opening marker."""
        return self.block.token.info.strip() if self.block.token else ""

    @property
    def marker(self) -> str:
        """The opening marker."""
        return self.block.token.markup if self.block.token else ""


def check_fences(audit: AuditContext) -> None:
    """Law 6, for each fence, indented code and display math of the source."""
    parsed = cache(_codes_of)  # a chunk may hold pieces of many
    for block in audit.source.codes:
        audit.log.checked(6)
        parts = audit.pieces_of(block)
        if len(parts) == 1 and parts[0].is_whole(block):
            continue
        if _is_mostly_marker(audit, block):
            continue
        code = Code.of(block)
        for part in parts:
            if block.kind == "code" and _begins_inside_text(audit, part, block):
                continue
            for reason in _breaches(audit, code, part, parsed(part), is_last=part is parts[-1]):
                name = f"({_NAMES[block.kind]} {_opening(audit, block)})"
                position = max(part.start, block.start)
                audit.log.found(6, f"{reason} {name}", position, part.index)


def _opening(audit: AuditContext, block: Block) -> str:
    start, end = audit.source.span_of_lines(block.lines[0], block.lines[0] + 1)
    return quoted(audit.source.text[start:end])


def _is_mostly_marker(audit: AuditContext, block: Block) -> bool:
    """Whether the two fences alone take half the cap, so that no piece could have them.

    For nested code, the marks of its containers count too, because they are repeated.
    """
    cap = audit.limits.max_tokens
    token = block.token
    fences = ""
    if token is not None and block.kind != "code":
        fences = f"{token.markup}{token.info}\n\n{token.markup}"
    context = audit.marked_tokens(block.containers, fences)
    return cap is not None and context > 0 and context + _SLACK > cap / 2


def _is_closed_at_length(audit: AuditContext, code: Code) -> bool:
    """Whether no chunk could hold the closing fence, as it is written, below the opening one."""
    cap = audit.limits.max_tokens
    if cap is None or not code.is_closed or code.block.kind != "fence":
        return False
    last = audit.source.span_of_lines(code.block.lines[1] - 1, code.block.lines[1])
    fences = f"{code.marker}{code.info}\n\n{audit.source.text[slice(*last)]}"
    return audit.marked_tokens(code.block.containers, fences) + _SLACK > cap


def _begins_inside_text(audit: AuditContext, part: Piece, code: Block) -> bool:
    """Whether a chunk begins in the middle of a block before indented code.

    The rest of that block may parse as another block: a line of a paragraph that begins with a
    number parses as a list item, a table's row without its header as a footnote. Without a fence,
    the code after it then belongs to that item or footnote.
    """
    segments = part.chunk.segments if part.chunk else ()
    overlaps = [each.span[0] for each in segments if each.role == "overlap" and each.span]
    start = min([part.start, *overlaps])
    block: Block | None = None
    inner = audit.source.blocks_in(start, start + 1)
    while inner:
        block = inner[0]
        rest = block.children if block.kind != "table" else ()
        inner = [child for child in rest if child.start <= start < child.end]
    return block is not None and block is not code and block.start < start


def _codes_of(piece: Piece) -> list[Code]:
    """The code in a chunk's text, parsed alone."""
    return [Code.of(block) for block in piece.reading.codes]


def _breaches(
    audit: AuditContext, code: Code, part: Piece, parsed: Sequence[Code], *, is_last: bool
) -> Iterator[str]:
    held = _held_lines(audit, code, part)
    if held is None:
        if any(line.strip() for line in code.lines) and not _is_closed_at_length(audit, code):
            yield "holds only a fence, none of the code"
        return
    first, after = held
    wanted = code.lines[first:after]
    same = (
        other
        for other in parsed
        if other.block.kind == code.block.kind and _agree(other.lines, wanted, code, part)
    )
    reasons = (_wrong_fence(code, other, is_last=is_last) for other in same)
    numbers = f"{code.first + first + 1}-{code.first + after}"
    missing = f"its text has no such block with just the lines {numbers} {quoted(wanted[0])}"
    reason = next(reasons, missing)
    if reason and all(reasons):
        yield reason


def _held_lines(audit: AuditContext, code: Code, part: Piece) -> tuple[int, int] | None:
    """Which lines of the content (half-open) a chunk's body holds some of."""
    found: list[int] = []
    block = code.block
    for start, end in part.share(block.start, block.end):
        first = audit.source.line_of(start) - 1 - code.first
        last = audit.source.line_of(end - 1) - 1 - code.first
        found += [max(first, 0), min(last, len(code.lines) - 1)]
    if not found or max(found) < 0:
        return None
    low, high = found[0], found[-1]
    while low <= high and not code.lines[low].strip():
        low += 1
    while high >= low and not code.lines[high].strip():
        high -= 1
    return (low, high + 1) if low <= high else None


def _agree(parsed: Sequence[str], wanted: Sequence[str], code: Code, part: Piece) -> bool:
    """Whether two contents are the same, apart from blank lines around and shared indentation.

    The first and the last line may be cut, or lack the blanks at their end.
    """
    mine, theirs = _without_blank_ends(parsed), _without_blank_ends(wanted)
    if part.has_overlap:
        mine = mine[max(len(mine) - len(theirs), 0) :]
    if len(mine) != len(theirs):
        return False
    if code.block.kind != "fence":
        mine, theirs = [line.strip() for line in mine], [line.strip() for line in theirs]
    for place in {0, len(mine) - 1}:
        piece = mine[place].strip()
        if piece and piece in theirs[place]:
            mine[place] = theirs[place] = ""
    return _without_indent(mine) == _without_indent(theirs)


def _without_blank_ends(lines: Sequence[str]) -> list[str]:
    solid = [place for place, line in enumerate(lines) if line.strip()]
    return list(lines[solid[0] : solid[-1] + 1]) if solid else []


def _without_indent(lines: Sequence[str]) -> list[str]:
    """Lines without the indentation they share."""
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return [line[indent:] if line.strip() else "" for line in lines]


def _wrong_fence(code: Code, other: Code, *, is_last: bool) -> str | None:
    if other.marker != code.marker:
        return f"its fence is {quoted(other.marker)}, but should be {quoted(code.marker)}"
    if other.info != code.info:
        return f"its info string is {quoted(other.info)}, but should be {quoted(code.info)}"
    if not other.is_closed and (code.is_closed or not is_last):
        return "its fence is not closed"
    return None
