"""Page marks, printed headers and footers, and page numbers are skipped; nothing else is."""

import re
from itertools import pairwise

import pytest
from case_files import case_table
from function_calls import assert_linear
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from strategies import configs, documents, generated
from title_texts import PAGES

from treepack import PackConfig, Source, audit, pack, parse
from treepack.errors import PatternError
from treepack.model.blocks import FrontMatter
from treepack.packing import Segment, Skipped


def test_given_page_marks_replace_the_search_for_marks() -> None:
    """A caller who gives the pages knows them better."""
    source = Source("A\f\fB", page_marks=((0, 10),))
    assert parse(source).source.page_marks == ((0, 10),)
    assert parse("A\n[p 3]\nB", page_pattern=r"^\[p (\d)\]$").source.page_marks == ((0, 2), (7, 3))


@pytest.mark.parametrize(
    ("text", "pattern", "words"),
    [("A", "[p (", "unterminated"), ("a" * 60 + "!", "^(a|aa)+$", "takes too long .* simplify")],
)
def test_a_wrong_or_slow_pattern_is_named_in_the_error(text: str, pattern: str, words: str) -> None:
    with pytest.raises(PatternError, match=rf"page pattern '.*{words}"):
        parse(text, page_pattern=pattern)


def test_a_pattern_is_searched_in_short_parts_of_a_long_line() -> None:
    """Each search on its own would look at the whole line, and all together would take too long."""
    assert parse("x" * 400_000, page_pattern=r"\[p (\d)\]|.*q").source.page_marks == ()


def test_a_pattern_matches_at_any_position_in_a_long_line() -> None:
    """A search looks at a part of the line; a mark may begin in any part and end in the next."""
    for before in range(150, 450):
        text = "x" * before + "[p 7]" + "y" * 300
        assert parse(text, page_pattern=r"\[p (\d+)\]").source.page_marks == (
            (0, 6),
            (before + 5, 7),
        )


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_a_pattern_works_with_all_line_ends(end: str) -> None:
    """Otherwise ``$`` would find nothing in a file from Windows."""
    text = end.join(["A", "", "[p 3]", "", "B", "[p 4]", "C"])
    for pattern in (r"^\[p (\d)\]$", r"\n\[p (\d)\]\n"):
        document = parse(text, page_pattern=pattern)
        assert [page for _, page in document.source.page_marks] == [2, 3, 4]
        assert [text[slice(*gap)] for gap in document.gaps] == ["[p 3]", "[p 4]"]


HOSTILE = ("\f", "<!-- page ", "-----\n\n", "-", "== 1 ==\n", "[Page 1]\n", "-- ", "=",
           '<!-- PageHeader="', '<!-- PageNumber="1" -->\n', "a\n\f")  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("piece", HOSTILE)
def test_many_marks_are_read_with_linear_work(piece: str) -> None:
    assert_linear(lambda count: parse(piece * count), 500)


MARK_LINES = case_table("pages", "lines")
PRINTED_MARKS = case_table("pages", "printed")
few_examples = settings(generated, max_examples=50)
PiecesAndMarks = tuple[list[str], list[str]]


def line_end_of(text: str) -> str:
    """Return the first line end of a text."""
    match = re.search(r"\r\n|\r|\n", text)
    return match[0] if match else "\n"


@st.composite
def documents_with_marks(draw: DrawFn) -> PiecesAndMarks:
    """Return pieces of a document, cut before some blocks, and lines to put between them."""
    text = draw(documents())
    document = parse(text, outline="trust")
    source = document.source
    starts = {
        source.line_starts[source.line_at(block.start)]
        for section in document.root.walk()
        for block in (section.heading, *section.blocks)
        if block and not isinstance(block, FrontMatter)
    }
    cuts = [cut for cut in sorted(starts) if draw(st.booleans())]
    pieces = [text[a:b] for a, b in pairwise([0, *cuts, len(text)])]
    lines = [
        draw(st.sampled_from(MARK_LINES)).format(number, number - 1)
        for number in range(2, len(cuts) + 2)
    ]
    return pieces, lines


def join_pieces(document: PiecesAndMarks, *, marked: bool) -> str:
    """Return the document with marks between the pieces, or with empty lines there."""
    pieces, lines = document
    text = pieces[0]
    for line, piece in zip(lines, pieces[1:], strict=True):
        # A line feed after CR would complete a line end, and make no empty line.
        end = "\r" if text.endswith("\r") else line_end_of(text)
        text += (line if marked else "") + end + piece
    return text


@few_examples
@given(
    document=documents_with_marks(), config=configs(), markup=st.sampled_from(("markdown", "plain"))
)
def test_chunks_are_the_same_with_mark_lines_or_empty_lines(
    document: PiecesAndMarks, config: PackConfig, markup: str
) -> None:
    """Under any limits and with overlap: text, counts, breadcrumbs and ids are the same.

    Only the choice of `auto` depends on marks: form feeds are a sign of plain text.
    """
    # running headers are found by the marks
    config = config.model_copy(update={"outline": "trust", "markup": markup})
    marked = pack(join_pieces(document, marked=True), config)
    plain = pack(join_pieces(document, marked=False), config)
    fields = {"id", "text", "embed_text", "token_count", "embed_token_count", "overlap_tokens"}
    assert [chunk.model_dump(include=fields) for chunk in plain] == [
        chunk.model_dump(include=fields) for chunk in marked
    ]


