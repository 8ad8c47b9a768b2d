"""Blocks to a tree of sections, and the document that holds it."""

import hashlib
import json
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache, cached_property
from itertools import islice
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from pydantic import TypeAdapter

from treepack.display import SHOWN_ROWS, counted, table
from treepack.document.blocks import Block, Count, Heading, Span, Stretch
from treepack.document.clause_walk import Clause, find_clauses
from treepack.document.outline import OutlineChange
from treepack.document.page_marks import GIVEN_PAGE_MARK, PAGE_MARK, without_gaps
from treepack.document.source import Source
from treepack.errors import SourceError
from treepack.tokens import Engine, TokenCounter, TokenIndex, token_counter, token_index
from treepack.values import value

if TYPE_CHECKING:
    from treepack.document.references import FoundReference

SCHEMA_VERSION: Final = 1
_INDENT: Final = "  "
_VARIANTS: Final = dict(zip("0123456789abcdef", "89ab" * 4, strict=True))

Skipped: TypeAlias = tuple[int, int, str]


@value
class Section(Stretch):
    """A heading and what stands under it; the root has no heading and holds the document.

    It begins with its heading, the root with the text, and ends behind the last character that is
    not blank, sub-sections included.

    Attributes:
        id: UUID from document name, heading path and occurrence; nothing positional.
        heading: None for the root alone.
        blocks: The section's own content, without the heading.
        sections: The sections directly below.
    """

    id: str
    heading: Heading | None
    blocks: tuple[Block, ...]
    sections: tuple["Section", ...]

    def walk(self) -> Iterator["Section"]:
        """This section and all below it, in source order."""
        waiting: list[Section] = [self]
        while waiting:
            section = waiting.pop()
            yield section
            waiting.extend(reversed(section.sections))


