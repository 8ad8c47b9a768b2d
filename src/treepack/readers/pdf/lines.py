"""Characters become lines; columns, cells and text in other directions become separate lines."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, NamedTuple

from treepack.readers.inlines import InlinePiece, PieceKind, plain_of
from treepack.readers.pdf.accents import with_accents
from treepack.readers.pdf_worker.messages import FontStyle, PageContent, usual_angle

_APART: Final = 1.6  # em between two characters of different lines
_BESIDE: Final = 0.5  # em between a title in the margin and the text beside it
_BACK: Final = 1.0  # em that a line may go back to the left
_UP: Final = 1.5  # em; half of it may be between the middles of characters of one line
_BLANK: Final = 0.22  # em between two words
_OFF: Final = 0.3  # em between baselines of words of one size in different lines
_TWICE: Final = 0.15  # em between two prints of one character, which make it bold
_SMALL: Final = 0.85  # of the size of the line, for super- and subscripts
_RAISED, _LOWERED = 0.15, 0.08  # em above and below the baseline
_SAME_SIZE: Final = 0.3  # points
_MOSTLY: Final = 0.6  # of a line's characters
_MONO: Final = 0.75
_WHOLE_PAGE: Final = 0.75  # of its height
_SPACES: Final = re.compile(r"\s+")
_LIGATURES: Final = re.compile("[\ufb00-\ufb06]")
_BLANK_CODE: Final = 32
_LINE_END: Final = 10
_NO_SIGNS: Final = re.compile(r"[\x00\x01\x03-\x08\x0b-\x1f\x7f\ufeff\ufffe\uffff]")


class Role(Enum):
    """The role of a line on its page."""

    TEXT = "text"
    HEADING = "heading"
    MORE_HEADING = "further line of a heading"
    FURNITURE = "running head or foot"
    ROTATED = "rotated text"


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
        base: Its baseline, in points from the page's bottom.
        size: The font size of most of its characters, in points.
        bold: Whether most of it is bold.
        mono: Whether most of it is monospaced.
        font: The font of most of it.
        page: Its page, from 0.
        count: The number of its characters, without spaces.
        words: Its words with their positions.
        role: Its role.
        level: The level of a heading, from 1; 0 for other lines.
        tag: The heading level that the PDF's tags give it; 0 if they give none.
        is_contents: Whether it is part of a table of contents.
        is_in_figure: Whether it is inside a figure.
        is_labelled: Whether it has a label with a colon: bold before a value, or often repeated.
    """

    text: str
    parts: list[str | InlinePiece]
    left: float
    low: float
    right: float
    high: float
    base: float
    size: float
    bold: bool
    mono: bool
    font: str
    page: int
    count: int
    words: list[Word] = field(default_factory=list[Word])
    role: Role = Role.TEXT
    level: int = 0
    tag: int = 0
    is_contents: bool = False
    is_in_figure: bool = False
    is_labelled: bool = False

    @property
    def middle(self) -> float:
        """The height of its middle on the page."""
        return (self.low + self.high) / 2

    @property
    def face(self) -> tuple[float, bool, str]:
        """Its size to the half point, whether it is bold, and its font."""
        return round(self.size * 2) / 2, self.bold, self.font

    @property
    def is_text(self) -> bool:
        """Whether it is ordinary text."""
        return self.role is Role.TEXT

    @property
    def is_left_out(self) -> bool:
        """Whether it is skipped: a running header or footer, or rotated text."""
        return self.role in {Role.FURNITURE, Role.ROTATED}


class _Sign(NamedTuple):
    code: int
    left: float
    low: float
    right: float
    high: float
    style: FontStyle


