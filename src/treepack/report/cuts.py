"""Where a document was cut, and the likely reason.

The packer keeps no log of its choices. So both are computed afterwards: the place from the
document's structure, the reason from token counts that anybody can repeat.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from operator import itemgetter
from typing import Final, Literal, get_args

from treepack.config import PackConfig
from treepack.display import counted, one_line
from treepack.document.document import Document
from treepack.model.blocks import Block, ListItem, children
from treepack.model.chunk import body_span
from treepack.model.section import Section, path_to
from treepack.packing import Chunk
from treepack.report.packings import Packing

Level = Literal["section", "block", "item", "row", "line", "sentence", "word", "character"]
LEVELS: Final[tuple[Level, ...]] = get_args(Level)

_BLANKS: Final = re.compile(r"\s*")
_MARKS: Final = re.compile(r"[\s>]*")  # block quote markers and indentation before the content
_SENTENCE_END: Final = re.compile(r"[.!?:;…。！？；][\"'”’»)\]]*\Z")
_LOOK_BACK: Final = 16
_LINE_END: Final = re.compile(r"[\r\n][ \t>]*\Z")
_OF_LINES: Final = frozenset({"code", "math", "front_matter"})


@dataclass(frozen=True)
class Cut:
    """Why a chunk is not joined with the chunk before it.

    Attributes:
        level: What was separated: sections, blocks, list items, rows and so on.
        place: What begins at the cut, in words.
        together: Tokens of both bodies joined.
        why: The reason, derived from those tokens and the settings.
    """

    level: Level
    place: str
    together: int
    why: str


class Places:
    """Finds which part of a document's structure begins at an offset."""

    def __init__(self, document: Document) -> None:
        self._text = document.source.text
        self._starts: dict[int, tuple[Level, str]] = {}
        self._leaves: list[tuple[int, int, str]] = []
        for section in document.root.walk():
            self._add_section(section)
        self._leaves.sort()

    def at(self, offset: int) -> tuple[Level, str]:
        """Return the level of a cut at an offset, and what begins there."""
        for pattern in (_BLANKS, _MARKS):
            match = pattern.match(self._text, offset)
            assert match is not None, "the pattern matches anywhere"
            if match.end() in self._starts:
                return self._starts[match.end()]
        return self._inside(offset)

    def _add_section(self, section: Section) -> None:
        if section.heading is not None:
            title = one_line(section.heading.text) or "without text"
            self._put(section.start, "section", f"heading “{title}”")
        for block in section.blocks:
            self._put(block.start, "block", _named(block.kind))
            self._add_inner(block)

    def _add_inner(self, block: Block | ListItem) -> None:
        if block.kind == "table":
            for number, (start, _) in enumerate(block.rows, 1):
                self._put(start, "row", f"row {number}")
        inner = children(block)
        if not inner:
            self._leaves.append((block.start, block.end, block.kind))
        for child in inner:
            level: Level = "item" if block.kind in {"list", "list_item"} else "block"
            self._put(child.start, level, _named(child.kind))
            self._add_inner(child)

    def _put(self, start: int, level: Level, place: str) -> None:
        match = _BLANKS.match(self._text, start)
        assert match is not None, "the pattern matches anywhere"
        self._starts.setdefault(match.end(), (level, place))

    def _inside(self, offset: int) -> tuple[Level, str]:
        before = self._text[max(offset - _LOOK_BACK, 0) : offset]
        at = bisect_right(self._leaves, offset, key=itemgetter(0)) - 1
        kind = self._leaves[at][2] if at >= 0 and offset < self._leaves[at][1] else "paragraph"
        is_line = _LINE_END.search(before) is not None
        if kind in _OF_LINES and is_line:
            return "line", f"line of {_named(kind)}"
        if kind == "table":
            return "word", "part of a row"
        if kind == "html" and (before.rstrip().endswith(">") or self._text[offset] == "<"):
            return "item", "HTML element"
        if _SENTENCE_END.search(before.rstrip()):
            return "sentence", "sentence"
        if is_line:
            return "line", f"line of {_named(kind)}"
        between = self._text[max(offset - 1, 0) : offset + 1]
        is_inside_word = between.isascii() and between.isalnum() and len(between) > 1
        return ("character", "rest of a word") if is_inside_word else ("word", "word")


def cuts(packing: Packing) -> Iterator[Cut | None]:
    """Yield why each leaf is not joined with the leaf before it; None for the first."""
    places, root = Places(packing.document), packing.document.root
    length = len(packing.document.source.text)
    previous: Chunk | None = None
    for chunk in packing.leaves:
        start, end = body_span(chunk)
        if previous is None:
            yield None
        else:
            level, place = places.at(start)
            last = body_span(previous)[0]
            begin = min(last, start)
            together = packing.document.tokens.count(begin, min(max(end, begin), length))
            paths = path_to(root, last, last + 1), path_to(root, start, start + 1)
            torn = _torn(*paths, packing.config)
            yield Cut(level, place, together, _why(packing, (previous, chunk), together, torn))
        previous = chunk


def _torn(
    before: list[Section], here: list[Section], config: PackConfig
) -> tuple[Section, str] | None:
    """Return the section that is on only one side and too large for a chunk, and which side."""
    common = sum(1 for one, other in zip(before, here, strict=False) if one is other)
    sides = ((here, "this chunk is the beginning"), (before, "the previous chunk is the end"))
    large = ((path[common], said) for path, said in sides if len(path) > common)
    return next((side for side in large if side[0].tokens > config.max_tokens), None)


def _why(
    packing: Packing,
    sides: tuple[Chunk, Chunk],
    together: int,
    torn: tuple[Section, str] | None,
) -> str:
    """Return a sentence about the sizes on both sides of a cut."""
    before, chunk = sides
    config, both = packing.config, f"Both together have {counted(together, 'token')}"
    room = config.max_tokens - (chunk.embed_token_count - chunk.token_count)
    if chunk.parent_id != before.parent_id:
        return f"A new parent chunk begins here. {both}."
    if together > room:
        kept = ", and one of them was kept whole above it" * (before.oversize or chunk.oversize)
        path = " with the breadcrumb" * (together <= config.max_tokens)
        return f"{both}, which{path} is above the cap of {config.max_tokens:,}{kept}."
    if together > config.target_tokens and chunk.breadcrumb == before.breadcrumb:
        return f"{both}, which is above the target of {config.target_tokens:,}."
    reason = _why_though_it_fits(config, sides, torn)
    return f"Both together would fit, with {counted(together, 'token')}, but {reason}."


def _why_though_it_fits(
    config: PackConfig, sides: tuple[Chunk, Chunk], torn: tuple[Section, str] | None
) -> str:
    before, chunk = sides
    if config.sections == "separate" and before.breadcrumb != chunk.breadcrumb:
        return "the settings keep sections apart"
    if torn is not None and torn[0].heading is not None:
        title = one_line(torn[0].heading.text) or "a section without a title"
        return f"{torn[1]} of “{title}”, which has {torn[0].tokens:,} tokens and had to be split"
    if chunk.breadcrumb == before.breadcrumb:
        return "both are pieces of a larger block or section that had to be split"
    return "they are under different headings"


_OTHER_NAMES: Final = {"html": "HTML", "thematic_break": "rule"}


def _named(kind: str) -> str:
    """Return a kind of block in words."""
    return _OTHER_NAMES.get(kind) or kind.replace("_", " ")
