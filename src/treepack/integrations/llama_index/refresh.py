"""Brings an index up to date: only nodes that are new or changed are embedded.

LlamaIndex itself compares whole documents: an ingestion pipeline with a docstore, or
`refresh_ref_docs`, embeds all nodes of a document again when one word changes. Nodes of treepack
keep their ids and texts where nothing changed, so they can be compared one by one.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from llama_index.core import VectorStoreIndex
from llama_index.core.node_parser import NodeParser
from llama_index.core.schema import BaseNode, Document, MetadataMode, NodeRelationship

from treepack.integrations.metadata import KEYS, OWN_PREFIX


class Refreshed(NamedTuple):
    """What a refresh did, as ids of nodes; those that have children are stored, not embedded."""

    embedded: list[str]
    removed: list[str]
    kept: list[str]


def refresh_index(
    index: VectorStoreIndex, documents: Sequence[Document], parser: NodeParser
) -> Refreshed:
    """Parse documents, and bring their nodes in an index up to date.

    The index's docstore has the nodes that are in the index, so persist both. An index over nodes
    of the same parser may come from anywhere, such as ``VectorStoreIndex(nodes)``; over a vector
    store that keeps the texts itself, only an empty one has all its nodes known. A node is embedded
    again if its embedded content or treepack's own metadata changed. Other metadata that is not
    embedded, such as a file's date, stays in the vector store as it was when the node was embedded;
    the docstore has the new value. Nodes that have children go only to the docstore.

    Args:
        index: The index.
        documents: Whole documents (all pages of a file), with ids that stay the same from run to
            run. Other documents stay in the index; `index.delete_ref_doc` deletes one.
        parser: A `TreepackNodeParser`, or any parser whose ids are stable.
    """
    store = index.docstore
    nodes = {node.node_id: node for node in parser.get_nodes_from_documents(documents)}
    known = {
        key: _node_hash(stored)
        for document in documents
        for key in _known_ids(index, document)
        if (stored := store.get_document(key, raise_error=False))
    }
    kept = [key for key in nodes if known.get(key) == _node_hash(nodes[key])]
    changed = [key for key in nodes if key not in {*kept}]
    removed = [key for key in known if key not in nodes]
    stale = [key for key in (*removed, *changed) if key in known]
    if stale:
        index.delete_nodes(stale, delete_from_docstore=False)
        for key in stale:
            store.delete_document(key, raise_error=False)
    embedded = [key for key in changed if NodeRelationship.CHILD not in nodes[key].relationships]
    index.insert_nodes([nodes[key] for key in embedded])
    store.add_documents(list(nodes.values()), allow_update=True)
    return Refreshed(embedded, removed, kept)


def _known_ids(index: VectorStoreIndex, document: Document) -> Iterator[str]:
    info = index.docstore.get_ref_doc_info(document.node_id)
    ids: list[str] = info.node_ids if info is not None else []  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] - half typed
    return iter(ids)


def _node_hash(node: BaseNode) -> str:
    """Return a hash of what is embedded of a node, and of treepack's own metadata."""
    own_metadata = {
        key: value for key, value in node.metadata.items() if key.removeprefix(OWN_PREFIX) in KEYS
    }
    content = json.dumps([node.get_content(MetadataMode.EMBED), own_metadata], sort_keys=True)
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()
