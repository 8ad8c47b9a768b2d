"""What both adapters share: the mapping of a record, pages, and levels of chunks.

The record that fills every field is made by hand.
"""

import json
import pickle
import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, cast

import pytest
from acts import act
from hypothesis import example, given, settings
from hypothesis import strategies as st
from langchain_core.documents import Document as LangDocument
from langchain_core.stores import InMemoryStore
from llama_index.core import Document, MockEmbedding, StorageContext, VectorStoreIndex
from llama_index.core.node_parser import get_leaf_nodes, get_root_nodes
from llama_index.core.retrievers import AutoMergingRetriever, VectorIndexRetriever
from llama_index.core.schema import BaseNode, MetadataMode, TextNode
from strategies import any_text, generated

from treepack import (
    Chunk,
    PackConfig,
    Reference,
    Source,
    TableSlice,
    TreepackNodeParser,
    TreepackTextSplitter,
    pack,
    parse,
    token_counter,
)
from treepack import Document as Parsed
from treepack.integrations.metadata import (
    KEYS,
    MetadataStyle,
    Mode,
    chunk_metadata,
    headings_above,
    inherited,
    label_of,
    with_breadcrumb,
)
from treepack.integrations.pages import runs_of_pages, shared_metadata
from treepack.model.pages import stitch
from treepack.packing.templates import ChunkLabel, narrowed
from treepack.settings import Preset

count = token_counter("cl100k_base")
TEXT = "# Act\n\n## Duties\n\nThe controller shall notify.\n"


def rich_chunk() -> tuple[Chunk, Parsed]:
    """A record with a value in each field, and its document."""
    document = parse(TEXT)
    [chunk] = pack(document)
    table = TableSlice(
        id="t", caption="Table 1: Limits", columns=("A", "B"), row_start=2, row_end=3, row_count=9
    )
    reference = Reference(text="see 5.1", kind="clause", target="5.1")
    more = {
        "clause_number": "12(3)(a)",
        "clauses": ("12(3)(a)", "12(3)(b)"),
        "tables": (table,),
        "references": (reference,),
        "kinds": ("text", "table"),
        "pages": (7, 8),
        "parent_id": "p",
    }
    return chunk.model_copy(update=more), document


def described(chunk: Chunk, document: Parsed, **style: Any) -> dict[str, Any]:  # noqa: ANN401 - style
    place = label_of(chunk, document)
    return chunk_metadata(chunk, place, place.breadcrumb, "", MetadataStyle(**style))


# -------------------------------------------------------------------- the mapping


def test_every_field_has_its_key() -> None:
    chunk, document = rich_chunk()
    assert described(chunk, document) == {
        "breadcrumb": "Act > Duties",
        "breadcrumb_json": '["Act", "Duties"]',
        "heading_1": "Act",
        "heading_2": "Duties",
        "clause": "12(3)(a)",
        "clauses_json": '["12(3)(a)", "12(3)(b)"]',
        "citation": "Act",
        "references_json": '[{"text": "see 5.1", "kind": "clause", "target": "5.1", '
        '"section_id": null}]',
        "kinds": "text,table",
        "table_caption": "Table 1: Limits",
        "table_columns_json": '["A", "B"]',
        "table_id": "t",
        "table_row_start": 2,
        "table_row_end": 3,
        "table_row_count": 9,
        "page_start": 7,
        "page_end": 8,
        "chunk_id": chunk.id,
        "parent_id": "p",
    }


def test_native_values_are_lists() -> None:
    chunk, document = rich_chunk()
    native = described(chunk, document, mode="native")
    assert native["breadcrumb_list"] == ["Act", "Duties"]
    assert native["kinds"] == ["text", "table"]
    assert native["references_list"] == ["5.1"]
    assert set(native) <= KEYS


def test_uniform_metadata_says_where_there_is_nothing() -> None:
    document = parse("plain")
    [chunk] = pack(document)
    uniform = described(chunk, document, mode="uniform")
    assert (uniform["breadcrumb"], uniform["clause"], uniform["table_row_start"]) == ("", "", -1)
    assert set(uniform) == set(described(*rich_chunk(), mode="uniform"))


