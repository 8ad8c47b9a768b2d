"""Roman numerals and their values."""

import re
from functools import lru_cache
from typing import Final

_ROMAN: Final = re.compile(r"C?(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_ROMAN_VALUES: Final = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}


@lru_cache(maxsize=1024)
def roman_value(text: str) -> int | None:
    """Return the value of a roman numeral up to 199; None for words (``mix``, ``did``)."""
    upper = text.upper()
    if not upper or not _ROMAN.fullmatch(upper):
        return None
    values = [_ROMAN_VALUES[letter] for letter in upper]
    following = [*values[1:], 0]
    return sum(v if v >= after else -v for v, after in zip(values, following, strict=True))


_ROMANS: Final = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"),
    (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip
_LARGEST_ROMAN: Final = 32_767


def roman_numeral(value: int) -> str:
    """Return a number as a capital roman numeral, or as a decimal if it is not 1 to 32,767."""
    if not 0 < value <= _LARGEST_ROMAN:
        return str(value)
    written = ""
    for letter_value, letter in _ROMANS:
        count, value = divmod(value, letter_value)
        written += letter * count
    return written
