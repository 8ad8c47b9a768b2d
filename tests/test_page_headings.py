"""Headings such as ``## Page 3``, which many scripts write above each page of a PDF."""

from collections.abc import Sequence

import pytest

from treepack import PackConfig, Source, audit, pack, parse
from treepack.markdown.page_marks import find_page_marks

RULE = "=" * 50
WORDS = "The pump keeps the pressure within\nthe limit, and the valve opens above it.\n"
CHAPTERS = ("1 Scope", "2 Terms", "3 Tests", "4 Limits", "5 Service", "6 Repair", "7 Stores")
PAGES = (
    """1 Scope

This report is about pumps that lift the water
of a lower reservoir.

2 Terms

A line is a pipe with all its valves, and a reservoir
is any place where""",
    """water may stand.

3 Tests

All valves were opened once each hour, and each
reading was written down.""",
    """The tests ended in May.

4 Limits

No part of a line may be warmer than the maker
allows.

5 Service

A trained person looks at the seals before""",
    """winter begins.

6 Repair

Broken seals are changed at once, and whoever changes
one writes""",
    """down the date.

7 Stores

Spare parts lie in a dry room, where no frost
can harm them.""",
)
FORMS = {
    "heading": "## Page {0}\n\n",
    "heading, text below": "# Page {0} of 9\n",
    "with a picture": "### \U0001f4c4 Page {0}:\n\n",
    "slides": "## Slide {0}\n",
    "between rules": f"{RULE}\nPAGE {{0}}\n{RULE}\n",
    "between drawn rules": "─" * 60 + "\nPage {0} / 9\n" + "─" * 60 + "\n\n",
    "underlined": "Page {0}\n------\n",
    "below a rule": "---\n\n## Page {0}\n\n",
    "how it was read": "## Page {0} (OCR)\n\n",
}


def report(form: str, first: int = 1) -> str:
    """Return chapters over pages that end in the middle of a sentence or between two."""
    return "\n\n".join(form.format(number) + page for number, page in enumerate(PAGES, first))


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("name", ["report.md", "report.txt"])
def test_page_headings_are_page_marks(form: str, name: str) -> None:
    source = Source(report(form), name)
    document = parse(source)
    assert [page for _, page in document.source.page_marks] == [1, 2, 3, 4, 5]
    assert {reason for *_, reason in document.skipped} == {"page mark"}
    lost = " ".join(source.text[start:end] for start, end, _ in document.skipped)
    assert sorted(lost.split()) == sorted("".join(form.format(n) for n in range(1, 6)).split())


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_titles_on_pages_with_page_headings_are_found(form: str) -> None:
    """Page headings would hide them: a text with heading markup is not searched for titles."""
    document = parse(Source(report(form), "report.md"))
    found = [section.heading.text for section in document.root.walk() if section.heading]
    assert found == list(CHAPTERS)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_chunks_of_pages_with_page_headings_keep_the_laws_and_their_pages(
    form: str, end: str
) -> None:
    source = Source(report(form, first=7).replace("\n", end), "report.md")
    config = PackConfig(max_tokens=32, target_tokens=32, min_tokens=0)
    chunks = pack(source, config)
    assert audit(source, chunks).findings == ()
    assert sorted({page for chunk in chunks for page in chunk.pages}) == [7, 8, 9, 10, 11]


def pages_found(form: str, numbers: Sequence[int], body: str = WORDS) -> list[int]:
    """Return the pages found in a text with such headings."""
    text = "\n".join(form.format(number) + body for number in numbers)
    return [page for _, page in find_page_marks(text).pages]


