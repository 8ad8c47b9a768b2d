"""Measure the readers, and converters' markdown, on a folder of documents.

Run ``python integration_tests/measure_readers.py CORPUS [--misses N]``. Each document is read in
two ways where it can be: by treepack's reader, and as the markdown that a converter made of it
(docling, markitdown), which treepack parses. Both are held against what `page_reference` and
`reader_references` see of it:

* words: the share of the reference's words, each counted, that the text has
* headings: how many of the reference's stand in the tree, in order; levels: how many of these rise
  and fall as the reference's do (a title may put all others one lower)
* tables: how many have the same rows and columns with the same words in each cell
* nested: the headings ``5.1 …`` that stand under ``5 …``, where the document has one
* pages: chunks that have the pages which the provenance of their texts says
* findings: what the audit finds in the chunks

Exit status 1 where a reader's figure is too low: words 0.99, headings 0.98, all else everything. A
converter's markdown is measured only; what it lacks, no parser can find again.
"""

import argparse
import html
import re
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import pairwise
from pathlib import Path
from typing import Final

from page_reference import read_page
from reader_references import Docling, read_elements, read_word
from shown import WORD, Grid, Shown, tidy, words_in

from treepack import Document, Source, audit, pack, parse, read
from treepack.markdown.block_tokens import cell_spans
from treepack.markdown.html_tables import plain_html
from treepack.model.blocks import Block, ListItem, Table, children

LEAST_WORDS: Final = 0.99
LEAST_HEADINGS: Final = 0.98
_ESCAPE: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_TAG: Final = re.compile(r"</?(?:table|thead|tbody|tr|t[hd]|caption|br)>|<!-- image -->")
_INLINE_TAG: Final = re.compile(r"</?(?:sup|sub|code|strong)>")
_LINK_TARGET: Final = re.compile(r"\]\([^()\s]*\)")
_IMAGE: Final = re.compile(r"!\[[^\[\]]*\]\([^()\s]*\)")
_LABEL: Final = re.compile(r"(?m)^\s*[0-9]{1,3}\. ")
_NUMBER: Final = re.compile(r"[ \t]*((?:[0-9]+\.)*[0-9]+)\.?(?:[ \t]+\S|[ \t]*\Z)")


@dataclass
class Figures:
    """What was measured for one reading; a kind of figure is absent if it does not apply."""

    name: str
    seconds: float = 0.0
    words: float = 1.0
    pairs: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    findings: int = 0
    note: str = ""
    misses: list[str] = field(default_factory=list[str])

    def is_good(self) -> bool:
        """Whether all figures reach what is required."""
        found, wanted = self.pairs.get("headings", (0, 0))
        others = [pair for name, pair in self.pairs.items() if name != "headings"]
        return (
            not self.findings
            and self.words >= LEAST_WORDS
            and found >= LEAST_HEADINGS * wanted
            and all(held == total for held, total in others)
        )

    def line(self) -> str:
        """Return one line of the report."""
        shown = [f"{name} {held}/{total}" for name, (held, total) in self.pairs.items() if total]
        return (
            f"{'ok  ' if self.is_good() else 'LOW '}{self.name:<52.52} {self.seconds:5.2f} s"
            f"  words {self.words:.4f}  {'  '.join([*shown, f'findings {self.findings}'])}"
            f"{self.note}"
        )


# -------------------------------------------------------------------- what treepack made


def words_of(text: str) -> "Counter[str]":
    """Return the words of markdown without its markup."""
    return Counter(WORD.findall(_plain(text)))


def _plain(markdown: str) -> str:
    text = _INLINE_TAG.sub("", _TAG.sub("\n", _LINK_TARGET.sub("]", markdown)))
    return html.unescape(_ESCAPE.sub(r"\1", text))


def blocks_of(document: Document) -> Iterator[Block | ListItem]:
    """Yield all blocks, including nested ones."""
    for section in document.root.walk():
        waiting: list[Block | ListItem] = list(reversed(section.blocks))
        while waiting:
            block = waiting.pop()
            yield block
            waiting.extend(reversed(children(block)))


def grids_of(document: Document, *, has_labels: bool) -> list[Grid]:
    """Return the cells of all tables, header rows first; ``has_labels`` keeps item numbers."""
    found: list[Grid] = []
    text = document.source.text
    for block in blocks_of(document):
        if isinstance(block, Table) and block.is_html:
            found += read_page(text[block.start : block.end]).tables
        elif isinstance(block, Table):
            header = (block.header[0], text.find("\n", *block.header))
            rows = [cell_spans(text, *row) for row in (header, *block.rows)]
            cells = [[_plain(_IMAGE.sub(" ", text[a:b])) for a, b in row] for row in rows]
            if not has_labels:
                cells = [[_LABEL.sub("", cell) for cell in row] for row in cells]
            found.append(tidy(cells))
    return [grid for grid in found if grid]


