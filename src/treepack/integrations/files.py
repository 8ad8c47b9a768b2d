"""The file that a document comes from, as the metadata of its loader names it.

Three questions have the same keys, but in different orders, because one document may have several.
"""

from collections.abc import Mapping
from typing import Any, Final

_PAGE_KEYS: Final = ("file_path", "source", "file_name", "filename")
"""The path comes first, because files in different folders may have the same name."""

_NAME_KEYS: Final = ("file_path", "file_name", "source", "filename")
"""``source`` comes late, because it may be a URL or an id without the file's suffix."""

_ID_KEYS: Final = ("source", "file_path", "file_name")
"""``source`` comes first. With another order or another key, stored chunks would get new ids."""


def file_of(metadata: Mapping[str, Any]) -> str:
    """Return what distinguishes the file from others, to find its pages; empty if unknown."""
    return _first(metadata, _PAGE_KEYS)


def file_name(metadata: Mapping[str, Any]) -> str:
    """Return the name or path of the file, whose suffix shows its format; empty if unknown."""
    return _first(metadata, _NAME_KEYS)


def document_key(metadata: Mapping[str, Any]) -> str:
    """Return the file or source that identifies a document in its chunks' ids; empty if unknown."""
    values = (metadata.get(key) for key in _ID_KEYS)
    return next((value for value in values if isinstance(value, str)), "")


def _first(metadata: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    return next((str(metadata[key]) for key in keys if metadata.get(key)), "")
