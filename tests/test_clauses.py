"""Clauses: the grammar of lines, the running numbering, tables of requirements, truth files."""

import os
import random
import re
import textwrap
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Final

import clause_truth
import laws
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import any_text, documents, generated

from treepack import PackConfig, audit, pack
from treepack.clauses.clause import Clauses
from treepack.clauses.titles import run_in_title
from treepack.document.build import parse
from treepack.numbers.clause_number import Place
from treepack.numbers.grammar import parse_clause
from treepack.numbers.words import KIND_OF_WORD, chinese_value
from treepack.roman_numerals import roman_value

CORPUS = os.environ.get("TREEPACK_CORPUS", "")
needs_corpus = pytest.mark.skipif(not CORPUS, reason="TREEPACK_CORPUS names no folder")

POSITIVE = clause_truth.positive_lines()
NEGATIVE = clause_truth.negative_lines()


# -------------------------------------------------------------------- the grammar


@pytest.mark.parametrize(("kind", "parts", "line", "place"), POSITIVE)
def test_a_clause_number_is_read(kind: str, parts: str, line: str, place: Place) -> None:
    number = parse_clause(line, place)
    assert number is not None
    assert (number.kind, " ".join(number.parts)) == (kind, parts)


@pytest.mark.parametrize(("line", "place"), NEGATIVE)
def test_what_is_not_surely_a_clause_is_none(line: str, place: Place) -> None:
    """A false clause sends a reader to the wrong place; a missing one only widens the place."""
    assert parse_clause(line, place) is None


def test_the_labelled_lines_are_many() -> None:
    assert len(POSITIVE) >= 300
    assert len(NEGATIVE) >= 300


@given(any_text)
@generated
@example("1" * 5000)
@example("1." * 5000)
@example("(" * 5000)
@example("Article " * 2000)
@example("**" * 4000 + "1")
@example("<a" * 3000)
@example("٣.٤ نص")
@example("²")
def test_any_text_is_read_without_an_exception(text: str) -> None:
    for place in ("heading", "text"):
        number = parse_clause(text, place)
        assert number is None or (number.parts and all(number.parts))


@pytest.mark.parametrize("value", range(1, 200))
def test_roman_numerals_are_told_from_words(value: int) -> None:
    tens = ("", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX", "XC")
    ones = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")
    numeral = "C" * (value // 100) + tens[value // 10 % 10] + ones[value % 10]
    assert roman_value(numeral) == roman_value(numeral.lower()) == value


@pytest.mark.parametrize("word", ["", "mix", "did", "civil", "livid", "IIII", "VX", "IC", "XM"])
def test_words_are_no_roman_numerals(word: str) -> None:
    assert roman_value(word) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("十", 10), ("十二", 12), ("二十", 20), ("一百二十", 120), ("7", 7), ("２０", 20)),
        *(("一百零五", 105), ("一千零二十", 1020), ("九千九百九十九", 9999), ("两百", 200)),
        *(("二〇", 20), ("一二", 12), ("一〇一", 101), ("二〇二四", 2024), ("12345", 12345)),
        *(("零", 0), ("0", 0), ("", None), ("一x", None), ("2十", None)),
    ],
)
def test_chinese_numerals_have_their_value(text: str, value: int | None) -> None:
    assert chinese_value(text) == value


# -------------------------------------------------------------------- the running numbering


def numbers(text: str) -> list[str]:
    """The numbers of all clauses, as cited."""
    return [clause.number for clause in parse(text).clauses]


def blocks(*texts: str) -> str:
    """Join blocks with blank lines between them."""
    return "\n\n".join(texts) + "\n"


EU_LAW = blocks(
    "# Regulation on toys",
    "## Recitals",
    "(1) Toys are played with.",
    "(2) Some are sharp.",
    "## CHAPTER I",
    "### Article 1 — Subject matter",
    "1.\u00a0\u00a0\u00a0This Regulation lays down rules.",
    "2.\u00a0\u00a0\u00a0It applies to:",
    "(a)",
    "toys of wood;",
    "(b)",
    "toys of tin:",
    "(i)",
    "painted;",
    "(ii)",
    "bare;",
    "(c)",
    "other toys.",
    "It does not apply to tools.",
    "3.\u00a0\u00a0\u00a0The rules are kept.",
    "### Article 2",
    "Toys are safe.",
    "(a)",
    "always;",
    "Done at Somewhere, 1 May.",
    "(1)",
    "A note on the sources.",
    "ANNEX I",
    "1. First point",
    "(a)",
    "under it",
    "2. Second point",
)


def test_eu_labels_in_paragraphs_of_their_own_give_points() -> None:
    """454 labels of the AI Act are paragraphs, so a number must carry over to later paragraphs."""
    assert numbers(EU_LAW) == [
        *("Recital 1", "Recital 2", "Chapter I"),
        *("1", "1(1)", "1(2)", "1(2)(a)", "1(2)(b)", "1(2)(b)(i)", "1(2)(b)(ii)", "1(2)(c)"),
        *("1(3)", "2", "2(a)"),
        *("Annex I", "Annex I(1)", "Annex I(1)(a)", "Annex I(2)"),
    ]


def test_a_path_has_all_labels_from_the_outermost_clause() -> None:
    clause = next(c for c in parse(EU_LAW).clauses if c.number == "1(2)(b)(ii)")
    assert clause.path == ("CHAPTER I", "Article 1", "2", "(b)", "(ii)")


def test_a_clause_ends_where_the_next_of_its_rank_begins() -> None:
    found = {clause.number: clause for clause in parse(EU_LAW).clauses}
    assert found["1(2)"].end == found["1(3)"].start
    assert found["1(2)(b)"].end == found["1(2)(c)"].start
    assert found["1(2)(b)(ii)"].end == found["1(2)(c)"].start
    assert found["1"].end <= found["2"].start


def test_german_law_has_paragraphs_numbers_and_letters() -> None:
    text = blocks(
        "# Spielzeuggesetz",
        "## Abschnitt 1 - Allgemeines",
        "### § 1 Zweck",
        "(1) Spielzeug ist",
        "1.  aus Holz,",
        "2.  aus Blech, und zwar\n\n    a)  bemalt,\n\n\n    b)  blank,",
        "2a. aus Papier,",
        "3.  aus Stoff.",
        "Werkzeug gehört nicht dazu.",
        "(1a) Eingefügtes gilt.",
        "(2) Satz.",
        "### § 2 (weggefallen)",
        "### § 3a Neues",
        "Ein Satz ohne Absatz.",
    )
    assert numbers(text) == [
        *("Abschnitt 1", "§ 1", "§ 1(1)", "§ 1(1)(1)", "§ 1(1)(2)"),
        *("§ 1(1)(2)(a)", "§ 1(1)(2)(b)", "§ 1(1)(2a)", "§ 1(1)(3)", "§ 1(1a)", "§ 1(2)"),
        *("§ 2", "§ 3a"),
    ]


def test_a_list_item_ends_its_clause() -> None:
    """Text after a list, at the outer level, belongs to the outer clause."""
    text = blocks(
        "### § 1 Zweck", "(1) Es gilt", "1.  dies,", "2.  das.", "Sonst nicht.", "(2) Ende."
    )
    found = {clause.number: clause for clause in parse(text).clauses}
    offset = text.index("Sonst")
    assert found["§ 1(1)(2)"].end <= offset < found["§ 1(1)"].end


def test_a_contract_of_bold_paragraphs() -> None:
    text = blocks(
        "# Supply agreement",
        "**1.\tDefinitions.**",
        "**1.1.\tGoods.** Goods are things.",
        "**1.2.\tParty.** A party is one of us:",
        "(a) the buyer; or",
        "(b) the seller.",
        "**2.\tDelivery.** Goods are sent.",
        "**3.\tPrice.**",
        "**3.1.\tAmount.** It is paid.",
    )
    assert numbers(text) == ["1", "1.1", "1.2", "1.2(a)", "1.2(b)", "2", "3", "3.1"]


LICENCE = blocks(
    "SHARING LICENCE",
    "This agreement binds the parties; notwithstanding a breach, the licensor gives no warranty.",
    "0. This licence holds for any work whose licensor says so.",
    "What else the parties do is outside of it.",
    "1. **Copying**. You may copy the work, and the licensee bears all liability.",
    "2. **Changing**. You may change the work, provided that you also:\n\n    a) say so; and\n\n"
    "    b) say when.",
    "These conditions hold for the whole.",
    "3. **Ending**. On termination, all sublicensees keep their rights.",
)


