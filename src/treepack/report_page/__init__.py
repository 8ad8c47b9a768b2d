"""Shows where a document is cut: in the running document, or on a page that also says why.

========= ===========================================================================
module    what it does
========= ===========================================================================
packing   a document, its chunks and its settings together; which chunks hold a section
passages  what is shown of a chunk, whoever made it
text_view the text of a chunk in HTML, with its tables drawn
view      the running document with its chunks, for a notebook or in a file
cuts      where a document was cut, and the likely reason
page      the report: map, sizes, outline, findings; the only module that uses Jinja2
========= ===========================================================================

Only ``page`` needs the extra ``report``.
"""

from collections.abc import Sequence
from html import escape

from treepack.config import PackConfig, given_or_default
from treepack.document.build import parse
from treepack.document.document import Document
from treepack.errors import SourceError, needs_extra
from treepack.model.arguments import text_source
from treepack.model.source import Source
from treepack.packing import Chunk, Chunks
from treepack.report_page.packing import Packing
from treepack.report_page.passages import shown
from treepack.report_page.view import View

__all__ = ["Packing", "View", "render", "report", "show"]

_TAKES = "text, a Source or a Document"


def show(chunks: Sequence[object], source: str | Source | Document | None = None) -> View:
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
    if isinstance(chunks, str):
        msg = "show takes a list of chunks, not one text"
        raise TypeError(msg)
    if source is None and isinstance(chunks, Chunks):
        source = chunks.origin
        if isinstance(source, Source):
            source = parse(source, **given_or_default(chunks.config).parsing)
    if source is not None and not isinstance(source, Document):
        source = text_source(source, "", call="show", takes=_TAKES, opener="read")
    return View(shown(chunks, source))


class ReportPage(str):
    """The HTML of a report, which a notebook shows in a frame."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        style = "width:100%;height:40rem;border:1px solid #8888"
        return f'<iframe sandbox style="{style}" srcdoc="{escape(self)}"></iframe>'


def report(
    chunks: Sequence[Chunk],
    source: str | Source | Document | None = None,
    config: PackConfig | None = None,
) -> ReportPage:
    """Return a self-contained HTML page that shows how a document was cut, and why.

    Args:
        chunks: The chunks of one document.
        source: What they were cut from; if None, what `Chunks` remember. A string is text, not a
            path; see `treepack.pack`.
        config: How they were cut; if None, what `Chunks` remember, or the defaults.

    Raises:
        SourceError: No source was given, and the chunks do not remember theirs, for example after
            `Chunks.from_jsonl`; or the source is a string that looks like a file path.
        MissingExtraError: Jinja2 is not installed.
        TypeError: The source is neither text, a Source nor a Document.
    """
    if isinstance(chunks, Chunks):
        source = chunks.origin if source is None else source
        config = chunks.config if config is None else config
    if source is None:
        msg = "these chunks come without their source; give it: report(chunks, text)"
        raise SourceError(msg)
    config = given_or_default(config)
    if not isinstance(source, Document):
        name = chunks[0].document if chunks else ""
        source = text_source(source, name, call="report", takes=_TAKES, opener="read")
        source = parse(source, **config.parsing)
    return ReportPage(render(Packing(source, chunks, config)))


def render(packing: Packing) -> str:
    """Return the report page of a document's packing; see `report`."""
    try:
        from treepack.report_page import page  # noqa: PLC0415 - Jinja2 may be missing
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in {"jinja2", "markupsafe"}:
            raise  # another package is missing
        raise needs_extra(user="the report", extra="report") from None
    return page.render(packing)
