"""Optimisations change no chunk: the records of each document have the stored hash."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import generated
from unchanged import STORED, Hashes, compare, documents_of, hash_of, main

from treepack import Chunks, Source, pack
from treepack.packing.packer import ALGORITHM

CORPUS = os.environ.get("TREEPACK_CORPUS", "")
SAMPLE_STEP = 12  # every twelfth document
MAX_BYTES = 60_000  # bytes
GUIDE = "# Guide\n\nTurn the valve.\n\n## End\n\nDone.\n"

hash_tables = st.dictionaries(st.sampled_from("abcdefgh"), st.sampled_from("123"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "corpus").mkdir()
    for name in ("guide.md", "note.md"):
        (tmp_path / "corpus" / name).write_text(GUIDE, encoding="utf-8")
    assert run(tmp_path, "--write") == 0
    return tmp_path / "corpus"


def run(folder: Path, *flags: str) -> int:
    return main(["--corpus", str(folder / "corpus"), "--stored", str(folder / "hashes"), *flags])


@pytest.mark.slow
@pytest.mark.skipif(not CORPUS, reason="TREEPACK_CORPUS names no folder")
def test_sampled_real_documents_give_the_stored_hashes() -> None:
    """This is a sample; `python integration_tests/benchmarks/unchanged.py` compares all."""
    stored = Hashes.read(STORED)
    documents = documents_of(Path(CORPUS))
    sample = [each for each in documents[::SAMPLE_STEP] if each.path.stat().st_size < MAX_BYTES]
    found = {each.name: hash_of(each) for each in sample}

    assert stored.algorithm == ALGORITHM, "chunks that are to change are stored anew: --write"
    assert len(sample) > 20
    assert compare(stored.by_path, found).differ == []
    assert {each.name for each in documents} == set(stored.by_path)


def meant(_: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unchanged.ALGORITHM", ALGORITHM + 1)


def with_page_seven(_: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Change a record, but not its text."""

    def pack_to_page_seven(source: Source, *, name: str) -> Chunks:
        chunks = pack(source, name=name)
        return Chunks(chunk.model_copy(update={"pages": (7,)}) for chunk in chunks)

    monkeypatch.setattr("unchanged.pack", pack_to_page_seven)


Change = Callable[[Path, pytest.MonkeyPatch], object]
CHANGES: dict[str, tuple[Change, int, list[str]]] = {
    "nothing": (lambda *_: None, 0, ["2 documents: 0 differ, 0 new, 0 missing"]),
    "a word": (
        lambda folder, _: (folder / "note.md").write_text(GUIDE.replace("Done.", "Done!")),
        1,
        ["1 differ, 0 new, 0 missing", "differ: note.md"],
    ),
    "a record": (with_page_seven, 1, []),
    "a name": (
        lambda folder, _: (folder / "note.md").rename(folder / "other.md"),
        0,
        ["0 differ, 1 new, 1 missing", "new: other.md", "missing: note.md"],
    ),
    "the algorithm": (meant, 0, [f"the change is meant: ALGORITHM is {ALGORITHM + 1}"]),
}


@pytest.mark.parametrize("kind", CHANGES)
def test_a_change_is_found_and_named(
    kind: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    change, status, expected = CHANGES[kind]
    change(folder, monkeypatch)
    assert run(folder.parent) == status
    output = capsys.readouterr().out
    assert all(words in output for words in expected), output


@pytest.mark.parametrize("content", [None, "", "# algorithm\tx\n", "# algorithm\t2\na b\n"])
def test_unreadable_hashes_are_rejected_with_their_path(
    folder: Path, content: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    stored = folder.parent / "hashes"
    stored.unlink()
    if content is not None:
        stored.write_text(content, encoding="utf-8")
    with pytest.raises(SystemExit) as caught:
        run(folder.parent)
    assert caught.value.code == 2
    assert f"{stored}" in capsys.readouterr().err


@generated
@given(stored=hash_tables, found=hash_tables)
def test_every_document_is_unchanged_or_named_once(
    stored: dict[str, str], found: dict[str, str]
) -> None:
    seen = compare(stored, found)

    named = [*seen.differ, *seen.new, *seen.missing]
    same = [path for path in found if stored.get(path) == found[path]]
    assert sorted([*named, *same]) == sorted({*stored, *found})
    assert not {*same} & {*named}
