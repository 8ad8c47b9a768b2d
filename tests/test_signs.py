"""Titles that are underlined with punctuation or marked up in formats other than markdown."""

from pathlib import Path

import pytest

from treepack import Source, pack, parse

SAID = "The pump stands on a level floor, and each of its feet takes one bolt of steel."


def outline(text: str, name: str = "d.txt") -> list[tuple[int, str]]:
    """Return the level and title of each heading."""
    return [(level, title) for level, title, _ in headings(text, name)]


def headings(text: str, name: str = "d.txt") -> list[tuple[int, str, str]]:
    found = [each.heading for each in parse(Source(text, name)).root.walk() if each.heading]
    return [(heading.level, heading.text, heading.evidence) for heading in found]


def underlined(*titles: tuple[str, str]) -> str:
    """Return titles, each underlined in its length with its character, over paragraphs."""
    return "".join(f"{title}\n{sign * len(title)}\n\n{SAID}\n\n" for title, sign in titles)


def titled(*lines: str) -> str:
    """Return the lines with a paragraph below each."""
    return "".join(f"{line}\n\n{SAID}\n\n" for line in lines)


# -------------------------------------------------------------------- underlines


def test_each_sign_that_underlines_stands_for_a_level_in_the_order_of_their_coming() -> None:
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


def test_what_has_the_sign_of_the_first_title_stands_beside_it() -> None:
    text = underlined(("Mounting", "="), ("Bolts", "-"), ("Running", "="))
    assert outline(text) == [(1, "Mounting"), (2, "Bolts"), (1, "Running")]


