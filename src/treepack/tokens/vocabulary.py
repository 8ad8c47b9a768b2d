"""Vocabularies that need no network: their packed form, and the encodings built from it.

A ``.tiktoken`` file lists tokens in base64, each with its rank; the ranks count up from 0. So
the tokens in order contain all its information. A packed vocabulary (before xz) is::

    number of tokens (4 bytes, little-endian) | length of each token (1 byte) | all token bytes

``integration_tests/pack_vocabulary.py`` makes the packed files in ``data/``; `RAW_FILES` names
them. The pattern, the special tokens and the SHA-256 of the raw file come from tiktoken.

The pattern, which splits a text into words, is replaced by a faster form. tiktoken's engine tries
one alternative after the other; only a part without lookahead and possessive quantifiers runs on an
automaton, which tries all at once. The patterns need one lookahead, because the last of several
spaces before a word belongs to the word. So all alternatives before it become one group. The tokens
are the same; cl100k_base then takes 0.55 of the time, o200k_base 0.6 to 0.9. No quantifier there
need be possessive: nothing that it could give back matches the rest of its alternative.
"""

import functools
import hashlib
import importlib
import lzma
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from itertools import accumulate, pairwise
from threading import Lock
from types import FunctionType
from typing import Any, Final
from zlib import crc32

import tiktoken

from treepack.errors import TokenizerError

BUNDLED: Final = ("cl100k_base", "o200k_base", "o200k_harmony")
"""The encodings that work without a network; o200k_harmony uses the ranks of o200k_base."""

_DATA: Final = files("treepack.tokens") / "data"
_CONTINUATION_BYTES: Final = bytes(range(0x80, 0xC0))
RAW_FILES: Final = {
    "b5c5ff88cf3195cf98ce15cdc225ea038ae90afedd69e747f1d2eac82c082b03": (
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
    ),
    "137baccca3fd36ad33dedab677515afc98fca151ce381202c12edf7ea12f2498": (
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
    ),
}
"""SHA-256 of each packed file, and of the raw file in it, which would take long to recreate."""

SAMPLE: Final = (
    "Art. 5(3)(a): naïve café's 12345 kg\r\n\r\n  \tif x != y:  # 漢字、かな 한국어 Ωμέγα"
    " 👩\u200d👧 e\u0301\u00a0\u2028<|endoftext|> I'LL THEY'RE 'tis http://a.b/c?d=e_f-g   \n\n\n"
    "\u200b\ufffd trailing  "
)
"""What a tokenizer must encode as tiktoken does to be used."""
SAMPLE_CHECKS: Final = {"cl100k_base": 1_404_122_055, "o200k_base": 1_758_129_295}
"""CRC-32 of tiktoken's ids of the sample, as Python prints them."""

_SAME_WORDS: Final = frozenset(
    {
        "f021c3d976978e62ee64cdad150cc3405c2e3d6e3b40407850bb9e8d9eb65899",  # cl100k_base
        "2d1b8dc11e89af71459b36004f698ab3693f59fd84f63e8ec2b49564ab857420",  # both o200k
    }
)
"""SHA-256 of the patterns for which this was shown (tiktoken 0.8 to 0.14); others stay as is."""

_LOOKAHEAD: Final = r"|\s+(?!\S)"
_POSSESSIVE: Final = re.compile(r"(?<=[?*+])\+|(?<=\d\})\+")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """A loaded encoding.

    Attributes:
        encode: Returns the ids of a text's tokens; special tokens in it are plain text.
        character_starts: For each id, the number of characters whose first byte is in the token;
            None for an encoding that is not bundled.
    """

    encode: Callable[[str], list[int]]
    character_starts: list[int] | None


class TokenizerWarning(UserWarning):
    """An installed tokenizer does not count as tiktoken does, and is not used."""


_loaded: dict[str, Vocabulary] = {}
_loading = Lock()


def load_vocabulary(name: str) -> Vocabulary:
    """Return the vocabulary of that name; the first call in a process loads it.

    Raises:
        TokenizerError: tiktoken does not know the name, or cannot download its vocabulary.
    """
    vocabulary = _loaded.get(name)
    if vocabulary is None:
        with _loading:  # two threads must not load the same 200,000 tokens at once
            vocabulary = _loaded.get(name)
            if vocabulary is None:
                vocabulary = _load_bundled(name) if name in BUNDLED else _load_from_tiktoken(name)
                _loaded[name] = vocabulary
    return vocabulary


