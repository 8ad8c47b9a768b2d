"""Whether a boundary stands between clauses, read from the source alone.

Clauses whose titles run into the text (``4. Restrictions. You may ...``) are packed as sections
are, so a boundary may stand before one where it would cut a list or a section's own text. A record
says which clause begins. The text must say the same at this place: a paragraph, or an item of a
list that stands for itself, begins with the number, and is no point of the text before it.
"""

import re
from typing import Final

from treepack.laws.claims.clause_names import next_number
from treepack.laws.pieces import Piece
from treepack.laws.reading.blocks import Block, Section
from treepack.laws.reading.lead_sentences import LABEL, sentence_before, title_end
from treepack.laws.reading.parsed_source import ParsedSource

_STEP: Final = re.compile(r"[^\s()]+")
_WORD: Final = re.compile(r"[^\W_]")


def is_between_clauses(source: ParsedSource, left: Piece, right: Piece) -> bool:
    """Whether the second chunk begins with a clause, or follows the list in which the first does.

    A clause that is an item of a list ends with the list at the latest. In plain text, a list is
    several numbered lines or paragraphs in a row.

    Args:
        source: The source as the audit reads it.
        left: The chunk before a boundary.
        right: The chunk after it.
    """
    if begins_clause(source, right):
        return True
    before = source.blocks_in(left.start, left.end)
    if source.is_plain:
        numbered = [LABEL.match(source.text, block.start, block.end) for block in before]
        is_after_list = len(before) > 1 and all(numbered)
    else:
        is_after_list = len(before) == 1 and before[0].kind == "list"
    return is_after_list and left.end >= before[-1].end and begins_clause(source, left)


def begins_clause(source: ParsedSource, piece: Piece) -> bool:
    """Whether a chunk begins with a clause that stands for itself, as its record says.

    A clause that is a step of another (``4(2)``) must have a title, or be the item after one that
    has a title.

    Args:
        source: The source as the audit reads it.
        piece: The chunk.
    """
    chunk = piece.chunk
    if chunk is None or not chunk.clauses or chunk.clause_continued is not None:
        return False
    blocks = _blocks_at(source, piece.start)
    if not blocks:
        return False
    block = blocks[0]
    label = LABEL.match(source.text, piece.start, block.end)
    claimed = chunk.clauses[0]
    if label is None or label["number"].replace("\\", "") != _STEP.findall(claimed)[-1]:
        return False
    if not claimed.endswith(")"):
        return True
    return any(_has_title(source, each) for each in blocks)


def has_ended(source: ParsedSource, section: Section, piece: Piece) -> bool:
    """Whether the numbered clause of a heading ends before a chunk, with the next clause's number.

    No heading shows that where titles run into the text; the record names the clause. So it counts
    also where the next number comes twice.

    Args:
        source: The source as the audit reads it.
        section: A section whose heading stands before the chunk.
        piece: The chunk.
    """
    if piece.chunk is None or not (piece.chunk.clauses or piece.chunk.clause_number):
        return False
    end = next_number(source, section.heading.start, section.heading.end, once=False)
    return end is not None and not _WORD.search(source.text, piece.start, end)


def _has_title(source: ParsedSource, block: Block) -> bool:
    """Whether a block or item begins with a label and a title."""
    label = LABEL.match(source.text, block.start, block.end)
    if label is None:
        return False
    own = source.text[label.end() : block.end]
    return _is_line(own) or title_end(source.text, label.end(), block.end) is not None


def _is_line(own: str) -> bool:
    """Whether a text is a title on a line of its own: some words in capitals, without an end."""
    return own.isupper() and own[-1].isalnum() and "\n" not in own.strip()


def _blocks_at(source: ParsedSource, position: int) -> list[Block]:
    """The block or list item that begins at a place and stands for itself; [] if there is none.

    The item before an item is the second one. An item of a list with a lead-in, or in a list inside
    another block, is a part of that text.
    """
    for block in source.blocks_in(position, position + 1):
        if block.kind != "list":
            return [block] if block.start == position else []
        if sentence_before(source, block):
            return []
        for place, item in enumerate(block.children):
            if item.start == position:
                return [item, *block.children[max(0, place - 1) : place]]
        return []
    return []
