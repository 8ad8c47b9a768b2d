"""Documents of one page each become one text with page marks.

PDF readers of both frameworks give a document for each page. Apart, a section that goes over the
page's end would lose its heading; together, each chunk knows its pages.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final, TypeVar

T = TypeVar("T")

PAGE_KEYS: Final = ("page_label", "page", "page_number")
"""Under which readers say what page a document is."""

_FILE_KEYS: Final = ("file_path", "source", "file_name")

# A sentence that the page's end cut: it goes on with a small letter.
_CUT_END: Final = re.compile(r"[^\W_][,;]?\Z")
_GOES_ON: Final = re.compile(r"\s*[^\W\dA-Z_]")


@dataclass(frozen=True)
class Stitched:
    """Pages as one text.

    Attributes:
        text: The pages' texts without the blanks at their ends, a blank line between two pages, or
            a line end where a sentence goes on.
        starts: Where each page begins in the text.
        marks: Offset and page number for each page.
    """

    text: str
    starts: tuple[int, ...]
    marks: tuple[tuple[int, int], ...]


def stitch(texts: Sequence[str], numbers: Sequence[int]) -> Stitched:
    """Put the texts of pages together."""
    parts: list[str] = []
    starts: list[int] = []
    length = 0
    for page in map(str.rstrip, texts):
        glue = _glue(parts[-1], page) if parts else ""
        starts.append(length + len(glue))
        length = starts[-1] + len(page)
        parts += [glue, page]
    return Stitched("".join(parts), tuple(starts), tuple(zip(starts, numbers, strict=True)))


def page_number(metadata: dict[str, Any], place: int) -> int:
    """A page's number: its printed label if that is one, else the reader's, else its place."""
    for key in PAGE_KEYS:
        value = metadata.get(key)
        if isinstance(value, int) or (isinstance(value, str) and value.isdecimal()):
            return int(value)
    return place


def shared_metadata(pages: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """What all pages say alike, without page numbers."""
    first, *others = pages
    return {
        key: value
        for key, value in first.items()
        if key not in PAGE_KEYS and all(key in o and o[key] == value for o in others)
    }


def runs_of_pages(items: Iterable[T], metadata: Callable[[T], dict[str, Any]]) -> Iterator[list[T]]:
    """Neighbouring items that are pages of one file together; any other item alone."""
    for file, group in groupby(items, lambda item: _file_of_page(metadata(item))):
        run = list(group)
        yield from ([run] if file else ([item] for item in run))


def _file_of_page(metadata: dict[str, Any]) -> str:
    """The file that a document is a page of; empty when it is none."""
    if not any(key in metadata for key in PAGE_KEYS):
        return ""
    return next((str(metadata[key]) for key in _FILE_KEYS if metadata.get(key)), "")


def _glue(before: str, behind: str) -> str:
    goes_on = _CUT_END.search(before) and _GOES_ON.match(behind)
    return "\n" if goes_on else "\n\n"
