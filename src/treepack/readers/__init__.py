"""Other formats become a `Source`: markdown text that knows where it came from.

``read``       any format, known by name or content
``formats``    which format it is, and who converts those that are not read
``html``       HTML pages (extra ``html``)
``docx``       Word documents
``docling``    DoclingDocument JSON
``elements``   lists of elements: unstructured's JSON, and any parser's
``writer``     what all of them write with
"""

import importlib
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Final, Literal, cast

from treepack.document.decoding import decode
from treepack.document.source import Source
from treepack.errors import SourceError, check_choice, wrong_type
from treepack.readers.formats import FORMATS, Format, format_of

__all__ = ["FORMATS", "Format", "read"]

# Loaded when the first document of the format comes: each costs an import, HTML's an extra.
_READERS: Final = {
    "html": ("treepack.readers.html", "read_html"),
    "docx": ("treepack.readers.docx", "read_docx"),
    "docling": ("treepack.readers.docling", "read_docling"),
    "elements": ("treepack.readers.elements", "read_elements"),
}


def read(  # noqa: PLR0913 - the options are said by name
    source: str | PathLike[str] | bytes | bytearray | memoryview,
    format: Format | None = None,  # noqa: A002 - the word that everybody knows
    *,
    name: str | None = None,
    encoding_errors: Literal["replace", "strict"] = "replace",
    heading_selectors: Mapping[str, int] | None = None,
    converter: Callable[[str], str] | None = None,
) -> Source:
    """Read a document of any known format as a `Source` of markdown.

    Markdown and plain text stay as they are: UTF-8 is expected, and a byte order mark for UTF-8,
    UTF-16 or UTF-32 is obeyed. Binary files are refused, whatever their name is. HTML, Word,
    DoclingDocument JSON and lists of elements become markdown; ``Source.origins`` says where each
    block came from.

    Args:
        source: The file's path, of which a string is one as well, or the document's bytes.
        format: ``text``, ``html``, ``docx``, ``docling`` or ``elements``; when None it is known by
            the file's suffix, or else by the content.
        name: The document's name; the file's name when None.
        encoding_errors: With ``replace``, a text without a mark that is not UTF-8 is read as UTF-16
            or windows-1252, and one that is broken as well as possible; a `DecodingWarning` says
            so. With ``strict`` it is refused.
        heading_selectors: For HTML: CSS selectors of elements that are headings, with their
            levels; see `treepack.readers.html.read_html`.
        converter: For HTML: makes markdown of it in place of our reader.

    Raises:
        SourceError: The file is missing, unreadable, binary, broken, or of a format that is not
            read; the message names the converter then.
        TypeError: ``source`` is neither a path nor bytes.
        ValueError: ``encoding_errors`` has a value that it does not take.
        MissingExtraError: The format needs an extra that is not installed.
    """
    check_choice("encoding_errors", encoding_errors, ("replace", "strict"))
    if isinstance(source, bytes | bytearray | memoryview):
        data, label, called = bytes(source), name or "the input", name or ""
    else:
        path = _path_of(source)
        data, label, called = _bytes_of(path), str(path), path.name if name is None else name
    known = _checked(format) or format_of(data, label)
    match known:
        case "text":
            return Source(decode(data, label, encoding_errors), called)
        case "html":
            options = {"heading_selectors": heading_selectors, "converter": converter}
            made = _reader("html")(data, label, encoding_errors=encoding_errors, **options)
        case "docx" | "docling" | "elements":
            made = _reader(known)(data, label)
    return replace(made, name=called)


def _checked(known: Format | None) -> Format | None:
    if known is not None and known not in FORMATS:
        msg = f"no format is called {known!r}; there are {', '.join(FORMATS)}"
        raise SourceError(msg)
    return known


def _reader(known: Format) -> Callable[..., Source]:
    module, function = _READERS[known]
    reader: Callable[..., Source] = getattr(importlib.import_module(module), function)
    return reader


def _path_of(source: object) -> Path:
    if isinstance(source, str):
        if re.search(r"[\r\n\0]", source):
            msg = "read takes the path of a file; this string is a text: give Source(text) for it"
            raise SourceError(msg)
        return Path(source)
    if isinstance(source, PathLike):
        return Path(cast("PathLike[str]", source))
    raise wrong_type(source, "read", "a path or the bytes of a file")


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except IsADirectoryError as error:
        msg = f"cannot read {path}: it is a folder; give its files, such as path.rglob('*.md')"
        raise SourceError(msg) from error
    except OSError as error:
        msg = f"cannot read {path}: {error.strerror or error}"
        raise SourceError(msg) from error
