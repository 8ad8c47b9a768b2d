"""What Word documents, DoclingDocuments and unstructured's lists show.

They are read by short code that is independent of treepack; `measure_readers.py` compares
treepack's readers, and converters' markdown, with it.
"""

import base64
import json
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree as ET

from page_reference import read_page
from shown import WORD, Shown, tidy, words_in

_W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"

_LONGEST_LABEL: Final = 120  # characters of a cell over rows that is repeated in each


# -------------------------------------------------------------------- Word


def read_word(path: Path) -> Shown:
    """Return the words, tables and headings of a .docx; math has symbols, not words."""
    with zipfile.ZipFile(path) as archive:
        body = ET.fromstring(archive.read("word/document.xml"))  # noqa: S314 - files of the corpus
        styles = ET.fromstring(archive.read("word/styles.xml"))  # noqa: S314 - as above
    shown = Shown(has_labels=False)  # Word counts list items itself
    for paragraph in body.iter(f"{_W}p"):
        shown.words.update(WORD.findall(_own_text(paragraph)))
    levels = _levels(styles)
    for paragraph in body.iter(f"{_W}p"):
        style = paragraph.find(f"{_W}pPr/{_W}pStyle")
        level = levels.get(style.get(f"{_W}val", "") if style is not None else "")
        if level and (text := words_in(_own_text(paragraph))):
            shown.headings.append((level, text))
    for table in body.findall(f"{_W}body/{_W}tbl"):
        _sort_word_table(table, shown)
    return shown


def _sort_word_table(table: ET.Element, shown: Shown) -> None:
    """Add a table to those with rows and columns, or count the reason why it is not one."""
    cells = table.findall(f"{_W}tr/{_W}tc")
    inner = [held for cell in cells for held in cell.findall(f"{_W}tbl")]
    if len(cells) == 1:
        shown.others["of one cell"] += 1
        for held in inner:
            _sort_word_table(held, shown)
        return
    shown.others["in a cell"] += len(inner)
    if _is_column_of_texts(table):
        shown.others["layout"] += 1
        return
    if grid := tidy(_word_rows(table)):
        shown.tables.append(grid)
    else:
        shown.others["without text"] += 1


def _is_column_of_texts(table: ET.Element) -> bool:
    """Return whether no row has two cells with text, and a cell has more than one paragraph."""
    rows = [
        [
            [text for p in cell.iter(f"{_W}p") if (text := words_in(_own_text(p)))]
            for cell in row.findall(f"{_W}tc")
        ]
        for row in table.findall(f"{_W}tr")
    ]
    is_marked = table.find(f"{_W}tr/{_W}trPr/{_W}tblHeader") is not None
    filled = [cell for row in rows for cell in row if cell]
    has_columns = any(sum(map(bool, row)) > 1 for row in rows)
    return not (has_columns or is_marked) and (
        len(filled) == 1 or max(map(len, filled), default=0) > 1
    )


def _own_text(paragraph: ET.Element) -> str:
    """Return the text of a paragraph, without paragraphs in text boxes inside it."""
    parts: list[str] = []
    waiting = [paragraph]
    while waiting:
        element = waiting.pop()
        if element.tag == f"{_W}t":
            parts.append(element.text or "")
        elif element.tag in (f"{_W}tab", f"{_W}br", f"{_W}cr"):
            parts.append(" ")
        waiting.extend(child for child in reversed(element) if child.tag != f"{_W}p")
    return "".join(parts)


def _levels(styles: ET.Element) -> dict[str, int]:
    """Return the levels of heading styles, by the styles' ids."""
    found: dict[str, int] = {}
    for style in styles.iter(f"{_W}style"):
        name = style.find(f"{_W}name")
        match = re.fullmatch(
            r"heading ([1-9])", (name.get(f"{_W}val") or "").lower() if name is not None else ""
        )
        if match:
            found[style.get(f"{_W}styleId", "")] = int(match[1])
    return found


def _word_rows(table: ET.Element) -> list[list[str]]:
    rows: list[list[str]] = []
    for row in table.findall(f"{_W}tr"):
        before = row.find(f"{_W}trPr/{_W}gridBefore")
        texts = [""] * int(before.get(f"{_W}val", "0") if before is not None else 0)
        for cell in row.findall(f"{_W}tc"):
            span = cell.find(f"{_W}tcPr/{_W}gridSpan")
            merge = cell.find(f"{_W}tcPr/{_W}vMerge")
            text = "\n".join(_own_text(paragraph) for paragraph in cell.iter(f"{_W}p"))
            if merge is not None and merge.get(f"{_W}val") != "restart":
                text = rows[-1][len(texts)]
                text = text if len(text) <= _LONGEST_LABEL else ""
            columns = int(span.get(f"{_W}val", "1") if span is not None else 1)
            texts += [text, *[""] * (columns - 1)]  # a cell over several columns stands once
        rows.append(texts)
    return rows


