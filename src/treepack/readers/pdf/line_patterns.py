"""What lines begin and end with (bullets, numbers, leaders, page numbers), and shared measures."""

import re
from typing import Final

MOSTLY: Final = 0.6
"""The share of lines, words or places that is most of them."""
NEARLY_ALL: Final = 0.8
"""The share that is nearly all: of a width, of a line, of rows."""
NEAR: Final = 3.0
"""Points by which positions that are meant to be the same may differ."""
SEVERAL: Final = 3
"""The fewest that show a pattern."""
LONG: Final = 80
"""Characters; no term is so long, and no plain line that is a title."""
LARGER: Final = 1.1
"""How many times as large as usual is clearly larger: a title, or the distance of two rows."""
SHIFT: Final = 5.0
"""Points by which positions clearly differ: an indentation, another column, another table."""
APART: Final = 2.5
"""Em; more white space over all columns parts them, and no more is between lines of a text."""
FAR: Final = 4.0
"""Em; what is farther away does not belong to a bullet, or to a table."""
MOST_LINES: Final = 8
"""Of a heading or a caption."""
MOST_EXAMINED: Final = 60
"""The lines or blocks that are examined for one decision; pages may hold any number of them."""

BULLET: Final = re.compile(
    r"\s*(?:[\u2022\u2023\u25e6\u25aa\u25cf\u25cb\u25a0\u25a1\u2219\u00b7\u25b8\u25ba\u2756\u2713"
    r"\uf0b7\uf0a7*]|[\u2013\u2014\u2212-](?=\s))\s*"
)
"""The bullet that begins an item."""
WORD: Final = re.compile(r"[^\W\d_]{3,}")
"""A word, unlike the short names in a formula."""
SOFT_HYPHENS: Final = ("\x02", "\xad")
"""What PDFium returns for a hyphen at a line end, and the soft hyphen that authors write."""
_HYPHENS: Final = ("-", "\u2010")
ORDERED: Final = re.compile(r"(\d{1,3})([.)])\s+(?=\S)")
"""A number that may begin an item."""
LABEL: Final = re.compile(r"\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)]\s+(?=\S)")
"""A number or letter that begins a paragraph."""
NUMBERED_TITLE: Final = re.compile(r"(?:\d+(?:\.\d+)*|[A-Z](?:\.\d+)+)\.?\s+[^\W\d_]")
"""A title with a number."""
LETTERED_TITLE: Final = re.compile(r"[A-Z]\.\s+[^\W\d_]{2}")
"""A title with a letter, such as A. Setup, but not a name, such as J. R. Smith."""
_TITLE_WORD: Final = (
    "(?:chapter|appendix|part|section|annex|article|kapitel|teil|anhang|chapitre|annexe|partie)"
)
TITLE_NUMBER: Final = re.compile(
    rf"(?:\W|(?i:{_TITLE_WORD})\s)*"
    r"(?:\d+(?:\.\d+)*|[A-Z](?:\.\d+)*|[IVXLC]+)\W{0,2}"
)
"""The number of a title, without the title: 3.1, A, Chapter 2, \u00a7 4."""
PAGE_NUMBER: Final = re.compile(
    r"\W*(?:(?:page|seite|p\.)\s*)?(?:[\dA-Z]{1,3}[-\u2013.])?(\d{1,4}|[ivxlc]{1,7})"
    r"(?:\s*(?:/|of|von|sur|de)\s*\d+)?\W*",
    re.IGNORECASE,
)
"""A line that is a page number."""

TOC_PAGE_NUMBER: Final = re.compile(r"\d{1,4}|[ivxlc]{1,6}|[A-Z]{1,2}-\d{1,3}")
"""A page number in a table of contents."""

TITLE_LABEL: Final = re.compile(
    _TITLE_WORD + r"(?:\s+(?:\d+|[A-Z]|[IVXLC]+|[a-z]{3,12}(?:[- ]?[a-z]{3,5})?))?[.:]?",
    re.IGNORECASE,
)
"""The label above a title: CHAPTER, Appendix B, Part Two; its number may be on the next line."""

NUMBERED_LABEL: Final = re.compile(
    rf"^{_TITLE_WORD}\s+(?:\d+|[A-Z]|[IVXLC]+)\b[.:]?\s*", re.IGNORECASE
)
"""A label with its number, which begins a title: Chapter 3, Annex B."""

LEADERS: Final = re.compile(r"(?:\.\s?){4,}\s*(\d+|[ivxlc]+|[A-Z]-?\d+)?\s*$|(?:\s\.){3,}")
"""The dots before a page number in a table of contents."""
_CONTINUATIONS: Final = ("(", ",", ";", '"', "\u201c", "\u2018")
_FIGURE_LABEL: Final = re.compile(
    r"(?:F(?:igure|IGURE|ig\.|IG\.)|A(?:bbildung|BBILDUNG|bb\.|BB\.))\s*"
    r"(?:[A-Z][.-]?)?\d+(?:[.\u2013-]\d+)*[a-z]?(?:(?P<sure>\s*[:|\u2013\u2014])|\.?(?=\s|$))"
)
_SENTENCE_ENDS: Final = (".", ":", "!", "?")
_CLOSING: Final = ('"', "\u201d", "\u2019", ")")


def before_next(line: str, after: str) -> str:
    """Return a line as it is written before the next one: with a space, or as part of a word."""
    is_lower = after[:1].islower()
    if line.endswith(SOFT_HYPHENS) and after[:1].isalpha():
        return line[:-1] if is_lower else f"{line[:-1]}-"
    is_hyphenated = line.endswith(_HYPHENS) and line[-2:-1].isalpha()
    return line[:-1] if is_lower and is_hyphenated else f"{line} "


def plain_hyphens(text: str) -> str:
    """Return a text with PDFium's line-end hyphens made plain, and soft hyphens removed."""
    return text.replace("\x02", "-").replace("\xad", "")


def begins_figure_caption(before: str, line: str) -> bool:
    """Whether a line begins the caption of a figure.

    "Figure 3" may also be part of a sentence that continues from the previous line; "Figure 3:"
    may not.
    """
    match = _FIGURE_LABEL.match(line)
    if match is None:
        return False
    is_label = line[: match.end()].endswith(".") or match.end() == len(line)
    return bool(match["sure"]) or (is_label and (not before or ends_sentence(before)))


def ends_sentence(text: str) -> bool:
    """Whether a sentence ends at the end of a text, perhaps with a quotation mark or a bracket."""
    return (text[:-1] if text.endswith(_CLOSING) else text).endswith(_SENTENCE_ENDS)


def may_continue(before: str, after: str) -> bool:
    """Whether a sentence or a word may continue from one column or page to the next."""
    goes_on = after[:1].islower() or after[:1].isdecimal() or after.startswith(_CONTINUATIONS)
    return (goes_on and not ends_sentence(before)) or before.endswith(SOFT_HYPHENS)
