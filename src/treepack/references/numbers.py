"""The numbers of a reference: ``Articles 5(1), 6 and 8 to 10`` cites six, one of them unprinted."""

import re
from itertools import islice
from typing import Final, NamedTuple

from treepack.references.words import KINDS, SINGULARS, CitedKind, item_pattern

_LONGEST_RANGE: Final = 40  # numbers
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_OF_CODE: Final = re.compile(r"[LRDA]\.\d{1,4}-")
_RANGE: Final = re.compile(r"[\s\]]*(?:-|–|,?\s*\b(?:to|through|bis|à|a)\b)\s*\[?")
_ENDS: Final = re.compile(r"(?P<head>.*?\(?)(?P<last>\d+|(?<=\()[a-zA-Z])(?P<close>\)?)")
_PART: Final = re.compile(r"(?<!\w)([^\W\d_]++)\.?\s*\(?(\d{1,3}[a-z]?|[a-z]{1,3})(?!\w)")
_UNNUMBERED: Final = frozenset({"Satz", "S", "Halbsatz", "Unterabs", "alinéa", "subparagraph"})
"""Parts of a text that are no clauses."""


class Cited(NamedTuple):
    """A number that is cited, at a span; the first of a reference begins with its word.

    The word is in lower case and the singular, the number without spaces: ``12(3)(a)``, or ``(a)``
    after a word for parts. A number between the ends of a range is not printed: 6 in ``5 to 7``.
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
        word = self.kind if self.kind == "table" or self.kind == "figure" else self.word
        return f"{word.capitalize()} {self.number}".lstrip()


def cited_numbers(match: re.Match[str]) -> list[Cited]:
    """Return the numbers of a match of the reference pattern; none if it is no reference."""
    found: list[Cited] = []
    if match["numbers"] is None:
        return found
    text, begin = match.string, match.start("numbers")
    word = (
        text[match.start() : match.end("word")].lower().rstrip(".")
        if match["word"] is not None
        else ""
    )
    kind, part = KINDS.get(word), ""
    for item in item_pattern().finditer(text, begin, match.end()):
        core, alone = _compact(item["core"] or ""), _compact(item["alone"] or "")
        components, parts = _compact(item["components"] or ""), _PART.findall(item["parts"])
        inner = "".join([f"({point})" for name, point in parts if name not in _UNNUMBERED])
        joint = text[found[-1].end : item.start()] if found else ""
        if part and core and not components and not inner:
            if part in _UNNUMBERED:
                continue  # "Satz 1 und 2"
            is_more = part[0].isupper() or part in {"lit", "points", "paragraphs"}
            if is_more and (word != "§§" or _RANGE.fullmatch(joint)):
                core, alone = "", f"({core})"  # "§ 5 Abs. 2 und 3"
        is_other = core and found and core.isalpha() != found[0].number.split("(")[0].isalpha()
        if is_other or (alone and not found and kind not in {"paragraph", "subsection"}):
            break  # "Section 5 and I", "Article (a)"
        if _YEAR.fullmatch(core):
            continue  # "the rules 2022"
        number = _beside(found[-1].number, alone) if alone and found else core + components + alone
        start = match.start() if item.start() == begin else item.start()
        cited = Cited(start, item.end(), SINGULARS.get(word, ""), kind, number + inner)
        found += [*(numbers_between(found[-1], joint, cited) if found else ()), cited]
        part = parts[-1][0] if parts else part if alone else ""
    return found


def numbers_between(first: Cited, joint: str, last: Cited) -> list[Cited]:
    """Return the numbers between two that a range names: 6 and 7 in ``5 to 8``."""
    lower, upper = _ENDS.fullmatch(first.number), _ENDS.fullmatch(last.number)
    if not (_RANGE.fullmatch(joint) and lower and upper):
        return []
    low, high = lower["last"], upper["last"]
    if upper["head"] not in {"", "(", lower["head"]} or low.isdigit() != high.isdigit():
        return []
    inner = (
        map(str, range(int(low) + 1, int(high)))
        if low.isdigit()
        else map(chr, range(ord(low) + 1, ord(high)))
    )
    numbers = [f"{lower['head']}{each}{lower['close']}" for each in islice(inner, _LONGEST_RANGE)]
    return [first._replace(number=number, is_printed=False) for number in numbers]


def _beside(before: str, components: str) -> str:
    """Return ``5(2)(b)`` for ``(b)`` after ``5(2)(a)``: beside the last component of its form."""
    form = r"\((?=\d)" if components[1].isdigit() else r"\((?=\D)"
    at = [match.start() for match in re.finditer(form, before)]
    return (before[: at[-1]] if at else before) + components


def _compact(number: str) -> str:
    """Return a number without spaces except in ``L. 121-1``."""
    plain = "".join(number.split())
    return f"{plain[:2]} {plain[2:]}" if _OF_CODE.match(plain) else plain
