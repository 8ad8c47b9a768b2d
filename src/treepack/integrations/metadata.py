"""The one mapping from a chunk record to framework metadata, shared by all adapters.

Vector stores accept different values, but all of them accept a string, a number or a bool. The
metadata contains no positions: with them, an edit would change the hash of each chunk below it.
``docs/reference/metadata.md`` describes the keys.
"""

import json
import re
import warnings
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Final, Literal, NamedTuple, TypeAlias, cast

from treepack.clauses.clause import Clauses
from treepack.document.document import Document
from treepack.model.chunk import body_span
from treepack.model.section import headings, path_to, path_to_content, stable_id
from treepack.packing import Chunk
from treepack.packing.context import ELLIPSIS, SEPARATOR

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


class ChunkLabel(NamedTuple):
    """What a framework shows of a chunk's place.

    Attributes:
        breadcrumb: The headings above everything in the chunk, without the document's name.
        clause: The number of the deepest clause that holds the chunk.
        caption: The caption of the chunk's first table.
    """

    breadcrumb: tuple[str, ...] = ()
    clause: str | None = None
    caption: str | None = None


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
    table = chunk.tables[0] if chunk.tables else None
    values: dict[str, Any] = {
        "breadcrumb": style.separator.join(label.breadcrumb),
        **dict(zip(_HEADINGS, label.breadcrumb, strict=False)),
        "clause": label.clause,
        "citation": citation_of(chunk, name.file),
        "kinds": list(chunk.kinds),
        "table_caption": label.caption,
        "table_columns_json": list(table.columns) if table else None,
        "table_id": table and table.id,
        "table_row_start": table and table.row_start,
        "table_row_end": table and table.row_end,
        "page_start": chunk.pages[0] if chunk.pages else None,
        "page_end": chunk.pages[-1] if chunk.pages else None,
        "chunk_id": chunk_key(name.key, chunk.id),
        "parent_id": chunk.parent_id and chunk_key(name.key, chunk.parent_id),
    }
    if style.mode != "lean":
        values["breadcrumb_json"] = list(label.breadcrumb)
        values["clauses_json"] = list(_clauses_of(chunk, clauses))
        values["references_json"] = [reference.model_dump() for reference in chunk.references]
        values["table_row_count"] = table and table.row_count
    values = {key: value for key, value in values.items() if value not in (None, "", [])}
    if style.mode == "native":  # no store accepts a list of records
        targets = list(dict.fromkeys(reference.target for reference in chunk.references))
        values["references_json"] = targets
        return {_native_key(key): value for key, value in values.items() if value != []}
    flat = {key: _flat(key, value) for key, value in values.items()}
    return {**_EMPTY, **flat} if style.mode == "uniform" else flat


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


def narrowed(label: ChunkLabel) -> Iterator[ChunkLabel]:
    """Yield the label, then shorter and shorter labels, down to an empty one.

    The outermost breadcrumb entries are dropped first, then the caption, then words of the last
    heading, then that heading, and the clause last.
    """
    yield label
    names = label.breadcrumb
    for depth in range(1, len(names)):
        yield label._replace(breadcrumb=names[depth:])
    if label.caption:
        yield label._replace(breadcrumb=names[-1:], caption=None)
    if names:
        words = names[-1].split(" ")
        while len(words) > 1:
            words = words[: len(words) // 2]
            yield ChunkLabel((" ".join(words) + ELLIPSIS,), label.clause)
        yield ChunkLabel(clause=label.clause)
    if label.clause:
        yield ChunkLabel()


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
    known = [own_value(metadata, key) for key in _HEADINGS] if is_chunk(metadata) else []
    names = tuple(str(heading) for heading in known if heading)
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


# -------------------------------------------------------------------- values


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
