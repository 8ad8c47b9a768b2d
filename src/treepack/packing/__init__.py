"""Packing: a document becomes chunks, greedily along its section tree, under a target and a cap."""

from treepack.model.chunk import (
    Chunk,
    Reference,
    Segment,
    Skipped,
    TableSlice,
)
from treepack.model.outline_change import OutlineChange
from treepack.packing.chunks.chunks import Chunks
from treepack.packing.packer import Packer, pack
from treepack.packing.parallel.many import Failure, pack_many

__all__ = [
    "Chunk",
    "Chunks",
    "Failure",
    "OutlineChange",
    "Packer",
    "Reference",
    "Segment",
    "Skipped",
    "TableSlice",
    "pack",
    "pack_many",
]
