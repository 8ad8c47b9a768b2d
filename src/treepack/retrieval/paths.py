"""The path before a chunk's text: its document and its headings."""

from treepack.model.chunk import Chunk, header_of
from treepack.packing.context import BLANK_LINE, SEPARATOR


def path_of(chunk: Chunk) -> str:
    """Return the path before a chunk's text; empty if there is none."""
    return header_of(chunk).removesuffix(BLANK_LINE)


def depth_of(path: str, chunk: Chunk) -> int:
    """Return how many entries of a chunk's breadcrumb its path covers.

    A path that was shortened to fit counts as covering all entries.
    """
    depths = range(len(chunk.breadcrumb))
    shown = (depth for depth in depths if path == SEPARATOR.join(chunk.breadcrumb[:depth]))
    return next(shown, len(chunk.breadcrumb))


def path_and_breadcrumb(chunk: Chunk, document: str) -> tuple[str, tuple[str, ...]]:
    """Return a chunk's path and breadcrumb, with the document's name first if there is one."""
    path, names = path_of(chunk), chunk.breadcrumb
    if not document or names[:1] == (document,):
        return path, names
    return SEPARATOR.join([document, path] if path else [document]), (document, *names)