def read_lines(page: PageContent, number: int) -> list[PdfLine]:
    """Return the lines of a page in the order of its content, rotated lines last.

    Args:
        page: What is drawn on it.
        number: Its number, from 0.
    """
    page = with_accents(page)
    angle = usual_angle(page.fonts, page.styles)  # the page was turned to make it upright
    lines = [_line(signs, page, number) for signs in _upright(page, angle)]
    turned = [_line(signs, page, number) for signs in _rotated(page, angle)]
    for line in turned:
        if line is not None:
            line.role = Role.ROTATED
    found = [line for line in [*lines, *turned] if line is not None]
    _mark_figures(found, page)
    return found


def _mark_figures(lines: list[PdfLine], page: PageContent) -> None:
    """Mark the lines inside embedded drawings, except drawings that take most of the page."""
    for left, low, right, high in page.forms:
        if high - low < _WHOLE_PAGE * page.top:
            for line in lines:
                is_inside = left <= line.left and line.right <= right
                line.is_in_figure |= is_inside and low < line.middle < high


def _signs(page: PageContent) -> Iterator[_Sign]:
    boxes, fonts = page.boxes, page.fonts
    styles = [fonts[at] for at in page.styles]
    columns = zip(
        page.codes, boxes[::4], boxes[3::4], boxes[2::4], boxes[1::4], styles, strict=True
    )
    return map(_Sign._make, columns)


def _upright(page: PageContent, angle: int) -> Iterator[list[_Sign]]:
    """Yield the characters of each line that has the direction of most of the page."""
    now: list[_Sign] = []
    last: _Sign | None = None  # that is not a space
    is_broken = False
    for sign in _signs(page):
        is_broken |= sign.code == _LINE_END
        if sign.code == _LINE_END or sign.style.angle != angle:
            continue
        if sign.code == _BLANK_CODE:
            now += [sign] if now else []
            continue
        if last is not None:
            em = max(sign.style.size, last.style.size, 1.0)
            if _begins_line(last, sign, em, is_broken=is_broken):
                yield now
                now = []
            elif _is_again(last, sign, em):
                continue
            elif sign.left - last.right > _BLANK * em and now[-1].code != _BLANK_CODE:
                now.append(sign._replace(code=_BLANK_CODE, left=last.right, right=sign.left))
        now.append(sign)
        last, is_broken = sign, False
    if now:
        yield now


def _begins_line(last: _Sign, sign: _Sign, em: float, *, is_broken: bool) -> bool:
    gap = sign.left - last.right
    if gap > _APART * em or sign.left < last.left - _BACK * em:
        return True
    if abs((sign.low + sign.high) - (last.low + last.high)) > _UP * em:
        return True
    is_even = abs(sign.style.size - last.style.size) < _SAME_SIZE
    if last.style.bold and not is_even and gap > _BESIDE * em and last.style.size > sign.style.size:
        return True  # a title in the margin and the text beside it
    if is_even and gap > _BLANK * em and abs(sign.style.base - last.style.base) > _OFF * em:
        return True  # the next column, whose cell is a little higher or lower
    if not is_broken:
        return False
    # PDFium ends a line before many superscripts
    return not (-_TWICE * em < gap < _BLANK * em and sign.low < last.high and last.low < sign.high)


def _is_again(last: _Sign, sign: _Sign, em: float) -> bool:
    """Whether a character is drawn again with a small offset, which is a way to make it bold."""
    return (
        sign.code == last.code
        and sign.style is not last.style
        and abs(sign.left - last.left) < _TWICE * em
        and abs(sign.low - last.low) < _TWICE * em
    )


def _rotated(page: PageContent, angle: int) -> Iterator[list[_Sign]]:
    """Yield the characters of lines in other directions: stamps, labels of axes and columns."""
    if all(style.angle == angle for style in page.fonts):
        return
    now: list[_Sign] = []
    for sign in _signs(page):
        if sign.code == _LINE_END:
            if any(each.code != _BLANK_CODE for each in now):
                yield now
            now = []
        elif sign.style.angle != angle:
            now.append(sign)
    if any(each.code != _BLANK_CODE for each in now):
        yield now


