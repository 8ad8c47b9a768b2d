"""Breadcrumb entries that name no heading but a clause whose title runs into the text.

``4 Restrictions`` must stand at the beginning of a line that is no heading, at or before the chunk,
or ``Restrictions`` alone in bold type above a line that begins with ``4.``.
The clause must not end before the chunk does: not where a section begins or ends, and not where
the next number of its form begins a paragraph. Where there is no next number, or where it is said
twice, its end is not known.
"""

import re
import sys
from bisect import bisect_right
from typing import Final
from weakref import WeakKeyDictionary

from treepack.laws.reading.parsed_source import ParsedSource

_LINE: Final = re.compile(r"[^\r\n\f]+")
_FIRST_LINE: Final = re.compile(  # of a paragraph; lines without a word, as of a box, are passed
    r"(?:\A|\f|\n[^\S\n]*\n|\r[^\S\r]*\r)(?:[^\w\r\n]*[\r\n]+|)*+\s*"
)
_ITEM: Final = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+(?=§|[^\W_])")
_TOKEN: Final = re.compile(r"[^\W_]+")
_ORDINAL_SIGN: Final = re.compile(r"(?<=\d)[ºª]|(?<=[§.]\s\d)o(?!\w)")
_TAG: Final = re.compile(r"<[^<>]*>")
_ENTITY: Final = re.compile(r"&\w+;")
_TITLE_LINE: Final = re.compile(r"[^\S\r\n]*(?P<mark>[*_]{1,3})(?P<title>[^\r\n]+)(?P=mark)\s+")
_LOOKED_AT: Final = 240  # characters of a line, and of the next one where a title is wrapped
_MOST_LINES: Final = 16  # that are compared; many lines may begin alike
_BETWEEN: Final = r"(?:<[^<>]{0,200}>|[\W_]|)*+"  # the words of a name
_NUMBERED: Final = re.compile(
    r"(?:§\s*)?\d|§\s*[A-Z]\b|[A-Z]{1,3}\.?\d|第\S{1,8}|[IVXLC]+\b|[A-Z](?=[\s(]|$)|[^\W\d_]{2,}\.?\s(?:\d|[IVXLC]+\b|[A-Z]\d{0,2}\b)"
)
_IN_WORDS: Final = re.compile(  # "Article Two", "PRIMERA", "Zweiter Teil"
    r"(?:[^\W\d_]+\.?\s){0,2}(?:[uú]nic|unique|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twent"
    r"|first|second|third|\w+th\b|premi|deux|\w+i[eè]me\b|prim|segund|terc|ter[zc]|cuart|quart|quint"
    r"|sext|sest|s[eé]p?tim|settim|octav|o[it]tav|noven|non[oa]|d[eé]cim|und[eé]c|duod|vig[eé]s"
    r"|erst|zweit|dritt|viert|fünft|sechst|siebe?n?t|acht|neunt|elft|zwölft|\w*zehnt|\w+[zß]igst)",
    re.IGNORECASE,
)
_STEPS: Final = re.compile(
    r"[^()]*(?:\([^\W_]+(?:\.[^\W_]+)*\))*?\((?P<last>[^\W_]+)\)(?P<title>\s.*)?", re.DOTALL
)

_DECIMAL: Final = re.compile(
    r"[*_\\>\[ \t]*(?P<form>(?:(?:§+|[^\W\d_]{2,}\.?)[ \t\u00a0]+)?)(?P<number>\d+(?:\\?\.\d+|)*+)"
    r"(?P<after>\\?[.:]?)(?![^\W_]|\\?\))"
)

_LITERAL: Final = frozenset({"fence", "code", "math", "html"})

_HEADING_MARKS: Final = re.compile(r"[#\s]*")

_Label = tuple[str, tuple[int, ...]]

_known: "WeakKeyDictionary[ParsedSource, dict[str, list[tuple[int, str]]]]" = WeakKeyDictionary()
_labelled: "WeakKeyDictionary[ParsedSource, dict[_Label, list[int]]]" = WeakKeyDictionary()


def clause_line(source: ParsedSource, entry: str, start: int) -> int | None:
    """Return where the last line begins that begins as a breadcrumb entry says.

    Args:
        source: The source as the audit reads it.
        entry: Number and title of a clause: ``4 Restrictions``, ``Section 2.01 Term``, ``7``.
        start: Where the chunk begins; the line stands there or before.

    Returns:
        None if no line does.
    """
    if not (_NUMBERED.match(entry) or _IN_WORDS.match(entry)):
        return None
    item = _ITEM.match(source.text, start)
    word = _TOKEN.search(source.text, item.end() if item else start)
    end = word.start() + 1 if word else len(source.text)
    steps = _STEPS.fullmatch(entry)
    line = _last(source, entry, end)
    if line is None and steps:
        line = _last(source, f"{steps['last']}{steps['title'] or ''}", end)
        first = _first_on_line(source, steps, end)
        line = max((each for each in (line, first) if each is not None), default=None)
    return _below_title(source, entry, end) if line is None else line


def _first_on_line(source: ParsedSource, steps: re.Match[str], end: int) -> int | None:
    """Return where a line begins with a clause and its first step: ``2. Term.—(1) The ...``."""
    above = _TOKEN.findall(steps[0][: steps.start("last")])
    if not above or not _NUMBERED.match(above[-1]):
        return None  # a name that happens to have brackets: "Regulation (EU) 2016/679"
    on_line = re.compile(
        rf"[\W_]*{above[-1]}\b[^\r\n]{{0,{_LOOKED_AT}}}?\([*_]{{0,3}}{steps['last']}[*_]{{0,3}}\)"
    )
    lines = _index(source).get(above[-1].casefold(), ())
    last = bisect_right(lines, (end, ""))
    for start, _ in lines[max(0, last - _MOST_LINES) : last][::-1]:
        if on_line.match(source.text, start):
            return start
    return None


