"""The labels of paragraphs and list items in a section's own content, and what ends them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import Final, TypeAlias, cast

from treepack.clauses.sequences import Reading, wrapper_and_readings
from treepack.model.blocks import (
    Block,
    CodeBlock,
    Container,
    ListBlock,
    ListItem,
    Paragraph,
    Table,
)
from treepack.model.section import Section
from treepack.model.source import ANY_LINE_END
from treepack.numbers.clause_number import RELATIVE, ClauseNumber
from treepack.numbers.grammar import BEGINNING, LONGEST_READ, begins_label, parse_clause, read_label
from treepack.sentences.small_words import OPEN_ENDS


@dataclass(slots=True)
class ClauseLabel:
    """A label in a text, not yet assigned to a clause.

    Attributes:
        start: The start of the paragraph or list item.
        number: The label.
        depth: How many list items contain it.
        limit: The end of its list item or, outside lists, of the section's own content.
        is_doubtful: Whether it may not be a label: ``A.`` may be the initial of a name, and
            ``3.2.5`` before a word in lower case may be inside a sentence. Only the labels around
            it can show which.
        is_repeated: Whether the same label comes just before; converters print some labels twice.
        is_on_line: Whether it is the first point of a clause, on the line of the clause's label.
        wrapper: The characters around its number.
        readings: All ways to read it as a member of a numbering; empty if it is not relative.
    """

    start: int
    number: ClauseNumber
    depth: int
    limit: int
    is_doubtful: bool = False
    is_on_line: bool = False
    is_repeated: bool = False
    wrapper: str = field(init=False)
    readings: tuple[Reading, ...] = field(init=False)

    def __post_init__(self) -> None:
        number = self.number
        part = number.parts[-1] if number.kind in RELATIVE else ""
        self.wrapper, self.readings = wrapper_and_readings(number.label, part)


LabelItem: TypeAlias = ClauseLabel | Table | int
"""A label, a table that may list requirements, or the offset of a closing formula."""


def after_line_end(pattern: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Compile a pattern after a line feed, which `re` finds much faster, and after any line end."""
    return re.compile("\n" + pattern), re.compile("[\r\n]" + pattern)


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
_SENTENCE_DECIMAL: Final = re.compile(
    r"[ \t*_]{0,24}\d{1,3}(?:\.\d{1,3}){1,4}[ \t\u00a0]+[a-zà-öø-ÿ]"
)
"""A number below a clause that continues the clause's sentence: ``2.1.1 to pay the rent``."""
_DEEP_DECIMAL: Final = re.compile(r"\d+\.\d+\.\d")
_FIRST_POINT: Final = re.compile(
    r"[*_]{0,3}[.:]?[*_]{0,3}"
    r"(?:[ \t\u00a0]+[*_]{0,3}[^\W_a-z][^\r\n().:;]{1,80}\.[*_]{0,3})?[ \t\u00a0]*"
    r"(?P<dash>[—–]|--?)?[*_]{0,3}[ \t\u00a0]*"
    r"(?P<point>\([*_]{0,2}[aAi1][*_]{0,2}\))[ \t\u00a0]*(?=\S)"
)
_TITLED: Final = re.compile(
    r"[*_]{0,3}(?P<number>\d{1,3}[A-Z]{0,2})[*_]{0,3}[ \t\u00a0]+[*_]{0,3}[^\W\d_a-z][^\r\n]{1,90}"
    rf"(?<![.;:,\s])[ \t]*(?:{ANY_LINE_END}[ \t]*){{1,2}}(?P<point>\(1\))[ \t\u00a0]+\S"
)
"""A number and a title on a line of their own, as modern acts have them, and their first point."""
_TITLE: Final = re.compile(r"(\*\*|__)[^*_\r\n](?:(?!\1).){1,238}(?<![.;:,])\1", re.DOTALL)
"""A paragraph that is wholly in bold type, like a title: ``**Part 3 What else holds**``."""
_LINE_LABEL: Final = (
    r"[ \t]*+(?P<label>(?P<point>\(?+(?:\d{1,3}+[A-Z]{0,2}+|[a-z]{1,4}+)\)|\d{1,2}+°)"
    r"(?=[ \t\u00a0\u202f]+\S)|[*_]{0,3}+[^\W\d_a-z][^\W\d_]{2,11}+\.?+[ \u00a0]++[^\W_a-z])"
)
"""A point, or a word and a number, that begin a line after the end of another label's text."""
_LABEL_LINES: Final = after_line_end(_LINE_LABEL)
_ENDS_BEFORE_LABEL: Final = tuple(".;:—–") + tuple(
    f"{character} {word}" for character in ";," for word in ("and", "or", "und", "oder", "et", "ou")
)
_OPEN_END: Final = re.compile(rf",$|\b(?:{OPEN_ENDS}|by|from|in|on|per|see|under)$")
_LONGEST_CONTEXT: Final = 40  # characters
_MARKUP: Final = " \t\r\n*_"
_NEAR_REPEAT: Final = 60  # characters between a label and the same label printed again
_AFTER_DIGITS: Final = frozenset(".)")
_POINT_CHARACTERS: Final = frozenset("aAi1*_")
_TITLED_CHARACTERS: Final = frozenset("0123456789*_")
_PARAGRAPH_1: Final = ClauseNumber("paragraph", "(1)", ("1",))
_POINT: Final = r"    [ ]?(?P<point>\(?\w{1,3}\)[ \t]+\S[^\r\n]{0,40})"
_POINT_FIRST: Final = re.compile(r"(?<![^\r\n])" + _POINT)
_POINT_LINES: Final = after_line_end(_POINT)


