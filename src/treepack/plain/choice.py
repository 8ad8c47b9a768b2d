"""Whether a text is markdown or plain: by its name, and by three signs of markdown in the text.

``.md`` is markdown and ``.rst`` is plain. A ``.txt``, or what a loader made of a ``.pdf``, is plain
unless it has a table with a delimiter row, links, or headings that are no comments of code or
settings. A text without such a name is markdown.
"""

import re
from typing import Final, Literal, NamedTuple, TypeAlias

from treepack.graphemes import with_line_feeds
from treepack.model.source import BYTE_ORDER_MARK, Source
from treepack.plain.lines import LONG_LINE

Markup: TypeAlias = Literal["markdown", "plain"]

_MARKDOWN_SUFFIXES: Final = {".md", ".markdown", ".mdown", ".mkd", ".mdx", ".mdc", ".qmd", ".rmd"}
_OTHER_SUFFIXES: Final = {".rst", ".rest", ".adoc", ".asciidoc", ".wiki", ".mediawiki", ".tex"}
# The text that loaders make of most of these has no markdown markup, but that of converters has.
_PLAIN_SUFFIXES: Final = {
    ".txt", ".text", ".log", ".asc", ".pdf", ".html", ".htm", ".xhtml", ".eml", ".msg", ".doc",
    ".docx", ".odt", ".rtf", ".ppt", ".pptx",
}  # fmt: skip

_LINES_PER_LINK: Final = 100  # with fewer links, they may be quoted
_CODE: Final = re.compile(r"^(```|~~~).*?(?:^\1|\Z)", re.MULTILINE | re.DOTALL)
_DELIMITERS: Final = re.compile(  # begins with a line end, because that is found fast
    r"\n(?=[|:-])(?=[^|\n]*\|)(?:\|[ \t]*)?"
    r":?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*|)*+\|?[ \t]*(?=\n|\Z)"
)
_LINK: Final = re.compile(
    r"(?<![\w\])])\[[^\[\]\n]+\]"
    r"\((?:(?:https?://|mailto:|\.{0,2}/\w|\#\w)[^\s()]*|[\w%./-]+\.\w+(?:\#[^\s()]*)?)\)"
)
# The space after the hashes; a line that ends like a sentence is more likely a comment.
_HEADING: Final = re.compile(r"#{1,6}[ \t]+[^\s#].*(?<![.;,])")
_PROSE: Final = re.compile(  # perhaps with a number or emphasis before it
    r"(?:\(?\d[\d.]*\)?[ ]+)?[*_\"“„«(\[]{0,3}[^\W\d_]"
    rf"(?:.*[.!?。！？：؟।…]|\S*[ ].*:|.{{{LONG_LINE},}})"
)
_ITEM: Final = re.compile(r"[-*] [^:=]+")
_STATEMENT: Final = re.compile(r".*(?:[;{}\\]|\)[ \t]*:|\w[ \t]*[:+-]?=.*)")


class Choice(NamedTuple):
    """The decision how to read a text, and the reason for it."""

    markup: Markup
    reason: str


def choose(source: Source, file: str = "") -> Choice:
    """Return whether a source is markdown or plain text, and why."""
    if source.origins:
        return Choice("markdown", "it became markdown when it was read")
    name = file or source.name
    suffix = name[name.rfind(".") :].lower() if "." in name else ""  # `pathlib` would be slow
    reason = f"its name ends with {suffix}"
    if suffix in _OTHER_SUFFIXES:
        return Choice("plain", reason)
    if suffix not in _PLAIN_SUFFIXES:
        is_named = suffix in _MARKDOWN_SUFFIXES
        return Choice("markdown", reason if is_named else "its name does not show that it is plain")
    if sign := _sign_of_markdown(source.text):
        return Choice("markdown", f"{reason}, but it has {sign}")
    return Choice("plain", f"{reason}, and it has no headings, links or tables of markdown")


def _sign_of_markdown(text: str) -> str:
    """Return the first sign of markdown in a text; empty if there is none."""
    text = with_line_feeds(text.removeprefix(BYTE_ORDER_MARK))
    text = _CODE.sub("", text)
    if any(_is_header(text, match.start()) for match in _DELIMITERS.finditer(text)):
        return "a table of markdown"
    if not ("](" in text or text.startswith("#") or "\n#" in text):
        return ""  # the common case
    lines = [line.rstrip() for line in text.split("\n")]
    if len(_LINK.findall(text)) * _LINES_PER_LINK >= sum(map(bool, lines)) > 0:
        return "links of markdown"
    return "headings of markdown" if _has_headings(lines) else ""


def _is_header(text: str, end: int) -> bool:
    """Whether the line that ends at an offset may be a table's header."""
    line = text[text.rfind("\n", 0, end) + 1 : end]
    return "|" in line and not line[0].isspace()


def _has_headings(lines: list[str]) -> bool:
    """Whether lines with ``#`` are headings, not comments of code or settings.

    A heading is below a blank line, and above a blank line or prose. A single one begins the text.
    Most other lines are prose or items.
    """
    around = ["", *lines, ""]
    rows = [index for index, line in enumerate(around) if line.startswith("#")]
    is_top = [not line or line.endswith("-->") for line in around]  # or a converter's page mark
    headings = sum(
        _HEADING.fullmatch(around[row]) is not None
        and is_top[row - 1]
        and (not around[row + 1] or _PROSE.fullmatch(around[row + 1]) is not None)
        for row in rows
    )
    if headings * 2 <= len(rows) or (headings == 1 and not all(is_top[: rows[0]])):
        return False
    others = [line for line in lines if line and not line.startswith("#")]
    prose = sum(bool(_PROSE.fullmatch(line) or _ITEM.fullmatch(line)) for line in others)
    return not others or prose > sum(_STATEMENT.fullmatch(line) is not None for line in others)
