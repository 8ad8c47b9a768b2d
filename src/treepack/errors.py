"""The exceptions that treepack raises.

TreepackError
├── SourceError            a document cannot be read or decoded
├── TokenizerError         a tokenizer is unknown, missing or broken
├── SentenceSplitterError  a sentence splitter is unknown, or gives spans that cannot be
├── PagePatternError       a pattern of page marks is no regular expression
├── UnknownPresetError     there is no preset of that name
├── ChunkRecordError       a line of a chunk file is not a chunk record
├── WorkerError            other processes cannot be given their work, or one of them died
└── MissingExtraError      an optional package is not installed

A setting that makes no sense raises pydantic's ``ValidationError``, as everywhere in pydantic.
"""

from collections.abc import Collection
from pathlib import PurePath


class TreepackError(Exception):
    """Base of all errors that treepack raises by itself."""


class SourceError(TreepackError, ValueError):
    """A document cannot be read or decoded; the message names the file and the remedy."""


class TokenizerError(TreepackError, ValueError):
    """A tokenizer is unknown, missing or broken; the message names what can be used instead."""


class SentenceSplitterError(TreepackError, ValueError):
    """A sentence splitter is unknown, or gives spans that cannot be; the message shows which."""


class PagePatternError(TreepackError, ValueError):
    """A pattern of page marks is no regular expression; the message shows it and what is wrong."""


class UnknownPresetError(TreepackError, ValueError):
    """There is no preset of that name; the message lists those that are."""


class ChunkRecordError(TreepackError, ValueError):
    """A line of a chunk file is not a chunk record; the message names file and line."""


class WorkerError(TreepackError, RuntimeError):
    """Other processes cannot be given their work, or one of them died; the message says why."""


class MissingExtraError(TreepackError, ImportError):
    """An optional package is not installed; the message names the extra that brings it."""


def wrong_type(value: object, call: str, takes: str) -> TypeError:
    """The error for an argument of a type that a function does not take, with a remedy."""
    kind, remedy = type(value).__name__, ""
    if isinstance(value, bytes | bytearray | memoryview):
        remedy = "; read(data) makes a Source of the bytes of a file"
    elif isinstance(value, PurePath):
        remedy = f"; read({str(value)!r}) makes a Source of a file"
    elif isinstance(value, list | tuple):
        remedy = "; pack_many packs several documents"
    return TypeError(f"{call} takes {takes}, not {kind}{remedy}")


def check_choice(name: str, value: object, choices: Collection[object]) -> None:
    """Refuse a misspelt value, which would otherwise pass for one of the others.

    Raises:
        ValueError: The value is none of the choices; the message lists them.
    """
    if value not in choices:
        msg = f"{name} is {value!r}, but must be one of {', '.join(map(repr, choices))}"
        raise ValueError(msg)
