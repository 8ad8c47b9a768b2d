"""Cross-references: found, resolved in the document or recognised as external, and only if read."""

import copy
import os
import pickle
import re
from itertools import pairwise
from pathlib import Path

import clause_truth
import pytest
from clause_texts import references_of
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import generated

from treepack import Chunks, Document, PackConfig, Source, pack, parse
from treepack.packing.many import pack_many
from treepack.references.finder import ReferenceFinder

CORPUS = os.environ.get("TREEPACK_CORPUS", "")

ACT = """# The Toy Act
## CHAPTER II
### Article 5 — Scope

1.\u00a0\u00a0\u00a0Toys are meant.

2.\u00a0\u00a0\u00a0They are:

(a) of wood;

(b) of tin.

### Article 6

1.\u00a0\u00a0\u00a0Text. {sentence}

2.\u00a0\u00a0\u00a0Text.

### Article 7
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

Section A. Laws

1. Text.
"""


def rows(table: str) -> list[str]:
    """Return the rows of a table, with line ends or semicolons between; ~ is a line end in one."""
    return [row.strip(" ").replace("~", "\n") for row in re.split("[;\n]", table.strip())]


def cited(sentence: str, text: str = ACT) -> list[tuple[str, str, str]]:
    """Return the kind, the target and the section's title of each reference in a sentence."""
    start = len(text.partition("{sentence}")[0].format())
    document = parse(text.format(sentence=sentence))
    names = {s.id: s.heading.text.split("{")[0].strip() for s in document.root.walk() if s.heading}
    return [
        (each.kind, each.target, names.get(each.section_id or "", ""))
        for each in references_of(document)
        if start <= each.start < start + len(sentence)
    ]


RESOLVED = """
See 5.1.2.|see also 5.1.2|as specified in 5.1.2, -> 5.1.2 -> 5.1.2 Limits
in accordance with 5.1.2|siehe 5.1.2|voir 5.1.2|véase 5.1.2 -> 5.1.2 -> 5.1.2 Limits
limits of clause 5.1.2|Section~5.1.2|Sec. 5.1.2|SECTION 5.1.2 -> 5.1.2 -> 5.1.2 Limits
Abschnitt 5.1.2|section 5.1.2|la sección 5.1.2 -> 5.1.2 -> 5.1.2 Limits
Article 5|Art. 5|Artikel 5|l'article 5|el artículo 5 -> 5 -> Article 5 — Scope
Article 5(2)(b)|Article 5(2), point (b) -> 5(2)(b) -> Article 5 — Scope
Article 5(2), first subparagraph, point (b) -> 5(2)(b) -> Article 5 — Scope
Artikel 5 Absatz 2 Buchstabe b -> 5(2)(b) -> Article 5 — Scope
l'article 5, paragraphe 2, point b) -> 5(2)(b) -> Article 5 — Scope
el artículo 5, apartado 2, letra b) -> 5(2)(b) -> Article 5 — Scope
paragraph 2|paragraph 2 of this Article|Absatz 2 -> 6(2) -> Article 6
§ 9|§9|nach § 9 -> § 9 -> § 9 Zoll; § 9 Abs. 2 Satz 1|§ 9 Absatz 2 -> § 9(2) -> § 9 Zoll
Chapter II|Kapitel II|Capítulo II -> Chapter II -> CHAPTER II
Annex III|Anhang III|Anexo III -> Annex III -> ANNEX III; Annex A -> Annex A -> Annex A
Annex A.2|see A.2 -> A.2 -> A.2 Forms
Table 3|Tabelle 3|tableau 3|la tabla 3 -> Table 3 -> 5.1.2 Limits
Figure 4|Abb. 4 -> Figure 4 -> 5.1.2 Limits; [limits](#limits) -> 5.1.2 -> 5.1.2 Limits
Section 5.1 of this Agreement|Section 5.1 of the present document -> 5.1 -> 5.1 General
Section 5.1 of the document|Section 5.1 of the Supply side -> 5.1 -> 5.1 General
(as said) Section 5.1|As in Section 5.1, SMTP servers reply -> 5.1 -> 5.1 General
[last](#53-last) -> 5.3 -> 5.3 Last; [mark](#mark) -> Annex A -> Annex A
[limits](#52-nothing) -> #52-nothing ->; Article 5(9) -> Article 5(9) -> Article 5 — Scope
Article 99|Articles 99 -> Article 99 ->; Table 9 -> Table 9 ->; see 9.9.9 -> 9.9.9 ->
"""


