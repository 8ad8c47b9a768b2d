"""Lists keep their lead-in, markers and nesting; code is cut between statements.

Tokens are words here, so that every limit can be counted in the text.
"""

import json
import re
from collections.abc import Iterator
from typing import TypeAlias

import pytest
from by_eye import nesting, packed, roles, some, texts, words

from treepack import Chunks, PackConfig, Source, audit, pack, parse
from treepack.model.blocks import Block, CodeBlock, ListBlock, ListItem, children

WordNesting: TypeAlias = tuple[str, tuple[str, ...]]

NUMBER = re.compile(r"^\d+\.", re.MULTILINE)
LEAD = "The device shall:"


def items(count: int, marker: str = "- ", size: int = 6) -> str:
    return "\n".join(f"{marker.format(n=n)}item{n} {some(size - 1)}" for n in range(1, count + 1))


def nesting_of_words(text: str) -> Iterator[WordNesting]:
    """Yield each word like ``item7`` with its item and quote markers, outermost first."""

    def inside(
        block: Block | ListItem, path: tuple[str, ...]
    ) -> Iterator[tuple[str, tuple[str, ...]]]:
        path = (*path, block.marker) if isinstance(block, ListItem) else path
        path = (*path, ">") if block.kind == "quote" else path
        if not children(block):
            for word in re.findall(r"item\d+", text[block.start : block.end]):
                yield word, path
        for child in children(block):
            yield from inside(child, path)

    for block in parse(text).root.blocks:
        yield from inside(block, ())


def assert_same_nesting(text: str, chunks: Chunks) -> None:
    """Check that each chunk, parsed alone, nests its items the way the whole text does."""
    whole = dict(nesting_of_words(text))
    assert whole
    seen: set[str] = set()
    for chunk in chunks:
        for word, path in nesting_of_words(chunk.text):
            assert path == whole[word], f"{word} in {chunk.text!r}"
            seen.add(word)
    assert seen == set(whole)


# -------------------------------------------------------------------- lead-in


def test_a_short_lead_in_is_repeated_before_each_piece_of_its_list() -> None:
    """An item alone does not say who must do it."""
    chunks = packed(f"# A\n\n{LEAD}\n\n{items(12)}\n", 40)
    assert len(chunks) > 2
    assert texts(chunks)[0].startswith(f"# A\n\n{LEAD}\n\n- item1 ")
    for chunk in chunks[1:]:
        assert chunk.text.startswith(f"{LEAD}\n\n- item")
        assert LEAD not in chunk.lexical_text
        assert roles(chunk) == ["heading", "glue", "body"]
    assert all(words(chunk.embed_text) <= 40 for chunk in chunks)


@pytest.mark.parametrize("lead", ["设备应：", "L'appareil doit :", "**Shall** do:"])
def test_a_lead_in_may_end_with_a_colon_of_any_script(lead: str) -> None:
    chunks = packed(f"{lead}\n\n{items(12)}\n", 40)
    assert all(chunk.text.startswith(f"{lead}\n\n- item") for chunk in chunks)


def test_a_lead_in_needs_no_blank_line_before_its_list() -> None:
    chunks = packed(f"{LEAD}\n{items(12)}\n", 40)
    assert len(chunks) > 2
    assert all(chunk.text.startswith(LEAD) for chunk in chunks)


def test_a_lead_in_stays_with_the_first_item() -> None:
    """This holds whatever comes before: at a chunk's end, the lead-in would introduce nothing."""
    for size in range(1, 40):
        chunks = packed(f"{some(size)}\n\n{LEAD}\n\n{items(12)}\n", 40)
        assert not any(chunk.text.rstrip().endswith(LEAD) for chunk in chunks)
        assert any(f"{LEAD}\n\n- item1 " in chunk.text for chunk in chunks)


@pytest.mark.parametrize(
    "lead",
    [
        "The device is described here.",
        f"It shall {some(20)}:",
        "The device\nshall:",
    ],
)
def test_other_paragraphs_are_not_repeated(lead: str) -> None:
    """They have no colon, are too long, or take more than one line."""
    chunks = packed(f"{lead}\n\n{items(12)}\n", 40)
    assert len(chunks) > 2
    assert all(lead not in chunk.text for chunk in chunks[1:])


