"""Cuts between clauses with run-in titles, and the ends of these clauses, as the audit judges them.

The wrong chunks are right ones with one value of the record changed.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest
from by_eye import faults, packed, some, words

from treepack import Chunk, Chunks, PackConfig, Source, audit, pack

ABOVE = (
    "The parties hereto perform this agreement without any warranty or liability towards the "
    f"Licensee, {some(30)}."
)
LEAD = "You shall meet all of these conditions:"
OWN = f"The Licensee shall keep to it, {some(16)}."
TITLES = ((1, "Grant"), (2, "Limits"), (3, "Court"))
ITEMS = [
    f"{number}. **{title}**. The Licensee shall keep to it, {some(12, title[:2])}."
    for number, title in TITLES
]
REPEATED = [f"{n}. **{title}**. {some(45, title)}." for n, title in (TITLES[1], *TITLES[1:])]


def licence(*parts: str, **settings: Any) -> Chunks:  # noqa: ANN401 - settings
    return packed("\n\n".join(["# Licence", *parts]) + "\n", 80, "a.md", **settings)


def laws_broken(chunks: Chunks, changed: Iterable[Chunk], **fields: Any) -> set[int]:  # noqa: ANN401 - of a record
    """Return the laws that chunks break after fields of some of their records are changed."""
    assert chunks.origin is not None
    those = {chunk.id for chunk in changed}
    wrong = [replace(chunk, **fields) if chunk.id in those else chunk for chunk in chunks]
    return {finding.law for finding in audit(chunks.origin, wrong, chunks.config).findings}


@pytest.mark.parametrize(
    ("parts", "settings", "names"),
    [
        ((ABOVE, *ITEMS), {"sections": "separate"}, ["1 Grant", "2 Limits", "3 Court"]),
        ((ABOVE, LEAD, *ITEMS), {"sections": "separate"}, ["Licence"]),
        (("## 1. Grant", ABOVE, *REPEATED), {}, ["2 Limits", "2 Limits", "3 Court"]),
    ],
    ids=["clauses", "one sentence with its lead-in", "a repeated number"],
)
def test_a_list_is_cut_between_clauses_unless_a_lead_in_makes_it_one_sentence(
    parts: tuple[str, ...], settings: dict[str, Any], names: list[str]
) -> None:
    chunks = licence(*parts, **settings)
    assert faults(chunks) == []
    assert [chunk.breadcrumb[-1] for chunk in chunks[1:]] == names


def test_the_audit_finds_a_cut_inside_a_list_with_a_lead_in() -> None:
    """With a full stop above it, the list may be cut; with a colon, it is one sentence."""
    chunks = licence(ABOVE, f"{LEAD[:-1]}.", *ITEMS, sections="separate")
    assert [chunk.breadcrumb[-1] for chunk in chunks[1:]] == ["1 Grant", "2 Limits", "3 Court"]
    assert faults(chunks) == []
    led = Source("\n\n".join(["# Licence", ABOVE, LEAD, *ITEMS]) + "\n", "a.md")
    found = audit(led, [*chunks], PackConfig(max_tokens=80, encoding=words, sections="separate"))
    assert 9 in {finding.law for finding in found.findings}


def test_a_record_must_name_the_clauses_of_its_chunk_and_no_other() -> None:
    """A clause, and a section that a heading begins, end at the next number of their form."""
    separate = licence(ABOVE, *ITEMS, sections="separate")
    assert 4 in laws_broken(separate, separate, clauses=())
    one = separate[1].breadcrumb
    assert one == ("a.md", "Licence", "1 Grant")
    assert 7 in laws_broken(separate, separate[:1], breadcrumb=one)

    *_, held = run = licence(
        ABOVE, some(30), f"1. **Grant**. {some(8)}.", "2. Fees.", "3. They are paid."
    )
    assert (held.clauses, faults(run)) == (("1", "2", "3"), [])
    assert 7 in laws_broken(run, [held], breadcrumb=one)

    headed = licence(
        ABOVE, f"## 1. Grant\n\n{OWN}", f"**2. Limits.** {OWN}", f"**3. Court.** {OWN}"
    )
    first, second = headed
    assert first.text.endswith("w15.")
    assert second.text.startswith("**2. Limits.**")
    assert faults(headed) == []
    assert 4 in laws_broken(headed, [second], clauses=(), clause_number=None)

    twice = licence("## 1. Grant", ABOVE, *REPEATED)
    assert 4 in laws_broken(twice, twice, clauses=(), clause_number=None)


def test_a_number_directly_below_a_heading_ends_the_heading_clause() -> None:
    """The heading has no more text, so it need not share a chunk with the next clause."""
    text = (
        "# Act\n\n## 100. Grant\n\nText.\n\n## 101. The pipe closes.\n"
        f"102. {some(60)}.\n\n103. {some(60)}\n"
    )
    chunks = pack(Source(text, "d.md"), max_tokens=100, target_tokens=53)
    assert [chunk.breadcrumb[-1] for chunk in chunks] == ["Act", "102", "102", "103", "103"]
    assert faults(chunks) == []
    assert laws_broken(chunks, chunks, clauses=(), clause_number=None) == {4}


def test_a_later_subsection_shows_that_the_section_continues() -> None:
    """A run-in ``2.`` once ended the section of ``1. Scope``, although 1.1 comes later."""
    parts = ["# 1. Scope", f"2. {some(30)}."]
    for title in ("Annexed notes", "1.1 Purpose", "Schedule 1"):
        parts += f"# {title}", some(30)
    chunks = packed("\n\n".join(parts) + "\n", 80, "a.md")
    paths = [chunk.breadcrumb for chunk in chunks if chunk.text.startswith(("# Annexed", "# 1.1"))]
    assert {path[1] for path in paths} == {"1. Scope"}
    assert faults(chunks) == []


@pytest.mark.parametrize("times", [1, 2])
def test_a_label_in_its_own_paragraph_stays_with_the_text_below_it(times: int) -> None:
    """Converters write the points of European law in this way, some of the labels twice."""
    text = "# Regulation\n\n### Article 1\n\n1.\n\nThe supplier shall keep records of these:\n\n"
    labels = [f"({letter})" for letter in "abcdefghij"]
    for index, label in enumerate(labels):
        said = "the date of each delivery and the name of who took it, " * (1 + index % 4)
        text += f"{label}\n\n" * times + f"{said.strip(' ,')};\n\n"
    chunks = pack(Source(text, "law.md"), max_tokens=256)
    assert len(chunks) > 1
    assert not [chunk.text for chunk in chunks if chunk.text.split()[-1] in labels]
    assert faults(chunks) == []
