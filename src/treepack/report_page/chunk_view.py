"""The values that the page shows of one chunk."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from treepack.display import counted, escaped, one_line, ranged
from treepack.model.chunk import body_span
from treepack.packing import Chunk, TableSlice
from treepack.report_page.cuts import Cut
from treepack.report_page.packing import Packing
from treepack.report_page.text_view import TextView

_MOST_LISTED_TABLES: Final = 2


class Share(NamedTuple):
    """A part of the token bar: its use, its CSS class, the tokens before it, and its own."""

    name: str
    css: str
    start: int
    tokens: int


@dataclass(frozen=True)
class ChunkView:
    """What the page shows of a chunk besides its record.

    ``html``, ``skipped`` and ``after`` are escaped already.

    Attributes:
        chunk: The chunk.
        tables: Which rows of which table it contains.
        shares: Its tokens by use.
        skipped: The source text before it that is in no chunk, with the reasons.
        html: Its text.
        after: The source text after its body that is in no chunk.
        facts: Its lines, pages and so on, each in a few words.
        findings: The findings of the audit about it.
        cut: Why it begins here; None for the first chunk.
        scale: The width of the bar in tokens: the cap, or its size if that is larger.
    """

    chunk: Chunk
    tables: Sequence[str]
    shares: Sequence[Share]
    skipped: Sequence[tuple[str, str]]
    html: str
    after: Sequence[tuple[str, str]]
    facts: Sequence[str]
    findings: Sequence[str]
    cut: Cut | None
    scale: int


def chunk_views(packing: Packing, cuts: Sequence[Cut | None]) -> Iterator[ChunkView]:
    """Yield the view of each leaf, given why each begins where it does."""
    findings: dict[str, list[str]] = {}
    for finding in packing.audit.findings:
        if finding.chunk is not None:
            of_chunk = findings.setdefault(packing.chunks[finding.chunk].id, [])
            of_chunk.append(f"law {finding.law}: {finding.reason}")
    parents = {chunk.id: chunk for chunk in packing.chunks if chunk.level < packing.leaves[0].level}
    text_view = TextView(packing)
    for chunk, cut in zip(packing.leaves, cuts, strict=True):
        start, end = body_span(chunk)
        yield ChunkView(
            chunk=chunk,
            tables=list(_tables(chunk)),
            shares=list(_shares(packing, chunk)),
            skipped=_left_out(packing, chunk, range(start)),
            html=text_view.html(chunk),
            after=_left_out(packing, chunk, range(max(start, end), sys.maxsize)),
            facts=list(_facts(chunk, parents)),
            findings=findings.get(chunk.id, []),
            cut=cut,
            scale=max(packing.config.max_tokens, chunk.embed_token_count),
        )


def _left_out(packing: Packing, chunk: Chunk, starts: range) -> list[tuple[str, str]]:
    """Return the skipped texts that begin in a range of the source, each after its reason."""
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


def _shares(packing: Packing, chunk: Chunk) -> Iterator[Share]:
    """Yield the tokens of a chunk by use.

    Parts that are counted alone have slightly different counts than in one text. To keep the total
    exact, the breadcrumb is the difference between embedded text and text, overlap and body are
    counted alone, and the context is the rest.
    """
    index = packing.document.tokens
    breadcrumb = max(chunk.embed_token_count - chunk.token_count, 0)
    overlap = min(chunk.overlap_tokens, chunk.token_count)
    spans = [part.span for part in chunk.segments if part.role == "body" and part.span]
    body = sum(index.count(*span) for span in spans)
    body = min(body, chunk.token_count - overlap)
    context = chunk.token_count - overlap - body
    if all(segment.role in {"body", "overlap"} for segment in chunk.segments):
        body, context = body + context, 0  # there is no context: the rest comes from the seams
    start = 0
    for name, css, tokens in (
        ("breadcrumb", "w", breadcrumb),
        ("context", "h", context),
        ("overlap", "o", overlap),
        ("body", "b", body),
    ):
        if tokens:
            yield Share(name, css, start, tokens)
        start += tokens
