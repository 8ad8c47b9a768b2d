"""`fill_context`: its laws on any documents, and the effect of each option."""

import random
from collections.abc import Sequence
from itertools import groupby
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from case_files import CASES
from function_calls import RecordingCounter, calls
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import configs, configs_with_levels, documents, generated

from treepack import Chunk, Chunks, PackConfig, Source, pack
from treepack.errors import ChunkRecordError
from treepack.retrieval import Context, Library, fill_context
from treepack.retrieval.fill import ROUNDS
from treepack.retrieval.writer import GAP
from treepack.tokens import token_counter

few_examples = settings(generated, max_examples=20)
count = token_counter("cl100k_base")

SEPARATE = PackConfig(levels=(120, 40), sections="separate", min_tokens=0)
MANUAL = (CASES / "texts" / "manual.md").read_text("utf-8")
LEASE = (CASES / "texts" / "lease.md").read_text("utf-8")


def body_spans(each: Any) -> list[tuple[int, int]]:  # noqa: ANN401 - a chunk or a part
    return [s.span for s in each.segments if s.role == "body" and s.span]


def manual(name: str = "m.md") -> Chunks:
    return pack(MANUAL, SEPARATE, name=name)


def shown_ids(context: Context) -> list[str]:
    return [key for part in context.parts for key in part.chunk_ids]


def leaf_with(chunks: Sequence[Chunk], words: str) -> Chunk:
    parents = {chunk.parent_id for chunk in chunks}
    return next(c for c in chunks if c.id not in parents and words in c.lexical_text)


Search = tuple[dict[str, str], list[Chunk], dict[str, float], int]


@st.composite
def searches(draw: st.DrawFn) -> Search:
    """Two documents, their chunks, some that were found, and a budget."""
    config = draw(configs_with_levels() | configs())
    texts = {name: draw(documents()) for name in ("a.md", "b.md")}
    chunks = [chunk for name, text in texts.items() for chunk in pack(Source(text, name), config)]
    found = draw(st.permutations(chunks).map(lambda all_of_them: all_of_them[:40]))
    scores = {chunk.id: draw(st.integers(-3, 9)) / 2 for chunk in found}
    return texts, chunks, scores, draw(st.integers(1, 600))


options = st.fixed_dictionaries({
    "parent_weight": st.sampled_from((0, 0.5, 1)),
    "follow": st.integers(0, 2),
    "whole_tables": st.booleans(),
})  # fmt: skip


# -------------------------------------------------------------------- laws


@few_examples
@given(search=searches(), given_options=options, seed=st.integers(0, 99))
def test_a_context_keeps_its_laws(search: Search, given_options: dict[str, Any], seed: int) -> None:
    """The order of scored hits does not matter, nor whether the chunks are in a library."""
    texts, chunks, scores, budget = search
    context = fill_context(scores, chunks, budget, **given_options)
    assert context.text == "".join(part.text for part in context.parts)
    assert context.token_count == count(context.text) <= budget == context.budget
    check_slices(context, texts)
    check_whole_bodies(context, chunks)
    pairs = list(scores.items())
    random.Random(seed).shuffle(pairs)  # noqa: S311 - no secret
    assert context == fill_context(pairs, Library(chunks), budget, **given_options)
    assert not set(context.left_out) & set(shown_ids(context))
    check_paths(fill_context(scores, chunks, budget), chunks)


def check_slices(context: Context, texts: dict[str, str]) -> None:
    """Slices are exact, in order, none twice; the rest is a path, glue, wrapper markup or space."""
    names = [part.document for part in context.parts]
    assert len(set(names)) == len([*groupby(names)])
    seen: dict[str, set[int]] = {name: set() for name in names}
    last = dict.fromkeys(names, 0)
    for name, segment in (
        (part.document, each) for part in context.parts for each in part.segments
    ):
        if segment.span is None:
            wrappers = {"path", "glue", "fence", "table_header"}
            assert segment.role in wrappers or not segment.text.strip(), segment
            continue
        start, end = segment.span
        assert texts[name][start:end] == segment.text
        assert not seen[name] & set(range(start, end))
        seen[name].update(range(start, end))
        if segment.role == "body":
            assert last[name] <= start
            last[name] = end


def check_whole_bodies(context: Context, chunks: Sequence[Chunk]) -> None:
    """Each part contains the whole body of each chunk that it names."""
    by_id = {chunk.id: chunk for chunk in chunks}
    for part in context.parts:
        wanted = [span for key in part.chunk_ids for span in body_spans(by_id[key])]
        assert body_spans(part) == wanted
        lines = [by_id[key].lines for key in part.chunk_ids]
        assert part.lines == (lines[0][0], max(end for _, end in lines))
        assert len(part.reasons) == len(part.chunk_ids)


