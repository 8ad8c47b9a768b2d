"""Messages about engines that are not installed; integration_tests covers what engines do."""

import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from treepack import SourceError
from treepack.integrations.arrow import SCHEMA
from treepack.integrations.spark import SPARK_DDL, pack_dataframe


def run_without(module: str, code: str) -> subprocess.CompletedProcess[str]:
    script = f"import sys; sys.modules[{module!r}] = None\n{code}"
    return subprocess.run(
        [sys.executable, "-c", script], check=False, capture_output=True, text=True
    )


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
