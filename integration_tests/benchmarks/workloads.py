"""The documents that are packed to measure: real, generated, extreme and hostile ones."""

import os
import random
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

SUFFIXES = (".md", ".mdx", ".txt")
MEGABYTE = 1_000_000
SMALL = 4_000
"""Bytes of a small file: what treepack does once for each document counts there."""

CLASSES = {
    "markdown": ("docs", "std", "converters", "tables"),
    "law": ("law",),
    "RFC": ("rfc",),
    "contract": ("contracts",),
    "small files": ("retrieval",),
}
"""The folders of the corpus by the kind of their documents."""

WORDS = ("valve", "pump", "limit", "sensor", "shall", "open", "close", "value", "table", "clause")


def usual_corpus() -> Path | None:
    """Return the folder TREEPACK_CORPUS, or the one beside the checkout if it exists."""
    named = os.environ.get("TREEPACK_CORPUS")
    beside = Path(__file__).parents[3] / "shared" / "corpus"
    return Path(named) if named else beside if beside.is_dir() else None


def read_corpus(folder: Path) -> list[str]:
    """Read the documents of a folder, sorted by path."""
    files = sorted(file for file in folder.rglob("*") if file.suffix in SUFFIXES)
    texts = [file.read_text(encoding="utf-8", errors="replace") for file in files if file.is_file()]
    if not texts:
        sys.exit(f"{folder} holds no document")
    return texts


def by_class(folder: Path, size: int) -> Mapping[str, list[str]]:
    """Return at most about ``size`` bytes of documents of each class in a folder.

    The corpus has a folder for each class. The files of any other folder are small or not.
    """
    if (folder / "law").is_dir():
        found = {
            name: [text for part in parts for text in read_corpus(folder / part)]
            for name, parts in CLASSES.items()
        }
    else:
        texts = read_corpus(folder)
        small = [text for text in texts if len(text.encode()) <= SMALL]
        found = {"small files": small, "others": [text for text in texts if text not in {*small}]}
    return {name: sample_of(texts, size) for name, texts in found.items() if texts}


def sample_of(texts: Sequence[str], size: int) -> list[str]:
    """Return every n-th document, with about ``size`` bytes together."""
    whole = sum(len(text.encode()) for text in texts)
    return list(texts[:: max(1, round(whole / size))])


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


def extremes() -> Mapping[str, str]:
    """Return a megabyte of each: tiny sections, one table, one code block, one paragraph."""
    dice = random.Random(0)  # noqa: S311 - no secret

    def random_words(count: int) -> str:
        return " ".join(dice.choices(WORDS, k=count))

    rows = "".join(f"| {n} | {random_words(5)} | {random_words(9)} |\n" for n in range(10_500))
    lines = "".join(
        f"    {random_words(3).replace(' ', '_')} = {n}  # {random_words(6)}\n"
        for n in range(14_500)
    )
    return {
        "tiny sections": "".join(
            f"## {n} {random_words(2)}\n\n{random_words(5)}.\n\n" for n in range(19_000)
        ),
        "one table": f"| no | name | meaning |\n|---|---|---|\n{rows}",
        "one code block": f"```python\n{lines}```\n",
        "one paragraph": " ".join(f"{random_words(12).capitalize()}." for _ in range(14_000))
        + "\n",
    }


def hostile() -> Mapping[str, str]:
    """Return unbroken runs and excessive depth, 0.4 to 1 MB each."""
    dice = random.Random(1)  # noqa: S311 - no secret
    letters = "abcdefghijklmnopqrstuvwxyz"
    million = MEGABYTE
    return {
        "a": "a" * million,
        "^": "^" * million,
        "line ends": "\n" * million + "x",
        "blanks": "x" + " " * million + "x",
        "no-break spaces": "x" + "\u00a0" * (million // 2) + "x",
        "CJK": "漢字" * 200_000,
        "random letters": "".join(dice.choices(letters, k=million)),
        "base64": "".join(dice.choices(letters + letters.upper() + "0123456789+/", k=million)),
        "quote nests": "".join(f"{'> ' * (n % 20 + 1)}line {n}\n" for n in range(12_000)),
        "lazy lines of a deep quote": "> " * 10_000 + "x\n" + "> x\n" * 100_000,
        "nested lists": "".join(f"{'  ' * (n % 40)}- item {n}\n" for n in range(12_000)),
        "headings": "".join(f"{'#' * (1 + n % 6)} {n}\n" for n in range(100_000)),
        "clauses 1.1.1": "".join(
            f"{n // 900 + 1}.{n // 30 % 30 + 1}.{n % 30 + 1} The tenant shall pay.\n\n"
            for n in range(20_000)
        ),
        "slashes": "/a.\n" * 200_000,
        "rows": "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 50_000,
        "open fences": "```\n\n" * 100_000,
        "definitions": "".join(f"[{n}]: /u\n" for n in range(40_000)),
        "math": "$$\n\nx\n\n" * 60_000,
        "tags": "<div>" * 100_000,
        "open comment": "<!-- " + "x\n\n" * 200_000,
    }
