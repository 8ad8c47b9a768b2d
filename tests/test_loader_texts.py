"""Titles in the text that PDF loaders give to both frameworks, page after page.

Some loaders write each table cell on a line of its own, some put blank lines between the cells,
some split a title or an entry of the table of contents into several lines.
"""

import pytest

from treepack import Document, Source, audit, pack, parse
from treepack.numbers.heading_numbers import opened_by_zero
from treepack.outline.titles.candidates import Candidate
from treepack.outline.titles.contents import read_contents
from treepack.outline.titles.lines import Line, read_lines
from treepack.outline.titles.numbered import accepted
from treepack.outline.titles.page import TextLayout
from treepack.outline.titles.printed import number_alone
from treepack.outline.titles.wording import is_title

TEXT = (
    "The pump moves water from the lower tank to the upper one, and stops by itself.\n"
    "Nobody has to watch it, although somebody should look at the filter each week.\n"
)
ROUND = (
    "Each part has a number, which is printed on its lower side and in the list of parts.\n"
    "Parts that are worn are sent to the maker, who repairs them or sends new ones back.\n"
)


def outline(text: str | Source) -> list[str]:
    document = text if isinstance(text, Document) else parse(text)
    return [section.heading.text for section in document.root.walk() if section.heading]


def alone(*titles: str, body: str = TEXT * 2) -> str:
    """Titles whose numbers are on lines of their own, each above a text."""
    return "".join(f"{title.replace(' ', chr(10), 1)}\n{body}" for title in titles)


SECTIONS = ("1 Scope", "1.1 Pumps", "1.2 Tanks", "2 Parts", "2.1 Filters", "2.2 Pipes", "3 Care")


def test_numbers_alone_are_titles_also_where_a_chart_has_many_more() -> None:
    chart = "".join(f"{number}\nLitres\n" for number in range(60))
    text = f"{alone(*SECTIONS)}{chart}{TEXT}"
    assert outline(text) == list(SECTIONS)
    assert outline(f"{TEXT}{chart}{TEXT}") == []


def test_a_number_alone_above_a_few_words_needs_contents_where_others_are_many() -> None:
    """A word such as VCC may be the title of a section, or the name of a pin in a table."""
    pins = "".join(f"{number}\nPin of the valve\n" for number in range(60))
    short = ("2.3 Fuse", "2.4 Earth")
    body = alone(*SECTIONS[:-1]) + alone(*short, body="A wire.\n") + alone(SECTIONS[-1]) + pins
    named = [*SECTIONS[:-1], *short, SECTIONS[-1]]
    assert outline(body) == list(SECTIONS)
    contents = "".join(f"{title} ........ {at + 2}\n" for at, title in enumerate(named))
    assert outline(f"Contents\n{contents}{body}") == ["Contents", *named]


def test_a_letter_alone_is_the_number_of_an_annex_if_contents_name_its_title() -> None:
    drawing = "".join(f"{letter}\nWidth\n{TEXT}" for letter in "ABC")
    assert outline(alone(*SECTIONS) + drawing) == list(SECTIONS)
    titles = (*SECTIONS, "A Drawings", "B Makers")
    contents = "".join(f"{title} ........ {at + 2}\n" for at, title in enumerate(titles))
    assert outline(f"Contents\n{contents}{alone(*titles)}") == ["Contents", *titles]


@pytest.mark.parametrize(("printed", "steps"), [("C.1", ("C", 1)), ("4.1.", (4, 1)), ("B", ("B",))])
def test_the_steps_of_a_number_alone(printed: str, steps: tuple[str | int, ...]) -> None:
    lines = [Line(0, 3, 0, printed, 0), Line(4, 9, 1, "Scope", 0, is_open=True)]
    number = number_alone(lines, 0)
    assert number is not None
    assert number.key == steps
    assert number.is_above


def broken(first: str, second: str, *, elsewhere: str = "") -> str:
    """Numbered titles, the third of which has another line below its first one."""
    titles = [f"1 Scope\n{TEXT * 3}", f"2 Parts\n{TEXT * 3}", f"3 {first}\n{second}\n{TEXT * 3}"]
    return f"{''.join(titles)}4 Care\n{TEXT * 3}{elsewhere}{ROUND}"


