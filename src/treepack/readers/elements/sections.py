"""Writes the section hierarchies of elements as headings, wherever the section changes."""

import re
from collections.abc import Sequence
from typing import Final

from treepack.readers.writer import MarkdownWriter

_DIGITS: Final = re.compile(r"[0-9]{1,4}\Z")
# A label that is only a number: 5, 5.1, A.2, IV, (a), § 5, Annex B. A heading then gives the title.
_NUMBER_LABEL: Final = re.compile(
    r"""(?:\w+[.]?[ ]|§+[ ]?)? \(? (?:[0-9]+[A-Za-z]{0,2} | [A-Z]{1,2} | [IVXLC]+ | [a-z])
        (?:[.-][0-9A-Za-z]{1,4})* [.)]?\Z""",
    re.VERBOSE,
)
_DOTTED_NUMBER: Final = re.compile(r"[0-9]{1,4}(?:\.[0-9]{1,4})+\.?\Z")
_SEPARATOR: Final = " > "


def section_path(hierarchy: str | Sequence[object]) -> list[str]:
    """Return the labels of a hierarchy, outermost section first.

    Names and numbers may be mixed: ``["5 Tests", "5.1"]``. A number that only counts within its
    parent is completed: ``[5, 1, 2]`` is ``5``, ``5.1``, ``5.1.2``, and so is ``"5.1.2"``.
    """
    if isinstance(hierarchy, str):
        if _DOTTED_NUMBER.match(hierarchy.strip()):
            hierarchy = hierarchy.strip().rstrip(".").split(".")
        else:
            hierarchy = hierarchy.split(_SEPARATOR)
    path: list[str] = []
    for entry in hierarchy:
        label = " ".join(str(entry).split())
        if path and _DIGITS.match(label) and re.fullmatch(r"[0-9.]+", path[-1]):
            label = f"{path[-1]}.{label}"
        if label:
            path.append(label)
    return path


class Sections:
    """The open sections and their headings.

    An element without a hierarchy and heading stays in the section of the previous element, because
    markdown has no way to leave all sections.
    """

    def __init__(self, writer: MarkdownWriter) -> None:
        self._writer = writer
        self._open: list[tuple[str, str]] = []  # label and title

    def enter(self, path: Sequence[str], heading: str, origin: str) -> None:
        """Write the headings that lead from the current section to that of an element.

        Args:
            path: The labels of the element's sections.
            heading: The title of the innermost section, or of a further section inside it.
            origin: Where the element came from.
        """
        wanted = _titled(path, heading)
        if not wanted:
            return
        shared = 0
        for (label, title), (wanted_label, wanted_title) in zip(self._open, wanted, strict=False):
            is_same = label == wanted_label and (not wanted_title or title == wanted_title)
            if not is_same:
                break
            shared += 1
        if shared == len(wanted):
            if len(self._open) == shared:
                return
            shared -= 1  # back in an outer section: its heading is written again
        previous = [*self._open]
        for at, (label, title) in enumerate(wanted[shared:], shared):
            # A section that continues keeps its title.
            is_same = at < len(previous) and previous[at][0] == label
            written = title or (previous[at][1] if is_same else label)
            self._writer.heading(at + 1, written, origin)
            wanted[at] = (label, written)
        wanted[:shared] = self._open[:shared]
        self._open = wanted


def _titled(path: Sequence[str], heading: str) -> list[tuple[str, str]]:
    """Return labels with titles; a title is empty if only the label is known."""
    wanted = [(label, "") for label in path]
    heading = " ".join(heading.split())
    if not heading:
        return wanted
    label = path[-1] if path else ""
    if label and (label == heading or label.endswith(f" {heading}")):
        wanted[-1] = (label, label)
    elif label and re.match(rf"{re.escape(label.rstrip('.'))}[.:]?\s", heading):
        wanted[-1] = (label, heading)
    elif label and _NUMBER_LABEL.match(label):
        wanted[-1] = (label, f"{label} {heading}")
    else:
        wanted.append((heading, heading))
    return wanted
