"""Parsed documents: lines, blocks with exact spans, sections, front matter."""

import gc
import json
import os
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest
from by_eye import words
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import any_text, documents, generated

from treepack import Document, PackConfig, Source, audit, pack, parse
from treepack.clauses.sections import with_clause_sections
from treepack.clauses.walk import find_clauses
from treepack.markdown.block_tokens import Lines
from treepack.model.blocks import (
    Block,
    CodeBlock,
    Container,
    ListBlock,
    ListItem,
    Table,
    children,
)
from treepack.model.section import Section
from treepack.tokens import token_counter

CORPUS = os.environ.get("TREEPACK_CORPUS", "")


def walk_blocks(block: Block | ListItem) -> Iterator[Block | ListItem]:
    """A block and all blocks and items inside it, in source order."""
    yield block
    for child in children(block):
        yield from walk_blocks(child)


def top_blocks(document: Document) -> Iterator[Block]:
    """Headings and top-level blocks, in source order."""
    for section in document.root.walk():
        if section.heading:
            yield section.heading
        yield from section.blocks


def all_blocks(document: Document) -> Iterator[Block | ListItem]:
    """All blocks and items."""
    for block in top_blocks(document):
        yield from walk_blocks(block)


def headings(text: str) -> list[str]:
    """The titles of all sections."""
    document = parse(text, outline="trust")
    return [s.heading.text for s in document.root.walk() if s.heading]


def only_block(text: str) -> Block:
    """The one top-level block of a text."""
    (block,) = top_blocks(parse(text))
    return block


# -------------------------------------------------------------------- lines


@pytest.mark.parametrize("end", ["\r\n", "\n", "\r"])
def test_a_line_ends_at_each_of_the_three_line_ends(end: str) -> None:
    source = Source(f"a{end}b{end}")
    assert source.line_count == 2
    assert source.text[source.line_starts[1] :] == f"b{end}"


@pytest.mark.parametrize("other", "\u2028\u2029\x0b\x0c\x85\x1c\x1d\x1e")
def test_other_separators_do_not_end_a_line(other: str) -> None:
    """``str.splitlines`` would break here, and offsets would drift."""
    assert Source(f"a{other}b").line_count == 1


