"""Formats figures for people as plain aligned text, the same in a terminal and in a file."""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from treepack.display import aligned, counted, one_line
from treepack.report.census import BOUNDS, Census
from treepack.report.cuts import LEVELS
from treepack.report.figures import Figures
from treepack.report.histogram import doubling

_BAR: Final = 30
_TITLE: Final = 50
_SO_FAR: Final = ": number and cumulative share"
_COUNTED: Final = (
    ("target_tokens", "target"),
    ("max_tokens", "cap"),
    ("chunks", "chunks"),
    ("smallest", "smallest chunk"),
    ("median", "median chunk"),
    ("mean", "mean chunk"),
    ("largest", "largest chunk"),
)
_COST: Final = (
    ("tables", "tables"),
    ("tables_cut", "tables cut"),
    ("oversize", "kept above the cap"),
    ("source_tokens", "tokens of the source"),
    ("embedded_tokens", "tokens to embed"),
)


def census_text(found: Census) -> str:
    """Return what documents are made of, as text for one page."""
    total = (
        (found.documents, "document"),
        (found.lines, "line"),
        (found.characters, "character"),
        (found.tokens, "token"),
    )
    parts = [
        ", ".join(counted(number, name) for number, name in total),
        _titled("Sections", _depth_rows(found)),
        _titled("Blocks", _kind_rows(found)),
        _titled(f"Tokens of sections with their subsections{_SO_FAR}", _histogram(found.sections)),
        _titled(f"Tokens of sections' own content{_SO_FAR}", _histogram(found.own)),
        _titled(f"Tokens of blocks{_SO_FAR}", _histogram(found.blocks)),
        _titled("Largest tables", _table_rows(found)),
    ]
    return "\n\n".join(part for part in parts if part)


def figures_text(packings: Sequence[Figures]) -> str:
    """Return the figures of packings side by side, one column for each."""
    rows = [("", *(one_line(each.label, 30) for each in packings))]
    summaries = [each.summary() for each in packings]
    rows += [(name, *(f"{each[key]:,}" for each in summaries)) for key, name in _COUNTED]
    rows.append(("fill of the target", *(f"{each.fill:.0%}" for each in packings)))
    rows += [
        (f"cuts before {level}", *(f"{each.cuts[level]:,}" for each in packings))
        for level in LEVELS
        if any(each.cuts[level] for each in packings)
    ]
    rows += [(name, *(f"{each[key]:,}" for each in summaries)) for key, name in _COST]
    rows.append(("more tokens than the source", *(f"{each.overhead:+.1%}" for each in packings)))
    return _grid(rows)


def _grid(rows: Sequence[Sequence[str]], left: Collection[int] = (0,)) -> str:
    """Return rows in aligned columns; columns in ``left`` are aligned left, the others right."""
    return "\n".join(aligned(rows, {*range(len(rows[0]))} - {*left})) if rows else ""


def _titled(title: str, rows: str) -> str:
    return f"{title}\n{rows}" if rows else ""


def _depth_rows(found: Census) -> str:
    rows = [(f"  depth {depth}", f"{count:,}") for depth, count in sorted(found.depths.items())]
    return _grid(rows)


def _kind_rows(found: Census) -> str:
    rows = [
        (
            f"  {kind.replace('_', ' ')}",
            f"{count:,}",
            f"{tokens:,} tokens",
            _share(tokens, found.tokens),
        )
        for kind, count, tokens in found.by_kind
    ]
    return _grid(rows)


def _histogram(sizes: Sequence[int]) -> str:
    """Return a line for each class of sizes, with the share of all sizes up to this class."""
    if not sizes:
        return ""
    rows: list[tuple[str, str, str, str]] = []
    so_far = 0
    classes = doubling(sizes, BOUNDS)
    most = max(count for _, count in classes)
    for name, count in _without_empty_end(classes):
        so_far += count
        bar = "#" * round(_BAR * count / most)
        rows.append((f"  {name}", f"{count:,}", _share(so_far, len(sizes)), bar))
    return _grid(rows, left=(0, 3))


def _without_empty_end(classes: Sequence[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    last = max((at for at, (_, count) in enumerate(classes) if count), default=0)
    yield from classes[: last + 1]


def _table_rows(found: Census) -> str:
    rows = [
        (
            f"  {table.tokens:,} tokens",
            counted(table.rows, "row"),
            counted(table.columns, "column"),
            f"header of {counted(table.header_tokens, 'token')}",
            f"{table.document or '<text>'}:{table.line}",
            one_line(table.caption, _TITLE),
        )
        for table in found.largest
    ]
    return _grid(rows, left=(4, 5))


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.0%}" if whole else ""
