"""Stores that run inside the process, in both frameworks; a row is printed for each.

What goes in comes out equal, filters find an article and a chapter, a second run adds nothing, and
a context is filled from parents and children.
A store that is not installed is skipped.
"""

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final
from uuid import NAMESPACE_OID, uuid5

import pytest
from acts import act
from langchain_core.documents import Document as LangDocument
from langchain_core.indexing import InMemoryRecordManager, index
from langchain_core.stores import InMemoryStore
from llama_index.core import Document as LlamaDocument
from llama_index.core import StorageContext, VectorStoreIndex
from llama_index.core.schema import MetadataMode
from llama_index.core.storage.docstore import SimpleDocumentStore
from llama_index.core.vector_stores import (
    FilterOperator,
    MetadataFilter,
    MetadataFilters,
)
from offline import SIZE, LangVectors, LlamaVectors

from treepack import TreepackNodeParser, TreepackTextSplitter
from treepack.integrations.langchain import TreepackRetriever as ForLangChain
from treepack.integrations.llama_index import TreepackRetriever as ForLlamaIndex
from treepack.integrations.llama_index import refresh_index
from treepack.retrieval import Context

LAW: Final = act(10, long=27, times=300)
CAP: Final = 200
NO_LIMIT: Final = 999
CLAUSES: Final = ("7", "27", "Chapter II")

ADDED: Final = {"pk", "_id", "_collection_name", "_similarity_score"}
"""Metadata keys that stores add."""

Pieces = dict[str, tuple[str, dict[str, Any]]]
"""Texts and metadata by chunk id."""


@dataclass
class Store:
    """A store as a user of a framework has it.

    Attributes:
        given: The pieces that go in.
        run: Indexes the law, and returns how many pieces were added.
        held: Returns what a search for everything finds.
        find: Returns the texts of a clause, with a filter of the store.
        by: The filter in words.
        vectors: The framework's store.
        mode: How metadata is written for it.
    """

    given: Pieces
    run: Callable[[], int]
    held: Callable[[], Pieces]
    find: Callable[[str], list[str]]
    by: str
    vectors: Any
    mode: Any


# -------------------------------------------------------------------- LangChain


def pieces_of_documents(documents: list[LangDocument]) -> Pieces:
    """Return the documents without what stores add to their metadata."""
    return {
        each.metadata["chunk_id"]: (
            each.page_content,
            {key: value for key, value in each.metadata.items() if key not in ADDED},
        )
        for each in documents
    }


def split(mode: Any) -> list[LangDocument]:  # noqa: ANN401 - a mode
    splitter = TreepackTextSplitter(CAP, metadata_mode=mode)
    return splitter.split_documents([LangDocument(LAW, metadata={"source": "act.md"})])


def langchain(
    vectors: Any,  # noqa: ANN401 - a store
    mode: str,
    by: str,
    filter_for: Callable[[str], dict[str, Any]],
    key_encoder: Any = "sha256",  # noqa: ANN401 - as `index` takes it
) -> Store:
    """Return a store that LangChain's `index` fills.

    Args:
        vectors: The store.
        mode: How metadata is written for it.
        by: The filter in words.
        filter_for: The arguments of a search for a clause.
        key_encoder: The function or algorithm that `index` makes keys with.
    """
    made, records = split(mode), InMemoryRecordManager("laws")
    records.create_schema()

    def run() -> int:
        done = index(
            made,
            records,
            vectors,
            cleanup="scoped_full",
            source_id_key="source",
            key_encoder=key_encoder,
            batch_size=NO_LIMIT,
        )
        return done["num_added"] + done["num_updated"]

    def texts(clause: str) -> list[str]:
        found = vectors.similarity_search("duty", k=NO_LIMIT, **filter_for(clause))
        return [each.page_content for each in found]

    return Store(
        pieces_of_documents(made),
        run,
        lambda: pieces_of_documents(vectors.similarity_search("duty", k=NO_LIMIT)),
        texts,
        by,
        vectors,
        mode,
    )


def langchain_chroma(folder: Path) -> Store:
    chromadb = import_module("chromadb")
    vectors = import_module("langchain_chroma").Chroma(
        "laws",
        LangVectors(),
        persist_directory=str(folder),
        client_settings=chromadb.Settings(anonymized_telemetry=False),
    )
    by = "native: clauses_list $contains"
    return langchain(
        vectors, "native", by, lambda clause: {"filter": {"clauses_list": {"$contains": clause}}}
    )


def as_uuid(document: LangDocument) -> str:
    """Return a UUID, the only form of key that Qdrant takes; "sha256" gives other keys."""
    return str(uuid5(NAMESPACE_OID, document.model_dump_json()))


