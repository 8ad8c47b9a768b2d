"""Parents and children: the laws of each level, and how the levels nest."""

import re
from itertools import pairwise

import pytest
from by_eye import packed, sentences, some, words
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError
from strategies import any_text, configs_with_levels, generated

from treepack import Chunk, Chunks, PackConfig, Source, audit, pack, parse
from treepack.tokens import token_counter

LEVELS = ((96, 24), (200, 60), (64, 63), (256, 64, 16), (1024, 128))

few_examples = settings(generated, max_examples=20)


def chunks_of_level(chunks: Chunks, level: int) -> list[Chunk]:
    return [chunk for chunk in chunks if chunk.level == level]


def body_spans(chunk: Chunk) -> list[tuple[int, int]]:
    return [s.span for s in chunk.segments if s.role == "body" and s.span]


def extent(chunk: Chunk) -> tuple[int, int]:
    spans = body_spans(chunk)
    return spans[0][0], spans[-1][1]


def levels_of(config: PackConfig) -> tuple[int, ...]:
    assert config.levels is not None
    return config.levels


# -------------------------------------------------------------------- laws


@few_examples
@given(text=any_text, config=configs_with_levels())
def test_each_child_lies_inside_its_parent_and_no_other(text: str, config: PackConfig) -> None:
    chunks = pack(Source(text, "d.md"), config)
    for level in range(1, len(levels_of(config))):
        parents = chunks_of_level(chunks, level - 1)
        for child in chunks_of_level(chunks, level):
            start, end = extent(child)
            holders = [
                parent.id
                for parent in parents
                if extent(parent)[0] <= start and end <= extent(parent)[1]
            ]
            assert holders == [child.parent_id]
    assert all(chunk.parent_id is None for chunk in chunks_of_level(chunks, 0))


@few_examples
@given(text=any_text, config=configs_with_levels())
def test_each_level_contains_all_of_the_text_in_order(text: str, config: PackConfig) -> None:
    """Law 1 for each level: a search in the children alone finds everything."""
    chunks = pack(Source(text, "d.md"), config)
    skipped = {entry.span for chunk in chunks for entry in chunk.skipped}
    for level in range(len(levels_of(config))):
        spans = [span for chunk in chunks_of_level(chunks, level) for span in body_spans(chunk)]
        assert all(before[1] <= after[0] for before, after in pairwise(spans))
        covered = sorted([*spans, *skipped])
        ends = [0, *(end for _, end in covered)]
        starts = [*(start for start, _ in covered), len(text)]
        left = "".join(text[end:start] for end, start in zip(ends, starts, strict=True))
        assert not chunks or not left.strip(), f"level {level} lacks {left.strip()!r}"


@few_examples
@given(text=any_text, config=configs_with_levels())
def test_each_level_keeps_its_own_cap(text: str, config: PackConfig) -> None:
    count = token_counter(config.encoding)
    for chunk in pack(Source(text, "d.md"), config):
        assert count(chunk.embed_text) == chunk.embed_token_count
        assert chunk.embed_token_count <= levels_of(config)[chunk.level]


@few_examples
@given(text=any_text, config=configs_with_levels())
def test_ids_are_unique_and_indexes_have_no_gaps(text: str, config: PackConfig) -> None:
    chunks = pack(Source(text, "d.md"), config)
    assert [chunk.index for chunk in chunks] == list(range(len(chunks)))
    assert len({chunk.id for chunk in chunks}) == len(chunks)
    assert pack(parse(text, name="d.md"), config) == chunks


@few_examples
@given(text=any_text, config=configs_with_levels())
def test_a_parent_comes_before_its_children_and_always_has_some(
    text: str, config: PackConfig
) -> None:
    """Whoever reads the list, or a file of it, meets the parent before its children."""
    seen: set[str] = set()
    chunks = pack(Source(text, "d.md"), config)
    for chunk in chunks:
        assert chunk.parent_id is None or chunk.parent_id in seen
        seen.add(chunk.id)
    named = {chunk.parent_id for chunk in chunks}
    last = len(levels_of(config)) - 1
    assert all(chunk.id in named for chunk in chunks if chunk.level < last)


