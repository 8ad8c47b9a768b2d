"""How packing groups sections, what a record says, and how packing is called.

Tokens are words here, so that every limit can be counted in the text.
"""

import gc
import hashlib
import re
import textwrap
import uuid
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from by_eye import faults, packed, roles, some, texts, words
from by_eye import sentences as said

from treepack import Chunks, PackConfig, Source, audit, pack, parse

# -------------------------------------------------------------------- sections

SECTIONS: dict[str, tuple[int, dict[str, Any], list[str]]] = {
    "a document that fits is one chunk": (100, {}, ["Preamble.\n\n# A\n\nText.\n\n## B\n\nMore."]),
    "a section that fits the cap is never cut, even above the target": (25, {"target_tokens": 10},
        [f"# A\n\n{some(10, 'a')}", f"## B\n\n{some(12, 'b')}\n\n### C\n\n{some(8, 'c')}"]),
    "the preamble before the first heading is a chunk": (16, {}, [some(9), f"# A\n\n{some(12)}"]),
    "whole children are packed greedily up to the cap": (20, {"target_tokens": 10},
        [f"# A\n\nIntro.\n\n## B\n\n{some(6)}\n\n## C\n\n{some(6)}",
        f"## D\n\n{some(6)}\n\n## E\n\n{some(6)}"]),
    "a section's own content is packed only up to the target": (18, {"target_tokens": 12},
        [f"# A\n\n{some(5, 'a')}\n\n{some(5, 'b')}", f"{some(5, 'c')}\n\n{some(5, 'd')}"]),
    "the tail of a parent is packed with whole children": (18, {"target_tokens": 12},
        [f"# A\n\n{some(9, 'a')}", f"{some(6, 'b')}\n\n## B\n\n{some(7, 'c')}"]),
    "the tail of a section never shares a chunk with a sibling": (17, {},
        [f"# A\n\n{some(14, 'a')}", some(3, "b"), "# B\n\nText."]),
    "siblings after a cut child are packed together": (20, {}, [f"# A\n\n## B\n\n{some(13)}",
        some(12), "## C\n\nText.\n\n## D\n\nText."]),
    "a last group that is not undersized stays": (24, {"target_tokens": 20},
        [f"# A\n\n{some(9)}\n\n{some(9)}", f"{some(9)}\n\n{some(9)}", some(4, "e")]),
    "an undersized last group joins the previous group": (24,
        {"target_tokens": 20, "min_tokens": 8}, [f"# A\n\n{some(9)}\n\n{some(9)}",
        f"{some(9)}\n\n{some(9)}\n\n{some(4, 'e')}"]),
    "an undersized last group borrows if joining exceeds the cap": (16, {"min_tokens": 6},
        [f"# A\n\n{some(7, 'a')}", f"{some(7, 'b')}\n\nc0 c1"]),
    "an undersized group is carried into a child that must be cut": (18, {"min_tokens": 8},
        [f"Some crumb.\n\n# A\n\n{some(12)}", some(12)]),
    "but it does not separate a list from its lead-in": (18, {"min_tokens": 8}, ["Some crumb.",
        f"# A\n\nLead-in:\n\n- {some(6)}\n- {some(6)}", some(12)]),
    "headings alone are one chunk": (16, {}, ["# A\n\n## B\n\n## C"]),
    "separate sections are never merged": (100, {"sections": "separate"}, ["# A\n\nText a.",
        "## B\n\nText b.", "## C\n\nText c."]),
    "a separate section keeps the bare headings above it": (100, {"sections": "separate"},
        ["# A\n\n## B\n\nText b.", "## C\n\nText c."]),
    "a separate section may be a heading alone": (100, {"sections": "separate"}, ["# A\n\nText a.",
        "## B", "## C", "## D\n\nText d."]),
}  # fmt: skip


