"""Questions with the spans that answer them, which `retrieval.py` reads from a folder."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any, Final, Literal

from treepack.tokens import token_counter

Span = tuple[int, int]

MOST_DOCUMENTS: Final = 400
"""Of a set with more documents, each seventh is read, and those with answers."""

count: Final = token_counter("cl100k_base")


@dataclass(frozen=True)
class Query:
    """A question.

    Attributes:
        text: Its words.
        document: The document with the answer.
        spans: Where the answer is, in characters, half-open.
        mode: Whether all spans together are the answer, or each of them is one.
    """

    text: str
    document: str
    spans: tuple[Span, ...]
    mode: Literal["all", "any"]


@dataclass(frozen=True)
class QuerySet:
    """Questions on some documents."""

    name: str
    documents: Mapping[str, str]
    queries: Sequence[Query]


def read_sets(corpus: Path) -> Iterator[QuerySet]:
    """Yield the sets of a corpus folder whose files exist.

    A set is a file of JSON lines: query, doc, spans, mode. `retrieval/<set>` has all documents of
    the set beside it; sets in `derived` name files of the corpus.
    """
    for file in sorted(corpus.glob("retrieval/*/*.jsonl")):
        folder = next(path for path in sorted(file.parent.iterdir()) if path.is_dir())
        names = [
            str(path.relative_to(folder))
            for path in sorted(folder.rglob("*.md"))
            if ".headed." not in path.name  # a second copy of a text, with headings added
        ]
        if len(names) > MOST_DOCUMENTS:
            needed = {record["doc"] for record in _records(file)}
            names = [name for at, name in enumerate(names) if at % 7 == 0 or name in needed]
        yield _set(file.parent.name.split("-")[0], file, folder, names)
    for file in sorted(corpus.glob("derived/*.jsonl")):
        names = sorted({record["doc"] for record in _records(file)})
        yield _set(file.stem.split("_")[0], file, corpus, names)


def _set(name: str, file: Path, folder: Path, names: Sequence[str]) -> QuerySet:
    texts = {name: (folder / name).read_bytes().decode("utf-8") for name in names}
    queries = [
        Query(
            record["query"],
            record["doc"],
            tuple((start, end) for start, end in record["spans"]),
            record.get("mode") or "all",
        )
        for record in _records(file)
    ]
    return QuerySet(name, texts, queries)


def _records(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]


class Solid:
    """A text without whitespace, which splitters treat differently; cover is measured in it."""

    def __init__(self, text: str) -> None:
        self.text = "".join(text.split())
        self.before = [0, *accumulate(not character.isspace() for character in text)]

    def span(self, start: int, end: int) -> Span:
        """Return the span of the text in characters without whitespace."""
        return self.before[start], self.before[end]


def cover(query: Query, text: str, solid: Solid, got: Sequence[Span], budget: int) -> float:
    """Return the share of the answer that a context has, relative to what its budget could hold.

    Args:
        query: The question.
        text: The text of the question's document.
        solid: The same text without whitespace.
        got: What the context has of the document, as spans of ``solid`` in any order.
        budget: The budget of the context, in tokens.
    """
    spans = [[span] for span in query.spans] if query.mode == "any" else [list(query.spans)]
    return max(_share(wanted, text, solid, got, budget) for wanted in spans)


def _share(
    wanted: Sequence[Span], text: str, solid: Solid, got: Sequence[Span], budget: int
) -> float:
    sizes = [solid.span(*span) for span in wanted]
    characters = sum(end - start for start, end in sizes)
    tokens = sum(count(text[start:end]) for start, end in wanted)
    most = characters * min(1.0, budget / tokens)
    found = sum(
        max(0, min(end, stop) - max(start, begin))
        for start, end in sizes
        for begin, stop in joined(got)
    )
    return min(1.0, found / most)


def joined(spans: Sequence[Span]) -> list[Span]:
    """Return the same characters in spans that do not overlap."""
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found
