"""What becomes of a PDF's lines: furniture, hyphens, lists, code, notes and tables."""

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
    assert {"running head or foot": 10} == source.metadata["pdf_lines_left_out"]
    words = ("alpha", "beta", "gamma", "delta", "eta")
    assert all(f"names for each size. {word}" in source.text for word in words)  # fmt: skip


def test_large_titles_at_one_height_are_no_running_heads() -> None:
    pages = [prose(number=n).text(72, 740, f"Part {n}", 20, "B") for n in range(1, 6)]
    assert all(f"Part {n}" in text_of(*pages) for n in range(1, 6))


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
    expected = [
        (start, start, f"{what} of page {page}: {said}")
        for page, start in enumerate(starts, 1)
        for what, said in (("running head or foot", "Manual of pumps"), ("rotated text", "COPY"))
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


def test_a_table_that_goes_on_with_the_same_header_is_one() -> None:
    xs, ys = [72.0, 200.0, 330.0], [120.0, 100.0, 80.0]
    first = filled(PdfPage().grid(xs, ys), xs, ys, [["Size", "Torque"], ["M8", "25"]])
    ys = [720.0, 700.0, 680.0]
    second = filled(PdfPage().grid(xs, ys), xs, ys, [["Size", "Torque"], ["M10", "49"]])
    expected = "| Size | Torque |\n| --- | --- |\n| M8 | 25 |\n| M10 | 49 |"
    assert expected == table_of(first, second)
    source = read(pdf_bytes(first, second))
    assert ((0, 1), (source.text.index("| M10"), 2)) == source.page_marks


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