def test_a_lead_in_inside_an_item_is_repeated_within_the_item() -> None:
    inner = "\n".join(f"  {line}" for line in items(12).split("\n"))
    text = f"- {LEAD}\n\n{inner}\n"
    chunks = packed(text, 40)
    assert len(chunks) > 2
    assert all(chunk.text.startswith(f"- {LEAD}\n\n  - item") for chunk in chunks)
    assert_same_nesting(text, chunks)


def test_a_heading_lead_in_and_first_item_share_a_chunk() -> None:
    chunks = packed(f"{some(30)}\n\n# A\n\n{LEAD}\n\n{items(12)}\n", 40)
    assert any(f"# A\n\n{LEAD}\n\n- item1 " in chunk.text for chunk in chunks)


# -------------------------------------------------------------------- items

LISTS: dict[str, str] = {
    "bullets": items(12),
    "numbers": items(12, "{n}. "),
    "numbers-from-nine": "\n".join(f"{n}) item{n} {some(5)}" for n in range(9, 21)),
    "loose": items(12, "{n}. ").replace("\n", "\n\n"),
    "tasks": items(6, "- [ ] ") + "\n" + items(6, "- [x] ").replace("item", "item1"),
    "nested": "\n".join(f"{'  ' * (n % 3)}- item{n} {some(5)}" for n in range(18)),
    "numbers-in-bullets": "\n".join(
        f"- item{n}0 a\n\n  {n}. item{n}1 {some(5)}\n  {n + 1}. item{n}2 {some(5)}"
        for n in range(1, 6)
    ),
    "paragraphs-in-items": "\n\n".join(
        f"{n}. item{n}1 {some(5)}\n\n   item{n}2 {some(12)}\n\n   item{n}3 {some(12)}"
        for n in range(1, 4)
    ),
    "code-in-items": "\n\n".join(
        f"- item{n}1\n\n  ```sh\n  item{n}2 {some(6)}\n  item{n}3 {some(6)}\n  ```"
        for n in range(1, 6)
    ),
    "a-quote-in-items": "\n\n".join(
        f"- item{n}1\n\n  > item{n}2 {some(9)}\n  >\n  > item{n}3 {some(9)}" for n in range(1, 4)
    ),
    "in-a-quote": "\n".join(f"> {line}" for line in items(12, "{n}. ").split("\n")),
    "deep": "".join(f"{'   ' * n}1. item{n} {some(5)}\n" for n in range(6)).rstrip(),
    "tabs": "\n".join(f"-\titem{n}1 {some(5)}\n\n\titem{n}2 {some(5)}\n" for n in range(1, 6)),
    "uneven": "- item1\n"
    + "\n".join(f"{' ' * (5 - n % 4)}- item{n} {some(5)}" for n in range(2, 18)),
    "wide": "\n".join(f"-    item{n}1 {some(5)}\n\n     item{n}2 {some(5)}\n" for n in range(1, 6)),
}


@pytest.mark.parametrize("cap", [16, 24, 40])
@pytest.mark.parametrize("kind", LISTS)
def test_each_piece_parses_with_the_nesting_of_the_whole_list(kind: str, cap: int) -> None:
    text = LISTS[kind]
    chunks = packed(f"{text}\n", cap)
    assert len(chunks) > 1
    assert_same_nesting(text, chunks)


def test_an_item_that_fits_is_never_cut() -> None:
    for cap in (16, 24, 40):
        for chunk in packed(f"{items(20, '{n}. ', 9)}\n", cap):
            assert re.fullmatch(r"(\d+\. item\d+( w\d){8}\s*)+", chunk.text)


def test_item_numbers_continue_in_each_piece() -> None:
    chunks = packed(f"{items(20, '{n}. ')}\n", 24)
    for chunk in chunks:
        (block,) = parse(chunk.text).root.blocks
        assert isinstance(block, ListBlock)
        assert [item.marker for item in block.items] == re.findall(NUMBER, chunk.text)
    markers = [marker for chunk in chunks for marker in NUMBER.findall(chunk.text)]
    assert markers == [f"{n}." for n in range(1, 21)]


