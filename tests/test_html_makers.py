"""HTML that generators write in ways of their own becomes the block that it represents."""

import pytest

from treepack.readers.html.reader import read_html


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (  # Doxygen's listings, with line numbers and tooltips
            (
                '<div class="fragment"><div class="line"><i class="lineno">1</i>int a;</div>\n'
                '<div class="line">  <span>int</span> b;</div>\n'
                '<div class="ttc">a: int</div></div>'
            ),
            "```\nint a;\n  int b;\n```\n",
        ),
        (  # a heading in a row of its own
            (
                "<table><tr><td colspan=2><h2>Types</h2><tr><td>int<td>size<tr><td><td>In bytes."
                "<tr><td><h2>Functions</h2><tr><td>void<td>run()</table>"
            ),
            (
                "## Types\n\n|  |  |\n| --- | --- |\n| int | size |\n|  | In bytes. |\n\n"
                "## Functions\n\n|  |  |\n| --- | --- |\n| void | run() |\n"
            ),
        ),
        (  # headings beside text, and above more than short text: the table is only layout
            "<table><tr><td><h2>A</h2><td>text<tr><td>b<td>c</table>",
            "## A\n\ntext\n\nb\n\nc\n",
        ),
        (
            "<table><tr><td><h2>A</h2><tr><td>menu<td><ul><li>b</ul></table>",
            "## A\n\nmenu\n\n- b\n",
        ),
        (
            "<table><tr><td><h2>A</h2><tr><td>text<tr><td>more</table>",
            "## A\n\ntext\n\nmore\n",
        ),
        (  # the separator that docutils leaves to its style sheet
            '<dl><dt><strong>m</strong><span class="classifier">array</span><dd>A matrix.</dl>',
            "- **m : array**\n\n  A matrix.\n",
        ),
        (
            "<dl><dt>m <span class=classifier-delimiter>:</span> <i class=classifier>int</i><dd>A.",
            "- **m : int**\n\n  A.\n",
        ),
        (  # titles of Doxygen's and Haddock's pages
            (
                '<div class=header><div class="headertitle"><div class="title">A Class</div></div>'
                '</div><h2 class="groupheader">Members</h2><h2 class="memtitle">f()</h2><p>x'
            ),
            "# A Class\n\n## Members\n\n### f()\n\nx\n",
        ),
        ('<div id="module-header"><p class="caption">Data.List</p></div>x', "# Data.List\n\nx\n"),
    ],
)
def test_html_of_generators_becomes_the_blocks_that_it_represents(html: str, expected: str) -> None:
    """A few generators write most API documentation; these cases lack the HTML tags that fit."""
    assert read_html(html).text == expected
