"""The styles of a Word document: what paragraphs and runs inherit, and how text is formatted.

Styles are identified by their name, never by their id: in a German Word, "heading 1" has the id
``berschrift1``, but its name stays English (ISO/IEC 29500-1, 17.7.4.9, and Word's own files).
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple
from xml.etree.ElementTree import Element

from treepack.model.source import Typography
from treepack.numbers.words import whole_number
from treepack.readers.typography import level_of_name

# The styles of code in Word, LibreOffice and pandoc, and the variants that templates define.
_CODE: Final = re.compile(
    r"(?:(?:source|program|sample)[ _-]?)?code"
    r"(?:[ _-]?(?:block|example|snippet|text|wide|annotated|indent(?:ed)?|small))?\Z"
    r"|html preformatted\Z|preformatted(?: text)?\Z|verbatim\Z",
    re.IGNORECASE,
)
LEVELS: Final = 9
"""The levels of headings, and of lists."""
_HEADINGS: Final = {f"heading {level}": level for level in range(1, LEVELS + 1)}
_CONTENTS: Final = frozenset(
    {"table of figures", *(f"toc {level}" for level in _HEADINGS.values())}
)

LONGEST_CHAIN: Final = 32
"""Styles, or lists, that refer to each other; Word itself gives up at about eleven."""
_OFF: Final = frozenset({"0", "false", "off"})


@dataclass(frozen=True, slots=True)
class Style:
    """A style: its id, its name, the id of the style it is based on, and its properties."""

    id: str
    name: str
    based_on: str
    paragraph: Element | None
    run: Element | None


class RunFormat(NamedTuple):
    """How a run of text is formatted; the size is in half points."""

    bold: bool
    size: int


class Styles:
    """All styles of a document, by the root of the styles part."""

    def __init__(self, root: Element) -> None:
        self._styles: dict[str, Style] = {}
        self._default_paragraph = ""
        self._default_run = root.find("docDefaults/rPrDefault/rPr")
        self._levels: dict[str, int | None] = {}
        self._switches: dict[tuple[str, str], bool] = {}
        self._formats: dict[tuple[str, str, bool], RunFormat] = {}
        for element in root.iterfind("style"):
            style = element.get("styleId", "")
            name, based_on = value(element, "name"), value(element, "basedOn")
            properties = element.find("pPr"), element.find("rPr")
            self._styles[style] = Style(style, name, based_on, *properties)
            is_default = element.get("default", "0") not in _OFF
            if is_default and element.get("type") == "paragraph":
                self._default_paragraph = style

    def chain(self, style: str) -> Iterator[Style]:
        """Yield a style and those it is based on, nearest first, as many as the limit allows."""
        for _ in range(LONGEST_CHAIN):
            found = self._styles.get(style)
            if found is None:
                return
            yield found
            style = found.based_on

    def style_of(self, properties: Element | None) -> str:
        """Return the id of a paragraph's style: the one its properties name, or the default."""
        style = value(properties, "pStyle")
        return style if style in self._styles else self._default_paragraph

    def is_named(self, style: str, name: str) -> bool:
        """Return whether a style, or one that it is based on, has this name in small letters."""
        return any(item.name.casefold() == name for item in self.chain(style))

    def is_toc(self, style: str) -> bool:
        """Return whether paragraphs of a style are entries of a generated table of contents."""
        return any(item.name.casefold() in _CONTENTS for item in self.chain(style))

    def is_code(self, style: str) -> bool:
        """Return whether paragraphs of a style are lines of code, by the style's own name."""
        return style in self._styles and _CODE.match(self._styles[style].name) is not None

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

    def _level_of(self, style: str) -> int | None:
        for item in self.chain(style):
            level = number(item.paragraph, "outlineLvl")
            if level is not None:
                return _level_from(level)
            if level := _HEADINGS.get(item.name.casefold()):
                return level
        return None

    # ---------------------------------------------------------------- how text is formatted

    def is_hidden(self, properties: Element | None, style: str) -> bool:
        """Return whether a run in a paragraph of a style is hidden text (``w:vanish``)."""
        is_on = switch(properties, "vanish")
        if is_on is not None:
            return is_on
        run_style = value(properties, "rStyle")
        return self._is_on(style, "vanish") or self._is_on(run_style, "vanish")

    def run_format(self, properties: Element | None, style: str) -> RunFormat:
        """Return how a run is formatted, by its properties, its style and its paragraph's style."""
        is_complex = bool(switch(properties, "rtl") or switch(properties, "cs"))
        bold, size = ("bCs", "szCs") if is_complex else ("b", "sz")
        key = (style, value(properties, "rStyle"), is_complex)
        if key not in self._formats:
            self._formats[key] = self._inherited(style, key[1], bold, size)
        inherited = self._formats[key]
        is_bold = switch(properties, bold)
        return RunFormat(
            inherited.bold if is_bold is None else is_bold,
            _size(properties, size) or inherited.size,
        )

    def _inherited(self, style: str, run_style: str, bold: str, size: str) -> RunFormat:
        """Return the format that styles give; bold on bold is not bold (ISO/IEC 29500, 17.7.3)."""
        is_toggled = self._is_on(run_style, bold) != self._is_on(style, bold)
        is_bold = bool(switch(self._default_run, bold)) or is_toggled
        chain = (item.run for name in (run_style, style) for item in self.chain(name))
        sizes = (_size(properties, size) for properties in (*chain, self._default_run))
        return RunFormat(is_bold, next(filter(None, sizes), 20))  # 10 points, as in Word

    def emphasis(self, properties: Element | None, style: str) -> Literal["strong", "em"] | None:
        """Return the emphasis of a run in a paragraph of a style, or None."""
        if self.run_format(properties, style).bold and not self.run_format(None, style).bold:
            return "strong"
        is_italic = switch(properties, "i")
        if is_italic is None:
            is_italic = self._is_on(value(properties, "rStyle"), "i")
        return "em" if is_italic else None

    def typography(self, style: str, run_formats: Iterable[RunFormat]) -> Typography:
        """Return how a paragraph is formatted, given the formats of its runs of text."""
        run_formats = list(run_formats)
        is_usual = style == self._default_paragraph or style not in self._styles
        name = "" if is_usual else self._styles[style].name
        return Typography(
            bold=bool(run_formats) and all(run_format.bold for run_format in run_formats),
            size=min(run_format.size for run_format in run_formats) / 2 if run_formats else None,
            level=level_of_name(name) if name else None,
        )

    def _is_on(self, style: str, name: str) -> bool:
        """Return whether a property of runs is on, by the first style that sets it."""
        if (style, name) not in self._switches:
            switches = (switch(item.run, name) for item in self.chain(style))
            first = next((is_on for is_on in switches if is_on is not None), False)
            self._switches[style, name] = first
        return self._switches[style, name]


def _level_from(outline_level: int) -> int | None:
    """Return the level of headings with an ``outlineLvl``, or None if it is that of body text."""
    return outline_level + 1 if 0 <= outline_level < LEVELS else None


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


def _size(properties: Element | None, name: str) -> int | None:
    """Return a size in half points; None if it is not set, or not above 0."""
    size = number(properties, name)
    return size if size is not None and size > 0 else None
