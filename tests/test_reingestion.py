"""A document that is indexed again after an edit: what is embedded, and what is deleted."""

from typing import Any

import pytest
from langchain_core.documents import Document as Text
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.indexing import InMemoryRecordManager, index
from langchain_core.vectorstores import InMemoryVectorStore
from llama_index.core import Document, MockEmbedding, StorageContext, VectorStoreIndex

from treepack import TreepackNodeParser, TreepackTextSplitter
from treepack.integrations.llama_index import refresh_index

MANUAL = "# Manual\n\n" + "".join(
    f"## Part {at}\n\nThe text of part {at} says what is to be done with it.\n\n"
    for at in range(146)
)
EDITED = MANUAL.replace("text of part 70 says", "changed text of part 70 says")
SHORTER = MANUAL.replace("## Part 3\n\nThe text of part 3 says what is to be done with it.\n\n", "")


class CountingEmbedding(MockEmbedding):
    """Counts the texts that it embeds."""

    seen: list[str] = []  # noqa: RUF012 - a field of the model

    def _get_text_embedding(self, text: str) -> list[float]:
        self.seen.append(text)
        return super()._get_text_embedding(text)


def new_index() -> tuple[VectorStoreIndex, CountingEmbedding]:
    model = CountingEmbedding(embed_dim=4)
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


def test_only_an_edited_paragraph_is_embedded_again() -> None:
    index, model = new_index()
    first = refresh_index(index, [document(MANUAL)], PARSER)
    assert len(first.embedded) == len(model.seen) == 146
    model.seen.clear()
    again = refresh_index(index, [document(MANUAL)], PARSER)
    assert (again.embedded, again.removed, model.seen) == ([], [], [])
    after = refresh_index(index, [document(EDITED)], PARSER)
    assert len(after.embedded) == len(model.seen) == 1
    assert "changed text" in model.seen[0]
    assert len(after.kept) == 145
    found = index.as_retriever(similarity_top_k=200).retrieve("text")
    texts = sorted(node.text for node in found)
    assert texts == sorted(node.get_content() for node in PARSER([document(EDITED)]))


def test_the_nodes_of_an_index_that_the_framework_built_are_adopted() -> None:
    model = CountingEmbedding(embed_dim=4)
    index = VectorStoreIndex(PARSER([document(MANUAL)]), embed_model=model)
    model.seen.clear()
    first = refresh_index(index, [document(MANUAL)], PARSER)
    assert (first.embedded, first.removed, len(first.kept)) == ([], [], 146)
    after = refresh_index(index, [document(EDITED)], PARSER)
    assert len(after.embedded) == len(model.seen) == 1
    assert len(index.as_retriever(similarity_top_k=200).retrieve("text")) == 146


def test_a_deleted_paragraph_is_removed_from_the_index() -> None:
    index, model = new_index()
    refresh_index(index, [document(MANUAL)], PARSER)
    model.seen.clear()
    after = refresh_index(index, [document(SHORTER)], PARSER)
    assert (len(after.removed), len(model.seen)) == (1, 0)
    assert index.docstore.get_node(after.removed[0], raise_error=False) is None
    found = index.as_retriever(similarity_top_k=200).retrieve("text")
    assert not [node for node in found if "part 3 says" in node.text]
    assert len(found) == 145


def test_a_new_file_date_embeds_nothing_and_keeps_other_documents() -> None:
    index, model = new_index()
    other = Document(text="# Other\n\nA text.", id_="other")
    refresh_index(index, [document(MANUAL, date="1"), other], PARSER)
    model.seen.clear()
    refresh_index(index, [document(MANUAL, date="2")], PARSER)
    assert model.seen == []
    assert {node.metadata.get("date") for node in index.docstore.docs.values()} == {"2", None}
    assert len(index.docstore.docs) == 147


def test_changed_embedded_metadata_embeds_all_nodes_again() -> None:
    index, model = new_index()
    refresh_index(index, [document(MANUAL)], PARSER)
    model.seen.clear()
    refresh_index(index, [document(MANUAL, title="New")], PARSER)
    assert len(model.seen) == 146


def test_a_refresh_continues_from_a_saved_docstore(tmp_path: Any) -> None:  # noqa: ANN401 - counts of LangChain - a path
    from llama_index.core import load_index_from_storage  # noqa: PLC0415 - only here

    index, model = new_index()
    refresh_index(index, [document(MANUAL)], PARSER)
    index.storage_context.persist(str(tmp_path))
    context = StorageContext.from_defaults(persist_dir=str(tmp_path))
    loaded: Any = load_index_from_storage(context, embed_model=model)
    model.seen.clear()
    assert len(refresh_index(loaded, [document(EDITED)], PARSER).embedded) == 1


def test_parents_are_stored_but_not_embedded() -> None:
    parser = TreepackNodeParser(levels=(2000, 96))
    index, model = new_index()
    nodes = parser([document(MANUAL)])
    refresh_index(index, [document(MANUAL)], parser)
    leaves = [node for node in nodes if not node.child_nodes]
    assert len(model.seen) == len(leaves) < len(nodes) == len(index.docstore.docs)


def test_a_refresh_lists_only_the_nodes_that_it_embedded() -> None:
    parser = TreepackNodeParser(levels=(2000, 96))
    index, model = new_index()
    nodes = parser([document(MANUAL)])
    first = refresh_index(index, [document(MANUAL)], parser)
    assert first.embedded == [node.node_id for node in nodes if not node.child_nodes]
    model.seen.clear()
    again = refresh_index(index, [document(MANUAL)], parser)
    assert again.kept == [node.node_id for node in nodes]
    after = refresh_index(index, [document(EDITED)], parser)
    assert 0 < len(after.embedded) == len(model.seen) < len(first.embedded)


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
