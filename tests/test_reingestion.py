"""A document that is indexed again after an edit: what is embedded, and what is deleted."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from langchain_core.documents import Document as Text
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.indexing import InMemoryRecordManager, index
from langchain_core.vectorstores import InMemoryVectorStore
from llama_index.core import (
    Document,
    StorageContext,
    VectorStoreIndex,
    load_index_from_storage,
)
from offline import LlamaVectors

from treepack import TreepackNodeParser, TreepackTextSplitter
from treepack.integrations.llama_index import refresh_index

MANUAL = "# Manual\n\n" + "".join(
    f"## Part {at}\n\nThe text of part {at} says what is to be done with it.\n\n"
    for at in range(146)
)
EDITED = MANUAL.replace("text of part 70 says", "changed text of part 70 says")
SHORTER = MANUAL.replace("## Part 3\n\nThe text of part 3 says what is to be done with it.\n\n", "")


def new_index() -> tuple[VectorStoreIndex, LlamaVectors]:
    model = LlamaVectors()
    return VectorStoreIndex([], embed_model=model), model


def document(text: str, **metadata: Any) -> Document:  # noqa: ANN401 - counts of LangChain - values
    return Document(
        text=text,
        id_="manual",
        metadata={"file_path": "manual.md", **metadata},
        excluded_embed_metadata_keys=["date"],
        excluded_llm_metadata_keys=["date"],
    )


PARSER = TreepackNodeParser(chunk_size=96, sections="separate")


def texts_in(index: VectorStoreIndex) -> list[str]:
    return sorted(node.text for node in index.as_retriever(similarity_top_k=200).retrieve("text"))


def by_refreshing(_: Path) -> tuple[VectorStoreIndex, LlamaVectors]:
    index, model = new_index()
    first = refresh_index(index, [document(MANUAL)], PARSER)
    assert len(first.embedded) == len(model.asked) == 146
    return index, model


def by_the_framework(_: Path) -> tuple[VectorStoreIndex, LlamaVectors]:
    model = LlamaVectors()
    return VectorStoreIndex(PARSER([document(MANUAL)]), embed_model=model), model


def by_loading(folder: Path) -> tuple[Any, LlamaVectors]:
    index, model = by_refreshing(folder)
    index.storage_context.persist(str(folder))
    context = StorageContext.from_defaults(persist_dir=str(folder))
    return load_index_from_storage(context, embed_model=model), model


EDITS: dict[str, tuple[Document, int, int]] = {  # how many nodes are embedded, and how many removed
    "nothing": (document(MANUAL), 0, 0),
    "a word": (document(EDITED), 1, 1),
    "a paragraph": (document(SHORTER), 0, 1),
    "the date": (document(MANUAL, date="2"), 0, 0),
    "embedded metadata": (document(MANUAL, title="New"), 146, 0),
}


@pytest.mark.parametrize("built", [by_refreshing, by_the_framework, by_loading])
@pytest.mark.parametrize("edit", EDITS)
def test_only_what_an_edit_changes_is_embedded_again(
    edit: str, built: Callable[[Path], tuple[Any, LlamaVectors]], tmp_path: Path
) -> None:
    source, embedded, removed = EDITS[edit]
    index, model = built(tmp_path)
    model.asked.clear()
    after = refresh_index(index, [source], PARSER)
    assert len(after.embedded) == len(model.asked) == embedded
    assert len(after.removed) == removed
    nodes = PARSER([source])
    assert len(after.kept) == len(nodes) - embedded
    assert texts_in(index) == sorted(node.get_content() for node in nodes)
    stored = index.docstore.docs.values()
    assert {node.metadata.get("date") for node in stored} == {source.metadata.get("date")}


def test_a_refresh_keeps_other_documents() -> None:
    index, _ = new_index()
    other = Document(text="# Other\n\nA text.", id_="other")
    refresh_index(index, [document(MANUAL), other], PARSER)
    refresh_index(index, [document(EDITED)], PARSER)
    assert len(index.docstore.docs) == 147


def test_parents_are_stored_but_not_embedded_and_only_embedded_nodes_are_listed() -> None:
    parser = TreepackNodeParser(levels=(2000, 96))
    nodes = parser([document(MANUAL)])
    leaves = [node.node_id for node in nodes if not node.child_nodes]
    index, model = new_index()
    first = refresh_index(index, [document(MANUAL)], parser)
    assert first.embedded == leaves
    assert len(model.asked) == len(leaves) < len(nodes) == len(index.docstore.docs)
    model.asked.clear()
    again = refresh_index(index, [document(MANUAL)], parser)
    assert again.kept == [node.node_id for node in nodes]
    after = refresh_index(index, [document(EDITED)], parser)
    assert 0 < len(after.embedded) == len(model.asked) < len(first.embedded)


@pytest.mark.parametrize(
    ("cleanup", "again"), [("incremental", range(2, 147)), ("scoped_full", [1])]
)
def test_langchain_adds_the_fewest_chunks_with_scoped_full(cleanup: Any, again: Any) -> None:  # noqa: ANN401 - counts of LangChain
    """With more chunks than a batch holds, ``incremental`` deletes those of later batches."""
    records = InMemoryRecordManager(namespace="n")
    records.create_schema()
    store = InMemoryVectorStore(DeterministicFakeEmbedding(size=4))
    splitter = TreepackTextSplitter(chunk_size=96, sections="separate")
    added = []
    for text in (MANUAL, EDITED):
        chunks = splitter.split_documents([Text(text, metadata={"source": "manual.md"})])
        how: Any = {"cleanup": cleanup, "source_id_key": "source", "key_encoder": "sha256"}
        added.append(index(chunks, records, store, **how)["num_added"])
    assert added[0] == 146
    assert added[1] in again
    assert len(store.store) == 146
