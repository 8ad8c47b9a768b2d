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
_TOC_STYLE: Final = re.compile(r"(?:toc [1-9]|table of figures)\Z", re.IGNORECASE)
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
class Style:
    """A style: its id, its name, the id of the style it is based on, and its properties."""

    id: str
    name: str
    based_on: str
    paragraph: Element | None
    run: Element | None


class Styles:
    """All styles of a document, by the root of the styles part."""

    def __init__(self, root: Element) -> None:
        self._styles: dict[str, Style] = {}
        self._default_paragraph = ""
        self._levels: dict[str, int | None] = {}
        self._hidden: dict[str, bool] = {}
        for element in root.iterfind("style"):
            self._add(element)

    def names(self, style: str) -> Iterator[str]:
        """Return the case-folded names of a style and those it is based on, nearest first."""
        return (item.name.casefold() for item in self.chain(style))

    def shown_name(self, style: str) -> str:
        """Return the name of a style as it is written; empty for the default paragraph style."""
        named = self._styles.get(style)
        return named.name if named is not None and style != self._default_paragraph else ""

    def style_of(self, properties: Element | None) -> str:
        """Return the id of a paragraph's style: the one its properties name, or the default."""
        style = value(properties, "pStyle")
        return style if style in self._styles else self._default_paragraph

    def outline_level(self, properties: Element | None, style: str) -> int | None:
        """Return the outline level of a paragraph, from 1 to 9, or None if it is not a heading.

        The paragraph's own properties win. Then comes the nearest style of the chain that has an
        outline level or is one of Word's own headings.
        """
        own_level = number(properties, "outlineLvl")
        if own_level is not None:
            return _level_from(own_level)
        if style not in self._levels:
            self._levels[style] = self._level_of(style)
        return self._levels[style]

    def is_hidden(self, properties: Element | None, styles: tuple[str, ...]) -> bool:
        """Return whether a run is hidden text (``w:vanish``), by its properties or its styles."""
        is_on = switch(properties, "vanish")
        if is_on is not None:
            return is_on
        run_style = value(properties, "rStyle")
        return any(self._is_hidden_style(style) for style in (run_style, *styles) if style)

    def is_toc(self, style: str) -> bool:
        """Return whether paragraphs of a style are entries of a generated table of contents."""
        return any(_TOC_STYLE.match(name) for name in self.names(style))

    def is_code(self, style: str) -> bool:
        """Return whether paragraphs of a style are lines of code, by the style's own name."""
        return _CODE.match(next(self.names(style), "")) is not None

    def numbering_style(self, name: str) -> NumberReference:
        """Return the numbering that a list style refers to, given the id of the style."""
        style = self._styles.get(name)
        return number_reference(style.paragraph if style else None)

    # ---------------------------------------------------------------- inside

    def _add(self, element: Element) -> None:
        style = element.get("styleId", "")
        self._styles[style] = Style(
            style,
            value(element, "name"),
            value(element, "basedOn"),
            element.find("pPr"),
            element.find("rPr"),
        )
        is_default = element.get("default", "0") not in _OFF
        if is_default and element.get("type") == "paragraph":
            self._default_paragraph = style

    def chain(self, style: str) -> Iterator[Style]:
        """Yield a style and those it is based on, nearest first, as many as the limit allows."""
        for _ in range(_LONGEST_CHAIN):
            found_style = self._styles.get(style)
            if found_style is None:
                return
            yield found_style
            style = found_style.based_on

    def _level_of(self, style: str) -> int | None:
        for item in self.chain(style):
            level = number(item.paragraph, "outlineLvl")
            if level is not None:
                return _level_from(level)
            if match := _HEADING.match(item.name):
                return int(match[1])
        return None

    def _is_hidden_style(self, style: str) -> bool:
        if style not in self._hidden:
            chain = (item.run for item in self.chain(style))
            self._hidden[style] = _first_switch(chain, "vanish")
        return self._hidden[style]


def _level_from(outline_level: int) -> int | None:
    """Return the level of headings with an ``outlineLvl``, or None if it is that of body text."""
    return outline_level + 1 if 0 <= outline_level < _BODY_TEXT else None


# -------------------------------------------------------------------- how text is formatted


class RunFormat(NamedTuple):
    """How a run of text is formatted; the size is in half points."""

    bold: bool
    size: int


