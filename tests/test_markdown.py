"""Markdown becomes blocks that cover it: as markdown-it reads it, and as people write it."""

import json
import os
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from function_calls import assert_linear
from hypothesis import example, given, settings
from hypothesis import strategies as st
from justhtml import JustHTML
from markdown_it import MarkdownIt
from mdit_py_plugins.admon import admon_plugin
from mdit_py_plugins.container import container_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from strategies import any_text, generated
from table_pieces import GFM

from treepack import Chunks, PackConfig, Source, audit, pack, parse
from treepack.markdown.front_matter import LONGEST_FRONT_MATTER
from treepack.markdown.html_tables import plain_html, read_tables
from treepack.markdown.markdown_it import parse_blocks
from treepack.model.blocks import Block, ListItem, children
from treepack.model.source import BYTE_ORDER_MARK, LINE_END

CORPUS = os.environ.get("TREEPACK_CORPUS", "")
SUFFIXES = {".md", ".mdx", ".txt"}
DEEPEST = 20  # levels


def blocks_of(text: str, *, scan: bool = True) -> list[Block]:
    return parse_blocks(Source(text), lambda _start, _end: 0, scan=scan)


def outline(text: str, **settings: Any) -> list[tuple[int, str]]:  # noqa: ANN401 - settings
    """Return the levels and titles of a text."""
    sections = parse(text, outline="trust", **settings).root.walk()
    return [(each.heading.level, each.heading.text) for each in sections if each.heading]


# -------------------------------------------------------------------- as markdown-it reads it

KINDS = {
    "heading_open": "heading", "table_open": "table", "paragraph_open": "paragraph",
    "bullet_list_open": "list", "ordered_list_open": "list", "blockquote_open": "quote",
    "fence": "code", "code_block": "code", "hr": "thematic_break", "math_block": "math",
    "math_block_label": "math", "footnote_reference_open": "footnote", "html_block": "html",
    "container_container_open": "container", "admonition_open": "container",
}  # fmt: skip
TEXT_KINDS = {"image": "paragraph", "link_definition": ""}  # definitions have no token
SAMPLE_LINES = (
    "", " ", "\t", "text", "  text", "    text", "\ttext", "Text | with", "a | b", "| a | b |",
    "|---|---|", "--- | ---", ":-:", "-|", "---", "===", "= =", "***", "# head", "#head", "####",
    "  ## head ##", "- item", "* ", "1. one", "2) two", "  - nested", "    - deep", "> quote", ">",
    "> - both", "```", "~~~~", "``` info", "  ```", "<div>", "</div>", "<!-- c", "-->", "<b>x</b>",
    "[ref]: /url", "[ref]:", "/url 'title'", "'title'", "[^1]: note", "[^1]:", "$$", "$$ x $$",
    "$$ (label)", "!!! note", '??? tip "T"', "::: box", ":::", "\u00a0", "\x0c", "\u2028x",
    "a\\|b | c", "`a|b` | c", "(plain)", "'quoted'", "\\# no", "& x", ".", "é", "_x_", "+", "1.",
    "12", "漢字", "- a | b", "- [ ] task", "- **bold**", "- - -", "- ```", "2. two", "1. a", "-x",
    "   in", "     deeper", "    - d", "10. ten", "1.    far", "1.5 mm", "1984 was", "[x", "y]: u",
    "- [a]: /u", "# a | b", "`c` d", "#5", "!x", "?y", "$5", "| t", "* s", "  - other", "-\t tab",
    '<a name="x"></a> text', "<b>x</b> y", "</span>", "<br>", "<i", "<sub>2", "<img alt='>'> z",
    "    code | x", "     \x0c", "   \tcode", "<a>  ", "<table", '<a href="/u">\t.',
    "= x", "== = y", "===x", " ** [b] **", "**", "** ", "2.\u00a0\u00a0x", "| - |", "| t |", "````",
    "<DIV>", "<div class='x'>a | b", "<hr/>", "<!-- a --> b", "<!-->", "<!-- a | b -->", "</p",
    "    x |", '[b c]: #x "T"', '[B  c]: /u "t" t', "# [a] [b c] [ref]", "[ ]: /u",
    "[ref]: https://a.b", "\n" * 20,
)  # fmt: skip
PREFIXES = ("> ", ">", "> > ", "> > > ", "- ", "1. ", "  ", "    ", "\t", "a", "\n", "\n", "```",
            "# ", "---", "<div>", "[^1]: ", "[a]: b", "::: x", "\na\na\n> a\na\n")  # fmt: skip


