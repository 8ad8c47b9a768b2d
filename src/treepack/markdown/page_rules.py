r"""Rules of three dashes that separate pages.

LlamaParse joins the pages of a document with ``\n---\n`` unless it is told otherwise. Directly
below a text, CommonMark reads such a rule as the underline of a heading, so that the last paragraph
of each page would become one. People write the same line below a title, or between the entries of
a list. So all such rules of a text are judged together.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from treepack.markdown.page_headings import interrupts_sentence
from treepack.markdown.page_numbers import PageMark
from treepack.model.source import LINE_END

_RULE: Final = re.compile("\n(?=---[\r\n])")  # `re` finds a single literal character fastest
_RULE_AT_ANY_END: Final = re.compile("[\r\n](?=---[\r\n])")
_LENGTH: Final = 3
_FEWEST: Final = 3
_NEAR: Final = 400  # characters above and below a rule that are read
_LONGEST_TITLE: Final = 80  # characters
_LONG_LINE: Final = 40  # characters; a shorter line may be a title whatever follows
_NO_TITLE_ENDS: Final = tuple(".,;…。；")
_NO_TITLE: Final = re.compile(r"^(?:[-*+]|[0-9]{1,9}[.)])[ \t]|^[0-9]+$|[ \t]{2}")
"""An item of a list, a page number, or a line with wide gaps: ``Pump manual    7``."""
_NUMBER: Final = re.compile(r"(?<![\w.,-])[0-9]{1,4}(?![\w,-]|\.[0-9])")


class _Around(NamedTuple):
    """The line above a rule, whether another line is directly above that, and the line below.

    ``interrupts`` is whether the rule comes between words of a sentence.
    """

    above: str
    is_paragraph: bool
    below: str
    interrupts: bool

    @property
    def is_below_title(self) -> bool:
        """Whether the rule may be the underline of a title."""
        is_other = self.is_paragraph or self.is_table or _NO_TITLE.search(self.above)
        is_long = len(self.above) > _LONGEST_TITLE
        return not (is_other or is_long or self.above.endswith(_NO_TITLE_ENDS))

    @property
    def is_table(self) -> bool:
        """Whether a row of a table is directly above the rule."""
        return self.above.startswith("|") and self.above.endswith("|")

    @property
    def is_in_sentence(self) -> bool:
        """Whether the rule is in the middle of a sentence, and not below a title."""
        is_text = self.is_paragraph or len(self.above) > _LONG_LINE
        return is_text and self.interrupts


def rules_below_text(text: str) -> Iterator[PageMark]:
    """Yield each rule of three dashes directly below a line or a blank page, if there are many."""
    pattern = _RULE_AT_ANY_END if "\r" in text else _RULE
    starts = [match.end() for match in pattern.finditer(text)]
    if len(starts) < _FEWEST:
        return
    is_mark, after = False, 0
    for start in starts:
        is_mark = bool(_lines_above(text, start)[-1]) or (is_mark and text[after:start].isspace())
        after = start + _LENGTH
        if is_mark:
            yield PageMark(start, after, "rule")


def separating_rules(text: str, rules: Sequence[PageMark]) -> list[PageMark]:
    """Return the rules as marks between pages, or none of them if they may be anything else.

    Most of the rules must be below something that is not a title. And something must show that a
    page ends there: a sentence that continues below the rule, page numbers beside the rules, or
    tables that end at them.
    """
    around = [_around(text, rule) for rule in rules]
    titles = sum(each.is_below_title for each in around)
    if len(rules) < _FEWEST or 2 * titles >= len(rules):
        return []
    is_sure = (
        any(each.is_in_sentence for each in around)
        or sum(each.is_table for each in around) >= _FEWEST
        or _count_pages(around)
    )
    return [rule._replace(meaning="next") for rule in rules] if is_sure else []


def _lines_above(text: str, start: int) -> list[str]:
    """Return the two lines, perhaps shortened, above the line that begins at an offset."""
    lines = LINE_END.split(text[max(0, start - _NEAR) : start])
    return [line.strip() for line in ("", *lines)[-3:-1]]


def _around(text: str, rule: PageMark) -> _Around:
    second, above = _lines_above(text, rule.start)
    below = LINE_END.split(text[rule.end : rule.end + _NEAR].lstrip(), 1)[0]
    return _Around(above, bool(second), below, interrupts_sentence(text, rule))


def _count_pages(around: Sequence[_Around]) -> bool:
    """Whether numbers above or below most rules increase by one from rule to rule."""
    steps = Counter(
        step
        for at, each in enumerate(around)
        for step in {int(number) - at for number in _NUMBER.findall(f"{each.above} {each.below}")}
    )
    most = max(steps.values(), default=0)
    return most >= _FEWEST and 2 * most > len(around)
