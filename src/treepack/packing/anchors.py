"""Where a long run is parted by its text alone, so that an edit moves only the chunks around it.

Greedy packing falls back into step behind an edit only by chance, when two of its cuts meet; in a
long list, table or code block without headings it may never do. So a run of many chunks is first
parted at anchors, as content-defined chunking does (Bjørner, Blass and Gurevich, "Content-dependent
chunking for differential compression", 2010: local extremes of a hash), and each part is packed by
itself. An anchor depends on nothing but the text within its radius.
"""

import zlib
from collections import deque
from collections.abc import Sequence
from typing import Final

from treepack.packing.units import Unit
from treepack.tokens import TokenIndex

_READ: Final = 1024  # characters of a unit, the words of which make its value,
_VALUED: Final = 256  # at most so many,
_ENOUGH: Final = 320  # which most units have among these


def find_anchors(units: Sequence[Unit], text: str, index: TokenIndex, radius: int) -> set[int]:
    """The starts of the units whose value is the least within a radius on both sides.

    None is nearer than the radius to another, or to an end of the run.

    Args:
        units: A run of sibling units, in order.
        text: The document's, with blanks for page marks: they part the same words.
        index: The document's token counts.
        radius: In tokens.
    """
    start, end = units[0].start, units[-1].end
    length = index.estimate(start, end)
    if length < 2 * radius:
        return set()
    places = [index.estimate(start, unit.start) for unit in units]
    values = [_value(text, unit) for unit in units]
    found: set[int] = set()
    near: deque[int] = deque()  # units within the radius, their values growing
    behind = 0
    for number, place in enumerate(places):
        while behind < len(units) and places[behind] <= place + radius:
            while near and values[near[-1]] > values[behind]:
                near.pop()
            near.append(behind)
            behind += 1
        while places[near[0]] < place - radius:
            near.popleft()
        if near[0] == number and radius <= place <= length - radius:
            found.add(units[number].start)
    return found


def _value(text: str, unit: Unit) -> int:
    words = _words(text, unit, _ENOUGH)
    if len(words) < _VALUED and unit.end - unit.start > _ENOUGH:
        words = _words(text, unit, _READ)
    return zlib.crc32(words[:_VALUED].encode("utf-8", "surrogatepass"))


def _words(text: str, unit: Unit, length: int) -> str:
    return " ".join(text[unit.start : min(unit.end, unit.start + length)].split())
