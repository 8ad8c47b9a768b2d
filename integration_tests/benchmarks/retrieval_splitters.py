"""Splitters side by side: their passages, with the indexed text and its spans."""

import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from retrieval_sets import Solid, Span, count

from treepack import Chunk, PackConfig, Source, pack
from treepack.model.section import stable_id
from treepack.packing import Segment

Texts = Mapping[str, str]
Piece = tuple[str, str]
"""The path of a passage, which may be empty, and its own text."""

Cutter = Callable[[str, int], Iterable[Piece]]
"""Cuts a text into passages of about the given number of tokens."""

MEAN_TOKENS: Final = 250
_HEADS: Final = [("#" * level, f"h{level}") for level in range(1, 7)]


@dataclass(frozen=True)
class Passage:
    """A piece of a document in an index of one level.

    Attributes:
        document: The name of its document.
        text: What is indexed, and shown to a model.
        spans: Where it is, in characters of its document without whitespace.
    """

    document: str
    text: str
    spans: tuple[Span, ...]


# -------------------------------------------------------------------- rivals


def langchain_headers(text: str, size: int, *, has_path: bool = True) -> Iterator[Piece]:
    """Cut with LangChain's header splitter and its recursive one, combined as in its own guide."""
    splitters: Any = importlib.import_module("langchain_text_splitters")
    by_header = splitters.MarkdownHeaderTextSplitter(_HEADS, strip_headers=False)
    inside = splitters.RecursiveCharacterTextSplitter(
        chunk_size=size, chunk_overlap=0, length_function=count
    )
    for made in inside.split_documents(by_header.split_text(text)):
        yield (" > ".join(made.metadata.values()) if has_path else ""), made.page_content


def langchain_plain_headers(text: str, size: int) -> Iterator[Piece]:
    """Cut the same way without the path in the text, which is LangChain's default."""
    return langchain_headers(text, size, has_path=False)


def langchain_recursive(text: str, size: int) -> Iterator[Piece]:
    """Cut with LangChain's recursive splitter alone."""
    splitters: Any = importlib.import_module("langchain_text_splitters")
    splitter = splitters.RecursiveCharacterTextSplitter(
        chunk_size=size, chunk_overlap=0, length_function=count
    )
    return (("", made) for made in splitter.split_text(text))


def llama_index_pair(text: str, size: int) -> Iterator[Piece]:
    """Cut with LlamaIndex's markdown parser and sentence splitter, with the path of the parser."""
    core: Any = importlib.import_module("llama_index.core")
    parsers: Any = importlib.import_module("llama_index.core.node_parser")
    sections = parsers.MarkdownNodeParser().get_nodes_from_documents([core.Document(text=text)])
    splitter = parsers.SentenceSplitter(
        chunk_size=size, chunk_overlap=0, tokenizer=lambda text: [0] * count(text)
    )
    for section in sections:
        path = section.metadata.get("header_path", "").strip("/").replace("/", " > ")
        for piece in splitter.split_text(section.get_content("none")):
            yield path, piece


def semantic_text_splitter(text: str, size: int) -> Iterator[Piece]:
    """Cut with the markdown splitter of semantic-text-splitter."""
    module: Any = importlib.import_module("semantic_text_splitter")
    splitter = module.MarkdownSplitter.from_callback(count, size)
    return (("", piece) for piece in splitter.chunks(text))


def chonkie(text: str, size: int) -> Iterator[Piece]:
    """Cut with chonkie's recursive chunker, which cannot cut long words if a function counts."""
    module: Any = importlib.import_module("chonkie")
    chunker = module.RecursiveChunker(tokenizer="character", chunk_size=4 * size)
    return (("", piece.text) for piece in chunker(text))


RIVALS: Final[Mapping[str, Cutter]] = {
    "LangChain headers + path": langchain_headers,
    "LangChain headers": langchain_plain_headers,
    "LangChain recursive": langchain_recursive,
    "LlamaIndex pair + path": llama_index_pair,
    "semantic-text-splitter": semantic_text_splitter,
    "chonkie recursive": chonkie,
}


