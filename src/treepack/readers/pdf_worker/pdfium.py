"""The only module that calls PDFium. It runs in the worker process, never in the caller's.

PDFium is not thread-safe, and some files make it hang or crash.
"""

import ctypes
import math
import re
from array import array
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

import pypdfium2  # pyright: ignore[reportMissingTypeStubs]
import pypdfium2.raw  # pyright: ignore[reportMissingTypeStubs]

from treepack.readers.pdf_worker.messages import Bookmark, FontStyle, PageContent, usual_angle

pdfium: Any = pypdfium2  # only partly typed
raw: Any = pypdfium2.raw

_MONO: Final = re.compile(
    r"mono|courier|consol|cmtt|sftt|typewriter|menlo|txtt|lmtt|ectt|fixed|tt\d+$|pcr[rb]",
    re.IGNORECASE,
)
_BOLD: Final = re.compile(
    r"bold|black|heavy|semib|demi|cmbx|cmssbx|sfbx|-bd|medi$|medium|,b|nimbus\w*-?med",
    re.IGNORECASE,
)
_SUBSET: Final = re.compile(r"^[A-Z]{6}\+")
_SPACES: Final = re.compile(r"\s+")
_HEADING_TAG: Final = re.compile(r"H([1-6])\Z")
_Box = tuple[float, float, float, float]
_FIXED_PITCH, _FORCE_BOLD = 1, 1 << 18
_DEEPEST_OUTLINE: Final = 15
_MOST_BOOKMARKS: Final = 50_000
_DEEPEST_FORM, _DEEPEST_TAG, _MOST_FORMS = 8, 64, 200
_THIN, _THICK = 2.5, 6.0  # points; thickness of a rule, and of a long rule
_BOX: Final = 5  # segments of a closed box
_LONG: Final = 10.0  # a long rule is so many times as long as thick
_STRAIGHT: Final = 0.2  # slope below which text counts as straight
_FIRST_HALF, _SECOND_HALF, _NO_HALF = 0xD800, 0xDC00, 0xE000  # surrogates, and the code after
CHARACTERS, OBJECTS, PAGES = "characters", "objects", "pages"
"""Names of limits."""
_RETURN: Final = 13  # before the 10 that ends a line
_TOP_EDGE: Final = {
    raw.PDFDEST_VIEW_XYZ: 1,
    raw.PDFDEST_VIEW_FITH: 0,
    raw.PDFDEST_VIEW_FITR: 3,
    raw.PDFDEST_VIEW_FITBH: 0,
}
"""Which number of a view is its top edge (PDF 32000-1, table 151); other views have none."""
_LAST_CODE, _REPLACEMENT = 0x10FFFF, 0xFFFD
_NO_CODES: Final = frozenset({0, 0xFFFE, 0xFFFF})


def _plain(function: Any, result: Any, *arguments: Any) -> Any:
    """Return a C function with addresses as plain numbers, which takes a third of the time."""
    address = ctypes.cast(function, ctypes.c_void_p).value or 0
    return ctypes.CFUNCTYPE(result, *arguments)(address)


_code_of: Final = _plain(raw.FPDFText_GetUnicode, ctypes.c_uint, ctypes.c_void_p, ctypes.c_int)
_object_of: Final = _plain(
    raw.FPDFText_GetTextObject, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int
)
_box_of: Final = _plain(
    raw.FPDFText_GetLooseCharBox, ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p
)


class LimitError(Exception):
    """A limit is exceeded; the argument is the limit's name."""


def open_document(data: bytes, password: str | None) -> Any:
    """Open a PDF.

    Raises:
        ValueError: It cannot be opened; the argument is the reason: password, security or format.
    """
    try:
        return pdfium.PdfDocument(data, password=password)
    except pdfium.PdfiumError as error:
        said = str(error).casefold()
        why = "password" if "password" in said else "security" if "security" in said else "format"
        raise ValueError(why) from error


