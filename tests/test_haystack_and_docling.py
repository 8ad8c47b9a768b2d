"""The components for Haystack and docling, in their pipelines; skipped if one is missing."""

import json
from dataclasses import replace
from typing import Any

import pytest
from case_files import case_file
from langchain_core.documents import Document as Other
from pydantic import ValidationError

from treepack import PackConfig, Source, TreepackTextSplitter, pack, parse
from treepack.readers.docling import read_docling

MANUAL = (
    "# Pump\n\nIt pumps.\n\n## 1 Limits\n\nSee 2.\n\n| Quantity | Limit |\n|---|---|\n"
    + "".join(f"| Pressure {n} | {n} bar |\n" for n in range(60))
    + "\n## 2 Tests\n\n"
    + "Each pump is tested before it leaves the works. " * 40
)
LIMITS: dict[str, Any] = {"max_tokens": 128, "target_tokens": 128}


def count_characters(text: str) -> int:
    return len(text)


# -------------------------------------------------------------------- Haystack


def haystack() -> tuple[Any, Any]:
    """Return Haystack's class of documents, and the splitter; skip the test without Haystack."""
    document = pytest.importorskip("haystack").Document
    from treepack.integrations.haystack import TreepackSplitter  # noqa: PLC0415 - may be missing

    return document, TreepackSplitter


def allow_modules(*modules: str) -> None:
    """Let saved pipelines load these modules; older Haystack versions load any module."""
    serialization = pytest.importorskip("haystack.core.serialization")
    for module in modules:
        getattr(serialization, "allow_deserialization_module", str)(module)


def test_haystack_documents_have_the_chunks_and_metadata_of_the_other_adapters() -> None:
    document, splitter_of = haystack()
    meta = {"file_path": "pump.md", "author": "A"}
    made = splitter_of(**LIMITS).run([document(content=MANUAL, meta=meta)])["documents"]
    expected = pack(MANUAL, PackConfig(**LIMITS))
    assert [each.content for each in made] == [chunk.text for chunk in expected]
    splitter = TreepackTextSplitter(chunk_size=4096, length_function=None)
    [small] = splitter_of().run([document(content="# A\n\nb", meta=meta)])["documents"]
    [other] = splitter.split_documents([Other("# A\n\nb", metadata=meta)])
    source = small.meta.pop("source_id")
    assert small.meta == other.metadata
    assert small.id == other.metadata["chunk_id"]
    assert source == document(content="# A\n\nb", meta=meta).id


def test_a_haystack_pipeline_runs_and_can_be_saved() -> None:
    document, splitter_of = haystack()
    from haystack import Pipeline  # noqa: PLC0415 - after the skip
    from haystack.components.writers import DocumentWriter  # noqa: PLC0415 - after the skip
    from haystack.document_stores.in_memory import InMemoryDocumentStore  # noqa: PLC0415 - may be missing
    from haystack.document_stores.types import DuplicatePolicy  # noqa: PLC0415 - may be missing

    store = InMemoryDocumentStore()
    pipeline = Pipeline()
    splitter = splitter_of(metadata_mode="native", sections="separate", **LIMITS)
    pipeline.add_component("splitter", splitter)
    pipeline.add_component("writer", DocumentWriter(store, policy=DuplicatePolicy.SKIP))
    pipeline.connect("splitter.documents", "writer.documents")
    documents = [document(content=MANUAL, meta={"file_path": "pump.md"})]
    first = pipeline.run({"splitter": {"documents": documents}})
    count = first["writer"]["documents_written"]
    assert store.count_documents() == count > 5
    found = store.filter_documents(
        {"field": "meta.heading_2", "operator": "==", "value": "1 Limits"}
    )
    assert len(found) > 2
    assert all("1" in each.meta["clauses_list"] for each in found)
    saved = pipeline.dumps()
    again = Pipeline.loads(saved)
    assert again.dumps() == saved
    run = again.get_component("splitter").run(documents)["documents"]
    assert [each.id for each in run] == [each.id for each in splitter.run(documents)["documents"]]
    assert pipeline.run({"splitter": {"documents": documents}})["writer"]["documents_written"] == 0


def test_a_saved_haystack_splitter_keeps_its_function_and_levels() -> None:
    document, splitter_of = haystack()
    allow_modules(__name__)
    splitter = splitter_of(levels=(2000, 300), encoding=count_characters)
    again = splitter_of.from_dict(json.loads(json.dumps(splitter.to_dict())))
    given = [document(content=MANUAL, meta={"file_path": "pump.md"})]
    assert again.run(given) == splitter.run(given)
    made = splitter.run(given)
    parents = {each.meta["chunk_id"] for each in made["parents"]}
    assert parents
    assert {each.meta["parent_id"] for each in made["documents"]} <= parents
    assert all(len(each.content) <= 300 for each in made["documents"])


