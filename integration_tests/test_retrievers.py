"""Both `TreepackRetriever`s over real stores: from documents to a context with citations."""

from pathlib import Path
from typing import Any

import chromadb
import pytest
from langchain_chroma import Chroma
from langchain_core.documents import Document
from langchain_core.indexing import InMemoryRecordManager, index
from langchain_core.retrievers import BaseRetriever as LangRetriever
from langchain_core.stores import InMemoryStore
from llama_index.core import Document as LlamaDocument
from llama_index.core import StorageContext, VectorStoreIndex
from llama_index.core.chat_engine import ContextChatEngine
from llama_index.core.llms import MockLLM
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.query_engine import CitationQueryEngine, RetrieverQueryEngine
from llama_index.core.schema import MetadataMode
from llama_index.core.storage.docstore import SimpleDocumentStore
from llama_index.vector_stores.chroma import ChromaVectorStore
from offline import LangVectors, LlamaVectors

from treepack import TreepackNodeParser, TreepackTextSplitter
from treepack.errors import ChunkRecordError
from treepack.integrations.langchain import TreepackRetriever as ForLangChain
from treepack.integrations.llama_index import TreepackPostprocessor
from treepack.integrations.llama_index import TreepackRetriever as ForLlamaIndex
from treepack.tokens import token_counter

count = token_counter("cl100k_base")
QUIET = chromadb.config.Settings(anonymized_telemetry=False)
COSINE: Any = {"hnsw": {"space": "cosine"}}
QUESTION = "At which pressure does the relief valve open?"

RULES = "# Pump rules\n\n" + "\n\n".join(
    f"## Article {number}\n\nThe {part} of the pump is checked every {number} months. "
    f"A {part} that leaks is replaced at once by the maker. "
    f"Each check of the {part} is noted in the log with its date and the name of who did it. "
    f"The log of the {part} is kept for {number + 3} years and shown to the inspector when asked. "
    + ("The relief valve shall open at a pressure of 18 bar." if number == 7 else "")
    for number, part in enumerate(
        ("hose", "motor", "shaft", "seal", "cooler", "bearing", "valve", "gauge", "filter"), 1
    )
)
TABLE = "# Limits\n\n| part | pressure | unit |\n|---|---|---|\n" + "".join(
    f"| part number {number} | {number * 3} | bar |\n" for number in range(60)
)


class RetrievalStores:
    """A vector store, a docstore and a record manager of LangChain."""

    def __init__(self, name: str, folder: Path) -> None:
        self.vectors = Chroma(
            name,
            LangVectors(),
            persist_directory=str(folder),
            client_settings=QUIET,
            collection_configuration=COSINE,
        )
        self.records = InMemoryRecordManager(name)
        self.records.create_schema()
        self.docstore: Any = InMemoryStore()
        self.splitter = TreepackTextSplitter(preset="retrieval", embed_breadcrumb=True)

    def put(self, *documents: Document) -> Any:  # noqa: ANN401 - LangChain's result
        """Index documents, and delete what they replace, as a user would."""
        chunks, records = self.splitter.split_for_retrieval(documents)
        self.docstore.mset(records)
        return index(
            chunks,
            self.records,
            self.vectors,
            cleanup="scoped_full",
            source_id_key="source",
            key_encoder="sha256",
        )


@pytest.fixture
def store(tmp_path: Path) -> RetrievalStores:
    made = RetrievalStores("rules", tmp_path)
    made.put(
        Document(RULES, metadata={"source": "rules.md"}),
        Document(TABLE, metadata={"source": "limits.md"}),
    )
    return made


# -------------------------------------------------------------------- LangChain


def test_a_chain_gets_a_context_within_its_budget_with_citations(store: RetrievalStores) -> None:
    retriever = ForLangChain(
        vectorstore=store.vectors, docstore=store.docstore, budget=200, fetch_k=40
    )
    parts = retriever.invoke(QUESTION)
    text = "".join(part.page_content for part in parts)
    assert "shall open at a pressure of 18 bar" in text
    assert count(text) == retriever.context(QUESTION).token_count <= 200
    [answer] = [part for part in parts if "18 bar" in part.page_content]
    assert answer.metadata["source"] == "rules.md"
    assert answer.metadata["breadcrumb"] == "Pump rules > Article 7"
    assert answer.metadata["citation"] == "Pump rules, Article 7"
    assert RULES.split("\n")[answer.metadata["line_start"] - 1].startswith("## Article 7")


def test_parents_of_hits_are_completed_from_the_docstore(store: RetrievalStores) -> None:
    retriever = ForLangChain(
        vectorstore=store.vectors, docstore=store.docstore, budget=900, fetch_k=4
    )
    context = retriever.context("leaking gauge of the pump, checked, noted in the log")
    start, end = RULES.index("## Article 8"), RULES.index("## Article 9")
    assert RULES[start:end].strip() in context.text


def test_rows_of_a_table_from_two_parents_share_one_header(store: RetrievalStores) -> None:
    retriever = ForLangChain(
        vectorstore=store.vectors, docstore=store.docstore, budget=600, fetch_k=60
    )
    context = retriever.context("pressure limit in bar of part number 3 and part number 51")
    assert context.text.count("| part | pressure | unit |") == 1


def test_an_edit_above_embeds_only_what_changed_and_moves_the_lines(store: RetrievalStores) -> None:
    changed = RULES.replace("# Pump rules\n", "# Pump rules\n\nA new word in front.\n", 1)
    done = store.put(Document(changed, metadata={"source": "rules.md"}))
    assert done["num_added"] <= 5  # the new paragraph, and the chunks that began with the title
    assert done["num_skipped"] >= 16
    retriever = ForLangChain(
        vectorstore=store.vectors, docstore=store.docstore, budget=200, fetch_k=40
    )
    [answer] = [part for part in retriever.invoke(QUESTION) if "18 bar" in part.page_content]
    line = changed.split("\n")[answer.metadata["line_start"] - 1]
    assert line.startswith("## Article 7")


