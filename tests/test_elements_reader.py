"""Element lists of any parser and of unstructured: sections, tables, lists, figures, pages."""

import base64
import json
import zlib
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from treepack import SourceError, audit, pack, parse
from treepack.errors import LeftOutWarning
from treepack.model.blocks import Table
from treepack.readers.elements import DocumentMetadata, Element, read_elements


def markdown_of(*elements: object) -> str:
    return read_elements(elements, "a").text


def only_table(*elements: object) -> Table:
    root = parse(read_elements(elements, "a")).root
    (found,) = (b for section in root.walk() for b in section.blocks if isinstance(b, Table))
    return found


def un(kind: str, text: str, **metadata: object) -> dict[str, Any]:
    """An element as unstructured writes it."""
    return {"type": kind, "element_id": f"{kind}-{text}", "text": text, "metadata": metadata}


def packed(data: bytes) -> str:
    return base64.b64encode(zlib.compress(data)).decode()


def compressed(*elements: dict[str, Any]) -> str:
    return packed(json.dumps(elements).encode())


# -------------------------------------------------------------------- sections


@pytest.mark.parametrize(
    ("elements", "expected"),
    [
        (
            [
                Element("text", "A."),
                Element("text", "One.", ["5 Tests"]),
                Element("text", "Two.", ["5 Tests", "5.1 Limits"]),
                Element("text", "Three.", ["5 Tests", "5.1 Limits"]),
                Element("text", "Four.", ["5 Tests", "5.2 Ways"]),
            ],
            "A.\n\n# 5 Tests\n\nOne.\n\n## 5.1 Limits\n\nTwo.\n\nThree.\n\n## 5.2 Ways\n\nFour.\n",
        ),
        (  # a section keeps the title that it was first given
            [
                Element("text", "a", ["5"], "Tests"),
                Element("text", "b", ["5", "5.1"], "Limits"),
                Element("text", "c", ["5", "5.1"]),
            ],
            "# 5 Tests\n\na\n\n## 5.1 Limits\n\nb\n\nc\n",
        ),
        (  # the heading of the outer section is repeated, because a wrong path would be worse
            [Element("text", "a", ["5 Tests", "5.1 Limits"]), Element("text", "b", ["5 Tests"])],
            "# 5 Tests\n\n## 5.1 Limits\n\na\n\n# 5 Tests\n\nb\n",
        ),
        (  # heading elements open their own section
            [
                Element("heading", "5 Tests", ["5 Tests"]),
                Element("heading", "Limits", ["5 Tests"]),
                Element("text", "x", ["5 Tests", "Limits"]),
            ],
            "# 5 Tests\n\n## Limits\n\nx\n",
        ),
    ],
)
def test_headings_are_written_where_the_section_changes(
    elements: list[Element], expected: str
) -> None:
    assert markdown_of(*elements) == expected


# -------------------------------------------------------------------- kinds

TABLE = "\\<table>\\<tr>\\<td>1\\</table>"
DUCK = {"caption": "Figure 1", "path": "duck.png", "alt": "duck"}


