"""The sentences of one document, whichever splitter finds them, and its HTML elements."""

from treepack.document.prefixes import Prefix, content_place
from treepack.document.source import Source
from treepack.errors import SentenceSplitterError
from treepack.graphemes import is_boundary
from treepack.packing.html_text import element_starts, without_markup
from treepack.sentences import SentenceSplitter


class SentenceFinder:
    """Finds where sentences begin in stretches of a document.

    Args:
        source: The document's text.
        splitter: Asked for the sentences.
    """

    def __init__(self, source: Source, splitter: SentenceSplitter) -> None:
        self.source = source
        self.splitter = splitter

    def starts(
        self, start: int, end: int, prefixes: tuple[Prefix, ...] = (), *, is_html: bool = False
    ) -> list[int]:
        """Offsets at which a sentence begins: ``start``, then each first character of another.

        None of them lies inside a grapheme cluster, whatever the splitter says.

        Args:
            start: Where the text begins, behind the marks on its first line.
            end: Behind its last character.
            prefixes: What the containers around it put before its further lines.
            is_html: Whether no sentence begins inside a tag.

        Raises:
            SentenceSplitterError: The splitter's spans are not in order or not in the text.
        """
        text = self._without_marks(start, end, prefixes)
        text = without_markup(text) if is_html else text
        starts, last = [start], 0
        begun = start + len(text) - len(text.lstrip())
        for begin, behind in self.splitter.spans(text):
            if not last <= begin <= behind <= len(text):
                self._refuse((begin, behind), last, len(text))
            last, place = behind, begin
            while place < behind and text[place].isspace():
                place += 1
            is_new = place < behind and start + place > max(begun, starts[-1])
            if is_new and is_boundary(self.source.text, start + place):
                starts.append(start + place)
        return starts

    def elements(self, start: int, end: int, prefixes: tuple[Prefix, ...] = ()) -> list[int]:
        """Offsets at which HTML elements begin: ``start``, then each of another; see `starts`."""
        text = self._without_marks(start, end, prefixes)
        return [start, *(start + offset for offset in element_starts(text))]

    def _without_marks(self, start: int, end: int, prefixes: tuple[Prefix, ...]) -> str:
        """The text with blanks for the marks of quotes, which are no part of any sentence."""
        text = self.source.text
        first, last = self.source.line_at(start), self.source.line_at(max(start, end - 1))
        if first == last or not any(prefix.is_quote for prefix in prefixes):
            return text[start:end]
        bounds = self.source.line_starts
        parts = [text[start : bounds[first + 1]]]
        for line in range(first + 1, last + 1):
            begin, behind = bounds[line], min(bounds[line + 1], end)
            content = min(content_place(text, begin, behind, line, prefixes).offset, behind)
            parts.append(" " * (content - begin) + text[content:behind])
        return "".join(parts)

    def _refuse(self, span: tuple[int, int], last: int, length: int) -> None:
        message = (
            f"the sentence splitter {self.splitter!r} gave the span {span} of a text of {length} "
            f"characters behind a span that ends at {last}; it must lie in {last}..{length}"
        )
        raise SentenceSplitterError(message)
