"""The grammar of clause numbers, as people cite them in standards, laws and contracts.

A label is read only at the start of a heading or a text (a paragraph, a list item), never inside
prose. Precision comes first: a number that may also be a version, an address, a date, a quantity or
a reference to another clause is not a label. If only other headings can decide (``10 Tips`` or
``10 Usability``), `treepack.numbers.heading_numbers` decides.
"""

import html
import re
from collections.abc import Callable
from functools import cache
from typing import Final, TypeAlias

from treepack.model.source import LINE_END
from treepack.numbers.decimals import (
    SEPARATOR,
    TITLE,
    first_word,
    is_clause_text,
    names_sub_unit,
    read_decimal,
    read_in_brackets,
    read_point,
    starts_title,
)
from treepack.numbers.words import (
    KIND_OF_WORD,
    PROSE_CONTINUATIONS,
    ClauseKind,
    ClauseNumber,
    Place,
    any_word,
    chinese_value,
    roman_value,
)
from treepack.numbers.written_out import read_written_out

LONGEST_READ: Final = 240
"""How many characters of a text or line are read; labels with their context, titles and what shows
the end of a line are shorter, and some patterns are slow."""


def parse_clause(text: str, place: Place = "heading") -> ClauseNumber | None:
    """Read the label at the start of a heading or a text; None if it does not clearly have one.

    Args:
        text: Markdown or plain text; emphasis, escapes and anchors around the label are ignored.
        place: ``5 Scope`` or ``Article 5 Scope`` is a label in a heading, but prose in a text.
    """
    beginning = beginning_pattern().match(text, 0, LONGEST_READ)
    return read_label(beginning, place) if beginning else None


def read_label(beginning: re.Match[str], place: Place) -> ClauseNumber | None:
    """Return the label at the start of a text where `beginning_pattern` matched; or None."""
    end = min(beginning.endpos, beginning.pos + LONGEST_READ)
    plain = plain_start(beginning.string[beginning.pos : end])
    for rule in _rules_of(plain):
        if number := rule(plain, place):
            is_entry = has_leader(plain) and is_toc_entry(LINE_END.split(plain, 1)[0])
            return None if is_entry else number
    return None


@cache
def beginning_pattern() -> re.Pattern[str]:
    """Return the pattern of the start of a label, after emphasis, escapes, anchors or a bracket.

    Most texts do not match. It is compiled at the first call, so that importing costs nothing.
    """
    word = rf"(?=[^\W\d_a-z]) (?:{any_word(KIND_OF_WORD)}) (?![^\W\d_])"
    return re.compile(
        rf"""
        (?: [\s\u200b\ufeff*_\\`~\[]++ | \#{{1,6}}[ \t] | <[^<>\r\n]{{0,200}}>
          | \{{[^{{}}\r\n]{{0,80}}\}} |)*+
        (?: [\d(§第제] | &(?:sect|nbsp|\#) | [A-Za-z]{{1,6}}+(?:[.)]|[\\*_]++[ ]*+[.)&<{{])
          | [A-Z]{{1,6}}+(?:[\d-]|\\?_\d) | {_REQUIREMENT_WORD}[ ]
          | [A-Za-z]{{1,2}}+[\\*_]++(?=[`\[]) | [IVXLC]++(?![^\W_])
          | {word} [.]?+ [\s\u00a0*_]*+ (?:[^\W_]|\Z)
          | [^\W\d_a-z][^\W\d_]{{2,23}}+ [.]?+ [\s\u00a0*_]++ {word}  # First Schedule
          | [Tt][Hh][Ee][*_]*+\s[\s*_]*+ [^\W\d_]{{3,24}}+ [\s\u00a0*_]++ {word} )
        """,
        re.VERBOSE,
    )


_TOC_ENTRY_TAIL: Final = 40  # characters; of 240 the search takes ten times as long


