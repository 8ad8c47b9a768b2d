"""Where a document was cut, and the likely reason.

The packer keeps no log of its choices. So both are computed afterwards: the place from the
document's structure, the reason from token counts that anybody can repeat.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import Final, Literal, NamedTuple, get_args

from treepack.config import PackConfig
from treepack.display import counted, one_line
from treepack.document.document import Document
from treepack.model.blocks import Block, ListItem, children
from treepack.model.chunk import body_span
from treepack.model.section import Section, path_to
from treepack.packing import Chunk
from treepack.report_page.packing import Packing

Level = Literal["section", "block", "item", "row", "line", "sentence", "word", "character"]
LEVELS: Final[tuple[Level, ...]] = get_args(Level)

_WHITESPACE: Final = re.compile(r"\s*")
_MARKERS: Final = re.compile(r"[\s>]*")  # block quote markers and indentation before the content
_SENTENCE_END: Final = re.compile(r"[.!?:;…。！？；][\"'”’»)\]]*\Z")
_LOOK_BACK: Final = 16
_LINE_END: Final = re.compile(r"[\r\n][ \t>]*\Z")
_LINE_KINDS: Final = frozenset({"code", "math", "front_matter"})


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


class StructureIndex:
    """Finds which part of a document's structure begins at an offset."""

    def __init__(self, document: Document) -> None:
        self._text = document.source.text
        self._starts: dict[int, tuple[Level, str]] = {}
        self._leaves: list[tuple[int, int, str]] = []
        for section in document.root.walk():
            if section.heading is not None:
                title = one_line(section.heading.text) or "without text"
                self._add_start(section.start, "section", f"heading “{title}”")
            self._add_blocks(section.blocks, "block")
        self._leaves.sort()

    def starting_at(self, offset: int) -> tuple[Level, str]:
        """Return the level of a cut at an offset, and what begins there."""
        for pattern in (_WHITESPACE, _MARKERS):
            if (content := self._skip(pattern, offset)) in self._starts:
                return self._starts[content]
        return self._inside_block(offset)

    def _skip(self, pattern: re.Pattern[str], offset: int) -> int:
        match = pattern.match(self._text, offset)
        assert match is not None, "the pattern matches anywhere"
        return match.end()

    def _add_blocks(self, blocks: Sequence[Block | ListItem], level: Level) -> None:
        for block in blocks:
            self._add_start(block.start, level, _kind_in_words(block.kind))
            if block.kind == "table":
                for number, (start, _) in enumerate(block.rows, 1):
                    self._add_start(start, "row", f"row {number}")
            inner = children(block)
            if not inner:
                self._leaves.append((block.start, block.end, block.kind))
            self._add_blocks(inner, "item" if block.kind in {"list", "list_item"} else "block")

    def _add_start(self, start: int, level: Level, next_unit: str) -> None:
        self._starts.setdefault(self._skip(_WHITESPACE, start), (level, next_unit))

    def _inside_block(self, offset: int) -> tuple[Level, str]:
        before = self._text[max(offset - _LOOK_BACK, 0) : offset]
        index = bisect_right(self._leaves, offset, key=itemgetter(0)) - 1
        is_in_leaf = index >= 0 and offset < self._leaves[index][1]
        kind = self._leaves[index][2] if is_in_leaf else "paragraph"
        is_line = _LINE_END.search(before) is not None
        if kind in _LINE_KINDS and is_line:
            return "line", f"line of {_kind_in_words(kind)}"
        if kind == "table":
            return "word", "part of a row"
        if kind == "html" and (before.rstrip().endswith(">") or self._text[offset] == "<"):
            return "item", "HTML element"
        if _SENTENCE_END.search(before.rstrip()):
            return "sentence", "sentence"
        if is_line:
            return "line", f"line of {_kind_in_words(kind)}"
        between = self._text[max(offset - 1, 0) : offset + 1]
        is_inside_word = between.isascii() and between.isalnum() and len(between) > 1
        return ("character", "rest of a word") if is_inside_word else ("word", "word")


def cuts(packing: Packing) -> Iterator[Cut | None]:
    """Yield why each leaf is not joined with the leaf before it; None for the first."""
    document, config = packing.document, packing.config
    structure = StructureIndex(document)
    if packing.leaves:
        yield None
    for before, chunk in pairwise(packing.leaves):
        before_start, (start, end) = body_span(before)[0], body_span(chunk)
        begin = min(before_start, start)
        tokens = document.tokens.count(begin, min(max(end, begin), len(document.source.text)))
        reason = _reason_if_too_large(config, before, chunk, tokens)
        if reason is None:
            split = _split_section(document.root, (before_start, start), config.max_tokens)
            why = _reason_if_it_fits(config, before, chunk, split)
            reason = f"Both together would fit, with {counted(tokens, 'token')}, but {why}."
        yield Cut(*structure.starting_at(start), reason)


def _reason_if_too_large(
    config: PackConfig, before: Chunk, chunk: Chunk, tokens: int
) -> str | None:
    """Return why two chunks with so many tokens together could not be one; None if they could."""
    both = f"Both together have {counted(tokens, 'token')}"
    if chunk.parent_id != before.parent_id:
        return f"A new parent chunk begins here. {both}."
    if tokens > config.max_tokens - (chunk.embed_token_count - chunk.token_count):
        detail = ", and one of them was kept whole above it" * (before.oversize or chunk.oversize)
        path = " with the breadcrumb" * (tokens <= config.max_tokens)
        return f"{both}, which{path} is above the cap of {config.max_tokens:,}{detail}."
    if tokens > config.target_tokens and chunk.breadcrumb == before.breadcrumb:
        return f"{both}, which is above the target of {config.target_tokens:,}."
    return None


def _split_section(root: Section, starts: tuple[int, int], cap: int) -> str | None:
    """Return in words which section is on only one side of a cut, and too large for a chunk."""
    before, here = (path_to(root, start, start + 1) for start in starts)
    common = sum(first is second for first, second in zip(before, here, strict=False))
    sides = ((here, "this chunk is the beginning"), (before, "the previous chunk is the end"))
    for section, side in ((section, side) for path, side in sides for section in path[common:][:1]):
        if section.heading is not None and section.tokens > cap:
            title = one_line(section.heading.text) or "a section without a title"
            return f"{side} of “{title}”, which has {section.tokens:,} tokens and had to be split"
    return None


def _reason_if_it_fits(config: PackConfig, before: Chunk, chunk: Chunk, split: str | None) -> str:
    is_same_place = before.breadcrumb == chunk.breadcrumb
    if config.sections == "separate" and not is_same_place:
        return "the settings keep sections apart"
    if split is None and is_same_place:
        return "both are pieces of a larger block or section that had to be split"
    return split or "they are under different headings"


def _kind_in_words(kind: str) -> str:
    """Return a kind of block in words."""
    return {"html": "HTML", "thematic_break": "rule"}.get(kind) or kind.replace("_", " ")
