"""Measure treepack and its peers: one run, one machine, by classes of documents.

    pip install ".[all]" chonkie semantic-text-splitter semchunk
    python integration_tests/benchmarks/suite.py [--folder DIR] [--rounds N] [--quick] [--svg FILE]
        [--docling-python PYTHON]

1. Splitters: CPU time as a ratio to one `encode_ordinary` pass of tiktoken over the same text, for
   each class of documents. By turns: all functions split a document before the next one comes, so
   that other work on the machine slows all of them alike, and each begins with the caches of the
   others. Warm: each function splits all documents in a row.
2. Calls and time of each phase, and of a short document.
3. Starts: CPU seconds of imports and commands in processes of their own.
4. Growth, extreme and hostile documents, memory, processes: each with a bound.

Limit: 512 tokens, no overlap. --folder names any folder of documents instead of the corpus. Figures
of other folders are the ones to quote: code is made faster on the documents at hand.

docling's HybridChunker needs a tiktoken that excludes the one that treepack needs. It is measured
if --docling-python names a Python that has it (`docling_apart.py` says what to install there), on
a megabyte of the documents, as a ratio to a pass of its own tiktoken in turns with it.
"""

import argparse
import base64
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib.util import find_spec
from itertools import chain, islice, pairwise
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from floor import ENCODING, tiktoken_encoding
from peers import peers, versions
from plot import bars
from workloads import MEGABYTE, by_class, concatenation, extremes, hostile, sample_of, usual_corpus

import treepack
from treepack.clauses.walk import find_clauses
from treepack.packing import Packer
from treepack.references.finder import find_references
from treepack.tokens import vocabulary

CAP = 512
FLOOR = "tiktoken, one pass"
DOCLING = "docling markdown, hybrid"
IN_LANGCHAIN = "treepack in LangChain"
IN_LLAMA_INDEX = "treepack in LlamaIndex"
LANGCHAIN = "LangChain headers, recursive"
LLAMA_INDEX = "LlamaIndex markdown, sentences"
SHORT = "A short one....."
WITHOUT = "import sys; sys.modules.update(dict.fromkeys(sys.argv[2:]))\n"
CPU_SECONDS = "\nimport time; print(time.process_time())"
STARTS = {
    "python": "",
    "import treepack": "import treepack",
    "first pack": "import treepack; treepack.pack('# A\\n\\nb')",
    "LangChain's splitters": "import langchain_text_splitters",
    "TreepackTextSplitter": "from treepack import TreepackTextSplitter",
    "LlamaIndex's parsers": "import llama_index.core.node_parser",
    "TreepackNodeParser": "from treepack import TreepackNodeParser",
    "treepack --help": "import runpy; sys.argv[1:] = ['--help']",
    "treepack pack FILE": "import runpy; sys.argv[1:] = ['pack', sys.argv[1], '--quiet']",
}
RUN = "\ntry: runpy.run_module('treepack', run_name='__main__')\nexcept SystemExit: pass"
PEAK_OF_A_FILE = """
import resource, sys
from pathlib import Path
from treepack import pack

def peak():
    # ru_maxrss begins with what the parent had at the fork; the kernel's own mark does not.
    status = Path("/proc/self/status")
    if status.exists():
        marks = [line for line in status.read_text().splitlines() if line.startswith("VmHWM")]
        return int(marks[0].split()[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

imports = peak()
list(pack("The vocabulary is loaded by the first text."))
chunks = list(pack(Path(sys.argv[1])))
print(peak() - imports)
"""
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


