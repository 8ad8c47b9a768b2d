"""Terms that a contract defines: which, where, and in which clause."""

import pytest

from treepack.document.build import parse

CONTRACT = """\
The parties to this agreement (the "Agreement") settle warranties, liability and jurisdiction. ACME
Inc. (each a "**Party**" and both the "**Parties**") signs it (as is).

1. **Definitions**. Words mean what they say.

    (a) "Affiliate" means a company
        that another one owns.

    (b) "Goods" or "Wares" shall mean what is sold; "Price" (in euros) has the meaning given below.

    (c) **Services**: all that is done.

2. **Sale**. The seller says "thank you" and gives "Goods". The goods are sold "AS IS".

3. **Law**. “Court” refers to that of the seller’s town.
"""


def test_terms_are_found_with_their_clause() -> None:
    found = {each.term: each.clause for each in parse(CONTRACT).definitions}
    assert found == {
        "Agreement": None,
        "Party": None,
        "Affiliate": "1(a)",
        "Goods": "1(b)",
        "Wares": "1(b)",
        "Price": "1(b)",
        "Services": "1(c)",
        "Court": "3",
    }


def test_a_definition_is_a_slice_that_begins_with_its_term() -> None:
    text = parse(CONTRACT).source.text
    by_term = {each.term: text[each.start : each.end] for each in parse(CONTRACT).definitions}
    assert by_term["Affiliate"].startswith('"Affiliate" means')
    assert by_term["Affiliate"].endswith("another one owns.")
    assert by_term["Goods"].rstrip() == '"Goods" or'
    assert by_term["Price"].endswith("given below.")


@pytest.mark.parametrize(
    "text",
    [
        'He said "Yes" and went.',
        "The (long) list of 5.",
        "**Note**: nothing is defined.",
        '("low")',
    ],
)
def test_ordinary_quotes_and_brackets_define_nothing(text: str) -> None:
    assert parse(text).definitions == ()


def test_a_term_is_defined_only_at_its_first_definition() -> None:
    text = '"Goods" means one.\n\n"Goods" means another.\n'
    (found,) = parse(text).definitions
    assert found.start == 0


def test_many_quotes_are_read_in_linear_time() -> None:
    assert parse('("' * 20000).definitions == ()
    assert parse('"A' * 20000 + " " * 2000).definitions == ()


def test_terms_in_single_quotes_are_defined_in_the_style_of_eu_law() -> None:
    text = (
        "# Article 4 Definitions\n\n(1) ‘pump’ means any device that moves water;\n\n"
        "(2) ‘the owner’s agent’ means a person who acts for the owner’s heirs;\n\n"
        "(3) ‘water’ is wet, and nobody’s, as the owner’s agent says.\n"
    )
    assert [found.term for found in parse(text).definitions] == ["pump", "the owner’s agent"]


@pytest.mark.parametrize("space", ["", " ", "\u00a0", "\u202f"])
def test_terms_of_french_law_are_found(space: str) -> None:
    text = (
        "# Contrat\n\n## Article 1 - Définitions\n\n"
        f"On entend par «{space}service{space}» la fourniture. Il entend par hasard «{space}rien"
        f"{space}».\n\nPar «{space}Client{space}», on entend la personne servie.\n\n"
        f"Il faut entendre par les mots «{space}temps froid{space}» le gel.\n"
    )
    found = {each.term: each.clause for each in parse(text).definitions}
    assert found == {"service": "1", "Client": "1", "temps froid": "1"}


@pytest.mark.parametrize(
    ("title", "points", "terms"),
    [
        (
            "## § 2 Begriffe",
            "1. Lampe: ein Gerät, das leuchtet;\n\n2. Weg: eine Fläche.",
            "Lampe Weg",
        ),
        (
            "## Artikel 4 Begriffsbestimmungen",
            "1. „Lampe“ ein Gerät, das leuchtet;\n\n2. „Weg“ eine Fläche.",
            "Lampe Weg",
        ),
        ("## Definitions", "(a) lamp: a thing;\n\n(b) road : a strip of land.", "lamp road"),
        (
            "## Article 2 Définitions",
            "1° « lampe » : un objet ;\n\n2° bis « voie » : une bande.",
            "lampe voie",
        ),
        (
            "## Artículo 3 Definiciones",
            "a) «lámpara»: un objeto;\n\nb) «vía»: un suelo.",
            "lámpara vía",
        ),
        ("## Definitions", '"lamp": a thing that gives light.\n\n"road" – a strip.', "lamp road"),
    ],
)
def test_points_of_a_definitions_section_define_the_terms_they_begin_with(
    title: str, points: str, terms: str
) -> None:
    found = [each.term for each in parse(f"# Act\n\n{title}\n\n{points}\n").definitions]
    assert found == terms.split()


def test_points_outside_a_definitions_section_define_nothing() -> None:
    text = "# Act\n\n## Duties\n\n1. Note: keep it.\n\n2. “Lamps” are kept.\n\n"
    text += '## Definitions\n\nThe words "must",\n"may", and "can" are read as written.\n'
    assert parse(text).definitions == ()


def test_capitalised_words_are_defined_in_a_definitions_section() -> None:
    points = "a. Lamp Oil means oil.\n\nb. Keeper of the Lamp has the meaning given by law.\n\n"
    other = "c. This means trouble.\n\n## Duties\n\nd. Salt means nothing here.\n"
    found = parse(f"# Act\n\n## Section 1 – Definitions\n\n{points}{other}").definitions
    assert [each.term for each in found] == ["Lamp Oil", "Keeper of the Lamp"]
