"""Counts automatic numbers the way Word counts and prints them.

The rules, with their places in ISO/IEC 29500-1 (and where Word is known to differ, in
[MS-OI29500]):

* The abstract list counts, so all its instances share one count (17.9.1, 17.9.15). An instance with
  a ``startOverride`` restarts the count when it is first used (17.9.26).
* A level restarts after any level above it, or only after those that ``lvlRestart`` names, or never
  (17.9.10).
* A level that was left out counts as begun: "2.1.1" may come right after "2", and then "2.2".
* ``lvlText`` gives the number's form; with ``isLgl`` all its components are decimal (17.9.4). Text
  that asks for a level below its own is ignored as a whole ([MS-OI29500] 2.1.283).
* ``numStyleLink`` points to the list that contains the style's definition (17.9.21).
"""

import re
from dataclasses import dataclass
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from treepack.numbers.words import whole_number
from treepack.readers.docx.number_formats import format_number
from treepack.readers.docx.package import NO_PART
from treepack.readers.docx.styles import (
    NumberReference,
    Styles,
    number,
    number_reference,
    switch,
    value,
)

LEVELS: Final = 9

LONGEST_LABEL: Final = 255
"""The most characters of a printed number, and of the text that gives its form. Word allows 31
([MS-OI29500] 2.1.283). Other programs may write more, but each paragraph repeats the number.
"""

_LEVEL_REFERENCE: Final = re.compile(r"%([1-9])")
_CUSTOM_ZEROS: Final = re.compile(r"(0+1)(?:, |\Z)")
_NO_NUMBER: Final = 0
_MOST_LINKS: Final = 8  # from list to list; the limit ends circles


class ListLabel(NamedTuple):
    """What Word prints before a paragraph.

    Attributes:
        text: The number as printed: ``3.14.5``, ``Artikel I``, ``(a)``; empty for a bullet.
        level: The level in its list, from 0.
        is_bullet: Whether it is a bullet.
        key: The id of the list that counts.
    """

    text: str
    level: int
    is_bullet: bool
    key: str


@dataclass(frozen=True, slots=True)
class _Level:
    start: int = 1
    format: str = "decimal"
    text: str = ""
    restart: int | None = None
    style: str = ""
    is_legal: bool = False
    is_hidden: bool = False


_DEFAULT_LEVEL: Final = _Level()


@dataclass(frozen=True, slots=True)
class _List:
    """An abstract list."""

    levels: dict[int, _Level]
    style_link: str


@dataclass(frozen=True, slots=True)
class _Instance:
    id: int
    list_id: str
    starts: dict[int, int]
    levels: dict[int, _Level]


@dataclass(frozen=True, slots=True)
class _CountedList:
    """An instance with the list that counts for it; its own levels override those of the list."""

    instance: _Instance
    list_id: str
    levels: dict[int, _Level]

    def level(self, index: int) -> _Level:
        return self.levels.get(index, _DEFAULT_LEVEL)

    def start(self, index: int) -> int:
        return self.instance.starts.get(index, self.level(index).start)


