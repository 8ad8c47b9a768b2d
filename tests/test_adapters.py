"""What the adapters share: the metadata of a chunk, pages, and texts that look like paths.

The record that fills every field is made by hand.
"""

import re
from typing import Any, cast

import pytest
from acts import act
from case_files import case_file
from langchain_core.documents import Document as LangDocument
from llama_index.core import Document
from llama_index.core.schema import TextNode

from treepack import Chunk, TreepackNodeParser, TreepackTextSplitter, pack, parse
from treepack import Document as Parsed
from treepack.clauses.clause import NO_CLAUSES
from treepack.clauses.walk import find_clauses
from treepack.integrations.metadata import (
    KEYS,
    DocumentName,
    MetadataStyle,
    OwnMetadataWarning,
    chunk_metadata,
    headings_above,
    inherited_metadata,
    label_of,
)

TEXT = "# Act\n\n## Duties\n\nThe controller shall notify.\n"


def chunk_with_all_fields() -> tuple[Chunk, Parsed]:
    """A record with a value in each field, and its document."""
    document = parse(TEXT)
    [chunk] = pack(document)
    return Chunk.model_validate(chunk.model_dump() | case_file("adapters/fields.json")), document


def metadata_of(chunk: Chunk, document: Parsed, **style: Any) -> dict[str, Any]:  # noqa: ANN401 - style
    clauses = find_clauses(document)
    label = label_of(chunk, document, clauses)
    return chunk_metadata(chunk, label, clauses, DocumentName(), MetadataStyle(**style))


# -------------------------------------------------------------------- the mapping


def test_every_field_of_a_chunk_has_its_metadata_key() -> None:
    chunk, document = chunk_with_all_fields()
    full = metadata_of(chunk, document, mode="full")
    lean = metadata_of(chunk, document)
    further = {"breadcrumb_json", "clauses_json", "references_json", "table_row_count"}
    assert lean == {key: value for key, value in full.items() if key not in further}
    assert full == case_file("adapters/full.json") | {"chunk_id": chunk.id}
    native = metadata_of(chunk, document, mode="native")
    assert native["breadcrumb_list"] == ["Act", "Duties"]
    assert native["kinds"] == ["text", "table"]
    assert native["references_list"] == ["5.1"]
    assert set(native) <= KEYS
    [plain] = pack("plain")
    uniform = metadata_of(plain, parse("plain"), mode="uniform")
    assert (uniform["breadcrumb"], uniform["clause"], uniform["table_row_start"]) == ("", "", -1)
    assert set(uniform) == set(metadata_of(chunk, document, mode="uniform"))


LAW = act(5, long=7, times=100, point="(a) Each year.")
"""Articles 1 to 15 in three chapters; the text of Article 7 is longer than some caps."""


Made = list[tuple[str, dict[str, Any]]]


def texts_and_metadata(mode: str, text: str = LAW, **settings: Any) -> list[Made]:  # noqa: ANN401 - any
    """Texts and metadata of the chunks, for both adapters."""
    given: Any = {"metadata_mode": mode, **settings}
    nodes = TreepackNodeParser(**given)([Document(text=text)])
    documents = TreepackTextSplitter(**given).create_documents([text])
    return [
        [(node.get_content(), node.metadata) for node in nodes],
        [(document.page_content, document.metadata) for document in documents],
    ]


@pytest.mark.parametrize("size", [1024, 200, 80])
def test_clauses_list_finds_all_chunks_of_an_article_or_chapter(size: int) -> None:
    """``clauses_list`` finds them, whether they share a chunk or are split over several."""
    for made in texts_and_metadata("native", chunk_size=size):
        for number in range(1, 16):
            found = [text for text, data in made if str(number) in data.get("clauses_list", ())]
            assert found
            assert f"Article {number} " in found[0]
            assert sum(f"The operator shall do {number}." in text for text in found) == 1
            heads = [text for text, _ in made if f"Article {number} " in text]
            assert set(heads) <= set(found)
        chapter = [text for text, data in made if "Chapter II" in data.get("clauses_list", ())]
        for number in range(6, 11):
            assert any(f"shall do {number}." in text for text in chapter)
        assert not any("shall do 5." in t or "shall do 11." in t for t in chapter) or size > 200
        pieces = [data["clauses_list"] for text, data in made if "Words are said again" in text]
        assert all({"Chapter II", "7"} <= set(piece) for piece in pieces)


@pytest.mark.parametrize("mode", ["lean", "full", "uniform", "native"])
def test_each_breadcrumb_level_has_its_own_metadata_key(mode: str) -> None:
    """With these keys, a filter that only compares for equality finds what is under a heading."""
    for made in texts_and_metadata(mode, chunk_size=80, sections="separate"):
        for chapter, first in (("I", 1), ("II", 6), ("III", 11)):
            under = [text for text, data in made if data.get("heading_1") == f"CHAPTER {chapter}"]
            found = [n for n in range(1, 16) if any(f"shall do {n}." in text for text in under)]
            assert found == [*range(first, first + 5)]
        seven = [text for text, data in made if data.get("heading_2") == "Article 7 — Duty"]
        assert len(seven) > 3
        about_7 = re.compile("said again|do 7\\.").search
        assert [*filter(about_7, (text for text, _ in made))] == [*filter(about_7, seven)]


