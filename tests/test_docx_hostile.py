"""Damaged and hostile Word documents: errors, limits and work.

Every document is made here from raw XML.
"""

import io
import tracemalloc
import zipfile
from collections.abc import Callable

import pytest
from docx_files import LIST, archive, docx, num, p, r, table, tc, text_of, tr, unpacked
from function_calls import assert_linear

from treepack import SourceError
from treepack.readers.docx.reader import read_docx

VALID_DOCX = docx(p("a"))


def without_entry(data: bytes, name: str) -> bytes:
    return archive({entry: held for entry, held in unpacked(data).items() if entry != name})


def with_document_xml(xml: bytes) -> bytes:
    return archive({**unpacked(VALID_DOCX), "word/document.xml": xml})


ENTITY_BOMB = (
    b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">'
    b'<!ENTITY c "&b;&b;&b;&b;&b;">]><a>&c;</a>'
)
WIDE_BOMB = ENTITY_BOMB.decode().replace("?>", ' encoding="utf-16"?>', 1).encode("utf-16")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (VALID_DOCX[: len(VALID_DOCX) // 2], "not an intact .docx file"),
        (b"PK\x03\x04", "not an intact .docx file"),
        (b"", "not an intact .docx file"),
        (b"%PDF-1.7 x", r"it is not a ZIP archive: it begins with b'%PDF-1\.7'"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "encrypted with a password"),
        (without_entry(VALID_DOCX, "word/document.xml"), "has no word/document.xml"),
        (with_document_xml(b"<w:document"), "word/document.xml is not well-formed XML"),
        (with_document_xml(b"<html/>"), "word/document.xml contains no WordprocessingML document"),
        (with_document_xml(ENTITY_BOMB), "word/document.xml has a document type declaration"),
        (with_document_xml(WIDE_BOMB), "word/document.xml has a document type declaration"),
        (with_document_xml(b"<w:document xmlns:w='x'>" + b"<w:a>" * 40), "is not well-formed XML"),
        (with_document_xml(b"<b>" * 100_000 + b"</b>" * 100_000), "nested deeper than 160"),
        (archive({f"f{n}": b"" for n in range(20_001)}), "has 20001 entries, but may have 20000"),
    ],
    ids=range(13),
)
def test_an_invalid_file_is_rejected_with_its_name_format_and_reason(
    data: bytes, reason: str
) -> None:
    with pytest.raises(SourceError, match=reason) as caught:
        read_docx(data, "bad.docx")
    assert str(caught.value).startswith("bad.docx: ")
    assert ".docx" in str(caught.value).removeprefix("bad.docx")


def test_a_zip_bomb_is_rejected_before_it_is_unpacked() -> None:
    """The archive's directory states the size (here 64 MB in 64 KB), so nothing is unpacked."""
    buffer = io.BytesIO()
    with (
        zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed,
        packed.open("word/document.xml", "w") as file,
    ):
        for _ in range(64):
            file.write(bytes(2**20))
    tracemalloc.start()
    try:
        with pytest.raises(SourceError, match=r"word/document\.xml is compressed [\d,]+ to 1"):
            read_docx(buffer.getvalue(), "bomb.docx")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 2**20


def with_declared_size(size: int) -> bytes:
    """A document whose archive directory states ``size`` as the unpacked size of its text."""
    data = bytearray(VALID_DOCX)
    at = data.rindex(b"word/document.xml") - 46 + 24  # the size in the central directory
    data[at : at + 4] = size.to_bytes(4, "little")
    return bytes(data)


