"""Plain text: how it is read, distinguished from markdown, and judged by the audit."""

import json
from ast import literal_eval
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest
from case_files import case_file, pairs_of, parts_of
from command_line import run
from function_calls import assert_linear
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.documents import Document as LangDocument
from strategies import configs, random_texts

from treepack import Chunks, Document, PackConfig, Source, audit, pack, parse
from treepack.clauses.walk import find_clauses
from treepack.integrations.langchain import TreepackTextSplitter
from treepack.integrations.llama_index import TreepackNodeParser
from treepack.model.blocks import Block, ListBlock, ListItem, Paragraph, children
from treepack.plain.choice import choose


def plain(text: str) -> Document:
    return parse(Source(text, "x.txt"), markup="plain")


def block_texts(text: str) -> list[Any]:
    """Return the blocks of a plain text: a paragraph as its words, a list as a list of items."""
    return [_block_text(text, block) for block in plain(text).root.blocks]


def _block_text(text: str, block: Block | ListItem) -> Any:  # noqa: ANN401 - nested to any depth
    if isinstance(block, Paragraph):
        words = " ".join(text[block.start : block.end].split())
        return {words} if block.is_laid_out else words
    return [_block_text(text, inner) for inner in children(block)]


# -------------------------------------------------------------------- what is read


@pytest.mark.parametrize(("text", "blocks"), pairs_of("plain.txt"))
def test_plain_text_is_read_as_its_blocks(text: str, blocks: str) -> None:
    assert block_texts(text) == literal_eval(blocks)
    document = plain(text)
    assert (document.root.sections, document.metadata) == ((), {})


def test_items_have_their_numbers_and_a_paragraph_continues_across_a_page_break() -> None:
    first = plain("1. one.\n2. two.\n").root.blocks[0]
    assert isinstance(first, ListBlock)
    assert (True, ["1.", "2."]) == (first.ordered, [item.marker for item in first.items])
    text = "one and\n\fthe same\n"
    assert ["one and the same"] == [words.replace("\f", "") for words in block_texts(text)]
    assert ((0, 1), (9, 2)) == plain(text).source.page_marks


ROWS = "".join(f"line {n}      {n * 7} things    {n} more\n" for n in range(60))
PROSE = "One says a thing here. And then another one comes. ".replace(" ", "\u00a0") * 20
ITEM = "1.  " + "One says a thing. " * 30 + "\n\n    " + "Then again another. " * 30


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [(ROWS, "line ", " more"), (PROSE, "", "."), (f"{ITEM}\n\n2.  Two.\n", "", "")],
    ids=["table", "non-breaking spaces", "item"],
)
def test_plain_text_is_cut_at_line_ends_and_sentences(text: str, first: str, last: str) -> None:
    chunks = pack(Source(text, "t.txt"), PackConfig(max_tokens=64, markup="plain"))
    assert len(chunks) > 4
    assert all(chunk.text in text for chunk in chunks)
    assert all(chunk.text.startswith(first) for chunk in chunks)
    assert all(chunk.text.rstrip().endswith(last) for chunk in chunks)


# -------------------------------------------------------------------- markdown or plain

PLAIN = "# heap\n# stack\nheap = 5\n\n        Indented words as printers liked to set them.\n"


@pytest.mark.parametrize(
    ("name", "expected"),
    [("a.md", "markdown"), ("a.MDX", "markdown"), ("", "markdown"), ("a.RST", "plain")],
)
def test_the_file_name_alone_decides_the_markup(name: str, expected: str) -> None:
    for text in (PLAIN, "# Words\n\nMore of them.\n"):
        document = parse(Source(text, name))
        assert expected == document.markup
        assert document.markup_reason


SIGNS = [
    (line.replace("↵", "\n"), sign) for sign, lines in parts_of("markup.txt") for line in lines
]
FAR_TABLE = "Words.\n" * 3000 + "\na | b\n--|--\nc | d\n"
ONE_LINK = f"See [a](b.md).\n{'Words of prose.' * 9}\n" + "More of them.\n" * 200


