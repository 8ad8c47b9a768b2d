"""DoclingDocument JSON: order, levels, lists, tables, captions, pages; contradictory input."""

import json
from collections.abc import Callable

import pytest
from docling_documents import Doc, Record, cell, reference
from function_calls import calls

from treepack import SourceError, pack, parse
from treepack.errors import LeftOutWarning
from treepack.model.blocks import Table
from treepack.readers.docling.reader import DEEPEST, read_docling

# -------------------------------------------------------------------- content


def test_items_come_in_the_order_of_the_body_with_their_levels() -> None:
    doc = Doc()
    doc.text("The page", label="page_header", content_layer="furniture")
    doc.header("5 Experiments")
    doc.text("Text.")
    doc.header("5.1 Setup", 2)
    doc.text("x = 1", label="code", code_language="Python", captions=[], footnotes=[])
    doc.text("E = mc^2", label="formula")
    doc.text("7", label="page_footer")
    assert doc.markdown() == (
        "# 5 Experiments\n\nText.\n\n## 5.1 Setup\n\n```python\nx = 1\n```\n\n$$\nE = mc^2\n$$\n"
    )


def test_section_headers_are_below_a_title() -> None:
    doc = Doc()
    doc.text("Title of the page", label="title", content_layer="furniture")
    title = doc.text("Paper", label="title")
    doc.text("Scope", title, "section_header", level=1)
    doc.header("Terms", 2)
    assert doc.markdown() == "# Paper\n\n## Scope\n\n### Terms\n"


def test_a_chapter_number_on_its_own_line_joins_its_title() -> None:
    """PDFs print the number on its own line; if unjoined, "1.1" would have no chapter above it."""
    doc = Doc()
    for text in ("1", "Security", "1.1 Basics", "II.", "3 Limits", "4", "5"):
        doc.header(text)
    doc.text("Words.")
    doc.header("Notes", 2)
    assert doc.markdown() == (
        "# 1 Security\n\n# 1.1 Basics\n\n# II.\n\n# 3 Limits\n\n# 4\n\n# 5\n\nWords.\n\n## Notes\n"
    )


def test_a_furniture_title_does_not_change_heading_levels() -> None:
    doc = Doc()
    doc.text("Title of the page", label="title", content_layer="furniture")
    doc.header("Scope")
    assert doc.markdown() == "# Scope\n"


def test_lists_nest_and_keep_their_markers() -> None:
    doc = Doc()
    outer = doc.group()
    doc.item(outer, "one", "1.")
    inner = doc.group("list", doc.item(outer, "two", "2."))
    doc.item(inner, "dot", "·")
    doc.item(inner, "lettered", "(a)")
    doc.item(outer, "three", "3.")
    doc.item(doc.group("list", outer), "inside three", "-")
    assert doc.markdown() == (
        "1. one\n2. two\n   - dot\n   - (a) lettered\n3. three\n   - inside three\n"
    )


def test_inline_groups_are_one_paragraph() -> None:
    doc = Doc()
    inline = doc.group("inline")
    doc.text("The area", inline)
    doc.text("A", inline, "formula")
    doc.text(", see", inline)
    doc.text("area()", inline, "code")
    doc.text(".", inline)
    assert doc.markdown() == "The area $A$, see `area()`.\n"


def test_tables_keep_spans_captions_and_header_rows() -> None:
    doc = Doc()
    caption = doc.text("Table 1: Limits", label="caption")
    note = doc.text("a estimated", label="footnote")
    table = doc.table([["", "", ""]], 0)
    table |= {"captions": [reference(caption)], "footnotes": [reference(note)]}
    table["data"] |= {
        "num_rows": 3,
        "num_cols": 3,
        "table_cells": [
            cell("Class", 0, 0, rows=2, column_header=True),
            cell("Limit", 0, 1, columns=2, column_header=True),
            cell("Min", 1, 1, column_header=True),
            cell("Max", 1, 2, column_header=True),
            cell("A", 2, 0),
            cell("2", 2, 2),
        ],
    }
    source = read_docling(doc.record, "a")
    (found,) = (b for s in parse(source).root.walk() for b in s.blocks if isinstance(b, Table))
    assert found.columns == ("Class", "Min", "Max")
    assert (found.header_rows, len(found.rows), found.caption) == (2, 1, "Table 1: Limits")
    assert source.text.count("Table 1: Limits") == 1
    assert source.text.endswith(
        "<td>A</td><td></td><td>2</td></tr>\n</tbody>\n</table>\n\na estimated\n"
    )


def test_a_rich_cell_supplies_text_missing_from_the_cell() -> None:
    doc = Doc()
    table = doc.table([["A"], [""]])
    group = doc.group("unspecified", {"children": []})
    inner = doc.table([["p", "q"], ["r", "s"]])
    doc.record["body"]["children"].pop()
    group["children"] = [reference(inner)]
    table["data"]["table_cells"][1]["ref"] = reference(group)
    assert doc.markdown() == "| A |\n| --- |\n| p; q<br>r; s |\n"