def test_a_false_unpacked_size_is_rejected() -> None:
    """No more is unpacked than the archive's directory states."""
    size = len(unpacked(VALID_DOCX)["word/document.xml"])
    assert with_declared_size(size) == VALID_DOCX
    with pytest.raises(SourceError, match=r"word/document\.xml cannot be unpacked"):
        read_docx(with_declared_size(size // 2), "bad.docx")
    with pytest.raises(SourceError, match=r"word/document\.xml is too large .* \(4,096 MiB\)"):
        read_docx(with_declared_size(2**32 - 2), "bad.docx")


@pytest.mark.parametrize(
    ("limit", "value", "reason"),
    [
        ("LARGEST_PART", 9, r"part _rels/\.rels is too large when unpacked"),
        ("LARGEST_SUM", 4000, r"part word/\w+\.xml is too large when unpacked"),
        ("MOST_TAGS", 9, r"part word/\w+\.xml has \d+ tags, but may have 9"),
    ],
)
def test_total_size_and_number_of_tags_are_limited(
    limit: str, value: int, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each part alone may be small, and small tags are large in memory."""
    monkeypatch.setattr(f"treepack.readers.docx.package.{limit}", value)
    with pytest.raises(SourceError, match=reason):
        read_docx(docx(p("a") * 5), "bad.docx")


def test_very_wide_column_spans_are_limited() -> None:
    cell = tc("x", '<w:gridSpan w:val="99999999"/>')
    text = text_of(table(*[tr(cell)] * 50, tr("a", "b")))
    assert len(text) < 1_000_000


TEXT_BOX = "<v:textbox><w:txbxContent>{}</w:txbxContent></v:textbox>"


@pytest.mark.parametrize(
    ("outer", "inner", "levels"),
    [
        ("<w:smartTag>{}</w:smartTag>", r("x"), 1),
        ("<m:e>{}</m:e>", "<m:r><m:t>x</m:t></m:r>", 1),
        ("<w:tbl><w:tr><w:tc><w:p/></w:tc><w:tc>{}</w:tc></w:tr></w:tbl>", p("x"), 3),
        ("<w:tbl><w:tr><w:tc>{}</w:tc></w:tr></w:tbl>", p("x"), 3),
        ("<w:sdt><w:sdtContent>{}</w:sdtContent></w:sdt>", p("x"), 2),
        (f"<w:p><w:r><w:pict>{TEXT_BOX}</w:pict></w:r></w:p>", p("x"), 5),
    ],
)
def test_the_deepest_allowed_nesting_is_read(outer: str, inner: str, levels: int) -> None:
    """This also holds if the caller already uses 300 frames of Python's stack."""
    body = inner
    for _ in range(150 // levels):
        body = outer.format(body)
    if levels == 1:
        body = p(f"<m:oMath>{body}</m:oMath>" if "m:" in outer else body)
    frames = 300

    def deeper(depth: int) -> str:
        return deeper(depth - 1) if depth else text_of(body)

    assert "x" in deeper(frames)


def of_numbered_paragraphs(count: int) -> bytes:
    body = "".join(p("x", number=(1, n % 3)) for n in range(count))
    return docx(body, numbering=LIST + num(1, 1))


def of_notes_beside_lists(count: int) -> bytes:
    """Each note has its own counts, which once began as a copy of all lists."""
    notes = "".join(f'<w:footnote w:id="{at}">{p("x")}</w:footnote>' for at in range(count))
    body = "".join(f'<w:r><w:footnoteReference w:id="{at}"/></w:r>' for at in range(count))
    lists = LIST + "".join(num(at, 1) for at in range(1, count))
    return docx(f"<w:p>{body}</w:p>", numbering=lists, parts={"footnotes": notes})


def of_runs_and_fields(count: int) -> bytes:
    begin = '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
    return docx(p(r("word ") * count) + p((r("word ") + begin) * count))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "count", "words"),
    [
        (of_numbered_paragraphs, 500, " x"),
        (of_notes_beside_lists, 250, "]: x"),
        (of_runs_and_fields, 500, "word"),
    ],
)
def test_large_documents_take_linear_work(
    make: Callable[[int], bytes], count: int, words: str
) -> None:
    assert read_docx(make(count), "a.docx").text.count(words) >= count
    assert_linear(lambda n: read_docx(make(n), "a.docx"), count)