def check_paths(context: Context, chunks: Sequence[Chunk]) -> None:
    """Each path belongs to the chunk after it."""
    by_id = {chunk.id: chunk for chunk in chunks}
    for part in context.parts:
        chunk = by_id[part.chunk_ids[0]]
        header = chunk.embed_text[: len(chunk.embed_text) - len(chunk.text)]
        named = f"{chunk.document} > {header}" if header else chunk.document
        paths = [segment.text for segment in part.segments if segment.role == "path"]
        assert all(named.rstrip("\n").endswith(path) for path in paths)


# -------------------------------------------------------------------- cost


def test_the_tokenizer_is_called_a_bounded_number_of_times() -> None:
    """More often only if characters are counted, because then all sizes of chunks are wrong."""
    text = "# A\n\n" + "".join(f"## S{i}\n\nWords of section {i}.\n\n" for i in range(400))
    for chunks, counter, budgets in (
        (pack(text, SEPARATE, name="a.md"), len, (1, 7, 100, 1000, 5000)),
        (manual(), count, (60, 200, 500)),
    ):
        library = Library(chunks)
        for budget in budgets:
            recorder = RecordingCounter(counter)
            context = fill_context(library.leaves, library, budget, encoding=recorder)
            assert context.token_count <= budget
            more = 8 * max(1, budget.bit_length()) if counter is len else 0
            assert (counter is count) <= recorder.calls <= ROUNDS + more


@pytest.mark.slow
def test_a_thousand_hits_take_few_calls_each() -> None:
    text = "# A\n\n" + "".join(
        f"## {i} Section\n\n" + f"Words of section {i} that say something of it. " * 20 + "\n\n"
        for i in range(400)
    )
    library = Library(pack(text, PackConfig.preset("retrieval"), name="a.md"))
    pairs = [(key, 1 / (1 + int(key[:6], 16))) for key in [*library.by_id][:1000]]
    assert len(pairs) == 1000
    fill_context(pairs, library, 4000)
    assert calls(lambda: fill_context(pairs, library, 4000)) < 60 * len(pairs)


# -------------------------------------------------------------------- choice


def test_a_second_child_adds_the_rest_of_its_parent_and_a_found_parent_is_whole() -> None:
    chunks = manual()
    parent = next(c for c in chunks if c.level == 0 and "cooler" in c.text)
    children = [c for c in chunks if c.parent_id == parent.id]
    assert len(children) >= 2
    two = fill_context([children[0].id, children[-1].id], chunks, 500)
    assert shown_ids(two) == [child.id for child in children]
    assert parent.text in two.text
    assert shown_ids(fill_context([children[0].id], chunks, 500)) == [children[0].id]
    assert parent.text in fill_context([parent.id], chunks, 500).text


def test_parent_scores_decide_between_children_after_the_three_best() -> None:
    chunks = manual()
    relief, floor = leaf_with(chunks, "relief"), leaf_with(chunks, "level floor")
    rows = [leaf_with(chunks, f"part number {i} ").id for i in (9, 19, 29)]
    scores = dict.fromkeys(rows, 1.1) | {relief.id: 1.0, floor.id: 0.9}
    scores |= {str(relief.parent_id): 1.0, str(floor.parent_id): 3.0}
    assert fill_context(scores, chunks, 1).left_out[:5] == (*rows, floor.id, relief.id)
    tight = fill_context([*rows, relief.id], chunks, 900).token_count
    for weight, fourth in ((0, relief), (0.5, floor)):
        context = fill_context(scores, chunks, tight, parent_weight=weight)
        assert {*shown_ids(context)} == {*rows, fourth.id}
    tight = fill_context(rows[:1], chunks, 900).token_count
    assert shown_ids(fill_context(scores, chunks, tight)) == rows[:1], "its parent scores low"


def test_hits_may_have_any_supported_shape() -> None:
    chunks = manual()
    some = chunks[2:6]
    scores = {chunk.id: 1.0 / number for number, chunk in enumerate(some, 1)}
    wanted = fill_context(scores, chunks, 200)
    records = [{"id": key, "score": score} for key, score in scores.items()]
    objects = [SimpleNamespace(**record) for record in records]
    hits: Any
    for hits in ([*scores.items()], records, objects, [(c, scores[c.id]) for c in some]):
        assert fill_context(hits, chunks, 200) == wanted
    first, second = leaf_with(chunks, "level floor"), leaf_with(chunks, "relief")
    tight = max(first.embed_token_count, second.embed_token_count) + 4
    for one, two in ((first, second), (second, first)):
        assert shown_ids(fill_context([one.id, two.id], chunks, tight)) == [one.id], "by order"
    by_rank = fill_context([*scores], chunks, 200)
    assert fill_context(some, chunks, 200) == by_rank
    assert by_rank.text == wanted.text
    numpy: Any = [(key, np.float32(score)) for key, score in scores.items()]
    expected = {key: float(score) for key, score in numpy}
    assert fill_context(numpy, chunks, 200) == fill_context(expected, chunks, 200), "as FAISS has"


