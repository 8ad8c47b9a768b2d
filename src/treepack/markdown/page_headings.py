"""Headings that count pages, such as ``## Page 3``.

Many scripts read a PDF page by page and write such a heading above the text of each page, or the
same words between two rules. As headings, they would cut sentences and tables at the end of each
page, and hide the real titles. A manual may be about pages as well (``Page 2`` of a form), so all
headings of one form are judged together.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from treepack.markdown.page_numbers import PageMark, by_form

_PLAIN: Final = re.compile(
    r"(?:\#{1,6}[ ]+)?(?:page|slide)[ ][0-9]+(?P<total>[ ]?(?:of|/)[ ]?[0-9]+)?:?(?:\s+[-=]+)?",
    re.IGNORECASE,
)
_OTHER_HEADING: Final = re.compile(r"(?<=[\r\n])\#{1,6} +(?!(?:page|slide) [0-9])", re.IGNORECASE)
_LINK_TO_PAGE: Final = re.compile(r"\]\(#(?:page|slide)-[0-9]", re.IGNORECASE)
_RULE_ABOVE: Final = re.compile(r"(?:\A|(?<=[\r\n]))[ ]{0,3}([-*_])\1{2,}[ \t]*[\r\n]\s*\Z")
_NEAR: Final = 100  # characters around a heading that are looked at
_FEWEST: Final = 3
_FEWEST_PLAIN: Final = 5
_MANY: Final = 10
_MOST_PAGES: Final = 2
"""Pages for each heading: a script may leave out pages without text, but hardly half of them."""
_SENTENCE_ENDS: Final = '.:;!?…"”'


def headings_that_count(
    text: str, headings: Sequence[PageMark], *, are_enclosed: bool = False
) -> list[PageMark]:
    """Return the headings that count pages, as marks that begin pages, in order.

    A mark includes the rule above its heading if all headings of its form but the first have one.

    Args:
        text: The text.
        headings: All headings that name a page and nothing else, in order.
        are_enclosed: Whether the text of each page is enclosed, as only scripts do it.
    """
    marks: list[PageMark] = []
    for group in by_form(text, headings):
        starts = [_rule_above(text, heading.start) for heading in group]
        has_rules = all(
            start < heading.start for start, heading in list(zip(starts, group, strict=True))[1:]
        )
        if _are_page_counts(
            text, group, is_plain=not (are_enclosed or (has_rules and len(group) > 1))
        ):
            marks += [
                heading._replace(start=start if has_rules else heading.start, meaning="begins")
                for start, heading in zip(starts, group, strict=True)
            ]
    return sorted(marks)


def _are_page_counts(text: str, headings: Sequence[PageMark], *, is_plain: bool) -> bool:
    """Whether headings of one form count all or most pages, and no link leads to one of them.

    Plain headings, without rules around them or words behind the number, must be several. And
    something else must speak for pages: the number of all pages, no other heading in the text, a
    sentence that continues after one of them, or ten and more of them without a gap.
    """
    numbers = [heading.number for heading in headings]
    is_rising = all(before < after for before, after in pairwise(numbers))
    is_dense = numbers[-1] - numbers[0] < _MOST_PAGES * len(numbers)
    if not (is_rising and is_dense) or _LINK_TO_PAGE.search(text):
        return False
    plain = _PLAIN.fullmatch(text, headings[0].start, headings[0].end) if is_plain else None
    if plain is None:
        return len(numbers) >= _FEWEST or numbers == [1, 2]
    if len(numbers) < _FEWEST_PLAIN:
        return False
    is_alone = _OTHER_HEADING.search(text, headings[0].end) is None
    has_all = len(numbers) >= _MANY and numbers[-1] - numbers[0] == len(numbers) - 1
    is_sure = is_alone or has_all or plain["total"] is not None
    return is_sure or any(interrupts_sentence(text, heading) for heading in headings)


def interrupts_sentence(text: str, mark: PageMark) -> bool:
    """Whether a mark, such as a heading, is in the middle of a sentence."""
    before = text[max(0, mark.start - _NEAR) : mark.start].rstrip()[-1:]
    after = text[mark.end : mark.end + _NEAR].lstrip()[:1]
    return bool(before) and before not in _SENTENCE_ENDS and after.islower()


def _rule_above(text: str, start: int) -> int:
    """Return where the rule right above an offset begins, or the offset if there is none."""
    rule = _RULE_ABOVE.search(text, max(0, start - _NEAR), start)
    return rule.start() if rule else start
