"""How the lines of a PDF become text: hyphens, lists, code, columns, notes, figure captions."""

import pytest
from pdf_files import PdfPage, pdf_bytes
from pdf_pages import PROSE, prose, text_of

from treepack import parse, read

pytest.importorskip("pypdfium2")


def test_line_end_hyphens_are_removed_and_other_hyphens_stay() -> None:
    page = PdfPage().lines(
        72, 700,
        "This line of a text ends with a hyphen in the middle of a mainte-",
        "nance plan, and this one with a word like X-ray, which keeps it.",
    )  # fmt: skip
    assert "of a maintenance plan, and this one with a word like X-ray" in text_of(page)


@pytest.mark.parametrize(
    ("accent", "letter", "joined"),
    [("\xa8", "u", "\xfc"), ("\xb4", "e", "\xe9"), ("\xb8", "c", "\xe7"), ("`", "A", "\xc0")],
)
@pytest.mark.parametrize("is_first", [True, False])
def test_an_accent_printed_over_a_letter_is_combined_with_it(
    accent: str, letter: str, joined: str, *, is_first: bool
) -> None:
    page = PdfPage().lines(72, 700, *PROSE).text(72, 600, "The words f")
    characters = (accent, letter) if is_first else (letter, accent)
    for character in characters:
        page.text(124.3 + 1.3 * (character == accent), 600, character)
    page.text(130, 600, "r of the pump")
    assert f"The words f{joined}r of the pump" in text_of(page)


def test_an_accent_beside_a_letter_or_over_a_digit_stays_separate() -> None:
    page = PdfPage().lines(72, 700, *PROSE).text(72, 600, "the tilde \xa8 u of a shell")
    page.text(72, 560, "over 4").text(94, 560, "\xb4")
    text = text_of(page)
    assert "the tilde \xa8 u of a shell" in text
    assert "\xb4" in text


def test_subscripts_are_marked() -> None:
    page = PdfPage().text(72, 700, "Water is H").text(118.5, 698, "2", 6).text(122, 700, "O here.")
    assert "H<sub>2</sub>O here" in text_of(page)


def test_bullets_and_numbers_make_lists() -> None:
    page = PdfPage().lines(72, 700, "\u2022 first item", "\u2022 second item")
    page.lines(72, 650, "1. one of them", "2. two of them")
    (bullets, numbers) = parse(read(pdf_bytes(page))).root.blocks
    assert ["list", "list"] == [bullets.kind, numbers.kind]
    assert "- first item\n- second item" in text_of(page)
    assert "1. one of them\n2. two of them" in text_of(page)


def test_monospaced_lines_are_code_with_their_indentation() -> None:
    page = prose().lines(72, 600, "def run(pump):", font="M")
    page.text(72 + 4 * 6, 588, "return pump.start()", font="M")
    assert "```\ndef run(pump):\n    return pump.start()\n```" in text_of(page)


def columns(count: int, lines: int, *, by_row: bool, shift: float = 0) -> PdfPage:
    """A page of text in columns, which are drawn row by row or from right to left."""
    places = [(column, row) for column in range(count)[::-1] for row in range(lines)]
    page, width = PdfPage(), 480 / count
    for column, row in sorted(places, key=lambda place: place[1]) if by_row else places:
        words = "the pumps of it stand here and there and here"[: int(width / 5) - 8]
        page.text(72 + width * column, 700 - 12 * row - shift * column, f"c{column}r{row} {words}")
    return page


@pytest.mark.parametrize("by_row", [True, False])
@pytest.mark.parametrize("shift", [0, 5])
@pytest.mark.parametrize(("count", "lines"), [(2, 5), (2, 40), (3, 12), (4, 30)])
def test_columns_are_read_one_after_the_other(
    count: int, lines: int, shift: float, *, by_row: bool
) -> None:
    page = columns(count, lines, by_row=by_row, shift=shift)
    text = text_of(page.text(72, 740, "A title over all columns of this page", 20, "B"))
    found = [text.index(f"c{column}r{row} ") for column in range(count) for row in range(lines)]
    assert found == sorted(found)
    assert text.index("A title") < found[0]


def test_blocks_beside_each_other_are_read_above_those_below() -> None:
    page = PdfPage()
    for name, x, y in (("D", 320, 500), ("A", 72, 700), ("C", 72, 500), ("B", 320, 700)):
        page.text(x, y, f"Title {name}", 13, "B").lines(
            x, y - 16, *(f"{name} {n}" + 30 * "x" for n in (1, 2))
        )
    text = text_of(page)
    found = [
        text.index(f"{name}")
        for name in ("Title A", "A 2", "Title B", "B 2", "Title C", "C 2", "Title D", "D 2")
    ]
    assert found == sorted(found)


def test_rows_of_a_table_stay_rows_whatever_was_drawn_first() -> None:
    page = prose()
    for column, x in enumerate((72, 200, 320)):
        for row in range(9):
            page.text(x, 600 - 12 * row, f"r{row}c{column}")
    words = text_of(page).replace("|", " ").split()
    cells = [word for word in words if word[:1] == "r" and word[2:3] == "c"]
    assert cells == sorted(cells)


