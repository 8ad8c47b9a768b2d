"""What a view shows of each chunk, whoever made it: its text by role, and where it comes from."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from operator import itemgetter
from pathlib import PurePath
from typing import Any, Final, cast

from treepack.config import PackConfig
from treepack.display import ranged
from treepack.document.build import parse
from treepack.document.document import Document
from treepack.model.blocks import Span
from treepack.model.chunk import Chunk, Role, Segment, Skipped
from treepack.model.source import LINE_END, Source
from treepack.tokens import token_counter

_TEXTS: Final = ("text", "page_content", "content")
"""Where LlamaIndex and chonkie, LangChain, and Haystack keep a chunk's text."""

_NAMES: Final = ("file_name", "source", "file_path", "document")
_SHORTEST_OVERLAP: Final = 16  # characters; fewer may be equal by chance
_MARKER: Final = re.compile(r"\s*(?:[-*+>]|\d{1,9}[.)])\s+")  # of an item or a quote
_MOST_ADDED: Final = 8  # lines in front of a text, such as headings and a table's header


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
    if source is not None and not (are_records and _fit(passages, source.source.text)):
        passages = [*_found(passages, source)]
    elif not are_records:
        passages = [*_without_repeats(passages)]
    if source is None:
        text, passages = _joined(passages)
        source = parse(Source(text, name), outline="trust")
    return Shown(PurePath(source.source.name or name).name, source, passages)


def has_text(item: object) -> bool:
    """Whether something is a chunk, a node or a document."""
    return any(isinstance(getattr(item, name, None), str) for name in _TEXTS)


def _fit(passages: Sequence[Passage], text: str) -> bool:
    """Whether the spans of records are slices of the text: it may be another one, or edited."""
    parts = [part for passage in passages for part in passage.segments if part.span]
    return all(part.text == text[slice(*part.span or (0, 0))] for part in parts)


def _foreign(number: int, item: object) -> Passage:
    """Return what is shown of a chunk of another tool, or of a framework.

    Raises:
        TypeError: It has no text.
    """
    found: object = getattr(item, "metadata", None) or getattr(item, "meta", None)
    metadata: Mapping[str, Any] = {}
    if isinstance(found, Mapping):
        metadata = cast("Mapping[str, Any]", found)

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
    """Yield passages with the places of their texts in the source, and what is in none of them.

    Passages in another order than the source are a choice, such as the results of a search. Then
    what is in none of them is not lost.
    """
    text, before, starts = document.source.text, (0, 0), list[int]()
    inks = [Ink(each) for each in dict.fromkeys((text, document.text))]
    found = list[tuple[Passage, Span | None]]()
    for passage in passages:
        written = "".join(part.text for part in passage.segments)
        place = next(filter(None, (ink.place(written, before) for ink in inks)), None)
        parts = [Segment("body", written)]
        if place is not None:
            front, (start, end), behind = place
            parts = [Segment("path", front)] if front.strip() else []
            own = min(max(start, before[1]), end) if start >= before[0] else start
            if own > start:
                parts.append(Segment("overlap", text[start:own], (start, own)))
            parts.append(Segment("body", text[own:end], (own, end)))
            parts += [Segment("glue", behind)] if behind else []
            before = (start, end)
            starts.append(start)
        found.append((replace(passage, segments=parts), place and place[1]))
    yield from (
        _with_losses(found, document) if starts == sorted(starts) else map(itemgetter(0), found)
    )


def _with_losses(
    found: Sequence[tuple[Passage, Span | None]], document: Document
) -> Iterator[Passage]:
    """Yield passages with the text before each, or after the last, that is in none of them."""
    kept = list(document.source.text)  # without what treepack leaves out, such as page marks
    for start, end, _ in document.skipped:
        kept[start:end] = " " * (end - start)
    text, done = "".join(kept), 0
    for passage, span in found:
        start, end = span or (done, done)
        spans: list[Span] = [(done, start)]
        if passage is found[-1][0]:
            spans.append((max(done, end), len(text)))
        done = max(done, end)
        lost = [each for each in spans if text[slice(*each)].strip()]
        yield replace(passage, skipped=[Skipped(each, "lost by the splitter") for each in lost])


class Ink:
    """The characters of a source that are not whitespace, which splitters may change."""

    def __init__(self, text: str) -> None:
        self._offsets = [offset for offset, each in enumerate(text) if not each.isspace()]
        self._ink = "".join(text.split())

    def place(self, text: str, before: Span) -> tuple[str, Span, str] | None:
        """Return where a text is in the source, after a marker or lines, or before a line, added.

        It is the nearest place after the beginning of the previous text that goes on after its end,
        or else the first place in the source.

        Returns:
            What is added in front, the span in the source, and the line behind; None if nowhere.
        """
        begun, ended = (bisect_left(self._offsets, offset) for offset in before)
        line_ends = [match.end() for match in LINE_END.finditer(text.rstrip())]
        lines = (0, *line_ends[:_MOST_ADDED])
        markers = (match.end() for line in lines if (match := _MARKER.match(text, line)))
        for begin in sorted({*lines, *markers}):
            for stop in (len(text), *line_ends[-1:]):
                ink = "".join(text[begin:stop].split())
                if len(ink) < (_SHORTEST_OVERLAP if begin or stop < len(text) else 1):
                    continue
                start = self._nearest(ink, begun, ended)
                if start is not None:
                    span = (self._offsets[start], self._offsets[start + len(ink) - 1] + 1)
                    return text[:begin], span, text[stop:]
        return None

    def _nearest(self, ink: str, begun: int, ended: int) -> int | None:
        if self._ink.startswith(ink, ended):
            return ended
        start = self._ink.find(ink, begun)
        while start >= 0 and start + len(ink) <= ended:
            start = self._ink.find(ink, start + 1)
        start = start if start >= 0 else self._ink.find(ink)
        return start if start >= 0 else None


def _without_repeats(passages: Sequence[Passage]) -> Iterator[Passage]:
    """Yield passages in which the text that the previous one has too is told apart."""
    before = ""
    for passage in passages:
        text = passage.segments[0].text
        cut, role = _repeated_end(before, text)
        parts = [Segment(role, text[:cut])] if cut else []
        yield replace(passage, segments=[*parts, Segment("body", text[cut:])])
        before = text


def _repeated_end(before: str, text: str) -> tuple[int, Role]:
    """Return where the text ends that is also at the end of another, or in its lines."""
    start = before.find(text[:_SHORTEST_OVERLAP])
    while start >= 0 and len(before) - start >= _SHORTEST_OVERLAP:
        if text.startswith(before[start:]):
            return len(before) - start, "overlap"
        start = before.find(text[:_SHORTEST_OVERLAP], start + 1)
    lines, end = {line.strip() for line in before.split("\n")}, 0
    for match in LINE_END.finditer(text):
        line = text[end : match.start()].strip()
        if line and line not in lines:
            break
        end = match.end()
    return (end if len(text[:end].strip()) >= _SHORTEST_OVERLAP else 0), "path"


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
