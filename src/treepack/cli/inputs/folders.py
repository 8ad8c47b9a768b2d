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

_SHOWN_SUFFIXES: Final = 8
_NO_DOCUMENTS: Final = (".", "~$")  # first characters of hidden files, and of lock files of Office
_HEAD: Final = 65_536  # bytes of a JSON file that show whether it is a document


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
class Inside:
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

    def skipped_in_words(self) -> str:
        """Return how many were skipped: ``4 files skipped: 2 .pdf, 1 .csv and 1 other``."""
        every = sorted(self.skipped.items(), key=lambda item: (-item[1], item[0]))
        shown = every[:_SHOWN_SUFFIXES]
        rest = self.skipped.total() - sum(count for _, count in shown)
        said = ", ".join(f"{count:,} {suffix or 'without a suffix'}" for suffix, count in shown)
        others = f" and {counted(rest, 'other')}" if rest else ""
        return f"{counted(self.skipped.total(), 'file')} skipped: {said}{others}"

    def ignored_in_words(self) -> str:
        """Return in words what a ``.gitignore`` left out; empty if nothing."""
        every = ((self.ignored_files, "file"), (self.ignored_folders, "folder"))
        said = " and ".join(counted(count, name) for count, name in every if count)
        return said and f"{said} ignored by .gitignore; --no-ignore includes them"


@dataclass(frozen=True)
class Layer:
    """The rules of one folder.

    Attributes:
        depth: How many names at the beginning of a path are the path of the folder.
        rules: Its rules.
        is_git: Whether they come from a ``.gitignore``, and not from ``--exclude``.
    """

    depth: int
    rules: tuple[IgnoreRule, ...]
    is_git: bool = True


class FolderWalk:
    """Finds the documents of a folder and of the folders below, without hidden ones.

    Args:
        folder: The folder.
        converted: Suffixes that a converter takes.
        selection: What is left out.
        complain: Called with a message about what cannot be listed or read.
    """

    def __init__(
        self,
        folder: Path,
        converted: frozenset[str],
        selection: Selection,
        complain: Callable[[str], None],
    ) -> None:
        self._folder = folder
        self._converted = converted
        self._selection = selection
        self._complain = complain
        self._above, outer = self._outer_layers()
        excluded = Layer(len(self._above), rules_of(selection.exclude), is_git=False)
        self._layers: dict[str, tuple[Layer, ...]] = {str(folder): (excluded, *outer)}

    def found(self) -> Inside:
        """Walk through the folder and return what was found."""
        inside = Inside()
        for place, folders, files in os.walk(self._folder, onerror=self._report):
            layers = self._layers_at(place)
            names = (*self._above, *Path(place).relative_to(self._folder).parts)
            kept = [name for name in folders if not name.startswith(".")]
            folders[:] = []
            for name in kept:
                layer = _deciding(layers, (*names, name), is_folder=True)
                if layer is None:
                    folders.append(name)
                    self._layers[os.path.join(place, name)] = layers  # noqa: PTH118 - like os.walk
                inside.ignored_folders += layer is not None and layer.is_git
            for name in files:
                layer = _deciding(layers, (*names, name), is_folder=False)
                self._add(inside, Path(place, name), layer)
        return inside

    def _add(self, inside: Inside, file: Path, left_out_by: Layer | None) -> None:
        if file.exists() and not file.is_file():
            return  # a pipe or a device does not count as a skipped document
        suffix = file.suffix.lower()
        is_document = not file.name.startswith(_NO_DOCUMENTS) and (
            suffix in self._converted or (suffix in SUFFIXES and _may_be_read(file))
        )
        if left_out_by is not None:
            inside.ignored_files += is_document and left_out_by.is_git
        elif is_document:
            inside.documents.append(file)
        elif not file.name.startswith("."):
            inside.skipped[suffix] += 1

    def _layers_at(self, place: str) -> tuple[Layer, ...]:
        """Return the layers that apply in a folder, its own included, the strongest first."""
        excluded, *outer = self._layers.pop(place)
        depth = len(self._above) + len(Path(place).relative_to(self._folder).parts)
        return (excluded, *self._git_layer(Path(place), depth), *outer)

    def _git_layer(self, folder: Path, depth: int) -> Iterator[Layer]:
        if self._selection.obey_gitignore:
            try:
                rules = rules_in(folder)
            except SourceError as problem:
                self._complain(str(problem))
                return
            if rules:
                yield Layer(depth, rules)

    def _outer_layers(self) -> tuple[tuple[str, ...], tuple[Layer, ...]]:
        """Return the folder's path within its repository, and the layers of the folders above."""
        whole = self._folder.resolve()
        root = next((each for each in (whole, *whole.parents) if lexists(each / ".git")), whole)
        above = whole.relative_to(root).parts
        layers: list[Layer] = []
        for depth in range(len(above)):
            layers = [*self._git_layer(root.joinpath(*above[:depth]), depth), *layers]
        return above, tuple(layers)

    def _report(self, error: OSError) -> None:
        self._complain(f"cannot list {error.filename}: {error.strerror}")


def _deciding(
    layers: tuple[Layer, ...], names: tuple[str, ...], *, is_folder: bool
) -> Layer | None:
    """Return the layer that leaves a path out, or None."""
    for layer in layers:
        said = is_left_out(layer.rules, names[layer.depth :], is_folder=is_folder)
        if said is not None:
            return layer if said else None
    return None


def _may_be_read(file: Path) -> bool:
    """Return whether a file of a folder is a document; tables and most JSON files are data."""
    suffix = file.suffix.lower()
    if suffix != JSON_SUFFIX:
        return suffix not in DATA_SUFFIXES
    try:
        with file.open("rb") as stream:
            return json_format(stream.read(_HEAD)) is not None
    except OSError:
        return True  # reading it reports the error
