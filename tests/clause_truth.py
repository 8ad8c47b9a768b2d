"""What the corpus' truth files say about clauses, read without treepack's own eyes.

Each measure compares a multiset of expected keys with the multiset found: precision is the share of
the found that is expected, recall the share of the expected that is found.
"""

import html
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from treepack import parse
from treepack.document.clause_walk import Clause, find_clauses


def words(text: str) -> int:
    """A token counter that costs nothing."""
    return len(text) // 4


@dataclass(frozen=True)
class Figure:
    """A measured truth file.

    Attributes:
        name: What was measured.
        precision: Share of the found that is expected.
        recall: Share of the expected that is found.
        expected: How many are expected.
        misses: Some that are wrong or missing.
    """

    name: str
    precision: float
    recall: float
    expected: int
    misses: tuple[str, ...] = ()

    def line(self) -> str:
        """The figures on one line."""
        return f"{self.name:<52} P {self.precision:.4f}  R {self.recall:.4f}  n {self.expected}"


def compare(name: str, expected: Iterable[Any], found: Iterable[Any]) -> Figure:
    """Compare two multisets."""
    want, have = Counter(expected), Counter(found)
    hits = sum((want & have).values())
    total_want, total_have = sum(want.values()), sum(have.values())
    wrong = [f"wrong {key}" for key in have - want] + [f"missing {key}" for key in want - have]
    return Figure(
        name,
        hits / total_have if total_have else 1.0,
        hits / total_want if total_want else 1.0,
        total_want,
        tuple(wrong),
    )


def clauses_of(text: str) -> tuple[Clause, ...]:
    """All clauses of a text."""
    return find_clauses(parse(text, encoding=words))


# -------------------------------------------------------------------- requirement tables


def asvs(corpus: Path) -> list[Figure]:
    """Ids per row of OWASP ASVS: the flat JSON names each requirement of each section."""
    path = corpus / "std" / "owasp-asvs-4.0.3-en.flat.json"
    records = json.loads(path.read_text(encoding="utf-8"))["requirements"]
    expected = [(item["section_id"], item["req_id"].removeprefix("V")) for item in records]
    text = (corpus / "std" / "owasp-asvs-4.0.3-en.md").read_text(encoding="utf-8")
    rows = [clause for clause in clauses_of(text) if text[clause.start] == "|"]
    found = [(clause.path[-2] if len(clause.path) > 1 else "", clause.number) for clause in rows]
    return [compare("ASVS 4.0.3: section and requirement id per row", expected, found)]


# -------------------------------------------------------------------- EU acts

_PARAGRAPH = re.compile(r"(\d+)\.(?:\xa0|$)")
_DECIMAL = re.compile(r"(\d+(?:\.\d+)+)\.$")
_POINT = re.compile(r"\((\d+|[a-z]{1,5})\)$")


def eu_points(text: str) -> Iterator[str]:
    """The labels of an EU article's text as cited below the article, by the EU's own order.

    Paragraph numbers stand above points of letters, those above roman points; numbers in brackets
    are points as well. The same label twice in a row is an artefact of extraction.
    """
    lines = [line.strip() for line in text.split("\n\n")]
    labels = [
        line
        for line in lines
        if _PARAGRAPH.match(line) or _DECIMAL.match(line) or _POINT.match(line)
    ]
    number = decimal = point = letter = before = ""
    for at, line in enumerate(labels):
        if line == before and len(line) < 12:
            continue
        before = line
        if match := _DECIMAL.match(line):
            decimal, letter = match[1], ""
            yield decimal
        elif match := _PARAGRAPH.match(line):
            number, decimal, point, letter = f"({match[1]})", "", "", ""
            yield number
        elif (match := _POINT.match(line)) and match[1].isdigit():
            point, letter = f"({match[1]})", ""
            yield number + point
        elif match:
            following = next((other for other in labels[at + 1 :] if other != line), "")
            is_letter = len(match[1]) == 1 and (
                match[1] not in "ivx" or (letter == chr(ord(match[1]) - 1) and following != "(ii)")
            )
            if is_letter:
                letter = match[1]
            inner = f"({letter})" if is_letter or not letter else f"({letter})({match[1]})"
            inner = inner if letter else f"({match[1]})"
            yield (decimal or number + point) + inner


