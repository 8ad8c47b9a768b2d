"""DoclingDocuments, built item by item, for tests."""

from typing import Any

from treepack.readers.docling.reader import read_docling

Record = dict[str, Any]


class Doc:
    """Builds a DoclingDocument."""

    def __init__(self) -> None:
        self.record: Record = {
            "schema_name": "DoclingDocument",
            "version": "1.10.0",
            "name": "a",
            "origin": {"filename": "a.pdf", "mimetype": "application/pdf", "binary_hash": 1},
            "body": {"self_ref": "#/body", "children": []},
            **{key: [] for key in ("texts", "tables", "pictures", "groups", "key_value_items")},
        }

    def add(self, key: str, parent: Record | None = None, **values: object) -> Record:
        """Add an item to a parent: to the body if it is None, to nothing if it is an empty dict."""
        reference = f"#/{key}/{len(self.record[key])}"
        page = values.pop("page", None)
        item: Record = {
            "self_ref": reference,
            "children": [],
            "content_layer": "body",
            "prov": [],
            **values,
        }
        if page:
            item["prov"] = [{"page_no": page, "charspan": [0, len(str(values.get("text", "")))]}]
        self.record[key].append(item)
        if parent is None:
            self.record["body"]["children"].append({"$ref": reference})
        elif parent:
            parent["children"].append({"$ref": reference})
        return item

    def text(
        self, text: str, parent: Record | None = None, label: str = "text", **more: object
    ) -> Record:
        """A text item."""
        return self.add("texts", parent, label=label, text=text, orig=text, **more)

    def header(self, text: str, level: int = 1, page: int | None = None) -> Record:
        """A section header."""
        return self.text(text, label="section_header", level=level, page=page)

    def item(self, parent: Record, text: str, marker: str = "-") -> Record:
        """A list item in a group."""
        is_number = marker[:1].isdigit()
        return self.text(text, parent, "list_item", enumerated=is_number, marker=marker)

    def group(self, label: str = "list", parent: Record | None = None) -> Record:
        """A group."""
        return self.add("groups", parent, label=label, name=label)

    def table(self, rows: list[list[str]], headers: int = 1) -> Record:
        """A table of plain cells."""
        cells = [
            cell(text, at, column, column_header=at < headers)
            for at, row in enumerate(rows)
            for column, text in enumerate(row)
        ]
        data = {"table_cells": cells, "num_rows": len(rows), "num_cols": len(rows[0]), "grid": []}
        return self.add("tables", label="table", data=data, captions=[], footnotes=[])

    def markdown(self) -> str:
        """The document as markdown."""
        return read_docling(self.record, "a.json").text


def cell(
    text: str, row: int, column: int, rows: int = 1, columns: int = 1, **more: object
) -> Record:
    return {
        "text": text,
        "start_row_offset_idx": row,
        "end_row_offset_idx": row + rows,
        "start_col_offset_idx": column,
        "end_col_offset_idx": column + columns,
        "row_span": rows,
        "col_span": columns,
        "column_header": False,
        **more,
    }


def reference(item: Record) -> Record:
    return {"$ref": item["self_ref"]}
