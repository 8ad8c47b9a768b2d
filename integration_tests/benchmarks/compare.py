"""Other splitters and treepack on the same documents, judged by the same audit.

    pip install ".[langchain,llama-index]" chonkie semantic-text-splitter semchunk
    python integration_tests/benchmarks/compare.py FOLDER [--cap N] [--most N]

Every markdown file of the folder (or every n-th, down to --most of them) is cut by each splitter
at the same cap, counted by the same tokenizer, without overlap. `treepack.audit` sees the texts of
the chunks; of treepack's it sees the records too, which say what is repeated, in a row of their
own. Prints a table in markdown: findings by law.
"""

import argparse
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from floor import ENCODING
from peers import peers, versions

import treepack
from treepack import PackConfig
from treepack.laws import AuditReport
from treepack.packing import Packer

SHOWN = {
    1: "Text lost, repeated, invented",
    3: "Above the cap",
    5: "Tables without header, rows cut",
    6: "Code without its fence",
    8: "Headings separated from their text",
    9: "Avoidable cuts",
}

Splitter = Callable[[str], Sequence[str] | Sequence[treepack.Chunk]]


def splitters(cap: int) -> Mapping[str, Splitter]:
    """Return the splitters by name; each maps a text to its chunks, or to their texts."""
    packer = Packer(PackConfig(max_tokens=cap, encoding=ENCODING))
    return {
        "treepack": lambda text: packer.pack(treepack.Source(text)),
        "treepack, texts alone": lambda text: [
            chunk.text for chunk in packer.pack(treepack.Source(text))
        ],
        **peers(cap),
    }


def judged(splitter: Splitter, texts: Mapping[str, str], cap: int) -> tuple[AuditReport, float]:
    """Return what the audit finds in a splitter's chunks, and the CPU seconds of the splitting."""
    reports: list[AuditReport] = []
    seconds = 0.0
    for name, text in texts.items():
        begun = time.process_time()
        chunks = splitter(text)
        seconds += time.process_time() - begun
        source = treepack.Source(text, name)
        found = treepack.audit(source, chunks, PackConfig(max_tokens=cap, encoding=ENCODING))
        reports.append(found)
    return AuditReport.merge(reports), seconds


def sample(folder: Path, most: int) -> Mapping[str, str]:
    """Return markdown files without front matter, which each splitter treats differently."""
    files = sorted(file for file in folder.rglob("*.md") if file.is_file())
    texts = {str(file): treepack.read(file).text for file in files}
    fit = {
        name: text for name, text in texts.items() if text.strip() and not text.startswith("---")
    }
    step = -(-len(fit) // most)
    return dict(list(fit.items())[::step])


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cap", type=int, default=512)
    parser.add_argument("--most", type=int, default=100)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    texts = sample(given.folder, given.most)
    size = sum(map(len, texts.values()))
    print(f"{len(texts)} documents, {size / 1e6:.1f} million characters, cap {given.cap}\n")
    print(f"{versions()}\n")
    print("| | Chunks | " + " | ".join(SHOWN.values()) + " | Seconds |")
    print("|---" + "|--:" * (len(SHOWN) + 2) + "|")
    for name, splitter in splitters(given.cap).items():
        report, seconds = judged(splitter, texts, given.cap)
        findings = {law.law: law.findings for law in report.laws}
        row = [f"{findings[law]:,}" for law in SHOWN]
        print(f"| {name} | {report.chunks:,} | {' | '.join(row)} | {seconds:.1f} |", flush=True)


if __name__ == "__main__":
    main()
