"""Counting with splintr changes the time it takes, and nothing else."""

import os
import pickle
import re
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import documents

from treepack import PackConfig, Source, pack
from treepack.errors import MissingExtraError, TokenizerError
from treepack.tokens import token_counter
from treepack.tokens.counters import EncodingCounter, SplintrCounter

pytest.importorskip("splintr")

every_encoding = pytest.mark.parametrize("name", ["cl100k_base", "o200k_base", "o200k_harmony"])
ODD_TEXTS = [
    "<|endoftext|>",
    "'LL",
    "\ud800",
    "\u0301",
    "漢字",
    "\r\n",
    "\u2028",
    " " * 9,
    "12345",
    "ﬁ",
]


def ids_by_both(name: str, text: str) -> tuple[list[int], list[int]]:
    return EncodingCounter(name).encode(text), SplintrCounter(name).encode(text)


@every_encoding
@given(text=st.text() | st.lists(st.sampled_from(ODD_TEXTS) | st.text(max_size=3)).map("".join))
def test_ids_of_any_text_equal_those_of_tiktoken(name: str, text: str) -> None:
    by_tiktoken, by_splintr = ids_by_both(name, text)

    assert by_tiktoken == by_splintr


@every_encoding
@pytest.mark.parametrize("text", [" " * 1_000_100 + "x", "a" * 100_000])
def test_ids_of_unbroken_runs_equal_those_of_tiktoken(name: str, text: str) -> None:
    by_tiktoken, by_splintr = ids_by_both(name, text)

    assert by_tiktoken == by_splintr


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base"])
def test_ids_of_corpus_documents_equal_those_of_tiktoken(name: str) -> None:
    folder = os.environ.get("TREEPACK_CORPUS")
    if not folder:
        pytest.skip("TREEPACK_CORPUS names no folder")
    files = [file for file in Path(folder).rglob("*") if file.suffix in {".md", ".mdx", ".txt"}]
    assert files

    for file in files[::8]:
        by_tiktoken, by_splintr = ids_by_both(name, file.read_bytes().decode("utf-8", "replace"))
        assert by_tiktoken == by_splintr, file


@settings(max_examples=25)
@given(text=documents())
def test_chunks_are_the_same_with_tiktoken_and_splintr(text: str) -> None:
    source = Source(text, "doc.md")
    limits = {"max_tokens": 64, "target_tokens": 32, "min_tokens": 8}

    by_tiktoken = pack(source, PackConfig(**limits, encoding="cl100k_base"))
    by_splintr = pack(source, PackConfig(**limits, encoding="splintr:cl100k_base"))

    assert [*by_tiktoken] == [*by_splintr]


def test_a_counter_is_pickled_by_its_name() -> None:
    counter = token_counter("splintr:text-embedding-3-small")

    pickled = pickle.dumps(counter)

    assert len(pickled) < 1000
    assert pickle.loads(pickled) == counter  # noqa: S301 - our own
    assert repr(counter) == "token_counter('splintr:cl100k_base')"
    assert counter != token_counter("cl100k_base")


def test_an_encoding_that_splintr_may_count_differently_is_rejected() -> None:
    with pytest.raises(TokenizerError, match=re.escape("cl100k_base, o200k_base")):
        token_counter("splintr:p50k_base")


def test_the_error_for_missing_splintr_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "splintr", raising=False)
    monkeypatch.setattr(sys, "path", [])

    with pytest.raises(MissingExtraError, match=re.escape("treepack[fast]")):
        token_counter("splintr:o200k_harmony")