@pytest.mark.parametrize("rule", SECTIONS)
def test_sections_are_packed_whole_or_opened(rule: str) -> None:
    cap, settings, expected = SECTIONS[rule]
    chunks = packed("\n\n".join(expected) + "\n", cap, **settings)
    assert texts(chunks) == expected
    assert faults(chunks) == []


def test_the_record_of_a_chunk_names_its_sections() -> None:
    (whole,) = packed("Preamble.\n\n# A\n\nText.\n\n## B\n\nMore.\n", 100)
    assert (whole.breadcrumb, whole.sections) == ((), (("A",), ("A", "B")))
    text = f"# A\n\n{some(9, 'a')}\n\n{some(6, 'b')}\n\n## B\n\n{some(7, 'c')}\n"
    _, tail = packed(text, 18, target_tokens=12)
    assert (tail.breadcrumb, tail.sections) == (("A",), (("A", "B"),))


# -------------------------------------------------------------------- headings


def test_a_heading_shares_its_chunk_with_the_start_of_its_text() -> None:
    first, *others = packed(f"# A\n\n## B\n\n### C\n\n{some(30)}\n", 16)
    assert first.text == f"# A\n\n## B\n\n### C\n\n{some(10)}"
    assert not [chunk for chunk in others if "#" in chunk.text]


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


def test_headings_are_not_cut_for_a_table_that_does_not_fit_after_them() -> None:
    headings = f"# {some(10, 'a')}\n\n## {some(10, 'b')}\n\n### {some(10, 'c')}"
    table = f"| {some(6, 'k')} |\n|---|\n| {some(30, 'v')} |"
    first, *others = texts(packed(f"{headings}\n\n{table}\n", 40))
    assert first == headings
    assert all("v" in text.split("|---|")[1] for text in others), "each piece has words"


LEFT = " ".join(f"w{number}" for number in range(4, 16))
EMBEDDED: dict[str, tuple[dict[str, Any], str, list[str]]] = {
    "the headings down to the deepest section, without the document": ({},
        f"# A\n\n## *B* & `c`\n\n{said(3)}", [f"# A\n\n## *B* & `c`\n\n{said(2)}",
        "A > B & c\n\nSentence2 w0 w1 w2 w3."]),
    "it omits headings that are in the text": ({},
        f"# A\n\n{some(10, 'a')}\n\n## B\n\n{some(15, 'b')}", [f"# A\n\n{some(10, 'a')}",
        f"A\n\n## B\n\n{some(15, 'b')}"]),
    "80 characters of it are whole": ({}, f"# {'a' * 37}\n\n## {'b' * 40}\n\n{said(4)}",
        [f"# {'a' * 37}\n\n## {'b' * 40}\n\n{said(3)}",
        f"{'a' * 37} > {'b' * 40}\n\nSentence3 w0 w1 w2 w3."]),
    "above 80 characters it loses its outermost entries": ({},
        f"# A\n\n## {'b' * 38}\n\n### {'c' * 40}\n\n{said(3)}",
        [f"# A\n\n## {'b' * 38}\n\n### {'c' * 40}\n\n{said(2)}",
        f"{'c' * 40}\n\nSentence2 w0 w1 w2 w3."]),
    "but not the deepest": ({}, f"# {'a' * 99}\n\n{said(4)}",
        [f"# {'a' * 99}\n\n{said(3)}", f"{'a' * 99}\n\nSentence3 w0 w1 w2 w3."]),
    "above half the cap it loses its outermost entries": ({},
        f"# {some(7, 'a')}\n\n## {some(7, 'b')}\n\n{some(16)}",
        [f"# {some(7, 'a')}\n\n## {some(7, 'b')}\n\n{some(4)}", f"{some(7, 'b')}\n\n{LEFT}"]),
    "a heading above half the cap is shortened, and not repeated": ({"repeat_heading": True},
        f"# {some(12, 'a')}\n\n{said(2)}", [f"# {some(12, 'a')}\n\n{said(1)}",
        f"{some(10, 'a')}…\n\nSentence1 w0 w1 w2 w3."]),
    "a repeated heading begins each continuation": ({"repeat_heading": True},
        f"# A\n\n## B\n\n> {said(4)}", [f"# A\n\n## B\n\n> {said(3)}",
        "A\n\n## B\n\n> Sentence3 w0 w1 w2 w3."]),
}  # fmt: skip


