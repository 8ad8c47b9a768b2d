"""LangChain's text splitter must keep the laws of packing and the contract of its base class."""

import asyncio
import copy
import json
import pickle
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import BaseDocumentTransformer, Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.indexing import InMemoryRecordManager, index
from langchain_core.runnables import RunnableLambda
from langchain_core.vectorstores import InMemoryVectorStore
from langchain_text_splitters import TextSplitter
from strategies import any_text, generated

from treepack import PackConfig, TreepackNodeParser, TreepackTextSplitter, pack, parse
from treepack.config import FRAMEWORK_NAMES, Policies, Settings
from treepack.integrations.metadata import KEYS
from treepack.tokens import token_counter

few_examples = settings(generated, max_examples=40)
count_tokens = token_counter("cl100k_base")
ACT = (
    "# Act\n\n## Article 12 Duties\n\n### (3) Notice\n\n"
    + "The controller shall notify. " * 40
    + "\n\n### (4) Records\n\nKeep records.\n"
)
TABLE = "# Limits\n\n| Quantity | Limit |\n|---|---|\n" + "| pressure | 16 bar |\n" * 40
SPECIAL_TOKENS = "# S\n\nThe marker <|endoftext|> and <|fim_prefix|> are plain text here.\n"


def text_with_clauses(number: int) -> str:
    return "# Terms\n\n" + "\n\n".join(
        f"## Clause {i}\n\n" + f"Sentence number {i} about topic {i}. " * 12
        for i in range(1, number + 1)
    )


def make_splitter(size: int = 64, **more: Any) -> TreepackTextSplitter:  # noqa: ANN401 - settings
    return TreepackTextSplitter(size, **more)


# -------------------------------------------------------------------- laws


@few_examples
@given(any_text, st.sampled_from((64, 100, 256)), st.sampled_from((True, False)))
def test_no_page_content_exceeds_the_cap(text: str, size: int, embeds: bool) -> None:  # noqa: FBT001 - drawn
    made = make_splitter(size, embed_breadcrumb=embeds).create_documents([text], [{"source": "a"}])
    assert max([count_tokens(document.page_content) for document in made], default=0) <= size


@few_examples
@given(any_text, st.sampled_from((0, 0, 12)))
def test_the_start_index_is_the_offset_of_the_text(text: str, overlap: int) -> None:
    splitter = make_splitter(64, chunk_overlap=overlap, add_start_index=True)
    chunks = pack(parse(text), PackConfig(max_tokens=64, overlap_tokens=overlap))
    for document, chunk in zip(splitter.create_documents([text]), chunks, strict=True):
        start = document.metadata["start_index"]
        if len(chunk.segments) == 1:
            assert text[start:].startswith(document.page_content)


@few_examples
@given(any_text)
def test_it_cuts_like_the_core_and_has_the_metadata_of_the_other_adapter(text: str) -> None:
    """The LlamaIndex adapter makes the same cuts if its template shows only the text."""
    core = [chunk.text for chunk in pack(parse(text), PackConfig(max_tokens=100))]
    made = make_splitter(100).create_documents([text])
    assert (
        core == [document.page_content for document in made] == make_splitter(100).split_text(text)
    )
    from llama_index.core import Document as Other  # noqa: PLC0415 - the other framework

    nodes = TreepackNodeParser(chunk_size=100)([Other(text=text, text_template="{content}")])
    assert core == [node.get_content() for node in nodes]
    named = make_splitter(100).split_documents([Document(text)])
    assert [document.metadata for document in named] == [node.metadata for node in nodes]


