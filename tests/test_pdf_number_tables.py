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
from table_pages import numbers, rows_text, table_text

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


def test_a_table_in_small_type_drawn_after_the_footnote_is_not_part_of_it() -> None:
    page = footnoted_page()
    low = write_rows(page, [NAMES, *FULL], RIGHTS, y=400, size=7)
    for y in (410, 396, low):
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


INLET = ("Inlet", "12")


@pytest.mark.parametrize(
    ("pairs", "found"),
    [
        ([INLET] * 3, "Inlet | 12"),
        ([("20", "527")] * 3, "20 | 527"),
        ([INLET] * 6 + [("Inlet", "oil")] * 2, "Inlet | 12"),
        ([INLET] * 4 + [("Inlet", "oil")] * 4, "Inlet 12"),
        ([INLET] * 4 + [("Inlet", "")] * 4, "Inlet | 12"),
        ([INLET] * 3 + [("Inlet", "")] * 9, "Inlet 12"),
    ],
)
def test_most_texts_right_of_a_gap_in_a_ruled_column_are_numbers_if_it_is_two(
    pairs: Sequence[tuple[str, str]], found: str
) -> None:
    assert f"| P0 | {found} |" in ruled_column(pairs)


def test_a_title_over_columns_without_rules_between_them_stands_over_the_first() -> None:
    found = ruled_column([("20", "527"), ("30", ""), ("40", "12"), ("5", "9")])
    assert found.startswith("| Pump | Runs |  |\n")
    assert "| P1 | 30 |  |" in found


# --- text that is not a table ---


def test_the_numbers_of_the_axes_of_a_chart_are_not_a_table() -> None:
    page = prose()
    for n in range(8):
        page.text(90, 600 - 20 * n, f"{80 - 10 * n}").text(400, 600 - 20 * n, f"{8 - n}.5")
    for n in range(6):
        page.text(110 + 50 * n, 440, f"{2010 + n}")
    page.text(200, 425, "Flow of all pumps")
    assert "" == table_text(page)


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


def test_a_line_of_very_many_words_takes_few_calls_per_word() -> None:
    count = 5_000
    xs = [72 + 20.0 * n for n in range(count)]
    line = placed(["7"] * count, xs, 700)
    assert work_on([line], array("f")) < 60 * count
    titles = [placed(["Pump"], [60], 690.0 - 14 * n) for n in range(count // 20)]
    rows = [placed(["Pump", "7"], [60, 92], 683.0 - 14 * n) for n in range(count // 20)]
    assert work_on([line, *titles, *rows], array("f")) < 60 * count
