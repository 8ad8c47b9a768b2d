"""Element lists of any parser and of unstructured: sections, tables, lists, figures, pages."""

import base64
import json
import zlib
from dataclasses import dataclass, field
from typing import Any

import pytest

from treepack import SourceError, pack, parse
from treepack.model.blocks import Table
from treepack.readers.elements.reader import DocumentMetadata, Element, read_elements


def markdown_of(*elements: object) -> str:
    return read_elements(elements, "a").text


def only_table(*elements: object) -> Table:
    root = parse(read_elements(elements, "a")).root
    (found,) = (b for section in root.walk() for b in section.blocks if isinstance(b, Table))
    return found


# -------------------------------------------------------------------- plain elements


def test_headings_are_written_where_the_section_changes() -> None:
    assert markdown_of(
        Element("text", "Before all."),
        Element("text", "One.", ["5 Tests"]),
        Element("text", "Two.", ["5 Tests", "5.1 Limits"]),
        Element("text", "Three.", ["5 Tests", "5.1 Limits"]),
        Element("text", "Four.", ["5 Tests", "5.2 Methods"]),
    ) == (
        "Before all.\n\n# 5 Tests\n\nOne.\n\n## 5.1 Limits\n\nTwo.\n\nThree.\n\n## 5.2 Methods\n\n"
        "Four.\n"
    )


@pytest.mark.parametrize(
    ("hierarchy", "heading", "written"),
    [
        (["5", "5.1"], "Limits", "# 5\n\n## 5.1 Limits\n"),
        ([5, 1, 2], "Limits", "# 5\n\n## 5.1\n\n### 5.1.2 Limits\n"),
        ("5.1.2", "Limits", "# 5\n\n## 5.1\n\n### 5.1.2 Limits\n"),
        ("Tests > Limits", None, "# Tests\n\n## Limits\n"),
        (["5 Tests"], "5 Tests", "# 5 Tests\n"),
        (["5"], "5 Tests", "# 5 Tests\n"),
        (["5 Tests"], "Tests", "# 5 Tests\n"),
        (["Annex B"], "Forms", "# Annex B Forms\n"),
        (["Tests"], "Limits", "# Tests\n\n## Limits\n"),
        ([], "Limits", "# Limits\n"),
    ],
)
def test_section_hierarchies_may_be_names_or_numbers(
    hierarchy: Any,  # noqa: ANN401 - names or numbers
    heading: Any,  # noqa: ANN401 - a name or None
    written: str,
) -> None:
    assert markdown_of(Element("text", "x", hierarchy, heading)) == f"{written}\nx\n"


def test_a_section_keeps_the_title_that_it_was_first_given() -> None:
    assert (
        markdown_of(
            Element("text", "a", ["5"], "Tests"),
            Element("text", "b", ["5", "5.1"], "Limits"),
            Element("text", "c", ["5", "5.1"]),
        )
        == "# 5 Tests\n\na\n\n## 5.1 Limits\n\nb\n\nc\n"
    )


def test_text_after_a_subsection_is_not_put_into_it() -> None:
    """The heading of the outer section is repeated, because a wrong path would be worse."""
    assert (
        markdown_of(
            Element("text", "a", ["5 Tests", "5.1 Limits"]), Element("text", "b", ["5 Tests"])
        )
        == "# 5 Tests\n\n## 5.1 Limits\n\na\n\n# 5 Tests\n\nb\n"
    )


def test_heading_elements_open_their_own_section() -> None:
    assert (
        markdown_of(
            Element("heading", "5 Tests", ["5 Tests"]),
            Element("heading", "Limits", ["5 Tests"]),
            Element("text", "x", ["5 Tests", "Limits"]),
        )
        == "# 5 Tests\n\n## Limits\n\nx\n"
    )


@pytest.mark.parametrize(
    "content",
    [
        "| A | B |\n|---|---|\n| 1 | 2 |\n| 3 | a\\|b |",
        "A | B\n1 | 2\n3 | a\\|b",
        "<table><tr><th>A<th>B<tr><td>1<td>2<tr><td>3<td>a|b</table>",
    ],
)
def test_table_elements_may_contain_markdown_lines_or_html(content: str) -> None:
    element = Element("table", content, metadata={"caption": "Table 1: Limits"})
    assert markdown_of(element) == (
        "*Table 1: Limits*\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n| 3 | a\\|b |\n"
    )
    found = only_table(element)
    assert (found.columns, len(found.rows), found.caption) == (("A", "B"), 2, "Table 1: Limits")


def test_leading_rows_of_th_cells_are_the_header_without_a_thead() -> None:
    page = "<table><tr><th>A<th>B<tr><th>a<th>b<tr><td>1<td>2</table>"
    assert (("a", "b"), 1) == (
        (found := only_table(Element("table", page))).columns,
        len(found.rows),
    )


