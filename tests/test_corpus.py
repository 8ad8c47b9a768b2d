"""Whole documents: the laws for every text file of the corpus, and what an edit leaves unchanged.

Runs if TREEPACK_CORPUS names a folder of documents; each of its folders is a test of the laws.
"""

import os
import random
import re
from collections.abc import Callable, Iterable
from functools import cache
from itertools import pairwise
from pathlib import Path
from statistics import mean

import pytest

from treepack import (
    AuditReport,
    Chunk,
    Document,
    PackConfig,
    Packer,
    Source,
    audit,
    pack,
    parse,
)
from treepack.settings import Preset
from treepack.tokens import token_counter
from treepack.tokens.counters import EncodingCounter

CORPUS = os.environ.get("TREEPACK_CORPUS", "")
SUFFIXES = {".md", ".mdx", ".txt"}
LIMITS = (
    (512, 1024, "cl100k_base"),  # target, cap and vocabulary
    (256, 512, "cl100k_base"),
    (64, 128, "cl100k_base"),
    (256, 512, "o200k_base"),
)
SAMPLES_PER_FOLDER = 12  # files of each folder
LARGE_FILE = 60_000  # bytes

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


@cache
def source(path: Path) -> Source:
    text = path.read_bytes().decode("utf-8", "replace")
    return Source(text, str(path.relative_to(CORPUS)))


@cache
def document(path: Path, encoding: str) -> Document:
    """Parse a document, once for all limits."""
    return parse(source(path), encoding=encoding)


def audit_file(path: Path, target: int, cap: int, encoding: str) -> AuditReport:
    config = PackConfig(max_tokens=cap, target_tokens=target, encoding=encoding)
    chunks = pack(document(path, encoding), config)
    at = source(path)
    return audit(at.text, chunks, name=at.name, max_tokens=cap, encoding=encoding)


def test_the_corpus_has_more_than_a_hundred_documents() -> None:
    assert sum(map(len, files().values())) > 100


@pytest.mark.parametrize("folder", sorted(files()))
@pytest.mark.parametrize("case", range(len(LIMITS)))
def test_no_law_is_broken_on_real_documents(
    folder: str, case: int, pytestconfig: pytest.Config
) -> None:
    """Each document is packed under one of the limits in turn, or with --whole-corpus under all."""
    paths = files()[folder]
    if not pytestconfig.getoption("--whole-corpus"):
        paths = paths[case :: len(LIMITS)]
    report = AuditReport.merge([audit_file(path, *LIMITS[case]) for path in paths])
    assert report.ok, report.table(20)


def test_real_documents_are_tokenized_about_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only repeated text, such as breadcrumbs and table headers, is counted twice."""
    sent: list[int] = []
    pieces = EncodingCounter.pieces

    def recording(self: EncodingCounter, text: str) -> Iterable[str]:
        sent.append(len(text))
        return pieces(self, text)

    monkeypatch.setattr(EncodingCounter, "pieces", recording)
    sources = [source(path) for paths in files().values() for path in paths[::4]]
    for each in sources:
        pack(each)
    assert sum(sent) <= 1.05 * sum(len(each.text) for each in sources)


# -------------------------------------------------------------------- presets, overlaps, levels


def sample() -> list[Path]:
    """Some small files of each folder, on which many settings can be tried at modest cost."""
    found: list[Path] = []
    for paths in files().values():
        small = [path for path in paths if path.stat().st_size < LARGE_FILE]
        found += small[:: max(1, len(small) // SAMPLES_PER_FOLDER)]
    return found


def audit_sample(config: PackConfig) -> AuditReport:
    """Pack and audit the sample under the given settings."""
    reports: list[AuditReport] = []
    for path in sample():
        at = source(path)
        reports.append(
            audit(
                at.text,
                pack(document(path, "cl100k_base"), config),
                name=at.name,
                max_tokens=config.max_tokens,
                overlap_tokens=max(config.overlap_tokens, config.flat_overlap_tokens or 0),
                keep_tables=config.oversize_table == "keep",
                keep_code=config.oversize_code == "keep",
                sections=config.sections,
            )
        )
    return AuditReport.merge(reports)


@pytest.mark.parametrize("preset", ["default", "standards", "sections", "datasheet"])
def test_no_law_is_broken_under_a_preset(preset: Preset) -> None:
    report = audit_sample(PackConfig.preset(preset))
    assert report.ok, report.table(20)


@pytest.mark.parametrize("overlap", [0, 32, 100])
def test_no_law_is_broken_with_overlap(overlap: int) -> None:
    config = PackConfig(max_tokens=512, target_tokens=256, overlap_tokens=overlap)
    report = audit_sample(config)
    assert report.ok, report.table(20)


def test_each_child_is_inside_exactly_its_parent_in_real_documents() -> None:
    config = PackConfig(levels=(1024, 256), overlap_tokens=32)
    for path in sample():
        chunks = pack(document(path, "cl100k_base"), config)
        parents = {chunk.id: extent(chunk) for chunk in chunks if chunk.level == 0}
        for chunk in (chunk for chunk in chunks if chunk.level == 1):
            start, end = extent(chunk)
            within = [key for key, of in parents.items() if of[0] <= start and end <= of[1]]
            assert within == [chunk.parent_id]


# -------------------------------------------------------------------- balance


def extent(chunk: Chunk) -> tuple[int, int]:
    """Return where a chunk's body begins and ends."""
    spans = [segment.span for segment in chunk.segments if segment.role == "body" and segment.span]
    return spans[0][0], spans[-1][1]


