"""Scanner and parser take shortcuts, and still find the same blocks as markdown-it alone."""

import json
import os
import re
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest
from function_calls import calls
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.admon import admon_plugin
from mdit_py_plugins.container import container_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from strategies import any_text, generated

from treepack import Source
from treepack.markdown import block_tokens, scanner
from treepack.markdown.block_tokens import BlockTokenizer, plain_text
from treepack.markdown.lines import Lines
from treepack.markdown.markdown_it import parse_blocks
from treepack.markdown.rules import MAX_NESTING, parser_for
from treepack.model.blocks import Block, BlockQuote, ListBlock, ListItem, Paragraph, children
from treepack.model.source import BYTE_ORDER_MARK, LINE_END

if TYPE_CHECKING:
    from collections.abc import Mapping

CORPUS = os.environ.get("TREEPACK_CORPUS", "")
SUFFIXES = {".md", ".mdx", ".txt"}

Shape = list[tuple[str, list[int] | None, str]]

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
    "[ref]: https://a.b",
    "\n" * 20,  # more than the parser is given at once
)  # fmt: skip


@cache
def reference() -> MarkdownIt:
    """Return a parser with the rules of treepack, each of which is tried at each line."""
    parser = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING}).enable("table")
    parser.use(footnote_plugin, inline=False, move_to_end=False)
    parser.use(dollarmath_plugin)
    parser.use(admon_plugin)
    return parser.use(container_plugin, "container", validate=lambda _params, _markup: True)


def shape(tokens: list[Token]) -> Shape:
    """Return types, lines and the text of headings and header cells, without body cells."""
    parts: Shape = []
    in_body = False
    for token in tokens:
        if token.type in ("tbody_open", "tbody_close"):
            in_body = token.type == "tbody_open"
        elif token.type in ("tr_close", "td_open", "td_close") or (
            in_body and token.type == "inline"
        ):
            continue
        else:
            is_title = parts and parts[-1][0] in ("heading_open", "th_open")
            parts.append(
                (
                    token.type,
                    token.map,
                    without_space_before_line_ends(token.content) if is_title else "",
                )
            )
    return parts


def without_space_before_line_ends(content: str) -> str:
    r"""Remove the space before line ends: treepack has one for ``\r``; inline text folds them."""
    return content.replace(" \n", "\n")


def tokens_of(text: str, references: dict[str, object]) -> list[Token]:
    """Return all tokens of a text, one block after the other."""
    lines = Lines(Source(text))
    tokenizer = BlockTokenizer(lines, references)
    found: list[Token] = []
    after = lines.start
    while (start := lines.next_text(after)) < len(lines.text):
        tokens, zero, line = tokenizer.tokens_at(lines.line_at(start))
        after = lines.start_of(line)
        for token in tokens:
            if token.map is not None:
                token.map = [zero + at for at in token.map]
        found += tokens
    return found


def targets(references: object) -> dict[str, tuple[str, str]]:
    """Return targets and titles of link definitions, without their lines, which nothing uses."""
    definitions = cast("Mapping[str, Mapping[str, str]]", references)
    return {
        label: (found["href"], without_space_before_line_ends(found["title"]))
        for label, found in definitions.items()
    }


def assert_same_as_markdown_it(text: str) -> None:
    """Both see the same blocks and find the same link definitions."""
    ours: dict[str, object] = {}
    theirs: dict[str, object] = {}
    found = tokens_of(text, ours)
    expected: list[Token] = []
    # CommonMark treats all line ends alike, and a byte order mark is not text
    plain = LINE_END.sub("\n", text.removeprefix(BYTE_ORDER_MARK).replace("\0", "\ufffd"))
    plain += "" if plain.endswith("\n") else "\n"
    reference().block.parse(plain, reference(), theirs, expected)
    assert shape(found) == shape(expected)
    assert targets(ours) == targets(theirs.get("references", {}))
    source = Source(text)
    assert parse_blocks(source, _no_count) == parse_blocks(source, _no_count, scan=False)


def _no_count(_start: int, _end: int) -> int:
    return 0


@generated
@given(any_text)
def test_documents_have_the_same_blocks_as_in_markdown_it(text: str) -> None:
    assert_same_as_markdown_it(text)