@pytest.mark.parametrize("rule", EMBEDDED)
def test_the_text_to_embed_begins_with_its_place(rule: str) -> None:
    limits, text, expected = EMBEDDED[rule]
    chunks = packed(f"{text}\n", 20, "d.md", **limits)
    assert [chunk.embed_text for chunk in chunks] == expected
    for chunk in chunks:
        assert "heading" not in roles(chunk) or "## B" not in chunk.lexical_text
    last = [line.lstrip("# ") for line in re.sub("[*`]", "", text).split("\n") if line[:1] == "#"]
    assert chunks[-1].breadcrumb == ("d.md", *last), "the record keeps all of it"


def test_more_headings_than_it_may_have_are_found_in_the_text_to_embed() -> None:
    source = Source(EMBEDDED["above 80 characters it loses its outermost entries"][1], "d.md")
    config = PackConfig(max_tokens=20, target_tokens=20, encoding=words)
    *others, last = pack(source, config)
    whole = f"{' > '.join(last.breadcrumb[1:])}\n\n{last.text}"
    changed = replace(last, embed_text=whole, embed_token_count=words(whole))
    assert [each.law for each in audit(source, [*others, changed], config).findings] == [3]


@pytest.mark.parametrize("repeat_heading", [True, False])
@pytest.mark.parametrize(("title", "header"), [(28, 27), (60, 59), (62, 58)])
def test_a_long_heading_leaves_room_for_a_row_below_a_long_header(
    title: int, header: int, *, repeat_heading: bool
) -> None:
    table = f"| {some(header, 'c')} | d |\n|---|---|\n| {some(140)} | x |\n"
    text = f"# {some(title, 'h')}\n\n{said(16)}\n\n{table}"
    assert faults(packed(text, 128, repeat_heading=repeat_heading)) == []


@pytest.mark.parametrize("size", range(20, 34))
def test_no_text_is_carried_before_a_heading_that_displaces_the_breadcrumb(size: int) -> None:
    text = f"# Guide\n\nText.\n\n## {some(size)}\n\nIntro.\n\n### B\n\n{said(12)}\n"
    assert faults(packed(text, 40, "the-pumps.md", min_tokens=4)) == []


def test_a_heading_of_many_lines_is_cut_at_line_ends() -> None:
    lines = [f"Line {number} says {some(8)}" for number in range(12)]
    chunks = pack("\n".join(lines) + "\n---\nThe text below.\n", max_tokens=64)
    assert len(chunks) > 2
    assert {chunk.text.splitlines()[0] for chunk in chunks} <= {*lines, "The text below."}
    assert faults(chunks) == []


def test_lines_that_nobody_wrapped_are_cut_before_their_sentences() -> None:
    line = said(5, 12)  # 60 words, more than 200 characters
    unwrapped = packed(f"{line[:-1]}\n" * 4, 80)
    assert texts(unwrapped) == [line[:-1]] * 4
    assert faults(unwrapped) == []
    wrapped = packed(textwrap.fill(f"{line} " * 4, 60), 80)
    assert [chunk.token_count for chunk in wrapped] == [72, 72, 72, 24]
    long = packed(f"{line}\n" * 4, 40)
    assert all(re.fullmatch(r"Sentence.*\.", text, re.DOTALL) for text in texts(long))


