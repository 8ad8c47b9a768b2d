"""What is left out of a PDF is counted and listed."""

from pdf_files import PdfPage, pdf_bytes
from pdf_pages import prose

from treepack import PackConfig, audit, pack, parse, read


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
    assert all(f"names for each size. {word}" in source.text for word in words)


def test_left_out_text_is_listed_as_skipped_at_the_start_of_its_page() -> None:
    pages = [
        prose(number=n).text(72, 760, "Manual of pumps").rotated_text(30, 300, "COPY")
        for n in range(1, 5)
    ]
    source = read(pdf_bytes(*pages, PdfPage().text(72, 760, "Manual of pumps")))
    assert {"running header or footer": 5, "rotated text": 4} == source.metadata[
        "pdf_lines_left_out"
    ]
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
    source = read(pdf_bytes(*(prose(number=n).text(72, 760, "front matter") for n in range(1, 5))))
    assert audit(source, pack(source)).ok
