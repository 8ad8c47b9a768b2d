"""PDFs become markdown: text in order, pages, headings, and errors that say what to do."""

import json
import sys
import warnings
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from pdf_files import PdfPage, pdf_bytes
from typer.testing import CliRunner

import treepack
from treepack import SourceError, read
from treepack.cli.app import app

pytest.importorskip("pypdfium2")

from treepack.readers.pdf import PagesWithoutTextWarning, PdfLimits, read_pdf
from treepack.readers.pdf_worker.process import borrowed_process

PROSE = (
    "The pump shall stand on a level floor that carries its weight,",
    "and no pipe shall press on its flanges when the bolts are drawn.",
    "A second sentence ends the paragraph.",
)

SECRET = "open sesame"  # noqa: S105 - of a file that the tests write


def prose_page(*, y: float = 700) -> PdfPage:
    return PdfPage().lines(72, y, *PROSE)


# --- texts and pages ---


def test_the_lines_of_a_paragraph_become_one_paragraph() -> None:
    source = read(pdf_bytes(prose_page()), name="a.pdf")
    assert " ".join(PROSE) + "\n" == source.text
    assert ((0, 1),) == source.page_marks
    assert "none" == source.metadata["pdf_headings"]


def test_a_pdf_is_recognised_by_its_first_bytes() -> None:
    data = pdf_bytes(prose_page())
    assert read(data).text == read(data, "pdf").text == read(data, name="a.PDF").text


def test_chunks_of_a_pdf_record_their_pages() -> None:
    pages = [
        PdfPage().text(72, 700, f"{n} Part of words", 16, "B").lines(72, 660, *PROSE)
        for n in range(1, 5)
    ]
    bookmarks = [(1, f"{n} Part of words", n - 1, 716) for n in range(1, 5)]
    chunks = treepack.pack(
        read(pdf_bytes(*pages, bookmarks=bookmarks)), treepack.PackConfig(sections="separate")
    )
    by_title = {chunk.breadcrumb[-1]: chunk.pages for chunk in chunks}
    assert {f"{n} Part of words": (n,) for n in range(1, 5)} == by_title


def test_a_sentence_across_a_page_break_is_one_paragraph_with_both_pages() -> None:
    first = PdfPage().lines(72, 700, "The first page ends in the middle of a long sentence that")
    second = PdfPage().lines(72, 700, "goes on here, on the second page.")
    source = read(pdf_bytes(first, second))
    assert "sentence that goes on here" in source.text
    assert ((0, 1), (source.text.index("goes"), 2)) == source.page_marks
    (chunk,) = treepack.pack(source)
    assert (1, 2) == chunk.pages


def test_printed_page_numbers_are_in_the_metadata() -> None:
    pages = [prose_page() for _ in range(4)]
    labels = "0 <</S/r>> 2 <</S/D /P (A-) /St 3>>"
    metadata = read(pdf_bytes(*pages, labels=labels, title="Pumps")).metadata
    assert {"1": "i", "3": "A-3"} == metadata["page_labels"]
    assert ("Pumps", 4) == (metadata["title"], metadata["pdf_pages"])


# --- headings ---


def test_bookmarks_become_headings_with_their_levels() -> None:
    page = (
        PdfPage()
        .text(72, 720, "1 Scope", 10)
        .lines(72, 700, *PROSE)
        .text(72, 600, "1.1 Terms of this standard, which are many and", 10)
        .text(72, 588, "take two lines", 10)
        .lines(72, 560, *PROSE)
    )
    bookmarks = [
        (1, "1 Scope", 0, 730),
        (2, "1.1 Terms of this standard, which are many and take two lines", 0, 610),
    ]
    source = read(pdf_bytes(page, bookmarks=bookmarks))
    assert source.text.startswith("# 1 Scope\n\nThe pump")
    assert "\n## 1.1 Terms of this standard, which are many and take two lines\n" in source.text
    assert "outline" == source.metadata["pdf_headings"]


def test_a_parent_bookmark_without_a_matching_line_is_inserted_into_the_text() -> None:
    page = PdfPage().text(72, 700, "Alpha part", 14).lines(72, 670, *PROSE)
    bookmarks = [(1, "Volume of all", 0, 792), (2, "Alpha part", 0, 714)]
    text = read(pdf_bytes(page, bookmarks=bookmarks)).text
    assert text.startswith("# Volume of all\n\n## Alpha part\n\nThe pump")


# --- errors and limits ---


def test_an_encrypted_pdf_needs_its_password() -> None:
    data = pdf_bytes(prose_page(), password=SECRET)
    with pytest.raises(SourceError, match=r"a\.pdf: it is encrypted.*password="):
        read(data, name="a.pdf")
    with pytest.raises(SourceError, match="the password given is wrong"):
        read(data, name="a.pdf", password=SECRET[1:])
    assert read(data, password=SECRET).text.startswith("The pump")


@pytest.mark.parametrize("data", [b"", b"<html>", b"%PDF-1.7\nnothing", pdf_bytes(PdfPage())[:99]])
def test_a_damaged_pdf_is_rejected_with_a_remedy(data: bytes) -> None:
    with pytest.raises(SourceError, match=r"x y\.pdf: it is damaged.*mutool clean 'x y\.pdf'"):
        read(data, name="x y.pdf")