def test_a_title_goes_on_where_the_text_says_the_words_at_its_break_together() -> None:
    said = "Whoever reads the program memory of a pump needs its key, and has to wait for it.\n"
    text = broken("Reading the Program", "Memory", elsewhere=said)
    assert outline(text)[2] == "3 Reading the Program Memory"
    assert outline(broken("Reading the Program", "Memory"))[2] == "3 Reading the Program"
    chunks = pack(text, max_tokens=64, target_tokens=64)
    assert not audit(text, chunks, max_tokens=64).findings
    assert "3 Reading the Program Memory" in {chunk.breadcrumb[-1] for chunk in chunks}


def test_between_blank_lines_a_title_goes_on_only_to_the_next_one() -> None:
    said = "Whoever reads the program memory of a pump needs its key, and has to wait for it.\n\n"
    titles = ("1 Scope", "1.1 Pumps", "1.2 Reading the Program\nMemory", "2 Care", "3 Index")
    spaced = "".join(f"{title}\n\n{TEXT}\n{ROUND}\n" for title in titles)
    whole = "1.2 Reading the Program Memory"
    assert outline(f"{spaced}{said}") == ["1 Scope", "1.1 Pumps", whole, "2 Care", "3 Index"]
    close = spaced.replace("Memory\n\n", "Memory\n")
    assert whole not in outline(f"{close}{said}")


def test_a_title_goes_on_over_two_more_lines() -> None:
    said = "The port module of the valve is on the right, where the list of parts shows it too.\n"
    text = broken("Master Serial", "Pump Port\nModule", elsewhere=said)
    assert outline(text)[2] == "3 Master Serial"
    also = f"{said}A serial pump has one, and the list of parts says where all of them are sold.\n"
    text = broken("Master Serial", "Pump Port\nModule", elsewhere=also)
    assert outline(text)[2] == "3 Master Serial Pump Port Module"


@pytest.mark.parametrize(
    ("first", "second"),
    [("Pump (Upper", "Tank)"), ("Tests/", "Trials"), ("Read-Modify-", "Write"), ("Flow", "(MAX)")],
)
def test_a_title_with_an_open_end_goes_on(first: str, second: str) -> None:
    assert outline(broken(first, second))[2] == f"3 {first} {second}"


@pytest.mark.parametrize(
    ("second", "said"),
    [
        ("Read Mode", ""),  # a title below it
        ("Version 1.3, 3 May 2008", "program version 1.3,"),
        ("Table 3. Parts", "program table 3."),
        ("memory is full", "program memory"),  # not a title, as the verb shows
        ("memory parts", "program memory"),  # words of another case
        ("Memory.", "program memory."),
        ("(Printed in: List I 2020, 18)", ""),
        ("1) Memory", "program 1)"),
    ],
)
def test_what_else_stands_below_a_title_is_no_part_of_it(second: str, said: str) -> None:
    elsewhere = f"Somebody says {said} here, in the middle of a line that is full of other words.\n"
    text = broken("Reading the Program", second, elsewhere=elsewhere)
    assert outline(text)[2] == "3 Reading the Program"


def test_a_title_that_contents_name_is_whole() -> None:
    said = "Whoever reads the program memory of a pump needs its key, and has to wait for it.\n"
    titles = ("1 Scope", "2 Parts", "3 Reading the Program", "4 Care")
    contents = "".join(f"{title} ........ {at + 2}\n" for at, title in enumerate(titles))
    text = broken("Reading the Program", "Memory", elsewhere=said)
    assert outline(f"Contents\n{contents}{text}") == ["Contents", *titles]


def test_a_title_below_its_word_and_number_goes_on() -> None:
    """After CHAPTER and its number, each on a line, the heading is the title alone."""
    chapters = [
        f"CHAPTER\n{number}\n{title}\n{TEXT * 3}"
        for number, title in (("ONE", "PUMPS"), ("TWO", "REPAIR (UPPER\nTANK)"), ("THREE", "CARE"))
    ]
    assert outline("".join(chapters)) == ["PUMPS", "REPAIR (UPPER TANK)", "CARE"]


NAMED = ("Scope of Use", "Makers of Pumps", "Filters", "Lower Tank", "Upper Tank", "Repair")
UNNAMED = "".join(f"{title}\n{TEXT * 3}" for title in NAMED)


def test_contents_may_have_each_page_on_a_line_of_its_own() -> None:
    """Some entries have no dots, and some have them on a line of their own."""
    dots = ". " * 20
    entries = [f"{NAMED[0]}\n{dots}\n1", *(f"{title} {dots}\n2" for title in NAMED[1:4])]
    contents = "\n".join([*entries, f"{NAMED[4]}\n3", f"{NAMED[5]} {dots}\n4"])
    assert outline(f"{contents}\n{UNNAMED}") == list(NAMED)


