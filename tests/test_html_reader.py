"""HTML pages become markdown that keeps their structure and their text."""

import codecs
import gc
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from function_calls import calls
from typer.testing import CliRunner

import treepack
from treepack import Source, SourceError, read
from treepack.cli.app import app
from treepack.model.blocks import ListBlock, Table
from treepack.readers.decoding import DecodingWarning
from treepack.readers.html.reader import read_html
from treepack.readers.html.tree import within_limits


def markdown(html: str, **selectors: int) -> str:
    return read_html(html, heading_selectors={f".{k}": v for k, v in selectors.items()}).text


def headings(source: Source) -> list[tuple[int, str]]:
    sections = treepack.parse(source, outline="trust").root.walk()
    return [(s.heading.level, s.heading.text) for s in sections if s.heading]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<h1>A</h1><h6>B<br>C</h6><p>t", "# A\n\n###### B C\n\nt\n"),
        ("<h1>A</h1><h2></h2><p>x", "# A\n\nx\n"),
        ("<h1>A<img src=a.png alt=b></h1>", "# A![b](a.png)\n"),
        ("<p>a <b>b</b>\n <i>c</i>&nbsp;d</p>", "a b c\u00a0d\n"),
        ("a<br>b<br><br>c", "a\nb\n\nc\n"),
        ("<p># n<p>1. no<p>*a* &lt;b> `c` d`", "\\# n\n\n1\\. no\n\n\\*a\\* \\<b> \\`c\\` d\\`\n"),
        ("<ol start=3><li>a<li value=7>b<li>c</ol>", "3. a\n7. b\n8. c\n"),
        ("<ol reversed><li>a<li>b</ol>", "2. a\n1. b\n"),
        ("<ol type=a start=26><li>x<li>y</ol>", "- z. x\n- aa. y\n"),
        ("<ol type=a start=0><li>x<li>y</ol>", "- 0\\. x\n- a. y\n"),
        ('<ol style="list-style-type: upper-roman"><li>x<li>y', "- I. x\n- II. y\n"),
        ("<ul><li>a<ul><li>b</ul></li><ul><li>c</ul></ul>", "- a\n  - b\n\n  * c\n"),
        ("<ul><li><p>a</p><p>b</p></li></ul>", "- a\n\n  b\n"),
        ("<ul>loose<li>a</ul>", "- loose\n- a\n"),
        ("<li>no list", "no list\n"),
        ("<ul><li><h3>T</h3>text</ul>", "### T\n\ntext\n"),
        ("<ul><li role=heading>T<li>text</ul>", "## T\n\ntext\n"),
        ("<blockquote>a<blockquote>b</blockquote></blockquote>", "> a\n>\n> > b\n"),
        ("<blockquote><h2>T</h2>a</blockquote>", "## T\n\na\n"),
        ("<dl><dt>A<dt>B<dd>x<dd>y<dt>C</dl>", "- **A**\n\n  **B**\n\n  x\n\n  y\n\n- **C**\n"),
        ("<dl><dt><h3>T</h3><dd>x</dl>", "**T**\n\nx\n"),
        ("<dl><dt></dt><dd>x</dl>", "- x\n"),
        ("<pre><code class='language-c++'>\n a\n  b\n</code></pre>", "```c++\n a\n  b\n```\n"),
        ("<div class='highlight-python3 notranslate'><div><pre>x</pre>", "```python3\nx\n```\n"),
        ("<pre><span class=linenos>1</span>a```b</pre>", "````\na```b\n````\n"),
        ("<p>use <code>a  *b*</code> and <kbd>c</kbd>", "use `a *b*` and `c`\n"),
        ("<p>a `b` <code>``c</code>", "a \\`b\\` ``` ``c ```\n"),
        ("<p>m<sup>2</sup>, H<sub>2</sub>O<sup>[1]</sup>", "m<sup>2</sup>, H<sub>2</sub>O[1]\n"),
        ("<p>see<sup>(1)</sup> and<sup></sup> x<sub> </sub>y", "see(1) and xy\n"),
        ("<figure><img src=a.png alt='A [b]'><figcaption>F", "![A (b)](a.png)\n\nF\n"),
        ("<p>a <img src=a.png> b", "a b\n"),
        ("<p>a <img src='data:image/png;base64,AA' alt='A plan'> b", "a ![A plan]() b\n"),
        ("<figure><p>a<img src=b.png></p></figure>", "a\n\n![](b.png)\n"),
        ("<math display=block alttext='a^2'><mi>a</mi></math>", "$$\na^2\n$$\n"),
        ("<p>a <math alttext='x^2'><mi>x</mi></math> b", "a $x^2$ b\n"),
        ("<math><annotation encoding='application/x-tex'>y_1</annotation></math>", "$y_1$\n"),
        ("<p>a <math><mi>x</mi>\n<mo>+</mo></math> b", "a x + b\n"),
        ("<p>cost <math alttext='a$b'><mi>x</mi></math>", "cost `a$b`\n"),
        ("a<hr>b", "a\n\n___\n\nb\n"),
        ("<p><b>Bold line</b></p>", "**Bold line**\n"),
        ("<p style='font-weight:bold'>Note</p><p>text", "**Note**\n\ntext\n"),
        ("<div style='font-weight: 700'><p>x</p></div>", "**x**\n"),
        ("<p><b>a<div>b</div>c</b>", "**a**\n\n**b**\n\n**c**\n"),
        ("<p><b>a <img src=x alt=y> <code>z</code></b>", "a ![y](x) `z`\n"),
        ("<details><summary>More</summary>text</details>", "More\n\ntext\n"),
        ("<p>![x](y) **a** &amp;amp; R&amp;D;", "![x\\](y) \\*\\*a\\*\\* \\&amp; R&D;\n"),
        ("<p>[a]: b", "\\[a]: b\n"),
        ("<p>5 * 3 and <span>_x `q</span>", "5 * 3 and _x `q\n"),
        ("<h1>5.4 cron.*</h1>", "# 5.4 cron.*\n"),
    ],
)
def test_html_elements_become_equivalent_markdown(html: str, expected: str) -> None:
    """Each element becomes the block of markdown that means the same."""
    assert markdown(html) == expected