class Fonts:
    """How runs and paragraphs are formatted; the root of the styles part has the defaults."""

    def __init__(self, root: Element, styles: Styles) -> None:
        self._styles = styles
        self._run = root.find("docDefaults/rPrDefault/rPr")
        self._paragraph = root.find("docDefaults/pPrDefault/pPr")
        self._by_style: dict[tuple[str, str, bool], RunFormat] = {}
        self._alignments: dict[str, str] = {}

    def run_format(self, properties: Element | None, style: str) -> RunFormat:
        """Return how a run is formatted, by its properties, its style and its paragraph's style."""
        is_complex = bool(switch(properties, "rtl") or switch(properties, "cs"))
        bold_name, size_name = ("bCs", "szCs") if is_complex else ("b", "sz")
        key = (style, value(properties, "rStyle"), is_complex)
        if key not in self._by_style:
            self._by_style[key] = self._inherited(style, key[1], bold_name, size_name)
        inherited = self._by_style[key]
        own_bold, own_size = switch(properties, bold_name), _size(properties, size_name)
        return RunFormat(
            inherited.bold if own_bold is None else own_bold, own_size or inherited.size
        )

    def emphasis(self, properties: Element | None, style: str) -> Literal["strong", "em"] | None:
        """Return the emphasis of a run in a paragraph of a style, or None."""
        if self.run_format(properties, style).bold and not self.run_format(None, style).bold:
            return "strong"
        run_style = self._styles.chain(value(properties, "rStyle"))
        is_italic = _first_switch((properties, *(item.run for item in run_style)), "i")
        return "em" if is_italic else None

    def typography(
        self, properties: Element | None, style: str, run_formats: Iterable[RunFormat]
    ) -> Typography:
        """Return how a paragraph is formatted, given the formats of its runs of text."""
        run_formats = list(run_formats)
        name = self._styles.shown_name(style)
        return Typography(
            bold=bool(run_formats) and all(run_format.bold for run_format in run_formats),
            size=min(run_format.size for run_format in run_formats) / 2 if run_formats else None,
            centred=self._alignment(properties, style) in _CENTRED,
            level=level_of_name(name) if name else None,
            style=None if name.casefold().startswith(_LIST_STYLE) else name or None,
        )

    def _alignment(self, properties: Element | None, style: str) -> str:
        if own_alignment := value(properties, "jc"):
            return own_alignment
        if style not in self._alignments:
            chain = (*(item.paragraph for item in self._styles.chain(style)), self._paragraph)
            self._alignments[style] = next(filter(None, (value(item, "jc") for item in chain)), "")
        return self._alignments[style]

    def _inherited(self, style: str, run_style: str, bold: str, size: str) -> RunFormat:
        """Return the format that styles give; bold on bold is not bold (ISO/IEC 29500, 17.7.3)."""
        of_run, of_paragraph = (
            [item.run for item in self._styles.chain(name)] for name in (run_style, style)
        )
        is_toggled = _first_switch(of_run, bold) != _first_switch(of_paragraph, bold)
        is_bold = bool(switch(self._run, bold)) or is_toggled
        sizes = (_size(properties, size) for properties in (*of_run, *of_paragraph, self._run))
        return RunFormat(is_bold, next(filter(None, sizes), _HALF_POINTS))


def _size(properties: Element | None, name: str) -> int | None:
    """Return a size in half points; None if it is not set, or not above 0."""
    size = whole_number(value(properties, name))
    return size if size is not None and size > 0 else None


# -------------------------------------------------------------------- values of properties


def value(properties: Element | None, name: str) -> str:
    """Return the ``w:val`` of a property; empty if it is not set."""
    element = properties.find(name) if properties is not None else None
    return element.get("val", "") if element is not None else ""


def number(properties: Element | None, name: str) -> int | None:
    """Return the ``w:val`` of a property as a whole number, or None if there is no such number."""
    return whole_number(value(properties, name))


def switch(properties: Element | None, name: str) -> bool | None:
    """Return whether a property is on or off; None if it is not set."""
    element = properties.find(name) if properties is not None else None
    return None if element is None else element.get("val", "1") not in _OFF


def _first_switch(chain: Iterable[Element | None], name: str) -> bool:
    """Return whether a property is on, by the first properties that set it; False if none do."""
    return next((on for item in chain if (on := switch(item, name)) is not None), False)


def number_reference(properties: Element | None) -> NumberReference:
    """Return the ``w:numPr`` of paragraph properties."""
    numbering = properties.find("numPr") if properties is not None else None
    return NumberReference(number(numbering, "numId"), number(numbering, "ilvl"))
