"""How HTML text is formatted: sizes, alignment, classes of headings, bold, italic, links.

Style sheets are not read, only the names and attributes of the elements themselves.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import groupby
from typing import Final, NamedTuple

from treepack.model.typography import Typography
from treepack.readers.html.tree import HtmlElement, Text
from treepack.readers.inlines import InlinePiece
from treepack.readers.links_and_emphasis import KeepOptions, link_target, linked, merged
from treepack.readers.typography import level_of_name, means_heading

_USUAL_SIZE: Final = 12.0  # points: the 16 pixels of browsers
_LARGEST: Final = 1000.0  # points
_NUMBER: Final = r"([0-9]{1,4}(?:\.[0-9]{1,6})?|\.[0-9]{1,6})"
_FONT_SIZE: Final = re.compile(
    rf"(?:\A|;)\s*font-size\s*:\s*(?:{_NUMBER}(pt|px|rem|em|%)|([a-z-]+))"
)
_ALIGN: Final = re.compile(r"(?:\A|;)\s*text-align\s*:\s*([a-z-]+)")
_POINTS: Final = {"pt": 1.0, "px": 0.75, "rem": _USUAL_SIZE}
_SHARES: Final = {"em": 1.0, "%": 0.01}  # of the surrounding size
_NAMED: Final[Mapping[str, float]] = {
    "xx-small": 6.75, "x-small": 7.5, "small": 9.75, "medium": _USUAL_SIZE, "large": 13.5,
    "x-large": 18.0, "xx-large": 24.0, "xxx-large": 36.0,
}  # fmt: skip
_RELATIVE: Final[Mapping[str, float]] = {"larger": 1.2, "smaller": 1 / 1.2}
_FONT_SIZES: Final = (7.5, 9.75, 12.0, 13.5, 18.0, 24.0, 36.0)  # of <font size="1"> to "7"
_FONT_SIZE_ATTRIBUTE: Final = re.compile(r"\s*([+-]?)([0-9])")
_USUAL_FONT_SIZE: Final = 3
_SIZING_ELEMENTS: Final = frozenset({"font", "big", "small", "center"})
_LONGEST_HEADING: Final = 400  # characters in an element whose class means a heading
_MOST_NODES: Final = 32
_LONGEST_CLASS: Final = 60  # characters
_STRONG: Final = frozenset({"b", "strong"})
_STRONG_STYLE: Final = re.compile(r"font-weight\s*:\s*(?:bold|[6-9]00)", re.IGNORECASE)
_ITALIC: Final = frozenset({"i", "em", "dfn", "cite", "var"})
_ITALIC_STYLE: Final = re.compile(r"font-style\s*:\s*(?:italic|oblique)", re.IGNORECASE)
_STYLED: Final = frozenset({"span", "font", "p", "div", "td"})


class Face(NamedTuple):
    """How text is formatted at some place.

    Attributes:
        size: The size of its font in points.
        centred: Whether it is centred.
        style: The surrounding class that means a heading; empty if there is none.
    """

    size: float = _USUAL_SIZE
    centred: bool = False
    style: str = ""


def face_inside(element: HtmlElement, around: Face) -> Face:
    """Return the face of the text inside an element."""
    css = element.attributes.get("style")
    classes = element.attributes.get("class")
    style = (classes and _heading_class(element, classes)) or around.style
    if not (css or element.name in _SIZING_ELEMENTS or "align" in element.attributes):
        return around if style == around.style else around._replace(style=style)
    css = (css or "").lower()
    size = _css_size(css, around.size) or _tag_size(element, around.size)
    return Face(
        around.size if size is None else round(min(size, _LARGEST), 2),
        _is_centred(element, css, around=around.centred),
        style,
    )


@lru_cache(maxsize=4096)  # most paragraphs of a page are formatted alike
def typography_of(faces: frozenset[tuple[Face, bool]]) -> Typography:
    """Return the typography of a paragraph, from the faces of its runs and whether each is bold."""
    if not faces:
        return Typography()
    styles = {face.style for face, _ in faces}
    style = next(iter(styles)) if len(styles) == 1 else ""
    return Typography(
        bold=all(is_bold for _, is_bold in faces),
        size=min(face.size for face, _ in faces),
        centred=all(face.centred for face, _ in faces),
        level=level_of_name(style) if style else None,
        style=style or None,
    )


def _css_size(css: str, around: float) -> float | None:
    match = _FONT_SIZE.search(css)
    if match is None:
        return None
    number, unit, name = match.groups()
    if name is not None:
        return around * _RELATIVE[name] if name in _RELATIVE else _NAMED.get(name)
    factor = _POINTS[unit] if unit in _POINTS else _SHARES[unit] * around
    return float(number) * factor


def _tag_size(element: HtmlElement, around: float) -> float | None:
    if element.name == "font":
        match = _FONT_SIZE_ATTRIBUTE.match(element.attributes.get("size") or "")
        if match is None:
            return None
        step = int(match[1] + match[2]) + (_USUAL_FONT_SIZE if match[1] else 0)
        return _FONT_SIZES[max(1, min(step, len(_FONT_SIZES))) - 1]
    relative = {"big": "larger", "small": "smaller"}.get(element.name)
    return around * _RELATIVE[relative] if relative else None


def _is_centred(element: HtmlElement, css: str, *, around: bool) -> bool:
    match = _ALIGN.search(css)
    alignment = match[1] if match else element.attributes.get("align")
    if alignment:
        return alignment.strip().lower() in ("center", "middle")
    return around or element.name == "center"


def _heading_class(element: HtmlElement, classes: str) -> str:
    """Return an element's class that means a heading; empty if it holds too much for one."""
    name = _class_of_heading(classes)
    nodes = element.few_nodes(_MOST_NODES) if name else None
    if nodes is None:
        return ""
    length = sum(len(node.data) for node in nodes if isinstance(node, Text))
    return name if length <= _LONGEST_HEADING else ""


