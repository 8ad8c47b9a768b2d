"""Pages without page marks, found by the numbers that a converter left of headers and footers."""

import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treepack import Source, audit, pack, parse
from treepack.outline.running_numbers import pages_by_running_numbers

SENTENCE = "The pump stands on a level floor and runs by day, as long as the tank is full. "
UNFINISHED = SENTENCE * 5 + "It is switched off before the"
TITLES = ("Scope", "Terms and words", "What is measured", "Limits", "Care", "Repair of pumps")
CONTINUATION = "tank is opened. " + SENTENCE * 5


def footer_of_page(form: str, number: int) -> str:
    """Return the footer of a page; right and left pages may have different forms."""
    forms = form.split("~")
    return forms[number % len(forms)].format(number)


def document(pages: int, form: str = "{}", first: int = 1) -> str:
    """Return a text whose pages end within a sentence, each with its number in this form."""
    page_numbers = range(first, first + pages)
    return document_with_footers([footer_of_page(form, number) for number in page_numbers])


def document_with_footers(footers: Sequence[str]) -> str:
    """Return a text whose pages end within a sentence, each with its own footer."""
    pages, between = len(footers), [f"\n\n{footer}\n\n" for footer in footers]
    parts = [UNFINISHED, *[f"{CONTINUATION}\n\n{UNFINISHED}" for _ in range(pages - 1)]]
    return "# Pump\n\n" + "".join(a + b for a, b in zip(parts, between, strict=True))


def page_numbers_in(text: str) -> list[int]:
    return [page for _, page in pages_by_running_numbers(text)]