def test_clauses_whose_titles_run_into_the_text_need_no_headings() -> None:
    found = parse(LICENCE).clauses
    assert [c.number for c in found] == ["0", "1", "2", "2(a)", "2(b)", "3"]
    assert [c.title for c in found] == ["", "Copying", "Changing", "", "", "Ending"]
    for clause in found:
        span = clause.title_span
        assert (LICENCE[span[0] : span[1]] if span else "") == clause.title
    by_number = {c.number: c for c in found}
    assert by_number["0"].end == by_number["1"].start, "a paragraph without a label goes on"
    assert by_number["2(b)"].end <= LICENCE.index("These conditions") < by_number["2"].end


def test_the_same_numbers_in_a_text_that_is_not_worded_as_law_are_steps() -> None:
    steps = ("1. **Fill**. Take water.", "2. **Heat**. Wait for steam.", "3. **Pour**. Slowly.")
    assert numbers(blocks("Tea for two", "Some words first.", *steps)) == []
    worded = "The parties to this agreement settle warranties, liability and jurisdiction."
    assert numbers(blocks("Tea for two", worded, *steps)) == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Section 2.1 Term. It lasts a year.", "Term"),
        ("Section 2.1. Term and Termination. It lasts a year.", "Term and Termination"),
        ("Section 2.1 [Term]. Term. It lasts a year.", "Term"),
        ("**2.1.\tTerm.** It lasts a year.", "Term"),
        ("2.1 **Term**: It lasts a year.", "Term"),
        ("2.1 Grant of the licence. It lasts a year.", "Grant of the licence"),
        ("2.1 TERM OF SERVICE. It lasts a year.", "TERM OF SERVICE"),
        ("2.1 Point of Sale. It is in town.", "Point of Sale"),
        ("2.1 It lasts a year. Then it ends.", ""),
        ("2.1 The Buyer shall pay. Then it ends.", ""),
        ("2.1 ACME Inc. sells pumps.", ""),
        ("2.1 Term", ""),
    ],
)
def test_the_title_of_a_clause_is_told_from_its_first_sentence(text: str, title: str) -> None:
    found = parse(blocks("# 2 Duties", text, "# 3 Rights")).clauses
    assert (found[1].number.removeprefix("Section "), found[1].title) == ("2.1", title)


def test_points_that_go_on_with_a_sentence_are_no_sections() -> None:
    """Their sentence begins above. A phrase before a colon is no title, or only a point's title."""
    law = "# § 11 Begriffe\n\n(1) Im Sinne dieses Gesetzes ist\n\n"
    points = "1.  Richter:\n\n    wer Recht spricht;\n\n2.  Behörde:\n\n    auch ein Gericht.\n"
    (_, _, *found) = parse(law + points).clauses
    assert [(each.number, each.title, each.is_led) for each in found] == [
        ("§ 11(1)(1)", "", True),
        ("§ 11(1)(2)", "", True),
    ]
    (_, _, *found) = parse(law.replace("ist", "sind:") + points).clauses
    assert [(each.title, each.is_run_in) for each in found] == [
        ("Richter", False),
        ("Behörde", False),
    ]


@pytest.mark.parametrize(
    "text",
    ["Straftaten nach § 19 Abs. 1 bis 3.", "Daten (§ 202 Satz. Weiteres) in der Absicht."],
)
def test_a_phrase_that_an_abbreviation_ends_is_no_title(text: str) -> None:
    assert run_in_title(f"1. {text} Mehr.", 0, len(text) + 9, "1.") is None


def test_titles_with_dots_that_lead_to_a_page_are_no_clauses() -> None:
    contents = "8.1 Duties . . . . . . . 91\n\n8.2 Records ........ 92\n\n"
    clauses = "8.1 Fees. The parties pay them.\n\n8.2 Law. That of France.\n\n# 9 End\n\nNone.\n"
    found = parse(f"# 8 Terms\n\n{contents}{clauses}").clauses
    assert [(each.number, each.title) for each in found[1:3]] == [("8.1", "Fees"), ("8.2", "Law")]
    assert len(found) == 4


def test_a_paragraph_of_emphasis_may_be_the_title_of_a_part_in_any_wording() -> None:
    text = blocks(
        "# Anhang 1 Abwasser",
        "**Teil 1 Anwendungsbereich**",
        "(1) Gilt hier.",
        "(2) Gilt dort.",
        "**Teil 2 Anforderungen für Lampen aus anderen Anlagen\nals der Halle**",
        "(1) Gilt nicht.",
        "(2) Gilt doch.",
        "**Teil 3 gilt nicht.**",
    )
    parts = [clause for clause in parse(text).clauses if clause.kind == "part"]
    assert [(each.number, each.title) for each in parts] == [
        ("Anhang 1 Teil 1", "Anwendungsbereich"),
        ("Anhang 1 Teil 2", "Anforderungen für Lampen aus anderen Anlagen als der Halle"),
    ]


def test_a_footnote_mark_may_follow_a_label() -> None:
    pumps, lamps = ("**1.** **Pumps**", "They run."), ("**2.**[^f1] **Lamps**", "They burn.")
    text = blocks("# Article 1 Parts", *pumps, *lamps, "3.[^f2] None.")
    assert numbers(text) == ["1", "1(1)", "1(2)", "1(3)"]


@pytest.mark.parametrize("dots", [". . . . .", ". . . . . . . . . . . .", "." * 60])
def test_dots_to_write_on_do_not_make_contents_of_the_clauses_of_a_form(dots: str) -> None:
    owner, place = f"2.2 Owner of the pump\n: {dots}", f"2.3 Place\n{dots}"
    text = blocks("# Form", f"2.1 Name: {dots} Date: {dots}", owner, place, "2.4 Pumps")
    assert numbers(text) == ["2.1", "2.2", "2.3", "2.4"]


def test_a_clause_of_a_heading_has_the_title_of_the_heading() -> None:
    text = blocks("# Article 5", "Words.", "# Article 6 — Duties of *makers*", "Words.")
    assert [(c.title, c.is_heading) for c in parse(text).clauses] == [
        ("", True),
        ("Duties of makers", True),
    ]


LAW_WORDS = "The parties to this agreement settle warranties, liability and jurisdiction."


def test_capital_letters_are_points_if_they_are_counted() -> None:
    text = blocks("# Section 3 Rent", "A. Rent is due.", "B. Rent is paid.", "C. It is kept.")
    assert numbers(text) == ["3", "3(A)", "3(B)", "3(C)"]
    assert numbers(blocks("# Section 3 Rent", "A. Smith rents it.", "Words.")) == ["3"]


def test_a_list_inside_a_clause_of_the_same_form_is_told_by_what_follows() -> None:
    text = blocks(
        *(LAW_WORDS, "1. The first is this.", "2. The second is that:", "A. One is named:"),
        *("1. this one;", "2. that one.", "B. The other is not.", "3. The third is kept."),
    )
    assert numbers(text) == ["1", "2", "2(A)", "2(A)(1)", "2(A)(2)", "2(B)", "3"]


def test_clauses_go_on_whether_their_titles_are_headings_or_run_in() -> None:
    text = blocks(
        *(LAW_WORDS, "1. Purchase. The parties buy.", "## 2. Service", "A. One.", "B. Two."),
        *("3. Payment. It is due.", "## 4. End", "It ends.", "## Last words", "5. Law. Of here."),
    )
    assert numbers(text) == ["1", "2", "2(A)", "2(B)", "3", "4", "5"]


def test_the_number_under_which_a_contract_was_filed_is_no_clause() -> None:
    text = blocks("# Exhibit 10.5", LAW_WORDS, "# 1. Term", "Words.", "# 2. Price", "Words.")
    assert numbers(text) == ["1", "2"]
    schedule = blocks("# Schedule A", "1. One.", "2. Two.")
    assert numbers(text + schedule) == ["1", "2", "Schedule A", "Schedule A(1)", "Schedule A(2)"]


def test_contents_of_named_clauses_are_none() -> None:
    titles = ("Terms", "Rent", "Keys", "End")
    entries = [f"Section {n}.01. {title} {n}" for n, title in enumerate(titles, 1)]
    own = [f"Section {n}.01. {title}. Words of it." for n, title in enumerate(titles, 1)]
    text = blocks("Table of clauses and pages", *entries, "THE LEASE", *own)
    starts = [c.start for c in parse(text).clauses]
    assert starts == [text.index(line) for line in own]


