"""LlamaIndex's node parser as a component: settings, storage, pipelines and indexes.

Some scenarios are those of LlamaIndex's own tests of pipelines, rewritten for treepack's parser;
those with several workers are in ``integration_tests``.
"""

import asyncio
import contextlib
import io
import logging
import pickle
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from llama_index.core import MockEmbedding, Settings, VectorStoreIndex
from llama_index.core.callbacks import CallbackManager, CBEventType, LlamaDebugHandler
from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.ingestion.pipeline import DocstoreStrategy, get_transformation_hash
from llama_index.core.node_parser import MarkdownNodeParser, NodeParser
from llama_index.core.schema import BaseNode, Document, TextNode, TransformComponent
from llama_index.core.storage.docstore import SimpleDocumentStore
from llama_index.core.vector_stores import SimpleVectorStore
from llama_parsers import ACT, clauses, count, document, numbered_id, parser, shown_texts
from processes import outputs_here_and_elsewhere

from treepack import TreepackNodeParser


def comparable(nodes: Sequence[BaseNode]) -> list[tuple[str, str, dict[str, Any]]]:
    return [(node.id_, node.get_content(), node.metadata) for node in nodes]


def words(text: str) -> list[str]:
    return text.split()


# -------------------------------------------------------------------- the contract of a component


def test_the_parser_is_a_component_with_a_name_and_fields() -> None:
    assert isinstance(parser(), NodeParser | TransformComponent)
    assert TreepackNodeParser.class_name() == "TreepackNodeParser"
    some = parser(encoding_name="o200k_base")
    fields = {name: getattr(some, name) for name in TreepackNodeParser.model_fields}
    assert TreepackNodeParser(**fields).to_dict() == some.to_dict()
    assert "callback_manager" not in some.to_dict()
    defaults = TreepackNodeParser.from_defaults(callback_manager=None, id_func=None)
    assert defaults.to_dict() == TreepackNodeParser().to_dict()


def test_a_function_is_stored_by_name_and_must_be_given_again() -> None:
    some = parser(20, tokenizer=words, id_func=numbered_id)
    assert max(len(node.get_content().split()) for node in some([document(ACT)])) <= 20
    record = some.to_dict()
    with pytest.raises(ValueError, match="tokenizer"):
        TreepackNodeParser.from_dict({**record, "id_func": None})
    with pytest.raises(ValueError, match="numbered_id"):
        TreepackNodeParser.from_dict({**record, "tokenizer": None})
    again = TreepackNodeParser.from_dict(record, tokenizer=words, id_func=numbered_id)
    assert again.to_dict() == record


