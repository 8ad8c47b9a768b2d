"""Cutting code and math into paragraphs and lines; each piece gets the fence."""

from bisect import bisect_right
from itertools import pairwise
from typing import Final

from treepack.markdown.prefixes import Prefix
from treepack.model.blocks import CodeBlock, MathBlock
from treepack.model.chunk import Segment
from treepack.packing.frames import Frame, lines_around
from treepack.packing.pieces import Piece, cut_into, trimmed_end
from treepack.packing.split.text import TextCutter

_MATH_FENCE: Final = "$$"
_CODE_INDENT: Final = "    "


def cut_code(cutter: TextCutter, block: CodeBlock, piece: Piece) -> list[Piece]:
    """Cut code at blank lines or else into lines, each with the original fence."""
    opening_end = _line_end(cutter, block.start, block.end)
    opening = cutter.text[block.start : opening_end]
    frames = piece.frames
    is_fenced = cutter.is_short(opening, block.fence, frames) and bool(block.fence)
    if is_fenced:
        head = Segment("fence", opening, (block.start, opening_end))
        # In the opening's column: if the chunk is read as a list item, the fence is closed inside.
        indentation = opening[: len(opening) - len(opening.lstrip())]
        closing = indentation + block.fence
        frames = (*frames, lines_around(block.start, block.end, (head,), closing))
    elif not block.fence:
        line = cutter.source.line_at(block.start)
        prefix = Prefix(line, block.start, len(_CODE_INDENT), _CODE_INDENT, _CODE_INDENT)
        frames = (*frames, Frame(block.start, block.end, prefix=prefix, is_literal=True))
    lines = cutter.line_pieces(block.start, block.end, frames, keeps_spaces=True)
    if is_fenced:
        lines = _glue_ends(lines, has_opening=True, has_closing=block.closed)
    paragraphs = [_group(each, frames) for each in _by_blank_lines(cutter, lines)]
    return paragraphs if len(paragraphs) > 1 else lines


def _by_blank_lines(cutter: TextCutter, lines: list[Piece]) -> list[list[Piece]]:
    line_at = cutter.source.line_at
    starts = [
        at
        for at, (before, piece) in enumerate(pairwise(lines), 1)
        if cutter.text[before.end : piece.start] != "\n"  # rarely true, so the slow test is last
        and line_at(piece.start) != line_at(before.end - 1) + 1
    ]
    return [lines[first:after] for first, after in pairwise([0, *starts, len(lines)])]


def cut_math(cutter: TextCutter, block: MathBlock, piece: Piece) -> list[Piece]:
    """Cut math into lines, each with ``$$`` around it."""
    frames = piece.frames
    if cutter.is_short(_MATH_FENCE, _MATH_FENCE, frames):
        fence = cutter.text.index(_MATH_FENCE, block.start)
        opening = Segment("fence", _MATH_FENCE, (fence, fence + len(_MATH_FENCE)))
        frames = (*frames, lines_around(block.start, block.end, (opening,), _MATH_FENCE))
    lines = cutter.line_pieces(block.start, block.end, frames)
    first, last = (cutter.text[line.start : line.end].strip() for line in (lines[0], lines[-1]))
    # A label may follow the closing marker: ``$$ (1)``.
    return _glue_ends(
        lines, has_opening=first == _MATH_FENCE, has_closing=last.startswith(_MATH_FENCE)
    )


def _line_end(cutter: TextCutter, start: int, end: int) -> int:
    starts = cutter.source.line_starts
    return trimmed_end(cutter.text, start, min(end, starts[bisect_right(starts, start)]))


def _glue_ends(pieces: list[Piece], *, has_opening: bool, has_closing: bool) -> list[Piece]:
    """Join fences with other lines, so that no piece is only a fence.

    The opening line is glued to the line after it, the closing line to the line before it.
    """
    if has_opening and len(pieces) > 1:
        pieces = [pieces[1].with_glue(pieces[0].start), *pieces[2:]]
    if has_closing and len(pieces) > 1:
        line = pieces[-2]
        text_end = line.end if line.text_end < 0 else line.text_end
        pieces = [*pieces[:-2], line._replace(end=pieces[-1].end, text_end=text_end)]
    return pieces


def _group(pieces: list[Piece], frames: tuple[Frame, ...]) -> Piece:
    return (
        pieces[0]
        if len(pieces) == 1
        else Piece(pieces[0].start, pieces[-1].end, frames, cut_into(pieces))
    )
