"""Reads Word documents (.docx) as markdown, with the clause numbers that Word prints.

Only the standard library is needed. `DocxPackage` opens the archive within limits, `BlockReader`
yields headings, paragraphs, tables and notes with their automatic numbers, and this module links
captions to tables and writes everything as markdown.

Left out: headers and footers, comments, deleted and hidden text, generated tables of contents
(their entries are the document's headings).
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Final

from treepack.model.source import Source, Typography
from treepack.readers.docx.blocks import (
    BlockReader,
    WordBlock,
    WordNote,
    WordParagraph,
    WordTable,
)
from treepack.readers.docx.numbering import ListLabel
from treepack.readers.docx.package import DocxPackage
from treepack.readers.docx.text import NOTE_REFERENCE
from treepack.readers.inlines import (
    Inline,
    InlinePiece,
    as_parts,
    escape_block_starts,
    flat,
    plain_of,
    to_markdown,
)
from treepack.readers.links_and_emphasis import TEXT_ONLY, KeepOptions
from treepack.readers.lists import OpenLists
from treepack.readers.neighbours import join_neighbours
from treepack.readers.writer import MarkdownWriter
from treepack.sentences.small_words import level_of_sentences

_ORDERED_LABEL: Final = re.compile(r"(0|[1-9][0-9]{0,8})[.)]\Z")
_FIGURE_LABELS: Final = (
    "fig.", "figure", "figura", "figuur", "abb.", "abbildung", "bild", "illustration", "schéma",
    "image", "photo", "chart", "diagram", "equation", "formel", "listing", "图", "圖", "図",
)  # fmt: skip


def read_docx(data: bytes, name: str, keep: KeepOptions = TEXT_ONLY) -> Source:
    """Read a Word document.

    Args:
        data: The file's bytes.
        name: The file's name, which becomes the document's name; also used in messages.
        keep: Whether links and emphasis are kept.

    Returns:
        The document as markdown; ``origins`` number paragraphs and tables in the order of the
        document, from 1. There are no pages: a .docx file has none until it is printed.

    Raises:
        SourceError: The data is not a Word document, is damaged, or exceeds a limit.
    """
    package = DocxPackage(data, name)
    reader = BlockReader(package, keep)
    blocks = _without_sentences([*join_neighbours(reader.blocks(), _joined_title)])
    has_title = any(isinstance(block, WordParagraph) and block.is_title for block in blocks)
    writer = MarkdownWriter(name, package.core_properties(), len(data))
    word_writer = _WordWriter(writer, _inner_lists(blocks), has_title=has_title)
    captions = _captions(blocks)
    used_captions = set(captions.values())
    for at, block in enumerate(blocks):
        if at not in used_captions:
            caption = blocks[captions[at]] if at in captions else None
            word_writer.write(block, caption.parts if isinstance(caption, WordParagraph) else "")
    return word_writer.finish()


class _WordWriter:
    """Writes blocks one after another; below a title, all headings are one level deeper."""

    def __init__(self, writer: MarkdownWriter, inner_lists: set[str], *, has_title: bool) -> None:
        self._writer = writer
        self._inner_lists = inner_lists
        self._below_title = int(has_title)
        self._lists = OpenLists(writer)
        self._code: list[WordParagraph] = []  # lines that wait for the end of their block

    def write(self, block: WordBlock, caption: Inline) -> None:
        """Write a block: a table with its caption, and lines of code as one block."""
        listing = block.listing if isinstance(block, WordParagraph) else 0
        if not (self._code and self._code[0].listing == listing):
            self._write_code()
        if isinstance(block, WordParagraph) and listing:
            self._code.append(block)
            return
        match block:
            case WordParagraph():
                self._paragraph(block)
            case WordTable(rows=rows, header_rows=header_rows, origin=origin, title=title):
                self._lists.close()
                self._writer.table(rows, header_rows, caption or title, origin)
            case WordNote():
                self._lists.close()
                self._note(block)

    def finish(self) -> Source:
        """Return everything written."""
        self._write_code()
        self._lists.close()
        return self._writer.source()

    def _write_code(self) -> None:
        if not self._code:
            return
        lines = ["".join(map(plain_of, line.parts)) for line in self._code]
        self._lists.close()
        self._writer.code("\n".join(lines), origin=self._code[0].origin)
        self._code = []

    def _paragraph(self, block: WordParagraph) -> None:
        label = block.label if block.label and (block.label.text or block.label.is_bullet) else None
        if block.level is not None:
            self._lists.close()
            level = block.level + (0 if block.is_title else self._below_title)
            self._writer.heading(level, _without_notes(block.text), block.origin)
        elif label and self._is_item(label):
            self._item(label, block)
        else:
            self._lists.close()
            self._body_text(block.text, block.origin, block.typography)

    def _body_text(self, text: Inline, origin: str, typography: Typography) -> None:
        """Write a paragraph; if it is only a formula, write display math."""
        visible = [part for part in as_parts(text) if not isinstance(part, str) or part.strip()]
        if len(visible) == 1 and isinstance(visible[0], InlinePiece) and visible[0].kind == "math":
            self._writer.math(visible[0].text, origin)
        else:
            self._writer.paragraph(text, origin, typography)

    def _note(self, note: WordNote) -> None:
        """Write a footnote definition; its further lines are indented by four spaces."""
        paragraphs = [escape_block_starts(to_markdown(parts)) for parts in note.paragraphs]
        text = "\n\n".join(paragraph for paragraph in paragraphs if paragraph)
        indented = re.sub(r"\n(?=[^\n])", "\n    ", text)
        self._writer.raw(f"[^{note.label}]: {indented}", note.origin)

    # ---------------------------------------------------------------- lists

    def _is_item(self, label: ListLabel) -> bool:
        """Return whether a numbered paragraph is a list item in markdown.

        Bullets and plain numbers are. Other labels, such as ``(a)``, are items if they are nested
        below one of those; elsewhere they begin a paragraph, like ``Artikel I``. ``2.1`` begins a
        paragraph, except in a list inside another list.
        """
        if label.is_bullet or _ORDERED_LABEL.match(label.text):
            return True
        components = _components(label.text)
        if len(components) > 1 and all(map(str.isalnum, components)):
            return label.key in self._inner_lists
        return self._lists.has_outer(label.level)

    def _item(self, label: ListLabel, block: WordParagraph) -> None:
        match = _ORDERED_LABEL.match(label.text)
        label_text = "" if match or label.is_bullet else label.text
        self._lists.open_item(label.level, int(match[1]) if match else None, label_text, label.key)
        self._writer.paragraph(block.parts, block.origin, block.typography)


def _components(number: str) -> list[str]:
    """Return the parts of a number that dots separate: 2 and 1 of ``2.1.``."""
    return number.removesuffix(".").split(".")


def _without_sentences(blocks: Sequence[WordBlock]) -> list[WordBlock]:
    """Return the blocks, with headings that are really sentences turned into text.

    If most headings of a level are sentences, all headings of it and of deeper levels become text.
    """
    highest = level_of_sentences(_headings(blocks))
    if highest is None:
        return list(blocks)
    return [
        replace(block, level=None)
        if isinstance(block, WordParagraph) and not block.is_title and (block.level or 0) >= highest
        else block
        for block in blocks
    ]


def _headings(blocks: Sequence[WordBlock]) -> Iterator[tuple[int, str, bool]]:
    """Yield level and text of each heading, and whether text or a deeper heading comes next."""
    for block, following in zip_longest(blocks, blocks[1:]):
        if isinstance(block, WordParagraph) and block.level and not block.is_title:
            level_below = following.level if isinstance(following, WordParagraph) else None
            has_content = following is not None and (level_below or block.level + 1) > block.level
            yield block.level, "".join(map(plain_of, block.parts)).rstrip(), has_content


def _joined_title(previous: WordBlock, block: WordBlock) -> WordBlock | None:
    """Return two paragraphs of the title as one, because they are its lines; otherwise None."""
    if not (isinstance(previous, WordParagraph) and isinstance(block, WordParagraph)):
        return None
    is_title = previous.is_title and block.is_title
    return replace(previous, parts=[*previous.parts, " ", *block.parts]) if is_title else None


def _without_notes(text: Inline) -> Inline:
    """Return a heading without references to notes, which would appear in every breadcrumb."""
    return [
        NOTE_REFERENCE.sub("", part) if isinstance(part, str) else part for part in as_parts(text)
    ]


def _inner_lists(blocks: Iterable[WordBlock]) -> set[str]:
    """Return the keys of lists that begin inside another list, which goes on after them.

    Below clause 2.2, a list of its own begins with 1; its ``2.1.`` is not a clause of the contract.
    Below ``Annex A``, it is one of the annex.
    """
    inner: set[str] = set()
    begun: list[tuple[int, str]] = []  # where lists began with their first number
    latest: dict[str, tuple[int, tuple[int, ...]]] = {}  # of each list
    for at, block in enumerate(blocks):
        label = block.label if isinstance(block, WordParagraph) else None
        if label is None or not all(map(str.isdecimal, _components(label.text.rstrip(")")))):
            continue
        last, counts = latest.get(label.key, (at, ()))
        while label.counts > counts > () and begun and begun[-1][0] > last:
            inner.add(begun.pop()[1])
        if label.counts == (1,):
            begun.append((at, label.key))
        latest[label.key] = at, label.counts
    return inner


def _captions(blocks: Sequence[WordBlock]) -> Mapping[int, int]:
    """Map the index of each table that has a caption beside it to the index of the caption.

    That above a table is its own, unless it belongs to the table before.
    """
    captions: dict[int, int] = {}
    last = -1  # the last caption that a table has taken
    for at, block in enumerate(blocks):
        if isinstance(block, WordTable):
            beside = (n for n in (at - 1, at + 1) if n > last and _is_table_caption(blocks, n))
            if (caption := next(beside, None)) is not None:
                captions[at] = last = caption
    return captions


def _is_table_caption(blocks: Sequence[WordBlock], at: int) -> bool:
    if not 0 <= at < len(blocks):
        return False
    block = blocks[at]
    if not isinstance(block, WordParagraph) or not block.is_caption:
        return False
    if _has_picture(block) or (at and _has_picture(blocks[at - 1])):
        return False
    text = flat(block.parts)
    return bool(text) and not text.casefold().startswith(_FIGURE_LABELS)


def _has_picture(block: WordBlock) -> bool:
    return isinstance(block, WordParagraph) and any(
        isinstance(part, InlinePiece) and part.kind == "image" for part in block.parts
    )