def langchain_qdrant(folder: Path) -> Store:
    client = import_module("qdrant_client")
    models, own = client.models, client.QdrantClient(path=str(folder))
    shape = models.VectorParams(size=SIZE, distance=models.Distance.COSINE)
    own.create_collection("laws", vectors_config=shape)

    def filter_for(clause: str) -> dict[str, Any]:
        match = models.MatchValue(value=clause)
        has = models.FieldCondition(key="metadata.clauses_list", match=match)
        return {"filter": models.Filter(must=[has])}

    vectors = import_module("langchain_qdrant").QdrantVectorStore(own, "laws", LangVectors())
    by = "native: clauses_list MatchValue"
    return langchain(vectors, "native", by, filter_for, as_uuid)


def langchain_lancedb(folder: Path) -> Store:
    connection = import_module("lancedb").connect(folder)
    vectors = import_module("langchain_community.vectorstores").LanceDB(
        connection, LangVectors(), mode="append"
    )

    def filter_for(clause: str) -> dict[str, Any]:
        where = f"""metadata.clauses_json LIKE '%"{clause}"%'"""
        return {"filter": where, "prefilter": True}

    return langchain(vectors, "uniform", "uniform: clauses_json LIKE", filter_for)


def langchain_milvus(folder: Path) -> Store:
    import_module("milvus_lite")
    vectors = import_module("langchain_milvus").Milvus(
        LangVectors(),
        collection_name="laws",
        connection_args={"uri": str(folder / "laws.db")},
        index_params={"index_type": "FLAT", "metric_type": "COSINE"},
        enable_dynamic_field=True,
    )

    def filter_for(clause: str) -> dict[str, Any]:
        return {"expr": f"""clauses_json like '%"{clause}"%'"""}

    return langchain(vectors, "full", "full: clauses_json like", filter_for)


def langchain_faiss(_: Path) -> Store:
    flat = import_module("faiss").IndexFlatL2(SIZE)
    docstores = import_module("langchain_community.docstore.in_memory")
    vectors = import_module("langchain_community.vectorstores").FAISS(
        LangVectors(), flat, docstores.InMemoryDocstore(), {}
    )

    def filter_for(clause: str) -> dict[str, Any]:
        def has(metadata: dict[str, Any]) -> bool:
            return clause in json.loads(metadata.get("clauses_json", "[]"))

        return {"filter": has, "fetch_k": NO_LIMIT}

    return langchain(vectors, "full", "full: a function", filter_for)


def langchain_duckdb(folder: Path) -> Store:
    """Return DuckDB, which lacks filters and the `delete` that `index` needs: SQL does both."""
    connection = import_module("duckdb").connect(folder / "laws.duckdb")
    vectors = import_module("langchain_community.vectorstores").DuckDB(
        connection=connection, embedding=LangVectors()
    )
    made = split("full")

    def run() -> int:
        known = {key for (key,) in connection.execute("SELECT id FROM embeddings").fetchall()}
        new = [each for each in made if each.metadata["chunk_id"] not in known]
        if new:
            vectors.add_documents(new, ids=[each.metadata["chunk_id"] for each in new])
        return len(new)

    def find(clause: str) -> list[str]:
        where = "SELECT text FROM embeddings WHERE metadata->>'clauses_json' LIKE ?"
        return [text for (text,) in connection.execute(where, [f'%"{clause}"%']).fetchall()]

    def held() -> Pieces:
        return pieces_of_documents(vectors.similarity_search("duty", k=NO_LIMIT))

    by = "full: clauses_json LIKE, in SQL"
    return Store(pieces_of_documents(made), run, held, find, by, vectors, "full")


# -------------------------------------------------------------------- LlamaIndex


def pieces_of_nodes(nodes: Any) -> Pieces:  # noqa: ANN401 - nodes
    return {
        node.metadata["chunk_id"]: (node.get_content(MetadataMode.NONE), node.metadata)
        for node in nodes
    }


def llama_index(
    vectors: Any,  # noqa: ANN401 - a store
    mode: Any,  # noqa: ANN401 - a mode
    by: str,
    filter_for: Callable[[str], MetadataFilter],
    **settings: Any,  # noqa: ANN401 - settings
) -> Store:
    """Return a store that `refresh_index` fills.

    Args:
        vectors: The store.
        mode: How metadata is written for it.
        by: The filter in words.
        filter_for: The filter for a clause.
        settings: The settings of the parser.
    """
    parser = TreepackNodeParser(chunk_size=CAP, metadata_mode=mode, **settings)
    document = LlamaDocument(text=LAW, id_="act.md", metadata={"file_name": "act.md"})
    context = StorageContext.from_defaults(vector_store=vectors)
    made = VectorStoreIndex([], storage_context=context, embed_model=LlamaVectors())

    def found(**filters: Any) -> list[Any]:  # noqa: ANN401 - filters
        retriever = made.as_retriever(similarity_top_k=NO_LIMIT, **filters)
        return [each.node for each in retriever.retrieve("duty")]

    def find(clause: str) -> list[str]:
        some = found(filters=MetadataFilters(filters=[filter_for(clause)]))
        return [node.get_content(MetadataMode.NONE) for node in some]

    return Store(
        pieces_of_nodes(parser([document])),
        lambda: len(refresh_index(made, [document], parser).embedded),
        lambda: pieces_of_nodes(found()),
        find,
        by,
        vectors,
        mode,
    )