@pytest.mark.parametrize(("text", "sign"), [*SIGNS, (FAR_TABLE, "a table"), (ONE_LINK, "none")])
def test_signs_of_markdown_anywhere_in_a_txt_make_it_markdown(text: str, sign: str) -> None:
    """Comments of code and of settings are none."""
    names = ("a.txt", "a.pdf") if sign != "none" else ("a.txt",)
    reason = sign if sign != "none" else "no headings, links or tables of markdown"
    for name, end in product(names, ("\n", "\r\n")):
        choice = choose(Source(text.replace("\n", end), name))
        assert choice.markup == ("markdown" if sign != "none" else "plain")
        assert reason in choice.reason


@pytest.mark.parametrize("markup", ["markdown", "plain"])
def test_a_reader_or_the_markup_setting_overrides_the_detection(markup: Any) -> None:  # noqa: ANN401 - a Literal
    for name in ("a.md", "a.txt", ""):
        assert markup == parse(Source(PLAIN, name), markup=markup).markup
    chunk = pack(PLAIN, PackConfig(markup=markup))[0]
    assert chunk.markup == ("plain" if markup == "plain" else None)
    source = Source(PLAIN, "a.txt", origins=((0, "docx:paragraph 1"),))
    assert ("markdown", "it became markdown when it was read") == choose(source)


