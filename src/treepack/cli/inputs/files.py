"""Turns paths into documents: walks folders, gives names, and reads texts."""

import os
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, TypedDict

import treepack
from treepack.cli.flags import EncodingErrors
from treepack.cli.inputs.folders import FolderWalk, Selection
from treepack.cli.terminal.output import UsageProblem
from treepack.readers.formats import DATA_SUFFIXES, FOLDER_SUFFIXES, PDF_SUFFIX, SUFFIXES, Via
from treepack.readers.links_and_emphasis import TextOrKeep

STANDARD_INPUT: Final = "-"


class Reading(TypedDict, total=False):
    """How documents are read: what `treepack.read` is called with."""

    via: Via
    links: TextOrKeep
    emphasis: TextOrKeep
    password: str
    encoding_errors: EncodingErrors


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
    reading: Reading = field(default_factory=Reading, hash=False)

    @property
    def label(self) -> str:
        """The name that messages use."""
        return "standard input" if self.data is not None else str(self.path)

    @property
    def size(self) -> int:
        """Its size in bytes; 0 if it is unknown, and then reading gives the reason."""
        if self.data is not None:
            return len(self.data)
        try:
            return self.path.stat().st_size
        except OSError:
            return 0


def find_documents(
    paths: Sequence[Path],
    complain: Callable[[str], None],
    note: Callable[[str, int], None] | None = None,
    reading: Reading | None = None,
    selection: Selection | None = None,
) -> list[DocumentFile]:
    """Find the documents of files and folders, each once, those of a folder sorted by name.

    If two documents have the same name, each is named by its path as it was given.

    Args:
        paths: Files and folders; ``-`` is standard input.
        complain: Called with a message about each inner folder that cannot be listed.
        note: Called with a message about the skipped files of a folder, and their number; then with
            one about what a ``.gitignore`` leaves out, and 0. Hidden files do not count.
        reading: How they are read; its converter adds further files of a folder to the documents.
        selection: Which files of a folder are left out on demand.

    Raises:
        UsageProblem: A path does not exist, or a folder has no document.
    """
    found: dict[str, DocumentFile] = {}
    reading = reading or {}
    for path in paths:
        inside = _documents_of(path, complain, note, reading.get("via"), selection or Selection())
        for document in inside:
            document = replace(document, reading=reading)  # noqa: PLW2901 - the same, completed
            found.setdefault(os.path.abspath(document.path), document)  # noqa: PTH100 - no links
    counts = Counter(document.name for document in found.values())
    return [
        document if counts[document.name] == 1 else replace(document, name=_as_name(document.path))
        for document in found.values()
    ]


def load(document: DocumentFile) -> treepack.Source:
    """Read a document as a source with the document's name.

    Raises:
        SourceError: It cannot be read or decoded, or its format is not read.
        MissingExtraError: Its format needs an extra, or a converter, that is not installed.
    """
    how = document.reading.copy()
    if document.data is not None or document.path.suffix.lower() in SUFFIXES - {PDF_SUFFIX}:
        how.pop("via", None)
    given = document.path if document.data is None else document.data
    return replace(treepack.read(given, name=document.label, **how), name=document.name)


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
    selection: Selection,
) -> list[DocumentFile]:
    if str(path) == STANDARD_INPUT:
        return [DocumentFile("", path, data=sys.stdin.buffer.read())]
    if not path.is_dir():
        if not (path.exists() or path.is_symlink()):
            msg = f"{path} does not exist"
            raise UsageProblem(msg)
        return [DocumentFile(_as_name(Path(path.name)), path)]
    converted = FOLDER_SUFFIXES[via] - SUFFIXES if via else frozenset[str]()
    inside = FolderWalk(path, converted, selection, complain).found()
    ignored, skipped = inside.ignored_in_words(), inside.skipped_in_words()
    if not inside.documents:
        taken = ", ".join(sorted((SUFFIXES - DATA_SUFFIXES) | converted))
        reasons = [skipped] * bool(inside.skipped) + [ignored] * bool(ignored)
        msg = "; ".join([f"{path} contains no file that pack reads ({taken})", *reasons])
        raise UsageProblem(msg)
    if note is not None and inside.skipped:
        note(f"{path}: {skipped}", inside.skipped.total())
    if note is not None and ignored:
        note(f"{path}: {ignored}", 0)
    documents = [DocumentFile(_as_name(file.relative_to(path)), file) for file in inside.documents]
    return sorted(documents, key=lambda document: document.name)


def _as_name(path: Path) -> str:
    """Return a path with forward slashes, in characters that UTF-8 can encode."""
    return path.as_posix().encode("utf-8", "surrogateescape").decode("utf-8", "replace")
