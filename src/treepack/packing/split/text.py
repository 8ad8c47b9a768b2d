"""Cutting long text into sentences and lines; ``words`` cuts inside these."""

import re
from itertools import pairwise
from typing import Final

from treepack.errors import SentenceSplitterError
from treepack.graphemes import is_boundary
from treepack.markdown.prefixes import Prefix, content_position
from treepack.model.blocks import is_inside
from treepack.model.source import LINE_END, LINE_TEXT, Source
from treepack.packing.budget import Budget
from treepack.packing.pieces import Frame, Piece, prefixes_of, trimmed_end
from treepack.packing.split.words import WordCutter, insides_of_markup
from treepack.sentences import SentenceSplitter, sentence_splitter

_NO_BREAK: Final = "\u00a0"
# A tag that ends a line or a block on the page.
_LINE_TAG: Final = re.compile(
    r"<(?:br[ \t]*/?|/(?:p|li|d[dt]|div|h[1-6]|[uod]l))>[ \t]*(?=[^\s])", re.IGNORECASE
)
# No text that was wrapped by hand or by a mail program has a line this long, in characters: where
# one has, each line end is meant, and a line is a paragraph.
_UNWRAPPED: Final = re.compile(r"[^\r\n]{200}")
_CLOSING_TAGS: Final = re.compile(r"(?:</[A-Za-z][^<>]*>\s*)*")


class SentenceFinder:
    """Finds where sentences begin in parts of a document.

    Args:
        source: The document's text.
        splitter: Finds the sentences; an object, or the name of one.
    """

    def __init__(self, source: Source, splitter: str | SentenceSplitter) -> None:
        self.source = source
        self.splitter = sentence_splitter(splitter)

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
                message = (
                    f"the sentence splitter {self.splitter!r} returned the span "
                    f"{(span_start, span_end)}, which is not within {previous_end}..{len(text)}: "
                    "from the end of the previous span to that of the text"
                )
                raise SentenceSplitterError(message)
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


class TextCutter:
    """Cuts text of one document into pieces.

    Args:
        budget: Knows the limits, and the document.
    """

    def __init__(self, budget: Budget) -> None:
        self.source = budget.contexts.document.source
        self.text = self.source.text
        self.index = budget.index
        self.finder = SentenceFinder(self.source, budget.config.sentence_splitter)
        self.cap = budget.config.max_tokens
        self.fits_cap = budget.fits_cap
        self.words = WordCutter(budget).words

    def is_short(self, opening: str, closing: str, frames: tuple[Frame, ...]) -> bool:
        """Whether each piece can repeat an opening and a closing and still have room for a body.

        What the frames around the piece repeat is counted as well. All of this may take at most
        half the cap.
        """
        prefixes = prefixes_of(frames)
        first = "".join([prefix.first for prefix in prefixes])
        following = "".join([prefix.following for prefix in prefixes])
        above = [segment.text for frame in frames for segment in frame.head]
        below = "".join([frame.foot for frame in frames])
        below = f"\n{closing}{below}" if closing else below
        text = f"{first}{''.join(above)}{opening}{below}"
        text = LINE_END.sub(lambda _: f"\n{following}", text)
        return self.index.count_text(text) <= self.cap // 2

    def lines(self, piece: Piece) -> list[Piece]:
        """Cut a piece into lines, also at ``<br>`` and the like; cut a single line into words."""
        start, end = _own_span(piece)
        markup = insides_of_markup(self.text, start, end) if piece.is_raw else []
        parts: list[Piece] = []
        for line in self.line_pieces(start, end, piece.frames):
            if parts and is_inside(line.start, markup):  # a tag over two lines
                parts[-1] = parts[-1]._replace(end=line.end)
                continue
            tags = _LINE_TAG.finditer(self.text, line.start, line.end)
            cuts = [line.start, *(tag.end() for tag in tags), line.end]
            parts += [
                line._replace(start=a, end=trimmed_end(self.text, a, b), is_raw=piece.is_raw)
                for a, b in pairwise(cuts)
            ]
        return parts if len(parts) > 1 else self.words(piece)

    def line_pieces(
        self, start: int, end: int, frames: tuple[Frame, ...], *, keeps_spaces: bool = False
    ) -> list[Piece]:
        """Return a piece for each line that is not blank; it begins after the containers' prefixes.

        With ``keeps_spaces``, a line keeps the spaces at its end.
        """
        prefixes = prefixes_of(frames)
        later = self.source.line_at(start) + 1  # for all later lines: they have no markers
        pieces: list[Piece] = []
        for match in LINE_TEXT.finditer(self.text, start, end):
            begin, after = match.span()
            if prefixes and begin > start:
                begin = content_position(self.text, begin, after, later, prefixes).offset
            if content := self.text[begin:after].rstrip():
                end_of_line = after if keeps_spaces else begin + len(content)
                pieces.append(Piece(begin, end_of_line, frames, self.words))
        return pieces

    def sentences(self, piece: Piece) -> list[Piece]:
        """Cut a piece into sentences, a single sentence into lines, or a single line into words.

        If the piece is raw, no cut is inside a tag that fits a chunk. Lines that were not wrapped
        come before sentences.
        """
        span = _own_span(piece)
        if not piece.is_raw and _UNWRAPPED.search(self.text, *span):
            lines = self.line_pieces(*span, piece.frames)
            if lines[1:]:
                return [line._replace(cut=self.sentences) for line in lines]
        starts = self._sentence_starts(piece)
        if len(starts) == 1:
            return self.lines(piece)
        frames, is_raw = piece.frames, piece.is_raw
        markers = " \t\r\n>" if prefixes_of(frames) else None  # of the next line: `Splitter.open`
        ends = [
            begin + max(len(self.text[begin:after].rstrip(markers)), 1)
            for begin, after in pairwise([*starts, span[1]])
        ]
        spans = zip(starts, ends, strict=True)
        return [Piece(*each, frames, self.lines, is_raw=is_raw) for each in spans]

    def _sentence_starts(self, piece: Piece) -> list[int]:
        start, end = _own_span(piece)
        starts = self.finder.starts(start, end, prefixes_of(piece.frames))
        if not piece.is_raw or len(starts) == 1:
            return starts
        spans = insides_of_markup(self.text, start, end)
        # A tag that closes an element stays with the end of its text.
        tags = (_CLOSING_TAGS.match(self.text, each, end) for each in starts[1:])
        later = dict.fromkeys(tag.end() for tag in tags if tag)  # each once: no piece is empty
        return [start, *(each for each in later if each < end and not is_inside(each, spans))]


def _own_span(piece: Piece) -> tuple[int, int]:
    """Return the span of a piece's own text, without what is glued before or after it."""
    start = max(piece.start, piece.text_start)
    return start, piece.text_end if piece.text_end > start else piece.end
