"""Joins pages that are separate texts to one text."""

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, TypeAlias, cast

from treepack.errors import wrong_type

Page: TypeAlias = str | tuple[int, str]
"""A page's text, or its number and its text."""

# The end of a page inside a sentence. The next page must begin with a letter that is not a capital.
_CUT_END: Final = re.compile(r"[^\W_][,;\u2010-]?\Z")
_BLANK_LINES: Final = re.compile(r"\A(?:[^\S\r\n]*[\r\n]+)+")


class StitchedPages(NamedTuple):
    """Pages as one text.

    Attributes:
        text: The pages' texts without trailing whitespace; between two pages is a blank line, or a
            line end if a sentence continues on the next page. A page without text adds nothing.
        starts: Where each page begins in the text.
        marks: Offset and page number for each page that has text.
    """

    text: str
    starts: tuple[int, ...]
    marks: tuple[tuple[int, int], ...]


def joined_pages(pages: Iterable[Page]) -> StitchedPages:
    """Join pages, each numbered as given or else one more than the previous page.

    Raises:
        TypeError: A page is neither a text nor a pair of a number and a text.
    """
    texts: list[str] = []
    numbers = [0]
    what = "texts, or pairs of a page number and a text"
    given = cast("object", pages)
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise wrong_type(pages, "from_pages", f"a list of {what}")
    for page in pages:
        match cast("object", page):
            case str() as text:
                numbers.append(numbers[-1] + 1)
            case (int() as number, str() as text):
                numbers.append(number)
            case other:
                raise wrong_type(other, "from_pages", what)
        texts.append(_BLANK_LINES.sub("", text))
    return stitch(texts, numbers[1:])


def stitch(texts: Sequence[str], numbers: Sequence[int]) -> StitchedPages:
    """Join the texts of pages, which have these page numbers."""
    parts: list[str] = []
    starts: list[int] = []
    marks: list[tuple[int, int]] = []
    length = 0
    for page, number in zip(map(str.rstrip, texts), numbers, strict=True):
        first = page.lstrip()[:1]
        continues = first.isalpha() and not first.isupper() and parts and _CUT_END.search(parts[-1])
        glue = ("\n" if continues else "\n\n") if parts and page else ""
        starts.append(length + len(glue))
        if page:
            marks.append((starts[-1], number))
            parts += [glue, page]
        length = starts[-1] + len(page)
    return StitchedPages("".join(parts), tuple(starts), tuple(marks))
