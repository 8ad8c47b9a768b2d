"""The text and tables that are read from Word documents of raw XML, for tests."""

from docx_files import (
    abstract,
    docx,
    lvl,
)

from treepack import parse
from treepack.model.blocks import Table
from treepack.readers.docx.reader import read_docx


def text_of(body: str, **parts: object) -> str:
    return read_docx(docx(body, **parts), "a.docx").text  # type: ignore[arg-type]


def lines_of(body: str, **parts: object) -> list[str]:
    return [line for line in text_of(body, **parts).split("\n") if line]


def only_table(data: bytes) -> tuple[str, Table]:
    source = read_docx(data, "a.docx")
    blocks = [block for section in parse(source).root.walk() for block in section.blocks]
    (found,) = (block for block in blocks if isinstance(block, Table))
    return source.text, found


OUTLINE = abstract(1, [lvl(0, "%1."), lvl(1, "%1.%2."), lvl(2, "%1.%2.%3.")])

LIST = abstract(1, [lvl(0, "%1."), lvl(1, "(%2)", "lowerLetter"), lvl(2, "(%3)", "lowerRoman")])
