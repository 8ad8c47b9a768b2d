"""What tables and engines cost over the plain loop, and what their workers need.

    python integration_tests/benchmarks/engines.py [--megabytes N] [--rounds N] [--corpus DIR]

1. Overhead: CPU time of `pack_table` to that of the plain loop over the same documents, by turns,
   the median of the rounds.
2. Memory: peak of a process of its own that packs batch after batch, for batches of several sizes.
3. Ray and Spark, where they are installed: seconds, and their largest worker processes, for
   so many megabytes of documents in Parquet files, with two workers; the rows come to this process
   as Arrow. The loop over the same files comes first. Start of the engine is counted.

The corpus is repeated, under ids of their own, until there are enough megabytes; without --corpus
a generated one. Exit status 1 if the overhead is above 25 % or Ray is slower than the loop.
"""

import argparse
import logging
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from itertools import cycle
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq
from workloads import MEGABYTE, generate_corpus, read_corpus

from treepack import Chunks, Source
from treepack.integrations.arrow import pack_table
from treepack.packing import Packer

MOST_OVERHEAD: Final = 0.25
FILE_BYTES: Final = 8 * MEGABYTE
LARGEST: Final = MEGABYTE
"""Larger documents of a corpus are left out, because one of them would fill a batch."""

BATCHES: Final = (1, 8, 32, 128)

PACK_BATCHES = """
import sys
import pyarrow.parquet as pq
from engines import peak_memory
from treepack import pack
from treepack.integrations.arrow import pack_batches

pack("# The vocabulary").to_arrow()
print(peak_memory(), end=" ")
rows = 0
for file in sys.argv[1:]:
    for batch in pq.ParquetFile(file).iter_batches(batch_size=1 << 30):
        for packed in pack_batches([batch]):
            rows += packed.num_rows
print(peak_memory(), rows)
"""


class Watched(Packer):
    """Notes, in a file for each process, its peak memory and its CPU time so far."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder
        self.packed = 0

    def pack(self, source: Any, **options: Any) -> Chunks:  # noqa: ANN401 - a packer's sources
        """Pack, and write the note after every 20th document."""
        chunks = super().pack(source, **options)
        self.packed += 1
        if self.packed % 20 == 0:
            note = f"{peak_memory()} {time.process_time()}"
            (self.folder / str(os.getpid())).write_text(note, encoding="ascii")
        return chunks

    def notes(self) -> list[tuple[int, float]]:
        """Return peak memory and CPU time of each process, the largest first."""
        files = (file.read_text(encoding="ascii").split() for file in self.folder.iterdir())
        return sorted(((int(peak), float(cpu)) for peak, cpu in files), reverse=True)


def main() -> int:
    """Measure and print everything."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--megabytes", type=int, default=200)
    options.add_argument("--rounds", type=int, default=7)
    options.add_argument("--corpus", type=Path)
    given = options.parse_args()
    texts = read_corpus(given.corpus) if given.corpus else generate_corpus(5 * MEGABYTE)
    texts = [text for text in texts if len(text) <= LARGEST]
    fine = print_overhead(texts, given.rounds)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        print_memory(texts, folder)
        if given.megabytes:
            fine &= print_engines(texts, given.megabytes * MEGABYTE, folder)
    return 0 if fine else 1


