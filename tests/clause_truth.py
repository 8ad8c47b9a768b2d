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
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from case_files import parts_of
from clause_texts import references_of

from treepack import Document
from treepack.clauses.clause import Clause
from treepack.clauses.walk import find_clauses
from treepack.document.build import parse
from treepack.model.section import Section
from treepack.numbers.words import Place


def estimate_tokens(text: str) -> int:
    """A token counter that costs nothing."""
    return len(text) // 4


class Figure(NamedTuple):
    """Precision and recall of a truth file, with the number of expected keys and all misses."""

    name: str
    precision: float
    recall: float
    expected: int
    misses: tuple[str, ...]


def compare(name: str, expected: Iterable[Any], found: Iterable[Any]) -> Figure:
    """Compare two multisets."""
    want, have = Counter(expected), Counter(found)
    hits = (want & have).total()
    wrong = [f"wrong {key}" for key in have - want] + [f"missing {key}" for key in want - have]
    precision, recall = (hits / all_.total() if all_ else 1.0 for all_ in (have, want))
    return Figure(name, precision, recall, want.total(), tuple(wrong))


def clauses_of(text: str) -> tuple[Clause, ...]:
    """All clauses of a text."""
    return find_clauses(parse(text, encoding=estimate_tokens))


# -------------------------------------------------------------------- labelled lines

_ESCAPES = (("\\u00a0", "\u00a0"), ("\\u3000", "\u3000"), ("\\t", "\t"), ("\\\\", "\\"))
LINES: Final = dict(parts_of("clause_lines.txt"))


def labelled_lines(kind: str) -> list[tuple[str, Place]]:
    """Return the lines of a kind, and where each of them stands."""
    found: list[tuple[str, Place]] = []
    places: tuple[Place, ...] = ("heading", "text")
    for place in places:
        text = "\n".join(LINES[f"{kind} in {place}s"])
        for escape, sign in _ESCAPES:
            text = text.replace(escape, sign)
        found += [(line, place) for line in re.split(r"\n| ¦ ", text)]
    return found


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

EU_POINTS: Final = dict(parts_of("eu_points.txt"))


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
    labels = [line.split("|") for line in EU_POINTS[name]]
    points = [(number, point) for number, *below in labels for point in below]
    below = list(_below(clauses))
    for where, pattern in (("", r"\d+$"), (" of annexes", "Annex")):
        if wanted := [key for key in points if re.match(pattern, key[0])]:
            ours = [key for key in below if re.match(pattern, key[0])]
            figures.append(compare(f"EU {name}: points{where}", wanted, ours))
    if recitals := truth.get("recitals"):
        found = [c.number for c in clauses if c.number.startswith("Recital ")]
        expected = [f"Recital {item['recital_number']}" for item in recitals]
        figures.append(compare(f"EU {name}: recitals", expected, found))
    return figures


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
    ((_, lines),) = parts_of("german_law.txt")
    rows = [row.split(" ", 2) for row in lines]
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
_SECTION_NUMBER = re.compile(r'class="section-number[^"]*"[^>]*>([^<]*)<')


def html_headings(path: Path) -> tuple[str, list[str]]:
    """Return an HTML page's headings as markdown, and the section numbers that its markup names."""
    lines: list[str] = []
    numbers: list[str] = []
    for match in _PRINTED.finditer(path.read_text(encoding="utf-8")):
        marked = _SECTION_NUMBER.search(match[2])
        if marked:
            numbers.append(html.unescape(marked[1]).strip().rstrip("."))
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
        if match := re.match(r"([A-Z]\.\d+|\d+(\.\d+)*)(?= [A-Z])|Appendix [A-Z]\b", title):
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

    A dotted number's parent is its longest prefix among the headings; the others' is the one of
    the untouched outline.
    """
    trusted = tree_parents(parse(text, encoding=estimate_tokens, outline="trust"))
    known = {label for label, _ in trusted}
    found: list[tuple[str, str | None]] = []
    for label, above in trusted:
        dots = [match.start() for match in re.finditer(r"\.", label)]
        prefixes = [label[:dot] for dot in reversed(dots)]
        named = [n for prefix in prefixes for n in (prefix, f"APPENDIX {prefix}") if n in known]
        found.append((label, named[0] if named else above))
    return found


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
        dice = random.Random(name)  # noqa: S311 - the same copies each time
        scrambled = with_heading_levels(text, partial(dice.randint, 1, 4))
        flattened = _HEADING.sub("##", text)
        for kind, copy in (("flattened", flattened), ("scrambled", scrambled)):
            found = tree_parents(parse(copy, encoding=estimate_tokens, outline="auto"))
            figures.append(compare(f"{name}, {kind}: parents", true_parents(text), found))
    return figures


# -------------------------------------------------------------------- references


def rfc_reference_figures(corpus: Path) -> list[Figure]:
    """Measure whether RFC sentences that cite a section by its anchor resolve to its heading."""
    lines = (corpus / "derived" / "rfc_crossrefs.jsonl").read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    figures: list[Figure] = []
    for name in sorted({record["doc"] for record in records}):
        document = parse((corpus / name).read_text(encoding="utf-8"), encoding=estimate_tokens)
        starts = {section.id: section.start for section in document.root.walk()}
        found = [
            (each.start, starts[each.section_id])
            for each in references_of(document)
            if each.section_id
        ]
        cited = {each["id"]: each for each in records if each["doc"] == name}
        hits = [
            id_
            for id_, record in cited.items()
            if any(
                abs(at - record["citing_offset"]) < 700 and abs(to - record["spans"][0][0]) < 6
                for at, to in found
            )
        ]
        figures.append(compare(f"{name}: cited sections", [*cited], hits))
    return figures
