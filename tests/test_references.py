"""Cross-references: found with spans, resolved in the document, or recognised as external."""

import os
from itertools import pairwise
from pathlib import Path

import clause_truth
import pytest
from clause_texts import references_of
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import generated

from treepack.clauses.walk import find_clauses
from treepack.document.build import parse
from treepack.references.finder import FoundReference

CORPUS = os.environ.get("TREEPACK_CORPUS", "")

DOCUMENT = """# The Toy Act

## CHAPTER II

### Article 5 — Scope

1.\u00a0\u00a0\u00a0Toys are meant.

2.\u00a0\u00a0\u00a0They are:

(a)

of wood;

(b)

of tin.

### Article 6

Text. {sentence}

### Article 7

Text.

## 5 Tests

### 5.1 General

### 5.1.2 Limits {{#limits}}

**Table 3 — Limits**

| a | b |
|---|---|
| 1 | 2 |

Figure 4: A toy

![toy](toy.png)

### 5.3 Last

## § 9 Zoll

(1) Eins.

(2) Zwei.

<a name="mark"></a>

## Annex A

### A.2 Forms

## ANNEX III

第三条

第三条 范围
"""


def references_in(sentence: str) -> list[FoundReference]:
    """Return the references of one sentence in the document above."""
    text = DOCUMENT.format(sentence=sentence)
    document = parse(text)
    start = text.index("Text. ") + 6
    references = references_of(document)
    for reference in references:
        assert text[reference.start : reference.end] == reference.text
    return [r for r in references if start <= r.start < start + len(sentence)]


def kinds_targets_and_titles(sentence: str) -> list[tuple[str, str, str]]:
    """Return the kind, the target and the section's title of each reference."""
    document = parse(DOCUMENT.format(sentence=sentence))
    names = {s.id: s.heading.text.split("{")[0].strip() for s in document.root.walk() if s.heading}
    return [(r.kind, r.target, names.get(r.section_id or "", "")) for r in references_in(sentence)]


@pytest.mark.parametrize(
    ("sentence", "target", "title"),
    [
        ("See 5.1.2.", "5.1.2", "5.1.2 Limits"),
        ("see also 5.1.2", "5.1.2", "5.1.2 Limits"),
        ("as specified in 5.1.2,", "5.1.2", "5.1.2 Limits"),
        ("in accordance with 5.1.2", "5.1.2", "5.1.2 Limits"),
        ("siehe 5.1.2", "5.1.2", "5.1.2 Limits"),
        ("voir 5.1.2", "5.1.2", "5.1.2 Limits"),
        ("véase 5.1.2", "5.1.2", "5.1.2 Limits"),
        ("the limits of clause 5.1.2 hold", "5.1.2", "5.1.2 Limits"),
        ("Clause 5.1.2 holds", "5.1.2", "5.1.2 Limits"),
        ("Section 5.1.2", "5.1.2", "5.1.2 Limits"),
        ("Section\n5.1.2", "5.1.2", "5.1.2 Limits"),
        ("Article 5", "5", "Article 5 — Scope"),
        ("Article\u00a05(2)", "5(2)", "Article 5 — Scope"),
        ("Article 5(2)(b)", "5(2)(b)", "Article 5 — Scope"),
        ("Article 5(2), point (b)", "5(2)(b)", "Article 5 — Scope"),
        ("Article 5(2), first subparagraph, point (b)", "5(2)(b)", "Article 5 — Scope"),
        ("point (b) of Article 5(2)", "5(2)(b)", "Article 5 — Scope"),
        ("Article 5(2) of this Act", "5(2)", "Article 5 — Scope"),
        ("Artikel 5 Absatz 2 Buchstabe b", "5(2)(b)", "Article 5 — Scope"),
        ("l'article 5, paragraphe 2, point b)", "5(2)(b)", "Article 5 — Scope"),
        ("el artículo 5, apartado 2, letra b)", "5(2)(b)", "Article 5 — Scope"),
        ("§ 9", "§ 9", "§ 9 Zoll"),
        ("nach § 9 Abs. 2 Satz 1", "§ 9(2)", "§ 9 Zoll"),
        ("Chapter II", "Chapter II", "CHAPTER II"),
        ("Annex III", "Annex III", "ANNEX III"),
        ("Anhang III", "Annex III", "ANNEX III"),
        ("Annex A", "Annex A", "Annex A"),
        ("Annex A.2", "A.2", "A.2 Forms"),
        ("see A.2", "A.2", "A.2 Forms"),
        ("Table 3", "Table 3", "5.1.2 Limits"),
        ("Tabelle 3", "Table 3", "5.1.2 Limits"),
        ("Figure 4", "Figure 4", "5.1.2 Limits"),
        ("Abb. 4", "Figure 4", "5.1.2 Limits"),
        ("[limits](#limits)", "5.1.2", "5.1.2 Limits"),
        ("[limits](#52-nothing)", "#52-nothing", ""),
        ("[last](#53-last)", "5.3", "5.3 Last"),
        ("[mark](#mark)", "Annex A", "Annex A"),
        ("{{limits}}", "5.1.2", "5.1.2 Limits"),
        ("根据第三条规定", "第三条", "ANNEX III"),
        ("Article 5(9)", "Article 5(9)", "Article 5 — Scope"),
        ("Article 99", "Article 99", ""),
        ("Table 9", "Table 9", ""),
        ("see 9.9.9", "9.9.9", ""),
    ],
)
def test_a_reference_is_resolved(sentence: str, target: str, title: str) -> None:
    sentence = sentence.replace("{{", "{").replace("}}", "}") if "{{" not in sentence else sentence
    (reference,) = kinds_targets_and_titles(sentence)
    assert reference[0] != "external"
    assert reference[1:] == (target, title)