@given(st.text(st.sampled_from("ab\r\n\u2028\x0c"), max_size=30))
@example("")
@example("\r\n\r\r\n\n")
def test_lines_cover_the_text_without_gaps(text: str) -> None:
    source = Source(text)
    starts = list(source.line_starts)
    assert (starts[0], starts[-1]) == (0, len(text))
    assert source.line_count == max(
        1,
        len(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
        - (text[-1:] in ("\n", "\r")),
    )
    for offset in range(len(text)):
        line = source.line_at(offset)
        assert starts[line] <= offset < starts[line + 1]


# -------------------------------------------------------------------- spans


def assert_blocks_contain_the_text(text: str) -> None:
    """Assert that blocks are in order, inside their parents, and hold all text but whitespace.

    Skipped text is exempt.
    """
    document = parse(text)
    for start, end, _ in document.skipped:
        text = text[:start] + " " * (end - start) + text[end:]
    after = 0
    for block in top_blocks(document):
        assert after <= block.start < block.end <= len(text)
        assert text[after : block.start].strip() == "", "text between two blocks"
        assert not text[block.end - 1].isspace(), "a block ends after its last character"
        assert_inner_spans(block)
        after = block.end
    assert text[after:].strip() == ""


def assert_inner_spans(block: Block | ListItem) -> None:
    after = block.start
    inner: tuple[Block | ListItem, ...] = ()
    if isinstance(block, ListBlock):
        inner = block.items
    elif hasattr(block, "blocks"):
        inner = block.blocks
    for child in inner:
        assert after <= child.start <= child.end <= block.end
        assert_inner_spans(child)
        after = child.end
    if isinstance(block, Table):
        for start, end in (block.header, *block.rows):
            assert after <= start < end <= block.end
            after = end


@generated
@given(any_text)
@example("- a\n\n  [b]: c\n")
@example("\ufeff- item")
def test_blocks_have_exact_spans_and_contain_all_text(text: str) -> None:
    assert_blocks_contain_the_text(text)


@pytest.mark.skipif(not CORPUS, reason="TREEPACK_CORPUS names no folder")
def test_blocks_contain_all_text_of_the_commonmark_examples() -> None:
    """Each example as it is, quoted, and inside a list item."""
    path = Path(CORPUS) / "conformance" / "commonmark-0.30.json"
    examples = json.loads(path.read_text(encoding="utf-8"))
    assert len(examples) > 600
    for case in examples:
        text = case["markdown"]
        lines = text.split("\n")
        for variant in (text, "\n".join("> " + x for x in lines), "- " + "\n  ".join(lines)):
            assert_blocks_contain_the_text(variant)


def without_page_marks(document: Document, start: int, end: int) -> str:
    """Return the text of a span without page marks."""
    text = list(document.source.text)
    for gap in document.gaps:
        text[slice(*gap)] = [""] * (gap[1] - gap[0])
    return "".join(text[start:end])


@generated
@given(documents(), st.sampled_from(("cl100k_base", "o200k_base")))
def test_each_node_has_its_exact_token_count(text: str, encoding: str) -> None:
    count = token_counter(encoding)
    document = parse(text, encoding=encoding)
    nodes: list[Section | Block | ListItem] = [*document.root.walk(), *all_blocks(document)]
    for node in nodes:
        assert node.tokens == count(without_page_marks(document, node.start, node.end))


# -------------------------------------------------------------------- kinds


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("# H", "heading"),
        ("Setext\n===", "heading"),
        ("<h2 id='a'>H</h2>", "heading"),
        ("Words.\nMore words.", "paragraph"),
        ("![alt](image.png)", "image"),
        ("![alt](a.png) and text", "paragraph"),
        ("```py\nx\n```", "code"),
        ("~~~\nx", "code"),
        ("    indented", "code"),
        ("\tindented", "code"),
        ("$$\nx\n$$", "math"),
        ("$$x$$ (eq)", "math"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "table"),
        ("a | b\n--|--\n1 | 2", "table"),
        ("<div>\n\ttext\n</div>", "html"),
        ("<!-- comment -->", "html"),
        ("***", "thematic_break"),
        ("[a]: http://b 'Title'", "link_definition"),
        ("- item", "list"),
        ("7) item", "list"),
        ("> quote", "quote"),
        ("[^a]: note", "footnote"),
        ("::: tip\ntext\n:::", "container"),
        ('!!! note "Title"\n    text', "container"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_each_kind_of_block_is_recognised(text: str, kind: str, end: str) -> None:
    text = text.replace("\n", end)
    block = only_block(text + end)
    assert block.kind == kind
    assert text == text[block.start : block.end]


def test_a_code_block_records_its_fence_info_and_closing() -> None:
    block = only_block("~~~~ python title=x\ncode\n~~~~\n")
    assert isinstance(block, CodeBlock)
    assert (block.fence, block.info, block.closed) == ("~~~~", "python title=x", True)
    unclosed = only_block("```\ncode\n``\n")
    assert isinstance(unclosed, CodeBlock)
    assert (unclosed.fence, unclosed.closed) == ("```", False)


def test_a_table_records_its_columns_header_and_rows() -> None:
    text = "| *a* | `b` \\| c |\n|:--|--:|\n| 1 | 2 |\n| 3 |\n"
    block = only_block(text)
    assert isinstance(block, Table)
    assert block.columns == ("a", "b | c")
    assert text[slice(*block.header)] == "| *a* | `b` \\| c |\n|:--|--:|"
    assert [text[slice(*row)] for row in block.rows] == ["| 1 | 2 |", "| 3 |"]


def test_list_items_record_their_marker_span_and_blocks() -> None:
    text = "1. one\n\n   ```\n   x\n   ```\n2. two\n   - inner\n"
    block = only_block(text)
    assert isinstance(block, ListBlock)
    assert block.ordered
    assert [item.marker for item in block.items] == ["1.", "2."]
    assert [[child.kind for child in item.blocks] for item in block.items] == [
        ["paragraph", "code"],
        ["paragraph", "list"],
    ]
    assert text[block.items[1].start : block.items[1].end] == "2. two\n   - inner"


def test_a_container_records_its_opening_and_closing_lines() -> None:
    text = "::: note Title\n\nText.\n\n- a\n\n:::\n"
    block = only_block(text)
    assert isinstance(block, Container)
    assert text[slice(*block.opening)] == "::: note Title"
    assert (block.closing, block.end) == (":::", len(text) - 1)
    assert [child.kind for child in block.blocks] == ["paragraph", "list"]


def test_link_definitions_are_found_although_the_parser_has_no_token() -> None:
    text = "[a]: x\n[b]: y\nWords.\n\n[c]:\n  /z\n  'title'\n\n> [d]: q\n"
    found = [text[b.start : b.end] for b in all_blocks(parse(text)) if b.kind == "link_definition"]
    expected = "[a]: x [b]: y [c]: /z 'title' [d]: q"
    assert " ".join("\n".join(found).split()) == expected


# -------------------------------------------------------------------- headings and sections


@pytest.mark.parametrize(
    "text",
    [
        "> # quoted\n",
        "- # in an item\n",
        "1. # in an item\n",
        "```\n# in code\n```\n",
        "~~~\n# in open code\n",
        "    # in indented code\n",
        "$$\n# in math\n$$\n",
        "<!--\n\n# in a comment\n\n-->\n",
        "<pre>\n\n# preformatted\n\n</pre>\n",
        "<script>\n\n# script\n\n</script>\n",
        "::: box\n# in a container\n:::\n",
        "!!! note\n    # in an admonition\n",
        "[^1]: # in a footnote\n",
        "#hashtag\n",
        "\\# escaped\n",
        "####### seven\n",
        "| # a |\n|---|\n| # b |\n",
    ],
)
def test_text_that_only_looks_like_a_heading_is_not_one(text: str) -> None:
    assert headings(text) == []


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("## Plain ##\n", "Plain"),
        ("#\tTab\n", "Tab"),
        ("Setext *text*\nover two lines\n---\n", "Setext text over two lines"),
        ("# *a* `b` [c](d) <x>e</x> &amp; \\* ![f](g)\n", "a b c e & * f"),
        ("# [a][ref]\n\n[ref]: x\n", "a"),
        ("#\n", ""),
        ("<h1>\nHTML <b>bold</b>\n</h1>\n", "HTML bold"),
        ("<H2 class='x'>Caps</H2>\n", "Caps"),
        ("# A\u00a0B\n", "A B"),
    ],
)
def test_the_text_of_a_heading_contains_no_markup(text: str, title: str) -> None:
    assert headings(text) == [title]


