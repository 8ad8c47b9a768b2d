"""The marks that headings have in other formats than markdown: wikis, AsciiDoc and LaTeX."""

import re
from typing import Final

_LATEX: Final = re.compile(
    r"\\(?P<command>part|chapter|(?:sub){0,2}section|paragraph)\*?(?:\[[^\]]*\])?"
    r"\{(?P<said>.+?)\}(?:\s*\\label\{[^{}]*\})?\s*(?:%.*)?"
)
_COMMANDS: Final = ("part", "chapter", "section", "subsection", "subsubsection", "paragraph")
BOOK: Final = "= "
"""The mark of the title of a book of AsciiDoc."""
# ``== T ==``, ``==T==`` or ``== T``, but not a tab of MkDocs: ``=== "T"``
_EQUALS: Final = re.compile(
    r"(={1,6})[ \t]+([^\s=].*?)[ \t]+\1|(={2,6})([^\s=].*?)\3|(={1,6})[ \t]+([^\s=\"].*)"
)


def marked(text: str, *, is_book: bool) -> tuple[str, str]:
    """The mark of a heading, and the heading; or nothing, and the text.

    The mark is that of a wiki or of AsciiDoc, or a backslash for each level of LaTeX; a blank ends
    it.

    Args:
        text: A line.
        is_book: Whether it may be the title of a book or of one of its parts, ``= T``.
    """
    if text[0] == "\\":
        return _latex(text)
    equals = _EQUALS.fullmatch(text)
    if equals is None:
        return "", text
    sign, said = (each for each in equals.groups() if each)
    return (f"{sign} ", said) if equals[1] or len(sign) > 1 or is_book else ("", text)


def _latex(text: str) -> tuple[str, str]:
    match = _LATEX.fullmatch(text)
    if match is None:
        return "", text
    level = 1 + _COMMANDS.index(match["command"])
    return "\\" * level + " ", match["said"]