@pytest.mark.parametrize(
    ("sentence", "targets"),
    [
        ("Articles 5 and 6", ["5", "6"]),
        ("Articles 5, 6 and 7", ["5", "6", "7"]),
        ("Articles 5(1), 6 or 7", ["5(1)", "6", "7"]),
        ("5.1 (see 5.1 to 5.3)", ["5.1", "5.3"]),
        ("clauses 5.1 to 5.3", ["5.1", "5.3"]),
        ("Sections 5.1, 5.3 and A.2", ["5.1", "5.3", "A.2"]),
        ("Artikel 5 bis 7", ["5", "6", "7"]),
        ("articles 5 et 6", ["5", "6"]),
        ("artículos 5 y 6", ["5", "6"]),
        ("§§ 9 und 9", ["§ 9", "§ 9"]),
        ("Annexes A and III", ["Annex A", "Annex III"]),
        ("Tables 3 and 9", ["Table 3", "Table 9"]),
    ],
)
def test_lists_and_ranges_give_each_number(sentence: str, targets: list[str]) -> None:
    assert [reference.target for reference in references_in(sentence)] == targets


@pytest.mark.parametrize(
    "sentence",
    [
        "Article 5 of Regulation (EU) 2016/679",
        "Article 5(2) of Directive 95/46/EC",
        "Article 5 of the Treaty",
        "Article 5 of that Regulation",
        "Article 5 TFEU",
        "Articles 5 and 6 of the Charter",
        "§ 9 BGB",
        "§ 9 Abs. 2 des Bundesdatenschutzgesetzes",
        "§ 9 der Strafprozessordnung",
        "l'article 5 du règlement",
        "el artículo 5 del Reglamento",
        "Section 5.1 of [RFC1034]",
        "[RFC1034] Section 5.1",
        "RFC 1034, Section 5.1",
        "Clause 5 of ISO 9001",
        "Clause [5](other.md)",
        "Chapter II of Title V of the TEU",
        "{{Section 6 of OTHER-DOC}}",
        "Section 5.1 of the Securities Act of 1933",
        "Section 5.1 of the Data Protection and Digital Rights Act 2018",
        "Article 5 of the Uniform Commercial Code",
        "Section 5.1 of the Master Services Agreement",
        "Section 5.1 of the base DNS document",
        "Section 5.1 of that earlier specification",
        "[the guide](guide.md), Section 5.1",
        "[the guide](https://example.org/guide/of/ours.html) (Section 5.1)",
        "{{?OTHER=RFC7540}}",
    ],
)
def test_references_to_other_documents_are_external(sentence: str) -> None:
    references = references_in(sentence)
    assert references
    assert {(r.kind, r.section_id) for r in references} == {("external", None)}


@pytest.mark.parametrize(
    "sentence",
    [
        "This is 5.1.2 times more.",
        "The version is 5.1.2.",
        "Nobody sees 5.1.2 here.",
        "`see 5.1.2`",
        "`Article 5`",
        "The article about 5 toys.",
        "the rules 2022",
        "In part 2024 was good.",
        "A party of 5.",
        "A section of the road.",
        "A table with 3 legs.",
        "[elsewhere](https://example.org/#limits)",
        "A template has {{{limits}}} in it.",
    ],
)
def test_lookalikes_are_not_references(sentence: str) -> None:
    assert references_in(sentence) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "Section 5.1 of this Agreement",
        "Section 5.1 of the document",
        "Section 5.1 of the present document",
        "Section 5.1 of the Supply side",
        "[limits](#limits), Section 5.1",
        "(as they said) Section 5.1",
        "As in Section 5.1, SMTP servers reply",
    ],
)
def test_references_that_only_look_external_are_resolved(sentence: str) -> None:
    assert ("clause", "5.1") in [(r.kind, r.target) for r in references_in(sentence)]