def test_without_dots_pages_below_each_other_rise_below_the_word_contents() -> None:
    titles = (*NAMED, "Prices", "Addresses", "Thanks", "Index of Parts")
    contents = "".join(f"{title}\n{at + 3}\n" for at, title in enumerate(titles))
    body = "".join(f"{title}\n{TEXT * 3}" for title in titles)
    assert outline(f"Contents\n{contents}{body}") == ["Contents", *titles]
    assert outline(f"Pins\n{contents}{TEXT * 3}") == []


def test_an_ellipsis_above_a_number_is_no_entry_of_contents() -> None:
    rows = "".join(f"12-13-14...\n{at}\n" for at in range(9))
    text = f"{TEXT}{rows}{TEXT}{UNNAMED}"
    assert outline(text) == list(NAMED)


def test_contents_in_two_columns_name_the_titles_of_both() -> None:
    titles = (*NAMED, "Prices", "Thanks")
    rows = [
        f"{one} {'.' * 30} {at + 1} {two} {'.' * 30} {at + 5}"
        for at, (one, two) in enumerate(zip(titles[:4], titles[4:], strict=True))
    ]
    text = "\n".join(["Contents", *rows, f"{UNNAMED}Prices\n{TEXT}Thanks\n{TEXT}"])
    assert outline(text) == ["Contents", *titles]


def test_what_contents_name_needs_no_blank_line() -> None:
    """Here blank lines separate the cells of tables, but not paragraphs."""
    contents = "".join(f"{title} ........ {at + 2}\n" for at, title in enumerate(NAMED))
    cells = "12 mm\n\n" * 60
    text = f"Contents\n{contents}{cells}{UNNAMED}"
    assert outline(text) == ["Contents", *NAMED]


def test_a_word_of_an_index_in_an_indented_body_is_no_title() -> None:
    contents = "".join(f"{title} ........ {at + 2}\n" for at, title in enumerate(NAMED))
    body = "".join(
        f"{title}\n\n   {(TEXT * 4).strip().replace(chr(10), f'{chr(10)}   ')}\n\n"
        for title in NAMED
    )
    index = "Pressure ........ 3\nPumps ........ 4\nVents ........ 5\nValves ........ 6\n"
    rule = f"   Pressure\n   Pumps\n   {TEXT.splitlines()[0]}\n\n"
    assert outline(f"Contents\n\n{contents}\n{body}{rule}{index}") == ["Contents", *NAMED]


def test_titles_stand_also_between_the_cells_of_tables() -> None:
    """Like a title, a cell is a short line between blank lines; but cells follow each other."""
    cells = "Red Paint\n\nSteel\n\nBlue Paint\n\n" * 5
    sections = "".join(f"{title}\n\n{TEXT}\n{cells}{ROUND}\n" for title in NAMED)
    assert outline(f"{TEXT}\n{sections}") == list(NAMED)
    assert outline(f"{TEXT}\n{cells * 6}{TEXT}") == []


def test_lines_alone_are_no_titles_where_titles_are_underlined() -> None:
    marked = "".join(f"{title}\n{'=' * len(title)}\n\n{TEXT}\n" for title in NAMED)
    notes = "".join(f"What does a {title} cost?\n\n{TEXT}\n" for title in ("pump", "tank", "valve"))
    assert outline(Source(f"{marked}{notes}", "pump.rst")) == list(NAMED)


@pytest.mark.parametrize(
    ("printed", "opened"),
    [
        ("1.0 1.1 2.0 2.1", "12"),
        ("1.0 1.1 2.0 2.1 3.0 3.1 4.0 4.1 5.1 5.2 6.0 6.1", "12346"),  # 5.0 was missed
        ("1.0 1.1 2.0 2.1 3.1", ""),  # one of three chapters has no zero
        ("1.0 1.1 2.0 2.1 3.0 3.1 4.0 4.1 2.2", ""),
        ("0.1 1.0 1.1 2.0 2.1 3.0 4.0", ""),
        ("1.0 2.0 3.0", ""),
        ("1.0 2.0 3.0 4.0 5.1 5.2", ""),
    ],
)
def test_few_chapters_may_lack_the_zero_that_opens_the_others(printed: str, opened: str) -> None:
    numbers = [tuple(each.split(".")) for each in printed.split()]
    assert opened_by_zero(numbers, may_lack=True) == set(opened)


