"""Headings that a PDF's tags name, as in accessible PDFs and those that Word writes."""

from collections.abc import Sequence
from typing import Final

from treepack.readers.pdf.lines import PdfLine, mark_heading

_FEWEST: Final = 2  # headings
_LONGEST: Final = 250  # characters on average; if "headings" are longer, they are something else
_MOST: Final = 0.5  # of the lines


def match_tags(pages: Sequence[list[PdfLine]]) -> bool:
    """Mark the lines that tags call headings; return whether the tags can be trusted."""
    lines = [line for page in pages for line in page if line.is_text]
    tagged = [line for line in lines if line.tag]
    groups = _groups(lines)
    if len(groups) < _FEWEST or len(tagged) > _MOST * len(lines):
        return False
    if sum(len(line.text) for line in tagged) > _LONGEST * len(groups):
        return False
    for group in groups:
        mark_heading(group, group[0].tag)
    return True


def _groups(lines: Sequence[PdfLine]) -> list[list[PdfLine]]:
    """Group tagged lines; those below each other with equal level and face are one heading."""
    groups: list[list[PdfLine]] = []
    last: PdfLine | None = None
    for line in lines:
        if line.tag:
            if last is not None and _continues_heading(last, line):
                groups[-1].append(line)
            else:
                groups.append([line])
        last = line
    return groups


def _continues_heading(last: PdfLine, line: PdfLine) -> bool:
    step = last.baseline - line.baseline
    is_below = last.page == line.page and -1 < step < 1.8 * line.size
    return is_below and last.tag == line.tag and last.face == line.face