def _line(signs: list[_Sign], page: PageContent, number: int) -> PdfLine | None:
    solid = [sign for sign in signs if sign.code != _BLANK_CODE]
    styles = Counter(map(id, (sign.style for sign in solid)))
    if len(styles) == 1:
        main, style = solid, solid[0].style
        parts = list(_part([chr(sign.code) for sign in signs], None))
    else:
        style = _usual_style(solid)
        main = [sign for sign in solid if abs(sign.style.size - style.size) < _SAME_SIZE]
        parts = list(_parts(signs, style.size, main[0].style.base))
    base = main[0].style.base
    text = "".join(map(plain_of, parts)).strip()
    if not text:
        return None
    levels = Counter(page.tags.get(sign.style.tag, 0) for sign in solid) if page.tags else {0: 1}
    return PdfLine(
        text,
        parts,
        min(sign.left for sign in solid),
        min(sign.low for sign in main),
        max(sign.right for sign in solid),
        max(sign.high for sign in main),
        base,
        round(style.size, 1),
        sum(sign.style.bold for sign in solid) > _MOSTLY * len(solid),
        sum(sign.style.mono for sign in solid) > _MONO * len(solid),
        style.font,
        number,
        len(solid),
        list(_words(signs)),
        tag=max(levels, key=lambda level: levels[level]),
        is_labelled=len(styles) > 1 and _is_labelled(solid),
    )


def _is_labelled(signs: list[_Sign]) -> bool:
    """Whether a line begins with bold words that end in a colon, before text that is not bold."""
    bold = next((at for at, sign in enumerate(signs) if not sign.style.bold), 0)
    return bold > 0 and chr(signs[bold - 1].code) == ":"


def _usual_style(signs: list[_Sign]) -> FontStyle:
    """Return a style of the font and size that most characters have."""
    weight = Counter((sign.style.font, round(sign.style.size, 1)) for sign in signs)
    usual = max(weight, key=lambda face: weight[face])
    return next(
        sign.style for sign in signs if (sign.style.font, round(sign.style.size, 1)) == usual
    )


def _parts(signs: list[_Sign], size: float, base: float) -> Iterator[str | InlinePiece]:
    """Yield the text of a line, with super- and subscripts as pieces."""
    held: list[str] = []
    kind: PieceKind | None = None
    for sign in signs:
        now = kind if sign.code == _BLANK_CODE else _script(sign.style, size, base)
        if now != kind:
            yield from _part(held, kind)
            held, kind = [], now
        held.append(chr(sign.code))
    yield from _part(held, kind)


def _part(held: list[str], kind: PieceKind | None) -> Iterator[str | InlinePiece]:
    text = tidy("".join(held))
    if not text:
        return
    if kind is None or not text.strip():
        yield text
        return
    blanks = text[len(text.rstrip()) :]
    yield InlinePiece(text.strip(), kind)
    if blanks:
        yield blanks


def _script(style: FontStyle, size: float, base: float) -> PieceKind | None:
    if style.size > _SMALL * size:
        return None
    shift = style.base - base
    if shift > _RAISED * size:
        return "sup"
    return "sub" if shift < -_LOWERED * size else None


def tidy(text: str) -> str:
    """Return a text with letters for ligatures, collapsed white space and no control characters."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text
    text = _SPACES.sub(" ", text)
    text = _LIGATURES.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)
    return unicodedata.normalize("NFC", _NO_SIGNS.sub("", text))


def _words(signs: list[_Sign]) -> Iterator[Word]:
    held: list[_Sign] = []
    for sign in signs:
        if sign.code != _BLANK_CODE:
            held.append(sign)
        elif held:
            yield _word(held)
            held = []
    if held:
        yield _word(held)


def _word(signs: list[_Sign]) -> Word:
    text = tidy("".join(chr(sign.code) for sign in signs))
    return Word(signs[0].left, signs[-1].right, text)
