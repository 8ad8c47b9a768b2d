"""Compare treepack with its peers: one run, one machine, one table.

    pip install ".[all]" chonkie semantic-text-splitter semchunk numpy
    python integration_tests/benchmarks/suite.py [--corpus DIR] [--rounds N] [--svg FILE] [--quick]
        [--docling-python PYTHON]

CPU time (medians) as a ratio to one `encode_ordinary` pass of tiktoken over the same text in the
same round. Each function packs a document before the next document comes, so that other work on the
machine slows all of them alike. Limit: 512 tokens, no overlap.

docling's HybridChunker needs a tiktoken that excludes the one that treepack needs. It is measured
if --docling-python names a Python that has it (`docling_apart.py` says what to install there):
on a megabyte of the documents, as a ratio to a pass of its own tiktoken in turns with it.
"""

import argparse
import base64
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

from floor import ENCODING, tiktoken_encoding
from peers import peers, versions
from plot import bars
from speed import (
    MEGABYTE,
    PACK_A_FILE,
    concatenation,
    packed,
    read_corpus,
    run_python,
    usual_corpus,
)
from workloads import extremes, hostile, large_documents, sample_of

import treepack
from treepack.clauses.walk import find_clauses
from treepack.packing import Packer
from treepack.references.finder import find_references

CAP = 512
FLOOR = "tiktoken, one pass"
FAST = "splintr:cl100k_base"
DOCLING = "docling markdown, hybrid"
WITHOUT_NUMPY = 'import sys\nsys.modules["numpy"] = None\n'
PACK_BY_TWO = """
import sys, time
from pathlib import Path
from treepack import pack, pack_many

def clocked(files, jobs):
    begun = time.perf_counter()
    for _ in pack_many(files, jobs=jobs):
        pass
    return time.perf_counter() - begun

files = sorted(Path(sys.argv[1]).iterdir())
pack("The vocabulary is loaded by the first text.")
for _ in range(3):
    one, two = clocked(files, 1), clocked(files, 2)
    print(two / one)
"""

Work = Callable[[str], object]


@dataclass(frozen=True)
class Bound:
    """A figure with its promised maximum."""

    name: str
    figure: float
    most: float

    def __str__(self) -> str:
        verdict = "holds" if self.figure <= self.most else "MISSED"
        return f"| {self.name} | {self.figure:.2f} | {self.most} | {verdict} |"


def main() -> None:
    """Measure and print everything."""
    parser = argparse.ArgumentParser(description="Measure treepack and its peers.")
    parser.add_argument("--corpus", type=Path, default=usual_corpus())
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--svg", type=Path, help="where to draw the ratios")
    parser.add_argument("--docling-python", help="a Python that has docling's HybridChunker")
    parser.add_argument("--quick", action="store_true", help="2 MB of documents, no 50 MB document")
    given = parser.parse_args()
    if given.corpus is None:
        sys.exit("no corpus: name a folder of markdown with --corpus")
    texts = read_corpus(given.corpus)
    print(f"treepack {treepack.__version__}, {versions()}\nPython {sys.version}\n")
    documents = sample_of(texts, (2 if given.quick else 10) * MEGABYTE)
    found = print_ratios(documents, given.rounds)
    if given.docling_python:
        found[DOCLING] = print_docling(given.docling_python, documents, given.rounds)
    if given.svg:
        given.svg.write_text(bars(found, "CPU time, one tiktoken pass = 1"))
    bounds = [*core_bounds(documents, given.rounds), *peer_bounds(found)]
    bounds += phases(documents, given.rounds)
    bounds += growth(texts, [1, 10] if given.quick else [1, 10, 50], given.rounds)
    bounds += shapes(documents, given.rounds)
    bounds += hostile_times(given.rounds)
    bounds += memory(texts)
    bounds += processes(texts)
    print("\n| bound | figure | at most | |\n|---|--:|--:|---|")
    print(*bounds, sep="\n")


def packings() -> Mapping[str, Work]:
    """Return treepack with each of the settings that matter for time."""
    limits = {"max_tokens": CAP, "target_tokens": CAP}
    settings = {
        "treepack": treepack.PackConfig(**limits),
        "treepack, no clauses": treepack.PackConfig(**limits, clauses=False),
    }
    if find_spec("splintr"):
        settings["treepack[fast]"] = treepack.PackConfig(**limits, encoding=FAST)
        settings["treepack[fast], no clauses"] = treepack.PackConfig(
            **limits, encoding=FAST, clauses=False
        )
    return {name: partial(_pack, Packer(config)) for name, config in settings.items()}


def side_by_side(failures: Counter[str]) -> dict[str, Work]:
    """Return the tokenizer pass, treepack, and the installed peers, whose failures are counted."""
    works: dict[str, Work] = {FLOOR: tiktoken_encoding().encode_ordinary}
    works.update(packings())
    works |= {name: _forgiving(name, work, failures) for name, work in peers(CAP).items()}
    return works