def outline(section: Section) -> list[object]:
    """Return the titles, nested like the sections."""
    return [[s.heading.text if s.heading else "", *outline(s)] for s in section.sections]


def test_skipped_heading_levels_create_no_sections() -> None:
    document = parse("# A\n\n### B\n\n### C\n\n## D\n\n# E\n")
    assert outline(document.root) == [["A", ["B"], ["C"], ["D"]], ["E"]]


@generated
@given(documents())
@example("# A\n\n## B\n\n# C\n\n1. Fees. Text.\n\n2. Term. Text.\n\n## D\n")
def test_walk_yields_sections_in_the_order_of_the_tree(text: str) -> None:
    def walked(section: Section) -> list[Section]:
        return [section, *(each for below in section.sections for each in walked(below))]

    document = parse(Source(text))
    packed, _ = with_clause_sections(document, find_clauses(document))
    assert [id(each) for each in packed.root.walk()] == [id(each) for each in walked(packed.root)]


def test_siblings_with_the_same_title_have_different_ids() -> None:
    sections = list(parse("# A\n\none\n\n# A\n\ntwo\n\n# A\n").root.walk())
    assert len({section.id for section in sections}) == 4


def test_section_ids_do_not_depend_on_positions() -> None:
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


# -------------------------------------------------------------------- front matter


@pytest.mark.parametrize(
    ("front", "metadata"),
    [
        ("---\ntitle: T\ntags: [a, b]\n---", {"title": "T", "tags": ["a", "b"]}),
        ("---\r\ntitle: T\r\n...", {"title": "T"}),
        ("+++\ntitle = 'T'\n[x]\ny = 1\n+++", {"title": "T", "x": {"y": 1}}),
        ("\ufeff---\ntitle: T\n---", {"title": "T"}),
        ("---\n---", {}),
    ],
)
def test_front_matter_becomes_metadata_and_is_skipped(
    front: str, metadata: dict[str, object]
) -> None:
    document = parse(front + "\n\n# A\n")
    assert document.metadata == metadata
    assert document.skipped[-1][1:] == (len(front), "front matter")
    assert [block.kind for block in top_blocks(document)] == ["heading"]


def test_dates_in_front_matter_stay_strings() -> None:
    """Metadata must be JSON, and 2024-01-01 names no time zone."""
    text = "---\nday: 2024-01-01\ntime: 2024-01-01 10:00:00\n---\n"
    assert parse(text).metadata == {"day": "2024-01-01", "time": "2024-01-01 10:00:00"}
    assert parse("+++\nday = 2024-01-01\n+++\n").metadata == {"day": "2024-01-01"}


@pytest.mark.parametrize(
    "front",
    [
        "---\nbroken: [\n---",
        "---\n\n# a comment\nbroken: [\n---",
        "---\na: &x [1]\nb: *x\n---",
        "---\na: !!python/object/apply:os.system ['true']\n---",
        "+++\nno toml\n+++",
    ],
)
def test_unreadable_front_matter_stays_in_the_text(front: str) -> None:
    """This includes YAML aliases: a few lines of them can expand to gigabytes."""
    text = front + "\n\nWords.\n"
    document = parse(text)
    assert (document.metadata, document.skipped) == ({}, ())
    assert headings(text) == [], "front matter is never a heading"
    assert_blocks_contain_the_text(text)


def test_front_matter_can_stay_in_the_text() -> None:
    document = parse("---\ntitle: T\n---\n\nWords.\n", front_matter="text")
    assert [block.kind for block in top_blocks(document)] == ["front_matter", "paragraph"]
    assert (document.metadata, document.skipped) == ({}, ())


@pytest.mark.parametrize(
    "text",
    [
        "---\nnever: closed\n",
        "\n---\na: b\n---\n",
        "----\na: b\n---\n",
        "---\njust a heading by Setext\n---\n",
        "---\n- rules\n- with a list between\n---\n",
        "---\n- rules\n\nNote: with prose between\n---\n",
    ],
)
def test_text_that_only_looks_like_front_matter_stays_in_the_text(text: str) -> None:
    document = parse(text)
    assert (document.metadata, document.skipped) == ({}, ())
    assert "front_matter" not in [block.kind for block in top_blocks(document)]
    assert_blocks_contain_the_text(text)


def test_metadata_of_the_source_overrides_front_matter() -> None:
    document = parse(Source("---\na: 1\nb: 1\n---\n", metadata={"b": 2}))
    assert document.metadata == {"a": 1, "b": 2}


# -------------------------------------------------------------------- the JSON form


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