# -------------------------------------------------------------------- comparisons


def compare(figures: Figures, reference: Shown, source: Source) -> None:
    """Compare one reading with the reference."""
    document = parse(source)
    missed = reference.words - words_of(source.text)
    total = reference.words.total()
    figures.words = 1 - missed.total() / total if total else 1.0
    figures.misses += [f"words missed: {missed.most_common(12)}"] if missed else []
    compare_headings(figures, reference.headings, written_headings(source))
    compare_tables(figures, reference.tables, grids_of(document, has_labels=reference.has_labels))
    compare_nesting(figures, reference.headings, document)
    chunks = pack(source)
    report = audit(source, chunks)
    figures.findings = len(report.findings)
    figures.misses += [str(finding) for finding in report.findings[:3]]


def written_headings(source: Source) -> list[tuple[int, str]]:
    """Return the headings as they are written, before any repair of the outline."""
    sections = parse(source, outline="trust").root.walk()
    return [(s.heading.level, s.heading.text) for s in sections if s.heading]


def compare_headings(
    figures: Figures, reference: list[tuple[int, str]], ours: list[tuple[int, str]]
) -> None:
    """Count the reference's headings that are found, in order, and the levels that agree.

    Levels agree if both lists rise and fall alike: the difference is the same for all. A number
    alone is not a heading but a part of the next one.
    """
    reference, ours = ([each for each in some if _key(each[1])] for some in (reference, ours))
    wanted, found = [_key(text) for _, text in reference], [_key(text) for _, text in ours]
    matcher = SequenceMatcher(None, wanted, found, autojunk=False)
    pairs = [
        (reference[block.a + at], ours[block.b + at])
        for block in matcher.get_matching_blocks()
        for at in range(block.size)
    ]
    figures.pairs["headings"] = (len(pairs), len(reference))
    figures.misses += [f"heading missed: {text}" for text in wanted if text not in found]
    shifts = Counter(our[0] - their[0] for their, our in pairs if their[0])
    if shifts:
        usual = shifts.most_common(1)[0][0]
        figures.pairs["levels"] = (shifts[usual], shifts.total())
        figures.misses += [f"level: {a} {b}" for a, b in pairs if a[0] and b[0] - a[0] != usual]


def _key(text: str) -> str:
    """Return a heading's words without a number before them, in lower case."""
    text = re.sub(r"\A[\W\d]*(?:\d[\d.]*\s+)?", "", plain_html(text, 0, len(text)))
    return words_in(_ESCAPE.sub(r"\1", text)).casefold()


def compare_tables(figures: Figures, reference: list[Grid], ours: list[Grid]) -> None:
    """Count the reference's tables that treepack found, in order and equal in each cell.

    A cell over several columns counts once, whether it is repeated in them or not.
    """
    reference, ours = ([_without_repeats(grid) for grid in grids] for grids in (reference, ours))
    matcher = SequenceMatcher(None, reference, ours, autojunk=False)
    same = sum(block.size for block in matcher.get_matching_blocks())
    figures.pairs["tables"] = (same, len(reference))
    for kind, first, after, our_first, our_after in matcher.get_opcodes():
        if kind != "equal":
            theirs, mine = reference[first:after], ours[our_first:our_after]
            figures.misses.append(f"tables: {_sizes(theirs)} are {_sizes(mine)}")
            for their, our in zip(theirs, mine, strict=False):
                figures.misses += _different_cells(their, our)


def _without_repeats(grid: Grid) -> Grid:
    """Return the cells, without those that repeat the cell at their left."""
    return tuple(
        tuple("" if cell == before else cell for before, cell in pairwise(["", *row]))
        for row in grid
    )


def _sizes(grids: list[Grid]) -> str:
    return ", ".join(f"{len(grid)}x{len(grid[0])}" for grid in grids) or "nothing"


def _different_cells(theirs: Grid, ours: Grid) -> list[str]:
    pairs = [
        (a, b)
        for row, our_row in zip(theirs, ours, strict=False)
        for a, b in zip(row, our_row, strict=False)
        if a != b
    ]
    return [f"  cell {a[:60]!r} is {b[:60]!r}" for a, b in pairs[:2]]


