"""Word documents made of raw XML, for tests."""

import io
import zipfile
from collections.abc import Iterable, Mapping
from typing import Final

from case_files import CASES

from treepack.readers.docx.reader import read_docx

WORD: Final = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
STRICT: Final = "http://purl.oclc.org/ooxml/wordprocessingml/main"
_PACKAGE: Final = "http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_OTHERS: Final = (
    f'xmlns:r="{_OFFICE}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    ' xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
    ' xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"'
    ' xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
    ' xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    ' xmlns:v="urn:schemas-microsoft-com:vml"'
)

DEFAULT_STYLES: Final = (CASES / "parts" / "styles.xml").read_text("utf-8")


def docx(
    body: str,
    *,
    numbering: str = "",
    styles: str = DEFAULT_STYLES,
    parts: Mapping[str, str] | None = None,
    namespace: str = WORD,
) -> bytes:
    """A document; ``parts`` maps the kind of each further part (``footnotes``) to its XML."""
    open_word = f'xmlns:w="{namespace}" {_OTHERS}'
    content = {
        "styles": f"<w:styles {open_word}>{styles}</w:styles>",
        "numbering": f"<w:numbering {open_word}>{numbering}</w:numbering>",
    }
    content |= {
        kind: f"<w:{kind} {open_word}>{xml}</w:{kind}>" for kind, xml in (parts or {}).items()
    }
    references = "".join(
        f'<Relationship Id="{kind}" Type="{_OFFICE}/{kind}" Target="{kind}.xml"/>'
        for kind in content
    )
    references += f'<Relationship Id="picture" Type="{_OFFICE}/image" Target="media/image1.png"/>'
    files = {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": (
            f'<Relationships xmlns="{_PACKAGE}"><Relationship Id="a"'
            f' Type="{_OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>'
        ),
        "word/_rels/document.xml.rels": (
            f'<Relationships xmlns="{_PACKAGE}">{references}</Relationships>'
        ),
        "word/document.xml": f"<w:document {open_word}><w:body>{body}</w:body></w:document>",
        **{f"word/{kind}.xml": xml for kind, xml in content.items()},
    }
    return archive({name: text.encode() for name, text in files.items()})


def archive(files: Mapping[str, bytes]) -> bytes:
    """A zip archive."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in files.items():
            packed.writestr(name, data)
    return buffer.getvalue()


def unpacked(data: bytes) -> dict[str, bytes]:
    """The entries of a zip archive."""
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def related(
    data: bytes,
    relations: str,
    parts: Mapping[str, str] | None = None,
    to: str = "word/document.xml",
) -> bytes:
    """Add relationships to a part, and the parts that they name; ``OFFICE`` is their schema."""
    files = unpacked(data) | {name: text.encode() for name, text in (parts or {}).items()}
    folder, _, name = to.rpartition("/")
    name = f"{folder}/_rels/{name}.rels".removeprefix("/")
    added = relations.replace("OFFICE", _OFFICE) + "</Relationships>"
    files[name] = files[name].replace(b"</Relationships>", added.encode())
    return archive(files)


def p(
    text: str = "", style: str = "", number: tuple[int, int] | None = None, more: str = ""
) -> str:
    """A paragraph; ``number`` is its numId and ilvl, ``more`` holds further properties."""
    properties = f'<w:pStyle w:val="{style}"/>' if style else ""
    if number:
        number_id, level = number
        properties += f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number_id}"/></w:numPr>'
    content = text if text.startswith("<") else r(text) if text else ""
    return f"<w:p><w:pPr>{properties}{more}</w:pPr>{content}</w:p>"


def r(text: str, properties: str = "") -> str:
    """A run of text."""
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def h(level: int, text: str, number: tuple[int, int] | None = None) -> str:
    """A heading, with the style id that a German Word uses."""
    return p(text, f"berschrift{level}", number)


def lvl(  # noqa: PLR0913 - what a level can have
    level: int, text: str, form: str = "decimal", *, start: int = 1, style: str = "", more: str = ""
) -> str:
    """A level of a list."""
    link = f'<w:pStyle w:val="{style}"/>' if style else ""
    return (
        f'<w:lvl w:ilvl="{level}"><w:start w:val="{start}"/><w:numFmt w:val="{form}"/>{link}{more}'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
    )


def abstract(list_id: int, levels: Iterable[str], more: str = "") -> str:
    """An abstract list."""
    return f'<w:abstractNum w:abstractNumId="{list_id}">{more}{"".join(levels)}</w:abstractNum>'


def num(number_id: int, list_id: int, overrides: str = "") -> str:
    """An instance of a list."""
    return f'<w:num w:numId="{number_id}"><w:abstractNumId w:val="{list_id}"/>{overrides}</w:num>'


def table(*rows: str, look: str = '<w:tblLook w:firstRow="1"/>') -> str:
    """A table of rows."""
    return f"<w:tbl><w:tblPr>{look}</w:tblPr>{''.join(rows)}</w:tbl>"


def tr(*cells: str, more: str = "") -> str:
    """A row of cells; plain text becomes a cell."""
    made = [cell if cell.startswith("<w:tc>") else tc(cell) for cell in cells]
    return f"<w:tr><w:trPr>{more}</w:trPr>{''.join(made)}</w:tr>"


def tc(text: str, more: str = "") -> str:
    """A cell."""
    content = text if text.startswith("<w:p>") else p(text)
    return f"<w:tc><w:tcPr>{more}</w:tcPr>{content}</w:tc>"


def field(code: str, result: str) -> str:
    """A complex field, written as runs."""
    begin, separate, end = (
        f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>' for kind in ("begin", "separate", "end")
    )
    return f"{begin}<w:r><w:instrText> {code} </w:instrText></w:r>{separate}{result}{end}"


def text_of(body: str, **parts: object) -> str:
    """The text that is read from a document."""
    return read_docx(docx(body, **parts), "a.docx").text  # type: ignore[arg-type]


def lines_of(body: str, **parts: object) -> list[str]:
    """The lines of that text that are not empty."""
    return [line for line in text_of(body, **parts).split("\n") if line]


OUTLINE: Final = abstract(1, [lvl(0, "%1."), lvl(1, "%1.%2."), lvl(2, "%1.%2.%3.")])
LIST: Final = abstract(
    1, [lvl(0, "%1."), lvl(1, "(%2)", "lowerLetter"), lvl(2, "(%3)", "lowerRoman")]
)
