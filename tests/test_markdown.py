"""Markdown becomes blocks that cover it: as markdown-it reads it, and as people write it."""

import json
import os
import re
from ast import literal_eval
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from case_files import case_file, pairs_of
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
from treepack.model.blocks import Block, ListItem, Table, children
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

TEXT_KINDS = {"image": "paragraph", "link_definition": ""}  # definitions have no token
WRITTEN = case_file("read/markdown.json")
KINDS: dict[str, str] = WRITTEN["kinds"]


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
    inner = [(each.start, each.end) for each in children(block)]
    rows = [block.header, *block.rows] if isinstance(block, Table) else []
    for spans in (inner, rows):
        places = [block.start, *(place for span in spans for place in span), block.end]
        assert places == sorted(places)
        assert all(start < end for start, end in spans)
    for each in children(block):
        assert_inside(each)


@generated
@given(any_text)
@example("- a\n\n  [b]: c\n")
@example("\ufeff- item")
def test_any_text_is_read_like_markdown_it_does(text: str) -> None:
    assert_same_as_markdown_it(text)
    assert_covered(text)


@settings(generated, max_examples=2000)
@given(
    st.lists(st.sampled_from(WRITTEN["lines"]), max_size=12).map("\n".join)
    | st.lists(st.sampled_from(WRITTEN["prefixes"]), max_size=24).map("".join)
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
    assert len(cases) > 600
    for text in (case["markdown"] for case in cases):
        assert_same_as_markdown_it(text)
        for variant in (text, f"> {text}".replace("\n", "\n> "), f"- {text}".replace("\n", "\n  ")):
            assert_covered(variant)
    for path in paths[:: 1 if pytestconfig.getoption("--whole-corpus") else 12]:
        text = path.read_text(encoding="utf-8", errors="replace")
        assert blocks_of(text) == blocks_of(text, scan=False)
        assert_covered(text)


HOSTILE: dict[str, Callable[[int], str]] = {
    "link definitions": lambda n: "".join(f"[{number}]: /u\n" for number in range(n)),
    "colons": lambda n: "::: note\n" + (":" * n + " a\n") * 3,
    "open elements": lambda n: "<table><tr><td>x</td></tr>" + "<b>" * n + "</b>" * n + "</table>",
    "closed at the end": lambda n: "<table>\n\n" * n + "</table>\n\n" * n,
    "stars": lambda n: "*" * 380 + f"x\n\n{GFM}\n\n" + "*_" * n + f"\n\n{GFM}\n",
}


def hostile_text(kind: str, size: int) -> str:
    if kind in HOSTILE:
        return HOSTILE[kind](size)
    before, repeated, after = WRITTEN["hostile"][kind]
    return f"{before}{repeated * size}{after}"


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*HOSTILE, *WRITTEN["hostile"]])
def test_hostile_text_is_parsed_with_linear_work(kind: str) -> None:
    assert_linear(lambda n: parse(hostile_text(kind, n), outline="trust"), 500)


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


@pytest.mark.parametrize("text", WRITTEN["titles"])
def test_attributes_and_footnote_marks_are_not_in_a_title(text: str) -> None:
    assert outline(f"## {text}\n\n{text}\n---\n") == [(2, "Lamps on rails")] * 2
    heading = parse(f"# {text}\n\nText.\n").root.sections[0].heading
    assert heading is not None
    assert heading.end == len(f"# {text}"), "they stay in the text"


@pytest.mark.parametrize(("text", "headings"), pairs_of("headings.txt"))
def test_a_text_has_its_headings(text: str, headings: str) -> None:
    assert outline(text) == literal_eval(headings)
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
    text = f"{fence}\n{body}\n{close or fence}\n{REST}"
    assert outline(text) == [(1, "A")], "front matter is never a heading"
    chunks = pack(Source(text, "d.md"))
    assert list(Chunks.from_jsonl(chunks.to_jsonl())) == list(chunks)
    is_skipped = any(left_out.reason == "front matter" for left_out in chunks[0].skipped)
    assert is_skipped == (body[:5] not in chunks[0].text), "it is metadata, or it is text"
    return dict(chunks[0].metadata) if is_skipped else None


