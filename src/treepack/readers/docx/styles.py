"""The styles of a Word document: what paragraphs and runs inherit, and how text is formatted.

Styles are identified by their name, never by their id: in a German Word, "heading 1" has the id
``berschrift1``, but its name stays English (ISO/IEC 29500-1, 17.7.4.9, and Word's own files).
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple
from xml.etree.ElementTree import Element

from treepack.model.typography import Typography
from treepack.numbers.words import whole_number
from treepack.readers.typography import level_of_name

_HEADING: Final = re.compile(r"heading ([1-9])\Z", re.IGNORECASE)
_CONTENTS: Final = re.compile(r"(?:toc [1-9]|table of figures)\Z", re.IGNORECASE)
# The styles of code in Word, LibreOffice and pandoc, and the variants that templates define.
_CODE: Final = re.compile(
    r"(?:(?:source|program|sample)[ _-]?)?code"
    r"(?:[ _-]?(?:block|example|snippet|text|wide|annotated|indent(?:ed)?|small))?\Z"
    r"|html preformatted\Z|preformatted(?: text)?\Z|verbatim\Z",
    re.IGNORECASE,
)
_BODY_TEXT: Final = 9  # the outline level of text that is not a heading
_LONGEST_CHAIN: Final = 32  # styles; Word itself gives up at about eleven
_HALF_POINTS: Final = 20  # Word's default size, if a document sets none
_CENTRED: Final = frozenset({"center", "distribute"})
_LIST_STYLE: Final = "list"  # names of Word's list styles begin with this
_OFF: Final = frozenset({"0", "false", "off"})


@dataclass(frozen=True, slots=True)
class NumberReference:
    """The numbering that a paragraph or style refers to; None for what it does not set.

    Attributes:
        number: The ``numId``; 0 removes the numbering.
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
        root: The root of the styles part.
    """

    def __init__(self, root: Element) -> None:
        self._styles: dict[str, _Style] = {}
        self._default_paragraph = ""
        self._levels: dict[str, int | None] = {}
        self._hidden: dict[str, bool] = {}
        for element in root.iterfind("style"):
            self._add(element)

    def names(self, style: str) -> Iterator[str]:
        """Return the case-folded names of a style and those it is based on, nearest first."""
        return (found.name.casefold() for found in self._chain(style))

    def shown_name(self, style: str) -> str:
        """Return the name of a style as it is written; empty for the default paragraph style."""
        found = self._styles.get(style)
        return found.name if found is not None and style != self._default_paragraph else ""

    def run_properties(self, style: str) -> Iterator[Element | None]:
        """Return the run properties of a style and of those it is based on, nearest first."""
        return (found.run for found in self._chain(style))

    def paragraph_properties(self, style: str) -> Iterator[Element | None]:
        """Return the paragraph properties of a style and of those it is based on, nearest first."""
        return (found.paragraph for found in self._chain(style))

    def style_of(self, properties: Element | None) -> str:
        """Return the id of a paragraph's style: the one its properties name, or the default."""
        named = value(properties, "pStyle")
        return named if named in self._styles else self._default_paragraph

    def outline_level(self, properties: Element | None, style: str) -> int | None:
        """Return the outline level of a paragraph, from 1 to 9, or None if it is not a heading.

        The paragraph's own properties win. Then comes the nearest style of the chain that has an
        outline level or is one of Word's own headings.
        """
        own = number(properties, "outlineLvl")
        if own is not None:
            return _level_from(own)
        if style not in self._levels:
            self._levels[style] = self._level_of(style)
        return self._levels[style]

    def is_hidden(self, properties: Element | None, styles: tuple[str, ...]) -> bool:
        """Return whether a run is hidden text (``w:vanish``), by its properties or its styles."""
        own = switch(properties, "vanish")
        if own is not None:
            return own
        run_style = value(properties, "rStyle")
        return any(self._is_hidden_style(style) for style in (run_style, *styles) if style)

    def is_contents(self, style: str) -> bool:
        """Return whether paragraphs of a style are entries of a generated table of contents."""
        return any(_CONTENTS.match(name) for name in self.names(style))

    def is_code(self, style: str) -> bool:
        """Return whether paragraphs of a style are lines of code, by the style's own name."""
        return _CODE.match(next(self.names(style), "")) is not None

    def number_references(self, style: str) -> Iterator[tuple[str, NumberReference]]:
        """Yield the style and those it is based on, each with the numbering that it refers to."""
        for found in self._chain(style):
            yield found.id, number_reference(found.paragraph)

    def numbering_style(self, name: str) -> NumberReference:
        """Return the numbering that a list style refers to, given the id of the style."""
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
        """Yield a style and those it is based on; the chain's length is limited, so circles end."""
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
                return _level_from(level)
            if match := _HEADING.match(found.name):
                return int(match[1])
        return None

    def _is_hidden_style(self, style: str) -> bool:
        if style not in self._hidden:
            switches = (switch(found.run, "vanish") for found in self._chain(style))
            self._hidden[style] = next((on for on in switches if on is not None), False)
        return self._hidden[style]


