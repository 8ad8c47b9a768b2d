"""Which levels titles without markup get, and what determines them."""

import pytest

from treepack import parse

BODY = (
    "The pump moves water from the lower tank to the upper one, and stops by itself when that\n"
    "tank is full. Nobody has to watch it, although somebody should look at the filter each week.\n"
)


def section_depths(text: str, name: str = "") -> list[tuple[int, str]]:
    """Return the depth and title of each section."""
    found: list[tuple[int, str]] = []
    waiting = [(0, parse(text, name=name).root)]
    while waiting:
        depth, section = waiting.pop()
        if section.heading:
            found.append((depth, section.heading.text))
        waiting += [(depth + 1, child) for child in reversed(section.sections)]
    return found


def titles_above_text(*titles: str) -> str:
    """Return a text of titles, each over a paragraph."""
    return "".join(f"{title}\n\n{BODY}\n" for title in titles)


# -------------------------------------------------------------------- titles that look alike


def test_a_repeated_title_is_a_subsection_of_each_section() -> None:
    titles = ["The Pump", "Inlet", "Example", "Outlet", "Example", "Filter"]
    assert section_depths(titles_above_text(*(f"**{title}**" for title in titles))) == [
        *((1, "The Pump"), (2, "Inlet"), (3, "Example"), (2, "Outlet"), (3, "Example")),
        (2, "Filter"),
    ]


def test_a_title_that_extends_the_title_of_its_section_is_a_subsection() -> None:
    titles = ["The Pump", "Filters", "Coarse filter", "Fine filter", "Valves", "Tank"]
    assert section_depths(titles_above_text(*(f"**{title}**" for title in titles))) == [
        *((1, "The Pump"), (2, "Filters"), (3, "Coarse filter"), (3, "Fine filter")),
        *((2, "Valves"), (2, "Tank")),
    ]


# -------------------------------------------------------------------- numbers around a title


def test_an_unnumbered_title_has_the_level_of_the_next_number() -> None:
    text = titles_above_text("1. Scope", "1.1. Tanks", "References", "1.2. Pumps", "2. Use")
    assert section_depths(text) == [
        *((1, "1. Scope"), (2, "1.1. Tanks"), (2, "References"), (2, "1.2. Pumps")),
        (1, "2. Use"),
    ]


def test_section_numbers_that_restart_in_few_chapters_are_not_titles() -> None:
    titles = [f"Chapter {n}" for n in range(1, 7)]
    titles[4:4] = ["Section 1", "Section 2"]
    titles[2:2] = ["Section 1", "Section 2"]
    assert section_depths(titles_above_text(*titles)) == [(1, f"Chapter {n}") for n in range(1, 7)]


# -------------------------------------------------------------------- tables of contents

DOTS = " . . . . . . . . . . . . . . "


@pytest.mark.parametrize("dots", [DOTS, " ............ "])
def test_contents_entries_without_dots_have_a_higher_level_if_nothing_is_indented(
    dots: str,
) -> None:
    """The text of a PDF keeps the dots and loses the indentation."""
    titles = [("Pumping", 1), ("Inlet", 2), ("Outlet", 2), ("Washing", 1), ("Filters", 2)]
    entries = "".join(
        f"{title}{dots if depth > 1 else ' '}{page}\n"
        for page, (title, depth) in enumerate(titles, 3)
    )
    text = f"Contents\n{entries}" + "".join(f"{title}\n{BODY}" for title, _ in titles)
    assert section_depths(text)[1:] == [(depth, title) for title, depth in titles]


def test_a_chapter_number_missing_from_the_contents_is_not_a_title() -> None:
    """A licence in an appendix continues the numbers of the chapters."""
    named = ["1 Scope", "2 Parts", "3 Use", "Appendix A Terms"]
    entries = "".join(f"{title} ........ {page}\n" for page, title in enumerate(named, 3))
    text = f"Contents\n\n{entries}\n" + titles_above_text(
        *named, "4 Copies", "5 Warranty", "6 Ending"
    )
    assert [title for _, title in section_depths(text)][1:] == named


# -------------------------------------------------------------------- titles that are set apart


def centred(title: str) -> str:
    return title.center(76).rstrip()


def test_centred_lines_are_titles_if_one_of_them_is_a_common_title() -> None:
    lines = ["WATER LICENCE", "Preamble", "RIGHTS OF USE", "How to Ask for Water"]
    assert section_depths(titles_above_text(*map(centred, lines))) == [
        *((1, "WATER LICENCE"), (2, "Preamble"), (2, "RIGHTS OF USE")),
        (2, "How to Ask for Water"),
    ]


def test_centred_lines_are_not_all_titles_without_a_common_title() -> None:
    lines = ["WATER LICENCE", "Springfield", "June the Second", "Adams and Others"]
    assert "Adams and Others" not in {
        title for _, title in section_depths(titles_above_text(*map(centred, lines)))
    }


def test_a_centred_title_in_capitals_continues_on_a_second_line_in_capitals() -> None:
    text = titles_above_text(
        centred("Preamble"),
        f"{centred('WATER LICENCE')}\n{centred('TERMS FOR TAKING AND GIVING')}",
        f"{centred('NO WARRANTY')}\n{centred('Second Edition')}",
    )
    assert [title for _, title in section_depths(text)] == [
        *("Preamble", "WATER LICENCE TERMS FOR TAKING AND GIVING", "NO WARRANTY")
    ]


def test_a_line_atop_only_two_nonadjacent_pages_is_not_page_furniture() -> None:
    def furniture(*headers: str) -> int:
        pages = [
            f"{header}\nWater {liquid} comes in.\nSome {liquid} stays.\n"
            f"Then {liquid} goes out again.\nNobody likes {liquid}.\nMost {liquid} is cold."
            for header, liquid in zip(
                headers, ["wine", "beer", "milk", "juice", "tea"], strict=True
            )
        ]
        skipped = parse("\f".join(pages)).skipped
        return sum(reason == "page furniture" for *_, reason in skipped)

    title = "WATER LICENCE"
    assert furniture(title, "The wine is good.", title, "The tea is good.", "It is over.") == 0
    assert furniture("So it begins.", title, title, "The tea is good.", "It is over.") > 0
    assert furniture(title, "The wine is good.", title, "The tea is good.", title) > 0


# -------------------------------------------------------------------- named texts


def test_titles_have_the_level_of_headings_with_as_many_number_components() -> None:
    """Without a marked 3, the marked 2.2 shows the level of 3.1."""
    body = "The pump stands on a level floor and runs by day, as long as the tank is full.\n\n"
    titles = ["Scope", "Limits", "Care", "Repair", "Storage", "Transport", "Disposal", "Parts"]
    found = [f"3.{n} {title}" for n, title in enumerate(titles, 1)]
    marked = f"# Pump\n\n{body}### 2.1 Heat\n\n{body}### 2.2 Noise\n\n{body}"
    text = marked + "".join(f"{title}\n\n{body}" for title in found)
    levels = {s.heading.text: s.heading.level for s in parse(text).root.walk() if s.heading}
    assert levels == {"Pump": 1, "2.1 Heat": 3, "2.2 Noise": 3, **dict.fromkeys(found, 3)}
