"""Chunks: the result of packing a document."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, overload

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from treepack.config import PackConfig, given_or_default
from treepack.display import SHOWN_ROWS, counted, table
from treepack.document.document import Document
from treepack.errors import ChunkRecordError
from treepack.model.chunk import Chunk
from treepack.model.section import OutlineChange
from treepack.model.source import Source, looks_like_a_path
from treepack.numbers.words import KIND_OF_WORD, letters
from treepack.numbers.written_out import NUMBER_WORDS
from treepack.packing.chunks.specs import ChunkSpec, NarrowSource, References
from treepack.packing.context import SEPARATOR

_SHORT: Final = 1 << 16
"""A text of up to this many characters is always kept as a string."""
_WORD_BEFORE: Final = re.compile(r"\A(?:[^\W\d_]+\.?|§+)\s+(?=\S*\d)")
"""A word before a number that names the kind of clause: ``Article 21(3)``, ``§ 433``."""


class Chunks(Sequence[Chunk]):
    """The chunks of one document, in source order; ``+`` joins those of several documents.

    A packed chunk is cut from the source when it is first asked for, and kept from then on.

    Args:
        chunks: The chunks.
        document: What the chunks were cut from, for `treepack.audit` and `treepack.report`; ``==``
            ignores it. A pickle holds only its source.
        config: How the chunks were cut, likewise.
        references: Where the chunks' references are found when they are read.
    """

    def __init__(
        self,
        chunks: Iterable[Chunk | ChunkSpec],
        *,
        document: Document | Source | None = None,
        config: PackConfig | None = None,
        references: References | None = None,
    ) -> None:
        self._chunks = list(chunks)
        self._document: Document | Source | NarrowSource | None = document
        self._config = config
        self._references = references

    @overload
    def __getitem__(self, index: int) -> Chunk: ...
    @overload
    def __getitem__(self, index: slice) -> "Chunks": ...
    def __getitem__(self, index: int | slice) -> "Chunk | Chunks":
        if isinstance(index, slice):
            return Chunks([self._at(at) for at in range(*index.indices(len(self)))])
        return self._at(index)

    def __len__(self) -> int:
        return len(self._chunks)

    def __iter__(self) -> Iterator[Chunk]:
        return map(self._at, range(len(self)))

    def _at(self, index: int) -> Chunk:
        chunk = self._chunks[index]
        if isinstance(chunk, ChunkSpec):  # two threads may do this at once; their chunks are equal
            chunk = self._chunks[index] = self._record(chunk)
        return chunk

    def _record(self, spec: ChunkSpec) -> Chunk:
        source = self._source
        assert source is not None, "specs come with their document"
        text = source if isinstance(source, NarrowSource) else source.text
        return spec.record(text, self._references)

    @property
    def _source(self) -> Source | NarrowSource | None:
        """The source that the chunks were cut from."""
        document = self._document
        return document.source if isinstance(document, Document) else document

    def narrow(self) -> None:
        """Keep a long text in a form that takes less memory; useful if nothing else holds it."""
        source = self._source
        if isinstance(source, Source) and len(source.text) > _SHORT and not source.text.isascii():
            self._document = NarrowSource(source)
            if self._references:
                self._references.source = self._document

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Chunks) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash(tuple(chunk.id for chunk in self))

    def __repr__(self) -> str:
        tokens = sum(chunk.token_count for chunk in self)
        count = len(self)
        return f"<{count} chunk{'s' * (count != 1)}, {tokens} token{'s' * (tokens != 1)}>"

    def __getstate__(self) -> dict[str, Any]:
        return {
            "_chunks": self._chunks,
            "_document": self._source,
            "_config": self._config,
            "_references": self._references,
        }

    @property
    def origin(self) -> Document | Source | None:
        """What the chunks were cut from, if they remember it, as packed ones do."""
        document = self._document
        return document.whole() if isinstance(document, NarrowSource) else document

    @property
    def config(self) -> PackConfig:
        """How the chunks were cut, if they remember it; otherwise the defaults."""
        return given_or_default(self._config)

    @property
    def outline_changes(self) -> tuple[OutlineChange, ...]:
        """Headings with a changed level, and titles that were found; the first chunk has them."""
        return self[0].outline_changes if self else ()

    @property
    def parent_ids(self) -> frozenset[str]:
        """The ids of the chunks that have children; empty without ``levels``."""
        return frozenset(chunk.parent_id for chunk in self if chunk.parent_id is not None)

    def _repr_html_(self) -> str:
        """Return a short table for notebooks."""
        columns = ("", "tokens", "lines", "breadcrumb", "begins with")
        rows = [
            (
                str(chunk.index),
                str(chunk.embed_token_count),
                f"{chunk.lines[0]}–{chunk.lines[1]}",
                " › ".join(chunk.breadcrumb),
                chunk.lexical_text,
            )
            for chunk in self[:SHOWN_ROWS]
        ]
        tokens = sum(chunk.embed_token_count for chunk in self)
        caption = f"{counted(len(self), 'chunk')}, {counted(tokens, 'token')} to embed"
        return table(caption, columns, rows, len(self))

    def __add__(self, other: object) -> "Chunks":
        """Return these chunks, then others; the result does not remember its documents."""
        return Chunks([*self, *other]) if isinstance(other, Chunks) else NotImplemented

    def filter(self, wanted: Callable[[Chunk], object]) -> "Chunks":
        r"""Return the chunks for which a function returns a true value.

        The result does not remember its document.

        >>> from treepack import pack
        >>> pack("# Pump\n\nText.\n").filter(lambda chunk: "table" in chunk.kinds)
        <0 chunks, 0 tokens>
        """
        return Chunks(chunk for chunk in self if wanted(chunk))

    def find(self, clause: str) -> "Chunks":
        """Return the chunks that hold a part of a clause or of a clause inside it.

        Args:
            clause: How the clause is cited: ``21(3)``, ``Article 21(3)``, ``§ 433``, ``5.2``.
        """
        wanted = _bare(clause)

        def holds(chunk: Chunk) -> bool:
            numbers = (*chunk.clauses, chunk.clause_number or "", chunk.clause_continued or "")
            return any(_is_within(_bare(number), wanted) for number in numbers)

        return self.filter(holds)

    def at(
        self, *, page: int | None = None, line: int | None = None, offset: int | None = None
    ) -> "Chunks":
        """Return the chunks whose own text is at a place; if several are given, at all of them.

        Args:
            page: A page, as in `Chunk.pages`.
            line: A line of the source, from 1.
            offset: A character of the source, from 0.

        Raises:
            TypeError: No place was given.
        """
        if page is line is offset is None:
            msg = (
                "at needs a page, a line or an offset, such as chunks.at(page=7), "
                "chunks.at(line=120) or chunks.at(offset=40)"
            )
            raise TypeError(msg)

        def is_there(chunk: Chunk) -> bool:
            first, last = chunk.lines
            spans = [each.span for each in chunk.segments if each.role == "body" and each.span]
            return (
                (page is None or page in chunk.pages)
                and (line is None or first <= line <= last)
                and (offset is None or any(start <= offset < end for start, end in spans))
            )

        return self.filter(is_there)

    @overload
    def to_jsonl(self) -> str: ...
    @overload
    def to_jsonl(self, path: str | Path) -> None: ...
    def to_jsonl(self, path: str | Path | None = None) -> str | None:
        """Return or write one line of JSON for each chunk, each with a line end.

        Args:
            path: A file to write, in UTF-8, instead of returning the text. `from_jsonl` reads the
                text of such a file.

        Raises:
            OSError: The file cannot be written.
        """
        if path is None:
            return "".join(self.jsonl_lines())
        with Path(path).open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(self.jsonl_lines())
        return None

    def jsonl_lines(self) -> Iterator[str]:
        """Yield the lines of `to_jsonl`; chunks that are made for this are not kept."""
        for chunk in self._chunks:
            record = self._record(chunk) if isinstance(chunk, ChunkSpec) else chunk
            yield f"{_to_json(record)}\n"

    @classmethod
    def from_jsonl(cls, text: str, *, name: str = "chunks") -> "Chunks":
        """Read what `to_jsonl` wrote.

        Args:
            text: The lines; no file is opened.
            name: The name of the text in error messages.

        Raises:
            ChunkRecordError: A line is not a chunk record; the message names the line.
            TypeError: ``text`` is not a string.
        """
        _check_text(text)
        chunks: list[Chunk] = []
        for number, line in enumerate(text.split("\n"), 1):
            if not line.strip():
                continue
            try:
                chunks.append(Chunk.model_validate(json.loads(line)))
            except (ValidationError, json.JSONDecodeError) as error:
                msg = f"{name}, line {number}: not a chunk record: {error}"
                raise ChunkRecordError(msg) from error
        return cls(chunks)

    def outline(self) -> str:
        """Return a line for each chunk: its index, tokens, lines and breadcrumb."""
        rows = [
            f"{chunk.index:>5}  {chunk.token_count:>5} tokens  "
            f"lines {chunk.lines[0]}-{chunk.lines[1]}  {SEPARATOR.join(chunk.breadcrumb)}"
            for chunk in self
        ]
        return "\n".join(rows) + "\n" if rows else ""


def _check_text(text: object) -> None:
    if not isinstance(text, str):
        msg = f"from_jsonl takes text, not {type(text).__name__}; give path.read_text('utf-8')"
        raise TypeError(msg)
    if looks_like_a_path(text):
        msg = f"from_jsonl takes text, not a path; give Path({text.strip()!r}).read_text('utf-8')"
        raise ChunkRecordError(msg)


def _to_json(chunk: Chunk) -> str:
    try:
        return chunk.model_dump_json()
    except PydanticSerializationError:
        # Lone surrogates have no UTF-8 form; JSON can still escape them.
        return json.dumps(chunk.model_dump())


def _bare(name: str) -> str:
    """Return a citation without whitespace and without the word before its number."""
    head, bracket, components = name.partition("(")
    words = head.casefold().removeprefix("the ").split()
    if any(letters(word) in NUMBER_WORDS for word in words):  # "Article Two", "the First Schedule"
        words = words[words[0] in KIND_OF_WORD :]
        return "".join([*words, bracket, *components.split()])
    return "".join(_WORD_BEFORE.sub("", name.strip()).replace(",", " ").split())


def _is_within(name: str, outer: str) -> bool:
    """Whether a clause is the outer one or inside it: 21(3)(a) is inside 21(3), but not 2."""
    rest = name.removeprefix(outer)
    if not outer or rest == name:
        return False
    return not rest or not (outer[-1].isalnum() and rest[0].isalnum())
