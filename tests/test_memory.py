"""The memory that a document takes, counted in allocations: neither time nor load matters.

Bounds are bytes for each byte of an ASCII document, in which a character takes one byte. They
are well above current use, and below the use when everything was kept until the end.
"""

import gc
import pickle
import sys
import tracemalloc
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
from audits import findings_in
from case_files import CASES, case_file
from function_calls import grown

import treepack
from treepack import PackConfig, Source, pack, parse
from treepack.clauses.clause import NO_CLAUSES
from treepack.cli.inputs.files import DocumentFile
from treepack.cli.pack import pack_as
from treepack.cli.work import Task, run_task
from treepack.markdown.front_matter import find_front_matter
from treepack.references.finder import find_references
from treepack.tokens import vocabulary
from treepack.tokens.additive import AdditiveIndex
from treepack.tokens.counters import EncodingCounter
from treepack.tokens.vocabulary import load_vocabulary

pytestmark = pytest.mark.slow  # what is allocated is traced

SECTION = (CASES / "texts" / "relay.md").read_text("utf-8")


def manual(sections: int) -> str:
    return "".join(f"# {number} Part\n\n{SECTION}" for number in range(1, sections + 1))


class Traced:
    """Bytes allocated since tracing began: the peak, and what is left at the end."""

    peak = 0
    left = 0


@contextmanager
def traced() -> Generator[Traced, None, None]:
    found = Traced()
    pack(manual(5)).to_jsonl()  # loads vocabulary and patterns, which belong to no document
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        yield found
        _, found.peak = tracemalloc.get_traced_memory()
        gc.collect()  # also empties free lists, which keep freed tuples
        now, _ = tracemalloc.get_traced_memory()
        found.left, found.peak = now - before, found.peak - before
    finally:
        tracemalloc.stop()


def peak_bytes_per_byte(work: Callable[[], object], size: int) -> float:
    with traced() as found:
        work()
    return found.peak / size


Work = Callable[[str], object]
WORKS: dict[str, Work] = {"parse": parse, "front matter": find_front_matter}
# No pattern keeps state for each line of a long block, and front matter is searched line by line.
# Short lines take no object each, and a text without a final line end is not copied. The line
# tables of markdown-it take several times as much memory as the text, so it gets only the lines
# around display math.
BOUNDS: dict[str, tuple[Work, Callable[[], str], float]] = {
    "packing": (lambda text: pack(Source(text)), lambda: manual(2000), 8),
    "an emoji at the end": (parse, lambda: manual(1000) + "\U0001f527", 5.5),
    **{
        kind: (WORKS[work], partial(grown, 1, *parts), most)
        for kind, (work, most, *parts) in case_file("parts/memory.json").items()
    },
}


@pytest.mark.parametrize("kind", BOUNDS)
def test_work_takes_few_bytes_per_byte_of_the_document(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)  # its import would be counted as well
    work, written, most = BOUNDS[kind]
    text = written()
    assert peak_bytes_per_byte(lambda: work(text), len(text)) < most


def test_references_are_found_without_a_copy_of_the_text() -> None:
    text = ("No number stands in these words. " * 3 + "\n\n") * 4_000
    document = parse(text)
    assert peak_bytes_per_byte(lambda: find_references(document, NO_CLAUSES), len(text)) < 1


def test_packed_chunks_contain_no_text_until_they_are_read() -> None:
    text = manual(400)
    source = Source(text)

    with traced() as packed:
        chunks = pack(source, PackConfig.preset("hierarchical"))
    with traced() as asked:
        texts = [chunk.embed_text for chunk in chunks]

    assert packed.left < 2.6 * len(text)
    assert asked.left > sum(map(len, texts)) > 0.9 * len(text)
    assert chunks[3] is chunks[3]


def test_a_file_with_an_emoji_takes_less_than_four_bytes_per_character(tmp_path: Path) -> None:
    """A Python string does; the chunks of a file keep its text in a narrower form."""
    text = manual(200) + "Open – then close.\n\n\U0001f527\n"
    path = tmp_path / "manual.md"
    path.write_text(text, "utf-8")
    config = PackConfig.preset("hierarchical")
    expected = pack(Source(text, "manual.md"), config)

    with traced() as packed:
        chunks = pack(path, config)

    assert packed.left < 3.6 * len(text)  # before, 6.2
    assert pickle.loads(pickle.dumps(chunks)) == chunks == expected  # noqa: S301 - our own
    assert "".join(chunks.jsonl_lines()) == "".join(expected.jsonl_lines())
    assert not findings_in(chunks)
    assert treepack.report(chunks) == treepack.report(expected)


def test_json_lines_are_written_without_keeping_chunks_in_memory(tmp_path: Path) -> None:
    text = manual(800) + "\U0001f527\n"  # as one text, the lines would take 4 bytes a character
    chunks = pack(Source(text))
    assert chunks[0].references  # the search takes memory as well, and gives it back

    with traced() as found:
        chunks.to_jsonl(tmp_path / "chunks.jsonl")

    assert found.peak < 0.5 * len(text)
    assert "".join(chunks.jsonl_lines()) == (tmp_path / "chunks.jsonl").read_text("utf-8")


def test_the_command_line_keeps_output_lines_in_utf_8(tmp_path: Path) -> None:
    file = tmp_path / "manual.md"
    text = manual(500) + "\U0001f527\n"
    file.write_text(text, "utf-8")
    task = Task(DocumentFile("manual.md", file), partial(pack_as, "jsonl", PackConfig()))
    run_task(task)  # fills the caches, such as that of title numbers

    with traced() as found:
        packed = run_task(task).result
        gc.collect()  # cycles are freed later, at any time

    assert packed is not None
    assert found.left < 1.1 * sum(map(len, packed.lines))


def test_an_index_takes_about_two_bytes_per_token() -> None:
    counter, text = EncodingCounter("cl100k_base"), manual(1000)
    AdditiveIndex("x", counter).estimate(0, 1)
    index = AdditiveIndex(text, counter)

    with traced() as found:
        index.estimate(0, 1)

    assert found.left < 2.3 * counter(text)


def test_a_vocabulary_creates_no_python_object_per_token(monkeypatch: pytest.MonkeyPatch) -> None:
    """The encoder holds all tokens in Rust."""
    with traced() as found:
        monkeypatch.setattr(vocabulary, "_loaded", {})
        loaded = load_vocabulary("cl100k_base")

    assert loaded.character_starts is not None
    assert found.left < 16 * len(loaded.character_starts)