@pytest.mark.parametrize("score", ["0.5", "abc", [0.5], b"1"])
def test_a_score_that_is_not_a_number_is_rejected_in_any_shape(score: Any) -> None:  # noqa: ANN401 - no score
    chunks = manual()
    record = {"id": chunks[2].id, "score": score}
    hit: Any
    for hit in ((chunks[2].id, score), record, SimpleNamespace(**record)):
        with pytest.raises(TypeError, match=r"a hit must be an id, \(id, score\) or a record"):
            fill_context([hit], chunks, 200)
    unscored = [{"id": chunks[2].id, "score": None}]
    assert fill_context(unscored, chunks, 200) == fill_context([chunks[2].id], chunks, 200)


# -------------------------------------------------------------------- text


def test_a_cut_section_is_named_once_and_its_gap_is_marked() -> None:
    text = "# A\n\n## B\n\n" + "\n\n".join(
        f"Paragraph {i} says in some words what number {i} is good for here." for i in range(9)
    )
    config = PackConfig(max_tokens=40, target_tokens=24, min_tokens=0, sections="separate")
    chunks = pack(text, config, name="a.md")
    wanted = [leaf_with(chunks, "Paragraph 2"), leaf_with(chunks, "Paragraph 7")]
    context = fill_context([c.id for c in wanted], chunks, 200)
    assert context.text == f"a.md > A > B\n\n{wanted[0].text}{GAP}{wanted[1].text}"


def test_documents_are_named_once_and_that_with_the_best_chunk_comes_first() -> None:
    chunks = pack(MANUAL, PackConfig.preset("retrieval"), name="m.md")
    keys = [leaf_with(chunks, "relief").id, leaf_with(chunks, "level floor").id]
    context = fill_context(keys, chunks, 300)
    assert context.text.startswith("m.md")
    assert context.text.count("m.md") == 1
    assert all(citation.startswith("Pump manual") for citation in context.citations)
    one, two = manual("one.md"), manual("two.md")
    keys = [leaf_with(two, "relief").id, leaf_with(one, "relief").id]
    context = fill_context(keys, [*one, *two], 300)
    assert [part.document for part in context.parts] == ["two.md", "one.md"]


def test_rows_of_one_table_share_one_header_and_a_cut_table_may_be_completed() -> None:
    chunks, header = manual(), "| part | pressure in bar | minutes |"
    keys = [leaf_with(chunks, f"part number {i} ").id for i in (9, 20)]
    context = fill_context(keys, chunks, 300)
    lines = context.text.split("\n")
    assert all(line.startswith("|") for line in lines[lines.index("|---|---|---|") :])
    whole = fill_context(keys[:1], chunks, 900, whole_tables=True)
    assert all(f"part number {i} of" in whole.text for i in range(30))
    assert context.text.count(header) == whole.text.count(header) == 1
    assert {each for part in whole.parts for each in part.reasons} == {"hit", "table"}


def test_a_fence_is_closed_before_other_text() -> None:
    code = "".join(f"line_{i} = {i} * {i}\n\n" for i in range(40))
    text = f"# A\n\n```py\n{code}```\n\nText after the code.\n"
    chunks = pack(text, PackConfig(levels=(120, 40), min_tokens=0), name="a.md")
    keys = [leaf_with(chunks, "line_3 ").id, leaf_with(chunks, "line_30 ").id]
    context = fill_context([*keys, leaf_with(chunks, "after").id], chunks, 400)
    assert context.text.count("```py") == 1
    assert context.text.count("\n```\n") == 1
    assert context.text.index("\n```\n") < context.text.index("Text after")


def test_a_citation_names_document_page_and_lines() -> None:
    text = "<!-- page 7 -->\n\n# Rules\n\n## Article 3\n\nThe seller delivers.\n"
    chunks = pack(text, SEPARATE, name="r.md")
    [part] = fill_context([leaf_with(chunks, "delivers").id], chunks, 99).parts
    assert (part.citation, part.lines) == ("Rules, Article 3, p. 7", (3, 7))


