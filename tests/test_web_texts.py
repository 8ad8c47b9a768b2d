"""Titles in text extracted from web pages: a line for each paragraph, and no blank lines."""

import pytest
from extracted_texts import PARAGRAPH, titles

from treepack import Source, parse

OTHER_PARAGRAPH = (
    "Whoever mounts it should first read what the maker says of the ground below, for a pump that"
    " stands on sand begins to shake after some weeks. A plate of stone is enough."
)


def web_text(*found: str) -> str:
    """Return paragraphs of one line each, with a title before each two."""
    return f"{PARAGRAPH}\n" + "".join(
        f"{title}\n{PARAGRAPH}\n{OTHER_PARAGRAPH}\n" for title in found
    )


@pytest.mark.parametrize(
    "pair",
    [
        ("Why we pump", "What you need to know before you buy one"),
        ("¿Qué dice la ley?", "Para qué sirve la bomba"),
        ("“It never stops”: our test of twelve pumps", "We tried them all"),
        ("1800 hours of work", "Then it stops"),
    ],
)
def test_lines_that_are_not_sentences_are_titles_between_one_line_paragraphs(
    pair: tuple[str, str],
) -> None:
    """Two are enough, and they may have a verb: all other lines end the way paragraphs do."""
    assert titles(web_text(*pair)) == list(pair)


def test_a_title_may_follow_another() -> None:
    text = web_text("Care of the pump", "In winter", "In summer")
    both = text.replace("In winter\n", "All year\nIn winter\n")
    assert titles(both) == ["Care of the pump", "All year", "In winter", "In summer"]


def test_a_long_line_is_a_paragraph_even_without_a_full_stop() -> None:
    text = web_text("Why we pump", "What you need").replace(
        f"{OTHER_PARAGRAPH}\nWhat", f"{OTHER_PARAGRAPH[:-1]}\nWhat"
    )
    assert titles(text) == ["Why we pump", "What you need"]


def test_a_title_may_precede_or_follow_a_list() -> None:
    text = web_text("What you need", "How to begin")
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
def test_other_short_lines_are_not_titles(line: str) -> None:
    found = titles(web_text("Why we pump", line, "What you need"))
    assert found == ["Why we pump", "What you need"]


def test_the_last_line_of_a_list_of_short_lines_is_not_a_title() -> None:
    books = ("Old Pumps ; London , 1918", "New Pumps ; London , 1925", "All Pumps ; Leeds , 1936")
    text = web_text("Why we pump", "What you need") + "\n".join(
        [*books, PARAGRAPH, OTHER_PARAGRAPH]
    )
    assert titles(text) == ["Why we pump", "What you need"]


def test_two_column_text_has_no_titles() -> None:
    """PDF converters write both columns on one line, which may end anywhere."""
    words = f"{PARAGRAPH} {OTHER_PARAGRAPH}".replace(".", "").split()
    wide = [" ".join(words[at : at + 36]) for at in range(0, 30, 3)]
    text = "\n".join(f"{line}\n{line}\nWhy we pump {at}" for at, line in enumerate(wide))
    assert titles(text) == []


def test_lines_in_a_fence_or_above_code_are_not_titles() -> None:
    text = web_text("Why we pump", "What you need")
    fenced = text.replace("What you need\n", f"```\nA comment\n{PARAGRAPH}\n```\nWhat you need\n")
    assert titles(fenced) == ["Why we pump", "What you need"]
    code = f"pump(tank); {'fill(tank, well); ' * 9}stop(pump);"
    assert titles(text.replace("What", f"The pump\n{code}\n{PARAGRAPH}\nWhat")) == [
        "Why we pump",
        "What you need",
    ]


def test_a_few_blank_lines_do_not_change_the_titles() -> None:
    """Empty elements of the page become blank lines."""
    text = web_text("Why we pump", "What you need", "How to begin")
    assert titles(
        text.replace(f"{OTHER_PARAGRAPH}\nHow", f"{OTHER_PARAGRAPH}\n\u00a0\nHow")
    ) == titles(text)


@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
def test_line_ends_make_no_difference(line_end: str) -> None:
    text = web_text("Why we pump", "What you need")
    assert titles(text.replace("\n", line_end)) == ["Why we pump", "What you need"]


def test_a_text_file_has_the_same_titles() -> None:
    text = web_text("Why we pump", "What you need")
    found = parse(Source(text, "pump.txt")).root.walk()
    assert [each.heading.text for each in found if each.heading] == titles(text)


def web_page(*found: str) -> str:
    """Return the text of all elements of a page, with its menus and irregular blank lines."""
    menu = "".join(f"{word}\n{chr(10) * (at % 4)}" for at, word in enumerate(MENU * 3))
    body = "".join(f"\n{title}\n{PARAGRAPH}\n\n\n{OTHER_PARAGRAPH}\n\n" for title in found)
    return f"\n\n\n{menu}\n\n\n{PARAGRAPH}\n{body}\n\n\n{menu}"


MENU = (
    *("Home", "Pumps", "Tanks", "About us", "Search", "Menu", "Log in", "Cart", "Help", "News"),
    *(
        f"{what} for {whom}"
        for what in ("Pumps", "Pipes")
        for whom in ("gardens", "farms", "ships")
    ),
)


def test_titles_are_found_despite_irregular_blank_lines() -> None:
    found = titles(web_page("Why we pump", "What you need", "How to begin"))
    assert [title for title in found if title not in MENU] == [
        "Why we pump",
        "What you need",
        "How to begin",
    ]


def test_unmarked_lines_are_not_titles_among_bold_titles() -> None:
    """If the titles of a text have markup, lines without it are not titles."""
    bold = "".join(
        f"**{title}**\n\n{PARAGRAPH}\n\n{OTHER_PARAGRAPH}\n\n" for title in ("Parts", "Use", "Care")
    )
    lines = "".join(f"{line}\n{PARAGRAPH}\n\n" for line in ("Leeds, in May", "See the plate"))
    assert titles(bold + lines) == ["Parts", "Use", "Care"]


def test_bold_titles_keep_bold_as_their_evidence() -> None:
    """Levels depend on it."""
    text = "".join(
        f"**{title}**\n\n{PARAGRAPH}\n\n{OTHER_PARAGRAPH}\n\n" for title in ("Parts", "Care")
    )
    found = [each.heading for each in parse(text).root.walk() if each.heading]
    assert [heading.evidence for heading in found] == ["bold", "bold"]


def test_east_asian_characters_count_as_two_columns() -> None:
    """A paragraph has half as many characters, and its full stop is a character of its own."""
    paragraph = "水泵把水从井里抽到屋顶上的水箱里，水箱里的浮子升起以后水泵就停下来。" * 3
    text = "".join(f"{title}\n{paragraph}\n{paragraph}\n" for title in ("安装水泵", "冬天的保养"))
    assert titles(f"{paragraph}\n{text}") == ["安装水泵", "冬天的保养"]
