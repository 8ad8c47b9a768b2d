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


def done_without(module: str, code: str) -> subprocess.CompletedProcess[str]:
    script = f"import sys; sys.modules[{module!r}] = None\n{code}"
    return subprocess.run(
        [sys.executable, "-c", script], check=False, capture_output=True, text=True
    )


def test_without_ray_the_extra_is_named_and_nothing_is_written(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("A.", encoding="utf-8")
    call = ["treepack", "pack", str(tmp_path), "-o", str(tmp_path / "out"), "--engine", "ray"]
    done = done_without("ray", f"from treepack.cli import main; sys.argv = {call}; main()")
    said = 'treepack: what packs on Ray needs its extra: pip install "treepack[ray]"\n'
    assert (2, said) == (done.returncode, done.stderr)
    assert ["a.md"] == [file.name for file in tmp_path.iterdir()]


def test_without_spark_the_extra_is_named() -> None:
    code = """
from types import SimpleNamespace
from treepack.integrations.spark import pack_dataframe
pack_dataframe(SimpleNamespace(columns=["doc_id", "text"]))
"""
    done = done_without("pyspark", code)
    assert (
        'MissingExtraError: what packs on Spark needs its extra: pip install "treepack[spark]"'
        in (done.stderr)
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "--engine ray writes a folder of Parquet files; name it with --output"),
        (["-o", "-"], "--engine ray writes a folder of Parquet files; name it with --output"),
        (["-o", "out.jsonl"], "but out.jsonl is the name of a file"),
        (["-o", "out.md"], "but out.md is the name of a file"),
        (["-o", "x.md.old"], "x.md.old is a file; --output needs the name of a new folder"),
        (["-o", "full"], "full is a folder that is not empty; --output needs the name of a new"),
        (["-o", "nowhere/out"], "of the output folder does not exist"),
        (["-o", "out", "--jobs", "2"], "--jobs is for --engine local"),
    ],
)
def test_a_call_that_makes_no_sense_on_ray_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for file in (Path("x.md"), Path("x.md.old"), Path("full/x.md")):
        file.parent.mkdir(exist_ok=True)
        file.write_text("A.", encoding="utf-8")
    before = sorted(tmp_path.rglob("*"))
    result = CliRunner().invoke(app, ["pack", "x.md", "--engine", "ray", *arguments])
    assert 2 == result.exit_code
    assert said in result.stderr
    assert before == sorted(tmp_path.rglob("*"))


def test_the_ddl_names_the_columns_of_the_schema() -> None:
    """Whether the types match too is tested with Spark, where it is installed."""
    outer, depth = "", 0
    for sign in SPARK_DDL:
        depth -= sign == ">"
        outer += sign if not depth else ""
        depth += sign == "<"
    assert [f"`{name}`" for name in SCHEMA.names] == [
        column.split()[0] for column in outer.split(", ")
    ]


@pytest.mark.parametrize(
    ("columns", "names", "said"),
    [
        (["id", "text"], {}, "there is no column 'doc_id'; the columns are id, text"),
        (["doc_id", "text"], {"text": "body"}, "there is no column 'body'"),
        (["doc_id", "text", "level"], {}, "rename level"),
        (["doc_id", "text", "a", "a"], {}, "two columns have one name"),
    ],
)
def test_columns_that_make_no_sense_are_named_before_spark_is_asked(
    columns: list[str], names: dict[str, Any], said: str
) -> None:
    frame: Any = SimpleNamespace(columns=columns)
    with pytest.raises(SourceError, match=said):
        pack_dataframe(frame, **names)
