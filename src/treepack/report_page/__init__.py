"""The report: one page that shows how a document was packed, on top of its `treepack.view`.

========= ===========================================================================
module    what it does
========= ===========================================================================
packing   a document, its chunks and its settings together; which chunks hold a section
cuts      where a document was cut, and the likely reason
page      map, sizes, outline, findings, chunks; the only module that uses Jinja2
========= ===========================================================================

Only ``page`` needs the extra ``report``.
"""

from collections.abc import Sequence
from html import escape
from pathlib import Path

from treepack.config import PackConfig, given_or_default
from treepack.document.build import parse
from treepack.document.document import Document, source_or_document
from treepack.errors import SourceError, missing_extra
from treepack.model.source import Source
from treepack.packing import Chunk, Chunks
from treepack.report_page.packing import Packing

__all__ = ["Packing", "ReportPage", "render", "report"]


class ReportPage(str):
    """The HTML of a report, which a notebook shows in a frame."""

    __slots__ = ()

    def __repr__(self) -> str:
        """Say how large it is, and how to see it outside a notebook."""
        return f"<report of {len(self):,} characters; save('report.html') writes it>"

    def save(self, path: str | Path) -> None:
        """Write the page to a file, in UTF-8.

        Raises:
            OSError: The file cannot be written.
        """
        Path(path).write_text(self, encoding="utf-8")

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
        TypeError: The chunks are not treepack's, or the source is neither text, a Source nor a
            Document.
    """
    if isinstance(chunks, Chunks):
        source = chunks.origin if source is None else source
        config = chunks.config if config is None else config
    if source is None:
        msg = "these chunks come without their source; give it: report(chunks, text)"
        raise SourceError(msg)
    if not all(hasattr(chunk, "segments") for chunk in chunks):
        msg = "report takes chunks of treepack; show(chunks, text) shows those of any splitter"
        raise TypeError(msg)
    config = given_or_default(config)
    name = chunks[0].document if chunks else ""
    source = source_or_document(source, name, call="report")
    if isinstance(source, Source):
        source = parse(source, **config.parsing)
    return ReportPage(render(Packing(source, chunks, config)))


def render(packing: Packing) -> str:
    """Return the report page of a document's packing; see `report`."""
    try:
        from treepack.report_page import page  # noqa: PLC0415 - Jinja2 may be missing
    except ModuleNotFoundError as error:
        raise missing_extra(error, {"jinja2", "markupsafe"}, "the report", "report") from None
    return page.render(packing)
