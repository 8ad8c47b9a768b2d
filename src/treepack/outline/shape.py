"""The shape of a title: short, capitalised, no verb, no sentence end; not an item or a caption."""

import re
from typing import Final

from treepack.numbers.words import words_of
from treepack.sentences.small_words import FINITE_VERBS, OPEN_ENDS

_KNOWN_TITLES: Final = """
abstract, acknowledgement, acknowledgements, acknowledgment, acknowledgments, appendices, appendix,
author s address, author s addresses, authors address, authors addresses, bibliography, conclusion,
conclusions, contents, contributors, copyright notice, dedication, definitions, editor s address,
foreword, full copyright statement, glossary, iana considerations, index, informative references,
intellectual property, intellectual property statement, introduction, no warranty,
normative references, preamble, preface, recitals, references, security considerations,
statement of purpose, status of this memo, summary, table of contents, terms and conditions,
trademark notice, danksagung, eingangsformel, einleitung, glossar, inhalt, inhaltsverzeichnis,
inhaltsübersicht, literatur, literaturverzeichnis, präambel, sachverzeichnis, schlussformel,
stichwortverzeichnis, vorwort, zusammenfassung, bibliographie, glossaire, préambule, préface,
remerciements, sommaire, table des matières, bibliografía, introducción, preámbulo, prólogo, índice,
前言, 参考文献, 引言, 摘要, 目录, 附录
"""
KNOWN_TITLES: Final = frozenset(" ".join(_KNOWN_TITLES.split()).split(", "))
"""Titles without a number in documents of all kinds, casefolded, with spaces for punctuation."""
LONGEST_KNOWN: Final = 2 * max(map(len, KNOWN_TITLES))
"""Characters of such a title, with punctuation around it."""
CONTENTS_TITLES: Final = frozenset({
    "contents", "inhalt", "inhaltsverzeichnis", "inhaltsübersicht", "sommaire",
    "table des matières", "table of contents", "índice", "目录",
})  # fmt: skip

MOST_WORDS, _MOST_SPACES = 12, 8  # words of a title, spaces in a title with a full stop
_TITLE: Final = re.compile(r"(?=.{2,200}\Z)(?:[\"“„«‘¿¡'(\[`/\\]?[^\W_]|<?/)", re.DOTALL)
_HAS_WORD: Final = re.compile(r"[^\W\d_]{2}|[\u3040-\u9fff]")
_OPEN_END: Final = re.compile(rf"[;,:，、：]$|\b{OPEN_ENDS}$")
_LONGEST_END: Final = len("which")
_TWO_SENTENCES: Final = re.compile(r"[.!]\s+[A-ZÄÖÜ]?[a-zäöü]|[.!?]\s+[\u0370-\uffff]|[。；।۔]")
_NOTE: Final = re.compile(r"\s*(?:\((?=\S* )[^()]*\)|\[[^\[\]]*\])[.;]?$")
"""A note in brackets at the end of a line, such as what amended an article."""
_ABBREVIATION: Final = re.compile(r"(?:\b[A-Z]|\betc)\.$")
WORD: Final = re.compile(r"[^\W\d_][\w'’-]*")
_VERB_OR_PRONOUN: Final = re.compile(
    rf"\b(?:{FINITE_VERBS}|I(?!/|$)|you|we|he|she|they|ich|wir|je|tu|nous|vous)\b"
)
_CAPTION: Final = re.compile(
    r"\W*(?i:table|figure|fig\.?|listing|tabelle|abbildung|abb\.|bild|tableau|tabla|tabela"
    r"|figura|quadro)\s+(?:\d|[A-Z]\b)"
    r"|\W*(?i:filename|source|note|notes|warning|example|examples|hinweis)\b\s*[:.]"
)
_ASIDE: Final = re.compile(
    r"^\W*(?i:(?:filename|source|note|notes|warning|hinweis)\s*(?:$|[^\w\s]|\d)"
    r"|examples?\s*(?:[^\w\s]|\d))|[!…—–-]$|^\w+(?: [a-z]+)?:\s|://|\t| [|=] "
)
_LIST_ITEM: Final = re.compile(r"(?:\\?[-*+•>#|]|\d+[.)]|\([a-z0-9]+\))\s")


def is_known_title(text: str) -> bool:
    """Whether a line is one of `KNOWN_TITLES`."""
    return len(text) <= LONGEST_KNOWN and words_of(text) in KNOWN_TITLES


def ends_sentence(text: str) -> bool:
    """Whether a text, without a note in brackets after it, ends with a full stop or the like."""
    if text[-1:] in ")]" and (note := _NOTE.search(text)):
        text = text[: note.start()]
        return text.endswith((".", ";", ":", ","))
    return text.endswith(".") and not _ABBREVIATION.search(text)


def has_sentences(text: str) -> bool:
    """Whether a text has the end of a sentence before its own end."""
    return _TWO_SENTENCES.search(text.rstrip(".。；！।۔")) is not None


def may_be_title(text: str) -> bool:
    """Whether a text is short, begins like a title, and is not a whole sentence."""
    if not _TITLE.match(text) or not _HAS_WORD.search(text):
        return False
    if _OPEN_END.search(text, max(0, len(text) - _LONGEST_END)):
        return False
    if (len(text) > 40 or not text.isascii()) and _TWO_SENTENCES.search(text):  # noqa: PLR2004 - characters of two sentences
        return False
    return not (text.count(" ") > _MOST_SPACES and ends_sentence(text))


def is_title(text: str, most: int = MOST_WORDS) -> bool:
    """Whether a text can hardly be anything but a title: capitalised, no verb, no full stop."""
    if text[:1].islower() or not text[:1].isalnum() or text.count(" ") > 3 * most:
        return False  # the common case
    if not may_be_title(text) or ends_sentence(text):
        return False
    if not 0 < len(WORD.findall(text)) <= most:
        return False
    return text.endswith("?") or not _VERB_OR_PRONOUN.search(text)


def is_capitals(text: str) -> bool:
    """Whether nearly all letters are capitals."""
    if text[-1:].islower():
        return False  # the common case
    alphabetic = [*filter(str.isalpha, text)]
    return len(alphabetic) > 3 and sum(map(str.isupper, alphabetic)) >= 0.9 * len(alphabetic)  # noqa: PLR2004 - fewer may be an abbreviation


def is_caption(text: str) -> bool:
    """Whether a line names a table or a figure, or begins a note."""
    return _CAPTION.match(text) is not None


def is_aside(text: str) -> bool:
    """Whether a short line among paragraphs is something other than a title.

    It may be speech, a label with a value, an address, a row, an assignment, or introduce a note.
    """
    return _ASIDE.search(text) is not None


def is_list_item(text: str) -> bool:
    """Whether a line begins like a list item."""
    return _LIST_ITEM.match(text) is not None
