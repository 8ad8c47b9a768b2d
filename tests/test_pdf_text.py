"""How the lines of a PDF are read: furniture, hyphens, lists, code, notes and tables."""

import pytest
from pdf_files import PdfPage, pdf_bytes

from treepack import PackConfig, Source, audit, pack, parse, read

pytest.importorskip("pypdfium2")

PROSE = (
    "The pump shall stand on a level floor that carries its weight,",
    "and no pipe shall press on its flanges when the bolts are drawn",
    "to the torque that the table of this manual names for each size.",
)


def text_of(*pages: PdfPage) -> str:
    return read(pdf_bytes(*pages)).text


def prose(*, y: float = 700, number: int = 0) -> PdfPage:
    words = ("no", "alpha", "beta", "gamma", "delta", "eta", "theta", "kappa", "zeta")
    return PdfPage().lines(72, y, *(f"{line} {words[number]}" for line in PROSE))


# --- what is left out ---


def test_running_heads_and_page_numbers_are_left_out_and_counted() -> None:
    pages = [
        prose(number=n).text(72, 760, "Manual of pumps").text(300, 40, f"- {n} -")
        for n in range(1, 6)
    ]
    source = read(pdf_bytes(*pages))
    assert "Manual of pumps" not in source.text
    assert "- 3 -" not in source.text
    assert {"running header or footer": 10} == source.metadata["pdf_lines_left_out"]
    words = ("alpha", "beta", "gamma", "delta", "eta")
    assert all(f"names for each size. {word}" in source.text for word in words)  # fmt: skip


def test_large_titles_at_one_height_are_no_running_heads() -> None:
    pages = [prose(number=n).text(72, 740, f"Part {n}", 20, "B") for n in range(1, 6)]
    assert all(f"Part {n}" in text_of(*pages) for n in range(1, 6))


def test_running_heads_in_large_type_are_left_out_but_for_the_first() -> None:
    pages = [
        prose(number=n).text(72, 760, "PX100", 20, "B").text(72, 735, "Pumps, Inc.")
        for n in range(1, 6)
    ]
    for n, page in enumerate(pages, 1):
        page.text(300, 40, "DRAFT", 16).text(500, 40, f"page {n}")  # in a row with page numbers
    text = text_of(*pages)
    assert 1 == text.count("PX100") == text.count("DRAFT")
    assert text.count("Pumps, Inc.") <= 1  # the row below such a header


def test_a_running_head_that_the_title_holds_is_left_out_everywhere() -> None:
    cover = PdfPage().text(72, 500, "PX100: A pump of iron", 24, "B")
    pages = [prose(number=n).text(72, 760, "PX100", 20, "B") for n in range(1, 6)]
    assert 1 == text_of(cover, *pages).count("PX100")


def test_large_titles_of_pages_are_kept_where_few_say_the_same() -> None:
    titles = ("Floor", "Pipes", "Pipes", "Pipes", "Bolts", "Torque", "Sizes", "Seals")
    pages = [prose(number=n).text(72, 740, title, 20, "B") for n, title in enumerate(titles)]
    assert 3 == text_of(*pages).count("Pipes")


def test_a_heading_that_begins_pages_far_apart_is_no_running_head() -> None:
    pages = [prose(number=n) for n in range(9)]
    for chapter, n in enumerate((0, 4, 8), 1):
        pages[n].text(72, 740, f"{chapter}.1 Procedure")
    text = text_of(*pages)
    assert all(f"{chapter}.1 Procedure" in text for chapter in (1, 2, 3))


def test_a_head_that_counts_the_pages_is_left_out_whatever_else_it_says() -> None:
    titles = ("Floor", "Pipes", "Bolts", "Torque", "Sizes")
    pages = [
        prose(number=n).text(72, 760, title).text(500, 760, f"{n + 7}")
        for n, title in enumerate(titles)
    ]
    text = text_of(*pages)
    assert not any(title in text for title in titles)


def test_notes_of_amendments_that_end_pages_are_no_feet() -> None:
    pages = [
        prose(number=n).text(72, 60, f"{n} Amended by section {4 * n} of the Act of 2019.", 7)
        for n in range(1, 6)
    ]
    text = text_of(*pages)
    assert all(f"{n} Amended by section {4 * n}" in text for n in range(1, 6))


def test_a_foot_with_the_page_number_before_a_title_is_left_out() -> None:
    pages = [prose(number=n).text(72, 60, f"{n} Manual of pumps", 7) for n in range(1, 6)]
    assert "Manual" not in text_of(*pages)


