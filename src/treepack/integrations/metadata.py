"""The one mapping from a chunk record to framework metadata, shared by all adapters.

Vector stores accept different values, but all of them accept a string, a number or a bool. The
metadata contains no positions: with them, an edit would change the hash of each chunk below it.
``docs/reference/metadata.md`` describes the keys.
"""

import json
import re
import warnings
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from operator import itemgetter
from pathlib import PurePath
from typing import Any, Final, Literal, NamedTuple, TypeAlias, cast

from treepack.clauses.clause import Clauses
from treepack.document.document import Document
from treepack.integrations.labels import ChunkLabel
from treepack.model.chunk import body_span
from treepack.model.section import headings, path_to, path_to_content, stable_id
from treepack.model.source import Source
from treepack.packing import Chunk, TableSlice
from treepack.packing.context import SEPARATOR

Mode: TypeAlias = Literal["lean", "full", "uniform", "native"]
"""``lean`` has what filters and citations need, and leaves out keys without a value. ``full`` adds
lists as JSON: breadcrumb, clauses, references, boxes. Its two other forms: ``uniform`` gives each
chunk every key, with "" or -1 for a missing value, for stores that refuse new keys later; front
matter is then a single key. ``native`` has real lists of strings, in keys that end in ``_list``
instead of ``_json``; ``references_list`` has the target of each reference."""

EMBEDDED: Final = ("breadcrumb", "clause", "table_caption")
"""The keys that are embedded with the text, in this order."""

NUMBERS: Final = ("table_row_start", "table_row_end", "table_row_count", "page_start", "page_end")
FRONT_MATTER: Final = "front_matter_json"
_CITED_LINES: Final = re.compile(r"(?:^|, )lines? \d+(?: to \d+)?$")
_QUOTED: Final = 6  # words of a chunk that name it
_HEADINGS: Final = tuple(f"heading_{level}" for level in range(1, 7))
_KEYS: Final = (
    *("breadcrumb", "breadcrumb_json", *_HEADINGS, "clause", "clauses_json", "citation"),
    *("references_json", "kinds", "table_caption", "table_columns_json", "table_id"),
    *(*NUMBERS, "chunk_id", "parent_id"),
)
OWN_PREFIX: Final = "treepack_"
"""Before a key that a document's own metadata has: its value stays, and treepack's goes here."""

_EMPTY: Final[dict[str, str | int]] = {key: -1 if key in NUMBERS else "" for key in _KEYS}


def _native_key(key: str) -> str:
    return key.removesuffix("_json") + "_list" if key.endswith("_json") else key


BOXES: Final = "boxes_json"
"""The boxes of a chunk's items: ``[{"page": 7, "bbox": [left, top, right, bottom], "origin": …}]``,
with the corner that is the ``origin``, and the ``size`` of the page if it is in pixels."""
KEYS: Final = frozenset({*_KEYS, *map(_native_key, _KEYS), BOXES})
"""Every key of the mapping, in any mode."""


class OwnMetadataWarning(UserWarning):
    """A document's metadata has a key that treepack writes, too."""


@dataclass(frozen=True)
class MetadataStyle:
    """How metadata is written; the separator is between the entries of ``breadcrumb``."""

    mode: Mode = "lean"
    separator: str = SEPARATOR


class DocumentName(NamedTuple):
    """What a document is called: a key that distinguishes it from others, and its file."""

    key: str = ""
    file: str = ""


def chunk_metadata(
    chunk: Chunk,
    label: ChunkLabel,
    clauses: Clauses,
    name: DocumentName,
    style: MetadataStyle,
) -> dict[str, Any]:
    """Return a chunk's metadata, without that of its document; the label is that of `label_of`."""
    values = {
        "breadcrumb": style.separator.join(label.breadcrumb),
        **dict(zip(_HEADINGS, label.breadcrumb, strict=False)),
        "clause": label.clause,
        "citation": citation_of(chunk, name.file),
        "kinds": list(chunk.kinds),
        "table_caption": label.caption,
        **(_table_values(chunk.tables[0]) if chunk.tables else {}),
        "page_start": chunk.pages[0] if chunk.pages else None,
        "page_end": chunk.pages[-1] if chunk.pages else None,
        "chunk_id": chunk_key(name.key, chunk.id),
        "parent_id": chunk.parent_id and chunk_key(name.key, chunk.parent_id),
    }
    if style.mode != "lean":
        values["breadcrumb_json"] = list(label.breadcrumb)
        values["clauses_json"] = list(_clauses_of(chunk, clauses))
        values["references_json"] = [reference.model_dump() for reference in chunk.references]
        values["table_row_count"] = chunk.tables[0].row_count if chunk.tables else None
    values = {key: value for key, value in values.items() if value not in (None, "", [])}
    if style.mode == "native":  # no store accepts a list of records
        targets = list(dict.fromkeys(reference.target for reference in chunk.references))
        values["references_json"] = targets
        return {_native_key(key): value for key, value in values.items() if value != []}
    flat = {key: _flat(key, value) for key, value in values.items()}
    return {**_EMPTY, **flat} if style.mode == "uniform" else flat


