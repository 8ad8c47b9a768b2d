"""Terms that a contract or a law defines: ``"Affiliate" means ...``, ``(the "Goods")``.

A term is defined if it is in quotes before a word such as "means", inside brackets or after
"hereinafter". In a section or clause called definitions, it is also defined at the beginning of a
line if it is in quotes, bold or capitalised, or before a colon at the beginning of a point:
``3. lamp: a thing that lights``.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from treepack.clauses.clause import Clauses
from treepack.model.blocks import Span, is_inside
from treepack.model.section import Section
from treepack.model.source import ANY_LINE_END
from treepack.values import value

OPENING_QUOTES: Final = '"“„«‘'
CLOSING_QUOTES: Final = '"”“»’'
"""The quotation marks before and after a term."""

_OPEN, _CLOSE = rf"(?:[{OPENING_QUOTES}]|``|&quot;)", rf"(?:[{CLOSING_QUOTES}]|''|&quot;)"
_THIN: Final = r"[ \u00a0\u202f]?"
_TERM: Final = (
    rf"{_OPEN}{_THIN}[*_]{{0,3}}(?P<term>[^\W_][^\"“”„«»*\r\n]{{0,80}}?)[*_]{{0,3}}{_THIN}{_CLOSE}"
)
_MEANS: Final = (
    r"(?:means?|(?:shall\s+)mean|(?:shall\s+)?(?:have|has)\s+the(?:\s+\w+)?\s+meanings?"
    r"|(?:shall\s+)?refers?\s+to|(?:is|are)\s+defined|includes?|are\s+(?:those|any|all)|bedeutet|bezeichnet|désigne"
    r"|signifie|significa)\b"
)
_MEANING: Final = re.compile(
    rf"{_TERM}[*_]{{0,3}}(?:\s*\([^()\r\n]{{0,80}}\))?(?:[\s,]{{1,40}}(?:\w+\s+){{0,6}}?{_MEANS}"
    rf"|(?=,?\s+(?:or|and|und|oder)\s+{_OPEN}[^\"”“»\r\n]{{1,60}}{_CLOSE}[\s,]{{1,40}}{_MEANS}))"
)
_IN_BRACKETS: Final = re.compile(  # not ``print("Done")``
    rf"(?<!\w)\((?:[^()\"“„«]{{0,60}}[\s,])?{_TERM}(?:[^()\r\n]{{0,60}})\)"
)
_HEREINAFTER: Final = re.compile(
    rf"\bherein(?:after)?\s+(?:(?:referred\s+to|called|known|defined)\s+)?(?:as\s+)?(?:the\s+)?{_TERM}"
)
_ENTEND_PAR: Final = (
    re.compile(
        r"\bentend(?:re|ent)?\s+par\s+(?:(?:les?\s+(?:termes?|mots?)|le|la|les|une?)\s+|l['’])?"
        rf"{_TERM}"
    ),
    re.compile(rf"\b[Pp]ar\s+{_TERM}\s*,?\s+(?:on|il\s+faut|nous)\s+entend"),
)
"""``on entend par « x »`` and ``par « x », on entend``."""
_BEGINNING: Final = re.compile(
    r"(?<![^\r\n])[ \t>*+-]{0,12}?"
    r"(?P<label>\(?\w{1,4}[.)°][ \t\u00a0\u202f]+(?:bis[ \u00a0]|ter[ \u00a0]|))?"
    r"(?=[*\w\"“„«&`])(?!\*[^*])"
)
"""The beginning of a line and its label."""
_AT_BEGINNING: Final = (
    re.compile(r"\*\*(?P<term>[^\W\d_][^*\r\n]{0,80}?):?\*\*:?(?=[\s:])"),
    # not the first of several quoted words, nor in single quotes, which are also apostrophes
    re.compile(rf"(?!‘){_TERM}(?!,?\s*(?:(?:and|or|und|oder|et|ou)\s+)?{_OPEN})"),
    # capitalised words need no quotes: "Adapted Material means"
    re.compile(
        r"(?!(?:This|That|These|Those|It|They|What|Which)\b)"
        r"(?P<term>[A-Z][\w'’&/-]*(?:[ ](?:[A-Z][\w'’&/-]*|and|or|of|the|for|in|to)){0,7})"
        r"(?=[ ](?:means?|shall\s+mean|(?:shall\s+have|has)\s+the\s+meaning)\b)"
    ),
)
_BEFORE_COLON: Final = re.compile(
    rf"(?P<term>[^\W\d_][^*:;.,!?\"“”„«»\r\n]{{0,60}}?){_THIN}:(?=[ \t\u00a0]+\S)"
)
_PARAGRAPH_END: Final = re.compile(rf"{ANY_LINE_END}[ \t]*{ANY_LINE_END}|\Z")
_TITLE: Final = re.compile(
    r"(?i)\b(?:definitions?|defined\s+terms|begriffe|begriffsbestimmung(?:en)?|définitions?"
    r"|definiciones|definições|definizioni|definities|begripsbepalingen|definicje|определения)\b"
)
_LONGEST: Final = 2000  # characters of a definition


@value
class Definition:
    """A term and where it is defined.

    Attributes:
        term: The term as printed, without quotes and emphasis.
        start: The start of the term; characters.
        end: The end of the paragraph that defines it, or the start of the next definition in it.
        clause: The number of the clause that holds it; None outside all clauses.
    """

    term: str
    start: int
    end: int
    clause: str | None


def find_definitions(
    text: str, root: Section, clauses: Clauses, code: Sequence[Span] = ()
) -> tuple[Definition, ...]:
    """Return the definitions of a document in source order; for each term, only the first.

    Args:
        text: The document's text.
        root: Its tree of sections.
        clauses: Its clauses.
        code: The spans of its code, in order; nothing is defined there.
    """
    matches = sorted({match.start(): match for match in _matches(text, root, clauses)}.items())
    seen: set[str] = set()
    definitions: list[Definition] = []
    for at, (start, match) in enumerate(matches):
        term = " ".join(match["term"].split()).rstrip(" ,.;:")
        if not term or term.casefold() in seen or is_inside(start, code):
            continue
        seen.add(term.casefold())
        paragraph = _PARAGRAPH_END.search(text, match.end())
        end = min(paragraph.start() if paragraph else len(text), start + _LONGEST)
        following = matches[at + 1][0] if at + 1 < len(matches) else end
        clause = clauses.at(match.start("term"), match.end())
        number = clause.number if clause else None
        definitions.append(Definition(term, start, max(min(end, following), match.end()), number))
    return tuple(definitions)


def _matches(text: str, root: Section, clauses: Clauses) -> Iterator[re.Match[str]]:
    """Yield the matches where a term may be defined, one pattern after the other."""
    yield from _MEANING.finditer(text)
    for pattern in _ENTEND_PAR if "entend" in text else ():
        yield from pattern.finditer(text)
    for pattern in (_IN_BRACKETS, _HEREINAFTER):
        for match in pattern.finditer(text):
            if match["term"][0].isupper():
                yield match
    for start, end in _definition_sections(root, clauses):
        for line in _BEGINNING.finditer(text, start, end):
            patterns = (*_AT_BEGINNING, _BEFORE_COLON) if line["label"] else _AT_BEGINNING
            matches = (pattern.match(text, line.end(), end) for pattern in patterns)
            yield from filter(None, matches)


def _definition_sections(root: Section, clauses: Clauses) -> Iterator[Span]:
    """Yield the spans of the sections and clauses that are called definitions."""
    for section in root.walk():
        if section.heading and _TITLE.search(section.heading.text):
            yield section.heading.end, section.end
    for clause in clauses:
        if clause.title_span and not clause.is_heading and _TITLE.search(clause.title):
            yield clause.title_span[1], clause.end
