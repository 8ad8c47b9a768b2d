"""Hostile PDFs, written here: each ends within its limits, and the next file is read as usual."""

from collections.abc import Sequence

import pytest
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


FILES = {
    "a form that shows itself": raw_pdf(
        CATALOG, PAGES, page(4, " /XObject <</X 6 0 R>>"), stream(f"{TEXT} /X Do"), FONT,
        FORM.format("/X 6 0 R", "/X Do"),
    ),
    "forms in forms": raw_pdf(
        CATALOG, PAGES, page(4, " /XObject <</X 6 0 R>>"), stream(f"{TEXT} /X Do"), FONT,
        *nested_forms(9),
    ),
    "a circle of pages": raw_pdf(
        CATALOG, "<</Type/Pages /Kids [3 0 R 2 0 R] /Count 900000>>", page(4), stream(TEXT), FONT
    ),
    "more pages than there are": raw_pdf(
        CATALOG, "<</Type/Pages /Kids [3 0 R] /Count 19999>>", page(4), stream(TEXT), FONT
    ),
    "a circle of bookmarks": raw_pdf(
        "<</Type/Catalog /Pages 2 0 R /Outlines 6 0 R>>", PAGES, page(4), stream(TEXT), FONT,
        "<</Type/Outlines /First 7 0 R /Last 7 0 R>>",
        "<</Title (Pumps) /Parent 6 0 R /First 7 0 R /Next 8 0 R /Dest [3 0 R /Fit]>>",
        "<</Title (Valves) /Parent 6 0 R /First 7 0 R /Next 7 0 R /Dest [3 0 R /Fit]>>",
    ),
    "numbers beyond all bounds": raw_pdf(
        CATALOG, PAGES, page(4),
        stream(
            f"{TEXT} BT /F 1e38 Tf 1e38 -1e38 Td (far) Tj ET BT /F -0 Tf 0 0 Td (flat) Tj ET"
            " 1e38 0 0 1e38 0 0 cm 0 0 m 1e38 1e38 l S 9999999999999999999999 0 0 0 re S"
        ),
        FONT,
    ),
    "labels without an end": raw_pdf(
        "<</Type/Catalog /Pages 2 0 R /PageLabels 6 0 R>>", PAGES, page(4), stream(TEXT), FONT,
        "<</Kids [6 0 R 6 0 R] /Limits [0 99]>>",
    ),
    "tags in a circle": raw_pdf(
        "<</Type/Catalog /Pages 2 0 R /StructTreeRoot 6 0 R /MarkInfo <</Marked true>>>>", PAGES,
        page(4), stream(f"/H1 <</MCID 0>> BDC {TEXT} EMC"), FONT,
        "<</Type/StructTreeRoot /K [7 0 R]>>",
        "<</Type/StructElem /S/H1 /P 6 0 R /Pg 3 0 R /K [7 0 R 6 0 R 0]>>",
    ),
    "brackets without an end": raw_pdf(
        CATALOG, PAGES, page(4), stream(f"{TEXT} {'[' * 100_000} {'<<' * 100_000}"), FONT
    ),
}  # fmt: skip


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
    info = "/CIDSystemInfo <</Registry(Adobe) /Ordering(Identity) /Supplement 0>>"
    encoding = (
        f"<</Type/CMap /CMapName/Own {info}>>\nstream begincmap {info} def\n"
        "2 begincodespacerange <20> <7F> <F0808080> <F7BFBFBF> endcodespacerange\n"
        "1 begincidrange <20> <7F> 1 endcidrange\n"
        "1 begincidchar <F0A8A780> 200 endcidchar\nendcmap"
    )
    font = "<</Type/Font /Subtype/Type0 /BaseFont/Own /Encoding 6 0 R /DescendantFonts [7 0 R]>>"
    inner = (
        f"<</Type/Font /Subtype/CIDFontType2 /BaseFont/Own {info} /FontDescriptor 8 0 R /DW 1000>>"
    )
    descriptor = (
        "<</Type/FontDescriptor /FontName/Own /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0"
        " /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80>>"
    )
    drawn = stream("BT /F 12 Tf 72 700 Td <4142F0A8A78043> Tj ET")
    data = raw_pdf(CATALOG, PAGES, page(4), drawn, font, encoding, inner, descriptor)
    assert "AB\ufffdC" == read(data).text.strip()


def test_bookmarks_to_missing_pages_do_not_prevent_reading() -> None:
    outline = "<</Type/Outlines /First 7 0 R /Last 8 0 R /Count 2>>"
    one = "<</Title(Valves) /Parent 6 0 R /Next 8 0 R /Dest [3 0 R /XYZ 0 720 0]>>"
    two = "<</Title(Pipes) /Parent 6 0 R /Prev 7 0 R /Dest [40 /XYZ 0 720 0]>>"
    catalog = "<</Type/Catalog /Pages 2 0 R /Outlines 6 0 R>>"
    data = raw_pdf(catalog, PAGES, page(4), stream(TEXT), FONT, outline, one, two)
    assert "Pumps of the world" in read(data).text
