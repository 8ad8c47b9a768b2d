"""Framework documents that contain HTML or JSON: what is recognised, and what never is."""

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from case_files import CASES, case_file
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from langchain_core.documents import Document as LangDocument
from llama_index.core import Document
from llama_index.core.node_parser import HierarchicalNodeParser, NodeParser
from llama_index.core.schema import MetadataMode
from strategies import any_text, generated

from treepack import PackConfig, TreepackNodeParser, TreepackTextSplitter, pack
from treepack.errors import MissingExtraError, SourceError
from treepack.integrations.formats import InputFormat, InputFormatWarning, read_text
from treepack.integrations.inputs import InputText, read_input
from treepack.integrations.metadata import Mode
from treepack.readers.docling.reader import read_docling
from treepack.readers.html.reader import read_html
from treepack.tokens import token_counter

few = hypothesis_settings(generated, max_examples=40)
count = token_counter("cl100k_base")

PAGE = (CASES / "texts" / "pumps.html").read_text("utf-8")
BODY = PAGE[PAGE.index("<body>") + 6 : PAGE.index("</body>")]
DOCLING: dict[str, Any] = case_file("texts/pumps.json")
JSON = json.dumps(DOCLING)


def nodes_of(text: str, metadata: Mapping[str, Any] = {}, size: int = 64, **more: Any) -> list[Any]:  # noqa: ANN401 - settings; never changed
    source = Document(text=text, id_="d", metadata=dict(metadata))
    return TreepackNodeParser(chunk_size=size, **more)([source])


def parts_of(text: str, metadata: Mapping[str, Any] = {}, **more: Any) -> list[LangDocument]:  # noqa: ANN401 - settings; never changed
    return TreepackTextSplitter(64, **more).split_documents(
        [LangDocument(text, metadata=dict(metadata))]
    )


def is_text(text: str, metadata: Mapping[str, Any] = {}) -> bool:
    """Whether a text is packed without conversion."""
    return read_input([InputText(text, dict(metadata))], PackConfig()).document.source.text == text


# -------------------------------------------------------------------- what is recognised


FORMATS = case_file("adapters/formats.json")
"""Texts with their metadata. `{PAGE}` and so on stand for the texts above."""


def full_text(text: str) -> str:
    texts = {"PAGE": PAGE, "BODY": BODY, "JSON": JSON, "PAGE.upper()": PAGE.upper()}
    for name, value in texts.items():
        text = text.replace(f"{{{name}}}", value)
    return text


@pytest.mark.parametrize(("short", "metadata"), FORMATS["html"])
def test_html_is_recognised(short: str, metadata: dict[str, Any]) -> None:
    text = full_text(short)
    assert not is_text(text, metadata)
    for made in (nodes_of(text, metadata), parts_of(text, metadata)):
        assert {one.metadata["breadcrumb"].casefold() for one in made} >= {"pump > 2 limits"}


@pytest.mark.parametrize(("short", "metadata"), FORMATS["text"])
def test_text_that_only_looks_like_another_format_is_packed_unchanged(
    short: str, metadata: dict[str, Any]
) -> None:
    """Markdown full of HTML, prose about it, text of other tools, other file names, other JSON."""
    text = full_text(short)
    assert is_text(text, metadata)
    assert nodes_of(text, metadata) == nodes_of(text, metadata, input_format="text")
    assert parts_of(text, metadata) == parts_of(text, metadata, input_format="text")


@few
@given(any_text, st.sampled_from(("", "<p>A <b>note</b>.</p>\n\n", "<!-- x -->\n\n", "{\n\n")))
def test_markdown_is_never_mistaken_for_another_format(text: str, before: str) -> None:
    """This includes markdown that begins and ends with tags."""
    assert is_text(before + text)
    assert is_text(f"{before}{text}\n\n<br>")