# Each kind meets both caps below; a thousand characters are the most that a breadcrumb shows.
LONG_TITLES = {
    "words": "pump and valve ",
    "links": "[a](b) [c](d ",
    "emphasis": "**a *b ",
    "tags": '<a x="1" ',
    "braces": "{#a b ",
    "one word": "pump",
    "Chinese": "系统应当保护",
    "dollars": "$a $b$ ",
}  # fmt: skip
HEADINGS: dict[str, Callable[[str], str]] = {
    "ATX": lambda title: f"# {title}",
    "Setext": lambda title: f"{title}\n===",
    "Setext of many lines": lambda title: title.replace(" ", "\n") + "\n===",
    "HTML": lambda title: f"<h2>{title}</h2>",
    "six levels": lambda title: "\n\n".join(f"{'#' * at} {title}" for at in range(1, 7)),
    "numbered": lambda title: f"# 5.1 {title}",
}  # fmt: skip
BODY = "The pump shall stop at once, when the pressure exceeds 16 bar.\n\n"
LONGEST_TITLE = 1000


@pytest.mark.slow
@pytest.mark.parametrize("kind", HEADINGS)
@pytest.mark.parametrize("title", LONG_TITLES)
def test_breadcrumbs_below_a_long_heading_are_short_and_the_laws_hold(
    kind: str, title: str
) -> None:
    written = HEADINGS[kind]((LONG_TITLES[title] * 1_000)[: 3 * LONGEST_TITLE].strip())
    cap = 64 if (len(kind) + len(title)) % 2 else 1024
    chunks = pack(Source(f"{written}\n\n{BODY * 16}", "d.md"), max_tokens=cap)
    assert max(len(entry) for chunk in chunks for entry in chunk.breadcrumb) <= LONGEST_TITLE + 1
    assert faults(chunks) == []


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("pump " * 999, "pump " * 199 + "pump…"),
        ("a " + "p" * 9_999, "a " + "p" * (LONGEST_TITLE - 2) + "…"),
        ("p" * LONGEST_TITLE, "p" * LONGEST_TITLE),
        (f"![A pump](data:image/png;base64,{'iVBORw0KGgo' * 3_000})", "A pump"),
        (f'<img src="{"iVBORw0KGgo" * 3_000}">A pump', "A pump"),
    ],
)
def test_a_title_is_shortened_at_a_word_and_image_data_does_not_count(
    written: str, shown: str
) -> None:
    chunks = pack(f"# {written}\n\n{BODY * 100}", max_tokens=256, outline="trust")
    assert chunks[-1].breadcrumb == (shown,)


@pytest.mark.parametrize("entry", ["pump " * 150 + "valve…", "valve " * 199 + "…", "pump pump…"])
def test_a_breadcrumb_entry_that_does_not_begin_the_heading_breaks_law_7(entry: str) -> None:
    text = f"# {'pump ' * 999}\n\n{BODY * 100}"
    *chunks, last = pack(text, max_tokens=256, outline="trust")
    wrong = [*chunks, replace(last, breadcrumb=(entry,))]
    found = audit(text, wrong, PackConfig(max_tokens=256, outline="trust")).findings
    assert 7 in {finding.law for finding in found}


TABLE = (
    "Table 1: the values\n\n| Quantity | Lowest value that is allowed | Highest |\n|---|---|---|\n"
)
NOTE = '!!! note "T"\n    ' + TABLE.rstrip().replace("\n", "\n    ") + "\n"


@pytest.mark.parametrize(
    ("opening", "row"),
    [
        ("The pump shall keep to each of these limits:\n\n", "- {row}\n"),
        (TABLE, "| {row} | 1 | 2 |\n"),
        (NOTE, "    | {row} | 1 | 2 |\n"),
    ],
)
def test_parts_that_must_stay_with_the_text_may_displace_the_breadcrumb(
    opening: str, row: str
) -> None:
    rows = "".join(row.format(row=f"pressure {at} in the valve") for at in range(12))
    begun: set[bool] = set()
    for count in range(2, 50):
        source = Source(f"# Manual of the pumps\n\n## {'泵' * count}\n\n{opening}{rows}")
        chunks = pack(source, max_tokens=100, target_tokens=80)
        assert faults(chunks) == [], count
        begun |= {chunk.embed_text.startswith("Manual") for chunk in chunks[1:]}
    assert begun == {True, False}