def test_a_rich_cell_may_contain_inline_groups_and_lists() -> None:
    doc = Doc()
    table = doc.table([["A"], ["x"]])
    group = doc.group("unspecified", {"children": []})
    inline = doc.group("inline", group)
    doc.text("the area", inline)
    doc.text("A", inline)
    doc.item(doc.group("list", group), "one")
    doc.text("hidden", group, content_layer="invisible")
    table["data"]["table_cells"][1]["ref"] = reference(group)
    assert doc.markdown() == "| A |\n| --- |\n| the area A<br>- one |\n"


def test_groups_in_inline_groups_and_in_lists_are_read_once() -> None:
    doc = Doc()
    inline = doc.group("inline")
    doc.text("a", doc.group("inline", inline))
    doc.text("gone", inline, content_layer="furniture")
    doc.text("b", inline)
    outer = doc.group()
    doc.item(outer, "one", "1.")
    outer["children"] += [outer["children"][0]]
    doc.item(outer, "gone")["content_layer"] = "furniture"
    doc.item(outer, "dot")
    section = doc.group("section")
    doc.text("c", section)
    assert doc.markdown() == "a b\n\n1. one\n\n- dot\n\nc\n"


def test_captions_of_code_and_footnotes_of_pictures_are_kept() -> None:
    doc = Doc()
    caption = doc.text("Listing 1: x", label="caption")
    note = doc.text("a note", label="footnote")
    code = doc.text("x", label="code", code_language="unknown")
    code |= {"captions": [reference(caption)], "footnotes": []}
    doc.add("pictures", label="picture", captions=[], footnotes=[reference(note)])
    doc.text("", label="formula")["orig"] = "E = m"
    assert doc.markdown() == (
        "Listing 1: x\n\n```\nx\n```\n\n![](#/pictures/0)\n\na note\n\nE = m\n"
    )


def test_cells_at_the_same_position_are_joined() -> None:
    doc = Doc()
    table = doc.table([["A"], ["x"]])
    table["data"]["table_cells"].append(cell("y", 1, 0))
    assert doc.markdown() == "| A |\n| --- |\n| x y |\n"


def test_a_spanning_cell_repeated_for_each_column_is_read_once() -> None:
    """In tables of patents, docling repeats the cell for each column that it spans."""
    doc = Doc()
    table = doc.table([["A", "B"], ["", ""]])
    twice = [cell("x", 1, 0, columns=2), cell("x", 1, 0, columns=2)]
    table["data"]["table_cells"][2:] = twice
    assert doc.markdown() == "| A | B |\n| --- | --- |\n| x | x |\n"


def test_lists_in_rich_cells_keep_their_markers() -> None:
    doc = Doc()
    table = doc.table([["A"], ["x one two"]])
    group = doc.group("unspecified", {"children": []})
    doc.text("x", group)
    items = doc.group("list", group)
    doc.item(items, "one", "4.")
    inner = doc.item(items, "", "5.")
    inline = doc.group("inline", inner)
    doc.text("two", inline)
    table["data"]["table_cells"][1]["ref"] = reference(group)
    assert doc.markdown() == "| A |\n| --- |\n| x<br>4. one<br>5. two |\n"


def test_pictures_keep_caption_and_description_but_not_their_labels() -> None:
    doc = Doc()
    caption = doc.text("Figure 1: A duck", label="caption")
    described = [{"kind": "description", "text": "A yellow duck", "provenance": "model"}]
    picture = doc.add(
        "pictures",
        label="picture",
        captions=[reference(caption)],
        footnotes=[],
        annotations=described,
    )
    doc.text("axis", picture)
    expected = "![A yellow duck](#/pictures/0)\n\nFigure 1: A duck\n"
    assert doc.markdown() == expected
    picture |= {"annotations": [], "meta": {"description": {"text": "A yellow duck"}}}
    assert doc.markdown() == expected


def test_check_boxes_and_form_values_are_written_as_lines() -> None:
    doc = Doc()
    doc.text("yes", label="checkbox_selected")
    doc.text("no", label="checkbox_unselected")
    doc.add(
        "key_value_items",
        label="key_value_region",
        graph={"cells": [{"text": "Name"}, {"text": "X"}]},
    )
    assert doc.markdown() == "☒ yes\n\n☐ no\n\nName\nX\n"


# -------------------------------------------------------------------- pages


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
    item = doc.text(text)
    item["prov"] = [
        {"page_no": 1, "charspan": [0, 15]},
        {"page_no": 2, "charspan": [16, len(text)]},
    ]
    doc.text("after", page=2)
    source = read_docling(doc.record, "a")
    assert [source.text[offset:][:6] for offset, _ in source.page_marks] == ["before", "second"]
    assert [page for _, page in source.page_marks] == [1, 2]