LAW = act(5, long=7, times=100, point="(a) Each year.")
"""Articles 1 to 15 in three chapters; the text of Article 7 is longer than some caps."""


def metadatas(mode: str, **settings: Any) -> list[list[tuple[str, dict[str, Any]]]]:  # noqa: ANN401 - any
    """Texts and metadata of the chunks, for both adapters."""
    given: Any = {"metadata_mode": mode, **settings}
    nodes = TreepackNodeParser(**given)([Document(text=LAW)])
    made = TreepackTextSplitter(**given).create_documents([LAW])
    return [
        [(node.get_content(), node.metadata) for node in nodes],
        [(document.page_content, document.metadata) for document in made],
    ]


@pytest.mark.parametrize("size", [1024, 200, 80])
def test_the_chunks_of_an_article_and_of_a_chapter_can_be_told(size: int) -> None:
    """``clauses_list`` finds them, whether they share a chunk or are split over several."""
    for made in metadatas("native", chunk_size=size):
        for number in range(1, 16):
            found = [text for text, data in made if str(number) in data.get("clauses_list", ())]
            assert found
            assert f"Article {number} " in found[0]
            assert sum(f"The operator shall do {number}." in text for text in found) == 1
            heads = [text for text, _ in made if f"Article {number} " in text]
            assert set(heads) <= set(found)
        chapter = [text for text, data in made if "Chapter II" in data.get("clauses_list", ())]
        for number in range(6, 11):
            assert any(f"shall do {number}." in text for text in chapter)
        assert not any("shall do 5." in t or "shall do 11." in t for t in chapter) or size > 200
        pieces = [data["clauses_list"] for text, data in made if "Words are said again" in text]
        assert all({"Chapter II", "7"} <= set(piece) for piece in pieces)


@pytest.mark.parametrize("mode", ["sparse", "uniform", "native"])
def test_each_level_of_the_breadcrumb_has_a_key_of_its_own(mode: str) -> None:
    """With these keys, a filter that only compares for equality finds what is under a heading."""
    for made in metadatas(mode, chunk_size=80, sections="separate"):
        for chapter, first in (("I", 1), ("II", 6), ("III", 11)):
            under = [text for text, data in made if data.get("heading_1") == f"CHAPTER {chapter}"]
            for number in range(1, 16):
                is_under = first <= number < first + 5
                assert any(f"shall do {number}." in text for text in under) is is_under
        seven = [text for text, data in made if data.get("heading_2") == "Article 7 — Duty"]
        assert len(seven) > 3
        assert [text for text, _ in made if "said again" in text or "do 7." in text] == [
            text for text in seven if "said again" in text or "do 7." in text
        ]


@pytest.mark.parametrize("size", [1024, 200, 80])
def test_clause_and_breadcrumb_name_the_same_place(size: int) -> None:
    """If the breadcrumb continues through bare headings down to an article, the clause does too."""
    for made in metadatas("sparse", chunk_size=size):
        for _, data in made:
            last = data.get("breadcrumb", "").rpartition(" > ")[2]
            if match := re.match(r"Article (\d+)", last):
                assert re.fullmatch(rf"{match[1]}(\(.+)?", data["clause"]), data
            elif match := re.fullmatch("CHAPTER (.+)", last):
                assert data["clause"] == f"Chapter {match[1]}"


@pytest.mark.parametrize("mode", ["sparse", "uniform", "native"])
def test_stores_take_every_value(mode: str) -> None:
    """Values are plain; in native mode, non-empty lists of strings are allowed as well."""
    text = LAW + "\n| A | B |\n|---|---|\n| see 5.1 | x |\n"
    for make in (TreepackNodeParser, TreepackTextSplitter):
        maker: Any = make
        made = (
            maker(metadata_mode=mode)([Document(text=text)])
            if make is TreepackNodeParser
            else maker(metadata_mode=mode).create_documents([text])
        )
        for value in (value for each in made for value in each.metadata.values()):
            if mode == "native" and isinstance(value, list):
                items = cast("list[object]", value)
                assert items
                assert {type(item) for item in items} == {str}
            else:
                assert isinstance(value, str | int | float | bool)


def test_a_setting_without_clauses_asks_for_none() -> None:
    for made in metadatas("sparse", clauses=False):
        assert not any({"clause", "clauses_json"} & set(data) for _, data in made)