# -------------------------------------------------------------------- the record


def test_ids_are_uuids_and_equal_bodies_get_different_ones() -> None:
    text = "# A\n\nSame text.\n\n# A\n\nSame text.\n\n# A\n\nSame text.\n"
    chunks = packed(text, 16, sections="separate")
    assert len({uuid.UUID(chunk.id) for chunk in chunks}) == 3
    fewer = packed(text.replace("# A\n\nSame text.\n\n", "", 1), 16, sections="separate")
    assert [chunk.id for chunk in fewer] == [chunk.id for chunk in chunks[:2]]


def test_kinds_lines_and_hash_describe_the_content_of_a_chunk() -> None:
    text = (
        "# Ä\n\ntext\n\n| a |\n|---|\n| 1 |\n\n- x\n\n"
        "```\ny\n```\n\n$$\nz\n$$\n\n> q\n\n![i](j)\n\n<div>\n"
    )
    (chunk,) = packed(text, 100)
    assert set(chunk.kinds) == {"text", "table", "list", "code", "math", "quote", "figure", "html"}
    assert chunk.lines == (1, text.count("\n"))
    assert chunk.content_hash == hashlib.sha256(text.strip().encode()).hexdigest()
    assert packed("> - ```\n>   y\n>   ```\n", 16)[0].kinds == ("list", "code", "quote")


def test_front_matter_is_metadata_of_each_chunk_and_listed_as_skipped() -> None:
    text = f"---\ntitle: T\n---\n\n# A\n\n{some(30)}\n"
    chunks = packed(text, 16)
    assert all(chunk.metadata == {"title": "T"} for chunk in chunks)
    assert "title" not in "".join(texts(chunks))
    ((entry,), *others) = [chunk.skipped for chunk in chunks]
    assert (text[slice(*entry.span)], entry.reason) == ("---\ntitle: T\n---", "front matter")
    assert not any(others)
    (chunk,) = packed("---\ntitle: T\n---\n\nText.\n", 16, front_matter="text")
    assert (chunk.text, chunk.metadata) == ("---\ntitle: T\n---\n\nText.", {})


def test_long_front_matter_that_is_text_is_cut_into_lines() -> None:
    lines = [f"key{number}: value {number}" for number in range(12)]
    text = "\n".join(["---", *lines, "---\n\nText."])
    assert texts(packed(text, 16, front_matter="text")) == [
        "\n".join(["---", *lines[:5]]),
        "\n".join(lines[5:10]),
        "\n".join([*lines[10:], "---\n\nText."]),
    ]


def test_clause_fields_are_empty_if_clauses_are_off() -> None:
    (chunk,) = packed("# 5.1 Tests\n\nSee 5.2.\n", 16, clauses=False)
    assert (chunk.clause_number, chunk.clause_path, chunk.clauses) == (None, (), ())
    assert (chunk.references, chunk.pages, chunk.parent_id, chunk.level) == ((), (), None, 0)


def test_chunks_survive_a_json_lines_round_trip() -> None:
    rows = "".join(f"| r{number} | v{number} |\n" for number in range(9))
    text = f"# A\n\n| key | val |\n|---|---|\n{rows}\n{said(9)}\n"
    chunks = packed(text, 20, overlap_tokens=5)
    assert len(chunks) > 4
    lines = chunks.to_jsonl()
    assert lines.count("\n") == len(chunks)
    assert Chunks.from_jsonl(lines) == chunks


# -------------------------------------------------------------------- ways to call


def test_text_path_source_and_document_give_the_same_chunks(tmp_path: Path) -> None:
    text = f"# A\n\n{said(9)}\n"
    path = tmp_path / "d.md"
    path.write_text(text, encoding="utf-8")
    config = PackConfig(max_tokens=32)
    expected = pack(text, config, name="d.md")
    for source in (path, Source(text, "d.md"), parse(text, name="d.md")):
        assert pack(source, config) == expected


