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
``view``         `show`: the chunks in their running document
``report_page``  `report`: one page that shows how a document was packed
``integrations`` adapters: `TreepackNodeParser` for LlamaIndex, `TreepackTextSplitter` for
                 LangChain, Arrow tables, Ray, Spark
``cli``          the command line
================ =================================================================================

Two packages serve all others: ``tokens`` counts with one tokenizer pass over the text, and
``sentences`` finds where a sentence ends. ``docs/architecture.md`` has a diagram.

Each public name is imported when it is first used, so that ``treepack --help`` loads no parser.
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treepack.config import PackConfig
    from treepack.document.build import parse
    from treepack.document.document import Document
    from treepack.errors import MissingExtraError, SourceError, TreepackError
    from treepack.integrations.langchain import TreepackTextSplitter as TreepackTextSplitter
    from treepack.integrations.llama_index import TreepackNodeParser as TreepackNodeParser
    from treepack.laws import audit
    from treepack.model.source import Source
    from treepack.packing import Chunk, Chunks, pack, pack_many
    from treepack.readers import read
    from treepack.report_page import report
    from treepack.tokens import token_counter
    from treepack.view import show

__version__ = "0.2.0"

__all__ = [
    "Chunk",
    "Chunks",
    "Document",
    "MissingExtraError",
    "PackConfig",
    "Source",
    "SourceError",
    "TreepackError",
    "audit",
    "pack",
    "pack_many",
    "parse",
    "read",
    "report",
    "show",
    "token_counter",
]

# Not in __all__: `from treepack import *` must not need the frameworks.
_ADAPTERS = {
    "TreepackNodeParser": "treepack.integrations.llama_index",
    "TreepackTextSplitter": "treepack.integrations.langchain",
}
_HOMES = {
    **dict.fromkeys((name for name in __all__ if name.endswith("Error")), "treepack.errors"),
    "Document": "treepack.document.document",
    "PackConfig": "treepack.config",
    "Source": "treepack.model.source",
    "audit": "treepack.laws",
    "parse": "treepack.document.build",
    "read": "treepack.readers",
    "report": "treepack.report_page",
    "show": "treepack.view",
    "token_counter": "treepack.tokens",
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
