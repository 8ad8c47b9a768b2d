"""Chunks: what packing a document gives."""

import importlib
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, overload

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from treepack.config import PackConfig, given_or_default
from treepack.display import SHOWN_ROWS, counted, table
from treepack.document import Document, Source
from treepack.document.arguments import looks_like_a_path
from treepack.errors import ChunkRecordError, MissingExtraError, SourceError
from treepack.packing.chunk import Chunk, OutlineChange
from treepack.packing.drafts import Draft


class Chunks(Sequence[Chunk]):
    """The chunks of one document, in source order.

    A chunk that was packed is cut from the source when it is asked for, and kept from then on.

    Args:
        chunks: The chunks.
        document: What they were cut from, for `report`; it is no part of their value. To another
            process they take its source only.
        config: How they were cut, for `report`.
    """

    def __init__(
        self,
        chunks: Iterable[Chunk],
        *,
        document: Document | Source | None = None,
        config: PackConfig | None = None,
    ) -> None:
        self._chunks: list[Chunk | Draft] = list(chunks)
        self._document = document
        self._config = config

    @classmethod
    def drafted(
        cls, drafts: Iterable[Draft], document: Document | Source, config: PackConfig
    ) -> "Chunks":
        """The chunks of some drafts of a document; packing has them."""
        chunks = cls((), document=document, config=config)
        chunks._chunks.extend(drafts)
        return chunks

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
        if isinstance(chunk, Draft):  # two threads may both come here, with equal chunks
            source = self._source
            assert source is not None, "drafts are of a document"
            chunk = self._chunks[index] = chunk.record(source.text)
        return chunk

    @property
    def _source(self) -> Source | None:
        """What the chunks were cut from."""
        document = self._document
        return document.source if isinstance(document, Document) else document

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Chunks) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash(tuple(chunk.id for chunk in self))

    def __repr__(self) -> str:
        return f"<{len(self)} chunks, {sum(c.token_count for c in self)} tokens>"

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_document": self._source}

    @property
    def outline_changes(self) -> tuple[OutlineChange, ...]:
        """The document's headings that did not keep their level; its first chunk carries them."""
        return self[0].outline_changes if self else ()

    def _repr_html_(self) -> str:
        """A short table for notebooks."""
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

    def to_jsonl(self) -> str:
        """One line of JSON for each chunk, each with a line end."""
        return "".join(f"{_to_json(chunk)}\n" for chunk in self)

    @classmethod
    def from_jsonl(cls, text: str, *, name: str = "chunks") -> "Chunks":
        """Read what `to_jsonl` wrote.

        Args:
            text: The lines; no file is opened.
            name: What the text is called, for messages.

        Raises:
            ChunkRecordError: A line is no chunk record; the message names it.
            TypeError: It is no text.
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
        """A line for each chunk: number, tokens, lines, breadcrumb."""
        rows = [
            f"{chunk.index:>5}  {chunk.token_count:>5} tokens  "
            f"lines {chunk.lines[0]}-{chunk.lines[1]}  {' > '.join(chunk.breadcrumb)}"
            for chunk in self
        ]
        return "\n".join(rows) + "\n" if rows else ""

    def report(
        self, source: str | Source | Document | None = None, config: PackConfig | None = None
    ) -> str:
        """One self-contained HTML page that shows how the document was cut, and why.

        Args:
            source: What the chunks were cut from; what they remember when None. A string is text
                and never opened; see `treepack.pack`.
            config: How they were cut; what they remember, or the defaults, when None.

        Raises:
            SourceError: Nothing was given, and the chunks do not remember their document, as after
                `from_jsonl`.
            MissingExtraError: The extra ``report`` is not installed.
        """
        config = given_or_default(self._config if config is None else config)
        document = source if source is not None else self._document
        if document is None:
            msg = "these chunks do not know what they were cut from; give it: chunks.report(text)"
            raise SourceError(msg)
        # By name: the report stands above packing, which must not depend on it.
        page: str = importlib.import_module("treepack.report").report(document, self, config)
        return page

    def to_arrow(self) -> Any:  # noqa: ANN401 - pyarrow.Table, of a package that may be missing
        """A ``pyarrow.Table``: a row for each chunk; see `treepack.integrations.arrow.SCHEMA`.

        Raises:
            MissingExtraError: The extra ``arrow`` is not installed.
        """
        # By name: the adapter stands above packing, which must not depend on it.
        return importlib.import_module("treepack.integrations.arrow").chunks_to_table(self)

    def to_pandas(self) -> Any:  # noqa: ANN401 - pandas.DataFrame, of a package that may be missing
        """A pandas ``DataFrame``: one row for each chunk, one column for each field of the record.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        try:
            pandas = importlib.import_module("pandas")
        except ModuleNotFoundError as error:
            if error.name is None or error.name.partition(".")[0] != "pandas":
                raise  # pandas is there, but something that it needs is not
            msg = "to_pandas needs pandas: pip install pandas"
            raise MissingExtraError(msg) from None
        rows = [chunk.model_dump() for chunk in self]
        return pandas.DataFrame(rows, columns=list(Chunk.model_fields))


def _check_text(text: object) -> None:
    if not isinstance(text, str):
        msg = f"from_jsonl takes text, not {type(text).__name__}; path.read_text('utf-8') gives it"
        raise TypeError(msg)
    if looks_like_a_path(text):
        msg = (
            f"from_jsonl takes text: Path({text.strip()!r}).read_text('utf-8') gives that of a file"
        )
        raise ChunkRecordError(msg)


def _to_json(chunk: Chunk) -> str:
    try:
        return chunk.model_dump_json()
    except PydanticSerializationError:
        # Lone surrogates have no UTF-8 form; JSON can still escape them.
        return json.dumps(chunk.model_dump())