OTHER_SETTINGS: list[dict[str, Any]] = [
    *({"chunk_size": 99}, {"encoding_name": "o200k_base"}, {"breadcrumb_separator": "/"}),
    *({"include_metadata": False}, {"tokenizer": len}, {"tokenizer": words}, {"outline": "trust"}),
    *({"repeat_heading": True}, {"stable_ids": False}, {"input_format": "text"}),
    *({"tokenizer": lambda text, n=n: len(text) // n} for n in (2, 3)),  # of the same name
]


def test_the_cache_key_depends_on_every_setting() -> None:
    node = TextNode(text="x")
    keys = {
        get_transformation_hash([node], TreepackNodeParser(**other))
        for other in ({}, {}, *OTHER_SETTINGS)
    }
    assert len(keys) == 1 + len(OTHER_SETTINGS)
    for other in OTHER_SETTINGS:
        assert " at 0x" not in str(TreepackNodeParser(**other).to_dict())


@pytest.mark.slow
def test_the_cache_key_is_the_same_in_any_process() -> None:
    code = (
        "from llama_index.core.ingestion.pipeline import get_transformation_hash as h;"
        "from llama_index.core.schema import TextNode;"
        "from treepack import TreepackNodeParser as P;"
        "print(h([TextNode(text='x')], P()))"
    )
    assert len(outputs_here_and_elsewhere(code)) == 1


def test_a_pickled_parser_is_small_and_complete(caplog: pytest.LogCaptureFixture) -> None:
    some = parser(id_func=numbered_id, tokenizer=words)
    with caplog.at_level(logging.WARNING):
        data = pickle.dumps(some)
    assert len(data) < 2_000
    assert not caplog.records
    assert comparable(pickle.loads(data)([document(ACT)])) == comparable(some([document(ACT)]))  # noqa: S301 - ours
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(parser(tokenizer=lambda text: text.split()))


def test_the_parser_reports_events_and_progress_and_is_silent_otherwise(
    capsys: pytest.CaptureFixture[str],
) -> None:
    handler = LlamaDebugHandler(print_trace_on_end=False)
    some = parser(callback_manager=CallbackManager([handler]))
    errors = io.StringIO()
    with contextlib.redirect_stderr(errors):
        nodes = some.get_nodes_from_documents([document(ACT)], show_progress=True)
    [(_, end)] = handler.get_event_pairs(CBEventType.NODE_PARSING)
    assert end.payload is not None
    assert end.payload["nodes"] == nodes
    assert "Parsing nodes" in errors.getvalue()
    [(begin, end)] = handler.get_event_pairs(CBEventType.CHUNKING)
    texts = [node.get_content() for node in nodes]
    assert (begin.payload, end.payload) == ({"chunks": [ACT]}, {"chunks": texts})
    some.split_text(ACT)
    assert len(handler.get_event_pairs(CBEventType.CHUNKING)) == 2
    assert parser()([document(ACT)], unknown=1)
    assert capsys.readouterr() == ("", "")


def test_the_global_settings_can_change_the_chunk_size() -> None:
    Settings.node_parser = parser(128, target_size=128, chunk_overlap=100)
    try:
        Settings.chunk_size = 77
        nodes = Settings.node_parser([document(ACT)])
        assert nodes
        assert max(count(text) for node in nodes for text in shown_texts(node)) <= 77
    finally:
        Settings.node_parser = None  # type: ignore[assignment] # back to the default


# -------------------------------------------------------------------- pipelines and indexes

Run = Callable[[IngestionPipeline, list[Document]], Sequence[BaseNode]]


@pytest.fixture(params=["run", "arun"])
def run(request: pytest.FixtureRequest) -> Run:
    if request.param == "run":
        return lambda pipeline, sources: pipeline.run(documents=sources)
    return lambda pipeline, sources: asyncio.run(pipeline.arun(documents=sources))


def pipeline_of(strategy: DocstoreStrategy | None = None) -> IngestionPipeline:
    stores: dict[str, Any] = {}
    if strategy:
        stores = {"docstore": SimpleDocumentStore(), "docstore_strategy": strategy}
    steps: list[TransformComponent] = [parser(), MockEmbedding(embed_dim=4)]
    return IngestionPipeline(transformations=steps, **stores, vector_store=SimpleVectorStore())


def test_nodes_refer_to_the_document_after_another_parser(run: Run) -> None:
    steps: list[TransformComponent] = [MarkdownNodeParser(), parser(), MockEmbedding(embed_dim=8)]
    [node] = run(IngestionPipeline(transformations=steps), [document("one", "1")])
    assert node.ref_doc_id == "1"
    assert node.embedding is not None


def test_a_pipeline_with_a_docstore_processes_only_changed_documents() -> None:
    pipeline = pipeline_of(DocstoreStrategy.UPSERTS)
    sources = [document(ACT, "a"), document(clauses(4), "b")]
    assert len(pipeline.run(documents=sources)) > 4
    assert list(pipeline.run(documents=sources)) == []
    cached = pipeline_of()
    first, second = cached.run(documents=sources), cached.run(documents=sources)
    assert [node.to_dict() for node in first] == [node.to_dict() for node in second]
    changed = [sources[0], document(clauses(5), "b")]
    assert {node.ref_doc_id for node in pipeline.run(documents=changed)} == {"b"}


@pytest.mark.parametrize("has_docstore", [True, False])
def test_a_pipeline_can_be_saved_and_loaded(tmp_path: Path, run: Run, has_docstore: bool) -> None:  # noqa: FBT001 - a parameter
    strategy = DocstoreStrategy.DUPLICATES_ONLY if has_docstore else None
    sources = [document("one", "1"), document("two", "2"), document("one", "3")]
    pipeline = pipeline_of(strategy)
    assert len(run(pipeline, sources)) == (2 if has_docstore else 3), "equal texts are one"
    pipeline.persist(str(tmp_path))
    again = pipeline_of(strategy)
    again.load(str(tmp_path))
    assert len(run(again, sources[:1])) == (0 if has_docstore else 1)


def test_changed_text_and_metadata_reach_the_nodes(run: Run) -> None:
    """For text without headings the parser adds only three keys."""
    pipeline, lengths = pipeline_of(DocstoreStrategy.DUPLICATES_ONLY), set[int]()
    for category in ("code", "text"):
        data = {"file_name": "a.md", "category": category}
        nodes = run(pipeline, [document("The pump stands level. " * 60, "1", metadata=data)])
        for node in nodes:
            assert {"kinds", "chunk_id", "citation"} == set(node.metadata) - set(data)
            assert data.items() <= node.metadata.items()
        lengths.add(len(nodes))
    assert lengths not in ({0}, {1})
    assert len(lengths) == 1
    [node] = run(pipeline, [document("test", "1")])
    assert (node.get_content(), node.ref_doc_id) == ("test", "1")


def test_an_index_can_refresh_and_delete_documents() -> None:
    sources = [document(ACT, "a"), document(clauses(2), "b")]
    index = VectorStoreIndex.from_documents(
        sources, transformations=[parser()], embed_model=MockEmbedding(embed_dim=4)
    )
    assert index.refresh_ref_docs(sources) == [False, False]
    index.delete_ref_doc("a", delete_from_docstore=True)
    assert set(index.ref_doc_info) == {"b"}


class _HashedDocument(Document):
    """A document that counts how often its whole text is hashed."""

    times: int = 0

    @property
    def hash(self) -> str:
        self.times += 1
        return super().hash


def test_a_document_is_hashed_equally_often_for_any_number_of_sections() -> None:
    few, many = (_HashedDocument(text=clauses(number)) for number in (3, 60))
    assert len(parser(128)([few])) < len(parser(128)([many]))
    assert few.times == many.times
