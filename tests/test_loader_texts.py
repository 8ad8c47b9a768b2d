"""Titles in the text that PDF loaders give to both frameworks, page after page.

Some loaders write each table cell on a line of its own, some put blank lines between the cells,
some split a title or an entry of the table of contents into several lines.
"""

import pytest

from treepack import Document, Source, audit, pack, parse
from treepack.outline.titles.candidates import Candidate
from treepack.outline.titles.layout import TextLayout
from treepack.outline.titles.lines import Line, read_lines
from treepack.outline.titles.numbered import accepted_candidates
from treepack.outline.titles.printed import number_alone
from treepack.outline.titles.toc import read_toc
from treepack.outline.titles.wording import is_title

TEXT = (
    "The pump moves water from the lower tank to the upper one, and stops by itself.\n"
    "Nobody has to watch it, although somebody should look at the filter each week.\n"
)
OTHER_TEXT = (
    "Each part has a number, which is printed on its lower side and in the list of parts.\n"
    "Parts that are worn are sent to the maker, who repairs them or sends new ones back.\n"
)


def heading_texts(text: str | Source) -> list[str]:
    document = text if isinstance(text, Document) else parse(text)
    return [section.heading.text for section in document.root.walk() if section.heading]


def separate_numbers(*titles: str, body: str = TEXT * 2) -> str:
    """Titles whose numbers are on lines of their own, each above a text."""
    return "".join(f"{title.replace(' ', chr(10), 1)}\n{body}" for title in titles)


SECTIONS = ("1 Scope", "1.1 Pumps", "1.2 Tanks", "2 Parts", "2.1 Filters", "2.2 Pipes", "3 Care")


def test_numbers_on_separate_lines_begin_titles_even_beside_a_chart_of_numbers() -> None:
    chart = "".join(f"{number}\nLitres\n" for number in range(60))
    text = f"{separate_numbers(*SECTIONS)}{chart}{TEXT}"
    assert heading_texts(text) == list(SECTIONS)
    assert heading_texts(f"{TEXT}{chart}{TEXT}") == []


def test_a_separate_number_above_little_text_needs_a_contents_entry_among_many_numbers() -> None:
    """A word such as VCC may be the title of a section, or the name of a pin in a table."""
    pins = "".join(f"{number}\nPin of the valve\n" for number in range(60))
    short = ("2.3 Fuse", "2.4 Earth")
    body = (
        separate_numbers(*SECTIONS[:-1])
        + separate_numbers(*short, body="A wire.\n")
        + separate_numbers(SECTIONS[-1])
        + pins
    )
    titles = [*SECTIONS[:-1], *short, SECTIONS[-1]]
    assert heading_texts(body) == list(SECTIONS)
    contents = "".join(f"{title} ........ {at + 2}\n" for at, title in enumerate(titles))
    assert heading_texts(f"Contents\n{contents}{body}") == ["Contents", *titles]


def test_a_separate_letter_is_an_annex_number_if_the_contents_list_its_title() -> None:
    drawing = "".join(f"{letter}\nWidth\n{TEXT}" for letter in "ABC")
    assert heading_texts(separate_numbers(*SECTIONS) + drawing) == list(SECTIONS)
    titles = (*SECTIONS, "A Drawings", "B Makers")
    contents = "".join(f"{title} ........ {at + 2}\n" for at, title in enumerate(titles))
    assert heading_texts(f"Contents\n{contents}{separate_numbers(*titles)}") == [
        "Contents",
        *titles,
    ]


@pytest.mark.parametrize(
    ("printed", "components"), [("C.1", ("C", 1)), ("4.1.", (4, 1)), ("B", ("B",))]
)
def test_a_number_on_a_separate_line_is_split_into_its_components(
    printed: str, components: tuple[str | int, ...]
) -> None:
    lines = [Line(0, 3, 0, printed, 0), Line(4, 9, 1, "Scope", 0, is_open=True)]
    number = number_alone(lines, 0)
    assert number is not None
    assert number.key == components
    assert number.is_above_title


def broken_title(first: str, second: str, *, elsewhere: str = "") -> str:
    """Numbered titles, the third of which has another line below its first one."""
    titles = [f"1 Scope\n{TEXT * 3}", f"2 Parts\n{TEXT * 3}", f"3 {first}\n{second}\n{TEXT * 3}"]
    return f"{''.join(titles)}4 Care\n{TEXT * 3}{elsewhere}{OTHER_TEXT}"


