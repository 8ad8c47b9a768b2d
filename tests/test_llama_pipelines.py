"""Scenarios of LlamaIndex's tests of pipelines, rewritten for treepack's parser.

The scenarios with several workers are in ``integration_tests``.
"""

import asyncio
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from llama_documents import PROSE, document
from llama_index.core import MockEmbedding
from llama_index.core.ingestion import IngestionCache, IngestionPipeline
from llama_index.core.ingestion.pipeline import DocstoreStrategy
from llama_index.core.node_parser import MarkdownNodeParser
from llama_index.core.schema import BaseNode, Document, TextNode, TransformComponent
from llama_index.core.storage.docstore import SimpleDocumentStore

from treepack import TreepackNodeParser


def parser() -> TreepackNodeParser:
    return TreepackNodeParser(chunk_size=64)


# ------------------------------------------ ingestion/test_pipeline.py, test_cache.py

Run = Callable[[IngestionPipeline, list[Document]], Sequence[BaseNode]]


def run_sync(pipeline: IngestionPipeline, sources: list[Document]) -> Sequence[BaseNode]:
    return pipeline.run(documents=sources)


def run_async(pipeline: IngestionPipeline, sources: list[Document]) -> Sequence[BaseNode]:
    return asyncio.run(pipeline.arun(documents=sources))


@pytest.fixture(params=[run_sync, run_async], ids=["run", "arun"])
def run(request: pytest.FixtureRequest) -> Run:
    chosen: Run = request.param
    return chosen


def pipeline_of(*more: TransformComponent, **parts: Any) -> IngestionPipeline:  # noqa: ANN401 - of the framework
    return IngestionPipeline(transformations=[parser(), *more], **parts)


def pipeline_without_duplicates(*more: TransformComponent) -> IngestionPipeline:
    return pipeline_of(
        *more, docstore=SimpleDocumentStore(), docstore_strategy=DocstoreStrategy.DUPLICATES_ONLY
    )


def stored_documents(pipeline: IngestionPipeline) -> dict[str, BaseNode]:
    assert isinstance(pipeline.docstore, SimpleDocumentStore)
    return pipeline.docstore.docs


def test_nodes_refer_to_the_document_after_another_parser(run: Run) -> None:
    steps: list[TransformComponent] = [MarkdownNodeParser(), parser(), MockEmbedding(embed_dim=8)]
    [node] = run(IngestionPipeline(transformations=steps), [document("one", "1")])
    assert node.ref_doc_id == "1"
    assert node.embedding is not None


@pytest.mark.parametrize("has_docstore", [True, False])
def test_a_pipeline_can_be_saved_and_loaded(tmp_path: Path, run: Run, has_docstore: bool) -> None:  # noqa: FBT001 - a parameter
    sources = [document("one", "1"), document("two", "2"), document("one", "1")]
    pipeline = pipeline_without_duplicates() if has_docstore else pipeline_of()
    assert len(run(pipeline, sources)) == (2 if has_docstore else 3)
    pipeline.persist(str(tmp_path))
    again = pipeline_without_duplicates() if has_docstore else pipeline_of()
    again.load(str(tmp_path))
    assert len(run(again, sources[-1:])) == (0 if has_docstore else 1)
    assert not has_docstore or set(stored_documents(again)) == {"1", "2"}


def test_a_changed_text_replaces_the_old_one(run: Run) -> None:
    pipeline = pipeline_without_duplicates()
    assert len(run(pipeline, [document(PROSE, "1")])) > 3
    [node] = run(pipeline, [document("test", "1")])
    assert (node.get_content(), node.ref_doc_id) == ("test", "1")
    assert [kept.get_content() for kept in stored_documents(pipeline).values()] == ["test"]


def test_new_metadata_reaches_the_nodes(run: Run) -> None:
    """For text without headings the parser adds only three keys."""
    pipeline, lengths = pipeline_without_duplicates(), set[int]()
    for category in ("code", "text"):
        data = {"file_name": "a.md", "category": category}
        nodes = run(pipeline, [document(PROSE, "1", metadata=data)])
        for node in nodes:
            assert {"kinds", "chunk_id", "citation"} == set(node.metadata) - set(data)
            assert data.items() <= node.metadata.items()
        assert [kept.metadata for kept in stored_documents(pipeline).values()] == [data]
        lengths.add(len(nodes))
    assert len(lengths) == 1


def test_known_documents_give_no_nodes(run: Run) -> None:
    pipeline = pipeline_without_duplicates()
    sources = [document(text, text) for text in ("one", "two", "three")]
    assert len(run(pipeline, sources)) == 3
    assert list(run(pipeline, sources)) == []


def test_equal_documents_of_one_batch_give_one_node(run: Run) -> None:
    sources = [document("same", "a"), document("same", "b"), document("other", "c")]
    nodes = run(pipeline_without_duplicates(), sources)
    assert sorted(node.get_content() for node in nodes) == ["other", "same"]


class FailingStep(TransformComponent):
    """A step that fails."""

    def __call__(self, nodes: Sequence[BaseNode], **_: object) -> Sequence[BaseNode]:
        """Raise an error."""
        msg = f"cannot take {len(nodes)} nodes"
        raise RuntimeError(msg)


@pytest.mark.skipif(
    version("llama-index-core").startswith("0.13."),
    reason="LlamaIndex 0.13 stores documents before the steps run",
)
def test_a_failing_step_stores_no_document(run: Run) -> None:
    pipeline = pipeline_without_duplicates(FailingStep())
    with pytest.raises(RuntimeError, match="cannot take"):
        run(pipeline, [document(PROSE, "1")])
    assert pipeline.docstore is not None
    assert pipeline.docstore.get_node("1", raise_error=False) is None


def test_a_cache_keeps_nodes_until_it_is_cleared() -> None:
    cache, source = IngestionCache(), TextNode(text="one", id_="1")
    nodes = parser()([source])
    cache.put("some", nodes)
    assert [node.to_dict() for node in cache.get("some") or []] == [n.to_dict() for n in nodes]
    cache.clear()
    assert cache.get("some") is None
