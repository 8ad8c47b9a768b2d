"""How references are written in English, German, French and Spanish, and the numbers in them."""

import re
from functools import cache
from typing import Final, NamedTuple

from treepack.numbers.words import any_word

_WORDS: Final[dict[str, str]] = {
    "article": "article articles, art. arts., artikel artikeln artikels, artículo artículos",
    "section": """section sections, sec. secs. sect., abschnitt abschnitte abschnitten,
        sección secciones, § §§""",
    "clause": "clause clauses, klausel klauseln, ziffer ziffern, cláusula cláusulas",
    "rule": "rule rules, regel regeln, règle règles, regla reglas",
    "requirement": """requirement requirements, anforderung anforderungen, exigence exigences,
        requisito requisitos""",
    "recital": """recital recitals, erwägungsgrund erwägungsgründe, considérant considérants,
        considerando considerandos""",
    "part": "part parts, teil teile teilen, partie parties, parte partes",
    "chapter": "chapter chapters, kapitel kapiteln, chapitre chapitres, capítulo capítulos",
    "annex": """annex annexes, appendix appendices, anhang anhänge anhängen, anlage anlagen, annexe,
        anexo anexos, apéndice apéndices, schedule schedules, exhibit exhibits""",
    "subsection": """subsection subsections, sub-section sub-sections, subclause subclauses,
        sub-clause sub-clauses, unterabschnitt, sous-section, subsección""",
    "paragraph": """paragraph paragraphs, para. paras., subparagraph subparagraphs, point points,
        sub-paragraph sub-paragraphs, absatz absätze absätzen absatzes, paragraphe, apartado""",
    "table": "table tables, tabelle tabellen, tab., tableau tableaux, tabla tablas, cuadro cuadros",
    "figure": "figure figures, fig. figs., abbildung abbildungen, abb., bild, figura figuras",
}
"""The words before a number; the first of each group is the singular."""
_FORMS: Final = {
    word: (kind, group.split()[0].rstrip("."))
    for kind, groups in _WORDS.items()
    for group in groups.split(",")
    for word in group.split()
}
"""The kind and the singular of each word."""
_CUES: Final = re.split(
    r",\s+",
    """see, see also, cf., compare, siehe, siehe auch, vgl., nach, gemäß, voir, véase, ver,
    according to, pursuant to, subject to, in accordance with, specified in, specified by,
    defined in, described in, given in, listed in, stated in, shown in, required by, provided in,
    provided by, set out in, laid down in, limits of, referred to in, requirements of,
    provisions of, conditions of, procedure of, procedures of""",
)
"""Words that make a dotted number a reference, although no other word says what it is."""
_SPACES: Final = r"[ \t\u00a0\u202f]{0,8}(?:(?:\r\n?|\n)[ \t>]{0,40})?"
_COMPONENT: Final = r"(?:[ \u00a0]?\((?:\d{1,3}[a-z]?|[a-z]{1,4}|[A-Z])\))"
_CORE: Final = r"""
    (?: (?:[LRDA]\.?[ \u00a0]?|[A-Z]{1,2}\.?)?          # L. 121-1 of a French code; V2.1
        \d{1,4}[A-Za-z]{0,2} (?:[.-]\d{1,4}[A-Za-z]{0,2}){0,8}
      | [A-Z]{1,2}(?:\.\d{1,3}[a-z]?){1,8} | [IVXLC]{1,7} | [A-Z] ) (?!\w)
"""
_DOTTED: Final = r"(?:\d{1,3}|[A-Z]{1,2})(?:\.\d{1,3}[A-Za-z]{0,2}){1,8}(?!\w|\.\d)"
_POINT: Final = r"(?:\d{1,3}[a-z]?|[a-z]{1,3})"
_PART: Final = rf"""
    (?: (?:first|second|third|fourth|fifth|last)\s+(?:sub-?paragraph|paragraph|sentence|indent)
      | (?:(?:sub-?)?paragraphs?|para\.?|points?|Satz|S\.|Halbsatz|Unterabs\.|Abs\.|Absatz|Absätze
          |Nr\.|Nummern?|Buchst\.|Buchstabe|lit\.|alinéa|paragraphe|apartado|letra)
        (?![^\W\d_]){_SPACES}(?:\({_POINT}\)|{_POINT}(?!\w)) )
"""
_AND: Final = r"(?:,|;|/|–|,?\s*\b(?:and|or|to|through|bis|und|oder|sowie|et|ou|à|y|o|and/or)\b)"
_ITEM: Final = rf"""
    (?: (?P<core>{_CORE})(?P<components>{_COMPONENT}{{0,5}}) | (?P<alone>{_COMPONENT}{{1,5}}) )
    (?P<parts>(?:,?{_SPACES}{_PART}){{0,5}})
"""
_LONGEST_RANGE: Final = 40  # numbers
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_RANGE: Final = re.compile(r"[\s\]]*(?:-|–|,?\s*\b(?:to|through|bis|à|a)\b)\s*\[?")
_ENDS: Final = re.compile(r"(?P<head>.*?\(?)(?P<last>\d+|(?<=\()[a-zA-Z])(?P<close>\)?)")
_NAMED_POINT: Final = re.compile(r"(?<!\w)([^\W\d_]++)\.?\s*\(?(\d{1,3}[a-z]?|[a-z]{1,3})(?!\w)")
_UNNUMBERED: Final = frozenset({"Satz", "S", "Halbsatz", "Unterabs", "alinéa", "subparagraph"})


