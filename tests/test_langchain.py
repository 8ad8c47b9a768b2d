"""LangChain's text splitter must keep the laws of packing and the contract of its base class."""

import asyncio
import copy
import pickle
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, get_type_hints

import pytest
from case_files import case_file
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import BaseDocumentTransformer, Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.indexing import InMemoryRecordManager, aindex, index
from langchain_core.runnables import RunnableLambda
from langchain_core.vectorstores import InMemoryVectorStore
from langchain_text_splitters import TextSplitter
from llama_parsers import ACT, document, parser
from processes import outputs_here_and_elsewhere
from strategies import any_text, generated

from treepack import PackConfig, TreepackNodeParser, TreepackTextSplitter, pack, parse
from treepack.config import FRAMEWORK_NAMES, Policies, Settings
from treepack.integrations.metadata import KEYS
from treepack.tokens import token_counter

few_examples = settings(generated, max_examples=40)
count_tokens = token_counter("cl100k_base")
TABLE = "# Limits\n\n| Quantity | Limit |\n|---|---|\n" + "| pressure | 16 bar |\n" * 40
SPECIAL_TOKENS = "# S\n\nThe marker <|endoftext|> and <|fim_prefix|> are plain text here.\n"


def make_splitter(size: int = 64, **more: Any) -> TreepackTextSplitter:  # noqa: ANN401 - settings
    return TreepackTextSplitter(size, **more)


# -------------------------------------------------------------------- laws


@few_examples
@given(any_text, st.sampled_from((0, 0, 12)))
def test_it_cuts_like_the_core_and_has_the_metadata_of_the_other_adapter(
    text: str, overlap: int
) -> None:
    """The LlamaIndex adapter makes the same cuts if its template shows only the text."""
    chunks = pack(parse(text), PackConfig(max_tokens=100, overlap_tokens=overlap))
    core, given = [chunk.text for chunk in chunks], {"chunk_overlap": overlap}
    parts = make_splitter(100, add_start_index=True, **given).create_documents([text])
    made = [part.page_content for part in parts]
    assert core == made == make_splitter(100, **given).split_text(text)
    for part, chunk in zip(parts, chunks, strict=True):
        if len(chunk.segments) == 1:
            assert text[part.metadata["start_index"] :].startswith(part.page_content)
    from llama_index.core import Document as Other  # noqa: PLC0415 - the other framework

    nodes = TreepackNodeParser(chunk_size=100, **given)(
        [Other(text=text, text_template="{content}")]
    )
    assert core == [node.get_content() for node in nodes]
    assert (core if text else [""]) == TreepackNodeParser(chunk_size=100, **given).split_text(text)
    named = make_splitter(100, **given).split_documents([Document(text)])
    assert [document.metadata for document in named] == [node.metadata for node in nodes]


def test_the_adapters_and_the_core_have_the_same_defaults() -> None:
    """If a default changed in one place, they would cut differently."""
    names = {FRAMEWORK_NAMES.get(name, name): name for name in PackConfig.model_fields}
    config = PackConfig()
    defaults = TreepackNodeParser()
    for own, name in names.items():
        if getattr(defaults, own) is not None:  # None: it follows from the others, as in the core
            assert getattr(defaults, own) == getattr(config, name), own
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
    contents = make_splitter(size, length_function=len).split_text(text)
    assert all(len(content) <= size for content in contents)
    for tiny, cap in (("foo bar baz", 3), ("abcdef", 1), ("# A\n\nfoo bar", 5)):
        parts = make_splitter(cap, length_function=len).split_text(tiny)
        assert all(len(part) <= cap for part in parts)
        assert "".join("".join(parts).split()) == "".join(tiny.split())


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
    assert {part["table_columns_json"] for part in parts} == {'["Quantity", "Limit"]'}
    starts, ends = ([part[f"table_row_{at}"] for part in parts] for at in ("start", "end"))
    assert (starts[0], ends[-1], parts[0]["table_row_count"]) == (1, 40, 40)
    assert starts[1:] == [end + 1 for end in ends[:-1]]
    assert len({part["table_id"] for part in parts}) == 1


