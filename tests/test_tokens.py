"""A token counter is named, counts plain text, and travels between processes by its name."""

import pickle
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from case_files import case_table
from hypothesis import given
from hypothesis import strategies as st

from treepack import PackConfig, pack
from treepack.errors import MissingExtraError, TokenizerError
from treepack.tokens import token_counter
from treepack.tokens.counters import EncodingCounter
from treepack.tokens.cuts import KIND, without_long_runs

WHITE_SPACE = re.escape("".join(map(chr, [*range(9, 14), 32, 0x85, 0xA0, 0x2028, 0x3000])))


NAMED = case_table("tokens", "named")


@pytest.mark.parametrize(
    ("name", "encoding"), [(name, key) for key, names in NAMED.items() for name in names.split()]
)
def test_a_counter_may_be_named_by_encoding_or_model(name: str, encoding: str) -> None:
    counter = token_counter(name)

    assert EncodingCounter(encoding) == counter
    assert repr(counter) == f"token_counter({encoding!r})"
    assert counter("") == 0
    assert counter("hello world") == 2


@pytest.mark.parametrize("name", ["cl100k", "", "gpt-none", "CL100K_BASE"])
def test_an_unknown_name_is_rejected_with_the_known_names(name: str) -> None:
    with pytest.raises(TokenizerError) as caught:
        token_counter(name)
    for known in [repr(name), "cl100k_base", "o200k_base", "p50k_base", "gpt-4o", "hf:FOLDER"]:
        assert known in str(caught.value)
    with pytest.raises(TokenizerError, match="did you mean text-embedding-3-small"):
        token_counter("text-embeding-3-small")


def test_a_negative_count_is_rejected() -> None:
    with pytest.raises(TokenizerError, match="returned -1, but a count is 0 or more"):
        pack("A text.", PackConfig(encoding=lambda _: -1))


def test_a_counter_pickles_by_name_and_counts_in_a_fresh_process() -> None:
    """A pickled vocabulary would be a megabyte with each task of a worker pool."""
    counter = token_counter("o200k_base")
    assert counter("loaded before it is pickled") > 0

    pickled = pickle.dumps(counter)
    script = "import pickle, sys; print(pickle.load(sys.stdin.buffer)('hello world'))"
    counted = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}; {script}"],
        input=pickled,
        capture_output=True,
        check=True,
    )

    assert len(pickled) < 1000
    assert pickle.loads(pickled) == counter  # noqa: S301 - our own
    assert counted.stdout.split() == [b"2"]


@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base"])
@given(
    text=st.text(st.sampled_from("a \n\ud800\udbff\udc00\udfff👩"), max_size=20),
)
def test_each_surrogate_counts_as_one_replacement_character(name: str, text: str) -> None:
    """Even in pairs: if they were joined into one character, later offsets would be wrong."""
    counter = token_counter(name)

    assert counter(text) == counter(re.sub("[\ud800-\udfff]", "\ufffd", text))


@given(
    text=st.text(st.sampled_from("ab \n\t\x1c\x85\xa0\u2028\u3000"), max_size=60),
    longest=st.integers(1, 6),
)
def test_long_whitespace_is_cut_at_fixed_distances_from_its_start(text: str, longest: int) -> None:
    cuts = {
        cut
        for run in re.finditer(f"[{WHITE_SPACE}]+", text)
        for cut in range(run.start() + longest, run.end(), longest)
    }
    bounds = [0, *sorted(cuts), len(text)]
    assert list(without_long_runs(text, longest)) == [text[a:b] for a, b in pairwise(bounds)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "before", "whitespace", "after"), case_table("tokens", "whitespace")
)
def test_a_million_whitespace_characters_are_counted(
    name: str, before: str, whitespace: str, after: str
) -> None:
    """Tiktoken 0.14 panics on them with a BaseException, which no caller would catch."""
    text = before + whitespace * (1_050_000 // len(whitespace)) + after

    assert token_counter(name)(text) > 100


def test_every_character_has_the_kind_that_the_tokenizer_sees() -> None:
    """With a wrong kind, an unsafe cut would look safe. These are spot checks, one per kind."""
    spots = ["\r\n", " \t\x85\u3000", "aZ漢\u017f\u212aʰ", "1٣Ⅷ½", "\u0301\u0903\u20dd", "'", "/"]
    spots += ["-.|$\x1c\u200d\ue000\ud800\ufffd👩\u0378"]
    kinds = [{KIND[character] for character in same} for same in spots]
    assert [len(kind) for kind in kinds] == [1] * 8
    assert len(set().union(*kinds)) == 8


@pytest.fixture(scope="session")
def tokenizer_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a word tokenizer that truncates, pads and frames, like many models'."""
    tokenizers = pytest.importorskip("tokenizers")
    words = {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "[PAD]": 3, "one": 4, "two": 5, "[": 6, "]": 7}
    model = tokenizers.models.WordLevel({**words, "SEP": 8}, unk_token="[UNK]")  # noqa: S106 - a word, no password
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    tokenizer.add_special_tokens(["[CLS]", "[SEP]", "[PAD]"])
    tokenizer.post_processor = tokenizers.processors.BertProcessing(("[SEP]", 2), ("[CLS]", 1))
    tokenizer.enable_truncation(5)
    tokenizer.enable_padding(length=5)
    folder = tmp_path_factory.mktemp("word tokenizer")
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


def test_hugging_face_tokenizer_counts_plain_text_whole(tokenizer_folder: Path) -> None:
    """Its truncation and padding are for batches, its special tokens for the model."""
    counter = token_counter(f"hf:{tokenizer_folder}")
    texts = {"": 0, "one two": 2, "one " * 100: 100, "one [SEP] two": 5, "one \ud800 two": 3}
    assert {text: counter(text) for text in texts} == texts


def test_a_missing_or_broken_tokenizer_and_package_are_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("tokenizers")
    file = tmp_path / "tokenizer.json"
    with pytest.raises(TokenizerError, match=re.escape(str(file))):
        token_counter(f"hf:{tmp_path}")
    file.write_text("{}")
    with pytest.raises(TokenizerError, match=re.escape(str(file))):
        token_counter(f"hf:{tmp_path}")
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(MissingExtraError, match=re.escape("treepack[hf]")):
        token_counter(f"hf:{tmp_path}")
