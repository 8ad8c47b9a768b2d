"""What a view shows of each chunk, whoever made it: its text by role, and where it comes from."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any, Final, cast

from treepack.clauses.clause import NO_CLAUSES
from treepack.config import PackConfig
from treepack.display import ranged
from treepack.document.build import parse
from treepack.document.document import Document
from treepack.laws.chunks import AuditedChunk, located
from treepack.laws.reading import Reading
from treepack.model.chunk import Chunk, Segment, Skipped
from treepack.model.source import LINE_END, Source
from treepack.tokens import token_counter

_TEXTS: Final = ("text", "page_content", "content")
"""Where LlamaIndex and chonkie, LangChain, and Haystack keep a chunk's text."""

_NAMES: Final = ("file_name", "source", "file_path", "document")
_SHORTEST_OVERLAP: Final = 16  # characters; fewer may be equal by chance


@dataclass(frozen=True)
class Passage:
    """One chunk in the running document.

    Attributes:
        index: Its number.
        segments: Its text by role; spans are those of the document that is shown.
        tokens: Its tokens, with the breadcrumb if it is embedded with the text.
        path: The headings above it, outermost first.
        clause: The clause that it is in, or begins with.
        place: Its citation, or its pages or lines.
        skipped: Text before it, or after the last, that is in no chunk.
    """

    index: int
    segments: Sequence[Segment]
    tokens: int
    path: tuple[str, ...] = ()
    clause: str = ""
    place: str = ""
    skipped: Sequence[Skipped] = ()


@dataclass(frozen=True)
class Shown:
    """A document and the chunks that are shown in it."""

    name: str
    document: Document
    passages: Sequence[Passage]


def passage_of(chunk: Chunk) -> Passage:
    """Return what is shown of a record."""
    path = chunk.breadcrumb[bool(chunk.document) :] or chunk.breadcrumb
    place = chunk.citation or ranged(*chunk.lines, "line")
    clause = chunk.clause_number or chunk.clause_continued or ""
    tokens, skipped = chunk.embed_token_count, chunk.skipped
    return Passage(chunk.index, chunk.segments, tokens, path, clause, place, skipped)


def shown(items: Sequence[object], source: Source | Document | None) -> list[Shown]:
    """Return the documents of chunks, nodes or texts, each with what is shown of it.

    Chunks that others are children of are left out: their text would be shown twice.

    Args:
        items: `Chunk` records, LlamaIndex nodes, LangChain or Haystack documents, or texts.
        source: What they were cut from; without it, the document is what they hold together.

    Raises:
        ValueError: There is a source, but the chunks are of several documents.
        TypeError: An item has no text.
    """
    by_document: dict[str, list[object]] = {}
    for item in _leaves(items):
        by_document.setdefault(_document_of(item), []).append(item)
    if source is not None and len(by_document) > 1:
        msg = f"these are chunks of {len(by_document)} documents: show those of one, or no source"
        raise ValueError(msg)
    return [_shown(some, source) for some in by_document.values()]


def _shown(items: Sequence[object], source: Source | Document | None) -> Shown:
    records = [item for item in items if isinstance(item, Chunk)]
    name = _name_of(items[0])
    if source is not None and not isinstance(source, Document):
        source = parse(source if source.name else replace(source, name=name))
    if source is not None:
        name = source.source.name or name
    if len(records) == len(items):
        passages = [*map(passage_of, records)]
    else:
        count = token_counter(PackConfig().encoding)
        passages = [_foreign(number, item, count) for number, item in enumerate(items)]
        passages = [*(_without_repeats(passages) if source is None else _found(passages, source))]
    if source is None:
        text, passages = _joined(passages)
        source = parse(Source(text, name), outline="trust")
    return Shown(PurePath(name).name, source, passages)


def _leaves(items: Sequence[object]) -> Iterator[object]:
    """Yield the items that are no parents of others."""
    parents = {_field(item, "parent_id") for item in items}
    for item in items:
        key = item.id if isinstance(item, Chunk) else _field(item, "chunk_id")
        if not key or key not in parents:
            yield item


def _field(item: object, key: str) -> str:
    value = item.parent_id if isinstance(item, Chunk) else _metadata(item).get(key)
    return str(value or "")


def _metadata(item: object) -> Mapping[str, Any]:
    found: object = getattr(item, "metadata", None) or getattr(item, "meta", None)
    return cast("Mapping[str, Any]", found) if isinstance(found, Mapping) else {}


