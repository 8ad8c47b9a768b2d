"""An index counts what its counter counts, at the cost of one pass over the text."""

import os
import random
import re
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import ClassVar

import pytest
from case_files import case_file
from hypothesis import given
from hypothesis import strategies as st

from treepack.tokens import TokenCounter, token_counter, token_index
from treepack.tokens.additive import CUT_TABLES
from treepack.tokens.counters import EncodingCounter
from treepack.tokens.cuts import INDENTED, KIND, LONGEST_RUN, SAFE, starts_indented_line
from treepack.tokens.vocabulary import BUNDLED, load_vocabulary

NASTY: list[str] = case_file("parts/tokens.json")
"""Characters of all kinds, pieces of markup, words and marks that some tokenizer treats oddly."""
nasty_texts = st.lists(st.sampled_from(NASTY), max_size=40).map("".join) | st.text(max_size=40)
pieces = st.lists(st.sampled_from(NASTY), max_size=6).map("".join)


def count_words(text: str) -> int:
    return len(text.split())


def count_with_frame(text: str) -> int:
    """Count like a tokenizer that adds two tokens to every text, even to an empty one."""
    return len(text) + 2


ENCODINGS = map(token_counter, ["cl100k_base", "o200k_base", "o200k_harmony"])
COUNTERS: list[TokenCounter] = [*ENCODINGS, len, count_words, count_with_frame]


def name_of(counter: TokenCounter) -> str:
    """Return a name without a memory address, the same in each worker of a parallel run."""
    return getattr(counter, "__name__", repr(counter))


every_counter = pytest.mark.parametrize("counter", COUNTERS, ids=name_of)
every_encoding = pytest.mark.parametrize("name", ["cl100k_base", "o200k_base"])


class RecordingCounter(EncodingCounter):
    """An encoding that records how long each text was that it encoded."""

    sent: ClassVar[list[int]] = []

    def encode(self, text: str) -> list[int]:
        """Return the token ids, and record the length of the text."""
        self.sent.append(len(text))
        return super().encode(text)


@cache
def corpus() -> list[str]:
    """Return up to 30 real documents; skip the test if there is no corpus."""
    folder = os.environ.get("TREEPACK_CORPUS")
    if not folder:
        pytest.skip("TREEPACK_CORPUS names no folder")
    files = sorted(file for file in Path(folder).rglob("*") if file.suffix in {".md", ".txt"})
    sample = random.Random(7).sample(files, min(30, len(files)))  # noqa: S311 - the same each time
    return [file.read_bytes()[:200_000].decode("utf-8", "replace") for file in sample]


def safe_cuts(name: str, text: str) -> list[int]:
    verdicts = [CUT_TABLES[name][KIND[before]][KIND[after]] for before, after in pairwise(text)]
    return [
        cut
        for cut, verdict in enumerate(verdicts, 1)
        if verdict == SAFE
        or (verdict == INDENTED and starts_indented_line(text, cut, 0, len(text)))
    ]


def sample_document() -> str:
    """Return a document of 200 KB in which lines, words and numbers are all different."""
    rows = (
        f"## {i}.{i % 7} Limits of part {i:x}\n\nThe value `v_{i}` shall not exceed {i * 37} µV; "
        f"see clause {i // 3}.\n\n- item {i}: don't\n    - nested item\n\n| a | {i} |\n"
        for i in range(1500)
    )
    return "".join(rows)


@pytest.fixture(scope="module", autouse=True)
def _vocabularies() -> None:
    """Load the vocabularies before Hypothesis measures time."""
    for name in BUNDLED:
        load_vocabulary(name)


# What an index answers is exact


@every_counter
@given(text=nasty_texts, prefix=pieces, suffix=pieces, data=st.data())
def test_the_count_of_a_slice_also_between_other_texts_equals_that_of_the_counter(
    counter: TokenCounter, text: str, prefix: str, suffix: str, data: st.DataObject
) -> None:
    index = token_index(text, counter)
    for _ in range(4):
        start, end = (data.draw(st.integers(0, len(text))) for _ in range(2))
        assert index.count(start, end) == counter(text[start:end])
        counted = index.count_slice_in(prefix, start, end, suffix)
        assert counted == counter(prefix + text[start:end] + suffix)


@every_encoding
@given(text=nasty_texts, prefix=pieces, suffix=pieces | st.just(""), data=st.data())
def test_count_to_equals_the_count_of_each_slice(
    name: str, text: str, prefix: str, suffix: str, data: st.DataObject
) -> None:
    counter = token_counter(name)
    start = data.draw(st.integers(0, len(text)))
    count_to, _ = token_index(text, counter).counter_from(prefix, start, 100)
    for end in range(start, len(text) + 1):
        assert count_to(end, suffix) == counter(prefix + text[start:end] + suffix)


@every_encoding
@given(text=nasty_texts, prefix=pieces, most=st.integers(33, 200), data=st.data())
def test_slices_up_to_the_safe_end_do_not_exceed_the_limit(
    name: str, text: str, prefix: str, most: int, data: st.DataObject
) -> None:
    counter = token_counter(name)
    start = data.draw(st.integers(0, len(text)))
    _, safe_end = token_index(text, counter).counter_from(prefix, start, most)
    for end in range(start + 1, safe_end + 1):
        if end == len(text) or text[end] in " \t\r\n":
            assert counter(prefix + text[start:end]) <= most