def test_docling_json_is_recognised() -> None:
    """The layout of the JSON does not matter, and the pages are kept."""
    core = pack(read_docling(DOCLING, ""), PackConfig(max_tokens=64, sections="separate"))
    for text in (JSON, json.dumps(DOCLING, indent=2), "\ufeff " + JSON):
        made = nodes_of(text, {"file_path": "a.json"}, sections="separate", include_metadata=False)
        assert [node.get_content() for node in made] == [chunk.text for chunk in core]
        parts = parts_of(text, {"source": "a.json"}, sections="separate")
        assert [part.page_content for part in parts] == [chunk.text for chunk in core]
        pages = [(part.metadata["page_start"], part.metadata["page_end"]) for part in parts]
        assert pages == [(4, 4), (5, 6)]
        assert [part.metadata["clause"] for part in parts] == ["1", "2"]


# -------------------------------------------------------------------- how it is packed


def test_an_html_page_gives_the_same_chunks_as_its_markdown() -> None:
    """Both adapters leave out navigation and scripts, and put the page's title into metadata."""
    core = pack(read_html(PAGE), PackConfig(max_tokens=64))
    texts = [chunk.text for chunk in core]
    assert len(texts) > 3
    assert not [text for text in texts if "Home" in text or "let x" in text or "<p>" in text]
    assert [node.get_content() for node in nodes_of(PAGE, include_metadata=False)] == texts
    assert TreepackNodeParser(chunk_size=64).split_text(PAGE) == texts
    parts = parts_of(PAGE)
    assert [part.page_content for part in parts] == texts
    assert TreepackTextSplitter(64).split_text(PAGE) == texts
    for made in (nodes_of(PAGE), parts):
        assert all(one.metadata["title"] == "Pumps" for one in made)
        assert [one.metadata for one in made if "table_row_start" in one.metadata]


@pytest.mark.parametrize("text", [PAGE, JSON], ids=["html", "docling"])
def test_chunks_of_converted_documents_keep_the_cap_and_have_no_positions(text: str) -> None:
    """Its chunks do not occur in the given text, so any position would be wrong."""
    data = {"file_path": "docs/pump", "title": "The document's own title"}
    made = nodes_of(text, data)
    assert len(made) > 1 or text is JSON
    assert {node.metadata["title"] for node in made} == {data["title"]}, "it wins"
    for mode in (MetadataMode.EMBED, MetadataMode.LLM):
        assert max(count(node.get_content(mode)) for node in made) <= 64
    for node in [*made, *TreepackNodeParser(chunk_size=32)(nodes_of(text))]:
        assert (node.start_char_idx, node.end_char_idx, node.ref_doc_id) == (None, None, "d")
    assert not [p for p in parts_of(text, add_start_index=True) if "start_index" in p.metadata]
    whole = nodes_of(text, input_format="text")
    assert all(node.start_char_idx is not None for node in whole)


@pytest.mark.parametrize(("text", "markdown"), FORMATS["once"])
def test_converted_text_is_not_converted_again(text: str, markdown: str) -> None:
    """Reading markdown as HTML would lose its line breaks, and text that looks like a tag."""
    [once] = parts_of(text, input_format="html")
    assert once.page_content == markdown
    again = TreepackTextSplitter(64, input_format="html").split_documents([once])
    assert [part.page_content for part in again] == [once.page_content]
    for has in (True, False):
        parser = TreepackNodeParser(chunk_size=64, input_format="html", include_metadata=has)
        parsers: dict[str, NodeParser] = {"one": parser, "two": parser}
        twice = HierarchicalNodeParser.from_defaults(
            node_parser_ids=list(parsers), node_parser_map=parsers
        )
        nodes = twice.get_nodes_from_documents([Document(text=text)])
        assert [node.get_content() for node in nodes] == [once.page_content] * 2


def test_each_page_of_a_file_may_have_its_own_format() -> None:
    """Converted pages keep their page numbers; only pages of text have positions."""
    texts = ("<html><h1>A</h1><p>One.</p></html>", "## B\n\nTwo.", "<html><h2>C</h2>x</html>")
    sources: Sequence[Document] = [
        Document(text=text, id_=f"p{n}", metadata={"file_path": "a", "page_label": str(n)})
        for n, text in enumerate(texts, 7)
    ]
    how: dict[str, Any] = {"chunk_size": 64, "merge_pages": True, "sections": "separate"}
    nodes: list[Any] = TreepackNodeParser(**how, include_prev_next_rel=False)(sources)
    found = [(n.get_content(), n.metadata["page_start"], n.ref_doc_id) for n in nodes]
    assert found == [("# A\n\nOne.", 7, "p7"), ("## B\n\nTwo.", 8, "p8"), ("## C\n\nx", 9, "p9")]
    positions = [(n.start_char_idx, n.end_char_idx) for n in nodes]
    assert positions == [(None, None), (0, 10), (None, None)]
    parts = TreepackTextSplitter(**how, add_start_index=True).split_documents(
        LangDocument(source.text, metadata=source.metadata) for source in sources
    )
    assert [part.metadata.get("start_index") for part in parts] == [None, 0, None]


