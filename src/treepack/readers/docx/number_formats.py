"""Writes numbers as Word does: the values of ``ST_NumberFormat`` (ISO/IEC 29500-1, 17.18.59).

Unknown formats are written as decimals, as Word does for custom ones.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from treepack.numbers.written_out import ENGLISH_CARDINALS, ENGLISH_ORDINALS
from treepack.roman_numerals import roman_numeral

_LARGEST_LETTERS: Final = 780  # Word repeats the letter at most thirty times
_LARGEST_WORDS: Final = 9_999
_LARGEST_CIRCLED: Final = 20


def format_number(value: int, number_format: str) -> str:
    """Return a number in one of Word's formats; empty for ``none`` and ``bullet``."""
    if number_format in ("none", "bullet"):
        return ""
    write = _FORMATS.get(number_format)
    return write(value) if write and value >= 0 else str(value)


def letters(value: int, alphabet: str) -> str:
    """A to Z, then AA, BB ... ZZ, AAA: Word repeats the letter (a spreadsheet has AB after AA)."""
    if not 0 < value <= _LARGEST_LETTERS:
        return str(value)
    repeats, index = divmod(value - 1, len(alphabet))
    return alphabet[index] * (repeats + 1)


def ordinal(value: int) -> str:
    """1st, 2nd, 3rd, 4th, 11th, 21st."""
    is_teen = value // 10 % 10 == 1
    return str(value) + ("th" if is_teen else {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th"))


_SMALL: Final = ["zero", *ENGLISH_CARDINALS]
_TENS: Final = [
    "", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
]  # fmt: skip
_IRREGULAR: Final = dict(zip(ENGLISH_CARDINALS, ENGLISH_ORDINALS, strict=False))


def cardinal_words(value: int) -> str:
    """One, Two ... Twenty-One ... One Hundred One, each word with a capital."""
    return _words(value).title() if value <= _LARGEST_WORDS else str(value)


def ordinal_words(value: int) -> str:
    """First, Second ... Twenty-First."""
    if value > _LARGEST_WORDS:
        return ordinal(value)
    words = _words(value)
    cut = max(words.rfind(" "), words.rfind("-")) + 1
    last = words[cut:]
    regular = f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th"
    return (words[:cut] + _IRREGULAR.get(last, regular)).title()


def _words(value: int) -> str:
    if value < len(_SMALL):
        return _SMALL[value]
    for worth, name in ((1000, "thousand"), (100, "hundred")):
        many, rest = divmod(value, worth)
        if many:
            return f"{_words(many)} {name}" + (f" {_words(rest)}" if rest else "")
    tens, ones = divmod(value, 10)
    return _TENS[tens] + (f"-{_SMALL[ones]}" if ones else "")


_CHINESE: Final = "〇一二三四五六七八九"


def chinese(value: int) -> str:
    """一, 二 ... 十, 十一 ... 二十 ... 一百〇一, as ``chineseCounting`` counts."""
    if value > _LARGEST_WORDS:
        return str(value)
    numeral, has_gap = "", False
    for worth, unit in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = value // worth % 10
        if digit:
            numeral += ("〇" if has_gap else "") + _CHINESE[digit] + unit
            has_gap = False
        else:
            has_gap = bool(numeral)
    if numeral.startswith("一十"):
        numeral = numeral[1:]
    return numeral or _CHINESE[0]


def circled(value: int) -> str:
    """① to ⑳, then decimals."""
    return chr(ord("①") + value - 1) if 0 < value <= _LARGEST_CIRCLED else str(value)


def _digits(zero: str) -> Callable[[int], str]:
    digits = {ord(str(digit)): chr(ord(zero) + digit) for digit in range(10)}
    return lambda value: str(value).translate(digits)


_LATIN: Final = "abcdefghijklmnopqrstuvwxyz"
_CYRILLIC: Final = "абвгдежзиклмнопрстуфхцчшщыэюя"  # without ё, й, ъ, ь
_STEMS: Final = "甲乙丙丁戊己庚辛壬癸"
_BRANCHES: Final = "子丑寅卯辰巳午未申酉戌亥"

_FORMATS: Final[Mapping[str, Callable[[int], str]]] = {
    "decimal": str,
    "decimalZero": "{:02d}".format,
    "upperRoman": roman_numeral,
    "lowerRoman": lambda value: roman_numeral(value).lower(),
    "upperLetter": partial(letters, alphabet=_LATIN.upper()),
    "lowerLetter": partial(letters, alphabet=_LATIN),
    "ordinal": ordinal,
    "cardinalText": cardinal_words,
    "ordinalText": ordinal_words,
    "numberInDash": "- {} -".format,
    "hex": "{:X}".format,
    "russianLower": partial(letters, alphabet=_CYRILLIC),
    "russianUpper": partial(letters, alphabet=_CYRILLIC.upper()),
    "decimalFullWidth": _digits("０"),
    "decimalFullWidth2": _digits("０"),
    "chineseCounting": chinese,
    "chineseCountingThousand": chinese,
    "japaneseCounting": chinese,
    "taiwaneseCounting": chinese,
    "taiwaneseCountingThousand": chinese,
    "ideographTraditional": partial(letters, alphabet=_STEMS),
    "ideographZodiac": partial(letters, alphabet=_BRANCHES),
    "decimalEnclosedCircle": circled,
    "decimalEnclosedCircleChinese": circled,
    "chicago": partial(letters, alphabet="*†‡§"),
    "custom:01": "{:02d}".format,
    "custom:001": "{:03d}".format,
    "custom:0001": "{:04d}".format,
    "custom:00001": "{:05d}".format,
}
