"""Plain text: how it is read, distinguished from markdown, and judged by the audit."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from command_line import run
from function_calls import calls
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


@pytest.mark.parametrize(
    "text",
    [
        "# the size of the heap\nheap = 5",
        "## not a title",
        "Name\n=========",
        "Yours, Ada\n-----",
        "> quoted words",
        "```\nnot code",
        "<b>no tag</b>",
        "[a]: b",
        "| a | b |",
        "***",
    ],
)
def test_markdown_markup_is_read_as_text(text: str) -> None:
    document = plain(text)
    assert [{"paragraph"}, ()] == [
        {block.kind for block in document.root.blocks},
        document.root.sections,
    ]


def test_indented_text_is_not_code() -> None:
    text = "One line.\n\n        Far to the right.\n\n\tA tab before it.\n"
    assert ["One line.", "Far to the right.", "A tab before it."] == block_texts(text)


@pytest.mark.parametrize("second", ["1995. It went on", "- it went on", "* again", "a) again"])
def test_a_wrapped_line_that_begins_like_an_item_stays_in_its_paragraph(second: str) -> None:
    assert [f"It began in {second} and ended."] == block_texts(
        f"It began in\n{second}\nand ended.\n"
    )


def test_continuation_lines_of_an_item_may_be_indented_or_not() -> None:
    text = "- one\n  goes on\n- two\ngoes on\n\n- three\n"
    assert [[["one goes on"], ["two goes on"], ["three"]]] == block_texts(text)


def test_blocks_indented_deeper_than_a_marker_belong_to_its_item() -> None:
    text = "  o  one\n\n     more\n\n     -  inner\n\n  o  two\n\n  After.\n"
    assert [[["one", "more", [["inner"]]], ["two"]], "After."] == block_texts(text)


def test_consecutive_numbers_form_one_list() -> None:
    assert [[["one."], ["two."]], [["nine."]]] == block_texts("1. one.\n2. two.\n\n9. nine.\n")
    first = plain("1. one.\n2. two.\n").root.blocks[0]
    assert isinstance(first, ListBlock)
    assert (True, ["1.", "2."]) == (first.ordered, [item.marker for item in first.items])


def test_a_list_inside_a_paragraph_needs_an_intro_or_a_second_item() -> None:
    assert ["We need:", [["bread"]]] == block_texts("We need:\n- bread\n")
    assert ["We need", [["bread"], ["salt"]]] == block_texts("We need\n- bread\n- salt\n")
    assert ["We need - bread"] == block_texts("We need\n- bread\n")


def test_letters_in_brackets_label_paragraphs() -> None:
    text = "The parties agree:\n(a) to meet;\n    often;\n(b) to part.\n"
    assert ["The parties agree:", "(a) to meet; often;", "(b) to part."] == block_texts(text)


def test_the_label_i_may_be_a_roman_number_or_a_letter() -> None:
    text = "(i) one\n(ii) two\n(iii) three\n(iv) four\n"
    assert ["(i) one", "(ii) two", "(iii) three", "(iv) four"] == block_texts(text)
    assert ["(h) one", "(i) two"] == block_texts("(h) one\n(i) two\n")


def test_invalid_roman_numbers_are_not_labels() -> None:
    assert ["(iv) one (vx) two"] == block_texts("(iv) one\n(vx) two\n")
    assert ["(iii) one (iiii) two"] == block_texts("(iii) one\n(iiii) two\n")


def test_the_attribution_below_a_quotation_is_not_a_list() -> None:
    quotation = "Words that somebody said\nat some time.\n\t\t-- Ada Byron\n"
    assert [" ".join(quotation.split())] == block_texts(quotation)


@pytest.mark.parametrize(
    "text",
    [
        "name      size\nann        170\nbob        180",
        "+-----+\n| box |\n+-----+",
        "┌───┐\n│ a │\n└───┘",
        "int a = 1;\nint b = 2;\nshow(a, b);",
        "Scope ........ 3\nTerms ........ 5",
        "12 30 17\n18 22 50",
    ],
)
def test_lines_with_meaningful_spacing_are_marked_as_laid_out(text: str) -> None:
    assert [{" ".join(text.split())}] == block_texts(text)


def test_justified_prose_is_not_marked_as_laid_out() -> None:
    assert ["It is justified text whose blanks are wide."] == block_texts(
        "It  is justified   text\nwhose  blanks are wide.\n"
    )


def test_a_paragraph_continues_across_a_page_break() -> None:
    assert ["one and the same"] == [
        words.replace("\f", "") for words in block_texts("one and\n\fthe same\n")
    ]
    assert ((0, 1), (9, 2)) == plain("one and\n\fthe same\n").source.page_marks


def test_plain_text_has_no_front_matter() -> None:
    text = "---\ndate: 2020-01-01\n---\n\nText.\n"
    assert {} == plain(text).metadata
    assert {"date": "2020-01-01"} == parse(text, markup="markdown").metadata


def test_a_plain_text_table_is_cut_at_line_ends() -> None:
    rows = "".join(f"line {n}      {n * 7} things    {n} more\n" for n in range(60))
    chunks = pack(Source(rows, "t.txt"), PackConfig(max_tokens=64, markup="plain"))
    assert len(chunks) > 5
    assert all(chunk.text.startswith("line ") for chunk in chunks)
    assert all(chunk.text.endswith(" more") for chunk in chunks)


def test_chunks_of_a_plain_text_item_are_unchanged_source_text() -> None:
    item = "1.  " + "One says a thing. " * 30 + "\n\n    " + "Then again another. " * 30
    text = f"{item}\n\n2.  Two.\n"
    chunks = pack(Source(text, "t.txt"), PackConfig(max_tokens=64, markup="plain"))
    assert all(chunk.text in text for chunk in chunks)


def test_text_with_only_non_breaking_spaces_is_cut_at_sentences() -> None:
    text = "One says a thing here. And then another one comes. ".replace(" ", "\u00a0") * 20
    chunks = pack(Source(text, "t.txt"), PackConfig(max_tokens=64))
    assert len(chunks) > 5
    assert all(chunk.text.rstrip().endswith(".") for chunk in chunks)


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


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("# Install\n\nRun the installer.\n", "headings"),
        ("<!-- page 1 -->\n# Title\n\nThe words are here.\n", "headings"),
        ("# Title\nShort words below.\n\n## Part\nMore words below.\n", "headings"),
        ("Intro.\n\n## Pflege\n\nEs wird geputzt.\n\n## Ende\n\nEs ruht.\n", "headings"),
        ("# 手册\n\n请先打开阀门。\n\n## 维护\n\n每天清洁。\n", "headings"),
        ("# Buy\n\n- milk\n- eggs\n\n# Sell\n\n- a hammer\n", "headings"),
        ("# Use\n\n```sh\n# note\nx=1; y=2\n```\n\nThen run it.\n\n## More\n\nDone.\n", "headings"),
        ("See [the guide](https://a.org/x) for more.\n", "links"),
        ("Siehe [Teil 2](teil2.md#a), und dann\n[Teil 3](/docs/3).\n", "links"),
        ("| Lampe | Ort |\n| --- | --- |\n| a | b |\n", "a table"),
        ("Words.\n" * 3000 + "\na | b\n--|--\nc | d\n", "a table"),
    ],
)
def test_signs_of_markdown_anywhere_in_a_txt_make_it_markdown(text: str, sign: str) -> None:
    for name in ("a.txt", "a.pdf"):
        for end in ("\n", "\r\n"):
            choice = choose(Source(text.replace("\n", end), name))
            assert (choice.markup, sign in choice.reason) == ("markdown", True)


@pytest.mark.parametrize(
    "text",
    [
        "Words.\n",
        PLAIN,
        "#!/bin/sh\n# Install\n\napt-get update\n\n# Configure\n\ncp a b\n",
        "# Install\n\napt-get update\n\n# Configure\n\ncp a b\n",
        "# The port of the server\nPort 22\n\n# Use this address\nListenAddress 0.0.0.0\n",
        "# Network\n\nport=1\nhost=b\n\n# Disk\n\nsize=4\n",
        "# Server\n\nserver:\n  port: 80\n\n# Client\n\nclient:\n  host: x\n",
        "# hosts\n\n- name: a\n- name: b\n",
        "# This file configures lamps.\n\n# Each lamp has a number. Set it here.\n\nlamp 5\n",
        "#include <stdio.h>\n#define X 1\n\nint main() {\n  a[i](x.y);\n  return 0;\n}\n",
        'import os\n\n# Part\n\ndef f(x):\n    """Do."""\n    return x\n\n# End\n\ny = 1\n',
        " id | name\n----+-----\n 1 | x\n",
        "Title\n=====\n\nSome text.\n",
        f"See [a](b.md).\n{'Words of prose.' * 9}\n" + "More of them.\n" * 200,
    ],
)
def test_comments_of_code_and_settings_are_no_signs_of_markdown(text: str) -> None:
    choice = choose(Source(text, "a.txt"))
    assert choice.markup == "plain"
    assert choice.reason.endswith("no headings, links or tables of markdown")


def test_text_produced_by_a_reader_is_markdown() -> None:
    source = Source(PLAIN, "a.txt", origins=((0, "docx:paragraph 1"),))
    assert ("markdown", "it became markdown when it was read") == choose(source)


@pytest.mark.parametrize("markup", ["markdown", "plain"])
def test_the_markup_setting_overrides_the_detection(markup: Any) -> None:  # noqa: ANN401 - a Literal
    for name in ("a.md", "a.txt", ""):
        assert markup == parse(Source(PLAIN, name), markup=markup).markup
    assert ("plain" if markup == "plain" else None) == pack(PLAIN, PackConfig(markup=markup))[
        0
    ].markup


def test_a_stored_document_keeps_its_markup_and_the_reason() -> None:
    document = parse(PLAIN)
    again = Document.from_json(document.to_json())
    assert document == again
    assert document.markup_reason == again.markup_reason
    assert pack(document) == pack(again) == pack(PLAIN)


def test_show_prints_the_markup_and_the_reason(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(PLAIN, encoding="utf-8")
    assert "read as plain: its name ends with .txt" in run("show", tmp_path / "a.txt").stdout
    shown = run("show", "--markup", "markdown", tmp_path / "a.txt").stdout
    assert "read as markdown: the settings say so" in shown


def test_adapters_choose_the_markup_by_file_name() -> None:
    text = "# a comment\n\nsize 5\n"
    pages = [LangDocument(text, metadata={"source": name}) for name in ("a.txt", "a.md")]
    breadcrumbs = [
        split.metadata.get("breadcrumb") for split in _split_each(TreepackTextSplitter(), pages)
    ]
    assert [None, "a comment"] == breadcrumbs
    setting = TreepackTextSplitter(markup="markdown")
    assert ["a comment"] * 2 == [d.metadata.get("breadcrumb") for d in _split_each(setting, pages)]
    assert "plain" == TreepackNodeParser(markup="plain").to_dict()["markup"]


def _split_each(splitter: TreepackTextSplitter, pages: list[LangDocument]) -> list[LangDocument]:
    return [split for page in pages for split in splitter.split_documents([page])]


# -------------------------------------------------------------------- the laws

LINES = st.sampled_from(
    (
        *("Words that say a thing. And more.", "and so on", "- item", "- item two", "  - inner"),
        *("1. one", "2. two", "(a) first", "(b) second", "      far right words", "", "", "", "\f"),
        *("a      b      c", "1       2      3", "# comment", "=====", "A lead-in:", "o  bullet"),
        *("-f    flag", "          hanging", "\tTab words", "int x = 5;", "\u00a0\u00a0blank", "·"),
    )
)
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
    blocks: list[Block | ListItem] = list(document.root.blocks)
    at = int(text.startswith("\ufeff"))
    for block in blocks:
        assert not view[at : block.start].strip()
        assert view[block.start : block.end].strip()
        at = block.end
        inside = children(block)
        assert (
            not inside
            or (block.start, block.end) == (inside[0].start, inside[-1].end)
            or (isinstance(block, ListItem))
        )
    assert not view[at:].strip()


@settings(max_examples=150)
@given(st.one_of(plain_texts, random_texts), configs())
def test_the_laws_hold_for_plain_text(text: str, config: PackConfig) -> None:
    config = config.model_copy(update={"markup": "plain"})
    source = Source(text, "x.txt")
    assert [] == audit_findings(source, pack(source, config), config)


def audit_findings(source: Source, chunks: Chunks, config: PackConfig) -> list[str]:
    report = audit(
        source,
        chunks,
        config,
    )
    return [str(finding) for finding in report.findings]


ESSAY = "".join(
    f"Number {n} of many sentences goes on\nfor some while. Then comes another thing.\n\n"
    for n in range(40)
)
TABLE = "".join(f"row {n}      {n} pieces      {n * 3} grams\n" for n in range(40))
ITEMS = "".join(f"- item {n} has some words\n  that hang under it\n" for n in range(40))


def texts_cut_later(text: str, by: int) -> list[str]:
    """Return the texts of chunks whose ends are moved to the right, without changing the order."""
    chunks = pack(Source(text, "x.txt"), PackConfig(max_tokens=48, markup="plain"))
    spans = [chunk.segments[0].span for chunk in chunks]
    starts = [0, *(span[0] + by for span in spans[1:] if span), len(text)]
    return [text[a:b] for a, b in pairwise(starts)]


@pytest.mark.parametrize(
    ("text", "by", "reason"),
    [
        (ESSAY, 12, "a paragraph of"),
        (TABLE, 5, "a line of"),
        (ITEMS, 8, "a list item of"),
    ],
)
def test_the_audit_finds_plain_text_paragraphs_lines_and_items_that_are_cut(
    text: str, by: int, reason: str
) -> None:
    whole, moved = texts_cut_later(text, 0), texts_cut_later(text, by)
    assert audit(text, whole, PackConfig(max_tokens=48, markup="plain")).ok
    found = audit(text, moved, PackConfig(max_tokens=60, markup="plain")).findings
    assert {9} == {finding.law for finding in found}
    assert any(reason in finding.reason for finding in found)


def test_the_audit_finds_missing_plain_text() -> None:
    texts = texts_cut_later(ESSAY, 0)
    report = audit(ESSAY, [*texts[:3], *texts[4:]], PackConfig(max_tokens=48, markup="plain"))
    assert 1 in {finding.law for finding in report.findings}


def test_the_audit_finds_a_comment_taken_for_a_heading() -> None:
    text = "# heap\nsize 5\n\n# stack\nsize 7\n"
    read_as_markdown = pack(
        Source(text, "x.txt"), PackConfig(markup="markdown", sections="separate")
    )
    assert audit(text, read_as_markdown).ok
    plain = PackConfig(markup="plain")
    found = audit(text, read_as_markdown, plain, has_cap=False).findings
    assert {7} == {finding.law for finding in found}


def test_the_audit_uses_the_markup_stored_in_the_chunks() -> None:
    """In markdown, the rule below the words would make them a heading, which no breadcrumb has."""
    text = "Ada Byron\n------------\n\n" + ESSAY
    chunks = pack(Source(text, "x.txt"), PackConfig(max_tokens=48))
    assert ["plain", None] == [chunks[0].markup, chunks[1].markup]
    assert audit(text, chunks, PackConfig(max_tokens=48)).ok
    assert not audit(text, chunks, PackConfig(max_tokens=48, markup="markdown")).ok
    again = Chunks.from_jsonl(chunks.to_jsonl())
    assert audit(text, again, PackConfig(max_tokens=48)).ok


def test_the_audit_command_reads_the_source_by_its_markup_option(tmp_path: Path) -> None:
    """Chunks of other tools are texts, which do not show how the source was read."""
    text = "Ada Byron\n---------\n\n" + ESSAY
    chunks = pack(Source(text, "x.txt"), PackConfig(max_tokens=48))
    lines = [json.dumps({"document": "x.txt", "text": chunk.text}) for chunk in chunks]
    (tmp_path / "x.txt").write_text(text, encoding="utf-8")
    (tmp_path / "x.jsonl").write_text("\n".join(lines), encoding="utf-8")
    arguments = ("--chunks", tmp_path / "x.jsonl", "--max", 48, tmp_path / "x.txt")
    assert [0, 1] == [
        run("audit", "--markup", markup, *arguments).returncode for markup in ("plain", "markdown")
    ]


# -------------------------------------------------------------------- cost


@pytest.mark.parametrize(
    "part",
    [
        "- item\n",
        "- item\n\n",
        "  1. one\n\n    words\n",
        "(a) x\n(b) y\n",
        "a    b    c\n",
        "head\n     body\n",
        "words: \n- x\n",
        "A lead-in:\n\n- x\n\n",
    ],
)
def test_plain_text_is_parsed_and_audited_in_linear_time(part: str) -> None:
    def work(times: int) -> int:
        source = Source(part * times, "x.txt")
        chunks = pack(source, PackConfig(max_tokens=64, markup="plain"))
        return calls(lambda: parse(source, markup="plain")) + calls(
            lambda: audit(source, chunks, PackConfig(max_tokens=64))
        )

    work(10)
    assert work(400) <= 2.6 * work(200) + 1000


def test_ever_deeper_items_have_a_limited_nesting_depth() -> None:
    text = "".join(f"{' ' * n}- item\n\n" for n in range(300))
    document = plain(text)

    def depth(block: Block | ListItem) -> int:
        return 1 + max((depth(inner) for inner in children(block)), default=0)

    assert max(depth(block) for block in document.root.blocks) < 20


def test_fence_markers_do_not_affect_plain_text() -> None:
    """Only in markdown would they turn what follows into code."""
    text = "\n\n".join(f"Some words of part {i}.\n```\nx = {i}\n```" for i in range(20))
    plain = PackConfig(markup="plain")
    [chunk] = pack(text, plain)
    assert chunk.text == text
    assert audit(text, [chunk]).findings == ()


_ONE_LINE = " is a duty of the keeper of the lamps, by day and by night, whatever the weather is."
DUTIES = f"""2. Duties
2.1. The first{_ONE_LINE}
2.2. The second{_ONE_LINE} They go on as section
2.3 of the other text says.
2.3. The third{_ONE_LINE} The keeper shall:
a) light the lamps;
b) mend the lamps;
2.4. The fourth{_ONE_LINE}
"""


def test_lines_that_begin_with_the_next_dotted_number_begin_paragraphs() -> None:
    found = find_clauses(parse(Source(DUTIES, "a.txt"), markup="plain"))
    assert [clause.number for clause in found] == ["2.1", "2.2", "2.3", "2.3(a)", "2.3(b)", "2.4"]


def test_the_lines_of_a_table_of_contents_form_one_paragraph() -> None:
    text = "".join(f"1.{n} The lamps of the harbour {n}\n" for n in range(1, 8))
    assert len(parse(Source(text, "a.txt"), outline="trust").root.blocks) == 1


def test_each_line_is_a_paragraph_if_paragraphs_take_one_line() -> None:
    """Word processors save text like this, and web pages yield it; chunks end with a paragraph."""
    sentence = (
        "The pump moves water from the lower tank to the upper one, and stops by itself; nobody has"
        " to watch it, although somebody should look at the filter each week, and clean it."
    )
    lines = [
        sentence,
        f"{sentence} {sentence}",
        "- one bolt",
        "- two nuts",
        sentence,
        f"1. {sentence}",
        f"2. {sentence}",
    ]
    blocks = parse(Source("\n".join([*lines, sentence]), "a.txt")).root.blocks
    kinds = ["paragraph", "paragraph", "list", "paragraph", "list", "paragraph"]
    assert [block.kind for block in blocks] == kinds
    chunks = pack(Source("\n".join([sentence] * 40), "a.txt"), max_tokens=200, target_tokens=150)
    assert {chunk.text[-9:] for chunk in chunks} == {"clean it."}