@cache
def reference() -> MarkdownIt:
    """Return a parser with the rules of treepack, and nothing else of it."""
    parser = MarkdownIt("commonmark", {"maxNesting": DEEPEST}).enable("table")
    parser.use(footnote_plugin, inline=False, move_to_end=False)
    parser.use(dollarmath_plugin)
    parser.use(admon_plugin)
    return parser.use(container_plugin, "container", validate=lambda _params, _markup: True)


def as_markdown_it_reads(text: str) -> list[tuple[str, int]]:
    """Return the kinds and first lines of the blocks at the top level."""
    # CommonMark treats all line ends alike, and a byte order mark is not text.
    plain = LINE_END.sub("\n", text.removeprefix(BYTE_ORDER_MARK))
    state: list[Any] = []
    reference().block.parse(plain + "\n", reference(), {}, state)
    lines = plain.split("\n")
    return [
        (KINDS[token.type], token.map[0])
        for token in state
        if token.level == 0 and token.nesting >= 0 and token.type in KINDS
        if "".join(lines[slice(*token.map)]).strip()  # a form feed alone is no block
    ]


def assert_same_as_markdown_it(text: str) -> None:
    """Both see the same blocks, with the scanner and without it."""
    source = Source(text)
    scanned = blocks_of(text)
    assert scanned == blocks_of(text, scan=False)
    if re.search(r"[|<]|---\s+\w+:", text):
        return  # then treepack finds more tables and headings, or metadata
    found = [(TEXT_KINDS.get(b.kind, b.kind), source.line_at(b.start)) for b in scanned]
    assert [each for each in found if each[0]] == as_markdown_it_reads(text)


def assert_covered(text: str) -> None:
    """Each visible character is in exactly one block, and inner blocks are inside outer ones."""
    at = 0
    for block in blocks_of(text):
        assert not text[at : block.start].replace(BYTE_ORDER_MARK, "").strip()
        assert text[block.start : block.end].rstrip() == text[block.start : block.end] != ""
        assert_inside(block)
        at = block.end
    assert not text[at:].replace(BYTE_ORDER_MARK, "").strip()


def assert_inside(block: Block | ListItem) -> None:
    at = block.start
    for inner in children(block):
        assert at <= inner.start < inner.end <= block.end
        assert_inside(inner)
        at = inner.end


@generated
@given(any_text)
def test_any_text_is_read_like_markdown_it_does(text: str) -> None:
    assert_same_as_markdown_it(text)
    assert_covered(text)


@settings(generated, max_examples=2000)
@given(
    st.lists(st.sampled_from(SAMPLE_LINES), max_size=12).map("\n".join)
    | st.lists(st.sampled_from(PREFIXES), max_size=24).map("".join)
)
@example("a\n| b |\n|---|\n| c |\n# d")
@example("# a | b\n--|--\n| c |")
@example("- a\n\n      code\n- b\nlazy")
@example("1. a\n   - b\n\n   text\n2. c\n5) d")
@example("- | a |\n  |---|\n  | b |\n\n  | c |\n")
@example("> > > a\nb\n      ```\nc\n> d\ne\n")
@example("- > > > a\nb\n>\tc\n  > - d\ne\n")
def test_lines_in_any_order_are_read_like_markdown_it_does(text: str) -> None:
    assert_same_as_markdown_it(text)
    assert_covered(text)


