"""Outline repair: numbers correct levels, false headings become text, the rest is untouched."""

import os
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import clause_truth
import pytest
from audits import findings_in
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import any_text, documents, generated

from treepack import Chunks, Document, PackConfig, Source, audit, pack
from treepack.document.build import parse
from treepack.model.blocks import Heading

CORPUS = os.environ.get("TREEPACK_CORPUS", "")
needs_corpus = pytest.mark.skipif(not CORPUS, reason="TREEPACK_CORPUS names no folder")


def section_tree(document: Document) -> list[tuple[int, str]]:
    """Return the depth and the title of all sections."""
    found: list[tuple[int, str]] = []

    def visit(sections: tuple[object, ...], depth: int) -> None:
        for section in sections:
            found.append((depth, section.heading.text))  # type: ignore[attr-defined]
            visit(section.sections, depth + 1)  # type: ignore[attr-defined]

    visit(document.root.sections, 0)
    return found


def repaired_tree(*titles: str) -> list[tuple[int, str]]:
    """Return the tree of headings that are given with their markup, each above a line of text."""
    return section_tree(parse("\n\n".join(f"{title}\n\nText." for title in titles), outline="auto"))


def level_changes(text: str) -> list[tuple[int, int, int | None]]:
    """Return the line, the old level and the new level of each change."""
    found = parse(text, outline="auto").outline_changes
    return [(change.line, change.old_level, change.new_level) for change in found]


# -------------------------------------------------------------------- levels


def test_flat_headings_are_nested_by_their_numbers() -> None:
    assert repaired_tree(
        "## 5 A", "## 5.1 B", "## 5.1.2 C", "## 5.2 D", "## Annex A", "## A.2 E"
    ) == [
        (0, "5 A"),
        (1, "5.1 B"),
        (2, "5.1.2 C"),
        (1, "5.2 D"),
        (0, "Annex A"),
        (1, "A.2 E"),
    ]


def test_scrambled_headings_are_nested_by_their_numbers() -> None:
    assert repaired_tree("### 1 A", "# 1.1 B", "#### 1.2 C", "## 2 D", "## 2.1 E", "# 2.1.1 F") == [
        (0, "1 A"),
        (1, "1.1 B"),
        (1, "1.2 C"),
        (0, "2 D"),
        (1, "2.1 E"),
        (2, "2.1.1 F"),
    ]


def test_articles_are_nested_below_chapters() -> None:
    assert repaired_tree(
        "## CHAPTER I", "## Article 1", "## Article 2", "## CHAPTER II", "## Article 3"
    ) == [
        (0, "CHAPTER I"),
        (1, "Article 1"),
        (1, "Article 2"),
        (0, "CHAPTER II"),
        (1, "Article 3"),
    ]


def test_only_headings_that_contradict_their_numbers_are_moved() -> None:
    """NIST 800-63B runs out of levels: 5.1.1.2 has the level of 5.1.1."""
    titles = ("# 5 A", "## 5.1 B", "### 5.1.1 C", "### 5.1.1.1 D", "### 5.1.1.2 E", "### 5.1.2 F")
    assert level_changes("\n\n".join(titles)) == [(7, 3, 4), (9, 3, 4)]


def test_an_outline_change_states_its_reason() -> None:
    document = parse("## 5 A\n\n## 5.1 B\n\n## 5.2 C\n", outline="auto")
    first = document.outline_changes[0]
    assert (first.line, first.title, first.old_level, first.new_level) == (3, "5.1 B", 2, 3)
    assert first.reason == "5.1 belongs below 5 (all on one level)"


def test_unnumbered_headings_move_with_their_numbered_neighbours() -> None:
    assert repaired_tree(
        "## Title", "## 1 A", "## Aim", "## 1.1 B", "## Note", "## 1.2 C", "## End"
    ) == [
        (0, "Title"),
        (0, "1 A"),
        (1, "Aim"),
        (1, "1.1 B"),
        (2, "Note"),
        (1, "1.2 C"),
        (0, "End"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "# 5 A\n\n## 5.1 B\n\n### 5.1.2 C\n\n## 5.2 D\n",
        "# 1 A\n\n### 1.1 B\n\n### 1.2 C\n\n# 2 D\n",
        "## 1 A\n\n## 2 B\n\n## 3 C\n",
        "# A\n\n## B\n\n## B\n\n## B\n",
        "## 1.2.0\n\n## 1.1.0\n\n## 1.0.0\n",
        "## A. One\n\n## B. Two\n\n## 1. Three\n\n## 2. Four\n",
        "## 3 ways\n\n## 10 tips\n\n## 5 tricks\n",
        "## 7.4 X\n\n## 2.9 Y\n\n## 5.5 Z\n\n## 1.1 W\n",
        "# CHAPTER I\n\n## Article 1\n\n# CHAPTER II\n\n## Article 2\n",
        "# V1 A\n\n## Goal\n\n## V1.1 B\n\n## References\n\n# V2 C\n\n## Goal\n\n## References\n",
    ],
)
def test_an_outline_that_agrees_with_its_numbers_is_untouched(text: str) -> None:
    document = parse(text, outline="auto")
    assert document.outline_changes == ()
    assert document.root == parse(text, outline="trust").root


