"""The report page loads nothing, and no document can inject anything into it."""

import hashlib
import re
from base64 import b64encode

import pytest
from hypothesis import given, settings
from pages import Page
from report_pages import MANUAL, TIGHT, html_of, page_of, visible_text
from strategies import any_text, configs, generated

from treepack import PackConfig, Source
from treepack.report_page import render
from treepack.report_page.packing import packed

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'-->]]></style></title><script>",
    "{{ 7 * 7 }}{% raw %}",
    "\u202eevil\u2066 \x1b[2J\x07\x00",
    "&lt;b&gt; &amp; &#x202e;",
    "javascript:alert(1)",
)


def test_the_page_loads_runs_and_sends_nothing() -> None:
    """The page may be opened from anywhere, and shows documents that nobody has read."""
    page = page_of(MANUAL)
    policies = [
        each["content"]
        for each in page.attributes("meta")
        if each.get("http-equiv") == "Content-Security-Policy"
    ]
    digest = b64encode(hashlib.sha256(page.style.encode()).digest()).decode()
    expected = (
        f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    )
    assert [expected] == policies
    for word in ("url(", "@import", "http:", "https:", "//"):
        assert word not in page.style


def test_all_links_stay_on_the_page() -> None:
    page = page_of(MANUAL, TIGHT)
    ids = [each["id"] for _, each in page.tags if "id" in each]
    assert len(ids) == len(set(ids))
    for _, attributes in page.tags:
        assert not {"src", "srcset", "action", "data", "poster", "xlink:href"} & set(attributes)
        href = attributes.get("href")
        assert href is None or (href.startswith("#") and href[1:] in ids), href


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_markup_in_a_document_stays_text(hostile: str) -> None:
    """This holds in titles, captions, cells, code and names alike."""
    text = (
        "# {0}\n\n{0}\n\nTable 1: {0}\n\n| {0} | b |\n|---|---|\n| {0} | d |\n\n"
        "```{0}\n{0}\n```\n\n[^1]: {0}\n\n## 1.2 {0}\n\nText.\n"
    ).replace("{0}", hostile)
    html = html_of(text, TIGHT, name=f"{hostile}.md")
    page = Page(html)
    usual = Page(html_of(text.replace(hostile, "kind"), TIGHT, name="kind.md"))
    assert {tag for tag, _ in page.tags} <= {tag for tag, _ in usual.tags} | {"bdi"}
    assert visible_text(text) == visible_text("".join(page.own.values()))
    assert not re.search("[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f]", html)
    assert "49" not in page.own["a0"]


def test_direction_marks_are_isolated_on_the_page() -> None:
    """Such a character in a title could make the rest of the line read backwards."""
    html = html_of("# A \u202eevil\n\nText \u2067more.\n")
    assert html.count("\u202e") == html.count('<bdi class="mark" title="U+202E">\u202e</bdi>')
    assert html.count("\u2067") == html.count('<bdi class="mark" title="U+2067">\u2067</bdi>')
    assert "\u202e" in html


@settings(generated, max_examples=60)
@given(any_text, configs())
def test_the_page_of_any_document_shows_all_of_its_text(text: str, config: PackConfig) -> None:
    packing = packed(Source(text, "x.md"), config)
    html = render(packing)
    html.encode("utf-8")
    page = Page(html)
    skipped = "".join(text[s.span[0] : s.span[1]] for c in packing.leaves for s in c.skipped)
    if packing.leaves:
        shown = visible_text("".join(page.own.values()) + skipped)
        assert sorted(visible_text(text)) == sorted(shown)
