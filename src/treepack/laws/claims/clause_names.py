"""Breadcrumb entries that name no heading but a clause whose title runs into the text.

``4 Restrictions`` must stand at the beginning of a line that is no heading, at or before the chunk.
That the clause does not end before the chunk does is not checked.
"""

import re
from bisect import bisect_right
from typing import Final
from weakref import WeakKeyDictionary

from treepack.laws.reading.reading import Reading

_LINE: Final = re.compile(r"[^\r\n\f]+")
_TOKEN: Final = re.compile(r"[^\W_]+")
_LOOKED_AT: Final = 240  # characters of a line, and of the next one where a title is wrapped
_NUMBERED: Final = re.compile(
    r"(?:§\s*)?\d|§\s*[A-Z]\b|[IVXLC]+\b|[^\W\d_]{2,}\.?\s(?:\d|[IVXLC]+\b|[A-Z]\d{0,2}\b)"
)
_STEPS: Final = re.compile(r"^.*\((?P<last>[^\W_]+)\)(?P<title>\s.*)?$", re.DOTALL)

_known: "WeakKeyDictionary[Reading, dict[str, list[tuple[int, str]]]]" = WeakKeyDictionary()


def clause_line(source: Reading, entry: str, end: int) -> int | None:
    """Return where the last line before ``end`` begins that begins as a breadcrumb entry says.

    Args:
        source: The source as the audit reads it.
        entry: Number and title of a clause: ``4 Restrictions``, ``Section 2.01 Term``, ``7``.
        end: Where the chunk ends.

    Returns:
        None if no line does.
    """
    if not _NUMBERED.match(entry):
        return None
    steps = _STEPS.match(entry)
    names = [entry, f"{steps['last']}{steps['title'] or ''}"] if steps else [entry]
    starts = [_last(source, name, end) for name in names]
    return max((start for start in starts if start is not None), default=None)


def _last(source: Reading, name: str, end: int) -> int | None:
    first = _TOKEN.search(name)
    if first is None:
        return None
    wanted = _letters(name)
    lines = _index(source).get(first[0].casefold(), ())
    for at in range(bisect_right(lines, (end, "")) - 1, -1, -1):
        if lines[at][1].startswith(wanted):
            return lines[at][0]
    return None


def _index(source: Reading) -> dict[str, list[tuple[int, str]]]:
    """The lines of a source by their first word or number, with their letters and digits."""
    if source not in _known:
        found: dict[str, list[tuple[int, str]]] = {}
        headings = [(section.heading.start, section.heading.end) for section in source.sections]
        for line in _LINE.finditer(source.text):
            first = _TOKEN.search(line[0])
            at = bisect_right(headings, (line.end(), 0)) - 1
            is_marked = line[0].lstrip().startswith("#")  # perhaps a heading that was made text
            is_heading = is_marked or (at >= 0 and line.start() < headings[at][1])
            if first and not is_heading:
                text = source.text[line.start() : line.start() + _LOOKED_AT]
                found.setdefault(first[0].casefold(), []).append((line.start(), _letters(text)))
        _known[source] = found
    return _known[source]


def _letters(text: str) -> str:
    return "".join(_TOKEN.findall(re.sub(r"<[^<>]*>|&\w+;", "", text))).casefold()
