"""What is found again: how much of an answer a context of so many tokens holds.

    python integration_tests/benchmarks/retrieval.py --corpus DIR [--budget N] [--sets NAME ...]
        [--only WORD] [--vectors FILE] [--out FILE.json]

DIR holds sets of questions with the spans that answer them; see `retrieval_sets.py`. Needs the
packages of the dependency group `retrieval`; a rival that is not installed is left out, and named.
The model takes most of the time, half an hour in all; FILE keeps its vectors for the next run.

Each splitter is set so that what it gives the index has 250 tokens on average. Small to big has the
sizes of the preset, and `fill_context` fills its context: with treepack's chunks and, for
comparison, LangChain's. A flat index fills it with whole passages, best first, and passes over
those that do not fit. Cover is the share of the answer in the context, of what the budget could
hold, in characters without blanks.

Prints for each ranker the cover by set and the mean over sets, with tokens and vectors to embed.
Then it prints two differences by ranker and set, with 95 % intervals from a paired bootstrap within
sets: of the preset to the same recipe on LangChain's passages, and of the default to LangChain's
header splitter with the path in front.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from retrieval_merging import Hierarchy
from retrieval_rankers import Lsa, MiniLm, Ranker, WordVectors, bm25
from retrieval_sets import Query, QuerySet, Solid, Span, count, cover, read_sets
from retrieval_splitters import (
    MEAN_TOKENS,
    RIVALS,
    Passage,
    as_passages,
    calibrated,
    langchain_levels,
    packed,
    passages,
)

from treepack import Chunk, PackConfig
from treepack.retrieval import Context, Library, fill_context, text_to_index

ANCHOR: Final = "LangChain headers + path"
DEFAULT: Final = "treepack default"
HIERARCHICAL: Final = "treepack preset hierarchical"
RECIPE: Final = "treepack preset retrieval + fill_context"
SAME_RECIPE: Final = "LangChain headers + path, same recipe"
MERGING: Final = "LlamaIndex auto-merging"
COMPARED: Final = ((RECIPE, SAME_RECIPE), (DEFAULT, ANCHOR))
MODEL: Final = "MiniLM"
"""The slow ranker, which ranks only what is compared."""

DRAWS: Final = 10_000
MOST_HITS: Final = 400
CHILD_TOKENS: Final = 62

NEEDS: Final = {
    "LlamaIndex": "llama_index.core",
    "LangChain": "langchain_text_splitters",
    "semantic": "semantic_text_splitter",
    "chonkie": "chonkie",
}


@dataclass
class Measured:
    """What was measured for one splitter and ranker on one set.

    Attributes:
        embedded: The tokens that were indexed.
        vectors: The number of texts that were indexed.
        covers: The cover of each question.
        used: The tokens of each context.
    """

    embedded: int
    vectors: int
    covers: list[float] = field(default_factory=list)
    used: list[int] = field(default_factory=list)


Results = dict[tuple[str, str, str], Measured]
"""The measurements by ranker, splitter and set."""


class Bench:
    """One set of questions and its rankers."""

    def __init__(
        self, queries: QuerySet, rankers: Mapping[str, Ranker], budget: int, only: str
    ) -> None:
        self.set = queries
        self.only = only
        self.rankers = rankers
        self.budget = budget
        self.solids = {name: Solid(text) for name, text in queries.documents.items()}
        self.questions = [query.text for query in queries.queries]
        step = max(1, len(queries.documents) // 40)
        self.some = dict(list(queries.documents.items())[::step])

    def run(self) -> Iterator[tuple[str, str, Measured]]:
        """Measure each splitter with each ranker, and yield their names and the results."""
        for name, cutter in RIVALS.items():
            if self.wants(name):
                size = calibrated(
                    lambda size, cutter=cutter: mean_tokens(  # type: ignore[misc]
                        passages(cutter, self.some, size, self.solids)
                    ),
                    MEAN_TOKENS,
                )
                found = passages(cutter, self.set.documents, size, self.solids)
                yield from self.flat(name, found)
        for name in filter(self.wants, (DEFAULT, HIERARCHICAL)):
            yield from self.flat(name, self.own_flat(name))
        chunks = packed(self.set.documents, PackConfig.preset("retrieval"))
        if self.wants(RECIPE):
            yield from self.small_to_big(RECIPE, chunks, is_solid=False)
        if self.wants(SAME_RECIPE):
            rival = self.rival_levels(chunks)
            yield from self.small_to_big(SAME_RECIPE, rival, is_solid=True)
        if self.wants(MERGING):
            yield from self.merging(MERGING, self.hierarchy(chunks))

    def wants(self, name: str) -> bool:
        """Whether a splitter was asked for and is installed."""
        return self.only.casefold() in name.casefold() and is_there(name)

    def scores(self, name: str, texts: Sequence[str]) -> Iterator[tuple[str, NDArray[np.float32]]]:
        """Yield the rankers for a splitter, and how each scores its texts."""
        is_compared = any(name in pair for pair in COMPARED)
        for ranker, rank in self.rankers.items():
            if ranker != MODEL or is_compared:
                yield ranker, rank(texts, self.questions)

    def own_flat(self, name: str) -> list[Passage]:
        """Return treepack's chunks of one level, with the wanted mean size."""

        def config(size: int) -> PackConfig:
            if name == DEFAULT:
                return PackConfig(max_tokens=size)
            return PackConfig.preset("hierarchical", target_tokens=size, max_tokens=2 * size)

        def mean(size: int) -> float:
            return mean_tokens(as_passages(packed(self.some, config(size)), self.solids))

        size = calibrated(mean, MEAN_TOKENS)
        return as_passages(packed(self.set.documents, config(size)), self.solids)

    def rival_levels(self, own: Sequence[Chunk]) -> list[Chunk]:
        """Return LangChain's passages in two levels, with the mean sizes of treepack's chunks."""
        means = means_of(own)

        def mean(sizes: tuple[int, int], level: int) -> float:
            return means_of(langchain_levels(self.some, sizes, self.solids))[level]

        large = calibrated(lambda size: mean((size, CHILD_TOKENS), 0), means[0])
        small = calibrated(lambda size: mean((large, size), 1), means[1])
        return langchain_levels(self.set.documents, (large, small), self.solids)

    def hierarchy(self, own: Sequence[Chunk]) -> Hierarchy:
        """Return LlamaIndex's nodes in two levels, with the mean sizes of treepack's chunks."""
        means = means_of(own)

        def mean(sizes: tuple[int, int], *, is_leaf: bool) -> float:
            return Hierarchy.of(self.some, sizes, self.solids).mean(is_leaf=is_leaf)

        large = calibrated(lambda size: mean((size, CHILD_TOKENS), is_leaf=False), means[0])
        small = calibrated(lambda size: mean((large, size), is_leaf=True), means[1])
        return Hierarchy.of(self.set.documents, (large, small), self.solids)

    # ---------------------------------------------------------------- contexts

    def flat(self, name: str, found: Sequence[Passage]) -> Iterator[tuple[str, str, Measured]]:
        """Measure an index of one level; whole passages fill the context, best first."""
        texts = [passage.text for passage in found]
        sizes = [count(text) for text in texts]
        for ranker, scores in self.scores(name, texts):
            measured = Measured(sum(sizes), len(sizes))
            for query, row in zip(self.set.queries, scores, strict=True):
                ranked = ((found[at], sizes[at]) for at in best_first(row))
                self.fill(measured, query, ranked)
            yield ranker, name, measured

    def merging(self, name: str, nodes: Hierarchy) -> Iterator[tuple[str, str, Measured]]:
        """Measure an index of leaves: LlamaIndex merges as many leaves as fill the budget."""
        texts = [leaf.text for leaf in nodes.leaves]
        sizes = {key: count(passage.text) for key, passage in nodes.passages.items()}
        embedded = sum(sizes[leaf.node_id] for leaf in nodes.leaves)
        most = max(1, round(self.budget * len(texts) / embedded))
        for ranker, scores in self.scores(name, texts):
            measured = Measured(embedded, len(texts))
            for query, row in zip(self.set.queries, scores, strict=True):
                found = nodes.merged([(at, float(row[at])) for at in best_first(row)[:most]])
                self.fill(measured, query, [(nodes.passages[key], sizes[key]) for key in found])
            yield ranker, name, measured

    def fill(self, measured: Measured, query: Query, ranked: Iterable[tuple[Passage, int]]) -> None:
        """Fill a context with whole passages, best first; those that do not fit are left out."""
        left, got = self.budget, list[Span]()
        for passage, size in ranked:
            if size <= left:
                left -= size
                if passage.document == query.document:
                    got += passage.spans
        self.note(measured, query, got, self.budget - left)

    def small_to_big(
        self, name: str, chunks: Sequence[Chunk], *, is_solid: bool
    ) -> Iterator[tuple[str, str, Measured]]:
        """Measure an index of children and parents with `fill_context`."""
        library, keys = Library(chunks), [chunk.id for chunk in chunks]
        texts = [text_to_index(chunk) for chunk in chunks]
        embedded = sum(map(count, texts))
        for ranker, scores in self.scores(name, texts):
            measured = Measured(embedded, len(texts))
            for query, row in zip(self.set.queries, scores, strict=True):
                hits = {keys[at]: float(row[at]) for at in best_first(row)}
                context = fill_context(hits, library, self.budget)
                got = self.spans(context, query.document, is_solid=is_solid)
                self.note(measured, query, got, context.token_count)
            yield ranker, name, measured

    def spans(self, context: Context, document: str, *, is_solid: bool) -> list[Span]:
        """Return the spans of a document that a context has, in characters without whitespace."""
        spans = [
            segment.span
            for part in context.parts
            if part.document == document
            for segment in part.segments
            if segment.span
        ]
        return spans if is_solid else [self.solids[document].span(*span) for span in spans]

    def note(self, measured: Measured, query: Query, got: Sequence[Span], used: int) -> None:
        """Add the result of one question to the measurements."""
        text, solid = self.set.documents[query.document], self.solids[query.document]
        measured.covers.append(cover(query, text, solid, got, self.budget))
        measured.used.append(used)


