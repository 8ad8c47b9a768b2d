"""Letters as labels of points: what distinguishes them from roman numerals."""

import random
from collections.abc import Callable

import pytest
from clause_texts import blocks, numbers


def test_capital_letters_are_points_if_they_form_a_sequence() -> None:
    text = blocks("# Section 3 Rent", "A. Rent is due.", "B. Rent is paid.", "C. It is kept.")
    assert numbers(text) == ["3", "3(A)", "3(B)", "3(C)"]
    assert numbers(blocks("# Section 3 Rent", "A. Smith rents it.", "Words.")) == ["3"]


def test_letter_i_is_distinguished_from_roman_one() -> None:
    letters = [f"({letter}) point" for letter in "abcdefghij"]
    assert numbers(blocks("# Article 1", *letters))[-2:] == ["1(i)", "1(j)"]
    romans = [*letters[:8], "(i) one", "(ii) two", letters[8], letters[9]]
    assert numbers(blocks("# Article 1", *romans))[-4:] == [
        *("1(h)(i)", "1(h)(ii)", "1(i)", "1(j)"),
    ]


def _roman(value: int) -> str:
    tens, ones = divmod(value, 10)
    return "x" * tens + ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")[ones]


def _double(value: int) -> str:
    return chr(96 + value) * 2


def _points(dice: random.Random) -> tuple[list[str], list[str]]:
    """Return points from (a) on, some with romans or double letters below, and their numbers.

    The list never ends at (v) or (x), which look the same as the romans after (iv) and (ix).
    """
    form = dice.choice(("({})", "{})", "{}."))
    inner = _roman if form == "{}." else dice.choice((_roman, _double))
    case = dice.choice((str.lower, str.upper)) if form != "{}." else str.lower
    labels: list[str] = []
    paths: list[str] = []
    last = dice.choice([*range(1, 22), 23, 25, 26])
    for value in range(1, last + 1):
        letter = case(chr(96 + value))
        labels.append(form.format(letter))
        paths.append(f"({letter})")
        for below in range(1, dice.choice((0, 0, 0, dice.randint(3, 8))) + 1):
            labels.append(form.format(case(inner(below))))
            paths.append(f"({letter})({case(inner(below))})")
    return labels, paths


@pytest.mark.slow
def test_letters_are_distinguished_from_roman_numerals_in_random_lists() -> None:
    for seed in range(600):
        labels, paths = _points(random.Random(seed))  # noqa: S311 - the same each time
        text = blocks("# Article 5", *(f"{label} words of it;" for label in labels))
        assert numbers(text)[1:] == [f"5{path}" for path in paths], seed


@pytest.mark.parametrize("form", ["({})", "{})"])
@pytest.mark.parametrize("case", [str.lower, str.upper])
@pytest.mark.parametrize(
    ("labels", "paths"),
    [
        ("h i", "h i"),
        ("h i j", "h i j"),
        ("h i ii", "h h.i h.ii"),
        ("h i i ii j", "h i i.i i.ii j"),
        ("h i ii i j", "h h.i h.ii i j"),
        ("h i ii i i ii j", "h h.i h.ii i i.i i.ii j"),
        ("u v w", "u v w"),
        ("u i ii iii iv v vi v w", "u u.i u.ii u.iii u.iv u.v u.vi v w"),
        ("u i ii iii iv v w", "u u.i u.ii u.iii u.iv v w"),
        ("u i ii iii iv v i ii w", "u u.i u.ii u.iii u.iv v v.i v.ii w"),
        ("u i ii iii iv v i ii", "u u.i u.ii u.iii u.iv v v.i v.ii"),
        ("w x y", "w x y"),
        ("w i ii x i ii y", "w w.i w.ii x x.i x.ii y"),
        ("a aa bb b", "a a.aa a.bb b"),
        ("y z aa bb cc", "y z aa bb cc"),
    ],
)
def test_the_following_labels_distinguish_letters_from_roman_numerals(
    form: str, case: Callable[[str], str], labels: str, paths: str
) -> None:
    before = [chr(code) for code in range(ord("a"), ord(labels[0]))]
    given = [*before, *labels.split()]
    wanted = [*before, *paths.split()]
    text = blocks("# Article 5", *(f"{form.format(case(label))} words of it;" for label in given))
    assert numbers(text)[1:] == [
        "5" + "".join(f"({case(step)})" for step in path.split(".")) for path in wanted
    ]


def test_doubled_labels_do_not_hide_the_labels_that_follow() -> None:
    before = [f"({letter}) point;" for letter in "abcdefgh"]
    text = blocks("# Article 5", *before, "(i)", "(i)", "one;", "(ii)", "(ii)", "two;", "(i) end.")
    assert numbers(text)[-4:] == ["5(h)", "5(h)(i)", "5(h)(ii)", "5(i)"]
