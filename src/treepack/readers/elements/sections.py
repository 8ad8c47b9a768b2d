"""Writes the section hierarchies of elements as headings, wherever the section changes."""

import re
from collections.abc import Sequence
from typing import Final, cast

from treepack.readers.writer import MarkdownWriter

# A label that is only a number: 5, 5.1, A.2, IV, (a), § 5, Annex B. A heading then gives the title.
_NUMBER_LABEL: Final = re.compile(
    r"""(?:\w+[.]?[ ]|§+[ ]?)? \(? (?:[0-9]+[A-Za-z]{0,2} | [A-Z]{1,2} | [IVXLC]+ | [a-z])
        (?:[.-][0-9A-Za-z]{1,4})* [.)]?""",
    re.VERBOSE,
)


def section_path(hierarchy: object) -> object:
    """Return the labels of a hierarchy, outermost section first; what is none stays as it is.

    Names and numbers may be mixed: ``["5 Tests", "5.1"]``. A number that only counts within its
    parent is completed: ``[5, 1, 2]`` is ``5``, ``5.1``, ``5.1.2``, and so is ``"5.1.2"``.
    """
    if isinstance(hierarchy, str):
        parts = hierarchy.strip().removesuffix(".").split(".")
        is_number = all(map(str.isdecimal, parts))
        hierarchy = parts if is_number else hierarchy.split(" > ")
    if not isinstance(hierarchy, list | tuple):
        return hierarchy
    path: list[str] = []
    for entry in cast("Sequence[object]", hierarchy):
        label = " ".join(str(entry).split())
        if path and label.isdecimal() and path[-1].replace(".", "").isdecimal():
            label = f"{path[-1]}.{label}"
        path += [label] if label else []
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
        wanted = _titled(path, " ".join(heading.split()))
        shared = 0
        for (label, title), known in zip(wanted, self._open, strict=False):
            if known != (label, title or known[1]):
                break
            wanted[shared] = known
            shared += 1
        if not wanted or shared == len(wanted) == len(self._open):
            return
        # Back in an outer section, its heading is written again.
        for at in range(min(shared, len(wanted) - 1), len(wanted)):
            label, title = wanted[at]
            before = self._open[at] if at < len(self._open) else ("", "")
            # A section that continues keeps its title.
            title = title or (before[1] if before[0] == label else label)
            wanted[at] = label, title
            self._writer.heading(at + 1, title, origin)
        self._open = wanted


def _titled(path: Sequence[str], heading: str) -> list[tuple[str, str]]:
    """Return labels with titles; a title is empty if only the label is known."""
    wanted = [(label, "") for label in path]
    label = path[-1] if path else ""
    if not heading:
        return wanted
    if label and (label == heading or label.endswith(f" {heading}")):
        wanted[-1] = (label, label)
    elif label and re.match(rf"{re.escape(label.rstrip('.'))}[.:]?\s", heading):
        wanted[-1] = (label, heading)
    elif _NUMBER_LABEL.fullmatch(label):
        wanted[-1] = (label, f"{label} {heading}")
    else:
        wanted.append((heading, heading))
    return wanted