@few_examples
@given(document=documents_with_marks(), config=configs())
def test_pages_of_a_chunk_are_those_of_its_body(
    document: PiecesAndMarks, config: PackConfig
) -> None:
    """Overlap and other context do not count; each character except whitespace has its page."""
    pieces, lines = document
    numbered = pieces, [f"<!-- page {number} -->" for number, _ in enumerate(lines, 2)]
    text = join_pieces(numbered, marked=True).replace("\f", " ")
    marks = [(m.end(), int(m[1])) for m in re.finditer(r"<!-- page (\d+) -->", text)]
    for chunk in pack(text, config) if marks else ():
        spans = [s.span for s in chunk.segments if s.role == "body" and s.span]
        offsets = [at for span in spans for at in range(*span) if not text[at].isspace()]
        wanted = [max([1, *(page for end, page in marks if end <= at)]) for at in offsets]
        assert tuple(dict.fromkeys(wanted)) == chunk.pages


def test_a_page_of_only_furniture_is_not_a_page_of_the_chunk() -> None:
    """What is printed on each page is in no chunk, so nothing of that page is."""
    text = "ACME\n\nThe pump\n\fACME\n\nlifts\n\fACME\n\fACME\n\nwater.\n"
    (chunk,) = pack(Source(text, "pump.txt"))
    assert chunk.text.split() == ["ACME", "The", "pump", "lifts", "water."]
    assert chunk.pages == (1, 2, 4)


def findings(text: str, config: PackConfig) -> object:
    """Return what the audit finds in the chunks of a text."""
    return audit(text, pack(text, config), config).findings


@few_examples
@given(text=documents(), config=configs(), data=st.data())
def test_page_marks_cause_no_findings(text: str, config: PackConfig, data: st.DataObject) -> None:
    """In lists, tables, quotes, paragraphs and code; at the edges of lines, with spaces or not."""
    end = line_end_of(text)
    forms = data.draw(
        st.lists(st.sampled_from((*MARK_LINES, *PRINTED_MARKS, "\f+", "+\f", "\n\f\n")), max_size=8)
    )
    lines = text.split(end)
    for number, form in enumerate(forms):
        at = data.draw(st.integers(0, len(lines) - 1))
        line = lines[at].join(form.split("+")) if "+" in form else form.format(number + 2, number)
        lines[at : at + ("+" in form)] = line.split("\n")
    marked = end.join(lines)
    gaps = parse(marked).gaps
    bounds = [0, *(offset for gap in gaps for offset in gap), len(marked)]
    plain = "".join(marked[a:b] for a, b in zip(bounds[::2], bounds[1::2], strict=True))
    assert not findings(marked, config) or findings(plain, config)


@pytest.mark.parametrize(("lost", "reason"), case_table("pages", "false"))
def test_the_audit_rejects_a_false_reason_for_skipping(lost: str, reason: str) -> None:
    """Text may be lost neither as a mark nor as what a page prints."""
    text = f"A\n\n{lost}\n\nB\n"
    start = text.index(lost)
    skipped = (Skipped(span=(start, start + len(lost)), reason=reason),)
    (chunk,) = pack("A\n\nB\n")
    report = audit(text, [chunk.model_copy(update={"skipped": skipped})])
    assert any(f"listed as skipped, but is no {reason}" in f.reason for f in report.findings)


@pytest.mark.parametrize("line", ["== {0} ==", "[Page {0}]", "END OF PAGE: {0}", "-- {0} of 9 --"])
def test_the_audit_accepts_marks_that_are_left_out(line: str) -> None:
    """This holds with chunks, and for a text of marks alone."""
    text = "".join(f"{letter}\n\n{line.format(n)}\n\n" for n, letter in enumerate("ABC", 1))
    assert audit(text, pack(text)).findings == ()
    assert len(pack(text)[0].skipped) == 3
    alone = "".join(f"{line.format(n)}\n" for n in (1, 2))
    assert audit(alone, pack(alone)).findings == ()


def test_the_audit_reports_a_skipped_mark_that_is_in_the_text() -> None:
    """A mark that is listed as left out must not appear in the overlap either."""
    text = "A\n\n<!-- page 2 -->\n\nB\n"
    (chunk,) = pack(text)
    start, end = chunk.skipped[0].span
    shown = Segment(role="overlap", text=text[start:end], span=(start, end))
    update = {"segments": (shown, *chunk.segments), "text": shown.text + chunk.text}
    report = audit(text, [chunk.model_copy(update=update)])
    assert any("is also in the chunk's text" in f.reason for f in report.findings)


def test_a_running_header_after_many_spaces_is_skipped_with_them() -> None:
    wide = PAGES.replace("The Pump Manual", " " * 1000 + "The Pump Manual")
    skipped = [end - start for start, end, why in parse(wide).skipped if why == "page furniture"]
    assert sum(length > 1000 for length in skipped) == 3  # the first line of all is the title
    assert sum(chunk.text.count("The Pump Manual") for chunk in pack(wide)) == 1
