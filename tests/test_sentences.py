"""Sentences: where they end, and what only looks like an end."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
import regex
from by_eye import letters
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from sentence_list import SENTENCES
from strategies import generated

import treepack
from treepack import (
    PackConfig,
    SentenceSplitter,
    SentenceSplitterError,
    Source,
    audit,
    pack,
    sentence_splitter,
)
from treepack.sentences import rules, windows

WITHOUT_SPACES = {"zh", "ja"}

# The exact errors of each splitter: every one is a missed boundary, none is a false one.
MISSED = {
    "regex": {"Суд отказал."},  # "in 2019. The court" is spelled like "in 2019 the Court"
    "sentencex": {
        "Суд отказал.",
        "Press reset.",
        "The pipe is longer.",
        "They are strict.[12]",
        "*Ask first.*",
        "Windows follows.",
        "Είναι κανόνας, π.χ. Νόμος ή διάταγμα.",
        "完毕。",
    },
}
NAMES = ("regex", "sentencex")


def passages() -> Iterator[tuple[str, list[str]]]:
    """Yield each stretch as its language and its sentences, with the spaces between them."""
    for language, lines in SENTENCES.items():
        for line in lines.strip().splitlines():
            *firsts, last = line.strip().split("|")
            space = "" if language in WITHOUT_SPACES else " "
            yield language, [*(first + space for first in firsts), last]


@pytest.fixture(params=NAMES)
def splitter(request: pytest.FixtureRequest) -> SentenceSplitter:
    if request.param == "sentencex":
        pytest.importorskip("sentencex")
    return sentence_splitter(request.param)


def sentence_texts(splitter: SentenceSplitter, text: str) -> list[str]:
    return [text[start:end] for start, end in splitter.spans(text)]


# -------------------------------------------------------------------- the list


def test_the_sentence_list_is_long_and_covers_many_languages() -> None:
    assert sum(len(sentences) for _, sentences in passages()) >= 270
    assert len(SENTENCES) >= 25


@pytest.mark.parametrize("name", NAMES)
def test_splitters_find_no_false_boundaries_and_miss_only_known_ones(name: str) -> None:
    """A false boundary tears a citation apart, so there must be none in any language."""
    if name == "sentencex":
        pytest.importorskip("sentencex")
    finder = sentence_splitter(name)
    missed: set[str] = set()
    false_starts: set[str] = set()
    for _, sentences in passages():
        found = sentence_texts(finder, "".join(sentences))
        ends = {"".join(sentences[:index]): text for index, text in enumerate(sentences)}
        starts = {"".join(found[:index]): text for index, text in enumerate(found)}
        missed |= {ends[start].strip() for start in ends.keys() - starts.keys()}
        false_starts |= {starts[start] for start in starts.keys() - ends.keys()}
    assert (missed, false_starts) == (MISSED[name], set())


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
def test_no_citation_is_split(splitter: SentenceSplitter, text: str) -> None:
    whole = f"Those who read {text} know it"
    assert sentence_texts(splitter, whole) == [whole]


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


def test_a_no_break_space_after_an_abbreviation_is_respected(splitter: SentenceSplitter) -> None:
    text = "In the sense of Vol.\u00a0Seven it holds."
    assert sentence_texts(splitter, text) == [text]


def test_a_blank_line_ends_a_sentence(splitter: SentenceSplitter) -> None:
    assert sentence_texts(splitter, "a title\n\nand its text") == ["a title\n\n", "and its text"]


def test_a_blank_line_is_recognised_with_any_line_ends() -> None:
    for line_end in ("\n", "\r\n", "\r"):
        text = f"a title{line_end} {line_end}and its text"
        assert sentence_texts(sentence_splitter("regex"), text)[1:] == ["and its text"]


def test_a_line_end_does_not_end_a_sentence(splitter: SentenceSplitter) -> None:
    text = "The limit that\nNo. 5 sets\n(for pumps) holds."
    assert sentence_texts(splitter, text) == [text]


# -------------------------------------------------------------------- properties

PIECES = st.sampled_from(
    (*(sentence for _, sentences in passages() for sentence in sentences),
     ".", "...", "! ", "?", "。", "」", "\u0301", "\u200d", "👩‍👩‍👧", "👍🏿", "🇩🇪", "\r\n",
     "\n\n", " ", "\u00a0",
     "(", "“", "’", "[^1]", "<b>", "\ufeff", "가", "\u1100", "Art.", "5", "\ud800")
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=12).map("".join)


@pytest.mark.parametrize("name", NAMES)
@generated
@given(text=TEXTS)
def test_spans_cover_the_text_and_split_no_grapheme_cluster(name: str, text: str) -> None:
    if name == "sentencex":
        pytest.importorskip("sentencex")
    spans = sentence_splitter(name).spans(text)
    assert "".join(text[start:end] for start, end in spans) == text
    assert all(start < end for start, end in spans)
    bounds = {match.end() for match in regex.finditer(r"\X", text)}
    assert {end for _, end in spans} <= bounds


@pytest.mark.parametrize("name", NAMES)
@generated
@given(
    paragraphs=st.lists(TEXTS, max_size=4),
    mark=st.sampled_from(("", "> ", "- ", "> 1. ")),
    cap=st.integers(40, 80),
)
def test_packing_keeps_its_laws_with_either_splitter(
    name: str, paragraphs: list[str], mark: str, cap: int
) -> None:
    if name == "sentencex":
        pytest.importorskip("sentencex")
    text = "\n\n".join(mark + paragraph for paragraph in paragraphs)
    config = PackConfig(max_tokens=cap, sentence_splitter=name, overlap_tokens=cap // 4)
    chunks = pack(Source(text), config)
    report = audit(text, chunks, max_tokens=cap, overlap_tokens=config.overlap_tokens)
    assert not [finding for finding in report.findings if finding.law != 9]


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


class OneSentenceSplitter:
    """Finds one sentence in any text."""

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return one span."""
        return [(0, len(text))]


