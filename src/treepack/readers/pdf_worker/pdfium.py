"""The only module that calls PDFium. It runs in the worker process, never in the caller's.

PDFium is not thread-safe, and some files make it hang or crash.
"""

import ctypes
import math
import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from typing import Any, Final

import pypdfium2  # pyright: ignore[reportMissingTypeStubs]
import pypdfium2.raw  # pyright: ignore[reportMissingTypeStubs]

from treepack.readers.pdf_worker.messages import Bookmark, FontStyle, PageContent

pdfium: Any = pypdfium2  # only partly typed
raw: Any = pypdfium2.raw

_MONOSPACED_FONT: Final = re.compile(
    r"mono|courier|consol|cmtt|sftt|typewriter|menlo|txtt|lmtt|ectt|fixed|tt\d+$|pcr[rb]",
    re.IGNORECASE,
)
_BOLD_FONT: Final = re.compile(
    r"bold|black|heavy|semib|demi|cmbx|cmssbx|sfbx|-bd|medi$|medium|,b|nimbus\w*-?med",
    re.IGNORECASE,
)
_Box = tuple[float, float, float, float]
_FIXED_PITCH, _FORCE_BOLD = 1, 1 << 18
_DEEPEST_OUTLINE: Final = 15
_MOST_BOOKMARKS: Final = 50_000
_DEEPEST_FORM, _MOST_FORMS = 8, 200
_THICKNESS, _LONG_THICKNESS = 2.5, 6.0  # points; thickness of a rule, and of a long rule
_BOX_SEGMENTS: Final = 5  # segments of a closed box
_LONG_RULE_RATIO: Final = 10.0  # a long rule is so many times as long as thick
_MOST_SLOPE: Final = 0.2  # slope below which text counts as straight
_HIGH_SURROGATE, _LOW_SURROGATE, _AFTER_SURROGATES = 0xD800, 0xDC00, 0xE000  # first codes
CHARACTERS, OBJECTS, PAGES = "characters", "objects", "pages"
"""Names of limits."""
_CARRIAGE_RETURN, _LINE_END = 13, 10
_TOP_EDGE_INDEX: Final = {
    raw.PDFDEST_VIEW_XYZ: 1,
    raw.PDFDEST_VIEW_FITH: 0,
    raw.PDFDEST_VIEW_FITR: 3,
    raw.PDFDEST_VIEW_FITBH: 0,
}
"""Which number of a view is its top edge (PDF 32000-1, table 151); other views have none."""
_LAST_CODE, _REPLACEMENT = 0x10FFFF, 0xFFFD
_NO_CODES: Final = frozenset({0, 0xFFFE, 0xFFFF})


def _plain_function(function: Any, result: Any, *arguments: Any) -> Any:
    """Return a C function with addresses as plain numbers, which takes a third of the time."""
    address = ctypes.cast(function, ctypes.c_void_p).value or 0
    return ctypes.CFUNCTYPE(result, *arguments)(address)