def test_a_clause_and_a_caption_take_their_share_of_the_cap() -> None:
    """If there is too little room, the breadcrumb is shortened first."""
    names = tuple(f"Heading {i}" for i in range(3))
    seen = list(narrowed(ChunkLabel(names, "12(3)(a)", "Caption")))
    assert seen[0] == ChunkLabel(names, "12(3)(a)", "Caption")
    assert seen[2] == ChunkLabel(names[2:], "12(3)(a)", "Caption")
    assert seen[3] == ChunkLabel(names[2:], "12(3)(a)", None)
    assert seen[-2:] == [ChunkLabel((), "12(3)(a)"), ChunkLabel()]


def test_bare_headings_lead_to_the_section_that_holds_the_text() -> None:
    for text, place in (
        (TEXT, ("Act", "Duties")),
        ("# Act\n\nIntro.\n\n## Duties\n\nx\n", ("Act",)),
        ("# Act\n\n## One\n\nx\n\n## Two\n\ny\n", ("Act",)),
        ("# A > B\n\n## C\n\nx\n", ("A > B", "C")),
    ):
        document = parse(text)
        [chunk] = pack(document)
        assert label_of(chunk, document).breadcrumb == place


@pytest.mark.parametrize("mode", ["sparse", "uniform", "native"])
@pytest.mark.parametrize("shown", [("Act", "Duties"), ("Duties",), ("",), ()])
def test_metadata_with_a_shorter_breadcrumb_is_as_if_it_were_made_of_it(
    mode: Any,  # noqa: ANN401 - a mode
    shown: tuple[str, ...],
) -> None:
    chunk, document = rich_chunk()
    label, style = label_of(chunk, document), MetadataStyle(mode)
    whole = chunk_metadata(chunk, label, label.breadcrumb, "", style)
    expected = chunk_metadata(chunk, label, shown, "", style)
    made = with_breadcrumb(whole, shown, style)
    assert list(made.items()) == list(expected.items())


def test_of_a_chunk_that_is_split_again_only_the_place_is_kept() -> None:
    chunk, document = rich_chunk()
    told = {"source": "a", **described(chunk, document)}
    assert inherited(told) == {"source": "a", "page_start": 7, "page_end": 8}
    assert inherited({"clause": "mine"}) == {"clause": "mine"}
    for mode in ("sparse", "native"):
        told = described(chunk, document, mode=mode)
        assert headings_above(told, parse(chunk.text)) == ()
        assert headings_above(told, parse("The controller shall notify.")) == ("Act", "Duties")
        assert headings_above(told, parse("## Duties\n\nThe")) == ("Act",)


# -------------------------------------------------------------------- pages


@generated
@given(st.lists(st.text(st.sampled_from("ab A.\n"), max_size=12), min_size=1, max_size=5))
def test_stitched_pages_stand_where_they_are_said_to(texts: list[str]) -> None:
    stitched = stitch(texts, range(7, 7 + len(texts)))
    for start, text in zip(stitched.starts, texts, strict=True):
        assert stitched.text[start:].startswith(text.rstrip())
    assert "".join(stitched.text.split()) == "".join("".join(texts).split())


def test_only_neighbouring_pages_of_a_file_are_merged() -> None:
    items: list[dict[str, Any]] = [
        {"source": "a", "page": 1},
        {"source": "a", "page": 2},
        {"source": "b", "page": 1},
        {"source": "a"},
        {"page": 1},
        {"page": 2},
    ]
    runs = list(runs_of_pages(items, lambda item: item, "auto"))
    assert [len(run.items) for run in runs] == [2, 1, 1, 1, 1]
    assert [run.are_pages for run in runs] == [True, True, False, False, False]
    assert shared_metadata([{"a": 1, "b": 1, "page": 1}, {"a": 1, "b": 2, "page": 2}]) == {"a": 1}