def origins_of(chunk: Chunk, source: Source) -> list[str]:
    """Return the places of the original that a chunk's body came from, as its reader noted them."""
    places: dict[str, None] = {}
    for start, end in (part.span for part in chunk.segments if part.role == "body" and part.span):
        first = max(0, bisect_right(source.origins, start, key=itemgetter(0)) - 1)
        after = bisect_left(source.origins, end, key=itemgetter(0))
        places.update(dict.fromkeys(place for _, place in source.origins[first:after]))
    return list(places)


def boxes_of(chunk: Chunk, source: Source, style: MetadataStyle) -> dict[str, str]:
    """Return, for ``full`` metadata, the boxes of the items in a chunk on the chunk's pages."""
    if style.mode != "full":
        return {}
    notes = [place.partition(" [{")[2] for place in origins_of(chunk, source)]
    noted = [box for note in filter(None, notes) for box in json.loads("[{" + note)]
    boxes = [box for box in noted if box["page"] in chunk.pages]
    return {BOXES: json.dumps(boxes)} if boxes else {}


def with_breadcrumb(
    metadata: dict[str, Any],
    shown: tuple[str, ...],
    style: MetadataStyle,
    taken: Collection[str],
) -> dict[str, Any]:
    """Return the metadata of `chunk_metadata` as if fewer entries of the breadcrumb were shown."""
    breadcrumb, key = style.separator.join(shown), own_name("breadcrumb", taken)
    if breadcrumb or style.mode == "uniform":
        return {**metadata, key: breadcrumb}
    return {name: value for name, value in metadata.items() if name != key}


def citation_of(chunk: Chunk, file: str) -> str:
    """Return a chunk's citation without its lines, which an edit above it would change.

    If nothing else is known, it is the file's name, or else the chunk's first words.
    """
    words = chunk.lexical_text.split(None, _QUOTED)
    quote = " ".join(words[:_QUOTED]) + "…" * (len(words) > _QUOTED)
    return _CITED_LINES.sub("", chunk.citation) or PurePath(file).stem or f"“{quote}”"


def label_of(
    chunk: Chunk,
    document: Document,
    clauses: Clauses,
    above: tuple[str, ...] = (),
) -> ChunkLabel:
    """Return the label that shows a chunk's place.

    Its headings are those of the record's breadcrumb. If the chunk begins with headings that have
    no text of their own, they continue down to the section that holds the chunk's text. Clauses
    without a heading follow, as in the record's breadcrumb. ``above`` are the headings above the
    whole document, from `headings_above`.
    """
    start, end = body_span(chunk)
    names = headings(path_to_content(document.root, start, end))
    around = headings(path_to(document.root, start, end))
    breadcrumb = chunk.breadcrumb
    if breadcrumb[:1] == (chunk.document,) and (not around or breadcrumb[: len(around)] != around):
        breadcrumb = breadcrumb[1:]
    # A clause may be beside the clause of the heading before it, which the record then omits.
    if breadcrumb[: len(around)] == around:
        breadcrumb = (*names, *breadcrumb[len(around) :])
    caption = next((table.caption for table in chunk.tables[:1]), None)
    number, _ = clause_of(chunk, document, clauses)
    return ChunkLabel((*above, *breadcrumb), number, caption)


def clause_of(
    chunk: Chunk, document: Document, clauses: Clauses
) -> tuple[str | None, tuple[str, ...]]:
    """Return the number of the clause that holds a chunk's text, and the path down to it.

    Bare headings above the text are left out. If a chunk begins with the heading of a chapter and
    continues with one of its articles, the result is the article, where the breadcrumb ends too.
    """
    clause = None
    if chunk.clauses:
        start, end = body_span(chunk)
        section = path_to_content(document.root, start, end)[-1]
        clause = clauses.at(section.start, end) if section.start > start else None
    return (clause.number, clause.path) if clause else (chunk.clause_number, chunk.clause_path)


def _clauses_of(chunk: Chunk, clauses: Clauses) -> tuple[str, ...]:
    """Return all clauses with a part in a chunk: those around it, then those that begin in it.

    A store's filter only compares values: it does not know that ``12(3)`` is a part of ``12``. If
    the chunk continues a clause, the clauses around it are those around its first character.
    """
    if chunk.clause_number is None and chunk.clause_continued is None:
        return chunk.clauses
    start, end = body_span(chunk)
    outer_numbers: list[str] = []
    index = clauses.index_at(start, start + 1 if chunk.clause_continued else end)
    while index is not None:
        outer_numbers.append(clauses[index].number)
        index = clauses[index].parent
    return tuple(dict.fromkeys([*reversed(outer_numbers), *chunk.clauses]))


def is_named_in(clause: tuple[str, ...], headings: tuple[str, ...]) -> bool:
    """Whether headings already name a clause: ``Article 12 Duties > (4) Records`` names 12(4)."""
    return bool(clause) and all(
        any(f"{heading} ".startswith(f"{label} ") for heading in headings) for label in clause
    )


