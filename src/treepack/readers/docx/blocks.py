"""Reads a Word document's blocks in order: headings, paragraphs, list items, tables, notes."""

import warnings
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Final, TypeAlias
from xml.etree.ElementTree import Element

from treepack.errors import LeftOutWarning, SourceError
from treepack.model.source import Typography
from treepack.readers.docx.numbering import ListLabel, Numbering
from treepack.readers.docx.package import DocxPackage, Relationship
from treepack.readers.docx.styles import RunFormat, Styles
from treepack.readers.docx.tables import Chart, layout_cells, read_chart, read_table
from treepack.readers.docx.text import (
    ParagraphText,
    TextReader,
    chosen_branch,
    has_text,
    is_deleted_mark,
    is_never_numbered,
)
from treepack.readers.grids import Cell
from treepack.readers.inlines import Inline, InlinePiece, as_parts, joined_lines
from treepack.readers.links_and_emphasis import TEXT_ONLY, KeepOptions, merged
from treepack.readers.typography import DEFAULT_TYPOGRAPHY

_CONTAINERS: Final = frozenset({"sdtContent", "customXml", "ins", "moveTo", "smartTag"})
_NOT_IN_CODE: Final = frozenset({"image", "math"})
_SEPARATORS: Final = frozenset({"separator", "continuationSeparator", "continuationNotice"})


@dataclass(frozen=True, slots=True)
class WordParagraph:
    """A paragraph with text.

    Attributes:
        parts: The text, without the number.
        level: The level of a heading, from 1; None for other paragraphs.
        label: The automatic number or bullet.
        is_caption: Whether it is a caption, by its style.
        origin: Its place, such as ``docx:paragraph 12``.
        is_title: Whether it is the title of the document or of a part, above all headings.
        listing: The number of the listing that it is a line of, from 1; 0 if it is not code.
        typography: How it is formatted.
    """

    parts: Sequence[str | InlinePiece]
    level: int | None
    label: ListLabel | None
    is_caption: bool
    origin: str
    is_title: bool = False
    listing: int = 0
    typography: Typography = DEFAULT_TYPOGRAPHY

    @property
    def text(self) -> Sequence[str | InlinePiece]:
        """The text with the number in front."""
        label = self.label.text if self.label else ""
        return [f"{label} ", *self.parts] if label else self.parts


@dataclass(frozen=True, slots=True)
class WordTable:
    """A table: for each row, the cells that begin in it. A chart is one, with a title."""

    rows: list[list[Cell]]
    header_rows: int
    origin: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class WordNote:
    """A footnote or endnote; it comes at the end of the section that refers to it first."""

    label: str
    paragraphs: list[Sequence[str | InlinePiece]]
    origin: str


WordBlock: TypeAlias = WordParagraph | WordTable | WordNote


@dataclass(slots=True)
class _Story:
    """The state of reading one story: the body, a text box or a note."""

    numbering: Numbering
    text: TextReader
    listing: int = 0  # that its last paragraph belongs to
    # Text of paragraphs whose end is deleted, and its formats; the next paragraph continues it.
    carried: list[str | InlinePiece] = field(default_factory=list[str | InlinePiece])
    run_formats: set[RunFormat] = field(default_factory=set[RunFormat])

    def with_carried(self, text: ParagraphText) -> tuple[list[str | InlinePiece], set[RunFormat]]:
        """Return the parts of a paragraph and its formats, after those that are carried."""
        parts = merged([*self.carried, *text.parts]) if self.carried else text.parts
        run_formats = self.run_formats | text.run_formats
        self.carried, self.run_formats = [], set()
        return parts, run_formats


