"""Paths become documents: folders are walked, names given, texts read."""

import os
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Final

import treepack
from treepack.cli.flags import EncodingErrors
from treepack.cli.terminal.output import UsageProblem
from treepack.display import counted
from treepack.readers.formats import (
    DATA_SUFFIXES,
    FOLDER_SUFFIXES,
    JSON_SUFFIX,
    PDF_SUFFIX,
    SUFFIXES,
    Via,
    json_format,
)
from treepack.readers.kept import TextOrKeep

STANDARD_INPUT: Final = "-"
_SHOWN_SUFFIXES: Final = 8
_HEAD: Final = 65_536  # bytes of a JSON file that tell whether it is a document


@dataclass(frozen=True)
class Reading:
    """How documents are read, as for `treepack.read`.

    Attributes:
        via: What converts PDFs, and documents whose format is not read.
        links: Whether targets of links are kept.
        emphasis: Whether bold and italics are.
        password: What opens encrypted PDFs.
    """

    via: Via | None = None
    links: TextOrKeep = "text"
    emphasis: TextOrKeep = "text"
    password: str | None = None


@dataclass(frozen=True)
class DocumentFile:
    """A document to read.

    Attributes:
        name: The ``document`` of its chunks: the path inside the given folder, or the file's name;
            empty for standard input.
        path: Where it is.
        data: The bytes of standard input, which can be read only once.
        reading: How it is read.
    """

    name: str
    path: Path
    data: bytes | None = None
    reading: Reading = field(default_factory=Reading)

    @property
    def label(self) -> str:
        """What messages call it."""
        return "standard input" if self.data is not None else str(self.path)


def find_documents(
    paths: Sequence[Path],
    complain: Callable[[str], None],
    note: Callable[[str, int], None] | None = None,
    reading: Reading = Reading(),
) -> list[DocumentFile]:
    """Find the documents of files and folders, each once, those of a folder sorted by name.

    If two documents have the same name, each is named by its path as it was given.

    Args:
        paths: Files and folders; ``-`` is standard input.
        complain: Is told which inner folder cannot be listed.
        note: Is told which files of a folder are skipped, by their suffixes, and how many. Hidden
            files do not count.
        reading: How they are read; a folder's documents are also those that its converter takes.

    Raises:
        UsageProblem: A path does not exist, or a folder has no document.
    """
    found: dict[str, DocumentFile] = {}
    for path in paths:
        for document in _documents_of(path, complain, note, reading.via):
            document = replace(document, reading=reading)  # noqa: PLW2901 - the same, completed
            found.setdefault(os.path.abspath(document.path), document)  # noqa: PTH100 - no links
    counts = Counter(document.name for document in found.values())
    return [
        document if counts[document.name] == 1 else replace(document, name=_as_name(document.path))
        for document in found.values()
    ]


def load(document: DocumentFile, encoding_errors: EncodingErrors) -> treepack.Source:
    """Read the text of a document.

    Raises:
        SourceError: It cannot be read or decoded, or has a format that is not read.
        MissingExtraError: Its format needs an extra, or a converter, that is not installed.
    """
    reading = document.reading
    how = partial(
        treepack.read,
        encoding_errors=encoding_errors,
        links=reading.links,
        emphasis=reading.emphasis,
        password=reading.password,
    )
    if document.data is None:
        is_read = document.path.suffix.lower() in SUFFIXES - {PDF_SUFFIX}
        return how(document.path, via=None if is_read else reading.via)
    source = how(document.data, name=document.label)
    return replace(source, name="")


@contextmanager
def collected_warnings() -> Generator[list[str], None, None]:
    """Collect the warnings raised inside, as messages for people."""
    sentences: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            yield sentences
        finally:
            sentences.extend(dict.fromkeys(str(warning.message) for warning in caught))


def _documents_of(
    path: Path,
    complain: Callable[[str], None],
    note: Callable[[str, int], None] | None,
    via: Via | None,
) -> list[DocumentFile]:
    if str(path) == STANDARD_INPUT:
        return [DocumentFile("", path, data=sys.stdin.buffer.read())]
    if not path.is_dir():
        if not (path.exists() or path.is_symlink()):
            msg = f"{path} does not exist"
            raise UsageProblem(msg)
        return [DocumentFile(_as_name(Path(path.name)), path)]
    others: Counter[str] = Counter()
    converted = FOLDER_SUFFIXES[via] - SUFFIXES if via else frozenset[str]()
    inside = [
        DocumentFile(_as_name(file.relative_to(path)), file)
        for file in _walk(path, complain, others, converted)
    ]
    skipped = f"{counted(others.total(), 'file')} skipped: {_listed(others)}"
    if not inside:
        taken = ", ".join(sorted((SUFFIXES - DATA_SUFFIXES) | converted))
        msg = f"{path} holds no document ({taken})"
        raise UsageProblem(f"{msg}; {skipped}" if others else msg)
    if others and note is not None:
        note(f"{path}: {skipped}", others.total())
    return sorted(inside, key=lambda document: document.name)


def _listed(suffixes: "Counter[str]") -> str:
    """The most frequent suffixes with their counts, such as ``2 .pdf, 1 .csv and 3 others``."""
    shown = sorted(suffixes.items(), key=lambda item: (-item[1], item[0]))[:_SHOWN_SUFFIXES]
    rest = suffixes.total() - sum(count for _, count in shown)
    said = ", ".join(f"{count:,} {suffix or 'without a suffix'}" for suffix, count in shown)
    return f"{said} and {counted(rest, 'other')}" if rest else said


def _walk(
    folder: Path,
    complain: Callable[[str], None],
    others: "Counter[str]",
    converted: AbstractSet[str],
) -> Iterator[Path]:
    """The documents in a folder and below; other files that are not hidden are counted."""

    def report(error: OSError) -> None:
        complain(f"{error.filename}: {error.strerror}")

    for place, folders, files in os.walk(folder, onerror=report):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in files:
            file = Path(place) / name
            if file.exists() and not file.is_file():
                continue  # a pipe or a device is not a document that was missed
            suffix = file.suffix.lower()
            is_converted = suffix in converted and not name.startswith((".", "~$"))
            if is_converted or (suffix in SUFFIXES and _may_be_read(file)):
                yield file
            elif not name.startswith("."):
                others[suffix] += 1


def _may_be_read(file: Path) -> bool:
    """Whether a file of a folder is a document; tables and most JSON files are data."""
    suffix = file.suffix.lower()
    if suffix != JSON_SUFFIX:
        return suffix not in DATA_SUFFIXES
    try:
        with file.open("rb") as stream:
            return json_format(stream.read(_HEAD)) is not None
    except OSError:
        return True  # reading it reports the error


def _as_name(path: Path) -> str:
    """A path with forward slashes, in characters that UTF-8 can write."""
    return path.as_posix().encode("utf-8", "surrogateescape").decode("utf-8", "replace")
