"""Sentences: where they end, and what only looks like an end."""

from collections.abc import Callable, Iterator

import pytest
import regex
from by_eye import letters
from function_calls import assert_linear
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from sentence_list import SENTENCES
from strategies import generated

from treepack import PackConfig, Source, pack
from treepack.errors import SentenceSplitterError
from treepack.sentences import rules, sentence_splitter

WITHOUT_SPACES = {"zh", "ja"}

# The exact errors: every one is a missed boundary, none is a false one.
MISSED = {"Суд отказал."}  # "in 2019. The court" is spelled like "in 2019 the Court"


def passages() -> Iterator[tuple[str, list[str]]]:
    """Yield each stretch as its language and its sentences, with the spaces between them."""
    for language, lines in SENTENCES.items():
        for line in lines.strip().splitlines():
            *firsts, last = line.strip().split("|")
            space = "" if language in WITHOUT_SPACES else " "
            yield language, [*(first + space for first in firsts), last]


def sentence_texts(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_splitter("regex").spans(text)]


# -------------------------------------------------------------------- the list


def test_the_sentence_list_is_long_and_covers_many_languages() -> None:
    assert sum(len(sentences) for _, sentences in passages()) >= 270
    assert len(SENTENCES) >= 25


def test_the_rules_find_no_false_boundaries_and_miss_only_known_ones() -> None:
    """A false boundary tears a citation apart, so there must be none in any language."""
    missed: set[str] = set()
    false_starts: set[str] = set()
    for _, sentences in passages():
        found = sentence_texts("".join(sentences))
        ends = {"".join(sentences[:index]): text for index, text in enumerate(sentences)}
        starts = {"".join(found[:index]): text for index, text in enumerate(found)}
        missed |= {ends[start].strip() for start in ends.keys() - starts.keys()}
        false_starts |= {starts[start] for start in starts.keys() - ends.keys()}
    assert (missed, false_starts) == (MISSED, set())


@pytest.mark.parametrize(
    "text",
    [
        "Art. 5", "art. 5", "No. 3", "Sec. IV", "para. (b)", "Fig. A", "Reg. (EU) 2016/679",
        "§ 12 S. 2", "Abs. 3", "z. B. Vereine", "d. h. Menschen", "i. V. m. Artikel 5",
        "ст. 5", "п. 3", "г. Москва", "ust. 2", "čl. 4", "§ 5 ff. BGB", "U.S. Supreme Court",
        "Dr. Who", "M. Dupont", "e.g. Council", "J. S. Bach", "am 3. Oktober", "1. 1. 2020",
        "2020. 1. 1. 부터", "مادة ص. 5", "Ref. No. 7", "Nos. 5", "F. Supp. 2d",
    ],
)  # fmt: skip
def test_no_citation_is_split(text: str) -> None:
    whole = f"Those who read {text} know it"
    assert sentence_texts(whole) == [whole]


def test_a_no_break_space_after_a_long_word_separates_sentences() -> None:
    text = "Second, we add licensees.\u00a0And finally, we add games.\u00a0They are new."
    assert 3 == len(rules.RegexSplitter().spans(text))
    for kept in (
        "Nach Art.\u00a0Sieben gilt es.",
        "See Prof.\u00a0Byron there.",
        "im Abs.\u00a0Eins",
        "of rules.\u00a05 hold",
    ):
        assert 1 == len(rules.RegexSplitter().spans(kept))


def test_a_no_break_space_after_an_abbreviation_is_respected() -> None:
    text = "In the sense of Vol.\u00a0Seven it holds."
    assert sentence_texts(text) == [text]


def test_a_blank_line_ends_a_sentence() -> None:
    assert sentence_texts("a title\n\nand its text") == ["a title\n\n", "and its text"]


def test_a_blank_line_is_recognised_with_any_line_ends() -> None:
    for line_end in ("\n", "\r\n", "\r"):
        text = f"a title{line_end} {line_end}and its text"
        assert sentence_texts(text)[1:] == ["and its text"]


def test_a_line_end_does_not_end_a_sentence() -> None:
    text = "The limit that\nNo. 5 sets\n(for pumps) holds."
    assert sentence_texts(text) == [text]


# -------------------------------------------------------------------- properties

PIECES = st.sampled_from(
    (*(sentence for _, sentences in passages() for sentence in sentences),
     ".", "...", "! ", "?", "。", "」", "\u0301", "\u200d", "👩‍👩‍👧", "👍🏿", "🇩🇪", "\r\n",
     "\n\n", " ", "\u00a0",
     "(", "“", "’", "[^1]", "<b>", "\ufeff", "가", "\u1100", "Art.", "5", "\ud800")
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=12).map("".join)


@generated
@given(text=TEXTS)
def test_spans_cover_the_text_and_split_no_grapheme_cluster(text: str) -> None:
    spans = sentence_splitter("regex").spans(text)
    assert "".join(text[start:end] for start, end in spans) == text
    assert all(start < end for start, end in spans)
    bounds = {match.end() for match in regex.finditer(r"\X", text)}
    assert {end for _, end in spans} <= bounds


