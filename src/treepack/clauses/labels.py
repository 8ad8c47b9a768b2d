"""The labels of paragraphs and list items in a section's own content, and what ends them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, TypeAlias, cast

from treepack.clauses.sequences import Reading, wrapper_and_readings
from treepack.model.blocks import (
    Block,
    Container,
    ListBlock,
    ListItem,
    Paragraph,
    Table,
)
from treepack.model.section import Section
from treepack.numbers.clause_number import RELATIVE, ClauseNumber
from treepack.numbers.grammar import BEGINNING, begins_label, read_label


@dataclass(slots=True)
class ClauseLabel:
    """A label in a text, not yet assigned to a clause.

    Attributes:
        start: The start of the paragraph or list item.
        number: The label.
        depth: How many list items contain it.
        limit: The end of its list item or, outside lists, of the section's own content.
        is_doubtful: Whether ``A.`` may be the initial of a name; only the labels around it can
            show which.
        is_repeated: Whether the same label comes just before; converters print some labels twice.
        wrapper: The characters around its number.
        readings: All ways to read it as a member of a numbering; empty if it is not relative.
    """

    start: int
    number: ClauseNumber
    depth: int
    limit: int
    is_doubtful: bool = False
    is_repeated: bool = False
    wrapper: str = field(init=False)
    readings: tuple[Reading, ...] = field(init=False)

    def __post_init__(self) -> None:
        number = self.number
        part = number.parts[-1] if number.kind in RELATIVE else ""
        self.wrapper, self.readings = wrapper_and_readings(number.label, part)


LabelItem: TypeAlias = ClauseLabel | Table | int
"""A label, a table that may list requirements, or the offset of a closing formula."""


_BEGINNING: Final = re.compile(
    rf"""
    (?P<closing> (?:Done|Signed)\ at\ [A-Z] | Geschehen\ zu\  | Fait\ à\  | Hecho\ en\  )
    | (?! [A-Za-z][a-z]+\ (?!premi|prime|the\ )[a-z] ) {BEGINNING}
    """,
    re.VERBOSE,
)
"""A label, or a law's closing formula: signatures and notes follow it, up to the annexes.

A word before a lower-case word is not a label, except in ``Article premier`` and the like.
"""
_CAPITAL_LETTER: Final = re.compile(r"[ \t*_]{0,24}([A-Z])\.(?=\s)(?!\s?[A-Z]\.)")
_MARKUP: Final = " \t\r\n*_"
_NEAR_REPEAT: Final = 60  # characters between a label and the same label printed again
_AFTER_DIGITS: Final = frozenset(".)")


def content_end(section: Section) -> int:
    """Return the end of a section's own content."""
    return section.sections[0].start if section.sections else section.end


def labels_of(text: str, blocks: Sequence[Block], limit: int, depth: int = 0) -> list[LabelItem]:
    """Return the labels of some blocks in source order; quotes and footnotes are skipped.

    Args:
        text: The source.
        blocks: The blocks.
        limit: The end of the content that contains the blocks.
        depth: How many list items contain the blocks.
    """
    found: list[LabelItem] = []
    _gather(found, text, blocks, limit, depth)
    if not found[1:]:
        return found  # most sections
    # A call for each label takes long.
    labels = cast("list[ClauseLabel]", [label for label in found if label.__class__ is ClauseLabel])
    near_pairs = [
        pair for pair in pairwise(labels) if pair[1].start - pair[0].start <= _NEAR_REPEAT
    ]
    for before, label in near_pairs:
        between = text[before.start : label.start].strip(_MARKUP)
        is_short = len(between) <= len(label.number.label) + 1
        label.is_repeated = is_short and before.number == label.number
    return found


def _gather(
    found: list[LabelItem], text: str, blocks: Sequence[Block], limit: int, depth: int
) -> None:
    """Add the labels of some blocks that are inside ``depth`` list items."""
    for block in blocks:
        if isinstance(block, Paragraph):
            if match := _BEGINNING.match(text, block.start, block.end):  # some paragraphs
                if match["closing"]:
                    found.append(block.start)
                elif begins_label(match):
                    label = _leading_label(text, block, match, limit, depth)
                    found += [label] if label else []
        elif isinstance(block, ListBlock):
            _gather_items(found, text, block.items, limit, depth)
        elif isinstance(block, Table):
            found.append(block)
        elif isinstance(block, Container):
            _gather(found, text, block.blocks, limit, depth)


def _leading_label(
    text: str, block: Paragraph, match: re.Match[str], limit: int, depth: int
) -> ClauseLabel | None:
    """Return the label that a paragraph begins with."""
    start = block.start
    number = read_label(match, "text")
    if number:
        return ClauseLabel(start, number, depth, limit)
    if initial := _CAPITAL_LETTER.match(text, start, block.end):
        number = ClauseNumber("letter", initial[1], (initial[1],))
        return ClauseLabel(start, number, depth, limit, is_doubtful=True)
    return None


def _gather_items(
    found: list[LabelItem], text: str, items: Sequence[ListItem], limit: int, depth: int
) -> None:
    """Add the labels of list items (their markers ``1.`` or ``1)``) and of their content."""
    for item in items:
        marker = item.marker
        if marker[-1:] in _AFTER_DIGITS and marker[0].isdigit():  # most have a bullet
            digits = marker[:-1]
            number = ClauseNumber("paragraph", digits if marker[-1] == "." else marker, (digits,))
            # The text that follows an empty item belongs to it.
            end = item.end if item.blocks else limit
            found.append(ClauseLabel(item.start, number, depth, end))
        _gather(found, text, item.blocks, item.end, depth + 1)


def start_of(label: LabelItem) -> int:
    """Return the start of a label, a table or a closing formula."""
    return label if isinstance(label, int) else label.start
