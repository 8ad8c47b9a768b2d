"""Spark gives what the plain loop gives, row for row; ``tox -e spark`` installs what this needs."""

import datetime as dt
import os
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import engine_documents
import java
import pyarrow as pa
import pytest
from engine_documents import CONFIG, Counting, Failing, documents, expected

from treepack import PackConfig
from treepack.integrations.arrow import SCHEMA, pack_table
from treepack.integrations.spark import SPARK_DDL, pack_dataframe
from treepack.packing import Packer

pyspark = pytest.importorskip("pyspark", reason="the tests of Spark need it: tox -e spark")
if (problem := java.problem()) is not None:
    pytest.skip(f"Spark needs Java: {problem}", allow_module_level=True)

PARTITIONS: Final = 8


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    """Start Spark on this machine, with two workers."""
    from pyspark.sql import SparkSession  # noqa: PLC0415 - may be missing

    # Workers cannot import the tests' modules, and would take the first python3 of PATH.
    pyspark.cloudpickle.register_pickle_by_value(engine_documents)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.session.timeZone", "UTC")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture
def frame(spark: Any) -> Any:  # noqa: ANN401 - Spark's
    """Return the two thousand documents, in partitions that keep their order."""
    rows = [tuple(row.values()) for row in documents().to_pylist()]
    ddl = "doc_id STRING, text STRING, year BIGINT, tags ARRAY<STRING>"
    return spark.createDataFrame(spark.sparkContext.parallelize(rows, PARTITIONS), ddl)


def rows_of(df: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - Spark's
    rows: list[dict[str, Any]] = df.toArrow().to_pylist()
    return rows


def test_the_ddl_is_equivalent_to_the_arrow_schema(spark: Any) -> None:  # noqa: ANN401, ARG001 - what parses it
    """Spark's own translation of the Arrow schema is the reference."""
    from pyspark.sql.pandas.types import from_arrow_schema  # noqa: PLC0415 - may be missing
    from pyspark.sql.types import StructType  # noqa: PLC0415 - as above

    assert from_arrow_schema(SCHEMA) == StructType.fromDDL(SPARK_DDL)


def test_one_bad_document_of_two_thousand_is_one_row(frame: Any) -> None:  # noqa: ANN401 - Spark's
    df = pack_dataframe(frame, Failing(CONFIG))
    assert df.columns == [*SCHEMA.names, "doc_id", "year", "tags"]
    rows = rows_of(df)
    assert expected() == rows
    assert 1 == sum(row["error"] is not None for row in rows)


def test_packing_needs_no_shuffle(frame: Any) -> None:  # noqa: ANN401 - Spark's
    df = pack_dataframe(frame)
    plan = df._jdf.queryExecution().executedPlan().toString()  # noqa: SLF001 - the only way to it
    assert "MapInArrow" in plan
    assert "Exchange" not in plan
    assert PARTITIONS == df.rdd.getNumPartitions()


def test_columns_of_any_type_are_kept(spark: Any) -> None:  # noqa: ANN401 - Spark's
    at = dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=dt.UTC)
    own = (at, at.date(), Decimal("1.50"), {"k": 1}, [("x", 1)], b"\0", None)
    ddl = (
        "doc_id STRING NOT NULL, text STRING, at TIMESTAMP, day DATE, price DECIMAL(5, 2), "
        "counts MAP<STRING, INT>, `a b` ARRAY<STRUCT<a: STRING, `b c`: INT>>, raw BINARY, no INT"
    )
    df = spark.createDataFrame([("a.md", "# A\n\nText.", *own)], ddl)
    packed = pack_dataframe(df)
    for field in df.drop("text").schema:
        assert field == packed.schema[field.name]
    [row], [given] = packed.collect(), df.collect()
    assert [given[name] for name in df.columns if name != "text"] == list(row[len(SCHEMA) :])


def test_the_batch_size_does_not_change_the_rows(spark: Any, frame: Any) -> None:  # noqa: ANN401 - Spark's
    setting = "spark.sql.execution.arrow.maxRecordsPerBatch"
    before = spark.conf.get(setting)
    spark.conf.set(setting, 37)
    try:
        rows = rows_of(pack_dataframe(frame, Failing(CONFIG)))
    finally:
        spark.conf.set(setting, before)
    assert expected() == rows


def test_a_worker_reads_its_vocabulary_once(frame: Any, tmp_path: Path) -> None:  # noqa: ANN401 - Spark's
    """This vocabulary is one that no other test reads."""
    packer = Counting(PackConfig(encoding="o200k_base"), tmp_path)
    pack_dataframe(frame, packer).foreach(lambda _: None)
    notes = packer.notes()
    assert 1 <= len(notes) < PARTITIONS
    assert all(1 == noted.count("read") for noted in notes)
    assert engine_documents.COUNT == sum(noted.count("pack") for noted in notes)


def test_parquet_is_read_and_written(spark: Any, tmp_path: Path) -> None:  # noqa: ANN401 - Spark's
    given = documents().slice(0, 50)
    spark.createDataFrame(given.to_pandas()).write.parquet(str(tmp_path / "documents"))
    read = spark.read.parquet(str(tmp_path / "documents"))
    pack_dataframe(read).write.parquet(str(tmp_path / "chunks"))
    chunks = spark.read.parquet(str(tmp_path / "chunks")).toArrow().sort_by("id")
    assert pack_table(given).sort_by("id").select(["id", "text", "tables"]).to_pylist() == (
        chunks.select(["id", "text", "tables"]).to_pylist()
    )


def test_joins_find_the_chunks_that_a_rerun_adds_and_removes(spark: Any) -> None:  # noqa: ANN401 - Spark's
    """The plan of docs/how-to/many.md."""
    before = pa.table({"doc_id": ["a", "b", "c"], "text": [engine_documents.text_of(39)] * 3})
    texts = [
        engine_documents.text_of(39).replace("week", "day"),
        engine_documents.text_of(39),
        None,
    ]
    after = pa.table({"doc_id": ["a", "d", "c"], "text": texts})
    packer = Packer(CONFIG)
    known = pack_table(before, packer).select(["id", "content_hash", "document"])
    hashes = dict(zip(known["id"].to_pylist(), known["content_hash"].to_pylist(), strict=True))
    again = {row["id"]: row["content_hash"] for row in pack_table(after, packer).to_pylist()}
    expected = {key for key, digest in again.items() if key and hashes.get(key) != digest}

    known_rows = spark.createDataFrame(known.to_pandas())
    documents = spark.createDataFrame(after.to_pylist(), "doc_id STRING, text STRING")
    chunks = pack_dataframe(documents, packer)
    good, bad = chunks.where("error IS NULL"), chunks.where("error IS NOT NULL")
    added = good.join(known_rows, ["id", "content_hash"], "left_anti")
    removed = known_rows.join(good, "id", "left_anti").join(bad, "document", "left_anti")
    assert expected == {row.id for row in added.collect()}
    assert expected
    assert {"b"} <= {row.document for row in removed.collect()} <= {"a", "b"}


def test_a_bad_document_can_end_the_job(frame: Any) -> None:  # noqa: ANN401 - Spark's
    df = pack_dataframe(frame, Failing(CONFIG), on_error="raise")
    with pytest.raises(pyspark.errors.PythonException, match="no good"):
        df.collect()


def test_an_id_column_may_have_any_name_and_type(spark: Any) -> None:  # noqa: ANN401 - Spark's
    df = pack_dataframe(spark.createDataFrame([(7, "A.")], "id INT, text STRING"), id="id")
    assert pack_table(pa.table({"id": [7], "text": ["A."]}), id="id").to_pylist() == rows_of(df)
