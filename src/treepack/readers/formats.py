"""Which reader reads a document: by the suffix of its name, or else by its first bytes.

A package adds a format by an entry point of the group ``treepack.readers``; its name is the
format's, and it names a `Reader`. A program may also `register` one. A converter that the user has
installed may read other formats.
"""

import re
import shlex
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from io import BytesIO
from pathlib import PurePath
from typing import Any, Final, Literal, Protocol, TypeAlias, cast

from treepack.errors import MissingExtraError, SourceError, check_choice
from treepack.model.source import Source
from treepack.readers.links_and_emphasis import TEXT_ONLY, KeepOptions

HEAD: Final = 65_536
"""The bytes of a document that are examined."""


class Reader(Protocol):
    """Reads one format."""

    @property
    def suffixes(self) -> Collection[str]:
        """The suffixes of its files, in lower case and with their dots."""
        ...

    def recognises(self, data: bytes) -> bool:
        """Return whether a document, of which these are the first bytes, has the format."""
        ...

    def read(self, data: bytes, label: str) -> Source:
        """Return a document as markdown; ``label`` is its name or path, for messages."""
        ...


@dataclass(frozen=True)
class BuiltInReader:
    """A reader of treepack, which is imported when it reads, as its extra may be missing.

    Attributes:
        suffixes: As in `Reader`.
        start: A pattern of the first bytes; None if only the suffix shows the format.
        function: Its function, as ``module:name`` in `treepack.readers`.
        options: The names of its options.
    """

    suffixes: Collection[str]
    start: bytes | None
    function: str
    options: tuple[str, ...] = ()

    def recognises(self, data: bytes) -> bool:
        """As in `Reader`."""
        return self.start is not None and re.match(self.start, data, re.DOTALL) is not None

    def read(self, data: bytes, label: str, **options: Any) -> Source:  # noqa: ANN401 - of any kind
        """As in `Reader`; options that are not its own are ignored."""
        module, _, name = self.function.partition(":")
        function = getattr(import_module(f"treepack.readers.{module}"), name)
        own = {key: value for key, value in options.items() if key in self.options}
        return cast("Source", function(data, label, **own))


_HTML: Final = (
    rb"(?i)(?:\xef\xbb\xbf)?\s*(?:<\?xml[^<>]*>\s*)?(?:<!--(?:[^-]|-(?!->))*-->\s*)*"
    rb"<(?:!doctype\s+html|html[\s>])"
)
_ZIP: Final = b"PK\x03\x04"
_PDF: Final = b"%PDF-"
_JSON: Final = rb"(?:\xef\xbb\xbf)?\s*[\[{].*?"
_TEXTS: Final = (".md", ".markdown", ".mdx", ".txt", ".rst", ".rest", ".adoc", ".asciidoc")
READERS: Final[dict[str, Reader]] = {
    "text": BuiltInReader(_TEXTS, None, "decoding:read_text", ("encoding_errors",)),
    "html": BuiltInReader(
        [".html", ".htm", ".xhtml"],
        _HTML,
        "html:read_html",
        ("encoding_errors", "heading_selectors", "converter", "keep"),
    ),
    # If it is another zip file, the reader says what is wrong.
    "docx": BuiltInReader([".docx", ".docm", ".dotx", ".dotm"], _ZIP, "docx:read_docx", ("keep",)),
    "docling": BuiltInReader(
        [".json"],
        _JSON + rb'"schema_name"\s*:\s*"DoclingDocument"',
        "docling:read_docling",
        ("keep",),
    ),
    "elements": BuiltInReader(
        [".json"],
        _JSON + rb'"(?:element_id|element_type|orig_elements)"\s*:',
        "elements:read_elements",
    ),
    "csv": BuiltInReader([".csv", ".tsv"], None, "csv_table:read_csv", ("encoding_errors",)),
    "pdf": BuiltInReader([".pdf"], _PDF, "pdf:read_pdf", ("password", "limits")),
}
"""The reader of each format; a document's first bytes are shown to them in this order."""

