"""The patterns of cross-references, in the languages of the clause grammar."""

import re
from functools import cache, lru_cache
from typing import Final, NamedTuple

from treepack.numbers.words import DIVISIONS, KIND_OF_WORD, ClauseKind, any_word
from treepack.sentences.small_words import word_set

# The plurals of legal words.
_PLURALS: Final[dict[str, str]] = {
    "articles": "article",
    "arts": "art",
    "artikeln": "artikel",
    "artikels": "artikel",
    "artículos": "artículo",
    "sections": "section",
    "secs": "sec",
    "clauses": "clause",
    "subclause": "clause",
    "subclauses": "clause",
    "rules": "rule",
    "regulations": "regulation",
    "requirements": "requirement",
    "recitals": "recital",
    "erwägungsgründe": "erwägungsgrund",
    "considérants": "considérant",
    "parts": "part",
    "titles": "title",
    "chapters": "chapter",
    "kapiteln": "kapitel",
    "chapitres": "chapitre",
    "capítulos": "capítulo",
    "abschnitte": "abschnitt",
    "abschnitten": "abschnitt",
    "annexes": "annex",
    "appendices": "appendix",
    "anhänge": "anhang",
    "anlagen": "anlage",
    "anexos": "anexo",
    "schedules": "schedule",
    "exhibits": "exhibit",
    "§§": "§",
}
_PARAGRAPHS: Final = word_set(
    "paragraph paragraphs absatz absatzes absätze absätzen paragraphe apartado"
)
KIND_OF_REFERENCE: Final[dict[str, ClauseKind]] = {
    **KIND_OF_WORD,
    **{plural: KIND_OF_WORD[word] for plural, word in _PLURALS.items()},
    **dict.fromkeys(_PARAGRAPHS, "paragraph"),
}
SUBCLAUSE_WORDS: Final = word_set(
    """
    subsection subsections sub-section sub-sections subclause subclauses sub-clause sub-clauses
    subparagraph subparagraphs sub-paragraph sub-paragraphs paragraph paragraphs
    """
)
"""Words before a number in brackets that names a part of the clause around: ``(1)(b)``."""
_NEVER_CITING: Final = word_set("regulation regulations title titre titel book division item § §§")

# In lower case, "item 2" is an item of a list.
_WORDS: Final = any_word(word for word in KIND_OF_REFERENCE if word not in _NEVER_CITING) + "|Item"
_COMPONENT: Final = r"(?:[ \u00a0]?\((?:\d{1,3}[a-z]?|[a-z]{1,4}|[A-Z])\))"
_SUBCLAUSE_WORDS: Final = any_word(SUBCLAUSE_WORDS)
_NUMBER: Final = rf"""
    (?: [LRDA]\.?[ \u00a0]?\d{{1,4}}(?:-\d{{1,4}}|){{0,4}}+(?!\.?\d)  # French codes: L. 121-1
      | \d{{1,4}}[A-Za-z]{{0,2}} (?:[.-]\d{{1,4}}[A-Za-z]{{0,2}}){{0,8}}
      | [A-Z]{{1,2}} (?:\.\d{{1,3}}[a-z]?){{1,8}}
      | [IVXLC]{{1,7}} | [A-Z] | V\d{{1,2}}(?:\.\d{{1,3}}){{0,3}} )
    (?!\w) {_COMPONENT}{{0,5}}
"""
_AND: Final = r"(?:,|;|/|–|,?\s*\b(?:and|or|to|through|bis|und|oder|sowie|et|ou|à|y|o|and/or)\b)"
_SPACES: Final = r"[ \t\u00a0\u202f]{0,8}(?:(?:\r\n?|\n)[ \t>]{0,40})?"
_PART_WORD: Final = (
    r"(?:(?:sub-?paragraphs?|paragraphs?|para\.?|points?|Abs\.|Absatz|Absätze|Satz|S\.|Nr\.|Nummern?"
    r"|Buchst\.|Buchstabe|lit\.|Unterabs\.|Halbsatz|paragraphe|alinéa|apartado|letra)"
    r"(?![^\W\d_]))"
)
_ORDINAL_PART: Final = (
    r"(?:(?:first|second|third|fourth|fifth|last)\s+(?:sub-?paragraph|paragraph|sentence|indent))"
)
_POINT: Final = r"(?:\d{1,3}[a-z]?|[a-z]{1,3})"
_PARTS_AFTER: Final = rf"""
    (?: ,?{_SPACES}
        (?: {_ORDINAL_PART} | {_PART_WORD}{_SPACES} (?:\({_POINT}\)|{_POINT})(?!\w) ) ){{0,5}}
"""
CUES: Final = (
    r"see(?:\s+also)?|cf\.|compare|siehe(?:\s+auch)?|vgl\.|voir|véase|ver|nach|gemäß"
    r"|(?:according|conforming|pursuant|subject)\s+to|in\s+accordance\s+with"
    r"|(?:specified|defined|described|given|listed|required|set\s+out|laid\s+down|stated|shown"
    r"|referred\s+to|provided)\s+(?:in|by)"
    r"|(?:requirements|provisions|conditions|tests?|limits|procedures?)\s+of"
)
DOTTED: Final = r"(?:\d{1,3}|[A-Z]{1,2})(?:\.\d{1,3}[A-Za-z]{0,2}){1,8}(?!\w|\.\d)"


