"""Characters become lines; columns, cells and text in other directions become separate lines."""

import unicodedata
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import groupby
from typing import Final, NamedTuple

from treepack.readers.inlines import SPACES, InlinePiece, PieceKind, plain_of
from treepack.readers.neighbours import in_groups
from treepack.readers.pdf.line_patterns import FAR, MOSTLY, NEARLY_ALL
from treepack.readers.pdf_worker.messages import FontStyle, PageContent

_LINE_GAP: Final = 1.1  # em between two characters of different lines
_CODE_GAP: Final = 1.6  # em; the same before code, which is indented behind its number
_BULLETS: Final = frozenset("o\u2022\u25e6\u25aa\uf0b7")
_CLEAR_GAP: Final = 0.5  # em behind a title in the margin, or a bullet in the font of the text
_MOST_RISE: Final = 1.5  # em; half of it may be between the middles of characters of one line
_SPACE_WIDTH: Final = 0.22  # em between two words
_BASELINE_TOLERANCE: Final = 0.3  # em between baselines of words of one size in different lines
_MOST_OVERLAP: Final = 0.15  # em by which a character may overlap the last one
_RAISED, _LOWERED = 0.15, 0.08  # em above and below the baseline
_SCRIPT_SIZE: Final = 0.85  # of the size of the line, for super- and subscripts
_SAME_SIZE: Final = 0.3  # points
_UP_OR_DOWN: Final = (90, 270)
_SPACE, _LINE_END = ord(" "), ord("\n")
_COMBINING: Final = {
    0x60: "\u0300", 0xB4: "\u0301", 0x2C6: "\u0302", 0x2DC: "\u0303", 0xAF: "\u0304",
    0x2D8: "\u0306", 0x2D9: "\u0307", 0xA8: "\u0308", 0x2DA: "\u030a", 0x2DD: "\u030b",
    0x2C7: "\u030c", 0xB8: "\u0327", 0x2DB: "\u0328",
}  # fmt: skip
"""The combining accent for each spacing accent."""
_DOTLESS: Final = {0x131: "i", 0x237: "j"}
_ACCENTS: Final = frozenset(_COMBINING)
_BETWEEN: Final = frozenset(" \n")  # what PDFium may put between an accent and its letter
_MOST_ACCENT_OFFSET: Final = 0.2  # of a letter's height, between the middles of accent and letter
_MOST_ACCENT_RISE: Final = 0.5  # of a letter's height, between the lower edges of both
_TIDY: Final = {
    **{code: unicodedata.normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)},
    **dict.fromkeys([0, 1, *range(3, 9), *range(0xB, 0x20), 0x7F, 0xFEFF, 0xFFFE, 0xFFFF]),
}
"""Letters for ligatures, and nothing for control characters except PDFium's hyphen, U+0002."""


class Role(Enum):
    """The role of a line on its page."""

    TEXT = "text"
    HEADING = "heading"
    HEADING_CONTINUED = "further line of a heading"
    FURNITURE = "running header or footer"
    ROTATED = "rotated text"
    OUTSIDE = "text outside the page"


LEFT_OUT: Final = (Role.FURNITURE, Role.ROTATED, Role.OUTSIDE)
"""The roles of lines that are skipped."""


class Word(NamedTuple):
    """A word of a line, with its left and its right edge in points."""

    left: float
    right: float
    text: str


@dataclass(eq=False, slots=True)
class PdfLine:
    """A line of text.

    Attributes:
        text: Its text, with white space collapsed.
        parts: The same text with super- and subscripts.
        left: Its left edge, in points from the page's left edge.
        low: The lower edge of its characters of usual size, in points from the page's bottom.
        right: Its right edge.
        high: The upper edge of its characters of usual size.
        baseline: Its baseline, in points from the page's bottom.
        size: The font size of most of its characters, in points.
        is_bold: Whether most of it is bold.
        is_mono: Whether most of it is monospaced.
        font: The font of most of it.
        page: Its page, from 0.
        count: The number of its characters, without spaces.
        words: Its words with their positions.
        role: Its role.
        level: The level of a heading, from 1; 0 for other lines.
        is_rotated: Whether it runs upwards or downwards; its baseline is then its lower end.
        is_toc: Whether it is part of a table of contents.
        is_in_figure: Whether it is inside a figure.
        is_labelled: Whether it begins with a bold label, which ends with a colon.
    """

    text: str
    parts: list[str | InlinePiece]
    left: float
    low: float
    right: float
    high: float
    baseline: float
    size: float
    is_bold: bool = False
    is_mono: bool = False
    font: str = ""
    page: int = 0
    count: int = 0
    words: list[Word] = field(default_factory=list[Word])
    role: Role = Role.TEXT
    level: int = 0
    is_rotated: bool = False
    is_toc: bool = False
    is_in_figure: bool = False
    is_labelled: bool = False

    @property
    def middle(self) -> float:
        """The height of its middle on the page."""
        return (self.low + self.high) / 2

    @property
    def face(self) -> tuple[float, bool, str]:
        """Its size to the half point, whether it is bold, and its font."""
        return round(self.size * 2) / 2, self.is_bold, self.font

    @property
    def is_text(self) -> bool:
        """Whether it is ordinary text."""
        return self.role is Role.TEXT

    @property
    def is_left_out(self) -> bool:
        """Whether it is skipped."""
        return self.role in LEFT_OUT


