"""Pages that consist of plain text in ``<pre>``: bills, federal rules, RFCs, old filings.

A browser shows them as they were typed, so they are read like a plain text file, whose titles and
paragraphs are found by its lines.
"""

import re
from typing import Final

from treepack.readers.html.tree import HtmlElement, Text

_SHORTEST: Final = 1000  # characters; a shorter text may be a code listing
_MOST_AROUND: Final = 0.05  # of its characters may be around it, such as links to other formats
_CODE_LINE: Final = re.compile(
    r"""[{}]$ | \);$ | \w\ [-+*/]?=+\ [\w"'\[({]
      | ^(?:\#include|import\ |from\ \w+\ import|def\ |class\ |//|/\*|<[\w/])""",
    re.VERBOSE,
)
_CODE_CLASS: Final = re.compile(r"(?i:\b(?:lang|highlight|source|brush|code|listing|syntax))")
_MOST_CODE: Final = 0.1  # of the lines
_MOST_SPANS: Final = 0.5  # per line; coloured code has more


def plain_text(content: HtmlElement) -> str | None:
    """Return the text of a page that consists of ``<pre>`` elements; None for other pages.

    The texts of several elements become pages, separated by form feeds. Code listings, known by
    their markup or their look, do not count as plain text.
    """
    texts: list[str] = []
    around = spans = 0
    stack: list[HtmlElement | Text] = [content]
    while stack:
        node = stack.pop()
        if isinstance(node, Text):
            around += len(node.data.strip())
        elif node.level is not None or _CODE_CLASS.search(" ".join(node.classes)):
            return None
        elif node.name == "pre":
            inside = [*node.walk()]
            if any(inner.name == "code" or inner.level is not None for inner in inside):
                return None
            spans += sum(inner.name == "span" for inner in inside)
            texts.append(node.text())
        elif not node.is_furniture:
            stack += node.children[::-1]
    size = sum(len(text.strip()) for text in texts)
    if size < _SHORTEST or around > _MOST_AROUND * size:
        return None
    lines = [line for text in texts for line in map(str.strip, text.split("\n")) if line]
    is_coloured = spans > _MOST_SPANS * len(lines)
    is_code = sum(map(bool, map(_CODE_LINE.search, lines))) > _MOST_CODE * len(lines)
    return None if is_coloured or is_code else "\f".join(texts)