def test_two_tables_in_one_element_stay_text() -> None:
    table = "<table><tr><td>1</table>"
    assert "|" not in markdown_of(Element("table", table * 2))


def test_a_table_element_without_a_table_stays_text() -> None:
    assert (
        markdown_of(Element("table", "just words", metadata={"caption": "T"}))
        == "T\n\njust words\n"
    )


def test_list_elements_may_contain_lines_or_items() -> None:
    assert markdown_of(Element("list", "- a\n  - b\n• c\n")) == "- a\n  - b\n- c\n"
    assert markdown_of(Element("list", ["1. a", "2) b"])) == "1. a\n2. b\n"
    assert markdown_of(Element("list", ["a", "(b) c"])) == "- a\n- (b) c\n"


def test_figures_keep_caption_and_path() -> None:
    metadata = {"caption": "Figure 1: A duck", "path": "img/duck.png", "alt": "duck"}
    assert markdown_of(Element("figure", "A yellow duck.", metadata=metadata)) == (
        "![duck](img/duck.png)\n\nFigure 1: A duck\n\nA yellow duck.\n"
    )
    assert markdown_of(Element("figure", "A duck", metadata={"caption": "A duck"})) == "A duck\n"


def test_code_formulas_and_unknown_types_become_markdown() -> None:
    assert (
        markdown_of(
            Element("code", "x = 1", metadata={"language": "python"}),
            Element("formula", "x^2"),
            Element("page_footer", "7"),
            Element("remark", "one\n\ntwo"),
        )
        == "```python\nx = 1\n```\n\n$$\nx^2\n$$\n\none\n\ntwo\n"
    )


def test_pages_metadata_and_origins_are_recorded() -> None:
    source = read_elements(
        [Element("text", "a", page_number=3), Element("text", "b", page_number=4)],
        document=DocumentMetadata("doc-1", "The Document", "manual"),
    )
    assert source.name == "doc-1"
    assert source.metadata == {
        "document_id": "doc-1",
        "document_title": "The Document",
        "document_type": "manual",
    }
    assert source.page_marks == ((0, 3), (3, 4))
    assert source.origins == ((0, "elements:0"), (3, "elements:1"))
    assert [list(chunk.pages) for chunk in pack(source)] == [[3, 4]]


@dataclass
class ForeignElement:
    """An element class of another tool, with the same field names."""

    element_type: str
    content: str
    section_hierarchy: list[str] = field(default_factory=list)


def test_other_classes_dicts_and_json_are_accepted() -> None:
    expected = "# A\n\nx\n"
    record = {"element_type": "text", "content": "x", "section_hierarchy": ["A"]}
    assert markdown_of(ForeignElement("text", "x", ["A"])) == expected
    assert markdown_of(record) == expected
    document = {"document": {"document_id": "d", "document_title": "T"}, "elements": [record]}
    source = read_elements(json.dumps(document).encode())
    assert (source.text, source.name) == (expected, "d")


# -------------------------------------------------------------------- unstructured


def unstructured(kind: str, text: str, **metadata: object) -> dict[str, Any]:
    """An element as unstructured writes it."""
    element_id = metadata.pop("element_id", f"{kind}-{text}")
    return {"type": kind, "element_id": element_id, "text": text, "metadata": metadata}


def test_title_levels_follow_the_category_depth_or_the_parents() -> None:
    assert (
        markdown_of(
            unstructured("Title", "Top", category_depth=0),
            unstructured("Title", "Below", category_depth=1),
            unstructured("NarrativeText", "Text.", parent_id="Title-Below"),
            unstructured("Title", "Inner", parent_id="Title-Below"),
            unstructured("Title", "Flat"),
            unstructured("Header", "page head"),
            unstructured("PageNumber", "7"),
        )
        == "# Top\n\n## Below\n\nText.\n\n### Inner\n\n# Flat\n"
    )


def test_an_element_that_is_its_own_parent_is_read() -> None:
    title = unstructured("Title", "a", element_id="x", parent_id="x")
    assert markdown_of(title).endswith(" a\n")


def test_consecutive_list_items_become_lists() -> None:
    assert (
        markdown_of(
            unstructured("ListItem", "• a", category_depth=0),
            unstructured("ListItem", "b", category_depth=1),
            unstructured("ListItem", "1. c", category_depth=0),
            unstructured("NarrativeText", "x"),
        )
        == "- a\n  - b\n\n1. c\n\nx\n"
    )


def test_tables_are_read_from_their_html() -> None:
    html = (
        "<table><caption>T1</caption><thead><tr><th rowspan='2'>A</th><th colspan='2'>B</th></tr>"
        "<tr><th>b</th><th>c</th></tr></thead><tbody><tr><td>1</td><td>2</td><td>3</td></tr>"
        "</tbody></table>"
    )
    found = only_table(unstructured("Table", "A B b c 1 2 3", text_as_html=html))
    assert (found.columns, found.header_rows, found.caption) == (("A", "b", "c"), 2, "T1")
    assert markdown_of(unstructured("Table", "A B", text_as_html="<p>x</p>")) == "A B\n"
    assert markdown_of(unstructured("Table", "A B")) == "A B\n"


