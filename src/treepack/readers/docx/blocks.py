"""Reads a Word document's blocks in order: headings, paragraphs, list items, tables, notes."""

import warnings
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import count
from typing import Final, TypeAlias
from xml.etree.ElementTree import Element

from treepack.errors import LeftOutWarning, SourceError
from treepack.model.typography import Typography
from treepack.readers.docx.charts import Chart, read_chart
from treepack.readers.docx.numbering import ListLabel, Numbering
from treepack.readers.docx.package import NO_PART, DocxPackage, Relationship
from treepack.readers.docx.styles import Fonts, RunFormat, Styles
from treepack.readers.docx.tables import cells_of, read_table, rows_of
from treepack.readers.docx.text import (
    ParagraphText,
    TextReader,
    chosen_branch,
    is_deleted_mark,
    is_hidden_mark,
    is_section_end,
)
from treepack.readers.grids import Cell
from treepack.readers.inlines import Inline, InlinePiece, as_parts, joined_lines
from treepack.readers.links_and_emphasis import TEXT_ONLY, KeepOptions, merged
from treepack.readers.typography import DEFAULT_TYPOGRAPHY

_CONTAINERS: Final = frozenset({"sdtContent", "customXml", "ins", "moveTo", "smartTag"})
_TITLE_LEVEL: Final = 1
_NOT_IN_CODE: Final = frozenset({"image", "math"})
_SEPARATORS: Final = frozenset({"separator", "continuationSeparator", "continuationNotice"})


