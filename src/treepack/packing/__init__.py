"""Chunk: hierarchical greedy packing of a document under a target and a cap."""

from treepack.packing.chunk import Chunk, OutlineChange, Reference, Segment, Skipped, TableSlice
from treepack.packing.chunks import Chunks
from treepack.packing.many import Failure, pack_many
from treepack.packing.packer import Packer, pack

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