_CACHED_NUMBERS: Final = 2048  # numbers of references


@cache
def reference_pattern() -> re.Pattern[str]:
    """Return the pattern of a reference; compiled on the first call to keep imports fast."""
    return re.compile(
        rf"""
    \[[^\[\]]{{0,300}}\]\(\#(?P<anchor>[^()\s]{{1,200}})\)    # a link within the document
    | \{{\{{(?P<kramdown_external>
            [?!][^{{}}\s]{{1,200}} | [^{{}}]{{1,100}}\s(?:of|in)\s[^{{}}]{{1,100}} )?
            <?(?P<kramdown>[^{{}}\s<>]{{0,200}})\}}\}}
    | (?P<lead> (?<!\w) (?:
            (?P<table_word>(?i:Tables?|Tabellen?|Tab\.|Tableaux?|Tablas?|Quadro))
          | (?P<figure_word>(?i:Figures?|Figs?\.|Abbildung(?:en)?|Abb\.|Bild|Figuras?)) )
        {_SPACES}) (?P<captions> [A-Z]?\.?\d{{1,3}}(?:[.-]\d{{1,3}}){{0,3}}[a-z]?(?!\w)
            (?: {_SPACES}{_AND}{_SPACES} [A-Z]?\.?\d{{1,3}}(?:[.-]\d{{1,3}}){{0,3}}(?!\w) ){{0,8}} )
    | (?<!\w) (?P<subclause_word>{_SUBCLAUSE_WORDS}) {_SPACES}
        (?P<components> {_COMPONENT}{{1,5}}
            (?: {_SPACES}{_AND}{_SPACES} {_COMPONENT}{{1,5}} ){{0,6}} )
    | (?P<chinese> 第\s?[〇零一二三四五六七八九十百千两\d]{{1,8}}\s?[编編章节節条條] )
    | (?<!\w) (?: (?P<word>§§?|(?:{_WORDS})\b\.?) {_SPACES} \[?
        | (?P<cue>(?i:{CUES})) {_SPACES} \[? (?={DOTTED}) )
      (?P<numbers> {_NUMBER} (?: {_SPACES}{_AND}{_SPACES} (?:§§?{_SPACES})? {_NUMBER} ){{0,12}} )
      (?P<after> {_PARTS_AFTER} )
        """,
        re.VERBOSE,
    )


POINT_BEFORE: Final = re.compile(
    r"(?<!\w)[Pp]oints?\s+(?=\(|\d)\(?(?P<point>[a-z]{1,3}|\d{1,3})\)?\s+of\s+$"
)
INLINE_CODE: Final = re.compile(r"`[^`\r\n]{1,200}`")
_LONGEST_ABBREVIATION: Final = 5  # characters: "sect."
_SHORTEST_NAME: Final = 8  # characters; shorter names are words such as "Act"
CAPTION_NUMBER: Final = re.compile(r"[A-Z]?\.?\d{1,3}(?:[.-]\d{1,3}){0,3}[a-z]?")

# Words in capitals that may follow a reference but do not name a document (as in RFC 2119).
_NOT_NAMES: Final = (
    r"(?!(?:MUST|SHALL|SHOULD|MAY|NOT|CAN|WILL|AND|OR|REQUIRED|OPTIONAL|RECOMMENDED|IS|ARE)\b)"
)


