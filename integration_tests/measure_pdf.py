"""Measure the PDF reader on a folder of PDFs.

Run ``python integration_tests/measure_pdf.py FOLDER [--fonts] [--tables]``. What PDFium itself says
of a file is the reference: its bookmarks for headings and paths, the characters of its pages for
texts and pages. For each file:

* marks: bookmarks that are headings of the tree
* path: share of the text whose whole path, from the top, is that of the bookmarks
* fonts: recall, precision and path where the bookmarks are hidden from the reader
* lost, added: characters (letters and digits) beside those that are listed as skipped, and those of
  cells that span several places and stand in each
* pages: chunks whose first and last page have their first and last words
* tables: how many, and their share of all words; ``--tables`` prints them, to be judged by eye
* CPU: seconds per 100 pages, the worker's included; memory: MiB per page while reading
* laws: what the audit finds in the chunks

Files that cannot be read are listed with their error and the seconds that it took.
"""

import argparse
import re
import resource
import time
import tracemalloc
import unicodedata
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, Final

import pypdfium2

import treepack
from treepack import Document, Source, SourceError
from treepack.model.section import Section
from treepack.readers.inlines import flat
from treepack.readers.pdf import PdfLimits, read_pdf
from treepack.readers.pdf.blocks import body_of
from treepack.readers.pdf.bookmarks import match_bookmarks
from treepack.readers.pdf.furniture import mark_toc
from treepack.readers.pdf.reader import Headings, read_pages
from treepack.readers.pdf.tables.finder import find_tables
from treepack.readers.pdf_worker.process import close_idle

_WORD: Final = re.compile(r"[^\W_]+")
_TAG: Final = re.compile(r"</?(?:table|thead|tbody|tr|t[hd]|caption|sup|sub|code|strong|br)>")
_SHINGLE: Final = 5  # words
_HEAD: Final = 25  # letters
_NUMBER: Final = re.compile(
    r"^(?:(?i:chapter|appendix|part|section|annex|kapitel|teil|anhang|chapitre|annexe|partie)\s+)?"
    r"(?:\d+(?:\.\d+)*[.:]?|[A-Z](?:\.\d+)+[.:]?|[A-Z][.:]|[A-Z](?=\s+[A-Z])|[IVXLC]+[.:]?)\s+"
)
_DECIMAL: Final = re.compile(r"(\d+(?:\.\d+)*)\.?\s")
_FONT: Final = re.compile(r"\\f(?:\(..|\[\w*\]|[A-Z\d])|F\[\w*\]")  # that groff leaves in bookmarks


@dataclass
class Reference:
    """What PDFium finds in a file: bookmarks, and the text of its pages in the content's order."""

    marks: list[tuple[int, str, int]] = field(default_factory=list[tuple[int, str, int]])
    pages: list[str] = field(default_factory=list[str])


def letters(text: str) -> str:
    """Return the letters and digits of a text without accents, which may be separate characters."""
    return "".join(_WORD.findall(unicodedata.normalize("NFKD", text).casefold()))


def bare(title: str) -> str:
    """Return the letters of a title without its number."""
    left = _FONT.sub("", title).strip()
    rest = _NUMBER.sub("", left)
    while rest != left:  # as in "Part I 1 A title"
        left, rest = rest, _NUMBER.sub("", rest)
    return letters(left) or letters(title)


def by_numbers(marks: Sequence[tuple[int, str, int]]) -> list[tuple[int, str, int]]:
    """Return the bookmarks; if a level contradicts a printed number, the number decides.

    Some programs put chapter 7 under chapter 6, or 3.1 beside 3.
    """
    levels: dict[tuple[int, ...], int] = {}
    found: list[tuple[int, str, int]] = []
    before = last = 0  # levels of the last numbered bookmark: as stored, as corrected
    for level, title, page in marks:
        now = level
        if match := _DECIMAL.match(title):
            number = tuple(map(int, match[1].split(".")))
            sibling = (*number[:-1], number[-1] - 1)
            if sibling in levels:
                now = levels[sibling]
            elif number[:-1] in levels:
                now = levels[number[:-1]] + 1
            levels = {each: at for each, at in levels.items() if at <= now}
            levels[number] = now
            before, last = level, now
        elif level > before:
            now = level - before + last
        else:
            now = min(level, last)
        found.append((now, title, page))
    return found


