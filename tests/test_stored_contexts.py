"""Both `TreepackRetriever`s, and LlamaIndex's postprocessor, over the frameworks' own stores."""

import asyncio
import hashlib
import math
import re
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.retrievers import BaseRetriever
from langchain_core.stores import InMemoryStore
from langchain_core.vectorstores import InMemoryVectorStore
from llama_index.core import Document as LlamaDocument
from llama_index.core import VectorStoreIndex
from llama_index.core.embeddings import BaseEmbedding
from llama_index.core.llms import MockLLM
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.query_engine import CitationQueryEngine, RetrieverQueryEngine
from llama_index.core.schema import MetadataMode, NodeWithScore, QueryBundle
from llama_index.core.storage.docstore import SimpleDocumentStore

from treepack import TreepackNodeParser, TreepackTextSplitter
from treepack.errors import ChunkRecordError
from treepack.integrations.langchain import TreepackRetriever as ForLangChain
from treepack.integrations.llama_index import TreepackPostprocessor
from treepack.integrations.llama_index import TreepackRetriever as ForLlamaIndex
from treepack.tokens import token_counter

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
    """Return a bag of hashed words as a unit vector: texts that share words are near."""
    values = [0.0] * 64
    for word in re.findall(r"\w+", text.lower()):
        values[hashlib.sha256(word.encode()).digest()[0] % 64] += 1.0
    length = math.hypot(*values) or 1.0
    return [value / length for value in values]


