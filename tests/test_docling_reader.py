"""DoclingDocument JSON: order, levels, lists, tables, captions, pages; contradictory input."""

import json
import warnings
from collections.abc import Callable

import pytest
from docling_documents import Doc, Record, cell, reference
from function_calls import assert_linear

from treepack import SourceError, pack, parse
from treepack.errors import LeftOutWarning
from treepack.model.blocks import Table
from treepack.readers.docling import read_docling

# -------------------------------------------------------------------- content


def order_and_levels(doc: Doc) -> None:
    doc.text("The page", label="page_header", content_layer="furniture")
    doc.header("5 Experiments")
    doc.header("5.1 Setup", 2)
    doc.text("x = 1", label="code", code_language="Python", captions=[], footnotes=[])
    doc.text("E = mc^2", label="formula")
    doc.text("", label="formula")["orig"] = "E = m"
    doc.text("7", label="page_footer")


def headers_below_a_title(doc: Doc) -> None:
    doc.text("Title of the page", label="title", content_layer="furniture")
    title = doc.text("Paper", label="title")
    doc.text("Scope", title, "section_header", level=1)
    doc.header("Terms", 2)


def title_that_is_furniture(doc: Doc) -> None:
    doc.text("Title of the page", label="title", content_layer="furniture")
    doc.header("Scope")


def chapter_numbers_on_their_own(doc: Doc) -> None:
    """PDFs print the number on its own line; if unjoined, "1.1" would have no chapter above it."""
    for text in ("1", "Security", "1.1 Basics", "II.", "3 Limits", "4", "5"):
        doc.header(text)
    doc.text("Words.")
    doc.header("Notes", 2)


def nested_lists(doc: Doc) -> None:
    outer = doc.group()
    doc.item(outer, "one", "1.")
    inner = doc.group("list", doc.item(outer, "two", "2."))
    doc.item(inner, "dot", "·")
    doc.item(inner, "lettered", "(a)")
    doc.item(outer, "three", "3.")
    doc.item(doc.group("list", outer), "inside three", "-")


def inline_groups(doc: Doc) -> None:
    inline = doc.group("inline")
    doc.text("The area", inline)
    doc.text("A", inline, "formula")
    doc.text(", see", inline)
    doc.text("area()", inline, "code")
    doc.text(".", inline)
    inline = doc.group("inline")
    doc.text("a", doc.group("inline", inline))
    doc.text("gone", inline, content_layer="furniture")
    doc.text("b", inline)
    doc.add("pictures", inline, label="picture")


def items_met_twice(doc: Doc) -> None:
    outer = doc.group()
    doc.item(outer, "one", "1.")
    outer["children"] += [outer["children"][0]]
    doc.item(outer, "gone")["content_layer"] = "furniture"
    doc.item(outer, "dot")
    circular = doc.text("c", doc.group("section"))
    circular["children"] = [reference(circular), reference(outer)]


def captions_and_footnotes(doc: Doc) -> None:
    caption = doc.text("List 1: x", label="caption")
    note = doc.text("a note", label="footnote")
    code = doc.text("x", label="code", code_language="unknown")
    code |= {"captions": [reference(caption)], "footnotes": [reference(note)]}
    caption = doc.text("Figure 1: A duck", label="caption")
    described = [{"kind": "description", "text": "A duck"}]
    meta = {"description": {"text": "A duck"}}
    picture = doc.add("pictures", label="picture", annotations=described, meta=meta)
    picture |= {"captions": [reference(caption)]}
    doc.text("label of an axis", picture)


def lines_of_forms(doc: Doc) -> None:
    doc.text("yes", label="checkbox_selected")
    doc.text("no", label="checkbox_unselected")
    cells = [{"text": "Key"}, {"text": "X"}]
    doc.add("key_value_items", label="key_value_region", graph={"cells": cells})
    doc.record.update(field_regions=[], field_items=[])  # schema 1.10
    region = doc.add("field_regions", label="field_region")
    doc.text("Applicant", region, "field_heading")
    field = doc.add("field_items", region, label="field_item")
    doc.text("Name:", field, "field_key")
    doc.text("Ada", field, "field_value")
    larger = doc.add("field_items", region, label="field_item")
    doc.text("Pumps:", larger, "field_key")
    doc.item(doc.group("list", larger), "P100")


