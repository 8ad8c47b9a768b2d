"""Ray gives what the plain loop gives, row for row; ``tox -e ray`` installs what this needs."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import engine_documents
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from engine_documents import (
    CONFIG,
    Counting,
    Failing,
    Killed,
    documents,
    expected,
    rows_of_plain_loop,
)

from treepack import PackConfig
from treepack.integrations.arrow import output_schema, pack_table
from treepack.integrations.ray import pack_dataset
from treepack.packing import Packer

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # before Ray is loaded: nothing is reported

ray = pytest.importorskip("ray", reason="the tests of Ray need it: tox -e ray")

BLOCKS: Final = 16


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    """Start two workers on this machine."""
    # Workers cannot import the tests' modules.
    ray.cloudpickle.register_pickle_by_value(engine_documents)
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield
    ray.shutdown()


def rows_of(ds: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - Ray's
    rows: list[dict[str, Any]] = pa.concat_tables(ray.get(ds.to_arrow_refs())).to_pylist()
    return rows


def dataset(blocks: int = BLOCKS) -> Any:  # noqa: ANN401 - Ray's
    return ray.data.from_arrow(documents()).repartition(blocks).materialize()


# --- datasets ---


@pytest.mark.parametrize(("blocks", "per_task"), [(1, None), (1, 37), (BLOCKS, 128)])
def test_one_bad_document_of_two_thousand_is_one_row(blocks: int, per_task: int | None) -> None:
    rows = rows_of(pack_dataset(dataset(blocks), Failing(CONFIG), per_task=per_task))
    assert expected() == rows
    assert 1 == sum(row["error"] is not None for row in rows)


def test_without_order_the_set_of_rows_is_the_same() -> None:
    ds = pack_dataset(dataset(), Failing(CONFIG), in_order=False)
    assert not ds.context.execution_options.preserve_order
    rows = {(row["document"], row["index"]): row for row in rows_of(ds)}
    assert rows == {(row["document"], row["index"]): row for row in expected()}


def test_every_block_has_all_columns_even_one_without_chunks() -> None:
    documents = pa.table({"doc_id": ["a", "b"], "text": ["", "Text."], "year": [1, 2]})
    ds = pack_dataset(ray.data.from_arrow(documents).repartition(2), per_task=1)
    blocks = ray.get(ds.to_arrow_refs())
    assert [0, 1] == sorted(block.num_rows for block in blocks)
    assert {output_schema(documents.schema)} == {block.schema for block in blocks}


def test_parquet_is_read_and_written(tmp_path: Path) -> None:
    given = documents().slice(0, 300)
    for number in range(3):
        file = tmp_path / "documents" / f"{number}.parquet"
        file.parent.mkdir(exist_ok=True)
        pq.write_table(given.slice(number * 100, 100), file)
    ds = ray.data.read_parquet(str(tmp_path / "documents"))
    pack_dataset(ds, Packer(CONFIG), per_task=30).write_parquet(str(tmp_path / "chunks"))
    files = [pq.read_table(file) for file in (tmp_path / "chunks").iterdir()]
    assert len(files) > 3
    order = [("doc_id", "ascending"), ("index", "ascending")]
    table, chunks = pack_table(given, Packer(CONFIG)), pa.concat_tables(files)
    assert table.column_names == chunks.column_names
    assert table.sort_by(order).to_pylist() == chunks.sort_by(order).to_pylist()


def test_a_bad_document_can_end_the_job() -> None:
    ds = pack_dataset(dataset(), Failing(CONFIG), on_error="raise")
    with pytest.raises(ray.exceptions.RayTaskError, match="no good"):
        ds.materialize()


def test_a_missing_column_is_named() -> None:
    with pytest.raises(ray.exceptions.RayTaskError, match="there is no column 'body'; the columns"):
        pack_dataset(dataset(), text="body").materialize()


def test_one_large_block_is_divided_among_tasks() -> None:
    """Ray reads files into as few blocks as it can, so a block must be divided."""
    ds = pack_dataset(dataset(1), Packer(CONFIG)).materialize()
    assert BLOCKS == ds.num_blocks()


def test_a_worker_reads_its_vocabulary_once(tmp_path: Path) -> None:
    """This vocabulary is one that no other test reads."""
    packer = Counting(PackConfig(encoding="o200k_base"), tmp_path)
    pack_dataset(dataset(), packer).materialize()
    notes = packer.notes()
    assert 1 <= len(notes) < BLOCKS
    assert all(1 == noted.count("read") for noted in notes)
    assert engine_documents.COUNT == sum(noted.count("pack") for noted in notes)


def test_a_killed_worker_loses_no_rows(tmp_path: Path) -> None:
    """It is killed late in a block, after some thousand rows."""
    marker = tmp_path / "killed"
    texts = [engine_documents.text_of(number) for number in range(engine_documents.COUNT)]
    table = documents().set_column(1, "text", pa.array(texts))
    packer = Killed(CONFIG, marker, "900.md")
    ds = ray.data.from_arrow(table).repartition(2).materialize()
    rows = rows_of(pack_dataset(ds, packer, per_task=None))
    assert not Path(f"/proc/{marker.read_text()}").exists()
    assert rows_of_plain_loop(table) == rows