def test_a_contract_of_numbered_sections() -> None:
    text = blocks(
        "# Lease",
        "## Section 4 Rent",
        "(a) Rent is due.",
        "(h) is no step after (a).",
        "(b) Rent is paid",
        "(i) in cash;",
        "(ii) by cheque.",
        "(c) Rent is kept.",
        "## Section 5 Keys",
        "(a) Keys are kept.",
    )
    assert numbers(text) == [
        *("4", "4(a)", "4(b)", "4(b)(i)", "4(b)(ii)", "4(c)", "5", "5(a)"),
    ]


def test_a_standard_with_annexes() -> None:
    text = blocks(
        "# 5 Tests",
        "## 5.1 General",
        "### 5.1.2 Limits",
        "The limits are:",
        "a) low;",
        "b) high.",
        "1. Switch it on.\n2. Switch it off.",
        "# Annex A (normative)",
        "## A.2 Set-up",
        "# Annex B",
        "1.1 General remarks",
    )
    assert numbers(text) == [
        *("5", "5.1", "5.1.2", "5.1.2(a)", "5.1.2(b)"),
        *("Annex A", "A.2", "Annex B", "Annex B(1.1)"),
    ]


def test_letter_i_is_told_from_roman_one() -> None:
    letters = [f"({letter}) point" for letter in "abcdefghij"]
    assert numbers(blocks("# Article 1", *letters))[-2:] == ["1(i)", "1(j)"]
    romans = [*letters[:8], "(i) one", "(ii) two", letters[8], letters[9]]
    assert numbers(blocks("# Article 1", *romans))[-4:] == [
        *("1(h)(i)", "1(h)(ii)", "1(i)", "1(j)"),
    ]


def _roman(value: int) -> str:
    tens, ones = divmod(value, 10)
    return "x" * tens + ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")[ones]


def _double(value: int) -> str:
    return chr(96 + value) * 2


def _points(dice: random.Random) -> tuple[list[str], list[str]]:
    """Return points from (a) on, some with romans or double letters below, and their numbers.

    The list never ends at (v) or (x), which look the same as the romans after (iv) and (ix).
    """
    form = dice.choice(("({})", "{})", "{}."))
    inner = _roman if form == "{}." else dice.choice((_roman, _double))
    case = dice.choice((str.lower, str.upper)) if form != "{}." else str.lower
    labels: list[str] = []
    paths: list[str] = []
    last = dice.choice([*range(1, 22), 23, 25, 26])
    for value in range(1, last + 1):
        letter = case(chr(96 + value))
        labels.append(form.format(letter))
        paths.append(f"({letter})")
        for below in range(1, dice.choice((0, 0, 0, dice.randint(3, 8))) + 1):
            labels.append(form.format(case(inner(below))))
            paths.append(f"({letter})({case(inner(below))})")
    return labels, paths


@pytest.mark.slow
def test_letters_are_told_from_romans_wherever_both_could_stand() -> None:
    for seed in range(600):
        labels, paths = _points(random.Random(seed))  # noqa: S311 - the same each time
        text = blocks("# Article 5", *(f"{label} words of it;" for label in labels))
        assert numbers(text)[1:] == [f"5{path}" for path in paths], seed


@pytest.mark.parametrize("form", ["({})", "{})"])
@pytest.mark.parametrize("case", [str.lower, str.upper])
@pytest.mark.parametrize(
    ("labels", "paths"),
    [
        ("h i", "h i"),
        ("h i j", "h i j"),
        ("h i ii", "h h.i h.ii"),
        ("h i i ii j", "h i i.i i.ii j"),
        ("h i ii i j", "h h.i h.ii i j"),
        ("h i ii i i ii j", "h h.i h.ii i i.i i.ii j"),
        ("u v w", "u v w"),
        ("u i ii iii iv v vi v w", "u u.i u.ii u.iii u.iv u.v u.vi v w"),
        ("u i ii iii iv v w", "u u.i u.ii u.iii u.iv v w"),
        ("u i ii iii iv v i ii w", "u u.i u.ii u.iii u.iv v v.i v.ii w"),
        ("u i ii iii iv v i ii", "u u.i u.ii u.iii u.iv v v.i v.ii"),
        ("w x y", "w x y"),
        ("w i ii x i ii y", "w w.i w.ii x x.i x.ii y"),
        ("a aa bb b", "a a.aa a.bb b"),
        ("y z aa bb cc", "y z aa bb cc"),
    ],
)
def test_what_follows_tells_a_letter_from_a_roman(
    form: str, case: Callable[[str], str], labels: str, paths: str
) -> None:
    before = [chr(code) for code in range(ord("a"), ord(labels[0]))]
    given = [*before, *labels.split()]
    wanted = [*before, *paths.split()]
    text = blocks("# Article 5", *(f"{form.format(case(label))} words of it;" for label in given))
    assert numbers(text)[1:] == [
        "5" + "".join(f"({case(step)})" for step in path.split(".")) for path in wanted
    ]


def test_labels_that_are_printed_twice_do_not_hide_what_follows() -> None:
    before = [f"({letter}) point;" for letter in "abcdefgh"]
    text = blocks("# Article 5", *before, "(i)", "(i)", "one;", "(ii)", "(ii)", "two;", "(i) end.")
    assert numbers(text)[-4:] == ["5(h)", "5(h)(i)", "5(h)(ii)", "5(i)"]


def test_a_number_of_a_table_that_is_printed_twice_begins_at_the_first() -> None:
    """Extraction of UN R155 printed the cells of a table as paragraphs, each twice."""
    cells = [cell for n in (1, 2) for cell in (f"6.{n}", f"6.{n}", "Words.", "Words.")]
    text = blocks("# Article 6", "6.1. Words.", "6.2. Words.", "# Annex 5", *cells)
    starts = [clause.start for clause in parse(text).clauses if clause.kind == "decimal"]
    annex = text.index("# Annex")
    assert starts[2:] == [text.index("6.1", annex), text.index("6.2", annex)]


INDEX = """\
- I
  - - **idempotent**

      **Section 9.1**

    - **inbound**

      **Section 9, Paragraph 4**

- M
  - - **method**

      Section 9

    - **message**

      *Section 9.1*
"""


@pytest.mark.parametrize("title", ["Index", "Where words are said", "Register"])
@pytest.mark.parametrize(
    "index",
    [
        INDEX,
        "inbound\n\nSection 9.1\n\nmethod\n\nSection 9\n\nSection 9.1\n",
        "- Section 9\n- Section 9.1\n- Section 10\n",
        "- Article 4\n- Article 9\n",
        "Section 9.1\n\nSection 9\n\nSection 9.1\n",
    ],
)
def test_references_that_are_all_of_an_item_open_no_clause(title: str, index: str) -> None:
    text = blocks("# 9 Methods", "Text.", "## 9.1 Overview", "Text.", f"# {title}", index)
    assert numbers(text) == ["9", "9.1"]
    assert numbers(text.replace("\n", "\r\n")) == numbers(text.replace("\n", "\r")) == ["9", "9.1"]


@pytest.mark.slow
def test_words_of_a_text_nest_in_the_order_of_its_law() -> None:
    """Any order is possible, such as Parts in Chapters; the numbers show which one it is."""
    known = set(KIND_OF_WORD) - {"schedule", "anhang", "requirement"}
    tried = 0
    for seed in range(300):
        headings = laws.full_law(seed)
        labels = [" ".join(heading.title.split()[:2]) for heading in headings]
        words = {label.split()[0].casefold().rstrip(".") for label in labels}
        if not words <= known or len(labels) > 300:
            continue
        tried += 1
        text = blocks(*(f"{label}\n\nText of it stands here." for label in labels))
        depths = [len(clause.path) for clause in parse(text).clauses]
        assert depths == [h.level - headings[0].level + 1 for h in headings], seed
    assert tried > 50


def test_clauses_that_have_a_text_stay_clauses_where_their_word_stands_alone() -> None:
    text = blocks(
        *("# The Act", "Part 1", "Chapter 1", "Article 1", "Text.", "Article 2", "(repealed)"),
        *("Part 2", "Chapter 1", "Article 3", "1. One.", "2. Two."),
    )
    assert numbers(text) == [
        *("Part 1", "Chapter 1", "1", "2", "Part 2", "Chapter 1", "3", "3(1)", "3(2)")
    ]


@pytest.mark.parametrize("word", ["Appendix", "Annex", "Schedule"])
@pytest.mark.parametrize("letter", ["A", "C", "I", "L"])
def test_a_dotted_number_of_an_annex_is_cited_without_the_word(word: str, letter: str) -> None:
    own = f"{word} {letter}"
    text = blocks(f"# {own} Grammar", "Text.", f"## {own}.1 Rules", "Text.", f"### {own}.1.2 More")
    assert numbers(text) == [own, f"{letter}.1", f"{letter}.1.2"]


