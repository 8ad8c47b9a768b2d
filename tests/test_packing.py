"""How packing groups sections, what a record says, and how packing is called.

Tokens are words here, so that every limit can be counted in the text.
"""

import gc
import hashlib
import re
import uuid
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from by_eye import faults, letters, packed, some, texts, words
from by_eye import sentences as said
from case_files import case_file, cases_by_name, joined
from table_pieces import assert_pieces_cover_all_rows

from treepack import PackConfig, Source, audit, pack, parse

CASES = cases_by_name("packing/chunks.json")


@pytest.mark.parametrize("name", CASES)
def test_a_text_is_packed_into_these_chunks(name: str) -> None:
    """A case without chunks is a rare document; its chunks keep the laws, whatever they are."""
    case = CASES[name]
    settings = case.get("settings", {})
    counter = {"letters": letters}.get(settings.get("encoding"), settings.get("encoding", words))
    text, label = joined(case["text"]), case.get("label", "")
    chunks = packed(text, case["cap"], label, **{**settings, "encoding": counter})
    shown = {
        "chunks": texts(chunks),
        "embedded": [chunk.embed_text for chunk in chunks],
        "lexical": [chunk.lexical_text for chunk in chunks],
    }
    for field, found in shown.items():
        assert found == [joined(each) for each in case.get(field, found)]
    assert len(chunks) > 1 or {"chunks", "embedded", "records"} & {*case}
    records = [chunk.model_dump(mode="json") for chunk in chunks]
    assert_has(records, case.get("records", [{}] * len(chunks)))
    assert [chunk.index for chunk in chunks if chunk.oversize] == case.get("oversize", [])
    assert chunks[-1].breadcrumb == tuple(case.get("path", chunks[-1].breadcrumb))
    if "levels" not in settings:
        assert_pieces_cover_all_rows(chunks)
    assert faults(chunks) == []


def assert_has(found: Any, expected: Any) -> None:  # noqa: ANN401 - values of JSON
    """Check that a record has some fields with these values, and so have the records in it."""
    if isinstance(expected, dict):
        for field, value in expected.items():
            assert_has(found[field], value)
    elif isinstance(expected, list):
        for part, value in zip(found, expected, strict=True):
            assert_has(part, value)
    else:
        assert found == expected


# -------------------------------------------------------------------- headings


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


def test_more_headings_than_it_may_have_are_found_in_the_text_to_embed() -> None:
    source = Source(f"# A\n\n## {'b' * 38}\n\n### {'c' * 40}\n\n{said(3)}", "d.md")
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


# Each kind meets both caps below; a thousand characters are the most that a breadcrumb shows.
LONG_TITLES = case_file("packing/long_titles.json")
HEADINGS: dict[str, Callable[[str], str]] = {
    "ATX": "# {}".format,
    "Setext": "{}\n===".format,
    "Setext of many lines": lambda title: title.replace(" ", "\n") + "\n===",
    "HTML": "<h2>{}</h2>".format,
    "six levels": lambda title: "\n\n".join(f"{'#' * at} {title}" for at in range(1, 7)),
    "numbered": "# 5.1 {}".format,
}
BODY = "The pump shall stop at once, when the pressure exceeds 16 bar.\n\n"
LONGEST_TITLE = 1000


@pytest.mark.slow
@pytest.mark.parametrize("kind", HEADINGS)
@pytest.mark.parametrize(("number", "title"), [*enumerate(LONG_TITLES)])
def test_breadcrumbs_below_a_long_heading_are_short_and_the_laws_hold(
    kind: str, number: int, title: str
) -> None:
    written = HEADINGS[kind]((title * 1_000)[: 3 * LONGEST_TITLE].strip())
    cap = 64 if (len(kind) + number) % 2 else 1024
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


@pytest.mark.parametrize(("opening", "row"), case_file("packing/openings.json"))
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
    hashes = [hashlib.sha256(chunk.text.encode()).hexdigest() for chunk in chunks]
    assert [chunk.content_hash for chunk in chunks] == hashes
    fewer = packed(text.replace("# A\n\nSame text.\n\n", "", 1), 16, sections="separate")
    assert [chunk.id for chunk in fewer] == [chunk.id for chunk in chunks[:2]]


