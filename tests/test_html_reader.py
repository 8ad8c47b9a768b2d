"""HTML pages become markdown that keeps their structure and their text."""

import codecs
import gc
import json
import subprocess
import sys
from pathlib import Path

import pytest
from function_calls import calls
from typer.testing import CliRunner

import treepack
from treepack import Source, SourceError, read
from treepack.cli.app import app
from treepack.readers.decoding import DecodingWarning
from treepack.readers.html.reader import read_html
from treepack.readers.html.tree import within_limits


def markdown(html: str, **selectors: int) -> str:
    return read_html(html, heading_selectors={f".{k}": v for k, v in selectors.items()}).text


def test_a_title_of_several_paragraphs_is_joined_but_not_with_a_lower_heading() -> None:
    parts = "<p class=top>Pumps<p class=top>and valves<h3>Use</h3>"
    assert markdown(parts, top=1) == "# Pumps and valves\n\n### Use\n"
    for title in ("<p class=top>Valves</p>", "<div role=heading aria-level=1>Valves</div>"):
        page = f"<h1>Pumps</h1><p>text</p><h3>Use</h3>{title}<p>text"
        assert markdown(page, top=1) == "# Pumps\n\ntext\n\n### Use\n\n# Valves\n\ntext\n"


def test_selectors_turn_paragraphs_into_headings() -> None:
    """Law and Word exports have headings that are paragraphs to a browser."""
    assert markdown("<p class=x>A<p class=y>B<p>c", x=2, y=0) == "## A B\n\nc\n"
    with pytest.raises(SourceError, match="'p\\[' is not a CSS selector"):
        read_html("x", heading_selectors={"p[": 1})


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"<meta charset=iso-8859-1><p>caf\xe9 \x80", "café €"),
        (b"<meta http-equiv=Content-Type content='text/html; charset=windows-1251'>\xc0", "А"),
        (b"<?xml version='1.0' encoding='Shift_JIS'?>\n<p>\x93\xfa", "日"),
        (b"<meta charset=gb2312>\xc8\xd5", "日"),
        (codecs.BOM_UTF8 + b"<meta charset=latin-1>caf\xc3\xa9", "café"),
        (codecs.BOM_UTF16_LE + "<p>café".encode("utf-16-le"), "café"),
        (b"<meta charset=utf-16>caf\xc3\xa9", "café"),
        (b"<meta charset=hex>caf\xc3\xa9", "café"),
        (b"<meta charset=nonsense>caf\xc3\xa9", "café"),
    ],
)
def test_the_encoding_is_detected(data: bytes, expected: str) -> None:
    """A byte order mark decides, then a declaration as browsers read it; the default is UTF-8."""
    assert read_html(data).text == expected + "\n"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"%PDF-1.7 no byte of it is NUL", r"it is not HTML but a PDF; rename it to end in \.pdf"),
        (b"<meta charset=ascii-8><p>\xff", "byte 25 is not valid utf-8"),
        (b"<meta charset=gbk><p>\xff", "byte 21 is not valid gb18030, which the page declares"),
    ],
)
def test_undecodable_input_is_rejected_with_file_and_position(data: bytes, message: str) -> None:
    """In a run over a folder, the message is all that people see."""
    with pytest.raises(SourceError, match=rf"x\.html: {message}"):
        read(data, name="x.html", encoding_errors="strict")


def test_invalid_bytes_are_replaced_with_a_warning() -> None:
    with pytest.warns(DecodingWarning):
        assert read(b"<meta charset=ascii-8><p>a\xffb", "html").text.startswith("a")


def test_a_custom_converter_replaces_the_reader_but_not_title_and_language() -> None:
    """A user with a better converter can keep it."""
    source = read(b"<p>x", "html", name="a", converter=lambda html: f"# {html}")
    assert source == Source("# <p>x", "a")
    page = "<html lang=en><title>Pump\nmanual</title><p>x"
    metadata = {"title": "Pump manual", "language": "en"}
    assert read_html(page, "a", converter=str.upper) == Source(page.upper(), "a", metadata)
    assert read_html(page).metadata == metadata
    assert read_html(page).is_from_html


def count_garbage(page: str) -> int:
    """Return how many objects the collector finds after a page was read."""
    gc.collect()
    gc.disable()
    try:
        assert len(read_html(page).text) > len(page) / 8
        return gc.collect()
    finally:
        gc.enable()


def test_reading_a_page_leaves_no_garbage_cycles() -> None:
    """Finding them would cost the collector a tenth of the time."""
    page = "<title>t</title><h1>a</h1><p>b <b>c</b><ul><li>d</ul><table><tr><td>e<td>f</table>"
    once, often = (min(count_garbage(page * n) for _ in range(5)) for n in (1, 50))
    assert often - once < 50


@pytest.mark.slow
@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 5000 + "x",
        "<p>x" * 1000,
        "<ul><li>x" * 2500,
        "<dd><li>x" * 2500,
        "<blockquote>x" * 2500,
        "<table><tr><td>x" * 2500,
        "<table><tr><td>(a)<td>x" * 50,
        "<b>x" * 2500,
        "<b><i>x</b>" * 1500,
        "<dl><dt>x<dd>" * 150,
        "<table><tr>" + "<td rowspan=65534 colspan=1000>x" * 50,
        "<table>" + "<tr><td>x<tr><td>x<td>x" * 75 + "<tr>" + "<td>y" * 150,
        "<a><p>x" * 100,
        "<select>" + "<option>x" * 2500,
        "<p " + " ".join(f"a{n}=1" for n in range(5000)) + ">x",
        "<?" * 2000,
        "<!--" * 2000,
        "<figure><figcaption>x" * 100,
        "<h1>x" * 400,
        "<span class=" * 500,
        "\0<p>" * 500,
    ],
    ids=lambda html: html[:24],
)
def test_hostile_pages_take_bounded_work_and_space(html: str) -> None:
    """Unlimited nesting and claims of millions of cells take bounded work and no recursion."""
    found: list[str] = []
    assert calls(lambda: found.append(read_html(html).text)) < 2_000 * len(html)
    assert len(found[0]) < 100 * len(html) + 1000
    if "option" not in html:  # which are not shown
        assert found[0].count("x") >= html.count(">x")


