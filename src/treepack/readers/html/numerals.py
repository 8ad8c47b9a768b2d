"""How the lists of an HTML page are numbered: start numbers, letters, roman numerals."""

import re
from collections.abc import Iterator
from typing import Final

from treepack.numbers.words import whole_number
from treepack.readers.html.tree import HtmlElement
from treepack.roman_numerals import roman_numeral

_NUMBER_STYLES: Final = {
    "a": "lower-alpha", "A": "upper-alpha", "i": "lower-roman", "I": "upper-roman",
    "loweralpha": "lower-alpha", "upperalpha": "upper-alpha",
    "lowerroman": "lower-roman", "upperroman": "upper-roman",
}  # fmt: skip
_STYLE: Final = re.compile(r"list-style(?:-type)?\s*:\s*((?:lower|upper)-(?:alpha|latin|roman))")
_LARGEST_ROMAN: Final = 3999
_LETTERS: Final = 26


def number_style(element: HtmlElement) -> str:
    """Return a list's numbering style, such as ``lower-roman``; empty for digits."""
    names = [element.attributes.get("type") or "", *element.classes]
    style = next((_NUMBER_STYLES[name] for name in names if name in _NUMBER_STYLES), "")
    match = _STYLE.search(element.attributes.get("style") or "")
    return style or (match[1].replace("latin", "alpha") if match else "")


def numeral(number: int, style: str) -> str:
    """Return a number in the style of a list, or in digits if the style cannot write it."""
    case, _, kind = style.partition("-")
    if kind == "roman" and 0 < number <= _LARGEST_ROMAN:
        text = roman_numeral(number).lower()
    elif kind == "alpha" and number > 0:
        text = ""
        while number:
            number, rest = divmod(number - 1, _LETTERS)
            text = chr(ord("a") + rest) + text
    else:
        text = str(number)
    return text.upper() if case == "upper" else text


class ItemNumbers:
    """Counts the items of an ordered list.

    Attributes:
        style: The numbering style; empty for digits.
        next: The number of the next item, unless it has a ``value``.
    """

    def __init__(self, ordered: HtmlElement) -> None:
        self.items = [child for child in ordered.elements if child.name == "li"]
        self.style = number_style(ordered)
        self._step = -1 if "reversed" in ordered.attributes else 1
        start = whole_number((ordered.attributes.get("start") or "").strip())
        self.next = start if start is not None else len(self.items) if self._step < 0 else 1

    def take(self, item: HtmlElement) -> int:
        """Return the number of the next item, and count on from it."""
        value = whole_number((item.attributes.get("value") or "").strip())
        number = self.next if value is None else value
        self.next = number + self._step
        return number


def item_labels(ordered: HtmlElement) -> Iterator[tuple[HtmlElement, str]]:
    """Yield the items of an ordered list with the labels that the page shows, such as ``b.``."""
    numbers = ItemNumbers(ordered)
    for item in numbers.items:
        yield item, f"{numeral(numbers.take(item), numbers.style)}."