def is_there(name: str) -> bool:
    """Whether the package of a splitter is installed."""
    module = next((module for word, module in NEEDS.items() if name.startswith(word)), "treepack")
    return find_spec(module.partition(".")[0]) is not None and find_spec(module) is not None


def means_of(chunks: Sequence[Chunk]) -> list[float]:
    """Return the mean number of indexed tokens of parents, and of children."""
    return [
        float(np.mean([chunk.embed_token_count for chunk in chunks if chunk.level == level]))
        for level in (0, 1)
    ]


def mean_tokens(found: Sequence[Passage]) -> float:
    """Return the mean number of indexed tokens."""
    return float(np.mean([count(passage.text) for passage in found]))


def best_first(row: NDArray[np.float32]) -> list[int]:
    """Return the indexes of the best hits; equal ones stay in their order."""
    return [int(at) for at in np.argsort(-row, kind="stable")[:MOST_HITS]]


# -------------------------------------------------------------------- tables


def interval(differences: Sequence[NDArray[np.float64]]) -> tuple[float, float]:
    """Return a 95 % interval of the mean difference over sets; questions are drawn in each set."""
    random = np.random.default_rng(0)
    means = np.zeros(DRAWS)
    for each in differences:
        drawn = random.integers(0, len(each), (DRAWS, len(each)))
        means += each[drawn].mean(axis=1) / len(differences)
    low, high = np.percentile(means, (2.5, 97.5))
    return float(low), float(high)


