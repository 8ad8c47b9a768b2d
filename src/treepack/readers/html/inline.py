"""The inline content of an HTML element: text, code, superscripts, formulas, images, numerals."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from string import ascii_lowercase
from typing import Final, NamedTuple

from treepack.model.source import Typography
from treepack.numbers.words import roman_numeral, whole_number
from treepack.readers.html.formatting import Surroundings, inline_parts, inside, typography_of
from treepack.readers.html.tree import HtmlElement, rows_of
from treepack.readers.inlines import (
    BLANK_LINES,
    Inline,
    InlinePiece,
    PieceKind,
    as_parts,
    flat,
    has_words,
    joined_lines,
    plain_of,
)
from treepack.readers.links_and_emphasis import TEXT_ONLY, KeepOptions, link_target

_WHITESPACE: Final = re.compile(r"[ \t\n\r\f]+")  # HTML's definition; no-break spaces are text
_TYPES: Final = {"a": "lower-alpha", "A": "upper-alpha", "i": "lower-roman", "I": "upper-roman"}
_STYLE: Final = re.compile(r"\b(lower|upper)-?(alpha|latin|roman)\b")
_PIECES: Final[dict[str, PieceKind]] = {
    **dict.fromkeys(("code", "kbd", "samp", "tt"), "code"), "sup": "sup", "sub": "sub",
}  # fmt: skip
_LONGEST_BOLD: Final = 400  # characters; a whole page in bold is not emphasis
_DEEPEST_TABLE: Final = 4  # nested tables; in deeper ones each cell is a line

BLOCKS: Final = frozenset({
    "#root", "address", "article", "aside", "blockquote", "body", "caption", "center", "col",
    "colgroup", "dd", "details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption",
    "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "hr",
    "html", "legend", "li", "main", "menu", "nav", "ol", "optgroup", "option", "p", "pre",
    "search", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
})  # fmt: skip
"""Elements that begin and end a line."""


class _Run(NamedTuple):
    """A run of inline content, and what surrounds it."""

    content: str | InlinePiece
    around: Surroundings


class InlineCollector:
    """Gathers inline content up to the end of a block.

    Attributes:
        keep: Whether links and emphasis are kept.
        around: What surrounds the text that is added.
    """

    def __init__(self, keep: KeepOptions = TEXT_ONLY) -> None:
        self._runs: list[_Run] = []
        self.keep = keep
        self.around = Surroundings()

    def enter(self, element: HtmlElement) -> Surroundings:
        """Enter an element; return what was around it, to be restored at its end."""
        outer = self.around
        self.around = inside(element, outer, self.keep)
        return outer

    def add_text(self, text: str) -> None:
        """Add text; each run of white space, line ends included, becomes one space."""
        self._add(_WHITESPACE.sub(" ", text))

    def add_break(self, *, is_needed: bool = True) -> None:
        """End the line, if that is needed."""
        if is_needed:
            self._add("\n")

    def add_inline(self, content: Inline) -> None:
        """Add inline content that was gathered before."""
        for part in as_parts(content):
            self._add(part)

    def add_leaf(self, element: HtmlElement) -> bool:
        """Add an element that is taken as a whole; return False for any other element.

        A reference in brackets is no superscript, and an image without words is left out.
        """
        name = element.name
        if name == "br":
            self.add_break()
        elif name in _PIECES:
            text = _WHITESPACE.sub(" ", element.text())
            kind = _PIECES[name]
            if kind != "code" and text.lstrip().startswith(("[", "(")):
                self._add(text.strip())
            elif kind == "code" or text.strip():
                self._add(InlinePiece(text, kind))
        elif name == "img":
            if text := (element.attributes.get("alt") or "").strip():
                self._add(InlinePiece(text, "image", image_target(element)))
        elif name == "math":
            tex = tex_of(element)
            self._add(InlinePiece(tex, "math") if tex else _WHITESPACE.sub(" ", element.text()))
        else:
            return False
        return True

    def take(self) -> list[tuple[Inline, Typography]]:
        """Return and forget the gathered paragraphs; two line ends in a row end a paragraph."""
        runs, self._runs = self._runs, []
        paragraphs: list[list[_Run]] = [[]]
        for run in _merged(runs):
            if not isinstance(run.content, str) or "\n" not in run.content:
                paragraphs[-1].append(run)
                continue
            first, *rest = BLANK_LINES.split(run.content)
            paragraphs[-1].append(run._replace(content=first))
            paragraphs.extend([run._replace(content=content)] for content in rest)
        finished = (_paragraph(runs, self.keep) for runs in paragraphs)
        return [paragraph for paragraph in finished if paragraph is not None]

    def _add(self, content: str | InlinePiece) -> None:
        around = self.around
        if self._runs and isinstance(content, str) and content.isspace():
            last = self._runs[-1].around  # with it, two line ends in a row end a paragraph
            around = last if last.mark == around.mark else around
        self._runs.append(_Run(content, around))


def collect(element: HtmlElement, depth: int = 0, keep: KeepOptions = TEXT_ONLY) -> Inline:
    """Return an element as inline content; blocks inside, at any depth of tables, become lines."""
    if len(element.children) == 1 and isinstance(element.children[0], str):  # the common case
        text = _WHITESPACE.sub(" ", element.children[0])
        return text if text.strip() else ""
    collector = InlineCollector(keep)
    labels: dict[int, str] = {}  # of items in ordered lists, by the element's id
    # A tuple is the end of an element: what was around it, and whether it is a block.
    stack: list[HtmlElement | str | tuple[Surroundings, bool]] = [*reversed(element.children)]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            collector.add_text(node)
        elif isinstance(node, tuple):
            collector.around, is_block = node
            collector.add_break(is_needed=is_block)
        elif not (node.is_furniture or collector.add_leaf(node)):
            is_block = node.name in BLOCKS
            collector.add_break(is_needed=is_block)
            stack.append((collector.enter(node), is_block))
            if node.name == "table" and depth < _DEEPEST_TABLE:
                _collect_rows(node, collector, depth + 1)
                continue
            if node.name == "ol":
                labels.update(item_labels(node))
            if node.name == "li":
                collector.add_text(f"{labels.get(id(node), '-')} ")
            stack += node.children[::-1]
    paragraphs = [content for content, _ in collector.take()]
    return paragraphs[0] if len(paragraphs) == 1 else joined_lines(map(as_parts, paragraphs), "\n")


def _collect_rows(table: HtmlElement, collector: InlineCollector, depth: int) -> None:
    """Collect a table inside a cell, one line for each row; a row's only cell keeps its lines."""
    for child in table.elements:
        if child.name == "caption":
            collector.add_inline(collect(child, depth, collector.keep))
    for row in rows_of(table):
        shown = (cell for cell in row.cells if not cell.is_furniture)
        cells = [c for cell in shown if flat(c := collect(cell, depth, collector.keep))]
        collector.add_break()
        for at, cell in enumerate(cells):
            if at:
                collector.add_text("; ")
            collector.add_inline(cell if len(cells) == 1 else _cell_line(cell))


