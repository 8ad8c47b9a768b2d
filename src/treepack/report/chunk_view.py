"""What the page shows of one chunk."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from treepack.display import counted, escaped, one_line
from treepack.packing import Chunk, Segment, TableSlice
from treepack.packing.chunk import Role
from treepack.report.cuts import Cut, cuts
from treepack.report.packings import Packing, body_span

COLOURS: Final = 6

# One letter for each role keeps the page small; the style names them.
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
        name: What the tokens are for.
        css: Its class on the page.
        start: Tokens before it.
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
        key: The name of its place on the page.
        number: Its index.
        colour: Which of the colours it has.
        breadcrumb: The headings above it.
        clause: The clause that holds it.
        facts: Lines, pages and so on, each a few words.
        tables: Which rows of which table it holds.
        shares: Its tokens by what they are for.
        tokens: Its tokens with the breadcrumb.
        scale: How many tokens the bar is wide.
        target: The target.
        cap: The cap.
        cut: Why it begins where it does; None for the first.
        findings: What the audit found in it.
        skipped: What stands in no chunk before it, each with the reason.
        html: Its text.
        behind: What stands in no chunk behind the last one.
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
    behind: Sequence[tuple[str, str]]


def chunk_views(packing: Packing, key: str) -> list[ChunkView]:
    """What the page shows of each leaf; ``key`` keeps two packings apart."""
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
    """One chunk; ``said`` are its facts and its findings."""
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
        behind=[(why, escaped(text[s[0] : s[1]])) for why, s in skipped if s[0] >= start],
    )


def _segment(segment: Segment) -> str:
    """A part of the text in an element whose class is its role."""
    return f'<span class="{_CLASSES[segment.role]}">{escaped(segment.text)}</span>'


def _facts(chunk: Chunk, parents: Mapping[str, Chunk]) -> Iterator[str]:
    yield _range("line", chunk.lines[0], chunk.lines[1])
    if chunk.pages:
        yield _range("page", chunk.pages[0], chunk.pages[-1])
    yield ", ".join(chunk.kinds)
    if chunk.clause_continued:
        yield "goes on with clause " + one_line(chunk.clause_continued)
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
    """Tokens by what they are for; parts that stand alone count a little differently than in one.

    The breadcrumb is what the embedded text has more than the text, the body and the overlap are
    counted alone, and the context is what is left, so that all together are exact.
    """
    index = packing.document.tokens
    breadcrumb = max(chunk.embed_token_count - chunk.token_count, 0)
    overlap = min(chunk.overlap_tokens, chunk.token_count)
    body = sum(index.count(*s.span) for s in chunk.segments if s.role == "body" and s.span)
    body = min(body, chunk.token_count - overlap)
    context = chunk.token_count - overlap - body
    if all(segment.role in {"body", "overlap"} for segment in chunk.segments):
        body, context = body + context, 0  # the difference of a seam is no context
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
