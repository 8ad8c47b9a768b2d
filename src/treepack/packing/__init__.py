"""A document becomes chunks, greedily along its section tree, under a target and a cap.

Input: a `Document`, or what `treepack.parse` turns into one. Output: `Chunks`. ``packer`` shows all
steps on one page.

============= ==================================================================================
module        what it does
============= ==================================================================================
packer        all steps: from a source to its chunks, under one cap or several
sections      the section tree becomes groups of pieces
runs          neighbouring pieces of one parent become groups, divided at cut points first
pieces        what packing moves as a whole; the frames around it: items, quotes, fences, tables
split         a package: a block that is too large is cut by its kind
context       what comes before a chunk's body: breadcrumb line, repeated heading, opened frames
budget        the size of pieces with their context, compared with target and cap
chunks        a package: groups become records
indexes       sections and blocks in source order, to look up what holds a span, and what it holds
many          many documents, in one process or several
processes     one function for many tasks in several processes, with outcomes in order
============= ==================================================================================
"""

from treepack.model.chunk import Chunk, Reference, Segment, Skipped, TableSlice
from treepack.model.section import OutlineChange
from treepack.packing.chunks.chunks import Chunks
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
