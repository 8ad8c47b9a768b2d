"""Whole documents: the laws on every text file of the corpus, and what an edit leaves unchanged.

Runs when TREEPACK_CORPUS names a folder of documents; one test for each of its folders.
"""

import os
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from statistics import mean

import pytest

from treepack import AuditReport, Chunks, Document, PackConfig, Packer, Source, audit, pack, parse

CORPUS = os.environ.get("TREEPACK_CORPUS", "")
SUFFIXES = {".md", ".mdx", ".txt"}
LIMITS = ((512, 1024, "cl100k_base"), (256, 512, "cl100k_base"), (64, 128, "cl100k_base"))
SECOND_VOCABULARY = (256, 512, "o200k_base")

PARAGRAPH = (
    "This paragraph was inserted by an editor to see how much of the index has to be embedded "
    "again. It has two sentences and some forty words in all, which is an ordinary length for a "
    "paragraph in such a document."
)

pytestmark = pytest.mark.skipif(not CORPUS, reason="TREEPACK_CORPUS names no folder")


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
    """Parsed once for all limits."""
    return parse(source(path), encoding=encoding)


def audited(path: Path, target: int, cap: int, encoding: str) -> AuditReport:
    config = PackConfig(max_tokens=cap, target_tokens=target, encoding=encoding)
    chunks = pack(document(path, encoding), config)
    at = source(path)
    return audit(at.text, chunks, name=at.name, max_tokens=cap, encoding=encoding)


def test_the_corpus_is_there() -> None:
    assert sum(map(len, files().values())) > 100


@pytest.mark.parametrize("folder", sorted(files()))
@pytest.mark.parametrize(("target", "cap", "encoding"), [*LIMITS, SECOND_VOCABULARY])
def test_no_law_is_broken_on_real_documents(
    folder: str, target: int, cap: int, encoding: str
) -> None:
    reports = [audited(path, target, cap, encoding) for path in files()[folder]]
    report = AuditReport.merge(reports)
    assert report.ok, report.table(20)


# -------------------------------------------------------------------- law 10, by four edits


def at_the_top(text: str) -> str | None:
    """A paragraph put in behind the front matter and the first block."""
    front = re.match(r"---\r?\n.*?\n---\r?\n", text, re.DOTALL)
    gap = re.compile(r"\n\s*\n").search(text, front.end() if front else 0)
    return f"{text[: gap.end()]}{PARAGRAPH}\n\n{text[gap.end() :]}" if gap else None


def a_word_in_the_middle(text: str) -> str | None:
    word = re.compile(r"(?<=[a-z] )[a-z]{4,}(?= [a-z])").search(text, len(text) // 2)
    return f"{text[: word.start()]}changed{text[word.end() :]}" if word else None


def a_late_paragraph_deleted(text: str) -> str | None:
    pattern = re.compile(r"(?<=\n\n)[A-Z][^\n#|`>]{80,}\n(?=\n)")
    paragraph = pattern.search(text, len(text) * 4 // 5)
    return text[: paragraph.start()] + text[paragraph.end() + 1 :] if paragraph else None


def a_section_appended(text: str) -> str | None:
    return f"{text.rstrip()}\n\n# Appended section\n\n{PARAGRAPH}\n"


EDITS = (at_the_top, a_word_in_the_middle, a_late_paragraph_deleted, a_section_appended)


def _name(edit: object) -> str:
    return str(getattr(edit, "__name__", edit)).replace("_", "-")


@cache
def long_documents() -> tuple[tuple[Source, Chunks], ...]:
    """Documents of 50 chunks and more at 512/1024."""
    return tuple(_long_documents())


def _long_documents() -> Iterator[tuple[Source, Chunks]]:
    packer = Packer()
    for path in (path for folder in files().values() for path in folder):
        if path.stat().st_size > 30_000 and len(chunks := packer.pack(source(path))) >= 50:
            yield source(path), chunks


@pytest.mark.parametrize("edit", EDITS, ids=_name)
def test_an_edit_leaves_nearly_all_ids(
    edit: Callable[[str], str | None], capsys: pytest.CaptureFixture[str]
) -> None:
    """What keeps its id need not be embedded again."""
    packer = Packer()
    shares: dict[str, float] = {}
    for before, chunks in long_documents():
        after = edit(before.text)
        if after is not None:
            ids = {chunk.id for chunk in packer.pack(Source(after, before.name))}
            shares[before.name] = mean(chunk.id in ids for chunk in chunks)
    worst = sorted(shares.items(), key=lambda item: item[1])[:3]
    with capsys.disabled():
        lowest = ", ".join(f"{name} {share:.1%}" for name, share in worst)
        print(  # noqa: T201 - a figure to be read
            f"\n{_name(edit)}: {mean(shares.values()):.2%} of the ids of {len(shares)} documents "
            f"survive; lowest {lowest}"
        )
    assert len(shares) >= 5
    assert mean(shares.values()) >= 0.97
