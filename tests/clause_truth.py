"""Measures of clauses against the corpus's truth files, which are read without treepack.

Each measure compares a multiset of expected keys with the multiset found. Precision is the share of
the found keys that are expected, recall the share of the expected keys that are found.
"""

import html
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import clause_lines
import german_law
from clause_texts import references_of

from treepack import Document
from treepack.clauses.clause import Clause
from treepack.clauses.walk import find_clauses
from treepack.document.build import parse
from treepack.model.section import Section
from treepack.numbers.grammar import parse_clause
from treepack.numbers.words import Place


def estimate_tokens(text: str) -> int:
    """A token counter that costs nothing."""
    return len(text) // 4


@dataclass(frozen=True)
class Figure:
    """A measured truth file.

    Attributes:
        name: What was measured.
        precision: Share of the found keys that are expected.
        recall: Share of the expected keys that are found.
        expected: How many keys are expected.
        misses: The keys that are wrong or missing.
        notes: What a reader of the figure must know; printed with it.
    """

    name: str
    precision: float
    recall: float
    expected: int
    misses: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

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
    return find_clauses(parse(text, encoding=estimate_tokens))


# -------------------------------------------------------------------- labelled lines

_ESCAPES = (("\\u00a0", "\u00a0"), ("\\u3000", "\u3000"), ("\\t", "\t"), ("\\\\", "\\"))


def _rows(text: str) -> list[str]:
    """The rows of a table of `clause_lines` or `german_law`, with escapes replaced."""
    for escape, sign in _ESCAPES:
        text = text.replace(escape, sign)
    return re.split(r"\n| ¦ ", text.strip("\n"))


def positive_lines() -> list[tuple[str, str, str, Place]]:
    """Kind, parts, line and place of each line that begins a clause."""
    found: list[tuple[str, str, str, Place]] = []
    tables: tuple[tuple[str, Place], ...] = (
        (clause_lines.HEADINGS, "heading"),
        (clause_lines.TEXTS, "text"),
    )
    for table, place in tables:
        for row in _rows(table):
            kind, parts, line = row.split(" | ", 2)
            found.append((kind, parts, line, place))
    return found


def negative_lines() -> list[tuple[str, Place]]:
    """Line and place of each line that only looks like the beginning of a clause."""
    tables: tuple[tuple[str, Place], ...] = (
        (clause_lines.NOT_HEADINGS, "heading"),
        (clause_lines.NOT_TEXTS, "text"),
    )
    return [(row, place) for table, place in tables for row in _rows(table)]


def labelled_line_figures() -> list[Figure]:
    """Measure what `parse_clause` reads in the labelled lines; negative ones should give None."""
    positive, negative = positive_lines(), negative_lines()
    found = [
        (number.kind, " ".join(number.parts), line, place)
        for line, place in [*((line, place) for *_, line, place in positive), *negative]
        if (number := parse_clause(line, place))
    ]
    name = f"labelled lines, {len(positive)} clauses and {len(negative)} others"
    return [compare(name, positive, found)]


# -------------------------------------------------------------------- requirement tables


def asvs_figures(corpus: Path) -> list[Figure]:
    """Measure the ids of OWASP ASVS's rows; the flat JSON names each section's requirements."""
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
_PART = re.compile(r"((?:Part|Section) [A-Z])(?:\.|$)")
_TABLE_ID = re.compile(r"\d+\.\d+$")


def eu_points(text: str) -> Iterator[str]:
    """Yield the labels in an EU article's text as cited below the article, by the EU's own nesting.

    Points with letters belong to paragraph numbers, and roman points to points with letters.
    Numbers in brackets are points as well. The same label twice in a row is an artefact of
    extraction.
    """
    text = re.split(r"\n\nDone at |\n\nANNEX ", text)[0]
    lines = [line.strip() for line in text.split("\n\n")]
    labels = [
        line
        for line in lines
        if _PARAGRAPH.match(line) or _DECIMAL.match(line) or _POINT.match(line) or _PART.match(line)
    ]
    part = number = decimal = point = letter = before = ""
    for at, line in enumerate(labels):
        if line == before and len(line) < 12:
            continue
        before = line
        if match := _PART.match(line):
            part, number, decimal, point, letter = f" {match[1]}", "", "", "", ""
            yield part
        elif match := _DECIMAL.match(line):
            decimal, letter = match[1], ""
            yield decimal
        elif match := _PARAGRAPH.match(line):
            number, decimal, point, letter = f"{part}({match[1]})", "", "", ""
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