class BlockReader:
    """Reads the blocks of one document."""

    def __init__(self, package: DocxPackage, keep: KeepOptions = TEXT_ONLY) -> None:
        self._package = package
        self._keep = keep
        self._styles = Styles(package.part("styles"))
        self._numbering = Numbering(package.part("numbering"), self._styles)
        self._note_elements = {kind: self._notes(kind) for kind in ("footnote", "endnote")}
        self._note_relationships = {
            kind: package.relationships_of(f"{kind}s") for kind in self._note_elements
        }
        self._note_labels: dict[tuple[str, str], str] = {}
        self._note_counts = dict.fromkeys(self._note_elements, 0)
        self._pending_notes: deque[tuple[str, str]] = deque()
        self._charts: dict[str, Chart | None] = {}
        self._paragraph_count = 0
        self._table_count = 0
        self._listings = count(1)
        self._inside = 0  # how many cells and notes are open; their paragraphs are no headings

    def blocks(self) -> Iterator[WordBlock]:
        """Yield all blocks of the body; text boxes come after the paragraph that contains them."""
        yield from self._story(
            self._package.body(), self._new_story(self._package.relationships, self._numbering)
        )
        yield from self._new_notes()

    # ---------------------------------------------------------------- stories

    def _new_story(
        self, relationships: Mapping[str, Relationship], numbering: Numbering | None = None
    ) -> _Story:
        """Return a new story of a part, by default with numbering of its own."""
        text = TextReader(self._styles, relationships, self._refer_to_note, self._keep)
        return _Story(numbering or self._numbering.restarted(), text)

    def _story(self, parent: Element, story: _Story) -> Iterator[WordBlock]:
        for element in self._elements(parent):
            if element.tag == "tbl":
                story.listing = 0
                yield from self._table(element, story)
                story.listing = 0
            else:
                self._paragraph_count += 1
                yield from self._paragraph(
                    element, story, f"docx:paragraph {self._paragraph_count}"
                )

    def _elements(self, parent: Element) -> Iterator[Element]:
        """Yield the paragraphs and tables inside, whatever wraps them."""
        for child in parent:
            if child.tag in ("p", "tbl"):
                yield child
            elif child.tag == "sdt":
                if not _is_toc_control(child):
                    for content in child.iterfind("sdtContent"):
                        yield from self._elements(content)
            elif child.tag in _CONTAINERS:
                yield from self._elements(child)
            elif child.tag == "mc_AlternateContent":
                yield from self._elements(chosen_branch(child))
            elif child.tag == "altChunk":
                msg = f"{self._package.name}: an embedded document (w:altChunk) is left out"
                warnings.warn(msg, LeftOutWarning, stacklevel=2)

    # ---------------------------------------------------------------- paragraphs

    def _paragraph(self, element: Element, story: _Story, origin: str) -> Iterator[WordBlock]:
        properties = element.find("pPr")
        style = self._styles.style_of(properties)
        level = self._styles.outline_level(properties, style)
        if level is not None:
            story.text.end_toc()
        pending = len(self._pending_notes)
        text = story.text.read(element, style)
        if self._styles.is_toc(style):
            return
        parts, run_formats = story.with_carried(text)
        if is_deleted_mark(properties):
            story.carried, story.run_formats = parts, run_formats
            return
        has_content = has_text(text.parts) or text.boxes or text.charts
        is_counted = has_content or not is_never_numbered(properties)
        label = story.numbering.label(properties, style) if is_counted else None
        level = None if self._inside else level
        # Word does not count its title style among the headings.
        may_be_title = not (label or self._inside) and level in (None, 1)
        is_title = may_be_title and self._styles.is_named(style, "title")
        level = 1 if is_title else level
        if level is not None:
            yield from self._new_notes(pending)  # of the section before
        is_code = not (level or label) and self._styles.is_code(style) and not _has_pieces(parts)
        story.listing = (story.listing or next(self._listings)) if is_code else 0
        if is_code or has_text(parts):  # in code, blank lines count too
            typography = self._styles.typography(style, run_formats)
            is_caption = level is None and self._styles.is_named(style, "caption")
            yield WordParagraph(
                parts, level, label, is_caption, origin, is_title, story.listing, typography
            )
        yield from self._anchored(text, story)

    def _anchored(self, text: ParagraphText, story: _Story) -> Iterator[WordBlock]:
        """Yield the charts and text boxes of a paragraph."""
        for part in text.charts:
            if chart := self._chart(part):
                rows = [[Cell(text) for text in row] for row in chart.rows]
                yield WordTable(rows, 1, f"docx:{part}", chart.title)
        for box in text.boxes:
            yield from self._story(box, self._new_story(story.text.relationships))

    def _is_heading(self, paragraph: Element) -> bool:
        properties = paragraph.find("pPr")
        return self._styles.outline_level(properties, self._styles.style_of(properties)) is not None

    # ---------------------------------------------------------------- tables

    def _table(self, element: Element, story: _Story) -> Iterator[WordBlock]:
        """Yield a table; if it only places text on the page, its content is yielded instead."""
        cells = layout_cells(element, self._is_heading)
        if cells is None:
            self._table_count += 1
            rows, header_rows = read_table(element, lambda cell: self._cell(cell, story))
            yield WordTable(rows, header_rows, f"docx:table {self._table_count}")
        for cell in cells or ():
            yield from self._story(cell, story)

    def _cell(self, cell: Element, story: _Story) -> Inline:
        """Return a cell's content: a line for each paragraph, and for each row of inner tables."""
        self._inside += 1
        lines = [line for block in self._story(cell, story) for line in _lines(block, bullet="- ")]
        self._inside -= 1
        return joined_lines([line for line in lines if any(line)], "\n")

    # ---------------------------------------------------------------- charts

    def _chart(self, part: str) -> Chart | None:
        """Return a chart, which is read only once; None, with a warning, if it has no content."""
        if part not in self._charts:
            try:
                self._charts[part] = read_chart(self._package, part)
            except SourceError as error:
                warnings.warn(f"{error}; the chart is left out", LeftOutWarning, stacklevel=2)
                self._charts[part] = None
        return self._charts[part]

    # ---------------------------------------------------------------- notes

    def _notes(self, kind: str) -> dict[str, Element]:
        notes = self._package.part(f"{kind}s").iterfind(kind)
        return {
            note.get("id", ""): note for note in notes if note.get("type", "") not in _SEPARATORS
        }

    def _refer_to_note(self, kind: str, note_id: str) -> str:
        """Return the reference to a note for the text; notes are numbered in order of reference."""
        key = (kind, note_id)
        if note_id not in self._note_elements[kind]:
            return ""
        if key not in self._note_labels:
            self._note_counts[kind] += 1
            self._note_labels[key] = f"{'e' if kind == 'endnote' else ''}{self._note_counts[kind]}"
            self._pending_notes.append(key)
        return f"[^{self._note_labels[key]}]"

    def _new_notes(self, most: int | None = None) -> Iterator[WordNote]:
        """Yield the notes that were referred to since the last call, the ``most`` oldest ones.

        A note may refer to others.
        """
        while self._pending_notes and most != 0:
            most = None if most is None else most - 1
            kind, note_id = key = self._pending_notes.popleft()
            story = self._new_story(self._note_relationships[kind])
            self._inside += 1
            blocks = self._story(self._note_elements[kind][note_id], story)
            paragraphs = [line for block in blocks for line in _lines(block)]
            self._inside -= 1
            yield WordNote(self._note_labels[key], paragraphs, f"docx:{kind} {note_id}")


def _has_pieces(parts: Sequence[str | InlinePiece]) -> bool:
    """Return whether there is a picture or a formula, which code does not have."""
    return any(isinstance(part, InlinePiece) and part.kind in _NOT_IN_CODE for part in parts)


def _lines(block: WordBlock, bullet: str = "") -> Iterator[Sequence[str | InlinePiece]]:
    """Yield a block inside a cell or a note as lines, one for each row of a table."""
    match block:
        case WordParagraph(label=label):
            yield [bullet, *block.parts] if label and label.is_bullet and bullet else block.text
        case WordTable(rows=rows, title=title):
            yield [title]
            for row in rows:
                yield joined_lines([as_parts(c.content) for c in row if c.content], "; ")
        case WordNote():  # none is written inside a cell or a note
            pass


def _is_toc_control(element: Element) -> bool:
    """Whether a content control is a generated table of contents, which repeats the headings."""
    gallery = element.find("sdtPr/docPartObj/docPartGallery")
    return gallery is not None and gallery.get("val") == "Table of Contents"
