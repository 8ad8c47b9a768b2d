"""Turns paths into documents: walks folders, gives names, and reads texts."""

import os
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import treepack
from treepack.cli.inputs.folders import FolderWalk, Selection
from treepack.cli.terminal.output import UsageError
from treepack.readers import ReadOptions
from treepack.readers.formats import DATA_SUFFIXES, FOLDER_SUFFIXES, PDF_SUFFIX, suffixes

STANDARD_INPUT: Final = "-"


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
    reader_options: ReadOptions = field(default_factory=ReadOptions, hash=False)

    @property
    def label(self) -> str:
        """The name that messages use."""
        return "standard input" if self.data is not None else str(self.path)


def find_documents(
    paths: Sequence[Path],
    report_problem: Callable[[str], None],
    report_skipped: Callable[[str, int], None],
    reader_options: ReadOptions,
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
    via = reader_options.get("via")
    converted = FOLDER_SUFFIXES[via] - suffixes() if via else frozenset[str]()
    for path in paths:
        if str(path) == STANDARD_INPUT:
            found = [DocumentFile("", path, data=sys.stdin.buffer.read())]
        elif path.is_dir():
            walk = FolderWalk(path, converted, selection, report_problem)
            found = _documents_of(path, walk, converted, report_skipped)
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
    if document.data is not None or document.path.suffix.lower() in suffixes() - {PDF_SUFFIX}:
        options.pop("via", None)
    data = document.path if document.data is None else document.data
    return replace(treepack.read(data, name=document.label, **options), name=document.name)


def _documents_of(
    folder: Path,
    walk: FolderWalk,
    converted: frozenset[str],
    report_skipped: Callable[[str, int], None],
) -> list[DocumentFile]:
    documents = [DocumentFile(_as_name(file.relative_to(folder)), file) for file in walk.walk()]
    left_out = list(walk.left_out())
    if not documents:
        taken = ", ".join(sorted((suffixes() - DATA_SUFFIXES) | converted))
        nothing = f"{folder} contains no file that pack reads ({taken})"
        raise UsageError("; ".join([nothing, *(message for message, _ in left_out)]))
    for message, count in left_out:
        report_skipped(f"{folder}: {message}", count)
    return sorted(documents, key=lambda document: document.name)


def _as_name(path: Path) -> str:
    """Return a path with forward slashes, in characters that UTF-8 can encode."""
    return path.as_posix().encode("utf-8", "surrogateescape").decode("utf-8", "replace")
