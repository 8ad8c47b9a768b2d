"""PDFs of typed pages: monospaced prose and code."""

from pdf_files import PdfPage
from pdf_pages import PROSE, text_of


def test_monospaced_prose_is_text() -> None:
    page = PdfPage().lines(72, 700, *PROSE, font="M")
    assert "```" not in text_of(page)


def test_monospaced_code_is_code_even_if_most_of_the_text_is_code() -> None:
    code = [f"value[{at}] = f(x, {{'a': {at}}}); // = {at}" for at in range(12)]
    page = PdfPage().lines(72, 700, "This is what it does.").lines(72, 660, *code, font="M")
    assert text_of(page).count("```") == 2
