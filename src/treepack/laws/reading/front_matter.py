"""Front matter, as the audit reads it."""

import re
from typing import Final

_FRONT_MATTER: Final = re.compile(
    r"""
    \ufeff?
    (?: ---[ \t]* (?:\r\n|\n|\r) (?P<yaml> (?: (?!(?:---|\.\.\.)[ \t]*(?:[\r\n]|\Z))
            [^\r\n]*+ (?:\r\n|\n|\r) |)*+ ) (?:---|\.\.\.)
      | \+\+\+[ \t]* (?:\r\n|\n|\r) (?: (?!\+\+\+[ \t]*(?:[\r\n]|\Z))
            [^\r\n]*+ (?:\r\n|\n|\r) |)*+ \+\+\+ )
    [ \t]* (?=[\r\n]|\Z)
    """,
    re.VERBOSE,
)
# The first line that says something has a key. That a later one looks like it is not enough:
# prose between two rules may well have a line like "Note: ...".
_KEY: Final = re.compile(
    r"""(?:[ \t]*(?:\#[^\r\n]*)?[\r\n]|)*+ [ \t]*
        (?: \{ | ["']?\w[\w ./-]*["']?[ \t]*:(?:\s|\Z) )""",
    re.VERBOSE,
)


def front_matter_end(text: str, *, certain: bool = False) -> int:
    """Where the front matter at the top of a text ends; 0 without any.

    Args:
        text: The text.
        certain: It is known that there is some; then it need not look like one inside.
    """
    match = _FRONT_MATTER.match(text)
    if match is None:
        return 0
    inside = match["yaml"]
    if certain or inside is None or not inside.strip() or _KEY.match(inside):
        return match.end()
    return 0
