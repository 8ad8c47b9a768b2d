"""The user's own patterns for headings: levels, settings, and patterns that are rejected."""

import pytest
from title_texts import CONTRACT, outline

from treepack import PackConfig, audit, pack, parse
from treepack.errors import PatternError
from treepack.outline.outlined import HeadingPatternWarning

PATTERNS = {1: r"^ARTICLE [IVXLC]+", 2: r"^Section \d+(?:\.\d+)*"}


def test_lines_that_match_a_pattern_are_titles_of_its_level() -> None:
    document = parse(CONTRACT, heading_patterns=PATTERNS)
    titles = [(1, "ARTICLE I Water"), (2, "Section 1.1 Wells"), (1, "ARTICLE II Air")]
    assert outline(document) == titles
    assert {each.heading.evidence for each in document.root.walk() if each.heading} == {"pattern"}


@pytest.mark.parametrize("opening", ["<div>", "<!-- Note", "```", "::: note"])
def test_a_pattern_match_inside_html_or_code_is_not_a_title_and_warns(opening: str) -> None:
    text = f"1. Scope\n\n   All of it.\n\n2. Terms\n\n   {opening}\n   In it.\n3. Duties\n\nMore.\n"
    warning = r"line 9, '3\. Duties', is not used as a title, although .* 1"
    with pytest.warns(HeadingPatternWarning, match=warning):
        chunks = pack(text, PackConfig(heading_patterns={1: r"^\d\. "}, levels=(64, 32)))
    with pytest.warns(HeadingPatternWarning):
        report = audit(text, chunks)
    assert report.findings == ()
    assert [change.title for change in chunks.outline_changes] == ["1. Scope", "2. Terms"]


def test_a_pattern_sets_the_level_of_a_markdown_heading_and_the_audit_agrees() -> None:
    text = CONTRACT.replace("Section", "# Section")
    config = PackConfig(heading_patterns={1: "^ARTICLE", 3: "^Section|# Section"}, max_tokens=64)
    chunks = pack(text, config)
    assert [change.old_level for change in chunks.outline_changes] == [0, 1, 0]
    assert audit(text, chunks).findings == ()


def test_a_slow_pattern_is_an_error_that_names_it_and_a_remedy() -> None:
    text = f"1. Scope\n\n{'a' * 60}!\n"
    config = PackConfig(heading_patterns={1: "^[0-9]", 2: "^(a|aa)+$"})
    with pytest.raises(PatternError, match=r"level 2, '.*', takes too long .* simplify"):
        pack(text, config)


def test_an_invalid_pattern_or_level_is_rejected() -> None:
    with pytest.raises(PatternError, match=r"is not a regular expression: .* at position 4"):
        parse("text", heading_patterns={1: "abc["})
    with pytest.raises(PatternError, match="levels are 1 to"):
        parse("text", heading_patterns={0: "abc"})
