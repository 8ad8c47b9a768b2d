"""The labels of paragraphs and list items in a section's own content, and what ends them."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias

from treepack.model.blocks import Block, CodeBlock, Container, Heading, ListBlock, ListItem, Table
from treepack.model.section import Section
from treepack.numbers.grammar import LONGEST_READ, beginning_pattern, parse_clause, read_label
from treepack.numbers.heading_numbers import number_value
from treepack.numbers.words import RELATIVE, ClauseNumber, roman_value

NUMBERED: Final = ". number"
"""The form of ``1.``."""
_LARGEST_GAP: Final = 3  # of repealed clauses; with 12, in laws, no more points were found


class Reading(NamedTuple):
    """One way to read a label as a member of a numbering.

    Attributes:
        form: The characters around it and its scheme: ``. number``, ``() letter``.
        value: Its rank in the numbering, from 1.
        suffix: The letter of an inserted label: 5a after 5, ``ba`` after ``b``.
    """

    form: str
    value: int
    suffix: str = ""

    @property
    def is_first(self) -> bool:
        """Whether it begins a numbering: 0, 1, a, aa or i."""
        return self.value <= 1 and not self.suffix


@lru_cache(1024)  # most documents have the same few labels
def readings_of(label: str, part: str) -> tuple[Reading, ...]:
    """Return all ways to read a label, as printed, with its last component ``part``."""
    wrapper = ("()" if label[0] == "(" else ")") if label[-1] == ")" else "."
    wrapper = "°" if "°" in label else wrapper
    if part[0].isdigit():
        whole, dot, inserted = part.partition(".")  # (1.1) after (1)
        value, suffix = number_value(whole)
        return (Reading(f"{wrapper} number", value, suffix + dot + inserted),)
    case = "" if part.islower() else "capital-"
    letters = part.lower()
    value, count = ord(letters[0]) - ord("a") + 1, len(letters)
    found = [("letter", value, "")] if count == 1 else []
    if len(set(letters)) == 1 < count:
        found += [("double", value, ""), ("letter", value + 26 * (count - 1), "")]
    if (roman := roman_value(part)) is not None:
        found += [("roman", roman, "")]
    return tuple(Reading(f"{wrapper} {case}{scheme}", at, suffix) for scheme, at, suffix in found)


def relation(before: Reading, after: Reading) -> Literal["same", "next", "later", "no"]:
    """Return how a label follows another in one numbering: repeated, directly, or after a gap."""
    if after.form != before.form:
        return "no"
    gap = after.value - before.value
    if gap < 0 or (gap == 0 and after.suffix <= before.suffix):
        return "same" if after == before else "no"
    if gap <= 1:
        return "next"
    return "later" if gap <= _LARGEST_GAP else "no"


@lru_cache(4096)  # pairs of labels; the same few follow each other in each list
def next_of(before: Reading, readings: tuple[Reading, ...]) -> Reading | None:
    """Return the reading that directly follows another, or None."""
    return next((each for each in readings if relation(before, each) == "next"), None)


# -------------------------------------------------------------------- labels


@dataclass(slots=True)
class Label:
    """A label of a text or heading; the walk completes it to a clause.

    Attributes:
        start: The start of the paragraph or list item.
        number: The label.
        depth: How many list items contain it.
        limit: The end of its list item or, outside lists, of the section's own content.
        readings: All ways to read it as a member of a numbering; empty if it is not relative.
        is_doubtful: Whether only the labels around it can show that it is one: ``A.`` may be the
            initial of a name, and ``3.2.5`` before a word in lower case inside a sentence.
        is_on_line: Whether it is the first point of a clause, on the line of the clause's label.
        is_alone: Whether its paragraph has no other text.
        heading: The heading that begins with it.
        index: Its index among all clauses; -1 if it is none, but the item of a hidden list.
        parent: The index of the clause around it.
        section: The section in which it begins.
        end: Where the clause ends; characters, half-open.
        reading: How it reads as a member of a numbering.
        is_main: Whether only divisions are around it.
    """

    start: int
    number: ClauseNumber
    depth: int
    limit: int
    readings: tuple[Reading, ...] = ()
    is_doubtful: bool = False
    is_on_line: bool = False
    is_alone: bool = False
    heading: Heading | None = None
    index: int = -1
    parent: int | None = None
    section: Section | None = None
    end: int = 0
    reading: Reading | None = None
    is_main: bool = False

    def restarts_as(self, first: Reading, depth: int) -> bool:
        """Whether it is in a hidden list that a first label begins again; else they would nest."""
        form = self.reading.form if self.reading and self.index < 0 else ""
        return form == first.form and self.depth == depth


LabelItem: TypeAlias = Label | Table | int
"""A label, a table that may list requirements, or the offset of a closing formula."""

_CLOSINGS: Final = {  # one pattern for all takes ten times as long, as it has no fixed beginning
    words: re.compile(rf"{words} [^\W\d_a-z]")
    for words in ("Done at", "Signed at", "Geschehen zu", "Fait à", "Hecho en")
}
"""A law's closing formula: signatures and notes follow it, up to the annexes."""
_CAPITAL_LETTER: Final = re.compile(r"[ \t*_]{0,24}([A-Z])\.(?=\s)(?!\s?[A-Z]\.)")
_LONG_DECIMAL: Final = re.compile(r"[ \t*_]{0,24}\d{1,3}(?:\.\d{1,3}){2,4}[ \t\u00a0]")
"""A number that may continue the sentence of the clause above: ``2.1.1 pay the rent;``."""
_FIRST_POINT: Final = re.compile(
    r"[*_]{0,3}[.:]?[*_]{0,3}"
    r"(?:[ \t\u00a0]+[*_]{0,3}[^\W_a-z][^\r\n().:;]{1,80}\.[*_]{0,3})?[ \t\u00a0]*"
    r"(?P<dash>[—–]|--?)?[*_]{0,3}[ \t\u00a0]*"
    r"(?P<point>\([*_]{0,2}[aAi1][*_]{0,2}\))[ \t\u00a0]*(?=\S)"
)
_LINE_LABEL: Final = (
    r"[ \t]*+(?P<label>(?P<point>\(?+(?:\d{1,3}+[A-Z]{0,2}+|[a-z]{1,4}+)\)|\d{1,2}+°)"
    r"(?=[ \t\u00a0\u202f]+\S)|[*_]{0,3}+[^\W\d_a-z][^\W\d_]{2,11}+\.?+[ \u00a0]++[^\W_a-z])"
)
"""A point, or a word and a number, that begin a line after the end of another label's text."""
_LINE_LABELS: Final = {end: re.compile(end + _LINE_LABEL) for end in ("\n", "[\r\n]")}
"""By the end of the line above; most texts have only ``\\n``, which is found in half the time."""
_INDENTED_POINT: Final = re.compile(r"(?<![^\r\n])    [ ]?(?P<point>\(?\w{1,3}\)[ \t]+\S)")
_ENDS_BEFORE_LABEL: Final = re.compile(r"(?:[.;:—–]|[;,] (?:and|or|und|oder|et|ou))[ *_]*$")
_MARKUP: Final = " \t\r\n*_"
NEAR: Final = 80  # characters from the end of a text to the label or list that goes on with it
_POINT_CHARACTERS: Final = frozenset("aAi1*_")


