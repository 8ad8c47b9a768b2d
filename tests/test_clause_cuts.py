"""The audit of cuts between clauses with run-in titles, and of the ends of these clauses.

The wrong packers are the real packer with one rule broken.
"""

from typing import Literal

import pytest
from audits import findings_in
from by_eye import some, words

from treepack import Chunk, Chunks, PackConfig, Source, pack
from treepack.laws import audit

Sections = Literal["pack", "separate"]

ABOVE = (
    "The parties hereto perform this agreement without any warranty or liability towards the "
    f"Licensee, {some(30)}."
)
LEAD = "You shall meet all of these conditions:"
ITEMS = tuple(
    f"{number}. **{title}**. The Licensee shall keep to it, {some(12, title[:2])}."
    for number, title in ((1, "Grant"), (2, "Limits"), (3, "Court"))
)


def licence(*parts: str) -> Source:
    return Source("\n\n".join(["# Licence", *parts]) + "\n", "a.md")


def packed(source: Source, sections: Sections = "pack") -> Chunks:
    limits = {"max_tokens": 80, "target_tokens": 80, "min_tokens": 0, "encoding": words}
    return pack(source, PackConfig.model_validate({**limits, "sections": sections}))


def laws(source: Source, chunks: list[Chunk], sections: Sections = "pack") -> list[int]:
    report = audit(source, chunks, PackConfig(max_tokens=80, encoding=words, sections=sections))
    return [finding.law for finding in report.findings]


def test_a_list_of_clauses_may_be_cut_between_them() -> None:
    source = licence(ABOVE, *ITEMS)
    chunks = packed(source, "separate")
    assert [chunk.breadcrumb[-1] for chunk in chunks[1:]] == ["1 Grant", "2 Limits", "3 Court"]
    assert laws(source, list(chunks), "separate") == []


