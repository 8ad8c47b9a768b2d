"""The running document with its chunks: whatever they are, nothing of them is left out."""

import re
from collections.abc import Callable, Sequence
from html import unescape
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace
from typing import Final

import pytest
from hypothesis import given, settings
from langchain_core.documents import Document as LangChainDocument
from langchain_text_splitters import MarkdownHeaderTextSplitter, RecursiveCharacterTextSplitter
from llama_index.core import Document as LlamaDocument
from llama_index.core.node_parser import MarkdownNodeParser, TokenTextSplitter
from pages import Page
from report_pages import MANUAL, TIGHT, visible_text
from strategies import any_text, configs, generated

import treepack
from treepack import (
    Chunks,
    PackConfig,
    Source,
    SourceError,
    TreepackNodeParser,
    TreepackTextSplitter,
    show,
)

ACT: Final = files("treepack.cli").joinpath("river-act.md").read_text(encoding="utf-8")
Make = Callable[[str], Sequence[object]]


def nodes(text: str) -> Sequence[object]:
    parser = TreepackNodeParser(chunk_size=200)
    return parser.get_nodes_from_documents([LlamaDocument(text=text, id_="act.md")])


def documents(text: str) -> Sequence[object]:
    made = TreepackTextSplitter(chunk_size=200)
    return made.split_documents([LangChainDocument(text, metadata={"source": "act.md"})])


def tokens(text: str) -> Sequence[object]:
    splitter = TokenTextSplitter(chunk_size=120, chunk_overlap=40)
    return splitter.get_nodes_from_documents([LlamaDocument(text=text)])


def headed(text: str) -> Sequence[object]:
    return MarkdownNodeParser().get_nodes_from_documents([LlamaDocument(text=text)])


def texts(text: str) -> Sequence[object]:
    return RecursiveCharacterTextSplitter(chunk_size=300, chunk_overlap=60).split_text(text)


def text_of(item: object) -> str:
    for name in ("text", "page_content"):
        if hasattr(item, name):
            return str(getattr(item, name))
    return str(item)


def page_of(items: Sequence[object], source: str | Source | None = None) -> Page:
    return Page(show(items, source).to_html())


def without_marks(text: str) -> str:
    return re.sub(r"<!-- page \d+ -->|\s", "", text)


def marked(page: Page) -> int:
    """How many chunks have repeated text that is folded."""
    return sum(each.get("class") == "again" for each in page.attributes("details"))


@pytest.mark.parametrize("make", [treepack.pack, nodes, documents, tokens, headed, texts])
@pytest.mark.parametrize("source", [None, ACT])
def test_every_kind_of_chunk_is_shown_with_all_of_its_text(make: Make, source: str | None) -> None:
    items = make(ACT)
    page = page_of(items, source)
    assert len(items) == len(page.sections)
    listed = [each["href"] for each in page.attributes("a") if each.get("title")]
    assert [f"#{key}" for key in page.sections] == listed
    shown = without_marks(page.text)
    for item in items:
        assert without_marks(text_of(item))[-20:] in shown


@pytest.mark.parametrize("make", [treepack.pack, nodes, documents])
@pytest.mark.parametrize("source", [None, ACT])
def test_headings_clauses_and_tokens_are_beside_each_chunk(make: Make, source: str | None) -> None:
    page = page_of(make(ACT), source)
    for words in ("River Mooring Act › Chapter 3 Charges › Schedule 1 Charges", "Article 9", "8"):
        assert words in page.text
    heads = [each["title"] or "" for each in page.attributes("p") if each.get("class") == "head"]
    assert len(heads) == len(page.sections)
    assert any("clause 9" in head and "River Mooring Act, Article 9" in head for head in heads)
    assert all(re.match(r"Chunk \d+, \d+ tokens\n", head) for head in heads)


@pytest.mark.parametrize("make", [treepack.pack, nodes, documents, tokens, texts])
@pytest.mark.parametrize("source", [None, ACT])
def test_repeated_text_is_folded_and_named(make: Make, source: str | None) -> None:
    """A table's header and caption, or the end of the previous chunk."""
    page = page_of(make(ACT), source)
    assert marked(page) >= 1
    own = visible_text("".join(page.own.values()))
    assert own.count("|Metres|") == 1, "the header is the chunk's own only once"