@pytest.mark.parametrize(("fence", "body", "values"), WRITTEN["front matter"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_front_matter_becomes_metadata_that_json_can_represent(
    fence: str, body: str, values: dict[str, Any], end: str
) -> None:
    assert metadata(body.replace("\n", end), fence) == values


@pytest.mark.parametrize("close", ["---", "...", "--- abstract", "--- note_Readers"])
def test_front_matter_ends_at_a_rule_even_one_with_the_name_of_a_part(close: str) -> None:
    body = "title: T\nauthor:\n -\n    ins: J\n"
    assert metadata(body, close=close) is not None
    assert ("abstract" in close) == ("abstract" in pack(f"---\n{body}\n{close}\n{REST}")[0].text)


LONG_FRONT_MATTER = [
    *(("---", f"x: 0x{'f' * 6000}"), ("---", f"x: {'1' * 6000}"), ("+++", f"x = {'1' * 6000}")),
    *(("---", f"a: {'[' * 4000}{']' * 4000}"), ("+++", f"x = {'[' * 4000}")),
    *(("---", "a: b\n" + "# much\n" * 2000), ("+++", "# much\n" * 2000)),
    ("---", f"a: {'b' * (LONGEST_FRONT_MATTER - 3)}"),
]


@pytest.mark.parametrize(("fence", "body"), [*WRITTEN["no front matter"], *LONG_FRONT_MATTER])
def test_front_matter_that_json_cannot_represent_stays_in_the_text(fence: str, body: str) -> None:
    assert metadata(body, fence) is None


@pytest.mark.parametrize(("front", "values"), WRITTEN["first front matter"])
def test_front_matter_is_skipped_unless_it_shall_stay(front: str, values: dict[str, Any]) -> None:
    text = f"{front}\n{REST}"
    document = parse(Source(text, metadata={"b": 2}))
    assert document.metadata == {**values, "b": 2}
    assert document.skipped[-1][1:] == (len(front), "front matter")
    assert document.root.blocks == ()
    kept = parse(text, front_matter="text")
    assert kept.metadata == {}
    assert [block.kind for block in kept.root.blocks] == ["front_matter"]


@pytest.mark.parametrize("text", WRITTEN["like front matter"])
def test_text_that_only_looks_like_front_matter_stays_in_the_text(text: str) -> None:
    document = parse(text)
    assert (document.metadata, document.skipped) == ({}, ())
    assert "front_matter" not in [block.kind for block in document.root.blocks]
    assert_covered(text)


JOINED = "---\nurl: /a\n---\n\n# A\n\nText.\n\n{0}\n\n# B\n\nMore text.\n"


@pytest.mark.parametrize("between", WRITTEN["front matter between pages"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_front_matter_of_joined_pages_is_skipped(between: str, end: str) -> None:
    text, small = JOINED.format(between).replace("\n", end), PackConfig(max_tokens=16, min_tokens=0)
    assert outline(text) == [(1, "A"), (1, "B")]
    chunks = pack(text, small)
    assert "/b" not in "".join(chunk.text for chunk in chunks)
    assert audit(text, chunks).ok
    kept = pack(text, small.model_copy(update={"front_matter": "text"}))
    assert "url: /b" in "".join(chunk.text for chunk in kept)


@pytest.mark.parametrize("between", WRITTEN["no front matter between pages"])
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


SCALARS = st.sampled_from(WRITTEN["scalars"])


@given(st.lists(st.tuples(SCALARS, SCALARS), min_size=1, max_size=4), st.sampled_from("-+"))
def test_chunks_with_any_front_matter_survive_a_json_round_trip(
    lines: list[tuple[str, str]], mark: str
) -> None:
    body = "\n".join(f"{key}{' =' if mark == '+' else ':'} {value}" for key, value in lines)
    chunks = pack(Source(f"{mark * 3}\n{body}\n{mark * 3}\n{REST}", "d.md"))
    assert list(Chunks.from_jsonl(chunks.to_jsonl())) == list(chunks)


# -------------------------------------------------------------------- HTML tables

CELLS, SPANS = (st.sampled_from(WRITTEN[kind]) for kind in ("cells", "spans"))


@st.composite
def html_tables(draw: st.DrawFn) -> str:
    """A table that may lack closing tags, as HTML5 allows."""

    def row(*tags: str) -> str:
        chosen = draw(st.lists(st.sampled_from(tags), min_size=1, max_size=4))
        cells = [
            f"<{tag}{draw(SPANS)}>{draw(CELLS)}{draw(st.sampled_from([f'</{tag}>', '']))}"
            for tag in chosen
        ]
        opening = draw(st.sampled_from(["<tr>", "<TR>", "\n  <tr>\n", "<tr>see below "]))
        return opening + "".join(cells) + draw(st.sampled_from(["</tr>", "</tr>\n", ""]))

    head = "".join(row("th") for _ in range(draw(st.integers(0, 2))))
    body = "".join(row("td", "td", "th") for _ in range(draw(st.integers(1, 5))))
    if draw(st.booleans()):
        head, body = f"<thead>{head}</thead>" if head else "", f"<tbody>{body}</tbody>"
    caption = draw(st.sampled_from(["", "<caption>T <i>1</i></caption>"]))
    return f"<table>{caption}{head}{body}</table>"


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
