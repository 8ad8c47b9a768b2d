"""Opens the package of a Word document, a zip archive of XML parts, within limits.

Names of elements and attributes are shortened when a part is read: those of WordprocessingML lose
their namespace (``p``, ``pPr``, ``val``), others get a prefix (``m_oMath``, ``r_id``,
``mc_Choice``). So the transitional and the strict form (ISO/IEC 29500 parts 1 and 4), which differ
in their namespaces, look the same to the rest of the code.
"""

import io
import zipfile
import zlib
from collections.abc import Callable
from functools import partial
from posixpath import dirname, join, normpath
from typing import Final, NamedTuple, NoReturn
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers.expat import ExpatError, ParserCreate

from treepack.errors import SourceError

MOST_ENTRIES: Final = 20_000
"""Files in an archive; the largest real documents have some thousand pictures."""
LARGEST_PART: Final = 64 * 2**20
"""Bytes of one XML part when unpacked."""
LARGEST_SUM: Final = 128 * 2**20
"""Bytes of all XML parts that are read, unpacked."""
HIGHEST_RATIO: Final = 200
"""Unpacked bytes per packed byte, in parts larger than `RATIO_FROM`; real parts stay below 60."""
RATIO_FROM: Final = 4 * 2**20
MOST_TAGS: Final = 4_000_000
"""Tags of one part; a book of 872 pages has 160,000. Each takes 200 bytes of memory or more."""
DEEPEST: Final = 160
"""The deepest nesting; a formula in a text box in a table in a table has about 40 levels."""

NO_PART: Final = Element("none")
"""Represents a missing part; it is empty."""

_ZIP: Final = b"PK"
_OLE: Final = b"\xd0\xcf\x11\xe0"
# Raised for archives that are damaged, encrypted, or packed in an unusual way.
_UNREADABLE: Final = (
    zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError,
)  # fmt: skip

# The transitional namespaces begin with the first address, the strict ones with the second.
_SCHEMAS: Final = ("http://schemas.openxmlformats.org/", "http://purl.oclc.org/ooxml/")
_PREFIXES: Final = {
    "wordprocessingml/2006/main": "",
    "wordprocessingml/main": "",
    "package/2006/relationships": "",
    "officeDocument/2006/relationships": "r_",
    "officeDocument/relationships": "r_",
    "officeDocument/2006/math": "m_",
    "officeDocument/math": "m_",
    "drawingml/2006/wordprocessingDrawing": "wp_",
    "drawingml/wordprocessingDrawing": "wp_",
    "drawingml/2006/main": "a_",
    "drawingml/main": "a_",
    "drawingml/2006/chart": "c_",
    "drawingml/chart": "c_",
    "http://schemas.microsoft.com/office/drawing/2014/chartex": "cx_",
    "markup-compatibility/2006": "mc_",
    "urn:schemas-microsoft-com:vml": "v_",
}


class Relationship(NamedTuple):
    """A reference of a part: the last word of its type, and the name of a part or an address."""

    kind: str
    target: str
    is_external: bool