def test_text_outside_the_page_is_left_out_and_named() -> None:
    page = prose().text(72, 760, "Proof note").text(-200, 600, "of the page beside it")
    page.box = "/MediaBox [0 0 612 792] /CropBox [50 40 612 740]"
    source = read(pdf_bytes(page))
    assert "Proof note" not in source.text
    assert source.metadata["pdf_lines_left_out"] == {"text outside the page": 2}
    assert any(why.endswith("of page 1: Proof note") for _, why in source.left_out)


@pytest.mark.parametrize(("angle", "y"), [("0 1 -1 0", 600), ("0 -1 1 0", 636)])
def test_rotated_heads_of_columns_are_read_in_their_row(angle: str, y: float) -> None:
    page = prose().text(80, 600, "Task").text(330, 500, "to the edge")
    for column, name in enumerate(("Sorting", "Folding"), 1):
        page.operators.append(f"BT /F 10 Tf {angle} {120 + 60 * column} {y} Tm ({name}) Tj ET")
        page.text(110 + 60 * column, 580, f"0.{column}")
    text = text_of(page.text(80, 580, "First"))
    found = [text.index(word) for word in ("Task", "Sorting", "Folding", "First", "0.1", "0.2")]
    assert found == sorted(found)


def test_a_table_drawn_sideways_is_read_row_by_row() -> None:
    page = prose().lines(72, 660, *PROSE * 6)
    for row in range(12):
        for column in range(4):
            page.rotated_text(100 + 14 * row, 60 + 110 * column, f"cell{row:02}{column} of it")
    words = [word for word in text_of(page).replace("|", " ").split() if word[:4] == "cell"]
    assert len(words) == 48
    assert words == sorted(words)


@pytest.mark.parametrize("step", [15, 18, 24])
def test_lines_set_loosely_are_one_paragraph(step: float) -> None:
    page = PdfPage().lines(72, 760, *PROSE * 6)
    loose = (
        "All of this is used to decide if the applicant",
        "is entitled to a pump and if the pump",
        "should have a floor. A pump that is poorly",
        "set is returned.",
    )
    for n, line in enumerate(loose):
        page.text(72, 480 - step * n, line)
    assert " ".join(loose) in text_of(page)


def test_a_small_letter_o_may_be_a_bullet() -> None:
    page = prose()
    for n in range(2):
        page.text(72, 600 - 14 * n, "o", 10, "M").text(90, 600 - 14 * n, f"item {n} of pumps")
    assert "- item 0 of pumps\n- item 1 of pumps" in text_of(page)


def test_a_footnote_follows_the_paragraph_that_continues_on_the_next_page() -> None:
    first = prose().lines(72, 640, "This sentence goes on over the page because it is")
    first.text(72, 80, "1 A note of the first page.", 7)
    second = PdfPage().lines(72, 700, "so long that it cannot end there.")
    text = text_of(first, second)
    assert "because it is so long that" in text
    assert text.index("so long that") < text.index("A note of the first page")


@pytest.mark.parametrize("is_first", [True, False])
def test_a_side_note_does_not_interrupt_a_sentence(*, is_first: bool) -> None:
    page = PdfPage()
    if is_first:
        page.text(470, 700, "Offences.", 7)
    page.text(72, 700, PROSE[0])
    if not is_first:
        page.text(470, 700, "Offences.", 7)
    text = text_of(page.lines(72, 688, *PROSE[1:]))
    assert " ".join(PROSE) in text
    assert "Offences.\n" in text


def test_toc_entries_are_not_headings_and_keep_their_lines() -> None:
    contents = PdfPage().text(72, 740, "Contents", 14, "B")
    for n in range(1, 6):
        contents.text(72, 720 - 14 * n, f"{n} Part of words", 10, "B").text(
            520, 720 - 14 * n, str(n)
        )
    pages = [prose(number=n).text(72, 740, f"{n} Part of words", 16, "B") for n in range(1, 6)]
    source = read(pdf_bytes(contents, *pages))
    assert "1 Part of words 1\n2 Part of words 2\n" in source.text
    titles = [section.heading.text for section in parse(source).root.sections if section.heading]
    assert [f"{n} Part of words" for n in range(1, 6)] == titles[-5:]
    assert "fonts" == source.metadata["pdf_headings"]


@pytest.mark.parametrize("caption", ["Figure 3: The pump from above", "Abb. 2: Die Pumpe"])
def test_a_figure_caption_is_a_separate_paragraph(caption: str) -> None:
    before = [
        "The pump is started when the water stands at the mark of",
        "the tank, which is drawn",
    ]
    after = ["below, and the valve is closed when the pump stands still, so", "that it stays."]
    text = text_of(PdfPage().lines(72, 700, *before, caption, *after))
    assert f"drawn\n\n{caption}\n\nbelow, and" in text


def test_a_figure_caption_may_continue_but_not_on_the_next_page() -> None:
    caption = ["Fig. 4. The flow of the water and the pressure in the pipes", "of the upper house"]
    first = PdfPage().lines(72, 700, "The pumps are old.", *caption)
    second = PdfPage().lines(72, 700, "and here the next page begins with a few words.")
    text = text_of(first, second)
    assert "The pumps are old.\n\nFig. 4. The flow of" in text
    assert "in the pipes of the upper house\n\n" in text


def test_a_sentence_that_mentions_a_figure_is_not_a_caption() -> None:
    lines = ["The pump stands beside the tank of the house, as shown in", "Figure 3. It is old."]
    assert "as shown in Figure 3. It is old." in text_of(PdfPage().lines(72, 700, *lines))
