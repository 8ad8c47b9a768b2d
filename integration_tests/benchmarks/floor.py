"""The unit of all times: one pass of tiktoken with its own pattern, without treepack's changes."""

import functools

import tiktoken

from treepack.tokens.vocabulary import definition_of

ENCODING = "cl100k_base"


@functools.cache
def tiktoken_encoding() -> tiktoken.Encoding:
    """Return tiktoken's own encoding, made from the bundled vocabulary without a network."""
    return tiktoken.Encoding(**definition_of(ENCODING))
