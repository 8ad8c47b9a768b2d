"""The values that the page shows of a packing; their text is already escaped."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import mean, median
from typing import Final, NamedTuple

from treepack.config import PackConfig
from treepack.display import counted, one_line
from treepack.laws import Finding
from treepack.model.chunk import body_span
from treepack.report_page.chunk_view import ChunkView, chunk_views
from treepack.report_page.cuts import LEVELS, Cut, cuts
from treepack.report_page.packing import Packing
from treepack.report_page.sections import SectionRow, section_rows

_MOST_FINDINGS: Final = 200
_BARS: Final = 24
_MOST_WIDTH: Final = 40  # of a block of the map, which the longest chunk has
_FILLS: Final = (0.25, 0.5, 0.75, 1.0)
_FILLS_IN_WORDS: Final = (
    *("up to 25%", "25% to 50%", "50% to 75%", "75% to 100%"),
    *("above the target", "above the cap"),
)
"""The colours of blocks, which are numbered from 1."""

_CUT_MARKS: Final = dict(zip(LEVELS, "skirltdx", strict=True))
"""The CSS class of the mark at the beginning of a block, by what was cut there."""


class MapBlock(NamedTuple):
    """A block of the map: the anchor of its chunk, its looks, and the chunk in words."""

    target: str
    width: int
    fill: int
    mark: str
    label: str


class Bar(NamedTuple):
    """A bar of the histogram: its sizes, their number, and that in percent of the largest one."""

    low: int
    high: int
    chunks: int
    height: int


@dataclass(frozen=True)
class ReportPage:
    """What the page shows besides the packing; each finding has the anchor of its chunk."""

    findings: Sequence[tuple[str, str]]
    blocks: Sequence[MapBlock]
    histogram: Sequence[Bar]
    settings: Sequence[tuple[str, str]]
    figures: Sequence[tuple[str, str]]
    fills: Sequence[tuple[int, str]]
    marks: Sequence[tuple[str, str]]
    outline: Sequence[SectionRow]
    chunks: Sequence[ChunkView]


def view(packing: Packing) -> ReportPage:
    """Collect what the page shows of a packing."""
    leaf_cuts = list(cuts(packing))
    blocks = list(_map_blocks(packing, leaf_cuts))
    fills, marks = {block.fill for block in blocks}, {block.mark for block in blocks}
    sizes = [chunk.embed_token_count for chunk in packing.leaves]
    findings = packing.audit.findings[:_MOST_FINDINGS]
    return ReportPage(
        findings=[(_anchor(packing, finding), str(finding)) for finding in findings],
        blocks=blocks,
        histogram=list(_bars(sizes, packing.config.max_tokens)),
        settings=list(_settings(packing.config)),
        figures=list(_figures(packing, sizes, leaf_cuts)),
        fills=[(each, words) for each, words in enumerate(_FILLS_IN_WORDS, 1) if each in fills],
        marks=[(mark, level) for level, mark in _CUT_MARKS.items() if mark in marks],
        outline=list(section_rows(packing)),
        chunks=list(chunk_views(packing, leaf_cuts)),
    )


def _anchor(packing: Packing, finding: Finding) -> str:
    """Return the anchor of a finding's chunk; empty for parents, which are not on the page."""
    chunk = None if finding.chunk is None else packing.chunks[finding.chunk]
    is_shown = chunk is not None and chunk.level == packing.leaves[0].level
    return f"a{chunk.index}" if chunk and is_shown else ""


def _map_blocks(packing: Packing, leaf_cuts: Sequence[Cut | None]) -> Iterator[MapBlock]:
    """Yield a block for each leaf, given why each begins where it does."""
    target, cap = packing.config.target_tokens, packing.config.max_tokens
    lengths = [end - start for start, end in map(body_span, packing.leaves)]
    longest = max([1, *lengths])
    for chunk, cut, length in zip(packing.leaves, leaf_cuts, lengths, strict=True):
        size = chunk.embed_token_count
        share = f"{size / target:.0%} of the target"
        words = [f"Chunk {chunk.index}: {counted(size, 'token')}, {share}"]
        words += [one_line(name) for name in chunk.breadcrumb[-1:]]
        words += [f"cut before {cut.next_unit}"] if cut else []
        fill = 1 + sum(size > share * target for share in _FILLS)
        yield MapBlock(
            f"a{chunk.index}",
            max(round(_MOST_WIDTH * length / longest), 1),
            len(_FILLS_IN_WORDS) if size > cap else fill,
            _CUT_MARKS[cut.level] if cut else "",
            ". ".join(filter(None, words)),
        )


def _bars(sizes: Sequence[int], cap: int) -> Iterator[Bar]:
    """Yield the numbers of sizes in classes of equal width, up to the cap or the largest size."""
    width = max(-(-max([cap, *sizes]) // _BARS), 1)
    counts = Counter(max(size - 1, 0) // width for size in sizes)
    most = max(counts.values(), default=1)
    for number in range(_BARS):
        count = counts[number]
        yield Bar(number * width + 1, (number + 1) * width, count, round(100 * count / most))


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