def test_the_letter_i_is_a_pronoun_but_in_io_and_at_the_end() -> None:
    titles = ["I/O Ports", "Annex to Part I", "What I Need", "I’ll Wait"]
    assert [*filter(is_title, titles)] == ["I/O Ports", "Annex to Part I"]


def test_french_du_is_no_pronoun() -> None:
    assert is_title("Position du contenu")
    assert not is_title("Ce que tu positionnes")


def paged(pages: list[str]) -> Source:
    return Source.from_pages(pages, name="pump.txt")


def furniture(source: Source) -> list[str]:
    return [source.text[start:end].strip() for start, end, _ in parse(source).skipped]


def page_of(title: str) -> str:
    """A page that shares no line with other pages."""
    words = title.lower()
    return (
        f"{title}\nWhat is said of {words} stands here.\nMore of {words} is said below.\n{words}.\n"
    )


def test_a_page_has_one_number_and_another_at_its_edge_is_that_of_a_section() -> None:
    sections = {1: "1\n", 2: "2\n", 5: "3\n"}
    pages = [f"{sections.get(at, '')}{page_of(title)}{at + 4}" for at, title in enumerate(NAMED, 1)]
    assert furniture(paged(pages)) == [str(at + 4) for at in range(1, 7)]


def test_the_number_of_all_pages_stands_on_each_of_them() -> None:
    pages = [f"{page_of(title)}{at}\n25" for at, title in enumerate(NAMED, 1)]
    assert "".join(furniture(paged(pages))) == "125225325425525625"


def test_numbers_that_do_not_run_with_the_pages_are_those_of_pages_where_no_others_are() -> None:
    """Each chapter may count its pages from 1."""
    pages = [f"{page_of(title)}{at % 2 + 1}" for at, title in enumerate(NAMED)]
    assert furniture(paged(pages)) == ["1", "2"] * 3


@pytest.mark.parametrize(("number", "new_pages", "heads"), [(2, 0, 1), (5, 0, 1), (1, 1, 0)])
def test_a_number_heads_a_title_on_its_page(number: int, new_pages: int, heads: int) -> None:
    """Otherwise a heading would contain the header and the number of the next page."""
    title = Line(4, 9, number, "Scope", 0, is_open=True, is_first=bool(new_pages))
    assert (number_alone([Line(0, 3, 0, "4.1", 0), title], 0) is not None) == bool(heads)


def candidate(at: int, key: tuple[int | str, ...], word: str = "") -> Candidate:
    kind = word or "decimal"
    return Candidate(
        at=at,
        lines=2,
        key=key,
        is_inserted=False,
        word=word,
        kind=kind,
        title="Scope",
        role="title",
        weight=3.0,
        is_apart=False,
        is_sure=True,
    )


def test_no_title_begins_on_a_line_of_the_one_before() -> None:
    """In a table of contents, a page number is above the next entry, which has its own number."""
    bare = [candidate(10 * step, (step,)) for step in range(1, 6)]
    chapters = [candidate(10 * step + 11, (step,), "chapter") for step in (1, 2)]
    page = TextLayout(
        80,
        is_spaced=False,
        indent=0,
        is_hanging=False,
        has_paragraph_lines=False,
        text="",
        lines=[],
    )
    both = sorted([*bare, *chapters], key=lambda each: each.at)
    assert accepted(both, range(60), page) == bare


def test_furniture_between_a_number_and_a_title_parts_them() -> None:
    text = "4.1\nGuide to Pumps\nRepair\n"
    source = Source(text)
    lines = read_lines(source, [], [(4, 19)])
    assert [line.text for line in lines] == ["4.1", "Repair"]
    assert [line.is_first for line in lines] == [False, True]
    assert not any(line.is_first for line in read_lines(source, [], []))


def test_entries_of_contents_over_lines_are_no_clauses() -> None:
    """The text between an entry and the next number that is read may contain other entries."""
    dots = ". " * 27
    entries = (
        f"2.2.1 Old Pumps\n{dots}\n12\n"
        f"2.2.2 \\newpump is now another command {dots}\n12\n"
        "2.2.3 Names of Pumps that are others\n"
    )
    source = Source(entries, "pump.txt")
    assert parse(source).clauses == ()
    assert not pack(source, max_tokens=64, target_tokens=32).audit().findings


def test_a_number_alone_above_another_title_is_a_title_too() -> None:
    """Unlike most of the others, it has no text right below it."""
    titles = ("1 Scope", "1.1 Pumps", "2 Parts", "2.1 Filters", "2.2 Pipes", "3 Care", "3.1 Oil")
    over = "".join(alone(title, body="" if "." not in title else TEXT) for title in titles)
    assert outline(f"{TEXT}{over}") == list(titles)


