"""Whole documents: the laws for every text file of the corpus, and what an edit leaves unchanged.

Runs if TREEPACK_CORPUS names a folder of documents; each of its folders is a test of the laws.
"""

import os
import random
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from statistics import mean

import pytest

from treepack import PackConfig, Source, audit, pack
from treepack.laws import AuditReport
from treepack.packing import Packer
from treepack.tokens.counters import EncodingCounter

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
    sent: list[int] = []
    encode = EncodingCounter.encode

    def recording(self: EncodingCounter, text: str) -> list[int]:
        sent.append(len(text))
        return encode(self, text)

    monkeypatch.setattr(EncodingCounter, "encode", recording)
    sources = [source(path) for paths in files().values() for path in paths[::16]]
    for each in sources:
        pack(each)
    assert sum(sent) <= 1.05 * sum(len(each.text) for each in sources)


# -------------------------------------------------------------------- law 10, by four edits


def insert_at_the_top(text: str) -> str | None:
    """Insert a paragraph after the front matter and the first block."""
    front = re.match(r"---\r?\n.*?\n---\r?\n", text, re.DOTALL)
    gap = re.compile(r"\n\s*\n").search(text, front.end() if front else 0)
    return f"{text[: gap.end()]}{PARAGRAPH}\n\n{text[gap.end() :]}" if gap else None


def change_a_word_in_the_middle(text: str) -> str | None:
    word = re.compile(r"(?<=[a-z] )[a-z]{4,}(?= [a-z])").search(text, len(text) // 2)
    return f"{text[: word.start()]}changed{text[word.end() :]}" if word else None


def delete_a_late_paragraph(text: str) -> str | None:
    pattern = re.compile(r"(?<=\n\n)[A-Z][^\n#|`>]{80,}\n(?=\n)")
    paragraph = pattern.search(text, len(text) * 4 // 5)
    return text[: paragraph.start()] + text[paragraph.end() + 1 :] if paragraph else None


def append_a_section(text: str) -> str | None:
    return f"{text.rstrip()}\n\n# Appended section\n\n{PARAGRAPH}\n"


EDITS = (insert_at_the_top, change_a_word_in_the_middle, delete_a_late_paragraph, append_a_section)


def long_documents() -> list[Path]:
    """The documents that may have 50 chunks or more, shuffled over all folders."""
    paths = [path for folder in files().values() for path in folder]
    random.Random(3).shuffle(paths)  # noqa: S311 - the same each time
    return [path for path in paths if path.stat().st_size > 30_000]


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
def test_an_edit_leaves_nearly_all_ids_unchanged(
    edit: Callable[[str], str | None],
    capsys: pytest.CaptureFixture[str],
    pytestconfig: pytest.Config,
) -> None:
    """A chunk with the same id need not be embedded again."""
    packer = Packer()
    shares: dict[str, float] = {}
    most = None if pytestconfig.getoption("--whole-corpus") else EDITED
    for path in long_documents():
        before, after = source(path), edit(source(path).text)
        if after is None or len(chunks := packer.pack(before)) < 50:
            continue
        ids = {chunk.id for chunk in packer.pack(Source(after, before.name))}
        shares[before.name] = mean(chunk.id in ids for chunk in chunks)
        if len(shares) == most:
            break
    name, lowest = min(shares.items(), key=lambda item: item[1])
    with capsys.disabled():
        print(  # noqa: T201 - a figure to be read
            f"\n{edit.__name__}: {mean(shares.values()):.2%} of the ids of {len(shares)} documents "
            f"survive; lowest {name} {lowest:.1%}"
        )
    assert len(shares) >= EDITED
    assert mean(shares.values()) >= 0.97
