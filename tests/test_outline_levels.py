"""Consistent levels stay, whatever the words; flattened and scrambled levels are restored.

The documents here are written for the tests, each as one line of headings with ``|`` between.
"""

import random
from itertools import permutations

import laws
import pytest

from treepack.document.build import parse
from treepack.numbers.heading_numbers import heading_numbers
from treepack.outline.levels import new_levels


def depths(levels: list[int]) -> list[int]:
    """Return how many headings enclose each heading."""
    found: list[int] = []
    path: list[int] = []
    for level in levels:
        while path and path[-1] >= level:
            path.pop()
        found.append(len(path))
        path.append(level)
    return found


def repaired(headings: list[laws.Heading], levels: list[int]) -> list[int]:
    """Return the final levels of headings that begin with the given levels."""
    return [level for level, _ in new_levels(levels, [heading.title for heading in headings])]


def outline(text: str) -> list[laws.Heading]:
    """Return the headings of one line such as ``# 1 A|## 1.1 B``."""
    marks = [row.partition(" ") for row in text.split("|")]
    return [laws.Heading(len(mark), title) for mark, _, title in marks]


def moved_headings(text: str) -> dict[str, int]:
    """Return the titles and the new levels of those headings of one line that are moved."""
    headings = outline(text)
    new = repaired(headings, [heading.level for heading in headings])
    return {h.title: level for h, level in zip(headings, new, strict=True) if level != h.level}


# -------------------------------------------------------------------- right outlines


@pytest.mark.slow
def test_consistent_levels_of_a_law_are_not_changed() -> None:
    for seed in range(400):
        headings = laws.law(seed)
        levels = [heading.level for heading in headings]
        assert repaired(headings, levels) == levels, seed


@pytest.mark.parametrize("is_through", [True, False])
def test_any_order_of_division_words_is_accepted(is_through: bool) -> None:  # noqa: FBT001 - a parameter of the table
    """All orders of five words are tried; the innermost is numbered throughout or anew."""
    for words in permutations(("Book", "Part", "Title", "Chapter", "Section")):
        count, rows = 0, ["# The Code"]
        for one in (1, 2):
            rows.append(f"## {words[0]} {one} Words")
            for two in (1, 2):
                rows += [f"### {words[1]} {two} Words", f"#### {words[2]} {one} Words"]
                for three in (1, 2, 3):
                    count = count + 1 if is_through else three
                    rows.append(f"##### {words[3]} {count} Words")
        assert moved_headings("|".join(rows)) == {}, words


