"""What comes before a chunk's body: breadcrumbs, repeated headings, overlaps, carried text."""

import re
from itertools import pairwise

import pytest
from audits import findings_in
from by_eye import packed, roles, sentences, some, words
from packing_texts import HOLDERS, enclosed

from treepack import PackConfig, audit

# -------------------------------------------------------------------- breadcrumb and context


def test_the_breadcrumb_begins_with_the_document_and_ends_at_the_deepest_section() -> None:
    text = f"# A\n\n## *B* & `c`\n\n{some(30)}\n"
    chunks = packed(text, 20, name="d.md")
    assert chunks[-1].breadcrumb == ("d.md", "A", "B & c")
    assert chunks[-1].embed_text == "d.md > A > B & c\n\n" + chunks[-1].text


def test_the_breadcrumb_line_omits_headings_that_are_in_the_text() -> None:
    text = f"# A\n\n{some(9, 'a')}\n\n## B\n\n{some(13, 'b')}\n"
    chunks = packed(text, 18, name="d.md")
    assert [chunk.embed_text for chunk in chunks] == [
        f"d.md\n\n# A\n\n{some(9, 'a')}",
        f"d.md > A\n\n## B\n\n{some(13, 'b')}",
    ]
    assert [chunk.breadcrumb for chunk in chunks] == [("d.md", "A"), ("d.md", "A", "B")]


def test_the_embedded_text_is_the_text_if_there_is_no_breadcrumb() -> None:
    (chunk,) = packed("Only words.\n", 16)
    assert chunk.embed_text == chunk.text == "Only words."


def test_a_breadcrumb_above_half_the_cap_loses_its_outermost_entries() -> None:
    text = f"# {some(7, 'a')}\n\n## {some(7, 'b')}\n\n{some(60)}\n"
    chunks = packed(text, 20)
    assert all(words(chunk.embed_text) <= 20 for chunk in chunks)
    assert chunks[-2].embed_text == f"{some(7, 'b')}\n\n{chunks[-2].text}"
    assert chunks[-2].breadcrumb == (some(7, "a"), some(7, "b")), "the record keeps all of it"
    assert words(chunks[-2].text) == 13, "the body takes what the breadcrumb leaves"


def test_no_heading_is_repeated_before_a_long_table_header() -> None:
    """Together they would leave no room for a row; the breadcrumb names the heading."""
    table = f"| {some(27, 'c')} | d |\n|---|---|\n| {some(60)} | x |\n"
    text = f"# {some(28, 'h')}\n\n{sentences(6)}\n\n{table}"
    pieces = [chunk for chunk in packed(text, 64, repeat_heading=True) if chunk.tables]
    assert len(pieces) > 1
    for chunk in pieces:
        assert "# h0" not in chunk.text
        assert "| w" in chunk.text or " w" in chunk.text


def test_a_long_heading_is_shortened_with_an_ellipsis_in_the_breadcrumb_line() -> None:
    chunks = packed(f"# {some(12, 'a')}\n\n{some(60)}\n", 20)
    line = chunks[-1].embed_text.split("\n\n")[0]
    assert line.endswith("…")
    assert some(12, "a").startswith(line[:-1])
    assert 0 < words(line) <= 10


def test_a_repeated_heading_begins_each_continuation() -> None:
    text = f"# A\n\n## B {{#b}}\n\n{sentences(8)}\n"
    chunks = packed(text, 20, repeat_heading=True)
    assert len(chunks) > 1
    for chunk in chunks[1:]:
        assert chunk.text.startswith("## B {#b}\n\n")
        assert roles(chunk) == ["heading", "glue", "body"]
        assert chunk.embed_text == "A\n\n" + chunk.text
        assert "## B" not in chunk.lexical_text


# -------------------------------------------------------------------- overlap


def test_an_overlap_consists_of_whole_sentences_of_the_previous_chunk() -> None:
    chunks = packed(f"# H\n\n{sentences(8)}\n", 20, overlap_tokens=7)
    assert len(chunks) > 2
    for before, chunk in pairwise(chunks):
        overlap = chunk.segments[0]
        assert overlap.role == "overlap"
        assert overlap.text.strip() in before.text
        assert re.match(r"Sentence\d", overlap.text)
        assert chunk.overlap_tokens
        assert chunk.overlap_tokens == words(overlap.text) == 5
        assert overlap.text not in chunk.lexical_text
    assert not chunks[0].overlap_tokens


def test_an_overlap_separator_is_on_its_own_line() -> None:
    chunks = packed(f"# H\n\n{sentences(8)}\n", 24, overlap_tokens=7, overlap_separator="---")
    overlap, glue, body = chunks[1].segments
    assert (overlap.role, glue.text, body.role) == ("overlap", "\n\n---\n\n", "body")


