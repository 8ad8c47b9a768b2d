"""Tables of contents that are text: lists of the titles that stand over the clauses themselves."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from treepack.document.labels import Label, LabelItem, labels_of, own_end

if TYPE_CHECKING:
    from treepack.document.tree import Section

_FEWEST: Final = 3  # entries in a row that a table of contents has; one title may be said twice
_LONGEST: Final = 400  # characters of a label's text that are looked at
_NO_WORD: Final = re.compile(r"[\W_]+")


def own_labels(
    text: str, sections: Sequence["Section"]
) -> Iterator[tuple["Section", list[LabelItem]]]:
    """Each section with the labels of its own content, entries of a table of contents left out.

    Args:
        text: The source.
        sections: All sections of a document, in source order.
    """
    labels = [list(labels_of(text, section.blocks, own_end(section))) for section in sections]
    titles = [section.heading.text for section in sections if section.heading]
    entries = _entries(text, titles, labels)
    for section, found in zip(sections, labels, strict=True):
        yield section, [label for label in found if _start(label) not in entries]


def _entries(
    text: str, headings: Iterable[str], sections: Sequence[Sequence[LabelItem]]
) -> set[int]:
    """Where the labels begin that are entries of a table of contents.

    An entry is a title and nothing else, and the title comes again: as a heading, or over the text
    of a later clause. Several in a row are a table of contents.

    Args:
        text: The source.
        headings: The plain text of its headings.
        sections: The labels of each section's own content, in source order.
    """
    said = [list(_first_lines(text, labels)) for labels in sections]
    # Where each title stands last over some text.
    over_text = {lines[0]: start for labels in said for start, lines in labels if len(lines) > 1}
    over_text |= dict.fromkeys(map(_plain, headings), len(text))
    entries: set[int] = set()
    for labels in said:
        run: list[int] = []
        for start, lines in [*labels, (len(text), [])]:
            if len(lines) == 1 and over_text.get(lines[0], -1) > start:
                run.append(start)
                continue
            if len(run) >= _FEWEST:
                entries.update(run)
            run = []
    return entries


def _first_lines(text: str, labels: Sequence[LabelItem]) -> Iterator[tuple[int, list[str]]]:
    """Where each label begins, and up to two lines before the next one; none if it has no title."""
    for at, label in enumerate(labels):
        if not isinstance(label, Label) or not label.number.parts[0][-1].isdigit():
            yield _start(label), []
            continue
        end = _start(labels[at + 1]) if at + 1 < len(labels) else label.limit
        lines = text[label.start : min(end, label.start + _LONGEST)].split("\n")
        plain = [line for line in map(_plain, lines) if line][:2]
        yield label.start, [] if plain[:1] == [_plain(label.number.label)] else plain


def _start(label: LabelItem) -> int:
    """Where a label, a table or a closing formula begins."""
    return label if isinstance(label, int) else label.start


def _plain(line: str) -> str:
    """The words and numbers of a line, without markup and signs."""
    return _NO_WORD.sub(" ", line).strip().casefold()