@cache
def _number_pattern() -> re.Pattern[str]:
    """Return the pattern of a single number in a reference."""
    return re.compile(_NUMBER, re.VERBOSE)


class CitedNumber(NamedTuple):
    """A number in a reference.

    Attributes:
        start: Where it begins in the text of the numbers.
        end: Where it ends there.
        cited: The number without spaces, as `cited` returns it.
        ends: The ends of a range that is written as one number; None if it is not a range.
    """

    start: int
    end: int
    cited: str
    ends: tuple[str, str] | None


@lru_cache(_CACHED_NUMBERS)
def numbers_in(text: str) -> tuple[CitedNumber, ...]:
    """Return the numbers of a reference: two for ``5(1) and 6``; cached, as references recur."""
    found: list[CitedNumber] = []
    for match in _number_pattern().finditer(text):
        cited = compact(match[0])
        found.append(
            CitedNumber(*match.span(), cited, ends_of_range(cited) if "-" in cited else None)
        )
    return tuple(found)


@cache
def other_document_pattern() -> re.Pattern[str]:
    """Return the pattern of another document's name directly after a reference."""
    return re.compile(
        rf"""
    \]?(?:\([^()\s]{{0,200}}\))? [ \u00a0]*
    (?: ,?\s{{1,4}} (?:(?:of|or|and)\s{{1,4}})?
        (?:Parts?|Titles?|Chapters?|Sections?|Articles?)\s{{1,4}}\w{{1,9}}(?:\(\w{{1,3}}\)){{0,3}}
    ){{0,3}}
    (?: ,?\s{{1,4}} (?P<name>
        (?:of|in|to|from|under)\s+ (?:(?:the|that|those|its|said|both)\s+){{0,2}}
          (?:(?:Council|Commission|Delegated|Implementing|Framework|Joint)\s+){{0,3}}
          (?: \[{{1,2}}[A-Z] | \{{\{{ | (?:RFC|ISO|IEC|EN|DIN|NIST|IEEE)\b[ /-]?[\w/.:-]*
            | (?:Regulation|Directive|Decision|Treaty|Charter|Convention|Constitution|Protocol|Act
                |Code|Law|Statute)s?\b
              (?:\s+\([A-Z]{{2,8}}(?:,\s?\w+)?\))? (?:\s+(?:No\.?\s)?[\d/]+)?
            | {_NOT_NAMES}[A-Z]{{3,}}\b )
      | (?:of|in|to|from|under)\s+ (?:(?:the|that|said)\s+)?
          (?:[A-Z][\w&.’'-]*\s+ (?:(?:and|of|for|on|in|the)\s+){{0,2}}){{1,6}}
          (?:Act|Agreement|Code|Convention|Directive|Law|Protocol|Regulation|Rules|Statute|Treaty
            |Bylaw|Charter|Condition|Contract|Deed|Lease|Licen[cs]e|Plan|Policy|Tariff|Term)s?\b
      | of\s+ (?:the\s+)?[A-Z]\w*['’]s?\s+ (?:[A-Z][\w&.-]*\s+){{0,4}}
          (?:Agreement|Bylaws|Policy|Rules|Schedule|Tariff|Terms)\b
      | (?:of|in|to|from|under)\s+ (?:the|that)\s+
          (?:(?!present\b|current\b|same\b|main\b|whole\b|entire\b)[\w-]+\s+){{1,4}}
          (?:document|specification|standard|memo|manual|handbook)\b
      | (?:des|der|dem|den)\s+(?:[A-ZÄÖÜ][\w-]*\s+){{0,2}}
          (?i:\w{{0,60}}?(?:gesetz|buch|ordnung|richtlinie|vertrag|verfassung)\w*)
          (?:\s+\([A-Z]{{2,4}}\)\s+[\d/]+)?
      | (?:du|de\s+la|des|de\s+l['’])\s*
          (?:règlement|directive|traité|code|loi|charte|convention|décision)
      | (?:del|de\s+la)\s+(?:Reglamento|Directiva|Ley|Código|Tratado|Carta) )
    | \s{{1,4}}(?P<bare>{_NOT_NAMES}(?:[A-Z]{{2,6}}|[A-Z][a-zA-Z]{{0,4}}[A-Z]{{1,2}})\b) )
        """,
        re.VERBOSE,
    )