@pytest.mark.parametrize("row", rows(RESOLVED))
def test_a_reference_is_resolved(row: str) -> None:
    sentences, target, title = map(str.strip, row.split("->"))
    for sentence in sentences.split("|"):
        (found,) = cited(sentence)
        assert found[0] != "external", sentence
        assert found[1:] == (target, title), sentence


LISTS = """
Articles 5 and 6 -> 5|6; Articles 5(1), 6 or 7 -> 5(1)|6|7; Article 5(1) and (2) -> 5(1)|5(2)
Article 5(2), points (a) and (b) -> 5(2)(a)|5(2)(b)
points (a) and (b) of Article 5(2) -> 5(2)(a)|5(2)(b)|5(2); clauses 5.1 to 5.3 -> 5.1|5.3
Sections 5.1, 5.3 and A.2 -> 5.1|5.3|A.2; Artikel 5 bis 7 -> 5|6|7; articles 5 et 6 -> 5|6
artículos 5 y 6 -> 5|6; §§ 9 und 9 -> § 9|§ 9; § 9 Abs. 1 und 2 -> § 9(1)|§ 9(2)
§ 9 Abs. 1 Satz 1 und 2 -> § 9(1); Annexes A and III -> Annex A|Annex III
Tables 3 and 9 -> Table 3|Table 9; Section 5.1 and I -> 5.1; paragraph 2 of Article 5 -> 5(2)|5
Section A of Annex III -> Annex III Section A|Annex III
Annex III, Section A -> Annex III|Annex III Section A
point 1 of Section A of Annex III -> Annex III Section A(1)|Annex III Section A|Annex III
"""


@pytest.mark.parametrize("row", rows(LISTS))
def test_lists_ranges_and_owners_give_each_number(row: str) -> None:
    sentence, targets = row.split(" -> ")
    found = cited(sentence)
    assert sorted(target for _, target, _ in found) == sorted(targets.split("|"))
    assert all(title for _, target, title in found if target != "Table 9")


EXTERNAL = """
Article 5 of Regulation (EU) 2016/679; Article 5(2) and (3) of Directive 95/46/EC
Article 5 of the Treaty; Article 5 of that Regulation; Article 5 TFEU
Articles 5 and 6 of the Charter; Article 5 and Article 6 of the Charter; § 9 BGB
§ 9 Abs. 2 des Bundesdatenschutzgesetzes; § 9 der Strafprozessordnung; l'article 5 du règlement
el artículo 5 del Reglamento; Section 5.1 of [RFC1034]; [RFC1034] Section 5.1
RFC 1034, Section 5.1; Clause 5 of ISO 9001; Clause [5](other.md)
Chapter II of Title V of the TEU; Section 5.1 of the Securities Act of 1933
Article 5 of the Uniform Commercial Code; Section 5.1 of the Master Services Agreement
Section 5.1 of the base DNS document; Section 5.1 of that earlier specification
[the guide](guide.md), Section 5.1
[the guide](https://example.org/guide/of/ours.html) (Section 5.1); Table 3 of ISO 9001
"""


@pytest.mark.parametrize("sentence", rows(EXTERNAL))
def test_references_to_other_documents_are_external(sentence: str) -> None:
    found = cited(sentence)
    assert found
    assert {(kind, title) for kind, _, title in found} == {("external", "")}


def test_anchors_in_the_source_of_an_rfc_are_links_or_name_other_documents() -> None:
    text = "# 1 A {#one}\n\n{{one}} {{RFC9000}} {{?Q=RFC9001}} {{Section 6 of QUIC}} {{{one}}}\n"
    kinds = [(each.kind, each.target) for each in references_of(parse(text))]
    others = ["RFC9000", "Q=RFC9001", "Section 6 of QUIC"]
    assert kinds == [("link", "#one"), *(("external", other) for other in others)]