class LangChainVectors(Embeddings):
    """The vectors above, for LangChain."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return a vector for each text."""
        return [vector(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of a query."""
        return vector(text)


class LlamaIndexVectors(BaseEmbedding):
    """The vectors above, for LlamaIndex."""

    def _get_text_embedding(self, text: str) -> list[float]:
        return vector(text)

    def _get_query_embedding(self, query: str) -> list[float]:
        return vector(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return vector(query)


class ScoredVectorStore(InMemoryVectorStore):
    """A store whose similarities count as relevance, like those of real stores."""

    def similarity_search_with_relevance_scores(
        self, query: str, k: int = 4, **_: object
    ) -> list[tuple[Document, float]]:
        """Return the nearest documents with their scores."""
        return self.similarity_search_with_score(query, k)


def langchain_stores() -> tuple[InMemoryVectorStore, Any]:
    """Return a vector store and a docstore that hold the rules."""
    splitter = TreepackTextSplitter(preset="retrieval", embed_breadcrumb=True)
    chunks, records = splitter.split_for_retrieval(
        [Document(RULES, metadata={"source": "rules.md"})]
    )
    vectors, docstore = ScoredVectorStore(LangChainVectors()), InMemoryStore()
    vectors.add_documents(chunks)
    docstore.mset(records)
    return vectors, docstore


def llama_index_stores() -> tuple[VectorStoreIndex, SimpleDocumentStore]:
    """Return an index and a docstore that hold the rules."""
    documents = [LlamaDocument(text=RULES, id_="rules.md", metadata={"file_name": "rules.md"})]
    parser = TreepackNodeParser(preset="retrieval")
    docstore = SimpleDocumentStore()
    docstore.add_documents(parser.get_records(documents))
    nodes = parser.get_nodes_from_documents(documents)
    return VectorStoreIndex(nodes, embed_model=LlamaIndexVectors()), docstore


def assert_location_in_article_7(metadata: dict[str, Any]) -> None:
    assert metadata["source"] == "rules.md"
    assert metadata["breadcrumb"] == "Pump rules > Article 7"
    assert metadata["citation"] == "Pump rules, Article 7"
    assert RULES.split("\n")[metadata["line_start"] - 1].startswith("## Article 7")


def test_the_langchain_retriever_returns_the_parts_of_a_context() -> None:
    vectors, docstore = langchain_stores()
    retriever = ForLangChain(vectorstore=vectors, docstore=docstore, budget=200, fetch_k=40)
    parts = retriever.invoke(QUESTION)
    text = "".join(part.page_content for part in parts)
    assert text == retriever.context(QUESTION).text
    assert count(text) <= 200
    [answer] = [part for part in parts if "18 bar" in part.page_content]
    assert_location_in_article_7(answer.metadata)

    async def retrieve() -> list[Document]:
        return await retriever.ainvoke(QUESTION)

    assert asyncio.run(retrieve()) == parts
    ranked = ForLangChain(
        retriever=vectors.as_retriever(search_kwargs={"k": 40}), docstore=docstore, budget=200
    )
    assert "18 bar" in ranked.context(QUESTION).text
    assert retriever.invoke(QUESTION, k=1) == [answer]
    assert asyncio.run(retriever.ainvoke(QUESTION, k=1)) == [answer]
    assert retriever.model_copy(update={"k": 2}).invoke(QUESTION) == parts[1:]


class AsyncOnlyRetriever(BaseRetriever):
    """A retriever that must be awaited, such as one over a network: a blocking call raises."""

    found: list[Document]

    def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Document]:  # noqa: ANN401, ARG002 - LangChain's
        raise AssertionError(query)

    async def _aget_relevant_documents(self, query: str, *, run_manager: Any) -> list[Document]:  # noqa: ANN401, ARG002 - LangChain's
        return self.found


def test_a_wrapped_langchain_retriever_is_awaited() -> None:
    vectors, docstore = langchain_stores()
    by_vectors = vectors.as_retriever(search_kwargs={"k": 40})
    expected = ForLangChain(retriever=by_vectors, docstore=docstore, budget=200).invoke(QUESTION)
    async_only = AsyncOnlyRetriever(found=by_vectors.invoke(QUESTION))
    retriever = ForLangChain(retriever=async_only, docstore=docstore, budget=200)

    async def retrieve() -> list[Document]:
        return await retriever.ainvoke(QUESTION)

    assert asyncio.run(retrieve()) == expected


def test_the_langchain_retriever_names_missing_records_scores_and_arguments() -> None:
    vectors, _ = langchain_stores()
    empty: Any = InMemoryStore()
    with pytest.raises(ChunkRecordError, match="add the records of the same documents to it"):
        ForLangChain(vectorstore=vectors, docstore=empty).invoke(QUESTION)
    with pytest.raises(
        ValueError, match="has no relevance scores: instead of vectorstore, give retriever="
    ):
        ForLangChain(vectorstore=InMemoryVectorStore(LangChainVectors()), docstore=empty).invoke(
            QUESTION
        )
    with pytest.raises(ValueError, match="give either a vectorstore or a retriever"):
        ForLangChain(docstore=empty)
    with pytest.raises(ValueError, match="levels="):
        TreepackTextSplitter(levels=(200, 100, 50)).split_for_retrieval([Document(RULES)])


def test_the_llama_index_retriever_returns_the_parts_of_a_context() -> None:
    index, docstore = llama_index_stores()
    retriever = ForLlamaIndex(index.as_retriever(similarity_top_k=40), docstore, budget=250)
    nodes = [found.node for found in retriever.retrieve(QUESTION)]
    text = "".join(node.get_content() for node in nodes)
    assert text == retriever.context(QUESTION).text
    assert count(text) <= 250
    [answer] = [node for node in nodes if "18 bar" in node.get_content()]
    assert_location_in_article_7(answer.metadata)

    async def retrieve() -> list[str]:
        return [found.node.get_content() for found in await retriever.aretrieve(QUESTION)]

    assert asyncio.run(retrieve()) == [node.get_content() for node in nodes]


def test_the_llama_index_retriever_names_missing_records() -> None:
    index, _ = llama_index_stores()
    without_records = ForLlamaIndex(index.as_retriever(), SimpleDocumentStore())
    with pytest.raises(ChunkRecordError, match="add the records of the same documents to it"):
        without_records.retrieve(QUESTION)


# -------------------------------------------------------------------- among postprocessors


def texts_of(nodes: list[NodeWithScore]) -> str:
    return "".join(found.node.get_content(MetadataMode.NONE) for found in nodes)


class WordReranker(BaseNodePostprocessor):
    """Puts the nodes with a word first and keeps ``top_n`` of them, like a reranker."""

    word: str
    top_n: int

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        assert query_bundle is not None
        first = sorted(nodes, key=lambda found: self.word not in found.node.get_content())
        kept = first[: self.top_n]
        return [NodeWithScore(node=each.node, score=-float(at)) for at, each in enumerate(kept)]


def test_the_postprocessor_gives_an_engine_the_same_context_as_the_retriever() -> None:
    index, docstore = llama_index_stores()
    fill = TreepackPostprocessor(docstore=docstore, budget=250)
    found = index.as_retriever(similarity_top_k=40)
    engine = RetrieverQueryEngine.from_args(found, llm=MockLLM(), node_postprocessors=[fill])
    around = ForLlamaIndex(found, docstore, budget=250)
    assert texts_of(engine.query(QUESTION).source_nodes) == around.context(QUESTION).text
    assert fill.context(found.retrieve(QUESTION)) == around.context(QUESTION)
    assert fill.to_dict() == {
        "budget": 250,
        "parent_weight": 0.5,
        "class_name": "TreepackPostprocessor",
    }


def test_a_context_is_filled_from_the_nodes_that_a_reranker_keeps() -> None:
    """A retriever cannot do this: it always runs before the rerankers."""
    index, docstore = llama_index_stores()
    rerank = WordReranker(word="cooler", top_n=2)
    fill = TreepackPostprocessor(docstore=docstore, budget=120)
    engine = index.as_query_engine(
        similarity_top_k=40, llm=MockLLM(), node_postprocessors=[rerank, fill]
    )
    answer = texts_of(engine.query(QUESTION).source_nodes)
    assert answer.startswith("rules.md > Pump rules\n\n## Article 5")
    assert "18 bar" not in answer
    assert count(answer) <= 120
    section = RULES[RULES.index("## Article 5") : RULES.index("## Article 6")]
    assert section.strip() in answer, "the children together fill the whole section"


def test_the_postprocessor_names_missing_records() -> None:
    index, _ = llama_index_stores()
    without_records = TreepackPostprocessor(docstore=SimpleDocumentStore())
    with pytest.raises(ChunkRecordError, match="add the records of the same documents to it"):
        without_records.postprocess_nodes(index.as_retriever().retrieve(QUESTION))


def test_rising_scores_are_distances_and_only_the_order_counts() -> None:
    """FAISS with ``IndexFlatL2`` gives the nearest node the smallest score."""
    index, docstore = llama_index_stores()
    fill = TreepackPostprocessor(docstore=docstore, budget=250)
    found = index.as_retriever(similarity_top_k=40).retrieve(QUESTION)
    distances = [NodeWithScore(node=each.node, score=at / 9) for at, each in enumerate(found)]
    ranked = [NodeWithScore(node=each.node) for each in found]
    assert fill.context(distances) == fill.context(ranked)
    assert "18 bar" in fill.context(distances).text
    equal = [NodeWithScore(node=each.node, score=0.5) for each in found]
    assert fill.context(equal).text.startswith("rules.md\n\n# Pump rules\n\n## Article 1")


LAW = "<!-- page 3 -->\n\n# Act\n\n" + "\n\n".join(
    f"## Article {number} Duty {part}\n\n1. The operator shall check the {part} each year.\n\n"
    f"2. It shall report each fault of the {part} to the authority within {number} days.\n\n"
    + (f"<!-- page {number + 3} -->\n\n" if number % 3 == 0 else "")
    for number, part in enumerate(PARTS, 1)
)


@pytest.mark.parametrize("way", ["retriever", "postprocessor"])
def test_the_citation_engine_shows_each_citation_once(way: str) -> None:
    documents = [LlamaDocument(text=LAW, id_="act.md", metadata={"file_name": "act.md"})]
    parser = TreepackNodeParser(preset="retrieval")
    docstore = SimpleDocumentStore()
    docstore.add_documents(parser.get_records(documents))
    nodes = parser.get_nodes_from_documents(documents)
    index = VectorStoreIndex(nodes, embed_model=LlamaIndexVectors())
    found = index.as_retriever(similarity_top_k=40)
    given: dict[str, Any] = {
        "retriever": {"retriever": ForLlamaIndex(found, docstore, budget=200)},
        "postprocessor": {
            "retriever": found,
            "node_postprocessors": [TreepackPostprocessor(docstore=docstore, budget=200)],
        },
    }
    engine = CitationQueryEngine.from_args(index, llm=MockLLM(), **given[way])
    sources = engine.query("report each fault of the cooler within 5 days").source_nodes
    [cited] = [each.node for each in sources if "fault of the cooler" in each.node.get_content()]
    assert cited.get_content().startswith("Source ")
    shown = cited.get_content(metadata_mode=MetadataMode.LLM)
    assert shown.startswith("citation: Act, Article 5, p. 6\n\nSource ")
    assert cited.metadata["citation"] == "Act, Article 5, p. 6"
