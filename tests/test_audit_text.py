"""The audit of laws 1 and 2: no text is lost, and each text is exactly that of the source."""

import pytest
from audit_records import ONE, SECTIONS, TOP, TWO, broken_laws, judge, piece, record, records, words

from treepack.model.chunk import Segment, Skipped

# ---------------------------------------------------------------- law 1: nothing lost


def test_a_lost_paragraph_breaks_law_1() -> None:
    report = judge(SECTIONS, records(SECTIONS, TOP, TWO), name="a.md")
    assert broken_laws(report) == [1]
    assert str(report.findings[0]) == (
        "a.md:5: law 1 (nothing lost): 19 characters lost (offsets 15:34), "
        'neither in a body nor skipped: "## One First text."'
    )


def test_body_in_two_chunks_breaks_law_1() -> None:
    chunks = records(SECTIONS, TOP, ONE, TWO)
    again = chunks[2].model_copy(update={"index": 3, "id": "3"})
    report = judge(SECTIONS, [*chunks, again])
    assert broken_laws(report) == [1]
    assert report.findings[0].chunk == 3


def test_chunks_out_of_order_break_law_1() -> None:
    one, two, three = records(SECTIONS, TOP, ONE, TWO)
    swapped = [
        one,
        three.model_copy(update={"index": 1}),
        two.model_copy(update={"index": 2}),
    ]
    assert broken_laws(judge(SECTIONS, swapped)) == [1]


FRONT = "---\ntitle: A\n---\n\nText.\n"


def test_front_matter_may_be_skipped_with_a_reason() -> None:
    skipped = (Skipped(span=(0, 16), reason="front matter"),)
    assert judge(FRONT, records(FRONT, piece("Text.\n", skipped=skipped))).ok


def test_front_matter_may_stay_in_the_text() -> None:
    assert judge(FRONT, records(FRONT, piece("---\ntitle: A\n---\n\nText.\n"))).ok


@pytest.mark.parametrize(
    ("span", "reason", "message"),
    [
        ((0, 16), " ", "without a reason"),
        ((0, 20), "front matter", "is also in a body"),
    ],
)
def test_a_wrong_skipped_entry_breaks_law_1(
    span: tuple[int, int], reason: str, message: str
) -> None:
    skipped = (Skipped(span=span, reason=reason),)
    report = judge(FRONT, records(FRONT, piece("Text.\n", skipped=skipped)))
    assert broken_laws(report) == [1]
    assert message in report.findings[0].reason


@pytest.mark.parametrize(
    "source",
    ["", " \n\t\n", "\ufeff", "---\na: 1\n---\n", "\ufeff---\na: 1\n---", "+++\na = 1\n+++\n"],
)
def test_a_document_without_text_needs_no_chunk(source: str) -> None:
    assert judge(source, []).ok


@pytest.mark.parametrize("start", ["", "\ufeff", "\n"])
def test_a_document_of_only_page_marks_needs_no_chunk(start: str) -> None:
    assert judge(f"{start}<!-- page break -->\n", []).ok
    assert broken_laws(judge(f"{start}<!-- page of text -->\n", [])) == [1]


def test_a_document_with_text_needs_chunks() -> None:
    assert broken_laws(judge("---\nTo be.\n\nOr not.\n", [])) == [1]


# ---------------------------------------------------------------- law 2: exact


def test_text_that_differs_from_its_segments_breaks_law_2() -> None:
    chunks = records(SECTIONS, piece(SECTIONS, text=SECTIONS + "!", embed_text=SECTIONS + "!"))
    assert broken_laws(judge(SECTIONS, chunks)) == [2]


def test_a_segment_that_differs_from_its_span_breaks_law_2() -> None:
    source = "One\ttwo.\n"
    segment = Segment(role="body", text="One two.\n", span=(0, 9))
    report = judge(source, [record(source, 0, [segment], {}, words)])
    assert broken_laws(report) == [2]


def test_a_span_outside_the_source_breaks_law_2() -> None:
    segments = [
        Segment(role="body", text="One.", span=(0, 4)),
        Segment(role="glue", text="", span=(7, 9)),
    ]
    assert broken_laws(judge("One.", [record("One.", 0, segments, {}, words)])) == [2]


def test_body_without_a_span_breaks_law_2() -> None:
    segments = [
        Segment(role="body", text="One.", span=(0, 4)),
        Segment(role="body", text=" More."),
    ]
    assert broken_laws(judge("One.", [record("One.", 0, segments, {}, words)])) == [2]


def test_a_lost_line_break_between_bodies_breaks_law_2() -> None:
    source = "One.\n\n# Two\n\nThree.\n"
    right = records(source, piece("One.\n\n", "# Two\n\n", "Three.\n"))
    assert judge(source, right).ok
    wrong = records(source, piece("One.", "# Two\n\nThree.\n"))
    assert broken_laws(judge(source, wrong)) == [2]
