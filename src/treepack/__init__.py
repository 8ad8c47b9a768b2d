"""treepack packs a document's heading tree into chunks for retrieval.

The walk through the package follows the data:

``readers``              `read`: HTML, Word and converters' JSON become markdown text
``document.source``      `Source`: the text, its name, its line table
``document.markdown``    the text becomes blocks (`document.blocks`): plain ones by the scanner's
                         patterns, all others by markdown-it's block level
``document.tables``      captions are found, tables in HTML become tables
``document.outline``     headings are nested by their numbers where their levels contradict them
``document.tree``        the blocks become a tree of `Section`s, a `Document`
``document.clause_walk`` clauses, from the numbers of headings, paragraphs, items and table rows
``document.references``  cross-references, and where they lead
``packing.groups``       the tree becomes groups of units: greedy packing under target and cap
``packing.splitting``    a block that is too large is opened: items, rows, lines, sentences, words
``packing.frames``       what a cut block repeats: markers, header rows, fences
``sentences``            where a sentence ends; whoever finds them can be replaced
``packing.context``      what stands before a chunk: breadcrumb line, repeated heading
``packing.assemble``     the groups become drafts
``packing.drafts``       a draft becomes a `Chunk` record, cut from the source, when it is asked for
``packing.levels``       the same for parents and children
``audit``                the laws, checked against the records and the source alone
``report``               packings to look at: the page, the figures; ``display`` for notebooks
``cli``                  the command line
``integrations``         adapters: `TreepackNodeParser` for LlamaIndex, `TreepackTextSplitter` for
                         LangChain; loaded when one of the names is asked for

``tokens`` counts, for all of them, by one tokenizer pass over the text.

Each name is loaded when it is first asked for: who asks only for help should not wait for a parser.
"""

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treepack.audit import AuditReport, audit
    from treepack.config import PackConfig
    from treepack.document import DecodingWarning, Document, Section, Source, parse
    from treepack.errors import (
        ChunkRecordError,
        MissingExtraError,
        SentenceSplitterError,
        SourceError,
        TokenizerError,
        TreepackError,
        WorkerError,
    )
    from treepack.integrations.langchain import TreepackTextSplitter as TreepackTextSplitter
    from treepack.integrations.llama_index import TreepackNodeParser as TreepackNodeParser
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
    "TreepackNodeParser": "treepack.integrations.llama_index",
    "TreepackTextSplitter": "treepack.integrations.langchain",
}
_HOMES = {
    **dict.fromkeys(("AuditReport", "audit"), "treepack.audit"),
    **dict.fromkeys(("PackConfig",), "treepack.config"),
    **dict.fromkeys(
        ("DecodingWarning", "Document", "Section", "Source", "parse"), "treepack.document"
    ),
    **dict.fromkeys(("read",), "treepack.readers"),
    **dict.fromkeys(("DocumentMetadata", "Element", "read_elements"), "treepack.readers.elements"),
    **dict.fromkeys(("SentenceSplitter", "sentence_splitter"), "treepack.sentences"),
    **dict.fromkeys(("TokenCounter", "token_counter"), "treepack.tokens"),
    **dict.fromkeys((name for name in __all__ if name.endswith("Error")), "treepack.errors"),
    **_ADAPTERS,
}
"""Where each name is defined; in ``treepack.packing`` if it is not listed."""


def __getattr__(name: str) -> object:
    """A public name, when it is first asked for.

    Raises:
        MissingExtraError: An adapter's framework is not installed; the message names the extra.
        AttributeError: There is no such name.
    """
    if name not in __all__ and name not in _ADAPTERS:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    value: object = getattr(importlib.import_module(_HOMES.get(name, "treepack.packing")), name)
    if name != "audit":  # which the class below answers for
        globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_ADAPTERS})


class _Root(ModuleType):
    """The package, whose ``audit`` is the function, though there is a package of that name."""

    @property
    def audit(self) -> object:
        return __getattr__("audit")

    @audit.setter
    def audit(self, module: object) -> None:
        """Leave the function: importing a package puts it into the one around it."""


sys.modules[__name__].__class__ = _Root
