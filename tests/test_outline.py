"""Outline repair: numbers correct levels, false headings become text, the rest is untouched."""

import os
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import clause_truth
import laws
import pytest
from case_files import case_table, parts_of
from clause_texts import numbered
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import any_text, documents, generated
from title_texts import outline

from treepack import Chunks, Document, PackConfig, Source, audit, pack
from treepack.document.build import parse
from treepack.model.blocks import Heading
from treepack.numbers.heading_numbers import heading_numbers
from treepack.outline.levels import new_levels

CORPUS = os.environ.get("TREEPACK_CORPUS", "")
needs_corpus = pytest.mark.skipif(not CORPUS, reason="TREEPACK_CORPUS names no folder")
(_, KEPT_OR_MOVED), (_, FLATTENED) = parts_of("levels.txt")


def text_of(*headings: str) -> str:
    """Return headings as markdown, each above a line of text."""
    return "".join(f"{heading}\n\nText of it.\n\n" for heading in headings)


@pytest.mark.parametrize("line", KEPT_OR_MOVED)
def test_only_headings_that_a_number_contradicts_are_moved(line: str) -> None:
    """Moved with them are the headings that stand below, and unnumbered ones between them."""
    line, _, reasons = line.partition(" -> ")
    moved, headings = [], []
    for heading in line.split(" | "):
        marks, _, title = heading.partition(" ")
        mark, is_moved, level = marks.partition(">")
        moved += [(title, int(level) or None)] if is_moved else []
        headings.append(f"{mark} {title}".strip())
    text = text_of(*headings)
    document = parse(text, outline="auto")
    assert [(each.title, each.new_level) for each in document.outline_changes] == moved
    assert reasons in {"", "; ".join(each.reason for each in document.outline_changes)}
    assert moved or document.root == parse(text, outline="trust").root


@pytest.mark.parametrize("line", FLATTENED)
def test_flat_headings_are_nested_by_their_numbers(line: str) -> None:
    rows = [heading.partition(" ") for heading in line.split(" | ")]
    found = outline(parse(text_of(*(f"## {title}" for *_, title in rows)), outline="auto"))
    assert found == [(len(mark), title) for mark, _, title in rows]


# -------------------------------------------------------------------- generated laws


def repaired(headings: list[laws.Heading], levels: list[int]) -> list[int]:
    """Return the final levels of headings that begin with the given levels."""
    return [level for level, _ in new_levels(levels, [heading.title for heading in headings])]


def depths(levels: list[int]) -> list[int]:
    """Return how many headings enclose each heading."""
    found: list[int] = []
    path: list[int] = []
    for level in levels:
        while path and path[-1] >= level:
            path.pop()
        found.append(len(path))
        path.append(level)
    return found


@pytest.mark.slow
def test_consistent_levels_of_a_law_are_not_changed() -> None:
    for seed in range(400):
        headings = laws.law(seed)
        levels = [heading.level for heading in headings]
        assert repaired(headings, levels) == levels, seed


@pytest.mark.slow
@pytest.mark.parametrize("is_flat", [True, False])
def test_a_flattened_or_scrambled_law_is_restored_from_its_numbers(is_flat: bool) -> None:  # noqa: FBT001 - a parameter of the table
    """Except laws with annexes, or with words that are not known as numbered."""
    for seed in range(200):
        headings = laws.full_law(seed)
        words = {heading.title.partition(" ")[0] for heading in headings}
        unknown = words & {"Schedule", "Anhang", "Division", "Untertitel", "The"}
        if unknown or (not is_flat and len(headings) < 40):
            continue
        dice = random.Random(seed)  # noqa: S311 - the same each time
        new = repaired(headings, [2 if is_flat else dice.randint(1, 4) for _ in headings])
        assert depths(new) == depths([heading.level for heading in headings]), seed


@pytest.mark.parametrize("titles", case_table("outline", "zeros"))
def test_numbers_that_end_with_zero_keep_all_their_components(titles: list[str]) -> None:
    for number in heading_numbers(titles):
        assert number is None or len(number.parts) == number.label.count(".") + 1


# -------------------------------------------------------------------- settings and false headings


def test_outlines_are_repaired_by_default_and_trusted_on_request() -> None:
    text = "## 5 A\n\n## 5.1 B\n\n## 5.2 C\n\n#\n"
    assert parse(text) == parse(text, outline="auto")
    assert pack(text) == pack(text, PackConfig(outline="auto"))
    assert pack(text, PackConfig(outline="trust")).outline_changes == ()
    trusted = parse(text, outline="trust")
    assert trusted.outline_changes == ()
    assert [depth for depth, _ in outline(trusted)] == [1, 1, 1, 1]


def test_repeated_headings_at_page_starts_become_text() -> None:
    text = "# A\n\n" + "# Head\n\nText.\n\n" * 3
    starts = [offset for offset in range(len(text)) if text.startswith("# Head", offset)]
    marks = tuple((start, page) for page, start in enumerate(starts, 1))
    changes = parse(Source(text, "x", {}, marks), outline="auto").outline_changes
    assert [change.reason for change in changes] == ["running header, repeated 3 times"] * 3


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


def headings(document: Document) -> list[Heading]:
    """All headings that open sections."""
    return [section.heading for section in document.root.walk() if section.heading]


@given(st.one_of(documents(), any_text))
@generated
@example("# 1 A\n\n# 1.1 B\n\n# 1.1.1 C\n")
@example("#\n\n#\n\n#\n")
@example("- The.\n\n  **Limits**\n\n  Table 1: Limits\n\n  |  |\n  | --- |\n" * 6)
@example("# Scope\n\n" * 4 + "> It shall:\n> \n" + "> - a\u2028b\u2029c\x0bd\x0ce\x85f\n" * 4)
def test_repair_moves_and_loses_no_text_and_lists_all_it_changes(text: str) -> None:
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


@given(
    st.recursive(st.just([]), lambda inner: st.lists(inner, min_size=1, max_size=4), max_leaves=25),
    st.randoms(),
)
@generated
def test_a_numbered_tree_is_restored_from_any_levels(
    shape: list[object], dice: random.Random
) -> None:
    """Whatever the levels, each numbered heading ends up below the parent that its number names."""
    rows = [f"{'#' * dice.randint(1, 4)} {number} Title" for number in numbered(shape)]
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
