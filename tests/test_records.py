"""Records that packing makes unchecked equal checked ones in every observable way."""

import copy
import pickle
from collections.abc import Iterator
from dataclasses import FrozenInstanceError, fields

import pytest
from case_files import CASES
from hypothesis import given, settings
from pydantic import ValidationError
from strategies import configs, documents

from treepack import Chunk, Chunks, PackConfig, Source, pack
from treepack.model.chunk import Record, Reference, Segment, Skipped, TableSlice

RICH = (CASES / "texts" / "rich.md").read_text("utf-8")


def records(chunk: Chunk) -> Iterator[Record]:
    yield chunk
    yield from chunk.segments
    yield from chunk.tables
    yield from chunk.references
    yield from chunk.skipped


def validated(record: Record) -> Record:
    """Return the same record from pydantic, which checks the type of each value."""
    return record.model_validate(record.model_dump())


def rich_chunks() -> Chunks:
    return pack(Source(RICH, "rich.md"), PackConfig(max_tokens=32))


def assert_equals_validated_record(record: Record) -> None:
    twin = validated(record)
    assert record == twin
    assert repr(record) == repr(twin)
    assert record.model_dump() == twin.model_dump()
    json = record.model_dump_json()
    assert json == twin.model_dump_json()
    assert record.model_validate_json(json) == record.model_copy() == record
    unpickled = pickle.loads(pickle.dumps(record))  # noqa: S301 - our own bytes
    for same in (copy.copy(record), copy.deepcopy(record), unpickled):
        assert same == record
        assert type(same) is type(record)


@settings(max_examples=50)
@given(documents(), configs())
def test_records_equal_those_that_pydantic_validates(text: str, config: PackConfig) -> None:
    for chunk in pack(Source(text, "a.md"), config):
        for record in records(chunk):
            assert_equals_validated_record(record)


def test_every_kind_of_record_equals_its_validated_form() -> None:
    found = [record for chunk in rich_chunks() for record in records(chunk)]
    assert {type(record) for record in found} == {Chunk, Segment, Skipped, TableSlice, Reference}
    for record in found:
        assert_equals_validated_record(record)


def test_records_are_frozen_and_hold_no_dict() -> None:
    for record in records(rich_chunks()[0]):
        assert isinstance(record, Reference) or hash(record) == hash(validated(record))
        for name in [each.name for each in fields(record)]:
            with pytest.raises(FrozenInstanceError):
                setattr(record, name, "other")
        assert not hasattr(record, "__dict__")


def test_a_record_with_a_wrong_field_is_refused_with_its_name() -> None:
    values = rich_chunks()[0].model_dump()
    for wrong in ({"index": "one"}, {"markup": "rich"}, {"segments": [{"role": "x"}]}, {"end": 1}):
        with pytest.raises(ValidationError, match=next(iter(wrong))):
            Chunk.model_validate(values | wrong)
    del values["text"]
    with pytest.raises(ValidationError, match="text"):
        Chunk.model_validate(values)
    with pytest.raises(TypeError, match="pagse"):
        rich_chunks()[0].model_copy(update={"pagse": (1,)})


def test_a_name_given_to_pack_works_like_a_name_of_the_source() -> None:
    """The sections that references point to have the ids of a document with this name, too."""
    own, given = Source(RICH, "manuals/rich.md"), Source(RICH, "rich.md")
    chunks = pack(given, name="manuals/rich.md")
    assert pack(own) == chunks
    assert any(reference.section_id for chunk in chunks for reference in chunk.references)