class WordOverlapRetriever(LangRetriever):
    """Finds documents by shared words, like BM25, without scores."""

    documents: list[Document]

    def _get_relevant_documents(self, query: str, **_: Any) -> list[Document]:  # noqa: ANN401 - as the base class has it
        words = set(query.lower().split())
        return sorted(
            self.documents, key=lambda each: -len(words & set(each.page_content.lower().split()))
        )[:30]


def test_an_ensemble_of_words_and_vectors_fills_a_context(store: RetrievalStores) -> None:
    from langchain_classic.retrievers import EnsembleRetriever  # noqa: PLC0415 - not on the floor

    chunks, _ = store.splitter.split_for_retrieval(
        [Document(RULES, metadata={"source": "rules.md"})]
    )
    ensemble = EnsembleRetriever(
        retrievers=[
            WordOverlapRetriever(documents=chunks),
            store.vectors.as_retriever(search_kwargs={"k": 30}),
        ]
    )
    retriever = ForLangChain(retriever=ensemble, docstore=store.docstore, budget=200)
    assert "at a pressure of 18 bar" in "".join(p.page_content for p in retriever.invoke(QUESTION))


async def async_parts(retriever: ForLangChain) -> list[Document]:
    return await retriever.ainvoke(QUESTION)


def test_missing_records_stores_and_levels_are_named_in_the_error(store: RetrievalStores) -> None:
    import asyncio  # noqa: PLC0415 - for this test

    empty: Any = InMemoryStore()
    lost = ForLangChain(vectorstore=store.vectors, docstore=empty)
    with pytest.raises(ChunkRecordError, match="add the records of the same documents to it"):
        lost.invoke(QUESTION)
    with pytest.raises(ValueError, match="give either a vectorstore or a retriever"):
        ForLangChain(docstore=empty)
    with pytest.raises(ValueError, match="levels="):
        TreepackTextSplitter(levels=(200, 100, 50)).split_for_retrieval([Document(RULES)])
    retriever = ForLangChain(
        vectorstore=store.vectors, docstore=store.docstore, budget=200, fetch_k=40
    )
    assert asyncio.run(async_parts(retriever)) == retriever.invoke(QUESTION)


# -------------------------------------------------------------------- LlamaIndex


@pytest.fixture
def llama_retriever(tmp_path: Path) -> ForLlamaIndex:
    documents = [
        LlamaDocument(text=RULES, id_="rules.md", metadata={"file_name": "rules.md"}),
        LlamaDocument(text=TABLE, id_="limits.md", metadata={"file_name": "limits.md"}),
    ]
    parser = TreepackNodeParser(preset="retrieval")
    client = chromadb.PersistentClient(str(tmp_path), QUIET)
    made = client.get_or_create_collection("rules", configuration=COSINE)
    vectors = ChromaVectorStore(chroma_collection=made)
    nodes = parser.get_nodes_from_documents(documents)
    vector_index = VectorStoreIndex(
        nodes,
        storage_context=StorageContext.from_defaults(vector_store=vectors),
        embed_model=LlamaVectors(),
    )
    docstore = SimpleDocumentStore()
    docstore.add_documents(parser.get_records(documents))
    return ForLlamaIndex(vector_index.as_retriever(similarity_top_k=40), docstore, budget=250)


def test_a_query_engine_gets_the_parts_of_a_context(llama_retriever: ForLlamaIndex) -> None:
    engine = RetrieverQueryEngine.from_args(llama_retriever, llm=MockLLM())
    answer = engine.query(QUESTION)
    text = "".join(n.node.get_content(metadata_mode=MetadataMode.NONE) for n in answer.source_nodes)
    assert "shall open at a pressure of 18 bar" in text
    assert count(text) <= 250
    assert text == llama_retriever.context(QUESTION).text


def test_a_chat_engine_gets_the_same_context_from_a_postprocessor(
    llama_retriever: ForLlamaIndex,
) -> None:
    fill = TreepackPostprocessor(docstore=llama_retriever._postprocessor.docstore, budget=250)  # noqa: SLF001 - the fixture's
    chat = ContextChatEngine.from_defaults(
        llama_retriever._retriever,  # noqa: SLF001 - the fixture's
        llm=MockLLM(),
        node_postprocessors=[fill],
        # The default is a database, which LlamaIndex never closes.
        memory=ChatMemoryBuffer.from_defaults(token_limit=1000),
    )
    nodes = [each.node for each in chat.chat(QUESTION).source_nodes]
    text = "".join(node.get_content(metadata_mode=MetadataMode.NONE) for node in nodes)
    assert text == llama_retriever.context(QUESTION).text


def test_the_citation_engine_shows_the_citation_once(
    llama_retriever: ForLlamaIndex,
) -> None:
    engine = CitationQueryEngine.from_args(
        VectorStoreIndex([], embed_model=LlamaVectors()), llm=MockLLM(), retriever=llama_retriever
    )
    sources = engine.query(QUESTION).source_nodes
    [cited] = [each.node for each in sources if "18 bar" in each.node.get_content()]
    assert cited.metadata["breadcrumb"] == "Pump rules > Article 7"
    assert cited.metadata["source"] == "rules.md"
    text_for_llm = cited.get_content(metadata_mode=MetadataMode.LLM)
    assert text_for_llm.startswith("citation: Pump rules, Article 7\n\nSource ")
