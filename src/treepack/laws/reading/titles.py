"""Headings as plain text, and when two of them say the same."""

import html
import re
from collections.abc import MutableMapping
from functools import cache
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

_HTML_HEADING: Final = re.compile(
    r"\s*<h([1-6])(?:\s[^>]*)?>(.*)</h\1\s*>\s*", re.DOTALL | re.IGNORECASE
)
_TAG: Final = re.compile(r"<[^<>]*>")
_OTHER_HEADING: Final = re.compile(r"</?h[1-6][\s>]", re.IGNORECASE)
_UNSAID: Final = re.compile(r"\[\^[^\[\]]*\]|\{[#.:][^{}]*\}\s*$")
_SPEAKING: Final = {
    "text",
    "text_special",
    "code_inline",
    "image",
    "math_inline",
    "math_inline_double",
}
# No sign that means anything to a parser.
_PLAIN: Final = re.compile(r"(?:[^\W_]|[ ,.;:()/+=%'\"-]|)*+")
_COMPARED: Final = 4000  # characters; two titles that agree in so many are the same
_SHORTENED: Final = 500  # characters; no title is shortened to fewer
_SIGN: Final = re.compile(r"[\W_]+")


def html_heading(block: str) -> tuple[int, str, str] | None:
    """An HTML block that is only one heading; None for any other.

    Returns:
        Its level, its plain text, and what stands between its tags.
    """
    match = _HTML_HEADING.fullmatch(block)
    if match is None or _OTHER_HEADING.search(match[2]):
        return None
    return int(match[1]), " ".join(html.unescape(_TAG.sub("", match[2])).split()), match[2]


def title_of(raw: str, env: MutableMapping[str, Any]) -> str:
    """The plain text of inline markdown, white space folded."""
    return titles_of(raw, env)[0]


def titles_of(raw: str, env: MutableMapping[str, Any]) -> tuple[str, ...]:
    """The plain text of inline markdown: as it is and, where there are dollars, with math."""
    if _PLAIN.fullmatch(raw):
        return (" ".join(raw.split()),)
    ways = (False, True) if "$" in raw else (False,)
    parsed = [_parser(has_math=has_math).parseInline(raw, env) for has_math in ways]
    return tuple(" ".join("".join(_words(tokens)).split()) for tokens in parsed)


def same_title(one: str, *others: str) -> bool:
    """Whether a title has the letters and digits of another; without any, whether it is the same.

    A long title may be shortened to its first words and an ellipsis, as it stands in breadcrumbs.
    """
    if one.endswith("…") and len(one) > _SHORTENED:
        return any(_begins(other, one[:-1]) for other in others)
    letters = _letters(one[:_COMPARED])
    return any(letters == _letters(other[:_COMPARED]) for other in others)


def holds_title(text: str, title: str) -> bool:
    """Whether a text spells a title."""
    return _letters(title) in _letters(text)


def holds_words(text: str, words: str) -> bool:
    """Whether a text has the letters and digits of some words in it, as they are."""
    return (_SIGN.sub("", words) or words).casefold() in (_SIGN.sub("", text) + text).casefold()


@cache
def _parser(*, has_math: bool) -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": 20}).use(footnote_plugin)
    return parser.use(dollarmath_plugin) if has_math else parser


def _words(tokens: list[Token]) -> list[str]:
    words: list[str] = []
    waiting = tokens[::-1]
    while waiting:
        token = waiting.pop()
        if token.type in {"softbreak", "hardbreak"}:
            words.append(" ")
        elif token.children:
            waiting += token.children[::-1]
        elif token.type in _SPEAKING:
            words.append(token.content)
    return words


def _begins(title: str, words: str) -> bool:
    return title.startswith(words) or _letters(title[:_COMPARED]).startswith(_letters(words))


def _letters(text: str) -> str:
    said = _UNSAID.sub("", text)
    return _SIGN.sub("", said).casefold() or "".join(said.split())
