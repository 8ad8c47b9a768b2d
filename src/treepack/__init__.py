"""treepack packs a document's heading tree into chunks for retrieval.

The walk through the package follows the data:

``document.source``      `Source`: the text, its name, its line table
``document.markdown``    the text becomes blocks (`document.blocks`), by markdown-it's block level
``document.tree``        the blocks become a tree of `Section`s, a `Document`
``packing.groups``       the tree becomes groups of units: greedy packing under target and cap
``packing.splitting``    a block that is too large is opened: items, rows, lines, sentences, words
``packing.frames``       what a cut block repeats: markers, header rows, fences
``sentences``            where a sentence ends; whoever finds them can be replaced
``packing.context``      what stands before a chunk: breadcrumb line, repeated heading
``packing.assemble``     the groups become `Chunk` records
``audit``                the laws, checked against the records and the source alone
``report``               packings to look at: the page, the figures; ``display`` for notebooks
``cli``                  the command line
``integrations``         adapters: `TreepackNodeParser` for LlamaIndex, `TreepackTextSplitter` for
                         LangChain; loaded when one of the names is asked for

``tokens`` counts, for all of them, at the cost of one tokenizer pass over the text.
"""

import importlib
from typing import TYPE_CHECKING

from treepack.audit import AuditReport, audit
from treepack.config import PackConfig
from treepack.document import DecodingWarning, Document, Section, Source, parse, read
from treepack.errors import (
    ChunkRecordError,
    MissingExtraError,
    SentenceSplitterError,
    SourceError,
    TokenizerError,
    TreepackError,
)
from treepack.packing import (
    Chunk,
    Chunks,
    Packer,
    Reference,
    Segment,
    Skipped,
    TableSlice,
    pack,
    pack_many,
)
from treepack.sentences import SentenceSplitter, sentence_splitter
from treepack.tokens import TokenCounter, token_counter

if TYPE_CHECKING:
    from treepack.integrations.langchain import TreepackTextSplitter as TreepackTextSplitter
    from treepack.integrations.llama_index import TreepackNodeParser as TreepackNodeParser

__version__ = "0.1.0"

__all__ = [
    "AuditReport",
    "Chunk",
    "ChunkRecordError",
    "Chunks",
    "DecodingWarning",
    "Document",
    "MissingExtraError",
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
    "audit",
    "pack",
    "pack_many",
    "parse",
    "read",
    "sentence_splitter",
    "token_counter",
]

# Not in __all__: `from treepack import *` must not need the frameworks.
_ADAPTERS = {
    "TreepackNodeParser": "treepack.integrations.llama_index",
    "TreepackTextSplitter": "treepack.integrations.langchain",
}


def __getattr__(name: str) -> object:
    """An adapter, when it is first asked for: LlamaIndex alone takes a second to import.

    Raises:
        MissingExtraError: Its framework is not installed; the message names the extra.
        AttributeError: There is no such name.
    """
    if name not in _ADAPTERS:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    return getattr(importlib.import_module(_ADAPTERS[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_ADAPTERS})
