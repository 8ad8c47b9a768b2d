"""The inline content of an HTML element: text, code, superscripts, formulas and images."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from treepack.model.typography import Typography
from treepack.readers.html.formatting import (
    PLAIN,
    Face,
    InlineMark,
    inline_parts,
    mark_inside,
    typography_of,
)
from treepack.readers.html.numerals import item_labels
from treepack.readers.html.tree import HtmlElement, Text, rows_of
from treepack.readers.inlines import (
    Inline,
    InlinePiece,
    PieceKind,
    as_parts,
    flat,
    has_words,
    joined_lines,
    plain_of,
)
from treepack.readers.links_and_emphasis import TEXT_ONLY, KeepOptions

_WHITESPACE: Final = re.compile(r"[ \t\n\r\f]+")  # HTML's definition; no-break spaces are text
_BLANK_LINES: Final = re.compile(r"\n\s*\n")
_CODE: Final = frozenset({"code", "kbd", "samp", "tt"})
_SCRIPTS: Final[dict[str, PieceKind]] = {"sup": "sup", "sub": "sub"}
_LONGEST_BOLD: Final = 400  # characters; a whole page in bold is not emphasis
_LONGEST_TARGET: Final = 500  # characters
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
    """A run of inline content, its offset in the HTML, its mark and its face."""

    content: str | InlinePiece
    offset: int
    mark: InlineMark
    face: Face


class InlineParagraph(NamedTuple):
    """The content of a paragraph, its offset in the HTML, and its typography."""

    content: Inline
    offset: int
    typography: Typography


class InlineCollector:
    """Gathers inline content up to the end of a block.

    Attributes:
        mark: Bold, italic and link of the text that is added.
        face: Size, alignment and style of the text that is added.
    """

    def __init__(self, keep: KeepOptions = TEXT_ONLY) -> None:
        self._runs: list[_Run] = []
        self.keep = keep
        self.mark = PLAIN
        self.face = Face()

    def enter(self, element: HtmlElement, *, is_block: bool) -> None:
        """Begin an element: end the line if it is a block, then apply its mark."""
        if is_block:
            self.add_break()
        self.mark = mark_inside(element, self.mark, self.keep)

    def leave(self, outer: InlineMark, is_block: bool) -> None:  # noqa: FBT001 - kept as a pair
        """End an element: restore the mark around it, then end the line if it is a block."""
        self.mark = outer
        if is_block:
            self.add_break()

    def add_text(self, text: Text) -> None:
        """Add text; each run of white space, line ends included, becomes one space."""
        self._add(_WHITESPACE.sub(" ", text.data), text.offset)

    def add_break(self) -> None:
        """End the line."""
        self._add("\n", self._runs[-1].offset if self._runs else 0)

    def add_inline(self, content: Inline, offset: int) -> None:
        """Add inline content that was gathered before."""
        for part in as_parts(content):
            self._add(part, offset)

    def add_leaf(self, element: HtmlElement) -> bool:
        """Add an element that is taken as a whole; return False for any other element."""
        name = element.name
        if name == "br":
            self.add_break()
        elif name in _CODE:
            self._add_piece(element, "code")
        elif name in _SCRIPTS:
            self._add_script(element, _SCRIPTS[name])
        elif name == "img":
            self._add_image(element)
        elif name == "math":
            self._add_math(element)
        else:
            return False
        return True

    def take(self) -> list[InlineParagraph]:
        """Return and forget the gathered paragraphs; two line ends in a row end a paragraph."""
        if not self._runs:
            return []
        runs, self._runs = self._runs, []
        if len(runs) == 1 and (plain := _plain_paragraph(runs[0])) is not None:
            return [plain]  # the common case
        paragraphs: list[list[_Run]] = [[]]
        for run in _merged(runs):
            if not isinstance(run.content, str) or "\n" not in run.content:
                paragraphs[-1].append(run)
                continue
            first, *rest = _BLANK_LINES.split(run.content)
            paragraphs[-1].append(run._replace(content=first))
            paragraphs.extend([run._replace(content=content)] for content in rest)
        finished = (_finished_paragraph(runs, self.keep) for runs in paragraphs)
        return [paragraph for paragraph in finished if paragraph is not None]

    def _add(self, content: str | InlinePiece, offset: int) -> None:
        face = self.face
        if self._runs and isinstance(content, str) and content.isspace():
            face = self._runs[-1].face  # else two line ends of unequal faces would end no paragraph
        self._runs.append(_Run(content, offset, self.mark, face))

    def _add_piece(self, element: HtmlElement, kind: PieceKind) -> None:
        self._add(InlinePiece(_WHITESPACE.sub(" ", element.text()), kind), element.offset)

    def _add_script(self, element: HtmlElement, kind: PieceKind) -> None:
        """Add superscript or subscript text; a reference in brackets becomes plain text."""
        text = element.text().strip()
        if text.startswith(("[", "(")):
            self._add(text, element.offset)
        elif text:
            self._add_piece(element, kind)

    def _add_image(self, element: HtmlElement) -> None:
        text = (element.attributes.get("alt") or "").strip()
        if text:
            self._add(InlinePiece(text, "image", image_target(element)), element.offset)

    def _add_math(self, element: HtmlElement) -> None:
        if tex := tex_of(element):
            self._add(InlinePiece(tex, "math"), element.offset)
        else:
            self._add(_WHITESPACE.sub(" ", element.text()), element.offset)


def collect(element: HtmlElement, depth: int = 0, keep: KeepOptions = TEXT_ONLY) -> Inline:
    """Return an element as inline content; blocks inside, at any depth of tables, become lines."""
    if len(element.children) == 1 and isinstance(element.children[0], Text):
        text = _WHITESPACE.sub(" ", element.children[0].data)
        return text if text.strip() else ""
    collector = InlineCollector(keep)
    labels: dict[int, str] = {}  # of items in ordered lists, by the element's id
    # A tuple is the end of an element: the mark to restore, and whether the element is a block.
    stack: list[HtmlElement | Text | tuple[InlineMark, bool]] = [element]
    while stack:
        node = stack.pop()
        if isinstance(node, tuple):
            collector.leave(*node)
        elif isinstance(node, Text):
            collector.add_text(node)
        elif node is element or not (node.is_furniture or collector.add_leaf(node)):
            is_block = node.name in BLOCKS and node is not element
            if node is not element:
                stack.append((collector.mark, is_block))
                collector.enter(node, is_block=is_block)
            if node.name == "table" and is_block and depth < _DEEPEST_TABLE:
                _collect_rows(node, collector, depth + 1)
                continue
            if node.name == "ol":
                labels.update({id(item): label for item, label in item_labels(node)})
            if node.name == "li" and node is not element:
                collector.add_text(Text(f"{labels.get(id(node), '-')} ", node.offset))
            stack.extend(reversed(node.children))
    paragraphs = [content for content, _, _ in collector.take()]
    return paragraphs[0] if len(paragraphs) == 1 else joined_lines(map(as_parts, paragraphs), "\n")


def _collect_rows(table: HtmlElement, collector: InlineCollector, depth: int) -> None:
    """Collect a table inside a cell, one line for each row; a row's only cell keeps its lines."""
    for child in table.elements:
        if child.name == "caption":
            collector.add_inline(collect(child, depth, collector.keep), child.offset)
    for row in rows_of(table):
        shown = (cell for cell in row.cells if not cell.is_furniture)
        cells = [c for cell in shown if flat(c := collect(cell, depth, collector.keep))]
        collector.add_break()
        for at, cell in enumerate(cells):
            if at:
                collector.add_text(Text("; ", row.element.offset))
            collector.add_inline(cell if len(cells) == 1 else _cell_line(cell), row.element.offset)


