"""Paragraphs that are numbered through a whole document, as in the judgments of courts.

They are cited by their number alone, under whatever heading they are: ``12. The applicant ...``,
``[12] The owner ...``, and without punctuation in judgments of the European Union.
"""

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from treepack.clauses.labels import (
    ClauseLabel,
    LabelItem,
    after_line_end,
    content_end,
    start_of,
)
from treepack.model.blocks import ListBlock, ListItem, Paragraph
from treepack.model.section import Section
from treepack.numbers.clause_number import ClauseNumber

_NUMBER: Final = re.compile(
    r"[ \t]*(?P<open>\[?)(?P<value>\d{1,4})(?P<close>\]|[.)])?[ \t\u00a0]+\S"
)
_TENTH: Final = after_line_end(r"[ \t]*+\[?10")
_FEWEST: Final = 10
_FEWEST_SECTIONS: Final = 2
_LEAST_TEXT: Final = 120  # characters of a paragraph on average; items of a list are shorter
_LEAST_COVERED: Final = 0.5  # share of the text; footnotes and claims of a patent cover less
_MOST_MISSING: Final = 3  # step from one number to the next
_MOST_OTHERS: Final = 0.2  # share of paragraphs with a number of the same form


class _Numbered(NamedTuple):
    """A paragraph that begins with a number."""

    start: int
    end: int
    value: int
    section: Section


def running_paragraphs(text: str, sections: Sequence[Section]) -> dict[str, list[ClauseLabel]]:
    """Return the labels of such paragraphs by the id of their section; empty for most documents.

    Args:
        text: The source.
        sections: All sections of the document, in source order.
    """
    if "10" not in text or not _TENTH["\r" in text].search(text):
        return {}  # the common case
    by_form: dict[tuple[str, str], list[_Numbered]] = defaultdict(list)
    for section in sections:
        for block in _paragraphs(section):
            if match := _NUMBER.match(text, block.start):
                form = (match["open"], match["close"] or "")
                value = int(match["value"])
                by_form[form].append(_Numbered(block.start, block.end, value, section))
    for (opening, closing), numbered in by_form.items():
        run = [*_counted(numbered)]
        is_form = bool(opening) == (closing == "]")
        if is_form and _runs_through(run, len(numbered), len(text)):
            return _labels(run)
    return {}


def with_running(
    own_labels: Iterable[tuple[Section, list[LabelItem]]],
    running: Mapping[str, list[ClauseLabel]],
    starts: Container[int],
) -> list[tuple[Section, list[LabelItem]]]:
    """Return the labels of each section with those of such paragraphs, in order.

    Args:
        own_labels: The sections with their labels.
        running: The labels of such paragraphs by the id of their section.
        starts: Where these paragraphs begin.
    """
    if not running:
        return list(own_labels)  # the common case
    merged: list[tuple[Section, list[LabelItem]]] = []
    for section, labels in own_labels:
        others = [label for label in labels if start_of(label) not in starts]
        merged.append((section, sorted([*others, *running.get(section.id, ())], key=start_of)))
    return merged


def _paragraphs(section: Section) -> list[Paragraph | ListItem]:
    """Return the paragraphs and the items of numbered lists in a section."""
    found: list[Paragraph | ListItem] = []
    for block in section.blocks:
        if isinstance(block, Paragraph):
            found.append(block)
        elif isinstance(block, ListBlock) and block.ordered:
            found += block.items
    return found


def _counted(numbered: Sequence[_Numbered]) -> Iterator[_Numbered]:
    """Yield the numbers that count up from 1; a few may be missing, such as those in quotes."""
    last = 0
    for paragraph in numbered:
        if last < paragraph.value <= last + _MOST_MISSING:
            yield paragraph
            last = paragraph.value


def _runs_through(run: Sequence[_Numbered], count: int, length: int) -> bool:
    """Whether numbered paragraphs are most of the text, in several sections.

    Args:
        run: The paragraphs whose numbers count up.
        count: How many paragraphs have a number of this form.
        length: The length of the text.
    """
    if len(run) < _FEWEST or count - len(run) > _MOST_OTHERS * count:
        return False
    if len({paragraph.section.start for paragraph in run}) < _FEWEST_SECTIONS:
        return False
    covered = sum(paragraph.end - paragraph.start for paragraph in run)
    return covered >= max(_LEAST_TEXT * len(run), _LEAST_COVERED * length)


def _labels(run: Sequence[_Numbered]) -> dict[str, list[ClauseLabel]]:
    labels: dict[str, list[ClauseLabel]] = defaultdict(list)
    for start, _, value, section in run:
        number = ClauseNumber("decimal", str(value), (str(value),))
        labels[section.id].append(ClauseLabel(start, number, 0, content_end(section)))
    return dict(labels)
