"""Titles of PDFs that no bookmark or tag names are known by their format and position."""

import pytest
from pdf_files import PdfPage, pdf_bytes
from pdf_pages import titles_of

from treepack import Source, parse, read

PROSE = (
    "The pump shall stand on a level floor that carries its weight,",
    "and no pipe shall press on its flanges when the bolts are drawn",
    "to the torque that the table of this manual names for each size,",
)
NAMES = ("Floor", "Pipes", "Bolts", "Torque", "Seals", "Valves")


def chapter(name: str, *, left: float = 72, title_left: float | None = None) -> PdfPage:
    """A page with a large title over its text."""
    page = PdfPage().text(title_left or left, 740, name, 14, "B")
    return page.lines(left, 700, *PROSE, f"as the chapter {name} of this manual says.")


def chapters() -> list[PdfPage]:
    return [chapter(name) for name in NAMES]


def read_pages(*pages: PdfPage) -> Source:
    return read(pdf_bytes(*pages))


# --- words of drawings and tables ---


def test_bold_words_smaller_than_the_text_are_not_titles() -> None:
    pages = chapters()
    for name, page in zip(NAMES, pages, strict=True):
        page.text(72, 500, f"{name} closed", 7, "B").text(72, 480, f"{name} open", 7, "B")
    assert list(NAMES) == titles_of(*pages)


def test_large_words_at_unusual_positions_are_not_titles() -> None:
    pages = chapters()
    for at, (name, page) in enumerate(zip(NAMES, pages, strict=True)):
        page.text(400 + 17 * at, 500 + 20 * at, f"{name} in", 12, "B")
        page.text(390 - 7 * at, 420 + 13 * at, f"{name} out", 12, "B")
    assert list(NAMES) == titles_of(*pages)


@pytest.mark.parametrize("left", [72, 36, 230, 400])
def test_titles_may_begin_at_the_text_margin_or_a_shared_position(left: float) -> None:
    pages = [chapter(name, title_left=left).lines(72, 600, *PROSE * 8) for name in NAMES]
    assert list(NAMES) == titles_of(*pages)


def test_a_numbered_title_may_begin_at_any_position() -> None:
    pages = chapters()
    for at, page in enumerate(pages, 1):
        page.text(310 + 23 * at, 600, f"{at}.1 Size of it", 12, "B").lines(72, 570, *PROSE * 8)
        page.operators[0] = page.operators[0].replace("(", f"({at} ")
    found = titles_of(*pages)
    assert {f"{at}.1 Size of it" for at in range(1, 7)} <= set(found)


def test_a_centred_title_is_found_at_any_position() -> None:
    names = ("On", "The Floor", "Pipes and Their Seals", "All the Bolts of a Pump by Size")
    pages = [chapter(name, title_left=0) for name in names]
    for name, page in zip(names, pages, strict=True):
        page.operators[0] = ""  # the title, which is drawn again in the middle of the text
        width = 7.4 * len(name)
        page.text(72 + 150 - width / 2, 740, name, 14, "B")
    found = titles_of(*pages)
    assert {"The Floor", "Pipes and Their Seals"} <= set(found)


def test_lines_of_text_size_are_not_titles_if_titles_are_larger() -> None:
    pages = chapters()
    for name, page in zip(NAMES, pages, strict=True):
        page.text(72, 600, f"State of the {name.lower()}").lines(72, 560, *PROSE)
    assert list(NAMES) == titles_of(*pages)


def test_formulas_with_short_names_are_not_titles() -> None:
    pages = chapters()
    for page in pages:
        page.text(72, 600, "sin(a + b) = sin(a) cos(b) + cos(a) sin(b)", 13)
        page.lines(72, 560, *PROSE)
    assert list(NAMES) == titles_of(*pages)


def test_a_title_may_contain_a_comparison() -> None:
    names = [f"{name} where pressure > 16 bar" for name in NAMES]
    assert names == titles_of(*map(chapter, names))


def test_a_sentence_that_ends_with_a_colon_is_not_a_title() -> None:
    pages = chapters()
    for name, page in zip(NAMES, pages, strict=True):
        page.text(72, 600, f"{name} of all these sizes from here on:", 13).lines(72, 560, *PROSE)
    assert list(NAMES) == titles_of(*pages)


@pytest.mark.parametrize("word", ["Fig", "Fig.", "Figure"])
def test_bold_captions_are_not_titles(word: str) -> None:
    pages = chapters()
    for at, page in enumerate(pages, 1):
        page.text(72, 500, f"{word} {at}. The pump from above", font="B").lines(72, 460, *PROSE)
    assert list(NAMES) == titles_of(*pages)


# --- numbered titles ---


def test_a_large_numbered_title_is_not_a_list_item() -> None:
    names = [f"{at}. {name}" for at, name in enumerate(NAMES, 1)]
    assert names == titles_of(*map(chapter, names))
    assert "1\\. Floor" in read_pages(*map(chapter, names)).text.splitlines()


def test_numbers_before_text_of_normal_size_begin_list_items() -> None:
    pages = chapters()
    pages[0].text(72, 600, "1. Open the valve").text(72, 580, "2. Close the valve")
    assert "1. Open the valve\n2. Close the valve" in read_pages(*pages).text


