"""Tables of numbers in a PDF: columns without rules in a grid, any table, and the work."""

import re
from array import array
from collections import Counter
from collections.abc import Sequence

import pytest
from case_files import case_table
from function_calls import calls
from hypothesis import given, settings
from hypothesis import strategies as st
from pdf_files import PdfPage
from pdf_pages import rows_text, table_text, text_of

from treepack.readers.pdf.lines import PdfLine, Word
from treepack.readers.pdf.tables.columns import is_number
from treepack.readers.pdf.tables.finder import find_tables

pytest.importorskip("pypdfium2")

NUMBERS = ("12", "1,207.5", "(8,127)", "-3", "+4.5%", "$1.2m", "12/13", "17:00", "12kW")
NO_NUMBERS = ("M8", "(b)", "Inlet", "-", "x12", "(1)see", "12)a")


def test_a_number_may_have_units_brackets_and_marks_but_no_letters_before_it() -> None:
    texts = (*NUMBERS, "~5\u20137", "9)*", *NO_NUMBERS)
    assert [text for text in texts if not is_number(Word(0, 9, text))] == [*NO_NUMBERS]


def ruled_column(pairs: Sequence[tuple[str, str]], *, title: str = "Runs") -> str:
    """Return the table whose ruled second column has pairs of texts with a wide gap between."""
    ys = [620.0 - 20 * n for n in range(len(pairs) + 2)]
    page = PdfPage().grid([72, 140, 340], ys).text(76, 606, "Pump").text(144, 606, title)
    for n, (left, right) in enumerate(pairs):
        page.text(76, 586 - 20 * n, f"P{n}").text(150, 586 - 20 * n, left)
        page.text(200, 586 - 20 * n, right) if right else None
    return rows_text(page)


@pytest.mark.parametrize(("pairs", "found"), case_table("pdf_number_tables", "gaps"))
def test_most_texts_right_of_a_gap_in_a_ruled_column_are_numbers_if_it_is_two(
    pairs: Sequence[tuple[str, str]], found: str
) -> None:
    assert f"| P0 | {found} |" in ruled_column(pairs)


def test_a_title_over_columns_without_rules_between_them_stands_over_the_first() -> None:
    found = ruled_column([("20", "527"), ("30", ""), ("40", "12"), ("5", "9")])
    assert found.startswith("| Pump | Runs |  |\n")
    assert "| P1 | 30 |  |" in found


def test_prose_in_two_columns_with_numbers_is_not_a_table() -> None:
    page = PdfPage()
    for n in range(20):
        page.text(72, 700 - 12 * n, f"Pump {n} moves water at 20 bar and 4 kW")
        page.text(320, 700 - 12 * n, f"and valve {n + 7} shuts at 16 bar or 3 Nm")
    assert "" == table_text(page)


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


def placed(texts: Sequence[str], xs: Sequence[float], y: float) -> PdfLine:
    words = [Word(x, x + 12, text) for x, text in zip(xs, texts, strict=True)]
    return PdfLine(
        " ".join(texts), [*texts], xs[0], y - 2, xs[-1] + 12, y + 7, y, 10, is_bold=False,
        is_mono=False, font="F", page=0, count=9, words=words,
    )  # fmt: skip


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
