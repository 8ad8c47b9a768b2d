"""Determines page numbers from page marks, by looking at all marks of a text together.

A single mark does not show whether the page that it names begins or ends there, or whether
``== 3 ==`` is a page mark at all. All marks of the same form in a text do show it.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import Final, Literal, NamedTuple

Meaning = Literal["begins", "ended", "next", "numbered", "printed", "furniture"]
"""The meaning of a mark: the page that it names begins, or has ended; the next page begins; a form
that may begin or end a page; the number printed on the page; other text of a header or footer."""

_NUMBER: Final = re.compile(
    r"[0-9]{1,6}(?:[ ]?(?:of|/)[ ]?[0-9]{1,6})?(?:[ ][\[(][^\[\]()]+[\])])?", re.IGNORECASE
)
"""What differs between marks of one form: the number, and how the page was read."""
_WORD: Final = re.compile("page|[0-9] of", re.IGNORECASE)
_PRINTED: Final = re.compile(
    r"""
      \s* (?:page[ ]?)? ([0-9]{1,6}) (?:[ ]?(?:of|/)[ ]?[0-9]{1,6})? \s* \Z
    | \s* -[ ]?([0-9]{1,6})[ ]?- \s* \Z
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NOT_PAGES: Final = 1000
"""Bare numbers from here on are years, or names of something else."""
_LINK_DEFINITION: Final = re.compile(r"^ {0,3}\[page ?[0-9]{1,6}\]:", re.IGNORECASE | re.MULTILINE)


class PageMark(NamedTuple):
    """A page mark: its span, its meaning, its page number, and whether a user's pattern found it.

    Pages are numbered from 1; the number is 0 if the mark gives none.
    """

    start: int
    end: int
    meaning: Meaning
    number: int = 0
    is_from_pattern: bool = False


def printed_number(text: str) -> int:
    """Return the page number in a printed header or footer: ``7``, ``Page 7 of 9``; 0 without one.

    >>> [printed_number(text) for text in ("7", "Page 7 of 9", "- 7 -", "iv", "3-12")]
    [7, 7, 7, 0, 0]
    """
    match = _PRINTED.match(text)
    return int(match[1] or match[2]) if match else 0


def with_decided_meanings(text: str, marks: Sequence[PageMark]) -> list[PageMark]:
    """Return the marks, with ``begins`` or ``ended`` decided for each ``numbered`` mark.

    Lines that turn out not to be marks are left out. If a form has text before its first mark and
    none after its last, each mark is at the end of its page, otherwise at the beginning.
    """
    numbered = [mark for mark in marks if mark.meaning == "numbered"]
    if not numbered:
        return list(marks)
    begin, end = len(text) - len(text.lstrip()), len(text.rstrip())
    decided = [mark for mark in marks if mark.meaning != "numbered"]
    for group in by_form(text, numbered):
        has_before, has_after = group[0].start > begin, group[-1].end < end
        if _are_marks(text, group, has_before=has_before, has_after=has_after):
            meaning: Meaning = "ended" if has_before and not has_after else "begins"
            decided += [mark._replace(meaning=meaning) for mark in group]
    return sorted(decided)


def by_form(text: str, marks: Iterable[PageMark]) -> Iterable[list[PageMark]]:
    """The marks of each form: those that are the same but for the number."""
    forms: dict[str, list[PageMark]] = {}
    for mark in marks:
        form = _NUMBER.sub("", text[mark.start : mark.end]).casefold()
        forms.setdefault("".join(form.split()), []).append(mark)
    return forms.values()


def _are_marks(text: str, marks: Sequence[PageMark], *, has_before: bool, has_after: bool) -> bool:
    """Whether lines of one form are page marks, judged by all of them and by the text around."""
    first = marks[0]
    first_text = text[first.start : first.end]
    if first_text.startswith("["):
        is_likely = len(marks) > 1 or not (has_before and has_after)
        return is_likely and not _LINK_DEFINITION.search(text)  # such lines are then links
    if _WORD.search(first_text):
        return True
    # ``== 3 ==`` is a heading of a wiki, unless the numbers are those of pages. A mark without
    # others has number 1 if no text is before it, and number 2 after the first page.
    is_single = len(marks) == 1
    follows = all(after.number == before.number + 1 for before, after in pairwise(marks))
    return first.number == 1 + has_before if is_single else follows and first.number < _NOT_PAGES


def by_printed_numbers(
    pages: Sequence[tuple[int, int]], printed: Iterable[PageMark]
) -> tuple[tuple[int, int], ...]:
    """Return the pages with the numbers that are printed on them, if these fit the pages.

    A page without a number gets one more than the previous page. If any number is lower than the
    count of pages allows, as after pages i to iv, all pages keep their counted numbers.
    """
    numbers: dict[int, int] = {}
    for mark in printed:
        at = max(bisect_right(pages, mark.start, key=itemgetter(0)) - 1, 0)
        numbers.setdefault(at, mark.number)
    shifts = {at: number - pages[at][1] for at, number in sorted(numbers.items())}
    known = list(shifts.values())
    if not known or known[0] < 0 or any(later < earlier for earlier, later in pairwise(known)):
        return tuple(pages)
    shift = known[0]
    shifted: list[tuple[int, int]] = []
    for at, (offset, page) in enumerate(pages):
        shift = shifts.get(at, shift)
        shifted.append((offset, page + shift))
    return tuple(shifted)
