"""How the lists of an HTML page are numbered: start numbers, letters, roman numerals."""

import re
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


def numeral(number: int, style: str) -> str:
    """Return a number in the style of a list, or in digits if the style cannot write it."""
    case, _, kind = style.partition("-")
    text = str(number)
    if kind == "roman" and 0 < number <= _LARGEST_ROMAN:
        text = roman_numeral(number).lower()
    elif kind == "alpha" and number > 0:
        text = ""
        while number:
            number, rest = divmod(number - 1, _LETTERS)
            text = chr(ord("a") + rest) + text
    return text.upper() if case == "upper" else text


class ItemNumbers:
    """Counts the items of an ordered list.

    Attributes:
        style: The numbering style, such as ``lower-roman``; empty for digits.
        next: The number of the next item, unless it has a ``value``.
    """

    def __init__(self, ordered: HtmlElement) -> None:
        names = [ordered.attributes.get("type") or "", *ordered.classes]
        style = next((_NUMBER_STYLES[name] for name in names if name in _NUMBER_STYLES), "")
        match = _STYLE.search(ordered.attributes.get("style") or "")
        self.style = style or (match[1].replace("latin", "alpha") if match else "")
        self.items = [child for child in ordered.elements if child.name == "li"]
        self._step = -1 if "reversed" in ordered.attributes else 1
        start = _number(ordered, "start")
        self.next = start if start is not None else len(self.items) if self._step < 0 else 1

    def take(self, item: HtmlElement) -> int:
        """Return the number of the next item, and count on from it."""
        value = _number(item, "value")
        number = self.next if value is None else value
        self.next = number + self._step
        return number


def item_labels(ordered: HtmlElement) -> dict[int, str]:
    """Return the labels that the page shows, such as ``b.``, by the ids of a list's items."""
    numbers = ItemNumbers(ordered)
    return {id(item): f"{numeral(numbers.take(item), numbers.style)}." for item in numbers.items}


def _number(element: HtmlElement, name: str) -> int | None:
    return whole_number((element.attributes.get(name) or "").strip())
