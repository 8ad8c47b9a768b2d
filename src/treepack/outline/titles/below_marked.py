"""Bold lines whose numbers continue those of marked headings: ``**3.1 Ports**`` below ``# 3``.

PDF converters turn lines in a larger font into headings. Lower titles are only bold.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from treepack.model.blocks import Block, Heading
from treepack.outline.titles.candidates import Candidate
from treepack.outline.titles.lines import Line
from treepack.outline.titles.printed import Key

_FEWEST: Final = 2
_BOLD_NUMBER: Final = re.compile(r"\*\*(\d+(?:\.\d+)*)\.\d+\.?(?:[ \t]|\*\*[ \t])")
_NUMBER: Final = re.compile(r"\d+(?:\.\d+)*")


def may_be_below_marked(text: str, blocks: Sequence[Block]) -> bool:
    """Whether two or more paragraphs begin with a bold number that extends that of a heading."""
    marked_numbers: set[str] = set()
    count = 0
    for block in blocks:
        character = text[block.start]
        if character == "#" and isinstance(block, Heading):
            if number := _NUMBER.match(block.text):
                marked_numbers.add(number[0])
        elif character == "*" and block.kind == "paragraph":
            bold = _BOLD_NUMBER.match(text, block.start)
            count += bold is not None and bold[1] in marked_numbers
            if count == _FEWEST:
                return True
    return False


def below_marked(
    chain: Sequence[Candidate], lines: Sequence[Line]
) -> Iterator[tuple[Candidate, int]]:
    """Yield the bold lines below marked headings, with their levels.

    Args:
        chain: The chain of numbers, of marked headings and of other lines.
        lines: All lines of the text.
    """
    levels = dict[Key, int]()
    for candidate in chain:
        line, key = lines[candidate.line_index], candidate.key
        above = levels.get(key[:-1])
        if line.heading is not None:
            levels[key] = line.heading.level
        elif above is not None and line.is_bold and candidate.role == "title":
            levels[key] = above + 1
            yield candidate, above + 1
