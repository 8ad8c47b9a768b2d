"""Scenarios of LangChain's tests of its loaders and index, for treepack.

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
from processes import outputs_here_and_elsewhere

from treepack import TreepackTextSplitter


def section_splitter(**more: Any) -> TreepackTextSplitter:  # noqa: ANN401 - settings
    """One document for each heading, as `MarkdownHeaderTextSplitter` gives."""
    return TreepackTextSplitter(512, min_size=0, sections="separate", **more)


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
    [keys] = outputs_here_and_elsewhere(code)
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