def test_images_code_and_check_boxes_become_markdown() -> None:
    assert markdown_of(
        unstructured("Image", "a duck", image_url="http://a.b/duck.png"),
        unstructured("Image", "text in the picture"),
        unstructured("CodeSnippet", "x = 1"),
        unstructured("CheckBox", "done", is_checked=True),
    ) == ("![a duck](http://a.b/duck.png)\n\ntext in the picture\n\n```\nx = 1\n```\n\n☒ done\n")


def compressed(*elements: dict[str, Any]) -> str:
    return base64.b64encode(zlib.compress(json.dumps(elements).encode())).decode()


def test_composite_elements_are_replaced_by_their_original_elements_once() -> None:
    title, text = (
        unstructured("Title", "Scope"),
        unstructured("NarrativeText", "long text " * 3, page_number=2),
    )
    source = read_elements(
        [
            unstructured("CompositeElement", "Scope long", orig_elements=compressed(title, text)),
            unstructured(
                "CompositeElement",
                "text",
                orig_elements=compressed(text),
                is_continuation=True,
            ),
            unstructured("CompositeElement", "no\n\noriginals"),
        ],
        "a",
    )
    assert source.text == "# Scope\n\nlong text long text long text\n\nno\n\noriginals\n"
    assert source.page_marks == ((9, 2),)


def test_objects_with_to_dict_are_accepted() -> None:
    class Title:
        category = "Title"

        def to_dict(self) -> dict[str, Any]:
            return unstructured("Title", "A")

    assert markdown_of(Title()) == "# A\n"


# -------------------------------------------------------------------- damage


@pytest.mark.parametrize(
    ("elements", "message"),
    [
        ([], "there are no elements"),
        (b"[]", "there are no elements"),
        (b'{"elements": []}', "there are no elements"),
        (b'[{"element_type": "te', "line 1, column 19: not valid JSON"),
        (b"5", "it is not a list of elements"),
        ([5], "element 0: should be an element, not int"),
        ([{"text": "x"}], "element 0: has neither 'element_type' nor 'type'"),
        ([Element("text", "a"), {"element_type": "text"}], "element 1: has no 'content'"),
        ([{"element_type": "", "content": "x"}], "element 0: has no 'element_type'"),
        ([{"element_type": "text", "content": 5}], "element 0/content: should be an array"),
        (
            [{"element_type": "list", "content": [5]}],
            "element 0/content: should be a string or an array of strings",
        ),
        ([Element("text", "x", page_number="7")], "element 0/page_number: should be a whole"),  # type: ignore[arg-type]
        ([{"type": "Title"}], "element 0: has no 'text'"),
        ([{"type": None, "text": "x"}], "element 0: has no 'type'"),
        (
            [{"type": "Title", "text": "x", "metadata": 3}],
            "element 0/metadata: should be an object",
        ),
        ([{"type": "Title", "text": "x", "metadata": 0}], "metadata: .* not a number"),
        ([{"type": "Title", "text": "x", "metadata": False}], "metadata: .* not a boolean"),
        ([{"type": "Title", "text": "x", "metadata": ""}], "metadata: .* not a string"),
        ([{"type": "Title", "text": "x", "metadata": []}], "metadata: .* not an array"),
        (
            [unstructured("Title", "x", category_depth="1")],
            "category_depth: should be a whole number",
        ),
        (
            [unstructured("CompositeElement", "x", orig_elements="%%%")],
            "orig_elements: cannot be unpacked",
        ),
        (
            [unstructured("CompositeElement", "x", orig_elements=compressed({"type": "Title"}))],
            "element 0/metadata/orig_elements/0: has no 'text'",
        ),
    ],
    ids=range(22),
)
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
    text = read_elements([unstructured("Table", "x", text_as_html=html)], "a").text
    first = "1" if "thead" in head else "A"
    assert text == f"| A | B |\n| --- | --- |\n| {first} | 2 |\n"


def test_the_unpacked_size_of_original_elements_is_limited() -> None:
    bomb = base64.b64encode(zlib.compress(b" " * (65 * 2**20), 9)).decode()
    with pytest.raises(SourceError, match="is larger than"):
        markdown_of(unstructured("CompositeElement", "x", orig_elements=bomb))


@pytest.mark.slow
def test_ragged_tables_are_not_padded_to_the_widest_row() -> None:
    """If padded, one row of 20,000 cells above 20,000 rows of one would be 400 million cells."""
    content = "|".join("a" * 20_000) + "\n|b" * 20_000
    assert len(markdown_of(Element("table", content))) < 1_000_000
