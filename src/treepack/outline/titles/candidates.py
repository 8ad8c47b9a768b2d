"""Numbered lines that may be titles, each with a weight for the evidence that it is one."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from treepack.outline.titles.contents import Entry
from treepack.outline.titles.lines import LEAST_TEXT, LOOKED_AT, Line
from treepack.outline.titles.page import TextLayout
from treepack.outline.titles.printed import (
    FARTHEST,
    LONGEST_ALONE,
    LONGEST_BELOW,
    LONGEST_WORD,
    Key,
    PrintedNumber,
    number_alone,
    number_below,
    printed_number,
)
from treepack.outline.titles.spaced import blank_lines
from treepack.outline.titles.wording import (
    ends_sentence,
    has_capitals,
    is_capitals,
    is_caption,
    is_title,
    letters,
    may_be_title,
)

Role = Literal["title", "run-in", "clause"]

_CONTENTS, _BOLD, _UNDERLINED, _CAPITALS = 3.0, 1.0, 1.0, 0.5
_APART, _LAST, _WORD, _DEEP = 0.8, 0.8, 0.6, 0.6
_BELOW_GAP, _MID_SENTENCE, _INDENTED = 1.0, -1.5, -0.7
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
_SIGNS_OF_CODE: Final = re.compile(r"[{}|;=]|->|::")
_FULL_OF_ANY: Final = 58  # characters of a line that is full on any page, if the next is lower case
_FULL_LINE: Final = 0.7  # of the width; a shorter line ends its text
_SHORT_LINE: Final = 0.6  # of the width; new text begins below a shorter line
_NEAR: Final = 6  # lines from a list item to the next
_FEWEST_ALONE: Final = 3  # numbers such as 4.1 on lines of their own
_MOST_STRAY: Final = 4  # such numbers, for each that heads a text
_FEWEST_NAMED: Final = 3  # numbered entries of a table of contents
_MOST_STOPPED: Final = 3  # spaces in a title with a full stop, in a language with unknown verbs
_LONGEST_SET: Final = 200  # characters of a label and its title
_MOST_BELOW: Final = 12  # words on a line of a title below its number


@dataclass(eq=False, slots=True)
class Candidate:
    """A numbered line that may be a title.

    Attributes:
        at: The index of its first line.
        lines: How many lines it takes.
        key: Its number.
        is_inserted: Whether letters follow its last component: § 39a, Art. 20 bis.
        word: The word before the number.
        kind: What kind of word that is.
        title: What follows the number.
        role: ``title`` on lines of its own, ``run-in`` before its text, ``clause`` without a title.
        weight: The weight of the evidence that it is a title.
        is_apart: Whether the number is on lines of its own above the title: CHAPTER, ONE.
        is_sure: Whether contents, bold type, an underline or markup confirm it.
    """

    at: int
    lines: int
    key: Key
    is_inserted: bool
    word: str
    kind: str
    title: str
    role: Role
    weight: float
    is_apart: bool
    is_sure: bool


def numbered_candidates(
    lines: Sequence[Line], page: TextLayout, entries: Mapping[str, Entry]
) -> list[Candidate]:
    """Return all numbered lines that may be titles, in order."""
    reader = _CandidateReader(lines, page, entries)
    found = [
        reader.candidate(at)
        for at in reader.open
        if reader.numbers[at] or len(lines[at].text) <= LONGEST_WORD  # few lines
    ]
    return [candidate for candidate in found if candidate is not None]


class _CandidateReader:
    """Looks at each numbered line in its surroundings."""

    def __init__(
        self, lines: Sequence[Line], page: TextLayout, entries: Mapping[str, Entry]
    ) -> None:
        self.lines = lines
        self.page = page
        self.entries = entries
        self.names_chapters = sum(key[0].isdigit() for key in entries) >= _FEWEST_NAMED
        self.may_be = [
            line.is_open and not (line.is_contents or line.is_underline) for line in lines
        ]
        for at in range(1, len(lines)):
            if lines[at - 1].text[0] == "—" and _FOOTNOTE_RULE.fullmatch(lines[at - 1].text):
                self.may_be[at] = False
        self.open = [at for at, may_be in enumerate(self.may_be) if may_be]
        self.numbers: list[PrintedNumber | None] = [None] * len(lines)
        for at in self.open:
            self.numbers[at] = printed_number(lines[at])
        self.alone = self._numbers_alone()
        indents = (lines[at].indent for at in self.open if self.numbers[at])
        self.least_indent = min(indents, default=0)

    def _numbers_alone(self) -> Mapping[int, PrintedNumber]:
        """Return the section numbers on lines of their own, if several have two components or more.

        Page numbers have one component. Numbers in a table or at the axis of a chart may each be
        above a word. If there are many of them, a number counts only if text begins below its title
        or the table of contents lists the title.
        """
        found = {
            at: number
            for at in self.open
            if len(self.lines[at].text) <= LONGEST_ALONE and (number := self._number_alone(at))
        }
        sure = {at: number for at, number in found.items() if self._heads(at, number)}
        chosen = found if _MOST_STRAY * len(sure) >= len(found) else sure
        deep = sum(len(number.key) > 1 for number in chosen.values())
        return chosen if deep >= _FEWEST_ALONE else {}

    def _number_alone(self, at: int) -> PrintedNumber | None:
        """Return the number that a line consists of, if its title is on the next line.

        The contents must list the title of a single letter. A title that begins with a word and a
        number does not count: it is an entry of the contents, below the page of another entry.
        """
        number = number_alone(self.lines, at)
        if number is None:
            return None
        below = self.numbers[at + 1]
        if below is not None and below.word:
            return None
        first, *others = number.key
        is_letter = isinstance(first, str) and not others
        return None if is_letter and not self._is_named_below(at, number) else number

    def _is_named_below(self, at: int, number: PrintedNumber) -> bool:
        """Whether contents list the title below a number, with the number or without it."""
        return self._is_named(f"{self.lines[at].text} {number.title}", number.title)

    def _heads(self, at: int, number: PrintedNumber) -> bool:
        """Whether contents list the title below a number, or text begins below the title."""
        if self._is_named_below(at, number):
            return True
        below = self.lines[at + 2 : at + 4]  # a title may take two lines
        return any(len(line.text) >= LEAST_TEXT for line in below)

    def candidate(self, at: int) -> Candidate | None:
        """Return the line as a candidate, or None if it has no number or cannot be a title."""
        line = self.lines[at]
        number = self.numbers[at] or number_below(self.lines, at) or self.alone.get(at)
        if number is None or is_caption(line.text):
            return None
        if line.is_code and not _defies_code(line, number):
            return None
        found = self._weighed(at, number)
        is_point = not found.word and isinstance(found.key[0], str)  # "A. Any text"
        return None if is_point and found.role != "title" else found

    def _weighed(self, at: int, number: PrintedNumber) -> Candidate:
        line = self.lines[at]
        title, count, known = self._title(at, number)
        weight = self._surroundings(at)
        weight += _CONTENTS * known + _CAPITALS * is_capitals(title)
        weight += _WORD * bool(number.word) + _DEEP * (len(number.key) > 1)
        role, more = self._role(at, number, title, known=known, is_broken=count > 1)
        weight += more + self._single(at, number, title, known=known)
        return Candidate(
            at=at,
            lines=count,
            key=number.key,
            is_inserted=number.is_inserted,
            word=number.word,
            kind=number.kind,
            title=title,
            role=role,
            weight=weight,
            is_apart=number.lines > 1,
            is_sure=known or line.is_bold or bool(line.underline) or line.heading is not None,
        )

    def _title(self, at: int, number: PrintedNumber) -> tuple[str, int, bool]:
        """Return the title, its count of lines with the number, and whether contents list it."""
        line, title = self.lines[at], number.title
        if number.is_above or number.lines > 1:
            return title, number.lines + number.is_above, self._is_named_below(at, number)
        if number.word and not title:
            below = self._below(at)
            said = _title_of(below, may_stop=self._is_nearer(at, at + 1 + len(below)))
            return (said, 1 + len(below), False) if said else ("", 1, self._is_named(line.text))
        if self._is_named(line.text, title):
            return title, 1, True
        after = self.lines[at + 1] if at + 1 < len(self.lines) else None
        if after is None or line.is_last or not after.is_open or self.numbers[at + 1]:
            return title, 1, False
        joined = f"{title} {after.text}"
        if self._is_named(f"{line.text} {after.text}", joined):
            return joined, 2, True
        return (joined, 2, False) if self._is_broken(at, number, joined) else (title, 1, False)

    def _is_nearer(self, at: int, after: int) -> bool:
        """Whether the lines below a label are nearer to it than to the text after them."""
        if after >= len(self.lines) or self.numbers[after]:
            return False
        return blank_lines(self.lines, at + 1) < blank_lines(self.lines, after)

    def _is_named(self, *said: str) -> bool:
        """Whether a table of contents lists any of these texts."""
        if not self.entries:
            return False
        found = (letters(each) for each in said)
        return any(len(each) > 3 and each in self.entries for each in found)  # noqa: PLR2004 - letters of a title

    def _is_broken(self, at: int, number: PrintedNumber, joined: str) -> bool:
        """Whether a title in its own paragraph continues on a second, shorter line."""
        line, after = self.lines[at], self.lines[at + 1]
        if not (self.page.is_spaced and line.is_apart and after.is_last):
            return False
        is_broken = len(line.text) > _FULL_LINE * self.page.width
        is_short = len(after.text) < _FULL_LINE * self.page.width
        may_be = may_be_title(joined) and not joined.endswith(".") and not line.is_code
        return bool(number.word) and is_broken and is_short and may_be

    def _below(self, at: int) -> Sequence[Line]:
        """Return the one or two lines below a label if they may be its title, else nothing."""
        found = self.lines[at + 1 : at + 3]
        if not found or not self.may_be[at + 1] or self.numbers[at + 1]:
            return ()
        first = found[0]
        if first.number - self.lines[at].number > FARTHEST - (len(found) > 1):
            return ()
        if not self.page.is_spaced or first.is_last or is_capitals(first.text):
            return found[:1]
        is_broken = len(found) > 1 and found[1].is_last and found[1].text[0].islower()
        return found if is_broken and self.may_be[at + 2] and not self.numbers[at + 2] else ()

    def _surroundings(self, at: int) -> float:
        line, before = self.lines[at], self.lines[at - 1] if at else None
        ended = (
            before is None
            or line.is_apart
            or _ENDED.search(self.page.ending(before)) is not None
            or len(before.text) < 0.75 * self.page.width
            or self.numbers[at - 1] is not None
        )
        weight = _BOLD * line.is_bold + _UNDERLINED * bool(line.underline)
        weight += _APART * line.is_apart + _LAST * line.is_last + _MARKED * bool(line.heading)
        weight += _BELOW_GAP * (0 < self.page.title_gap <= blank_lines(self.lines, at))
        weight += 0 if ended else _MID_SENTENCE
        return weight + _INDENTED * (self.page.is_hanging and line.indent > self.least_indent)

    def _role(
        self, at: int, number: PrintedNumber, title: str, *, known: bool, is_broken: bool
    ) -> tuple[Role, float]:
        """Return whether the title is on lines of its own, and the weight of that."""
        page = self.page
        # "4.1 **Term.** It ends soon."; the first ** is read with the number
        is_begun = title.count("**") % 2 == 1 and _AFTER_BOLD.match(title) is not None
        is_alone = self._has_own_line(at, number, known=known) and not self._goes_on(at, number)
        if is_broken or (is_alone and not is_begun):
            weight = _TITLE * is_title(title) + _LOWER_CASE * title[:1].islower()
            weight += _FULL_STOP * (title.endswith(".") and not page.is_legal)
            if not page.is_spaced and not known and not (title[:1].isupper() and is_title(title)):
                weight += _CROWDED
            return "title", weight
        inline = _RUN_IN_TITLE.fullmatch(title)
        if inline and inline["rest"]:
            said = inline["title"]
            if is_title(said) or "**" in title or is_capitals(said):
                return "run-in", _RUN_IN + _LEGAL * page.is_legal + _CAPITALS * is_capitals(said)
        return "clause", -0.2 if page.is_legal or len(number.key) > 1 else _CLAUSE

    def _has_own_line(self, at: int, number: PrintedNumber, *, known: bool) -> bool:
        line, title = self.lines[at], number.title
        if line.is_bold or line.heading:
            title = title.lstrip("`\\")  # a command may be the title
        if line.end - line.start > LOOKED_AT:
            return False  # its text was not read to the end
        if not title:
            return bool(number.word)
        is_over = at + 1 < len(self.lines) and self.lines[at + 1].text[:1].isupper()
        is_short = is_over and len(line.text) < _SHORT_LINE * self.page.width
        if number.word and self._is_set_apart(line):
            return True
        is_trusted = self.page.is_legal or known or len(number.key) > 1
        is_capitalised = title[:1].isupper() and has_capitals(title)  # in a script with both cases
        is_trusted = is_trusted or (bool(number.word) and is_capitalised)
        has_few_words = title.count(" ") < 9  # noqa: PLR2004 - of a title with a full stop
        may_end = (line.is_last or is_short) and has_few_words and is_trusted
        if is_title(title.rstrip(".") if may_end else title):
            return True
        if is_capitals(title):
            return may_be_title(title)
        is_set = known or line.is_bold or line.underline or line.heading or number.word
        is_shown = bool(is_set) or self._stands_alone(line)
        is_sentence = title.endswith(".") and title.count(" ") > _MOST_STOPPED
        return is_shown and not is_sentence and may_be_title(title)

    def _is_set_apart(self, line: Line) -> bool:
        """Whether a short paragraph is in bold type or a larger font, unlike body text."""
        is_alone = line.is_apart and line.is_last and len(line.text) <= _LONGEST_SET
        return is_alone and (line.is_bold or line.size > 0)

    def _stands_alone(self, line: Line) -> bool:
        """Whether a title is between blank lines, so that it may have a verb; never in contracts.

        Sentences of contracts may be broken anywhere, or end without a full stop.
        """
        is_apart = self.page.is_spaced and line.is_apart and line.is_last
        return is_apart and not self.page.is_legal

    def _goes_on(self, at: int, number: PrintedNumber) -> bool:
        """Whether the sentence continues on the next line."""
        line = self.lines[at]
        if line.is_last or at + 1 == len(self.lines):
            return False
        after = self.lines[at + 1]
        if is_capitals(line.text) and is_capitals(after.text):
            return self.page.is_spaced and not after.is_last  # a disclaimer
        full = min(0.85 * self.page.width, _FULL_OF_ANY)
        if after.text[:1].islower() and len(line.text) > full:
            return True
        # If the next word would not have fitted, the line may be any line of a paragraph.
        is_full = len(f"{line.text} {after.text.split(' ', 1)[0]}") > self.page.width
        return is_full and self.page.is_spaced and not number.word

    def _single(self, at: int, number: PrintedNumber, title: str, *, known: bool) -> float:
        """Return the weight of a number with one component, which may be that of a list item."""
        line = self.lines[at]
        if len(number.key) > 1 or number.word or known:
            return 0.0
        if self.names_chapters:
            return _UNNAMED
        if self.page.is_legal:
            return 0.0
        if line.is_bold or line.underline or line.heading or is_capitals(title):
            return 0.0
        is_apart = (line.is_apart and line.is_last) or self._is_far_from_others(at, number)
        return _SINGLE_APART if is_apart and is_title(title) else _SINGLE

    def _is_far_from_others(self, at: int, number: PrintedNumber) -> bool:
        """Whether neither the previous nor the next number or letter is within a few lines."""
        near = self.numbers[max(0, at - _NEAR) : at + _NEAR + 1]
        return not any(other and _are_neighbours(number.key[0], other.key[0]) for other in near)


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
    said = title.rstrip(".") if may_stop else title
    return title if is_title(said, most=_MOST_BELOW * len(below)) else ""


def _are_neighbours(one: int | str, other: int | str) -> bool:
    """Whether two numbers, or two letters, are consecutive, in either order."""
    if isinstance(one, str) or isinstance(other, str):
        return isinstance(one, str) and isinstance(other, str) and abs(ord(one) - ord(other)) == 1
    return abs(one - other) == 1


def _defies_code(line: Line, number: PrintedNumber) -> bool:
    """Whether a line may be a title although it looks like code: it is bold, or has ``5.1.2``."""
    if line.is_bold or line.underline or line.heading or number.word:
        return True
    return len(number.key) > 1 and is_title(number.title) and not _SIGNS_OF_CODE.search(line.text)
