"""Checks of the arguments of `TreepackTextSplitter` and its methods."""

from collections.abc import Iterable
from typing import Final, TypeVar

from treepack.integrations.settings import REPLACED_ARGUMENTS

REMEDIES: Final = {**REPLACED_ARGUMENTS, "tokenizer": "use length_function"}


T = TypeVar("T")


def check_base_arguments(keep_separator: object, strip_whitespace: object) -> None:
    """Refuse values of LangChain's own arguments that would drop text.

    Raises:
        ValueError: A value would drop text; the message says what to do instead.
    """
    if keep_separator not in (True, False, "start"):
        msg = (
            f"keep_separator is {keep_separator!r}, but treepack has no separators: it cuts at "
            "structure, drops no text, and begins a chunk with its heading; leave it out"
        )
        raise ValueError(msg)
    if not strip_whitespace:
        msg = (
            "strip_whitespace is False, but chunks never begin or end with whitespace; leave it "
            "out, and use add_start_index=True to find the whitespace between two chunks"
        )
        raise ValueError(msg)


def check_list(given: object, call: str, what: str) -> None:
    """Refuse an argument that is not a list of texts or documents.

    Raises:
        TypeError: It is a single text or document, or cannot be iterated.
    """
    is_single = isinstance(given, str | bytes) or hasattr(given, "page_content")
    if is_single or not isinstance(given, Iterable):
        msg = f"{call} takes a list of {what}, not {type(given).__name__}"
        raise TypeError(msg)


def checked_document(document: T) -> T:
    """Return a document of LangChain unchanged.

    Raises:
        TypeError: It is not a document.
    """
    if not hasattr(document, "page_content"):
        kind = type(document).__name__
        msg = f"split_documents takes Documents, not {kind}; use create_documents for texts"
        raise TypeError(msg)
    return document
