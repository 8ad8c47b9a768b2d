"""Chunkings of small texts, written down as one string from which the records are made.

``‖`` stands between two chunks; whitespace alone between two of them is in no chunk. ``¦`` stands
between two body segments. All that is not text of the source is in brackets:

``⟦glue|text⟧``    a made-up segment of this role. An ``overlap``, a ``caption`` and a ``heading``
                   have the span where the source has the text, others with an ``@`` after the role
``⟦body=a|b⟧``     a body segment that says ``b`` where the source says ``a``
``⟦path|a > b⟧``   the chunk's breadcrumb, if it is not that of the headings above all of the chunk
``⟦lost|text⟧``    text of the source that is in no chunk
``⟦reason|text⟧``  text of the source that the chunk lists as skipped, for this reason
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from treepack import Chunk, Chunks, Document, PackConfig, Source, parse, token_counter

Records: TypeAlias = list[Chunk]
Fields: TypeAlias = dict[str, Any]

_PART: Final = re.compile(r"⟦([^|⟧]*)\|([^⟧]*)⟧")
_LOCATED: Final = {"heading", "caption", "overlap"}
_ROLES: Final = {*_LOCATED, "body", "glue", "fence", "table_header"}
_SHOWN: Final = {"body", "heading"}
_LINE: Final = " > "


def words(text: str) -> int:
    """Count words, Chinese characters and punctuation: a counter that a reader can follow."""
    return len(re.findall(r"[\u4e00-\u9fff]|[^\W\u4e00-\u9fff]+|[^\w\s]", text))


def changed(chunk: Chunk, **fields: Any) -> Chunk:  # noqa: ANN401 - of a record
    """Return the record with other fields, which may be plain values."""
    return Chunk.model_validate(chunk.model_dump() | fields)


def recounted(chunk: Chunk, config: PackConfig, **fields: Any) -> Chunk:  # noqa: ANN401 - of a record
    """Return the record with other fields, and with the counts and the hash of its texts."""
    count, record = token_counter(config.encoding), changed(chunk, **fields)
    sizes = {"token_count": count(record.text), "embed_token_count": count(record.embed_text)}
    digest = hashlib.sha256(record.text.encode("utf-8", "surrogatepass")).hexdigest()
    return changed(record, **sizes, content_hash=digest)


def written(chunks: Chunks) -> str:
    """Return the string of packed chunks that skip nothing but whitespace."""
    assert isinstance(chunks.origin, Source)
    pieces, after = list[str](), 0
    for chunk in chunks:
        (first, *_), *_ = spans = [s.span for s in chunk.segments if s.role == "body" and s.span]
        pieces += [chunks.origin.text[after:first], "".join(map(_written, chunk.segments))]
        after = spans[-1][1]
    return "‖".join([*pieces, chunks.origin.text[after:]])


def _written(segment: Any) -> str:  # noqa: ANN401 - its class is not public
    at = "@" if segment.span else ""
    return segment.text if segment.role == "body" else f"⟦{segment.role}{at}|{segment.text}⟧"


class _Part(NamedTuple):
    """A part of a string: a role or what else is before the bar, its text, and the source's."""

    kind: str
    text: str
    source: str


def _parts(piece: str) -> Iterator[_Part]:
    """Yield the parts of a chunk."""
    after = 0
    for match in [*_PART.finditer(piece), None]:
        start, end = match.span() if match else (len(piece), len(piece))
        yield from (_Part("body", text, text) for text in piece[after:start].split("¦") if text)
        after = end
        if match:
            kind, equals, original = match[1].partition("=")
            is_source = kind not in {*_ROLES, "path"} and not kind.endswith("@")
            yield _Part(kind + equals, match[2], match[2] if is_source else original)


