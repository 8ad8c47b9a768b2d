"""A PDF as one text for the frameworks: its headings and its pages are marks in the text.

A comment stands where a page begins, a form feed where it begins inside of a paragraph. What
treepack's node parser and text splitter read from these marks, they need not be told; other
splitters see usual markdown with comments.
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

_LOWEST: Final = 6  # level of a heading in markdown


class PdfText(NamedTuple):
    """A PDF as markdown.

    Attributes:
        text: The text with marks.
        metadata: What the PDF says of itself, as flat values.
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
    """Read a PDF; titles that its fonts show become marked headings.

    Args:
        source: Its path or its bytes.
        name: Its name.
        password: What opens it.
        limits: What reading may take.

    Raises:
        SourceError: It cannot be read; see `treepack.readers.pdf.read_pdf`.
        MissingExtraError: The extra ``pdf`` is not installed.
    """
    made = read(source, "pdf", name=name, password=password, pdf_limits=limits)
    document = parse(made)
    return PdfText(_marked(document), {key: _flat(said) for key, said in document.metadata.items()})


def _flat(value: object) -> object:
    if isinstance(value, Mapping):
        pairs = cast("Mapping[str, object]", value)
        return ", ".join(f"{key}: {said}" for key, said in pairs.items())
    return value


class _Edit(NamedTuple):
    """What stands instead of a part of the text."""

    start: int
    end: int
    text: str


def _marked(document: Document) -> str:
    """The text with marks for found titles and for pages."""
    text = document.source.text
    edits = sorted([*_page_edits(document), *_heading_edits(document.root)])
    parts: list[str] = []
    after = 0
    for edit in edits:
        parts += [text[after : edit.start], edit.text]
        after = max(after, edit.end)
    return "".join([*parts, text[after:]])


def _heading_edits(root: Section) -> Iterator[_Edit]:
    """Marks for titles that have none."""
    for section in root.walk():
        heading = section.heading
        if heading is not None and heading.evidence != "mark":
            mark = "#" * min(heading.level, _LOWEST)
            yield _Edit(heading.start, heading.end, f"\n{mark} {heading.text}\n")


def _page_edits(document: Document) -> Iterator[_Edit]:
    """Comments where pages begin, and form feeds where one begins inside of a paragraph.

    Inside of code, tables and lists nothing is a mark: there the comment stands after them.
    """
    blocks = [block for section in document.root.walk() for block in section.blocks]
    starts = [block.start for block in blocks]
    waiting: list[tuple[int, int]] = []
    last = 0
    for offset, page in document.source.page_marks:
        at = bisect_right(starts, offset) - 1
        block = blocks[at] if at >= 0 else None
        if block is None or offset >= block.end or offset == block.start:
            waiting.append((offset, page))
        elif isinstance(block, Paragraph) and page == last + 1:
            yield _Edit(offset, offset, "\n\f")
        else:
            waiting.append((block.end, page))
        last = page
    for offset, page in waiting:
        yield _Edit(offset, offset, f"\n<!-- page {page} -->\n\n")