def items_of_a_later_version(doc: Doc) -> None:
    doc.record["novelties"] = []
    doc.text("Inside.", doc.add("novelties", label="novelty", text="New."))


CONTENT: list[tuple[Callable[[Doc], None], str]] = [
    (
        order_and_levels,
        "# 5 Experiments\n\n## 5.1 Setup\n\n```python\nx = 1\n```\n\n$$\nE = mc^2\n$$\n\nE = m\n",
    ),
    (headers_below_a_title, "# Paper\n\n## Scope\n\n### Terms\n"),
    (title_that_is_furniture, "# Scope\n"),
    (
        chapter_numbers_on_their_own,
        "# 1 Security\n\n# 1.1 Basics\n\n# II.\n\n# 3 Limits\n\n# 4\n\n# 5\n\nWords.\n\n## Notes\n",
    ),
    (nested_lists, "1. one\n2. two\n   - dot\n   - (a) lettered\n3. three\n   - inside three\n"),
    (inline_groups, "The area $A$, see `area()`.\n\na b\n\n![](#/pictures/0)\n"),
    (items_met_twice, "1. one\n\n- dot\n\nc\n"),
    (
        captions_and_footnotes,
        "List 1: x\n\n```\nx\n```\n\na note\n\n![A duck](#/pictures/0)\n\nFigure 1: A duck\n",
    ),
    (lines_of_forms, "☒ yes\n\n☐ no\n\nKey\nX\n\nApplicant\n\nName: Ada\n\nPumps:\n\n- P100\n"),
    (items_of_a_later_version, "New.\n\nInside.\n"),
]


@pytest.mark.parametrize(("build", "expected"), CONTENT)
def test_items_become_markdown(build: Callable[[Doc], None], expected: str) -> None:
    doc = Doc()
    build(doc)
    assert doc.markdown() == expected


# -------------------------------------------------------------------- tables


def rich(doc: Doc, text: str, *build: Callable[[Record], object]) -> None:
    """A table of one column, with a cell that refers to items of a group."""
    table = doc.table([["A"], [text]])
    group = doc.group("unspecified", {})
    for add in build:
        add(group)
    table["data"]["table_cells"][1]["ref"] = reference(group)


def rich_inner_table(doc: Doc) -> None:
    def inner(group: Record) -> None:
        group["children"] = [reference(doc.table([["p", "q"], ["r", "s"]]))]
        doc.record["body"]["children"].pop()

    rich(doc, "", inner)


def rich_lists(doc: Doc) -> None:
    def lists(group: Record) -> None:
        inline = doc.group("inline", group)
        doc.text("the area", inline)
        doc.text("A", inline)
        items = doc.group("list", group)
        doc.item(items, "one", "4.")
        doc.text("two", doc.group("inline", doc.item(items, "", "5.")))
        doc.item(items, "three")
        doc.text("hidden", group, content_layer="invisible")

    rich(doc, "the area A one two three", lists)


def cells_of(*cells: Record) -> Callable[[Doc], None]:
    def build(doc: Doc) -> None:
        doc.table([["A", "B"], ["1", "2"]])["data"]["table_cells"][2:] = cells

    return build


