"""Both `TreepackRetriever`s over the stores that the frameworks themselves bring."""

import asyncio
import hashlib
import math
import re
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.stores import InMemoryStore
from langchain_core.vectorstores import InMemoryVectorStore
from llama_index.core import Document as LlamaDocument
from llama_index.core import VectorStoreIndex
from llama_index.core.embeddings import BaseEmbedding
from llama_index.core.storage.docstore import SimpleDocumentStore

from treepack import ChunkRecordError, TreepackNodeParser, TreepackTextSplitter, token_counter
from treepack.integrations.langchain import TreepackRetriever as ForLangChain
from treepack.integrations.llama_index import TreepackRetriever as ForLlamaIndex

count = token_counter("cl100k_base")
QUESTION = "At which pressure does the relief valve open?"
PARTS = ("hose", "motor", "shaft", "seal", "cooler", "bearing", "valve", "gauge", "filter")
RULES = "# Pump rules\n\n" + "\n\n".join(
    f"## Article {number}\n\nThe {part} of the pump is checked every {number} months. "
    f"A {part} that leaks is replaced at once by the maker. "
    f"Each check of the {part} is noted in the log with its date and the name of who did it. "
    + ("The relief valve shall open at a pressure of 18 bar." if part == "valve" else "")
    for number, part in enumerate(PARTS, 1)
)


def vector(text: str) -> list[float]:
    """A bag of hashed words of length one: texts that share words are near."""
    values = [0.0] * 64
    for word in re.findall(r"\w+", text.lower()):
        values[hashlib.sha256(word.encode()).digest()[0] % 64] += 1.0
    length = math.hypot(*values) or 1.0
    return [value / length for value in values]


class LangVectors(Embeddings):
    """For LangChain."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """A vector for each text."""
        return [vector(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        """The vector of a query."""
        return vector(text)


class LlamaVectors(BaseEmbedding):
    """For LlamaIndex."""

    def _get_text_embedding(self, text: str) -> list[float]:
        return vector(text)

    def _get_query_embedding(self, query: str) -> list[float]:
        return vector(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return vector(query)


class Scored(InMemoryVectorStore):
    """A store whose similarities count as relevance, as those of real stores do."""

    def similarity_search_with_relevance_scores(
        self, query: str, k: int = 4, **_: object
    ) -> list[tuple[Document, float]]:
        """The nearest documents with their scores."""
        return self.similarity_search_with_score(query, k)


def lang_stores() -> tuple[InMemoryVectorStore, Any]:
    """A vector store and a docstore that hold the rules."""
    splitter = TreepackTextSplitter(preset="retrieval", embed_breadcrumb=True)
    chunks, records = splitter.split_for_retrieval(
        [Document(RULES, metadata={"source": "rules.md"})]
    )
    vectors, docstore = Scored(LangVectors()), InMemoryStore()
    vectors.add_documents(chunks)
    docstore.mset(records)
    return vectors, docstore


def llama_stores() -> tuple[VectorStoreIndex, SimpleDocumentStore]:
    """An index and a docstore that hold the rules."""
    documents = [LlamaDocument(text=RULES, id_="rules.md", metadata={"file_name": "rules.md"})]
    parser = TreepackNodeParser(preset="retrieval")
    docstore = SimpleDocumentStore()
    docstore.add_documents(parser.get_records(documents))
    nodes = parser.get_nodes_from_documents(documents)
    return VectorStoreIndex(nodes, embed_model=LlamaVectors()), docstore


def check_place(metadata: dict[str, Any]) -> None:
    assert metadata["source"] == "rules.md"
    assert metadata["breadcrumb"] == "Pump rules > Article 7"
    assert metadata["citation"].startswith("rules.md > Pump rules > Article 7")
    assert RULES.split("\n")[metadata["line_start"] - 1].startswith("## Article 7")


def test_a_retriever_of_langchain_gives_the_parts_of_a_context() -> None:
    vectors, docstore = lang_stores()
    retriever = ForLangChain(vectorstore=vectors, docstore=docstore, budget=200, k=40)
    parts = retriever.invoke(QUESTION)
    text = "".join(part.page_content for part in parts)
    assert text == retriever.context(QUESTION).text
    assert count(text) <= 200
    [answer] = [part for part in parts if "18 bar" in part.page_content]
    check_place(answer.metadata)

    async def later() -> list[Document]:
        return await retriever.ainvoke(QUESTION)

    assert asyncio.run(later()) == parts
    ranked = ForLangChain(
        retriever=vectors.as_retriever(search_kwargs={"k": 40}), docstore=docstore, budget=200
    )
    assert "18 bar" in ranked.context(QUESTION).text


def test_a_retriever_of_langchain_names_what_is_missing() -> None:
    vectors, _ = lang_stores()
    empty: Any = InMemoryStore()
    with pytest.raises(ChunkRecordError, match="put the records of the same documents into it"):
        ForLangChain(vectorstore=vectors, docstore=empty).invoke(QUESTION)
    with pytest.raises(ValueError, match="gives no relevance scores: give retriever="):
        ForLangChain(vectorstore=InMemoryVectorStore(LangVectors()), docstore=empty).invoke(
            QUESTION
        )
    with pytest.raises(ValueError, match="one of the two"):
        ForLangChain(docstore=empty)
    with pytest.raises(ValueError, match="levels="):
        TreepackTextSplitter(levels=(200, 100, 50)).split_for_retrieval([Document(RULES)])


def test_a_retriever_of_llama_index_gives_the_parts_of_a_context() -> None:
    index, docstore = llama_stores()
    retriever = ForLlamaIndex(index.as_retriever(similarity_top_k=40), docstore, budget=250)
    nodes = [found.node for found in retriever.retrieve(QUESTION)]
    text = "".join(node.get_content() for node in nodes)
    assert text == retriever.context(QUESTION).text
    assert count(text) <= 250
    [answer] = [node for node in nodes if "18 bar" in node.get_content()]
    check_place(answer.metadata)

    async def later() -> list[str]:
        return [found.node.get_content() for found in await retriever.aretrieve(QUESTION)]

    assert asyncio.run(later()) == [node.get_content() for node in nodes]


def test_a_retriever_of_llama_index_names_what_is_missing() -> None:
    index, _ = llama_stores()
    lost = ForLlamaIndex(index.as_retriever(), SimpleDocumentStore())
    with pytest.raises(ChunkRecordError, match="put the records of the same documents into it"):
        lost.retrieve(QUESTION)
