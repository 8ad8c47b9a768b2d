"""PDFs become sources with pages and metadata, and errors say what to do."""

import json
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from case_files import case_table
from pdf_files import PdfPage, pdf_bytes
from pdf_pages import PROSE, prose
from typer.testing import CliRunner

import treepack
from treepack import SourceError, read
from treepack.cli.app import app

pytest.importorskip("pypdfium2")

from treepack.readers.pdf import PagesWithoutTextWarning, PdfLimits, read_pdf
from treepack.readers.pdf_worker.process import borrowed_process

SECRET = "open sesame"  # noqa: S105 - of `cases/locked.pdf`


def test_a_pdf_is_recognised_by_its_first_bytes() -> None:
    data = pdf_bytes(prose())
    source = read(data, name="a.PDF")
    assert read(data).text == read(data, "pdf").text == source.text
    assert ((0, 1),) == source.page_marks
    assert "none" == source.metadata["pdf_headings"]


def test_chunks_of_a_pdf_record_their_pages() -> None:
    titles = [f"{n} Part of words" for n in range(1, 5)]
    pages = [PdfPage().text(72, 700, title, 16, "B").lines(72, 660, *PROSE) for title in titles]
    bookmarks = [(1, title, n, 716) for n, title in enumerate(titles)]
    source = read(pdf_bytes(*pages, bookmarks=bookmarks))
    assert "outline" == source.metadata["pdf_headings"]
    chunks = treepack.pack(source, treepack.PackConfig(sections="separate"))
    by_title = {chunk.breadcrumb[-1]: chunk.pages for chunk in chunks}
    assert {title: (n,) for n, title in enumerate(titles, 1)} == by_title


def test_a_sentence_across_a_page_break_is_one_paragraph_with_both_pages() -> None:
    first = PdfPage().lines(72, 700, "The first page ends in the middle of a long sentence that")
    source = read(pdf_bytes(first, PdfPage().text(72, 700, "goes on here, on the second page.")))
    assert "sentence that goes on here" in source.text
    assert ((0, 1), (source.text.index("goes"), 2)) == source.page_marks
    (chunk,) = treepack.pack(source)
    assert (1, 2) == chunk.pages


def test_printed_page_numbers_are_in_the_metadata() -> None:
    labels = "0 <</S/r>> 2 <</S/D /P (A-) /St 3>>"
    metadata = read(pdf_bytes(*[prose()] * 4, labels=labels, title="Pumps")).metadata
    assert {"1": "i", "3": "A-3"} == metadata["page_labels"]
    assert ("Pumps", 4) == (metadata["title"], metadata["pdf_pages"])


SCANS = [PdfPage().image().text(300, 40, str(number)) for number in range(1, 5)]
LOCKED = Path(__file__).with_name("cases").joinpath("locked.pdf").read_bytes()
DAMAGED = r"it is damaged.*mutool clean 'x y\.pdf'"


@pytest.mark.parametrize(
    ("data", "password", "message"),
    [
        (LOCKED, None, "it is encrypted.*password="),
        (LOCKED, SECRET[1:], "the password given is wrong"),
        *[(data, None, DAMAGED) for data in (b"", b"<html>", b"%PDF-1.7\nnothing", LOCKED[:99])],
        (pdf_bytes(PdfPage().image(), PdfPage()), None, "none of its 2 pages.*docling --to json '"),
        (pdf_bytes(*SCANS), None, "docling --to json"),  # with printed page numbers
        (pdf_bytes(PdfPage()), None, "none of its 1 pages has text or an image"),
    ],
    ids=range(9),
)
def test_a_pdf_that_cannot_be_read_is_rejected_with_a_remedy(
    data: bytes, password: str | None, message: str
) -> None:
    with pytest.raises(SourceError, match=rf"x y\.pdf: .*{message}|x y\.pdf: {message}"):
        read(data, "pdf", name="x y.pdf", password=password)


def test_an_encrypted_pdf_is_read_with_its_password() -> None:
    assert read(LOCKED, password=SECRET).text.startswith("The pump")


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


def test_a_warning_names_pages_of_images_and_drawn_letters_but_not_blank_pages() -> None:
    lined = PdfPage().grid([72, 500], [20.0 * n for n in range(2, 38)])
    blank = [lined, page_of_drawn_letters(4), PdfPage()]
    data = pdf_bytes(prose(), page_of_drawn_letters(90), *blank, PdfPage().image())
    with pytest.warns(PagesWithoutTextWarning, match="no text on pages 2, 6, but images or draw"):
        assert read(data, name="a.pdf").text.startswith("The pump")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read(pdf_bytes(prose(), *blank), name="a.pdf")


@pytest.mark.parametrize(("limits", "message"), case_table("pdf_reader", "limits"))
def test_exceeding_a_limit_raises_an_error_that_names_its_setting(
    limits: dict[str, Any], message: str
) -> None:
    data = pdf_bytes(prose(), prose())
    with pytest.raises(SourceError, match=message):
        read(data, name="a.pdf", pdf_limits=PdfLimits(**limits))
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
    data = pdf_bytes(prose())
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
        read(pdf_bytes(prose()))


def test_unreadable_files_of_a_folder_are_reported_and_the_rest_is_packed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("docs").mkdir()
    files = {"a.pdf": pdf_bytes(prose()), "b.pdf": b"%PDF-1.4 damaged", "c.pdf": LOCKED}
    for name, data in {**files, "d.md": b"# D\n\ntext"}.items():
        Path("docs", name).write_bytes(data)

    def packed(*flags: str) -> tuple[int, str, list[tuple[str, list[int]]]]:
        result = CliRunner().invoke(app, ["pack", "docs", "-o", "out.jsonl", *flags])
        rows = [json.loads(line) for line in Path("out.jsonl").read_text("utf-8").splitlines()]
        return result.exit_code, result.stderr, [(row["document"], row["pages"]) for row in rows]

    code, errors, rows = packed()
    assert (1, [("a.pdf", [1]), ("d.md", [])]) == (code, rows)
    assert "b.pdf: it is damaged" in errors
    assert "c.pdf: it is encrypted" in errors
    assert ["a.pdf", "c.pdf", "d.md"] == [name for name, _ in packed("--password", SECRET)[2]]


@pytest.mark.skipif(sys.platform == "win32", reason="forks are of other systems")
def test_pack_many_packs_pdfs_in_other_processes() -> None:
    sources = [read(pdf_bytes(prose()), name=f"{n}.pdf") for n in range(3)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        packed = list(treepack.pack_many(sources, jobs=2))
    assert [(1,)] * 3 == [chunks[0].pages for chunks in packed]