def test_a_given_name_overrides_the_name_of_the_source() -> None:
    for source in ("Text.", Source("Text.", "old.md"), parse("Text.", name="old.md")):
        (chunk,) = pack(source, name="new.md")
        assert (chunk.document, chunk.breadcrumb) == ("new.md", ("new.md",))
        assert chunk.id == pack("Text.", name="new.md")[0].id


def test_given_metadata_overrides_the_metadata_of_the_document() -> None:
    source = Source("---\na: 1\nb: 1\nc: 1\n---\nText.", metadata={"b": 2, "c": 2})
    (chunk,) = pack(source, metadata={"c": 3})
    assert chunk.metadata == {"a": 1, "b": 2, "c": 3}


def test_a_document_keeps_the_encoding_it_was_parsed_with_unless_a_config_is_given() -> None:
    document = parse("Some text here.", encoding=words)
    assert pack(document)[0].token_count == 3
    assert pack(document, PackConfig())[0].token_count == 4
    text = f"## {'試験装置の規格および測定方法' * 2}\n\n" + "A sentence of some words. " * 60
    parsed = parse(text, encoding="cl100k_base")
    for cap in range(32, 160, 8):
        config = PackConfig(max_tokens=cap, encoding="o200k_base", repeat_heading=True)
        assert pack(parsed, config) == pack(text, config)


# -------------------------------------------------------------------- settings


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"max_tokens": 15}, "15.* 16"),
        ({"max_tokens": -1}, "-1.* 16"),
        ({"max_tokens": 256, "target_tokens": 300}, "300.* 256"),
        ({"target_tokens": 100, "overlap_tokens": 100}, "overlap_tokens.* 100"),
        ({"target_tokens": 100, "overlap_tokens": 120}, "120.* 100"),
        ({"target_tokens": 100, "min_tokens": 101}, "101.* 100"),
        ({"levels": (512, 2048)}, "512.*2048"),
        ({"levels": (512, 512)}, "512, 512"),
        ({"levels": (2048, 512), "max_tokens": 256}, "256.*2048, 512"),
        ({"levels": (2048, 15)}, "15.* 16"),
        ({"levels": (2048, 512), "target_tokens": 513}, "513.* 512"),
        ({"levels": ()}, r"\(\)"),
        ({"chunk_size": 100}, "chunk_size"),
    ],
)
def test_invalid_limits_are_rejected_and_the_error_names_both_numbers(
    settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match="error") as caught:
        PackConfig(**settings)
    said = str(caught.value).split("[type=")[0]  # what follows repeats what was given
    assert re.search(message, said), said


def test_settings_are_frozen() -> None:
    with pytest.raises(ValueError, match="frozen"):
        PackConfig().max_tokens = 5  # type: ignore[misc]


def test_missing_limits_are_derived_from_the_cap() -> None:
    def limits(config: PackConfig) -> tuple[int | None, ...]:
        return config.max_tokens, config.target_tokens, config.min_tokens, config.overlap_tokens

    assert limits(PackConfig()) == (400, 300, 64, 0)
    assert limits(PackConfig(max_tokens=100)) == (100, 75, 37, 0)
    assert limits(PackConfig(target_tokens=500)) == (500, 500, 64, 0)
    assert limits(PackConfig(levels=(2048, 512))) == (512, 384, 64, 0)
    assert PackConfig(levels=(2048, 512), max_tokens=512).levels == (2048, 512)


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["cl100k_base", len])
def test_packing_leaves_no_reference_cycles(encoding: str | Callable[[str], int]) -> None:
    """In a reference cycle, each tree and its counts would stay until the next collection."""
    code, rows = "x = 1\n" * 90, "| one | two |\n" * 60
    text = (
        f"# A\n\n{'A sentence of words. ' * 60}\n\n```\n{code}```\n\n| a | b |\n|---|---|\n{rows}"
        "\n> quoted\n\n- item\n\n  - inner\n\nAll parts:\n\n"
        + "- a part with a name\n\n  - and more of it\n"
        * 60
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
