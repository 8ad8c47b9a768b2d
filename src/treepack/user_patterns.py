"""A user's patterns for titles and page marks, which may not take long on any text.

All searches in one text have a time limit together, which grows with the text. In addition, matches
are short: lines with a title and page marks have at most `LONGEST_LINE` characters.
"""

import time
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

import regex

from treepack.errors import PatternError

LONGEST_LINE: Final = 200
_DEEPEST: Final = 9
_SECONDS: Final = 0.2  # CPU time of all searches in one text
_SECONDS_PER_CHARACTER: Final = 2e-6  # what is added for its length; most patterns take a hundredth
_NO_TIME: Final = 1e-6  # seconds


class UserPattern(NamedTuple):
    """A compiled pattern, and what errors call it; page marks have the level 0."""

    pattern: regex.Pattern[str]
    name: str
    level: int


def compile_heading_patterns(patterns: Mapping[int, str] | None) -> tuple[UserPattern, ...]:
    """Compile patterns that are searched for in each line; the result begins with level 1.

    Raises:
        PatternError: A level is out of range, or a pattern is not a regular expression.
    """
    for level in patterns or {}:
        if not 1 <= level <= _DEEPEST:
            msg = f"heading_patterns has the level {level}, but levels are 1 to {_DEEPEST}"
            raise PatternError(msg)
    return tuple(
        _compiled(pattern, f"the heading pattern of level {level}, {pattern!r},", level)
        for level, pattern in sorted((patterns or {}).items())
    )


def compile_page_pattern(pattern: str) -> UserPattern:
    """Compile the pattern of a page mark; ``^`` and ``$`` match at the ends of lines.

    Raises:
        PatternError: It is not a regular expression.
    """
    return _compiled(pattern, f"the page pattern {pattern!r}", 0)


def _compiled(pattern: str, name: str, level: int) -> UserPattern:
    try:
        return UserPattern(regex.compile(pattern, 0 if level else regex.MULTILINE), name, level)
    except regex.error as wrong:
        msg = f"{name} is not a regular expression: {wrong}"
        raise PatternError(msg) from wrong


class TimedSearch:
    """Searches one text of a certain length, with a time limit for all searches together."""

    def __init__(self, length: int) -> None:
        self._end = time.process_time() + _SECONDS + _SECONDS_PER_CHARACTER * length

    def search(
        self, pattern: UserPattern, text: str, start: int = 0, end: int | None = None
    ) -> regex.Match[str] | None:
        """Return the first match in a part of the text.

        Raises:
            PatternError: There is no time left.
        """
        left = max(self._end - time.process_time(), _NO_TIME)
        try:
            return pattern.pattern.search(text, start, end, timeout=left)
        except TimeoutError as timeout:
            remedy = "simplify what it repeats: a repeat inside a repeat, such as (a+)+, is slow"
            msg = f"{pattern.name} takes too long on this text; {remedy}"
            raise PatternError(msg) from timeout


def page_marks(pattern: UserPattern, text: str) -> Iterator[regex.Match[str]]:
    """Yield the matches of a page pattern that are no longer than `LONGEST_LINE`.

    The text is searched in windows of twice that size, each of which overlaps the previous one,
    because the time of one search may grow faster than the text.
    """
    timed = TimedSearch(len(text))
    at = 0
    while at < len(text):
        middle, end = at + LONGEST_LINE, at + 2 * LONGEST_LINE
        match = timed.search(pattern, text, at, end)
        if match is None or match.start() >= middle:
            at = middle
            continue
        if end >= len(text) or match.end() < end:
            yield match
        at = max(match.end(), at + 1)
