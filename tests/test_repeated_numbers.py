"""Acts whose headings and texts both give a section's number, as in common-law countries."""

import pytest

from treepack import Source, pack, parse
from treepack.laws import audit

_LONG = " of the harbour, its piers, its lamps and its ferries, by day and by night" * 3
ACT = f"""# Harbour Act 1961

## PART 2 Lamps

##### 8. **Duties of the keeper.**

**8.—**(1) The keeper shall light each lamp{_LONG}.

(2) Where a lamp is out, the keeper shall say—

(*a*) which lamp it is{_LONG},

(*b*) since when it has been out{_LONG}, and

(*c*) what is wanted for it{_LONG}.

##### 9 Expenses.

**9.**—The expenses incurred under this Act shall be paid by the Board.

##### 10. Offence.

**10**.— (1) A person who—

(*a*) breaks a lamp{_LONG}, or

(*h*) where a stepped fine is due for it{_LONG},

is guilty of an offence.

(2) Nothing in *section 8* affects a master.
"""
_LISTS_BELOW_HEADINGS = """# Rules

## Section 1 Scope

1. The rules apply to lamps.

2. They do not apply to candles.

## Section 2 Terms

2.—(1) A lamp is a light.

(2) A candle is none.

"""


def test_a_number_repeated_below_its_heading_is_the_same_clause() -> None:
    numbers = [clause.number for clause in parse(Source(ACT, "act.md")).clauses]
    assert numbers[:6] == ["Part 2", "8", "8(1)", "8(2)", "8(2)(a)", "8(2)(b)"]
    assert numbers[6:11] == ["8(2)(c)", "9", "10", "10(1)", "10(1)(a)"]
    assert numbers[-1] == "10(2)"


def test_a_list_below_a_heading_does_not_repeat_its_number() -> None:
    numbers = [clause.number for clause in parse(Source(_LISTS_BELOW_HEADINGS, "rules.md")).clauses]
    assert numbers == ["1", "1(1)", "1(2)", "2", "2(1)", "2(2)"]


ROMAN_POINTS = f"""# Act

## Section 5 Orders

(1) An order shall specify—

(*a*) the name,

(*b*) the pier,

(*c*) the lamp,

(*d*) the ferry,

(*e*) the day,

(*f*) the hour,

(*g*) the master,

(*h*) where a payment is due—

(i) the change for which it is due{_LONG},

(ii) the day of the payment{_LONG}, and

(iii) the sum{_LONG},

and

(i) any other matter that the court names{_LONG}.

(2) The order ends in a year.
"""


NESTED_NUMBERS = """# Data terms

1. <span class="header">Roles</span>

    1. <span class="name">Keeper.</span>  The keeper holds the data, pursuant to this agreement.

2. <span class="header">Work</span>

    1. <span class="name">Work Details.</span>  The annex says what the keeper does with the data.

    2. <span class="name">Work Orders.</span>  The owner orders the keeper to work on the data.

    3. <span class="name">Others.</span>  Others work on the data if the owner agrees.

    4. <span class="name">Nights.</span>  The parties have no liability at night, nor any warranty.

3. <span class="header">Transfers</span>

    1. <span class="name">Leave.</span>  The keeper moves the data only with leave.
"""
CAPITAL_LETTERS = """Terms of the Harbour

A. Lamps.

     1. The lamps are lit at night, as the parties to this agreement say.

     2. A lamp that is broken is mended by the party that broke it.

B. Warranties.

     1. The keeper gives no warranty, and has no liability for the dark.

     2. The owner indemnifies the keeper pursuant to this agreement.
"""


SUPERSCRIPT_NUMBERS = f"""# Lampenvertrag

##### **Art. 5** Pflichten

<sup>1.</sup> Wer eine Lampe betreibt, meldet sie der Hafenbehörde in dem Jahr, in dem er sie baut.

<sup>2.</sup> Pflichten des Betreibers:

- a) das Licht zu löschen{_LONG};

- b) das Glas zu putzen{_LONG}.

<sup>3.</sup> Artikel 8 dieses Vertrags findet sinngemäss Anwendung.

##### **Art. 6** Strafen

2. (1) Wer eine Lampe zerstört, zahlt{_LONG}.

(2) Die Behörde zieht das Geld ein{_LONG}.
"""


@pytest.mark.parametrize("cap", [256, 96, 64])
def test_superscript_numbers_and_first_points_in_breadcrumbs_keep_the_laws(cap: int) -> None:
    source = Source(SUPERSCRIPT_NUMBERS, "vertrag.md")
    chunks = pack(source, target_tokens=cap // 2, max_tokens=cap, min_tokens=0)
    assert not audit(source, chunks).findings
    titles = {clause.number: clause.title for clause in parse(source).clauses}
    assert titles["5(2)"] == "Pflichten des Betreibers"
    assert not titles["5(3)"]


TITLES_BEFORE_POINTS = f"""# FIFTH SCHEDULE

Article 244

4. **Council of the Lamps.—**(1) There shall be a council{_LONG}.

(2) The council shall meet{_LONG}.

5. **Law of the Lamps.—**(1) The Governor may direct{_LONG}.

(2) No law shall apply{_LONG}.

## Article R8

Für die Zwecke dieses Abkommens:

<sup>(1)</sup> bezieht sich der Begriff «Lampe» auf

- (a) Lichter{_LONG};

- (b) Feuer{_LONG}.

<sup>(2)</sup> bezieht sich der Begriff «Hafen» auf Molen{_LONG}.
"""


LAWFUL_TEXTS: dict[str, tuple[str, str, tuple[int, ...]]] = {
    "emphasised points": (ACT, "act.md", (1024, 128, 64)),
    "roman points below the letter h": (ROMAN_POINTS, "act.md", (128, 112, 96, 80)),
    "nested numbers": (NESTED_NUMBERS, "a.md", (512, 96, 64)),
    "capital letters": (CAPITAL_LETTERS, "a.txt", (512, 96, 64)),
    "titles and superscripts before points": (
        TITLES_BEFORE_POINTS,
        "schedule.md",
        (256, 160, 96, 64),
    ),
}
"""Texts by what is special in them, each with its name and the caps to test."""


@pytest.mark.parametrize(
    ("kind", "cap"), [(kind, cap) for kind, (*_, caps) in LAWFUL_TEXTS.items() for cap in caps]
)
def test_chunks_of_texts_with_unusual_numbers_keep_the_laws(kind: str, cap: int) -> None:
    text, name, _ = LAWFUL_TEXTS[kind]
    source = Source(text, name)
    chunks = pack(source, target_tokens=cap // 2, max_tokens=cap, min_tokens=0)
    assert not audit(source, chunks).findings


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("5.1 Coercive measures include:", ""),
        ("5.1 Coercive Measures:", "Coercive Measures"),
        ("5.1 **Coercive measures**:", "Coercive measures"),
    ],
)
def test_a_line_that_introduces_points_is_a_title_only_with_capitals_or_bold(
    line: str, title: str
) -> None:
    text = f"# Treaty\n\n{line}\n\n(a) the search of a house;\n\n(b) the seizure of a lamp.\n\n"
    first, *_ = parse(Source(f"{text}5.2 Others are possible.\n", "treaty.md")).clauses
    assert (first.number, first.title) == ("5.1", title)
