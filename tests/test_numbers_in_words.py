"""Numbers in words, and numbers before their word, as in contracts and acts of many countries."""

import pytest

from treepack import Document, Source, pack, parse
from treepack.laws import audit
from treepack.numbers.grammar import parse_clause

SIZES = ((512, 1024), (60, 120), (32, 64))


@pytest.mark.parametrize(
    ("title", "kind", "label", "part"),
    [
        ("ARTICLE ONE", "article", "ARTICLE ONE", "1"),
        ("Article Twenty-One. Notices", "article", "Article Twenty-One", "21"),
        ("Part Two: The parties", "part", "Part Two", "2"),
        ("THE FIRST SCHEDULE", "annex", "THE FIRST SCHEDULE", "1"),
        ("Second Schedule Fees", "annex", "Second Schedule", "2"),
        ("Erster Abschnitt Allgemeines", "section", "Erster Abschnitt", "1"),
        ("Einundzwanzigster Abschnitt", "section", "Einundzwanzigster Abschnitt", "21"),
        ("1. Abschnitt: Allgemeines", "section", "1. Abschnitt", "1"),
        ("II. Teil", "part", "II. Teil", "II"),
        ("TITRE PREMIER", "title", "TITRE PREMIER", "1"),
        ("CHAPITRE DEUXIEME - Des peines", "chapter", "CHAPITRE DEUXIEME", "2"),
        ("Article premier", "article", "Article premier", "1"),
        ("CAPÍTULO SEGUNDO", "chapter", "CAPÍTULO SEGUNDO", "2"),
        ("CLÁUSULA PRIMEIRA – Objeto", "clause", "CLÁUSULA PRIMEIRA", "1"),
        ("Artículo 5.º Ámbito", "article", "Artículo 5", "5"),
        ("PRIMERA.- Objeto", "clause", "PRIMERA", "1"),
        ("DÉCIMA SEGUNDA.- Gastos", "clause", "DÉCIMA SEGUNDA", "12"),
        ("SECOND: The office is in the town.", "clause", "SECOND", "2"),
        ("**SEGUNDA**: Plazo", "clause", "SEGUNDA", "2"),
        ("**The** First Schedule", "annex", "The First Schedule", "1"),
        ("**Part**&nbsp;Two", "part", "Part Two", "2"),
        ("Exhibit A-1", "annex", "Exhibit A-1", "A-1"),
        ("Schedule 10-K", "annex", "Schedule 10-K", "10-K"),
        ("TITOLO PRIMO", "title", "TITOLO PRIMO", "1"),
        ("Hoofdstuk 2 Plichten", "chapter", "Hoofdstuk 2", "2"),
        ("Статья 5. Определения", "article", "Статья 5", "5"),
    ],
)
def test_labels_with_numbers_in_words_are_read(
    title: str, kind: str, label: str, part: str
) -> None:
    number = parse_clause(title)
    assert number is not None
    assert (number.kind, number.label, number.parts) == (kind, label, (part,))


@pytest.mark.parametrize(
    "text",
    [
        "First Section of the walk",
        "First Book Review",
        "Second Part of my journey",
        "One Article",
        "FIRST AID: burns and cuts",
        "Third - party goods",
        "SECOND HAND GOODS:",
        "Second: do this",
        "Prima facie evidence",
        "Erster Teil der Reise",
        "Zweite Sitzung",
        "Article Two applies to all goods",
        "The Third Man",
        "Part time work",
        "Section requires that",
        "ONE: first things first",
    ],
)
def test_phrases_with_number_words_are_not_labels(text: str) -> None:
    assert parse_clause(text) is None
    assert parse_clause(text, "text") is None


