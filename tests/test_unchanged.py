"""Optimisations change no chunk: the records of each document have the stored hash."""

import os
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


def test_unchanged_documents_pass(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folder.parent) == 0
    assert "2 documents: 0 differ, 0 new, 0 missing" in capsys.readouterr().out


def test_a_changed_chunk_is_found(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "note.md").write_text(GUIDE.replace("Done.", "Done!"), encoding="utf-8")

    assert run(folder.parent) == 1
    output = capsys.readouterr().out
    assert "1 differ, 0 new, 0 missing" in output
    assert "differ: note.md" in output


def test_a_chunk_with_equal_text_but_another_record_is_found(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def pack_to_page_seven(source: Source, *, name: str) -> Chunks:
        chunks = pack(source, name=name)
        return Chunks(chunk.model_copy(update={"pages": (7,)}) for chunk in chunks)

    monkeypatch.setattr("unchanged.pack", pack_to_page_seven)

    assert run(folder.parent) == 1


def test_new_and_missing_documents_are_named_but_pass(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "note.md").rename(folder / "other.md")

    assert run(folder.parent) == 0
    output = capsys.readouterr().out
    assert "0 differ, 1 new, 1 missing" in output
    assert "new: other.md" in output
    assert "missing: note.md" in output


def test_an_intended_change_is_reported_and_passes(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("unchanged.ALGORITHM", ALGORITHM + 1)

    assert run(folder.parent) == 0
    assert f"the change is meant: ALGORITHM is {ALGORITHM + 1}" in capsys.readouterr().out


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