@few_examples
@given(text=any_text, levels=st.sampled_from(LEVELS))
def test_no_overlap_crosses_the_boundary_of_a_parent(text: str, levels: tuple[int, ...]) -> None:
    """A child repeats nothing that its parent does not hold."""
    config = PackConfig(levels=levels, min_tokens=0, overlap_tokens=levels[-1] // 2)
    chunks = pack(Source(text, "d.md"), config)
    parents = {chunk.id: chunk for chunk in chunks}
    for chunk in chunks:
        spans = [s.span for s in chunk.segments if s.role == "overlap" and s.span]
        assert chunk.level == len(levels) - 1 or not spans
        if chunk.parent_id:
            start, end = extent(parents[chunk.parent_id])
            assert all(start <= span[0] and span[1] <= end for span in spans)


@few_examples
@given(text=any_text, levels=st.sampled_from(LEVELS))
def test_parents_are_packed_as_if_there_were_no_children(
    text: str, levels: tuple[int, ...]
) -> None:
    chunks = pack(Source(text, "d.md"), PackConfig(levels=levels, min_tokens=0))
    alone = PackConfig(max_tokens=levels[0], target_tokens=levels[0], min_tokens=0)
    parents = chunks_of_level(chunks, 0)
    texts = [chunk.text for chunk in pack(Source(text, "d.md"), alone)]
    assert [chunk.text for chunk in parents] == texts


# -------------------------------------------------------------------- by eye


def test_sections_become_parents_and_their_parts_become_children() -> None:
    sections = [f"# {name}\n\n{sentences(6)}" for name in "ABC"]
    chunks = packed("\n\n".join(sections) + "\n", 16, levels=(40, 16))
    assert [chunk.text for chunk in chunks_of_level(chunks, 0)] == sections
    levels = "".join(str(chunk.level) for chunk in chunks)
    assert re.fullmatch("(01{2,}){3}", levels)
    for chunk in chunks_of_level(chunks, 1):
        assert chunk.breadcrumb == next(c for c in chunks if c.id == chunk.parent_id).breadcrumb


def test_a_child_never_crosses_a_boundary_even_if_it_would_fit() -> None:
    """Small pieces on the two sides of a parent's boundary stay apart."""
    text = "# A\n\n" + "\n\n".join(some(9, name) for name in "abcdefgh") + "\n"
    chunks = packed(text, 18, levels=(29, 18))
    ends = {extent(chunk)[1] for chunk in chunks_of_level(chunks, 0)}
    assert len(ends) > 2
    assert ends <= {extent(chunk)[1] for chunk in chunks_of_level(chunks, 1)}


def test_a_parent_and_its_only_child_have_different_ids_for_the_same_text() -> None:
    parent, child = packed("Some words.\n", 16, levels=(32, 16))
    assert parent.text == child.text
    assert parent.id != child.id == packed("Some words.\n", 16)[0].id
    assert (child.parent_id, child.level, parent.level) == (parent.id, 1, 0)


def test_table_pieces_are_numbered_on_each_level() -> None:
    rows = "".join(f"| r{n} | v{n} |\n" for n in range(1, 31))
    chunks = packed(f"| key | val |\n|---|---|\n{rows}", 30, levels=(90, 30))
    for level in (0, 1):
        slices = [table for chunk in chunks_of_level(chunks, level) for table in chunk.tables]
        assert [s.part for s in slices] == list(range(1, len(slices) + 1))
        assert slices[0].row_start == 1
        assert all(b.row_start == a.row_end + 1 for a, b in pairwise(slices))
        assert slices[-1].row_end == 30
    assert len({table.id for chunk in chunks for table in chunk.tables}) == 1


def test_a_single_level_equals_no_levels() -> None:
    text = f"# A\n\n{sentences(20)}\n"
    assert packed(text, 20, levels=(20,)) == packed(text, 20)


def test_parent_ids_are_the_ids_of_chunks_with_children() -> None:
    text = f"# A\n\n{sentences(20)}\n\n# B\n\n{sentences(20)}\n"
    chunks = packed(text, 16, levels=(40, 16))
    assert chunks.parent_ids == {chunk.id for chunk in chunks_of_level(chunks, 0)}
    assert packed(text, 16).parent_ids == frozenset()


def test_empty_text_has_no_parents() -> None:
    assert list(packed(" \n", 16, levels=(32, 16))) == []


# -------------------------------------------------------------------- settings


@pytest.mark.parametrize(
    ("settings", "numbers"),
    [
        ({"levels": (512, 2048)}, ("512", "2048")),
        ({"levels": (512, 512)}, ("512, 512",)),
        ({"levels": (2048, 512), "max_tokens": 256}, ("256", "2048, 512")),
        ({"levels": (2048, 15)}, ("15", "16")),
        ({"levels": (2048, 512), "target_tokens": 513}, ("513", "512")),
        ({"levels": ()}, ("()",)),
    ],
)
def test_invalid_levels_are_rejected_and_the_error_gives_the_numbers(
    settings: dict[str, object], numbers: tuple[str, ...]
) -> None:
    with pytest.raises(ValidationError) as caught:
        PackConfig.model_validate(settings)
    message = caught.value.errors()[0]["msg"]
    assert all(number in message for number in numbers)


def test_the_last_level_is_the_cap() -> None:
    config = PackConfig(levels=(2048, 400))
    assert (config.max_tokens, config.target_tokens, config.min_tokens) == (400, 400, 64)
    assert PackConfig(levels=(2048, 512), max_tokens=512).levels == (2048, 512)


def test_the_audit_checks_cuts_between_parents_against_their_own_cap() -> None:
    """Parents repeat an intro that is too long for children, so they have less room for text."""
    intro = "The valve and all its pumps shall be:"
    for size in range(40, 64):
        item = f"- {some(50)}\n\n  {sentences(size // 4, 4)}"
        source = Source(f"{intro}\n\n{item}\n")
        limits = {"levels": (64, 63), "min_tokens": 0, "encoding": words}
        report = audit(source, pack(source, PackConfig.model_validate(limits)))
        assert report.findings == (), size
    source = Source(f"# Valves\n\n{sentences(10, 4)}\n")
    smaller = pack(source, levels=(64, 24), min_tokens=0, encoding=words)
    found = audit(source, smaller, PackConfig(levels=(64, 63), encoding=words)).findings
    assert {finding.law for finding in found} == {9}