def headers(text: str) -> Sequence[object]:
    """They join the paragraphs in their own way, and drop the headings."""
    levels = [("#", "Header 1"), ("##", "Header 2"), ("###", "Header 3")]
    return MarkdownHeaderTextSplitter(levels).split_text(text)


CODE: Final = (
    "# T\n\nIntro here.\n\n```\n" + "".join(f"line {n} of code\n" for n in range(12)) + "```\n"
)
"""Its code is cut, so that a fence is added at the end of a piece."""


@pytest.mark.parametrize("text", [ACT, CODE, ACT.replace("\n", "\r\n")])
@pytest.mark.parametrize("size", [48, 200])
def test_nothing_of_treepacks_own_texts_is_called_lost(text: str, size: int) -> None:
    config = PackConfig(max_tokens=size)
    own = [chunk.text for chunk in treepack.pack(Source(text, "a.md"), config)]
    for items in (own, TreepackTextSplitter(chunk_size=size).create_documents([text])):
        assert "lost by the splitter" not in page_of(items, text).text


def test_headings_are_lost_where_a_splitter_drops_them() -> None:
    page = page_of(headers(ACT), ACT)
    gone = re.findall(r"In no chunk: lost by the splitter (.*)", page.text)
    assert gone
    assert all(line.startswith("#") for line in gone)
    assert "Article 9 Custody" in page.text


def test_chunks_of_another_version_of_the_source_are_searched_for() -> None:
    chunks = treepack.pack(
        "# A\n\none two three\n\n## B\n\nfour five\n", name="a.md", max_tokens=16
    )
    page = page_of(chunks, "# New\n\n# A\n\none two three\n\n## B\n\nfour five\n")
    assert ["# A\n\none two three", "## B\n\nfour five"] == list(page.own.values())
    assert "lost by the splitter # New" in page.text


@pytest.mark.parametrize(
    "items",
    [
        ["alpha.", "\n\nbeta."],
        ["x.\n\n6.3.", "\n\n[…]\n\n6.4. y"],
        ["a\n```sh\nb\n```", "```sh\nc\n```"],
    ],
)
def test_what_is_short_or_blank_is_not_called_repeated(items: Sequence[str]) -> None:
    page = page_of(items)
    assert not marked(page)
    assert "repeated text is marked" not in page.text


NESTED: Final = "# T\n\n* **args** is the outer item here\n\n" + "".join(
    f"    * **index {n}** is a nested item of the outer one\n" for n in range(12)
)
"""A piece of its list begins with the marker of the outer item, on the line of a nested one."""


@pytest.mark.parametrize(
    "text",
    [
        NESTED,
        "---\ntitle: Act\n---\n# A\n\nOne.\n",
        "# A\n\none two\n<!-- page 2 -->\nthree four\n",
    ],
)
def test_what_treepack_adds_or_leaves_out_is_not_called_lost(text: str) -> None:
    made = TreepackTextSplitter(chunk_size=48).create_documents([text])
    page = page_of(made, text)
    assert "lost by the splitter" not in page.text
    own = "".join(page.own.values())
    assert without_marks(text.rpartition("---\n")[2]) == without_marks(own)


def test_equal_rows_follow_each_other_and_are_not_called_repeated() -> None:
    rows = "| a | b |\n" * 40
    assert not marked(page_of([rows[:200], rows[200:]], rows))


def test_a_text_that_the_previous_one_has_too_is_searched_for_behind_it() -> None:
    page = page_of(["alpha beta gamma.", "beta"], "alpha beta gamma. delta beta")
    assert "lost by the splitter delta" in page.text
    assert not marked(page)


def test_results_of_a_search_are_a_choice_in_which_nothing_is_lost() -> None:
    first, *_, last = [text_of(item) for item in texts(ACT)]
    page = page_of([last, first], ACT)
    assert "lost by the splitter" not in page.text
    assert not marked(page)
    shown = [without_marks(own) for own in page.own.values()]
    assert [without_marks(last), without_marks(first)] == shown