def could_be_one_chunk(document: Document, before: Chunk, after: Chunk, config: PackConfig) -> bool:
    """Whether two neighbours could be one chunk without breaking a law.

    They could not if together they exceed the cap (law 3), if the first begins inside a section
    that the second leaves (law 7: no breadcrumb would be true of both), or if one contains a part
    of a row of a table that the other has too (law 5).
    """
    start, end = extent(before)[0], extent(after)[1]
    for section in document.root.walk():
        if section.start < start < section.end < end:
            return False
    rows = {table.id for table in before.tables if table.cell_part}
    rows |= {table.id for table in after.tables if table.cell_part}
    if rows & {t.id for t in before.tables} & {t.id for t in after.tables}:
        return False
    text = document.source.text
    joined = before.embed_text + text[extent(before)[1] : end]
    return token_counter(config.encoding)(joined) <= config.max_tokens


def unnecessarily_small(document: Document, config: PackConfig) -> tuple[int, list[str]]:
    """Return how many chunks there are, and those below the minimum that no law requires."""
    chunks = pack(document, config)
    found: list[str] = []
    for chunk in chunks:
        beside = list(pairwise(chunks[max(0, chunk.index - 1) : chunk.index + 2]))
        if chunk.token_count < config.min_tokens and any(
            could_be_one_chunk(document, *pair, config) for pair in beside
        ):
            found.append(f"{document.source.name} {chunk.index}: {chunk.text[:60]!r}")
    return len(chunks), found


def test_few_chunks_are_unnecessarily_below_the_minimum(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """At 256/512 tokens, it is less than 2 % of the chunks of all documents."""
    config = PackConfig(max_tokens=512, target_tokens=256)
    total, found = 0, list[str]()
    for path in (path for folder in files().values() for path in folder):
        count, small = unnecessarily_small(document(path, "cl100k_base"), config)
        total += count
        found += small
    with capsys.disabled():
        print(  # noqa: T201 - a figure to be read
            f"\n{len(found)} of {total} chunks ({len(found) / total:.2%}) are below "
            f"{config.min_tokens} tokens and need not be"
        )
    assert len(found) < 0.02 * total, "\n".join(found[:20])


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


def _name(edit: object) -> str:
    return str(getattr(edit, "__name__", edit)).replace("_", "-")


def long_documents() -> list[Path]:
    """The documents that may have 50 chunks or more at 512/1024, shuffled over all folders."""
    paths = [path for folder in files().values() for path in folder]
    random.Random(3).shuffle(paths)  # noqa: S311 - the same each time
    return [path for path in paths if path.stat().st_size > 30_000]


@pytest.mark.parametrize("edit", EDITS, ids=_name)
def test_an_edit_leaves_nearly_all_ids_unchanged(
    edit: Callable[[str], str | None],
    capsys: pytest.CaptureFixture[str],
    pytestconfig: pytest.Config,
) -> None:
    """A chunk with the same id need not be embedded again.

    The test uses ten documents, or all with --whole-corpus.
    """
    packer = Packer()
    shares: dict[str, float] = {}
    most = None if pytestconfig.getoption("--whole-corpus") else 10
    for path in long_documents():
        before, after = source(path), edit(source(path).text)
        if after is None or len(chunks := packer.pack(before)) < 50:
            continue
        ids = {chunk.id for chunk in packer.pack(Source(after, before.name))}
        shares[before.name] = mean(chunk.id in ids for chunk in chunks)
        if len(shares) == most:
            break
    worst = sorted(shares.items(), key=lambda item: item[1])[:3]
    with capsys.disabled():
        lowest = ", ".join(f"{name} {share:.1%}" for name, share in worst)
        print(  # noqa: T201 - a figure to be read
            f"\n{_name(edit)}: {mean(shares.values()):.2%} of the ids of {len(shares)} documents "
            f"survive; lowest {lowest}"
        )
    assert len(shares) >= 5
    assert mean(shares.values()) >= 0.97
