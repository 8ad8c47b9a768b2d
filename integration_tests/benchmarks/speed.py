"""Print figures of speed, growth, memory and import time.

    python integration_tests/benchmarks/speed.py [--corpus DIR] [--rounds N]

1. Ratio: CPU time of packing every document of the corpus relative to one `encode_ordinary` pass of
   tiktoken over the same texts, in the same process, document by document in turns, medians.
2. Growth: time for 10 MB of documents put together, relative to that for 1 MB.
3. Memory: peak added by packing the 10 MB, above the imports, in a process of its own.
4. Import: time of `import treepack` in a process of its own.

The corpus is --corpus, or TREEPACK_CORPUS, or ../shared/corpus beside the checkout, or otherwise a
generated one.
"""

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path

from floor import tiktoken_encoding

import treepack

SUFFIXES = (".md", ".mdx", ".txt")
MEGABYTE = 1_000_000

IMPORT = """
import time
wall, cpu = time.perf_counter(), time.process_time()
import treepack
print(time.perf_counter() - wall, time.process_time() - cpu)
"""
PACK_A_FILE = """
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
vocabulary = peak()
chunks = list(pack(Path(sys.argv[1])))
print(imports, vocabulary, peak(), len(chunks))
"""


def main() -> None:
    """Measure and print everything."""
    options = argparse.ArgumentParser(description="Measure speed and memory of treepack.")
    options.add_argument("--corpus", type=Path, default=usual_corpus())
    options.add_argument("--rounds", type=int, default=5)
    given = options.parse_args()
    texts = read_corpus(given.corpus) if given.corpus else generate_corpus(2 * MEGABYTE)
    where = given.corpus or "generated"
    size = sum(len(text.encode()) for text in texts)
    print(f"treepack {version('treepack')}, tiktoken {version('tiktoken')}, {sys.version}")
    print(f"corpus: {where}, {len(texts)} documents, {size / MEGABYTE:.1f} MB")
    print_ratio(texts, given.rounds, size)
    print_growth(texts, max(1, given.rounds // 2))
    print_memory(texts)
    print_import_time()


def read_corpus(folder: Path) -> list[str]:
    """Read the documents of a folder, sorted by path."""
    files = sorted(file for file in folder.rglob("*") if file.suffix in SUFFIXES)
    if not files:
        sys.exit(f"{folder} holds no document")
    return [file.read_text(encoding="utf-8", errors="replace") for file in files]


def generate_corpus(size: int) -> list[str]:
    """Make documents of headings, prose, lists, code and tables, the same ones each time."""
    dice = random.Random(0)  # noqa: S311 - no secret
    words = ["".join(dice.choices("aeioulnrstdm", k=dice.randint(2, 9))) for _ in range(3000)]

    def prose(count: int) -> str:
        return " ".join(dice.choices(words, k=count)).capitalize() + "."

    documents: list[str] = []
    while size > 0:
        blocks = [f"# {prose(4)}"]
        for number in range(dice.randint(3, 30)):
            blocks.append(f"{'#' * dice.randint(2, 4)} {number} {prose(3)}")
            blocks += [" ".join(prose(14) for _ in range(5)) for _ in range(dice.randint(1, 4))]
            blocks.append("\n".join(f"- {prose(9)}" for _ in range(6)))
            blocks.append("```python\n" + "\n".join(prose(6) for _ in range(12)) + "\n```")
            rows = "\n".join(f"| {prose(3)} | {prose(5)} |" for _ in range(8))
            blocks.append(f"| name | meaning |\n|---|---|\n{rows}")
        documents.append("\n\n".join(blocks) + "\n")
        size -= len(documents[-1])
    return documents


def print_ratio(texts: Sequence[str], rounds: int, size: int) -> None:
    """Print CPU time of parse() and pack() over all documents against one tokenizer pass."""
    encoder = tiktoken_encoding()
    passes: dict[str, Callable[[str], object]] = {
        "encode_ordinary": encoder.encode_ordinary,
        "parse, not counted": treepack.parse,
        "pack, no clauses": partial(packed, config=treepack.PackConfig(clauses=False)),
        "pack (end to end)": packed,
    }
    seconds: dict[str, list[float]] = {name: [] for name in passes}
    for _ in range(rounds):
        spent = dict.fromkeys(passes, 0.0)
        for text in texts:  # in turns: other work on the machine slows all of them alike
            for name, function in passes.items():
                spent[name] += cpu_seconds(function, [text])
        for name, value in spent.items():
            seconds[name].append(value)
    medians = {name: statistics.median(values) for name, values in seconds.items()}
    print(f"\nCPU seconds, one process, documents by turns, median of {rounds} rounds:")
    for name, median in medians.items():
        shares = zip(seconds[name], seconds["encode_ordinary"], strict=True)
        ratio = statistics.median(one / other for one, other in shares)
        speed = size / MEGABYTE / median
        print(f"  {name:18} {median:7.2f} s  {speed:6.1f} MB/s  ratio {ratio:.2f}")


def cpu_seconds(function: Callable[[str], object], texts: Sequence[str]) -> float:
    """Return the CPU time of a function over all texts; each result is dropped at once."""
    start = time.process_time()
    for text in texts:
        function(text)
    return time.process_time() - start


def packed(text: str, config: treepack.PackConfig | None = None) -> list[treepack.Chunk]:
    """Return all chunks of a text as a list, because a record is made only on request."""
    return list(treepack.pack(treepack.Source(text), config))


def print_growth(texts: Sequence[str], rounds: int) -> None:
    """Print the time for a 10 MB document relative to that for a 1 MB one."""
    small, large = ([concatenation(texts, count * MEGABYTE)] for count in (1, 10))
    times = [(cpu_seconds(packed, small), cpu_seconds(packed, large)) for _ in range(rounds)]
    one, ten = (statistics.median(column) for column in zip(*times, strict=True))
    print(f"\n1 MB in {one:.2f} s, 10 MB in {ten:.2f} s: ratio {ten / one:.1f}")


def print_memory(texts: Sequence[str]) -> None:
    """Print what packing a 10 MB document adds to the peak memory of its process."""
    document = concatenation(texts, 10 * MEGABYTE).encode()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "large.md"
        file.write_bytes(document)
        imports, vocabulary, peak, chunks = map(int, run_python(PACK_A_FILE, str(file)).split())
    size, added = len(document), peak - imports
    print(
        f"\npeak memory: {added / MEGABYTE:.0f} MB above the imports for {size / MEGABYTE:.1f} MB"
        f" of source ({chunks} chunks): {added / size:.1f} bytes per byte\n"
        f"  imports {imports / MEGABYTE:.0f} MB, with vocabulary {vocabulary / MEGABYTE:.0f} MB,"
        f" {(peak - vocabulary) / size:.1f} bytes per byte above that"
    )


def print_import_time() -> None:
    """Print the time of the import in fresh interpreters."""
    times = [map(float, run_python(IMPORT).split()) for _ in range(7)]
    wall, cpu = (statistics.median(column) for column in zip(*times, strict=True))
    print(f"\nimport treepack: {wall:.2f} s, {cpu:.2f} s of CPU")


def concatenation(texts: Sequence[str], size: int) -> str:
    """Join documents up to a size in bytes, and start again at the first if they are too few."""
    parts: list[str] = []
    while size > 0:
        for text in texts:
            data = text.encode()[:size]
            parts.append(data.decode(errors="ignore"))
            size -= len(data)
            if size <= 0:
                break
    return "\n\n".join(parts)


def run_python(code: str, *arguments: str) -> str:
    """Run code in a fresh interpreter and return what it prints."""
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def usual_corpus() -> Path | None:
    """Return the folder TREEPACK_CORPUS, or the one beside the checkout if it exists."""
    named = os.environ.get("TREEPACK_CORPUS")
    beside = Path(__file__).parents[3] / "shared" / "corpus"
    return Path(named) if named else beside if beside.is_dir() else None


if __name__ == "__main__":
    main()
