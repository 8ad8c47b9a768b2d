"""What surrounds a text on a page: sizes, levels by classes, bold, italic, links.

Style sheets are not read, only the names and attributes of the elements themselves.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby
from typing import Final, NamedTuple

from treepack.model.source import Typography
from treepack.readers.html.tree import HtmlElement
from treepack.readers.inlines import InlinePiece
from treepack.readers.links_and_emphasis import KeepOptions, link_target, linked, merged
from treepack.readers.typography import level_of_name

_USUAL_SIZE: Final = 12.0  # points: the 16 pixels of browsers
_LARGEST: Final = 1000.0  # points
_NUMBER: Final = r"([0-9]{1,4}(?:\.[0-9]{1,6})?|\.[0-9]{1,6})"
_FONT_SIZE: Final = re.compile(rf"(?:\A|;)\s*font-size\s*:\s*{_NUMBER}(pt|px|rem|em|%)")
_POINTS: Final = {"pt": 1.0, "px": 0.75, "rem": _USUAL_SIZE}
_SHARES: Final = {"em": 1.0, "%": 0.01}  # of the surrounding size
_STRONG: Final = frozenset({"b", "strong"})
_STRONG_STYLE: Final = re.compile(r"font-weight\s*:\s*(?:bold|[6-9]00)", re.IGNORECASE)
_ITALIC: Final = frozenset({"i", "em", "dfn", "cite", "var"})
_ITALIC_STYLE: Final = re.compile(r"font-style\s*:\s*(?:italic|oblique)", re.IGNORECASE)
_STYLED: Final = frozenset({"span", "font", "p", "div", "td"})
_LANGUAGE: Final = re.compile(
    r"(?:^|\s)(?:language-|lang-|highlight-source-|highlight-|brush:\s*|sourceCode\s+)([\w+#.-]+)"
)
_NO_LANGUAGES: Final = frozenset({"none", "text", "default", "plaintext", "plain", "notranslate"})


class Surroundings(NamedTuple):
    """What the elements around a text say about it.

    Attributes:
        size: The size of its font in points.
        level: The heading level that a class names.
        language: The programming language, if it is code.
        strong: Whether it is bold.
        italic: Whether it is italic; known only if emphasis is kept.
        target: Where the link around it leads; known only if links are kept.
        link: Identifies that link, which keeps neighbouring links apart; 0 if none.
    """

    size: float = _USUAL_SIZE
    level: int | None = None
    language: str = ""
    strong: bool = False
    italic: bool = False
    target: str = ""
    link: int = 0

    @property
    def mark(self) -> tuple[bool, bool, int]:
        """The emphasis and the link."""
        return self.strong, self.italic, self.link


def inside(element: HtmlElement, around: Surroundings, keep: KeepOptions) -> Surroundings:
    """Return the surroundings of the text inside an element."""
    name, attributes = element.name, element.attributes
    if has_bold_style(element):
        around = around._replace(strong=True)
    if keep.emphasis and (name in _ITALIC or _has_style(element, _ITALIC_STYLE)):
        around = around._replace(italic=True)
    if keep.links and name == "a":
        target = link_target(attributes.get("href") or "")
        around = around._replace(target=target, link=id(element) if target else 0)
    if classes := attributes.get("class"):
        level = _heading_level(element, classes) or around.level
        around = around._replace(level=level, language=language_of(element) or around.language)
    if css := attributes.get("style"):
        around = around._replace(size=_size_inside(css.lower(), around.size))
    return around


@lru_cache(maxsize=4096)  # most paragraphs of a page are formatted alike
def typography_of(runs: frozenset[Surroundings]) -> Typography:
    """Return the typography of a paragraph, from the surroundings of its runs."""
    if not runs:
        return Typography()
    levels = {run.level for run in runs}
    return Typography(
        bold=all(run.strong for run in runs),
        size=min(run.size for run in runs),
        level=levels.pop() if len(levels) == 1 else None,
    )


def _size_inside(css: str, around: float) -> float:
    match = _FONT_SIZE.search(css)
    if match is None:
        return around
    factor = _POINTS.get(match[2]) or _SHARES[match[2]] * around
    return round(min(float(match[1]) * factor, _LARGEST), 2)


def _heading_level(element: HtmlElement, classes: str) -> int | None:
    """Return the level that an element's class names; None if it holds too much for a heading."""
    level = _level_of_classes(classes)
    nodes = element.few_nodes() if level else None
    return level if nodes is not None else None


@lru_cache(maxsize=4096)  # pages repeat a few classes many times
def _level_of_classes(classes: str) -> int | None:
    return next(filter(None, map(level_of_name, classes.split())), None)


def language_of(element: HtmlElement) -> str:
    """Return the programming language that an element's class names, or an empty string."""
    match = _LANGUAGE.search(element.attributes.get("class") or "")
    return match[1] if match and match[1] not in _NO_LANGUAGES else ""


def has_bold_style(element: HtmlElement) -> bool:
    """Whether an element makes its text bold."""
    return element.name in _STRONG or _has_style(element, _STRONG_STYLE)


def _has_style(element: HtmlElement, style: re.Pattern[str]) -> bool:
    css = element.attributes.get("style") if element.name in _STYLED else None
    return bool(css and style.search(css))


def inline_parts(
    runs: Iterable[tuple[str | InlinePiece, Surroundings]], *, strong: bool, italic: bool
) -> list[str | InlinePiece]:
    """Return runs as inline content, with bold and italic only if asked for."""
    parts: list[str | InlinePiece] = []
    for (target, _), linked_runs in groupby(runs, key=lambda run: (run[1].target, run[1].link)):
        pieces: list[str | InlinePiece] = []
        for content, around in linked_runs:
            if isinstance(content, str) and strong and around.strong:
                pieces.append(InlinePiece(content, "strong"))
            elif isinstance(content, str) and italic and around.italic:
                pieces.append(InlinePiece(content, "em"))
            else:
                pieces.append(content)
        parts += linked(merged(pieces), target)
    return parts