FURNITURE = """<!doctype html><html lang=en><head><title> A
 page </title><script>no1()</script><style>no2</style></head><body>
<header>no3</header><nav>no4</nav><div role=Navigation>no5</div><aside>no6</aside>
<article><header><h1>Title<a class=headerlink href="#t">¶</a></h1></header>
<p>yes1 <span hidden>no7</span><span style="display: none">no8</span></p>
<h2>Part <a href="#p">#</a><span aria-hidden=true>no9</span></h2>
<script>no10</script><template>no11</template><noscript>no12</noscript><p>yes2<button>no13</button>
<footer>yes3</footer></article><footer>no14</footer></body></html>"""


def test_navigation_scripts_and_hidden_text_are_left_out() -> None:
    """Every query would find navigation, and permalinks in headings would spoil breadcrumbs."""
    source = read_html(FURNITURE)
    assert re.findall(r"no\d+", source.text) == []
    assert re.findall(r"yes\d", source.text) == ["yes1", "yes2", "yes3"]
    assert headings(source) == [(1, "Title"), (2, "Part")]
    assert source.metadata == {"title": "A page", "language": "en"}
    assert source.is_from_html


@pytest.mark.parametrize(
    "part",
    [
        '<div class="navheader"><b>no</b><a href="x.html">no</a></div>',
        '<div class="navbox x">no</div>',
        '<div class="vector-dropdown mw-portlet"><ul><li>no</ul></div>',
        '<div id="nav-path">no</div>',
        "<div class=footer>no</div>",
        "<dialog>no</dialog>",
    ],
)
def test_marked_parts_are_left_out_above_and_below_the_text(part: str) -> None:
    """Old pages, wikis and some generators mark navigation with a class or id."""
    assert markdown(f"<body>{part}<h2>Part</h2><p>yes</p>{part}</body>") == "## Part\n\nyes\n"


