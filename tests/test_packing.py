"""The rules of packing, one by one, on documents small enough to check by eye.

Tokens are words here, so that every limit can be counted in the text.
"""

import gc
import hashlib
import random
import re
import uuid
from pathlib import Path

import pytest
from by_eye import packed, sentences, some, texts, words
from packing_texts import TABLE
from pydantic import ValidationError

from treepack import Chunks, PackConfig, Source, pack, parse
from treepack.packing import Packer
from treepack.tokens import TokenCounter
from treepack.tokens.counters import EncodingCounter

# -------------------------------------------------------------------- sections


def test_a_document_that_fits_is_one_chunk() -> None:
    text = "Preamble.\n\n# A\n\nText.\n\n## B\n\nMore.\n"
    (chunk,) = packed(text, 100)
    assert chunk.text == text.rstrip()
    assert chunk.breadcrumb == ()
    assert chunk.sections == (("A",), ("A", "B"))


def test_a_section_that_fits_the_cap_is_never_cut() -> None:
    """This holds even above the target: the section's subtree is one unit."""
    inner = f"## B\n\n{some(12, 'b')}\n\n### C\n\n{some(8, 'c')}"
    chunks = packed(f"# A\n\n{some(10, 'a')}\n\n{inner}\n", 25, target_tokens=10)
    assert inner in chunks[-1].text


def test_the_preamble_before_the_first_heading_is_a_chunk_without_breadcrumb() -> None:
    chunks = packed(f"{some(9)}\n\n# A\n\n{some(12)}\n", 16)
    assert texts(chunks) == [some(9), f"# A\n\n{some(12)}"]
    assert [chunk.breadcrumb for chunk in chunks] == [(), ("A",)]


def test_whole_children_are_packed_greedily_up_to_the_cap() -> None:
    children = [f"## {name}\n\n{some(6, name)}" for name in "BCDE"]
    chunks = packed("# A\n\nIntro.\n\n" + "\n\n".join(children) + "\n", 20, target_tokens=10)
    assert texts(chunks) == [
        "# A\n\nIntro.\n\n" + "\n\n".join(children[:2]),
        "\n\n".join(children[2:]),
    ]
    assert [chunk.breadcrumb for chunk in chunks] == [("A",), ("A",)]


def test_a_sections_own_content_is_packed_only_up_to_the_target() -> None:
    blocks = [some(5, name) for name in "abcd"]
    chunks = packed("# A\n\n" + "\n\n".join(blocks) + "\n", 18, target_tokens=12)
    assert texts(chunks) == [f"# A\n\n{blocks[0]}\n\n{blocks[1]}", f"{blocks[2]}\n\n{blocks[3]}"]


def test_the_tail_of_a_parent_is_packed_with_whole_children() -> None:
    text = f"# A\n\n{some(9, 'a')}\n\n{some(6, 'b')}\n\n## B\n\n{some(7, 'c')}\n"
    chunks = packed(text, 18, target_tokens=12)
    assert texts(chunks)[-1] == f"{some(6, 'b')}\n\n## B\n\n{some(7, 'c')}"
    assert chunks[-1].breadcrumb == ("A",)
    assert chunks[-1].sections == (("A", "B"),)


def test_the_tail_of_a_section_never_shares_a_chunk_with_a_sibling() -> None:
    """Such a chunk would need two breadcrumbs."""
    text = f"# A\n\n{some(14, 'a')}\n\n{some(3, 'b')}\n\n# B\n\nText.\n"
    chunks = packed(text, 17)
    assert texts(chunks) == [f"# A\n\n{some(14, 'a')}", some(3, "b"), "# B\n\nText."]


def test_siblings_after_a_cut_child_are_packed_together() -> None:
    long = f"## B\n\n{some(15, 'b')}\n\n{some(10, 'c')}"
    short = "## C\n\nText.\n\n## D\n\nText."
    chunks = packed(f"# A\n\n{long}\n\n{short}\n", 20)
    assert texts(chunks)[-1] == short
    assert chunks[-1].breadcrumb == ("A",)


def test_an_undersized_last_group_joins_the_previous_group() -> None:
    text = "# A\n\n" + "\n\n".join([*(some(9, name) for name in "abcd"), some(4, "e")]) + "\n"
    assert [words(c.text) for c in packed(text, 24, target_tokens=20)] == [20, 18, 4]
    chunks = packed(text, 24, target_tokens=20, min_tokens=8)
    assert [words(chunk.text) for chunk in chunks] == [20, 22]


