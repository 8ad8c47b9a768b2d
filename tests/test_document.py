"""Parsed documents: lines, kinds of blocks, headings and the tree of sections."""

import gc
import weakref
from collections.abc import Iterator

import pytest
from by_eye import words
from case_files import pairs_of
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import documents, generated

from treepack import Document, PackConfig, Source, audit, pack, parse
from treepack.clauses.sections import with_clause_sections
from treepack.clauses.walk import find_clauses
from treepack.markdown.block_tokens import Lines
from treepack.model.blocks import Block, CodeBlock, Container, ListBlock, ListItem, Table, children
from treepack.model.section import Section
from treepack.tokens import token_counter


def walk_blocks(block: Block | ListItem) -> Iterator[Block | ListItem]:
    """A block and all blocks and items inside it, in source order."""
    yield block
    for child in children(block):
        yield from walk_blocks(child)


def all_blocks(document: Document) -> Iterator[Block | ListItem]:
    """All headings, blocks and items, in source order."""
    for section in document.root.walk():
        for block in (*filter(None, [section.heading]), *section.blocks):
            yield from walk_blocks(block)


def only_block(text: str) -> Block:
    """The one top-level block of a text."""
    root = parse(text).root
    found: list[Block] = [each.heading for each in root.walk() if each.heading]
    (block,) = [*root.blocks, *found]
    return block


@given(st.text(st.sampled_from("ab\r\n\u2028\u2029\x0b\x0c\x85\x1c\x1d\x1e"), max_size=30))
@example("")
@example("\r\n\r\r\n\n")
def test_lines_end_at_three_line_ends_and_cover_the_text(text: str) -> None:
    """``str.splitlines`` would break at other separators, and offsets would drift."""
    source = Source(text)
    starts = list(source.line_starts)
    assert (starts[0], starts[-1]) == (0, len(text))
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    assert source.line_count == max(1, plain.count("\n") + (plain[-1:] not in ("", "\n")))
    for offset in range(len(text)):
        line = source.line_at(offset)
        assert starts[line] <= offset < starts[line + 1]


@generated
@given(documents(), st.sampled_from(("cl100k_base", "o200k_base")))
def test_each_node_has_its_exact_token_count(text: str, encoding: str) -> None:
    """Page marks are not counted."""
    count = token_counter(encoding)
    document = parse(text, encoding=encoding)
    visible = list(document.source.text)
    for gap in document.gaps:
        visible[slice(*gap)] = [""] * (gap[1] - gap[0])
    nodes: list[Section | Block | ListItem] = [*document.root.walk(), *all_blocks(document)]
    for node in nodes:
        assert node.tokens == count("".join(visible[node.start : node.end]))


@pytest.mark.parametrize(("text", "kind"), pairs_of("kinds.txt"))
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_each_kind_of_block_is_recognised(text: str, kind: str, end: str) -> None:
    text = text.replace("\n", end)
    block = only_block(text + end)
    assert (block.kind, text[block.start : block.end]) == (kind, text)


def test_blocks_record_what_packing_repeats() -> None:
    block = only_block("~~~~ python title=x\ncode\n~~~~\n")
    assert isinstance(block, CodeBlock)
    assert (block.fence, block.info, block.closed) == ("~~~~", "python title=x", True)
    block = only_block("```\ncode\n``\n")
    assert isinstance(block, CodeBlock)
    assert (block.fence, block.closed) == ("```", False)
    text = "| *a* | `b` \\| c |\n|:--|--:|\n| 1 | 2 |\n| 3 |\n"
    block = only_block(text)
    assert isinstance(block, Table)
    assert block.columns == ("a", "b | c")
    assert text[slice(*block.header)] == "| *a* | `b` \\| c |\n|:--|--:|"
    assert [text[slice(*row)] for row in block.rows] == ["| 1 | 2 |", "| 3 |"]
    text = "::: note Title\n\nText.\n\n- a\n\n:::\n"
    block = only_block(text)
    assert isinstance(block, Container)
    assert text[slice(*block.opening)] == "::: note Title"
    assert (block.closing, block.end) == (":::", len(text) - 1)
    assert [child.kind for child in block.blocks] == ["paragraph", "list"]


