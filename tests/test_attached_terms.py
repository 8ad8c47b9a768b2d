"""Attaching the definitions of terms after a chunk that uses them, and how many are found."""

import re

import pytest
from by_eye import attached_definitions, packed, some

from treepack import Chunk, audit, parse

LEASE = """\
# Lease

This lease (the "Agreement") is made by Anna Berg (the "Landlord") and Carl Dorn (the "Tenant").

## Definitions

"Premises" means the flat on the second floor.

"Common Areas" or "Shared Areas" means the stairs, and "Keys" means what opens them.

**Deposit**: three rents.

## Rent

The Tenant pays the Rent for the Premises each month. w w w w w w w w w w w w w w w

## Care

Nobody keeps bikes in a shared area, in Shared Areas or on Premises. w w w w w w w w w
"""

# Written by hand: the terms that each sentence defines, and sentences that only look so.
EXPECTED_TERMS = {
    '"Affiliate" means a company that another one owns.': ["Affiliate"],
    "“Board” shall mean the board of the Seller.": ["Board"],
    '"Cause" has the meaning given in Section 9.': ["Cause"],
    '"Date", for the purposes of Section 2, means a day.': ["Date"],
    '"Effects" or "Goods" means what is sold.': ["Effects", "Goods"],
    '"Fees" (in euros) means what is due.': ["Fees"],
    "„Ware“ bezeichnet alles, was verkauft wird.": ["Ware"],
    "«Locataire» désigne celui qui loue.": ["Locataire"],
    '"Hours" refers to those of the shop; "Icon" means a small picture.': ["Hours", "Icon"],
    "``Job'' means the work to be done.": ["Job"],
    'ACME Inc., a company of Ohio (the "Knight"), sells it.': ["Knight"],
    'Both (each a "Line" and together the "Lines") agree.': ["Line"],
    'It is sold under a plan (as amended, the "**Main Plan**").': ["Main Plan"],
    '"Net Price" includes the tax.': ["Net Price"],
    '"Order" shall have the meaning of Annex A.': ["Order"],
    '**"Parts"** are those that Annex B names.': ["Parts"],
    '"Quarter" is defined as three months.': ["Quarter"],
    'The seller says "thank you" and goes.': [],
    'Anna Berg, who lives in Bonn, hereinafter referred to as "Rider", signs.': ["Rider"],
    '"Site" as used in this Agreement shall mean the yard.': ["Site"],
    "Paid (in full) by the buyer.": [],
    'It is sold "AS IS" and "WITH ALL FAULTS".': [],
    "**Note**: the heading above says all.": [],
    'The label "Fragile" stands on each box.': [],
    'Write to the address ("12 High Street") below.': [],
    'See the chapter "Means of Payment" of the guide.': [],
    "A term means what it says.": [],
}


def lease_chunks(cap: int) -> list[Chunk]:
    return list(packed(LEASE, cap, attach_definitions=True, sections="separate"))


def test_nearly_all_defined_terms_are_found() -> None:
    text = "\n\n".join(["# Terms", *EXPECTED_TERMS]) + "\n"
    expected = [term for terms in EXPECTED_TERMS.values() for term in terms]
    found = [each.term for each in parse(text).definitions]
    right = set(found) & set(expected)
    assert len(right) >= 0.95 * len(found), set(found) - set(expected)
    assert len(right) >= 0.9 * len(expected), set(expected) - set(found)


def test_a_used_term_attaches_its_definition() -> None:
    chunk = next(chunk for chunk in lease_chunks(70) if "pays the Rent" in chunk.text)
    parties = LEASE.split("\n")[2].removesuffix(".")
    assert attached_definitions(chunk) == [
        parties,
        '"Premises" means the flat on the second floor.',
    ]
    assert "second floor" not in chunk.lexical_text
    assert chunk.embed_token_count <= 70


def test_terms_that_are_defined_together_attach_one_definition() -> None:
    chunk = next(chunk for chunk in lease_chunks(70) if "Nobody keeps" in chunk.text)
    assert attached_definitions(chunk) == [
        '"Premises" means the flat on the second floor.',
        '"Common Areas" or "Shared Areas" means the stairs, and "Keys" means what opens them.',
    ]


