"""The inline content of an HTML element: text with its white space, code, raised digits, images."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from treepack.model.typography import Typography
from treepack.readers.html.faces import (
    PLAIN,
    Face,
    Mark,
    mark_inside,
    marked,
    typography_of,
    typography_of_face,
)
from treepack.readers.html.numerals import item_labels
from treepack.readers.html.tree import Element, Text, rows_of
from treepack.readers.inlines import Inline, Piece, PieceKind, as_parts, flat, has_words, plain_of
from treepack.readers.kept import TEXT_ALONE, Kept

_WHITE_SPACE: Final = re.compile(r"[ \t\n\r\f]+")  # HTML's; no-break spaces are text
_BLANK_LINES: Final = re.compile(r"\n\s*\n")
_CODE: Final = frozenset({"code", "kbd", "samp", "tt"})
_SHIFTED: Final[dict[str, PieceKind]] = {"sup": "sup", "sub": "sub"}
_LONGEST_STRONG: Final = 400  # characters; a whole page in bold is no emphasis
_LONGEST_TARGET: Final = 500  # characters
_DEEPEST_TABLE: Final = 4  # of tables in tables; inside, cells are lines

BLOCKS: Final = frozenset({
    "#root", "address", "article", "aside", "blockquote", "body", "caption", "center", "col",
    "colgroup", "dd", "details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption",
    "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "hr",
    "html", "legend", "li", "main", "menu", "nav", "ol", "optgroup", "option", "p", "pre",
    "search", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
})  # fmt: skip
"""Elements that begin and end a line."""


class _Run(NamedTuple):
    """A piece of inline content, where it stands in the HTML, and how it is set."""

    content: str | Piece
    offset: int
    mark: Mark
    face: Face


class InlineParagraph(NamedTuple):
    """The content of a paragraph, where it begins in the HTML, and how it is set."""

    content: Inline
    offset: int
    typography: Typography


class InlineCollector:
    """Gathers inline content up to the end of a block.

    Attributes:
        mark: How the elements around text that is added mark it.
        face: How it is set, apart from that.
    """

    def __init__(self, kept: Kept = TEXT_ALONE) -> None:
        self._runs: list[_Run] = []
        self.kept = kept
        self.mark = PLAIN
        self.face = Face()

    def enter(self, element: Element, *, is_block: bool) -> None:
        """Mark what comes as an element says, after the end of the line before a block."""
        if is_block:
            self.add_break()
        self.mark = mark_inside(element, self.mark, self.kept)

    def leave(self, around: Mark, is_block: bool) -> None:  # noqa: FBT001 - kept as a pair
        """Mark what comes as before an element."""
        self.mark = around
        if is_block:
            self.add_break()

    def add_text(self, text: Text) -> None:
        """Add text; its line ends are blanks."""
        self._add(_WHITE_SPACE.sub(" ", text.data), text.offset)

    def add_break(self) -> None:
        """End the line."""
        self._add("\n", self._runs[-1].offset if self._runs else 0)

    def add_inline(self, content: Inline, offset: int) -> None:
        """Add inline content that was gathered before."""
        for part in as_parts(content):
            self._add(part, offset)

    def add_leaf(self, element: Element) -> bool:
        """Add an element whose content is taken as a whole; False for any other element."""
        name = element.name
        if name == "br":
            self.add_break()
        elif name in _CODE:
            self._add_piece(element, "code")
        elif name in _SHIFTED:
            self._add_shifted(element, _SHIFTED[name])
        elif name == "img":
            self._add_image(element)
        elif name == "math":
            self._add_math(element)
        else:
            return False
        return True

    def take(self) -> list[InlineParagraph]:
        """The paragraphs gathered; two line ends in a row end one."""
        if not self._runs:
            return []
        runs, self._runs = self._runs, []
        if len(runs) == 1 and (plain := _plain_paragraph(runs[0])) is not None:
            return [plain]  # as most blocks are
        paragraphs: list[list[_Run]] = [[]]
        for run in _merged(runs):
            if not isinstance(run.content, str) or "\n" not in run.content:
                paragraphs[-1].append(run)
                continue
            first, *others = _BLANK_LINES.split(run.content)
            paragraphs[-1].append(run._replace(content=first))
            paragraphs.extend([run._replace(content=other)] for other in others)
        finished = (_finished(runs, self.kept) for runs in paragraphs)
        return [made for made in finished if made is not None]

    def _add(self, content: str | Piece, offset: int) -> None:
        face = self.face
        if self._runs and isinstance(content, str) and content.isspace():
            face = self._runs[-1].face  # or two line ends that are set in two ways end no paragraph
        self._runs.append(_Run(content, offset, self.mark, face))

    def _add_piece(self, element: Element, kind: PieceKind) -> None:
        self._add(Piece(_WHITE_SPACE.sub(" ", element.text()), kind), element.offset)

    def _add_shifted(self, element: Element, kind: PieceKind) -> None:
        """Raised or lowered text; a reference in brackets needs no raising."""
        text = element.text().strip()
        if text.startswith(("[", "(")):
            self._add(text, element.offset)
        elif text:
            self._add_piece(element, kind)

    def _add_image(self, element: Element) -> None:
        text = (element.attributes.get("alt") or "").strip()
        if text:
            self._add(Piece(text, "image", image_target(element)), element.offset)

    def _add_math(self, element: Element) -> None:
        if tex := tex_of(element):
            self._add(Piece(tex, "math"), element.offset)
        else:
            self._add(_WHITE_SPACE.sub(" ", element.text()), element.offset)


def collect(element: Element, depth: int = 0, kept: Kept = TEXT_ALONE) -> Inline:
    """All content of an element as inline content; blocks inside are lines.

    Args:
        element: The element.
        depth: In how many tables it stands inside the cell that is read.
        kept: What is kept of its marks.
    """
    if len(element.children) == 1 and isinstance(element.children[0], Text):
        text = _WHITE_SPACE.sub(" ", element.children[0].data)
        return text if text.strip() else ""
    collector = InlineCollector(kept)
    labels: dict[int, str] = {}  # of items in ordered lists, by the element's id
    # A mark is what is around, again, after an element; with it, whether that was a block.
    waiting: list[Element | Text | tuple[Mark, bool]] = [element]
    while waiting:
        node = waiting.pop()
        if isinstance(node, tuple):
            collector.leave(*node)
        elif isinstance(node, Text):
            collector.add_text(node)
        elif node is element or not (node.is_furniture or collector.add_leaf(node)):
            is_block = node.name in BLOCKS and node is not element
            if node is not element:
                waiting.append((collector.mark, is_block))
                collector.enter(node, is_block=is_block)
            if node.name == "table" and is_block and depth < _DEEPEST_TABLE:
                _collect_rows(node, collector, depth + 1)
                continue
            if node.name == "ol":
                labels.update({id(item): label for item, label in item_labels(node)})
            if node.name == "li" and node is not element:
                collector.add_text(Text(f"{labels.get(id(node), '-')} ", node.offset))
            waiting.extend(reversed(node.children))
    return _joined(collector.take())


def _collect_rows(table: Element, collector: InlineCollector, depth: int) -> None:
    """A table inside a cell, a line for each row; of a single column, cells stay as they are."""
    for child in table.elements:
        if child.name == "caption":
            collector.add_inline(collect(child, depth, collector.kept), child.offset)
    for row in rows_of(table):
        shown = (cell for cell in row.cells if not cell.is_furniture)
        cells = [c for cell in shown if flat(c := collect(cell, depth, collector.kept))]
        collector.add_break()
        for at, cell in enumerate(cells):
            if at:
                collector.add_text(Text("; ", row.element.offset))
            collector.add_inline(cell if len(cells) == 1 else _one_line(cell), row.element.offset)


def _one_line(content: Inline) -> Inline:
    """Inline content without line ends, and without blanks at its ends."""
    if isinstance(content, str):
        return content.strip()
    parts = [part.replace("\n", " ") if isinstance(part, str) else part for part in content]
    first = parts[0]
    parts[0] = first.lstrip() if isinstance(first, str) else first
    last = parts[-1]
    parts[-1] = last.rstrip() if isinstance(last, str) else last
    return parts


def image_target(element: Element) -> str:
    """The address of an image; empty for an image inside the page itself."""
    target = (element.attributes.get("src") or "").strip()
    return "" if target.startswith("data:") or len(target) > _LONGEST_TARGET else target


def tex_of(element: Element) -> str:
    """The TeX that a formula carries in an annotation; empty if there is none."""
    for inner in element.walk():
        if inner.name == "annotation" and "tex" in (inner.attributes.get("encoding") or "").lower():
            return inner.text().strip()
    return (element.attributes.get("alttext") or "").strip()


def _merged(runs: list[_Run]) -> Iterator[_Run]:
    """The runs with neighbouring texts as one, so that blank lines are found."""
    for (is_text, *_), group in groupby(runs, key=lambda run: (isinstance(run[0], str), *run[2:])):
        held = list(group)
        if is_text:
            yield held[0]._replace(content="".join(plain_of(run.content) for run in held))
        else:
            yield from held


def _plain_paragraph(run: _Run) -> InlineParagraph | None:
    """A paragraph of one run, or None where that is more than text on one line, or less."""
    content, offset, mark, face = run
    if mark != PLAIN or not isinstance(content, str) or "\n" in content or not content.strip():
        return None
    typography = typography_of_face(face) if has_words(content) else typography_of(())
    return InlineParagraph(content, offset, typography)


def _finished(runs: Sequence[_Run], kept: Kept) -> InlineParagraph | None:
    """A paragraph, or None where it has no text.

    Bold is kept where all is bold: a caption, a heading in all but name; else only if asked for.
    """
    shown = [run for run in runs if not isinstance(run.content, str) or run.content.strip()]
    if not shown:
        return None
    is_strong = all(run.mark.strong and isinstance(run.content, str) for run in shown)
    text = "".join([str(run.content) for run in runs]).strip() if is_strong else ""
    is_strong = is_strong and len(text) <= _LONGEST_STRONG and "\n" not in text
    if is_strong and not any(run.mark.target for run in shown):
        content: Inline = [Piece(text, "strong")]
    else:
        content = marked(
            ((run.content, run.mark) for run in runs),
            strong=kept.emphasis or is_strong,
            italic=kept.emphasis,
        )
    typography = typography_of(
        (run.face, run.mark.strong) for run in shown if has_words(run.content)
    )
    return InlineParagraph(content, shown[0].offset, typography)


def _joined(paragraphs: list[InlineParagraph]) -> Inline:
    """Paragraphs as lines of one content."""
    if len(paragraphs) == 1:
        return paragraphs[0].content
    parts: list[str | Piece] = []
    for content, _, _ in paragraphs:
        parts.extend(["\n"] if parts else [])
        parts.extend(as_parts(content))
    return parts
