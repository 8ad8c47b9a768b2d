"""The unit of all times: one pass of tiktoken as it comes, its pattern untouched by treepack."""

import functools

import tiktoken

from treepack.tokens.vocabulary import definition_of

ENCODING = "cl100k_base"


@functools.cache
def tiktoken_encoding() -> tiktoken.Encoding:
    """Tiktoken's own encoding, made from the bundled vocabulary and so without a network."""
    return tiktoken.Encoding(**definition_of(ENCODING))
