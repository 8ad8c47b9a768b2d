"""Where splintr is installed it counts: the same tokens as tiktoken, in less time."""

import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treepack.tokens import token_counter, vocabulary
from treepack.tokens.vocabulary import BUNDLED, TokenizerWarning, load_vocabulary, tiktoken_encode

splintr = pytest.importorskip("splintr")

every_encoding = pytest.mark.parametrize("name", BUNDLED)
ODD_TEXTS = ["<|endoftext|>", "'LL", "\u0301", "漢字", "\r\n", "\u2028", " " * 9, "12345", "ﬁ"]
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)

by_tiktoken: Callable[[str], Callable[[str], list[int]]] = cache(tiktoken_encode)


@every_encoding
def test_splintr_counts_if_it_is_installed(name: str) -> None:
    assert type(splintr.Tokenizer.from_pretrained("cl100k_base")) is type(
        load_vocabulary(name).encode.__self__  # type: ignore[attr-defined] # a bound method
    )


@pytest.mark.parametrize("text", [" " * 99_999 + "x", "a" * 100_000, "漢" * 50_000])
@every_encoding
def test_ids_of_unbroken_runs_equal_those_of_tiktoken(name: str, text: str) -> None:
    assert by_tiktoken(name)(text) == load_vocabulary(name).encode(text)


@every_encoding
@given(text=texts | st.lists(st.sampled_from(ODD_TEXTS) | texts).map("".join))
def test_ids_of_any_text_equal_those_of_tiktoken(name: str, text: str) -> None:
    assert by_tiktoken(name)(text) == load_vocabulary(name).encode(text)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base"])
def test_ids_of_corpus_documents_equal_those_of_tiktoken(name: str) -> None:
    folder = os.environ.get("TREEPACK_CORPUS")
    if not folder:
        pytest.skip("TREEPACK_CORPUS names no folder")
    files = [file for file in Path(folder).rglob("*") if file.suffix in {".md", ".mdx", ".txt"}]
    assert files
    for file in files[::8]:
        text = file.read_bytes().decode("utf-8", "replace")
        assert by_tiktoken(name)(text) == load_vocabulary(name).encode(text), file


@every_encoding
def test_a_version_that_gives_other_tokens_is_refused(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vocabulary, "_loaded", {})
    monkeypatch.setattr(vocabulary, "SAMPLE_CHECKS", {"cl100k_base": 0, "o200k_base": 0})
    with pytest.warns(TokenizerWarning, match="other tokens of .*base than tiktoken"):
        assert token_counter(name)("hello world") == 2


def test_without_splintr_tiktoken_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vocabulary, "_loaded", {})
    monkeypatch.setitem(sys.modules, "splintr", None)
    encode = load_vocabulary("cl100k_base").encode
    assert encode("hello world") == [15339, 1917]
    assert type(encode.__self__).__module__ == "tiktoken.core"  # type: ignore[attr-defined] # bound