@dataclass(frozen=True, slots=True)
class WordParagraph:
    """A paragraph with text.

    Attributes:
        parts: The text, without the number.
        level: The level of a heading, from 1; None for other paragraphs.
        label: The automatic number or bullet.
        is_caption: Whether it is a caption, by its style or a SEQ field.
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
    """A table: for each row, the cells that begin in it."""

    rows: list[list[Cell]]
    header_rows: int
    origin: str


@dataclass(frozen=True, slots=True)
class WordNote:
    """A footnote or endnote; it comes at the end of the section that refers to it first."""

    label: str
    paragraphs: list[Sequence[str | InlinePiece]]
    origin: str


@dataclass(frozen=True, slots=True)
class WordChart:
    """A chart; it comes after the paragraph that contains it."""

    chart: Chart
    origin: str


WordBlock: TypeAlias = WordParagraph | WordTable | WordNote | WordChart


@dataclass(slots=True)
class _Story:
    """The state of reading one story: the body, a text box or a note."""

    numbering: Numbering
    text: TextReader
    listing: int = 0  # that its last paragraph belongs to
    # Text of paragraphs whose end is deleted, and its formats; the next paragraph continues it.
    carried: list[str | InlinePiece] = field(default_factory=list[str | InlinePiece])
    run_formats: set[RunFormat] = field(default_factory=set[RunFormat])


class BlockReader:
    """Reads the blocks of one document."""

    def __init__(self, package: DocxPackage, keep: KeepOptions = TEXT_ONLY) -> None:
        self._package = package
        self._keep = keep
        styles = package.part("styles")
        self._styles = Styles(styles)
        self._fonts = Fonts(styles, self._styles)
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
        text = TextReader(self._styles, self._fonts, relationships, self._refer_to_note, self._keep)
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
        pending = len(self._pending_notes)
        paragraph = self._read_paragraph(element, story)
        if paragraph is None:
            return
        is_caption = self._is_caption_paragraph(paragraph)
        is_title = self._has_title_style(paragraph)
        level = None if is_caption else _TITLE_LEVEL if is_title else paragraph.level
        if level is not None:
            yield from self._new_notes(pending)  # of the section before
        is_code = self._is_code_paragraph(paragraph, level)  # in code, blank lines count too
        story.listing = (story.listing or next(self._listings)) if is_code else 0
        if is_code or any(not isinstance(p, str) or p.strip() for p in paragraph.parts):
            yield WordParagraph(
                paragraph.parts,
                level,
                paragraph.label,
                is_caption,
                origin,
                is_title=is_title and not is_caption,
                listing=story.listing,
                typography=self._fonts.typography(
                    element.find("pPr"), paragraph.style, paragraph.run_formats
                ),
            )
        for part in paragraph.text.charts:
            if chart := self._chart(part):
                yield WordChart(chart, f"docx:{part}")
        for box in paragraph.text.boxes:
            yield from self._story(box, self._new_story(story.text.relationships))

    def _read_paragraph(self, element: Element, story: _Story) -> "_ReadParagraph | None":
        """Read a paragraph's text and number; return None if it is not a paragraph of its own."""
        properties = element.find("pPr")
        style = self._styles.style_of(properties)
        level = self._styles.outline_level(properties, style)
        if level is not None and story.text.is_in_toc:
            story.text.end_toc()
        text = story.text.read(element, style)
        if self._styles.is_toc(style):
            return None
        parts = merged([*story.carried, *text.parts]) if story.carried else text.parts
        run_formats = story.run_formats | text.run_formats
        story.carried, story.run_formats = [], set()
        if is_deleted_mark(properties):
            story.carried, story.run_formats = parts, run_formats
            return None
        is_empty = not (text.has_text or text.boxes or text.charts)
        if is_empty and (is_hidden_mark(properties) or is_section_end(properties)):
            label = None
        else:
            label = story.numbering.label(properties, style)
        return _ReadParagraph(text, parts, style, level, label, run_formats)

    def _has_title_style(self, paragraph: "_ReadParagraph") -> bool:
        """Return whether it has the title style, which Word does not count among the headings."""
        if paragraph.label is not None or paragraph.level not in (None, _TITLE_LEVEL):
            return False
        return "title" in self._styles.names(paragraph.style)

    def _is_code_paragraph(self, paragraph: "_ReadParagraph", level: int | None) -> bool:
        """Return whether it has a style of code, and no number, picture or formula."""
        if level is not None or paragraph.label or not self._styles.is_code(paragraph.style):
            return False
        return all(isinstance(p, str) or p.kind not in _NOT_IN_CODE for p in paragraph.parts)

    def _is_caption_paragraph(self, paragraph: "_ReadParagraph") -> bool:
        if paragraph.level is not None:
            return False
        has_sequence = any(words[:1] == ["SEQ"] for words in paragraph.text.fields)
        return has_sequence or "caption" in self._styles.names(paragraph.style)

    # ---------------------------------------------------------------- tables

    def _table(self, element: Element, story: _Story) -> Iterator[WordBlock]:
        """Yield a table; a single cell is only a frame, whose content is yielded instead."""
        rows = [list(cells_of(row)) for row in rows_of(element)]
        if [len(row) for row in rows] == [1]:
            yield from self._story(rows[0][0], story)
            return
        self._table_count += 1
        origin = f"docx:table {self._table_count}"
        yield WordTable(*read_table(element, lambda cell: self._cell(cell, story)), origin)

    def _cell(self, cell: Element, story: _Story) -> Inline:
        """Return a cell's content: a line for each paragraph, and for each row of inner tables."""
        lines: list[list[str | InlinePiece]] = []
        for element in self._elements(cell):
            if element.tag == "tbl":
                rows, _ = read_table(element, lambda inner: self._cell(inner, story))
                lines += _row_lines(rows)
            else:
                self._paragraph_count += 1
                lines += self._cell_paragraph(element, story)
        return joined_lines(lines, "\n")

    def _cell_paragraph(self, element: Element, story: _Story) -> list[list[str | InlinePiece]]:
        paragraph = self._read_paragraph(element, story)
        if paragraph is None:
            return []
        parts, text = list(paragraph.parts), paragraph.text
        if paragraph.label and text.has_text:
            marker = "-" if paragraph.label.is_bullet else paragraph.label.text
            parts = [f"{marker} ", *parts] if marker else parts
        boxes = [
            list(as_parts(self._cell(box, self._new_story(story.text.relationships))))
            for box in text.boxes
        ]
        charts = [chart for part in text.charts if (chart := self._chart(part))]
        lines = [line for chart in charts for line in _chart_lines(chart)]
        return [line for line in [parts, *lines, *boxes] if line]

    # ---------------------------------------------------------------- charts

    def _chart(self, part: str) -> Chart | None:
        """Return a chart, which is read only once; None, with a warning, if it has no content."""
        if part not in self._charts:
            self._charts[part] = self._read_chart(part)
        return self._charts[part]

    def _read_chart(self, part: str) -> Chart | None:
        try:
            root = self._package.read(part)
        except SourceError as error:
            warnings.warn(f"{error}; the chart is left out", LeftOutWarning, stacklevel=2)
            return None
        chart = read_chart(root)
        if chart.title or chart.rows:
            return chart
        missing = "is not in the file" if root is NO_PART else "has neither title nor values"
        msg = f"{self._package.name}: the chart {part} {missing}; it is left out"
        warnings.warn(msg, LeftOutWarning, stacklevel=2)
        return None

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
            blocks = self._story(self._note_elements[kind][note_id], story)
            paragraphs = [line for block in blocks for line in _lines(block)]
            label = self._note_labels[key]
            yield WordNote(label, paragraphs, f"docx:{kind} {note_id}")


@dataclass(frozen=True, slots=True)
class _ReadParagraph:
    text: ParagraphText
    parts: list[str | InlinePiece]  # of the text, after those that are carried
    style: str
    level: int | None
    label: ListLabel | None
    run_formats: AbstractSet[RunFormat]


def _row_lines(rows: Iterable[Sequence[Cell]]) -> list[list[str | InlinePiece]]:
    """Return a table inside a cell or a note as lines, one for each row."""
    return [joined_lines([as_parts(c.content) for c in row if c.content], "; ") for row in rows]


def _lines(block: WordBlock) -> Iterator[Sequence[str | InlinePiece]]:
    """Yield a block inside a note as paragraphs."""
    match block:
        case WordParagraph():
            yield block.text
        case WordTable(rows=rows):
            yield from _row_lines(rows)
        case WordNote(paragraphs=paragraphs):
            yield from paragraphs
        case WordChart(chart=chart):
            yield from _chart_lines(chart)


def _chart_lines(chart: Chart) -> list[list[str | InlinePiece]]:
    """Return a chart inside a cell or a note as lines: its title, then one for each row."""
    return [[line] for line in (chart.title, *map("; ".join, chart.rows)) if line]


def _is_toc_control(element: Element) -> bool:
    """Whether a content control is a generated table of contents, which repeats the headings."""
    gallery = element.find("sdtPr/docPartObj/docPartGallery")
    return gallery is not None and gallery.get("val") == "Table of Contents"
