"""Prints how much of real Word and Docling documents the readers keep, file by file.

Usage: python integration_tests/measure_docx_docling.py [CORPUS] [--misses N]

References, none of them made by treepack:

* words: of a .docx all ``w:t`` of its body that are not deleted; of a DoclingDocument the text of
  all items of its body layer that are not inside pictures, cells included
* headings and levels: of a .docx docling's JSON where there is one, else markitdown's markdown; of
  a DoclingDocument its titles and section headers
* tables: rows and columns as docling's JSON has them
* pages: each item's provenance
* findings: treepack's audit of the chunks

Exit status 1 when a figure is below what is asked: headings 0.98, words 0.99, all levels, tables
and pages right.
"""

import argparse
import html
import json
import os
import re
import sys
import warnings
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from treepack import audit, pack, parse
from treepack.document.blocks import Table
from treepack.document.html_tables import plain_html
from treepack.document.source import Source
from treepack.readers.docling import read_docling
from treepack.readers.docx import read_docx

_WORD = re.compile(r"\w+")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_TAG = re.compile(r"</?(?:table|thead|tbody|tr|t[hd]|caption|br|sup|sub|code|strong)>")
_IMAGE_TARGET = re.compile(r"\]\([^()\s]*\)")


@dataclass
class Figures:
    """What was measured of one file; None where the file has nothing to measure it on."""

    name: str
    words: float = 1.0
    headings: tuple[int, int] | None = None  # found, in the reference
    levels: tuple[int, int] | None = None
    tables: tuple[int, int] | None = None
    pages: tuple[int, int] | None = None
    findings: int = 0
    misses: list[str] = field(default_factory=list[str])

    def is_good(self) -> bool:
        """Whether all figures are what is asked."""
        pairs = (self.levels, self.tables, self.pages)
        has_headings = self.headings is None or self.headings[0] >= 0.98 * self.headings[1]
        return (
            not self.findings
            and self.words >= 0.99
            and has_headings
            and all(p is None or p[0] == p[1] for p in pairs)
        )

    def line(self) -> str:
        """One line of the report."""
        shown = [
            f"{name} {pair[0]}/{pair[1]}"
            for name, pair in (
                ("headings", self.headings),
                ("levels", self.levels),
                ("tables", self.tables),
                ("pages", self.pages),
            )
            if pair is not None
        ]
        mark = "ok  " if self.is_good() else "LOW "
        shown.append(f"findings {self.findings}")
        return f"{mark}{self.name:<48} words {self.words:.4f}  {'  '.join(shown)}"


# -------------------------------------------------------------------- what we made


def words_of(source: Source) -> Counter[str]:
    """The words of a source without its markup."""
    text = _TAG.sub(" ", _ESCAPE.sub(r"\1", _IMAGE_TARGET.sub("]", source.text)))
    return Counter(_WORD.findall(html.unescape(text)))


def headings_of(source: Source) -> list[tuple[int, str]]:
    """Levels and plain texts of a source's headings, levels as they are written."""
    sections = parse(source).root.walk()
    return [(s.heading.level, s.heading.text) for s in sections if s.heading]


def sizes_of(source: Source) -> list[tuple[int, int]]:
    """Rows (header rows included, an empty one not) and columns of a source's tables."""
    found: list[tuple[int, int]] = []
    for section in parse(source).root.walk():
        for block in section.blocks:
            if isinstance(block, Table):
                header = block.header_rows if any(block.columns) else 0
                found.append((len(block.rows) + header, len(block.columns)))
    return found


# -------------------------------------------------------------------- comparisons


def compare_words(figures: Figures, reference: Counter[str], ours: Counter[str]) -> None:
    """Recall of the reference's words."""
    missed = reference - ours
    total = reference.total()
    figures.words = 1 - missed.total() / total if total else 1.0
    figures.misses += [f"words missed: {missed.most_common(12)}"] if missed else []


def hold_against_laws(figures: Figures, source: Source) -> None:
    """What the audit finds in the chunks."""
    report = audit(source.text, pack(source), name=source.name)
    figures.findings = len(report.findings)
    figures.misses += [str(finding) for finding in report.findings[:3]]