def test_a_numbered_line_in_another_font_does_not_run_into_the_text_below() -> None:
    one, two = "1.1 On", "1.2 Off"
    page = PdfPage().lines(72, 740, *PROSE).text(72, 680, one, font="I").lines(72, 668, *PROSE)
    page.text(72, 620, two, font="I").lines(72, 608, *PROSE)
    lines = read_pages(page).text.splitlines()
    assert one in lines
    assert two in lines


def test_a_sentence_continues_after_a_first_line_in_another_font() -> None:
    page = PdfPage().text(72, 740, "A. Nobody may ever open the cover of this pump here", font="I")
    page.lines(72, 728, "and nobody may close it", "unless it is", "known who did")
    assert "pump here and nobody may" in read_pages(page).text


def test_a_full_line_in_another_font_continues_with_a_capital() -> None:
    line = "A. Nobody may ever open the cover of a pump that stands in a hall with Mr"
    page = PdfPage().text(72, 740, line, font="I").lines(72, 728, "Byron, or who", "it may be")
    assert "with Mr Byron" in read_pages(page).text


def test_a_bold_numbered_title_does_not_run_into_the_lines_above() -> None:
    page = PdfPage().text(72, 740, "L1 x plus y is y plus x, for all numbers x and y there are")
    page.text(72, 728, "1.2 Order", font="B").lines(72, 716, *PROSE)
    assert "1.2 Order" in read_pages(page).text.splitlines()


# --- titles in the margin ---


@pytest.mark.parametrize("left", [40, 80, 87])
def test_a_margin_title_is_separate_from_the_text_beside_it(left: float) -> None:
    """This holds even if the gap between the two is hardly wider than one between words."""
    names = ("Floors", "Pipes,", "Bolts.", "Torque", "Sealed", "Valves")  # of about one width
    pages = [
        PdfPage().text(left, 700, name, 14, "B").lines(150, 700, *PROSE, f"as {name} says.")
        for name in names
    ]
    lines = read_pages(*pages).text.splitlines()
    assert set(names) <= set(lines)


def test_several_margin_titles_on_one_page_are_separate() -> None:
    page = PdfPage().lines(150, 760, *PROSE)
    for at, name in enumerate(NAMES[:4]):
        page.text(80, 700 - 90 * at, name, 12, "B").lines(150, 700 - 90 * at, *PROSE, "on it.")
    assert set(NAMES[:4]) <= set(read_pages(page, page).text.splitlines())


def test_a_bold_term_of_normal_size_stays_with_the_text_beside_it() -> None:
    page = PdfPage().text(72, 740, "Floor", font="B").lines(130, 740, *PROSE)
    assert "Floor The pump" in read_pages(page).text


# --- running headers ---


def test_large_chapter_numbers_are_not_page_numbers() -> None:
    pages = [chapter(name) for name in NAMES]
    for at, page in enumerate(pages, 1):
        page.text(72, 770, str(at), 24, "B")
    assert set("123456") <= set(read_pages(*pages).text.splitlines())


def test_large_running_footers_with_page_numbers_are_left_out() -> None:
    pages = chapters() + [chapter(f"{name} again") for name in NAMES]
    for at, page in enumerate(pages, 1):
        page.text(72, 40, f"{at} Pumps of iron" if at % 2 else f"Pumps of iron {at}", 16)
    assert read_pages(*pages).text.count("Pumps of iron") <= 1


def test_a_running_header_of_three_rows_is_left_out() -> None:
    pages = chapters()
    for page in pages:
        page.text(400, 785, "PX 10").text(72, 775, "Pumps, Inc.").text(400, 763, "Iron pumps")
    assert "Iron pumps" not in read_pages(*pages).text


def test_running_headers_are_left_out_on_pages_without_text() -> None:
    pages = [*chapters(), PdfPage(), PdfPage()]
    for at, page in enumerate(pages, 1):
        page.text(72, 775, "Pumps").text(72, 763, "by the Pump Company").text(72, 40, f"- {at} -")
    text = read_pages(*pages).text
    assert "by the Pump Company" not in text


def test_a_page_that_is_repeated_as_a_whole_is_kept() -> None:
    form = (
        "Name of the pump",
        "Its number",
        "Its owner",
        "Date of the test",
        "Result",
        "Signature",
    )
    pages = chapters()
    for _ in range(4):
        page = PdfPage()
        for at, line in enumerate(form):
            page.text(72, 700 - 20 * at, line)
        pages.append(page)
    for page in pages:
        page.text(72, 775, "Pumps")
    assert 4 == read_pages(*pages).text.count("Its owner")


# --- the front of a document ---


def test_the_title_above_the_first_list_is_kept() -> None:
    front = PdfPage().text(72, 740, "PX100", 20, "B").text(72, 700, "Features", 14, "B")
    for at, item in enumerate(("Cast iron", "No leaks", "Ten sizes")):
        front.text(72, 670 - 14 * at, f"* {item}")
    front.text(72, 600, "Description", 14, "B").lines(72, 570, *PROSE)
    assert ["PX100", "Features", "Description", *NAMES] == titles_of(front, *chapters())


def test_the_largest_title_is_the_document_title_whatever_is_above_it() -> None:
    front = PdfPage().text(72, 770, "Rev. 7").text(72, 700, "Pumps of Iron", 24, "B")
    front.lines(72, 640, *PROSE, "as this manual says.")
    root = parse(read_pages(front, *chapters())).root
    levels = {part.heading.text: part.heading.level for part in root.walk() if part.heading}
    assert {"Pumps of Iron": 1, **dict.fromkeys(NAMES, 2)} == levels
