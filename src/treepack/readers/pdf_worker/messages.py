"""The messages to and from the worker: a line of JSON and arrays of bytes, and the pages in them.

Pickle is not used: what a damaged or hostile file makes PDFium write must not run in the caller.
"""

import json
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any, BinaryIO, Final, NamedTuple, TypeAlias, cast

Header: TypeAlias = dict[str, Any]
_LARGEST_HEADER: Final = 1 << 28  # bytes
_ARRAYS: Final = {"codes": "I", "boxes": "f", "styles": "I", "rules": "f"}  # of a page


class Message(NamedTuple):
    """A header, and the arrays that belong to it."""

    header: Header
    arrays: list[bytes]


def send(stream: BinaryIO, header: Header, arrays: Sequence[bytes] = ()) -> None:
    """Write a message."""
    text = json.dumps({**header, "arrays": list(map(len, arrays))}).encode()
    stream.writelines([text, b"\n", *arrays])
    stream.flush()


def receive(stream: BinaryIO) -> Message | None:
    """Return the next message, or None if the stream has ended or the header is too long."""
    text = stream.readline(_LARGEST_HEADER)
    if not text.endswith(b"\n"):
        return None
    header = cast("Header", json.loads(text))
    sizes = header.pop("arrays")
    arrays = list(map(stream.read, sizes))
    return Message(header, arrays) if list(map(len, arrays)) == sizes else None


# -------------------------------------------------------------------- what pages hold


class Bookmark(NamedTuple):
    """An entry of the outline.

    Attributes:
        level: Its level, from 1.
        title: Its title on one line.
        page: The page that it leads to, from 0; None if it leads to no page.
        y: The height on that page, in points from the page's bottom; None if it has no height.
    """

    level: int
    title: str
    page: int | None
    y: float | None


class FontStyle(NamedTuple):
    """How the characters of one text object are formatted.

    Attributes:
        font: The font's name without the prefix of a subset.
        size: The font size in points.
        is_bold: Whether the font is bold.
        is_mono: Whether the font is monospaced.
        angle: The direction in degrees: 0 as most text, 90, 180 or 270; -1 for any other direction.
        baseline: The baseline in points from the page's bottom, after the page is turned upright.
    """

    font: str
    size: float
    is_bold: bool
    is_mono: bool
    angle: int
    baseline: float


@dataclass(frozen=True, slots=True)
class PageContent:
    """A page, upright; positions in points from the left and the lower edge of its visible part.

    Attributes:
        codes: The code point of each character in the order of the content; 10 for a line end.
        boxes: Left, top, right and bottom of each character, in PDFium's order.
        styles: The index in ``fonts`` of each character's style.
        fonts: The styles of the page.
        rules: Left, bottom, right and top of each line or box side that is drawn, flat.
        low: The lower edge of the visible part, in the coordinates of bookmarks.
        width: The width of the visible part.
        top: Its height.
        has_image: Whether an image is drawn on it.
        texts: How many texts are drawn on it.
        curve_segments: How many segments its shapes have, without lines and boxes.
        forms: Left, bottom, right and top of each drawing that was embedded as a whole: figures,
            or all that the page shows.
    """

    codes: "array[int]"
    boxes: "array[float]"
    styles: "array[int]"
    fonts: list[FontStyle]
    rules: "array[float]"
    low: float
    width: float
    top: float
    has_image: bool
    texts: int
    curve_segments: int
    forms: list[tuple[float, float, float, float]] = field(
        default_factory=list[tuple[float, float, float, float]]
    )


@dataclass(frozen=True, slots=True)
class PdfInfo:
    """What is known of a PDF before its pages are read."""

    pages: int
    bookmarks: list[Bookmark] = field(default_factory=list[Bookmark])
    labels: list[str] = field(default_factory=list[str])
    metadata: dict[str, str] = field(default_factory=dict[str, str])


def info_of(header: Header) -> PdfInfo:
    """Return the document that a message describes."""
    marks = [Bookmark(*mark) for mark in header["bookmarks"]]
    return PdfInfo(header["pages"], marks, header["labels"], header["metadata"])


def message_of(content: PageContent) -> Message:
    """Return a page as a message."""
    header = {field.name: getattr(content, field.name) for field in fields(content)}
    return Message(header, [header.pop(name).tobytes() for name in _ARRAYS])


def page_content(message: Message) -> PageContent:
    """Return the page that a message holds."""
    values, data = message
    for (name, code), array_bytes in zip(_ARRAYS.items(), data, strict=True):
        values[name] = array(code, array_bytes)
    values["fonts"] = [FontStyle(*style) for style in values["fonts"]]
    values["forms"] = [tuple(form) for form in values["forms"]]
    return PageContent(**values)