def compare_headings(
    figures: Figures, reference: list[tuple[int, str]], ours: list[tuple[int, str]]
) -> None:
    """Which headings of the reference are found, in order, and how many levels agree.

    Levels agree when both lists rise and fall alike: the difference is the same for all.
    """
    wanted, found = [_key(text) for _, text in reference], [_key(text) for _, text in ours]
    matcher = SequenceMatcher(None, wanted, found, autojunk=False)
    pairs = [
        (reference[block.a + at], ours[block.b + at])
        for block in matcher.get_matching_blocks()
        for at in range(block.size)
    ]
    figures.headings = (len(pairs), len(reference))
    shifts = Counter(our[0] - their[0] for their, our in pairs)
    figures.levels = (max(shifts.values(), default=0), len(pairs))
    figures.misses += [f"heading missed: {text}" for text in wanted if text not in found]
    usual = shifts.most_common(1)[0][0] if shifts else 0
    figures.misses += [f"level: {a} {b}" for a, b in pairs if b[0] - a[0] != usual]


def _key(text: str) -> str:
    """A heading's words without an automatic number before them."""
    words = _WORD.findall(re.sub(r"\A[\W\d]*(?:\d[\d.]*\s+)?", "", plain_html(text, 0, len(text))))
    return " ".join(words).casefold()


def compare_tables(
    figures: Figures, reference: list[tuple[int, int]], ours: list[tuple[int, int]]
) -> None:
    """How many of the reference's tables stand in our list, in order."""
    matcher = SequenceMatcher(None, reference, ours, autojunk=False)
    found = sum(block.size for block in matcher.get_matching_blocks())
    figures.tables = (found, len(reference))
    if found != len(reference):
        figures.misses.append(f"tables: {reference} against {ours}")


# -------------------------------------------------------------------- Docling


class Docling:
    """A DoclingDocument as a reference, read by the shortest way."""

    def __init__(self, path: Path) -> None:
        self.document: dict[str, Any] = json.loads(path.read_bytes())
        self.items: list[dict[str, Any]] = []
        self._seen: set[str] = set()
        self._walk(self.document["body"])

    def _walk(self, item: dict[str, Any]) -> None:
        references = [*item.get("children", []), *item.get("captions", [])]
        references += item.get("footnotes", [])
        if item.get("label") in ("picture", "table"):  # what stands in cells is their text, too
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

    def words(self) -> Counter[str]:
        """The words of all items and cells."""
        texts = [item.get("text", "") for item in self.items]
        for item in self.tables():
            texts += [cell["text"] for cell in item["data"]["table_cells"]]
        return Counter(_WORD.findall("\n".join(texts)))

    def levels(self) -> list[tuple[int, str]]:
        """Titles and section headers with the levels as they are written."""
        labels = ("title", "section_header")
        found = [item for item in self.items if item["label"] in labels and item["text"].strip()]
        return [(item.get("level", 1), item["text"]) for item in found]

    def headings(self) -> list[tuple[int, str]]:
        """The same, section headers below a title."""
        titles = {item["text"] for item in self.items if item["label"] == "title"}
        return [
            (level + (bool(titles) and text not in titles), text) for level, text in self.levels()
        ]

    def tables(self) -> list[dict[str, Any]]:
        """All tables that do not stand in a cell."""
        return [item for item in self.items if "data" in item]

    def sizes(self) -> list[tuple[int, int]]:
        """Rows and columns; what has no text at all is no table in markdown."""
        return [
            (item["data"]["num_rows"], item["data"]["num_cols"])
            for item in self.tables()
            if any(cell["text"].strip() for cell in item["data"]["table_cells"])
        ]


def measure_docling(path: Path) -> Figures:
    """Figures of one DoclingDocument."""
    source = read_docling(path.read_bytes(), path.name)
    reference, figures = Docling(path), Figures(path.name)
    hold_against_laws(figures, source)
    compare_words(figures, reference.words(), words_of(source))
    compare_headings(figures, reference.headings(), written_headings(source))
    compare_tables(figures, reference.sizes(), sizes_of(source))
    if reference.document["pages"]:
        compare_pages(figures, reference, source)
    return figures


def written_headings(source: Source) -> list[tuple[int, str]]:
    """The headings as they are written, before any repair of the outline."""
    found = re.findall(r"(?m)^(#{1,6}) (.*)$", source.text)
    return [(len(marks), _ESCAPE.sub(r"\1", text)) for marks, text in found]


