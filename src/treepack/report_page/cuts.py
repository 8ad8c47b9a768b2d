"""Where a document was cut, and the likely reason.

The packer keeps no log of its choices. So both are computed afterwards: the place from the
document's structure, the reason from token counts that anybody can repeat.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter
from typing import Final, Literal, get_args

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


@dataclass(frozen=True)
class Cut:
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
            self._add_section(section)
        self._leaves.sort()

    def starting_at(self, offset: int) -> tuple[Level, str]:
        """Return the level of a cut at an offset, and what begins there."""
        for pattern in (_WHITESPACE, _MARKERS):
            match = pattern.match(self._text, offset)
            assert match is not None, "the pattern matches anywhere"
            if match.end() in self._starts:
                return self._starts[match.end()]
        return self._inside_block(offset)

    def _add_section(self, section: Section) -> None:
        if section.heading is not None:
            title = one_line(section.heading.text) or "without text"
            self._add_start(section.start, "section", f"heading “{title}”")
        for block in section.blocks:
            self._add_start(block.start, "block", _kind_in_words(block.kind))
            self._add_inner(block)

    def _add_inner(self, block: Block | ListItem) -> None:
        if block.kind == "table":
            for number, (start, _) in enumerate(block.rows, 1):
                self._add_start(start, "row", f"row {number}")
        inner = children(block)
        if not inner:
            self._leaves.append((block.start, block.end, block.kind))
        for child in inner:
            level: Level = "item" if block.kind in {"list", "list_item"} else "block"
            self._add_start(child.start, level, _kind_in_words(child.kind))
            self._add_inner(child)

    def _add_start(self, start: int, level: Level, next_unit: str) -> None:
        match = _WHITESPACE.match(self._text, start)
        assert match is not None, "the pattern matches anywhere"
        self._starts.setdefault(match.end(), (level, next_unit))

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
    structure, root = StructureIndex(packing.document), packing.document.root
    length = len(packing.document.source.text)
    if packing.leaves:
        yield None
    for previous, chunk in pairwise(packing.leaves):
        before, (start, end) = body_span(previous)[0], body_span(chunk)
        level, next_unit = structure.starting_at(start)
        begin = min(before, start)
        together = packing.document.tokens.count(begin, min(max(end, begin), length))
        paths = path_to(root, before, before + 1), path_to(root, start, start + 1)
        split = _split_section(*paths, packing.config)
        sides = previous, chunk
        yield Cut(level, next_unit, _reason_of(packing.config, sides, together, split))


def _split_section(
    before: list[Section], here: list[Section], config: PackConfig
) -> tuple[Section, str] | None:
    """Return the section that is on only one side and too large for a chunk, and which side."""
    common = sum(1 for first, second in zip(before, here, strict=False) if first is second)
    sides = ((here, "this chunk is the beginning"), (before, "the previous chunk is the end"))
    too_large = ((path[common], side) for path, side in sides if len(path) > common)
    return next((side for side in too_large if side[0].tokens > config.max_tokens), None)


def _reason_of(
    config: PackConfig,
    sides: tuple[Chunk, Chunk],
    joint_tokens: int,
    split: tuple[Section, str] | None,
) -> str:
    """Return a sentence about the sizes on both sides of a cut."""
    before, chunk = sides
    both = f"Both together have {counted(joint_tokens, 'token')}"
    room = config.max_tokens - (chunk.embed_token_count - chunk.token_count)
    if chunk.parent_id != before.parent_id:
        return f"A new parent chunk begins here. {both}."
    if joint_tokens > room:
        detail = ", and one of them was kept whole above it" * (before.oversize or chunk.oversize)
        path = " with the breadcrumb" * (joint_tokens <= config.max_tokens)
        return f"{both}, which{path} is above the cap of {config.max_tokens:,}{detail}."
    if joint_tokens > config.target_tokens and chunk.breadcrumb == before.breadcrumb:
        return f"{both}, which is above the target of {config.target_tokens:,}."
    reason = _reason_if_it_fits(config, sides, split)
    return f"Both together would fit, with {counted(joint_tokens, 'token')}, but {reason}."


def _reason_if_it_fits(
    config: PackConfig, sides: tuple[Chunk, Chunk], split: tuple[Section, str] | None
) -> str:
    before, chunk = sides
    if config.sections == "separate" and before.breadcrumb != chunk.breadcrumb:
        return "the settings keep sections apart"
    if split is not None and split[0].heading is not None:
        title = one_line(split[0].heading.text) or "a section without a title"
        return f"{split[1]} of “{title}”, which has {split[0].tokens:,} tokens and had to be split"
    if chunk.breadcrumb == before.breadcrumb:
        return "both are pieces of a larger block or section that had to be split"
    return "they are under different headings"


_KINDS_IN_WORDS: Final = {"html": "HTML", "thematic_break": "rule"}


def _kind_in_words(kind: str) -> str:
    """Return a kind of block in words."""
    return _KINDS_IN_WORDS.get(kind) or kind.replace("_", " ")
