"""LlamaIndex's node parser as a component: settings, storage, pipelines and indexes."""

import asyncio
import contextlib
import io
import json
import logging
import pickle
from collections.abc import Sequence
from typing import Any

import pytest
from llama_index.core import MockEmbedding, Settings, VectorStoreIndex
from llama_index.core.callbacks import CallbackManager, CBEventType, LlamaDebugHandler
from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.ingestion.pipeline import DocstoreStrategy, get_transformation_hash
from llama_index.core.node_parser import (
    NodeParser,
)
from llama_index.core.schema import (
    BaseNode,
    Document,
    TextNode,
    TransformComponent,
)
from llama_index.core.storage.docstore import SimpleDocumentStore
from llama_index.core.vector_stores import SimpleVectorStore
from llama_parsers import ACT, clauses, count, document, numbered_id, parser, shown_texts
from processes import outputs_here_and_elsewhere

from treepack import PackConfig, TreepackNodeParser
from treepack.config import FRAMEWORK_NAMES


def comparable(nodes: Sequence[BaseNode]) -> list[tuple[str, str, dict[str, Any]]]:
    return [(node.id_, node.get_content(), node.metadata) for node in nodes]


# -------------------------------------------------------------------- the contract of a component


def test_the_parser_is_a_component_with_a_name_and_fields() -> None:
    assert isinstance(parser(), NodeParser | TransformComponent)
    assert TreepackNodeParser.class_name() == "TreepackNodeParser"
    some = parser(encoding_name="o200k_base")
    fields = {name: getattr(some, name) for name in TreepackNodeParser.model_fields}
    assert TreepackNodeParser(**fields).to_dict() == some.to_dict()
    defaults = TreepackNodeParser.from_defaults(callback_manager=None, id_func=None)
    assert defaults.to_dict() == TreepackNodeParser().to_dict()


def test_the_parser_accepts_every_setting_of_the_core() -> None:
    """A setting that the core gains must reach the adapters."""
    names = {FRAMEWORK_NAMES.get(name, name) for name in PackConfig.model_fields}
    assert names <= set(TreepackNodeParser.model_fields)


@pytest.mark.parametrize(
    "wrong",
    [
        {"chunk_size": 0},
        {"chunk_size": 64, "chunk_overlap": 65},
        {"chunk_size": 64, "chunk_overlap": -1},
        {"chunk_size": 64, "target_size": 100},
        {"chunk_size": 8},
        {"metadata_mode": "other"},
        {"encoding_name": "no such"},
    ],
)
def test_invalid_settings_are_rejected(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"chunk_|target_size|at least|metadata_mode|no such"):
        TreepackNodeParser(**wrong)


def test_the_parser_survives_a_json_round_trip() -> None:
    some = parser(overlap_separator="---", chunk_overlap=8)
    record = json.loads(some.to_json())
    assert "callback_manager" not in record
    again = TreepackNodeParser.from_dict(record)
    assert again.to_dict() == some.to_dict()
    assert comparable(again([document(ACT)])) == comparable(some([document(ACT)]))


def words(text: str) -> list[str]:
    return text.split()


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


@pytest.mark.parametrize(
    "other",
    [
        {"chunk_size": 99},
        {"encoding_name": "o200k_base"},
        {"breadcrumb_separator": "/"},
        {"include_metadata": False},
        {"tokenizer": len},
        {"tokenizer": words},
        {"repeat_heading": True},
        {"stable_ids": False},
        {"input_format": "text"},
        {"outline": "trust"},
    ],
)
def test_the_cache_key_depends_on_every_setting(other: dict[str, Any]) -> None:
    node = TextNode(text="x")
    plain = get_transformation_hash([node], TreepackNodeParser())
    assert plain == get_transformation_hash([node], TreepackNodeParser())
    assert plain != get_transformation_hash([node], TreepackNodeParser(**other))
    assert " at 0x" not in str(TreepackNodeParser(**other).to_dict())


def test_the_cache_key_distinguishes_tokenizers_with_the_same_name() -> None:
    one, two = (parser(tokenizer=lambda text, n=n: len(text) // n) for n in (2, 3))
    node = TextNode(text="x")
    assert get_transformation_hash([node], one) != get_transformation_hash([node], two)


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


def test_a_tokenizer_that_cannot_be_pickled_raises_an_error() -> None:
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(parser(tokenizer=lambda text: text.split()))


def test_async_calls_give_the_same_nodes() -> None:
    async def many() -> list[list[BaseNode]]:
        return await asyncio.gather(*(parser().acall([document(ACT)]) for _ in range(3)))

    assert all(
        comparable(nodes) == comparable(parser()([document(ACT)])) for nodes in asyncio.run(many())
    )


def test_the_parser_reports_events_and_progress() -> None:
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
    assert (begin.payload, end.payload) == (
        {"chunks": [ACT]},
        {"chunks": [node.get_content() for node in nodes]},
    )
    some.split_text(ACT)
    assert len(handler.get_event_pairs(CBEventType.CHUNKING)) == 2


def test_the_parser_is_silent_and_accepts_unknown_keywords(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert parser()([document(ACT)], unknown=1)
    assert capsys.readouterr() == ("", "")


def test_the_global_settings_can_change_the_chunk_size() -> None:
    Settings.node_parser = parser(128, target_size=128, chunk_overlap=100)
    try:
        Settings.chunk_size = 77
        assert Settings.node_parser([document(ACT)])
        assert all(
            max(map(count, shown_texts(node))) <= 77
            for node in Settings.node_parser([document(ACT)])
        )
    finally:
        Settings.node_parser = None  # type: ignore[assignment] # back to the default


# -------------------------------------------------------------------- pipelines and indexes


def test_the_cache_of_a_pipeline_returns_equal_nodes() -> None:
    pipeline = IngestionPipeline(transformations=[parser()])
    sources = [document(ACT, metadata={"title": "T"})]
    first, second = pipeline.run(documents=sources), pipeline.run(documents=sources)
    assert [node.to_dict() for node in first] == [node.to_dict() for node in second]


def test_a_pipeline_with_a_docstore_processes_only_changed_documents() -> None:
    pipeline = IngestionPipeline(
        transformations=[parser(), MockEmbedding(embed_dim=4)],
        docstore=SimpleDocumentStore(),
        vector_store=SimpleVectorStore(),
        docstore_strategy=DocstoreStrategy.UPSERTS,
    )
    sources = [document(ACT, "a"), document(clauses(4), "b")]
    assert len(pipeline.run(documents=sources)) > 4
    assert list(pipeline.run(documents=sources)) == []
    changed = [sources[0], document(clauses(5), "b")]
    assert {node.ref_doc_id for node in pipeline.run(documents=changed)} == {"b"}


def test_an_early_edit_leaves_nearly_all_nodes_unchanged() -> None:
    """Law 10 through the adapter: ids and hashes of 97 in 100 nodes survive."""
    text = clauses(200)
    before = {(node.id_, node.hash) for node in parser(128)([document(text)])}
    edited = text.replace("# Terms\n\n", "# Terms\n\nA paragraph that was not there before.\n\n")
    after = {(node.id_, node.hash) for node in parser(128)([document(edited)])}
    assert len(before) >= 200
    assert len(before & after) >= 0.97 * len(before)


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
    few, many = (
        _HashedDocument(text="".join(f"# Part {i}\n\n{'Words of it. ' * 30}\n\n" for i in range(n)))
        for n in (3, 60)
    )
    parser = TreepackNodeParser(chunk_size=128)
    assert len(parser.get_nodes_from_documents([few])) < len(
        parser.get_nodes_from_documents([many])
    )
    assert few.times == many.times
