"""Tables of documents become tables of chunks, whichever library made them."""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields
from io import BytesIO
from types import SimpleNamespace
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from case_files import CASES
from hypothesis import given, settings
from strategies import any_text, configs, generated

import treepack
from treepack import Chunk, MissingExtraError, PackConfig, Source, SourceError
from treepack.integrations.arrow import (
    SCHEMA,
    output_schema,
    pack_batches,
    pack_table,
    to_arrow,
    write_parquet,
)
from treepack.integrations.spark import SPARK_DDL, pack_dataframe
from treepack.packing import Packer

FIELDS = [each.name for each in fields(Chunk)]

TEXT = (CASES / "texts" / "pump.md").read_text("utf-8")
SMALL = Packer(PackConfig(max_tokens=40, target_tokens=30, min_tokens=0))
DOCUMENTS: dict[str, list[Any]] = {
    "doc_id": ["a.md", "b.md", "c.md"],
    "text": [TEXT, "", TEXT.replace("week", "day")],
    "year": [2024, 2025, None],
}
LIBRARIES: dict[str, Callable[[dict[str, list[Any]]], Any]] = {
    "pyarrow table": pa.table,
    "pyarrow batch": pa.record_batch,
    "polars": pl.DataFrame,
    "pandas": lambda columns: pd.DataFrame(columns).astype({"year": "Int64"}),
    "duckdb": lambda columns: duckdb.from_arrow(pa.table(columns)),
}


def record(row: dict[str, Any]) -> Chunk:
    """Return the chunk that a row describes."""

    def span(value: dict[str, int] | None) -> tuple[int, int] | None:
        return None if value is None else (value["start"], value["end"])

    fields = {name: value for name, value in row.items() if name in FIELDS}
    fields["metadata"] = json.loads(row["metadata"])
    fields["lines"] = (row["lines"]["first"], row["lines"]["last"])
    for name in ("segments", "skipped"):
        fields[name] = [{**each, "span": span(each["span"])} for each in row[name]]
    return Chunk.model_validate(fields)


class FailingPacker(Packer):
    """A packer that fails for texts with the word poison."""

    def pack(self, source: Any, **options: Any) -> treepack.Chunks:  # noqa: ANN401 - as `pack`
        """Pack the source, or fail."""
        if "poison" in source.text:
            msg = "no good"
            raise RuntimeError(msg)
        return super().pack(source, **options)


# --- chunks ---


@settings(generated, max_examples=60)
@given(any_text, configs())
def test_a_row_contains_every_field_of_its_chunk(text: str, config: PackConfig) -> None:
    """Arrow cannot hold lone surrogates, so the text has none; nothing else may change."""
    text = text.encode("utf-8", "replace").decode()
    chunks = treepack.pack(Source(text, "x.md"), config)
    table = to_arrow(chunks)
    assert table.schema.equals(SCHEMA)
    assert [*FIELDS, "error"] == SCHEMA.names
    assert list(chunks) == [record(row) for row in table.to_pylist()]
    assert table["error"].null_count == len(chunks)


def test_surrogates_are_replaced_and_metadata_of_any_type_is_stored_as_json() -> None:
    [row] = to_arrow(treepack.pack("A \ud800 b")).to_pylist()
    assert "A \ufffd b" == row["text"] == row["segments"][0]["text"]
    chunks = treepack.pack("A", metadata={"n": 1, "deep": {"list": [None, 1.5]}, "at": {1}})
    stored = json.loads(to_arrow(chunks)["metadata"][0].as_py())
    assert {"n": 1, "deep": {"list": [None, 1.5]}, "at": [1]} == stored
    assert to_arrow(treepack.pack("")).schema.equals(SCHEMA), "all columns, without chunks"


# --- documents ---