def test_code_contains_no_references() -> None:
    text = "# 1 A\n\n# 2 B\n\n```\nsee Section 2\n```\n\n    see Section 2\n\n$$\nSection 2\n$$\n"
    document = parse(text)
    assert references_of(document) == ()


def test_labels_and_captions_do_not_refer_to_themselves() -> None:
    text = (
        "# Article 5 Scope\n\n# Article 6\n\n**Table 1: A**\n\n| a |\n|---|\n| 1 |\n\n# ANNEX I\n"
    )
    document = parse(text)
    assert references_of(document) == ()


def test_a_paragraph_reference_resolves_within_its_article() -> None:
    text = (
        "# Article 4\n\n1.\u00a0\u00a0\u00a0Text.\n\n2.\u00a0\u00a0\u00a0As in paragraph 1.\n\n"
        "# Article 1\n\nText.\n"
    )
    document = parse(text)
    (reference,) = references_of(document)
    assert (reference.text, reference.target) == ("paragraph 1", "4(1)")


ACT = """\
# CHAPTER I

## SECTION 2

### Article 2

1. Text. HERE

2. Text.

# CHAPTER III

## SECTION 2

### Article 6

1. Text. INSIDE

# ANNEX I

Section A. Laws

1. Text. ANNEXED

Section C. More laws

# ANNEX VIII

Section A. Data

1. Text.
"""


def targets_and_sections(sentence: str, placeholder: str = "HERE") -> list[tuple[str, str]]:
    """Return each reference's target in the act above, and the first line of its section."""
    text = ACT.replace(placeholder, sentence)
    document = parse(text)
    sections = {s.id: text[s.start :].split("\n")[0].strip("# ") for s in document.root.walk()}
    return [(r.target, sections.get(r.section_id or "", "")) for r in references_of(document)]


def test_a_section_reference_resolves_within_its_chapter() -> None:
    text = ACT.replace("HERE", "As Section 2 says.").replace("INSIDE", "As Section 2 says.")
    document = parse(text)
    starts = {section.id: section.start for section in document.root.walk()}
    found = [starts[r.section_id or ""] for r in references_of(document)]
    first = text.index("## SECTION 2")
    assert found == [first, text.index("## SECTION 2", first + 1)]


@pytest.mark.parametrize(
    ("sentence", "target"),
    [
        ("Section A of Annex I", "Annex I Section A"),
        ("Annex VIII, Section A", "Annex VIII Section A"),
        ("Section A, point 1, of Annex VIII", "Annex VIII Section A(1)"),
        ("paragraph 1 of Article 6", "6(1)"),
        ("point 1 of Section A of Annex VIII", "Annex VIII Section A(1)"),
        ("point (1) of Article 6", "6(1)"),
        ("paragraph 2 of this Article", "2(2)"),
    ],
)
def test_a_reference_resolves_within_the_division_it_names(sentence: str, target: str) -> None:
    targets = targets_and_sections(f"See {sentence}.")
    assert (target, True) in [(name, bool(section)) for name, section in targets]


@pytest.mark.parametrize("sentence", ["Section A", "Section 9", "Section C of Annex VIII"])
def test_ambiguous_or_missing_sections_stay_unresolved(sentence: str) -> None:
    """Several annexes have a section A, no chapter has a section 9, and Annex VIII no section C."""
    name = " ".join(sentence.split()[:2])
    assert (name, "") in targets_and_sections(f"See {sentence}.")


def test_a_section_reference_in_an_annex_resolves_within_the_annex() -> None:
    assert targets_and_sections("See Section C.", "ANNEXED") == [("Annex I Section C", "ANNEX I")]


@pytest.mark.parametrize(
    ("sentence", "titles"),
    [
        ("paragraph 1.1", ["Schedule 1"]),
        ("paragraph 1.2", [""]),
        ("paragraph 1.2 of this Agreement", ["1 Terms"]),
        ("clause 1.2", ["1 Terms"]),
        ("paragraph 2.1 of Schedule 2", ["Schedule 2", "Schedule 2"]),
    ],
)
def test_paragraph_references_in_a_schedule_resolve_within_it(
    sentence: str, titles: list[str]
) -> None:
    text = (
        f"# 1 Terms\n\n1.1 One.\n\n1.2 Two.\n\n# Schedule 1\n\n1. Hosting\n\n1.1 See {sentence}."
        "\n\n# Schedule 2\n\n1. Fees\n\n2. Terms\n\n2.1 Late fees.\n"
    )
    document = parse(text)
    names = {s.id: s.heading.text for s in document.root.walk() if s.heading}
    references = references_of(document)
    assert [names.get(r.section_id or "", "") for r in references] == titles