def _cell_line(content: Inline) -> Inline:
    """Return the content of a cell without line ends, and without white space at both ends."""
    if isinstance(content, str):
        return content.strip()
    parts = [part.replace("\n", " ") if isinstance(part, str) else part for part in content]
    first = parts[0]
    parts[0] = first.lstrip() if isinstance(first, str) else first
    last = parts[-1]
    parts[-1] = last.rstrip() if isinstance(last, str) else last
    return parts


def image_target(element: HtmlElement) -> str:
    """Return the address of an image; empty for ``data:`` and very long addresses."""
    target = (element.attributes.get("src") or "").strip()
    return "" if target.startswith("data:") or len(target) > _LONGEST_TARGET else target


def tex_of(element: HtmlElement) -> str:
    """Return the TeX in a formula's annotation or ``alttext``; empty if there is none."""
    for inner in element.walk():
        if inner.name == "annotation" and "tex" in (inner.attributes.get("encoding") or "").lower():
            return inner.text().strip()
    return (element.attributes.get("alttext") or "").strip()


def _merged(runs: list[_Run]) -> Iterator[_Run]:
    """Yield the runs; neighbouring texts of equal format are joined, to find their blank lines."""
    for (is_text, *_), group in groupby(runs, key=lambda run: (isinstance(run[0], str), *run[2:])):
        grouped = list(group)
        if is_text:
            yield grouped[0]._replace(content="".join(plain_of(run.content) for run in grouped))
        else:
            yield from grouped


def _plain_paragraph(run: _Run) -> InlineParagraph | None:
    """Return one run as a paragraph, or None if it is not plain text on a single line."""
    content, offset, mark, face = run
    if mark != PLAIN or not isinstance(content, str) or "\n" in content or not content.strip():
        return None
    faces = frozenset([(face, False)] if has_words(content) else ())
    return InlineParagraph(content, offset, typography_of(faces))


def _finished_paragraph(runs: Sequence[_Run], keep: KeepOptions) -> InlineParagraph | None:
    """Return the runs as a paragraph, or None if they have no content.

    If all is bold, like a caption or an unmarked heading, bold is kept even without emphasis.
    """
    visible = [run for run in runs if not isinstance(run.content, str) or run.content.strip()]
    if not visible:
        return None
    is_strong = all(run.mark.strong and isinstance(run.content, str) for run in visible)
    text = "".join([str(run.content) for run in runs]).strip() if is_strong else ""
    is_strong = is_strong and len(text) <= _LONGEST_BOLD and "\n" not in text
    if is_strong and not any(run.mark.target for run in visible):
        content: Inline = [InlinePiece(text, "strong")]
    else:
        content = inline_parts(
            ((run.content, run.mark) for run in runs),
            strong=keep.emphasis or is_strong,
            italic=keep.emphasis,
        )
    faces = frozenset((run.face, run.mark.strong) for run in visible if has_words(run.content))
    return InlineParagraph(content, visible[0].offset, typography_of(faces))
