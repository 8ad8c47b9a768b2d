"""Pages from loaders become one text, whose chunks know their pages and where they begin."""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import pytest
from case_files import case_file
from langchain_core.documents import Document as Page
from llama_index.core import Document as Doc
from llama_index.core.embeddings import MockEmbedding
from llama_index.core.ingestion import DocstoreStrategy, IngestionPipeline
from llama_index.core.schema import BaseNode, ImageNode, MetadataMode, NodeRelationship, TextNode
from llama_index.core.storage.docstore import SimpleDocumentStore
from llama_index.core.vector_stores import SimpleVectorStore

from treepack import SourceError, TreepackNodeParser, TreepackTextSplitter, parse
from treepack.integrations.pages import is_element, page_numbers, runs_of_pages
from treepack.model.blocks import Paragraph
from treepack.model.pages import stitch
from treepack.model.source import Source
from treepack.tokens import token_counter

WORDS = "The pump stands on a level floor and runs by day. " * 4
WALLS = "A wall stands two metres from the pump, so that it can be reached. " * 6
TEXTS = (
    f"# Pumps\n\n{WORDS}\n\n## Floors\n\nThe floor shall",
    f"carry 80 kg. {WORDS}\n\n## Walls\n\n{WALLS}",
    f"{WALLS}\n\n{WORDS}",
)
PAGES = case_file("adapters/pages.json")


def page_of(loader: str, number: int, **more: object) -> dict[str, Any]:
    """Return the metadata of a page as a loader writes it."""
    own = {"page": number, "page_label": str(number + 1)}
    return {**{key: own.get(key, each) for key, each in PAGES["loaders"][loader].items()}, **more}


pypdf, directory = partial(page_of, "pypdf"), partial(page_of, "directory")


def langchain_pages(texts: Sequence[str] = TEXTS, metadata_of: Any = pypdf) -> list[Page]:  # noqa: ANN401 - how a loader writes pages
    return [Page(text, metadata=metadata_of(number)) for number, text in enumerate(texts)]


def llama_documents(texts: Sequence[str] = TEXTS, metadata_of: Any = directory) -> list[Doc]:  # noqa: ANN401 - how a loader writes pages
    hidden = ["file_name", "file_type", "file_size"]
    keys = {"excluded_embed_metadata_keys": hidden, "excluded_llm_metadata_keys": hidden}
    return [
        Doc(text=text, id_=f"a_part_{number}", metadata=metadata_of(number), **keys)
        for number, text in enumerate(texts)
    ]


def run_lengths(records: Sequence[dict[str, Any]], *, merge: Any = "auto") -> list[int]:  # noqa: ANN401 - a setting
    return [len(run.items) for run in runs_of_pages(records, lambda item: item, merge)]


@pytest.mark.parametrize("kind", PAGES["runs"])
def test_only_whole_pages_of_a_loader_in_order_are_merged(kind: str) -> None:
    loader, pages, lengths = PAGES["runs"][kind]
    records = [
        page_of(loader, page) if isinstance(page, int) else page_of(loader, 0, **page)
        for page in pages
    ]
    assert run_lengths(records) == lengths
    assert kind != "pieces of pages" or run_lengths(records, merge=True) == [3]


def test_page_numbers_of_a_file_are_all_labels_or_all_indexes() -> None:
    for printed, numbers in ((("7", "8"), [7, 8]), (("iv", "1"), [0, 1]), (("2", "1"), [0, 1])):
        records = [pypdf(at, page_label=label) for at, label in enumerate(printed)]
        assert page_numbers(records) == numbers
    assert page_numbers([{"page_label": "iv"}, {"page_label": "1"}]) == [1, 2]


def test_a_paragraph_that_continues_on_the_next_page_is_one_paragraph() -> None:
    [single] = TreepackTextSplitter(96).split_documents(langchain_pages(["One page."]))
    assert (single.metadata["page_start"], single.metadata["page_end"]) == (1, 1)
    stitched = stitch(["The floor\n", "carries it.\n\nNext", "Another"], [4, 5, 6])
    document = parse(Source(stitched.text, page_marks=stitched.marks))
    kinds = [type(block) for section in document.root.walk() for block in section.blocks]
    assert kinds == [Paragraph, Paragraph, Paragraph]
    assert [page for _, page in document.source.page_marks] == [4, 5, 6]