def by_heading(clause: str) -> MetadataFilter:
    if clause.isdigit():
        return MetadataFilter(key="heading_2", value=f"Article {clause} — Duty")
    return MetadataFilter(key="heading_1", value=clause.replace("Chapter", "CHAPTER"))


def by_text(value: str) -> Callable[[str], MetadataFilter]:
    def filter_for(clause: str) -> MetadataFilter:
        wanted = value.format(clause)
        return MetadataFilter(key="clauses_json", value=wanted, operator=FilterOperator.TEXT_MATCH)

    return filter_for


def llama_index_chroma(folder: Path) -> Store:
    chromadb = import_module("chromadb")
    client = chromadb.PersistentClient(str(folder), chromadb.Settings(anonymized_telemetry=False))
    vectors = import_module("llama_index.vector_stores.chroma").ChromaVectorStore(
        chroma_collection=client.get_or_create_collection("laws")
    )
    return llama_index(
        vectors, "full", "full: heading_1, heading_2", by_heading, sections="separate"
    )


def llama_index_qdrant(folder: Path) -> Store:
    client = import_module("qdrant_client").QdrantClient(path=str(folder))
    vectors = import_module("llama_index.vector_stores.qdrant").QdrantVectorStore(
        "laws", client=client
    )

    def filter_for(clause: str) -> MetadataFilter:
        return MetadataFilter(key="clauses_list", value=clause)

    return llama_index(vectors, "native", "native: clauses_list EQ", filter_for)


def llama_index_lancedb(folder: Path) -> Store:
    vectors = import_module("llama_index.vector_stores.lancedb").LanceDBVectorStore(
        uri=str(folder), table_name="laws", mode="overwrite"
    )
    return llama_index(vectors, "uniform", "uniform: clauses_json TEXT_MATCH", by_text('"{}"'))


def llama_index_milvus(folder: Path) -> Store:
    import_module("milvus_lite")
    module = import_module("llama_index.vector_stores.milvus")

    async def open_store() -> Any:  # noqa: ANN401 - a store
        return module.MilvusVectorStore(str(folder / "laws.db"), dim=SIZE)

    vectors = asyncio.run(open_store())  # it also makes a client for asyncio
    return llama_index(vectors, "full", "full: clauses_json TEXT_MATCH", by_text('%"{}"'))


def llama_index_faiss(_: Path) -> Store:
    faiss = import_module("faiss")
    vectors = import_module("llama_index.vector_stores.faiss").FaissMapVectorStore(
        faiss.IndexIDMap2(faiss.IndexFlatL2(SIZE))
    )
    store = llama_index(vectors, "full", "full: a function, on what was found", by_heading)

    def find(clause: str) -> list[str]:
        return [
            text
            for text, metadata in store.held().values()
            if clause in json.loads(metadata.get("clauses_json", "[]"))
        ]

    store.find = find
    return store


def llama_index_duckdb(folder: Path) -> Store:
    duckdb = import_module("duckdb")
    module = import_module("llama_index.vector_stores.duckdb")
    try:
        vectors = module.DuckDBVectorStore("laws.duckdb", persist_dir=str(folder))
    except (duckdb.IOException, duckdb.HTTPException) as error:
        pytest.skip(f"it loads an extension from the net: {str(error).splitlines()[0]}")
    return llama_index(
        vectors, "full", "full: heading_1, heading_2", by_heading, sections="separate"
    )


STORES: Final[Mapping[str, Callable[[Path], Store]]] = {
    "Chroma, LangChain": langchain_chroma,
    "Chroma, LlamaIndex": llama_index_chroma,
    "Qdrant, LangChain": langchain_qdrant,
    "Qdrant, LlamaIndex": llama_index_qdrant,
    "LanceDB, LangChain": langchain_lancedb,
    "LanceDB, LlamaIndex": llama_index_lancedb,
    "Milvus Lite, LangChain": langchain_milvus,
    "Milvus Lite, LlamaIndex": llama_index_milvus,
    "FAISS, LangChain": langchain_faiss,
    "FAISS, LlamaIndex": llama_index_faiss,
    "DuckDB, LangChain": langchain_duckdb,
    "DuckDB, LlamaIndex": llama_index_duckdb,
}