def test_the_adapters_and_the_core_have_the_same_defaults() -> None:
    """If a default changed in one place, they would cut differently."""
    names = {FRAMEWORK_NAMES.get(name, name): name for name in PackConfig.model_fields}
    config = PackConfig()
    parser = TreepackNodeParser()
    for own, name in names.items():
        if getattr(parser, own) is not None:  # None: it follows from the others, as in the core
            assert getattr(parser, own) == getattr(config, name), own
    text = "## 1 A\n\nx\n\n## 1.1 B\n\ny\n\n## 1.2 C\n\nz\n\n" + "Some words. " * 600
    parts = TreepackTextSplitter().create_documents([text])
    assert len(parts) > 1
    assert [part.page_content for part in parts] == [chunk.text for chunk in pack(text)]
    assert TreepackNodeParser().split_text(text) == [chunk.text for chunk in pack(text)]
    assert [part.metadata.get("clause") for part in parts] == [
        chunk.clause_number for chunk in pack(text)
    ]


@few_examples
@given(any_text, st.sampled_from((20, 60, 300)))
def test_sizes_may_be_measured_in_characters(text: str, size: int) -> None:
    """A grapheme cluster longer than the cap is cut, so any cap can be kept."""
    assert all(
        len(content) <= size
        for content in make_splitter(size, length_function=len).split_text(text)
    )


@pytest.mark.parametrize(
    ("text", "size"), [("foo bar baz", 3), ("abcdef", 1), ("# A\n\nfoo bar", 5)]
)
def test_caps_of_a_few_characters_are_kept(text: str, size: int) -> None:
    parts = make_splitter(size, length_function=len).split_text(text)
    assert all(len(part) <= size for part in parts)
    assert "".join("".join(parts).split()) == "".join(text.split())


# -------------------------------------------------------------------- metadata


def test_structural_metadata_is_added_only_if_the_text_has_structure() -> None:
    made = make_splitter().create_documents([ACT], [{"source": "act.md"}])
    assert made[-1].page_content == "### (4) Records\n\nKeep records."
    assert made[-1].metadata["breadcrumb"] == "Act > Article 12 Duties > (4) Records"
    assert made[-1].metadata["citation"] == "Act, Article 12(4)"
    assert made[-1].metadata["source"] == "act.md"
    plain = Document("plain text", metadata={"source": "1"})
    [whole] = make_splitter().create_documents(["plain text"], [{"source": "1"}])
    [named] = make_splitter().split_documents([plain])
    for each in (whole, named):
        assert set(each.metadata) == {"source", "kinds", "chunk_id", "citation"}
        assert each.metadata["citation"] == "1"
        assert each.id == each.metadata["chunk_id"]
    twice = make_splitter().split_documents([plain, plain])
    assert [each.id for each in twice] == [named.id, None]
    assert [each.id for each in make_splitter().create_documents(["a"])] == [None]
    [uniform] = make_splitter(metadata_mode="uniform").create_documents(["plain text"])
    assert uniform.metadata["chunk_id"]


def test_metadata_of_table_pieces_records_their_rows() -> None:
    made = make_splitter(metadata_mode="full").create_documents([TABLE])
    parts = [each.metadata for each in made]
    assert len(parts) > 2
    assert [json.loads(part["table_columns_json"]) for part in parts] == [
        ["Quantity", "Limit"]
    ] * len(parts)
    rows = [(part["table_row_start"], part["table_row_end"]) for part in parts]
    assert rows[0][0] == 1
    assert rows[-1][1] == parts[0]["table_row_count"] == 40
    assert all(two[0] == one[1] + 1 for one, two in pairwise(rows))
    assert len({part["table_id"] for part in parts}) == 1


def test_split_documents_do_not_share_metadata() -> None:
    sources = [Document(ACT, metadata={"source": "a", "nested": {"a": [1]}}, id="x")]
    before = copy.deepcopy(sources)
    made = make_splitter().split_documents(sources)
    made[0].metadata["nested"]["a"].append(2)
    assert sources == before
    assert made[1].metadata["nested"] == {"a": [1]}