def print_ratios(documents: Sequence[str], rounds: int) -> dict[str, float]:
    """Print the time of each splitter for all documents; return the ratios."""
    failures: Counter[str] = Counter()
    medians = by_turns(side_by_side(failures), documents, rounds)
    size = sum(len(text.encode()) for text in documents) / MEGABYTE
    print(f"{len(documents)} documents, {size:.1f} MB, medians of {rounds} rounds\n")
    print("| | seconds | MB/s | ratio |\n|---|--:|--:|--:|")
    found = ratios(medians)
    for name, ratio in sorted(found.items(), key=lambda item: item[1]):
        print(_row(name, medians[name], size, ratio), flush=True)
    for name, count in failures.items():
        print(f"\n{name} raised {count} times in {rounds} rounds")
    return found


def print_docling(python: str, documents: Sequence[str], rounds: int) -> float:
    """Print the time of docling's HybridChunker, run by another Python; return the ratio."""
    texts = sample_of(documents, MEGABYTE)
    size = sum(len(text.encode()) for text in texts) / MEGABYTE
    script = Path(__file__).with_name("docling_apart.py")
    encoding = tiktoken_encoding()
    ranks = range(len(encoding.token_byte_values()))
    with tempfile.TemporaryDirectory() as folder:
        vocabulary = Path(folder) / f"{ENCODING}.tiktoken"
        tokens = map(encoding.decode_single_token_bytes, ranks)
        rows = (b"%b %d\n" % (base64.b64encode(token), rank) for rank, token in enumerate(tokens))
        vocabulary.write_bytes(b"".join(rows))
        command = [python, str(script), str(vocabulary), ENCODING, str(CAP), str(rounds)]
        done = subprocess.run(
            command, input=json.dumps(texts), stdout=subprocess.PIPE, text=True, check=True
        )
    measured = json.loads(done.stdout)
    ratio = float(measured["seconds"] / measured["floor"])
    print(_row(DOCLING, measured["seconds"], size, ratio))
    print(
        f"\n{DOCLING}: {len(texts)} documents, {size:.1f} MB, {measured['versions']}, of which a "
        f"pass takes {measured['floor']:.2f} seconds; raised {measured['failures']} times"
    )
    return ratio


def _row(name: str, seconds: float, size: float, ratio: float) -> str:
    return f"| {name} | {seconds:.2f} | {size / seconds:.1f} | {ratio:.2f} |"


def by_turns(works: Mapping[str, Work], documents: Sequence[str], rounds: int) -> dict[str, float]:
    """Return the median CPU seconds of each function over all documents."""
    seconds: dict[str, list[float]] = {name: [] for name in works}
    for work in works.values():
        work(documents[0][:1000])  # a warm-up: the first text loads what all need
    for _ in range(rounds):
        spent = dict.fromkeys(works, 0.0)
        for text in documents:
            for name, work in works.items():
                begun = time.process_time()
                work(text)
                spent[name] += time.process_time() - begun
        for name, value in spent.items():
            seconds[name].append(value)
    return {name: statistics.median(values) for name, values in seconds.items()}


def ratios(medians: Mapping[str, float]) -> dict[str, float]:
    """Return each figure relative to that of the tokenizer pass."""
    return {name: value / medians[FLOOR] for name, value in medians.items()}


def core_bounds(documents: Sequence[str], rounds: int) -> list[Bound]:
    """Return the promised bounds of the core alone.

    No other splitter takes turns here, because what it leaves in the processor's caches costs the
    next function more than the differences that are measured.
    """
    works: dict[str, Work] = {FLOOR: tiktoken_encoding().encode_ordinary, **packings()}
    found = ratios(by_turns(works, documents, rounds))
    promised = {
        "treepack, no clauses": 1.9,
        "treepack": 2.5,
        "treepack[fast], no clauses": 1.3,
        "treepack[fast]": 1.9,
    }
    return [
        Bound(f"{name} to one pass", found[name], most)
        for name, most in promised.items()
        if name in found
    ]


def peer_bounds(found: Mapping[str, float]) -> list[Bound]:
    """Return the promised bounds of the core relative to its peers."""
    times = {
        "semantic-text-splitter": 4,
        "LlamaIndex markdown, sentences": 2.5,
        "LangChain headers, recursive": 1.5,
        DOCLING: 40,
    }
    return [
        Bound(f"treepack to {name}", found["treepack"] / found[name], round(1 / faster, 3))
        for name, faster in times.items()
        if name in found
    ]