def test_haystack_joins_pages_and_puts_the_breadcrumb_before_the_text() -> None:
    document, splitter_of = haystack()
    pages = [
        document(content="# Floors\n\nThe floor shall", meta={"file_path": "a.pdf", "page": 1}),
        document(content="carry 80 kg.\n\nMore.", meta={"file_path": "a.pdf", "page": 2}),
    ]
    [made] = splitter_of().run(pages)["documents"]
    assert "shall\ncarry" in made.content
    assert (made.meta["page_start"], made.meta["page_end"]) == (1, 2)
    splitter = splitter_of(embed_breadcrumb=True, **LIMITS)
    [*_, last] = splitter.run([document(content=MANUAL)])["documents"]
    assert last.content.startswith("Pump > 2 Tests\n\n")
    given = [document(content="# A\n\nb", meta={"n": n}) for n in (1, 2)]
    one, two = splitter_of().run(given)["documents"]
    assert one.id != two.id, "documents without a name"


@pytest.mark.parametrize(
    ("given", "message"),
    [("text", "a list of Documents"), (["text"], "not str"), ([None], "not NoneType")],
)
def test_the_haystack_splitter_rejects_invalid_documents_and_settings(
    given: Any,  # noqa: ANN401 - wrong on purpose
    message: str,
) -> None:
    document, splitter_of = haystack()
    with pytest.raises(TypeError, match=message):
        splitter_of().run(given)
    with pytest.raises(TypeError, match="has no text"):
        splitter_of().run([document(content=None)])
    with pytest.raises(ValueError, match="max_tokens"):
        splitter_of(max_token=3)


# -------------------------------------------------------------------- docling


def chunker_of(**settings: Any) -> Any:  # noqa: ANN401 - docling's
    from treepack.integrations.docling import TreepackChunker  # noqa: PLC0415 - may be missing

    return TreepackChunker(config=PackConfig(**LIMITS), **settings)


def docling_document() -> Any:  # noqa: ANN401 - docling's
    types = pytest.importorskip("docling_core.types.doc")
    return types.DoclingDocument.model_validate(case_file("texts/docling.json"))


def test_the_docling_chunker_gives_the_chunks_of_the_docling_reader() -> None:
    document = docling_document()
    chunker = chunker_of()
    made = list(chunker.chunk(document))
    source = read_docling(document.export_to_dict(), "pump")
    expected = pack(parse(source), PackConfig(**LIMITS))
    assert [each.text for each in made] == [chunk.text for chunk in expected]
    assert [chunker.contextualize(each) for each in made] == [c.embed_text for c in expected]
    assert [each.meta.chunk_id for each in made] == [chunk.id for chunk in expected]
    [table] = {item.self_ref for item in made[1].meta.doc_items}
    assert table == "#/tables/0"
    assert made[1].meta.headings == ["Pump", "1 Limits"]
    assert made[1].meta.chunk_metadata["clauses_list"] == ["1"]
    held = {item.self_ref for each in made for item in each.meta.doc_items}
    assert held == {*(f"#/texts/{at}" for at in range(6)), "#/tables/0"}


def test_empty_docling_groups_lose_no_chunk() -> None:
    types = pytest.importorskip("docling_core.types.doc")
    document = types.DoclingDocument(name="pump")
    document.add_inline_group()
    inner = document.add_inline_group(parent=document.add_inline_group())
    document.add_text(types.DocItemLabel.TEXT, "Inside.", parent=inner)
    items = document.add_list_group()
    document.add_list_item("", marker="(a)", parent=items)
    document.add_list_group()
    made = [each.text for each in chunker_of().chunk(document)]
    expected = pack(read_docling(document.export_to_dict(), "pump"), PackConfig(**LIMITS))
    assert "".join(made) == "Inside.\n\n- (a)"
    assert made == [chunk.text for chunk in expected]


def test_the_docling_chunker_raises_an_error_for_a_chunk_without_items(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Docling's metadata requires an item, and the reader gives one to each block."""
    document = docling_document()
    from treepack.integrations import docling  # noqa: PLC0415 - after the skip

    def without_origins(*given: Any) -> Source:  # noqa: ANN401 - passed on
        return replace(read_docling(*given), origins=())

    monkeypatch.setattr(docling, "read_docling", without_origins)
    with pytest.raises(ValidationError, match="doc_items"):
        list(chunker_of().chunk(document))


def test_the_docling_chunker_and_its_chunks_can_be_saved() -> None:
    document = docling_document()
    from docling_core.transforms.chunker import HierarchicalChunker  # noqa: PLC0415 - may be missing

    chunker, own = chunker_of(links="keep"), HierarchicalChunker()
    again = type(chunker).model_validate_json(chunker.model_dump_json())
    assert list(again.chunk(document)) == list(chunker.chunk(document))
    [*_, last] = chunker.chunk(document)
    assert "[all tests](https://e.x/tests)" in last.text
    exported = json.loads(json.dumps(last.export_json_dict()))
    assert exported["meta"]["headings"] == ["Pump", "2 Tests"]
    theirs = next(iter(own.chunk(document)))
    assert chunker.contextualize(theirs) == own.contextualize(theirs), "as docling does"
