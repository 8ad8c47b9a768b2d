"""`TreepackNodeParser` with LlamaIndex's own parts: readers, pipelines, stores, retrievers."""

from pathlib import Path
from typing import Any

import chromadb
import lancedb
import pytest
from llama_index.core import (
    Document,
    QueryBundle,
    SimpleDirectoryReader,
    StorageContext,
    VectorStoreIndex,
)
from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.ingestion.pipeline import DocstoreStrategy
from llama_index.core.node_parser import HierarchicalNodeParser, NodeParser, get_leaf_nodes
from llama_index.core.postprocessor import MetadataReplacementPostProcessor
from llama_index.core.retrievers import AutoMergingRetriever, VectorIndexRetriever
from llama_index.core.schema import BaseNode, MetadataMode, NodeWithScore, TextNode
from llama_index.core.storage.docstore import SimpleDocumentStore
from llama_index.core.vector_stores import MetadataFilters
from llama_index.core.vector_stores.types import BasePydanticVectorStore
from llama_index.vector_stores.chroma import ChromaVectorStore
from llama_index.vector_stores.lancedb import LanceDBVectorStore
from llama_index.vector_stores.qdrant import QdrantVectorStore
from offline import TERMS, LlamaVectors, files, other_formats, pdf
from qdrant_client import QdrantClient

from treepack import TreepackNodeParser
from treepack.tokens import token_counter

PRESSURE = "Pump manual > 2 Limits > 2.1 Pressure"
count = token_counter("cl100k_base")


def parser(size: int = 96, **more: Any) -> TreepackNodeParser:  # noqa: ANN401 - settings
    return TreepackNodeParser(chunk_size=size, sections="separate", **more)


@pytest.fixture
def documents(tmp_path: Path) -> list[Document]:
    """Return what LlamaIndex's reader makes of a folder."""
    folder = tmp_path / "docs"
    folder.mkdir()
    files(folder)
    return SimpleDirectoryReader(str(folder), filename_as_id=True).load_data()


def vector_store(name: str, folder: Path) -> BasePydanticVectorStore:
    made: BasePydanticVectorStore
    if name == "chroma":
        settings = chromadb.Settings(anonymized_telemetry=False)
        client = chromadb.PersistentClient(str(folder), settings)
        made = ChromaVectorStore(chroma_collection=client.get_or_create_collection("manuals"))
    elif name == "lancedb":
        made = LanceDBVectorStore(uri=str(folder), table_name="manuals", mode="overwrite")
    else:
        made = QdrantVectorStore(collection_name="manuals", client=QdrantClient(path=str(folder)))
    return made


# -------------------------------------------------------------------- stores


@pytest.mark.parametrize("name", ["chroma", "lancedb", "qdrant"])
def test_a_store_returns_equal_nodes_and_filters_by_breadcrumb(
    name: str, documents: list[Document], tmp_path: Path
) -> None:
    mode = "uniform" if name == "lancedb" else "full"
    nodes = parser(metadata_mode=mode)(documents)
    index = VectorStoreIndex(
        nodes,
        storage_context=StorageContext.from_defaults(
            vector_store=vector_store(name, tmp_path / name)
        ),
        embed_model=LlamaVectors(),
    )
    filters = MetadataFilters.from_dict({"breadcrumb": PRESSURE})
    [found] = index.as_retriever(similarity_top_k=3, filters=filters).retrieve("relief valve")
    [wanted] = [node for node in nodes if node.metadata["breadcrumb"] == PRESSURE]
    assert found.node.node_id == wanted.node_id
    assert found.node.get_content() == wanted.get_content()
    assert found.node.metadata == wanted.metadata
    assert found.node.excluded_embed_metadata_keys == wanted.excluded_embed_metadata_keys


def test_a_chroma_folder_can_be_opened_again(documents: list[Document], tmp_path: Path) -> None:
    nodes = parser()(documents)
    for node in nodes:
        node.embedding = [0.5, 0.5]
    vector_store("chroma", tmp_path / "c").add(nodes)
    chromadb.api.client.SharedSystemClient.clear_system_cache()
    again = vector_store("chroma", tmp_path / "c")
    back = {node.node_id: node for node in again.get_nodes([node.node_id for node in nodes])}
    assert {key: node.metadata for key, node in back.items()} == {
        node.node_id: node.metadata for node in nodes
    }