def test_neighbours_have_other_tints_and_each_view_has_its_own_ids() -> None:
    page = page_of(treepack.pack(ACT))
    classes = [(each["class"] or "").split() for each in page.attributes("section")]
    assert [["chunk", f"t{n % 4}"] for n in range(len(classes))] == classes
    assert not {*page.sections} & {*page_of(["Another text."]).sections}


@pytest.mark.parametrize("make", [headed, headers])
def test_headings_of_other_splitters_are_read_from_their_metadata(make: Make) -> None:
    heads = [each["title"] or "" for each in page_of(make(ACT)).attributes("p") if "title" in each]
    assert any("River Mooring Act › Chapter 4 Enforcement" in head for head in heads)


def test_paths_begin_below_the_document_and_repeated_ones_are_not_listed_again() -> None:
    page = page_of(treepack.pack(ACT, name="act.md"))
    heads = [each["title"] or "" for each in page.attributes("p") if each.get("class") == "head"]
    assert not any("act.md" in head for head in heads)
    assert "9 F 15 to 20 high" in " ".join(page.text.split())


def test_a_repeated_header_headings_and_code_are_set_apart() -> None:
    names = [each.get("class") for _, each in page_of(treepack.pack(ACT)).tags]
    assert names.count("wide drawn again") == 1
    assert names.count("b hd") == ACT.count("\n#") + 1
    assert "b gap" in names
    code = [each.get("class") for _, each in page_of(treepack.pack(CODE)).tags]
    assert "b code" in code


def test_only_the_first_of_several_documents_is_open() -> None:
    made = [*treepack.pack(ACT, name="a.md"), *treepack.pack(MANUAL, name="b.md")]
    parts = page_of(made).attributes("details")
    assert [True, False] == ["open" in each for each in parts if each.get("class") == "part"]


def test_parents_that_are_not_shown_are_counted() -> None:
    chunks = treepack.pack(ACT, PackConfig.preset("retrieval"), name="act.md")
    parents = sum(chunk.level == 0 for chunk in chunks)
    assert f"without {parents} parents" in repr(show(chunks))


@pytest.mark.parametrize("make", [tokens, headed, texts])
def test_what_a_splitter_loses_of_the_source_is_shown(make: Make) -> None:
    items = list(make(ACT))
    whole, without = page_of(items, ACT), page_of([*items[:2], *items[3:]], ACT)
    assert "lost by the splitter" not in whole.text
    assert "lost by the splitter" in without.text
    assert "lost by the splitter" in page_of(items[:-1], ACT).text


def test_text_that_is_not_in_the_source_is_shown_as_it_is() -> None:
    assert "Quite another text." in page_of(["Quite another text."], ACT).own.popitem()[1]


def test_parents_are_left_out_and_several_documents_are_kept_apart() -> None:
    levels = PackConfig(levels=(200, 60), target_tokens=60, min_tokens=0)
    chunks = treepack.pack(ACT, levels, name="act.md")
    leaves = [chunk.index for chunk in chunks if chunk.level == 1]
    assert leaves == [int(key.partition("-")[2]) for key in page_of(chunks).sections]
    parser = TreepackNodeParser(preset="retrieval")
    made = parser.get_nodes_from_documents(
        [LlamaDocument(text=ACT, id_="a"), LlamaDocument(text=MANUAL, id_="b")]
    )
    page = page_of(made)
    assert len(set(page.sections)) == len(page.sections) < len(made)
    assert "of 2 documents" in repr(show(made))
    with pytest.raises(ValueError, match="chunks of 2 documents"):
        show(made, ACT)


def test_chunks_remember_their_source_and_read_ones_do_without() -> None:
    chunks = treepack.pack(ACT, TIGHT, name="act.md")
    page, read = page_of(chunks), page_of(Chunks.from_jsonl(chunks.to_jsonl()))
    assert page.sections == read.sections
    own = visible_text("".join(page.own.values()))
    assert without_marks(ACT) == own
    assert own == visible_text("".join(read.own.values()))


