"""Titles in the text that PDF loaders give to both frameworks, page after page.

Some loaders split a title into several lines.
"""

import pytest

from treepack import Document, Source, parse

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


def broken_title(first: str, second: str, *, elsewhere: str = "") -> str:
    """Numbered titles, the third of which has another line below its first one."""
    titles = [f"1 Scope\n{TEXT * 3}", f"2 Parts\n{TEXT * 3}", f"3 {first}\n{second}\n{TEXT * 3}"]
    return f"{''.join(titles)}4 Care\n{TEXT * 3}{elsewhere}{OTHER_TEXT}"


TITLES = ("Scope of Use", "Makers of Pumps", "Filters", "Lower Tank", "Upper Tank", "Repair")
UNNUMBERED_TEXT = "".join(f"{title}\n{TEXT * 3}" for title in TITLES)


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


def test_bold_lines_among_short_lines_are_titles() -> None:
    """They are a third of the lines here, although all lines would fit in a few rows."""
    steps = "".join(f"**{title}**\n\nOne step\n\n" for title in TITLES[:3])
    text = f"{steps}Another step\n\nA third step\n\n{TEXT.splitlines()[0]}\n"
    assert heading_texts(text) == list(TITLES[:3])


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