def test_an_undersized_last_group_borrows_if_joining_exceeds_the_cap() -> None:
    text = "# A\n\n" + "\n\n".join([some(7, "a"), some(7, "b"), "c0 c1"]) + "\n"
    chunks = packed(text, 16, min_tokens=6)
    assert texts(chunks) == [f"# A\n\n{some(7, 'a')}", f"{some(7, 'b')}\n\nc0 c1"]


def test_a_document_of_headings_alone_is_one_chunk() -> None:
    assert texts(packed("# A\n\n## B\n\n## C\n", 16)) == ["# A\n\n## B\n\n## C"]


def test_a_heading_shares_its_chunk_with_the_start_of_its_text() -> None:
    chunks = packed(f"# A\n\n## B\n\n### C\n\n{some(30)}\n", 16)
    assert texts(chunks)[0] == f"# A\n\n## B\n\n### C\n\n{some(10)}"
    assert all(not chunk.text.rstrip().endswith("### C") for chunk in chunks)


def test_the_last_piece_of_a_cut_heading_stays_with_its_text() -> None:
    chunks = packed(f"# {some(40)}\n\nText here.\n", 16)
    assert " ".join(" ".join(texts(chunks)).split()) == f"# {some(40)} Text here."
    assert re.search(r"w39\s+Text here\.", chunks[-1].text)


@pytest.mark.parametrize("target", [2, 8, 16])
@pytest.mark.parametrize("tail", ["", "Text here.\n"])
def test_headings_that_do_not_fit_one_chunk_are_separated_but_not_cut(
    target: int, tail: str
) -> None:
    headings = [f"{'#' * level} {some(5, f't{level}x')}" for level in range(1, 7)]
    chunks = packed("\n\n".join([*headings, tail]), 16, target_tokens=target)
    for heading in headings:
        assert sum(heading in chunk.text for chunk in chunks) == 1, heading
    assert not tail or chunks[-1].text.startswith("#"), "the last heading goes with its text"


@pytest.mark.parametrize("target", [4, 12, 40])
def test_headings_are_not_cut_for_a_table_that_does_not_fit_after_them(target: int) -> None:
    headings = f"# {some(10, 'a')}\n\n## {some(10, 'b')}\n\n### {some(10, 'c')}"
    table = f"| {some(6, 'k')} |\n|---|\n| {some(30, 'v')} |"
    chunks = packed(f"{headings}\n\n{table}\n", 40, target_tokens=target)
    assert texts(chunks)[0] == headings
    assert all("v" in text.split("|---|")[1] for text in texts(chunks)[1:]), "each piece has words"


@pytest.mark.parametrize("cap", [16, 20, 24])
def test_chunks_stay_within_the_cap_even_if_cuts_split_tokens(cap: int) -> None:
    """A cut can split a token into several, for example one of Thai letters."""

    def pieces(text: str) -> int:
        return len(text) // 4 + 3 * (len(text) % 4 > 0)

    draw = random.Random(cap)  # noqa: S311 - documents, no secrets
    for _ in range(20):
        line = " ".join("x" * draw.randint(1, 12) for _ in range(40))
        for chunk in packed(f"- {line}\n", cap, encoding=pieces):
            assert pieces(chunk.embed_text) <= cap, line


@pytest.mark.parametrize("mark", ["```", "~~~~"])
@pytest.mark.parametrize("before", ["", "Some text.\n\n", "# A heading of words\n\n"])
def test_an_opening_fence_is_never_alone_before_a_long_word(mark: str, before: str) -> None:
    word = "-".join(f"p{n}" for n in range(12))
    chunks = packed(f"{before}{mark}\n{word}\n{mark}\n", 20, encoding="cl100k_base")
    assert len(chunks) > 1
    for chunk in chunks:
        assert mark not in chunk.text or "p" in chunk.text.split(mark)[1], chunk.text


def test_separate_sections_are_never_merged() -> None:
    text = "# A\n\nText a.\n\n## B\n\nText b.\n\n## C\n\nText c.\n"
    chunks = packed(text, 100, sections="separate")
    assert texts(chunks) == ["# A\n\nText a.", "## B\n\nText b.", "## C\n\nText c."]


def test_a_separate_section_keeps_the_bare_headings_above_it() -> None:
    """The law against orphaned headings wins over the policy."""
    chunks = packed("# A\n\n## B\n\nText b.\n\n## C\n\nText c.\n", 100, sections="separate")
    assert texts(chunks) == ["# A\n\n## B\n\nText b.", "## C\n\nText c."]


