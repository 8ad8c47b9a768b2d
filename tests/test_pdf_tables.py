"""How the tables of a PDF are found and read, also across pages."""

import pytest
from pdf_files import PdfPage, pdf_bytes
from pdf_pages import PROSE, prose, text_of
from table_pages import fill_cells, table_text

from treepack import Source, audit, pack, read

pytest.importorskip("pypdfium2")


def test_a_grid_of_ruled_lines_is_a_table() -> None:
    xs, ys = [72.0, 200.0, 330.0], [700.0, 680.0, 660.0, 640.0]
    page = fill_cells(
        PdfPage().grid(xs, ys), xs, ys, [["Size", "Torque"], ["M8", "25"], ["M10", "49"]]
    )
    expected = "| Size | Torque |\n| --- | --- |\n| M8 | 25 |\n| M10 | 49 |"
    assert expected == table_text(page)


def test_a_missing_ruled_line_makes_a_spanning_cell() -> None:
    xs, ys = [72.0, 172.0, 272.0, 372.0], [700.0, 680.0, 660.0, 640.0]
    page = PdfPage()
    for y in ys:
        page.rule(72, y, 372, y)
    for x in xs:
        page.rule(x, 640, x, 680 if x == 272 else 700)
    page.text(250, 686, "Torque in Nm")
    fill_cells(page, xs, ys, [["Size"], ["", "dry", "oiled"], ["M8", "25", "20"]])
    text = text_of(page)
    assert '<tr><th>Size</th><th colspan="2">Torque in Nm</th></tr>' in text
    assert "<tr><td>M8</td><td>25</td><td>20</td></tr>" in text


def test_words_hyphenated_across_lines_of_a_cell_are_joined() -> None:
    xs, ys = [72.0, 200.0, 330.0], [700.0, 680.0, 640.0]
    page = PdfPage().grid(xs, ys).text(76, 686, "Size").text(204, 686, "Use")
    page.text(76, 666, "M8").text(204, 666, "the mainte-").text(204, 654, "nance of X-")
    text = text_of(page.text(204, 644, "Ray pumps"))
    assert "| M8 | the maintenance of X-Ray pumps |" in text


def test_ruled_lines_above_and_below_are_enough_for_a_table() -> None:
    xs, ys = [72.0, 200.0, 330.0], [700.0, 680.0, 666.0, 652.0]
    page = PdfPage()
    for y in (700, 680, 634):
        page.rule(72, y, 400, y)
    rows = [["Size", "Torque", "Use"], ["M8", "25", "cover"], ["M10", "49", "base"]]
    fill_cells(page, xs, ys, [*rows, ["M12", "85", "flange"]])
    assert table_text(page).startswith("| Size | Torque | Use |\n| --- | --- | --- |\n| M8 | 25 |")
    assert table_text(page).endswith("| M12 | 85 | flange |")


@pytest.mark.parametrize(("font", "header"), [("F", "|  |  |"), ("B", "| bin | programs |")])
def test_a_table_with_rules_between_all_rows_has_a_header_only_if_bold(
    font: str, header: str
) -> None:
    page = PdfPage()
    rows = [("bin", "programs"), ("etc", "settings"), ("lib", "libraries"), ("tmp", "scratch")]
    for n, (name, use) in enumerate(rows):
        page.rule(72, 700 - 20 * n, 400, 700 - 20 * n)
        page.text(76, 686 - 20 * n, name, font="F" if n else font)
        page.text(200, 686 - 20 * n, use, font="F" if n else font)
    page.rule(72, 620, 400, 620)
    assert table_text(page).startswith(f"{header}\n| --- | --- |\n")
    assert table_text(page).endswith("| lib | libraries |\n| tmp | scratch |")


def open_table(*cells: tuple[float, float, str], foot: float = 560) -> str:
    """Return a table that has rules only at its top and bottom, with cells at given positions."""
    page = PdfPage().text(76, 690, "Part", font="B").text(176, 690, "Use", font="B")
    page.text(276, 690, "Torque", font="B")
    for y in (704, 684, foot):
        page.rule(72, y, 400, y)
    for x, y, text in cells:
        page.lines(x, y, *text.split("/"))
    return table_text(page)