def reference(path: Path) -> Reference:
    """Read a file with PDFium alone."""
    document: Any = pypdfium2.PdfDocument(path)
    found = Reference()
    seen: set[tuple[object, ...]] = set()  # a damaged outline may list entries twice
    for mark in document.get_toc(max_depth=15):
        goal = mark.get_dest()
        page = goal.get_index() if goal else None
        title = " ".join(mark.get_title().split())
        place = title, page, str(goal.get_view()) if goal else ""
        if title and page is not None and place not in seen:
            seen.add(place)
            found.marks.append((mark.level + 1, title, page))
    found.marks = by_numbers(found.marks)
    for page in document:
        text = page.get_textpage()
        found.pages.append(text.get_text_range().replace("\ufffe", "").replace("\x02", ""))
        text.close()
        page.close()
    document.close()
    return found


# -------------------------------------------------------------------- headings and paths


def sections(
    section: Section, above: tuple[str, ...] = ()
) -> Iterator[tuple[Section, tuple[str, ...]]]:
    """Yield each section with its path."""
    yield section, above
    for child in section.sections:
        assert child.heading is not None, "only the root has none"
        yield from sections(child, (*above, child.heading.text))


def headings_found(document: Document, marks: Sequence[tuple[int, str, int]]) -> tuple[int, int]:
    """Return how many bookmarks are headings, in order, and how many headings there are."""
    titles = [path[-1] for _, path in sections(document.root) if path]
    wanted, got = (
        [bare(title) for _, title, _ in marks],
        [bare(title) for title in titles],
    )
    matcher = SequenceMatcher(None, wanted, got, autojunk=False)
    found = sum(block.size for block in matcher.get_matching_blocks())
    return found, len(titles)


def shingles(text: str) -> Iterator[tuple[str, ...]]:
    """Yield each run of ``_SHINGLE`` successive words."""
    words = [letters(word) for word in re.findall(r"[^\W_]+", _TAG.sub(" ", text))]
    yield from zip(*(words[n:] for n in range(_SHINGLE)), strict=False)


