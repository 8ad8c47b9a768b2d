"""The values that the page shows of one chunk."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from treepack.display import counted, escaped, one_line
from treepack.model.chunk import Role
from treepack.packing import Chunk, Segment, TableSlice
from treepack.report.cuts import Cut, cuts
from treepack.report.packings import Packing, body_span

COLOURS: Final = 6

# One letter for each role keeps the page small; the stylesheet uses these classes.
_CLASSES: Final[Mapping[Role, str]] = {
    "body": "b",
    "overlap": "o",
    "heading": "h",
    "caption": "c",
    "table_header": "t",
    "fence": "f",
    "definition": "d",
    "glue": "g",
}


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
        facts: Lines, pages and so on, each in a few words.
        tables: Which rows of which table it contains.
        shares: Its tokens by use.
        tokens: Its tokens with the breadcrumb.
        scale: The width of the bar in tokens.
        target: The target in tokens.
        cap: The cap in tokens.
        cut: Why it begins here; None for the first chunk.
        findings: The findings of the audit about it.
        skipped: The source text before it that is in no chunk, with the reasons.
        html: Its text.
        after: The source text after the last chunk that is in no chunk.
    """

    key: str
    number: int
    colour: int
    breadcrumb: str
    clause: str
    facts: Sequence[str]
    tables: Sequence[str]
    shares: Sequence[Share]
    tokens: int
    scale: int
    target: int
    cap: int
    cut: Cut | None
    findings: Sequence[str]
    skipped: Sequence[tuple[str, str]]
    html: str
    after: Sequence[tuple[str, str]]


def chunk_views(packing: Packing, key: str) -> list[ChunkView]:
    """Return the view of each leaf; ``key`` makes the anchors of two packings differ."""
    findings: dict[str, list[str]] = {}
    for found in packing.audit.findings:
        if found.chunk is not None:
            about = packing.chunks[found.chunk].id
            findings.setdefault(about, []).append(f"law {found.law}: {found.reason}")
    parents = {chunk.id: chunk for chunk in packing.chunks if chunk.level < packing.leaves[0].level}
    return [
        _view(packing, key, chunk, cut, (list(_facts(chunk, parents)), findings.get(chunk.id, [])))
        for chunk, cut in zip(packing.leaves, cuts(packing), strict=True)
    ]


def _view(
    packing: Packing,
    key: str,
    chunk: Chunk,
    cut: Cut | None,
    said: tuple[Sequence[str], Sequence[str]],
) -> ChunkView:
    """Return the view of one chunk; ``said`` contains its facts and its findings."""
    text, start = packing.document.source.text, body_span(chunk)[0]
    skipped = [(each.reason, each.span) for each in chunk.skipped]
    return ChunkView(
        key=f"{key}{chunk.index}",
        number=chunk.index,
        colour=chunk.index % COLOURS,
        breadcrumb=" › ".join(one_line(part) for part in chunk.breadcrumb),
        clause=chunk.clause_number or "",
        facts=said[0],
        tables=[_rows(table) for table in chunk.tables],
        shares=list(_shares(packing, chunk)),
        tokens=chunk.embed_token_count,
        scale=max(packing.config.max_tokens, chunk.embed_token_count),
        target=packing.config.target_tokens,
        cap=packing.config.max_tokens,
        cut=cut,
        findings=said[1],
        skipped=[(why, escaped(text[s[0] : s[1]])) for why, s in skipped if s[0] < start],
        html="".join(_segment(segment) for segment in chunk.segments),
        after=[(why, escaped(text[s[0] : s[1]])) for why, s in skipped if s[0] >= start],
    )


def _segment(segment: Segment) -> str:
    """Return a part of the text as an element with the role's class."""
    return f'<span class="{_CLASSES[segment.role]}">{escaped(segment.text)}</span>'


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


def _rows(table: TableSlice) -> str:
    words = f"{_range('row', table.row_start, table.row_end)} of {table.row_count}"
    if table.parts > 1:
        words += f", piece {table.part} of {table.parts}"
    if table.cell_part is not None:
        words += f", part {table.cell_part} of the row"
    name = table.caption or ", ".join(table.columns)
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