def read_bookmarks(document: Any) -> list[Bookmark]:
    """Return the entries of the outline, in order."""
    found: list[Bookmark] = []
    for mark in document.get_toc(max_depth=_DEEPEST_OUTLINE):
        title = _SPACES.sub(" ", mark.get_title()).strip()
        goal = mark.get_dest()
        if title:
            page, height = (goal.get_index(), _height(goal)) if goal else (None, None)
            found.append(Bookmark(mark.level + 1, title, page, height))
        if len(found) >= _MOST_BOOKMARKS:
            break
    return found


def _height(goal: Any) -> float | None:
    """Return the height on the page to which a bookmark leads, or None if it has none."""
    mode, numbers = goal.get_view()
    at = _TOP_EDGE.get(mode, len(numbers))
    return numbers[at] or None if at < len(numbers) else None


class PageReader:
    """Reads one page after the other.

    Args:
        document: The open PDF.
        characters: The most characters that a page may have.
        objects: The most objects that a page may have.
    """

    def __init__(self, document: Any, characters: int, objects: int) -> None:
        self._document = document
        self._characters = characters
        self._objects = objects

    def read(self, number: int) -> PageContent:
        """Read a page; its number counts from 0.

        Raises:
            LimitError: The page has more characters or objects than it may have.
        """
        page = self._document[number]
        try:
            if raw.FPDFPage_CountObjects(page.raw) > self._objects:
                raise LimitError(OBJECTS)
            text = page.get_textpage()
            try:
                glyphs = _Glyphs(text.raw, self._characters)
                glyphs.read()
            finally:
                text.close()
            rules, drawings = array("f"), _Drawings(page.raw, self._objects)
            for box in drawings.rules():
                rules.extend(_turned(box, glyphs.angle))
            return PageContent(
                glyphs.codes,
                glyphs.boxes,
                glyphs.styles,
                glyphs.fonts,
                rules,
                _heading_tags(page.raw),
                _turned(page.get_bbox(), glyphs.angle)[3],
                drawings.has_image,
                drawings.curved,
                [_turned(form, glyphs.angle) for form in drawings.forms],
            )
        finally:
            page.close()


def _turned(box: _Box, angle: int) -> _Box:
    """Return a box after the page is turned so that it reads upright."""
    left, bottom, right, top = box
    match angle:
        case 90:
            return bottom, -right, top, -left
        case 180:
            return -right, -top, -left, -bottom
        case 270:
            return -top, left, -bottom, right
        case _:
            return box