def eu_act_figures(corpus: Path, name: str) -> list[Figure]:
    """Measure articles, annexes, points and recitals of an EU act."""
    stem = corpus / "law" / f"eu-{name}"
    truth = json.loads(stem.with_suffix(".json").read_text(encoding="utf-8"))
    articles = [str(item["number"]) for item in truth["articles"]]
    clauses = clauses_of(stem.with_suffix(".md").read_text(encoding="utf-8"))
    if not any(article.startswith("Annex") for article in articles):
        clauses = tuple(clause for clause in clauses if not clause.path[0].startswith("ANNEX"))
    tops = [clause for clause in clauses if clause.kind in {"article", "annex"}]
    figures = [compare(f"EU {name}: articles and annexes", articles, [c.number for c in tops])]
    points = [
        (number, point)
        for number, item in zip(articles, truth["articles"], strict=True)
        for point in eu_points(item["text"])
    ]
    below = list(_below(clauses))
    for where, is_part in (("", str.isdecimal), (" of annexes", _is_annex)):
        wanted = [key for key in points if is_part(key[0])]
        if wanted:
            ours = [key for key in below if is_part(key[0])]
            figure = compare(f"EU {name}: points{where}", wanted, ours)
            figures.append(replace(figure, notes=table_ids(truth["articles"], wanted, ours)))
    if recitals := truth.get("recitals"):
        found = [c.number for c in clauses if c.number.startswith("Recital ")]
        expected = [f"Recital {item['recital_number']}" for item in recitals]
        figures.append(compare(f"EU {name}: recitals", expected, found))
    return figures


def table_ids(
    articles: list[dict[str, str]], wanted: list[tuple[str, str]], ours: list[tuple[str, str]]
) -> tuple[str, ...]:
    """Describe numbers that come from tables and notes, and whether they count as found or missing.

    Extraction printed each cell of the tables of UN R155 as a paragraph. The ids of rows, such as
    1.1, have no dot after them, so they are not in the truth. The numbers of group headings, such
    as 4.3.1., have one, so they are. A call of a note in its own paragraph is there as a point.
    """
    texts = {str(item["number"]): item["text"].split("\n\n") for item in articles}
    extra, absent = Counter(ours) - Counter(wanted), Counter(wanted) - Counter(ours)
    ids = [key for key in extra.elements() if _TABLE_ID.match(key[1]) and key[1] in texts[key[0]]]
    heads = [key for key in absent.elements() if _DECIMAL.match(f"{key[1]}.")]
    calls = [
        key
        for key in absent.elements()
        if any(p.startswith(f"{key[1]}\u00a0") for p in texts[key[0]])
    ]
    notes: list[str] = []
    for what, keys in (
        ("ids of table rows, found", ids),
        ("headings of groups of table rows, not found", heads),
        ("calls of notes, not found", calls),
    ):
        for number in dict.fromkeys(number for number, _ in keys):
            points = [point for top, point in keys if top == number]
            notes.append(f"{what} in {number} ({len(points)}): {' '.join(points)}")
    return tuple(notes)


def _is_annex(number: str) -> bool:
    return number.startswith("Annex")


