"""Titles in text extracted from web pages: a line for each paragraph, and no blank lines."""

import pytest

from treepack import Source, parse

SAID = (
    "The pump moves water from the well to the tank above the house, and it stops as soon as the"
    " float in the tank has risen. Its motor needs no care but a drop of oil in spring."
)
MORE = (
    "Whoever mounts it should first read what the maker says of the ground below, for a pump that"
    " stands on sand begins to shake after some weeks. A plate of stone is enough."
)


def titles(text: str) -> list[str]:
    """Return the headings of a text without a name."""
    return [section.heading.text for section in parse(text).root.walk() if section.heading]


def web(*found: str) -> str:
    """Return paragraphs of one line each, with a title before each two."""
    return f"{SAID}\n" + "".join(f"{title}\n{SAID}\n{MORE}\n" for title in found)


@pytest.mark.parametrize(
    "pair",
    [
        ("Why we pump", "What you need to know before you buy one"),
        ("¿Qué dice la ley?", "Para qué sirve la bomba"),
        ("“It never stops”: our test of twelve pumps", "We tried them all"),
        ("1800 hours of work", "Then it stops"),
    ],
)
def test_lines_that_are_no_sentence_part_paragraphs_of_one_line(pair: tuple[str, str]) -> None:
    """Two are enough, and they may have a verb: all other lines end the way paragraphs do."""
    assert titles(web(*pair)) == list(pair)


def test_a_title_may_follow_another() -> None:
    text = web("Care of the pump", "In winter", "In summer")
    both = text.replace("In winter\n", "All year\nIn winter\n")
    assert titles(both) == ["Care of the pump", "All year", "In winter", "In summer"]


def test_a_long_line_is_a_paragraph_though_it_lacks_a_full_stop() -> None:
    text = web("Why we pump", "What you need").replace(f"{MORE}\nWhat", f"{MORE[:-1]}\nWhat")
    assert titles(text) == ["Why we pump", "What you need"]


def test_a_title_may_stand_above_a_list_or_below_one() -> None:
    text = web("What you need", "How to begin")
    listed = text.replace("What you need\n", "What you need\n- a pump\n- a pipe\n")
    assert titles(listed) == ["What you need", "How to begin"]
    ended = text.replace("How to begin\n", "- a pump\n- a pipe\nHow to begin\n")
    assert titles(ended) == ["What you need", "How to begin"]


@pytest.mark.parametrize(
    "line",
    [
        "and then it stops",
        "You need these:",
        "The pump stops.",
        "He said “it stops.”",
        "Price: 12 dollars",
        "© 2024 Pumps",
        "https://example.org/pumps",
        "See http://example.org/pumps",
        "| pump | 12 |",
        "Pump | Litres",
        "Warning (hot)",
        "Table 3 Sizes of pumps",
        "What stands below the",
        f"Some words that nobody ended, and that are too many for a title{' of a page' * 6}",
    ],
)
def test_other_short_lines_are_no_titles(line: str) -> None:
    found = titles(web("Why we pump", line, "What you need"))
    assert found == ["Why we pump", "What you need"]


def test_a_line_below_short_lines_that_are_no_titles_is_the_last_of_a_list() -> None:
    books = ("Old Pumps ; London , 1918", "New Pumps ; London , 1925", "All Pumps ; Leeds , 1936")
    text = web("Why we pump", "What you need") + "\n".join([*books, SAID, MORE])
    assert titles(text) == ["Why we pump", "What you need"]


def test_lines_of_two_columns_are_no_paragraphs() -> None:
    """PDF converters write both columns on one line, which may end anywhere."""
    words = f"{SAID} {MORE}".replace(".", "").split()
    wide = [" ".join(words[at : at + 36]) for at in range(0, 30, 3)]
    text = "\n".join(f"{line}\n{line}\nWhy we pump {at}" for at, line in enumerate(wide))
    assert titles(text) == []


def test_no_title_stands_in_a_fence_or_above_code() -> None:
    text = web("Why we pump", "What you need")
    fenced = text.replace("What you need\n", f"```\nA comment\n{SAID}\n```\nWhat you need\n")
    assert titles(fenced) == ["Why we pump", "What you need"]
    code = f"pump(tank); {'fill(tank, well); ' * 9}stop(pump);"
    assert titles(text.replace("What", f"The pump\n{code}\n{SAID}\nWhat")) == [
        "Why we pump",
        "What you need",
    ]


def test_a_few_blank_lines_part_no_paragraphs_that_take_a_line_each() -> None:
    """Empty elements of the page become blank lines."""
    text = web("Why we pump", "What you need", "How to begin")
    assert titles(text.replace(f"{MORE}\nHow", f"{MORE}\n\u00a0\nHow")) == titles(text)


@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
def test_line_ends_make_no_difference(line_end: str) -> None:
    text = web("Why we pump", "What you need")
    assert titles(text.replace("\n", line_end)) == ["Why we pump", "What you need"]


def test_plain_text_has_the_same_titles() -> None:
    text = web("Why we pump", "What you need")
    found = parse(Source(text, "pump.txt")).root.walk()
    assert [each.heading.text for each in found if each.heading] == titles(text)


def page(*found: str) -> str:
    """Return the text of all elements of a page, with its menus and irregular blank lines."""
    menu = "".join(f"{word}\n{chr(10) * (at % 4)}" for at, word in enumerate(MENU * 3))
    body = "".join(f"\n{title}\n{SAID}\n\n\n{MORE}\n\n" for title in found)
    return f"\n\n\n{menu}\n\n\n{SAID}\n{body}\n\n\n{menu}"


MENU = (
    *("Home", "Pumps", "Tanks", "About us", "Search", "Menu", "Log in", "Cart", "Help", "News"),
    *(
        f"{what} for {whom}"
        for what in ("Pumps", "Pipes")
        for whom in ("gardens", "farms", "ships")
    ),
)


def test_titles_between_long_lines_are_found_wherever_blank_lines_are() -> None:
    found = titles(page("Why we pump", "What you need", "How to begin"))
    assert [title for title in found if title not in MENU] == [
        "Why we pump",
        "What you need",
        "How to begin",
    ]


def test_bold_titles_leave_no_lines_without_a_mark() -> None:
    """If the titles of a text have markup, lines without it are not titles."""
    bold = "".join(f"**{title}**\n\n{SAID}\n\n{MORE}\n\n" for title in ("Parts", "Use", "Care"))
    lines = "".join(f"{line}\n{SAID}\n\n" for line in ("Leeds, in May", "See the plate"))
    assert titles(bold + lines) == ["Parts", "Use", "Care"]


def test_what_marks_a_title_is_not_forgotten_where_blank_lines_come_by_chance() -> None:
    """Levels depend on it."""
    text = "".join(f"**{title}**\n\n{SAID}\n\n{MORE}\n\n" for title in ("Parts", "Care"))
    found = [each.heading for each in parse(text).root.walk() if each.heading]
    assert [heading.evidence for heading in found] == ["bold", "bold"]


def test_signs_of_east_asia_take_two_columns() -> None:
    """A paragraph has half as many characters, and its full stop is a character of its own."""
    said = "水泵把水从井里抽到屋顶上的水箱里，水箱里的浮子升起以后水泵就停下来。" * 3
    text = "".join(f"{title}\n{said}\n{said}\n" for title in ("安装水泵", "冬天的保养"))
    found = parse(f"{said}\n{text}")
    assert found.is_plain
    assert titles(f"{said}\n{text}") == ["安装水泵", "冬天的保养"]
