"""Other splitters at one cap, counted by the same tokenizer, without overlap."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Any

from floor import tiktoken_encoding

Split = Callable[[str], Sequence[str]]


def peers(cap: int) -> Mapping[str, Split]:
    """Return the installed splitters by name; each maps a text to its chunks' texts."""
    makers: Mapping[str, tuple[str, Callable[[int], Split]]] = {
        "LangChain recursive": ("langchain_text_splitters", langchain_recursive),
        "LangChain headers, recursive": ("langchain_text_splitters", langchain_headers),
        "LlamaIndex sentences": ("llama_index", llama_sentences),
        "LlamaIndex markdown, sentences": ("llama_index", llama_markdown),
        "semantic-text-splitter": ("semantic_text_splitter", semantic),
        "chonkie recursive": ("chonkie", chonkie_recursive),
        "semchunk": ("semchunk", semchunk_chunker),
    }
    return {name: make(cap) for name, (module, make) in makers.items() if find_spec(module)}


def versions() -> str:
    """Return the peers' versions in one line."""
    known: list[str] = []
    for name in (
        "langchain-text-splitters",
        "llama-index-core",
        "semantic-text-splitter",
        "chonkie",
        "semchunk",
    ):
        try:
            known.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            known.append(f"{name} not installed")
    return ", ".join(known)


def count(text: str) -> int:
    """Count tokens; each peer is told to count like this."""
    return len(tiktoken_encoding().encode_ordinary(text))


def langchain_recursive(cap: int) -> Split:
    """Return `RecursiveCharacterTextSplitter` with markdown's separators."""
    from langchain_text_splitters import (  # noqa: PLC0415 - may be missing
        Language,
        RecursiveCharacterTextSplitter,
    )

    recursive = RecursiveCharacterTextSplitter.from_language(
        Language.MARKDOWN, chunk_size=cap, chunk_overlap=0, length_function=count
    )
    return recursive.split_text


def langchain_headers(cap: int) -> Split:
    """Return `MarkdownHeaderTextSplitter`, followed by the recursive splitter."""
    from langchain_text_splitters import MarkdownHeaderTextSplitter  # noqa: PLC0415 - as above

    levels = [("#" * level, f"h{level}") for level in range(1, 7)]
    by_header = MarkdownHeaderTextSplitter(levels, strip_headers=False)
    recursive = langchain_recursive(cap)
    return lambda text: [
        piece for part in by_header.split_text(text) for piece in recursive(part.page_content)
    ]


def llama_sentences(cap: int) -> Split:
    """Return LlamaIndex's `SentenceSplitter`."""
    from llama_index.core.node_parser import SentenceSplitter  # noqa: PLC0415 - may be missing

    encode = tiktoken_encoding().encode_ordinary
    return SentenceSplitter(chunk_size=cap, chunk_overlap=0, tokenizer=encode).split_text


def llama_markdown(cap: int) -> Split:
    """Return `MarkdownNodeParser`, followed by the sentence splitter."""
    from llama_index.core import Document  # noqa: PLC0415 - may be missing
    from llama_index.core.node_parser import MarkdownNodeParser  # noqa: PLC0415 - as above

    nodes, sentences = MarkdownNodeParser(), llama_sentences(cap)
    return lambda text: [
        piece
        for part in nodes.get_nodes_from_documents([Document(text=text)])
        for piece in sentences(part.get_content())
    ]


def semantic(cap: int) -> Split:
    """Return the markdown splitter of semantic-text-splitter."""
    from semantic_text_splitter import MarkdownSplitter  # noqa: PLC0415 - may be missing

    splitter = MarkdownSplitter.from_callback(count, cap, trim=False)
    return partial(_chunks, splitter)


def chonkie_recursive(cap: int) -> Split:
    """Return the recursive chunker of chonkie."""
    from chonkie import RecursiveChunker  # noqa: PLC0415 - may be missing

    tokenizer: Any = tiktoken_encoding()  # a counting function is not enough, it also encodes
    chunker = RecursiveChunker(tokenizer=tokenizer, chunk_size=cap)
    return lambda text: [chunk.text for chunk in chunker.chunk(text)]


def semchunk_chunker(cap: int) -> Split:
    """Return the chunker of semchunk."""
    from semchunk.semchunk import chunkerify  # noqa: PLC0415 - may be missing

    chunker: Any = chunkerify(count, cap, memoize=False)  # it must not remember the last round
    return lambda text: list(chunker(text))


def _chunks(splitter: Any, text: str) -> list[str]:  # noqa: ANN401 - has no types
    return list(splitter.chunks(text))