def _below(clauses: tuple[Clause, ...]) -> Iterator[tuple[str, str]]:
    """Yield the article or annex of each clause below one, and what the clause's number adds."""
    for clause in clauses:
        parent = clause.parent
        while parent is not None and clauses[parent].kind not in {"article", "annex"}:
            parent = clauses[parent].parent
        if parent is None or clause.kind in {"article", "annex"}:
            continue
        top = clauses[parent].number
        point = (
            clause.number.removeprefix(top)
            if clause.path[-1][0] == "(" or clause.number.startswith((f"{top}(", f"{top} "))
            else clause.number
        )
        if point.startswith(".") or re.match(r"\d", point):
            point = clause.number
        yield top, re.sub(r"^\((\d+(?:\.\d+)+)\)", r"\1", point)


# -------------------------------------------------------------------- German law


def german_law_figure(corpus: Path, name: str) -> Figure:
    """Measure the clause paths of lines of a German law, drawn at random and read by hand."""
    text = (corpus / "law" / f"de-{name}.md").read_text(encoding="utf-8")
    rows = [row.split(" ", 2) for row in _rows(german_law.PATHS)]
    expected = [(int(line), path) for law, line, path in rows if law == name]
    drawn = {line for line, _ in expected}
    found: dict[int, str] = {}
    for clause in clauses_of(text):
        top = next((n for n, x in enumerate(clause.path) if x.startswith(("Art ", "§ "))), 0)
        line = text.count("\n", 0, clause.start) + 1
        if line in drawn:
            found[line] = " > ".join(clause.path[top:])
    return compare(f"{name}: paths read by hand", expected, found.items())


# -------------------------------------------------------------------- section numbers as printed

_PRINTED = re.compile(r"<h([1-6])[^>]*>(.*?)</h\1>", re.DOTALL | re.IGNORECASE)
_RFC_NUMBER = re.compile(r'class="section-number[^"]*"[^>]*>([^<]*)<')
_DEBIAN_NUMBER = re.compile(r'class="section-number"[^>]*>([^<]*)<')


def html_headings(path: Path) -> tuple[str, list[str]]:
    """Return an HTML page's headings as markdown, and the section numbers that its markup names."""
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


def printed_number_figures(corpus: Path) -> list[Figure]:
    """Measure section numbers against the markup of HTML pages and the headings of NIST 800-63."""
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
    """The numbers at the start of the headings, without anchors, read line by line."""
    numbers: list[str] = []
    for line in text.splitlines():
        title = " ".join(re.sub(r"<[^>]*>|[#_*]", " ", line).split())
        if not line.startswith("#"):
            continue
        if match := re.match(r"([A-Z]\.\d+|\d+(?:\.\d+)*) [A-Z]", title):
            numbers.append(match[1])
        elif match := re.match(r"Appendix [A-Z]\b", title):
            numbers.append(match[0])
    return numbers


# -------------------------------------------------------------------- outlines

_HEADING = re.compile(r"^(#{1,6})(?=[ \t])", re.MULTILINE)
_LABEL = re.compile(
    r"(?:CHAPTER|Chapter|Article|Annex|Appendix|Section) \w+"
    r"|V?\d+(?:\.\d+)*(?=\.?[ \u00a0])|[A-Z]\.\d[\d.]*(?=[ \u00a0])"
)


def outline_texts(corpus: Path) -> dict[str, str]:
    """The documents whose outlines are flattened and scrambled."""
    names = ["law/eu-gdpr", "law/eu-ai-act", "law/eu-un-r155", "std/nist-800-63-3"]
    names += ["std/nist-800-63b", "std/owasp-asvs-4.0.3-en"]
    texts = {n: (corpus / f"{n}.md").read_text(encoding="utf-8") for n in names}
    texts["rfc/rfc9112"] = html_headings(corpus / "rfc" / "rfc9112.html")[0]
    return texts


def with_heading_levels(text: str, level: Callable[[], int]) -> str:
    """Return a copy with the level of each heading line set by a call of ``level``."""
    return _HEADING.sub(lambda _: "#" * level(), text)


def label_of(title: str) -> str | None:
    """The number of a heading, as the documents of `outline_texts` print it."""
    match = _LABEL.match(title)
    return match[0].upper().rstrip(".") if match else None