@cache
def _item_pattern() -> re.Pattern[str]:
    """Return the pattern of a number with its parts: ``12(3)``, ``5 Abs. 2 Nr. 1``, ``(b)``."""
    return re.compile(_ITEM, re.VERBOSE)


@cache
def reference_pattern() -> re.Pattern[str]:
    """Return the pattern of a reference, or of inline code, so that nothing is found inside it."""
    # It begins with a set of characters, because `re` searches for that without trying the rest.
    words, cues = (any_word(each, first="(?<=[{}])") for each in (_FORMS, _CUES))
    initials = {word[0] for word in (*_FORMS, *_CUES)}
    firsts = "".join(sorted(initials | {first.upper() for first in initials}))
    item = re.sub(r"\?P<\w+>", "?:", _ITEM)
    bracket = r"(?:\[(?![^\[\]]{0,300}\]\(\#))?"  # of a number or a link elsewhere
    return re.compile(
        rf"""
    [`\[{{{firsts}]
    (?: (?<=`) [^`\r\n]{{1,200}}`
      | (?<=\[) [^\[\]]{{0,300}}\]\(\#(?P<anchor>[^()\s]{{1,200}})\)
      | (?<=\{{)(?<!\{{\{{) \{{ <?(?P<label>[^{{}}<>]{{1,200}})\}}\}}
      | (?<![\w-].) (?: (?P<word>{words}) (?:(?<=[.§])|\b) {_SPACES} {bracket}
          | (?P<cue>{cues}) {_SPACES} {bracket} (?={_DOTTED}) )
        (?P<numbers> {item} (?: {_SPACES}{_AND}{_SPACES} {item} ){{0,12}} ) )
        """,
        re.VERBOSE,
    )


@cache
def name_after_pattern() -> re.Pattern[str]:
    """Return the pattern of another document's name directly after a reference."""
    of = r"(?:of|in|to|from|under)\s+(?:(?:the|that|those|its|said|both)\s+){0,2}"
    capitalised = r"(?:[A-Z][\w&.’'-]*\s+(?:(?:and|of|for|on|in|the)\s+){0,2})"
    # Words in capitals that name no document, as in RFC 2119
    no_name = r"(?!(?:MUST|SHALL|SHOULD|MAY|NOT|CAN|WILL|AND|OR|REQUIRED|IS|ARE)\b)"
    return re.compile(
        rf"""
    \]?(?:\([^()\s]{{0,200}}\))? [ \u00a0]* (?:of\s{{1,4}}Titles?\s\w{{1,9}}\s?)?
    (?: ,?\s{{1,4}} (?:
        {of} (?: \[{{1,2}}[A-Z] | \{{\{{ | (?:RFC|ISO|IEC|EN|DIN|NIST|IEEE)\b[ /-]?[\w/.:-]*
            | {capitalised}{{0,6}} (?:Regulation|Directive|Decision|Treaty|Charter|Convention
                |Constitution|Protocol|Act|Code|Law|Statute)s?\b
              (?:\s+\([A-Z]{{2,8}}(?:,\s?\w+)?\))? (?:\s+(?:No\.?\s)?[\d/]+)?
            | {capitalised}{{1,6}} (?:Agreement|Bylaw|Condition|Contract|Deed|Lease|Licen[cs]e
                |Plan|Policy|Rule|Tariff|Term)s?\b
            | (?:(?!(?:the|this|present|current|same|main|whole|entire)\b)[\w-]+\s+){{1,4}}
              (?:document|specification|standard|memo|manual|handbook)\b
            | {no_name}[A-Z]{{3,}}\b )
      | (?:des|der|dem|den)\s+(?:[A-ZÄÖÜ][\w-]*\s+){{0,2}}
          (?i:[\w-]{{0,60}}?(?:gesetz|buch|ordnung|richtlinie|vertrag|verfassung)\w*)
          (?:\s+\([A-Z]{{2,4}}\)\s+[\d/]+)?
      | (?:du|des|del|de\s+la|de\s+l['’])\s* (?i:règlement|directive|traité|code|loi|charte|ley
          |convention|décision|reglamento|directiva|código|tratado|carta)\b )
    | \s{{1,4}}{no_name}(?:[A-Z]{{2,6}}|[A-Z][a-zA-Z]{{0,4}}[A-Z]{{1,2}})\b
    | \]\([^\#()\s] )
        """,
        re.VERBOSE,
    )