@pytest.mark.parametrize(("before", "after", "between"), PAGES["joined"])
def test_a_sentence_continues_with_a_lower_case_letter(
    before: str, after: str, between: str
) -> None:
    assert stitch([before, after], [1, 2]).text == before + between + after


def test_a_page_without_text_does_not_split_a_paragraph() -> None:
    texts = ["The floor shall", " \n", "carry 80 kg.\n", ""]
    [made] = TreepackTextSplitter(add_start_index=True).split_documents(langchain_pages(texts))
    assert made.page_content == "The floor shall\ncarry 80 kg."
    assert (made.metadata["page_start"], made.metadata["page_end"]) == (1, 3)
    assert made.metadata["start_index"] == 0
    assert stitch(texts, [1, 2, 3, 4]).marks == ((0, 1), (16, 3))


def test_a_chunk_after_empty_pages_begins_on_its_own_page() -> None:
    texts = ["", "# One", "\n", "\n# Two\n"]
    splitter = TreepackTextSplitter(add_start_index=True, sections="separate", min_size=0)
    made = splitter.split_documents(langchain_pages(texts))
    places = [(d.metadata["page_label"], d.metadata["start_index"]) for d in made]
    assert places == [("2", 0), ("4", 1)]


@pytest.mark.parametrize("loader", ["pypdf", "pymupdf", "directory"])
def test_a_section_may_continue_on_the_next_page(loader: str) -> None:
    pages = langchain_pages(metadata_of=partial(page_of, loader))
    made = TreepackTextSplitter(96).split_documents(pages)
    assert any("The floor shall\ncarry 80 kg." in chunk.page_content for chunk in made)
    assert made[-1].metadata["breadcrumb"] == "Pumps > Walls"


def test_a_chunk_has_the_metadata_of_the_page_on_which_it_begins() -> None:
    pages = langchain_pages()
    made = TreepackTextSplitter(96, add_start_index=True).split_documents(pages)
    assert len(made) > 3
    for chunk in made:
        page = pages[chunk.metadata["page"]]
        assert chunk.metadata.items() >= page.metadata.items()
        assert chunk.metadata["page_start"] == int(page.metadata["page_label"])
        assert chunk.metadata["page_end"] - chunk.metadata["page_start"] in (0, 1)
        own = page.page_content[chunk.metadata["start_index"] :].rstrip()
        assert chunk.page_content.startswith(own[:40])
    assert any(chunk.metadata["page_end"] > chunk.metadata["page_start"] for chunk in made)


def test_chunks_of_one_page_do_not_share_metadata() -> None:
    pages = langchain_pages(metadata_of=lambda number: {**pypdf(number), "tags": ["x"]})
    first, second, *_ = TreepackTextSplitter(64, merge_pages="auto").split_documents(pages)
    first.metadata["tags"].append("y")
    assert (second.metadata["tags"], pages[0].metadata["tags"]) == (["x"], ["x"])


def test_merge_false_keeps_pages_separate() -> None:
    apart = TreepackTextSplitter(96, merge_pages=False)
    pages = langchain_pages()
    alone = [chunk for page in pages for chunk in apart.split_documents([page])]
    together = apart.split_documents(pages)  # ids are unique within a call
    texts = [[(each.page_content, each.metadata) for each in made] for made in (alone, together)]
    assert texts[0] == texts[1]
    assert not any("page_start" in chunk.metadata for chunk in alone)
    documents = llama_documents()
    nodes = [node.text for one in documents for node in nodes_of([one], merge_pages=False)]
    assert [node.text for node in nodes_of(documents, merge_pages=False)] == nodes


def test_create_documents_merges_pages_like_split_documents() -> None:
    splitter = TreepackTextSplitter(96)
    pages = langchain_pages()
    texts, records = [page.page_content for page in pages], [page.metadata for page in pages]
    assert splitter.create_documents(texts, records) == splitter.split_documents(pages)


