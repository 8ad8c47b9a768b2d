"""Parts of a page that generators mark by class or id are left out, and nothing else is."""

import pytest

from treepack.readers.html.reader import read_html


@pytest.mark.parametrize(
    "part",
    [
        '<div class="navheader"><b>no</b><a href="x.html">no</a></div>',
        '<div id="nav-path">no</div>',
        "<div class=footer>no</div>",
    ],
)
def test_marked_parts_are_left_out_above_and_below_the_text(part: str) -> None:
    """Old pages and some generators mark navigation with a class or id."""
    found = read_html(f"<body>{part}<h2>Part</h2><p>yes</p>{part}</body>").text
    assert found == "## Part\n\nyes\n"


@pytest.mark.parametrize(
    "html",
    [
        "<ul><li><a href=a.html>yes</a><li><a href=b.html>yes</a></ul>",
        # a footer of one part of the text
        "<article><p>yes<div class=footer>yes</div></article>",
        # a section about footers
        "<div class=section id=footer><h2>footer</h2><p>yes</div>",
    ],
)
def test_other_parts_are_kept(html: str) -> None:
    """Whatever may be text is kept: furniture costs a few tokens, lost text costs the answer."""
    assert read_html(html).text.count("yes") == html.count("yes")
