"""Decides which files and folders a ``.gitignore`` or ``--exclude`` leaves out.

A pattern means what it means to git (gitignore(5)): without a slash it matches at any depth, with
a slash it is relative to its folder. ``**`` is any number of folders, a slash at the end means
folders only, and ``!`` takes back files that an earlier pattern left out.

>>> rules = rules_of(["*.bak", "!keep.bak", "/build/", "a/**/draft.md"])
>>> [is_left_out(rules, names, is_folder=False) for names in (("x", "y.bak"), ("x", "keep.bak"))]
[True, False]
>>> [is_left_out(rules, names, is_folder=True) for names in (("build",), ("x", "build"))]
[True, None]
>>> is_left_out(rules, ("a", "b", "c", "draft.md"), is_folder=False)
True
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import translate
from pathlib import Path
from typing import Final

from treepack.errors import SourceError

NAME: Final = ".gitignore"
_ANY_DEPTH: Final = "**"
_ESCAPED: Final = re.compile(r"\\(.)")
_TRAILING_BLANKS: Final = re.compile(r"(?<!\\)[ \t]+\Z")


@dataclass(frozen=True)
class IgnoreRule:
    """One pattern.

    Attributes:
        parts: The pattern for each name of a path; None matches any number of names.
        takes_back: Whether it takes back what an earlier pattern left out.
        only_folders: Whether it matches only folders.
    """

    parts: tuple[re.Pattern[str] | None, ...]
    takes_back: bool
    only_folders: bool

    def fits(self, names: Sequence[str]) -> bool:
        """Return whether it matches a path, in a time of at most the product of both lengths."""
        last = len(self.parts) - 1
        reached = {0}
        for name in names:
            # ** may match no name at all, but not at the end: a/** is only what is inside a.
            reached |= {at + 1 for at in reached if at < last and self.parts[at] is None}
            reached = {after for at in reached if at <= last for after in self._after(at, name)}
        return last + 1 in reached

    def _after(self, at: int, name: str) -> Iterator[int]:
        part = self.parts[at]
        if part is None:
            yield at
        if part is None and at == len(self.parts) - 1:
            yield at + 1
        if part is not None and part.match(name):
            yield at + 1


def rules_of(lines: Iterable[str]) -> tuple[IgnoreRule, ...]:
    """Return the rules of patterns, one on each line; comments and blank lines give no rule."""
    return tuple(rule for line in lines if (rule := _rule(line)) is not None)


def rules_in(folder: Path) -> tuple[IgnoreRule, ...]:
    """Return the rules of the folder's ``.gitignore``; empty if there is no such file.

    Raises:
        SourceError: The file cannot be read.
    """
    file = folder / NAME
    try:
        return rules_of(file.read_text(encoding="utf-8", errors="replace").splitlines())
    except (FileNotFoundError, IsADirectoryError):
        return ()
    except OSError as error:
        msg = f"cannot read {file}: {error.strerror or error}"
        raise SourceError(msg) from None


def is_left_out(
    rules: Sequence[IgnoreRule], names: Sequence[str], *, is_folder: bool
) -> bool | None:
    """Return whether the last rule that matches a path leaves it out; None if none matches."""
    for rule in reversed(rules):
        if (is_folder or not rule.only_folders) and rule.fits(names):
            return not rule.takes_back
    return None


def _rule(line: str) -> IgnoreRule | None:
    pattern = _TRAILING_BLANKS.sub("", line)
    if pattern.startswith("#"):
        return None
    takes_back = pattern.startswith("!")
    pattern = pattern.removeprefix("!")
    only_folders = pattern.endswith("/")
    pattern = pattern.removesuffix("/")
    at_any_depth = "/" not in pattern
    names = pattern.removeprefix("/").split("/")
    if not all(names):  # no path has an empty name
        return None
    parts = [None if name == _ANY_DEPTH else _name_pattern(name) for name in names]
    return IgnoreRule((None, *parts) if at_any_depth else tuple(parts), takes_back, only_folders)


def _name_pattern(name: str) -> re.Pattern[str]:
    return re.compile(translate(_ESCAPED.sub(_literal, name)))


def _literal(escaped: re.Match[str]) -> str:
    return escaped[1] if escaped[1] in "!#" else f"[{escaped[1]}]"
