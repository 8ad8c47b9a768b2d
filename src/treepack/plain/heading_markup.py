"""The markup that headings have in other formats than markdown: wikis, AsciiDoc and LaTeX."""

import re
from typing import Final

_LATEX: Final = re.compile(
    r"\\(?P<command>part|chapter|(?:sub){0,2}section|paragraph)\*?(?:\[[^\]]*\])?"
    r"\{(?P<title>.+?)\}(?:\s*\\label\{[^{}]*\})?\s*(?:%.*)?"
)
_COMMANDS: Final = ("part", "chapter", "section", "subsection", "subsubsection", "paragraph")
BOOK_TITLE_MARKUP: Final = "= "
"""The markup of the title of an AsciiDoc book."""
# ``== T ==``, ``==T==`` or ``== T``, but not a tab of MkDocs: ``=== "T"``
_EQUALS: Final = re.compile(
    r"(={1,6})[ \t]+([^\s=].*?)[ \t]+\1|(={2,6})([^\s=].*?)\3|(={1,6})[ \t]+([^\s=\"].*)"
)


def split_heading_markup(line: str, *, is_book: bool) -> tuple[str, str]:
    """Return the markup of a heading and the heading's text; or an empty string and the line.

    The markup is that of a wiki or AsciiDoc, or a backslash for each level of LaTeX. It ends with
    a space.

    Args:
        line: A line.
        is_book: Whether it may be the title of a book or of one of its parts, ``= T``.
    """
    if line[0] == "\\":
        return _split_latex(line)
    equals = _EQUALS.fullmatch(line)
    if equals is None:
        return "", line
    markup, title = (each for each in equals.groups() if each)
    return (f"{markup} ", title) if equals[1] or len(markup) > 1 or is_book else ("", line)


def _split_latex(line: str) -> tuple[str, str]:
    match = _LATEX.fullmatch(line)
    if match is None:
        return "", line
    level = 1 + _COMMANDS.index(match["command"])
    return "\\" * level + " ", match["title"]
