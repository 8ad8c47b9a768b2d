"""LangChain: `TreepackRetriever` fills a context with what a store finds, and gives citations.

The vector store holds parents and children, the docstore the records of both; see
`TreepackTextSplitter.split_for_retrieval`.
"""

import asyncio
from typing import Any, Self

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.stores import BaseStore
from langchain_core.vectorstores import VectorStore
from pydantic import ConfigDict, Field, model_validator

from treepack.integrations.families import context_of, part_metadata
from treepack.retrieval import Context


class TreepackRetriever(BaseRetriever):
    """Finds children and parents, and fills a context with them; see `fill_context`.

    It returns the parts of the context as documents. Their contents together are the text of the
    context, within the budget. Their metadata says where each part comes from.

    Attributes:
        vectorstore: Holds parents and children, and ranks them by its relevance scores.
        retriever: Finds them in place of a vector store, such as an ``EnsembleRetriever`` over
            vectors and BM25; only the order of its documents counts.
        docstore: Holds the records.
        budget: The most tokens of all parts together, in ``cl100k_base``.
        parent_weight: The weight of a parent's score, which is added to its child's.
        k: The most parts that are returned, those with the best scores; None for all that fill the
            budget. ``invoke(query, k=3)`` sets it for one query.
        fetch_k: How many documents the vector store is asked for.
        search_kwargs: More arguments of the vector store's search, such as ``filter``.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")

    vectorstore: VectorStore | None = None
    retriever: BaseRetriever | None = None
    docstore: BaseStore[str, Document]
    budget: int = Field(default=1000, ge=1)
    parent_weight: float = Field(default=0.5, ge=0)
    k: int | None = Field(default=None, ge=1)
    fetch_k: int = Field(default=100, ge=1)
    search_kwargs: dict[str, Any] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if (self.vectorstore is None) == (self.retriever is None):
            msg = "give either a vectorstore or a retriever"
            raise ValueError(msg)
        return self

    def context(self, query: str) -> Context:
        """Return the context for a question, with all that is known of its parts.

        Raises:
            ChunkRecordError: The docstore does not have what was found.
        """
        return self._fill_context(self._search(query))

    def _fill_context(self, hits: list[tuple[Document, float | None]]) -> Context:
        def find_records(keys: list[str]) -> list[str | None]:
            records = self.docstore.mget(keys)
            return [record.page_content if record else None for record in records]

        pairs = [(document.metadata, score) for document, score in hits]
        return context_of(pairs, find_records, self.budget, self.parent_weight)

    def _search(self, query: str) -> list[tuple[Document, float | None]]:
        if self.retriever is not None:
            return _without_scores(self.retriever.invoke(query))
        assert self.vectorstore is not None, "checked when it was made"
        try:
            scored = self.vectorstore.similarity_search_with_relevance_scores(
                query, k=self.fetch_k, **self.search_kwargs
            )
        except NotImplementedError as error:
            name = type(self.vectorstore).__name__
            msg = (
                f"{name} has no relevance scores: instead of vectorstore, give retriever="
                f"store.as_retriever(search_kwargs={{'k': {self.fetch_k}}}), whose order is used"
            )
            raise ValueError(msg) from error
        return list(scored)

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, k: int | None = None
    ) -> list[Document]:
        return _parts(self.context(query), k or self.k)

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: Any, k: int | None = None
    ) -> list[Document]:
        if self.retriever is None:
            context = await asyncio.to_thread(self.context, query)
        else:
            hits = _without_scores(await self.retriever.ainvoke(query))
            context = await asyncio.to_thread(self._fill_context, hits)
        return _parts(context, k or self.k)


def _without_scores(documents: list[Document]) -> list[tuple[Document, float | None]]:
    return [(document, None) for document in documents]


def _parts(context: Context, most: int | None) -> list[Document]:
    """Return the parts of a context in their order, at most so many: the best ones."""
    best = sorted(context.parts, key=lambda part: -(part.score or 0.0))[:most]
    return [
        Document(part.text, metadata=part_metadata(part)) for part in context.parts if part in best
    ]
