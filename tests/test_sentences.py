"""Sentences: where they end, and what only looks like an end."""

from collections.abc import Iterator

import by_eye
import pytest
import regex
from by_eye import texts
from case_files import parts_of
from function_calls import assert_linear
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import ValidationError
from strategies import generated

from treepack import PackConfig, Source, pack
from treepack.errors import SentenceSplitterError
from treepack.sentences import rules, sentence_splitter

SENTENCES = dict(parts_of("sentences.txt"))
WITHOUT_SPACES = {"zh", "ja"}

# The exact errors: every one is a missed boundary, none is a false one.
MISSED = {"Суд отказал."}  # "in 2019. The court" is spelled like "in 2019 the Court"


def passages() -> Iterator[tuple[str, list[str]]]:
    """Yield each stretch as its language and its sentences, with the spaces between them."""
    for language, lines in SENTENCES.items():
        for line in filter(None, lines):
            *firsts, last = line.split("|")
            space = "" if language in WITHOUT_SPACES else " "
            yield language, [*(first + space for first in firsts), last]


def sentence_texts(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_splitter("regex").spans(text)]


def test_the_rules_find_no_false_boundaries_and_miss_only_known_ones() -> None:
    """A false boundary tears a citation apart, so there must be none in any language."""
    assert len(SENTENCES) >= 25
    missed: set[str] = set()
    false_starts: set[str] = set()
    for _, sentences in passages():
        found = sentence_texts("".join(sentences))
        ends = {"".join(sentences[:index]): text for index, text in enumerate(sentences)}
        starts = {"".join(found[:index]): text for index, text in enumerate(found)}
        missed |= {ends[start].strip() for start in ends.keys() - starts.keys()}
        false_starts |= {starts[start] for start in starts.keys() - ends.keys()}
    assert (missed, false_starts) == (MISSED, set())


@pytest.mark.parametrize("text", parts_of("citations.txt")[0][1])
def test_no_citation_is_split(text: str) -> None:
    whole = f"Those who read {text} know it"
    assert sentence_texts(whole) == [whole]


@pytest.mark.parametrize("line", parts_of("sentence_spaces.txt")[0][1])
def test_spaces_and_line_ends_between_sentences(line: str) -> None:
    sentences = [each.replace("~", "\u00a0").replace("¦", "|") for each in line.split("|")]
    for end in ("\n", "\r\n", "\r"):
        expected = [sentence.replace("↵", end) for sentence in sentences]
        assert sentence_texts("".join(expected)) == expected


PIECES = st.sampled_from(
    (*(sentence for _, sentences in passages() for sentence in sentences),
     ".", "...", "! ", "?", "。", "」", "\u0301", "\u200d", "👩‍👩‍👧", "👍🏿", "🇩🇪", "\r\n",
     "\n\n", " ", "\u00a0",
     "(", "“", "’", "[^1]", "<b>", "\ufeff", "가", "\u1100", "Art.", "5", "\ud800")
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=12).map("".join)


@generated
@example(text="The operator shall comply with Art. 7 of the Act. \u0301")
@given(text=TEXTS)
def test_spans_cover_the_text_and_split_no_grapheme_cluster(text: str) -> None:
    spans = sentence_splitter("regex").spans(text)
    assert "".join(text[start:end] for start, end in spans) == text
    assert all(start < end for start, end in spans)
    bounds = {match.end() for match in regex.finditer(r"\X", text)}
    assert {end for _, end in spans} <= bounds


class FixedSplitter:
    """Returns the same spans for any text: by default two, cut in the middle, wherever that is."""

    def __init__(self, *spans: tuple[int, int]) -> None:
        self.given = list(spans)

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return the given spans."""
        middle = len(text) // 2
        return self.given or [(0, middle), (middle, len(text))]


def packed(text: str, cap: int, splitter: object) -> list[str]:
    return texts(by_eye.packed(text, cap, encoding=len, sentence_splitter=splitter))


def test_no_splitter_can_cut_a_grapheme_cluster_or_lose_text() -> None:
    text = "e\u0301" * 15
    chunks = packed(text, 18, FixedSplitter())
    assert "".join(chunks) == text
    assert all(len(chunk) % 2 == 0 for chunk in chunks)


def test_text_between_two_spans_belongs_to_the_previous_sentence() -> None:
    found = packed("one two three four five", 16, FixedSplitter((0, 3), (8, 23)))
    assert found == ["one two", "three four five"]


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
    assert packed(quote, 30, "regex") == quote.split("\n")


def test_splitter_names_are_validated_and_serialized_and_objects_are_kept() -> None:
    assert '"sentence_splitter":"regex"' in PackConfig().model_dump_json()
    halves = FixedSplitter()
    assert PackConfig(sentence_splitter=halves).sentence_splitter is halves
    assert sentence_splitter(halves) is halves
    for wrong in ("nltk", 5, object()):
        with pytest.raises(ValidationError, match="sentence_splitter"):
            PackConfig.model_validate({"sentence_splitter": wrong})
    with pytest.raises(SentenceSplitterError, match="no sentence splitter 'nltk'; use regex"):
        sentence_splitter("nltk")


HOSTILE = ("这是一个句子。", ".", ". ", '."', "A. ", "5. ", "\n", "a. ", "a.<b ", "x")


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
    for text in (hostile * 10_000, "a." + hostile[-1] * 10_000):
        asked = 0
        rules.RegexSplitter().spans(text)
        assert asked <= 10_000


@pytest.mark.slow
def test_many_chinese_sentences_pack_with_linear_work() -> None:
    config = PackConfig(overlap_tokens=32)
    assert_linear(lambda count: pack(Source("句子。" * count), config), 2_000)