def test_a_list_with_a_lead_in_may_not_be_cut_between_clauses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The breadcrumbs differ and the records name clauses, but the text is one sentence."""
    source = licence(ABOVE, LEAD, *ITEMS)
    assert laws(source, list(packed(source, "separate")), "separate") == []

    def is_never_led(*_: object) -> bool:
        return False

    with monkeypatch.context() as patch:
        patch.setattr("treepack.clauses.sections._Builder._is_led", is_never_led)
        wrong = list(packed(source, "separate"))
    assert [chunk.breadcrumb[-1] for chunk in wrong[1:]] == ["1 Grant", "2 Limits", "3 Court"]
    assert 9 in laws(source, wrong, "separate")


def test_a_list_with_a_lead_in_is_not_a_clause_as_a_whole() -> None:
    (whole,) = (chunk for chunk in packed(licence(ABOVE, LEAD, *ITEMS)) if "3" in chunk.clauses)
    assert whole.breadcrumb == ("a.md", "Licence")


def test_a_list_may_not_be_cut_if_its_records_name_no_clauses() -> None:
    """What a record says about clauses must be what the source says."""
    source = licence(ABOVE, *ITEMS)
    chunks = [chunk.model_copy(update={"clauses": ()}) for chunk in packed(source, "separate")]
    assert chunks[1].breadcrumb != chunks[2].breadcrumb
    assert 4 in laws(source, chunks, "separate")


def test_a_clause_ends_at_the_next_number_of_its_form() -> None:
    further = (f"2. Fees of the Licensee are due, {some(4)}.", "3. They are paid.")
    source = licence(ABOVE, some(30), f"1. **Grant**. {some(8)}.", *further)
    *others, held = packed(source)
    assert held.clauses == ("1", "2", "3")
    assert laws(source, [*others, held]) == []
    forged = held.model_copy(update={"breadcrumb": ("a.md", "Licence", "1 Grant")})
    assert 7 in laws(source, [*others, forged])


def test_a_section_ends_at_the_next_number_of_its_form() -> None:
    """A heading shows only where its section begins; a record must name the next clause."""
    own = f"The Licensee shall keep to it, {some(16)}."
    source = licence(
        ABOVE, f"## 1. Grant\n\n{own}", f"**2. Limits.** {own}", f"**3. Court.** {own}"
    )
    first, second = packed(source)
    assert first.text.endswith("w15.")
    assert second.text.startswith("**2. Limits.**")
    assert laws(source, [first, second]) == []
    unnamed = second.model_copy(update={"clauses": (), "clause_number": None})
    assert 4 in laws(source, [first, unnamed])


def test_a_number_directly_below_a_heading_ends_the_heading_clause() -> None:
    """The heading has no more text, so it need not share a chunk with the next clause."""
    text = (
        "# Act\n\n## 100. Grant\n\nText.\n\n## 101. The pipe closes.\n"
        f"102. {some(60)}.\n\n103. {some(60)}\n"
    )
    chunks = pack(Source(text, "d.md"), max_tokens=100, target_tokens=53)
    assert [chunk.breadcrumb[-1] for chunk in chunks] == ["Act", "102", "102", "103", "103"]
    assert findings_in(chunks) == ()
    unnamed = [chunk.model_copy(update={"clauses": (), "clause_number": None}) for chunk in chunks]
    report = audit(Source(text, "d.md"), unnamed, PackConfig(max_tokens=100))
    assert {4} == {finding.law for finding in report.findings}


def test_a_repeated_number_ends_a_heading_clause_if_the_record_names_it() -> None:
    further = [
        f"{number}. **{title}**. The Licensee shall keep to it, {some(40, title)}."
        for number, title in ((2, "Limits"), (2, "Limits"), (3, "Court"))
    ]
    source = licence("## 1. Grant", ABOVE, *further)
    chunks = packed(source)
    assert [chunk.breadcrumb[-1] for chunk in chunks[1:]] == ["2 Limits", "2 Limits", "3 Court"]
    assert laws(source, list(chunks)) == []
    unnamed = [chunk.model_copy(update={"clauses": (), "clause_number": None}) for chunk in chunks]
    assert 4 in laws(source, unnamed)


def test_a_chunk_before_a_clause_may_not_name_it() -> None:
    source = licence(ABOVE, *ITEMS)
    first, *others = packed(source, "separate")
    assert "1 Grant" in others[0].breadcrumb
    forged = first.model_copy(update={"breadcrumb": ("a.md", "Licence", "1 Grant")})
    assert 7 in laws(source, [forged, *others], "separate")


@pytest.mark.parametrize("times", [1, 2])
def test_a_label_in_its_own_paragraph_stays_with_the_text_below_it(times: int) -> None:
    """Converters write the points of European law in this way, some of the labels twice."""
    text = "# Regulation\n\n### Article 1\n\n1.\n\nThe supplier shall keep records of these:\n\n"
    labels = [f"({letter})" for letter in "abcdefghij"]
    for index, label in enumerate(labels):
        sentence = "the date of each delivery and the name of who took it, " * (1 + index % 4)
        text += f"{label}\n\n" * times + f"{sentence.strip(' ,')};\n\n"
    chunks = pack(Source(text, "law.md"), max_tokens=256)
    assert len(chunks) > 1
    for chunk in chunks:
        assert chunk.text.split()[-1] not in labels, chunk.text
    report = audit(text, chunks, PackConfig(max_tokens=256), name="law.md")
    assert not report.findings, str(report.findings[0])


def test_a_later_subsection_shows_that_the_section_continues() -> None:
    """A run-in ``2.`` once ended the section of ``1. Scope``, although 1.1 comes later."""
    parts = ["# 1. Scope", f"2. {some(30)}."]
    for title in ("Annexed notes", "1.1 Purpose", "Schedule 1"):
        parts += f"# {title}", some(30)
    source = Source("\n\n".join(parts) + "\n", "a.md")
    chunks = packed(source)
    paths = [chunk.breadcrumb for chunk in chunks if chunk.text.startswith(("# Annexed", "# 1.1"))]
    assert {path[1] for path in paths} == {"1. Scope"}
    assert laws(source, list(chunks)) == []
