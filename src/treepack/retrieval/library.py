"""`Library`: finds chunks for `fill_context`, by id, as parents or targets."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import groupby
from typing import Final

from treepack.errors import ChunkRecordError
from treepack.model.chunk import Chunk
from treepack.model.section import stable_id

_CAPTION_NUMBER: Final = re.compile(r"\W*(\w+\W+[\w.-]*\d[a-z]?)").match
_KINDS_WITH_TARGET: Final = ("clause", "annex", "table", "figure", "link")


class Library:
    """Finds chunks of one or more documents; make it once for many questions.

    Chunks that have no children here are leaves, and a context is made of leaves. With ``levels``,
    the library holds their parents as well.

    Some chunks of a document may be left out.

    Raises:
        ChunkRecordError: Two chunks have the same id, or a chunk's parent is missing.
        TypeError: Something is not a chunk.
    """

    def __init__(self, chunks: Iterable[Chunk]) -> None:
        self.by_id: dict[str, Chunk] = {}
        self.children: defaultdict[str, list[str]] = defaultdict(list)
        for chunk in chunks:
            _check_chunk(chunk, self.by_id)
            self.by_id[chunk.id] = chunk
            if chunk.parent_id is not None:
                self.children[chunk.parent_id].append(chunk.id)
        missing = next((key for key in self.children if key not in self.by_id), None)
        if missing is not None:
            child = self.by_id[self.children[missing][0]]
            msg = (
                f"chunk {child.id} of {child.document!r} has the parent {missing}, which is not "
                "among the chunks: give the chunks of all levels"
            )
            raise ChunkRecordError(msg)
        documents = {chunk.document: number for number, chunk in enumerate(self.by_id.values())}
        self.leaves = sorted(
            [key for key in self.by_id if key not in self.children],
            key=lambda key: (documents[self.by_id[key].document], self.by_id[key].index),
        )
        self.order = {key: number for number, key in enumerate(self.leaves)}

    def leaves_of(self, key: str) -> Iterator[str]:
        """Yield the leaves inside a chunk in document order, or the chunk itself if it is one."""
        children = self.children.get(key)
        if children is None:
            yield key
            return
        for child in children:
            yield from self.leaves_of(child)

    def is_next(self, before: Chunk, chunk: Chunk) -> bool:
        """Whether a leaf directly follows another one; only parents may begin between them."""
        parent_count = 0
        parent = self.by_id.get(chunk.parent_id or "")
        while parent is not None and parent.index > before.index:
            parent_count += 1
            parent = self.by_id.get(parent.parent_id or "")
        is_one_document = before.document == chunk.document
        return is_one_document and chunk.index == before.index + 1 + parent_count

    def rest_of_tables(self, chunk: Chunk) -> Iterator[str]:
        """Yield the leaves with the rows of a chunk's cut tables, the chunk itself among them."""
        for table in chunk.tables:
            if table.parts > 1:
                yield from self._tables[table.id]

    def targets(self, chunk: Chunk) -> Iterator[str]:
        """Yield the leaves in which the known targets of a chunk's references begin."""
        for reference in chunk.references:
            if reference.kind in _KINDS_WITH_TARGET:
                names = (reference.target, reference.target.casefold())  # a clause; a caption
                named = (self._named.get((chunk.document, name)) for name in names)
                leaf = next(filter(None, named), self._sections.get(reference.section_id or ""))
                if leaf is not None:
                    yield leaf

    # ---------------------------------------------------------------- made when first needed

    @cached_property
    def _tables(self) -> dict[str, list[str]]:
        leaves_by_table: defaultdict[str, list[str]] = defaultdict(list)
        for key in self.leaves:
            for table in self.by_id[key].tables:
                leaves_by_table[table.id].append(key)
        return leaves_by_table

    @cached_property
    def _named(self) -> dict[tuple[str, str], str]:
        """Map each document and name of a clause or a table ("table 3") to the first leaf of it."""
        first_leaves: dict[tuple[str, str], str] = {}
        for key in self.leaves:
            chunk = self.by_id[key]
            captions = (_CAPTION_NUMBER(table.caption or "") for table in chunk.tables)
            for name in (*chunk.clauses, *(each[1].casefold() for each in captions if each)):
                first_leaves.setdefault((chunk.document, name), key)
        return first_leaves

    @cached_property
    def _sections(self) -> dict[str, str]:
        """Map each section id to the section's first leaf; of equal paths, the first one wins."""
        first_leaves: dict[str, str] = {}
        for path, keys in groupby(self.leaves, lambda key: self.by_id[key].breadcrumb):
            first = next(keys)
            document = self.by_id[first].document
            names = path[1:] if document and path[:1] == (document,) else path
            for depth in range(1, len(names) + 1):
                first_leaves.setdefault(stable_id("section", document, *names[:depth], "0"), first)
        return first_leaves


def _check_chunk(chunk: object, known: dict[str, Chunk]) -> None:
    if not isinstance(chunk, Chunk):
        msg = f"chunks must be Chunk records, as pack returns them, not {type(chunk).__name__}"
        raise TypeError(msg)
    if chunk.id in known:
        msg = (
            f"two chunks have the id {chunk.id}, one of {known[chunk.id].document!r} and one of "
            f"{chunk.document!r}; give the documents different names"
        )
        raise ChunkRecordError(msg)