def test_a_task_item_keeps_its_checkbox() -> None:
    text = "\n".join(f"- [{' x'[n % 2]}] item{n} {some(5)}" for n in range(12))
    for chunk in packed(f"{text}\n", 20):
        for number in re.findall(r"item(\d+)", chunk.text):
            assert f"- [{' x'[int(number) % 2]}] item{number} " in chunk.text


def test_a_cut_task_item_has_its_number_in_each_piece() -> None:
    for chunk in packed(f"12. [ ] {some(60)}\n", 16):
        (block,) = parse(chunk.text).root.blocks
        assert isinstance(block, ListBlock)
        assert [item.marker for item in block.items] == ["12."]


def test_a_table_in_an_item_is_cut_by_rows_within_the_item() -> None:
    rows = "".join(f"   | r{n} | v{n} |\n" for n in range(12))
    chunks = packed(f"3. item1\n\n   | a | b |\n   |---|---|\n{rows}", 30)
    assert len(chunks) > 2
    for chunk in chunks:
        (block,) = parse(chunk.text).root.blocks
        assert isinstance(block, ListBlock)
        (item,) = block.items
        assert (item.marker, item.blocks[-1].kind) == ("3.", "table")


# -------------------------------------------------------------------- code


def code_bodies(chunks: Chunks, fence: str = "```") -> list[str]:
    """Return the text between the fences of each piece."""
    found: list[str] = []
    for chunk in chunks:
        first, *lines, last = chunk.text.split("\n")
        assert first.startswith(fence)
        assert last == fence
        found.append("\n".join(lines))
    return found


def function_source(name: str) -> str:
    return f"def {name}(a, b):\n    first = a + b\n\n    second = a - b\n    return first"


def test_code_is_cut_between_top_level_statements_first() -> None:
    """Each function also has a blank line inside, which is nearer to the limit."""
    names = ["one", "two", "six"]
    code = "\n\n".join(function_source(name) for name in names)
    assert words(function_source("one")) == 15
    chunks = packed(f"```python\n{code}\n```\n", 32, target_tokens=26)
    assert code_bodies(chunks) == [function_source(name) for name in names]


def test_a_closing_bracket_does_not_begin_a_statement() -> None:
    block = "call(\n    a b c d\n\n    e f g h\n\n)\n"
    chunks = packed(f"```\n{block}\n{block}\n{block}```\n", 17)
    assert all(body.startswith("call(") and body.endswith(")") for body in code_bodies(chunks))
    assert len(chunks) == 3


def test_a_statement_above_the_limit_is_cut_at_blank_lines() -> None:
    body = "\n\n".join(f"    a{n} b c d\n    e f g h" for n in range(4))
    chunks = packed(f"```py\ndef f():\n{body}\n```\n", 20)
    found = code_bodies(chunks)
    assert len(found) > 1
    assert "\n\n".join(found) == f"def f():\n{body}"


def test_code_without_blank_lines_is_cut_between_lines() -> None:
    lines = [f"line{n} a b c" for n in range(12)]
    found = code_bodies(packed("```\n" + "\n".join(lines) + "\n```\n", 16))
    assert len(found) > 2
    assert "\n".join(found) == "\n".join(lines)


def test_an_overlong_line_of_code_is_cut_within_the_line() -> None:
    found = code_bodies(packed(f"```\nshort\n{some(60)}\nend\n```\n", 20))
    assert " ".join(" ".join(found).split()) == f"short {some(60)} end"


@pytest.mark.parametrize("indent", ["    ", "\t", "      "])
def test_indented_code_stays_indented_code(indent: str) -> None:
    lines = [f"{indent}line{n} a b c" for n in range(24)]
    lines[7] = lines[15] = ""
    chunks = packed("Text.\n\n" + "\n".join(lines) + "\n", 16)
    assert len(chunks) > 3
    for chunk in chunks:
        blocks = [b for b in parse(chunk.text).root.blocks if b.kind != "paragraph"]
        assert all(isinstance(block, CodeBlock) and not block.fence for block in blocks)
        assert "paragraph" not in {b.kind for b in parse(chunk.text).root.blocks[1:]}


