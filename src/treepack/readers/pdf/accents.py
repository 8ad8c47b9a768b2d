"""Accents that are printed over letters are joined with their letters.

TeX with its old fonts draws an accent, goes back, and draws the letter.
"""

import unicodedata
from array import array
from dataclasses import replace
from typing import Final

from treepack.readers.pdf_worker.messages import PageContent

_COMBINING: Final = {
    0x60: "\u0300", 0xB4: "\u0301", 0x2C6: "\u0302", 0x2DC: "\u0303", 0xAF: "\u0304",
    0x2D8: "\u0306", 0x2D9: "\u0307", 0xA8: "\u0308", 0x2DA: "\u030a", 0x2DD: "\u030b",
    0x2C7: "\u030c", 0xB8: "\u0327", 0x2DB: "\u0328",
}  # fmt: skip
"""The combining accent for each spacing accent."""
_DOTLESS: Final = {0x131: "i", 0x237: "j"}
_ACCENTS: Final = frozenset(_COMBINING)
_BETWEEN: Final = frozenset({10, 32})  # what PDFium may put between an accent and its letter
_MOST_OFFSET: Final = 0.2  # of a letter's height, between the middles of accent and letter
_MOST_RISE: Final = 0.5  # of a letter's height, between the lower edges of both


def with_accents(page: PageContent) -> PageContent:
    """Return the page with each accent that is printed over a letter joined with that letter."""
    if _ACCENTS.isdisjoint(page.codes):
        return page
    codes = array("I", page.codes)
    joined: set[int] = set()
    for at, code in enumerate(codes):
        if code in _ACCENTS:
            _join(page, codes, at, joined)
    if not joined:
        return page
    remaining = [at for at in range(len(codes)) if at not in joined]
    boxes = page.boxes
    return replace(
        page,
        codes=array("I", [codes[at] for at in remaining]),
        boxes=array("f", [side for at in remaining for side in boxes[4 * at : 4 * at + 4]]),
        styles=array("I", [page.styles[at] for at in remaining]),
    )


def _join(page: PageContent, codes: "array[int]", accent: int, joined: set[int]) -> None:
    """Join an accent with the next letter or else the previous one, if it is printed over it."""
    for step in (1, -1):
        letter = accent + step
        while 0 <= letter < len(codes) and (codes[letter] in _BETWEEN or letter in joined):
            letter += step
        if not 0 <= letter < len(codes) or not _is_over(page, accent, letter):
            continue
        plain = _DOTLESS.get(codes[letter], chr(codes[letter]))
        composed = unicodedata.normalize("NFC", plain + _COMBINING[codes[accent]])
        if plain.isalpha() and len(composed) == 1:
            codes[letter] = ord(composed)
            joined.update(range(accent, letter, step))
            return


def _is_over(page: PageContent, accent: int, letter: int) -> bool:
    """Whether an accent and a letter are printed at the same place."""
    (left, _, right, low), (start, top, end, foot) = (
        page.boxes[4 * at : 4 * at + 4] for at in (accent, letter)
    )
    height = top - foot
    offset, rise = abs(left + right - start - end) / 2, abs(low - foot)
    return offset < _MOST_OFFSET * height and rise < _MOST_RISE * height