NAME_BEFORE: Final = re.compile(
    r"(?:\bRFC\s?\d{3,5}|\bISO[\w/ :.-]{0,20}\d|\[[A-Z][\w.-]{1,30}\]|\{\{[^{}]{1,40}\}\}"
    r"|\b(?:TFEU|TEU)|\]\([^#()\s][^()\s]{0,200}\)),?\s+\(?\Z"
)
"""Another document's name directly before a reference."""


class Cited(NamedTuple):
    """A number and its word in the singular; it is not printed between two others: 6 in 5 to 7."""

    start: int
    end: int
    word: str
    kind: str | None
    number: str
    is_printed: bool = True

    @property
    def name(self) -> str:
        """The citation itself: ``Article 5``."""
        word = self.kind if self.kind in {"table", "figure"} else self.word
        return f"{(word or '').capitalize()} {self.number}".lstrip()


def cited_numbers(match: re.Match[str]) -> list[Cited]:
    """Return the numbers of a match of the reference pattern; none if it is no reference."""
    found: list[Cited] = []
    if match["numbers"] is None:
        return found
    text, begin = match.string, match.start("numbers")
    word = "" if match["cue"] else text[match.start() : match.end("word")].lower().rstrip(".")
    kind, singular = _FORMS.get(word) or _FORMS.get(f"{word}.") or (None, "")
    part = ""
    for item in _item_pattern().finditer(text, begin, match.end()):
        core, alone = _compact(item["core"] or ""), _compact(item["alone"] or "")
        components, parts = _compact(item["components"] or ""), _NAMED_POINT.findall(item["parts"])
        inner = "".join([f"({point})" for name, point in parts if name not in _UNNUMBERED])
        joint = text[found[-1].end : item.start()] if found else ""
        if part and core and not components and not inner:
            if part in _UNNUMBERED:
                continue  # "Satz 1 und 2"
            is_more = part[0].isupper() or part in {"lit", "points", "paragraphs"}
            if is_more and (word != "§§" or _RANGE.fullmatch(joint)):
                core, alone = "", f"({core})"  # "§ 5 Abs. 2 und 3"
        is_other = core and found and core.isalpha() != found[0].number.split("(")[0].isalpha()
        if is_other or (alone and not found and kind not in {"paragraph", "subsection"}):
            break  # "Section 5 and I", "Article (a)"
        if _YEAR.fullmatch(core):
            continue  # "the rules 2022"
        number = _beside(found[-1].number, alone) if alone and found else core + components + alone
        start = match.start() if item.start() == begin and text[begin - 1] != "[" else item.start()
        cited = Cited(start, item.end(), singular, kind, number + inner)
        found += [*(_between(found[-1], joint, cited) if found else ()), cited]
        part = parts[-1][0] if parts else part if alone else ""
    return found


def _between(first: Cited, joint: str, last: Cited) -> list[Cited]:
    """Return the numbers between two that a range names: 6 and 7 in ``5 to 8``."""
    lower, upper = _ENDS.fullmatch(first.number), _ENDS.fullmatch(last.number)
    if not (_RANGE.fullmatch(joint) and lower and upper):
        return []
    low, high = lower["last"], upper["last"]
    if upper["head"] not in {"", "(", lower["head"]} or low.isdigit() != high.isdigit():
        return []
    values = range(int(low) + 1, int(high)) if low.isdigit() else range(ord(low) + 1, ord(high))
    members = [str(each) if low.isdigit() else chr(each) for each in values[:_LONGEST_RANGE]]
    head, close = lower["head"], lower["close"]
    return [first._replace(number=head + each + close, is_printed=False) for each in members]


def _beside(before: str, components: str) -> str:
    """Return ``5(2)(b)`` for ``(b)`` after ``5(2)(a)``: beside the last component of its form."""
    form = r"\((?=\d)" if components[1].isdigit() else r"\((?=\D)"
    at = [match.start() for match in re.finditer(form, before)]
    return (before[: at[-1]] if at else before) + components


def _compact(number: str) -> str:
    return "".join(number.split())