class _Glyphs:
    """The characters of a page; styles are read only once for each text object."""

    def __init__(self, text: Any, most: int) -> None:
        self._text = text
        self._most = most
        self.codes = array("I")
        self.boxes = array("f")
        self.styles = array("I")
        self.fonts: list[FontStyle] = []
        self.angle = 0
        self._known: dict[int, int] = {}
        self._faces: dict[int, tuple[str, bool, bool]] = {}

    def read(self) -> None:
        """Read all characters, and turn the page upright.

        Raises:
            LimitError: There are more characters than the page may have.
        """
        count = raw.FPDFText_CountChars(self._text)
        if count > self._most:
            raise LimitError(CHARACTERS)
        self._read(count)
        self.angle = usual_angle(self.fonts, self.styles)
        if self.angle:
            self._turn()

    def _read(self, count: int) -> None:
        handle = ctypes.cast(self._text, ctypes.c_void_p).value
        boxes = (ctypes.c_float * (4 * count))()
        box, room = ctypes.addressof(boxes), 4 * ctypes.sizeof(ctypes.c_float)
        style, last, high = -1, None, 0
        for at in range(count):
            code = _code_of(handle, at)
            if code == _RETURN:
                continue
            if _FIRST_HALF <= code < _NO_HALF:
                if code < _SECOND_HALF:
                    high = code
                    continue
                code = 0x10000 + ((high - _FIRST_HALF) << 10) + code - _SECOND_HALF if high else 0
            high = 0
            if code in _NO_CODES:
                continue
            drawn = _object_of(handle, at)
            if drawn is not None and drawn != last:
                style, last = self._style(at, drawn), drawn
            if style < 0 or not _box_of(handle, at, box):
                continue
            # If PDFium knows no character, it returns the font's own code.
            self.codes.append(code if code <= _LAST_CODE else _REPLACEMENT)
            self.styles.append(style)
            box += room
        self.boxes.frombytes(bytes(boxes)[: len(self.codes) * room])

    def _style(self, at: int, address: int) -> int:
        if address in self._known:
            return self._known[address]
        drawn = ctypes.cast(address, raw.FPDF_PAGEOBJECT)
        matrix, x, y = raw.FS_MATRIX(), ctypes.c_double(), ctypes.c_double()
        raw.FPDFText_GetMatrix(self._text, at, matrix)
        raw.FPDFText_GetCharOrigin(self._text, at, x, y)
        size = raw.FPDFText_GetFontSize(self._text, at) * math.hypot(matrix.c, matrix.d)
        angle = _angle(matrix.a, matrix.b)
        _, base, _, _ = _turned((x.value, y.value, x.value, y.value), angle)
        tag = raw.FPDFPageObj_GetMarkedContentID(drawn)
        name, bold, mono = self._face(at, drawn)
        self.fonts.append(FontStyle(name, size, bold, mono, angle, base, tag))
        self._known[address] = len(self.fonts) - 1
        return len(self.fonts) - 1

    def _face(self, at: int, drawn: Any) -> tuple[str, bool, bool]:
        """Return the name of a font, and whether it is bold and monospaced."""
        font = raw.FPDFTextObj_GetFont(drawn)
        address = ctypes.cast(font, ctypes.c_void_p).value or 0
        if address not in self._faces:
            buffer, flags = ctypes.create_string_buffer(256), ctypes.c_int()
            raw.FPDFText_GetFontInfo(self._text, at, buffer, 256, flags)
            name = _SUBSET.sub("", buffer.value.decode("utf-8", "replace"))
            bold = bool(_BOLD.search(name)) or bool(flags.value & _FORCE_BOLD)
            mono = bool(_MONO.search(name)) or bool(flags.value & _FIXED_PITCH)
            self._faces[address] = name, bold, mono
        return self._faces[address]

    def _turn(self) -> None:
        boxes = self.boxes
        for at in range(0, len(boxes), 4):
            left, top, right, bottom = boxes[at : at + 4]
            left, bottom, right, top = _turned((left, bottom, right, top), self.angle)
            boxes[at : at + 4] = array("f", (left, top, right, bottom))


def _angle(across: float, up: float) -> int:
    """Return the direction of a text: 0, 90, 180 or 270 degrees; -1 for any other direction."""
    if not (across or up):
        return 0
    if min(abs(across), abs(up)) >= _STRAIGHT * max(abs(across), abs(up)):
        return -1
    return round(math.degrees(math.atan2(up, across)) / 90) * 90 % 360


_Matrix = tuple[float, float, float, float, float, float]
_WHERE_DRAWN: Final[_Matrix] = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


class _Drawings:
    """The straight lines and the drawn boxes of a page, including those inside forms."""

    def __init__(self, page: Any, most: int) -> None:
        self._page = page
        self._left = most
        self.has_image = False
        self.curved = 0
        self.forms: list[_Box] = []

    def rules(self) -> Iterator[_Box]:
        """Yield left, bottom, right and top of each line and of each side of a box.

        Raises:
            LimitError: There are more objects than the page may have.
        """
        get = partial(raw.FPDFPage_GetObject, self._page)
        yield from self._inside(raw.FPDFPage_CountObjects(self._page), get, _WHERE_DRAWN, 0)

    def _inside(
        self, count: int, get: Callable[[int], Any], where: _Matrix, depth: int
    ) -> Iterator[_Box]:
        self._left -= count
        if self._left < 0:
            raise LimitError(OBJECTS)
        for at in range(count):
            drawn = get(at)
            kind = raw.FPDFPageObj_GetType(drawn)
            if kind == raw.FPDF_PAGEOBJ_PATH:
                segments = raw.FPDFPath_CountSegments(drawn)
                self.curved += segments if segments > _BOX else 0
                yield from _sides(drawn, where)
            elif kind == raw.FPDF_PAGEOBJ_IMAGE:
                self.has_image = True
            elif kind == raw.FPDF_PAGEOBJ_FORM and depth < _DEEPEST_FORM:
                if not depth and len(self.forms) < _MOST_FORMS and (box := _bounds(drawn, where)):
                    self.forms.append(box)
                yield from self._inside(
                    raw.FPDFFormObj_CountObjects(drawn),
                    partial(raw.FPDFFormObj_GetObject, drawn),
                    _within(where, drawn),
                    depth + 1,
                )