def test_a_title_of_two_lines_below_its_number_heads_a_text() -> None:
    chart = "".join(f"{number}\nLitres\n" for number in range(60))
    titles = [f"{title} Data\nSheets" for title in SECTIONS]
    assert outline(f"{alone(*titles)}{chart}{TEXT}") == [f"{title} Data" for title in SECTIONS]


def test_a_page_above_an_entry_with_a_word_and_a_number_is_none_of_a_section() -> None:
    """A title may still begin with digits: 44A is the name of a package."""
    entry = "4\nAppendix A: Drawings of the Pumps\n"
    assert "4 Appendix A: Drawings of the Pumps" not in outline(f"{alone(*SECTIONS)}{entry}{TEXT}")
    package = "3.1\n44A Package\n"
    assert "3.1 44A Package" in outline(f"{alone(*SECTIONS)}{package}{TEXT}")


@pytest.mark.parametrize("name", ["pump.txt", "pump.md"])
@pytest.mark.parametrize(
    "below",
    [
        "```\nMemory\n```",
        "\x1c",
        "\u2028",
        "<div>",
        "1.3 Oil ..... 7",
    ],
)
def test_what_begins_another_block_is_no_part_of_an_open_title(below: str, name: str) -> None:
    titles = ("1.1 Tests/", "1.2 Pump (Upper")
    body = "".join(f"{title}\n{below}\n{TEXT * 2}" for title in titles)
    source = Source(f"1 Scope\n{TEXT * 2}{body}2 Care\n{TEXT * 2}", name)
    assert set(outline(source)) & {f"{title} {below.splitlines()[0]}" for title in titles} == set()
    assert not pack(source, max_tokens=64, target_tokens=64).audit().findings


def test_a_row_is_no_part_of_an_open_title() -> None:
    table = "Part | Size\n--- | ---\nOil | 7\n"
    text = f"1 Scope\n{TEXT * 2}1.1 Tests/\n{table}{TEXT * 2}1.2 Oil\n{TEXT}2 Care\n{TEXT * 2}"
    assert "1.1 Tests/" in outline(Source(text, "pump.md"))


def test_no_title_goes_on_to_the_next_page_or_title() -> None:
    said = "Whoever reads the program memory of a pump needs its key, and has to wait for it.\n"
    pages = [
        f"1 Scope\n{TEXT}1.1 Reading the Program",
        f"Memory\n\n{TEXT}{said}",
        f"2 Care\n{ROUND}",
    ]
    assert outline(paged(pages))[1] == "1.1 Reading the Program"
    titles = f"1 Scope\n{TEXT * 4}1.1 Reading the Program\n1.2 Memory\n{TEXT}2 Care\n{TEXT}"
    assert outline(f"{titles}Both read the program 1.2 times.\n")[1:3] == [
        "1.1 Reading the Program",
        "1.2 Memory",
    ]


def test_an_assignment_alone_on_its_line_is_no_title() -> None:
    names = ("Fosc", "Fper", "Clock", "Timer")
    lines = "".join(f"{name} = {at} MHz\n\n{TEXT}{TEXT}\n" for at, name in enumerate(names))
    assert outline(Source(f"{TEXT}\n{lines}", "pump.txt")) == []


def test_many_cells_on_lines_of_their_own_make_titles_no_rarer() -> None:
    cells = "1\n" * 350
    text = "".join(f"{title}\n{TEXT * 20}{cells}{TEXT}" for title in NAMED)
    assert outline(Source(f"{TEXT}{text}", "pump.txt")) == list(NAMED)


def test_bold_lines_among_short_ones_are_titles() -> None:
    """They are a third of the lines here, although all lines would fit in a few rows."""
    steps = "".join(f"**{title}**\n\nOne step\n\n" for title in NAMED[:3])
    text = f"{steps}Another step\n\nA third step\n\n{TEXT.splitlines()[0]}\n"
    assert outline(text) == list(NAMED[:3])


def test_chapters_hold_their_sections_where_one_lacks_its_zero() -> None:
    numbers = ["1.0", "1.1", "2.0", "2.1", "3.0", "3.1", "4.0", "4.1", "5.1", "6.0", "6.1"]
    text = "".join(f"{number} Pumps of Kind {number[0]}\n{TEXT * 2}" for number in numbers)
    levels = {s.heading.text[:3]: s.heading.level for s in parse(text).root.walk() if s.heading}
    assert [levels[number] for number in numbers] == [1, 2, 1, 2, 1, 2, 1, 2, 1, 1, 2]