def test_numbering_restarts_below_each_clause() -> None:
    text = blocks("# Article 1", "1. A", "(a) x", "(b) y", "2. B", "(a) x", "# Article 2", "1. A")
    assert numbers(text) == ["1", "1(1)", "1(1)(a)", "1(1)(b)", "1(2)", "1(2)(a)", "2", "2(1)"]


def test_repeated_labels_are_one_clause() -> None:
    """Extraction of UN R155 printed each label and each paragraph twice."""
    text = blocks(
        *("# Article 7", "7.1.", "7.1.", "A text.", "A text.", "7.2.", "7.2.", "7.2.1.", "7.2.1."),
        *("(a)", "(a)", "One.", "One.", "(b)", "(b)", "Two.", "Two.", "7.3.", "7.3."),
    )
    assert numbers(text) == ["7", "7.1", "7.2", "7.2.1", "7.2.1(a)", "7.2.1(b)", "7.3"]


NOTES = (
    "(1)\u00a0\u00a0OJ L 119, p. 1.",
    "(2)\u00a0\u00a0Strike out what does not apply.",
)


def test_notes_at_the_foot_of_a_text_are_no_points() -> None:
    """EUR-Lex prints notes as ``(1)`` and two no-break spaces, after the text that calls them."""
    calling = "2. They assess the risk\u00a0(1), and report (2)."
    text = blocks("# Article 7", "1. Makers keep watch.", calling, *NOTES, "# Article 8", "1. End.")
    assert numbers(text) == ["7", "7(1)", "7(2)", "8", "8(1)"]
    (second,) = [c for c in parse(text).clauses if c.number == "7(2)"]
    assert second.end <= text.index("(1)\u00a0\u00a0OJ"), "the notes belong to no paragraph"


@pytest.mark.parametrize(
    "above",
    [
        "They assess the risk.",
        "They assess the risk (1).",
        "As paragraph (1) and paragraph (2) say.",
        "As points (1) and (2) say.",
    ],
)
def test_paragraphs_with_two_blanks_that_nothing_calls_stay_clauses(above: str) -> None:
    assert numbers(blocks("# Article 7", above, *NOTES)) == ["7", "7(1)", "7(2)"]


def test_called_paragraphs_with_one_blank_stay_clauses() -> None:
    text = blocks("# Article 7", "The risk (1) and the cost (2).", "(1) The risk.", "(2) The cost.")
    assert numbers(text) == ["7", "7(1)", "7(2)"]


def test_the_call_of_a_note_in_a_paragraph_of_its_own_is_no_clause() -> None:
    text = blocks(
        "# Article 1", "# Annex 2", "(1)", "Concerning (2):", "1. Make", "2. Type", *NOTES
    )
    assert numbers(text) == ["1", "Annex 2", "Annex 2(1)", "Annex 2(2)"]


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_point_whose_text_is_on_the_next_line_stays_a_clause_above_notes(line_end: str) -> None:
    text = blocks("# Article 4", "(1)\nMakers keep watch.", "(2) They report (2).", *NOTES)
    text = text.replace("\n", line_end)
    starts = [(clause.number, clause.start) for clause in parse(text).clauses]
    assert ("4(1)", text.index(f"(1){line_end}Makers")) in starts


def test_points_in_paragraphs_of_their_own_stay_clauses_above_notes() -> None:
    text = blocks("# Article 4", "(1)", "A risk (1) is", "(2)", "a cost (2).", *NOTES)
    assert numbers(text) == ["4", "4(1)", "4(2)"]


def test_ids_of_a_broken_table_do_not_end_the_numbering_around() -> None:
    """Extraction printed each cell as a paragraph; the ids are not numbers of this part."""
    text = blocks(
        *("# Article 1", "# Annex 5", "Part B. Mitigations", "1. For links", "M10", "4.1", "4.2"),
        *("2. For updates", "12.1", "12.2", "Part C. More", "1. For servers", "3. For losses"),
    )
    assert numbers(text) == [
        *("1", "Annex 5", "Annex 5 Part B", "Annex 5 Part B(1)", "Annex 5 Part B(2)"),
        *("Annex 5 Part C", "Annex 5 Part C(1)", "Annex 5 Part C(3)"),
    ]


def test_a_chapter_said_apart_from_the_headings_of_chapters_is_none() -> None:
    """It comes from a title page, a TOC or a torn title. One with a lost heading does count."""
    text = blocks(
        *("**CHAPTER 1 - Pumps**", "A. PURPOSE1-1", "**CHAPTER 2**", "**Pumps of**"),
        *("**CHAPTER 13 CASES**", "# CHAPTER 1 - Pumps", "Text.", "# CHAPTER 2 - Cases", "Text."),
        *("**CHAPTER 3**", "Text.", "# CHAPTER 4", "Text."),
    )
    assert numbers(text) == ["Chapter 1", "Chapter 2", "Chapter 3", "Chapter 4"]
    assert parse(text).clauses[0].start == text.index("# CHAPTER 1")


CONTENTS = ("1.1. Scope", "1.2. Terms", "2.1. Tests", "2.2. *Forms*")


@pytest.mark.parametrize("form", ["{}", "- {}", "    * {}"])
def test_entries_of_contents_are_no_clauses(form: str) -> None:
    entries = [form.format(title) for title in CONTENTS]
    entries = entries if form == "{}" else ["- Contents", *entries]
    headings = [f"## {title}\n\nText." for title in CONTENTS]
    assert numbers(blocks(*entries, "# Pumps", *headings)) == ["1.1", "1.2", "2.1", "2.2"]


def test_entries_of_contents_over_clauses_of_the_text_are_none() -> None:
    clauses = [f"{title}\n\nText." for title in CONTENTS]
    text = blocks("# Pumps", *CONTENTS, "# Rules", *clauses)
    assert numbers(text) == ["1.1", "1.2", "2.1", "2.2"]
    assert parse(text).clauses[0].start > text.index("# Rules")


def test_points_of_one_line_that_come_again_stay_clauses() -> None:
    """Two annexes ask for the same data, so both lists are clauses."""
    points = ("1. The name;", "2. The place;", "3. The date.")
    text = blocks("# Article 1", "# Annex I", *points, "# Annex II", *points)
    assert len(numbers(text)) == 9


@pytest.mark.parametrize(
    "rows", [("1.1", "2.5"), ("3.1 Some liquid", "Text"), ("0.0", "7.4"), ("1.01", "1.25")]
)
def test_numbers_in_paragraphs_of_a_plain_text_are_no_clauses(rows: tuple[str, ...]) -> None:
    """They are cells of a broken table or quantities: no number before or after continues them."""
    assert numbers(blocks("# Doses", *rows, "Text.")) == []


def test_a_decimal_in_an_annex_of_its_first_number_is_still_the_annex_s() -> None:
    text = blocks("# 5 Tests", "## 5.1 General", "# Annex 5", "5.1 Forms", "5.2 Marks")
    assert numbers(text) == ["5", "5.1", "Annex 5", "Annex 5(5.1)", "Annex 5(5.2)"]


def test_parts_of_an_annex_are_cited_with_it() -> None:
    text = blocks(
        *("# Article 1", "# ANNEX I", "Section A. Laws", "1. One", "Section B. More laws"),
        *("1. One", "# ANNEX II", "Section A", "1. One"),
    )
    assert numbers(text) == [
        *("1", "Annex I", "Annex I Section A", "Annex I Section A(1)"),
        *("Annex I Section B", "Annex I Section B(1)"),
        *("Annex II", "Annex II Section A", "Annex II Section A(1)"),
    ]


def test_gaps_of_repealed_clauses_are_taken() -> None:
    text = blocks("# § 1", "(1) Eins.", "(4) Vier.", "(5) Fünf.")
    assert numbers(text) == ["§ 1", "§ 1(1)", "§ 1(4)", "§ 1(5)"]


@pytest.mark.parametrize(
    "text",
    [
        blocks("# Guide", "1. Install it.\n2. Run it.", "(a) is a letter."),
        blocks("# 2 Guide", "## 2.1 Setup", "1. Install it.\n2. Run it."),
        blocks("# Chapter 2 Games", "1. Roll.\n2. Move."),
        blocks("# Rice", "## 3 ways to cook it", "## Salt"),
        blocks("# Changes", "## 1.2.0", "## 1.1.0", "## 1.0.1", "## 1.0.0"),
        blocks("# Net", "10.0.0.1 is the gateway.", "2.5 kg of cable."),
        blocks("# Numbers", "| Version | Date |\n|---|---|\n| 1.2.3 | May |\n| 1.2.4 | June |"),
        blocks("# Prices", "| Item | Price |\n|---|---|\n| Tea | 1.20 |\n| Milk | 2.10 |"),
        blocks("# Quote", "> (1) A law is quoted.\n>\n> (2) It goes on."),
        blocks("# Code", "```\n5.1 Not a clause\n```"),
        blocks("# Contents", "5.1 Limits ........ 12", "5.2 Tests ........ 14"),
    ],
)
def test_ordinary_documents_have_no_clauses_in_their_text(text: str) -> None:
    found = [clause for clause in parse(text).clauses if text[clause.start] != "#"]
    assert found == []