LOOKALIKES = """
This is 5.1.2 times more.; Nobody sees 5.1.2 here.; `see 5.1.2` and `Article 5`
The article about 5 toys, the rules 2022.
A party of 5, a section of the road, a table with 3 legs, a sub-part5.; Article (a)
At point 77 of the plan.; [elsewhere](https://example.org/#limits)
"""


@pytest.mark.parametrize("sentence", rows(LOOKALIKES))
def test_lookalikes_are_not_references(sentence: str) -> None:
    assert cited(sentence) == []


@pytest.mark.parametrize(
    "text",
    [
        "# 1 A\n\n# 2 B\n\n```\nsee Section 2\n```\n\n    see Section 2\n\n$$\nSection 2\n$$\n",
        "# Article 5 A\n\n# Article 6\n\n**Table 1: A**\n\n| a |\n|---|\n| 1 |\n\n# ANNEX I\n",
    ],
)
def test_code_math_labels_and_captions_contain_no_references(text: str) -> None:
    assert references_of(parse(text)) == ()


def test_a_table_is_meant_not_its_entry_in_a_list_of_tables() -> None:
    text = "# Tables\n\nTable 1: A\n\n# 1 B\n\n{sentence}.\n\nTable 1: A\n\n| a |\n|---|\n| 1 |\n"
    assert cited("Table 1 shows it", text) == [("table", "Table 1", "1 B")]


def test_a_section_is_the_one_of_the_same_chapter() -> None:
    text = (
        "# CHAPTER I\n\n## SECTION 2\n\nAs Section 2 says.\n\n# CHAPTER II\n\n## SECTION 2\n\n{}\n"
    )
    text = text.format("As Section 2 says, and Section 9.")
    document = parse(text)
    starts = {section.id: section.start for section in document.root.walk()}
    found = [starts.get(each.section_id or "") for each in references_of(document)]
    first = text.index("## SECTION 2")
    assert found == [first, text.index("## SECTION 2", first + 1), None]


def test_numbers_in_a_schedule_are_its_own() -> None:
    text = "# 1 A\n\n1.1 A.\n\n1.2 B.\n\n# Schedule 1\n\n1. C\n\n1.1 See {sentence}.\n"
    assert [each[2] for each in cited("paragraph 1.1", text)] == ["Schedule 1"]
    assert [each[2] for each in cited("clauses 1.2 and 7.7", text)] == ["1 A", ""]


def test_paragraph_7_of_a_standard_is_clause_7() -> None:
    text = "# Pumps\n\n## 6 Tests\n\n### 6.1 Set-up\n\nAs in {sentence}.\n\n## 7 Marks\n\nText.\n"
    for sentence in ("paragraph 7", "paragraph 7 of this Regulation"):
        assert cited(sentence, text) == [("clause", "7", "7 Marks")]


def test_a_reference_that_names_the_documents_own_title_is_internal() -> None:
    for title in ("Regulation (EU) 2016/679", "Grundgesetz"):
        of = "des Grundgesetzes" if title == "Grundgesetz" else f"of {title}"
        text = f"# {title}\n\n## Article 5\n\nText.\n\n## Article 6\n\n{{sentence}}.\n"
        assert cited(f"Article 5 {of}", text) == [("clause", "5", "Article 5")]


CONTRACT = (
    "The parties to this agreement settle warranties, liability and jurisdiction.\n\n"
    "1. **Terms**. Words are used as said.\n\n2. **Duties**. The seller shall:\n\n"
    "    a) deliver;\n\n    b) help.\n\n3. **Price**. As {sentence} say.\n\n4. **End**. It ends.\n"
)
CITED_IN_CONTRACTS = """
Section 2(b) -> 2(b); Section 2(B) -> 2(b); paragraph 2(a) above -> 2(a)
Sections 1, 2 to 4 -> 1|2|3|4; Sections 3 to 9 -> 3|4|Section 9
"""


@pytest.mark.parametrize("row", rows(CITED_IN_CONTRACTS))
def test_references_in_a_contract_name_its_clauses(row: str) -> None:
    sentence, targets = row.split(" -> ")
    assert sorted(target for _, target, _ in cited(sentence, CONTRACT)) == targets.split("|")


