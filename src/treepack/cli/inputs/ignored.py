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

FILE_NAME: Final = ".gitignore"
_ANY_DEPTH: Final = "**"
_ESCAPED: Final = re.compile(r"\\(.)")
_TRAILING_WHITESPACE: Final = re.compile(r"(?<!\\)[ \t]+\Z")


@dataclass(frozen=True)
class IgnoreRule:
    """One pattern.

    Attributes:
        parts: The pattern for each name of a path; None matches any number of names.
        is_negated: Whether it takes back what an earlier pattern left out.
        is_folder_only: Whether it matches only folders.
    """

    parts: tuple[re.Pattern[str] | None, ...]
    is_negated: bool
    is_folder_only: bool

    def matches(self, names: Sequence[str]) -> bool:
        """Return whether it matches a path, in a time of at most the product of both lengths."""
        last = len(self.parts) - 1
        reached = {0}  # the indexes of the parts that may match the next name
        for name in names:
            # ** may match no name at all, but not at the end: a/** is only what is inside a.
            reached |= {i + 1 for i in reached if i < last and self.parts[i] is None}
            reached = {after for i in reached if i <= last for after in self._after(i, name)}
        return last + 1 in reached

    def _after(self, i: int, name: str) -> Iterator[int]:
        """Yield the indexes of the parts that may match the name after this one."""
        part = self.parts[i]
        if part is None:
            yield i
        if part.match(name) if part is not None else i == len(self.parts) - 1:
            yield i + 1


def rules_of(lines: Iterable[str]) -> tuple[IgnoreRule, ...]:
    """Return the rules of patterns, one on each line; comments and blank lines give no rule."""
    return tuple(rule for line in lines if (rule := _rule(line)) is not None)


def rules_in(folder: Path) -> tuple[IgnoreRule, ...]:
    """Return the rules of the folder's ``.gitignore``; empty if there is no such file.

    Raises:
        SourceError: The file cannot be read.
    """
    file = folder / FILE_NAME
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
        if (is_folder or not rule.is_folder_only) and rule.matches(names):
            return not rule.is_negated
    return None


def _rule(line: str) -> IgnoreRule | None:
    pattern = _TRAILING_WHITESPACE.sub("", line)
    if pattern.startswith("#"):
        return None
    is_negated = pattern.startswith("!")
    pattern = pattern.removeprefix("!")
    is_folder_only = pattern.endswith("/")
    pattern = pattern.removesuffix("/")
    at_any_depth = "/" not in pattern
    names = pattern.removeprefix("/").split("/")
    if not all(names):  # no path has an empty name
        return None
    parts = [None if name == _ANY_DEPTH else _name_pattern(name) for name in names]
    return IgnoreRule((None, *parts) if at_any_depth else tuple(parts), is_negated, is_folder_only)


def _name_pattern(name: str) -> re.Pattern[str]:
    return re.compile(translate(_ESCAPED.sub(_literal, name)))


def _literal(escaped: re.Match[str]) -> str:
    return escaped[1] if escaped[1] in "!#" else f"[{escaped[1]}]"