def test_paragraph_7_of_a_standard_resolves_to_clause_7() -> None:
    text = "# Pumps\n\n## 6 Tests\n\n### 6.1 Set-up\n\nAs in {}.\n\n## 7 Marks\n\nText.\n"
    for sentence in ("paragraph 7", "paragraph 7 of this Regulation"):
        document = parse(text.format(sentence))
        (reference,) = references_of(document)
        assert reference.target == "7"
        assert reference.section_id == find_clauses(document)[-1].section_id


def test_a_reference_that_names_the_documents_own_title_is_internal() -> None:
    text = "# Regulation (EU) 2016/679\n\n## Article 5\n\nArticle 5 of Regulation (EU) 2016/679.\n"
    document = parse(text)
    (reference,) = references_of(document)
    assert (reference.kind, reference.target) == ("clause", "5")


# -------------------------------------------------------------------- what always holds


PIECES = (
    *("Article ", "see ", "§ ", "Table ", "point (b) of ", "5", "5.1.2", "A.2", "(1)", "(a)"),
    *(", ", " and ", " to ", "[", "](#5-a)", "`", "{{", "}}", " of the Act", "\n\n", "# ", "\n"),
)


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
@generated
@example("[" * 300)
@example("{{" * 300)
@example("Article" + " " * 2000 + "5")
@example("{{ a of a of a" * 50)
def test_references_are_ordered_spans_that_do_not_overlap(text: str) -> None:
    document = parse(text)
    references = references_of(document)
    sections = {section.id for section in document.root.walk()}
    for reference in references:
        assert text[reference.start : reference.end] == reference.text != ""
        assert reference.section_id is None or reference.section_id in sections
    assert all(one.start < other.start for one, other in pairwise(references))
    assert all(one.end <= other.start for one, other in pairwise(references))


@pytest.mark.skipif(not CORPUS, reason="TREEPACK_CORPUS names no folder")
def test_sections_that_rfcs_cite_are_resolved() -> None:
    for figure in clause_truth.rfc_reference_figures(Path(CORPUS)):
        assert figure.recall >= 0.95, figure


def test_an_anchor_takes_precedence_over_a_heading_of_the_same_name() -> None:
    text = '# 1 A\n\n<a name="2-b"></a> text {#c} [x](#2-b) [y](#c) [z](#2-B)\n\n# 2 B\n\n## c\n'
    document = parse(text)
    (first, *_) = document.root.sections
    assert [found.section_id for found in references_of(document)] == [first.id] * 3


# -------------------------------------------------------------------- contracts

CONTRACT = """\
The parties to this agreement settle warranties, liability and jurisdiction.

1. **Terms**. Words are used as said.

2. **Duties**. The seller shall:

    a) deliver;

    b) help.

3. **Price**. The price is paid.

4. **Rules**. {sentence}

5. **End**. It ends.
"""


@pytest.mark.parametrize(
    ("sentence", "targets"),
    [
        ("As Section 2(b) says.", ["2(b)"]),
        ("As Section 2(B) says.", ["2(b)"]),
        ("As Subsection 2b says.", ["2(b)"]),
        ("As paragraph 2(a) above says.", ["2(a)"]),
        ("As Sections 1, 2 to 5 say.", ["1", "2", "3", "4", "5"]),
        ("As Sections 1-3 say.", ["1", "2", "3"]),
        ("As Sections 4 to 9 say.", ["4", "5", "Section 9"]),
        ("As clause 3 above says.", ["3"]),
    ],
)
def test_references_in_a_contract_resolve_to_its_clauses(sentence: str, targets: list[str]) -> None:
    found = references_of(parse(CONTRACT.format(sentence=sentence)))
    assert sorted(each.target for each in found) == sorted(targets)
    assert all(each.section_id for each in found if each.target != "Section 9")


def test_subsection_references_resolve_within_their_section() -> None:
    text = (
        "# Section 3 Rent\n\n(1) One:\n\n(a) x;\n\n(b) y.\n\n"
        "(2) As subsection (1)(b) and paragraph (a) of subsection (1) say, and subsection (9).\n"
    )
    found = references_of(parse(text))
    assert [each.target for each in found] == ["3(1)(b)", "3(1)(a)", "3(1)", "(9)"]
    assert [bool(each.section_id) for each in found] == [True, True, True, False]