def test_subsections_are_those_of_their_section() -> None:
    text = "# Section 3 Rent\n\n(1) One:\n\n(a) x;\n\n(b) y.\n\n(2) As {sentence}.\n"
    sentence = "subsection (1)(b) and paragraph (a) of subsection (1) say, and subsection (9)"
    targets = [(target, bool(title)) for _, target, title in cited(sentence, text)]
    known = [(name, True) for name in ("3(1)(b)", "3(1)(a)", "3(1)")]
    assert targets == [*known, ("Subsection (9)", False)]


# -------------------------------------------------------------------- searched when read

LAW = "".join(
    f"# Article {n}\n\nSee Article {n % 9 + 1} and – Table 1. {n * 'w '}\n\n" for n in range(1, 10)
)
SMALL = PackConfig(max_tokens=40, target_tokens=40, min_tokens=0)


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that were searched for references."""
    found: list[str] = []
    find = ReferenceFinder.find

    def counted(self: ReferenceFinder, source: str) -> object:
        found.append(source)
        return find(self, source)

    monkeypatch.setattr(ReferenceFinder, "find", counted)
    return found


def test_references_are_searched_once_when_a_chunk_is_asked_for_its_own(
    searches: list[str],
) -> None:
    chunks = pack(LAW, SMALL)
    assert [chunk.citation for chunk in chunks]
    assert searches == []
    assert [each.target for each in chunks[0].references][:2] == ["2", "Table 1"]
    assert sum(len(chunk.references) for chunk in chunks) == 18
    chunks.to_jsonl()
    assert searches == [LAW]


def test_without_clauses_no_references_are_searched(searches: list[str]) -> None:
    assert pack(LAW, clauses=False).to_jsonl()
    assert searches == []


def test_records_are_complete_wherever_they_are_sent(tmp_path: Path) -> None:
    file = tmp_path / "law.md"
    file.write_text(LAW * 40, "utf-8")  # long enough to be kept in a narrow form
    for source in (Source(LAW), parse(LAW), file):
        expected = [copy.copy(chunk.references) for chunk in pack(source, SMALL)]
        assert sum(map(len, expected)) >= 18
        chunks = pack(source, SMALL)
        sent: Chunks = pickle.loads(pickle.dumps(pack(source, SMALL)))  # noqa: S301 - our own
        single = [pickle.loads(pickle.dumps(chunk)) for chunk in chunks]  # noqa: S301 - our own
        again = Chunks.from_jsonl(chunks.to_jsonl())
        for same in (sent, single, again, chunks[:], [copy.deepcopy(c) for c in chunks]):
            assert [chunk.references for chunk in same] == expected
        assert sent == chunks == again


def test_records_of_other_processes_are_equal() -> None:
    several = [*pack_many([LAW, LAW], SMALL, jobs=2)]
    assert several == [pack(LAW, SMALL)] * 2


# -------------------------------------------------------------------- what always holds

PIECES = (
    *("Article ", "see ", "§ ", "Table ", "point (b) of ", "5", "5.1.2", "A.2", "(1)", "(a)"),
    *(", ", " and ", " to ", "[", "](#5-a)", "`", "{{", "}}", " of the Act", "\n\n", "# ", "\n"),
)


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
@generated
@example("[" * 300)
@example("Article" + " " * 2000 + "5")
@example("{{ a of a of a" * 50)
def test_references_are_ordered_spans_that_do_not_overlap(text: str) -> None:
    document: Document = parse(text)
    references = references_of(document)
    sections = {section.id for section in document.root.walk()}
    for each in references:
        assert text[each.start : each.end] == each.text != ""
        assert each.section_id is None or each.section_id in sections
    assert all(one.start == two.start or one.end <= two.start for one, two in pairwise(references))


@pytest.mark.skipif(not CORPUS, reason="TREEPACK_CORPUS names no folder")
def test_sections_that_rfcs_cite_are_resolved() -> None:
    for figure in clause_truth.rfc_reference_figures(Path(CORPUS)):
        assert figure.recall >= 0.95, figure
