"""The document: its text, its tree of sections, and what is derived from them."""

import json
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cache, cached_property
from operator import itemgetter
from typing import Any, Final, TypeAlias, TypeVar, cast

from pydantic import TypeAdapter, ValidationError

from treepack.display import counted
from treepack.errors import SourceError, TokenizerError
from treepack.model.blocks import Span
from treepack.model.section import OutlineChange, Section
from treepack.model.source import Source, Typography, text_source
from treepack.pages.gaps import REASONS, without_gaps
from treepack.plain.choice import Markup
from treepack.tokens import TokenCounter, TokenIndex, token_counter, token_index

_INDENT: Final = "  "
_SCHEMA_VERSION: Final = 1
_STORED: Final = (
    *("encoding", "skipped", "metadata", "outline_changes", "markup", "markup_reason", "file"),
)

_T = TypeVar("_T")
Skipped: TypeAlias = tuple[int, int, str]


@dataclass(frozen=True)
class Document:
    """A parsed source; it does not depend on chunk sizes.

    Attributes:
        source: The text that all offsets refer to.
        root: The section tree.
        tokens: Exact token counts of any slice of the text, without its gaps.
        encoding: The name (or callable) of the token counter.
        skipped: The spans that are in no block: (start, end, reason), in order. An empty span is
            where a reader left something out; the reason names it.
        metadata: Facts about the document that are not in its text.
        outline_changes: Headings whose level was changed, in source order; see `parse`.
        markup: How the text was read: as ``markdown``, or as ``plain`` text.
        markup_reason: Why it was read that way.
        file: The file's name, if it was given in addition to the document's.
    """

    source: Source
    root: Section = field(hash=False)
    tokens: TokenIndex = field(compare=False)
    encoding: str | TokenCounter = "cl100k_base"
    skipped: tuple[Skipped, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any], hash=False)
    outline_changes: tuple[OutlineChange, ...] = ()
    markup: Markup = "markdown"
    markup_reason: str = ""
    file: str = ""

    @property
    def is_plain(self) -> bool:
        """Whether the text was read as plain text."""
        return self.markup == "plain"

    @cached_property
    def gaps(self) -> tuple[Span, ...]:
        """Page marks and page furniture, which are in no chunk."""
        return _gaps(self.skipped)

    def outside_gaps(self, start: int, end: int) -> Iterator[Span]:
        """Yield the parts of a span outside its gaps: what a chunk of the span contains."""
        at = bisect_right(self.gaps, start, key=itemgetter(1))
        while start < end:
            gap = self.gaps[at] if at < len(self.gaps) else (end, end)
            if start < gap[0]:
                yield start, min(gap[0], end)
            start, at = gap[1], at + 1

    def updated(self, name: str | None, metadata: Mapping[str, Any] | None) -> "Document":
        """Return the document with another name and more metadata; what is known is kept."""
        document = self
        if metadata:
            document = replace(document, metadata={**self.metadata, **metadata})
        if name is not None and name != self.source.name:
            document = replace(document, source=replace(self.source, name=name))
        return document

    def counted_with(self, encoding: str | TokenCounter) -> "Document":
        """Return the document with tokens counted in another way.

        Raises:
            TokenizerError: The encoding is unknown.
        """
        if encoding == self.encoding:
            return self
        tokens = token_index(self.source.text, token_counter(encoding), self.gaps)
        return replace(self, tokens=tokens, encoding=encoding)

    @cached_property
    def text(self) -> str:
        """The text with spaces in place of its gaps; all offsets stay the same."""
        return without_gaps(self.source.text, self.gaps) if self.gaps else self.source.text

    def without_gaps(self) -> "Document":
        """Return the document whose source is `text`."""
        if not self.gaps:
            return self
        other_skips = tuple(each for each in self.skipped if each[2] not in REASONS)
        return replace(self, source=replace(self.source, text=self.text), skipped=other_skips)

    def outline(self) -> str:
        """Return the section tree as text: for each section a line with its tokens and lines."""
        source = self.source
        lines = [f"{source.name or 'document'} ({self.root.tokens} tokens)"]
        above = [(1, section) for section in reversed(self.root.sections)]
        while above:
            depth, each = above.pop()
            above.extend((depth + 1, inner) for inner in reversed(each.sections))
            text_end = each.start + len(source.text[each.start : each.end].rstrip())
            first = source.line_at(each.start) + 1
            last = source.line_at(max(text_end - 1, each.start)) + 1
            place = f"({each.tokens} tokens, lines {first}-{last})"
            lines.append(f"{_INDENT * depth}{_title(each)} {place}")
        return "\n".join(lines) + "\n"

    def __repr__(self) -> str:
        """Return a short form, because the fields contain the whole text several times."""
        sections = sum(1 for _ in self.root.walk()) - 1
        size = f"{counted(sections, 'section')}, {counted(self.root.tokens, 'token')}"
        return f"<Document {self.source.name!r}: {size}>"

    def to_json(self) -> str:
        """Return the document as JSON; `from_json` returns an equal one.

        Raises:
            TypeError: Tokens were counted by a callable, which cannot be written as JSON.
        """
        if not isinstance(self.encoding, str):
            msg = (
                "a document whose tokens are counted by a function cannot be written as JSON; "
                "parse it with the name of an encoding"
            )
            raise TypeError(msg)
        source = {each.name: getattr(self.source, each.name) for each in fields(Source)}
        record = {
            "schema": _SCHEMA_VERSION,
            **source,
            "typography": [(offset, asdict(found)) for offset, found in self.source.typography],
            "source_metadata": dict(self.source.metadata),
            **{name: getattr(self, name) for name in _STORED},
            "metadata": dict(self.metadata),
            "outline_changes": [asdict(change) for change in self.outline_changes],
            "root": _adapter_of_sections().dump_python(self.root, mode="json", by_alias=True),
        }
        return json.dumps(record)

    @classmethod
    def from_json(cls, text: str) -> "Document":
        """Read what `to_json` wrote.

        Raises:
            SourceError: The text is not a document of this schema; the message names the place.
        """
        stored = _read(TypeAdapter(_Stored), _record(text))
        try:
            counter = token_counter(stored.encoding)
        except TokenizerError as error:
            what = f"encoding: {error}"
            raise _invalid(what) from error
        index = token_index(stored.text, counter, _gaps(stored.skipped))
        context = {"count": index.count, "length": len(stored.text)}
        root = _read(_adapter_of_sections(), stored.root, "root", context=context)
        if not all(each.heading for each in root.walk() if each is not root):
            what = "root/sections: only the root may have no heading"
            raise _invalid(what)
        source = {each.name: getattr(stored, each.name) for each in fields(Source)}
        source["metadata"] = stored.source_metadata
        values = {name: getattr(stored, name) for name in _STORED}
        return cls(Source(**source), root, index, **values)