def test_chunks_that_are_split_again_keep_their_breadcrumbs() -> None:
    """`ParentDocumentRetriever` splits twice. Nodes of LlamaIndex are linked again."""
    once = {each.page_content: each.metadata for each in make_splitter().create_documents([ACT])}
    parts = make_splitter().split_documents(make_splitter(400).create_documents([ACT]))
    nodes = parser()(parser(400)([document(ACT)]))
    for twice in (
        [(part.page_content, part.metadata) for part in parts],
        [(node.get_content(), node.metadata) for node in nodes],
    ):
        same = [(once[text], metadata) for text, metadata in twice if text in once]
        assert len(same) > 2
        assert all(one["breadcrumb"] == two["breadcrumb"] for one, two in same)
    assert [node.next_node and node.next_node.node_id for node in nodes[:-1]] == [
        node.node_id for node in nodes[1:]
    ]
    [whole] = make_splitter(2000).create_documents([TABLE + "\n\n" + "Words. " * 60])
    last = make_splitter().split_documents([whole])[-1]
    assert (whole.metadata["kinds"], last.metadata["kinds"]) == ("text,table", "text")
    assert not [key for key in last.metadata if key.startswith("table_")]


def test_embed_breadcrumb_puts_the_breadcrumb_into_the_content() -> None:
    made = make_splitter(embed_breadcrumb=True, add_start_index=True).create_documents([ACT])
    assert made[-1].page_content == "Act > Article 12 Duties\n\n### (4) Records\n\nKeep records."
    assert ACT[made[-1].metadata["start_index"] :].startswith("### (4) Records")
    assert all(count_tokens(document.page_content) <= 64 for document in made)


# -------------------------------------------------------------------- the contract of a splitter


def test_the_splitter_is_a_text_splitter_and_accepts_empty_input() -> None:
    splitter = make_splitter()
    assert isinstance(splitter, TextSplitter)
    assert isinstance(splitter, BaseDocumentTransformer)
    assert splitter.split_text("") == splitter.split_text(" \n") == []
    assert splitter.create_documents([]) == []
    whole = splitter.split_documents([Document(ACT)])
    assert splitter.split_with_parents([Document(ACT)]) == (whole, []), "without levels"


def test_all_entry_points_give_the_same_documents_which_share_no_metadata() -> None:
    sources = [
        Document(text, metadata={"n": n, "nested": {"a": [1]}})
        for n, text in enumerate((ACT, TABLE, SPECIAL_TOKENS))
    ]
    before = copy.deepcopy(sources)

    class Loader(BaseLoader):
        def lazy_load(self) -> Iterator[Document]:
            yield from sources

    splitter = make_splitter()
    made = splitter.split_documents(source for source in sources)
    texts, metadata = ([s.page_content for s in sources], [s.metadata for s in sources])
    assert made == splitter.create_documents(texts, metadata)
    assert made == list(splitter.transform_documents(sources))
    assert made == list(asyncio.run(splitter.atransform_documents(sources)))
    assert made == Loader().load_and_split(splitter)
    assert made == RunnableLambda(splitter.split_documents).invoke(sources)
    with ThreadPoolExecutor(4) as pool:
        assert all(result == made for result in pool.map(splitter.split_documents, [sources] * 4))
    made[0].metadata["nested"]["a"].append(2)
    assert sources == before
    assert made[1].metadata["nested"] == {"a": [1]}


@pytest.mark.parametrize("wrong", case_file("adapters/wrong.json"), ids=str)
@pytest.mark.parametrize("adapter", [TreepackTextSplitter, TreepackNodeParser])
def test_invalid_sizes_modes_and_encodings_are_rejected(
    adapter: type[TreepackTextSplitter | TreepackNodeParser], wrong: dict[str, Any]
) -> None:
    message = r"chunk_|overlap|target_size|metadata_mode|'lean'|no such"
    with pytest.raises(ValueError, match=message):
        adapter(**wrong)


def test_metadata_for_only_some_of_the_texts_and_tokenizers_by_name_are_rejected() -> None:
    with pytest.raises(ValueError, match="texts has 2 items, but metadatas 1: give one for each"):
        make_splitter().create_documents(["a", "b"], [{"n": 1}])
    with pytest.raises(ValueError, match="must be one of transformers, not str"):
        TreepackTextSplitter.from_huggingface_tokenizer("foo")


def test_the_adapter_accepts_every_setting_of_the_core() -> None:
    """A setting that the core gains must reach the adapters."""
    assert {*PackConfig.model_fields} - {*FRAMEWORK_NAMES} == set(Policies.__annotations__)
    types = get_type_hints(Settings)
    assert get_type_hints(Policies) == {name: types[name] for name in Policies.__annotations__}