def content_end(section: Section) -> int:
    """Return the end of a section's own content."""
    return section.sections[0].start if section.sections else section.end


def labels_of(text: str, blocks: Sequence[Block], limit: int, depth: int = 0) -> list[LabelItem]:
    """Return the labels of some blocks in source order; quotes and footnotes are skipped."""
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
        if not isinstance(block, Paragraph):
            _gather_from_block(found, text, block, limit, depth)
            continue
        start, end = block.start, block.end
        if match := _BEGINNING.match(text, start, end):  # some paragraphs
            if match["closing"]:
                found.append(start)
            elif begins_label(match):
                _add_paragraph_labels(found, text, block, match, limit, depth)
        content = text[start:end]
        if "\n" in content or "\r" in content:  # some paragraphs
            ends = _LABEL_LINES["\r" in content]
            if ends.search(text, start, end):  # few of these
                found.extend(_line_labels(text, block, ends, limit, depth))


def _gather_from_block(
    found: list[LabelItem], text: str, block: Block, limit: int, depth: int
) -> None:
    """Add the labels of what a block contains."""
    if isinstance(block, ListBlock):
        _gather_items(found, text, block.items, limit, depth)
    elif isinstance(block, Table):
        found.append(block)
    elif isinstance(block, Container):
        _gather(found, text, block.blocks, limit, depth)
    elif isinstance(block, CodeBlock) and not block.fence:
        found.extend(_indented_points(text, block, limit, depth))


def _add_paragraph_labels(  # noqa: PLR0913, PLR0917 - where the labels go, and where they are
    found: list[LabelItem],
    text: str,
    block: Paragraph,
    beginning: re.Match[str],
    limit: int,
    depth: int,
) -> None:
    """Add the label that a paragraph begins with, and that of a first point on the same line."""
    label = _leading_label(text, block, beginning, limit, depth)
    if label is not None:
        found.append(label)
        if first_point := _first_point(text, block, label):
            found.append(first_point)
    elif text[block.start] in _TITLED_CHARACTERS and (titled := _TITLED.match(text, block.start)):
        number = ClauseNumber("paragraph", titled["number"], (titled["number"],))
        found.append(ClauseLabel(block.start, number, depth, limit))
        if (at := titled.start("point")) < block.end:
            first_point = ClauseLabel(
                at, _PARAGRAPH_1, depth, limit, is_doubtful=True, is_on_line=True
            )
            found.append(first_point)


def _line_labels(
    text: str, block: Paragraph, ends: re.Pattern[str], limit: int, depth: int
) -> Iterator[ClauseLabel]:
    """Yield labels that begin a line in a paragraph: ``(a) the goods;``, then ``(b) the rest.``.

    Some acts have a line for each article, and no empty line between them.
    """
    for match in ends.finditer(text, block.start, block.end):
        at = match.start("label")
        number = parse_clause(text[at : min(at + LONGEST_READ, block.end)], "text")
        if number is None or not (match["point"] or number.word):
            continue
        before = text[max(block.start, match.start() - _LONGEST_CONTEXT) : at].rstrip()
        is_clause_end = before.rstrip(" *_").endswith(_ENDS_BEFORE_LABEL)
        if not is_clause_end and (match["point"] or _OPEN_END.search(before)):
            continue
        if is_clause_end or number.label.isupper() or before.endswith(("**", "__")):
            yield ClauseLabel(at, number, depth, limit, is_doubtful=number.kind in RELATIVE)