@pytest.mark.parametrize("library", LIBRARIES)
def test_tables_of_any_library_give_the_same_chunks_as_pack(library: str) -> None:
    table = pack_table(LIBRARIES[library](DOCUMENTS), SMALL)
    expected = [
        (chunk, name, year)
        for name, text, year in zip(*DOCUMENTS.values(), strict=True)
        for chunk in SMALL.pack(Source(text, name))
    ]
    assert len(expected) > 4
    rows = table.to_pylist()
    assert expected == [(record(row), row["doc_id"], row["year"]) for row in rows]
    assert SCHEMA.names == table.column_names[: len(SCHEMA)]
    assert SCHEMA.types == table.schema.types[: len(SCHEMA)]


@pytest.mark.parametrize(
    "values",
    [
        pa.array(["x", None], pa.string_view()),
        pa.array([["x"], None], pa.list_(pa.string_view())),
        pa.array([{"a": 1}, None], pa.struct([("a", pa.int8())])),
        pa.array(["x", None]).dictionary_encode(),
        pa.array([1, None], pa.timestamp("ns", "UTC")),
    ],
    ids=lambda values: str(values.type),
)
def test_columns_of_any_type_are_passed_on(values: Any) -> None:  # noqa: ANN401 - values of any type
    table = pack_table(pa.table({"doc_id": ["a", "b"], "text": [TEXT, "B."], "own": values}), SMALL)
    assert values.type == table.schema.field("own").type
    assert table["own"].to_pylist() == [values[0].as_py()] * (len(table) - 1) + [None]


def test_an_id_may_have_any_type_and_name_and_a_cell_is_text_even_if_it_looks_like_a_path() -> None:
    table = pack_table(pa.table({"id": [7], "text": ["A."]}), id="id")
    assert ["7"] == table["document"].to_pylist()
    assert [SMALL.pack(Source("A.", "7"))[0].id] == table["id"].to_pylist()
    texts = [__file__, "notes.md", "docs/nope.docx", "/etc/motd.txt"]
    table = pack_table(pa.table({"doc_id": [*"abcd"], "text": texts}))
    assert (table["text"].to_pylist(), table["error"].null_count) == (texts, 4)


@pytest.mark.parametrize(
    ("columns", "names", "message"),
    [
        ("text", {}, "there is no column 'doc_id'; the columns are text"),
        ("doc_id body", {}, "there is no column 'text'"),
        ("doc_id text", {"text": "body"}, "there is no column 'body'"),
        ("doc_id text level", {}, "rename the columns level"),
        ("doc_id text text", {}, "two columns have the same name"),
    ],
)
def test_the_error_names_missing_or_invalid_columns_before_spark_is_called(
    columns: str, names: dict[str, Any], message: str
) -> None:
    frame: Any = SimpleNamespace(columns=columns.split())
    table = pa.table([["a"] for _ in frame.columns], names=frame.columns)
    for entry, each in ((pack_table, table), (pack_dataframe, frame)):
        with pytest.raises(SourceError, match=message):
            entry(each, **names)


# --- batches ---


def test_batches_add_up_to_the_table() -> None:
    documents = pa.table(DOCUMENTS)
    batches = list(pack_batches(documents.to_batches(), SMALL))
    assert pa.Table.from_batches(batches).equals(pack_table(documents, SMALL))
    assert {output_schema(documents.schema)} == {batch.schema for batch in batches}


def test_documents_are_packed_only_when_their_chunks_are_requested() -> None:
    """An engine relies on this if its documents do not fit in memory."""
    requested = 0

    def infinite() -> Any:  # noqa: ANN401 - pyarrow has no types
        nonlocal requested
        while True:
            requested += 1
            yield pa.record_batch({"doc_id": [requested], "text": [TEXT]})

    batches = pack_batches(infinite(), SMALL)
    next(batches)
    assert 1 == requested


