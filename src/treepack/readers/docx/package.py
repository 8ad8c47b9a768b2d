"""Opens the package of a Word document, a zip archive of XML parts, within limits.

Names of elements and attributes are shortened when a part is read: those of WordprocessingML lose
their namespace (``p``, ``pPr``, ``val``), others get a prefix (``m_oMath``, ``r_id``,
``mc_Choice``). So the transitional and the strict form (ISO/IEC 29500 parts 1 and 4), which differ
in their namespaces, look the same to the rest of the code.
"""

import io
import zipfile
import zlib
from posixpath import dirname, join, normpath
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element, ParseError, XMLParser
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

_PREFIXES: Final = {
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main": "",
    "http://purl.oclc.org/ooxml/wordprocessingml/main": "",
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships": "r_",
    "http://purl.oclc.org/ooxml/officeDocument/relationships": "r_",
    "http://schemas.openxmlformats.org/package/2006/relationships": "",
    "http://schemas.openxmlformats.org/officeDocument/2006/math": "m_",
    "http://purl.oclc.org/ooxml/officeDocument/math": "m_",
    "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing": "wp_",
    "http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing": "wp_",
    "http://schemas.openxmlformats.org/drawingml/2006/main": "a_",
    "http://purl.oclc.org/ooxml/drawingml/main": "a_",
    "http://schemas.openxmlformats.org/drawingml/2006/chart": "c_",
    "http://purl.oclc.org/ooxml/drawingml/chart": "c_",
    "http://schemas.microsoft.com/office/drawing/2014/chartex": "cx_",
    "http://schemas.openxmlformats.org/markup-compatibility/2006": "mc_",
    "http://schemas.microsoft.com/office/word/2010/wordprocessingShape": "wps_",
    "http://schemas.microsoft.com/office/word/2010/wordml": "w14_",
    "urn:schemas-microsoft-com:vml": "v_",
    "http://purl.org/dc/elements/1.1/": "dc_",
    "http://purl.org/dc/terms/": "dcterms_",
    "http://schemas.openxmlformats.org/package/2006/metadata/core-properties": "cp_",
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
        return self._read(part) if part in self._archive.NameToInfo else NO_PART

    def body(self) -> Element:
        """Return the body of the main part."""
        root = self._read(self.main)
        body = root.find("body")
        if root.tag != "document" or body is None:
            raise self._error(self.main, "contains no WordprocessingML document")
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
        if data and not data.startswith(_ZIP):
            start = data[:8]
            msg = (
                f"{self.name}: not a .docx file: it is not a ZIP archive: it begins with {start!r}"
            )
            raise SourceError(msg)
        try:
            archive = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, ValueError, OverflowError, NotImplementedError) as error:
            msg = f"{self.name}: not an intact .docx file: the ZIP archive is damaged: {error}"
            raise SourceError(msg) from error
        if len(archive.infolist()) > MOST_ENTRIES:
            msg = (
                f"{self.name}: refused as .docx: the archive has {len(archive.infolist())} entries,"
                f" but may have {MOST_ENTRIES}"
            )
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

    def _read(self, part: str) -> Element:
        data = self._unpack(self._archive.NameToInfo[part])
        if (tags := data.count(b"<")) > MOST_TAGS:
            raise self._error(part, f"has {tags:,} tags, but may have {MOST_TAGS:,}")
        try:
            _refuse_document_type(data)
            parser = XMLParser()  # noqa: S314 - a document type is refused above, so no entities
            parser.feed(data)
            root = parser.close()
        except _DocumentTypeError as error:
            raise self._error(part, "has a document type declaration, which is refused") from error
        except (ParseError, ExpatError, ValueError, LookupError) as error:
            raise self._error(part, f"is not well-formed XML: {error}") from error
        if not _shorten_names(root):
            raise self._error(part, f"is nested deeper than {DEEPEST} elements")
        return root

    def _unpack(self, info: zipfile.ZipInfo) -> bytes:
        """Unpack a part; never more bytes are unpacked than the archive's directory states."""
        self._unpacked += info.file_size
        if info.file_size > LARGEST_PART or self._unpacked > LARGEST_SUM:
            size = f"{info.file_size / 2**20:,.0f} MiB"
            raise self._error(info.filename, f"is too large when unpacked ({size})")
        ratio = info.file_size / max(1, info.compress_size)
        if info.file_size > RATIO_FROM and ratio > HIGHEST_RATIO:
            raise self._error(info.filename, f"is compressed {ratio:,.0f} to 1, like a ZIP bomb")
        try:
            return self._archive.read(info)
        except _UNREADABLE as error:
            raise self._error(info.filename, f"cannot be unpacked: {error}") from error

    def _error(self, part: str, what: str) -> SourceError:
        return SourceError(f"{self.name}: cannot read as .docx: part {part} {what}")


# -------------------------------------------------------------------- XML


class _DocumentTypeError(ValueError):
    """A part has a document type declaration, without which no entities can be defined."""


class _RootReachedError(Exception):
    """The first element begins, so everything before it has been checked."""


def _refuse_document_type(data: bytes) -> None:
    """Raise an error if a document type is declared before the first element, in any encoding."""

    def refuse(*_: object) -> None:
        raise _DocumentTypeError

    def stop(*_: object) -> None:
        raise _RootReachedError

    parser = ParserCreate()
    parser.StartDoctypeDeclHandler = refuse
    parser.StartElementHandler = stop
    try:
        parser.Parse(data, True)  # noqa: FBT003 - positional in the standard library
    except _RootReachedError:
        return


def _shorten_names(root: Element) -> bool:
    """Shorten all names in place; return False if elements are nested too deep."""
    short: dict[str, str] = {}
    level = [root]
    for _ in range(DEEPEST):
        for element in level:
            element.tag = short.get(element.tag) or _shorten(element.tag, short)
            if element.attrib:
                element.attrib = {
                    short.get(key) or _shorten(key, short): value
                    for key, value in element.attrib.items()
                }
        level = [child for element in level for child in element]
        if not level:
            return True
    return False


def _shorten(name: str, short: dict[str, str]) -> str:
    space, _, local = name.rpartition("}")
    prefix = _PREFIXES.get(space[1:], "?_") if space else ""
    short[name] = prefix + local
    return short[name]
