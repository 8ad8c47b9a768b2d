"""The exceptions that treepack raises, all of them a `TreepackError`.

An invalid setting raises pydantic's ``ValidationError``, as usual with pydantic.
"""

from collections.abc import Collection
from pathlib import PurePath


class TreepackError(Exception):
    """Base class of all errors that treepack defines."""


class SourceError(TreepackError, ValueError):
    """A document cannot be read or decoded; the message names the file and a remedy."""


class TokenizerError(TreepackError, ValueError):
    """A tokenizer is unknown, missing or broken; the message names what can be used instead."""


class SentenceSplitterError(TreepackError, ValueError):
    """A sentence splitter is unknown or returns impossible spans; the message names it."""


class PatternError(TreepackError, ValueError):
    """A user's pattern is not a regular expression, or takes too long; the message names it."""


class UnknownPresetError(TreepackError, ValueError):
    """There is no preset of that name; the message lists the presets."""


class ChunkRecordError(TreepackError, ValueError):
    """A line of a chunk file is not a chunk record; the message names file and line."""


class WorkerError(TreepackError, RuntimeError):
    """Work cannot be sent to other processes, or one of them died; the message says why."""


class MissingExtraError(TreepackError, ImportError):
    """An optional package is not installed; the message names the extra that installs it."""


class LeftOutWarning(UserWarning):
    """A part of a document cannot be read and is left out; the rest is read."""


def needs_extra(*, user: str, extra: str) -> MissingExtraError:
    """Return the error for an extra that is not installed."""
    how = f'pip install "treepack[{extra}]", or ".[{extra}]" in a clone'
    return MissingExtraError(f"{user} needs its extra: {how}")


def missing_extra(error: ModuleNotFoundError, roots: set[str], user: str, extra: str) -> Exception:
    """Return the error for a framework with these top-level packages that is not installed.

    If another package is missing, it is ``error`` itself: a broken framework is not a missing one.
    """
    is_missing = error.name is not None and error.name.partition(".")[0] in roots
    return needs_extra(user=user, extra=extra) if is_missing else error


def wrong_type(value: object, call: str, takes: str) -> TypeError:
    """Return the error for an argument of a wrong type, with a remedy for common mistakes."""
    kind, remedy = type(value).__name__, ""
    if isinstance(value, bytes | bytearray | memoryview):
        remedy = "; read(data) makes a Source from the bytes of a file"
    elif isinstance(value, PurePath):
        remedy = f"; read({str(value)!r}) makes a Source from a file"
    elif isinstance(value, list | tuple):
        remedy = "; pack_many packs several documents"
    return TypeError(f"{call} takes {takes}, not {kind}{remedy}")


def check_choice(name: str, value: object, choices: Collection[object]) -> None:
    """Refuse a value that is not one of the choices, so that it is not taken for one of them.

    Raises:
        ValueError: The value is not one of the choices; the message lists them.
    """
    if value not in choices:
        msg = f"{name} is {value!r}, but must be one of {', '.join(map(repr, choices))}"
        raise ValueError(msg)
