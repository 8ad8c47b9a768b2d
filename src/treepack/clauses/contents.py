"""Labels that only point to clauses: the entries of a table of contents."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import Final, NamedTuple

from treepack.clauses.labels import Label, LabelItem, start_of
from treepack.model.section import Section
from treepack.model.source import LINE_END
from treepack.numbers.clause_number import WORDLESS, ClauseNumber
from treepack.numbers.heading_numbers import number_of_title
from treepack.numbers.words import words_of

_FEWEST_ENTRIES: Final = 3  # in a row; a single title may occur twice
_LONGEST_READ: Final = 1000  # characters of a label's text; some PDFs join the lines of entries
_LEADERS: Final = r"(?:\.(?:[ \t]*\.){4,}|…)"
_HAS_LEADERS: Final = re.compile(_LEADERS)
_LEADERS_TO_PAGE: Final = re.compile(
    rf"[^\r\n]*[\r\n]{{0,4}}[^\r\n]*{_LEADERS}[\s|*_]*[0-9ivxlcIVXLC]{{1,5}}[\s|*_]*(?:[\r\n]|\Z)"
)
_SENTENCE_ENDS: Final = ".,;:!?"
_MARKUP: Final = " \t\r\n*+-_"
_PAGE: Final = re.compile(r"\W+\d{1,4}\W*\Z")


class _Title(NamedTuple):
    """The beginning of a label's text, and whether it is only a title."""

    label: Label
    text: str
    is_alone: bool

    @property
    def line(self) -> str:
        return LINE_END.split(self.text, 1)[0]

    @property
    def key(self) -> str:
        return _key(self.label.number, self.line)


def without_entries(
    text: str, sections: Sequence[Section], labels: Sequence[Sequence[LabelItem]]
) -> Sequence[Sequence[LabelItem]]:
    """Return the labels of each section, without those that are entries of a table of contents.

    An entry has leaders to a page. Or it is a title without text, one of several in a row, and its
    title recurs later as a heading or above text.
    """
    titles = [title for own in labels for title in _titles(text, own)]
    paged = titles if _HAS_LEADERS.search(text) else ()
    entries = {title.label.start for title in paged if _LEADERS_TO_PAGE.match(title.text)}
    if next(_runs([title.is_alone for title in titles]), None):
        entries.update(_recurring(titles, sections))
    if not entries:
        return labels  # the common case
    return [[label for label in own if start_of(label) not in entries] for own in labels]


def _titles(text: str, labels: Sequence[LabelItem]) -> Iterator[_Title]:
    for label, after in pairwise([*labels, None]):
        if isinstance(label, Label):
            end = label.limit if after is None else start_of(after)
            paragraph = text[label.start : min(end, label.start + _LONGEST_READ)].strip(_MARKUP)
            is_short = len(label.number.label) + 1 < len(paragraph) < _LONGEST_READ
            is_line = is_short and "\n" not in paragraph and "\r" not in paragraph
            yield _Title(label, paragraph, is_line and paragraph[-1] not in _SENTENCE_ENDS)


def _recurring(titles: Sequence[_Title], sections: Sequence[Section]) -> Iterator[int]:
    """Yield the starts of the titles without text that recur later, if several are in a row."""
    last = {title.key: title.label.start for title in titles if not title.is_alone}
    for section in sections:
        if section.heading:
            title = section.heading.text
            last[_key(number_of_title(title), title)] = section.start

    def recurs(title: _Title) -> bool:
        return last.get(title.key, -1) > title.label.start

    for run in _runs([title.is_alone and recurs(title) for title in titles]):
        yield from (titles[at].label.start for at in run)
        after = titles[run[-1] + 1 : run[-1] + 2]  # it may be above the title of the text
        if after and recurs(after[0]) and after[0].line[-1:] not in _SENTENCE_ENDS:
            yield after[0].label.start


def _runs(may_be_entries: Sequence[bool]) -> Iterator[list[int]]:
    """Yield the indexes of titles in a row that may be entries, if there are enough."""
    for is_entry, group in groupby(range(len(may_be_entries)), key=may_be_entries.__getitem__):
        run = [*group]
        if is_entry and len(run) >= _FEWEST_ENTRIES:
            yield run


def _key(number: ClauseNumber | None, title: str) -> str:
    """Return what an entry and its clause share: a number with a word, or number and title."""
    if number and number.kind not in WORDLESS:
        return f"{number.kind} {number.parts}"
    return words_of(_PAGE.sub("", title))
