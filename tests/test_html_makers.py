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
        (  # Doxygen's declarations
            (
                '<div class="memproto"><div class="memtemplate">template&lt;T&gt;</div>'
                '<table class="mlabels"><tr><td><table class="memname"><tr><td>void A::f<td>('
                "<td>int\n&nbsp;<td><em>a</em>, <tr><td><td><td>bool&nbsp;<td>b<tr><td><td>)<td>"
                '</table><td><span class="mlabel">inline</span><span class="mlabel">static</span>'
                "</table></div>"
            ),
            "```\ntemplate<T>\nvoid A::f (int a,\nbool b\n)\n[inline] [static]\n```\n",
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
        (  # Javadoc's tables
            (
                '<div class="caption"><span>Methods</span></div>\n'
                '<div class="summary-table two-column-summary">\n'
                '<div class="table-header col-first">Method</div>\n'
                '<div class="table-header col-last">What it does</div>\n'
                '<div class="col-first even"><code>run()</code></div>\n'
                '<div class="col-last even"><div class="block">Runs.</div></div>\n'
                '<div class="col-first odd">stop()</div><div class="col-last odd"></div></div>'
            ),
            (
                "*Methods*\n\n| Method | What it does |\n| --- | --- |\n| `run()` | Runs. |\n"
                "| stop() |  |\n"
            ),
        ),
        # nothing is lost if the element turns out not to be a table
        ("<div class='summary-table'>a<div class='col-first'>b</div></div>", "a\n\nb\n"),
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
