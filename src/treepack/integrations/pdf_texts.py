"""A PDF as one markdown text for the frameworks, with its headings and its pages marked.

A comment marks where a page begins, or a form feed if the page begins inside a paragraph.
treepack's node parser and text splitter read headings and pages from the text, so they need no
further input. Other splitters see ordinary markdown with comments.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from os import PathLike
from typing import Any, Final, NamedTuple, cast

from treepack.document.build import parse
from treepack.document.document import Document
from treepack.model.blocks import Paragraph
from treepack.model.section import Section
from treepack.readers import read
from treepack.readers.pdf import PdfLimits

_MAX_LEVEL: Final = 6  # level of a heading in markdown


class PdfText(NamedTuple):
    """A PDF as markdown.

    Attributes:
        text: The text with markup for headings and marks for pages.
        metadata: The PDF's own metadata, as flat values.
    """

    text: str
    metadata: dict[str, Any]


def read_pdf_text(
    source: str | PathLike[str] | bytes,
    name: str,
    *,
    password: str | None = None,
    limits: PdfLimits | None = None,
) -> PdfText:
    """Read a PDF as markdown; titles that were found without markup become headings.

    Args:
        source: The PDF's path or its bytes.
        name: The document's name.
        password: The password, if the PDF is encrypted.
        limits: The limits of reading.

    Raises:
        SourceError: The PDF cannot be read; see `treepack.readers.pdf.read_pdf`.
        MissingExtraError: The extra ``pdf`` is not installed.
    """
    made = read(source, "pdf", name=name, password=password, pdf_limits=limits)
    document = parse(made)
    return PdfText(
        _with_markup(document), {key: _flat(value) for key, value in document.metadata.items()}
    )


def _flat(value: object) -> object:
    if isinstance(value, Mapping):
        pairs = cast("Mapping[str, object]", value)
        return ", ".join(f"{key}: {item}" for key, item in pairs.items())
    return value


class _Edit(NamedTuple):
    """A replacement for a span of the text."""

    start: int
    end: int
    text: str


def _with_markup(document: Document) -> str:
    """Return the text with markup for found titles and marks for pages."""
    text = document.source.text
    edits = sorted([*_page_edits(document), *_heading_edits(document.root)])
    parts: list[str] = []
    end = 0
    for edit in edits:
        parts += [text[end : edit.start], edit.text]
        end = max(end, edit.end)
    return "".join([*parts, text[end:]])


def _heading_edits(root: Section) -> Iterator[_Edit]:
    """Yield heading markup for titles that have none."""
    for section in root.walk():
        heading = section.heading
        if heading is not None and heading.evidence != "mark":
            markup = "#" * min(heading.level, _MAX_LEVEL)
            yield _Edit(heading.start, heading.end, f"\n{markup} {heading.text}\n")


def _page_edits(document: Document) -> Iterator[_Edit]:
    """Yield comments where pages begin, or form feeds inside a paragraph.

    Inside code, tables and lists nothing is read as a page mark, so the comment comes after such a
    block. It also comes after a paragraph if page numbers are skipped, because a form feed has no
    number.
    """
    blocks = [block for section in document.root.walk() for block in section.blocks]
    starts = [block.start for block in blocks]
    comments: list[tuple[int, int]] = []
    previous_page = 0
    for offset, page in document.source.page_marks:
        index = bisect_right(starts, offset) - 1
        block = blocks[index] if index >= 0 else None
        if block is None or offset >= block.end or offset == block.start:
            comments.append((offset, page))
        elif isinstance(block, Paragraph) and page == previous_page + 1:
            yield _Edit(offset, offset, "\n\f")
        else:
            comments.append((block.end, page))
        previous_page = page
    for offset, page in comments:
        yield _Edit(offset, offset, f"\n<!-- page {page} -->\n\n")