# -------------------------------------------------------------------- own splitters


class HalvingSplitter:
    """Cuts in the middle, wherever that is."""

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return two spans."""
        middle = len(text) // 2
        return [(0, middle), (middle, len(text))]


class FixedSplitter:
    """Returns the same spans for any text."""

    def __init__(self, *spans: tuple[int, int]) -> None:
        self.given = list(spans)

    def spans(self, text: str) -> list[tuple[int, int]]:  # noqa: ARG002 - asked, not used
        """Return the given spans."""
        return self.given


def packed(text: str, cap: int, splitter: object, **settings: object) -> list[str]:
    limits = {"max_tokens": cap, "target_tokens": cap, "min_tokens": 0, "encoding": letters}
    config = {**limits, "sentence_splitter": splitter, **settings}
    return [chunk.text for chunk in pack(Source(text), PackConfig.model_validate(config))]


def test_no_splitter_can_cut_a_grapheme_cluster_or_lose_text() -> None:
    text = "e\u0301" * 15
    chunks = packed(text, 18, HalvingSplitter())
    assert "".join(chunks) == text
    assert all(len(chunk) % 2 == 0 for chunk in chunks)


def test_text_between_two_spans_belongs_to_the_previous_sentence() -> None:
    assert packed("one two three four five", 16, FixedSplitter((0, 3), (8, 23))) == [
        "one two",
        "three four five",
    ]


@pytest.mark.parametrize(
    "spans", [((0, 30), (20, 40)), ((0, 400),), ((-1, 5),), ((20, 40), (0, 20)), ((9, 5),)]
)
def test_impossible_spans_are_rejected(spans: tuple[tuple[int, int], ...]) -> None:
    """Byte offsets that are taken for characters would silently cut anywhere."""
    with pytest.raises(SentenceSplitterError, match="returned the span"):
        packed("word " * 20, 20, FixedSplitter(*spans))


def test_quote_markers_are_not_part_of_sentences() -> None:
    """Wrapped lines of a quote begin with a marker, which hid the sentences that begin there."""
    quote = "> The first one is here.\n> The second one is there.\n> And a third one."
    assert packed(quote, 30, "regex") == [
        "> The first one is here.",
        "> The second one is there.",
        "> And a third one.",
    ]


# -------------------------------------------------------------------- settings


def test_splitter_names_are_validated_and_serialized_and_objects_are_kept() -> None:
    assert '"sentence_splitter":"regex"' in PackConfig().model_dump_json()
    halves = HalvingSplitter()
    assert PackConfig(sentence_splitter=halves).sentence_splitter is halves
    assert sentence_splitter(halves) is halves
    for wrong in ("nltk", 5, object()):
        with pytest.raises(ValidationError, match="sentence_splitter"):
            PackConfig.model_validate({"sentence_splitter": wrong})


def test_the_error_for_an_unknown_splitter_lists_the_known_ones() -> None:
    with pytest.raises(SentenceSplitterError, match="no sentence splitter 'nltk'; use regex"):
        sentence_splitter("nltk")


# -------------------------------------------------------------------- linear

HOSTILE: dict[str, Callable[[int], str]] = {
    "Chinese sentences": lambda n: "这是一个句子。" * n,
    "full stops": lambda n: "." * n,
    "stops and blanks": lambda n: ". " * n,
    "stops and marks": lambda n: '."' * n,
    "initials": lambda n: "A. " * n,
    "numbers": lambda n: "5. " * n,
    "blank lines": lambda n: "\n" * n,
    "blanks after a stop": lambda n: "a." + " " * n,
    "open tags": lambda n: "a.<b " * n,
    "one word": lambda n: "x" * n,
}


@pytest.mark.parametrize("hostile", HOSTILE)
def test_the_rules_check_each_character_at_most_once(
    hostile: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The guard is asked once per candidate, and looks at a bounded window each time."""
    asked = 0

    def counting(text: str, end: int, start: int) -> bool:
        nonlocal asked
        asked += 1
        return bool(text) and end <= start

    monkeypatch.setattr(rules, "is_sentence_end", counting)
    text = HOSTILE[hostile](10_000)
    rules.RegexSplitter().spans(text)
    assert asked <= 10_000


@pytest.mark.slow
def test_many_chinese_sentences_pack_with_linear_work() -> None:
    config = PackConfig(overlap_tokens=32)
    assert_linear(lambda count: pack(Source("句子。" * count), config), 2_000)


def test_a_dash_begins_a_sentence_after_a_cjk_full_stop_and_line_end() -> None:
    """On the same line the sentence continues: the dash introduces a quotation's speaker."""
    splitter = sentence_splitter("regex")
    assert splitter.spans("如此。\n--- | ---") == [(0, 4), (4, 13)]
    assert splitter.spans("如此。——他说") == [(0, 7)]
