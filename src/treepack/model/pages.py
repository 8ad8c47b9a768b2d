"""Joins pages that are separate texts to one text."""

import re
from collections.abc import Iterable, Iterator, Sequence
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


def joined_pages(pages: Iterable[Page]) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Return the joined text, and offset and number of each page that has text.

    A blank line separates two pages, or only a line end if a sentence continues on the next page.

    Raises:
        TypeError: A page is neither a text nor a pair of a number and a text.
    """
    numbered = list(_numbered(pages))
    texts = [_BLANK_LINES.sub("", page) for _, page in numbered]
    stitched = stitch(texts, [number for number, _ in numbered])
    return stitched.text, stitched.marks


def stitch(texts: Sequence[str], numbers: Sequence[int]) -> StitchedPages:
    """Join the texts of pages, which have these page numbers."""
    parts: list[str] = []
    starts: list[int] = []
    marks: list[tuple[int, int]] = []
    length = 0
    for page, number in zip(map(str.rstrip, texts), numbers, strict=True):
        glue = _glue(parts[-1], page) if parts and page else ""
        starts.append(length + len(glue))
        if page:
            marks.append((starts[-1], number))
            parts += [glue, page]
        length = starts[-1] + len(page)
    return StitchedPages("".join(parts), tuple(starts), tuple(marks))


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


def _glue(before: str, after: str) -> str:
    """Return what separates two pages: a line end if a sentence continues, else a blank line."""
    first = after.lstrip()[:1]
    continues = first.isalpha() and not first.isupper() and _CUT_END.search(before)
    return "\n" if continues else "\n\n"
