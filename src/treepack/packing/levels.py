"""Parents and children: one document packed under several caps, each within the one before.

Where a parent ends, its children end: the parents' bounds are walls that no smaller chunk crosses.
"""

from bisect import bisect_right
from collections.abc import Iterator
from operator import itemgetter

from treepack.config import PackConfig
from treepack.document.tree import Document
from treepack.packing.assemble import Assembler
from treepack.packing.context import ContextMaker
from treepack.packing.drafts import Draft
from treepack.packing.groups import Grouper
from treepack.packing.rendering import Rendering


def pack_levels(
    document: Document, config: PackConfig, rendering: Rendering | None
) -> Iterator[Draft]:
    """Pack under each of ``config.levels``; each chunk is followed by those inside of it."""
    assert config.levels is not None, "asked for only with levels"
    found: list[tuple[int, int, Draft]] = []
    walls: tuple[int, ...] = ()
    parents: list[Draft] = []
    view = document.without_gaps
    for level in range(len(config.levels)):
        limits = config.at_level(level)
        contexts = ContextMaker(view, limits, rendering)
        grouper = Grouper(view, limits, contexts, walls)
        groups = grouper.group()
        starts = tuple(group[0].start for group in groups)
        salt = f"level {level}" if level < len(config.levels) - 1 else ""
        assembler = Assembler(document, limits, contexts, walls=walls, salt=salt)
        drafts = list(assembler.assemble(groups, grouper.splitter.torn))
        for start, draft in zip(starts, drafts, strict=True):
            parent = parents[bisect_right(walls, start) - 1].values["id"] if parents else None
            found.append((start, level, draft.updated(level=level, parent_id=parent)))
        walls, parents = starts, drafts
    found.sort(key=itemgetter(0, 1))
    for index, (_, _, draft) in enumerate(found):
        yield draft.updated(index=index)