def packed(text: str, cap: int, splitter: object, **settings: object) -> list[str]:
    limits = {"max_tokens": cap, "target_tokens": cap, "min_tokens": 0, "encoding": letters}
    config = {**limits, "sentence_splitter": splitter, **settings}
    return [chunk.text for chunk in pack(Source(text), PackConfig.model_validate(config))]


def test_any_object_with_a_spans_method_is_a_splitter() -> None:
    assert packed("abcdefghij" * 3, 16, HalvingSplitter()) == ["abcdefghijabcde", "fghijabcdefghij"]


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


@pytest.mark.parametrize("markup", ["{}", "<div>\n{}\n</div>"])
def test_a_long_sentence_is_cut_at_full_stops_that_its_splitter_missed(
    markup: str,
) -> None:
    """A cut at a full stop that the splitter ignored is better than a cut at any word."""
    parts = ["First comes this one.", "Then comes the second.", "And here is the third."]
    whole = " ".join(parts)
    text = markup.format(f"{whole} {whole}")
    chunks = packed(text, 60, OneSentenceSplitter())
    assert len(chunks) > 2
    assert all(chunk.removesuffix("</div>").rstrip()[-1] in ".>" for chunk in chunks)


def test_quote_markers_are_not_part_of_sentences() -> None:
    """Wrapped lines of a quote begin with a marker, which hid the sentences that begin there."""
    quote = "> The first one is here.\n> The second one is there.\n> And a third one."
    assert packed(quote, 30, "regex") == [
        "> The first one is here.",
        "> The second one is there.",
        "> And a third one.",
    ]


def test_an_overlap_consists_of_sentences_of_the_same_splitter() -> None:
    text = "aaaa bbbb " * 8
    spans = FixedSplitter(*pairwise(range(0, 80, 10)), (70, 79))
    assert packed(text, 30, spans, overlap_tokens=10)[1].startswith("aaaa bbbb aaaa bbbb")
    assert len(packed(text, 30, spans)) == 3


def test_a_space_before_a_paragraph_does_not_begin_a_sentence() -> None:
    """The heading was once separated from its paragraph there."""
    chunks = packed(f"# Title\n\n {'word ' * 40}", 40, "regex", repeat_heading=False)
    assert chunks[0].startswith("# Title\n\n word")


# -------------------------------------------------------------------- settings


