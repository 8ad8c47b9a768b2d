"""Token counters and their names."""

import codecs
import difflib
import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias, cast

from tiktoken.model import MODEL_TO_ENCODING, encoding_name_for_model

from treepack.errors import TokenizerError, needs_extra
from treepack.tokens.cuts import LONGEST_RUN, without_long_runs
from treepack.tokens.vocabulary import BUNDLED, encoding_names, load_vocabulary

if TYPE_CHECKING:
    import tokenizers

TokenCounter: TypeAlias = Callable[[str], int]
"""Returns the number of tokens of a text."""

_HUGGING_FACE: Final = "hf:"
_SURROGATES: Final = dict.fromkeys(range(0xD800, 0xE000), "\ufffd")


def token_counter(name: str | TokenCounter) -> TokenCounter:
    """Return the counter of that name; a callable is returned unchanged.

    A named counter compares and pickles by its name. It counts special tokens that are spelled
    out in the text as plain text, and adds none.

    Args:
        name: an encoding (``"cl100k_base"``), a model (``"text-embedding-3-small"``),
            ``"hf:"`` and a folder with a ``tokenizer.json``, or a function that counts a text.

    Raises:
        TokenizerError: the name is unknown, its vocabulary cannot be loaded, or it is neither
            a name nor a function.
        MissingExtraError: The package that reads ``tokenizer.json`` is not installed.

    >>> token_counter("text-embedding-3-small")
    token_counter('cl100k_base')
    >>> token_counter("cl100k_base")("<|endoftext|>")
    7
    """
    if not isinstance(name, str):
        if not callable(cast("object", name)):
            kind = type(name).__name__
            message = f"the tokenizer must be a name or a function that counts tokens, not {kind}"
            raise TokenizerError(message)
        return name
    if name.startswith(_HUGGING_FACE):
        hugging_face = HuggingFaceCounter(name)
        _load_tokenizer(hugging_face.name)
        return hugging_face
    encoding = EncodingCounter(_encoding_name(name))
    if encoding.name not in BUNDLED:
        load_vocabulary(encoding.name)  # fail here, not at the first text, if it is missing
    return encoding


@dataclass(frozen=True, slots=True, repr=False)
class EncodingCounter:
    """Counts the tokens of a tiktoken encoding, which is loaded for the first text.

    splintr (extra ``fast``) counts if it is installed: the same tokens in a third of the time.
    Runs of more than 100,000 whitespace characters are counted in slices of at most 100,000.
    """

    name: str

    def __call__(self, text: str) -> int:
        """Return the number of tokens of the text."""
        return len(self.encode(text))

    def encode(self, text: str) -> list[int]:
        """Return the token ids; each lone surrogate is read as U+FFFD."""
        text = _without_surrogates(text)
        encode = load_vocabulary(self.name).encode
        if len(text) <= LONGEST_RUN:
            return encode(text)
        return [token for piece in without_long_runs(text) for token in encode(piece)]

    def __repr__(self) -> str:
        return f"token_counter({self.name!r})"


@dataclass(frozen=True, slots=True, repr=False)
class HuggingFaceCounter:
    """Counts with the ``tokenizer.json`` in the folder that the name gives after ``hf:``."""

    name: str

    def __call__(self, text: str) -> int:
        """Return the number of tokens of the text."""
        tokenizer = _load_tokenizer(self.name)
        return len(tokenizer.encode(_without_surrogates(text), add_special_tokens=False).ids)

    def __repr__(self) -> str:
        return f"token_counter({self.name!r})"


@functools.cache
def _load_tokenizer(name: str) -> "tokenizers.Tokenizer":
    file = Path(name.removeprefix(_HUGGING_FACE)).expanduser() / "tokenizer.json"
    if not file.is_file():
        message = f"the tokenizer {name!r} needs the file {file}, which does not exist"
        raise TokenizerError(message)
    try:
        import tokenizers  # noqa: PLC0415 - optional
    except ImportError as error:
        raise needs_extra(user=f"the tokenizer {name!r}", extra="hf") from error
    try:
        tokenizer = tokenizers.Tokenizer.from_file(str(file))
    except Exception as error:  # tokenizers raises bare Exceptions
        message = f"the file {file} cannot be read as a tokenizer: {error}"
        raise TokenizerError(message) from error
    tokenizer.no_truncation()  # the file may contain settings for training in batches
    tokenizer.no_padding()
    tokenizer.encode_special_tokens = True  # count them as plain text
    return tokenizer


def _encoding_name(name: str) -> str:
    if name in BUNDLED or name in encoding_names():
        return name
    try:
        return encoding_name_for_model(name)
    except KeyError:
        if _is_file_encoding(name):
            message = (
                f"{name!r} is a file encoding; `encoding` names the tokenizer that counts, "
                "such as cl100k_base. Files are decoded as UTF-8 or by their byte order mark"
            )
            raise TokenizerError(message) from None
        similar = difflib.get_close_matches(name, [*encoding_names(), *MODEL_TO_ENCODING])
        message = (
            f"no tokenizer is named {name!r}"
            + (f" (did you mean {' or '.join(similar)}?)" if similar else "")
            + f"; use one of the encodings {', '.join(encoding_names())}, an OpenAI model such "
            "as text-embedding-3-small or gpt-4o, hf:FOLDER for a folder with a tokenizer.json, "
            "or any function that counts a text's tokens"
        )
        raise TokenizerError(message) from None


def _is_file_encoding(name: str) -> bool:
    try:
        codecs.lookup(name)
    except (LookupError, ValueError):  # ValueError for a name with NUL in it
        return False
    return True


def _without_surrogates(text: str) -> str:
    """Replace each lone surrogate by one character, so that offsets stay correct."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.translate(_SURROGATES)
    return text