def print_overhead(texts: Sequence[str], rounds: int) -> bool:
    """Print the overhead of `pack_table` over the loop; return whether it is small enough."""
    texts = texts[: max(1, len(texts) // 4)] if len(texts) > 40 else texts
    packer = Packer()
    documents = table_of(list(enumerate(texts)))

    def loop() -> None:
        for number, text in enumerate(texts):
            packer.pack(Source(text, str(number)))

    loop()  # a warm-up, which reads the vocabulary
    pairs = [(seconds(loop), seconds(lambda: pack_table(documents, packer))) for _ in range(rounds)]
    ratios = [table / plain - 1 for plain, table in pairs]
    overhead = statistics.median(ratios)
    size = sum(len(text.encode()) for text in texts) / MEGABYTE
    plain = statistics.median(pair[0] for pair in pairs)
    print(f"overhead of pack_table over the plain loop: {overhead:.1%} of CPU time")
    print(f"  {size:.1f} MB, loop {plain:.2f} s; rounds {min(ratios):.1%} to {max(ratios):.1%}")
    return overhead <= MOST_OVERHEAD


def print_memory(texts: Sequence[str], folder: Path) -> None:
    """Print the peak memory of a process that packs batches, for each size of batch."""
    print("memory of a process that packs batch after batch (with a vocabulary alone, peak)")
    for size in BATCHES:
        inside = folder / f"batches-{size}"
        files = list(write_files(texts, max(2 * size, 16) * MEGABYTE, size * MEGABYTE, inside))
        command = [sys.executable, "-c", PACK_BATCHES, *map(str, files)]
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
        done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
        before, peak, rows = map(int, done.stdout.split())
        print(
            f"  batches of {size:3} MB: {before / MEGABYTE:4.0f}, {peak / MEGABYTE:5.0f} MB"
            f"  ({rows:,} rows)"
        )


def print_engines(texts: Sequence[str], size: int, folder: Path) -> bool:
    """Print the times of loop and engines; return whether rows agree and Ray is no slower."""
    inside = folder / "documents"
    files = list(write_files(texts, size, FILE_BYTES, inside))
    print(f"{size // MEGABYTE} MB in {len(files)} Parquet files, two workers")
    begun, cpu = time.perf_counter(), time.process_time()
    rows = loop_over(files)
    plain, cpu = time.perf_counter() - begun, time.process_time() - cpu
    print(f"  loop   {figures_line(plain, cpu, rows, size)}")
    fine = True
    for name, run in {"ray": on_ray, "spark": on_spark}.items():
        if find_spec({"spark": "pyspark"}.get(name, name)) is None:
            print(f"  {name:6} is not installed")
            continue
        packer = Watched(folder / name)
        packer.folder.mkdir()
        begun = time.perf_counter()
        found = run(inside, packer)
        took = time.perf_counter() - begun
        notes = packer.notes()
        peaks = ", ".join(f"{peak / MEGABYTE:.0f}" for peak, _ in notes[:4])
        cpu = sum(used for _, used in notes)
        print(f"  {name:6} {figures_line(took, cpu, found, size)}; largest workers {peaks} MB")
        if found != rows:
            print(f"  {name} gave {found:,} rows, but the loop {rows:,}")
            fine = False
        fine &= name != "ray" or took <= plain
    return fine


def loop_over(files: Sequence[Path]) -> int:
    """Pack the documents of files one after the other; return the number of chunks."""
    packer = Packer()
    count = 0
    for file in files:
        for document in pq.read_table(file).to_pylist():
            count += len(packer.pack(Source(document["text"], document["doc_id"])))
    return int(count)


def on_ray(folder: Path, packer: Packer) -> int:
    """Pack the documents of a folder with two Ray workers; return the number of rows."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    import ray  # noqa: PLC0415 - may be missing
    from ray.data import DataContext  # noqa: PLC0415 - as above

    from treepack.integrations.ray import pack_dataset  # noqa: PLC0415 - as above

    DataContext.get_current().enable_progress_bars = False
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    packed = pack_dataset(ray.data.read_parquet(str(folder)), packer)
    count = sum(
        batch.num_rows for batch in packed.iter_batches(batch_size=None, batch_format="pyarrow")
    )
    ray.shutdown()
    return int(count)


def on_spark(folder: Path, packer: Packer) -> int:
    """Pack the documents of a folder with two Spark workers; return the number of rows."""
    from pyspark.sql import SparkSession  # noqa: PLC0415 - may be missing

    from treepack.integrations.spark import pack_dataframe  # noqa: PLC0415 - as above

    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.driver.memory", "4g")
        .config("spark.driver.maxResultSize", "0")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "200")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    chunks = pack_dataframe(session.read.parquet(str(folder)), packer).toArrow()
    session.stop()
    return len(chunks)


def write_files(texts: Sequence[str], size: int, file_size: int, folder: Path) -> Iterator[Path]:
    """Write documents into Parquet files of ``file_size`` bytes of text each; yield the files."""
    folder.mkdir()
    waiting: list[tuple[int, str]] = []
    written = so_far = 0
    for document in enumerate(cycle(texts)):
        waiting.append(document)
        so_far += len(document[1].encode())
        if so_far >= min(file_size, size - written):
            file = folder / f"{written // MEGABYTE:06}.parquet"
            # Uncompressed, so that engines see how large the documents are.
            pq.write_table(
                table_of(waiting), file, compression="none", use_dictionary=False,
                row_group_size=len(waiting),
            )  # fmt: skip
            yield file
            written, so_far, waiting = written + so_far, 0, []
        if written >= size:
            return


def table_of(documents: Sequence[tuple[int, str]]) -> pa.Table:
    """Return the documents as a table."""
    ids = [f"{number}.md" for number, _ in documents]
    return pa.table({"doc_id": ids, "text": [text for _, text in documents]})


def peak_memory() -> int:
    """Return this process's peak memory in bytes, without memory shared with others."""
    # ru_maxrss begins with the parent's memory at the fork; the kernel's high-water mark does not.
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    marks = {name: text for name, _, text in (line.partition(":") for line in lines)}
    return (int(marks["VmHWM"].split()[0]) - int(marks["RssShmem"].split()[0])) * 1024


def figures_line(took: float, cpu: float, rows: int, size: int) -> str:
    """Return the figures of one run as text; CPU time is that of the processes that packed."""
    rate = f"{size / MEGABYTE / took:.2f} MB/s, {rows / took:,.0f} rows/s"
    return f"{took:.1f} s ({cpu:.1f} s of CPU), {rate}, {rows:,} rows"


def seconds(function: Callable[[], object]) -> float:
    """Return the CPU time of one call of a function."""
    begun = time.process_time()
    function()
    return time.process_time() - begun


if __name__ == "__main__":
    sys.exit(main())