def has_leader(text: str) -> bool:
    """Whether a text contains what may be leaders, as all entries of a table of contents do."""
    return ".." in text or ". ." in text or "…" in text or "\t" in text


def is_toc_entry(line: str) -> bool:
    """Whether a line is an entry of a table of contents: leaders, then a page number."""
    tail = line.rstrip()[-_TOC_ENTRY_TAIL:]
    return has_leader(tail) and _TOC_ENTRY_END.search(tail) is not None


_TAG: Final = re.compile(
    r"</?[A-Za-z][^<>\r\n]{0,200}>|\{[#:.][^{}\r\n]{0,80}\}|\[\^[^\]\r\n]{1,80}\]"
)
_MARKUP: Final = re.compile(r"\\([!-/:-@\[-`{-~])|\*|_(?:_+|(?<!\w_)|(?!\w))|`")
# Dots or a tab before a page number, as in a table of contents; or more dots than in a pause.
_TOC_ENTRY_END: Final = re.compile(
    r"(?:(?:\.[ ]?){4,}|…|\t)\s*(?:[\dA-Z]{1,3}-)?[\divxlc]{1,6}$|(?:\.[ ]?){6,}$|…[ ]?…$"
)


def plain_start(text: str) -> str:
    """Return a label's text without emphasis, escapes, tags, anchors and footnote marks."""
    text = text.lstrip("#")
    if "<" in text or "{" in text or "[^" in text:
        text = _TAG.sub("", text)
    if "*" in text or "_" in text or "\\" in text or "`" in text:
        text = _MARKUP.sub(r"\1", text)
    return (html.unescape(text) if "&" in text else text).lstrip(" \t\r\n\u200b\ufeff\u00a0\u3000")


# -------------------------------------------------------------------- a word and a number

_LOWER_OR_DIGIT: Final = r"[\da-zà-öø-ÿ_]"
_BIS: Final = r"(?i:bis|ter|qu[aá]ter|quinquies|sexies|septies|octies|nonies)"


@cache
def _word_pattern() -> re.Pattern[str]:
    return re.compile(
        rf"""
    (?P<word> §§? | (?:{any_word(KIND_OF_WORD)})\b)
    \.? [\s\u00a0\u202f]*
    (?P<number> (?:
        [LRDA]\.?[ \u00a0]?\d{{1,4}}(?:-\d{{1,4}})* (?!\.\d)  # French codes: L. 1225-4
      | \d(?=o(?!{_LOWER_OR_DIGIT}))  # Art. 8o
      | \d{{1,4}}[A-Za-z]{{0,3}} (?:[ -]{_BIS}\b(?!\s*\d))? (?:[.–-]\d{{1,4}}[A-Za-z]{{0,3}})*
      | I(?=er\b|re\b|ère\b)  # Titre Ier
      | (?: [IVXLC]+ (?=[A-Z]?\b) [A-Z]? | [A-Z]{{1,2}} ) (?:[.-]\d{{1,3}}[A-Za-z]{{0,2}})*
    ) (?:-[A-Z](?!\w)|) ) (?: (?<=\bI)(?:er|re|ère) | )
    (?P<suffix>\.?[ºª°]|(?<=\d)o(?!{_LOWER_OR_DIGIT})|["”*'](?=\.-)|)
    (?P<letter>-[A-Z](?!\w)|)
    (?P<brackets> (?:[ \u00a0]?\(\w{{1,5}}\))*)
    (?= [\s:—(\[/] | [.–-](?!\d) | \Z | (?<=[oºª°])[A-ZÀ-Þ] )
        """,
        re.VERBOSE,
    )


_SENTENCE: Final = re.compile(r"[\s\u00a0]*[^\W\d_a-z]")  # "Art. 7º A criança tem"
# Prose after a number, as in "BGB regelt": an act's short name (in capitals or ending in one) may
# come first.
_PROSE: Final = re.compile(r"\s+(?:ff?\.\s+)?(?:[A-ZÄÖÜ][A-Za-zÄÖÜäöü]{0,8}[A-ZÄÖÜ]\s+)?[a-zäöüß]")


