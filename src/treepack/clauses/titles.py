"""The titles of clauses, which stand in headings or run into the text: ``5.1 Limits. The ...``."""

import re
from typing import Final

from treepack.model.blocks import Span
from treepack.numbers.words import word_set
from treepack.sentences.abbreviations import NUMBERED

_MARKS: Final = re.compile(r"(?:[\s#*_\\`~>|\u200b\ufeff-]|<[^<>\r\n]{0,200}>|\[(?=[\d§])|)*+")
_AFTER_LABEL: Final = re.compile(r"(?:[\s.:)*_\\`–—-]|</?[A-Za-z][^<>\r\n]{0,200}>|)*+")
_EMPHASIS: Final = re.compile(r"\*{1,3}|_{1,3}|<(?:b|strong|u|em|i)>")
_EMPHASIZED: Final = re.compile(
    r"[^*_<\r\n]{2,120}?(?:\r?\n[^*_<\r\n]{1,80}?)?(?=\*|_{1,3}(?!\w)|</)"
)
_BRACKETED: Final = re.compile(r"\[([A-Z][^\[\]\r\n]{1,80})\](?!\()")
_PHRASE: Final = re.compile(
    r"""
    (?P<title> ["“„«]? [^\W_a-z] [^.:;!?\r\n]{1,110}? (?:\r?\n[ \t]*[^.:;!?\r\n]{1,70}?)? )
    (?: [.:](?=\s|["”]|$) | [ ]?[—–][ ]? | [ ]-{1,2}[ ] | [ \t]*(?=\r?\n[ \t]*\r?\n|\Z) )
    """,
    re.VERBOSE,
)
_WORD: Final = re.compile(r"[^\W\d_][\w'’-]*")
_SMALL: Final = word_set(
    """
    a an and as at by de der des die du et for from if in its of on or per the to und von with y
    without upon your
    """
)
_SAID: Final = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|would|shall|should|must|may|can|could|do|does|did|be"
    r"|means?|agrees?|ist|sind|wird|werden|hat|haben|est|sont|doit|es|son|I|[Yy]ou|[Ww]e|[Hh]e|[Ss]he"
    r"|[Tt]hey|It|This|That|These|Those|There|Er|Sie|Es|Il|Elle)\b"
)
_ABBREVIATED: Final = re.compile(r"\b(?:[A-Z]|Inc|Ltd|Co|Corp|No|Nr|St|Mr|Mrs|Dr|vs?|U\.S)$")
_OF_NUMBER: Final = re.compile(r"[\s\u00a0]+[\d§(]")  # after an abbreviation such as "Art."
_ENDS: Final = " \t\r\n.:*_"
_MOST_WORDS: Final = 14
_MOST_PLAIN_WORDS: Final = 6  # of a title in small letters, such as "Grant of patent license"
_LOOKED_AT: Final = 400  # characters
_LOOKED_AT_OF_POINTS: Final = 16
_MARKUP: Final = re.compile(r"\*+|(?<!\w)_+|_+(?!\w)|\\(?=\W)|`|</?[A-Za-z][^<>]*>")


def title_of_heading(text: str, start: int, end: int, label: str) -> Span | None:
    """Return where the title of a numbered heading is, without its number and marks.

    Args:
        text: The source.
        start: The start of the heading.
        end: Its end.
        label: Its label.
    """
    at = _after_label(text, start, end, label)
    if at is None:
        return None
    if (bracketed := _BRACKETED.match(text, at, end)) and not text[bracketed.end() : end].strip():
        return bracketed.span(1)
    stripped = text[at:end].rstrip(" \t\r\n#*_=-~.:")
    return (at, at + len(stripped)) if stripped else None


def run_in_title(
    text: str, start: int, end: int, label: str, *, is_in_sentence: bool = False
) -> Span | None:
    """Return where the title is that runs into the text after a label; None if there is none.

    It is emphasized, in brackets, or a few words before a full stop, colon or dash that have the
    capitals of a title or no verb; that of a point such as ``(a)`` is emphasized, and so is that of
    any point that goes on with a sentence. A clause is more than its title.

    Args:
        text: The source.
        start: The start of the clause.
        end: Where its text ends.
        label: Its label.
        is_in_sentence: Whether it goes on with a sentence of the clause around it.
    """
    if label[-1] == ")" and not _EMPHASIS.search(text, start, start + _LOOKED_AT_OF_POINTS):
        return None  # most points of a law have no title
    last, end = end, min(end, start + _LOOKED_AT)
    at = _after_label(text, start, end, label)
    if at is None:
        return None
    if _EMPHASIS.search(text, start, at):
        found = _EMPHASIZED.match(text, at, end)
        if found and _is_short(found[0]):
            return at, at + len(found[0].rstrip(" .:,;"))
    first = text[at : at + 1]
    if first == "[" and (bracketed := _BRACKETED.match(text, at, end)):
        return bracketed.span(1)
    is_no_title = is_in_sentence or first.islower()  # most points of a law
    phrase = None if is_no_title else _PHRASE.match(text, at, end)
    if phrase is None or not _is_title(phrase["title"]) or _is_abbreviated(phrase):
        return None
    return phrase.span("title") if text[phrase.end() : last].strip(_ENDS) else None


def plain_title(text: str, span: Span) -> str:
    """Return a title without markup and line ends."""
    return " ".join(_MARKUP.sub("", text[span[0] : span[1]]).split())


def _after_label(text: str, start: int, end: int, label: str) -> int | None:
    """Return the offset after a label and what follows it; None if the label is not there."""
    marks = _MARKS.match(text, start, end)
    at = marks.end() if marks else start
    if text.startswith(label, at) and at + len(label) <= end:
        after = _AFTER_LABEL.match(text, at + len(label), end)
        return after.end() if after else None
    for sign in label:
        if sign.isspace():
            continue
        while at < end and (text[at].isspace() or text[at] in "*_\\`"):
            at += 1
        if at >= end or text[at] != sign:
            return None
        at += 1
    after = _AFTER_LABEL.match(text, at, end)
    return after.end() if after else at


def _is_short(title: str) -> bool:
    words = _WORD.findall(title)
    return 0 < len(words) <= _MOST_WORDS


def _is_abbreviated(phrase: re.Match[str]) -> bool:
    """Whether a phrase ends with an abbreviation before a number, or inside brackets."""
    title = phrase["title"]
    last = title.rpartition(" ")[2].casefold()
    is_before_number = last in NUMBERED and _OF_NUMBER.match(phrase.string, phrase.end())
    return bool(is_before_number) or title.count("(") > title.count(")")


def _is_title(phrase: str) -> bool:
    if not _is_short(phrase) or _ABBREVIATED.search(phrase):
        return False
    words = _WORD.findall(phrase)
    if all(word[0].isupper() or word in _SMALL for word in words):
        return len(words) > 1 or len(words[0]) > 2  # noqa: PLR2004 - "No. 5" is no title
    return len(words) <= _MOST_PLAIN_WORDS and _SAID.search(phrase) is None