def test_numbered_headings_need_company() -> None:
    assert numbers("# 10 tips\n\n# Tea\n") == []
    assert numbers("# 10 Tips\n\n# Tea\n") == []
    assert numbers("# 9 Tea\n\n# 10 Milk\n") == ["9", "10"]
    assert numbers("# 10 Milk\n\n## 10.1 Skimmed\n") == ["10", "10.1"]


# -------------------------------------------------------------------- what only looks like a number

LOOKALIKES = {
    "50 parts": ".".join(map(str, range(1, 51))),
    "roman words": "I mix|MIX|I did|CIVIL law|Mix it|DIM light|LIVID",
    "years": "2024 Report|1998|2001. A year|1066 and all that",
    "IPv4": "10.0.0.1|192.168.1.1 Gateway|127.0.0.1:8080 Loopback|8.8.8.8 Resolver",
    "IPv6": "2001:db8::1|::1 Loopback|fe80::1 Link",
    "versions": "v2.1.3 Released|3.10.2 (2024-05-12)|3.10.2 - 2024-05-12|1.2.3-rc.1 Notes",
    "money": "$5.10|12.50 EUR|1.250.000 Euro|€ 3.20|5.10 € each|17.1250 Note",
    "dates": "12.05.2024|12.05.24 Note|2024-05-12 Note|12/05/2024 Note|05/12/2024|12 May 2024 Note"
    "|May 12, 2024|12. Mai 2024|1 mai 2024 Note|1.1.1970 Epoch|12.31.1999 Note|5.1999 Note",
    "quantities": "12.5 kg|3.3 V supply|5 ms delay|2.4 GHz band|1.5 million people|5.1 %",
}
CASES = [(name, line) for name, rows in LOOKALIKES.items() for line in rows.split("|")]


@pytest.mark.parametrize(("name", "line"), CASES)
def test_what_only_looks_like_a_number_is_no_clause_anywhere(name: str, line: str) -> None:
    """This holds for a heading, a paragraph, a list item or a table cell in a legal document."""
    rows = table("Any", line, line)
    text = blocks(
        *("# Article 1", "Text.", line, f"- {line}", f"**{line}**", rows, f"## {line}", "Text."),
    )
    assert numbers(text) == ["1"], name


@pytest.mark.parametrize(
    "number", ["5.1.2.1000", "5.1.2.3.1999", "45.20.1500", "5.32.1100", "5.1a.1500"]
)
def test_a_high_last_component_makes_no_date_of_what_is_not_a_day_month_and_year(
    number: str,
) -> None:
    assert parse_clause(f"{number} Limits", "heading") is not None
    assert parse_clause(f"{number} Limits", "text") is not None


@pytest.mark.parametrize(
    ("headings", "expected"),
    [
        ("1 A|2 B|1 C|2 D", ["1", "2", "1", "2"]),  # restart
        ("1 A|1 A|2 B", ["1", "1", "2"]),  # duplicates
        ("1 A|2 B|9 C|10 D", ["1", "2", "9", "10"]),  # gaps
        ("5.1 A|5.9 B|7.3 C", ["5.1", "5.9", "7.3"]),
        ("Article 1|Article 1|Article 7a", ["1", "1", "7a"]),
    ],
)
def test_restarts_duplicates_and_gaps_of_headings_are_taken_as_they_are(
    headings: str, expected: list[str]
) -> None:
    assert (
        numbers(blocks(*(f"# {heading}\n\nText." for heading in headings.split("|")))) == expected
    )


# -------------------------------------------------------------------- requirement tables


def table(header: str, *rows: str) -> str:
    """A table with two columns."""
    return "\n".join(
        [f"| {header} | Text |", "|---|---|", *(f"| {row} | Do it. |" for row in rows)]
    )


@pytest.mark.parametrize(
    ("header", "cells", "expected"),
    [
        ("#", ["**2.1.1**", "**2.1.2**"], ["2.1.1", "2.1.2"]),
        ("Req. ID", ["2.1.1", "2.1.2"], ["2.1.1", "2.1.2"]),
        ("Nr.", [r"2\.1\.1", r"2\.1\.2"], ["2.1.1", "2.1.2"]),
        ("编号", ["2.1.1", "2.1.2"], ["2.1.1", "2.1.2"]),
        ("Any", ["REQ-1", "REQ-2"], ["REQ-1", "REQ-2"]),
        ("Any", ["V3.1.1", "V3.1.2"], ["V3.1.1", "V3.1.2"]),
        ("Any", ["[AC-2](#ac2)", "[AC-3](#ac3)"], ["AC-2", "AC-3"]),
        ("Version", ["1.2.3", "1.2.4"], []),
        ("Any", ["REQ-2", "REQ-1"], []),
        ("Any", ["UTF-8", "SHA-256"], []),
        ("Register", ["CR1", "CR2"], []),
        ("Level", ["IAL2", "IAL3"], []),
        ("Bits", ["31-24", "23-16"], []),
        ("Date", ["2024-05-12", "2024-05-13"], []),
        ("Address", ["10.0.0.1", "10.0.0.2"], []),
        ("#", ["1", "2"], []),
        ("#", ["Tea", "Milk", "2.1.1"], []),
    ],
)
def test_rows_of_requirement_tables_are_clauses(
    header: str, cells: list[str], expected: list[str]
) -> None:
    assert numbers(f"# Rules\n\n{table(header, *cells)}\n") == expected


def test_a_row_is_a_clause_below_its_section() -> None:
    text = f"# V2 Keys\n\n## V2.1 Words\n\n{table('Any', '2.1.1', '2.1.2')}\n"
    row = parse(text).clauses[-1]
    assert row.path == ("V2", "V2.1", "2.1.2")
    assert text[row.start : row.end] == "| 2.1.2 | Do it. |"


# -------------------------------------------------------------------- what always holds


def assert_a_tree(text: str) -> Clauses:
    """Assert that clauses are in source order, inside their parents, not before their section."""
    document = parse(text)
    clauses = document.clauses
    sections = {section.id: section for section in document.root.walk()}
    assert all(one.start <= other.start for one, other in pairwise(clauses))
    for place, clause in enumerate(clauses):
        assert 0 <= clause.start <= clause.end <= len(text)
        assert sections[clause.section_id].start <= clause.start
        assert clause.number
        if clause.parent is None:
            assert len(clause.path) == 1
            continue
        parent = clauses[clause.parent]
        assert clause.parent < place
        assert parent.start <= clause.start <= clause.end <= parent.end
        assert parent.path == clause.path[:-1]
    return clauses


LABELS = ("1.", "2.", "(1)", "(2)", "(a)", "(b)", "(i)", "(ii)", "a)", "b)", "1.1", "1.2", "5.1.")
NAMES = ("Article 1", "Article 2", "§ 3", "Section 2", "ANNEX I", "Annex B", "Chapter II", "Part A")


@st.composite
def legal_texts(draw: st.DrawFn) -> str:
    """Labels of all kinds in any order, at any depth."""
    parts: list[str] = []
    for _ in range(draw(st.integers(1, 25))):
        label = draw(st.sampled_from(LABELS + NAMES))
        form = draw(
            st.sampled_from(["# {}", "## {} Title", "{}", "{} Text.", "- {} Text.", "1. {}"])
        )
        indent = " " * draw(st.sampled_from([0, 0, 0, 3, 4]))
        parts.append(indent + form.format(label))
    return blocks(*parts)


@given(legal_texts())
@generated
def test_clauses_form_a_tree_on_legal_text(text: str) -> None:
    assert_a_tree(text)


@given(st.one_of(documents(), any_text))
@generated
def test_clauses_form_a_tree_on_any_text(text: str) -> None:
    assert_a_tree(text)


@given(legal_texts(), st.randoms())
@generated
def test_the_deepest_clause_around_a_span_is_found(text: str, dice: random.Random) -> None:
    clauses = assert_a_tree(text)
    start = dice.randint(0, len(text))
    end = dice.randint(start, len(text))
    holding = [c for c in clauses if c.start <= start and end <= c.end]
    found = clauses.at(start, end)
    if found is None:
        assert not [c for c in holding if start < c.end]
    else:
        assert found in holding
        assert len(found.path) == max(len(c.path) for c in holding if c.start == found.start)


