"""Finds where the sentences of one document begin, with any splitter."""

from typing import Final

from treepack.errors import SentenceSplitterError
from treepack.graphemes import is_boundary
from treepack.markdown.prefixes import Prefix, content_position
from treepack.model.source import Source
from treepack.sentences import SentenceSplitter

_NO_BREAK: Final = "\u00a0"


class SentenceFinder:
    """Finds where sentences begin in parts of a document.

    Args:
        source: The document's text.
        splitter: Finds the sentences.
    """

    def __init__(self, source: Source, splitter: SentenceSplitter) -> None:
        self.source = source
        self.splitter = splitter

    def starts(self, start: int, end: int, prefixes: tuple[Prefix, ...] = ()) -> list[int]:
        """Return where sentences begin: ``start``, then the first character of each later sentence.

        No offset is inside a grapheme cluster, whatever spans the splitter returns.

        Args:
            start: Where the text begins, after the prefixes on its first line.
            end: After its last character.
            prefixes: What the containers around the text put before its other lines.

        Raises:
            SentenceSplitterError: The splitter's spans are not in order or not in the text.
        """
        text = self._without_quote_markers(start, end, prefixes)
        if text.count(_NO_BREAK) > text.count(" "):  # a converter uses them as spaces
            text = text.replace(_NO_BREAK, " ")
        starts, previous_end = [start], 0
        text_start = start + len(text) - len(text.lstrip())
        for span_start, span_end in self.splitter.spans(text):
            if not previous_end <= span_start <= span_end <= len(text):
                self._raise_bad_span((span_start, span_end), previous_end, len(text))
            previous_end, first = span_end, span_start
            while first < span_end and text[first].isspace():
                first += 1
            is_new = first < span_end and start + first > max(text_start, starts[-1])
            if is_new and is_boundary(self.source.text, start + first):
                starts.append(start + first)
        return starts

    def _without_quote_markers(self, start: int, end: int, prefixes: tuple[Prefix, ...]) -> str:
        """Return the text with spaces in place of quote markers, which belong to no sentence."""
        text = self.source.text
        first, last = self.source.line_at(start), self.source.line_at(max(start, end - 1))
        if first == last or not any(prefix.is_quote for prefix in prefixes):
            return text[start:end]
        line_starts = self.source.line_starts
        parts = [text[start : line_starts[first + 1]]]
        for line in range(first + 1, last + 1):
            begin, after = line_starts[line], min(line_starts[line + 1], end)
            content = min(content_position(text, begin, after, line, prefixes).offset, after)
            parts.append(" " * (content - begin) + text[content:after])
        return "".join(parts)

    def _raise_bad_span(self, span: tuple[int, int], end: int, length: int) -> None:
        message = (
            f"the sentence splitter {self.splitter!r} returned the span {span}, which is not "
            f"within {end}..{length}: from the end of the previous span to that of the text"
        )
        raise SentenceSplitterError(message)