@lru_cache(maxsize=4096)  # pages repeat a few classes many times
def _class_of_heading(classes: str) -> str:
    names = (name for name in classes.split() if len(name) <= _LONGEST_CLASS)
    return next((name for name in names if means_heading(name)), "")


# -------------------------------------------------------------------- bold, italic, links


class InlineMark(NamedTuple):
    """The emphasis of a text and the link around it.

    Attributes:
        strong: Whether it is bold.
        italic: Whether it is italic; known only if emphasis is kept.
        target: Where the link around it leads; known only if links are kept.
        link: The offset of that link in the HTML, which keeps neighbouring links apart; -1 if none.
    """

    strong: bool = False
    italic: bool = False
    target: str = ""
    link: int = -1


PLAIN: Final = InlineMark()


def mark_inside(element: HtmlElement, around: InlineMark, keep: KeepOptions) -> InlineMark:
    """Return the mark of the text inside an element."""
    if has_bold_style(element):
        around = around._replace(strong=True)
    if keep.emphasis and _has_italic_style(element):
        around = around._replace(italic=True)
    if keep.links and element.name == "a":
        target = link_target(element.attributes.get("href") or "")
        around = around._replace(target=target, link=element.offset if target else -1)
    return around


FORMATTING_ELEMENTS: Final = _SIZING_ELEMENTS | _STRONG | _ITALIC
"""Elements whose name alone formats their text; other elements do so only by attributes."""


def has_bold_style(element: HtmlElement) -> bool:
    """Whether an element makes its text bold."""
    return element.name in _STRONG or bool(
        element.name in _STYLED and _STRONG_STYLE.search(element.attributes.get("style") or "")
    )


def inline_parts(
    runs: Iterable[tuple[str | InlinePiece, InlineMark]], *, strong: bool, italic: bool
) -> list[str | InlinePiece]:
    """Return marked runs as inline content, with bold and italic only if asked for."""
    parts: list[str | InlinePiece] = []
    for (target, _), linked_runs in groupby(runs, key=lambda run: (run[1].target, run[1].link)):
        inside: list[str | InlinePiece] = []
        for content, mark in linked_runs:
            if not isinstance(content, str):
                inside.append(content)
            elif strong and mark.strong:
                inside.append(InlinePiece(content, "strong"))
            elif italic and mark.italic:
                inside.append(InlinePiece(content, "em"))
            else:
                inside.append(content)
        parts += linked(merged(inside), target)
    return parts


def _has_italic_style(element: HtmlElement) -> bool:
    return element.name in _ITALIC or bool(
        element.name in _STYLED and _ITALIC_STYLE.search(element.attributes.get("style") or "")
    )