def test_many_chunks_are_folded_in_parts() -> None:
    parts = page_of(["One.", "Two."] * 30).attributes("details")
    assert ["part", "part"] == [each["class"] for each in parts]
    assert all("open" in each for each in parts), "a page can be searched and printed"
    assert show(["One.", "Two."] * 30)._repr_html_().count('<details class="part" open>') == 1
    assert not page_of(["One."] * 50).attributes("details")


def test_a_notebook_gets_a_fragment_whose_style_stays_inside_it() -> None:
    """No script, and no rule that could change the rest of the notebook."""
    html = show(treepack.pack(ACT))._repr_html_()
    assert html.startswith("<style>")
    style, _, body = html.removeprefix("<style>").partition("</style>")
    assert "<script" not in html
    assert body.startswith('<div class="treepack notebook">')
    rules = re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL)
    while "(" in rules:
        rules = re.sub(r"\([^()]*\)", "", rules)
    selectors = re.findall(r"(?:^|[{}])\s*([^{}@]+)\{", rules)
    assert len(selectors) > 20
    for selector in ",".join(selectors).split(","):
        assert selector.strip().startswith(".treepack"), selector


def test_the_view_is_saved_as_a_page(tmp_path: Path) -> None:
    view = show(treepack.pack("# Rent\n\n900 EUR a month.", name="lease.md"))
    assert "<1 chunk of 1 document; save('chunks.html') writes a page>" == repr(view)
    view.save(tmp_path / "lease.html")
    assert view.to_html() == (tmp_path / "lease.html").read_text(encoding="utf-8")
    assert "<title>lease.md</title>" in view.to_html()


def test_a_report_in_a_notebook_is_a_frame_and_not_its_source(tmp_path: Path) -> None:
    made = treepack.report(treepack.pack(MANUAL), MANUAL)
    html = made._repr_html_()
    assert html.startswith("<iframe")
    assert f"<report of {len(made):,} characters; save('report.html') writes it>" == repr(made)
    made.save(tmp_path / "r.html")
    assert made == (tmp_path / "r.html").read_text(encoding="utf-8")
    with pytest.raises(TypeError, match=r"show\(chunks, text\)"):
        treepack.report([MANUAL], MANUAL)  # type: ignore[list-item]
    assert unescape(html.partition('srcdoc="')[2].partition('"')[0]) == made


def test_nothing_is_shown_of_no_chunks() -> None:
    assert "No chunks." in page_of([]).text


@pytest.mark.parametrize(
    ("items", "source", "error", "message"),
    [
        ("# One text", None, TypeError, "a list of chunks, not str"),
        (None, None, TypeError, "a list of chunks, not NoneType"),
        ({"text": "a"}, None, TypeError, "a list of chunks, not dict"),
        (Path("a.md"), None, TypeError, "a list of chunks, not PosixPath"),
        (LangChainDocument("a"), None, TypeError, r"not Document.*show\(\[node\]\)"),
        (LlamaDocument(text="a"), None, TypeError, r"not Document.*show\(\[node\]\)"),
        ([3], None, TypeError, "int has no text: show takes"),
        ([SimpleNamespace(text=None)], None, TypeError, "SimpleNamespace has no text"),
        (["a"], "no/such.md", SourceError, "no/such.md"),
        (["a"], 7, TypeError, "int"),
    ],
)
def test_what_cannot_be_shown_is_named(
    items: Sequence[object], source: str, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        show(items, source)


@settings(generated, max_examples=40)
@given(any_text, configs())
def test_any_document_is_shown_with_all_of_its_text(text: str, config: PackConfig) -> None:
    chunks = treepack.pack(Source(text, "x.md"), config)
    page = page_of(chunks)
    leaves = [chunk for chunk in chunks if chunk.level == max(each.level for each in chunks)]
    skipped = "".join(text[slice(*each.span)] for chunk in leaves for each in chunk.skipped)
    if chunks:
        shown = visible_text("".join(page.own.values()) + skipped)
        assert sorted(visible_text(text)) == sorted(shown)
    plain = page_of([chunk.text for chunk in leaves])
    assert len(leaves) == len(plain.sections)
