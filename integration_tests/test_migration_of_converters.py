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


def check_all_arguments_are_named(name: str, arguments: set[str]) -> None:
    named = set(re.findall(r"`(\w+)`", first_column(name)))
    assert arguments - named == set()


def test_the_page_names_each_argument_of_the_docling_chunker() -> None:
    chunker = pytest.importorskip("docling_core.transforms.chunker.hybrid_chunker").HybridChunker
    check_all_arguments_are_named("HybridChunker", set(chunker.model_fields))


def test_the_page_names_each_argument_of_the_unstructured_chunker() -> None:
    call = pytest.importorskip("unstructured.chunking.title").chunk_by_title
    check_all_arguments_are_named(
        "chunk_by_title", set(inspect.signature(call).parameters) - {"elements"}
    )
