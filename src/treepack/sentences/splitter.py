"""What a sentence splitter is, and the two that have a name."""

from typing import Protocol, runtime_checkable

from treepack.errors import SentenceSplitterError
from treepack.sentences.rules import RegexSplitter
from treepack.sentences.windows import SentencexSplitter


@runtime_checkable
class SentenceSplitter(Protocol):
    """Finds the sentences of a text; any object with this method will do."""

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return the sentences, in order, as half-open spans of characters of ``text``.

        Spans do not overlap. Together they hold the text, but for blanks at its beginning and
        between two of them; what else lies between two goes with the sentence before it. A
        sentence that begins inside a grapheme cluster is taken for a part of the one before.

        Args:
            text: A paragraph or more, with its line ends and inline markup; never changed between
                calls. The marks of block quotes at the beginnings of lines are blanked.
        """
        ...


def sentence_splitter(splitter: str | SentenceSplitter) -> SentenceSplitter:
    """Return the sentence splitter of that name; any other splitter is returned as it is.

    Both named ones keep abbreviations of legal and technical texts whole (``Art. 5``, ``No. 3``,
    ``z. B.``) in some twenty languages, and their spans tile the text.

    Args:
        splitter: ``"regex"``, which needs nothing else, ``"sentencex"`` (the extra
            ``sentences``), or any `SentenceSplitter`.

    Raises:
        SentenceSplitterError: No splitter has that name, or it has no method ``spans``.
        MissingExtraError: The package sentencex is not installed.

    >>> text = "See Art. 5 of the Regulation. It applies."
    >>> [text[start:end] for start, end in sentence_splitter("regex").spans(text)]
    ['See Art. 5 of the Regulation. ', 'It applies.']
    """
    if not isinstance(splitter, str):
        check_splitter(splitter)
        return splitter
    if splitter == "regex":
        return RegexSplitter()
    if splitter == "sentencex":
        return SentencexSplitter()
    message = (
        f"no sentence splitter is named {splitter!r}; there are regex and sentencex, and any "
        "object with a method spans"
    )
    raise SentenceSplitterError(message)


def check_splitter(splitter: object) -> None:
    """Refuse what is neither a name nor a `SentenceSplitter`.

    Raises:
        SentenceSplitterError: It is something else, such as a function.
    """
    if not isinstance(splitter, str | SentenceSplitter):
        kind = type(splitter).__name__
        message = f"a sentence splitter is a name or an object with a method spans, not {kind}"
        raise SentenceSplitterError(message)
