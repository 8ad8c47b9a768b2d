"""Whole documents: the laws for every text file of the corpus, and what an edit leaves unchanged.

Runs if TREEPACK_CORPUS names a folder of documents; each of its folders is a test of the laws.
"""

import os
import random
import re
from functools import cache
from pathlib import Path
from statistics import mean

import pytest
from function_calls import record_encoding

from treepack import PackConfig, Source, audit, pack
from treepack.laws import AuditReport
from treepack.packing import Packer

CORPUS = os.environ.get("TREEPACK_CORPUS", "")
SUFFIXES = {".md", ".mdx", ".txt"}
SMALL = {"target_tokens": 256, "max_tokens": 512}
SETTINGS = (
    PackConfig(),
    PackConfig.preset("hierarchical", **SMALL),
    PackConfig(target_tokens=64, max_tokens=128),
    PackConfig(**SMALL, encoding="o200k_base"),
    PackConfig(**SMALL, overlap_tokens=32),
    PackConfig(levels=(1024, 256), overlap_tokens=32),
    *(PackConfig.preset(name) for name in ("standards", "sections", "datasheet", "retrieval")),
)
TESTED_WHOLE = 256  # tokens; at smaller caps, laws 1 to 4 are tested
MOST = 30  # documents of a folder, without --whole-corpus
EDITED = 5  # documents that are edited, without --whole-corpus

PARAGRAPH = (
    "This paragraph was inserted by an editor to see how much of the index has to be embedded "
    "again. It has two sentences and some forty words in all, which is an ordinary length for a "
    "paragraph in such a document."
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CORPUS, reason="TREEPACK_CORPUS names no folder"),
]


@cache
def files() -> dict[str, list[Path]]:
    """All text files by top folder, in sorted order."""
    found: dict[str, list[Path]] = {}
    root = Path(CORPUS)
    for path in sorted(root.rglob("*")) if CORPUS else []:
        if path.suffix in SUFFIXES and path.is_file():
            found.setdefault(path.relative_to(root).parts[0], []).append(path)
    return found


def source(path: Path) -> Source:
    text = path.read_bytes().decode("utf-8", "replace")
    return Source(text, str(path.relative_to(CORPUS)))


def audited(path: Path, config: PackConfig) -> AuditReport:
    at = source(path)
    return audit(at, pack(at, config), config, name=at.name)


def test_the_corpus_has_more_than_a_hundred_documents() -> None:
    assert sum(map(len, files().values())) > 100


@pytest.mark.parametrize("folder", sorted(files()))
def test_no_law_is_broken_on_real_documents(folder: str, pytestconfig: pytest.Config) -> None:
    """Documents are packed under the settings in turn; all under all with --whole-corpus."""
    is_whole = pytestconfig.getoption("--whole-corpus")
    paths = files()[folder]
    every, times = (1, len(SETTINGS)) if is_whole else (1 + len(paths) // MOST, 1)
    for number, path in enumerate(paths[::every]):
        for turn in range(times):
            config = SETTINGS[(number + turn) % len(SETTINGS)]
            least = min(config.levels or (config.max_tokens,))
            laws = range(1, 10) if least >= TESTED_WHOLE else range(1, 5)
            found = [each for each in audited(path, config).findings if each.law in laws]
            assert not found, (config, found[:20])


def test_real_documents_are_tokenized_about_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only repeated text, such as breadcrumbs and table headers, is counted twice."""
    recorder = record_encoding(monkeypatch)
    sources = [source(path) for paths in files().values() for path in paths[::16]]
    for each in sources:
        pack(each)
    assert recorder.characters <= 1.05 * sum(len(each.text) for each in sources)


# -------------------------------------------------------------------- law 10, by four edits


# What is replaced, with what, and from which share of the text on.
EDITS = {
    "a paragraph at the top": (
        r"(?s)\A((?:---\r?\n.*?\n---\r?\n)?.*?\n\s*\n)",
        rf"\1{PARAGRAPH}\n\n",
        0.0,
    ),
    "a word in the middle": (r"(?<=[a-z] )[a-z]{4,}(?= [a-z])", "changed", 0.5),
    "a late paragraph": (r"(?<=\n\n)[A-Z][^\n#|`>]{80,}\n(?=\n)", "", 0.8),
    "a new last section": (r"\s*\Z", rf"\n\n# Appended section\n\n{PARAGRAPH}\n", 0.9),
}


def edited(text: str, kind: str) -> str:
    pattern, new, share = EDITS[kind]
    at = int(len(text) * share)
    return text[:at] + re.sub(pattern, new, text[at:], count=1)


def long_documents() -> list[Path]:
    """The documents that may have 50 chunks or more, shuffled over all folders."""
    paths = [path for folder in files().values() for path in folder]
    random.Random(3).shuffle(paths)  # noqa: S311 - the same each time
    return [path for path in paths if path.stat().st_size > 30_000]


@pytest.mark.parametrize("kind", EDITS)
def test_an_edit_leaves_nearly_all_ids_unchanged(kind: str, pytestconfig: pytest.Config) -> None:
    """A chunk with the same id need not be embedded again."""
    packer = Packer()
    shares: dict[str, float] = {}
    most = None if pytestconfig.getoption("--whole-corpus") else EDITED
    for path in long_documents():
        before, after = source(path), edited(source(path).text, kind)
        if after == before.text or len(chunks := packer.pack(before)) < 50:
            continue
        ids = {chunk.id for chunk in packer.pack(Source(after, before.name))}
        shares[before.name] = mean(chunk.id in ids for chunk in chunks)
        if len(shares) == most:
            break
    assert len(shares) >= EDITED
    assert mean(shares.values()) >= 0.97, shares
