"""CSV, and documents that a converter reads."""

import csv
import json
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, Self

import pytest
from case_files import case_table
from docling_documents import Doc
from function_calls import assert_linear
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from treepack import MissingExtraError, PackConfig, SourceError, audit, pack, read
from treepack.cli.app import app


def markdown(data: str | bytes, suffix: str = ".csv") -> str:
    """Return the text that is read from a file."""
    return read(data if isinstance(data, bytes) else data.encode(), name=f"a{suffix}").text


LIMITS = "| Pump | Limit |\n| --- | --- |\n| P100 | 16 bar |\n| P200 | 1,5 bar |\n"
LETTERS = "| A | B |\n| --- | --- |\n| 1 | 2 |\n"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_csv_with_any_delimiter_and_line_end_is_one_table(delimiter: str, end: str) -> None:
    rows = [["Pump", "Limit"], ["P100", "16 bar"], ["P200", "1,5 bar"]]
    cells = [[f'"{cell}"' if delimiter in cell else cell for cell in row] for row in rows]
    assert markdown(end.join(delimiter.join(row) for row in cells) + end) == LIMITS


@pytest.mark.parametrize(("data", "expected"), case_table("more_formats", "csv"))
def test_csv_becomes_a_table(data: str, expected: str) -> None:
    assert markdown(data) == expected


def test_tsv_and_other_encodings_are_read() -> None:
    assert markdown("A\tB\n1\t2\n", ".tsv") == LETTERS
    with pytest.warns(UserWarning, match="cp1252"):
        assert "Größe" in markdown("Größe;B\n1;2\n".encode("windows-1252"))


def test_csv_rows_are_never_cut_and_each_piece_has_the_header() -> None:
    text = "Id,Name,Limit\n" + "".join(f"R{n},Register {n},{n * 7} bar\n" for n in range(300))
    source = read(text.encode(), name="r.csv")
    config = PackConfig(max_tokens=128)
    chunks = pack(source, config)
    assert len(chunks) > 10
    assert all("| Id | Name | Limit |" in chunk.text for chunk in chunks)
    assert [chunk.tables[0].row_start for chunk in chunks][1:] == [
        chunk.tables[0].row_end + 1 for chunk in chunks[:-1]
    ]
    assert audit(source, chunks, PackConfig(max_tokens=128)).findings == ()
    assert source.origins == ((0, "csv:row 1"),)


@given(
    st.lists(
        st.lists(st.text("ab1 ,;\"'\n", min_size=1).filter(str.strip), min_size=2, max_size=4),
        min_size=1,
        max_size=6,
    )
)
def test_no_csv_cell_is_lost(rows: list[list[str]]) -> None:
    """The standard library writes the rows, with each cell quoted."""
    lines: list[str] = []
    writer = csv.writer(SimpleNamespace(write=lines.append), quoting=csv.QUOTE_ALL)
    writer.writerows(rows)
    made = read("".join(lines).encode(), "csv", name="a").text
    for letter in "ab1":
        wanted = sum(cell.count(letter) for row in rows for cell in row)
        assert made.replace("<br>", "").count(letter) == wanted


def test_an_unreadable_csv_file_is_rejected_by_name() -> None:
    huge = f"A,B\n1,{'x' * (csv.field_size_limit() + 1)}\n"
    with pytest.raises(SourceError, match=r"a\.csv: cannot read as CSV: field larger than"):
        markdown(huge)
    with pytest.raises(SourceError, match="binary"):
        markdown(b"A,B\n\x00\x01,2\n")


@pytest.mark.slow
def test_large_ragged_and_unclosed_csv_files_take_linear_work() -> None:
    """Ragged rows are not filled up without bound, and quotes that never end do no harm."""
    assert_linear(lambda n: markdown("A,B\n" + "1,2\n" * n), 2_000)
    assert_linear(lambda n: markdown("A,B\n" + '"' * n), 20_000)
    wide = markdown("x," * 5_000 + "\n" + "1,2\n" * 5_000)
    assert len(wide) < 2_000_000


SLIDES = "<!-- Slide number: 1 -->\n# One\n\nA.\n\n<!-- Slide number: 2 -->\n# Two\n\nB.\n"