@pytest.mark.parametrize(
    "html",
    [
        "<ul><li><a href=a.html>yes</a><li><a href=b.html>yes</a></ul>",
        "<article><p>yes<div class=footer>yes</div></article>",
        "<div role=main><header><b>yes</b></header><p>yes</div>",
        "<div class=section id=footer><h2>footer</h2><p>yes</div>",
        "<div class=boxed>yes</div><dialog open>yes</dialog><a href='#x'><img alt=yes></a>",
    ],
)
def test_other_parts_are_kept(html: str) -> None:
    """Whatever may be text is kept: furniture costs a few tokens, lost text costs the answer."""
    assert markdown(html).count("yes") == html.count("yes")


def test_only_the_main_element_is_read_with_the_title_of_the_page() -> None:
    """A page states what its main part is; a title in the page's header is still the title."""
    html = "<header><h1>T</h1>x</header><div>side</div><main><h2>S</h2>text</main><p>end"
    assert markdown(html) == "# T\n\n## S\n\ntext\n"
    assert markdown("<main>a</main><main>b</main>c") == "a\n\nb\n\nc\n"


def test_a_long_cell_over_several_rows_is_written_once() -> None:
    for text, times in (("A label", 2), ("A text of many words. " * 6, 1)):
        rows = f"<tr><th>k<th>v<tr><td rowspan=2>{text}<td>1<tr><td>2"
        assert markdown(f"<table>{rows}</table>").count(text.strip()) == times


def test_table_rows_are_complete_despite_spans_and_two_header_rows() -> None:
    """Two header rows with spans, caption, foot, a pipe in a cell: no converter keeps them all."""
    html = """<table><caption>Table 1: <b>Limits</b></caption>
    <thead><tr><th rowspan=2>Class<th colspan=2>Limit</tr><tr><th>Min<th>Max</tr></thead>
    <tfoot><tr><td>Sum<td colspan=2>9</tfoot>
    <tbody><tr><td rowspan=0>A<td>1<td>a|b<tr><td>3<td>4<p>5<tr></table>"""
    source = read_html(html)
    (found,) = (b for b in treepack.parse(source).root.blocks if isinstance(b, Table))
    assert (found.header_rows, found.caption) == (2, "Table 1: Limits")
    assert found.columns == ("Class", "Min", "Max")
    assert [source.text[slice(*row)] for row in found.rows] == [
        "<tr><td>A</td><td>1</td><td>a|b</td></tr>",
        "<tr><td>A</td><td>3</td><td>4<br>5</td></tr>",
        "<tr><td>Sum</td><td>9</td><td></td></tr>",
    ]


