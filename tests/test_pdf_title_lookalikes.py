"""What only looks like a title in a PDF: bold rows, formulas, labels, names, words of figures."""

import pytest
from pdf_files import PdfPage
from pdf_pages import PROSE, prose, titles_of

pytest.importorskip("pypdfium2")


def page_with_title(number: int) -> PdfPage:
    return prose(number=number).text(72, 740, f"Part of {number} words", 14, "B")


def test_bold_rows_formulas_and_sentences_are_not_titles() -> None:
    pages = [page_with_title(n) for n in range(1, 7)]
    for page in pages[1:]:
        page.text(72, 600, "Size", font="B").text(200, 600, "Torque", font="B")
        page.lines(72, 580, *PROSE)
        page.text(72, 480, "F = m + a", 14)
        page.lines(72, 440, *PROSE)
        page.text(72, 540, "Default value:", font="B").text(144, 540, "on")
        page.text(72, 360, "Nobody may ever open this cover.", font="B")
        page.lines(72, 320, *PROSE)
    assert [f"Part of {n} words" for n in range(1, 7)] == titles_of(*pages)


def test_author_names_below_the_document_title_are_not_titles() -> None:
    first = PdfPage().text(200, 700, "Pumps of the World", 20, "B")
    first.text(200, 670, "Ada Example", 13, "B").text(200, 640, "Institute of Pumps", 12)
    first.text(200, 610, "Anytown", 12).text(72, 560, "Abstract", 12, "B").lines(72, 530, *PROSE)
    titles = titles_of(first, *(page_with_title(n) for n in range(1, 5)))
    assert [
        "Pumps of the World",
        "Abstract",
        *(f"Part of {n} words" for n in range(1, 5)),
    ] == titles


def test_labels_in_a_figure_are_not_titles() -> None:
    pages = [page_with_title(n) for n in range(1, 6)]
    for page, state in zip(pages, ("open", "shut", "stuck", "worn", "lost"), strict=True):
        page.figure(72, 300, 200, 100, f"Valve {state}", 14, "B")
    assert [f"Part of {n} words" for n in range(1, 6)] == titles_of(*pages)
