"""HTML pages become markdown that keeps their structure and their text."""

import gc
from pathlib import Path

import pytest
from case_files import case_table
from function_calls import calls, growing
from processes import run_python

import treepack
from treepack import Source, SourceError, read
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


@pytest.mark.parametrize(("data", "expected"), case_table("html_reader", "encodings"))
def test_the_encoding_is_detected(data: str, expected: str) -> None:
    """A byte order mark decides, then a declaration as browsers read it; the default is UTF-8."""
    assert read_html(data.encode("latin-1")).text == expected + "\n"


@pytest.mark.parametrize(("data", "message"), case_table("html_reader", "undecodable"))
def test_undecodable_input_is_rejected_with_file_and_position(data: str, message: str) -> None:
    """In a run over a folder, the message is all that people see."""
    with pytest.raises(SourceError, match=rf"x\.html: {message}"):
        read(data.encode("latin-1"), name="x.html", encoding_errors="strict")


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


PAGES = growing("parts/hostile_pages.json")


@pytest.mark.slow
@pytest.mark.parametrize("kind", PAGES)
def test_hostile_pages_take_bounded_work_and_space(kind: str) -> None:
    """Unlimited nesting and claims of millions of cells take bounded work and no recursion."""
    found, html = list[str](), PAGES[kind](1)
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


@pytest.mark.parametrize(("name", "data", "words"), case_table("html_reader", "unreadable"))
def test_unreadable_files_are_rejected_with_a_remedy(
    name: str, data: str, words: list[str]
) -> None:
    """A user with such a file should know at once what to do with it."""
    with pytest.raises(SourceError) as caught:
        read(data.encode("latin-1"), name=name)
    assert all(word in str(caught.value) for word in words)


def test_a_missing_html_extra_is_named_in_the_error() -> None:
    """The core needs no HTML parser."""
    code = (
        "import sys; sys.modules['selectolax'] = None\n"
        "import treepack\n"
        "try: treepack.read(b'<html>')\n"
        "except treepack.MissingExtraError as error: print(error)"
    )
    assert 'pip install "treepack[html]"' in run_python(code).stdout
