r"""Checks a user's patterns for titles and page marks, so that they are quick on any text.

Python's ``re`` has no time limit. Patterns that would need one are refused instead: a repeat of
something that can match in several ways (``(a+)+``, ``(a|b)*``; ``(\.\d+)*`` is fine, because it
begins with an atom that it does not repeat), two adjacent repeats that can match the same character
(``\w+\w*``), more than two repeats of anything (``.*``), and backreferences. In addition, matches
are short: a title is looked for in lines of at most `LONGEST_LINE` characters, and a page mark has
at most `LONGEST_MARK`.
"""

import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import Final, NamedTuple

from treepack.errors import HeadingPatternError, PagePatternError

LONGEST_LINE: Final = 200
"""The most characters of a line that a pattern may make a title."""
LONGEST_MARK: Final = 200
"""The most characters of a page mark that a pattern may find."""

_DEEPEST: Final = 9
_MOST_WILD: Final = 2  # repeats of atoms such as ``.`` in one pattern
_LONGEST_PATTERN: Final = 1000  # characters
_CODE_ESCAPE: Final = r"\\(?:x..|u.{4}|U.{8}|N\{[^}]*\}|[0-7]{1,3})"  # by number or name
_ESCAPE: Final = re.compile(rf"(?P<coded>{_CODE_ESCAPE})|\\.", re.DOTALL)
_COMMENT: Final = r"\(\?(?:\#[^)]*|[a-zA-Z]+)\)"  # or flags of the whole pattern
_VERBOSE_COMMENT: Final = rf"{_COMMENT} | [ \t\n\r\v\f]+ | \#[^\n]*"
_TOKEN: Final = (
    rf"(?P<coded> {_CODE_ESCAPE} ) |"
    r"""
      (?P<atom> \\. | \[ \^? \]? (?:\\.|[^\]\\])* \] | [^()|*+?{}\\\[] | [{}](?!\d*,?\d*\}) )
    | (?P<open> \( (?:\?(?:[:=!>]|<[=!]|P<\w+>|[a-zA-Z-]+:))? )
    | (?P<close> \) )
    | (?P<repeat> (?:[*+?]|\{\d*(?:,\d*)?\}) [?+]? )
    | (?P<or> \| )
    """
)
_ZERO_WIDTH: Final = frozenset({"^", "$", r"\A", r"\Z", r"\b", r"\B"})
_WILD: Final = re.compile(r"\.|\\[SDW]|\[\^.*", re.DOTALL)
_CATEGORIES: Final = re.compile(r"\d+|\s+|[^\W\d]+|[^\w\s]+")
_LAST_SCRIPT: Final = 0x3FFFF  # after it there are no letters, digits and whitespace
_BACKREFERENCE: Final = re.compile(r"\\[1-9]|\(\?P=|\(\?\(")


class HeadingPattern(NamedTuple):
    """A pattern with the level of the titles that it finds."""

    level: int
    pattern: re.Pattern[str]


def compile_heading_patterns(patterns: Mapping[int, str] | None) -> tuple[HeadingPattern, ...]:
    r"""Compile the patterns; the result begins with level 1.

    Args:
        patterns: Levels from 1, each with a pattern such as ``^ARTICLE [IVXLC]+``. The pattern is
            searched for in each line, without the whitespace around the line.

    Raises:
        HeadingPatternError: A level is out of range, or a pattern is not a regular expression or
            may take long; the message says which, and where.
    """
    compiled_patterns: list[HeadingPattern] = []
    for level, pattern in sorted((patterns or {}).items()):
        if not 1 <= level <= _DEEPEST:
            msg = f"heading_patterns has the level {level}, but levels are 1 to {_DEEPEST}"
            raise HeadingPatternError(msg)
        try:
            compiled = re.compile(pattern)
        except re.error as error:
            where = "" if error.pos is None else f" at character {error.pos}"
            reason = f"is not a regular expression{where}: {error.msg}"
            raise _refused(level, pattern, reason) from error
        for position, reason in _slow_parts(compiled):
            why = f"may take too long, at character {position}: {reason}"
            raise _refused(level, pattern, why)
        compiled_patterns.append(HeadingPattern(level, compiled))
    return tuple(compiled_patterns)


