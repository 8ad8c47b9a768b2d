"""The values that the page shows of one chunk."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from treepack.display import counted, escaped, one_line
from treepack.model.chunk import body_span
from treepack.packing import Chunk, TableSlice
from treepack.report.cuts import Cut
from treepack.report.packings import Packing
from treepack.report.text_view import TextView

COLOURS: Final = 6
_FEW: Final = 2


@dataclass(frozen=True)
class Share:
    """A part of the token bar.

    Attributes:
        name: What the tokens are used for.
        css: Its CSS class.
        start: The tokens before it.
        tokens: Its tokens.
    """

    name: str
    css: str
    start: int
    tokens: int


@dataclass(frozen=True)
class ChunkView:
    """A chunk as the page shows it; ``html`` and ``skipped`` are escaped already.

    Attributes:
        key: Its anchor on the page.
        number: Its index.
        colour: The number of its colour.
        breadcrumb: The headings above it.
        clause: The clause that contains it.
        tables: Which rows of which table it contains.
        shares: Its tokens by use.
        tokens: Its tokens with the breadcrumb.
        target: The target in tokens.
        cap: The cap in tokens.
        skipped: The source text before it that is in no chunk, with the reasons.
        html: Its text.
        after: The source text after its body that is in no chunk.
        facts: Lines, pages and so on, each in a few words.
        findings: The findings of the audit about it.
        cut: Why it begins here; None for the first chunk.
        scale: The width of the bar in tokens.
    """

    key: str
    number: int
    colour: int
    breadcrumb: str
    clause: str
    tables: Sequence[str]
    shares: Sequence[Share]
    tokens: int
    target: int
    cap: int
    skipped: Sequence[tuple[str, str]]
    html: str
    after: Sequence[tuple[str, str]]
    facts: Sequence[str] = ()
    findings: Sequence[str] = ()
    cut: Cut | None = None
    scale: int = 1


def chunk_views(
    packing: Packing, key: str, reasons: Sequence[Cut | None], scale: int
) -> list[ChunkView]:
    """Return the view of each leaf.

    Args:
        packing: The packing.
        key: What its anchors begin with, so that those of two packings differ.
        reasons: Why each leaf begins where it does.
        scale: Tokens of a whole bar; a larger chunk has a bar of its own scale.
    """
    findings: dict[str, list[str]] = {}
    for found in packing.audit.findings:
        if found.chunk is not None:
            about = packing.chunks[found.chunk].id
            findings.setdefault(about, []).append(f"law {found.law}: {found.reason}")
    parents = {chunk.id: chunk for chunk in packing.chunks if chunk.level < packing.leaves[0].level}
    texts = TextView(packing)
    views: list[ChunkView] = []
    for chunk, cut in zip(packing.leaves, reasons, strict=True):
        view = _view(packing, key, chunk, texts.html(chunk))
        known = replace(view, cut=cut, scale=max(scale, chunk.embed_token_count))
        facts = list(_facts(chunk, parents))
        views.append(replace(known, facts=facts, findings=findings.get(chunk.id, [])))
    return views


def _view(packing: Packing, key: str, chunk: Chunk, html: str) -> ChunkView:
    """Return the view of one chunk, without what is known of all of them."""
    text, (start, end) = packing.document.source.text, body_span(chunk)
    skipped = [(each.reason, each.span) for each in chunk.skipped]
    return ChunkView(
        key=f"{key}{chunk.index}",
        number=chunk.index,
        colour=chunk.index % COLOURS,
        breadcrumb=" › ".join(one_line(part) for part in chunk.breadcrumb),
        clause=chunk.clause_number or "",
        tables=list(_tables(chunk)),
        shares=list(_shares(packing, chunk)),
        tokens=chunk.embed_token_count,
        target=packing.config.target_tokens,
        cap=packing.config.max_tokens,
        skipped=[(why, escaped(text[s[0] : s[1]])) for why, s in skipped if s[0] < start],
        html=html,
        after=[(why, escaped(text[s[0] : s[1]])) for why, s in skipped if s[0] >= max(start, end)],
    )


def _facts(chunk: Chunk, parents: Mapping[str, Chunk]) -> Iterator[str]:
    yield _range("line", chunk.lines[0], chunk.lines[1])
    if chunk.pages:
        yield _range("page", chunk.pages[0], chunk.pages[-1])
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


def _range(name: str, first: int, last: int) -> str:
    return f"{name} {first}" if first == last else f"{name}s {first}–{last}"


def _tables(chunk: Chunk) -> Iterator[str]:
    """Yield which rows of which tables it contains; of many whole tables only how many."""
    whole = [
        table for table in chunk.tables if table.row_end - table.row_start + 1 == table.row_count
    ]
    few = len(whole) <= _FEW
    for table in chunk.tables:
        if few or table not in whole or table.cell_part is not None:
            yield _rows(table)
    if not few:
        yield f"{len(whole)} whole tables"


def _rows(table: TableSlice) -> str:
    words = f"{_range('row', table.row_start, table.row_end)} of {table.row_count}"
    if table.parts > 1:
        words += f", piece {table.part} of {table.parts}"
    if table.cell_part is not None:
        words += f", part {table.cell_part} of the row"
    name = table.caption or ", ".join(filter(None, dict.fromkeys(table.columns)))
    return f"{words}: {one_line(name)}" if name else words


def _shares(packing: Packing, chunk: Chunk) -> Iterator[Share]:
    """Yield the tokens by use.

    Parts counted alone have slightly different counts than in one text. To keep the total exact,
    the breadcrumb is the difference between embedded text and text, overlap and body are counted
    alone, and the context is the rest.
    """
    index = packing.document.tokens
    breadcrumb = max(chunk.embed_token_count - chunk.token_count, 0)
    overlap = min(chunk.overlap_tokens, chunk.token_count)
    body = sum(index.count(*s.span) for s in chunk.segments if s.role == "body" and s.span)
    body = min(body, chunk.token_count - overlap)
    context = chunk.token_count - overlap - body
    if all(segment.role in {"body", "overlap"} for segment in chunk.segments):
        body, context = body + context, 0  # without context, the rest comes from the seams
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
