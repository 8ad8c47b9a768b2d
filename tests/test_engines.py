"""Messages about engines that are not installed; integration_tests covers what engines do."""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

from treepack import SourceError
from treepack.cli.app import app
from treepack.integrations.arrow.tables import SCHEMA
from treepack.integrations.spark import SPARK_DDL, pack_dataframe


def run_without(module: str, code: str) -> subprocess.CompletedProcess[str]:
    script = f"import sys; sys.modules[{module!r}] = None\n{code}"
    return subprocess.run(
        [sys.executable, "-c", script], check=False, capture_output=True, text=True
    )


def test_the_error_without_ray_names_the_extra_and_nothing_is_written(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("A.", encoding="utf-8")
    call = ["treepack", "pack", str(tmp_path), "-o", str(tmp_path / "out"), "--engine", "ray"]
    done = run_without("ray", f"from treepack.cli import main; sys.argv = {call}; main()")
    message = 'treepack: packing on Ray needs its extra: pip install "treepack[ray]"\n'
    assert (2, message) == (done.returncode, done.stderr)
    assert ["a.md"] == [file.name for file in tmp_path.iterdir()]


def test_the_error_without_spark_names_the_extra() -> None:
    code = """
from types import SimpleNamespace
from treepack.integrations.spark import pack_dataframe
pack_dataframe(SimpleNamespace(columns=["doc_id", "text"]))
"""
    done = run_without("pyspark", code)
    assert 'MissingExtraError: packing on Spark needs its extra: pip install "treepack[spark]"' in (
        done.stderr
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "--engine ray writes a folder of Parquet files; name it with --output"),
        (["-o", "-"], "--engine ray writes a folder of Parquet files; name it with --output"),
        (["-o", "out.jsonl"], "out.jsonl must be a name of a folder"),
        (["-o", "out.md"], "out.md must be a name of a folder"),
        (["-o", "x.md.old"], "x.md.old is a file; --output needs the name of a new folder"),
        (["-o", "full"], "full is a folder that is not empty; --output needs the name of a new"),
        (["-o", "nowhere/out"], "of the output folder does not exist"),
        (["-o", "out", "--jobs", "2"], "--jobs is only for --engine local"),
    ],
)
def test_a_wrong_call_for_ray_is_rejected_with_a_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for file in (Path("x.md"), Path("x.md.old"), Path("full/x.md")):
        file.parent.mkdir(exist_ok=True)
        file.write_text("A.", encoding="utf-8")
    before = sorted(tmp_path.rglob("*"))
    result = CliRunner().invoke(app, ["pack", "x.md", "--engine", "ray", *arguments])
    assert 2 == result.exit_code
    assert message in result.stderr
    assert before == sorted(tmp_path.rglob("*"))


def test_the_spark_ddl_names_the_columns_of_the_schema() -> None:
    """Whether the types match too is tested with Spark, where it is installed."""
    outer, depth = "", 0
    for character in SPARK_DDL:
        depth -= character == ">"
        outer += character if not depth else ""
        depth += character == "<"
    assert [f"`{name}`" for name in SCHEMA.names] == [
        column.split()[0] for column in outer.split(", ")
    ]


@pytest.mark.parametrize(
    ("columns", "names", "message"),
    [
        (["id", "text"], {}, "there is no column 'doc_id'; the columns are id, text"),
        (["doc_id", "text"], {"text": "body"}, "there is no column 'body'"),
        (["doc_id", "text", "level"], {}, "rename the columns level"),
        (["doc_id", "text", "a", "a"], {}, "two columns have the same name"),
    ],
)
def test_invalid_columns_are_rejected_before_spark_is_called(
    columns: list[str], names: dict[str, Any], message: str
) -> None:
    frame: Any = SimpleNamespace(columns=columns)
    with pytest.raises(SourceError, match=message):
        pack_dataframe(frame, **names)