def test_a_title_continues_if_the_text_has_the_words_around_its_line_break_together() -> None:
    sentence = "Whoever reads the program memory of a pump needs its key, and has to wait for it.\n"
    text = broken_title("Reading the Program", "Memory", elsewhere=sentence)
    assert heading_texts(text)[2] == "3 Reading the Program Memory"
    assert (
        heading_texts(broken_title("Reading the Program", "Memory"))[2] == "3 Reading the Program"
    )
    chunks = pack(text, max_tokens=64, target_tokens=64)
    assert not audit(text, chunks, max_tokens=64).findings
    assert "3 Reading the Program Memory" in {chunk.breadcrumb[-1] for chunk in chunks}


def test_a_title_between_blank_lines_continues_only_if_a_blank_line_ends_it() -> None:
    sentence = (
        "Whoever reads the program memory of a pump needs its key, and has to wait for it.\n\n"
    )
    titles = ("1 Scope", "1.1 Pumps", "1.2 Reading the Program\nMemory", "2 Care", "3 Index")
    spaced = "".join(f"{title}\n\n{TEXT}\n{OTHER_TEXT}\n" for title in titles)
    whole = "1.2 Reading the Program Memory"
    assert heading_texts(f"{spaced}{sentence}") == [
        "1 Scope",
        "1.1 Pumps",
        whole,
        "2 Care",
        "3 Index",
    ]
    close = spaced.replace("Memory\n\n", "Memory\n")
    assert whole not in heading_texts(f"{close}{sentence}")


def test_a_title_may_continue_on_two_more_lines() -> None:
    sentence = (
        "The port module of the valve is on the right, where the list of parts shows it too.\n"
    )
    text = broken_title("Master Serial", "Pump Port\nModule", elsewhere=sentence)
    assert heading_texts(text)[2] == "3 Master Serial"
    both = (
        f"{sentence}A serial pump has one, and the list of parts says where all of them are sold.\n"
    )
    text = broken_title("Master Serial", "Pump Port\nModule", elsewhere=both)
    assert heading_texts(text)[2] == "3 Master Serial Pump Port Module"


@pytest.mark.parametrize(
    ("first", "second"),
    [("Pump (Upper", "Tank)"), ("Tests/", "Trials"), ("Read-Modify-", "Write"), ("Flow", "(MAX)")],
)
def test_a_title_with_an_open_end_continues_on_the_next_line(first: str, second: str) -> None:
    assert heading_texts(broken_title(first, second))[2] == f"3 {first} {second}"