def test_list_items_record_their_marker_span_and_blocks() -> None:
    text = "1. one\n\n   ```\n   x\n   ```\n2. two\n   - inner\n"
    block = only_block(text)
    assert isinstance(block, ListBlock)
    assert block.ordered
    assert [(item.marker, [child.kind for child in item.blocks]) for item in block.items] == [
        ("1.", ["paragraph", "code"]),
        ("2.", ["paragraph", "list"]),
    ]
    assert text[block.items[1].start : block.items[1].end] == "2. two\n   - inner"


def test_link_definitions_are_found_although_the_parser_has_no_token() -> None:
    text = "[a]: x\n[b]: y\nWords.\n\n[c]:\n  /z\n  'title'\n\n> [d]: q\n"
    found = [text[b.start : b.end] for b in all_blocks(parse(text)) if b.kind == "link_definition"]
    expected = "[a]: x [b]: y [c]: /z 'title' [d]: q"
    assert " ".join("\n".join(found).split()) == expected


@pytest.mark.parametrize("indent", [0, 3, 4, 5, 9])
@pytest.mark.parametrize("first", ["> a", ">> a", ">>>>>> a", "> - a", "1. > a"])
@pytest.mark.parametrize("inner", ["+ b", "1. b", "> b", "[^n]: b", "| b |\n    > |---|", "# b"])
def test_a_line_of_a_quote_may_have_any_indentation(first: str, indent: int, inner: str) -> None:
    """markdown-it reads it like this; CommonMark allows only three spaces before the marker."""
    text = f"{first}\n{' ' * indent}> {inner}\n"
    blocks = parse(text).root.blocks
    assert " ".join(text[block.start : block.end] for block in blocks).split() == text.split()
    chunks = pack(text, PackConfig(max_tokens=16, target_tokens=4, min_tokens=0))
    assert audit(text, chunks, PackConfig(max_tokens=16)).ok


def test_parsing_leaves_no_copy_of_the_text_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy of the text in a reference cycle would stay in memory while the document is packed."""
    made: list[weakref.ref[Lines]] = []

    def record_lines(source: Source, start: int = 0) -> Lines:
        lines = Lines(source, start)
        made.append(weakref.ref(lines))
        return lines

    monkeypatch.setattr("treepack.markdown.markdown_it.Lines", record_lines)
    gc.disable()
    try:
        parse("# [A](b)\n\n| a |\n|---|\n| b |\n\n> c\n\n$$\nx\n$$\n")
        assert [ref() for ref in made] == [None]
    finally:
        gc.enable()


@generated
@given(documents())
@example("# A\n\n## B\n\n# C\n\n1. Fees. Text.\n\n2. Term. Text.\n\n## D\n")
def test_walk_yields_sections_in_the_order_of_the_tree(text: str) -> None:
    def walked(section: Section) -> list[Section]:
        return [section, *(each for below in section.sections for each in walked(below))]

    document = parse(Source(text))
    packed, _ = with_clause_sections(document, find_clauses(document))
    assert [id(each) for each in packed.root.walk()] == [id(each) for each in walked(packed.root)]


def test_section_ids_differ_and_do_not_depend_on_positions() -> None:
    sections = list(parse("# A\n\none\n\n# A\n\ntwo\n\n# A\n").root.walk())
    assert len({section.id for section in sections}) == 4
    before = parse("# A\n\n## B\n", name="d.md").root.sections[0]
    after = parse("New words.\n\n# New\n\n# A\n\nMore.\n\n## B\n", name="d.md").root.sections[1]
    assert [s.id for s in before.walk()] == [s.id for s in after.walk()]


def test_the_outline_shows_the_tree_with_tokens_and_lines() -> None:
    text = "# A\n\nSome text.\n\n## \n\nMore.\n\n# B\n"
    assert parse(text, name="d.md", encoding=words, outline="trust").outline() == (
        "d.md (8 tokens)\n"
        "  A (6 tokens, lines 1-7)\n"
        "    (empty heading) (2 tokens, lines 5-7)\n"
        "  B (2 tokens, lines 9-9)\n"
    )
