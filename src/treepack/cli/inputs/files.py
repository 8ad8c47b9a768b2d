"""Turns paths into documents: walks folders, gives names, and reads texts."""

import os
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, TypedDict

import treepack
from treepack.cli.flags import EncodingErrors
from treepack.cli.inputs.folders import FolderContents, FolderWalk, Selection
from treepack.cli.terminal.output import UsageError
from treepack.readers.formats import DATA_SUFFIXES, FOLDER_SUFFIXES, PDF_SUFFIX, SUFFIXES, Via
from treepack.readers.links_and_emphasis import TextOrKeep

STANDARD_INPUT: Final = "-"


class ReaderOptions(TypedDict, total=False):
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
        reader_options: How it is read.
    """

    name: str
    path: Path
    data: bytes | None = None
    reader_options: ReaderOptions = field(default_factory=ReaderOptions, hash=False)

    @property
    def label(self) -> str:
        """The name that messages use."""
        return "standard input" if self.data is not None else str(self.path)


def find_documents(
    paths: Sequence[Path],
    report_problem: Callable[[str], None],
    report_skipped: Callable[[str, int], None],
    reader_options: ReaderOptions,
    selection: Selection,
) -> list[DocumentFile]:
    """Find the documents of files and folders, each once, those of a folder sorted by name.

    If two documents have the same name, each is named by its path as it was given.

    Args:
        paths: Files and folders; ``-`` is standard input.
        report_problem: Called with a message about each inner folder that cannot be listed.
        report_skipped: Called with a message about the skipped files of a folder, and their number;
            then with one about what a ``.gitignore`` leaves out, and 0. Hidden files do not count.
        reader_options: How they are read; a converter adds further files of a folder.
        selection: Which files of a folder are left out on demand.

    Raises:
        UsageError: A path does not exist, or a folder has no document.
    """
    documents: dict[str, DocumentFile] = {}
    for path in paths:
        if str(path) == STANDARD_INPUT:
            found = [DocumentFile("", path, data=sys.stdin.buffer.read())]
        elif path.is_dir():
            via = reader_options.get("via")
            walk = FolderWalk(path, _converted(via), selection, report_problem)
            found = _documents_of(path, walk.walk(), via, report_skipped)
        elif path.exists() or path.is_symlink():
            found = [DocumentFile(_as_name(Path(path.name)), path)]
        else:
            msg = f"{path} does not exist"
            raise UsageError(msg)
        for document in found:
            key = os.path.abspath(document.path)  # noqa: PTH100 - links are not followed
            documents.setdefault(key, replace(document, reader_options=reader_options))
    counts = Counter(document.name for document in documents.values())
    return [
        document if counts[document.name] == 1 else replace(document, name=_as_name(document.path))
        for document in documents.values()
    ]


def load(document: DocumentFile) -> treepack.Source:
    """Read a document as a source with the document's name.

    Raises:
        SourceError: It cannot be read or decoded, or its format is not read.
        MissingExtraError: Its format needs an extra, or a converter, that is not installed.
    """
    options = document.reader_options.copy()
    if document.data is not None or document.path.suffix.lower() in SUFFIXES - {PDF_SUFFIX}:
        options.pop("via", None)
    data = document.path if document.data is None else document.data
    return replace(treepack.read(data, name=document.label, **options), name=document.name)


def _converted(via: Via | None) -> frozenset[str]:
    """Return the suffixes that only a converter reads."""
    return FOLDER_SUFFIXES[via] - SUFFIXES if via else frozenset()


def _documents_of(
    folder: Path,
    contents: FolderContents,
    via: Via | None,
    report_skipped: Callable[[str, int], None],
) -> list[DocumentFile]:
    ignored, skipped = contents.describe_ignored(), contents.describe_skipped()
    if not contents.documents:
        taken = ", ".join(sorted((SUFFIXES - DATA_SUFFIXES) | _converted(via)))
        reasons = [skipped] * bool(contents.skipped) + [ignored] * bool(ignored)
        msg = "; ".join([f"{folder} contains no file that pack reads ({taken})", *reasons])
        raise UsageError(msg)
    if contents.skipped:
        report_skipped(f"{folder}: {skipped}", contents.skipped.total())
    if ignored:
        report_skipped(f"{folder}: {ignored}", 0)
    documents = [DocumentFile(_as_name(f.relative_to(folder)), f) for f in contents.documents]
    return sorted(documents, key=lambda document: document.name)


def _as_name(path: Path) -> str:
    """Return a path with forward slashes, in characters that UTF-8 can encode."""
    return path.as_posix().encode("utf-8", "surrogateescape").decode("utf-8", "replace")
