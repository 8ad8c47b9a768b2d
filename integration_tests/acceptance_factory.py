"""How the twenty acceptance checks build treepack's adapters.

``separate`` gives each section a chunk of its own, because some checks expect several nodes even if
the whole document would fit into one. ``full`` metadata, because one check wants the breadcrumb as
an array.
"""

from typing import Any

import treepack
from treepack import PackConfig, TreepackNodeParser, TreepackTextSplitter
from treepack.tokens import token_counter

PACKAGE, LI_NAME, LC_NAME = "treepack", "TreepackNodeParser", "TreepackTextSplitter"
VARIANTS: list[dict[str, Any]] = [
    {"chunk_size": 99},
    {"encoding_name": "o200k_base"},
    {"breadcrumb_separator": "/"},
    {"include_metadata": False},
]
OVERLAPS = (16,)
count = token_counter("cl100k_base")


def make_li(**settings: Any) -> TreepackNodeParser:  # noqa: ANN401 - settings
    return TreepackNodeParser(**_sizes(settings))


def make_lc(**settings: Any) -> TreepackTextSplitter:  # noqa: ANN401 - settings
    return TreepackTextSplitter(**_sizes(settings))


def core_chunks(text: str, size: int) -> list[str]:
    config = PackConfig(max_tokens=size, target_tokens=size, min_tokens=0, sections="separate")
    return [chunk.text for chunk in treepack.pack(treepack.Source(text), config)]


def _sizes(settings: dict[str, Any]) -> dict[str, Any]:
    size = settings.get("chunk_size", 128)
    sizes = {"chunk_size": size, "target_size": size, "min_size": 0, "chunk_overlap": 0}
    return {**sizes, "sections": "separate", "metadata_mode": "full", **settings}
