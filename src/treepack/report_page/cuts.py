"""Where a document was cut, and the likely reason.

The packer keeps no log of its choices. So both are computed afterwards: the place from the
document's structure, the reason from token counts that anybody can repeat.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final, Literal, NamedTuple

from treepack.clauses.clause import NO_CLAUSES
from treepack.config import PackConfig
from treepack.display import counted, one_line
from treepack.laws.reading import Reading
from treepack.model.blocks import Heading, ListItem, Table
from treepack.model.chunk import body_span
from treepack.packing import Chunk
from treepack.report_page.packing import Packing

Level = Literal["section", "block", "item", "row", "line", "sentence", "word"]

_MARKERS: Final = " \t\r\n>"  # indentation and quote markers before the content
_SENTENCE_END: Final = re.compile(r"[.!?:;…。！？；][\"'”’»)\]]*\s*\Z")
_LOOK_BACK: Final = 16
_LINE_END: Final = re.compile(r"[\r\n][ \t>]*\Z")


class Cut(NamedTuple):
    """Why a chunk is not joined with the chunk before it.

    Attributes:
        level: What was separated: sections, blocks, list items, rows and so on.
        next_unit: What begins at the cut, in words.
        reason: The reason, derived from the tokens on both sides and the settings.
    """

    level: Level
    next_unit: str
    reason: str


def cuts(packing: Packing) -> Iterator[Cut | None]:
    """Yield why each leaf is not joined with the leaf before it; None for the first."""
    document, reading = packing.document, Reading(packing.document, NO_CLAUSES)
    if packing.leaves:
        yield None
    for before, chunk in pairwise(packing.leaves):
        start, end = body_span(chunk)
        begin = min(body_span(before)[0], start)
        tokens = document.tokens.count(begin, min(max(end, begin), len(document.source.text)))
        reason = _reason(packing.config, before, chunk, tokens)
        yield Cut(*beginning(reading, start), reason)


def beginning(reading: Reading, offset: int) -> tuple[Level, str]:
    """Return the level of a cut at an offset, and what begins there."""
    text = reading.document.source.text
    start = offset + len(text[offset:]) - len(text[offset:].lstrip(_MARKERS))
    kind = "paragraph"
    for place in reading.across(start + 1, start):
        block, kind = place.block, place.block.kind.replace("_", " ")
        if block.start >= offset:
            if isinstance(block, Heading):
                return "section", f"heading “{one_line(block.text) or 'without text'}”"
            is_item = place.around is not None and isinstance(block, ListItem)
            return "item" if is_item and place.index else "block", kind
        if isinstance(block, Table):
            row = next((n for n, row in enumerate(block.rows, 1) if row[0] >= offset), None)
            is_row = row and block.rows[row - 1][0] <= start
            return ("row", f"row {row}") if is_row else ("word", "part of a row")
    before = text[max(offset - _LOOK_BACK, 0) : offset]
    if _SENTENCE_END.search(before) and kind not in {"code", "math", "front matter"}:
        return "sentence", "sentence"
    return ("line", f"line of {kind}") if _LINE_END.search(before) else ("word", "word")


def _reason(config: PackConfig, before: Chunk, chunk: Chunk, tokens: int) -> str:
    """Return why two chunks with so many tokens together are not one."""
    both = f"Both together have {counted(tokens, 'token')}"
    is_same_place = before.breadcrumb == chunk.breadcrumb
    if chunk.parent_id != before.parent_id:
        return f"A new parent chunk begins here. {both}."
    if tokens > config.max_tokens - (chunk.embed_token_count - chunk.token_count):
        detail = ", and one of them was kept whole above it" * (before.oversize or chunk.oversize)
        path = " with the breadcrumb" * (tokens <= config.max_tokens)
        return f"{both}, which{path} is above the cap of {config.max_tokens:,}{detail}."
    if tokens > config.target_tokens and is_same_place:
        return f"{both}, which is above the target of {config.target_tokens:,}."
    why = "they are under different headings, of which one had to be split"
    if is_same_place:
        why = "both are pieces of a larger block or section that had to be split"
    elif config.sections == "separate":
        why = "the settings keep sections apart"
    return f"Both together would fit, with {counted(tokens, 'token')}, but {why}."
