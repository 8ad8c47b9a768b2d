"""Footnotes, link definitions and definitions of terms that a chunk uses, added at its end.

A text such as "see [the guide][1]" is of little use without the definition of ``[1]``, which is
often at the end of the document. The same is true of "each Affiliate" without the word's meaning.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from treepack.clauses.definitions import Definition
from treepack.model.blocks import Block, FootnoteDefinition, LinkDefinition, Span
from treepack.model.chunk import Reference, Segment
from treepack.packing.chunks.terms import Terms

# At the start of a line; the target may be on the next line.
_DEFINED: Final = re.compile(
    r"(?<![^\r\n\ufeff])[ ]{0,3}\[([^\[\]\r\n]{1,999})\]:[ \t]*(?:\r\n?|\n)?[ \t]*(?=\S)"
)
# A bracketed label, with `[]` if that follows; `[text][label]` gives two matches.
_LABEL: Final = re.compile(r"(?<!\\)\[([^\[\]\r\n]{1,999})(?<!\\)\](?!:)(\[\])?")
_CARET: Final = "^"
_WHITESPACE: Final = re.compile(r"\s+")


class Definitions:
    """The definitions of one document.

    Args:
        text: The source's text.
        blocks: The document's top-level blocks.
        terms: The definitions of terms in the document.
    """

    def __init__(
        self, text: str, blocks: Sequence[Block], terms: Sequence[Definition] = ()
    ) -> None:
        self.text = text
        self.terms = Terms(text, terms)
        self.spans: dict[str, Span] = {}
        for block in blocks:
            if isinstance(block, FootnoteDefinition):
                self.spans.setdefault(_normalized(_CARET + block.label), (block.start, block.end))
            elif isinstance(block, LinkDefinition):
                for label, span in self._link_spans(block):
                    self.spans.setdefault(label, span)

    def attached(
        self, start: int, end: int, fits: Callable[[list[Segment]], bool]
    ) -> tuple[list[Segment], tuple[Reference, ...]]:
        """Return the definitions that fit, and the references whose definition is missing.

        Args:
            start: Where the body begins.
            end: Where it ends.
            fits: Whether the chunk still fits with these segments at its end.
        """
        segments: list[Segment] = []
        missing: list[Reference] = []
        seen: set[str] = set()
        for text, label, is_certain in self._uses(start, end):
            if label in seen:
                continue
            seen.add(label)
            span = self.spans.get(label)
            if span and start <= span[0] < end:
                continue
            if span:
                # Without a blank line, a link definition after a footnote would be part of it.
                longer = [*segments, Segment.of("glue", "\n\n"), self._segment(span)]
                if fits(longer):
                    segments = longer
                    continue
            if span or is_certain:
                kind = "footnote" if label[0] == _CARET else "link"
                missing.append(Reference(text=text, kind=kind, target=label.lstrip(_CARET)))
        return self._with_terms(segments, start, end, fits), tuple(missing)

    def _with_terms(
        self, segments: list[Segment], start: int, end: int, fits: Callable[[list[Segment]], bool]
    ) -> list[Segment]:
        """Return the segments and as many definitions of terms as fit, in source order."""
        spans: list[Span] = []
        for span in self.terms.used(start, end):
            longer = self._joined(segments, sorted([*spans, span]))
            if fits(longer):
                spans = sorted([*spans, span])
        return self._joined(segments, spans)

    def _joined(self, segments: list[Segment], spans: list[Span]) -> list[Segment]:
        definitions = [
            each for span in spans for each in (Segment.of("glue", "\n\n"), self._segment(span))
        ]
        return [*segments, *definitions]

    def _segment(self, span: Span) -> Segment:
        return Segment.of("definition", "", span)

    def _uses(self, start: int, end: int) -> Iterator[tuple[str, str, bool]]:
        """Yield each use of a label in a body: its text, the label, whether it is a sure reference.

        ``[text][label]``, ``[label][]`` and ``[^label]`` are certainly references.
        """
        after = -1
        for match in _LABEL.finditer(self.text, start, end):
            is_full_reference = match.start() == after and match[1] != ""
            after = match.end()
            if self.text.startswith("(", after):
                continue
            label = _normalized(match[1])
            if not label.strip(_CARET):
                continue
            is_note = label[0] == _CARET and not re.search(r"\s", match[1])
            yield match[0], label, is_full_reference or is_note or match[2] is not None

    def _link_spans(self, block: LinkDefinition) -> Iterator[tuple[str, Span]]:
        matches = list(_DEFINED.finditer(self.text, block.start, block.end))
        ends = [*(match.start() for match in matches[1:]), *([block.end] if matches else [])]
        for match, end in zip(matches, ends, strict=True):
            start = match.start()
            yield _normalized(match[1]), (start, start + len(self.text[start:end].rstrip()))


def _normalized(label: str) -> str:
    """Return a label as CommonMark compares labels: whitespace collapsed, case ignored."""
    return _WHITESPACE.sub(" ", label.strip()).casefold()
