"""Counts automatic numbers the way Word counts and prints them.

The rules, with their places in ISO/IEC 29500-1 (and where Word is known to differ, in
[MS-OI29500]):

* The abstract list counts, so all its instances share one count (17.9.1, 17.9.15). An instance with
  a ``startOverride`` restarts the count when it is first used (17.9.26).
* A level restarts after any level above it, or only after those that ``lvlRestart`` names, or never
  (17.9.10).
* A level that was left out counts as begun: "2.1.1" may come right after "2", and then "2.2".
* ``lvlText`` gives the number's form; with ``isLgl`` all its components are decimal (17.9.4), but
  Word keeps the zero of "1.01". Text that asks for a level below its own is ignored as a whole
  ([MS-OI29500] 2.1.283).
* ``numStyleLink`` points to the list that contains the style's definition (17.9.21).
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from treepack.numbers.words import roman_numeral, whole_number
from treepack.numbers.written_out import ENGLISH_CARDINALS, ENGLISH_ORDINALS
from treepack.readers.docx.package import NO_PART
from treepack.readers.docx.styles import LEVELS, LONGEST_CHAIN, Styles, number, switch, value

LONGEST_LABEL: Final = 255
"""The most characters of a printed number, and of the text that gives its form. Word allows 31
([MS-OI29500] 2.1.283). Other programs may write more, but each paragraph repeats the number.
"""

_LEVEL_REFERENCE: Final = re.compile(r"%([1-9])")
_ZERO_FORMS: Final = ("decimalZero", "custom:")
_LARGEST: Final = 9_999  # larger numbers are decimals
_MOST_REPEATS: Final = 30  # of a letter
_SMALL: Final = ("zero", *ENGLISH_CARDINALS)
_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ORDINALS: Final = dict(zip(ENGLISH_CARDINALS, ENGLISH_ORDINALS, strict=False))
_ORDINAL_ENDS: Final = {1: "st", 2: "nd", 3: "rd"}
_LATIN: Final = "abcdefghijklmnopqrstuvwxyz"
_CYRILLIC: Final = "абвгдежзиклмнопрстуфхцчшщыэюя"  # without ё, й, ъ, ь
_CHINESE: Final = "〇一二三四五六七八九"


class ListLabel(NamedTuple):
    """What Word prints before a paragraph.

    Attributes:
        text: The number as printed: ``3.14.5``, ``Artikel I``, ``(a)``; empty for a bullet.
        level: The level in its list, from 0.
        is_bullet: Whether it is a bullet.
        key: The id of the list that counts.
        counts: The counts of its level and those above.
    """

    text: str
    level: int
    is_bullet: bool
    key: str
    counts: tuple[int, ...] = ()


class _Level(NamedTuple):
    start: int = 1
    format: str = "decimal"
    text: str = ""
    restart: int | None = None
    is_legal: bool = False
    is_hidden: bool = False


@dataclass(frozen=True, slots=True)
class _Instance:
    """An instance of a list; what it sets for levels overrides what the list sets."""

    id: int
    list_id: str
    starts: dict[int, int]
    levels: dict[int, _Level]

    def level(self, index: int) -> _Level:
        return self.levels.get(index) or _Level()

    def start(self, index: int) -> int:
        return self.starts.get(index, self.level(index).start)


class Numbering:
    """The lists of a document, by the root of the numbering part, and their current counts."""

    def __init__(self, root: Element, styles: Styles) -> None:
        self._styles = styles
        self._lists: dict[str, Element] = {
            element.get("abstractNumId", ""): element for element in root.iterfind("abstractNum")
        }
        self._elements: dict[int, Element] = {
            number_id: element
            for element in root.iterfind("num")
            if (number_id := whole_number(element.get("numId", "")))
        }
        self._instances: dict[int, _Instance | None] = {}  # of the elements that were used
        self._counts: dict[str, list[int | None]] = {}  # of the lists that were counted
        self._restarted_levels: set[tuple[int, int]] = set()  # levels that instances have restarted

    def restarted(self) -> "Numbering":
        """Return the same lists with fresh counts: text boxes and notes count on their own."""
        fresh = Numbering(NO_PART, self._styles)
        fresh._lists, fresh._elements = self._lists, self._elements
        fresh._instances = self._instances
        return fresh

    def label(self, properties: Element | None, style: str) -> ListLabel | None:
        """Count a paragraph by its properties and its style; return its label, or None.

        The number and the level that the paragraph itself names win, then those that a style names.
        """
        number_id, index = _reference(properties)
        if number_id is None:
            for item in self._styles.chain(style):
                number_of_style, level_of_style = _reference(item.paragraph)
                number_id = number_of_style if number_id is None else number_id
                index = level_of_style if index is None else index
        instance = self._instance(number_id or 0)  # 0 removes a number
        index = index or 0
        if instance is None or not 0 <= index < LEVELS:
            return None
        self._count(instance, index)
        return self._label_at(instance, index)

    # ---------------------------------------------------------------- counting and printing

    def _count(self, instance: _Instance, last: int) -> None:
        counts = self._counts.setdefault(instance.list_id, [None] * LEVELS)
        for index in range(last + 1):
            count = counts[index]
            if self._is_first_restart(instance, index) or count is None:
                counts[index] = instance.start(index)
            elif index == last:
                counts[index] = count + 1
        for deeper in range(last + 1, LEVELS):
            restart = instance.level(deeper).restart
            if restart is None or last < restart:
                counts[deeper] = None

    def _is_first_restart(self, instance: _Instance, index: int) -> bool:
        """Return whether this is the first use of a level in an instance that restarts it."""
        if index not in instance.starts or (instance.id, index) in self._restarted_levels:
            return False
        self._restarted_levels.add((instance.id, index))
        return True

    def _label_at(self, instance: _Instance, index: int) -> ListLabel:
        level = instance.level(index)
        if level.format == "bullet":
            return ListLabel("", index, is_bullet=True, key=instance.list_id)
        counts = tuple(count or 0 for count in self._counts[instance.list_id][: index + 1])

        def part(match: re.Match[str]) -> str:
            at = int(match[1]) - 1
            form = instance.level(at).format
            is_plain = level.is_legal and not form.startswith(_ZERO_FORMS)
            return format_number(counts[at], "decimal" if is_plain else form)

        references = [int(number) - 1 for number in _LEVEL_REFERENCE.findall(level.text)]
        is_empty = level.is_hidden or max(references, default=0) > index
        text = "" if is_empty else " ".join(_LEVEL_REFERENCE.sub(part, level.text).split())
        label = text[:LONGEST_LABEL]
        return ListLabel(label, index, is_bullet=False, key=instance.list_id, counts=counts)

    # ---------------------------------------------------------------- reading definitions

    def _instance(self, number_id: int) -> _Instance | None:
        """Return an instance with the levels of its list, or None if it does not exist."""
        if number_id not in self._instances:
            element = self._elements.get(number_id)
            list_id = self._list_of(number_id)
            abstract_list = self._lists.get(list_id)
            if element is None or abstract_list is None:
                return None
            starts: dict[int, int] = {}
            levels = dict(_levels(abstract_list))
            for override in element.iterfind("lvlOverride"):
                index = whole_number(override.get("ilvl", ""))
                start = number(override, "startOverride")
                if index is not None and start is not None:
                    starts[index] = start
                levels.update(_levels(override))
            self._instances[number_id] = _Instance(number_id, list_id, starts, levels)
        return self._instances[number_id]

    def _list_of(self, number_id: int) -> str:
        """Return the id of the list that counts for an instance, following links of list styles."""
        for _ in range(LONGEST_CHAIN):
            list_id = value(self._elements.get(number_id), "abstractNumId")
            link = value(self._lists.get(list_id), "numStyleLink")
            if not link:
                return list_id
            style = next(self._styles.chain(link), None)
            number_id = _reference(style.paragraph if style else None)[0] or 0
        return ""


def _reference(properties: Element | None) -> tuple[int | None, int | None]:
    """Return the ``numId`` and the ``ilvl`` of paragraph properties; None for what is not set."""
    numbering = properties.find("numPr") if properties is not None else None
    return number(numbering, "numId"), number(numbering, "ilvl")


def _levels(element: Element) -> Iterator[tuple[int, _Level]]:
    for level in element.iterfind("lvl"):
        index = whole_number(level.get("ilvl", ""))
        if index is not None and 0 <= index < LEVELS:
            yield index, _read_level(level)


def _read_level(element: Element) -> _Level:
    return _Level(
        number(element, "start") or 0,
        _number_format(element),
        value(element, "lvlText")[:LONGEST_LABEL],
        number(element, "lvlRestart"),
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
    return f"custom:{form.get('format', '').partition(',')[0]}" if name == "custom" else name


# -------------------------------------------------------------------- number formats


def format_number(value: int, number_format: str) -> str:
    """Return a number in a format of ``ST_NumberFormat`` (17.18.59); unknown ones are decimals.

    It is empty for ``none`` and ``bullet``.
    """
    if number_format in ("none", "bullet"):
        return ""
    write = _FORMATS.get(number_format, str)
    return write(value) if 0 <= value <= _LARGEST else str(value)


def _repeated(letters: str, value: int) -> str:
    """A to Z, then AA, BB ... ZZ, AAA: Word repeats the letter (a spreadsheet has AB after AA)."""
    repeats, index = divmod(value - 1, len(letters))
    return letters[index] * (repeats + 1) if 0 <= repeats < _MOST_REPEATS else str(value)


def _one_of(signs: str, value: int) -> str:
    """The sign of a number; Word writes larger numbers as decimals."""
    return signs[value - 1] if 0 < value <= len(signs) else str(value)


def _ordinal(value: int) -> str:
    is_teen = value // 10 % 10 == 1
    return str(value) + ("th" if is_teen else _ORDINAL_ENDS.get(value % 10, "th"))


def _ordinal_words(value: int) -> str:
    words = _words(value)
    last = words.replace("-", " ").split()[-1]
    stem = f"{last[:-1]}ie" if last.endswith("y") else last
    return (words.removesuffix(last) + _ORDINALS.get(last, f"{stem}th")).capitalize()


def _words(value: int) -> str:
    if value < len(_SMALL):
        return _SMALL[value]
    for worth, name in ((1000, "thousand"), (100, "hundred")):
        many, rest = divmod(value, worth)
        if many:
            return f"{_words(many)} {name}" + (f" {_words(rest)}" if rest else "")
    tens, ones = divmod(value, 10)
    return _TENS[tens - 2] + (f"-{_SMALL[ones]}" if ones else "")


def _chinese(value: int) -> str:
    """Write a number with units: 十二, 二十, 一百〇一; a zero stands for a gap."""
    written = "".join(
        f"{_CHINESE[digit]}{unit}" if (digit := value // worth % 10) else _CHINESE[0]
        for worth, unit in ((1000, "千"), (100, "百"), (10, "十"), (1, ""))
    )
    text = re.sub("〇+", "〇", written).strip("〇") or "〇"
    return text[1:] if text.startswith("一十") else text


_FULL_WIDTH: Final = str.maketrans("0123456789", "０１２３４５６７８９")
_ALPHABETS: Final = {
    "upperLetter": _LATIN.upper(),
    "lowerLetter": _LATIN,
    "russianLower": _CYRILLIC,
    "russianUpper": _CYRILLIC.upper(),
}
_SIGNS: Final = {
    "ideographTraditional": "甲乙丙丁戊己庚辛壬癸",
    "decimalEnclosedCircle": "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳",
    "decimalEnclosedCircleChinese": "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳",
}
_CHINESE_NAMES: Final = """chineseCounting chineseCountingThousand japaneseCounting
    taiwaneseCounting taiwaneseCountingThousand"""
_FORMATS: Final[Mapping[str, Callable[[int], str]]] = {
    "decimalZero": "{:02d}".format,
    "upperRoman": roman_numeral,
    "lowerRoman": lambda value: roman_numeral(value).lower(),
    "ordinal": _ordinal,
    "cardinalText": lambda value: _words(value).capitalize(),
    "ordinalText": _ordinal_words,
    "numberInDash": "- {} -".format,
    "decimalFullWidth": lambda value: str(value).translate(_FULL_WIDTH),
    "decimalFullWidth2": lambda value: str(value).translate(_FULL_WIDTH),
    **{name: partial(_repeated, letters) for name, letters in _ALPHABETS.items()},
    **{name: partial(_one_of, signs) for name, signs in _SIGNS.items()},
    **dict.fromkeys(_CHINESE_NAMES.split(), _chinese),
    **{f"custom:{'0' * (size - 1)}1": f"{{:0{size}d}}".format for size in range(2, 6)},
}