@given(st.recursive(st.just([]), lambda inner: st.lists(inner, max_size=4), max_leaves=20))
@generated
def test_the_numbers_of_a_numbered_outline_come_back(tree: list[object]) -> None:
    """Headings that are numbered by their position in a tree give exactly these numbers."""
    rows: list[str] = []

    def write(nodes: list[object], above: str, level: int) -> None:
        for place, node in enumerate(nodes, 1):
            number = f"{above}.{place}" if above else str(place)
            rows.append(f"{'#' * min(level, 6)} {number} Title")
            assert isinstance(node, list)
            write(node, number, level + 1)

    write(tree, "", 1)
    expected = [row.split()[1] for row in rows]
    found = numbers(blocks(*rows)) if rows else []
    assert found == (expected if len(tree) > 1 or any("." in n for n in expected) else [])


# -------------------------------------------------------------------- truth files


@needs_corpus
def test_requirement_ids_of_asvs() -> None:
    for figure in clause_truth.asvs(Path(CORPUS)):
        assert figure.precision >= 0.99, figure
        assert figure.recall >= 0.99, figure


@needs_corpus
@pytest.mark.parametrize("name", ["gdpr", "ai-act"])
def test_articles_and_points_of_eu_acts(name: str) -> None:
    articles, points, recitals = clause_truth.eu(Path(CORPUS), name)
    assert (articles.precision, articles.recall) == (1, 1), articles
    assert points.precision >= 0.98, points
    assert points.recall >= 0.95, points
    assert (recitals.precision, recitals.recall) == (1, 1), recitals


@needs_corpus
def test_articles_and_points_of_a_un_regulation() -> None:
    """Its notes look like points; for the points of its annexes, see `clause_truth.table_ids`."""
    articles, points, _ = clause_truth.eu(Path(CORPUS), "un-r155")
    assert (articles.precision, articles.recall) == (1, 1), articles
    assert points.precision >= 0.98, points
    assert points.recall >= 0.98, points


@needs_corpus
def test_printed_section_numbers() -> None:
    for figure in clause_truth.printed(Path(CORPUS)):
        assert figure.precision >= 0.99, figure
        assert figure.recall >= 0.98, figure


@needs_corpus
@pytest.mark.parametrize("name", ["gg", "bdsg_2018", "stgb"])
def test_paths_of_german_law(name: str) -> None:
    figure = clause_truth.german(Path(CORPUS), name)
    assert figure.expected >= 32
    assert (figure.precision, figure.recall) == (1, 1), figure


def test_a_paragraph_sign_before_a_letter_names_a_clause_that_the_audit_finds() -> None:
    text = (
        "\n\n".join(
            f"§ {letter}. The lessee keeps the pump, its pipes and the valves below."
            for letter in "ABC"
        )
        + "\n"
    )
    chunks = pack(text, PackConfig(max_tokens=20))
    assert [chunk.breadcrumb for chunk in chunks] == [("§ A",), ("§ B",), ("§ C",)]
    assert not audit(text, chunks, max_tokens=20).findings


def test_a_chinese_chapter_in_bold_is_a_clause_that_the_audit_finds() -> None:
    text = "**第20章 水泵的保护措施**\n"
    chunks = pack(text)
    assert chunks[0].breadcrumb == ("第20章 水泵的保护措施",)
    assert not audit(text, chunks).findings


@pytest.mark.parametrize("mark", ["<!-- page 2 -->\n", "[Page 2]\n"])
def test_half_a_sentence_before_the_end_of_a_page_is_no_title(mark: str) -> None:
    text = (
        "# Lease\n\n3.1 Deposit\n\nThe deposit is 900 EUR.\n\n3.2 The tenant pays the rent\n"
        f"{mark}by the third working day.\n\n3.3 Interest\n\na. Late payments bear interest.\n"
    )
    titles = [clause.title for clause in parse(text).clauses if "(" not in clause.number]
    assert titles == ["Deposit", "", "Interest"]


def test_the_next_deep_number_ends_a_clause_whose_own_title_is_in_lower_case() -> None:
    text = (
        "# 3.2 Functions\n\n3.2.1 Printing of values. The value is printed at once.\n\n"
        "3.2.2 printf(format). Prints by a format that the text gives.\n\n"
        "3.2.3 puts(text). Prints a text and ends the line.\n\nThe function of section\n\n"
        "3.2.9 prints nothing.\n\n3.2.4 Reading. Reads a line and gives it back.\n"
    )
    numbers = [clause.number for clause in parse(text).clauses]
    assert numbers == ["3.2", "3.2.1", "3.2.2", "3.2.3", "3.2.4"]
    chunks = pack(text, PackConfig(max_tokens=40))
    assert not audit(text, chunks, max_tokens=40).findings


def test_deep_numbers_in_lower_case_that_follow_nothing_are_no_clauses() -> None:
    text = "# Functions\n\nThe function of section\n\n3.2.9 prints nothing.\n\n3.2.10 prints all.\n"
    assert not parse(text).clauses


@pytest.mark.parametrize("title", [" Interest.", "", " **Interest.**"])
def test_the_first_point_may_stand_on_the_line_of_its_clause(title: str) -> None:
    """Credit agreements have this; it is a point only if the second has its own paragraph."""
    text = (
        "# Article II\n\n"
        f"Section 2.02{title or '.'} (a) Each loan bears interest.\n\n"
        "(b) If there is a default:\n\n(i) on principal; and\n\n(ii) on the rest.\n\n"
        "Section 2.03 Dates. (a) The first day of each quarter, and (b) the last one.\n"
    )
    numbers = [clause.number for clause in parse(text).clauses]
    own = [number for number in numbers if "2.02" in number]
    assert own == [
        "Section 2.02",
        "Section 2.02(a)",
        "Section 2.02(b)",
        "Section 2.02(b)(i)",
        "Section 2.02(b)(ii)",
    ]
    assert numbers[-1] == "Section 2.03"


def test_steps_with_dotted_numbers_may_go_on_with_the_sentence_above() -> None:
    text = (
        "# Lease\n\n## 1 Rent\n\nIt is due.\n\n"
        "## 2 Duties\n\n2.1 The Tenant shall:\n\n2.1.1 pay the rent;\n\n"
        "2.1.2 keep the house clean;\n\n2.2 The Landlord may enter.\n\n"
        "2.2.1 million people do not count.\n\n2.5 years pass.\n"
    )
    numbers = [clause.number for clause in parse(text).clauses]
    assert numbers == ["1", "2", "2.1", "2.1.1", "2.1.2", "2.2"]


def test_a_short_clause_with_a_bold_title_is_no_heading() -> None:
    """If it were a heading, its siblings would be below it."""
    long = "shall, pursuant to this agreement, be made by either party within thirty days of notice"
    chapters = "".join(
        f"**{number}. PART {number}.**\n\n{number}.1 **Payment.** All payments {long}.\n\n"
        f"{number}.2 **Notice.** Any notice of breach, warranty or termination {long}.\n\n"
        for number in range(1, 6)
    )
    text = (
        "# Contract\n\n## Table of Contents\n\n1. Part 1\n2. Part 2\n3. Part 3\n4. Part 4\n"
        "5. Part 5\n6. Term\n\n"
        f"{chapters}**6. TERM.**\n\n"
        "6.1 **Term.** This agreement begins on the first day.\n\n"
        f"6.2 **End.** Any notice of liability {long}.\n\n6.3 **Rest.** Section 6.1 survives.\n"
    )
    found = {clause.number: clause for clause in parse(text).clauses}
    assert [number for number, clause in found.items() if clause.is_heading] == list("123456")
    assert [found[number].title for number in ("6.1", "6.2", "6.3")] == ["Term", "End", "Rest"]


def test_numbers_at_the_axis_of_a_chart_are_no_clauses() -> None:
    chart = "1.0\n\nPressure in bar\n\n1.2\n\nSpeed\n\n1.4\n\nTorque"
    assert [] == [clause.number for clause in parse(chart).clauses]
    clauses = "5.1\n\nPay the rent.\n\n5.2\n\nKeep the house.\n\n5.3\n\nGo."
    assert ["5.1", "5.2", "5.3"] == [clause.number for clause in parse(clauses).clauses]


_SECTIONS_OF_AN_ACT = [
    ["1", "1(1)", "1(2)", "1(2)(a)", "1(2)(b)", "1(2)(b)(i)", "1(2)(b)(ii)", "1(3)"],
    ["2", "2(1)", "2(2)", "3"],
]