def test_a_pdf_without_text_needs_ocr() -> None:
    with pytest.raises(SourceError, match=r"a\.pdf: none of its 2 pages.*docling --to json a\.pdf"):
        read(pdf_bytes(PdfPage().image(), PdfPage()), name="a.pdf")


def test_scanned_pages_with_printed_page_numbers_need_ocr() -> None:
    pages = [PdfPage().image().text(300, 40, str(number)) for number in range(1, 5)]
    with pytest.raises(SourceError, match="docling --to json"):
        read(pdf_bytes(*pages), name="a.pdf")


def test_a_number_alone_on_the_only_page_is_text() -> None:
    assert "1\n" == read(pdf_bytes(PdfPage().text(300, 700, "1"))).text


def test_an_empty_pdf_is_rejected() -> None:
    with pytest.raises(SourceError, match="none of its 1 pages has text or an image"):
        read(pdf_bytes(PdfPage()))


def test_a_warning_names_the_pages_without_text_and_the_rest_is_read() -> None:
    data = pdf_bytes(prose_page(), PdfPage().image(), PdfPage())
    with pytest.warns(PagesWithoutTextWarning, match="no text on page 2, but images"):
        source = read(data, name="a.pdf")
    assert source.text.startswith("The pump")


def page_of_drawn_letters(letters: int) -> PdfPage:
    """A page of letters that are drawn as shapes, without a font."""
    page = PdfPage()
    for n in range(letters):
        x, y = 72 + 12 * (n % 30), 700 - 20 * (n // 30)
        edges = " ".join(
            f"{x + 4 + dx} {y + dy} l" for dx in (1, 2, 3) for dy in (0, 8, 2, 5, 9, 3)
        )
        page.operators.append(f"{x} {y} m {edges} f")
    return page


def test_a_warning_names_pages_of_drawn_letters_but_not_blank_pages() -> None:
    lined = PdfPage().grid([72, 500], [20.0 * n for n in range(2, 38)])
    data = pdf_bytes(
        prose_page(),
        page_of_drawn_letters(90),
        lined,
        page_of_drawn_letters(4),
        PdfPage(),
        PdfPage().image(),
    )
    with pytest.warns(PagesWithoutTextWarning, match="no text on pages 2, 6, but images or draw"):
        read(data, name="a.pdf")


def test_blank_pages_give_no_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read(pdf_bytes(prose_page(), PdfPage(), page_of_drawn_letters(4)), name="a.pdf")


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        (PdfLimits(pages=1), r"more than 1 pages.*PdfLimits\(pages="),
        (PdfLimits(characters=9), r"page 1 has more than 9 characters.*PdfLimits\(characters="),
        (PdfLimits(objects=2), r"page 1 draws more than 2 objects.*PdfLimits\(objects="),
        (PdfLimits(seconds=1e-9), r"longer than 1e-09 seconds.*PdfLimits\(seconds="),
        (PdfLimits(page_seconds=1e-9), r"opening it takes longer.*PdfLimits\(page_seconds="),
    ],
)
def test_exceeding_a_limit_raises_an_error_that_names_its_setting(
    limits: PdfLimits, message: str
) -> None:
    data = pdf_bytes(prose_page(), prose_page())
    with pytest.raises(SourceError, match=message):
        read(data, name="a.pdf", pdf_limits=limits)
    assert read(data).text.startswith("The pump")  # the next file has a worker again


@pytest.mark.skipif(sys.platform != "linux", reason="other systems limit no memory")
def test_a_decompression_bomb_ends_at_the_memory_limit() -> None:
    page = PdfPage([" " * 100_000_000])
    with pytest.raises(SourceError, match=r"page 1 cannot be read.*limit: 60 MiB"):
        read(pdf_bytes(page, deflate=True), pdf_limits=PdfLimits(megabytes=60))


def test_a_limit_of_zero_is_rejected() -> None:
    with pytest.raises(ValueError, match="pages is 0"):
        PdfLimits(pages=0)


def test_one_worker_serves_many_files_and_several_threads_can_read() -> None:
    data = pdf_bytes(prose_page())
    with borrowed_process() as process:
        first = process
    read(data)
    with borrowed_process() as process:
        assert first is process
    with ThreadPoolExecutor(4) as threads:
        texts = list(threads.map(lambda _: read_pdf(data, "a.pdf").text, range(12)))
    assert {read(data).text} == {*texts}


def test_a_missing_pdf_extra_is_named_in_the_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    monkeypatch.setattr("treepack.readers.pdf_worker.process._idle", [])
    with pytest.raises(treepack.MissingExtraError, match=r"treepack\[pdf\]"):
        read(pdf_bytes(prose_page()))


# --- folders and the command line ---


