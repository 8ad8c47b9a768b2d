"""LlamaIndex's hierarchy and its auto-merging retriever, for `retrieval.py`."""

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from retrieval_sets import Solid, Span, count
from retrieval_splitters import Passage, Texts, located


@dataclass(frozen=True)
class Hierarchy:
    """Nodes of two levels; the smaller ones are indexed.

    Attributes:
        leaves: The smaller nodes, in order.
        passages: All nodes by their ids.
        storage: Holds all nodes, as LlamaIndex's retriever requires.
    """

    leaves: Sequence[Any]
    passages: Mapping[str, Passage]
    storage: Any

    @classmethod
    def of(cls, texts: Texts, sizes: tuple[int, int], solids: Mapping[str, Solid]) -> "Hierarchy":
        """Parse documents as LlamaIndex's guide does, parents first, without overlap."""
        core: Any = importlib.import_module("llama_index.core")
        parsers: Any = importlib.import_module("llama_index.core.node_parser")
        by_size = {
            str(size): parsers.SentenceSplitter(
                chunk_size=size, chunk_overlap=0, tokenizer=lambda text: [0] * count(text)
            )
            for size in sizes
        }
        parser = parsers.HierarchicalNodeParser.from_defaults(
            node_parser_ids=[*by_size], node_parser_map=by_size
        )
        leaves: list[Any] = []
        passages: dict[str, Passage] = {}
        storage = core.StorageContext.from_defaults()
        for name, text in texts.items():
            nodes = parser.get_nodes_from_documents([core.Document(text=text, id_=name)])
            below = parsers.get_leaf_nodes(nodes)
            for level in (parsers.get_root_nodes(nodes), below):
                spans = _spans(level, solids[name])
                for node, span in zip(level, spans, strict=True):
                    passages[node.node_id] = Passage(name, node.text, (span,))
            storage.docstore.add_documents(nodes)
            leaves += below
        return cls(leaves, passages, storage)

    def mean(self, *, is_leaf: bool) -> float:
        """Return the mean number of tokens of the nodes of a level."""
        keys = {leaf.node_id for leaf in self.leaves}
        sizes = [count(p.text) for key, p in self.passages.items() if (key in keys) == is_leaf]
        return sum(sizes) / len(sizes)

    def merged(self, hits: Sequence[tuple[int, float]]) -> list[str]:
        """Return the ids of the nodes into which LlamaIndex merges scored leaves, best first."""
        schema: Any = importlib.import_module("llama_index.core.schema")
        retrievers: Any = importlib.import_module("llama_index.core.retrievers")
        found = [schema.NodeWithScore(node=self.leaves[at], score=score) for at, score in hits]

        class Found(retrievers.BaseRetriever):  # type: ignore[misc]  # untyped
            def _retrieve(self, query_bundle: Any) -> list[Any]:  # noqa: ANN401, ARG002 - theirs
                return found

        retriever = retrievers.AutoMergingRetriever(Found(), self.storage)
        return [each.node.node_id for each in retriever.retrieve("-")]


def _spans(nodes: Sequence[Any], solid: Solid) -> list[Span]:
    """Return the spans of the nodes of one level."""
    return [span for _, _, span in located([("", node.text) for node in nodes], solid)]
