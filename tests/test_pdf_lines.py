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


def test_columns_are_read_one_after_the_other() -> None:
    page = PdfPage().lines(72, 700, *(f"left {n} of the column" for n in range(5)))
    page.lines(320, 700, *(f"right {n} of the column" for n in range(5)))
    text = text_of(page)
    assert text.index("left 4") < text.index("right 0")


def test_columns_drawn_row_by_row_are_read_one_after_the_other() -> None:
    page = PdfPage()
    for n in range(12):
        page.text(72, 700 - 12 * n, f"left {n} of the long column of words here")
        page.text(320, 700 - 12 * n, f"right {n} of the long column of words here")
    text = text_of(page)
    assert text.index("left 11") < text.index("right 0")


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