def test_a_first_line_with_any_number_is_text() -> None:
    pages = [
        prose(number=n).text(72, 740, f"{number} is the {word} torque.")
        for n, (number, word) in enumerate(((82, "first"), (219, "next"), (304, "last")))
    ]
    assert all(word in text_of(*pages) for word in ("82 is", "219 is", "304 is"))


def test_rotated_stamps_are_left_out_and_counted() -> None:
    source = read(pdf_bytes(prose().turned(30, 300, "CONTROLLED COPY")))
    assert "CONTROLLED" not in source.text
    assert {"rotated text": 1} == source.metadata["pdf_lines_left_out"]


def test_a_page_that_is_written_upwards_is_read_as_it_is_meant() -> None:
    page = PdfPage()
    for number, line in enumerate(PROSE):
        page.turned(100 + 12 * number, 72, line)
    assert " ".join(PROSE) + "\n" == text_of(page)


def test_what_is_left_out_is_listed_as_skipped_where_its_page_begins() -> None:
    pages = [
        prose(number=n).text(72, 760, "Manual of pumps").turned(30, 300, "COPY")
        for n in range(1, 5)
    ]
    last = PdfPage().text(72, 760, "Manual of pumps")
    source = read(pdf_bytes(*pages, last))
    starts = [*(offset for offset, _ in source.page_marks), len(source.text)]
    left_out = (("running header or footer", "Manual of pumps"), ("rotated text", "COPY"))
    expected = [
        (start, start, f"{what} of page {page}: {said}")
        for page, start in enumerate(starts, 1)
        for what, said in left_out
        if page < 5 or said != "COPY"
    ]
    document = parse(source)
    assert sorted(expected) == sorted(document.skipped)
    assert document == type(document).from_json(document.to_json())
    chunks = pack(source, PackConfig(max_tokens=64, target_tokens=40))
    listed = [(*each.span, each.reason) for chunk in chunks for each in chunk.skipped]
    assert list(document.skipped) == listed
    assert audit(source, chunks, max_tokens=64).ok


def test_a_running_head_about_front_matter_hides_no_text() -> None:
    pages = [prose(number=n).text(72, 760, "front matter") for n in range(1, 5)]
    source = read(pdf_bytes(*pages))
    assert audit(source, pack(source)).ok


# --- lines ---


def test_hyphens_at_the_ends_of_lines_are_joined_and_others_stay() -> None:
    page = PdfPage().lines(
        72, 700,
        "This line of a text ends with a hyphen in the middle of a mainte-",
        "nance plan, and this one with a word like X-ray, which keeps it.",
    )  # fmt: skip
    assert "of a maintenance plan, and this one with a word like X-ray" in text_of(page)


@pytest.mark.parametrize(
    ("accent", "letter", "joined"),
    [("\xa8", "u", "\xfc"), ("\xb4", "e", "\xe9"), ("\xb8", "c", "\xe7"), ("`", "A", "\xc0")],
)
@pytest.mark.parametrize("is_first", [True, False])
def test_an_accent_printed_over_a_letter_joins_it(
    accent: str, letter: str, joined: str, *, is_first: bool
) -> None:
    page = PdfPage().lines(72, 700, *PROSE).text(72, 600, "The words f")
    signs = (accent, letter) if is_first else (letter, accent)
    for sign in signs:
        page.text(124.3 + 1.3 * (sign == accent), 600, sign)
    page.text(130, 600, "r of the pump")
    assert f"The words f{joined}r of the pump" in text_of(page)


def test_an_accent_beside_a_letter_or_over_a_sign_stays_alone() -> None:
    page = PdfPage().lines(72, 700, *PROSE).text(72, 600, "the tilde \xa8 u of a shell")
    page.text(72, 560, "over 4").text(94, 560, "\xb4")
    text = text_of(page)
    assert "the tilde \xa8 u of a shell" in text
    assert "\xb4" in text


def test_superscripts_and_subscripts_are_marked() -> None:
    page = PdfPage().text(72, 700, "Water is H").text(118.5, 698, "2", 6).text(122, 700, "O here.")
    assert "H<sub>2</sub>O here" in text_of(page)


def test_bullets_and_numbers_make_lists() -> None:
    page = PdfPage().lines(72, 700, "\u2022 first item", "\u2022 second item")
    page.lines(72, 650, "1. one of them", "2. two of them")
    (bullets, numbers) = parse(read(pdf_bytes(page))).root.blocks
    assert ["list", "list"] == [bullets.kind, numbers.kind]
    assert "- first item\n- second item" in text_of(page)
    assert "1. one of them\n2. two of them" in text_of(page)


