"""The report page: one file without scripts or external resources; only this uses Jinja2."""

import hashlib
import sys
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from statistics import mean, median
from typing import Any, Final

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup

from treepack.config import PackConfig
from treepack.display import counted, escaped, one_line, ranged
from treepack.laws import LAWS, Finding
from treepack.model.chunk import body_span
from treepack.packing import Chunk, TableSlice
from treepack.report_page.cuts import LEVELS, Cut, cuts
from treepack.report_page.packing import Packing, section_rows
from treepack.report_page.text_view import TextView

_MOST_FINDINGS: Final = 200
_MOST_LISTED_TABLES: Final = 2
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


def render(packing: Packing) -> str:
    """Render a packing."""
    style, laws = _read("page.css"), packing.audit.laws
    leaf_cuts = list(cuts(packing))
    blocks = list(_map_blocks(packing, leaf_cuts))
    fills, marks = ({block[name] for block in blocks} for name in ("fill", "mark"))
    findings = packing.audit.findings[:_MOST_FINDINGS]
    return _template().render(
        packing=packing,
        source=packing.document.source,
        config=packing.config,
        audit=packing.audit,
        findings=[(_anchor(packing, finding), str(finding)) for finding in findings],
        blocks=blocks,
        histogram=list(_bars(packing.sizes, packing.config.max_tokens)),
        settings=_settings(packing.config),
        figures=_figures(packing, leaf_cuts),
        fills=[pair for pair in enumerate(_FILLS_IN_WORDS, 1) if pair[0] in fills],
        marks=[(mark, level) for level, mark in _CUT_MARKS.items() if mark in marks],
        outline=list(section_rows(packing)),
        chunks=list(_chunk_views(packing, leaf_cuts)),
        passed=sum(not law.findings for law in laws if law.checked or not law.unchecked),
        in_part=[law.law for law in laws if law.unchecked and law.checked],
        style=Markup(style),  # noqa: S704 - our own file
        policy=_policy(style),
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
    return environment.from_string(_read("page.html.jinja"))


def _show(text: str) -> Markup:
    """Wrap text of a document in an element that isolates its writing direction."""
    return Markup(f"<bdi>{escaped(text)}</bdi>")  # noqa: S704 - escaped right here


def _policy(style: str) -> str:
    """Return a policy that allows only the page's own style, by its hash: no script, no loading."""
    digest = b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def _read(name: str) -> str:
    return files("treepack.report_page").joinpath(name).read_text(encoding="utf-8")


def _anchor(packing: Packing, finding: Finding) -> str:
    """Return the anchor of a finding's chunk; empty for parents, which are not on the page."""
    chunk = None if finding.chunk is None else packing.chunks[finding.chunk]
    is_shown = chunk is not None and chunk.level == packing.leaves[0].level
    return f"a{chunk.index}" if chunk and is_shown else ""


def _map_blocks(packing: Packing, leaf_cuts: Sequence[Cut | None]) -> Iterator[dict[str, Any]]:
    """Yield a block for each leaf: the anchor of its chunk, its looks, and the chunk in words."""
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
        yield {
            "target": f"a{chunk.index}",
            "width": max(round(_MOST_WIDTH * length / longest), 1),
            "fill": len(_FILLS_IN_WORDS) if size > cap else fill,
            "mark": _CUT_MARKS[cut.level] if cut else "",
            "label": ". ".join(filter(None, words)),
        }


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


def _chunk_views(packing: Packing, leaf_cuts: Sequence[Cut | None]) -> Iterator[dict[str, Any]]:
    """Yield what is shown of each leaf besides its record."""
    findings: dict[str, list[str]] = {}
    for finding in packing.audit.findings:
        if finding.chunk is not None:
            of_chunk = findings.setdefault(packing.chunks[finding.chunk].id, [])
            of_chunk.append(f"law {finding.law}: {finding.reason}")
    parents = {chunk.id: chunk for chunk in packing.chunks if chunk.level < packing.leaves[0].level}
    text_view = TextView(packing)
    for chunk, cut in zip(packing.leaves, leaf_cuts, strict=True):
        start, end = body_span(chunk)
        yield {
            "chunk": chunk,
            "tables": _tables(chunk),
            "shares": list(_shares(packing, chunk)),
            "skipped": _left_out(packing, chunk, range(start)),
            "html": "".join(text_view.parts(chunk)),
            "after": _left_out(packing, chunk, range(max(start, end), sys.maxsize)),
            "facts": _facts(chunk, parents),
            "findings": findings.get(chunk.id, []),
            "cut": cut,
            "scale": max(packing.config.max_tokens, chunk.embed_token_count),
        }


def _left_out(packing: Packing, chunk: Chunk, starts: range) -> list[tuple[str, str]]:
    """Return the skipped texts that begin in a range of the source, as HTML after their reasons."""
    text = packing.document.source.text
    return [
        (skipped.reason, escaped(text[slice(*skipped.span)]))
        for skipped in chunk.skipped
        if skipped.span[0] in starts
    ]


def _facts(chunk: Chunk, parents: Mapping[str, Chunk]) -> Iterator[str]:
    yield ranged(*chunk.lines, "line")
    if chunk.pages:
        yield ranged(chunk.pages[0], chunk.pages[-1], "page")
    yield ", ".join(chunk.kinds)
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


def _shares(packing: Packing, chunk: Chunk) -> Iterator[dict[str, Any]]:
    """Yield the parts of the token bar: the tokens of a chunk by use, and those before them.

    Parts that are counted alone have slightly different counts than in one text. To keep the total
    exact, the breadcrumb is the difference between embedded text and text, overlap and body are
    counted alone, and the context is the rest.
    """
    breadcrumb = max(chunk.embed_token_count - chunk.token_count, 0)
    overlap = min(chunk.overlap_tokens, chunk.token_count)
    spans = [part.span for part in chunk.segments if part.role == "body" and part.span]
    body = sum(packing.document.tokens.count(*span) for span in spans)
    body = min(body, chunk.token_count - overlap)
    context = chunk.token_count - overlap - body
    if all(segment.role in {"body", "overlap"} for segment in chunk.segments):
        body, context = body + context, 0  # there is no context: the rest comes from the seams
    start = 0
    shares = {"breadcrumb": breadcrumb, "context": context, "overlap": overlap, "body": body}
    for (name, tokens), css in zip(shares.items(), "whob", strict=True):
        if tokens:
            yield {"name": name, "css": css, "start": start, "tokens": tokens}
        start += tokens