INNER = "<table><tr><td>a<td>b<tr><td>c<td>d</table>"


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("<tr><th>a<th>b<tr><td>1<td>2|3", "| a | b |\n| --- | --- |\n| 1 | 2\\|3 |\n"),
        ("<tr><td>1<td>2<tr><td>3", "|  |  |\n| --- | --- |\n| 1 | 2 |\n| 3 |  |\n"),
        ("<tr><td><b>a<td><b>b<tr><td>1<td>2", "| a | b |\n| --- | --- |\n| 1 | 2 |\n"),
        ("<tr><td><td><td>b<tr><td>1<td><td>2", "|  | b |\n"),
        ("<tr><th>a<th>b<tr><th>c<th>d<tr><td>1<td>2", "<table>\n<thead>\n<tr><th>a</th>"),
        ("<tr><th>a<th>b<tr><td>1<td>2<tr><th>c<th>d", "| **c** | **d** |\n"),
        ("<tr><th>a<th>b<tr><td colspan=2>All<tr><td>1<td>2", "| All |  |\n| 1 | 2 |\n"),
        ("<tr><th>k<td>v<tr><th>l<td>w", "| k | v |\n"),
        ("<tr><th>a<tr><td>x<ul><li>y<li>z</ul>", "| x<br>- y<br>- z |\n"),
        ("<tr><th>a<tr><td>x<ol start=3 type=a><li>y<li>z</ol>", "| x<br>c. y<br>d. z |\n"),
        ("<tr><th rowspan=2>a<th>b<tr><td>1<tr><td>x<td>2", "| a | 1 |\n| x | 2 |\n"),
        (f"<tr><th>a<tr><td>x{INNER}z", "| x<br>a; b<br>c; d<br>z |\n"),
        (f"<tr><td>{INNER}<td>e", "| a; b<br>c; d | e |\n"),
        ("<tr><th>a<tr><td>x<table><tr><td><p>r<td>s<p>s</table>z", "| x<br>r; s s<br>z |\n"),
        ("<tr><th>a<tr><td>x<table><tr><td>y</table>z", "| x<br>y<br>z |\n"),
        ("<tr><th>a<tr><td>1<td>2<tr><th colspan=2>K<img alt=i src=e>", "| **K** ![i](e) |  |\n"),
        ("<tr><th>A<th>B<tr><td><b>a <i>d</i> <code>z</code></b><img src=x><td>e", "| **a d z** |"),
        ("<tr><th>a<tr><td><code>c</code> <sup>2</sup> <a href=u>l</a>", "| `c` <sup>2</sup> l |"),
        ("<tr><td><h2>T</h2>a<td>b", "## T\n\na\n\nb\n"),
        ("<tr><td>alone", "alone\n"),
        ("<tr><td>&nbsp;<td><p>One.</p><p>Two.</p><tr><td><td>", "One.\n\nTwo.\n"),
        ("<tr><th>a<td>", "| a |"),
        ("<caption>C</caption><tr><td>a<td>", "| a |"),
    ],
)
def test_data_tables_become_markdown_tables_and_layout_tables_become_text(
    rows: str, expected: str
) -> None:
    """A table of data stays a table, whatever its header; a table used only for layout does not."""
    assert expected in markdown(f"<table>{rows}</table>")


def test_the_role_and_the_figure_of_a_table_are_respected() -> None:
    assert markdown("<table role=presentation><tr><td>a<td>b") == "a\n\nb\n"
    table = "<table><tr><th>a<tr><td>1"
    assert "*C*\n\n| a |\n" in markdown(f"<figure><figcaption>C</figcaption>{table}")


def test_tables_with_list_markers_in_the_first_cell_become_lists() -> None:
    """EUR-Lex prints points as tables of two cells, nested ones in the second."""
    point = "<table><col><col><tr><td><p>{}</p></td><td><p>{}</p>{}</td></tr></table>"
    inner = point.format("(i)", "x", "") + "\n" + point.format("(ii)", "y", "")
    html = point.format("(a)", "one", inner) + point.format("(b)", "two", "") + "<p>end"
    assert markdown(html) == "- (a) one\n  - (i) x\n  - (ii) y\n- (b) two\n\nend\n"
    assert markdown(point.format("1.", "x", "") + point.format("2.", "y", "")) == "1. x\n2. y\n"
    assert markdown(point.format("—", "x", "")) == "- x\n"
    assert markdown("<table><tr><td>12<td>x<tr><td>13<td>y").startswith("|  |  |\n")


def test_a_title_of_several_paragraphs_is_joined_but_not_with_a_lower_heading() -> None:
    parts = "<p class=top>Pumps<p class=top>and valves<h3>Use</h3>"
    assert markdown(parts, top=1) == "# Pumps and valves\n\n### Use\n"
    for title in ("<p class=top>Valves</p>", "<div role=heading aria-level=1>Valves</div>"):
        page = f"<h1>Pumps</h1><p>text</p><h3>Use</h3>{title}<p>text"
        assert markdown(page, top=1) == "# Pumps\n\ntext\n\n### Use\n\n# Valves\n\ntext\n"