class _Character(NamedTuple):
    code: int
    left: float
    low: float
    right: float
    high: float
    style: FontStyle


def read_lines(page: PageContent, number: int) -> list[PdfLine]:
    """Return the lines of a page in the order of its content, rotated lines last."""
    page = _with_accents(page)
    lines = [_pdf_line(chars, number) for chars in _upright_lines(page)]
    upright = [line for line in lines if line is not None]
    for line in upright:
        middle = (line.left + line.right) / 2
        if not (0 <= middle <= page.width and 0 <= line.middle <= page.top):
            line.role = Role.OUTSIDE
    return [*upright, *_rotated(upright, page, number)]


def _rotated(upright: Sequence[PdfLine], page: PageContent, number: int) -> Iterator[PdfLine]:
    """Yield the lines in other directions; those in the margin, and all slanted ones, are skipped.

    Stamps and watermarks are there. Amid the text are heads of columns and labels of rows.
    """
    if not any(style.angle for style in page.fonts):
        return
    shown = [line for line in upright if line.is_text]
    left = min((line.left for line in shown), default=0.0)
    right = max((line.right for line in shown), default=0.0)
    for is_end, group in groupby(_characters(page), key=lambda char: char.code == _LINE_END):
        chars = [] if is_end else [char for char in group if char.style.angle]
        if line := _pdf_line(chars, number):
            line.is_rotated, line.baseline = True, line.low
            line.words = [Word(line.left, line.right, line.text)]
            is_amid_text = left <= line.left and line.right <= right
            if not is_amid_text or chars[0].style.angle not in _UP_OR_DOWN:
                line.role = Role.ROTATED
            yield line


def _characters(page: PageContent) -> Iterator[_Character]:
    boxes, fonts = page.boxes, page.fonts
    styles = [fonts[at] for at in page.styles]
    columns = zip(
        page.codes, boxes[::4], boxes[3::4], boxes[2::4], boxes[1::4], styles, strict=True
    )
    return map(_Character._make, columns)


def _upright_lines(page: PageContent) -> Iterator[list[_Character]]:
    """Yield the characters of each line that has the direction of most of the page."""
    line: list[_Character] = []
    last: _Character | None = None  # that is not a space
    is_after_line_end = False
    for char in _characters(page):
        is_after_line_end |= char.code == _LINE_END
        if char.code == _LINE_END or char.style.angle:
            continue
        if char.code == _SPACE:
            line += [char] if line else []
            continue
        if last is not None:
            em = max(char.style.size, last.style.size, 1.0)
            is_bullet = line[0] is last and chr(last.code) in _BULLETS
            if _begins_line(
                last, char, em, is_bullet=is_bullet, is_after_line_end=is_after_line_end
            ):
                yield line
                line = []
            elif char.left - last.right > _SPACE_WIDTH * em and line[-1].code != _SPACE:
                line.append(char._replace(code=_SPACE, left=last.right, right=char.left))
        line.append(char)
        last, is_after_line_end = char, False
    yield line


def _begins_line(
    last: _Character, char: _Character, em: float, *, is_bullet: bool, is_after_line_end: bool
) -> bool:
    gap = char.left - last.right
    widest = _CODE_GAP if char.style.is_mono else _LINE_GAP
    widest = FAR if is_bullet else widest
    if gap > widest * em or char.left < last.left - em:
        return True
    if abs((char.low + char.high) - (last.low + last.high)) > _MOST_RISE * em:
        return True
    before, after = last.style, char.style
    shift = abs(after.baseline - before.baseline)
    if abs(after.size - before.size) >= _SAME_SIZE:
        if before.is_bold and gap > _CLEAR_GAP * em and before.size > after.size:
            return True  # a title in the margin and the text beside it
    elif gap > _SPACE_WIDTH * em and shift > _BASELINE_TOLERANCE * em:
        return True  # the next column, whose cell is a little higher or lower
    # PDFium ends a line before many superscripts.
    is_close = -_MOST_OVERLAP * em < gap < _SPACE_WIDTH * em
    return is_after_line_end and not (is_close and char.low < last.high and last.low < char.high)