@pytest.mark.slow
@pytest.mark.skipif(not CORPUS, reason="TREEPACK_CORPUS names no folder")
def test_corpus_is_read_the_same_with_and_without_the_scanner(pytestconfig: pytest.Config) -> None:
    """A document in twelve is read; with --whole-corpus, all of them."""
    paths = [path for path in sorted(Path(CORPUS).rglob("*")) if path.suffix in SUFFIXES]
    cases = json.loads(Path(CORPUS, "conformance", "commonmark-0.30.json").read_text("utf-8"))
    for case in cases:
        assert_same_as_markdown_it(case["markdown"])
    for path in paths[:: 1 if pytestconfig.getoption("--whole-corpus") else 12]:
        text = path.read_text(encoding="utf-8", errors="replace")
        assert blocks_of(text) == blocks_of(text, scan=False)
        assert_covered(text)


HOSTILE: dict[str, Callable[[int], str]] = {
    "lazy lines of nested quotes": lambda n: "> " * DEEPEST + "x\n" + "> x\n" * n,
    "lists in quotes": lambda n: "> - a\n" * n,
    "nested lists": lambda n: "- " * 10 + "x\n" + "  - y\n" * n,
    "fences in items": lambda n: "- a\n\n  ~~~x\n\ntext\n\n" * (n // 6),
    "link definitions": lambda n: "".join(f"[{number}]: /u\n" for number in range(n)),
    "open titles": lambda n: "[a]: /u 'open\n" * n,
    "open math": lambda n: "$$ a\n\n" * n,
    "colons": lambda n: "::: note\n" + (":" * n + " a\n") * 3,
    "open labels": lambda n: "[^" * n,
    "braces": lambda n: "# a " + "{" * n + "}",
    "open headings": lambda n: "<div>\n" + "<h2>a\n" * n,
    "headings of HTML": lambda n: "<div>\n" + "<b><h2>a</h2></b>\n" * (n // 8),
    "rules": lambda n: "---\na: b\n" * n,
    "rules over headings": lambda n: "x\n---\n\n\n" * n + "# a",
    "open front matter": lambda n: "---\n" + "a: b\n" * n,
    "open tables": lambda n: "<table>\n" * n,
    "open tables apart": lambda n: "<table>\n\n" * n,
    "open cells": lambda n: "<table><tr>" + "<td>" * n + "</table>",
    "open elements": lambda n: "<table><tr><td>x</td></tr>" + "<b>" * n + "</b>" * n + "</table>",
    "open comments": lambda n: "<table>" + "<!-- " * n,
    "open tags": lambda n: "<table><tr><td>x</td></tr>" + "<a b='" * n + "</table>",
    "quotes": lambda n: "<table><tr><td " + "\"'" * n + "></table>",
    "closed at the end": lambda n: "<table>\n\n" * n + "</table>\n\n" * n,
    "spans": lambda n: "<table>" + "<tr><td rowspan=999 colspan=999>x" * (n // 4) + "</table>",
    "captions": lambda n: f"Table 1: x\n\n{GFM}\n\n" * (n // 8),
    "stars": lambda n: "*" * 380 + f"x\n\n{GFM}\n\n" + "*_" * n + f"\n\n{GFM}\n",
    "pipes": lambda n: "|a|b|\n|-|-|\n" + "|" * n,
    "missing cells": lambda n: "a|b\n-|-\n" + "a\n" * n,
    "attributes": lambda n: "|a|\n|-|\n|x|\n{:" + " title=" * n + "}",
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_text_is_parsed_with_linear_work(kind: str) -> None:
    assert_linear(lambda n: parse(HOSTILE[kind](n), outline="trust"), 500)


@pytest.mark.parametrize(("marker", "levels"), [("> ", 6), ("- ", DEEPEST // 2)])
def test_containers_nest_up_to_a_limit_and_deeper_ones_are_text(marker: str, levels: int) -> None:
    text = f"{marker * 25}x"
    block: Block | ListItem = blocks_of(text)[0]
    depth = 0
    while inner := children(block):
        depth += block.kind in {"quote", "list"}
        block = inner[0]
    assert (depth, block.kind, block.end) == (levels, "paragraph", len(text))


# -------------------------------------------------------------------- headings


@pytest.mark.parametrize(
    "content",
    ["{0} {{#lamps}}", "{0} {{.unnumbered}}", "{0} {{-}}", "{0} {{: #lamps .a }}", "*{0}*[^two]",
     '{0} {{#a .b c="d e"}}', "{0} {{key=val}}", "{0} {{/* #lamps */}}", "{0}[^1] {{#lamps}}"],
)  # fmt: skip
def test_attributes_and_footnote_marks_are_not_in_a_title(content: str) -> None:
    text = content.format("Lamps on rails")
    assert outline(f"## {text}\n\n{text}\n---\n") == [(2, "Lamps on rails")] * 2
    heading = parse(f"# {text}\n\nText.\n").root.sections[0].heading
    assert heading is not None
    assert heading.end == len(f"# {text}"), "they stay in the text"


@pytest.mark.parametrize(
    ("content", "title"),
    [("The set `[^abc]`", "The set [^abc]"), ("GET /a/{id}", "GET /a/{id}"), ("[^1]", "[^1]"),
     ("A {{ name }}", "A {{ name }}"), ("The {a, b}", "The {a, b}"), ("{#lamps}", "{#lamps}"),
     ("**Opt\\-In <b>R</b>**", "Opt-In R"), ('<a name="x"></a>a &amp; b_c', "a & b_c")],
)  # fmt: skip
def test_a_title_is_the_plain_text_of_its_heading(content: str, title: str) -> None:
    assert outline(f"# {content}\n\nText.\n") == [(1, title)]


@pytest.mark.parametrize(
    ("html", "titles"),
    [
        ("<h2>A</h2>", ["A"]),
        ("</ul>\n<h2 id=x>A</h2>\n<div>\n<p>b</p>", ["A"]),
        ("<h2>A</h2>\ntext below", ["A"]),
        ("<h2>A</h2> <!-- h3: <h3>no</h3> -->", ["A"]),
        ("<div align=center>\n  <h1>A<br>b</h1>\n</div>", ["A b"]),
        ("<details>\n<summary><h3>A &amp; <i>b</i></h3></summary>\nc", ["A & b"]),
        ("<p>x</p><H2\nid='y'>A</H2><h3>B</h3>", ["A", "B"]),
        ("<div>\n<h2>A\n</div>", []),
        ("<div>\n<h2><img src=a></h2>\n</div>", []),
        ("<pre>\n<h2>no</h2>\n</pre>", []),
        ("<div><code><h2>no</h2></code></div>", []),
        ("<script>\n'<h2>no</h2>'\n</script>", []),
        ("<table><tr><td><h2>no</h2></td></tr></table>", []),
        ("<table>\n\n<tr><td>\n\n<h2>no</h2>\n\n</td></tr>\n\n</table>", []),
        ("> <h2>no</h2>", []),
        ("```\n<h2>no</h2>\n```", []),
    ],
)
def test_a_heading_in_a_block_of_html_is_a_heading(html: str, titles: list[str]) -> None:
    text = f"Before.\n\n{html}\n\nAfter.\n"
    assert [title for _, title in outline(text)] == titles
    assert_covered(text)
    for limits in (PackConfig(max_tokens=16, min_tokens=0), PackConfig()):
        assert audit(text, pack(text, limits), limits).ok


def test_tags_without_text_around_a_heading_stand_with_it() -> None:
    text = "Before.\n\n<div><b>\n<h1>A</h1>\n</b></div>\n<p>Text.</p>\n"
    (section,) = parse(text).root.sections
    assert section.heading is not None
    assert text[section.heading.start : section.heading.end] == "<div><b>\n<h1>A</h1>\n</b></div>"


# -------------------------------------------------------------------- front matter

REST = "\n# A\n\nSome text that says a thing or two.\n"


def metadata(body: str, fence: str = "---", close: str = "") -> dict[str, Any] | None:
    """Return the metadata that front matter becomes; None if it stays in the text."""
    chunks = pack(Source(f"{fence}\n{body}\n{close or fence}\n{REST}", "d.md"))
    assert list(Chunks.from_jsonl(chunks.to_jsonl())) == list(chunks)
    is_skipped = any(left_out.reason == "front matter" for left_out in chunks[0].skipped)
    assert is_skipped == (body[:5] not in chunks[0].text), "it is metadata, or it is text"
    return dict(chunks[0].metadata) if is_skipped else None


@pytest.mark.parametrize(
    ("fence", "body", "values"),
    [
        ("---", "title: T\ntags: [a, 2, 2.5, yes, ~]",
         {"title": "T", "tags": ["a", 2, 2.5, True, None]}),
        ("---", "day: 2024-01-31\nat: 2024-01-31T10:00:00Z",
         {"day": "2024-01-31", "at": "2024-01-31T10:00:00Z"}),
        ("---", "2024: a\non: push\n~: n\n1.0: f",
         {"2024": "a", "on": "push", "~": "n", "1.0": "f"}),
        ("---", "<<: {a: 1}\nb: =", {"<<": {"a": 1}, "b": "="}),
        ("---", 'x: !!int "3"\ny: !!str 3\nz: "3"', {"x": 3, "y": "3", "z": "3"}),
        ("---", "x: .nan\ny: -.inf\nz: 1.0e+999", {"x": "nan", "y": "-inf", "z": "inf"}),
        ("---", f"x: {2**63}\ny: {-(2**63)}", {"x": str(2**63), "y": -(2**63)}),
        ("+++", "a.b.c = 1\n[d]\ne = true", {"a": {"b": {"c": 1}}, "d": {"e": True}}),
        ("+++", "x = nan\nd = 2024-01-31\nt = 10:00:00",
         {"x": "nan", "d": "2024-01-31", "t": "10:00:00"}),
        ("+++", "z = 2024-01-31T10:00:00Z", {"z": "2024-01-31T10:00:00+00:00"}),
    ],
)  # fmt: skip
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_front_matter_becomes_metadata_that_json_can_represent(
    fence: str, body: str, values: dict[str, Any], end: str
) -> None:
    assert metadata(body.replace("\n", end), fence) == values


@pytest.mark.parametrize("close", ["---", "...", "--- abstract", "--- note_Readers"])
def test_front_matter_ends_at_a_rule_even_one_with_the_name_of_a_part(close: str) -> None:
    text = f"---\ntitle: T\nauthor:\n -\n    ins: J\n\n{close}\n{REST}"
    assert metadata("title: T\nauthor:\n -\n    ins: J\n", close=close) is not None
    assert outline(text) == [(1, "A")]
    assert ("abstract" in close) == ("abstract" in pack(text)[0].text)


@pytest.mark.parametrize(
    ("fence", "body"),
    [("---", body) for body in (
        "x: !!bool abc", "x: !!int abc", "x: !!timestamp abc", "x: !!binary '*'",
        "x: !!set {a, b}", "x: !!pairs [a: 1]", "x: !!python/object:os.system {}", "x: !mine 1",
        "x: !!map a", "x: !!seq {}", "x: !!str [a]", "x: &a 1\ny: *a", "x: &a [*a]",
        "x: &a {b: 1}\ny:\n  <<: *a", "a: 1\na: 2", "k: 1\n? [a, b]\n: c", 'x: "\\ud800"',
        "x: \ud800", "x: a\0b", f"x: 0x{'f' * 6000}", f"x: {'1' * 6000}",
        "a: " + "[" * 50 + "]" * 50, "a: " + "[" * 4000 + "]" * 4000, "a: b\n" + "# much\n" * 2000,
        f"a: {'b' * (LONGEST_FRONT_MATTER - 3)}",
    )]
    + [("+++", body) for body in (
        "[" + ".".join(["a"] * 40) + "]", 'x = "\ud800"', "x = " + "[" * 4000,
        f"x = {'1' * 6000}", "a = 1\na = 2", "x = 2024-13-31", "# much\n" * 2000,
    )],
)  # fmt: skip
def test_front_matter_that_json_cannot_represent_stays_in_the_text(fence: str, body: str) -> None:
    assert metadata(body, fence) is None


JOINED = "---\nurl: /a\n---\n\n# A\n\nText.\n\n{0}\n\n# B\n\nMore text.\n"


@pytest.mark.parametrize(
    "between",
    [
        "---\nurl: /b\n---",
        "---\n\nurl: /b\n---",
        "---\n\n---\ntitle: B\nurl: /b\ntags:\n  - a\n  - b\n---",
        "---\ndescription: >\n  long\nurl: /b\n---",
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_front_matter_of_joined_pages_is_skipped(between: str, end: str) -> None:
    text = JOINED.format(between).replace("\n", end)
    assert outline(text) == [(1, "A"), (1, "B")]
    chunks = pack(text, PackConfig(max_tokens=16, min_tokens=0))
    assert "/b" not in "".join(chunk.text for chunk in chunks)
    assert audit(text, chunks).ok
    kept = pack(text, PackConfig(max_tokens=16, min_tokens=0, front_matter="text"))
    assert "url: /b" in "".join(chunk.text for chunk in kept)


@pytest.mark.parametrize(
    "between",
    [
        "---\nNote: take care\n---",
        "---\n\nurl: /b\n\n---",
        "---\nurl: [/b\n---",
        "---\nurl: /b\n---\n\nNo heading.",
        "~~~\nx\n---\nurl: /b\n---\n\n# C\n~~~",
    ],
)
def test_text_between_rules_that_is_no_front_matter_stays(between: str) -> None:
    text = JOINED.format(between)
    assert outline(text) == [(1, "A"), (1, "B")]
    assert ("/b" in between) == ("/b" in "".join(chunk.text for chunk in pack(text)))


def test_the_size_of_records_is_proportional_to_the_text() -> None:
    """Repeated in each chunk, long metadata once made records grow with the square of the text."""
    body = "The pump shall stop at once, when the pressure exceeds 16 bar.\n\n" * 2000
    for size in (9_000, 100_000):
        text = f"---\na: {'b' * size}\n---\n\n{body}\n"
        records = pack(Source(text, "d.md"), PackConfig(max_tokens=256)).to_jsonl()
        assert len(records) < 50 * len(text)


SCALARS = st.sampled_from([
    "a", "", "~", "yes", "-0", "0o7", "0x1F", "1_000", "190:20:30", "-.inf", ".nan", "1.0e+9",
    "2024-01-31", "<<", "=", "*a", "'a: b'", '"\\ud800"', "|\n  a", "#", "&a 1", "@", "- a", "? a",
    "[", "}", "\u2028", "\x85", "\0", "99999999999999999999", "!!set {a}", "!!str 1", "!<a> b",
    "[a, {b: .nan}]", "{a: [2024-01-31]}", "!!binary aGk=", '"""\na"""', "10:00:00",
])  # fmt: skip


@given(st.lists(st.tuples(SCALARS, SCALARS), min_size=1, max_size=4), st.sampled_from("-+"))
def test_chunks_with_any_front_matter_survive_a_json_round_trip(
    lines: list[tuple[str, str]], mark: str
) -> None:
    body = "\n".join(f"{key}{' =' if mark == '+' else ':'} {value}" for key, value in lines)
    chunks = pack(Source(f"{mark * 3}\n{body}\n{mark * 3}\n{REST}", "d.md"))
    assert list(Chunks.from_jsonl(chunks.to_jsonl())) == list(chunks)


# -------------------------------------------------------------------- HTML tables

CELLS = st.sampled_from([
    "1", "16 bar<br>17 bar", "<b>k</b> &amp; l", "漢字", "a &lt; b", "<ul><li>x<li>y</ul>",
    "<p>one<p>two", "<!-- </td><td> -->z", "<a title='x > y'>z</a>", "&nbsp;", "",
    "<table><tr><td>in<td>ner</table>",
])  # fmt: skip
SPANS = st.sampled_from(["", "", "", " colspan=2", ' rowspan="3"', " COLSPAN = '3' class=x"])


@st.composite
def html_tables(draw: st.DrawFn) -> str:
    """A table that may lack closing tags, as HTML5 allows."""

    def row(tags: tuple[str, ...]) -> str:
        cells = [
            f"<{tag}{draw(SPANS)}>{draw(CELLS)}{draw(st.sampled_from([f'</{tag}>', '']))}"
            for tag in draw(st.lists(st.sampled_from(tags), min_size=1, max_size=4))
        ]
        opening = draw(st.sampled_from(["<tr>", "<TR>", "\n  <tr>\n", "<tr>see below "]))
        return opening + "".join(cells) + draw(st.sampled_from(["</tr>", "</tr>\n", ""]))

    head = "".join(row(("th",)) for _ in range(draw(st.integers(0, 2))))
    body = "".join(row(("td", "td", "th")) for _ in range(draw(st.integers(1, 5))))
    if draw(st.booleans()):
        head, body = f"<thead>{head}</thead>" if head else "", f"<tbody>{body}</tbody>"
    return (
        f"<table>{draw(st.sampled_from(['', '<caption>T <i>1</i></caption>']))}{head}{body}</table>"
    )


def own(node: Any, names: set[str]) -> list[Any]:  # noqa: ANN401 - the parser's tree has no types
    """Return a table's elements, but not those of tables in its cells."""
    found: list[Any] = []
    for child in node.children or ():
        found += [child] if child.name in names else []
        found += own(child, names) if child.name in {"thead", "tbody", "tfoot"} else []
    return found


@given(html_tables())
@example("<table><tr><td>a<td>b<tr><td>c</table>")
@example("<table><thead><tr><th>a</thead><tbody><tr><td><table><tr><td>b</table></table>")
def test_html_tables_are_read_like_an_html5_parser_does(html: str) -> None:
    def span(cell: Any, name: str) -> int:  # noqa: ANN401 - as above
        return max(1, int((cell.attrs or {}).get(name) or 1))

    def plain(node: Any) -> str:  # noqa: ANN401 - as above
        return " ".join(node.to_text(separator=" ").split())

    tree = JustHTML(html).query("table")[0]
    expected = [
        [(plain(cell), cell.name == "th", span(cell, "colspan"), span(cell, "rowspan"))
         for cell in own(row, {"td", "th"})]
        for row in own(tree, {"tr"})
    ]  # fmt: skip
    found = read_tables(html, 0, len(html))
    if not found:  # a table of nothing but header rows is no table for the packer
        assert all(is_header for _, is_header, _, _ in expected[-1])
        return
    assert expected == [
        [(plain_html(html, *cell.content), cell.is_header, cell.columns, cell.rows)
         for cell in row.cells]
        for row in (*found[0].header_rows, *found[0].rows)
    ]  # fmt: skip
    captions = [plain(caption) for caption in own(tree, {"caption"})]
    assert plain_html(html, *(found[0].caption or (0, 0))) == "".join(captions)
