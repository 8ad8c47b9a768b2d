"""The report page: one file without scripts or external resources; only this uses Jinja2."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from importlib.resources import files
from statistics import mean, median
from typing import Any, Final

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup

from treepack.config import PackConfig
from treepack.display import counted, escaped, one_line, ranged
from treepack.laws import LAWS, Finding
from treepack.packing import Chunk, TableSlice
from treepack.report_page.cuts import LEVELS, Cut, cuts
from treepack.report_page.packing import Packing, section_rows
from treepack.report_page.passages import Passage, passage_of
from treepack.report_page.view import policy, running_text, style

_MOST_FINDINGS: Final = 200
_MOST_LISTED_TABLES: Final = 2
_BARS: Final = 24
_FILLS: Final = ("up to 25%", "25% to 50%", "50% to 75%", "75% to 100%", "above the cap")
"""The colours of the map, which are numbered from 1."""

_FILTERS: Final = {
    "found": "with findings",
    "inside": "cut inside a block",
    "tabled": "with a table",
    "repeats": "with repeated text",
}
"""The classes of chunks that the page can show alone, in words."""


def render(packing: Packing) -> str:
    """Render a packing."""
    css, laws = style("view.css", "page.css"), packing.audit.laws
    leaf_cuts = list(cuts(packing))
    notes = dict(_notes(packing, leaf_cuts))
    kinds = Counter(kind for kinds, _ in notes.values() for kind in kinds.split())
    findings = packing.audit.findings[:_MOST_FINDINGS]
    passages = [*map(passage_of, packing.leaves)]
    running = running_text(packing.document, passages, "a", lambda each: notes[each.index])
    blocks = list(_blocks(packing, passages, leaf_cuts))
    return _template().render(
        packing=packing,
        source=packing.document.source,
        config=packing.config,
        audit=packing.audit,
        findings=[(_anchor(packing, finding), str(finding)) for finding in findings],
        blocks=blocks,
        fills=[pair for pair in enumerate(_FILLS, 1) if any(b["fill"] == pair[0] for b in blocks)],
        histogram=list(_bars(packing.sizes, packing.cap)),
        settings=_settings(packing.config),
        figures=_figures(packing, leaf_cuts),
        outline=list(_outline(packing)),
        filters=[(kind, words, kinds[kind]) for kind, words in _FILTERS.items() if kinds[kind]],
        running=Markup("".join(running)),  # noqa: S704 - escaped where it is made
        passed=sum(not law.findings for law in laws if law.checked or not law.unchecked),
        in_part=[law.law for law in laws if law.unchecked and law.checked],
        style=Markup(css),  # noqa: S704 - our own files
        policy=policy(css),
        counted=counted,
        ranged=ranged,
        laws=LAWS,
    )


@cache
def _template() -> Template:
    environment = Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined
    )
    environment.filters["show"] = _show
    environment.filters["one_line"] = one_line
    page = files("treepack.report_page").joinpath("page.html.jinja")
    return environment.from_string(page.read_text(encoding="utf-8"))


def _show(text: str) -> Markup:
    """Wrap text of a document in an element that isolates its writing direction."""
    return Markup(f"<bdi>{escaped(text)}</bdi>")  # noqa: S704 - escaped right here


def _anchor(packing: Packing, finding: Finding) -> str:
    """Return the anchor of a finding's chunk; empty for parents, which are not on the page."""
    chunk = None if finding.chunk is None else packing.chunks[finding.chunk]
    is_shown = chunk is not None and chunk.level == packing.leaves[0].level
    return f"a{chunk.index}" if chunk and is_shown else ""