# -------------------------------------------------------------------- the record


def test_ids_are_uuids_and_equal_bodies_get_different_ones() -> None:
    text = "# A\n\nSame text.\n\n# A\n\nSame text.\n\n# A\n\nSame text.\n"
    chunks = packed(text, 16, sections="separate")
    assert len(chunks) == 3
    assert len({uuid.UUID(chunk.id) for chunk in chunks}) == 3
    fewer = packed(text.replace("# A\n\nSame text.\n\n", "", 1), 16, sections="separate")
    assert [chunk.id for chunk in fewer] == [chunk.id for chunk in chunks[:2]]


def test_the_content_hash_is_the_sha256_of_the_text() -> None:
    (chunk,) = packed("Grüße.\n", 16)
    assert chunk.content_hash == hashlib.sha256("Grüße.".encode()).hexdigest()


def test_kinds_and_lines_describe_the_content_of_a_chunk() -> None:
    text = (
        "# A\n\ntext\n\n| a |\n|---|\n| 1 |\n\n- x\n\n"
        "```\ny\n```\n\n$$\nz\n$$\n\n> q\n\n![i](j)\n\n<div>\n"
    )
    (chunk,) = packed(text, 100)
    assert set(chunk.kinds) == {"text", "table", "list", "code", "math", "quote", "figure", "html"}
    assert chunk.lines == (1, len(text.rstrip().split("\n")))


def test_front_matter_is_metadata_of_each_chunk_and_listed_as_skipped() -> None:
    text = f"---\ntitle: T\n---\n\n# A\n\n{some(30)}\n"
    chunks = packed(text, 16)
    assert all(chunk.metadata == {"title": "T"} for chunk in chunks)
    assert "title" not in "".join(texts(chunks))
    ((entry,), *others) = [chunk.skipped for chunk in chunks]
    assert (text[slice(*entry.span)], entry.reason) == ("---\ntitle: T\n---", "front matter")
    assert not any(others)


def test_front_matter_can_stay_in_the_text() -> None:
    (chunk,) = packed("---\ntitle: T\n---\n\nText.\n", 16, front_matter="text")
    assert chunk.text == "---\ntitle: T\n---\n\nText."
    assert chunk.metadata == {}


def test_clause_fields_are_empty_if_clauses_are_off() -> None:
    (chunk,) = packed("# 5.1 Tests\n\nSee 5.2.\n", 16, clauses=False)
    assert (chunk.clause_number, chunk.clause_path, chunk.clauses) == (None, (), ())
    assert (chunk.references, chunk.pages, chunk.parent_id, chunk.level) == ((), (), None, 0)


def test_chunks_survive_a_json_lines_round_trip() -> None:
    chunks = packed(f"# A\n\n{TABLE}\n{sentences(9)}\n", 20, overlap_tokens=5)
    lines = chunks.to_jsonl()
    assert lines.count("\n") == len(chunks)
    assert Chunks.from_jsonl(lines) == chunks


# -------------------------------------------------------------------- ways to call


def test_text_path_source_and_document_give_the_same_chunks(tmp_path: Path) -> None:
    text = f"# A\n\n{sentences(9)}\n"
    path = tmp_path / "d.md"
    path.write_text(text, encoding="utf-8")
    config = PackConfig(max_tokens=32)
    expected = pack(text, config, name="d.md")
    assert pack(path, config) == expected
    assert pack(Source(text, "d.md"), config) == expected
    assert pack(parse(text, name="d.md"), config) == expected
    assert Packer(config).pack(path) == expected


def test_a_given_name_overrides_the_name_of_the_source() -> None:
    for source in ("Text.", Source("Text.", "old.md"), parse("Text.", name="old.md")):
        (chunk,) = pack(source, name="new.md")
        assert (chunk.document, chunk.breadcrumb) == ("new.md", ("new.md",))
        assert chunk.id == pack("Text.", name="new.md")[0].id


def test_given_metadata_overrides_the_metadata_of_the_document() -> None:
    source = Source("---\na: 1\nb: 1\nc: 1\n---\nText.", metadata={"b": 2, "c": 2})
    (chunk,) = pack(source, metadata={"c": 3})
    assert chunk.metadata == {"a": 1, "b": 2, "c": 3}


def test_a_document_keeps_the_encoding_it_was_parsed_with() -> None:
    document = parse("Some text here.", encoding=words)
    assert pack(document)[0].token_count == 3
    assert pack(document, PackConfig())[0].token_count == 4