@pytest.mark.slow
@pytest.mark.parametrize("library", ["pyarrow batch", "duckdb"])  # all in one piece, and not
def test_one_bad_document_of_many_gives_one_error_row(library: str) -> None:
    """With other tools, one bad document ends the job or loses the whole batch."""
    texts = [f"# T {n}\n\nText {n}." if n != 123 else "poison" for n in range(300)]
    columns: Any = {"doc_id": list(range(300)), "text": texts, "year": [2026] * 300}
    rows = pack_table(LIBRARIES[library](columns), FailingPacker()).to_pylist()
    [bad] = [row for row in rows if row["error"] is not None]
    assert {"document": "123", "error": "RuntimeError: no good", "doc_id": 123, "year": 2026} == {
        name: value for name, value in bad.items() if value is not None
    }
    packed = [treepack.pack(text, name=str(n)) for n, text in enumerate(texts) if n != 123]
    expected = [each for chunks in packed for each in chunks]
    assert expected == [record(row) for row in rows if row is not bad]
    with pytest.raises(RuntimeError, match="no good"):
        pack_table(LIBRARIES[library](columns), FailingPacker(), on_error="raise")


def test_a_null_or_other_text_or_id_gives_an_error_row() -> None:
    documents = pa.table({"doc_id": ["a", None], "text": pa.array([None, "B."])})
    rows = pack_table(documents).to_pylist()
    rows += pack_table(pa.table({"doc_id": ["b"], "text": [1]})).to_pylist()
    assert [(row["document"], row["error"]) for row in rows] == [
        ("a", "SourceError: the text is null"),
        (None, "SourceError: the id is null"),
        ("b", "SourceError: the text is of type int"),
    ]


# --- files, and missing packages ---


def test_parquet_returns_the_written_tables() -> None:
    tables = [to_arrow(SMALL.pack(Source(TEXT, f"{n}.md"))) for n in range(5)]
    stream = BytesIO()
    write_parquet(iter(tables), stream)
    assert pa.concat_tables(tables).equals(pq.read_table(BytesIO(stream.getvalue())))
    assert 1 == pq.ParquetFile(BytesIO(stream.getvalue())).num_row_groups


PACKS_A_FRAME = (
    "from treepack.integrations.spark import pack_dataframe; from types import SimpleNamespace;"
    "pack_dataframe(SimpleNamespace(columns=['doc_id', 'text']))"
)


@pytest.mark.parametrize(
    ("module", "code"),
    [("pyarrow", "import treepack.integrations.arrow"), ("pyspark", PACKS_A_FRAME)],
)
def test_the_error_without_a_package_names_the_extra(module: str, code: str) -> None:
    call = [sys.executable, "-c", f"import sys; sys.modules[{module!r}] = None\n{code}"]
    errors = subprocess.run(call, check=False, capture_output=True, text=True).stderr
    assert f'pip install "treepack[{module.removeprefix("py")}]"' in errors
    assert MissingExtraError.__name__ in errors


def test_the_spark_ddl_names_the_columns_of_the_schema() -> None:
    """Whether the types match too is tested with Spark, where it is installed."""
    outer, depth = "", 0
    for character in SPARK_DDL:
        depth -= character == ">"
        outer += character if not depth else ""
        depth += character == "<"
    columns = [column.split()[0] for column in outer.split(", ")]
    assert [f"`{name}`" for name in SCHEMA.names] == columns


# -------------------------------------------------------------------- arguments


@pytest.mark.parametrize("wrong", [512, PackConfig(), "standards", {"max_tokens": 512}, 0], ids=str)
def test_a_wrong_packer_or_on_error_is_rejected_once_and_not_per_document(wrong: Any) -> None:  # noqa: ANN401 - any wrong value
    documents = pa.table({"doc_id": ["a"], "text": ["x"]})
    message = rf"packer must be a Packer, not {type(wrong).__name__}: give Packer\(config\)"
    entries: list[Callable[..., object]] = [
        lambda *packer, **more: pack_table(documents, *packer, **more),
        lambda *packer, **more: list(pack_batches(documents.to_batches(), *packer, **more)),
    ]
    for entry in entries:
        with pytest.raises(TypeError, match=message):
            entry(wrong)
        with pytest.raises(ValueError, match="'ignore', but must be one of 'row', 'raise'"):
            entry(on_error="ignore")
