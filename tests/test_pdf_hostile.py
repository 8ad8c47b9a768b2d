"""Hostile PDFs, written here: each ends within its limits, and the next file is read as usual."""

from collections.abc import Sequence

import pytest
from case_files import case_table
from pdf_files import PdfPage, pdf_bytes

from treepack import SourceError, pack, read

pytest.importorskip("pypdfium2")

from treepack.readers.pdf import PdfLimits

LIMITS = PdfLimits(seconds=20, page_seconds=4, megabytes=256)


def raw_pdf(*objects: str, root: int = 1) -> bytes:
    """Return a PDF of numbered objects as given; a stream is given as its dictionary and text."""
    parts, offsets = ["%PDF-1.7\n"], list[int]()
    for number, content in enumerate(objects, 1):
        offsets.append(sum(map(len, parts)))
        head, _, stream = content.partition("\nstream ")
        if stream:
            head = f"{head.removesuffix('>>')} /Length {len(stream)}>>\nstream\n{stream}\nendstream"
        parts.append(f"{number} 0 obj\n{head}\nendobj\n")
    start, size = sum(map(len, parts)), len(objects) + 1
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    parts.append(
        f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<</Size {size} /Root {root} 0 R>>\n"
        f"startxref\n{start}\n%%EOF\n"
    )
    return "".join(parts).encode("latin-1")


CATALOG = "<</Type/Catalog /Pages 2 0 R>>"
PAGES = "<</Type/Pages /Kids [3 0 R] /Count 1>>"
FONT = "<</Type/Font /Subtype/Type1 /BaseFont/Helvetica>>"
FORM = (
    "<</Type/XObject /Subtype/Form /BBox [0 0 600 700] /Resources <</XObject <<{0}>>>>>>"
    "\nstream {1}"
)
TEXT = "BT /F 10 Tf 72 700 Td (Pumps of the world) Tj ET"


def page(content: int, more: str = "") -> str:
    return (
        f"<</Type/Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {content} 0 R"
        f" /Resources <</Font <</F 5 0 R>>{more}>>>>"
    )


def stream(text: str) -> str:
    return f"<<>>\nstream {text}"


def nested_forms(depth: int) -> Sequence[str]:
    """Return form objects, each of which shows the next one ten times."""
    forms = [FORM.format(f"/X {7 + at} 0 R", "/X Do " * 10) for at in range(depth)]
    return [*forms, FORM.format("", "0 0 1 1 re f")]


SHARED = (CATALOG, PAGES, page(4), stream(TEXT), FONT)
WITH_FORM = {"3": page(4, " /XObject <</X 6 0 R>>"), "4": stream(f"{TEXT} /X Do")}


def changed_pdf(changes: dict[str, str]) -> bytes:
    """Return a PDF of the shared objects, some of which are others, and further ones."""
    objects = {str(number): content for number, content in enumerate(SHARED, 1)} | changes
    return raw_pdf(*objects.values())


NESTED = {str(number): form for number, form in enumerate(nested_forms(9), 6)}
FILES = {
    "forms in forms": changed_pdf(WITH_FORM | NESTED),
    "brackets without an end": changed_pdf(
        {"4": stream(f"{TEXT} {'[' * 100_000} {'<<' * 100_000}")}
    ),
    **{name: changed_pdf(changes) for name, changes in case_table("pdf_hostile", "files").items()},
}


@pytest.mark.parametrize("name", FILES)
def test_reading_a_hostile_file_ends_within_its_limits(name: str) -> None:
    try:
        source = read(FILES[name], name="a.pdf", pdf_limits=LIMITS)
    except SourceError as error:
        result = str(error)
    else:
        result = "".join(chunk.text for chunk in pack(source))
    assert result.startswith("a.pdf: ") or "Pumps of the world" in result
    text = "The next file is read."
    assert f"{text}\n" == read(pdf_bytes(PdfPage().text(72, 700, text))).text


@pytest.mark.parametrize("kind", ["rules", "figures"])
def test_a_page_full_of_rules_or_tiny_figures_loses_no_word(kind: str) -> None:
    page = PdfPage()
    for n in range(1200):
        page.text(30 + 45 * (n % 12), 780 - 7 * (n // 12), f"w{n} of pump", 2)
    for n in range(900) if kind == "rules" else ():
        page.rule(30, 20 + 0.8 * n, 590, 20 + 0.8 * n).rule(30 + 0.6 * n, 20, 30 + 0.6 * n, 740)
    for n in range(400) if kind == "figures" else ():
        page.figure(n, n, 1, 1, "", 1, "F")
    text = read(pdf_bytes(page)).text
    assert all(f"w{n}" in text for n in range(1200))


def test_a_document_of_identical_pages_keeps_its_text() -> None:
    pages = [PdfPage().text(72, 700, "Spare sheet").text(72, 660, "of the log") for _ in range(5)]
    assert 5 == read(pdf_bytes(*pages)).text.count("Spare sheet")


def test_an_invalid_character_code_becomes_the_replacement_character() -> None:
    """The font uses four bytes for some characters, and their codes are above U+10FFFF."""
    assert "AB\ufffdC" == read(changed_pdf(case_table("pdf_hostile", "codes"))).text.strip()


def test_bookmarks_to_missing_pages_do_not_prevent_reading() -> None:
    assert "Pumps of the world" in read(changed_pdf(case_table("pdf_hostile", "bookmarks"))).text