def _document_of(item: object) -> str:
    if isinstance(item, Chunk):
        return item.document
    return str(getattr(item, "ref_doc_id", None) or _name_of(item))


def _name_of(item: object) -> str:
    if isinstance(item, Chunk):
        return item.document
    metadata = _metadata(item)
    return next((str(metadata[key]) for key in _NAMES if metadata.get(key)), "")


def _text_of(item: object) -> str:
    if isinstance(item, str):
        return item
    texts = [getattr(item, name, None) for name in _TEXTS]
    text = next((text for text in texts if isinstance(text, str)), None)
    if text is None:
        msg = (
            f"{type(item).__name__} has no text: show takes chunks, LlamaIndex nodes, LangChain "
            "documents, texts, or what has a string as text, page_content or content"
        )
        raise TypeError(msg)
    return text


def _foreign(number: int, item: object, count: Any) -> Passage:  # noqa: ANN401 - see token_counter
    """Return what is shown of a chunk of another tool, or of a framework."""
    text, metadata = _text_of(item), _metadata(item)
    path: tuple[str, ...] = (*filter(None, str(metadata.get("breadcrumb") or "").split(" > ")),)
    path = path or (*filter(None, str(metadata.get("header_path") or "").split("/")),)
    headers = (str(value) for key, value in metadata.items() if key.lower().startswith("header "))
    clause, place = (str(metadata.get(key) or "") for key in ("clause", "citation"))
    whole = (Segment("body", text),)
    return Passage(number, whole, count(text), path or (*headers,), clause, place)


def _found(passages: Sequence[Passage], document: Document) -> Iterator[Passage]:
    """Yield passages with the places of their texts in the source, and what is in none of them."""
    text, done = document.source.text, 0
    unmarked = document.text  # page marks are not lost
    texts = [passage.segments[0].text for passage in passages]
    chunks = located(Reading(document, NO_CLAUSES), texts, may_overlap=False)
    for passage, chunk in zip(passages, chunks, strict=True):
        start, end = chunk.spans[0] if chunk.spans else (done, done)
        lost = unmarked[done:start].strip()
        skipped = [Skipped((done, start), "lost by the splitter")] if lost else []
        done = max(done, end)
        if passage is passages[-1] and unmarked[done:].strip():
            skipped.append(Skipped((done, len(text)), "lost by the splitter"))
        yield replace(passage, segments=_segments(chunk, text), skipped=skipped)


def _segments(chunk: AuditedChunk, text: str) -> list[Segment]:
    """Return the parts of a text: added lines, what the previous chunk has too, and the rest."""
    repeated = text[slice(*chunk.repeated)] if chunk.repeated else ""
    added = chunk.text_before.removesuffix(repeated)
    parts = [Segment("path", added)] if added else []
    parts += [Segment("overlap", repeated)] if repeated else []
    parts += [Segment("body", text[slice(*span)], span) for span in chunk.spans]
    return parts or [Segment("body", chunk.text)]


def _without_repeats(passages: Sequence[Passage]) -> Iterator[Passage]:
    """Yield passages in which the text that the previous one has too is told apart."""
    before = ""
    for passage in passages:
        text = passage.segments[0].text
        cut = _repeated_end(before, text)
        parts = [Segment("overlap", text[:cut])] if cut else []
        yield replace(passage, segments=[*parts, Segment("body", text[cut:])])
        before = text


def _repeated_end(before: str, text: str) -> int:
    """Return where the text ends that is also at the end of another, or in its lines."""
    start = before.find(text[:_SHORTEST_OVERLAP])
    while start >= 0 and len(before) - start >= _SHORTEST_OVERLAP:
        if text.startswith(before[start:]):
            return len(before) - start
        start = before.find(text[:_SHORTEST_OVERLAP], start + 1)
    lines, end = {line.strip() for line in before.split("\n")}, 0
    for match in LINE_END.finditer(text):
        line = text[end : match.start()].strip()
        if line and line not in lines:
            return end
        end = match.end()
    return end


def _joined(passages: Sequence[Passage]) -> tuple[str, list[Passage]]:
    """Return the bodies of passages as one text, and the passages with the spans in it."""
    text, end, joined = list[str](), 0, list[Passage]()
    for passage in passages:
        parts = list[Segment]()
        for part in passage.segments:
            if part.role == "body":
                parts.append(replace(part, span=(end, end + len(part.text))))
                text.append(part.text)
                end += len(part.text)
            else:
                parts.append(part)
        text.append("\n")
        end += 1
        joined.append(replace(passage, segments=parts, skipped=()))
    return "".join(text), joined