def test_origins_are_docling_references() -> None:
    doc = Doc()
    doc.header("a")
    doc.text("b")
    assert read_docling(doc.record, "a").origins == (
        (0, "docling:#/texts/0"),
        (5, "docling:#/texts/1"),
    )


def test_a_json_file_gives_the_same_source_as_its_dict() -> None:
    doc = Doc()
    doc.text("x")
    data = json.dumps(doc.record, indent=2).encode()
    source = read_docling(data, "a.json")
    assert source == read_docling(doc.record, "a.json")
    assert source.metadata == {"filename": "a.pdf", "mimetype": "application/pdf"}


@pytest.mark.parametrize("other", [b"# text", b"[1]", b'{"schema_name": "Other"}', {}, "x", None])
def test_input_that_is_not_a_docling_document_is_rejected(other: Record | bytes) -> None:
    with pytest.raises(SourceError):
        read_docling(other, "a.json")


# -------------------------------------------------------------------- damaged and hostile input


def changed_document(change: Callable[[Doc], object]) -> Record:
    doc = Doc()
    doc.header("a", page=1)
    doc.table([["A"], ["1"]])
    change(doc)
    return doc.record


def nest_too_deeply(doc: Doc) -> None:
    """Add groups that are nested more deeply than the reader allows."""
    group = doc.group()
    for _ in range(DEEPEST + 5):
        group = doc.group("section", group)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda doc: doc.record.update(schema_name="Other"), "schema_name: is 'Other'"),
        (lambda doc: doc.record.update(version="2.0.0"), "version: is '2.0.0', but only 1.x"),
        (lambda doc: doc.record.pop("version"), "version: is None"),
        (lambda doc: doc.record.pop("body"), "#/body: should be an object, not null"),
        (lambda doc: doc.record.update(texts={}), "#/texts: should be an array, not an object"),
        (lambda doc: doc.record.update(texts=[1]), "#/texts/0: should be an object, not a number"),
        (
            lambda doc: doc.record["body"]["children"].append({"cref": ""}),
            r"#/body/children/2: has no '\$ref'",
        ),
        (
            lambda doc: doc.record["tables"][0]["data"].update(num_rows=10**9),
            "1000000000 x 1 places are more than",
        ),
        (nest_too_deeply, "items are nested deeper than 100"),
    ],
    ids=range(9),
)
def test_a_contradictory_document_is_rejected_and_the_error_locates_it(
    change: Callable[[Doc], object], message: str
) -> None:
    with pytest.raises(SourceError, match=message) as caught:
        read_docling(changed_document(change), "bad.json")
    assert str(caught.value).startswith("bad.json: cannot read as DoclingDocument JSON: ")


def damaged_document(change: Callable[[Doc], object]) -> Record:
    """A document with a heading, a list, a table and a last paragraph, after a change."""
    doc = Doc()
    doc.header("Head", page=1)
    doc.item(doc.group(), "Item")
    doc.table([["Column"], ["Cell"]])
    doc.text("Last.")
    change(doc)
    return doc.record


@pytest.mark.parametrize(
    ("change", "message", "lost"),
    [
        (
            lambda doc: doc.record["body"]["children"].append({"$ref": "#/texts/99"}),
            "#/body: refers to '#/texts/99', which does not exist",
            "",
        ),
        (
            lambda doc: doc.record["body"]["children"].insert(0, {"$ref": "#/pages/1"}),
            "refers to '#/pages/1'",
            "",
        ),
        (
            lambda doc: doc.record["tables"][0].update(captions=[{"$ref": "#/texts/99"}]),
            "#/tables/0: refers to '#/texts/99'",
            "",
        ),
        (
            lambda doc: doc.record["texts"][0].update(text=5),
            "#/texts/0/text: should be a string",
            "Head",
        ),
        (lambda doc: doc.record["texts"][1].update(text=[]), "#/texts/1/text: should be", "Item"),
        (lambda doc: doc.record["texts"][0].pop("text"), "#/texts/0: has no 'text'", "Head"),
        (lambda doc: doc.record["texts"][0].pop("label"), "#/texts/0: has no 'label'", "Head"),
        (
            lambda doc: doc.record["texts"][0].update(level="x"),
            "#/texts/0/level: should be a whole",
            "Head",
        ),
        (
            lambda doc: doc.record["texts"][0]["prov"][0].pop("page_no"),
            "prov/0: has no 'page_no'",
            "",
        ),
        (
            lambda doc: doc.record["tables"][0].pop("data"),
            "#/tables/0/data: should be an object",
            "Column Cell",
        ),
        (
            lambda doc: doc.record["tables"][0]["data"]["table_cells"][0].update(
                start_row_offset_idx=-1
            ),
            "should not be negative",
            "Column Cell",
        ),
    ],
    ids=range(11),
)
def test_a_contradictory_part_is_left_out_with_a_warning(
    change: Callable[[Doc], object], message: str, lost: str
) -> None:
    """A warning names the location of that part; all other parts are read."""
    with pytest.warns(LeftOutWarning, match=message):
        text = read_docling(damaged_document(change), "bad.json").text
    for word in ("Head", "Item", "Column", "Cell", "Last."):
        assert (word in text) is (word not in lost), word
    assert text.endswith("\nLast.\n")  # not inside the list