class Bound(NamedTuple):
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
    parser.add_argument("--folder", type=Path, default=usual_corpus())
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--svg", type=Path, help="where to draw the ratios")
    parser.add_argument("--docling-python", help="a Python that has docling's HybridChunker")
    parser.add_argument("--quick", action="store_true", help="200 kB of each class, no 50 MB")
    given = parser.parse_args()
    if given.folder is None:
        sys.exit("no documents: name a folder of markdown with --folder")
    print(f"treepack {treepack.__version__}, {versions()}\nPython {sys.version}\n")
    classes = by_class(given.folder, MEGABYTE // 5 if given.quick else MEGABYTE)
    texts = [*chain.from_iterable(classes.values())]
    found = print_splitters(classes, given.rounds)
    if given.docling_python:
        found[DOCLING] = print_docling(given.docling_python, texts, given.rounds)
    if given.svg:
        given.svg.write_text(bars(found, "CPU time, one tiktoken pass = 1"))
    print_phases(classes, given.rounds)
    bounds = [*alone_bounds(texts, given.rounds), *peer_bounds(found)]
    bounds += [*short_document(), *starts(given.rounds)]
    bounds += growth(texts, [1, 10] if given.quick else [1, 10, 50], given.rounds)
    bounds += shapes(texts, given.rounds)
    bounds += [*hostile_times(given.rounds), *memory(texts), *processes(texts)]
    print("\n| bound | figure | at most | |\n|---|--:|--:|---|")
    print(*bounds, sep="\n")


# -------------------------------------------------------------------- splitters


def packings() -> Mapping[str, Work]:
    """Return treepack with each of the settings that matter for time."""
    limits = {"max_tokens": CAP, "target_tokens": CAP}
    configs = {
        "": treepack.PackConfig(**limits),
        ", no clauses": treepack.PackConfig(**limits, clauses=False),
    }
    fast = vocabulary.load_vocabulary(ENCODING)
    usual = vocabulary.Vocabulary(vocabulary.tiktoken_encode(ENCODING), fast.character_starts)
    kinds = {"treepack": usual, **({"treepack[fast]": fast} if find_spec("splintr") else {})}
    return {
        f"{kind}{setting}": partial(_pack, Packer(config), loaded)
        for kind, loaded in kinds.items()
        for setting, config in configs.items()
    }


def _pack(packer: Packer, loaded: vocabulary.Vocabulary, text: str) -> treepack.Chunks:
    vocabulary._loaded[ENCODING] = loaded  # noqa: SLF001 - both count in one process
    return packer.pack(treepack.Source(text))


def adapters() -> Mapping[str, Work]:
    """Return the adapters, which make the frameworks' objects."""
    works: dict[str, Work] = {}
    if find_spec("langchain_text_splitters"):
        splitter = treepack.TreepackTextSplitter(CAP)
        works[IN_LANGCHAIN] = lambda text: splitter.create_documents([text])
    if find_spec("llama_index"):
        from llama_index.core import Document  # noqa: PLC0415 - may be missing

        parser = treepack.TreepackNodeParser(chunk_size=CAP)
        works[IN_LLAMA_INDEX] = lambda text: parser.get_nodes_from_documents([Document(text=text)])
    return works


def side_by_side(failures: Counter[str]) -> dict[str, Work]:
    """Return the tokenizer pass, treepack, and the installed peers, whose failures are counted."""
    works: dict[str, Work] = {FLOOR: tiktoken_encoding().encode_ordinary}
    works.update({**packings(), **adapters()})
    works |= {name: _forgiving(name, work, failures) for name, work in peers(CAP).items()}
    return works


def _forgiving(name: str, work: Work, failures: Counter[str]) -> Work:
    def tried(text: str) -> object:
        try:
            return work(text)
        except Exception:  # noqa: BLE001 - a peer's trouble is a figure here
            failures[name] += 1
            return None

    return tried


def print_splitters(classes: Mapping[str, Sequence[str]], rounds: int) -> dict[str, float]:
    """Print the ratios of each splitter for each class; return the means of those by turns."""
    failures: Counter[str] = Counter()
    works = side_by_side(failures)
    by_turn = {name: ratios(by_turns(works, texts, rounds)) for name, texts in classes.items()}
    warm = {name: ratios(in_rows(works, texts, rounds)) for name, texts in classes.items()}
    means = {name: statistics.mean(each[name] for each in by_turn.values()) for name in works}
    names = [f"{name} ({len(texts)})" for name, texts in classes.items()]
    print(f"| by turns, medians of {rounds} | {' | '.join(names)} | mean | mean, warm |")
    print(f"|---{'|--:' * (len(names) + 2)}|")
    for name in sorted(works, key=lambda name: means[name]):
        last = statistics.mean(each[name] for each in warm.values())
        row = [*(each[name] for each in by_turn.values()), means[name], last]
        print(f"| {name} | {' | '.join(f'{ratio:.2f}' for ratio in row)} |", flush=True)
    for name, count in failures.items():
        print(f"\n{name} raised {count} times")
    return means


def print_docling(python: str, documents: Sequence[str], rounds: int) -> float:
    """Print the time of docling's HybridChunker, run by another Python; return the ratio."""
    texts = sample_of(documents, MEGABYTE)
    script = Path(__file__).with_name("docling_apart.py")
    encoding = tiktoken_encoding()
    ranks = range(len(encoding.token_byte_values()))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{ENCODING}.tiktoken"
        tokens = map(encoding.decode_single_token_bytes, ranks)
        rows = (b"%b %d\n" % (base64.b64encode(token), rank) for rank, token in enumerate(tokens))
        file.write_bytes(b"".join(rows))
        command = [python, str(script), str(file), ENCODING, str(CAP), str(rounds)]
        done = subprocess.run(
            command, input=json.dumps(texts), stdout=subprocess.PIPE, text=True, check=True
        )
    measured = json.loads(done.stdout)
    ratio = float(measured["seconds"] / measured["floor"])
    print(
        f"\n{DOCLING}: {ratio:.2f} for {len(texts)} documents, {measured['versions']}; raised "
        f"{measured['failures']} times"
    )
    return ratio


def by_turns(works: Mapping[str, Work], documents: Sequence[str], rounds: int) -> dict[str, float]:
    """Return the median CPU seconds of each function over all documents.

    All documents make a round, so that what a function remembers of a text is not what is measured.
    The order changes with each document, because a function is slower after one of another package.
    """
    dice = random.Random(0)  # noqa: S311 - no secret
    order = [*works]
    seconds: dict[str, list[float]] = {name: [] for name in works}
    for work in works.values():
        work(documents[0][:1000])  # a warm-up: the first text loads what all need
    for _ in range(rounds):
        spent = dict.fromkeys(works, 0.0)
        for text in documents:
            dice.shuffle(order)
            for name in order:
                spent[name] += once(works[name], text)
        for name, value in spent.items():
            seconds[name].append(value)
    return {name: statistics.median(values) for name, values in seconds.items()}


def in_rows(works: Mapping[str, Work], documents: Sequence[str], rounds: int) -> dict[str, float]:
    """Return the median CPU seconds of each function over all documents in a row."""
    return {
        name: statistics.median(sum(once(work, text) for text in documents) for _ in range(rounds))
        for name, work in works.items()
    }


def once(work: Work, text: str) -> float:
    """Return the CPU seconds of one call."""
    begun = time.process_time()
    work(text)
    return time.process_time() - begun


def ratios(seconds: Mapping[str, float]) -> dict[str, float]:
    """Return each figure relative to that of the tokenizer pass."""
    return {name: value / seconds[FLOOR] for name, value in seconds.items()}


def alone_bounds(texts: Sequence[str], rounds: int) -> Iterator[Bound]:
    """Yield the promised bounds of treepack to one pass, over all documents.

    No other splitter takes turns here, because what it leaves in the processor's caches costs the
    next function more than the differences that are measured.
    """
    most = {"treepack": 2.4, "treepack, no clauses": 1.8}
    most |= {"treepack[fast]": 1.8, "treepack[fast], no clauses": 1.3}
    works: dict[str, Work] = {FLOOR: tiktoken_encoding().encode_ordinary, **packings()}
    for name, ratio in ratios(by_turns(works, texts, rounds)).items():
        if name in most:
            yield Bound(f"{name} to one pass", ratio, most[name])


def peer_bounds(found: Mapping[str, float]) -> Iterator[Bound]:
    """Yield the promised bounds of treepack to its peers."""
    promised = {
        ("treepack", LANGCHAIN): 0.75,
        (IN_LANGCHAIN, LANGCHAIN): 0.85,
        ("treepack", LLAMA_INDEX): 0.4,
        ("treepack", "semantic-text-splitter"): 0.3,
        ("treepack", "semchunk"): 0.9,
        ("treepack", DOCLING): 0.025,
    }
    for (one, other), most in promised.items():
        if one in found and other in found:
            yield Bound(f"{one} to {other}", found[one] / found[other], most)


# -------------------------------------------------------------------- phases and starts


def print_phases(classes: Mapping[str, Sequence[str]], rounds: int) -> None:
    """Print the ratio, and the calls for each chunk, up to each phase."""
    works: dict[str, Work] = {
        FLOOR: tiktoken_encoding().encode_ordinary,
        "parse (blocks, titles, tree)": treepack.parse,
        "and count (token index)": _counted,
        "and clauses": lambda text: find_clauses(_counted(text)),
        "and references": _with_references,
        "pack": lambda text: treepack.pack(treepack.Source(text)),
        "and records": lambda text: list(treepack.pack(treepack.Source(text))),
        "and records as JSON": lambda text: treepack.pack(treepack.Source(text)).to_jsonl(),
    }
    found = {name: ratios(by_turns(works, texts, rounds)) for name, texts in classes.items()}
    print(f"\n| ratio and calls up to this phase | {' | '.join(classes)} |")
    print(f"|---{'|--:' * len(classes)}|")
    for name, work in works.items():
        row = []
        for each, texts in classes.items():
            sample = [*islice(texts, 20)]
            chunks = sum(len(treepack.pack(treepack.Source(text))) for text in sample)
            made = sum(calls(partial(work, text), "call", "c_call") for text in sample) / chunks
            row.append(f"{found[each][name]:.2f}, {made:.0f}")
        print(f"| {name} | {' | '.join(row)} |", flush=True)


def _counted(text: str) -> treepack.Document:
    document = treepack.parse(text)
    document.tokens.estimate(0, 1)  # nothing is counted before the first query
    return document


def _with_references(text: str) -> object:
    document = _counted(text)
    return find_references(document, find_clauses(document))


def calls(work: Callable[[], object], *kinds: str) -> int:
    """Return how many functions are called: of Python (``call``), of C (``c_call``)."""
    count = 0

    def note(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event in kinds

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def short_document() -> list[Bound]:
    """Return the bounds of what is done once for each document."""
    packer = Packer()
    work = partial(packer.pack, treepack.Source(SHORT))
    seconds = [once(lambda _: work(), "") for _ in range(2000)]
    return [
        Bound("16 characters, microseconds", 1e6 * statistics.median(seconds), 100),
        Bound("16 characters, functions of Python called", calls(work, "call"), 120),
    ]


def starts(rounds: int) -> Iterator[Bound]:
    """Print the CPU seconds of each start in a process of its own; yield the bound of packing."""
    print("\n| start | CPU seconds | without splintr |\n|---|--:|--:|")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "small.md"
        file.write_text("# Pump\n\nMount it.\n", encoding="utf-8")
        for name, code in STARTS.items():
            runs = code + (RUN if "runpy" in code else "") + CPU_SECONDS
            both = [
                statistics.median(
                    float(run_python(WITHOUT + runs, str(file), *missing).split()[-1])
                    for _ in range(rounds)
                )
                for missing in ((), ("splintr",))
            ]
            print(f"| {name} | {both[0]:.2f} | {both[1]:.2f} |", flush=True)
            if "FILE" in name:
                yield Bound(f"{name}, CPU seconds", both[0], 0.4)


# -------------------------------------------------------------------- growth, shapes, memory


def growth(texts: Sequence[str], sizes: Sequence[int], rounds: int) -> list[Bound]:
    """Return the bounds of the time for a document relative to that of the previous size."""
    most = {10: 11.0, 50: 5.5}
    seconds = {
        size: statistics.median(
            once(_packed, concatenation(texts, size * MEGABYTE)) for _ in range(rounds)
        )
        for size in sizes
    }
    return [
        Bound(f"{large} MB to {small} MB", seconds[large] / seconds[small], most[large])
        for small, large in pairwise(sizes)
    ]


def shapes(documents: Sequence[str], rounds: int) -> list[Bound]:
    """Return the bounds of the time per byte of extreme documents relative to real ones."""
    per_byte = sum(once(_packed, text) for text in documents) / sum(map(len, documents))
    return [
        Bound(
            f"{name}, each byte to the documents'",
            statistics.median(once(_packed, text) for _ in range(rounds)) / len(text) / per_byte,
            3,
        )
        for name, text in extremes().items()
    ]


def hostile_times(rounds: int) -> list[Bound]:
    """Return the bounds of seconds per MB for hostile documents; all must end."""
    most = {"quote nests": 2.0, "clauses 1.1.1": 1.0, "open comment": 1.0}
    return [
        Bound(
            f"hostile, seconds per MB: {name}",
            statistics.median(once(_packed, text) for _ in range(rounds))
            / (len(text.encode()) / MEGABYTE),
            most.get(name, 2.5),
        )
        for name, text in hostile().items()
    ]


def memory(texts: Sequence[str]) -> Iterator[Bound]:
    """Yield the bounds of bytes above the imports for each byte of a 10 MB document."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "large.md"
        file.write_text(concatenation(texts, 10 * MEGABYTE), encoding="utf-8")
        for missing in ("splintr", "numpy"):
            added = int(run_python(WITHOUT + PEAK_OF_A_FILE, str(file), missing))
            name = f"memory without {missing}, bytes per byte"
            yield Bound(name, added / file.stat().st_size, 10)


def processes(texts: Sequence[str]) -> Iterator[Bound]:
    """Yield the bound of wall time of two processes relative to one, for 2,000 files."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"{number}.md" for number in range(2000)]
        for number, file in enumerate(files):
            file.write_text(texts[number % len(texts)][:20_000], encoding="utf-8", newline="")
        shares = [float(share) for share in run_python(PACK_BY_TWO, folder).split()]
    yield Bound("two processes to one, by the clock", statistics.median(shares), 0.54)


def _packed(text: str) -> list[treepack.Chunk]:
    return list(treepack.pack(treepack.Source(text)))  # a record is made only on request


def run_python(code: str, *arguments: str) -> str:
    """Run code in a fresh interpreter and return what it prints."""
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    main()