def test_outline_trust_changes_no_level() -> None:
    document = parse("## 5 A\n\n## 5.1 B\n\n## 5.2 C\n\n#\n", outline="trust")
    assert document.outline_changes == ()
    assert [depth for depth, _ in section_tree(document)] == [0, 0, 0, 0]


def test_outlines_are_repaired_by_default() -> None:
    text = "## 5 A\n\n## 5.1 B\n\n## 5.2 C\n"
    assert parse(text) == parse(text, outline="auto") != parse(text, outline="trust")
    assert pack(text) == pack(text, PackConfig(outline="auto"))
    assert pack(text, PackConfig(outline="trust")).outline_changes == ()


# -------------------------------------------------------------------- false headings


def test_repeated_headings_at_page_starts_become_text() -> None:
    text = "# A\n\n" + "# Head\n\nText.\n\n" * 3
    starts = [offset for offset in range(len(text)) if text.startswith("# Head", offset)]
    marks = tuple((start, page) for page, start in enumerate(starts, 1))
    document = parse(Source(text, "x", {}, marks), outline="auto")
    assert [change.reason for change in document.outline_changes] == [
        "running header, repeated 3 times"
    ] * 3


def test_repeated_sections_stay_sections() -> None:
    text = "# One\n\n## Goal\n\nText.\n\n# Two\n\n## Goal\n\nText.\n\n# Three\n\n## Goal\n\nText.\n"
    assert level_changes(text) == []


@pytest.mark.parametrize("title", ["", "A. PURPOSE ........ 1-1", "2.1 Scope . . . . . . 7"])
def test_empty_headings_and_contents_entries_become_text(title: str) -> None:
    assert level_changes(f"# Title\n\n# {title}\n\nText.\n") == [(3, 1, None)]


# -------------------------------------------------------------------- how changes travel

FLAT = "\n\n".join(f"## {number} T\n\nSome words of text." for number in ("1", "1.1", "1.1.1", "2"))


@pytest.mark.parametrize("limits", [{"max_tokens": 24}, {"levels": (48, 24)}])
def test_only_the_first_chunk_has_the_outline_changes(limits: dict[str, Any]) -> None:
    chunks = pack(Source(FLAT, "x.md"), PackConfig(**limits))
    assert [change.line for change in chunks.outline_changes] == [5, 9]
    assert chunks[0].outline_changes == parse(FLAT).outline_changes
    assert len(chunks) > 3
    assert not any(chunk.outline_changes for chunk in chunks[1:])


def test_outline_changes_are_kept_in_json_lines() -> None:
    chunks = pack(FLAT, PackConfig(max_tokens=16))
    again = Chunks.from_jsonl(chunks.to_jsonl())
    assert again == chunks
    assert again.outline_changes == chunks.outline_changes != ()
    assert audit(FLAT, again, PackConfig(max_tokens=16)).ok
    changed = [again[0].model_copy(update={"outline_changes": ()}), *again[1:]]
    assert {7} == {each.law for each in audit(FLAT, changed, PackConfig(max_tokens=16)).findings}


# -------------------------------------------------------------------- what always holds


def assert_repair_keeps_text(text: str) -> None:
    """Repair moves and loses no text, and the listed changes are the whole difference."""
    trusted, repaired = parse(text, outline="trust"), parse(text, outline="auto")
    old = [(h.start, h.end, h.level) for h in headings(trusted)]
    new = {(h.start, h.end): h.level for h in headings(repaired)}
    differing = [(start, level) for start, end, level in old if new.get((start, end)) != level]
    found = {line for line in new if line not in {(start, end) for start, end, _ in old}}
    assert len(repaired.outline_changes) == len(differing) + len(found)
    if not repaired.skipped:  # only the repair leaves out running headers and footers
        assert (trusted.root.start, trusted.root.end) == (repaired.root.start, repaired.root.end)
    assert all(one.line < other.line for one, other in pairwise(repaired.outline_changes))
    assert Document.from_json(repaired.to_json()) == repaired
    assert parse(text, outline="auto") == repaired