DATA_SUFFIXES: Final = frozenset({".csv", ".tsv"})
"""Tables are more often data than documents: skipped in a folder, read if they are named."""
PDF_SUFFIX: Final = ".pdf"

_IMAGES: Final = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".webp", ".gif")
_CONVERTERS: Final[dict[str, tuple[str, ...]]] = {
    "docling --to json {file}": (".pptx", ".xlsx", *_IMAGES),
    "markitdown {file} -o {stem}.md": (".pptx", ".xlsx", ".xls", ".epub", ".msg", ".eml", ".ipynb"),
    "pandoc -s {file} -o {stem}.html": (".tex", ".org", ".typ", ".fb2"),
    "soffice --headless --convert-to docx {file}": (".doc", ".odt", ".rtf", ".wpd", ".pages"),
    "soffice --headless --convert-to pdf {file}": (".ppt", ".odp"),
    "soffice --headless --convert-to xlsx {file}": (".ods",),
}
"""Commands that convert files which are not read, with the suffixes of these."""
UNREAD: Final = frozenset(suffix for each in _CONVERTERS.values() for suffix in each)
_MAGIC: Final = ((b"{\\rtf", ".rtf"), (b"\xd0\xcf\x11\xe0", ".doc"))
_ZIP_MEMBERS: Final = (
    (b"word/", ".docx"),
    (b"ppt/", ".pptx"),
    (b"xl/", ".xlsx"),
    (b"mimetype", ".odt"),
)

Via: TypeAlias = Literal["markitdown", "docling"]
"""The converters that a call can name, for formats that are not read."""

FOLDER_SUFFIXES: Final[Mapping[Via, frozenset[str]]] = {
    "markitdown": frozenset({".epub", ".ipynb", ".msg", ".pdf", ".pptx", ".xls", ".xlsx"}),
    "docling": frozenset({".adoc", ".asciidoc", ".pdf", ".pptx", ".xlsx"}),
}
"""What is converted in a folder; images and audio, which converters also take, must be named."""


def register(name: str, reader: Reader) -> None:
    """Add a format, or replace its reader; it is asked before those that were there."""
    others = {key: other for key, other in READERS.items() if key != name}
    READERS.clear()
    READERS.update({name: reader, **others})


def suffixes() -> frozenset[str]:
    """Return the suffixes of files that can be read; of JSON files, only some are documents."""
    register_entry_points()
    return frozenset(suffix for reader in READERS.values() for suffix in reader.suffixes)


@cache
def register_entry_points() -> None:
    """Add the formats of installed packages, once."""
    for point in entry_points(group="treepack.readers"):
        register(point.name, cast("Callable[[], Reader]", point.load())())


def reader_named(name: str) -> Reader:
    """Return the reader of a format.

    Raises:
        SourceError: There is none.
    """
    if name not in READERS:
        register_entry_points()
    if name not in READERS:
        msg = f"there is no format {name!r}; the formats are {', '.join(READERS)}"
        raise SourceError(msg)
    return READERS[name]


def reader_of(data: bytes, name: str) -> Reader:
    """Return the reader of a document, by the suffix of its name, or else by its first bytes.

    Args:
        data: The document's bytes.
        name: Its name or path, also used in messages; may be empty.

    Raises:
        SourceError: The format is not read; the message names a converter if there is one.
    """
    suffix, head = PurePath(name).suffix.lower(), data[:HEAD]
    if suffix in suffixes():
        found = [reader for reader in READERS.values() if suffix in reader.suffixes]
        reader = found[0] if len(found) == 1 else recognised(head, found)
        if reader is None:
            msg = (
                f"{name}: this {suffix[1:].upper()} is neither a DoclingDocument nor a list of "
                "elements, the only kinds that are read"
            )
            raise SourceError(msg)
        if reader is READERS["text"] and head.startswith(_PDF):
            msg = f"{name}: it is a PDF with the suffix of a text; rename it to end in .pdf"
            raise SourceError(msg)
        if reader is READERS["text"]:
            _refuse_unreadable(head, name)
        return reader
    if suffix in UNREAD:
        raise _unreadable_error(name, suffix)
    _refuse_unreadable(head, name or "the input")
    return recognised(head) or READERS["text"]