def test_a_chunk_knows_its_pages() -> None:
    text = "First page.\n\n" + "Second page. " * 12 + "\n\nThird page."
    marks = ((0, 1), (13, 2), (text.index("Third"), 3))
    config = PackConfig(max_tokens=24, min_tokens=0)
    chunks = pack(Source(text, page_marks=marks), config)
    assert chunks[0].pages[0] == 1
    assert chunks[-1].pages[-1] == 3
    assert [page for chunk in chunks for page in chunk.pages] == sorted(
        page for chunk in chunks for page in chunk.pages
    )
    assert pack(text)[0].pages == ()


# -------------------------------------------------------------------- levels


TERMS = "# Terms\n\n" + "".join(
    f"## Clause {i}\n\n" + f"Sentence number {i} about topic {i}. " * 20 + "\n\n" for i in range(6)
)


ACT = """\
# Act on pumps

## Article 12 Duties of the operator

(1) The operator shall notify. The notice names the pump and its place.

(2) The following are kept:

(a) the records of each test, with the date and the name of the tester;

(b) the limits.

## Article 13 Limits

(1) No pump exceeds these limits.

Table 4: Limits of pressure and temperature for each kind of pump

| Kind | Pressure | Temperature |
|---|---|---|
| small | 16 bar | 90 °C |
| large | 18 bar | 110 °C |
| very large | 20 bar | 120 °C |
"""
_BLOCKS = (
    *(block + "\n" for block in ACT.split("\n\n")),
    "### 5.1.2 Tests of the valve in the field",
    "(i) in the case of a fire, see Article 12(2)(a) and Table 4;",
    "Words that say nothing of it. " * 12,
)
legal = st.lists(st.sampled_from(_BLOCKS), min_size=1, max_size=14).map("\n\n".join)
LEVELS = ((256, 64), (200, 100, 50), (128, 127))
few = settings(generated, max_examples=40)


def lineage(node: BaseNode, by_id: Mapping[str, BaseNode]) -> list[BaseNode]:
    """A node's ancestors, nearest first."""
    above: list[BaseNode] = []
    while (node.parent_node if not above else above[-1].parent_node) is not None:
        parent = (above[-1] if above else node).parent_node
        assert parent is not None
        above.append(by_id[parent.node_id])
    return above


@few
@given(
    st.one_of(legal, legal, any_text),
    st.sampled_from(LEVELS),
    st.sampled_from(({}, {"file_path": "docs/pumps.md", "year": 2024})),
    st.sampled_from(("{metadata_str}\n\n{content}", "Read:\n{metadata_str}\n---\n{content}\n---")),
    st.sampled_from(("sparse", "uniform", "native")),
)
def test_what_is_embedded_or_shown_keeps_the_cap_of_its_level(
    text: str, levels: tuple[int, ...], metadata: dict[str, Any], template: str, mode: Mode
) -> None:
    """Shown clauses and captions count too: each node is counted as LlamaIndex shows it."""
    source = Document(text=text, id_="d", metadata=metadata, text_template=template)
    nodes = TreepackNodeParser(levels=levels, metadata_mode=mode)([source])
    by_id = {node.node_id: node for node in nodes}
    for node in nodes:
        cap = levels[len(lineage(node, by_id))]
        for shown in (MetadataMode.EMBED, MetadataMode.LLM):
            assert count(node.get_content(shown)) <= cap, node.get_content(shown)


@few
@given(st.one_of(legal, legal, any_text), st.sampled_from(((256, 64), (128, 48))))
def test_contents_with_clause_and_caption_keep_the_cap_of_their_level(
    text: str, levels: tuple[int, int]
) -> None:
    splitter = TreepackTextSplitter(levels=levels, embed_breadcrumb=True)
    leaves, parents = splitter.split_with_parents([LangDocument(text)])
    assert all(count(leaf.page_content) <= levels[1] for leaf in leaves)
    assert all(count(parent.page_content) <= levels[0] for _, parent in parents)


def test_a_caption_is_shown_and_a_clause_that_the_headings_spell_is_not() -> None:
    nodes = TreepackNodeParser(chunk_size=128, sections="separate")([Document(text=ACT)])
    [shown] = [n.get_content(MetadataMode.EMBED) for n in nodes if "table_caption" in n.metadata]
    assert shown.startswith(
        "breadcrumb: Act on pumps > Article 13 Limits\n"
        "table_caption: Table 4: Limits of pressure and temperature for each kind of pump\n\n"
    )
    splitter = TreepackTextSplitter(128, sections="separate", embed_breadcrumb=True)
    last = splitter.split_text(ACT)[-1]
    assert last.startswith(
        "Act on pumps > Article 13 Limits\n13\n"
        "Table 4: Limits of pressure and temperature for each kind of pump\n\n## Article 13"
    )


