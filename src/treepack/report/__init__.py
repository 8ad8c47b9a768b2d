"""Looking at packings: the report page, and the figures that help to choose sizes.

========== =====================================================================
module     what it does
========== =====================================================================
packings   a document, its chunks and its settings as one
cuts       where a document was cut, and what can be said of why
figures    how many chunks, how full, cut where, at what cost
census     what documents are made of, before anything is cut
histogram  sizes in classes
view       packings become what the page shows
page       the page; only here: Jinja2
========== =====================================================================

Of these, only ``page`` needs the extra ``report``.
"""

from collections.abc import Sequence

from treepack.config import PackConfig
from treepack.document import Document, Source
from treepack.document.arguments import text_source
from treepack.errors import MissingExtraError
from treepack.packing import Chunk
from treepack.report.packings import Packing, parsed

__all__ = ["Packing", "render", "report"]


def report(source: str | Source | Document, chunks: Sequence[Chunk], config: PackConfig) -> str:
    """The report page of one packing; see `treepack.Chunks.report`.

    Raises:
        MissingExtraError: Jinja2 is not installed.
        SourceError: The source is a string that looks like the path of a file.
        TypeError: It is no text.
    """
    if not isinstance(source, Document):
        name = chunks[0].document if chunks else ""
        takes = "text, a Source or a Document"
        source = text_source(source, name, call="report", takes=takes, opener="read")
    return render([Packing("settings", parsed(source, config), chunks, config)])


def render(packings: Sequence[Packing]) -> str:
    """The report page of a document's packing, or of two of them side by side.

    Raises:
        MissingExtraError: Jinja2 is not installed.
    """
    try:
        from treepack.report import page  # noqa: PLC0415 - Jinja2 may be missing
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in {"jinja2", "markupsafe"}:
            raise  # something else is missing
        msg = 'the report needs its extra: pip install "treepack[report]"'
        raise MissingExtraError(msg) from None
    return page.render(packings)