def recognised(head: bytes, readers: Collection[Reader] | None = None) -> Reader | None:
    """Return the first of some readers, or of all, that recognises a document; None if none."""
    candidates = READERS.values() if readers is None else readers
    return next((reader for reader in candidates if reader.recognises(head)), None)


def _refuse_unreadable(head: bytes, name: str) -> None:
    """Refuse data that begins like a format that is not read, whatever its name is.

    Raises:
        SourceError: The data has such a format; the message names a converter.
    """
    suffix = next((candidate for magic, candidate in _MAGIC if head.startswith(magic)), "")
    if head.startswith(_ZIP):
        suffix = next((candidate for member, candidate in _ZIP_MEMBERS if member in head), "")
    if suffix in UNREAD:
        raise _unreadable_error(name, suffix)


def _unreadable_error(name: str, suffix: str) -> SourceError:
    stem = PurePath(name).stem
    file = shlex.quote(name)
    commands = [
        command.format(file=file, stem=shlex.quote(stem))
        for command, converted in _CONVERTERS.items()
        if suffix in converted
    ]
    programs = (command.partition(" ")[0] for command in commands)
    via = " or ".join(program for program in programs if program in FOLDER_SUFFIXES)
    return SourceError(
        f"{name}: {suffix[1:].upper()} is not a format that treepack reads; convert it first: "
        f"{', or: '.join(commands)}" + (f"; or read it via {via} (via=, --via)" if via else "")
    )


# -------------------------------------------------------------------- converters


def convert(data: bytes, label: str, via: Via, keep: KeepOptions = TEXT_ONLY) -> Source:
    """Convert a document; the suffix of its label, a name or path, shows the format.

    A converter is foreign code that may load models and open connections. So it runs only if a
    call names it.

    Returns:
        The document as markdown, with page marks if the converter gives them.

    Raises:
        ValueError: There is no converter of that name.
        MissingExtraError: The converter is not installed; the message says what to install.
        SourceError: The converter failed; the message gives its reason.
    """
    from treepack.readers.docling import read_docling  # noqa: PLC0415 - rarely needed

    check_choice("via", via, tuple(_CONVERT))
    module, package, run = _CONVERT[via]
    try:
        converter = import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != module.partition(".")[0]:
            raise
        msg = f'{label}: via="{via}" needs: pip install "{package}"'
        raise MissingExtraError(msg) from error
    try:
        result = run(converter, data, PurePath(label).name or "document")
    except Exception as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        msg = f"{label}: {via} cannot convert it: {reason}"
        raise SourceError(msg) from error
    return Source(result) if isinstance(result, str) else read_docling(result, label, keep)


def _markitdown(module: Any, data: bytes, name: str) -> str:  # noqa: ANN401 - a foreign module
    converter = module.MarkItDown(enable_plugins=False)
    result = converter.convert_stream(BytesIO(data), file_extension=PurePath(name).suffix)
    return str(result.text_content)


def _docling(module: Any, data: bytes, name: str) -> Mapping[str, object]:  # noqa: ANN401 - foreign
    stream = import_module("docling.datamodel.base_models").DocumentStream
    result = module.DocumentConverter().convert(stream(name=name, stream=BytesIO(data)))
    return result.document.export_to_dict()  # type: ignore[no-any-return] # foreign


_Run: TypeAlias = Callable[[Any, bytes, str], str | Mapping[str, object]]
_CONVERT: Final[dict[Via, tuple[str, str, _Run]]] = {
    "markitdown": ("markitdown", "markitdown[all]", _markitdown),
    "docling": ("docling.document_converter", "docling", _docling),
}