def phases(documents: Sequence[str], rounds: int) -> list[Bound]:
    """Print the ratio of each phase; return the bounds of the adapters."""
    works: dict[str, Work] = {
        FLOOR: tiktoken_encoding().encode_ordinary,
        "parse (blocks, tree)": treepack.parse,
        "parse, count (token index)": _counted,
        "parse, count, clauses, references": _with_citations,
        "pack": partial(_pack, Packer()),
        "pack, records as JSON": lambda text: treepack.pack(treepack.Source(text)).to_jsonl(),
    }
    adapters = {"LangChain": 0.3, "LlamaIndex": 1.0}
    if find_spec("langchain_text_splitters"):
        works["LangChain"] = treepack.TreepackTextSplitter().split_text
    if find_spec("llama_index"):
        works["LlamaIndex"] = _node_parser()
    medians = by_turns(works, documents, rounds)
    print("\n| up to this phase | ratio |\n|---|--:|")
    for name, ratio in ratios(medians).items():
        print(f"| {name} | {ratio:.2f} |")
    core = medians["pack"]
    return [
        Bound(f"{name} adapter above the core, to it", medians[name] / core - 1, most)
        for name, most in adapters.items()
        if name in medians
    ]


def growth(texts: Sequence[str], sizes: Sequence[int], rounds: int) -> list[Bound]:
    """Return the bounds of the time for a document relative to that of the previous size."""
    most = {10: 11.0, 50: 5.5}
    seconds = {
        size: statistics.median(once(packed, text) for _ in range(rounds))
        for size, text in zip(sizes, large_documents(texts, sizes).values(), strict=True)
    }
    return [
        Bound(f"{large} MB to {small} MB", seconds[large] / seconds[small], most[large])
        for small, large in pairwise(sizes)
    ]


def shapes(documents: Sequence[str], rounds: int) -> list[Bound]:
    """Return the bounds of the time per byte of extreme documents relative to real ones."""
    per_byte = sum(once(packed, text) for text in documents) / sum(map(len, documents))
    return [
        Bound(
            f"{name}, each byte to the corpus's",
            statistics.median(once(packed, text) for _ in range(rounds)) / len(text) / per_byte,
            3,
        )
        for name, text in extremes().items()
    ]


def hostile_times(rounds: int) -> list[Bound]:
    """Return the bounds of seconds per MB for the two slowest hostile documents; all must end."""
    seconds = {
        name: statistics.median(once(packed, text) for _ in range(rounds))
        / (len(text.encode()) / MEGABYTE)
        for name, text in hostile().items()
    }
    worst = sorted(seconds, key=lambda name: seconds[name])[-2:]
    return [
        Bound(f"hostile: seconds per MB, of {len(seconds)} ({name})", seconds[name], 2.5)
        for name in reversed(worst)
    ]


def memory(texts: Sequence[str]) -> list[Bound]:
    """Return the bounds of bytes above the imports for each byte of a 10 MB document."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "large.md"
        file.write_text(concatenation(texts, 10 * MEGABYTE), encoding="utf-8")
        size = file.stat().st_size
        runs = {"without numpy": (WITHOUT_NUMPY, 12), "with numpy": ("", 12)}
        found: list[Bound] = []
        for name, (before, most) in runs.items():
            imports, _, peak, _ = map(int, run_python(before + PACK_A_FILE, str(file)).split())
            found.append(Bound(f"memory {name}, bytes per byte", (peak - imports) / size, most))
    return found


def processes(texts: Sequence[str]) -> list[Bound]:
    """Return the bound of wall time of two processes relative to one, for 2,000 files."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"{number}.md" for number in range(2000)]
        for number, file in enumerate(files):
            file.write_text(texts[number % len(texts)][:20_000], encoding="utf-8", newline="")
        shares = [float(share) for share in run_python(PACK_BY_TWO, folder).split()]
    return [
        Bound("two processes to one, by the clock", statistics.median(shares), round(1 / 1.8, 2))
    ]


def once(work: Work, text: str) -> float:
    """Return the CPU seconds of one call."""
    begun = time.process_time()
    work(text)
    return time.process_time() - begun


def _forgiving(name: str, work: Work, failures: Counter[str]) -> Work:
    def tried(text: str) -> object:
        try:
            return work(text)
        except Exception:  # noqa: BLE001 - a peer's trouble is a figure here
            failures[name] += 1
            return None

    return tried


def _pack(packer: Packer, text: str) -> list[treepack.Chunk]:
    return list(packer.pack(treepack.Source(text)))  # a record is made only on request


def _counted(text: str) -> treepack.Document:
    document = treepack.parse(text)
    document.tokens.estimate(0, 1)  # nothing is counted before the first query
    return document


def _with_citations(text: str) -> object:
    document = _counted(text)
    clauses = find_clauses(document)
    return clauses, find_references(document, clauses)


def _node_parser() -> Work:
    from llama_index.core import Document  # noqa: PLC0415 - may be missing

    parser = treepack.TreepackNodeParser()
    return lambda text: parser.get_nodes_from_documents([Document(text=text)])


if __name__ == "__main__":
    main()
