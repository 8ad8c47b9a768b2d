"""Paragraphs that are numbered through a whole document, as in judgments."""

import pytest

from treepack import Source, pack, parse

SENTENCE = "The owner of the pump asks the court to set aside the judgment of the court below. "
HEADINGS = ("Background", "The facts", "Discussion", "Costs")


def judgment(form: str, *, count: int = 12, restart: bool = False, gap: int = 0) -> str:
    """Return a judgment with three paragraphs below each heading."""
    parts: list[str] = []
    for number in range(1, count + 1):
        if number % 3 == 1:
            parts.append(f"## {HEADINGS[number // 3 % 4]}")
        if number != gap:
            printed = number % 3 + 1 if restart else number
            parts.append(f"{form.format(printed)} {SENTENCE * 2}".rstrip())
    return "\n\n".join(parts)


def numbers(text: str, name: str = "") -> list[str]:
    return [clause.number for clause in parse(Source(text, name)).clauses]


@pytest.mark.parametrize("form", ["{}.", "{})", "[{}]", "{}", "{}. "])
def test_paragraphs_numbered_through_all_sections_are_clauses(form: str) -> None:
    text = judgment(form)
    assert numbers(text) == [str(number) for number in range(1, 13)]
    for most in (24, 48, 200):
        chunks = pack(text, max_tokens=most, target_tokens=most)
        assert chunks.audit().ok
    assert {chunk.clause_number for chunk in pack(text, max_tokens=48)} >= {"2", "8", "12"}


def test_a_judgment_without_markup_has_the_same_clauses() -> None:
    text = judgment("{}.").replace("## ", "")
    assert numbers(text, "judgment.txt") == [str(number) for number in range(1, 13)]


def test_indented_paragraphs_without_markup_are_clauses() -> None:
    text = judgment("   {}.").replace("## ", "")
    assert numbers(text, "judgment.txt") == [str(number) for number in range(1, 13)]


def test_the_number_is_cited_alone_below_numbered_headings() -> None:
    text = judgment("{}.").replace("## Background", "## I. Background")
    text = text.replace("## Discussion", "## II. Discussion")
    assert "8" in numbers(text)
    assert parse(text).clauses[-1].number == "12"


def test_points_belong_to_their_paragraph() -> None:
    text = judgment("{}.").replace(
        "7. ", "7. The pump\n\n(a) did not run, and\n\n(b) was not clean.\n\n", 1
    )
    assert [number for number in numbers(text) if number.startswith("7")] == ["7", "7(a)", "7(b)"]


def test_the_first_sentence_of_a_paragraph_is_not_its_title() -> None:
    text = judgment("{}.").replace("5. ", "5. I agree. ")
    assert not any(clause.title for clause in parse(text).clauses)


def test_a_missing_number_does_not_end_the_numbering() -> None:
    assert numbers(judgment("{}.", gap=6)) == [str(n) for n in range(1, 13) if n != 6]


@pytest.mark.parametrize(
    "text",
    [
        judgment("{}.", count=9),
        judgment("{}.", count=24, restart=True),
        "\n\n".join(part for part in judgment("{}.").split("\n\n") if part[0] != "#"),
        judgment("{}.").replace(SENTENCE, "Clean the pump. "),
        f"{SENTENCE * 60}\n\n{judgment('{}.')}",
        judgment("{}.").replace("Costs", "Costs\n\n1. Pay\n\n2. Wait\n\n3. Ask\n\n4. Go"),
    ],
    ids=["few", "restarted", "no sections", "short items", "a part of the text", "others"],
)
def test_other_numbered_lists_are_not_clauses(text: str) -> None:
    assert numbers(text) == []
