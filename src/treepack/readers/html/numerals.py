"""How the lists of an HTML page count: start numbers, letters, roman numerals."""

import re
from collections.abc import Iterator
from typing import Final

from treepack.readers.html.tree import Element

_NUMBER_STYLES: Final = {
    "a": "lower-alpha", "A": "upper-alpha", "i": "lower-roman", "I": "upper-roman",
    "loweralpha": "lower-alpha", "upperalpha": "upper-alpha",
    "lowerroman": "lower-roman", "upperroman": "upper-roman",
}  # fmt: skip
_STYLE: Final = re.compile(r"list-style(?:-type)?\s*:\s*((?:lower|upper)-(?:alpha|latin|roman))")
_ROMAN: Final = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"),
    (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_LARGEST_ROMAN: Final = 3999
_LETTERS: Final = 26


def integer_in(text: str | None) -> int | None:
    """An attribute's value as a whole number, if markdown can number an item with it."""
    text = (text or "").strip()
    is_number = text.lstrip("-").isdigit() and text.isascii() and len(text) < 10  # noqa: PLR2004 - markdown's nine digits
    return int(text) if is_number and text.rfind("-") < 1 else None


def number_style(element: Element) -> str:
    """How a list counts, if not with digits."""
    names = [element.attributes.get("type") or "", *element.classes]
    style = next((_NUMBER_STYLES[name] for name in names if name in _NUMBER_STYLES), "")
    match = _STYLE.search(element.attributes.get("style") or "")
    return style or (match[1].replace("latin", "alpha") if match else "")


def numeral(number: int, style: str) -> str:
    """A number in the style of a list; in digits if the style cannot write it."""
    case, _, kind = style.partition("-")
    if kind == "roman" and 0 < number <= _LARGEST_ROMAN:
        text = ""
        for value, letters in _ROMAN:
            count, number = divmod(number, value)
            text += letters * count
    elif kind == "alpha" and number > 0:
        text = ""
        while number:
            number, rest = divmod(number - 1, _LETTERS)
            text = chr(ord("a") + rest) + text
    else:
        text = str(number)
    return text.upper() if case == "upper" else text


def item_labels(ordered: Element) -> Iterator[tuple[Element, str]]:
    """The items of an ordered list, each with the label that the page shows, such as ``b.``."""
    items = [c for c in ordered.children if isinstance(c, Element) and c.name == "li"]
    style = number_style(ordered)
    step = -1 if "reversed" in ordered.attributes else 1
    first = integer_in(ordered.attributes.get("start"))
    number = first if first is not None else len(items) if step < 0 else 1
    for item in items:
        value = integer_in(item.attributes.get("value"))
        number = number if value is None else value
        yield item, f"{numeral(number, style)}."
        number += step
