"""The figures of packings: how many chunks, how full, cut at which levels, at what cost."""

from collections import Counter
from dataclasses import dataclass, field
from statistics import mean, median
from typing import Any

from treepack.report.cuts import Level, cuts
from treepack.report.packings import Packing
from treepack.report.sums import SAME


@dataclass(frozen=True)
class Figures:
    """The figures of a packing of one or more documents.

    Attributes:
        label: The name of the settings.
        max_tokens: The cap.
        target_tokens: The target.
        documents: The number of documents.
        source_tokens: Tokens of the documents themselves.
        sizes: Tokens to embed of each leaf, in order.
        parent_tokens: Tokens to embed of the chunks above the leaves, if there are levels.
        cuts: The number of cuts at each level.
        tables: The number of tables in chunks.
        tables_cut: The number of those tables that are cut into several pieces.
        oversize: The number of leaves with a block above the cap that was kept whole.
    """

    label: str = field(metadata=SAME)
    max_tokens: int = field(metadata=SAME)
    target_tokens: int = field(metadata=SAME)
    documents: int = 0
    source_tokens: int = 0
    sizes: tuple[int, ...] = ()
    parent_tokens: int = 0
    cuts: Counter[Level] = field(default_factory=Counter[Level])
    tables: int = 0
    tables_cut: int = 0
    oversize: int = 0

    @property
    def embedded_tokens(self) -> int:
        """The tokens to embed in all chunks, parents included."""
        return sum(self.sizes) + self.parent_tokens

    @property
    def fill(self) -> float:
        """The mean size of the chunks, as a share of the target."""
        return mean(self.sizes) / self.target_tokens if self.sizes else 0.0

    @property
    def overhead(self) -> float:
        """The tokens to embed beyond the documents' own tokens, as a share of those."""
        return self.embedded_tokens / self.source_tokens - 1 if self.source_tokens else 0.0

    def summary(self) -> dict[str, Any]:
        """Return the figures as plain values, for tables and JSON."""
        sizes = self.sizes or (0,)
        return {
            "packing": self.label,
            "documents": self.documents,
            "chunks": len(self.sizes),
            "target_tokens": self.target_tokens,
            "max_tokens": self.max_tokens,
            "smallest": min(sizes),
            "median": round(median(sizes)),
            "mean": round(mean(sizes)),
            "largest": max(sizes),
            "fill": round(self.fill, 4),
            "cuts": {level: count for level, count in self.cuts.items() if count},
            "tables": self.tables,
            "tables_cut": self.tables_cut,
            "oversize": self.oversize,
            "source_tokens": self.source_tokens,
            "embedded_tokens": self.embedded_tokens,
            "overhead": round(self.overhead, 4),
        }


def figures(packing: Packing) -> Figures:
    """Compute the figures of one document's packing."""
    leaves = packing.leaves
    parents = [chunk for chunk in packing.chunks if chunk.level < leaves[0].level]
    parts_by_table = {table.id: table.parts for chunk in leaves for table in chunk.tables}
    return Figures(
        label=packing.label,
        max_tokens=packing.config.max_tokens,
        target_tokens=packing.config.target_tokens,
        documents=1,
        source_tokens=packing.document.root.tokens,
        sizes=tuple(chunk.embed_token_count for chunk in leaves),
        parent_tokens=sum(chunk.embed_token_count for chunk in parents),
        cuts=Counter(cut.level for cut in cuts(packing) if cut is not None),
        tables=len(parts_by_table),
        tables_cut=sum(count > 1 for count in parts_by_table.values()),
        oversize=sum(chunk.oversize for chunk in leaves),
    )
