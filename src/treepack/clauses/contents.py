"""Labels that only point to clauses: the entries of a table of contents."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, zip_longest
from operator import itemgetter
from typing import Final

from treepack.clauses.labels import ClauseLabel, LabelItem, start_of
from treepack.model.section import Section
from treepack.model.source import LINE_END
from treepack.numbers.clause_number import WORDLESS, ClauseNumber

_FEWEST_ENTRIES: Final = 3  # in a row in a table of contents; a single title may occur twice
_LONGEST_READ: Final = 400  # characters of a label's text that are read
_LONGEST_ENTRY: Final = 2000  # characters; extraction may join the lines of a table of contents
_MARKUP: Final = " \t\r\n*+-_"
_NOT_TITLE_ENDS: Final = ".,;:"  # the points of a law end with these
_SENTENCE_END: Final = re.compile(r"(?:[.;:!?]|[.;:][\s\u00a0]*\\?[\[(][^\[\r\n]*\))$")
"""The end of a sentence, or of a note on it: ``... shall pay. [(Amended by Act 5)](https://...)``.
"""
_RUN_IN_TITLE: Final = re.compile(
    r"[\W_]*\d[\d.]*[\W_]+(?=[^\W\d_])[^.:\r\n]{1,100}(?=[.:][*_]*[ \t]+\S)"
)
"""A number and a title that runs into the text: ``1. **Definitions.** In this ...``."""
_LEADERS_AND_PAGE: Final = re.compile(r"\.(?:[ \t]*\.){4,}[\s\d]*")  # below an entry's title
_NON_WORD: Final = re.compile(r"[\W_]+")


def without_entries(
    text: str,
    sections: Sequence[Section],
    labels: Sequence[list[LabelItem]],
    numbers: Mapping[int, ClauseNumber],
) -> Iterator[tuple[Section, list[LabelItem]]]:
    """Yield each section with the labels of its own content, except entries.

    An entry is only a title, and its number or title occurs again above text. Several in a row are
    a table of contents.

    Args:
        text: The source.
        sections: All sections of a document, in source order.
        labels: The labels of each section's own content.
        numbers: The numbers of the headings, by their start.
    """
    titles = {section.heading.text for section in sections if section.heading}
    entries = {*_in_rows(_named(text, labels, numbers)), *_numbered(text, labels, titles)}
    for section, own in zip(sections, labels, strict=True):
        yield section, [label for label in own if start_of(label) not in entries]


def _in_rows(judged: Iterable[tuple[int, bool]]) -> Iterator[int]:
    """Yield the starts of labels that may be entries, if several come in a row."""
    for may_be_entry, group in groupby(judged, key=itemgetter(1)):
        starts = [start for start, _ in group]
        if may_be_entry and len(starts) >= _FEWEST_ENTRIES:
            yield from starts


def _named(
    text: str, labels: Sequence[Sequence[LabelItem]], numbers: Mapping[int, ClauseNumber]
) -> Iterator[tuple[int, bool]]:
    """Yield the start of each label like ``Section 1.01``, and whether it may be an entry.

    The number of an entry occurs again later.
    """
    named = [
        label
        for own in labels
        for label in own
        if isinstance(label, ClauseLabel) and label.number.kind not in WORDLESS
    ]
    found = [*numbers.items(), *((label.start, label.number) for label in named)]
    last = {
        (number.kind, number.parts): start for start, number in sorted(found, key=itemgetter(0))
    }
    for label, after in zip_longest(named, named[1:]):
        end = min(after.start if after else label.limit, label.start + _LONGEST_ENTRY)
        is_title = not _SENTENCE_END.search(text[label.start : end].rstrip())
        yield label.start, is_title and last[label.number.kind, label.number.parts] > label.start


def _numbered(
    text: str, labels: Sequence[Sequence[LabelItem]], titles: Iterable[str]
) -> Iterator[int]:
    """Yield the starts of entries like ``1.2 Scope``, whose title is a heading or occurs later."""
    above_text: dict[str, int] = {}
    lines: list[list[tuple[int, str]]] = []  # of each section; empty if a label is no title
    for own in labels:
        lines.append([])
        for label, after in zip_longest(own, own[1:]):
            start, line = start_of(label), ""
            if isinstance(label, ClauseLabel) and label.number.parts[0][-1].isdigit():
                end = min(label.limit if after is None else start_of(after), start + _LONGEST_READ)
                line, title = _titles(text, start, end)
                above_text[title] = start
            lines[-1].append((start, line))
    above_text |= dict.fromkeys(map(_words, titles), len(text))
    above_text[""] = -1
    for judged in lines:
        yield from _in_rows((start, above_text.get(line, -1) > start) for start, line in judged)


def _titles(text: str, start: int, end: int) -> tuple[str, str]:
    """Return a label's line if it is all there is, and its title if text follows; else empty."""
    line_end = LINE_END.search(text, start, end)
    at, after = line_end.span() if line_end else (end, end)
    has_text = bool(_LEADERS_AND_PAGE.sub("", text[after:end]).strip(_MARKUP))
    run_in = _RUN_IN_TITLE.match(text, start, at)
    title = run_in[0] if run_in else text[start:at] if has_text else ""
    line = "" if has_text or text[at - 1] in _NOT_TITLE_ENDS else text[start:at]
    return _words(line), _words(title)


def _words(line: str) -> str:
    """Return the words and numbers of a line, without markup and punctuation."""
    return _NON_WORD.sub(" ", line).strip().casefold()
