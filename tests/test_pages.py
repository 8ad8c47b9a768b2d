"""Page marks, printed headers and footers, and page numbers are skipped; nothing else is."""

import re
from itertools import pairwise

import pytest
from function_calls import assert_linear
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from strategies import configs, documents, generated
from title_texts import PAGES, SENTENCES, pages

from treepack import PackConfig, Source, audit, pack, parse
from treepack.errors import PatternError
from treepack.model.blocks import FrontMatter
from treepack.packing import Segment, Skipped

# -------------------------------------------------------------------- which marks there are


def page_of_each_letter(text: str, pattern: str | None = None) -> dict[str, int]:
    """Return the page of each of the letters A to D; nothing if the text has no pages."""
    marks = parse(text, page_pattern=pattern, outline="trust").source.page_marks
    assert list(marks) == sorted(marks)
    return {
        character: next((page for offset, page in reversed(marks) if offset <= at), 0)
        for at, character in enumerate(text)
        if character in "ABCD" and marks
    }


OLM_PAGE = "---\nprimary_language: fr\nis_rotation_valid: True\nrotation_correction: 0\n---\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A\fB\n\fC", {"A": 1, "B": 2, "C": 3}),
        ("\fA\f\fB", {"A": 2, "B": 4}),
        ("<!-- page 7 -->\n\nA\n\n<!-- page 9 -->\n\nB", {"A": 7, "B": 9}),
        ("A\r\n\r\n<!-- page break -->\r\n\r\nB", {"A": 1, "B": 2}),
        ("A\n\n--- page-break ---\n\nB\n== page break ==\nC", {"A": 1, "B": 2, "C": 3}),
        ("A\n[page break]\nB\n\n[pagebreak]\n\nC", {"A": 1, "B": 2, "C": 3}),
        ("A\n<--- Page Split --->\nB\n<--- Page Split --->\n", {"A": 1, "B": 2}),
        ("--- Page 1 (text) ---\nA\n--- Page 2 [by eye] ---\nB", {"A": 1, "B": 2}),
        ("<!-- PageBreak -->\nA\n\n<!-- page_break -->\nB", {"A": 1, "B": 2}),
        ("A\n\n<!-- page break -->\n<!-- page 5 -->\n\nB", {"A": 1, "B": 5}),
        ("<!-- Slide number: 3 -->\n# A\n", {"A": 3}),
        (f"\n\n{{0}}{'-' * 48}\n\nA\n\n{{1}}{'-' * 48}\n\nB", {"A": 1, "B": 2}),
        ("A\n\n--- end of page=0 ---\n\nB\n\n--- end of page=1 ---\n\n", {"A": 1, "B": 2}),
        ("A\n\n-----\n\nB\n\n-----\n\n", {"A": 1, "B": 2}),
        ("A\r\r-----\r\rB\r\r-----\r\r", {"A": 1, "B": 2}),
        (
            "A\n\n--- end of page.page_number=1 ---\n\nB\n\n--- end of page.page_number=2 ---\n",
            {"A": 1, "B": 2},
        ),
        ("[Page 1]\n\nA\n\n[Page 2]\n\nB", {"A": 1, "B": 2}),
        ("A\n\n[page 1 of 2]\n\nB\n\n[page 2 of 2]\n", {"A": 1, "B": 2}),
        ("---page 4---\nA\n--- Page 5 ---\nB", {"A": 4, "B": 5}),
        ("A\n\n-- 1 of 2 --\n\nB\n\n-- 2 of 2 --\n", {"A": 1, "B": 2}),
        ("A\n\n== 2 ==\n\nB\n\n==3==\n\nC", {"A": 1, "B": 2, "C": 3}),
        ("== 1 ==\n\nA", {"A": 1}),
        ("== 5 ==\n\nA\n\n== 6 ==\n\nB", {"A": 5, "B": 6}),
        ("A\n<page_number>7</page_number>\nB\n<page_number>8/9</page_number>", {"A": 7, "B": 8}),
        (
            'A\n\n- <span id="page-4-1"></span>B\n\n## <span id="page-6-0"></span>C',
            {"A": 4, "B": 5, "C": 7},
        ),
        (
            f"{OLM_PAGE}A\n\n{OLM_PAGE}B {OLM_PAGE.replace(chr(10), chr(13))}\n{OLM_PAGE}C",
            {"A": 1, "B": 2, "C": 3},
        ),
    ],
)
def test_page_marks_of_converters_are_recognised(text: str, expected: dict[str, int]) -> None:
    assert expected == page_of_each_letter(text)