@pytest.mark.parametrize("sign", [".—", ".–", ".--", ". ", " "])
@pytest.mark.parametrize("blank", ["\n", "\n\n"])
@pytest.mark.parametrize("title", ["{}", "**{}**", "## {}", "_{}_"])
def test_the_first_subsection_of_an_act_may_stand_on_the_line_of_its_section(
    sign: str, blank: str, title: str
) -> None:
    """The next subsections may be lines or paragraphs, below titles of any kind."""
    text = (
        f"# Ferries Act 2019\n\n{title.format('Duty to sail')}\n\n"
        f"1{sign}(1) The operator must keep each sailing.{blank}"
        f"(2) A sailing may be left out—{blank}(a) in a storm; or{blank}"
        f"(b) where the operator—{blank}(i) has no crew; and{blank}(ii) says so in time.{blank}"
        f"(3) Subsection (2)(b) does not apply to a sailing under section 2(2).\n\n"
        f"{title.format('Fares')}\n\n"
        f"2{sign}(1) A fare is set each year.{blank}(2) Children pay half.\n\n"
        f"{title.format('Short title')}\n\n3. This Act may be cited as the Ferries Act 2019.\n"
    )
    document = parse(text, name="ferries.md")
    found = {clause.number: clause for clause in document.clauses}
    assert list(found) == [number for numbers in _SECTIONS_OF_AN_ACT for number in numbers]
    targets = [reference.target for reference in document.references if reference.section_id]
    assert targets == ["1(2)(b)", "2(2)"]
    if title != "{}":
        assert [found[each].title for each in "123"] == ["Duty to sail", "Fares", "Short title"]
    chunks = pack(text, PackConfig(max_tokens=48))
    assert not audit(text, chunks, max_tokens=48).findings


@pytest.mark.parametrize("number", ["{}. {}.—", "{}. {}. ", "**{}** **{}**\n\n", "{}  {}\n"])
def test_the_title_of_a_section_may_stand_beside_its_number(number: str) -> None:
    text = (
        "# Ferries Act 2019\n\nBe it enacted pursuant to the subsection below, notwithstanding any "
        "repealed enactment.\n\n"
        f"{number.format(1, 'Duty to sail')}(1) The operator must keep each sailing.\n\n"
        "(2) A sailing may be left out.\n\n"
        f"{number.format(2, 'Fares')}(1) A fare is set each year.\n\n(2) Children pay half.\n"
    )
    clauses = parse(text, name="ferries.md").clauses
    assert [clause.number for clause in clauses] == ["1", "1(1)", "1(2)", "2", "2(1)", "2(2)"]
    assert [clause.title for clause in clauses if clause.title] == ["Duty to sail", "Fares"]


def test_a_section_begins_with_the_title_in_bold_above_it() -> None:
    text = (
        "# Ferries Act 2019\n\n**Duty to sail**\n\n1.—(1) The operator must sail.\n\n"
        "(2) A sailing may be left out.\n\n**Fares**\n\n2.—(1) A fare is set.\n\n(2) It is paid.\n"
    )
    first, *_, last, second, _, _ = parse(text).clauses
    assert text[second.start :].startswith("**Fares**")
    assert first.end == last.end == second.start
    assert second.name == "2 Fares"


def test_a_bold_line_above_the_first_clause_alone_is_not_its_title() -> None:
    text = (
        "# Agreement\n\n**Terms of the parties**\n\n1. The licensor grants a licence hereunder.\n\n"
        "2. The licensee pays the licensor pursuant to the agreement.\n\n3. No warranty is made.\n"
    )
    assert [clause.title for clause in parse(text).clauses] == ["", "", ""]


def test_a_line_that_begins_with_a_number_in_brackets_goes_on_with_its_sentence() -> None:
    text = (
        "# Ferries Act 2019\n\n## Section 1\n\n(1) The operator must sail under subsections\n"
        "(2) and (3) and with the crew named in\n(4) or elsewhere.\n\n(2) A fare is set.\n"
    )
    assert [clause.number for clause in parse(text).clauses] == ["1", "1(1)", "1(2)"]


def test_steps_of_a_manual_that_look_like_sections_are_no_clauses() -> None:
    text = "# Pump\n\n1  Remove the lid\n\n(1) of these has a seal.\n\n12 (1) bolts hold it.\n"
    assert not parse(text).clauses


def act_in_parts(name: str, mark: str, sign: str) -> str:
    rule = "The operator of a ferry must keep each sailing that a notice names."
    return (
        f"{name}\n\n{mark} PART 1\n\n1{sign}(1) {rule}\n\n(2) {rule}\n\n2{sign}(1) {rule}\n\n"
        f"(2) {rule}\n\n{mark} PART 2\n\n3{sign}(1) {rule}\n\n"
        f"(2) Paragraph 1(2) of Schedule 1 applies.\n\n4. {rule}\n\n"
        f"{mark} SCHEDULE 1\n\n1{sign}(1) {rule}\n\n"
        f"(2) {rule}\n\n2{sign}(1) {rule}\n\n(2) As section 1(2) says.\n\n{mark} SCHEDULE 2\n\n"
        f"1. {rule}\n\n2. This has effect under paragraph 2(1) of Schedule 1.\n"
    )


@pytest.mark.parametrize("mark", ["", "##"])
@pytest.mark.parametrize("sign", [".—", " "])
def test_sections_of_an_act_are_numbered_through_its_parts_and_anew_in_schedules(
    mark: str, sign: str
) -> None:
    document = parse(act_in_parts("# Ferries Act 2019", mark, sign), name="ferries.md")
    assert [clause.number for clause in document.clauses] == [
        *("Part 1", "1", "1(1)", "1(2)", "2", "2(1)", "2(2)"),
        *("Part 2", "3", "3(1)", "3(2)", "4"),
        *("Schedule 1", "Schedule 1(1)", "Schedule 1(1)(1)", "Schedule 1(1)(2)"),
        *("Schedule 1(2)", "Schedule 1(2)(1)", "Schedule 1(2)(2)"),
        *("Schedule 2", "Schedule 2(1)", "Schedule 2(2)"),
    ]
    targets = [found.target for found in document.references if "(" in found.text]
    assert targets == ["Schedule 1(1)(2)", "1(2)", "Schedule 1(2)(1)"]
    text = document.source.text
    assert not audit(text, pack(text, PackConfig(max_tokens=64)), max_tokens=64).findings


@pytest.mark.parametrize("mark", ["", "## ", "# ", "**"])
def test_a_schedule_does_not_hang_below_the_last_article(mark: str) -> None:
    end = mark.strip() if mark == "**" else ""
    heads = [f"{mark}{name}{end}" for name in ("Article 1", "Article 2", "SCHEDULE 1")]
    text = (
        f"# Convention on buoys\n\n{heads[0]}\n\nEach party keeps buoys.\n\n{heads[1]}\n\n"
        f"They are painted.\n\n{heads[2]}\n\n1 (1) A buoy is red.\n\n(2) A bell is loud.\n"
    )
    lines = parse(text, name="buoys.md").outline().splitlines()
    depths = {
        line.strip().partition(" (")[0]: len(line) - len(line.lstrip())
        for line in lines
        if line.strip().startswith(("Article", "SCHEDULE"))
    }
    assert set(depths) == {"Article 1", "Article 2", "SCHEDULE 1"}
    assert len(set(depths.values())) == 1


_FRENCH = (
    "# Code des phares\n\n## Titre Ier : Règles\n\n### Chapitre Ier : Définitions\n\n"
    "#### Article L. 121-1\n\nAu sens du présent titre, on entend par « phare » une tour "
    "qui est :\n\n1° Munie d'une lumière ;{blank}2° Placée :{blank}a) à terre ; ou{blank}"
    "b) en mer.\n\n#### Article L. 121-2\n\nLe gardien veille, selon l'article L. 121-1.\n\n"
    "### Chapitre II : Sanctions\n\n#### Article R. 122-1\n\nUne température de\n"
    "90° Celsius suffit. Voir les articles L. 121-2 et R. 122-1.\n"
)


@pytest.mark.parametrize("blank", ["\n", "\n\n"])
def test_codes_of_french_law_have_their_divisions_points_and_references(blank: str) -> None:
    text = _FRENCH.format(blank=blank)
    document = parse(text, name="phares.md")
    assert [clause.number for clause in document.clauses] == [
        *("Titre Ier", "Chapitre Ier", "L. 121-1", "L. 121-1(1°)", "L. 121-1(2°)"),
        *("L. 121-1(2°)(a)", "L. 121-1(2°)(b)", "L. 121-2", "Chapitre II", "R. 122-1"),
    ]
    found = [(each.target, each.section_id is not None) for each in document.references]
    assert found == [("L. 121-1", True), ("L. 121-2", True), ("R. 122-1", True)]
    assert not audit(text, pack(text, PackConfig(max_tokens=64)), max_tokens=64).findings


