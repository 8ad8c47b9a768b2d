"""Measure the readers on a folder of documents: headings, levels, words and tables kept.

Run ``python integration_tests/measure_readers.py CORPUS``. The reference is an independent look at
the same file: the standard library's parser for what an HTML page shows, and docling's JSON where
it lies beside the source. Exit status 1 where a page keeps fewer words than it should.
"""

import argparse
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final

import treepack
from treepack.document.blocks import Block, ListItem, Table, children

LEAST_RECALL: Final = 0.99
_HIDDEN: Final = {
    "aside", "audio", "button", "canvas", "datalist", "footer", "head", "header", "iframe", "nav",
    "noscript", "object", "script", "select", "style", "svg", "template", "textarea", "video",
}  # fmt: skip
_VOID: Final = {
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
}  # fmt: skip
_INLINE: Final = {
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins",
    "kbd", "mark", "q", "s", "samp", "small", "span", "strong", "tt", "u", "var",
}  # fmt: skip
_WORD: Final = re.compile(r"[^\W_]+")
_MARKS: Final = re.compile(r"[¶🔗▲]|\[edit\]|\bedit\b")


@dataclass
class Seen:
    """What a page shows: its words, its headings with levels, and how many tables it has."""

    words: "Counter[str]" = field(default_factory=Counter[str])
    headings: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    tables: int = 0


class PageReader(HTMLParser):
    """Reads what a page shows, outside of navigation and page heads."""

    def __init__(self, *, only_main: bool) -> None:
        super().__init__()
        self.seen = Seen()
        self._open: list[tuple[str, bool]] = []
        self._only_main = only_main
        self._main = 0
        self._heading: list[str] | None = None
        self._text: list[str] = []

    def finish(self) -> Seen:
        """What was seen, when all is read."""
        self.close()
        self.seen.words.update(_WORD.findall(_MARKS.sub(" ", "".join(self._text))))
        return self.seen

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what opens, and whether it hides what is inside."""
        if tag not in _INLINE:
            self._text.append(" ")
        if tag in _VOID:
            return
        values = dict(attrs)
        style = (values.get("style") or "").replace(" ", "")
        hides = (
            (tag in _HIDDEN and not (tag == "header" and self._main))
            or "hidden" in values
            or "display:none" in style
            or values.get("role") in {"navigation", "banner", "contentinfo", "search"}
        )
        if tag == "main" or values.get("role") == "main":
            self._main += 1
        self._open.append((tag, hides))
        if re.fullmatch("h[1-6]", tag) and self._is_shown():
            self._heading = []
        self.seen.tables += tag == "table" and self._is_shown()

    def handle_endtag(self, tag: str) -> None:
        """Close everything up to the tag's element."""
        if tag not in _INLINE:
            self._text.append(" ")
        if all(name != tag for name, _ in self._open):
            return
        while self._open.pop()[0] != tag:
            pass
        if self._heading is not None and re.fullmatch("h[1-6]", tag):
            text = " ".join(_WORD.findall(_MARKS.sub(" ", "".join(self._heading))))
            if text:
                self.seen.headings.append((int(tag[1]), text))
            self._heading = None

    def handle_data(self, data: str) -> None:
        """Keep what is shown."""
        if not self._is_shown():
            return
        self._text.append(data)
        if self._heading is not None:
            self._heading.append(data)

    def _is_shown(self) -> bool:
        return (self._main > 0 or not self._only_main) and not any(hides for _, hides in self._open)


def blocks_of(document: treepack.Document) -> Iterator[Block | ListItem]:
    """All blocks, nested ones included."""
    for section in document.root.walk():
        waiting: list[Block | ListItem] = list(reversed(section.blocks))
        while waiting:
            block = waiting.pop()
            yield block
            waiting.extend(reversed(children(block)))


def recall(reference: "Counter[str]", found: "Counter[str]") -> float:
    """How much of the reference's words, each counted, is found; filled cells repeat theirs."""
    total = reference.total()
    return (reference & found).total() / total if total else 1.0


def plain_words(markdown: str) -> "Counter[str]":
    """The words of markdown, escapes and raised digits' tags removed."""
    text = re.sub(r"</?(?:sup|sub|br|t[rdh]|table|thead|tbody|caption|code|strong)>", " ", markdown)
    return Counter(_WORD.findall(re.sub(r"\\(?=[!-/:-@\[-`{-~])", "", text)))


def docling_tables(record: dict[str, Any]) -> list[tuple[int, int]]:
    """Rows and columns of each table that docling saw."""
    return [(t["data"]["num_rows"], t["data"]["num_cols"]) for t in record.get("tables", [])]


def measure(path: Path) -> bool:
    """Print the figures of one page; tell whether enough words are kept."""
    data = path.read_bytes()
    begun = time.process_time()
    source = treepack.read(path)
    seconds = time.process_time() - begun
    text = data.decode("utf-8", "replace")
    main = len(re.findall(r"<main[\s>]|role=[\"']?main", text))
    reader = PageReader(only_main=main == 1)
    reader.feed(text)
    seen = reader.finish()
    document = treepack.parse(source)
    ours = [
        (section.heading.level, " ".join(_WORD.findall(section.heading.text)))
        for section in document.root.walk()
        if section.heading
    ]
    texts = Counter(heading for _, heading in ours)
    found = (texts & Counter(heading for _, heading in seen.headings)).total()
    levels = (Counter(ours) & Counter(seen.headings)).total()
    kept = recall(seen.words, plain_words(source.text))
    tables = [
        (len(block.rows), max(len(block.columns), 1))
        for block in blocks_of(document)
        if isinstance(block, Table)
    ]
    print(
        f"{path.name:45.45} {len(data) / 1000:6.0f} kB {seconds:5.2f} s"
        f"  headings {found:>3}/{len(seen.headings):<3} levels {levels:>3}"
        f"  words {kept:.4f} of {seen.words.total():<6} tables {len(tables):>2}/{seen.tables:<2}"
        f"  origins {len(source.origins)}"
    )
    truth = path.parent.parent / "groundtruth" / f"{path.name}.json"
    if truth.exists():
        print(f"{'':48}docling's tables {docling_tables(json.loads(truth.read_text()))}")
        print(f"{'':48}    ours (body rows) {tables}")
    return kept >= LEAST_RECALL


def main() -> int:
    """Measure all HTML files of a folder."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("corpus", type=Path)
    corpus: Path = arguments.parse_args().corpus
    pages = sorted([*corpus.rglob("*.html"), *corpus.rglob("*.htm")])
    kept = [measure(path) for path in pages]
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