def test_a_chunk_that_is_split_again_keeps_its_breadcrumb() -> None:
    """`ParentDocumentRetriever` splits twice."""
    once = {
        d.page_content: d.metadata["breadcrumb"] for d in make_splitter().create_documents([ACT])
    }
    twice = make_splitter().split_documents(make_splitter(400).create_documents([ACT]))
    same = [document for document in twice if document.page_content in once]
    assert len(same) > 2
    assert all(d.metadata["breadcrumb"] == once[d.page_content] for d in same)


def test_splitting_again_recomputes_kinds_and_table_metadata() -> None:
    [whole] = make_splitter(2000).create_documents([TABLE + "\n\n" + "Words. " * 60])
    last = make_splitter().split_documents([whole])[-1]
    assert whole.metadata["kinds"] == "text,table"
    assert last.metadata["kinds"] == "text"
    assert not [key for key in last.metadata if key.startswith("table_")]


def test_embed_breadcrumb_puts_the_breadcrumb_into_the_content() -> None:
    made = make_splitter(embed_breadcrumb=True, add_start_index=True).create_documents([ACT])
    assert made[-1].page_content == ("Act > Article 12 Duties\n\n### (4) Records\n\nKeep records.")
    start = made[-1].metadata["start_index"]
    assert ACT[start:].startswith("### (4) Records")
    assert all(count_tokens(document.page_content) <= 64 for document in made)


# -------------------------------------------------------------------- pages and parents


def test_merge_pages_joins_the_pages_of_a_file() -> None:
    pages = [
        Document("# A\n\nThe pump shall", metadata={"source": "a.pdf", "page": 0, "total": 2}),
        Document("be mounted level.", metadata={"source": "a.pdf", "page": 1, "total": 2}),
        Document("plain", metadata={"source": "b.txt"}),
    ]
    made = make_splitter(merge_pages=True, add_start_index=True).split_documents(iter(pages))
    assert [document.page_content for document in made] == [
        "# A\n\nThe pump shall\nbe mounted level.",
        "plain",
    ]
    assert (
        made[0].metadata.items()
        >= {
            "source": "a.pdf",
            "total": 2,
            "page_start": 0,
            "page_end": 1,
            "start_index": 0,
        }.items()
    )
    assert made[0].metadata["page"] == 0  # of the page on which it begins


def test_printed_page_labels_override_the_page_numbers_of_the_loader() -> None:
    pages = [
        Document(text, metadata={"source": "a.pdf", "page": n, "page_label": label})
        for n, (text, label) in enumerate((("One.", "12"), ("Two.", "13")))
    ]
    [made] = make_splitter(merge_pages=True).split_documents(pages)
    assert (made.metadata["page_start"], made.metadata["page_end"]) == (12, 13)


def test_without_levels_there_are_no_parents() -> None:
    leaves, parents = make_splitter().split_with_parents([Document(ACT)])
    assert leaves == make_splitter().split_documents([Document(ACT)])
    assert parents == []


# -------------------------------------------------------------------- the contract of a splitter


def test_the_splitter_is_a_text_splitter_and_accepts_empty_input() -> None:
    splitter = make_splitter()
    assert isinstance(splitter, TextSplitter)
    assert isinstance(splitter, BaseDocumentTransformer)
    assert splitter.split_text("") == splitter.split_text(" \n") == []
    assert splitter.create_documents([]) == []


def test_all_entry_points_give_the_same_documents() -> None:
    sources = [
        Document(text, metadata={"n": n}) for n, text in enumerate((ACT, TABLE, SPECIAL_TOKENS))
    ]

    class Loader(BaseLoader):
        def lazy_load(self) -> Iterator[Document]:
            yield from sources

    splitter = make_splitter()
    made = splitter.split_documents(source for source in sources)
    assert made == splitter.create_documents(
        [source.page_content for source in sources], [source.metadata for source in sources]
    )
    assert made == list(splitter.transform_documents(sources))
    assert made == list(asyncio.run(splitter.atransform_documents(sources)))
    assert made == Loader().load_and_split(splitter)
    assert made == RunnableLambda(splitter.split_documents).invoke(sources)
    with ThreadPoolExecutor(4) as pool:
        assert all(result == made for result in pool.map(splitter.split_documents, [sources] * 4))


