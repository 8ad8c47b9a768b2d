"""Numbered lines that may be titles, each with a weight for the evidence that it is one."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from treepack.outline.titles.layout import TextLayout
from treepack.outline.titles.lines import LONGEST_READ, Line, blank_lines
from treepack.outline.titles.printed import (
    FARTHEST,
    LONGEST_BELOW,
    LONGEST_WORD,
    Key,
    PrintedNumber,
    number_below,
    printed_number,
)
from treepack.outline.titles.toc import Entry, is_in_toc
from treepack.outline.titles.wording import (
    ends_sentence,
    has_capitals,
    is_capitals,
    is_caption,
    is_title,
    may_be_title,
)

Role = Literal["title", "run-in", "clause"]

_CONTENTS, _BOLD, _UNDERLINED, _CAPITALS = 3.0, 1.0, 1.0, 0.5
_APART, _LAST, _WORD, _DEEP = 0.8, 0.8, 0.6, 0.6
_MID_SENTENCE, _INDENTED = -1.5, -0.7
_TITLE, _FULL_STOP, _LOWER_CASE = 0.6, -0.9, -1.2
_CROWDED, _RUN_IN, _LEGAL, _CLAUSE = -1.2, 0.3, 0.4, -2.5
_SINGLE, _SINGLE_APART = -1.6, -0.4
_UNNAMED = -2.0
_MARKED = 4.0
_RUN_IN_TITLE: Final = re.compile(
    r"(?:\*\*)?\[?(?P<title>[A-Z\"“][^.:\[\]]{1,90}?)\]?(?:\*\*)?"
    r"(?:[.:](?:\*\*)?(?=\s|$)|\*\*)\s*(?P<rest>.*)"
)
_FOOTNOTE_RULE: Final = re.compile("—{3,}")
_AFTER_BOLD: Final = re.compile(r"[^*]{1,100}\*\*[\s.:]*[^\s.:*]")
_ENDED: Final = re.compile(r"[.:;!?)\"”]$")
_CODE_PUNCTUATION: Final = re.compile(r"[{}|;=]|->|::")
_FULL_ON_ANY_PAGE: Final = 58  # characters of a full line, if the next is in lower case
_FULL_LINE: Final = 0.7  # of the width; a shorter line ends its text
_SHORT_LINE: Final = 0.6  # of the width; new text begins below a shorter line
_NEAR: Final = 6  # lines from a list item to the next
_FEWEST_NAMED: Final = 3  # numbered entries of a table of contents
_MOST_STOPPED: Final = 3  # spaces in a title with a full stop, in a language with unknown verbs
_LONGEST_EMPHASISED: Final = 200  # characters of a label and its title
_MOST_BELOW: Final = 12  # words on a line of a title below its number


@dataclass(eq=False, slots=True)
class Candidate:
    """A numbered line that may be a title.

    Attributes:
        line_index: The index of its first line.
        line_count: How many lines it takes.
        key: Its number.
        is_inserted: Whether letters follow its last component: § 39a, Art. 20 bis.
        word: The word before the number.
        kind: What kind of word that is.
        title: What follows the number.
        role: ``title`` on lines of its own, ``run-in`` before its text, ``clause`` without a title.
        weight: The weight of the evidence that it is a title.
        has_number_above: Whether the number is on lines of its own above the title: CHAPTER, ONE.
        is_confirmed: Whether contents, bold type, an underline or markup confirm it.
    """

    line_index: int
    line_count: int
    key: Key
    is_inserted: bool
    word: str
    kind: str
    title: str
    role: Role
    weight: float
    has_number_above: bool
    is_confirmed: bool


def numbered_candidates(layout: TextLayout, entries: Mapping[str, Entry]) -> list[Candidate]:
    """Return all numbered lines that may be titles, in order."""
    reader = _CandidateReader(layout, entries)
    candidates = [
        reader.candidate(index)
        for index in reader.open_indexes
        if reader.numbers[index] or len(layout.lines[index].text) <= LONGEST_WORD  # few lines
    ]
    return [candidate for candidate in candidates if candidate is not None]


class _CandidateReader:
    """Looks at each numbered line in its surroundings."""

    def __init__(self, layout: TextLayout, entries: Mapping[str, Entry]) -> None:
        self.lines = lines = layout.lines
        self.layout = layout
        self.entries = entries
        self.toc_has_numbers = sum(key[0].isdigit() for key in entries) >= _FEWEST_NAMED
        self.may_be = [
            line.is_open and not (line.is_toc_entry or line.is_underline) for line in lines
        ]
        for index in range(1, len(lines)):
            above = lines[index - 1].text
            if above[0] == "—" and _FOOTNOTE_RULE.fullmatch(above):
                self.may_be[index] = False
        self.open_indexes = [index for index, may_be in enumerate(self.may_be) if may_be]
        self.numbers: list[PrintedNumber | None] = [None] * len(lines)
        for index in self.open_indexes:
            self.numbers[index] = printed_number(lines[index])
        indents = (lines[index].indent for index in self.open_indexes if self.numbers[index])
        self.least_indent = min(indents, default=0)

    def candidate(self, index: int) -> Candidate | None:
        """Return the line as a candidate, or None if it has no number or cannot be a title."""
        line = self.lines[index]
        number = self.numbers[index] or number_below(self.lines, index)
        if number is None or is_caption(line.text):
            return None
        if line.is_code and not _defies_code(line, number):
            return None
        candidate = self._weighed(index, number)
        is_point = not candidate.word and isinstance(candidate.key[0], str)  # "A. Any text"
        return None if is_point and candidate.role != "title" else candidate

    def _weighed(self, index: int, number: PrintedNumber) -> Candidate:
        line = self.lines[index]
        title, line_count, is_listed = self._title(index, number)
        weight = self._surroundings(index)
        weight += _CONTENTS * is_listed + _CAPITALS * is_capitals(title)
        weight += _WORD * bool(number.word) + _DEEP * (len(number.key) > 1)
        is_broken = line_count > 1
        role, more = self._role(index, number, title, is_listed=is_listed, is_broken=is_broken)
        weight += more + self._single_component(index, number, title, is_listed=is_listed)
        return Candidate(
            line_index=index,
            line_count=line_count,
            key=number.key,
            is_inserted=number.is_inserted,
            word=number.word,
            kind=number.kind,
            title=title,
            role=role,
            weight=weight,
            has_number_above=number.line_count > 1,
            is_confirmed=is_listed or line.is_set_apart,
        )

    def _title(self, index: int, number: PrintedNumber) -> tuple[str, int, bool]:
        """Return the title, its count of lines with the number, and whether contents list it."""
        line, title = self.lines[index], number.title
        if number.is_above_title or number.line_count > 1:
            line_count = number.line_count + number.is_above_title
            is_listed = is_in_toc(self.entries, f"{line.text} {title}", title)
            return title, line_count, is_listed
        if number.word and not title:
            below = self._title_lines_below(index)
            line_count = 1 + len(below)
            title = _title_of(below, may_stop=self._is_nearer(index, index + line_count))
            is_listed = not title and is_in_toc(self.entries, line.text)
            return title, line_count if title else 1, is_listed
        if is_in_toc(self.entries, line.text, title):
            return title, 1, True
        after = self.lines[index + 1] if index + 1 < len(self.lines) else None
        if after is None or line.is_before_blank or not after.is_open or self.numbers[index + 1]:
            return title, 1, False
        joined = f"{title} {after.text}"
        if is_in_toc(self.entries, f"{line.text} {after.text}", joined):
            return joined, 2, True
        return (joined, 2, False) if self._is_broken(index, number, joined) else (title, 1, False)

    def _is_nearer(self, index: int, after: int) -> bool:
        """Whether the lines below a label are nearer to it than to the text after them."""
        if after >= len(self.lines) or self.numbers[after]:
            return False
        return blank_lines(self.lines, index + 1) < blank_lines(self.lines, after)

    def _is_broken(self, index: int, number: PrintedNumber, joined: str) -> bool:
        """Whether a title in its own paragraph continues on a second, shorter line."""
        line, after = self.lines[index], self.lines[index + 1]
        if not (self.layout.is_spaced and line.is_after_blank and after.is_before_blank):
            return False
        is_broken = len(line.text) > _FULL_LINE * self.layout.width
        is_short = len(after.text) < _FULL_LINE * self.layout.width
        may_be = may_be_title(joined) and not joined.endswith(".") and not line.is_code
        return bool(number.word) and is_broken and is_short and may_be

    def _title_lines_below(self, index: int) -> Sequence[Line]:
        """Return the one or two lines below a label if they may be its title, else nothing."""
        below = self.lines[index + 1 : index + 3]
        if not below or not self.may_be[index + 1] or self.numbers[index + 1]:
            return ()
        first = below[0]
        if first.number - self.lines[index].number > FARTHEST - (len(below) > 1):
            return ()
        if not self.layout.is_spaced or first.is_before_blank or is_capitals(first.text):
            return below[:1]
        if len(below) == 1 or not self.may_be[index + 2] or self.numbers[index + 2]:
            return ()
        return below if below[1].is_before_blank and below[1].text[0].islower() else ()

    def _surroundings(self, index: int) -> float:
        line, before = self.lines[index], self.lines[index - 1] if index else None
        ended = (
            before is None
            or line.is_after_blank
            or _ENDED.search(self.layout.ending(before)) is not None
            or len(before.text) < 0.75 * self.layout.width
            or self.numbers[index - 1] is not None
        )
        weight = _BOLD * line.is_bold + _UNDERLINED * bool(line.underline)
        edges = _APART * line.is_after_blank + _LAST * line.is_before_blank
        weight += edges + _MARKED * bool(line.heading)
        weight += 0 if ended else _MID_SENTENCE
        return weight + _INDENTED * (self.layout.is_hanging and line.indent > self.least_indent)

    def _role(
        self, index: int, number: PrintedNumber, title: str, *, is_listed: bool, is_broken: bool
    ) -> tuple[Role, float]:
        """Return whether the title is on lines of its own, and the weight of that."""
        layout = self.layout
        # "4.1 **Term.** It ends soon."; the first ** is read with the number
        is_begun = title.count("**") % 2 == 1 and _AFTER_BOLD.match(title) is not None
        has_own_line = self._has_own_line(index, number, is_listed=is_listed)
        is_alone = has_own_line and not self._sentence_continues(index, number)
        if is_broken or (is_alone and not is_begun):
            weight = _TITLE * is_title(title) + _LOWER_CASE * title[:1].islower()
            weight += _FULL_STOP * (title.endswith(".") and not layout.is_legal)
            is_crowded = not layout.is_spaced and not is_listed
            if is_crowded and not (title[:1].isupper() and is_title(title)):
                weight += _CROWDED
            return "title", weight
        match = _RUN_IN_TITLE.fullmatch(title)
        if match and match["rest"]:
            run_in = match["title"]
            if is_title(run_in) or "**" in title or is_capitals(run_in):
                weight = _RUN_IN + _LEGAL * layout.is_legal + _CAPITALS * is_capitals(run_in)
                return "run-in", weight
        return "clause", -0.2 if layout.is_legal or len(number.key) > 1 else _CLAUSE

    def _has_own_line(self, index: int, number: PrintedNumber, *, is_listed: bool) -> bool:
        line, title = self.lines[index], number.title
        if line.is_bold or line.heading:
            title = title.lstrip("`\\")  # a command may be the title
        if line.end - line.start > LONGEST_READ:
            return False  # its text was not read to the end
        if not title:
            return bool(number.word)
        is_over = index + 1 < len(self.lines) and self.lines[index + 1].text[:1].isupper()
        is_short = is_over and len(line.text) < _SHORT_LINE * self.layout.width
        is_emphasised = line.is_bold or line.size > 0  # unlike body text
        if (
            number.word
            and is_emphasised
            and line.is_alone
            and len(line.text) <= _LONGEST_EMPHASISED
        ):
            return True
        is_trusted = self.layout.is_legal or is_listed or len(number.key) > 1
        is_capitalised = title[:1].isupper() and has_capitals(title)  # in a script with both cases
        is_trusted = is_trusted or (bool(number.word) and is_capitalised)
        has_few_words = title.count(" ") < 9  # noqa: PLR2004 - of a title with a full stop
        may_end = (line.is_before_blank or is_short) and has_few_words and is_trusted
        if is_title(title.rstrip(".") if may_end else title):
            return True
        if is_capitals(title):
            return may_be_title(title)
        is_shown = is_listed or line.is_set_apart or bool(number.word)
        is_shown = is_shown or self._is_between_blank_lines(line)
        is_sentence = title.endswith(".") and title.count(" ") > _MOST_STOPPED
        return is_shown and not is_sentence and may_be_title(title)

    def _is_between_blank_lines(self, line: Line) -> bool:
        """Whether a title is between blank lines, so that it may have a verb; never in contracts.

        Sentences of contracts may be broken anywhere, or end without a full stop.
        """
        return self.layout.is_spaced and line.is_alone and not self.layout.is_legal

    def _sentence_continues(self, index: int, number: PrintedNumber) -> bool:
        """Whether the sentence continues on the next line."""
        line = self.lines[index]
        if line.is_before_blank or index + 1 == len(self.lines):
            return False
        after = self.lines[index + 1]
        if is_capitals(line.text) and is_capitals(after.text):
            return self.layout.is_spaced and not after.is_before_blank  # a disclaimer
        full = min(0.85 * self.layout.width, _FULL_ON_ANY_PAGE)
        if after.text[:1].islower() and len(line.text) > full:
            return True
        # If the next word would not have fitted, the line may be any line of a paragraph.
        is_full = len(f"{line.text} {after.text.split(' ', 1)[0]}") > self.layout.width
        return is_full and self.layout.is_spaced and not number.word

    def _single_component(
        self, index: int, number: PrintedNumber, title: str, *, is_listed: bool
    ) -> float:
        """Return the weight of a number with one component, which may be that of a list item."""
        line = self.lines[index]
        if len(number.key) > 1 or number.word or is_listed:
            return 0.0
        if self.toc_has_numbers:
            return _UNNAMED
        if self.layout.is_legal:
            return 0.0
        if line.is_set_apart or is_capitals(title):
            return 0.0
        is_apart = line.is_alone or self._is_far_from_others(index, number)
        return _SINGLE_APART if is_apart and is_title(title) else _SINGLE

    def _is_far_from_others(self, index: int, number: PrintedNumber) -> bool:
        """Whether neither the previous nor the next number or letter is within a few lines."""
        near = self.numbers[max(0, index - _NEAR) : index + _NEAR + 1]
        return not any(
            neighbour and _are_neighbours(number.key[0], neighbour.key[0]) for neighbour in near
        )


def _title_of(below: Sequence[Line], *, may_stop: bool) -> str:
    """Return the title of a label on a line of its own: DEFINITIONS below ARTICLE I.

    Args:
        below: The lines below the label.
        may_stop: Whether the title may end with a full stop, or have a verb.
    """
    title = " ".join(line.text for line in below)
    if len(title) >= LONGEST_BELOW * len(below):
        return ""
    if may_stop and may_be_title(title) and not ends_sentence(title):
        return title
    text = title.rstrip(".") if may_stop else title
    return title if is_title(text, most=_MOST_BELOW * len(below)) else ""


def _are_neighbours(first: int | str, second: int | str) -> bool:
    """Whether two numbers, or two letters, are consecutive, in either order."""
    if isinstance(first, str) and isinstance(second, str):
        return abs(ord(first) - ord(second)) == 1
    return isinstance(first, int) and isinstance(second, int) and abs(first - second) == 1


def _defies_code(line: Line, number: PrintedNumber) -> bool:
    """Whether a line may be a title although it looks like code: it is bold, or has ``5.1.2``."""
    if line.is_set_apart or number.word:
        return True
    return (
        len(number.key) > 1 and is_title(number.title) and not _CODE_PUNCTUATION.search(line.text)
    )
