"""The report page: one file without scripts or external resources; only this uses Jinja2."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from statistics import mean, median
from typing import Any, Final

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup

from treepack.config import PackConfig
from treepack.display import counted, escaped, one_line, ranged
from treepack.laws import LAWS
from treepack.report_page.cuts import Cut, cuts
from treepack.report_page.packing import Packing, facts_of, section_rows
from treepack.view.passages import Passage, passage_of
from treepack.view.running import policy, running_text, style

_MOST_FINDINGS: Final = 200
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
    css, laws = style() + _read("page.css"), packing.audit.laws
    leaf_cuts = list(cuts(packing))
    notes = dict(_notes(packing, leaf_cuts))
    kinds = Counter(kind for names, _ in notes.values() for kind in names.split())
    findings = packing.audit.findings[:_MOST_FINDINGS]
    anchors = {chunk.id: f"a{chunk.index}" for chunk in packing.leaves}
    ids = ["" if each.chunk is None else packing.chunks[each.chunk].id for each in findings]
    passages = [*map(passage_of, packing.leaves)]
    running = running_text(packing.document, passages, "a", lambda each: notes[each.index])
    blocks = list(_blocks(packing, passages, leaf_cuts))
    return _template().render(
        packing=packing,
        source=packing.document.source,
        config=packing.config,
        audit=packing.audit,
        findings=[*zip(map(anchors.get, ids), map(str, findings), strict=True)],
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
    return environment.from_string(_read("page.html.jinja"))


def _read(name: str) -> str:
    return files("treepack.report_page").joinpath(name).read_text(encoding="utf-8")


def _show(text: str) -> Markup:
    """Wrap text of a document in an element that isolates its writing direction."""
    return Markup(f"<bdi>{escaped(text)}</bdi>")  # noqa: S704 - escaped right here


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
    yield "chunks", f"{len(sizes):,}"
    if sizes:
        yield "tokens of the median chunk", f"{round(median(sizes)):,}"
        yield "tokens of the largest chunk", f"{max(sizes):,}"
        yield "mean fill of the cap", f"{mean(sizes) / packing.cap:.0%}"
    yield "tokens to embed", f"{embedded_tokens:,}"
    if source_tokens:
        yield "more tokens than the document", f"{embedded_tokens / source_tokens - 1:+.1%}"
    if pieces:
        cut = sum(parts > 1 for parts in pieces.values())
        yield "tables, and how many are cut", f"{len(pieces):,} / {cut:,}"
    for level, count in Counter(cut.level for cut in leaf_cuts if cut).most_common():
        yield f"cuts before {level}", f"{count:,}"


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
    findings: dict[str, list[str]] = {}
    for each in packing.audit.findings:
        if each.chunk is not None:
            of_chunk = findings.setdefault(packing.chunks[each.chunk].id, [])
            of_chunk.append(f"law {each.law}: {each.reason}")
    parents = {each.id: each for each in packing.chunks}
    for chunk, cut in zip(packing.leaves, leaf_cuts, strict=True):
        found = findings.get(chunk.id, [])
        is_kind = {
            "found": bool(found),
            "inside": bool(cut and _is_inside(cut)),
            "tabled": bool(chunk.tables),
            "repeats": any(part.role not in {"body", "glue"} for part in chunk.segments),
        }
        facts = [*facts_of(chunk)]
        if parent := parents.get(chunk.parent_id or ""):
            size = counted(parent.embed_token_count, "token")
            facts.append(f"in parent {parent.index} of {size}")
        told = [f"Cut before {cut.next_unit}: {cut.reason}"] if cut else []
        lines = [("", line) for line in (*told, " · ".join(facts))]
        lines += [(' class="bad"', line) for line in found]
        note = "".join(f"<p{name}><bdi>{escaped(line)}</bdi></p>" for name, line in lines)
        kinds = "".join(f" {kind}" for kind, is_one in is_kind.items() if is_one)
        yield chunk.index, (kinds, f'<div class="facts">{note}</div>')
