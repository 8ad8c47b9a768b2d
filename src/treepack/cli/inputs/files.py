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
    report_problem: Callable[[str], None],
    report_skipped: Callable[[str, int], None] | None = None,
    reader_options: ReaderOptions | None = None,
    selection: Selection | None = None,
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
    reader_options = reader_options or {}
    for path in paths:
        via, selection = reader_options.get("via"), selection or Selection()
        for document in _documents_in(path, report_problem, report_skipped, via, selection):
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


@contextmanager
def collected_warnings() -> Generator[list[str], None, None]:
    """Collect the warnings raised inside, as messages for people."""
    messages: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            yield messages
        finally:
            messages.extend(dict.fromkeys(str(warning.message) for warning in caught))


def _documents_in(
    path: Path,
    report_problem: Callable[[str], None],
    report_skipped: Callable[[str, int], None] | None,
    via: Via | None,
    selection: Selection,
) -> list[DocumentFile]:
    if str(path) == STANDARD_INPUT:
        return [DocumentFile("", path, data=sys.stdin.buffer.read())]
    if not path.is_dir():
        if not (path.exists() or path.is_symlink()):
            msg = f"{path} does not exist"
            raise UsageError(msg)
        return [DocumentFile(_as_name(Path(path.name)), path)]
    converted = FOLDER_SUFFIXES[via] - SUFFIXES if via else frozenset[str]()
    contents = FolderWalk(path, converted, selection, report_problem).walk()
    ignored, skipped = contents.describe_ignored(), contents.describe_skipped()
    if not contents.documents:
        taken = ", ".join(sorted((SUFFIXES - DATA_SUFFIXES) | converted))
        reasons = [skipped] * bool(contents.skipped) + [ignored] * bool(ignored)
        msg = "; ".join([f"{path} contains no file that pack reads ({taken})", *reasons])
        raise UsageError(msg)
    if report_skipped is not None and contents.skipped:
        report_skipped(f"{path}: {skipped}", contents.skipped.total())
    if report_skipped is not None and ignored:
        report_skipped(f"{path}: {ignored}", 0)
    files = contents.documents
    documents = [DocumentFile(_as_name(file.relative_to(path)), file) for file in files]
    return sorted(documents, key=lambda document: document.name)


def _as_name(path: Path) -> str:
    """Return a path with forward slashes, in characters that UTF-8 can encode."""
    return path.as_posix().encode("utf-8", "surrogateescape").decode("utf-8", "replace")
