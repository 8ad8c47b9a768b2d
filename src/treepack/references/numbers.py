"""The numbers of a reference: ``Articles 5(1), 6 and 8 to 10`` cites six, one of them unprinted."""

import re
from typing import Final, NamedTuple

from treepack.references.words import (
    KIND_OF_REFERENCE,
    SINGULAR,
    CitedKind,
    item_pattern,
    part_pattern,
)

_LONGEST_RANGE: Final = 40
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_OF_CODE: Final = re.compile(r"[LRDA]\.\d{1,4}-")
_RANGE: Final = re.compile(r"[\s\]]*(?:-|–|,?\s*\b(?:to|through|bis|à|a)\b)\s*\[?")
_LAST_PART: Final = re.compile(
    r"(?:(?P<unnumbered>Satz|S\.|Halbsatz)|(?P<more>[A-Z]\w*\.?|lit\.|points|paragraphs))\s*\S+$"
)
"""The last part that words name; a number after it may be one ``more`` of its kind."""
_LAST: Final = re.compile(r"(?P<head>.*?\(?)(?P<last>\d+|(?<=\()[a-zA-Z])(?P<close>\)?)")


class Cited(NamedTuple):
    """A number that is cited.

    Attributes:
        start: Where it begins; the first one of a reference begins with its word.
        end: Where it ends.
        word: The word before it, as printed in the singular; empty without one.
        kind: What the word names; None without a word.
        number: The number without spaces: ``12(3)(a)``, or ``(a)`` after a word for parts.
        is_printed: Whether it is in the text, not only between two others: 6 in ``5 to 7``.
    """

    start: int
    end: int
    word: str
    kind: CitedKind | None
    number: str
    is_printed: bool = True

    @property
    def name(self) -> str:
        """The citation itself: ``Article 5``."""
        is_captioned = self.kind in {"table", "figure"}
        word = str(self.kind) if is_captioned else self.word
        return f"{word.capitalize()} {self.number}".lstrip()


def cited_numbers(match: re.Match[str]) -> list[Cited]:
    """Return the numbers of a match of the reference pattern; none if it is no reference."""
    if match["numbers"] is None:
        return []
    printed = "" if match["word"] is None else match[0][: match.end("word") - match.start()]
    word = printed.lower().rstrip(".")
    kind = KIND_OF_REFERENCE.get(word)
    found: list[Cited] = []
    part: re.Match[str] | None = None  # the last one that words name after the number before
    for item in item_pattern().finditer(match.string, match.start("numbers"), match.end()):
        core, components = _compact(item["core"] or ""), _compact(item["components"] or "")
        alone, parts = _compact(item["alone"] or ""), _named_parts(item["parts"])
        joint = match.string[found[-1].end : item.start()] if found else ""
        if part and not (alone or components or parts):
            if part["unnumbered"]:
                continue  # "Satz 1 und 2"
            if part["more"] and (word != "§§" or _RANGE.fullmatch(joint)):
                core, alone = "", f"({core})"  # "§ 5 Abs. 2 und 3"
        is_other = core and found and core.isalpha() != found[0].number.split("(")[0].isalpha()
        if is_other or (alone and not found and kind not in {"paragraph", "subsection"}):
            break  # "Section 5 and I", "Article (a)"
        if _YEAR.fullmatch(core):
            continue  # "the rules 2022"
        number = _sibling(found[-1].number, alone) if alone and found else core + components + alone
        start = item.start() if found or match.start("numbers") < item.start() else match.start()
        cited = Cited(start, item.end(), SINGULAR.get(word, ""), kind, number + parts)
        found += [*(numbers_between(found[-1], joint, cited) if found else ()), cited]
        part = _LAST_PART.search(item["parts"]) or (part if alone else None)
    return found


def numbers_between(first: Cited, joint: str, last: Cited) -> list[Cited]:
    """Return the numbers between two that a range names: 6 and 7 in ``5 to 8``."""
    if not _RANGE.fullmatch(joint):
        return []  # most joints: a comma, "and"
    lower, upper = _LAST.fullmatch(first.number), _LAST.fullmatch(last.number)
    if not (lower and upper) or upper["head"] not in {"", "(", lower["head"]}:
        return []
    begin, end = lower["last"], upper["last"]
    if begin.isdigit() and end.isdigit():
        members = [str(value) for value in range(int(begin) + 1, int(end))]
    else:
        members = [chr(code) for code in range(ord(begin[0]) + 1, ord(end[0]))]
    return [
        first._replace(number=f"{lower['head']}{each}{lower['close']}", is_printed=False)
        for each in members[:_LONGEST_RANGE]
    ]


def _sibling(before: str, components: str) -> str:
    """Return ``5(2)(b)`` for ``(b)`` after ``5(2)(a)``: beside the last component of its form."""
    form = r"\((?=\d)" if components[1].isdigit() else r"\((?=\D)"
    at = [match.start() for match in re.finditer(form, before)]
    return (before[: at[-1]] if at else before) + components


def _compact(number: str) -> str:
    """Return a number with its bracketed components, without spaces except in ``L. 121-1``."""
    plain = "".join(number.split())
    return f"{plain[:2]} {plain[2:]}" if _OF_CODE.match(plain) else plain


def _named_parts(text: str) -> str:
    """Return the components that words name after a number: ``Abs. 2 Nr. 3`` gives ``(2)(3)``."""
    parts = [match["inner"] or match["bare"] for match in part_pattern().finditer(text)]
    return "".join([f"({part})" for part in parts if part])