@dataclass(frozen=True)
class Document:
    """What a source is, with no opinion about chunk sizes.

    Attributes:
        source: The text that all offsets refer to.
        root: The section tree.
        encoding: The name (or callable) that tokens were counted with.
        skipped: What is no block: (start, end, reason), in order.
        metadata: What is known of the document beside its text.
        outline_changes: Headings that did not keep their level, in source order; see `parse`.
        engine: What counts; no part of the value, as it changes no count.
    """

    source: Source
    root: Section
    encoding: str | TokenCounter = "cl100k_base"
    skipped: tuple[Skipped, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])
    outline_changes: tuple[OutlineChange, ...] = ()
    engine: Engine = field(default="default", compare=False)

    @cached_property
    def tokens(self) -> TokenIndex:
        """Exact token counts of any slice of the text."""
        return token_index(
            self.source.text, token_counter(self.encoding, engine=self.engine), self.gaps
        )

    @cached_property
    def gaps(self) -> tuple[Span, ...]:
        """The page marks, which stand in no chunk; see `treepack.document.page_marks`."""
        return _gaps(self.skipped)

    def described(self, name: str | None, metadata: Mapping[str, Any] | None) -> "Document":
        """The document under another name, with more metadata; its tokens stay counted."""
        document = self
        if metadata:
            document = replace(document, metadata={**self.metadata, **metadata})
        if name is not None and name != self.source.name:
            document = replace(document, source=replace(self.source, name=name))
        if "tokens" in vars(self):
            document.__dict__["tokens"] = self.tokens
        return document

    @property
    def without_gaps(self) -> "Document":
        """The document with blanks for page marks; all its offsets are the same."""
        if not self.gaps:
            return self
        source = replace(self.source, text=without_gaps(self.source.text, self.gaps))
        rest = tuple(each for each in self.skipped if not _is_mark(each[2]))
        document = replace(self, source=source, skipped=rest)
        document.__dict__["tokens"] = self.tokens
        return document

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """All clauses, in source order; see `treepack.document.clause_walk`."""
        return find_clauses(self.without_gaps)

    @cached_property
    def references(self) -> "tuple[FoundReference, ...]":
        """All cross-references, in source order; see `treepack.document.references`."""
        # Its patterns take a tenth of the package's import, and packing may do without them.
        from treepack.document.references import find_references  # noqa: PLC0415

        return find_references(self.without_gaps, self.clauses)

    def outline(self) -> str:
        """The section tree as text: a line for each section with its tokens and lines."""
        rows = [f"{self.source.name or 'document'} ({self.root.tokens} tokens)"]
        rows.extend(_outline(self.root, self.source, 1))
        return "\n".join(rows) + "\n"

    def __repr__(self) -> str:
        """Short: the fields hold the whole text, several times."""
        sections = sum(1 for _ in self.root.walk()) - 1
        size = f"{counted(sections, 'section')}, {counted(self.root.tokens, 'token')}"
        return f"<Document {self.source.name!r}: {size}>"

    def _repr_html_(self) -> str:
        """A short outline for notebooks."""
        line_at = self.source.line_at
        rows = [
            (
                "· " * depth + (title or "(empty heading)"),
                str(section.tokens),
                f"{line_at(section.start) + 1}–{line_at(section.end - 1) + 1}",
            )
            for section, depth, title in islice(_depths(self.root), SHOWN_ROWS)
        ]
        total = sum(1 for _ in self.root.walk()) - 1
        caption = f"{self.source.name or 'document'}: {counted(self.root.tokens, 'token')}"
        return table(caption, ("section", "tokens", "lines"), rows, total)

    def to_json(self) -> str:
        """The document as JSON; `from_json` gives back an equal one.

        Raises:
            TypeError: Tokens were counted by a callable, which has no name to write down.
        """
        if not isinstance(self.encoding, str):
            msg = "a document counted by a callable has no JSON form; name an encoding instead"
            raise TypeError(msg)
        record = {
            "schema": SCHEMA_VERSION,
            "name": self.source.name,
            "text": self.source.text,
            "page_marks": self.source.page_marks,
            "origins": self.source.origins,
            "source_metadata": dict(self.source.metadata),
            "encoding": self.encoding,
            "skipped": self.skipped,
            "metadata": dict(self.metadata),
            "outline_changes": [asdict(change) for change in self.outline_changes],
            "root": _section().dump_python(self.root, mode="json", by_alias=True),
        }
        return json.dumps(record)

    @classmethod
    def from_json(cls, text: str) -> "Document":
        """Read what `to_json` wrote.

        Raises:
            SourceError: The text is not a document of this schema.
        """
        try:
            loaded = json.loads(text)
        except json.JSONDecodeError as error:
            msg = f"not a treepack document: from_json takes the text that to_json wrote: {error}"
            raise SourceError(msg) from error
        record = cast("dict[str, Any]", loaded) if isinstance(loaded, dict) else {}
        if record.get("schema") != SCHEMA_VERSION:
            msg = f"not a treepack document of schema {SCHEMA_VERSION}; parse the source again"
            raise SourceError(msg)
        marks = tuple((offset, page) for offset, page in record["page_marks"])
        origins = tuple((offset, place) for offset, place in record.get("origins", ()))
        source = Source(record["text"], record["name"], record["source_metadata"], marks, origins)
        skipped = tuple((start, end, reason) for start, end, reason in record["skipped"])
        index = token_index(source.text, token_counter(record["encoding"]), _gaps(skipped))
        root = _section().validate_python(record["root"], context={"count": index.count})
        changes = tuple(OutlineChange(**change) for change in record.get("outline_changes", ()))
        document = cls(source, root, record["encoding"], skipped, record["metadata"], changes)
        document.__dict__["tokens"] = index
        return document


def _gaps(skipped: Sequence[Skipped]) -> tuple[Span, ...]:
    return tuple((start, end) for start, end, reason in skipped if _is_mark(reason))


def _is_mark(reason: str) -> bool:
    return reason in {PAGE_MARK, GIVEN_PAGE_MARK}


@cache
def _section() -> TypeAdapter[Section]:
    """Reads and writes the tree; few want it, and to make it takes a tenth of the import."""
    return TypeAdapter(Section)


