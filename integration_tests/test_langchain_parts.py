"""`TreepackTextSplitter` with LangChain's own parts: loaders, stores, indexing, retrievers."""

import pickle
from pathlib import Path
from typing import Any

import chromadb
import pytest
from langchain_chroma import Chroma
from langchain_classic.indexes import SQLRecordManager
from langchain_classic.retrievers import ParentDocumentRetriever
from langchain_classic.storage import InMemoryStore
from langchain_community.document_loaders import (
    BSHTMLLoader,
    DirectoryLoader,
    PyPDFLoader,
    TextLoader,
)
from langchain_community.vectorstores.utils import filter_complex_metadata
from langchain_core.documents import Document
from langchain_core.indexing import IndexingResult, index
from langchain_core.runnables import RunnableLambda
from langchain_qdrant import QdrantVectorStore
from offline import MANUAL, SIZE, TERMS, LangVectors, files, other_formats, pdf
from qdrant_client import QdrantClient
from qdrant_client.models import Distance, FieldCondition, Filter, MatchValue, VectorParams
from tokenizers import Tokenizer, models
from tokenizers.pre_tokenizers import Whitespace
from transformers import PreTrainedTokenizerFast

from treepack import TreepackTextSplitter

PRESSURE = "Pump manual > 2 Limits > 2.1 Pressure"
QUIET = chromadb.Settings(anonymized_telemetry=False)


def splitter(size: int = 64, **more: Any) -> TreepackTextSplitter:  # noqa: ANN401 - settings
    return TreepackTextSplitter(size, sections="separate", **more)


def chroma(folder: Path) -> Chroma:
    return Chroma("manuals", LangVectors(), persist_directory=str(folder), client_settings=QUIET)


def test_a_folder_is_loaded_split_stored_and_filtered(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    files(folder)
    loader = DirectoryLoader(
        str(folder), "*.md", loader_cls=TextLoader, loader_kwargs={"encoding": "utf-8"}
    )
    made = loader.load_and_split(splitter())
    assert made == splitter().split_documents(loader.load())
    store = chroma(tmp_path / "chroma")
    keys = store.add_documents(made)
    chromadb.api.client.SharedSystemClient.clear_system_cache()
    again = {document.id: document for document in chroma(tmp_path / "chroma").get_by_ids(keys)}
    assert [again[key].metadata for key in keys] == [document.metadata for document in made]
    [found] = store.similarity_search("valve", k=3, filter={"breadcrumb": PRESSURE})
    assert found.page_content.startswith("## 2 Limits\n\n### 2.1 Pressure")


def test_html_and_docling_files_of_a_folder_are_recognised(tmp_path: Path) -> None:
    other_formats(tmp_path)
    loader = DirectoryLoader(
        str(tmp_path), loader_cls=TextLoader, loader_kwargs={"encoding": "utf-8"}
    )
    sources = sorted(loader.load(), key=lambda source: source.metadata["source"])
    hose, *valve = splitter(add_start_index=True).split_documents(sources)
    assert hose.page_content == "# 1 Hose\n\nReplace the hose every five years."
    assert (hose.metadata["page_start"], hose.metadata["page_end"]) == (3, 4)
    assert [document.metadata["breadcrumb"] for document in valve] == [
        "Valve manual > 1 Storage",
        "Valve manual > 2 Opening",
    ]
    assert not [d for d in (hose, *valve) if "start_index" in d.metadata]


def test_html_that_the_loader_has_converted_is_read_as_text(tmp_path: Path) -> None:
    """The metadata still names the page, but the text no longer has tags."""
    other_formats(tmp_path)
    [source] = BSHTMLLoader(
        str(tmp_path / "valve.html"), bs_kwargs={"features": "html.parser"}
    ).load()
    [made] = splitter(add_start_index=True).split_documents([source])
    assert made.page_content == source.page_content.strip()
    start = made.metadata["start_index"]
    assert source.page_content[start:].startswith("Valve manual")


def test_a_transformers_tokenizer_counts_the_tokens() -> None:
    words = models.WordLevel({"[UNK]": 0, "the": 1, "pump": 2}, unk_token="[UNK]")  # noqa: S106 - a word
    own = Tokenizer(words)
    own.pre_tokenizer = Whitespace()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=own, unk_token="[UNK]")  # noqa: S106 - a word
    text_splitter = TreepackTextSplitter.from_huggingface_tokenizer(
        tokenizer, chunk_size=20, target_size=20, embed_breadcrumb=True
    )
    contents = text_splitter.split_text("# A\n\n" + "The pump stands on the floor. " * 20)
    lengths = [len(tokenizer.tokenize(content)) for content in contents]
    assert max(lengths) <= 20
    assert min(lengths) > 10
    again = pickle.loads(pickle.dumps(text_splitter))  # noqa: S301 - ours
    assert again.split_text(MANUAL) == text_splitter.split_text(MANUAL)
    with pytest.raises(ValueError, match="must be one of transformers, not Tokenizer"):
        TreepackTextSplitter.from_huggingface_tokenizer(own)


