"""PDFs of typed pages: line numbers in the margin, monospaced prose."""

from collections.abc import Callable

import pytest
from pdf_files import PdfPage, pdf_bytes
from pdf_pages import text_of

from treepack import SourceError, read

WORDS = (
    "the",
    "pump",
    "shall",
    "stand",
    "on",
    "a",
    "level",
    "floor",
    "that",
    "carries",
    "it",
    "well",
)
TOPICS = ("foot", "valve", "hose", "motor")


def typed_lines(page: int, count: int = 12) -> list[str]:
    """Return lines without a full stop, different on each page."""
    starts = (at % len(WORDS) for at in range(3 * page, 3 * page + count))
    return [" ".join((*WORDS[at:], *WORDS[:at], TOPICS[page])) for at in starts]


def separate_numbers(page: int, distance: float = 14) -> PdfPage:
    """Lines with a number in a column of its own, as many programs draw it."""
    drawn = PdfPage()
    for at, line in enumerate(typed_lines(page)):
        y = 700 - distance * at
        drawn.text(60 - 6 * (at > 8), y, str(at + 1), 10, "M").text(110, y, line, 10, "M")
    return drawn


def numbers_in_line(page: int, distance: float = 14) -> PdfPage:
    """Lines whose number is drawn with the text."""
    drawn = PdfPage()
    for at, line in enumerate(typed_lines(page)):
        drawn.text(72, 700 - distance * at, f"{at + 1:>2} {line}", 10, "M")
    return drawn


@pytest.mark.parametrize("page_of", [separate_numbers, numbers_in_line])
@pytest.mark.parametrize("distance", [14, 26])
def test_line_numbers_of_each_page_are_skipped(
    page_of: Callable[[int, float], PdfPage], distance: float
) -> None:
    source = read(pdf_bytes(*(page_of(page, distance) for page in range(4))))
    lines = [line for page in range(4) for line in typed_lines(page)]
    assert source.text.split() == " ".join(lines).split()
    assert "```" not in source.text
    assert source.text.count("\n\n") < len(lines) / 4
    assert source.metadata["pdf_lines_left_out"] == {"line number": 48}
    assert [what for _, what in source.left_out] == [
        f"line numbers of page {page}: 1 to 12" for page in range(1, 5)
    ]


def test_line_numbers_may_continue_on_the_next_page() -> None:
    pages = []
    for page in range(3):
        drawn = PdfPage()
        for at, line in enumerate(typed_lines(page)):
            drawn.text(72, 700 - 14 * at, f"{12 * page + at + 1:>2} {line}", 10, "M")
        pages.append(drawn)
    assert not any(word.isdecimal() for word in text_of(*pages).split())


def test_line_numbers_may_have_leading_zeros() -> None:
    pages = []
    for page in range(3):
        drawn = PdfPage()
        for at, line in enumerate(typed_lines(page)):
            drawn.text(72, 700 - 14 * at, f"{at + 1:02} {line}", 10, "M")
        pages.append(drawn)
    lines = [line for page in range(3) for line in typed_lines(page)]
    assert text_of(*pages).split() == " ".join(lines).split()


def test_pages_with_nothing_but_line_numbers_need_ocr() -> None:
    """Pleading paper has printed line numbers, also below a scanned page."""
    page = PdfPage().image()
    for at in range(28):
        page.text(60, 740 - 24 * at, str(at + 1), 10)
    with pytest.raises(SourceError, match="OCR"):
        read(pdf_bytes(page, page, page))


@pytest.mark.parametrize("page_count", [1, 2])
def test_a_numbered_list_on_few_pages_is_text(page_count: int) -> None:
    pages = [numbers_in_line(page) for page in range(page_count)]
    assert "12" in text_of(*pages).split()


def test_numbers_beside_some_lines_are_text() -> None:
    """Items of a list that take several lines have no number on each of them."""
    pages = []
    for page in range(3):
        drawn = PdfPage()
        for at, line in enumerate(typed_lines(page, 10)):
            drawn.text(72, 720 - 40 * at, f"{at + 1:>2}", 10).text(90, 720 - 40 * at, line, 10)
            drawn.text(90, 708 - 40 * at, line, 10).text(90, 696 - 40 * at, line, 10)
        pages.append(drawn)
    assert text_of(*pages).split().count("7") == len(pages)


def test_unequal_distances_between_numbers_show_no_line_numbers() -> None:
    pages = []
    for page in range(3):
        drawn = PdfPage()
        for at, line in enumerate(typed_lines(page)):
            y = 700 - 14 * at - 20 * (at // 3)
            drawn.text(72, y, f"{at + 1:>2} {line}", 10)
        pages.append(drawn)
    assert text_of(*pages).split().count("7") == len(pages)


def test_monospaced_prose_is_text() -> None:
    page = PdfPage().lines(72, 700, *typed_lines(0), font="M")
    assert "```" not in text_of(page)


def test_monospaced_code_is_code_even_if_most_of_the_text_is_code() -> None:
    code = [f"value[{at}] = f(x, {{'a': {at}}}); // = {at}" for at in range(12)]
    page = PdfPage().lines(72, 700, "This is what it does.").lines(72, 660, *code, font="M")
    assert text_of(page).count("```") == 2