@dataclass(frozen=True)
class _Stored:
    """The values of a document's JSON form; the section tree is still to be read."""

    name: str
    text: str
    page_marks: tuple[tuple[int, int], ...]
    source_metadata: dict[str, Any]
    encoding: str
    skipped: tuple[Skipped, ...]
    metadata: dict[str, Any]
    root: dict[str, Any]
    origins: tuple[tuple[int, str], ...]
    typography: tuple[tuple[int, Typography], ...]
    left_out: tuple[tuple[int, str], ...]
    outline_changes: tuple[OutlineChange, ...]
    markup: Markup
    markup_reason: str
    file: str


def _record(text: str) -> dict[str, Any]:
    """Return the values in a JSON text of this schema."""
    try:
        loaded = json.loads(text)
    except (ValueError, RecursionError) as error:  # not JSON, a number too long, nested too deep
        msg = f"not a treepack document: from_json takes the text that to_json wrote: {error}"
        raise SourceError(msg) from error
    record = cast("dict[str, Any]", loaded) if isinstance(loaded, dict) else {}
    if record.get("schema") != _SCHEMA_VERSION:
        msg = f"not a treepack document of schema {_SCHEMA_VERSION}; parse the source again"
        raise SourceError(msg)
    return record


def _read(adapter: TypeAdapter[_T], values: object, *above: str, context: object = None) -> _T:
    """Return what JSON values stand for; an error names the place of the first invalid one."""
    try:
        return adapter.validate_python(values, context=context)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        what = f"{'/'.join(map(str, (*above, *first['loc'])))}: {first['msg']}"
        raise _invalid(what) from error


def _invalid(what: str) -> SourceError:
    return SourceError(f"not a treepack document: {what}; parse the source again")


@cache
def _adapter_of_sections() -> TypeAdapter[Section]:
    """Return what reads and writes the tree; making it takes a tenth of the import time."""
    return TypeAdapter(Section)


def _gaps(skipped: Sequence[Skipped]) -> tuple[Span, ...]:
    return tuple((start, end) for start, end, reason in skipped if reason in REASONS)


def _title(section: Section) -> str:
    """Return a section's heading as it is shown."""
    return (section.heading.text if section.heading else "") or "(empty heading)"


def source_or_document(given: object, name: str, call: str) -> Source | Document:
    """Return what a caller of ``call`` gave: a document, or else the source of its text.

    Raises:
        TypeError: It is neither text, a `Source` nor a `Document`.
        SourceError: It is one line that looks like a file path, given by mistake.
    """
    if isinstance(given, Document):
        return given
    takes = "text, a Source or a Document"
    return text_source(given, name, call=call, takes=takes, opener="read")
