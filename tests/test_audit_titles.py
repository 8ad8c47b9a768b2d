"""The audit of found titles and of skipped page furniture."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from title_texts import BODY, CONTENTS, CONTRACT, MANUAL, PAGES, pages

from treepack import PackConfig, audit, pack
from treepack.model.chunk import Chunk


def records(text: str, **settings: Any) -> list[Chunk]:  # noqa: ANN401 - any setting
    return list(pack(text, PackConfig(max_tokens=64, target_tokens=48, min_tokens=0, **settings)))


@pytest.mark.parametrize("text", [MANUAL, CONTENTS + MANUAL, PAGES, CONTRACT, pages(*[MANUAL] * 4)])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_the_laws_hold_for_found_titles_and_skipped_furniture(text: str, line_end: str) -> None:
    text = text.replace("\n", line_end)
    assert audit(text, records(text), max_tokens=64).findings == ()


Mutant = Callable[[Sequence[Chunk]], list[Chunk]]


def with_change(**values: Any) -> Mutant:  # noqa: ANN401 - any field
    """Return a mutant that changes the record of the third title that was found."""

    def mutant(chunks: Sequence[Chunk]) -> list[Chunk]:
        changes = list(chunks[0].outline_changes)
        changes[2] = replace(changes[2], **values)
        return [chunks[0].model_copy(update={"outline_changes": tuple(changes)}), *chunks[1:]]

    return mutant


def without_breadcrumb(chunks: Sequence[Chunk]) -> list[Chunk]:
    at = next(n for n, chunk in enumerate(chunks) if len(chunk.breadcrumb) > 1)
    chunk = chunks[at].model_copy(update={"breadcrumb": ()})
    return [*chunks[:at], chunk, *chunks[at + 1 :]]


@pytest.mark.parametrize(
    ("mutant", "message"),
    [
        (with_change(title="2.1. Pumps of all kinds"), "is not the text of line 11"),
        (with_change(line=12), "is not the text of line 12"),
        (with_change(line=999), "the source has lines 1 to"),
        (with_change(new_level=None), "has the level None"),
        (with_change(reason=" "), 'the reason "", but needs'),
        (without_breadcrumb, "above a block is neither in the breadcrumb"),
    ],
)
def test_the_audit_finds_wrong_titles_and_breadcrumbs(mutant: Mutant, message: str) -> None:
    chunks = records(MANUAL)
    assert audit(MANUAL, chunks, max_tokens=64).findings == ()
    findings = audit(MANUAL, mutant(chunks), max_tokens=64).findings
    assert any(message in finding.reason for finding in findings), findings


def test_the_audit_finds_a_title_separated_from_its_text() -> None:
    changes = pack(MANUAL).outline_changes
    at = MANUAL.index("\n\nThe pump", MANUAL.index("2.1. Pump"))
    texts = [MANUAL[: at + 2], MANUAL[at + 2 :]]
    findings = audit(MANUAL, texts, max_tokens=1024, outline_changes=changes).findings
    assert 8 in {finding.law for finding in findings}


@pytest.mark.parametrize(
    ("skipped_text", "reason"),
    [
        ("Filters are washed each week, or when the", "it has no number and occurs only once"),
        ("closed by hand", "it begins inside a line"),
        ("flow is slow. Then the lid is taken off.\nA new", "it ends inside a line"),
    ],
)
def test_the_audit_finds_body_text_skipped_as_page_furniture(
    skipped_text: str, reason: str
) -> None:
    chunks = list(pack(PAGES))
    at = PAGES.index(skipped_text)
    skipped = chunks[0].skipped[-1].model_copy(update={"span": (at, at + len(skipped_text))})
    assert skipped.reason == "page furniture"
    mutant = chunks[0].model_copy(update={"skipped": (*chunks[0].skipped, skipped)})
    findings = audit(PAGES, [mutant, *chunks[1:]], max_tokens=1024).findings
    assert any(reason in finding.reason for finding in findings), findings


def test_the_audit_finds_a_skipped_line_in_the_middle_of_a_page() -> None:
    text = pages(*(f"{BODY}No. {n}\n{BODY}{BODY}" for n in range(5)))
    chunks = list(pack(text))
    at = text.index("No. 2")
    skipped = chunks[0].skipped[-1].model_copy(update={"span": (at, at + 5)})
    mutant = chunks[0].model_copy(update={"skipped": (*chunks[0].skipped, skipped)})
    findings = audit(text, [mutant, *chunks[1:]], max_tokens=1024).findings
    assert any(
        "it is not within 3 lines of the edge of a page" in finding.reason for finding in findings
    )
