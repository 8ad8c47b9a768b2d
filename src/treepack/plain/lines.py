"""The lines of a plain text: indentation, the marker that a line begins with, and layout.

The columns of a line have a meaning in tables, figures and listings of code.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from treepack.model.blocks import Span
from treepack.model.source import Lines
from treepack.numbers.grammar import LONGEST_READ
from treepack.numbers.words import roman_value

_TAB_WIDTH: Final = 8  # columns, as on printers
_MARKER: Final = re.compile(
    r"""
    (?: (?P<bullet> [-*+•‣◦▪·–] | o(?=[ ]{2}|\t) )
      | (?P<number> [0-9]{1,3} ) (?P<after> [.)] )
      | (?P<label> \( (?: [0-9]{1,3} | [A-Za-z] | [ivxlc]{2,6} ) \)
                 | (?: [A-Za-z] | [ivxlc]{2,6} ) [.)] )
      | (?P<decimal> [0-9]{1,3} (?: \. [0-9]{1,3} ){1,4} ) \.?
        (?= [^\S\r\n]+ (?: [^\w\s] | [^\W\d_a-z] ) )  # prose goes on in small letters
    ) [^\S\r\n]+ (?=\S)
    """,
    re.VERBOSE,
)


class Marker(NamedTuple):
    """The start of a line, if it may make the line an item.

    Attributes:
        text: The marker.
        style: The same for all markers of one list.
        values: The values that it may have: ``(i)`` is the first roman number and the ninth letter.
            Empty for a bullet.
        content: Where the text after it begins.
        is_label: Whether it is a letter, in brackets, or a number such as ``2.1``: the label of a
            paragraph, not of an item.
        components: The components of ``2.1``; empty for other markers.
    """

    text: str
    style: str
    values: tuple[int, ...]
    content: int
    is_label: bool
    components: tuple[int, ...] = ()

    def follows(self, before: "Marker") -> bool:
        """Whether it may be the next marker of a list after another one."""
        if self.style != before.style:
            return False
        if self.components:
            return self.components in _next_components(before.components)
        return not self.values or any(value + 1 in self.values for value in before.values)

    @property
    def begins(self) -> bool:
        """Whether it may be the first marker of a list."""
        return not self.values or 1 in self.values


class PlainLine(NamedTuple):
    """A line that is not blank: its number from 0, its span without trailing whitespace.

    ``indent`` are the columns before its text; it has a marker if it may be an item.
    """

    number: int
    start: int
    end: int
    indent: int
    marker: Marker | None


LineRun = Sequence[PlainLine]
"""Lines without a blank line between them."""


def plain_lines(rows: Lines, start: int, titles: Sequence[Span]) -> list[PlainLine]:
    """Return the lines from an offset on that are in no title."""
    text = rows.text
    lines: list[PlainLine] = []
    beyond = len(text) + 1
    remaining = iter(titles)
    title_start, title_end = next(remaining, (beyond, beyond))
    for content, end, indent, number in rows.all:
        while title_end <= content:
            title_start, title_end = next(remaining, (beyond, beyond))
        if content < start or title_start <= content:
            continue
        line_start, columns = max(content - indent, start), indent
        if indent and "\t" in text[line_start:content]:
            columns = len(text[line_start:content].expandtabs(_TAB_WIDTH))
        match = _MARKER.match(text, content)
        # an entry of a table of contents ends with its page
        is_entry = match and match["decimal"] and text[end - 1].isdigit()
        marker = _marker(match) if match and not is_entry else None
        lines.append(PlainLine(number, line_start, end, columns, marker))
    return lines


def runs(lines: Iterable[PlainLine]) -> Iterator[LineRun]:
    """Yield the runs of some lines."""
    run: list[PlainLine] = []
    after = -1
    for line in lines:
        if run and line.number != after:
            yield run
            run = []
        run.append(line)
        after = line.number + 1
    if run:
        yield run


def _marker(match: re.Match[str]) -> Marker | None:
    """Return the marker; None if its letters are no roman numeral, such as ``civil)``."""
    text = match[0].rstrip()
    if match["bullet"]:
        return Marker(text, text, (), match.end(), is_label=False)
    if match["number"]:
        return Marker(text, match["after"], (int(match["number"]),), match.end(), is_label=False)
    if match["decimal"]:
        components = tuple(map(int, match["decimal"].split(".")))
        return Marker(
            text, "1.1", components[-1:], match.end(), is_label=True, components=components
        )
    numeral = text.strip("().")
    kind = "1" if numeral.isdigit() else "a" if numeral.islower() else "A"
    style = f"{text[: text.index(numeral)]}{kind}{text[-1]}"
    values = _values(numeral)
    return Marker(text, style, values, match.end(), is_label=True) if values else None


def _next_components(components: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield the numbers that may come next: 2.1.1, 2.2 and 3 after 2.1."""
    yield (*components, 1)
    for index in range(len(components) - 1, -1, -1):
        yield (*components[:index], components[index] + 1)


