"""Element lists of any parser and of unstructured: sections, tables, lists, figures, pages."""

import base64
import json
import zlib
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest
from case_files import case_table

from treepack import SourceError, audit, pack
from treepack.errors import LeftOutWarning
from treepack.readers.elements import DocumentMetadata, Element, read_elements


def markdown_of(*elements: object) -> str:
    return read_elements(elements, "a").text


def un(kind: str, text: str, **metadata: object) -> dict[str, Any]:
    """An element as unstructured writes it."""
    return {"type": kind, "element_id": f"{kind}-{text}", "text": text, "metadata": metadata}


def packed(data: bytes) -> str:
    return base64.b64encode(zlib.compress(data)).decode()


def compressed(*elements: dict[str, Any]) -> str:
    return packed(json.dumps(elements).encode())


def test_originals_replace_the_chunks_made_of_them_once() -> None:
    title, text = un("Title", "Scope"), un("Text", "long " * 3, page_number=2)
    source = read_elements(
        [
            un("CompositeElement", "Scope", orig_elements=compressed(title, text)),
            un("CompositeElement", "x", orig_elements=compressed(text), is_continuation=True),
        ],
        "a",
    )  # fmt: skip
    assert source.text == "# Scope\n\nlong long long\n"
    assert source.page_marks == ((9, 2),)


@dataclass
class ForeignElement:
    """An element class of another tool, with the same field names."""

    element_type: str
    content: str
    section_hierarchy: list[str] = field(default_factory=list)


def test_other_classes_dicts_and_json_are_accepted() -> None:
    record = {"element_type": "text", "content": "x", "section_hierarchy": ["A"]}
    document = {"document": {"document_id": "d", "document_title": None}, "elements": [record]}
    source = read_elements(json.dumps(document).encode())
    assert (source.text, source.name) == ("# A\n\nx\n", "d")
    assert markdown_of(record) == markdown_of(ForeignElement("text", "x", ["A"])) == source.text
    assert markdown_of(SimpleNamespace(to_dict=lambda: un("Title", "A"))) == "# A\n"


def test_metadata_origins_and_boxes_are_recorded() -> None:
    points = [[10.5, 20], [10.5, 40], [90, 40], [90, 20]]
    box = {"points": points, "system": "PixelSpace", "layout_width": 1700, "layout_height": 2200}
    source = read_elements(
        [
            Element("text", "a", page_number=3),
            un("Text", "b", page_number=4, coordinates=box),
            un("Text", "c", page_number=4, coordinates={"points": 0}),
        ],
        document=DocumentMetadata("doc-1", "The Document", "manual"),
    )
    known = {"document_id": "doc-1", "document_title": "The Document", "document_type": "manual"}
    assert (source.name, source.metadata) == ("doc-1", known)
    noted = (
        '[{"page": 4, "bbox": [10.5, 20.0, 90.0, 40.0], "origin": "TOPLEFT", '
        '"size": [1700.0, 2200.0]}]'
    )
    places = ["elements:0", f"elements:1 {noted}", "elements:2"]
    assert source.origins == tuple(zip((0, 3, 6), places, strict=True))


@pytest.mark.parametrize(("given", "pages"), case_table("elements_reader", "pages"))
@pytest.mark.filterwarnings("ignore::treepack.errors.LeftOutWarning")
def test_pages_of_chunks_are_numbers_in_order(given: list[Any], pages: list[int]) -> None:
    for inside in (True, False):
        elements = [
            {"type" if inside else "element_type": "text", "text": "x", "page_number": None}
            | ({"metadata": {"page_number": page}} if inside else {"page_number": page})
            for page in given
        ]
        source = read_elements(elements, "a")
        (chunk,) = pack(source)
        assert ([*chunk.pages], audit(source, pack(source)).findings) == (pages, ())


def test_page_numbers_that_are_left_out_are_named_once() -> None:
    with pytest.warns(LeftOutWarning, match="a: the page number -1 is left out, and any") as caught:
        markdown_of(*[Element("text", "x", page_number=page) for page in (1, -1, 0, 2)])
    assert len(caught) == 1


@pytest.mark.slow
def test_ragged_tables_are_not_padded_to_the_widest_row() -> None:
    """If padded, one row of 20,000 cells above 20,000 rows of one would be 400 million cells."""
    content = "|".join("a" * 20_000) + "\n|b" * 20_000
    assert len(markdown_of(Element("table", content))) < 1_000_000


def test_originals_beyond_a_limit_are_rejected() -> None:
    element = un("Text", "x", orig_elements=packed(b" " * 65 * 2**20))
    with pytest.raises(SourceError, match="is larger than"):
        read_elements([element], "bad.json")