_code_of: Final = _plain_function(
    raw.FPDFText_GetUnicode, ctypes.c_uint, ctypes.c_void_p, ctypes.c_int
)
_object_of: Final = _plain_function(
    raw.FPDFText_GetTextObject, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int
)
_box_of: Final = _plain_function(
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
        message = str(error).casefold()
        reasons = (reason for reason in ("password", "security") if reason in message)
        raise ValueError(next(reasons, "format")) from error


def read_bookmarks(document: Any) -> list[Bookmark]:
    """Return the entries of the outline, in order."""
    bookmarks: list[Bookmark] = []
    for entry in document.get_toc(max_depth=_DEEPEST_OUTLINE):
        title = " ".join(entry.get_title().split())
        destination = entry.get_dest()
        if title:
            target = (
                (destination.get_index(), _height(destination)) if destination else (None, None)
            )
            bookmarks.append(Bookmark(entry.level + 1, title, *target))
        if len(bookmarks) >= _MOST_BOOKMARKS:
            break
    return bookmarks


def _height(destination: Any) -> float | None:
    """Return the height on the page to which a bookmark leads, or None if it has none."""
    mode, numbers = destination.get_view()
    at = _TOP_EDGE_INDEX.get(mode, len(numbers))
    return numbers[at] or None if at < len(numbers) else None


def read_page(page: Any, characters: int, objects: int) -> PageContent:
    """Read and close a page.

    Raises:
        LimitError: The page has more characters or objects than it may have.
    """
    try:
        drawings = _Drawings(page.raw, objects)
        rules = [*drawings.rules()]
        text = page.get_textpage()
        try:
            glyphs = _Glyphs(text.raw, page.get_bbox(), characters)
            glyphs.read()
        finally:
            text.close()
        _, _, width, top = glyphs.placed(page.get_bbox())
        return PageContent(
            glyphs.codes,
            glyphs.boxes,
            glyphs.styles,
            glyphs.fonts,
            array("f", chain.from_iterable(map(glyphs.placed, rules))),
            page.get_bbox()[1],
            width,
            top,
            drawings.has_image,
            drawings.texts,
            drawings.curve_segments,
            [*map(glyphs.placed, drawings.forms)],
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
    """The characters of a page; styles are read only once for each text object.

    Attributes:
        angle: The direction of most text; the page is turned so that this text is upright.
    """

    def __init__(self, text: Any, box: _Box, most: int) -> None:
        self._text = text
        self._box = box
        self._most = most
        self.codes = array("I")
        self.boxes = array("f")
        self.styles = array("I")
        self.fonts: list[FontStyle] = []
        self.angle = 0
        self._style_indices: dict[int, int] = {}
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
        angles = Counter(self.fonts[at].angle for at in self.styles)
        del angles[-1]
        self.angle = max(angles, key=lambda angle: angles[angle], default=0)
        if self.angle or self._box[:2] != (0, 0):
            self._place()

    def placed(self, box: _Box) -> _Box:
        """Return a box of the page as it is on the upright page."""
        left, low, right, high = _turned(box, self.angle)
        x, y, _, _ = _turned(self._box, self.angle)
        return left - x, low - y, right - x, high - y

    def _place(self) -> None:
        for at in range(0, len(self.boxes), 4):
            left, high, right, low = self.boxes[at : at + 4]  # as PDFium orders them
            left, low, right, high = self.placed((left, low, right, high))
            self.boxes[at : at + 4] = array("f", (left, high, right, low))
        _, y, _, _ = _turned(self._box, self.angle)
        for at, (_, _, _, _, angle, baseline) in enumerate(self.fonts):
            upright = angle if angle < 0 else (angle - self.angle) % 360
            self.fonts[at] = self.fonts[at]._replace(baseline=baseline - y, angle=upright)

    def _read(self, count: int) -> None:
        handle = ctypes.cast(self._text, ctypes.c_void_p).value
        boxes = (ctypes.c_float * (4 * count))()
        box, box_size = ctypes.addressof(boxes), 4 * ctypes.sizeof(ctypes.c_float)
        style, last_object, high = -1, None, 0
        for at in range(count):
            code = _code_of(handle, at)
            if code == _CARRIAGE_RETURN:
                continue
            if _HIGH_SURROGATE <= code < _AFTER_SURROGATES:
                if code < _LOW_SURROGATE:
                    high = code
                    continue
                code = (
                    0x10000 + ((high - _HIGH_SURROGATE) << 10) + code - _LOW_SURROGATE
                    if high
                    else 0
                )
            high = 0
            if code in _NO_CODES:
                continue
            text_object = _object_of(handle, at)
            if text_object is not None and text_object != last_object:
                style, last_object = self._style(at, text_object), text_object
            if style < 0 or not _box_of(handle, at, box):
                continue
            # If PDFium knows no character, it returns the font's own code.
            self.codes.append(code if code <= _LAST_CODE else _REPLACEMENT)
            self.styles.append(style)
            box += box_size
        self.boxes.frombytes(bytes(boxes)[: len(self.codes) * box_size])

    def _style(self, at: int, address: int) -> int:
        if address in self._style_indices:
            return self._style_indices[address]
        text_object = ctypes.cast(address, raw.FPDF_PAGEOBJECT)
        matrix, x, y = raw.FS_MATRIX(), ctypes.c_double(), ctypes.c_double()
        raw.FPDFText_GetMatrix(self._text, at, matrix)
        raw.FPDFText_GetCharOrigin(self._text, at, x, y)
        size = raw.FPDFText_GetFontSize(self._text, at) * math.hypot(matrix.c, matrix.d)
        angle = _angle(matrix.a, matrix.b)
        _, baseline, _, _ = _turned((x.value, y.value, x.value, y.value), angle)
        name, is_bold, is_mono = self._face(at, text_object)
        self.fonts.append(FontStyle(name, size, is_bold, is_mono, angle, baseline))
        self._style_indices[address] = len(self.fonts) - 1
        return len(self.fonts) - 1

    def _face(self, at: int, text_object: Any) -> tuple[str, bool, bool]:
        """Return the name of a font, and whether it is bold and monospaced."""
        font = raw.FPDFTextObj_GetFont(text_object)
        address = ctypes.cast(font, ctypes.c_void_p).value or 0
        if address not in self._faces:
            buffer, flags = ctypes.create_string_buffer(256), ctypes.c_int()
            raw.FPDFText_GetFontInfo(self._text, at, buffer, 256, flags)
            name = buffer.value.decode("utf-8", "replace")
            name = name[7:] if name[6:7] == "+" else name  # six letters mark a part of a font
            is_bold = bool(_BOLD_FONT.search(name)) or bool(flags.value & _FORCE_BOLD)
            is_mono = bool(_MONOSPACED_FONT.search(name)) or bool(flags.value & _FIXED_PITCH)
            self._faces[address] = name, is_bold, is_mono
        return self._faces[address]


def _angle(across: float, up: float) -> int:
    """Return the direction of a text: 0, 90, 180 or 270 degrees; -1 for any other direction."""
    if not (across or up):
        return 0
    if min(abs(across), abs(up)) >= _MOST_SLOPE * max(abs(across), abs(up)):
        return -1
    return round(math.degrees(math.atan2(up, across)) / 90) * 90 % 360


_Matrix = tuple[float, float, float, float, float, float]
_IDENTITY: Final[_Matrix] = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


class _Drawings:
    """The straight lines and the drawn boxes of a page, including those inside forms."""

    def __init__(self, page: Any, most: int) -> None:
        self._page = page
        self._objects_left = most
        self.has_image = False
        self.texts = 0
        self.curve_segments = 0
        self.forms: list[_Box] = []

    def rules(self) -> Iterator[_Box]:
        """Yield left, bottom, right and top of each line and of each side of a box.

        Raises:
            LimitError: There are more objects than the page may have.
        """
        get = partial(raw.FPDFPage_GetObject, self._page)
        yield from self._rules_of_objects(raw.FPDFPage_CountObjects(self._page), get, _IDENTITY, 0)

    def _rules_of_objects(
        self, count: int, get: Callable[[int], Any], matrix: _Matrix, depth: int
    ) -> Iterator[_Box]:
        self._objects_left -= count
        if self._objects_left < 0:
            raise LimitError(OBJECTS)
        for at in range(count):
            page_object = get(at)
            kind = raw.FPDFPageObj_GetType(page_object)
            if kind == raw.FPDF_PAGEOBJ_PATH:
                segments = raw.FPDFPath_CountSegments(page_object)
                self.curve_segments += segments if segments > _BOX_SEGMENTS else 0
                yield from _sides(page_object, matrix)
            elif kind == raw.FPDF_PAGEOBJ_TEXT:
                self.texts += 1
            elif kind == raw.FPDF_PAGEOBJ_IMAGE:
                self.has_image = True
            elif kind == raw.FPDF_PAGEOBJ_FORM and depth < _DEEPEST_FORM:
                has_room = not depth and len(self.forms) < _MOST_FORMS
                if has_room and (box := _bounds(page_object, matrix)):
                    self.forms.append(box)
                yield from self._rules_of_objects(
                    raw.FPDFFormObj_CountObjects(page_object),
                    partial(raw.FPDFFormObj_GetObject, page_object),
                    _form_matrix(matrix, page_object),
                    depth + 1,
                )


def _form_matrix(outer: _Matrix, form: Any) -> _Matrix:
    """Return the matrix with which the objects of a form are drawn."""
    inner = raw.FS_MATRIX()
    raw.FPDFPageObj_GetMatrix(form, inner)
    a, b, c, d, e, f = outer
    return (
        inner.a * a + inner.b * c,
        inner.a * b + inner.b * d,
        inner.c * a + inner.d * c,
        inner.c * b + inner.d * d,
        inner.e * a + inner.f * c + e,
        inner.e * b + inner.f * d + f,
    )


def _bounds(page_object: Any, matrix: _Matrix) -> _Box | None:
    """Return left, bottom, right and top of an object on its page; None if PDFium has none."""
    edges = [ctypes.c_float() for _ in range(4)]
    if not raw.FPDFPageObj_GetBounds(page_object, *edges):
        return None
    x0, y0, x1, y1 = (edge.value for edge in edges)
    a, b, c, d, e, f = matrix
    corners = [(a * x + c * y + e, b * x + d * y + f) for x in (x0, x1) for y in (y0, y1)]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return min(xs), min(ys), max(xs), max(ys)


def _sides(path: Any, matrix: _Matrix) -> Iterator[_Box]:
    """Yield a path that is a rule, or the sides of an outlined box; a filled box is shading."""
    if (box := _bounds(path, matrix)) is None:
        return
    left, low, right, high = box
    thin, long = sorted((right - left, high - low))
    if thin <= _THICKNESS or (thin <= _LONG_THICKNESS and long >= _LONG_RULE_RATIO * thin):
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
