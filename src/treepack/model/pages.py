"""Joins pages that are separate texts to one text."""

import re
from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias, cast

from treepack.errors import wrong_type

Page: TypeAlias = str | tuple[int, str]
"""A page's text, or its number and its text."""

# The end of a page inside a sentence. The next page must begin with a letter that is not a capital.
_CUT_END: Final = re.compile(r"[^\W_][,;\u2010-]?\Z")
_BLANK_LINES: Final = re.compile(r"\A(?:[^\S\r\n]*[\r\n]+)+")


def joined_pages(pages: Iterable[Page]) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Return the joined text, and offset and number of each page that has text.

    A blank line separates two pages, or only a line end if a sentence continues on the next page.

    Raises:
        TypeError: A page is neither a text nor a pair of a number and a text.
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
    """Yield each page's number, as given or else one more than the previous, and its text."""
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
    """Return what separates two pages: a line end if a sentence continues, else a blank line."""
    letter = after.lstrip()[:1]
    goes_on = letter.isalpha() and not letter.isupper() and _CUT_END.search(before)
    return "\n" if goes_on else "\n\n"