def test_the_parser_gets_few_open_blocks_and_attributes() -> None:
    """Its time grows with their square."""
    deep = within_limits("<div>" * 3000 + "x" + "</div>" * 3000)
    assert (deep.count("<div>"), deep.count("</div>"), deep.count("<p>")) == (1000, 1000, 2000)
    strays = within_limits("<div></ul>" * 3000)  # the parser ignores an end without a beginning
    assert strays.count("<div>") == 1000
    many = "<p " + " ".join(f"a{number}=b" for number in range(3000)) + ">x"
    assert within_limits(many) == "<p>x"


def test_deep_or_untidy_pages_keep_their_text_and_headings() -> None:
    """Only what nests deeper than any page that people made becomes flat."""
    deep = "<div>" * 3000 + "<h2>T</h2><p>x</p>" + "</div>" * 3000 + "<h2>U</h2>y"
    assert markdown(deep) == "## T\n\nx\n\n## U\n\ny\n"
    items = "<ul>" + "<li>x" * 3000 + "</ul>"
    assert markdown(items) == "- x\n" * 3000
    drawing = "<svg>" + "<path d='M0'/>" * 3000 + "</svg><div>x</div><div style='display:none'>no"
    assert markdown(drawing) == "x\n"


def test_html_is_recognised_by_file_name_and_content(tmp_path: Path) -> None:
    """A file's format follows from its suffix, the format of bytes from how they begin."""
    page = b"<!-- c --><!DOCTYPE html><h1>T</h1>"
    path = tmp_path / "a.HTM"
    path.write_bytes(page)
    assert read(path) == read(page, name="a.HTM")
    assert read(page).text == "# T\n"
    assert read(page, "text").text == page.decode()
    assert read(b"<p>a fragment").text == "<p>a fragment"
    assert treepack.pack(path)[0].breadcrumb == ("a.HTM", "T")


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("a b.xlsx", b"", ["a b.xlsx: XLSX is not a format", "docling --to json 'a b.xlsx'"]),
        ("a b.pdf", b"", ["a b.pdf: it is damaged, or not a PDF", "mutool clean 'a b.pdf'"]),
        ("x.pptx", b"", ["PPTX is not a format", "docling --to json x.pptx", "-o x.md"]),
        ("x.pptx", b"PK", ["treepack reads", "via docling or markitdown (via=, --via"]),
        ("x.ipynb", b"{}", ["IPYNB is not ", "read it via markitdown (via=, --via"]),
        ("x.odt", b"", ["soffice --headless --convert-to docx x.odt"]),
        ("x.org", b"", ["pandoc -s x.org -o x.html"]),
        ("", b"%PDF-1.7", ["the input: it is damaged, or not a PDF"]),
        ("", b"PK\x03\x04" + b"\0" * 26 + b"xl/workbook.xml", ["the input: XLSX is not"]),
        ("", b"PK\x03\x04" + b"\0" * 26 + b"ppt/presentation.xml", ["the input: PPTX is not"]),
        ("x.json", b'{"a": 1}', ["x.json: this JSON is neither a DoclingDocument nor"]),
    ],
)
def test_unreadable_files_are_rejected_with_a_remedy(
    name: str, data: bytes, words: list[str]
) -> None:
    """A user with such a file should know at once what to do with it."""
    with pytest.raises(SourceError) as caught:
        read(data, name=name)
    assert all(word in str(caught.value) for word in words)


def test_a_missing_html_extra_is_named_in_the_error() -> None:
    """The core needs no HTML parser."""
    code = (
        "import sys; sys.modules['selectolax'] = None\n"
        "import treepack\n"
        "try: treepack.read(b'<html>')\n"
        "except treepack.MissingExtraError as error: print(error)"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert 'pip install "treepack[html]"' in result.stdout


def test_a_folder_may_contain_files_of_several_formats(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that cannot be read is named, the others are packed, and a data file is ignored."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    for name, data in {
        "a.md": b"# A\n\ntext", "b.html": b"<h1>B</h1><p>text", "c.htm": b"<p>\0", "d.json": b"{}",
        "e.pdf": b"%PDF", "f.xhtml": b"<p>text",
    }.items():  # fmt: skip
        (tmp_path / "docs" / name).write_bytes(data)
    result = CliRunner().invoke(app, ["pack", "docs", "-o", "out.jsonl"])
    rows = [json.loads(line) for line in Path("out.jsonl").read_text("utf-8").splitlines()]
    assert [row["document"] for row in rows] == ["a.md", "b.html", "f.xhtml"]
    assert result.exit_code == 1
    assert "c.htm: it is binary, not text: byte 3 is NUL" in result.stderr
    assert "d.json" not in result.stderr
    assert CliRunner().invoke(app, ["audit", "docs/b.html"]).exit_code == 0
    result = CliRunner().invoke(app, ["pack", "docs/e.pdf"])
    assert "docs/e.pdf: it is damaged, or not a PDF" in result.stderr
    page = CliRunner().invoke(app, ["pack", "-"], input=b"<!doctype html><h1>T</h1>x")
    assert json.loads(page.stdout)["breadcrumb"] == ["T"]
