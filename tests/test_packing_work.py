"""Law 12: work grows linearly with the text, and each phase does little for a chunk.

Work is counted in function calls and in characters that are counted, not in seconds, so it is the
same on any machine.
"""

import random
import sys
from collections import Counter
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from by_eye import words
from case_files import case_file
from function_calls import RecordingCounter, assert_linear, calls, growing, record_encoding
from long_documents import book

from treepack import Document, PackConfig, Source, pack, parse
from treepack.clauses.walk import find_clauses
from treepack.references.finder import find_references

# -------------------------------------------------------------------- linear


@pytest.fixture
def tokenizer_input(monkeypatch: pytest.MonkeyPatch) -> RecordingCounter:
    return record_encoding(monkeypatch)


GROWING: dict[str, Callable[[int], str]] = {"sections": book, **growing("parts/growing.json")}


@pytest.mark.slow
@pytest.mark.parametrize("kind", GROWING)
def test_counted_text_grows_linearly_with_the_text(
    kind: str, tokenizer_input: RecordingCounter
) -> None:
    """This holds for a counter of one's own and for a bundled tokenizer."""
    own: list[RecordingCounter] = []
    bundled: list[int] = []
    for n in (40, 80):
        text = Source(GROWING[kind](n), "w.md")
        own.append(RecordingCounter(words))
        pack(text, max_tokens=256, encoding=own[-1])
        tokenizer_input.characters = 0
        pack(text, max_tokens=256)
        bundled.append(tokenizer_input.characters)
    assert own[1].calls <= 2.4 * own[0].calls + 20
    assert own[1].characters <= 2.4 * own[0].characters + 20_000
    assert 0 < bundled[1] <= 2.4 * bundled[0] + 20_000


@pytest.mark.slow
@pytest.mark.parametrize("part", ["<a ", "[a]: <"])
def test_calls_grow_linearly_with_a_long_line_of_tags(part: str) -> None:
    assert_linear(lambda count: pack(Source(part * count, "w.md")), 5_000)


@pytest.mark.parametrize("title", case_file("packing/long_titles.json"))
def test_the_cost_of_parsing_a_heading_hardly_grows_with_its_length(title: str) -> None:
    def calls_for(length: int) -> int:
        text = f"# {(title * length)[:length].strip()}\n"
        return calls(lambda: parse(Source(text)))

    calls_for(9)
    assert calls_for(90_000) < 1.5 * calls_for(30_000)


@pytest.mark.parametrize("encoding", ["cl100k_base", "o200k_base"])
def test_an_ordinary_document_goes_through_the_tokenizer_once(
    encoding: Any,  # noqa: ANN401 - a name
    tokenizer_input: RecordingCounter,
) -> None:
    """One pass over the text serves all decisions, whatever name and metadata the chunks get."""
    text, config = book(300), PackConfig(encoding=encoding)
    for source in (parse(text, name="m.md", encoding=encoding), Source(text, "m.md")):
        tokenizer_input.characters = 0
        chunks = pack(source, config, name="docs/m.md", metadata={"product": "P100"})
        assert (chunks[0].document, chunks[0].metadata) == ("docs/m.md", {"product": "P100"})
        assert len(text) <= tokenizer_input.characters <= 1.1 * len(text)


@pytest.mark.parametrize("letters", ["a", "abcdefghijklmnopqrstuvwxyz"])
def test_letters_without_spaces_are_counted_only_a_few_times(
    letters: str, tokenizer_input: RecordingCounter
) -> None:
    """No cut in it is safe; finding the target by counts alone would take thirteen per piece."""
    text = "".join(random.Random(1).choices(letters, k=60_000))  # noqa: S311 - no secret
    assert "".join(chunk.lexical_text for chunk in pack(Source(text))) == text
    assert len(text) < tokenizer_input.characters < 6 * len(text)


# -------------------------------------------------------------------- calls

SENTENCE = "The pump shall keep the pressure of the line within the limit that is given here. "
LINES = "The pump shall keep the pressure of the line within\nthe limit that is given here.\n"
SECTIONS = 40
STEPS = "".join(f"1. {SENTENCE}\n" for _ in range(20))
TASKS = "\n".join(f"## Task {chr(65 + n % 26)}\n\n{STEPS}" for n in range(SECTIONS))


def manual() -> str:
    """Return sections like a manual's: paragraphs, a list, code and a table below each heading."""
    parts = ["# Manual"]
    for number in range(SECTIONS):
        parts.append(f"## Pump of kind {number:02}\n\n{SENTENCE * 5}\n\n{SENTENCE * 7}")
        parts.append("\n".join(f"- {SENTENCE}" for _ in range(6)))
        parts.append("```python\n" + "open(valve)\n" * 12 + "```")
        parts.append("| name | use |\n|---|---|\n" + "| valve | opens the line |\n" * 8)
    return "\n\n".join(parts) + "\n"


def act() -> str:
    """Return articles with paragraphs and points that cite each other."""
    parts = ["# Act"]
    for number in range(1, SECTIONS + 1):
        parts.append(f"## Article {number} Duty to keep lights")
        for own in range(1, 6):
            cited = f"Article {number % SECTIONS + 1}({own}) or paragraph {own % 5 + 1}"
            parts.append(
                f"({own}) The owner shall, where {cited} applies, keep the light in order:"
            )
            parts.append(f"(a) each lamp that is listed in Section {number % 9 + 1};")
            parts.append("(b) each lamp that the Authority names.")
    return "\n\n".join(parts) + "\n"


