"""Which format the text of a framework's document has, and how it becomes markdown.

The loaders of both frameworks give HTML and JSON files unchanged. The rule for them is narrow,
because markdown may hold HTML and be about JSON:

============ ===================================================================================
``text``     every other text; and what the metadata names ``.md``, ``.markdown``, ``.mdx`` or
             ``.txt``, in any case
``html``     it begins as a page does, with ``<!doctype html>``, ``<html>`` or ``<head>`` and one
             more tag, and ends with a tag; comments and an XML declaration may stand before.
             Where the metadata says that the file is HTML, any tag begins it
``docling``  it is a JSON object whose ``schema_name`` is ``DoclingDocument``
============ ===================================================================================
"""

import json
import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any, Final, Literal, TypeAlias, cast

from treepack.errors import MissingExtraError, SourceError
from treepack.model.source import Source
from treepack.readers.formats import BY_SUFFIX

InputFormat: TypeAlias = Literal["auto", "text", "html", "docling"]
"""``auto`` recognises the format of each document; the others are the names of `treepack.read`."""

_FILE_KEYS: Final = ("file_path", "file_name", "source")
_TYPE_KEYS: Final = ("file_type", "content_type", "mime_type")
_HTML_TYPES: Final = ("text/html", "application/xhtml+xml")

_LEAD: Final = r"\ufeff?\s*+(?:<\?xml[^<>]*+>\s*+|)?+(?:<!--(?:[^-]|-(?!->)|)*+-->\s*+|)*+"
_TAG: Final = r"<[a-z][^<>]*+>"
_PAGE: Final = re.compile(
    rf"{_LEAD}(?:<!doctype\s+html[^<>]*+>|<h(?:tml|ead)(?:\s[^<>]*+|)?+>){_LEAD}{_TAG}",
    re.IGNORECASE,
)
_FRAGMENT: Final = re.compile(rf"{_LEAD}(?:<!doctype\s|{_TAG})", re.IGNORECASE)
_LAST_TAG: Final = re.compile(r"(?:</?[a-z][^<>]*+|--)>\Z", re.IGNORECASE)
_TAIL: Final = 4096  # characters in which the last tag begins
_DOCLING: Final = "DoclingDocument"


class InputFormatWarning(UserWarning):
    """A document looks like a format that could not be read, and was packed as text."""


def read_text(text: str, metadata: Mapping[str, Any], input_format: InputFormat) -> Source | None:
    """The markdown of a document that is of another format.

    Args:
        text: The document's text.
        metadata: What its loader said of it.
        input_format: Its format, or ``auto``.

    Returns:
        The markdown, without a name; None where the text is markdown already.

    Raises:
        SourceError: It is of this format, but broken; the message names the remedy.
        MissingExtraError: The format is given, and needs an extra that is not installed. Under
            ``auto`` an `InputFormatWarning` says so, and the text is taken as it stands.
    """
    is_known = input_format != "auto"
    form = input_format if is_known else _recognised(text, metadata)
    if form == "text":
        return None
    name = file_name(metadata) or "the document"
    try:
        return _HOW[form](text, name)
    except MissingExtraError as error:
        if is_known:
            raise
        _warn(f"{name} is {form.upper()}, but packed as text: {error}")
    except SourceError as error:
        msg = f'{error}; to pack the text as it stands: input_format="text"'
        raise SourceError(msg) from error
    return None


def read_elements(elements: Sequence[tuple[str, Mapping[str, Any]]]) -> Source:
    """The markdown of unstructured's elements: their texts, each with what its loader said of it.

    Raises:
        SourceError: An element has a wrong value; the message names the remedy.
    """
    from treepack.readers.elements import read_elements  # noqa: PLC0415 - costs an import

    records = [
        {
            "type": metadata["category"],
            "text": text,
            "element_id": metadata["element_id"],
            "metadata": metadata,
        }
        for text, metadata in elements
    ]
    try:
        return replace(read_elements(records, file_name(elements[0][1])), name="")
    except SourceError as error:
        msg = f'{error}; to pack the texts as they stand: input_format="text"'
        raise SourceError(msg) from error


def element_number(origin: str) -> int:
    """The number of the element, from 0, that an origin names."""
    return int(origin.rpartition(":")[2])


def _recognised(text: str, metadata: Mapping[str, Any]) -> Literal["text", "html", "docling"]:
    named = BY_SUFFIX.get(PurePath(file_name(metadata)).suffix.lower())
    if named == "text":
        return "text"
    if _LAST_TAG.search(text.rstrip()[-_TAIL:]):
        begin = _FRAGMENT if named == "html" or _is_declared(metadata) else _PAGE
        return "html" if begin.match(text) else "text"
    return "docling" if _is_docling(text, metadata) else "text"


def file_name(metadata: Mapping[str, Any]) -> str:
    """The name of the document's file."""
    return next((str(metadata[key]) for key in _FILE_KEYS if metadata.get(key)), "")


def _is_declared(metadata: Mapping[str, Any]) -> bool:
    """Whether the loader said that it is HTML."""
    return any(str(metadata.get(key, "")).lower().startswith(_HTML_TYPES) for key in _TYPE_KEYS)


def _is_docling(text: str, metadata: Mapping[str, Any]) -> bool:
    if f'"{_DOCLING}"' not in text or not text.lstrip("\ufeff \t\r\n").startswith("{"):
        return False
    try:
        value = cast("object", json.loads(text.removeprefix("\ufeff")))
    except (ValueError, RecursionError) as error:
        name = file_name(metadata) or "a text"
        _warn(f"{name} looks like {_DOCLING} JSON, but packed as text: {error}")
        return False
    return isinstance(value, dict) and cast("dict[str, object]", value).get("schema_name") == (
        _DOCLING
    )


def _warn(message: str) -> None:
    warnings.warn(message, InputFormatWarning, stacklevel=2)


# -------------------------------------------------------------------- readers
# Loaded when the first document of the format comes: each costs an import, HTML's an extra.


def _read_html(text: str, _: str) -> Source:
    from treepack.readers.html import read_html  # noqa: PLC0415 - an extra

    return read_html(text)


def _read_docling(text: str, name: str) -> Source:
    from treepack.readers.docling import read_docling  # noqa: PLC0415 - costs an import

    source = read_docling(text.encode("utf-8", "surrogatepass"), name)
    return replace(source, name="")


_HOW: Final = {"html": _read_html, "docling": _read_docling}
