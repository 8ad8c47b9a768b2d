"""Tables of a PDF across pages and with captions; `cases/pdf.txt` has tables on one page."""

from itertools import chain

import pytest
from pdf_files import PdfPage, pdf_bytes
from pdf_pages import PROSE, fill_cells, markdown, prose, ruled, table_text, text_of

from treepack import Source, audit, pack, read

pytest.importorskip("pypdfium2")

HEAD, M8, M10 = ["Size", "Torque"], ["M8", "25"], ["M10", "49"]


def test_a_table_without_row_rules_may_fill_a_page() -> None:
    rows = [["Part", "Use", "Torque"], *([f"M{n}", f"use {n}", f"{n}"] for n in range(32))]
    page = PdfPage().rules(72, 400, 704, 684, 80)
    ys = [704, *(684 - 18 * n for n in range(32))]
    assert markdown(rows) == table_text(fill_cells(page, [72, 172, 272], ys, rows))


def test_a_row_on_the_next_page_has_its_page() -> None:
    source = read(pdf_bytes(ruled(HEAD, M8, top=120), ruled(HEAD, M10, top=720)))
    assert ((0, 1), (source.text.index("| M10"), 2)) == source.page_marks


def test_repeated_captions_and_headers_of_a_table_are_listed_as_skipped() -> None:
    first = ruled(HEAD, M8, top=120, page=prose().text(72, 126, "Table 4: Torques"))
    second = ruled(HEAD, M10, top=720, page=PdfPage().text(72, 726, "Table 4 (continued)"))
    source = read(pdf_bytes(first, second))
    assert "| M8 | 25 |\n| M10 | 49 |" in source.text
    assert [
        "repeated table header of page 2: Table 4 (continued)",
        "repeated table header of page 2: Size | Torque",
    ] == [reason for _, reason in source.left_out]


@pytest.mark.parametrize("thick", ["", "2.5 w"])
def test_rows_of_a_long_table_are_not_running_headers_or_footers(thick: str) -> None:
    pages = list[PdfPage]()
    rows = [[[f"M{n}{row}", f"{n * row + 7}"] for row in (1, 2, 3)] for n in range(1, 5)]
    for own in rows:
        page = PdfPage().rules(72, 330, 720, 700, 680, 660, 640)
        if thick:
            page.operators = [thick, *(each.removeprefix("0.5 w ") for each in page.operators)]
        page.words((76, 706, "Size"), (204, 706, "Torque"), font="B")
        pages.append(fill_cells(page, [72, 200], [700, 680, 660], own))
    source = read(pdf_bytes(*pages))
    assert markdown([HEAD, *chain(*rows)]) in source.text
    assert "pdf_lines_left_out" not in source.metadata


def test_text_at_the_height_of_repeated_table_headers_is_kept() -> None:
    pages = [ruled(HEAD, [f"M{n}1", f"{n}4"], [f"M{n}2", f"{n}7"], top=720) for n in range(1, 4)]
    for one, two in (("Pumps move water", "Valves shut pipes"), ("Seals hold", "Bolts turn")):
        page = PdfPage().words((76, 706, one), (330, 706, two))
        pages.append(page.lines(76, 600, "The rest of the page.", "It has two lines."))
    source = read(pdf_bytes(*pages))
    assert source.text.count("| Size | Torque |") == 1
    assert "| M32 | 37 |" in source.text
    assert all(text in source.text for text in ("Pumps move water", "Valves shut", "Bolts turn"))
    assert "pdf_lines_left_out" not in source.metadata


NEARER = ruled(HEAD, M8).text(72, 606, "Table 2: Depths")
STEEL, BRASS = "Table 4: Torques of steel", "Table 5: Torques of brass"
CAPTIONS: dict[str, tuple[list[PdfPage], list[str | None]]] = {
    "below the last part of a table": (
        [ruled(HEAD, M8, top=120, page=prose()),
         ruled(HEAD, M10, top=720).text(72, 664, "Table 7: Torques")],
        ["Table 7: Torques"],
    ),
    "different, of tables with equal headers": (
        [ruled(HEAD, M8, top=120, page=prose().text(72, 126, STEEL)),
         ruled(HEAD, M10, top=720, page=PdfPage().text(72, 726, BRASS))],
        [STEEL, BRASS],
    ),
    "between two tables": ([ruled(["Hole", "Depth"], ["A", "12"], top=600, page=NEARER)],
                           [None, "Table 2: Depths"]),
    "only a sentence about the table": (
        [ruled(HEAD, M8).text(72, 706, "Table 3 lists the torques of all sizes.")], [None]),
    **{f"with the word {word}": ([ruled(M8, M10).text(72, 706, f"{word} 3: M8 und M10")],
                                 [f"{word} 3: M8 und M10"])
       for word in ("Tabelle", "Tab.", "TABLE", "Cuadro", "Tabella", "Tableau")},
    **{f"at the height {y}": (
        [ruled(HEAD, M8, M10).text(72, y, "Table 3. Torques in Nm").lines(72, 560, *PROSE)],
        ["Table 3. Torques in Nm"]) for y in (706, 626)},
}  # fmt: skip


@pytest.mark.parametrize("kind", CAPTIONS)
def test_a_caption_belongs_to_its_table(kind: str) -> None:
    pages, captions = CAPTIONS[kind]
    source = read(pdf_bytes(*pages))
    assert captions == [table.caption for chunk in pack(source) for table in chunk.tables]
    assert all(source.text.count(caption) == 1 for caption in captions if caption)


def test_a_caption_stands_above_its_table() -> None:
    text = text_of(*CAPTIONS["below the last part of a table"][0])
    assert f"*Table 7: Torques*\n\n{markdown([HEAD, M8, M10])}" in text


def test_chunks_of_a_pdf_keep_the_laws() -> None:
    parts = [prose(number=n).text(72, 730, f"{n} Part", 16, "B") for n in range(1, 9)]
    pages = [ruled(HEAD, [f"M{n}", "25"], top=500, page=page) for n, page in enumerate(parts, 1)]
    source: Source = read(pdf_bytes(*pages), name="a.pdf")
    report = audit(source, pack(source))
    assert report.ok, report.findings