def _read_word_and_number(text: str, place: Place) -> ClauseNumber | None:
    """Read a word and a number: ``Article 12(3)``, ``§ 5a``, ``Annex AI.2``, ``Art. L. 1225-4``.

    In a text, it is a label only if it is alone or comes before a separator or a capitalised
    title; otherwise it is a reference (``Article 12 applies``, ``§ 433 BGB regelt``).
    """
    match = _word_pattern().match(text)
    if match is None or match["word"][0].islower():
        return None
    kind, number = KIND_OF_WORD[match["word"].casefold()], match["number"]
    rest = text[match.end() :]
    is_roman = roman_value(number) is not None or roman_value(number[:-1]) is not None  # IIIA
    is_word = number.isalpha() and len(number) > 1 and not is_roman and rest.strip()
    if is_word or names_sub_unit(rest):
        return None  # "ANEXO DE ESTIPULACIONES"
    is_sign = match["word"][0] == "§"
    is_ordinal = match["suffix"] and _SENTENCE.match(rest)
    is_label = is_ordinal or SEPARATOR.match(text, match.end()) or TITLE.match(rest)
    if place == "text" and not is_label and match["word"] != "§":
        return None
    is_prose = is_sign and _PROSE.match(rest)
    if is_prose and (place == "text" or first_word(rest) in PROSE_CONTINUATIONS):
        return None
    label = _normalised(text[: match.start("suffix")] + match["letter"] + match["brackets"])
    number += match["letter"]
    is_of_code = number[0].isalpha() and number[1:2] in {".", " ", "\u00a0"} and "-" in number
    parts = [_normalised(number)] if is_of_code else number.split(".")
    return ClauseNumber(kind, label, (*parts, *_bracketed_parts(match["brackets"])))


def _bracketed_parts(text: str) -> list[str]:
    return re.findall(r"\((\w+)\)", text)


def _normalised(text: str) -> str:
    return " ".join(text.split()).rstrip(".")


# -------------------------------------------------------------------- Chinese, Japanese, Korean

_EAST_ASIAN_UNITS: Final[dict[ClauseKind, str]] = {
    "book": "编 編",
    "part": "部分 편",
    "chapter": "章 장",
    "section": "节 節 절",
    "subsection": "관",
    "article": "条 條 조",
    "paragraph": "款 항",
    "letter": "项 項 호",
}
_EAST_ASIAN_KINDS: Final[dict[str, ClauseKind]] = {
    unit: kind for kind, units in _EAST_ASIAN_UNITS.items() for unit in units.split()
}
_EAST_ASIAN: Final = re.compile(
    r"(?:第\s*(?P<number>[〇零一二三四五六七八九十百千两\d]{1,8})|제\s*(?P<digits>\d{1,4}))\s*"
    rf"(?P<unit>{'|'.join(_EAST_ASIAN_KINDS)})(?P<inserted>의\s*\d{{1,2}}|)"
)


def _read_east_asian(text: str, place: Place) -> ClauseNumber | None:
    """Read 第…编/章/节/条 or 제…장/조 before whitespace, punctuation, a bracket or the end.

    If other characters follow, it is a reference: ``第三条规定``, ``제3조에``. In a heading, a
    Chinese label may be followed by any text.
    """
    match = _EAST_ASIAN.match(text)
    value = chinese_value(match["number"] or match["digits"]) if match else None
    if match is None or value is None:
        return None
    rest = text[match.end() :]
    may_be_followed = place == "heading" and not match["digits"]
    if rest and not (rest[0].isspace() or rest[0] in ":：、.(" or may_be_followed):
        return None
    inserted = "-" + match["inserted"][1:].strip() if match["inserted"] else ""
    kind = _EAST_ASIAN_KINDS[match["unit"]]
    return ClauseNumber(kind, "".join(match[0].split()), (f"{value}{inserted}",))