def test_monospaced_lines_are_code_with_their_indentation() -> None:
    page = prose().lines(72, 600, "def run(pump):", font="M")
    page.text(72 + 4 * 6, 588, "return pump.start()", font="M")
    assert "```\ndef run(pump):\n    return pump.start()\n```" in text_of(page)


def test_columns_are_read_one_after_the_other() -> None:
    page = PdfPage().lines(72, 700, *(f"left {n} of the column" for n in range(5)))
    page.lines(320, 700, *(f"right {n} of the column" for n in range(5)))
    text = text_of(page)
    assert text.index("left 4") < text.index("right 0")


def test_columns_that_are_drawn_row_by_row_are_read_one_after_the_other() -> None:
    page = PdfPage()
    for n in range(12):
        page.text(72, 700 - 12 * n, f"left {n} of the long column of words here")
        page.text(320, 700 - 12 * n, f"right {n} of the long column of words here")
    text = text_of(page)
    assert text.index("left 11") < text.index("right 0")


def test_a_footnote_stands_behind_the_paragraph_that_goes_on_over_its_page() -> None:
    first = prose().lines(72, 640, "This sentence goes on over the page because it is")
    first.text(72, 80, "1 A note of the first page.", 7)
    second = PdfPage().lines(72, 700, "so long that it cannot end there.")
    text = text_of(first, second)
    assert "because it is so long that" in text
    assert text.index("so long that") < text.index("A note of the first page")


@pytest.mark.parametrize("is_first", [True, False])
def test_a_side_note_cuts_no_sentence(*, is_first: bool) -> None:
    page = PdfPage()
    if is_first:
        page.text(470, 700, "Offences.", 7)
    page.text(72, 700, PROSE[0])
    if not is_first:
        page.text(470, 700, "Offences.", 7)
    text = text_of(page.lines(72, 688, *PROSE[1:]))
    assert " ".join(PROSE) in text
    assert "Offences.\n" in text


def test_entries_of_contents_are_no_headings_and_stand_line_by_line() -> None:
    contents = PdfPage().text(72, 740, "Contents", 14, "B")
    for n in range(1, 6):
        contents.text(72, 720 - 14 * n, f"{n} Part of words", 10, "B").text(
            520, 720 - 14 * n, str(n)
        )
    pages = [prose(number=n).text(72, 740, f"{n} Part of words", 16, "B") for n in range(1, 6)]
    source = read(pdf_bytes(contents, *pages))
    assert "1 Part of words 1\n2 Part of words 2\n" in source.text
    titles = [section.heading.text for section in parse(source).root.sections if section.heading]
    assert [f"{n} Part of words" for n in range(1, 6)] == titles[-5:]
    assert "fonts" == source.metadata["pdf_headings"]


# --- tables ---


def table_of(*pages: PdfPage) -> str:
    found = [line for line in text_of(*pages).splitlines() if line.startswith(("|", "<t"))]
    return "\n".join(found)


def filled(page: PdfPage, xs: list[float], ys: list[float], rows: list[list[str]]) -> PdfPage:
    for y, row in zip(ys, rows, strict=False):
        for x, text in zip(xs, row, strict=False):
            if text:
                page.text(x + 4, y - 14, text)
    return page


def test_a_grid_of_rules_is_a_table() -> None:
    xs, ys = [72.0, 200.0, 330.0], [700.0, 680.0, 660.0, 640.0]
    page = filled(PdfPage().grid(xs, ys), xs, ys, [["Size", "Torque"], ["M8", "25"], ["M10", "49"]])
    expected = "| Size | Torque |\n| --- | --- |\n| M8 | 25 |\n| M10 | 49 |"
    assert expected == table_of(page)


def test_a_missing_rule_makes_a_cell_that_spans() -> None:
    xs, ys = [72.0, 172.0, 272.0, 372.0], [700.0, 680.0, 660.0, 640.0]
    page = PdfPage()
    for y in ys:
        page.rule(72, y, 372, y)
    for x in xs:
        page.rule(x, 640, x, 680 if x == 272 else 700)
    page.text(250, 686, "Torque in Nm")
    filled(page, xs, ys, [["Size"], ["", "dry", "oiled"], ["M8", "25", "20"]])
    text = text_of(page)
    assert "<tr><th>Size</th><th>Torque in Nm</th><th>Torque in Nm</th></tr>" in text
    assert "<tr><td>M8</td><td>25</td><td>20</td></tr>" in text