def front_matter(chunk: Chunk, mode: Mode) -> dict[str, Any]:
    """Return the document's front matter as flat metadata; in ``uniform`` mode under one key."""
    if mode == "uniform":
        return {FRONT_MATTER: _to_json(chunk.metadata) if chunk.metadata else ""}
    values = {str(key): value for key, value in chunk.metadata.items()}
    return {key: _scalar(value) for key, value in values.items() if key and value is not None}


def chunk_span(chunk: Chunk) -> tuple[int, int]:
    """Return the span of a chunk if it is one slice of the source, else the span of its body."""
    spans = [segment.span for segment in chunk.segments if segment.span]
    start, end = spans[0][0], spans[-1][1]
    if len(spans) == len(chunk.segments) and end - start == len(chunk.text):
        return start, end
    return body_span(chunk)


# -------------------------------------------------------------------- chunks that are split again


def is_chunk(metadata: Mapping[str, Any]) -> bool:
    """Whether metadata is that of a chunk of an earlier split."""
    return own_value(metadata, "chunk_id") is not None and own_value(metadata, "kinds") is not None


def own_value(metadata: Mapping[str, Any], key: str) -> Any:
    """Return treepack's value of a key, which is elsewhere if the document has such a key."""
    return metadata.get(OWN_PREFIX + key, metadata.get(key))


def inherited_metadata(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document's metadata without what an earlier split wrote about the whole chunk."""
    if not is_chunk(metadata):
        return dict(metadata)
    moved = {key.removeprefix(OWN_PREFIX) for key in metadata if key.startswith(OWN_PREFIX)}
    own = {*(KEYS - moved - {"page_start", "page_end"}), *(OWN_PREFIX + key for key in moved)}
    return {key: value for key, value in metadata.items() if key not in own}


def without_conflicts(values: dict[str, Any], taken: Collection[str]) -> dict[str, Any]:
    """Return treepack's metadata, with other names for the keys that the document's own has.

    These names are always there, so that a later split knows whose the others are.
    """
    named = {own_name(key, taken): value for key, value in values.items()}
    return {**dict.fromkeys((OWN_PREFIX + key for key in taken), ""), **named}


def own_name(key: str, taken: Collection[str]) -> str:
    """Return the name under which treepack writes a key."""
    return OWN_PREFIX + key if key in taken else key


def keys_taken(metadata: Mapping[str, Any]) -> frozenset[str]:
    """Return the keys of treepack that a document's own metadata has, with a warning."""
    if is_chunk(metadata):
        moved = (key.removeprefix(OWN_PREFIX) for key in metadata if key.startswith(OWN_PREFIX))
        return KEYS.intersection(moved)
    taken = KEYS & metadata.keys()
    if taken:
        names = ", ".join(sorted(taken))
        message = f"the documents' own {names} stays; treepack's is under {OWN_PREFIX}…"
        warnings.warn(message, OwnMetadataWarning, stacklevel=2)
    return taken


def headings_above(metadata: Mapping[str, Any], document: Document) -> tuple[str, ...]:
    """Return the headings above a document that is itself a chunk of an earlier split.

    The breadcrumb of a chunk ends with the section that holds everything in it. If that section's
    heading is in the text, it is found there again and must not be named twice.
    """
    names = _breadcrumb(metadata) if is_chunk(metadata) else ()
    root = document.root
    inner = headings(path_to_content(root, root.start, root.end))
    if not inner:
        return names
    last = len(names)
    if _ends_with_clause(names, own_value(metadata, "clause")):  # below the heading in the text
        last = next((end for end in range(last, 0, -1) if names[end - 1] == inner[-1]), last)
    first = max(last - len(inner), 0)
    return names[:first] if names[first:last] == inner else names


def _ends_with_clause(names: tuple[str, ...], clause: object) -> bool:
    """Whether the last entry of a breadcrumb names a clause that has no heading: ``4(b)``."""
    component = str(clause or "").removesuffix(")").rpartition("(")[2]
    return bool(component) and bool(names) and component in names[-1]


def _breadcrumb(metadata: Mapping[str, Any]) -> tuple[str, ...]:
    headings = (own_value(metadata, key) for key in _HEADINGS)
    return tuple(str(heading) for heading in headings if heading)


# -------------------------------------------------------------------- values


def _table_values(table: TableSlice) -> dict[str, Any]:
    return {
        "table_columns_json": list(table.columns),
        "table_id": table.id,
        "table_row_start": table.row_start,
        "table_row_end": table.row_end,
    }


def chunk_key(document_key: str, chunk_id: str) -> str:
    """Return a chunk's id, made unique among the chunks of all documents."""
    return stable_id("document", document_key, chunk_id) if document_key else chunk_id


def _flat(key: str, value: object) -> object:
    if key == "kinds":
        return ",".join(cast("list[str]", value))
    return value if isinstance(value, str | int) else _to_json(value)


def _scalar(value: object) -> object:
    if isinstance(value, str | int | float):
        return value
    return _to_json(cast("object", value)) if isinstance(value, list | dict) else str(value)


def _to_json(value: object) -> str:
    """Return a value as JSON; dates and other types become text."""
    return json.dumps(value, ensure_ascii=False, default=str)