def test_lancedb_stores_metadata_in_columns(documents: list[Document], tmp_path: Path) -> None:
    """LanceDB refuses keys that come later, so each node has all keys."""
    nodes = parser(metadata_mode="uniform")(documents)
    rows = [{"vector": [0.0, 1.0], **node.metadata} for node in nodes]
    table = lancedb.connect(str(tmp_path)).create_table("t", rows[:1])
    table.add(rows[1:])
    assert table.count_rows(f"breadcrumb = '{PRESSURE}'") == 1


# -------------------------------------------------------------------- pipelines


def test_upserts_replace_the_nodes_of_a_document_in_the_store(
    documents: list[Document], tmp_path: Path
) -> None:
    vectors = vector_store("chroma", tmp_path / "chroma")
    pipeline = IngestionPipeline(
        transformations=[parser(), LlamaVectors()],
        docstore=SimpleDocumentStore(),
        vector_store=vectors,
        docstore_strategy=DocstoreStrategy.UPSERTS,
    )
    pipeline.run(documents=documents)
    assert list(pipeline.run(documents=documents)) == []
    manual, *others = documents
    changed = Document(text="# Pump manual\n\nAll is new.\n", id_=manual.id_)
    [node] = pipeline.run(documents=[changed, *others])
    held = {kept.node_id: kept for kept in vectors.get_nodes(None)}
    assert [key for key, kept in held.items() if kept.ref_doc_id == manual.id_] == [node.node_id]
    assert {kept.ref_doc_id for kept in held.values()} == {source.id_ for source in documents}


def test_two_workers_give_the_same_nodes_and_fill_the_cache(
    documents: list[Document],
) -> None:
    """These are LlamaIndex's own scenarios for several workers."""
    names = {source.id_ for source in documents}
    pipeline = IngestionPipeline(
        transformations=[parser()],
        docstore=SimpleDocumentStore(),
        docstore_strategy=DocstoreStrategy.DUPLICATES_ONLY,
    )

    def cache_size() -> int:
        return len(pipeline.cache.cache.get_all(collection=pipeline.cache.collection))

    first = pipeline.run(documents=documents, num_workers=2)
    assert {node.ref_doc_id for node in first} == names
    assert pipeline.docstore is not None
    assert set(pipeline.docstore.docs) == names
    alone = IngestionPipeline(transformations=[parser()], disable_cache=True)
    assert [node.to_dict() for node in alone.run(documents=documents)] == [
        node.to_dict() for node in first
    ]
    filled = cache_size()
    pipeline.docstore = SimpleDocumentStore()
    second = pipeline.run(documents=documents, num_workers=2)
    assert [node.to_dict() for node in second] == [node.to_dict() for node in first]
    assert cache_size() == filled


def test_html_and_docling_files_of_a_folder_are_recognised(tmp_path: Path) -> None:
    other_formats(tmp_path)
    sources = SimpleDirectoryReader(str(tmp_path), filename_as_id=True).load_data()
    assert [source.text.lstrip()[0] for source in sources] == ["{", "<"]
    hose, *valve = parser()(sources)
    assert hose.get_content() == "# 1 Hose\n\nReplace the hose every five years."
    assert (hose.metadata["page_start"], hose.metadata["page_end"]) == (3, 4)
    assert [node.metadata["breadcrumb"] for node in valve] == [
        "Valve manual > 1 Storage",
        "Valve manual > 2 Opening",
    ]
    assert valve[1].get_content().endswith("opens at 18 bar & closes at 16 bar.")
    assert all(count(n.get_content(MetadataMode.EMBED)) <= 96 for n in (hose, *valve))


def test_metadata_that_the_reader_excludes_stays_excluded(documents: list[Document]) -> None:
    [node] = [n for n in parser()(documents) if n.metadata.get("breadcrumb") == PRESSURE]
    text = node.get_content(metadata_mode=MetadataMode.EMBED)
    assert text.startswith("file_path: ")
    assert "creation_date" not in text
    assert f"breadcrumb: {PRESSURE}" in text
    assert count(text) <= 96


