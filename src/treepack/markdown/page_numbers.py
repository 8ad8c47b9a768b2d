"""What page marks say of the page's number, judged by all marks of a text together.

One mark alone does not say whether the page that it names begins or ends there, nor whether
``== 3 ==`` is a mark at all; those of one form, over the whole text, do.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import Final, Literal, NamedTuple

Step = Literal["begins", "ended", "next", "numbered", "heading", "printed", "furniture"]
"""What a mark says: a page begins or has ended, or the next one begins; a form that does either, a
heading that may count pages (`page_headings`), the number that is printed on the page, or nothing
but what the page's head or foot says."""

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
_NO_PAGE: Final = 1000
"""Bare numbers from here on are years, or names of something else."""
_TARGET: Final = re.compile(r"^ {0,3}\[page ?[0-9]{1,6}\]:", re.IGNORECASE | re.MULTILINE)


class Mark(NamedTuple):
    """A mark: what it says of the page, and the number it gives, from 1."""

    start: int
    end: int
    step: Step
    number: int = 0
    is_given: bool = False


def printed_number(text: str) -> int:
    """The number in what a page's head or foot prints: ``7``, ``Page 7 of 9``; 0 where it is none.

    >>> [printed_number(text) for text in ("7", "Page 7 of 9", "- 7 -", "iv", "3-12")]
    [7, 7, 7, 0, 0]
    """
    match = _PRINTED.match(text)
    return int(match[1] or match[2]) if match else 0


def judged(text: str, marks: Sequence[Mark]) -> list[Mark]:
    """The marks, of which those with a number begin or end a page; without those that are none.

    Where text stands before the first mark of a form and none after the last, each stands at the
    end of its page, else at the beginning.
    """
    numbered = [mark for mark in marks if mark.step == "numbered"]
    if not numbered:
        return list(marks)
    begin, end = len(text) - len(text.lstrip()), len(text.rstrip())
    found = [mark for mark in marks if mark.step != "numbered"]
    for same in by_form(text, numbered):
        has_before, has_after = same[0].start > begin, same[-1].end < end
        if _are_marks(text, same, has_before=has_before, has_after=has_after):
            step: Step = "ended" if has_before and not has_after else "begins"
            found += [mark._replace(step=step) for mark in same]
    return sorted(found)


def by_form(text: str, marks: Iterable[Mark]) -> Iterable[list[Mark]]:
    """The marks of each form: those that are the same but for the number."""
    forms: dict[str, list[Mark]] = {}
    for mark in marks:
        form = _NUMBER.sub("", text[mark.start : mark.end]).casefold()
        forms.setdefault("".join(form.split()), []).append(mark)
    return forms.values()


def _are_marks(text: str, marks: Sequence[Mark], *, has_before: bool, has_after: bool) -> bool:
    """Whether lines of one form are marks, by all of them and by what stands around them."""
    first = marks[0]
    shown = text[first.start : first.end]
    if shown.startswith("["):
        return (len(marks) > 1 or not (has_before and has_after)) and not _is_link(text)
    if _WORD.search(shown):
        return True
    # A heading of a wiki, if the numbers are not those of pages; one alone stands before the first
    # page, or between two.
    is_alone = len(marks) == 1
    follows = all(after.number == before.number + 1 for before, after in pairwise(marks))
    return first.number == 1 + has_before if is_alone else follows and first.number < _NO_PAGE


def _is_link(text: str) -> bool:
    """Whether ``[Page 3]`` is the target of a link somewhere: then all of them are links."""
    return _TARGET.search(text) is not None


def by_printed_numbers(
    pages: Sequence[tuple[int, int]], printed: Iterable[Mark]
) -> tuple[tuple[int, int], ...]:
    """The pages by the numbers that are printed on them, where those run with the pages.

    A page without a number is one more than the one before. Where a number is lower than it can
    be, as after pages i to iv, pages are counted.
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
