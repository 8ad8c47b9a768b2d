"""Cutting long text into sentences and lines; ``words`` cuts inside these."""

import re
from itertools import pairwise
from typing import Final

from treepack.markdown.prefixes import content_position
from treepack.model.blocks import is_inside
from treepack.model.source import LINE_END
from treepack.packing.budget import Budget
from treepack.packing.frames import Frame, prefixes_of
from treepack.packing.pieces import Piece, trimmed_end
from treepack.packing.split.markup import insides_of_markup
from treepack.packing.split.sentences import SentenceFinder
from treepack.packing.split.words import WordCutter

_LINE: Final = re.compile(r"[^\r\n]+")
# A tag that ends a line or a block on the page.
_LINE_TAG: Final = re.compile(
    r"<(?:br[ \t]*/?|/(?:p|li|d[dt]|div|h[1-6]|[uod]l))>[ \t]*(?=[^\s])", re.IGNORECASE
)
# No text that was wrapped by hand or by a mail program has a line this long, in characters: where
# one has, each line end is meant, and a line is a paragraph.
_UNWRAPPED: Final = re.compile(r"[^\r\n]{200}")
_CLOSING_TAGS: Final = re.compile(r"(?:</[A-Za-z][^<>]*>\s*)*")


class TextCutter:
    """Cuts text of one document into pieces.

    Args:
        finder: Has the document's text, and finds its sentences.
        budget: Knows what is within the target, and what is within the cap.
    """

    def __init__(self, finder: SentenceFinder, budget: Budget) -> None:
        self.source = finder.source
        self.text = finder.source.text
        self.index = budget.index
        self.finder = finder
        self.cap = budget.config.max_tokens
        self.minimum = budget.config.min_tokens
        self.fits_cap = budget.fits_cap
        self.word_cutter = WordCutter(finder.source, budget)
        self.words = self.word_cutter.words

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
        for match in _LINE.finditer(self.text, start, end):
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
        markers = (
            " \t\r\n>" if prefixes_of(frames) else None
        )  # of the next line; see `Splitter.open`
        texts = [
            (begin, self.text[begin:after].rstrip(markers) or self.text[begin])
            for begin, after in zip(starts, [*starts[1:], span[1]], strict=True)
        ]
        return [
            Piece(begin, begin + len(text), frames, self.lines, is_raw=is_raw)
            for begin, text in texts
        ]

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