def _refused(level: int, pattern: str, reason: str) -> HeadingPatternError:
    return HeadingPatternError(f"the heading pattern of level {level}, {pattern!r}, {reason}")


def compile_page_pattern(pattern: str | re.Pattern[str]) -> re.Pattern[str]:
    """Compile the pattern of a page mark; ``^`` and ``$`` match at the ends of lines.

    Args:
        pattern: The pattern; if it is compiled already, it keeps its own flags.

    Raises:
        PagePatternError: It is not a regular expression, or may take long; the message says where.
    """
    try:
        compiled = re.compile(pattern, re.MULTILINE) if isinstance(pattern, str) else pattern
    except re.error as error:
        msg = f"the page pattern {pattern!r} is not a regular expression: {error}"
        raise PagePatternError(msg) from error
    for position, reason in _slow_parts(compiled):
        where = f"at character {position}: {reason}"
        msg = f"the page pattern {compiled.pattern!r} may take too long, {where}"
        raise PagePatternError(msg)
    return compiled


def page_marks(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield the matches of a page pattern that are no longer than `LONGEST_MARK`.

    The text is searched in windows of twice that size, each of which overlaps the previous one,
    because the time of one search may grow faster than the text.
    """
    at = 0
    while at < len(text):
        middle, end = at + LONGEST_MARK, at + 2 * LONGEST_MARK
        match = pattern.search(text, at, end)
        if match is None or match.start() >= middle:
            at = middle
            continue
        if end >= len(text) or match.end() < end:
            yield match
        at = max(match.end(), at + 1)


class _Group:
    """An open group, or the whole pattern.

    Attributes:
        first: The atom that it must begin with; empty if there is no such atom.
        repeated: The atoms that are repeated in it.
        is_choice: Whether it contains an alternation (``|``).
        has_content: Whether it has an atom or a group already.
        last_repeated: The atom of the last open repeat, as long as nothing has followed it.
    """

    def __init__(self) -> None:
        self.first = ""
        self.repeated: list[str] = []
        self.is_choice = False
        self.has_content = False
        self.last_repeated = ""

    def is_quick_to_repeat(self, flags: re.RegexFlag) -> bool:
        """Whether it can match in one way only, so that a repeat of it is quick.

        It must have no alternation. If atoms in it repeat, it must begin with an atom that cannot
        match what they match.
        """
        if self.is_choice:
            return False
        if not self.repeated:
            return True
        return bool(self.first) and not any(
            _overlap(self.first, atom, flags) for atom in self.repeated
        )


def _slow_parts(compiled: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    """Yield what may take long: its position in the pattern, from 0, and the reason."""
    pattern = compiled.pattern
    if len(pattern) > _LONGEST_PATTERN:
        yield _LONGEST_PATTERN, f"it has more than {_LONGEST_PATTERN} characters"
    if backreference := _BACKREFERENCE.search(pattern):
        yield backreference.start(), "it has a backreference"
    tokens = [*_tokens(compiled), None]
    scan = _Scan(re.RegexFlag(compiled.flags))
    for token, following in pairwise(tokens):
        assert token is not None, "only the last is none"
        is_repeated = following is not None and following.lastgroup == "repeat"
        if reason := scan.read(token.lastgroup or "", token[0], is_repeated=is_repeated):
            yield token.start(), reason


def _tokens(compiled: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """Yield the tokens of a pattern, without comments."""
    comment = _VERBOSE_COMMENT if compiled.flags & re.VERBOSE else _COMMENT
    pattern = re.compile(rf"(?P<comment> {comment} ) | {_TOKEN}", re.VERBOSE | re.DOTALL)
    return (match for match in pattern.finditer(compiled.pattern) if match.lastgroup != "comment")


class _Scan:
    """Reads a pattern from left to right.

    Attributes:
        groups: The open groups, outermost first.
        last: The previous atom or group.
        wild_repeats: The number of repeats of anything.
        flags: The flags of the pattern, and of all its groups so far, such as ``(?i:a)``.
    """

    def __init__(self, flags: re.RegexFlag) -> None:
        self.groups = [_Group()]
        self.last: str | _Group = ""
        self.wild_repeats = 0
        self.flags = flags

    def read(self, kind: str, token: str, *, is_repeated: bool) -> str:
        """Read one more token; return why it may take long, or an empty string."""
        group = self.groups[-1]
        match kind:
            case "open":
                self.groups.append(_Group())
                return self._read_flags(token.removeprefix("(?")) if token.endswith(":") else ""
            case "close" if len(self.groups) > 1:
                self._close_group(self.groups.pop(), self.groups[-1])
            case "or":
                group.is_choice, group.last_repeated = True, ""
            case "atom" | "coded":
                self._read_atom(group, token, is_repeated=is_repeated)
            case "repeat" if _is_unbounded(token):
                return self._read_repeat(group)
            case _:
                pass
        return ""

    def _read_flags(self, letters: str) -> str:
        for letter, flag in (("i", re.IGNORECASE), ("a", re.ASCII)):
            self.flags |= flag if letter in letters else re.NOFLAG
        return "the flag x is set for only a part of it" if "x" in letters else ""

    def _close_group(self, closed: _Group, outer: _Group) -> None:
        outer.repeated += closed.repeated
        outer.is_choice |= closed.is_choice
        outer.has_content = True
        outer.last_repeated = "" if closed.has_content else outer.last_repeated
        self.last = closed

    def _read_atom(self, group: _Group, token: str, *, is_repeated: bool) -> None:
        is_zero_width = token in _ZERO_WIDTH
        if not (group.has_content or is_repeated or is_zero_width):
            group.first = token
        group.has_content = group.has_content or not is_zero_width
        group.last_repeated = group.last_repeated if is_repeated else ""
        self.last = token

    def _read_repeat(self, group: _Group) -> str:
        last = self.last
        if isinstance(last, _Group):
            is_quick = last.is_quick_to_repeat(self.flags)
            return "" if is_quick else "a repeat of a group that can match one text in several ways"
        previous, group.last_repeated = group.last_repeated, last
        group.repeated.append(last)
        self.wild_repeats += _WILD.fullmatch(last) is not None
        if self.wild_repeats > _MOST_WILD:
            return "more than two repeats of any character"
        is_double = bool(previous) and _overlap(previous, last, self.flags)
        return "two adjacent repeats of the same characters" if is_double else ""


def _overlap(first: str, second: str, flags: re.RegexFlag) -> bool:
    """Whether some character is matched by both atoms, with or without each of the flags.

    The characters that an atom matches are ranges of code points and categories (digits, other
    word characters, whitespace, the rest). If a character is in both atoms, then so is the first
    character of its category's run or the first of its range, and these are tried. A flag that
    ignores case adds the characters that have cases.
    """
    ignores_case, is_ascii = flags & re.IGNORECASE, flags & re.ASCII
    atoms = first + second
    coded = "".join(match["coded"] or "" for match in _ESCAPE.finditer(atoms))
    named = atoms + coded.encode().decode("unicode_escape")
    following = "".join(chr(min(ord(character) + 1, sys.maxunicode)) for character in named)
    tried = _category_starts() + named + following
    if ignores_case:
        tried += _cased_characters()
    subsets = {re.NOFLAG, ignores_case, is_ascii, ignores_case | is_ascii}
    both = f"(?={first}){second}"
    return any(re.compile(both, re.DOTALL | flag).search(tried) for flag in subsets)


@cache
def _category_starts() -> str:
    """Return the first characters of all runs of one category in the order of code points."""
    every = "".join(map(chr, range(_LAST_SCRIPT + 1)))
    starts = "".join(every[run.start()] for run in _CATEGORIES.finditer(every))
    return every[:129] + starts  # an ASCII category ends before 128


@cache
def _cased_characters() -> str:
    """Return the characters that have cases, and after each the next code point."""
    cased = (code for code in range(_LAST_SCRIPT) if chr(code).lower() != chr(code).upper())
    return "".join(chr(code) + chr(code + 1) for code in cased)


def _is_unbounded(repeat: str) -> bool:
    """Whether a repeat has no upper limit, or one above 10."""
    if repeat[0] in "*+":
        return True
    numbers = repeat.strip("{}?+").split(",")
    return repeat[0] == "{" and (not numbers[-1] or int(numbers[-1]) > 10)  # noqa: PLR2004 - quick
