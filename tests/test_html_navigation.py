"""Menus and links to neighbouring pages are left out of a page, and nothing else is."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treepack.readers.html.reader import read_html

HEAD = """<head><link rel="next" href="n.html"><link rel=prev href=p.html>
<link rel="up contents" href="i.html"><link rel=stylesheet href=s.css></head>"""


def menu(links: int, tag: str) -> str:
    inner = {"ul": "<li>", "p": " | ", "div": " ", "table": "<tr><td>"}[tag]
    items = "".join(f'{inner}<a href="no{n}.html">no{n}</a>' for n in range(links))
    return f"<{tag}>{items}</{tag}>"


MENUS = st.builds(menu, st.integers(2, 9), st.sampled_from(["ul", "p", "div", "table"]))
TEXTS = st.sampled_from(
    [
        "<p>yes, see <a href=other.html>this page</a> and <a href=that.html>that one</a>",
        "<ul><li><a href='#a'>yes</a><li><a href='#b'>to its own parts</a></ul>",
        "<table><tr><td>yes<td>1<tr><td>yes<td>2</table>",
        "<pre>yes</pre>",
    ]
)


@given(above=st.lists(MENUS, max_size=3), texts=st.lists(TEXTS, min_size=1, max_size=4))
def test_menus_above_the_title_are_left_out_and_text_is_kept(
    above: list[str], texts: list[str]
) -> None:
    """Below the title, links like these are content of the page."""
    html = f"<div>{''.join(above)}</div><h1>Title</h1>{''.join(texts)}"
    found = read_html(html).text
    assert "no" not in re.findall(r"no|yes", found)
    assert found.count("yes") == html.count("yes")
    assert "# Title" in found


@given(MENUS, st.sampled_from(["", "<p>Made by hand, 2026.", "<address>J. Doe</address>"]))
def test_a_menu_above_the_text_is_also_left_out_below_it(links: str, imprint: str) -> None:
    """Other lists of links below the text are read, because they may be for further reading."""
    further = "<ul><li><a href=x.html>yes1</a><li><a href=y.html>yes2</a></ul>"
    found = read_html(f"{links}<h1>T</h1><p>text</p>{further}{links}{imprint}").text
    assert re.findall(r"yes\d|no", found) == ["yes1", "yes2"]
    assert all(word in found for word in re.findall(r"\w+", re.sub("<[^>]*>", "", imprint)))


@pytest.mark.parametrize(
    "links",
    [
        "<p>Next: <a href=n.html>no</a>, Up: <a href=i.html>no</a>",
        "<div><div><a href=p.html>no</a></div><div><a href=n.html>no</a></div></div>",
        (
            '<table><tr><td><a accesskey=p href="p.html">no</a><td><a href="i.html">no</a>'
            "<tr><td>no<td>no</table>"
        ),
        "<a href=p.html><img src=p.png alt=no></a> <a href=n.html><img src=n.png alt=no></a><br>",
        (
            "<table><tr><td><a href=p.html>no</a> <a href=n.html>no</a>"
            "<td><a href=i.html>no</a></table>"
        ),
        '<div class="navheader"><b>no</b><a href="x.html">no</a></div>',
        '<div id="nav-path">no</div>',
        "<div class=footer>no</div>",
    ],
)
def test_links_to_neighbouring_pages_are_left_out_above_and_below_the_text(links: str) -> None:
    """The page's head names its neighbours; some generators mark the links with a class or id."""
    html = f"{HEAD}<body><div>{links}</div><h2>Part</h2><p>yes</p><div>{links}</div></body>"
    found = read_html(html).text
    assert found.strip("_\n") == "## Part\n\nyes"


