"""Numbered lines that may be titles, each with the weight of the evidence that it is one."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias

from treepack.numbers.grammar import LONGEST_READ
from treepack.numbers.words import KIND_OF_WORD
from treepack.outline.contents import Entries, is_listed
from treepack.outline.lines import SEVERAL, Layout, Line, blank_lines
from treepack.outline.printed import (
    FARTHEST,
    NUMERAL_LETTERS,
    PrintedNumber,
    is_reference,
    number_below,
    printed_number,
)
from treepack.outline.shape import (
    MOST_WORDS,
    ends_sentence,
    is_capitals,
    is_title,
    may_be_title,
)
from treepack.plain.lines import COMPLETE_END

Role: TypeAlias = Literal["title", "run-in", "clause"]

_RUN_IN_TITLE: Final = re.compile(
    r"(?:\*\*)?\[?(?P<title>[A-Z\"“][^.:\[\]]{1,90}?)\]?(?:\*\*)?"
    r"(?:[.:](?:\*\*)?(?=\s|$)|\*\*)\s*(?P<rest>.*)"
)
_AFTER_BOLD: Final = re.compile(r"\*\*[\s.:]*[^\s.:*]")


@dataclass(eq=False, slots=True)
class Candidate:
    """A numbered line that may be a title.

    Attributes:
        line_index: The index of its first line.
        line_count: How many lines it takes.
        number: Its number.
        title: What follows the number.
        role: ``title`` on lines of its own, ``run-in`` before its text, ``clause`` without a title.
        is_listed: Whether contents list it.
        is_confirmed: Whether contents, bold type, an underline or markup confirm it.
        weight: The weight of the evidence that it is a title.
    """

    line_index: int
    line_count: int
    number: PrintedNumber
    title: str
    role: Role
    is_listed: bool
    is_confirmed: bool
    weight: float = 0.0


# -------------------------------------------------------------------- signals


class _Place(NamedTuple):
    """A candidate and what is around it: what the signals look at."""

    layout: Layout
    line_index: int
    line: Line
    candidate: Candidate
    is_numbered: bool  # whether contents print the numbers of titles
    has_decimals: bool  # whether there are numbers such as 2.1

    @property
    def is_single(self) -> bool:
        """Whether the number may be that of a list item: one component, no word."""
        number = self.candidate.number
        return not (number.word or len(number.key) > 1 or self.candidate.is_listed)


def _goes_on(place: _Place) -> bool:
    """Whether the text above may continue on the line."""
    if not place.line_index or place.line.is_after_blank:
        return False
    above = place.layout.lines[place.line_index - 1]
    if len(above.text) < 0.75 * place.layout.width:
        return False
    return COMPLETE_END.search(place.layout.ending(above)) is None


def _is_single_of_list(place: _Place) -> bool:
    if not place.is_single or place.is_numbered or place.has_decimals or place.layout.is_legal:
        return False
    return not (place.line.is_set_apart or is_capitals(place.candidate.title))


def _is_shaped(place: _Place) -> bool:
    return place.candidate.role != "clause" and is_title(place.candidate.title)


Signal: TypeAlias = tuple[float, Callable[[_Place], object]]
_SIGNALS: Final[tuple[Signal, ...]] = (
    # All weights were chosen on the unmarked set: 70 documents with titles and 52 without.
    # what lists it
    (3.0, lambda at: at.candidate.is_listed),
    # typography
    (1.0, lambda at: at.line.is_bold),
    (1.0, lambda at: at.line.underline),
    (0.5, lambda at: is_capitals(at.candidate.title)),
    # blank lines, indentation, the line above
    (0.8, lambda at: at.line.is_after_blank),
    (0.8, lambda at: at.line.is_before_blank),
    (-1.5, _goes_on),
    # the number
    (0.6, lambda at: at.candidate.number.word),
    (0.6, lambda at: len(at.candidate.number.key) > 1),
    (-2.0, lambda at: at.is_single and at.is_numbered),
    (-1.6, _is_single_of_list),
    # the shape of the title
    (0.6, _is_shaped),
    (-1.2, lambda at: at.candidate.title[:1].islower()),
    (
        -2.5,
        lambda at: at.candidate.role == "clause" and not (at.layout.is_legal or not at.is_single),
    ),
)
"""Each kind of evidence: its weight, and whether it holds for a candidate."""


# -------------------------------------------------------------------- candidates


def numbered_candidates(layout: Layout, entries: Entries) -> list[Candidate]:
    """Return all numbered lines that may be titles, in order."""
    return _CandidateReader(layout, entries).candidates()


class _CandidateReader:
    """Looks at each numbered line in its surroundings."""

    def __init__(self, layout: Layout, entries: Entries) -> None:
        self.lines = layout.lines
        self.layout = layout
        self.entries = entries
        self.letters: dict[str, str] = {}  # the last letter of each word
        self.numbers = [  # most lines begin in lower case, and a call for each takes long
            None if line.text[0].islower() or not self._is_free(line) else printed_number(line)
            for line in self.lines
        ]

    @staticmethod
    def _is_free(line: Line) -> bool:
        return line.is_open and not (line.is_entry or line.is_underline)

    def candidates(self) -> list[Candidate]:
        """Return all candidates with their weights."""
        is_numbered = sum(key[0].isdigit() for key in self.entries) >= SEVERAL
        deep = [number for number in self.numbers if number and len(number.key) > 1]
        longest_word = max(map(len, KIND_OF_WORD))
        found: list[Candidate] = []
        after = 0  # the end of the last title
        for index, line in enumerate(self.lines):
            number = self.numbers[index]
            if number is None and len(line.text) <= longest_word and self._is_free(line):
                number = number_below(self.lines, index)
            if number is None or index < after:
                continue  # the common case
            number = self._as_letter(number)
            if line.is_code and not (line.is_set_apart or number.word or len(number.key) > 1):
                continue
            candidate = self._candidate(index, number)
            is_point = not number.word and isinstance(number.key[0], str)  # "A. Any text"
            if is_point and candidate.role != "title":
                continue
            place = _Place(self.layout, index, line, candidate, is_numbered, len(deep) > 1)
            after = index + candidate.line_count
            candidate.weight = sum(weight for weight, holds in _SIGNALS if holds(place))
            found.append(candidate)
        return found

    def _as_letter(self, number: PrintedNumber) -> PrintedNumber:
        """Return a number; a numeral that continues a letter becomes a letter: I after H."""
        word = "" if number.word == "roman" else number.word
        first = number.key[0]
        letter = first if isinstance(first, str) else NUMERAL_LETTERS.get(first, "")
        if not letter or (number.key[1:] and letter != first):
            return number  # the common case
        is_next = ord(letter) - 1 == ord(self.letters.get(word, "\0"))
        if letter == first or is_next:
            self.letters[word] = letter
        kind = number.kind if word else "letter"
        return number._replace(key=(letter,), word=word, kind=kind) if is_next else number

    def _candidate(self, index: int, number: PrintedNumber) -> Candidate:
        line = self.lines[index]
        title, line_count, listed = self._title(index, number)
        is_broken = line_count > 1 and not number.has_own_lines
        role: Role = "title"
        if not is_broken:
            role, title = self._role(index, number, title, is_listed=listed)
        is_confirmed = listed or line.is_set_apart
        return Candidate(index, line_count, number, title, role, listed, is_confirmed)

    def _title(self, index: int, number: PrintedNumber) -> tuple[str, int, bool]:
        """Return the title, its count of lines with the number, and whether contents list it."""
        line, title = self.lines[index], number.title
        if number.has_own_lines:
            return title, number.line_count, is_listed(self.entries, f"{line.text} {title}", title)
        if number.word and not title:
            title, count = self._title_below(index)
            return title, count, not title and is_listed(self.entries, line.text)
        if is_listed(self.entries, line.text, title):
            return title, 1, True
        after = self.lines[index + 1] if index + 1 < len(self.lines) else None
        if after is None or line.is_before_blank or not after.is_open or self.numbers[index + 1]:
            return title, 1, False
        joined = f"{title} {after.text}"
        if is_listed(self.entries, f"{line.text} {after.text}", joined):
            return joined, 2, True
        is_broken = number.word and self._is_broken(index, joined)
        return (joined, 2, False) if is_broken else (title, 1, False)

    def _is_broken(self, index: int, joined: str) -> bool:
        """Whether a title in its own paragraph continues on a second, shorter line."""
        line, after = self.lines[index], self.lines[index + 1]
        if not (self.layout.is_spaced and line.is_after_blank and after.is_before_blank):
            return False
        full = 0.7 * self.layout.width
        is_title_here = may_be_title(joined) and not joined.endswith(".") and not line.is_code
        return len(line.text) > full > len(after.text) and is_title_here

    def _title_below(self, index: int) -> tuple[str, int]:
        """Return the title below a label such as ARTICLE I, and their count of lines.

        Between them may be the reference of a schedule: SCHEDULE 1, Section 2, Records.
        """
        first = index + 1
        if first < len(self.lines) and is_reference(self.lines[first].text):
            first += 1
        below = self.lines[first : first + 2]
        if not below or not self._is_free(below[0]) or self.numbers[first]:
            return "", 1
        if below[0].number - self.lines[index].number > FARTHEST:
            return "", 1
        title, count = below[0].text, 1
        is_wrapped = self.layout.is_spaced and not (below[0].is_before_blank or is_capitals(title))
        if is_wrapped:
            if len(below) == 1 or not (below[1].is_before_blank and below[1].text[0].islower()):
                return "", 1
            title, count = f"{title} {below[1].text}", 2
        after = first + count
        is_near = after < len(self.lines) and not self.numbers[after]
        is_near = is_near and blank_lines(self.lines, first) < blank_lines(self.lines, after)
        may_stop = title.rstrip(".") if is_near else title
        is_shaped = is_title(may_stop, most=MOST_WORDS * count) or (
            is_near and may_be_title(title) and not ends_sentence(title)
        )
        return (title, after - index) if is_shaped else ("", 1)

    def _role(
        self, index: int, number: PrintedNumber, title: str, *, is_listed: bool
    ) -> tuple[Role, str]:
        """Return whether the title is on lines of its own, before its text, or missing; and it."""
        # "4.1 **Term.** It ends soon."; the first ** is read with the number
        is_begun = title.count("**") % 2 == 1 and _AFTER_BOLD.search(title) is not None
        if not is_begun and self._has_own_line(index, number, is_listed=is_listed):
            return "title", title
        match = _RUN_IN_TITLE.fullmatch(title)
        if match and match["rest"]:
            run_in = match["title"]
            if is_title(run_in) or "**" in title:
                return "run-in", run_in
        return "clause", title

    def _has_own_line(self, index: int, number: PrintedNumber, *, is_listed: bool) -> bool:
        line, title, layout = self.lines[index], number.title.lstrip("`\\"), self.layout
        is_read = line.end - line.start <= LONGEST_READ
        if not title or not is_read:
            return is_read and bool(number.word)
        if self._sentence_continues(index, number):
            return False
        is_trusted = layout.is_legal or is_listed or len(number.key) > 1
        is_ended = line.is_before_blank or self._is_short(index, line)
        may_stop = is_ended and is_trusted and title.count(" ") < 9  # noqa: PLR2004 - words
        if is_title(title.rstrip(".") if may_stop else title):
            return True
        # Sentences of contracts may be broken anywhere, or end without a full stop.
        is_apart = layout.is_spaced and line.is_alone and not layout.is_legal
        is_shown = is_listed or line.is_set_apart or bool(number.word) or is_apart
        is_sentence = ends_sentence(title) and title.count(" ") > SEVERAL
        is_title_like = is_capitals(title) or (is_shown and not is_sentence)
        return is_title_like and may_be_title(title)

    def _is_short(self, index: int, line: Line) -> bool:
        """Whether a short line is above one that begins a sentence."""
        is_above = index + 1 < len(self.lines) and self.lines[index + 1].text[:1].isupper()
        return is_above and len(line.text) < 0.6 * self.layout.width

    def _sentence_continues(self, index: int, number: PrintedNumber) -> bool:
        """Whether the sentence continues on the next line."""
        line = self.lines[index]
        if line.is_before_blank or index + 1 == len(self.lines):
            return False
        after, width = self.lines[index + 1], self.layout.width
        if is_capitals(line.text) and is_capitals(after.text):
            return self.layout.is_spaced and not after.is_before_blank  # a disclaimer
        if after.text[:1].islower() and len(line.text) > 0.85 * width:
            return True
        # If the next word would not have fitted, the line may be any line of a paragraph.
        is_full = len(f"{line.text} {after.text.split(' ', 1)[0]}") > width
        return is_full and self.layout.is_spaced and not number.word
