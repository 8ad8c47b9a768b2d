"""The values that the page shows of packings; their text is already escaped."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from treepack.config import PackConfig
from treepack.display import one_line
from treepack.laws import Finding
from treepack.model.outline_change import OutlineChange
from treepack.report.chunk_map import MapBlock, cuts_in, fills_in, length_of, map_blocks
from treepack.report.chunk_view import ChunkView, chunk_views
from treepack.report.cuts import LEVELS, Cut, cuts
from treepack.report.figures import Figures, figures
from treepack.report.histogram import Bar, bars
from treepack.report.packings import Packing
from treepack.report.sections import SectionRow, section_rows
from treepack.report.strips import StripPart, strips

_MOST_FINDINGS: Final = 200
_KEYS: Final = "abcdefgh"


@dataclass(frozen=True)
class PackingView:
    """What the page shows of a packing as a whole; each finding has the anchor of its chunk."""

    packing: Packing
    blocks: Sequence[MapBlock]
    histogram: Sequence[Bar]
    findings: Sequence[tuple[str, str]]

    @property
    def passed(self) -> int:
        """How many laws were checked without a finding."""
        laws = self.packing.audit.laws
        return sum(not law.findings for law in laws if law.checked or not law.unchecked)

    @property
    def in_part(self) -> list[int]:
        """The laws that could be checked only in part."""
        return [law.law for law in self.packing.audit.laws if law.unchecked and law.checked]


@dataclass(frozen=True)
class ReportPage:
    """Everything that the page shows."""

    title: str
    tokens: int
    lines: int
    packings: Sequence[PackingView]
    strips: Sequence[Sequence[Sequence[StripPart]]]
    settings: Sequence[tuple[str, Sequence[str]]]
    figures: Sequence[tuple[str, Sequence[str]]]
    fills: Sequence[tuple[int, str]]
    marks: Sequence[tuple[str, str]]
    outline: Sequence[SectionRow]
    changes: Sequence[OutlineChange]
    rows: Sequence[Sequence[Sequence[ChunkView]]]


def view(packings: Sequence[Packing]) -> ReportPage:
    """Collect what the page shows of packings of one text."""
    first = packings[0]
    source = first.document.source
    scale = max(packing.config.max_tokens for packing in packings)
    cuts_by_packing = [list(cuts(packing)) for packing in packings]
    chunks = [
        chunk_views(packing, key, leaf_cuts, scale)
        for packing, key, leaf_cuts in zip(packings, _KEYS, cuts_by_packing, strict=False)
    ]
    views = _packings(packings, cuts_by_packing, scale)
    blocks = [block for shown in views for block in shown.blocks]
    return ReportPage(
        title=source.name or "document",
        tokens=first.document.root.tokens,
        lines=source.line_count,
        packings=views,
        strips=strips([shown.blocks for shown in views], len(source.text)) if views[1:] else (),
        settings=list(_settings([packing.config for packing in packings])),
        figures=list(_figures([figures(packing) for packing in packings])),
        fills=fills_in(blocks),
        marks=cuts_in(blocks),
        outline=list(section_rows(first)),
        changes=first.document.outline_changes,
        rows=_rows(packings, chunks),
    )


def _packings(
    packings: Sequence[Packing], cuts_by_packing: Sequence[Sequence[Cut | None]], scale: int
) -> list[PackingView]:
    """Return the views of all packings, which are drawn to the same scale."""
    sizes = [[chunk.embed_token_count for chunk in packing.leaves] for packing in packings]
    largest = max([scale, *(size for of_packing in sizes for size in of_packing)])
    widest = max((length_of(chunk) for packing in packings for chunk in packing.leaves), default=1)
    most = max(bar.count for of_packing in sizes for bar in bars(of_packing, largest))
    return [
        _packing(packing, key, map_blocks(packing, key, why, widest), bars(of, largest, most=most))
        for packing, key, why, of in zip(packings, _KEYS, cuts_by_packing, sizes, strict=False)
    ]


def _packing(
    packing: Packing, key: str, blocks: Sequence[MapBlock], histogram: Sequence[Bar]
) -> PackingView:
    shown = packing.audit.findings[:_MOST_FINDINGS]
    findings = [(_anchor(packing, key, finding), str(finding)) for finding in shown]
    return PackingView(packing, blocks, histogram, findings)


def _anchor(packing: Packing, key: str, finding: Finding) -> str:
    """Return the anchor of a finding's chunk; empty for parents, which are not on the page."""
    chunk = None if finding.chunk is None else packing.chunks[finding.chunk]
    is_shown = chunk is not None and chunk.level == packing.leaves[0].level
    return f"{key}{chunk.index}" if chunk and is_shown else ""


def _settings(configs: Sequence[PackConfig]) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the limits, and the settings that differ from the defaults or between packings."""
    default = PackConfig()
    for name in PackConfig.model_fields:
        values = [_value_in_words(getattr(config, name)) for config in configs]
        if name in {"target_tokens", "max_tokens"} or {*values} != {
            _value_in_words(getattr(default, name))
        }:
            yield name, values


def _value_in_words(value: Any) -> str:  # noqa: ANN401 - a setting may have any type
    return one_line(str(value))


def _figures(packings: Sequence[Figures]) -> Iterator[tuple[str, Sequence[str]]]:
    for name, in_words in _FIGURES:
        yield name, [in_words(each) for each in packings]
    for level in LEVELS:
        if any(each.cuts[level] for each in packings):
            yield f"cuts before {level}", [f"{each.cuts[level]:,}" for each in packings]


_FIGURES: Final[Sequence[tuple[str, Callable[[Figures], str]]]] = (
    ("chunks", lambda f: f"{len(f.sizes):,}"),
    ("tokens of the median chunk", lambda f: f"{f.summary()['median']:,}"),
    ("tokens of the largest chunk", lambda f: f"{f.summary()['largest']:,}"),
    ("mean fill of the target", lambda f: f"{f.fill:.0%}"),
    ("tokens to embed", lambda f: f"{f.embedded_tokens:,}"),
    ("more tokens than the document", lambda f: f"{f.overhead:+.1%}"),
    ("tables", lambda f: f"{f.tables:,}"),
    ("tables that are cut", lambda f: f"{f.tables_cut:,}"),
    ("kept above the cap", lambda f: f"{f.oversize:,}"),
)


def _rows(
    packings: Sequence[Packing], views: Sequence[Sequence[ChunkView]]
) -> Sequence[Sequence[Sequence[ChunkView]]]:
    """Put chunks side by side; a new row begins where all packings cut at the same place."""
    if len(packings) == 1:
        return [[views[0]]]
    common = sorted(set[int].intersection(*(set(packing.starts) for packing in packings)))
    columns: list[dict[int, list[ChunkView]]] = []
    for packing, of_packing in zip(packings, views, strict=True):
        column: dict[int, list[ChunkView]] = defaultdict(list)
        for start, chunk in zip(packing.starts, of_packing, strict=True):
            column[bisect_right(common, start)].append(chunk)
        columns.append(column)
    numbers = sorted({number for column in columns for number in column})
    return [[column.get(number, []) for column in columns] for number in numbers]
