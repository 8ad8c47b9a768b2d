"""Tables of numbers in a PDF: columns that nearly touch, and tables with few rules or none."""

import re
from array import array
from collections import Counter
from collections.abc import Sequence

import pytest
from function_calls import calls
from hypothesis import given, settings
from hypothesis import strategies as st
from pdf_files import PdfPage
from pdf_pages import prose, text_of
from table_pages import fill_cells, numbers, rows_text, table_text

from treepack.readers.pdf.lines import PdfLine, Word
from treepack.readers.pdf.tables.columns import is_number
from treepack.readers.pdf.tables.finder import find_tables

pytest.importorskip("pypdfium2")

RIGHTS = (200.0, 260.0, 320.0)
NEAR = (200.0, 239.0, 278.0)  # numbers of six digits are 2.3 points apart
YEARS = ["Pump", "2021", "2022", "2023"]
NAMES = ["Pump", "Flow", "Load", "Mass"]
FULL = [
    ["Inlet", "120,527", "131,904", "198,127"],
    ["Outlet", "110,527", "121,904", "188,127"],
    ["Spare", "100,527", "111,904", "178,127"],
    ["Seal", "101,527", "112,904", "(9,127)"],
]


def write_rows(
    page: PdfPage,
    rows: Sequence[Sequence[str]],
    rights: Sequence[float],
    y: float = 606,
    size: float = 10,
) -> float:
    """Write rows of a label and numbers, the first row a little higher; return the lowest y."""
    for number, (label, *texts) in enumerate(rows):
        at = y - size * (1.4 * number + 0.6 * (number > 0))
        if label:
            page.text(76, at, label, size)
        numbers(page, at, rights[: len(texts)], texts, size)
    return y - size * (1.4 * len(rows) + 0.6)


def with_rules(
    rows: Sequence[Sequence[str]], rights: Sequence[float] = RIGHTS, *, size: float = 10
) -> PdfPage:
    """Return a page with a table that has rules above and below its header and at its bottom."""
    page = prose()
    low = write_rows(page, rows, rights, size=size)
    for y in (620, 600, low):
        page.rule(72, y, 400, y)
    return page


def without_rules(
    rows: Sequence[Sequence[str]], rights: Sequence[float] = RIGHTS, *, page: PdfPage | None = None
) -> PdfPage:
    page = page or prose()
    write_rows(page, rows, rights)
    return page