def build_tree(blocks: Sequence[Block], name: str, count: Count) -> Section:
    """Nest blocks under their headings.

    A heading opens a section that ends before the next heading of the same or a higher level;
    skipped levels open no sections of their own, so that `#`, `###`, `##` gives two children.
    """
    root = _Open(None)
    path = [root]
    for block in blocks:
        if isinstance(block, Heading):
            while path[-1].level >= block.level:
                path.pop()
            opened = _Open(block)
            path[-1].sections.append(opened)
            path.append(opened)
        else:
            path[-1].blocks.append(block)
    return root.close(framed("section", name), Counter(), count)


class _Open:
    """A section that is still growing."""

    def __init__(self, heading: Heading | None) -> None:
        self.heading = heading
        self.level = heading.level if heading else 0
        self.blocks: list[Block] = []
        self.sections: list[_Open] = []

    def close(self, above: str, seen: "Counter[str]", count: Count) -> Section:
        """The section, with all below it.

        Args:
            above: The `framed` path down to it.
            seen: How many sections there were of each path.
            count: Counts the tokens of a slice.
        """
        path = above + framed(self.heading.text) if self.heading else above
        occurrence = seen[path]
        seen[path] += 1
        sections = tuple([section.close(path, seen, count) for section in self.sections])
        parts = [part for part in (self.heading, *self.blocks[:1], *sections[:1]) if part]
        last = [part for part in (*sections[-1:], *self.blocks[-1:], self.heading) if part]
        start, end = (parts[0].start, last[0].end) if parts else (0, 0)
        key = _uuid(path + framed(str(occurrence)))
        return Section(start, end, count, key, self.heading, tuple(self.blocks), sections)


def stable_id(*parts: str) -> str:
    """A UUID that depends on nothing but the parts, in any process and on any machine."""
    return _uuid(framed(*parts))


def framed(*parts: str) -> str:
    """One text for some; the lengths keep ("ab", "c") and ("a", "bc") apart."""
    return "".join([f"{len(part)}:{part}" for part in parts])


def _uuid(text: str) -> str:
    data = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    # RFC 9562, 5.5: the digit of the version, and two bits of the variant
    variant = _VARIANTS[data[16]]
    return f"{data[:8]}-{data[8:12]}-5{data[13:16]}-{variant}{data[17:20]}-{data[20:32]}"


def path_to(root: Section, start: int, end: int) -> list[Section]:
    """The sections, from the root down, that hold all of a span."""
    path = [root]
    while True:
        below = path[-1].sections
        at = bisect_right(below, start, key=attrgetter("start")) - 1
        if at < 0 or below[at].end < end:
            return path
        path.append(below[at])


def headings(path: Sequence[Section]) -> tuple[str, ...]:
    """The headings of a path, as plain text; empty ones are left out."""
    return tuple(s.heading.text for s in path if s.heading and s.heading.text)


def path_to_content(root: Section, start: int, end: int) -> list[Section]:
    """As `path_to`, and on through headings that have nothing of their own.

    Of a span that begins with a title and the heading of the first section, all the text may stand
    in that section; the path then ends there.
    """
    path = path_to(root, start, end)
    while path[-1].start >= start and path[-1].sections and not path[-1].blocks:
        child = path[-1].sections[0]
        if not child.start < end <= child.end:
            break
        path.append(child)
    return path


def _outline(section: Section, source: Source, depth: int) -> Iterator[str]:
    for child in section.sections:
        assert child.heading is not None, "only the root has no heading"
        first, last = source.line_at(child.start) + 1, source.line_at(child.end - 1) + 1
        title = child.heading.text or "(empty heading)"
        yield f"{_INDENT * depth}{title} ({child.tokens} tokens, lines {first}-{last})"
        yield from _outline(child, source, depth + 1)


def _depths(section: Section, depth: int = 0) -> Iterator[tuple[Section, int, str]]:
    """The sections below one, each with its depth and its title."""
    for child in section.sections:
        assert child.heading is not None, "only the root has no heading"
        yield child, depth, child.heading.text
        yield from _depths(child, depth + 1)
