"""Levels of chunks in both adapters: caps, parents and children, and stores of parents."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import pytest
from adapter_texts import ACT, TERMS
from case_files import CASES
from hypothesis import example, given, settings
from hypothesis import strategies as st
from langchain_core.documents import Document as LangDocument
from langchain_core.stores import InMemoryStore
from llama_index.core import Document
from llama_index.core.node_parser import get_leaf_nodes, get_root_nodes
from llama_index.core.schema import BaseNode, MetadataMode, TextNode
from strategies import any_text, generated

from treepack import TreepackNodeParser, TreepackTextSplitter
from treepack.integrations.metadata import Mode
from treepack.tokens import token_counter

count = token_counter("cl100k_base")


_BLOCKS = (
    *(block + "\n" for block in ACT.split("\n\n")),
    "### 5.1.2 Tests of the valve in the field",
    "(i) in the case of a fire, see Article 12(2)(a) and Table 4;",
    "Words that say nothing of it. " * 12,
)

legal_texts = st.lists(st.sampled_from(_BLOCKS), min_size=1, max_size=14).map("\n\n".join)

LEVELS = ((256, 64), (200, 100, 50), (128, 127))

few_examples = settings(generated, max_examples=40)


def ancestors(node: BaseNode, by_id: Mapping[str, BaseNode]) -> list[BaseNode]:
    """A node's ancestors, nearest first."""
    above: list[BaseNode] = []
    while info := (above[-1] if above else node).parent_node:
        above.append(by_id[info.node_id])
    return above


TEMPLATES = (
    "{metadata_str}\n\n{content}",
    "Read this excerpt with care.\n{metadata_str}\n-----\n{content}\n-----",
    "{content}\n\n({metadata_str})",
)
CAPS = ((64,), (100,), (256,), *LEVELS)
some_metadata = st.dictionaries(
    st.sampled_from(("file_path", "title", "year", "breadcrumb", "clause", "kinds")),
    st.one_of(st.integers(), st.sampled_from(("docs/manual.md", "", "12(3)(a)", "漢字"))),
    max_size=3,
)


@pytest.mark.filterwarnings("ignore::treepack.integrations.metadata.OwnMetadataWarning")
@settings(generated, max_examples=80)
@given(
    st.one_of(legal_texts, any_text),
    st.sampled_from(CAPS),
    some_metadata,
    st.sampled_from(TEMPLATES),
    st.sampled_from(("lean", "full", "uniform", "native")),
    st.sampled_from((0, 0, 12)),
)
def test_embedded_and_displayed_text_keeps_the_cap_of_its_level(  # noqa: PLR0913, PLR0917 - a choice each
    text: str,
    levels: tuple[int, ...],
    own: dict[str, Any],
    template: str,
    mode: Mode,
    repeat: int,
) -> None:
    """Shown clauses and captions count too: each node is counted as LlamaIndex shows it."""
    source = Document(text=text, id_="d", metadata=own, text_template=template)
    parser = TreepackNodeParser(levels=levels, metadata_mode=mode, chunk_overlap=repeat)
    try:
        nodes = parser([source])
    except ValueError as error:
        assert "leaves no room" in str(error)  # noqa: PT017 - not always raised
        return
    by_id = {node.node_id: node for node in nodes}
    for node in nodes:
        cap = levels[len(ancestors(node, by_id))]
        for shown in (MetadataMode.EMBED, MetadataMode.LLM, MetadataMode.NONE):
            assert count(node.get_content(shown)) <= cap, node.get_content(shown)


@settings(generated, max_examples=80)
@given(text=st.one_of(legal_texts, any_text), levels=st.sampled_from(CAPS), embeds=st.booleans())
def test_page_content_with_clause_and_caption_keeps_the_cap_of_its_level(
    *, text: str, levels: tuple[int, ...], embeds: bool
) -> None:
    splitter = TreepackTextSplitter(levels=levels, embed_breadcrumb=embeds)
    leaves, parents = splitter.split_with_parents([LangDocument(text, metadata={"source": "a"})])
    assert all(count(leaf.page_content) <= levels[-1] for leaf in leaves)
    assert all(count(parent.page_content) <= levels[0] for _, parent in parents)