def test_a_cell_beyond_its_table_enlarges_the_table() -> None:
    """Converters may count columns wrongly, but the cell's text must not be lost."""
    doc = Doc()
    table = doc.table([["A", "B"], ["1", "2"]])
    table["data"].update(num_rows=1, num_cols=1)
    assert doc.markdown() == "| A | B |\n| --- | --- |\n| 1 | 2 |\n"
    table["data"]["table_cells"][3].update(start_col_offset_idx=10**9)
    with pytest.raises(SourceError, match="more than all tables of a document may have"):
        doc.markdown()


def test_form_fields_are_written_as_lines() -> None:
    """In schema 1.10, a region contains fields, and a field contains its key and its value."""
    doc = Doc()
    doc.record.update(field_regions=[], field_items=[])
    region = doc.add("field_regions", label="field_region")
    doc.text("Applicant", region, "field_heading")
    field = doc.add("field_items", region, label="field_item")
    doc.text("Name:", field, "field_key")
    doc.text("Ada", field, "field_value")
    larger = doc.add("field_items", region, label="field_item")
    doc.text("Pumps:", larger, "field_key")
    doc.item(doc.group("list", larger), "P100")
    assert doc.markdown() == "Applicant\n\nName: Ada\n\nPumps:\n\n- P100\n"


def test_items_of_an_unknown_kind_are_read() -> None:
    """Text of item kinds from a later version of the schema must not be lost."""
    doc = Doc()
    doc.record["novelties"] = []
    novelty = doc.add("novelties", label="novelty", text="New.")
    doc.text("Inside.", novelty)
    assert doc.markdown() == "New.\n\nInside.\n"


def test_json_with_field_names_instead_of_aliases_is_read() -> None:
    """``model_dump_json()`` writes ``cref``, in rich cells as well."""
    doc = Doc()
    doc.item(doc.group(), "One")
    rich = doc.text("Rich cell text", {})
    table = doc.table([["A"], [""]])
    table["data"]["table_cells"][1]["ref"] = {"$ref": rich["self_ref"]}
    data = json.dumps(doc.record).replace('"$ref"', '"cref"').encode()
    assert read_docling(data, "a") == read_docling(doc.record, "a")
    assert "Rich cell text" in doc.markdown()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'{"schema_name": "DoclingDocument",', "line 1, column 35: not valid JSON"),
        (b'{"a": "\xff"}', "byte 7: not valid JSON: not UTF-8"),
        (b"[" * 100_000, "nested too deep"),
        (b"1" * 10_000, "not valid JSON|should be an object"),
        (b"[]", "should be an object, not an array"),
    ],
)
def test_invalid_json_or_another_json_type_is_rejected(data: bytes, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        read_docling(data, "bad.json")


def test_circular_references_are_followed_once() -> None:
    doc = Doc()
    item = doc.text("a")
    item["children"] = [reference(item), {"$ref": "#/texts/0"}]
    assert doc.markdown() == "a\n"


@pytest.mark.slow
def test_huge_spans_beyond_the_table_are_rejected() -> None:
    doc = Doc()
    table = doc.table([["x"] * 150 for _ in range(150)])
    for table_cell in table["data"]["table_cells"][:100]:
        table_cell.update(end_row_offset_idx=10**9, end_col_offset_idx=10**9)
    with pytest.raises(SourceError, match="cells take"):
        doc.markdown()


@pytest.mark.slow
def test_huge_spans_are_rejected_before_any_cell_is_filled() -> None:
    """A thousand cells claim two million positions of a table that has 3,600."""
    usual, far = Doc(), Doc()
    for doc in (usual, far):
        table = doc.table([["x"] * 60 for _ in range(60)])
        table["data"]["table_cells"].reverse()  # so that each position is free when its cell comes
    for table_cell in table["data"]["table_cells"][-1000:]:
        table_cell.update(end_row_offset_idx=10**9, end_col_offset_idx=10**9)

    def refused() -> None:
        with pytest.raises(SourceError, match="cells take"):
            far.markdown()

    assert calls(refused) <= calls(usual.markdown)
