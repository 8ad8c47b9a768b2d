"""What a view shows of each chunk, whoever made it: its text by role, and where it comes from."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from io import StringIO
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
        place: Its citation, or its lines.
        skipped: Text before it, or after the last, that is in no chunk.
        document: What its document is called.
        key: Its id, if it has one.
        parent: The id of its parent, if it has one.
    """

    index: int
    segments: Sequence[Segment]
    tokens: int
    path: tuple[str, ...] = ()
    clause: str = ""
    place: str = ""
    skipped: Sequence[Skipped] = ()
    document: str = ""
    key: str = ""
    parent: str = ""


@dataclass(frozen=True)
class Shown:
    """A document and the chunks that are shown in it."""

    name: str
    document: Document
    passages: Sequence[Passage]


def passage_of(chunk: Chunk) -> Passage:
    """Return what is shown of a record."""
    return Passage(
        chunk.index,
        chunk.segments,
        chunk.embed_token_count,
        chunk.breadcrumb[bool(chunk.document) :] or chunk.breadcrumb,
        chunk.clause_number or chunk.clause_continued or "",
        chunk.citation or ranged(*chunk.lines, "line"),
        chunk.skipped,
        chunk.document,
        chunk.id,
        chunk.parent_id or "",
    )


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
    passages = [
        passage_of(item) if isinstance(item, Chunk) else _foreign(number, item)
        for number, item in enumerate(items)
    ]
    parents = {passage.parent for passage in passages if passage.parent}
    by_document: dict[str, list[Passage]] = {}
    for passage in passages:
        if passage.key not in parents:
            by_document.setdefault(passage.document, []).append(passage)
    if source is not None and len(by_document) > 1:
        msg = f"these are chunks of {len(by_document)} documents: show those of one, or no source"
        raise ValueError(msg)
    are_records = all(isinstance(item, Chunk) for item in items)
    return [
        _shown(name, some, source, are_records=are_records) for name, some in by_document.items()
    ]


def _shown(
    name: str, passages: Sequence[Passage], source: Source | Document | None, *, are_records: bool
) -> Shown:
    if isinstance(source, Source):
        source = parse(source if source.name else replace(source, name=name))
    if not are_records:
        passages = [*(_found(passages, source) if source else _without_repeats(passages))]
    if source is None:
        text, passages = _joined(passages)
        source = parse(Source(text, name), outline="trust")
    return Shown(PurePath(source.source.name or name).name, source, passages)


def _foreign(number: int, item: object) -> Passage:
    """Return what is shown of a chunk of another tool, or of a framework.

    Raises:
        TypeError: It has no text.
    """
    found: object = getattr(item, "metadata", None) or getattr(item, "meta", None)
    metadata = cast("Mapping[str, Any]", found) if isinstance(found, Mapping) else {}

    def value(*keys: str) -> str:
        return next((str(metadata[key]) for key in keys if metadata.get(key)), "")

    texts = [item, *(getattr(item, name, None) for name in _TEXTS)]
    text = next((text for text in texts if isinstance(text, str)), None)
    if text is None:
        msg = (
            f"{type(item).__name__} has no text: show takes chunks, LlamaIndex nodes, LangChain "
            "documents, texts, or what has a string as text, page_content or content"
        )
        raise TypeError(msg)
    headers = [str(each) for key, each in metadata.items() if key.lower().startswith("header ")]
    names = value("breadcrumb").split(" > ") + value("header_path").split("/") + headers
    return Passage(
        number,
        (Segment("body", text),),
        token_counter(PackConfig().encoding)(text),
        tuple(filter(None, names)),
        value("clause"),
        value("citation"),
        document=value(*_NAMES) or str(getattr(item, "ref_doc_id", None) or ""),
        key=value("chunk_id"),
        parent=value("parent_id"),
    )


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
    text, joined = StringIO(), list[Passage]()
    for passage in passages:
        parts = list[Segment]()
        for part in passage.segments:
            start = text.tell()
            if part.role == "body":
                text.write(part.text)
            parts.append(replace(part, span=(start, text.tell())))
        text.write("\n")
        joined.append(replace(passage, segments=parts, skipped=()))
    return text.getvalue(), joined
