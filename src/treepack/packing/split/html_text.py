"""Where HTML may be cut: between elements and in text, but not in a tag, comment or entity."""

import re
from collections.abc import Callable, Iterator
from typing import Final

from treepack.markdown.html_tables import Tag, tags

# Phrasing content of the HTML standard (section 3.2.5.2.5) that appears within a line of text. Any
# other element, also a JSX element, begins a block.
_INLINE: Final = re.compile(
    r"""a|abbr|acronym|b|bdi|bdo|big|button|cite|code|data|del|dfn|em|font|i|img|input|ins|kbd|label
    |mark|math|meter|output|picture|progress|q|rp|rt|ruby|s|samp|select|slot|small|source|span
    |strike|strong|sub|sup|svg|time|tt|u|var|wbr""",
    re.VERBOSE,
)
_NAME: Final = re.compile(r"[a-z][\w.-]*(?::[\w.-]+)?")  # not <https://a.b> and <a@b.c>
_BREAKS: Final = frozenset({"br", "hr"})
_LITERAL: Final = frozenset({"pre", "script", "style", "textarea"})
_SCRIPT: Final = re.compile(r"<(?:script|style|textarea)\b", re.IGNORECASE)
_WHITESPACE: Final = re.compile(r"\s*+")
_MARKUP: Final = re.compile(
    r"""</?[A-Za-z][^\s/<>]*+(?:[^<>"']|"[^"<]*"|'[^'<]*'|)*+> | <!--(?:[^-\r\n]|-(?!->)){0,200}-->
    | &(?:\#?[0-9A-Za-z]{1,32});""",
    re.VERBOSE,
)


def element_starts(text: str) -> list[int]:
    """Return where block elements, or texts between two block elements, begin.

    Opening tags stay with what they open; closing tags and ``<br>`` stay with what they end. So no
    offset is between two tags of the same sort. None is inside a literal element (``<pre>``).

    >>> text = "<ul><li>one</li><li>two<br>three</li></ul>"
    >>> [text[start:] for start in element_starts(text)]
    ['<li>two<br>three</li></ul>', 'three</li></ul>']
    """
    starts: list[int] = []
    end, can_begin = 0, False  # nothing begins before the first text or between opening tags
    for tag in _block_tags(text):
        has_text = not _WHITESPACE.fullmatch(text, end, tag.start)
        if has_text and can_begin:
            starts.append(_next_text(text, end))
        is_opening = not tag.is_closing and tag.name not in _BREAKS and tag.attributes[-1:] != "/"
        if is_opening and (has_text or can_begin):
            starts.append(tag.start)
        end, can_begin = tag.end, not is_opening
    if can_begin and not _WHITESPACE.fullmatch(text, end):
        starts.append(_next_text(text, end))
    return starts


def is_literal_html(text: str) -> bool:
    """Whether some HTML contains lines that must stay as they are, such as code or a script."""
    return any(_is_literal(tag) for tag in tags(text, 0, len(text)))


def has_script(text: str) -> bool:
    """Whether some HTML has an element whose content has no tags, like ``a < b`` in a script."""
    return _SCRIPT.search(text) is not None


def mask_markup(text: str, is_whole: Callable[[int, int], bool] | None = None) -> str:
    """Return the text with letters in place of what is inside tags, comments and entities.

    So a space, a full stop or a line end in an attribute does not look like one in the text. Tags,
    comments and entities keep their last character; tags and comments also keep ``<`` or ``</``.

    Args:
        text: Some HTML.
        is_whole: Whether the markup between two offsets of the text must not be cut; None if no
            markup may be cut. A tag can be too long for a chunk, such as one with the text that
            describes an image.
    """
    if "<" not in text and "&" not in text:
        return text
    if is_whole is None:
        return _MARKUP.sub(_masked, text)
    return _MARKUP.sub(lambda match: _masked(match) if is_whole(*match.span()) else match[0], text)


def _masked(match: re.Match[str]) -> str:
    markup = match[0]
    head = 0 if markup[0] == "&" else 1 + (markup[1] == "/")
    return f"{markup[:head]}{'x' * (len(markup) - head - 1)}{markup[-1]}"


def before_markup(text: str, begin: int, offset: int) -> int:
    """Return the offset, or the start of a tag, comment or entity around it, after ``begin``."""
    for character in "<&":
        markup_start = text.rfind(character, begin + 1, offset)
        match = _MARKUP.match(text, markup_start) if markup_start > begin else None
        if match and match.end() > offset:
            offset = markup_start
    return offset


def markup_end(text: str, begin: int, end: int) -> int:
    """Return the end of the markup at ``begin`` if it ends by ``end``; otherwise ``begin``."""
    match = _MARKUP.match(text, begin, end)
    return match.end() if match else begin


def _block_tags(text: str) -> Iterator[Tag]:
    """Yield the tags that are not inline, except those inside a literal element."""
    literal = ""
    for tag in tags(text, 0, len(text)):
        if literal:
            if not (tag.is_closing and tag.name == literal):
                continue
            literal = ""
        elif _is_literal(tag):
            literal = tag.name
        if _NAME.fullmatch(tag.name) and not _INLINE.fullmatch(tag.name):
            yield tag


def _is_literal(tag: Tag) -> bool:
    return tag.name in _LITERAL and not tag.is_closing and tag.attributes[-1:] != "/"


def _next_text(text: str, offset: int) -> int:
    match = _WHITESPACE.match(text, offset)
    assert match is not None, "the pattern also matches the empty string"
    return match.end()
