"""Acts in Spanish, French and Portuguese, as converters print them: labels, titles, lead-ins."""

import pytest

from treepack import Source, pack, parse
from treepack.laws import audit
from treepack.numbers.grammar import parse_clause
from treepack.outline.titles.wording import is_title

SEPARATE = """# Reglamento de lámparas

El Consejo Regional ha dado el reglamento siguiente.
Artículo 1.- El presente reglamento norma la instalación de lámparas en las calles de la región.
Artículo 2.- La instalación está a cargo de cada municipio, conforme a lo dispuesto en el
Artículo 5 de la Ley de Municipios, y se hace con sus propios recursos.
**TÍTULO II**
**DE LAS PENAS**
**Artículo 3.-** Quien rompe una lámpara la paga.
**Artículo 4º.-** El alcalde fija el precio.
"""

_LONG = " que se describe con su alto, su ancho, su peso y el color de la luz que da" * 2
TWO_LISTS = f"""# Reglamento

Artículo 1.- Del perfil del proyecto

El perfil contendrá los siguientes elementos:

a) El lugar de la lámpara{_LONG}.

b) El número de personas que pasan por el lugar{_LONG}.

c) El costo de la lámpara y de su cuidado{_LONG}.

Al perfil se adjuntará además lo siguiente:

a) Un plano del lugar{_LONG}.

b) Una copia del acuerdo de los vecinos{_LONG}.

c) Una lista de los nombres{_LONG}.

Artículo 2.- De la aprobación

El alcalde aprueba el perfil en diez días.
"""

AGREEMENT = """# Acuerdo Regional 12

Que, por estas razones, y de conformidad con la ley,

ACUERDA:

ARTÍCULO PRIMERO.- Encargar al consejero de la provincia el despacho de la presidencia del
consejo entre los días trece y catorce de mayo.

ARTÍCULO SEGUNDO.- Encargar a la secretaría del consejo realizar todas las acciones que sean
necesarias para cumplir el presente acuerdo.

ARTÍCULO TERCERO.- El presente acuerdo del consejo, entrará en
vigencia en el día de su aprobación y será publicado en el diario.
"""


def test_articles_at_line_starts_are_clauses_but_cited_articles_are_not() -> None:
    found = [clause.number for clause in parse(Source(SEPARATE, "a.md")).clauses]
    assert [number for number in found if number.isdecimal()] == ["1", "2", "3", "4"]


def test_articles_with_text_on_the_same_line_are_clauses_but_not_headings() -> None:
    document = parse(Source(AGREEMENT, "acuerdo.md"))
    headings = [section.heading.text for section in document.root.walk() if section.heading]
    assert headings == ["Acuerdo Regional 12"]
    assert [clause.number for clause in document.clauses] == ["Primero", "Segundo", "Tercero"]


def test_a_repeated_label_begins_a_new_list_with_its_own_lead_in() -> None:
    source = Source(TWO_LISTS, "reglamento.md")
    chunks = pack(source, target_tokens=64, max_tokens=160)
    (names,) = (chunk for chunk in chunks if "Una lista" in chunk.text)
    assert names.text.startswith("Al perfil se adjuntará además lo siguiente:")
    assert names.segments[0].role != "body"
    assert "El perfil contendrá" not in names.text
    assert not audit(source, chunks).findings


@pytest.mark.parametrize("text", [SEPARATE, TWO_LISTS, AGREEMENT])
@pytest.mark.parametrize("cap", [1024, 128, 64])
def test_acts_of_other_languages_keep_the_laws(text: str, cap: int) -> None:
    source = Source(text, "a.md")
    chunks = pack(source, target_tokens=cap // 2, max_tokens=cap, min_tokens=0)
    assert not audit(source, chunks).findings


@pytest.mark.parametrize(
    "line",
    [
        "El presente acuerdo entrará en vigencia mañana",
        "Encargar al consejero de la provincia, representante de",
        "Les lampes sont allumées",
        "O contrato será assinado pelas partes",
        "De bepalingen van deze wet zijn dwingend",
        "La legge sulle lampade è pubblicata",
    ],
)
def test_a_sentence_in_another_language_is_not_a_title(line: str) -> None:
    assert not is_title(line)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Artículo 13°.- Funciones de la asamblea", "Artículo 13"),
        ("Artículo 17°- Funciones del coordinador (a) de actas", "Artículo 17"),
        ("Artículo 1° .- Nombramiento de los profesionales", "Artículo 1"),
        ("Artículo 5”.- De las lámparas", "Artículo 5"),
        ("Artículo Único.- Apruébase el convenio", "Artículo Único"),
        ("3.3.- El listado será publicado", "3.3"),
        ("5.- Objeto del acuerdo", "5"),
        ("SECCIÓN A.1.**Definiciones.** Según se emplea", "SECCIÓN A.1"),
        ("§ 1oAs lâmpadas são acesas", "§ 1"),
        ("§ 2ºÉ proibido quebrar uma lâmpada", "§ 2"),
        ("Art. 8o-A O guarda acende a lâmpada", "Art. 8-A"),
        ("ARTICULO 12 Bis.- Los guardas", "ARTICULO 12 Bis"),
        ("I - acender a lâmpada;", "I"),
        ("TÍTULO PRELIMINAR", "TÍTULO PRELIMINAR"),
    ],
)
def test_labels_of_latin_american_acts_are_read(text: str, label: str) -> None:
    number = parse_clause(text, "text")
    assert number is not None
    assert number.label == label


@pytest.mark.parametrize(
    "text",
    [
        "Artículo 2° numeral 2, consagra el derecho",
        "§ 1odeste artigo diz",
        "Art. 7º desta Lei",
        "Disposición final de la ley",
        "I am the guard of the lamp",
        "artículo 38º de la misma norma legal",
        "ANEXO DE ESTIPULACIONES",
        "3- 5 days are enough",
    ],
)
def test_citations_and_ordinary_words_are_not_labels(text: str) -> None:
    assert parse_clause(text, "text") is None


