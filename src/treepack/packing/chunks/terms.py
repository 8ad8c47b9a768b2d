"""The definitions of terms that a chunk uses: ``"Affiliate" means ...``.

A term counts as used where it appears as printed in its definition, or in the plural. If two terms
match at one place, the longer one is used.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final

from treepack.clauses.definitions import CLOSING_QUOTES, OPENING_QUOTES, Definition
from treepack.model.blocks import Span
from treepack.model.source import ANY_LINE_END

_WORD: Final = re.compile(r"\w+")
_SENTENCE_END: Final = re.compile(
    rf"[.;:!?][\"”’)]?\s+(?=[^\W\d_a-z])|{ANY_LINE_END}[ \t]*{ANY_LINE_END}"
)
_OR: Final = re.compile(
    rf"(?:[\s,({OPENING_QUOTES}{CLOSING_QUOTES}*_`']|&quot;|\b(?:or|and|und|oder|et|ou|y|o)\b|)*+"
)
_FULL_STOP: Final = re.compile(r"[.;](?=\s)")
_PARAGRAPH_END: Final = re.compile(
    rf"[ \t]*(?:{ANY_LINE_END}[ \t>]*{ANY_LINE_END}|{ANY_LINE_END}?\Z)"
)
_QUOTED: Final = re.compile(
    rf"[^{OPENING_QUOTES}]*[{OPENING_QUOTES}][^{OPENING_QUOTES}{CLOSING_QUOTES}]*[{CLOSING_QUOTES}]"
)
_LONGEST_SENTENCE: Final = 600  # characters


class Terms:
    """The terms that one document defines.

    Args:
        text: The source's text.
        definitions: The document's definitions.
    """

    def __init__(self, text: str, definitions: Sequence[Definition]) -> None:
        self.text = text
        # By a term's first word: the pattern of its uses, where its definition begins, and the span
        # that is attached.
        self._by_word: dict[str, list[tuple[re.Pattern[str], int, Span]]] = {}
        spans = dict(self._spans(definitions))
        for definition in sorted(definitions, key=lambda each: -len(each.term)):
            first = _WORD.search(definition.term)
            if first is None or definition.term.islower():
                continue  # a lower-case word is often used in its common meaning
            words = r"\s+".join(map(re.escape, definition.term[first.start() :].split()))
            use = re.compile(rf"{words}(?:e?s)?(?!\w)")
            term = (use, definition.start, spans[definition.start])
            self._by_word.setdefault(first[0], []).append(term)
            if " " not in definition.term:  # the plural of a single word is another first word
                self._by_word.setdefault(f"{first[0]}s", []).append(term)

    def used(self, start: int, end: int) -> Iterator[Span]:
        """Yield the spans of the definitions that a body uses, in the order of their first use.

        Definitions in the body itself are left out, and so are terms that only the text of another
        definition uses.
        """
        seen: set[Span] = set()
        next_start = start
        for word in _WORD.finditer(self.text, start, end):
            if word.start() < next_start or word[0] not in self._by_word:
                continue
            for use, definition_start, span in self._by_word[word[0]]:
                match = use.match(self.text, word.start(), end)
                if match is None:
                    continue
                next_start = match.end()
                if span not in seen and not start <= definition_start < end:
                    yield span
                seen.add(span)
                break

    def _spans(self, definitions: Sequence[Definition]) -> Iterator[tuple[int, Span]]:
        """Yield the start of each definition with the span that is attached for it.

        Terms that are defined together share one span: ``"Goods" or "Wares" mean ...``, or several
        terms in brackets in one sentence.
        """
        together: list[Definition] = []
        for current, after in zip_longest(definitions, definitions[1:]):
            together.append(current)
            first = together[0]
            is_bracket = self._is_after_meaning(first)
            if after is not None:
                between = self.text[current.start : after.start].replace(current.term, "", 1)
                is_same = is_bracket and self._is_after_meaning(after)
                if _OR.fullmatch(between) or (is_same and not _SENTENCE_END.search(between)):
                    continue
            span = self._sentence(first, current) if is_bracket else self._meaning(first, current)
            yield from [(each.start, span) for each in together]
            together = []

    def _meaning(self, first: Definition, last: Definition) -> Span:
        """Return the span from a term to the end of its definition, in whole sentences."""
        text = self.text[first.start : last.end].rstrip()
        end = first.start + len(text)
        if _PARAGRAPH_END.match(self.text, end):
            return first.start, end
        length = max((stop.end() for stop in _FULL_STOP.finditer(text)), default=0)
        if length:
            return first.start, first.start + length
        stop = _FULL_STOP.search(self.text, end, end + _LONGEST_SENTENCE)
        return first.start, stop.end() if stop else end

    def _sentence(self, first: Definition, last: Definition) -> Span:
        """Return the span of a sentence up to the last term in it that follows its meaning."""
        start = max(first.start - _LONGEST_SENTENCE, 0)
        for end_of_sentence in _SENTENCE_END.finditer(self.text, start, first.start):
            start = end_of_sentence.end()
        if self.text[last.start] == "(":
            closing = self.text.find(")", last.start, last.end)
            return start, closing + 1 if closing >= 0 else last.end
        quote = _QUOTED.match(self.text, last.start, last.end)
        return start, quote.end() if quote else last.end

    def _is_after_meaning(self, definition: Definition) -> bool:
        """Whether a term follows what it means: in brackets, or after "hereinafter"."""
        return self.text.startswith(("(", "herein"), definition.start)