_OF: Final = r"\s{1,4}(?:of|in|to|des|der|von|zu|de|del|du)\s{1,4}"
_SCOPES: Final = any_word(
    word
    for word, kind in KIND_OF_REFERENCE.items()
    if kind in {*DIVISIONS, "annex"} and word not in _NEVER_CITING
)
_SCOPE: Final = (
    rf"(?P<word>{_SCOPES})\s{{1,4}}(?P<number>[IVXLC]{{1,7}}|[A-Z]|\d{{1,3}}[a-z]?)(?!\w)"
)


@cache
def scope_after_pattern() -> re.Pattern[str]:
    """Return the pattern of an annex or division after its part: ``Section 2 of Chapter III``."""
    return re.compile(rf"(?:\s{{1,4}}to\s\d{{1,3}})?,?{_OF}{_SCOPE}")


@cache
def scope_before_pattern() -> re.Pattern[str]:
    """Return the pattern of an annex or division before its part: ``Chapter III, Section 2``."""
    return re.compile(rf"(?<!\w){_SCOPE},?\s{{1,4}}$")


@cache
def owner_pattern() -> re.Pattern[str]:
    """Return the pattern of a paragraph's owner: ``paragraph 2 of Article 5``."""
    owners = any_word(
        word
        for word, kind in KIND_OF_REFERENCE.items()
        if kind in {"article", "section", "clause", "rule", "annex"}
    )
    return re.compile(
        rf"{_OF}(?:the\s{{1,4}})?(?P<word>(?:{owners})\.?)\s{{0,4}}(?P<number>{_NUMBER})",
        re.VERBOSE,
    )


@cache
def component_owner_pattern() -> re.Pattern[str]:
    """Return the pattern of what contains a cited part: ``paragraph (b) of subsection (1)``."""
    return re.compile(
        rf"{_OF}(?:(?:{_SUBCLAUSE_WORDS}|{_WORDS})\.?|§)\s{{0,4}}"
        rf"(?P<number>{_COMPONENT}{{1,4}}|{_NUMBER})",
        re.VERBOSE,
    )


@cache
def components_pattern() -> re.Pattern[str]:
    """Return the pattern of the bracketed components of one citation: ``(1)(b)``."""
    return re.compile(rf"{_COMPONENT}{{1,5}}", re.VERBOSE)


OF_THIS_DOCUMENT: Final = re.compile(
    r"\s{1,4}(?:of|to|in)\s{1,4}this\s{1,4}"
    r"(?:Act|Agreement|Code|Convention|Directive|Document|Law|Regulation|Standard)\b",
    re.IGNORECASE,
)
OF_THIS_CLAUSE: Final = re.compile(
    r"\s{1,4}of\s{1,4}this\s{1,4}(?:section|clause|article|paragraph)\b", re.IGNORECASE
)
DOCUMENT_BEFORE: Final = re.compile(
    r"(?:\bRFC\s?\d{3,5}|\bISO[\w/ :.-]{0,20}\d|\[[A-Z][\w.-]{1,30}\]|\{\{[^{}]{1,40}\}\}"
    r"|\b(?:TFEU|TEU)),?\s+\(?$"
)

AFTER_DOCUMENT_NAME: Final = ", \t\r\n\u00a0\u202f("
DOCUMENT_ENDS: Final = frozenset("0123456789]}U)")
"""Last characters of a document's name directly before a reference; few words end in these."""

_DIGITS_OF_YEAR: Final = 4
_LONGEST_LINK: Final = 300


def follows_link_to_file(text: str, end: int) -> bool:
    """Whether a link to another file comes right before: ``[the guide](guide.md), Section 5``."""
    lead = text[max(0, end - _LONGEST_LINK) : end].rstrip(AFTER_DOCUMENT_NAME)
    target = lead.rpartition("](")[2] if lead.endswith(")") else "#"
    return bool(target) and target[0] not in "#)" and not set(target[:-1]) & set("() \n")


LINK_TO_FILE: Final = re.compile(r"\]\([^#()\s]")
"""A link to another file around a reference."""
_PREPOSITION: Final = re.compile(r"^(?:of|in|to|from|under|des|der|dem|den)\s+(?:the\s+)?")
_GENITIVE: Final = re.compile(r"e?s$")