ROWS = "".join(f"  | r{number} | some value {number} | 16 bar |\n" for number in range(8))
HEADER = "  | k | v | w |\n  |---|---|---|\n  | Group | | |\n"
CAPTION_AFTER = (
    "# Scope\n\n# Scope\n\n# Scope\n\n- The the.\n\n  The the the the the the the Art. "
    f"[link](http://a.b/c_(d)) [link](http://a.b/c_(d)).\n\n{HEADER}\n{HEADER}\n{HEADER}{ROWS}\n"
    f"  Table 1: Limits\n\n{HEADER}  {{: title='Limits'}}\n\n"
)
"""An item whose third table is the first of a parent, and of a child that repeats its caption."""


@few
@given(st.one_of(legal, any_text), st.sampled_from(LEVELS))
@example(CAPTION_AFTER, (256, 64))
def test_levels_become_parents_and_children(text: str, levels: tuple[int, ...]) -> None:
    """Each child lies within its parent; previous and next nodes have the same level."""
    nodes = TreepackNodeParser(levels=levels)([Document(text=text, id_="d")])
    by_id = {node.node_id: node for node in nodes}
    assert len(by_id) == len(nodes)
    assert {node.ref_doc_id for node in nodes} <= {"d"}
    depths = {node.node_id: len(lineage(node, by_id)) for node in nodes}
    leaves, roots = get_leaf_nodes(nodes), get_root_nodes(nodes)
    assert leaves == [node for node in nodes if depths[node.node_id] == len(levels) - 1]
    assert roots == [node for node in nodes if depths[node.node_id] == 0]
    for node in nodes:
        assert isinstance(node, TextNode)
        for parent in lineage(node, by_id)[:1]:
            assert isinstance(parent, TextNode)
            assert node.as_related_node_info() in (parent.child_nodes or [])
            assert node.metadata["parent_id"] == parent.metadata["chunk_id"]
            assert (parent.start_char_idx or 0) <= (node.start_char_idx or 0)
            assert (node.end_char_idx or 0) <= (parent.end_char_idx or 0)
    for depth in range(len(levels)):
        level = [node for node in nodes if depths[node.node_id] == depth]
        assert not level or (level[0].prev_node, level[-1].next_node) == (None, None)
        for one, two in pairwise(level):
            assert one.next_node == two.as_related_node_info()
            assert two.prev_node == one.as_related_node_info()


def test_leaves_merge_into_their_section() -> None:
    """All leaves are found, so all merge: whole sections are retrieved."""
    parser = TreepackNodeParser(levels=(256, 64), sections="separate")
    nodes = parser([Document(text=TERMS, id_="d", metadata={"file_name": "terms.md"})])
    leaves, roots = get_leaf_nodes(nodes), get_root_nodes(nodes)
    assert [root.metadata["breadcrumb"] for root in roots] == [
        f"Terms > Clause {i}" for i in range(6)
    ]
    context = StorageContext.from_defaults()
    context.docstore.add_documents(nodes)
    index = VectorStoreIndex(leaves, storage_context=context, embed_model=MockEmbedding(4))
    nearest = VectorIndexRetriever(index, similarity_top_k=len(leaves))
    merged = AutoMergingRetriever(nearest, context).retrieve("What of topic 3?")
    assert {found.node_id for found in merged} == {root.node_id for root in roots}
    [third] = [f for f in merged if f.node.metadata["breadcrumb"] == "Terms > Clause 3"]
    assert (
        third.node.get_content()
        == TERMS[TERMS.index("## Clause 3") : TERMS.index("## Clause 4")].strip()
    )


