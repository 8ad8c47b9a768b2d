"""Check that every document of the corpus still gives the same chunks, after work on speed.

    pip install ".[all]"
    python integration_tests/benchmarks/unchanged.py [--corpus DIR] [--stored FILE] [--write]

Packs all that `treepack pack` reads in the folder (markdown, HTML, Word, JSON of Docling and
unstructured) with the defaults, and compares a hash of each document's records with the stored
one. Exit status 1 if any differs. If the chunks are meant to change, increase
`treepack.packing.packer.ALGORITHM`, which is stored as well, and write the file again.
"""

import argparse
import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Final, Self

from workloads import usual_corpus

from treepack import SourceError, pack
from treepack.cli.inputs.files import DocumentFile, find_documents, load
from treepack.cli.inputs.folders import Selection
from treepack.packing.packer import ALGORITHM

STORED: Final = Path(__file__).with_name("chunk_hashes.tsv")
SHOWN: Final = 20  # document names that are printed of each kind

_HEAD: Final = "# algorithm"
_DIGITS: Final = 16


@dataclass(frozen=True)
class Hashes:
    """The hash of each document's records, by the document's path in the corpus.

    Attributes:
        algorithm: The value of `ALGORITHM` when the hashes were made.
        by_path: The hashes; for a document that cannot be read, the name of the error.
    """

    algorithm: int
    by_path: Mapping[str, str]

    @classmethod
    def read(cls, file: Path) -> Self:
        """Read what `write` wrote.

        Raises:
            ValueError: The file is missing, or a line has another form.
        """
        if not file.is_file():
            msg = f"{file} does not exist; --write makes it"
            raise ValueError(msg)
        head, *lines = file.read_text(encoding="utf-8").splitlines() or [""]
        name, _, number = head.partition("\t")
        pairs = [line.split("\t") for line in lines]
        if name != _HEAD or not number.isdecimal() or any(len(pair) != 2 for pair in pairs):
            msg = f"{file} holds no hashes of chunks; --write makes them"
            raise ValueError(msg)
        return cls(int(number), dict(pairs))

    def write(self, file: Path) -> None:
        """Write a line for each document."""
        lines = [f"{_HEAD}\t{self.algorithm}"]
        lines += [f"{path}\t{found}" for path, found in sorted(self.by_path.items())]
        file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")


@dataclass(frozen=True)
class Comparison:
    """The paths of the documents whose hash differs, is new, or is missing."""

    differ: Sequence[str]
    new: Sequence[str]
    missing: Sequence[str]

    def __str__(self) -> str:
        kinds = {"differ": self.differ, "new": self.new, "missing": self.missing}
        lines = [", ".join(f"{len(paths)} {kind}" for kind, paths in kinds.items())]
        for kind, paths in kinds.items():
            lines += [f"  {kind}: {path}" for path in paths[:SHOWN]]
            if len(paths) > SHOWN:
                lines.append(f"  {kind}: and {len(paths) - SHOWN} more")
        return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare the hashes, or write them; print the result."""
    parser = argparse.ArgumentParser(description="Hold chunks against stored hashes of them.")
    parser.add_argument("--corpus", type=Path, default=usual_corpus())
    parser.add_argument("--stored", type=Path, default=STORED, help="where the hashes are")
    parser.add_argument("--write", action="store_true", help="store the hashes, compare nothing")
    given = parser.parse_args(arguments)
    if given.corpus is None:
        parser.error("no corpus: name a folder of documents with --corpus")
    documents = documents_of(given.corpus)
    if given.write:
        Hashes(ALGORITHM, hashes_of(documents)).write(given.stored)
        print(f"{len(documents)} documents, hashes in {given.stored}")
        return 0
    try:
        stored = Hashes.read(given.stored)
    except ValueError as error:
        parser.error(str(error))
    found = compare(stored.by_path, hashes_of(documents))
    print(f"{len(documents)} documents: {found}")
    if stored.algorithm != ALGORITHM:
        print(
            f"the change is meant: ALGORITHM is {ALGORITHM}, the hashes are of {stored.algorithm}"
        )
    return 1 if found.differ else 0


def documents_of(folder: Path) -> list[DocumentFile]:
    """Return the documents that `treepack pack` reads in a folder, sorted by name."""
    complain = partial(print, file=sys.stderr)
    return find_documents([folder], complain, lambda *_: None, {}, Selection())


def hashes_of(documents: Iterable[DocumentFile]) -> dict[str, str]:
    """Return the hashes of documents by their paths."""
    return {document.name: hash_of(document) for document in documents}


def hash_of(document: DocumentFile) -> str:
    """Return the hash of all records of a document, or the error's name if it cannot be read."""
    with warnings.catch_warnings(action="ignore"):
        try:
            source = load(document)
        except SourceError as error:
            return type(error).__name__
        records = pack(source, name=document.name).to_jsonl()
    return sha256(records.encode()).hexdigest()[:_DIGITS]


def compare(stored: Mapping[str, str], found: Mapping[str, str]) -> Comparison:
    """Return which documents have changed."""
    return Comparison(
        differ=[path for path in found if stored.get(path, found[path]) != found[path]],
        new=[path for path in found if path not in stored],
        missing=[path for path in stored if path not in found],
    )


if __name__ == "__main__":
    sys.exit(main())