def markdown(rows: Sequence[Sequence[str]]) -> str:
    """Return rows as a Markdown table whose first row is the header."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    lines.insert(1, "|" + " --- |" * len(rows[0]))
    return "\n".join(lines)


# --- footnotes ---


def footnoted_page() -> PdfPage:
    page = prose()
    for n in range(4):
        page.lines(72, 650 - 40 * n, f"The valve of kind {n} opens slowly,", "and shuts at once.")
    return page.lines(72, 90, "1 Seals are listed in the manual of the maker,", size=7).text(
        72, 81, "which comes with each pump.", 7
    )


@pytest.mark.parametrize("has_rules", [True, False])
def test_a_table_in_small_type_drawn_after_the_footnote_is_not_part_of_it(
    has_rules: bool,  # noqa: FBT001 - a parameter of pytest
) -> None:
    page = footnoted_page()
    low = write_rows(page, [NAMES, *FULL], RIGHTS, y=400, size=7)
    for y in (410, 396, low) if has_rules else ():
        page.rule(72, y, 400, y)
    text = text_of(page)
    assert markdown([NAMES, *FULL]) in text
    assert "\n\n1 Seals are listed in the manual of the maker, which comes with each pump." in text
    assert text.count("Seals") == text.count("120,527") == 1


# --- rules only above and below ---


def test_columns_of_numbers_that_nearly_touch_are_separated() -> None:
    assert markdown([YEARS, *FULL]) == table_text(with_rules([YEARS, *FULL], NEAR))


def test_two_rows_are_too_few_to_separate_numbers_that_nearly_touch() -> None:
    assert "| Inlet | 120,527 131,904 198,127 |" in table_text(with_rules([YEARS, *FULL[:2]], NEAR))
    assert "| Inlet | 120,527 | 131,904 |" in table_text(with_rules([YEARS, *FULL[:3]], NEAR))


def test_thousands_after_a_space_stay_with_their_number() -> None:
    rows = [
        ["Inlet", "20 527", "31 904"],
        ["Outlet", "10 527", "21 904"],
        ["Spare", "11 406", "11 904"],
        ["Seal", "1 527", "12 318"],
    ]
    found = table_text(with_rules([["Pump", "2021", "2022"], *rows]))
    assert markdown([["Pump", "2021", "2022"], *rows]) == found


def test_numbers_of_three_digits_beside_longer_ones_are_columns() -> None:
    rows = [
        ["Inlet", "205", "527"],
        ["Outlet", "1052", "904"],
        ["Spare", "1140", "406"],
        ["Seal", "1527", "318"],
    ]
    found = table_text(with_rules([["Pump", "bar", "Nm"], *rows], (200, 219)))
    assert markdown([["Pump", "bar", "Nm"], *rows]) == found


@pytest.mark.parametrize("marks", ["(1)", "[a]", "*", "2"])
def test_the_mark_of_a_note_stays_with_its_number(marks: str) -> None:
    page = with_rules([YEARS[:2], *(row[:2] for row in FULL)])
    for n in range(4):
        page.text(202.6, 586 - 14 * n, marks)
    assert f"| Inlet | 120,527 {marks} |\n| Outlet | 110,527 {marks} |" in table_text(page)


def test_a_row_with_one_text_over_several_columns_keeps_the_columns_apart() -> None:
    page = with_rules([YEARS, ["Projected values in thousands of the usual unit"], *FULL])
    rows = [["Projected values in thousands of the usual unit", "", "", ""], *FULL]
    assert markdown([YEARS, *rows]) == table_text(page)


def test_several_rules_may_separate_the_rows_of_a_header_of_numbers() -> None:
    page = with_rules([NAMES, ["", "bar", "Nm", "kW"], *FULL]).rule(72, 580, 400, 580)
    header = "| Pump | Flow | Load | Mass |\n|  | bar | Nm | kW |\n<tbody>\n| Inlet | 120,527 |"
    assert header in rows_text(page)


def test_numbers_in_the_lower_rows_of_a_ruled_table_do_not_make_a_header() -> None:
    rows = [["Item", "Value"], ["Kind", "pump"], ["Colour", "blue"], ["Mass", "12"], ["Load", "3"]]
    assert markdown(rows) == table_text(ruled_between_all_rows(rows))


def ruled_between_all_rows(rows: Sequence[Sequence[str]]) -> PdfPage:
    """Return a page with a table of two columns, whose header is bold."""
    page = prose()
    for n, row in enumerate(rows):
        font = "F" if n else "B"
        page.rule(72, 620 - 20 * n, 400, 620 - 20 * n)
        page.text(76, 606 - 20 * n, row[0], font=font).text(200, 606 - 20 * n, row[1], font=font)
    return page.rule(72, 620 - 20 * len(rows), 400, 620 - 20 * len(rows))


def test_a_top_rule_may_begin_right_of_the_first_column() -> None:
    page = prose()
    low = write_rows(page, [YEARS, *FULL], RIGHTS)
    page.rule(150, 620, 400, 620).rule(72, 600, 400, 600).rule(72, low, 400, low)
    assert markdown([YEARS, *FULL]) == table_text(page)


def test_a_short_rule_far_above_a_table_is_not_its_top() -> None:
    page = PdfPage().rule(160, 720, 400, 720).text(76, 640, "All limits")
    low = write_rows(page, [YEARS, *FULL], RIGHTS)
    for y in (620, 600, low):
        page.rule(72, y, 400, y)
    assert table_text(page).startswith("| Pump | 2021 | 2022 | 2023 |")


def test_numbers_below_each_other_are_cells_of_their_own() -> None:
    page = prose()
    for y in (620, 600, 510):
        page.rule(72, y, 400, y)
    page.text(76, 606, "Pump")
    numbers(page, 606, RIGHTS, ["2021", "2022", "2023"])
    for n in range(3):
        y = 586 - 26 * n
        page.lines(76, y, f"Inlet valve of the upper pump {n}"[:18], "and of its seal")
        numbers(page, y, RIGHTS, ["120,527", "131,904", "198,127"])
        numbers(page, y - 12, RIGHTS, ["110,527", "121,904", "188,127"])
    assert table_text(page).count("| 120,527 | 131,904 | 198,127 |\n") == 3


def test_a_number_among_the_words_of_a_ruled_table_does_not_end_its_header() -> None:
    rows = [["Item", "Value"], ["Kind", "pump"], ["Colour", "blue"], ["Mass", "12"]]
    rows += [["Use", "oil"], ["Kept", "dry"], ["Sold", "yes"]]
    assert markdown(rows) == table_text(ruled_between_all_rows(rows))


@pytest.mark.parametrize(("gap", "found"), [(5, "Inlet steel"), (7, "Inlet | steel")])
def test_columns_of_words_are_more_than_half_an_em_apart(gap: float, found: str) -> None:
    page = with_rules([["Pump", "Flow"], *(["Inlet", row[1]] for row in FULL)], [240])
    for n in range(4):
        page.text(94.9 + gap, 586 - 14 * n, "steel")
    assert f"| {found} | 120,527 |" in table_text(page)


LONG_TITLE = "Extra electrohydraulically controlled characteristics"


def test_a_long_word_in_a_row_with_one_text_does_not_join_columns() -> None:
    rows = [NAMES, *FULL[:3], [LONG_TITLE, "", "", ""], ["Electrohydraulically kept", "", "", ""]]
    assert markdown(rows) == table_text(with_rules(rows))
    assert LONG_TITLE not in table_text(with_rules([NAMES, *FULL[:2], [LONG_TITLE]]))
    assert LONG_TITLE not in table_text(with_rules([NAMES, *FULL[:3], *[[LONG_TITLE]] * 3]))


def test_a_long_text_among_words_joins_columns() -> None:
    page = prose()
    for n, row in enumerate([NAMES[:2], *[["Inlet", "steel"]] * 4, [LONG_TITLE]]):
        for x, text in zip((76, 150), row, strict=False):
            page.text(x, 606 - 14 * n - 6 * (n > 0), text)
    for y in (620, 600, 510):
        page.rule(72, y, 400, y)
    assert "" == table_text(page)


def test_indented_words_are_in_the_column_of_longer_words_above_them() -> None:
    page = with_rules([NAMES, ["Electrohydraulics", *FULL[0][1:]], *(["", *r[1:]] for r in FULL)])
    for n, x in enumerate((80, 130, 80, 130)):
        page.text(x, 572 - 14 * n, "oil")
    assert "| Electrohydraulics | 120,527 |" in table_text(page)
    assert table_text(page).count("| oil | 1") == 4


def narrow(*pairs: tuple[str, str]) -> str:
    """Return a table of two numbers per row that are 2.3 points apart."""
    rows = [["Pump", "a", "b"], *(["Inlet", *pair] for pair in pairs)]
    page = prose()
    for y in (620, 600, 520):
        page.rule(72, y, 400, y)
    page.text(76, 606, "Pump").text(180, 606, "Flow")
    for n, (label, left, right) in enumerate(rows[1:]):
        page.text(76, 586 - 14 * n, label)
        numbers(page, 586 - 14 * n, [200], [left])
        page.text(202.3, 586 - 14 * n, right)
    return table_text(page)


def test_short_numbers_that_nearly_touch_are_columns_unless_they_look_like_one() -> None:
    assert "| 20 | 41 |" in narrow(("20", "41"), ("30", "27"), ("10", "19"), ("44", "52"))
    assert "| 20 | 5 |" in narrow(("20", "5"), ("30", "27"), ("10", "19"), ("44", "52"))
    assert "| 20 5 |" in narrow(("20", "5"), ("30", "27"), ("10", "7"), ("44", "52"))
    assert "| 20 x |" in narrow(("20", "x"), ("30", "y"), ("10", "19"), ("44", "52"))


def test_a_row_of_numbers_without_a_label_is_separated_like_the_others() -> None:
    rows = [YEARS, *FULL, ["", "432,108", "478,616", "574,508"]]
    assert markdown(rows) == table_text(with_rules(rows, NEAR))


def test_words_in_a_row_of_a_table_of_numbers_stay_in_their_columns() -> None:
    page = with_rules([NAMES, *FULL, ["Pump of a house", "", "", ""]])
    page.text(161, 530, "none")
    assert "| Pump of a house | none |  |  |" in table_text(page)


def test_a_short_rule_above_the_right_end_of_a_table_does_not_belong_to_it() -> None:
    page = with_rules([NAMES, *FULL]).rule(300, 646, 400, 646).text(310, 632, "Checked")
    assert markdown([NAMES, *FULL]) == table_text(page)


def test_wrapped_texts_with_numbers_in_them_are_one_cell() -> None:
    page = PdfPage()
    for y in (704, 684, 624):
        page.rule(72, y, 400, y)
    page.text(76, 690, "Part").text(176, 690, "Use").text(276, 690, "Torque")
    page.lines(76, 670, "Pump for the", "upper house").lines(
        176, 670, "Moves 20 litres", "in 4 hours"
    )
    page.text(276, 670, "5").text(76, 640, "Valve").text(176, 640, "Shuts").text(276, 640, "9")
    expected = (
        "| Pump for the upper house | Moves 20 litres in 4 hours | 5 |\n| Valve | Shuts | 9 |"
    )
    assert table_text(page).endswith(expected)


@pytest.mark.parametrize(
    "text",
    [
        "12",
        "1,207.5",
        "(8,127)",
        "-3",
        "+4.5%",
        "$1.2m",
        "12/13",
        "17:00",
        "12kW",
        "~5\u20137",
        "9)*",
    ],
)
def test_a_number_may_have_units_brackets_and_marks(text: str) -> None:
    assert is_number(Word(0, 9, text))


@pytest.mark.parametrize("text", ["M8", "(b)", "Inlet", "-", "x12", "(1)see", "12)a"])
def test_a_word_that_begins_with_letters_or_a_label_is_not_a_number(text: str) -> None:
    assert not is_number(Word(0, 9, text))


# --- grids ---


def ruled_column(pairs: Sequence[tuple[str, str]], *, title: str = "Runs") -> str:
    """Return the table whose ruled second column has pairs of texts with a wide gap between."""
    ys = [620.0 - 20 * n for n in range(len(pairs) + 2)]
    page = PdfPage().grid([72, 140, 340], ys).text(76, 606, "Pump").text(144, 606, title)
    for n, (left, right) in enumerate(pairs):
        page.text(76, 586 - 20 * n, f"P{n}").text(150, 586 - 20 * n, left)
        page.text(200, 586 - 20 * n, right) if right else None
    return rows_text(page)


def test_words_and_numbers_in_a_ruled_column_are_columns() -> None:
    assert "| P0 | Inlet | 12 |" in ruled_column([("Inlet", "12")] * 3)
    assert "| P0 | 20 | 527 |" in ruled_column([("20", "527")] * 3)
    assert "| P0 | Inlet 12 |" in ruled_column([("Inlet", "12")] * 2 + [("Inlet", "oil")])


def test_most_texts_right_of_a_gap_in_a_ruled_column_must_be_numbers() -> None:
    six = [("Inlet", "12")] * 6 + [("Inlet", "oil")] * 2
    assert "| P0 | Inlet | 12 |" in ruled_column(six)
    assert "| P2 | Inlet 12 |" in ruled_column(six[2:6] + six[6:] * 2)


def test_a_column_of_numbers_in_a_ruled_column_is_filled_in_many_rows() -> None:
    assert "| P0 | Inlet | 12 |" in ruled_column([("Inlet", "12")] * 4 + [("Inlet", "")] * 4)
    assert "| P0 | Inlet 12 |" in ruled_column([("Inlet", "12")] * 3 + [("Inlet", "")] * 9)


def test_a_title_over_columns_without_rules_between_them_spans_them() -> None:
    found = ruled_column(
        [("20", "527"), ("30", ""), ("40", "12"), ("50", "9")], title="Hours of run"
    )
    assert '| Pump</th><th colspan="2">Hours of run |' in found
    assert "| P1 | 30 |  |" in found


def test_numbers_in_a_ruled_column_without_rules_between_them_are_columns() -> None:
    page = PdfPage().grid([72, 140, 340], [620, 600, 580, 560, 540, 520])
    write_grid_rows(page, [NAMES, *FULL])
    assert markdown([NAMES, *FULL]) == table_text(page)


def write_grid_rows(page: PdfPage, rows: Sequence[Sequence[str]]) -> None:
    for n, (label, *texts) in enumerate(rows):
        page.text(76, 606 - 20 * n, label)
        numbers(page, 606 - 20 * n, RIGHTS[: len(texts)], texts)


@pytest.mark.parametrize("rows", [3, 4])
def test_labels_without_rules_between_them_begin_a_row_each(rows: int) -> None:
    labels = [(586 - 20 * n, row[0]) for n, row in enumerate(FULL[:rows])]
    page = page_with_open_labels(*labels, rows=rows)
    assert markdown([NAMES, *FULL[:rows]]) == table_text(page)


def page_with_open_labels(*labels: tuple[float, str], rows: int) -> PdfPage:
    """Return a grid without rules between the texts of the first column."""
    page, low = PdfPage(), 600.0 - 20 * rows
    for x in (72, 140, 210, 270, 330):
        page.rule(x, low, x, 620)
    for y in [620.0 - 20 * n for n in range(rows + 2)]:
        page.rule(72 if y in {620, 600, low} else 140, y, 330, y)
    write_grid_rows(page, [NAMES, *(["", *row[1:]] for row in FULL[:rows])])
    for y, text in labels:
        page.text(76, y, text)
    return page


@pytest.mark.parametrize(
    ("rows", "label"),
    [
        (2, [(586, "Pumps of"), (566, "the well")]),
        (3, [(584, "Pumps of"), (572, "the upper"), (560, "house")]),
        (3, [(586, "Pumps of"), (574, "the deep")]),
        (3, [(590, "Pumps of"), (571, "the upper"), (551, "house")]),
    ],
)
def test_a_label_that_wraps_over_ruled_rows_is_one_spanning_cell(
    rows: int, label: list[tuple[float, str]]
) -> None:
    text = table_text(page_with_open_labels(*label, rows=rows))
    assert text.count(f"| {' '.join(part for _, part in label)} |") == rows


def test_numbers_beside_each_other_in_a_ruled_cell_are_not_separated() -> None:
    page = PdfPage().grid([72, 140, 240, 340], [620, 600, 580, 560, 540])
    rows = [["Pump", "Runs", "Cost"], ["Inlet", "17:00 19:45", "20 527"]]
    rows += [["Outlet", "18:00 20:45", "11 406"], ["Spare", "19:00 21:45", "10 318"]]
    fill_cells(page, [72, 140, 240], [620, 600, 580, 560], rows)
    assert markdown(rows) == table_text(page)


# --- without rules ---


def test_numbers_below_the_titles_of_their_columns_are_a_table() -> None:
    page = without_rules([NAMES, *FULL])
    page.text(72, 500, "All pumps are listed here.")
    assert markdown([NAMES, *FULL]) == table_text(page)
    assert text_of(page).endswith("|\n\nAll pumps are listed here.\n")


def is_table(rows: Sequence[Sequence[str]], rights: Sequence[float] = RIGHTS) -> bool:
    return "|" in text_of(without_rules(rows, rights))


def test_two_columns_need_four_rows_of_numbers() -> None:
    rows = [row[:2] for row in (NAMES, *FULL)]
    assert markdown(rows) == table_text(without_rules(rows))
    assert not is_table(rows[:-1])


def test_two_columns_need_words_as_labels() -> None:
    assert is_table([["Pump", "Flow"], *([row[0], row[2]] for row in FULL)])
    assert not is_table([["Pump", "Flow"], *([row[1], row[2]] for row in FULL)])
    assert is_table([["Pump", "Flow", "Load"], *(["1207", *row[2:]] for row in FULL)])


def test_three_columns_need_three_rows_of_numbers() -> None:
    rows = [row[:3] for row in (NAMES, *FULL)]
    assert markdown(rows[:4]) == table_text(without_rules(rows[:4]))
    assert not is_table(rows[:3])


@pytest.mark.parametrize("label", ["", "Pump"])
def test_years_may_be_the_titles_of_columns(label: str) -> None:
    rows = [[label, "2021", "2022", "2023"], *FULL]
    assert markdown(rows) == table_text(without_rules(rows))


def test_titles_may_be_between_rows_of_numbers() -> None:
    rows = [NAMES, *FULL[:2], ["Pumps of the lower house", "", "", ""], *FULL[2:]]
    assert markdown(rows) == table_text(without_rules(rows))


def test_two_titles_below_each_other_end_a_table() -> None:
    rows = [NAMES, *FULL, ["Pumps of the lower house"], ["Valves and seals"], *FULL]
    assert markdown([NAMES, *FULL]) == table_text(without_rules(rows))


@pytest.mark.parametrize("text", ["-", "–", "—", "n/a", "N/A", "na.", "...", "*"])
def test_placeholders_count_as_numbers(text: str) -> None:
    rows = [NAMES, *([row[0], row[1], text, text] for row in FULL[:3])]
    assert markdown(rows) == table_text(without_rules(rows))


def test_half_of_the_texts_of_a_row_may_be_words() -> None:
    rows = [NAMES[:3], *([row[0], row[1], "steel"] for row in FULL)]
    assert markdown(rows) == table_text(without_rules(rows))
    assert not is_table([NAMES, *([row[0], row[1], "steel", "oil"] for row in FULL)])


def test_titles_of_columns_may_have_several_lines() -> None:
    page = without_rules([NAMES, *FULL])
    numbers(page, 618, RIGHTS, ["Least", "Most", "Total"])
    assert table_text(page).startswith("| Pump | Least Flow | Most Load | Total Mass |")


def test_titles_of_columns_have_at_most_four_lines() -> None:
    page = without_rules([NAMES, *FULL])
    for n, title in enumerate(("Of oil", "In use", "Now", "Once")):
        numbers(page, 618 + 12 * n, RIGHTS, [title, title, title])
    assert "| Pump | Now In use Of oil Flow |" in table_text(page)


def test_a_title_right_of_the_labels_belongs_to_the_titles_of_the_columns() -> None:
    page = without_rules([NAMES, *FULL]).text(190, 618, "In thousands of litres")
    assert '</th><th colspan="2">In thousands of litres |  |\n' in rows_text(page)


@pytest.mark.parametrize(("distance", "is_found"), [(23, True), (28, False)])
def test_titles_are_near_their_rows(distance: float, is_found: bool) -> None:  # noqa: FBT001 - a parameter of pytest
    page = prose()
    write_rows(page, [NAMES], RIGHTS, y=586 + distance)
    assert is_found == ("|" in text_of(without_rules([["", "", "", ""], *FULL], page=page)))


@pytest.mark.parametrize(("above", "below"), [(11, 8), (8, 11)])
def test_the_larger_text_decides_how_near_titles_are(above: float, below: float) -> None:
    page = prose()
    write_rows(page, [NAMES], RIGHTS, y=606, size=above)
    write_rows(page, FULL, RIGHTS, y=581, size=below)
    assert table_text(page).startswith(markdown([NAMES]))


def test_rows_after_a_gap_are_not_part_of_a_table() -> None:
    page = without_rules([NAMES, *FULL])
    write_rows(page, FULL, RIGHTS, y=500)
    assert markdown([NAMES, *FULL]) == table_text(page)


def test_tables_below_each_other_have_their_own_titles() -> None:
    page = without_rules([NAMES, *FULL, ["Valve", "Size", "Turn", "Cost"], *FULL])
    page_text = text_of(page)
    assert markdown([NAMES, *FULL]) in page_text
    assert markdown([["Valve", "Size", "Turn", "Cost"], *FULL]) in page_text


def test_rows_of_numbers_above_the_titles_are_not_part_of_a_table() -> None:
    page = without_rules([*FULL[:2], NAMES, *FULL])
    assert markdown([NAMES, *FULL]) == table_text(page)


def test_titles_may_follow_several_rows_of_numbers() -> None:
    title = ["Pumps of the lower house", "", "", ""]
    rows = [NAMES, *FULL[:2], title, *FULL[2:], title, *FULL[:2]]
    assert markdown(rows) == table_text(without_rules(rows))


def test_some_rows_may_have_only_few_numbers() -> None:
    sparse = [["Bolt", "", "12", ""], ["Nut", "", "", "34"]]
    rows = [NAMES, *FULL[:3], *sparse]
    assert markdown(rows) == table_text(without_rules(rows))
    rows = [[*NAMES, "Size", "Cost"], *([*row, "", ""] for row in FULL), ["Bolt", *"12345"]]
    rows += [["Nut", *"23456"], ["Screw", *"34567"], ["Washer", "5", "", "", "", ""]]
    assert markdown(rows) == table_text(without_rules(rows, (*RIGHTS, 380, 440)))


def test_cells_may_be_a_little_higher_than_their_label() -> None:
    page = prose()
    for n, (label, *texts) in enumerate([NAMES, *FULL]):
        numbers(page.text(76, 606 - 14 * n, label), 608 - 14 * n, RIGHTS, texts)
    assert markdown([NAMES, *FULL]) == table_text(page)


# --- text that is not a table ---


def test_rows_with_one_number_each_at_different_positions_are_not_a_table() -> None:
    rows = [["Inlet", *[""] * n, f"{n + 2}4"] for n in range(5)]
    rights = (150, 190, 230, 270, 310)
    assert not is_table([[*NAMES, "Size", "Cost"], *rows, *rows], rights)


def test_numbers_without_common_gaps_are_not_a_table() -> None:
    page = prose()
    page.text(76, 606, "Pump").text(150, 606, "Flow")
    for n in range(8):
        page.text(76 + 20 * n, 592 - 14 * n, "Inlet").text(110 + 20 * n, 592 - 14 * n, "1207")
    assert "" == table_text(page)


def test_rows_that_mostly_have_no_label_are_not_a_table() -> None:
    assert not is_table([NAMES, *FULL[:2], *(["", *row[1:]] for row in FULL[1:])])


def test_texts_that_only_contain_numbers_are_not_numbers() -> None:
    assert not is_table([["Pump", "Flow"], *[["Inlet", "12 litres each"]] * 4])
    assert not is_table([["Pump", "Flow"], *[["Inlet", "-----"]] * 4])


def test_rows_of_numbers_without_titles_of_columns_are_not_a_table() -> None:
    assert not is_table(FULL)


def test_titles_far_above_or_after_a_gap_do_not_belong_to_rows_of_numbers() -> None:
    page = prose()
    write_rows(page, [NAMES], RIGHTS, y=640)
    assert "|" not in text_of(without_rules(FULL, page=page))


def test_the_numbers_of_the_axes_of_a_chart_are_not_a_table() -> None:
    page = prose()
    for n in range(8):
        page.text(90, 600 - 20 * n, f"{80 - 10 * n}").text(400, 600 - 20 * n, f"{8 - n}.5")
    for n in range(6):
        page.text(110 + 50 * n, 440, f"{2010 + n}")
    page.text(200, 425, "Flow of all pumps")
    assert "" == table_text(page)


def test_running_text_beside_the_axes_of_a_chart_is_not_a_table() -> None:
    lines = ["The pump moves cold water to", "every house of the street and", "back again, at a"]
    lines += ["pressure that is never above", "sixteen bar, so that no valve", "has to be shut"]
    page = prose().text(90, 614, "Flow").text(150, 614, "Load").text(220, 614, "Reading a chart")
    for n, line in enumerate(lines):
        page.text(90, 600 - 14 * n, f"{60 - 10 * n}").text(150, 600 - 14 * n, f"{6 - n}.5")
        page.text(220, 600 - 14 * n, line)
    assert "" == table_text(page)


def test_the_numbers_of_lines_right_of_a_text_are_not_a_table() -> None:
    page = prose().text(76, 614, "A short line").text(290, 614, "Line")
    long = "A pump is on a floor of it as it is by us"
    for n, line in enumerate([long, "Then it stops.", long, "So it is.", long]):
        page.text(76, 600 - 14 * n, line).text(290, 600 - 14 * n, f"{n + 1}")
    assert "" == table_text(page)


@pytest.mark.parametrize("bullet", ["\u2022", "-", "*"])
def test_lists_with_numbers_at_their_right_are_not_a_table(bullet: str) -> None:
    rows = [NAMES, *([f"{bullet} {row[0]}", *row[1:]] for row in FULL)]
    assert not is_table(rows)


def test_a_printed_table_of_contents_is_not_a_table() -> None:
    page = PdfPage().text(72, 700, "Contents", 16, "B")
    page.text(72, 674, "Part").text(500, 674, "Page")
    for n, title in enumerate(["Pumps", "Valves", "Seals", "Bolts", "Nuts", "Pipes"]):
        page.text(72, 660 - 14 * n, f"{title} {'. ' * 30}").text(500, 660 - 14 * n, f"{3 + 4 * n}")
    assert "" == table_text(page)


def test_prose_in_two_columns_with_numbers_is_not_a_table() -> None:
    page = PdfPage()
    for n in range(20):
        page.text(72, 700 - 12 * n, f"Pump {n} moves water at 20 bar and 4 kW")
        page.text(320, 700 - 12 * n, f"and valve {n + 7} shuts at 16 bar or 3 Nm")
    assert "" == table_text(page)


def test_monospaced_code_with_numbers_is_not_a_table() -> None:
    page = prose()
    for n, row in enumerate([NAMES, *FULL]):
        for x, text in zip((76, 170, 230, 290), row, strict=True):
            page.text(x, 606 - 14 * n, text, 10, "M")
    assert "" == table_text(page)


# --- the whole ---


class Sheet:
    """A page whose words are all different."""

    def __init__(self) -> None:
        self.page, self.words = PdfPage(), list[str]()

    def write(self, x: float, y: float, text: str, size: float = 10) -> None:
        """Write a word that begins with a text and ends with its number on the page."""
        count = len(self.words)
        self.words.append(f"{text}{count}q" if text.isalpha() else f"{text}{count:03}")
        self.page.text(x, y, self.words[-1], size)

    def write_across(self, x: float, y: float, text: str) -> None:
        """Write a line of words."""
        for n in range(4):
            self.write(x + 60 * n, y, text)

    def draw_rules(self, kind: str, heights: Sequence[float], columns: Sequence[int]) -> None:
        """Draw the rules of a table, all or some."""
        if kind == "grid":
            self.page.grid([72, *(10 * column - 3 for column in sorted(columns)), 580], heights)
        elif kind != "none":
            for height in heights if kind == "rows" else [*heights[:2], heights[-1]]:
                self.page.rule(72, height, 580, height)


LABELS = st.lists(st.integers(1, 9).map(lambda n: "abcdefghi"[:n]), min_size=1, max_size=2)
CELLS = st.lists(st.sampled_from(["", *"123456789"]), min_size=5, max_size=5)
ROWS = st.lists(st.tuples(LABELS, CELLS, st.sampled_from([14, 18])), min_size=1, max_size=7)


@st.composite
def sheets(draw: st.DrawFn) -> Sheet:
    """Return a page with prose, a table of wrapped labels and numbers, and perhaps a footnote."""
    sheet, y = Sheet(), 620.0
    sheet.write_across(72, 700, "prose")
    columns = draw(st.lists(st.sampled_from(range(15, 53, 5)), min_size=1, max_size=5, unique=True))
    heights = [y + 14, y - 5]
    for column in columns:
        sheet.write(10 * column, y, draw(st.sampled_from(["title", "2"])))
    for labels, cells, step in draw(ROWS):
        y -= step
        for column, cell in zip(columns, cells, strict=False):
            if cell:
                sheet.write(10 * column, y, cell)
        for n, label in enumerate(labels):
            sheet.write(76, y - 12 * n, label)
        y -= 12 * (len(labels) - 1)
        heights.append(y - 4)
    if draw(st.booleans()):
        sheet.write_across(76, y - 14, "across")
        heights.append(y - 18)
    sheet.draw_rules(draw(st.sampled_from(["none", "ends", "rows", "grid"])), heights, columns)
    if draw(st.booleans()):
        sheet.page.text(72, 60, "1", 7)
        sheet.write(80, 60, "note", 7)
    return sheet


@settings(max_examples=60)
@given(sheets())
def test_each_word_of_a_page_is_read_once(sheet: Sheet) -> None:
    found = Counter(re.findall(r"[^\W_]+", text_of(sheet.page)))
    assert {word: found[word] for word in sheet.words} == dict.fromkeys(sheet.words, 1)


# --- the work ---


def placed(texts: Sequence[str], xs: Sequence[float], y: float) -> PdfLine:
    words = [Word(x, x + 12, text) for x, text in zip(xs, texts, strict=True)]
    return PdfLine(
        " ".join(texts), [*texts], xs[0], y - 2, xs[-1] + 12, y + 7, y, 10, is_bold=False,
        is_mono=False, font="F", page=0, count=9, words=words,
    )  # fmt: skip


def box_of_numbers(rows: int, columns: int) -> tuple[list[PdfLine], "array[float]"]:
    """Return rows of numbers in a box that has rules below the titles and beside the labels."""
    high, right = 14.0 * rows + 12, 70 + 20.0 * columns
    xs = [72 + 20.0 * column for column in range(columns)]
    lines = [placed(["Pump"] * columns, xs, high + 3)]
    lines += [placed(["Pump", *["7"] * (columns - 1)], xs, high - 9 - 14 * n) for n in range(rows)]
    rules = array("f")
    for y in (0, high, high + 14):
        rules.extend((70, y, right, y + 0.5))
    for x in (70, 88, right):
        rules.extend((x, 0, x + 0.5, high + 14))
    return lines, rules


def work_on(lines: Sequence[PdfLine], rules: "array[float]") -> int:
    return calls(lambda: find_tables(lines, rules))


def test_finding_a_long_table_takes_few_calls_per_number() -> None:
    for rows in (20, 80):
        lines, rules = box_of_numbers(rows, 30)
        (table,) = find_tables(lines, rules)
        assert (len(table.rows), table.columns) == (rows + 1, 30)
        assert work_on(lines, rules) < 200 * rows * 30
        assert work_on(lines, array("f")) < 200 * rows * 30


def test_columns_between_rules_are_searched_once_for_all_of_them() -> None:
    lines, rules = box_of_numbers(100, 80)
    for x in range(110, 70 + 20 * 80, 20):
        rules.extend((x - 1, 0, x - 0.5, 1426))
    assert work_on(lines, rules) < 300 * 100 * 80


def test_a_line_of_very_many_words_takes_few_calls_per_word() -> None:
    count = 5_000
    xs = [72 + 20.0 * n for n in range(count)]
    line = placed(["7"] * count, xs, 700)
    assert work_on([line], array("f")) < 60 * count
    titles = [placed(["Pump"], [60], 690.0 - 14 * n) for n in range(count // 20)]
    rows = [placed(["Pump", "7"], [60, 92], 683.0 - 14 * n) for n in range(count // 20)]
    assert work_on([line, *titles, *rows], array("f")) < 60 * count


def test_rows_of_numbers_that_are_no_table_are_read_once() -> None:
    lines = [placed(["7"] * 2, [72, 92], 14.0 * n) for n in range(3000)]
    assert work_on(lines, array("f")) < 200 * 6000