def _within(where: _Matrix, form: Any) -> _Matrix:
    """Return the matrix with which the objects of a form are drawn."""
    own = raw.FS_MATRIX()
    raw.FPDFPageObj_GetMatrix(form, own)
    a, b, c, d, e, f = where
    return (
        own.a * a + own.b * c,
        own.a * b + own.b * d,
        own.c * a + own.d * c,
        own.c * b + own.d * d,
        own.e * a + own.f * c + e,
        own.e * b + own.f * d + f,
    )


def _bounds(drawn: Any, where: _Matrix) -> _Box | None:
    """Return left, bottom, right and top of an object on its page; None if PDFium has none."""
    edges = [ctypes.c_float() for _ in range(4)]
    if not raw.FPDFPageObj_GetBounds(drawn, *edges):
        return None
    x0, y0, x1, y1 = (edge.value for edge in edges)
    a, b, c, d, e, f = where
    corners = [(a * x + c * y + e, b * x + d * y + f) for x in (x0, x1) for y in (y0, y1)]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return min(xs), min(ys), max(xs), max(ys)


def _sides(path: Any, where: _Matrix) -> Iterator[_Box]:
    """Yield a path that is a rule, or the sides of an outlined box; a filled box is shading."""
    if (box := _bounds(path, where)) is None:
        return
    left, low, right, high = box
    thin, long = sorted((right - left, high - low))
    if thin <= _THIN or (thin <= _THICK and long >= _LONG * thin):
        x, y = (left + right) / 2, (low + high) / 2
        yield (left, y, right, y) if right - left > thin else (x, low, x, high)
        return
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    raw.FPDFPath_GetDrawMode(path, fill, stroke)
    if stroke.value and raw.FPDFPath_CountSegments(path) in {4, 5}:
        yield left, low, right, low
        yield left, high, right, high
        yield left, low, left, high
        yield right, low, right, high


def _heading_tags(page: Any) -> dict[int, int]:
    """Return the levels of headings in the page's tree of tags, by the IDs of marked content."""
    tree = raw.FPDF_StructTree_GetForPage(page)
    if not tree:
        return {}
    found: dict[int, int] = {}
    try:
        for at in range(raw.FPDF_StructTree_CountChildren(tree)):
            _visit_tag(raw.FPDF_StructTree_GetChildAtIndex(tree, at), 0, 0, found)
    finally:
        raw.FPDF_StructTree_Close(tree)
    return found


def _visit_tag(element: Any, level: int, depth: int, found: dict[int, int]) -> None:
    if not element or depth > _DEEPEST_TAG:
        return
    buffer = ctypes.create_string_buffer(64)
    length = raw.FPDF_StructElement_GetType(element, buffer, 64)
    name = buffer.raw[: max(0, length - 2)].decode("utf-16-le", "replace")
    if match := _HEADING_TAG.match(name):
        level = int(match[1])
    if level:
        for at in range(raw.FPDF_StructElement_GetMarkedContentIdCount(element)):
            found[raw.FPDF_StructElement_GetMarkedContentIdAtIndex(element, at)] = level
    for at in range(raw.FPDF_StructElement_CountChildren(element)):
        _visit_tag(raw.FPDF_StructElement_GetChildAtIndex(element, at), level, depth + 1, found)