@pytest.mark.parametrize(
    ("elements", "expected"),
    [
        ([Element("table", "just words", metadata={"caption": "T"})], "T\n\njust words\n"),
        ([Element("table", "<table><tr><td>1</table>" * 2)], f"{TABLE}{TABLE}\n"),
        ([Element("list", "- a\n  - b\n• c\n")], "- a\n  - b\n- c\n"),
        ([Element("list", ["1. a", "2) b"])], "1. a\n2. b\n"),
        ([Element("list", ["a", "(b) c"]), Element("list", "d")], "- a\n- (b) c\n\n* d\n"),
        ([Element("list_item", "1. a"), Element("list_item", "2. b")], "1. a\n2. b\n"),
        ([Element("figure", "Red.", metadata=DUCK)], "![duck](duck.png)\n\nFigure 1\n\nRed.\n"),
        ([Element("figure", "A duck", metadata={"caption": "A duck"})], "A duck\n"),
        ([Element("code", "x = 1", metadata={"language": "python"})], "```python\nx = 1\n```\n"),
        ([Element("formula", "x^2"), Element("page_footer", "7")], "$$\nx^2\n$$\n"),
        ([Element("remark", "one\n\ntwo")], "one\n\ntwo\n"),
        ([un("Title", "A"), un("Title", "B", category_depth=1)], "# A\n\n## B\n"),
        ([un("Title", "A"), un("Title", "A"), un("PageNumber", "7")], "# A\n\n# A\n"),
        ([un("Title", "A", category_depth=10**30)], "###### A\n"),
        ([un("ListItem", "• a", page_number=1), un("ListItem", "b", page_number=2)], "- a\n- b\n"),
        ([un("ListItem", "a"), un("ListItem", "b", category_depth=1)], "- a\n  - b\n"),
        ([un("ListItem", "a"), un("ListItem", "1. c"), un("Text", "x")], "- a\n\n1. c\n\nx\n"),
        ([un("Table", "A B", text_as_html="<p>x</p>")], "A B\n"),
        ([un("Table", "A B", text_as_html="<table><tr><td></table>")], "A B\n"),
        ([un("Table", "A | B")], "A | B\n"),
        ([un("Image", "a duck", image_url="http://a/d.png")], "![](http://a/d.png)\n\na duck\n"),
        ([un("Image", "text in the picture")], "text in the picture\n"),
        ([un("CodeSnippet", "x = 1")], "```\nx = 1\n```\n"),
        ([un("CheckBox", "a", is_checked=True), un("Unchecked", "b")], "☒ a\n\n☐ b\n"),
        ([un("CompositeElement", "no\n\noriginals")], "no\n\noriginals\n"),
    ],
)  # fmt: skip
def test_each_kind_becomes_markdown(elements: list[object], expected: str) -> None:
    assert markdown_of(*elements) == expected


@pytest.mark.parametrize(
    "content",
    [
        "| A | B |\n|---|---|\n| 1 | 2 |\n| 3 | a\\|b |",
        "A | B\n1 | 2\n3 | a\\|b",
        "<table><tr><th>A<th>B<tr><td>1<td>2<tr><td>3<td>a|b</table>",
    ],
)
def test_tables_may_be_markdown_lines_or_html(content: str) -> None:
    element = Element("table", content, metadata={"caption": "Table 1: Limits"})
    assert markdown_of(element) == (
        "*Table 1: Limits*\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n| 3 | a\\|b |\n"
    )
    found = only_table(element)
    assert (found.columns, len(found.rows), found.caption) == (("A", "B"), 2, "Table 1: Limits")


HEAD = "<tr><th rowspan='2'>A</th><th colspan='2'>B</th></tr><tr><th>b</th><th>c</th></tr>"


@pytest.mark.parametrize("html", [f"<thead>{HEAD}</thead>", HEAD])
def test_header_rows_and_captions_of_html_are_read(html: str) -> None:
    html = f"<table><caption>T1</caption>{html}<tr><td>1</td><td>2</td><td>3</td></tr></table>"
    found = only_table(un("Table", "A B b c 1 2 3", text_as_html=html))
    assert (found.columns, found.header_rows, found.caption) == (("A", "b", "c"), 2, "T1")


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


# -------------------------------------------------------------------- forms of input


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


@pytest.mark.parametrize(
    ("given", "pages"),
    [
        ([3, 4], (3, 4)),
        ([7, 3, 5], (3, 5, 7)),
        (["5", " 6 ", 7.0, "008"], (5, 6, 7, 8)),
        ([-5, 0, 1.5, "iv", True, 10**20, float("nan"), [3], "²", ""], ()),
        ([2, -1, None], (2,)),
    ],
)  # fmt: skip
@pytest.mark.filterwarnings("ignore::treepack.errors.LeftOutWarning")
def test_pages_of_chunks_are_numbers_in_order(given: list[Any], pages: tuple[int, ...]) -> None:
    for inside in (True, False):
        elements = [
            {"type" if inside else "element_type": "text", "text": "x", "page_number": None}
            | ({"metadata": {"page_number": page}} if inside else {"page_number": page})
            for page in given
        ]
        source = read_elements(elements, "a")
        (chunk,) = pack(source)
        assert (chunk.pages, audit(source, pack(source)).findings) == (pages, ())


def test_page_numbers_that_are_left_out_are_named_once() -> None:
    with pytest.warns(LeftOutWarning, match="a: the page number -1 is left out, and any") as caught:
        markdown_of(*[Element("text", "x", page_number=page) for page in (1, -1, 0, 2)])
    assert len(caught) == 1


