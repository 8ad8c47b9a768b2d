"""Both `TreepackRetriever`s, and LlamaIndex's postprocessor, over the frameworks' own stores."""

import asyncio
from typing import Any

import pytest
from case_files import CASES
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.stores import InMemoryStore
from langchain_core.vectorstores import InMemoryVectorStore
from llama_index.core import Document as LlamaDocument
from llama_index.core import VectorStoreIndex
from llama_index.core.llms import MockLLM
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.schema import MetadataMode, NodeWithScore, QueryBundle
from llama_index.core.storage.docstore import SimpleDocumentStore
from offline import LangVectors, LlamaVectors

from treepack import TreepackNodeParser, TreepackTextSplitter
from treepack.errors import ChunkRecordError
from treepack.integrations.langchain import TreepackRetriever as ForLangChain
from treepack.integrations.llama_index import TreepackPostprocessor
from treepack.integrations.llama_index import TreepackRetriever as ForLlamaIndex
from treepack.tokens import token_counter

count = token_counter("cl100k_base")
MISSING = "add the records of the same documents to it"
QUESTION = "At which pressure does the relief valve open?"
RULES = (CASES / "texts" / "rules.md").read_text("utf-8")


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
    vectors, docstore = ScoredVectorStore(LangVectors()), InMemoryStore()
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
    return VectorStoreIndex(nodes, embed_model=LlamaVectors()), docstore


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
    assert asyncio.run(retriever.ainvoke(QUESTION)) == parts
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
    assert asyncio.run(retriever.ainvoke(QUESTION)) == expected


def test_the_langchain_retriever_names_missing_records_scores_and_arguments() -> None:
    vectors, _ = langchain_stores()
    empty: Any = InMemoryStore()
    with pytest.raises(ChunkRecordError, match=MISSING):
        ForLangChain(vectorstore=vectors, docstore=empty).invoke(QUESTION)
    unscored = InMemoryVectorStore(LangVectors())
    message = "has no relevance scores: instead of vectorstore, give retriever="
    with pytest.raises(ValueError, match=message):
        ForLangChain(vectorstore=unscored, docstore=empty).invoke(QUESTION)
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
    again = asyncio.run(retriever.aretrieve(QUESTION))
    assert [found.node.get_content() for found in again] == [node.get_content() for node in nodes]


def test_the_llama_index_components_name_missing_records() -> None:
    found, empty = llama_index_stores()[0].as_retriever(), SimpleDocumentStore()
    with pytest.raises(ChunkRecordError, match=MISSING):
        ForLlamaIndex(found, empty).retrieve(QUESTION)
    with pytest.raises(ChunkRecordError, match=MISSING):
        TreepackPostprocessor(docstore=empty).postprocess_nodes(found.retrieve(QUESTION))


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
    expected = {"budget": 250, "parent_weight": 0.5, "class_name": "TreepackPostprocessor"}
    assert fill.to_dict() == expected


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
