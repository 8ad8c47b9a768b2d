"""Pack a vocabulary file of tiktoken: ``pack_vocabulary.py RAW_FILE OUT``."""

import base64
import lzma
import sys
from collections.abc import Iterable
from pathlib import Path


def pack_vocabulary(raw: bytes) -> bytes:
    """Pack the content of a ``.tiktoken`` file.

    Raises:
        ValueError: the ranks do not count up from 0, or a token is longer than 255 bytes.
    """
    rows = [line.split() for line in raw.splitlines() if line]
    tokens = [base64.b64decode(token) for token, _ in rows]
    if [int(rank) for _, rank in rows] != list(range(len(rows))):
        message = "the ranks of the vocabulary do not count up from 0 without a gap"
        raise ValueError(message)
    if max(map(len, tokens), default=0) > 255:
        message = "a token of the vocabulary is longer than 255 bytes"
        raise ValueError(message)
    content = len(tokens).to_bytes(4, "little") + bytes(map(len, tokens)) + b"".join(tokens)
    return lzma.compress(content, check=lzma.CHECK_SHA256, preset=9 | lzma.PRESET_EXTREME)


def raw_vocabulary(tokens: Iterable[bytes]) -> bytes:
    """Return the ``.tiktoken`` file that lists these tokens, byte for byte."""
    encode = base64.b64encode
    return b"".join(b"%b %d\n" % (encode(token), rank) for rank, token in enumerate(tokens))


if __name__ == "__main__":
    Path(sys.argv[2]).write_bytes(pack_vocabulary(Path(sys.argv[1]).read_bytes()))