# -------------------------------------------------------------------- damage


@pytest.mark.parametrize(
    ("hierarchy", "heading", "headings"),
    [
        (["5", "5.1"], "Limits", "# 5\n\n## 5.1 Limits"),
        ([5, 1, 2], "Limits", "# 5\n\n## 5.1\n\n### 5.1.2 Limits"),
        ("5.1.2", "Limits", "# 5\n\n## 5.1\n\n### 5.1.2 Limits"),
        ("Tests > Limits", None, "# Tests\n\n## Limits"),
        (["5 Tests"], "5 Tests", "# 5 Tests"),
        (["5"], "5 Tests", "# 5 Tests"),
        (["5 Tests"], "Tests", "# 5 Tests"),
        (["Annex B"], "Forms", "# Annex B Forms"),
        (["Tests"], "Limits", "# Tests\n\n## Limits"),
        ([], "Limits", "# Limits"),
    ],
)
def test_a_hierarchy_and_a_heading_become_headings(
    hierarchy: str | list[str | int], heading: str | None, headings: str
) -> None:
    source = read_elements([Element("text", "x", hierarchy, heading)])
    assert source.text == f"{headings}\n\nx\n"


@pytest.mark.parametrize(
    ("elements", "message"),
    [
        ([], "there are no elements"),
        (b"[]", "there are no elements"),
        (b'{"elements": []}', "there are no elements"),
        (b'[{"element_type": "te', "not valid JSON, .*: line 1 column 19"),
        (b"5", "it is not a list of elements"),
        ([5], "element 0: should be an element, not int"),
        ([{"text": "x"}], "element 0: has neither 'element_type' nor 'type'"),
        ([{"element_type": "", "content": "x"}], "element 0: has neither"),
        ([{"type": None, "text": "x"}], "element 0: has neither"),
        ([Element("text", "a"), {"element_type": "text"}], "element 1/content: Field required"),
        ([{"element_type": "text", "content": 5}], "0/content: Input should be a valid list"),
        ([{"element_type": "list", "content": [5]}], "element 0/content/0: should be a string"),
        ([{"type": "Title"}], "element 0/content: Field required"),
        ([{"type": "A", "text": "x", "metadata": 3}], "0/metadata: should be an object"),
        ([{"type": "A", "text": "x", "metadata": []}], "0/metadata: should be an object"),
        ([{"type": "A", "text": "x", "metadata": ""}], "0/metadata: should be an object"),
        ([un("Title", "x", category_depth="a")], "metadata/category_depth: Input should be"),
        ([un("Text", "x", orig_elements="%%%")], "orig_elements: cannot be unpacked"),
        ([un("Text", "x", orig_elements=compressed({"type": "A"}))], "orig_elements/0/content: "),
        ([un("Text", "x", orig_elements=packed(b" " * 65 * 2**20))], "is larger than"),
    ],
    ids=range(20),
)  # fmt: skip
def test_an_invalid_element_is_rejected_with_its_position(elements: Any, message: str) -> None:  # noqa: ANN401 - anything
    with pytest.raises(SourceError, match=message) as caught:
        read_elements(elements, "bad.json")
    assert str(caught.value).startswith("bad.json: cannot read as element list: ")


@pytest.mark.parametrize(
    ("head", "row"),
    [
        ("<thead><tr><th rowspan=3>A</th><th>B</th></tr></thead>", "<td>1</td><td>2</td>"),
        ("<tr><th rowspan=2>A</th><th>B</th></tr>", "<td>2</td>"),
    ],
)
def test_a_header_cell_does_not_span_out_of_its_thead(head: str, row: str) -> None:
    """Browsers do the same: without ``<thead>``, a header cell may reach into the body."""
    html = f"<table>{head}<tr>{row}</tr></table>"
    first = "1" if "thead" in head else "A"
    text = markdown_of(un("Table", "x", text_as_html=html))
    assert text == f"| A | B |\n| --- | --- |\n| {first} | 2 |\n"


@pytest.mark.slow
def test_ragged_tables_are_not_padded_to_the_widest_row() -> None:
    """If padded, one row of 20,000 cells above 20,000 rows of one would be 400 million cells."""
    content = "|".join("a" * 20_000) + "\n|b" * 20_000
    assert len(markdown_of(Element("table", content))) < 1_000_000