def test_chunks_and_nodes_that_were_split_before_are_not_merged_again() -> None:
    splitter = TreepackTextSplitter(96)
    once = splitter.split_documents(langchain_pages())
    again = splitter.split_documents(once)
    assert [c.page_content for c in again] == [c.page_content for c in once]
    nodes = [
        TextNode(
            text=f"piece {number}",
            metadata=page.metadata,
            relationships={NodeRelationship.SOURCE: page.as_related_node_info()},
        )
        for number, page in enumerate(llama_documents())
    ]
    made = TreepackNodeParser(chunk_size=128)(nodes)
    assert [node.get_content() for node in made] == ["piece 0", "piece 1", "piece 2"]


@pytest.mark.parametrize("wrong", ["always", "Auto", None, "true", 2])
@pytest.mark.parametrize("adapter", [TreepackTextSplitter, TreepackNodeParser])
def test_an_invalid_merge_pages_value_is_rejected(adapter: Any, wrong: object) -> None:  # noqa: ANN401 - either adapter
    with pytest.raises(ValueError, match=r"merge_pages(?s:.)*'auto'.*True.*False"):
        adapter(merge_pages=wrong)


def nodes_of(documents: Sequence[Doc], size: int = 128, **settings: Any) -> list[TextNode]:  # noqa: ANN401 - settings
    nodes = TreepackNodeParser(chunk_size=size, **settings)(documents)
    return [node for node in nodes if isinstance(node, TextNode)]


def test_a_node_refers_to_the_document_in_which_it_begins() -> None:
    documents = llama_documents()
    by_id = {document.id_: document for document in documents}
    nodes = nodes_of(documents)
    for node in nodes:
        document = by_id[str(node.ref_doc_id)]
        source = node.relationships[NodeRelationship.SOURCE]
        assert not isinstance(source, list)
        assert source.hash == document.hash
        assert node.metadata.items() >= document.metadata.items()
        assert node.metadata["page_start"] == int(document.metadata["page_label"])
        assert node.text.startswith(document.text[node.start_char_idx : node.end_char_idx].rstrip())
    assert {node.ref_doc_id for node in nodes} == {*by_id}
    assert any(node.metadata["page_end"] > node.metadata["page_start"] for node in nodes)


def test_nodes_are_linked_across_pages_but_not_across_files() -> None:
    other = Doc(text="# Other\n\nText.", id_="b", metadata={"file_path": "/in/b.md"})
    *nodes, last = nodes_of([*llama_documents(), other])
    for one, two in pairwise(nodes):
        assert one.next_node is not None
        assert two.prev_node is not None
        assert (one.next_node.node_id, two.prev_node.node_id) == (two.node_id, one.node_id)
        assert one.next_node.hash == two.hash
    assert nodes[-1].next_node is None
    assert last.prev_node is None


def test_a_node_id_depends_only_on_its_own_page() -> None:
    """Other pages and their text do not change the id."""
    texts = [f"# {letter}\n\n{WALLS}" for letter in "ABC"]
    alone, together = nodes_of(llama_documents(texts)[1:]), nodes_of(llama_documents(texts))
    assert [node.ref_doc_id for node in alone] == ["a_part_1", "a_part_2"]
    assert [node.node_id for node in alone] == [node.node_id for node in together[1:]]


@pytest.mark.parametrize("label", ["MMDCCCLXXXVIII-viii", "2"])
def test_the_cap_holds_with_the_longest_metadata_of_any_page(label: str) -> None:
    count = token_counter("cl100k_base")
    documents = llama_documents(
        metadata_of=lambda at: directory(at) | {"page_label": (str(at), label, "iv")[at]}
    )
    for node in nodes_of(documents, 64, min_size=16):
        for mode in (MetadataMode.EMBED, MetadataMode.LLM):
            assert count(node.get_content(metadata_mode=mode)) <= 64


def test_a_metadata_key_that_is_too_long_on_one_page_is_named() -> None:
    documents = llama_documents(
        metadata_of=lambda number: {**directory(number), "note": "x y " * 90 * number}
    )
    with pytest.raises(ValueError, match="'note'"):
        nodes_of(documents, 64)


def test_a_picture_between_pages_is_returned_unchanged() -> None:
    """The pages around the picture are still cut."""
    first, second, _ = llama_documents()
    picture = ImageNode(image="aGk=", metadata=directory(1))
    made = TreepackNodeParser(chunk_size=128)([first, picture, second])
    assert [node for node in made if isinstance(node, ImageNode)] == [picture]
    assert [node.get_content() for node in made if node is not picture] == [
        node.text for page in (first, second) for node in nodes_of([page])
    ]