def chunked(text: str, config: PackConfig, name: str = "") -> tuple[Source, Records]:
    """Return the source of a string, and its chunks; what they say about themselves is true."""
    pieces = [[*_parts(piece)] for piece in text.split("‖")]
    source = Source("".join(part.source for parts in pieces for part in parts), name)
    at, drafts = 0, list[Fields]()
    for parts in pieces:
        segments, skipped, path = list[Fields](), list[Fields](), None
        for kind, shown, original in parts:
            role, span = kind.rstrip("@="), (at, at + len(original)) if original else None
            at += len(original)
            if role == "path":
                path = [entry for entry in shown.split(_LINE) if entry]
            elif role in _ROLES:
                if kind.endswith("@") or role in _LOCATED:
                    span = (source.text.index(shown), source.text.index(shown) + len(shown))
                segments.append({"role": role, "text": shown, "span": span})
            elif role != "lost":
                skipped.append({"span": span or (at, at), "reason": role})
        if "".join(each["text"] for each in segments).strip():
            drafts.append({"segments": segments, "skipped": skipped, "breadcrumb": path})
    document = parse(source, **(config.parsing | {"markup": "markdown"}))
    for index, draft in enumerate(drafts):
        draft.update(_fields(document, index, draft, config))
    _add_tables(document, drafts)
    return source, [recounted(Chunk.model_validate(draft), config) for draft in drafts]


def _spans(draft: Fields) -> list[tuple[int, int]]:
    return [each["span"] for each in draft["segments"] if each["role"] == "body" and each["span"]]


def _fields(document: Document, index: int, draft: Fields, config: PackConfig) -> Fields:
    """Return what follows from the segments of a chunk, without counts and tables."""
    source, segments, spans = document.source, draft["segments"], _spans(draft) or [(0, 1)]
    start, end, body = spans[0][0], spans[-1][1], source.text[spans[0][0] : spans[-1][1]]
    end -= len(body) - len(body.rstrip())
    titles, shown = [source.name] if source.name else [], list[str]()
    for section in document.root.walk():
        if heading := section.heading:
            titles += [heading.text] if section.start <= start and end <= section.end else []
            held = [each["span"] for each in segments if each["role"] in _SHOWN and each["span"]]
            shown += [heading.text for a, b in held if a <= heading.start < b]
    path = titles if draft["breadcrumb"] is None else draft["breadcrumb"]
    line = _LINE.join(entry for entry in path if entry not in {source.name, *shown})
    text = "".join(each["text"] for each in segments)
    overlap = "".join(each["text"] for each in segments if each["role"] == "overlap")
    return {
        "id": f"{index} at {start}",
        "index": index,
        "document": source.name,
        "breadcrumb": path,
        "text": text,
        "embed_text": f"{line}\n\n{text}" if line else text,
        "lexical_text": text,
        "overlap_tokens": token_counter(config.encoding)(overlap),
        "lines": (source.line_at(start) + 1, source.line_at(max(spans[-1][1] - 1, 0)) + 1),
        "token_count": 0,
        "embed_token_count": 0,
        "content_hash": "",
    }


def _add_tables(document: Document, drafts: Sequence[Fields]) -> None:
    """Add to each chunk which rows of which tables it holds; a part of one row is numbered."""
    blocks: list[Any] = [each for section in document.root.walk() for each in section.blocks]
    for block in blocks:
        blocks += [*getattr(block, "blocks", ()), *getattr(block, "items", ())]
    for table in (block for block in blocks if block.kind == "table"):
        held = [each for each in drafts if _shares(document, each, table.start, table.end)]
        before = cell_part = 0
        for part, draft in enumerate(held, 1):
            rows = [n for n, row in enumerate(table.rows, 1) if _shares(document, draft, *row)]
            first, last = (rows[0], rows[-1]) if rows else (1, 0)
            row = table.rows[first - 1] if rows else (0, 0)
            (begin, _), *_, (_, end) = [*_spans(draft)] * 2
            is_cut = first == last and not (begin <= row[0] and row[1] <= end)
            cell_part = cell_part + 1 if first == before else 1
            before = last
            entry = {
                "id": f"table {table.start}",
                "caption": table.caption or None,
                "columns": table.columns,
                "header_rows": table.header_rows,
                "row_start": first,
                "row_end": last,
                "row_count": len(table.rows),
                "part": part,
                "parts": len(held),
                "cell_part": cell_part if is_cut else None,
            }
            if rows or not table.rows:
                draft.setdefault("tables", []).append(entry)


def _shares(document: Document, draft: Fields, start: int, end: int) -> bool:
    """Whether the body of a chunk has text of a span."""
    spans = [(max(a, start), min(b, end)) for a, b in _spans(draft)]
    return any(document.source.text[a:b].strip() for a, b in spans if a < b)