def _values(numeral: str) -> tuple[int, ...]:
    if numeral.isdigit():
        return (int(numeral),)
    values: list[int] = []
    if len(numeral) == 1:
        values.append(ord(numeral.lower()) - ord("a") + 1)
    if roman := roman_value(numeral):
        values.append(roman)
    return tuple(values)


# -------------------------------------------------------------------- paragraphs of one line

SHORTEST_UNWRAPPED: Final = 150  # columns of a line that is too long for a page
LONG_LINE: Final = 70  # columns; settings are shorter
_FIRST_WIDE_CHARACTER: Final = "\u2e80"
"""From this character on are the characters of East Asia, each of which takes two columns."""
COMPLETE_END: Final = re.compile(r"[.:;!?)\"”`。！？：；」』）]$|://\S+$")
"""The end of a text or a web address."""
_LEAST_UNWRAPPED_SHARE: Final = 0.2  # of the columns of all long lines
_LEAST_ENDED: Final = 0.4  # of the long lines; if lines end anywhere, it is a tenth
_LEAST_OF_BOTH: Final = 0.9
"""The fewer lines are too long for a page, the more lines must end a sentence."""


def are_paragraph_lines(text: str, lines: Iterable[Span]) -> bool:
    """Whether each line is a paragraph, as in text from word processors and web pages.

    Many lines are too long for a page, and many long lines end a sentence.
    """
    long = {
        (start, end): width
        for start, end in lines
        if end - start > LONG_LINE // 2  # in any script
        and (width := (end - start) * (2 if text[start] >= _FIRST_WIDE_CHARACTER else 1))
        > LONG_LINE
    }
    unwrapped = sum([width for width in long.values() if width >= SHORTEST_UNWRAPPED])
    share = unwrapped / max(sum(long.values()), 1)
    if share < _LEAST_UNWRAPPED_SHARE:
        return False
    ends = ((max(start, end - LONGEST_READ), end) for start, end in long)
    ended = sum([COMPLETE_END.search(text, *span) is not None for span in ends])
    return ended >= max(_LEAST_ENDED, _LEAST_OF_BOTH - share) * len(long)


# -------------------------------------------------------------------- layout

_COLUMNS: Final = re.compile(r"\S(?:[ ]{3,}|[ ]*\t[ \t]*)\S")
_FRAME: Final = re.compile(r"\+[-=+]{2,}\+|^[|+].*[|+]$|[\u2500-\u259f]")
_RULE: Final = re.compile(r"[-=_*~+|:.^ ]{3,}")
_NUMBERS_ONLY: Final = re.compile(r"[-+\d.,:%$€£()/ ]*\d[-+\d.,:%$€£()/ ]*[ ][-+\d.,:%$€£()/ ]*")
_CODE: Final = re.compile(
    r"(?:\#(?:include|define|if|endif|!)|//|/\*|\*/|[$>%\#]\ ).*"  # comments, prompts
    r"|.*(?:[{}]|\w\([^()]*\)+;|=.*;|\*/|\\)"  # the end of a statement
    r"|</?\w[^<>]*>.*"  # a tag
)
_FIRST_OF_CODE: Final = frozenset("#/*$>%<")
_LAST_OF_CODE: Final = frozenset("{};/\\")
"""A line of code begins with one of the first characters, or ends with one of the last."""


def is_laid_out(text: str, run: LineRun) -> bool:
    """Whether at least half of a run's lines, and two, show columns, frames, rules or code."""
    lines_to_spare = min(len(run) - 2, len(run) // 2)
    for line in run:
        begin = line.marker.content if line.marker else line.start
        if not _shows_layout(text[begin : line.end].strip()):
            lines_to_spare -= 1
            if lines_to_spare < 0:
                return False  # the common case
    return True


def _shows_layout(line: str) -> bool:
    if "   " in line or "\t" in line:
        return bool(_COLUMNS.search(line))
    may_be_code = line[:1] in _FIRST_OF_CODE or line[-1:] in _LAST_OF_CODE
    is_word = line[:1].isalpha()  # the common case: neither a rule nor figures
    return bool(
        "...." in line
        or ". . . . " in line
        or "____" in line
        or (("+" in line or "|" in line or not line.isascii()) and _FRAME.search(line))
        or (not is_word and (_RULE.fullmatch(line) or _NUMBERS_ONLY.fullmatch(line)))
        or (may_be_code and _CODE.fullmatch(line))
    )