@every_encoding
@given(text=nasty_texts)
def test_text_can_be_encoded_separately_at_every_safe_cut(name: str, text: str) -> None:
    """The ids are compared, not only their number: equal sums of unequal tokens would be luck."""
    encode = EncodingCounter(name).encode
    for cut in safe_cuts(name, text):
        assert encode(text[:cut]) + encode(text[cut:]) == encode(text)


@pytest.mark.slow
@pytest.mark.parametrize(
    "run",
    [
        "\n" * (LONGEST_RUN - 2) + "    ",
        " " * LONGEST_RUN + "\n    ",
        "\u3000\n" * 60_000,
    ],
    ids=["breaks, cut in the indentation", "blanks, line", "mixed"],
)
def test_slices_around_divided_whitespace_are_counted_exactly(run: str) -> None:
    counter = token_counter("cl100k_base")
    text = "one two." + run + "three four.\n\n    five"
    index = token_index(text, counter)
    ends = [0, 5, 8, 9, 300, len(run) - 300, len(run) + 3, len(run) + 9, len(text) - 4, len(text)]
    for start, end in zip(ends[:5] * 2, ends[5:] + ends[5:][::-1], strict=True):
        assert index.count(start, end) == counter(text[start:end])
    for prefix in ["x\n", run]:
        joined = prefix + text[8:]
        assert index.count_slice_in(prefix, 8, len(text), "") == counter(joined)


@every_encoding
@pytest.mark.parametrize("documents", [lambda: [sample_document()], corpus], ids=["made", "real"])
def test_slices_of_long_documents_are_counted_exactly(
    name: str, documents: Callable[[], list[str]]
) -> None:
    """A slice may begin and end anywhere, or at the starts of lines."""
    counter, draw = token_counter(name), random.Random(3)  # noqa: S311 - the same each time
    for text in documents():
        index = token_index(text, counter)
        lines = [0, *(match.end() for match in re.finditer(r"\r\n|\r|\n", text)), len(text)]
        for _ in range(200 // len(documents())):
            start = draw.choice([draw.choice(lines), draw.randint(0, len(text))])
            end = min([line for line in lines if line >= start + 900], default=start)
            end = min(len(text), draw.choice([end, start + draw.randrange(4000)]))
            body = text[start:end]
            assert index.count(start, end) == counter(body)
            joined = f"A > B\n\n{body}"
            counted = index.count_slice_in("A > B\n\n", start, end, "\n```")
            assert counted == counter(f"{joined}\n```")
            assert index.counter_from("A > B\n\n", start, 100)[0](end, "") == counter(joined)
    if len(documents()) == 1:
        assert index.count(0, len(text)) == counter(text)
        assert index.count(130_000, 132_500) == counter(text[130_000:132_500])


# What an index costs


@every_encoding
@pytest.mark.parametrize("documents", [lambda: [sample_document()], corpus], ids=["made", "real"])
def test_each_character_is_tokenized_about_once(
    name: str, documents: Callable[[], list[str]]
) -> None:
    """The queries are like a packer's: from the start of one line to the end of another."""
    texts = [text for text in documents() if len(text) > 20_000]
    sent_by_queries = 0
    for text in texts:
        counter = RecordingCounter(name)
        counter.sent.clear()
        index = token_index(text, counter)
        assert not counter.sent  # nothing is encoded before the first query
        index.estimate(0, 1)
        assert sum(counter.sent) == len(text)
        counter.sent.clear()
        lines = [match.span() for match in re.finditer(r"[^\r\n]*[^\s][^\r\n]*", text)]
        draw = random.Random(5)  # noqa: S311 - the same each time
        for _ in range(200):
            first = draw.randrange(len(lines))
            last = min(len(lines) - 1, first + draw.randrange(20))
            index.count(lines[first][0], lines[last][1])
        sent_by_queries += sum(counter.sent)
    assert sent_by_queries <= 0.02 * sum(map(len, texts))


def test_an_unknown_counter_is_called_with_about_a_thousand_characters() -> None:
    """One call per line would mean a million calls for a million line breaks."""
    sent: list[int] = []

    def record(text: str) -> int:
        sent.append(len(text))
        return len(text)

    for text in ["\n" * 500_000, "a" * 500_000, "ab\r\n" * 100_000]:
        sent.clear()
        token_index(text, record).estimate(0, 1)
        assert sum(sent) == len(text)
        assert len(sent) <= len(text) / 256 + 1
        assert max(sent) <= 256 + 768 + 2


# What an index only estimates


@every_encoding
@given(text=nasty_texts)
def test_the_estimate_between_safe_cuts_is_exact(name: str, text: str) -> None:
    index = token_index(text, token_counter(name))
    cuts = [0, *safe_cuts(name, text), len(text)]
    for start, end in [*pairwise(cuts), *pairwise(cuts[::3])]:
        assert index.estimate(start, end) == index.counter(text[start:end])


@every_counter
@given(text=nasty_texts, data=st.data())
def test_reach_stays_in_the_text_and_grows_with_both_arguments(
    counter: TokenCounter, text: str, data: st.DataObject
) -> None:
    index = token_index(text, counter)
    starts = st.tuples(st.integers(0, len(text)), st.integers(-1, 30))
    (start, tokens), (more, most) = data.draw(starts), data.draw(starts)
    nearer = index.offset_after(min(start, more), min(tokens, most))
    farther = index.offset_after(max(start, more), max(tokens, most))

    assert min(start, more) <= nearer <= farther <= len(text)
    assert index.offset_after(start, 10**9) == len(text)
    assert index.offset_after(start, 0) == start
