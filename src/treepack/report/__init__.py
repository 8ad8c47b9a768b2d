"""Shows a packing on one page: where a document is cut, and why.

========== =====================================================================
module     what it does
========== =====================================================================
packing    a document, its chunks and its settings together
cuts       where a document was cut, and the likely reason
sections   which chunks hold each section
view       the values that the page shows; ``chunk_view``: of one chunk
text_view  the text of a chunk; ``drawn``: its tables
page       the page; the only module that uses Jinja2
========== =====================================================================

Only ``page`` needs the extra ``report``.
"""

from collections.abc import Sequence

from treepack.config import PackConfig
from treepack.document.build import parse
from treepack.document.document import Document
from treepack.errors import MissingExtraError
from treepack.model.arguments import text_source
from treepack.model.source import Source
from treepack.packing import Chunk
from treepack.report.packing import Packing

__all__ = ["Packing", "render", "report"]


def report(source: str | Source | Document, chunks: Sequence[Chunk], config: PackConfig) -> str:
    """Return the report page of one packing; see `treepack.Chunks.report`.

    Raises:
        MissingExtraError: Jinja2 is not installed.
        SourceError: The source is a string that looks like a file path.
        TypeError: The source is neither text, a Source nor a Document.
    """
    if not isinstance(source, Document):
        name = chunks[0].document if chunks else ""
        takes = "text, a Source or a Document"
        source = text_source(source, name, call="report", takes=takes, opener="read")
        source = parse(source, **config.parsing)
    return render(Packing(source, chunks, config))


def render(packing: Packing) -> str:
    """Return the report page of a document's packing; see `report`."""
    try:
        from treepack.report import page  # noqa: PLC0415 - Jinja2 may be missing
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in {"jinja2", "markupsafe"}:
            raise  # another package is missing
        msg = 'the report needs Jinja2; run: pip install "treepack[report]"'
        raise MissingExtraError(msg) from None
    return page.render(packing)