@pytest.mark.parametrize(
    ("second", "words"),
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
def test_other_lines_below_a_title_are_not_part_of_it(second: str, words: str) -> None:
    elsewhere = (
        f"Somebody says {words} here, in the middle of a line that is full of other words.\n"
    )
    text = broken_title("Reading the Program", second, elsewhere=elsewhere)
    assert heading_texts(text)[2] == "3 Reading the Program"


def test_a_title_listed_in_the_contents_does_not_continue() -> None:
    sentence = "Whoever reads the program memory of a pump needs its key, and has to wait for it.\n"
    titles = ("1 Scope", "2 Parts", "3 Reading the Program", "4 Care")
    contents = "".join(f"{title} ........ {at + 2}\n" for at, title in enumerate(titles))
    text = broken_title("Reading the Program", "Memory", elsewhere=sentence)
    assert heading_texts(f"Contents\n{contents}{text}") == ["Contents", *titles]


def test_a_title_below_a_chapter_word_and_number_may_continue() -> None:
    """After CHAPTER and its number, each on a line, the heading is the title alone."""
    chapters = [
        f"CHAPTER\n{number}\n{title}\n{TEXT * 3}"
        for number, title in (("ONE", "PUMPS"), ("TWO", "REPAIR (UPPER\nTANK)"), ("THREE", "CARE"))
    ]
    assert heading_texts("".join(chapters)) == ["PUMPS", "REPAIR (UPPER TANK)", "CARE"]


TITLES = ("Scope of Use", "Makers of Pumps", "Filters", "Lower Tank", "Upper Tank", "Repair")
UNNUMBERED_TEXT = "".join(f"{title}\n{TEXT * 3}" for title in TITLES)


def test_page_numbers_of_a_table_of_contents_may_be_on_separate_lines() -> None:
    """Some entries have no dots, and some have them on a line of their own."""
    dots = ". " * 20
    entries = [f"{TITLES[0]}\n{dots}\n1", *(f"{title} {dots}\n2" for title in TITLES[1:4])]
    contents = "\n".join([*entries, f"{TITLES[4]}\n3", f"{TITLES[5]} {dots}\n4"])
    assert heading_texts(f"{contents}\n{UNNUMBERED_TEXT}") == list(TITLES)


def test_entries_without_dots_are_contents_only_below_the_word_contents() -> None:
    titles = (*TITLES, "Prices", "Addresses", "Thanks", "Index of Parts")
    contents = "".join(f"{title}\n{at + 3}\n" for at, title in enumerate(titles))
    body = "".join(f"{title}\n{TEXT * 3}" for title in titles)
    assert heading_texts(f"Contents\n{contents}{body}") == ["Contents", *titles]
    assert heading_texts(f"Pins\n{contents}{TEXT * 3}") == []


def test_an_ellipsis_above_a_number_is_not_a_contents_entry() -> None:
    rows = "".join(f"12-13-14...\n{at}\n" for at in range(9))
    text = f"{TEXT}{rows}{TEXT}{UNNUMBERED_TEXT}"
    assert heading_texts(text) == list(TITLES)


def test_contents_in_two_columns_list_the_titles_of_both() -> None:
    titles = (*TITLES, "Prices", "Thanks")
    rows = [
        f"{one} {'.' * 30} {at + 1} {two} {'.' * 30} {at + 5}"
        for at, (one, two) in enumerate(zip(titles[:4], titles[4:], strict=True))
    ]
    text = "\n".join(["Contents", *rows, f"{UNNUMBERED_TEXT}Prices\n{TEXT}Thanks\n{TEXT}"])
    assert heading_texts(text) == ["Contents", *titles]


def test_a_title_listed_in_the_contents_needs_no_blank_line() -> None:
    """Here blank lines separate the cells of tables, but not paragraphs."""
    contents = "".join(f"{title} ........ {at + 2}\n" for at, title in enumerate(TITLES))
    cells = "12 mm\n\n" * 60
    text = f"Contents\n{contents}{cells}{UNNUMBERED_TEXT}"
    assert heading_texts(text) == ["Contents", *TITLES]


def test_an_indented_line_listed_only_in_an_index_is_not_a_title() -> None:
    contents = "".join(f"{title} ........ {at + 2}\n" for at, title in enumerate(TITLES))
    body = "".join(
        f"{title}\n\n   {(TEXT * 4).strip().replace(chr(10), f'{chr(10)}   ')}\n\n"
        for title in TITLES
    )
    index = "Pressure ........ 3\nPumps ........ 4\nVents ........ 5\nValves ........ 6\n"
    rule = f"   Pressure\n   Pumps\n   {TEXT.splitlines()[0]}\n\n"
    assert heading_texts(f"Contents\n\n{contents}\n{body}{rule}{index}") == ["Contents", *TITLES]


def test_titles_between_table_cells_are_found() -> None:
    """Like a title, a cell is a short line between blank lines; but cells follow each other."""
    cells = "Red Paint\n\nSteel\n\nBlue Paint\n\n" * 5
    sections = "".join(f"{title}\n\n{TEXT}\n{cells}{OTHER_TEXT}\n" for title in TITLES)
    assert heading_texts(f"{TEXT}\n{sections}") == list(TITLES)
    assert heading_texts(f"{TEXT}\n{cells * 6}{TEXT}") == []


def test_lines_between_blank_lines_are_not_titles_if_titles_are_underlined() -> None:
    marked = "".join(f"{title}\n{'=' * len(title)}\n\n{TEXT}\n" for title in TITLES)
    notes = "".join(f"What does a {title} cost?\n\n{TEXT}\n" for title in ("pump", "tank", "valve"))
    assert heading_texts(Source(f"{marked}{notes}", "pump.rst")) == list(TITLES)


def test_the_letter_i_is_a_pronoun_except_in_io_and_at_the_end() -> None:
    titles = ["I/O Ports", "Annex to Part I", "What I Need", "I’ll Wait"]
    assert [*filter(is_title, titles)] == ["I/O Ports", "Annex to Part I"]


def test_french_du_is_not_a_pronoun() -> None:
    assert is_title("Position du contenu")
    assert not is_title("Ce que tu positionnes")


def source_of_pages(pages: list[str]) -> Source:
    return Source.from_pages(pages, name="pump.txt")


def skipped_texts(source: Source) -> list[str]:
    return [source.text[start:end].strip() for start, end, _ in parse(source).skipped]


def unique_page(title: str) -> str:
    """A page that shares no line with other pages."""
    words = title.lower()
    return (
        f"{title}\nWhat is said of {words} stands here.\nMore of {words} is said below.\n{words}.\n"
    )


def test_a_second_number_at_a_page_edge_belongs_to_a_section() -> None:
    sections = {1: "1\n", 2: "2\n", 5: "3\n"}
    pages = [
        f"{sections.get(at, '')}{unique_page(title)}{at + 4}" for at, title in enumerate(TITLES, 1)
    ]
    assert skipped_texts(source_of_pages(pages)) == [str(at + 4) for at in range(1, 7)]


def test_a_page_count_repeated_on_each_page_is_page_furniture() -> None:
    pages = [f"{unique_page(title)}{at}\n25" for at, title in enumerate(TITLES, 1)]
    assert "".join(skipped_texts(source_of_pages(pages))) == "125225325425525625"


def test_page_numbers_may_restart_in_each_chapter() -> None:
    """Each chapter may count its pages from 1."""
    pages = [f"{unique_page(title)}{at % 2 + 1}" for at, title in enumerate(TITLES)]
    assert skipped_texts(source_of_pages(pages)) == ["1", "2"] * 3


@pytest.mark.parametrize(("number", "new_pages", "expected"), [(2, 0, 1), (5, 0, 1), (1, 1, 0)])
def test_a_separate_number_belongs_only_to_a_title_on_its_page(
    number: int, new_pages: int, expected: int
) -> None:
    """Otherwise a heading would contain the header and the number of the next page."""
    title = Line(4, 9, number, "Scope", 0, is_open=True, starts_page=bool(new_pages))
    assert (number_alone([Line(0, 3, 0, "4.1", 0), title], 0) is not None) == bool(expected)


def make_candidate(at: int, key: tuple[int | str, ...], word: str = "") -> Candidate:
    kind = word or "decimal"
    return Candidate(
        line_index=at,
        line_count=2,
        key=key,
        is_inserted=False,
        word=word,
        kind=kind,
        title="Scope",
        role="title",
        weight=3.0,
        has_number_above=False,
        is_confirmed=True,
    )


def test_no_title_begins_on_a_line_of_the_previous_title() -> None:
    """In a table of contents, a page number is above the next entry, which has its own number."""
    bare = [make_candidate(10 * step, (step,)) for step in range(1, 6)]
    chapters = [make_candidate(10 * step + 11, (step,), "chapter") for step in (1, 2)]
    page = TextLayout(
        80,
        is_spaced=False,
        indent=0,
        is_hanging=False,
        has_paragraph_lines=False,
        text="",
        lines=[Line(10 * at, 10 * at + 9, at, "Scope", 0) for at in range(60)],
    )
    both = sorted([*bare, *chapters], key=lambda each: each.line_index)
    assert accepted_candidates(both, page) == bare


def test_page_furniture_separates_a_number_from_the_next_title() -> None:
    text = "4.1\nGuide to Pumps\nRepair\n"
    source = Source(text)
    lines = read_lines(source, [], [(4, 19)])
    assert [line.text for line in lines] == ["4.1", "Repair"]
    assert [line.starts_page for line in lines] == [False, True]
    assert not any(line.starts_page for line in read_lines(source, [], []))


def test_contents_entries_of_several_lines_are_not_clauses() -> None:
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


def test_a_separate_number_above_another_title_still_begins_a_title() -> None:
    """Unlike most of the others, it has no text right below it."""
    titles = ("1 Scope", "1.1 Pumps", "2 Parts", "2.1 Filters", "2.2 Pipes", "3 Care", "3.1 Oil")
    over = "".join(
        separate_numbers(title, body="" if "." not in title else TEXT) for title in titles
    )
    assert heading_texts(f"{TEXT}{over}") == list(titles)


def test_a_separate_number_above_a_two_line_title_takes_its_first_line() -> None:
    chart = "".join(f"{number}\nLitres\n" for number in range(60))
    titles = [f"{title} Data\nSheets" for title in SECTIONS]
    assert heading_texts(f"{separate_numbers(*titles)}{chart}{TEXT}") == [
        f"{title} Data" for title in SECTIONS
    ]


def test_a_page_number_above_an_appendix_entry_is_not_a_section_number() -> None:
    """A title may still begin with digits: 44A is the name of a package."""
    entry = "4\nAppendix A: Drawings of the Pumps\n"
    assert "4 Appendix A: Drawings of the Pumps" not in heading_texts(
        f"{separate_numbers(*SECTIONS)}{entry}{TEXT}"
    )
    package = "3.1\n44A Package\n"
    assert "3.1 44A Package" in heading_texts(f"{separate_numbers(*SECTIONS)}{package}{TEXT}")


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
def test_a_line_that_begins_another_block_does_not_continue_an_open_title(
    below: str, name: str
) -> None:
    titles = ("1.1 Tests/", "1.2 Pump (Upper")
    body = "".join(f"{title}\n{below}\n{TEXT * 2}" for title in titles)
    source = Source(f"1 Scope\n{TEXT * 2}{body}2 Care\n{TEXT * 2}", name)
    assert (
        set(heading_texts(source)) & {f"{title} {below.splitlines()[0]}" for title in titles}
        == set()
    )
    assert not pack(source, max_tokens=64, target_tokens=64).audit().findings


def test_a_table_row_does_not_continue_an_open_title() -> None:
    table = "Part | Size\n--- | ---\nOil | 7\n"
    text = f"1 Scope\n{TEXT * 2}1.1 Tests/\n{table}{TEXT * 2}1.2 Oil\n{TEXT}2 Care\n{TEXT * 2}"
    assert "1.1 Tests/" in heading_texts(Source(text, "pump.md"))


def test_a_title_does_not_continue_on_the_next_page_or_in_the_next_title() -> None:
    sentence = "Whoever reads the program memory of a pump needs its key, and has to wait for it.\n"
    pages = [
        f"1 Scope\n{TEXT}1.1 Reading the Program",
        f"Memory\n\n{TEXT}{sentence}",
        f"2 Care\n{OTHER_TEXT}",
    ]
    assert heading_texts(source_of_pages(pages))[1] == "1.1 Reading the Program"
    titles = f"1 Scope\n{TEXT * 4}1.1 Reading the Program\n1.2 Memory\n{TEXT}2 Care\n{TEXT}"
    assert heading_texts(f"{titles}Both read the program 1.2 times.\n")[1:3] == [
        "1.1 Reading the Program",
        "1.2 Memory",
    ]


def test_an_assignment_on_its_own_line_is_not_a_title() -> None:
    names = ("Fosc", "Fper", "Clock", "Timer")
    lines = "".join(f"{name} = {at} MHz\n\n{TEXT}{TEXT}\n" for at, name in enumerate(names))
    assert heading_texts(Source(f"{TEXT}\n{lines}", "pump.txt")) == []


def test_many_lines_with_one_table_cell_do_not_hide_titles() -> None:
    cells = "1\n" * 350
    text = "".join(f"{title}\n{TEXT * 20}{cells}{TEXT}" for title in TITLES)
    assert heading_texts(Source(f"{TEXT}{text}", "pump.txt")) == list(TITLES)


def test_bold_lines_among_short_lines_are_titles() -> None:
    """They are a third of the lines here, although all lines would fit in a few rows."""
    steps = "".join(f"**{title}**\n\nOne step\n\n" for title in TITLES[:3])
    text = f"{steps}Another step\n\nA third step\n\n{TEXT.splitlines()[0]}\n"
    assert heading_texts(text) == list(TITLES[:3])


def contents_of(text: str) -> tuple[set[str], list[str]]:
    """Return what a table of contents names, and the texts of its lines."""
    lines = read_lines(Source(text), [], [])
    titles = read_toc(lines)
    return set(titles), [line.text for line in lines if line.is_toc_entry]


def test_contents_entries_split_over_lines_list_only_their_titles() -> None:
    parts = ["1", "Scope", "." * 20, "3", "1.1", f"Pumps {'. ' * 9}", "4"]
    parts += ["2", "Parts", ". " * 9, "5", "A.1", f"Oil {'.' * 20}", "6"]
    titles, lines = contents_of("\n".join(["List of all", *parts, TEXT]))
    assert titles == {"scope", "pumps", "parts", "oil"}
    assert lines == [part.strip() for part in parts[1:]]
    assert (
        contents_of("\n".join(["List of all", *parts[5:], *parts, TEXT]))[1][0] == parts[5].strip()
    )


def test_three_dots_or_few_entries_are_not_a_table_of_contents() -> None:
    assert contents_of("".join(f"Pumps {at} ...\n{at}\n" for at in range(9))) == (
        set(),
        [],
    )
    assert contents_of(f"Scope {'.' * 9}\n3\nOil {'.' * 9}\n4\n{TEXT}") == (set(), [])
    assert contents_of(f"Contents\nScope\n3\nOil\n4\n{TEXT}") == (set(), [])


def test_a_few_lines_of_markup_do_not_hide_titles_without_markup() -> None:
    """The markup may be code, like LaTeX commands in a manual of LaTeX."""
    code = "".join(f"\\section{{{name}}}\n\n{TEXT}\n" for name in ("One", "Two", "Three"))
    titles = "".join(f"{title}\n\n{TEXT}\n" for title in TITLES)
    found = heading_texts(Source(f"{TEXT}\n{code}{titles}", "pump.txt"))
    assert set(TITLES) < set(found)


def test_among_table_cells_only_titles_listed_in_the_contents_are_titles() -> None:
    cells = "Red Paint\n\nSteel\n\nBlue Paint\n\n" * 5
    sizes = f"Sizes in Stock\n\n{', '.join(f'{size} mm' for size in range(10, 20))},\n\n"
    titles = (*TITLES, "Prices", "Addresses")
    body = "".join(
        f"{title}\n\n{TEXT}\n{cells}{OTHER_TEXT}\n{sizes}{OTHER_TEXT}\n" for title in titles
    )
    assert heading_texts(Source(f"{TEXT}\n{body}", "pump.txt")) == list(titles)
    contents = "".join(f"{title} ........ {at + 2}\n" for at, title in enumerate(titles[:4]))
    found = heading_texts(Source(f"Contents\n\n{contents}\n{body}", "pump.txt"))
    assert found == ["Contents", *titles[:4]]


def test_unordered_numbers_at_page_ends_are_page_numbers_if_there_are_no_others() -> None:
    pages = [
        f"{unique_page(title)}{at}" for title, at in zip(TITLES, (7, 3, 29, 1, 15, 2), strict=True)
    ]
    assert skipped_texts(source_of_pages(pages)) == ["7", "3", "29", "1", "15", "2"]


def test_separate_numbers_above_contents_entries_pass_the_audit() -> None:
    dots = ". " * 30
    titles = "".join(f"General: Pumps of kind {at} {dots} {at}\n" for at in range(3, 9))
    text = f"1.1\n\n1.2\n\n1.3\n\n{titles}\n\\pump: More of them\n{titles}"
    for cap in (64, 128, 512):
        source = Source(text, "pump.txt")
        assert not pack(source, max_tokens=cap, target_tokens=cap // 2).audit().findings


@pytest.mark.parametrize(("steps", "deepest"), [(4, 4), (20, 1)])
def test_indentation_in_the_contents_gives_levels_only_if_it_has_few_steps(
    steps: int, deepest: int
) -> None:
    titles = [f"{kind} {part}" for part in ("Pump", "Tank", "Pipe", "Oil") for kind in TITLES[:5]]
    entries = "".join(
        f"{' ' * (2 * (at % steps))}{title} {'.' * 20} {at}\n" for at, title in enumerate(titles, 1)
    )
    body = "".join(f"{title}\n{TEXT * 2}" for title in titles)
    sections = parse(Source(f"Contents\n{entries}{body}", "pump.txt")).root.walk()
    levels = {section.heading.level for section in sections if section.heading}
    assert max(levels) == deepest
