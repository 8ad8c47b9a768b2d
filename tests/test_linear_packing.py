"""Law 12: work grows linearly with the text."""

from collections.abc import Callable

import pytest
from by_eye import words
from function_calls import assert_linear
from long_documents import book

from treepack import PackConfig, Source, pack, parse
from treepack.tokens.counters import EncodingCounter


class RecordingCounter:
    """A plain token counter that records its calls and the characters that it counted."""

    def __init__(self, count: Callable[[str], int] = words) -> None:
        self.count = count
        self.calls = 0
        self.characters = 0

    def __call__(self, text: str) -> int:
        """Count the tokens of a text, and record the call."""
        self.calls += 1
        self.characters += len(text)
        return self.count(text)


def pack_and_record(text: str, cap: int = 256) -> RecordingCounter:
    recorder = RecordingCounter()
    pack(Source(text, "w.md"), PackConfig(max_tokens=cap, encoding=recorder))
    return recorder


_GROWING: dict[str, Callable[[int], str]] = {
    "sections": book,
    "one paragraph": lambda n: "A sentence of seven words stands here. " * (20 * n),
    "no blank": lambda n: "x" * (800 * n),
    "one list": lambda n: "- an item of some words\n" * (30 * n),
    "deep list": lambda n: "".join("  " * (i % 9) + f"- item {i}\n" for i in range(30 * n)),
    "one table": lambda n: "| key | value |\n|---|---|\n" + "| a b c | d e f |\n" * (30 * n),
    "one row": lambda n: "| k | v |\n|---|---|\n| key | " + "word " * (150 * n) + "|\n",
    "one fence": lambda n: "```\n" + "a line of code\n" * (30 * n) + "```\n",
    "one quote": lambda n: "> a quoted line of words.\n" * (30 * n),
    "headings alone": lambda n: "".join(f"## heading {i}\n" for i in range(30 * n)),
    "one heading": lambda n: "# " + "long heading " * (60 * n) + "\n\ntext\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", _GROWING)
def test_counter_work_grows_linearly_with_the_text(kind: str) -> None:
    """Work is counted in calls and characters, not seconds, so it is the same on any machine."""
    small, large = (pack_and_record(_GROWING[kind](n)) for n in (40, 80))
    assert large.calls <= 2.4 * small.calls + 20
    assert large.characters <= 2.4 * small.characters + 20_000


@pytest.mark.slow
@pytest.mark.parametrize("part", ["<a ", "[a]: <"])
def test_calls_grow_linearly_with_a_long_line_of_tags(part: str) -> None:
    assert_linear(lambda count: pack(Source(part * count, "w.md")), 5_000)


@pytest.fixture
def tokenizer_input(monkeypatch: pytest.MonkeyPatch) -> RecordingCounter:
    """Record all text that goes through a bundled tokenizer."""
    recorder = RecordingCounter(len)
    encode = EncodingCounter.encode

    def recording(self: EncodingCounter, text: str) -> list[int]:
        recorder(text)
        return encode(self, text)

    monkeypatch.setattr(EncodingCounter, "encode", recording)
    return recorder


@pytest.mark.parametrize("encoding", ["cl100k_base", "o200k_base"])
def test_an_ordinary_document_goes_through_the_tokenizer_once(
    encoding: str, tokenizer_input: RecordingCounter
) -> None:
    """Counting costs the most: one pass over the text serves all decisions."""
    text = book(300)
    pack(Source(text, "m.md"), PackConfig(encoding=encoding))
    assert len(text) <= tokenizer_input.characters <= 1.1 * len(text)


@pytest.mark.parametrize("is_parsed", [False, True])
def test_a_name_and_metadata_do_not_tokenize_a_document_again(
    tokenizer_input: RecordingCounter, *, is_parsed: bool
) -> None:
    """The command line names each document by its path in its folder."""
    text = book(300)
    source = parse(text, name="m.md") if is_parsed else Source(text, "m.md")

    chunks = pack(source, name="docs/m.md", metadata={"product": "P100"})

    assert chunks[0].document == "docs/m.md"
    assert chunks[0].metadata == {"product": "P100"}
    assert len(text) <= tokenizer_input.characters <= 1.1 * len(text)


@pytest.mark.slow
@pytest.mark.parametrize("kind", _GROWING)
def test_tokenizer_input_grows_linearly_with_the_text(
    kind: str, tokenizer_input: RecordingCounter
) -> None:
    seen: list[int] = []
    for n in (40, 80):
        tokenizer_input.characters = 0
        pack(Source(_GROWING[kind](n), "w.md"), PackConfig(max_tokens=256))
        seen.append(tokenizer_input.characters)
    assert seen[1] <= 2.4 * seen[0] + 20_000