# -------------------------------------------------------------------- ids

_REQUIREMENT_WORD: Final = "REQ"
_REQUIREMENT: Final = re.compile(
    r"""
    (?P<prefix> (?:REQ|FR|NFR|SRS|SYS|SWR|HLR|LLR|UR|BR|SR|TR) [-_] | REQ[ ]?
      | [A-Z](?=\d) | [A-Z]{2,4}-(?=\d+[.(]) )
    (?P<number> \d{1,4} (?:[.-]\d{1,3}){0,5} )
    (?P<brackets> (?:\(\d{1,2}\))? )
    (?= [\s:.—–]|$ )
    """,
    re.VERBOSE,
)


def _read_requirement(text: str, place: Place) -> ClauseNumber | None:
    """Read ids with a prefix: ``V2.1.3``, ``REQ-12``, ``AC-2(1)``; ``V2`` only in a heading."""
    match = _REQUIREMENT.match(text)
    if match is None:
        return None
    rest = text[match.end() :]
    first, *others = re.split(r"[.-]", match["number"])
    prefix = match["prefix"].rstrip("-_ ")
    is_short = len(prefix) == 1 and not others
    if is_short and (place == "text" or not starts_title(rest)):
        return None
    if not is_clause_text(rest, place, has_dot=False):
        return None
    parts = (prefix + first,) if len(prefix) == 1 else (prefix, first)
    brackets = _bracketed_parts(match["brackets"])
    return ClauseNumber("requirement", _normalised(match[0]), (*parts, *others, *brackets))


# -------------------------------------------------------------------- letters and roman numerals

_LETTERED: Final = re.compile(r"(?P<label>[A-Za-z]{1,6})(?P<dot>\.?)(?=\s|$)(?!\s?[A-Za-z]\.)")
_ROMAN_LETTERS: Final = frozenset("IVXLC")
_DASHED: Final = re.compile(r"[ \u00a0]{1,3}[-–—][ \u00a0]{1,3}\S")  # "I - the bread;"


def _read_lettered(text: str, place: Place) -> ClauseNumber | None:
    """Read ``A.``, ``a.``, ``IV.`` or ``IV``; ``A. Smith`` is a label only in a heading."""
    match = _LETTERED.match(text)
    if match is None:
        return None
    label, rest = match["label"], text[match.end() :]
    is_alone = not rest.strip()
    is_dashed = label in _ROMAN_LETTERS and _DASHED.match(rest) is not None
    if len(label) == 1 and not is_dashed:
        if not match["dot"] or (place == "text" and label.isupper() and not is_alone):
            return None
        return ClauseNumber("roman" if label in "ivxIVX" else "letter", label, (label,))
    if roman_value(label) is None or not (label.isupper() or (match["dot"] and label.islower())):
        return None
    if not (match["dot"] or is_alone or is_dashed or SEPARATOR.match(rest)):
        return None
    return ClauseNumber("roman", label, (label,))


Rule: TypeAlias = Callable[[str, Place], ClauseNumber | None]
_RULES_OF_DIGITS: Final = (read_point, read_decimal)
_RULES_OF_SYMBOLS: Final[dict[str, tuple[Rule, ...]]] = {
    "(": (read_point, read_in_brackets),
    "[": (read_in_brackets,),
    "§": (_read_word_and_number,),
    "第": (_read_east_asian,),
    "제": (_read_east_asian,),
}
_RULES_OF_LETTERS: Final[tuple[Rule, ...]] = (
    _read_word_and_number,
    read_written_out,
    _read_requirement,
    read_decimal,
    read_point,
    _read_lettered,
)


def _rules_of(text: str) -> tuple[Rule, ...]:
    """Return the rules for a label, by its first character, in the order in which to try them."""
    first = text[:1]
    if first.isdecimal():
        return _RULES_OF_DIGITS
    return _RULES_OF_SYMBOLS.get(first) or _RULES_OF_LETTERS