# -------------------------------------------------------------------- ways to call


def test_text_path_source_and_document_give_the_same_chunks(tmp_path: Path) -> None:
    text = f"# A\n\n{said(9)}\n"
    path = tmp_path / "d.md"
    path.write_text(text, encoding="utf-8")
    config = PackConfig(max_tokens=32)
    expected = pack(text, config, name="d.md")
    for source in (path, Source(text, "d.md"), parse(text, name="d.md")):
        assert pack(source, config) == expected


def test_a_given_name_and_metadata_override_those_of_the_source() -> None:
    for source in ("Text.", Source("Text.", "old.md"), parse("Text.", name="old.md")):
        (chunk,) = pack(source, name="new.md")
        assert (chunk.document, chunk.breadcrumb) == ("new.md", ("new.md",))
        assert chunk.id == pack("Text.", name="new.md")[0].id
    own = Source("---\na: 1\nb: 1\nc: 1\n---\nText.", metadata={"b": 2, "c": 2})
    assert pack(own, metadata={"c": 3})[0].metadata == {"a": 1, "b": 2, "c": 3}


def test_a_document_keeps_the_encoding_it_was_parsed_with_unless_a_config_is_given() -> None:
    document = parse("Some text here.", encoding=words)
    assert pack(document)[0].token_count == 3
    assert pack(document, PackConfig())[0].token_count == 4
    text = f"## {'試験装置の規格および測定方法' * 2}\n\n" + "A sentence of some words. " * 60
    parsed = parse(text, encoding="cl100k_base")
    for cap in range(32, 160, 8):
        config = PackConfig(max_tokens=cap, encoding="o200k_base", repeat_heading=True)
        assert pack(parsed, config) == pack(text, config)
    config = PackConfig(max_tokens=64, encoding="o200k_base")
    assert pack(parse(text, encoding="o200k_base"), max_tokens=64) == pack(text, config)


# -------------------------------------------------------------------- settings


@pytest.mark.parametrize(("settings", "message"), case_file("packing/limits.json"))
def test_invalid_limits_are_rejected_and_the_error_names_both_numbers(
    settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match="error") as caught:
        PackConfig(**settings)
    said = str(caught.value).split("[type=")[0]  # what follows repeats what was given
    assert re.search(message, said), said


@pytest.mark.parametrize(
    ("given", "limits"),
    [
        ({}, (400, 300, 64, 0)),
        ({"max_tokens": 100}, (100, 75, 37, 0)),
        ({"target_tokens": 500}, (500, 500, 64, 0)),
        ({"levels": (2048, 512)}, (512, 384, 64, 0)),
        ({"levels": (2048, 512), "max_tokens": 512}, (512, 384, 64, 0)),
    ],
)
def test_missing_limits_are_derived_from_the_cap_and_settings_are_frozen(
    given: Any,  # noqa: ANN401 - settings
    limits: tuple[int, ...],
) -> None:
    config = PackConfig(**given)
    found = (config.max_tokens, config.target_tokens, config.min_tokens, config.overlap_tokens)
    assert (found, config.levels) == (limits, given.get("levels", config.levels))
    with pytest.raises(ValueError, match="frozen"):
        config.max_tokens = 5  # type: ignore[misc]


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["cl100k_base", len])
def test_packing_leaves_no_reference_cycles(encoding: str | Callable[[str], int]) -> None:
    """In a reference cycle, each tree and its counts would stay until the next collection."""
    code, rows = "x = 1\n" * 90, "| one | two |\n" * 60
    items = "- a part with a name\n\n  - and more of it\n" * 60
    text = (
        f"# A\n\n{'A sentence of words. ' * 60}\n\n```\n{code}```\n\n| a | b |\n|---|---|\n{rows}"
        f"\n> quoted\n\n- item\n\n  - inner\n\nAll parts:\n\n{items}"
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
