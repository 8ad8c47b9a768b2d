"""Other splitters and treepack on the same documents, judged by the same audit.

    pip install ".[langchain,llama-index]" chonkie semantic-text-splitter
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
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import treepack
from treepack.audit import AuditReport
from treepack.tokens.vocabulary import load_vocabulary

ENCODING = "cl100k_base"
SHOWN = {
    1: "text lost, repeated or invented",
    3: "chunks above the cap",
    5: "tables without header, rows cut",
    6: "code without its fence",
    8: "headings parted from their text",
    9: "cuts that a larger unit would have spared",
}

Splitter = Callable[[str], Sequence[str] | Sequence[treepack.Chunk]]


def splitters(cap: int) -> Mapping[str, Splitter]:
    """The splitters by name, each from a text to its chunks' texts."""
    # Here, so that --help needs none of them.
    from chonkie import RecursiveChunker  # noqa: PLC0415 - see above
    from langchain_text_splitters import (  # noqa: PLC0415 - see above
        Language,
        MarkdownHeaderTextSplitter,
        RecursiveCharacterTextSplitter,
    )
    from llama_index.core import Document  # noqa: PLC0415 - see above
    from llama_index.core.node_parser import (  # noqa: PLC0415 - see above
        MarkdownNodeParser,
        SentenceSplitter,
    )
    from semantic_text_splitter import MarkdownSplitter  # noqa: PLC0415 - see above

    encoding = load_vocabulary(ENCODING).encoding
    count = partial(_count, encoding)
    recursive = RecursiveCharacterTextSplitter.from_language(
        Language.MARKDOWN, chunk_size=cap, chunk_overlap=0, length_function=count
    )
    levels = [("#" * level, f"h{level}") for level in range(1, 7)]
    by_header = MarkdownHeaderTextSplitter(levels, strip_headers=False)
    sentences = SentenceSplitter(
        chunk_size=cap, chunk_overlap=0, tokenizer=encoding.encode_ordinary
    )
    nodes = MarkdownNodeParser()
    semantic = MarkdownSplitter.from_callback(count, cap, trim=False)
    tokenizer: Any = count  # chonkie takes a function as well
    chonkie = RecursiveChunker(tokenizer=tokenizer, chunk_size=cap)
    packer = treepack.Packer(
        treepack.PackConfig(max_tokens=cap, target_tokens=cap, encoding=ENCODING)
    )

    def markdown_nodes(text: str) -> list[str]:
        parts = nodes.get_nodes_from_documents([Document(text=text)])
        return [piece for part in parts for piece in sentences.split_text(part.get_content())]

    return {
        "treepack": lambda text: packer.pack(treepack.Source(text)),
        "treepack, texts alone": lambda text: [
            chunk.text for chunk in packer.pack(treepack.Source(text))
        ],
        "LangChain recursive": recursive.split_text,
        "LangChain headers, recursive": lambda text: [
            piece
            for part in by_header.split_text(text)
            for piece in recursive.split_text(part.page_content)
        ],
        "LlamaIndex sentences": sentences.split_text,
        "LlamaIndex markdown, sentences": markdown_nodes,
        "semantic-text-splitter": semantic.chunks,
        "chonkie recursive": lambda text: [chunk.text for chunk in chonkie.chunk(text)],
    }


def judged(splitter: Splitter, texts: Mapping[str, str], cap: int) -> tuple[AuditReport, float]:
    """What the audit finds in a splitter's chunks, and the seconds that it took to make them."""
    reports: list[AuditReport] = []
    seconds = 0.0
    for name, text in texts.items():
        begun = time.process_time()
        chunks = splitter(text)
        seconds += time.process_time() - begun
        found = treepack.audit(text, chunks, name=name, max_tokens=cap, encoding=ENCODING)
        reports.append(found)
    return AuditReport.merge(reports), seconds


def sample(folder: Path, most: int) -> Mapping[str, str]:
    """Markdown files without front matter, which splitters treat as they please."""
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
    names = ("chonkie", "langchain-text-splitters", "llama-index-core", "semantic-text-splitter")
    print(", ".join(f"{name} {version(name)}" for name in names) + "\n")
    print("| | chunks | " + " | ".join(SHOWN.values()) + " | seconds |")
    print("|---" + "|--:" * (len(SHOWN) + 2) + "|")
    for name, splitter in splitters(given.cap).items():
        report, seconds = judged(splitter, texts, given.cap)
        findings = {law.law: law.findings for law in report.laws}
        row = [f"{findings[law]:,}" for law in SHOWN]
        print(f"| {name} | {report.chunks:,} | {' | '.join(row)} | {seconds:.1f} |", flush=True)


def _count(encoding: Any, text: str) -> int:  # noqa: ANN401 - tiktoken's
    return len(encoding.encode_ordinary(text))


if __name__ == "__main__":
    main()
