"""Runs of lines whose columns say something: tables, figures, listings of code."""

import re
from collections.abc import Sequence
from typing import Final

_COLUMNS: Final = re.compile(r"\S(?:[ ]{3,}|[ ]*\t[ \t]*)\S")
_BOXES: Final = re.compile(r"[\u2500-\u259f]")
_FRAME: Final = re.compile(r"\+[-=+]{2,}\+|^[|+].*[|+]$")
_RULE: Final = re.compile(r"[-=_*~+|:.^ ]{3,}")
_FIGURES: Final = re.compile(r"[-+\d.,:%$€£()/ ]*\d[-+\d.,:%$€£()/ ]*[ ][-+\d.,:%$€£()/ ]*")
_CODE: Final = re.compile(
    r"(?:\#(?:include|define|if|endif|!)|//|/\*|\*/|[$>%\#]\ ).*"  # comments, prompts
    r"|.*(?:[{}]|\w\([^()]*\)+;|=.*;|\*/|\\)"  # what ends statements
    r"|</?\w[^<>]*>.*"  # a tag
)
_FIRST_OF_CODE: Final = frozenset("#/*$>%<")
_LAST_OF_CODE: Final = frozenset("{};/\\")
"""A line of code begins with one of the first signs, or ends with one of the last."""


def is_laid_out(lines: Sequence[str]) -> bool:
    """Whether at least half of some lines, and two, show columns, frames, rules or code.

    Args:
        lines: The lines of a run, without the blanks around each.
    """
    if len(lines) < 2:  # noqa: PLR2004 - the two that must show it
        return False
    shown = list(map(_shows_layout, lines))
    return sum(shown) >= max(2, len(shown) / 2)


def _shows_layout(line: str) -> bool:
    if "   " in line or "\t" in line:
        return bool(_COLUMNS.search(line))
    may_be_code = line[:1] in _FIRST_OF_CODE or line[-1:] in _LAST_OF_CODE
    return bool(
        "...." in line
        or ". . . . " in line
        or "____" in line
        or (not line.isascii() and _BOXES.search(line))
        or (("+" in line or "|" in line) and _FRAME.search(line))
        or _RULE.fullmatch(line)
        or _FIGURES.fullmatch(line)
        or (may_be_code and _CODE.fullmatch(line))
    )
