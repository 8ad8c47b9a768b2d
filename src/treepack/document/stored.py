"""Reads the JSON form of a document, and checks the type of each value."""

import json
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, Final, cast

from pydantic import TypeAdapter, ValidationError

from treepack.errors import SourceError, TokenizerError
from treepack.model.blocks import Count
from treepack.model.outline_change import OutlineChange
from treepack.model.section import Section
from treepack.model.source import Source
from treepack.model.typography import Typography
from treepack.plain.choice import Markup
from treepack.tokens import TokenCounter, token_counter

SCHEMA_VERSION: Final = 1


@dataclass(frozen=True)
class StoredDocument:
    """The values of a document's JSON form.

    Attributes:
        root: The section tree as it was loaded; `read_root` reads it.
    """

    name: str
    text: str
    page_marks: tuple[tuple[int, int], ...]
    source_metadata: dict[str, Any]
    encoding: str
    skipped: tuple[tuple[int, int, str], ...]
    metadata: dict[str, Any]
    root: dict[str, Any]
    origins: tuple[tuple[int, str], ...]
    typography: tuple[tuple[int, Typography], ...]
    left_out: tuple[tuple[int, str], ...]
    outline_changes: tuple[OutlineChange, ...]
    markup: Markup
    markup_reason: str
    file: str

    @property
    def source(self) -> Source:
        """The text with what is known about it."""
        names = {each.name for each in fields(Source)} - {"metadata"}
        values = {name: getattr(self, name) for name in names}
        return Source(metadata=self.source_metadata, **values)

    @property
    def counter(self) -> TokenCounter:
        """The counter of the encoding.

        Raises:
            SourceError: There is none of that name, or it cannot be loaded.
        """
        try:
            return token_counter(self.encoding)
        except TokenizerError as error:
            what = f"encoding: {error}"
            raise _invalid(what) from error

    def read_root(self, count: Count) -> Section:
        """Return the section tree, whose tokens are counted by ``count``.

        Raises:
            SourceError: A value of the tree is missing or has the wrong type.
        """
        context = {"count": count, "length": len(self.text)}
        try:
            root = section_adapter().validate_python(self.root, context=context)
        except ValidationError as error:
            raise _invalid(_first_problem(error, "root")) from error
        if not all(each.heading for each in root.walk() if each is not root):
            what = "root/sections: only the root may have no heading"
            raise _invalid(what)
        return root


def read_stored(text: str) -> StoredDocument:
    """Read the JSON form of a document, except its section tree.

    Raises:
        SourceError: The text is not a document of this schema; the message names the place.
    """
    try:
        loaded = json.loads(text)
    except (ValueError, RecursionError) as error:  # not JSON, a number too long, nested too deep
        msg = f"not a treepack document: from_json takes the text that to_json wrote: {error}"
        raise SourceError(msg) from error
    record = cast("dict[str, Any]", loaded) if isinstance(loaded, dict) else {}
    if record.get("schema") != SCHEMA_VERSION:
        msg = f"not a treepack document of schema {SCHEMA_VERSION}; parse the source again"
        raise SourceError(msg)
    try:
        return _stored_adapter().validate_python(record)
    except ValidationError as error:
        raise _invalid(_first_problem(error)) from error


def _invalid(what: str) -> SourceError:
    return SourceError(f"not a treepack document: {what}; parse the source again")


def _first_problem(error: ValidationError, *above: str) -> str:
    """Return the place of the first invalid value, and what is wrong with it."""
    first = error.errors(include_url=False)[0]
    return f"{'/'.join(map(str, (*above, *first['loc'])))}: {first['msg']}"


@cache
def section_adapter() -> TypeAdapter[Section]:
    """Return what reads and writes the tree; making it takes a tenth of the import time."""
    return TypeAdapter(Section)


@cache
def _stored_adapter() -> TypeAdapter[StoredDocument]:
    return TypeAdapter(StoredDocument)
