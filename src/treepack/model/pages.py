"""Pages that are texts of their own become one text."""

import re
from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias, cast

from treepack.errors import wrong_type

Page: TypeAlias = str | tuple[int, str]
"""A page's text, or its number and its text."""

# A sentence that the page's end cut: it goes on with a letter that is no capital.
_CUT_END: Final = re.compile(r"[^\W_][,;\u2010-]?\Z")
_BLANK_LINES: Final = re.compile(r"\A(?:[^\S\r\n]*[\r\n]+)+")


def joined_pages(pages: Iterable[Page]) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The text of all pages, and for each that has text its offset and its number.

    Between two pages stands a blank line, or a line end where a sentence goes on.

    Raises:
        TypeError: A page is neither a text nor a number and a text.
    """
    parts: list[str] = []
    marks: list[tuple[int, int]] = []
    length = 0
    for number, page in _numbered(pages):
        text = _BLANK_LINES.sub("", page.rstrip())
        if not text:
            continue
        glue = page_glue(parts[-1], text) if parts else ""
        marks.append((length + len(glue), number))
        length += len(glue) + len(text)
        parts += [glue, text]
    return "".join(parts), tuple(marks)


def _numbered(pages: Iterable[Page]) -> Iterator[tuple[int, str]]:
    """Each page with its number: the one that is given, or else one more than the last."""
    number = 0
    what = "texts, or pairs of a page number and a text"
    given = cast("object", pages)
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise wrong_type(pages, "from_pages", f"a list of {what}")
    for page in pages:
        match cast("object", page):
            case str() as text:
                number += 1
            case (int() as number, str() as text):
                pass
            case other:
                raise wrong_type(other, "from_pages", what)
        yield number, text


def page_glue(before: str, after: str) -> str:
    """What stands between two pages: a line end where a sentence goes on, else a blank line."""
    letter = after.lstrip()[:1]
    goes_on = letter.isalpha() and not letter.isupper() and _CUT_END.search(before)
    return "\n" if goes_on else "\n\n"
