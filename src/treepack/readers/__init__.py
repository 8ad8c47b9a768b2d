"""Readers turn documents of many formats into a `Source`: markdown that records its origin.

``read``       any format, recognised by name or content
``formats``    the readers, which of them reads a document, and converters for other formats
``decoding``   decodes bytes
``html``       HTML pages (extra ``html``)
``docx``       Word documents
``pdf``        PDFs that have text, not scans (extra ``pdf``)
``pdf_worker`` PDFium in a process of its own, which sends the content of pages
``docling``    DoclingDocument JSON
``elements``   lists of elements: unstructured's JSON, and any parser's
``csv_table``  CSV and TSV, also with semicolons
``links_and_emphasis`` links and emphasis, if they are asked for
``writer``     writes markdown for all readers: ``inlines`` escapes text, ``grids`` lays out tables,
               ``containers`` tracks open lists and quotes, ``typography`` records formatting
``lists``      nested lists from items that come one by one, each with its depth
``json_values`` objects of JSON: values are read by key and checked, and errors name the place

Markdown and plain text stay as they are: UTF-8 is expected, and a byte order mark for UTF-8, UTF-16
or UTF-32 is obeyed. The encoding of other text is guessed. Binary files are refused, whatever their
name is. The other formats become markdown, and `Source.origins` says where each block came from.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypedDict, cast

from treepack.errors import SourceError, check_choice, wrong_type
from treepack.model.source import Source
from treepack.readers.formats import (
    BuiltInReader,
    Reader,
    Via,
    convert,
    reader_named,
    reader_of,
    register,
)
from treepack.readers.links_and_emphasis import TextOrKeep, keep_options

if TYPE_CHECKING:
    from treepack.readers.pdf import PdfLimits

__all__ = ["ReadOptions", "Reader", "read", "register"]


class ReadOptions(TypedDict, total=False):
    """The options of `treepack.read`."""

    format: str | None
    encoding_errors: Literal["replace", "strict"]
    heading_selectors: Mapping[str, int] | None
    via: Via | None
    links: TextOrKeep
    emphasis: TextOrKeep
    password: str | None
    pdf_limits: "PdfLimits | None"


def read(  # noqa: PLR0913 - the options are passed by keyword
    source: str | PathLike[str] | bytes | bytearray | memoryview,
    format: str | None = None,  # noqa: A002 - the word that everybody knows
    *,
    name: str | None = None,
    encoding_errors: Literal["replace", "strict"] = "replace",
    heading_selectors: Mapping[str, int] | None = None,
    converter: Callable[[str], str] | None = None,
    via: Via | None = None,
    links: TextOrKeep = "text",
    emphasis: TextOrKeep = "text",
    password: str | None = None,
    pdf_limits: "PdfLimits | None" = None,
) -> Source:
    """Read a document of any known format as a `Source` of markdown.

    Args:
        source: The path of the file, as a string or a `Path`, or the document's bytes.
        format: ``text``, ``html``, ``docx``, ``docling``, ``elements``, ``csv``, ``pdf``, or one
            that was added (`register`); if None, the file's suffix decides, or else its content.
        name: The document's name; if None, the file's name.
        encoding_errors: If a text is not UTF-8, ``replace`` warns, and ``strict`` refuses it.
        heading_selectors: For HTML: levels of headings, by CSS selectors; see `read_html`.
        converter: For HTML: a function that converts it to markdown, instead of the HTML reader.
        via: An installed converter, instead of the package's readers.
        links: For HTML, Word and Docling: ``keep`` writes the targets of links to other documents.
        emphasis: For the same: ``keep`` marks bold and italic words, ``text`` only bold paragraphs.
        password: For PDF: the password of an encrypted document.
        pdf_limits: For PDF: limits on time, memory and size.

    Raises:
        SourceError: The file is missing, unreadable, binary, broken, or of an unknown format.
        TypeError: ``source`` is neither a path nor bytes.
        ValueError: A value is not allowed, or both ``via`` and ``format`` are given.
        MissingExtraError: The format needs an extra, or ``via`` a converter, that is not installed.
    """
    check_choice("encoding_errors", encoding_errors, ("replace", "strict"))
    keep = keep_options(links, emphasis)
    data, label, document_name = _load(source, name)
    if via is not None:
        _check_no_format(format, via)
        return replace(convert(data, label, via, keep), name=document_name)
    options = {
        "encoding_errors": encoding_errors,
        "heading_selectors": heading_selectors,
        "converter": converter,
        "keep": keep,
        "password": password,
        "limits": pdf_limits,
    }
    reader = reader_of(data, label) if format is None else reader_named(format)
    own = options if isinstance(reader, BuiltInReader) else {}
    return replace(reader.read(data, label, **own), name=document_name)


def _check_no_format(name: str | None, via: str) -> None:
    if name is not None:
        msg = (
            f"format is {name!r} and via is {via!r}, but a converter finds the format itself: "
            "leave format out"
        )
        raise ValueError(msg)


def _load(
    source: str | PathLike[str] | bytes | bytearray | memoryview, name: str | None
) -> tuple[bytes, str, str]:
    """Return a document's bytes, what errors call it, and its name."""
    if isinstance(source, bytes | bytearray | memoryview):
        return bytes(source), name or "the input", name or ""
    path = _path_of(source)
    return _bytes_of(path), str(path), path.name if name is None else name


def _path_of(source: object) -> Path:
    if isinstance(source, str):
        if re.search(r"[\r\n\0]", source):
            msg = "read takes the path of a file, but this string is text: use Source(text) instead"
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
