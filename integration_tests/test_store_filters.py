"""Chunks of an article and of a chapter, found with the filters of stores.

A store that is not installed is skipped; what the filters need is tested without stores in
``tests/test_adapters.py``.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from acts import act
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from llama_index.core import Document as Given

from treepack import TreepackNodeParser, TreepackTextSplitter

LAW = act(10, long=27, times=300)
VECTORS = DeterministicFakeEmbedding(size=8)
SIZE = 200
CHAPTER = set(range(11, 21))


def documents(mode: Any) -> list[Document]:  # noqa: ANN401 - a mode
    splitter = TreepackTextSplitter(SIZE, metadata_mode=mode)
    return splitter.split_documents([Document(LAW, metadata={"source": "act.md"})])


def nodes(mode: Any) -> list[Any]:  # noqa: ANN401 - a mode
    parser = TreepackNodeParser(chunk_size=SIZE, metadata_mode=mode)
    made: list[Any] = list(parser([Given(text=LAW, metadata={"source": "act.md"})]))
    for node, vector in zip(
        made, VECTORS.embed_documents([node.text for node in made]), strict=True
    ):
        node.embedding = vector
    return made


def check_articles_and_chapter(texts_of_clause: Any, pieces: list[str]) -> None:  # noqa: ANN401 - a function from a clause to texts
    """Check one article, one that takes several chunks, and a chapter."""
    [seven] = texts_of_clause("7")
    assert "## Article 7 " in seven
    assert sorted(texts_of_clause("27")) == sorted(
        text for text in pieces if "Article 27 " in text or "said again" in text
    )
    assert len(texts_of_clause("27")) > 2
    chapter_texts = texts_of_clause("Chapter II")
    found = {n for n in range(1, 31) if any(f"shall do {n}." in text for text in chapter_texts)}
    assert found == CHAPTER


def test_chroma_filters_lists_through_langchain() -> None:
    chroma, chromadb = pytest.importorskip("langchain_chroma"), pytest.importorskip("chromadb")
    store = chroma.Chroma("laws", VECTORS, client=chromadb.EphemeralClient())
    made = documents("native")
    keys = store.add_documents(made)
    back = {document.id: document for document in store.get_by_ids(keys)}
    assert [back[key].metadata for key in keys] == [document.metadata for document in made]
    check_articles_and_chapter(
        lambda clause: store.get(where={"clauses_list": {"$contains": clause}})["documents"],
        [document.page_content for document in made],
    )


def test_chroma_filters_headings_by_equality() -> None:
    chroma, chromadb = pytest.importorskip("langchain_chroma"), pytest.importorskip("chromadb")
    store = chroma.Chroma("headings", VECTORS, client=chromadb.EphemeralClient())
    splitter = TreepackTextSplitter(SIZE, sections="separate")
    store.add_documents(splitter.create_documents([LAW]))
    chapter_texts = store.get(where={"heading_1": "CHAPTER II"})["documents"]
    assert {n for n in range(1, 31) if any(f"shall do {n}." in t for t in chapter_texts)} == CHAPTER
    pieces = store.get(where={"heading_2": "Article 27 — Duty"})["documents"]
    assert len(pieces) > 2
    assert "shall do 27." in "".join(pieces)


def test_qdrant_filters_lists_through_langchain() -> None:
    qdrant, client = pytest.importorskip("langchain_qdrant"), pytest.importorskip("qdrant_client")
    models = client.models
    own = client.QdrantClient(":memory:")
    own.create_collection(
        "laws", vectors_config=models.VectorParams(size=8, distance=models.Distance.COSINE)
    )
    made = documents("native")
    qdrant.QdrantVectorStore(own, "laws", VECTORS).add_documents(made)

    def texts_of_clause(clause: str) -> list[str]:
        match = models.MatchValue(value=clause)
        condition = models.FieldCondition(key="metadata.clauses_list", match=match)
        found, _ = own.scroll("laws", models.Filter(must=[condition]), limit=999)
        return [record.payload["page_content"] for record in found]

    check_articles_and_chapter(texts_of_clause, [document.page_content for document in made])


def test_faiss_filters_with_a_function_through_langchain() -> None:
    pytest.importorskip("faiss")
    community = pytest.importorskip("langchain_community.vectorstores")
    made = documents("full")
    store = community.FAISS.from_documents(made, VECTORS)

    def texts_of_clause(clause: str) -> list[str]:
        found = store.similarity_search(
            "duty",
            k=len(made),
            fetch_k=len(made),
            filter=lambda data: clause in json.loads(data.get("clauses_json", "[]")),
        )
        return [document.page_content for document in found]

    check_articles_and_chapter(texts_of_clause, [document.page_content for document in made])


def test_lancedb_filters_json_columns(tmp_path: Path) -> None:
    """The rows are like those of both frameworks' stores: one column for each key."""
    lancedb = pytest.importorskip("lancedb")
    made = nodes("uniform")
    rows = [{"vector": node.embedding, "text": node.text, **node.metadata} for node in made]
    table = lancedb.connect(tmp_path).create_table("laws", rows)

    def texts_of_clause(clause: str) -> list[str]:
        where = f"""clauses_json LIKE '%"{clause}"%'"""
        return [row["text"] for row in table.search().where(where).limit(999).to_list()]

    check_articles_and_chapter(texts_of_clause, [node.text for node in made])


def test_duckdb_filters_json_columns() -> None:
    duckdb = pytest.importorskip("duckdb")
    made = nodes("uniform")
    connection = duckdb.connect()
    connection.execute("CREATE TABLE laws (text VARCHAR, clauses_json VARCHAR)")
    connection.executemany(
        "INSERT INTO laws VALUES (?, ?)",
        [(node.text, node.metadata["clauses_json"]) for node in made],
    )

    def texts_of_clause(clause: str) -> list[str]:
        where = "SELECT text FROM laws WHERE clauses_json LIKE ?"
        return [text for (text,) in connection.execute(where, [f'%"{clause}"%']).fetchall()]

    check_articles_and_chapter(texts_of_clause, [node.text for node in made])


def test_milvus_filters_json_fields(tmp_path: Path) -> None:
    pymilvus = pytest.importorskip("pymilvus")
    pytest.importorskip("milvus_lite")
    client = pymilvus.MilvusClient(str(tmp_path / "laws.db"))
    client.create_collection("laws", dimension=8)
    made = nodes("full")
    rows = [
        {"id": number, "vector": node.embedding, "text": node.text, **node.metadata}
        for number, node in enumerate(made)
    ]
    client.insert("laws", rows)

    def texts_of_clause(clause: str) -> list[str]:
        wanted = f"""clauses_json like '%"{clause}"%'"""
        return [row["text"] for row in client.query("laws", wanted, output_fields=["text"])]

    check_articles_and_chapter(texts_of_clause, [node.text for node in made])
