"""Finds the tables of a document."""

from collections.abc import Iterator

from treepack.document.document import Document
from treepack.model.blocks import Block, ListItem, Table, children


def tables_of(document: Document) -> Iterator[Table]:
    """Yield all tables in source order, also those inside lists, quotes and other blocks."""
    for section in document.root.walk():
        for block in section.blocks:
            yield from _tables(block)


def _tables(block: Block | ListItem) -> Iterator[Table]:
    if isinstance(block, Table):
        yield block
    for child in children(block):
        yield from _tables(child)
