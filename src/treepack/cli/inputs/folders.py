"""Finds the files of a folder that are documents."""

import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from os.path import lexists
from pathlib import Path
from typing import Final, TypeAlias

from pathspec import GitIgnoreSpec

from treepack.display import counted
from treepack.readers.formats import DATA_SUFFIXES, HEAD, recognised, suffixes

_MAX_SUFFIXES: Final = 8
_NON_DOCUMENT_PREFIXES: Final = (".", "~$")  # of hidden files, and of lock files of Office
_MAX_STARS: Final = 3  # in one name of a pattern; a .gitignore's other patterns are not obeyed


Rules: TypeAlias = tuple[tuple[Path, GitIgnoreSpec], ...]
"""Folders, the inner ones last, with what their ``.gitignore`` says."""


@dataclass(frozen=True)
class Selection:
    """Which files of a folder are taken: patterns as in a ``.gitignore`` exclude some."""

    exclude: tuple[str, ...] = ()
    obey_gitignore: bool = True


class FolderWalk:
    """Finds the documents of a folder and of the folders below, without hidden ones.

    Args:
        folder: The folder.
        converted: Suffixes that a converter takes.
        selection: What is left out.
        report_problem: Called with a message about what cannot be listed or read.
    """

    def __init__(
        self,
        folder: Path,
        converted: frozenset[str],
        selection: Selection,
        report_problem: Callable[[str], None],
    ) -> None:
        self._folder, self._root, self._converted = folder, folder.resolve(), converted
        self._excluded = GitIgnoreSpec.from_lines(selection.exclude)
        self._obey_gitignore = selection.obey_gitignore
        self._report_problem = report_problem
        self._skipped: Counter[str] = Counter()
        self._ignored: Counter[str] = Counter()  # documents and whole folders

    def walk(self) -> Iterator[Path]:
        """Walk through the folder and yield the documents, in no particular order."""
        rules = {self._root: self._rules_above()}
        for directory, folders, files in os.walk(self._folder, onerror=self._report_unlisted):
            here = self._root / Path(directory).relative_to(self._folder)
            rules_here = (*rules.pop(here), *self._rules_in(here))
            seen = [name for name in folders if not name.startswith(".")]
            seen = [name for name in seen if not self._is_excluded(here / name, "/")]
            folders[:] = [name for name in seen if not _is_ignored(here / name, rules_here, "/")]
            self._ignored["folder"] += len(seen) - len(folders)
            rules.update((here / name, rules_here) for name in folders)
            for name in files:
                file, place = Path(directory, name), here / name
                if self._is_excluded(place) or (file.exists() and not file.is_file()):
                    continue  # a pipe or a device does not count as a skipped document
                is_document = _is_document(file, self._converted)
                if _is_ignored(place, rules_here):
                    self._ignored["file"] += is_document
                elif is_document:
                    yield file
                elif not name.startswith("."):
                    self._skipped[file.suffix.lower()] += 1

    def left_out(self) -> Iterator[tuple[str, int]]:
        """Yield what was left out in words, and how many files of it count as skipped.

        The words are like ``4 files skipped: 2 .pdf, 1 .csv and 1 other``.
        """
        total = self._skipped.total()
        if total:
            counts = sorted(self._skipped.items(), key=lambda item: (-item[1], item[0]))
            shown = counts[:_MAX_SUFFIXES]
            rest = total - sum(count for _, count in shown)
            suffixes = (f"{count:,} {suffix or 'without a suffix'}" for suffix, count in shown)
            others = f" and {counted(rest, 'other')}" if rest else ""
            yield f"{counted(total, 'file')} skipped: {', '.join(suffixes)}{others}", total
        counts = [(name, self._ignored[name]) for name in ("file", "folder")]
        ignored = " and ".join(counted(count, name) for name, count in counts if count)
        if ignored:
            yield f"{ignored} ignored by .gitignore; --no-ignore includes them", 0

    def _is_excluded(self, path: Path, end: str = "") -> bool:
        return self._excluded.match_file(path.relative_to(self._root).as_posix() + end)

    def _rules_above(self) -> Rules:
        """Return the rules of a repository around the folder."""
        parents = (self._root, *self._root.parents)
        top = next((parent for parent in parents if lexists(parent / ".git")), self._root)
        above = parents[1 : parents.index(top) + 1]
        return tuple(chain.from_iterable(map(self._rules_in, reversed(above))))

    def _rules_in(self, folder: Path) -> Rules:
        file = folder / ".gitignore"
        try:
            if not self._obey_gitignore or not file.is_file():
                return ()
            lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError as error:
            self._report_problem(f"cannot read {file}: {error.strerror or error}")
            return ()
        # The time to match a pattern grows with a power of its stars, and a stranger may write it.
        fast = [
            line for line in lines if all(name.count("*") <= _MAX_STARS for name in line.split("/"))
        ]
        return ((folder, GitIgnoreSpec.from_lines(fast)),)

    def _report_unlisted(self, error: OSError) -> None:
        self._report_problem(f"cannot list {error.filename}: {error.strerror}")


def _is_ignored(path: Path, rules: Rules, end: str = "") -> bool:
    """Return whether the rules of the nearest folder that have a rule for a path leave it out."""
    for folder, spec in reversed(rules):
        decision = spec.check_file(path.relative_to(folder).as_posix() + end).include
        if decision is not None:
            return decision
    return False


def _is_document(file: Path, converted: frozenset[str]) -> bool:
    """Return whether a file of a folder is a document; tables and most JSON files are data."""
    suffix = file.suffix.lower()
    if file.name.startswith(_NON_DOCUMENT_PREFIXES):
        return False
    if suffix in converted or suffix != ".json":
        return suffix in converted | (suffixes() - DATA_SUFFIXES)
    try:
        with file.open("rb") as stream:
            return recognised(stream.read(HEAD)) is not None
    except OSError:
        return True  # reading it reports the error