def test_levels_of_a_text_without_headings() -> None:
    """A parent's node has its id even if there is no other metadata."""
    text = "Some words. " * 60
    nodes = TreepackNodeParser(levels=(256, 64))([Document(text=text)])
    ids = {root.metadata["chunk_id"] for root in get_root_nodes(nodes)}
    assert {leaf.metadata["parent_id"] for leaf in get_leaf_nodes(nodes)} == ids
    leaves, parents = TreepackTextSplitter(levels=(256, 64)).split_with_parents(
        [LangDocument(text)]
    )
    assert {leaf.metadata["parent_id"] for leaf in leaves} == {key for key, _ in parents} == ids


def test_metadata_takes_its_share_of_each_level() -> None:
    source = Document(text=TERMS, metadata={"title": "General terms of delivery " * 6})
    nodes = TreepackNodeParser(levels=(200, 100))([source])
    lengths = {
        kind: max(count(node.get_content(MetadataMode.EMBED)) for node in own)
        for kind, own in (("root", get_root_nodes(nodes)), ("leaf", get_leaf_nodes(nodes)))
    }
    assert 100 < lengths["root"] <= 200
    assert 50 < lengths["leaf"] <= 100


def test_the_finest_level_follows_the_cap() -> None:
    """LlamaIndex's global settings change only ``chunk_size``, not ``levels``."""
    parser = TreepackNodeParser(levels=(256, 64))
    for size, roots in ((40, 256), (100, 256), (300, 300)):
        parser.chunk_size = size
        nodes = parser([Document(text=TERMS)])
        assert (
            size // 2
            < max(count(n.get_content(MetadataMode.EMBED)) for n in get_leaf_nodes(nodes))
            <= size
        )
        assert max(count(n.get_content(MetadataMode.EMBED)) for n in get_root_nodes(nodes)) <= roots


