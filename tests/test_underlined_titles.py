"""Titles that are underlined with punctuation or marked up in formats other than markdown."""

from pathlib import Path

import pytest
from audits import findings_in

from treepack import Source, pack, parse

PROSE = "The pump stands on a level floor, and each of its feet takes one bolt of steel."


def outline(text: str, name: str = "d.txt") -> list[tuple[int, str]]:
    """Return the level and title of each heading."""
    return [(level, title) for level, title, _ in headings(text, name)]


def headings(text: str, name: str = "d.txt") -> list[tuple[int, str, str]]:
    found = [each.heading for each in parse(Source(text, name)).root.walk() if each.heading]
    return [(heading.level, heading.text, heading.evidence) for heading in found]


def underlined(*titles: tuple[str, str]) -> str:
    """Return titles, each underlined in its length with its character, over paragraphs."""
    return "".join(
        f"{title}\n{character * len(title)}\n\n{PROSE}\n\n" for title, character in titles
    )


def titles_with_text(*lines: str) -> str:
    """Return the lines with a paragraph below each."""
    return "".join(f"{line}\n\n{PROSE}\n\n" for line in lines)


# -------------------------------------------------------------------- underlines


def test_underline_characters_get_levels_in_order_of_appearance() -> None:
    text = underlined(
        ("Guide", "="), ("Mounting", "~"), ("Bolts", "^"), ("Nuts", "^"), ("Use", "~")
    )
    assert [*outline(text)] == [
        (1, "Guide"),
        (2, "Mounting"),
        (3, "Bolts"),
        (3, "Nuts"),
        (2, "Use"),
    ]
    assert {evidence for *_, evidence in headings(text)} == {"underline"}


@pytest.mark.parametrize("margin", ["", " "])
def test_an_overline_is_part_of_the_title_and_makes_a_separate_level(
    margin: str,
) -> None:
    rule = "=" * (len("Guide") + 2 * len(margin))
    text = f"{rule}\n{margin}Guide\n{rule}\n\n" + underlined(
        ("Mounting", "="), ("Bolts", "-"), ("Running", "=")
    )
    assert outline(text) == [(1, "Guide"), (2, "Mounting"), (3, "Bolts"), (2, "Running")]
    document = parse(Source(text, "d.txt"))
    (guide,) = document.root.sections
    assert guide.heading is not None
    assert text[guide.heading.start : guide.heading.end] == f"{rule}\n{margin}Guide\n{rule}"


def test_repeated_titles_are_found_if_their_underlines_fit() -> None:
    versions = [(f"Version {number}", "=") for number in range(9)]
    text = underlined(*[each for one in versions for each in (one, ("Bug fixes", "-"))])
    wanted = [each for title, _ in versions for each in ((1, title), (2, "Bug fixes"))]
    assert outline(text) == wanted


def test_a_single_underline_must_be_as_long_as_its_title() -> None:
    assert outline(underlined(("Mounting", "-"))) == [(1, "Mounting")]
    assert outline(f"Mounting\n-----------\n\n{PROSE}\n") == []


def test_numbers_determine_levels_if_all_titles_have_the_same_underline() -> None:
    text = underlined(("1. Pumps", "-"), ("1.1 Feet", "-"), ("1.2 Bolts", "-"), ("2. Tanks", "-"))
    assert [level for level, _ in outline(text)] == [1, 2, 2, 1]


def test_titles_with_code_roles_and_versions_keep_their_text() -> None:
    titles = [("``--speed``", "-"), (":mod:`pump` -- runs pumps", "-"), ("3.0.1 (2024-05-06)", "-")]
    assert [title for _, title in outline(underlined(*titles))] == [title for title, _ in titles]


@pytest.mark.parametrize("mark", ["-- ", "## ", "* ", "// ", "; "])
def test_a_framed_comment_is_not_a_title(mark: str) -> None:
    rule = "-" * len(f"{mark}erf: error function")
    frames = [f"{rule}\n{mark}erf: error function\n{rule}\n\nerf0001 erf 0.0 -> 0.0\n\n"] * 3
    assert outline("".join(frames)) == []


def test_an_indented_underlined_line_is_an_example_not_a_title() -> None:
    example = "    Example\n    =======\n\n    Its text.\n\n    Another\n    -----------\n\n"
    text = underlined(("Pumps", "="), ("Tanks", "="), ("Filters", "=")) + example
    assert [title for _, title in outline(text)] == ["Pumps", "Tanks", "Filters"]


# -------------------------------------------------------------------- markup


# -------------------------------------------------------------------- which texts are plain

RST = """\
Pumps
=====

Read :doc:`mounting` and :ref:`bolts` first, *then* **start** it; see `the shop`_ too.

.. _bolts:

Bolts
~~~~~

Each takes ``one`` bolt of ``steel``, **never** of brass.

.. note:: It is heavy.

Nuts
~~~~

Take ``two`` of them, see :ref:`bolts`.

.. _the shop: https://example.com
"""


@pytest.mark.parametrize("name", ["d.txt", "d.rst"])
def test_restructuredtext_is_plain_despite_emphasis_and_code(name: str) -> None:
    document = parse(Source(RST, name))
    assert document.markup == "plain"
    assert outline(RST, name) == [(1, "Pumps"), (2, "Bolts"), (2, "Nuts")]


def test_rst_and_asciidoc_files_are_read_as_plain_text(tmp_path: Path) -> None:
    for suffix in ("rst", "adoc"):
        path = tmp_path / f"guide.{suffix}"
        path.write_text(underlined(("Guide", "="), ("Bolts", "-"), ("Nuts", "-")))
        chunks = pack(path, max_tokens=48, target_tokens=32, min_tokens=8)
        assert chunks[-1].breadcrumb == (path.name, "Guide", "Nuts")


# -------------------------------------------------------------------- packing


@pytest.mark.parametrize("cap", [32, 64, 256])
def test_texts_with_underlined_titles_keep_all_laws(cap: int) -> None:
    rule = "=" * len("Pump guide")
    text = f"{rule}\nPump guide\n{rule}\n\n{PROSE}\n\n"
    text += underlined(("Mounting", "="), ("Bolts", "-"), ("Running", "="))
    text += titles_with_text("== Care ==", "=== Oil ===")
    chunks = pack(Source(text, "d.txt"), max_tokens=cap, target_tokens=cap // 2, min_tokens=8)
    assert findings_in(chunks) == ()