@pytest.mark.parametrize(("marker", "levels"), [("> ", 20), ("- ", 10)])
def test_containers_nest_up_to_a_limit_and_deeper_ones_are_text(marker: str, levels: int) -> None:
    text = f"{marker * 25}x"
    block: Block | ListItem = parse_blocks(Source(text), _no_count)[0]
    depth = 0
    while inner := children(block):
        depth += isinstance(block, BlockQuote | ListBlock)
        block = inner[0]
    assert (depth, type(block), block.end) == (levels, Paragraph, len(text))


def test_lazy_lines_of_nested_quotes_take_few_calls_each() -> None:
    """Each quote reads them again, but tries only rules that can match."""
    call_count = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal call_count
        call_count += event == "call"

    text = "> " * MAX_NESTING + "x\n" + "> x\n" * 5000
    sys.setprofile(count)
    try:
        tokens_of(text, {})
    finally:
        sys.setprofile(None)
    assert call_count <= 25 * 5000


@settings(generated, max_examples=1000)
@given(
    st.lists(
        st.sampled_from(
            [
                *(
                    "> ",
                    ">",
                    "> > ",
                    "> > > ",
                    "- ",
                    "1. ",
                    "  ",
                    "    ",
                    "\t",
                    "a",
                    "b",
                    "\n",
                    "\n",
                ),
                *(
                    "```",
                    "# ",
                    "---",
                    "***",
                    "<div>",
                    "[^1]: ",
                    "[a]: b",
                    "::: x",
                    "\na\na\n> a\na\n",
                ),
            ]
        ),
        max_size=24,
    ).map("".join)
)
@example("> > > a\nb\n> c\n")
@example("> > > a\nb\n      ```\nc\n> d\ne\n")
@example("- > > > a\nb\n>\tc\n  > - d\ne\n")
def test_nested_quotes_with_lazy_lines_have_the_same_blocks_as_in_markdown_it(text: str) -> None:
    assert_same_as_markdown_it(text)


@settings(generated, max_examples=2000)
@given(st.lists(st.sampled_from(SAMPLE_LINES), max_size=12).map("\n".join))
@example("a\n| b |\n|---|\n| c |\n# d")
@example("| a |\n|---|")
@example("# a | b\n--|--\n| c |")
@example("- a\n\n      code\n- b\nlazy")
@example("1. a\n   - b\n\n   text\n2. c\n5) d")
@example("- | a |\n  |---|\n  | b |\n\n  | c |\n")
def test_lines_in_any_order_have_the_same_blocks_as_in_markdown_it(text: str) -> None:
    assert_same_as_markdown_it(text)


@pytest.mark.slow
@pytest.mark.skipif(not CORPUS, reason="TREEPACK_CORPUS names no folder")
def test_corpus_and_commonmark_examples_have_the_same_blocks_as_in_markdown_it(
    pytestconfig: pytest.Config,
) -> None:
    """A document in twelve is read; with --whole-corpus, all of them."""
    texts = [path for path in sorted(Path(CORPUS).rglob("*")) if path.suffix in SUFFIXES]
    for path in texts[:: 1 if pytestconfig.getoption("--whole-corpus") else 12]:
        assert_same_as_markdown_it(path.read_text(encoding="utf-8", errors="replace"))
    cases = json.loads(Path(CORPUS, "conformance", "commonmark-0.30.json").read_text("utf-8"))
    for case in cases:
        assert_same_as_markdown_it(case["markdown"])


@pytest.mark.parametrize("lines", [700, 4_000])
def test_a_long_block_is_read_little_more_than_once(lines: int) -> None:
    """The block is looked for in more and more lines, and read again each time."""

    def read(count: int) -> int:
        tokenizer = BlockTokenizer(Lines(Source("> - a\n" * count), 0), {})
        return calls(lambda: tokenizer.tokens_at(0))

    read(9)
    assert read(lines) <= 1.25 * read(16) * lines / 16


@dataclass(eq=False)
class CountingPattern:
    """A pattern that counts how often it is tried."""

    pattern: re.Pattern[str]
    tried: int = 0

    def match(self, text: str, start: int) -> re.Match[str] | None:
        """Try the pattern at an offset."""
        self.tried += 1
        return self.pattern.match(text, start)

    def search(self, text: str, start: int) -> re.Match[str] | None:
        """Search for the pattern from an offset on."""
        self.tried += 1
        return self.pattern.search(text, start)


