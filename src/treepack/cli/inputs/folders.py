"""Finds the files of a folder that are documents."""

import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from os.path import lexists
from pathlib import Path
from typing import Final

from treepack.cli.inputs.ignored import IgnoreRule, is_left_out, rules_in, rules_of
from treepack.display import counted
from treepack.errors import SourceError
from treepack.readers.formats import DATA_SUFFIXES, JSON_SUFFIX, SUFFIXES, json_format

_MAX_SUFFIXES: Final = 8
_NON_DOCUMENT_PREFIXES: Final = (".", "~$")  # of hidden files, and of lock files of Office
_HEAD_BYTES: Final = 65_536  # bytes of a JSON file that show whether it is a document


@dataclass(frozen=True)
class Selection:
    """Which files of a folder are taken.

    Attributes:
        exclude: Patterns of paths that are left out, as in a ``.gitignore`` of the folder.
        obey_gitignore: Whether files and folders that a ``.gitignore`` names are left out.
    """

    exclude: tuple[str, ...] = ()
    obey_gitignore: bool = True


@dataclass
class FolderContents:
    """What a walk through a folder found.

    Attributes:
        documents: The documents, in no particular order.
        skipped: Other files that are not hidden, counted by suffix.
        ignored_files: How many documents a ``.gitignore`` leaves out.
        ignored_folders: How many folders it leaves out; the files in them are not counted.
    """

    documents: list[Path] = field(default_factory=list[Path])
    skipped: Counter[str] = field(default_factory=Counter[str])
    ignored_files: int = 0
    ignored_folders: int = 0

    def describe_skipped(self) -> str:
        """Return how many were skipped: ``4 files skipped: 2 .pdf, 1 .csv and 1 other``."""
        sorted_counts = sorted(self.skipped.items(), key=lambda item: (-item[1], item[0]))
        shown = sorted_counts[:_MAX_SUFFIXES]
        rest = self.skipped.total() - sum(count for _, count in shown)
        suffixes = ", ".join(f"{count:,} {suffix or 'without a suffix'}" for suffix, count in shown)
        others = f" and {counted(rest, 'other')}" if rest else ""
        return f"{counted(self.skipped.total(), 'file')} skipped: {suffixes}{others}"

    def describe_ignored(self) -> str:
        """Return in words what a ``.gitignore`` left out; empty if nothing."""
        counts = ((self.ignored_files, "file"), (self.ignored_folders, "folder"))
        ignored = " and ".join(counted(count, name) for count, name in counts if count)
        return ignored and f"{ignored} ignored by .gitignore; --no-ignore includes them"


@dataclass(frozen=True)
class IgnoreLayer:
    """The rules of one folder.

    Attributes:
        depth: How many names at the beginning of a path are the path of the folder.
        rules: Its rules.
        is_gitignore: Whether they come from a ``.gitignore``, and not from ``--exclude``.
    """

    depth: int
    rules: tuple[IgnoreRule, ...]
    is_gitignore: bool = True


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
        self._folder = folder
        self._converted = converted
        self._selection = selection
        self._report_problem = report_problem
        self._outer_names, outer = self._outer_layers()
        depth = len(self._outer_names)
        excluded = IgnoreLayer(depth, rules_of(selection.exclude), is_gitignore=False)
        self._layers: dict[str, tuple[IgnoreLayer, ...]] = {str(folder): (excluded, *outer)}

    def walk(self) -> FolderContents:
        """Walk through the folder and return what was found."""
        contents = FolderContents()
        for directory, folders, files in os.walk(self._folder, onerror=self._report_unlisted):
            layers = self._layers_at(directory)
            names = (*self._outer_names, *Path(directory).relative_to(self._folder).parts)
            visible_folders = [name for name in folders if not name.startswith(".")]
            folders[:] = []
            for name in visible_folders:
                layer = _excluding_layer(layers, (*names, name), is_folder=True)
                if layer is None:
                    folders.append(name)
                    self._layers[os.path.join(directory, name)] = layers  # noqa: PTH118 - like os.walk
                contents.ignored_folders += layer is not None and layer.is_gitignore
            for name in files:
                layer = _excluding_layer(layers, (*names, name), is_folder=False)
                self._add(contents, Path(directory, name), layer)
        return contents

    def _add(self, contents: FolderContents, file: Path, left_out_by: IgnoreLayer | None) -> None:
        if file.exists() and not file.is_file():
            return  # a pipe or a device does not count as a skipped document
        suffix = file.suffix.lower()
        is_document = not file.name.startswith(_NON_DOCUMENT_PREFIXES) and (
            suffix in self._converted or (suffix in SUFFIXES and _is_document(file))
        )
        if left_out_by is not None:
            contents.ignored_files += is_document and left_out_by.is_gitignore
        elif is_document:
            contents.documents.append(file)
        elif not file.name.startswith("."):
            contents.skipped[suffix] += 1

    def _layers_at(self, directory: str) -> tuple[IgnoreLayer, ...]:
        """Return the layers that apply in a folder, its own included, the strongest first."""
        excluded, *outer = self._layers.pop(directory)
        depth = len(self._outer_names) + len(Path(directory).relative_to(self._folder).parts)
        return (excluded, *self._git_layer(Path(directory), depth), *outer)

    def _git_layer(self, folder: Path, depth: int) -> Iterator[IgnoreLayer]:
        if self._selection.obey_gitignore:
            try:
                rules = rules_in(folder)
            except SourceError as problem:
                self._report_problem(str(problem))
                return
            if rules:
                yield IgnoreLayer(depth, rules)

    def _outer_layers(self) -> tuple[tuple[str, ...], tuple[IgnoreLayer, ...]]:
        """Return the folder's path within its repository, and the layers of the folders above."""
        resolved = self._folder.resolve()
        folders = (resolved, *resolved.parents)
        root = next((folder for folder in folders if lexists(folder / ".git")), resolved)
        above = resolved.relative_to(root).parts
        layers: list[IgnoreLayer] = []
        for depth in range(len(above)):
            layers = [*self._git_layer(root.joinpath(*above[:depth]), depth), *layers]
        return above, tuple(layers)

    def _report_unlisted(self, error: OSError) -> None:
        self._report_problem(f"cannot list {error.filename}: {error.strerror}")


def _excluding_layer(
    layers: tuple[IgnoreLayer, ...], names: tuple[str, ...], *, is_folder: bool
) -> IgnoreLayer | None:
    """Return the layer that leaves a path out, or None."""
    for layer in layers:
        decision = is_left_out(layer.rules, names[layer.depth :], is_folder=is_folder)
        if decision is not None:
            return layer if decision else None
    return None


def _is_document(file: Path) -> bool:
    """Return whether a file of a folder is a document; tables and most JSON files are data."""
    suffix = file.suffix.lower()
    if suffix != JSON_SUFFIX:
        return suffix not in DATA_SUFFIXES
    try:
        with file.open("rb") as stream:
            return json_format(stream.read(_HEAD_BYTES)) is not None
    except OSError:
        return True  # reading it reports the error
