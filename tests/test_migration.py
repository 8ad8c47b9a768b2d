"""The page for users of other splitters is true of both those splitters and treepack."""

import inspect
import re
from pathlib import Path
from typing import Any, Final

import pytest
from langchain_text_splitters import MarkdownHeaderTextSplitter, RecursiveCharacterTextSplitter
from langchain_text_splitters.base import TextSplitter
from llama_index.core.node_parser import (
    HierarchicalNodeParser,
    MarkdownNodeParser,
    SentenceSplitter,
)

from treepack import PackConfig, TreepackNodeParser, TreepackTextSplitter

PAGE: Final = Path(__file__).parents[1] / "docs" / "migration.md"
PARTS: Final = dict(
    re.findall(
        r"^## [^`\n]*`(\w+)`\n(.*?)(?=^## |\Z)", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
)
THEIRS: Final[dict[str, list[Any]]] = {
    "SentenceSplitter": [SentenceSplitter.__init__, SentenceSplitter.from_defaults],
    "MarkdownNodeParser": [MarkdownNodeParser.from_defaults],
    "HierarchicalNodeParser": [HierarchicalNodeParser.from_defaults],
    "RecursiveCharacterTextSplitter": [
        RecursiveCharacterTextSplitter.__init__,
        TextSplitter.__init__,
    ],
    "MarkdownHeaderTextSplitter": [MarkdownHeaderTextSplitter.__init__],
}


def first_two_columns(part: str) -> tuple[str, str]:
    """The first two columns of a part's table, without its header."""
    rows = [line.split("|")[1:3] for line in part.splitlines() if line.startswith("| ")]
    return "\n".join(row[0] for row in rows[1:]), "\n".join(row[1] for row in rows[1:])


@pytest.mark.parametrize("name", THEIRS)
def test_every_argument_of_the_other_splitters_is_listed(name: str) -> None:
    """Otherwise a setting would be lost without a warning."""
    theirs, _ = first_two_columns(PARTS[name])
    arguments = {each for call in THEIRS[name] for each in inspect.signature(call).parameters}
    for argument in arguments - {"self", "kwargs", "data"}:
        assert f"`{argument}`" in theirs


@pytest.mark.parametrize("name", PARTS)
def test_every_recommended_setting_exists(name: str) -> None:
    """Each setting that the page recommends must exist."""
    known = {
        *PackConfig.model_fields,
        *TreepackNodeParser.model_fields,
        *inspect.signature(TreepackTextSplitter).parameters,
        *("breadcrumb", "heading_1", "heading_2"),
    }
    _, ours = first_two_columns(PARTS[name])
    named = re.findall(r"`(\w+)(?:=[^`]*)?`", ours)
    assert named
    assert set(named) <= known