def test_each_section_is_a_part_and_one_across_clauses_cites_those_that_begin_in_it() -> None:
    """The text stays whole. Otherwise the second section would be cited as the first."""
    chunks = pack(LEASE, SEPARATE, name="lease.md")
    context = fill_context([chunk.id for chunk in chunks if chunk.level == 1], chunks, 900)
    assert context.text == f"lease.md\n\n{LEASE}"
    articles = ("Article 1 Roof", "Article 2 Garden", "Article 3 Cellar")
    assert [(part.breadcrumb[1:], part.clause) for part in context.parts] == [
        (("Lease",), None),
        *((("Lease", title), str(number)) for number, title in enumerate(articles, 1)),
    ]
    chunks = pack(LEASE, PackConfig(levels=(120, 30), sections="separate", min_tokens=0), name="l")
    inner = [c.id for c in chunks if c.clauses in {("2(2)",), ("2(3)",)}]
    assert len(inner) == 2
    [part] = fill_context(inner, chunks, 50).parts  # no room for the rest of Article 2
    assert (part.clause, part.citation) == (None, "Lease, Article 2(2) to 2(3)")
    context = fill_context(inner, chunks, 300)
    assert Context.model_validate_json(context.model_dump_json()) == context


# -------------------------------------------------------------------- options


def test_a_reference_to_a_clause_or_table_is_followed() -> None:
    chunks = manual()
    key = leaf_with(chunks, "relief").id
    assert "20 bar" not in fill_context([key], chunks, 400).text
    once = fill_context([key], chunks, 400, follow=1)
    assert "20 bar" in once.text
    assert {each for part in once.parts for each in part.reasons} == {"hit", "reference"}
    assert "Test pressures" not in once.text or "Table 1: Test" in once.text
    config = PackConfig(levels=(120, 56), sections="separate", min_tokens=0)
    chunks = pack(MANUAL, config, name="m.md")  # the caption takes less than half the cap
    key = leaf_with(chunks, "20 bar").id
    assert "Table 1: Test" in fill_context([key], chunks, 900, follow=1).text


def test_a_link_is_followed_but_an_external_reference_is_not() -> None:
    text = (
        "# Pump\n\n## Start\n\nSee [the limits](#limits) and Article 5 of Directive 95/46/EC.\n\n"
        "## Limits\n\nAt most 16 bar.\n\n## Article 5\n\nOur own words.\n"
    )
    chunks = pack(text, SEPARATE, name="m.md")
    key = leaf_with(chunks, "the limits").id
    followed = fill_context([key], chunks, 400, follow=1).text
    assert "16 bar" in followed
    assert "Our own" not in followed
    few, many = (
        calls(lambda most=most: fill_context([key], chunks, 400, follow=most))  # type: ignore[misc]
        for most in (10, 10**5)
    )
    assert many <= few, "it ends when nothing is left to follow"


def test_a_context_has_no_overlap() -> None:
    chunks = pack(MANUAL, max_tokens=60, overlap_tokens=20, name="m.md")
    last = next(each for each in chunks if each.segments[0].role == "overlap")
    text = fill_context([last.id], chunks, 400).text
    assert last.lexical_text in text
    assert last.segments[0].text not in text


# -------------------------------------------------------------------- bad input


def test_invalid_input_is_rejected_with_an_explanation() -> None:
    chunks = manual()
    key = chunks[1].id
    for hits, wanted, error, words in (
        (["nobody"], chunks, ChunkRecordError, "1 of 1 hits are not among the chunks"),
        ([key, (key, 1.0)], chunks, TypeError, "hit 0 .* has no score"),
        (key, chunks, TypeError, "not a string"),
        ([(key, float("nan"))], chunks, ValueError, "is nan"),
        ([3], chunks, TypeError, "a hit must be an id"),
        ([key], [*chunks, chunks[1]], ChunkRecordError, "two chunks have the id"),
        ([key], [c for c in chunks if c.level], ChunkRecordError, "give the chunks of all levels"),
        ([key], ["text"], TypeError, "not str"),
    ):
        with pytest.raises(error, match=words):
            fill_context(hits, wanted, 100)  # type: ignore[arg-type]
    empty = fill_context([key], chunks, 1)
    assert (empty.text, empty.parts, empty.token_count) == ("", (), 0)
    assert empty.left_out
    for more in ({"budget": 0}, {"parent_weight": -1.0}, {"follow": -1}):
        with pytest.raises(ValueError, match="must be"):
            fill_context([key], chunks, **{"budget": 9, **more})  # type: ignore[arg-type]


def test_chunks_with_missing_chunks_between_them_do_not_join() -> None:
    """A docstore returns the families that were found, without the families between them."""
    chunks = list(manual())
    parents = [chunk for chunk in chunks if chunk.level == 0]
    two_families = [c for c in chunks if (c.parent_id or c.id) in {parents[0].id, parents[3].id}]
    keys = [chunk.id for chunk in two_families if chunk.level == 1]
    part, cut = fill_context(keys, two_families, 900), fill_context(keys, chunks, 900)
    assert part.text == cut.text
    assert len(part.parts) == 2