@pytest.mark.parametrize("margin", ["", " "])
def test_a_line_of_signs_above_a_title_as_well_is_part_of_it_and_makes_another_sign(
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


def test_a_break_of_markdown_above_a_title_is_no_part_of_it() -> None:
    text = "".join(
        f"*********\nArticle {n}\n*********\n\n{SAID}\n\n{SAID}\n\n" for n in range(1, 6)
    )
    chunks = pack(Source(text, "d.md"), max_tokens=64, target_tokens=48, min_tokens=8)
    assert chunks[-1].breadcrumb == ("d.md", "Article 5")
    assert chunks.audit().findings == ()


def test_titles_that_come_again_in_each_section_are_found_if_their_lines_fit() -> None:
    versions = [(f"Version {number}", "=") for number in range(9)]
    text = underlined(*[each for one in versions for each in (one, ("Bug fixes", "-"))])
    wanted = [each for title, _ in versions for each in ((1, title), (2, "Bug fixes"))]
    assert outline(text) == wanted


def test_one_line_of_signs_is_enough_if_it_is_as_long_as_its_title() -> None:
    assert outline(underlined(("Mounting", "-"))) == [(1, "Mounting")]
    assert outline(f"Mounting\n-----------\n\n{SAID}\n") == []


def test_signs_tell_the_levels_of_numbered_titles_too() -> None:
    """By number they would rank above the document's title, and the title after them below."""
    text = underlined(
        ("Settings", "="), ("Where they are", "-"), ("1. In a file", "~"), ("2. In a command", "~")
    )
    text += underlined(("3. In the code", "~"), ("How they are read", "-"))
    assert [level for level, _ in outline(text)] == [1, 2, 3, 3, 3, 2]


def test_numbers_tell_the_levels_where_one_sign_underlines_all_of_them() -> None:
    text = underlined(("1. Pumps", "-"), ("1.1 Feet", "-"), ("1.2 Bolts", "-"), ("2. Tanks", "-"))
    assert [level for level, _ in outline(text)] == [1, 2, 2, 1]


def test_titles_of_code_and_roles_are_found_as_they_are_written() -> None:
    titles = [("``--speed``", "-"), (":mod:`pump` -- runs pumps", "-"), ("3.0.1 (2024-05-06)", "-")]
    assert [title for _, title in outline(underlined(*titles))] == [title for title, _ in titles]


def test_the_anchor_of_a_title_may_stand_right_above_it() -> None:
    text = "".join(
        f"[[{title}]]\n{underlined((title, '-'))}" for title in ("Feet", "Bolts", "Nuts")
    )
    assert [title for _, title in outline(text)] == ["Feet", "Bolts", "Nuts"]


def test_lone_lines_are_no_titles_where_titles_are_underlined() -> None:
    """Dates below the titles of a changelog are an example."""
    parts = [
        underlined((f"Version {number}", "-")).replace(
            SAID, f"Released on {number} May\n\n{SAID}\n\n{SAID}\n\n{SAID}"
        )
        for number in range(6)
    ]
    assert [title for _, title in outline("".join(parts))] == [f"Version {n}" for n in range(6)]


@pytest.mark.parametrize("mark", ["-- ", "## ", "* ", "// ", "; "])
def test_a_comment_in_a_frame_is_no_title(mark: str) -> None:
    rule = "-" * len(f"{mark}erf: error function")
    frames = [f"{rule}\n{mark}erf: error function\n{rule}\n\nerf0001 erf 0.0 -> 0.0\n\n"] * 3
    assert outline("".join(frames)) == []


def test_what_is_set_in_is_an_example_of_a_title() -> None:
    example = "    Example\n    =======\n\n    Its text.\n\n    Another\n    -----------\n\n"
    text = underlined(("Pumps", "="), ("Tanks", "="), ("Filters", "=")) + example
    assert [title for _, title in outline(text)] == ["Pumps", "Tanks", "Filters"]


def test_notes_right_above_their_texts_are_no_titles_where_titles_are_underlined() -> None:
    titles = [(name, "-") for name in ("Pumps", "Tanks", "Pipes")]
    notes = [f"A note on {part}\n{SAID}\n\n{SAID}\n\n{SAID}\n\n" for part in ("oil", "rust", "air")]
    text = underlined(*titles) + "".join(notes)
    assert [title for _, title in outline(text)] == [title for title, _ in titles]


def test_lines_of_signs_of_other_lengths_must_stand_below_different_titles() -> None:
    """The same words again and again are a table's header, even if one underline fits."""
    table = f"Results\n-----------\n\n{SAID}\n\n"
    assert outline(table * 5 + table.replace("-----------", "-------")) == []
    titles = "".join(table.replace("Results", name) for name in ("Results", "Methods", "Sources"))
    assert len(outline(titles)) == 3


def test_where_titles_are_underlined_one_line_of_another_length_and_sign_is_enough() -> None:
    text = underlined(("Feet", "-"), ("Bolts", "-"), ("Nuts", "-"))
    assert (2, "Pumps") in outline(f"{text}Pumps\n=========\n\n{SAID}\n")


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("$ pump --speed 3 --now", "-----------------------"),
        ("$ pump --speed 3 --now", "----------------------"),
        ("pump the water now and then stop", "----------------------------"),
    ],
)
def test_a_command_between_two_lines_is_a_listing(line: str, rule: str) -> None:
    words = ("pump", "tank", "pipe")
    listings = [f"{rule}\n{line.replace('pump', word)}\n{rule}\n\n" for word in words]
    titles = [underlined((name, "-")) for name in ("NAME", "SYNOPSIS", "OPTIONS")]
    text = "".join(title + listing for title, listing in zip(titles, listings, strict=True))
    assert [title for _, title in outline(text)] == ["NAME", "SYNOPSIS", "OPTIONS"]


# -------------------------------------------------------------------- markup


@pytest.mark.parametrize("name", ["", "d.txt", "d.adoc", "d.md"])
def test_what_wikis_and_asciidoc_mark_is_a_title(name: str) -> None:
    asciidoc = titled("= Pumps", "== Mounting", "=== Bolts", "== Running")
    assert outline(asciidoc, name) == [(1, "Pumps"), (2, "Mounting"), (3, "Bolts"), (2, "Running")]
    wiki = (
        SAID + "\n\n" + titled("== Mounting ==", "==== Bolts ====", "=== Nuts ===", "==Running==")
    )
    assert outline(wiki, name) == [(1, "Mounting"), (3, "Bolts"), (2, "Nuts"), (1, "Running")]
    assert {evidence for *_, evidence in headings(wiki, name)} == {"markup"}