@pytest.mark.parametrize(
    "wrong",
    [
        {"chunk_size": 0},
        {"chunk_size": -1},
        {"chunk_size": 2, "chunk_overlap": 4},
        {"chunk_size": 2, "chunk_overlap": -1},
        {"chunk_size": 64, "target_size": 65},
        {"encoding_name": "no such"},
    ],
)
def test_invalid_sizes_and_encodings_are_rejected(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"chunk_size|chunk_overlap|overlap|no such"):
        TreepackTextSplitter(**wrong)


def test_metadata_for_only_some_of_the_texts_is_rejected() -> None:
    with pytest.raises(ValueError, match="texts has 2 items, but metadatas 1: give one for each"):
        make_splitter().create_documents(["a", "b"], [{"n": 1}])


def test_the_adapter_accepts_every_setting_of_the_core() -> None:
    """A setting that the core gains must reach the adapters."""
    assert {*PackConfig.model_fields} - {*FRAMEWORK_NAMES} == set(Policies.__annotations__)
    types = get_type_hints(Settings)
    assert get_type_hints(Policies) == {name: types[name] for name in Policies.__annotations__}


@pytest.mark.parametrize(
    "which",
    [
        {},
        {"encoding_name": "o200k_base"},
        {"model_name": "gpt-4o"},
        {"model_name": "text-embedding-3-small"},
    ],
)
def test_from_tiktoken_encoder_counts_with_the_named_encoding(which: dict[str, Any]) -> None:
    splitter = TreepackTextSplitter.from_tiktoken_encoder(**which, chunk_size=64, chunk_overlap=0)
    counter = token_counter(next(iter(which.values()), "cl100k_base"))
    assert all(counter(content) <= 64 for content in splitter.split_text(ACT + SPECIAL_TOKENS))
    again = pickle.loads(pickle.dumps(splitter))  # noqa: S301 - ours
    assert again.split_text(ACT) == splitter.split_text(ACT)
    assert len(pickle.dumps(splitter)) < 2_000


def test_from_huggingface_tokenizer_rejects_a_string() -> None:
    with pytest.raises(ValueError, match="must be one of transformers, not str"):
        TreepackTextSplitter.from_huggingface_tokenizer("foo")


# -------------------------------------------------------------------- indexing


def test_indexing_skips_unchanged_chunks() -> None:
    """Metadata has no positions, so a new clause changes only its neighbours."""
    records = InMemoryRecordManager(namespace="t")
    records.create_schema()
    store = InMemoryVectorStore(DeterministicFakeEmbedding(size=4))
    splitter = make_splitter(64)

    def run(text: str) -> Any:  # noqa: ANN401 - of the framework
        return index(
            splitter.split_documents([Document(text, metadata={"source": "s"})]),
            records,
            store,
            cleanup="incremental",
            source_id_key="source",
            key_encoder="sha256",
            batch_size=1000,
        )

    text = text_with_clauses(100)
    number = len(splitter.split_text(text))
    assert number == 300
    assert run(text)["num_added"] == number
    assert run(text) == {
        "num_added": 0,
        "num_updated": 0,
        "num_skipped": number,
        "num_deleted": 0,
    }
    new = "# Terms\n\n## Clause 0\n\nA new clause in front.\n\n"
    result = run(text.replace("# Terms\n\n", new))
    assert result["num_added"] <= 3
    assert result["num_deleted"] <= 2


def test_metadata_has_only_documented_keys() -> None:
    text = ACT + TABLE
    for mode in ("lean", "full", "uniform", "native"):
        for made in make_splitter(metadata_mode=mode).create_documents([text]):
            assert set(made.metadata) <= KEYS | {"front_matter_json"}