@pytest.mark.parametrize(
    "html",
    [
        # an index: its links are its content
        "<ul><li><a href=a.html>yes</a><li><a href=b.html>yes</a></ul>",
        "<h1>Index</h1><ul><li><a href=a.html>yes</a><li><a href=b.html>yes</a></ul>",
        # a table of contents above the title links into the page
        "<ul><li><a href='#a'>yes</a><li><a href='#b'>yes</a></ul><h1>T</h1>",
        # a single link, and pictures that link to larger versions
        "<p><a href=a.html>yes</a><h1>T</h1>",
        "<p><img alt=yes src=a><a href=a.png>1</a><img alt=yes src=b><a href=b.png>2</a><h1>T</h1>",
        # more words beside the links than a menu has
        "<p>yes: the <a href=a.html>act</a> and the <a href=b.html>rules</a><h1>T</h1>",
        # links below more words than a site's name and description have
        f"<p>yes{' word' * 21}<p><a href=a.html>yes</a> | <a href=b.html>yes</a><h1>T</h1>",
        # two neighbours named in a longer text
        f"{HEAD}<p>yes: see the <a href=n.html>next</a> or the <a href=p.html>last</a>",
        f"{HEAD}<p><a href=n.html>yes{' word' * 60}</a> <a href=p.html>last</a>",
        # text beside such links
        f"{HEAD}<div><p><a href=n.html>next</a> <a href=p.html>last</a></p><p>yes</div>",
        # JavaScript links, which lead to no other page
        "<p><a href='javascript:f()'>yes</a> <a href='javascript:g()'>yes</a><h1>T</h1>",
        # two neighbours among other links, and the same neighbour twice
        (
            f"{HEAD}<p>yes <a href=n.html>a</a><a href=i.html>b</a><a href='#c'>c</a>"
            "<a href=d.html>d</a><a href=e.html>e</a>"
        ),
        f"{HEAD}<p>yes <a href=n.html>a</a> <a href=n.html>b</a>",
        # a footer of one part of the text
        "<article><p>yes<div class=footer>yes</div></article>",
        # a section about footers
        "<div class=section id=footer><h2>footer</h2><p>yes</div>",
    ],
)
def test_other_links_are_kept(html: str) -> None:
    """Whatever may be text is kept: furniture costs a few tokens, lost text costs the answer."""
    assert read_html(html).text.count("yes") == html.count("yes")


def test_a_menu_below_a_linked_site_name_is_left_out() -> None:
    """The site's name is a heading, but the menu below it is not its text."""
    html = """<div><h1><a href="/">Exim</a></h1><ul><li><a href=d.html>Download</a><li>
    <a href=w.html>Wiki</a></ul></div><h1>Chapter 24</h1><p>The name.</p>"""
    assert read_html(html).text == "# Exim\n\n# Chapter 24\n\nThe name.\n"


def test_repeated_links_back_to_the_same_target_are_left_out() -> None:
    """Reports print it on each page; as the only heading with markup, it would hide the others."""
    back = '<h5><a href="#toc">Table of Contents</a></h5>'
    top = '<div><p><a href="#top">Top</a></p></div>'
    html = "".join(f"{back}<h2>Part {n}</h2><p>yes</p>{top}" for n in range(3))
    found = read_html(html).text
    assert "Contents" not in found
    assert "Top" not in found
    assert found.count("yes") == 3


@pytest.mark.parametrize(
    "html",
    [
        # headings that each link back to their own entry, and fewer than three equal links
        "".join(f"<h2><a href='#id{n}'>yes</a></h2><p>yes" for n in range(4)),
        "<h2><a href='#a'>yes</a></h2><p><a href='#a'>yes</a><div><p><a href='#a'>y</a></div>",
        # entries of an index and of a table
        "<ul><li><a href='#a'>yes</a><li><a href='#a'>yes</a><li><a href='#a'>yes</a></ul>",
        (
            "<table><tr><td><a href='#a'>yes</a><td>1<tr><td><a href='#a'>yes</a><td>2"
            "<tr><td><a href='#a'>yes</a><td>3</table>"
        ),
        # links to another page
        (
            "<p>yes: <a href='#a'>yes</a> <a href='#a'>yes</a> <a href='#a'>yes</a>"
            "<p><a href=a.html>yes</a><p><a href=a.html>yes</a><p><a href=a.html>yes</a>"
        ),
        # links inside a text
        "<p>yes: <a href='#a'>yes</a><p>yes: <a href='#a'>yes</a><p>yes: <a href='#a'>yes</a>",
    ],
)
def test_other_links_within_the_page_are_kept(html: str) -> None:
    """Their text names what is at the target."""
    assert read_html(html).text.count("yes") == html.count("yes")