NAMES: list[str] = []
"""The file extensions that the stand-in for a converter was given."""


class MarkItDown:
    """Stands in for the converter of that name."""

    def __init__(self, *, enable_plugins: bool) -> None:
        assert not enable_plugins

    def convert_stream(self, stream: Any, *, file_extension: str) -> Any:  # noqa: ANN401 - theirs
        """Record the extension; return slides."""
        NAMES.append(file_extension)
        assert stream.read()
        return SimpleNamespace(text_content=SLIDES)


def provide(monkeypatch: pytest.MonkeyPatch, name: str, **values: object) -> None:
    """Make a module that holds some values."""
    module = ModuleType(name)
    vars(module).update(values)
    monkeypatch.setitem(sys.modules, name, module)


@pytest.fixture
def markitdown(monkeypatch: pytest.MonkeyPatch) -> None:
    NAMES.clear()
    provide(monkeypatch, "markitdown", MarkItDown=MarkItDown)


@pytest.mark.usefixtures("markitdown")
def test_a_converter_reads_formats_that_treepack_does_not_read(tmp_path: Path) -> None:
    """The converter gets the file's suffix; the page marks that it writes are known."""
    path = tmp_path / "slides.pptx"
    path.write_bytes(b"slides")
    source = read(path, via="markitdown")
    assert source.name == "slides.pptx"
    assert NAMES == [".pptx"]
    chunks = pack(source, PackConfig(sections="separate"))
    assert [chunk.pages for chunk in chunks] == [(1,), (2,)]


def test_docling_results_are_read_from_their_items(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its items are read, and not its markdown, which has no pages."""
    doc = Doc()
    doc.header("Head", page=3)

    class DocumentConverter:
        def convert(self, stream: Any) -> Any:  # noqa: ANN401 - theirs
            assert (stream.name, stream.stream.read()) == ("a.pdf", b"pdf")
            return SimpleNamespace(document=self)

        def export_to_dict(self: Self) -> dict[str, Any]:
            return doc.record

    provide(monkeypatch, "docling")
    provide(monkeypatch, "docling.datamodel")
    provide(monkeypatch, "docling.document_converter", DocumentConverter=DocumentConverter)
    provide(monkeypatch, "docling.datamodel.base_models", DocumentStream=SimpleNamespace)
    source = read(b"pdf", name="a.pdf", via="docling")
    assert source.text == "# Head\n"
    assert [page for _, page in source.page_marks] == [3]


def test_a_missing_converter_and_wrong_arguments_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "markitdown", None)
    monkeypatch.setitem(sys.modules, "docling.document_converter", None)
    wrong: list[tuple[type[Exception], str, Any, str]] = [
        (MissingExtraError, "", "markitdown", r'needs: pip install "markitdown\[all\]"'),
        (MissingExtraError, "", "docling", 'a.pdf: via="docling" needs: pip install "docling"'),
        (ValueError, "", "pandoc", "via is 'pandoc', but must be one of"),
        (ValueError, "html", "docling", "format is 'html' and via is 'docling'"),
    ]
    for error, form, via, message in wrong:
        with pytest.raises(error, match=message):
            read(b"x", form or None, name="a.pdf", via=via)


@pytest.mark.usefixtures("markitdown")
def test_the_command_line_converts_only_the_documents_that_treepack_does_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in").mkdir()
    for name in ("slides.PPTX", "picture.png", "~$slides.pptx", ".hidden.pptx", "run.py"):
        Path("in", name).write_bytes(b"x")
    Path("a.md").write_text("# Own\n\nText.\n", encoding="utf-8")
    done = CliRunner().invoke(app, ["pack", "in", "a.md", "--via", "markitdown"])
    assert done.exit_code == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(row["document"], row["pages"]) for row in rows] == [
        ("slides.PPTX", [1]), ("slides.PPTX", [2]), ("a.md", []),
    ]  # fmt: skip
    assert [name.lower() for name in NAMES] == [".pptx"]
    assert "3 files skipped: 1 .png, 1 .pptx, 1 .py" in " ".join(done.stderr.split())
    refused = CliRunner().invoke(app, ["pack", "in"])
    assert refused.exit_code == 2
    assert "contains no file that pack reads" in refused.stderr