@pytest.mark.parametrize(
    "text",
    [
        # papers
        "# T|## 1. Aim|## 2. Way|### 2.1 Aa|### 2.2 Bb|## 3. End|## References|## Supplement",
        "# T|## I. Aim|## II. Way|### A. One|### B. Two|## III. End|## References",
        # standards and RFCs
        "# 1 Scope|# 2 Terms|## 2.1 Aa|# Annex A (informative) Xx|## A.1 Yy|### A.1.1 Zz|# Index",
        "# 1. Aim|## 1.1. Aa|# Appendix A. Xx|## Appendix A.1. Yy|## Appendix A.2. Zz|# Authors",
        # laws
        (
            "# Title 12|## Chapter II|### Subchapter A|#### PART 201|##### § 201.1 Aa|##### § 201.2"
            "|#### PART 202|##### § 202.1 Cc|### Subchapter B|#### PART 220|##### § 220.1 Dd"
        ),
        (
            "# Title 26|## CHAPTER 1|### Subchapter A|#### PART I|##### § 1. Tax|##### § 2. Terms"
            "|#### PART II|##### § 11. Tax|### Subchapter B|#### PART I|##### § 61. X|## CHAPTER 2"
        ),
        (
            "# Livre Ier|## Titre Ier|### Chapitre Ier|#### Section 1|##### Article 7"
            "|### Chapitre II|#### Article 16|#### Article 16-1|# II|## Titre Ier|### Article 34"
        ),
        "# 1. Titel|## 1. Kapitel|### Art. 1|### Art. 2|## 2. Kapitel|### Art. 3|# 2. Titel",
        "# Chapter 1|## Article 1|## Article 2|# Chapter 2|## Article 3|# Article 4 Last words",
        "# Article 1|# Article 2|# Chapter 1|## Article 3|## Article 4|# Chapter 2|## Article 5",
        "# Artikel 1 Amends|## § 5 Aa|## § 6 Bb|# Artikel 2 Amends|## § 1 Cc|## § 7 Dd",
        "# Part 1|## Section 1|# Schedule 1|## Part 1|### Paragraph 1|## Part 2|# Schedule 2",
        "## Recital 1|## Recital 2|## Recital 3|## Article 1|## Article 2|## Article 3",
        # contracts
        "# ARTICLE I|## Section 1.1 Aa|## Section 1.2 Bb|# ARTICLE II|## Section 2.1 Cc|### (a) Xx",
        # manuals, lists of questions, recipes, versions
        "# Cake|## 1. Mix|## 2. Bake|# Bread|## 1. Knead|## 2. Rise|## 3. Bake",
        "# 1. Install|## 1. Load|## 2. Unpack|# 2. Set up|## 1. Edit|## 2. Save|# 3. Run|## 1. Go",
        "# 1. Plan|## Phase A|### 1. Aim|### 2. Staff|## Phase B|### 3. Buy|# 2. Do|### 4. Act",
        "# 1 First|## 1. Aa|## 2. Bb|# 2 Second|## 3. Cc|## 4. Dd|# 3 Third|## 5. Ee",
        "# 1 First|## 1. Aa|## 2. Bb" + "".join(f"|# {n} Word" for n in range(2, 15)),
        "# 5 Aa|## 5.1 Bb|## 5.2 Cc|# Uses|## 5.1 Dd" + "".join(f"|# {n} Ee" for n in range(6, 15)),
        "# Basics|## 1.1 Aa|## 1.2 Bb|# More|## 1.3 Cc|## 1.4 Dd|# Last|## 2.1 Ee",
        "# Lesson 1|## 1.1 Aa|## 1.2 Bb|# Lesson 2|## 2.1 Cc|## 2.2 Dd",
        "# One|## 1 Aa|### 1.1 Bb|### 1.2 Cc|# Two|## 1 Aa|### 1.1 Bb|### 1.2 Cc|## 2 Dd|### 2.1 E",
        "# Chapter 5|## 5.1 Aa|## 5.2 Bb|# Annex 1|## 1 Cc|### 1.1 Dd|# Annex 2|## 1 Ee",
        "# Part 1|## Rule 1|### 1.1 Aa|# Other words|## 1.2 Bb|## 2.8 Cc|# Part 2|## 3.9 Dd",
        "# API|## Version 1.0|### foo|## Version 1.1|### bar|## Version 1.1.1|### baz",
        "# Changes|## 1.0.0|### Added|## 1.0.1|### Fixed|## 1.1.0|## 2.0.0",
        # levels that are skipped
        "# 1 Aa|### 1.1 Bb|##### 1.1.1 Cc|### 1.2 Dd|# 2 Ee|### 2.1 Ff",
    ],
)
def test_an_outline_that_numbers_do_not_contradict_is_not_changed(text: str) -> None:
    assert moved_headings(text) == {}


# -------------------------------------------------------------------- contradictions


@pytest.mark.parametrize(
    ("text", "moved"),
    [
        # a file that runs out of levels
        ("# 5 Aa|## 5.1 Bb|### 5.1.1 Cc|### 5.1.1.1 Dd|### 5.1.2 Ee", {"5.1.1.1 Dd": 4}),
        # headings below a moved heading move with it
        (
            "# 5 Aa|# 5.1 Bb|## Note|## 5.1.1 Cc|# 6 Dd|## 6.1 Ee",
            {"5.1 Bb": 2, "Note": 3, "5.1.1 Cc": 3},
        ),
        # a number below the one that it continues
        ("# 1 Aa|## 1.1 Bb|### 1.2 Cc|#### Note|# 2 Dd|## 2.1 Ee", {"1.2 Cc": 2, "Note": 3}),
        (
            "# Title 1|## Article 1|### Article 2|## Article 3|# Title 2|## Article 4|## Article 5",
            {"Article 2": 2},
        ),
        ("# 1 Aa|## 2 Bb|# 3 Cc|## 3.1 Dd|## 3.2 Ee", {"2 Bb": 1}),
        # a title without a number between two subclauses
        ("# 5 Aa|## 5.1 Bb|# Note|## 5.2 Cc|# 6 Dd|## 6.1 Ee", {"Note": 2}),
        # annexes that have the level of their own clauses
        ("# 1 Aa|## 1.1 Bb|# Annex A Cc|# A.1 Dd|# A.2 Ee", {"A.1 Dd": 2, "A.2 Ee": 2}),
    ],
)
def test_only_headings_that_a_number_contradicts_are_moved(
    text: str, moved: dict[str, int]
) -> None:
    assert moved_headings(text) == moved