def compare_nesting(figures: Figures, reference: list[tuple[int, str]], document: Document) -> None:
    """Count the headings like ``5.1`` that are under the heading ``5``, if there is one."""
    known = {match[1] for _, text in reference if (match := _NUMBER.match(text))}
    good = total = 0
    waiting = [(document.root, frozenset[str]())]
    while waiting:
        section, above = waiting.pop()
        match = _NUMBER.match(section.heading.text) if section.heading else None
        if match and (parent := match[1].rpartition(".")[0]) in known:
            total += 1
            good += parent in above
            figures.misses += [] if parent in above else [f"{match[0]!r} is not under {parent}"]
        waiting += [(inner, above | {match[1]} if match else above) for inner in section.sections]
    figures.pairs["nested"] = (good, total)


def compare_pages(figures: Figures, reference: Shown, source: Source) -> None:
    """Count the chunks whose pages are those of the items of which they contain words.

    Items are identified by their origin. A text over two pages may be cut anywhere: its chunks have
    at least one of both.
    """
    spans = list(_item_spans(source))
    good = 0
    chunks = pack(source)
    for chunk in chunks:
        body = [s.span for s in chunk.segments if s.span and s.role in ("body", "heading")]
        expected: set[int] = set()
        inner: set[int] = set()
        for start, end, place in spans:
            if any(start < after and first < end for first, after in body):
                pages = reference.pages[place]
                expected |= pages
                inner |= pages if len(pages) == 1 else set()
        held = set(chunk.pages)
        is_right = bool(held) and inner <= held <= expected
        good += is_right
        if not is_right:
            miss = f"pages {chunk.pages}, not {sorted(expected)}: {chunk.text[:60]!r}"
            figures.misses.append(miss)
    figures.pairs["pages"] = (good, len(chunks))


def _item_spans(source: Source) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and reference of each item's text, without the blank lines after it."""
    ends = [offset for offset, _ in source.origins[1:]] + [len(source.text)]
    for (start, origin), end in zip(source.origins, ends, strict=True):
        place = origin.removeprefix("docling:").partition(" ")[0]
        if not place.startswith("#/groups/"):
            yield start, start + len(source.text[start:end].rstrip()), place


# -------------------------------------------------------------------- documents


def measure(path: Path, look: Callable[[Path], Shown], markdown: Path | None) -> list[Figures]:
    """Return the figures of treepack's reading of a document, and of a converter's markdown."""
    begun = time.process_time()
    source = read(path)
    figures = Figures(path.name, time.process_time() - begun)
    reference = look(path)
    others = ", ".join(f"{many} {reason}" for reason, many in reference.others.items() if many)
    figures.note = f"  (other tables: {others})" if others else ""
    compare(figures, reference, source)
    if reference.pages:
        compare_pages(figures, reference, source)
    if markdown is None or not markdown.exists():
        return [figures]
    converter = "markitdown" if "markitdown" in markdown.parts else "docling"
    theirs = Figures(f"  its markdown by {converter}")
    compare(theirs, reference, read(markdown))
    return [figures, theirs]


def documents(corpus: Path) -> Iterator[tuple[Path, Callable[[Path], Shown], Path | None]]:
    """Yield all documents, the function that reads their reference, and the path of markdown."""
    converters = corpus / "converters"
    for path in sorted([*corpus.rglob("*.html"), *corpus.rglob("*.htm")]):
        yield path, lambda page: read_page(page.read_text("utf-8", "replace")), _markdown_of(path)
    for path in sorted(corpus.rglob("*.docx")):
        made = converters / "markitdown" / f"{path.stem}.md"
        yield path, read_word, made if made.exists() else _markdown_of(path)
    for path in sorted((converters / "docling").rglob("groundtruth/*.json")):
        yield path, lambda record: Docling(record).shown(), path.with_suffix(".md")
    for path in sorted((converters / "unstructured").rglob("*.json")):
        yield path, read_elements, None


def _markdown_of(path: Path) -> Path:
    """Return the path of docling's output for one of its test documents."""
    return path.parent.parent / "groundtruth" / f"{path.name}.md"


def main() -> int:
    """Print one line for each reading; return 1 if a reader's figure is too low."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--misses", type=int, default=0, help="how many misses to print")
    arguments = parser.parse_args()
    warnings.simplefilter("error")
    low = many = 0
    for path, look, markdown in documents(arguments.corpus):
        readings = measure(path, look, markdown)
        many += 1
        low += not readings[0].is_good()
        for figures in readings:
            print(figures.line())
            for miss in figures.misses[: arguments.misses]:
                print(f"        {miss}")
    print(f"{many} documents, {low} with a figure of ours too low")
    return 1 if low else 0


if __name__ == "__main__":
    sys.exit(main())