# -------------------------------------------------------------------- Docling


class Docling:
    """A DoclingDocument, read in the shortest way: its body layer, without text in pictures."""

    def __init__(self, path: Path) -> None:
        self.document: dict[str, Any] = json.loads(path.read_bytes())
        self.items: list[dict[str, Any]] = []
        self._seen: set[str] = set()
        self._walk(self.document["body"])

    def _walk(self, item: dict[str, Any]) -> None:
        references = [*item.get("children", []), *item.get("captions", [])]
        references += item.get("footnotes", [])
        if item.get("label") in ("picture", "table"):  # what is in cells is also the cells' text
            references = [*item["captions"], *item["footnotes"]]
        for reference in references:
            name = reference["$ref"]
            key, number = name.removeprefix("#/").split("/")
            child = self.document[key][int(number)]
            if name in self._seen or child.get("content_layer", "body") != "body":
                continue
            self._seen.add(name)
            if not str(child.get("label")).startswith("page_"):
                self.items.append(child)
                self._walk(child)

    def shown(self) -> Shown:
        """Return what it shows; levels are as written, with section headers below a title."""
        labels = ("title", "section_header")
        found = [item for item in self.items if item["label"] in labels and item["text"].strip()]
        has_title = any(item["label"] == "title" for item in found)
        shown = Shown(has_labels=False)  # labels are stored beside the texts
        shown.headings = [
            (item.get("level", 1) + (has_title and item["label"] != "title"), item["text"])
            for item in found
        ]
        texts = [item.get("text", "") for item in self.items]
        for item in self.items:
            if "data" in item:
                texts += [cell["text"] for cell in item["data"]["table_cells"]]
                if grid := tidy(self._rows(item["data"])):
                    shown.tables.append(grid)
                else:
                    shown.others["without text"] += 1
        shown.words = Counter(WORD.findall("\n".join(texts)))
        if self.document["pages"]:
            for item in self.items:
                shown.pages[item["self_ref"]] = {p["page_no"] for p in item.get("prov", [])}
        return shown

    def _rows(self, data: dict[str, Any]) -> list[list[str]]:
        rows = [[""] * data["num_cols"] for _ in range(data["num_rows"])]
        for cell in data["table_cells"]:
            after = "\n".join(self._texts(cell["ref"])) if "ref" in cell else ""
            text = max(cell["text"], after, key=lambda found: len("".join(WORD.findall(found))))
            for row in range(cell["start_row_offset_idx"], cell["end_row_offset_idx"]):
                for column in range(cell["start_col_offset_idx"], cell["end_col_offset_idx"]):
                    rows[row][column] = text
        return rows

    def _texts(self, reference: dict[str, str]) -> Iterator[str]:
        """Yield the texts of an item and of all items below it, tables row by row."""
        key, number = reference["$ref"].removeprefix("#/").split("/")
        item = self.document[key][int(number)]
        if "text" in item:
            yield item["text"]
        if "data" in item:
            for row in self._rows(item["data"]):
                yield from row
            return
        for child in item["children"]:
            yield from self._texts(child)


# -------------------------------------------------------------------- unstructured


def read_elements(path: Path) -> Shown:
    """Return words, titles and tables of unstructured's list, without page headers and footers.

    Chunks contain the elements that they were made of: these elements count, each once.
    """
    shown = Shown()
    for element in _elements(json.loads(path.read_bytes())):
        if element["type"] in ("Header", "Footer", "PageBreak", "PageNumber"):
            continue
        page = element["metadata"].get("text_as_html")
        if page:
            inner = read_page(page)
            shown.tables += inner.tables
            shown.words += inner.words
            continue
        shown.words.update(WORD.findall(element["text"]))
        if element["type"] == "Title":
            shown.headings.append((0, element["text"]))
    return shown


def _elements(records: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    known = ""
    for record in records:
        packed = record["metadata"].get("orig_elements")
        if not packed:
            yield record
            continue
        for inner in json.loads(zlib.decompress(base64.b64decode(packed))):
            if inner["element_id"] != known:  # a long element continues in the next chunk
                yield inner
            known = inner["element_id"]