MARKUP_BEFORE_LABEL: Final = re.compile(r"(?:[#>*_\s|\[\\-]|<[^<>]*>|\d{1,9}[.)])*")
"""Text that may be between the start of a block and its label."""

_NAMED_COMPONENT: Final = re.compile(
    rf"(?<![\w-]){_PART_WORD}\s*\(?(?P<component>\d{{1,3}}[a-z]?|[a-z]{{1,3}})\)?(?!\w)"
)
_NOT_NUMBERED: Final = re.compile(r"sub|Satz|S\.|Halbsatz|Unterabs|alinéa", re.IGNORECASE)


def folded(word: str) -> str:
    """Return a word in the form used by the tables of this module."""
    return word.lower().rstrip(".")


def is_year(number: str) -> bool:
    """Whether a number looks like a year from 1900 to 2099."""
    return len(number) == _DIGITS_OF_YEAR and number.isdecimal() and number[:2] in {"19", "20"}


def ends_sentence(word: str | None) -> bool:
    """Whether the dot ends a sentence, not an abbreviation: ``in this section.  A solution``."""
    return word is not None and word.endswith(".") and len(word) > _LONGEST_ABBREVIATION


def is_own_name(name: str, title: str) -> bool:
    """Whether the name in a reference is the document's own title, or a word of it."""
    whole = _PREPOSITION.sub("", " ".join(name.split()))
    last_word = _GENITIVE.sub("", whole.rpartition(" ")[2])
    return any(
        len(part) >= _SHORTEST_NAME and part.casefold() in title.casefold()
        for part in (whole, last_word)
    )


_RANGE: Final = re.compile(r"[\s\]]*(?:-|–|,?\s*\b(?:to|through|bis|à|a)\b)\s*\[?")
_LAST: Final = re.compile(r"(?P<head>.*?)(?P<last>\d+|\((?:\d+|[a-z]|[A-Z])\))$")
_LONGEST_RANGE: Final = 40


def numbers_between(first: str, joint: str, last: str) -> list[str]:
    """Return the numbers between two that a range names: 6 and 7 in ``5 to 8``."""
    if not _RANGE.fullmatch(joint):
        return []  # most joints: a comma, "and"
    lower, upper = _LAST.fullmatch(first), _LAST.fullmatch(last)
    if not (lower and upper):
        return []
    if lower["head"] != upper["head"] and upper["head"]:
        return []
    begin, end = lower["last"].strip("()"), upper["last"].strip("()")
    form = f"{lower['head']}({{}})" if lower["last"][0] == "(" else f"{lower['head']}{{}}"
    if begin.isdigit() and end.isdigit():
        members = [str(value) for value in range(int(begin) + 1, int(end))]
    elif begin.isalpha() and end.isalpha():
        members = [chr(code) for code in range(ord(begin) + 1, ord(end))]
    else:
        return []
    return [form.format(member) for member in members[:_LONGEST_RANGE]]


def ends_of_range(number: str) -> tuple[str, str] | None:
    """Return the ends of ``3.1-3.5`` and ``2-7``, which are written as one number."""
    first, _, last = number.partition("-")
    if not (last and first.count(".") == last.count(".")):
        return None
    low, high = first.split("."), last.split(".")
    is_rising = low[-1].isdigit() and high[-1].isdigit() and int(low[-1]) < int(high[-1])
    return (first, last) if is_rising and low[:-1] == high[:-1] else None


_OF_CODE: Final = re.compile(r"[LRDA]\.\d{1,4}-")


def compact(number: str) -> str:
    """Return a number with its bracketed components, without spaces except in ``L. 121-1``."""
    plain = "".join(number.split())
    return f"{plain[:2]} {plain[2:]}" if _OF_CODE.match(plain) else plain


@lru_cache(_CACHED_NUMBERS)
def components_after(text: str) -> str:
    """Return the components that words name after a number: ``Abs. 2 Nr. 3`` gives ``(2)(3)``."""
    components = [
        match["component"]
        for match in _NAMED_COMPONENT.finditer(text)
        if not _NOT_NUMBERED.match(match[0])
    ]
    return "".join(f"({component})" for component in components)


def as_cited(word: str, number: str) -> str:
    """Return the citation itself, used if nothing in the document matches it."""
    if not word:
        return number
    single = _PLURALS.get(word, word)
    return f"{single if single == '§' else single.capitalize()} {number}"
