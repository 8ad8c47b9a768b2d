"""Recognises the format of a framework's document, and converts it to markdown.

The loaders of both frameworks return HTML and JSON files unchanged. The rules that recognise them
are narrow, because markdown may contain HTML and be about JSON:

============ ===================================================================================
``text``     every other text; and always if the metadata names a text file, such as ``.md``,
             ``.mdx``, ``.txt`` or ``.rst``
``html``     it begins like a page, with ``<!doctype html>``, ``<html>`` or ``<head>`` and one
             more tag, and ends with a tag; comments and an XML declaration may come first.
             If the metadata says that the file is HTML, it may begin with any tag
``docling``  it is JSON that begins with the ``schema_name`` ``DoclingDocument``
============ ===================================================================================
"""

import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any, Final, Literal, TypeAlias

from treepack.errors import MissingExtraError, SourceError
from treepack.integrations.pages import file_name
from treepack.model.source import Source
from treepack.readers.formats import READERS

InputFormat: TypeAlias = Literal["auto", "text", "html", "docling"]
"""``auto`` recognises the format of each document; the others are the names of `treepack.read`."""

_TYPE_KEYS: Final = ("file_type", "content_type", "mime_type")
_HTML_TYPES: Final = ("text/html", "application/xhtml+xml")

_PREAMBLE: Final = r"\ufeff?\s*+(?:<\?xml[^<>]*+>\s*+|)?+(?:<!--(?:[^-]|-(?!->)|)*+-->\s*+|)*+"
_TAG: Final = r"<[a-z][^<>]*+>"
_PAGE: Final = re.compile(
    rf"{_PREAMBLE}(?:<!doctype\s+html[^<>]*+>|<h(?:tml|ead)(?:\s[^<>]*+|)?+>){_PREAMBLE}{_TAG}",
    re.IGNORECASE,
)
_FRAGMENT: Final = re.compile(rf"{_PREAMBLE}(?:<!doctype\s|{_TAG})", re.IGNORECASE)
_LAST_TAG: Final = re.compile(r"(?:</?[a-z][^<>]*+|--)>\Z", re.IGNORECASE)
_DOCLING: Final = re.compile(r'\ufeff?\s*+\{\s*+"schema_name"\s*+:\s*+"DoclingDocument"')


class InputFormatWarning(UserWarning):
    """A document looks like a format that could not be read, and was packed as text."""


def read_text(text: str, metadata: Mapping[str, Any], input_format: InputFormat) -> Source | None:
    """Return the markdown of a document, without a name; None if it is to be packed as it is.

    Raises:
        SourceError: It has this format, but is broken; the message names the remedy.
        MissingExtraError: ``input_format`` needs an extra that is not installed. With ``auto``, an
            `InputFormatWarning` says so, and the text is packed as it is.
    """
    is_given = input_format != "auto"
    actual_format = input_format if is_given else _recognise(text, metadata)
    if actual_format == "text":
        return None
    name = file_name(metadata) or "the document"
    try:
        if actual_format == "html":
            from treepack.readers.html import read_html  # noqa: PLC0415 - an extra

            return read_html(text)
        from treepack.readers.docling import read_docling  # noqa: PLC0415 - costs an import

        return replace(read_docling(text.encode("utf-8", "surrogatepass"), name), name="")
    except MissingExtraError as error:
        if is_given:
            raise
        msg = f"{name} is {actual_format.upper()}, but is packed as text: {error}"
        warnings.warn(msg, InputFormatWarning, stacklevel=2)
    except SourceError as error:
        msg = f'{error}; to pack the text as it is, give input_format="text"'
        raise SourceError(msg) from error
    return None


def read_elements(elements: Sequence[tuple[str, Mapping[str, Any]]]) -> Source:
    """Convert elements of unstructured to markdown; each is a text with its loader's metadata."""
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
        msg = f'{error}; to pack the texts as they are, give input_format="text"'
        raise SourceError(msg) from error


def _recognise(text: str, metadata: Mapping[str, Any]) -> Literal["text", "html", "docling"]:
    suffix = PurePath(file_name(metadata)).suffix.lower()
    if suffix in READERS["text"].suffixes:
        return "text"
    if _LAST_TAG.search(text.rstrip()):
        types = (str(metadata.get(key, "")).lower() for key in _TYPE_KEYS)
        is_html = suffix in READERS["html"].suffixes or any(
            kind.startswith(_HTML_TYPES) for kind in types
        )
        opening = _FRAGMENT if is_html else _PAGE
        return "html" if opening.match(text) else "text"
    return "docling" if _DOCLING.match(text) else "text"