def true_parents(text: str) -> list[tuple[str, str | None]]:
    """Each numbered heading with its nearest numbered ancestor.

    A dotted number's parent is its longest prefix among the headings; an article's is its chapter
    in the untouched outline.
    """
    document = parse(text, encoding=estimate_tokens, outline="trust")
    titles = [s.heading.text for s in document.root.walk() if s.heading]
    known = {label for title in titles if (label := label_of(title))}
    found: list[tuple[str, str | None]] = []
    for label, ancestor in tree_parents(document):
        if "." in label or label[0] == "V" or label[0].isdigit():
            prefix = label.rpartition(".")[0]
            while prefix and prefix not in known and f"APPENDIX {prefix}" not in known:
                prefix = prefix.rpartition(".")[0]
            found.append((label, prefix if prefix in known or not prefix else f"APPENDIX {prefix}"))
        else:
            found.append((label, ancestor))
    return [(label, ancestor or None) for label, ancestor in found]


def tree_parents(document: Document) -> list[tuple[str, str | None]]:
    """Each numbered heading with its nearest numbered ancestor in a document's tree."""
    found: list[tuple[str, str | None]] = []

    def visit(section: Section, above: str | None) -> None:
        label = label_of(section.heading.text) if section.heading else None
        if label:
            found.append((label, above))
        for child in section.sections:
            visit(child, label or above)

    visit(document.root, None)
    return found


def outline_figures(corpus: Path) -> list[Figure]:
    """Measure how many numbered headings get the right parent in flattened and scrambled copies."""
    figures: list[Figure] = []
    for name, text in outline_texts(corpus).items():
        truth = true_parents(text)
        dice = random.Random(name)  # noqa: S311 - the same copies each time
        any_level = partial(dice.randint, 1, 4)
        copies = {
            "flattened": with_heading_levels(text, lambda: 2),
            "scrambled": with_heading_levels(text, any_level),
        }
        for kind, copy in copies.items():
            found = tree_parents(parse(copy, encoding=estimate_tokens, outline="auto"))
            figures.append(compare(f"{name}, {kind}: parents", truth, found))
    return figures


def untouched_figures(corpus: Path) -> list[Figure]:
    """Measure whether coherent outlines keep all levels, and a contradictory one is repaired."""
    kept: list[str] = []
    texts = outline_texts(corpus)
    for name, text in texts.items():
        document = parse(text, encoding=estimate_tokens, outline="auto")
        if all(change.new_level is None for change in document.outline_changes):
            kept.append(name)
    nist = "std/nist-800-63b"
    parents = tree_parents(parse(texts[nist], encoding=estimate_tokens, outline="auto"))
    deepest = ("5.1.1.2", "5.1.1")
    return [
        compare("untouched outlines that keep all levels", [n for n in texts if n != nist], kept),
        compare(f"{nist}: 5.1.1.2 below 5.1.1", [deepest], [p for p in parents if p == deepest]),
    ]


# -------------------------------------------------------------------- references


def rfc_reference_figures(corpus: Path) -> list[Figure]:
    """Measure whether RFC sentences that cite a section by its anchor resolve to its heading."""
    lines = (corpus / "derived" / "rfc_crossrefs.jsonl").read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    figures: list[Figure] = []
    for name in sorted({record["doc"] for record in records}):
        text = (corpus / name).read_text(encoding="utf-8")
        document = parse(text, encoding=estimate_tokens)
        starts = {section.id: section.start for section in document.root.walk()}
        found = [
            (reference.start, starts[reference.section_id])
            for reference in references_of(document)
            if reference.section_id
        ]
        expected = [record for record in records if record["doc"] == name]
        hits = [
            record["id"]
            for record in expected
            if any(
                abs(start - record["citing_offset"]) < 700 and abs(to - record["spans"][0][0]) < 6
                for start, to in found
            )
        ]
        figures.append(compare(f"{name}: cited sections", [r["id"] for r in expected], hits))
    return figures
