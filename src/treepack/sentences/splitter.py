"""Finds the built-in sentence splitter by its name."""

from treepack.errors import SentenceSplitterError
from treepack.sentences.rules import RegexSplitter
from treepack.settings import SentenceSplitter


def sentence_splitter(splitter: str | SentenceSplitter) -> SentenceSplitter:
    """Return the sentence splitter of that name; any other splitter is returned unchanged.

    The built-in rules keep abbreviations of legal and technical texts whole (``Art. 5``, ``No. 3``,
    ``z. B.``) in some twenty languages, and their spans cover the text without gaps.

    Args:
        splitter: ``"regex"``, the built-in rules, or any `SentenceSplitter`.

    Raises:
        SentenceSplitterError: No splitter has that name, or the object has no method ``spans``.

    >>> text = "See Art. 5 of the Regulation. It applies."
    >>> [text[start:end] for start, end in sentence_splitter("regex").spans(text)]
    ['See Art. 5 of the Regulation. ', 'It applies.']
    """
    if not isinstance(splitter, str):
        check_splitter(splitter)
        return splitter
    if splitter == "regex":
        return RegexSplitter()
    message = (
        f"there is no sentence splitter {splitter!r}; use regex, or an object with a method spans"
    )
    raise SentenceSplitterError(message)


def check_splitter(splitter: object) -> None:
    """Refuse a value that is neither a name nor a `SentenceSplitter`.

    Raises:
        SentenceSplitterError: The value is something else, such as a function.
    """
    if not isinstance(splitter, str | SentenceSplitter):
        kind = type(splitter).__name__
        message = f"a sentence splitter must be a name or an object with a method spans, not {kind}"
        raise SentenceSplitterError(message)
