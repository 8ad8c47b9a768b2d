"""Code fences around a whole text: language models often begin answers with ```` ```markdown ````.

A text that a model wrote, or read from pictures of pages, may be enclosed as a whole or page by
page. Read as code, it would have neither headings nor tables. The lines of such fences are skipped,
and what they enclose is read as markdown.
"""

import re
from collections.abc import Collection, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from treepack.model.blocks import Span

_WORDS: Final = ("```markdown", "```md", "```Markdown", "~~~markdown", "~~~md")
_FENCE: Final = re.compile(r"[ \t]*(?P<fence>`{3,}|~{3,})(?P<info>[^`\r\n\f]*)")
_LANGUAGES: Final = frozenset({"markdown", "md"})
_RULE: Final = re.compile(r"[ ]{0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*")
_LINE: Final = re.compile(r"[^\r\n\f]*[^\s][^\r\n\f]*")

_Kind: TypeAlias = Literal["mark", "rule", "fence", "text"]


class _Line(NamedTuple):
    """A line that is not blank; of a fence, its signs and what follows them."""

    span: Span
    kind: _Kind
    fence: str = ""
    info: str = ""

    @property
    def is_opening(self) -> bool:
        """Whether it may open a fence around a text."""
        return self.info.casefold() in _LANGUAGES


def fences_around(text: str, marks: Collection[Span], start: int = 0) -> list[Span]:
    """Return the lines of the fences that enclose all text; none if some text is outside of them.

    Page marks, thematic breaks and blank lines may be outside. Code inside must name its language:
    a fence without a language ends the enclosed text. The last fence may lack its end, like an
    answer that was cut off.

    Args:
        text: The text.
        marks: The lines that may be page marks.
        start: What is before this offset is not looked at, such as front matter.
    """
    if not any(word in text for word in _WORDS):
        return []  # most texts
    lines = _lines(text, marks, start)
    found: list[Span] = []
    opened, inside = "", 0  # the fence around the text, and how many fences are open inside it
    for at, line in enumerate(lines):
        if not opened:
            if line.is_opening:
                found.append(line.span)
                opened = line.fence
            elif line.kind in {"fence", "text"}:
                return []
        elif line.fence.startswith(opened):
            if line.info:
                inside += 1
            elif inside:
                inside -= 1
            elif _is_last(lines, at):
                found.append(line.span)
                opened = ""
            else:
                return []
    return found


def _lines(text: str, marks: Collection[Span], start: int) -> list[_Line]:
    known = {offset for begin, end in marks for offset in range(begin, end)}
    found: list[_Line] = []
    for match in _LINE.finditer(text, start):
        if fence := _FENCE.fullmatch(match[0]):
            found.append(_Line(match.span(), "fence", fence["fence"], fence["info"].strip()))
        elif match.start() in known:
            found.append(_Line(match.span(), "mark"))
        else:
            found.append(_Line(match.span(), "rule" if _RULE.fullmatch(match[0]) else "text"))
    return found


def _is_last(lines: Sequence[_Line], at: int) -> bool:
    """Whether no text follows a line, before a page mark or another fence around a text."""
    after = next((line for line in lines[at + 1 :] if line.kind != "rule"), None)
    return after is None or after.kind == "mark" or after.is_opening