def content_end(section: Section) -> int:
    """Return the end of a section's own content."""
    return section.sections[0].start if section.sections else section.end


def label_of(start: int, number: ClauseNumber, depth: int, limit: int) -> Label:
    """Return the label at an offset, with all ways to read it."""
    is_relative = number.kind in RELATIVE
    readings = readings_of(number.label, number.parts[-1]) if is_relative else ()
    return Label(start, number, depth, limit, readings)


def start_of(label: LabelItem) -> int:
    """Return the start of a label, a table or a closing formula."""
    return label if isinstance(label, int) else label.start


class LabelReader:
    """Reads the labels of one document's blocks."""

    def __init__(self, text: str) -> None:
        """Take the text of the document."""
        self.text = text
        self.begins = beginning_pattern().match
        # Both are searched once in the whole text, because most paragraphs have none.
        patterns = [pattern for words, pattern in _CLOSINGS.items() if words in text]
        self.closings = {at.start() for pattern in patterns for at in pattern.finditer(text)}
        self.line_label = _LINE_LABELS["[\r\n]" if "\r" in text else "\n"]
        self.line_starts = [match.start() for match in self.line_label.finditer(text)]
        self.found: list[LabelItem] = []

    def labels_of(self, section: Section) -> list[LabelItem]:
        """Return the labels of a section's own content, in order; quotes and footnotes are skipped.

        Of a label that a converter printed twice, only the first is returned.
        """
        self.found = []
        self._gather(section.blocks, content_end(section), 0)
        kept: list[LabelItem] = []
        before: Label | None = None
        for label in self.found:
            if isinstance(label, Label):
                if before and before.number == label.number and self._is_repeated(before, label):
                    continue
                before = label
            kept.append(label)
        return kept

    def _is_repeated(self, before: Label, label: Label) -> bool:
        text = self.text[before.start : label.start]
        is_short = len(text) <= NEAR
        return is_short and len(text.strip(_MARKUP)) <= len(label.number.label) + 1

    def _gather(self, blocks: Sequence[Block], limit: int, depth: int) -> None:
        """Add the labels of some blocks that are inside ``depth`` list items."""
        text = self.text
        for block in blocks:
            kind = block.kind
            if kind == "paragraph":
                if match := self.begins(text, block.start, block.end):  # some paragraphs
                    label = _leading_label(text, block, match, limit, depth)
                    point = label and _first_point(text, block, label)
                    self.found += [each for each in (label, point) if each]
                elif block.start in self.closings:
                    self.found.append(block.start)
                at = bisect_left(self.line_starts, block.start)
                if at < len(self.line_starts) and self.line_starts[at] < block.end:
                    self.found.extend(self._line_labels(block, limit, depth))
            elif isinstance(block, ListBlock):
                self._gather_items(block.items, limit, depth)
            elif isinstance(block, Table):
                self.found.append(block)
            elif isinstance(block, Container):
                self._gather(block.blocks, limit, depth)
            elif isinstance(block, CodeBlock) and not block.fence:
                self.found += self._indented_points(block, limit, depth)

    def _line_labels(self, block: Block, limit: int, depth: int) -> Iterator[Label]:
        """Yield labels that begin a line of a paragraph: ``(a) the goods;``, then ``(b) all.``.

        Some acts have a line for each article, and no empty line between them.
        """
        text = self.text
        for match in self.line_label.finditer(text, block.start, block.end):
            at = match.start("label")
            number = parse_clause(text[at : min(at + LONGEST_READ, block.end)], "text")
            if number is None or not (match["point"] or number.word):
                continue
            before = text[max(block.start, match.start() - NEAR) : at].rstrip()
            if _ENDS_BEFORE_LABEL.search(before):
                label = label_of(at, number, depth, limit)
                label.is_doubtful = bool(label.readings)
                yield label

    def _indented_points(self, block: Block, limit: int, depth: int) -> Iterator[Label]:
        """Yield points that markdown reads as code: ``a)`` indented below ``5a.`` is in no list."""
        for match in _INDENTED_POINT.finditer(self.text, block.start, block.end):
            number = parse_clause(match["point"], "text")
            if number and number.is_relative:
                yield label_of(match.start("point"), number, depth + 1, limit)

    def _gather_items(self, items: Sequence[ListItem], limit: int, depth: int) -> None:
        """Add the labels of list items (their markers ``1.`` or ``1)``) and of their content.

        The first point of an item ``1. (1) The ...`` belongs to the numbering inside the item, if
        there is one, or else to the numbering of the paragraphs after the item.
        """
        for item in items:
            marker = item.marker
            if not (marker[-1:] in {".", ")"} and marker[0].isdigit()):  # most have a bullet
                self._gather(item.blocks, item.end, depth + 1)
                continue
            digits = marker[:-1]
            printed = digits if marker[-1] == "." else marker
            number = ClauseNumber("paragraph", printed, (digits,))
            # The text that follows an empty item belongs to it.
            label = label_of(item.start, number, depth, item.end if item.blocks else limit)
            self.found.append(label)
            before = len(self.found)
            self._gather(item.blocks, item.end, depth + 1)
            if first := _first_point(self.text, item.blocks[0], label) if item.blocks else None:
                inner = [other for other in self.found[before:] if start_of(other) > first.start]
                first.depth += any(
                    isinstance(other, Label)
                    and (other.depth, other.number.label[0]) == (depth + 1, first.number.label[0])
                    for other in inner
                )
                self.found[before:] = [first, *inner]


