"""Lists keep their lead-in, markers and nesting; code is cut between statements.

Tokens are words here, so that every limit can be counted in the text.
"""

import re
from collections.abc import Iterator
from typing import TypeAlias

import pytest
from audits import findings_in
from by_eye import packed, roles, some, texts, words

from treepack import Chunks, parse
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


def test_code_in_an_item_in_a_quote_keeps_all_markers() -> None:
    lines = "".join(f">   line{n} a b c\n" for n in range(12))
    chunks = packed(f"> - ```py\n{lines}>   ```\n", 24)
    assert len(chunks) > 2
    for chunk in chunks:
        assert re.fullmatch(r"> - ```py\n(>   line\d+ a b c\n)+>   ```", chunk.text)


@pytest.mark.parametrize("beginning", ["0.006 and", "7)and", "-and", "and"])
def test_indented_text_after_a_repeated_marker_does_not_widen_it(beginning: str) -> None:
    """Otherwise the code below it would have a different indentation than in the source."""
    continuation = f"{' ' * 8}{beginning} more words\n{' ' * 17}o o\n\n{' ' * 14}x\n{' ' * 17}y\n"
    text = f"+    {some(20)}\n\n{continuation}"
    for cap in (24, 28, 32, 40):
        assert not findings_in(packed(text, cap, "d.md"))
