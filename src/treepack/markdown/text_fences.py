"""Code fences around a whole text: language models often begin answers with ```` ```markdown ````.

A text that a model wrote, or read from pictures of pages, may be enclosed as a whole or page by
page. Read as code, it would have neither headings nor tables. The lines of such fences are skipped,
and what they enclose is read as markdown.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from treepack.model.blocks import Span

_FENCE: Final = re.compile(r"[ \t]*(?P<fence>`{3,}|~{3,})(?P<info>[^`\r\n\f]*)")
_LANGUAGES: Final = frozenset({"markdown", "md"})
_RULE: Final = re.compile(r"[ ]{0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*")
_LINE: Final = re.compile(r"[^\r\n\f]+")


class _Line(NamedTuple):
    """A line that is not blank; for a fence also its characters and what follows them.

    ``may_be_outside`` is true for page marks and thematic breaks.
    """

    span: Span
    may_be_outside: bool
    fence: str = ""
    info: str = ""


def fences_around(text: str, marks: Sequence[Span], start: int = 0) -> list[Span]:
    """Return the lines of the fences that enclose all text; none if some text is outside of them.

    Page marks, thematic breaks and blank lines may be outside. Code inside must name its language:
    a fence without a language ends the enclosed text. The last fence may lack its end, like an
    answer that was cut off.

    Args:
        text: The text.
        marks: The lines that may be page marks, in order.
        start: What is before this offset is not looked at, such as front matter.
    """
    spans: list[Span] = []
    open_fence, depth = "", 0  # the fence around the text, and how many fences are open inside it
    for line in _lines(text, marks, start):
        if not open_fence:
            if line.info.strip().casefold() in _LANGUAGES:
                spans.append(line.span)
                open_fence = line.fence
            elif not line.may_be_outside:
                return []  # most texts, at their first line
        elif line.fence.startswith(open_fence):
            if line.info.strip():
                depth += 1
            elif depth:
                depth -= 1
            else:
                spans.append(line.span)
                open_fence = ""
    return spans


def _lines(text: str, marks: Sequence[Span], start: int) -> Iterator[_Line]:
    later_marks = list(reversed(marks))
    mark_end = 0  # of the marks that begin above or on the line
    for match in _LINE.finditer(text, start):
        if match[0].isspace():
            continue
        while later_marks and later_marks[-1][0] <= match.start():
            mark_end = max(mark_end, later_marks.pop()[1])
        if fence := _FENCE.fullmatch(match[0]):
            yield _Line(match.span(), may_be_outside=False, **fence.groupdict())
        else:
            is_mark = match.start() < mark_end or _RULE.fullmatch(match[0]) is not None
            yield _Line(match.span(), is_mark)