def test_selectors_turn_paragraphs_into_headings() -> None:
    """Law and Word exports have headings that are paragraphs to a browser."""
    eur_lex = """<p class=oj-doc-ti>REGULATION 1<p class=oj-doc-ti>on things
    <div id=cpt_I><p class=oj-ti-section-1>CHAPTER I<p class=oj-ti-section-2>General
    <div id=cpt_I.sct_1><p class=oj-ti-section-1>Section 1<p class=oj-ti-section-2>Aims
    <p class=oj-ti-art>Article 1<p class=oj-sti-art>Scope<p>text
    <p class=oj-ti-art>Article 2<p class=oj-ti-art>Article 3"""
    assert headings(read_html(eur_lex)) == [
        (1, "REGULATION 1 on things"), (2, "CHAPTER I General"), (3, "Section 1 Aims"),
        (4, "Article 1 Scope"), (4, "Article 2"), (4, "Article 3"),
    ]  # fmt: skip
    word = "<p class=MsoTitle>T<p class=AppendixHeading2>A.1 x<p class=MsoNormal>y"
    assert headings(read_html(word)) == [(1, "T"), (2, "A.1 x")]
    sphinx = "<section><p class=rubric>Note</p><dl><dt>f()<dd><p class=rubric>Example</p>x</dl>"
    assert headings(read_html(sphinx)) == [(6, "Note")]
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
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "it is binary, not text: it is a PNG image"),
        (b"<p>\0", "it is binary, not text: byte 3 is NUL"),
        (b"%PDF-1.7 no byte of it is NUL", r"it is not HTML but a PDF; rename it to end in \.pdf"),
        (b"<meta charset=ascii-8><p>\xff", "byte 25 is not valid utf-8"),
        (b"<meta charset=gbk><p>\xff", "byte 21 is not valid gb18030, which the page declares"),
    ],
)
def test_binary_or_undecodable_input_is_rejected_with_file_and_position(
    tmp_path: Path, data: bytes, message: str
) -> None:
    """In a run over a folder, the message is all that people see."""
    (tmp_path / "x.html").write_bytes(data)
    with pytest.raises(SourceError, match=rf"x\.html: {message}"):
        read(tmp_path / "x.html", encoding_errors="strict")


def test_invalid_bytes_are_replaced_with_a_warning() -> None:
    with pytest.warns(DecodingWarning):
        assert read(b"<meta charset=ascii-8><p>a\xffb", "html").text.startswith("a")


def test_a_custom_converter_replaces_the_reader_but_not_title_and_language() -> None:
    """A user with a better converter can keep it."""
    source = read(b"<p>x", "html", name="a", converter=lambda html: f"# {html}")
    assert source == Source("# <p>x", "a")
    page = "<html lang=en><title>Pump\nmanual</title><p>x"
    source = read_html(page, "a", converter=str.upper)
    assert source == Source(page.upper(), "a", {"title": "Pump manual", "language": "en"})


def count_garbage(page: str) -> int:
    """Return how many objects the collector finds after a page was read: the least of five runs."""
    found: list[int] = []
    for _ in range(5):
        gc.collect()
        gc.disable()
        try:
            source = read_html(page)
            found.append(gc.collect())
        finally:
            gc.enable()
        assert len(source.text) > len(page) / 8
    return min(found)


def test_reading_a_page_leaves_no_garbage_cycles() -> None:
    """Finding them would cost the collector a tenth of the time."""
    page = "<title>t</title><h1>a</h1><p>b <b>c</b><ul><li>d</ul><table><tr><td>e<td>f</table>"
    read_html(page)
    assert count_garbage(page * 50) - count_garbage(page) < 50


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
        ("x.odt", b"", ["soffice --headless --convert-to docx x.odt"]),
        ("x.org", b"", ["pandoc -s x.org -o x.html"]),
        ("", b"%PDF-1.7", ["the input: it is damaged, or not a PDF"]),
        ("", b"PK\x03\x04" + b"\0" * 26 + b"xl/workbook.xml", ["XLSX is not a format"]),
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


def test_an_html_list_is_parsed_as_one_list_with_its_items() -> None:
    """At the end of the pipeline, packing sees the same items as the page has."""
    (found,) = treepack.parse(read_html("<ul><li>a<li>b<li>c</ul>")).root.blocks
    assert isinstance(found, ListBlock)
    assert len(found.items) == 3
