"""Running headers and page numbers are skipped; text at the edges of pages is not."""

import pytest
from title_texts import PAGES, SENTENCES, pages

from treepack import Document, PackConfig, audit, pack, parse
from treepack.model.source import Source


def skipped_furniture(document: Document) -> list[str]:
    skipped = [
        (start, end) for start, end, reason in document.skipped if reason == "page furniture"
    ]
    return [document.source.text[start:end].strip() for start, end in skipped]


def test_running_headers_and_page_numbers_are_skipped() -> None:
    chunks = pack(PAGES)
    packed = "".join(chunk.text for chunk in chunks)
    assert packed.count("The Pump Manual") == 1  # the first line of all is the title
    assert not any(f"\n{n}" in packed for n in range(3, 7))
    assert audit(PAGES, chunks, PackConfig(max_tokens=1024)).findings == ()


def test_a_paragraph_across_a_page_break_is_one_block() -> None:
    texts = [PAGES[b.start : b.end] for b in parse(PAGES).root.blocks]
    assert any("by hand if it is not wanted" in text and "for some days" in text for text in texts)
    assert "if it is not wanted\nfor some days." in pack(PAGES)[0].text


def test_a_bare_label_at_page_edges_is_not_page_furniture() -> None:
    text = pages(*(f"CHAPTER\n{'ABCD'[n]}\n{each}" for n, each in enumerate(SENTENCES)))
    assert not any("CHAPTER" in each for each in skipped_furniture(parse(text)))


@pytest.mark.parametrize("line", ["The pump is closed.", "7", "The Pump Manual, page"])
def test_the_only_line_of_a_page_is_not_page_furniture(line: str) -> None:
    text = "\f".join([line] * 12)
    document = parse(text)
    assert skipped_furniture(document) == []
    assert "".join(chunk.text for chunk in pack(document)).count(line) == 12


def test_a_running_header_after_many_spaces_is_skipped_with_them() -> None:
    wide = PAGES.replace("The Pump Manual", " " * 1000 + "The Pump Manual")
    skipped = [end - start for start, end, why in parse(wide).skipped if why == "page furniture"]
    assert sum(length > 1000 for length in skipped) == 3  # the first line of all is the title
    assert sum(chunk.text.count("The Pump Manual") for chunk in pack(wide)) == 1


def test_a_table_row_at_page_edges_is_not_page_furniture() -> None:
    words = ("red", "green", "blue", "brown", "white")
    text = "".join(
        f"<!-- page {page} -->\n\nA {word} lamp is sold here, which burns oil of {word} seeds.\n\n"
        f"It is said that {word} is the best.\n\n"
        f"| Item | Price |\n|---|---|\n| {word} | 1 |\n| Sum | ten |\n\n"
        for page, word in enumerate(words, 1)
    )
    document = parse(Source(text, "d.md"))
    assert {reason for _, _, reason in document.skipped} == {"page mark"}


def test_text_without_pages_has_no_page_furniture() -> None:
    text = PAGES.replace("\f", "\n")
    assert skipped_furniture(parse(text)) == []


def test_line_numbers_of_chunks_count_skipped_line_ends() -> None:
    chunks = pack(PAGES, PackConfig(max_tokens=32, target_tokens=24, min_tokens=0))
    assert audit(PAGES, chunks, PackConfig(max_tokens=32)).findings == ()
    assert chunks[-1].lines[1] == PAGES.split("\n").index(SENTENCES[3]) + 1
