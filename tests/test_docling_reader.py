"""DoclingDocument JSON: order, levels, lists, tables, captions, pages; contradictory input."""

import json
from typing import Any

import pytest
from case_files import case_table
from docling_documents import Doc, cell, reference
from function_calls import assert_linear

from treepack import SourceError, pack
from treepack.errors import LeftOutWarning
from treepack.readers.docling import read_docling


def test_a_table_with_far_more_places_than_cells_keeps_all_texts() -> None:
    doc = Doc()
    doc.table([["A"]])["data"]["table_cells"] = [cell(f"<{at}>", at, at) for at in range(400)]
    text = doc.markdown()
    assert text.count(">") == 400
    assert len(text) < 20_000


def test_huge_spans_are_read_with_linear_work() -> None:
    def spans(count: int) -> str:
        doc = Doc()
        table = doc.table([["x"] * 30 for _ in range(count)])
        table["data"]["table_cells"].reverse()
        for table_cell in table["data"]["table_cells"]:
            table_cell.update(end_row_offset_idx=10**9, end_col_offset_idx=10**9)
        return doc.markdown()

    assert_linear(spans, 20)


def test_every_chunk_has_the_pages_of_its_provenance() -> None:
    doc = Doc()
    for page in (1, 2, 3):
        doc.header(f"{page} Section", page=page)
        for _ in range(4):
            doc.text("Words of a sentence. " * 60, page=page)
    chunks = pack(read_docling(doc.record, "a"))
    assert len(chunks) > 3
    for chunk in chunks:
        assert list(chunk.pages) == sorted({int(name) for name in chunk.breadcrumb[-1][:1]})


def test_a_text_across_two_pages_has_both_page_marks() -> None:
    source = read_docling(case_table("docling_reader", "pages"), "a")
    assert [source.text[offset:][:6] for offset, _ in source.page_marks] == ["before", "second"]
    assert [page for _, page in source.page_marks] == [1, 2]


def test_origins_are_references_and_boxes_whose_page_and_sides_are_known() -> None:
    with pytest.warns(LeftOutWarning, match="a: the page number -1 is left out, and any other not"):
        source = read_docling(case_table("docling_reader", "boxes"), "a")
    boxes = '[{"page": 7, "bbox": [1.0, 9.5, 3.0, 4.0], "origin": "BOTTOMLEFT"}]'
    assert source.origins == ((0, "docling:#/texts/0"), (5, f"docling:#/texts/1 {boxes}"))


def test_a_json_file_gives_the_same_source_as_its_dict() -> None:
    doc = Doc()
    doc.item(doc.group(), "One")
    table = doc.table([["A"], [""]])
    group = doc.group("unspecified", {})
    doc.text("Rich", group)
    table["data"]["table_cells"][1]["ref"] = reference(group)
    data = json.dumps(doc.record, indent=2).encode()
    source = read_docling(data, "a.json")
    assert source == read_docling(doc.record, "a.json")
    assert source.metadata == {"filename": "a.pdf", "mimetype": "application/pdf"}
    # ``model_dump_json()`` writes ``cref``
    assert source == read_docling(data.replace(b'"$ref"', b'"cref"'), "a.json")
    assert "Rich" in source.text


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (b'{"a": "\xff"}', "not valid JSON, .* position 7"),
        (b"[" * 100_000, "nested too deep"),
        (b"1" * 10_000, "not valid JSON|should be an object"),
        *[(data, "should be an object") for data in ("x", None)],
    ],
    ids=range(5),
)
def test_what_is_no_document_is_rejected(given: Any, message: str) -> None:  # noqa: ANN401 - anything
    with pytest.raises(SourceError, match=f"bad.json: cannot read as Docling.*({message})"):
        read_docling(given, "bad.json")


def test_items_nested_too_deeply_are_rejected() -> None:
    doc = Doc()
    group = doc.group()
    for _ in range(105):
        group = doc.group("section", group)
    with pytest.raises(SourceError, match="#/groups/100: items are nested deeper than 100"):
        doc.markdown()