def _leading_label(
    text: str, block: Paragraph, match: re.Match[str], limit: int, depth: int
) -> ClauseLabel | None:
    """Return the label that a paragraph begins with."""
    start = block.start
    number = read_label(match, "text")
    if number is None and _TITLE.fullmatch(text, start, block.end):
        number = read_label(match, "heading")
        number = number if number and number.word else None
    if number:
        return ClauseLabel(start, number, depth, limit)
    if _DEEP_DECIMAL.match(text, match.end() - 1) or _SENTENCE_DECIMAL.match(
        text, start, block.end
    ):
        # "3.2.5 printf(format)", "2.1 to pay": a title, or a point, may begin in lower case
        number = read_label(match, "heading")
        if number and number.kind == "decimal" and len(number.parts) > 1:
            return ClauseLabel(start, number, depth, limit, is_doubtful=True)
        return None
    if initial := _CAPITAL_LETTER.match(text, start, block.end):
        number = ClauseNumber("letter", initial[1], (initial[1],))
        return ClauseLabel(start, number, depth, limit, is_doubtful=True)
    return None


def _first_point(text: str, block: Block, label: ClauseLabel) -> ClauseLabel | None:
    """Return the first point if it is on the line of its clause: ``2.1 Fees. (a) The ...``.

    It is doubtful until (b) follows in a paragraph of its own, unless a dash comes before it, as in
    acts of many countries: ``1.—(1) The ...``.
    """
    if label.is_doubtful or not isinstance(block, Paragraph):
        return None
    at = text.find(label.number.label, label.start, label.start + LONGEST_READ)
    after = at + len(label.number.label)
    bracket = text.find("(", after, block.end) if at >= 0 else -1
    if bracket < 0 or text[bracket + 1 : bracket + 2] not in _POINT_CHARACTERS:
        return None  # the common case; no bracket may come between the label and the point
    match = _FIRST_POINT.match(text, after, block.end)
    if match is None:
        return None
    number = parse_clause(match["point"], "text")
    assert number is not None, "it is a label in brackets"
    return ClauseLabel(
        match.start("point"),
        number,
        label.depth,
        label.limit,
        is_doubtful=not match["dash"],
        is_on_line=True,
    )


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
            label = ClauseLabel(item.start, number, depth, end)
            found.append(label)
            if item.blocks and (first_point := _first_point(text, item.blocks[0], label)):
                found.extend(_first_point_and_inner(text, item, first_point))
                continue
        _gather(found, text, item.blocks, item.end, depth + 1)


def _first_point_and_inner(text: str, item: ListItem, first: ClauseLabel) -> Iterator[LabelItem]:
    """Yield the first point of an item ``1. (1) The ...`` and the labels that follow in the item.

    The point belongs to the numbering inside the item, if there is one, or else to the numbering of
    the paragraphs after the item.
    """
    labels = labels_of(text, item.blocks, item.end, first.depth + 1)
    labels = [label for label in labels if start_of(label) > first.start]
    bracket = first.number.label[0]
    is_inner = any(
        isinstance(label, ClauseLabel)
        and (label.depth, label.number.label[0]) == (first.depth + 1, bracket)
        for label in labels
    )
    first.depth += is_inner
    yield first
    yield from labels


def start_of(label: LabelItem) -> int:
    """Return the start of a label, a table or a closing formula."""
    return label if isinstance(label, int) else label.start


def _indented_points(text: str, block: CodeBlock, limit: int, depth: int) -> Iterator[ClauseLabel]:
    """Yield points whose label is not a list marker in markdown, such as ``5a.`` in German law.

    They are indented like a list item, so markdown reads them as code.
    """
    start, end = block.start, block.end
    ends = _POINT_LINES[text.find("\r", start, end) >= 0]
    first = _POINT_FIRST.match(text, start, end)
    for line in chain([first] if first else [], ends.finditer(text, start, end)):
        number = parse_clause(line["point"], "text")
        if number and number.is_relative:
            yield ClauseLabel(line.start("point"), number, depth + 1, limit)