def test_a_number_before_a_division_word_in_prose_stays_a_plain_number() -> None:
    number = parse_clause("1. Teil des Ganzen")
    assert number is not None
    assert number.kind == "decimal"


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("Twenty-one", 21),
        ("TWENTY ONE", 21),
        ("Vigésima Segunda", 22),
        ("dritten", 3),
        ("Neununddreißigster", 39),
        ("one-two", None),
        ("twenty twenty", None),
        ("lamp", None),
        ("second-hand", None),
    ],
)
def test_numbers_in_words_have_their_value(words: str, value: int | None) -> None:


SALE = """AGREEMENT OF SALE

This Agreement is made between Alpha Mills and Beta Stores, who agree as follows.

ARTICLE ONE

DEFINITIONS

1.1 "Goods" means the flour that the seller mills in its works.

1.2 "Price" means the sum that the buyer pays under Article Two for the Goods.

ARTICLE TWO

PRICE AND PAYMENT

2.1 The buyer shall pay the Price within thirty days of delivery, as Article Two of
the Trade Act says.

2.2 If the buyer does not pay, the seller may withhold further deliveries.

ARTICLE THREE

TERM

3.1 This Agreement begins on the first of March and ends after a year.
"""

LEASE = """CONTRATO DE ARRENDAMIENTO

REUNIDOS

De una parte, la sociedad Molinos del Norte, y de otra parte, la sociedad Tiendas del Sur, que se
reconocen capacidad para contratar.

CLÁUSULAS

PRIMERA.- OBJETO. El arrendador cede al arrendatario el uso del local que se describe en el anexo,
para el ejercicio de su comercio.

SEGUNDA.- DURACIÓN. El contrato tendrá una duración de tres años desde la firma, y se prorrogará
por plazos iguales si ninguna de las partes lo denuncia.

TERCERA.- RENTA. El arrendatario pagará la renta en los primeros cinco días del mes:

a) por transferencia a la cuenta del arrendador;

b) o en efectivo contra recibo.

CUARTA.- FIANZA. El arrendatario entrega dos mensualidades de renta como fianza.
"""

LAMPS_ACT = """# The Lamps Act

## 1. Short title

This Act may be called the Lamps Act.

## 2. Duty

Every owner of a house that is named in the First Schedule shall keep a lamp.

## THE FIRST SCHEDULE

1. Houses at a corner.

2. Houses at a bridge.

## THE SECOND SCHEDULE

1. Form of notice.

2. Form of appeal.
"""

LAMPENGESETZ = """# Bundesgesetz über Lampen

## 1. Abschnitt: Allgemeines

### § 1 Zweck

(1) Dieses Gesetz regelt, wer Lampen an Wegen aufstellt.

(2) Es gilt nicht für Lampen in Häusern.

## 2. Abschnitt: Pflichten

### § 2 Aufstellung

(1) Die Gemeinde stellt Lampen auf.

(2) Sie prüft sie jedes Jahr.
"""


def clause_numbers(document: Document) -> list[str]:
    return [clause.number for clause in document.clauses]


def test_articles_numbered_in_words_contain_their_sections_and_are_cited() -> None:
    source = Source(SALE, "sale.txt")
    document = parse(source)
    assert clause_numbers(document) == ["One", "1.1", "1.2", "Two", "2.1", "2.2", "Three", "3.1"]
    titles = [clause.title for clause in document.clauses if clause.title]
    assert titles == ["DEFINITIONS", "PRICE AND PAYMENT", "TERM"]
    chunks = pack(source, target_tokens=32, max_tokens=64)
    assert [chunk.citation for chunk in chunks][1:3] == [
        "AGREEMENT OF SALE, Article One",
        "AGREEMENT OF SALE, Article Two",
    ]


def test_references_in_words_resolve_unless_they_name_another_act() -> None:
    found = [(r.text, r.kind, r.target) for r in parse(Source(SALE, "sale.txt")).references]
    assert found == [("Article Two", "clause", "Two"), ("Article Two", "external", "Article Two")]