@pytest.mark.parametrize(
    "text",
    [
        "A\n\n-----\n\nB",  # a rule
        "A\n-----\nB\n-----\n",  # headings
        "A\n\n-----\n\nB\n\n***\n\nC\n\n-----\n",  # two kinds of rules
        "A <!-- page 7 --> B",
        "    <!-- page 7 -->\n",
        "<!-- pages 7 -->\n",
        "{7}\n---\n",
        "A\n\n== 2001 ==\n\nB\n\n== 2002 ==\n\nC",  # headings of a wiki
        "A\n\n== 1 ==\n\nB\n\n== 3 ==\n\nC",
        "A\n\n== 1 ==\n\nB",
        "A\n\n[Page 3]\n\nB",  # may be a link
        "[Page 1]\n\nA\n\n[Page 2]\n\nB\n\n[page 2]: b.html\n",
        "A\n\n--- page ---\n\nB",
        "See END OF PAGE: 7",
        "A\n\n[page break](b.html)\n\nB",
    ],
)
def test_lookalikes_are_not_page_marks(text: str) -> None:
    assert page_of_each_letter(text) == {}


AZURE = """\
<!-- PageHeader="The \\"A2\\" manual" -->

A

<!-- PageFooter="ACME -- {0}" -->
<!-- PageNumber="{0}" -->
<!-- PageBreak -->

B

<!-- PageNumber="{1}" -->
<!-- PageBreak -->
<!-- PageHeader="" -->

C
"""


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        (("1", "2"), (1, 2, 3)),
        (("Page 7 of 9", "- 8 -"), (7, 8, 9)),
        (("7", "10"), (7, 10, 11)),
        (("", "5"), (4, 5, 6)),
        (("iv", "1"), (1, 2, 3)),  # page 1 is the second one
        (("7", "4"), (1, 2, 3)),
        (("A-7", "2026-11"), (1, 2, 3)),
    ],
)
def test_printed_numbers_are_used_if_they_increase_with_the_pages(
    numbers: tuple[str, str], expected: tuple[int, int, int]
) -> None:
    """A citation names the page as it is printed; numbers that restart would name two pages."""
    found = {page for _, page in parse(AZURE.format(*numbers)).source.page_marks}
    assert found == set(expected)


def test_headers_and_footers_in_page_comments_are_not_text() -> None:
    """It is the same on each page, so every question would find it."""
    text = AZURE.format(1, 2)
    (chunk,) = pack(text)
    assert "".join(chunk.text.split()) == "ABC"
    assert {s.reason for s in chunk.skipped} == {"page mark", "page furniture"}
    assert all(
        (s.reason == "page mark") == ("PageBreak" in text[slice(*s.span)]) for s in chunk.skipped
    )
    assert audit(text, [chunk], PackConfig()).findings == ()


def test_a_match_of_a_given_pattern_is_a_page_mark() -> None:
    """No list of converters is complete."""
    text = "A\n[[page iv]]\nB\n[[page 5]]\nC"
    assert page_of_each_letter(text, pattern=r"^\[\[page (\w+)\]\]$") == {"A": 1, "B": 2, "C": 5}
    assert page_of_each_letter("A\n%%\nB", pattern="^%%$") == {"A": 1, "B": 2}


def test_nothing_inside_fences_is_a_page_mark() -> None:
    """A form feed or a comment in code is a part of the code; indented text may go on on a page."""
    assert page_of_each_letter("A\n\n    B\n\f\n    C\n") == {"A": 1, "B": 1, "C": 2}
    assert parse("A\n\n    x\n    %%\n    y\n", page_pattern="%%").source.page_marks == ()
    text = "A\n\n```html\n<!-- page 7 -->\n\f\n```\n\n- x\n\n  ~~~\n  \f\n  ~~~\n"
    assert parse(text).source.page_marks == ()
    assert [mark[1] for mark in parse(text + "\fB").source.page_marks] == [1, 2]


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


# -------------------------------------------------------------------- what marks leave behind

