"""LlamaIndex: fills a context with what an index found, and gives citations."""

from collections.abc import Iterator, Sequence

from llama_index.core.callbacks import CallbackManager
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import MetadataMode, NodeWithScore, QueryBundle, TextNode
from llama_index.core.storage.docstore.types import BaseDocumentStore
from pydantic import Field

from treepack.integrations.families import context_of, part_metadata
from treepack.model.section import stable_id
from treepack.retrieval import Context


def record_node(key: str, text: str) -> TextNode:
    """Return a node that holds a family's records, for a docstore, not for an index."""
    return TextNode(id_=stable_id("family", key), text=text)


class TreepackRetriever(BaseRetriever):
    """Fills a context with the children and parents that another retriever finds.

    It returns the parts of the context as nodes. Their texts together are the text of the context,
    within the budget. Their metadata says where each part comes from: ``source``, ``breadcrumb``,
    ``clause``, ``page_start``, ``page_end``, ``line_start``, ``line_end`` and, in words,
    ``citation``.

    Args:
        retriever: Finds nodes that a `TreepackNodeParser` with two levels made, best first, such as
            ``index.as_retriever(similarity_top_k=100)``. Their scores count. Without scores, or if
            the scores are distances, which grow, the order of the nodes counts.
        docstore: Holds what `TreepackNodeParser.get_records` made of the same documents.
        budget: The most tokens of all parts together, in ``cl100k_base``.
        parent_weight: See `treepack.retrieval.fill_context`.
        callback_manager: The callback manager of LlamaIndex.
    """

    def __init__(
        self,
        retriever: BaseRetriever,
        docstore: BaseDocumentStore,
        *,
        budget: int = 1000,
        parent_weight: float = 0.5,
        callback_manager: CallbackManager | None = None,
    ) -> None:
        self._retriever = retriever
        self._postprocessor = TreepackPostprocessor(
            docstore=docstore, budget=budget, parent_weight=parent_weight
        )
        super().__init__(  # pyright: ignore[reportUnknownMemberType] - half typed
            callback_manager=callback_manager
        )

    def context(self, query: str) -> Context:
        """Return the context for a question, with all that is known of its parts.

        Raises:
            ChunkRecordError: The docstore does not have what was found.
        """
        return self._postprocessor.context(self._retriever.retrieve(query))

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return _parts(self._postprocessor.context(self._retriever.retrieve(query_bundle)))

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        nodes = await self._retriever.aretrieve(query_bundle)
        return _parts(self._postprocessor.context(nodes))


class TreepackPostprocessor(BaseNodePostprocessor):
    """Fills a context with the nodes that a retriever found and other postprocessors kept.

    It must be the last postprocessor. Attributes and result are those of a `TreepackRetriever`.
    Let the retriever find many nodes, and a reranker keep some dozens of them.
    """

    docstore: BaseDocumentStore = Field(exclude=True)
    budget: int = 1000
    parent_weight: float = 0.5

    @classmethod
    def class_name(cls) -> str:
        """Return the name under which LlamaIndex knows the class."""
        return "TreepackPostprocessor"

    def context(self, nodes: Sequence[NodeWithScore]) -> Context:
        """Return a context that is filled with nodes; see `TreepackRetriever.context`."""

        def find_records(keys: list[str]) -> Iterator[str | None]:
            for key in keys:
                record = self.docstore.get_document(stable_id("family", key), raise_error=False)
                yield record.get_content(metadata_mode=MetadataMode.NONE) if record else None

        pairs = [
            (hit.node.metadata, score) for hit, score in zip(nodes, _scores(nodes), strict=True)
        ]
        return context_of(pairs, find_records, self.budget, self.parent_weight)

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        return _parts(self.context(nodes))


def _scores(nodes: Sequence[NodeWithScore]) -> Sequence[float | None]:
    """Return the scores; all None if they grow from the best node to the last, like distances.

    A store over an index of distances, such as ``IndexFlatL2`` of FAISS, returns them as scores.
    """
    scores = [hit.score for hit in nodes]
    known = [score for score in scores if score is not None]
    if len(known) < len(scores) or known != sorted(known) or known[:1] == known[-1:]:
        return scores
    return [None] * len(scores)


def _parts(context: Context) -> list[NodeWithScore]:
    nodes: list[NodeWithScore] = []
    for part in context.parts:
        node = TextNode(
            id_=stable_id("part", *part.chunk_ids),
            text=part.text,
            metadata=part_metadata(part),
            start_char_idx=part.span[0],
            end_char_idx=part.span[1],
        )
        # The text begins with the path, and a model sees the citation.
        node.excluded_llm_metadata_keys = [key for key in node.metadata if key != "citation"]
        node.excluded_embed_metadata_keys = [*node.excluded_llm_metadata_keys]
        nodes.append(NodeWithScore(node=node, score=part.score))
    return nodes