@pytest.mark.parametrize(
    "form",
    [
        "{}",
        "**{}**",
        "- {} -",
        "Page {}",
        "**Rev. 01 - 8 January 2007** **{} of 25**",
        "{}/25",
        "Pagina {} di 25",
        "Pump manual {}",
        "AN10 {}",
        "## {} Pump manual",
        "Acme Ltd | Report 2024 | {}",
        "{} Pump~Care and repair {}",
        "{}  \n\n© Acme Ltd. All rights reserved.",
    ],
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_numbers_that_increase_through_a_text_are_its_pages(form: str, line_end: str) -> None:
    text = document(8, form).replace("\n", line_end)
    assert page_numbers_in(text)[:8] == [1, 2, 3, 4, 5, 6, 7, 8]
    chunks = pack(text, target_tokens=120, max_tokens=160)
    assert chunks[0].pages[0] == 1
    assert chunks[-1].pages[-1] >= 8
    assert not audit(text, chunks).findings


@pytest.mark.parametrize("form", ["**{}**", "{} of 8", "## {} Pump manual"])
def test_printed_page_numbers_are_in_no_chunk_and_do_not_break_sentences(
    form: str,
) -> None:
    text = document(8, form)
    chunks = pack(text)
    skipped = [text[start:end].strip() for start, end, _ in parse(text).skipped]
    assert skipped == [form.format(number) for number in range(1, 9)]
    assert all(f" {word} " not in f" {chunk.text} " for chunk in chunks for word in ("**5**", "5"))
    assert sum("before the\ntank is opened" in chunk.text for chunk in chunks) >= 1
    assert [section.heading.text for section in parse(text).root.walk() if section.heading] == [
        "Pump"
    ]


def test_lines_next_to_the_page_number_are_furniture() -> None:
    form = "AN10_1 Acme Ltd.\n\n**Rev. 1** **{} of 9**\n\n## **Acme AN10**\n\n**Pumps**"
    parsed = parse(document(9, form))
    assert [section.heading.text for section in parsed.root.walk() if section.heading] == ["Pump"]
    skipped = [parsed.source.text[start:end] for start, end, _ in parsed.skipped]
    for line in ("AN10_1 Acme Ltd.", "## **Acme AN10**", "**Pumps**"):
        assert sum(line in each for each in skipped) >= 8


def test_numbers_at_the_top_of_pages_begin_the_pages() -> None:
    pages = [f"{number}\n\n{CONTINUATION}\n\n{UNFINISHED}\n\n" for number in range(3, 12)]
    text = "\n\n" + "".join(pages)
    assert page_numbers_in(text) == list(range(3, 12))
    offsets = [offset for offset, _ in pages_by_running_numbers(text)]
    assert all(text[offset].isdigit() for offset in offsets)


def test_missing_page_numbers_leave_the_other_pages_numbered() -> None:
    text = document_with_footers([str(n) if n not in {4, 9} else "" for n in range(1, 13)])
    assert page_numbers_in(text) == [1, 2, 3, 4, 6, 7, 8, 9, 11, 12]


def test_long_text_before_the_first_number_has_no_page() -> None:
    text = document(9, first=2)
    assert page_numbers_in(text) == list(range(2, 11))
    assert page_numbers_in((SENTENCE * 12 + "\n\n") * 4 + text) == list(range(3, 11))


def test_bare_numbers_between_tables_are_pages_if_there_are_many() -> None:
    table = "| part | size |\n|---|---|\n" + "| pump | 12 mm |\n" * 40
    assert page_numbers_in("".join(f"{table}\n{page}\n\n" for page in range(1, 13)))
    assert not page_numbers_in("".join(f"{table}\n{page}\n\n" for page in range(1, 8)))


def sections(label: str, count: int = 14) -> str:
    """Return a text whose sections begin with a label that counts up."""
    return "".join(
        f"{label.format(n, TITLES[n % len(TITLES)])}\n\n{SENTENCE * 8}\n\n" for n in range(1, count)
    )


@pytest.mark.parametrize(
    "label",
    [
        "{}",
        "**{}**",
        "Article {}",
        "§ {}",
        "## {}",
        "{0}\n\n{1}",
        "Practice question {}",
        "{}. Scope",
        "*   {}",
        "Figure {}",
        "## Pump of kind {}",
        "Question {}\n\nChoose one answer",
        "Scope\nof the rules for pumps, part {}",
    ],
)
def test_section_numbers_are_not_page_numbers(label: str) -> None:
    assert not page_numbers_in(sections(label))


@pytest.mark.parametrize(
    "text",
    [
        document(4),  # too few
        document_with_footers([str(40 - number) for number in range(8)]),  # they do not rise
        document_with_footers([str(7 * number) for number in range(8)]),
        document_with_footers([str(3 * number) for number in range(8)]),  # most are missing
        document_with_footers([f"{n} of 8\n\n{SENTENCE * 220}" for n in range(8)]),  # too far apart
        document(8) + SENTENCE * 200,  # the numbers end long before the text does
        "".join(f"{number}\n\nThe pump\n\n" for number in range(40)),  # no page is so short
        document(8, "{} " + SENTENCE * 2),  # they begin paragraphs
    ],
)
def test_numbers_that_do_not_occur_once_per_page_are_not_page_numbers(text: str) -> None:
    assert not page_numbers_in(text)


def test_one_sentence_broken_at_a_number_is_not_enough_for_pages() -> None:
    text = sections("{}", 7).replace(f"{SENTENCE}\n\n4\n\nThe", f"{UNFINISHED}\n\n4\n\nthe")
    assert "before the\n\n4\n\nthe pump" in text
    assert not page_numbers_in(text)


@pytest.mark.parametrize("end", ["is switched off", "(if all goes well)"])
def test_a_paragraph_of_one_line_may_continue_on_the_next_page(end: str) -> None:
    words = ("Alpha", "Beta", "Gamma", "Delta", "Kappa", "Omega", "Sigma")
    text = "".join(
        f"{SENTENCE * 5}\n\nThe {word} {end}\n\n{page}\n\nbefore the {word} opens.\n\n"
        for page, word in enumerate(words, 1)
    )
    assert page_numbers_in(text)[:7] == list(range(1, 8))


def test_lines_next_to_only_a_few_numbers_do_not_make_them_pages() -> None:
    assert not page_numbers_in(sections("{}").replace("\n\n5\n", "\n\nSee below\n\n5\n"))
    some = sections("{}")
    for number in (3, 5, 9):
        some = some.replace(f"\n\n{number}\n", f"\n\nSee below\n\n{number}\n")
    assert not page_numbers_in(some)


def test_bare_numbers_with_gaps_between_tables_are_not_pages() -> None:
    table = "| part | size |\n|---|---|\n" + "| pump | 12 mm |\n" * 40
    assert not page_numbers_in("".join(f"{table}\n{2 * page}\n\n" for page in range(1, 13)))


def test_a_page_number_may_precede_the_document_name_in_a_heading() -> None:
    page = f"{SENTENCE * 6}\n\n"
    text = "".join(f"{page}# {n} AN10/AN11\n\n17B-ACM-05/02\n\n" for n in range(1, 9))
    assert page_numbers_in(text)[:8] == list(range(1, 9))
    assert not page_numbers_in("".join(f"{page}# {n} Pumps\n\n17B-ACM\n\n" for n in range(1, 9)))


def test_a_heading_at_the_top_of_some_pages_is_text() -> None:
    pages = [f"{CONTINUATION}\n\n{UNFINISHED}\n\n{n} of 20\n\n" for n in range(1, 21)]
    heads = ["## Example\n\n" if n in {3, 7, 11, 15, 18} else "" for n in range(20)]
    text = "".join(head + page for head, page in zip(heads, pages, strict=True))
    assert page_numbers_in(text) == list(range(1, 21))
    skipped = [text[start:end] for start, end, _ in parse(text).skipped]
    assert not any("Example" in each for each in skipped)


def test_a_rule_at_the_bottom_of_a_page_is_not_a_broken_sentence() -> None:
    rule = "- " + "-" * 60
    text = document_with_footers([f"Done.\n\n{rule}\n\nPage {n} of 8" for n in range(1, 9)])
    text = text.replace("tank is opened", "1.5  The tank is opened")
    parsed = parse(Source(text, "pump.txt"))
    starts = {block.start for section in parsed.root.walk() for block in section.blocks}
    assert all(match.start() in starts for match in re.finditer(r"1\.5  The tank", text))


def test_page_marks_take_precedence_over_printed_numbers() -> None:
    text = document_with_footers([f"{n}\n\n<!-- page {n + 60} -->" for n in range(1, 9)])
    assert parse(text).source.page_marks[-1][1] == 68


def test_a_trusted_outline_takes_no_pages_from_numbers() -> None:
    assert not parse(document(8), outline="trust").source.page_marks


@given(
    pages=st.lists(st.integers(min_value=1, max_value=12), min_size=6, max_size=20),
    first=st.integers(min_value=1, max_value=300),
)
def test_each_word_is_on_the_page_whose_number_is_printed_below_it(
    pages: Sequence[int], first: int
) -> None:
    parts = [
        f"w{number}x {SENTENCE * (4 + size)}The pump is switched off before\n\n{number}\n\n"
        for number, size in enumerate(pages, first)
    ]
    text = "".join(parts)
    found = pages_by_running_numbers(text)
    for match in re.finditer(r"w(\d+)x", text):
        page = [page for offset, page in found if offset <= match.start()][-1]
        assert page == int(match[1])


@given(st.text(alphabet="1234567890*#\n -x|", max_size=400))
def test_no_text_is_lost_to_page_numbers(text: str) -> None:
    source = Source(text)
    assert not audit(source, pack(source)).findings


def lines_of(page: int) -> str:
    """Return the lines of a PDF page; no two pages have a line in common."""
    name = "abcdefghijklmnop"[page] * 3
    return f"the pump {name} stands on a level floor and runs by day, as long as the tank is\n" * 20


@pytest.mark.parametrize("form", ["{}", "17B-ACM-05/02\n{}", "{}\n17B-ACM-05/02"])
def test_page_numbers_are_found_at_the_edges_of_pages_without_blank_lines(form: str) -> None:
    """Converters write the text of PDFs this way: lines, and a blank line after each page."""
    pages = [f"{lines_of(n)}{form.format(n)}" for n in range(1, 9)]
    text = "\n\n".join(pages)
    assert page_numbers_in(text) == list(range(1, 9))
    skipped = "\n".join(text[start:end] for start, end, _ in parse(text).skipped)
    assert sorted(skipped.split()) == sorted("\n".join(map(form.format, range(1, 9))).split())


def test_numbers_at_the_top_of_pages_without_blank_lines_begin_the_pages() -> None:
    pages = [f"{number} Pumps of Acme works, draft\n{lines_of(number)}" for number in range(4, 13)]
    text = "\n".join(["Acme works\nA cover of some lines\n" * 9, *pages])
    offsets = [offset for offset, _ in pages_by_running_numbers(text)]
    assert [text[offset:].split(" ", 1)[0] for offset in offsets] == [str(n) for n in range(4, 13)]


@pytest.mark.parametrize("above", ["| a | b |\n|---|---|\n| c | d |\n", "<p>One\n"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_text_after_a_page_is_not_absorbed_by_a_table_or_html_above(
    above: str, line_end: str
) -> None:
    """Both end only at the blank line after the page; what follows on the next page is text."""
    text = document_with_footers([str(number) for number in range(1, 9)])
    text = text.replace(
        "It is switched off before the\n\n4",
        f"Off.\n\n{above}until the pump is stopped by the\n\n4",
    ).replace("\n", line_end)
    assert page_numbers_in(text) == list(range(1, 9))
    assert any("tank is opened" in chunk.text for chunk in pack(text))
    blocks = [block for section in parse(text).root.walk() for block in section.blocks]
    start = text.index("tank is opened", text.index(f"{line_end}4{line_end}"))
    assert any(block.start == start and block.kind == "paragraph" for block in blocks)


def test_a_sentence_at_the_bottom_of_two_pages_is_not_furniture() -> None:
    note = "see the note of the maker for what to do then."
    text = document_with_footers([f"{note}\n\n{number}" for number in range(1, 9)])
    parsed = parse(text.replace(note, "Done.", 6))
    skipped = [parsed.source.text[start:end] for start, end, _ in parsed.skipped]
    assert not any("note" in each for each in skipped)


def test_a_line_as_frequent_inside_pages_as_at_edges_is_not_furniture() -> None:
    value, words = "Reset value: none", f"{SENTENCE * 3}\n\n"
    pages = [
        f"{words * 2}{value}\n\n{words * 3}{UNFINISHED}\n\n{value}\n\n{n}" for n in range(1, 9)
    ]
    text = "\n\n".join(pages)
    skipped = [text[start:end].strip() for start, end, _ in parse(text).skipped]
    assert skipped == [str(number) for number in range(1, 9)]


def test_a_bare_number_above_the_last_line_of_a_page_is_text() -> None:
    """It may be an answer, or the number of an empty line of code."""
    footers = {3: "41\n42 pumps are enough", 6: "a\n67\n68 pumps are too many"}
    words = ("Alpha", "Beta", "Gamma", "Delta", "Kappa", "Omega", "Sigma", "Theta")
    pages = [
        f"Pump manual {n} / 8\n\n{SENTENCE * 4}\n{footers.get(n, f'The {word} pump')}"
        for n, word in enumerate(words, 1)
    ]
    text = "\f".join(pages)
    skipped = [text[start:end].strip() for start, end, _ in parse(Source(text, "x.txt")).skipped]
    assert [each for each in skipped if each.isdigit()] == []
    assert "Pump manual 4 / 8" in skipped


def test_a_numbered_code_line_is_not_a_page_number() -> None:
    """Listings number their lines."""
    text = document_with_footers([f"{n + 90} `}}`\n\n{n} of 8" for n in range(1, 9)])
    skipped = [text[start:end].strip() for start, end, _ in parse(text).skipped]
    assert skipped == [f"{number} of 8" for number in range(1, 9)]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_pages_begin_after_the_line_end_of_the_number(line_end: str) -> None:
    paragraph = 10 * "The pump shall keep the pressure of the line within the limit. "
    text = "".join(f"{paragraph}\n\n{number} of 13\n\n" for number in range(1, 14))
    text = text.replace("\n", line_end)
    starts = [start for start, _ in pages_by_running_numbers(text)][1:]
    assert starts
    assert all(text[:start].endswith(f" of 13{line_end}") for start in starts)
