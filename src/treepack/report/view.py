"""The values that the page shows of packings; their text is already escaped."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from treepack.config import PackConfig
from treepack.display import one_line
from treepack.laws import LAWS, Finding
from treepack.model.outline_change import OutlineChange
from treepack.report.chunk_view import ChunkView, chunk_views
from treepack.report.cuts import LEVELS
from treepack.report.figures import Figures, figures
from treepack.report.histogram import Bar, bars
from treepack.report.packings import Packing

_DEEPEST: Final = 8
_MOST_FINDINGS: Final = 200


@dataclass(frozen=True)
class OutlineEntry:
    """A section in the outline.

    Attributes:
        title: Its heading.
        depth: Its depth, from 0, limited for very deep sections.
        tokens: Its tokens, sub-sections included.
        target: The anchor of the chunk in which it begins.
    """

    title: str
    depth: int
    tokens: int
    target: str


@dataclass(frozen=True)
class PackingView:
    """What the page shows of a packing as a whole."""

    label: str
    key: str
    histogram: Sequence[Bar]
    largest: int
    target: int
    cap: int
    broken: int
    laws: Sequence[tuple[str, str, int, str]]
    findings: Sequence[tuple[str, str]]
    more_findings: int


@dataclass(frozen=True)
class Page:
    """Everything that the page shows."""

    title: str
    tokens: int
    lines: int
    packings: Sequence[PackingView]
    settings: Sequence[tuple[str, Sequence[str]]]
    figures: Sequence[tuple[str, Sequence[str]]]
    outline: Sequence[OutlineEntry]
    changes: Sequence[OutlineChange]
    rows: Sequence[Sequence[Sequence[ChunkView]]]


def view(packings: Sequence[Packing]) -> Page:
    """Collect what the page shows of packings of one text."""
    first = packings[0]
    source = first.document.source
    chunks = [chunk_views(each, key) for each, key in zip(packings, "abcdefgh", strict=False)]
    return Page(
        title=source.name or "document",
        tokens=first.document.root.tokens,
        lines=source.line_count,
        packings=[_packing(each, key) for each, key in zip(packings, "abcdefgh", strict=False)],
        settings=list(_settings([packing.config for packing in packings])),
        figures=list(_figures([figures(packing) for packing in packings])),
        outline=list(_outline(first)),
        changes=first.document.outline_changes,
        rows=_rows(packings, chunks),
    )


def _packing(packing: Packing, key: str) -> PackingView:
    config, report = packing.config, packing.audit
    sizes = [chunk.embed_token_count for chunk in packing.leaves]
    findings = [
        (_place(packing, key, found), str(found)) for found in report.findings[:_MOST_FINDINGS]
    ]
    laws = [
        (
            _law_name(law.law),
            f"{law.checked:,} {law.unit}",
            law.findings,
            "; ".join(law.unchecked),
        )
        for law in report.laws
    ]
    return PackingView(
        label=packing.label,
        key=key,
        histogram=bars(sizes, config.max_tokens),
        largest=max([config.max_tokens, *sizes]),
        target=config.target_tokens,
        cap=config.max_tokens,
        broken=len(report.findings),
        laws=laws,
        findings=findings,
        more_findings=len(report.findings) - len(findings),
    )


def _place(packing: Packing, key: str, found: Finding) -> str:
    """Return the anchor of the chunk with a finding; parent chunks are not on the page."""
    chunk = None if found.chunk is None else packing.chunks[found.chunk]
    is_shown = chunk is not None and chunk.level == packing.leaves[0].level
    return f"{key}{chunk.index}" if chunk and is_shown else ""


def _law_name(law: int) -> str:
    return f"{law} {LAWS[law]}"


def _settings(configs: Sequence[PackConfig]) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the limits, and the settings that differ from the defaults or between packings."""
    default = PackConfig()
    for name in PackConfig.model_fields:
        values = [_worded(getattr(config, name)) for config in configs]
        if name in {"target_tokens", "max_tokens"} or {*values} != {
            _worded(getattr(default, name))
        }:
            yield name, values


def _worded(value: Any) -> str:  # noqa: ANN401 - a setting may have any type
    return one_line(str(value))


def _figures(packings: Sequence[Figures]) -> Iterator[tuple[str, Sequence[str]]]:
    for name, spell in _FIGURES:
        yield name, [spell(each) for each in packings]
    for level in LEVELS:
        if any(each.cuts[level] for each in packings):
            yield f"cuts before {level}", [f"{each.cuts[level]:,}" for each in packings]


_FIGURES: Final[Sequence[tuple[str, Callable[[Figures], str]]]] = (
    ("chunks", lambda f: f"{len(f.sizes):,}"),
    ("tokens, median and largest", lambda f: _middle_and_top(f.summary())),
    ("fill of the target, mean", lambda f: f"{f.fill:.0%}"),
    ("tokens to embed", lambda f: f"{f.embedded_tokens:,}"),
    ("more than the document's own tokens", lambda f: f"{f.overhead:+.1%}"),
    ("tables, and how many are cut", lambda f: f"{f.tables:,}, {f.tables_cut:,}"),
    ("kept above the cap", lambda f: f"{f.oversize:,}"),
)


def _middle_and_top(summary: dict[str, Any]) -> str:
    return f"{summary['median']:,}, {summary['largest']:,}"


def _outline(packing: Packing) -> Iterator[OutlineEntry]:
    """Yield each section with a link to the chunk in which it begins."""
    stack = [(section, 0) for section in reversed(packing.document.root.sections)]
    while stack:
        section, depth = stack.pop()
        assert section.heading is not None, "only the root has no heading"
        at = max(bisect_right(packing.starts, section.start) - 1, 0)
        target = f"a{packing.leaves[at].index}" if packing.leaves else ""
        title = one_line(section.heading.text) or "(empty heading)"
        yield OutlineEntry(title, min(depth, _DEEPEST), section.tokens, target)
        stack.extend((below, depth + 1) for below in reversed(section.sections))


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
