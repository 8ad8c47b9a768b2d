"""The styles of a Word document: what a paragraph or run inherits along the chain of its style.

Styles are told apart by their name, never by their id: in a German Word "heading 1" has the id
``berschrift1``, while its name stays English (ISO/IEC 29500-1, 17.7.4.9, and Word's own files).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from xml.etree.ElementTree import Element

_HEADING: Final = re.compile(r"heading ([1-9])\Z", re.IGNORECASE)
_CONTENTS: Final = re.compile(r"(?:toc [1-9]|table of figures)\Z", re.IGNORECASE)
_BODY_TEXT: Final = 9  # the outline level that is none
_LONGEST_CHAIN: Final = 32  # styles; Word itself gives up at about eleven
_OFF: Final = frozenset({"0", "false", "off"})


@dataclass(frozen=True, slots=True)
class NumberReference:
    """Which numbering a paragraph or style points to; None where it says nothing.

    Attributes:
        number: The ``numId``; 0 takes a number away.
        level: The ``ilvl``, from 0.
    """

    number: int | None
    level: int | None


@dataclass(frozen=True, slots=True)
class _Style:
    id: str
    name: str
    based_on: str
    paragraph: Element | None
    run: Element | None


class Styles:
    """All styles of a document.

    Args:
        root: The root of the styles part; a document can do without one.
    """

    def __init__(self, root: Element | None) -> None:
        self._styles: dict[str, _Style] = {}
        self._default_paragraph = ""
        self._levels: dict[str, int | None] = {}
        self._hidden: dict[str, bool] = {}
        for element in root.iterfind("style") if root is not None else ():
            self._add(element)

    def name(self, style: str) -> str:
        """The name of a style in lower case; empty where the document does not define it."""
        found = self._styles.get(style)
        return found.name.casefold() if found else ""

    def names(self, style: str) -> Iterator[str]:
        """The names along the chain of a style, its own first."""
        return (found.name.casefold() for found in self._chain(style))

    def shown_name(self, style: str) -> str:
        """The name of a style as it is written; empty for the style of plain text."""
        found = self._styles.get(style)
        return found.name if found is not None and style != self._default_paragraph else ""

    def run_properties(self, style: str) -> Iterator[Element | None]:
        """The text properties of a style and of the styles it is based on, nearest first."""
        return (found.run for found in self._chain(style))

    def paragraph_properties(self, style: str) -> Iterator[Element | None]:
        """The paragraph properties of a style and of the styles it is based on, nearest first."""
        return (found.paragraph for found in self._chain(style))

    def style_of(self, properties: Element | None) -> str:
        """The id of a paragraph's style: what its properties say, else the default."""
        named = value(properties, "pStyle")
        return named if named in self._styles else self._default_paragraph

    def outline_level(self, properties: Element | None, style: str) -> int | None:
        """The outline level of a paragraph from 1 to 9, or None where it is no heading.

        The paragraph's own properties win, then the nearest style along the chain that says
        anything: by its outline level, or by being one of Word's own headings.
        """
        own = number(properties, "outlineLvl")
        if own is not None:
            return own + 1 if 0 <= own < _BODY_TEXT else None
        if style not in self._levels:
            self._levels[style] = self._level_of(style)
        return self._levels[style]

    def is_hidden(self, properties: Element | None, styles: tuple[str, ...]) -> bool:
        """Whether a run is hidden text (``w:vanish``), by its properties or its styles."""
        own = switch(properties, "vanish")
        if own is not None:
            return own
        run_style = value(properties, "rStyle")
        return any(self._is_hidden_style(style) for style in (run_style, *styles) if style)

    def is_contents(self, style: str) -> bool:
        """Whether paragraphs of a style are entries of a generated table of contents."""
        return any(_CONTENTS.match(name) for name in self.names(style))

    def number_references(self, style: str) -> Iterator[tuple[str, NumberReference]]:
        """Style ids along the chain, each with the numbering that it points to."""
        for found in self._chain(style):
            yield found.id, number_reference(found.paragraph)

    def numbering_style(self, name: str) -> NumberReference:
        """The numbering after a list style, by its id."""
        found = self._styles.get(name)
        return number_reference(found.paragraph if found else None)

    # ---------------------------------------------------------------- inside

    def _add(self, element: Element) -> None:
        style = element.get("styleId", "")
        self._styles[style] = _Style(
            style,
            value(element, "name"),
            value(element, "basedOn"),
            element.find("pPr"),
            element.find("rPr"),
        )
        is_default = element.get("default", "0") not in _OFF
        if is_default and element.get("type") == "paragraph":
            self._default_paragraph = style

    def _chain(self, style: str) -> Iterator[_Style]:
        """A style and what it is based on; a chain that is too long, or a circle, ends."""
        for _ in range(_LONGEST_CHAIN):
            found = self._styles.get(style)
            if found is None:
                return
            yield found
            style = found.based_on

    def _level_of(self, style: str) -> int | None:
        for found in self._chain(style):
            level = number(found.paragraph, "outlineLvl")
            if level is not None:
                return level + 1 if 0 <= level < _BODY_TEXT else None
            if match := _HEADING.match(found.name):
                return int(match[1])
        return None

    def _is_hidden_style(self, style: str) -> bool:
        if style not in self._hidden:
            switches = (switch(found.run, "vanish") for found in self._chain(style))
            self._hidden[style] = next((on for on in switches if on is not None), False)
        return self._hidden[style]


# -------------------------------------------------------------------- values of properties


def value(properties: Element | None, name: str) -> str:
    """The ``w:val`` of a property; empty where it is not set."""
    found = properties.find(name) if properties is not None else None
    return found.get("val", "") if found is not None else ""


def number(properties: Element | None, name: str) -> int | None:
    """The ``w:val`` of a property as a whole number; None where it is not set, or is none."""
    return whole_number(value(properties, name))


def whole_number(text: str) -> int | None:
    """A decimal number of at most nine digits, as ``xsd:int`` has."""
    return int(text) if re.fullmatch(r"[+-]?[0-9]{1,9}", text) else None


def switch(properties: Element | None, name: str) -> bool | None:
    """A property that is on or off; None where it is not set."""
    found = properties.find(name) if properties is not None else None
    return None if found is None else found.get("val", "1") not in _OFF


def number_reference(properties: Element | None) -> NumberReference:
    """The ``w:numPr`` of paragraph properties."""
    found = properties.find("numPr") if properties is not None else None
    return NumberReference(number(found, "numId"), number(found, "ilvl"))
