"""The inline content of a page: formulas, pictures, superscripts and bold text."""

import pytest

from treepack.readers.html.reader import read_html


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a <math alttext='x^2'><mi>x</mi></math> b", "a $x^2$ b\n"),
        (
            "<p>a <math><mi>x</mi><annotation encoding='application/x-tex'>y_1</annotation></math>",
            "a $y_1$\n",
        ),
        ("<p>a <math><mi>x</mi>\n<mo>+</mo></math> b", "a x + b\n"),
        ("<p>cost <math alttext='a$b'><mi>x</mi></math>", "cost `a$b`\n"),
        ("<p>see<sup>(1)</sup> and<sup></sup> x<sub> </sub>y", "see(1) and xy\n"),
        ("<p>a <img src=a.png> b", "a b\n"),
        ("<p>a <img src='data:image/png;base64,AA' alt='A plan'> b", "a ![A plan]() b\n"),
        ("<figure><p>a<img src=b.png></p></figure>", "a\n\n![](b.png)\n"),
        ("<h1>A<img src=a.png alt=b></h1>", "# A![b](a.png)\n"),
        ("<p style='font-weight:bold'>Note</p><p>text", "**Note**\n\ntext\n"),
        ("<div style='font-weight: 700'><p>x</p></div>", "**x**\n"),
        ("<p><b>a<div>b</div>c</b>", "**a**\n\n**b**\n\n**c**\n"),
        ("<p><b>a <img src=x alt=y> <code>z</code></b>", "a ![y](x) `z`\n"),
        ("<blockquote><h2>T</h2>a</blockquote>", "## T\n\na\n"),
        ("<dl><dt><h3>T</h3><dd>x</dl>", "**T**\n\nx\n"),
        ("<dl><dt></dt><dd>x</dl>", "- x\n"),
        ("<h1>A</h1><h2></h2><p>x", "# A\n\nx\n"),
        ("<p>a `b` <code>``c</code>", "a \\`b\\` ``` ``c ```\n"),
        ("<p>![x](y) **a** &amp;amp; R&amp;D;", "![x\\](y) \\*\\*a\\*\\* \\&amp; R&D;\n"),
        ("<ol type=a start=0><li>x<li>y</ol>", "- 0\\. x\n- a. y\n"),
        ("<p>[a]: b", "\\[a]: b\n"),
        ("<p>5 * 3 and <span>_x `q</span>", "5 * 3 and _x `q\n"),
        ("<h1>5.4 cron.*</h1>", "# 5.4 cron.*\n"),
    ],
)
def test_inline_markup_becomes_markdown(html: str, expected: str) -> None:
    assert expected == read_html(html).text


def test_a_cell_keeps_pictures_code_and_formulas() -> None:
    cells = "<code>c</code> <sup>2</sup> <math alttext='q'></math> <a href=u>l</a>"
    page = f"<table><tr><th>a<th>b<tr><td><img src=p.png alt=P><td>{cells}</table>"
    assert "| ![P](p.png) | `c` <sup>2</sup> $q$ l |\n" in read_html(page).text


def test_a_bold_cell_is_bold_as_a_whole_and_loses_pictures_without_words() -> None:
    cell = "<b>a <i>d</i> <code>z</code></b><img src=x.png>"
    page = f"<table><tr><th>A<th>B<tr><td>{cell}<td>e</table>"
    assert "| **a d z** | e |\n" in read_html(page).text


def test_a_table_inside_a_cell_becomes_lines_of_the_cell() -> None:
    inner = "<table><tr><td>a<td>b<tr><td>c<td>d</table>"
    assert "| a; b<br>c; d | e |\n" in read_html(f"<table><tr><td>{inner}<td>e</table>").text
