"""How clauses are called: the numbers by which they are cited, and their titles.

Titles are in headings or run into the text: ``5.1 Limits. The ...``. `finished_clauses` turns what
the walk found into clauses, with numbers, titles and lead-ins.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from treepack.clauses.clause import Clause
from treepack.clauses.labels import NUMBERED, Label
from treepack.model.blocks import Heading, Span
from treepack.model.source import ANY_LINE_END
from treepack.numbers.grammar import LONGEST_READ, plain_start
from treepack.numbers.words import (
    CITED_BY_NUMBER,
    COLLECTIONS,
    DIVISIONS,
    KIND_OF_WORD,
    RELATIVE,
    WORDLESS,
    ClauseNumber,
    cited_numbers,
)
from treepack.outline.shape import MOST_WORDS, WORD
from treepack.sentences.small_words import FINITE_VERBS, word_set

_LEADING_MARKUP: Final = re.compile(r"(?:[\s#*_\\`~>|(\[\u200b\ufeff-]|<[^<>\r\n]{0,200}>|)*+")
_AFTER_LABEL: Final = re.compile(r"(?:[\s.:)\]*_\\`–—ºª°-]|</?[A-Za-z][^<>\r\n]{0,200}>|)*+")
_EMPHASIS: Final = re.compile(r"\*{1,3}|_{1,3}|<(?:b|strong|u|em|i)>")
_EMPHASIZED: Final = re.compile(
    rf"[^*_<\r\n]{{2,120}}?(?:{ANY_LINE_END}[^*_<\r\n]{{1,80}}?)?(?=\*|_{{1,3}}(?!\w)|</)"
)
_PHRASE: Final = re.compile(
    rf"""
    (?P<title> ["“„«]? [^\W_a-z] [^.:;!?。；！？\r\n]{{1,110}}? (?=[.:\s—–]|\Z) )
    (?: [.:](?=\s|["”]|$|[—–-]{{1,2}}\() | [ ]?[—–][ ]? | [ ]-{{1,2}}[ ]
      | [ \t]*(?= {ANY_LINE_END}[ \t]*(?:{ANY_LINE_END}|\(1\)[ \t]) | \Z ) )
    """,
    re.VERBOSE,
)
_SENTENCE_AFTER: Final = re.compile(r"(?:[*_]{1,3}|</[A-Za-z]{1,10}>)+[ \u00a0]+[a-z]+[ ,]")
"""What follows an emphasised word that begins a sentence: ``**Customer** shall pay``."""
_SMALL_WORDS: Final = word_set(
    """
    a an and as at by de der des die du et for from if in its of on or per the to und von with y
    without upon your
    """
)
_VERB_OR_PRONOUN: Final = re.compile(
    rf"\b(?:{FINITE_VERBS}|means?|agrees?|hat|son|I|[Yy]ou|[Ww]e|[Hh]e|[Ss]he|[Tt]hey|It|This|That"
    r"|These|Those|There|Er|Sie|Es|Il|Elle)\b"
)
_ABBREVIATED: Final = re.compile(
    r"\b(?:[A-Z]|Inc|Ltd|Co|Corp|No|Nr|St|Mr|Mrs|Dr|vs?|U\.S|Abs|Art|Sec)$"
)
_MOST_PLAIN_WORDS: Final = 6  # of a title in lower case, such as "Grant of patent license"
_POINT_START: Final = 16  # characters in which a point with a title has its emphasis
COLONS: Final = frozenset(":：")
"""The ends of a text that introduces a list of sentences."""
OPEN_ENDS: Final = frozenset(",–—") | COLONS
"""The ends of a text that introduces points, which may continue its sentence."""


def finished_clauses(text: str, found: Sequence[Label], *, runs_through: bool) -> Iterator[Clause]:
    """Yield the clauses of a document."""
    clauses: list[Clause] = []
    leads: dict[int, str] = {}  # how the text ends that introduces points, by the clause's index
    cited = Cited(text, found, runs_through=runs_through).numbers
    for label, number, after in zip(found, cited, [*found[1:], None], strict=False):
        parent, heading, printed, lead = label.parent, label.heading, label.number.label, ""
        if parent is not None and label.readings and not heading:
            if parent not in leads:
                leads[parent] = _lead(text, clauses[parent], found[parent].heading, label.start)
            lead = leads[parent]
        if heading:
            span = _title_of_heading(text, heading.start, heading.end, printed)
        else:
            is_led = bool(lead) and lead not in COLONS
            span = run_in_title(text, label.start, label.end, printed, is_in_sentence=is_led)
            if span and after and after.start < min(span[1], label.end):
                span = None  # it is the text of the first point
        clause = Clause(
            label.start,
            label.end,
            number,
            (*(() if parent is None else clauses[parent].path), printed),
            label.number.kind,
            label.section.id if label.section else "",
            parent,
            " ".join(plain_start(text[span[0] : span[1]]).split()) if span else "",
            span,
            heading is not None,
            bool(lead),
        )
        clauses.append(clause)
        yield clause


def _lead(text: str, clause: Clause, heading: Heading | None, first: int) -> str:
    """Return the last character of the text that introduces a clause's points, or empty.

    The clause's own text up to the first point introduces the points if it ends in a colon, a comma
    or a dash; if it is the line of a named clause, such as a chapter, only if it ends in a colon.
    The text of a numbered clause may also end in a word, because it need not be a title.
    """
    start = heading.end if heading else clause.start + len(clause.path[-1])
    start = max(start, clause.title_span[1]) if clause.title_span else start
    last = text[start:first].rstrip()[-1:]
    is_text = not heading and clause.kind in WORDLESS
    is_lead = last in OPEN_ENDS if heading or is_text else last in COLONS
    return last if is_lead or (is_text and last.isalnum()) else ""


def _title_of_heading(text: str, start: int, end: int, label: str) -> Span | None:
    at = _after_label(text, start, end, label)
    if at is None:
        return None
    title = text[at:end].rstrip(" \t\r\n#*_=-~.:")
    return (at, at + len(title)) if title else None


def run_in_title(
    text: str, start: int, end: int, label: str, *, is_in_sentence: bool = False
) -> Span | None:
    """Return the span of the title that runs into a clause's text; None if there is none.

    A title is emphasized, or a few words before a full stop, colon or dash that are capitalised
    like a title or have no verb; such words alone are not a title. A point such as ``(a)``, and one
    that continues the sentence of the clause around it, must have emphasis.
    """
    if label[-1] == ")" and not _EMPHASIS.search(text, start, start + _POINT_START):
        return None  # most points of a law have no title
    last, end = end, min(end, start + LONGEST_READ)
    at = _after_label(text, start, end, label)
    if at is None:
        return None
    if len(_EMPHASIS.findall(text, start, at)) % 2:  # still open; it is closed in "(*a*) the"
        found = _EMPHASIZED.match(text, at, end)
        if found and 0 < len(WORD.findall(found[0])) <= MOST_WORDS:
            title = found[0].rstrip(" .:,;")
            is_word = title == found[0] and _SENTENCE_AFTER.match(text, found.end(), end)
            return None if is_word else (at, at + len(title))
    cannot_begin = is_in_sentence or text[at : at + 1].islower()  # most points of a law
    phrase = None if cannot_begin else _PHRASE.match(text, at, end)
    if phrase is None or not _is_title(phrase["title"]):
        return None
    return phrase.span("title") if text[phrase.end() : last].strip(" \t\r\n.:*_") else None


def _after_label(text: str, start: int, end: int, label: str) -> int | None:
    """Return the offset after a label and its punctuation; None if the label is not there."""
    markup = _LEADING_MARKUP.match(text, start, end)
    at = markup.end() if markup else start
    label = label.lstrip("([")
    if text.startswith(label, at):
        at += len(label)
    else:
        for character in label.replace(" ", "").replace("\u00a0", ""):
            while at < end and (text[at].isspace() or text[at] in "*_\\`"):
                at += 1
            if at >= end or text[at] != character:
                return None
            at += 1
    after = _AFTER_LABEL.match(text, at, end)
    return after.end() if after else None


def _is_title(title: str) -> bool:
    """Whether a phrase is a title: short, without an abbreviation, and capitalised or verbless."""
    words = WORD.findall(title)
    if not 0 < len(words) <= MOST_WORDS or _ABBREVIATED.search(title):
        return False
    has_capitals = all(word[0].isupper() or word in _SMALL_WORDS for word in words)
    is_plain = len(words) <= _MOST_PLAIN_WORDS and _VERB_OR_PRONOUN.search(title) is None
    return has_capitals or is_plain


# -------------------------------------------------------------------- numbers as cited


class Cited:
    """Cites the clauses of one document.

    Numbers below that of the parent are in brackets. A dotted number is cited alone, or after the
    annex. Legal words are kept only if numbers alone would mislead: ``Annex I Section A`` is not
    the only section A.

    Args:
        text: The document's text.
        found: Its clauses.
        runs_through: Whether one numbering runs through all divisions, so that their numbers are
            not needed to cite it.
    """

    def __init__(self, text: str, found: Sequence[Label], *, runs_through: bool) -> None:
        self._found = found
        self._runs_through = runs_through
        self._has_articles = any(
            label.heading and (label.number.kind == "article" or label.number.label[0] == "§")
            for label in found
        )
        inner = {*map(self._inner_number, found)} - {""}
        self._is_dotted = bool(inner) and not inner.isdisjoint(cited_numbers(text))
        self.numbers: list[str] = []
        annexes: list[str] = []  # the annex around each clause, as cited, or empty
        for label in found:
            annex = "" if label.parent is None else annexes[label.parent]
            self.numbers.append(self._cited(label, annex))
            annexes.append(self.numbers[-1] if label.number.kind == "annex" else annex)

    def _cited(self, label: Label, annex: str) -> str:
        number, above = label.number, None
        if label.parent is not None:
            above = self._found[label.parent]
        bare = number.label.strip("()[]")
        if number.kind == "decimal":
            letter = annex.rpartition(" ")[2]
            names_annex = number.parts[0] == letter and not letter.isdigit()
            return f"{annex}({bare})" if annex and not names_annex else bare
        if number.kind in RELATIVE:
            return self._cited_point(label, bare, above, annex)
        return number.label if number.kind == "requirement" else self._cited_named(number, annex)

    def _cited_point(self, label: Label, bare: str, above: Label | None, annex: str) -> str:
        heading = label.section.heading if label.section else None
        if above is None:
            collection = COLLECTIONS.get(heading.text.casefold(), "") if heading else ""
            return f"{collection} {bare}".lstrip()
        if self._runs_through and above.number.kind in DIVISIONS:
            return f"{annex}({bare})" if annex else bare
        outer = self.numbers[above.index]
        is_dotted = self._is_dotted and self._inner_number(label)
        return f"{outer}.{bare}" if is_dotted else f"{outer}({bare})"

    def _cited_named(self, number: ClauseNumber, annex: str) -> str:
        label = _capitalized(number)
        if number.kind == "annex":  # "Appendix C.1" in Appendix C
            return ".".join(number.parts) if annex and len(number.parts) > 1 else label
        if annex:
            return f"{annex} {label}"
        is_division = number.kind == "section" and self._has_articles
        word, _, rest = label.partition(" ")
        has_word = rest and word != "§" and word.casefold().rstrip(".") in KIND_OF_WORD
        return rest if has_word and number.kind in CITED_BY_NUMBER and not is_division else label

    def _inner_number(self, label: Label) -> str:
        """Return ``4.2`` for a ``2.`` directly below a ``4.``, else an empty text."""
        if label.parent is None or label.reading is None or label.reading.form != NUMBERED:
            return ""
        above = self._found[label.parent].number.label
        return f"{above}.{label.number.label}" if above.isdecimal() else ""


def _capitalized(number: ClauseNumber) -> str:
    """Return ``ANNEX III`` as ``Annex III``, ``THE FIRST SCHEDULE`` as ``First Schedule``."""
    label = number.label
    if number.parts[0] not in label:  # the number is a word
        words = re.sub(r"^the ", "", label, flags=re.IGNORECASE).split(" ")
        return " ".join(word.capitalize() if word.isupper() else word for word in words)
    word, space, rest = label.partition(" ")
    return f"{word.capitalize()}{space}{rest}" if space and word.isupper() else label
