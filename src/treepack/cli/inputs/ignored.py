"""Which files and folders a ``.gitignore`` or ``--exclude`` leaves out.

A pattern means what it means to git (gitignore(5)): without a slash it matches at any depth, with
one it is relative to its folder; ``**`` is any number of folders, a slash at the end means folders
only, and ``!`` takes files back that an earlier pattern left out.

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
class Rule:
    """One pattern.

    Attributes:
        parts: What matches each name of a path; None is any number of names.
        takes_back: Whether what it matches is not left out.
        only_folders: Whether it matches folders alone.
    """

    parts: tuple[re.Pattern[str] | None, ...]
    takes_back: bool
    only_folders: bool

    def fits(self, names: Sequence[str]) -> bool:
        """Whether it matches a path; the time grows with both lengths, whatever the pattern."""
        last = len(self.parts) - 1
        reached = {0}
        for name in names:
            # Any number of names may be none, but not at the end: a/** is what lies inside of a.
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


def rules_of(lines: Iterable[str]) -> tuple[Rule, ...]:
    """The rules of patterns, one on each line; comments and blank lines are none."""
    return tuple(rule for line in lines if (rule := _rule(line)) is not None)


def rules_in(folder: Path) -> tuple[Rule, ...]:
    """The rules of the folder's ``.gitignore``; none if there is no such file.

    Raises:
        SourceError: It cannot be read.
    """
    file = folder / NAME
    try:
        return rules_of(file.read_text(encoding="utf-8", errors="replace").splitlines())
    except (FileNotFoundError, IsADirectoryError):
        return ()
    except OSError as error:
        msg = f"{file}: {error.strerror or error}"
        raise SourceError(msg) from None


def is_left_out(rules: Sequence[Rule], names: Sequence[str], *, is_folder: bool) -> bool | None:
    """What the last rule that matches a path says; None if none matches."""
    for rule in reversed(rules):
        if (is_folder or not rule.only_folders) and rule.fits(names):
            return not rule.takes_back
    return None


def _rule(line: str) -> Rule | None:
    pattern = _TRAILING_BLANKS.sub("", line)
    if pattern.startswith("#"):
        return None
    takes_back = pattern.startswith("!")
    pattern = pattern.removeprefix("!")
    only_folders = pattern.endswith("/")
    pattern = pattern.removesuffix("/")
    at_any_depth = "/" not in pattern
    names = pattern.removeprefix("/").split("/")
    if not all(names):  # no path has a name without characters
        return None
    parts = [None if name == _ANY_DEPTH else _name_pattern(name) for name in names]
    return Rule((None, *parts) if at_any_depth else tuple(parts), takes_back, only_folders)


def _name_pattern(name: str) -> re.Pattern[str]:
    return re.compile(translate(_ESCAPED.sub(_literal, name)))


def _literal(escaped: re.Match[str]) -> str:
    return escaped[1] if escaped[1] in "!#" else f"[{escaped[1]}]"