def test_words_that_lines_of_a_cell_part_are_joined() -> None:
    xs, ys = [72.0, 200.0, 330.0], [700.0, 680.0, 640.0]
    page = PdfPage().grid(xs, ys).text(76, 686, "Size").text(204, 686, "Use")
    page.text(76, 666, "M8").text(204, 666, "the mainte-").text(204, 654, "nance of X-")
    text = text_of(page.text(204, 644, "Ray pumps"))
    assert "| M8 | the maintenance of X-Ray pumps |" in text


def test_rules_above_and_below_alone_make_a_table() -> None:
    xs, ys = [72.0, 200.0, 330.0], [700.0, 680.0, 666.0, 652.0]
    page = PdfPage()
    for y in (700, 680, 634):
        page.rule(72, y, 400, y)
    rows = [["Size", "Torque", "Use"], ["M8", "25", "cover"], ["M10", "49", "base"]]
    filled(page, xs, ys, [*rows, ["M12", "85", "flange"]])
    assert table_of(page).startswith("| Size | Torque | Use |\n| --- | --- | --- |\n| M8 | 25 |")
    assert table_of(page).endswith("| M12 | 85 | flange |")


@pytest.mark.parametrize(("font", "header"), [("F", "|  |  |"), ("B", "| bin | programs |")])
def test_rules_between_all_rows_set_no_header_apart_unless_it_is_bold(
    font: str, header: str
) -> None:
    page = PdfPage()
    rows = [("bin", "programs"), ("etc", "settings"), ("lib", "libraries"), ("tmp", "scratch")]
    for n, (name, use) in enumerate(rows):
        page.rule(72, 700 - 20 * n, 400, 700 - 20 * n)
        page.text(76, 686 - 20 * n, name, font="F" if n else font)
        page.text(200, 686 - 20 * n, use, font="F" if n else font)
    page.rule(72, 620, 400, 620)
    assert table_of(page).startswith(f"{header}\n| --- | --- |\n")
    assert table_of(page).endswith("| lib | libraries |\n| tmp | scratch |")


def open_table(*cells: tuple[float, float, str], foot: float = 560) -> str:
    """Return a table that has rules only at its top and bottom, with cells at given positions."""
    page = PdfPage().text(76, 690, "Part", font="B").text(176, 690, "Use", font="B")
    page.text(276, 690, "Torque", font="B")
    for y in (704, 684, foot):
        page.rule(72, y, 400, y)
    for x, y, text in cells:
        page.lines(x, y, *text.split("/"))
    return table_of(page)


def test_cells_of_a_row_may_stand_in_its_middle() -> None:
    text = open_table(
        *[(76, 658, "Pump"), (176, 664, "moves water to/the upper house"), (276, 670, "a/b/c")],
        *[
            (76, 610, "Valve"),
            (176, 622, "Shuts the pipe/when the pump/stands still"),
            (276, 610, "9"),
        ],
    )
    assert text.endswith(
        "| Pump | moves water to the upper house | a b c |\n"
        "| Valve | Shuts the pipe when the pump stands still | 9 |"
    )


def test_lines_of_cells_are_closer_than_rows() -> None:
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


