"""Bold lines whose numbers go on from those of marked headings: ``**3.1 Ports**`` below ``# 3``.

Converters of PDFs mark what is larger than the text. Lower titles are only bold there.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from treepack.model.blocks import Block
from treepack.outline.titles.candidates import Candidate
from treepack.outline.titles.lines import Line

_FEWEST: Final = 2
_BOLD_NUMBER: Final = re.compile(r"\*\*\d+(?:\.\d+)+\.?(?:[ \t]|\*\*[ \t])")


def may_be_below_marked(text: str, blocks: Sequence[Block]) -> bool:
    """Whether a few paragraphs begin with a number of several steps in bold type."""
    found = 0
    for block in blocks:
        if block.kind == "paragraph" and text.startswith("**", block.start):
            found += _BOLD_NUMBER.match(text, block.start, block.end) is not None
            if found == _FEWEST:
                return True
    return False


def below_marked(chain: Sequence[Candidate], lines: Sequence[Line]) -> Iterator[tuple[int, int]]:
    """The places of bold lines below marked headings, and their levels.

    Args:
        chain: The numbers that count on, of marked headings and of other lines.
        lines: All lines of the text.
    """
    levels: dict[tuple[int | str, ...], int] = {}
    for candidate in chain:
        line, key = lines[candidate.at], candidate.key
        above = levels.get(key[:-1])
        if line.heading is not None:
            levels[key] = line.heading.level
        elif above is not None and line.is_bold and candidate.role == "title":
            levels[key] = above + 1
            yield candidate.at, above + 1
