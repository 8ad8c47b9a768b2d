"""Scenarios of LangChain's tests of its markdown splitters, loaders and index, for treepack.

Each section names the file whose scenarios it rewrites. The tests of character splitters run
unchanged (``integration_tests/foreign_langchain.py``).
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.indexing import InMemoryRecordManager, aindex, index
from langchain_core.vectorstores import InMemoryVectorStore
from processes import outputs_of_two_processes

from treepack import TreepackTextSplitter, token_counter

count = token_counter("cl100k_base")


def section_splitter(**more: Any) -> TreepackTextSplitter:  # noqa: ANN401 - settings
    """One document for each heading, as `MarkdownHeaderTextSplitter` gives."""
    return TreepackTextSplitter(512, min_size=0, sections="separate", **more)


def heading_paths(text: str) -> list[list[str]]:
    """The headings above each document."""
    made = section_splitter(metadata_mode="native").create_documents([text])
    return [document.metadata.get("breadcrumb_list", []) for document in made]


# ------------------------------------------ text_splitters: test_text_splitters.py, headings
# LangChain's drops the heading's line by default and joins lines anew; treepack keeps the text.


def test_each_document_knows_the_headings_above_it() -> None:
    text = "# Foo\n\n    ## Bar\n\nHi, Jim\n\nHi, Joe\n\n ## Baz\n\n Hi, Molly"
    assert heading_paths(text) == [
        ["Foo"],
        ["Foo", "Baz"],
    ]  # four spaces make the second heading code


def test_paths_follow_three_heading_levels_down_and_up() -> None:
    text = "# Foo\n\nx\n\n## Bar\n\nJim\n\n### Boo\n\nLance\n\n## Baz\n\nMolly\n\n# Qux\n\ny"
    assert heading_paths(text) == [
        ["Foo"],
        ["Foo", "Bar"],
        ["Foo", "Bar", "Boo"],
        ["Foo", "Baz"],
        ["Qux"],
    ]


def test_heading_lines_stay_in_the_text() -> None:
    made = section_splitter().create_documents(["# Foo\n\nx\n\n## Bar\n\nJim\n\n## Baz\n\nMolly"])
    assert [document.page_content for document in made] == [
        "# Foo\n\nx",
        "## Bar\n\nJim",
        "## Baz\n\nMolly",
    ]


@pytest.mark.parametrize("fence", ["```", "~~~"])
def test_a_comment_in_fenced_code_is_not_a_heading(fence: str) -> None:
    text = f"# Head\n\n{fence}\nfoo()\n# a comment\nbar()\n{fence}\n\n## Next\n\nx"
    assert heading_paths(text) == [["Head"], ["Head", "Next"]]


@pytest.mark.parametrize(("fence", "other"), [("```", "~~~"), ("~~~", "```"), ("````", "```")])
def test_a_fence_of_another_kind_does_not_end_code(fence: str, other: str) -> None:
    text = f"# Head\n\n{fence}\n{other}\n# no heading\n{other}\n# nor this\n{fence}\n\n## Next\n\nx"
    assert heading_paths(text) == [["Head"], ["Head", "Next"]]


def test_a_byte_order_mark_does_not_hide_a_heading() -> None:
    assert heading_paths("\ufeff# Foo\n\nx\n\n## Bar\n\ny") == [["Foo"], ["Foo", "Bar"]]


def test_bold_lines_are_not_headings() -> None:
    """LangChain's splitter can be told to take them for headings; in markdown they are not."""
    assert heading_paths("**Chapter 1**\n\nx\n\n# Foo\n\ny\n\n***Chapter 2***\n\nz") == [
        [],
        ["Foo"],
    ]


def test_a_splitter_keeps_no_headings_between_documents() -> None:
    """Several of LangChain's tests guard against headings of one file among those of the next."""
    splitter = section_splitter()
    one, two = "# One\n\nx\n\n## Deep\n\ny", "Text before.\n\n## Two\n\nz"
    alone = [splitter.create_documents([text]) for text in (one, two)]
    assert splitter.create_documents([one, two]) == [*alone[0], *alone[1]]
    assert not [d for d in alone[1] if "One" in str(d.metadata)]


def test_markdown_with_code_keeps_the_cap_and_all_text() -> None:
    text = "# Head\n\n## Lists\n\n- one\n- two\n\n```bash\npip install it\n```\n\n***\n\nThe end.\n"
    parts = TreepackTextSplitter(16, length_function=len).split_text(text)
    assert max(map(len, parts)) <= 16
    held = "".join("".join(parts).split())
    assert all(word in held for word in ("Head", "Lists", "pip", "install", "***", "end."))


@pytest.mark.parametrize("overlap", [0, 8])
def test_the_start_index_is_added_on_request_and_is_correct(overlap: int) -> None:
    text = "# Head\n\n" + "The same words. " * 40 + "\n\n## Next\n\n" + "The same words. " * 40
    splitter = TreepackTextSplitter.from_tiktoken_encoder(
        chunk_size=32, chunk_overlap=overlap, add_start_index=True
    )
    last = -1
    for document in splitter.create_documents([text]):
        start = document.metadata["start_index"]
        assert last < start
        assert text[start:].startswith(document.page_content)
        last = start
    silent = TreepackTextSplitter.from_tiktoken_encoder(chunk_size=32, chunk_overlap=overlap)
    assert not [d for d in silent.create_documents([text]) if "start_index" in d.metadata]