def test_rows_are_separated_by_wider_gaps_than_lines_of_a_cell() -> None:
    text = open_table(
        *[
            (76, 670, "Pump for the/upper house"),
            (176, 670, "Moves the cold/water"),
            (276, 670, "5"),
        ],
        *[(76, 640, "Valve"), (176, 640, "Shuts"), (276, 640, "9")],
        foot=634,
    )
    assert text.endswith(
        "| Pump for the upper house | Moves the cold water | 5 |\n| Valve | Shuts | 9 |"
    )


def test_extra_space_after_some_rows_does_not_join_the_others() -> None:
    rows = [
        (76 + 100 * column, 670 - 12 * row - 6 * (row // 3), text)
        for row in range(6)
        for column, text in enumerate((f"M{row}", ("dry bolts only", "oil")[row % 2], f"{row}5"))
    ]
    text = open_table(*rows, foot=590)
    assert all(f"| M{row} |" in text for row in range(6))


def test_a_table_without_row_rules_may_fill_a_page() -> None:
    cells = [(76.0, 670.0 - 18 * row, f"M{row}") for row in range(32)]
    cells += [(176.0, 670.0 - 18 * row, f"use {row}") for row in range(32)]
    cells += [(276.0, 670.0 - 18 * row, f"{row}") for row in range(32)]
    assert open_table(*cells, foot=80).endswith("| M31 | use 31 | 31 |")


def test_text_columns_between_three_rules_are_not_a_table() -> None:
    page = PdfPage().text(76, 690, "Pumps").text(276, 690, "Valves")
    for x in (76, 276):
        page.lines(x, 670, *["Pumps move the water upwards to"] * 9)
    for y in (704, 684, 560):
        page.rule(72, y, 460, y)
    assert "|" not in text_of(page)


def test_a_table_that_continues_with_the_same_header_is_one_table() -> None:
    xs, ys = [72.0, 200.0, 330.0], [120.0, 100.0, 80.0]
    first = fill_cells(PdfPage().grid(xs, ys), xs, ys, [["Size", "Torque"], ["M8", "25"]])
    ys = [720.0, 700.0, 680.0]
    second = fill_cells(PdfPage().grid(xs, ys), xs, ys, [["Size", "Torque"], ["M10", "49"]])
    expected = "| Size | Torque |\n| --- | --- |\n| M8 | 25 |\n| M10 | 49 |"
    assert expected == table_text(first, second)
    source = read(pdf_bytes(first, second))
    assert ((0, 1), (source.text.index("| M10"), 2)) == source.page_marks


def test_repeated_captions_and_headers_of_a_table_are_listed_as_skipped() -> None:
    xs, ys = [72.0, 200.0, 330.0], [120.0, 100.0, 80.0]
    first = prose().text(72, 126, "Table 4: Torques").grid(xs, ys)
    first = fill_cells(first, xs, ys, [["Size", "Torque"], ["M8", "25"]])
    ys = [720.0, 700.0, 680.0]
    second = PdfPage().text(72, 726, "Table 4 (continued)").grid(xs, ys)
    second = fill_cells(second, xs, ys, [["Size", "Torque"], ["M10", "49"]])
    source = read(pdf_bytes(first, second))
    assert "| M8 | 25 |\n| M10 | 49 |" in source.text
    reasons = [reason for _, reason in source.left_out]
    assert [
        "repeated table header of page 2: Table 4 (continued)",
        "repeated table header of page 2: Size | Torque",
    ] == reasons


def long_table(*, thick: str = "") -> list[PdfPage]:
    xs, pages = [72.0, 200.0, 330.0], list[PdfPage]()
    for n in range(1, 5):
        ys = [720.0 - 20 * row for row in range(5)]
        page = PdfPage()
        for y in ys:
            page.rule(72, y, 330, y)
        if thick:
            page.operators = [thick, *(each.removeprefix("0.5 w ") for each in page.operators)]
        page.text(76, 706, "Size", font="B").text(204, 706, "Torque", font="B")
        rows = [[], *([f"M{n}{row}", f"{n * row + 7}"] for row in (1, 2, 3))]
        pages.append(fill_cells(page, xs, ys, rows))
    return pages


@pytest.mark.parametrize("thick", ["", "2.5 w"])
def test_rows_of_a_long_table_are_not_running_headers_or_footers(thick: str) -> None:
    source = read(pdf_bytes(*long_table(thick=thick)))
    rows = [f"| M{n}{row} | {n * row + 7} |" for n in range(1, 5) for row in (1, 2, 3)]
    assert "\n".join(rows) in source.text
    assert "pdf_lines_left_out" not in source.metadata


def test_text_at_the_height_of_repeated_table_headers_is_kept() -> None:
    xs, ys, pages = [72.0, 200.0, 330.0], [720.0, 700.0, 680.0, 660.0], list[PdfPage]()
    for n in range(1, 4):
        rows = [["Size", "Torque"], [f"M{n}1", f"{n}4"], [f"M{n}2", f"{n}7"]]
        pages.append(fill_cells(PdfPage().grid(xs, ys), xs, ys, rows))
    for one, two in (("Pumps move water", "Valves shut pipes"), ("Seals hold", "Bolts turn")):
        page = PdfPage().text(76, 706, one).text(330, 706, two)
        pages.append(page.lines(76, 600, "The rest of the page.", "It has two lines."))
    source = read(pdf_bytes(*pages))
    assert source.text.count("| Size | Torque |") == 1
    assert "| M32 | 37 |" in source.text
    assert all(text in source.text for text in ("Pumps move water", "Valves shut", "Bolts turn"))
    assert "pdf_lines_left_out" not in source.metadata


def test_a_two_line_table_header_on_many_pages_is_not_a_running_header() -> None:
    xs, pages = [72.0, 200.0, 330.0], list[PdfPage]()
    for n in range(1, 5):
        page = PdfPage().grid(xs, [720, 690, 670])
        page.lines(76, 708, "Size of", "the bolt").lines(204, 708, "Torque", "in Nm")
        pages.append(page.text(76, 676, f"M{n * 3}").text(204, 676, f"{n * n}"))
    assert table_text(*pages) == (
        "| Size of the bolt | Torque in Nm |\n| --- | --- |\n"
        "| M3 | 1 |\n| M6 | 4 |\n| M9 | 9 |\n| M12 | 16 |"
    )


def test_a_caption_below_the_last_part_belongs_to_the_whole_table() -> None:
    xs, ys = [72.0, 200.0, 330.0], [120.0, 100.0, 80.0]
    first = fill_cells(prose().grid(xs, ys), xs, ys, [["Size", "Torque"], ["M8", "25"]])
    ys = [720.0, 700.0, 680.0]
    second = fill_cells(PdfPage().grid(xs, ys), xs, ys, [["Size", "Torque"], ["M10", "49"]])
    source = read(pdf_bytes(first, second.text(72, 664, "Table 7: Torques")))
    assert "*Table 7: Torques*\n\n| Size | Torque |\n" in source.text
    assert "| M8 | 25 |\n| M10 | 49 |" in source.text


def test_tables_with_equal_headers_but_different_captions_stay_separate() -> None:
    xs, ys = [72.0, 200.0, 330.0], [120.0, 100.0, 80.0]
    first = prose().text(72, 126, "Table 4: Torques of steel").grid(xs, ys)
    first = fill_cells(first, xs, ys, [["Size", "Torque"], ["M8", "25"]])
    ys = [720.0, 700.0, 680.0]
    second = PdfPage().text(72, 726, "Table 5: Torques of brass").grid(xs, ys)
    second = fill_cells(second, xs, ys, [["Size", "Torque"], ["M10", "49"]])
    captions = [
        table.caption for chunk in pack(read(pdf_bytes(first, second))) for table in chunk.tables
    ]
    assert ["Table 4: Torques of steel", "Table 5: Torques of brass"] == captions


@pytest.mark.parametrize("y", [706, 626])
def test_a_caption_above_or_below_belongs_to_its_table(y: float) -> None:
    xs, ys = [72.0, 200.0, 330.0], [700.0, 680.0, 660.0, 640.0]
    page = PdfPage().text(72, y, "Table 3. Torques in Nm").grid(xs, ys)
    page = fill_cells(page, xs, ys, [["Size", "Torque"], ["M8", "25"], ["M10", "49"]])
    page.lines(72, 560, *PROSE)
    (chunk,) = pack(read(pdf_bytes(page)))
    assert ["Table 3. Torques in Nm"] == [table.caption for table in chunk.tables]
    assert 1 == chunk.text.count("Torques in Nm")


@pytest.mark.parametrize("word", ["Tabelle", "Tab.", "TABLE", "Cuadro", "Tabella", "Tableau"])
def test_a_caption_may_use_the_word_for_table_in_several_languages(word: str) -> None:
    xs, ys = [72.0, 200.0, 330.0], [700.0, 680.0, 660.0]
    page = PdfPage().text(72, 706, f"{word} 3: M8 und M10").grid(xs, ys)
    fill_cells(page, xs, ys, [["M8", "25"], ["M10", "49"]])
    (chunk,) = pack(read(pdf_bytes(page)))
    assert [f"{word} 3: M8 und M10"] == [table.caption for table in chunk.tables]


def test_a_caption_between_two_tables_belongs_to_the_nearer_one() -> None:
    xs = [72.0, 200.0, 330.0]
    page = PdfPage().grid(xs, [700.0, 680.0, 660.0]).grid(xs, [600.0, 580.0, 560.0])
    fill_cells(page, xs, [700.0, 680.0], [["Size", "Torque"], ["M8", "25"]])
    fill_cells(page, xs, [600.0, 580.0], [["Hole", "Depth"], ["A", "12"]])
    page.text(72, 606, "Table 2: Depths")
    (chunk,) = pack(read(pdf_bytes(page)))
    assert [None, "Table 2: Depths"] == [table.caption for table in chunk.tables]


def page_with_open_table(rows: list[list[str]], xs: list[float]) -> PdfPage:
    page = prose()
    for y in (620, 600, 540):
        page.rule(72, y, 430, y)
    for y, row in zip((606, 586, 570, 554), rows, strict=True):
        for x, text in zip(xs, row, strict=True):
            page.text(x, y, text)
    return page


def test_a_column_title_separates_cells_that_are_close_together() -> None:
    rows = [["Bolt", "Torque", "Use"], ["M8", "twenty-five Nm at most", "pumps"]]
    rows += [["M10", "forty", "pipes"], ["M12", "eighty", "tanks"]]
    text = text_of(page_with_open_table(rows, [76, 180, 285]))
    assert "| M8 | twenty-five Nm at most | pumps |" in text


def test_a_distant_column_title_begins_a_column_even_if_it_is_empty() -> None:
    rows = [["Bolt", "Torque", "Notes"], ["M8", "25 Nm", ""], ["M10", "40", ""], ["M12", "80", ""]]
    assert "| M8 | 25 Nm |  |" in text_of(page_with_open_table(rows, [76, 180, 380]))


def test_a_sentence_about_a_table_is_not_a_caption() -> None:
    xs, ys = [72.0, 200.0, 330.0], [700.0, 680.0, 660.0]
    page = PdfPage().text(72, 706, "Table 3 lists the torques of all sizes.").grid(xs, ys)
    fill_cells(page, xs, ys, [["Size", "Torque"], ["M8", "25"]])
    (chunk,) = pack(read(pdf_bytes(page)))
    assert [None] == [table.caption for table in chunk.tables]


def test_without_rules_a_row_begins_at_text_in_the_first_column() -> None:
    page = PdfPage()
    for y in (700, 680, 600):
        page.rule(72, y, 400, y)
    for x in (150, 200):
        page.rule(x, 600, x, 700)
    body = [("M8", "4", "cover of the"), ("", "", "upper housing"), ("M10", "6", "base")]
    body += [("M12", "8", "flange and"), ("", "", "its counterpart")]
    for n, (name, size, use) in enumerate([("Size", "Bolts", "Use"), *body]):
        for x, text in ((76, name), (155, size), (205, use)):
            page.text(x, 686 - 14 * n - 4 * (n > 0), text)
    expected = "| M8 | 4 | cover of the upper housing |\n| M10 | 6 | base |\n"
    assert expected + "| M12 | 8 | flange and its counterpart |" in table_text(page)


def test_cells_wrapped_in_all_columns_of_a_grid_are_one_row() -> None:
    page = PdfPage().grid([72, 200, 330], [700, 680, 630])
    page.text(76, 686, "Cause").text(205, 686, "Remedy")
    page.lines(76, 668, "The bolts of the", "lower flange are", "loose or worn.")
    page.lines(205, 668, "Draw all the bolts", "to the torque of", "the last table.")
    expected = (
        "| The bolts of the lower flange are loose or worn."
        " | Draw all the bolts to the torque of the last table. |"
    )
    assert expected in table_text(page)


def test_one_vertical_rule_is_enough_to_separate_two_columns() -> None:
    ys = [700.0, 680.0, 660.0, 640.0]
    page = PdfPage().rule(200, 640, 200, 700)
    for y in ys:
        page.rule(72, y, 400, y)
    fill_cells(page, [72.0, 200.0], ys, [["Key", "Use"], ["F", "map"], ["G", "grid"]])
    assert "| Key | Use |\n| --- | --- |\n| F | map |\n| G | grid |" == table_text(page)


def test_text_too_wide_for_its_cell_stays_in_it() -> None:
    xs, ys = [72.0, 120.0, 330.0], [700.0, 680.0, 660.0, 640.0]
    page = PdfPage().grid(xs, ys)
    names = ["Name", "flange-of-the-upper-pump", "base-of-the-lower-pump"]
    for y, name, use in zip(ys, names, ["Use", "", "lower"], strict=False):
        page.text(76, y - 8, name).text(250, y - 14, use)
    assert "| flange-of-the-upper-pump |  |\n| base-of-the-lower-pump | lower |" in table_text(page)


def test_a_footer_rule_below_a_table_is_not_part_of_the_table() -> None:
    xs, ys = [72.0, 200.0, 330.0], [100.0, 80.0, 60.0, 40.0]
    page = prose().grid(xs, ys).rule(50, 36, 560, 36)
    fill_cells(page, xs, ys, [["Size", "Torque"], ["M8", "25"], ["M10", "49"]])
    assert table_text(page).endswith("| M8 | 25 |\n| M10 | 49 |")


def test_a_subscript_in_a_cell_does_not_begin_a_row() -> None:
    page = PdfPage()
    for y in (700, 680, 634):
        page.rule(72, y, 400, y)
    for n, row in enumerate([("Sign", "Use"), ("V", "volume"), ("P", "pressure"), ("T", "heat")]):
        page.text(76, 686 - 14 * n - 4 * (n > 0), row[0]).text(
            200, 686 - 14 * n - 4 * (n > 0), row[1]
        )
    page.text(84, 664, "1", 6)
    assert 4 + 1 == table_text(page).count("\n") + 1


# --- charts and boxes ---


def test_a_box_around_text_is_not_a_table() -> None:
    page = prose().grid([60, 500], [720, 660])
    assert "" == table_text(page)


def test_a_chart_is_not_a_table() -> None:
    page = prose()
    for n in range(6):
        page.rule(100 + 40 * n, 300, 100 + 40 * n, 500).rule(100, 300 + 40 * n, 300, 300 + 40 * n)
        page.text(95 + 40 * n, 285, str(n))
    page.text(140, 420, "pressure over time of the pump")
    assert "" == table_text(page)


# --- the whole ---


def test_chunks_of_a_pdf_keep_the_laws() -> None:
    xs, ys = [72.0, 200.0, 330.0], [500.0, 480.0, 460.0]
    pages = [
        fill_cells(
            prose(number=n).text(72, 730, f"{n} Part", 16, "B").grid(xs, ys),
            xs, ys, [["Size", "Torque"], [f"M{n}", "25"]],
        )
        for n in range(1, 9)
    ]  # fmt: skip
    source: Source = read(pdf_bytes(*pages), name="a.pdf")
    report = audit(source, pack(source))
    assert report.ok, report.findings