def true_parts(found: Reference) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the text below each bookmark with its path, divided where titles are on the pages."""
    places: list[tuple[int, int, tuple[str, ...]]] = []
    above: list[tuple[int, str]] = []
    last = (0, 0)
    for level, title, page in found.marks:
        above = [(rank, path_title) for rank, path_title in above if rank < level] + [
            (level, title)
        ]
        start = last[1] if last[0] == page else 0
        at = _offset_of_title(found.pages[page], title, start) if page < len(found.pages) else 0
        last = (page, at)
        places.append((page, at, tuple(bare(path_title) for _, path_title in above)))
    here: tuple[str, ...] = ()
    waiting = sorted(enumerate(places), key=lambda each: (each[1][0], each[0]))
    for number, text in enumerate(found.pages):
        start = 0
        while waiting and waiting[0][1][0] <= number:
            _, (_, at, path) = waiting.pop(0)
            yield here, text[start : max(at, start)]
            start, here = max(at, start), path
        yield here, text[start:]


def _offset_of_title(page: str, title: str, start: int) -> int:
    """Return where a title ends on its page; a title at the start of a line is preferred."""
    letters_pattern = r"[\W_]*".join(map(re.escape, re.findall(r"[^\W_]", title)))
    for pattern in (rf"^\W*{letters_pattern}\b", rf"\b{letters_pattern}\b", letters_pattern):
        if match := re.compile(pattern, re.IGNORECASE | re.MULTILINE).search(page, start):
            return match.end()
    return start


def path_share(document: Document, found: Reference) -> float:
    """Return the share of word runs that are under the path that the bookmarks give."""
    outermost = min((level for level, _, _ in found.marks), default=0)
    parts = [bare(title) for level, title, _ in found.marks if level == outermost]
    paths: dict[tuple[str, ...], Counter[tuple[str, ...]]] = defaultdict(Counter)
    for section, path in sections(document.root):
        text = " ".join(
            document.source.text[block.start : block.end]
            for block in section.blocks
            if block is not section.heading
        )
        key = tuple(bare(title) for title in path)
        if len(document.root.sections) == 1 and key[:1] != tuple(parts):
            key = key[1:]  # without the document's own title, which is above all others
        for shingle in shingles(text):
            paths[shingle][key] += 1
    right = total = 0
    for path, text in true_parts(found):
        for shingle in shingles(text):
            if shingle in paths:
                total += 1
                right += path in paths[shingle]
    return right / max(total, 1)


# -------------------------------------------------------------------- texts and pages


def lost_and_added(path: Path, source: Source, found: Reference) -> tuple[float, float]:
    """Return the shares of letters that are missing, and of letters that were added."""
    skipped = Counter(letters("".join(why.partition(": ")[2] for _, why in source.left_out)))
    again = Counter(letters("".join(_spanning_texts(path))))
    whole = Counter(letters("".join(found.pages)))
    ours = Counter(letters(re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", _TAG.sub("", source.text))))
    lost = sum((whole - ours - skipped).values())
    added = sum((ours - whole - again).values())
    total = max(sum(whole.values()), 1)
    return lost / total, added / total


def _spanning_texts(path: Path) -> Iterator[str]:
    """Yield the text of each spanning cell, repeated for each slot after the first."""
    known, pages = read_pages(path.read_bytes(), None, PdfLimits())
    lines = [page.lines for page in pages]
    mark_toc(lines)
    match_bookmarks(known.bookmarks, lines, body_of(lines).size)
    for page in pages:
        for table in find_tables(page.lines, page.rules):
            for cell in (cell for row in table.rows for cell in row):
                yield flat(cell.content) * (cell.columns * cell.rows - 1)


def chunk_pages(source: Source, found: Reference) -> tuple[int, int]:
    """Return how many chunks have the right first and last page, and how many were checked."""
    pages = [letters(page) for page in found.pages]
    right = total = 0
    for chunk in treepack.pack(source):
        words = [letters(w) for w in re.findall(r"[^\W_]+", _TAG.sub(" ", chunk.text))]
        if len(words) < 2 * _SHINGLE or not chunk.pages:
            continue
        total += 1
        right += _is_on(words[:6], pages[chunk.pages[0] - 1]) and _is_on(
            words[-6:], pages[chunk.pages[-1] - 1]
        )
    return right, total


def _is_on(words: Sequence[str], page: str) -> bool:
    if "".join(words)[:_HEAD] in page:
        return True
    return sum(word in page for word in words) >= len(words) - 1


# -------------------------------------------------------------------- the whole


@dataclass
class Figures:
    """What was measured for one file."""

    name: str
    pages: int = 0
    marks: tuple[int, int] = (0, 0)
    path: float | None = None
    fonts: tuple[float, float, float] | None = None
    lost: float = 0.0
    added: float = 0.0
    chunks: tuple[int, int] = (0, 0)
    tables: int = 0
    table_words: float = 0.0
    cpu: float = 0.0
    memory: float = 0.0
    findings: int = 0

    def line(self) -> str:
        """Return one line of the report."""
        path = "    -" if self.path is None else f"{self.path:5.2f}"
        fonts = " ".join(f"{x:4.2f}" for x in self.fonts or ())
        return (
            f"{self.name:<24.24} {self.pages:4} {self.marks[0]:4}/{self.marks[1]:<4} {path}"
            f"  {fonts:<15} {self.lost:7.2%} {self.added:6.2%}"
            f" {self.chunks[0]:4}/{self.chunks[1]:<4} {self.tables:3}"
            f" {self.table_words:6.2%} {self.cpu:6.2f} {self.memory:6.3f} {self.findings:4}"
        )


HEAD: Final = (
    f"{'file':<24} {'pg':>4} {'marks':>9} {'path':>5}  {'fonts: r p path':<15} {'lost':>7}"
    f" {'added':>6} {'pages':>9} {'tab':>3} {'words':>6} {'CPU':>6} {'MiB/p':>6} {'laws':>4}"
)


def _cpu() -> float:
    return sum(
        used.ru_utime + used.ru_stime
        for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def _read(path: Path, headings: Headings = "auto") -> Source:
    return read_pdf(path.read_bytes(), path.name, headings=headings)


def measure(path: Path, *, show_tables: bool, slow: bool) -> Figures:
    """Measure one file."""
    close_idle()
    before = _cpu()
    source = _read(path)
    close_idle()
    spent = _cpu() - before
    found = reference(path)
    figures = Figures(path.name, len(found.pages), cpu=100 * spent / len(found.pages))
    document = treepack.parse(source)
    if found.marks:
        figures.marks = (headings_found(document, found.marks)[0], len(found.marks))
        figures.path = path_share(document, found)
        plain = treepack.parse(_read(path, "fonts"))
        right, all_found = headings_found(plain, found.marks)
        shares = right / len(found.marks), right / max(all_found, 1)
        figures.fonts = (*shares, path_share(plain, found))
    figures.lost, figures.added = lost_and_added(path, source, found)
    figures.chunks = chunk_pages(source, found)
    figures.tables, figures.table_words = _tables(source, document, show=show_tables)
    figures.findings = _findings(source)
    if slow:
        tracemalloc.start()
        _read(path)
        figures.memory = tracemalloc.get_traced_memory()[1] / (1 << 20) / len(found.pages)
        tracemalloc.stop()
    return figures


def _findings(source: Source) -> int:
    report = treepack.audit(source, treepack.pack(source))
    for finding in report.findings[:5]:
        print("   ", finding)
    return len(report.findings)


def _tables(source: Source, document: Document, *, show: bool) -> tuple[int, float]:
    texts = [
        source.text[block.start : block.end]
        for section, _ in sections(document.root)
        for block in section.blocks
        if block.kind in {"table", "html"}
    ]
    if show:
        print("\n\n".join(texts))
    words = sum(len(re.findall(r"[^\W_]+", _TAG.sub(" ", text))) for text in texts)
    return len(texts), words / max(1, len(re.findall(r"[^\W_]+", source.text)))


def _means(measured: Sequence[Figures]) -> Iterator[str]:
    """Yield the means over all files that have bookmarks."""
    marked = [figures for figures in measured if figures.fonts and figures.path is not None]
    if marked:
        shares = [
            sum(each) / len(marked) for each in zip(*(f.fonts or () for f in marked), strict=True)
        ]
        path = sum(figures.path or 0.0 for figures in marked) / len(marked)
        found, wanted = (sum(figures.marks[n] for figures in marked) for n in (0, 1))
        fonts = " ".join(f"{share:.3f}" for share in shares)
        yield f"{len(marked)} files: bookmarks {found}/{wanted}, path {path:.3f}, fonts {fonts}"


def main() -> None:
    """Measure the files of a folder and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tables", action="store_true", help="print the tables")
    parser.add_argument("--only", default="", help="files whose names contain this")
    parser.add_argument("--fast", action="store_true", help="leave out memory")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    print(HEAD)
    refused: list[str] = []
    measured: list[Figures] = []
    for path in sorted(options.folder.iterdir()):
        if not path.is_file() or options.only not in path.name:
            continue
        start = time.monotonic()
        try:
            figures = measure(path, show_tables=options.tables, slow=not options.fast)
            measured.append(figures)
            print(figures.line(), flush=True)
        except SourceError as error:
            refused.append(f"{time.monotonic() - start:6.1f} s  {error}")
    print(*_means(measured), *refused, sep="\n")


if __name__ == "__main__":
    main()