def test_levels_fill_a_docstore() -> None:
    splitter = TreepackTextSplitter(levels=(128, 64))
    sources = [LangDocument(TERMS, metadata={"source": name}) for name in ("a", "b")]
    leaves, parents = splitter.split_with_parents(sources)
    docstore = InMemoryStore()
    docstore.mset(parents)
    assert len(list(docstore.yield_keys())) == len(parents) > 8
    assert leaves == splitter.split_documents(sources)
    assert [leaf.page_content for leaf in leaves[: len(leaves) // 2]] == splitter.split_text(TERMS)
    for leaf in leaves:
        [parent] = docstore.mget([leaf.metadata["parent_id"]])
        assert isinstance(parent, LangDocument)
        assert leaf.page_content in parent.page_content
        assert leaf.metadata["source"] == parent.metadata["source"]


def test_texts_of_levels_are_those_of_the_finest() -> None:
    alone = TreepackNodeParser(levels=(128, 64)).split_text(TERMS)
    assert alone == TreepackTextSplitter(levels=(128, 64)).split_text(TERMS)
    assert max(map(count, alone)) <= 64


# -------------------------------------------------------------------- presets


@pytest.mark.parametrize("name", ["default", "standards", "sections", "datasheet"])
def test_a_preset_cuts_as_in_the_core(name: Preset) -> None:
    text = ACT + "\n" + TERMS * 4
    core = [chunk.text for chunk in pack(Source(text), PackConfig.preset(name))]
    assert TreepackNodeParser(preset=name).split_text(text) == core
    assert TreepackTextSplitter(preset=name).split_text(text) == core
    parser = TreepackNodeParser(preset=name)
    for again in (
        TreepackNodeParser.from_dict(json.loads(parser.to_json())),
        pickle.loads(pickle.dumps(parser)),  # noqa: S301 - ours
        TreepackNodeParser.from_defaults(preset=name),
    ):
        assert again.to_dict() == parser.to_dict()
        assert again.split_text(text) == core
    splitter = pickle.loads(pickle.dumps(TreepackTextSplitter(preset=name)))  # noqa: S301 - ours
    assert splitter.split_text(text) == core


def test_what_is_given_beside_a_preset_wins() -> None:
    given: dict[str, Any] = {"preset": "standards", "min_size": 0, "overlap_separator": None}
    parser = TreepackNodeParser(**given)
    assert (parser.chunk_size, parser.target_size, parser.chunk_overlap) == (1000, 500, 100)
    assert (parser.min_size, parser.overlap_separator) == (0, None)
    assert TreepackNodeParser.from_dict(parser.to_dict()).to_dict() == parser.to_dict()
    text = "# A\n\n" + "Some words are said. " * 400
    core = PackConfig.preset("standards", min_tokens=0, overlap_separator=None)
    texts = [chunk.text for chunk in pack(Source(text), core)]
    assert parser.split_text(text) == TreepackTextSplitter(**given).split_text(text) == texts


@pytest.mark.parametrize("name", ["default", "standards", "sections", "datasheet"])
@pytest.mark.parametrize("size", [16, 48, 300, 5000])
def test_a_preset_gives_way_to_a_size(name: Preset, size: int) -> None:
    """An explicit size wins over the preset, in both adapters as in the core."""
    config = PackConfig.preset(name, max_tokens=size)
    parser = TreepackNodeParser(preset=name, chunk_size=size)
    splitter = TreepackTextSplitter(preset=name, chunk_size=size)
    assert config.max_tokens == parser.chunk_size == size
    text = "# A\n\n" + "Some words are said. " * 200
    texts = [chunk.text for chunk in pack(Source(text), config)]
    assert parser.split_text(text) == splitter.split_text(text) == texts


def test_levels_go_before_a_presets_cap() -> None:
    parser = TreepackNodeParser(preset="standards", levels=(2048, 512))
    assert (parser.chunk_size, parser.target_size) == (512, 500)
    assert TreepackNodeParser.from_dict(json.loads(parser.to_json())).to_dict() == parser.to_dict()


@pytest.mark.parametrize("adapter", [TreepackNodeParser, TreepackTextSplitter])
@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"preset": "books"}, "the presets are default"),
        (
            {"preset": "standards", "chunk_size": 256, "target_size": 500},
            "target_size is 500.*256",
        ),
        ({"levels": (512, 2048)}, "512, 2048"),
        ({"levels": (2048, 512), "chunk_size": 256}, r"chunk_size is 256.*\(2048, 512\)"),
        ({"levels": (2048, 8)}, "max_tokens is 8"),
        ({"levels": ()}, r"levels are \(\)"),
    ],
)
def test_presets_and_levels_that_make_no_sense(
    adapter: Callable[..., object], wrong: dict[str, Any], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        adapter(**wrong)


# -------------------------------------------------------------------- other settings of the core


@pytest.mark.parametrize(
    ("text", "setting"),
    [
        ("# 1 A\n\nx\n\n# 1.1 B\n\ny\n\n# 1.2 C\n\nz\n", {"outline": "trust"}),
        (ACT, {"clauses": False}),
        ("# A\n\n" + "See [x]. " * 60 + "\n\n[x]: http://a.b/c\n", {"attach_definitions": True}),
        ("Some words are said. " * 60, {"flat_overlap_tokens": 16}),
        ("A\n\n[p 2]\n\nB\n", {"page_pattern": r"^\[p (\d+)\]$"}),
    ],
)
def test_a_setting_has_its_effect(text: str, setting: dict[str, Any]) -> None:
    size: dict[str, Any] = {"chunk_size": 64, "sections": "separate"}
    core = pack(Source(text), PackConfig(max_tokens=64, sections="separate", **setting))
    nodes = TreepackNodeParser(**size, include_metadata=False, **setting)([Document(text=text)])
    assert [node.get_content() for node in nodes] == [chunk.text for chunk in core]
    splitter = TreepackTextSplitter(**size, **setting)
    made, plain = (
        some.create_documents([text]) for some in (splitter, TreepackTextSplitter(**size))
    )
    assert [document.page_content for document in made] == [chunk.text for chunk in core]
    assert made != plain
    places = [document.metadata.get("clause") for document in made]
    assert places == [chunk.clause_number for chunk in core]


class Halves:
    """A sentence splitter that ignores sentences and halves the text."""

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return two spans of about the same length."""
        middle = len(text) // 2
        return [(0, middle), (middle, len(text))] if middle else [(0, len(text))]


def test_a_sentence_splitter_is_written_by_name_and_must_be_given_again() -> None:
    parser = TreepackNodeParser(sentence_splitter=Halves())
    record = json.loads(parser.to_json())
    assert record["sentence_splitter"]["sentence_splitter_name"].endswith("Halves")
    with pytest.raises(ValueError, match=r"Halves.*written by name only"):
        TreepackNodeParser.from_dict(record)
    again = TreepackNodeParser.from_dict(record, sentence_splitter=Halves())
    assert again.to_dict() == parser.to_dict() != TreepackNodeParser().to_dict()
    copied = pickle.loads(pickle.dumps(parser))  # noqa: S301 - ours
    assert isinstance(copied.sentence_splitter, Halves)


# -------------------------------------------------------------------- texts are not paths


@pytest.mark.parametrize("text", ["notes.md", "docs/nope.docx", "/etc/motd.txt", "a.pdf"])
def test_a_text_of_a_framework_is_never_taken_for_a_path(text: str) -> None:
    """It comes from a store or a loader, so a text that looks like a path is not a mistake."""
    named = {"file_path": text, "source": text}
    parser, splitter = TreepackNodeParser(), TreepackTextSplitter()
    for metadata in ({}, named):
        [node] = parser([Document(text=text, metadata=metadata)])
        assert node.get_content() == text
        assert [d.page_content for d in splitter.create_documents([text], [metadata])] == [text]
        documents = [LangDocument(text, metadata=metadata)]
        assert [d.page_content for d in splitter.split_documents(documents)] == [text]
        assert splitter.split_with_parents(documents)[0]
    assert parser([TextNode(text=text)])
    assert parser.split_text(text) == splitter.split_text(text) == [text]
    assert parser.split_text_metadata_aware(text, "a: b") == [text]


def test_one_text_or_document_is_not_many() -> None:
    splitter = TreepackTextSplitter()
    one: Any = "some text"
    with pytest.raises(TypeError, match="create_documents takes a list of texts, not str"):
        splitter.create_documents(one)
    for call in (splitter.split_documents, splitter.split_with_parents):
        with pytest.raises(TypeError, match="takes a list of Documents, not Document"):
            call(LangDocument("some text"))  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="takes Documents, not str; for texts there is create_"):
            list(call([one]))


@pytest.mark.parametrize("name", ["chunk_size", "chunk_overlap", "target_size", "min_size"])
@pytest.mark.parametrize("wrong", ["64", 6.4, [64], PackConfig()], ids=str)
def test_a_size_of_the_splitter_is_a_whole_number(name: str, wrong: Any) -> None:  # noqa: ANN401 - any wrong value
    kind = type(wrong).__name__
    with pytest.raises(TypeError, match=f"{name} must be a whole number, not {kind}"):
        TreepackTextSplitter(**{name: wrong})


@pytest.mark.parametrize(
    ("argument", "said"),
    [
        ({"keep_separator": "end"}, "cuts at structure and not at separators"),
        ({"keep_separator": "begin"}, "cuts at structure and not at separators"),
        ({"strip_whitespace": False}, "take add_start_index=True"),
        ({"metadata_mode": "nativ"}, "must be one of 'sparse', 'uniform', 'native'"),
        ({"length_function": 512}, "a function that counts tokens, not int"),
    ],
    ids=str,
)
def test_an_argument_of_the_base_class_that_cannot_be_obeyed_is_refused(
    argument: dict[str, Any], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        TreepackTextSplitter(**argument)


def test_arguments_of_the_base_class_can_be_given_in_its_order() -> None:
    text = "Some words are said. " * 40
    for keep in (True, False, "start"):
        splitter = TreepackTextSplitter(100, 10, len, keep, True, True)  # noqa: FBT003 - in the order of the base class
        made = splitter.create_documents([text])
        assert max(len(document.page_content) for document in made) <= 100
        assert made[1].metadata["start_index"] > 0
        assert "".join(d.page_content for d in made).split()[:4] == text.split()[:4]


def test_a_splitter_that_counts_by_name_takes_no_function_as_well() -> None:
    with pytest.raises(TypeError, match="leave length_function out"):
        TreepackTextSplitter.from_tiktoken_encoder(length_function=len)


@pytest.mark.parametrize("adapter", [TreepackNodeParser, TreepackTextSplitter])
def test_a_function_is_no_sentence_splitter(adapter: Callable[..., object]) -> None:
    """LlamaIndex's other parsers take functions, which return no positions."""
    with pytest.raises(ValueError, match="an object with a method spans, not method_descr"):
        adapter(sentence_splitter=str.split)