def test_degrees_are_no_points() -> None:
    text = (
        "# Article 1\n\nLa cuve est chauffée à\n\n40° C au plus.\n\n1° C suffit.\n\n2° C aussi.\n"
    )
    assert [clause.number for clause in parse(text).clauses] == ["1"]


def test_points_begin_lines_of_a_list_item_without_a_blank_line() -> None:
    text = (
        "# Agreement\n\n## Article 1\n\n1. The licensee pays:\n   a) the fee; and\n   b) the tax.\n"
        "2. The licensor delivers:\na) the goods;\nb) the papers.\n3. Nothing else is due under\n"
        "a) or b) of it.\n"
    )
    numbers = [clause.number for clause in parse(text).clauses]
    points = ["1(1)", "1(1)(a)", "1(1)(b)", "1(2)", "1(2)(a)", "1(2)(b)", "1(3)"]
    assert numbers == ["1", *points]


@pytest.mark.parametrize("blank", ["\n", "\n\n"])
@pytest.mark.parametrize("head", ["# {}. {}\n\n", "**{}. {}**\n\n", "{}. **{}.** ", "{}. {}. "])
def test_a_list_of_contents_without_pages_has_no_clauses(head: str, blank: str) -> None:
    rule = (
        "The licensor and the licensee agree hereby, notwithstanding any warranty, liability or "
        "termination of this agreement."
    )
    titles = ["Definitions", "Grant", "Payment of fees", "Term"]
    entries = blank.join(f"{place}. {title}" for place, title in enumerate(titles, 1))
    body = "\n\n".join(
        f"{head.format(place, title)}{rule}" for place, title in enumerate(titles, 1)
    )
    text = f"# Agreement\n\n{entries}\n\n{body}\n"
    clauses = parse(text, name="agreement.md").clauses
    assert [(clause.number, clause.title) for clause in clauses] == [
        (str(place), title) for place, title in enumerate(titles, 1)
    ]
    assert clauses[0].start >= text.index(body)
    without = parse(f"# Agreement\n\n{entries}\n\n{rule}\n\n{rule}\n", name="a.md").clauses
    assert len(without) == len(titles)


_FREELY: Final = (
    "1. You may copy the program with its copyright notice.\n\n"
    "2. You may change your copy under this licence, provided that you:\n\n"
    "a) keep the disclaimer; or\n\nb) redistribute the program to nobody.\n\n"
    "3. The trademarks of the copyright holder are not licensed.\n"
)


def test_a_licence_in_everyday_words_has_clauses_and_a_recipe_has_none() -> None:
    numbers = [clause.number for clause in parse(f"# Free licence\n\n{_FREELY}").clauses]
    assert numbers == ["1", "2", "2(a)", "2(b)", "3"]
    recipe = "# Bread\n\n1. You may take rye.\n\n2. Knead it.\n\na) by hand; or\n\nb) by machine.\n"
    assert not parse(recipe).clauses


def test_numbers_go_on_through_sections_without_numbers() -> None:
    titles = {"1": "Copies", "2": "Changes", "3": "Marks"}
    points = re.sub(r"(?m)^(\d)\. ", lambda at: f"## {titles[at[1]]}\n\n({at[1]}) ", _FREELY)
    text = f"# Free licence\n\n{points}"
    clauses = parse(text).clauses
    assert [clause.number for clause in clauses] == ["1", "2", "2(a)", "2(b)", "3"]


def test_the_parts_of_an_agreement_hold_its_clauses() -> None:
    text = f"# Agreement\n\n## Part A. Copies\n\n{_FREELY}\n## Part B. Marks\n\n{_FREELY}"
    numbers = [clause.number for clause in parse(text).clauses]
    assert len(numbers) == 2 * 6
    assert numbers[:2] == ["Part A", "Part A(1)"]


def test_a_list_in_a_later_clause_does_not_hide_that_its_numbering_has_begun() -> None:
    text = (
        "# Free licence\n\n## 1. Definitions\n\nThe program is what has a copyright notice.\n\n"
        "2. Grant. The copyright holder licenses the program, without a warranty.\n\n"
        "3. Copies. You may redistribute it under this licence, if you do as follows:\n\n"
        "1. You keep the disclaimer.\n\n2. You change no trademark.\n\n"
        "4. Marks. No trademark is licensed.\n"
    )
    clauses = parse(text).clauses
    assert [clause.number for clause in clauses] == ["1", "2", "3", "3(1)", "3(2)", "4"]


def test_the_steps_of_a_guide_that_names_its_licence_are_no_clauses() -> None:
    text = (
        "# Terms kit\n\nAgreements between parties are made of these terms. An agreement names "
        "both parties, and each agreement has its licence. Licences are free to use.\n\n"
        "## How to use it\n\n1. Copy the agreement.\n\n2. Fill in the parties.\n\n3. Sign it.\n"
    )
    assert not parse(text, name="README.md").clauses


def test_one_point_zero_holds_what_its_number_begins_though_few_of_its_like_are_titles() -> None:
    rule = "The licensor grants the licensee a licence, without any warranty or liability."
    text = (
        f"# Licence\n\n1.0 Terms. {rule}\n\n1.1 You keep the copyright.\n\n"
        f"1.2 You may redistribute it.\n\n2.0 Duties. {rule}\n\n2.1 You keep the notice.\n\n"
        f"## 3.0 General\n\n3.1 {rule}\n"
    )
    paths = [clause.path for clause in parse(text).clauses]
    assert paths == [
        *[("1.0",), ("1.0", "1.1"), ("1.0", "1.2"), ("2.0",), ("2.0", "2.1"), ("3.0",)],
        ("3.0", "3.1"),
    ]


def test_a_point_alone_on_its_line_in_a_numbered_section_is_no_title() -> None:
    rule = "The licensor grants the licensee a licence, without any warranty or liability."
    points = [textwrap.fill(f"{number}. Right. {3 * f'{rule} '}", 76) for number in range(1, 7)]
    points[4] = f"5. Recipients.\n\nA. Offer. {rule}\n\nB. Limits. {rule}"
    texts = {
        "Definitions": f"a. Work. {rule}\n\nb. You. {rule}",
        "Scope": "a. Rights.\n\n" + "\n\n".join(points) + f"\n\nb. Others. {rule}",
        "Conditions": f"a. Notice. {rule}\n\nb. Marks. {rule}",
        "Term": rule,
    }
    text = "Free Licence\n\n" + "\n\n".join(
        f"Section {number} {title}.\n\n{body}"
        for number, (title, body) in enumerate(texts.items(), 1)
    )
    numbers = [clause.number for clause in parse(text, name="licence.txt").clauses]
    inner = [*(f"2(a)({number})" for number in range(1, 6)), "2(a)(5)(A)", "2(a)(5)(B)", "2(a)(6)"]
    assert numbers == ["1", "1(a)", "1(b)", "2", "2(a)", *inner, "2(b)", "3", "3(a)", "3(b)", "4"]


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("10.7 Beta Products. The provider may end these.", "10.7"),
        ("10.7 Release Date", "10.7"),
        ("10.7 Version Control of documents", "10.7"),
        ("10.7 Release Candidate 1 is out", ""),
        ("10.7 Release", ""),
        ("10.7 Beta 3 is out", ""),
        ("10.7 beta is out", ""),
    ],
)
def test_a_word_of_versions_heads_a_clause_if_it_names_something(line: str, number: str) -> None:
    found = parse_clause(line)
    assert (found.label if found else "") == number


@pytest.mark.parametrize(
    "text", ["제 5 조 (정의) 이 법에서 쓰는 뜻은 같다.", "第 五 条 本法适用。"]
)
def test_the_audit_reads_labels_that_have_blanks_in_them(text: str) -> None:
    chunks = pack(text, max_tokens=64, name="law.md")
    assert chunks[0].breadcrumb == ("law.md", "".join(text.split()[:3]))
    assert chunks.audit().findings == ()


@pytest.mark.parametrize("title", ["「スナップショット」から", "《办法》的适用", "【重点】内容"])
def test_a_title_may_begin_with_a_quote_of_east_asia(title: str) -> None:
    found = parse_clause(f"3.3 {title}")
    assert found is not None
    assert found.parts == ("3", "3")