def _pdf_line(chars: list[_Character], number: int) -> PdfLine | None:
    visible = [char for char in chars if char.code != _SPACE]
    if not visible:
        return None
    if _has_round_bullet(visible):
        bullet = visible[0]._replace(code=ord("\u25e6"), style=visible[1].style)
        chars = [bullet, *chars[chars.index(visible[0]) + 1 :]]
        visible[0] = bullet
    styles = {id(char.style) for char in visible}
    if len(styles) == 1:
        main, style = visible, visible[0].style
        parts = list(_run_parts(chars, None))
    else:
        style = _usual_style(visible)
        main = [char for char in visible if abs(char.style.size - style.size) < _SAME_SIZE]
        parts = list(_parts(chars, style.size, main[0].style.baseline))
    baseline = main[0].style.baseline
    text = "".join(map(plain_of, parts)).strip()
    if not text:
        return None
    return PdfLine(
        text,
        parts,
        min(char.left for char in visible),
        min(char.low for char in main),
        max(char.right for char in visible),
        max(char.high for char in main),
        baseline,
        round(style.size, 1),
        sum(char.style.is_bold for char in visible) > MOSTLY * len(visible),
        sum(char.style.is_mono for char in visible) > NEARLY_ALL * len(visible),
        style.font,
        number,
        len(visible),
        list(_words(chars)),
        is_labelled=len(styles) > 1 and _is_labelled(visible),
    )


def _has_round_bullet(visible: list[_Character]) -> bool:
    """Whether a line begins with a small letter o that is a bullet: apart, in another font."""
    if visible[0].code != ord("o") or not visible[1:]:
        return False
    bullet, text = visible[:2]
    is_other = (bullet.style.font, bullet.style.size) != (text.style.font, text.style.size)
    return text.left - bullet.right > (_SPACE_WIDTH if is_other else _CLEAR_GAP) * text.style.size


def _is_labelled(chars: list[_Character]) -> bool:
    """Whether a line begins with bold words that end in a colon, before text that is not bold."""
    bold_count = next((at for at, char in enumerate(chars) if not char.style.is_bold), 0)
    return bold_count > 0 and chr(chars[bold_count - 1].code) == ":"


def _usual_style(chars: list[_Character]) -> FontStyle:
    """Return a style of the font and size that most characters have."""

    def face(char: _Character) -> tuple[str, float]:
        return char.style.font, round(char.style.size, 1)

    counts = Counter(map(face, chars))
    return max(chars, key=lambda char: counts[face(char)]).style


def _parts(chars: list[_Character], size: float, baseline: float) -> Iterator[str | InlinePiece]:
    """Yield the text of a line, with super- and subscripts as pieces."""

    def kind(char: _Character) -> PieceKind | None:
        return _script_kind(char.style, size, baseline)

    for run in in_groups(
        chars, lambda run, char: char.code == _SPACE or kind(char) == kind(run[0])
    ):
        yield from _run_parts(run, kind(run[0]))


def _run_parts(run: list[_Character], kind: PieceKind | None) -> Iterator[str | InlinePiece]:
    text = tidy("".join(chr(char.code) for char in run))
    if kind is not None and text.strip():
        yield InlinePiece(text.strip(), kind)
        text = text[len(text.rstrip()) :]
    if text:
        yield text


def _script_kind(style: FontStyle, size: float, baseline: float) -> PieceKind | None:
    if style.size > _SCRIPT_SIZE * size:
        return None
    shift = style.baseline - baseline
    if shift > _RAISED * size:
        return "sup"
    return "sub" if shift < -_LOWERED * size else None


def tidy(text: str) -> str:
    """Return a text with letters for ligatures, collapsed white space and no control characters."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text
    return unicodedata.normalize("NFC", SPACES.sub(" ", text).translate(_TIDY))


def _words(chars: list[_Character]) -> Iterator[Word]:
    for is_space, group in groupby(chars, key=lambda char: char.code == _SPACE):
        if not is_space:
            word = [*group]
            text = tidy("".join(chr(char.code) for char in word))
            yield Word(word[0].left, word[-1].right, text)


# -------------------------------------------------------------------- accents


def _with_accents(page: PageContent) -> PageContent:
    """Return the page with each accent that is printed over a letter joined with that letter.

    TeX with its old fonts draws an accent, goes back, and draws the letter.
    """
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
        while 0 <= letter < len(codes) and (chr(codes[letter]) in _BETWEEN or letter in joined):
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
    return offset < _MOST_ACCENT_OFFSET * height and rise < _MOST_ACCENT_RISE * height
