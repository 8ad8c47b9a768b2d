"""The number that a line begins with, as a key in a chain, and the title that follows it."""

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from treepack.numbers.decimals import read_inserted
from treepack.numbers.grammar import parse_clause
from treepack.numbers.heading_numbers import number_value
from treepack.numbers.words import (
    KIND_OF_WORD,
    ClauseKind,
    ClauseNumber,
    chinese_value,
    letters,
    roman_value,
)
from treepack.numbers.written_out import NUMBER_WORDS
from treepack.outline.lines import Line
from treepack.outline.shape import ends_sentence, may_be_title

Key: TypeAlias = tuple[int | str, ...]
"""The components of a number: integers, but the first may be a letter, such as that of an annex."""

_SEPARATORS: Final = re.compile(r"[\s.:–—)\]*_\\-]*")
_CHINESE: Final = re.compile(r"([一二三四五六七八九十百]{1,5})、\s*")
_REFERENCE: Final = re.compile(r"[\[(]?(?:[^\W\d_]+\.?|§+) [\d.]+[A-Za-z]?(?:\(\w+\))*[\])]?")
"""The line of an act's schedule that names the section to which the schedule belongs."""
_BARE_ANNEX: Final = re.compile(
    r"(?:(?i:the) )?(?P<word>[^\W\d_a-z][^\W\d_]+)[.:]?"
    r"(?P<title>\s*[(\[][^()\[\]]+[)\]]|\s+[^\W\d_]{1,3} \S{1,12}[ \u00a0]\d+[A-Za-z]?)?"
)
"""The only annex of a document, which needs no number: ``Anlage (zu § 2)``, ``THE SCHEDULE``."""
NUMERAL_LETTERS: Final[Mapping[int | str, str]] = {1: "I", 5: "V", 10: "X", 50: "L", 100: "C"}
"""The letters that are numerals as well, by their value."""
FARTHEST: Final = 5  # lines from a number to the end of the title below it


class PrintedNumber(NamedTuple):
    """A number at the start of a line.

    Attributes:
        key: Its components.
        word: The legal word before it, casefolded; ``roman`` for bare roman numerals; the comma
            after Chinese numbers; or empty.
        kind: The kind of that word or number.
        title: What follows it.
        is_inserted: Whether letters follow its last component: § 39a, Art. 20 bis.
        line_count: How many lines it takes, with its title if ``has_own_lines``.
        has_own_lines: Whether the number has lines of its own above the title: CHAPTER, ONE.
    """

    key: Key
    word: str
    kind: ClauseKind
    title: str
    is_inserted: bool = False
    line_count: int = 1
    has_own_lines: bool = False


def is_reference(text: str) -> bool:
    """Whether a line only names another clause, such as the section to which a schedule belongs."""
    return _REFERENCE.fullmatch(text) is not None


def printed_number(line: Line) -> PrintedNumber | None:
    """Return the number that a line begins with; None for most lines."""
    text, first = line.text, line.text[0]
    if first >= "一" and (chinese := _CHINESE.match(text)):
        value = chinese_value(chinese[1])
        return PrintedNumber((value,), "、", "roman", text[chinese.end() :]) if value else None
    number = parse_clause(text)
    if number is None and first.isdigit():
        number = read_inserted(text)
    if number is None:
        return _bare_annex(text) if first.isupper() else None
    if first == "(" or number.kind in {"paragraph", "requirement"}:
        return None
    after = 0
    for word in number.label.split():  # whitespace in the text may be other than in the label
        after = text.find(word, after) + len(word)
    title = _SEPARATORS.sub("", text[after:], count=1).strip()
    key, word = _key(number), _word(number)
    if key is None or not (word or title):
        return None
    return PrintedNumber(key, word, number.kind, title, _is_inserted(number.parts[-1]))


def _bare_annex(text: str) -> PrintedNumber | None:
    """Return the number of an annex without a number, which counts as 0."""
    match = _BARE_ANNEX.fullmatch(text)
    word = match["word"].casefold() if match else ""
    if match is None or KIND_OF_WORD.get(word) != "annex":
        return None  # the common case
    return PrintedNumber((0,), word, "annex", (match["title"] or "").strip())


def number_below(lines: Sequence[Line], index: int) -> PrintedNumber | None:
    """Return the number of a title whose word is on its own line: CHAPTER, ONE, then the title."""
    line, following = lines[index], lines[index + 1 : index + 3]
    kind = KIND_OF_WORD.get(line.text.casefold())
    if kind is None or len(following) < 2 or any(each.starts_page for each in following):  # noqa: PLR2004
        return None
    if following[1].number - line.number > FARTHEST:
        return None
    text, below = following[0].text.rstrip(".:"), following[1].text
    value = NUMBER_WORDS.get(letters(text))
    value = value or (int(text) if text.isdecimal() else roman_value(text))
    if value is None:
        return None
    is_title = may_be_title(below) and not ends_sentence(below)
    title, count = (below, 3) if is_title else ("", 2)
    return PrintedNumber((value,), line.text.casefold(), kind, title, False, count, True)  # noqa: FBT003


def _word(number: ClauseNumber) -> str:
    if number.kind in {"decimal", "letter"}:
        return ""
    return number.word or number.kind


def _is_inserted(component: str) -> bool:
    """Whether letters follow the digits or the roman numeral of a component: 39a, IIA."""
    if component[0].isdigit():
        return bool(number_value(component)[1])
    return len(component) > 1 and component.isupper() and roman_value(component) is None


def _key(number: ClauseNumber) -> Key | None:
    """Return the components as numbers, after a letter for an annex or a letter; None if unfit."""
    first = number.parts[0]
    whole, *values = (number_value(part)[0] for part in number.parts)
    if first[0].isdigit():
        return (whole, *values)
    if not first.isupper():
        return None
    is_letter = number.kind in {"decimal", "letter"} or first not in "IVXLC"
    if len(first) == 1 and is_letter and number.kind != "roman":
        return (first, *values)
    value = roman_value(first) or roman_value(first[:-1])
    return None if value is None else (value, *values)