def test_pieces_of_a_diff_keep_plus_and_minus_at_the_margin() -> None:
    hunks = "\n".join(
        f"@@ -{n},3 +{n},3 @@\n context {n}\n-old {some(4)}\n+new {some(4)}" for n in range(1, 7)
    )
    found = code_bodies(packed(f"```diff\n{hunks}\n```\n", 24), "```")
    assert len(found) > 2
    assert "\n".join(found) == hunks


def test_pieces_of_a_console_session_are_whole_lines() -> None:
    session = "\n".join(f"$ run {n}\nout {some(4)}\n\nmore {n}" for n in range(1, 9))
    chunks = packed(f"~~~console\n{session}\n~~~\n", 24)
    assert all(chunk.text.startswith("~~~console\n") for chunk in chunks)
    lines = [line for body in code_bodies(chunks, "~~~") for line in body.split("\n") if line]
    assert lines == [line for line in session.split("\n") if line]


def test_pieces_of_json_are_whole_lines() -> None:
    record = json.dumps([{"name": f"n{n}", "of": [n, n + 1]} for n in range(8)], indent=2)
    chunks = packed(f"```json\n{record}\n```\n", 24)
    assert len(chunks) > 2
    assert "\n".join(code_bodies(chunks)) == record


def test_code_in_an_item_in_a_quote_keeps_all_markers() -> None:
    lines = "".join(f">   line{n} a b c\n" for n in range(12))
    chunks = packed(f"> - ```py\n{lines}>   ```\n", 24)
    assert len(chunks) > 2
    for chunk in chunks:
        assert re.fullmatch(r"> - ```py\n(>   line\d+ a b c\n)+>   ```", chunk.text)


def test_no_piece_of_code_is_only_the_closing_fence() -> None:
    """This holds even if the last line ends with a space."""
    line = "echo one; echo two. Echo three! " * 4
    for cap in range(16, 33):
        config = PackConfig(max_tokens=cap, target_tokens=cap, min_tokens=0, overlap_tokens=6)
        chunks = pack(Source(f"# A\n\n```\nx = 1\n{line}\n```\n", "d.md"), config)
        assert len(chunks) > 2
        assert all(chunk.lexical_text.strip("`\n ") for chunk in chunks)


def test_no_piece_of_quoted_code_is_only_the_marker_of_a_blank_line() -> None:
    words = "zeta zeta iota gamma delta epsilon gamma zeta beta"
    text = f"> ```\n> {words}\n> \n> {words}\n> ```\n"
    config = PackConfig(max_tokens=16, target_tokens=5, min_tokens=0)
    for chunk in pack(Source(text), config):
        assert chunk.lexical_text.strip("> `\n")


def test_a_cut_inside_a_footnote_label_stays_within_the_cap() -> None:
    text = "::: open\n[^longer-label]:\n    Begins below.\n\n    Second paragraph.\n"
    config = PackConfig(max_tokens=20, target_tokens=20, min_tokens=0, encoding=len)
    assert max(len(chunk.text) for chunk in pack(Source(text), config)) <= 20


def test_unusual_whitespace_before_a_lead_in_is_not_part_of_it() -> None:
    """NEL ends no line in markdown, but counts as whitespace."""
    text = f"> \u0085Use:\n> - {'one ' * 40}\n> - {'two ' * 40}\n"
    chunks = pack(Source(text), PackConfig(max_tokens=64, target_tokens=64, min_tokens=0))
    assert any(segment.role == "heading" for chunk in chunks for segment in chunk.segments)
    assert chunks.audit().findings == ()


def test_an_indented_quote_in_an_item_does_not_widen_the_marker() -> None:
    lines = "".join(f"    > a_{n} + b = c\n" for n in range(12))
    text = f"- > {some(20)}\n  >\n   > $$\n{lines}  > $$\n"
    chunks = packed(text, 30)
    math = [chunk for chunk in chunks if "$$" in chunk.text]
    assert len(math) > 1
    for chunk in math:
        assert chunk.text.startswith("- > ")
        assert chunk.text.count("$$") == 2
    assert audit(text, chunks, max_tokens=30, encoding=words).ok