def _level_from(outline_level: int) -> int | None:
    """Return the level of headings with an ``outlineLvl``, or None if it is that of body text."""
    return outline_level + 1 if 0 <= outline_level < _BODY_TEXT else None


# -------------------------------------------------------------------- how text is formatted


class Look(NamedTuple):
    """How a run of text is formatted; the size is in half points."""

    bold: bool
    size: int


class Fonts:
    """How the runs and paragraphs of a document are formatted.

    Args:
        root: The root of the styles part, for the document's defaults.
        styles: The document's styles.
    """

    def __init__(self, root: Element, styles: Styles) -> None:
        self._styles = styles
        self._run = root.find("docDefaults/rPrDefault/rPr")
        self._paragraph = root.find("docDefaults/pPrDefault/pPr")
        self._by_style: dict[tuple[str, str, bool], Look] = {}
        self._alignments: dict[str, str] = {}

    def look(self, properties: Element | None, style: str) -> Look:
        """Return how a run is formatted, by its properties, its style and its paragraph's style."""
        is_complex = bool(switch(properties, "rtl") or switch(properties, "cs"))
        bold_name, size_name = ("bCs", "szCs") if is_complex else ("b", "sz")
        key = (style, value(properties, "rStyle"), is_complex)
        if key not in self._by_style:
            self._by_style[key] = self._inherited(style, key[1], bold_name, size_name)
        inherited = self._by_style[key]
        own_bold, own_size = switch(properties, bold_name), _size(properties, size_name)
        return Look(inherited.bold if own_bold is None else own_bold, own_size or inherited.size)

    def emphasis(self, properties: Element | None, style: str) -> Literal["strong", "em"] | None:
        """Return the emphasis of a run in a paragraph of a style, or None."""
        if self.look(properties, style).bold and not self.look(None, style).bold:
            return "strong"
        run_style = self._styles.run_properties(value(properties, "rStyle"))
        said = (switch(one, "i") for one in (properties, *run_style))
        return "em" if next((on for on in said if on is not None), False) else None

    def typography(
        self, properties: Element | None, style: str, looks: Iterable[Look]
    ) -> Typography:
        """Return how a paragraph is formatted, given the looks of its runs of text."""
        looks = list(looks)
        name = self._styles.shown_name(style)
        return Typography(
            bold=bool(looks) and all(look.bold for look in looks),
            size=min(look.size for look in looks) / 2 if looks else None,
            centred=self._alignment(properties, style) in _CENTRED,
            level=level_of_name(name) if name else None,
            style=None if name.casefold().startswith(_LIST_STYLE) else name or None,
        )

    def _alignment(self, properties: Element | None, style: str) -> str:
        if own := value(properties, "jc"):
            return own
        if style not in self._alignments:
            held = (*self._styles.paragraph_properties(style), self._paragraph)
            self._alignments[style] = next(
                (found for one in held if (found := value(one, "jc"))), ""
            )
        return self._alignments[style]

    def _inherited(self, style: str, run_style: str, bold: str, size: str) -> Look:
        """Return the look that styles give; bold on bold is not bold (ISO/IEC 29500-1, 17.7.3)."""
        chains = [list(self._styles.run_properties(name)) for name in (run_style, style)]
        switches = [
            next((on for one in chain if (on := switch(one, bold)) is not None), False)
            for chain in chains
        ]
        is_bold = bool(switch(self._run, bold)) or switches[0] != switches[1]
        held = (*chains[0], *chains[1], self._run)
        found = next((points for one in held if (points := _size(one, size))), None)
        return Look(is_bold, found or _HALF_POINTS)


def _size(properties: Element | None, name: str) -> int | None:
    """Return a size in half points; None if it is not set, or not above 0."""
    size = whole_number(value(properties, name))
    return size if size is not None and size > 0 else None


# -------------------------------------------------------------------- values of properties


def value(properties: Element | None, name: str) -> str:
    """Return the ``w:val`` of a property; empty if it is not set."""
    found = properties.find(name) if properties is not None else None
    return found.get("val", "") if found is not None else ""


def number(properties: Element | None, name: str) -> int | None:
    """Return the ``w:val`` of a property as a whole number, or None if there is no such number."""
    return whole_number(value(properties, name))


def switch(properties: Element | None, name: str) -> bool | None:
    """Return whether a property is on or off; None if it is not set."""
    found = properties.find(name) if properties is not None else None
    return None if found is None else found.get("val", "1") not in _OFF


def number_reference(properties: Element | None) -> NumberReference:
    """Return the ``w:numPr`` of paragraph properties."""
    found = properties.find("numPr") if properties is not None else None
    return NumberReference(number(found, "numId"), number(found, "ilvl"))
