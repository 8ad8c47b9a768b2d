"""treepack packs a document's heading tree into chunks for retrieval.

The packages follow the flow of the data, and imports form no cycles:

================ =================================================================================
``readers``      `read`: HTML, Word and converters' JSON become markdown text
``model``        the data that all packages share: `Source`, blocks, `Section`, `Chunk`
``markdown``     text becomes blocks: the scanner reads plain blocks, markdown-it all others
``plain``        decides whether a text is plain text; plain text becomes blocks
``outline``      titles without markup; heading levels from numbers where the written ones are wrong
``numbers``      what a printed number is: ``5.1.2``, ``Article 12``, ``(iv)``
``clauses``      where each clause begins and ends, and how a reader cites it
``references``   what a text refers to, and where the target is
``document``     `parse`: all of the above in order; `Document`: the tree of sections
``packing``      `pack`: the tree becomes groups of pieces, the groups become `Chunks`
``retrieval``    ``fill_context``: ranked chunks become a context within a token budget
``laws``         `audit`: checks the laws from the chunks and the source alone
``report``       shows how a document was packed: the page, the figures
``integrations`` adapters: `TreepackNodeParser` for LlamaIndex, `TreepackTextSplitter` for
                 LangChain, Arrow tables, Ray, Spark
``cli``          the command line
================ =================================================================================

Two packages serve all others: ``tokens`` counts with one tokenizer pass over the text, and
``sentences`` finds where a sentence ends. ``docs/architecture.md`` has a diagram.

Each public name is imported when it is first used, so that ``treepack --help`` loads no parser.
"""

import importlib
from typing import TYPE_CHECKING, cast

from treepack.views import register_view

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treepack.config import PackConfig
    from treepack.document.build import parse
    from treepack.document.document import Document
    from treepack.errors import (
        ChunkRecordError,
        MissingExtraError,
        SentenceSplitterError,
        SourceError,
        TokenizerError,
        TreepackError,
        WorkerError,
    )
    from treepack.integrations.docling import TreepackChunker as TreepackChunker
    from treepack.integrations.haystack import TreepackSplitter as TreepackSplitter
    from treepack.integrations.langchain import TreepackTextSplitter as TreepackTextSplitter
    from treepack.integrations.langchain.pdf import TreepackPDFLoader as TreepackPDFLoader
    from treepack.integrations.langchain.pdf import TreepackPDFParser as TreepackPDFParser
    from treepack.integrations.llama_index import TreepackNodeParser as TreepackNodeParser
    from treepack.integrations.llama_index.pdf import TreepackPDFReader as TreepackPDFReader
    from treepack.laws import AuditReport, audit
    from treepack.model.section import Section
    from treepack.model.source import Source
    from treepack.packing import (
        Chunk,
        Chunks,
        Failure,
        OutlineChange,
        Packer,
        Reference,
        Segment,
        Skipped,
        TableSlice,
        pack,
        pack_many,
    )
    from treepack.readers import read
    from treepack.readers.decoding import DecodingWarning
    from treepack.readers.elements import DocumentMetadata, Element, read_elements
    from treepack.sentences import SentenceSplitter, sentence_splitter
    from treepack.tokens import TokenCounter, token_counter

__version__ = "0.1.0"

__all__ = [
    "AuditReport",
    "Chunk",
    "ChunkRecordError",
    "Chunks",
    "DecodingWarning",
    "Document",
    "DocumentMetadata",
    "Element",
    "Failure",
    "MissingExtraError",
    "OutlineChange",
    "PackConfig",
    "Packer",
    "Reference",
    "Section",
    "Segment",
    "SentenceSplitter",
    "SentenceSplitterError",
    "Skipped",
    "Source",
    "SourceError",
    "TableSlice",
    "TokenCounter",
    "TokenizerError",
    "TreepackError",
    "WorkerError",
    "audit",
    "pack",
    "pack_many",
    "parse",
    "read",
    "read_elements",
    "sentence_splitter",
    "token_counter",
]

# Not in __all__: `from treepack import *` must not need the frameworks.
_ADAPTERS = {
    "TreepackChunker": "treepack.integrations.docling",
    "TreepackNodeParser": "treepack.integrations.llama_index",
    "TreepackPDFLoader": "treepack.integrations.langchain.pdf",
    "TreepackPDFParser": "treepack.integrations.langchain.pdf",
    "TreepackPDFReader": "treepack.integrations.llama_index.pdf",
    "TreepackSplitter": "treepack.integrations.haystack",
    "TreepackTextSplitter": "treepack.integrations.langchain",
}
_HOMES = {
    **dict.fromkeys(("AuditReport", "audit"), "treepack.laws"),
    "PackConfig": "treepack.config",
    "DecodingWarning": "treepack.readers.decoding",
    "Document": "treepack.document.document",
    "Section": "treepack.model.section",
    "Source": "treepack.model.source",
    "parse": "treepack.document.build",
    "read": "treepack.readers",
    **dict.fromkeys(("DocumentMetadata", "Element", "read_elements"), "treepack.readers.elements"),
    **dict.fromkeys(("SentenceSplitter", "sentence_splitter"), "treepack.sentences"),
    **dict.fromkeys(("TokenCounter", "token_counter"), "treepack.tokens"),
    **dict.fromkeys((name for name in __all__ if name.endswith("Error")), "treepack.errors"),
    **_ADAPTERS,
}
"""Where each name is defined; in ``treepack.packing`` if it is not listed."""


def __getattr__(name: str) -> object:
    """Import and return a public name when it is first used.

    Raises:
        MissingExtraError: An adapter's framework is not installed; the message names the extra.
        AttributeError: There is no such name.
    """
    if name not in __all__ and name not in _ADAPTERS:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    value: object = getattr(importlib.import_module(_HOMES.get(name, "treepack.packing")), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_ADAPTERS})


def _report(
    source: "str | Source | Document", chunks: "Sequence[Chunk]", config: "PackConfig"
) -> str:
    from treepack.report import report  # noqa: PLC0415 - needs optional packages

    return report(source, chunks, config)


def _audit(source: "str | Source", chunks: "Sequence[Chunk]", config: "PackConfig") -> object:
    from treepack.laws import audit_packed  # noqa: PLC0415 - few calls need it

    return audit_packed(source, chunks, config)


def _arrow(chunks: "Sequence[Chunk]") -> object:
    from treepack.integrations import arrow  # noqa: PLC0415 - needs pyarrow, which is optional

    return cast("object", arrow.to_arrow(chunks))  # pyright: ignore[reportUnknownMemberType]


register_view("report", _report)
register_view("audit", _audit)
register_view("arrow", _arrow)