@pytest.mark.parametrize("beginning", ["0.006 and", "7)and", "-and", "and"])
def test_indented_text_after_a_repeated_marker_does_not_widen_it(beginning: str) -> None:
    """Otherwise the code below it would have a different indentation than in the source."""
    continuation = f"{' ' * 8}{beginning} more words\n{' ' * 17}o o\n\n{' ' * 14}x\n{' ' * 17}y\n"
    text = f"+    {some(20)}\n\n{continuation}"
    for cap in (24, 28, 32, 40):
        assert not packed(text, cap, "d.md").audit().findings


def test_closing_and_opening_fence_of_a_piece_have_the_same_column() -> None:
    """Otherwise a piece that begins "8." is read as an item, and its fence ends outside of it."""
    code = "".join(f"   line {number} of the code\n" for number in range(40))
    text = f"The steps are:\n8. Run this program:\n   ```r\n{code}   ```\n"
    chunks = pack(text, PackConfig(max_tokens=64))
    assert len(chunks) > 3
    assert {chunk.text.splitlines()[-1] for chunk in chunks} == {"   ```"}
    assert not audit(text, chunks, max_tokens=64).findings


@pytest.mark.parametrize("fence", ["```", "~~~~"])
def test_fence_characters_that_end_a_code_line_do_not_close_a_piece(fence: str) -> None:
    text = f"{fence}\n{some(100)} {fence}\nlast"
    for cap in range(22, 34):
        chunks = packed(text, cap, "d.md")
        assert len(chunks) > 2
        assert not chunks.audit().findings


def test_no_overlap_begins_with_markup_that_would_open_a_block() -> None:
    text = f"{some(12)}\n      ```\n```\n{some(14, 'c')}\n```\n"
    chunks = packed(text, 24, "d.md", overlap_tokens=6)
    assert chunks[-1].has_overlap
    assert not chunks.audit().findings


@pytest.mark.parametrize("indentation", ["   ", " \t"])
def test_a_fence_in_an_indented_quote_of_an_item_is_closed_in_each_piece(indentation: str) -> None:
    """The quote's indentation once counted as the marker's, so the closing fence was outside."""
    lines = ["```", *(f"line{number} {some(20)}" for number in range(4)), "```"]
    quote = "".join(f"{indentation}> {line}\n" for line in lines)
    chunks = packed(f"- {some(30)}\n\n{quote}", 40)
    assert len(chunks) == 5
    for number in range(4):
        (chunk,) = (chunk for chunk in chunks if f"line{number}" in chunk.text)
        assert nesting(chunk.text, f"line{number}") == ["list_item_open", "blockquote_open"]
    assert chunks.audit().findings == ()


@pytest.mark.parametrize("dashes", ["---", "--", "-", "- -"])
@pytest.mark.parametrize("around", ["", "> "])
def test_a_repeated_marker_does_not_turn_a_line_into_a_thematic_break(
    dashes: str, around: str
) -> None:
    """``- ---`` would be a thematic break, and the code after it would be outside the list."""
    lines = [f"- {some(20)}", "  > quoted", f"  {dashes}", "  ```", f"  code {some(9)}", "  ```"]
    text = "".join(f"{around}{line}\n" for line in lines)
    chunks = packed(text, 26)
    assert len(chunks) > 1
    assert nesting(chunks[-1].text, "code")[-1:] == nesting(text, "code")[-1:] == ["list_item_open"]
    assert chunks.audit().findings == ()


@pytest.mark.parametrize("mark", ["!!!", "???"])
def test_text_that_looks_like_an_admonition_does_not_absorb_code_below(mark: str) -> None:
    """Right below an HTML table it is text, but at a chunk's beginning it opens an admonition."""
    code = "".join(f"    call{number} {some(9)}\n" for number in range(4))
    table = f"<table><tr><td>{some(20)}</td></tr></table>"
    chunks = packed(f"{table}\n{mark} note\n\n{code}", 20)
    assert len(chunks) > 2
    assert chunks.audit().findings == ()
    container = f"{some(20)}\n\n{mark} note\n\n    {some(9)}\n\n{some(9)}\n"
    assert [chunk.text.split()[0] for chunk in packed(container, 24)] == ["w0", mark]
