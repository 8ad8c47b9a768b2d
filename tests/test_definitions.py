"""Footnotes and link targets are added after a chunk that uses them, or named as missing."""

import pytest
from by_eye import attached_definitions, packed, roles, some
from hypothesis import given, settings
from strategies import any_text, configs, generated

from treepack import Chunks, PackConfig, Source, pack

NOTE = "[^n]: The note of four."
LINK = "[guide]: https://example.com/guide 'The guide'"


def packed_with_definitions(text: str, cap: int) -> Chunks:
    return packed(text, cap, attach_definitions=True)


def document(sentence: str, *ends: str) -> str:
    """A document: a first chunk with ``sentence``, some text, and definitions at the end."""
    return "\n\n".join([f"# A\n\n{sentence}", *(some(22, name) for name in "abc"), *ends]) + "\n"


@pytest.mark.parametrize(
    ("sentence", "definition"),
    [
        ("See the note.[^n]", NOTE),
        ("See [the guide][guide].", LINK),
        ("See [the guide][GUIDE].", LINK),
        ("See [guide][].", LINK),
        ("See [guide] here.", LINK),
        ("See ![a picture][guide].", LINK),
    ],
)
def test_a_definition_is_added_to_the_chunk_that_uses_it(sentence: str, definition: str) -> None:
    text = document(sentence, NOTE, LINK)
    first, *rest = packed_with_definitions(text, 24)
    assert first.text == f"# A\n\n{sentence}\n\n{definition}"
    assert roles(first) == ["body", "glue", "definition"]
    assert first.references == ()
    assert definition not in first.lexical_text
    assert all(not attached_definitions(chunk) for chunk in rest)
    assert sum(chunk.lexical_text.count(definition) for chunk in rest) == 1, (
        "the definition also stays at its own position"
    )


def test_a_definition_is_an_exact_slice_without_its_neighbours() -> None:
    links = f"[one]: /1\n{LINK}\n[two]: /2"
    text = document("See [the guide][guide].", links)
    (first, *_) = packed_with_definitions(text, 24)
    segment = first.segments[-1]
    assert segment.span is not None
    assert segment.text == text[slice(*segment.span)] == LINK


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_definitions_are_found_with_any_line_end(end: str) -> None:
    text = document("See [x][two] and note.[^n]", f"[one]: /1\n{LINK}\n[two]: /2", NOTE)
    assert attached_definitions(packed_with_definitions(text.replace("\n", end), 24)[0]) == [
        "[two]: /2",
        NOTE,
    ]


def test_a_definition_of_many_lines_is_attached_whole() -> None:
    definition = "[one]:\n  /1\n  'long\n  title'"
    assert attached_definitions(
        packed_with_definitions(document("See [x][one].", definition), 24)[0]
    ) == [definition]


def test_definitions_are_added_once_in_order_of_use() -> None:
    text = document("See [x][two], note[^n], [y][one], [z][two].", "[one]: /1\n[two]: /2", NOTE)
    assert attached_definitions(packed_with_definitions(text, 24)[0]) == [
        "[two]: /2",
        NOTE,
        "[one]: /1",
    ]


def test_a_definition_in_the_chunk_itself_is_not_repeated() -> None:
    (chunk,) = packed_with_definitions(f"See the note.[^n]\n\n{NOTE}\n", 24)
    assert attached_definitions(chunk) == []
    assert chunk.text.count("The note of four.") == 1


def test_an_inline_link_uses_no_definition() -> None:
    for sentence in ("See [guide](other.md).", "See \\[guide] here.", "See [ guide"):
        assert attached_definitions(packed_with_definitions(document(sentence, LINK), 24)[0]) == []


def test_a_definition_that_does_not_fit_is_named_as_missing() -> None:
    """A reference without its definition must be visible in the record."""
    text = document("See the note.[^n]", f"[^n]: {some(20)}")
    first = packed_with_definitions(text, 24)[0]
    assert attached_definitions(first) == []
    ((reference),) = first.references
    assert (reference.text, reference.kind, reference.target) == ("[^n]", "footnote", "n")


def test_a_smaller_definition_after_one_that_does_not_fit_is_attached() -> None:
    text = document("See note[^n] and [x][one].", f"[^n]: {some(20)}", "[one]: /1")
    first = packed_with_definitions(text, 24)[0]
    assert attached_definitions(first) == ["[one]: /1"]
    assert [reference.target for reference in first.references] == ["n"]


@pytest.mark.parametrize(
    ("sentence", "missing"),
    [
        ("See [the guide][nowhere].", [("link", "nowhere")]),
        ("See [nowhere][].", [("link", "nowhere")]),
        ("See the note.[^nowhere]", [("footnote", "nowhere")]),
        ("See [sic] here.", []),
        ("A [ ] box and [x] box.", []),
    ],
)
def test_an_undefined_reference_is_reported_if_it_is_unambiguous(
    sentence: str, missing: list[tuple[str, str]]
) -> None:
    first = packed_with_definitions(document(sentence, LINK), 24)[0]
    assert [(found.kind, found.target) for found in first.references] == missing


def test_no_definition_is_attached_by_default() -> None:
    text = document("See the note.[^n]", NOTE)
    assert not any(attached_definitions(chunk) for chunk in packed(text, 24))


def test_a_definition_comes_after_overlap_and_body() -> None:
    use = f"Use of[^n] {some(6, 'c')}."
    text = f"{some(18)}\n\n{use}\n\n{some(18, 'd')}\n\n{NOTE}\n"
    chunk = packed(text, 22, attach_definitions=True, overlap_tokens=4)[1]
    assert chunk.text == f"w15 w16 w17\n\n{use}\n\n{NOTE}"
    assert roles(chunk) == ["overlap", "body", "glue", "definition"]


@settings(generated, max_examples=30)
@given(text=any_text, config=configs())
def test_definitions_change_no_body_and_break_no_cap(text: str, config: PackConfig) -> None:
    plain = pack(Source(text), config.model_copy(update={"attach_definitions": False}))
    full = pack(Source(text), config.model_copy(update={"attach_definitions": True}))
    assert [chunk.lexical_text for chunk in full] == [chunk.lexical_text for chunk in plain]
    for chunk in full:
        assert chunk.oversize or chunk.embed_token_count <= config.max_tokens
        for segment in chunk.segments:
            assert segment.span is None or text[slice(*segment.span)] == segment.text


def test_no_definition_is_attached_inside_unclosed_code() -> None:
    """The definition is named as missing instead."""
    text = f"{NOTE}\n\n{some(18)}\n\n~~~\nx[^n] = 1\n"
    last = packed_with_definitions(text, 24)[-1]
    assert last.text == "~~~\nx[^n] = 1"
    assert [reference.target for reference in last.references] == ["n"]