def _cell_line(content: Inline) -> Inline:
    """Return the content of a cell without line ends, and without white space at both ends."""
    parts = [p.replace("\n", " ") if isinstance(p, str) else p for p in as_parts(content)]
    if isinstance(parts[0], str):
        parts[0] = parts[0].lstrip()
    if isinstance(parts[-1], str):
        parts[-1] = parts[-1].rstrip()
    return parts


def image_target(element: HtmlElement) -> str:
    """Return the address of an image; empty for data and very long addresses."""
    return link_target(element.attributes.get("src") or "")


def tex_of(element: HtmlElement) -> str:
    """Return the TeX in a formula's annotation or ``alttext``; empty if there is none."""
    for inner in element.walk():
        if inner.name == "annotation" and "tex" in (inner.attributes.get("encoding") or "").lower():
            return inner.text().strip()
    return (element.attributes.get("alttext") or "").strip()


def _merged(runs: list[_Run]) -> Iterator[_Run]:
    """Yield the runs; neighbouring texts of equal format are joined, to find their blank lines."""
    for (is_text, around), group in groupby(runs, lambda run: (isinstance(run[0], str), run[1])):
        if is_text:
            yield _Run("".join(plain_of(run.content) for run in group), around)
        else:
            yield from group


def _paragraph(runs: Sequence[_Run], keep: KeepOptions) -> tuple[Inline, Typography] | None:
    """Return the runs as a paragraph with its typography, or None if they have no content.

    If all is bold, like a caption or an unmarked heading, bold is kept even without emphasis.
    """
    visible = [run for run in runs if not isinstance(run.content, str) or run.content.strip()]
    if not visible:
        return None
    is_strong = all(run.around.strong and isinstance(run.content, str) for run in visible)
    text = "".join([str(run.content) for run in runs]).strip() if is_strong else ""
    is_strong = is_strong and len(text) <= _LONGEST_BOLD and "\n" not in text
    if is_strong and not any(run.around.target for run in visible):
        content: Inline = [InlinePiece(text, "strong")]
    else:
        emphasis = keep.emphasis
        content = inline_parts(runs, strong=emphasis or is_strong, italic=emphasis)
    faces = frozenset(run.around for run in visible if has_words(run.content))
    return content, typography_of(faces)


# -------------------------------------------------------------------- numbers of items


def numeral(number: int, style: str) -> str:
    """Return a number in the style of a list, or in digits if the style cannot write it."""
    case, _, kind = style.partition("-")
    text = roman_numeral(number).lower() if kind == "roman" else ""
    while kind in ("alpha", "latin") and number > 0:
        number, rest = divmod(number - 1, len(ascii_lowercase))
        text = ascii_lowercase[rest] + text
    return (text.upper() if case == "upper" else text) or str(number)


class ItemNumbers:
    """Counts the items of an ordered list.

    Attributes:
        style: The numbering style, such as ``lower-roman``; empty for digits.
        next: The number of the next item, unless it has a ``value``.
    """

    def __init__(self, ordered: HtmlElement) -> None:
        known = ordered.attributes
        named = _STYLE.search(f"{known.get('class')} {known.get('style')}")
        style = f"{named[1]}-{named[2]}" if named else ""
        self.style = _TYPES.get(known.get("type") or "", style)
        self.items = [child for child in ordered.elements if child.name == "li"]
        self._step = -1 if "reversed" in known else 1
        start = _number(ordered, "start")
        self.next = start if start is not None else len(self.items) if self._step < 0 else 1

    def take(self, item: HtmlElement) -> int:
        """Return the number of the next item, and count on from it."""
        value = _number(item, "value")
        number = self.next if value is None else value
        self.next = number + self._step
        return number


def item_labels(ordered: HtmlElement) -> dict[int, str]:
    """Return the labels that the page shows, such as ``b.``, by the ids of a list's items."""
    numbers = ItemNumbers(ordered)
    return {id(item): f"{numeral(numbers.take(item), numbers.style)}." for item in numbers.items}


def _number(element: HtmlElement, name: str) -> int | None:
    return whole_number((element.attributes.get(name) or "").strip())