class Numbering:
    """The lists of a document, by the root of the numbering part, and their current counts."""

    def __init__(self, root: Element, styles: Styles) -> None:
        self._styles = styles
        self._lists: dict[str, _List] = {}
        self._instances: dict[int, _Instance] = {}
        self._counts: dict[str, list[int | None]] = {}  # of the lists that were counted
        self._restarted_levels: set[tuple[int, int]] = set()  # levels that instances have restarted
        for element in root:
            if element.tag == "abstractNum":
                self._add_list(element)
            elif element.tag == "num":
                self._add_instance(element)

    def restarted(self) -> "Numbering":
        """Return the same lists with fresh counts: text boxes and notes count on their own."""
        fresh = Numbering(NO_PART, self._styles)
        fresh._lists, fresh._instances = self._lists, self._instances
        return fresh

    def label(self, properties: Element | None, style: str) -> ListLabel | None:
        """Count a paragraph by its properties and its style; return its label, or None."""
        found = self._list_and_level(properties, style)
        if found is None:
            return None
        self._count(*found)
        return self._label_at(*found)

    # ---------------------------------------------------------------- which list, which level

    def _list_and_level(
        self, properties: Element | None, style: str
    ) -> tuple[_CountedList, int] | None:
        """Return the list and the level of a paragraph, or None.

        The level that the paragraph itself names wins. Then comes the level of the list that names
        the paragraph's style (17.9.23), then the level that a style names, then 0.
        """
        own = number_reference(properties)
        inherited: list[NumberReference] = []
        if own.number is None:
            inherited = [number_reference(item.paragraph) for item in self._styles.chain(style)]
        numbers = (reference.number for reference in (own, *inherited))
        number_id = next((number for number in numbers if number is not None), None)
        counted = self._counted_list(number_id) if number_id is not None else None
        if counted is None:
            return None
        index = own.level
        if index is None:
            index = self._linked_level(counted, style)
        if index is None:
            levels = (reference.level for reference in inherited)
            index = next((level for level in levels if level is not None), 0)
        return (counted, index) if 0 <= index < LEVELS else None

    def _linked_level(self, counted: _CountedList, style: str) -> int | None:
        """Return the level that names a paragraph's style, or the nearest style it is based on."""
        by_style = {level.style: index for index, level in counted.levels.items() if level.style}
        chain = (item.id for item in self._styles.chain(style))
        return next((by_style[name] for name in chain if name in by_style), None)

    def _counted_list(self, number_id: int) -> _CountedList | None:
        """Return an instance with the list that counts for it, following links of list styles."""
        instance = self._instances.get(number_id) if number_id != _NO_NUMBER else None
        if instance is None:
            return None
        list_id = instance.list_id
        for _ in range(_MOST_LINKS):
            abstract_list = self._lists.get(list_id)
            if abstract_list is None:
                return None
            if not abstract_list.style_link:
                return _CountedList(instance, list_id, abstract_list.levels | instance.levels)
            linked_id = self._styles.numbering_style(abstract_list.style_link).number
            linked_instance = self._instances.get(linked_id or _NO_NUMBER)
            if linked_instance is None:
                return None
            list_id = linked_instance.list_id
        return None

    # ---------------------------------------------------------------- counting and printing

    def _count(self, counted: _CountedList, last: int) -> None:
        counts = self._counts.setdefault(counted.list_id, [None] * LEVELS)
        for index in range(last + 1):
            count = counts[index]
            if self._is_first_restart(counted.instance, index) or count is None:
                counts[index] = counted.start(index)
            elif index == last:
                counts[index] = count + 1
        for deeper in range(last + 1, LEVELS):
            restart = counted.level(deeper).restart
            if restart is None or last < restart:
                counts[deeper] = None

    def _is_first_restart(self, instance: _Instance, index: int) -> bool:
        """Return whether this is the first use of a level in an instance that restarts it."""
        if index not in instance.starts or (instance.id, index) in self._restarted_levels:
            return False
        self._restarted_levels.add((instance.id, index))
        return True

    def _label_at(self, counted: _CountedList, index: int) -> ListLabel:
        level = counted.level(index)
        if level.format == "bullet":
            return ListLabel("", index, is_bullet=True, key=counted.list_id)
        counts = self._counts[counted.list_id]

        def part(match: re.Match[str]) -> str:
            at = int(match[1]) - 1
            count = counts[at]
            assert count is not None, "levels above have been counted"
            form = counted.level(at).format
            return format_number(count, "decimal" if level.is_legal else form)

        references = [int(number) - 1 for number in _LEVEL_REFERENCE.findall(level.text)]
        is_empty = level.is_hidden or max(references, default=0) > index
        text = "" if is_empty else " ".join(_LEVEL_REFERENCE.sub(part, level.text).split())
        return ListLabel(text[:LONGEST_LABEL], index, is_bullet=False, key=counted.list_id)

    # ---------------------------------------------------------------- reading definitions

    def _add_list(self, element: Element) -> None:
        levels = _levels(element)
        self._lists[element.get("abstractNumId", "")] = _List(
            levels, value(element, "numStyleLink")
        )

    def _add_instance(self, element: Element) -> None:
        number_id = whole_number(element.get("numId", ""))
        if number_id is None:
            return
        starts: dict[int, int] = {}
        levels: dict[int, _Level] = {}
        for override in element.iterfind("lvlOverride"):
            index = whole_number(override.get("ilvl", ""))
            start = number(override, "startOverride")
            if index is None:
                continue
            if start is not None:
                starts[index] = start
            for level in _levels(override).values():
                levels[index] = level
        self._instances[number_id] = _Instance(
            number_id, value(element, "abstractNumId"), starts, levels
        )


def _levels(element: Element) -> dict[int, _Level]:
    levels: dict[int, _Level] = {}
    for level in element.iterfind("lvl"):
        index = whole_number(level.get("ilvl", ""))
        if index is not None and 0 <= index < LEVELS:
            levels[index] = _read_level(level)
    return levels


def _read_level(element: Element) -> _Level:
    start = number(element, "start")
    return _Level(
        0 if start is None else start,
        _number_format(element),
        value(element, "lvlText")[:LONGEST_LABEL],
        number(element, "lvlRestart"),
        value(element, "pStyle"),
        bool(switch(element, "isLgl")),
        bool(switch(element.find("rPr"), "vanish")),
    )


def _number_format(level: Element) -> str:
    """Return the format's name; Word 2010 writes new formats beside a fallback for old readers."""
    form = level.find("numFmt")
    if form is None:
        form = level.find("mc_AlternateContent/mc_Choice/numFmt")
    if form is None:
        return "decimal"
    name = form.get("val", "decimal")
    custom = _CUSTOM_ZEROS.match(form.get("format", "")) if name == "custom" else None
    return f"custom:{custom[1]}" if custom else name