@pytest.mark.parametrize(
    ("build", "row"),
    [
        (rich_inner_table, "| p; q<br>r; s |"),
        (rich_lists, "| the area A<br>4. one<br>5. two<br>- three |"),
        (cells_of(cell("x", 1, 0), cell("y", 1, 0), cell("-", 1, 1)), "| x y | - |"),
        # in tables of patents, docling repeats the cell for each column that it spans
        (cells_of(*[cell("x", 1, 0, columns=2)] * 2), "| x |  |"),
        (cells_of(cell("x", 1, 0, columns=2), cell("y", 1, 1)), "| x y |  |"),
        (cells_of(cell("x", 1, 1), cell("y", 2, 0, rows=9)), "|  | x |\n| y |  |"),
        (cells_of(cell("x", 1, 0, rows=2), cell("y", 2, 1)), "| x |  |\n| x | y |"),
        # converters may count rows and columns wrongly
        (cells_of(cell("x", 10**9, 10**9), cell("y", 5, 0)), "| y |  |  |\n|  |  | x |"),
    ],
)
def test_each_cell_is_read_once_at_its_place(build: Callable[[Doc], None], row: str) -> None:
    doc = Doc()
    build(doc)
    assert doc.markdown().partition("--- |\n")[2] == f"{row}\n"


def test_tables_keep_captions_footnotes_and_header_rows() -> None:
    doc = Doc()
    caption = doc.text("Table 1: Limits", label="caption")
    note = doc.text("a estimated", label="footnote")
    table = doc.table([["", "", ""]], 0)
    table |= {"captions": [reference(caption)], "footnotes": [reference(note)]}
    table["data"]["table_cells"] = [
        cell("Class", 0, 0, rows=2, column_header=True),
        cell("Limit", 0, 1, columns=2, column_header=True),
        cell("Min", 1, 1, column_header=True),
        cell("Max", 1, 2, column_header=True),
        cell("A", 2, 0),
        cell("2", 2, 2),
    ]
    source = read_docling(doc.record, "a")
    (found,) = (b for s in parse(source).root.walk() for b in s.blocks if isinstance(b, Table))
    assert (found.columns, found.header_rows) == (("Class", "Min", "Max"), 2)
    assert (len(found.rows), found.caption) == (1, "Table 1: Limits")
    assert source.text.count("Table 1: Limits") == 1
    assert source.text.endswith(
        "<td>A</td><td></td><td>2</td></tr>\n</tbody>\n</table>\n\na estimated\n"
    )


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


# -------------------------------------------------------------------- places


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
    doc = Doc()
    doc.text("before", page=1)
    text = "first part here second part"
    doc.text(text)["prov"] = [
        {"page_no": 1, "charspan": [0, 15]},
        {"page_no": 2, "charspan": [16, len(text)]},
    ]
    doc.text("after", page=2)
    source = read_docling(doc.record, "a")
    assert [source.text[offset:][:6] for offset, _ in source.page_marks] == ["before", "second"]
    assert [page for _, page in source.page_marks] == [1, 2]


def test_origins_are_references_and_boxes_whose_page_and_sides_are_known() -> None:
    doc = Doc()
    doc.header("a", page=7)
    doc.text("b", page=7)
    bbox: dict[str, object] = {"l": 1, "t": 9.5, "r": 3, "b": 4, "coord_origin": "BOTTOMLEFT"}
    pages: list[tuple[int, dict[str, object]]] = [
        (7, {}),
        (8, {"l": "x"}),
        (-1, {}),
        (9, {"r": float("nan")}),
    ]
    doc.record["texts"][1]["prov"] = [
        {"page_no": page, "bbox": bbox | more} for page, more in pages
    ]
    with pytest.warns(LeftOutWarning, match="a: the page number -1 is left out, and any other not"):
        source = read_docling(doc.record, "a")
    boxes = '[{"page": 7, "bbox": [1.0, 9.5, 3.0, 4.0], "origin": "BOTTOMLEFT"}]'
    assert source.origins == ((0, "docling:#/texts/0"), (5, f"docling:#/texts/1 {boxes}"))


# -------------------------------------------------------------------- damaged and hostile input


def test_a_json_file_gives_the_same_source_as_its_dict() -> None:
    doc = Doc()
    doc.item(doc.group(), "One")
    rich(doc, "", lambda group: doc.text("Rich", group))
    data = json.dumps(doc.record, indent=2).encode()
    source = read_docling(data, "a.json")
    assert source == read_docling(doc.record, "a.json")
    assert source.metadata == {"filename": "a.pdf", "mimetype": "application/pdf"}
    # ``model_dump_json()`` writes ``cref``
    assert source == read_docling(data.replace(b'"$ref"', b'"cref"'), "a.json")
    assert "Rich" in source.text