def ingest(store: SimpleDocumentStore, *texts: str) -> list[BaseNode]:
    pipeline = IngestionPipeline(
        transformations=[TreepackNodeParser(chunk_size=128), MockEmbedding(embed_dim=2)],
        docstore=store,
        vector_store=SimpleVectorStore(),
        docstore_strategy=DocstoreStrategy.UPSERTS,
        disable_cache=True,
    )
    return list(pipeline.run(documents=llama_documents(texts)))


@pytest.mark.parametrize(
    ("texts", "edited", "page"),
    [(TEXTS, (*TEXTS[:2], "Other words."), 2),
     (("# A\n\nIt goes", "on and", "on."), ("# A\n\nIt goes", "off and", "on."), 1)],
    ids=["a page", "the middle of a paragraph"],
)  # fmt: skip
def test_only_a_changed_page_is_ingested_again(
    texts: Sequence[str], edited: Sequence[str], page: int
) -> None:
    store = SimpleDocumentStore()
    before = ingest(store, *texts)
    assert texts is not TEXTS or {node.ref_doc_id for node in before} == {
        f"a_part_{number}" for number in range(3)
    }
    assert ingest(store, *texts) == []
    [after] = ingest(store, *edited)
    assert (after.get_content(), after.ref_doc_id) == (edited[page], f"a_part_{page}")
    assert after.node_id not in {node.node_id for node in before}
    assert ingest(store, *edited) == []


def element(number: int, category: str, text: str, page: int, more: dict[str, Any]) -> Page:
    """A document as UnstructuredLoader writes it."""
    file = {"source": "in/a.pdf", "filename": "a.pdf", "languages": ["eng"], "page_number": page}
    own = {"category": category, "element_id": f"e{number}", "coordinates": {"points": number}}
    return Page(text, metadata={**file, **own, **more})


ELEMENTS = [element(number, *each) for number, each in enumerate(PAGES["elements"])]


def test_elements_become_titles_tables_and_lists_with_the_metadata_common_to_all() -> None:
    """Metadata of the first element alone would be wrong for the chunk."""
    assert all(is_element(page.metadata) for page in ELEMENTS)
    made = TreepackTextSplitter(64, min_size=8).split_documents(ELEMENTS)
    assert "Company" not in "".join(chunk.page_content for chunk in made)
    assert made[-1].metadata["breadcrumb"] == "Pumps > Limits"
    assert "| Part | kg |\n| --- | --- |\n| Pump | 80 |" in made[-1].page_content
    assert made[-1].page_content.endswith("- one\n- two")
    assert [chunk.metadata["page_number"] for chunk in made] == [1, 2]
    assert (made[-1].metadata["page_start"], made[-1].metadata["page_end"]) == (2, 3)
    for chunk in made:
        assert chunk.metadata["languages"] == ["eng"]
        assert not {"category", "element_id", "coordinates", "text_as_html"} & {*chunk.metadata}


def test_a_node_of_elements_refers_to_the_element_in_which_it_begins() -> None:
    documents = [
        Doc(text=page.page_content, id_=page.metadata["element_id"], metadata=page.metadata)
        for page in ELEMENTS
    ]
    nodes = nodes_of(documents, 512, sections="separate", min_size=0)
    assert [node.ref_doc_id for node in nodes] == ["e1", "e3"]
    assert [node.start_char_idx for node in nodes] == [None, None]


def test_elements_can_be_read_as_text_or_kept_separate() -> None:
    as_text = TreepackTextSplitter(256, input_format="text").split_documents(ELEMENTS)
    assert as_text[0].page_content.startswith("Company\n\nPumps\n\n")
    apart = TreepackTextSplitter(256, merge_pages=False).split_documents(ELEMENTS)
    assert [chunk.page_content for chunk in apart] == [e.page_content.strip() for e in ELEMENTS]
    assert TreepackTextSplitter().split_documents(ELEMENTS[:1] * 2) == [], "no visible text"


def test_an_invalid_element_is_rejected_with_a_remedy() -> None:
    wrong = [*ELEMENTS, element(7, "Title", "x", 3, {"category_depth": "deep"})]
    with pytest.raises(SourceError, match=r'category_depth.*input_format="text"'):
        TreepackTextSplitter().split_documents(wrong)
