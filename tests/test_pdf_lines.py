"""How the lines of a PDF become text in order: accents, columns, rotated text, contents."""

import pytest
from pdf_files import PdfPage, pdf_bytes
from pdf_pages import PROSE, prose, text_of

from treepack import parse, read

pytest.importorskip("pypdfium2")


@pytest.mark.parametrize(
    ("accent", "letter", "joined"),
    [("\xa8", "u", "\xfc"), ("\xb4", "e", "\xe9"), ("\xb8", "c", "\xe7"), ("`", "A", "\xc0")],
)
@pytest.mark.parametrize("is_first", [True, False])
def test_an_accent_printed_over_a_letter_is_combined_with_it(
    accent: str, letter: str, joined: str, *, is_first: bool
) -> None:
    page = PdfPage().lines(72, 700, *PROSE).text(72, 600, "The words f")
    for character in (accent, letter) if is_first else (letter, accent):
        page.text(124.3 + 1.3 * (character == accent), 600, character)
    page.text(130, 600, "r of the pump")
    assert f"The words f{joined}r of the pump" in text_of(page)


@pytest.mark.parametrize("by_row", [True, False])
@pytest.mark.parametrize("shift", [0, 5])
@pytest.mark.parametrize(("count", "lines"), [(2, 5), (2, 40), (3, 12), (4, 30)])
def test_columns_are_read_one_after_the_other(
    count: int, lines: int, shift: float, *, by_row: bool
) -> None:
    """They are drawn row by row, or from right to left."""
    places = [(column, row) for column in range(count)[::-1] for row in range(lines)]
    page, width = PdfPage(), 480 / count
    words = "the pumps of it stand here and there and here"[: int(width / 5) - 8]
    for column, row in sorted(places, key=lambda place: place[1]) if by_row else places:
        page.text(72 + width * column, 700 - 12 * row - shift * column, f"c{column}r{row} {words}")
    text = text_of(page.text(72, 740, "A title over all columns of this page", 20, "B"))
    found = [text.index(f"c{column}r{row} ") for column, row in sorted(places)]
    assert found == sorted(found)
    assert text.index("A title") < found[0]


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


def test_toc_entries_are_not_headings_and_keep_their_lines() -> None:
    contents = PdfPage().text(72, 740, "Contents", 14, "B")
    for n in range(1, 6):
        contents.text(72, 720 - 14 * n, f"{n} Part of words", 10, "B")
        contents.text(520, 720 - 14 * n, str(n))
    pages = [prose(number=n).text(72, 740, f"{n} Part of words", 16, "B") for n in range(1, 6)]
    source = read(pdf_bytes(contents, *pages))
    assert "1 Part of words 1\n2 Part of words 2\n" in source.text
    titles = [section.heading.text for section in parse(source).root.sections if section.heading]
    assert [f"{n} Part of words" for n in range(1, 6)] == titles[-5:]
    assert "fonts" == source.metadata["pdf_headings"]


@pytest.mark.parametrize("step", [15, 18, 24])
def test_lines_set_loosely_are_one_paragraph(step: float) -> None:
    loose = ["All of this is used to decide if the applicant", "is entitled to a pump and if the"]
    loose += ["pump should have a floor. A pump that is poorly", "set is returned."]
    page = PdfPage().lines(72, 760, *PROSE * 6)
    page.words(*((72, 480 - step * n, line) for n, line in enumerate(loose)))
    assert " ".join(loose) in text_of(page)