def nest_too_deeply(doc: Doc) -> None:
    group = doc.group()
    for _ in range(105):
        group = doc.group("section", group)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (lambda doc: doc.record.update(schema_name="Other"), "schema_name: is 'Other'"),
        (lambda doc: doc.record.update(version="2.0.0"), "version: is '2.0.0', but only 1.x"),
        (lambda doc: doc.record.pop("version"), "version: is None"),
        (lambda doc: doc.record.pop("body"), "body: Field required"),
        (lambda doc: doc.record["body"].update(children=[3]), "body/children/0: should be an obj"),
        (nest_too_deeply, "#/groups/100: items are nested deeper than 100"),
        (b'{"schema_name": "DoclingDocument",', "not valid JSON, .*: line 1 column 35"),
        (b'{"a": "\xff"}', "not valid JSON, .* position 7"),
        (b"[" * 100_000, "nested too deep"),
        (b"1" * 10_000, "not valid JSON|should be an object"),
        *[(data, "should be an object") for data in (b"[]", b"[1]", "x", None)],
        ({}, "body: Field required"),
        (b'{"schema_name": "Other", "body": {}}', "schema_name: is 'Other'"),
    ],
    ids=range(16),
)
def test_a_contradictory_document_is_rejected_and_the_error_locates_it(
    given: Callable[[Doc], object] | bytes | Record, message: str
) -> None:
    doc = Doc()
    doc.header("a", page=1)
    document = given
    if callable(given):
        given(doc)
        document = doc.record
    with pytest.raises(SourceError, match=message) as caught:
        read_docling(document, "bad.json")  # type: ignore[arg-type] # of a wrong type too
    assert str(caught.value).startswith("bad.json: cannot read as DoclingDocument JSON: ")


@pytest.mark.parametrize(
    ("key", "change", "message", "lost"),
    [
        ("groups", {"children": [{"$ref": "#/pages/1"}]}, "refers to '#/pages/1', which", "Item"),
        ("groups", {"children": [{"cref": None}]}, "#/groups/0: refers to '', which does", "Item"),
        ("tables", {"captions": [{"$ref": "#/texts/9"}]}, "#/tables/0: refers to '#/texts/9'", ""),
        ("texts", {"text": 5}, "#/texts/0/text: should be a string", "Head"),
        ("texts", {"level": "x"}, "#/texts/0/level: Input should be a valid integer", "Head"),
        ("texts", {"children": {}}, "#/texts/0/children: Input should be a valid list", "Head"),
        ("texts", {"text": None}, "", ""),  # there is "orig"
        ("texts", {"label": None, "prov": [{}], "meta": None}, "", ""),
        ("texts", {"prov": [{"page_no": 0, "bbox": 5}]}, "the page number 0 is left out", ""),
        ("tables", {"data": {"table_cells": [cell("", -1, 0)]}}, "_cells/0/start", "Column Cell"),
        ("tables", {"data": 3}, "#/tables/0/data: should be an object", "Column Cell"),
    ],
    ids=range(11),
)  # fmt: skip
def test_a_contradictory_part_is_left_out_with_a_warning(
    key: str, change: Record, message: str, lost: str
) -> None:
    """A warning names the location of that part; all other parts are read."""
    doc = Doc()
    doc.header("Head", page=1)
    doc.item(doc.group(), "Item")
    doc.table([["Column"], ["Cell"]])
    doc.text("Last.")
    doc.record[key][0].update(change)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        text = read_docling(doc.record, "bad.json").text
    messages = [str(each.message) for each in caught]
    assert all("left out" in each for each in messages)
    assert any(message in each for each in messages) if message else not messages
    for word in ("Head", "Item", "Column", "Cell", "Last."):
        assert (word in text) is (word not in lost), word