def _blocks(
    packing: Packing, passages: Sequence[Passage], leaf_cuts: Sequence[Cut | None]
) -> Iterator[dict[str, Any]]:
    """Yield a block of the map for each chunk: its anchor, its looks, and the chunk in words."""
    for passage, cut in zip(passages, leaf_cuts, strict=True):
        share = passage.tokens / packing.cap
        words = [f"Chunk {passage.index}: {counted(passage.tokens, 'token')}"]
        words += [one_line(name) for name in passage.path[-1:]]
        words += [f"cut before {cut.next_unit}"] if cut else []
        yield {
            "target": f"a{passage.index}",
            "fill": min(int(-(-share * 4 // 1)), 4) if share <= 1 else len(_FILLS),
            "is_inside": bool(cut and _is_inside(cut)),
            "label": ". ".join(words),
        }


def _is_inside(cut: Cut) -> bool:
    """Whether a cut is inside a block: between items, rows, lines, sentences or words."""
    return cut.level not in {"section", "block"}


def _bars(sizes: Sequence[int], cap: int) -> Iterator[dict[str, int]]:
    """Yield the numbers of sizes in classes of equal width, up to the cap or the largest size.

    The heights are in percent of the largest number.
    """
    width = max(-(-max([cap, *sizes]) // _BARS), 1)
    counts = Counter(max(size - 1, 0) // width for size in sizes)
    most = max(counts.values(), default=1)
    for number in range(_BARS):
        low, high, chunks = number * width + 1, (number + 1) * width, counts[number]
        yield {"low": low, "high": high, "chunks": chunks, "height": round(100 * chunks / most)}


def _settings(config: PackConfig) -> Iterator[tuple[str, str]]:
    """Yield the limits, and the settings that differ from the defaults."""
    default = PackConfig()
    for name in PackConfig.model_fields:
        value = getattr(config, name)
        if name in {"target_tokens", "max_tokens"} or value != getattr(default, name):
            yield name, one_line(str(value))


def _figures(packing: Packing, leaf_cuts: Sequence[Cut | None]) -> Iterator[tuple[str, str]]:
    sizes, source_tokens = packing.sizes, packing.document.root.tokens
    embedded_tokens = sum(chunk.embed_token_count for chunk in packing.chunks)
    pieces = {table.id: table.parts for chunk in packing.leaves for table in chunk.tables}
    counts = Counter(cut.level for cut in leaf_cuts if cut is not None)
    yield "chunks", f"{len(sizes):,}"
    if sizes:
        yield "tokens of the median chunk", f"{round(median(sizes)):,}"
        yield "tokens of the largest chunk", f"{max(sizes):,}"
        yield "mean fill of the cap", f"{mean(sizes) / packing.cap:.0%}"
    yield "tokens to embed", f"{embedded_tokens:,}"
    if source_tokens:
        yield "more tokens than the document", f"{embedded_tokens / source_tokens - 1:+.1%}"
    if pieces:
        yield "tables", f"{len(pieces):,}"
        yield "tables that are cut", f"{sum(parts > 1 for parts in pieces.values()):,}"
    if kept := sum(chunk.oversize for chunk in packing.leaves):
        yield "kept above the cap", f"{kept:,}"
    for level in LEVELS:
        if counts[level]:
            yield f"cuts before {level}", f"{counts[level]:,}"


def _outline(packing: Packing) -> Iterator[dict[str, Any]]:
    """Yield the rows of the outline; a row in the same chunks as the one above has no fill."""
    before = None
    for row in section_rows(packing):
        chunks = (row.first, row.last)
        fill = None if chunks == before else min(row.fill, 1.0)
        found = row.change.reason if row.change and not row.change.old_level else ""
        yield {"row": row, "fill": fill, "found": found}
        before = chunks


def _notes(
    packing: Packing, leaf_cuts: Sequence[Cut | None]
) -> Iterator[tuple[int, tuple[str, str]]]:
    """Yield the classes of each chunk, and what is told above its text, by its number."""
    findings: dict[int, list[str]] = {}
    for finding in packing.audit.findings:
        if finding.chunk is not None:
            of_chunk = findings.setdefault(packing.chunks[finding.chunk].index, [])
            of_chunk.append(f"law {finding.law}: {finding.reason}")
    leaves = packing.leaves
    parents = {each.id: each for each in packing.chunks if each.level < leaves[0].level}
    line = partial("<p{}><bdi>{}</bdi></p>".format)
    for chunk, cut in zip(leaves, leaf_cuts, strict=True):
        found = findings.get(chunk.index, [])
        is_kind = {
            "found": bool(found),
            "inside": bool(cut and _is_inside(cut)),
            "tabled": bool(chunk.tables),
            "repeats": any(part.role not in {"body", "glue"} for part in chunk.segments),
        }
        facts = escaped(" · ".join(_facts(chunk, parents)))
        told = [f"<p>Cut before {escaped(cut.next_unit)}: {escaped(cut.reason)}</p>"] if cut else []
        told += [line("", facts), *(line("", escaped(table)) for table in _tables(chunk))]
        told += [line(' class="bad"', escaped(reason)) for reason in found]
        kinds = "".join(f" {kind}" for kind, is_one in is_kind.items() if is_one)
        yield chunk.index, (kinds, f'<div class="facts">{"".join(told)}</div>')


def _facts(chunk: Chunk, parents: Mapping[str, Chunk]) -> Iterator[str]:
    yield ranged(*chunk.lines, "line")
    if chunk.pages:
        yield ranged(chunk.pages[0], chunk.pages[-1], "page")
    yield ", ".join(chunk.kinds)
    if chunk.embed_token_count > chunk.token_count:
        yield f"path of {counted(chunk.embed_token_count - chunk.token_count, 'token')}"
    if chunk.overlap_tokens:
        yield f"overlap of {counted(chunk.overlap_tokens, 'token')}"
    if chunk.clause_continued:
        yield "continues clause " + one_line(chunk.clause_continued)
    if chunk.clauses:
        yield "clauses " + one_line(", ".join(chunk.clauses))
    if chunk.references:
        yield counted(len(chunk.references), "reference")
    if chunk.oversize:
        yield "kept above the cap"
    if parent := parents.get(chunk.parent_id or ""):
        yield f"in parent {parent.index} of {counted(parent.embed_token_count, 'token')}"


def _tables(chunk: Chunk) -> Iterator[str]:
    """Yield the rows of each table in a chunk; many whole tables are only counted."""
    cut = [table for table in chunk.tables if table.parts > 1 or table.cell_part is not None]
    whole = len(chunk.tables) - len(cut)
    yield from map(_rows, cut if whole > _MOST_LISTED_TABLES else chunk.tables)
    if whole > _MOST_LISTED_TABLES:
        yield f"{whole} whole tables"


def _rows(table: TableSlice) -> str:
    words = f"{ranged(table.row_start, table.row_end, 'row')} of {table.row_count}"
    if table.parts > 1:
        words += f", piece {table.part} of {table.parts}"
    if table.cell_part is not None:
        words += f", part {table.cell_part} of the row"
    name = table.caption or ", ".join(filter(None, dict.fromkeys(table.columns)))
    return f"{words}: {one_line(name)}" if name else words
