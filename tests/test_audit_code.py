"""The audit of law 6: fences of code and math are closed and opened again."""

import pytest
from audit_records import Part, broken_laws, judge, piece, records

from treepack.model.chunk import Chunk

# ---------------------------------------------------------------- law 6: balanced fences


CODE = "~~~~python title=x\na = 1\n\nif a:\n    b = 2\n~~~~\n"


OPEN, CLOSE = ("fence", "~~~~python title=x\n"), ("fence", "\n~~~~")


def cut_code(opening: Part, closing: Part) -> list[Chunk]:
    return records(
        CODE,
        piece("~~~~python title=x\na = 1", closing),
        piece(opening, "if a:\n    b = 2\n~~~~\n"),
    )


def test_a_cut_fence_that_is_closed_and_reopened_has_no_findings() -> None:
    report = judge(CODE, cut_code(OPEN, CLOSE))
    assert report.ok, report.table()


@pytest.mark.parametrize(
    ("opening", "closing", "message"),
    [
        (OPEN, ("glue", ""), "not closed"),
        (("fence", "~~~python title=x\n"), CLOSE, "its fence is"),
        (("fence", "~~~~python\n"), CLOSE, "its info string"),
        (("fence", "```python title=x\n"), CLOSE, "has no block of exactly the lines"),
        (("glue", ""), CLOSE, "has no block of exactly the lines"),
    ],
)
def test_a_wrong_fence_breaks_law_6(opening: Part, closing: Part, message: str) -> None:
    report = judge(CODE, cut_code(opening, closing))
    assert broken_laws(report) == [6]
    assert message in report.findings[0].reason


def test_a_chunk_with_only_a_fence_breaks_law_6() -> None:
    chunks = records(
        CODE,
        piece("~~~~python title=x\na = 1\n\nif a:\n    b = 2", CLOSE),
        piece(OPEN, "~~~~\n"),
    )
    report = judge(CODE, chunks)
    assert broken_laws(report) == [6]
    assert "only a fence" in report.findings[0].reason


def test_code_lines_that_are_not_in_the_source_break_law_6() -> None:
    chunks = records(
        CODE,
        piece("~~~~python title=x\na = 1", ("glue", "\nc = 3"), CLOSE),
        piece(OPEN, "if a:\n    b = 2\n~~~~\n"),
    )
    assert broken_laws(judge(CODE, chunks)) == [6]


def test_an_unclosed_fence_may_stay_open_in_its_last_piece() -> None:
    source = "```\na\nb\n"
    assert judge(
        source,
        records(source, piece("```\na", ("fence", "\n```")), piece(("fence", "```\n"), "b\n")),
    ).ok
    wrong = records(source, piece("```\na"), piece(("fence", "```\n"), "b\n"))
    assert broken_laws(judge(source, wrong)) == [6]


@pytest.mark.parametrize(("cap", "laws"), [(40, []), (60, [6, 6])])
def test_a_closing_fence_may_be_cut_only_if_it_does_not_fit(cap: int, laws: list[int]) -> None:
    first, last = "```\none two three\n", "`" * 40
    chunks = records(
        first + last,
        piece(first, ("fence", "```")),
        *(piece(("fence", "```\n"), last[:20], *closing) for closing in ([("fence", "\n```")], [])),
    )
    report = judge(first + last, chunks, max_tokens=cap)
    assert [law for law in broken_laws(report) if law == 6] == laws


@pytest.mark.parametrize("end", ["$$\n", "$$ (1)\n"])
def test_cut_display_math_must_be_closed_and_reopened(end: str) -> None:
    source = f"$$\na + b\n= c\n{end}"
    right = records(
        source, piece("$$\na + b", ("fence", "\n$$")), piece(("fence", "$$\n"), f"= c\n{end}")
    )
    assert judge(source, right).ok
    wrong = records(source, piece("$$\na + b"), piece(f"= c\n{end}"))
    assert set(broken_laws(judge(source, wrong))) == {6}


def test_cut_indented_code_must_keep_its_indentation() -> None:
    source = "Text.\n\n    a = 1\n    b = 2\n"
    right = records(source, piece("Text.\n\n    a = 1\n"), piece("    b = 2\n"))
    assert judge(source, right).ok
    wrong = records(source, piece("Text.\n\n    a = 1\n"), piece("b = 2\n"))
    assert broken_laws(judge(source, wrong)) == [6]


@pytest.mark.parametrize(
    ("head", "line"),
    [("Text that goes on\n", "7. with a number."), ("| a | b |\n|---|---|\n", "[^n]: A row.")],
)
def test_indented_code_is_not_judged_if_its_chunk_parses_as_another_block(
    head: str, line: str
) -> None:
    """The rest parses as a list item or a footnote that includes the code."""
    rest = f"{line}\n\n    a = 1\n    b = 2\n"
    source = head + rest
    chunks = records(source, piece(head), piece(rest))
    assert 6 not in broken_laws(judge(source, chunks))
    wrong = records(source, piece(head + rest.removesuffix("    b = 2\n")), piece("b = 2\n"))
    assert 6 in broken_laws(judge(source, wrong))


def test_a_fence_in_a_list_is_judged_like_any_other() -> None:
    source = "- item\n\n  ```py\n  a\n  b\n  ```\n"
    right = records(
        source,
        piece("- item\n\n  ```py\n  a", ("fence", "\n  ```")),
        piece(("fence", "  ```py\n"), "  b\n  ```\n"),
    )
    assert judge(source, right).ok, judge(source, right).table()
    wrong = records(source, piece("- item\n\n  ```py\n  a"), piece("  b\n  ```\n"))
    assert set(broken_laws(judge(source, wrong))) == {6}


# ---------------------------------------------------------------- the judge itself


def test_fences_that_take_half_the_cap_need_not_be_repeated() -> None:
    fence = "`" * 20
    source = f"{fence}\na = 1\nb = 2\n{fence}\n"
    chunks = records(source, piece(f"{fence}\na = 1\n"), piece(f"b = 2\n{fence}\n"))
    assert 6 not in broken_laws(judge(source, chunks, max_tokens=40))
    assert 6 in broken_laws(judge(source, chunks, max_tokens=400))