@pytest.mark.parametrize("form", [FORMS["heading"], FORMS["underlined"]])
def test_plain_page_headings_must_be_several_and_increase(form: str) -> None:
    assert pages_found(form, [1, 2, 3, 4, 5]) == [1, 2, 3, 4, 5]
    assert pages_found(form, [1, 3, 4, 6, 8]) == [1, 3, 4, 6, 8]  # the other pages have no text
    assert pages_found(form, [1, 2, 3, 4]) == []
    assert pages_found(form, [1, 9, 20, 21, 22]) == []
    assert pages_found(form, [1, 3, 2, 4, 5]) == []


@pytest.mark.parametrize("form", [FORMS["below a rule"], FORMS["between rules"]])
def test_two_page_headings_of_a_typical_script_form_are_enough(form: str) -> None:
    assert pages_found(form, [1, 2]) == [1, 2]
    assert pages_found(form, [7, 8, 9]) == [7, 8, 9]
    assert pages_found(form, [2, 3]) == []
    assert pages_found(form, [1]) == []
    assert pages_found(form, [3, 2, 1]) == []


def test_plain_page_headings_among_other_headings_or_links_need_more_evidence() -> None:
    fields = f"{WORDS}\n### Fields\n\n{WORDS}"
    assert pages_found("## Page {}\n\n", range(1, 8), fields) == []
    assert pages_found("## Page {} of 7\n\n", range(1, 8), fields) == list(range(1, 8))
    assert pages_found("## Page {}\n\n", range(1, 11), fields) == list(range(1, 11))
    assert pages_found("## Page {}\n\n", [*range(1, 10), 11], fields) == []
    ended = f"{WORDS.lower()}\n### Fields\n\n{WORDS}"
    assert pages_found("## Page {}\n\n", range(1, 8), ended) == []
    assert pages_found("## Page {}\n\n", range(1, 8), f"{fields[:-2]} and\n") == []
    cut = f"{WORDS.lower()}\n### Fields\n\n{WORDS[:-2]} and\n"
    assert pages_found("## Page {}\n\n", range(1, 8), cut) == list(range(1, 8))
    linked = f"{WORDS}\n[next](#page-2)\n"
    assert pages_found("## Page {}\n\n", range(1, 8), linked) == []


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_other_headings_are_recognised_with_any_line_end(end: str) -> None:
    fields = f"{WORDS}\n### Fields\n\n{WORDS}".replace("\n", end)
    assert pages_found(f"## Page {{}}{end}{end}", range(1, 8), fields) == []


@pytest.mark.parametrize("form", ["## Page {} Form\n\n", "## Paget {}\n\n", "Page {}\n\n"])
def test_headings_with_more_words_and_plain_lines_are_text(form: str) -> None:
    assert pages_found(form, range(1, 8)) == []


def test_a_rule_is_text_if_only_some_page_headings_have_one() -> None:
    rules = ("", "---\n\n", "", "", "")
    text = "".join(f"{rule}## Page {n}\n\n{WORDS}\n" for n, rule in enumerate(rules, 1))
    assert "---" in pack(text)[0].text
    assert len(find_page_marks(text).pages) == 5


def test_page_headings_stay_headings_in_a_trusted_outline() -> None:
    document = parse(report(FORMS["heading"]), outline="trust")
    assert [section.heading.text for section in document.root.sections if section.heading] == [
        "Page 1",
        "Page 2",
        "Page 3",
        "Page 4",
        "Page 5",
    ]
    assert document.source.page_marks == ()


@pytest.mark.parametrize("form", ["== {0} ==", "=== Page {0} ===", FORMS["between rules"]])
def test_page_separators_do_not_make_markdown_plain_text(form: str) -> None:
    pages = [f"{form.format(number)}\n\nPump {number} is new.\n\n" for number in range(1, 6)]
    document = parse("# Manual\n\n" + "\n".join(pages))
    assert document.markup == "markdown"
    assert document.outline().splitlines()[1].startswith("  Manual")


def test_year_headings_make_a_wiki_text_plain() -> None:
    text = "".join(f"== {year} ==\n\n{WORDS}\n" for year in range(2001, 2006))
    assert parse(text).markup == "plain"
