"""Chunk records made by hand for tests of the audit, so that they do not trust the packer."""

import hashlib
import re
from collections.abc import Callable, Sequence
from typing import Any

from treepack import PackConfig, audit
from treepack.laws import AuditReport
from treepack.model.chunk import Chunk, Segment, TableSlice

Part = str | tuple[str, str] | tuple[str, str, int]
Recipe = tuple[tuple[Part, ...], dict[str, Any]]


def words(text: str) -> int:
    """Count words, Chinese characters and punctuation: a counter that a reader can follow."""
    return len(re.findall(r"[\u4e00-\u9fff]|[^\W\u4e00-\u9fff]+|[^\w\s]", text))


def piece(*parts: Part, **changes: Any) -> Recipe:  # noqa: ANN401 - fields of the record
    """The recipe of a chunk: body texts, and context as role, text and perhaps source offset."""
    return parts, changes


def records(source: str, *recipes: Recipe, count: Callable[[str], int] = words) -> list[Chunk]:
    """Chunk records whose body texts are located in the source one after the other."""
    after = 0
    found: list[Chunk] = []
    for index, (parts, changes) in enumerate(recipes):
        segments: list[Segment] = []
        for part in parts:
            if isinstance(part, str):
                start = source.index(part, after)
                after = start + len(part)
                segments.append(Segment(role="body", text=part, span=(start, after)))
            else:
                span = (part[2], part[2] + len(part[1])) if len(part) > 2 else None
                values = {"role": part[0], "text": part[1], "span": span}
                segments.append(Segment.model_validate(values))
        found.append(record(source, index, segments, changes, count))
    return found


def record(
    source: str,
    index: int,
    segments: Sequence[Segment],
    changes: dict[str, Any],
    count: Callable[[str], int],
) -> Chunk:
    text = "".join(segment.text for segment in segments)
    path = tuple(changes.get("breadcrumb", ()))
    missing = [entry for entry in path if not re.search(rf"(?m)^#+ {re.escape(entry)}$", text)]
    embed_text = " > ".join(missing) + "\n\n" + text if missing else text
    spans = [segment.span for segment in segments if segment.span and segment.role == "body"]
    values: dict[str, Any] = {
        "id": str(index),
        "index": index,
        "text": text,
        "segments": tuple(segments),
        "embed_text": embed_text,
        "lexical_text": text,
        "lines": (
            source.count("\n", 0, spans[0][0]) + 1,
            source.count("\n", 0, spans[-1][1] - 1) + 1,
        ),
    }
    values |= changes
    values.setdefault("token_count", count(values["text"]))
    values.setdefault("embed_token_count", count(values["embed_text"]))
    digest = hashlib.sha256(values["text"].encode("utf-8", "surrogatepass")).hexdigest()
    values.setdefault("content_hash", digest)
    return Chunk.model_validate(values)


def judge(
    source: str,
    chunks: Sequence[Chunk] | Sequence[str],
    *,
    name: str = "",
    **settings: Any,  # noqa: ANN401 - of `PackConfig`
) -> AuditReport:
    """Audit chunks that are counted in words; without a cap, none is known."""
    given = {setting: value for setting, value in settings.items() if value is not None}
    has_cap = bool({"max_tokens", "levels"} & {*given})
    return audit(source, chunks, PackConfig(encoding=words, **given), name=name, has_cap=has_cap)


def broken_laws(report: AuditReport) -> list[int]:
    return [finding.law for finding in report.findings]


def reasons(report: AuditReport, law: int) -> list[str]:
    return [finding.reason for finding in report.findings if finding.law == law]


SECTIONS = "# Top\n\nIntro.\n\n## One\n\nFirst text.\n\n## Two\n\nSecond text.\n"
TOP = piece("# Top\n\nIntro.\n\n", breadcrumb=("Top",))
ONE = piece("## One\n\nFirst text.\n\n", breadcrumb=("Top", "One"))
TWO = piece("## Two\n\nSecond text.\n", breadcrumb=("Top", "Two"))
TABLE = "# T\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |\n"


def table_slice(**changes: Any) -> TableSlice:  # noqa: ANN401 - fields of the record
    values = {"id": "t", "columns": ("a", "b"), "row_start": 1, "row_end": 3, "row_count": 3}
    return TableSlice.model_validate(values | changes)


def table_slices(*ranges: tuple[int, int], **changes: Any) -> list[tuple[TableSlice]]:  # noqa: ANN401 - settings
    return [
        (table_slice(row_start=first, row_end=last, part=part, parts=len(ranges), **changes),)
        for part, (first, last) in enumerate(ranges, 1)
    ]


CAPTION = "**Table 3 — Sizes of things**"
CAPTIONED = f"{CAPTION}\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n"
FILLER = "Filler " * 12 + "end.\n\n"
