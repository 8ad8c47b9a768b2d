"""Titles of clauses: in headings, in bold, or at the beginning of the clause's text."""

import pytest
from case_files import pairs_of
from clause_texts import LAW_WORDS, blocks

from treepack import audit, pack, parse
from treepack.clauses.sections import outline_rows
from treepack.clauses.walk import find_clauses


@pytest.mark.parametrize(
    ("text", "title"), pairs_of("clause_titles.txt", "the title that runs into a text")
)
def test_a_run_in_title_is_distinguished_from_the_first_sentence(text: str, title: str) -> None:
    source = blocks("# 2 Duties", text, "# 3 Rights")
    clause = find_clauses(parse(source))[1]
    assert (clause.number.removeprefix("Section "), clause.title) == ("2.1", title)
    span = clause.title_span
    assert (source[span[0] : span[1]] if span else "") == title


def test_clauses_with_run_in_titles_act_as_sections() -> None:
    text = blocks(
        *("SHARING LICENCE", LAW_WORDS, "0. This holds for any work whose licensor says so."),
        "1. **Copying**. You may copy the work, and the licensee bears all liability.",
        "2. **Changing**. You may change the work, provided that you also:\n\n    a) say so; and",
        *("These conditions hold for the whole.", "3. **Ending**. It ends at last."),
    )
    document = parse(text)
    found = find_clauses(document)
    assert [c.title for c in found] == ["", "Copying", "Changing", "", "Ending"]
    assert [c.is_run_in for c in found] == [True, True, True, False, True]
    by_number = {clause.number: clause for clause in found}
    assert by_number["2(a)"].end <= text.index("These conditions") < by_number["2"].end
    assert "2 Changing" in [row.title for row in outline_rows(document, found)]
    chunks = pack(text, max_tokens=48, target_tokens=24, min_tokens=0, sections="separate")
    named = {name for chunk in chunks for name in chunk.breadcrumb}
    assert {"1 Copying", "2 Changing", "3 Ending"} <= named
    assert not audit(text, chunks).findings


def test_a_list_with_a_lead_in_is_one_sentence() -> None:
    items = [f"{n}. **{title}**. The Licensee keeps to it." for n, title in enumerate("AB", 1)]
    law = "# Licence\n\nThe parties give no warranty and bear no liability for this agreement.\n\n"
    led, free = (f"{law}You shall meet these{end}\n\n" + blocks(*items) for end in ("terms:", "."))
    assert [c.is_run_in for c in find_clauses(parse(free))] == [True, True]
    chunks = pack(led, max_tokens=64, target_tokens=40, min_tokens=0, sections="separate")
    assert not audit(led, chunks).findings
    assert {chunk.breadcrumb[-1] for chunk in chunks} == {"Licence"}


def test_points_that_continue_a_sentence_have_no_titles() -> None:
    law = "# § 11 Begriffe\n\n(1) Im Sinne dieses Gesetzes {}\n\n"
    points = "1.  Richter:\n\n    wer Recht spricht;\n\n2.  Behörde:\n\n    auch ein Gericht.\n"
    for end, titles in (("ist", ["", ""]), ("sind:", ["Richter", "Behörde"])):
        (_, _, *found) = find_clauses(parse(law.format(end) + points))
        assert [(each.title, each.is_led) for each in found] == [(t, True) for t in titles]


def test_a_clause_that_is_a_heading_takes_its_title_from_the_heading() -> None:
    text = blocks("# Article 5", "Words.", r"# Article 6 — Duties of *makers* &amp; K\_9", "Words.")
    found = [(clause.title, clause.is_heading) for clause in find_clauses(parse(text))]
    assert found == [("", True), ("Duties of makers & K_9", True)]