def test_the_overlap_of_a_long_sentence_is_its_last_words() -> None:
    chunks = packed(f"# H\n\n{sentences(8, 9)}\n", 20, overlap_tokens=5)
    for before, chunk in pairwise(chunks):
        overlap = chunk.segments[0].text
        assert roles(chunk)[0] == "overlap"
        assert words(overlap) == 5
        assert before.text.endswith(overlap.rstrip())


def test_a_sentence_that_fits_is_not_cut_to_leave_room_for_an_overlap() -> None:
    first, second = f"{some(8, 'a').capitalize()}.", f"{some(9, 'b').capitalize()}."
    chunks = packed(f"{first} {second} {first}\n", 10, target_tokens=10, overlap_tokens=4)
    assert [chunk.lexical_text for chunk in chunks] == [first, second, first]


def test_an_overlap_never_cuts_a_row() -> None:
    rows = "".join(f"| r{number} | v{number} |\n" for number in range(12))
    chunks = packed(f"| key | val |\n|---|---|\n{rows}", 40, overlap_tokens=12)
    assert any(chunk.overlap_tokens for chunk in chunks)
    for chunk in chunks:
        assert chunk.text.startswith("| key | val |\n|---|---|\n")
        for segment in chunk.segments:
            if segment.role == "overlap":
                assert re.fullmatch(r"(\| r\d+ \| v\d+ \|\s*)+", segment.text)


def test_an_overlap_never_cuts_a_fence() -> None:
    code = "```py\n" + "".join(f"line {n} of code\n" for n in range(9)) + "```"
    text = f"{sentences(4)}\n\n{code}\n\n{sentences(9)}\n"
    for chunk in packed(text, 30, overlap_tokens=10):
        assert chunk.text.count("```") % 2 == 0


def test_an_overlap_does_not_cross_a_heading() -> None:
    text = f"# A\n\n{some(12, 'a')}.\n\n## B\n\nb.\n\n## C\n\n{some(12, 'c')}.\n"
    for chunk in packed(text, 16, overlap_tokens=4):
        assert "#" not in "".join(s.text for s in chunk.segments if s.role == "overlap")


# -------------------------------------------------------------------- code


@pytest.mark.parametrize("mark", ["+", "-", "#", "12.", "3)", ">x", "```", "~~~", "$$x"])
def test_an_overlap_does_not_begin_with_a_word_that_becomes_markup(mark: str) -> None:
    text = f"{some(12)} {mark} b c\n```\nCode.\n```\n"
    chunks = packed(text, 16, overlap_tokens=3)
    assert [chunk.overlap_tokens for chunk in chunks] == [0, 2]
    assert chunks[1].text.startswith("b c\n```")


# -------------------------------------------------------------------- settings


@pytest.mark.parametrize("size", range(20, 34))
def test_no_text_is_carried_before_a_heading_that_displaces_the_breadcrumb(size: int) -> None:
    text = f"# Guide\n\nText.\n\n## {some(size)}\n\nIntro.\n\n### B\n\n{sentences(12)}\n"
    chunks = packed(text, 40, name="the-pumps.md", min_tokens=4)
    assert audit(text, chunks, PackConfig(max_tokens=40, encoding=words), name="the-pumps.md").ok


def test_the_audit_finds_a_missing_breadcrumb_before_a_fence() -> None:
    code = "".join(f"call_{number}()\n" for number in range(20))
    source = f"# Title\n\n{sentences(6)}\n\n```py\n{code}```\n"
    chunks = packed(source, 36, "d.md")
    index = next(at for at, chunk in enumerate(chunks) if chunk.text.startswith("```py"))
    assert findings_in(chunks) == ()
    text = chunks[index].text
    bare = chunks[index].model_copy(update={"embed_text": text, "embed_token_count": words(text)})
    mutants = [*chunks[:index], bare, *chunks[index + 1 :]]
    found = audit(source, mutants, PackConfig(max_tokens=36, encoding=words)).findings
    assert {finding.law for finding in found} == {3}


@HOLDERS
@pytest.mark.parametrize("separator", [None, "---"])
def test_an_overlap_inside_a_container_consists_of_whole_sentences(
    holder: tuple[str, str, str], separator: str | None
) -> None:
    """An overlap that is set apart comes before the opening of the container."""
    text = enclosed(holder, "\n\n".join([sentences(4)] * 4))
    chunks = packed(text, 32, markup="markdown", overlap_tokens=5, overlap_separator=separator)
    assert len(chunks) == 4
    sentence, opening = "Sentence3 w0 w1 w2 w3.", holder[0]
    begun = f"{sentence}\n\n---\n\n{opening}" if separator else f"{opening}{holder[1]}{sentence}"
    for chunk in chunks[2:]:
        assert chunk.text.startswith(begun)
        assert chunk.overlap_tokens == 5
    assert audit(text, chunks, PackConfig(max_tokens=32, encoding=words, overlap_tokens=5)).ok