def test_each_link_definition_is_matched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forty thousand once took a minute: each read the paragraph that all of them would form."""
    counting = CountingPattern(scanner._BLOCK)  # noqa: SLF001 - counts its work
    monkeypatch.setattr(scanner, "_BLOCK", counting)

    blocks = parse_blocks(Source("".join(f"[{n}]: /u\n" for n in range(200))), _no_count)

    assert {block.kind for block in blocks} == {"link_definition"}
    assert counting.tried <= 200 + 1


@pytest.mark.parametrize("last", ["", "~~~\n"])
def test_a_distant_closing_fence_is_searched_for_once(
    monkeypatch: pytest.MonkeyPatch, last: str
) -> None:
    closing = CountingPattern(re.compile(r"\n([ ]*)~{3,}[ \t]*\n"))
    monkeypatch.setattr(scanner, "_closing_fence", lambda _mark, _length: closing)

    blocks = parse_blocks(Source("- a\n\n  ~~~x\n\ntext\n\n" * 200 + last), _no_count)

    assert len(blocks) == 400 + bool(last)
    assert closing.tried <= 1 + bool(last)  # in lists, and at the top


def test_long_runs_of_colons_are_scanned_once() -> None:
    """If each colon were tried as the first one, this would take hours."""
    blocks = parse_blocks(Source("::: note\n" + (":" * 1_000_000 + " a\n") * 3), _no_count)
    assert len(blocks) == 1


TITLE_PIECES = [
    *("**", "*", "a", "b c", " ", "_", "\\", "<b>", '<a href="x">', "`", ".", "é", "[", "&amp;"),
]


@given(st.lists(st.sampled_from(TITLE_PIECES), max_size=8).map("".join))
@example("**Scope**")
@example("**Opt\\-In <b>Region</b>**")
@example("**a\\**")
@example("** a**")
@example("**a** and **b**")
def test_titles_read_without_a_parser_have_the_same_text_as_with_one(title: str) -> None:
    inline_text = block_tokens._inline_text  # noqa: SLF001 - what `plain_text` does otherwise
    bold = f"**{title}**"
    for content in (title.strip(), bold):
        with_parser = " ".join(inline_text(content, {}).split())
        assert plain_text(content, {}) == with_parser


LINES = (
    *(
        "",
        "text",
        "    text",
        "a | b",
        "| a | b |",
        "|---|---|",
        "|x",
        "---",
        "===",
        "***",
        "* * *",
    ),
    *(
        "# head",
        "- item",
        "* ",
        "1. one",
        "2) two",
        "  - in",
        "> quote",
        ">",
        "```",
        "~~~",
        "  ```",
    ),
    *("<div>", "<!-- c", "-->", "[r]: /u", "[r]: /u 'open", "'title'", "[^1]: note", "$$", "$$ x"),
    *("!!! note", "::: box", ":::", "::::", "\\| a \\| b |", "-", "+ x", "_ _ _", "\ta", "- - -"),
)


@given(st.lists(st.sampled_from(LINES), max_size=12))
@example(["a | b", "|---|---|", "text", "|x"])
def test_the_parser_finds_the_same_blocks_as_markdown_it(lines: list[str]) -> None:
    text = "".join(f"{line}\n" for line in lines)
    plain = MarkdownIt("commonmark").enable("table").use(footnote_plugin).use(dollarmath_plugin)
    plain.use(admon_plugin).use(container_plugin, "any", validate=lambda _info, _mark: True)
    plain.disable(["inline", "text_join", "footnote_tail"])
    assert block_shapes(parser_for(text).parse(text)) == block_shapes(plain.parse(text))


def block_shapes(tokens: list[Token]) -> list[tuple[str, Any, tuple[str, ...]]]:
    """The tokens that have lines, with their text, but without the cells of a table's body.

    treepack's parser makes no tokens for these cells.
    """
    found: list[tuple[str, Any, tuple[str, ...]]] = []
    in_body = False
    for token in tokens:
        if token.type in {"tbody_open", "tbody_close"}:
            in_body = token.type == "tbody_open"
        elif token.type == "inline" and found and not in_body:
            kind, lines, cells = found[-1]
            found[-1] = kind, lines, (*cells, token.content)
        elif token.map and token.type not in {"tbody_open", "inline"}:
            kind = token.type.replace("container_container", "container_any")
            found.append((kind, token.map, ()))
    return found