def test_space_after_some_rows_joins_no_others() -> None:
    rows = [
        (76 + 100 * column, 670 - 12 * row - 6 * (row // 3), text)
        for row in range(6)
        for column, text in enumerate((f"M{row}", ("dry bolts only", "oil")[row % 2], f"{row}5"))
    ]
    text = open_table(*rows, foot=590)
    assert all(f"| M{row} |" in text for row in range(6))


def test_a_line_goes_on_with_a_row_where_its_first_words_found_no_room_above() -> None:
    text = open_table(
        *[(76, 670, "Pump"), (176, 670, "Moves the water"), (276, 670, "Five, with a")],
        *[(176, 658, "upwards"), (276, 658, "second wrench")],
        *[(76, 646, "Valve"), (176, 646, "Shuts"), (276, 646, "9")],
        *[(176, 634, "Opens"), (276, 634, "7")],
        foot=628,
    )
    assert text.endswith(
        "| Pump | Moves the water upwards | Five, with a second wrench |\n"
        "| Valve | Shuts | 9 |\n|  | Opens | 7 |"
    )


def test_one_row_of_wrapped_cells_is_a_row() -> None:
    text = open_table(
        *[
            (76, 658, "Pump"),
            (176, 664, "Moves the water/upwards"),
            (276, 670, "a nut/b bolt/c nut"),
        ],
        foot=630,
    )
    assert text.endswith("| Pump | Moves the water upwards | a nut b bolt c nut |")


def test_a_table_without_rules_between_its_rows_may_be_as_long_as_a_page() -> None:
    cells = [(76.0, 670.0 - 18 * row, f"M{row}") for row in range(32)]
    cells += [(176.0, 670.0 - 18 * row, f"use {row}") for row in range(32)]
    cells += [(276.0, 670.0 - 18 * row, f"{row}") for row in range(32)]
    assert open_table(*cells, foot=80).endswith("| M31 | use 31 | 31 |")


def test_texts_in_columns_between_three_rules_are_no_table() -> None:
    page = PdfPage().text(76, 690, "Pumps").text(276, 690, "Valves")
    for x in (76, 276):
        page.lines(x, 670, *["Pumps move the water upwards to"] * 9)
    for y in (704, 684, 560):
        page.rule(72, y, 460, y)
    assert "|" not in text_of(page)


def test_a_table_that_goes_on_with_the_same_header_is_one() -> None:
    xs, ys = [72.0, 200.0, 330.0], [120.0, 100.0, 80.0]
    first = filled(PdfPage().grid(xs, ys), xs, ys, [["Size", "Torque"], ["M8", "25"]])
    ys = [720.0, 700.0, 680.0]
    second = filled(PdfPage().grid(xs, ys), xs, ys, [["Size", "Torque"], ["M10", "49"]])
    expected = "| Size | Torque |\n| --- | --- |\n| M8 | 25 |\n| M10 | 49 |"
    assert expected == table_of(first, second)
    source = read(pdf_bytes(first, second))
    assert ((0, 1), (source.text.index("| M10"), 2)) == source.page_marks


def test_what_a_table_says_again_on_its_next_page_is_listed_as_skipped() -> None:
    xs, ys = [72.0, 200.0, 330.0], [120.0, 100.0, 80.0]
    first = prose().text(72, 126, "Table 4: Torques").grid(xs, ys)
    first = filled(first, xs, ys, [["Size", "Torque"], ["M8", "25"]])
    ys = [720.0, 700.0, 680.0]
    second = PdfPage().text(72, 726, "Table 4 (continued)").grid(xs, ys)
    second = filled(second, xs, ys, [["Size", "Torque"], ["M10", "49"]])
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
        pages.append(filled(page, xs, ys, rows))
    return pages


@pytest.mark.parametrize("thick", ["", "2.5 w"])
def test_the_rows_of_a_table_on_many_pages_are_no_running_heads_or_feet(thick: str) -> None:
    source = read(pdf_bytes(*long_table(thick=thick)))
    rows = [f"| M{n}{row} | {n * row + 7} |" for n in range(1, 5) for row in (1, 2, 3)]
    assert "\n".join(rows) in source.text
    assert "pdf_lines_left_out" not in source.metadata


def test_where_headers_of_tables_repeat_other_pages_keep_what_stands_at_their_height() -> None:
    xs, ys, pages = [72.0, 200.0, 330.0], [720.0, 700.0, 680.0, 660.0], list[PdfPage]()
    for n in range(1, 4):
        rows = [["Size", "Torque"], [f"M{n}1", f"{n}4"], [f"M{n}2", f"{n}7"]]
        pages.append(filled(PdfPage().grid(xs, ys), xs, ys, rows))
    for one, two in (("Pumps move water", "Valves shut pipes"), ("Seals hold", "Bolts turn")):
        page = PdfPage().text(76, 706, one).text(330, 706, two)
        pages.append(page.lines(76, 600, "The rest of the page.", "It has two lines."))
    source = read(pdf_bytes(*pages))
    assert source.text.count("| Size | Torque |") == 1
    assert "| M32 | 37 |" in source.text
    assert all(said in source.text for said in ("Pumps move water", "Valves shut", "Bolts turn"))
    assert "pdf_lines_left_out" not in source.metadata


def test_a_header_of_two_lines_on_many_pages_is_no_running_head() -> None:
    xs, pages = [72.0, 200.0, 330.0], list[PdfPage]()
    for n in range(1, 5):
        page = PdfPage().grid(xs, [720, 690, 670])
        page.lines(76, 708, "Size of", "the bolt").lines(204, 708, "Torque", "in Nm")
        pages.append(page.text(76, 676, f"M{n * 3}").text(204, 676, f"{n * n}"))
    assert table_of(*pages) == (
        "| Size of the bolt | Torque in Nm |\n| --- | --- |\n"
        "| M3 | 1 |\n| M6 | 4 |\n| M9 | 9 |\n| M12 | 16 |"
    )


def test_a_caption_below_the_last_part_of_a_table_is_that_of_the_whole() -> None:
    xs, ys = [72.0, 200.0, 330.0], [120.0, 100.0, 80.0]
    first = filled(prose().grid(xs, ys), xs, ys, [["Size", "Torque"], ["M8", "25"]])
    ys = [720.0, 700.0, 680.0]
    second = filled(PdfPage().grid(xs, ys), xs, ys, [["Size", "Torque"], ["M10", "49"]])
    source = read(pdf_bytes(first, second.text(72, 664, "Table 7: Torques")))
    assert "*Table 7: Torques*\n\n| Size | Torque |\n" in source.text
    assert "| M8 | 25 |\n| M10 | 49 |" in source.text


def test_tables_with_one_header_and_captions_of_their_own_are_two() -> None:
    xs, ys = [72.0, 200.0, 330.0], [120.0, 100.0, 80.0]
    first = prose().text(72, 126, "Table 4: Torques of steel").grid(xs, ys)
    first = filled(first, xs, ys, [["Size", "Torque"], ["M8", "25"]])
    ys = [720.0, 700.0, 680.0]
    second = PdfPage().text(72, 726, "Table 5: Torques of brass").grid(xs, ys)
    second = filled(second, xs, ys, [["Size", "Torque"], ["M10", "49"]])
    captions = [
        table.caption for chunk in pack(read(pdf_bytes(first, second))) for table in chunk.tables
    ]
    assert ["Table 4: Torques of steel", "Table 5: Torques of brass"] == captions


@pytest.mark.parametrize("y", [706, 626])
def test_a_caption_above_or_below_belongs_to_its_table(y: float) -> None:
    xs, ys = [72.0, 200.0, 330.0], [700.0, 680.0, 660.0, 640.0]
    page = PdfPage().text(72, y, "Table 3. Torques in Nm").grid(xs, ys)
    page = filled(page, xs, ys, [["Size", "Torque"], ["M8", "25"], ["M10", "49"]])
    page.lines(72, 560, *PROSE)
    (chunk,) = pack(read(pdf_bytes(page)))
    assert ["Table 3. Torques in Nm"] == [table.caption for table in chunk.tables]
    assert 1 == chunk.text.count("Torques in Nm")


@pytest.mark.parametrize("word", ["Tabelle", "Tab.", "TABLE", "Cuadro", "Tabella", "Tableau"])
def test_a_caption_has_the_word_for_table_in_any_language_that_markdown_knows(word: str) -> None:
    xs, ys = [72.0, 200.0, 330.0], [700.0, 680.0, 660.0]
    page = PdfPage().text(72, 706, f"{word} 3: M8 und M10").grid(xs, ys)
    filled(page, xs, ys, [["M8", "25"], ["M10", "49"]])
    (chunk,) = pack(read(pdf_bytes(page)))
    assert [f"{word} 3: M8 und M10"] == [table.caption for table in chunk.tables]


def test_of_two_tables_the_nearer_one_has_the_caption_between_them() -> None:
    xs = [72.0, 200.0, 330.0]
    page = PdfPage().grid(xs, [700.0, 680.0, 660.0]).grid(xs, [600.0, 580.0, 560.0])
    filled(page, xs, [700.0, 680.0], [["Size", "Torque"], ["M8", "25"]])
    filled(page, xs, [600.0, 580.0], [["Hole", "Depth"], ["A", "12"]])
    page.text(72, 606, "Table 2: Depths")
    (chunk,) = pack(read(pdf_bytes(page)))
    assert [None, "Table 2: Depths"] == [table.caption for table in chunk.tables]


def open_table_page(rows: list[list[str]], xs: list[float]) -> PdfPage:
    page = prose()
    for y in (620, 600, 540):
        page.rule(72, y, 430, y)
    for y, row in zip((606, 586, 570, 554), rows, strict=True):
        for x, text in zip(xs, row, strict=True):
            page.text(x, y, text)
    return page


def test_a_title_over_cells_that_are_hardly_apart_begins_a_column() -> None:
    rows = [["Bolt", "Torque", "Use"], ["M8", "twenty-five Nm at most", "pumps"]]
    rows += [["M10", "forty", "pipes"], ["M12", "eighty", "tanks"]]
    text = text_of(open_table_page(rows, [76, 180, 285]))
    assert "| M8 | twenty-five Nm at most | pumps |" in text


def test_a_title_far_from_others_is_over_a_column_though_it_is_empty() -> None:
    rows = [["Bolt", "Torque", "Notes"], ["M8", "25 Nm", ""], ["M10", "40", ""], ["M12", "80", ""]]
    assert "| M8 | 25 Nm |  |" in text_of(open_table_page(rows, [76, 180, 380]))


def test_a_sentence_about_a_table_is_no_caption() -> None:
    xs, ys = [72.0, 200.0, 330.0], [700.0, 680.0, 660.0]
    page = PdfPage().text(72, 706, "Table 3 lists the torques of all sizes.").grid(xs, ys)
    filled(page, xs, ys, [["Size", "Torque"], ["M8", "25"]])
    (chunk,) = pack(read(pdf_bytes(page)))
    assert [None] == [table.caption for table in chunk.tables]


def test_rows_without_rules_begin_where_the_first_column_does() -> None:
    page = PdfPage()
    for y in (700, 680, 600):
        page.rule(72, y, 400, y)
    for x in (150, 200):
        page.rule(x, 600, x, 700)
    body = [("M8", "4", "cover of the"), ("", "", "upper housing"), ("M10", "6", "base")]
    body += [("M12", "8", "flange and"), ("", "", "its counterpart")]
    for n, (name, size, said) in enumerate([("Size", "Bolts", "Use"), *body]):
        for x, text in ((76, name), (155, size), (205, said)):
            page.text(x, 686 - 14 * n - 4 * (n > 0), text)
    expected = "| M8 | 4 | cover of the upper housing |\n| M10 | 6 | base |\n"
    assert expected + "| M12 | 8 | flange and its counterpart |" in table_of(page)


def test_texts_that_are_wrapped_in_all_columns_are_one_row() -> None:
    page = PdfPage().grid([72, 200, 330], [700, 680, 630])
    page.text(76, 686, "Cause").text(205, 686, "Remedy")
    page.lines(76, 668, "The bolts of the", "lower flange are", "loose or worn.")
    page.lines(205, 668, "Draw all the bolts", "to the torque of", "the last table.")
    expected = (
        "| The bolts of the lower flange are loose or worn."
        " | Draw all the bolts to the torque of the last table. |"
    )
    assert expected in table_of(page)


def test_one_rule_between_two_columns_is_enough() -> None:
    ys = [700.0, 680.0, 660.0, 640.0]
    page = PdfPage().rule(200, 640, 200, 700)
    for y in ys:
        page.rule(72, y, 400, y)
    filled(page, [72.0, 200.0], ys, [["Key", "Use"], ["F", "map"], ["G", "grid"]])
    assert "| Key | Use |\n| --- | --- |\n| F | map |\n| G | grid |" == table_of(page)


def test_a_text_that_is_too_long_for_its_cell_stays_in_it() -> None:
    xs, ys = [72.0, 120.0, 330.0], [700.0, 680.0, 660.0, 640.0]
    page = PdfPage().grid(xs, ys)
    names = ["Name", "flange-of-the-upper-pump", "base-of-the-lower-pump"]
    for y, name, use in zip(ys, names, ["Use", "", "lower"], strict=False):
        page.text(76, y - 8, name).text(250, y - 14, use)
    assert "| flange-of-the-upper-pump |  |\n| base-of-the-lower-pump | lower |" in table_of(page)


def test_the_rule_of_a_page_foot_at_a_table_is_none_of_its_rules() -> None:
    xs, ys = [72.0, 200.0, 330.0], [100.0, 80.0, 60.0, 40.0]
    page = prose().grid(xs, ys).rule(50, 36, 560, 36)
    filled(page, xs, ys, [["Size", "Torque"], ["M8", "25"], ["M10", "49"]])
    assert table_of(page).endswith("| M8 | 25 |\n| M10 | 49 |")


def test_a_small_index_below_a_sign_begins_no_row() -> None:
    page = PdfPage()
    for y in (700, 680, 634):
        page.rule(72, y, 400, y)
    for n, row in enumerate([("Sign", "Use"), ("V", "volume"), ("P", "pressure"), ("T", "heat")]):
        page.text(76, 686 - 14 * n - 4 * (n > 0), row[0]).text(
            200, 686 - 14 * n - 4 * (n > 0), row[1]
        )
    page.text(84, 664, "1", 6)
    assert 4 + 1 == table_of(page).count("\n") + 1


# --- what only looks like a title ---


def titles_of(*pages: PdfPage) -> list[str]:
    root = parse(read(pdf_bytes(*pages))).root
    return [section.heading.text for section in root.walk() if section.heading]


def titled(number: int) -> PdfPage:
    return prose(number=number).text(72, 740, f"Part of {number} words", 14, "B")


def test_bold_rows_formulas_and_sentences_are_no_titles() -> None:
    pages = [titled(n) for n in range(1, 7)]
    for page in pages[1:]:
        page.text(72, 600, "Size", font="B").text(200, 600, "Torque", font="B")
        page.lines(72, 580, *PROSE)
        page.text(72, 480, "F = m + a", 14)
        page.lines(72, 440, *PROSE)
        page.text(72, 540, "Default value:", font="B").text(144, 540, "on")
        page.text(72, 360, "Nobody may ever open this cover.", font="B")
        page.lines(72, 320, *PROSE)
    assert [f"Part of {n} words" for n in range(1, 7)] == titles_of(*pages)


def test_labels_that_come_again_are_no_titles_and_one_title_may_have_a_colon() -> None:
    pages = [titled(n) for n in range(1, 7)]
    for page in pages[1:]:
        page.text(72, 600, "Default:", font="B").lines(72, 570, *PROSE)
    pages[0].text(72, 600, "Before you begin:", 14, "B").lines(72, 570, *PROSE)
    first, *others = (f"Part of {n} words" for n in range(1, 7))
    assert [first, "Before you begin:", *others] == titles_of(*pages)


def test_names_below_the_title_of_a_document_are_no_titles() -> None:
    first = PdfPage().text(200, 700, "Pumps of the World", 20, "B")
    first.text(200, 670, "Ada Example", 13, "B").text(200, 640, "Institute of Pumps", 12)
    first.text(200, 610, "Anytown", 12).text(72, 560, "Abstract", 12, "B").lines(72, 530, *PROSE)
    titles = titles_of(first, *(titled(n) for n in range(1, 5)))
    assert [
        "Pumps of the World",
        "Abstract",
        *(f"Part of {n} words" for n in range(1, 5)),
    ] == titles


def test_words_of_a_figure_are_no_titles() -> None:
    pages = [titled(n) for n in range(1, 6)]
    for page, state in zip(pages, ("open", "shut", "stuck", "worn", "lost"), strict=True):
        page.figure(72, 300, 200, 100, f"Valve {state}", 14, "B")
    assert [f"Part of {n} words" for n in range(1, 6)] == titles_of(*pages)


# --- charts and boxes ---


def test_a_box_around_a_text_is_no_table() -> None:
    page = prose().grid([60, 500], [720, 660])
    assert "" == table_of(page)


def test_a_chart_is_no_table() -> None:
    page = prose()
    for n in range(6):
        page.rule(100 + 40 * n, 300, 100 + 40 * n, 500).rule(100, 300 + 40 * n, 300, 300 + 40 * n)
        page.text(95 + 40 * n, 285, str(n))
    page.text(140, 420, "pressure over time of the pump")
    assert "" == table_of(page)


# --- the whole ---


def test_chunks_of_a_pdf_keep_the_laws() -> None:
    xs, ys = [72.0, 200.0, 330.0], [500.0, 480.0, 460.0]
    pages = [
        filled(
            prose(number=n).text(72, 730, f"{n} Part", 16, "B").grid(xs, ys),
            xs, ys, [["Size", "Torque"], [f"M{n}", "25"]],
        )
        for n in range(1, 9)
    ]  # fmt: skip
    source: Source = read(pdf_bytes(*pages), name="a.pdf")
    report = audit(source, pack(source))
    assert report.ok, report.findings


@pytest.mark.parametrize("caption", ["Figure 3: The pump from above", "Abb. 2: Die Pumpe"])
def test_the_caption_of_a_figure_is_a_paragraph_of_its_own(caption: str) -> None:
    before = [
        "The pump is started when the water stands at the mark of",
        "the tank, which is drawn",
    ]
    after = ["below, and the valve is closed when the pump stands still, so", "that it stays."]
    text = text_of(PdfPage().lines(72, 700, *before, caption, *after))
    assert f"drawn\n\n{caption}\n\nbelow, and" in text


def test_a_caption_of_a_figure_goes_on_where_its_line_is_full_but_not_over_a_page() -> None:
    said = ["Fig. 4. The flow of the water and the pressure in the pipes", "of the upper house"]
    first = PdfPage().lines(72, 700, "The pumps are old.", *said)
    second = PdfPage().lines(72, 700, "and here the next page begins with a few words.")
    text = text_of(first, second)
    assert "The pumps are old.\n\nFig. 4. The flow of" in text
    assert "in the pipes of the upper house\n\n" in text


def test_a_sentence_that_names_a_figure_is_no_caption() -> None:
    said = ["The pump stands beside the tank of the house, as shown in", "Figure 3. It is old."]
    assert "as shown in Figure 3. It is old." in text_of(PdfPage().lines(72, 700, *said))
