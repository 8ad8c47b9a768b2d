"""Cross-references: found, resolved in the document or recognised as external, and only if read."""

import copy
import os
import pickle
from itertools import pairwise
from pathlib import Path
from typing import Final

import clause_truth
import pytest
from case_files import CASES, case_table, parts_of
from clause_texts import references_of
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import generated

from treepack import Chunks, Document, PackConfig, Source, pack, parse
from treepack.packing.many import pack_many
from treepack.references.finder import ReferenceFinder

CORPUS = os.environ.get("TREEPACK_CORPUS", "")

ACT: Final = CASES.joinpath("act.md").read_text(encoding="utf-8")
SENTENCES: Final = dict(parts_of("references.txt"))


def rows(kind: str) -> list[str]:
    """Return the cases of a kind, with line ends or semicolons between; ~ is a line end in one."""
    text = ";".join(SENTENCES[kind])
    return [row.strip(" ").replace("~", "\n") for row in text.split(";")]


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


@pytest.mark.parametrize("row", rows("resolved: target -> section"))
def test_a_reference_is_resolved(row: str) -> None:
    sentences, target, title = map(str.strip, row.split("->"))
    for sentence in sentences.split("|"):
        (found,) = cited(sentence)
        assert found[0] != "external", sentence
        assert found[1:] == (target, title), sentence


@pytest.mark.parametrize("row", rows("lists, ranges and owners"))
def test_lists_ranges_and_owners_give_each_number(row: str) -> None:
    sentence, targets = row.split(" -> ")
    found = cited(sentence)
    assert sorted(target for _, target, _ in found) == sorted(targets.split("|"))
    assert all(title for _, target, title in found if target != "Table 9")


@pytest.mark.parametrize("sentence", rows("external"))
def test_references_to_other_documents_are_external(sentence: str) -> None:
    found = cited(sentence)
    assert found
    assert {(kind, title) for kind, _, title in found} == {("external", "")}


def test_anchors_in_the_source_of_an_rfc_are_links_or_name_other_documents() -> None:
    text = "# 1 A {#one}\n\n{{one}} {{RFC9000}} {{?Q=RFC9001}} {{Section 6 of QUIC}} {{{one}}}\n"
    kinds = [(each.kind, each.target) for each in references_of(parse(text))]
    others = ["RFC9000", "Q=RFC9001", "Section 6 of QUIC"]
    assert kinds == [("link", "#one"), *(("external", other) for other in others)]


@pytest.mark.parametrize("sentence", rows("lookalikes"))
def test_lookalikes_are_not_references(sentence: str) -> None:
    assert cited(sentence) == []


@pytest.mark.parametrize("text", case_table("references", "none"))
def test_code_math_labels_and_captions_contain_no_references(text: str) -> None:
    assert references_of(parse(text)) == ()


@pytest.mark.parametrize(("part", "lines"), parts_of("references_in_texts.txt"))
def test_a_reference_is_resolved_by_its_text(part: str, lines: list[str]) -> None:
    """The table is meant, not its entry in a list; numbers of a schedule or chapter are its own."""
    text = part.replace("¶", "\n\n").replace("↵", "\n")
    for sentence, _, expected in (line.partition(" -> ") for line in lines):
        found = [", ".join(filter(None, reference)) for reference in cited(sentence, text)]
        assert " | ".join(found) == expected


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


PIECES = case_table("references", "pieces")


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
