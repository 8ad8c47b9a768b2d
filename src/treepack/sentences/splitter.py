"""What a sentence splitter is; finds the built-in one by its name."""

from typing import Protocol, TypeVar, runtime_checkable

from treepack.errors import SentenceSplitterError
from treepack.sentences.rules import RegexSplitter

T = TypeVar("T")


@runtime_checkable
class SentenceSplitter(Protocol):
    """Finds the sentences of a text; any object with this method can be used."""

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return the sentences, in order, as half-open spans of characters of ``text``.

        Spans do not overlap. Together they cover the text, except whitespace at its start and
        between spans. Other text between two spans is added to the sentence before it. A
        sentence that begins inside a grapheme cluster is joined to the sentence before it. The text
        is a paragraph or more; markers of quotes at the start of lines are replaced by spaces.
        """
        ...


def sentence_splitter(splitter: str | SentenceSplitter) -> SentenceSplitter:
    """Return the sentence splitter of that name; any other splitter is returned unchanged.

    The built-in rules keep abbreviations of legal and technical texts whole (``Art. 5``, ``No. 3``,
    ``z. B.``) in some twenty languages, and their spans cover the text without gaps.

    Raises:
        SentenceSplitterError: No splitter has that name, or the object has no method ``spans``.

    >>> text = "See Art. 5 of the Regulation. It applies."
    >>> [text[start:end] for start, end in sentence_splitter("regex").spans(text)]
    ['See Art. 5 of the Regulation. ', 'It applies.']
    """
    if not isinstance(splitter, str):
        return checked_splitter(splitter)
    if splitter == "regex":
        return RegexSplitter()
    message = (
        f"there is no sentence splitter {splitter!r}; use regex, or an object with a method spans"
    )
    raise SentenceSplitterError(message)


def checked_splitter(splitter: T) -> T:
    """Return a name or a `SentenceSplitter` unchanged.

    Raises:
        SentenceSplitterError: The value is something else, such as a function.
    """
    if not isinstance(splitter, str | SentenceSplitter):
        kind = type(splitter).__name__
        message = f"a sentence splitter must be a name or an object with a method spans, not {kind}"
        raise SentenceSplitterError(message)
    return splitter
