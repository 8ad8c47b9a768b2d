"""The answers of the PDF worker, called in this process: messages without a pipe."""

import json
from dataclasses import asdict
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from case_files import case_table
from pdf_files import PdfPage, pdf_bytes
from processes import run_python

pytest.importorskip("pypdfium2")

from treepack.readers import pdf
from treepack.readers.pdf import PdfLimits
from treepack.readers.pdf_worker import main
from treepack.readers.pdf_worker.main import limit_memory
from treepack.readers.pdf_worker.messages import (
    Message,
    info_of,
    page_content,
    receive,
    send,
)
from treepack.readers.pdf_worker.process import borrowed_process

CASES = Path(__file__).with_name("cases")


@pytest.fixture(autouse=True)
def _unlimited(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(size: int) -> None:
        assert size > 0

    monkeypatch.setattr(main, "limit_memory", nothing)  # the limit would apply to this process


def answers(*files: bytes, password: str | None = None, **limits: Any) -> list[Message]:  # noqa: ANN401 - any limit
    """Return all messages that the worker sends for some files."""
    header = {**asdict(PdfLimits(**limits)), "memory": 1 << 30, "password": password}
    requests, output = BytesIO(), BytesIO()
    for data in files:
        send(requests, header, [data])
    requests.seek(0)
    main.serve_all(requests, output)
    output.seek(0)
    return list(iter(lambda: receive(output), None))


def document() -> bytes:
    """A PDF of titles with bookmarks, a table, rotated text, a picture and page labels."""
    first = PdfPage().text(72, 700, "1 Pumps", 16, "B")
    first.lines(72, 660, "The pump shall stand", "on a level floor.").rotated_text(20, 300, "DRAFT")
    second = PdfPage().text(72, 700, "2 Limits", 16, "B").grid((72, 200, 320), (600, 620))
    second.text(80, 605, "Pressure").text(210, 605, "16 bar").image()
    marks = [(1, "1 Pumps", 0, 716), (1, "2 Limits", 1, 716), (2, "2.1 Pressure", 1, 640)]
    labels = "0 <</S/r>> 1 <</S/D>>"
    return pdf_bytes(first, second, bookmarks=marks, labels=labels, title="Manual", deflate=True)


def test_the_worker_gives_the_same_answers_in_its_own_process() -> None:
    here = answers(document())
    with borrowed_process() as process:
        there = list(process.document(document(), None, PdfLimits()))
    pages = [page_content(message) for message in here[1:]]
    info = info_of(here[0].header)
    assert there == [info, *pages]
    assert [mark.title for mark in info.bookmarks] == ["1 Pumps", "2 Limits", "2.1 Pressure"]
    assert here[0].header["labels"] == ["i", "1"]
    assert here[0].header["metadata"]["Title"] == "Manual"
    assert [page.has_image for page in pages] == [False, True]


def test_a_process_with_pages_left_to_send_is_not_reused() -> None:
    with borrowed_process() as process:
        next(process.document(document(), None, PdfLimits()))
    assert not process.is_alive
    with borrowed_process() as other:
        pages = other.document(document(), None, PdfLimits())
        assert [type(next(pages)).__name__ for _ in range(3)] == ["PdfInfo", *["PageContent"] * 2]
    assert other.is_alive, "it has sent everything"


@pytest.mark.parametrize(("views", "height"), case_table("pdf_worker", "views"))
def test_the_height_of_a_bookmark_is_the_top_edge_of_its_view(
    views: list[str], height: float | None
) -> None:
    page = PdfPage().text(72, 690, "1 Pumps", 16, "B")
    marks = [(1, "1 Pumps", 0, view) for view in views]
    first = answers(pdf_bytes(page, bookmarks=marks))[0]
    assert {mark.title: mark.y for mark in info_of(first.header).bookmarks} == {"1 Pumps": height}
    assert len(info_of(first.header).bookmarks) == len(views)


def test_an_error_is_answered_and_the_next_file_served() -> None:
    word, secret = "open sesame", (CASES / "locked.pdf").read_bytes()
    headers = [each.header for each in answers(document(), b"%PDF-1.4 no more", secret)]
    assert [each.get("pages") for each in headers] == [2, None, None, None, None]
    assert [each.get("error") for each in headers[3:]] == ["format", "password"]
    assert len(answers(secret, password=word)) == 2
    limits: list[dict[str, Any]] = [{"pages": 1}, {"characters": 1}]
    for limit in limits:
        last = answers(document(), **limit)[-1].header
        assert (last["error"], last["detail"]) == ("limit", *limit)


def test_a_truncated_message_is_read_as_none() -> None:
    whole = BytesIO()
    send(whole, {"a": 1}, [b"words", b""])
    data = whole.getvalue()
    assert receive(BytesIO(data)) == Message({"a": 1}, [b"words", b""])
    assert all(receive(BytesIO(data[:size])) is None for size in range(len(data)))
    assert json.loads(data.partition(b"\n")[0])["arrays"] == [5, 0]


@pytest.mark.parametrize("allowed", [1 << 40, 1 << 45])
def test_memory_is_limited_if_the_system_supports_it(
    monkeypatch: pytest.MonkeyPatch, allowed: int
) -> None:
    resource = pytest.importorskip("resource")
    requests: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: requests.append(limits))
    limit_memory(allowed)
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    assert requests == [(allowed if hard == resource.RLIM_INFINITY else min(allowed, hard), hard)]

    def refused(*_: object) -> None:
        raise ValueError

    monkeypatch.setattr(resource, "setrlimit", refused)
    limit_memory(allowed)  # the time limit still holds


def test_the_worker_imports_only_the_modules_it_needs() -> None:
    code = "import sys, treepack.readers.pdf_worker.main; print(*sys.modules, sep=chr(10))"
    loaded = set(run_python(code).stdout.split())
    assert "treepack.readers.pdf_worker.pdfium" in loaded
    assert loaded.isdisjoint({"treepack.readers.pdf.reader", "treepack.model.blocks", "pydantic"})


def test_the_reader_package_has_only_its_public_names() -> None:
    assert all(hasattr(pdf, name) for name in pdf.__all__)
    assert not hasattr(pdf, "read_pfd")
