"""The migration page for converters' chunkers names each argument of these chunkers."""

import inspect
import re
from pathlib import Path
from typing import Final

import pytest

PAGE: Final = (Path(__file__).parents[1] / "docs" / "migration.md").read_text("utf-8")


def first_column(name: str) -> str:
    part = PAGE.partition(f"`{name}`\n")[2].partition("\n## ")[0]
    return "\n".join(line.split("|")[1] for line in part.splitlines() if line.startswith("| "))


def check(name: str, arguments: set[str]) -> None:
    said = set(re.findall(r"`(\w+)`", first_column(name)))
    assert arguments - said == set()


def test_docling() -> None:
    chunker = pytest.importorskip("docling_core.transforms.chunker.hybrid_chunker").HybridChunker
    check("HybridChunker", set(chunker.model_fields))


def test_unstructured() -> None:
    call = pytest.importorskip("unstructured.chunking.title").chunk_by_title
    check("chunk_by_title", set(inspect.signature(call).parameters) - {"elements"})