@pytest.mark.parametrize("mode", ["lean", "full", "uniform", "native"])
def test_metadata_values_have_types_that_vector_stores_accept(mode: str) -> None:
    """Values are plain; in native mode, non-empty lists of strings are allowed as well."""
    both = texts_and_metadata(mode, LAW + "\n| A | B |\n|---|---|\n| see 5.1 | x |\n")
    for value in (value for made in both for _, data in made for value in data.values()):
        if mode == "native" and isinstance(value, list):
            assert {type(item) for item in cast("list[object]", value)} == {str}
        else:
            assert isinstance(value, str | int | float | bool)


@pytest.mark.parametrize("size", [1024, 200, 80])
def test_clause_and_breadcrumb_metadata_agree(size: int) -> None:
    """If the breadcrumb continues through bare headings down to an article, the clause does too."""
    for made in texts_and_metadata("full", chunk_size=size):
        for _, data in made:
            last = data.get("breadcrumb", "").rpartition(" > ")[2]
            if match := re.match(r"Article (\d+)", last):
                assert re.fullmatch(rf"{match[1]}(\(.+)?", data["clause"]), data
            elif match := re.fullmatch("CHAPTER (.+)", last):
                assert data["clause"] == f"Chapter {match[1]}"
    for made in texts_and_metadata("full", chunk_size=size, clauses=False):
        assert not any({"clause", "clauses_json"} & set(data) for _, data in made)


@pytest.mark.parametrize("text", ["plain", LAW, "| a |\n|---|\n| b |\n", "a\n\n# B"])
def test_every_chunk_has_an_id_kinds_and_a_citation(text: str) -> None:
    for made in texts_and_metadata("lean", text):
        for _, metadata in made:
            assert all(metadata[key] for key in ("chunk_id", "kinds", "citation"))


def test_a_documents_own_keys_stay_and_treepacks_go_elsewhere() -> None:
    """Nothing that the user wrote is lost; the warning says so once."""
    own: dict[str, Any] = {"citation": "mine", "clause": 7}
    message = "own citation, clause stays; treepack's is under treepack_"
    parser, splitter = TreepackNodeParser(), TreepackTextSplitter(512)
    with pytest.warns(OwnMetadataWarning, match=message) as caught:
        nodes = parser([Document(text=LAW, metadata=own)])
    assert len(caught) == 1
    with pytest.warns(OwnMetadataWarning, match=message):
        documents = splitter.create_documents([LAW], [own])
    for metadata in [each.metadata for each in nodes] + [each.metadata for each in documents]:
        assert own.items() <= metadata.items()
        assert metadata["treepack_citation"]
    again = splitter.split_documents(documents)  # no warning: it knows its own keys
    assert all(own.items() <= each.metadata.items() for each in again)
    assert [each.page_content for each in again] == [each.page_content for each in documents]


@pytest.mark.parametrize(
    ("text", "breadcrumb"),
    [
        (TEXT, ("Act", "Duties")),
        ("# Act\n\nIntro.\n\n## Duties\n\nx\n", ("Act",)),
        ("# Act\n\n## One\n\nx\n\n## Two\n\ny\n", ("Act",)),
        ("# A > B\n\n## C\n\nx\n", ("A > B", "C")),
    ],
)
def test_the_breadcrumb_continues_through_bare_headings_to_the_section_with_text(
    text: str, breadcrumb: tuple[str, ...]
) -> None:
    document = parse(text)
    [chunk] = pack(document, sections="pack")
    assert label_of(chunk, document, NO_CLAUSES).breadcrumb == breadcrumb


def test_a_chunk_split_again_inherits_only_source_pages_and_headings() -> None:
    chunk, document = chunk_with_all_fields()
    metadata = {"source": "a", **metadata_of(chunk, document)}
    assert inherited_metadata(metadata) == {"source": "a", "page_start": 7, "page_end": 8}
    assert inherited_metadata({"clause": "mine"}) == {"clause": "mine"}
    for mode in ("lean", "native"):
        metadata = metadata_of(chunk, document, mode=mode)
        assert headings_above(metadata, parse(chunk.text)) == ()
        assert headings_above(metadata, parse("The controller shall notify.")) == ("Act", "Duties")
        assert headings_above(metadata, parse("## Duties\n\nThe")) == ("Act",)


# -------------------------------------------------------------------- texts are not paths


@pytest.mark.parametrize("text", ["notes.md", "docs/nope.docx", "/etc/motd.txt", "a.pdf"])
def test_document_text_is_never_taken_for_a_path(text: str) -> None:
    """It comes from a store or a loader, so a text that looks like a path is not a mistake."""
    parser, splitter = TreepackNodeParser(), TreepackTextSplitter()
    for metadata in ({}, {"file_path": text, "source": text}):
        [node] = parser([Document(text=text, metadata=metadata)])
        [created] = splitter.create_documents([text], [metadata])
        documents = [LangDocument(text, metadata=metadata)]
        [split] = splitter.split_documents(documents)
        assert node.get_content() == created.page_content == split.page_content == text
        assert splitter.split_with_parents(documents)[0]
    assert parser([TextNode(text=text)])
    assert parser.split_text(text) == splitter.split_text(text) == [text]
    assert parser.split_text_metadata_aware(text, "a: b") == [text]