def unpack_vocabulary(packed: bytes) -> list[bytes]:
    """Return the tokens of a packed vocabulary; a token's index in the list is its rank."""
    content = lzma.decompress(packed)
    first = 4 + int.from_bytes(content[:4], "little")
    bounds = accumulate(content[4:first], initial=first)
    return [content[start:end] for start, end in pairwise(bounds)]


def _load_bundled(name: str) -> Vocabulary:
    tokens = unpack_vocabulary(_packed(name)[0])
    starts = [
        len(token if token.isascii() else token.translate(None, _CONTINUATION_BYTES))
        for token in tokens
    ]
    return Vocabulary(_fast_encode(name) or tiktoken_encode(name), starts)


def tiktoken_encode(name: str) -> Callable[[str], list[int]]:
    """Return tiktoken's function for a bundled encoding, with a faster pattern."""
    definition = definition_of(name)
    definition["pat_str"] = quick_pattern(definition["pat_str"])
    encoding = tiktoken.Encoding(**definition)
    # The encoding holds this same dict, a third of its memory, only to be pickled.
    definition["mergeable_ranks"].clear()
    return encoding.encode_ordinary


def quick_pattern(pattern: str) -> str:
    """Return a faster pattern that finds the same words; an unknown pattern is returned as is."""
    if hashlib.sha256(pattern.encode()).hexdigest() not in _SAME_WORDS:
        return pattern
    before, lookahead, after = _POSSESSIVE.sub("", pattern).partition(_LOOKAHEAD)
    return f"(?:{before}){lookahead}{after}"


def _fast_encode(name: str) -> Callable[[str], list[int]] | None:
    """Return splintr's function if it is installed and gives tiktoken's ids; it loads at once."""
    try:
        import splintr  # noqa: PLC0415 - optional
    except ImportError:
        return None
    # o200k_harmony differs only in special tokens, which count as plain text here.
    base = name.replace("harmony", "base")
    encode = splintr.Tokenizer.from_pretrained(base).encode_ordinary
    if crc32(repr(encode(SAMPLE)).encode()) == SAMPLE_CHECKS[base]:
        return encode
    message = f"the installed splintr gives other tokens of {base} than tiktoken, which counts now"
    warnings.warn(message, TokenizerWarning, stacklevel=2)
    return None


def _packed(name: str) -> tuple[bytes, str]:
    """Return a packed vocabulary, and the SHA-256 of the raw file in it (empty if unknown)."""
    packed = (_DATA / f"{name.replace('harmony', 'base')}.xz").read_bytes()
    return packed, RAW_FILES.get(hashlib.sha256(packed).hexdigest(), "")


def _bundled_ranks(address: str, expected_hash: str) -> dict[bytes, int]:
    """Replace tiktoken's download of the vocabulary file at that address."""
    name = address.rpartition("/")[2].removesuffix(".tiktoken")
    packed, raw_hash = _packed(name)
    if raw_hash != expected_hash:
        message = (
            f"the bundled vocabulary {name!r} is not the one that tiktoken "
            f"{tiktoken.__version__} expects (SHA-256 {expected_hash})"
        )
        raise TokenizerError(message)
    return {token: rank for rank, token in enumerate(unpack_vocabulary(packed))}


def definition_of(name: str) -> dict[str, Any]:
    """Return the arguments for tiktoken's `Encoding` of a bundled vocabulary.

    tiktoken's own constructor runs, but with another function that loads the vocabulary. It is
    copied to a scope of its own, because a patched module or environment would affect other
    threads.
    """
    public = vars(importlib.import_module("tiktoken_ext.openai_public"))
    scope = public.copy()
    for key, value in public.items():
        if isinstance(value, FunctionType) and value.__globals__ is public:
            scope[key] = FunctionType(value.__code__, scope, key)
    scope["load_tiktoken_bpe"] = _bundled_ranks
    definition: dict[str, Any] = scope[name]()
    return definition


def _load_from_tiktoken(name: str) -> Vocabulary:
    try:
        return Vocabulary(tiktoken.get_encoding(name).encode_ordinary, None)
    except (OSError, ValueError) as error:  # requests' errors are OSErrors
        message = (
            f"the vocabulary of {name!r} is not in tiktoken's cache and cannot be downloaded "
            f"({error}); these encodings need no network: {', '.join(BUNDLED)}"
        )
        raise TokenizerError(message) from error


@functools.cache
def encoding_names() -> tuple[str, ...]:
    """Return the names of all encodings that tiktoken and its plugins define, sorted."""
    return tuple(sorted({*BUNDLED, *tiktoken.list_encoding_names()}))
