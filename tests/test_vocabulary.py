"""The bundled vocabularies are tiktoken's own and need neither network nor cache."""

import hashlib
import os
import sys
from importlib.resources import files
from pathlib import Path

import pytest
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st
from pack_vocabulary import pack_vocabulary, raw_vocabulary
from processes import run_python

from treepack.errors import TokenizerError
from treepack.tokens import token_counter, token_index, vocabulary
from treepack.tokens.vocabulary import BUNDLED, Vocabulary, load_vocabulary, unpack_vocabulary

DATA = files("treepack.tokens") / "data"

WITHOUT_NETWORK = """
import os, socket

def refuse(*arguments, **options):
    raise OSError("network refused")

socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
"""


def run_without_network(script: str, cache: Path) -> str:
    """Run a script in a process of its own, with tiktoken's cache in that folder."""
    paths = os.pathsep.join(path for path in sys.path if path)
    variables = {"TIKTOKEN_CACHE_DIR": str(cache), "PYTHONPATH": paths}
    return run_python(WITHOUT_NETWORK + script, variables).stdout


SHA256 = {
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
}


@pytest.mark.parametrize("name", SHA256)
def test_a_packed_vocabulary_rebuilds_the_openai_file_byte_for_byte(name: str) -> None:
    """`load_vocabulary` takes this for granted for each packed file that it knows."""
    packed = (DATA / f"{name}.xz").read_bytes()
    raw = raw_vocabulary(unpack_vocabulary(packed))
    assert SHA256[name] == hashlib.sha256(raw).hexdigest()
    assert SHA256[name] == vocabulary.RAW_FILES[hashlib.sha256(packed).hexdigest()]


def test_the_tiktoken_licence_is_beside_its_vocabularies() -> None:
    assert "Copyright (c) 2022 OpenAI, Shantanu Jain" in (DATA / "LICENSE-tiktoken").read_text()


@given(st.lists(st.binary(min_size=1, max_size=255), max_size=20))
@settings(max_examples=20)
def test_packing_a_vocabulary_keeps_every_token(tokens: list[bytes]) -> None:
    assert tokens == unpack_vocabulary(pack_vocabulary(raw_vocabulary(tokens)))


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_encodings_give_the_ids_of_openai_and_know_where_characters_start(
    name: str,
) -> None:
    """All sums of the token index depend on where the characters of each token start."""
    loaded = load_vocabulary(name)
    ids = [15339, 1917] if name == "cl100k_base" else [24912, 2375]
    assert ids == loaded.encode("hello world")
    text = "naïve 漢字 👩‍👩‍👧 \u0301\ufffd x" * 3
    assert loaded.character_starts is not None
    assert sum(loaded.character_starts[i] for i in loaded.encode(text)) == len(text)


def test_a_vocabulary_that_tiktoken_does_not_expect_is_rejected(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "cl100k_base.xz").write_bytes(pack_vocabulary(raw_vocabulary([b"a"])))
    monkeypatch.setattr(vocabulary, "_DATA", tmp_path)
    monkeypatch.setattr(vocabulary, "_loaded", {})
    with pytest.raises(TokenizerError, match="'cl100k_base' is not the one that tiktoken"):
        vocabulary.tiktoken_encode("cl100k_base")


IMPORTING = """
import sys
import treepack.tokens
from treepack.tokens import token_counter, token_index, vocabulary
print(vocabulary._loaded, {"requests", "numpy", "tokenizers", "splintr"} & set(sys.modules))
"""
COUNTING = """
before = dict(os.environ)
from treepack.tokens import token_counter
import tiktoken.registry
import tiktoken_ext.openai_public as public
download = public.load_tiktoken_bpe
names = ["cl100k_base", "o200k_base", "o200k_harmony", "text-embedding-3-small"]
print(*[token_counter(name)("hello world") for name in names])
print(tiktoken.registry.ENCODINGS, os.environ == before, public.load_tiktoken_bpe is download)
"""
FETCHING = """
from treepack.errors import TokenizerError
from treepack.tokens import token_counter
try:
    token_counter("r50k_base")
except TokenizerError as error:
    print("'r50k_base'" in str(error), "cl100k_base, o200k_base, o200k_harmony" in str(error))
"""


@pytest.mark.parametrize(
    ("script", "printed"),
    [(IMPORTING, "{} set()"), (COUNTING, "2 2 2 2\n{} True True"), (FETCHING, "True True")],
    ids=["importing", "counting", "fetching"],
)
def test_bundled_encodings_need_no_network_and_leave_no_files(
    script: str, printed: str, tmp_path: Path
) -> None:
    """Imports load no vocabulary; an empty cache folder of the user and tiktoken stay empty."""
    assert run_without_network(script, tmp_path) == f"{printed}\n"
    assert list(tmp_path.iterdir()) == []


def test_an_encoding_that_tiktoken_can_fetch_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its tokens are bytes. Safe cuts are not known, so every slice goes through the tokenizer."""
    ranks = {bytes([byte]): byte for byte in range(256)}
    fetched = tiktoken.Encoding(
        "r50k_base", pat_str=r"\s+|\S+", mergeable_ranks=ranks, special_tokens={}
    )
    monkeypatch.setattr(vocabulary, "_loaded", {})
    monkeypatch.setattr(tiktoken, "get_encoding", {"r50k_base": fetched}.__getitem__)
    counter = token_counter("text-davinci-001")
    index = token_index("añb c", counter)
    assert load_vocabulary("r50k_base") == Vocabulary(fetched.encode_ordinary, None)
    assert counter("añb c") == index.count(0, 5) == index.estimate(0, 5) == 6
    assert index.count(1, 2) == 2


@pytest.mark.parametrize("error", [ConnectionError("refused"), ValueError("wrong hash")])
def test_a_failed_fetch_of_an_encoding_raises_a_tokenizer_error(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(_: str) -> tiktoken.Encoding:
        raise error

    monkeypatch.setattr(vocabulary, "_loaded", {})
    monkeypatch.setattr(tiktoken, "get_encoding", fail)
    with pytest.raises(TokenizerError, match=f"'p50k_base'.*{error}.*cl100k_base"):
        token_counter("p50k_base")