def passages(cutter: Cutter, texts: Texts, size: int, solids: Mapping[str, Solid]) -> list[Passage]:
    """Cut documents, and find where each passage is in them."""
    return [
        Passage(name, _indexed(path, piece), (span,))
        for name, text in texts.items()
        for path, piece, span in located(cutter(text, size), solids[name])
    ]


def located(pieces: Iterable[Piece], solid: Solid) -> Iterator[tuple[str, str, Span]]:
    """Yield the pieces with their spans; a piece that the splitter changed has an empty span."""
    after = 0
    for path, piece in pieces:
        words = "".join(piece.split())
        at = solid.text.find(words, after) if words else -1
        if at < 0:
            yield path, piece, (0, 0)
        else:
            after = at + 1
            yield path, piece, (at, at + len(words))


def _indexed(path: str, piece: str) -> str:
    return f"{path}\n\n{piece}" if path else piece


# -------------------------------------------------------------------- the same recipe for others


def langchain_levels(
    texts: Texts, sizes: tuple[int, int], solids: Mapping[str, Solid]
) -> list[Chunk]:
    """Return LangChain's passages as records of two levels, which `fill_context` accepts.

    Their spans are those of the documents without whitespace. Parents have no spans, so that text
    between two children is never looked up by them.
    """
    return [
        chunk
        for name, text in texts.items()
        for chunk in _two_levels(name, list(langchain_headers(text, sizes[0])), sizes[1], solids)
    ]


def _two_levels(
    name: str, parents: Sequence[Piece], size: int, solids: Mapping[str, Solid]
) -> Iterator[Chunk]:
    pairs = [
        (number, path, piece)
        for number, (path, text) in enumerate(parents)
        for _, piece in langchain_recursive(text, size)
    ]
    places = located([(path, piece) for _, path, piece in pairs], solids[name])
    keys = [stable_id("parent", name, str(number)) for number in range(len(parents))]
    index = written = 0
    for (number, path, piece), (_, _, span) in zip(pairs, places, strict=True):
        while written <= number:
            whole = Segment(role="body", text=parents[written][1])
            yield _record(keys[written], name, parents[written][0], whole, index, None)
            index, written = index + 1, written + 1
        if span[0] < span[1]:
            segment = Segment(role="body", text=piece, span=span)
            key = stable_id("child", name, str(index))
            yield _record(key, name, path, segment, index, keys[number])
            index += 1


def _record(  # noqa: PLR0913, PLR0917 - the fields of a record
    key: str, document: str, path: str, segment: Segment, index: int, parent: str | None
) -> Chunk:
    indexed = _indexed(path, segment.text)
    return Chunk(
        id=key,
        document=document,
        index=index,
        text=segment.text,
        segments=(segment,),
        breadcrumb=(document, *(path.split(" > ") if path else ())),
        embed_text=indexed,
        lexical_text=segment.text,
        token_count=count(segment.text),
        embed_token_count=count(indexed),
        content_hash="",
        lines=(1, 1),
        parent_id=parent,
        level=0 if parent is None else 1,
    )


# -------------------------------------------------------------------- treepack


def packed(texts: Texts, config: PackConfig) -> list[Chunk]:
    """Return the chunks of documents, document after document."""
    return [chunk for name, text in texts.items() for chunk in pack(Source(text, name), config)]


def as_passages(chunks: Iterable[Chunk], solids: Mapping[str, Solid]) -> list[Passage]:
    """Return chunks of one level as passages."""
    return [
        Passage(
            chunk.document,
            chunk.embed_text,
            tuple(solids[chunk.document].span(*s.span) for s in chunk.segments if s.span),
        )
        for chunk in chunks
    ]


def calibrated(mean_of: Callable[[int], float], wanted: float) -> int:
    """Return the size whose passages have about the wanted mean of tokens, after a few tries."""
    size, best = round(wanted * 1.3), (float("inf"), 0)
    for _ in range(4):
        mean = mean_of(size)
        best = min(best, (abs(mean - wanted), size))
        if abs(mean - wanted) < wanted / 40:
            break
        size = max(16, min(round(size * wanted / mean), 8 * round(wanted)))
    return best[1]