@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        ("# 5 A|# 5.1 B|# 5.2 C", [f"5.{n} belongs below 5 (all on one level)" for n in (1, 2)]),
        ("# 5 A|## 5.1 B|# 5.2 C|# 6 D", ["5.2 belongs below 5"]),
        ("# 5 A|## 5.1 B|### 5.2 C|# 6 D", ["5.2 belongs below 5"]),
        ("# Rule 1|## Rule 2|# Rule 3|# Rule 4", ["Rule 2 is at the top of its numbering"]),
    ],
)
def test_the_reason_names_the_contradiction(text: str, reasons: list[str]) -> None:
    changes = parse(laws.written(outline(text)), outline="auto").outline_changes
    assert [change.reason for change in changes] == reasons


# -------------------------------------------------------------------- flattened and scrambled


@pytest.mark.slow
def test_a_flattened_law_is_restored_from_its_numbers() -> None:
    for seed in range(200):
        headings = laws.full_law(seed)
        if headings[0].title == "The Code" or _has_annexes(headings):
            continue
        new = repaired(headings, [2] * len(headings))
        assert depths(new) == depths([heading.level for heading in headings]), seed


@pytest.mark.slow
def test_a_scrambled_law_is_restored_from_its_numbers() -> None:
    for seed in range(200):
        headings = laws.full_law(seed)
        if len(headings) < 40 or headings[0].title == "The Code" or _has_annexes(headings):
            continue
        dice = random.Random(seed)  # noqa: S311 - the same each time
        new = repaired(headings, [dice.randint(1, 4) for _ in headings])
        assert depths(new) == depths([heading.level for heading in headings]), seed


def _has_annexes(headings: list[laws.Heading]) -> bool:
    """Whether some divisions are annexes, or have words that are not known as numbered."""
    words = {heading.title.partition(" ")[0] for heading in headings}
    return bool(words & {"Schedule", "Anhang", "Division", "Untertitel"})


@pytest.mark.parametrize(
    "text",
    [
        "# 1 Aim|# 2 Terms|## 2.1 Aa|## 2.2 Bb|# Annex A Xx|## A.1 Yy|### A.1.1 Zz|# Annex B Qq",
        "# 1 Aim|# 2 Way|## 2.1 Aa|## 2.2 Bb|# 3 End|# References|# Appendix A Xx|## A.1 Yy",
        "# 1 Aim|# 2 Terms|# Annex A|## 1 General|## 2 More|# Annex B|## 1 General",
        "# ARTICLE I|## Section 1.1 Aa|## Section 1.2 Bb|# ARTICLE II|## Section 2.1 Cc",
        (
            "# CHAPTER I|## Article 1|## Article 2|# CHAPTER II|## Section 1|### Article 3"
            "|## Section 2|### Article 4|### Article 5|# CHAPTER III|## Section 1|### Article 6"
        ),
        (  # few books have parts
            "# Book I|## Chapter 1|# Book II|## Part 1|### Chapter 2|## Part 2|### Chapter 3"
            "|# Book III|## Chapter 4|# Book IV|## Part 1|### Chapter 5|## Part 2|### Chapter 6"
            "|# Book V|## Chapter 7|# Book VI|## Chapter 8"
        ),
        "# Part A|## Rule 1|## Rule 2|# Part B|## Rule 3|# Part C|## Rule 4|# Part D|## Rule 5",
    ],
)
def test_flat_headings_are_nested_by_their_numbers(text: str) -> None:
    headings = outline(text)
    new = repaired(headings, [2] * len(headings))
    assert [level - 1 for level in new] == [heading.level for heading in headings]


# -------------------------------------------------------------------- 1.0 for 1


@pytest.mark.parametrize(
    "text",
    [
        "## 2.1|## 2.0|## 1.1|## 1.0",  # a change log
        "## 1.0 (May 2024)|## 1.1 (2025-01-01)|## 2.0 (2026-01-01)|## 2.1",  # one that rises
        "## 1 Scope|## 1.0 Aim|## 1.1 Place|## 2 Duties|## 2.0 Form",  # 1 is there already
        "## 1.0 Scope|## 1.1 Aim|## 3.1 Place|## 2.0 Duties",  # 3.1 is below nothing
    ],
)
def test_other_numbers_that_end_with_zero_keep_all_their_components(text: str) -> None:
    titles = [heading.title for heading in outline(text)]
    numbers = heading_numbers(titles)
    assert all(
        number is None or len(number.parts) == number.label.count(".") + 1 for number in numbers
    )