# ------------------------------------------ core: indexing/test_indexing.py

Counts = tuple[int, int, int]
ONE = "# One\n\n" + "\n\n".join(f"## Part {i}\n\nThe text of part {i}." for i in range(5))
TWO = "# Two\n\nA text of its own."


class IndexedStore:
    """An index of texts by source; each run returns (added, deleted, skipped)."""

    def __init__(self, *, is_async: bool) -> None:
        self.is_async = is_async
        self.records = InMemoryRecordManager(namespace="t")
        self.records.create_schema()
        self.store = InMemoryVectorStore(DeterministicFakeEmbedding(size=4))

    def run(self, texts: dict[str, str], **options: Any) -> Counts:  # noqa: ANN401 - of the framework
        """Index the chunks of all texts."""
        sources = [Document(text, metadata={"source": key}) for key, text in texts.items()]
        made = section_splitter().split_documents(sources)
        options = {"source_id_key": "source", "key_encoder": "sha256", "batch_size": 100, **options}
        if self.is_async:
            result = asyncio.run(aindex(made, self.records, self.store, **options))
        else:
            result = index(made, self.records, self.store, **options)
        return result["num_added"], result["num_deleted"], result["num_skipped"]

    @property
    def sources(self) -> list[str]:
        """The source of each stored chunk, sorted."""
        return sorted(kept["metadata"]["source"] for kept in self.store.store.values())


@pytest.fixture(params=[False, True], ids=["index", "aindex"])
def indexed_store(request: pytest.FixtureRequest) -> IndexedStore:
    return IndexedStore(is_async=request.param)


def test_indexing_the_same_text_again_skips_all_chunks(indexed_store: IndexedStore) -> None:
    assert indexed_store.run({"a": ONE}, cleanup=None) == (5, 0, 0)
    assert indexed_store.run({"a": ONE}, cleanup=None) == (0, 0, 5)


@pytest.mark.parametrize("size", [1, 2, 100])
def test_removed_chunks_of_a_source_are_deleted(indexed_store: IndexedStore, size: int) -> None:
    """LangChain cleans up per batch; a batch with the whole source skips unchanged chunks."""
    options = {"cleanup": "incremental", "batch_size": size}
    indexed_store.run({"a": ONE, "b": TWO}, **options)
    new = ONE.replace("part 3.", "part 3, changed.")
    counts = indexed_store.run({"a": new}, **options)
    assert size < 5 or counts == (1, 1, 4)
    assert indexed_store.sources == ["a"] * 5 + ["b"]
    assert "changed" in str(indexed_store.store.store)
    assert "part 3." not in str(indexed_store.store.store)


def test_only_full_cleanup_deletes_a_source_that_is_not_given(indexed_store: IndexedStore) -> None:
    indexed_store.run({"a": ONE, "b": TWO}, cleanup="full")
    assert indexed_store.run({"a": ONE}, cleanup="incremental") == (0, 0, 5)
    assert indexed_store.run({"a": ONE}, cleanup="scoped_full") == (0, 0, 5)
    assert indexed_store.run({"a": ONE}, cleanup="full") == (0, 1, 5)
    assert indexed_store.sources == ["a"] * 5


def test_a_forced_update_adds_and_skips_no_chunks(indexed_store: IndexedStore) -> None:
    indexed_store.run({"a": ONE}, cleanup="incremental")
    assert indexed_store.run({"a": ONE}, cleanup="incremental", force_update=True) == (0, 0, 0)
    assert len(indexed_store.sources) == 5


def test_sections_with_equal_heading_and_text_are_stored_separately(
    indexed_store: IndexedStore,
) -> None:
    """Documents that are equal would be stored once; the chunk id distinguishes these."""
    text = "# One\n\n" + "## Part\n\nThe same.\n\n" * 3
    assert indexed_store.run({"a": text}, cleanup="incremental") == (3, 0, 0)
    assert indexed_store.run({"a": text}, cleanup="incremental") == (0, 0, 3)


# ------------------------------------------ core: indexing/test_hashed_document.py


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
    [keys] = outputs_of_two_processes(code)
    assert keys.count("'") == 4  # of two chunks


# ------------------------------------------ core: document_loaders/test_base.py


class LazyLoader(BaseLoader):
    """A loader that yields documents one by one."""

    def lazy_load(self) -> Iterator[Document]:
        """The documents."""
        yield Document(ONE, metadata={"source": "a"})
        yield Document(TWO, metadata={"source": "b"})


class EagerLoader(BaseLoader):
    """A loader that returns all documents at once, like older loaders."""

    def load(self) -> list[Document]:
        """The documents."""
        return list(LazyLoader().lazy_load())


@pytest.mark.parametrize("loader", [LazyLoader(), EagerLoader()])
def test_documents_of_lazy_and_eager_loaders_are_split(loader: BaseLoader) -> None:
    split: Callable[[Sequence[Document]], list[Document]] = section_splitter().split_documents
    made = loader.load_and_split(section_splitter())
    assert [document.metadata["source"] for document in made] == ["a"] * 5 + ["b"]
    assert made == split(loader.load()) == split(list(loader.lazy_load()))
    assert made == split(asyncio.run(loader.aload()))