# -------------------------------------------------------------------- what goes wrong


@pytest.mark.parametrize("adapter", [TreepackNodeParser, TreepackTextSplitter])
def test_an_unknown_format_is_rejected(adapter: Any) -> None:  # noqa: ANN401 - either
    with pytest.raises(ValueError, match=r"input_format.*(?s:.)*'html'.*'docling'"):
        adapter(input_format="markdown")


@pytest.mark.parametrize("form", ["auto", "docling"])
def test_the_error_for_a_broken_document_names_the_file_and_the_remedy(form: InputFormat) -> None:
    text = JSON.replace('"1.3.0"', '"2.0.0"')
    message = r'docs/a\.json: cannot read as Docling.*version.*input_format="text"'
    for convert in (nodes_of, parts_of):
        with pytest.raises(SourceError, match=message):
            convert(text, {"source": "docs/a.json"}, input_format=form)
    with pytest.raises(SourceError, match=r'a\.json: .*valid JSON.*input_format="text"'):
        parts_of(JSON[:400], {"source": "a.json"}, input_format=form)
    with pytest.raises(SourceError, match=r"the document: cannot read as Docling"):
        nodes_of("# no JSON", input_format="docling")


def test_without_the_html_extra_a_page_is_text_and_a_warning_names_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in [name for name in sys.modules if name.startswith("treepack.readers.html")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "selectolax.lexbor", None)
    data, install = {"source": "docs/pump.html"}, r'pip install "treepack\[html\]"'
    message = rf"docs/pump\.html is HTML, but is packed as text: .*{install}"
    for convert in (nodes_of, parts_of):
        plain = convert(PAGE, data, input_format="text")
        with pytest.warns(InputFormatWarning, match=message):
            assert convert(PAGE, data) == plain
        with pytest.raises(MissingExtraError, match=install):
            convert(PAGE, data, input_format="html")
        assert convert("# A\n\nText with <b>tags</b>.", data)


@pytest.mark.parametrize(("start", "times", "end"), FORMATS["hostile"])
@pytest.mark.filterwarnings("ignore::treepack.integrations.formats.InputFormatWarning")
def test_hostile_beginnings_are_read_as_text_without_backtracking(
    start: str, times: int, end: str
) -> None:
    """If a pattern backtracked, each of these texts would take hours."""
    assert read_text(start * times + end, {"source": "a.html"}, "auto") is None


@pytest.mark.parametrize("mode", ["full", "lean", "uniform"])
def test_full_metadata_has_the_boxes_of_the_items_in_a_chunk(mode: Mode) -> None:
    """Each chunk has those of its own pages; no other mode has them."""
    document: dict[str, Any] = json.loads(JSON)
    for at, item in enumerate(document["texts"]):
        item["prov"][0]["bbox"] = {"l": at, "t": 2, "r": 3, "b": 4}
    settings: dict[str, Any] = {"metadata_mode": mode, "sections": "separate", "size": 400}
    nodes = nodes_of(json.dumps(document), **settings)
    made = parts_of(json.dumps(document), metadata_mode=mode, sections="separate")
    for each in ([chunk.metadata for chunk in made], [node.metadata for node in nodes]):
        noted = [json.loads(metadata.get("boxes_json", "[]")) for metadata in each]
        assert [[(box["page"], box["bbox"][0]) for box in boxes] for boxes in noted] == (
            [[(4, 0), (4, 1)], [(5, 2), (6, 3)]] if mode == "full" else [[], []]
        )
    hidden = ["boxes_json" in node.excluded_embed_metadata_keys for node in nodes]
    assert hidden == [mode == "full"] * 2
