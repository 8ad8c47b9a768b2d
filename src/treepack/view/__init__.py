"""The running document with its chunks, of treepack or of any other splitter.

========= ===========================================================================
module    what it does
========= ===========================================================================
passages  what is shown of a chunk, whoever made it
texts     the text of a chunk in HTML, with its tables drawn
running   the document with its chunks: a fragment for a notebook, or a page of its own
========= ===========================================================================
"""

from collections.abc import Iterable, Mapping, Sequence

from treepack.config import given_or_default
from treepack.document.build import parse
from treepack.document.document import Document, source_or_document
from treepack.model.source import Source
from treepack.packing import Chunks
from treepack.view.passages import has_text, shown
from treepack.view.running import View

__all__ = ["View", "show"]


def show(chunks: Iterable[object], source: str | Source | Document | None = None) -> View:
    r"""Show chunks in their running document: in a notebook at once, elsewhere as a file.

    Chunks have tints in turn, with number, headings, clause and tokens; text that is repeated is
    marked. Tokens of chunks that treepack did not record are counted with the default encoding.

    >>> from treepack import pack, show
    >>> show(pack("# Rent\\n\\n900 EUR a month."))
    <1 chunk of 1 document; save('chunks.html') writes a page>

    Args:
        chunks: Chunks of treepack, LlamaIndex nodes, LangChain or Haystack documents, or texts of
            any splitter, in their order. Parents of others are left out.
        source: What they were cut from, which shows what they lost; if None, what `Chunks`
            remember, or else what the chunks hold together. A string is text, not a path.

    Raises:
        ValueError: A source was given for chunks of several documents.
        SourceError: The source is a string that looks like a file path.
        TypeError: A chunk has no text, or the source is neither text, a Source nor a Document.
    """
    given = type(chunks).__name__
    if not hasattr(chunks, "__iter__") or isinstance(chunks, str | Mapping) or has_text(chunks):
        msg = f"show takes a list of chunks, not {given}: pack makes one, or give show([node])"
        raise TypeError(msg)
    chunks = chunks if isinstance(chunks, Sequence) else list(chunks)
    if source is None and isinstance(chunks, Chunks):
        source = chunks.origin
        if isinstance(source, Source):
            source = parse(source, **given_or_default(chunks.config).parsing)
    if source is not None:
        source = source_or_document(source, "", call="show")
    return View(shown(chunks, source), len(chunks))