def eu(corpus: Path, name: str) -> list[Figure]:
    """Article numbers and points of an EU act."""
    stem = corpus / "law" / f"eu-{name}"
    truth = json.loads(stem.with_suffix(".json").read_text(encoding="utf-8"))
    articles = [str(item["number"]) for item in truth["articles"]]
    clauses = clauses_of(stem.with_suffix(".md").read_text(encoding="utf-8"))
    tops = [clause for clause in clauses if clause.kind in {"article", "annex"}]
    figures = [compare(f"EU {name}: articles and annexes", articles, [c.number for c in tops])]
    points = [
        (number, point)
        for number, item in zip(articles, truth["articles"], strict=True)
        for point in eu_points(item["text"])
    ]
    figures.append(compare(f"EU {name}: points", points, list(_below(clauses))))
    if recitals := truth.get("recitals"):
        found = [c.number for c in clauses if c.number.startswith("Recital ")]
        expected = [f"Recital {item['recital_number']}" for item in recitals]
        figures.append(compare(f"EU {name}: recitals", expected, found))
    return figures


def _below(clauses: tuple[Clause, ...]) -> Iterator[tuple[str, str]]:
    """Each clause below an article or annex, with what its number adds."""
    for clause in clauses:
        parent = clause.parent
        while parent is not None and clauses[parent].kind not in {"article", "annex"}:
            parent = clauses[parent].parent
        if parent is None or clause.kind in {"article", "annex"}:
            continue
        top = clauses[parent].number
        point = (
            clause.number.removeprefix(top)
            if clause.path[-1][0] == "(" or (clause.number.startswith(f"{top}("))
            else clause.number
        )
        if point.startswith(".") or re.match(r"\d", point):
            point = clause.number
        yield top, re.sub(r"^\((\d+(?:\.\d+)+)\)", r"\1", point)


# -------------------------------------------------------------------- section numbers as printed

_PRINTED = re.compile(r"<h([1-6])[^>]*>(.*?)</h\1>", re.DOTALL | re.IGNORECASE)
_RFC_NUMBER = re.compile(r'class="section-number[^"]*"[^>]*>([^<]*)<')
_DEBIAN_NUMBER = re.compile(r'class="section-number"[^>]*>([^<]*)<')


def html_headings(path: Path) -> tuple[str, list[str]]:
    """The headings of an HTML page as markdown, and the section numbers that it marks as such."""
    lines: list[str] = []
    numbers: list[str] = []
    for match in _PRINTED.finditer(path.read_text(encoding="utf-8")):
        marked = _RFC_NUMBER.search(match[2]) or _DEBIAN_NUMBER.search(match[2])
        if marked:
            number = html.unescape(marked[1]).strip().rstrip(".")
            numbers.append(number)
        plain = " ".join(html.unescape(re.sub(r"<[^>]*>", " ", match[2])).split())
        lines.append(f"{'#' * int(match[1])} {plain.rstrip('¶ ')}\n\nText.\n")
    return "\n".join(lines), numbers


def printed(corpus: Path) -> list[Figure]:
    """Section numbers that HTML pages mark, and those of the headings of NIST 800-63."""
    figures: list[Figure] = []
    pages = [*sorted((corpus / "rfc").glob("*.html")), *sorted((corpus / "html").glob("*.html"))]
    for path in pages:
        text, numbers = html_headings(path)
        found = [clause.number for clause in clauses_of(text) if text[clause.start] == "#"]
        figures.append(compare(f"{path.stem}: section numbers", numbers, found))
    for name in ("nist-800-63-3", "nist-800-63b"):
        text = (corpus / "std" / f"{name}.md").read_text(encoding="utf-8")
        found = [clause.number for clause in clauses_of(text) if text[clause.start] == "#"]
        figures.append(compare(f"{name}: section numbers", nist_numbers(text), found))
    return figures


def nist_numbers(text: str) -> list[str]:
    """The numbers at the start of the headings, anchors left out; read line by line."""
    numbers: list[str] = []
    for line in text.splitlines():
        title = re.sub(r"<[^>]*>|[#_*]", "", line).strip()
        if not line.startswith("#"):
            continue
        if match := re.match(r"([A-Z]\.\d+|\d+(?:\.\d+)*) [A-Z]", title):
            numbers.append(match[1])
        elif match := re.match(r"Appendix [A-Z]\b", title):
            numbers.append(match[0])
    return numbers
