"""Chunks before anybody asks for them: where their texts stand, not yet what they say.

A document's chunks hold its text two or three times. So a text is cut from the source when its
chunk is asked for, at the latest, and that is when the tree and all else of the packing is gone.
"""

from typing import Any, NamedTuple, Self

from treepack.packing.chunk import Chunk, Segment
from treepack.packing.frames import Part


class Draft(NamedTuple):
    """What a chunk record is made from.

    Attributes:
        values: The fields that hold no text of the source, by name.
        header: What stands before the text in ``embed_text``.
        parts: The segments; those that have a span are without text.
    """

    values: dict[str, Any]
    header: str
    parts: tuple[Part, ...]

    def updated(self, **values: Any) -> Self:  # noqa: ANN401 - of each field its own type
        """The draft with other values."""
        return self._replace(values=self.values | values)

    def record(self, source: str) -> Chunk:
        """The chunk, complete.

        Args:
            source: The text that it was cut from.
        """
        parts = self.parts
        texts = [source[slice(*part.span)] if part.span else part.text for part in parts]
        text = "".join(texts)
        pairs = list(zip(parts, texts, strict=True))
        return Chunk.trusted(
            text=text,
            segments=tuple(
                [Segment.trusted(role=part.role, text=own, span=part.span) for part, own in pairs]
            ),
            embed_text=self.header + text,
            lexical_text="".join([own for part, own in pairs if part.role == "body"]),
            **self.values,
        )


def without_text(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """The parts as a draft has them."""
    return tuple([Part(part.role, "", part.span) if part.span else part for part in parts])