def test_show_prints_the_markup_and_the_reason(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(PLAIN, encoding="utf-8")
    assert "read as plain: its name ends with .txt" in run("show", tmp_path / "a.txt").stdout
    shown = run("show", "--markup", "markdown", tmp_path / "a.txt").stdout
    assert "read as markdown: the settings say so" in shown


def test_adapters_choose_the_markup_by_file_name() -> None:
    text = "# a comment\n\nsize 5\n"
    pages = [LangDocument(text, metadata={"source": name}) for name in ("a.txt", "a.md")]
    by_name, as_markdown = (
        [s.metadata.get("breadcrumb") for page in pages for s in splitter.split_documents([page])]
        for splitter in (TreepackTextSplitter(), TreepackTextSplitter(markup="markdown"))
    )
    assert ([None, "a comment"], ["a comment"] * 2) == (by_name, as_markdown)
    assert "plain" == TreepackNodeParser(markup="plain").to_dict()["markup"]


# -------------------------------------------------------------------- the laws

LINES = st.sampled_from(case_file("parts/written.json")["plain lines"])
plain_texts = st.builds(
    lambda lines, end: end.join(lines),
    st.lists(LINES, max_size=40),
    st.sampled_from(("\n", "\r\n", "\r")),
)


@settings(max_examples=150)
@given(st.one_of(plain_texts, random_texts))
def test_the_blocks_contain_all_text_except_whitespace(text: str) -> None:
    document = plain(text)
    view = document.text
    at = int(text.startswith("\ufeff"))
    for block in document.root.blocks:
        assert not view[at : block.start].strip()
        assert view[block.start : block.end].strip()
        at = block.end
        inside = children(block)
        assert not inside or (block.start, block.end) == (inside[0].start, inside[-1].end)
    assert not view[at:].strip()


@settings(max_examples=150)
@given(st.one_of(plain_texts, random_texts), configs())
def test_the_laws_hold_for_plain_text(text: str, config: PackConfig) -> None:
    config = config.model_copy(update={"markup": "plain"})
    source = Source(text, "x.txt")
    assert () == audit(source, pack(source, config), config).findings


ESSAY = "".join(
    f"Number {n} of many sentences goes on\nfor some while. Then comes another thing.\n\n"
    for n in range(40)
)
TABLE = "".join(f"row {n}      {n} pieces      {n * 3} grams\n" for n in range(40))
ITEMS = "".join(f"- item {n} has some words\n  that hang under it\n" for n in range(40))


@pytest.mark.parametrize(
    ("text", "by", "reason"),
    [(ESSAY, 12, "a paragraph of"), (TABLE, 5, "a line of"), (ITEMS, 8, "a list item of")],
)
def test_the_audit_finds_plain_text_paragraphs_lines_and_items_that_are_cut(
    text: str, by: int, reason: str
) -> None:
    """The ends of chunks are moved to the right, without changing the order."""
    settings = PackConfig(max_tokens=48, markup="plain")
    spans = [chunk.segments[0].span for chunk in pack(Source(text, "x.txt"), settings)]
    places = [span[0] for span in spans[1:] if span]
    whole, moved = (
        [text[a:b] for a, b in pairwise([0, *(at + more for at in places), len(text)])]
        for more in (0, by)
    )
    assert audit(text, whole, settings).ok
    assert 1 in {each.law for each in audit(text, [*whole[:3], *whole[4:]], settings).findings}
    found = audit(text, moved, PackConfig(max_tokens=60, markup="plain")).findings
    assert {9} == {finding.law for finding in found}
    assert any(reason in finding.reason for finding in found)


def test_the_audit_finds_a_comment_taken_for_a_heading() -> None:
    source = Source("# heap\nsize 5\n\n# stack\nsize 7\n", "x.txt")
    chunks = pack(source, PackConfig(markup="markdown", sections="separate"))
    assert audit(source.text, chunks).ok
    found = audit(source.text, chunks, PackConfig(markup="plain"), has_cap=False).findings
    assert {7} == {finding.law for finding in found}


def test_the_audit_uses_the_markup_stored_in_the_chunks(tmp_path: Path) -> None:
    """In markdown, the rule below the words would make them a heading, which no breadcrumb has."""
    text = "Ada Byron\n------------\n\n" + ESSAY
    chunks = pack(Source(text, "x.txt"), PackConfig(max_tokens=48))
    assert ["plain", None] == [chunks[0].markup, chunks[1].markup]
    assert audit(text, chunks, PackConfig(max_tokens=48)).ok
    assert not audit(text, chunks, PackConfig(max_tokens=48, markup="markdown")).ok
    again = Chunks.from_jsonl(chunks.to_jsonl())
    assert audit(text, again, PackConfig(max_tokens=48)).ok
    # Chunks of other tools are texts, which do not show how the source was read.
    lines = [json.dumps({"document": "x.txt", "text": chunk.text}) for chunk in chunks]
    (tmp_path / "x.txt").write_text(text, encoding="utf-8")
    (tmp_path / "x.jsonl").write_text("\n".join(lines), encoding="utf-8")
    call = ("--chunks", tmp_path / "x.jsonl", "--max", 48, tmp_path / "x.txt")
    assert 0 == run("audit", "--markup", "plain", *call).returncode
    assert 1 == run("audit", "--markup", "markdown", *call).returncode


# -------------------------------------------------------------------- cost


@pytest.mark.parametrize("part", case_file("parts/written.json")["plain parts"])
def test_plain_text_is_parsed_and_audited_in_linear_time(part: str) -> None:
    def work(times: int) -> None:
        source = Source(part * times, "x.txt")
        chunks = pack(source, PackConfig(max_tokens=64, markup="plain"))
        assert audit(source, chunks, PackConfig(max_tokens=64)).ok

    assert_linear(work, 200, times=2)


def test_ever_deeper_items_have_a_limited_nesting_depth() -> None:
    text = "".join(f"{' ' * n}- item\n\n" for n in range(300))
    document = plain(text)

    def depth(block: Block | ListItem) -> int:
        return 1 + max((depth(inner) for inner in children(block)), default=0)

    assert max(depth(block) for block in document.root.blocks) < 20


def test_lines_with_the_next_dotted_number_begin_paragraphs_unless_they_are_contents() -> None:
    text = "\n".join(dict(parts_of("legal_texts.txt"))["duties"])
    found = find_clauses(parse(Source(text, "a.txt"), markup="plain"))
    assert [clause.number for clause in found] == ["2.1", "2.2", "2.3", "2.3(a)", "2.3(b)", "2.4"]
    text = "".join(f"1.{n} The lamps of the harbour {n}\n" for n in range(1, 8))
    assert len(parse(Source(text, "a.txt"), outline="trust").root.blocks) == 1


def test_each_line_is_a_paragraph_if_paragraphs_take_one_line() -> None:
    """Word processors save text like this, and web pages yield it; chunks end with a paragraph."""
    sentence = (
        "The pump moves water from the lower tank to the upper one, and stops by itself; nobody has"
        " to watch it, although somebody should look at the filter each week, and clean it."
    )
    lines = [sentence, f"{sentence} {sentence}", "- one bolt", "- two nuts", sentence]
    lines += [f"1. {sentence}", f"2. {sentence}"]
    blocks = parse(Source("\n".join([*lines, sentence]), "a.txt")).root.blocks
    kinds = ["paragraph", "paragraph", "list", "paragraph", "list", "paragraph"]
    assert [block.kind for block in blocks] == kinds
    chunks = pack(Source("\n".join([sentence] * 40), "a.txt"), max_tokens=200, target_tokens=150)
    assert {chunk.text[-9:] for chunk in chunks} == {"clean it."}
