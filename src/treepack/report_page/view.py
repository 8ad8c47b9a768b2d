"""The values that the page shows of a packing; their text is already escaped."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import mean, median
from typing import Final

from treepack.config import PackConfig
from treepack.display import one_line
from treepack.laws import AuditReport, Finding
from treepack.model.outline_change import OutlineChange
from treepack.report_page.chunk_map import MapBlock, cuts_in, fills_in, map_blocks
from treepack.report_page.chunk_view import ChunkView, chunk_views
from treepack.report_page.cuts import LEVELS, Cut, cuts
from treepack.report_page.histogram import Bar, bars
from treepack.report_page.packing import Packing
from treepack.report_page.sections import SectionRow, section_rows

_MOST_FINDINGS: Final = 200


@dataclass(frozen=True)
class ReportPage:
    """Everything that the page shows; each finding has the anchor of its chunk."""

    title: str
    tokens: int
    lines: int
    config: PackConfig
    audit: AuditReport
    findings: Sequence[tuple[str, str]]
    blocks: Sequence[MapBlock]
    histogram: Sequence[Bar]
    settings: Sequence[tuple[str, str]]
    figures: Sequence[tuple[str, str]]
    fills: Sequence[tuple[int, str]]
    marks: Sequence[tuple[str, str]]
    outline: Sequence[SectionRow]
    changes: Sequence[OutlineChange]
    chunks: Sequence[ChunkView]

    @property
    def passed(self) -> int:
        """How many laws were checked without a finding."""
        laws = self.audit.laws
        return sum(not law.findings for law in laws if law.checked or not law.unchecked)

    @property
    def in_part(self) -> list[int]:
        """The laws that could be checked only in part."""
        return [law.law for law in self.audit.laws if law.unchecked and law.checked]


def view(packing: Packing) -> ReportPage:
    """Collect what the page shows of a packing."""
    document, source = packing.document, packing.document.source
    leaf_cuts = list(cuts(packing))
    blocks = map_blocks(packing, leaf_cuts)
    sizes = [chunk.embed_token_count for chunk in packing.leaves]
    return ReportPage(
        title=source.name or "document",
        tokens=document.root.tokens,
        lines=source.line_count,
        config=packing.config,
        audit=packing.audit,
        findings=[
            (_anchor(packing, finding), str(finding))
            for finding in packing.audit.findings[:_MOST_FINDINGS]
        ],
        blocks=blocks,
        histogram=bars(sizes, packing.config.max_tokens),
        settings=list(_settings(packing.config)),
        figures=list(_figures(packing, sizes, leaf_cuts)),
        fills=fills_in(blocks),
        marks=cuts_in(blocks),
        outline=list(section_rows(packing)),
        changes=document.outline_changes,
        chunks=chunk_views(packing, leaf_cuts),
    )


def _anchor(packing: Packing, finding: Finding) -> str:
    """Return the anchor of a finding's chunk; empty for parents, which are not on the page."""
    chunk = None if finding.chunk is None else packing.chunks[finding.chunk]
    is_shown = chunk is not None and chunk.level == packing.leaves[0].level
    return f"a{chunk.index}" if chunk and is_shown else ""


def _settings(config: PackConfig) -> Iterator[tuple[str, str]]:
    """Yield the limits, and the settings that differ from the defaults."""
    default = PackConfig()
    for name in PackConfig.model_fields:
        value = getattr(config, name)
        if name in {"target_tokens", "max_tokens"} or value != getattr(default, name):
            yield name, one_line(str(value))


def _figures(
    packing: Packing, sizes: Sequence[int], leaf_cuts: Sequence[Cut | None]
) -> Iterator[tuple[str, str]]:
    source_tokens = packing.document.root.tokens
    embedded_tokens = sum(chunk.embed_token_count for chunk in packing.chunks)
    pieces = {table.id: table.parts for chunk in packing.leaves for table in chunk.tables}
    counts = Counter(cut.level for cut in leaf_cuts if cut is not None)
    yield "chunks", f"{len(sizes):,}"
    if sizes:
        yield "tokens of the median chunk", f"{round(median(sizes)):,}"
        yield "tokens of the largest chunk", f"{max(sizes):,}"
        yield "mean fill of the target", f"{mean(sizes) / packing.config.target_tokens:.0%}"
    yield "tokens to embed", f"{embedded_tokens:,}"
    if source_tokens:
        yield "more tokens than the document", f"{embedded_tokens / source_tokens - 1:+.1%}"
    yield "tables", f"{len(pieces):,}"
    yield "tables that are cut", f"{sum(parts > 1 for parts in pieces.values()):,}"
    yield "kept above the cap", f"{sum(chunk.oversize for chunk in packing.leaves):,}"
    for level in LEVELS:
        if counts[level]:
            yield f"cuts before {level}", f"{counts[level]:,}"
