"""Formats figures for people as plain aligned text, the same in a terminal and in a file."""

from collections.abc import Collection, Sequence
from typing import Final

from treepack.display import aligned, counted, one_line
from treepack.report.census import BOUNDS, Census
from treepack.report.cuts import LEVELS
from treepack.report.figures import Figures
from treepack.report.histogram import doubling

_BAR_WIDTH: Final = 30
_MAX_CAPTION: Final = 50
_CUMULATIVE: Final = ": number and cumulative share"
_SIZE_ROWS: Final = (
    ("target_tokens", "target"),
    ("max_tokens", "cap"),
    ("chunks", "chunks"),
    ("smallest", "smallest chunk"),
    ("median", "median chunk"),
    ("mean", "mean chunk"),
    ("largest", "largest chunk"),
)
_COST_ROWS: Final = (
    ("tables", "tables"),
    ("tables_cut", "tables cut"),
    ("oversize", "kept above the cap"),
    ("source_tokens", "tokens of the source"),
    ("embedded_tokens", "tokens to embed"),
)


def census_text(census: Census) -> str:
    """Return what documents are made of, as text for one page."""
    total = (
        (census.documents, "document"),
        (census.lines, "line"),
        (census.characters, "character"),
        (census.tokens, "token"),
    )
    parts = [
        ", ".join(counted(number, name) for number, name in total),
        _titled("Sections", _depth_rows(census)),
        _titled("Blocks", _kind_rows(census)),
        _titled(
            f"Tokens of sections with their subsections{_CUMULATIVE}",
            _histogram(census.section_tokens),
        ),
        _titled(f"Tokens of sections' own content{_CUMULATIVE}", _histogram(census.own_tokens)),
        _titled(f"Tokens of blocks{_CUMULATIVE}", _histogram(census.block_tokens)),
        _titled("Largest tables", _table_rows(census)),
    ]
    return "\n\n".join(part for part in parts if part)


def figures_text(packings: Sequence[Figures]) -> str:
    """Return the figures of packings side by side, one column for each."""
    rows = [("", *(one_line(figures.label, 30) for figures in packings))]
    summaries = [figures.summary() for figures in packings]
    rows += [(name, *(f"{figures[key]:,}" for figures in summaries)) for key, name in _SIZE_ROWS]
    rows.append(("fill of the target", *(f"{figures.fill:.0%}" for figures in packings)))
    rows += [
        (f"cuts before {level}", *(f"{figures.cuts[level]:,}" for figures in packings))
        for level in LEVELS
        if any(figures.cuts[level] for figures in packings)
    ]
    rows += [(name, *(f"{figures[key]:,}" for figures in summaries)) for key, name in _COST_ROWS]
    rows.append(
        ("more tokens than the source", *(f"{figures.overhead:+.1%}" for figures in packings))
    )
    return _grid(rows)


def _grid(rows: Sequence[Sequence[str]], left: Collection[int] = (0,)) -> str:
    """Return rows in aligned columns; columns in ``left`` are aligned left, the others right."""
    return "\n".join(aligned(rows, {*range(len(rows[0]))} - {*left})) if rows else ""


def _titled(title: str, rows: str) -> str:
    return f"{title}\n{rows}" if rows else ""


def _depth_rows(census: Census) -> str:
    rows = [
        (f"  depth {depth}", f"{count:,}") for depth, count in sorted(census.section_depths.items())
    ]
    return _grid(rows)


def _kind_rows(census: Census) -> str:
    rows = [
        (
            f"  {kind.replace('_', ' ')}",
            f"{count:,}",
            f"{tokens:,} tokens",
            _share(tokens, census.tokens),
        )
        for kind, count, tokens in census.by_kind
    ]
    return _grid(rows)


def _histogram(sizes: Sequence[int]) -> str:
    """Return a line for each class of sizes, with the share of all sizes up to this class."""
    if not sizes:
        return ""
    rows: list[tuple[str, str, str, str]] = []
    count_so_far = 0
    classes = doubling(sizes, BOUNDS)
    largest_count = max(count for _, count in classes)
    while not classes[-1][1]:
        classes.pop()
    for name, count in classes:
        count_so_far += count
        bar = "#" * round(_BAR_WIDTH * count / largest_count)
        rows.append((f"  {name}", f"{count:,}", _share(count_so_far, len(sizes)), bar))
    return _grid(rows, left=(0, 3))


def _table_rows(census: Census) -> str:
    rows = [
        (
            f"  {table.tokens:,} tokens",
            counted(table.rows, "row"),
            counted(table.columns, "column"),
            f"header of {counted(table.header_tokens, 'token')}",
            f"{table.document or '<text>'}:{table.line}",
            one_line(table.caption, _MAX_CAPTION),
        )
        for table in census.largest
    ]
    return _grid(rows, left=(4, 5))


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.0%}" if whole else ""