MARK_LINES = (
    "<!-- page {0} -->",
    "  <!-- slide number: {0} -->  ",
    "{{{1}}}" + "-" * 48,
    "\f",
    "<!-- page break -->",
    "\f<!-- page {0} -->",
    "<!-- page {0} -->\f",
)
PRINTED_MARKS = (
    "--- page {0} ---",
    "-- {0} of 99 --",
    "<page_number>{0}</page_number>",
    '<!-- PageHeader="Manual {0}" -->',
    '\f<!-- PageNumber="{0}" -->',
)
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


@pytest.mark.parametrize(
    "text",
    [
        """# <span id="page-0-0"></span>Lamps

<span id="page-0-1"></span>

Bulbs glow.

- <span id="page-2-0"></span>Bright.
1. <span id="page-2-1"></span>Dim.

A lamp <span id="page-2-2"></span>glows.

| a | <span id="page-3-0"></span>b |
|---|---|
| c | <span id="page-3-1"></span>d |
""",
        """<|ref|>title<|/ref|><|det|>[[17, 10, 825, 15]]<|/det|>
# Lamps

<|ref|>table<|/ref|><|det|>[[1, 2, 3, 4]]<|/det|>
<|ref|>table_caption<|/ref|><|det|>[[1, 2, 3, 4]]<|/det|>
Table 1. Bulbs.

<|ref|>text<|/ref|><|det|>[[1, 2, 3, 4]]<|/det|>On the same line.

<|det|>text [85, 329, 481, 674]<|/det|>So is this.
""",
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_marks_beside_text_are_skipped_and_the_text_is_whole(text: str, end: str) -> None:
    """An item, a heading and a table stay so."""
    source = Source(text.replace("\n", end))
    chunks = pack(source)
    bare = re.sub(r'<span id="page-[^<]*</span>|<\|(?:ref|det)\|>.*<\|/det\|>', "", source.text)
    shown = "".join(chunk.text for chunk in chunks)
    assert "".join(shown.split()) == "".join(bare.split())
    assert [b.kind for s in parse(source).root.walk() for b in s.blocks] == [
        b.kind for s in parse(bare).root.walk() for b in s.blocks
    ]
    assert not audit(source, chunks).findings
    assert {each.reason for chunk in chunks for each in chunk.skipped} == {"page mark"}


def test_an_image_on_the_edge_of_pages_is_no_page_furniture() -> None:
    text = "".join(
        f"{{{n}}}{'-' * 48}\n\n![](_page_{n}_Figure_1.jpeg)\n\nLamps glow.\n\n" for n in range(9)
    )
    assert sum(chunk.text.count("![](") for chunk in pack(text)) == 9


def test_chunks_contain_no_page_marks_except_in_code() -> None:
    """The visible text continues across the page; each mark left out is listed with its reason."""
    text = "- a\n\n<!-- page 2 -->\n\n- b\n\n```\n<!-- page 3 -->\n```\n\nOne\n\fline.\n"
    (chunk,) = pack(text)
    assert chunk.text == "- a\n\n\n\n- b\n\n```\n<!-- page 3 -->\n```\n\nOne\nline."
    assert [(text[slice(*s.span)], s.reason) for s in chunk.skipped] == [
        ("<!-- page 2 -->", "page mark"),
        ("\f", "page mark"),
    ]
    assert (chunk.kinds, chunk.pages, chunk.lines) == (("text", "list", "code"), (1, 2, 3), (1, 12))


def test_a_given_mark_is_left_out_only_on_its_own_line() -> None:
    """Inside a line, the mark is a word of the text."""
    text = "A [p 2] B\n\n[p 3]\n\nC\n"
    chunks = pack(parse(text, page_pattern=r"\[p (\d+)\]"))
    assert chunks[0].text == "A [p 2] B\n\n\n\nC"
    assert chunks[0].skipped[0].reason == "given page mark"
    assert chunks[0].pages == (1, 2, 3)
    assert audit(text, chunks).findings == ()


@pytest.mark.parametrize(
    ("lost", "reason"),
    [
        ("lost", "page mark"), ("== 3 ==", "page mark"), ("[Page]", "page mark"),
        ("B <!-- page 2 -->", "page mark"), ("```\n\f\n```", "page mark"),
        ('<!-- PageTitle="A" -->', "page furniture"), ("<!-- page 2 -->", "page furniture"),
        ("ACME", "page furniture"), ('<!-- PageHeader="A" --> lost', "page furniture"),
        ("url: x", "front matter of a page"),
    ],
)  # fmt: skip
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


# -------------------------------------------------------------------- running headers, page numbers


def skipped_furniture(text: str) -> list[str]:
    skipped = parse(text).skipped
    return [text[start:end].strip() for start, end, why in skipped if why == "page furniture"]


def test_running_headers_and_page_numbers_are_skipped() -> None:
    chunks = pack(PAGES)
    packed = "".join(chunk.text for chunk in chunks)
    assert packed.count("The Pump Manual") == 1  # the first line of all is the title
    assert not any(f"\n{n}" in packed for n in range(3, 7))
    assert audit(PAGES, chunks, PackConfig()).findings == ()


def test_a_paragraph_across_a_page_break_is_one_block() -> None:
    texts = [PAGES[b.start : b.end] for b in parse(PAGES).root.blocks]
    assert any("by hand if it is not wanted" in text and "for some days" in text for text in texts)
    assert "if it is not wanted\nfor some days." in pack(PAGES)[0].text


def test_a_bare_label_at_page_edges_is_not_page_furniture() -> None:
    text = pages(*(f"CHAPTER\n{'ABCD'[n]}\n{each}" for n, each in enumerate(SENTENCES)))
    assert not any("CHAPTER" in each for each in skipped_furniture(text))


@pytest.mark.parametrize("line", ["The pump is closed.", "7", "The Pump Manual, page"])
def test_the_only_line_of_a_page_is_not_page_furniture(line: str) -> None:
    text = "\f".join([line] * 12)
    assert skipped_furniture(text) == []
    assert "".join(chunk.text for chunk in pack(text)).count(line) == 12


def test_a_running_header_after_many_spaces_is_skipped_with_them() -> None:
    wide = PAGES.replace("The Pump Manual", " " * 1000 + "The Pump Manual")
    skipped = [end - start for start, end, why in parse(wide).skipped if why == "page furniture"]
    assert sum(length > 1000 for length in skipped) == 3  # the first line of all is the title
    assert sum(chunk.text.count("The Pump Manual") for chunk in pack(wide)) == 1


def test_a_table_row_at_page_edges_is_not_page_furniture() -> None:
    words = ("red", "green", "blue", "brown", "white")
    text = "".join(
        f"<!-- page {page} -->\n\nA {word} lamp is sold here, which burns oil of {word} seeds.\n\n"
        f"It is said that {word} is the best.\n\n"
        f"| Item | Price |\n|---|---|\n| {word} | 1 |\n| Sum | ten |\n\n"
        for page, word in enumerate(words, 1)
    )
    document = parse(Source(text, "d.md"))
    assert {reason for _, _, reason in document.skipped} == {"page mark"}


def test_text_without_pages_has_no_page_furniture() -> None:
    text = PAGES.replace("\f", "\n")
    assert skipped_furniture(text) == []


def test_line_numbers_of_chunks_count_skipped_line_ends() -> None:
    chunks = pack(PAGES, PackConfig(max_tokens=32, target_tokens=24, min_tokens=0))
    assert audit(PAGES, chunks, PackConfig(max_tokens=32)).findings == ()
    assert chunks[-1].lines[1] == PAGES.split("\n").index(SENTENCES[3]) + 1


TOPICS = ("valves", "motors", "seals", "pipes", "gauges", "filters", "hoses", "tanks", "belts")


def test_bare_numbers_beside_page_numbers_are_text() -> None:
    """They belong to clauses, or to the lines of code."""
    text = "\f".join(
        f"On {topic} much was written.\nOf {topic} there are many.\n({at * 7 % 5})\n{at}"
        for at, topic in enumerate(TOPICS, 1)
    )
    assert skipped_furniture(text) == [*"123456789"]


def test_a_heading_that_repeats_on_pages_is_not_page_furniture() -> None:
    text = "".join(
        f"<!-- page {at} -->\n\n# Example\n\nOn {topic} much was written.\n\nSo are {topic}.\n\n"
        for at, topic in enumerate(TOPICS, 1)
    )
    assert skipped_furniture(text) == []