def loaded(text: str) -> Document:
    """Return a parsed document, after all that a first document loads has been loaded."""
    list(pack(Source(text), clauses=False))
    document = parse(Source(text))
    assert document.tokens.count(0, 1) == 1
    list(pack(document))
    return document


@pytest.fixture(scope="module")
def document() -> Document:
    return loaded(manual())


def calls_for_clauses(document: Document) -> int:
    """Count the calls that find, name and cite clauses and references."""
    without = calls(lambda: pack(document, clauses=False))
    return calls(lambda: pack(document)) - without


PUMPS = "".join(
    f"{number}. Pump of kind {number:02}\n\n{LINES * 3}\n{LINES * 4}\n"
    for number in range(1, SECTIONS + 1)
)


def test_parsing_takes_few_calls_per_chunk_or_line_of_plain_text(document: Document) -> None:
    assert calls(lambda: parse(Source(manual()))) < 158 * len(pack(document))
    found = parse(Source(PUMPS, "pumps.txt"))
    assert (found.markup, len(found.outline_changes)) == ("plain", SECTIONS)
    assert calls(lambda: parse(Source(PUMPS, "pumps.txt"))) / PUMPS.count("\n") < 60


def test_clauses_and_references_take_few_calls_if_there_are_none(document: Document) -> None:
    chunks = pack(document)
    assert not any(chunk.clauses or chunk.references for chunk in chunks)
    assert calls_for_clauses(document) < (33 + 1) * len(chunks)
    assert not any(chunk.clauses for chunk in pack(TASKS)), "lists that do not count"
    assert calls_for_clauses(loaded(TASKS)) < 27 * TASKS.count("1. ")


def test_finding_the_clauses_and_references_of_an_act_takes_few_calls() -> None:
    """It has 16 clauses for each article, and 15 references."""
    document = loaded(act())
    assert calls_for_clauses(document) < (78 * 16 + 59) * SECTIONS
    clauses = find_clauses(document)
    find_references(document, clauses)
    assert calls(lambda: find_references(document, clauses)) < 110 * 15 * SECTIONS


def test_clauses_are_searched_once_and_references_once_when_they_are_read() -> None:
    called: Counter[str] = Counter()

    def recording(frame: FrameType, event: str, _: object) -> None:
        called[frame.f_code.co_name] += event == "call"

    found = parse(Source(act().replace("## Article 9", "<!-- page 2 -->\n\n## Article 9")))
    for settings, times in (({}, 1), ({"levels": (512, 128)}, 1), ({"clauses": False}, 0)):
        called.clear()
        before = sys.getprofile()
        sys.setprofile(recording)
        chunks = [*pack(found, **settings)]
        searches = [called["find_clauses"], called["_add_match"]]
        references = [len(chunk.references) for chunk in chunks]
        sys.setprofile(before)
        assert searches == [times, 0]
        assert (called["find_clauses"], called["references"]) == (times, times)
        assert called["assemble"] > 0
        assert bool(sum(references)) == bool(times)


def test_sections_are_packed_and_cut_with_few_calls(document: Document) -> None:
    """The search for clauses takes 31 of them, or 7 where sections are cut."""
    assert calls(lambda: pack(document)) / len(pack(document)) < 227 + 31
    config = PackConfig(max_tokens=64, target_tokens=64, min_tokens=0)
    chunks = len(pack(document, config))
    assert chunks > 8 * SECTIONS, "lines and rows"
    assert calls(lambda: pack(document, config)) / chunks < 274 + 7


CUT: Any = {"max_tokens": 1024, "target_tokens": 512, "clauses": False}
UNITS: dict[
    str, tuple[str, int, float, Any]
] = {  # a text, its units, the most calls for each, and settings
    "quote lines": ("> x\n" + "> x\n" * 5000, 5000, 220, {}),
    # Of markdown-it, for each of 6 levels.
    "quote lines below a deep one": (">> " * 10 + "x\n" + "> x\n" * 5000, 5000, 290, {}),
    "tags": ("<div>" * 5000, 5000, 48, {}),
    # Finding a sentence takes 30 of them, and lines without a sentence end take hardly any.
    "sentences": (SENTENCE * 2000, 2000, 63, CUT),
    "lines": ("the pump keeps the pressure of\n" * 2000, 2000, 33.6, CUT),
}


@pytest.mark.parametrize("kind", UNITS)
def test_short_units_are_packed_with_few_calls(kind: str) -> None:
    text, units, most, settings = UNITS[kind]
    source = loaded(text) if settings else Source(text)
    list(pack(source, **settings))
    assert calls(lambda: list(pack(source, **settings))) / units < most


def test_a_short_document_and_a_record_take_few_calls(document: Document) -> None:
    """Many files have a page or less, and what is done once for each costs as much as its text."""
    pack("A short one.")
    assert calls(lambda: pack("A short one.")) < 490
    chunks = pack(document)
    assert calls(lambda: list(chunks)) / len(chunks) < 18
