"""Parents and children: the laws of each level, and how the levels nest."""

from itertools import pairwise

from by_eye import faults, packed, some, texts, words
from by_eye import sentences as said
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import any_text, configs_with_levels, generated

from treepack import Chunk, Chunks, PackConfig, Source, audit, pack, parse, token_counter

LEVELS = ((96, 24), (200, 60), (64, 63), (256, 64, 16), (1024, 128))

few_examples = settings(generated, max_examples=20)


def of_level(chunks: Chunks, level: int) -> list[Chunk]:
    return [chunk for chunk in chunks if chunk.level == level]


def spans(chunk: Chunk, role: str = "body") -> list[tuple[int, int]]:
    return [s.span for s in chunk.segments if s.role == role and s.span]


def extent(chunk: Chunk) -> tuple[int, int]:
    return spans(chunk)[0][0], spans(chunk)[-1][1]


# -------------------------------------------------------------------- laws


@settings(generated, max_examples=60)
@given(text=any_text, config=configs_with_levels())
def test_levels_nest_and_each_keeps_the_laws(text: str, config: PackConfig) -> None:
    """A search in the children alone finds everything, and a reader meets parents first."""
    levels, count = config.levels or (), token_counter(config.encoding)
    chunks = pack(Source(text, "d.md"), config)
    assert pack(parse(text, name="d.md"), config) == chunks
    found = audit(Source(text, "d.md"), chunks, config).findings
    assert [finding for finding in found if finding.law <= 4 or levels[-1] >= 128] == []
    assert [chunk.index for chunk in chunks] == list(range(len(chunks)))
    assert len({chunk.id for chunk in chunks}) == len(chunks)
    skipped = {entry.span for chunk in chunks for entry in chunk.skipped}
    seen: set[str | None] = {None}
    for chunk in chunks:
        assert chunk.parent_id in seen, "a parent comes before its children"
        seen.add(chunk.id)
        assert count(chunk.embed_text) == chunk.embed_token_count <= levels[chunk.level]
    for level in range(len(levels)):
        bodies = [span for chunk in of_level(chunks, level) for span in spans(chunk)]
        assert all(before[1] <= after[0] for before, after in pairwise(bodies))
        covered = sorted([*bodies, *skipped])
        ends, starts = [0, *(b for _, b in covered)], [*(a for a, _ in covered), len(text)]
        left = "".join(text[end:start] for end, start in zip(ends, starts, strict=True))
        assert not chunks or not left.strip(), f"level {level} lacks {left.strip()!r}"
        parents = of_level(chunks, level - 1)
        children = of_level(chunks, level)
        assert {child.parent_id for child in children} == (
            {parent.id for parent in parents} if level else {None} if children else set()
        )
        for child in children if level else []:
            (start, end), held = extent(child), [(extent(each), each.id) for each in parents]
            assert [id_ for (a, b), id_ in held if a <= start and end <= b] == [child.parent_id]


@few_examples
@given(text=any_text, levels=st.sampled_from(LEVELS))
def test_parents_are_packed_as_if_there_were_no_children_and_hold_their_overlaps(
    text: str, levels: tuple[int, ...]
) -> None:
    """A child repeats nothing that its parent does not hold."""
    config = PackConfig(levels=levels, min_tokens=0, overlap_tokens=levels[-1] // 2)
    chunks = pack(Source(text, "d.md"), config)
    parents = {chunk.id: chunk for chunk in chunks}
    for chunk in chunks:
        overlaps = spans(chunk, "overlap")
        assert chunk.level == len(levels) - 1 or not overlaps
        if chunk.parent_id:
            start, end = extent(parents[chunk.parent_id])
            assert all(start <= span[0] and span[1] <= end for span in overlaps)
    chunks = pack(Source(text, "d.md"), levels=levels, min_tokens=0)
    cap = levels[0]
    alone = pack(Source(text, "d.md"), max_tokens=cap, target_tokens=cap, min_tokens=0)
    assert [chunk.text for chunk in of_level(chunks, 0)] == texts(alone)


# -------------------------------------------------------------------- by eye


def test_a_parent_and_its_only_child_have_different_ids_for_the_same_text() -> None:
    parent, child = packed("Some words.\n", 16, levels=(32, 16))
    assert parent.text == child.text
    assert parent.id != child.id == packed("Some words.\n", 16)[0].id
    assert (child.parent_id, child.level, parent.level) == (parent.id, 1, 0)
    text = f"# A\n\n{said(20)}\n"
    assert packed(text, 20, levels=(20,)) == packed(text, 20), "one level equals none"
    assert texts(packed(" \n", 16, levels=(32, 16))) == []


def test_the_audit_checks_cuts_between_parents_against_their_own_cap() -> None:
    """Parents may hold an intro that is too long for children."""
    for size in range(40, 64):
        item = f"- {some(50)}\n\n  {said(size // 4, 4)}"
        text = f"The valve and all its pumps shall be:\n\n{item}\n"
        assert faults(packed(text, 63, levels=(64, 63))) == [], size
    source = Source(f"# Valves\n\n{said(10, 4)}\n")
    smaller = pack(source, levels=(64, 24), min_tokens=0, encoding=words)
    found = audit(source, smaller, PackConfig(levels=(64, 63), encoding=words)).findings
    assert {finding.law for finding in found} == {9}