def _leading_label(
    text: str, block: Block, match: re.Match[str], limit: int, depth: int
) -> Label | None:
    """Return the label that a paragraph begins with."""
    start = block.start
    number = sure = read_label(match, "heading" if text[start] == "#" else "text")
    if number is None and _LONG_DECIMAL.match(text, start, block.end):
        number = read_label(match, "heading")
    if number is None and (initial := _CAPITAL_LETTER.match(text, start, block.end)):
        number = ClauseNumber("letter", initial[1], (initial[1],))
    if number is None:
        return None
    label = label_of(start, number, depth, limit)
    label.is_doubtful = sure is None
    if not label.readings:
        words = text[start : min(block.end, start + LONGEST_READ)].strip(_MARKUP + ".")
        label.is_alone = len(words) <= len(number.label)
        if depth and label.is_alone and number.word:
            return None  # an entry of an index
    return label


def _first_point(text: str, block: Block, label: Label) -> Label | None:
    """Return the first point if it is on the line of its clause: ``2.1 Fees. (a) The ...``.

    It is doubtful until (b) follows in a paragraph of its own, unless a dash comes before it, as in
    acts of many countries: ``1.—(1) The ...``.
    """
    if label.is_doubtful or block.kind != "paragraph":
        return None
    printed = label.number.label
    at = text.find(printed, label.start, label.start + LONGEST_READ)
    after = at + len(printed)
    bracket = text.find("(", after, block.end) if at >= 0 else -1
    if bracket < 0 or text[bracket + 1 : bracket + 2] not in _POINT_CHARACTERS:
        return None  # the common case; no bracket may come between the label and the point
    match = _FIRST_POINT.match(text, after, block.end)
    number = parse_clause(match["point"], "text") if match else None
    if match is None or number is None:
        return None
    point = label_of(match.start("point"), number, label.depth, label.limit)
    point.is_doubtful, point.is_on_line = not match["dash"], True
    return point