def test_qdrant_filters_by_items_of_metadata_lists() -> None:
    made = splitter(metadata_mode="native").create_documents([MANUAL])
    client = QdrantClient(":memory:")
    client.create_collection("m", VectorParams(size=SIZE, distance=Distance.COSINE))
    store = QdrantVectorStore(client, "m", LangVectors())
    store.add_documents(made)
    in_limits = Filter(
        must=[FieldCondition(key="metadata.breadcrumb_list[]", match=MatchValue(value="2 Limits"))]
    )
    found = store.similarity_search("bar", k=9, filter=in_limits)
    assert {document.metadata["breadcrumb"] for document in found} == {
        PRESSURE,
        "Pump manual > 2 Limits > 2.2 Temperature",
    }


def test_langchain_filters_out_no_metadata_as_complex() -> None:
    made = splitter().create_documents([MANUAL])
    before = [document.metadata for document in made]
    assert [document.metadata for document in filter_complex_metadata(made)] == before


def test_indexing_again_skips_unchanged_chunks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records = SQLRecordManager("manuals", db_url=f"sqlite:///{tmp_path / 'records.sqlite'}")
    records.create_schema()
    store = chroma(tmp_path / "chroma")

    def run(text: str) -> IndexingResult:
        made = splitter().split_documents([Document(text, metadata={"source": "s"})])
        return index(
            made,
            records,
            store,
            cleanup="incremental",
            source_id_key="source",
            key_encoder="sha256",
            batch_size=1000,
        )

    body = "\n\n".join(f"## Clause {i}\n\nThe text of clause {i} as agreed." for i in range(301))
    first, second = run("# Terms\n\n" + body), run("# Terms\n\n" + body)
    third = run("# Terms\n\n## New\n\nA new clause in front.\n\n" + body)
    with capsys.disabled():
        print(f"\nindex: {first}\nagain: {second}\nclause in front: {third}")  # noqa: T201 - for people, with -s
    assert (first["num_added"], second["num_skipped"], second["num_added"]) == (301, 301, 0)
    assert third["num_added"] <= 3
    assert third["num_deleted"] <= 2
    assert third["num_skipped"] >= 299


def test_the_parent_document_retriever_splits_twice() -> None:
    retriever = ParentDocumentRetriever(
        vectorstore=Chroma("twice", LangVectors(), client_settings=QUIET),
        docstore=InMemoryStore(),
        parent_splitter=splitter(200),
        child_splitter=splitter(48),
        child_metadata_fields=["breadcrumb"],
    )
    retriever.add_documents([Document(MANUAL + "\n" + TERMS, metadata={"source": "a"})])
    found = retriever.invoke("relief valve opens at 18 bar")
    assert found[0].page_content.startswith("## 2 Limits\n\n### 2.1 Pressure")
    assert found[0].metadata["breadcrumb"] == PRESSURE


def test_levels_give_parents_for_the_parent_document_retriever() -> None:
    levels = TreepackTextSplitter(levels=(200, 48), sections="separate")
    retriever = ParentDocumentRetriever(
        vectorstore=Chroma("levels", LangVectors(), client_settings=QUIET),
        docstore=InMemoryStore(),
        child_splitter=levels,
        id_key="parent_id",
    )
    leaves, parents = levels.split_with_parents([Document(TERMS, metadata={"source": "a"})])
    retriever.vectorstore.add_documents(leaves)
    retriever.docstore.mset(parents)
    [found, *_] = retriever.invoke("clause 7 subject 7")
    start, end = TERMS.index("## Clause 7"), TERMS.index("## Clause 8")
    assert found.page_content == TERMS[start:end].strip()
    assert (found.metadata["breadcrumb"], found.metadata["source"]) == ("Terms > Clause 7", "a")


def test_the_pages_of_a_pdf_are_merged_into_one_document(tmp_path: Path) -> None:
    file = tmp_path / "a.pdf"
    file.write_bytes(pdf([["The floor shall"], ["carry at least 80 kg."], ["Last words."]]))
    pages = PyPDFLoader(str(file)).load()
    assert len(pages) == 3
    [made] = splitter().split_documents(pages)
    assert made.page_content == "The floor shall\ncarry at least 80 kg.\n\nLast words."
    assert (made.metadata["page_start"], made.metadata["page_end"]) == (1, 3)


def documents_of(text: str) -> list[Document]:
    return [Document(text)]


def test_the_splitter_can_be_used_in_a_chain() -> None:
    chain = RunnableLambda(documents_of) | RunnableLambda(splitter().split_documents)
    assert chain.invoke(MANUAL) == splitter().create_documents([MANUAL])