def test_where_the_longest_mark_comes_first_it_is_the_highest() -> None:
    """The readme files of plugins are written this way."""
    text = titled("=== Pumps ===", "== Changes ==", "= 1.1 =", "= 1.0 =", "== Questions ==")
    assert [level for level, _ in outline(text)] == [1, 2, 3, 3, 2]


def test_one_mark_is_that_of_a_title_on_the_first_line_or_with_another_behind_it() -> None:
    assert outline(titled("= Pumps")) == [(1, "Pumps")]
    assert outline(SAID + "\n\n" + titled("== History ==")) == [(1, "History")]
    assert outline(SAID + "\n\n" + titled("== 3")) == []


@pytest.mark.parametrize("rule", ["----", "....", "```"])
def test_marks_in_a_listing_are_no_titles(rule: str) -> None:
    listing = (
        f".Code\n{rule}\n= Title\n\n== Inner\n\ncode\n{rule}\n\nRun:\n{rule}\n== More\n{rule}\n\n"
    )
    text = titled("= Pumps", "== Mounting") + listing + titled("== Running") + listing
    assert [title for _, title in outline(text, "d.adoc")] == ["Pumps", "Mounting", "Running"]


def test_a_listing_may_stand_right_below_a_marked_title() -> None:
    text = titled("= Pumps") + f"== Code\n----\n== Inner\n----\n\n{SAID}\n\n" + titled("== Care")
    assert [title for _, title in outline(text, "d.adoc")] == ["Pumps", "Code", "Care"]


def test_one_sign_of_equality_marks_only_where_the_document_begins_so() -> None:
    assert outline(f"// By Ada\n= Pumps\n\n{SAID}\n\n= Tanks\n\n{SAID}\n") == [
        (1, "Pumps"),
        (1, "Tanks"),
    ]
    assert outline(f"{SAID}\n\n= 5 bar\n\n{SAID}\n\n= 6 bar\n\n{SAID}\n") == []
    assert outline(f"{SAID}\n\n  == Pumps ==\n\n{SAID}\n") == []


def test_a_rule_without_another_one_begins_no_listing() -> None:
    text = titled("= Pumps", "== Mounting", "----", "== Running", ".....", "== Care")
    assert [title for _, title in outline(text)] == ["Pumps", "Mounting", "Running", "Care"]


def test_the_commands_of_latex_are_titles_on_their_levels() -> None:
    text = titled(
        r"\section{Mounting}\label{sec:mount}",
        r"\subsection*{Bolts}",
        r"\subsubsection[short]{Bolts of \emph{steel}} % the long ones",
        r"\section{Running}",
    )
    for name in ("d.tex", "d.txt", ""):
        assert outline(text, name) == [
            (1, "Mounting"),
            (2, "Bolts"),
            (3, r"Bolts of \emph{steel}"),
            (1, "Running"),
        ]
    part = f"{SAID}\n\n" + titled(r"\subsection{Bolts}", r"\section{Use}", r"\subsection{Oil}")
    assert outline(part) == [(2, "Bolts"), (1, "Use"), (2, "Oil")]
    assert outline(f"{SAID}\n\n" + titled(r"\section{Bolts}")) == [(1, "Bolts")]
    assert outline(f"See \\section{{x}}.\n\n\\section{{Pumps}} are these.\n\n{SAID}\n") == []


def test_the_caption_of_a_listing_is_no_title() -> None:
    listing = ".Example\n--------\npump now\n--------\n\n"
    text = underlined(("Feet", "="), ("Bolts", "="), ("Nuts", "=")) + listing + SAID
    assert [title for _, title in outline(text)] == ["Feet", "Bolts", "Nuts"]


@pytest.mark.parametrize("said", ["-----", "!!!!!", "* a point", "word " * 60])
def test_a_mark_before_no_words_or_too_many_is_none(said: str) -> None:
    text = titled("== Feet", f"== {said}".rstrip(), "== Bolts")
    assert [title for _, title in outline(text)] == ["Feet", "Bolts"]
    chunks = pack(Source(text, "d.txt"), max_tokens=96, target_tokens=48, min_tokens=8)
    assert chunks.audit().findings == ()