def print_tables(results: Results, sets: Sequence[str]) -> None:
    """Print a table for each ranker, and one for each of the `COMPARED` pairs."""
    columns = "".join(f"{name[:8]:>9}" for name in sets) + "     mean"
    rankers = list(dict.fromkeys(key[0] for key in results))
    for ranker in rankers:
        print(f"\n{ranker:42}{columns}")
        for name in dict.fromkeys(key[1] for key in results if key[0] == ranker):
            own = [results[ranker, name, each] for each in sets]
            tokens, vectors = sum(each.embedded for each in own), sum(each.vectors for each in own)
            print(f"{name:42}{_figures([np.array(each.covers) for each in own], '')}", end="")
            print(f"{tokens:>12,} tokens {vectors:>7,} vectors")
    for name, rival in COMPARED:
        if {name, rival} <= {key[1] for key in results}:
            print(f"\n{name} - {rival}\n{'':42}{columns}")
            differences = {each: _differences(results, each, name, rival, sets) for each in rankers}
            means = [np.mean(each, axis=0) for each in zip(*differences.values(), strict=True)]
            for title, found in {**differences, "mean of the rankers": means}.items():
                low, high = interval(found)
                print(f"{title:42}{_figures(found, '+')} [{low:+.3f}, {high:+.3f}]")


def _differences(
    results: Results, ranker: str, name: str, rival: str, sets: Sequence[str]
) -> list[NDArray[np.float64]]:
    """Return by set how much more a splitter covers of each question than another one."""
    own, theirs = ([results[ranker, each, one].covers for one in sets] for each in (name, rival))
    return [np.array(mine) - np.array(other) for mine, other in zip(own, theirs, strict=True)]


def _figures(by_set: Sequence[NDArray[np.float64]], sign: str) -> str:
    means = [float(each.mean()) for each in by_set]
    return "".join(f"{each:{sign}9.3f}" for each in (*means, np.mean(means)))


def main() -> int:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--corpus", type=Path, required=True)
    options.add_argument("--budget", type=int, default=1000)
    options.add_argument("--sets", nargs="*")
    options.add_argument("--only", default="", help="only splitters with this word in their name")
    options.add_argument("--vectors", default=":memory:", help="a file for the model's vectors")
    options.add_argument("--out", type=Path, help="write the figures as JSON")
    given = options.parse_args()
    for name in RIVALS:
        if not is_there(name):
            print(f"{name} is not installed and left out", file=sys.stderr)
    models: dict[str, Ranker] = {"word vectors": WordVectors(), MODEL: MiniLm(given.vectors)}
    results: Results = {}
    names: list[str] = []
    for queries in read_sets(given.corpus):
        if given.sets and queries.name not in given.sets:
            continue
        names.append(queries.name)
        rankers: dict[str, Ranker] = {
            "BM25": bm25,
            "LSA": Lsa([*queries.documents.values()]),
            **models,
        }
        for ranker, name, measured in Bench(queries, rankers, given.budget, given.only).run():
            results[ranker, name, queries.name] = measured
            mean = np.mean(measured.covers)
            print(f"{queries.name} {ranker} {name}: {mean:.3f}", file=sys.stderr, flush=True)
    print_tables(results, names)
    if given.out:
        rows = [
            {"ranker": r, "splitter": n, "set": s, **vars(m)} for (r, n, s), m in results.items()
        ]
        given.out.write_text(json.dumps(rows), "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