# -------------------------------------------------------------------- settings


@pytest.mark.parametrize(
    ("settings", "numbers"),
    [
        ({"max_tokens": 15}, ("15", "16")),
        ({"max_tokens": -1}, ("-1", "16")),
        ({"max_tokens": 256, "target_tokens": 300}, ("300", "256")),
        ({"target_tokens": 100, "overlap_tokens": 100}, ("100", "overlap_tokens")),
        ({"target_tokens": 100, "overlap_tokens": 120}, ("120", "100")),
        ({"target_tokens": 100, "min_tokens": 101}, ("101", "100")),
    ],
)
def test_invalid_limits_are_rejected_and_the_error_names_both_numbers(
    settings: dict[str, int], numbers: tuple[str, str]
) -> None:
    with pytest.raises(ValidationError) as caught:
        PackConfig.model_validate(settings)
    message = caught.value.errors()[0]["msg"]
    assert all(number in message for number in numbers)


def test_unknown_settings_are_rejected() -> None:
    with pytest.raises(ValidationError, match="chunk_size"):
        PackConfig.model_validate({"chunk_size": 100})


def test_settings_are_frozen() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        PackConfig().max_tokens = 5  # type: ignore[misc]


def test_missing_limits_are_derived_from_the_cap() -> None:
    config = PackConfig(max_tokens=100)
    assert (config.target_tokens, config.min_tokens) == (100, 50)
    assert (PackConfig().target_tokens, PackConfig().min_tokens) == (512, 64)


def test_the_end_of_a_huge_word_is_not_searched_at_each_cut(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """This search once took a third of the time for a megabyte of letters without a space."""
    searched = 0

    class CountingPattern:
        def search(self, text: str, start: int, end: int) -> re.Match[str] | None:
            nonlocal searched
            searched += max(0, min(end, len(text)) - start)
            return re.compile(r"\s").search(text, start, end)

    monkeypatch.setattr("treepack.packing.split.words._WHITESPACE", CountingPattern())
    draw = random.Random(4)  # noqa: S311 - the same each time
    text = "".join(draw.choices("abcdefgh", k=60_000))

    chunks = pack(text, PackConfig(target_tokens=64, max_tokens=128))

    assert len(chunks) > 100
    assert 0 < searched <= 4 * len(text)


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["cl100k_base", len])
def test_packing_leaves_no_reference_cycles(encoding: str | TokenCounter) -> None:
    """In a reference cycle, each tree and its counts would stay until the next collection."""
    text = (
        "# A\n\n"
        + "A sentence of words. " * 60
        + "\n\n```\n"
        + "x = 1\n" * 90
        + "```\n\n| a | b |\n|---|---|\n"
        + "| one | two |\n" * 60
        + "\n> quoted\n\n- item\n\n  - inner\n"
        + "\nAll parts:\n\n"
        + "- a part with a name\n\n  - and more of it\n" * 60
    )
    config = PackConfig(target_tokens=64, max_tokens=128, overlap_tokens=16, encoding=encoding)
    pack(text, config)
    gc.collect()
    gc.disable()
    try:
        pack(text, config)
        assert gc.collect() == 0
    finally:
        gc.enable()


@pytest.mark.parametrize("letter", ["", "a"])
def test_letters_without_spaces_are_counted_only_a_few_times(
    letter: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No cut in it is safe; finding the target by counts alone would take thirteen per piece."""
    letters = random.Random(1).choices("abcdefghijklmnopqrstuvwxyz", k=60_000)  # noqa: S311 - no secret
    text = letter * len(letters) or "".join(letters)
    sent: list[int] = []
    encode = EncodingCounter.encode_piece

    def recorded(counter: EncodingCounter, piece: str) -> list[int]:
        sent.append(len(piece))
        return encode(counter, piece)

    monkeypatch.setattr(EncodingCounter, "encode_piece", recorded)

    assert "".join(chunk.lexical_text for chunk in pack(Source(text))) == text
    assert len(text) < sum(sent) < 6 * len(text)


def test_the_encoding_of_parsing_does_not_change_the_chunks() -> None:
    """Its blocks are counted in another encoding, but only the encoding of packing matters."""
    text = f"## {'試験装置の規格および測定方法' * 2}\n\n" + "A sentence of some words. " * 60
    for cap in range(32, 160, 8):
        config = PackConfig(
            target_tokens=cap, max_tokens=cap, encoding="o200k_base", repeat_heading=True
        )
        assert pack(parse(text, encoding="cl100k_base"), config) == pack(text, config)
