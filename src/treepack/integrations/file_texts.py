"""A file of any format as one markdown text for the frameworks, with headings and pages marked.

A comment marks where a page begins, or a form feed if the page begins inside a paragraph.
treepack's node parser and text splitter read headings and pages from the text, so they need no
further input. Other splitters see ordinary markdown with comments.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from os import PathLike
from typing import Any, Final, Unpack, cast

from treepack.document.build import parse
from treepack.document.document import Document
from treepack.integrations.pages import MARKUP
from treepack.model.blocks import Paragraph
from treepack.readers import ReadOptions, read

_MAX_LEVEL: Final = 6  # level of a heading in markdown


def read_file_text(
    source: str | PathLike[str] | bytes, name: str, **options: Unpack[ReadOptions]
) -> tuple[str, dict[str, Any]]:
    """Read a file as markdown, in which titles that have no markup become headings.

    Markdown and plain text stay as they are. Other texts have marks for pages, and metadata that
    is flat and says that the text is markdown. For errors, see `treepack.read`.
    """
    read_source = read(source, name=name, **options)
    if not (read_source.origins or read_source.page_marks):
        return read_source.text, {}
    document = parse(read_source, markup="markdown")
    text, end = document.source.text, 0
    parts: list[str] = []
    for edit_start, edit_end, new in sorted([*_page_edits(document), *_heading_edits(document)]):
        parts += [text[end:edit_start], new]
        end = max(end, edit_end)
    metadata = {key: _flat(value) for key, value in document.metadata.items()}
    return "".join([*parts, text[end:]]), {**metadata, MARKUP: "markdown"}


def _flat(value: object) -> object:
    if isinstance(value, Mapping):
        pairs = cast("Mapping[str, object]", value)
        return ", ".join(f"{key}: {item}" for key, item in pairs.items())
    return value


def _heading_edits(document: Document) -> Iterator[tuple[int, int, str]]:
    """Yield the spans of titles that have no markup, each with the heading that replaces it."""
    for section in document.root.walk():
        heading = section.heading
        if heading is not None and heading.evidence != "mark":
            markup = "#" * min(heading.level, _MAX_LEVEL)
            yield heading.start, heading.end, f"\n{markup} {heading.text}\n"


def _page_edits(document: Document) -> Iterator[tuple[int, int, str]]:
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
            yield offset, offset, "\n\f"
        else:
            comments.append((block.end, page))
        previous_page = page
    for offset, page in comments:
        yield offset, offset, f"\n<!-- page {page} -->\n\n"