def test_embedded_text_shows_the_table_caption_below_the_breadcrumb() -> None:
    nodes = TreepackNodeParser(chunk_size=128, sections="separate")([Document(text=ACT)])
    [shown] = [n.get_content(MetadataMode.EMBED) for n in nodes if "table_caption" in n.metadata]
    assert shown.startswith(
        "breadcrumb: Act on pumps > Article 13 Limits\n"
        "table_caption: Table 4: Limits of pressure and temperature for each kind of pump\n\n"
    )
    splitter = TreepackTextSplitter(128, sections="separate", embed_breadcrumb=True)
    last = splitter.split_text(ACT)[-1]
    assert last.startswith("Act on pumps\n\n## Article 13")


CAPTION_AFTER = (CASES / "texts" / "caption_after.md").read_text("utf-8")
"""An item whose third table is the first of a parent, and of a child that repeats its caption."""


@few_examples
@given(st.one_of(legal_texts, any_text), st.sampled_from(LEVELS))
@example(CAPTION_AFTER, (256, 64))
def test_levels_become_parents_and_children(text: str, levels: tuple[int, ...]) -> None:
    """Each child lies within its parent; previous and next nodes have the same level."""
    nodes = TreepackNodeParser(levels=levels)([Document(text=text, id_="d")])
    by_id = {node.node_id: node for node in nodes}
    assert len(by_id) == len(nodes)
    assert {node.ref_doc_id for node in nodes} <= {"d"}
    depths = {node.node_id: len(ancestors(node, by_id)) for node in nodes}
    leaves, roots = get_leaf_nodes(nodes), get_root_nodes(nodes)
    assert leaves == [node for node in nodes if depths[node.node_id] == len(levels) - 1]
    assert roots == [node for node in nodes if depths[node.node_id] == 0]
    for node in nodes:
        assert isinstance(node, TextNode)
        for parent in ancestors(node, by_id)[:1]:
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


def test_leaves_of_text_without_headings_refer_to_their_parents() -> None:
    """A parent's node has its id even if there is no other metadata."""
    text = "Some words. " * 60
    nodes = TreepackNodeParser(levels=(256, 64))([Document(text=text)])
    ids = {root.metadata["chunk_id"] for root in get_root_nodes(nodes)}
    assert {leaf.metadata["parent_id"] for leaf in get_leaf_nodes(nodes)} == ids
    splitter = TreepackTextSplitter(levels=(256, 64))
    leaves, parents = splitter.split_with_parents([LangDocument(text)])
    assert {leaf.metadata["parent_id"] for leaf in leaves} == {key for key, _ in parents} == ids


def longest(nodes: list[BaseNode]) -> int:
    return max(count(node.get_content(MetadataMode.EMBED)) for node in nodes)


def test_metadata_counts_towards_the_cap_and_the_finest_level_follows_chunk_size() -> None:
    """LlamaIndex's global settings change only ``chunk_size``, not ``levels``."""
    source = Document(text=TERMS, metadata={"title": "General terms of delivery " * 6})
    nodes = TreepackNodeParser(levels=(200, 100))([source])
    assert 100 < longest(get_root_nodes(nodes)) <= 200
    assert 50 < longest(get_leaf_nodes(nodes)) <= 100
    parser = TreepackNodeParser(levels=(256, 64))
    for size, roots in ((40, 256), (100, 256), (300, 300)):
        parser.chunk_size = size
        nodes = parser([Document(text=TERMS)])
        assert size // 2 < longest(get_leaf_nodes(nodes)) <= size
        assert longest(get_root_nodes(nodes)) <= roots


def test_parents_of_levels_can_be_stored_in_a_docstore() -> None:
    splitter, docstore = TreepackTextSplitter(levels=(128, 64)), InMemoryStore()
    sources = [LangDocument(TERMS, metadata={"source": name}) for name in ("a", "b")]
    leaves, parents = splitter.split_with_parents(sources)
    docstore.mset(parents)
    assert len(list(docstore.yield_keys())) == len(parents) > 8
    assert leaves == splitter.split_documents(sources)
    alone = [leaf.page_content for leaf in leaves[: len(leaves) // 2]]
    assert splitter.split_text(TERMS) == alone
    assert TreepackNodeParser(levels=(128, 64)).split_text(TERMS) == alone
    assert max(map(count, alone)) <= 64, "they are the finest level"
    for leaf in leaves:
        [parent] = docstore.mget([leaf.metadata["parent_id"]])
        assert isinstance(parent, LangDocument)
        assert leaf.page_content in parent.page_content
        assert leaf.metadata["source"] == parent.metadata["source"]