@pytest.mark.parametrize(
    "line",
    ["Single sign-on", "Ways and means", "Arithmetic mean", "Bare die", "Father and son", "Log in"],
)
def test_a_title_may_end_with_a_function_word_of_another_language(line: str) -> None:
    assert is_title(line)


@pytest.mark.parametrize("title", ["Primero. Objeto.", "Segundo.", "Tercera. Guardas"])
def test_spanish_ordinals_are_labels_only_in_headings(title: str) -> None:
    number = parse_clause(title)
    assert number is not None
    assert number.label == title.partition(".")[0]
    assert parse_clause(title, "text") is None


def test_english_ordinals_alone_are_not_labels() -> None:
    assert parse_clause("First. Do no harm") is None


BRAZIL = """# Lei das Lâmpadas

## CAPÍTULO I

### SEÇÃO I

Art. 7º A criança e o adolescente têm direito a uma lâmpada.

§ 1º A lâmpada será acesa à noite. [(Incluído pela Lei nº 5)](https://example.org/lei#art5)

§ 2o\u00a0O prefeito publicará as regras. [(Incluído pela Lei nº 5)](https://example.org/lei#art5)

§ 3o\u00a0As regras valem no porto. [(Incluído pela Lei nº 5)](https://example.org/lei#art5)

Art. 8º-A. Compete ao guarda das lâmpadas:

I - acender as lâmpadas de noite;

II - apagar as lâmpadas de dia;

V - limpar o vidro, conforme o

Art. 7º desta Lei.

Art. 9o É proibido quebrar uma lâmpada, e observa-se:

§ 1º O culpado paga a lâmpada.

§ 2º O prefeito fixa o preço.

§ 3º O preço é publicado.
"""


def test_articles_paragraphs_and_roman_points_of_brazilian_acts_are_clauses() -> None:
    numbers = [clause.number for clause in parse(Source(BRAZIL, "lei.md")).clauses]
    points = ["8-A(I)", "8-A(II)", "8-A(V)"]
    assert numbers[2:6] == ["7", "7 § 1", "7 § 2", "7 § 3"]
    assert numbers[6:10] == ["8-A", *points]
    assert numbers[10:] == ["9", "9 § 1", "9 § 2", "9 § 3"]


SPAIN = """# Ley de lámparas

## TÍTULO PRELIMINAR

##### Artículo 1. Objeto.

1. Esta ley regula las lámparas del puerto.

2. No regula las velas.

## Título I. De los faros

##### Artículo 20. Faros.

El alcalde fija el lugar de cada faro.

Artículo 20 bis. Guardas.

1. Cada faro tiene un guarda.

2. El guarda vive en el faro.

Disposición adicional primera. Faros antiguos.

1. Los faros antiguos se conservan.

2. Su guarda puede vivir fuera.

##### Disposición derogatoria única.

1. Queda derogada la ley anterior.

2. Se declaran vigentes sus anexos.

##### Disposición final vigesimoquinta. Entrada en vigor.

Esta ley entra en vigor mañana.
"""


def test_dispositions_of_a_spanish_act_are_clauses() -> None:
    numbers = [clause.number for clause in parse(Source(SPAIN, "ley.md")).clauses]
    first, only = "Disposición adicional primera", "Disposición derogatoria única"
    assert numbers == [
        *("Título Preliminar", "1", "1(1)", "1(2)", "Título I"),
        *("20", "20 bis", "20 bis(1)", "20 bis(2)"),
        *(first, f"{first}(1)", f"{first}(2)", only, f"{only}(1)", f"{only}(2)"),
        "Disposición final vigesimoquinta",
    ]


@pytest.mark.parametrize("cap", [256, 96, 64])
@pytest.mark.parametrize(
    ("text", "name"), [(BRAZIL, "lei.md"), (SPAIN, "ley.md")], ids=["Brazil", "Spain"]
)
def test_brazilian_and_spanish_acts_keep_the_laws(text: str, name: str, cap: int) -> None:
    source = Source(text, name)
    chunks = pack(source, target_tokens=cap // 2, max_tokens=cap, min_tokens=0)
    assert not audit(source, chunks).findings


def test_brazilian_and_spanish_clauses_are_cited_and_found() -> None:
    brazil = pack(Source(BRAZIL, "lei.md"), target_tokens=32, max_tokens=64, min_tokens=0)
    spain = pack(Source(SPAIN, "ley.md"), target_tokens=32, max_tokens=64, min_tokens=0)
    cited = [chunk.citation for chunk in (*brazil, *spain)]
    assert "Lei das Lâmpadas, Art. 7 § 1" in cited
    assert "Lei das Lâmpadas, Art. 9 § 1 to § 2" in cited
    assert "Ley de lámparas, Artículo 20 bis" in cited
    assert [chunk.clause_number for chunk in brazil.find("Art. 7, § 2")] == ["7 § 2"]
    assert [chunk.clause_number for chunk in spain.find("artículo 20 bis")] == ["20 bis"]


def test_sentences_without_spaces_are_not_titles() -> None:
    text = (
        "§ 9 弁\n\n1. 安全のため停止する。圧力が高いときは弁を閉じる。\n\n"
        "2. 弁を開けて圧力を下げる。そのあと電源を切る？\n- 確認する。記録する；\n"
    )
    clauses = parse(Source(text, "d.md")).clauses
    assert [(clause.number, clause.title) for clause in clauses][1:] == [
        ("§ 9(1)", ""),
        ("§ 9(2)", ""),
    ]
