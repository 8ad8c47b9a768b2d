"""Labels that only point to clauses: the entries of a table of contents."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import Final, NamedTuple

from treepack.clauses.labels import Label, LabelItem, start_of
from treepack.model.blocks import LONGEST_TITLE
from treepack.model.section import Section
from treepack.model.source import LINE_END
from treepack.numbers.heading_numbers import number_of_title
from treepack.numbers.words import WORDLESS, ClauseNumber, words_of
from treepack.outline.lines import SEVERAL

_LEADERS: Final = re.compile(r"\.(?:[ \t]*\.){4,}|…")
_LEADERS_TO_PAGE: Final = re.compile(
    rf"[^\r\n]*[\r\n]{{0,4}}[^\r\n]*(?:{_LEADERS.pattern})"
    r"[\s|*_]*[0-9ivxlcIVXLC]{1,5}[\s|*_]*(?:[\r\n]|\Z)"
)
_MARKUP: Final = " \t\r\n*+-_"
_PAGE: Final = re.compile(r"\W+\d{1,4}\W*\Z")


class _Title(NamedTuple):
    """The beginning of a label's text, and whether it is only a title."""

    label: Label
    text: str
    is_alone: bool

    @property
    def key(self) -> str:
        """What an entry and its clause share."""
        return _key(self.label.number, LINE_END.split(self.text, 1)[0])


def without_entries(
    text: str, sections: Sequence[Section], labels: Sequence[Sequence[LabelItem]]
) -> Sequence[Sequence[LabelItem]]:
    """Return the labels of each section, without those that are entries of a table of contents.

    An entry has leaders to a page. Or it is a title without text, one of several in a row, and its
    title recurs later as a heading or above text; the last one may be above the title of the text.
    """
    titles = [title for own in labels for title in _titles(text, own)]
    paged = titles if _LEADERS.search(text) else ()
    entries = {title.label.start for title in paged if _LEADERS_TO_PAGE.match(title.text)}
    in_a_row = groupby(title.is_alone for title in titles)
    if any(is_alone and len([*run]) >= SEVERAL for is_alone, run in in_a_row):
        entries.update(_recurring(titles, sections))
    if not entries:
        return labels  # the common case
    return [[label for label in own if start_of(label) not in entries] for own in labels]


def _titles(text: str, labels: Sequence[LabelItem]) -> Iterator[_Title]:
    for label, after in pairwise([*labels, None]):
        if isinstance(label, Label):
            end = label.limit if after is None else start_of(after)
            paragraph = text[label.start : min(end, label.start + LONGEST_TITLE)].strip(_MARKUP)
            is_short = len(label.number.label) + 1 < len(paragraph) < LONGEST_TITLE
            is_line = is_short and "\n" not in paragraph and "\r" not in paragraph
            yield _Title(label, paragraph, is_line and paragraph[-1] not in ".,;:!?")


def _recurring(titles: Sequence[_Title], sections: Sequence[Section]) -> Iterator[int]:
    """Yield the starts of the titles that recur later, if several are in a row."""
    last = {title.key: title.label.start for title in titles if not title.is_alone}
    for section in sections:
        if section.heading:
            title = section.heading.text
            last[_key(number_of_title(title), title)] = section.start

    def recurs(at: int) -> bool:
        return last.get(titles[at].key, -1) > titles[at].label.start

    runs = groupby(range(len(titles)), lambda at: titles[at].is_alone and recurs(at))
    for is_entry, run in runs:
        row = [*run]
        if is_entry and len(row) >= SEVERAL:
            after = row[-1] + 1
            row += [after] if after < len(titles) and recurs(after) else []
            yield from (titles[at].label.start for at in row)


def _key(number: ClauseNumber | None, title: str) -> str:
    """Return a number with a word, or number and title without the page."""
    if number and number.kind not in WORDLESS:
        return f"{number.kind} {number.parts}"
    return words_of(_PAGE.sub("", title))
