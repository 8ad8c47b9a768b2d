"""Roman numerals and their values."""

from typing import Final

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


_VALUES: Final = {roman_numeral(value): value for value in range(1, 200)}


def roman_value(text: str) -> int | None:
    """Return the value of a roman numeral up to 199; None for words (``mix``, ``did``)."""
    return _VALUES.get(text.upper())