@pytest.fixture(scope="module")
def rows(request: pytest.FixtureRequest) -> Iterator[list[tuple[str, ...]]]:
    """The table of results, which is printed after all stores are tested."""
    table: list[tuple[str, ...]] = [
        ("store", "comes out equal", "Article 7, 27, Chapter II", "second run", "filter")
    ]
    yield table
    widths = [max(len(cell) for cell in column) for column in zip(*table, strict=True)]
    capture = request.config.pluginmanager.getplugin("capturemanager")
    assert capture is not None
    with capture.global_and_fixture_disabled():
        print()  # noqa: T201 - the table is for people
        for row in table:
            cells = zip(row, widths, strict=True)
            print("  ".join(cell.ljust(width) for cell, width in cells).rstrip())  # noqa: T201 - so


def open_store(name: str, folder: Path) -> Store:
    """Return a store of the table; skip the test if it is not installed."""
    try:
        return STORES[name](folder)
    except ModuleNotFoundError as error:
        pytest.skip(f"{error.name} is not installed")


@pytest.mark.parametrize("name", STORES)
def test_a_store_returns_equal_pieces_finds_clauses_and_skips_known_ones(
    name: str, tmp_path: Path, rows: list[tuple[str, ...]]
) -> None:
    store = open_store(name, tmp_path)
    assert store.run() == len(store.given)
    held = store.held()
    equal = [key for key, piece in store.given.items() if held.get(key) == piece]
    found = {clause: store.find(clause) for clause in CLAUSES}
    again = store.run()
    counts = ", ".join(str(len(texts)) for texts in found.values())
    rows.append((name, f"{len(equal)} of {len(held)}", counts, f"{again} added", store.by))

    assert held == store.given
    [seven] = found["7"]
    assert "## Article 7 " in seven
    assert sorted(found["27"]) == sorted(
        text for text, _ in store.given.values() if "Article 27 " in text or "said again" in text
    )
    chapter = {n for n in range(1, 31) if any(f"do {n}." in text for text in found["Chapter II"])}
    assert chapter == set(range(11, 21))
    assert again == 0
    assert store.held() == held


# -------------------------------------------------------------------- small to big

RULES: Final = "# Pump rules\n\n" + "\n\n".join(
    f"## Article {number}\n\nThe {part} of the pump is checked every {number} months. "
    f"A {part} that leaks is replaced at once by the maker. "
    f"Each check of the {part} is noted in the log with its date and the name of who did it. "
    + ("The relief valve shall open at a pressure of 18 bar." if part == "valve" else "")
    for number, part in enumerate(("hose", "motor", "shaft", "seal", "cooler", "valve"), 1)
)
QUESTION: Final = "At which pressure does the relief valve open?"
BUDGET: Final = 150


def lang_context(store: Store) -> Context:
    splitter = TreepackTextSplitter(
        preset="retrieval", embed_breadcrumb=True, metadata_mode=store.mode
    )
    chunks, records = splitter.split_for_retrieval(
        [LangDocument(RULES, metadata={"source": "rules.md"})]
    )
    store.vectors.add_documents(chunks, ids=[chunk.metadata["chunk_id"] for chunk in chunks])
    docstore: Any = InMemoryStore()
    docstore.mset(records)
    given: dict[str, Any] = {"docstore": docstore, "budget": BUDGET}
    with suppress(ValueError):  # no relevance scores: use the order, as the message says
        return ForLangChain(vectorstore=store.vectors, fetch_k=40, **given).context(QUESTION)
    by_order = store.vectors.as_retriever(search_kwargs={"k": 40})
    return ForLangChain(retriever=by_order, **given).context(QUESTION)


def llama_context(store: Store) -> Context:
    document = LlamaDocument(text=RULES, id_="rules.md", metadata={"file_name": "rules.md"})
    parser = TreepackNodeParser(preset="retrieval", metadata_mode=store.mode)
    docstore = SimpleDocumentStore()
    docstore.add_documents(parser.get_records([document]))
    made = VectorStoreIndex(
        parser.get_nodes_from_documents([document]),
        storage_context=StorageContext.from_defaults(vector_store=store.vectors),
        embed_model=LlamaVectors(),
    )
    found = made.as_retriever(similarity_top_k=40)
    return ForLlamaIndex(found, docstore, budget=BUDGET).context(QUESTION)


@pytest.mark.parametrize("name", STORES)
def test_a_context_is_filled_from_each_store(name: str, tmp_path: Path) -> None:
    store = open_store(name, tmp_path)
    context = (lang_context if "LangChain" in name else llama_context)(store)
    assert "shall open at a pressure of 18 bar" in context.text
    assert context.token_count <= BUDGET
    [part] = [part for part in context.parts if "18 bar" in part.text]
    assert part.breadcrumb == ("rules.md", "Pump rules", "Article 6")
