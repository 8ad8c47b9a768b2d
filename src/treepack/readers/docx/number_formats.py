"""Writes numbers as Word does: the values of ``ST_NumberFormat`` (ISO/IEC 29500-1, 17.18.59).

Unknown formats are written as decimals, as Word does for custom ones.
"""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from treepack.numbers.written_out import ENGLISH_CARDINALS, ENGLISH_ORDINALS
from treepack.roman_numerals import roman_numeral

_LARGEST_LETTERS: Final = 780  # Word repeats the letter at most thirty times
_LARGEST_WORDS: Final = 9_999
_SMALL: Final = ("zero", *ENGLISH_CARDINALS)
_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ORDINALS: Final = dict(zip(ENGLISH_CARDINALS, ENGLISH_ORDINALS, strict=False))
_ORDINAL_ENDS: Final = {1: "st", 2: "nd", 3: "rd"}
_LAST_WORD: Final = re.compile(r"[a-z]+\Z")
_LATIN: Final = "abcdefghijklmnopqrstuvwxyz"
_CYRILLIC: Final = "абвгдежзиклмнопрстуфхцчшщыэюя"  # without ё, й, ъ, ь
_TEN_ALONE: Final = re.compile(r"\A一十")
_CHINESE: Final = "〇一二三四五六七八九"


def format_number(value: int, number_format: str) -> str:
    """Return a number in one of Word's formats; empty for ``none`` and ``bullet``."""
    if number_format in ("none", "bullet"):
        return ""
    write = _FORMATS.get(number_format)
    return write(value) if write and value >= 0 else str(value)


def _repeated(letters: str, value: int) -> str:
    """A to Z, then AA, BB ... ZZ, AAA: Word repeats the letter (a spreadsheet has AB after AA)."""
    if not 0 < value <= _LARGEST_LETTERS:
        return str(value)
    repeats, index = divmod(value - 1, len(letters))
    return letters[index] * (repeats + 1)


def _one_of(signs: str, value: int) -> str:
    """The sign of a number; Word writes larger numbers as decimals."""
    return signs[value - 1] if 0 < value <= len(signs) else str(value)


def _ordinal(value: int) -> str:
    is_teen = value // 10 % 10 == 1
    return str(value) + ("th" if is_teen else _ORDINAL_ENDS.get(value % 10, "th"))


def _cardinal_words(value: int) -> str:
    return _words(value).capitalize() if value <= _LARGEST_WORDS else str(value)


def _ordinal_words(value: int) -> str:
    if value > _LARGEST_WORDS:
        return _ordinal(value)
    return _LAST_WORD.sub(_as_ordinal, _words(value)).capitalize()


def _as_ordinal(word: re.Match[str]) -> str:
    stem = f"{word[0][:-1]}ie" if word[0].endswith("y") else word[0]
    return _ORDINALS.get(word[0], f"{stem}th")


def _words(value: int) -> str:
    if value < len(_SMALL):
        return _SMALL[value]
    for worth, name in ((1000, "thousand"), (100, "hundred")):
        many, rest = divmod(value, worth)
        if many:
            return f"{_words(many)} {name}" + (f" {_words(rest)}" if rest else "")
    tens, ones = divmod(value, 10)
    return _TENS[tens - 2] + (f"-{_SMALL[ones]}" if ones else "")


def _chinese(value: int) -> str:
    """Write a number with units: 十二, 二十, 一百〇一; a zero stands for a gap."""
    if value > _LARGEST_WORDS:
        return str(value)
    written = "".join(
        f"{_CHINESE[digit]}{unit}" if (digit := value // worth % 10) else _CHINESE[0]
        for worth, unit in ((1000, "千"), (100, "百"), (10, "十"), (1, ""))
    )
    return _TEN_ALONE.sub("十", re.sub("〇+", "〇", written).strip("〇")) or "〇"


_FULL_WIDTH: Final = str.maketrans("0123456789", "０１２３４５６７８９")
_ALPHABETS: Final = {
    "upperLetter": _LATIN.upper(),
    "lowerLetter": _LATIN,
    "russianLower": _CYRILLIC,
    "russianUpper": _CYRILLIC.upper(),
    "chicago": "*†‡§",
}
_SIGNS: Final = {
    "ideographTraditional": "甲乙丙丁戊己庚辛壬癸",
    "ideographZodiac": "子丑寅卯辰巳午未申酉戌亥",
    "decimalEnclosedCircle": "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳",
    "decimalEnclosedCircleChinese": "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳",
}
_CHINESE_NAMES: Final = """chineseCounting chineseCountingThousand japaneseCounting
    taiwaneseCounting taiwaneseCountingThousand"""
_FORMATS: Final[Mapping[str, Callable[[int], str]]] = {
    "decimalZero": "{:02d}".format,
    "upperRoman": roman_numeral,
    "lowerRoman": lambda value: roman_numeral(value).lower(),
    "ordinal": _ordinal,
    "cardinalText": _cardinal_words,
    "ordinalText": _ordinal_words,
    "numberInDash": "- {} -".format,
    "hex": "{:X}".format,
    "decimalFullWidth": lambda value: str(value).translate(_FULL_WIDTH),
    "decimalFullWidth2": lambda value: str(value).translate(_FULL_WIDTH),
    **{name: partial(_repeated, letters) for name, letters in _ALPHABETS.items()},
    **{name: partial(_one_of, signs) for name, signs in _SIGNS.items()},
    **dict.fromkeys(_CHINESE_NAMES.split(), _chinese),
    **{f"custom:{'0' * (size - 1)}1": f"{{:0{size}d}}".format for size in range(2, 6)},
}