def test_unreadable_files_of_a_folder_are_reported_and_the_rest_is_packed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("docs").mkdir()
    for name, data in {
        "a.pdf": pdf_bytes(prose_page()),
        "b.pdf": b"%PDF-1.4 damaged",
        "c.pdf": pdf_bytes(prose_page(), password=SECRET),
        "d.md": b"# D\n\ntext",
    }.items():
        Path("docs", name).write_bytes(data)
    result = CliRunner().invoke(app, ["pack", "docs", "-o", "out.jsonl"])
    assert 1 == result.exit_code
    assert "b.pdf: it is damaged" in result.stderr
    assert "c.pdf: it is encrypted" in result.stderr
    rows = [json.loads(line) for line in Path("out.jsonl").read_text("utf-8").splitlines()]
    assert [("a.pdf", [1]), ("d.md", [])] == [(row["document"], row["pages"]) for row in rows]
    result = CliRunner().invoke(app, ["pack", "docs", "-o", "out.jsonl", "--password", SECRET])
    rows = [json.loads(line) for line in Path("out.jsonl").read_text("utf-8").splitlines()]
    assert ["a.pdf", "c.pdf", "d.md"] == [row["document"] for row in rows]


@pytest.mark.skipif(sys.platform == "win32", reason="forks are of other systems")
def test_pack_many_packs_pdfs_in_other_processes() -> None:
    data = pdf_bytes(prose_page())
    sources = [read(data, name=f"{n}.pdf") for n in range(3)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        packed = list(treepack.pack_many(sources, jobs=2))
    assert [(1,)] * 3 == [chunks[0].pages for chunks in packed]


# --- what bookmarks name ---


def prose_below(page: PdfPage, y: float) -> PdfPage:
    return page.lines(72, y, *PROSE)


def headings_of(
    *pages: PdfPage, bookmarks: Sequence[tuple[int, str, int, float]]
) -> list[tuple[int, str]]:
    """Return level and text of the headings that a PDF with these bookmarks gets."""
    document = treepack.parse(read(pdf_bytes(*pages, bookmarks=bookmarks), name="a.pdf"))
    return [
        (section.heading.level, section.heading.text)
        for section in document.root.walk()
        if section.heading
    ]


def test_a_bookmarked_title_of_two_lines_is_one_heading() -> None:
    page = PdfPage().lines(72, 700, "3 Limits of pressure", "and temperature", size=16, font="B")
    bookmarks = [(1, "3 Limits of pressure and temperature", 0, 716)]
    assert headings_of(prose_below(page, 640), bookmarks=bookmarks) == [
        (1, "3 Limits of pressure and temperature")
    ]


def test_the_chapter_label_above_a_title_begins_its_heading() -> None:
    page = PdfPage().text(72, 720, "Chapter 3", 12, "B").text(72, 690, "Limits", 20, "B")
    assert headings_of(prose_below(page, 640), bookmarks=[(1, "Limits", 0, 710)]) == [
        (1, "Chapter 3 Limits")
    ]


def test_a_number_in_words_above_a_title_is_not_lost() -> None:
    page = PdfPage().text(72, 720, "CHAPTER THREE", 12, "B").text(72, 690, "Limits", 20, "B")
    data = pdf_bytes(prose_below(page, 640), bookmarks=[(1, "Limits", 0, 710)])
    source = read(data, name="a.pdf")
    assert source.text.count("CHAPTER THREE") == 1
    [section] = treepack.parse(source).root.sections
    assert section.heading
    assert "Limits" in section.heading.text


@pytest.mark.parametrize("first", ["A", "Ab", "Abc"])
def test_the_first_line_of_a_bookmarked_title_may_be_short(first: str) -> None:
    page = PdfPage().lines(72, 700, first, "Setup of pumps", size=16, font="B")
    title = f"{first} Setup of pumps"
    assert headings_of(prose_below(page, 640), bookmarks=[(1, title, 0, 716)]) == [(1, title)]


def test_a_bookmark_may_point_to_the_page_before_its_title() -> None:
    pages = (PdfPage().lines(72, 700, *PROSE), PdfPage().text(72, 700, "1 Floor", 16, "B"))
    assert headings_of(
        pages[0], prose_below(pages[1], 660), bookmarks=[(1, "1 Floor", 0, 100)]
    ) == [(1, "1 Floor")]


@pytest.mark.parametrize(
    ("number", "title", "bookmark"),
    [("1.1", "Use of pumps", "Use of pumps"), ("4", "Care", "4 Care"), ("A.2", "Teile", "Teile")],
)
def test_a_number_apart_from_its_bookmarked_title_is_part_of_it(
    number: str, title: str, bookmark: str
) -> None:
    page = PdfPage().text(72, 700, number, 12, "B").text(140, 700, title, 12, "B")
    page.lines(140, 670, *PROSE)
    assert headings_of(page, bookmarks=[(1, bookmark, 0, 712)]) == [(1, f"{number} {title}")]


def test_a_bookmark_that_repeats_a_paragraph_makes_no_heading() -> None:
    page = PdfPage().text(72, 720, "1 Floor", 14, "B").lines(72, 700, *PROSE)
    marks = [(1, "1 Floor", 0, 730), (2, " ".join(PROSE), 0, 710)]
    assert headings_of(page, bookmarks=marks) == [(1, "1 Floor")]