def test_a_term_defined_after_its_meaning_attaches_that_sentence() -> None:
    first = 'Anna Berg, who lives in Bonn, hereinafter referred to as "Rider"'
    text = f"It begins.  {first}, signs.\n\n{some(24)}\n\nThe Rider {some(6)}.\n"
    assert attached_definitions(packed(text, 28, attach_definitions=True)[-1]) == [first]


def test_definitions_that_do_not_fit_are_left_out() -> None:
    plain = {chunk.index: chunk.lexical_text for chunk in packed(LEASE, 32, sections="separate")}
    for chunk in lease_chunks(32):
        assert chunk.embed_token_count <= 32
        assert chunk.lexical_text == plain[chunk.index]


def test_a_definition_in_the_chunk_itself_is_not_repeated() -> None:
    (whole,) = packed(LEASE, 400, attach_definitions=True)
    assert attached_definitions(whole) == []


def test_a_lower_case_word_is_not_a_term() -> None:
    text = f'"control" means power.\n\n{some(20)}\n\nOut of control {some(8)}.\n'
    assert not any(
        attached_definitions(chunk) for chunk in packed(text, 24, attach_definitions=True)
    )


@pytest.mark.parametrize("use", ["The Goods are sold", "All\nGoods are", "both Good Goods"])
def test_a_term_in_its_exact_form_is_a_use(use: str) -> None:
    text = f'"Goods" means wares.\n\n{some(20)}\n\n{use} {some(8)}.\n'
    assert attached_definitions(packed(text, 24, attach_definitions=True)[-1]) == [
        '"Goods" means wares.'
    ]


@pytest.mark.parametrize("use", ["The Goodness is", "No goods", "A Good thing"])
def test_a_similar_word_is_not_a_use_of_a_term(use: str) -> None:
    text = f'"Goods" means wares.\n\n{some(20)}\n\n{use} {some(8)}.\n'
    assert attached_definitions(packed(text, 24, attach_definitions=True)[-1]) == []


@pytest.mark.parametrize("marks", ["“”", "„“", "«»", "‘’"])
@pytest.mark.parametrize("cap", [48, 70])
def test_a_term_may_be_in_any_quotation_marks(marks: str, cap: int) -> None:
    """It is found, attached and accepted by the audit, as with straight quotation marks."""
    text = re.sub('"([^"]*)"', rf"{marks[0]}\1{marks[1]}", LEASE)
    chunks = packed(text, cap, attach_definitions=True, sections="separate")
    assert any(map(attached_definitions, chunks))
    assert not chunks.audit().findings
    straight = str.maketrans(dict.fromkeys(marks, '"'))
    assert [
        [each.translate(straight) for each in attached_definitions(chunk)] for chunk in chunks
    ] == [attached_definitions(chunk) for chunk in lease_chunks(cap)]


@pytest.mark.parametrize("point", ["a. Net Price means the price", "(a) Net Price: the price"])
def test_the_audit_recognises_an_unquoted_term_that_begins_a_point(point: str) -> None:
    use = f"They pay the Net Price each month, {some(16)}."
    text = f"# Sale\n\n## 1. Definitions\n\n{point} without tax.\n\n## 2. Payment\n\n{use}\n"
    chunks = packed(text, 48, attach_definitions=True, sections="separate")
    (definition,) = attached_definitions(chunks[-1])
    assert definition == f"{point[point.index('Net') :]} without tax."
    assert not chunks.audit().findings
    other = definition.replace("Net", "Our")
    forged = Chunk.model_validate_json(chunks[-1].model_dump_json().replace(definition, other))
    report = audit(text.replace(definition, other), [*chunks[:-1], forged])
    assert any("does not use" in finding.reason for finding in report.findings)


def test_code_defines_no_terms() -> None:
    text = (
        '# A\n\n```python\nprint("Wait for it")\n("Goods")\n```\n\n    ("Other Goods")\n\n'
        'Call print("Hello World") for the pump (the "Pump").\n'
    )
    assert [each.term for each in parse(text).definitions] == ["Pump"]