def test_marks_are_examples_where_titles_have_numbers_instead() -> None:
    """A manual of LaTeX is an example."""
    numbers = titled("1 Start", "1.1 Files", "1.2 Runs", "2 Text", "2.1 Words", "2.2 Lines")
    text = numbers + titled(r"\section{Bolts}", r"\section{Nuts}")
    assert [title for _, title in outline(text) if title[0].isalpha()] == []


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


@pytest.mark.parametrize("name", ["", "d.txt", "d.rst"])
def test_restructuredtext_is_plain_though_it_has_emphasis_and_code(name: str) -> None:
    document = parse(Source(RST, name))
    assert document.markup == "plain"
    assert outline(RST, name) == [(1, "Pumps"), (2, "Bolts"), (2, "Nuts")]


def test_a_text_with_headings_and_a_fence_of_tildes_is_markdown() -> None:
    text = "# Pumps\n\nRun:\n\n~~~~\npump **now** `x`\n~~~~\n\n## Care\n\nUse `oil` and **rags**.\n"
    assert parse(text).markup == "markdown"


def test_a_fence_is_no_underline_of_a_line_of_another_length() -> None:
    text = "Use `oil`, see:\n~~~~\npump now\n~~~~\n\n" * 3
    assert parse(Source(text, "d.txt")).markup == "markdown"


@pytest.mark.parametrize("name", ["", "d.txt"])
@pytest.mark.parametrize(
    "sign",
    [".. note:: It is **hot**.", "== Use of `oil` ==", r"\section{Oil}", "Use of oil\n^^^^^^^^^^"],
)
def test_what_other_formats_have_for_headings_weighs_more_than_emphasis_and_code(
    name: str, sign: str
) -> None:
    text = f"Use `oil` and **rags**.\n\nUse `soap` and **water**.\n\n{sign}\n\n{SAID}\n\n" * 3
    text += "Use **sun** and `wind`.\n\n" * 3
    assert parse(Source(text, name)).markup == "plain"
    headed = text.replace("Use `soap`", "# Soap\n\nUse `soap`").replace(
        "Use `oil`", "# Oil\n\nUse `oil`"
    )
    assert parse(Source(headed, name)).markup == "markdown"


def test_files_of_these_formats_are_read_as_they_are(tmp_path: Path) -> None:
    for suffix in ("rst", "adoc"):
        path = tmp_path / f"guide.{suffix}"
        path.write_text(underlined(("Guide", "="), ("Bolts", "-"), ("Nuts", "-")))
        chunks = pack(path, max_tokens=48, target_tokens=32, min_tokens=8)
        assert chunks[-1].breadcrumb == (path.name, "Guide", "Nuts")


# -------------------------------------------------------------------- packing


@pytest.mark.parametrize("cap", [32, 64, 256])
def test_texts_with_signs_are_packed_by_all_laws(cap: int) -> None:
    rule = "=" * len("Pump guide")
    text = f"{rule}\nPump guide\n{rule}\n\n{SAID}\n\n"
    text += underlined(("Mounting", "="), ("Bolts", "-"), ("Running", "="))
    text += titled("== Care ==", "=== Oil ===")
    chunks = pack(Source(text, "d.txt"), max_tokens=cap, target_tokens=cap // 2, min_tokens=8)
    assert chunks.audit().findings == ()


@pytest.mark.parametrize("name", ["d.tex", "d.txt", "d.md"])
def test_texts_of_latex_are_packed_by_all_laws(name: str) -> None:
    titles = (r"\section{Feet}\label{sec:feet}", r"\subsection*[B]{Bolts of \emph{steel}}")
    text = titled(*titles, r"\section{Use} % soon")
    chunks = pack(Source(text, name), max_tokens=64, target_tokens=48, min_tokens=4)
    assert chunks.audit().findings == ()
    assert {chunk.breadcrumb[1] for chunk in chunks if chunk.breadcrumb[1:]} == {"Feet", "Use"}


def test_a_section_ends_before_the_line_of_signs_above_the_next_title() -> None:
    rule = "=" * len("Tanks")
    text = f"{rule}\nPumps\n{rule}\n\n{SAID}\n\n{rule}\nTanks\n{rule}\n\n{SAID}\n"
    pumps = parse(Source(text, "d.txt")).root.sections[0]
    assert text[pumps.start : pumps.end].rstrip().endswith("steel.")