def headings(document: Document) -> list[Heading]:
    """All headings that open sections."""
    return [section.heading for section in document.root.walk() if section.heading]


@given(st.one_of(documents(), any_text))
@generated
@example("# 1 A\n\n# 1.1 B\n\n# 1.1.1 C\n")
@example("#\n\n#\n\n#\n")
@example("- The.\n\n  **Limits**\n\n  Table 1: Limits\n\n  |  |\n  | --- |\n" * 6)
@example("# Scope\n\n" * 4 + "> It shall:\n> \n" + "> - a\u2028b\u2029c\x0bd\x0ce\x85f\n" * 4)
def test_outline_repair_keeps_the_text(text: str) -> None:
    assert_repair_keeps_text(text)


@given(
    st.recursive(st.just([]), lambda inner: st.lists(inner, min_size=1, max_size=4), max_leaves=25),
    st.randoms(),
)
@generated
def test_a_numbered_tree_is_restored_from_any_levels(
    shape: list[object], dice: random.Random
) -> None:
    """Whatever the levels, each numbered heading ends up below the parent that its number names."""
    rows: list[str] = []

    def write(nodes: list[object], above: str) -> None:
        for place, node in enumerate(nodes, 1):
            number = f"{above}.{place}" if above else str(place)
            rows.append(f"{'#' * dice.randint(1, 4)} {number} Title")
            assert isinstance(node, list)
            write(node, number)

    write(shape, "")
    document = parse("\n\n".join(rows), outline="auto")
    if len(rows) >= 3 and len(shape) > 1:
        for label, parent in clause_truth.tree_parents(document):
            assert (parent or "") == label.rpartition(".")[0]


# -------------------------------------------------------------------- the corpus


@needs_corpus
def test_flattened_and_scrambled_outlines_are_restored() -> None:
    for figure in clause_truth.outline_figures(Path(CORPUS)):
        assert figure.recall >= 0.97, figure


@needs_corpus
def test_only_one_outline_of_the_corpus_contradicts_its_numbers() -> None:
    moved: list[str] = []
    for path in sorted(Path(CORPUS).rglob("*.md")):
        text = path.read_bytes().decode("utf-8", "replace")
        document = parse(text, encoding=clause_truth.estimate_tokens, outline="auto")
        if any(change.old_level and change.new_level for change in document.outline_changes):
            moved.append(path.name)
    assert moved == ["nist-800-63b.md"]


def test_the_audit_does_not_take_a_footnote_marker_for_an_empty_heading() -> None:
    """Both look empty to a reader, but the heading ``[^1]`` is in the breadcrumb."""
    text = f"##\n\n#### [^1]\n\n{'The valve is closed. ' * 40}\n"
    assert findings_in(pack(text, max_tokens=64, outline="trust")) == ()


SENTENCE = (
    "The tenant keeps the pumps of the house in good order, and pays for what it breaks of them."
)
CLAUSES = "".join(f"## Care. {SENTENCE}\n\n## Noise. {SENTENCE}\n\n## Keys\n\n" for _ in range(2))


def test_headings_that_are_sentences_without_content_become_text() -> None:
    """Converters write this for contracts whose clauses have the styles of headings."""
    found = parse(f"# Rent\n\n{CLAUSES}# Term\n\n{CLAUSES}", outline="auto")
    assert section_tree(found) == [(0, "Rent"), (0, "Term")]
    assert {change.reason for change in found.outline_changes} == {
        "most headings of level 2 are sentences"
    }
    assert audit(found, pack(found, max_tokens=64)).findings == ()


@pytest.mark.parametrize(
    "text",
    [
        CLAUSES.replace("## Noise", "## Dogs\n\n## Smoke\n\n## Noise"),  # few are sentences
        CLAUSES.replace("\n\n", f"\n\n{SENTENCE}\n\n"),  # they have text below
        CLAUSES.replace("\n\n", "\n\n### More\n\n"),  # they have a heading below
        CLAUSES.replace("them.", "them"),
        CLAUSES.replace(SENTENCE, "It pays."),
        f"## Care. {SENTENCE}\n",
    ],
)
def test_other_long_headings_stay_headings(text: str) -> None:
    found = parse(f"# Rent\n\n{text}# Term\n\n{SENTENCE}\n", outline="auto")
    assert not found.outline_changes
    assert len(section_tree(found)) == text.count("# ") + 2
