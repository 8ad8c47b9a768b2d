"""Labels that only point to clauses: the entries of a table of contents."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import Final

from treepack.clauses.labels import Label, LabelItem, start_of
from treepack.model.section import Section
from treepack.model.source import LINE_END
from treepack.numbers.clause_number import WORDLESS, ClauseNumber
from treepack.numbers.heading_numbers import number_of_title
from treepack.numbers.words import words_of

_FEWEST_ENTRIES: Final = 3  # in a row; a single title may occur twice
_LONGEST_READ: Final = 1000  # characters of a label's text; some PDFs join the lines of entries
_LEADERS: Final = re.compile(r"\.(?:[ \t]*\.){4,}|…")
_LEADERS_TO_PAGE: Final = re.compile(
    r"[^\r\n]*[\r\n]{0,4}[^\r\n]*(?:\.(?:[ \t]*\.){4,}|…)[\s|*_]*[0-9ivxlcIVXLC]{1,5}[\s|*_]*"
    r"(?:[\r\n]|\Z)"
)
_SENTENCE_END: Final = re.compile(r"[.,;:!?][*_]*\Z")
_RUN_IN_TITLE: Final = re.compile(
    r"[\W_]*(?:[^\W\d_]+\W+)?\d[\d.]*+[^.:\r\n]{1,100}(?=[.:][*_]*\s)"
)
_MARKUP: Final = " \t\r\n*+-_"
_PAGE: Final = re.compile(r"\W+\d{1,4}\W*\Z")


def without_entries(
    text: str, sections: Sequence[Section], labels: Sequence[Sequence[LabelItem]]
) -> list[list[LabelItem]]:
    """Return the labels of each section, without those that are entries of a table of contents.

    An entry has leaders to a page. Or it is a title without text, one of several in a row, and its
    title recurs later as a heading or above text.
    """
    has_leaders = _LEADERS.search(text) is not None
    last: dict[str, int] = {}
    titles: list[list[tuple[Label, str]]] = []
    for section, own in zip(sections, labels, strict=True):
        if section.heading:
            title = section.heading.text
            last[_key(number_of_title(title), title)] = section.start
        titles.append([*_titles(text, own, last)])
    entries: set[int] = set()
    known = groupby(
        (each for own in titles for each in own),
        key=lambda each: bool(each[1]) and last.get(each[1], -1) > each[0].start,
    )
    for is_known, group in known:
        run = [label.start for label, _ in group]
        entries.update(run if is_known and len(run) >= _FEWEST_ENTRIES else ())
    if has_leaders:
        all_labels = [label for own in labels for label in own if isinstance(label, Label)]
        for label in all_labels:
            end = min(label.limit, label.start + _LONGEST_READ)
            if _LEADERS_TO_PAGE.match(text, label.start, end):
                entries.add(label.start)
    return [[label for label in own if start_of(label) not in entries] for own in labels]


def _titles(
    text: str, labels: Sequence[LabelItem], last: dict[str, int]
) -> Iterator[tuple[Label, str]]:
    """Yield each label with the key of its title, empty if text follows; note where such are."""
    for label, after in pairwise([*labels, None]):
        if not isinstance(label, Label):
            continue
        end = label.limit if after is None else start_of(after)
        paragraph = text[label.start : min(end, label.start + _LONGEST_READ)].strip(_MARKUP)
        line = LINE_END.split(paragraph, 1)[0]
        is_alone = len(label.number.label) + 1 < len(line) == len(paragraph) < _LONGEST_READ
        if is_alone and not _SENTENCE_END.search(line):
            yield label, _key(label.number, line)
            continue
        run_in = _RUN_IN_TITLE.match(line)
        last[_key(label.number, run_in[0] if run_in else line)] = label.start
        yield label, ""


def _key(number: ClauseNumber | None, title: str) -> str:
    """Return what an entry and its clause share: a number with a word, or number and title."""
    if number and number.kind not in WORDLESS:
        return f"{number.kind} {number.parts}"
    return words_of(_PAGE.sub("", title))