def test_splitter_names_are_validated_and_serialized_and_objects_are_kept() -> None:
    assert PackConfig(sentence_splitter="sentencex").model_dump()["sentence_splitter"] == (
        "sentencex"
    )
    assert '"sentence_splitter":"regex"' in PackConfig().model_dump_json()
    halves = HalvingSplitter()
    assert PackConfig(sentence_splitter=halves).sentence_splitter is halves
    assert sentence_splitter(halves) is halves
    for wrong in ("nltk", 5, object()):
        with pytest.raises(ValidationError, match="sentence_splitter"):
            PackConfig.model_validate({"sentence_splitter": wrong})


def test_the_error_for_an_unknown_splitter_lists_the_known_ones() -> None:
    with pytest.raises(
        SentenceSplitterError, match="no sentence splitter 'nltk'; use regex, sentencex"
    ):
        sentence_splitter("nltk")


def test_the_repr_of_a_named_splitter_shows_its_name(splitter: SentenceSplitter) -> None:
    assert repr(splitter) in {f"sentence_splitter({name!r})" for name in NAMES}


def test_the_error_for_a_missing_extra_says_what_to_install() -> None:
    code = """
import sys; sys.modules["sentencex"] = None
import treepack
try:
    treepack.pack("text", treepack.PackConfig(sentence_splitter="sentencex"))
except treepack.MissingExtraError as error:
    print(error)
"""
    command = [sys.executable, "-c", code]
    source = os.path.dirname(os.path.dirname(treepack.__file__))  # noqa: PTH120 - a path to set
    environment = {**os.environ, "PYTHONPATH": source}
    result = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    assert "pip install treepack[sentences]" in result.stdout


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


def test_sentencex_reads_bounded_windows_and_the_text_at_most_twice() -> None:
    """Sentencex takes quadratic time for one unbroken Chinese paragraph."""
    pytest.importorskip("sentencex")
    for hostile in HOSTILE.values():
        text = hostile(20_000)
        finder = windows.SentencexSplitter()
        lengths: list[int] = []
        segment = finder.segment

        def counting(language: str, window: str) -> object:
            lengths.append(len(window))  # noqa: B023 - used before the next turn
            return segment(language, window)  # noqa: B023 - as above

        finder.segment = counting  # type: ignore[assignment]
        finder.spans(text)
        assert max(lengths) <= windows.WINDOW <= 20_000
        assert sum(lengths) <= 2 * len(text) + windows.WINDOW


@pytest.mark.slow
@pytest.mark.parametrize("overlap", [0, 64])
def test_ten_times_the_sentences_take_about_ten_times_the_work(
    overlap: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Work is the number of characters that the splitter reads while a document is packed."""
    read: list[int] = []
    spans = rules.RegexSplitter.spans

    def counting(self: rules.RegexSplitter, text: str) -> list[tuple[int, int]]:
        read.append(len(text))
        return spans(self, text)

    monkeypatch.setattr(rules.RegexSplitter, "spans", counting)
    work: list[int] = []
    for count in (1_000, 10_000):
        read.clear()
        pack(Source("这是一个句子。" * count), PackConfig(overlap_tokens=overlap))
        work.append(sum(read))
    assert work[1] <= 11 * work[0]
    assert work[1] <= 3 * 7 * 10_000


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_fifty_thousand_chinese_sentences_pack_in_proportional_time(name: str) -> None:
    """CPU time is measured in a new process; a quadratic step would take 100 times as long."""
    if name == "sentencex":
        pytest.importorskip("sentencex")
    code = f"""
import time
from treepack import PackConfig, Source, pack
config = PackConfig(sentence_splitter={name!r}, overlap_tokens=32)
pack(Source("句子。" * 100), config)
for count in (5_000, 50_000):
    start = time.process_time()
    pack(Source("句子。" * count), config)
    print(time.process_time() - start)
"""
    command = [sys.executable, "-c", code]
    result = subprocess.run(command, check=True, capture_output=True, text=True)
    short, long = map(float, result.stdout.split())
    assert long < 30 * short


def test_a_dash_begins_a_sentence_after_a_cjk_full_stop_and_line_end() -> None:
    """On the same line the sentence continues: the dash introduces a quotation's speaker."""
    splitter = sentence_splitter("regex")
    assert splitter.spans("如此。\n--- | ---") == [(0, 4), (4, 13)]
    assert splitter.spans("如此。——他说") == [(0, 7)]