def test_an_early_edit_embeds_only_what_changed(capsys: pytest.CaptureFixture[str]) -> None:
    """Nodes with a known hash are not embedded again; after an edit that is nearly all of them."""
    text = "# Terms\n\n" + "\n\n".join(
        f"## Clause {i}\n\n" + f"The text of clause {i} as agreed. " * 10 for i in range(200)
    )
    edited = text.replace("# Terms\n\n", "# Terms\n\nThis paragraph is new.\n\n")
    vectors = LlamaVectors()
    pipeline = IngestionPipeline(
        transformations=[vectors],
        docstore=SimpleDocumentStore(),
        docstore_strategy=DocstoreStrategy.DUPLICATES_ONLY,
    )
    before = parser()([Document(text=text, id_="t")])
    pipeline.run(nodes=before)
    first = len(vectors.asked)
    after = parser()([Document(text=edited, id_="t")])
    pipeline.run(nodes=after)
    second = len(vectors.asked) - first
    same = {(n.node_id, n.hash) for n in before} & {(n.node_id, n.hash) for n in after}
    with capsys.disabled():
        share = f"{len(same)} of {len(before)} nodes unchanged"
        print(f"\nre-ingest: {share}, {second} of {len(after)} embedded again")  # noqa: T201 - for people, with -s
    assert len(same) >= 0.97 * len(before)
    assert second <= 0.03 * len(after)


# -------------------------------------------------------------------- retrievers


def hierarchy() -> HierarchicalNodeParser:
    parsers: dict[str, NodeParser] = {f"s{size}": parser(size) for size in (400, 64)}
    return HierarchicalNodeParser.from_defaults(
        node_parser_ids=list(parsers), node_parser_map=parsers
    )


def test_leaves_merge_into_their_section() -> None:
    nodes = hierarchy().get_nodes_from_documents([Document(text=TERMS, id_="t")])
    leaves = get_leaf_nodes(nodes)
    context = StorageContext.from_defaults()
    context.docstore.add_documents(nodes)
    index = VectorStoreIndex(leaves, storage_context=context, embed_model=LlamaVectors())
    nearest = VectorIndexRetriever(index, similarity_top_k=3)
    retriever = AutoMergingRetriever(nearest, context, simple_ratio_thresh=0.4)
    merged = retriever.retrieve("clause 7 subject 7")
    assert any(found.node.get_content().startswith("## Clause 7") for found in merged)
    assert any(found.node.child_nodes for found in merged)


def test_children_merge_into_their_section() -> None:
    """With levels, one parser makes parents and children, and what merges is a whole section."""
    level_parser = TreepackNodeParser(levels=(128, 40), min_size=0, sections="separate")
    nodes = level_parser([Document(text=TERMS, id_="t", metadata={"file_name": "terms.md"})])
    context = StorageContext.from_defaults()
    context.docstore.add_documents(nodes)
    leaves = get_leaf_nodes(nodes)
    index = VectorStoreIndex(leaves, storage_context=context, embed_model=LlamaVectors())
    nearest = VectorIndexRetriever(index, similarity_top_k=3)
    retriever = AutoMergingRetriever(nearest, context, simple_ratio_thresh=0.4)
    merged = retriever.retrieve("clause 7 subject 7")
    [section] = [found.node for found in merged if found.node.child_nodes]
    start, end = TERMS.index("## Clause 7"), TERMS.index("## Clause 8")
    assert section.get_content() == TERMS[start:end].strip()
    assert section.metadata["breadcrumb"] == "Terms > Clause 7"


def test_a_postprocessor_can_replace_the_text_by_metadata() -> None:
    nodes: list[BaseNode] = parser()([Document(text=TERMS, id_="t")])
    replace = MetadataReplacementPostProcessor(target_metadata_key="breadcrumb")
    found = replace.postprocess_nodes([NodeWithScore(node=nodes[1])], QueryBundle("x"))
    assert found[0].node.get_content() == nodes[1].metadata["breadcrumb"]


# -------------------------------------------------------------------- pages


def test_the_pages_of_a_pdf_are_merged_into_one_document(tmp_path: Path) -> None:
    pages = [
        ["The pump must stand on a level floor and", "the floor shall"],
        ["carry at least 80 kg. The pressure is limited."],
        ["Bring the pump to a collecting point."],
    ]
    (tmp_path / "a.pdf").write_bytes(pdf(pages))
    documents = SimpleDirectoryReader(str(tmp_path)).load_data()
    assert len(documents) == 3
    [node] = parser(400)(documents)
    assert isinstance(node, TextNode)
    assert "the floor shall\ncarry at least 80 kg." in node.text
    assert (node.metadata["page_start"], node.metadata["page_end"]) == (1, 3)
    assert node.ref_doc_id == documents[0].id_
