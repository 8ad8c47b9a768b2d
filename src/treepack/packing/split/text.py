"""Cutting long text into sentences, lines and HTML elements; ``words`` cuts inside these."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from treepack.graphemes import cluster_start
from treepack.markdown.prefixes import Prefix, content_position
from treepack.model.source import LINE_END
from treepack.packing.budget import Budget
from treepack.packing.pieces import Piece, trimmed_end
from treepack.packing.split.html_text import (
    has_script,
    is_literal_html,
    mask_markup,
)
from treepack.packing.split.sentences import SentenceFinder
from treepack.packing.split.words import TEXT, WordCutter
from treepack.packing.wrappers import Wrapper, prefixes_of
from treepack.sentences.rules import RegexSplitter

_LINE: Final = re.compile(r"[^\r\n]+")
_SHORT_TAG: Final = 48  # characters: no sentence ends inside
_LINE_BREAK: Final = re.compile(r"\r\n?|\n|<[Bb][Rr][ \t]*/?>(?=[ \t]*[^\s])")


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
        by_rules = isinstance(finder.splitter, RegexSplitter)
        self.rule_finder = None if by_rules else SentenceFinder(finder.source, RegexSplitter())
        self.cap = budget.config.max_tokens
        self.fits_cap = budget.fits_cap
        self.word_cutter = WordCutter(finder.source, budget)
        self.words = self.word_cutter.words

    def is_short(self, opening: str, closing: str, wrappers: tuple[Wrapper, ...]) -> bool:
        """Whether each piece can repeat an opening and a closing and still have room for a body.

        What the wrappers around the piece repeat is counted as well. All of this may take at most
        half the cap.
        """
        prefixes = prefixes_of(wrappers)
        first = "".join([prefix.first for prefix in prefixes])
        following = "".join([prefix.following for prefix in prefixes])
        above = [segment.text for wrapper in wrappers for segment in wrapper.opening(wrapper.start)]
        below = "".join([wrapper.closing(wrapper.start, wrapper.start) for wrapper in wrappers])
        below = f"\n{closing}{below}" if closing else below
        text = f"{first}{''.join(above)}{opening}{below}"
        text = LINE_END.sub(lambda _: f"\n{following}", text)
        return self.index.count_text(text) <= self.cap // 2

    def lines(self, piece: Piece) -> list[Piece]:
        """Cut a piece into lines, each with its indentation; cut a single line into words."""
        lines = self.line_pieces(*_own_span(piece), piece.wrappers)
        return _with_rawness(piece, lines) if len(lines) > 1 else self.words(piece)

    def line_pieces(
        self, start: int, end: int, wrappers: tuple[Wrapper, ...], *, keeps_spaces: bool = False
    ) -> list[Piece]:
        """Return a piece for each line that is not blank; it begins after the containers' prefixes.

        With ``keeps_spaces``, a line keeps the spaces at its end.
        """
        prefixes = prefixes_of(wrappers)
        later = self.source.line_at(start) + 1  # for all later lines: they have no markers
        pieces: list[Piece] = []
        for match in _LINE.finditer(self.text, start, end):
            begin, after = match.span()
            if prefixes and begin > start:
                begin = content_position(self.text, begin, after, later, prefixes).offset
            if content := self.text[begin:after].rstrip():
                end_of_line = after if keeps_spaces else begin + len(content)
                pieces.append(Piece(begin, end_of_line, wrappers, self.words))
        return pieces

    def sentences(self, piece: Piece) -> list[Piece]:
        """Cut a piece into sentences, a single sentence into lines, or a single line into words."""
        start, end = _own_span(piece)
        starts = self.finder.starts(start, end, prefixes_of(piece.wrappers))
        return self._cut_at(piece, starts, end, self._text_lines)

    def html(self, piece: Piece) -> list[Piece]:
        """Cut a piece of HTML into block elements, or a single one into sentences, lines, words."""
        start, end = _own_span(piece)
        starts = self.finder.elements(start, end, prefixes_of(piece.wrappers))
        return self._cut_at(piece, starts, end, self._html_sentences)

    def _html_sentences(self, piece: Piece) -> list[Piece]:
        start, end = _own_span(piece)
        if is_literal_html(self.text[start:end]):
            is_script = has_script(self.text[start:end])
            return self.lines(piece) if is_script else self._preformatted_lines(piece)
        starts = self.finder.starts(start, end, prefixes_of(piece.wrappers), mask=mask_markup)
        return self._cut_at(piece, starts, end, self._html_lines)

    def _preformatted_lines(self, piece: Piece) -> list[Piece]:
        """Cut HTML with ``<pre>`` into lines, or a single line into words.

        A line that begins inside a tag belongs to the line before it.
        """
        start, end = _own_span(piece)
        masked = self._long_tag_mask(piece)(self.text[start:end])
        lines: list[Piece] = []
        for line in self.line_pieces(start, end, piece.wrappers):
            at = lines[-1].end if lines else line.start
            if masked[at - start] == self.text[at]:
                lines.append(line)
            else:
                lines[-1] = lines[-1]._replace(end=line.end)
        return _with_rawness(piece, lines) if len(lines) > 1 else self.words(piece)

    def _html_lines(self, piece: Piece) -> list[Piece]:
        """Cut HTML into lines; a line that begins inside a tag belongs to the line before it."""
        missed = self._missed_sentences(piece, mask_markup, self._html_lines)
        return missed or self._cut_lines(piece, mask_markup, self._long_tags)

    def _long_tags(self, piece: Piece) -> list[Piece]:
        """Cut a line of HTML at sentences inside tags that are above the cap.

        A single sentence is cut into lines, and a single line into words.
        """
        start, end = _own_span(piece)
        mask = self._long_tag_mask(piece)
        starts = self.finder.starts(start, end, prefixes_of(piece.wrappers), mask=mask)
        return self._cut_at(piece, starts, end, self._long_tag_lines)

    def _long_tag_lines(self, piece: Piece) -> list[Piece]:
        return self._cut_lines(piece, self._long_tag_mask(piece), self.words)

    def _long_tag_mask(self, piece: Piece) -> Callable[[str], str]:
        """Return a function that masks a text's markup, except tags that are above the cap."""
        start, end = _own_span(piece)

        def is_whole(begin: int, after: int) -> bool:
            if after - begin <= _SHORT_TAG:
                return True  # nearly all tags
            return self.fits_cap(Piece(start + begin, end, piece.wrappers), start + after)

        return partial(mask_markup, is_whole=is_whole)

    def _text_lines(self, piece: Piece) -> list[Piece]:
        missed = self._missed_sentences(piece, str, self._text_lines)
        return missed or self._cut_lines(piece, str, self.words)

    def _missed_sentences(
        self, piece: Piece, mask: Callable[[str], str], cut: Callable[[Piece], list[Piece]]
    ) -> list[Piece]:
        """Cut a sentence that is too long where the rules find sentence ends, or return [].

        This is for sentences that another splitter found. Each splitter misses some ends, and a cut
        at a doubtful end is better than one between two words.
        """
        if self.rule_finder is None:
            return []
        start, end = _own_span(piece)
        starts = self.rule_finder.starts(start, end, prefixes_of(piece.wrappers), mask=mask)
        return self._cut_at(piece, starts, end, cut) if len(starts) > 1 else []

    def _cut_lines(
        self, piece: Piece, mask: Callable[[str], str], cut: Callable[[Piece], list[Piece]]
    ) -> list[Piece]:
        """Cut a piece into lines that are not blank, also at ``<br>``.

        Args:
            piece: The piece.
            mask: Turns the text into one of the same length, in which line ends are searched for.
            cut: Cuts a single line.
        """
        start, end = _own_span(piece)
        prefixes = prefixes_of(piece.wrappers)
        starts, ends = [start], list[int]()
        for match in _LINE_BREAK.finditer(mask(self.text[start:end])):
            line = content = start + match.end()
            if prefixes and content < end:
                content = max(content, self.word_cutter.content(content, prefixes))
            text = TEXT.search(self.text, content, end)
            text_start = cluster_start(self.text, text.start(), content) if text else end
            if text is None or LINE_END.search(self.text, content, text_start):
                continue  # a blank line; the next line has prefixes of its own
            if self.text[starts[-1] : text_start].strip():
                is_on_new_line = line < text_start == content and self.text[line - 1] in "\r\n"
                ends.append(
                    trimmed_end(self.text, starts[-1], line)
                    if is_on_new_line  # after prefixes only; `_part_end` would be slower
                    else self._part_end(starts[-1], text_start, prefixes)
                )
                starts.append(text_start)
        return self._cut_at(piece, starts, end, cut, ends)

    def _cut_at(
        self,
        piece: Piece,
        starts: list[int],
        end: int,
        cut: Callable[[Piece], list[Piece]],
        ends: Sequence[int] = (),
    ) -> list[Piece]:
        """Return a piece for each start; if there is only one, the result of the finer ``cut``.

        ``ends`` has the ends of the first pieces, as far as they are known.
        """
        if len(starts) == 1:
            return cut(piece)
        wrappers, is_raw = piece.wrappers, piece.is_raw
        prefixes = prefixes_of(wrappers)
        following = [*starts[1:], end]
        unknown = zip(starts[len(ends) :], following[len(ends) :], strict=True)
        ends = [*ends, *(self._part_end(begin, after, prefixes) for begin, after in unknown)]
        return [
            Piece(begin, after, wrappers, cut, is_raw=is_raw)
            for begin, after in zip(starts, ends, strict=True)
        ]

    def _part_end(self, begin: int, after: int, prefixes: tuple[Prefix, ...]) -> int:
        """Return the end of a part if the next one begins at ``after``, without its prefixes."""
        if not prefixes:  # the common case
            return trimmed_end(self.text, begin, after)
        line_start = self.source.line_starts[self.source.line_at(max(begin, after - 1))]
        if begin < line_start < after:
            content = self.word_cutter.content(line_start, prefixes)
            if not self.text[content:after].strip():
                after = line_start
        return trimmed_end(self.text, begin, after)


def _own_span(piece: Piece) -> tuple[int, int]:
    """Return the span of a piece's own text, without what is glued before or after it."""
    start = max(piece.start, piece.text_start)
    return start, piece.text_end if piece.text_end > start else piece.end


def _with_rawness(piece: Piece, parts: list[Piece]) -> list[Piece]:
    """Return the parts of a piece, marked as raw if the piece is raw."""
    return [part._replace(is_raw=True) for part in parts] if piece.is_raw else parts