@pytest.mark.parametrize(
    "which", [{}, {"encoding_name": "o200k_base"}, {"model_name": "gpt-4o"}], ids=str
)
def test_from_tiktoken_encoder_counts_with_the_named_encoding(which: dict[str, Any]) -> None:
    splitter = TreepackTextSplitter.from_tiktoken_encoder(**which, chunk_size=64, chunk_overlap=0)
    counter = token_counter(next(iter(which.values()), "cl100k_base"))
    assert all(counter(content) <= 64 for content in splitter.split_text(ACT + SPECIAL_TOKENS))
    again = pickle.loads(pickle.dumps(splitter))  # noqa: S301 - ours
    assert again.split_text(ACT) == splitter.split_text(ACT)
    assert len(pickle.dumps(splitter)) < 2_000


# -------------------------------------------------------------------- indexing

ONE = "# One\n\n" + "\n\n".join(f"## Part {i}\n\nThe text of part {i}." for i in range(5))
TWO = "# Two\n\nA text of its own."


class IndexedStore:
    """An index of texts by source, as in LangChain's own tests of its index."""

    def __init__(self, *, is_async: bool) -> None:
        self.is_async = is_async
        self.records = InMemoryRecordManager(namespace="t")
        self.records.create_schema()
        self.store = InMemoryVectorStore(DeterministicFakeEmbedding(size=4))

    def run(self, *texts: str, **options: Any) -> tuple[int, int, int]:  # noqa: ANN401 - of the framework
        """Index the chunks of all texts, and return how many were added, deleted and skipped."""
        sources = [Document(text, metadata={"source": text[:5]}) for text in texts]
        made = make_splitter(512, sections="separate", min_size=0).split_documents(sources)
        how = {"source_id_key": "source", "key_encoder": "sha256", "batch_size": 1000, **options}
        if self.is_async:
            result = asyncio.run(aindex(made, self.records, self.store, **how))
        else:
            result = index(made, self.records, self.store, **how)
        return result["num_added"], result["num_deleted"], result["num_skipped"]


@pytest.mark.parametrize("is_async", [False, True], ids=["index", "aindex"])
def test_an_index_skips_unchanged_chunks_and_deletes_removed_ones(*, is_async: bool) -> None:
    indexed = IndexedStore(is_async=is_async)
    assert indexed.run(ONE, TWO, cleanup=None) == (6, 0, 0)
    assert indexed.run(ONE, TWO, cleanup=None) == (0, 0, 6)
    new = ONE.replace("part 3.", "part 3, changed.")
    assert indexed.run(new, cleanup="incremental") == (1, 1, 4)
    assert "part 3." not in str(indexed.store.store)
    assert indexed.run(new, cleanup="incremental", force_update=True) == (0, 0, 0)
    assert indexed.run(new, cleanup="scoped_full") == (0, 0, 5)
    assert indexed.run(new, cleanup="full") == (0, 1, 5), "a source that is not given"
    equal = "# Two\n\n" + "## Part\n\nThe same.\n\n" * 3
    assert indexed.run(equal, cleanup="incremental") == (3, 0, 0), "ids distinguish them"


@pytest.mark.slow
def test_a_document_has_the_same_key_in_all_processes() -> None:
    code = (
        "from langchain_core.indexing import InMemoryRecordManager, index;"
        "from langchain_core.vectorstores import InMemoryVectorStore;"
        "from langchain_core.embeddings import DeterministicFakeEmbedding as E;"
        "from treepack import TreepackTextSplitter as S;"
        "r = InMemoryRecordManager(namespace='t'); r.create_schema();"
        "v = InMemoryVectorStore(E(size=4));"
        "d = S(64, sections='separate').create_documents(['# A\\n\\nx\\n\\n# B\\n\\ny']);"
        "index(d, r, v, key_encoder='sha256'); print(sorted(v.store))"
    )
    [keys] = outputs_here_and_elsewhere(code)
    assert keys.count("'") == 4  # of two chunks


def test_metadata_has_only_documented_keys() -> None:
    text = ACT + TABLE
    for mode in ("lean", "full", "uniform", "native"):
        for made in make_splitter(metadata_mode=mode).create_documents([text]):
            assert set(made.metadata) <= KEYS | {"front_matter_json"}
