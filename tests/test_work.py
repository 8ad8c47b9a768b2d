"""How much work each phase does for a chunk, in function calls: unlike times, these are stable."""

from collections.abc import Callable

import pytest
from clause_texts import references_of
from function_calls import calls

from treepack import Document, PackConfig, Source, pack, parse
from treepack.clauses.clause import NO_CLAUSES
from treepack.clauses.walk import find_clauses
from treepack.packing import Packer
from treepack.packing import packer as packer_module
from treepack.references.finder import find_references
from treepack.sentences import sentence_splitter

SENTENCE = "The pump shall keep the pressure of the line within the limit that is given here. "
SECTIONS = 40


def manual() -> str:
    """Return sections like a manual's: paragraphs, a list, code and a table below each heading."""
    parts = ["# Manual"]
    for number in range(SECTIONS):
        parts.append(f"## Pump of kind {number:02}\n\n{SENTENCE * 5}\n\n{SENTENCE * 7}")
        parts.append("\n".join(f"- {SENTENCE}" for _ in range(6)))
        parts.append("```python\n" + "open(valve)\n" * 12 + "```")
        parts.append("| name | use |\n|---|---|\n" + "| valve | opens the line |\n" * 8)
    return "\n\n".join(parts) + "\n"


@pytest.fixture(scope="module")
def document() -> Document:
    """Return the parsed manual, after all that a first document loads has been loaded."""
    list(pack(Source(manual())))
    known = parse(Source(manual()))
    assert known.tokens.count(0, 1) == 1
    assert find_clauses(known) == ()
    assert references_of(known) == ()
    return known


def calls_per_chunk(work: Callable[[], object], document: Document) -> float:
    chunks = len(pack(document))
    assert chunks >= SECTIONS // 2
    return calls(work) / chunks


def test_parsing_takes_few_calls_per_chunk(document: Document) -> None:
    assert calls_per_chunk(lambda: parse(Source(manual())), document) < 630


def test_parsing_plain_text_with_titles_takes_few_calls_per_line() -> None:
    lines = "The pump shall keep the pressure of the line within\nthe limit that is given here.\n"
    text = "".join(
        f"{number}. Pump of kind {number:02}\n\n{lines * 3}\n{lines * 4}\n"
        for number in range(1, SECTIONS + 1)
    )
    found = parse(Source(text, "pumps.txt"))
    assert (found.markup, len(found.outline_changes)) == ("plain", SECTIONS)

    assert calls(lambda: parse(Source(text, "pumps.txt"))) / text.count("\n") < 60


def test_searching_clauses_in_a_document_without_numbers_takes_few_calls(
    document: Document,
) -> None:
    known = parse(Source(manual()))
    assert calls_per_chunk(lambda: find_clauses(known), document) < 133


def test_searching_clauses_in_lists_that_do_not_count_takes_few_calls() -> None:
    steps = "".join(f"1. {SENTENCE}\n" for _ in range(20))
    text = "\n".join(f"## Task {chr(65 + n % 26)}\n\n{steps}" for n in range(SECTIONS))
    assert find_clauses(parse(Source(text))) == ()
    known = parse(Source(text))  # all that a first document loads has been loaded
    assert calls(lambda: find_clauses(known)) < 20 * text.count("1. ")


def test_searching_references_in_a_document_without_any_takes_few_calls(document: Document) -> None:
    known = parse(Source(manual()))
    assert find_clauses(known) == ()
    assert calls_per_chunk(lambda: find_references(known, NO_CLAUSES), document) < 13


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


def test_finding_the_clauses_and_references_of_an_act_takes_few_calls() -> None:
    known = parse(Source(act()))
    clauses = find_clauses(known)
    references = find_references(known, clauses)
    assert (len(clauses), len(references)) == (16 * SECTIONS, 15 * SECTIONS)
    # All that a first document loads has been loaded.
    assert calls(lambda: find_clauses(known)) < 78 * len(clauses)
    assert calls(lambda: find_references(known, clauses)) < 84 * len(references)


def test_each_search_runs_once_while_a_document_is_packed(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[str] = []

    def recording(name: str) -> Callable[..., object]:
        original = getattr(packer_module, name)

        def work(*given: object) -> object:
            called.append(name)
            return original(*given)

        return work

    found = parse(Source(act().replace("## Article 9", "<!-- page 2 -->\n\n## Article 9")))
    assert len(found.gaps) == 1
    for name in ("find_clauses", "find_references"):
        monkeypatch.setattr(packer_module, name, recording(name))

    for settings in ({}, {"levels": (512, 128)}, {"clauses": False}):
        list(pack(found, PackConfig(**settings)))

    assert called == ["find_clauses", "find_references"] * 2


def test_sections_that_fit_are_packed_with_few_calls(document: Document) -> None:
    clauses = find_clauses(document)
    packer = Packer()
    assert calls_per_chunk(lambda: packer.pack(document, clauses=clauses), document) < 268


def test_sections_that_are_cut_into_lines_and_rows_are_packed_with_few_calls(
    document: Document,
) -> None:
    packer = Packer(PackConfig(max_tokens=64, target_tokens=64, min_tokens=0))
    clauses = find_clauses(document)
    chunks = len(packer.pack(document))
    assert chunks > 8 * SECTIONS
    assert calls(lambda: packer.pack(document, clauses=clauses)) / chunks < 274


@pytest.mark.parametrize("depth", [1, 20])
def test_quote_lines_are_packed_with_few_calls_however_deep_the_first_line_is(
    depth: int,
) -> None:
    lines = 5000
    text = "> " * depth + "x\n" + "> x\n" * lines
    list(pack(Source(text)))

    assert calls(lambda: list(pack(Source(text)))) / lines < 220


def test_a_run_of_tags_is_packed_with_few_calls() -> None:
    tags = 5000
    text = "<div>" * tags
    list(pack(Source(text)))

    assert calls(lambda: list(pack(Source(text)))) / tags < 48


def test_a_sentence_is_found_with_few_calls() -> None:
    splitter = sentence_splitter("regex")
    assert len(splitter.spans(SENTENCE * 200)) == 200
    assert calls(lambda: splitter.spans(SENTENCE * 200)) < 200 * 33


def test_lines_without_a_sentence_end_are_skipped_with_few_calls() -> None:
    splitter = sentence_splitter("regex")
    text = "the pump keeps the pressure of\n" * 200
    assert len(splitter.spans(text)) == 1
    assert calls(lambda: splitter.spans(text)) < 50


def test_a_record_is_made_with_few_calls(document: Document) -> None:
    chunks = Packer().pack(document)
    assert calls_per_chunk(lambda: list(chunks), document) < 14
