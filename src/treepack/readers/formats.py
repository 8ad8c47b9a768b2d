"""Finds a document's format by name and first bytes; names converters for formats not read."""

import re
import shlex
from collections.abc import Mapping
from pathlib import PurePath
from typing import Final, Literal, TypeAlias, get_args

from treepack.errors import SourceError

Format: TypeAlias = Literal["text", "html", "docx", "docling", "elements", "csv", "pdf"]
FORMATS: Final[tuple[str, ...]] = get_args(Format)

BY_SUFFIX: Final[Mapping[str, Format]] = {
    **dict.fromkeys(
        (".md", ".markdown", ".mdx", ".txt", ".rst", ".rest", ".adoc", ".asciidoc"), "text"
    ),
    **dict.fromkeys((".html", ".htm", ".xhtml"), "html"),
    **dict.fromkeys((".docx", ".docm", ".dotx", ".dotm"), "docx"),
    **dict.fromkeys((".csv", ".tsv"), "csv"),
    ".pdf": "pdf",
}
JSON_SUFFIX: Final = ".json"
PDF_SUFFIX: Final = ".pdf"
DATA_SUFFIXES: Final = frozenset({".csv", ".tsv"})
"""Tables are more often data than documents: skipped in a folder, read if they are named."""
SUFFIXES: Final = frozenset({*BY_SUFFIX, JSON_SUFFIX})
"""The suffixes of files that can be read; of JSON files, only those that are documents."""

_DOCLING: Final = "docling --to json {file}"
_MARKITDOWN: Final = "markitdown {file} -o {stem}.md"
_PANDOC: Final = "pandoc -s {file} -o {stem}.html"
_OFFICE: Final = "soffice --headless --convert-to docx {file}"
_CONVERTERS: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys((".pptx", ".xlsx"), (_DOCLING, _MARKITDOWN)),
    **dict.fromkeys((".xls", ".epub", ".msg", ".eml", ".ipynb"), (_MARKITDOWN,)),
    **dict.fromkeys((".doc", ".odt", ".rtf", ".wpd", ".pages"), (_OFFICE,)),
    **dict.fromkeys((".ppt", ".odp"), ("soffice --headless --convert-to pdf {file}",)),
    ".ods": ("soffice --headless --convert-to xlsx {file}",),
    **dict.fromkeys((".tex", ".org", ".typ", ".fb2"), (_PANDOC,)),
    **dict.fromkeys(
        (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".webp", ".gif"), (_DOCLING,)
    ),
}

_HEAD: Final = 65_536  # bytes that are examined
_HTML_START: Final = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^<>]*>\s*)?(?:<!--(?:[^-]|-(?!->))*-->\s*)*"
    rb"<(?:!doctype\s+html|html[\s>])",
    re.IGNORECASE,
)
_ZIP: Final = b"PK\x03\x04"
_PDF: Final = b"%PDF-"
_MAGIC: Final = ((b"{\\rtf", ".rtf"), (b"\xd0\xcf\x11\xe0", ".doc"))
_ZIP_MEMBERS: Final = (
    (b"word/", ".docx"),
    (b"ppt/", ".pptx"),
    (b"xl/", ".xlsx"),
    (b"mimetype", ".odt"),
)
_DOCLING_SCHEMA: Final = re.compile(rb'"schema_name"\s*:\s*"DoclingDocument"')
_ELEMENT_KEYS: Final = re.compile(rb'"(?:element_id|element_type|orig_elements)"\s*:')
_JSON_START: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*[\[{]")

Via: TypeAlias = Literal["markitdown", "docling"]
"""The converters that a call can name, for formats that are not read."""

FOLDER_SUFFIXES: Final[Mapping[Via, frozenset[str]]] = {
    "markitdown": frozenset({".epub", ".ipynb", ".msg", ".pdf", ".pptx", ".xls", ".xlsx"}),
    "docling": frozenset({".adoc", ".asciidoc", ".pdf", ".pptx", ".xlsx"}),
}
"""What is converted in a folder; images and audio, which converters also take, must be named."""


def format_of(data: bytes, name: str) -> Format:
    """Return a document's format, by the suffix of its name, or else by its first bytes.

    Args:
        data: The document's bytes.
        name: Its name or path, also used in messages; may be empty.

    Raises:
        SourceError: The format is not read; the message names a converter if there is one.
    """
    suffix = PurePath(name).suffix.lower()
    if suffix in BY_SUFFIX:
        document_format = BY_SUFFIX[suffix]
        if document_format == "text":
            if data.startswith(_PDF):
                msg = f"{name}: it is a PDF with the suffix of a text; rename it to end in .pdf"
                raise SourceError(msg)
            _refuse_unreadable(data[:_HEAD], name)
        return document_format
    if suffix in _CONVERTERS:
        raise _unreadable_error(name, suffix)
    if suffix == JSON_SUFFIX:
        if json_kind := json_format(data[:_HEAD]):
            return json_kind
        msg = (
            f"{name}: this JSON is neither a DoclingDocument nor a list of elements, the only "
            "kinds of JSON that are read"
        )
        raise SourceError(msg)
    return _format_by_content(data, name)


def json_format(head: bytes) -> Format | None:
    """Return the format of a JSON document by its first bytes; None if the schema is unknown."""
    if _JSON_START.match(head):
        if _DOCLING_SCHEMA.search(head):
            return "docling"
        if _ELEMENT_KEYS.search(head):
            return "elements"
    return None


def _format_by_content(data: bytes, name: str) -> Format:
    """Return the format by content; data that looks like no known format is text."""
    head = data[:_HEAD]
    _refuse_unreadable(head, name or "the input")
    if head.startswith(_PDF):
        return "pdf"
    if head.startswith(_ZIP):
        return "docx"  # if it is another zip file, the reader says what is wrong
    if _HTML_START.match(head):
        return "html"
    return json_format(head) or "text"


def _refuse_unreadable(head: bytes, name: str) -> None:
    """Refuse data that begins like a format that is not read, whatever its name is.

    Raises:
        SourceError: The data has such a format; the message names a converter.
    """
    suffix = next((candidate for magic, candidate in _MAGIC if head.startswith(magic)), "")
    if head.startswith(_ZIP):
        suffix = next((candidate for member, candidate in _ZIP_MEMBERS if member in head), "")
    if suffix in _CONVERTERS:
        raise _unreadable_error(name, suffix)


def _unreadable_error(name: str, suffix: str) -> SourceError:
    stem = PurePath(name).stem
    file = shlex.quote(name)
    commands = [c.format(file=file, stem=shlex.quote(stem)) for c in _CONVERTERS[suffix]]
    programs = (command.partition(" ")[0] for command in commands)
    via = " or ".join(program for program in programs if program in FOLDER_SUFFIXES)
    return SourceError(
        f"{name}: {suffix[1:].upper()} is not a format that treepack reads; convert it first: "
        f"{', or: '.join(commands)}" + (f"; or read it via {via} (via=, --via)" if via else "")
    )