def _below_title(source: ParsedSource, entry: str, end: int) -> int | None:
    """Return where the number of an entry begins a line below its title, which ends before."""
    number, _, title = entry.partition(" ")
    line = _last(source, f"{title} {number}", end) if title else None
    found = None if line is None else _TITLE_LINE.match(source.text, line)
    if found is None or _letters(found["title"]) != _letters(title):
        return None
    is_above = re.compile(rf"\W*{re.escape(number)}\b").match(source.text, found.end())
    return found.end() if is_above else None


def clause_end(source: ParsedSource, start: int) -> int | None:
    """Return where a clause surely ends; None if nothing shows it.

    Args:
        source: The source as the audit reads it.
        start: Where the clause begins, from `clause_line`.

    Returns:
        The beginning of the next section, or of the next clause in the same form (``5.`` after
        ``4.``) if it comes first. None if the numbers begin anew in between, because they may be
        those of a list in the clause, and if the next number comes twice.
    """
    ends = [section.start for section in source.sections_between(start + 1, len(source.text))[:1]]
    following = next_number(source, start, len(source.text), once=True)
    return min([*ends, following] if following is not None else ends, default=None)


def next_number(source: ParsedSource, start: int, end: int, *, once: bool) -> int | None:
    """Return where the next number stands in the form of the one that a line begins with.

    Args:
        source: The source as the audit reads it.
        start: Where a line or a heading begins.
        end: Its end.
        once: Whether a number that comes twice does not count.

    Returns:
        None if there is none, or if the numbers begin anew before it.
    """
    if source not in _labelled:
        _labelled[source] = _labels(source)
    marks = _HEADING_MARKS.match(source.text, start, end)
    label = _label_at(source.text, marks.end() if marks else start)
    if label is None:
        return None
    form, (*above, last) = label
    again, following, after = (
        _after(_labelled[source], (form, (*above, number)), start)
        for number in (1, last + 1, last + 2)
    )
    twice = _after(_labelled[source], (form, (*above, last + 1)), following)
    is_unsure = once and twice < min(again, after)
    return None if following >= again or is_unsure else following


def _label_at(text: str, start: int) -> _Label | None:
    """The number that a line begins with, and its form: ``Section`` before it, a dot after it."""
    label = _DECIMAL.match(text, start)
    if label is None:
        return None
    numbers = label["number"].replace("\\", "").split(".")
    return f"{label['form']}{label['after']}".casefold(), tuple(map(int, numbers))


def _labels(source: ParsedSource) -> dict[_Label, list[int]]:
    """Where blocks begin with each number, with or without a blank line above.

    No clause begins in code, math or a comment.
    """
    found: dict[_Label, list[int]] = {}
    literal = [(block.start, block.end) for block in source.walk() if block.kind in _LITERAL]
    begun = {line.end() for line in _FIRST_LINE.finditer(source.text)}
    begun.update(block.start for block in source.blocks)
    for place in sorted(begun):
        at = bisect_right(literal, (place, len(source.text))) - 1
        is_literal = at >= 0 and place < literal[at][1]
        if not is_literal and (label := _label_at(source.text, place)):
            found.setdefault(label, []).append(place)
    return found


def _after(places: dict[_Label, list[int]], label: _Label, start: int) -> int:
    """Where a paragraph next begins with a label; beyond the text if none does."""
    starts = places.get(label, [])
    at = bisect_right(starts, start)
    return starts[at] if at < len(starts) else sys.maxsize


def _last(source: ParsedSource, name: str, end: int) -> int | None:
    """Where the last line begins that begins with a name, and best where the name ends there.

    ``2 Processing`` is not the line ``2. Processing Details`` if there is another one.
    """
    first = _TOKEN.search(name)
    if first is None:
        return None
    wanted = _letters(name)
    alone = re.compile(rf"[\W_]*{re.escape(name)}(?![^\W_]|\\?\.\d)") if " " not in name else None
    lines = _index(source).get(first[0].casefold(), ())
    found: list[int] = []
    for at in range(bisect_right(lines, (end, "")) - 1, -1, -1):
        start, letters = lines[at]
        is_whole = alone is None or alone.match(source.text, start)
        if letters.startswith(wanted) and is_whole:
            found.append(start)
            if len(letters) == len(wanted) or _ends_name(source.text, start, name):
                return start
            if len(found) == _MOST_LINES:
                break
    return found[0] if found else None


def _ends_name(text: str, start: int, name: str) -> bool:
    """Whether a sign or the line's end follows a name, and no other word."""
    words = _BETWEEN + _BETWEEN.join(map(re.escape, _TOKEN.findall(name)))
    whole = re.compile(rf"{words}(?![^\W_]|[ \t]+\w)", re.IGNORECASE)
    return whole.match(text, start, start + _LOOKED_AT) is not None


def _index(source: ParsedSource) -> dict[str, list[tuple[int, str]]]:
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
                starts = [line.start()]
                if item := _ITEM.match(line[0]):
                    starts.append(line.start() + item.end())
                for start in starts:
                    text = source.text[start : start + _LOOKED_AT]
                    if word := _TOKEN.search(_plain(text)):
                        found.setdefault(word[0].casefold(), []).append((start, _letters(text)))
        _known[source] = found
    return _known[source]


def _plain(text: str) -> str:
    return _ORDINAL_SIGN.sub("", _TAG.sub("", _ENTITY.sub("", text)))


def _letters(text: str) -> str:
    return "".join(_TOKEN.findall(_plain(text))).casefold()
