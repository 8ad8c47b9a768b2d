"""Headings as plain text, and when two of them say the same."""

import html
import re
from collections.abc import MutableMapping
from functools import cache
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin

_HTML_HEADING: Final = re.compile(
    r"\s*<h([1-6])(?:\s[^>]*)?>(.*)</h\1\s*>\s*", re.DOTALL | re.IGNORECASE
)
_TAG: Final = re.compile(r"<[^<>]*>")
_OTHER_HEADING: Final = re.compile(r"</?h[1-6][\s>]", re.IGNORECASE)
_UNSAID: Final = re.compile(r"\[\^[^\[\]]*\]|\{[#.:][^{}]*\}\s*$")
_SIGN: Final = re.compile(r"[\W_]+")


def html_heading(block: str) -> tuple[int, str] | None:
    """Level and plain text of an HTML block that is only one heading; None for any other."""
    match = _HTML_HEADING.fullmatch(block)
    if match is None or _OTHER_HEADING.search(match[2]):
        return None
    return int(match[1]), " ".join(html.unescape(_TAG.sub("", match[2])).split())


def title_of(raw: str, env: MutableMapping[str, Any]) -> str:
    """The plain text of a heading's inline markdown, white space folded."""
    tokens = _parser().parseInline(raw, env)
    return " ".join("".join(_words(tokens)).split())


def same_title(one: str, other: str) -> bool:
    """Whether two titles agree in their letters and digits (or, having none, altogether)."""
    return _letters(one) == _letters(other)


def holds_title(text: str, title: str) -> bool:
    """Whether a text spells a title."""
    return _letters(title) in _letters(text)


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"maxNesting": 20}).use(footnote_plugin)


def _words(tokens: list[Token]) -> list[str]:
    words: list[str] = []
    waiting = tokens[::-1]
    while waiting:
        token = waiting.pop()
        if token.type in {"softbreak", "hardbreak"}:
            words.append(" ")
        elif token.children:
            waiting += token.children[::-1]
        elif token.type in {"text", "code_inline", "text_special", "image"}:
            words.append(token.content)
    return words


def _letters(text: str) -> str:
    said = _UNSAID.sub("", text)
    return _SIGN.sub("", said).casefold() or "".join(text.split())