class DocxPackage:
    """The parts of one Word document.

    Attributes:
        main: The name of the part that holds the text.
        relationships: What the main part refers to, by id.

    Raises:
        SourceError: The data is not a Word document, is damaged, or exceeds the limits above.
    """

    def __init__(self, data: bytes, name: str) -> None:
        self.name = name
        self._archive = self._open(data)
        self._unpacked = 0
        self.main = self._main_part()
        self.relationships = self._relationships(self.main)

    def part(self, kind: str) -> Element:
        """Return the part of a kind (``styles``, ``numbering`` ...), or `NO_PART`."""
        return self.read(self._name_of(kind))

    def relationships_of(self, kind: str) -> dict[str, Relationship]:
        """Return what the part of a kind refers to; empty if there is no such part."""
        part = self._name_of(kind)
        return self._relationships(part) if part else {}

    def read(self, part: str) -> Element:
        """Return the root of the part of this name, or `NO_PART`.

        Raises:
            SourceError: The part is damaged, or exceeds a limit.
        """
        info = self._archive.NameToInfo.get(part)
        return NO_PART if info is None else self._parse(part, self._unpack(info))

    def body(self) -> Element:
        """Return the body of the main part."""
        root = self.read(self.main)
        body = root.find("body")
        if root.tag != "document" or body is None:
            self.fail(self.main, "contains no WordprocessingML document")
        return body

    def core_properties(self) -> dict[str, str]:
        """Return title, author, subject and language, as far as they are filled in."""
        properties: dict[str, str] = {}
        for relationship in self._relationships("").values():
            if relationship.kind != "core-properties":
                continue
            for element in self.read(relationship.target):
                name = element.tag.rpartition("_")[2]
                text = " ".join((element.text or "").split())
                if text and name in ("title", "subject", "creator", "language"):
                    properties["author" if name == "creator" else name] = text
        return properties

    def _name_of(self, kind: str) -> str:
        """Return the name of the part of a kind; empty if there is none."""
        related = self.relationships.values()
        return next((r.target for r in related if r.kind == kind and not r.is_external), "")

    # ---------------------------------------------------------------- the archive

    def _open(self, data: bytes) -> zipfile.ZipFile:
        if data.startswith(_OLE):
            msg = (
                f"{self.name}: not a .docx file but an OLE file: an old .doc, or encrypted with"
                " a password; save it as .docx without a password"
            )
            raise SourceError(msg)
        start = data[:8]
        if data and not data.startswith(_ZIP):
            msg = (
                f"{self.name}: not a .docx file: it is not a ZIP archive: it begins with {start!r}"
            )
            raise SourceError(msg)
        try:
            archive = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, ValueError, OverflowError, NotImplementedError) as error:
            msg = f"{self.name}: not an intact .docx file: the ZIP archive is damaged: {error}"
            raise SourceError(msg) from error
        if (entries := len(archive.infolist())) > MOST_ENTRIES:
            limit = f"the archive has {entries} entries, but may have {MOST_ENTRIES}"
            msg = f"{self.name}: refused as .docx: {limit}"
            raise SourceError(msg)
        return archive

    def _main_part(self) -> str:
        related = self._relationships("").values()
        targets = [r.target for r in related if r.kind == "officeDocument"]
        for target in (*targets, "word/document.xml"):
            if target in self._archive.NameToInfo:
                return target
        msg = f"{self.name}: not a .docx file: the archive has no word/document.xml"
        raise SourceError(msg)

    def _relationships(self, part: str) -> dict[str, Relationship]:
        """Return what a part refers to; the empty name means the package itself."""
        folder, _, file = part.rpartition("/")
        relationships: dict[str, Relationship] = {}
        for element in self.read(join(folder, "_rels", f"{file}.rels")):
            target = element.get("Target", "")
            is_external = element.get("TargetMode") == "External"
            if not is_external:
                target = normpath(join("/", dirname(part), target)).lstrip("/")
            kind = element.get("Type", "").rpartition("/")[2]
            relationships[element.get("Id", "")] = Relationship(kind, target, is_external)
        return relationships

    def _unpack(self, info: zipfile.ZipInfo) -> bytes:
        """Unpack a part; never more bytes are unpacked than the archive's directory states."""
        self._unpacked += info.file_size
        if info.file_size > LARGEST_PART or self._unpacked > LARGEST_SUM:
            size = f"{info.file_size / 2**20:,.0f} MiB"
            self.fail(info.filename, f"is too large when unpacked ({size})")
        ratio = info.file_size / max(1, info.compress_size)
        if info.file_size > RATIO_FROM and ratio > HIGHEST_RATIO:
            self.fail(info.filename, f"is compressed {ratio:,.0f} to 1, like a ZIP bomb")
        try:
            return self._archive.read(info)
        except _UNREADABLE as error:
            self.fail(info.filename, f"cannot be unpacked: {error}", error)

    def _parse(self, part: str, data: bytes) -> Element:
        if (tags := data.count(b"<")) > MOST_TAGS:
            self.fail(part, f"has {tags:,} tags, but may have {MOST_TAGS:,}")
        try:
            return _parsed(data, partial(self.fail, part))
        except SourceError:
            raise
        except (ExpatError, ValueError, LookupError) as error:
            self.fail(part, f"is not well-formed XML: {error}", error)

    def fail(self, part: str, what: str, cause: Exception | None = None) -> NoReturn:
        """Raise the error that a part cannot be read."""
        msg = f"{self.name}: cannot read as .docx: part {part} {what}"
        raise SourceError(msg) from cause


# -------------------------------------------------------------------- XML


def _parsed(data: bytes, refuse: Callable[[str], NoReturn]) -> Element:
    """Return the root of a part, with short names; entities cannot be defined in it."""
    builder = TreeBuilder()
    names = _ShortNames()
    depth = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > DEEPEST:
            refuse(f"is nested deeper than {DEEPEST} elements")
        builder.start(names[tag], {names[key]: value for key, value in attributes.items()})

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(names[tag])

    def doctype(*_: object) -> NoReturn:
        refuse("has a document type declaration, which is refused")

    parser = ParserCreate(namespace_separator="}")
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = builder.data, doctype
    parser.Parse(data, True)  # noqa: FBT003 - positional in the standard library
    return builder.close()


class _ShortNames(dict[str, str]):
    """The short names of the elements and attributes of a part."""

    def __missing__(self, name: str) -> str:
        space, _, local = name.rpartition("}")
        for schema in _SCHEMAS:
            space = space.removeprefix(schema)
        self[name] = (_PREFIXES.get(space, "?_") if space else "") + local
        return self[name]