def entries_of(text: str) -> tuple[set[str], list[str]]:
    """Return what a table of contents names, and the texts of its lines."""
    lines = read_lines(Source(text), [], [])
    named = read_contents(lines)
    return set(named), [line.text for line in lines if line.is_contents]


def test_parts_of_entries_on_lines_of_their_own_name_titles_alone() -> None:
    parts = ["1", "Scope", "." * 20, "3", "1.1", f"Pumps {'. ' * 9}", "4"]
    parts += ["2", "Parts", ". " * 9, "5", "A.1", f"Oil {'.' * 20}", "6"]
    named, lines = entries_of("\n".join(["List of all", *parts, TEXT]))
    assert named == {"scope", "pumps", "parts", "oil"}
    assert lines == [part.strip() for part in parts[1:]]
    assert (
        entries_of("\n".join(["List of all", *parts[5:], *parts, TEXT]))[1][0] == parts[5].strip()
    )


def test_three_dots_or_few_entries_are_no_contents() -> None:
    assert entries_of("".join(f"Pumps {at} ...\n{at}\n" for at in range(9))) == (set(), [])
    assert entries_of(f"Scope {'.' * 9}\n3\nOil {'.' * 9}\n4\n{TEXT}") == (set(), [])
    assert entries_of(f"Contents\nScope\n3\nOil\n4\n{TEXT}") == (set(), [])


def test_a_few_marks_among_many_titles_hide_none() -> None:
    """The markup may be code, like LaTeX commands in a manual of LaTeX."""
    code = "".join(f"\\section{{{name}}}\n\n{TEXT}\n" for name in ("One", "Two", "Three"))
    titles = "".join(f"{title}\n\n{TEXT}\n" for title in NAMED)
    found = outline(Source(f"{TEXT}\n{code}{titles}", "pump.txt"))
    assert set(NAMED) < set(found)


def test_among_cells_only_titles_above_sentences_that_contents_name_are_titles() -> None:
    cells = "Red Paint\n\nSteel\n\nBlue Paint\n\n" * 5
    sizes = f"Sizes in Stock\n\n{', '.join(f'{size} mm' for size in range(10, 20))},\n\n"
    titles = (*NAMED, "Prices", "Addresses")
    body = "".join(f"{title}\n\n{TEXT}\n{cells}{ROUND}\n{sizes}{ROUND}\n" for title in titles)
    assert outline(Source(f"{TEXT}\n{body}", "pump.txt")) == list(titles)
    contents = "".join(f"{title} ........ {at + 2}\n" for at, title in enumerate(titles[:4]))
    found = outline(Source(f"Contents\n\n{contents}\n{body}", "pump.txt"))
    assert found == ["Contents", *titles[:4]]


def test_numbers_alone_that_never_come_again_are_those_of_pages_where_no_others_are() -> None:
    pages = [f"{page_of(title)}{at}" for title, at in zip(NAMED, (7, 3, 29, 1, 15, 2), strict=True)]
    assert furniture(paged(pages)) == ["7", "3", "29", "1", "15", "2"]


def test_numbers_below_each_other_above_entries_are_no_titles_of_theirs() -> None:
    dots = ". " * 30
    titles = "".join(f"General: Pumps of kind {at} {dots} {at}\n" for at in range(3, 9))
    text = f"1.1\n\n1.2\n\n1.3\n\n{titles}\n\\pump: More of them\n{titles}"
    for cap in (64, 128, 512):
        source = Source(text, "pump.txt")
        assert not pack(source, max_tokens=cap, target_tokens=cap // 2).audit().findings


@pytest.mark.parametrize(("steps", "deepest"), [(4, 4), (20, 1)])
def test_the_columns_of_an_index_tell_no_levels(steps: int, deepest: int) -> None:
    titles = [f"{kind} {part}" for part in ("Pump", "Tank", "Pipe", "Oil") for kind in NAMED[:5]]
    entries = "".join(
        f"{' ' * (2 * (at % steps))}{title} {'.' * 20} {at}\n" for at, title in enumerate(titles, 1)
    )
    body = "".join(f"{title}\n{TEXT * 2}" for title in titles)
    sections = parse(Source(f"Contents\n{entries}{body}", "pump.txt")).root.walk()
    levels = {section.heading.level for section in sections if section.heading}
    assert max(levels) == deepest
