"""Joins documents of one page each into one text with page marks.

PDF readers of both frameworks return a document for each page. If pages were packed separately, a
section that continues on the next page would lose its heading there. Packed together, each chunk
knows its pages. A document is a page if its loader wrote a file and a page number or label. The
elements of ``UnstructuredLoader`` have ``source``, ``category`` and ``element_id`` instead. Which
file that is, is asked in three ways, with the same keys in different orders.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any, Final, Generic, Literal, NamedTuple, TypeAlias, TypeVar

T = TypeVar("T")

MergePages: TypeAlias = Literal["auto", True, False]
"""Whether neighbouring documents that are pages of one file are packed as one text. With ``auto``,
they are if their metadata names one file, and page numbers that rise from document to document.
With True, numbers may also repeat or fall, as happens when a page came in several pieces."""

_LABEL_KEY: Final = "page_label"
_COUNT_KEYS: Final = ("page", "page_number")
PAGE_KEYS: Final[tuple[str, ...]] = (_LABEL_KEY, *_COUNT_KEYS)
"""The keys for a document's page in readers' metadata: as printed, and as counted."""

MARKUP: Final = "markup"
"""A metadata key that treepack's readers write: how a text is to be read, whatever its file is."""

_ELEMENT_KEYS: Final = ("category", "element_id")
_PIECE_KEYS: Final = ("chunk_id", "start_index")
"""Keys that treepack's or LangChain's splitters write: the document is not a whole page."""

_MAX_LABEL: Final = 16  # characters of a printed page number

_FILE_KEYS: Final = ("file_path", "source", "file_name", "filename")
"""The path comes first, because files in different folders may have the same name."""

_NAME_KEYS: Final = ("file_path", "file_name", "source", "filename")
"""``source`` comes late, because it may be a URL or an id without the file's suffix."""

_ID_KEYS: Final = ("source", "file_path", "file_name")
"""``source`` comes first. With another order or another key, stored chunks would get new ids."""


class JoinedDocuments(NamedTuple, Generic[T]):
    """Documents that are packed as one text: pages or elements of a file, maybe only one."""

    items: list[T]
    are_pages: bool


def page_numbers(pages: Sequence[Mapping[str, Any]]) -> list[int]:
    """Return the numbers of a file's pages: as printed, else as counted, else from 1.

    All numbers are of one kind, which every page must have, and never fall. If the first pages have
    the label ``iv``, the printed numbers of later pages are not used either.
    """
    for key in PAGE_KEYS:
        values = [_as_number(page.get(key)) for page in pages]
        numbers = [number for number in values if number is not None]
        if len(numbers) == len(pages) and numbers == sorted(numbers):
            return numbers
    return list(range(1, len(pages) + 1))


def shared_metadata(pages: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the metadata that all pages share, without page numbers."""
    first, *others = pages
    return {
        key: value
        for key, value in first.items()
        if key not in PAGE_KEYS and all(key in other and other[key] == value for other in others)
    }


def file_name(metadata: Mapping[str, Any]) -> str:
    """Return the name or path of the file, whose suffix shows its format; empty if unknown."""
    return _first(metadata, _NAME_KEYS)


def document_key(metadata: Mapping[str, Any]) -> str:
    """Return the file or source that identifies a document in its chunks' ids; empty if unknown."""
    values = (metadata.get(key) for key in _ID_KEYS)
    return next((value for value in values if isinstance(value, str)), "")


def _first(metadata: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    return next((str(metadata[key]) for key in keys if metadata.get(key)), "")


def runs_of_pages(
    items: Iterable[T], metadata: Callable[[T], Mapping[str, Any]], merge: MergePages
) -> Iterator[JoinedDocuments[T]]:
    """Yield neighbouring pages or elements of one file as one run, and other items alone."""
    for file, group in groupby(items, lambda item: _file_of_page(metadata(item), merge)):
        file_items = list(group)
        runs = [file_items] if file is not None else []
        if runs and merge is not True and not is_element(metadata(file_items[0])):
            runs = _page_runs(file_items, [_position(metadata(item)) for item in file_items])
        yield from (JoinedDocuments(run, are_pages=True) for run in runs)
        if not runs:
            yield from (JoinedDocuments([item], are_pages=False) for item in file_items)


def is_element(metadata: Mapping[str, Any]) -> bool:
    """Whether a document's metadata shows that it is an element of unstructured."""
    return all(isinstance(metadata.get(key), str) for key in _ELEMENT_KEYS)


def _file_of_page(metadata: Mapping[str, Any], merge: MergePages) -> tuple[str, bool] | None:
    """Return the file of a page or element, and whether it is an element; else None."""
    if merge is True:
        is_page = any(key in metadata for key in PAGE_KEYS)
    elif merge is False or any(key in metadata for key in _PIECE_KEYS):
        return None
    else:
        is_page = _position(metadata) is not None
    file, is_of_element = _first(metadata, _FILE_KEYS), is_element(metadata)
    return (file, is_of_element) if file and (is_page or is_of_element) else None


def _position(metadata: Mapping[str, Any]) -> int | str | None:
    """Return a page's position in its file: its number, else its printed label, else None.

    The count comes first here, because printed numbers may begin again within a file.
    `page_numbers` prefers printed numbers, because people cite by them.
    """
    for key in _COUNT_KEYS:
        if (number := _as_number(metadata.get(key))) is not None:
            return number
    label = metadata.get(_LABEL_KEY)
    name = str(label) if isinstance(label, str | int) else ""
    return name if 0 < len(name) <= _MAX_LABEL else None


def _as_number(value: object) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    text = value if isinstance(value, str) and len(value) <= _MAX_LABEL else ""
    return int(text) if text.isascii() and text.isdecimal() else None


def _page_runs(pages: list[T], positions: list[int | str | None]) -> list[list[T]]:
    """Return the runs of one file's pages; none if two neighbours are pieces of one page.

    A number that falls means that the file begins again. Numbers may be missing, because loaders
    leave out pages without text. Printed labels may restart within a file.
    """
    if any(first == second for first, second in pairwise(positions)):
        return []
    runs: list[list[T]] = [[]]
    seen: set[int | str | None] = set()
    previous: int | str | None = None
    for page, position in zip(pages, positions, strict=True):
        falls = isinstance(position, int) and isinstance(previous, int) and position < previous
        if falls or position in seen:
            runs.append([])
            seen = set()
        runs[-1].append(page)
        seen.add(position)
        previous = position
    return runs
