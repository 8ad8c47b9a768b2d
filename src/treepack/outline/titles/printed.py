"""The number that a line begins with, as a key in a chain, and the title that follows it."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

from treepack.numbers.clause_number import ClauseNumber
from treepack.numbers.decimals import read_inserted
from treepack.numbers.grammar import parse_clause
from treepack.numbers.heading_numbers import number_value
from treepack.numbers.words import KIND_OF_WORD, ClauseKind, chinese_value, letters
from treepack.numbers.written_out import NUMBER_WORDS
from treepack.outline.titles.lines import Line
from treepack.outline.titles.wording import ends_sentence, may_be_title
from treepack.roman_numerals import roman_value

Key: TypeAlias = tuple[int | str, ...]
"""The components of a number: integers, but the first may be a letter, such as that of an annex."""

_BULLETS: Final = frozenset("-*+•>|")
_SEPARATORS: Final = re.compile(r"[\s.:–—)\]*_\\-]*")
_DIGITS: Final = re.compile(r"\d{1,9}")
ALONE: Final = re.compile(r"((?:[A-Z]|\d{1,3})(?:\.\d{1,3}){0,6})\.?")
_CHINESE: Final = re.compile(r"([一二三四五六七八九十百]{1,5})、\s*")
ORDINAL_CHARACTERS: Final = "第제、"
"""Characters of Chinese, Japanese and Korean numbers.

A sentence that refers to such a number continues right after it.
"""
_NUMERALS: Final = "IVXLC"
LONGEST_BELOW: Final = 90  # characters of a title below its number
FARTHEST: Final = 5  # lines from a number to the end of the title below it
LONGEST_WORD: Final = max(map(len, KIND_OF_WORD))
"""Characters of the longest word that may be alone on the line above its number."""


class PrintedNumber(NamedTuple):
    """A number at the start of a line.

    Attributes:
        key: Its components.
        word: The legal word before it, casefolded; ``roman`` for bare roman numerals; the comma
            after Chinese numbers; or empty.
        kind: The kind of that word or number.
        title: What follows it.
        is_inserted: Whether letters follow its last component: § 39a, Art. 20 bis.
        line_count: How many lines the number itself takes.
        is_above_title: Whether its title is on the line below it.
    """

    key: Key
    word: str
    kind: ClauseKind
    title: str
    is_inserted: bool = False
    line_count: int = 1
    is_above_title: bool = False


def printed_number(line: Line) -> PrintedNumber | None:
    """Return the number that a line begins with; None for most lines."""
    text, first = line.text, line.text[0]
    # The common case: no number, and no word before one, begins with a small letter.
    if first.islower() or (first in _BULLETS and text[1:2].isspace()):
        return None
    if first >= "一" and (chinese := _CHINESE.match(text)):
        value = chinese_value(chinese[1])
        return PrintedNumber((value,), "、", "roman", text[chinese.end() :]) if value else None
    # Between other lines, "I" is a word or a letter.
    is_numeral = text in _NUMERALS and line.is_after_blank and line.is_before_blank
    number = ClauseNumber("roman", text, (text,)) if is_numeral else parse_clause(text)
    if number is None and first.isdigit():
        number = read_inserted(text)
    if number is None or number.label[:1] == "(" or number.kind in {"paragraph", "requirement"}:
        return None
    after = _after_label(text, number.label)
    title = _SEPARATORS.sub("", line.text[after:], count=1) if after else ""
    key = _key(number)
    if key is None:
        return None
    word = _word(number)
    if not word and not title:
        return None
    return PrintedNumber(key, word, number.kind, title.strip(), _is_inserted(number.parts[-1]))


def number_below(lines: Sequence[Line], index: int) -> PrintedNumber | None:
    """Return the number of a title whose word is on its own line: CHAPTER, ONE, then the title.

    The title is empty if the third line is body text.
    """
    line = lines[index]
    kind = KIND_OF_WORD.get(line.text.casefold())
    if kind is None or not are_together(lines, index, 3):
        return None
    following = lines[index + 1 : index + 3]
    number_text = following[0].text.rstrip(".:")
    component: int | str | None = NUMBER_WORDS.get(letters(number_text)) or (
        int(number_text) if number_text.isdecimal() else None
    )
    if component is None and not line.text.isupper():
        return None
    component = component or (
        number_text if len(number_text) == 1 and number_text.isupper() else roman_value(number_text)
    )
    if component is None:
        return None
    below = following[1].text
    is_text = len(below) > LONGEST_BELOW or ends_sentence(below) or not may_be_title(below)
    title = "" if is_text else below
    return PrintedNumber(
        (component,), line.text.casefold(), kind, title, line_count=2, is_above_title=bool(title)
    )


def are_together(lines: Sequence[Line], index: int, count: int) -> bool:
    """Whether a few lines are near each other, with no page break or page furniture between."""
    below = lines[index + 1 : index + count]
    if len(below) < count - 1 or any(line.starts_page for line in below):
        return False
    return below[-1].number - lines[index].number <= FARTHEST


def _after_label(text: str, label: str) -> int:
    """Return where the text continues after its label, in which whitespace may be folded."""
    offset = 0
    for character in label:
        if character.isspace():
            continue
        offset = text.find(character, offset) + 1
        if not offset:
            return 0
    return offset


def _word(number: ClauseNumber) -> str:
    if number.kind == "roman":
        return "roman"
    if number.kind in {"decimal", "letter"}:
        return ""
    if number.label[0] in ORDINAL_CHARACTERS:
        return number.label[0] + number.kind
    return number.word or number.kind


def _is_inserted(component: str) -> bool:
    """Whether letters follow the digits or the roman numeral of a component: 39a, IIIA."""
    if digits := _DIGITS.match(component):
        return digits.end() < len(component)
    return len(component) > 1 and component.isupper() and roman_value(component) is None


def _key(number: ClauseNumber) -> Key | None:
    """Return the components as numbers, after a letter for an annex or a letter; None if unfit."""
    first, *further_parts = number.parts
    further_values = [number_value(part) for part in further_parts]
    if any(
        not value and part[:1] != "0"
        for part, (value, _) in zip(further_parts, further_values, strict=True)
    ):
        return None
    further = tuple(value for value, _ in further_values)
    if digits := _DIGITS.match(first):
        return (int(digits[0]), *further)
    if number.kind == "roman" or (number.kind not in {"annex", "decimal", "letter"}):
        if len(first) == 1 and first.isupper() and first not in _NUMERALS:
            return (first, *further)
        value = roman_value(first) or roman_value(first[:-1]) if first.isupper() else None
        return None if value is None else (value, *further)
    if number.kind == "annex" and len(first) > 1:
        value = roman_value(first)
        return None if value is None else (value, *further)
    return (first, *further) if len(first) == 1 and first.isupper() else None
