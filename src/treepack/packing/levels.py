"""One document packed under one cap, or under several, largest first: parents and children.

No child crosses the boundary between two parents.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from operator import attrgetter

from treepack.clauses.clause import Clauses
from treepack.clauses.sections import with_clause_sections
from treepack.config import PackConfig
from treepack.document.document import Document
from treepack.packing.chunks.assemble import Assembler
from treepack.packing.chunks.citations import Citations
from treepack.packing.chunks.specs import ChunkSpec
from treepack.packing.context import ContextBuilder
from treepack.packing.sections import SectionPacker


class DocumentPacker:
    """Packs one document.

    Args:
        document: The document, with its page marks.
        clauses: Its clauses; none if the settings do not ask for them.
    """

    def __init__(
        self,
        document: Document,
        clauses: Clauses,
    ) -> None:
        self.document = document
        self.view, self.names = with_clause_sections(document.without_gaps(), clauses)
        self.clauses = clauses
        self.citations = Citations(self.view, clauses)

    def pack(
        self, config: PackConfig, *, boundaries: Sequence[int] = (), salt: str = ""
    ) -> Iterator[ChunkSpec]:
        """Pack under one cap; see `Assembler` for ``boundaries`` and ``salt``."""
        contexts = ContextBuilder(self.view, config, self.clauses, self.names)
        packer = SectionPacker(self.view, config, contexts, boundaries)
        assembler = Assembler(
            self.document, contexts, self.citations, boundaries=boundaries, salt=salt
        )
        return assembler.assemble(packer.group(), packer.plain_tables)

    def pack_levels(self, config: PackConfig) -> Iterator[ChunkSpec]:
        """Pack under each of ``config.levels``; each parent comes before its children."""
        assert config.levels is not None, "asked for only with levels"
        all_specs: list[ChunkSpec] = []
        parents: list[ChunkSpec] = []
        starts: list[int] = []
        for level in range(len(config.levels)):
            salt = f"level {level}" if level < len(config.levels) - 1 else ""
            specs = list(self.pack(config.at_level(level), boundaries=starts, salt=salt))
            for spec in specs:
                parent = parents[bisect_right(starts, spec.start) - 1] if parents else None
                parent_id = parent.values["id"] if parent else None
                all_specs.append(spec.updated(level=level, parent_id=parent_id))
            parents, starts = specs, [spec.start for spec in specs]
        all_specs.sort(key=attrgetter("start"))  # of one start, the larger level stays first
        for index, spec in enumerate(all_specs):
            yield spec.updated(index=index)
