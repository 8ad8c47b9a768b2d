"""The JSON form of a document: what it keeps, and what is rejected."""

import json
from dataclasses import replace
from typing import Any

import pytest
from by_eye import words
from case_files import case_table
from hypothesis import given
from hypothesis import strategies as st
from strategies import any_text, generated

from treepack import Document, PackConfig, Source, SourceError, pack, parse
from treepack.model.source import Typography


@generated
@given(any_text, st.sampled_from(("metadata", "text")))
def test_a_document_survives_json_and_gives_the_same_chunks(text: str, front_matter: str) -> None:
    config = PackConfig(max_tokens=40)
    document = parse(
        Source(text, "d.md", {"k": [1]}, ((0, 1), (len(text), 2))),
        front_matter="text" if front_matter == "text" else "metadata",
    )
    back = Document.from_json(document.to_json())
    assert back == document
    assert pack(back, config) == pack(document, config)


def test_a_document_counted_by_a_callable_has_no_json_form() -> None:
    with pytest.raises(TypeError, match="the name of an encoding"):
        parse("Text.", encoding=words).to_json()


MARKED = parse(
    "---\nby: me\n---\n# 1 A\n\n<!-- page 2 -->\n\n- one\n  > two\n\n"
    "| a |\n|---|\n| b |\n\n# 1.1 Part\n\nText of the part.\n\n# 1.2 Other\n\nMore.\n",
)


READ = replace(
    MARKED.source,
    origins=((0, "docx:paragraph 1"),),
    typography=((30, Typography(bold=True, size=12.0)),),
    left_out=((9, "footer"),),
)


STORED = replace(MARKED, source=READ).to_json()


OTHER_VALUES = st.sampled_from([None, True, 0, -1, 10**30, 0.5, "", "x", [], [0], {}, {"a": 0}])


@given(st.data())
def test_changed_json_is_read_or_rejected_with_a_source_error(data: st.DataObject) -> None:
    """A value that is missing or has another type raises nothing but a `SourceError`."""
    at = record = json.loads(STORED)
    while True:
        key = data.draw(st.sampled_from(sorted(at) if isinstance(at, dict) else range(len(at))))
        if not isinstance(at[key], dict | list) or not at[key] or data.draw(st.booleans()):
            break
        at = at[key]
    if data.draw(st.booleans()):
        del at[key]
    else:
        at[key] = data.draw(OTHER_VALUES)

    try:
        repr(Document.from_json(json.dumps(record)))
    except SourceError as error:
        assert str(error).startswith("not a treepack document")  # noqa: PT017 - it may load


@pytest.mark.parametrize(("where", "wrong", "message"), case_table("document_json", "wrong"))
def test_json_with_a_wrong_value_is_rejected_and_the_error_locates_it(
    where: list[Any], wrong: object, message: str
) -> None:
    at = record = json.loads(STORED)
    for key in where[:-1]:
        at = at[key]
    at[where[-1]] = wrong
    with pytest.raises(
        SourceError, match=rf"treepack document: {message}.*; parse the source again"
    ):
        Document.from_json(json.dumps(record))


def test_incomplete_or_excessive_json_is_rejected() -> None:
    with pytest.raises(SourceError, match=r"name: .*required"):
        Document.from_json('{"schema": 1}')
    for text in ("[" * 100_000, '{"schema": 1' + "0" * 5000 + "}"):
        with pytest.raises(SourceError, match="from_json takes the text that to_json wrote"):
            Document.from_json(text)


def test_json_of_deeply_nested_blocks_is_read_in_linear_time() -> None:
    """Each kind was once tried for each container and again inside: 3 times as long a level."""
    fences = [":" * length for length in range(40, 2, -1)]
    document = parse("".join(f"{fence} note\n" for fence in fences) + "deep\n")
    assert Document.from_json(document.to_json()).root == document.root
