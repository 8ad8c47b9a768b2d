"""Parents and children: one document packed under several caps, largest first.

No child crosses the boundary between two parents.
"""

from bisect import bisect_right
from collections.abc import Iterator
from operator import itemgetter

from treepack.config import PackConfig
from treepack.document.clause_tree import clause_view
from treepack.document.document import Document
from treepack.packing.chunks.assemble import Assembler
from treepack.packing.chunks.specs import ChunkSpec
from treepack.packing.context import ContextBuilder
from treepack.packing.sections import SectionPacker
from treepack.packing.templates import Template


def pack_levels(
    document: Document, config: PackConfig, template: Template | None
) -> Iterator[ChunkSpec]:
    """Pack under each of ``config.levels``; each parent comes before its children."""
    assert config.levels is not None, "asked for only with levels"
    found: list[tuple[int, int, ChunkSpec]] = []
    boundaries: tuple[int, ...] = ()
    parents: list[ChunkSpec] = []
    whole = document.without_gaps
    for level in range(len(config.levels)):
        limits = config.at_level(level)
        view, clauses = clause_view(whole, with_clauses=limits.clauses)
        contexts = ContextBuilder(view, limits, template, clauses)
        packer = SectionPacker(view, limits, contexts, boundaries)
        groups = packer.group()
        starts = tuple(group[0].start for group in groups)
        salt = f"level {level}" if level < len(config.levels) - 1 else ""
        assembler = Assembler(document, limits, contexts, boundaries=boundaries, salt=salt)
        specs = list(assembler.assemble(groups, packer.splitter.plain_tables))
        for start, spec in zip(starts, specs, strict=True):
            parent = parents[bisect_right(boundaries, start) - 1].values["id"] if parents else None
            found.append((start, level, spec.updated(level=level, parent_id=parent)))
        boundaries, parents = starts, specs
    found.sort(key=itemgetter(0, 1))
    for index, (_, _, spec) in enumerate(found):
        yield spec.updated(index=index)
