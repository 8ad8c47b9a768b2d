"""Figures of packings: how many chunks, how full, cut where, at what cost."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import mean, median
from typing import Any

from treepack.report.cuts import Level, cuts
from treepack.report.packings import Packing


@dataclass(frozen=True)
class Figures:
    """What can be counted of the packing of one document or many.

    Attributes:
        label: What people know the settings by.
        max_tokens: The cap.
        target_tokens: The target.
        documents: How many documents there are.
        source_tokens: Tokens of the documents as they are.
        sizes: Tokens to embed of each leaf, in order.
        parent_tokens: Tokens to embed of the chunks above the leaves, if there are levels.
        body_tokens: Tokens of what the leaves hold of their own.
        cuts: How many cuts there are at each level.
        tables: How many tables there are in chunks.
        tables_cut: How many of them stand in several pieces.
        oversize: How many blocks above the cap were kept whole.
    """

    label: str
    max_tokens: int
    target_tokens: int
    documents: int = 0
    source_tokens: int = 0
    sizes: tuple[int, ...] = ()
    parent_tokens: int = 0
    body_tokens: int = 0
    cuts: Counter[Level] = field(default_factory=Counter[Level])
    tables: int = 0
    tables_cut: int = 0
    oversize: int = 0

    @property
    def embedded_tokens(self) -> int:
        """What embedding all chunks costs, in tokens."""
        return sum(self.sizes) + self.parent_tokens

    @property
    def fill(self) -> float:
        """How full the chunks are on average, as a share of the target."""
        return mean(self.sizes) / self.target_tokens if self.sizes else 0.0

    @property
    def overhead(self) -> float:
        """What is embedded beyond the documents' own tokens, as a share of these."""
        return self.embedded_tokens / self.source_tokens - 1 if self.source_tokens else 0.0

    def summary(self) -> dict[str, Any]:
        """The figures as plain values, for tables and JSON."""
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
    """Count what one document's packing gives."""
    leaves = packing.leaves
    parts = {table.id: table.parts for chunk in leaves for table in chunk.tables}
    return Figures(
        label=packing.label,
        max_tokens=packing.config.max_tokens,
        target_tokens=packing.config.target_tokens,
        documents=1,
        source_tokens=packing.document.root.tokens,
        sizes=tuple(chunk.embed_token_count for chunk in leaves),
        parent_tokens=sum(c.embed_token_count for c in packing.chunks if c.level < leaves[0].level),
        body_tokens=sum(
            packing.document.tokens.count(*segment.span)
            for chunk in leaves
            for segment in chunk.segments
            if segment.role == "body" and segment.span
        ),
        cuts=Counter(cut.level for cut in cuts(packing) if cut is not None),
        tables=len(parts),
        tables_cut=sum(count > 1 for count in parts.values()),
        oversize=sum(chunk.oversize for chunk in leaves),
    )


def merged(every: Iterable[Figures]) -> Figures:
    """The figures of several documents under the same settings as one.

    Raises:
        ValueError: There are none.
    """
    found = list(every)
    if not found:
        msg = "no figures to put together"
        raise ValueError(msg)
    counts: Counter[Level] = Counter()
    for each in found:
        counts.update(each.cuts)
    return Figures(
        label=found[0].label,
        max_tokens=found[0].max_tokens,
        target_tokens=found[0].target_tokens,
        documents=sum(each.documents for each in found),
        source_tokens=sum(each.source_tokens for each in found),
        sizes=tuple(size for each in found for size in each.sizes),
        parent_tokens=sum(each.parent_tokens for each in found),
        body_tokens=sum(each.body_tokens for each in found),
        cuts=counts,
        tables=sum(each.tables for each in found),
        tables_cut=sum(each.tables_cut for each in found),
        oversize=sum(each.oversize for each in found),
    )