def test_clauses_of_a_spanish_contract_are_named_by_their_ordinals() -> None:
    source = Source(LEASE, "arrendamiento.txt")
    document = parse(source)
    assert clause_numbers(document) == [
        "Primera",
        "Segunda",
        "Tercera",
        "Tercera(a)",
        "Tercera(b)",
        "Cuarta",
    ]
    assert [clause.title for clause in document.clauses if clause.title] == [
        "OBJETO",
        "DURACIÓN",
        "RENTA",
        "FIANZA",
    ]


def test_schedules_with_ordinals_restart_numbering_and_are_cited() -> None:
    document = parse(Source(LAMPS_ACT, "lamps.md"))
    assert clause_numbers(document)[2:] == [
        "First Schedule",
        "First Schedule(1)",
        "First Schedule(2)",
        "Second Schedule",
        "Second Schedule(1)",
        "Second Schedule(2)",
    ]
    reference = next(iter(document.references))
    assert (reference.text, reference.kind) == ("First Schedule", "annex")
    assert reference.target == "First Schedule"


def test_divisions_with_the_number_before_the_word_contain_their_sections() -> None:
    document = parse(Source(LAMPENGESETZ, "lampen.md"))
    assert [clause.path for clause in document.clauses if clause.kind == "section"] == [
        ("1. Abschnitt",),
        ("1. Abschnitt", "§ 1"),
        ("2. Abschnitt",),
        ("2. Abschnitt", "§ 2"),
    ]


@pytest.mark.parametrize("text", [SALE, LEASE, LAMPS_ACT, LAMPENGESETZ])
@pytest.mark.parametrize("name", ["a.md", "a.txt"])
def test_documents_numbered_in_words_keep_the_laws(text: str, name: str) -> None:
    source = Source(text, name)
    for target, cap in SIZES:
        chunks = pack(source, target_tokens=target, max_tokens=cap)
        assert not audit(source, chunks).findings


def test_inserted_points_of_french_law_follow_the_point_before() -> None:
    text = "# Loi\n\n## Article 3\n\nLes lampes sont :\n\n1° allumées ;\n\n2° éteintes ;\n\n"
    text += "2° bis nettoyées ;\n\n3° comptées.\n"
    assert clause_numbers(parse(text)) == ["3", "3(1°)", "3(2°)", "3(2° bis)", "3(3°)"]


@pytest.mark.parametrize(
    ("text", "name", "start"),
    [
        (SALE, "Article Two", "ARTICLE TWO"),
        (SALE, "ARTICLE TWO", "ARTICLE TWO"),
        (LAMPS_ACT, "the First Schedule", "## THE FIRST SCHEDULE"),
        (LEASE, "Cláusula Segunda", "SEGUNDA.-"),
        (LEASE, "TERCERA(a)", "TERCERA.-"),
    ],
)
def test_clauses_numbered_in_words_are_found_by_their_citation(
    text: str, name: str, start: str
) -> None:
    chunks = pack(Source(text, "a.txt" if text != LAMPS_ACT else "a.md"), max_tokens=64)
    assert [chunk.text[: len(start)] for chunk in chunks.find(name)] == [start]


def test_a_reference_uses_the_longest_number_in_words() -> None:
    articles = ("TWENTY", "TWENTY-ONE")
    text = "\n\n".join(f"## ARTICLE {name}\n\nGoods are kept dry." for name in articles)
    text += (
        "\n\n## ARTICLE TWENTY-TWO\n\nArticle Twenty-one and the rules of Article Twenty hold.\n"
    )
    found = [each.target for each in parse(Source(f"# Sale\n\n{text}", "a.md")).references]
    assert found == ["Twenty-one", "Twenty"]


def test_article_premier_in_a_separate_paragraph_is_a_clause() -> None:
    text = "# Loi\n\nArticle premier\n\nLa loi vaut.\n\nArticle 2\n\nElle vaut partout.\n"
    assert clause_numbers(parse(Source(text, "loi.md"))) == ["premier", "2"]


def test_a_number_inside_a_compound_word_is_not_a_label() -> None:
    assert parse_clause("Part Two-thirds of the goods") is None
