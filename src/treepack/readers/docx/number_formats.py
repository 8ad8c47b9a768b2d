"""Writes numbers as Word does: the values of ``ST_NumberFormat`` (ISO/IEC 29500-1, 17.18.59).

Unknown formats are written as decimals, as Word does for custom ones.
"""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from treepack.numbers.written_out import ENGLISH_CARDINALS, ENGLISH_ORDINALS
from treepack.roman_numerals import roman_numeral

_LARGEST: Final = 9_999  # larger numbers are decimals
_MOST_REPEATS: Final = 30  # of a letter
_SMALL: Final = ("zero", *ENGLISH_CARDINALS)
_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ORDINALS: Final = dict(zip(ENGLISH_CARDINALS, ENGLISH_ORDINALS, strict=False))
_ORDINAL_ENDS: Final = {1: "st", 2: "nd", 3: "rd"}
_LAST_WORD: Final = re.compile(r"[a-z]+\Z")
_LATIN: Final = "abcdefghijklmnopqrstuvwxyz"
_CYRILLIC: Final = "абвгдежзиклмнопрстуфхцчшщыэюя"  # without ё, й, ъ, ь
_CHINESE: Final = "〇一二三四五六七八九"


def format_number(value: int, number_format: str) -> str:
    """Return a number in one of Word's formats; empty for ``none`` and ``bullet``."""
    if number_format in ("none", "bullet"):
        return ""
    write = _FORMATS.get(number_format, str)
    return write(value) if 0 <= value <= _LARGEST else str(value)


def _repeated(letters: str, value: int) -> str:
    """A to Z, then AA, BB ... ZZ, AAA: Word repeats the letter (a spreadsheet has AB after AA)."""
    repeats, index = divmod(value - 1, len(letters))
    return letters[index] * (repeats + 1) if 0 <= repeats < _MOST_REPEATS else str(value)


def _one_of(signs: str, value: int) -> str:
    """The sign of a number; Word writes larger numbers as decimals."""
    return signs[value - 1] if 0 < value <= len(signs) else str(value)


def _ordinal(value: int) -> str:
    is_teen = value // 10 % 10 == 1
    return str(value) + ("th" if is_teen else _ORDINAL_ENDS.get(value % 10, "th"))


def _ordinal_words(value: int) -> str:
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
    written = "".join(
        f"{_CHINESE[digit]}{unit}" if (digit := value // worth % 10) else _CHINESE[0]
        for worth, unit in ((1000, "千"), (100, "百"), (10, "十"), (1, ""))
    )
    text = re.sub("〇+", "〇", written).strip("〇") or "〇"
    return text[1:] if text.startswith("一十") else text


_FULL_WIDTH: Final = str.maketrans("0123456789", "０１２３４５６７８９")
_ALPHABETS: Final = {
    "upperLetter": _LATIN.upper(),
    "lowerLetter": _LATIN,
    "russianLower": _CYRILLIC,
    "russianUpper": _CYRILLIC.upper(),
}
_SIGNS: Final = {
    "ideographTraditional": "甲乙丙丁戊己庚辛壬癸",
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
    "cardinalText": lambda value: _words(value).capitalize(),
    "ordinalText": _ordinal_words,
    "numberInDash": "- {} -".format,
    "decimalFullWidth": lambda value: str(value).translate(_FULL_WIDTH),
    "decimalFullWidth2": lambda value: str(value).translate(_FULL_WIDTH),
    **{name: partial(_repeated, letters) for name, letters in _ALPHABETS.items()},
    **{name: partial(_one_of, signs) for name, signs in _SIGNS.items()},
    **dict.fromkeys(_CHINESE_NAMES.split(), _chinese),
    **{f"custom:{'0' * (size - 1)}1": f"{{:0{size}d}}".format for size in range(2, 6)},
}