def compare_pages(figures: Figures, reference: Docling, source: Source) -> None:
    """Each chunk has pages, and they are those of the items of which it holds all words.

    Items are known by their origin: the chunk's body holds the text from the item's offset on.
    """
    by_place = {item["self_ref"]: item for item in reference.items}
    spans = list(_item_spans(source))
    good = 0
    chunks = pack(source)
    for chunk in chunks:
        body = [s.span for s in chunk.segments if s.span and s.role in ("body", "heading")]
        expected: set[int] = set()
        inner: set[int] = set()
        for start, end, place in spans:
            if not any(start < b and a < end for a, b in body):
                continue
            pages = {prov["page_no"] for prov in by_place[place]["prov"]}
            expected |= pages
            inner |= pages if len(pages) == 1 else set()
        held = set(chunk.pages)
        is_right = bool(held) and inner <= held <= expected
        good += is_right
        if not is_right:
            figures.misses.append(
                f"pages {chunk.pages}, not {sorted(expected)}: {chunk.text[:60]!r}"
            )
    figures.pages = (good, len(chunks))


def _item_spans(source: Source) -> Iterator[tuple[int, int, str]]:
    """From where to where the text of each item goes, blank lines left out."""
    ends = [offset for offset, _ in source.origins[1:]] + [len(source.text)]
    for (start, origin), end in zip(source.origins, ends, strict=True):
        text = source.text[start:end]
        place = origin.removeprefix("docling:")
        if place.startswith("#/groups/"):
            continue
        yield start, start + len(text.rstrip()), place


# -------------------------------------------------------------------- Word


def measure_docx(path: Path, corpus: Path) -> Figures:
    """Figures of one Word document."""
    data = path.read_bytes()
    source = read_docx(data, path.name)
    figures = Figures(path.name)
    hold_against_laws(figures, source)
    compare_words(figures, docx_words(path), words_of(source))
    truth = corpus / "converters/docling/docx/groundtruth" / f"{path.name}.json"
    markdown = corpus / "converters/markitdown" / f"{path.stem}.md"
    if truth.exists():
        reference = Docling(truth)
        titles = {item["text"] for item in reference.items if item["label"] == "title"}
        written = written_headings(source)
        # Word has no level for a document's title: its place above the others is docling's choice.
        wanted = [(1 if text in titles else level, text) for level, text in reference.levels()]
        compare_headings(figures, wanted, written)
        compare_tables(figures, reference.sizes(), sizes_of(source))
    elif markdown.exists():
        headings = re.findall(r"(?m)^(#{1,6}) (.*\w.*)$", markdown.read_text("utf-8"))
        wanted = [(len(marks), re.sub(r"[*\\]", "", text)) for marks, text in headings]
        compare_headings(figures, wanted, written_headings(source))
    return figures


def docx_words(path: Path) -> Counter[str]:
    """The words of all text elements of the body; math has signs, not words."""
    with zipfile.ZipFile(path) as archive:
        xml = archive.read("word/document.xml").decode("utf-8")
    texts: list[str] = []
    for paragraph in re.split(r"</w:p>", xml):
        spaced = re.sub(r"<w:(?:tab|br|cr)(?: [^<>]*)?/>", "<w:t> </w:t>", paragraph)
        runs = re.findall(r"<w:t(?: [^<>]*)?>([^<]*)</", spaced)
        texts.append(html.unescape("".join(runs)))
    return Counter(_WORD.findall("\n".join(texts)))


def main() -> int:
    """Print one line for each file; 1 where a figure is too low."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", nargs="?", default=os.environ.get("TREEPACK_CORPUS", ""))
    parser.add_argument("--misses", type=int, default=0, help="how many misses to print")
    arguments = parser.parse_args()
    corpus = Path(arguments.corpus)
    warnings.simplefilter("error")
    figures = [measure_docx(path, corpus) for path in sorted(corpus.rglob("*.docx"))]
    folder = corpus / "converters" / "docling"
    figures += [measure_docling(path) for path in sorted(folder.rglob("groundtruth/*.json"))]
    for figure in figures:
        lines = [figure.line(), *(f"      {miss}" for miss in figure.misses[: arguments.misses])]
        sys.stdout.write("\n".join(lines) + "\n")
    low = sum(not figure.is_good() for figure in figures)
    sys.stdout.write(f"{len(figures)} files, {low} with a figure too low\n")
    return 1 if low else 0


if __name__ == "__main__":
    sys.exit(main())
