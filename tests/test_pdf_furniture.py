"""What is left out of a PDF: running headers and footers, page numbers, rotated stamps."""

import pytest
from pdf_files import PdfPage, pdf_bytes
from pdf_pages import PROSE, prose, text_of

from treepack import PackConfig, audit, pack, parse, read

pytest.importorskip("pypdfium2")


def test_running_headers_and_page_numbers_are_left_out_and_counted() -> None:
    pages = [
        prose(number=n).text(72, 760, "Manual of pumps").text(300, 40, f"- {n} -")
        for n in range(1, 6)
    ]
    source = read(pdf_bytes(*pages))
    assert "Manual of pumps" not in source.text
    assert "- 3 -" not in source.text
    assert {"running header or footer": 10} == source.metadata["pdf_lines_left_out"]
    words = ("alpha", "beta", "gamma", "delta", "eta")
    assert all(f"names for each size. {word}" in source.text for word in words)  # fmt: skip


def test_large_titles_at_the_same_height_are_not_running_headers() -> None:
    pages = [prose(number=n).text(72, 740, f"Part {n}", 20, "B") for n in range(1, 6)]
    assert all(f"Part {n}" in text_of(*pages) for n in range(1, 6))


def test_large_running_headers_are_left_out_after_the_first() -> None:
    pages = [
        prose(number=n).text(72, 760, "PX100", 20, "B").text(72, 735, "Pumps, Inc.")
        for n in range(1, 6)
    ]
    for n, page in enumerate(pages, 1):
        page.text(300, 40, "DRAFT", 16).text(500, 40, f"page {n}")  # in a row with page numbers
    text = text_of(*pages)
    assert 1 == text.count("PX100") == text.count("DRAFT")
    assert text.count("Pumps, Inc.") <= 1  # the row below such a header


def test_large_page_titles_are_kept_if_few_are_the_same() -> None:
    titles = ("Floor", "Pipes", "Pipes", "Pipes", "Bolts", "Torque", "Sizes", "Seals")
    pages = [prose(number=n).text(72, 740, title, 20, "B") for n, title in enumerate(titles)]
    assert 3 == text_of(*pages).count("Pipes")


def test_a_heading_at_the_top_of_distant_pages_is_not_a_running_header() -> None:
    pages = [prose(number=n) for n in range(9)]
    for chapter, n in enumerate((0, 4, 8), 1):
        pages[n].text(72, 740, f"{chapter}.1 Procedure")
    text = text_of(*pages)
    assert all(f"{chapter}.1 Procedure" in text for chapter in (1, 2, 3))


def test_a_running_header_with_the_page_number_is_left_out_whatever_its_text() -> None:
    titles = ("Floor", "Pipes", "Bolts", "Torque", "Sizes")
    pages = [
        prose(number=n).text(72, 760, title).text(500, 760, f"{n + 7}")
        for n, title in enumerate(titles)
    ]
    text = text_of(*pages)
    assert not any(title in text for title in titles)


def test_amendment_notes_at_the_bottom_of_pages_are_not_running_footers() -> None:
    pages = [
        prose(number=n).text(72, 60, f"{n} Amended by section {4 * n} of the Act of 2019.", 7)
        for n in range(1, 6)
    ]
    text = text_of(*pages)
    assert all(f"{n} Amended by section {4 * n}" in text for n in range(1, 6))


def test_a_running_footer_with_page_number_and_title_is_left_out() -> None:
    pages = [prose(number=n).text(72, 60, f"{n} Manual of pumps", 7) for n in range(1, 6)]
    assert "Manual" not in text_of(*pages)


def test_first_lines_with_unrelated_numbers_are_text() -> None:
    pages = [
        prose(number=n).text(72, 740, f"{number} is the {word} torque.")
        for n, (number, word) in enumerate(((82, "first"), (219, "next"), (304, "last")))
    ]
    assert all(word in text_of(*pages) for word in ("82 is", "219 is", "304 is"))


def test_rotated_stamps_are_left_out_and_counted() -> None:
    source = read(pdf_bytes(prose().rotated_text(30, 300, "CONTROLLED COPY")))
    assert "CONTROLLED" not in source.text
    assert {"rotated text": 1} == source.metadata["pdf_lines_left_out"]


def test_a_page_of_rotated_text_is_read_in_its_direction() -> None:
    page = PdfPage()
    for number, line in enumerate(PROSE):
        page.rotated_text(100 + 12 * number, 72, line)
    assert " ".join(PROSE) + "\n" == text_of(page)


def test_left_out_text_is_listed_as_skipped_at_the_start_of_its_page() -> None:
    pages = [
        prose(number=n).text(72, 760, "Manual of pumps").rotated_text(30, 300, "COPY")
        for n in range(1, 5)
    ]
    last = PdfPage().text(72, 760, "Manual of pumps")
    source = read(pdf_bytes(*pages, last))
    starts = [*(offset for offset, _ in source.page_marks), len(source.text)]
    left_out = (("running header or footer", "Manual of pumps"), ("rotated text", "COPY"))
    expected = [
        (start, start, f"{reason} of page {page}: {text}")
        for page, start in enumerate(starts, 1)
        for reason, text in left_out
        if page < 5 or text != "COPY"
    ]
    document = parse(source)
    assert sorted(expected) == sorted(document.skipped)
    assert document == type(document).from_json(document.to_json())
    chunks = pack(source, PackConfig(max_tokens=64, target_tokens=40))
    listed = [(*each.span, each.reason) for chunk in chunks for each in chunk.skipped]
    assert list(document.skipped) == listed
    assert audit(source, chunks, PackConfig(max_tokens=64)).ok


def test_a_running_header_reading_front_matter_hides_no_text() -> None:
    pages = [prose(number=n).text(72, 760, "front matter") for n in range(1, 5)]
    source = read(pdf_bytes(*pages))
    assert audit(source, pack(source)).ok
